package client_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// everyPlace calls all operations on places, vessels and routes.
func (b *bench) everyPlace(t *testing.T, s *tracking.Shipment, container *tracking.Container) {
	t.Helper()
	ctx, engine := t.Context(), b.Tracker
	ports := all(t, b.Client.Ports(tracking.PortQuery{Codes: []string{"usoak", "CNSHA"}, Countries: []string{"US"}, Name: "land"}))
	if len(ports) != 1 || ports[0].ID != s.PortOfDischarge {
		t.Errorf("%d ports", len(ports))
	}
	american := all(t, b.Client.Ports(tracking.PortQuery{Countries: []string{"us"}}))
	if len(american) < 101 || slices.ContainsFunc(american, func(p *tracking.Port) bool { return p.CountryCode != "US" }) {
		t.Errorf("%d American ports", len(american))
	}
	area := must[*tracking.MetroArea](t)(engine.MetroArea(ctx, engine.MetroAreaID("USOAK")))
	area.Version = 0 // reference entities have no ETag: nobody changes them
	compareRecords(t, "metro area", must[*tracking.MetroArea](t)(b.Client.MetroArea(ctx, "usoak")), area)
	terminals := must[*client.Page[tracking.Terminal]](t)(b.Client.Terminals(tracking.TerminalQuery{Ports: []tracking.ID{s.PortOfDischarge}, Codes: []string{"TRAP"}, Name: "trap"}, "port").Page(ctx, tracking.Page{}))
	if len(terminals.Records) != 1 || terminals.Records[0].ID != s.PODTerminal || find[tracking.Port](terminals.Included, s.PortOfDischarge) == nil {
		t.Errorf("the terminals are %+v", terminals)
	}
	if ships := all(t, b.Client.Vessels(tracking.VesselQuery{IMOs: []string{"9321483"}, Name: "star"})); len(ships) != 1 || ships[0].Name != "EXAMPLE STAR" {
		t.Errorf("the vessels are %+v", ships)
	}
	if ships := all(t, b.Client.Vessels(tracking.VesselQuery{Name: "moon"})); len(ships) != 0 {
		t.Errorf("the vessels are %+v", ships)
	}

	found := must[[]*tracking.SearchResult](t)(b.Client.Search(ctx, "mrku 9465"))
	compareRecords(t, "search", found, must[[]*tracking.SearchResult](t)(engine.Search(ctx, "mrku 9465")))
	if len(found) == 0 {
		t.Error("nothing is found")
	}
	if refused := (*client.Error)(nil); !errors.As(errorOf(b.Client.Search(ctx, " ")), &refused) || refused.Status != http.StatusBadRequest {
		t.Errorf("a blank search is %v", refused)
	}

	way := must[client.Answer[tracking.SeaRoute]](t)(b.Client.ContainerRoute(ctx, container.ID, "port", "vessel"))
	compareRecords(t, "route", way.Record, must[*tracking.SeaRoute](t)(engine.ContainerRoute(ctx, container.ID)))
	if n := len(way.Record.Locations); n != 2 {
		t.Fatalf("the route has %d locations", n)
	}
	last := way.Record.Locations[1]
	if p, v := find[tracking.Port](way.Included, last.Location), find[tracking.Vessel](way.Included, last.InboundVessel); p == nil || p.Code != "USOAK" || v == nil || v.IMO != "9321483" {
		t.Errorf("the route ends at %v by %v", p, v)
	}
	drawn := must[*tracking.Map](t)(b.Client.ContainerMap(ctx, container.ID))
	compareRecords(t, "map", drawn, must[*tracking.Map](t)(engine.ContainerMap(ctx, container.ID)))
	if len(drawn.Features) < 3 {
		t.Errorf("the map has %d features", len(drawn.Features))
	}
	for name, err := range map[string]error{
		"the way of no container": errorOf(b.Client.ContainerRoute(ctx, uuid.New())),
		"the map of no container": errorOf(b.Client.ContainerMap(ctx, uuid.New())),
		"no area":                 errorOf(b.Client.MetroArea(ctx, "XXXXX")),
	} {
		if !errors.Is(err, tracking.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}

	for name, err := range map[string]error{ // this server knows no positions
		"past":       errorOf(b.Client.VesselPositions(ctx, "9321483", tracking.TimeRange{})),
		"future":     errorOf(b.Client.FuturePositions(ctx, "9321483", s.PortOfDischarge, s.PortOfLading, nil)),
		"from there": errorOf(b.Client.FuturePositions(ctx, "9321483", s.PortOfDischarge, s.PortOfLading, &tracking.Point{})),
	} {
		if refused := (*client.Error)(nil); !errors.As(err, &refused) || refused.Status != http.StatusForbidden {
			t.Errorf("%s positions: %v", name, err)
		}
	}
}

// fixedPositions is a tracking.Positions with fixed positions in the Pacific.
type fixedPositions struct{}

func (fixedPositions) Past(_ context.Context, q freight.PositionQuery) ([]tracking.Position, error) {
	heading := 88.5
	return []tracking.Position{{Latitude: 40, Longitude: 175, At: q.From}, {Latitude: 41.25, Longitude: -175, Heading: &heading, At: q.To}}, nil
}

func (fixedPositions) Ahead(_ context.Context, q freight.CourseQuery) ([]tracking.Position, error) {
	return []tracking.Position{
		{Latitude: q.From.Latitude, Longitude: q.From.Longitude, At: q.Now, Estimated: true},
		{Latitude: q.To.Latitude, Longitude: q.To.Longitude, At: q.Now.Add(time.Hour), Estimated: true},
	}, nil
}

// Past and future positions are those of the engine.
func TestPositions(t *testing.T) {
	b, ctx := newBenchOn(t, trackingtest.New(t, func(c *tracking.Config) { c.Positions = fixedPositions{} })), t.Context()
	receipt := must[tracking.Receipt](t)(b.Report(ctx, voyage("MAEU77001")))
	s := must[client.Answer[tracking.Shipment]](t)(b.Client.Shipment(ctx, receipt.ShipmentIDs[0])).Record
	engine, id := b.Tracker, tracking.VesselID("9321483")
	positions := must[[]tracking.Position](t)
	for name, span := range map[string]tracking.TimeRange{
		"the last week": {},
		"since":         {From: b.Clock.Now().Add(-time.Hour)},
		"until":         {To: b.Clock.Now().Add(-time.Hour)},
		"between":       {From: b.Clock.Now().Add(-2 * time.Hour).In(time.FixedZone("", 3600)), To: b.Clock.Now()},
	} {
		got := positions(b.Client.VesselPositions(ctx, "9321483", span))
		compareRecords(t, name, got, positions(engine.VesselPositions(ctx, id, tracking.TimeRange{From: utc(span.From), To: utc(span.To)})))
		if len(got) != 2 || got[1].Heading == nil || got[1].Longitude != -175 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	compareRecords(t, "ahead", positions(b.Client.FuturePositions(ctx, id.String(), s.PortOfDischarge, s.PortOfLading, nil)), positions(engine.FuturePositions(ctx, id, s.PortOfDischarge, s.PortOfLading, nil)))
	here := &tracking.Point{Latitude: 37.5, Longitude: -130.0625}
	ahead := positions(b.Client.FuturePositions(ctx, "9321483", s.PortOfDischarge, s.PortOfLading, here))
	compareRecords(t, "ahead of there", ahead, positions(engine.FuturePositions(ctx, id, s.PortOfDischarge, s.PortOfLading, here)))
	if ahead[0].Point() != *here || !ahead[0].Estimated {
		t.Errorf("it is at %+v", ahead[0])
	}
	var refused *client.Error
	err := errorOf(b.Client.VesselPositions(ctx, "9321483", tracking.TimeRange{From: b.Clock.Now(), To: b.Clock.Now().Add(-time.Hour)}))
	if !errors.As(err, &refused) || refused.Status != http.StatusUnprocessableEntity || refused.Faults[0].Parameter != "show_positions[from_timestamp]" {
		t.Errorf("a span that ends before it begins: %v", err)
	}
	if err := errorOf(b.Client.VesselPositions(ctx, "9321484", tracking.TimeRange{})); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("of no vessel: %v", err)
	}
}

// utc converts a time to UTC, except the zero time.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC()
}
