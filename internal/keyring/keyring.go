// Package keyring has the keys that are derived from the master keys of an installation.
// They seal secrets for one record each, and sign tokens that replace an API key. It
// stores nothing and knows no clock.
package keyring

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/store"
)

// minMasterKey is the minimum length of a master key in bytes: that of the keys derived
// from it.
const minMasterKey = 32

// Ring seals and signs with its first key. It opens and verifies with all of them. A
// sealed text and a token have the ID of their key.
type Ring struct{ keys []key }

type key struct {
	id      [4]byte
	aead    cipher.AEAD
	signing []byte
}

// ErrEmpty is returned by Seal and Sign if the ring has no key.
var ErrEmpty = errors.New("tracking: no master key is configured")

// MissingKeyError is returned by Open for a text that is sealed with a key that is not in
// the ring.
type MissingKeyError struct {
	KeyID string // in hex
}

func (e *MissingKeyError) Error() string {
	return fmt.Sprintf("a secret is sealed with the master key %s, which is not configured", e.KeyID)
}

// New derives the keys of master keys, that for new texts first.
func New(masters ...[]byte) (*Ring, error) {
	ring := &Ring{}
	for _, master := range masters {
		if len(master) < minMasterKey {
			return nil, fmt.Errorf("tracking: a master key has %d bytes; it needs at least %d", len(master), minMasterKey)
		}
		k, err := derive(master)
		if err != nil {
			return nil, err
		}
		ring.keys = append(ring.keys, k)
	}
	return ring, nil
}

func derive(master []byte) (k key, err error) {
	made, err := hkdf.Key(sha256.New, master, nil, "landfall sealing", 32+len(k.id))
	if err != nil {
		return k, err
	}
	copy(k.id[:], made[32:])
	block, err := aes.NewCipher(made[:32])
	if err != nil {
		return k, err
	}
	if k.aead, err = cipher.NewGCM(block); err != nil {
		return k, err
	}
	k.signing, err = hkdf.Key(sha256.New, master, nil, "landfall signed ids", 32)
	return k, err
}

// Empty reports whether the ring has no key.
func (r *Ring) Empty() bool { return len(r.keys) == 0 }

// Seal encrypts a text for one record: it cannot be opened for another.
func (r *Ring) Seal(text []byte, account store.AccountID, record uuid.UUID) ([]byte, error) {
	if r.Empty() {
		return nil, ErrEmpty
	}
	k := r.keys[0]
	nonce := make([]byte, k.aead.NonceSize())
	rand.Read(nonce) // never fails (crypto/rand)
	sealed := append(k.id[:len(k.id):len(k.id)], nonce...)
	return k.aead.Seal(sealed, nonce, text, additionalData(account, record)), nil
}

// Open decrypts what Seal has encrypted for the record. Errors: a MissingKeyError.
func (r *Ring) Open(sealed []byte, account store.AccountID, record uuid.UUID) ([]byte, error) {
	for _, k := range r.keys {
		rest, ok := bytes.CutPrefix(sealed, k.id[:])
		n := k.aead.NonceSize()
		if ok && len(rest) >= n {
			return k.aead.Open(nil, rest[:n], rest[n:], additionalData(account, record))
		}
	}
	missing := "(none)"
	if len(sealed) >= 4 {
		missing = hex.EncodeToString(sealed[:4])
	}
	return nil, &MissingKeyError{missing}
}

// Current reports whether a text is sealed with the first key, or the ring has none.
func (r *Ring) Current(sealed []byte) bool {
	return r.Empty() || bytes.HasPrefix(sealed, r.keys[0].id[:])
}

func additionalData(account store.AccountID, record uuid.UUID) []byte {
	return append(account[:len(account):len(account)], record[:]...)
}
