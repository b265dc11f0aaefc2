package mail

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

func ignore(Attachment) error { return nil }

// file is an attachment that was read.
type file struct {
	name, content string
	damaged       bool
}

func read(t *testing.T, r io.Reader) (*Message, []file) {
	t.Helper()
	var files []file
	m, err := Read(r, func(a Attachment) error {
		content, err := io.ReadAll(a.Content)
		files = append(files, file{a.Name, string(content), errors.Is(err, ErrDamaged)})
		if errors.Is(err, ErrDamaged) {
			err = nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m, files
}

// TestMalformed: a text that is no e-mail, or has too many parts, is refused as a whole.
func TestMalformed(t *testing.T) {
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
		"a bad boundary":  {"Content-Type: multipart/mixed; boundary=\n\nx", "invalid"},
		"unknown charset": {"Content-Type: text/plain; charset=klingon\nSubject: =?klingon?q?x=FF?=\n\n\xff", ""},
		"no boundary":     {"Content-Type: multipart/mixed\n\nx", "invalid"},
		"no date":         {"Date: tomorrow\nFrom: <<>>\n\nx", ""},
	} {
		_, err := Read(strings.NewReader(row.text), ignore)
		var e *Error
		if row.code == "" && err != nil || row.code != "" && (!errors.As(err, &e) || e.Code != row.code) {
			t.Errorf("%s: %v, want %q", name, err, row.code)
		}
	}
}

// TestSloppyParts: mistakes of senders lose no attachment, and damage is reported.
func TestSloppyParts(t *testing.T) {
	const two = "--b\nContent-Type: text/plain\n\nhello\n--b\n%s\n\nthe file\n--b--\n"
	plain := "Content-Type: multipart/mixed; boundary=b\n\n"
	for name, row := range map[string]struct{ text, file, damaged, body string }{
		"a parameter twice":          {"Content-Type: multipart/mixed; boundary=b; charset=a; charset=b\n\n" + fmt.Sprintf(two, "Content-Disposition: attachment; filename=x.txt"), "x.txt", "", "hello"},
		"a parameter with a blank":   {"Content-Type: multipart/mixed; type=a b; boundary=\"b\"\n\n" + fmt.Sprintf(two, "Content-Disposition: attachment; filename=x.txt"), "x.txt", "", "hello"},
		"a file name with blanks":    {plain + fmt.Sprintf(two, "Content-Type: application/pdf; name=bill of lading.pdf"), "bill of lading.pdf", "", "hello"},
		"another with blanks":        {plain + fmt.Sprintf(two, "Content-Disposition: attachment; size=1 2; filename*=UTF-8''%C3%BC.pdf"), "ü.pdf", "", "hello"},
		"a semicolon within quotes":  {plain + fmt.Sprintf(two, "Content-Disposition: attachment; size=1 2; filename=\"a;b.pdf\""), "a;b.pdf", "", "hello"},
		"a bad attachment":           {plain + fmt.Sprintf(two, "Content-Disposition: attachment; filename=x.txt\nContent-Transfer-Encoding: quoted-printable\n\n\x01"), "", "x.txt", "hello"},
		"bad base64 alone":           {"Content-Type: application/pdf; name=x.pdf\nContent-Transfer-Encoding: base64\n\nabc", "", "x.pdf", ""},
		"another bad text":           {plain + strings.Replace(fmt.Sprintf(two, "Content-Disposition: attachment; filename=x.txt"), "hello\n", "hello\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n\x01\n", 1), "x.txt", "", "hello"},
		"a bad body":                 {"Content-Transfer-Encoding: quoted-printable\n\nhe\x01llo", "", "", "he\x01llo"},
		"another character set":      {plain + fmt.Sprintf(two, "Content-Disposition: attachment; filename*=iso-8859-1''B%FCro.pdf"), "Büro.pdf", "", "hello"},
		"another set, in pieces":     {plain + fmt.Sprintf(two, "Content-Type: application/pdf; name*0*=windows-1252'de'B%FC; name*1=\"ro.p\"; name*2*=%64f"), "Büro.pdf", "", "hello"},
		"quoted without breaks":      {plain + fmt.Sprintf(two, "Content-Disposition: attachment; filename=x.txt\nContent-Transfer-Encoding: quoted-printable\n\n"+strings.Repeat("x", 9_000)), "x.txt", "", "hello"},
		"a soft break at the end":    {plain + strings.Replace(fmt.Sprintf(two, "Content-Disposition: attachment; filename=x.txt\nContent-Transfer-Encoding: quoted-printable"), "the file", "the file=\n=", 1), "x.txt", "", "hello"},
		"a soft break in the text":   {"Content-Transfer-Encoding: quoted-printable\n\nhello=20\n=", "", "", "hello"},
		"a type that is none at all": {plain + fmt.Sprintf(two, "Content-Type: pdf; name=x.pdf"), "x.pdf", "", "hello"},
	} {
		m, files := read(t, strings.NewReader(strings.ReplaceAll(row.text, "\n", "\r\n")))
		var whole, damaged []string
		for _, f := range files {
			if f.damaged {
				damaged = append(damaged, f.name)
			} else {
				whole = append(whole, f.name)
			}
		}
		if strings.Join(whole, " ") != row.file || strings.Join(damaged, " ") != row.damaged || m.Body != row.body {
			t.Errorf("%s: files %q, damaged %q, body %q", name, whole, damaged, m.Body)
		}
	}
}

// TestSloppyHeaders: mistakes in headers lose no attachment and no sender.
func TestSloppyHeaders(t *testing.T) {
	const head, file = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n", "--b\nContent-Disposition: attachment; filename=x.txt\n\nthe file\n--b--\n"
	for name, row := range map[string]struct {
		text string
		want []string // sender, subject, text, files
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
			m, files := read(t, iotest.OneByteReader(strings.NewReader(strings.ReplaceAll(row.text, "\n", ends))))
			var names []string
			for _, f := range files {
				names = append(names, f.name)
				if f.name == "x.txt" && f.content != "the file" || f.damaged {
					t.Errorf("%s: the file is %q", name, f.content)
				}
			}
			if got := []string{strings.Join(m.From, " "), m.Subject, m.Body, strings.Join(names, " ")}; !slices.Equal(got, row.want) || m.Notes != "" {
				t.Errorf("%s: %q, want %q", name, got, row.want)
			}
		}
	}
}

// TestDamagedText: the text before the damage is shown, with a note.
func TestDamagedText(t *testing.T) {
	long := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("all of it ", 150_000)))
	for name, row := range map[string]struct{ text, begins, notes string }{
		"base64 that breaks off": {"Content-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte("hello there")) + "=x", "hello there", "damaged"},
		"broken late":            {"Content-Transfer-Encoding: base64\n\n" + long[:40_001] + "=" + long, "all of it all", "damaged"},
		"long, and whole":        {"Content-Transfer-Encoding: base64\n\n" + long, "all of it all", ""},
		"long, and broken after": {"Content-Transfer-Encoding: base64\n\n" + long + "=x", "all of it all", ""},
		"quoted":                 {"Content-Transfer-Encoding: quoted-printable\n\nhe\x01llo=", "he\x01llo", "damaged"},
	} {
		m, _ := read(t, strings.NewReader(strings.ReplaceAll("Subject: x\n"+row.text, "\n", "\r\n")))
		if !strings.HasPrefix(m.Body, row.begins) || len(m.Body) > 64<<10 || (row.notes == "") != (m.Notes == "") || !strings.Contains(m.Notes, row.notes) {
			t.Errorf("%s: %d bytes %.40q, notes %q", name, len(m.Body), m.Body, m.Notes)
		}
	}
}

// TestFoldedHeaders: the cost of a field in many lines is linear.
func TestFoldedHeaders(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := Read(strings.NewReader("Subject: Hi\n"+strings.Repeat(" \n", 30<<10)+" Kim\n\nhello"), ignore)
	runtime.ReadMemStats(&after)
	if err != nil || m.Body != "hello" {
		t.Fatalf("%+v, %v", m, err)
	}
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 64 {
		t.Errorf("a header of 60 KiB took %d MiB", took)
	}
}

// FuzzRead: any text is read, or refused with an Error.
func FuzzRead(f *testing.F) {
	f.Add([]byte("Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: multipart/alternative; boundary=inner\r\n\r\n--inner\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=FC=DFe\r\n--inner--\r\n--b\r\nContent-Disposition: attachment; filename*=UTF-8''a%2Fb.txt\r\nContent-Transfer-Encoding: base64\r\n\r\neA==\r\n--b--\r\n"))
	f.Add([]byte("From: x\n\ny"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := Read(bytes.NewReader(raw), func(a Attachment) error {
			if _, err := io.Copy(io.Discard, a.Content); err != nil && !errors.Is(err, ErrDamaged) {
				return err
			}
			return nil
		})
		if err != nil && !errors.As(err, new(*Error)) || err == nil && !utf8.ValidString(m.Subject+m.Body) {
			t.Errorf("%q: %+v, %v", raw, m, err)
		}
	})
}
