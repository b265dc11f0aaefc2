package mail

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/landfallhq/tracking"
)

// digest is a digest as an e-mail shows it.
type digest struct {
	Date  string
	Parts []digestPart
}

// digestPart is one list of a digest.
type digestPart struct {
	Name  string // of the list, such as Arrivals
	None  string // said in place of an empty list
	Rows  []digestRow
	Total int
	More  int    // rows that are left out
	URL   string // of the list of all
}

// digestRow is one line.
type digestRow struct {
	Number string
	URL    string
	Place  string
	Title  string // what it is about; may be empty
	Text   string
	Bad    bool // it costs money, or is severe
}

func (d *digest) subject() string {
	var words []string
	for _, p := range d.Parts {
		if p.Total > 0 {
			words = append(words, fmt.Sprintf("%s %d", strings.ToLower(p.Name), p.Total))
		}
	}
	if len(words) == 0 {
		words = []string{"nothing needs attention"}
	}
	return d.Date + ": " + strings.Join(words, ", ")
}

// digest describes a digest.
func (w writer) digest(of *tracking.Digest) *digest {
	d := &digest{Date: w.day(of.Date)}
	add := func(name, none, path string, query url.Values, part tracking.DigestPart, describe func(tracking.DigestRow) (title, text string, bad bool)) {
		p := digestPart{Name: name, None: none, Total: part.Total, More: part.Total - len(part.Rows), URL: w.base + path + "?" + query.Encode()}
		for _, r := range part.Rows {
			row := digestRow{Number: r.Number, Place: r.Place, URL: w.base + "/" + r.Type + "s/" + r.ID.String()}
			row.Title, row.Text, row.Bad = describe(r)
			p.Rows = append(p.Rows, row)
		}
		d.Parts = append(d.Parts, p)
	}
	add("Open exceptions", "No exception is open.", "/exceptions", url.Values{"state": {"open"}}, of.Exceptions, func(r tracking.DigestRow) (string, string, bool) {
		return w.word("exception", r.Kind), r.Detail, r.Severity == "high"
	})
	add("Costing money", "No container costs money.", "/containers", url.Values{"accruing": {"true"}, "sort": {"-cost"}}, of.Costs, func(r tracking.DigestRow) (string, string, bool) {
		more := ""
		if r.Tomorrow != "" {
			more = fmt.Sprintf("%s %s more tomorrow", r.Currency, r.Tomorrow)
		}
		return fmt.Sprintf("%s %s so far", r.Currency, r.Amount), more, true
	})
	add("Free time ending", "No free time ends in the next three days.", "/containers", url.Values{"free_time_ends.from": {of.Date}, "sort": {"pickup_lfd"}}, of.FreeTime, func(r tracking.DigestRow) (string, string, bool) {
		return w.day(r.Date), "is the last free day", r.Date == of.Date
	})
	add("Arrivals", "Nothing arrives in the next seven days.", "/shipments", url.Values{"pod_eta_at.from": {of.Date}, "sort": {"pod_eta_at"}}, of.Arrivals, func(r tracking.DigestRow) (string, string, bool) {
		return w.moment(r.At, r.Timezone), r.Vessel, false
	})
	add("Overdue", "Nothing is overdue.", "/containers", url.Values{"overdue": {"true"}}, of.Overdue, func(r tracking.DigestRow) (string, string, bool) {
		return w.word("event", r.Kind) + ": not reported", "due by " + w.moment(r.At, r.Timezone), true
	})
	return d
}
