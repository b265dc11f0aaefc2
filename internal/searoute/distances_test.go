package searoute

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
)

// publishedTable has port pairs with published distances; its head names the sources.
//
//go:embed testdata/distances.tsv
var publishedTable string

// kmPerNauticalMile is the length of the international nautical mile.
const kmPerNauticalMile = 1.852

// published is a port pair with its published distance.
type published struct {
	from, to string // UN/LOCODE
	avoiding string // passages
	miles    float64
}

func publishedDistances(t testing.TB) (list []published) {
	for line := range strings.Lines(publishedTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 6 {
			t.Fatalf("%q has %d fields", line, len(f))
		}
		miles, err := strconv.ParseFloat(f[3], 64)
		if err != nil || f[4] == "" {
			t.Fatalf("%q: %v", line, err)
		}
		list = append(list, published{f[0], f[1], f[2], miles})
	}
	return list
}

// at returns the position of a port, as maps show it.
func at(t testing.TB, locode string) freight.Point {
	p, ok := refdata.PortByCode(locode)
	if !ok || !p.HasPosition {
		t.Fatalf("%s has no position", locode)
	}
	return freight.Point{Latitude: p.Latitude, Longitude: p.Longitude}
}

// TestPublishedDistances: forty different pairs, none shorter than the great circle.
func TestPublishedDistances(t *testing.T) {
	list, seen := publishedDistances(t), map[published]bool{}
	if len(list) != 40 {
		t.Errorf("%d pairs", len(list))
	}
	for _, p := range list {
		if least := at(t, p.from).Distance(at(t, p.to)) / kmPerNauticalMile; p.miles < least {
			t.Errorf("%s to %s: %v nautical miles; the great circle has %.0f", p.from, p.to, p.miles, least)
		}
		key := published{from: p.from, to: p.to, avoiding: p.avoiding}
		if seen[key] {
			t.Errorf("%s to %s is listed twice", p.from, p.to)
		}
		seen[key] = true
	}
}

// TestDistances: routes are as long as the published distances say, within 3 % for half of
// the pairs and 8 % for each. -v shows them all.
func TestDistances(t *testing.T) {
	var off []float64
	for _, p := range publishedDistances(t) {
		var avoiding []Passage
		for _, name := range strings.Fields(p.avoiding) {
			avoiding = append(avoiding, Passage(name))
		}
		r, err := Between(at(t, p.from), at(t, p.to), avoiding...)
		if err != nil {
			t.Errorf("%s to %s: %v", p.from, p.to, err)
			continue
		}
		percent := 100 * (r.NauticalMiles/p.miles - 1)
		t.Logf("%s %s %v: %.0f nautical miles, published %.0f: %+.1f %%", p.from, p.to, r.Passages, r.NauticalMiles, p.miles, percent)
		if off = append(off, math.Abs(percent)); math.Abs(percent) > 8 {
			t.Errorf("%s to %s: %.0f nautical miles, published %.0f: %+.1f %%", p.from, p.to, r.NauticalMiles, p.miles, percent)
		}
	}
	slices.Sort(off)
	if median := (off[(len(off)-1)/2] + off[len(off)/2]) / 2; median > 3 {
		t.Errorf("the median of the deviations is %.2f %%", median)
	} else {
		t.Logf("median %.2f %%, largest %.1f %%", median, off[len(off)-1])
	}
}
