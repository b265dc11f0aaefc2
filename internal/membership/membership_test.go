package membership

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/store"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func at(second int) time.Time { return noon.Add(time.Duration(second) * time.Second) }

// TestHistory replays a history: at each state of the log the fact was part of the shipment
// exactly if it was so at that time, by number and by second, whatever other shipments did.
func TestHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ours, other := store.ID{1}, store.ID{2}
		const arrived = 3 // number and second of the fact
		first := rapid.Bool().Draw(t, "part on arrival")
		states := []bool{first} // by second, from the arrival
		var changes []Change
		for second := arrived + 1; second < arrived+8; second++ {
			part := states[len(states)-1]
			switch rapid.SampledFrom([]string{"nothing", "ours", "other"}).Draw(t, "change") {
			case "ours":
				changes = append(changes, Change{Shipment: ours, At: at(second), After: int64(second - 1), Left: part})
				part = !part
			case "other":
				changes = append(changes, Change{Shipment: other, At: at(second), After: int64(second - 1)})
			}
			states = append(states, part)
		}
		last := states[len(states)-1]
		if IsPart(changes, ours, last) != last {
			t.Fatalf("now: want %t", last)
		}
		for i, want := range states {
			for _, p := range []Position{{Second: at(arrived + i)}, {Facts: int64(arrived + i)}} {
				if got := WasPart(changes, ours, last, p); got != want {
					t.Errorf("%+v of %+v: part %t, want %t", p, changes, got, want)
				}
			}
		}
	})
}

func TestIncludes(t *testing.T) {
	for p, want := range map[Position]bool{
		{Second: at(3)}: true, {Second: at(2)}: false, {Facts: 3}: true, {Facts: 2}: false,
	} {
		if got := p.Includes(3, at(3)); got != want {
			t.Errorf("%+v: %t", p, got)
		}
	}
}

func TestAbsentAt(t *testing.T) {
	list := []Absence{{From: at(1), After: 10, To: at(3)}, {From: at(5), After: 20}}
	for second, want := range map[int]int64{0: 0, 1: 10, 2: 10, 3: 0, 4: 0, 5: 20, 9: 20} {
		if a, ok := AbsentAt(list, at(second)); ok != (want > 0) || a.After != want {
			t.Errorf("at second %d: %+v", second, a)
		}
	}
}
