package tracking

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/internal/chargehistory"
	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// ImportCost is what lists of containers show of their charges, while the account has tariffs
// that fit, or tariffs and a reported last free day; Tariffs.Charges has the days. It is renewed at the midnights of the place that
// change it. Null is unknown.
type ImportCost struct {
	// Amount is owed until today, and Tomorrow what the next day adds, both in Currency, a code
	// of ISO 4217: of several currencies the first in alphabetical order. Empty (null) while no
	// total is known.
	Amount   string `attr:"import_cost_amount,null"`
	Currency string `attr:"import_cost_currency,null"`
	Tomorrow string `attr:"import_cost_tomorrow,null"`
	// Accruing reports whether a clock has run beyond its free time; nil (null) while no total
	// is known.
	Accruing *bool `attr:"import_cost_accruing"`
	// FreeTimeEndsOn is the earliest last free day of the clocks that run, a date at the place;
	// zero (null) while none is known.
	FreeTimeEndsOn freetime.Date `attr:"import_free_time_ends_on,null"`
	// Totals are the sums in each currency.
	Totals []freetime.Total `attr:"import_costs"`
}

// importCost is what was counted last for a container, and has its ID. It is a record of its
// own, because a container does not change when a day passes.
type importCost struct {
	Meta
	ImportCost
	// NextAt is when time alone changes it; zero for never.
	NextAt time.Time `private:"next_at"`
	// Former has the cost in records of generation 1.
	Former *ImportCost `private:"cost"`
	// HasTomorrow: the container has the mark of what tomorrow adds. Records of generation 2 have
	// none.
	HasTomorrow bool `private:"has_tomorrow"`
}

var importCosts = newKind("import_cost", nil, nil, func(c *importCost) {
	if c.Former != nil {
		c.ImportCost, c.Former = *c.Former, nil
	}
}).InGeneration(3)

// shownContainer is a container as it is shown at present.
type shownContainer struct {
	Container
	ImportCost
	NextMilestone
}

var shownContainers = record.For[shownContainer]("container")

// The marks of containers by which lists are filtered and sorted by their costs.
const (
	markCost         = "import.cost"
	markAccruing     = "import.accruing"
	markFreeTimeEnds = "import.free_time_ends"
	markTomorrow     = "import.tomorrow" // of those that tomorrow costs something
)

// costSorts are the marks of the orders by cost.
var costSorts = map[string]string{"cost": markCost, "cost_tomorrow": markTomorrow}

// marks are those of a cost. Costs are ordered by currency, then by amount: nothing says what
// one currency is in another.
func (c *ImportCost) marks() []store.Mark {
	marks := []store.Mark{{Name: markCost}, {Name: markAccruing, Counted: true}, {Name: markFreeTimeEnds, Counted: true}, {Name: markTomorrow, Counted: true}}
	if c.Currency != "" {
		marks[0].Values = []string{costMark(c.Currency, c.Amount)}
	}
	if c.Accruing != nil {
		marks[1].Values = []string{fmt.Sprint(*c.Accruing)}
	}
	if c.FreeTimeEndsOn.IsValid() {
		marks[2].Values = []string{c.FreeTimeEndsOn.String()}
	}
	for _, t := range c.Totals {
		if tomorrow, err := freetime.ParseMoney(t.Tomorrow, t.Currency); err == nil && tomorrow.Units() > 0 {
			marks[3].Values = []string{costMark(t.Currency, t.Tomorrow)}
			break
		}
	}
	return marks
}

// costMark is a value by which containers are ordered by an amount.
func costMark(currency, amount string) string { return currency + fmt.Sprintf("%24s", amount) }

// hasMark is the condition that a container has a mark, or has none.
func hasMark(name string, has Tri) []store.Cond {
	switch has {
	case Yes:
		return []store.Cond{{Name: name, Op: store.MarkedBetween, Values: []any{nil, nil}}}
	case No:
		return []store.Cond{{Name: name, Op: store.Marked, Values: []any{nil}}}
	}
	return nil
}

// byCost adds the conditions and the order by cost of a query.
func (q *ContainerQuery) byCost(f *store.Filter) {
	f.Where = slices.Clip(f.Where)
	if q.Removed == No && (q.Accruing != Any || q.FreeTimeEnds != (TimeRange{}) || q.CostsTomorrow == Yes || q.CostKnown == Yes) {
		// A container that has left its shipment costs nothing, so it has no marks. The number
		// of the marks alone is kept.
		f.Where = slices.DeleteFunc(slices.Clone(f.Where), func(c store.Cond) bool { return c.Name == "removed" })
	}
	if q.Accruing != Any {
		f.Where = append(f.Where, store.Cond{Name: markAccruing, Op: store.Marked, Values: []any{fmt.Sprint(q.Accruing == Yes)}})
	}
	if r := q.FreeTimeEnds; r != (TimeRange{}) {
		between := []any{nil, nil}
		if !r.From.IsZero() {
			between[0] = freetime.DateOf(r.From, time.UTC).String()
		}
		if !r.To.IsZero() {
			between[1] = freetime.DateOf(r.To, time.UTC).String() + "\x00"
		}
		f.Where = append(f.Where, store.Cond{Name: markFreeTimeEnds, Op: store.MarkedBetween, Values: between})
	}
	f.Where = slices.Concat(f.Where, hasMark(markTomorrow, q.CostsTomorrow), hasMark(markCost, q.CostKnown))
	f.Sort = slices.Clone(f.Sort)
	for i, o := range f.Sort {
		if mark, ok := costSorts[o.Name]; ok {
			f.Sort[i] = Order{Name: mark, Desc: o.Desc, Mark: true}
		}
	}
}

// Costs returns what lists show of the charges of containers, by container; those that no
// tariff fits are not there. Needs show.
func (f Tariffs) Costs(ctx context.Context, containers ...ID) (map[ID]ImportCost, error) {
	return readBeside(ctx, f.t, importCosts, containers, func(c *importCost) (ID, ImportCost) { return c.ID, c.ImportCost })
}

// SumCosts returns what the containers that q selects cost by now and what tomorrow adds, by
// currency in alphabetical order: currencies are never added up. Containers whose cost is not
// known are left out. Needs show.
func (f Tariffs) SumCosts(ctx context.Context, q ContainerQuery) ([]freetime.Total, error) {
	if err := f.t.allow(Show); err != nil {
		return nil, err
	}
	if q.CostKnown == Any {
		q.CostKnown = Yes
	}
	return viewing(ctx, f.t.engine, f.t.actor.Account, func(tx *transaction) ([]freetime.Total, error) {
		found, _, err := q.list(tx, Page{}, nil)
		if err != nil {
			return nil, err
		}
		ids := make([]ID, 0, len(found))
		for _, r := range found {
			ids = append(ids, r.ID)
		}
		costs, err := importCosts.GetMany(tx, ids)
		var totals []freetime.Total
		for _, c := range costs {
			totals = append(totals, c.Totals...)
		}
		return freetime.AddTotals(totals), err
	})
}

// costDocuments returns the costs of containers as documents, if the account has tariffs.
func costDocuments(tx *transaction, containers []ID) (map[ID][]byte, error) {
	if len(containers) == 0 {
		return nil, nil
	}
	if version, _, err := tx.tariffsVersion(); err != nil || version == 0 {
		return nil, err
	}
	return documentsOf(tx, importCosts.Kind, containers)
}

// writeCosts counts the containers of a stored shipment and writes what has changed.
func writeCosts(tx *transaction, d *draft, s *Shipment, list []*Container) error {
	counted, err := countCosts(tx, d, s, list)
	if err != nil {
		return err
	}
	return counted.write(tx, s)
}

// importCostsOf are what was counted for the containers of a shipment.
type importCostsOf []*importCost

// countCosts counts the containers of a shipment. An account without tariffs has no costs.
func countCosts(tx *transaction, d *draft, s *Shipment, list []*Container) (importCostsOf, error) {
	if tx.ledger.Tariffs == 0 || len(list) == 0 {
		return nil, nil
	}
	tariffs, err := tx.accountTariffs()
	if err != nil {
		return nil, err
	}
	counted := make(importCostsOf, len(list))
	facts := d.chargeFacts()
	for i, c := range list {
		if counted[i], err = countCost(tx, d, facts, s, c, tariffs); err != nil {
			return nil, err
		}
	}
	return counted, nil
}

// note notes in the shipment what was counted, and returns it if it differs from what the
// shipment remembers: else the costs are stored already. The job that counts again does not write
// the shipment, but whatever makes it count otherwise is in the sum too: the tariffs and NextAt.
func (l importCostsOf) note(tx *transaction, s *Shipment) importCostsOf {
	if l == nil {
		return nil
	}
	h := fnv.New64a()
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(tx.ledger.Tariffs)))
	for _, c := range l {
		w := importCosts.Write(c)
		h.Write(c.ID[:])
		h.Write(w.Doc)
		h.Write(w.Private)
	}
	sum := int64(h.Sum64())
	if sum == s.CostSum {
		return nil
	}
	s.CostSum = sum
	return l
}

// write writes the costs that have changed, and enqueues the job that counts them again when time
// alone changes them: also if none has changed, because that job may have ended just now.
func (l importCostsOf) write(tx *transaction, s *Shipment) error {
	if l == nil {
		return nil
	}
	ids := make([]ID, len(l))
	for i, c := range l {
		ids[i] = c.ID
	}
	found, err := tx.Records.GetMany(tx, importCosts.Kind, ids, make([]store.Record, 0, len(ids)))
	if err != nil {
		return err
	}
	var next time.Time
	for _, counted := range l {
		var former store.Record
		if i := slices.IndexFunc(found, func(r store.Record) bool { return r.ID == counted.ID }); i >= 0 {
			former = found[i]
		}
		if err := counted.replace(tx, former); err != nil {
			return err
		}
		next = earliest(next, counted.NextAt)
	}
	if next.IsZero() {
		return nil
	}
	return tx.enqueueBy(store.Job{ID: table.NamedID("job/costs", s.ID.String()), Kind: jobCosts, Ref: s.ID, Due: next})
}

// countCost counts one container. The cost of a container that has left its shipment, and of
// one that no tariff fits and no last free day was reported for, has nil Totals.
func countCost(tx *transaction, d *draft, facts []chargehistory.Fact, s *Shipment, c *Container, tariffs *accountTariffs) (*importCost, error) {
	counted := &importCost{Meta: Meta{ID: c.ID}, HasTomorrow: true}
	j := d.journeyOf(c.Number)
	if j == nil || c.removed() {
		return counted, nil
	}
	b := &billed{tx: tx, tariffs: tariffs, facts: d.facts, history: chargeHistory(tx, facts, c, s, j)}
	ledgers, err := b.ledgers(tx.Now)
	if err != nil {
		return counted, err
	}
	sum := freetime.Add(ledgers)
	if !b.fits && !sum.FreeTimeEndsOn.IsValid() {
		return counted, nil
	}
	counted.ImportCost = ImportCost{FreeTimeEndsOn: sum.FreeTimeEndsOn, Totals: sum.Totals}
	if sum.Known {
		counted.Accruing = &sum.Accruing
		first := sum.Totals[0]
		counted.Amount, counted.Currency, counted.Tomorrow = first.Amount, first.Currency, first.Tomorrow
	}
	for i := range ledgers {
		counted.NextAt = earliest(counted.NextAt, ledgers[i].ChangesAt(b.zones[i], tx.Now))
	}
	return counted, nil
}

// replace writes the cost in place of the stored one, whose record is zero if there is none.
func (c *importCost) replace(tx *transaction, stored store.Record) (err error) {
	none := c.Totals == nil
	w := importCosts.Write(c)
	if stored.Version == 0 && none || !none && bytes.Equal(w.Doc, stored.Doc) && bytes.Equal(w.Private, stored.Private) {
		return nil
	}
	former := &importCost{}
	if stored.Version > 0 {
		if former, err = importCosts.Decode(stored); err != nil {
			return err
		}
	}
	if none {
		err = importCosts.Delete(tx, c.ID)
	} else {
		c.Version = stored.Version
		err = importCosts.PutOver(tx, stored, c)
	}
	if err != nil {
		return err
	}
	was := former.marks()
	if !former.HasTomorrow {
		was[3].Values = nil
	}
	for i, m := range c.marks() {
		if slices.Equal(m.Values, was[i].Values) {
			continue
		}
		if err := tx.Records.Mark(tx, containers.Kind, c.ID, m); err != nil {
			return err
		}
	}
	return nil
}

// renewCosts counts the containers of a shipment again: a day has passed at their place.
func (t *Tracker) renewCosts(ctx context.Context, j store.Job) error {
	return t.update(ctx, j.Account, func(tx *transaction) error {
		if err := tx.Records.Finish(tx, j); err != nil {
			return err
		}
		return recountShipment(tx, j.Ref)
	})
}

// recountShipment counts the containers of a stored shipment.
func recountShipment(tx *transaction, id ID) error {
	s, err := readWithContainers(tx, id)
	if err != nil {
		return ignoreNotFound(err)
	}
	l := &pastView{tx: tx, second: tx.Now}
	if err := l.open(s.Shipment); err != nil {
		return err
	}
	return writeCosts(tx, l.then, s.Shipment, s.containers)
}

// tariffsChanged notes that the tariffs of the account are others, and enqueues the job that
// counts the containers again.
func tariffsChanged(tx *transaction) error {
	if tx.ledger.Tariffs == tx.ledger.read.tariffs {
		tx.ledger.Tariffs++
	}
	return enqueueRecount(tx)
}

// enqueueRecount enqueues the job that counts the costs of the account again.
func enqueueRecount(tx *transaction) error {
	return tx.enqueue(store.Job{ID: table.NamedID("job/recount", ""), Kind: jobRecount, Ref: ledgerID, Due: tx.Now})
}

// The sizes of the pages and transactions of inBatches.
const (
	reviewedPage  = 500
	reviewedBatch = 20
)

// recountCosts counts the containers of all shipments that the tariffs concern. When tariffs
// change meanwhile the job is replaced, and this run of it ends.
func (t *Tracker) recountCosts(ctx context.Context, j store.Job) error {
	return t.inBatches(ctx, j, recountBatchOf)
}

// inBatches runs fn for all shipments, page by page from the first created on the last page,
// like rerenderFields, and ends the job.
func (t *Tracker) inBatches(ctx context.Context, j store.Job, fn func(*transaction, []*Shipment) error) error {
	page := func(p Page) (list []*Shipment, total int, err error) {
		w := ShipmentQuery{WithRemoved: true}.where()
		w.Sort = []Order{{}}
		err = t.view(ctx, j.Account, func(tx *transaction) error {
			list, total, err = shipments.List(tx, w, p)
			return err
		})
		return list, total, err
	}
	_, total, err := page(Page{Number: 1, Size: 1})
	if err != nil {
		return err
	}
	for number := (total + reviewedPage - 1) / reviewedPage; number > 0; number-- {
		list, _, err := page(Page{Number: number, Size: reviewedPage})
		if err != nil {
			return err
		}
		for batch := range slices.Chunk(list, reviewedBatch) {
			if err := t.step(ctx, j, func(tx *transaction) error { return fn(tx, batch) }); err != nil {
				return err
			}
		}
	}
	return t.update(ctx, j.Account, func(tx *transaction) error { return tx.Records.Finish(tx, j) })
}

func recountBatchOf(tx *transaction, list []*Shipment) error {
	tariffs, err := tx.accountTariffs()
	if err != nil {
		return err
	}
	for _, s := range list {
		concerned, err := tariffs.concern(tx, s)
		if err == nil && concerned {
			err = recountShipment(tx, s.ID)
		}
		if err == nil && concerned && s.Exceptions.comparedSum != 0 { // invoices may be right now
			err = compareDocumentsOf(tx, []ID{s.ID})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// concern reports whether a tariff can fit a container of the shipment, or one has a cost or a
// reported last free day.
func (t *accountTariffs) concern(tx *transaction, s *Shipment) (bool, error) {
	line := s.ShippingLineSCAC
	if known, ok := tx.engine.line(line); ok {
		line = known.SCAC
	}
	for _, list := range t.byClock {
		if slices.ContainsFunc(list, func(t freetime.Tariff) bool { return cmp.Or(t.Line, line) == line }) {
			return true, nil
		}
	}
	found, err := importCosts.GetMany(tx, s.Containers)
	if err != nil || len(found) > 0 {
		return err == nil, err
	}
	list, err := containers.GetMany(tx, s.Containers)
	return slices.ContainsFunc(list, func(c *Container) bool { return !c.PickupLFD.IsZero() }), err
}

// earliest returns the earlier of two times; zero is none.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
