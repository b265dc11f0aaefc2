// Package storedriver connects package storage with stores that a program links only if it
// imports them.
package storedriver

import (
	"time"

	"github.com/landfallhq/tracking/store"
)

// Options are the settings of storage.Options that such a store has.
type Options struct {
	OnCommit func(updates int, took time.Duration, err error)
	ReadOnly bool
}

// Postgres opens the PostgreSQL database that a URL names. Importing package
// storage/postgres sets it; nil without that.
var Postgres func(url string, o Options) (store.Store, error)
