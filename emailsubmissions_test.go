package tracking_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

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

// What is no e-mail, or one that would cost too much, is refused as a whole.
func TestBadEmails(t *testing.T) {
	b := trackingtest.New(t)
	deep := strings.Builder{}
	for i := range 12 {
		fmt.Fprintf(&deep, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	for name, row := range map[string]struct{ text, code string }{
		"nothing":         {"", "blank"},
		"blanks":          {" \n\n", "blank"},
		"no header":       {"hello", "invalid"},
		"cut off":         {"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx", "invalid"},
		"too deep":        {deep.String() + "\nx", "invalid"},
		"too many":        {"Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", 300) + "--b--\n", "invalid"},
		"too large":       {"Subject: x\n\n" + strings.Repeat("x", 25<<20), "too_large"},
		"a bad boundary":  {"Content-Type: multipart/mixed; boundary=\n\nx", "invalid"},
		"unknown charset": {"Content-Type: text/plain; charset=klingon\nSubject: =?klingon?q?x=FF?=\n\n\xff", ""},
		"no boundary":     {"Content-Type: multipart/mixed\n\nx", "invalid"},
		"no date":         {"Date: tomorrow\nFrom: <<>>\n\nx", ""},
	} {
		_, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Message: []byte(row.text)})
		var e *tracking.Error
		if row.code == "" && err != nil || row.code != "" && (!errors.As(err, &e) || e.Field != "message" || e.Code != row.code) {
			t.Errorf("%s: %v, want %q", name, err, row.code)
		}
	}
}

// What senders get wrong costs no attachment, and what cannot be saved is named.
func TestSloppyEmails(t *testing.T) {
	const two = "--b\nContent-Type: text/plain\n\nhello\n--b\n%s\n\nthe file\n--b--\n"
	plain := "Content-Type: multipart/mixed; boundary=b\n\n"
	for name, row := range map[string]struct{ text, document, skipped, body string }{
		"a parameter twice":          {"Content-Type: multipart/mixed; boundary=b; charset=a; charset=b\n\n" + fmt.Sprintf(two, "Content-Disposition: attachment; filename=x.txt"), "x.txt", "", "hello"},
		"a parameter with a blank":   {"Content-Type: multipart/mixed; type=a b; boundary=\"b\"\n\n" + fmt.Sprintf(two, "Content-Disposition: attachment; filename=x.txt"), "x.txt", "", "hello"},
		"a file name with blanks":    {plain + fmt.Sprintf(two, "Content-Type: application/pdf; name=bill of lading.pdf"), "bill of lading.pdf", "", "hello"},
		"another with blanks":        {plain + fmt.Sprintf(two, "Content-Disposition: attachment; size=1 2; filename*=UTF-8''%C3%BC.pdf"), "ü.pdf", "", "hello"},
		"a semicolon within quotes":  {plain + fmt.Sprintf(two, "Content-Disposition: attachment; size=1 2; filename=\"a;b.pdf\""), "a;b.pdf", "", "hello"},
		"a bad attachment":           {plain + fmt.Sprintf(two, "Content-Disposition: attachment; filename=x.txt\nContent-Transfer-Encoding: quoted-printable\n\n\x01"), "", "x.txt invalid", "hello"},
		"bad base64 alone":           {"Content-Type: application/pdf; name=x.pdf\nContent-Transfer-Encoding: base64\n\nabc", "", "x.pdf invalid", ""},
		"a bad text beside":          {plain + strings.Replace(fmt.Sprintf(two, "Content-Disposition: attachment; filename=x.txt"), "hello\n", "hello\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n\x01\n", 1), "x.txt", "", "hello"},
		"a bad body":                 {"Content-Transfer-Encoding: quoted-printable\n\nhe\x01llo", "", "", "he\x01llo"},
		"a type that is none at all": {plain + fmt.Sprintf(two, "Content-Type: pdf; name=x.pdf"), "x.pdf", "", "hello"},
	} {
		b := trackingtest.New(t)
		e, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Message: crlf(row.text)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var document, skipped string
		for _, id := range e.Documents {
			document += reread(t, b, id).FileName
		}
		for _, s := range e.Skipped {
			skipped += s.FileName + " " + s.Reason
		}
		if document != row.document || skipped != row.skipped || e.Body != row.body {
			t.Errorf("%s: document %q, skipped %q, body %q", name, document, skipped, e.Body)
		}
	}
}

func FuzzEmail(f *testing.F) {
	f.Add(crlf(fmt.Sprintf(bothParts, "eA==")))
	f.Add([]byte("From: x\n\ny"))
	b := trackingtest.New(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		_, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Message: raw})
		var e *tracking.Error
		if err != nil && (!errors.As(err, &e) || e.Field != "message") {
			t.Errorf("%q: %v", raw, err)
		}
	})
}
