package tracking

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/refdata"
)

// Tariff is what one clock of free time costs an account: its scope, its free days and its
// charges (see docs/freetime.md).
type Tariff struct {
	Meta
	freetime.Terms
	CreatedAt time.Time `attr:"created_at"` // UTC
	UpdatedAt time.Time `attr:"updated_at"` // when it last changed, UTC
}

// setUpdatedAt is called by Put when the record has changed.
func (t *Tariff) setUpdatedAt(at time.Time) { t.UpdatedAt = at }

var tariffs = newKind("tariff", []column[Tariff]{
	table.TextColumn("clock", func(t *Tariff) string { return string(t.Clock) }),
	table.TextColumn("scac", func(t *Tariff) string { return t.ShippingLineSCAC }),
	table.TextColumn("locode", func(t *Tariff) string { return t.LocationLOCODE }),
	table.TextColumn("terminal_code", func(t *Tariff) string { return t.TerminalCode }),
	table.TextColumn("valid_from", func(t *Tariff) string { return t.ValidFrom.String() }),
	table.TimeColumn("updated_at", func(t *Tariff) time.Time { return t.UpdatedAt }),
}, nil, nil)

// tariffQuery selects tariffs.
type tariffQuery struct {
	of freetime.Filter
	// updated selects by the time of the last change.
	updated TimeRange
	// sort is by created_at, updated_at or valid_from; last created first by default.
	// Tariffs without a first day come last.
	sort []Order
}

func (q tariffQuery) resourceType() *table.Schema { return tariffs.Schema }
func (q tariffQuery) filter() store.Filter        { w := q.where(); return w.Filter(tariffs) }

// check refuses a sort by another name.
func (q tariffQuery) check(*engine) error {
	for _, o := range q.sort {
		if !slices.Contains([]string{"created_at", "updated_at", "valid_from"}, o.Name) {
			return badQuery("sort", "tariffs cannot be sorted by '%s': created_at, updated_at and valid_from are allowed", o.Name)
		}
	}
	return nil
}

func (q tariffQuery) where() where[Tariff] {
	w := where[Tariff]{Sort: creationOrder(q.sort)}
	w.Text("clock", textsOf(q.of.Clocks), func(t *Tariff) string { return string(t.Clock) })
	w.Text("scac", q.of.Lines, func(t *Tariff) string { return t.ShippingLineSCAC })
	w.Text("locode", q.of.Places, func(t *Tariff) string { return t.LocationLOCODE })
	w.Text("terminal_code", q.of.Terminals, func(t *Tariff) string { return t.TerminalCode })
	w.Times("updated_at", q.updated.From, q.updated.To, func(t *Tariff) time.Time { return t.UpdatedAt })
	return w
}

// maxTariffs is the most that an account can have.
const maxTariffs = 2_000

// Tariffs has the operations on the tariffs of an account: see [Tracker.Tariffs].
type Tariffs struct{ t *Tracker }

// Tariffs returns the tariffs of the account: Get, List, All, Create, Update, Delete and
// Import are its operations.
func (t *Tracker) Tariffs() Tariffs { return Tariffs{t} }

// Get returns one tariff. Needs show. Errors: NotFound.
func (f Tariffs) Get(ctx context.Context, id ID) (*Tariff, error) {
	return get(ctx, f.t, tariffs, id)
}

// List returns a page of tariffs and their total number. Needs show. Errors: BadQuery on
// sort.
func (f Tariffs) List(ctx context.Context, of freetime.Filter, updated TimeRange, sort []Order, p Page) ([]*Tariff, int, error) {
	return list(ctx, f.t, tariffs, f.Query(of, updated, sort), p)
}

// Query selects tariffs by what they state and by the time of their last change. The order
// is by created_at, updated_at or valid_from; the last created comes first by default, and
// tariffs without a first day last. It is for Rendered.List.
func (Tariffs) Query(of freetime.Filter, updated TimeRange, sort []Order) Query {
	return tariffQuery{of, updated, sort}
}

// All returns the terms of all tariffs, in order of creation: what Import takes. Needs show.
func (f Tariffs) All(ctx context.Context) ([]freetime.Terms, error) {
	if err := f.t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, f.t.engine, f.t.actor.Account, func(tx *transaction) ([]freetime.Terms, error) {
		stored, err := allTariffs(tx)
		terms := make([]freetime.Terms, len(stored))
		for i, t := range stored {
			terms[i] = t.Terms
			terms[i].Weekend = append([]string{}, t.Weekend...) // none, and not the default
		}
		return terms, err
	})
}

// allTariffs returns all tariffs of the account, in order of creation.
func allTariffs(tx *transaction) ([]*Tariff, error) {
	return tariffs.All(tx, where[Tariff]{Sort: []Order{{}}})
}

// Create adds a tariff. Alternative SCACs and UN/LOCODEs become the primary ones. Needs
// admin.
//
// Errors: Invalid on each member that is not allowed (invalid), with the code overlaps and
// the ID of the other tariff, tariff_id, in Meta if another one has its clock, its scope
// and a day; and with the code too_many if the account has 2,000.
func (f Tariffs) Create(ctx context.Context, terms freetime.Terms, once ...Once) (*Tariff, error) {
	if err := f.t.allow(Admin); err != nil {
		return nil, err
	}
	if err := f.t.settleTerms(&terms).or(); err != nil {
		return nil, err
	}
	return createOnce(ctx, f.t, once, tariffs, func(tx *transaction) (*Tariff, error) {
		made := &Tariff{Terms: terms, CreatedAt: tx.Now}
		if err := tariffs.Put(tx, made); err != nil {
			return nil, err
		}
		return made, checkAllTariffs(tx, made.ID)
	})
}

// Update changes a tariff to what change makes of its terms; change may be called more than
// once. version is that of the tariff, or 0 for any. Needs admin. Errors as Create, and
// NotFound, Stale.
func (f Tariffs) Update(ctx context.Context, id ID, version int64, change func(*freetime.Terms) error) (*Tariff, error) {
	if err := f.t.allow(Admin); err != nil {
		return nil, err
	}
	return updateFound(ctx, f.t, "tariff.update", version, withID(tariffs, id), func(tx *transaction, t *Tariff) error {
		if err := change(&t.Terms); err != nil {
			return err
		}
		if err := f.t.settleTerms(&t.Terms).or(); err != nil {
			return err
		}
		if err := tariffs.Put(tx, t); err != nil {
			return err
		}
		return checkAllTariffs(tx, t.ID)
	})
}

// Delete deletes a tariff. Needs admin. Errors: NotFound.
func (f Tariffs) Delete(ctx context.Context, id ID) error {
	if err := f.t.allow(Admin); err != nil {
		return err
	}
	return f.t.changeOwn(ctx, "tariff.delete", func(tx *transaction) error {
		if err := tariffs.Delete(tx, id); err != nil {
			return asNotFound(err)
		}
		return tariffsChanged(tx)
	})
}

// Import adds tariffs, all or none. With replace the account has these tariffs and no
// others afterwards: those that it has already stay as they are, and the others are
// deleted. Needs admin.
//
// Errors as Create, with the Field in the form tariffs[2].free_days; the Detail names the
// row, of which the first is 1, and the column.
func (f Tariffs) Import(ctx context.Context, list []freetime.Terms, replace bool, once ...Once) (done freetime.Imported, err error) {
	if list, err = f.settleImport(list); err != nil {
		return done, err
	}
	err = f.t.changeOwn(ctx, "tariff.import", func(tx *transaction) error {
		done, _, err = remembered(tx, once, "tariff_import", func() (freetime.Imported, error) { return importTariffs(tx, list, replace) })
		return err
	})
	return done, err
}

// CheckImport returns what Import would do, and its errors, and changes nothing. Needs admin.
func (f Tariffs) CheckImport(ctx context.Context, list []freetime.Terms, replace bool) (done freetime.Imported, err error) {
	if list, err = f.settleImport(list); err != nil {
		return done, err
	}
	checked := errors.New("tracking: the import is not committed")
	err = f.t.update(ctx, f.t.actor.Account, func(tx *transaction) error {
		if done, err = importTariffs(tx, list, replace); err != nil {
			return err
		}
		return checked
	})
	if errors.Is(err, checked) {
		err = nil
	}
	return done, err
}

// settleImport checks the rows of an import each by itself.
func (f Tariffs) settleImport(list []freetime.Terms) ([]freetime.Terms, error) {
	if err := f.t.allow(Admin); err != nil {
		return nil, err
	}
	list = slices.Clone(list)
	var faults Errors
	for i := range list {
		faults = append(faults, ofRow(i, f.t.settleTerms(&list[i]))...)
	}
	return list, faults.or()
}

func importTariffs(tx *transaction, list []freetime.Terms, replace bool) (done freetime.Imported, err error) {
	old, err := allTariffs(tx)
	if err != nil {
		return done, err
	}
	rows := map[ID]int{} // of the tariffs of the list
	if replace {
		if done.Deleted, err = deleteOthers(tx, old, list, rows); err != nil {
			return done, err
		}
		done.Kept = len(rows)
	}
	kept := map[int]bool{}
	for _, row := range rows {
		kept[row] = true
	}
	for row, terms := range list {
		if kept[row] {
			continue
		}
		made := &Tariff{Terms: terms, CreatedAt: tx.Now}
		if err := tariffs.Put(tx, made); err != nil {
			return done, err
		}
		rows[made.ID] = row
		done.Created++
	}
	if err := checkTariffs(tx, rows); err != nil || done.Created+done.Deleted == 0 {
		return done, err
	}
	return done, tariffsChanged(tx)
}

// deleteOthers deletes the tariffs that are not in a list, and notes the rows of the others.
func deleteOthers(tx *transaction, old []*Tariff, list []freetime.Terms, rows map[ID]int) (deleted int, err error) {
	taken := map[int]bool{}
	for _, t := range old {
		row := slices.IndexFunc(list, func(terms freetime.Terms) bool { return sameTerms(terms, t.Terms) })
		if row >= 0 && !taken[row] {
			taken[row], rows[t.ID] = true, row
			continue
		}
		if err := tariffs.Delete(tx, t.ID); err != nil {
			return deleted, err
		}
		deleted++
	}
	return deleted, nil
}

// sameTerms reports whether terms are the same, where an empty list is as none.
func sameTerms(a, b freetime.Terms) bool {
	for _, list := range []*freetime.Terms{&a, &b} {
		list.Weekend, list.Holidays = append([]string{}, list.Weekend...), append([]freetime.Holiday{}, list.Holidays...)
		list.ExtraWorkingDays, list.HoldsThatCount = append([]freetime.Date{}, list.ExtraWorkingDays...), append([]string{}, list.HoldsThatCount...)
	}
	return reflect.DeepEqual(a, b)
}

// checkAllTariffs refuses a written tariff that overlaps another, or is one too many. If it
// was changed, the containers are counted again.
func checkAllTariffs(tx *transaction, written ID) error {
	if err := checkTariffs(tx, map[ID]int{written: -1}); err != nil || !tx.Wrote {
		return err
	}
	return tariffsChanged(tx)
}

// checkTariffs refuses written tariffs that overlap others, or are too many. written has
// the rows of an import, or -1 for the only one.
func checkTariffs(tx *transaction, written map[ID]int) error {
	all, err := allTariffs(tx)
	if err != nil {
		return err
	}
	if len(all) > maxTariffs {
		return &Error{Kind: Invalid, Code: "too_many", Detail: fmt.Sprintf("%d tariffs are too many: an account can have %d", len(all), maxTariffs)}
	}
	// Those that were there come first: an overlap names the earlier one of the list.
	slices.SortStableFunc(all, func(a, b *Tariff) int { return boolOrder(hasKey(written, a.ID), hasKey(written, b.ID)) })
	list := make([]freetime.Tariff, len(all))
	for i, t := range all {
		if list[i], err = t.Terms.Tariff(holidayCalendar); err != nil {
			return fmt.Errorf("tracking: the stored tariff %s: %w", t.ID, err)
		}
	}
	var faults Errors
	for _, err := range joinedErrors(freetime.CheckTariffs(list)) {
		if fault := overlapOf(all, written, err); fault != nil {
			faults = append(faults, fault)
		}
	}
	return faults.or()
}

func hasKey[K comparable, V any](m map[K]V, key K) bool { _, has := m[key]; return has }

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// overlapOf returns the error about a tariff that overlaps an earlier one.
func overlapOf(all []*Tariff, written map[ID]int, err error) *Error {
	var row *freetime.RowError
	var overlap *freetime.OverlapError
	if !errors.As(err, &row) || !errors.As(err, &overlap) {
		return nil
	}
	other := all[overlap.Row]
	e := &Error{Kind: Invalid, Code: "overlaps", Meta: map[string]any{"tariff_id": other.ID.String()}}
	day := "from ever"
	if overlap.Day.IsValid() {
		day = "on " + overlap.Day.String()
	}
	name := other.ID.String()
	if other.Name != "" {
		name += fmt.Sprintf(" (%q)", other.Name)
	}
	if earlier, imported := written[other.ID]; imported {
		name = fmt.Sprintf("row %d", earlier+1)
		e.Meta = map[string]any{"row": earlier + 1}
	}
	e.Detail = fmt.Sprintf("overlaps the tariff %s: it has the same clock and scope, and both are valid %s; end one of them before the other begins, or state another scope", name, day)
	if at := written[all[row.Row].ID]; at >= 0 {
		return ofRow(at, Errors{e})[0]
	}
	return e
}

// joinedErrors returns the errors that errors.Join has joined.
func joinedErrors(err error) []error {
	if joined, is := err.(interface{ Unwrap() []error }); is {
		return joined.Unwrap()
	}
	return nil
}

// ofRow makes errors about terms those of a row of an import, counted from 0.
func ofRow(row int, faults Errors) Errors {
	for _, e := range faults {
		at := fmt.Sprintf("row %d", row+1)
		if e.Field != "" {
			at += ", column " + e.Field
		}
		e.Detail = at + ": " + e.Detail
		e.Field = strings.TrimSuffix(fmt.Sprintf("tariffs[%d].%s", row, e.Field), ".")
	}
	return faults
}

// settleTerms checks terms, and makes their codes the primary ones.
func (e *engine) settleTerms(terms *freetime.Terms) (faults Errors) {
	terms.Name, terms.TerminalCode = strings.TrimSpace(terms.Name), strings.ToUpper(strings.TrimSpace(terms.TerminalCode))
	terms.LocationLOCODE, terms.ShippingLineSCAC = strings.ToUpper(strings.TrimSpace(terms.LocationLOCODE)), strings.ToUpper(strings.TrimSpace(terms.ShippingLineSCAC))
	terms.Currency, terms.HolidayCalendar = strings.ToUpper(terms.Currency), strings.ToUpper(strings.TrimSpace(terms.HolidayCalendar))
	if line, known := e.line(terms.ShippingLineSCAC); known {
		terms.ShippingLineSCAC = line.SCAC
	} else if terms.ShippingLineSCAC != "" {
		faults = append(faults, invalid("shipping_line_scac", "inclusion", "'%s' is no SCAC of a shipping line that is known: GET /shipping_lines lists them; null is allowed, for every line", terms.ShippingLineSCAC))
	}
	if port, known := e.config.Reference.Port(terms.LocationLOCODE); known {
		terms.LocationLOCODE = port.Code
	}
	_, err := terms.Tariff(holidayCalendar)
	for _, err := range joinedErrors(err) {
		var fault *freetime.FieldError
		if errors.As(err, &fault) {
			faults = append(faults, invalid(fault.Field, "invalid", "%s", fault.Problem))
		}
	}
	return faults
}

// holidayCalendar returns the public holidays of a country from the reference data.
func holidayCalendar(country string) (c freetime.Calendar, known bool) {
	for _, h := range refdata.Holidays(country) {
		day := freetime.DateOf(h.Date, time.UTC)
		if h.Working {
			c.WorkingDays = append(c.WorkingDays, day)
		} else {
			c.Holidays = append(c.Holidays, freetime.Holiday{Date: day, Name: h.Name})
		}
	}
	return c, len(c.Holidays) > 0
}
