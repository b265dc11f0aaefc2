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
			return freight.Report{}, faultf("data.type", "type must be 'report'")
		}
		if data = top.Data.Attributes; len(data) == 0 {
			return freight.Report{}, faultf("data.attributes", "attributes are missing")
		}
	}
	var r struct {
		Source     string             `json:"source"`
		DataSource freight.DataSource `json:"data_source"`
		SCAC       string             `json:"scac"`
		Announce   *bool              `json:"announce"`
		Facts      []json.RawMessage  `json:"facts"`
	}
	if err := strict(data, &r); err != nil {
		return freight.Report{}, shapeError("", err)
	}
	report := freight.Report{Source: r.Source, DataSource: r.DataSource, SCAC: r.SCAC, Silent: r.Announce != nil && !*r.Announce}
	if len(r.Facts) > MaxFacts {
		return freight.Report{}, faultf("facts", "a report holds at most %d facts", MaxFacts)
	}
	for i, raw := range r.Facts {
		f, err := parseFact(raw, fmt.Sprintf("facts[%d]", i))
		if err != nil {
			return freight.Report{}, err
		}
		report.Facts = append(report.Facts, f)
	}
	return report, Check(report)
}

// parseFact parses one fact. Times are parsed separately, because their errors have no
// path.
func parseFact(raw json.RawMessage, path string) (freight.Fact, error) {
	var f freight.Fact
	err := strict(raw, &f)
	if err == nil {
		return f, nil
	}
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
				return f, faultf(path+"."+t.name, "%s", err)
			}
		}
		var recorded time.Time
		if len(times.Recorded) > 0 && json.Unmarshal(times.Recorded, &recorded) != nil {
			return f, faultf(path+".recorded_at", "%s is not a time with an offset, such as 2006-01-02T15:04:05Z", times.Recorded)
		}
	}
	return f, shapeError(path, err)
}

// exactNames refuses members that differ from a known one only in letter case, because
// encoding/json accepts both and takes the last.
func exactNames(data []byte, into any) error {
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil {
		return nil // strict returns the error
	}
	known := map[string]bool{}
	typ := reflect.TypeOf(into).Elem()
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		known[name] = true
	}
	for name := range members {
		if !known[name] {
			return fmt.Errorf("json: unknown field %q", name)
		}
	}
	return nil
}

// strict decodes, and refuses unknown members.
func strict(data []byte, into any) error {
	if err := exactNames(data, into); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// shapeError adds to an error the path of the value with the wrong type.
func shapeError(path string, err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		field := strings.Trim(path+"."+wrong.Field, ".")
		return faultf(field, "a JSON %s cannot stand here", wrong.Value)
	}
	text := strings.TrimPrefix(err.Error(), "json: ")
	if name, ok := strings.CutPrefix(text, "unknown field "); ok {
		return faultf(strings.Trim(path+"."+strings.Trim(name, `"`), "."), "there is no such member")
	}
	return faultf(path, "this is not the JSON of a report: %s", text)
}
