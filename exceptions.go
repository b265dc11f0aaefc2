package tracking

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
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

// Lists are filtered by several properties at once, and each report writes exceptions, so
// that nothing that was counted for a list stays true for long. So properties are columns
// together, whose totals are kept: urgency is severity and acknowledgement, state has besides
// whether it is open, class has besides the kind.

// urgency sorts by severity, the most urgent first, and those that nobody has acknowledged
// before the others.
func (e *Exception) urgency() string { return urgencyOf(e.Severity, e.acknowledged()) }

func (e *Exception) state() string { return stateOf(e.open(), e.urgency()) }
func (e *Exception) class() string { return classOf(e.state(), e.Kind) }

// assigned is the assignee and whether it is open; empty for none.
func (e *Exception) assigned() string {
	if e.Assignee == "" {
		return ""
	}
	return stateOf(e.open(), e.Assignee)
}

func urgencyOf(severity string, acknowledged bool) string {
	rank := slices.Index(exceptions.Severities, exceptions.Severity(severity))
	return strconv.Itoa(rank) + "/" + strconv.FormatBool(acknowledged)
}

func classOf(state, kind string) string        { return state + "/" + kind }
func stateOf(open bool, urgency string) string { return strconv.FormatBool(open) + "/" + urgency }

var exceptionRecords = newKind("exception", []column[Exception]{
	table.IDColumn("shipment", func(e *Exception) ID { return e.Shipment }),
	table.IDColumn("container", func(e *Exception) ID { return e.Container }),
	table.TextColumn("kind", func(e *Exception) string { return e.Kind }),
	table.BoolColumn("open", (*Exception).open),
	table.BoolColumn("acknowledged", (*Exception).acknowledged),
	table.TextColumn("urgency", (*Exception).urgency),
	table.TextColumn("state", (*Exception).state),
	table.TextColumn("class", (*Exception).class),
	table.TextColumn("assigned", (*Exception).assigned),
	table.TimeColumn("opened_at", func(e *Exception) time.Time { return e.OpenedAt }),
	table.TimeColumn("updated_at", func(e *Exception) time.Time { return e.UpdatedAt }),
}, nil, nil).Counted("kind", "open", "acknowledged", "urgency", "state", "class", "assigned").Volatile("updated_at").
	Unindexed("kind", "open", "acknowledged").Sparse("assigned").InBinaryForm().InGeneration(5)

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
	// Sort by created_at, opened_at, updated_at or severity: the most urgent first, and of
	// these first those that nobody has acknowledged. The last found come first by default.
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
	w := where[Exception]{Sort: q.order()}
	w.Text("assigned", q.assigned(), (*Exception).assigned)
	if len(q.Assignees) > 0 {
		q.Open = Any // selected with them
	}
	q.selectClasses(&w)
	w.IDs("shipment", q.Shipments, func(e *Exception) ID { return e.Shipment })
	w.IDs("container", q.Containers, func(e *Exception) ID { return e.Container })
	w.Times("opened_at", q.Opened.From, q.Opened.To, func(e *Exception) time.Time { return e.OpenedAt })
	w.Times("updated_at", q.Updated.From, q.Updated.To, func(e *Exception) time.Time { return e.UpdatedAt })
	return w
}

// order sorts by the column that the exceptions are selected by, where it has the order.
func (q ExceptionQuery) order() []store.Order {
	sort := slices.Clone(creationOrder(q.Sort))
	for i, o := range sort {
		switch {
		case o.Name != "severity":
		case q.Open != Any && len(q.Kinds)+len(q.Assignees) == 0:
			sort[i].Name = "state"
		default:
			sort[i].Name = "urgency"
		}
	}
	return sort
}

// selectClasses adds the conditions on kind, severity, state and acknowledgement as one, on
// the column that has them all.
func (q ExceptionQuery) selectClasses(w *where[Exception]) {
	urgent, sorted := len(q.Severities) > 0, slices.ContainsFunc(w.Sort, func(o store.Order) bool { return o.Name == "state" })
	switch {
	case len(q.Kinds) > 0 && (urgent || q.Open != Any || q.Acknowledged != Any):
		w.Text("class", q.classes(), (*Exception).class)
	case len(q.Kinds) > 0:
		w.Text("kind", q.Kinds, func(e *Exception) string { return e.Kind })
	case sorted || q.Open != Any || q.Acknowledged != Any:
		w.Text("state", q.states(), (*Exception).state)
	case urgent:
		w.Text("urgency", q.urgencies(), (*Exception).urgency)
	}
}

// classes, states, urgencies and assigned are all values that the query selects.
func (q ExceptionQuery) classes() (all []string) {
	for _, state := range q.states() {
		for _, kind := range q.Kinds {
			all = append(all, classOf(state, kind))
		}
	}
	return all
}

func (q ExceptionQuery) states() (all []string) {
	for _, open := range q.Open.values() {
		for _, urgency := range q.urgencies() {
			all = append(all, stateOf(open, urgency))
		}
	}
	return all
}

func (q ExceptionQuery) urgencies() (all []string) {
	severities := q.Severities
	if len(severities) == 0 {
		severities = Exceptions{}.Severities()
	}
	for _, acknowledged := range q.Acknowledged.values() {
		for _, severity := range severities {
			all = append(all, urgencyOf(severity, acknowledged))
		}
	}
	return all
}

func (q ExceptionQuery) assigned() (all []string) {
	for _, open := range q.Open.values() {
		for _, assignee := range q.Assignees {
			all = append(all, stateOf(open, assignee))
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

// Facts returns the facts that an exception follows from, in order of recording, as they were
// received. Needs show. Errors: NotFound.
func (x Exceptions) Facts(ctx context.Context, id ID) ([]*RawEvent, error) {
	if err := x.t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, x.t.engine, x.t.actor.Account, func(tx *transaction) ([]*RawEvent, error) {
		e, err := exceptionRecords.Get(tx, id)
		if err != nil {
			return nil, err
		}
		return rawEvents.GetMany(tx, e.SourceEvents)
	})
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
	return viewing(ctx, x.t.engine, x.t.actor.Account, func(tx *transaction) (map[string]int, error) {
		rest := q
		rest.Kinds, rest.Severities, rest.Open, rest.Acknowledged, rest.Sort = nil, nil, Any, Any, nil
		byClass, err := tx.Records.CountBy(tx, exceptionRecords.Kind, "class", rest.filter())
		if len(q.Kinds) == 0 {
			q.Kinds = x.Kinds()
		}
		counts := map[string]int{}
		for _, class := range q.classes() {
			if n := byClass[class]; n > 0 {
				counts[class[strings.LastIndexByte(class, '/')+1:]] += n
			}
		}
		return counts, err
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
