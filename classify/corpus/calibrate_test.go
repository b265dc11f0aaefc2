package main

import (
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/score"
)

func TestIsotonic(t *testing.T) {
	got := isotonic([]bin{{0.5, 10, 6}, {0.6, 10, 9}, {0.7, 30, 20}, {0.8, 10, 10}})
	want := []bin{{0.5, 10, 6}, {0.7, 40, 29}, {0.8, 10, 10}}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("the pools are %v, want %v", got, want)
	}
	bins := binned([]score.Graded{{Confidence: 0.51, Right: true}, {Confidence: 0.2}, {Confidence: 1, Right: true}})
	if first, last := bins[0], bins[len(bins)-1]; first != (bin{0.5, prior + 2, prior*0.5 + 1}) || last.values != prior+1 {
		t.Errorf("the bins are %v and %v", first, last)
	}
}
