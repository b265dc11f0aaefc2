// Package webhook sends webhooks over HTTP: it is the tracking.Notifier of the
// server, and of any program that embeds the engine.
//
//	tr, err := tracking.New(tracking.Config{
//		Store:    store,
//		Notifier: webhook.New(webhook.Config{Version: "1.2.3"}),
//	})
//
// The engine decides what is sent and when; a Notifier makes one attempt and tells
// what came of it. Package webhook/signature verifies deliveries at the other end,
// and webhook/receiver is a handler that does so.
//
// # What a receiver can count on
//
//	request    POST of a JSON document, with the webhook's own headers, webhook-id,
//	           webhook-timestamp, webhook-signature and X-T49-Webhook-Signature
//	success    any status from 200 to 299, whatever the body
//	failure    everything else. Redirects are not followed. 410 ends the webhook.
//	schedule   13 attempts: at once, and then, after the one before, 5 s, 30 s, 2 min,
//	           10 min, 30 min, 1 h, 2 h, 4 h, 8 h, 12 h, 16 h, 24 h, each up to a fifth
//	           sooner or later. At least 1 min after 429, 502, 503, 504 and time-outs;
//	           Retry-After, in seconds or as a date, can make it later, up to twice the
//	           delay and at least up to 1 h.
//	order      none. First attempts are made oldest first, but what failed comes again
//	           among what is newer.
//	repeats    possible: an answer may be lost on its way. All attempts of a
//	           notification have the same webhook-id and the same body.
//	time       15 s for one attempt: 5 s to resolve and connect, 5 s for TLS, 10 s to the
//	           end of the headers, and the rest for the body
//	sizes      32 KiB of response headers; 64 KiB of the body are read, 4 KiB kept, and
//	           compression is not asked for
//	TLS        1.2 or later, with a certificate that is verified. HTTP/1.1 or HTTP/2.
//
// # Where nothing is sent
//
// Every address is checked when it is dialled, so that it does not matter what a
// name stood for before: loopback, private and link-local networks, the addresses at
// which clouds hand out credentials, and all others that IANA has not set aside for
// the public Internet are refused, for IPv4 in IPv6 in all its forms too. Ports are
// 80 and 443. [Config] can open more; a webhook cannot. [Notifier.Check] tells as
// much as can be seen in a URL, for who writes one.
//
// The proxies that the environment names are not used.
package webhook
