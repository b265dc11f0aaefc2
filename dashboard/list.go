package dashboard

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
)

func listRoutes() []route {
	return slices.Concat(
		listingRoutes("/shipments", shipmentListing), listingRoutes("/containers", containerListing),
		listingRoutes("/tracking-requests", trackingRequestListing), listingRoutes("/exceptions", exceptionListing),
		exceptionRoutes(), viewRoutes(),
	)
}

// listingRoutes are those of one list: its page, and its files.
func listingRoutes[R record](at string, l func(*request) (listing[R], error)) []route {
	return []route{
		{pattern: "GET " + at, permission: tracking.Show, serve: listed(l)},
		{pattern: "GET " + at + ".csv", permission: tracking.Show, serve: exported(l, typeCSV, ".csv", openCSV)},
		{pattern: "GET " + at + ".xlsx", permission: tracking.Show, serve: exported(l, typeXLSX, ".xlsx", openXLSX)},
	}
}

// listing is a list of one kind of records.
type listing[R record] struct {
	// noun is the path of the list, and the name of its texts.
	noun    string
	filters []filter
	columns []column[R]
	// upload: the page has a form for files.
	upload bool
	// rows reads a page. The chosen columns say which custom fields are needed.
	rows func(ctx context.Context, q *query, chosen []column[R], p tracking.Page) ([]R, int, error)
	// dates are what a calendar shows of a row; nil for a list without calendars.
	dates func(row R) []recordDate
	// sums are what the whole list adds up to; nil for none.
	sums func(ctx context.Context, q *query) ([]attribute, error)
	// frame adds what a list has besides its rows; nil for nothing.
	frame func(ctx context.Context, q *query, p *listPage) error
}

// listPage is what the template of lists shows.
type listPage struct {
	Noun    string
	Table   table
	Total   int
	Sums    []attribute
	Filters []filterView
	Active  []chip
	Columns []option
	// First and Last are the numbers of the rows of this page; Previous and Next are empty
	// where there is no such page.
	First, Last    int
	Previous, Next string
	// Start is page 1, for a page behind the last one; empty on others.
	Start     string
	CSV, XLSX string
	Sort      string
	Clear     string
	Views     []viewLink
	View      viewForm
	// ViewID is the view that the list was opened by; empty for none.
	ViewID    string
	Upload    *uploadForm
	Crumbs    []crumb
	Shortcuts []crumb
	// Notice is a sentence about the list as a whole.
	Notice string
	Pick   *pick
	// Bulk are the actions on rows; nil for none.
	Bulk *bulkForm
}

// refusedForms are the forms of a list that were refused.
type refusedForms struct {
	view viewForm
	bulk bulkForm
}

// pick is what can be done with chosen rows of a list, and with all that it finds.
type pick struct {
	Action, CSRF, Button string
	All, AllHref         string
}

// filterView is a filter with its value.
type filterView struct {
	Name, Label, Kind string
	Value, From, To   string
	Options           []option
}

// chip is a filter that is set, with the list without it.
type chip struct{ Label, Value, Without string }

// serveList shows a page of a list. A query in another form than the canonical one is
// redirected, so that an address can be kept and sent.
func serveList[R record](req *request, l listing[R]) error {
	given := req.r.URL.Query()
	if short := canonical(given); short.Encode() != given.Encode() {
		return req.redirect(req.link("/"+l.noun, short))
	}
	return renderList(req, l, http.StatusOK, given, refusedForms{})
}

// renderList shows a page of a list, with what was refused of its forms.
func renderList[R record](req *request, l listing[R], status int, given url.Values, f refusedForms) error {
	ctx := req.r.Context()
	view, err := req.shownView(ctx, l.noun, given)
	if err != nil {
		return err
	}
	q := &query{Values: given, texts: req.texts, now: req.now}
	l.check(q)
	values, actions := l.split()
	chosen := append(l.chosen(q), actions...)
	page := q.page()
	if err := q.err(); err != nil {
		return err
	}
	p := listPage{Noun: l.noun, Sort: q.Get(paramSort)}
	if l.upload {
		p.Upload = req.uploadForm(tracking.ID{})
	}
	for _, c := range values {
		p.Columns = append(p.Columns, option{c.name, headingOf(req, c), slices.ContainsFunc(chosen, func(x column[R]) bool { return x.name == c.name })})
	}
	// What is said about the list as a whole is of the moment at which its rows were read.
	read := func(ctx context.Context) error { return l.read(ctx, req, q, chosen, page, &p) }
	if l.sums != nil || l.frame != nil {
		err = req.t.Snapshot(ctx, read)
	} else {
		err = read(ctx)
	}
	if err != nil {
		return err
	}
	p.Filters, p.Active = l.filterViews(req, q), l.active(req, q)
	if err := p.addViews(ctx, req, given, view, f.view); err != nil {
		return err
	}
	if err := p.addBulk(ctx, req, given, f.bulk); err != nil {
		return err
	}
	return req.render(status, "list", cmp.Or(p.View.Shown, req.texts.get(l.noun+".title")), p)
}

// read reads a page of the list, and what is said about the list as a whole.
func (l listing[R]) read(ctx context.Context, req *request, q *query, chosen []column[R], at tracking.Page, p *listPage) error {
	rows, total, err := l.rows(ctx, q, chosen, at)
	if err := cmp.Or(q.err(), err); err != nil {
		return err
	}
	p.Table, p.Total = fill(req, chosen, rows), total
	for i, c := range chosen {
		p.Table.Columns[i] = l.sorting(req, q, c, p.Table.Columns[i])
	}
	p.paginate(req, l.noun, q, at, len(rows))
	if l.sums != nil {
		if p.Sums, err = l.sums(ctx, q); err != nil {
			return err
		}
	}
	if l.frame == nil {
		return nil
	}
	return l.frame(ctx, q, p)
}

// check refuses filters and orders that the list does not have.
func (l listing[R]) check(q *query) {
	q.check(l.filters)
	for _, o := range q.orders() {
		if !slices.ContainsFunc(l.columns, func(c column[R]) bool { return c.sort != "" && c.sort == o.Name }) {
			q.fail(q.texts.get("error.filter.value", clip(o.Name), paramSort))
		}
	}
}

// split returns the columns with values, and the actions.
func (l listing[R]) split() (values, actions []column[R]) {
	for _, c := range l.columns {
		if c.action {
			actions = append(actions, c)
		} else {
			values = append(values, c)
		}
	}
	return values, actions
}

// chosen returns the columns of the query, or those that are shown by themselves, without
// actions.
func (l listing[R]) chosen(q *query) []column[R] {
	values, actions := l.split()
	names := slices.DeleteFunc(q.list(paramColumns), func(name string) bool {
		return len(choose(actions, []string{name})) > 0
	})
	if len(names) == 0 {
		return slices.DeleteFunc(values, func(c column[R]) bool { return !c.shown })
	}
	if len(names) > len(l.columns) { // some are repeated, and each row costs as many cells
		q.fail(q.texts.get("error.columns"))
		return nil
	}
	list := choose(values, names)
	if len(list) != len(names) {
		q.fail(q.texts.get("error.columns"))
	}
	return list
}

// with returns the address of the list with another value of a parameter; empty removes it.
// It begins at the first page.
func with(req *request, noun string, q *query, pairs ...string) string {
	v := maps.Clone(q.Values)
	v.Del(paramPage)
	for i := 0; i < len(pairs); i += 2 {
		if v.Del(pairs[i]); pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return req.link("/"+noun, v)
}

// sorting adds the link that sorts by a column.
func (l listing[R]) sorting(req *request, q *query, c column[R], h heading) heading {
	if c.sort == "" {
		return h
	}
	next := c.sort
	switch q.Get(paramSort) {
	case c.sort:
		h.Sorted, next = "ascending", "-"+c.sort
	case "-" + c.sort:
		h.Sorted = "descending"
	}
	h.SortHref = with(req, l.noun, q, paramSort, next)
	return h
}

// paginate adds the pages before and after, and the exports.
func (p *listPage) paginate(req *request, noun string, q *query, at tracking.Page, rows int) {
	if rows > 0 {
		p.First = (at.Number-1)*at.Size + 1
		p.Last = p.First + rows - 1
	}
	if at.Number > 1 {
		p.Previous = with(req, noun, q, paramPage, strconv.Itoa(at.Number-1))
	}
	if p.Last < p.Total && rows > 0 {
		p.Next = with(req, noun, q, paramPage, strconv.Itoa(at.Number+1))
	}
	if rows == 0 && p.Total > 0 {
		p.Start = with(req, noun, q)
	}
	p.Clear = req.link("/" + noun)
	v := viewParameters(q.Values)
	p.CSV, p.XLSX = req.link("/"+noun+".csv", v), req.link("/"+noun+".xlsx", v)
}

// filterViews are the filters with their values.
func (l listing[R]) filterViews(req *request, q *query) []filterView {
	list := make([]filterView, 0, len(l.filters))
	for _, f := range l.filters {
		v := filterView{Name: f.name, Label: req.filterLabel(f), Kind: string(f.kind), Value: q.Get(f.name), From: q.Get(f.name + ".from"), To: q.Get(f.name + ".to")}
		given := q.list(f.name)
		for _, o := range req.texts.filterOptions(f) {
			o.Chosen = slices.Contains(given, o.Value)
			v.Options = append(v.Options, o)
		}
		list = append(list, v)
	}
	return list
}

func (req *request) filterLabel(f filter) string {
	return cmp.Or(f.label, req.texts.get("filter."+f.name))
}

// active are the filters that are set, also comparisons of custom fields, which only the
// address has.
func (l listing[R]) active(req *request, q *query) (chips []chip) {
	for _, name := range slices.Sorted(maps.Keys(q.Values)) {
		if slices.Contains([]string{paramSort, paramPage, paramSize, paramColumns, paramView}, name) {
			continue
		}
		c := chip{Label: name, Value: q.Get(name), Without: with(req, l.noun, q, name, "")}
		for _, f := range l.filters {
			rest, ok := strings.CutPrefix(name, f.name)
			if !ok || rest != "" && rest[0] != '.' {
				continue
			}
			c.Label = req.filterLabel(f)
			if rest != "" {
				c.Label += " " + req.texts.get("filter.end"+rest)
			}
			c.Value = req.texts.labelOf(f, q, name)
		}
		chips = append(chips, c)
	}
	return chips
}

// labelOf is the value of a filter as its options call it.
func (c catalog) labelOf(f filter, q *query, name string) string {
	options := c.filterOptions(f)
	if len(options) == 0 {
		return q.Get(name)
	}
	words := q.list(name)
	for i, w := range words {
		if o := slices.IndexFunc(options, func(o option) bool { return o.Value == w }); o >= 0 {
			words[i] = options[o].Label
		}
	}
	return strings.Join(words, ", ")
}

// flags are the options of a filter that is true or false.
func (c catalog) flags() []option {
	return []option{{Value: "true", Label: c.get("yes")}, {Value: "false", Label: c.get("no")}}
}

// listed is the page of a list.
func listed[R record](of func(*request) (listing[R], error)) func(*request) error {
	return func(req *request) error {
		l, err := of(req)
		if err != nil {
			return err
		}
		return serveList(req, l)
	}
}
