package freight

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

var points = rapid.Custom(func(t *rapid.T) Point {
	return Point{Latitude: rapid.Float64Range(-89, 89).Draw(t, "latitude"), Longitude: rapid.Float64Range(-180, 180).Draw(t, "longitude")}
})

func TestDistance(t *testing.T) {
	for _, row := range []struct {
		from, to Point
		km       float64
	}{
		{Point{Latitude: 0, Longitude: 0}, Point{Latitude: 0, Longitude: 0}, 0},
		{Point{Latitude: 0, Longitude: 0}, Point{Latitude: 0, Longitude: 90}, 10_007.6},
		{Point{Latitude: 90, Longitude: 0}, Point{Latitude: -90, Longitude: 77}, 20_015.1},
		{Point{Latitude: 0, Longitude: 0}, Point{Latitude: 60, Longitude: 90}, 10_007.6},
		{Point{Latitude: 0, Longitude: 0}, Point{Latitude: 45, Longitude: 45}, 6_671.7},      // the cosine is a half
		{Point{Latitude: 0, Longitude: 179.5}, Point{Latitude: 0, Longitude: -179.5}, 111.2}, // over the antimeridian
		{Point{Latitude: 45, Longitude: 0}, Point{Latitude: -45, Longitude: 180}, 20_015.1},  // opposite
	} {
		if got := row.from.Distance(row.to); math.Abs(got-row.km) > 0.1 {
			t.Errorf("from %v to %v: %.1f km, want %.1f", row.from, row.to, got, row.km)
		}
	}
}

// A path begins and ends where it should, is no longer than the distance, and
// has no step much longer than the others.
func TestPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := points.Draw(t, "p"), points.Draw(t, "q")
		line, length := p.Path(q), 0.0
		if line[0] != p || line[len(line)-1] != q {
			t.Fatalf("it goes from %v to %v", line[0], line[len(line)-1])
		}
		for i := 1; i < len(line); i++ {
			step := line[i-1].Distance(line[i])
			if length += step; step > stepKm*1.01 {
				t.Fatalf("a step of %.0f km", step)
			}
		}
		if d := p.Distance(q); math.Abs(length-d) > 1 {
			t.Fatalf("%.1f km for %.1f", length, d)
		}
	})
}

// A path that is cut at the antimeridian has no segment round the globe, its ends lie on
// the antimeridian, and it loses no point.
func TestSplitAtAntimeridian(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := points.Draw(t, "p").Path(points.Draw(t, "q"))
		parts := SplitAtAntimeridian(line)
		kept := map[Point]bool{}
		for i, part := range parts {
			if len(part) < 2 {
				t.Fatalf("part %d has %d points", i, len(part))
			}
			for k, p := range part {
				kept[p] = true
				if k > 0 && math.Abs(p.Longitude-part[k-1].Longitude) > 180 {
					t.Fatalf("a segment from %v to %v", part[k-1], p)
				}
				if math.Abs(p.Longitude) > 180 || math.Abs(p.Latitude) > 90 {
					t.Fatalf("%v is nowhere", p)
				}
			}
			if i > 0 {
				if end, begin := parts[i-1][len(parts[i-1])-1], part[0]; math.Abs(end.Longitude) != 180 || begin.Longitude != -end.Longitude || math.Abs(begin.Latitude-end.Latitude) > 1e-9 {
					t.Fatalf("cut between %v and %v", end, begin)
				}
			}
		}
		for _, p := range line {
			if !kept[p] && math.Abs(p.Longitude) != 180 {
				t.Fatalf("%v is lost", p)
			}
		}
	})
	for _, line := range [][]Point{
		{{Latitude: 0, Longitude: 179}, {Latitude: 0, Longitude: 180}, {Latitude: 0, Longitude: -179}},
		{{Latitude: 0, Longitude: 179}, {Latitude: 0, Longitude: -180}, {Latitude: 0, Longitude: -179}},
		{{Latitude: 0, Longitude: 180}, {Latitude: 0, Longitude: -179}},
		{{Latitude: 10, Longitude: 170}, {Latitude: 10, Longitude: -170}},
		{{Latitude: 0, Longitude: -179}, {Latitude: 0, Longitude: 179}},
		{{Latitude: 1, Longitude: 180}, {Latitude: 2, Longitude: -180}, {Latitude: 3, Longitude: 180}, {Latitude: 4, Longitude: -180}},
	} {
		for _, part := range SplitAtAntimeridian(line) {
			for k := 1; k < len(part); k++ {
				if math.Abs(part[k].Longitude-part[k-1].Longitude) > 180 {
					t.Errorf("%v: a segment from %v to %v", line, part[k-1], part[k])
				}
			}
		}
	}
}
