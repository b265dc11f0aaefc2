package classify

import (
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

func TestMisreadWords(t *testing.T) {
	s := spellings()
	for p, want := range map[string]string{
		"SHLPPER": "SHIPPER", "VESSEI": "VESSEL", "N0TIFY": "NOTIFY", "DLSCHARGE": "DISCHARGE", "COMMERCIAI": "COMMERCIAL", "CONSLGNFE": "CONSIGNEE",
		"PORTOFLOADING": "PORT OF LOADING", "PACKINGLIST": "PACKING LIST", "CONTAINERNO": "CONTAINER NO", "HSCODE": "HS CODE",
		"HAMBURG": "HAMBURG", "BUYERS": "BUYERS", "CHARGER": "CHARGER", "ETB": "ETB", "MSKU": "MSKU", "20260504": "20260504",
	} {
		if got := strings.Join(s.meant(p), " "); got != want {
			t.Errorf("%s: %s, want %s", p, got, want)
		}
	}
}

func TestMisreadNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"CSQU3O54383": "CSQU3054383", "C5QU3054383": "CSQU3054383", "2O26-O5-14": "2026-05-14", "l5.O3.2026": "15.03.2026", "4O,5OO.00": "40,500.00",
		"CSQU3054383": "CSQU3054383", "CSQU1111111": "CSQU1111111", "V3ISSO": "V3ISSO", "OOLU": "OOLU", "SI": "SI", "O1": "O1",
	} {
		if got := mendNumber(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	// Two digits would make the check digit right.
	if got := mendContainer("CSQU3064388"); got != "" && !containerForm.MatchString(got) {
		t.Error(got)
	}
}

// page is a page of words in one line, each of letters that are six points wide, with a space of
// one letter between; words that begin with "+" touch the one before.
func page(recognized bool, words ...string) tracking.DocumentText {
	p := tracking.TextPage{Width: 600, Height: 800, Recognized: recognized}
	left := 40.0
	for _, w := range words {
		left += 6
		if text, ok := strings.CutPrefix(w, "+"); ok {
			left, w = left-5, text
		}
		right := left + 6*float64(len(w))
		p.Words = append(p.Words, tracking.TextWord{Text: w, Box: tracking.TextBox{Left: left, Top: 100, Right: right, Bottom: 106.6}})
		left = right
	}
	return tracking.DocumentText{Pages: []tracking.TextPage{p}}
}

func TestRecognizedWordsAreMended(t *testing.T) {
	for _, recognized := range []bool{true, false} {
		s, err := newLayout(t.Context(), page(recognized, "V", "+ESSEL", "CAPE", "HORN", "C5QU3054383"))
		if err != nil {
			t.Fatal(err)
		}
		words := s.lines[0].words
		mended := slices.Equal(s.lines[0].cells[0].pieces, []string{"VESSEL", "CAPE", "HORN", "CSQU3054383"}) && words[len(words)-1].Confidence == unsure
		if mended != recognized {
			t.Errorf("recognised %t: %q", recognized, s.lines[0].cells[0].pieces)
		}
	}
}

// Remains of lines and dust are no words, and no letters of the words that they touch.
func TestSpecksOfRecognizedPages(t *testing.T) {
	s, err := newLayout(t.Context(), page(true, "|", "\u201cCY", "CLOSING", "~", "[12|", "40\u2019", "HC\u2018", "_", "A/B", ":", "m?"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := textOf(s.lines[0].words), "CY CLOSING 12 40\u2019 HC A/B : m\u00b3"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
