package blobtest_test

import (
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/blobtest"
	"github.com/landfallhq/tracking/blob/memory"
)

// The test of your own Blobs, with your constructor.
func ExampleRun() {
	_ = func(t *testing.T) {
		blobtest.Run(t, func(*testing.T) tracking.Blobs { return &memory.Blobs{} })
	}
	// Output:
}
