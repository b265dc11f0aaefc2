package correction

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/freight"
)

// Event is a version of the event of a milestone.
type Event struct {
	ID uuid.UUID
	// Version of its record as read; 0 if it is not stored.
	Version   int64
	Shipment  uuid.UUID
	Container uuid.UUID
	Name      freight.EventName
	Values
	// Location is a port; zero when it is not known. LOCODE is its code; empty for a port
	// that is known by its name alone.
	Location   uuid.UUID
	LOCODE     string
	Terminal   uuid.UUID
	Fact       uuid.UUID // that it follows from
	DataSource freight.DataSource
	// CreatedAt, AnnouncedAt and InvalidatedAt, UTC; zero for never.
	CreatedAt, AnnouncedAt, InvalidatedAt time.Time
	State

	progress
}

// State is stored with an event and not shown. The tags are names of package record.
type State struct {
	// Announced has the announced values if the event has been completed since; nil
	// otherwise.
	Announced *Values `private:"announced_values"`
	// Pending: an announcement waits: of the event or, if it is invalidated, of its
	// withdrawal. It waits for the end of a window, or until a shipment that a rule
	// has stopped is resumed. An event that was invalidated before it was announced was
	// waiting at that time.
	Pending bool `private:"pending"`
	// Previous is the announced event that this one replaces; zero for none.
	Previous uuid.UUID `private:"previous"`
	// CorrectedAt is when the correction or withdrawal was announced, UTC, by its
	// successor or by container.updated; zero otherwise.
	CorrectedAt time.Time `private:"corrected_at"`
}

// progress is what an Update knows of an event.
type progress struct {
	// announcedBefore: when it was read.
	announcedBefore bool
	// used: it stands for a milestone. released: it stood for one until now, and was
	// never announced.
	used, released bool
	// continues: it continues another event.
	continues bool
	// changed: it is to be written.
	changed bool
}

// NewlyAnnounced reports whether the update has announced the event.
func (e *Event) NewlyAnnounced() bool { return !e.announcedBefore && !e.AnnouncedAt.IsZero() }

// AnnouncedAs is what the receivers of the event's notification have.
func (e *Event) AnnouncedAs() Values {
	if e.Announced != nil {
		return *e.Announced
	}
	return e.Values
}

// same reports whether two versions have the same content.
func (e *Event) same(old *Event) bool {
	a, b := *e, *old
	a.progress, b.progress = progress{}, progress{}
	if a.Announced != nil && b.Announced != nil && *a.Announced == *b.Announced {
		a.Announced, b.Announced = nil, nil
	}
	return a == b
}

// waits reports whether the event is valid and waits for more than the end of a window.
func (e *Event) waits() bool {
	return e.Pending && e.Previous == uuid.UUID{} && e.InvalidatedAt.IsZero()
}

// apart is the time between two events. One without a time is far from all others.
func apart(a, b *Event) time.Duration {
	at := func(e *Event) time.Time {
		if e.Timestamp.IsZero() {
			return time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		return e.Timestamp
	}
	return at(a).Sub(at(b)).Abs()
}

func (e *Event) between(a, b *Event) bool {
	if b.Timestamp.Before(a.Timestamp) {
		a, b = b, a
	}
	return e.Timestamp.After(a.Timestamp) && e.Timestamp.Before(b.Timestamp)
}

// topicOfEvents begins the names of the topics that are no attribute: the events of
// one name of a container at one place.
const topicOfEvents = "event/"

// IsMilestoneTopic reports whether a topic is about milestones and not about an
// attribute or availability.
func IsMilestoneTopic(topic string) bool { return strings.HasPrefix(topic, topicOfEvents) }

func (e *Event) topic() string {
	return topicOfEvents + string(e.Name) + "/" + cmp.Or(e.LOCODE, e.Location.String())
}

// sum is equal for versions with the same content.
func (e *Event) sum() uint64 {
	at := ""
	if minute := e.Timestamp.Truncate(Tolerance); !minute.IsZero() {
		at = minute.UTC().Format(time.RFC3339)
	}
	return sumOf(e.Vessel[:], []byte(freight.FoldNumber(e.Voyage)+"/"+at))
}

// withdrawal is the sum of the announcement that the event is no longer valid.
func (e *Event) withdrawal() uint64 { return sumOf(e.ID[:]) }

// AvailabilitySum is equal for changes of availability with the same meaning.
func AvailabilitySum(name freight.EventName, location uuid.UUID) uint64 {
	return sumOf([]byte(string(name) + "/" + location.String()))
}

func (e *Event) availabilitySum() uint64 { return AvailabilitySum(e.Name, e.Location) }

func sumOf(parts ...[]byte) uint64 {
	sum := fnv.New64a()
	for _, p := range parts {
		sum.Write(p)
	}
	return sum.Sum64()
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// sortedByID returns the events without those that are nil.
func sortedByID(events map[uuid.UUID]*Event) []*Event {
	list := slices.Collect(maps.Values(events))
	list = slices.DeleteFunc(list, func(e *Event) bool { return e == nil })
	slices.SortFunc(list, func(a, b *Event) int { return compareIDs(a.ID, b.ID) })
	return list
}

// FormerIDs returns the IDs of the events that changed milestones had until now, in order.
// changed are the IDs of their first versions; current has the later versions of all
// milestones until now, and unchanged those of the milestones that have not changed: the
// first version of one milestone may represent another one now.
func FormerIDs(changed iter.Seq[uuid.UUID], current, unchanged map[uuid.UUID]uuid.UUID) []uuid.UUID {
	used := map[uuid.UUID]bool{}
	for _, id := range unchanged {
		used[id] = true
	}
	var ids []uuid.UUID
	for first := range changed {
		id, known := current[first]
		if !known {
			id = first
		}
		if !used[id] {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, compareIDs)
	return ids
}
