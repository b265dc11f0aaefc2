package simulation

import (
	"math/rand/v2"
	"time"
)

// dice draws every random choice of a world, so that one seed is one world.
type dice struct{ *rand.Rand }

func newDice(seed, stream uint64) dice { return dice{rand.New(rand.NewPCG(seed, stream))} }

// chance is true with the given probability.
func (d dice) chance(p float64) bool { return d.Float64() < p }

// between returns a whole number from low to high, both included.
func (d dice) between(low, high int) int { return low + d.IntN(high-low+1) }

// hours returns a duration of low to high hours, to the second.
func (d dice) hours(low, high float64) time.Duration {
	span := (high - low) * float64(time.Hour)
	return (time.Duration(low*float64(time.Hour)) + time.Duration(d.Float64()*span)).Truncate(time.Second)
}

func pick[T any](d dice, from []T) T { return from[d.IntN(len(from))] }

// weighted returns an index, drawn in proportion to the weights.
func (d dice) weighted(weights ...int) int {
	total := 0
	for _, weight := range weights {
		total += weight
	}
	drawn := d.IntN(total)
	for i, weight := range weights {
		if drawn < weight {
			return i
		}
		drawn -= weight
	}
	return len(weights) - 1
}
