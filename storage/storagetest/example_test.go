package storagetest_test

import (
	"context"
	"fmt"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/storage/storagetest"
)

// Twice shows up a closure that adds to what it captures: a store may run it
// more than once, so it must set instead.
func ExampleTwice() {
	store := storagetest.Twice(memory.New())
	defer store.Close()

	added, set := 0, 0
	err := store.Update(context.Background(), tracking.AccountID{}, func(tracking.RecordTx) error {
		added++
		set = 1
		return nil
	})
	fmt.Println(added, set, err)
	// Output: 2 1 <nil>
}
