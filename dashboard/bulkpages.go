package dashboard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/landfallhq/tracking"
)

// bulkForm is how an action is chosen for rows of a list.
type bulkForm struct {
	CSRF, Noun string
	// Parameters of the list, without the page.
	Parameters string
	Actions    []option
	// Fields are the actions that set a custom field.
	Fields  []option
	All     string
	Problem string
	// ids are the rows that were ticked.
	ids []string
}

// addBulk adds the form of the actions on rows to a list. f has what was refused.
func (p *listPage) addBulk(ctx context.Context, req *request, given url.Values, f bulkForm) error {
	entity := bulkEntities[p.Noun]
	if entity == "" || !req.can(tracking.Update) || p.Total == 0 && f.Problem == "" {
		return nil
	}
	fields, err := req.definedFields(ctx, entity)
	if err != nil {
		return err
	}
	f.CSRF, f.Noun, f.Parameters = req.sessions.GetString(ctx, sessionCSRF), p.Noun, viewParameters(given).Encode()
	chosen := req.r.PostForm.Get("action")
	for _, name := range bulkActions[p.Noun] {
		f.Actions = append(f.Actions, option{Value: name, Label: req.texts.get("bulk." + name), Chosen: name == chosen})
	}
	for _, d := range fields {
		name := fieldPrefix + d.APISlug
		f.Fields = append(f.Fields, option{Value: name, Label: req.texts.get("bulk.field", d.DisplayName), Chosen: name == chosen})
	}
	f.All = req.texts.get("bulk.all", req.texts.count(p.Noun+".count", p.Total))
	p.Table.Pick, p.Bulk = true, &f
	for i := range p.Table.Rows {
		p.Table.Rows[i].Chosen = slices.Contains(f.ids, p.Table.Rows[i].ID)
	}
	return nil
}

// chooseBulk keeps an action with the records that it is about, and shows what would be done.
func chooseBulk(req *request) error {
	form := req.r.PostForm
	given, err := req.sentParameters()
	if err != nil {
		return err
	}
	kept := keptBulk{Noun: form.Get("list"), Action: form.Get("action"), List: given.Encode()}
	if bulkEntities[kept.Noun] == "" {
		return req.notFound()
	}
	known := slices.Contains(bulkActions[kept.Noun], kept.Action)
	if slug, ok := strings.CutPrefix(kept.Action, fieldPrefix); ok {
		d, err := req.bulkField(kept.Noun, slug)
		if err != nil {
			return err
		}
		known = d != nil
	}
	problem := ""
	if !known {
		problem = req.texts.get("bulk.no_action")
	}
	if problem == "" {
		if kept.IDs, problem, err = req.bulkIDs(kept.Noun, given); err != nil {
			return err
		}
	}
	if problem != "" {
		return req.showListOf(kept.Noun, http.StatusUnprocessableEntity, given, refusedForms{bulk: bulkForm{Problem: problem, ids: form["id"]}})
	}
	id := newToken()
	if problem, err = req.keepRows("bulk", id, kept); err != nil {
		return err
	}
	if problem != "" {
		return req.showListOf(kept.Noun, http.StatusUnprocessableEntity, given, refusedForms{bulk: bulkForm{Problem: problem, ids: form["id"]}})
	}
	return req.redirect(req.link("/bulk-actions/" + id))
}

// bulkIDs are the records that a form has chosen: those that are ticked, or all that the list
// finds. problem says why there are none.
func (req *request) bulkIDs(noun string, given url.Values) (ids []tracking.ID, problem string, err error) {
	total := 0
	switch {
	case req.r.PostForm.Get("scope") != "all":
		for _, s := range req.r.PostForm["id"] {
			if id := parseID(s); id != (tracking.ID{}) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		if total = len(ids); total == 0 {
			return nil, req.texts.get("bulk.none_chosen"), nil
		}
	case noun == "shipments":
		ids, total, err = foundBy(req, shipmentListing, given)
	case noun == "containers":
		ids, total, err = foundBy(req, containerListing, given)
	default:
		ids, total, err = foundBy(req, trackingRequestListing, given)
	}
	switch {
	case err != nil:
		return nil, "", err
	case total > maxBulk:
		return nil, req.texts.get("bulk.many", grouped(total), grouped(maxBulk)), nil
	case total == 0:
		return nil, req.texts.get("list.none.filtered"), nil
	}
	return ids, "", nil
}

// foundBy returns the records that a list finds, on one snapshot, and how many they are.
func foundBy[R record](req *request, of func(*request) (listing[R], error), given url.Values) ([]tracking.ID, int, error) {
	l, err := of(req)
	if err != nil {
		return nil, 0, err
	}
	q := &query{Values: given, texts: req.texts, now: req.now}
	l.check(q)
	rows, total, err := l.rows(req.r.Context(), q, nil, tracking.Page{Number: 1, Size: maxBulk})
	if err := cmp.Or(q.err(), err); err != nil {
		return nil, 0, err
	}
	ids := make([]tracking.ID, 0, len(rows))
	for _, r := range rows {
		ids = append(ids, r.recordID())
	}
	return ids, total, nil
}

// bulkPage is an action on many records before and after it was confirmed.
type bulkPage struct {
	Crumbs []crumb
	// Back is the list that the records were chosen from.
	Back string
	// Count says how many records it is about.
	Count string
	// Input is what must be entered; nil for nothing.
	Input *input
	// Values are what is to be confirmed, or was, and Entered what they are called.
	Values, Entered []string
	// Ready: it can be confirmed, for Changes records.
	Ready   bool
	Button  string
	Changes int
	Left    int
	Refused int
	// Changed is what the records are called that are changed; empty before it is known.
	Changed string
	// Reasons are why records are not changed, each with how many they are.
	Reasons []attribute
	Table   table
	Work    workView
}

// showBulk shows what an action would do, or what it has done.
func showBulk(req *request) error {
	run, err := req.bulkRun(req.r.URL.Query())
	if err != nil {
		return err
	}
	return req.renderBulk(http.StatusOK, run, "")
}

func (req *request) renderBulk(status int, run bulkRun, problem string) error {
	ctx, c := req.r.Context(), req.texts
	path := "/bulk-actions/" + run.id
	list := url.Values{}
	if kept, err := url.ParseQuery(run.List); err == nil {
		list = kept
	}
	p := bulkPage{Count: c.count(run.Noun+".count", len(run.IDs)), Work: req.workView(run.id, path, len(run.IDs), tracking.Update)}
	p.Back = req.link("/"+run.Noun, list)
	p.Crumbs = []crumb{{c.get(run.Noun + ".title"), p.Back}}
	in, err := run.input(ctx, req)
	if err != nil {
		return err
	}
	var progress bulkProgress
	confirmed, err := req.kept("bulk-progress/"+run.id, &progress)
	if err != nil {
		return err
	}
	if confirmed {
		run.entered = progress.Entered
		p.Work.reached(req, len(progress.Results))
		err = p.showResults(ctx, req, run, progress.Results)
	} else {
		if p.Work.Allowed {
			p.Input = in
		}
		err = p.preview(ctx, req, run, problem)
	}
	if err != nil {
		return err
	}
	p.Values, p.Entered = run.entered, c.labelled(in, run.entered)
	return req.render(status, "bulk-action", run.label(c), p)
}

// labelled are values as the options of an input call them.
func (c catalog) labelled(in *input, values []string) []string {
	list := slices.Clone(values)
	for i := range list {
		if in == nil {
			break
		}
		if o := slices.IndexFunc(in.Options, func(o option) bool { return o.Value == list[i] }); o >= 0 {
			list[i] = in.Options[o].Label
		}
	}
	return list
}

// preview says what would be done to each record, and writes nothing.
func (p *bulkPage) preview(ctx context.Context, req *request, run bulkRun, problem string) (err error) {
	if run.given && problem == "" && p.Work.Allowed { // who may only look is refused the check
		if problem, err = run.problem(ctx, req); err != nil {
			return err
		}
	}
	if p.Input != nil {
		p.Input.Problem = problem
	}
	known := run.given && problem == ""
	records := make([]bulkRecord, 0, len(run.IDs))
	for _, id := range run.IDs {
		r, err := req.bulkRecordOrFault(ctx, run.Noun, id)
		if err != nil {
			return err
		}
		if known && r.result.Refused == "" {
			if r.result.Left, err = run.left(ctx, req, r); err != nil {
				return err
			}
		}
		records = append(records, r)
	}
	if known {
		p.count(records)
		p.Changed = req.texts.get("bulk.will." + run.kind())
		p.Ready = p.Changes > 0 && p.Work.Allowed
		p.Button = run.label(req.texts) + ": " + req.texts.count(run.Noun+".count", p.Changes)
	}
	slices.SortStableFunc(records, func(a, b bulkRecord) int { return cmp.Compare(a.result.order(), b.result.order()) })
	p.Table = fill(req, bulkColumns(known, p.Changed), records[p.Work.First-1:p.Work.Last])
	return nil
}

// bulkRecordOrFault reads a record. One that is not there any more is refused.
func (req *request) bulkRecordOrFault(ctx context.Context, noun string, id tracking.ID) (bulkRecord, error) {
	r, err := req.bulkRecord(ctx, noun, id)
	if page, logged := req.asPageError(err); err != nil && !logged && page.status == http.StatusNotFound {
		r.name, r.result.Refused, err = text(id.String()), page.sentence, nil
	}
	return r, err
}

// order puts what was not done first.
func (r bulkResult) order() int {
	switch {
	case r.Refused != "":
		return 0
	case r.Left != "":
		return 1
	}
	return 2
}

// count counts the records by what becomes of them.
func (p *bulkPage) count(records []bulkRecord) {
	reasons := map[string]int{}
	for _, r := range records {
		switch r.result.order() {
		case 0:
			p.Refused++
		case 1:
			p.Left++
		default:
			p.Changes++
			continue
		}
		reasons[r.result.Refused+r.result.Left]++
	}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		p.Reasons = append(p.Reasons, attribute{reason, number(reasons[reason])})
	}
}

// showResults says what has become of the records, and names those of the page.
func (p *bulkPage) showResults(ctx context.Context, req *request, run bulkRun, results []bulkResult) error {
	records := make([]bulkRecord, len(results))
	for i, r := range results {
		records[i] = bulkRecord{entity: tracking.Entity{ID: run.IDs[i]}, result: r}
	}
	p.count(records)
	p.Changed = req.texts.get("bulk.was." + run.kind())
	slices.SortStableFunc(records, func(a, b bulkRecord) int { return cmp.Compare(a.result.order(), b.result.order()) })
	records = records[min(p.Work.First-1, len(records)):min(p.Work.Last, len(records))]
	for i, r := range records {
		named, err := req.bulkRecordOrFault(ctx, run.Noun, r.entity.ID)
		if err != nil {
			return err
		}
		records[i].name = named.name
	}
	p.Table = fill(req, bulkColumns(true, p.Changed), records)
	return nil
}

// bulkColumns are those of the records of an action. changed says what becomes of one that is
// changed.
func bulkColumns(known bool, changed string) []column[bulkRecord] {
	list := []column[bulkRecord]{{name: "number", cell: func(r bulkRecord) cell { return r.name }}}
	if !known {
		return list
	}
	return append(list, column[bulkRecord]{name: "outcome", cell: func(r bulkRecord) cell {
		switch r.result.order() {
		case 0:
			return cell{Text: r.result.Refused, Tone: "bad"}
		case 1:
			return cell{Text: r.result.Left, Tone: "warn"}
		}
		return cell{Text: changed, Tone: "good"}
	}})
}

// input is what must be entered for the action; nil for nothing.
func (run *bulkRun) input(ctx context.Context, req *request) (*input, error) {
	if !run.hasInput() {
		return nil, nil //nolint:nilnil // there is none
	}
	in := &input{ID: "value", Name: "value", Label: req.texts.get("bulk.tags"), Kind: inputText, Value: strings.Join(run.entered, ", "), Hint: req.texts.get("bulk.tags.hint")}
	if run.field == nil {
		return in, nil
	}
	options, err := req.optionsOf(ctx, run.field)
	in.Label, in.Hint = run.field.DisplayName, req.texts.get("bulk.field.hint")
	switch {
	case run.field.DataType == tracking.EnumMultiField:
		in.Kind, in.Options = inputChoices, chosen(options, run.entered...)
	case len(options) > 0:
		in.Kind, in.Options = inputSelect, chosen(append([]option{{Label: req.texts.get("none")}}, options...), run.entered...)
	case run.field.DataType == tracking.DateField:
		in.Kind = inputDate
	}
	return in, err
}

// confirmBulk begins an action, or goes on after the program has ended in between. Sent again, it
// does nothing again.
func confirmBulk(req *request) error {
	run, err := req.bulkRun(req.r.PostForm)
	if err != nil {
		return err
	}
	var progress bulkProgress
	problem := ""
	err = req.work(run.id, func() error {
		found, err := req.kept("bulk-progress/"+run.id, &progress)
		if err != nil || found {
			return err
		}
		if problem, err = run.problem(req.r.Context(), req); err != nil {
			return err
		}
		if problem != "" {
			return &pageError{http.StatusUnprocessableEntity, problem}
		}
		progress.Entered = run.entered
		return req.keep("bulk-progress/"+run.id, progress)
	}, func(ctx context.Context) error {
		run.entered = progress.Entered
		return run.doAll(ctx, req, progress)
	})
	if problem != "" {
		return req.renderBulk(http.StatusUnprocessableEntity, run, problem)
	}
	if err != nil {
		return err
	}
	return req.redirect(req.link("/bulk-actions/" + run.id))
}

const (
	// bulkBatch is how many records are done before their results are stored.
	bulkBatch = 100
	// bulkWorkers is how many of them are done at a time: the store commits those together.
	bulkWorkers = 16
)

// doAll does the action to the records that are not done yet. One that was done when the program
// ended, before that was stored, is found done.
func (run *bulkRun) doAll(ctx context.Context, req *request, progress bulkProgress) error {
	for batch := range slices.Chunk(run.IDs[len(progress.Results):], bulkBatch) {
		results, err := run.doBatch(ctx, req, batch)
		progress.Results = append(progress.Results, results...)
		if err = errors.Join(err, req.keep("bulk-progress/"+run.id, progress)); err != nil {
			return err
		}
	}
	return nil
}

// doOne does the action to a record. A panic is a fault of it: workers have nobody else to catch it.
func (run *bulkRun) doOne(ctx context.Context, req *request, id tracking.ID) (r bulkResult, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("a panic at record %s: %v\n%s", id, fault, debug.Stack())
		}
	}()
	return run.do(ctx, req, id)
}

// doBatch does the action to some records, and returns the results of those before the first that
// could not be done.
func (run *bulkRun) doBatch(ctx context.Context, req *request, ids []tracking.ID) ([]bulkResult, error) {
	results, faults := make([]bulkResult, len(ids)), make([]error, len(ids))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(bulkWorkers, len(ids)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(ids)); i = next.Add(1) - 1 {
				results[i], faults[i] = run.doOne(ctx, req, ids[i])
			}
		})
	}
	workers.Wait()
	for i, err := range faults {
		if err != nil {
			return results[:i], err
		}
	}
	return results, nil
}
