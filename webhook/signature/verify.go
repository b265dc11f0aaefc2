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

// DefaultTolerance is how far a delivery's time may be from the receiver's, to
// either side, where nothing else is said.
const DefaultTolerance = 5 * time.Minute

// Why a delivery is refused. Only ErrSecret is the receiver's own fault; all
// others are answered with 401.
var (
	ErrMissingHeader = errors.New("webhook: a header of the signature is missing")
	ErrTimestamp     = errors.New("webhook: the timestamp is not a number of seconds")
	ErrTooOld        = errors.New("webhook: the delivery is too old")
	ErrTooNew        = errors.New("webhook: the delivery is from the future")
	ErrNoMatch       = errors.New("webhook: no signature matches")
	ErrSecret        = errors.New("webhook: the secret cannot be used")
)

// Verify says why a delivery must not be believed, or nil. The body is the request's
// as it came, and the secrets are those that the webhook has: one, or two while one
// is replaced by the other. A tolerance of 0 is DefaultTolerance; a negative one
// lets any time pass, for deliveries that were stored.
//
// Comparing takes the same time whichever secret or signature is right. A delivery
// that comes twice is verified twice: tell repeats by webhook-id.
func Verify(header http.Header, body []byte, secrets []string, tolerance time.Duration) error {
	return VerifyAt(time.Now(), header, body, secrets, tolerance)
}

// VerifyAt is Verify at a given time, for programs with a clock of their own.
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

// checkTime compares whole seconds, so that no distance is too large to count.
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
		return fmt.Errorf("%w: its time is more than %v ago", ErrTooOld, tolerance)
	}
	if to := now.Add(tolerance).Unix(); at > to {
		return fmt.Errorf("%w: its time is more than %v ahead", ErrTooNew, tolerance)
	}
	return nil
}

// matches compares every signature with every key, so that the time tells nothing
// of which one fits.
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
