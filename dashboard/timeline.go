package dashboard

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
)

// entry is one thing that happened or is expected.
type entry struct {
	What     string
	Place    string
	Vessel   string
	When     cell
	Source   string
	Learned  cell
	Expected bool
	Late     bool
	// Containers that it happened to; empty for all of the page.
	Containers []cell
	at         time.Time
}

// stage is a step of a journey.
type stage struct {
	Name string
	Note string
	When cell
	// Done stages have been reported, and Next is the first that has not.
	Done, Next bool
	// Expected: When is an estimate.
	Expected bool
}

// finish marks the steps before a reported one as done, and the one after the last as next.
func finish(list []stage) []stage {
	last := -1
	for i, s := range list {
		if s.Done {
			last = i
		}
	}
	for i := range list {
		list[i].Done, list[i].Next = i <= last, i == last+1
	}
	return list
}

// reached is a step with its actual time, or else its estimated one.
func (c catalog) reached(name string, actual, estimate time.Time, zone string) stage {
	s := stage{Name: c.get("stage." + name), When: c.moment(actual, zone), Done: !actual.IsZero()}
	if actual.IsZero() && !estimate.IsZero() {
		s.When, s.Expected = c.moment(estimate, zone), true
	}
	return s
}

// milestones are the reported milestones of a shipment or of a container, in order of time.
// What happened to several containers together is one entry.
func (req *request) milestones(ctx context.Context, q tracking.TransportEventQuery, p past) ([]entry, error) {
	if q.Invalidated = tracking.No; !p.present() {
		q.Invalidated = tracking.Any
	}
	events, _, err := req.t.TransportEvents(ctx, q, tracking.Page{})
	if err != nil {
		return nil, err
	}
	var list []entry
	of := map[string]int{}
	for _, e := range events {
		if !p.knows(e.CreatedAt, e.InvalidatedAt) {
			continue
		}
		m, err := req.milestone(ctx, e)
		if err != nil {
			return nil, err
		}
		key := m.What + "\x00" + m.Place + "\x00" + m.Vessel + "\x00" + m.When.Text + "\x00" + m.Learned.Text
		at, known := of[key]
		if !known {
			at, of[key] = len(list), len(list)
			list = append(list, m)
		}
		if q.Container == (tracking.ID{}) && e.Container != (tracking.ID{}) {
			box, err := req.places.container(ctx, e.Container)
			if err != nil {
				return nil, err
			}
			list[at].Containers = append(list[at].Containers, linked(box.Number, req.toContainer(box.ID)))
		}
	}
	sortEntries(list)
	return list, nil
}

func sortEntries(list []entry) {
	slices.SortStableFunc(list, func(a, b entry) int { return a.at.Compare(b.at) })
}

func (req *request) milestone(ctx context.Context, e *tracking.TransportEvent) (m entry, err error) {
	m = entry{What: req.texts.word("event", string(e.Event)), at: e.Timestamp, Source: req.texts.word("source", string(e.DataSource)), Learned: req.texts.moment(e.CreatedAt, "")}
	if m.When = req.texts.moment(e.Timestamp, e.Timezone); e.DayOnly {
		m.When = req.texts.day(e.Timestamp, e.Timezone)
	}
	if m.Place, err = req.placeOf(ctx, e.Location, e.Terminal, e.LocationLOCODE); err != nil {
		return m, err
	}
	vessel, err := req.places.vessel(ctx, e.Vessel)
	m.Vessel = joined(nonEmpty(vessel, e.VoyageNumber)).Text
	return m, err
}

// placeOf names a place with its facility, as far as they are known.
func (req *request) placeOf(ctx context.Context, at tracking.Ref, facility tracking.ID, locode string) (string, error) {
	name := locode
	if at.Type == "port" {
		port, err := req.places.port(ctx, at.ID)
		if err != nil {
			return "", err
		}
		name = cmp.Or(port.Name, locode)
	}
	terminal, err := req.places.terminal(ctx, facility)
	return joined(nonEmpty(name, terminal)).Text, err
}

// zoneAt is the zone of a place of a shipment; "", which is UTC, for others.
func zoneAt(s *tracking.Shipment, locode string) string {
	switch locode {
	case "":
		return ""
	case s.PortOfLadingLOCODE:
		return s.POLTimezone
	case s.PortOfDischargeLOCODE:
		return s.PODTimezone
	case s.DestinationLOCODE:
		return s.DestinationTimezone
	}
	return ""
}

// outlook are the calls of ships that are planned or estimated for a container, and the
// milestone that is expected next.
func (req *request) outlook(ctx context.Context, box *tracking.Container, next tracking.NextMilestone) (list []entry, err error) {
	route, err := req.t.ContainerRoute(ctx, box.ID)
	if err != nil && !errors.Is(err, tracking.ErrNotFound) {
		return nil, err
	}
	if route != nil {
		for _, l := range route.Locations {
			port, err := req.places.port(ctx, l.Location)
			if err != nil {
				return nil, err
			}
			call := func(what tracking.EventName, at, actual time.Time, vessel tracking.ID, voyage string) error {
				if at.IsZero() || !actual.IsZero() {
					return nil
				}
				name, err := req.places.vessel(ctx, vessel)
				list = append(list, entry{
					What: req.texts.word("event", string(what)), Place: cmp.Or(port.Name, port.Code), Vessel: joined(nonEmpty(name, voyage)).Text,
					When: req.texts.moment(at, port.TimeZone), Expected: true, at: at, Late: at.Before(req.now),
				})
				return err
			}
			if err := call(freight.VesselArrived, l.InboundETAAt, l.InboundATAAt, l.InboundVessel, l.InboundVoyage); err != nil {
				return nil, err
			}
			if err := call(freight.VesselDeparted, l.OutboundETDAt, l.OutboundATDAt, l.OutboundVessel, l.OutboundVoyage); err != nil {
				return nil, err
			}
		}
	}
	s, err := req.places.shipment(ctx, box.Shipment)
	if err != nil {
		return nil, err
	}
	zone := zoneAt(s, next.LocationLOCODE)
	if m := req.texts.expected(next); m.Text != "" && !slices.ContainsFunc(list, func(e entry) bool { return e.What == m.Text }) {
		e := entry{What: m.Text, Place: next.LocationLOCODE, When: req.texts.moment(next.ExpectedAt, zone), Expected: true, Late: next.Overdue, at: next.ExpectedAt}
		if next.ExpectedAt.IsZero() {
			e.When, e.at = req.texts.moment(next.DueAt, zone), next.DueAt
			e.When.Text = req.texts.get("expected.by", e.When.Text)
		}
		list = append(list, e)
	}
	sortEntries(list)
	return list, nil
}
