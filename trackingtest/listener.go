package trackingtest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

// Listener knows what somebody knows who hears every event that is announced and
// reads nothing else: which milestones stand, by the last word about each.
type Listener struct {
	b *Bench
	// known are the milestones that stand by what was announced, as they were then.
	known map[tracking.ID]tracking.TransportEvent
	heard map[tracking.ID]int // announcements by event
	err   error
}

// Listen returns a Listener to all that is announced from now on.
func (b *Bench) Listen() *Listener {
	l := &Listener{b: b, known: map[tracking.ID]tracking.TransportEvent{}, heard: map[tracking.ID]int{}}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.listeners = append(b.listeners, l)
	return l
}

// hear takes one announcement. A milestone of the same name takes the place of its
// previous version; one of another name does so only by container.updated, for there
// are listeners to single names.
func (l *Listener) hear(ctx context.Context, a tracking.Announcement) {
	var err error
	switch a.Reference.Type {
	case "transport_event":
		err = l.hearMilestone(ctx, a)
	case "container_updated_event":
		err = l.hearUpdate(ctx, a)
	}
	if err != nil && l.err == nil {
		l.err = fmt.Errorf("%s %s: %w", a.Event, a.Reference.ID, err)
	}
}

func (l *Listener) hearMilestone(ctx context.Context, a tracking.Announcement) error {
	tr := l.b.Operator.For(tracking.Actor{Account: a.Account})
	events, _, err := tr.TransportEvents(ctx, tracking.TransportEventQuery{Container: a.Container}, tracking.Page{})
	if err != nil {
		return err
	}
	i := slices.IndexFunc(events, func(e *tracking.TransportEvent) bool { return e.ID == a.Reference.ID })
	if i < 0 {
		return nil // a changed estimate, deadline or appointment
	}
	e := events[i]
	l.heard[e.ID]++
	if former, ok := l.known[e.Previous]; ok && former.Event == e.Event {
		delete(l.known, e.Previous)
	}
	l.known[e.ID] = *e
	return nil
}

func (l *Listener) hearUpdate(ctx context.Context, a tracking.Announcement) error {
	tr := l.b.Operator.For(tracking.Actor{Account: a.Account})
	updates, _, err := tr.ContainerUpdatedEvents(ctx, tracking.ContainerUpdatedEventQuery{Container: a.Container}, tracking.Page{})
	if err != nil {
		return err
	}
	for _, u := range updates {
		if u.ID != a.Reference.ID {
			continue
		}
		if _, left := u.Changeset["shipment"]; left {
			for id, e := range l.known {
				if e.Container == a.Container {
					delete(l.known, id)
				}
			}
		}
		change, ok := u.Changeset["transport_events"]
		if !ok {
			continue
		}
		var gone []struct{ ID tracking.ID }
		if err := json.Unmarshal(change[0], &gone); err != nil {
			return err
		}
		for _, e := range gone {
			delete(l.known, e.ID)
		}
	}
	return nil
}

// Differences compares what the Listener knows with what is shown now, and returns a
// sentence for each milestone of which the last announcement says something else, and
// for each event that was announced twice. Milestones that were never announced, as
// history, are no difference. Call it when nothing waits any more: Bench.Pass lets
// windows end.
func (l *Listener) Differences() (list []string) {
	l.b.tb.Helper()
	ctx := context.Background()
	l.b.mu.Lock()
	defer l.b.mu.Unlock()
	if l.err != nil {
		l.b.tb.Fatal(l.err)
	}
	events, _, err := l.b.TransportEvents(ctx, tracking.TransportEventQuery{Invalidated: tracking.No}, tracking.Page{})
	if err != nil {
		l.b.tb.Fatal(err)
	}
	shown := map[tracking.ID]*tracking.TransportEvent{}
	for _, e := range events {
		shown[e.ID] = e
	}
	for id, known := range l.known {
		switch now := shown[id]; {
		case now == nil:
			list = append(list, fmt.Sprintf("announced and not shown: %s", sayEvent(&known)))
		case differs(&known, now) || l.otherVessel(&known, now):
			list = append(list, fmt.Sprintf("announced: %s; shown: %s", sayEvent(&known), sayEvent(now)))
		}
	}
	for id, n := range l.heard {
		if n > 1 {
			list = append(list, fmt.Sprintf("announced %d times: %s", n, id))
		}
	}
	slices.Sort(list)
	return list
}

// differs compares what both say: what one of them leaves open is no difference.
func differs(a, b *tracking.TransportEvent) bool {
	other := func(a, b tracking.ID) bool {
		return a != b && a != (tracking.ID{}) && b != (tracking.ID{})
	}
	at := a.Timestamp.Sub(b.Timestamp).Abs()
	voyages := func(e *tracking.TransportEvent) string {
		return strings.ToUpper(strings.Join(strings.Fields(e.VoyageNumber), ""))
	}
	if v, w := voyages(a), voyages(b); v != "" && w != "" && v != w {
		return true
	}
	return a.Event != b.Event || other(a.Location.ID, b.Location.ID) && a.LocationLOCODE != "" && b.LocationLOCODE != "" ||
		!a.Timestamp.IsZero() && !b.Timestamp.IsZero() && a.DayOnly == b.DayOnly && a.Timezone == b.Timezone && at > time.Minute
}

// otherVessel reports whether both name a vessel, and by no name or number the same.
func (l *Listener) otherVessel(a, b *tracking.TransportEvent) bool {
	if a.Vessel == b.Vessel || a.Vessel == (tracking.ID{}) || b.Vessel == (tracking.ID{}) {
		return false
	}
	x, err := l.b.Vessel(context.Background(), a.Vessel)
	y, fault := l.b.Vessel(context.Background(), b.Vessel)
	return err == nil && fault == nil && x.ID != y.ID && !strings.EqualFold(x.Name, y.Name)
}

func sayEvent(e *tracking.TransportEvent) string {
	return fmt.Sprintf("%s at %s on %s (%s, container %s)", e.Event, e.LocationLOCODE, e.Timestamp.UTC().Format(time.RFC3339), e.ID, e.Container)
}

// Known returns the milestones of one name that stand by what was announced of a
// container, as they were announced last.
func (l *Listener) Known(container tracking.ID, event tracking.EventName) (list []tracking.TransportEvent) {
	l.b.mu.Lock()
	defer l.b.mu.Unlock()
	for _, e := range l.known {
		if e.Container == container && e.Event == event {
			list = append(list, e)
		}
	}
	return list
}
