package signature_test

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/landfallhq/tracking/webhook/signature"
)

// A receiver verifies the unchanged body with the secrets of the webhook.
func ExampleVerify() {
	secret := signature.NewSecret()
	body := []byte(`{"data":{"type":"webhook_notification"}}`)

	// What the sender does:
	now := time.Now()
	signatures, err := signature.Header("7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d11", now, body, secret)
	if err != nil {
		fmt.Println(err)
		return
	}
	header := http.Header{}
	header.Set(signature.IDHeader, "7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d11")
	header.Set(signature.TimestampHeader, signature.Timestamp(now))
	header.Set(signature.SignatureHeader, signatures)

	// What the receiver does:
	fmt.Println(signature.Verify(header, body, []string{secret}, signature.DefaultTolerance))
	err = signature.Verify(header, []byte(`{"data":null}`), []string{secret}, signature.DefaultTolerance)
	fmt.Println(err, errors.Is(err, signature.ErrNoMatch))
	// Output:
	// <nil>
	// webhook: no signature matches true
}
