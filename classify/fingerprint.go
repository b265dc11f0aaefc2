package classify

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
)

// A fingerprint is the words without digits of a first page, each as a hash of four bytes and
// its place of two times two, in points, in this order. Captions, titles and small print of a
// layout stay, and values mostly move or change.
const (
	printedWord   = 8   // bytes
	mostPrinted   = 512 // words: those with the smallest hashes, which copies have in common
	leastPrinted  = 8   // words
	printedNear   = 12  // points that a word may move
	leastAlike    = 0.2
	leastPrintLen = 2 // letters
)

// Fingerprint implements tracking.LayoutReader.
func (c *Classifier) Fingerprint(text tracking.DocumentText) []byte {
	if len(text.Pages) == 0 {
		return nil
	}
	var all [][printedWord]byte
	for _, w := range text.Pages[0].Words {
		said := strings.Join(pieces(w.Text), "")
		if len(said) < leastPrintLen || containsDigit(said) {
			continue
		}
		hash := fnv.New32a()
		hash.Write([]byte(said))
		var p [printedWord]byte
		binary.BigEndian.PutUint32(p[:], hash.Sum32())
		binary.BigEndian.PutUint16(p[4:], point(w.Box.Left))
		binary.BigEndian.PutUint16(p[6:], point(w.Box.Top))
		all = append(all, p)
	}
	if len(all) < leastPrinted {
		return nil
	}
	slices.SortFunc(all, func(a, b [printedWord]byte) int { return slices.Compare(a[:], b[:]) })
	var print []byte
	for _, p := range all[:min(len(all), mostPrinted)] {
		print = append(print, p[:]...)
	}
	return print
}

// point is a coordinate as a whole number of points; those off the page are at its edge.
func point(x float64) uint16 { return uint16(min(max(x, 0), 1<<16-1)) }

// Similarity implements tracking.LayoutReader: the share of words that two fingerprints have in
// common, of those of both, each at about the same place (Jaccard).
func (c *Classifier) Similarity(a, b []byte) float64 {
	if s := similarity(a, b); s >= leastAlike {
		return s
	}
	return 0
}

func similarity(a, b []byte) float64 {
	common, words := 0, (len(a)+len(b))/printedWord
	for len(a) >= printedWord && len(b) >= printedWord {
		switch n := slices.Compare(a[:4], b[:4]); {
		case n < 0:
			a = a[printedWord:]
		case n > 0:
			b = b[printedWord:]
		default:
			i, j := sameWord(a), sameWord(b)
			common += inCommon(a[:i], b[:j])
			a, b = a[i:], b[j:]
		}
	}
	if words == 0 {
		return 0
	}
	return float64(common) / float64(words-common)
}

// sameWord is the number of bytes with which a fingerprint repeats its first word.
func sameWord(print []byte) int {
	n := printedWord
	for n+printedWord <= len(print) && slices.Equal(print[n:n+4], print[:4]) {
		n += printedWord
	}
	return n
}

// inCommon counts the places of a word in one fingerprint that the other has too, each once.
func inCommon(a, b []byte) (n int) {
	taken := make([]bool, len(b)/printedWord)
	for p := range slices.Chunk(a, printedWord) {
		i := 0
		for q := range slices.Chunk(b, printedWord) {
			if !taken[i] && near(p[4:6], q[4:6]) && near(p[6:], q[6:]) {
				taken[i] = true
				n++
				break
			}
			i++
		}
	}
	return n
}

func near(a, b []byte) bool {
	x, y := binary.BigEndian.Uint16(a), binary.BigEndian.Uint16(b)
	return max(x, y)-min(x, y) <= printedNear
}
