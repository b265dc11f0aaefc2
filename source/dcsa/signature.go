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

// SignatureHeader has the signature of a callback (Track & Trace 2.2).
const SignatureHeader = "Notification-Signature"

// signatureType is the only type of signature in version 2.2.
const signatureType = "sha256"

// minSecret is the minimum length of a shared secret in bytes. A shorter one could
// be guessed from one signed body.
const minSecret = 16

// Sign returns the value of the header Notification-Signature for a body: the
// HMAC-SHA256 of its bytes in hexadecimal, after "sha256=". Headers and the address
// are not covered. The secret is that of DecodeSecret.
func Sign(secret, body []byte) string {
	return signatureType + "=" + hex.EncodeToString(authenticate(secret, body))
}

func authenticate(secret, body []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return mac.Sum(nil)
}

// DecodeSecret returns the bytes of a shared secret, which the standard encodes in
// base64. The error never contains the secret.
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

// parseSignature returns the digest in a Notification-Signature. ok is false for a
// header that is missing, malformed or of another type.
func parseSignature(header string) (digest []byte, ok bool) {
	kind, text, found := strings.Cut(strings.TrimSpace(header), "=")
	if !found || !strings.EqualFold(kind, signatureType) {
		return nil, false
	}
	digest, err := hex.DecodeString(text)
	return digest, err == nil && len(digest) == sha256.Size
}

// signed reports whether the digest is that of the body under one of the secrets.
// All are tried, so that the time does not reveal which one matches.
func signed(digest, body []byte, secrets [][]byte) bool {
	fits := false
	for _, secret := range secrets {
		if hmac.Equal(digest, authenticate(secret, body)) {
			fits = true
		}
	}
	return fits
}
