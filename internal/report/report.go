// Package report reads reports from JSON and checks them, before their facts are stored.
// It knows the form of a report alone: whether its values are plausible is for the
// derivation.
package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
)

const (
	// MaxFacts bounds a report, because it is written in one transaction.
	MaxFacts = 10_000
	// MaxNumber bounds the numbers of carriers, in characters. Real ones are much shorter.
	MaxNumber = 50
)

// Fault is what is wrong with a report.
type Fault struct {
	Field  string // path: "facts[3].place.role"
	Detail string
}

func (f *Fault) Error() string { return f.Field + ": " + f.Detail }

func faultf(field, format string, args ...any) *Fault {
	return &Fault{field, fmt.Sprintf(format, args...)}
}

// Parse parses the JSON form of a report, or the document of type report that has it in
// data.attributes. Its error is a *Fault.
func Parse(data []byte) (freight.Report, error) {
	var top struct {
		Data *struct {
			Type       string          `json:"type"`
			Attributes json.RawMessage `json:"attributes"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &top); err != nil {
		return freight.Report{}, shapeError("", err)
	}
	if top.Data != nil {
		if top.Data.Type != "report" {
			return freight.Report{}, errNotReport()
		}
		if data = top.Data.Attributes; len(data) == 0 {
			return freight.Report{}, errNoAttributes()
		}
	}
	var r struct {
		Source     string             `json:"source"`
		DataSource freight.DataSource `json:"data_source"`
		SCAC       string             `json:"scac"`
		Announce   *bool              `json:"announce"`
		Facts      []json.RawMessage  `json:"facts"`
	}
	if name, ok := unknownName(data, reportMembers); ok {
		return freight.Report{}, unknownMember("", name)
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return freight.Report{}, shapeError("", err)
	}
	report := freight.Report{Source: r.Source, DataSource: r.DataSource, SCAC: r.SCAC, Silent: r.Announce != nil && !*r.Announce}
	if fault := tooManyFacts(len(r.Facts)); fault != nil {
		return freight.Report{}, fault
	}
	var decoder factDecoder
	for i, raw := range r.Facts {
		report.Facts = append(report.Facts, freight.Fact{})
		if err := decoder.decode(raw, &report.Facts[i]); err != nil {
			return freight.Report{}, factFault(err, fmt.Sprintf("facts[%d]", i), raw)
		}
	}
	return report, Check(report)
}

// factFault is the Fault of a fact that cannot be decoded. Times are decoded again,
// because their errors have no path.
func factFault(err error, path string, raw []byte) *Fault {
	var times struct {
		At       json.RawMessage `json:"at"`
		Recorded json.RawMessage `json:"recorded_at"`
		Terminal struct {
			LastFreeDay json.RawMessage `json:"last_free_day"`
			Appointment json.RawMessage `json:"appointment"`
		} `json:"terminal"`
	}
	if json.Unmarshal(raw, &times) == nil {
		for _, t := range []struct {
			name string
			text json.RawMessage
		}{{"at", times.At}, {"terminal.last_free_day", times.Terminal.LastFreeDay}, {"terminal.appointment", times.Terminal.Appointment}} {
			var m freight.Moment
			if len(t.text) == 0 {
				continue
			}
			if err := json.Unmarshal(t.text, &m); err != nil {
				return faultf(path+"."+t.name, "%s", err)
			}
		}
		var recorded time.Time
		if len(times.Recorded) > 0 && json.Unmarshal(times.Recorded, &recorded) != nil {
			return faultf(path+".recorded_at", "%s is not a time with an offset, such as 2006-01-02T15:04:05Z", times.Recorded)
		}
	}
	return shapeError(path, err)
}

// factDecoder decodes facts one after the other. The zero value is ready.
type factDecoder struct {
	json *json.Decoder
	from bytes.Reader
}

// maxReused is the largest fact after which a decoder is used again: it keeps a buffer of
// the size of its largest.
const maxReused = 64 << 10

// decode decodes the JSON of one fact, and refuses unknown members. f is a zero Fact.
func (d *factDecoder) decode(text []byte, f *freight.Fact) error {
	if name, ok := unknownName(text, factMembers); ok {
		return fmt.Errorf("json: unknown field %q", name)
	}
	if d.json == nil {
		d.json = json.NewDecoder(&d.from)
		d.json.DisallowUnknownFields()
	}
	d.from.Reset(text)
	err := d.json.Decode(f)
	if err != nil || text[0] != '{' || len(text) > maxReused {
		d.json = nil // it may hold some of this fact
	}
	return err
}

var (
	factMembers   = membersOf(reflect.TypeFor[freight.Fact]())
	reportMembers = map[string]bool{"source": true, "data_source": true, "scac": true, "announce": true, "facts": true}
)

func membersOf(typ reflect.Type) map[string]bool {
	known := map[string]bool{}
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		known[name] = true
	}
	return known
}

// unknownName returns the first member of an object that is not known. Members that
// differ from a known one only in letter case are among them: encoding/json would accept
// both and take the last. text is valid JSON.
func unknownName(text []byte, known map[string]bool) (name string, found bool) {
	depth, isName := 0, false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
			isName = depth == 1 && text[i] == '{'
			if depth == 1 && !isName {
				return "", false
			}
		case '}', ']':
			depth--
		case ',':
			isName = depth == 1
		case '"':
			end := i + 1
			for ; text[end] != '"'; end++ {
				if text[end] == '\\' {
					end++
				}
			}
			if isName && !known[string(text[i+1:end])] {
				if json.Unmarshal(text[i:end+1], &name) != nil || !known[name] {
					return name, true
				}
			}
			i, isName = end, false
		}
	}
	return "", false
}

// shapeError adds to an error the path of the value with the wrong type.
func shapeError(path string, err error) *Fault {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		field := strings.Trim(path+"."+wrong.Field, ".")
		return faultf(field, "a JSON %s cannot stand here", wrong.Value)
	}
	text := strings.TrimPrefix(err.Error(), "json: ")
	if name, ok := strings.CutPrefix(text, "unknown field "); ok {
		return unknownMember(path, strings.Trim(name, `"`))
	}
	return faultf(path, "this is not the JSON of a report: %s", text)
}

func unknownMember(path, name string) *Fault {
	return faultf(strings.Trim(path+"."+name, "."), "there is no such member")
}

func errNotReport() *Fault    { return faultf("data.type", "type must be 'report'") }
func errNoAttributes() *Fault { return faultf("data.attributes", "attributes are missing") }

func tooManyFacts(n int) *Fault {
	if n > MaxFacts {
		return faultf("facts", "a report holds at most %d facts", MaxFacts)
	}
	return nil
}
