package signature

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The headers of a delivery.
const (
	IDHeader        = "webhook-id"
	TimestampHeader = "webhook-timestamp"
	SignatureHeader = "webhook-signature"
	LegacyHeader    = "X-T49-Webhook-Signature"
)

// version precedes a signature with a shared secret.
const version = "v1,"

// Sign returns one signature of a delivery: "v1," and base64. The error is an
// ErrSecret.
func Sign(secret, id string, at time.Time, body []byte) (string, error) {
	key, err := ParseSecret(secret)
	if err != nil {
		return "", err
	}
	return sign(key, id, Timestamp(at), body), nil
}

// Header returns the value of webhook-signature: a signature for each of the
// secrets. The error is an ErrSecret.
func Header(id string, at time.Time, body []byte, secrets ...string) (string, error) {
	all := make([]string, len(secrets))
	for i, secret := range secrets {
		var err error
		if all[i], err = Sign(secret, id, at, body); err != nil {
			return "", err
		}
	}
	return strings.Join(all, " "), nil
}

// Timestamp returns the value of webhook-timestamp: whole seconds since 1970, UTC.
func Timestamp(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }

// Legacy returns the value of X-T49-Webhook-Signature. The key is the text of the
// secret, including whsec_; any text can be used.
func Legacy(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func sign(key []byte, id, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return version + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// SecretPrefix is the prefix of secrets.
const SecretPrefix = "whsec_"

// The length of the key of a secret, in bytes: of new secrets, and as allowed by
// Standard Webhooks.
const (
	newKey         = 32
	minKey, maxKey = 24, 64
)

// NewSecret returns a secret of 32 random bytes: whsec_ and base64.
func NewSecret() string {
	key := make([]byte, newKey)
	_, _ = rand.Read(key) // cannot fail
	return SecretPrefix + base64.StdEncoding.EncodeToString(key)
}

// ParseSecret returns the key of a secret: 24 to 64 bytes in base64, after an
// optional whsec_. The error is an ErrSecret and never contains the secret.
func ParseSecret(secret string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, SecretPrefix))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: it must be %s and base64", ErrSecret, SecretPrefix)
	case len(key) < minKey || len(key) > maxKey:
		return nil, fmt.Errorf("%w: its key has %d bytes, but must have %d to %d", ErrSecret, len(key), minKey, maxKey)
	}
	return key, nil
}
