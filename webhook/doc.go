// Package webhook sends webhooks over HTTP: it is the tracking.Notifier of the
// server, and of programs that embed the engine.
//
//	tr, err := tracking.New(tracking.Config{
//		Store:    store,
//		Notifier: webhook.New(webhook.Config{Version: "1.2.3"}),
//	})
//
// The engine decides what is sent and when; a Notifier makes one attempt and
// reports the outcome. Package webhook/signature verifies deliveries on the
// receiving side, and webhook/receiver is a handler that uses it.
//
// # Guarantees for receivers
//
//	request    POST of a JSON document, with the webhook's own headers, webhook-id,
//	           webhook-timestamp, webhook-signature and X-T49-Webhook-Signature
//	success    any status from 200 to 299, whatever the body
//	failure    everything else. Redirects are not followed. 410 deactivates the webhook.
//	schedule   13 attempts: at once, and then, each after the one before, 5 s, 30 s,
//	           2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h, 12 h, 16 h, 24 h, up to a fifth
//	           earlier or later. At least 1 min after 429, 502, 503, 504 and timeouts.
//	           Retry-After, in seconds or as a date, can delay an attempt, up to twice the
//	           delay and at least up to 1 h.
//	order      none. First attempts are made oldest first; later attempts are made among
//	           newer events.
//	repeats    possible, because a response can be lost. All attempts of a notification
//	           have the same webhook-id and the same body.
//	time       15 s for one attempt: 5 s to resolve and connect, 5 s for TLS, 10 s to the
//	           end of the headers, and the rest for the body
//	sizes      32 KiB of response headers. 64 KiB of the body are read and 4 KiB kept;
//	           compression is not requested
//	TLS        1.2 or later, with a verified certificate. HTTP/1.1 or HTTP/2.
//
// # Blocked addresses
//
// Every address is checked when it is dialled, so DNS changes cannot bypass the
// check. Loopback, private and link-local networks, the metadata addresses of
// clouds, and all others that IANA has not assigned to the public Internet are
// blocked, including IPv4 embedded in IPv6. Ports are 80 and 443. [Config] can
// allow more; a webhook cannot. [Notifier.Check] reports what can be seen in a URL
// before it is used.
//
// Proxies named in the environment are not used.
package webhook
