package office

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/landfallhq/tracking/classify/extract/internal/flow"
)

// mailBlocks reads the subject and sender of an e-mail, and its text: that in HTML, which has the
// tables, before the plain one. Its date comes last: the paper in it has mostly one of its own.
// Attachments are documents of their own.
func mailBlocks(file []byte) ([]flow.Block, error) {
	m, err := mail.ReadMessage(bytes.NewReader(file))
	if err != nil {
		return nil, damaged(err)
	}
	var words mime.WordDecoder
	words.CharsetReader = charset.NewReaderLabel
	said := func(name, caption string) []flow.Block {
		value := m.Header.Get(name)
		if plain, err := words.DecodeHeader(value); err == nil {
			value = plain
		}
		if value == "" {
			return nil
		}
		return []flow.Block{flow.Paragraph{Text: caption + value}}
	}
	var b body
	if err := b.read(m.Header, m.Body, 0); err != nil {
		return nil, damaged(err)
	}
	blocks, err := b.blocks(append(said("Subject", "Subject: "), said("From", "From: ")...))
	return append(blocks, append([]flow.Block{flow.Paragraph{}, flow.Paragraph{}}, said("Date", "Mail sent: ")...)...), err
}

// body is the text of a message, in the two forms.
type body struct{ html, plain string }

// blocks appends the text to what is before it.
func (b *body) blocks(before []flow.Block) ([]flow.Block, error) {
	if strings.TrimSpace(b.html) == "" {
		for line := range strings.SplitSeq(strings.ReplaceAll(b.plain, "\r", ""), "\n") {
			before = append(before, flow.Paragraph{Text: line})
		}
		return before, nil
	}
	text, err := htmlBlocks(b.html)
	return append(before, text...), err
}

// header is that of a message or a part.
type header interface{ Get(string) string }

// mostParts bounds parts in parts.
const mostParts = 10

var errParts = errors.New("too many parts in one another")

func (b *body) read(h header, r io.Reader, depth int) error {
	if depth > mostParts {
		return errParts
	}
	typ, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil && typ == "" {
		typ = "text/plain"
	}
	if strings.HasPrefix(typ, "multipart/") {
		parts := multipart.NewReader(r, params["boundary"])
		for {
			p, err := parts.NextRawPart()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return nil //nolint:nilerr // what was read before is of use
			}
			if disposition, _, _ := mime.ParseMediaType(p.Header.Get("Content-Disposition")); disposition == "attachment" {
				continue
			}
			if err := b.read(p.Header, p, depth+1); err != nil {
				return err
			}
		}
	}
	to := &b.plain
	switch {
	case typ == HTML:
		to = &b.html
	case typ != "text/plain":
		return nil
	}
	if *to != "" {
		return nil
	}
	switch strings.ToLower(strings.TrimSpace(h.Get("Content-Transfer-Encoding"))) {
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, r)
	case "quoted-printable":
		r = quotedprintable.NewReader(r)
	}
	content, _ := io.ReadAll(r) // up to the damage
	*to = string(decoded(content, params["charset"]))
	return nil
}

// decoded is text in UTF-8. Without a character set it is that which HTML says, or which
// browsers take.
func decoded(content []byte, label string) []byte {
	contentType := HTML
	if label != "" {
		contentType += "; charset=" + label
	}
	r, err := charset.NewReader(bytes.NewReader(content), contentType)
	if err != nil {
		return content
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return content
	}
	return text
}
