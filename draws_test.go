package tracking_test

import (
	"math/rand/v2"

	"github.com/landfallhq/tracking"
)

func drawPage(rng *rand.Rand) tracking.Page {
	return tracking.Page{Number: 1 + rng.IntN(3), Size: 1 + rng.IntN(40)}
}

func maybe[T any](rng *rand.Rand, list ...T) []T {
	if rng.IntN(5) > 0 {
		return nil
	}
	var out []T
	for range 1 + rng.IntN(2) {
		out = append(out, list[rng.IntN(len(list))])
	}
	return out
}
