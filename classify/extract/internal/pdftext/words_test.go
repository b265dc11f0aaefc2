package pdftext

import "testing"

func TestUnified(t *testing.T) {
	for radical, want := range map[rune]rune{'⽇': '日', '⼈': '人', '⻚': '页', '日': '日', 'A': 'A'} {
		if got := unified(radical); got != want {
			t.Errorf("%c is %c, want %c", radical, got, want)
		}
	}
}

func TestUnswapped(t *testing.T) {
	for word, want := range map[string]string{"fa琀琀ura": "fattura", "琀琀": "琀琀", "中琀文": "中琀文", "Größe": "Größe", "Bo琀琀iglie": "Bottiglie"} {
		if got := unswapped(word); got != want {
			t.Errorf("%s is %s, want %s", word, got, want)
		}
	}
}

// Words of one or two letters are as narrow as the words before them.
func TestNarrowLetters(t *testing.T) {
	var w words
	for i, step := range []struct {
		letters, over int
		want          bool
	}{{2, 1, false}, {7, 6, true}, {2, 0, true}, {1, 0, true}, {7, 3, false}, {2, 1, false}} {
		w.word.letters, w.word.over, w.word.word.DirX = step.letters, step.over, 1
		if got := w.narrow(); got != step.want {
			t.Errorf("word %d, with %d letters and %d over others: %v", i, step.letters, step.over, got)
		}
	}
}
