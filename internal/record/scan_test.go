package record

import (
	"math/rand/v2"
	"testing"
)

// TestSkipString: strings with any quotes and backslashes end where they do when they are
// read byte by byte.
func TestSkipString(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := []byte{'"'}
		for range random.IntN(9) {
			text = append(text, `"\a`[random.IntN(3)])
		}
		read, skipped := scanner{b: text}, scanner{b: text}
		_, readErr := read.stringExtent()
		err := skipped.skipString()
		if (err == nil) != (readErr == nil) || read.i != skipped.i {
			t.Fatalf("%s: read to %d (%v), skipped to %d (%v)", text, read.i, readErr, skipped.i, err)
		}
	}
}
