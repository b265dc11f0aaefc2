// Package mail sends alerts and digests to users by e-mail: it is the Mailer of the engine.
//
//	sender, err := mail.New(mail.Config{
//		Server: "smtp://landfall@relay.example.com:587", Password: password,
//		From: "Landfall <landfall@example.com>", PublicURL: "https://tracking.example.com",
//	})
//	tr, err := tracking.New(tracking.Config{Store: store, Mailer: sender, MasterKey: key})
//
// The engine chooses what is sent, when, and what follows from a failure; the package writes the
// e-mail, as plain text and as HTML, and hands it to a mail server (SMTP, RFC 5321) over TLS.
//
// An e-mail has a Message-ID that is the same for all its attempts, so that mailboxes recognise
// one that was sent twice because a process ended between sending and recording. It has links by
// which the user unsubscribes, also in one click (RFC 8058), and [ReadBounce] finds the
// subscription in reports about e-mails that came back (RFC 3464).
package mail
