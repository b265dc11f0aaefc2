package tracking

import (
	"context"
	"hash/fnv"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/codec"
	"github.com/landfallhq/tracking/internal/exceptions"
	"github.com/landfallhq/tracking/store"
)

// NextMilestone is the milestone that is expected next of a container, as its documents show
// it: see docs/exceptions.md#what-should-have-happened-by-now. All is zero (null) while nothing
// is expected. Times are UTC.
type NextMilestone struct {
	Event          EventName `attr:"next_milestone,null"`                 // such as container.transport.vessel_arrived
	LocationLOCODE string    `attr:"next_milestone_location_locode,null"` // the UN/LOCODE where; also null where none is known
	// ExpectedAt is the time that a plan or an estimate has for it; zero (null) where it follows
	// from an earlier milestone alone.
	ExpectedAt time.Time `attr:"next_milestone_expected_at,null"`
	// DueAt is until when it should be reported.
	DueAt time.Time `attr:"next_milestone_due_at,null"`
	// Overdue: DueAt has passed, and it was not reported.
	Overdue bool `attr:"overdue"`
}

// nextMilestone is that of a container, and has its ID. It is a record of its own, because a
// container does not change when a milestone becomes overdue.
type nextMilestone struct {
	Meta
	NextMilestone
	// Former has the milestone in records of generation 1.
	Former *NextMilestone `private:"next"`
}

var nextMilestones = newKind("next_milestone", nil, nil, func(m *nextMilestone) {
	if m.Former != nil {
		m.NextMilestone, m.Former = *m.Former, nil
	}
}).InGeneration(2)

// nothingExpected is the document of no milestone.
var nothingExpected = nextMilestones.Write(&nextMilestone{}).Doc

// markOverdue is the mark of containers whose next milestone is overdue.
const markOverdue = "next.overdue"

// byOverdue adds the condition on overdue milestones of a query.
func (q *ContainerQuery) byOverdue(f *store.Filter) {
	if q.Overdue == Any {
		return
	}
	c := store.Cond{Name: markOverdue, Op: store.Marked, Values: []any{"true"}}
	if q.Overdue == No {
		c.Values = []any{nil}
	}
	f.Where = append(slices.Clip(f.Where), c)
}

// NextMilestones returns what is expected next of containers, by container; those of which
// nothing is expected are not there. Needs show.
func (x Exceptions) NextMilestones(ctx context.Context, containers ...ID) (map[ID]NextMilestone, error) {
	return readBeside(ctx, x.t, nextMilestones, containers, func(m *nextMilestone) (ID, NextMilestone) { return m.ID, m.NextMilestone })
}

// expectation is a next milestone to write. Without an event nothing is expected any more.
type expectation struct {
	*nextMilestone
	remark bool // whether it is overdue has changed
}

// expect notes what is expected next of the containers, for writeNextMilestones. The caller
// writes the shipment if changed.
func (d *draft) expect(found map[string]exceptions.Milestone, now time.Time) (changed bool) {
	former := d.ship.Exceptions.expected
	notes := make([]exceptionNote, 0, len(found))
	var form codec.Writer
	for i := range d.journey.Containers {
		number := d.journey.Containers[i].Number
		m, ok := found[number]
		if !ok {
			continue
		}
		next := &nextMilestone{Meta{ID: d.containerID(number)}, NextMilestone{m.Event, m.Place.LOCODE, m.At.Time, m.DueAt, !m.DueAt.After(now)}, nil}
		note := exceptionNote{id: next.ID, sum: next.sum(&form), open: next.Overdue}
		notes = append(notes, note)
		if !slices.Contains(former, note) {
			i := slices.IndexFunc(former, note.isOfSame)
			was := i >= 0 && former[i].open
			d.expected = append(d.expected, expectation{next, was != note.open})
		}
	}
	for _, note := range former {
		if !slices.ContainsFunc(notes, note.isOfSame) {
			d.expected = append(d.expected, expectation{&nextMilestone{Meta: Meta{ID: note.id}}, note.open})
		}
	}
	d.ship.Exceptions.expected = notes
	return len(d.expected) > 0
}

// sum stands for all that is shown. It writes it to w.
func (m *nextMilestone) sum(w *codec.Writer) uint64 {
	w.Bytes = w.Bytes[:0]
	w.Text(string(m.Event), m.LocationLOCODE)
	w.Time(m.ExpectedAt)
	w.Time(m.DueAt)
	h := fnv.New64a()
	h.Write(w.Bytes)
	return h.Sum64()
}

// writeNextMilestones writes what expect has noted. The containers are stored already.
func (d *draft) writeNextMilestones(tx *transaction) error {
	for _, m := range d.expected {
		var err error
		if m.Event == "" {
			err = ignoreNotFound(nextMilestones.Delete(tx, m.ID))
		} else {
			err = nextMilestones.Put(tx, m.nextMilestone)
		}
		if err != nil {
			return err
		}
		if !m.remark {
			continue
		}
		mark := store.Mark{Name: markOverdue, Counted: true}
		if m.Overdue {
			mark.Values = []string{"true"}
		}
		if err := tx.Records.Mark(tx, containers.Kind, m.ID, mark); err != nil {
			return err
		}
	}
	d.expected = nil
	return nil
}
