package tracking

import (
	"fmt"
	"sync"

	"github.com/landfallhq/tracking/freetime"
)

// accountTariffs are the tariffs of an account as the clocks take them, with their IDs as names.
// They are shared, and must not be changed.
type accountTariffs struct {
	byClock map[freetime.Clock][]freetime.Tariff
	// names are those that people gave the tariffs, by ID.
	names map[string]string
	// stateTerminals: a tariff states a terminal.
	stateTerminals bool
}

// accountCache has what was read last for each account, with its version: reading 2,000
// tariffs with their holidays takes longer than an update.
type accountCache[V any] struct {
	mu        sync.Mutex
	byAccount map[AccountID]versioned[V]
}

type versioned[V any] struct {
	version int64
	value   *V
}

// cachedAccounts bounds the accounts of a cache.
const cachedAccounts = 100

// get returns nil if the version is not known.
func (c *accountCache[V]) get(a AccountID, version int64) *V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.byAccount[a]; known.version == version {
		return known.value
	}
	return nil
}

func (c *accountCache[V]) put(a AccountID, version int64, v *V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byAccount == nil || len(c.byAccount) >= cachedAccounts {
		c.byAccount = map[AccountID]versioned[V]{}
	}
	c.byAccount[a] = versioned[V]{version, v}
}

// accountTariffs returns the tariffs of the account. Those that the transaction itself has
// changed are read and not remembered: it may be rolled back.
func (tx *transaction) accountTariffs() (*accountTariffs, error) {
	version, changed, err := tx.tariffsVersion()
	if err != nil {
		return nil, err
	}
	if !changed {
		if known := tx.engine.tariffs.get(tx.Account, version); known != nil {
			return known, nil
		}
	}
	stored, err := allTariffs(tx)
	if err != nil {
		return nil, err
	}
	t := &accountTariffs{byClock: map[freetime.Clock][]freetime.Tariff{}, names: map[string]string{}}
	for _, s := range stored {
		tariff, err := s.Terms.Tariff(holidayCalendar)
		if err != nil {
			return nil, fmt.Errorf("tracking: the stored tariff %s: %w", s.ID, err)
		}
		tariff.Name = s.ID.String()
		t.byClock[s.Clock] = append(t.byClock[s.Clock], tariff)
		t.names[tariff.Name] = s.Name
		t.stateTerminals = t.stateTerminals || tariff.Terminal != ""
	}
	if !changed {
		tx.engine.tariffs.put(tx.Account, version, t)
	}
	return t, nil
}

// tariffsVersion returns how often the tariffs of the account were changed, and whether the
// transaction itself has done it.
func (tx *transaction) tariffsVersion() (version int64, changed bool, err error) {
	l := tx.ledger
	if l != nil {
		return l.Tariffs, l.Tariffs != l.read.tariffs, nil
	}
	if l, err = ledgers.Get(tx, ledgerID); isNotFound(err) {
		return 0, false, nil
	} else if err != nil {
		return 0, false, err
	}
	return l.Tariffs, false, nil
}
