package memory_test

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/store"
)

func Example() {
	db := memory.New()
	defer db.Close()

	note := &store.Kind{
		Name:     "note",
		Columns:  []store.Column{{Name: "author", Type: store.TextColumn}},
		Revision: "1",
	}
	ctx := context.Background()
	if err := db.Prepare(ctx, []*store.Kind{note}); err != nil {
		fmt.Println(err)
		return
	}

	account := store.AccountID(uuid.New())
	err := db.Update(ctx, account, func(tx store.RecordTx) error {
		_, err := tx.Put(ctx, note, store.Write{
			ID:   uuid.New(),
			Doc:  []byte(`{"type":"note","attributes":{"text":"mind the reefer"}}`),
			Cols: []any{"ann"},
		})
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = db.View(ctx, account, func(tx store.RecordTx) error {
		notes, total, err := tx.List(ctx, note, store.Filter{}, store.Page{Number: 1, Size: 30}, nil)
		for _, n := range notes {
			fmt.Printf("version %d of %d: %s\n", n.Version, total, n.Doc)
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: version 1 of 1: {"type":"note","attributes":{"text":"mind the reefer"}}
}
