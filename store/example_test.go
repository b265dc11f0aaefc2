package store_test

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/store"
)

// A store keeps records of any kind. It finds them by their columns and terms,
// whose meaning it does not know.
func Example() {
	var s store.Store = memory.New()
	defer s.Close()

	ctx, account := context.Background(), store.AccountID(uuid.New())
	note := &store.Kind{Name: "note", Columns: []store.Column{{Name: "author", Type: store.TextColumn}}, Revision: "1"}
	if err := s.Prepare(ctx, []*store.Kind{note}); err != nil {
		fmt.Println(err)
		return
	}
	err := s.Update(ctx, account, func(tx store.RecordTx) error {
		_, err := tx.Put(ctx, note, store.Write{ID: uuid.New(), Doc: []byte(`{"text":"mind the reefer"}`), Cols: []any{"ann"}})
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = s.View(ctx, account, func(tx store.RecordTx) error {
		byAnn := store.Filter{Where: []store.Cond{{Name: "author", Op: store.Is, Values: []any{"ann"}}}}
		list, total, err := tx.List(ctx, note, byAnn, store.Page{}, nil)
		for _, r := range list {
			fmt.Println(total, string(r.Doc))
		}
		return err
	})
	fmt.Println(err)
	// Output:
	// 1 {"text":"mind the reefer"}
	// <nil>
}
