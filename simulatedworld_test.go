package tracking_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/simulation"
	"github.com/landfallhq/tracking/trackingtest"
)

// shownWorld is what the tracker shows at the end of a world.
type shownWorld struct {
	shipments []*shownShipment
	// lines is every attribute and milestone, sorted, without when it was learned.
	lines []string
	// told is where the last announcement says something else than is shown.
	told []string
}

type shownShipment struct {
	simulation.ShownShipment
	number     string // by which it is followed
	containers map[string]*simulation.ShownContainer
	route      []string // the ports that its containers pass
}

// shipment returns the one that is followed by the number asked for, else the
// one that has the other number; nil where there is none.
func (s *shownWorld) shipment(want simulation.ShipmentExpectation) *shownShipment {
	numbers := []string{want.BillOfLading, want.Booking}
	if want.FollowBooking {
		slices.Reverse(numbers)
	}
	for _, number := range numbers {
		i := slices.IndexFunc(s.shipments, func(s *shownShipment) bool { return s.number == number })
		if i >= 0 {
			return s.shipments[i]
		}
	}
	return nil
}

// onWay adds the ports of transshipment. A route shows the other calls of a
// ship, too, and a shipment without containers has none: those are not judged.
func (s *shownShipment) onWay(want simulation.ShipmentExpectation) simulation.ShownShipment {
	shown := s.ShownShipment
	if len(s.containers) > 0 {
		shown.TransshipmentPorts = []string{}
	}
	for _, port := range s.route {
		if slices.Contains(want.TransshipmentPorts.May, port) {
			shown.TransshipmentPorts = append(shown.TransshipmentPorts, port)
		}
	}
	return shown
}

// closer runs what is to be closed at the end of one world, not of the test:
// there are thousands of them.
type closer struct {
	testing.TB
	cleanups []func()
}

func (c *closer) Cleanup(fn func()) { c.cleanups = append(c.cleanups, fn) }

func (c *closer) close() {
	for _, fn := range slices.Backward(c.cleanups) {
		fn()
	}
}

// showWorld hands the statements in, in batches, and reads back what is shown.
// The clock stands at the end of the world: a statement without a time of
// recording is taken to be recorded when it arrives.
func showWorld(t testing.TB, w *simulation.World, order [][]simulation.Statement) (*shownWorld, error) {
	tb := &closer{TB: t}
	defer tb.close()
	b := trackingtest.New(tb, followsAll, withoutWindows)
	b.Clock.Set(w.Now)
	listener := b.Listen()
	for _, s := range w.Shipments {
		if err := requestWorld(b, w, s); err != nil {
			return nil, err
		}
	}
	for _, batch := range order {
		for _, r := range reportsOf(batch) {
			if _, err := b.Ingest(ctx, r); err != nil {
				return nil, fmt.Errorf("report of %d facts: %w", len(r.Facts), err)
			}
		}
	}
	b.Pass(time.Minute) // what waits for the end of a flap window is announced
	shown, err := readWorld(b, w)
	if err == nil {
		shown.told = append(shown.told, listener.Differences()...)
	}
	return shown, err
}

// withoutWindows lets no shipment stop because of the time that has passed:
// that follows from no statement.
func withoutWindows(c *tracking.Config) {
	const years = 50 * 365 * 24 * time.Hour
	c.StopWindows = tracking.StopWindows{Arrival: years, FullOut: years, NoUpdates: years}
}

// requestWorld asks for the number that the shipment is followed by.
func requestWorld(b *trackingtest.Bench, w *simulation.World, s *simulation.Shipment) error {
	n := tracking.NewTrackingRequest{Number: s.BillOfLading, Type: tracking.BillOfLading, SCAC: w.SCAC}
	if s.FollowBooking {
		n.Number, n.Type = w.Booking, tracking.BookingNumber
	}
	_, err := b.CreateTrackingRequest(ctx, n)
	return err
}

// reportsOf makes a report of the statements of each source. What was recorded
// at the same moment as a statement of another source stays after it.
func reportsOf(batch []simulation.Statement) (reports []tracking.Report) {
	for _, s := range batch {
		f := factOf(s)
		at := len(reports) - 1
		for ; at >= 0 && !isOf(reports[at], s); at-- {
			if slices.ContainsFunc(reports[at].Facts, func(g tracking.Fact) bool { return g.RecordedAt.Unix() == f.RecordedAt.Unix() }) {
				at = -1
				break
			}
		}
		if at < 0 {
			reports = append(reports, tracking.Report{Source: s.Source, DataSource: tracking.DataSource(s.DataSource), SCAC: s.SCAC})
			at = len(reports) - 1
		}
		reports[at].Facts = append(reports[at].Facts, f)
	}
	return reports
}

func isOf(r tracking.Report, s simulation.Statement) bool {
	return r.Source == s.Source && r.DataSource == tracking.DataSource(s.DataSource) && r.SCAC == s.SCAC
}

func factOf(s simulation.Statement) tracking.Fact {
	f := tracking.Fact{
		ID: s.ID, RecordedAt: s.RecordedAt, Retracted: s.Retracted, Activity: freight.Activity(s.What), Classifier: freight.Classifier(s.Class),
		At: tracking.Moment(s.At), Mode: tracking.Mode(s.Mode), LoadStatus: freight.LoadStatus(s.Load), Vessel: tracking.VesselRef(s.Vessel), Voyage: s.Voyage,
		Containers: s.Containers, References: s.References, Equipment: freight.Equipment(s.Equipment), Original: s.Original,
		Place: tracking.Place{
			LOCODE: s.Place.LOCODE, Name: s.Place.Name, SMDG: s.Place.SMDG, BIC: s.Place.BIC, Facility: s.Place.Facility,
			FacilityType: s.Place.FacilityType, Role: freight.Role(s.Place.Role),
		},
	}
	for _, n := range s.Numbers {
		f.Numbers = append(f.Numbers, tracking.ShipmentNumber{Type: tracking.RequestType(n.Type), Number: n.Number})
	}
	if t := s.Terminal; t != nil {
		f.Terminal = &freight.TerminalFacts{Available: t.Available}
		for _, h := range t.Holds {
			f.Terminal.Holds = append(f.Terminal.Holds, tracking.Hold(h))
		}
	}
	return f
}

// readWorld reads all that is shown of the account.
func readWorld(b *trackingtest.Bench, w *simulation.World) (*shownWorld, error) {
	shown := &shownWorld{}
	list, _, err := b.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{})
	if err != nil {
		return nil, err
	}
	ships := shipNumbers(w)
	for _, s := range list {
		one, err := shown.readShipment(b, s, ships)
		if err != nil {
			return nil, err
		}
		shown.shipments = append(shown.shipments, one)
	}
	slices.Sort(shown.lines)
	return shown, nil
}

func (s *shownWorld) readShipment(b *trackingtest.Bench, ship *tracking.Shipment, ships map[string]string) (*shownShipment, error) {
	shown := &shownShipment{number: ship.BillOfLadingNumber, containers: map[string]*simulation.ShownContainer{}, ShownShipment: simulation.ShownShipment{
		POL: ship.PortOfLadingLOCODE, POD: ship.PortOfDischargeLOCODE, Destination: ship.DestinationLOCODE,
		POLETD: ship.POLETDAt, POLATD: ship.POLATDAt, PODETA: ship.PODETAAt, PODOriginalETA: ship.PODOriginalETAAt, PODATA: ship.PODATAAt,
		DestinationATA: ship.DestinationATAAt, PODVesselIMO: ship.PODVesselIMO, PODVesselName: ship.PODVesselName,
		StoppedReason: string(ship.LineTrackingStoppedReason),
	}}
	s.lines = append(s.lines, attributeLines("shipment "+shown.number, ship)...)
	list, _, err := b.Containers(ctx, tracking.ContainerQuery{Shipment: ship.ID, Removed: tracking.No}, tracking.Page{})
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		one, err := s.readContainer(b, c, ships)
		if err != nil {
			return nil, err
		}
		if shown.StoppedReason == "" {
			if err := s.findUnannounced(b, c); err != nil {
				return nil, err
			}
		}
		ports, err := portsOf(b, c)
		if err != nil {
			return nil, err
		}
		s.lines = append(s.lines, fmt.Sprintf("container %s route %v", c.Number, ports))
		shown.Containers, shown.route = append(shown.Containers, c.Number), append(shown.route, ports...)
		shown.containers[c.Number] = one
	}
	return shown, nil
}

func (s *shownWorld) readContainer(b *trackingtest.Bench, c *tracking.Container, ships map[string]string) (*simulation.ShownContainer, error) {
	milestones, err := milestonesOf(b, c, ships)
	if err != nil {
		return nil, err
	}
	shown := &simulation.ShownContainer{
		Status: string(c.CurrentStatus), EmptyOutAt: c.EmptyOutAt, POLFullInAt: c.POLFullInAt, POLVesselLoadedAt: c.POLVesselLoadedAt,
		POLVesselDepartedAt: c.POLVesselDepartedAt, PODArrivedAt: c.PODArrivedAt, PODDischargedAt: c.PODDischargedAt,
		PODFullOutAt: c.PODFullOutAt, PODRailLoadedAt: c.PODRailLoadedAt, PODRailDepartedAt: c.PODRailDepartedAt,
		INDATAAt: c.INDATAAt, INDRailUnloadedAt: c.INDRailUnloadedAt, FinalDestinationFullOutAt: c.FinalDestinationFullOutAt,
		DeliveredAt: c.DeliveredAt, EmptyTerminatedAt: c.EmptyTerminatedAt,
		AvailabilityKnown: c.AvailabilityKnown, AvailableForPickup: c.AvailableForPickup, Milestones: milestones,
	}
	if c.PODTerminal != (tracking.ID{}) {
		terminal, err := b.Terminal(ctx, c.PODTerminal)
		if err != nil {
			return nil, err
		}
		shown.PODTerminal = terminal.SMDGCode
	}
	s.lines = append(s.lines, attributeLines("container "+c.Number, c)...)
	s.lines = append(s.lines, fmt.Sprintf("container %s terminal %s", c.Number, shown.PODTerminal))
	for _, m := range milestones {
		s.lines = append(s.lines, fmt.Sprintf("container %s %s %s %s %s", c.Number, m.Event, m.At.Format(time.RFC3339), m.LOCODE, m.ShipIMO))
	}
	return shown, nil
}

// findUnannounced notes the milestones that stand and were never announced:
// no report is silent. What is learned of a stopped shipment is not announced.
func (s *shownWorld) findUnannounced(b *trackingtest.Bench, c *tracking.Container) error {
	events, _, err := b.TransportEvents(ctx, tracking.TransportEventQuery{Container: c.ID, Invalidated: tracking.No}, tracking.Page{})
	for _, e := range events {
		if e.AnnouncedAt.IsZero() {
			s.told = append(s.told, fmt.Sprintf("never announced: %s of %s at %s", e.Event, c.Number, e.LocationLOCODE))
		}
	}
	return err
}

// portsOf are the ports on the way of a container.
func portsOf(b *trackingtest.Bench, c *tracking.Container) (ports []string, err error) {
	route, err := b.ContainerRoute(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, l := range route.Locations {
		port, err := b.Port(ctx, l.Location)
		if err != nil {
			return nil, err
		}
		ports = append(ports, port.Code)
	}
	return ports, nil
}

// shipNumbers are the IMO numbers by the names of the ships of a world.
func shipNumbers(w *simulation.World) map[string]string {
	numbers := map[string]string{}
	for _, box := range w.Boxes {
		for _, journey := range box.Journeys {
			for _, leg := range journey.Legs {
				numbers[strings.ToUpper(leg.Voyage.Ship.Name)] = leg.Voyage.Ship.IMO
			}
		}
	}
	return numbers
}

// milestonesOf returns the milestones of a container that stand.
func milestonesOf(b *trackingtest.Bench, c *tracking.Container, ships map[string]string) (list []simulation.ShownMilestone, err error) {
	events, _, err := b.TransportEvents(ctx, tracking.TransportEventQuery{Container: c.ID, Invalidated: tracking.No}, tracking.Page{})
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		if isEstimate(e.Event) {
			continue
		}
		m := simulation.ShownMilestone{Event: strings.TrimPrefix(string(e.Event), "container.transport."), At: e.Timestamp, LOCODE: e.LocationLOCODE}
		if e.Vessel != (tracking.ID{}) {
			ship, err := b.Vessel(ctx, e.Vessel)
			if err != nil {
				return nil, err
			}
			if m.ShipIMO = ship.IMO; m.ShipIMO == "" {
				m.ShipIMO = ships[strings.ToUpper(ship.Name)]
			}
		}
		list = append(list, m)
	}
	return list, nil
}

// ofLearning are the attributes that tell when something was learned, and what came of
// asking the line: a shipment that is followed again is asked for at once, and in another
// order of learning it may never have been stopped.
var ofLearning = []string{
	"created_at", "updated_at", "line_tracking_stopped_at", "line_tracking_last_attempted_at", "line_tracking_last_succeeded_at",
	"line_tracking_last_failed_reason", "shipment_last_tracking_request_at",
}

// attributeLines is one line for each attribute of a resource, and one for
// itself.
func attributeLines(of string, resource any) (lines []string) {
	lines = []string{of + " shown"}
	v := reflect.ValueOf(resource).Elem()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("attr"), ",")
		if name != "" && !slices.Contains(ofLearning, name) {
			lines = append(lines, fmt.Sprintf("%s %s %s", of, name, valueText(v.Field(i).Interface())))
		}
	}
	return lines
}
