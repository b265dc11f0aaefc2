//go:build race

package httpserver_test

// raceOn: the race detector empties pools at random, so allocations cannot be
// counted under it.
const raceOn = true
