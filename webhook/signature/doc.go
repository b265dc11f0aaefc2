// Package signature signs webhooks and verifies them. It needs the standard
// library alone, so that a receiver can use it without the rest of Landfall.
//
//	func receive(w http.ResponseWriter, r *http.Request) {
//		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
//		if err == nil {
//			err = signature.Verify(r.Header, body, []string{os.Getenv("WEBHOOK_SECRET")}, signature.DefaultTolerance)
//		}
//		if err != nil {
//			http.Error(w, "this is not from Landfall", http.StatusUnauthorized)
//			return
//		}
//		...
//	}
//
// The scheme is that of Standard Webhooks (version v1, symmetric), so that the
// libraries for it in other languages verify the same deliveries:
//
//	header              value
//	webhook-id          the notification; the same for all its attempts, to tell repeats by
//	webhook-timestamp   when this attempt was made, in seconds since 1970, UTC
//	webhook-signature   "v1," and the HMAC-SHA256 of "id.timestamp.body" in base64; while a
//	                    secret is replaced one for each of the two, separated by blanks
//
// The key is what stands behind "whsec_" in the secret, decoded from base64. The
// body is signed byte by byte: verify it before it is parsed.
//
// [Legacy] is the older signature in X-T49-Webhook-Signature: the HMAC-SHA256 of
// the body alone, in hexadecimal, with the whole text of the secret as its key. It
// has no time, so whoever has seen a delivery can send it again; receivers should
// use [Verify].
package signature
