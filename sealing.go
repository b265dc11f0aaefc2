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
)

// minMasterKey is the least length of a master key in bytes: as long as the
// keys that are made of it.
const minMasterKey = 32

// keyring seals what must not be readable in the store: with the first key, and
// opens what was sealed with any of them. A sealed text names its key.
type keyring struct{ keys []sealingKey }

type sealingKey struct {
	id   [4]byte
	aead cipher.AEAD
	// signing is the key of signed IDs.
	signing []byte
}

// ErrMasterKey is what New returns when the store's secrets are sealed with another
// key than Config.MasterKey and Config.OldMasterKeys.
var ErrMasterKey = errors.New("tracking: Config.MasterKey is not the key that this store's secrets are sealed with; set that one, or name it among Config.OldMasterKeys")

var errNoMasterKey = &Error{Kind: Invalid, Code: "no_master_key", Detail: "this installation has no master key, and so keeps no secrets of webhooks: its operator must set one"}

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

// seal encrypts a text for one place: what was sealed for one record opens in
// no other.
func (ring *keyring) seal(text []byte, account AccountID, id ID) ([]byte, error) {
	if len(ring.keys) == 0 {
		return nil, errNoMasterKey
	}
	k := ring.keys[0]
	nonce := make([]byte, k.aead.NonceSize())
	rand.Read(nonce) // never fails (crypto/rand)
	sealed := append(k.id[:len(k.id):len(k.id)], nonce...)
	return k.aead.Seal(sealed, nonce, text, place(account, id)), nil
}

func (ring *keyring) open(sealed []byte, account AccountID, id ID) ([]byte, error) {
	for _, k := range ring.keys {
		rest, ok := bytes.CutPrefix(sealed, k.id[:])
		if !ok || len(rest) < k.aead.NonceSize() {
			continue
		}
		n := k.aead.NonceSize()
		return k.aead.Open(nil, rest[:n], rest[n:], place(account, id))
	}
	return nil, &Error{Kind: Unavailable, Code: "master_key_missing", Detail: fmt.Sprintf(
		"a secret is sealed with the master key %s, which is not configured; the operator must name it among the old ones", keyName(sealed))}
}

// current reports whether a text is sealed with the key that seals now.
func (ring *keyring) current(sealed []byte) bool {
	if len(ring.keys) == 0 {
		return true
	}
	_, ok := bytes.CutPrefix(sealed, ring.keys[0].id[:])
	return ok
}

func place(account AccountID, id ID) []byte {
	return append(account[:len(account):len(account)], id[:]...)
}

func keyName(sealed []byte) string {
	if len(sealed) < 4 {
		return "(none)"
	}
	return hex.EncodeToString(sealed[:4])
}

// sealProof is kept in the system scope: what is sealed with the master key of
// the store. A process with another key must not begin to seal with that one.
type sealProof struct {
	Meta
	Sealed []byte `private:"sealed"`
}

var sealProofs = newKind[sealProof]("seal_proof", nil, nil, nil)

var sealProofID = named("seal_proof", "")

// prove sees to it that the keys are those of the store: the proof must open,
// and is sealed with the first key from now on.
func (e *engine) prove(ctx context.Context) error {
	if len(e.keys.keys) == 0 {
		return nil
	}
	proven := false
	err := e.view(ctx, AccountID{}, func(tx *Tx) error {
		p, err := table(tx, sealProofs).Get(sealProofID)
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
	return e.update(ctx, AccountID{}, func(tx *Tx) error {
		p := &sealProof{Meta: Meta{ID: sealProofID}}
		if stored, err := table(tx, sealProofs).Get(sealProofID); err == nil {
			if err := e.checkProof(stored); err != nil { // another process was first
				return err
			}
		}
		sealed, err := e.keys.seal([]byte("landfall"), AccountID{}, sealProofID)
		if err != nil {
			return err
		}
		p.Sealed = sealed
		return table(tx, sealProofs).Put(p)
	})
}

func (e *engine) checkProof(p *sealProof) error {
	if _, err := e.keys.open(p.Sealed, AccountID{}, sealProofID); err != nil {
		return ErrMasterKey
	}
	return nil
}

// sealJSON seals a value; openJSON reads it back.
func sealJSON(tx *Tx, v any, id ID) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return tx.engine.keys.seal(text, tx.Account, id)
}

func openJSON(tx *Tx, sealed []byte, id ID, v any) error {
	text, err := tx.engine.keys.open(sealed, tx.Account, id)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// A signed ID lets whoever holds it do one thing with one upload of one account,
// for a while, without a key. It is two texts with "--" between them, as clients
// of ActiveStorage know it: what it says, in base64url, and the HMAC of that text
// in hex. The HMAC is compared as text, so that there is one form only.
//
// It says, in this order: the form (1 byte), the ID of the key (4), the purpose
// (1), the account (16), the upload (16) and the Unix time of its end (8).
type signedID struct {
	purpose purpose
	account AccountID
	upload  ID
	until   time.Time
}

// purpose is what a signed ID is good for.
type purpose byte

const (
	forAttaching   purpose = 'a' // to make a document of an upload
	forUploading   purpose = 'u' // to hand in the bytes of an upload
	forDownloading purpose = 'd' // to read the bytes of a document
)

const (
	// signedIDLife is how long an upload can be handed in and be attached.
	signedIDLife = 24 * time.Hour
	// downloadLife is how long a link to the bytes of a document is good.
	downloadLife = 5 * time.Minute

	signedForm = 1
	signedSize = 1 + 4 + 1 + 16 + 16 + 8
)

// sign returns the signed ID as text, under the key that seals now.
func (ring *keyring) sign(s signedID) (string, error) {
	if len(ring.keys) == 0 {
		return "", errUnsigned
	}
	k := &ring.keys[0]
	says := append(make([]byte, 0, signedSize), signedForm)
	says = append(says, k.id[:]...)
	says = append(says, byte(s.purpose))
	says = append(says, s.account[:]...)
	says = append(says, s.upload[:]...)
	says = binary.BigEndian.AppendUint64(says, uint64(s.until.Unix()))
	text := base64.RawURLEncoding.EncodeToString(says)
	return text + "--" + k.mac(text), nil
}

var errUnsigned = &Error{Kind: Invalid, Code: "no_master_key", Detail: "this installation has no master key, and so takes no uploads: its operator must set one"}

// verify reads a signed ID. ok: it was signed here, with a key that is still
// known, for this purpose. Whether its time is over is for the caller.
func (ring *keyring) verify(text string, p purpose) (s signedID, ok bool) {
	at := strings.LastIndex(text, "--") // the first could be part of what it says
	if at < 0 {
		return s, false
	}
	encoded, mac := text[:at], text[at+2:]
	says, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || len(says) != signedSize || says[0] != signedForm {
		return s, false
	}
	for i := range ring.keys {
		k := &ring.keys[i]
		if string(k.id[:]) != string(says[1:5]) || !hmac.Equal([]byte(mac), []byte(k.mac(encoded))) {
			continue
		}
		s.purpose = purpose(says[5])
		copy(s.account[:], says[6:22])
		copy(s.upload[:], says[22:38])
		s.until = time.Unix(int64(binary.BigEndian.Uint64(says[38:])), 0).UTC()
		return s, s.purpose == p
	}
	return s, false
}

func (k *sealingKey) mac(text string) string {
	h := hmac.New(sha256.New, k.signing)
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}
