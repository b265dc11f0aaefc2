package scan

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking"
)

const (
	// agreed is the confidence of a word that both recognitions have.
	agreed = 0.97
	// doubtful is the confidence below which the other recognition is believed.
	doubtful = 0.6
	// alone is the confidence of a word that only the other has, and differing that of one about
	// which both differ.
	alone, differing = 0.8, 0.55
)

// complete completes the recognised words of a page by those of another recognition, which saw some
// that were missed here. What both read alike is surer.
func complete(p *tracking.TextPage, other []tracking.TextWord) {
	rows := wordRowsOf(p.Words)
	for _, l := range other {
		switch over := rows.over(p.Words, l.Box); {
		case len(over) == 0:
			if l.Confidence = alone; strings.ContainsFunc(l.Text, letterOrDigit) {
				p.Words = append(p.Words, l)
			}
		case sameText(p.Words, over, l.Text):
			for _, i := range over {
				if w := &p.Words[i]; w.Confidence >= doubtful {
					w.Confidence = max(w.Confidence, agreed)
				}
			}
		case len(over) == 1 && within(p.Words[over[0]].Box, l.Box):
			w := &p.Words[over[0]]
			if w.Confidence < doubtful {
				w.Text = l.Text
			}
			w.Confidence = min(w.Confidence, differing)
		}
	}
}

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// sameText reports whether words are a text, whatever spaces are between them, or one of them is.
func sameText(words []tracking.TextWord, some []int, text string) bool {
	var whole strings.Builder
	for _, i := range some {
		if words[i].Text == text {
			return true
		}
		whole.WriteString(words[i].Text)
	}
	return whole.String() == text
}

// within reports whether a box has about the ends of another.
func within(a, b tracking.TextBox) bool {
	height := b.Bottom - b.Top
	return math.Abs(a.Left-b.Left) < height && math.Abs(a.Right-b.Right) < height
}

// wordRows are the words of a page by the height of their middle, so that each word of another
// recognition is compared with few.
type wordRows map[int][]int

const rowHeight = 12.0 // points

func rowOf(b tracking.TextBox) int { return int(math.Floor((b.Top + b.Bottom) / 2 / rowHeight)) }

func wordRowsOf(words []tracking.TextWord) wordRows {
	all := wordRows{}
	for i, w := range words {
		all[rowOf(w.Box)] = append(all[rowOf(w.Box)], i)
	}
	return all
}

// over returns the words that a box lies over, from left to right.
func (r wordRows) over(words []tracking.TextWord, b tracking.TextBox) (all []int) {
	for row := rowOf(b) - 1; row <= rowOf(b)+1; row++ {
		for _, i := range r[row] {
			w := words[i].Box
			wide := min(w.Right, b.Right) - max(w.Left, b.Left)
			high := min(w.Bottom, b.Bottom) - max(w.Top, b.Top)
			if wide > 0.3*min(w.Right-w.Left, b.Right-b.Left) && high > 0.4*min(w.Bottom-w.Top, b.Bottom-b.Top) {
				all = append(all, i)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return int(math.Copysign(1, words[a].Box.Left-words[b].Box.Left)) })
	return all
}
