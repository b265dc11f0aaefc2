//go:build !race

package httpserver_test

const raceOn = false
