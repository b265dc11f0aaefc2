package signature_test

import (
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/webhook/signature"
)

const (
	current = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	former  = "whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA="
	id      = "7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d11"
)

var (
	body = []byte(`{"data":{}}`)
	at   = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
)

// delivered returns the header of a delivery at that time.
func delivered(t testing.TB, at time.Time, body []byte, secrets ...string) http.Header {
	t.Helper()
	value, err := signature.Header(id, at, body, secrets...)
	if err != nil {
		t.Fatal(err)
	}
	h := http.Header{}
	h.Set(signature.IDHeader, id)
	h.Set(signature.TimestampHeader, signature.Timestamp(at))
	h.Set(signature.SignatureHeader, value)
	return h
}

func TestVerify(t *testing.T) {
	set := func(name, value string) func(http.Header) { return func(h http.Header) { h.Set(name, value) } }
	del := func(name string) func(http.Header) { return func(h http.Header) { h.Del(name) } }
	add := func(text string) func(http.Header) {
		return func(h http.Header) { h.Set(signature.SignatureHeader, text+" "+h.Get(signature.SignatureHeader)) }
	}
	none := func(http.Header) {}
	own := []string{current}
	for _, row := range []struct {
		name      string
		change    func(http.Header)
		later     time.Duration // at which it is verified
		tolerance time.Duration
		secrets   []string
		want      error
	}{
		{"at once", none, 0, 0, own, nil},
		{"within 5 minutes", none, 5 * time.Minute, 0, own, nil},
		{"after 5 minutes", none, 5*time.Minute + time.Second, 0, own, signature.ErrTooOld},
		{"clock 5 minutes behind", none, -5 * time.Minute, 0, own, nil},
		{"clock more than that behind", none, -5*time.Minute - time.Second, 0, own, signature.ErrTooNew},
		{"another tolerance", none, 11 * time.Second, 10 * time.Second, own, signature.ErrTooOld},
		{"no tolerance", none, 9000 * time.Hour, -1, own, nil},
		{"no id", del(signature.IDHeader), 0, 0, own, signature.ErrMissingHeader},
		{"no time", del(signature.TimestampHeader), 0, 0, own, signature.ErrMissingHeader},
		{"no signature", del(signature.SignatureHeader), 0, 0, own, signature.ErrMissingHeader},
		{"a date", set(signature.TimestampHeader, "2026-03-02"), 0, 0, own, signature.ErrTimestamp},
		{"a huge time", set(signature.TimestampHeader, "99999999999999999999"), 0, 0, own, signature.ErrTimestamp},
		{"the last time", set(signature.TimestampHeader, "9223372036854775807"), 0, 0, own, signature.ErrTooNew},
		{"the first time", set(signature.TimestampHeader, "-9223372036854775808"), 0, 0, own, signature.ErrTooOld},
		{"another time", set(signature.TimestampHeader, signature.Timestamp(at.Add(time.Second))), 0, 0, own, signature.ErrNoMatch},
		{"another id", set(signature.IDHeader, "x"), 0, 0, own, signature.ErrNoMatch},
		{"another secret", none, 0, 0, []string{former}, signature.ErrNoMatch},
		{"one of two secrets", none, 0, 0, []string{former, current}, nil},
		{"signatures before it", add("v1,aaaa v1a,bbbb"), 0, 0, own, nil},
		{"another version", set(signature.SignatureHeader, "v2,"+base64.StdEncoding.EncodeToString(body)), 0, 0, own, signature.ErrNoMatch},
		{"blank", set(signature.SignatureHeader, " "), 0, 0, own, signature.ErrNoMatch},
		{"no secret", none, 0, 0, nil, signature.ErrSecret},
		{"a broken secret beside", none, 0, 0, []string{current, "whsec_?"}, signature.ErrSecret},
		{"a short secret", none, 0, 0, []string{"whsec_c2hvcnQ="}, signature.ErrSecret},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := delivered(t, at, body, current)
			row.change(h)
			if err := signature.VerifyAt(at.Add(row.later), h, body, row.secrets, row.tolerance); !errors.Is(err, row.want) {
				t.Errorf("%v, want %v", err, row.want)
			}
		})
	}
}

// While a secret is being replaced, a delivery can be verified with either.
func TestOverlap(t *testing.T) {
	h := delivered(t, at, body, current, former)
	for _, secret := range []string{current, former} {
		if err := signature.VerifyAt(at, h, body, []string{secret}, 0); err != nil {
			t.Error(err)
		}
	}
	if err := signature.VerifyAt(at, h, body, []string{signature.NewSecret()}, 0); !errors.Is(err, signature.ErrNoMatch) {
		t.Errorf("with any other secret: %v", err)
	}
}

func TestSecrets(t *testing.T) {
	one, other := signature.NewSecret(), signature.NewSecret()
	if one == other || !strings.HasPrefix(one, signature.SecretPrefix) {
		t.Errorf("%s, %s", one, other)
	}
	key, err := signature.ParseSecret(one)
	if err != nil || len(key) != 32 {
		t.Errorf("%d bytes, %v", len(key), err)
	}
	bare, err := signature.ParseSecret(strings.TrimPrefix(one, signature.SecretPrefix))
	if err != nil || !slices.Equal(bare, key) {
		t.Errorf("without its prefix: %v", err)
	}
	for _, secret := range []string{"", "whsec_", "whsec_canary", "whsec_Y2FuYXJ5", one + "!", "whsec_" + strings.Repeat("canary++", 11)} {
		_, err := signature.ParseSecret(secret)
		if !errors.Is(err, signature.ErrSecret) {
			t.Errorf("%q: %v", secret, err)
			continue
		}
		if strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "Y2FuYXJ5") {
			t.Errorf("the error shows the secret: %v", err)
		}
		if _, err := signature.Header(id, at, body, current, secret); !errors.Is(err, signature.ErrSecret) {
			t.Errorf("signing with %q: %v", secret, err)
		}
	}
}

// These values must not change: receivers use them in their tests.
func TestValues(t *testing.T) {
	if got, want := delivered(t, at, body, current).Get(signature.SignatureHeader), "v1,RJ6zD7AjAMj+wPik3UizH+VwksOwzFF0Y08zWHHDwRI="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := signature.Legacy(current, body), "9273d0377d34ed5335c432a8af5c7b219d141a79ac4e5655dbb3ec890264e2c7"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Every signed delivery can be verified, with this package and with the public
// library; a delivery with one changed byte cannot.
func TestSignedVerifies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOf(rapid.Byte()).Draw(t, "body")
		key := rapid.SliceOfN(rapid.Byte(), 24, 64).Draw(t, "key")
		id := rapid.StringMatching(`[!-~]{1,40}`).Draw(t, "id")
		at := time.Unix(rapid.Int64Range(0, 1<<40).Draw(t, "at"), 0)
		secret := signature.SecretPrefix + base64.StdEncoding.EncodeToString(key)
		value, err := signature.Header(id, at, body, former, secret)
		if err != nil {
			t.Fatal(err)
		}
		h := http.Header{}
		h.Set(signature.IDHeader, id)
		h.Set(signature.TimestampHeader, signature.Timestamp(at))
		h.Set(signature.SignatureHeader, value)
		if err := signature.VerifyAt(at, h, body, []string{secret}, 0); err != nil {
			t.Fatal(err)
		}
		public, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := public.VerifyIgnoringTimestamp(body, h); err != nil {
			t.Fatal(err)
		}
		wrong := append(slices.Clone(body), 0)
		wrong[rapid.IntRange(0, len(body)).Draw(t, "changed")]++
		if err := signature.VerifyAt(at, h, wrong, []string{secret}, 0); !errors.Is(err, signature.ErrNoMatch) {
			t.Fatalf("changed: %v", err)
		}
	})
}

// FuzzVerify reads any header. Only signatures with the secret may be accepted.
func FuzzVerify(f *testing.F) {
	h := delivered(f, at, body, current)
	good := h.Get(signature.SignatureHeader)
	f.Add(id, signature.Timestamp(at), good, body)
	f.Add(id, "-1", good, body)
	f.Add("", "", "v1, v1,", []byte{})
	f.Fuzz(func(t *testing.T, sentID, timestamp, signatures string, sent []byte) {
		h := http.Header{}
		h.Set(signature.IDHeader, sentID)
		h.Set(signature.TimestampHeader, timestamp)
		h.Set(signature.SignatureHeader, signatures)
		err := signature.VerifyAt(at, h, sent, []string{current}, 0)
		original := sentID == id && timestamp == signature.Timestamp(at) && slices.Equal(sent, body) && slices.Contains(strings.Fields(signatures), good)
		if (err == nil) != original {
			t.Errorf("%q %q %q %q: %v", sentID, timestamp, signatures, sent, err)
		}
	})
}
