package dcsa

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

// Options say what a document does not say of itself.
type Options struct {
	// SCAC is the shipping line that the document comes from. Events do not name
	// it: they name the operator of the vessel, which is often another line.
	// Empty when not known.
	SCAC string
	// Source is the name of the source in the report, and part of the identity
	// of every fact. Defaults to "dcsa"; give feeds whose event IDs could clash
	// names of their own.
	Source string
}

// Read reads one document of events whole, and turns one that lists the newest
// event first round: of events recorded at the same moment the last counts. It
// returns the report, or a
// *tracking.Error of kind BadDocument for a document of the wrong shape, or the
// error of r.
func Read(r io.Reader, opts Options) (tracking.Report, error) {
	report, err := readDocument(r, opts)
	oldestFirst(report.Facts)
	return report, err
}

// oldestFirst turns facts round that are listed from the newest to the oldest:
// by when they were recorded or, where that says nothing, by when they happened.
func oldestFirst(facts []tracking.Fact) {
	recorded := func(f *tracking.Fact) time.Time { return f.RecordedAt }
	happened := func(f *tracking.Fact) time.Time {
		if f.Class != tracking.Actual {
			return time.Time{}
		}
		return f.At.Time
	}
	for _, of := range []func(*tracking.Fact) time.Time{recorded, happened} {
		rises, falls := trend(facts, of)
		if falls && !rises {
			slices.Reverse(facts)
		}
		if falls || rises {
			return
		}
	}
}

// trend reports whether the times of some facts ever rise, and ever fall, in the
// order of the list. Facts without the time are passed over.
func trend(facts []tracking.Fact, of func(*tracking.Fact) time.Time) (rises, falls bool) {
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

// readDocument is Read of what may be one page of many: the order is left.
func readDocument(r io.Reader, opts Options) (tracking.Report, error) {
	data, err := readAll(r)
	if err != nil {
		return tracking.Report{}, err
	}
	scan, err := newScanner(data)
	if err != nil {
		return tracking.Report{}, err
	}
	d := document{scanner: scan}
	if err := d.read(); err != nil {
		return tracking.Report{}, err
	}
	source := opts.Source
	if source == "" {
		source = "dcsa"
	}
	return tracking.Report{
		Source:     source,
		DataSource: tracking.FromShippingLine,
		SCAC:       strings.ToUpper(strings.TrimSpace(opts.SCAC)),
		Facts:      d.facts,
		Warnings:   d.warnings,
	}, nil
}

// document is one document while it is read, event by event: the tree of a
// whole document would take many times the memory of its text.
type document struct {
	*scanner
	facts    []tracking.Fact
	warnings []tracking.Warning
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

// events reads the array of events whose bracket has been read.
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

// object reads a document that is an object, whose brace has been read: an
// envelope when it has events, else one event.
func (d *document) object(begin int64) error {
	members := map[string]any{}
	err := d.members(members, func(name string) (err error) {
		if name != "events" {
			members[name], err = d.value()
			return err
		}
		members[name] = nil // marks that the name has been seen
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

// tokenName is typeName for a token that may open a value.
func tokenName(token json.Token) string {
	if token == json.Delim('{') {
		return "an object"
	}
	return typeName(token)
}

// event turns one event, whose text begins at begin and has just been read,
// into a fact.
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

// object is a JSON object whose members are read by name and expected type. The
// first member of a wrong type is remembered, and shared with the objects
// inside, so that reading goes straight on and is judged once, at the end.
type object struct {
	members map[string]any // nil for an absent object: every member is absent
	path    string
	fault   *error
}

func (o object) at(name string) string { return o.path + member(name) }

// refuse remembers a fault of the value at a path below the object, such as
// .name or .names[2]. The first one counts.
func (o object) refuse(below, code, format string, args ...any) {
	if *o.fault == nil {
		*o.fault = refuse(o.path+below, code, format, args...)
	}
}

// has says whether the member is there and not null.
func (o object) has(name string) bool { return o.members[name] != nil }

// text returns a string without the blanks around it; empty when absent.
func (o object) text(name string) string {
	switch v := o.members[name].(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	default:
		o.refuse(member(name), "type", "%s must be a string; it is %s", name, typeName(v))
		return ""
	}
}

// code returns a code in upper case, as the standard writes them.
func (o object) code(name string) string { return strings.ToUpper(o.text(name)) }

// oneOf returns the first of the names that has a value, and its value in upper
// case. When none has, it returns the first name.
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

// child returns an object inside; an absent one when there is none.
func (o object) child(name string) object {
	c := object{path: o.at(name), fault: o.fault}
	switch v := o.members[name].(type) {
	case nil:
	case map[string]any:
		c.members = v
	default:
		o.refuse(member(name), "type", "%s must be an object; it is %s", name, typeName(v))
	}
	return c
}

// children returns the objects of an array inside; none when absent.
func (o object) children(name string) []object {
	v := o.members[name]
	if v == nil {
		return nil
	}
	elements, ok := v.([]any)
	if !ok {
		o.refuse(member(name), "type", "%s must be an array; it is %s", name, typeName(v))
		return nil
	}
	objects := make([]object, 0, len(elements))
	for i, element := range elements {
		step := fmt.Sprintf("%s[%d]", member(name), i)
		members, ok := element.(map[string]any)
		if !ok {
			o.refuse(step, "type", "each of %s must be an object; this is %s", name, typeName(element))
			return nil
		}
		objects = append(objects, object{members: members, path: o.path + step, fault: o.fault})
	}
	return objects
}

// add appends a text that is not empty and not there yet.
func add(list []string, text string) []string {
	if text == "" || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}
