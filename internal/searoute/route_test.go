package searoute

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
)

// hubs are ports in all seas.
var hubs = []string{
	"CNSHA", "CNYTN", "CNTAO", "KRPUS", "JPYOK", "PHMNL", "VNHPH", "SGSIN", "IDSUB", "INNSA", "LKCMB", "AEJEA", "SADMM", "SAJED", "EGPSD", "ROCND",
	"GRPIR", "ITTRS", "ESALG", "NLRTM", "DEHAM", "PLGDN", "USNYC", "USHOU", "JMKIN", "PAMIT", "PABLB", "BRSSZ", "ARBUE", "CLVAP", "PECLL", "USLAX", "CAVAN",
	"ZADUR", "NGLOS", "KEMBA", "AUSYD", "AUFRE", "NZAKL", "FJSUV", "USHNL",
}

func between(t *testing.T, from, to string, avoiding ...Passage) Route {
	r, err := Between(at(t, from), at(t, to), avoiding...)
	if err != nil {
		t.Fatalf("%s to %s avoiding %v: %v", from, to, avoiding, err)
	}
	return r
}

// box is an area by its edges in degrees.
type box struct {
	name                     string
	south, north, west, east float64
}

func (b box) has(p freight.Point) bool {
	return b.south < p.Latitude && p.Latitude < b.north && b.west < p.Longitude && p.Longitude < b.east
}

// inland are areas without a way for ships.
var inland = []box{
	{"Africa", 8, 28, -8, 30}, {"southern Africa", -28, 0, 18, 30}, {"Arabia", 18, 28, 43.5, 47}, {"Sinai", 28.8, 30.8, 33.3, 34.3}, {"Iberia", 38, 42.5, -6, -2},
	{"France", 45.5, 48.5, 0, 6}, {"Germany", 48, 52.5, 8, 13}, {"Great Britain", 51.8, 53.2, -2.2, -0.6}, {"Italy", 42.3, 43.5, 12, 12.9}, {"Peloponnese", 37.2, 37.7, 22, 22.4},
	{"Anatolia", 38, 40, 30, 40}, {"Balkans", 42, 45, 20, 26}, {"Russia", 50, 58, 32, 42}, {"central Asia", 35, 60, 60, 110}, {"India", 16, 26, 75, 79}, {"Deccan", 11, 15, 76.5, 78.5},
	{"Sri Lanka", 7, 8, 80.4, 81}, {"Burma", 18, 25, 96, 97.5}, {"Indochina", 15, 20, 101, 104}, {"Malaya", 4, 5.5, 101.5, 102.7}, {"Sumatra", -2, 0, 101.5, 103}, {"Borneo", -1, 2, 111.5, 116},
	{"Java", -7.6, -7, 108, 111}, {"New Guinea", -6, -4, 138, 143}, {"Luzon", 15.2, 17.5, 120.9, 121.4}, {"Taiwan", 23.2, 24.5, 120.8, 121.1}, {"China", 24, 38, 103, 115}, {"Hainan", 18.9, 19.4, 109.4, 109.9},
	{"Korea", 35.5, 37, 127.5, 128.5}, {"Honshu", 35.6, 37, 137.5, 138.4}, {"Hokkaido", 43, 44, 142.2, 143.2}, {"Australia", -31, -20, 120, 145}, {"Tasmania", -42.5, -41.8, 146, 147}, {"South Island", -45, -44, 169, 170},
	{"North America", 34, 48, -117, -93}, {"Appalachia", 33.5, 40, -86, -79.5}, {"Florida", 27.3, 28.8, -82, -81.2}, {"Mexico", 19.5, 26, -103, -99.5}, {"Yucatan", 18.5, 20.5, -90, -88.5}, {"Central America", 14, 15, -91, -87.5},
	{"Cuba", 21.2, 21.7, -78.2, -77}, {"Hispaniola", 18.7, 19.3, -71.5, -70}, {"South America", -23, -4, -68, -48}, {"Andes", -45, -20, -70, -68.5}, {"Patagonia", -50, -41, -71, -69}, {"Madagascar", -22, -17, 45.5, 48},
}

// TestAtSea: routes of all ports with all others keep off the land.
func TestAtSea(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	for i, from := range hubs {
		for k := i + 1; k < len(hubs); k += step {
			r := between(t, from, hubs[k])
			for f := 0.0; f <= 1; f += 0.004 {
				p, _ := r.At(f)
				for _, b := range inland {
					if b.has(p) {
						t.Fatalf("%s to %s: %v is in %s", from, hubs[k], p, b.name)
					}
				}
			}
		}
	}
}

// gates are areas that every way through a passage crosses, and a pair of ports whose
// shortest way, once others are avoided, is through it.
var gates = map[Passage]struct {
	box
	from, to string
	also     []Passage
}{
	Suez:           {box{"", 30.2, 30.9, 32, 32.7}, "SGSIN", "NLRTM", nil},
	Panama:         {box{"", 9, 9.25, -79.9, -79.6}, "USNYC", "USLAX", nil},
	Malacca:        {box{"", 3.3, 4, 99, 101}, "SGSIN", "LKCMB", nil},
	Gibraltar:      {box{"", 35.8, 36.1, -5.7, -5.45}, "ITGOA", "NLRTM", nil},
	BabElMandeb:    {box{"", 12.4, 12.75, 43.2, 43.7}, "SAJED", "INNSA", nil},
	Hormuz:         {box{"", 26.1, 26.7, 56.3, 56.7}, "AEJEA", "INNSA", nil},
	Bosporus:       {box{"", 41.05, 41.2, 28.9, 29.2}, "GRPIR", "ROCND", nil},
	Dardanelles:    {box{"", 40.1, 40.5, 26.2, 26.9}, "GRPIR", "ROCND", nil},
	Sunda:          {box{"", -6, -5.85, 105.7, 105.95}, "SGSIN", "ZACPT", []Passage{Malacca}},
	CapeOfGoodHope: {box{"", -70, -34.4, 18, 25}, "SGSIN", "BRSSZ", nil},
	CapeHorn:       {box{"", -70, -50, -71, -65}, "CLVAP", "ARBUE", []Passage{Panama}},
}

// TestAvoidedPassages: a passage is used where nothing forbids it, and not crossed where it
// is avoided.
func TestAvoidedPassages(t *testing.T) {
	for _, p := range Passages() {
		gate, ok := gates[p]
		if !ok {
			t.Errorf("%s has no row", p)
			continue
		}
		crosses := func(r Route) bool {
			for f := 0.0; f <= 1; f += 0.0002 {
				if at, _ := r.At(f); gate.has(at) {
					return true
				}
			}
			return false
		}
		free := between(t, gate.from, gate.to, gate.also...)
		if !slices.Contains(free.Passages, p) || !crosses(free) {
			t.Errorf("%s: the way is through %v, and crosses it: %v", p, free.Passages, crosses(free))
		}
		other, err := Between(at(t, gate.from), at(t, gate.to), append([]Passage{p}, gate.also...)...)
		if errors.Is(err, ErrNoRoute) {
			continue // there is no other way
		}
		if err != nil || slices.Contains(other.Passages, p) || crosses(other) || other.NauticalMiles <= free.NauticalMiles {
			t.Errorf("avoiding %s: %v through %v, %.0f nautical miles instead of %.0f, crosses it: %v", p, err, other.Passages, other.NauticalMiles, free.NauticalMiles, crosses(other))
		}
	}
	for _, sea := range [][2]string{{"AEJEA", "INNSA"}, {"ROCND", "GRPIR"}, {"SGSIN", "NLRTM"}, {"CNSHA", "USNYC"}} {
		if r, err := Between(at(t, sea[0]), at(t, sea[1]), Hormuz, Bosporus, Suez, Panama, CapeOfGoodHope, CapeHorn); !errors.Is(err, ErrNoRoute) {
			t.Errorf("%v without the only ways: %.0f nautical miles through %v, %v", sea, r.NauticalMiles, r.Passages, err)
		}
	}
}

// TestPortsOfCanals: ports at a canal that is avoided keep the sea that they lie at.
func TestPortsOfCanals(t *testing.T) {
	for _, row := range []struct {
		from, to string
		most     float64
	}{
		{"EGSUZ", "SAJED", 700}, {"EGSOK", "SAJED", 700}, {"EGPSD", "GRPIR", 700}, {"PABLB", "PECLL", 1500}, {"PAONX", "USNYC", 2200}, {"PAMIT", "USNYC", 2200},
	} {
		if r := between(t, row.from, row.to, Suez, Panama); r.NauticalMiles > row.most {
			t.Errorf("%s to %s: %.0f nautical miles", row.from, row.to, r.NauticalMiles)
		}
	}
}

// TestArctic: no way goes through the Arctic, where it would be shortest.
func TestArctic(t *testing.T) {
	for _, p := range between(t, "JPYOK", "NLRTM", Suez).Points {
		if p.Latitude > 60 {
			t.Fatalf("%v is on the way", p)
		}
	}
}

// TestErrors: what is no position, no passage or not at sea.
func TestErrors(t *testing.T) {
	sea := freight.Point{Latitude: 30, Longitude: -40}
	for what, call := range map[string]func() (Route, error){
		"latitude":  func() (Route, error) { return Between(freight.Point{Latitude: 91}, sea) },
		"longitude": func() (Route, error) { return Between(sea, freight.Point{Longitude: -181}) },
		"NaN":       func() (Route, error) { return Between(sea, freight.Point{Latitude: math.NaN()}) },
		"passage":   func() (Route, error) { return Between(sea, sea, "kiel") },
	} {
		if _, err := call(); err == nil || errors.Is(err, ErrNoRoute) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := Between(sea, freight.Point{Latitude: 45, Longitude: 90}); !errors.Is(err, ErrNoRoute) {
		t.Errorf("to Dzungaria: %v", err)
	}
}

// TestLaws: of any two places at sea, the way there is as long as the way back, no shorter
// than the great circle, no longer than by way of a third place, and drawn within bounds.
func TestLaws(t *testing.T) {
	place := rapid.Custom(func(t *rapid.T) freight.Point {
		n := lanes()
		p := n.points[rapid.IntRange(0, len(n.points)-1).Draw(t, "point")].point()
		p.Latitude += rapid.Float64Range(-1, 1).Draw(t, "north")
		p.Longitude = math.Remainder(p.Longitude+rapid.Float64Range(-1, 1).Draw(t, "east"), 360)
		return p
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := place.Draw(t, "a"), place.Draw(t, "b"), place.Draw(t, "c")
		avoiding := rapid.SliceOfNDistinct(rapid.SampledFrom(Passages()), 0, 3, rapid.ID).Draw(t, "avoiding")
		there, err := Between(a, b, avoiding...)
		back, errBack := Between(b, a, avoiding...)
		if fmt.Sprint(err) != fmt.Sprint(errBack) {
			t.Fatalf("there: %v, back: %v", err, errBack)
		}
		if err != nil {
			return
		}
		miles := there.NauticalMiles
		if math.Abs(miles-back.NauticalMiles) > 1e-6 {
			t.Errorf("%v nautical miles there, %v back", miles, back.NauticalMiles)
		}
		if least := a.Distance(b) / nauticalMile; miles < least-1e-6 {
			t.Errorf("%v nautical miles; the great circle has %v", miles, least)
		}
		// Joining c to the lanes and leaving them again are a detour; places that are joined
		// directly save one, so the bound does not hold for them.
		first, err1 := Between(a, c, avoiding...)
		second, err2 := Between(c, b, avoiding...)
		if err1 == nil && err2 == nil && !isDirect(first) && !isDirect(second) && miles > first.NauticalMiles+second.NauticalMiles+1e-6 {
			t.Errorf("%v nautical miles; %v + %v by way of %v", miles, first.NauticalMiles, second.NauticalMiles, c)
		}
		for _, p := range there.Passages {
			if slices.Contains(avoiding, p) {
				t.Errorf("the way is through %s", p)
			}
		}
		checkPoints(t, there, a, b)
	})
}

func isDirect(r Route) bool {
	return math.Abs(r.NauticalMiles*nauticalMile-r.Points[0].Distance(r.Points[len(r.Points)-1])) < 1e-6
}

func checkPoints(t *rapid.T, r Route, from, to freight.Point) {
	if n := len(r.Points); n < 2 || n > MaxPoints || r.Points[0] != from || r.Points[n-1] != to {
		t.Fatalf("%d points from %v to %v", n, r.Points[0], r.Points[n-1])
	}
	length := 0.0
	for i, p := range r.Points {
		if !valid(p) {
			t.Fatalf("%v is no position", p)
		}
		if i == 0 {
			continue
		}
		leg := r.Points[i-1].Distance(p)
		if length += leg; leg > 200.001 {
			t.Errorf("%v and %v are %v kilometres apart", r.Points[i-1], p, leg)
		}
	}
	if whole := r.NauticalMiles * nauticalMile; length > whole+1e-6 || length < 0.98*whole-1 {
		t.Errorf("the points are %v kilometres of %v", length, whole)
	}
	for _, part := range freight.SplitAtAntimeridian(r.Points) {
		for i := 1; i < len(part); i++ {
			if math.Abs(part[i].Longitude-part[i-1].Longitude) > 180 {
				t.Fatalf("a part jumps from %v to %v", part[i-1], part[i])
			}
		}
	}
}

// TestSamePlace: two places in one port are joined directly, and a place with itself.
func TestSamePlace(t *testing.T) {
	p := at(t, "NLRTM")
	for _, q := range []freight.Point{p, {Latitude: p.Latitude + 0.01, Longitude: p.Longitude}} {
		r, err := Between(p, q)
		if err != nil || len(r.Points) != 2 || math.Abs(r.NauticalMiles-p.Distance(q)/nauticalMile) > 1e-9 {
			t.Errorf("%v, %v", r, err)
		}
		if at, _ := r.At(0.5); at.Distance(p) > 1 {
			t.Errorf("half way at %v", at)
		}
	}
}

// TestAt: places on the way follow its points, at its distances.
func TestAt(t *testing.T) {
	r := between(t, "JPYOK", "USLAX")
	whole := r.traveled[len(r.traveled)-1]
	for i, p := range r.Points {
		if at, _ := r.At(r.traveled[i] / whole); at.Distance(p) > 0.001 {
			t.Errorf("point %d is %v, not %v", i, at, p)
		}
	}
	for f, want := range map[float64]freight.Point{-1: r.Points[0], 0: r.Points[0], 1: r.Points[len(r.Points)-1], 2: r.Points[len(r.Points)-1]} {
		if at, _ := r.At(f); at.Distance(want) > 0.001 {
			t.Errorf("at %v: %v, not %v", f, at, want)
		}
	}
	if at, course := r.At(0.5); math.Abs(at.Longitude) < 150 || course < 60 || course > 110 {
		t.Errorf("half way at %v, on course %v", at, course)
	}
	if at, _ := new(Route).At(0.5); at != (freight.Point{}) {
		t.Errorf("the zero route is at %v", at)
	}
}

// TestCache: it is bounded, keeps what was asked for last, and serves several callers.
func TestCache(t *testing.T) {
	var c cache
	from := at(t, "SGSIN")
	ask := func(i int) (Route, error) {
		return c.get(request{from: from, to: freight.Point{Latitude: 1, Longitude: 104.5 + float64(i)/1e4}})
	}
	for i := range 5 * generation {
		if _, err := ask(i); err != nil {
			t.Fatal(err)
		}
		if n := len(c.new) + len(c.old); n > 2*generation {
			t.Fatalf("%d routes are kept", n)
		}
	}
	kept, _ := ask(5*generation - 1)
	again, _ := ask(5*generation - 1)
	if &kept.Points[0] != &again.Points[0] {
		t.Error("the last route was found again")
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 2 * generation {
				if _, err := ask(i); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// TestSimplified: a line with too many turns loses the smallest ones.
func TestSimplified(t *testing.T) {
	var line []vector
	for i := range 3 * maxCorners {
		line = append(line, vectorOf(freight.Point{Latitude: float64(i%2) / 20, Longitude: float64(i) / 20}))
	}
	out := simplified(line)
	if len(out) > maxCorners || out[0] != line[0] || out[len(out)-1] != line[len(line)-1] {
		t.Errorf("%d points", len(out))
	}
	if bend := simplified([]vector{line[0], line[1], line[2]}); len(bend) != 3 {
		t.Errorf("a turn of five kilometres is gone: %v", bend)
	}
}

// TestNetwork: the embedded network is one, with lanes in all passages.
func TestNetwork(t *testing.T) {
	n := lanes()
	for number, p := range passages[1:] {
		if !slices.ContainsFunc(n.lanes, func(l lane) bool { return int(l.passage) == number+1 }) {
			t.Errorf("%s has no lane", p)
		}
	}
	for i := range packed[:64] {
		damaged := slices.Clone(packed)
		damaged[i] ^= 0xff
		unpack(damaged[:len(damaged)-i]) // without a panic
	}
	if _, err := unpack(packed[:len(packed)/2]); err == nil {
		t.Error("half a file is a network")
	}
}
