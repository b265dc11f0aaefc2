package tracking

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"time"
)

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
