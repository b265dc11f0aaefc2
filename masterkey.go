package tracking

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/landfallhq/tracking/internal/keyring"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

var errNoMasterKey = &Error{Kind: Invalid, Code: "no_master_key", Detail: "this installation has no master key, so it stores no secrets of webhooks: its operator must set one"}

// sealProof is a text in the system scope that is sealed with the master key of the store.
// It keeps a process with another master key from sealing with that.
type sealProof struct {
	Meta
	Sealed []byte `private:"sealed"`
}

var sealProofs = newKind[sealProof]("seal_proof", nil, nil, nil)

var sealProofID = table.NamedID("seal_proof", "")

// verifyMasterKey checks that one of the keys opens the proof, and seals it with the first
// key.
func (e *engine) verifyMasterKey(ctx context.Context) error {
	if e.keys.Empty() {
		return nil
	}
	proven := false
	err := e.view(ctx, AccountID{}, func(tx *transaction) error {
		p, err := sealProofs.Get(tx, sealProofID)
		if isNotFound(err) {
			return nil
		}
		if err == nil {
			proven, err = e.keys.Current(p.Sealed), e.checkProof(p)
		}
		return err
	})
	if err != nil || proven {
		return err
	}
	err = e.update(ctx, AccountID{}, func(tx *transaction) error {
		p := &sealProof{Meta: Meta{ID: sealProofID}}
		if stored, err := sealProofs.Get(tx, sealProofID); err == nil {
			if err := e.checkProof(stored); err != nil { // another process has written it
				return err
			}
		}
		sealed, err := e.keys.Seal([]byte("landfall"), AccountID{}, sealProofID)
		if err != nil {
			return err
		}
		p.Sealed = sealed
		return sealProofs.Put(tx, p)
	})
	if errors.Is(err, store.ErrReadOnly) { // it seals nothing either
		return nil
	}
	return err
}

func (e *engine) checkProof(p *sealProof) error {
	if _, err := e.keys.Open(p.Sealed, AccountID{}, sealProofID); err != nil {
		return ErrMasterKey
	}
	return nil
}

// sealJSON seals the JSON of a value, which openJSON opens.
func sealJSON(tx *transaction, v any, id ID) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	sealed, err := tx.engine.keys.Seal(text, tx.Account, id)
	if errors.Is(err, keyring.ErrEmpty) {
		err = errNoMasterKey
	}
	return sealed, err
}

func openJSON(tx *transaction, sealed []byte, id ID, v any) error {
	text, err := tx.engine.keys.Open(sealed, tx.Account, id)
	if missing := (*keyring.MissingKeyError)(nil); errors.As(err, &missing) {
		return &Error{Kind: Unavailable, Code: "master_key_missing", Detail: missing.Error() + "; the operator must add it to the old master keys"}
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}
