package memory_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/blobtest"
	"github.com/landfallhq/tracking/blob/memory"
)

func TestContract(t *testing.T) {
	blobtest.Run(t, func(*testing.T) tracking.Blobs { return &memory.Blobs{} })
}

func Example() {
	var blobs memory.Blobs
	key := tracking.BlobKey{ID: tracking.ID{1}}
	if err := blobs.Put(context.Background(), key, bytes.NewReader([]byte("%PDF-1.7"))); err != nil {
		fmt.Println(err)
		return
	}
	blob, err := blobs.Open(context.Background(), key)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(blob.Size(), blob.Close())
	// Output: 8 <nil>
}
