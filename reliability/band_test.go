package reliability_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	. "github.com/landfallhq/tracking/reliability"
)

// voyagesTo are voyages whose ETA, ten days before, was late by 1, 2, ... hours.
func voyagesTo(line, pol, pod string, n int) (list []Voyage) {
	for i := range n {
		list = append(list, Voyage{Line: line, POL: pol, POD: pod, ETAs: []Statement{said(0, 240)}, Arrivals: arrival(241 + i)})
	}
	return list
}

// TestBandClasses widens the class until there are enough samples.
func TestBandClasses(t *testing.T) {
	var history []Voyage
	history = append(history, voyagesTo("AAAA", "CNSHA", "USLAX", 30)...)
	history = append(history, voyagesTo("AAAA", "CNSHA", "USOAK", 29)...)
	history = append(history, voyagesTo("AAAA", "CNSHA", "DEHAM", 20)...)
	history = append(history, voyagesTo("BBBB", "CNSHA", "DEHAM", 29)...)
	errors := NewErrors(history, at(2000))
	for _, c := range []struct {
		of      Estimate
		class   Class
		samples int
	}{
		{Estimate{Line: "AAAA", POL: "CNSHA", POD: "USLAX"}, ClassLane, 30},
		{Estimate{Line: "AAAA", POL: "CNSHA", POD: "USOAK"}, ClassCountry, 59},
		{Estimate{Line: "AAAA", POL: "VNSGN", POD: "USLAX"}, ClassCountry, 59},
		{Estimate{Line: "AAAA", POD: "USLAX"}, ClassCountry, 59},
		{Estimate{Line: "AAAA", POL: "CNSHA", POD: "DEHAM"}, ClassLine, 79},
		{Estimate{Line: "AAAA"}, ClassLine, 79},
		{Estimate{Line: "BBBB", POL: "CNSHA", POD: "DEHAM"}, ClassAll, 108},
		{Estimate{POL: "CNSHA", POD: "USLAX"}, ClassAll, 108},
	} {
		c.of.ETA = at(5000)
		band := errors.Band(c.of, at(5000-10*24))
		if band == nil || band.Class != c.class || band.Samples != c.samples || band.Lead != Lead8To14 {
			t.Errorf("%+v: %+v, want %s with %d", c.of, band, c.class, c.samples)
		}
	}
	of := Estimate{Line: "AAAA", POL: "CNSHA", POD: "USLAX", ETA: at(5000)}
	if band := errors.Band(of, at(5000-20*24)); band != nil {
		t.Errorf("a lead without samples: %+v", band)
	}
	if band := errors.Band(Estimate{Line: "AAAA"}, at(0)); band != nil {
		t.Errorf("no ETA: %+v", band)
	}
	if band := NewErrors(history[:29], at(2000)).Band(of, at(5000-10*24)); band != nil {
		t.Errorf("29 samples: %+v", band)
	}
	// The places of 30 values are 3.1, 15.5 and 27.9.
	band := errors.Band(of, at(5000-10*24))
	for name, off := range map[string]time.Duration{
		"p10": band.P10.Sub(at(5000)) - 186*time.Minute, "p50": band.P50.Sub(at(5000)) - 930*time.Minute, "p90": band.P90.Sub(at(5000)) - 1674*time.Minute,
	} {
		if off != 0 {
			t.Errorf("%s is off by %s", name, off)
		}
	}
}

// TestBandCountsCalls: thirty shipments aboard one ship are one arrival.
func TestBandCountsCalls(t *testing.T) {
	history := voyagesTo("AAAA", "CNSHA", "USLAX", 30)
	for i := range history {
		history[i].Call = "call"
	}
	if band := NewErrors(history, at(2000)).Band(Estimate{Line: "AAAA", ETA: at(5000)}, at(5000-10*24)); band != nil {
		t.Errorf("%+v", band)
	}
}

// BenchmarkErrors makes the errors of 100,000 voyages, and BenchmarkCard their card.
func BenchmarkErrors(b *testing.B) {
	history := manyVoyages()
	for b.Loop() {
		NewErrors(history, at(1_000_000))
	}
}

func BenchmarkCard(b *testing.B) {
	history := manyVoyages()
	for b.Loop() {
		NewCard(history, at(1_000_000))
	}
}

func manyVoyages() (list []Voyage) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 100_000 {
		v := walkedVoyage(rng, string(rune('A'+i%12))+"AAA", 0.3, 0.4, at(i))
		v.ETAs = slices.DeleteFunc(v.ETAs, func(s Statement) bool { return s.Learned.Unix()%3 != 0 }) // about ten
		v.POL, v.POD = []string{"CNSHA", "VNSGN", "INNSA"}[i%3], []string{"USLAX", "DEHAM"}[i%2]
		list = append(list, v)
	}
	return list
}
