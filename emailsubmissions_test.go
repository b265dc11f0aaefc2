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
		"another character set":      {plain + fmt.Sprintf(two, "Content-Disposition: attachment; filename*=iso-8859-1''B%FCro.pdf"), "Büro.pdf", "", "hello"},
		"another set, in pieces":     {plain + fmt.Sprintf(two, "Content-Type: application/pdf; name*0*=windows-1252'de'B%FC; name*1=\"ro.p\"; name*2*=%64f"), "Büro.pdf", "", "hello"},
		"quoted without breaks":      {plain + fmt.Sprintf(two, "Content-Disposition: attachment; filename=x.txt\nContent-Transfer-Encoding: quoted-printable\n\n"+strings.Repeat("x", 9_000)), "x.txt", "", "hello"},
		"a soft break at the end":    {plain + strings.Replace(fmt.Sprintf(two, "Content-Disposition: attachment; filename=x.txt\nContent-Transfer-Encoding: quoted-printable"), "the file", "the file=\n=", 1), "x.txt", "", "hello"},
		"a soft break in the text":   {"Content-Transfer-Encoding: quoted-printable\n\nhello=20\n=", "", "", "hello"},
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

// Headers that are not as they should be lose no attachment either, nor whom it is
// from.
func TestSloppyHeaders(t *testing.T) {
	const head, file = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n", "--b\nContent-Disposition: attachment; filename=x.txt\n\nthe file\n--b--\n"
	for name, row := range map[string]struct {
		text string
		want []string // sender, subject, text, documents
	}{
		"of a mailbox":            {"From kim@example.com Mon Mar  2 10:00:00 2026\nFrom: kim@example.com\nSubject: Hi\n" + head + "\n" + file, []string{"kim@example.com", "Hi", "", "x.txt"}},
		"a line that is none":     {"From: kim@example.com\n!! checked by a machine !!\nSubject: Hi\n" + head + "\n" + file, []string{"kim@example.com", "Hi", "", "x.txt"}},
		"a mark and blank lines":  {"\n\n\uFEFFFrom: kim@example.com\nSubject : Hi\n" + head + "\n" + file, []string{"kim@example.com", "Hi", "", "x.txt"}},
		"a line too far left":     {"From: kim@example.com\nSubject: Hi\nMIME-Version: 1.0\nContent-Type: multipart/mixed;\nboundary=b\n\n" + file, []string{"kim@example.com", "Hi", "", "x.txt"}},
		"Latin-1 as it is":        {"From: \"B\xfcro\" <kim@example.com>\nSubject: Gr\xfc\xdfe\n" + head + "\n" + file, []string{"kim@example.com", "Grüße", "", "x.txt"}},
		"semicolons":              {"From: kim@example.com; Lee, (x <lee@example.com>;\nSubject: Hi\n" + head + "\n" + file, []string{"kim@example.com Lee (x <lee@example.com>", "Hi", "", "x.txt"}},
		"no blank line":           {"From: kim@example.com\nSubject: Hi\n" + head + file, []string{"kim@example.com", "Hi", "", "x.txt"}},
		"a part without one":      {"From: kim@example.com\nSubject: Hi\n" + head + "\n--b\nhello there\n" + file, []string{"kim@example.com", "Hi", "hello there", "x.txt"}},
		"a part of a bad line":    {"From: kim@example.com\nSubject: Hi\n" + head + "\n--b\nContent-Disposition: attachment; filename=y.txt\n!!\nContent-Type: text/csv\n\n1;2\n" + file, []string{"kim@example.com", "Hi", "", "y.txt x.txt"}},
		"an inner part not ended": {"From: kim@example.com\nSubject: Hi\n" + head + "\n--b\nContent-Type: multipart/alternative; boundary=inner\n\n--inner\n\nhello\n" + file, []string{"kim@example.com", "Hi", "hello", "x.txt"}},
		"boundaries like others":  {"From: kim@example.com\nSubject: Hi\n" + head + "\n--b\nContent-Type: multipart/alternative; boundary=b1\n\n--b1\n\nhello\n--bx\n--b1--  \nafter\n--b \t\nContent-Disposition: attachment; filename=x.txt\n\nthe file\n--b--", []string{"kim@example.com", "Hi", "hello\n--bx", "x.txt"}},
		"a line of dashes":        {"From: kim@example.com\nSubject: Hi\n -- urgent\n" + head + "\n" + file, []string{"kim@example.com", "Hi -- urgent", "", "x.txt"}},
		"like a field":            {"From: kim@example.com\nSubject: Hi\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b:c\"\n\n--b:c\n" + strings.ReplaceAll(file, "--b", "--b:c"), []string{"kim@example.com", "Hi", "", "x.txt"}},
		"two senders":             {"From: kim@example.com\nSubject: Hi\nFrom: lee@example.com\n\nhello", []string{"kim@example.com lee@example.com", "Hi", "hello", ""}},
	} {
		for _, ends := range []string{"\n", "\r\n"} {
			b := trackingtest.New(t)
			e, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Reader: iotest.OneByteReader(strings.NewReader(strings.ReplaceAll(row.text, "\n", ends)))})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			var names []string
			for _, id := range e.Documents {
				d := reread(t, b, id)
				names = append(names, d.FileName)
				if d.FileName == "x.txt" && downloaded(t, b, id) != "the file" {
					t.Errorf("%s: the file is %q", name, downloaded(t, b, id))
				}
			}
			if got := []string{strings.Join(e.From, " "), e.Subject, e.Body, strings.Join(names, " ")}; !slices.Equal(got, row.want) || len(e.Skipped) > 0 || e.Notes != "" {
				t.Errorf("%s: %q, want %q; skipped %v", name, got, row.want, e.Skipped)
			}
		}
	}
}

// Of a text whose encoding breaks off what came before is shown, and that it does.
func TestDamagedText(t *testing.T) {
	long := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("all of it ", 150_000)))
	for name, row := range map[string]struct{ text, begins, notes string }{
		"base64 that breaks off": {"Content-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte("hello there")) + "=x", "hello there", "damaged"},
		"broken late":            {"Content-Transfer-Encoding: base64\n\n" + long[:40_001] + "=" + long, "all of it all", "damaged"},
		"long, and whole":        {"Content-Transfer-Encoding: base64\n\n" + long, "all of it all", ""},
		"long, and broken after": {"Content-Transfer-Encoding: base64\n\n" + long + "=x", "all of it all", ""},
		"quoted":                 {"Content-Transfer-Encoding: quoted-printable\n\nhe\x01llo=", "he\x01llo", "damaged"},
	} {
		b := trackingtest.New(t)
		e, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Message: crlf("Subject: x\n" + row.text)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !strings.HasPrefix(e.Body, row.begins) || len(e.Body) > 64<<10 || (row.notes == "") != (e.Notes == "") || !strings.Contains(e.Notes, row.notes) {
			t.Errorf("%s: %d bytes %.40q, notes %q", name, len(e.Body), e.Body, e.Notes)
		}
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

// A field in many lines costs what its length is, and not the square of it.
func TestFoldedHeaders(t *testing.T) {
	b := trackingtest.New(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	e, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Message: []byte("Subject: Hi\n" + strings.Repeat(" \n", 30<<10) + " Kim\n\nhello")})
	runtime.ReadMemStats(&after)
	if err != nil || e.Body != "hello" {
		t.Fatalf("%+v, %v", e, err)
	}
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 64 {
		t.Errorf("a header of 60 KiB took %d MiB", took)
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
		e, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Reader: row.body, Once: tracking.Once{Key: row.key}})
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
