// Package mail reads e-mails (RFC 5322, RFC 2045 to 2047): header fields, the text for
// people, and attachments, with one line in memory. It accepts what senders write, as far
// as it is unambiguous. It sends nothing and stores nothing.
package mail

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of a message. A message beyond them is refused, so that no part is lost
// unnoticed.
const (
	maxParts      = 200 // including multiparts
	maxPartDepth  = 10
	maxBody       = 64 << 10 // of the text, in bytes
	maxHeaderText = 255      // of a decoded field, in characters
	maxAddresses  = 100      // of each header
)

// Message is a parsed e-mail. Texts are UTF-8 without control characters, at most as long
// as an e-mail may sensibly have them.
type Message struct {
	Subject string
	// Body is the first plain text, at most 64 KiB.
	Body string
	// Notes are sentences for people about parts that could not be read.
	Notes        string
	From, To, CC []string // addresses
	// SentAt is the time in the Date header, UTC; zero without a valid one.
	SentAt               time.Time
	MessageID, InReplyTo string // without angle brackets
	References           []string
	ContentType          string // of the message as a whole
}

// Attachment is a part with a file name, or one that is no text.
type Attachment struct {
	// Name is the file name, as the sender gave it; empty if there is none.
	Name, ContentType string
	// Content can be read once, during the call with the attachment. Errors: ErrDamaged,
	// and those of the message.
	Content io.Reader
}

// ErrDamaged is returned if the transfer encoding of an attachment is malformed.
var ErrDamaged = errors.New("tracking: the attachment is damaged")

// Error is the reason why a text is no e-mail, or none that is read.
type Error struct {
	Code   string // "blank" or "invalid"
	Detail string // a sentence for people
}

func (e *Error) Error() string { return e.Detail }

// parser reads a message.
type parser struct {
	body, notes string
	parts       int
	each        func(Attachment) error
}

const damagedText = "The text of the message is damaged; only the readable part is shown."

func invalid(format string, args ...any) *Error {
	return &Error{Code: "invalid", Detail: fmt.Sprintf(format, args...)}
}

// Read parses a message while it reads it, and calls each with the attachments. each need
// not read their content. What follows the last part is not read. Errors: an Error; those
// of r and each.
func Read(r io.Reader, each func(Attachment) error) (*Message, error) {
	text := bufio.NewReader(r)
	if err := skipBlanks(text); errors.Is(err, io.EOF) {
		return nil, &Error{Code: "blank", Detail: "Message can't be blank: it is a whole e-mail (RFC 5322)"}
	} else if err != nil {
		return nil, err
	}
	parts := newPartReader(text)
	h, err := parts.header()
	if err != nil {
		return nil, err
	}
	if len(h) == 0 {
		return nil, invalid("Message is not an e-mail (RFC 5322): its header cannot be read")
	}
	top, p := mail.Header(h), parser{each: each}
	for {
		if err := p.part(h, parts); err != nil {
			return nil, err
		}
		if more, err := parts.next(); err != nil {
			return nil, err
		} else if !more {
			return p.message(top), nil
		}
		if h, err = parts.header(); err != nil {
			return nil, err
		}
	}
}

// skipBlanks skips blanks before the header.
func skipBlanks(r *bufio.Reader) error {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return err
		}
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return r.UnreadByte()
		}
	}
}

// part reads one part, up to the next boundary. Parts of a multipart follow it.
func (p *parser) part(h textproto.MIMEHeader, parts *partReader) error {
	if p.parts++; p.parts > maxParts || len(parts.open) >= maxPartDepth {
		return invalid("Message has more than %d parts, or parts within parts more than %d deep", maxParts, maxPartDepth)
	}
	typ, params := mediaType(h.Get("Content-Type"))
	if strings.HasPrefix(typ, "multipart/") {
		boundary := strings.TrimRight(params["boundary"], " \t")
		if boundary == "" {
			return invalid("a part of the message (%s) has no boundary", clip(typ, 100))
		}
		parts.open = append(parts.open, boundary)
		return parts.skip()
	}
	if !strings.Contains(typ, "/") {
		typ = "text/plain" // RFC 2045, 5.2
	}
	body := parts.body()
	if err := p.leaf(h, typ, params, body); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, body)
	return err
}

// leaf reads a part that is no multipart.
func (p *parser) leaf(h textproto.MIMEHeader, typ string, params map[string]string, body io.Reader) error {
	name, encoding := partName(h, params), h.Get("Content-Transfer-Encoding")
	if name == "" && !isAttachment(h) && strings.HasPrefix(typ, "text/") {
		if p.body != "" || typ != "text/plain" {
			return nil // not stored, so its errors do not matter
		}
		return p.text(encoding, params["charset"], body)
	}
	if name == "" && typ == "message/rfc822" {
		name = "message.eml"
	}
	return p.each(Attachment{name, typ, &transferDecoder{body: &sourceError{Reader: body}, encoding: encoding}})
}

// maxTextBytes is how much of the encoded text is read.
const maxTextBytes = 4 * maxBody

// text reads the text for people. Damaged base64 is shown up to the damage, damaged
// quoted-printable as it is.
func (p *parser) text(encoding, charset string, body io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(body, maxTextBytes))
	if err != nil {
		return err
	}
	content, err := io.ReadAll(decoded(encoding, bytes.NewReader(raw)))
	if err != nil && (len(raw) < maxTextBytes || errors.As(err, new(base64.CorruptInputError))) { // else the limit has cut it
		p.notes = damagedText
		if !isBase64(encoding) {
			content = raw
		}
	}
	p.body = toUTF8(content, charset)
	return nil
}

// transferDecoder decodes the transfer encoding of a part. It returns ErrDamaged for a
// malformed encoding, and errors of the message unchanged.
type transferDecoder struct {
	body     *sourceError
	encoding string
	from     io.Reader
}

func (u *transferDecoder) Read(p []byte) (int, error) {
	if u.from == nil {
		u.from = decoded(u.encoding, u.body)
	}
	n, err := u.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		if err = u.body.err; err == nil {
			err = ErrDamaged
		}
	}
	return n, err
}

// sourceError is a reader that stores its error.
type sourceError struct {
	io.Reader
	err error
}

func (s *sourceError) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// mediaType parses a type and its parameters (RFC 2045). If the sender breaks the rules (a
// file name with blanks and no quotes, a repeated parameter), each parameter is parsed by
// itself, and the first of a name is used.
func mediaType(value string) (typ string, params map[string]string) {
	typ, params, err := mime.ParseMediaType(value)
	if err == nil {
		return typ, params
	}
	typ, rest, _ := strings.Cut(value, ";")
	params = map[string]string{}
	for _, text := range splitQuoted(rest, ";") {
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

// splitQuoted splits a text at the characters of set outside quotes.
func splitQuoted(text, set string) (list []string) {
	start, quoted := 0, false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case !quoted && strings.IndexByte(set, text[i]) >= 0:
			list = append(list, text[start:i])
			start = i + 1
		}
	}
	return append(list, text[start:])
}

// decoded decodes the transfer encoding.
func decoded(encoding string, body io.Reader) io.Reader {
	switch {
	case isBase64(encoding):
		return base64.NewDecoder(base64.StdEncoding, &base64Filter{from: body})
	case strings.EqualFold(strings.TrimSpace(encoding), "quoted-printable"):
		return quotedprintable.NewReader(bufio.NewReaderSize(&softBreakTrimmer{from: body}, lineBuffer)) // quotedprintable refuses lines longer than the buffer
	}
	return body
}

func isBase64(encoding string) bool { return strings.EqualFold(strings.TrimSpace(encoding), "base64") }

// base64Filter drops all but the characters of base64, as RFC 2045 requires.
type base64Filter struct{ from io.Reader }

func (r *base64Filter) Read(p []byte) (int, error) {
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

// softBreakTrimmer drops a "=" at the end of a text: a soft line break before the boundary.
// On a line of its own, quotedprintable would refuse it.
type softBreakTrimmer struct {
	from io.Reader
	held bool // a "=" that may be the last byte
}

func (r *softBreakTrimmer) Read(p []byte) (int, error) {
	n := 0
	if r.held && len(p) > 0 {
		n, p[0], r.held = 1, '=', false
	}
	more, err := r.from.Read(p[n:])
	if n += more; n > 0 && p[n-1] == '=' && (err == nil || errors.Is(err, io.EOF)) {
		n, r.held = n-1, true
	}
	return n, err
}

func isAttachment(h textproto.MIMEHeader) bool {
	disposition, _ := mediaType(h.Get("Content-Disposition"))
	return disposition == "attachment"
}

// partName is the file name in the header of a part.
func partName(h textproto.MIMEHeader, params map[string]string) string {
	_, disposition := mediaType(h.Get("Content-Disposition"))
	name := cmp.Or(
		extendedParameter(h.Get("Content-Disposition"), "filename"), disposition["filename"],
		extendedParameter(h.Get("Content-Type"), "name"), params["name"])
	return decodeHeader(name)
}

// extendedParameter is a parameter of RFC 2231 in a character set that package mime does
// not know: filename*=ISO-8859-1”%FC.pdf, whole or in pieces. Empty for all others.
func extendedParameter(value, name string) string {
	var text []byte
	charset := ""
	_, rest, _ := strings.Cut(value, ";")
	for _, piece := range splitQuoted(rest, ";") {
		key, value, _ := strings.Cut(piece, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.Trim(strings.TrimSpace(value), `"`)
		if base, _, ok := strings.Cut(key, "*"); !ok || base != name {
			continue
		}
		if charset == "" {
			list := strings.SplitN(value, "'", 3)
			if charset = strings.ToLower(list[0]); len(list) < 3 || charset == "" || charset == "utf-8" || charset == "us-ascii" {
				return ""
			}
			value = list[2]
		}
		if strings.HasSuffix(key, "*") {
			value = percentDecoded(value)
		}
		text = append(text, value...)
	}
	return toUTF8(text, charset)
}

// percentDecoded decodes the %XX of a text. A malformed text is returned as it is.
func percentDecoded(s string) string {
	if text, err := url.PathUnescape(s); err == nil {
		return text
	}
	return s
}

var words = mime.WordDecoder{CharsetReader: func(charset string, from io.Reader) (io.Reader, error) {
	text, err := io.ReadAll(from)
	return strings.NewReader(toUTF8(text, charset)), err
}}

// decodeHeader decodes encoded words (RFC 2047). Malformed ones are returned as they are.
func decodeHeader(s string) string {
	if text, err := words.DecodeHeader(s); err == nil {
		s = text
	}
	return clip(strings.ToValidUTF8(s, "\uFFFD"), maxHeaderText)
}

// toUTF8 converts text to UTF-8. It knows UTF-8 and Latin-1, and treats text in other
// character sets as Latin-1.
func toUTF8(text []byte, charset string) string {
	if utf8.Valid(text) && !strings.HasPrefix(strings.ToLower(charset), "iso-8859") {
		return string(text)
	}
	var b strings.Builder
	for _, c := range text {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// message returns what was read, with the fields of the header.
func (p *parser) message(h mail.Header) *Message {
	typ, _ := mediaType(h.Get("Content-Type"))
	m := &Message{
		Subject: cleanLine(decodeHeader(h.Get("Subject"))), Body: cleanBody(p.body), ContentType: clip(typ, 255), Notes: p.notes,
		From: addresses(h["From"]), To: addresses(h["To"]), CC: addresses(h["Cc"]),
		MessageID: messageID(h.Get("Message-Id")), InReplyTo: messageID(h.Get("In-Reply-To")), References: []string{},
	}
	if at, err := h.Date(); err == nil && at.Year() > 1970 && at.Year() < 9999 {
		m.SentAt = at.UTC().Truncate(time.Second)
	}
	for _, id := range strings.Fields(h.Get("References")) {
		if len(m.References) < maxAddresses {
			m.References = append(m.References, messageID(id))
		}
	}
	return m
}

// addresses of header fields. Some senders separate them with semicolons. A malformed
// address is returned as it is.
func addresses(fields []string) []string {
	out, text := []string{}, strings.Join(fields, ", ")
	if text == "" {
		return out
	}
	parser := mail.AddressParser{WordDecoder: &words}
	list, err := parser.ParseList(text)
	for _, a := range list {
		out = append(out, a.Address)
	}
	if err != nil {
		for _, each := range splitQuoted(text, ",;") {
			if a, err := parser.Parse(each); err == nil {
				out = append(out, a.Address)
			} else if each = cleanLine(decodeHeader(each)); each != "" {
				out = append(out, each)
			}
		}
	}
	out = out[:min(len(out), maxAddresses)]
	for i := range out {
		out[i] = clip(out[i], 320)
	}
	return out
}

func messageID(s string) string { return cleanLine(clip(strings.Trim(s, "<> \t"), 998)) }

// cleanLine removes control characters from the text of a header.
func cleanLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")))
}

func cleanBody(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	if len(s) > maxBody {
		s = strings.ToValidUTF8(s[:maxBody], "")
	}
	return strings.TrimSpace(strings.ReplaceAll(s, "\x00", ""))
}

func clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most])
}
