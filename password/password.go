// Package password hashes the passwords of users with Argon2id, for Config.Passwords of a
// Tracker. It stores nothing and logs nothing.
package password

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Config has the arguments of New.
type Config struct {
	// Memory of one hash, in KiB. Defaults to 32,768 (32 MiB); at least 8.
	Memory uint32
	// Passes over that memory. Defaults to 3.
	Passes uint32
	// Concurrent is how many hashes are made at one time, so that many attempts at once
	// cannot use up the memory. Others wait. Defaults to 2.
	Concurrent int
}

const (
	saltBytes = 16
	hashBytes = 32
	threads   = 1
	// minMemory and maxMemory, in KiB, bound what is accepted; x/crypto raises less than
	// the former without a word.
	minMemory = 8
	maxMemory = 4 << 20
	maxPasses = 1_000
)

// Hasher hashes passwords and compares them with hashes. It is safe for concurrent use.
type Hasher struct {
	cost  cost
	slots chan struct{} // has an element for each hash that is being made
}

// cost is what one hash takes.
type cost struct{ memory, passes uint32 }

// New returns a Hasher.
func New(c Config) (*Hasher, error) {
	h := &Hasher{cost: cost{cmp.Or(c.Memory, 32<<10), cmp.Or(c.Passes, 3)}}
	if !h.cost.valid() {
		return nil, fmt.Errorf("password: %d KiB and %d passes: use %d to %d KiB and at most %d passes", h.cost.memory, h.cost.passes, minMemory, maxMemory, maxPasses)
	}
	if c.Concurrent < 0 {
		return nil, errors.New("password: Config.Concurrent is negative")
	}
	h.slots = make(chan struct{}, cmp.Or(c.Concurrent, 2))
	return h, nil
}

func (c cost) valid() bool {
	return c.memory >= minMemory && c.memory <= maxMemory && c.passes >= 1 && c.passes <= maxPasses
}

// Hash returns a hash with its salt and its cost, in the PHC string format:
// $argon2id$v=19$m=32768,t=3,p=1$salt$hash. Errors: that of ctx.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	var salt [saltBytes]byte
	rand.Read(salt[:]) // never fails (crypto/rand)
	sum, err := h.sum(ctx, password, salt[:], h.cost)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.cost.memory, h.cost.passes, threads, encode(salt[:]), encode(sum)), nil
}

// Verify reports whether a hash of Hash is that of the password. outdated: it is, and was
// made with less memory or fewer passes than Hash now uses, so it should be replaced. For
// an empty hash Verify works as long as for another and returns false. Errors: that of
// ctx; a hash that Hash did not return.
func (h *Hasher) Verify(ctx context.Context, hash, password string) (ok, outdated bool, err error) {
	c, salt, want := h.cost, make([]byte, saltBytes), make([]byte, hashBytes)
	if hash != "" {
		if c, salt, want, err = parse(hash); err != nil {
			return false, false, err
		}
	}
	got, err := h.sum(ctx, password, salt, c)
	if err != nil {
		return false, false, err
	}
	ok = subtle.ConstantTimeCompare(got, want) == 1 && hash != ""
	return ok, ok && (c.memory < h.cost.memory || c.passes < h.cost.passes), nil
}

// sum waits for a slot and computes the hash.
func (h *Hasher) sum(ctx context.Context, password string, salt []byte, c cost) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), salt, c.passes, c.memory, threads, hashBytes), nil
}

// errForm has no part of the hash, since errors are logged.
var errForm = errors.New("password: the stored hash is not one of this package")

func parse(hash string) (c cost, salt, sum []byte, err error) {
	parts := strings.Split(hash, "$") // the first is empty
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, nil, errForm
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d", &c.memory, &c.passes); err != nil || !c.valid() || parts[3] != fmt.Sprintf("m=%d,t=%d,p=%d", c.memory, c.passes, threads) {
		return c, nil, nil, errForm
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	sum, sumErr := base64.RawStdEncoding.DecodeString(parts[5])
	if saltErr != nil || sumErr != nil || len(salt) != saltBytes || len(sum) != hashBytes {
		return c, nil, nil, errForm
	}
	return c, salt, sum, nil
}

func encode(b []byte) string { return base64.RawStdEncoding.EncodeToString(b) }
