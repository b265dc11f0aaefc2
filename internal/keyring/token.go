package keyring

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/store"
)

// Token permits one action on one upload of one account for some time, without an API key.
// As a text it is its payload in base64url, "--" and the HMAC of that base64url in hex, as
// in ActiveStorage. The HMAC is compared as text, so that each token has one form.
//
// The payload is: version (1 byte), ID of the key (4), purpose (1), account (16), upload
// (16), Unix time of its expiry (8).
type Token struct {
	Purpose Purpose
	Account store.AccountID
	Upload  uuid.UUID
	Until   time.Time
}

// Purpose is the action that a token permits.
type Purpose byte

// The purposes.
const (
	Attach   Purpose = 'a' // create a document from an upload
	Send     Purpose = 'u' // send the bytes of an upload
	Download Purpose = 'd' // read the bytes of a document
	// Unsubscribe ends a subscription to e-mails, whose ID stands for the upload.
	Unsubscribe Purpose = 'm'
)

const (
	tokenVersion = 1
	tokenSize    = 1 + 4 + 1 + 16 + 16 + 8
)

// Sign returns the token as text, signed with the first key. Errors: ErrEmpty.
func (r *Ring) Sign(t Token) (string, error) {
	if r.Empty() {
		return "", ErrEmpty
	}
	k := &r.keys[0]
	payload := append(make([]byte, 0, tokenSize), tokenVersion)
	payload = append(payload, k.id[:]...)
	payload = append(payload, byte(t.Purpose))
	payload = append(payload, t.Account[:]...)
	payload = append(payload, t.Upload[:]...)
	payload = binary.BigEndian.AppendUint64(payload, uint64(t.Until.Unix()))
	text := base64.RawURLEncoding.EncodeToString(payload)
	return text + "--" + k.mac(text), nil
}

// Verify parses a token. ok: it is signed with a key of the ring, for this purpose. The
// caller checks whether it has expired.
func (r *Ring) Verify(text string, p Purpose) (t Token, ok bool) {
	at := strings.LastIndex(text, "--") // the payload may contain "--"
	if at < 0 {
		return t, false
	}
	encoded, mac := text[:at], text[at+2:]
	payload, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || len(payload) != tokenSize || payload[0] != tokenVersion {
		return t, false
	}
	for i := range r.keys {
		k := &r.keys[i]
		if string(k.id[:]) != string(payload[1:5]) || !hmac.Equal([]byte(mac), []byte(k.mac(encoded))) {
			continue
		}
		t.Purpose = Purpose(payload[5])
		copy(t.Account[:], payload[6:22])
		copy(t.Upload[:], payload[22:38])
		t.Until = time.Unix(int64(binary.BigEndian.Uint64(payload[38:])), 0).UTC()
		return t, t.Purpose == p
	}
	return t, false
}

func (k *key) mac(text string) string {
	h := hmac.New(sha256.New, k.signing)
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}
