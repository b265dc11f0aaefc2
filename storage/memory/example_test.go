package memory_test

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
)

func Example() {
	store := memory.New()
	defer store.Close()

	note := &tracking.Kind{
		Name:     "note",
		Columns:  []tracking.Column{{Name: "author", Type: tracking.TextColumn}},
		Revision: "1",
	}
	ctx := context.Background()
	if err := store.Prepare(ctx, []*tracking.Kind{note}); err != nil {
		fmt.Println(err)
		return
	}

	account := tracking.AccountID(uuid.New())
	err := store.Update(ctx, account, func(tx tracking.RecordTx) error {
		_, err := tx.Put(ctx, note, tracking.Write{
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
	err = store.View(ctx, account, func(tx tracking.RecordTx) error {
		notes, total, err := tx.List(ctx, note, tracking.Filter{}, tracking.Page{Number: 1, Size: 30}, nil)
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
