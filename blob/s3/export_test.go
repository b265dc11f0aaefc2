package s3

import "time"

// SetTimeout changes the time limit of requests.
func SetTimeout(b *Blobs, d time.Duration) {
	b.timeout = d
	b.transport.ResponseHeaderTimeout = d
}
