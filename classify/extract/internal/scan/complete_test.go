package scan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
)

func at(text string, left, top, width, confidence float64) tracking.TextWord {
	return tracking.TextWord{Text: text, Confidence: confidence, Box: tracking.TextBox{Left: left, Top: top, Right: left + width, Bottom: top + 10}}
}

// Words of another recognition are added where there are none, and decide where a word is doubtful.
func TestComplete(t *testing.T) {
	for _, row := range []struct {
		name           string
		own            []tracking.TextWord
		former         tracking.TextWord
		text           string
		confidence     float64
		more           int
		confidenceMore float64
	}{
		{"the same word", []tracking.TextWord{at("ETA", 10, 10, 20, 0.9)}, at("ETA", 11, 11, 20, 0), "ETA", agreed, 0, 0},
		{"the same doubtful word", []tracking.TextWord{at("ETA", 10, 10, 20, 0.4)}, at("ETA", 11, 11, 20, 0), "ETA", 0.4, 0, 0},
		{"a word parted by a space", []tracking.TextWord{at("MSKU", 10, 10, 25, 0.9), at("1234565", 38, 10, 40, 0.95)}, at("MSKU1234565", 10, 11, 68, 0), "MSKU", agreed, 0, 0},
		{"a doubtful word that differs", []tracking.TextWord{at("E1A", 10, 10, 20, 0.4)}, at("ETA", 10, 11, 20, 0), "ETA", 0.4, 0, 0},
		{"a sure word that differs", []tracking.TextWord{at("ETA", 10, 10, 20, 0.9)}, at("E1A", 10, 11, 20, 0), "ETA", differing, 0, 0},
		{"a part of a word", []tracking.TextWord{at("ETA:2026-05-09", 10, 10, 90, 0.9)}, at("ETA", 10, 11, 20, 0), "ETA:2026-05-09", 0.9, 0, 0},
		{"a word behind it", []tracking.TextWord{at("ETA", 10, 10, 20, 0.9)}, at("SANTOS", 40, 10, 50, 0), "ETA", 0.9, 1, alone},
		{"a word below it", []tracking.TextWord{at("ETA", 10, 10, 20, 0.9)}, at("SANTOS", 10, 21, 50, 0), "ETA", 0.9, 1, alone},
		{"a speck behind it", []tracking.TextWord{at("ETA", 10, 10, 20, 0.9)}, at("~|", 40, 10, 5, 0), "ETA", 0.9, 0, 0},
	} {
		p := tracking.TextPage{Words: row.own}
		n := len(row.own)
		complete(&p, []tracking.TextWord{row.former})
		if w := p.Words[0]; w.Text != row.text || w.Confidence != row.confidence || len(p.Words) != n+row.more {
			t.Errorf("%s: %s at %v and %d words, want %s at %v and %d", row.name, w.Text, w.Confidence, len(p.Words), row.text, row.confidence, n+row.more)
			continue
		}
		if row.more > 0 {
			if want := row.former; p.Words[n].Confidence != row.confidenceMore {
				t.Errorf("%s: added with %v, want %v of %s", row.name, p.Words[n].Confidence, row.confidenceMore, want.Text)
			}
		}
	}
}

// A page is completed by nothing that it has not itself.
func TestCompleteByNothing(t *testing.T) {
	own := []tracking.TextWord{at("ETA", 10, 10, 20, 0.9)}
	p := tracking.TextPage{Words: []tracking.TextWord{own[0]}}
	complete(&p, nil)
	if diff := cmp.Diff(own, p.Words); diff != "" {
		t.Error(diff)
	}
}
