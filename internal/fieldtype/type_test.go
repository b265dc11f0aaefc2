package fieldtype

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/internal/fieldtype/fieldtypetest"
)

func lookUpParty(typ string, id uuid.UUID) (string, bool, error) {
	return "Acme", typ == "party" && id == fieldtypetest.Party, nil
}

func rulesOf(t testing.TB, s Definition) *Type {
	t.Helper()
	if s.Type == Enum || s.Type == EnumMulti {
		for _, o := range fieldtypetest.Options {
			s.Options = append(s.Options, Option{o[0], o[1]})
		}
	}
	if s.Type == Reference {
		s.ReferenceType = "party"
	}
	r, err := New(s)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return r
}

func codeOf(err error) string {
	var one *Error
	if !errors.As(err, &one) {
		return fmt.Sprint(err)
	}
	return one.Code
}

// TestFieldValuesTaken: what each type makes of values that it takes.
func TestFieldValuesTaken(t *testing.T) {
	ref := `{"type":"party","id":"` + fieldtypetest.Party.String() + `"}`
	for _, tt := range []struct {
		typ            string
		format         string
		raw            string
		canon, display string
	}{
		{ShortText, "", `"PO-7 é\u00e9 <&>"`, `"PO-7 éé <&>"`, "PO-7 éé <&>"},
		{ShortText, "", `""`, `""`, ""},
		{ShortText, "", ` null `, `null`, ""},
		{Number, "", `12`, `12`, "12"},
		{Number, "", `-0.0`, `0`, "0"},
		{Number, "", `1.50`, `1.5`, "1.5"},
		{Number, "", `"  7.000001 "`, `7.000001`, "7.000001"},
		{Number, "", `1e3`, `1000`, "1000"},
		{Number, "", `25E-1`, `2.5`, "2.5"},
		{Number, "", `0e99999999999`, `0`, "0"},
		{Number, "", `999999999999.999999`, `999999999999.999999`, "999999999999.999999"},
		{Number, "", `-999999999999.999999`, `-999999999999.999999`, "-999999999999.999999"},
		{Number, "", `0.00000100000000000000`, `0.000001`, "0.000001"},
		{Number, "0", `2.5`, `2.5`, "3"},
		{Number, "0", `-0.4`, `-0.4`, "0"},
		{Number, "$0,0.00", `-1234567.895`, `-1234567.895`, "-$1,234,567.90"},
		{Number, "0,0", `999`, `999`, "999"},
		{Number, `0.0## " kg, gross"`, `1.25`, `1.25`, "1.25  kg, gross"},
		{Number, `0.0#`, `3`, `3`, "3.0"},
		{Number, "0.00%", `12.345`, `12.345`, "12.35%"},
		{Date, "", `"2026-03-01"`, `"2026-03-01"`, "2026-03-01"},
		{Date, "", `"1 Mar 2026"`, `"2026-03-01"`, "2026-03-01"},
		{Date, "", `"20240229"`, `"2024-02-29"`, "2024-02-29"},
		{Date, "%d/%m/%Y", `"03/04/2026"`, `"2026-04-03"`, "03/04/2026"},
		{Date, "%m/%d/%Y", `"03/04/2026"`, `"2026-03-04"`, "03/04/2026"},
		{Date, "%d.%m.%Y", `"03.04.2026"`, `"2026-04-03"`, "03.04.2026"},
		{Date, "%e.%m.%Y", `"3.04.2026"`, `"2026-04-03"`, "3.04.2026"},
		{Date, "%Y.%m.%d.", `"2026.04.03."`, `"2026-04-03"`, "2026.04.03."},
		{Date, "%Y年%m月%d日", `"2026年04月03日"`, `"2026-04-03"`, "2026年04月03日"},
		{Date, "%Y-%d-%m", `"2026-03-04"`, `"2026-03-04"`, "2026-04-03"}, // the form of the store comes first
		{Date, "%A, %e %B %Y", `"2026-03-01"`, `"2026-03-01"`, "Sunday, 1 March 2026"},
		{Date, "week day %a, 100%%", `"2026-03-01"`, `"2026-03-01"`, "week day Sun, 100%"},
		{Datetime, "", `"2026-03-01T08:00:00Z"`, `"2026-03-01T08:00:00Z"`, "2026-03-01 08:00:00"},
		{Datetime, "", `"2026-03-01T08:00:00.120000+02:00"`, `"2026-03-01T06:00:00.12Z"`, "2026-03-01 06:00:00"},
		{Datetime, "", `"2026-03-01 08:00"`, `"2026-03-01T08:00:00Z"`, "2026-03-01 08:00:00"},
		{Datetime, "", `"2026-07-01 08:00 Europe/Berlin"`, `"2026-07-01T06:00:00Z"`, "2026-07-01 06:00:00"},
		{Datetime, "", `"2026-07-01T08:00[America/New_York]"`, `"2026-07-01T12:00:00Z"`, "2026-07-01 12:00:00"},
		{Datetime, ";zone=America/New_York", `"2026-07-01 08:00"`, `"2026-07-01T12:00:00Z"`, "2026-07-01 08:00:00"},
		{Datetime, "%d %b %Y %I:%M %p %Z;zone=Asia/Tokyo", `"2026-07-01T18:30:00Z"`, `"2026-07-01T18:30:00Z"`, "02 Jul 2026 03:30 AM JST"},
		{Datetime, "%d/%m/%Y %H:%M", `"01/07/2026 18:30"`, `"2026-07-01T18:30:00Z"`, "01/07/2026 18:30"},
		{Datetime, "%d.%m.%Y %H.%M.%S;zone=Europe/Berlin", `"01.07.2026 18.30.05"`, `"2026-07-01T16:30:05Z"`, "01.07.2026 18.30.05"},
		{Boolean, "", `true`, `true`, "Yes"},
		{Boolean, "", ` false`, `false`, "No"},
		{Boolean, "Ja | Nein", `false`, `false`, "Nein"},
		{Enum, "", `"high"`, `"high"`, "High"},
		{EnumMulti, "", `[]`, `[]`, ""},
		{EnumMulti, "", `[ "high" , "a,b", "high" ]`, `["high","a,b"]`, "High, A & B"},
		{Reference, "", `{ "id": "` + strings.ToUpper(fieldtypetest.Party.String()) + `", "type": "party" }`, ref, "Acme"},
	} {
		r := rulesOf(t, Definition{Type: tt.typ, DefaultFormat: tt.format})
		v, err := r.Parse(json.RawMessage(tt.raw), lookUpParty)
		if err != nil || string(v.JSON) != tt.canon || v.Display != tt.display {
			t.Errorf("%s %s as %q: %s %q %v, want %s %q", tt.typ, tt.raw, tt.format, v.JSON, v.Display, err, tt.canon, tt.display)
		}
	}
}

// wrongValues are wrong for any field of the type, with the code of the refusal.
var wrongValues = map[string][][2]string{
	ShortText: {
		{`7`, "invalid_type"}, {`true`, "invalid_type"}, {`["a"]`, "invalid_type"}, {`{"a":1}`, "invalid_type"},
		{`"` + strings.Repeat("é", 256) + `"`, "too_long"}, {`"a\u0000b"`, "invalid"}, {`"a\nb"`, "invalid"}, {`"a\tb"`, "invalid"}, {`"a\u007f"`, "invalid"},
		{"\"a\xffb\"", "invalid"}, {`"\ud800"`, "invalid"}, {`"a`, "invalid"}, {``, "invalid"}, {`NaN`, "invalid"}, {`"` + strings.Repeat("x", 70_000) + `"`, "too_long"},
	},
	Number: {
		{`"abc"`, "invalid"}, {`""`, "invalid"}, {`"1,000"`, "invalid"}, {`"0x10"`, "invalid"}, {`"1e"`, "invalid"}, {`"1e+-2"`, "invalid"}, {`".5"`, "invalid"}, {`"5."`, "invalid"},
		{`"+5"`, "invalid"}, {`"NaN"`, "invalid"}, {`"Infinity"`, "invalid"}, {`NaN`, "invalid"}, {`"1 2"`, "invalid"}, {`"١"`, "invalid"}, {`"1\u0000"`, "invalid"},
		{`true`, "invalid_type"}, {`[1]`, "invalid_type"}, {`{}`, "invalid_type"},
		{`1e400`, "out_of_range"}, {`1e12`, "out_of_range"}, {`-1000000000000`, "out_of_range"}, {`1e999999999999999999999`, "out_of_range"}, {`1e9223372036854775807`, "out_of_range"}, {`"1e9223372036854775807"`, "out_of_range"}, {`"` + strings.Repeat("9", 2000) + `"`, "too_long"},
		{`0.0000001`, "scale"}, {`1e-400`, "scale"}, {`1e-99999999999999999999`, "scale"}, {`1e-9223372036854775808`, "scale"}, {`1.1234567`, "scale"},
	},
	Date: {
		{`7`, "invalid_type"}, {`true`, "invalid_type"}, {`["2026-03-01"]`, "invalid_type"}, {`{}`, "invalid_type"},
		{`""`, "invalid"}, {`"tomorrow"`, "invalid"}, {`"2026-02-31"`, "invalid"}, {`"2026-02-29"`, "invalid"}, {`"2026-13-01"`, "invalid"}, {`"2026-00-10"`, "invalid"}, {`"03/04/2026"`, "invalid"},
		{`"2026-3-1"`, "invalid"}, {`"2026-03-01T00:00:00Z"`, "invalid"}, {`"2026-03-01\u0000"`, "invalid"}, {"\"2026-03-01\xff\"", "invalid"}, {`"` + strings.Repeat("2026-03-01", 100) + `"`, "invalid"},
		{`"0001-01-01"`, "out_of_range"}, {`"1899-12-31"`, "out_of_range"}, {`"2200-01-01"`, "out_of_range"},
	},
	Datetime: {
		{`1700000000`, "invalid_type"}, {`false`, "invalid_type"}, {`[]`, "invalid_type"}, {`{}`, "invalid_type"},
		{`""`, "invalid"}, {`"now"`, "invalid"}, {`"2026-02-31T00:00:00Z"`, "invalid"}, {`"2026-03-01T25:00:00Z"`, "invalid"}, {`"2026-03-01T08:60:00Z"`, "invalid"}, {`"2026-03-01T08:00:00+99:00"`, "invalid"},
		{`"2026-03-01T08:00:00Z\u0000"`, "invalid"}, {"\"2026-03-01T08:00\xff\"", "invalid"}, {`"` + strings.Repeat("2", 500) + `"`, "too_long"},
		{`"2026-03-01 08:00 Mars/Phobos"`, "unknown_zone"}, {`"2026-03-01T08:00[Local]"`, "unknown_zone"}, {`"2026-03-01T08:00[../etc/passwd]"`, "unknown_zone"}, {`"2026-03-01T08:00[]"`, "unknown_zone"},
		{`"2026-03-01T08:00:00.0000001Z"`, "scale"}, {`"1899-12-31T23:59:59Z"`, "out_of_range"}, {`"2199-12-31T23:59:59-01:00"`, "out_of_range"},
	},
	Boolean: {
		{`0`, "invalid_type"}, {`1`, "invalid_type"}, {`1e400`, "invalid_type"}, {`"true"`, "invalid_type"}, {`"yes"`, "invalid_type"}, {`""`, "invalid_type"}, {`[true]`, "invalid_type"}, {`{}`, "invalid_type"}, {`[]`, "invalid_type"},
		{`True`, "invalid"}, {`yes`, "invalid"}, {`NaN`, "invalid"}, {``, "invalid"}, {"\"\xff\"", "invalid"}, {`"\u0000"`, "invalid_type"},
	},
	Enum: {
		{`7`, "invalid_type"}, {`true`, "invalid_type"}, {`["low"]`, "invalid_type"}, {`{"value":"low"}`, "invalid_type"},
		{`""`, "inclusion"}, {`"Low"`, "inclusion"}, {`"low "`, "inclusion"}, {`"urgent"`, "inclusion"}, {`"low,high"`, "inclusion"}, {`"low\u0000"`, "inclusion"}, {`"` + strings.Repeat("x", 300) + `"`, "too_long"},
		{"\"low\xff\"", "invalid"}, {`"\udfff"`, "invalid"}, {`low`, "invalid"},
	},
	EnumMulti: {
		{`"low"`, "invalid_type"}, {`"low,high"`, "invalid_type"}, {`7`, "invalid_type"}, {`true`, "invalid_type"}, {`{"low":true}`, "invalid_type"},
		{`[7]`, "invalid_type"}, {`[null]`, "invalid_type"}, {`[["low"]]`, "invalid_type"}, {`[""]`, "inclusion"}, {`["low","urgent"]`, "inclusion"}, {`["LOW"]`, "inclusion"},
		{"[\"low\xff\"]", "invalid"}, {`["low",]`, "invalid"}, {`["` + strings.Repeat("x", 300) + `"]`, "too_long"}, {manyItems(101), "too_many"},
	},
	Reference: {
		{`"` + fieldtypetest.Party.String() + `"`, "invalid_type"}, {`7`, "invalid_type"}, {`true`, "invalid_type"}, {`[]`, "invalid_type"}, {`{}`, "invalid_type"}, {`{"type":"party"}`, "invalid_type"},
		{`{"id":"` + fieldtypetest.Party.String() + `"}`, "invalid_type"}, {`{"type":"party","id":7}`, "invalid_type"}, {`{"type":null,"id":null}`, "invalid_type"},
		{`{"type":"party","id":""}`, "invalid"}, {`{"type":"party","id":"x"}`, "invalid"}, {`{"type":"party","id":"urn:uuid:` + fieldtypetest.Party.String() + `"}`, "invalid"},
		{`{"type":"party","id":"` + fieldtypetest.Party.String() + `","name":"Acme"}`, "invalid"}, {"{\"type\":\"party\xff\"}", "invalid"},
		{`{"type":"shipment","id":"` + fieldtypetest.Party.String() + `"}`, "inclusion"}, {`{"type":"party","id":"` + uuid.UUID{1}.String() + `"}`, "not_found"},
	},
}

func manyItems(n int) string {
	items := make([]string, n)
	for i := range items {
		items[i] = strconv.Quote(fmt.Sprint(i))
	}
	return "[" + strings.Join(items, ",") + "]"
}

func TestFieldValuesRefused(t *testing.T) {
	for _, typ := range Names() {
		if n := len(wrongValues[typ]); n < 12 {
			t.Errorf("%s has only %d wrong values", typ, n)
		}
		r := rulesOf(t, Definition{Type: typ})
		for _, wrong := range wrongValues[typ] {
			v, err := r.Parse(json.RawMessage(wrong[0]), lookUpParty)
			var fault *Error
			if !errors.As(err, &fault) || fault.Field != "value" || fault.Code != wrong[1] || len(fault.Detail) < 15 || len(fault.Detail) > 300 {
				t.Errorf("%s %.60q: %s %+v, want code %s", typ, wrong[0], v.JSON, err, wrong[1])
			}
		}
	}
	for _, v := range []any{math.NaN(), math.Inf(1), make(chan int), "\xff"} {
		if _, err := Encode(v); codeOf(err) != "invalid_type" && codeOf(err) != "invalid" {
			t.Errorf("%v: %v", v, err)
		}
	}
}

// TestFieldRules: what the members of validation refuse, and what they let pass.
func TestFieldRules(t *testing.T) {
	for _, tt := range []struct {
		typ             string
		validation      string
		good, bad, code string
	}{
		{ShortText, `{"required":true}`, `"a"`, `null`, "required"},
		{ShortText, `{"required":true}`, `"a"`, `"  "`, "required"},
		{ShortText, `{"max_length":2}`, `"éé"`, `"ééé"`, "too_long"},
		{ShortText, `{"min_length":2,"max_length":null}`, `"éé"`, `"é"`, "too_short"},
		{ShortText, `{"pattern":"^PO-[0-9]+$"}`, `"PO-7"`, `"xPO-7"`, "pattern"},
		{ShortText, `{"pattern":"^(a+)+$"}`, `"aa"`, `"` + strings.Repeat("a", 200) + `b"`, "pattern"},
		{Number, `{"min":0.5}`, `0.5`, `0.499999`, "out_of_range"},
		{Number, `{"max":"10"}`, `10`, `10.000001`, "out_of_range"},
		{Number, `{"scale":2}`, `1.25`, `1.255`, "scale"},
		{Number, `{"scale":0,"required":true}`, `7.0`, `7.5`, "scale"},
		{Date, `{"earliest":"2026-01-01"}`, `"2026-01-01"`, `"2025-12-31"`, "out_of_range"},
		{Date, `{"latest":"2026-01-01"}`, `"2026-01-01"`, `"2026-01-02"`, "out_of_range"},
		{Datetime, `{"earliest":"2026-01-01T00:00:00+01:00"}`, `"2025-12-31T23:00:00Z"`, `"2025-12-31T22:59:59Z"`, "out_of_range"},
		{Datetime, `{"latest":"2026-01-01"}`, `"2026-01-01"`, `"2026-01-01T00:00:00.000001Z"`, "out_of_range"},
		{Boolean, `{"required":true}`, `false`, `null`, "required"},
		{Enum, `{"required":true}`, `"low"`, `""`, "required"},
		{EnumMulti, `{"required":true}`, `["low"]`, `[]`, "required"},
		{EnumMulti, `{"max_items":1}`, `["low","low"]`, `["low","high"]`, "too_many"},
	} {
		r := rulesOf(t, Definition{Type: tt.typ, Validation: json.RawMessage(tt.validation)})
		if _, err := r.Parse(json.RawMessage(tt.good), lookUpParty); err != nil {
			t.Errorf("%s %s refuses %s: %v", tt.typ, tt.validation, tt.good, err)
		}
		if _, err := r.Parse(json.RawMessage(tt.bad), lookUpParty); codeOf(err) != tt.code {
			t.Errorf("%s %s: %s gives %v, want %s", tt.typ, tt.validation, tt.bad, err, tt.code)
		}
	}
}

// TestWrongFieldRules: definitions that do not hold, with field and code.
func TestWrongFieldRules(t *testing.T) {
	for _, tt := range []struct {
		spec Definition
		want string
	}{
		{Definition{Type: "text"}, "data_type inclusion"},
		{Definition{Type: Reference}, "reference_type blank"},
		{Definition{Type: Reference, ReferenceType: "vessel"}, "reference_type inclusion"},
		{Definition{Type: Number, ReferenceType: "party"}, "reference_type not_allowed"},
		{Definition{Type: Number, Validation: json.RawMessage(`[]`)}, "validation invalid_type"},
		{Definition{Type: Number, Validation: json.RawMessage(`{"a":"` + strings.Repeat("x", 20_000) + `"}`)}, "validation too_long"},
		{Definition{Type: Number, Validation: json.RawMessage(`{"pattern":"x"}`)}, "validation.pattern not_allowed"},
		{Definition{Type: Number, Validation: json.RawMessage(`{"required":"yes"}`)}, "validation.required invalid_type"},
		{Definition{Type: Number, Validation: json.RawMessage(`{"min":true}`)}, "validation.min invalid_type"},
		{Definition{Type: Number, Validation: json.RawMessage(`{"max":1e400}`)}, "validation.max out_of_range"},
		{Definition{Type: Number, Validation: json.RawMessage(`{"min":2,"max":1}`)}, "validation.max out_of_range"},
		{Definition{Type: Number, Validation: json.RawMessage(`{"scale":7}`)}, "validation.scale out_of_range"},
		{Definition{Type: Number, Validation: json.RawMessage(`{"scale":1.5}`)}, "validation.scale out_of_range"},
		{Definition{Type: Number, DefaultFormat: "%d"}, "default_format invalid"},
		{Definition{Type: Number, DefaultFormat: "0.0000000"}, "default_format invalid"},
		{Definition{Type: Number, DefaultFormat: `0 "kg`}, "default_format invalid"},
		{Definition{Type: Number, DefaultFormat: "0.00 0"}, "default_format invalid"},
		{Definition{Type: ShortText, DefaultFormat: "x"}, "default_format not_allowed"},
		{Definition{Type: ShortText, Validation: json.RawMessage(`{"max_length":256}`)}, "validation.max_length out_of_range"},
		{Definition{Type: ShortText, Validation: json.RawMessage(`{"max_length":"9"}`)}, "validation.max_length invalid_type"},
		{Definition{Type: ShortText, Validation: json.RawMessage(`{"max_length":1,"min_length":2}`)}, "validation.max_length out_of_range"},
		{Definition{Type: ShortText, Validation: json.RawMessage(`{"pattern":"("}`)}, "validation.pattern invalid"},
		{Definition{Type: ShortText, Validation: json.RawMessage(`{"pattern":"(?=a)"}`)}, "validation.pattern invalid"},
		{Definition{Type: ShortText, Validation: json.RawMessage(`{"pattern":""}`)}, "validation.pattern too_long"},
		{Definition{Type: ShortText, Validation: json.RawMessage(`{"pattern":"` + strings.Repeat("a", 256) + `"}`)}, "validation.pattern too_long"},
		{Definition{Type: ShortText, Validation: json.RawMessage(`{"pattern":"` + strings.Repeat(`\\pL{900}`, 20) + `"}`)}, "validation.pattern out_of_range"},
		{Definition{Type: ShortText, Validation: json.RawMessage(`{"pattern":"((a{30}){30}){30}"}`)}, "validation.pattern invalid"},
		{Definition{Type: Date, Validation: json.RawMessage(`{"earliest":"2026-02-31"}`)}, "validation.earliest invalid"},
		{Definition{Type: Date, Validation: json.RawMessage(`{"earliest":"2026-02-02","latest":"2026-02-01"}`)}, "validation.latest out_of_range"},
		{Definition{Type: Date, DefaultFormat: "%Q"}, "default_format invalid"},
		{Definition{Type: Date, DefaultFormat: "100%"}, "default_format invalid"},
		{Definition{Type: Date, DefaultFormat: "%H:%M"}, "default_format invalid"},
		{Definition{Type: Date, DefaultFormat: "%Y;zone=Europe/Berlin"}, "default_format invalid"},
		{Definition{Type: Datetime, DefaultFormat: "yyyy-mm-dd"}, "default_format invalid"},
		{Definition{Type: Datetime, DefaultFormat: "%Y;zone=Mars/Phobos"}, "default_format unknown_zone"},
		{Definition{Type: Datetime, DefaultFormat: strings.Repeat("%Y", 60)}, "default_format too_long"},
		{Definition{Type: Datetime, DefaultFormat: "%Y\x00"}, "default_format invalid"},
		{Definition{Type: Boolean, DefaultFormat: "Yes"}, "default_format invalid"},
		{Definition{Type: Boolean, DefaultFormat: "|No"}, "default_format invalid"},
		{Definition{Type: EnumMulti, Validation: json.RawMessage(`{"max_items":0}`)}, "validation.max_items out_of_range"},
	} {
		_, err := New(tt.spec)
		faults, _ := err.(Errors)
		if len(faults) == 0 || faults[0].Field+" "+faults[0].Code != tt.want || faults[0].Detail == "" {
			t.Errorf("%+v: %v, want %s", tt.spec, err, tt.want)
		}
	}
	// All faults at once.
	_, err := New(Definition{Type: Number, DefaultFormat: "x", Validation: json.RawMessage(`{"min":"x","wrong":1}`)})
	if faults, _ := err.(Errors); len(faults) != 3 {
		t.Errorf("%v", err)
	}
}

// TestLimitsAreSettled: limits are kept as values are stored, all else as it was given.
func TestLimitsAreSettled(t *testing.T) {
	for _, tt := range []struct {
		typ                      string
		format, validation, want string
	}{
		{Date, "", ``, ``},
		{Date, "", `{"latest":"2026-03-01","earliest":"2026-01-01"}`, `{"latest":"2026-03-01","earliest":"2026-01-01"}`},
		{Date, "", `{"latest":"1 Mar 2026","required":true}`, `{"latest":"2026-03-01","required":true}`},
		{Date, "%d/%m/%Y", `{"earliest":"03/04/2026"}`, `{"earliest":"2026-04-03"}`},
		{Date, "%m/%d/%Y", `{"earliest":"03/04/2026"}`, `{"earliest":"2026-03-04"}`},
		{Date, "%Y-%d-%m", `{"earliest":"2026-03-04"}`, `{"earliest":"2026-03-04"}`},
		{Datetime, "", `{"latest":"2026-01-01"}`, `{"latest":"2026-01-01T00:00:00Z"}`},
		{Datetime, ";zone=Asia/Tokyo", `{"latest":"2026-01-01"}`, `{"latest":"2025-12-31T15:00:00Z"}`},
		{Datetime, "%d/%m/%Y %H:%M", `{"earliest":"03/04/2026 08:00","latest":null}`, `{"earliest":"2026-04-03T08:00:00Z","latest":null}`},
		{Number, "$0.00", `{"max":"1e1","min":0.50}`, `{"max":10,"min":0.5}`},
		{ShortText, "", `{"pattern":"^<"}`, `{"pattern":"^<"}`},
	} {
		r := rulesOf(t, Definition{Type: tt.typ, DefaultFormat: tt.format, Validation: json.RawMessage(tt.validation)})
		if got := string(r.Validation); got != tt.want {
			t.Errorf("%s as %q: %s became %s, want %s", tt.typ, tt.format, tt.validation, got, tt.want)
		}
	}
}

// drawTimeFormat draws a format of days or times, one that reads back what it shows
// or one that does not.
func drawTimeFormat(t *rapid.T, typ string, name string) string {
	directives := []string{"%Y", "%m", "%d", "%e", "%b", "%B", "%y", "%j", "%a", "%A"}
	if typ == Datetime {
		directives = append(directives, "%H", "%M", "%S", "%I", "%p", "%Z", "%z")
	}
	format := rapid.SampledFrom([]string{"", "%Y-%d-%m", "%d/%m/%Y", "%m/%d/%Y", "%Y%d%m", "%e %b %Y"}).Draw(t, name)
	if rapid.Bool().Draw(t, name+" is random") {
		format = ""
		for _, d := range rapid.SliceOfN(rapid.SampledFrom(directives), 1, 8).Draw(t, name+" directives") {
			format += d + rapid.SampledFrom([]string{"", "-", "-", "/", " ", ":", "T"}).Draw(t, "text")
		}
	}
	if typ == Datetime {
		format += rapid.SampledFrom([]string{"", " %H:%M", " %H:%M:%S", ";zone=Asia/Tokyo", " %H:%M;zone=America/New_York"}).Draw(t, name+" clock")
	}
	return format
}

// TestFormatsChangeNoValue: a day or a time that was stored under one format, and a
// limit, are the same under any other, to those who read, send back and filter.
func TestFormatsChangeNoValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ, layout := Datetime, time.RFC3339
		if rapid.Bool().Draw(t, "days") {
			typ, layout = Date, time.DateOnly
		}
		ours, theirs := Definition{Type: typ, DefaultFormat: drawTimeFormat(t, typ, "before")}, Definition{Type: typ, DefaultFormat: drawTimeFormat(t, typ, "after")}
		before, err := New(ours)
		if err != nil {
			t.Fatal(err)
		}
		at := time.Unix(rapid.Int64Range(-2_200_000_000, 7_200_000_000).Draw(t, "at"), 0).UTC()
		text := at.Format(layout)
		kept, err := before.Parse(encodeString(text), lookUpParty)
		if err != nil || string(kept.JSON) != strconv.Quote(text) {
			t.Fatalf("%s was taken as %s %v", text, kept.JSON, err)
		}
		limit := text
		if again, err := before.Parse(encodeString(kept.Display), lookUpParty); err == nil && slices.Equal(again.Keys, kept.Keys) {
			limit = kept.Display // which says it all
		}
		ours.Validation = json.RawMessage(`{"latest":` + string(encodeString(limit)) + `}`)
		if before, err = New(ours); err != nil {
			t.Fatal(err)
		}
		theirs.Validation = before.Validation
		after, err := New(theirs)
		if err != nil {
			t.Fatalf("the limit %s: %v", theirs.Validation, err)
		}
		stored, err := after.Restore(kept.JSON, lookUpParty)
		if err != nil || string(stored.JSON) != string(kept.JSON) || !slices.Equal(stored.Keys, kept.Keys) {
			t.Fatalf("%+v is read as %+v %v", kept, stored, err)
		}
		if again, err := after.Parse(kept.JSON, lookUpParty); err != nil || !slices.Equal(again.Keys, kept.Keys) {
			t.Fatalf("%s sent back is %s %v", kept.JSON, again.JSON, err)
		}
		if key, err := after.Key(text); err != nil || key != kept.Keys[0] {
			t.Fatalf("a filter by %s has the key %s %v, the value %s", text, key, err, kept.Keys[0])
		}
		late := at.AddDate(0, 0, 1).Format(layout)
		if _, err := after.Parse(encodeString(late), lookUpParty); codeOf(err) != "out_of_range" {
			t.Fatalf("%s is later than %s: %v", late, theirs.Validation, err)
		}
	})
}

// TestDefaultValueBeforeOptions: the option may come after the definition.
func TestDefaultValueBeforeOptions(t *testing.T) {
	for typ, raw := range map[string]string{Enum: `"low"`, EnumMulti: `["low"]`} {
		r, err := New(Definition{Type: typ, Validation: json.RawMessage(`{"required":true}`)})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := r.ParseDefault(json.RawMessage(raw), lookUpParty); err != nil || string(v) != raw {
			t.Errorf("%s: %s %v", typ, v, err)
		}
		if v, err := r.ParseDefault(json.RawMessage(`null`), lookUpParty); err != nil || string(v) != "null" {
			t.Errorf("%s: %s %v", typ, v, err)
		}
		_, err = rulesOf(t, Definition{Type: typ}).ParseDefault(json.RawMessage(strings.Replace(raw, "low", "urgent", 1)), lookUpParty)
		if fault, _ := err.(*Error); fault == nil || fault.Field != "default_value" || fault.Code != "inclusion" {
			t.Errorf("%s: %v", typ, err)
		}
	}
}

// TestFieldValuesRoundTrip holds LANDFALL_VALUES random values (1,600 unless
// set) to: stored and read again they are the same, sent back they are taken and
// are the same, what a filter spells is their key, and keys compare as the
// values do.
func TestFieldValuesRoundTrip(t *testing.T) {
	rng, count := drill.Random(t), drill.Count(t, "LANDFALL_VALUES", 1_600)
	formats := map[string][]string{
		Number:   {"", "0", "$0,0.00"},
		Date:     {"", "%d/%m/%Y", "%b %e, %Y"},
		Datetime: {"", "%d.%m.%y %H:%M;zone=Asia/Tokyo", ";zone=America/New_York", "%d/%m/%Y %I:%M:%S %p"},
		Boolean:  {"", "Ja|Nein"},
	}
	var sort []string
	last := map[string]fieldtypetest.Value{}
	rules := map[string]*Type{}
	for i := range count {
		typ := Names()[i%len(types)]
		format := ""
		if list := formats[typ]; list != nil {
			format = list[rng.IntN(len(list))]
		}
		r := rules[string(typ)+format]
		if r == nil {
			r = rulesOf(t, Definition{Type: typ, DefaultFormat: format})
			rules[string(typ)+format] = r
			sort = append(sort, typ)
		}
		drawn := fieldtypetest.Draw(rng, typ)
		v, err := r.Parse(json.RawMessage(drawn.JSON), lookUpParty)
		if err != nil {
			t.Fatalf("%s %q refuses %s: %v", typ, format, drawn.JSON, err)
		}
		stored, err := r.Restore(v.JSON, lookUpParty)
		if err != nil || string(stored.JSON) != string(v.JSON) || stored.Display != v.Display || !slices.Equal(stored.Keys, v.Keys) {
			t.Fatalf("%s %q %s: taken as %+v, read as %+v %v", typ, format, drawn.JSON, v, stored, err)
		}
		again, err := r.Parse(v.JSON, lookUpParty)
		if err != nil || string(again.JSON) != string(v.JSON) {
			t.Fatalf("%s %q: %s was sent back and became %s %v", typ, format, v.JSON, again.JSON, err)
		}
		key, err := r.Key(drawn.Text)
		if err != nil || !slices.Contains(v.Keys, key) {
			t.Fatalf("%s %q: a filter by %q has the key %q %v, the value %q", typ, format, drawn.Text, key, err, v.Keys)
		}
		if before, ok := last[typ]; ok && drawn.Order != nil {
			other, err := r.Key(before.Text)
			if err != nil || strings.Compare(key, other) != compareOrders(drawn.Order, before.Order) {
				t.Fatalf("%s: %q and %q compare as %q and %q %v", typ, drawn.Text, before.Text, key, other, err)
			}
		}
		last[typ] = drawn
	}
	if len(sort) < len(types) {
		t.Errorf("only %d data types were drawn", len(sort))
	}
}

func compareOrders(a, b any) int {
	if x, ok := a.(int64); ok {
		switch y := b.(int64); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	return strings.Compare(a.(string), b.(string))
}
