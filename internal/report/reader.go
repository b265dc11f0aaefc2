package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/freight"
)

// Step is what a Reader wants of a value.
type Step uint8

// The steps.
const (
	Skip Step = iota // the value does not matter
	Open             // Begin is called for each value in it
	Take             // Take is called with its JSON
)

// Reader reads a report while its JSON arrives, and holds no more than its facts. The caller
// scans the JSON, calls Begin and Take, and refuses what is no JSON: a Reader knows the form
// of reports alone. It gives what Parse gives.
type Reader struct {
	parents []*object // of the values that are open, and of their values
	take    func(json []byte)

	shape   *Fault // the first value of a wrong type in the document around the report
	wrapped bool   // there is a document around it
	typ     string
	// plain is the report without a document, attributes that in one; nil for none.
	plain, attributes *object
	facts             factDecoder
}

// object is an object whose members are read, or an array of facts.
type object struct {
	step   func(name string, first byte) Step
	report freight.Report

	shape      *Fault // the first value of a wrong type
	unknown    string // the first member that no report has
	hasUnknown bool
	count      int    // facts
	malformed  *Fault // the first fact that cannot be read
	wrong      *Fault // the first fact with an impossible value
	dropped    bool   // its facts do not count
}

// NewReader returns a Reader for one document.
func NewReader() *Reader { return &Reader{} }

// Begin is called at the beginning of each value in a value that was opened, depth values
// deep; the document itself has depth 0. name is that of the member, empty in an array.
// first is the first byte of the value.
func (r *Reader) Begin(depth int, name string, first byte) Step {
	r.parents = r.parents[:depth]
	if depth > 0 {
		return r.parents[depth-1].step(name, first)
	}
	r.plain = &object{}
	if first != '{' {
		if first != 'n' { // null is an empty report
			r.shape = wrongType("", first)
		}
		return Skip
	}
	return r.open(&object{step: r.top})
}

// Take is called with a value for which Begin returned Take.
func (r *Reader) Take(json []byte) { r.take(json) }

func (r *Reader) open(o *object) Step {
	r.parents = append(r.parents, o)
	return Open
}

// top begins a member of the document, or of a report without one. Like encoding/json it
// ignores letter case.
func (r *Reader) top(name string, first byte) Step {
	if !strings.EqualFold(name, "data") {
		return r.member(r.plain, name, first)
	}
	r.plain.setUnknown(name)
	r.plain.drop()
	switch r.wrapped = first == '{'; {
	case r.wrapped:
		return r.open(&object{step: r.dataMember})
	case first != 'n' && r.shape == nil:
		r.shape = wrongType("data", first)
	}
	return Skip
}

func (r *Reader) dataMember(name string, first byte) Step {
	switch {
	case strings.EqualFold(name, "type"):
		return r.takeInto(&r.typ, "data.type", &r.shape)
	case strings.EqualFold(name, "attributes"):
		r.attributes = &object{}
		switch first {
		case '{':
			return r.open(&object{step: func(name string, first byte) Step { return r.member(r.attributes, name, first) }})
		case 'n':
		default:
			r.attributes.shape = wrongType("", first)
		}
	}
	return Skip
}

// member begins a member of a report.
func (r *Reader) member(o *object, name string, first byte) Step {
	switch name {
	case "source":
		return r.takeInto(&o.report.Source, name, &o.shape)
	case "data_source":
		return r.takeInto(&o.report.DataSource, name, &o.shape)
	case "scac":
		return r.takeInto(&o.report.SCAC, name, &o.shape)
	case "announce":
		r.take = func(text []byte) {
			announce := true // null too
			o.setShape(unmarshal(text, &announce, name))
			o.report.Silent = !announce
		}
		return Take
	case "facts":
		switch first {
		case '[':
			return r.open(&object{step: func(string, byte) Step { return r.fact(o) }})
		case 'n':
		default:
			o.setShape(wrongType(name, first))
		}
		return Skip
	}
	o.setUnknown(name)
	return Skip
}

// fact begins a fact. After a fault the facts are read only for faults that come before it,
// and none is kept.
func (r *Reader) fact(o *object) Step {
	o.count++
	if o.dropped || o.hasUnknown || o.malformed != nil || o.count > MaxFacts {
		o.report.Facts = nil
		return Skip
	}
	r.take = func(text []byte) { r.takeFact(o, text) }
	return Take
}

func (r *Reader) takeFact(o *object, text []byte) {
	at := o.count - 1
	if o.wrong != nil {
		var f freight.Fact
		o.setMalformed(r.facts.decode(text, &f), at, text)
		return
	}
	o.report.Facts = append(o.report.Facts, freight.Fact{})
	f := &o.report.Facts[at]
	if o.setMalformed(r.facts.decode(text, f), at, text); o.malformed != nil {
		return
	}
	if o.wrong = checkFact(f); o.wrong != nil {
		o.wrong.Field = fmt.Sprintf("facts[%d].%s", at, o.wrong.Field)
		o.report.Facts = nil
	}
}

func (o *object) setMalformed(err error, at int, text []byte) {
	if err != nil {
		o.malformed = factFault(err, fmt.Sprintf("facts[%d]", at), text)
		o.report.Facts = nil
	}
}

func (o *object) setUnknown(name string) {
	if !o.hasUnknown {
		o.unknown, o.hasUnknown = name, true
	}
}

func (o *object) setShape(f *Fault) {
	if o.shape == nil {
		o.shape = f
	}
}

func (o *object) drop() { o.dropped, o.report.Facts = true, nil }

// takeInto takes a value into a text. The first that is none sets fault.
func (r *Reader) takeInto(into any, field string, fault **Fault) Step {
	r.take = func(text []byte) {
		if f := unmarshal(text, into, field); f != nil && *fault == nil {
			*fault = f
		}
	}
	return Take
}

// unmarshal decodes a value that is no object or array.
func unmarshal(text []byte, into any, field string) *Fault {
	if err := json.Unmarshal(text, into); err != nil {
		return shapeError(field, err)
	}
	return nil
}

// Report returns the report when all of the document has been read. Its error is a *Fault.
func (r *Reader) Report() (freight.Report, error) {
	if r.shape != nil {
		return freight.Report{}, r.shape
	}
	o := r.plain
	if r.wrapped {
		if r.typ != "report" {
			return freight.Report{}, errNotReport()
		}
		if o = r.attributes; o == nil {
			return freight.Report{}, errNoAttributes()
		}
	}
	if o.hasUnknown {
		return freight.Report{}, unknownMember("", o.unknown)
	}
	if fault := firstFault(o.shape, tooManyFacts(o.count), o.malformed); fault != nil {
		return freight.Report{}, fault
	}
	if fault := firstFault(checkHead(o.report), o.wrong); fault != nil {
		return freight.Report{}, fault
	}
	return o.report, nil
}

func firstFault(faults ...*Fault) *Fault {
	for _, f := range faults {
		if f != nil {
			return f
		}
	}
	return nil
}

// wrongType is the fault of a value that cannot stand at a path.
func wrongType(path string, first byte) *Fault {
	typ := "number"
	switch first {
	case '{':
		typ = "object"
	case '[':
		typ = "array"
	case '"':
		typ = "string"
	case 't', 'f':
		typ = "bool"
	case 'n':
		typ = "null"
	}
	return faultf(path, "a JSON %s cannot stand here", typ)
}
