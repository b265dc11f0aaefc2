package signature

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"
)

// SecretPrefix is what secrets begin with.
const SecretPrefix = "whsec_"

// The length of a secret's key in bytes: of new ones, and what Standard Webhooks
// allows.
const (
	newKey         = 32
	minKey, maxKey = 24, 64
)

// NewSecret returns a secret of 32 random bytes, as whsec_ and base64.
func NewSecret() string {
	key := make([]byte, newKey)
	_, _ = rand.Read(key) // it ends the program rather than return an error
	return SecretPrefix + base64.StdEncoding.EncodeToString(key)
}

// ParseSecret returns the key in a secret: 24 to 64 bytes in base64, after whsec_,
// which may be left out. The error is an ErrSecret and never repeats the secret.
func ParseSecret(secret string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, SecretPrefix))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: it must be %s and base64", ErrSecret, SecretPrefix)
	case len(key) < minKey || len(key) > maxKey:
		return nil, fmt.Errorf("%w: its key has %d bytes, and must have %d to %d", ErrSecret, len(key), minKey, maxKey)
	}
	return key, nil
}
