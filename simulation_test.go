package tracking_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/internal/simulation"
)

// worldOrders is in how many orders the statements about every fourth world are
// handed in; those about the others in one.
const worldOrders = 3

// TestSimulatedWorlds compares what the tracker shows of simulated worlds with
// what really happened in them and what a careful clerk, who has read the same
// statements, would show: each value is true or unknown, unknown only where
// nothing that was said determines it, the same in each order, and what was
// announced last.
//
// Seen to fail: 424 of 500 worlds by the rules of version 1. What was announced
// differed in 5 of 8 worlds with half of the reports silent.
//
// LANDFALL_WORLDS is how many worlds, LANDFALL_WORLD the seed of the only one.
func TestSimulatedWorlds(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // thousands of small stores come and go
	verdict := &worldsVerdict{}
	seeds := worldSeeds(t)
	workers := min(runtime.GOMAXPROCS(0), len(seeds))
	t.Run("worlds", func(t *testing.T) {
		for worker := range workers {
			t.Run(strconv.Itoa(worker), func(t *testing.T) {
				t.Parallel()
				for i := worker; i < len(seeds); i += workers {
					verdict.add(judgeWorld(t, seeds[i]))
				}
			})
		}
	})
	t.Log(verdict)
	if verdict.bearable() {
		return
	}
	t.Errorf("%d of %d worlds fail, more than may", verdict.failed, verdict.worlds)
	slices.SortFunc(verdict.told, func(a, b worldVerdict) int { return cmp.Compare(a.seed, b.seed) })
	for _, v := range verdict.told {
		t.Errorf("LANDFALL_WORLD=%d, with %s:\n%s\n%s", v.seed, strings.Join(v.features, " "), v.text(), simulation.New(v.seed).Story())
	}
}

// failingWorlds is how many of 10,000 worlds may fail, and one more, because each commit draws others:
// some one in 20,000 is known to. The goal is none; docs/adr/0138 has what is known of the rest. Never
// raise it.
const failingWorlds = 1

// bearable reports whether no more worlds fail than may.
func (s *worldsVerdict) bearable() bool {
	return s.failed == 0 || s.worlds > 1 && s.failed*10_000 <= s.worlds*failingWorlds+10_000
}

// worldSeeds are those of the worlds to judge.
func worldSeeds(t *testing.T) []uint64 {
	if text := os.Getenv("LANDFALL_WORLD"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("LANDFALL_WORLD: %v", err)
		}
		return []uint64{seed}
	}
	short := 200
	if testing.Short() {
		short = 20
	}
	random := drill.Random(t)
	seeds := make([]uint64, drill.Count(t, "LANDFALL_WORLDS", short))
	for i := range seeds {
		seeds[i] = random.Uint64N(1 << 40)
	}
	return seeds
}

// worldVerdict is what was found in one world.
type worldVerdict struct {
	seed        uint64
	features    []string
	differences []worldDifference
	// values were compared, unknown of them shown as null though something
	// happened; open were not compared, since a clerk could write anything.
	values, unknown, open int
}

// worldDifference is one value that is wrong.
type worldDifference struct {
	// kind of value: role, status, time, place, ship, stop, milestone, shipment,
	// order or told, and its name.
	kind, name string
	detail     string
}

func (v worldVerdict) text() string {
	var lines []string
	for _, d := range v.differences {
		lines = append(lines, fmt.Sprintf("    %s %s: %s", d.kind, d.name, d.detail))
	}
	return strings.Join(lines, "\n")
}

// worldsVerdict adds up the worlds.
type worldsVerdict struct {
	mu                    sync.Mutex
	worlds, failed        int
	values, unknown, open int
	// kinds counts the worlds that have a difference of a kind and name, and
	// the differences.
	kinds    map[[2]string]worldCount
	features map[string]worldCount
	told     []worldVerdict // the failing worlds of which the story is told
	// differing is a line for each failing world: its seed and what differs.
	differing []string
}

type worldCount struct{ worlds, failed, differences int }

// storiesTold is of how many failing worlds everything is printed.
const storiesTold = 3

func (s *worldsVerdict) add(v worldVerdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kinds == nil {
		s.kinds, s.features = map[[2]string]worldCount{}, map[string]worldCount{}
	}
	s.worlds++
	s.values, s.unknown, s.open = s.values+v.values, s.unknown+v.unknown, s.open+v.open
	if len(v.differences) > 0 {
		s.failed++
		line := fmt.Sprintf("LANDFALL_WORLD=%d:", v.seed)
		for _, d := range v.differences {
			line += fmt.Sprintf(" %s %s;", d.kind, d.name)
		}
		s.differing = append(s.differing, strings.TrimSuffix(line, ";"))
		if len(s.told) < storiesTold {
			s.told = append(s.told, v)
		}
	}
	for _, name := range v.features {
		c := s.features[name]
		c.worlds++
		if len(v.differences) > 0 {
			c.failed++
		}
		s.features[name] = c
	}
	counted := map[[2]string]bool{}
	for _, d := range v.differences {
		for _, key := range [][2]string{{d.kind, ""}, {d.kind, d.name}} {
			c := s.kinds[key]
			c.differences++
			if !counted[key] {
				c.failed++
			}
			counted[key] = true
			s.kinds[key] = c
		}
	}
}

// String is the table of what fails.
func (s *worldsVerdict) String() string {
	var out strings.Builder
	share := func(n int) float64 { return 100 * float64(n) / float64(max(1, s.values+s.open)) }
	fmt.Fprintf(&out, "%d worlds, %d fail; of %d values %.1f %% are unknown and %.1f %% are left open by the oracle\n",
		s.worlds, s.failed, s.values+s.open, share(s.unknown), share(s.open))
	for _, key := range slices.SortedFunc(maps.Keys(s.kinds), compareKinds) {
		indent := ""
		if key[1] != "" {
			indent = "  "
		}
		fmt.Fprintf(&out, "%-48s %6d differences in %6d worlds\n", indent+cmp.Or(key[1], key[0]), s.kinds[key].differences, s.kinds[key].failed)
	}
	if s.failed > 0 {
		fmt.Fprintln(&out, strings.Join(slices.Sorted(slices.Values(s.differing)), "\n"))
		for _, name := range slices.Sorted(maps.Keys(s.features)) {
			fmt.Fprintf(&out, "with %-43s %6d of %6d worlds fail\n", name, s.features[name].failed, s.features[name].worlds)
		}
	}
	return out.String()
}

func compareKinds(a, b [2]string) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
}

// judgeWorld hands the statements about a world to a new tracker in each order.
func judgeWorld(t testing.TB, seed uint64) worldVerdict {
	w := simulation.New(seed)
	v := worldVerdict{seed: seed, features: w.Features()}
	var first []string
	orders := 1
	if seed%4 == 0 {
		orders = worldOrders
	}
	for i, order := range w.Orders(orders, seed) {
		shown, err := showWorld(t, w, joined(w.Seed, order))
		if err != nil {
			v.differences = append(v.differences, worldDifference{"order", "refused", err.Error()})
			continue
		}
		v.judgeTold(shown)
		if i == 0 {
			first = shown.lines
			v.judge(w.Expect(), shown)
			continue
		}
		v.differences = append(v.differences, orderDifferences(first, shown.lines, i+1)...)
	}
	return v
}

// joined makes batches of ten of those that hold one statement each, in seven
// worlds of eight: a report for each fact costs more than all else together.
func joined(seed uint64, order [][]simulation.Statement) [][]simulation.Statement {
	if seed%8 == 0 || len(order) == 0 || len(order[0]) > 1 {
		return order
	}
	return slices.Collect(slices.Chunk(slices.Concat(order...), 10))
}

// orderDifferences compares all that is shown after two orders, each sorted:
// which shipments and containers there are, else attribute by attribute.
func orderDifferences(first, other []string, order int) (list []worldDifference) {
	var things []worldDifference
	for _, side := range []struct {
		which     string
		of, other []string
	}{{"only the first order", first, other}, {fmt.Sprint("only order ", order), other, first}} {
		for _, line := range side.of {
			if _, found := slices.BinarySearch(side.other, line); found {
				continue
			}
			d := worldDifference{"order", strings.Fields(line)[2], side.which + " shows " + line}
			if list = append(list, d); d.name == "shown" {
				things = append(things, d)
			}
		}
	}
	if things != nil {
		return things
	}
	return list
}

// BenchmarkSimulatedWorld: one world in one order.
func BenchmarkSimulatedWorld(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	for b.Loop() {
		w := simulation.New(random.Uint64N(1 << 40))
		if _, err := showWorld(b, w, w.Orders(1, w.Seed)[0]); err != nil {
			b.Fatal(err)
		}
	}
}
