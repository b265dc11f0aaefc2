package reliability_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	. "github.com/landfallhq/tracking/reliability"
)

// askBands are the bands of an account for all that its voyages can be asked for.
func askBands(history []Voyage, asOf time.Time) (list []*Band) {
	// Few voyages give no band, so each is there so often that all classes have some.
	var many []Voyage
	for i := range history {
		for range MinSamples {
			v := history[i]
			v.Call = ""
			many = append(many, v)
		}
	}
	errors := NewErrors(many, asOf)
	for _, line := range []string{"AAAA", "BBBB", ""} {
		for _, pol := range []string{"CNSHA", "VNSGN"} {
			for _, pod := range []string{"USLAX", "USOAK", "DEHAM", ""} {
				for _, lead := range []int{-1, 0, 2, 5, 10, 20, 40} {
					list = append(list, errors.Band(Estimate{line, pol, pod, at(5000)}, at(5000-24*lead)))
				}
			}
		}
	}
	return list
}

// TestNoLookAhead: what is learned after the moment changes neither the card nor a band.
func TestNoLookAhead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := drawVoyages(t)
		asOf := at(rapid.IntRange(0, 1500).Draw(t, "as of"))
		then := make([]Voyage, len(all))
		for i, v := range all {
			for _, list := range []*[]Statement{&v.ETAs, &v.ETDs, &v.Arrivals, &v.Departures} {
				*list = slices.DeleteFunc(slices.Clone(*list), func(s Statement) bool { return s.Learned.After(asOf) })
			}
			v.Stays = slices.DeleteFunc(slices.Clone(v.Stays), func(s Stay) bool { return s.Learned.After(asOf) })
			then[i] = v
		}
		if was, is := NewCard(then, asOf), NewCard(all, asOf); !reflect.DeepEqual(was, is) {
			t.Fatalf("the card was\n%+v\nand with what was learned later is\n%+v", was, is)
		}
		if was, is := askBands(then, asOf), askBands(all, asOf); !reflect.DeepEqual(was, is) {
			t.Fatalf("the bands were\n%+v\nand with what was learned later are\n%+v", was, is)
		}
	})
}

// TestOrderOfVoyages: the order of the voyages changes nothing.
func TestOrderOfVoyages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawVoyages(t)
		other := slices.Clone(list)
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0)).Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		if a, b := NewCard(list, at(1400)), NewCard(other, at(1400)); !reflect.DeepEqual(a, b) {
			t.Fatalf("%+v\nand in another order\n%+v", a, b)
		}
	})
}

// TestSamplesByTheHour finds the sample of each class another way: hour by hour.
func TestSamplesByTheHour(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawVoyage(t)
		v.Line, v.POL, v.POD = "AAAA", "CNSHA", "USLAX"
		want := map[Lead][]float64{}
		var happened, learned time.Time
		for _, s := range v.Arrivals {
			if s.Time.IsZero() {
				learned = time.Time{}
			} else if learned.IsZero() {
				learned = s.Learned
			}
			happened = s.Time
		}
		for hour := at(0); !happened.IsZero() && hour.Before(happened) && hour.Before(learned); hour = hour.Add(time.Hour) {
			var said time.Time
			for _, s := range v.ETAs {
				if !s.Learned.After(hour) {
					said = s.Time
				}
			}
			if !said.IsZero() {
				// The hour begins at the moment and ends before the next.
				lead := LeadOf(said.Sub(hour) - time.Minute)
				want[lead] = append(want[lead], happened.Sub(said).Hours()/24)
			}
		}
		got := map[Lead]float64{}
		for _, row := range NewCard([]Voyage{v}, at(5000)).Rows {
			if row.POL != "" && row.ETA != nil && row.Lead != LeadFirst {
				got[row.Lead] = row.ETA.Bias
			}
		}
		if len(got) != len(want) {
			t.Fatalf("samples of %v, want those of %v", got, want)
		}
		for lead, list := range want {
			if w := list[(len(list)-1)/2]; w != got[lead] {
				t.Fatalf("%s: %v, want %v, in the middle of %v", lead, got[lead], w, list)
			}
		}
	})
}
