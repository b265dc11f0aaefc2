package tracking

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/table"
)

// minMasterKey is the minimum length of a master key in bytes: that of the keys derived
// from it.
const minMasterKey = 32

// keyring encrypts ("seals") secrets in the store. It seals with the first key, and opens
// what any of the keys has sealed. A sealed text has the ID of its key.
type keyring struct{ keys []sealingKey }

type sealingKey struct {
	id   [4]byte
	aead cipher.AEAD
	// signing is the key of signed IDs.
	signing []byte
}

// ErrMasterKey is returned by New if the secrets of the store are sealed with a key that is
// neither Config.MasterKey nor one of Config.OldMasterKeys.
var ErrMasterKey = errors.New("tracking: the secrets of this store are sealed with another key than Config.MasterKey; set that key, or add it to Config.OldMasterKeys")

var errNoMasterKey = &Error{Kind: Invalid, Code: "no_master_key", Detail: "this installation has no master key, so it stores no secrets of webhooks: its operator must set one"}

func newKeyring(masters ...[]byte) (*keyring, error) {
	ring := &keyring{}
	for _, master := range masters {
		if len(master) < minMasterKey {
			return nil, fmt.Errorf("tracking: a master key has %d bytes; it needs at least %d", len(master), minMasterKey)
		}
		k, err := newSealingKey(master)
		if err != nil {
			return nil, err
		}
		ring.keys = append(ring.keys, k)
	}
	return ring, nil
}

func newSealingKey(master []byte) (k sealingKey, err error) {
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

// seal encrypts a text for one record: it cannot be opened for another.
func (ring *keyring) seal(text []byte, account AccountID, id ID) ([]byte, error) {
	if len(ring.keys) == 0 {
		return nil, errNoMasterKey
	}
	k := ring.keys[0]
	nonce := make([]byte, k.aead.NonceSize())
	rand.Read(nonce) // never fails (crypto/rand)
	sealed := append(k.id[:len(k.id):len(k.id)], nonce...)
	return k.aead.Seal(sealed, nonce, text, additionalData(account, id)), nil
}

func (ring *keyring) open(sealed []byte, account AccountID, id ID) ([]byte, error) {
	for _, k := range ring.keys {
		rest, ok := bytes.CutPrefix(sealed, k.id[:])
		if !ok || len(rest) < k.aead.NonceSize() {
			continue
		}
		n := k.aead.NonceSize()
		return k.aead.Open(nil, rest[:n], rest[n:], additionalData(account, id))
	}
	return nil, &Error{Kind: Unavailable, Code: "master_key_missing", Detail: fmt.Sprintf(
		"a secret is sealed with the master key %s, which is not configured; the operator must add it to the old master keys", keyName(sealed))}
}

// current reports whether a text is sealed with the first key.
func (ring *keyring) current(sealed []byte) bool {
	if len(ring.keys) == 0 {
		return true
	}
	_, ok := bytes.CutPrefix(sealed, ring.keys[0].id[:])
	return ok
}

func additionalData(account AccountID, id ID) []byte {
	return append(account[:len(account):len(account)], id[:]...)
}

func keyName(sealed []byte) string {
	if len(sealed) < 4 {
		return "(none)"
	}
	return hex.EncodeToString(sealed[:4])
}

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
	if len(e.keys.keys) == 0 {
		return nil
	}
	proven := false
	err := e.view(ctx, AccountID{}, func(tx *transaction) error {
		p, err := sealProofs.Get(tx, sealProofID)
		if isNotFound(err) {
			return nil
		}
		if err == nil {
			proven, err = e.keys.current(p.Sealed), e.checkProof(p)
		}
		return err
	})
	if err != nil || proven {
		return err
	}
	return e.update(ctx, AccountID{}, func(tx *transaction) error {
		p := &sealProof{Meta: Meta{ID: sealProofID}}
		if stored, err := sealProofs.Get(tx, sealProofID); err == nil {
			if err := e.checkProof(stored); err != nil { // another process has written it
				return err
			}
		}
		sealed, err := e.keys.seal([]byte("landfall"), AccountID{}, sealProofID)
		if err != nil {
			return err
		}
		p.Sealed = sealed
		return sealProofs.Put(tx, p)
	})
}

func (e *engine) checkProof(p *sealProof) error {
	if _, err := e.keys.open(p.Sealed, AccountID{}, sealProofID); err != nil {
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
	return tx.engine.keys.seal(text, tx.Account, id)
}

func openJSON(tx *transaction, sealed []byte, id ID, v any) error {
	text, err := tx.engine.keys.open(sealed, tx.Account, id)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// signedID permits one action on one upload of one account for some time, without a key.
// As a text it is its payload in base64url, "--" and the HMAC of that base64url in hex, as
// in ActiveStorage. The HMAC is compared as text, so that each signed ID has one form.
//
// The payload is: version (1 byte), ID of the key (4), purpose (1), account (16), upload
// (16), Unix time of its expiry (8).
type signedID struct {
	purpose purpose
	account AccountID
	upload  ID
	until   time.Time
}

// purpose is what a signed ID permits.
type purpose byte

const (
	forAttaching   purpose = 'a' // create a document from an upload
	forUploading   purpose = 'u' // send the bytes of an upload
	forDownloading purpose = 'd' // read the bytes of a document
)

const (
	// signedIDLife is how long an upload can be sent and attached.
	signedIDLife = 24 * time.Hour
	// downloadLife is how long a download link is valid.
	downloadLife = 5 * time.Minute

	signedVersion = 1
	signedSize    = 1 + 4 + 1 + 16 + 16 + 8
)

// sign returns the signed ID as text, signed with the first key.
func (ring *keyring) sign(s signedID) (string, error) {
	if len(ring.keys) == 0 {
		return "", errUnsigned
	}
	k := &ring.keys[0]
	payload := append(make([]byte, 0, signedSize), signedVersion)
	payload = append(payload, k.id[:]...)
	payload = append(payload, byte(s.purpose))
	payload = append(payload, s.account[:]...)
	payload = append(payload, s.upload[:]...)
	payload = binary.BigEndian.AppendUint64(payload, uint64(s.until.Unix()))
	text := base64.RawURLEncoding.EncodeToString(payload)
	return text + "--" + k.mac(text), nil
}

var errUnsigned = &Error{Kind: Invalid, Code: "no_master_key", Detail: "this installation has no master key, so it accepts no uploads: its operator must set one"}

// verify parses a signed ID. ok: it is signed with a key of the ring, for this purpose. The
// caller checks whether it has expired.
func (ring *keyring) verify(text string, p purpose) (s signedID, ok bool) {
	at := strings.LastIndex(text, "--") // the payload may contain "--"
	if at < 0 {
		return s, false
	}
	encoded, mac := text[:at], text[at+2:]
	payload, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || len(payload) != signedSize || payload[0] != signedVersion {
		return s, false
	}
	for i := range ring.keys {
		k := &ring.keys[i]
		if string(k.id[:]) != string(payload[1:5]) || !hmac.Equal([]byte(mac), []byte(k.mac(encoded))) {
			continue
		}
		s.purpose = purpose(payload[5])
		copy(s.account[:], payload[6:22])
		copy(s.upload[:], payload[22:38])
		s.until = time.Unix(int64(binary.BigEndian.Uint64(payload[38:])), 0).UTC()
		return s, s.purpose == p
	}
	return s, false
}

func (k *sealingKey) mac(text string) string {
	h := hmac.New(sha256.New, k.signing)
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}
