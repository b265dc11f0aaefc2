package dashboard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/numbercell"
)

func trackRoutes() []route {
	return []route{
		{pattern: "GET /track", permission: tracking.Create, serve: showTrack},
		{pattern: "POST /track", permission: tracking.Create, serve: track},
	}
}

// trackPage is the form for tracking numbers, with the outcome of each.
type trackPage struct {
	CSRF    string
	Numbers string
	Types   []option
	Most    int
	Problem string
	// Outcome is what would happen, or has happened; empty before the numbers are checked.
	Outcome table
	// Ready is how many numbers can be tracked now that they were checked; 0 after that.
	Ready int
	// Repeated are the lines that were shown as repetitions, with what they repeat. The
	// confirmation sends them back: checked again after the numbers are tracked, none would be.
	Repeated []repetition
	// Once identifies the form, so that sending it twice tracks nothing twice.
	Once string
	Done bool
	// SheetProblem is why a sheet is refused.
	SheetProblem string
}

// repetition is a line with an earlier one for the same number.
type repetition struct{ Line, Above int }

// numberRow is a number that somebody has entered, with its outcome.
type numberRow struct {
	line    int
	request tracking.NewTrackingRequest
	name    string // normalized, to find repetitions
	outcome cell
	// repeats is the line of an earlier row that can be tracked and has the number; 0 if there is
	// none.
	repeats int
	// found is the line that the number indicates; empty if one was given, and for none. Only a
	// certain one is taken without asking a carrier.
	found   string
	certain bool
}

func (numberRow) recordID() tracking.ID { return tracking.ID{} }

// requestTypes are the types that can be chosen; without one it is inferred.
var requestTypes = []string{string(tracking.BillOfLading), string(tracking.BookingNumber), string(tracking.ContainerNumber)}

func (req *request) trackPage(chosen string) trackPage {
	p := trackPage{
		CSRF: req.sessions.GetString(req.r.Context(), sessionCSRF), Numbers: req.r.PostForm.Get("numbers"),
		Types: req.texts.options("request_type", requestTypes), Most: tracking.MaxBulkRequests, Once: req.r.PostForm.Get("once"),
	}
	for i := range p.Types {
		p.Types[i].Chosen = p.Types[i].Value == chosen
	}
	if p.Once == "" {
		p.Once = newToken()
	}
	return p
}

func showTrack(req *request) error {
	return req.render(http.StatusOK, "track", req.texts.get("track.title"), req.trackPage(""))
}

// track checks the numbers of the form, and tracks them if that was confirmed.
func track(req *request) error {
	ctx, typ := req.r.Context(), req.r.PostForm.Get("type")
	p := req.trackPage(typ)
	count := 0
	for s := range strings.Lines(p.Numbers) {
		if len(numberWords(s)) > 0 {
			count++
		}
	}
	var rows []numberRow
	var err error
	if count <= tracking.MaxBulkRequests {
		if rows, err = req.numberRows(ctx, p.Numbers, tracking.RequestType(typ)); err != nil {
			return err
		}
	}
	switch {
	case count == 0:
		p.Problem = req.texts.get("track.empty")
	case count > tracking.MaxBulkRequests:
		p.Problem = req.texts.get("track.many", count, tracking.MaxBulkRequests)
	case req.r.PostForm.Get("confirmed") != "":
		err = req.trackRows(ctx, &p, rows)
	default:
		err = req.checkRows(ctx, &p, rows)
	}
	if err != nil {
		return err
	}
	status := http.StatusOK
	if p.Problem != "" {
		status = http.StatusUnprocessableEntity
	}
	return req.render(status, "track", req.texts.get("track.title"), p)
}

// numberWords are the words of a line: a number, and what may follow it.
func numberWords(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;", r) })
}

// notTracked says why a clean text is no number to track; empty if it is one.
func notTracked(number string, typ tracking.RequestType) cell {
	reason := numbercell.Check(number, typ)
	if reason == "" {
		return cell{}
	}
	return cell{Text: strings.ToUpper(reason[:1]) + reason[1:] + ".", Tone: "bad"}
}

// numberRows reads a number of each line, with its line and a reference where they follow.
func (req *request) numberRows(ctx context.Context, text string, typ tracking.RequestType) (rows []numberRow, err error) {
	line := 0
	for s := range strings.Lines(text) {
		line++
		words := numberWords(s)
		if len(words) == 0 {
			continue
		}
		number := numbercell.Clean(words[0])
		if refused := notTracked(number, typ); !refused.Empty() {
			rows = append(rows, numberRow{line: line, request: tracking.NewTrackingRequest{Number: number, Type: typ}, outcome: refused})
			continue
		}
		inferred, err := req.t.InferNumber(ctx, number)
		var fault *tracking.Error
		if errors.As(err, &fault) && fault.Kind == tracking.Invalid {
			rows = append(rows, numberRow{line: line, request: tracking.NewTrackingRequest{Number: number, Type: typ}, outcome: cell{Text: sentence(fault), Tone: "bad"}})
			continue
		}
		if err != nil {
			return nil, err
		}
		row := numberRow{line: line, name: inferred.Number, request: tracking.NewTrackingRequest{Number: number, Type: typ}}
		if typ == "" {
			row.request.Type = inferred.Type.RequestType()
		}
		if len(words) > 1 {
			row.request.SCAC, row.request.RefNumbers = strings.ToUpper(words[1]), words[2:]
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// open returns the numbers without an outcome so far, and the requests for them.
func open(rows []numberRow) (list []*numberRow, requests []tracking.NewTrackingRequest) {
	for i := range rows {
		if rows[i].outcome.Empty() {
			list, requests = append(list, &rows[i]), append(requests, rows[i].request)
		}
	}
	return list, requests
}

// rowsByNumber are rows by their normalized number, to find repetitions.
type rowsByNumber map[string][]numberRow

// add adds a row, and returns the line of an earlier one for the same number; 0 if there is
// none. Two that name different carriers are not the same.
func (m rowsByNumber) add(r numberRow) int {
	if r.name == "" { // no number
		return 0
	}
	for _, above := range m[r.name] {
		if a, b := above.request.SCAC, r.request.SCAC; a == "" || b == "" || a == b {
			return above.line
		}
	}
	m[r.name] = append(m[r.name], r)
	return 0
}

// judge gives each row without an outcome its own: refused, or the repetition of an earlier row
// that can be tracked, or else ready. It writes nothing, and returns how many are ready.
func (req *request) judge(ctx context.Context, rows []numberRow) (ready int, err error) {
	left, requests := open(rows)
	if len(requests) == 0 {
		return 0, nil
	}
	faults, err := req.t.CheckTrackingRequests(ctx, requests)
	if err != nil {
		return 0, err
	}
	seen := rowsByNumber{}
	for i, r := range left {
		if faults[i] != nil {
			r.outcome = cell{Text: sentence(faults[i]), Tone: "bad"}
			continue
		}
		if r.repeats = seen.add(*r); r.repeats > 0 {
			r.outcome = req.repeated(r.repeats)
			continue
		}
		r.outcome = cell{Text: req.texts.get("track.ready"), Tone: "good"}
		ready++
	}
	return ready, nil
}

func (req *request) repeated(line int) cell {
	return cell{Text: req.texts.get("track.repeated", line), Tone: "warn"}
}

// checkRows says what would happen to each number, and writes nothing.
func (req *request) checkRows(ctx context.Context, p *trackPage, rows []numberRow) (err error) {
	if p.Ready, err = req.judge(ctx, rows); err != nil {
		return err
	}
	for _, r := range rows {
		if r.repeats > 0 {
			p.Repeated = append(p.Repeated, repetition{r.line, r.repeats})
		}
	}
	p.Outcome = fill(req, numberColumns(req.texts), rows)
	return nil
}

// trackRows tracks the numbers once each, without the lines that were shown as repetitions. One
// that is refused does not affect the others.
func (req *request) trackRows(ctx context.Context, p *trackPage, rows []numberRow) error {
	content := p.Numbers + "\x00" + req.r.PostForm.Get("type")
	for i := range rows {
		above, err := strconv.Atoi(req.r.PostForm.Get("repeated." + strconv.Itoa(rows[i].line)))
		if err == nil && rows[i].outcome.Empty() {
			rows[i].outcome = req.repeated(above)
			content += "\x00" + strconv.Itoa(rows[i].line)
		}
	}
	fingerprint := sha256.Sum256([]byte(content))
	left, requests := open(rows)
	var results []tracking.BulkRequestResult
	if len(requests) > 0 {
		var err error
		results, err = req.t.CreateTrackingRequests(ctx, requests, tracking.Once{Key: p.Once, Fingerprint: hex.EncodeToString(fingerprint[:])})
		if err != nil {
			return err
		}
	}
	for i, r := range results {
		if r.Err != nil {
			left[i].outcome = cell{Text: sentence(r.Err), Tone: "bad"}
			continue
		}
		left[i].outcome = cell{Text: req.texts.get("track.done"), Tone: "good"}
	}
	p.Outcome, p.Done, p.Numbers, p.Once = fill(req, numberColumns(req.texts), rows), true, "", newToken()
	return nil
}

func numberColumns(c catalog) []column[numberRow] {
	return []column[numberRow]{
		{name: "row", numeric: true, cell: func(r numberRow) cell { return number(r.line) }},
		{name: "number", cell: func(r numberRow) cell { return text(r.request.Number) }},
		{name: "request_type", cell: func(r numberRow) cell { return text(c.word("request_type", string(r.request.Type))) }},
		{name: "scac", cell: func(r numberRow) cell {
			switch {
			case r.request.SCAC != "":
				return text(r.request.SCAC)
			case r.certain:
				return cell{Text: r.found, Note: c.get("track.found")}
			case r.found != "":
				return cell{Text: c.get("track.detect"), Note: c.get("track.probably", r.found)}
			}
			return text(c.get("track.detect"))
		}},
		{name: "ref_numbers", cell: func(r numberRow) cell { return joined(r.request.RefNumbers) }},
		{name: "outcome", cell: func(r numberRow) cell { return r.outcome }},
	}
}
