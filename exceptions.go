package tracking

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/landfallhq/tracking/internal/debounce"
	"github.com/landfallhq/tracking/internal/exceptions"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// Exception is something that goes wrong with a shipment or one of its containers, found
// from its facts (see docs/exceptions.md). The same one that is found again is the same
// record: its ID follows from shipment, container, kind and what it is about. Times are UTC.
type Exception struct {
	Meta
	Shipment ID `rel:"shipment,shipment"` // that it is of, or whose container
	// Container that it is of; zero (null) for the whole shipment.
	Container ID `rel:"container,container"`
	// SourceEvents are the facts that it follows from, in order of recording.
	SourceEvents []ID `rel:"source_events,raw_event"`

	Kind     string `attr:"kind"`     // one of Exceptions.Kinds
	Severity string `attr:"severity"` // high, medium or low
	// Detail is one sentence in English, with the figures.
	Detail string `attr:"detail"`
	// OpenedAt is when the source recorded the fact that shows it, or when the clock passed
	// the threshold.
	OpenedAt time.Time `attr:"opened_at"`
	// ClosedAt is when the source recorded the fact that ended it, or when that was learned;
	// zero (null) while it is open.
	ClosedAt time.Time `attr:"closed_at,null"`
	// Withdrawn: the facts that showed it were corrected, so that it never was. It is closed.
	Withdrawn bool `attr:"withdrawn"`
	// Milestone that is overdue, the place, the time that was planned or estimated for it, and
	// until when it should have been reported; zero (null) for other kinds.
	Milestone      EventName `attr:"milestone,null"`
	LocationLOCODE string    `attr:"location_locode,null"`
	ExpectedAt     time.Time `attr:"expected_at,null"`
	DueAt          time.Time `attr:"due_at,null"`
	// LateInHours is by how much an overdue milestone came late, against the time that was
	// planned or estimated, in hours; zero (null) for other kinds, while it is not reported,
	// and if it was reported late but came in time.
	LateInHours int `attr:"late_in_hours,null"`

	AcknowledgedAt time.Time `attr:"acknowledged_at,null"` // when a user acknowledged it; null if nobody has
	AcknowledgedBy ID        `private:"acknowledged_by"`   // that user; zero for a key of no user
	Assignee       string    `attr:"assignee,null"`        // who takes care of it, as users write it
	Note           string    `attr:"note,null"`            // of users

	CreatedAt time.Time `attr:"created_at"` // when it was found
	UpdatedAt time.Time `attr:"updated_at"` // when the record last changed

	exceptionInternals
}

// exceptionInternals is what the engine stores with an exception and does not show.
type exceptionInternals struct {
	// AnnounceStates has whether it was announced last that it is open.
	AnnounceStates debounce.States `private:"told"`
}

// setUpdatedAt is called by Put when the record has changed.
func (e *Exception) setUpdatedAt(at time.Time) { e.UpdatedAt = at }

func (e *Exception) open() bool         { return e.ClosedAt.IsZero() }
func (e *Exception) acknowledged() bool { return !e.AcknowledgedAt.IsZero() }

// class is what most lists are filtered by, as one value. The number of exceptions of each
// class is kept, so that no list of them counts them.
func (e *Exception) class() string {
	return classOf(e.open(), e.acknowledged(), e.Severity, e.Kind)
}

func classOf(open, acknowledged bool, severity, kind string) string {
	return strconv.FormatBool(open) + "/" + strconv.FormatBool(acknowledged) + "/" + urgency(severity) + "/" + kind
}

// urgency sorts by severity, the most urgent first.
func urgency(severity string) string {
	return strconv.Itoa(slices.Index(exceptions.Severities, exceptions.Severity(severity)))
}

var exceptionRecords = newKind("exception", []column[Exception]{
	table.IDColumn("shipment", func(e *Exception) ID { return e.Shipment }),
	table.IDColumn("container", func(e *Exception) ID { return e.Container }),
	table.TextColumn("kind", func(e *Exception) string { return e.Kind }),
	table.TextColumn("severity", func(e *Exception) string { return urgency(e.Severity) }),
	table.BoolColumn("open", (*Exception).open),
	table.BoolColumn("acknowledged", (*Exception).acknowledged),
	table.TextColumn("class", (*Exception).class),
	table.TextColumn("assignee", func(e *Exception) string { return e.Assignee }),
	table.TimeColumn("opened_at", func(e *Exception) time.Time { return e.OpenedAt }),
	table.TimeColumn("updated_at", func(e *Exception) time.Time { return e.UpdatedAt }),
}, nil, nil).Counted("kind", "severity", "open", "acknowledged", "class").Volatile("updated_at").InGeneration(3)

// ExceptionQuery selects exceptions. A list matches any of its members; an empty one
// matches all. All conditions must hold.
type ExceptionQuery struct {
	Kinds, Severities []string
	// Open selects by whether they are open.
	Open Tri
	// Acknowledged selects by whether a user has acknowledged them.
	Acknowledged          Tri
	Shipments, Containers []ID
	Assignees             []string
	Opened, Updated       TimeRange
	// Sort by created_at, opened_at, updated_at or severity (the most urgent first); the
	// last found come first by default.
	Sort []Order
}

func (q ExceptionQuery) resourceType() *table.Schema { return exceptionRecords.Schema }
func (q ExceptionQuery) filter() store.Filter        { w := q.where(); return w.Filter(exceptionRecords) }

// check refuses a sort by another name.
func (q ExceptionQuery) check(*engine) error {
	for _, o := range q.Sort {
		if !slices.Contains([]string{"created_at", "opened_at", "updated_at", "severity"}, o.Name) {
			return badQuery("sort", "exceptions cannot be sorted by '%s': created_at, opened_at, updated_at and severity are allowed", o.Name)
		}
	}
	return nil
}

func (q ExceptionQuery) where() where[Exception] {
	w := where[Exception]{Sort: creationOrder(q.Sort)}
	q.selectClasses(&w)
	w.IDs("shipment", q.Shipments, func(e *Exception) ID { return e.Shipment })
	w.IDs("container", q.Containers, func(e *Exception) ID { return e.Container })
	w.Text("assignee", q.Assignees, func(e *Exception) string { return e.Assignee })
	w.Times("opened_at", q.Opened.From, q.Opened.To, func(e *Exception) time.Time { return e.OpenedAt })
	w.Times("updated_at", q.Updated.From, q.Updated.To, func(e *Exception) time.Time { return e.UpdatedAt })
	return w
}

// selectClasses adds the conditions on kind, severity, state and acknowledgement: those on
// several of them as one condition on the class.
func (q ExceptionQuery) selectClasses(w *where[Exception]) {
	set := 0
	for _, is := range []bool{len(q.Kinds) > 0, len(q.Severities) > 0, q.Open != Any, q.Acknowledged != Any} {
		if is {
			set++
		}
	}
	if set > 1 {
		w.Text("class", q.classes(), (*Exception).class)
		return
	}
	w.Text("kind", q.Kinds, func(e *Exception) string { return e.Kind })
	urgencies := make([]string, len(q.Severities))
	for i, s := range q.Severities {
		urgencies[i] = urgency(s)
	}
	w.Text("severity", urgencies, func(e *Exception) string { return urgency(e.Severity) })
	tri(w, "open", q.Open, (*Exception).open)
	tri(w, "acknowledged", q.Acknowledged, (*Exception).acknowledged)
}

// classes are all that the query selects.
func (q ExceptionQuery) classes() (all []string) {
	kinds, severities := q.Kinds, q.Severities
	if len(kinds) == 0 {
		kinds = Exceptions{}.Kinds()
	}
	if len(severities) == 0 {
		severities = Exceptions{}.Severities()
	}
	for _, open := range q.Open.values() {
		for _, acknowledged := range q.Acknowledged.values() {
			for _, severity := range severities {
				for _, kind := range kinds {
					all = append(all, classOf(open, acknowledged, severity, kind))
				}
			}
		}
	}
	return all
}

// Exceptions has the operations on the exceptions of an account: see [Tracker.Exceptions].
type Exceptions struct{ t *Tracker }

// Exceptions returns the exceptions of the account: Get, List, Counts and Update are its
// operations, and Kinds and Severities are what they can be of.
func (t *Tracker) Exceptions() Exceptions { return Exceptions{t} }

// Kinds are the kinds of exceptions, in order of the journey.
func (Exceptions) Kinds() []string { return textsOf(exceptions.Kinds) }

// Severities are the severities, the most urgent first.
func (Exceptions) Severities() []string { return textsOf(exceptions.Severities) }

// Get returns one exception. Needs show. Errors: NotFound.
func (x Exceptions) Get(ctx context.Context, id ID) (*Exception, error) {
	return get(ctx, x.t, exceptionRecords, id)
}

// List returns a page of exceptions and their total number. Needs show. Errors: BadQuery on
// sort.
func (x Exceptions) List(ctx context.Context, q ExceptionQuery, p Page) ([]*Exception, int, error) {
	return list(ctx, x.t, exceptionRecords, q, p)
}

// Counts returns how many exceptions match q, by kind; kinds without any are left out. Needs
// show.
func (x Exceptions) Counts(ctx context.Context, q ExceptionQuery) (map[string]int, error) {
	if err := x.t.allow(Show); err != nil {
		return nil, err
	}
	kinds := q.Kinds
	if len(kinds) == 0 {
		kinds = x.Kinds()
	}
	return viewing(ctx, x.t.engine, x.t.actor.Account, func(tx *transaction) (map[string]int, error) {
		counts := map[string]int{}
		for _, kind := range kinds {
			q.Kinds, q.Sort = []string{kind}, nil
			_, n, err := tx.Records.List(tx, exceptionRecords.Kind, q.filter(), Page{Number: 1, Size: 1}, nil)
			if err != nil {
				return nil, err
			}
			if n > 0 {
				counts[kind] = n
			}
		}
		return counts, nil
	})
}

// ExceptionUpdate has the attributes that users may change. Fields that are not set stay.
type ExceptionUpdate struct {
	// Acknowledged acknowledges the exception, or takes that back.
	Acknowledged Opt[bool]
	Assignee     Opt[string] // at most 255 characters; empty for nobody
	Note         Opt[string] // at most 2,000 characters; empty for none
	IfVersion    int64
}

// Update acknowledges, assigns or notes an exception, open or closed. Needs update. Errors:
// NotFound; Stale; Invalid on assignee and note (blank, too_long, invalid).
func (x Exceptions) Update(ctx context.Context, id ID, u ExceptionUpdate) (*Exception, error) {
	if err := x.t.allow(Update); err != nil {
		return nil, err
	}
	var faults Errors
	for _, text := range []struct {
		field string
		value string
		most  int
	}{{"assignee", u.Assignee.Value, 255}, {"note", u.Note.Value, 2000}} {
		if err := checkText(text.field, text.value, text.most); err != nil && text.value != "" {
			faults = append(faults, err.(*Error))
		}
	}
	if err := faults.or(); err != nil {
		return nil, err
	}
	return updateFound(ctx, x.t, "exception.update", u.IfVersion, withID(exceptionRecords, id), func(tx *transaction, e *Exception) error {
		switch {
		case u.Acknowledged.Set && !u.Acknowledged.Value:
			e.AcknowledgedAt, e.AcknowledgedBy = time.Time{}, ID{}
		case u.Acknowledged.Set && !e.acknowledged():
			e.AcknowledgedAt, e.AcknowledgedBy = tx.Now, x.t.actor.User
		}
		setIfGiven(&e.Assignee, u.Assignee)
		setIfGiven(&e.Note, u.Note)
		return exceptionRecords.Put(tx, e)
	})
}

// exceptionID is the ID of an exception of a shipment.
func exceptionID(shipment ID, e *exceptions.Exception) ID {
	return table.NamedID("exception", shipment.String()+"/"+e.Container+"/"+string(e.Kind)+"/"+cmp.Or(e.Key, "-"))
}
