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

// Listener is a client that knows only the announced events: which milestones are
// valid according to the latest announcement about each.
type Listener struct {
	b *Bench
	// known are the valid milestones, as they were announced.
	known     map[tracking.ID]tracking.TransportEvent
	announced map[tracking.ID]int // number of announcements by event
	err       error
}

// Listen returns a Listener to all announcements from now on.
func (b *Bench) Listen() *Listener {
	l := &Listener{b: b, known: map[tracking.ID]tracking.TransportEvent{}, announced: map[tracking.ID]int{}}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.listeners = append(b.listeners, l)
	return l
}

// receive handles one announcement. A milestone replaces its previous version if it
// has the same name. A version with another name replaces it only by
// container.updated, because some clients receive only single events.
func (l *Listener) receive(ctx context.Context, a tracking.Announcement) {
	var err error
	switch a.Reference.Type {
	case "transport_event":
		err = l.receiveMilestone(ctx, a)
	case "container_updated_event":
		err = l.receiveUpdate(ctx, a)
	}
	if err != nil && l.err == nil {
		l.err = fmt.Errorf("%s %s: %w", a.Event, a.Reference.ID, err)
	}
}

func (l *Listener) receiveMilestone(ctx context.Context, a tracking.Announcement) error {
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
	l.announced[e.ID]++
	if former, ok := l.known[e.Previous]; ok && former.Event == e.Event {
		delete(l.known, e.Previous)
	}
	l.known[e.ID] = *e
	return nil
}

func (l *Listener) receiveUpdate(ctx context.Context, a tracking.Announcement) error {
	tr := l.b.Operator.For(tracking.Actor{Account: a.Account})
	updates, _, err := tr.ContainerUpdatedEvents(ctx, tracking.ContainerEventQuery{Container: a.Container}, tracking.Page{})
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

// Differences compares what the Listener knows with what is shown now. It returns a
// sentence for each milestone that differs from its last announcement, and for each
// event that was announced twice. Milestones that were never announced, as history,
// do not count. Call it when nothing is pending: Bench.Pass ends the waiting
// periods.
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
			list = append(list, fmt.Sprintf("announced and not shown: %s", describeEvent(&known)))
		case differs(&known, now) || l.otherVessel(&known, now):
			list = append(list, fmt.Sprintf("announced: %s; shown: %s", describeEvent(&known), describeEvent(now)))
		}
	}
	for id, n := range l.announced {
		if n > 1 {
			list = append(list, fmt.Sprintf("announced %d times: %s", n, id))
		}
	}
	slices.Sort(list)
	return list
}

// differs compares the values that both have.
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

// otherVessel reports whether both have a vessel, with different names and numbers.
func (l *Listener) otherVessel(a, b *tracking.TransportEvent) bool {
	if a.Vessel == b.Vessel || a.Vessel == (tracking.ID{}) || b.Vessel == (tracking.ID{}) {
		return false
	}
	x, err := l.b.Vessel(context.Background(), a.Vessel)
	y, fault := l.b.Vessel(context.Background(), b.Vessel)
	return err == nil && fault == nil && x.ID != y.ID && !strings.EqualFold(x.Name, y.Name)
}

func describeEvent(e *tracking.TransportEvent) string {
	return fmt.Sprintf("%s at %s on %s (%s, container %s)", e.Event, e.LocationLOCODE, e.Timestamp.UTC().Format(time.RFC3339), e.ID, e.Container)
}

// Known returns the valid milestones of a container with one name, as they were
// announced last.
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
