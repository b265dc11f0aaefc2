package storagetest_test

import (
	"context"
	"fmt"

	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/storage/storagetest"
	"github.com/landfallhq/tracking/store"
)

// Twice shows up a closure that adds to what it captures: a store may run it
// more than once, so it must set instead.
func ExampleTwice() {
	db := storagetest.Twice(memory.New())
	defer db.Close()

	added, set := 0, 0
	err := db.Update(context.Background(), store.AccountID{}, func(store.RecordTx) error {
		added++
		set = 1
		return nil
	})
	fmt.Println(added, set, err)
	// Output: 2 1 <nil>
}
