// Command drawmap draws the response of GET /v2/containers/{id}/map_geojson as a PNG:
// the ports with labels, the past legs (blue), the future legs (grey), and the ship
// (red).
//
//	curl -H "Authorization: Token $KEY" http://127.0.0.1:8080/v2/containers/$ID/map_geojson | go run ./examples/drawmap > map.png
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "drawmap:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	var m collection
	if err := json.NewDecoder(in).Decode(&m); err != nil {
		return err
	}
	picture, err := draw(m)
	if err != nil {
		return err
	}
	return png.Encode(out, picture)
}

// collection is a GeoJSON FeatureCollection.
type collection struct {
	Features []struct {
		Geometry *struct {
			Type        string          `json:"type"`
			Coordinates json.RawMessage `json:"coordinates"`
		} `json:"geometry"`
		Properties struct {
			FeatureType string `json:"feature_type"`
			Label       string `json:"label"`
		} `json:"properties"`
	} `json:"features"`
}

// shape is a feature with its points: longitude and latitude in degrees.
type shape struct {
	kind, label string
	line        bool
	points      [][2]float64
}

func (m collection) shapes() (list []shape, err error) {
	for i, f := range m.Features {
		if f.Geometry == nil {
			continue
		}
		s := shape{kind: f.Properties.FeatureType, label: f.Properties.Label, line: f.Geometry.Type == "LineString"}
		if s.line {
			err = json.Unmarshal(f.Geometry.Coordinates, &s.points)
		} else {
			s.points = make([][2]float64, 1)
			err = json.Unmarshal(f.Geometry.Coordinates, &s.points[0])
		}
		if err != nil {
			return nil, fmt.Errorf("feature %d: %w", i, err)
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, errors.New("the map has nothing to draw")
	}
	return list, nil
}

const (
	width  = 1200
	margin = 8.0 // in degrees, around the drawing
)

var (
	sea    = color.RGBA{236, 243, 248, 255}
	grid   = color.RGBA{208, 220, 230, 255}
	border = color.RGBA{230, 120, 40, 255} // the antimeridian
	past   = color.RGBA{30, 80, 200, 255}
	ahead  = color.RGBA{120, 120, 120, 255}
	port   = color.RGBA{20, 20, 20, 255}
	ship   = color.RGBA{210, 30, 30, 255}
)

// canvas is an image of a part of the world.
type canvas struct {
	*image.RGBA
	west, north, scale float64 // scale: pixels per degree
	shifted            bool    // western longitudes are drawn east of 180
}

func draw(m collection) (*image.RGBA, error) {
	shapes, err := m.shapes()
	if err != nil {
		return nil, err
	}
	c := window(shapes)
	for lon := -180.0; lon <= 540; lon += 10 {
		shade := grid
		if math.Mod(lon, 360) == 180 || lon == -180 {
			shade = border
		}
		x := int((lon - c.west) * c.scale)
		for y := range c.Bounds().Dy() {
			c.dot(x, y, 0, shade)
		}
	}
	for lat := -90.0; lat <= 90; lat += 10 {
		y := int((c.north - lat) * c.scale)
		for x := range c.Bounds().Dx() {
			c.dot(x, y, 0, grid)
		}
	}
	for _, s := range shapes {
		if s.line {
			c.line(s)
		}
	}
	for _, s := range shapes {
		if !s.line {
			c.point(s)
		}
	}
	return c.RGBA, nil
}

// window selects the part of the world to draw. The antimeridian is in the middle if
// that part is narrower.
func window(shapes []shape) *canvas {
	type box struct{ west, east, south, north float64 }
	boxes := [2]box{}
	for i := range boxes {
		boxes[i] = box{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
		for _, s := range shapes {
			for _, p := range s.points {
				lon := p[0]
				if i == 1 && lon < 0 {
					lon += 360
				}
				b := &boxes[i]
				b.west, b.east = math.Min(b.west, lon), math.Max(b.east, lon)
				b.south, b.north = math.Min(b.south, p[1]), math.Max(b.north, p[1])
			}
		}
	}
	b, shifted := boxes[0], false
	if boxes[1].east-boxes[1].west < b.east-b.west {
		b, shifted = boxes[1], true
	}
	b.west, b.east, b.south, b.north = b.west-margin, b.east+margin, b.south-margin, b.north+margin
	scale := width / (b.east - b.west)
	height := min(2*width, int((b.north-b.south)*scale))
	c := &canvas{RGBA: image.NewRGBA(image.Rect(0, 0, width, height)), west: b.west, north: b.north, scale: scale, shifted: shifted}
	for i := range c.Pix {
		c.Pix[i] = [4]uint8{sea.R, sea.G, sea.B, sea.A}[i%4]
	}
	return c
}

func (c *canvas) at(p [2]float64) (x, y float64) {
	lon := p[0]
	if c.shifted && lon < 0 {
		lon += 360
	}
	return (lon - c.west) * c.scale, (c.north - p[1]) * c.scale
}

// dot fills a square of 2*r+1 pixels.
func (c *canvas) dot(x, y, r int, shade color.RGBA) {
	for dx := -r; dx <= r; dx++ {
		for dy := -r; dy <= r; dy++ {
			if image.Pt(x+dx, y+dy).In(c.Bounds()) {
				c.SetRGBA(x+dx, y+dy, shade)
			}
		}
	}
}

func (c *canvas) line(s shape) {
	shade := ahead
	if s.kind == "past_vessel_locations" {
		shade = past
	}
	for i := 1; i < len(s.points); i++ {
		x1, y1 := c.at(s.points[i-1])
		x2, y2 := c.at(s.points[i])
		if c.shifted && s.points[i][0] == -180 { // the western side of the antimeridian
			x2, _ = c.at([2]float64{180, 0})
		}
		n := max(1, int(math.Hypot(x2-x1, y2-y1)))
		for k := range n + 1 {
			if shade == ahead && k/6%2 == 1 {
				continue // dashed
			}
			f := float64(k) / float64(n)
			c.dot(int(x1+f*(x2-x1)), int(y1+f*(y2-y1)), 1, shade)
		}
	}
}

func (c *canvas) point(s shape) {
	x, y := c.at(s.points[0])
	if s.kind == "current_vessel" {
		c.dot(int(x), int(y), 5, ship)
		return
	}
	c.dot(int(x), int(y), 4, port)
	c.text(int(x)+8, int(y)-14, s.label, port)
}

// glyphs are the letters and digits of labels, five rows of three pixels each.
var glyphs = map[rune]string{
	'P': "###|#.#|###|#..|#..", 'O': "###|#.#|#.#|#.#|###", 'L': "#..|#..|#..|#..|###",
	'D': "##.|#.#|#.#|#.#|##.", 'T': "###|.#.|.#.|.#.|.#.", 'S': "###|#..|###|..#|###",
	'0': "###|#.#|#.#|#.#|###", '1': ".#.|##.|.#.|.#.|###", '2': "###|..#|###|#..|###", '3': "###|..#|###|..#|###",
	'4': "#.#|#.#|###|..#|..#", '5': "###|#..|###|..#|###", '6': "###|#..|###|#.#|###", '7': "###|..#|..#|..#|..#",
	'8': "###|#.#|###|#.#|###", '9': "###|#.#|###|..#|###",
}

func (c *canvas) text(x, y int, label string, shade color.RGBA) {
	const size = 3
	for _, r := range label {
		for i, mark := range glyphs[r] {
			if mark == '#' {
				c.dot(x+i%4*size+1, y+i/4*size+1, 1, shade)
			}
		}
		x += 4 * size
	}
}
