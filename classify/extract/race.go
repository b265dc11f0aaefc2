//go:build race

package extract

// detectorMemory is what the race detector maps for itself.
const detectorMemory = 1 << 30
