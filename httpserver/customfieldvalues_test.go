package httpserver_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
)

// validatedFields are definitions with validation rules, one of each data type.
// {shipment}, {party} and so on are replaced by IDs of the account.
var validatedFields = []struct {
	typ        tracking.DataType
	attributes string
	good       string
	wrong      []wrongValue
}{
	{tracking.ShortTextField, `"validation":{"required":true,"min_length":2,"max_length":10,"pattern":"^([a-z]+ ?)+$"}`, `"abc"`, []wrongValue{
		{"a number", `7`}, {"a boolean", `true`}, {"a list", `["abc"]`}, {"an object", `{"a":"b"}`}, {"null", `null`}, {"missing", ``},
		{"empty", `""`}, {"blanks", `"   "`}, {"too short", `"a"`}, {"too long", `"abcdefghijk"`}, {"256 characters", `"` + strings.Repeat("a", 256) + `"`},
		{"100,000 characters", `"` + strings.Repeat("a", 100_000) + `"`}, {"off the pattern", `"ABC"`}, {"a trap for the pattern", `"aaaaaaaaa!"`},
		{"two lines", `"ab\ncd"`}, {"a control character", `"ab\u0007"`}, {"NUL", `"ab\u0000"`}, {"a raw NUL", "\"ab\x00\""},
		{"invalid UTF-8", "\"ab\xff\""}, {"half a surrogate", `"ab\ud800"`}, {"no JSON", `abc`},
	}},
	{tracking.NumberField, `"validation":{"required":true,"min":0,"max":1000,"scale":2}`, `12.5`, []wrongValue{
		{"a text", `"abc"`}, {"a boolean", `true`}, {"a list", `[7]`}, {"an object", `{"n":7}`}, {"null", `null`}, {"missing", ``},
		{"empty", `""`}, {"too small", `-1`}, {"too large", `1000.01`}, {"too exact", `0.001`}, {"NaN", `NaN`}, {"a text NaN", `"NaN"`}, {"infinite", `Infinity`},
		{"1e400", `1e400`}, {"a text 1e400", `"1e400"`}, {"1e-400", `1e-400`}, {"19 digits", `1234567890123456789`}, {"hexadecimal", `"0x10"`},
		{"a comma", `"1,5"`}, {"other digits", `"١٢"`}, {"NUL", `"1\u0000"`}, {"invalid UTF-8", "\"1\xff\""}, {"two points", `"1.2.3"`}, {"a leading zero", `007`},
	}},
	{tracking.DateField, `"validation":{"required":true,"earliest":"2026-01-01","latest":"2026-12-31"}`, `"2026-03-01"`, []wrongValue{
		{"a number", `20260301`}, {"a boolean", `false`}, {"a list", `["2026-03-01"]`}, {"an object", `{"year":2026}`}, {"null", `null`}, {"missing", ``},
		{"empty", `""`}, {"31 February", `"2026-02-31"`}, {"month 13", `"2026-13-01"`}, {"day 0", `"2026-03-00"`}, {"29 February of no leap year", `"2026-02-29"`},
		{"too early", `"2025-12-31"`}, {"too late", `"2027-01-01"`}, {"the year 1", `"0001-01-01"`}, {"five digits of a year", `"12026-03-01"`},
		{"day and month in either order", `"03/04/2026"`}, {"a word", `"tomorrow"`}, {"a time", `"2026-03-01T08:00:00Z"`}, {"NUL", `"2026-03-01\u0000"`},
		{"invalid UTF-8", "\"2026-03-01\xff\""}, {"a long text", `"` + strings.Repeat("2", 1_000) + `"`},
	}},
	{tracking.DatetimeField, `"validation":{"required":true,"earliest":"2026-01-01T00:00:00Z","latest":"2026-12-31T23:59:59Z"},"default_format":"%d.%m.%Y %H:%M;zone=Europe/Berlin"`, `"2026-03-01T08:00:00Z"`, []wrongValue{
		{"a number", `1772352000`}, {"a boolean", `false`}, {"a list", `["2026-03-01T08:00:00Z"]`}, {"an object", `{}`}, {"null", `null`}, {"missing", ``},
		{"empty", `""`}, {"31 February", `"2026-02-31T08:00:00Z"`}, {"hour 25", `"2026-03-01T25:00:00Z"`}, {"minute 60", `"2026-03-01T08:60:00Z"`},
		{"an unknown zone", `"2026-03-01 08:00 Mars/Olympus"`}, {"an unknown zone in brackets", `"2026-03-01T08:00[Nowhere]"`}, {"an offset of 30 hours", `"2026-03-01T08:00:00+30:00"`},
		{"too early", `"2025-12-31T23:59:59Z"`}, {"too late", `"2027-01-01T00:00:00Z"`}, {"nanoseconds", `"2026-03-01T08:00:00.123456789Z"`},
		{"a word", `"now"`}, {"a path for a zone", `"2026-03-01 08:00 ../../etc/passwd"`}, {"NUL", `"2026-03-01T08:00:00Z\u0000"`}, {"invalid UTF-8", "\"2026-03-01T08:00:00Z\xff\""},
		{"a long text", `"` + strings.Repeat("2", 1_000) + `"`},
	}},
	{tracking.BooleanField, `"validation":{"required":true}`, `true`, []wrongValue{
		{"a text", `"true"`}, {"yes", `"yes"`}, {"its label", `"Yes"`}, {"one", `1`}, {"zero", `0`}, {"a fraction", `0.5`}, {"a list", `[true]`}, {"an object", `{"value":true}`},
		{"null", `null`}, {"missing", ``}, {"empty", `""`}, {"Python's", `True`}, {"NUL", `"\u0000"`}, {"invalid UTF-8", "\"\xff\""},
	}},
	{tracking.EnumField, `"validation":{"required":true}`, `"low"`, []wrongValue{
		{"a number", `7`}, {"a boolean", `true`}, {"a list", `["low"]`}, {"an object", `{"value":"low"}`}, {"null", `null`}, {"missing", ``}, {"empty", `""`},
		{"no option", `"best"`}, {"an option of another definition", `"other"`}, {"its label", `"The low one"`}, {"capitals", `"LOW"`}, {"a blank behind it", `"low "`},
		{"an option's ID", `"{custom_field_option}"`}, {"256 characters", `"` + strings.Repeat("a", 256) + `"`}, {"NUL", `"low\u0000"`}, {"invalid UTF-8", "\"low\xff\""}, {"half a surrogate", `"\udc00"`},
	}},
	{tracking.EnumMultiField, `"validation":{"required":true,"max_items":2}`, `["low"]`, []wrongValue{
		{"a text", `"low"`}, {"the form of the store elsewhere", `"low,high"`}, {"a number", `7`}, {"a boolean", `true`}, {"an object", `{"0":"low"}`}, {"null", `null`}, {"missing", ``},
		{"empty", `[]`}, {"no option", `["low","best"]`}, {"an option of another definition", `["other"]`}, {"a number in it", `["low",7]`}, {"null in it", `["low",null]`},
		{"a list in it", `[["low"]]`}, {"too many", `["low","high","mid"]`}, {"1001 items", `[` + strings.TrimSuffix(strings.Repeat(`"low",`, 1_001), ",") + `]`},
		{"NUL", `["low\u0000"]`}, {"invalid UTF-8", "[\"low\xff\"]"},
	}},
	{tracking.ReferenceField, `"reference_type":"party","validation":{"required":true}`, `{"type":"party","id":"{party}"}`, []wrongValue{
		{"a text", `"{party}"`}, {"a number", `7`}, {"a boolean", `true`}, {"a list", `[{"type":"party","id":"{party}"}]`}, {"null", `null`}, {"missing", ``}, {"empty", `{}`},
		{"no type", `{"id":"{party}"}`}, {"no ID", `{"type":"party"}`}, {"another type", `{"type":"shipment","id":"{shipment}"}`}, {"another type of ID", `{"type":"party","id":7}`},
		{"no UUID", `{"type":"party","id":"acme"}`}, {"an unknown ID", `{"type":"party","id":"` + randomUUID + `"}`}, {"the zero ID", `{"type":"party","id":"00000000-0000-0000-0000-000000000000"}`},
		{"another account's record", `{"type":"party","id":"{theirs}"}`}, {"a shipment's ID", `{"type":"party","id":"{shipment}"}`}, {"one member more", `{"type":"party","id":"{party}","name":"Acme"}`},
		{"NUL", `{"type":"party\u0000","id":"{party}"}`}, {"invalid UTF-8", "{\"type\":\"party\xff\",\"id\":\"{party}\"}"}, {"the same name twice", `{"type":"party","type":"party","id":"{party}"}`},
	}},
}

type wrongValue struct{ name, json string }

// fieldOperation is one way to send a value: {slug} and {member} ("value":...) are
// replaced. pointer is the JSON Pointer of the value.
type fieldOperation struct {
	name, method, path, body, pointer string
	// missing says what becomes of a request without the value: it may be none of
	// the operation's business.
	optional bool
}

func fieldOperations() []fieldOperation {
	var list []fieldOperation
	for _, e := range []string{"shipment", "container", "tracking_request"} {
		path := "/v2/" + e + "s/{" + e + "}/custom_fields"
		list = append(list,
			fieldOperation{"set of a " + e, "POST", path, fieldValue(`"api_slug":"{slug}",{member}`), "/data/attributes/value", false},
			fieldOperation{"patch by slug of a " + e, "PATCH", path + "/{slug}", fieldValue(`{member}`), "/data/attributes/value", false},
		)
	}
	entity := `"relationships":{"entity":{"data":{"type":"shipment","id":"{shipment}"}}}`
	item := `{"type":"custom_field","attributes":{"api_slug":"{slug}",{member}},` + entity + `}`
	return append(list,
		fieldOperation{"patch bare by slug", "PATCH", "/v2/shipments/{shipment}/custom_fields/{slug}", `{{member}}`, "/value", false},
		fieldOperation{"patch by ID", "PATCH", "/v2/custom_fields/{field}", fieldValue(`{member}`), "/data/attributes/value", false},
		fieldOperation{"set of a named entity", "POST", "/v2/custom_fields", `{"data":` + item + `}`, "/data/attributes/value", false},
		fieldOperation{"atomic bulk", "POST", "/v2/custom_fields/bulk", `{"atomic":true,"data":[` + item + `]}`, "/data/0/attributes/value", false},
		fieldOperation{"initial of the shipment", "POST", "/v2/tracking_requests", `{"data":{"type":"tracking_request","attributes":{` + goodRequest + `,"initial_custom_fields":{"shipment":[{"api_slug":"{slug}",{member}}]}}}}`, "/data/attributes/initial_custom_fields/shipment/0/value", false},
		fieldOperation{"initial of containers", "POST", "/v2/tracking_requests", `{"data":{"type":"tracking_request","attributes":{` + goodRequest + `,"initial_custom_fields":{"containers":[{"api_slug":"{slug}",{member}}]}}}}`, "/data/attributes/initial_custom_fields/containers/0/value", false},
		fieldOperation{"default value", "PATCH", "/v2/custom_field_definitions/{definition}", definition(`{default}`), "/data/attributes/default_value", true},
	)
}

// TestWrongCustomFieldValues sends every invalid value of every data type to every
// operation that accepts values, and writes the responses to
// testdata/customfieldvalues.txt.
func TestWrongCustomFieldValues(t *testing.T) {
	b := newBench(t)
	field, defined := map[tracking.DataType]string{}, map[tracking.DataType]string{}
	for _, f := range validatedFields {
		for _, e := range tracking.Describe().EntityTypes {
			id := b.as(b.mine, "POST", "/v2/custom_field_definitions", definition(fmt.Sprintf(`"entity_type":"%s","display_name":"x %s","data_type":"%s",%s`, e, f.typ, f.typ, f.attributes))).want(201).id()
			if f.typ == tracking.EnumField || f.typ == tracking.EnumMultiField {
				for _, v := range []string{"low", "high", "mid"} {
					b.as(b.mine, "POST", "/v2/custom_field_definitions/"+id+"/options", option(`"label":"The `+v+` one","value":"`+v+`"`)).want(201)
				}
			}
			typ := map[tracking.EntityType]string{tracking.ShipmentEntity: "shipment", tracking.ContainerEntity: "container", tracking.TrackingRequestEntity: "tracking_request"}[e]
			made := b.as(b.mine, "POST", b.mine.fill("/v2/"+typ+"s/{"+typ+"}/custom_fields"), b.mine.fill(fieldValue(`"api_slug":"x_`+string(f.typ)+`","value":`+f.good))).want(201).id()
			if e == tracking.ShipmentEntity {
				field[f.typ], defined[f.typ] = made, id
			}
		}
	}
	b.as(b.mine, "POST", b.mine.fill("/v2/custom_field_definitions/{custom_field_definition}/options"), option(`"label":"Other","value":"other"`)).want(201)
	before := b.store.stored(t, b.mine.account)
	var text strings.Builder
	cells, statuses := 0, map[int]int{}
	for _, f := range validatedFields {
		if len(f.wrong) < 12 {
			t.Errorf("only %d wrong values of %s", len(f.wrong), f.typ)
		}
		fmt.Fprintf(&text, "%s\n", f.typ)
		for _, w := range f.wrong {
			answers := map[string][]string{}
			for _, op := range fieldOperations() {
				if op.optional && (w.json == "" || w.json == "null" || strings.HasPrefix(w.name, "empty")) {
					continue // there need not be a default value, and nothing requires it
				}
				value, member := strings.ReplaceAll(b.mine.fill(w.json), "{theirs}", b.theirs.ids["party"]), ""
				if w.json != "" {
					member = `"value":` + value
				}
				fill := strings.NewReplacer("{slug}", "x_"+string(f.typ), "{field}", field[f.typ], "{definition}", defined[f.typ], "{default}", `"default_value":`+value, `,{member}`, strings.TrimSuffix(","+member, ","), "{member}", member).Replace
				a := b.as(b.mine, op.method, b.mine.fill(fill(op.path)), b.mine.fill(fill(op.body)))
				cells++
				statuses[a.status]++
				tell := a.summary()
				if a.status >= 500 || a.status < 400 {
					t.Errorf("%s, %s, %s: %d %s", f.typ, w.name, op.name, a.status, short(string(a.body)))
				}
				if detail, _ := a.list("errors")[0]["detail"].(string); len(detail) < 10 || len(detail) > 400 {
					t.Errorf("%s, %s, %s: the detail is %q", f.typ, w.name, op.name, detail)
				}
				if a.status == 422 && !strings.Contains(tell, op.pointer) {
					t.Errorf("%s, %s, %s: %s does not point to %s", f.typ, w.name, op.name, tell, op.pointer)
				}
				key, _, _ := strings.Cut(tell, " /")
				answers[key] = append(answers[key], op.name)
			}
			keys := slices.Sorted(maps.Keys(answers))
			slices.SortStableFunc(keys, func(x, y string) int { return len(answers[y]) - len(answers[x]) })
			for i, key := range keys {
				ops := fmt.Sprintf("%d operations", len(answers[key]))
				if i > 0 || len(keys) > 1 && len(answers[key]) == 1 {
					ops = strings.Join(answers[key], ", ")
				}
				fmt.Fprintf(&text, "  %-36s %-24s %s\n", map[bool]string{true: w.name}[i == 0], key, ops)
			}
		}
	}
	fmt.Fprintf(&text, "\n%d cells:", cells)
	for _, status := range slices.Sorted(maps.Keys(statuses)) {
		fmt.Fprintf(&text, " %d x %d", statuses[status], status)
	}
	text.WriteString("; 0 of 5xx\n")
	golden(t, "customfieldvalues.txt", text.String())
	if diff := cmp.Diff(before, b.store.stored(t, b.mine.account)); diff != "" {
		t.Errorf("refused values changed something:\n%s", diff)
	}
	t.Logf("%d cells", cells)
}
