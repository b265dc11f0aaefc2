package keyring

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/store"
)

var (
	acme   = store.AccountID{1}
	other  = store.AccountID{2}
	record = uuid.UUID{3}
)

func ring(t testing.TB, masters ...string) *Ring {
	t.Helper()
	keys := make([][]byte, len(masters))
	for i, m := range masters {
		keys[i] = []byte(strings.Repeat(m, minMasterKey))
	}
	r, err := New(keys...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSeal: a text opens for its record alone, with its key in any place of the ring.
func TestSeal(t *testing.T) {
	a, b, ba := ring(t, "a"), ring(t, "b"), ring(t, "b", "a")
	sealed, err := a.Seal([]byte("secret"), acme, record)
	if err != nil || bytes.Contains(sealed, []byte("secret")) {
		t.Fatalf("%q, %v", sealed, err)
	}
	for _, r := range []*Ring{a, ba} {
		if text, err := r.Open(sealed, acme, record); err != nil || string(text) != "secret" {
			t.Errorf("%q, %v", text, err)
		}
	}
	if !a.Current(sealed) || ba.Current(sealed) {
		t.Error("the first key is the current one")
	}
	for name, open := range map[string]func() ([]byte, error){
		"another account": func() ([]byte, error) { return a.Open(sealed, other, record) },
		"another record":  func() ([]byte, error) { return a.Open(sealed, acme, uuid.UUID{4}) },
		"a changed text":  func() ([]byte, error) { return a.Open(append(sealed[:len(sealed)-1:len(sealed)-1], 0), acme, record) },
		"a short text":    func() ([]byte, error) { return a.Open(sealed[:9], acme, record) },
	} {
		if text, err := open(); err == nil {
			t.Errorf("%s opens: %q", name, text)
		}
	}
	if _, err := b.Open(sealed, acme, record); !errors.As(err, new(*MissingKeyError)) {
		t.Errorf("without the key: %v", err)
	}
}

// TestNoKey: a ring without keys seals and signs nothing.
func TestNoKey(t *testing.T) {
	none := ring(t)
	if _, err := none.Seal(nil, acme, record); !none.Empty() || !errors.Is(err, ErrEmpty) {
		t.Errorf("sealed: %v", err)
	}
	if _, err := none.Sign(Token{}); !errors.Is(err, ErrEmpty) {
		t.Errorf("signed: %v", err)
	}
	if _, err := New(make([]byte, minMasterKey-1)); err == nil {
		t.Error("a short master key is accepted")
	}
}

// TestToken: a token is verified for its purpose alone, and has one form.
func TestToken(t *testing.T) {
	a, b, ba := ring(t, "a"), ring(t, "b"), ring(t, "b", "a")
	token := Token{Attach, acme, record, time.Unix(1_700_000_000, 0).UTC()}
	text, err := a.Sign(token)
	if err != nil {
		t.Fatal(err)
	}
	// Links that were given out stay valid.
	if want := "ATGcOIVhAQAAAAAAAAAAAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAZVPxAA--e7a9ad7284ff293be4edd97ce6f5129f7eadfadf4fcd8401a2478d20f974c375"; text != want {
		t.Errorf("signed %s, want %s", text, want)
	}
	for _, r := range []*Ring{a, ba} {
		if got, ok := r.Verify(text, Attach); !ok || got != token {
			t.Errorf("%+v, %v", got, ok)
		}
	}
	if _, ok := a.Verify(text, Download); ok {
		t.Error("verified for another purpose")
	}
	if _, ok := b.Verify(text, Attach); ok {
		t.Error("verified without its key")
	}
	for i := range text {
		changed := []byte(text)
		changed[i] ^= 1
		if _, ok := a.Verify(string(changed), Attach); ok {
			t.Errorf("verified %s", changed)
		}
		if _, ok := a.Verify(text[:i], Attach); ok {
			t.Errorf("verified %s", text[:i])
		}
	}
}
