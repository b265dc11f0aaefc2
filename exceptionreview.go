package tracking

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/codec"
	"github.com/landfallhq/tracking/internal/debounce"
	"github.com/landfallhq/tracking/internal/exceptions"
	"github.com/landfallhq/tracking/internal/schedule"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// exceptionState is what a shipment remembers of its exceptions, so that an update reads and
// writes none of those that stay as they are.
type exceptionState struct {
	notes     []exceptionNote
	estimates []exceptions.Estimate // of the last week, and the one before
	reviewAt  time.Time             // when its job is due, at the latest; zero for none
	expected  []exceptionNote       // of the next milestones, with the IDs of containers; open: overdue

	// discrepancies of its documents, and a sum of what they were compared with; 0 for a
	// shipment without documents.
	discrepancies []exceptions.Discrepancy
	comparedSum   uint64
}

// exceptionNote is for one record: a sum of what was found, and whether an announcement
// waits.
type exceptionNote struct {
	id          ID
	sum         uint64
	open, waits bool
}

// isOfSame reports whether both are for the same record.
func (n exceptionNote) isOfSame(o exceptionNote) bool { return n.id == o.id }

// exceptionForm is the version of the stored form of exceptionState. Form 1 has no next
// milestones, notes of forms 1 and 2 have no waits, and forms 1 to 3 have no discrepancies.
const exceptionForm = 4

// AppendBinary appends the stored form. It has no error.
func (s *exceptionState) AppendBinary(b []byte) ([]byte, error) {
	if len(s.notes) == 0 && len(s.estimates) == 0 && len(s.expected) == 0 && s.reviewAt.IsZero() && s.comparedSum == 0 {
		return b, nil
	}
	w := codec.Writer{Bytes: append(b, exceptionForm)}
	w.Time(s.reviewAt)
	appendNotes(&w, s.notes)
	w.Count(len(s.estimates))
	for _, e := range s.estimates {
		w.Time(e.LearnedAt)
		w.Time(e.At)
	}
	appendNotes(&w, s.expected)
	w.Bytes = binary.BigEndian.AppendUint64(w.Bytes, s.comparedSum)
	w.Count(len(s.discrepancies))
	for _, d := range s.discrepancies {
		w.Text(d.Key, d.Text)
		w.Flag(d.High)
		w.Time(d.OpenedAt)
	}
	return w.Bytes, nil
}

func appendNotes(w *codec.Writer, notes []exceptionNote) {
	w.Count(len(notes))
	for _, n := range notes {
		w.ID(n.id)
		w.Bytes = binary.BigEndian.AppendUint64(w.Bytes, n.sum)
		w.Flag(n.open)
		w.Flag(n.waits)
	}
}

var errExceptionForm = errors.New("this is not the stored form of what a shipment remembers of its exceptions")

// UnmarshalBinary reads what AppendBinary wrote.
func (s *exceptionState) UnmarshalBinary(data []byte) error {
	*s = exceptionState{}
	if len(data) == 0 {
		return nil
	}
	form := data[0]
	if form < 1 || form > exceptionForm {
		return errExceptionForm
	}
	r := codec.Reader{Rest: string(data[1:])}
	s.reviewAt = r.Time()
	s.notes = readNotes(&r, form)
	s.estimates = codec.Make[exceptions.Estimate](&r)
	for i := range s.estimates {
		s.estimates[i] = exceptions.Estimate{LearnedAt: r.Time(), At: r.Time()}
	}
	if form > 1 {
		s.expected = readNotes(&r, form)
	}
	if form > 3 {
		s.comparedSum = readSum(&r)
		s.discrepancies = codec.Make[exceptions.Discrepancy](&r)
		for i := range s.discrepancies {
			s.discrepancies[i] = exceptions.Discrepancy{Key: r.Text(), Text: r.Text(), High: r.Flag(), OpenedAt: r.Time()}
		}
	}
	if r.Bad || r.Rest != "" {
		return errExceptionForm
	}
	return nil
}

func readNotes(r *codec.Reader, form byte) []exceptionNote {
	notes := codec.Make[exceptionNote](r)
	for i := range notes {
		notes[i].id = r.ID()
		notes[i].sum = readSum(r)
		notes[i].open = r.Flag()
		notes[i].waits = form > 2 && r.Flag()
	}
	return notes
}

// readSum reads eight bytes.
func readSum(r *codec.Reader) (sum uint64) {
	if len(r.Rest) < 8 {
		r.Fail()
		return 0
	}
	sum = binary.BigEndian.Uint64([]byte(r.Rest[:8]))
	r.Rest = r.Rest[8:]
	return sum
}

// learn notes an estimate of the arrival that differs from the last.
func (s *exceptionState) learn(eta, now time.Time) {
	if n := len(s.estimates); n == 0 && eta.IsZero() || n > 0 && s.estimates[n-1].At.Equal(eta) {
		return
	}
	s.estimates = append(slices.Clip(s.estimates), exceptions.Estimate{LearnedAt: now, At: eta})
	week := now.AddDate(0, 0, -7)
	for len(s.estimates) > 1 && !s.estimates[1].LearnedAt.After(week) {
		s.estimates = s.estimates[1:]
	}
}

// reviewExceptions finds the exceptions of a shipment, writes those that have changed, and
// announces those that were opened or closed, as b decides. The caller writes the shipment if
// changed.
func (d *draft) reviewExceptions(tx *transaction, b *debounce.Debouncer) (changed bool, err error) {
	s := d.ship
	known := len(s.Exceptions.estimates)
	s.Exceptions.learn(s.PODETAAt, tx.Now)
	thresholds, err := tx.thresholdsInForce()
	if err != nil {
		return false, err
	}
	found := exceptions.Find(&exceptions.Shipment{
		Journey: &d.journey, Facts: d.derived, Estimates: s.Exceptions.estimates, Promise: exceptions.Promise{At: s.PromisedArrivalAt, MadeAt: s.PromisedSince}, HeardAt: s.HeardAt, Discrepancies: s.Exceptions.discrepancies, Stopped: s.stopped(),
	}, *thresholds, tx.Now)
	if err := d.compareAgain(tx); err != nil {
		return false, err
	}
	w := exceptionWriter{tx, d, b, found.ChangeAt}
	changed, err = w.writeAll(found.Exceptions)
	if err != nil {
		return false, err
	}
	changed = d.expect(found.Next, tx.Now) || changed
	return changed || len(s.Exceptions.estimates) != known, d.scheduleReview(tx, w.next)
}

// exceptionWriter writes the exceptions of a shipment.
type exceptionWriter struct {
	tx *transaction
	*draft
	debounce *debounce.Debouncer
	next     time.Time // when the clock changes something next; zero for never
}

// writeAll writes the records of what was found, if it differs from what the shipment
// remembers, and ends those that were not found any more. Those whose announcement waits are
// looked at again.
func (w *exceptionWriter) writeAll(found []exceptions.Exception) (changed bool, err error) {
	s := w.ship
	if len(found) == 0 && len(s.Exceptions.notes) == 0 {
		return false, nil
	}
	former := s.Exceptions.notes
	s.Exceptions.notes = make([]exceptionNote, 0, len(found)+len(former))
	for i := range found {
		e := &found[i]
		note := exceptionNote{sum: w.sumOfException(e), open: e.ClosedAt.IsZero()}
		if i := slices.IndexFunc(former, func(n exceptionNote) bool { return n.sum == note.sum }); i >= 0 {
			note.id = former[i].id // most stay as they are
		} else {
			note.id = exceptionID(s.ID, e)
		}
		differs, err := w.write(note, former, func(r *Exception) { w.fill(r, e) })
		if err != nil {
			return false, err
		}
		changed = changed || differs
	}
	for _, last := range former {
		if slices.ContainsFunc(s.Exceptions.notes, func(n exceptionNote) bool { return n.id == last.id }) {
			continue
		}
		differs, err := w.write(exceptionNote{id: last.id}, former, func(r *Exception) {
			if last.sum != 0 {
				w.end(r)
			}
		})
		if err != nil {
			return false, err
		}
		changed = changed || differs
	}
	return changed, nil
}

// write writes a record if its note differs from the former one, and notes it. It reports
// whether the notes differ.
func (w *exceptionWriter) write(note exceptionNote, former []exceptionNote, set func(*Exception)) (differs bool, err error) {
	announceAll := w.debounce.Differences && w.debounce.Mode == debounce.Announce
	if announceAll || !slices.Contains(former, note) {
		if note.waits, err = w.put(note.id, set); err != nil {
			return false, err
		}
	}
	w.ship.Exceptions.notes = append(w.ship.Exceptions.notes, note)
	return !slices.Contains(former, note), nil
}

// put writes a record, and announces that it was opened or closed. It reports whether that
// waits.
func (w *exceptionWriter) put(id ID, set func(*Exception)) (waits bool, err error) {
	before, err := exceptionRecords.Get(w.tx, id)
	if isNotFound(err) { // which counts as closed
		before, err = &Exception{Meta: Meta{ID: id}, Shipment: w.ship.ID, CreatedAt: w.tx.Now, ClosedAt: w.tx.Now}, nil
	}
	if err != nil {
		return false, err
	}
	e := *before
	e.SourceEvents = slices.Clone(e.SourceEvents)
	if set(&e); e.Kind == "" {
		return false, nil // what is noted and not stored has ended
	}
	due, states := debounce.Changes(w.debounce, announcedOfException, before.AnnounceStates, before, &e, unknownSource)
	e.AnnounceStates = states
	if err := exceptionRecords.Put(w.tx, &e); err != nil {
		return false, err
	}
	if len(due) > 0 {
		w.tx.announceException(&e)
	}
	if end := states.NextEnd(anyTopic); end.After(w.tx.Now) && (w.next.IsZero() || end.Before(w.next)) {
		w.next = end
	}
	return states.Wait(), nil
}

func anyTopic(string) bool { return true }

// sumOfException stands for all that was found and what it is about; it is never 0, which stands
// for nothing.
func (d *draft) sumOfException(e *exceptions.Exception) uint64 {
	w := codec.Writer{Bytes: make([]byte, 0, 512)}
	w.Text(e.Container, string(e.Kind), e.Key, string(e.Severity), e.Text)
	w.Time(e.OpenedAt)
	w.Time(e.ClosedAt)
	for _, i := range e.Facts {
		w.ID(d.factID(i))
	}
	h := fnv.New64a()
	h.Write(w.Bytes)
	return max(1, h.Sum64())
}

// factID is the ID of a fact that the journey was derived from: those of the shipment, and
// then those that were taken back.
func (d *draft) factID(i int) ID {
	if i < len(d.facts) {
		return d.facts[i].ID
	}
	return d.retracted[i-len(d.facts)].ID
}

// fill sets what was found, and keeps what users have written.
func (d *draft) fill(e *Exception, found *exceptions.Exception) {
	if found.Container != "" {
		e.Container = d.containerID(found.Container)
	}
	e.Kind, e.Severity, e.Detail = string(found.Kind), string(found.Severity), found.Text
	e.OpenedAt, e.ClosedAt, e.Withdrawn, e.LateInHours = found.OpenedAt, found.ClosedAt, false, 0
	e.SourceEvents = e.SourceEvents[:0]
	for _, i := range found.Facts {
		e.SourceEvents = append(e.SourceEvents, d.factID(i))
	}
	m := &found.Milestone
	e.Milestone, e.LocationLOCODE, e.ExpectedAt, e.DueAt = m.Event, m.Place.LOCODE, m.At.Time, m.DueAt
}

// endsWhenNotFound are the kinds that are over when they are not found any more. Others stay
// found when they are closed: without them, the facts were corrected.
var endsWhenNotFound = []exceptions.Kind{
	exceptions.ETASlipped, exceptions.Hold, exceptions.FreeTimeEnding, exceptions.SourceSilent, exceptions.DataConflict, exceptions.MilestoneOverdue,
	exceptions.DocumentDiscrepancy,
}

// end closes an exception that is not found any more.
func (w *exceptionWriter) end(e *Exception) {
	e.Withdrawn = !slices.Contains(endsWhenNotFound, exceptions.Kind(e.Kind))
	if e.open() {
		e.ClosedAt = schedule.Latest(e.OpenedAt, w.tx.Now)
	}
	if e.Kind == string(exceptions.MilestoneOverdue) {
		w.reportLate(e)
	}
}

// reportLate says by how much a milestone came late that was overdue. One that did not come,
// such as at a port that the ship has left out, was wrongly expected; of a stopped shipment
// nothing is expected any more.
func (d *draft) reportLate(e *Exception) {
	e.Withdrawn = !d.ship.stopped()
	for i := range d.journey.Containers {
		c := &d.journey.Containers[i]
		if d.containerID(c.Number) != e.Container {
			continue
		}
		expected := exceptions.Milestone{Event: e.Milestone, Place: Place{LOCODE: e.LocationLOCODE}, At: Moment{Time: e.ExpectedAt}, DueAt: e.DueAt}
		done, text := exceptions.Closing(c.Number, expected, c)
		if text == "" {
			return
		}
		e.Withdrawn, e.Detail = false, e.Detail+" "+text
		if late := done.At.Time.Sub(e.ExpectedAt); !e.ExpectedAt.IsZero() && late > 0 {
			e.LateInHours = int(math.Round(late.Hours()))
		}
		if done.Fact >= 0 {
			e.ClosedAt = schedule.Latest(e.OpenedAt, d.derived[done.Fact].RecordedAt)
			e.SourceEvents = addID(e.SourceEvents, d.factID(done.Fact))
		}
	}
}

// scheduleReview enqueues the job of the shipment for the next time at which the clock
// changes its exceptions. That usually moves to later times, so an earlier job stays.
func (d *draft) scheduleReview(tx *transaction, at time.Time) error {
	s := d.ship
	if at.IsZero() || s.Exceptions.reviewAt.After(tx.Now) && !at.Before(s.Exceptions.reviewAt) {
		return nil
	}
	s.Exceptions.reviewAt = schedule.WholeSecond(at)
	return tx.enqueueBy(reviewJob(s.ID, s.Exceptions.reviewAt))
}

// reviewNow makes the job of a shipment due that was stopped or resumed, since nothing is expected
// of one that no source is asked about, or of which another arrival is promised. The caller writes the shipment.
func reviewNow(tx *transaction, s *Shipment) error {
	s.Exceptions.reviewAt = tx.Now
	return tx.enqueueBy(reviewJob(s.ID, tx.Now))
}

func reviewJob(shipment ID, at time.Time) store.Job {
	return store.Job{ID: table.NamedID("job/exceptions", shipment.String()), Kind: jobExceptions, Ref: shipment, Due: at}
}

// reviewShipment finds the exceptions that the clock has opened or closed.
func (t *Tracker) reviewShipment(ctx context.Context, j store.Job) error {
	return t.update(ctx, j.Account, func(tx *transaction) error {
		if err := tx.Records.Finish(tx, j); err != nil {
			return err
		}
		return reviewStored(tx, j.Ref)
	})
}

// reviewStored finds the exceptions of a stored shipment again. A shipment in which nothing
// has changed is not written: its record, and the time when it last changed, stay.
func reviewStored(tx *transaction, id ID) error {
	s, err := shipments.Get(tx, id)
	if err != nil {
		return ignoreNotFound(err)
	}
	past := pastView{tx: tx, second: tx.Now}
	if err := past.open(s); err != nil {
		return err
	}
	s.Exceptions.reviewAt = time.Time{} // the job has ended
	return past.review(false)
}

// review finds the exceptions of the shipment, which is written if they or something else of it
// has changed.
func (l *pastView) review(changed bool) error {
	b := newDebouncer(l.tx, l.ship, nil)
	if l.ship.paused() {
		b.Mode = debounce.Stopped
	}
	differ, err := l.then.reviewExceptions(l.tx, b)
	if err != nil || !differ && !changed {
		return err
	}
	if err := l.then.writeNextMilestones(l.tx); err != nil {
		return err
	}
	return putShipment(l.tx, l.ship)
}
