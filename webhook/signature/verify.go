package signature

import (
	"crypto/hmac"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// DefaultTolerance is the default for the maximum difference between the timestamp
// of a delivery and the receiver's clock.
const DefaultTolerance = 5 * time.Minute

// Reasons to refuse a delivery. ErrSecret is an error of the receiver's
// configuration; answer all others with 401.
var (
	ErrMissingHeader = errors.New("webhook: a header of the signature is missing")
	ErrTimestamp     = errors.New("webhook: the timestamp is not a number of seconds")
	ErrTooOld        = errors.New("webhook: the delivery is too old")
	ErrTooNew        = errors.New("webhook: the delivery is from the future")
	ErrNoMatch       = errors.New("webhook: no signature matches")
	ErrSecret        = errors.New("webhook: the secret cannot be used")
)

// Verify returns an error unless the delivery is authentic. body is the unchanged
// body of the request, and secrets are those of the webhook: one, or two while one
// is being replaced. A tolerance of 0 means DefaultTolerance; a negative one
// accepts any time, for stored deliveries.
//
// The comparison takes the same time whichever secret or signature matches. Verify
// accepts a repeated delivery: detect repeats by webhook-id.
func Verify(header http.Header, body []byte, secrets []string, tolerance time.Duration) error {
	return VerifyAt(time.Now(), header, body, secrets, tolerance)
}

// VerifyAt is Verify at a given time, for programs with their own clock.
func VerifyAt(now time.Time, header http.Header, body []byte, secrets []string, tolerance time.Duration) error {
	keys, err := parseSecrets(secrets)
	if err != nil {
		return err
	}
	for _, name := range [...]string{IDHeader, TimestampHeader, SignatureHeader} {
		if header.Get(name) == "" {
			return fmt.Errorf("%w: %s", ErrMissingHeader, name)
		}
	}
	id, timestamp := header.Get(IDHeader), header.Get(TimestampHeader)
	if err := checkTime(timestamp, now, tolerance); err != nil {
		return err
	}
	if !matches(keys, id, timestamp, body, strings.Fields(header.Get(SignatureHeader))) {
		return ErrNoMatch
	}
	return nil
}

func parseSecrets(secrets []string) ([][]byte, error) {
	if len(secrets) == 0 {
		return nil, fmt.Errorf("%w: there is none", ErrSecret)
	}
	keys := make([][]byte, len(secrets))
	for i, secret := range secrets {
		var err error
		if keys[i], err = ParseSecret(secret); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// checkTime compares whole seconds, which cannot overflow.
func checkTime(timestamp string, now time.Time, tolerance time.Duration) error {
	at, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return ErrTimestamp
	}
	switch {
	case tolerance < 0:
		return nil
	case tolerance == 0:
		tolerance = DefaultTolerance
	}
	if from := now.Add(-tolerance).Unix(); at < from {
		return fmt.Errorf("%w: its timestamp is more than %v ago", ErrTooOld, tolerance)
	}
	if to := now.Add(tolerance).Unix(); at > to {
		return fmt.Errorf("%w: its timestamp is more than %v ahead", ErrTooNew, tolerance)
	}
	return nil
}

// matches compares every signature with every key, so that the time does not reveal
// which one matches.
func matches(keys [][]byte, id, timestamp string, body []byte, given []string) bool {
	found := false
	for _, key := range keys {
		want := []byte(sign(key, id, timestamp, body))
		for _, signature := range given {
			if hmac.Equal([]byte(signature), want) {
				found = true
			}
		}
	}
	return found
}
