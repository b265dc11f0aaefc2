// Package signature signs webhooks and verifies them. It needs only the standard
// library, so a receiver can use it without the rest of Landfall.
//
//	func receive(w http.ResponseWriter, r *http.Request) {
//		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
//		if err == nil {
//			err = signature.Verify(r.Header, body, []string{os.Getenv("WEBHOOK_SECRET")}, signature.DefaultTolerance)
//		}
//		if err != nil {
//			http.Error(w, "invalid signature", http.StatusUnauthorized)
//			return
//		}
//		...
//	}
//
// The scheme is Standard Webhooks (version v1, symmetric), so its libraries in
// other languages can verify the same deliveries:
//
//	header              value
//	webhook-id          the ID of the notification, the same in all its attempts
//	webhook-timestamp   when this attempt was made, in seconds since 1970, UTC
//	webhook-signature   "v1," and the HMAC-SHA256 of "id.timestamp.body" in base64; while a
//	                    secret is being replaced, one for each of the two, separated by spaces
//
// The key is the part of the secret after "whsec_", decoded from base64. The bytes
// of the body are signed: verify it before parsing it.
//
// [Legacy] is the older signature in X-T49-Webhook-Signature: the HMAC-SHA256 of
// the body alone, in hexadecimal, with the whole text of the secret as its key. It
// has no timestamp, so a recorded delivery can be replayed; receivers should use
// [Verify].
package signature
