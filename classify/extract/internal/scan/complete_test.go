package scan

import (
	"testing"

	"github.com/landfallhq/tracking"
)

func at(text string, left, top, width, confidence float64) tracking.TextWord {
	return tracking.TextWord{Text: text, Confidence: confidence, Box: tracking.TextBox{Left: left, Top: top, Right: left + width, Bottom: top + 10}}
}

// Words of another recognition are added where there are none, and decide where a word is doubtful.
func TestComplete(t *testing.T) {
	for _, row := range []struct {
		name       string
		own        []tracking.TextWord
		other      tracking.TextWord
		text       string
		confidence float64
		added      bool
	}{
		{"the same word", []tracking.TextWord{at("ETA", 10, 10, 20, 0.9)}, at("ETA", 11, 11, 20, 0), "ETA", agreed, false},
		{"the same doubtful word", []tracking.TextWord{at("ETA", 10, 10, 20, 0.4)}, at("ETA", 11, 11, 20, 0), "ETA", 0.4, false},
		{"a word parted by a space", []tracking.TextWord{at("MSKU", 10, 10, 25, 0.9), at("1234565", 38, 10, 40, 0.95)}, at("MSKU1234565", 10, 11, 68, 0), "MSKU", agreed, false},
		{"a doubtful word that differs", []tracking.TextWord{at("E1A", 10, 10, 20, 0.4)}, at("ETA", 10, 11, 20, 0), "ETA", 0.4, false},
		{"a sure word that differs", []tracking.TextWord{at("ETA", 10, 10, 20, 0.9)}, at("E1A", 10, 11, 20, 0), "ETA", differing, false},
		{"a part of a word", []tracking.TextWord{at("ETA:2026-05-09", 10, 10, 90, 0.9)}, at("ETA", 10, 11, 20, 0), "ETA:2026-05-09", 0.9, false},
		{"a word behind it", []tracking.TextWord{at("ETA", 10, 10, 20, 0.9)}, at("SANTOS", 40, 10, 50, 0), "ETA", 0.9, true},
		{"a word below it", []tracking.TextWord{at("ETA", 10, 10, 20, 0.9)}, at("SANTOS", 10, 21, 50, 0), "ETA", 0.9, true},
		{"a speck behind it", []tracking.TextWord{at("ETA", 10, 10, 20, 0.9)}, at("~|", 40, 10, 5, 0), "ETA", 0.9, false},
	} {
		p := tracking.TextPage{Words: row.own}
		n := len(row.own)
		complete(&p, []tracking.TextWord{row.other})
		if w := p.Words[0]; w.Text != row.text || w.Confidence != row.confidence {
			t.Errorf("%s: %s at %v, want %s at %v", row.name, w.Text, w.Confidence, row.text, row.confidence)
		}
		if added := p.Words[n:]; len(added) > 0 != row.added || row.added && (added[0].Text != row.other.Text || added[0].Confidence != alone) {
			t.Errorf("%s: added %v", row.name, added)
		}
	}
}
