package exceptions

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/simulation"
)

// TestLaws: whatever the facts are, Find returns; an exception is opened before it is closed and
// not in the future, has facts that exist and a sentence; another order of the facts changes
// nothing but their indexes; and what opens later opens at ChangeAt or after.
func TestLaws(t *testing.T) {
	random := drill.Random(t)
	for range drill.Count(t, "LANDFALL_LAWS", 3000) / 5 {
		w := simulation.New(random.Uint64N(1 << 40))
		facts := spoiled(random, w)
		now := w.Now.Add(-time.Duration(random.IntN(40*24)) * time.Hour)
		got := find(facts, now)
		checkShape(t, w, facts, got, now)
		random.Shuffle(len(facts), func(i, k int) { facts[i], facts[k] = facts[k], facts[i] })
		if again := find(facts, now); texts(again) != texts(got) {
			t.Fatalf("world %d: another order gives\n%s\nnot\n%s", w.Seed, texts(again), texts(got))
		}
		checkChangeAt(t, w, facts, got, now)
	}
}

func find(facts []*journey.LoggedFact, now time.Time) Findings {
	j := journey.Derive(nil, facts, refPlaces{})
	return Find(&Shipment{Journey: &j, Facts: facts}, Defaults, now)
}

// spoiled are the facts of a world, some without a time, a place or a ship, some withdrawn.
func spoiled(random *rand.Rand, w *simulation.World) (facts []*journey.LoggedFact) {
	for i, s := range w.Statements() {
		f := loggedStatement(s, int64(i+1), w.Now)
		switch random.IntN(60) {
		case 0:
			f.At = freight.Moment{}
		case 1:
			f.Place = freight.Place{}
		case 2:
			f.Vessel = freight.VesselRef{}
		case 3:
			f.Containers = nil
		case 4:
			f.Retracted = true
		case 5:
			f.At.Time = f.At.Time.Add(time.Duration(random.IntN(2400)-1200) * time.Hour)
		case 6:
			f.Source = "another"
		}
		facts = append(facts, &f)
	}
	return facts
}

func checkShape(t *testing.T, w *simulation.World, facts []*journey.LoggedFact, got Findings, now time.Time) {
	t.Helper()
	seen := map[[3]string]bool{}
	for _, e := range got.Exceptions {
		id := [3]string{e.Container, string(e.Kind), e.Key}
		if seen[id] || e.Text == "" || e.OpenedAt.IsZero() || !e.ClosedAt.IsZero() && e.ClosedAt.Before(e.OpenedAt) || len(e.Facts) == 0 {
			t.Fatalf("world %d: %+v", w.Seed, e)
		}
		seen[id] = true
		for _, i := range e.Facts {
			if i < 0 || i >= len(facts) {
				t.Fatalf("world %d: fact %d of %+v", w.Seed, i, e)
			}
		}
	}
	if !got.ChangeAt.IsZero() && !got.ChangeAt.After(now) {
		t.Fatalf("world %d: changes at %s, which is not after %s", w.Seed, got.ChangeAt, now)
	}
}

// checkChangeAt: nothing changes before ChangeAt.
func checkChangeAt(t *testing.T, w *simulation.World, facts []*journey.LoggedFact, got Findings, now time.Time) {
	t.Helper()
	before := now.Add(1000 * time.Hour)
	if !got.ChangeAt.IsZero() {
		before = got.ChangeAt.Add(-time.Second)
	}
	later := find(facts, before)
	later.ChangeAt, got.ChangeAt = time.Time{}, time.Time{}
	if texts(later) != texts(got) {
		t.Fatalf("world %d: between %s and %s it changes to\n%s\nfrom\n%s", w.Seed, now, before, texts(later), texts(got))
	}
}
