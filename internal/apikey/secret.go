// Package apikey has the secrets of API keys, and records when keys were last used. It
// stores nothing: the caller does.
package apikey

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strings"
)

// A secret is "lf_", 32 random bytes in base64url, and a checksum by which typing errors
// and secret scanners recognise it.
const (
	prefix    = "lf_"
	bodyChars = 43
	sumChars  = 8
)

// NewSecret returns a random secret.
func NewSecret() string {
	var random [32]byte
	rand.Read(random[:]) // never fails (crypto/rand)
	body := base64.RawURLEncoding.EncodeToString(random[:])
	return prefix + body + checksum(body)
}

func checksum(body string) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body))) }

// IsSecret reports whether a text has the form of a secret, with its checksum.
func IsSecret(text string) bool {
	body, ok := strings.CutPrefix(text, prefix)
	return ok && len(body) == bodyChars+sumChars && checksum(body[:bodyChars]) == body[bodyChars:]
}

// Hint returns the beginning of a secret, by which people recognise it in lists.
func Hint(secret string) string { return secret[:len(prefix)+6] }

// Hash returns the SHA-256 of a secret, in hex.
func Hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
