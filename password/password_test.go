package password_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/password"
)

var ctx = context.Background()

// cheap is a cost for tests.
var cheap = password.Config{Memory: 64, Passes: 1}

func hasher(t *testing.T, c password.Config) *password.Hasher {
	t.Helper()
	h, err := password.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func hashOf(t *testing.T, h *password.Hasher, text string) string {
	t.Helper()
	hash, err := h.Hash(ctx, text)
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

func ExampleHasher_Verify() {
	h, _ := password.New(password.Config{Memory: 64, Passes: 1}) // Config{} on a server
	hash, _ := h.Hash(context.Background(), "correct horse battery")
	for _, text := range []string{"correct horse battery", "correct horse"} {
		ok, _, _ := h.Verify(context.Background(), hash, text)
		fmt.Println(ok)
	}
	// Output:
	// true
	// false
}

func TestHash(t *testing.T) {
	h := hasher(t, cheap)
	hash := hashOf(t, h, "a long password")
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=64,t=1,p=1$") || strings.Contains(hash, "long") || hash == hashOf(t, h, "a long password") {
		t.Error(hash)
	}
	for text, want := range map[string]bool{"a long password": true, "A long password": false, "a long password ": false, "": false} {
		if ok, outdated, err := h.Verify(ctx, hash, text); ok != want || outdated || err != nil {
			t.Errorf("%q: %t %t %v", text, ok, outdated, err)
		}
	}
	// Stored hashes must stay valid.
	const stored = "$argon2id$v=19$m=64,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$RlJpguI61hmp2x30vj+3UcS0xVqkL+CuIOYYzHIUWE8"
	if ok, _, err := h.Verify(ctx, stored, "a long password"); !ok || err != nil {
		t.Errorf("a stored hash: %t, %v", ok, err)
	}
}

func TestOutdated(t *testing.T) {
	old := hashOf(t, hasher(t, cheap), "a long password")
	for name, row := range map[string]struct {
		now  password.Config
		want bool
	}{
		"the same": {cheap, false}, "more memory": {password.Config{Memory: 128, Passes: 1}, true},
		"more passes": {password.Config{Memory: 64, Passes: 2}, true}, "less memory": {password.Config{Memory: 32, Passes: 1}, false},
	} {
		h := hasher(t, row.now)
		if ok, outdated, err := h.Verify(ctx, old, "a long password"); !ok || outdated != row.want || err != nil {
			t.Errorf("%s: %t %t %v", name, ok, outdated, err)
		}
		if ok, outdated, _ := h.Verify(ctx, old, "another password"); ok || outdated {
			t.Errorf("%s: another password: %t %t", name, ok, outdated)
		}
	}
}

func TestVerifyRefuses(t *testing.T) {
	h := hasher(t, cheap)
	if ok, _, err := h.Verify(ctx, "", ""); ok || err != nil {
		t.Errorf("no hash: %t %v", ok, err)
	}
	hash := hashOf(t, h, "a long password")
	parts := strings.Split(hash, "$")
	for _, bad := range []string{
		"x", "$", hash[1:], hash + "$", hash[:len(hash)-1], strings.Replace(hash, "argon2id", "argon2i", 1), strings.Replace(hash, "v=19", "v=16", 1),
		strings.Replace(hash, "m=64", "m=4294967295", 1), strings.Replace(hash, "m=64", "m=0", 1), strings.Replace(hash, "t=1", "t=0", 1),
		strings.Replace(hash, "p=1", "p=2", 1), strings.Replace(hash, "p=1", "p=1,x=1", 1), strings.Replace(hash, parts[4], "", 1), strings.Replace(hash, parts[5], "AAAA", 1),
	} {
		ok, _, err := h.Verify(ctx, bad, "a long password")
		if ok || err == nil || strings.Contains(err.Error(), parts[5]) {
			t.Errorf("%q: %t %v", bad, ok, err)
		}
	}
}

func TestConcurrent(t *testing.T) {
	h := hasher(t, password.Config{Memory: 64, Passes: 1, Concurrent: 1})
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := h.Hash(canceled, "a long password"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	h.Occupy()
	waiting, cancel := context.WithCancel(ctx)
	done := make(chan error)
	go func() {
		_, _, err := h.Verify(waiting, "", "a long password")
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	h.Free()
	if _, err := h.Hash(ctx, "a long password"); err != nil {
		t.Error(err)
	}
}

func TestNew(t *testing.T) {
	for _, bad := range []password.Config{{Memory: 7}, {Memory: 1 << 31}, {Passes: 1 << 20}, {Concurrent: -1}} {
		if _, err := password.New(bad); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
	hash := hashOf(t, hasher(t, password.Config{}), "a long password")
	if !strings.Contains(hash, "$m=32768,t=3,p=1$") {
		t.Errorf("by default %s", hash)
	}
}

func BenchmarkHash(b *testing.B) {
	h, err := password.New(password.Config{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := h.Hash(ctx, "a long password"); err != nil {
			b.Fatal(err)
		}
	}
}
