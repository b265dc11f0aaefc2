package tracking

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
	// lineBuffer is the longest line that is looked at as a whole; longer ones come in
	// pieces.
	lineBuffer = 64 << 10
)

// messageParts walks through the parts of a message while it comes in (RFC 2046), and
// holds a line at a time. It takes messages as senders make them: the boundary of an
// outer part ends those within it, and lines end in CRLF or LF.
type messageParts struct {
	from *bufio.Reader
	back [][]byte // lines that were read too far, to be read again
	// within says that of the last line a piece was read.
	within bool
	// open are the boundaries of the parts that are not over, the outermost first.
	open []string
	// depth is the place in open of the boundary that was met last; closing says that
	// it is the last of its sort. over says that the message is.
	depth         int
	closing, over bool
}

func newMessageParts(r io.Reader) *messageParts {
	return &messageParts{from: bufio.NewReaderSize(r, lineBuffer)}
}

// line reads a line with its end, or a piece of a long one; first says that it begins
// where the line does. The bytes are good until the next call.
func (m *messageParts) line() (line []byte, first bool, err error) {
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

// boundary reports whether a line ends parts, and notes which.
func (m *messageParts) boundary(line []byte) bool {
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

// next goes on to the next part, from the boundary that ended the last one.
func (m *messageParts) next() (more bool, err error) {
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
		return false, badMessage("the message is cut off: the end of its parts is missing")
	}
	return false, nil
}

// skip passes over what stands before the next boundary.
func (m *messageParts) skip() error {
	_, err := io.Copy(io.Discard, m.body())
	return err
}

// header reads the fields before a body; there may be none.
func (m *messageParts) header() (textproto.MIMEHeader, error) {
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
			return nil, badMessage("Message has a header of more than %d KiB", maxHeader>>10)
		}
		lines = append(lines, bytes.Clone(line))
		if first && len(bytes.TrimRight(line, "\r\n")) == 0 {
			break
		}
		ended = first && m.boundary(line)
	}
	head := lines
	if n := len(lines) - 1; n >= 0 && ended {
		head = lines[:n] // a boundary is no field, whatever stands in it
	}
	h, used := fields(head)
	if used < len(lines) && len(bytes.TrimRight(lines[used], "\r\n")) == 0 {
		used++ // the blank line
	}
	// What follows the fields without a blank line is text, or a boundary.
	m.back = append(lines[used:], m.back...)
	m.over = m.over && used == len(lines)
	return h, nil
}

// fields takes fields from the beginning of lines, and returns how many lines they
// are. What is among them and no field is dropped: the first line of a mailbox, and
// what programs on the way have spoilt.
func fields(lines [][]byte) (h textproto.MIMEHeader, used int) {
	h = textproto.MIMEHeader{}
	name, value := "", []byte(nil) // of the field that is under way
	end := func() {
		if name != "" {
			h[name] = append(h[name], string(value))
		}
	}
	defer func() { end() }()
	for i, line := range lines {
		text := strings.TrimSpace(plainText(line, ""))
		indented := line[0] == ' ' || line[0] == '\t'
		switch next := fieldName(line); {
		case !indented && (text == "" || name != "" && strings.HasPrefix(text, "--")): // a boundary, without a blank line before it
			return h, used
		case !indented && next != "":
			end()
			_, rest, _ := strings.Cut(text, ":")
			name, value = next, []byte(strings.TrimSpace(rest))
		case name != "" && (indented || bytes.HasSuffix(value, []byte(";"))): // which goes on, indented or not
			value = append(append(value, ' '), text...)
		default:
			continue
		}
		used = i + 1
	}
	return h, used
}

// fieldName is the name of the field that a line begins; empty for none.
func fieldName(line []byte) string {
	name, _, ok := bytes.Cut(bytes.TrimPrefix(line, []byte("\uFEFF")), []byte(":"))
	name = bytes.TrimRight(name, " \t")
	if !ok || bytes.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return ""
	}
	return textproto.CanonicalMIMEHeaderKey(string(name))
}

// body reads the part up to the boundary that ends it.
func (m *messageParts) body() io.Reader { return &partBody{parts: m} }

type partBody struct {
	parts     *messageParts
	buf, kept []byte // what is to be read of kept
	end       []byte // of the last line: a boundary that follows takes it along
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
	case string(line) == "\n" && string(b.end) == "\r": // cut by the buffer
		b.end = append(b.end, '\n')
		return nil
	}
	text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	b.kept = append(append(b.kept[:0], b.end...), text...)
	b.end = append(b.end[:0], line[len(text):]...)
	b.buf = b.kept
	return nil
}
