package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/source/sandbox"
	"github.com/landfallhq/tracking/trackingtest"
)

func TestDraw(t *testing.T) {
	const m = `{"type":"FeatureCollection","features":[
		{"type":"Feature","geometry":{"type":"Point","coordinates":[170,30]},"properties":{"feature_type":"port","label":"POL"}},
		{"type":"Feature","geometry":{"type":"LineString","coordinates":[[170,30],[180,32]]},"properties":{"feature_type":"past_vessel_locations"}},
		{"type":"Feature","geometry":{"type":"LineString","coordinates":[[-180,32],[-170,30]]},"properties":{"feature_type":"estimated_full_legs"}},
		{"type":"Feature","geometry":{"type":"Point","coordinates":[-170,30]},"properties":{"feature_type":"port","label":"POD"}},
		{"type":"Feature","geometry":null,"properties":{"feature_type":"port","label":"TS1"}}]}`
	var out bytes.Buffer
	if err := run(strings.NewReader(m), &out); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	// 20 degrees and a margin on both sides fill the width.
	scale := width / (20 + 2*margin)
	for _, row := range []struct {
		lon, lat float64
		want     any
	}{{170, 30, port}, {190, 30, port}, {175, 31, past}, {171, 38, sea}} {
		x, y := int((row.lon-170+margin)*scale), int((32+margin-row.lat)*scale)
		if got := picture.At(x, y); got != row.want {
			t.Errorf("at %v,%v: %v, want %v", row.lon, row.lat, got, row.want)
		}
	}
	for _, bad := range []string{"", "{}", `{"features":[{"geometry":{"type":"Point","coordinates":7}}]}`} {
		if err := run(strings.NewReader(bad), &out); err == nil {
			t.Errorf("%q is drawn", bad)
		}
	}
}

// TestVoyages draws the map of each scripted voyage at several times. The ports must
// be in order, and no line may go around the globe. Set LANDFALL_MAPS to a directory
// to keep the images.
func TestVoyages(t *testing.T) {
	ships := 0
	for _, name := range []string{"SIMPLE", "TRANSSHIP", "FEEDER", "RAIL", "HOLDS", "ETA-CHANGE", "MULTI"} {
		for _, start := range []string{"", "-20", "-40", "-55", "-95"} {
			number := "TEST-VOYAGE-" + name + start
			drawn := voyageMap(t, number)
			ships += checkMap(t, number, drawn)
			var in, out bytes.Buffer
			if err := json.NewEncoder(&in).Encode(drawn); err != nil {
				t.Fatal(err)
			}
			if err := run(&in, &out); err != nil {
				t.Errorf("%s: %v", number, err)
			}
			if dir := os.Getenv("LANDFALL_MAPS"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, number+".png"), out.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if ships == 0 {
		t.Error("no map shows a ship at sea")
	}
}

// voyageMap tracks a voyage of the sandbox and draws its first container.
func voyageMap(t *testing.T, number string) *tracking.Map {
	t.Helper()
	ctx := context.Background()
	b := trackingtest.New(t, func(c *tracking.Config) {
		c.Sources = tracking.Sources{sandbox.SCAC: sandbox.New(sandbox.Config{})}
		c.Positions = sandbox.Positions{}
	})
	_, err := b.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: number, Type: tracking.BillOfLading, SCAC: sandbox.SCAC})
	if err != nil {
		t.Fatal(err)
	}
	b.Pass(10 * time.Second)
	containers, _, err := b.Containers(ctx, tracking.ContainerQuery{}, tracking.Page{})
	if err != nil || len(containers) == 0 {
		t.Fatalf("%s: %d containers: %v", number, len(containers), err)
	}
	drawn, err := b.ContainerMap(ctx, containers[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return drawn
}

// checkMap returns how many ships are at sea.
func checkMap(t *testing.T, number string, m *tracking.Map) (ships int) {
	t.Helper()
	var labels []string
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var c collection
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	shapes, err := c.shapes()
	if err != nil {
		t.Fatalf("%s: %v", number, err)
	}
	for _, s := range shapes {
		if s.kind == "port" {
			labels = append(labels, s.label)
		}
		if s.kind == "current_vessel" {
			ships++
		}
		for i := 1; s.line && i < len(s.points); i++ {
			if math.Abs(s.points[i][0]-s.points[i-1][0]) > 180 {
				t.Errorf("%s: a segment from %v to %v", number, s.points[i-1], s.points[i])
			}
		}
	}
	want := []string{"POL", "POD"}
	if strings.Contains(number, "TRANSSHIP") || strings.Contains(number, "FEEDER") {
		want = []string{"POL", "TS1", "POD"}
	}
	if fmt.Sprint(labels) != fmt.Sprint(want) {
		t.Errorf("%s: the ports are %v, want %v", number, labels, want)
	}
	return ships
}
