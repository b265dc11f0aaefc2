package memory_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/store"
)

// A view keeps its snapshot while others write, and an update that fails has no
// effect.
func Example() {
	db := memory.New()
	defer db.Close()

	note := &store.Kind{Name: "note", Revision: "1"}
	ctx, account := context.Background(), store.AccountID(uuid.New())
	if err := db.Prepare(ctx, []*store.Kind{note}); err != nil {
		fmt.Println(err)
		return
	}
	put := func(text string, failure error) error {
		return db.Update(ctx, account, func(tx store.RecordTx) error {
			if _, err := tx.Put(ctx, note, store.Write{ID: uuid.New(), Doc: []byte(`{"text":"` + text + `"}`)}); err != nil {
				return err
			}
			return failure
		})
	}
	count := func(tx store.RecordTx) int {
		_, total, err := tx.List(ctx, note, store.Filter{}, store.Page{}, nil)
		if err != nil {
			fmt.Println(err)
		}
		return total
	}

	fmt.Println(put("rolled back", errors.New("no")))
	err := db.View(ctx, account, func(before store.RecordTx) error {
		if err := put("mind the reefer", nil); err != nil {
			return err
		}
		return db.View(ctx, account, func(after store.RecordTx) error {
			fmt.Println(count(before), "then", count(after))
			return nil
		})
	})
	fmt.Println(err)
	// Output:
	// no
	// 0 then 1
	// <nil>
}
