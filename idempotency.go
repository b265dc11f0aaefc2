package tracking

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/landfallhq/tracking/internal/table"
)

// Once makes a call idempotent. Every method that would create or send something again
// when it is repeated takes a Once as an optional last argument; of several, the last
// counts. A call with the same key and fingerprint returns the result of the first;
// another fingerprint is Invalid. The key is stored in the transaction of the call for
// 24 hours. A failed call is not stored.
type Once struct {
	// Key is chosen by the caller, 1 to 255 characters; empty disables idempotency.
	Key string
	// Fingerprint identifies the contents of the call, such as a hash.
	Fingerprint string
}

// onceOf is the Once among optional arguments; the zero Once for none.
func onceOf(once []Once) Once {
	if len(once) == 0 {
		return Once{}
	}
	return once[len(once)-1]
}

// onceKept is how long a key is stored.
const onceKept = 24 * time.Hour

// onceRecord is the stored result of one key.
type onceRecord struct {
	Meta
	Kind        string          `private:"kind"`
	Fingerprint string          `private:"fingerprint"`
	Result      json.RawMessage `private:"result"` // what the call returned: an ID, or a report's receipt
	CreatedAt   time.Time       `private:"created_at"`
}

var onces = newKind("once", []column[onceRecord]{
	table.TimeColumn("created_at", func(o *onceRecord) time.Time { return o.CreatedAt }),
}, nil, nil)

// remembered runs fn unless the key has been used, and stores its result. fresh
// reports whether fn ran.
func remembered[R any](tx *transaction, once []Once, kind string, fn func() (R, error)) (result R, fresh bool, err error) {
	o := onceOf(once)
	if o.Key == "" {
		result, err = fn()
		return result, true, err
	}
	if err := checkText("idempotency_key", o.Key, 255); err != nil {
		return result, false, err
	}
	sum := sha256.Sum256([]byte(o.Key))
	id := table.NamedID("once", hex.EncodeToString(sum[:]))
	old, err := onces.Get(tx, id)
	switch {
	case err == nil && tx.Now.Sub(old.CreatedAt) < onceKept:
		if old.Fingerprint != o.Fingerprint || old.Kind != kind {
			return result, false, &Error{Kind: Invalid, Code: "idempotency_key_reused", Detail: "this Idempotency-Key was used for another request within the last 24 hours"}
		}
		return result, false, json.Unmarshal(old.Result, &result)
	case err != nil && !errors.Is(err, ErrNotFound):
		return result, false, err
	}
	if result, err = fn(); err != nil {
		return result, false, err
	}
	text, err := json.Marshal(result)
	if err != nil {
		return result, false, err
	}
	record := &onceRecord{Meta: Meta{ID: id}, Kind: kind, Fingerprint: o.Fingerprint, Result: text, CreatedAt: tx.Now}
	return result, true, onces.Put(tx, record)
}

// createOnce runs a create of one record of resource n.
func createOnce[T any](ctx context.Context, t *Tracker, once []Once, n *resource[T], fn func(*transaction) (*T, error)) (*T, error) {
	return createOnceWithin(ctx, t, once, n, t.changeOwn, fn)
}

// changeOwn is change in the account of the actor.
func (t *Tracker) changeOwn(ctx context.Context, operation string, fn func(*transaction) error) error {
	return t.change(ctx, operation, t.actor.Account, fn)
}

// createOnceWithin is createOnce with another kind of update.
func createOnceWithin[T any](ctx context.Context, t *Tracker, once []Once, n *resource[T], update func(context.Context, string, func(*transaction) error) error, fn func(*transaction) (*T, error)) (*T, error) {
	var v *T
	err := update(ctx, n.Kind.Name+".create", func(tx *transaction) error {
		id, fresh, err := remembered(tx, once, n.Kind.Name, func() (ID, error) {
			made, err := fn(tx)
			if err != nil {
				return ID{}, err
			}
			v = made
			return metaOf(made).ID, nil
		})
		if err != nil || fresh {
			return err
		}
		v, err = n.Get(tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}
