package mail

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/textproto"
	"strings"
)

const (
	// maxHeader bounds the header of a message or of a part, in bytes.
	maxHeader = 1 << 20
	// lineBuffer is the longest line that is read as a whole; longer ones are read in
	// pieces.
	lineBuffer = 64 << 10
)

// partReader iterates over the parts of a message (RFC 2046), with one line in memory.
// It accepts what senders write: the boundary of an outer part ends the inner ones, and
// lines end in CRLF or LF.
type partReader struct {
	from *bufio.Reader
	back [][]byte // lines to be read again
	// within: only a piece of the last line has been read.
	within bool
	// open are the boundaries of the parts that have not ended, the outermost first.
	open []string
	// depth is the index in open of the last boundary; closing: it was the closing one.
	// over: the message has ended.
	depth         int
	closing, over bool
}

func newPartReader(r io.Reader) *partReader {
	return &partReader{from: bufio.NewReaderSize(r, lineBuffer)}
}

// line reads a line with its line end, or a piece of a long one; first: it is the start of
// the line. The bytes are valid until the next call.
func (m *partReader) line() (line []byte, first bool, err error) {
	if len(m.back) > 0 {
		line, m.back = m.back[0], m.back[1:]
		return line, true, nil
	}
	first = !m.within
	line, err = m.from.ReadSlice('\n')
	m.within = errors.Is(err, bufio.ErrBufferFull)
	if m.within || len(line) > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	if errors.Is(err, io.EOF) {
		m.over = true
	}
	return line, first, err
}

// boundary reports whether a line is a boundary of an open part, and sets depth and closing.
func (m *partReader) boundary(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("--"))
	if !ok {
		return false
	}
	rest = bytes.TrimRight(rest, " \t\r\n")
	for i := len(m.open) - 1; i >= 0; i-- {
		end, ok := bytes.CutPrefix(rest, []byte(m.open[i]))
		if ok && (len(end) == 0 || string(end) == "--") {
			m.depth, m.closing = i, len(end) > 0
			return true
		}
	}
	return false
}

// next advances to the next part. The last boundary has been read.
func (m *partReader) next() (more bool, err error) {
	for !m.over {
		m.open = m.open[:m.depth+1]
		if !m.closing {
			return true, nil
		}
		if m.open = m.open[:m.depth]; m.depth == 0 {
			return false, nil
		}
		if err := m.skip(); err != nil {
			return false, err
		}
	}
	if len(m.open) > 0 {
		return false, invalid("the message is truncated: a closing boundary is missing")
	}
	return false, nil
}

// skip reads up to the next boundary.
func (m *partReader) skip() error {
	_, err := io.Copy(io.Discard, m.body())
	return err
}

// header reads the header fields before a body; there may be none.
func (m *partReader) header() (textproto.MIMEHeader, error) {
	var lines [][]byte
	size, ended := 0, false // by a boundary
	for !ended {
		line, first, err := m.line()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if size += len(line); size > maxHeader {
			return nil, invalid("Message has a header of more than %d KiB", maxHeader>>10)
		}
		lines = append(lines, bytes.Clone(line))
		if first && len(bytes.TrimRight(line, "\r\n")) == 0 {
			break
		}
		ended = first && m.boundary(line)
	}
	head := lines
	if n := len(lines) - 1; n >= 0 && ended {
		head = lines[:n] // a boundary is no field, even with a colon
	}
	h, used := fields(head)
	if used < len(lines) && len(bytes.TrimRight(lines[used], "\r\n")) == 0 {
		used++ // the blank line
	}
	// Lines that follow the fields without a blank line are text, or a boundary.
	m.back = append(lines[used:], m.back...)
	m.over = m.over && used == len(lines)
	return h, nil
}

// fields parses the header fields at the start of lines, and returns how many lines they
// take. Other lines among them are dropped: the first line of a mailbox, and what mail
// servers have damaged.
func fields(lines [][]byte) (h textproto.MIMEHeader, used int) {
	h = textproto.MIMEHeader{}
	name, value := "", []byte(nil) // of the current field
	end := func() {
		if name != "" {
			h[name] = append(h[name], string(value))
		}
	}
	defer func() { end() }()
	for i, line := range lines {
		text := strings.TrimSpace(toUTF8(line, ""))
		indented := line[0] == ' ' || line[0] == '\t'
		switch next := fieldName(line); {
		case !indented && (text == "" || name != "" && strings.HasPrefix(text, "--")): // a boundary, without a blank line before it
			return h, used
		case !indented && next != "":
			end()
			_, rest, _ := strings.Cut(text, ":")
			name, value = next, []byte(strings.TrimSpace(rest))
		case name != "" && (indented || bytes.HasSuffix(value, []byte(";"))): // a continuation, indented or not
			value = append(append(value, ' '), text...)
		default:
			continue
		}
		used = i + 1
	}
	return h, used
}

// fieldName is the name of the field that starts on a line; empty for none.
func fieldName(line []byte) string {
	name, _, ok := bytes.Cut(bytes.TrimPrefix(line, []byte("\uFEFF")), []byte(":"))
	name = bytes.TrimRight(name, " \t")
	if !ok || bytes.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return ""
	}
	return textproto.CanonicalMIMEHeaderKey(string(name))
}

// body reads a part up to its boundary.
func (m *partReader) body() io.Reader { return &partBody{parts: m} }

type partBody struct {
	parts     *partReader
	buf, kept []byte // buf is the unread rest of kept
	end       []byte // the last line end, which belongs to a boundary that follows
	err       error
}

func (b *partBody) Read(p []byte) (int, error) {
	for len(b.buf) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		b.err = b.fill()
	}
	n := copy(p, b.buf)
	b.buf = b.buf[n:]
	return n, nil
}

func (b *partBody) fill() error {
	line, first, err := b.parts.line()
	switch {
	case err != nil:
		b.buf = b.end
		return err
	case first && b.parts.boundary(line):
		return io.EOF
	case string(line) == "\n" && string(b.end) == "\r": // split by the buffer
		b.end = append(b.end, '\n')
		return nil
	}
	text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	b.kept = append(append(b.kept[:0], b.end...), text...)
	b.end = append(b.end[:0], line[len(text):]...)
	b.buf = b.kept
	return nil
}
