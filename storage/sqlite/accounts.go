//go:build cgo

package sqlite

import (
	"sync"

	"github.com/landfallhq/tracking/store"
)

// accountNumbers are the numbers of accounts that are committed. Accounts are
// never deleted, so an entry stays true.
type accountNumbers struct {
	mu sync.RWMutex
	no map[store.AccountID]int64
}

func (a *accountNumbers) get(id store.AccountID) (int64, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	no, ok := a.no[id]
	return no, ok
}

func (a *accountNumbers) set(id store.AccountID, no int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.no == nil {
		a.no = map[store.AccountID]int64{}
	}
	a.no[id] = no
}
