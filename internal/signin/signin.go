// Package signin has the rules by which people sign in: how addresses are written, which
// passwords are allowed, the tokens of one-time links, and how many attempts there may be.
// It stores nothing.
package signin

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/mail"
	"strings"
	"time"
	"unicode/utf8"
)

// LinkLife is how long a one-time link can be used.
const LinkLife = 24 * time.Hour

const (
	maxAddressBytes = 254
	// MinPassword and maxPassword are in characters.
	MinPassword = 12
	maxPassword = 256
	// minDistinct is the least number of different characters.
	minDistinct = 5
)

// Fault is why a value is not allowed.
type Fault struct {
	Code   string // for programs
	Detail string // a sentence without the value
}

// Address returns an e-mail address as it is stored and compared: trimmed, in lower case.
// A nil Fault means that it is one.
func Address(text string) (string, *Fault) {
	text = strings.ToLower(strings.TrimSpace(text))
	switch parsed, err := mail.ParseAddress(text); {
	case text == "":
		return "", &Fault{"blank", "Email can't be blank"}
	case len(text) > maxAddressBytes:
		return "", &Fault{"too_long", fmt.Sprintf("Email is longer than %d bytes", maxAddressBytes)}
	case err != nil || parsed.Name != "" || parsed.Address != text || !utf8.ValidString(text):
		return "", &Fault{"invalid", "Email is not an address such as kim@example.com"}
	}
	return text, nil
}

// CheckPassword returns why a password is not allowed; nil if it is. about are texts that
// it must not consist of, such as the address of the user.
func CheckPassword(password string, about ...string) *Fault {
	switch n := utf8.RuneCountInString(password); {
	case password == "":
		return &Fault{"blank", "Password can't be blank"}
	case !utf8.ValidString(password):
		return &Fault{"invalid", "Password is not UTF-8"}
	case n < MinPassword:
		return &Fault{"too_short", fmt.Sprintf("Password is shorter than %d characters", MinPassword)}
	case n > maxPassword:
		return &Fault{"too_long", fmt.Sprintf("Password is longer than %d characters", maxPassword)}
	}
	distinct := map[rune]bool{}
	for _, c := range password {
		distinct[c] = true
	}
	guessable := len(distinct) < minDistinct
	for _, text := range about {
		guessable = guessable || strings.EqualFold(password, text)
	}
	if guessable {
		return &Fault{"guessable", fmt.Sprintf("Password has fewer than %d different characters, or is the name or the address of the user", minDistinct)}
	}
	return nil
}

const secretBytes = 32

// NewLink returns the token of a one-time link: a scope, which says where to look it up,
// and a random secret.
func NewLink(scope [16]byte) string {
	var token [16 + secretBytes]byte
	copy(token[:], scope[:])
	rand.Read(token[16:]) // never fails (crypto/rand)
	return base64.RawURLEncoding.EncodeToString(token[:])
}

// LinkScope returns the scope of a token; ok is false for a text that is none.
func LinkScope(token string) (scope [16]byte, ok bool) {
	if len(token) != base64.RawURLEncoding.EncodedLen(16+secretBytes) {
		return scope, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil {
		return scope, false
	}
	return [16]byte(b), true
}

// Hash returns the SHA-256 of a token, in hex: what is stored.
func Hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
