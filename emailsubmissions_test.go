package tracking_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// crlf gives a message the ends of lines that messages have.
func crlf(text string) []byte { return []byte(strings.ReplaceAll(text, "\n", "\r\n")) }

const bothParts = `From: "Kim, the clerk" <kim@example.com>
To: docs@example.com, =?utf-8?q?B=C3=BCro?= <office@example.com>
Cc: third@example.com
Subject: =?iso-8859-1?q?Pr=FCfen?= Sie das
Date: Mon, 02 Mar 2026 10:00:00 +0100
Message-ID: <7@example.com>
In-Reply-To: <6@example.com>
References: <5@example.com> <6@example.com>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"

preamble
--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe
--inner
Content-Type: text/html

<b>hello</b>
--inner--
--outer
Content-Type: application/pdf; name="=?utf-8?b?w7xiZXIucGRm?="
Content-Transfer-Encoding: base64
Content-Disposition: attachment

%s
--outer
Content-Type: application/octet-stream
Content-Disposition: attachment; filename*=UTF-8''a%%2Fb.txt

type: other
second
--outer
Content-Disposition: attachment; filename="empty.txt"

--outer--
`

func TestEmailSubmission(t *testing.T) {
	b := trackingtest.New(t)
	first := "type: bill_of_lading\nfirst\n"
	raw := crlf(fmt.Sprintf(bothParts, base64.StdEncoding.EncodeToString([]byte(first))))
	e, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Message: raw})
	if err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if e.Subject != "Prüfen Sie das" || e.Body != "Grüße" || !slices.Equal(e.From, []string{"kim@example.com"}) ||
		!slices.Equal(e.To, []string{"docs@example.com", "office@example.com"}) || e.MessageID != "7@example.com" || e.InReplyTo != "6@example.com" ||
		!slices.Equal(e.References, []string{"5@example.com", "6@example.com"}) || e.SentAt.Format("15:04") != "09:00" || e.ContentType != "multipart/mixed" {
		t.Errorf("the e-mail is %+v", e)
	}
	if e.DocumentsCount != 2 || len(e.Skipped) != 1 || e.Skipped[0].FileName != "empty.txt" || e.Skipped[0].Reason != "blank" {
		t.Errorf("%d documents, skipped %v", e.DocumentsCount, e.Skipped)
	}
	var names []string
	for _, id := range e.Documents {
		d := reread(t, b, id)
		names = append(names, d.FileName+" "+d.Type())
		if d.Source != tracking.FromEmail || d.EmailSubmission != e.ID {
			t.Errorf("the document is %+v", d)
		}
	}
	if !slices.Equal(names, []string{"über.pdf bill_of_lading", "a/b.txt other"}) {
		t.Errorf("the documents are %q", names)
	}
	// The same once more: nothing of it is new.
	again, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Message: raw})
	if err != nil || again.DocumentsCount != 0 || len(again.Skipped) != 3 || *again.Skipped[1].ExistingDocumentID != e.Documents[0].String() {
		t.Errorf("again: %+v, %v", again, err)
	}
	if err := b.DeleteDocument(ctx, e.Documents[0]); err != nil {
		t.Fatal(err)
	}
	if left, err := b.EmailSubmission(ctx, e.ID); err != nil || left.DocumentsCount != 1 || len(left.Documents) != 1 {
		t.Errorf("after a deletion: %+v, %v", left, err)
	}
}

// TestBadEmails: a message that is no e-mail, or too large, is refused as a whole.
func TestBadEmails(t *testing.T) {
	b := trackingtest.New(t)
	for text, want := range map[string]string{
		"":      "message blank",
		"hello": "message invalid",
		"Subject: x\n\n" + strings.Repeat("x", 25<<20): "message too_large",
	} {
		if _, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Message: []byte(text)}); fault(err) != want {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
}

// TestDamagedAttachment: it becomes no document, and is listed.
func TestDamagedAttachment(t *testing.T) {
	b := trackingtest.New(t)
	raw := crlf("Content-Type: application/pdf; name=x.pdf\nContent-Transfer-Encoding: base64\n\nabc")
	e, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Message: raw})
	if err != nil || e.DocumentsCount != 0 || len(e.Skipped) != 1 || e.Skipped[0].FileName != "x.pdf" || e.Skipped[0].Reason != "invalid" {
		t.Errorf("%+v, %v", e, err)
	}
}

// repeated gives a text over and over, of a size.
type repeated struct {
	text string
	left int64
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(int64(len(p)), r.left)], r.text[r.at:])
	r.at, r.left = (r.at+n)%len(r.text), r.left-int64(n)
	return n, nil
}

// counted is a place for blobs that counts bytes.
type counted struct {
	tracking.Blobs
	bytes int64
}

func (c *counted) Put(_ context.Context, _ tracking.BlobKey, r io.Reader) error {
	n, err := io.Copy(io.Discard, r)
	c.bytes += n
	return err
}

// A large e-mail takes no more memory than a small one.
func TestMemoryOfEmails(t *testing.T) {
	blobs := &counted{}
	b := trackingtest.New(t, func(c *tracking.Config) { blobs.Blobs, c.Blobs = c.Blobs, blobs })
	line := strings.Repeat("eHh4", 19) + "\r\n"
	lines := int64(8<<20) / int64(len(line))
	send := func(n int64) uint64 {
		body := io.MultiReader(
			strings.NewReader("From: kim@example.com\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=x.bin\r\n\r\n"),
			&repeated{text: line, left: n * int64(len(line))}, strings.NewReader("--b--\r\n"))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Reader: body}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	small, large := send(1), send(lines)
	if large > small+512<<10 {
		t.Errorf("8 MiB took %d KiB, one line %d KiB", large>>10, small>>10)
	}
	if want := (lines + 1) * 57; blobs.bytes != want {
		t.Errorf("%d bytes were kept, want %d", blobs.bytes, want)
	}
}

// What became no document leaves no bytes behind: of a message that was refused, came
// twice, broke off, or has what is here already.
func TestEmailsLeaveNothing(t *testing.T) {
	b := trackingtest.New(t, func(c *tracking.Config) { c.MaxDocumentBytes = 1 << 20 })
	whole := string(crlf(fmt.Sprintf(bothParts, base64.StdEncoding.EncodeToString([]byte("type: other\n")))))
	broken := errors.New("the connection broke")
	for _, row := range []struct {
		name, want string
		body       io.Reader
		key        string
		blobs      int
	}{
		{"cut off", "message invalid", strings.NewReader(whole[:len(whole)-20]), "", 0},
		{"broken off", "no Error", io.MultiReader(strings.NewReader(whole[:len(whole)-20]), iotest.ErrReader(broken)), "", 0},
		{"broken off in base64", "no Error", io.MultiReader(strings.NewReader(whole[:strings.Index(whole, "dHlwZ")+6]), iotest.ErrReader(broken)), "", 0},
		{"too large", "message too_large", io.MultiReader(strings.NewReader(whole), &repeated{text: "x", left: 1 << 20}), "", 0},
		{"whole", "", strings.NewReader(whole), "a", 2},
		{"with its key", "", strings.NewReader(whole), "a", 2},
		{"once more", "", strings.NewReader(whole), "", 2},
		{"another with the key", "idempotency_key_reused", strings.NewReader(whole + "x"), "a", 2},
	} {
		e, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Reader: row.body}, tracking.Once{Key: row.key})
		if row.want == "" && err != nil || row.want != "" && (fault(err) != row.want || row.want == "no Error" && !errors.Is(err, broken)) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
		if row.name == "with its key" && e.DocumentsCount != 2 {
			t.Errorf("with its key: %+v", e)
		}
		if left := blobsOf(t, b); len(left) != row.blobs {
			t.Errorf("%s: %d blobs, want %d", row.name, len(left), row.blobs)
		}
	}
}
