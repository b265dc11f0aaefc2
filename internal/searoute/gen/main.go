// Command gen packs the network of sea lanes into lanes.bin.gz, which searoute embeds:
//
//	go run ./internal/searoute/gen path/to/marnet.geojson
//
// The network is marnet.geojson of the package searoute-py (internal/searoute/NOTICE). Its
// lines are kept as they are, but for these corrections:
//
//   - The Arctic passages are left out: no container line sails them, and on the globe they
//     are the shortest way from Japan to Europe.
//   - The passages Suez and Panama are the canals alone. The network counts the Gulf of Suez
//     and the approaches of Panama among them, so that their ports would be cut off when the
//     canal is barred.
//   - Every lane that crosses 21 degrees east south of Africa is one round the Cape of Good
//     Hope. The network has forgotten one.
//   - The meridians 180 and -180 are one.
//   - A point within a cable (185 metres) of a lane is made part of it. Some lanes end on
//     another without sharing a point, so that ships could not turn into them.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"log"
	"maps"
	"math"
	"os"
	"slices"
)

// scale is the resolution: a ten-thousandth of a degree, 11 metres or less.
const scale = 1e4

// passages are the names of passages in the network. Their places in the list are the
// numbers in the packed file; searoute has the same list.
var passages = []string{"", "suez", "panama", "malacca", "gibraltar", "babalmandab", "ormuz", "bosporus", "dardanelles", "sunda", "south_africa", "chili"}

var arctic = map[string]bool{"northwest": true, "bering": true}

// point is a position in units of the scale: longitude, latitude.
type point [2]int32

// line is a line of the network that belongs to one passage, 0 for none.
type line struct {
	passage byte
	points  []point
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go run ./internal/searoute/gen path/to/marnet.geojson")
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	lines, err := read(text)
	if err != nil {
		log.Fatal(err)
	}
	packed, err := pack(joined(capes(canals(lines))))
	if err != nil {
		log.Fatal(err)
	}
	const file = "internal/searoute/lanes.bin.gz"
	if err := os.WriteFile(file, packed, 0o644); err != nil {
		log.Fatal(err)
	}
	log.Printf("%s: %d bytes", file, len(packed))
}

// read returns the lines of the network.
func read(text []byte) (list []line, err error) {
	var network struct {
		Features []struct {
			Properties struct{ Passage string }
			Geometry   struct {
				Type        string
				Coordinates json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(text, &network); err != nil {
		return nil, err
	}
	for _, f := range network.Features {
		if arctic[f.Properties.Passage] {
			continue
		}
		parts := make([][][2]float64, 1)
		to := any(&parts[0])
		if f.Geometry.Type == "MultiLineString" {
			to = &parts
		}
		if err := json.Unmarshal(f.Geometry.Coordinates, to); err != nil {
			return nil, err
		}
		for _, part := range parts {
			l := line{passage: number(f.Properties.Passage)}
			for _, p := range part {
				l.points = append(l.points, quantized(p[0], p[1]))
			}
			list = append(list, l)
		}
	}
	return list, nil
}

func number(passage string) byte {
	for i, name := range passages {
		if name == passage {
			return byte(i)
		}
	}
	log.Fatalf("the passage %q is new: give it a number", passage)
	return 0
}

// quantized returns a position with its longitude above -180 and up to 180 degrees.
func quantized(longitude, latitude float64) point {
	p := point{int32(math.Round(longitude * scale)), int32(math.Round(latitude * scale))}
	if p[0] <= -180*scale {
		p[0] += 360 * scale
	} else if p[0] > 180*scale {
		p[0] -= 360 * scale
	}
	return p
}

// canal is a canal between the points where ships enter it.
type canal struct {
	passage  byte
	from, to point
}

var dug = []canal{
	{number("suez"), quantized(32.31010400000001, 31.102922), quantized(32.565, 29.93)},
	{number("panama"), quantized(-79.921, 9.37), quantized(-79.545, 8.905)},
}

// canals returns the lines with canals from entrance to entrance.
func canals(lines []line) (list []line) {
next:
	for _, l := range lines {
		for _, c := range dug {
			if l.passage == c.passage {
				list = append(list, c.split(l)...)
				continue next
			}
		}
		list = append(list, l)
	}
	return list
}

// split returns the line in parts: the canal, and what lies outside its entrances.
func (c canal) split(l line) (parts []line) {
	points := insert(insert(l.points, c.from), c.to)
	inside := byte(0)
	part := line{passage: 0}
	for _, p := range points {
		part.points = append(part.points, p)
		if p == c.from || p == c.to {
			if len(part.points) > 1 {
				parts = append(parts, part)
			}
			inside = c.passage - inside
			part = line{inside, []point{p}}
		}
	}
	if len(part.points) > 1 {
		parts = append(parts, part)
	}
	return parts
}

// insert returns the points with one more in the leg that it lies nearest to, unless it is
// one of them.
func insert(points []point, p point) []point {
	best, at := math.Inf(1), 0
	for i, q := range points {
		if q == p {
			return points
		}
		if i == 0 {
			continue
		}
		if detour := apart(points[i-1], p) + apart(p, q) - apart(points[i-1], q); detour < best {
			best, at = detour, i
		}
	}
	return append(append(append([]point{}, points[:at]...), p), points[at:]...)
}

// capes returns the lines with all that lead round the Cape of Good Hope in its passage.
func capes(lines []line) (list []line) {
	const meridian, south = 21 * scale, -34 * scale
	for _, l := range lines {
		start := 0
		for i := 1; i < len(l.points); i++ {
			a, b := l.points[i-1], l.points[i]
			if l.passage != 0 || a[1] > south || b[1] > south || (a[0] < meridian) == (b[0] < meridian) || math.Abs(float64(a[0]-b[0])) > 180*scale {
				continue
			}
			if i-1 > start {
				list = append(list, line{0, l.points[start:i]})
			}
			list = append(list, line{number("south_africa"), l.points[i-1 : i+1]})
			start = i
		}
		if start < len(l.points)-1 {
			list = append(list, line{l.passage, l.points[start:]})
		}
	}
	return list
}

func apart(a, b point) float64 {
	return math.Hypot(float64(a[0]-b[0]), float64(a[1]-b[1]))
}

// cable is a tenth of a nautical mile, rounded up to units of the scale.
const cable = 17

// joined returns the lines with the points of others that lie on them.
func joined(lines []line) []line {
	neighbours := map[point][]point{}
	for _, l := range lines {
		for i, p := range l.points {
			neighbours[p] = append(neighbours[p], p)
			if i > 0 {
				q := l.points[i-1]
				neighbours[p], neighbours[q] = append(neighbours[p], q), append(neighbours[q], p)
			}
		}
	}
	all := slices.SortedFunc(maps.Keys(neighbours), func(p, q point) int { return cmp.Or(cmp.Compare(p[1], q[1]), cmp.Compare(p[0], q[0])) })
	for i, l := range lines {
		var points []point
		for k, p := range l.points {
			if k > 0 {
				points = append(points, on(l.points[k-1], p, all, neighbours)...)
			}
			points = append(points, p)
		}
		lines[i].points = points
	}
	return lines
}

// on returns the points that lie on the leg from a to b, in its order, but for those that
// are joined to an end already. all is sorted by latitude.
func on(a, b point, all []point, neighbours map[point][]point) (list []point) {
	if math.Abs(float64(a[0]-b[0])) > 180*scale {
		return nil // over the antimeridian
	}
	along := map[point]float64{}
	from, _ := slices.BinarySearchFunc(all, min(a[1], b[1])-cable, func(p point, latitude int32) int { return cmp.Compare(p[1], latitude) })
	for _, p := range all[from:] {
		if p[1] > max(a[1], b[1])+cable {
			break
		}
		away, fraction := distance(p, a, b)
		if away < cable && !slices.Contains(neighbours[a], p) && !slices.Contains(neighbours[b], p) {
			along[p] = fraction
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(p, q point) int { return cmp.Compare(along[p], along[q]) })
	return list
}

// distance returns how far a point is from a leg, in units of latitude, and the fraction of
// the leg that it is nearest to.
func distance(p, a, b point) (away, fraction float64) {
	shrink := math.Cos(float64(p[1]) / scale * math.Pi / 180)
	x, y := shrink*float64(b[0]-a[0]), float64(b[1]-a[1])
	px, py := shrink*float64(p[0]-a[0]), float64(p[1]-a[1])
	fraction = min(1, max(0, (px*x+py*y)/max(1, x*x+y*y)))
	return math.Hypot(px-fraction*x, py-fraction*y), fraction
}

// pack writes the lines as varints: the passage, the number of points, and each point as
// its difference from the one before in the file.
func pack(lines []line) ([]byte, error) {
	var text []byte
	var last point
	for _, l := range lines {
		text = append(text, l.passage)
		text = binary.AppendUvarint(text, uint64(len(l.points)))
		for _, p := range l.points {
			text = binary.AppendVarint(text, int64(p[0]-last[0]))
			text = binary.AppendVarint(text, int64(p[1]-last[1]))
			last = p
		}
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return packed.Bytes(), err
}
