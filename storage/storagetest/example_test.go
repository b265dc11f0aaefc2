package storagetest_test

import (
	"context"
	"fmt"

	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/storage/storagetest"
	"github.com/landfallhq/tracking/store"
)

// A store may run a closure more than once. Twice detects a closure that adds to
// what it captures instead of setting it.
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
