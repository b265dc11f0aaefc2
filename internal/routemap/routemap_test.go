package routemap

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/searoute"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func port(locode string, role freight.Role, latitude, longitude float64) Port {
	return Port{
		PortCall: journey.PortCall{Place: freight.Place{LOCODE: locode, Role: role}}, ID: uuid.NewSHA1(uuid.Nil, []byte(locode)),
		Name: locode, CountryCode: locode[:2], Position: &freight.Point{Latitude: latitude, Longitude: longitude},
	}
}

// aboard is a route with a past leg, a leg under way and a leg ahead.
func aboard() []Port {
	ports := []Port{
		port("CNSHA", freight.RolePOL, 31.2, 121.5), port("KRPUS", freight.RoleTS, 35.1, 129), port("USLAX", freight.RoleTS, 33.7, -118.3), port("USSAN", freight.RolePOD, 32.7, -117.2),
	}
	ship := journey.Carriage{Known: true, Vessel: freight.VesselRef{Name: "Ever Given"}, Voyage: "12E"}
	ports[0].Out, ports[0].Left, ports[1].Reached, ports[1].Left = ship, true, true, true
	ports[1].In.Vessel, ports[2].In = freight.VesselRef{Name: "Feeder"}, ship
	ports[2].In.Estimated = freight.Moment{Time: noon.Add(240 * time.Hour)}
	return ports
}

// TestDraw: ports and legs follow one another; the ship stands before the path behind it.
func TestDraw(t *testing.T) {
	ports := aboard()
	legs := Legs(ports)
	legs[1].VesselID = uuid.New()
	at := noon.Add(-time.Hour)
	legs[1].Track = []freight.Position{
		{Latitude: 36, Longitude: 150, At: at.Add(-time.Hour)}, {Latitude: 37.123456, Longitude: 160, At: at}, {Latitude: 38, Longitude: 170, At: noon, Estimated: true},
	}
	draw := func() (list []string) {
		for _, f := range Draw(ports, legs, noon, noon) {
			text, err := json.Marshal(f.Properties)
			if err != nil {
				t.Fatal(err)
			}
			var p struct {
				Type   string `json:"feature_type"`
				Label  string `json:"label"`
				Points int    `json:"point_count"`
				Scheme bool   `json:"schematic"`
			}
			if err := json.Unmarshal(text, &p); err != nil {
				t.Fatal(err)
			}
			list = append(list, fmt.Sprintf("%s%s %v %v", p.Type, p.Label, p.Points > 0, p.Scheme))
		}
		return list
	}
	want := []string{
		"portPOL false false", "past_vessel_locations true true", "portTS1 false false",
		"current_vessel false false", "past_vessel_locations true false",
		"estimated_partial_leg true true", "estimated_partial_leg true true", // cut at the antimeridian
		"portTS2 false false", "estimated_full_legs true true", "portPOD false false",
	}
	if got := draw(); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	for what, change := range map[string]func(){
		"an old position":     func() { legs[1].Track[1].At = noon.Add(-recent - time.Second) },
		"an unknown vessel":   func() { legs[1].VesselID = uuid.Nil },
		"an ended leg":        func() { legs[1].To.Reached = true },
		"a time of arrival":   func() { legs[1].To.In.Actual = freight.Moment{Time: noon} },
		"only estimates":      func() { legs[1].Track = legs[1].Track[2:] },
		"an unknown position": func() { legs[1].To.Position = nil },
	} {
		before, track := legs[1], slices.Clone(legs[1].Track)
		change()
		if got := draw(); slices.Contains(got, want[3]) || slices.Contains(got, want[5]) {
			t.Errorf("%s: the ship is at sea: %q", what, got)
		}
		legs[1] = before
		legs[1].Track = track
	}
}

// TestDrawAvoiding: paths follow the lanes, of a leg ahead and of what is left for a ship,
// and keep out of a canal that is avoided.
func TestDrawAvoiding(t *testing.T) {
	ports := []Port{port("SGSIN", freight.RolePOL, 1.28, 103.85), port("NLRTM", freight.RolePOD, 51.92, 4.5)}
	legs := Legs(ports)
	for _, row := range []struct {
		what     string
		avoiding []searoute.Passage
		south    bool // of the equator
	}{{"through Suez", nil, false}, {"round the Cape", []searoute.Passage{searoute.Suez}, true}} {
		for _, underWay := range []bool{false, true} {
			legs[0].From.Left, legs[0].Track = underWay, nil
			if underWay {
				legs[0].VesselID, legs[0].Track = uuid.New(), []freight.Position{{Latitude: 5.9, Longitude: 94, At: noon}}
			}
			south, siberia, end := false, false, [2]float64{}
			for _, f := range Draw(ports, legs, noon, noon, row.avoiding...) {
				line, ok := f.Geometry.Coordinates.([][2]float64)
				if !ok {
					continue
				}
				for _, p := range line {
					south = south || p[1] < -30
					siberia = siberia || p[1] > 33 && p[0] > 50
				}
				end = line[len(line)-1]
			}
			if south != row.south || siberia || end != coordinates(*ports[1].Position) {
				t.Errorf("%s, under way %v: south %v, overland %v, to %v", row.what, underWay, south, siberia, end)
			}
		}
	}
}

// TestPassages: those of the vessel with known positions, last first.
func TestPassages(t *testing.T) {
	ports := aboard()
	for _, row := range []struct {
		ask  freight.VesselRef
		want []float64 // latitudes where they begin
	}{
		{freight.VesselRef{Name: "EVER GIVEN"}, []float64{31.2}},
		{freight.VesselRef{Name: "Feeder"}, nil}, // the outbound vessel of the port before is the better one
		{freight.VesselRef{IMO: "9811000", Name: "Ever Given"}, []float64{31.2}},
		{freight.VesselRef{}, nil},
	} {
		ports[1].Out.Vessel = freight.VesselRef{Name: "Other"}
		var got []float64
		for _, p := range Passages(ports, row.ask) {
			got = append(got, p.From.Latitude)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%+v: %v, not %v", row.ask, got, row.want)
		}
	}
	ports[1].Out.Vessel = ports[0].Out.Vessel
	if got := Passages(ports, ports[0].Out.Vessel); len(got) != 2 || got[0].From != *ports[1].Position {
		t.Errorf("%+v", got)
	}
	ports[1].Position = nil
	if got := Passages(ports, ports[0].Out.Vessel); len(got) != 0 {
		t.Errorf("without a position: %+v", got)
	}
}

// TestMapsAreDrawn: every map has its ports in order, and no line jumps over the antimeridian.
func TestMapsAreDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ports := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Port {
			p := port("XXABC", rapid.SampledFrom([]freight.Role{freight.RolePOL, freight.RoleTS, freight.RolePOD}).Draw(t, "role"),
				rapid.Float64Range(-80, 80).Draw(t, "latitude"), rapid.Float64Range(-180, 180).Draw(t, "longitude"))
			p.Left, p.Reached = rapid.Bool().Draw(t, "left"), rapid.Bool().Draw(t, "reached")
			if rapid.IntRange(0, 4).Draw(t, "known") == 0 {
				p.Position = nil
			}
			return p
		}), 0, 5).Draw(t, "ports")
		legs := Legs(ports)
		if len(legs) != max(len(ports)-1, 0) {
			t.Fatalf("%d legs of %d ports", len(legs), len(ports))
		}
		drawn := 0
		for _, f := range Draw(ports, legs, noon, noon) {
			if p, ok := f.Properties.(portProperties); ok {
				drawn++
				if p.PortsSequence != drawn || p.PortsTotal != len(ports) || (f.Geometry == nil) != (ports[drawn-1].Position == nil) {
					t.Fatalf("port %d: %+v", drawn, p)
				}
				continue
			}
			if _, known := legs[drawn-1].Passage(); !known {
				t.Fatalf("leg %d is drawn without a position", drawn)
			}
			line := f.Geometry.Coordinates.([][2]float64)
			for i := 1; i < len(line); i++ {
				if math.Abs(line[i][0]-line[i-1][0]) > 180 {
					t.Fatalf("leg %d jumps from %v to %v", drawn, line[i-1], line[i])
				}
			}
		}
		if drawn != len(ports) {
			t.Fatalf("%d ports of %d", drawn, len(ports))
		}
	})
}
