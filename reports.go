package tracking

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// ParseReport parses the JSON form of a report, in which other programs report facts:
//
//	{"source": "terminal-x", "data_source": "terminal", "scac": "MAEU", "announce": true,
//	 "facts": [{"id": "e1", "event": "load", "classifier": "actual", "at": "2026-01-02T10:00:00+08:00",
//	            "place": {"locode": "CNSHA"}, "mode": "vessel", "load": "laden",
//	            "vessel": {"imo": "9321483", "name": "..."}, "voyage": "12E",
//	            "containers": ["APZU4812090"],
//	            "numbers": [{"type": "bill_of_lading", "number": "..."}]}]}
//
// The members of a fact are those of Fact. "retract": true retracts a fact. The report
// can also be the data.attributes of a JSON:API document of type report. Errors:
// BadDocument, with the path of the fault in Field.
func ParseReport(data []byte) (Report, error) {
	var top struct {
		Data *struct {
			Type       string          `json:"type"`
			Attributes json.RawMessage `json:"attributes"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &top); err != nil {
		return Report{}, shapeError("", err)
	}
	if top.Data != nil {
		if top.Data.Type != "report" {
			return Report{}, badDocument("data.type", "type must be 'report'")
		}
		if data = top.Data.Attributes; len(data) == 0 {
			return Report{}, badDocument("data.attributes", "attributes are missing")
		}
	}
	var r struct {
		Source     string            `json:"source"`
		DataSource DataSource        `json:"data_source"`
		SCAC       string            `json:"scac"`
		Announce   *bool             `json:"announce"`
		Facts      []json.RawMessage `json:"facts"`
	}
	if err := strict(data, &r); err != nil {
		return Report{}, shapeError("", err)
	}
	report := Report{Source: r.Source, DataSource: r.DataSource, SCAC: r.SCAC, Silent: r.Announce != nil && !*r.Announce}
	if len(r.Facts) > maxFacts {
		return Report{}, badDocument("facts", "a report holds at most %d facts", maxFacts)
	}
	for i, raw := range r.Facts {
		f, err := parseFact(raw, fmt.Sprintf("facts[%d]", i))
		if err != nil {
			return Report{}, err
		}
		report.Facts = append(report.Facts, f)
	}
	return report, checkReport(report)
}

// parseFact parses one fact. Times are parsed separately, because their errors have no
// path.
func parseFact(raw json.RawMessage, path string) (Fact, error) {
	var f Fact
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
			var m Moment
			if len(t.text) == 0 {
				continue
			}
			if err := json.Unmarshal(t.text, &m); err != nil {
				return f, badDocument(path+"."+t.name, "%s", err)
			}
		}
		var recorded time.Time
		if len(times.Recorded) > 0 && json.Unmarshal(times.Recorded, &recorded) != nil {
			return f, badDocument(path+".recorded_at", "%s is not a time with an offset, such as 2006-01-02T15:04:05Z", times.Recorded)
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

func badDocument(field, format string, args ...any) *Error {
	return &Error{Kind: BadDocument, Field: field, Detail: fmt.Sprintf(format, args...)}
}

// shapeError adds to an error the path of the value with the wrong type.
func shapeError(path string, err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		field := strings.Trim(path+"."+wrong.Field, ".")
		return badDocument(field, "a JSON %s cannot stand here", wrong.Value)
	}
	text := strings.TrimPrefix(err.Error(), "json: ")
	if name, ok := strings.CutPrefix(text, "unknown field "); ok {
		return badDocument(strings.Trim(path+"."+strings.Trim(name, `"`), "."), "there is no such member")
	}
	return badDocument(path, "this is not the JSON of a report: %s", text)
}

// The values that members of a fact can have.
var (
	whats = []freight.Activity{freight.GateOut, freight.GateIn, freight.Loading, freight.Discharge, freight.Departure, freight.Arrival, freight.Berth, freight.Delivery, freight.PickupAvailable, freight.PickupUnavailable,
		freight.CustomsHold, freight.CustomsRelease, freight.TerminalStatus, freight.Route, freight.Booked, freight.Cancelled, freight.Described, freight.Other}
	classes     = []freight.Classifier{"", freight.Actual, freight.Estimated, freight.Planned}
	modes       = []Mode{"", freight.ByVessel, freight.ByFeeder, freight.ByBarge, freight.ByRail, freight.ByTruck}
	loads       = []freight.LoadStatus{"", freight.Empty, freight.Laden}
	roles       = []freight.Role{"", freight.RolePOL, freight.RoleTS, freight.RolePOD, freight.RoleDestination}
	dataSources = []DataSource{"", freight.FromShippingLine, freight.FromTerminal, freight.FromAIS, freight.ByHand}
	holdNames   = []string{"freight", "customs", "USDA", "VACIS", "TMF", "other"}
	holdStates  = []string{"pending", "hold"}
	feeTypes    = []string{"demurrage", "exam", "extended_dwell_time", "other", "total"}
	numberTypes = []RequestType{BillOfLading, BookingNumber, ContainerNumber}
)

// checkReport refuses a report with an error that has the path. Implausible values are
// accepted: the derivation warns of them.
func checkReport(r Report) error {
	if r.Source == "" || len(r.Source) > 64 || !printable(r.Source) {
		return badDocument("source", "source names who reports: 1 to 64 printable characters")
	}
	if !slices.Contains(dataSources, r.DataSource) {
		return wordError("data_source", string(r.DataSource), dataSources)
	}
	if len(r.Facts) > maxFacts {
		return badDocument("facts", "a report holds at most %d facts", maxFacts)
	}
	if err := checkSCAC("scac", r.SCAC); err != nil {
		return err
	}
	for i := range r.Facts {
		if err := checkFact(&r.Facts[i]); err != nil {
			err.Field = fmt.Sprintf("facts[%d].%s", i, err.Field)
			return err
		}
	}
	return nil
}

// isSCAC reports whether a text has the form of a SCAC: two to four capital letters or
// digits.
func isSCAC(s string) bool {
	return len(s) >= 2 && len(s) <= 4 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

func checkSCAC(field, scac string) error {
	if scac == "" {
		return nil
	}
	if !isSCAC(strings.ToUpper(scac)) {
		return badDocument(field, "'%s' is no SCAC: two to four letters or digits", scac)
	}
	return nil
}

func wordError[T ~string](field, got string, words []T) *Error {
	var known []string
	for _, w := range words {
		if w != "" {
			known = append(known, string(w))
		}
	}
	return badDocument(field, "'%s' is not one of %s", got, strings.Join(known, ", "))
}

// checkFact returns the first fault of a fact, its path relative to the fact.
func checkFact(f *Fact) *Error {
	if f.Retracted && f.ID == "" {
		return badDocument("id", "a retraction names the fact that it takes back")
	}
	switch {
	case !f.Retracted && !slices.Contains(whats, f.Activity), f.Retracted && f.Activity != "" && !slices.Contains(whats, f.Activity):
		return wordError("event", string(f.Activity), whats)
	case !slices.Contains(classes, f.Classifier):
		return wordError("classifier", string(f.Classifier), classes)
	case !slices.Contains(modes, f.Mode):
		return wordError("mode", string(f.Mode), modes)
	case !slices.Contains(loads, f.LoadStatus):
		return wordError("load", string(f.LoadStatus), loads)
	case !slices.Contains(dataSources, f.DataSource):
		return wordError("data_source", string(f.DataSource), dataSources)
	case !slices.Contains(roles, f.Place.Role):
		return wordError("place.role", string(f.Place.Role), roles)
	case len(f.Numbers) > 20:
		return badDocument("numbers", "a fact names at most 20 numbers")
	case len(f.Containers) > 1000:
		return badDocument("containers", "a fact names at most 1000 containers")
	case len(f.References) > maxList:
		return badDocument("references", "a fact names at most %d references", maxList)
	case len(f.Payload) > 0 && !json.Valid(f.Payload):
		return badDocument("payload", "a payload is JSON")
	case !(f.Equipment.WeightKg >= 0 && f.Equipment.WeightKg <= 1e6):
		return badDocument("equipment.weight_kg", "a weight is between 0 and 1000000 kg")
	}
	if err := checkSCAC("scac", f.SCAC); err != nil {
		return err.(*Error)
	}
	if err := checkTexts(f); err != nil {
		return err
	}
	for i, n := range f.Numbers {
		if !slices.Contains(numberTypes, n.Type) {
			return wordError(fmt.Sprintf("numbers[%d].type", i), string(n.Type), numberTypes)
		}
		if freight.FoldNumber(n.Number) == "" || len(n.Number) > maxNumber {
			return badDocument(fmt.Sprintf("numbers[%d].number", i), "a number has 1 to %d characters, letters or digits among them", maxNumber)
		}
	}
	for i, n := range f.Containers {
		if freight.FoldNumber(n) == "" || len(n) > 20 {
			return badDocument(fmt.Sprintf("containers[%d]", i), "a container number has 1 to 20 characters, letters or digits among them")
		}
	}
	return checkTerminal(f.Terminal)
}

// checkTexts bounds the texts of a fact.
func checkTexts(f *Fact) *Error {
	p := &f.Place
	for _, t := range [...]struct{ field, text string }{
		{"id", f.ID}, {"place.locode", p.LOCODE}, {"place.name", p.Name}, {"place.smdg_code", p.SMDG},
		{"place.bic_facility_code", p.BIC}, {"place.facility", p.Facility}, {"place.facility_type", p.FacilityType},
		{"vessel.imo", f.Vessel.IMO}, {"vessel.name", f.Vessel.Name}, {"voyage", f.Voyage}, {"original_event", f.Original},
		{"equipment.iso_type", f.Equipment.ISOType},
	} {
		if !isText(t.text) {
			return textError(t.field)
		}
	}
	for _, list := range [...]struct {
		field string
		texts []string
	}{{"references", f.References}, {"equipment.seals", f.Equipment.Seals}, {"containers", f.Containers}} {
		for i, text := range list.texts {
			if !isText(text) {
				return textError(fmt.Sprintf("%s[%d]", list.field, i))
			}
		}
	}
	for i, n := range f.Numbers {
		if !isText(n.Number) {
			return textError(fmt.Sprintf("numbers[%d].number", i))
		}
	}
	if t := f.Terminal; t != nil && !isText(t.Yard) {
		return textError("terminal.yard_location")
	} else if t != nil && !isText(t.Chassis) {
		return textError("terminal.chassis_number")
	}
	return nil
}

func isText(s string) bool { return len(s) <= maxText && printable(s) }

func textError(field string) *Error {
	return badDocument(field, "a text has at most %d bytes, of UTF-8 without control characters", maxText)
}

func checkTerminal(t *freight.TerminalFacts) *Error {
	if t == nil {
		return nil
	}
	if len(t.Holds) > maxList || len(t.Fees) > maxList {
		return badDocument("terminal", "at most %d holds and %d fees", maxList, maxList)
	}
	for i, h := range t.Holds {
		if !slices.Contains(holdNames, h.Name) {
			return wordError(fmt.Sprintf("terminal.holds[%d].name", i), h.Name, holdNames)
		}
		if !slices.Contains(holdStates, h.Status) {
			return wordError(fmt.Sprintf("terminal.holds[%d].status", i), h.Status, holdStates)
		}
		if h.Description != nil && (len(*h.Description) > 1000 || !printable(*h.Description)) {
			return badDocument(fmt.Sprintf("terminal.holds[%d].description", i), "a description has at most 1000 bytes, of UTF-8 without control characters")
		}
	}
	for i, fee := range t.Fees {
		if !slices.Contains(feeTypes, fee.Type) {
			return wordError(fmt.Sprintf("terminal.fees[%d].type", i), fee.Type, feeTypes)
		}
		if !(fee.Amount >= 0 && fee.Amount <= 1e12) || len(fee.CurrencyCode) != 3 {
			return badDocument(fmt.Sprintf("terminal.fees[%d]", i), "a fee has an amount of at least 0 and a currency code of three letters")
		}
	}
	return nil
}
