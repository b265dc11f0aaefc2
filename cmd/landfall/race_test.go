//go:build race

package main

// The program under test is built with the race detector when its tests are.
func init() { buildFlags = append(buildFlags, "-race") }
