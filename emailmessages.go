package tracking

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"time"
	"unicode/utf8"
)

// What a message may hold. Beyond it a message is refused as a whole: half of it
// would be lost unseen.
const (
	maxMessageParts = 200 // multiparts and what is in them
	maxPartDepth    = 10
	maxBody         = 64 << 10 // of the text that is kept
	maxAddresses    = 100      // of each header
)

// message is an e-mail, taken apart.
type message struct {
	header      mail.Header
	contentType string
	body        string // the first plain text
	attachments []attachment
	parts       int
}

type attachment struct {
	name, contentType string
	content           []byte
	damaged           bool // its transfer encoding cannot be undone
}

// fault is why it can be no document; empty for none.
func (a attachment) fault() string {
	switch {
	case a.damaged:
		return "invalid"
	case len(a.content) == 0:
		return "blank"
	}
	return ""
}

func badMessage(format string, args ...any) *Error {
	return invalid("message", "invalid", format, args...)
}

// readMessage takes a message apart (RFC 5322, RFC 2045 to 2047). Errors: Invalid
// on message.
func readMessage(raw []byte) (*message, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, invalid("message", "blank", "Message can't be blank: it is a whole e-mail (RFC 5322)")
	}
	parsed, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil || len(parsed.Header) == 0 {
		return nil, badMessage("Message is not an e-mail (RFC 5322): its header cannot be read")
	}
	m := &message{header: parsed.Header}
	m.contentType, _ = mediaType(parsed.Header.Get("Content-Type"))
	if err := m.part(textproto.MIMEHeader(parsed.Header), parsed.Body, 1); err != nil {
		return nil, err
	}
	return m, nil
}

// part takes in one part, and those within it.
func (m *message) part(h textproto.MIMEHeader, body io.Reader, depth int) error {
	if m.parts++; m.parts > maxMessageParts || depth > maxPartDepth {
		return badMessage("Message has more than %d parts, or parts within parts more than %d deep", maxMessageParts, maxPartDepth)
	}
	typ, params := mediaType(h.Get("Content-Type"))
	if strings.HasPrefix(typ, "multipart/") {
		if params["boundary"] == "" {
			return badMessage("a part of the message (%s) does not say what parts it from others: its boundary is missing", clip(typ, 100))
		}
		return m.multipart(multipart.NewReader(body, params["boundary"]), depth)
	}
	if !strings.Contains(typ, "/") {
		typ = "text/plain" // RFC 2045, 5.2
	}
	name := partName(h, params)
	isText := name == "" && !attaches(h) && strings.HasPrefix(typ, "text/")
	if isText && (m.body != "" || typ != "text/plain") {
		return nil // it is not kept: what is wrong with it does not matter
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		return badMessage("a part of the message (%s) cannot be read: it is cut off or damaged", clip(typ, 100))
	}
	content, err := io.ReadAll(decoded(h.Get("Content-Transfer-Encoding"), bytes.NewReader(raw)))
	if isText {
		if err != nil {
			content = raw // better as it stands than not at all
		}
		m.body = plainText(content, params["charset"])
		return nil
	}
	if name == "" && typ == "message/rfc822" {
		name = "message.eml"
	}
	m.attachments = append(m.attachments, attachment{asFileName(name, "attachment"), typ, content, err != nil})
	return nil
}

// mediaType reads a header of a type and its parameters (RFC 2045). Senders break
// its rules (a file name with blanks and no quotes, a parameter given twice); then
// each parameter is read by itself, as it was meant, and the first of a name counts.
func mediaType(value string) (typ string, params map[string]string) {
	typ, params, err := mime.ParseMediaType(value)
	if err == nil {
		return typ, params
	}
	typ, rest, _ := strings.Cut(value, ";")
	params = map[string]string{}
	for _, text := range parameters(rest) {
		name, value, _ := strings.Cut(text, "=")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.Trim(strings.TrimSpace(value), `"`)
		if _, strict, err := mime.ParseMediaType("x/x;" + text); err == nil {
			for name, value = range strict { // filename* is filename
			}
		}
		if params[name] == "" {
			params[name] = value
		}
	}
	return strings.ToLower(strings.TrimSpace(typ)), params
}

// parameters splits at the semicolons that are not within quotes.
func parameters(text string) (list []string) {
	start, quoted := 0, false
	for i := range len(text) {
		switch text[i] {
		case '"':
			quoted = !quoted
		case ';':
			if !quoted {
				list = append(list, text[start:i])
				start = i + 1
			}
		}
	}
	return append(list, text[start:])
}

func (m *message) multipart(r *multipart.Reader, depth int) error {
	for {
		p, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return badMessage("the parts of the message cannot be told apart: it is cut off or damaged")
		}
		if err := m.part(p.Header, p, depth+1); err != nil {
			return err
		}
	}
}

// decoded undoes the transfer encoding.
func decoded(encoding string, body io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, &base64Only{from: body})
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	}
	return body
}

// base64Only drops what stands between the characters of base64, as RFC 2045 asks.
type base64Only struct{ from io.Reader }

func (r *base64Only) Read(p []byte) (int, error) {
	for {
		n, err := r.from.Read(p)
		kept := 0
		for _, c := range p[:n] {
			if 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '=' {
				p[kept] = c
				kept++
			}
		}
		if kept > 0 || err != nil {
			return kept, err
		}
	}
}

func attaches(h textproto.MIMEHeader) bool {
	disposition, _ := mediaType(h.Get("Content-Disposition"))
	return disposition == "attachment"
}

// partName is the file name that a part gives itself.
func partName(h textproto.MIMEHeader, params map[string]string) string {
	_, disposition := mediaType(h.Get("Content-Disposition"))
	name := disposition["filename"]
	if name == "" {
		name = params["name"]
	}
	return decodedWords(name)
}

var words = mime.WordDecoder{CharsetReader: func(charset string, from io.Reader) (io.Reader, error) {
	text, err := io.ReadAll(from)
	return strings.NewReader(plainText(text, charset)), err
}}

// decodedWords reads encoded words (RFC 2047); what is none stays.
func decodedWords(s string) string {
	if text, err := words.DecodeHeader(s); err == nil {
		s = text
	}
	return clipRunes(strings.ToValidUTF8(s, "\uFFFD"), maxFileName)
}

// plainText is text of a character set as UTF-8. Of sets other than UTF-8 and
// Latin-1 what is beyond ASCII is guessed to be the latter.
func plainText(text []byte, charset string) string {
	if utf8.Valid(text) && !strings.HasPrefix(strings.ToLower(charset), "iso-8859") {
		return string(text)
	}
	var b strings.Builder
	for _, c := range text {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// submission is the record of the message, without its documents.
func (m *message) submission() *EmailSubmission {
	e := &EmailSubmission{
		Subject: shownLine(decodedWords(m.header.Get("Subject"))), Body: shownBody(m.body), ContentType: clipRunes(m.contentType, 255),
		From: m.addresses("From"), To: m.addresses("To"), CC: m.addresses("Cc"),
		MessageID: messageID(m.header.Get("Message-Id")), InReplyTo: messageID(m.header.Get("In-Reply-To")),
		References: []string{}, Skipped: []SkippedAttachment{},
	}
	if at, err := m.header.Date(); err == nil && at.Year() > 1970 && at.Year() < 9999 {
		e.SentAt = at.UTC().Truncate(time.Second)
	}
	for _, id := range strings.Fields(m.header.Get("References")) {
		if len(e.References) < maxAddresses {
			e.References = append(e.References, messageID(id))
		}
	}
	return e
}

// addresses of a header; one that cannot be read is shown as it stands.
func (m *message) addresses(name string) []string {
	out, text := []string{}, m.header.Get(name)
	if text == "" {
		return out
	}
	parser := mail.AddressParser{WordDecoder: &words}
	list, err := parser.ParseList(text)
	if err != nil {
		return append(out, shownLine(decodedWords(text)))
	}
	for _, a := range list[:min(len(list), maxAddresses)] {
		out = append(out, clipRunes(a.Address, 320))
	}
	return out
}

func messageID(s string) string { return shownLine(clipRunes(strings.Trim(s, "<> \t"), 998)) }

// shownLine is text of a header without control characters.
func shownLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")))
}

func shownBody(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	if len(s) > maxBody {
		s = strings.ToValidUTF8(s[:maxBody], "")
	}
	return strings.TrimSpace(strings.ReplaceAll(s, "\x00", ""))
}
