package postgres

import (
	"context"

	"github.com/landfallhq/tracking/internal/storedriver"
	"github.com/landfallhq/tracking/store"
)

func init() {
	storedriver.Postgres = func(url string, o storedriver.Options) (store.Store, error) {
		s, err := Open(context.Background(), url, Options{OnCommit: o.OnCommit, ReadOnly: o.ReadOnly})
		if err != nil {
			return nil, err // not the nil *Store, which would be a Store that is not nil
		}
		return s, nil
	}
}
