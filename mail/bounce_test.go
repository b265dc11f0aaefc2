package mail

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

const id1 = "00000000000040008000000000000001"

// report is a report of a mail server, with parts that can be replaced.
const report = `From: MAILER-DAEMON@relay.example.com
To: bounces@example.com
Subject: Undelivered
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

It came back.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; relay.example.com

Final-Recipient: rfc822; kim@example.com
Action: failed
Status: 5.1.1 (no such user)

--b
Content-Type: text/rfc822-headers

Message-ID: <` + id1 + `.` + id1 + `.` + id1 + `@example.com>
Subject: Vessel arrived

--b--
`

func TestReadBounce(t *testing.T) {
	want := Bounce{Account: tracking.AccountID(uuid.MustParse(id1)), Subscription: uuid.MustParse(id1), Gone: true, Status: "5.1.1"}
	lines := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for name, tt := range map[string]struct {
		old, replacement string
		change           func(*Bounce)
		refused          bool
	}{
		"no mailbox":      {},
		"full":            {old: "5.1.1 (no such user)", replacement: "5.2.2", change: func(b *Bounce) { b.Gone, b.Status = false, "5.2.2" }},
		"whole message":   {old: "text/rfc822-headers", replacement: "message/rfc822"},
		"capitals":        {old: "Action: failed", replacement: "ACTION: Failed"},
		"delayed":         {old: "Action: failed", replacement: "Action: delayed", refused: true},
		"of another":      {old: "<" + id1, replacement: "<x", refused: true},
		"no report":       {old: "multipart/report", replacement: "multipart/mixed", refused: true},
		"read receipt":    {old: "delivery-status;", replacement: "disposition-notification;", refused: true},
		"without headers": {old: "text/rfc822-headers", replacement: "text/plain", refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReadBounce(strings.NewReader(lines(strings.Replace(report, tt.old, tt.replacement, 1))))
			if tt.refused {
				if !errors.Is(err, ErrNoBounce) {
					t.Errorf("%+v %v", got, err)
				}
				return
			}
			want := want
			if tt.change != nil {
				tt.change(&want)
			}
			if err != nil || *got != want {
				t.Errorf("%+v %v, want %+v", got, err, want)
			}
		})
	}
}

func FuzzReadBounce(f *testing.F) {
	f.Add(report)
	f.Add("Content-Type: multipart/report; report-type=delivery-status\r\n\r\n--\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ReadBounce(strings.NewReader(text))
		if (b == nil) == (err == nil) {
			t.Errorf("%+v %v", b, err)
		}
	})
}
