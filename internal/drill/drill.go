// Package drill has the common parts of the fault tests: how often they run, and
// the seed of their random choices. Only tests use it.
package drill

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// Count returns how often a test repeats its faults: the number in the environment
// variable, or short if it is not set. Any other value fails the test.
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

// Random returns the random source of a test and logs its seed; LANDFALL_SEED sets
// the seed.
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
