package dcsa

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// Options are facts about a document that it does not contain.
type Options struct {
	// SCAC is the shipping line that the document comes from. Events do not name
	// it: they name the operator of the vessel, which is often another line. Empty
	// if unknown.
	SCAC string
	// Source is the name of the source in the report, and part of the identity of
	// every fact. Defaults to "dcsa". Use different names for feeds whose event IDs
	// could clash.
	Source string
}

// Read reads a document of events. If it lists the newest event first, the order is
// reversed, because of events recorded at the same time the last one counts. The
// error is a *tracking.Error of kind BadDocument for a malformed document, or the
// error of r.
func Read(r io.Reader, opts Options) (freight.Report, error) {
	report, err := readDocument(r, opts)
	oldestFirst(report.Facts)
	return report, err
}

// oldestFirst reverses facts that are listed newest first: by the time of recording
// or, if that is the same for all, by the time of the event.
func oldestFirst(facts []freight.Fact) {
	recorded := func(f *freight.Fact) time.Time { return f.RecordedAt }
	happened := func(f *freight.Fact) time.Time {
		if f.Classifier != freight.Actual {
			return time.Time{}
		}
		return f.At.Time
	}
	for _, of := range []func(*freight.Fact) time.Time{recorded, happened} {
		rises, falls := trend(facts, of)
		if falls && !rises {
			slices.Reverse(facts)
		}
		if falls || rises {
			return
		}
	}
}

// trend reports whether the times of the facts increase anywhere, and decrease
// anywhere, in the order of the list. Facts without the time are ignored.
func trend(facts []freight.Fact, of func(*freight.Fact) time.Time) (rises, falls bool) {
	var last time.Time
	for i := range facts {
		at := of(&facts[i])
		if at.IsZero() {
			continue
		}
		if !last.IsZero() {
			rises, falls = rises || at.After(last), falls || at.Before(last)
		}
		last = at
	}
	return rises, falls
}

// readDocument is Read without the order, for documents that may be one page of
// many.
func readDocument(r io.Reader, opts Options) (freight.Report, error) {
	data, err := readAll(r)
	if err != nil {
		return freight.Report{}, err
	}
	scan, err := newScanner(data)
	if err != nil {
		return freight.Report{}, err
	}
	d := document{scanner: scan}
	if err := d.read(); err != nil {
		return freight.Report{}, err
	}
	source := opts.Source
	if source == "" {
		source = "dcsa"
	}
	return freight.Report{
		Source:     source,
		DataSource: freight.FromShippingLine,
		SCAC:       strings.ToUpper(strings.TrimSpace(opts.SCAC)),
		Facts:      d.facts,
		Warnings:   d.warnings,
	}, nil
}

// document is a document being read, event by event: the tree of the whole document
// would take many times the memory of its text.
type document struct {
	*scanner
	facts    []freight.Fact
	warnings []freight.Warning
}

func (d *document) read() error {
	begin := d.start()
	token, err := d.token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('['):
		return d.events()
	case json.Delim('{'):
		return d.object(begin)
	}
	return refuse("$", "type", "the document must be an array of events, an object with events, or one event; it is %s", typeName(token))
}

// events reads the array of events after its bracket.
func (d *document) events() error {
	array := d.path()
	return d.elements(func(i int) error {
		if i == maxEvents {
			return refuse(array, "too_large", "the document has more than %d events", maxEvents)
		}
		begin := d.start()
		v, err := d.value()
		if err != nil {
			return err
		}
		return d.event(v, begin)
	})
}

// object reads a document that is an object, after its brace: an envelope with
// events, or one event.
func (d *document) object(begin int64) error {
	members := map[string]any{}
	err := d.members(members, func(name string) (err error) {
		if name != "events" {
			members[name], err = d.value()
			return err
		}
		members[name] = nil // the name has been seen
		token, err := d.token()
		if err != nil {
			return err
		}
		if token != json.Delim('[') {
			return refuse(d.path(), "type", "events must be an array; it is %s", tokenName(token))
		}
		return d.events()
	})
	if err != nil {
		return err
	}
	if _, envelope := members["events"]; envelope {
		return nil
	}
	return d.event(members, begin)
}

// tokenName is typeName for a token that may begin a value.
func tokenName(token json.Token) string {
	if token == json.Delim('{') {
		return "an object"
	}
	return typeName(token)
}

// event converts one event, whose text is between begin and the current offset, to
// a fact.
func (d *document) event(v any, begin int64) error {
	path := d.path()
	members, ok := v.(map[string]any)
	if !ok {
		return refuse(path, "type", "an event must be an object; it is %s", typeName(v))
	}
	var fault error
	fact := event{object: object{members: members, path: path, fault: &fault}, document: d}.fact()
	if fault != nil {
		return fault
	}
	var payload bytes.Buffer
	if err := json.Compact(&payload, d.data[begin:d.dec.InputOffset()]); err != nil {
		return refuse(path, "syntax", "the event is not JSON: %v", err)
	}
	fact.Payload = payload.Bytes()
	d.facts = append(d.facts, fact)
	return nil
}

// object is a JSON object whose members are read by name and expected type. It
// remembers the first error, which nested objects share, so that reading continues
// and the error is checked once at the end.
type object struct {
	members map[string]any // nil if the object is absent
	path    string
	fault   *error
}

func (o object) at(name string) string { return o.path + memberPath(name) }

// refuse remembers an error for the value at a path below the object, such as .name
// or .names[2]. The first error counts.
func (o object) refuse(below, code, format string, args ...any) {
	if *o.fault == nil {
		*o.fault = refuse(o.path+below, code, format, args...)
	}
}

// has reports whether the member is present and not null.
func (o object) has(name string) bool { return o.members[name] != nil }

// text returns a string without surrounding blanks; empty if absent.
func (o object) text(name string) string {
	switch v := o.members[name].(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	default:
		o.refuse(memberPath(name), "type", "%s must be a string; it is %s", name, typeName(v))
		return ""
	}
}

// code returns a code in upper case, as in the standard.
func (o object) code(name string) string { return strings.ToUpper(o.text(name)) }

// oneOf returns the first of the names that has a value, and its value in upper
// case; the first name if none has.
func (o object) oneOf(names ...string) (name, code string) {
	for _, n := range names {
		if c := o.code(n); c != "" && code == "" {
			name, code = n, c
		}
	}
	if code == "" {
		name = names[0]
	}
	return name, code
}

// child returns a nested object, which may be absent.
func (o object) child(name string) object {
	c := object{path: o.at(name), fault: o.fault}
	switch v := o.members[name].(type) {
	case nil:
	case map[string]any:
		c.members = v
	default:
		o.refuse(memberPath(name), "type", "%s must be an object; it is %s", name, typeName(v))
	}
	return c
}

// children returns the objects of a nested array; none if absent.
func (o object) children(name string) []object {
	v := o.members[name]
	if v == nil {
		return nil
	}
	elements, ok := v.([]any)
	if !ok {
		o.refuse(memberPath(name), "type", "%s must be an array; it is %s", name, typeName(v))
		return nil
	}
	objects := make([]object, 0, len(elements))
	for i, element := range elements {
		step := fmt.Sprintf("%s[%d]", memberPath(name), i)
		members, ok := element.(map[string]any)
		if !ok {
			o.refuse(step, "type", "each of %s must be an object; this is %s", name, typeName(element))
			return nil
		}
		objects = append(objects, object{members: members, path: o.path + step, fault: o.fault})
	}
	return objects
}

// add appends a text that is not empty and not in the list.
func add(list []string, text string) []string {
	if text == "" || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}
