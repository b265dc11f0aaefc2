package apikey

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// TestSecrets: a secret has its checksum, and no text that differs in one character.
func TestSecrets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := NewSecret()
		if !IsSecret(secret) || len(Hint(secret)) != 9 || len(Hash(secret)) != 64 || Hash(secret) == Hash(NewSecret()) {
			t.Fatalf("%s is no secret", secret)
		}
		text := []byte(secret)
		i := rapid.IntRange(0, len(text)-1).Draw(t, "i")
		text[i] = rapid.SampledFrom([]byte("0aZ_-")).Filter(func(c byte) bool { return c != text[i] }).Draw(t, "c")
		if IsSecret(string(text)) {
			t.Fatalf("%s is a secret like %s", text, secret)
		}
	})
	for _, text := range []string{"", "lf_", "lf_x", NewSecret()[3:], NewSecret() + "0"} {
		if IsSecret(text) {
			t.Errorf("%q is a secret", text)
		}
	}
	// Its checksum begins with 0. Stored hashes and checksums must never change.
	const old = "lf_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0c2b5986"
	if body := old[3 : 3+bodyChars]; checksum(body) != old[3+bodyChars:] {
		t.Errorf("the checksum of %s is %s", body, checksum(body))
	}
}

// TestUseRecorder: a key is written once in an interval, and again after it.
func TestUseRecorder(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	key, other := uuid.New(), uuid.New()
	for name, row := range map[string]struct {
		last time.Time
		uses []Use
		want []Use
	}{
		"first":          {uses: []Use{{key, noon}}, want: []Use{{key, noon}}},
		"within":         {uses: []Use{{key, noon}, {key, noon.Add(UseInterval - 1)}}, want: []Use{{key, noon}}},
		"after":          {uses: []Use{{key, noon}, {key, noon.Add(UseInterval)}}, want: []Use{{key, noon}, {key, noon.Add(UseInterval)}}},
		"clock set back": {uses: []Use{{key, noon}, {key, noon.Add(-1)}}, want: []Use{{key, noon}, {key, noon.Add(-1)}}},
		"another key":    {uses: []Use{{key, noon}, {other, noon}}, want: []Use{{key, noon}, {other, noon}}},
		"stored lately":  {last: noon.Add(1 - UseInterval), uses: []Use{{key, noon}}},
	} {
		var mu sync.Mutex
		var got []Use
		r := NewUseRecorder(func(_ context.Context, batch []Use) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, batch...)
		})
		for _, u := range row.uses {
			r.Record(u.Key, row.last, u.At)
		}
		r.writer.Wait()
		r.Close()
		r.Record(key, row.last, noon.Add(time.Hour)) // is lost
		r.Close()
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, not %v", name, got, row.want)
		}
	}
}
