// Package search finds records by the words that they have.
//
// Terms are what a record is found by: its whole words, and the ends of its words, so
// that a search inside a word is a search for a prefix, which is one range of an index.
// A Search looks a text up tier by tier: whole words first, then beginnings of words,
// then parts inside words. The package knows no resource; the caller shows the results
// and adds records that are found by others.
package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// The names of the terms.
const (
	// NumberTerm has whole numbers and references, as the caller has folded them.
	NumberTerm = "search"
	// wordTerm has other whole words: tags, names, values of custom fields.
	wordTerm = "word"
	// partTerm has the ends of both, from each character on.
	partTerm = "part"
)

const (
	// minPart is the least length of a text that is searched inside words.
	minPart = 4
	// maxPart is the stored length of a part, in bytes; a container number fits. A
	// longer text is looked up by its beginning and its end, and the results are
	// checked.
	maxPart = 16
	// maxTaken is the number of characters of a word that are indexed in parts, and
	// maxTerms the number of parts of a record: long references must not make
	// writes expensive.
	maxTaken, maxTerms = 48, 200
)

// TermsVersion is the version of Terms. A new version rewrites all records.
const TermsVersion = "+search1"

// Fold returns a word in upper case, with letters and digits only.
func Fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, s)
}

// Terms returns the terms of a record: of numbers, which the caller has folded, and of
// other words as written.
func Terms(numbers, words []string) []store.Term {
	folded := make([]string, 0, len(words)+1)
	for _, w := range words {
		folded = append(folded, Fold(w))
	}
	var whole []string
	for _, n := range numbers {
		w := Fold(n)
		if whole = append(whole, w); w != n {
			folded = append(folded, w) // numbers keep marks that a search passes over
		}
	}
	return slices.Concat(table.Terms(NumberTerm, numbers), table.Terms(wordTerm, folded), partTerms(append(whole, folded...)))
}

// partTerms returns the ends of words.
func partTerms(words []string) []store.Term {
	var parts []string
	for _, w := range words {
		parts = appendParts(parts, w)
	}
	slices.Sort(parts)
	parts = slices.Compact(parts)
	terms := make([]store.Term, min(len(parts), maxTerms))
	for i := range terms {
		terms[i] = store.Term{Name: partTerm, Value: parts[i]}
	}
	return terms
}

// lastPart returns the end of a text, up to the length of a part.
func lastPart(s string) string {
	from := max(0, len(s)-maxPart)
	for !utf8.RuneStart(s[from]) {
		from++
	}
	return s[from:]
}

func appendParts(to []string, word string) []string {
	first := true
	for i, n := 0, 0; i < len(word) && n < maxTaken; n++ {
		if !first && utf8.RuneCountInString(word[i:]) >= minPart {
			to = append(to, cutPart(word[i:]))
		}
		first = false
		_, size := utf8.DecodeRuneInString(word[i:])
		i += size
	}
	return to
}

// cutPart cuts a text to the length of a part, between two characters.
func cutPart(s string) string {
	if len(s) <= maxPart {
		return s
	}
	end := maxPart
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
