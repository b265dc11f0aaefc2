// Package drill holds what the fault harnesses share: how often they do their
// worst, and the seed of what they draw. Only tests use it.
package drill

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// Count is how often a test does its worst: what the environment variable says,
// a number from 1, else the short count. Anything else fails the test.
func Count(t testing.TB, variable string, short int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return short
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%q is not a number from 1", variable, text)
	}
	return n
}

// Random returns the source of all that a test draws, and logs its seed;
// LANDFALL_SEED sets it.
func Random(t testing.TB) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("LANDFALL_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("LANDFALL_SEED: %v", err)
		}
	}
	t.Logf("LANDFALL_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}
