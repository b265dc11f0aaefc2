//go:build !race

package extract

// detectorMemory is what the race detector maps for itself, which this program lacks.
const detectorMemory = 0
