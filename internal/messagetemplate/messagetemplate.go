// Package messagetemplate makes the body of a message from a JSON:API document by a template of
// text/template. Templates are written by tenants and run in the server, so their steps, what
// they write and what their functions return is bounded. It knows JSON:API and no resource.
package messagetemplate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"unicode/utf8"
)

const (
	// MaxText is the most bytes that a template has.
	MaxText = 16 << 10
	// MaxOutput is the most bytes that a template may write.
	MaxOutput = 64 << 10
	// maxSteps bounds the parts of a template that are evaluated, each as often as it is.
	maxSteps = 100_000
	// invocation is how many steps a template costs that is called: it bounds how deep
	// templates call themselves.
	invocation = 200
	// maxResult bounds the result of one function, and maxResults those of all together.
	maxResult, maxResults = 32 << 10, 1 << 20
	// maxString is the most bytes that a text of the document keeps: all comparisons and
	// functions cost as much as their texts are long.
	maxString = 10_000
)

// name stands in the positions of errors of text/template.
const name = "message"

// Template makes messages. It can be used by several goroutines.
type Template struct {
	text   string
	parsed *template.Template
}

// Error is what is wrong with a template, and where: Line and Column count from 1, the column in
// characters. They are zero if the fault is in what the template wrote and not in a part of it.
type Error struct {
	Line, Column int
	Detail       string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Detail
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Detail)
}

// Parse reads a template. Its errors are of the type *Error.
//
// A template gets the document as its dot: objects without their members that are null, texts of
// at most 10,000 bytes. What is missing is an empty text. Besides the functions of text/template,
// but call, it has:
//
//   - json: a value as JSON
//   - date, day: a time as people read it, in a time zone: date .at "Europe/Amsterdam"
//   - included: the included resource of a type, or the one that a relationship or an identifier
//     names: included "container", included .data.relationships.reference_object
//   - default: the first value, unless the second is not empty: default "unknown" .name
//   - shorten: a text of at most so many characters: shorten 100 .text
//   - replace: a text with other parts: replace "_" " " .name
//   - render: what a defined template writes, as a text: render "sentence" .
//   - list: a list of values, and kind: none, text, bool, number, list or object
func Parse(text string) (*Template, error) {
	if len(text) > MaxText {
		return nil, &Error{Detail: fmt.Sprintf("it has %d bytes, and may have %d", len(text), MaxText)}
	}
	t, err := template.New(name).Funcs(new(run).functions()).Parse(text)
	if err != nil {
		return nil, parseError(text, err)
	}
	if err := limit(t); err != nil {
		return nil, err
	}
	return &Template{text, t}, nil
}

// Execute makes the message of a document, which is a JSON document too. Errors are of the type
// *Error.
func (t *Template) Execute(document []byte) ([]byte, error) {
	data, err := decode(document)
	if err != nil {
		return nil, &Error{Detail: "the document is not JSON: " + err.Error()}
	}
	// A clone has functions of its own, which count for this run alone.
	parsed, err := t.parsed.Clone()
	if err != nil {
		return nil, &Error{Detail: err.Error()}
	}
	r := &run{parsed: parsed, document: data}
	out := &boundedWriter{left: MaxOutput}
	if err := parsed.Funcs(r.functions()).Execute(out, data); err != nil {
		return nil, executionError(t.text, err)
	}
	return checked(out.Bytes())
}

// checked is the message without blanks around it and between its parts.
func checked(written []byte) ([]byte, error) {
	written = bytes.TrimSpace(bytes.ToValidUTF8(written, []byte("\uFFFD")))
	if len(written) == 0 {
		return nil, &Error{Detail: "it writes nothing, and must write JSON"}
	}
	var v json.RawMessage
	if err := json.Unmarshal(written, &v); err != nil {
		detail := "what it writes is not JSON: " + err.Error()
		if fault := (*json.SyntaxError)(nil); errors.As(err, &fault) {
			detail += near(written, int(fault.Offset))
		}
		return nil, &Error{Detail: detail}
	}
	var b bytes.Buffer
	if err := json.Compact(&b, written); err != nil {
		return nil, &Error{Detail: err.Error()}
	}
	return b.Bytes(), nil
}

// near shows where in a text a fault is.
func near(text []byte, offset int) string {
	const shown = 40
	end := min(max(offset, 0), len(text))
	return fmt.Sprintf(", after %q", strings.ToValidUTF8(string(text[max(0, end-shown):end]), ""))
}

// boundedWriter takes so many bytes.
type boundedWriter struct {
	bytes.Buffer
	left int
}

var errOutput = fmt.Errorf("it writes more than %d bytes", MaxOutput)

func (w *boundedWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errOutput
	}
	return w.Buffer.Write(p)
}

// decode reads a document for templates: without null, with whole numbers as int64 and others as
// float64, and with long texts cut.
func decode(document []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is something behind it")
	}
	return simplified(v), nil
}

func simplified(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			if v[key] = simplified(member); member == nil {
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			v[i] = simplified(v[i])
		}
	case string:
		return cut(v, maxString)
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	}
	return v
}

// cut shortens a text to so many bytes, at the beginning of a character.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

var (
	// positioned is the beginning of the errors of text/template.
	positioned = regexp.MustCompile(`^template: ` + name + `:(\d+)(?::(\d+))?: (?s:(.*))$`)
	// executing is where an error of execution repeats the part of the template.
	executing = regexp.MustCompile(`^executing "[^"]*" at <(?s:.*?)>: (?s:(.*))$`)
	// called is what text/template says of a function that failed.
	called = regexp.MustCompile(`^error calling \w+: (?s:(.*))$`)
	quoted = regexp.MustCompile("\"([^\"]+)\"|<([^>]+)>|missing value for (\\w+)")
)

// parseError is an error of parsing. text/template does not say the column: it is that of the
// word that the message quotes, or else that of the first action of the line.
func parseError(text string, err error) *Error {
	m := positioned.FindStringSubmatch(err.Error())
	if m == nil {
		return &Error{Detail: strings.TrimPrefix(err.Error(), "template: ")}
	}
	line, _ := strconv.Atoi(m[1])
	of := lineOf(text, line)
	column := 1 + max(0, strings.Index(of, "{{"))
	if q := quoted.FindStringSubmatch(m[3]); q != nil {
		if at := strings.Index(of[column-1:], q[1]+q[2]+q[3]); at >= 0 {
			column += at
		}
	}
	return &Error{line, utf8.RuneCountInString(of[:column-1]) + 1, m[3]}
}

// executionError is an error of execution.
func executionError(text string, err error) *Error {
	if errors.Is(err, errOutput) {
		return &Error{Detail: errOutput.Error()}
	}
	m := positioned.FindStringSubmatch(err.Error())
	if m == nil {
		return &Error{Detail: strings.TrimPrefix(err.Error(), "template: ")}
	}
	e := &Error{Detail: m[3]}
	for _, part := range []*regexp.Regexp{executing, called} {
		if found := part.FindStringSubmatch(e.Detail); found != nil {
			e.Detail = found[1]
		}
	}
	if positioned.MatchString(e.Detail) { // in a template that render has executed
		return executionError(text, errors.New(e.Detail))
	}
	e.Detail = strings.TrimPrefix(e.Detail, "template: ")
	e.Line, _ = strconv.Atoi(m[1])
	column, _ := strconv.Atoi(m[2]) // in bytes, from 0
	of := lineOf(text, e.Line)
	e.Column = utf8.RuneCountInString(of[:min(column, len(of))]) + 1
	return e
}

// lineOf is a line of a text, counted from 1.
func lineOf(text string, line int) string {
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	return lines[line-1]
}
