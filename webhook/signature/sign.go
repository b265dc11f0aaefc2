package signature

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// The headers of a delivery. Names of headers have no case.
const (
	IDHeader        = "webhook-id"
	TimestampHeader = "webhook-timestamp"
	SignatureHeader = "webhook-signature"
	LegacyHeader    = "X-T49-Webhook-Signature"
)

// version leads a signature made with a shared secret.
const version = "v1,"

// Sign returns one signature of a delivery: "v1," and base64. The error is an
// ErrSecret.
func Sign(secret, id string, at time.Time, body []byte) (string, error) {
	key, err := ParseSecret(secret)
	if err != nil {
		return "", err
	}
	return sign(key, id, Timestamp(at), body), nil
}

// Header returns the value of webhook-signature: a signature for each of the
// secrets. The error is an ErrSecret.
func Header(id string, at time.Time, body []byte, secrets ...string) (string, error) {
	all := make([]string, len(secrets))
	for i, secret := range secrets {
		var err error
		if all[i], err = Sign(secret, id, at, body); err != nil {
			return "", err
		}
	}
	return strings.Join(all, " "), nil
}

// Timestamp returns the value of webhook-timestamp: whole seconds since 1970, UTC.
func Timestamp(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }

// Legacy returns the value of X-T49-Webhook-Signature. The key is the text of the
// secret as it is shown, whsec_ included; any text will do.
func Legacy(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func sign(key []byte, id, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return version + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
