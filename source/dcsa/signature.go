package dcsa

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// SignatureHeader carries the signature of a callback (Track & Trace 2.2).
const SignatureHeader = "Notification-Signature"

// signatureType is the only type of signature that version 2.2 knows.
const signatureType = "sha256"

// minSecret is the least length of a shared secret in bytes. Shorter ones can be
// guessed by who has seen one signed body.
const minSecret = 16

// Sign returns the value of the header Notification-Signature for a body: the
// HMAC-SHA256 of all of its bytes, white space included, in hexadecimal after
// "sha256=". Neither headers nor the address are covered. The secret is as
// DecodeSecret returns it.
func Sign(secret, body []byte) string {
	return signatureType + "=" + hex.EncodeToString(authenticate(secret, body))
}

func authenticate(secret, body []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return mac.Sum(nil)
}

// DecodeSecret returns the bytes of a shared secret, which the standard passes
// about in base64. The error never repeats the secret.
func DecodeSecret(text string) ([]byte, error) {
	text = strings.TrimRight(strings.TrimSpace(text), "=")
	secret, err := base64.RawStdEncoding.DecodeString(text)
	switch {
	case err != nil:
		return nil, errors.New("the secret is not base64")
	case len(secret) < minSecret:
		return nil, fmt.Errorf("the secret has %d bytes; it must have at least %d", len(secret), minSecret)
	}
	return secret, nil
}

// parseSignature returns the digest that a Notification-Signature states. ok is
// false for a header that is missing, of another type, or none at all.
func parseSignature(header string) (digest []byte, ok bool) {
	kind, text, found := strings.Cut(strings.TrimSpace(header), "=")
	if !found || !strings.EqualFold(kind, signatureType) {
		return nil, false
	}
	digest, err := hex.DecodeString(text)
	return digest, err == nil && len(digest) == sha256.Size
}

// signed reports whether the digest is that of the body under one of the
// secrets. All are tried, so that the time tells nothing of which one fits.
func signed(digest, body []byte, secrets [][]byte) bool {
	fits := false
	for _, secret := range secrets {
		if hmac.Equal(digest, authenticate(secret, body)) {
			fits = true
		}
	}
	return fits
}
