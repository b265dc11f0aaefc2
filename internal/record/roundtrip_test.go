package record_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/internal/record"
)

type (
	boxID  uuid.UUID
	status string
	money  int64
	// level marshals itself.
	level int
	hold  struct {
		Name   string     `json:"name"`
		Amount *float64   `json:"amount"`
		Since  *time.Time `json:"since"`
	}
	// Stamps is embedded.
	Stamps struct {
		CreatedAt time.Time `attr:"created_at"`
		Notes     string    // untagged
	}
)

func (l level) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "L%d", int(l)), nil }

func (l *level) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "L%d", (*int)(l))
	return err
}

// everything has a field of each supported type.
type everything struct {
	ID boxID `id:""`
	Stamps

	One   uuid.UUID    `rel:"one,port"`
	Box   boxID        `rel:"box,container"`
	Many  []uuid.UUID  `rel:"many,container"`
	Poly  record.Ref   `rel:"poly,port|metro_area"`
	Polys []record.Ref `rel:"polys,port|metro_area"`
	_     struct{}     `rel:"raw_events,raw_event,inverse"`

	Str     string          `attr:"str"`
	StrN    string          `attr:"str_n,null"`
	Named   status          `attr:"named"`
	NamedN  status          `attr:"named_n,null"`
	Bool    bool            `attr:"bool"`
	BoolP   *bool           `attr:"bool_p"`
	Int     int             `attr:"int"`
	Int8    int8            `attr:"int8,null"`
	Uint    uint64          `attr:"uint"`
	IntP    *int            `attr:"int_p"`
	Money   money           `attr:"money,null"`
	Float   float64         `attr:"float"`
	Float32 float32         `attr:"float32"`
	FloatP  *float64        `attr:"float_p"`
	Time    time.Time       `attr:"time"`
	TimeP   *time.Time      `attr:"time_p"`
	Strs    []string        `attr:"strs"`
	StrsN   []string        `attr:"strs_n,null"`
	Nameds  []status        `attr:"nameds"`
	UUID    uuid.UUID       `attr:"uuid"`
	UUIDN   boxID           `attr:"uuid_n,null"`
	UUIDs   []boxID         `attr:"uuids"`
	Raw     json.RawMessage `attr:"raw"`
	Hold    hold            `attr:"hold"`
	HoldN   hold            `attr:"hold_n,null"`
	HoldP   *hold           `attr:"hold_p"`
	Holds   []hold          `attr:"holds"`
	HoldsN  []hold          `attr:"holds_n,null"`
	Map     map[string]int  `attr:"map"`
	Level   level           `attr:"level"`
	Levels  []level         `attr:"levels"`
	Any     any             `attr:"any"`
	Bytes   []byte          `attr:"bytes"`

	Ignored string

	Sum   []byte         `private:"sum"`
	Seen  time.Time      `private:"seen"`
	Tries int            `private:"tries"`
	Held  []hold         `private:"held"`
	Extra map[string]any `private:"extra"`
	Boxes []boxID        `private:"boxes"`
	Owner boxID          `private:"owner"`
	Scale packedScale    `private:"scale"`
}

// packedScale has a binary form.
type packedScale struct{ Grams uint16 }

func (s *packedScale) AppendBinary(b []byte) ([]byte, error) {
	return append(b, byte(s.Grams>>8), byte(s.Grams)), nil
}

func (s *packedScale) UnmarshalBinary(b []byte) error {
	if len(b) != 2 {
		return fmt.Errorf("%d bytes", len(b))
	}
	s.Grams = uint16(b[0])<<8 | uint16(b[1])
	return nil
}

var everythings = record.For[everything]("everything")

func ptr[T any](v T) *T { return &v }

// full has no zero value anywhere.
func full() everything {
	h := hold{Name: `<a & "b">`, Amount: ptr(120.5), Since: ptr(at("2026-01-01T00:00:00Z"))}
	return everything{
		ID: boxID(id(1)), Stamps: Stamps{CreatedAt: at("2026-01-05T08:00:00Z")},
		One: id(2), Box: boxID(id(3)), Many: []uuid.UUID{id(4), id(5)},
		Poly: record.Ref{Type: "metro_area", ID: id(6)}, Polys: []record.Ref{{Type: "port", ID: id(7)}, {Type: "metro_area", ID: id(8)}},
		Str: "Zürich \u2028 \x01 \\ \" </a>\t", StrN: "n", Named: "hold", NamedN: "x",
		Bool: true, BoolP: ptr(false), Int: math.MinInt64, Int8: -128, Uint: math.MaxUint64, IntP: ptr(0), Money: 5,
		Float: 1e-7, Float32: 3.4e38, FloatP: ptr(0.0),
		Time: at("2026-01-24T15:00:00Z"), TimeP: ptr(at("1969-12-31T23:59:59Z")),
		Strs: []string{"", "b"}, StrsN: []string{}, Nameds: []status{"a"},
		UUID: id(9), UUIDN: boxID(id(10)), UUIDs: []boxID{boxID(id(11))},
		Raw: json.RawMessage(`{"a":[1,"}"]}`), Hold: h, HoldN: h, HoldP: &h, Holds: []hold{h, {}}, HoldsN: []hold{},
		Map: map[string]int{"b": 1, "a": 2}, Level: 3, Levels: []level{1, 2}, Any: []any{"x", 1.5, nil}, Bytes: []byte{0, 255},
		Sum: []byte{1}, Seen: at("2026-01-06T00:00:00.123456789Z"), Tries: 3, Held: []hold{}, Extra: map[string]any{"k": "v"},
		Boxes: []boxID{boxID(id(12)), {}}, Owner: boxID(id(13)), Scale: packedScale{500},
	}
}

func roundTrip(t interface {
	Helper()
	Fatal(...any)
}, v *everything) (got everything, doc, private []byte) {
	t.Helper()
	doc, private = everythings.Encode(v)
	if !json.Valid(doc) || len(private) > 0 && !json.Valid(private) {
		t.Fatal("not JSON:", string(doc), string(private))
	}
	got = full() // whatever was there before must go
	got.Ignored, got.Notes = "kept", "kept"
	if err := everythings.Decode(doc, private, &got); err != nil {
		t.Fatal(err, string(doc), string(private))
	}
	if got.Ignored != "kept" || got.Notes != "kept" {
		t.Fatal("an untagged field changed")
	}
	got.Ignored, got.Notes = "", ""
	return got, doc, private
}

func TestRoundTrip(t *testing.T) {
	zero := everything{}
	all := full()
	for name, v := range map[string]*everything{"zero": &zero, "full": &all} {
		got, doc, _ := roundTrip(t, v)
		if d := cmp.Diff(*v, got); d != "" {
			t.Errorf("%s: %s\n%s", name, d, doc)
		}
	}
	var got shipment
	doc, private := shipments.Encode(&sample)
	if err := shipments.Decode(doc, private, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, sample) {
		t.Errorf("got %+v\nwant %+v", got, sample)
	}
}

// attributes are what the document of v shows, by name.
func attributes(t *testing.T, v *everything) map[string]string {
	t.Helper()
	doc, _ := everythings.Encode(v)
	var d struct {
		Attributes map[string]json.RawMessage
	}
	if err := json.Unmarshal(doc, &d); err != nil {
		t.Fatal(err, string(doc))
	}
	got := map[string]string{}
	for k, v := range d.Attributes {
		got[k] = string(v)
	}
	return got
}

func TestValues(t *testing.T) {
	cases := []struct {
		set  func(*everything)
		name string
		want string
	}{
		{func(*everything) {}, "str", `""`},
		{func(*everything) {}, "str_n", `null`},
		{func(*everything) {}, "bool", `false`},
		{func(*everything) {}, "bool_p", `null`},
		{func(*everything) {}, "int", `0`},
		{func(*everything) {}, "int8", `null`},
		{func(*everything) {}, "time", `null`},
		{func(*everything) {}, "strs", `[]`},
		{func(*everything) {}, "strs_n", `null`},
		{func(*everything) {}, "holds", `[]`},
		{func(*everything) {}, "holds_n", `null`},
		{func(*everything) {}, "hold_n", `null`},
		{func(*everything) {}, "hold", `{"name":"","amount":null,"since":null}`},
		{func(*everything) {}, "uuid", `"00000000-0000-0000-0000-000000000000"`},
		{func(*everything) {}, "uuid_n", `null`},
		{func(*everything) {}, "raw", `null`},
		{func(*everything) {}, "map", `null`},
		{func(*everything) {}, "bytes", `""`},
		{func(v *everything) { v.StrsN = []string{} }, "strs_n", `[]`},
		{func(v *everything) { v.Time = at("2026-01-24T17:00:00.999+02:00") }, "time", `"2026-01-24T15:00:00Z"`},
		{func(v *everything) { v.Time = time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC) }, "time", `null`},
		{func(v *everything) { v.Float = math.NaN() }, "float", `null`},
		{func(v *everything) { v.Float = math.Inf(-1) }, "float", `null`},
		{func(v *everything) { v.FloatP = ptr(math.Inf(1)) }, "float_p", `null`},
		{func(v *everything) { v.Hold.Amount = ptr(math.NaN()) }, "hold", `null`},
		{func(v *everything) { v.Float = 1e21 }, "float", `1e+21`},
		{func(v *everything) { v.Float = 1e-7 }, "float", `1e-7`},
		{func(v *everything) { v.Str = "<&>" }, "str", `"<&>"`},
		{func(v *everything) { v.Hold.Name = "<&>" }, "hold", `{"name":"<&>","amount":null,"since":null}`},
		{func(v *everything) { v.Str = "a\xffb\u2029" }, "str", `"a\ufffdb\u2029"`},
		{func(v *everything) { v.Raw = json.RawMessage("{ \"a\" : 1 }\n") }, "raw", `{"a":1}`},
		{func(v *everything) { v.Raw = json.RawMessage("{") }, "raw", `null`},
		{func(v *everything) { v.Level = 4 }, "level", `"L4"`},
		{func(v *everything) { v.UUIDs = []boxID{{}} }, "uuids", `["00000000-0000-0000-0000-000000000000"]`},
	}
	for _, c := range cases {
		var v everything
		c.set(&v)
		if got := attributes(t, &v)[c.name]; got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestEncodePrivate(t *testing.T) {
	if _, private := everythings.Encode(&everything{}); private != nil {
		t.Errorf("zero fields: got %s", private)
	}
	_, private := everythings.Encode(&everything{Seen: at("2026-01-01T01:00:00.5+01:00"), Held: []hold{}})
	if got, want := string(private), `{"seen":"2026-01-01T00:00:00.5Z","held":[]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNoMembers(t *testing.T) {
	type bare struct {
		ID string `id:"" attr:"id"`
	}
	c := record.For[bare]("document_schema")
	doc, private := c.Encode(&bare{ID: "bol@1"})
	if got, want := string(doc), `{"id":"bol@1","type":"document_schema","relationships":{},"attributes":{"id":"bol@1"}}`; got != want || private != nil {
		t.Errorf("got %s %s, want %s", got, private, want)
	}
	var v bare
	if err := c.Decode(doc, nil, &v); err != nil || v.ID != "bol@1" {
		t.Errorf("got %+v, %v", v, err)
	}
}

func TestDecode(t *testing.T) {
	const u = "5f0c1a52-0000-4000-8000-000000000004"
	type rec struct {
		ID   uuid.UUID   `id:""`
		One  uuid.UUID   `rel:"one,port"`
		Many []uuid.UUID `rel:"many,port"`
		Poly record.Ref  `rel:"poly,port|metro_area"`
		A    string      `attr:"a"`
		AB   string      `attr:"ab"`
		N    int8        `attr:"n"`
		F    float64     `attr:"f"`
		B    bool        `attr:"b"`
		T    time.Time   `attr:"t"`
		S    []string    `attr:"s"`
		P    string      `private:"p"`
	}
	c := record.For[rec]("rec")
	before := rec{ID: id(1), One: id(1), Many: []uuid.UUID{id(1)}, A: "x", AB: "x", N: 1, F: 1, B: true, T: at("2026-01-01T00:00:00Z"), S: []string{"x"}, P: "x", Poly: record.Ref{Type: "port", ID: id(1)}}
	good := []struct {
		name, doc, private string
		want               rec
	}{
		{"empty", `{}`, ``, rec{}},
		{"empty sections", `{"id":"` + u + `","type":"rec","relationships":{},"attributes":{}}`, `{}`, rec{ID: id(4)}},
		{"null sections", `{"relationships":null,"attributes":null}`, `null`, rec{}},
		{"null members", `{"id":null,"relationships":{"one":null,"many":null},"attributes":{"a":null,"n":null,"b":null,"t":null,"s":null}}`, `{"p":null}`, rec{}},
		{"missing in front", `{"attributes":{"t":"2026-01-02T00:00:00Z"}}`, ``, rec{T: at("2026-01-02T00:00:00Z")}},
		{"other order", `{"attributes":{"b":true,"ab":"2","a":"1","t":null,"n":-5},"relationships":{"many":{"data":[]},"one":{"data":{"type":"port","id":"` + u + `"}}},"type":"rec","id":"` + u + `"}`, `{"q":1,"p":"z"}`, rec{ID: id(4), One: id(4), A: "1", AB: "2", N: -5, B: true, P: "z"}},
		{"white space", " {\n\t\"attributes\" : { \"a\" : \"1\" , \"s\" : [ \"x\" , null ] } , \"relationships\" : { \"many\" : { \"data\" : [ { \"id\" : \"" + u + "\" , \"type\" : \"port\" } ] } } }\r\n", ``, rec{A: "1", S: []string{"x", ""}, Many: []uuid.UUID{id(4)}}},
		{"unknown members", `{"links":{"self":"/v2/\"}{"},"meta":[{"a":[]}],"attributes":{"x":{"a":"no"},"a":"1","y":[1,{"ab":2}],"z":-1.5e3,"ab":"2"}}`, ``, rec{A: "1", AB: "2"}},
		{"twice", `{"attributes":{"a":"1","a":"2","s":["1"],"s":["2"]}}`, ``, rec{A: "2", S: []string{"2"}}},
		{"escapes", `{"attributes":{"\u0061":"\ud83d\ude00\n\"","ab":"Zürich"}}`, ``, rec{A: "😀\n\"", AB: "Zürich"}},
		{"relationship without data", `{"relationships":{"one":{"links":{"data":1}},"many":{}}}`, ``, rec{}},
		{"identifier with meta", `{"relationships":{"one":{"meta":1,"data":{"id":"` + u + `","type":"port","meta":{"x":[]}}}}}`, ``, rec{One: id(4)}},
		{"undeclared type in a Ref", `{"relationships":{"poly":{"data":{"id":"` + u + `","type":"rail_terminal"}}}}`, ``, rec{Poly: record.Ref{Type: "rail_terminal", ID: id(4)}}},
		{"zone", `{"attributes":{"t":"2026-01-02T02:00:00.5+02:00","f":-0.25}}`, ``, rec{T: at("2026-01-02T00:00:00.5Z"), F: -0.25}},
	}
	for _, g := range good {
		got := before
		if err := c.Decode([]byte(g.doc), []byte(g.private), &got); err != nil {
			t.Errorf("%s: %v", g.name, err)
		} else if d := cmp.Diff(g.want, got); d != "" {
			t.Errorf("%s: %s", g.name, d)
		}
	}

	bad := []string{
		``, ` `, `null`, `[]`, `{`, `{"`, `{"id`, `{"id"`, `{"id":`, `{"id":"x"}`, `{"id":1}`, `{}x`, `{} {}`, `{"id":null,}`, `{,}`,
		`{"type":"other"}`, `{"type":1}`, `{"relationships":[]}`, `{"attributes":"a"}`, `{"x":}`, `{"x":"}`, `{"x":[}`,
		`{"attributes":{"a":1}}`, `{"attributes":{"a":"\q"}}`, "{\"attributes\":{\"a\":\"\n\"}}", `{"attributes":{"a":"x"`, `{"attributes":{"a":"x" "ab":"y"}}`,
		`{"attributes":{"n":128}}`, `{"attributes":{"n":1.5}}`, `{"attributes":{"n":"1"}}`, `{"attributes":{"n":}}`, `{"attributes":{"n":nul}}`,
		`{"attributes":{"f":NaN}}`, `{"attributes":{"f":Inf}}`, `{"attributes":{"f":0x1p4}}`, `{"attributes":{"f":1e999}}`, `{"attributes":{"b":1}}`, `{"attributes":{"b":truex}}`,
		`{"attributes":{"t":"yesterday"}}`, `{"attributes":{"t":"2026-02-30T00:00:00Z"}}`, `{"attributes":{"s":["a",]}}`, `{"attributes":{"s":["a"}}`, `{"attributes":{"s":"a"}}`,
		`{"relationships":{"one":{"data":{"id":"` + u + `","type":"ship"}}}}`, `{"relationships":{"one":{"data":{"id":"` + u + `"}}}}`, `{"relationships":{"one":{"data":{"type":"port"}}}}`,
		`{"relationships":{"one":{"data":[{"id":"` + u + `","type":"port"},{"id":"` + u + `","type":"port"}]}}}`, `{"relationships":{"one":{"data":1}}}`, `{"relationships":{"one":1}}`,
		`{"relationships":{"one":{"data":{"id":"zf0c1a52-0000-4000-8000-000000000004","type":"port"}}}}`,
	}
	for _, doc := range bad {
		var v rec
		if err := c.Decode([]byte(doc), nil, &v); err == nil {
			t.Errorf("%s: no error", doc)
		}
	}
	var v rec
	for _, private := range []string{`{`, `[]`, `{"p":1}`, `{}x`} {
		if err := c.Decode([]byte(`{}`), []byte(private), &v); err == nil {
			t.Errorf("private %s: no error", private)
		}
	}
	if err := c.Decode([]byte(`{"attributes":{"t":"yesterday"}}`), nil, &v); err == nil || !strings.Contains(err.Error(), `rec: t: "yesterday" is no time`) {
		t.Errorf("the error does not say where: %v", err)
	}
}

// TestDecodeMissing takes each member away in turn: only its field is zero.
func TestDecodeMissing(t *testing.T) {
	want := full()
	doc, private := everythings.Encode(&want)
	for _, f := range everythings.Fields() {
		if f.Kind == record.ID || f.Kind == record.Private || f.Inverse {
			continue
		}
		section := map[record.FieldKind]string{record.Attribute: "attributes", record.Relationship: "relationships"}[f.Kind]
		var d map[string]json.RawMessage
		var m map[string]json.RawMessage
		if err := json.Unmarshal(doc, &d); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(d[section], &m); err != nil {
			t.Fatal(err)
		}
		delete(m, f.Name)
		d[section], _ = json.Marshal(m)
		less, _ := json.Marshal(d) // in alphabetical order, too
		got := full()
		if err := everythings.Decode(less, private, &got); err != nil {
			t.Fatal(f.Name, err)
		}
		again, _ := everythings.Encode(&got)
		var a, b any
		if json.Unmarshal(again, &a) != nil || json.Unmarshal(doc, &b) != nil {
			t.Fatal("not JSON")
		}
		lost := b.(map[string]any)[section].(map[string]any)
		shown := a.(map[string]any)[section].(map[string]any)
		if reflect.DeepEqual(lost[f.Name], shown[f.Name]) {
			t.Errorf("%s: still %v", f.Name, shown[f.Name])
		}
		delete(lost, f.Name)
		delete(shown, f.Name)
		if d := cmp.Diff(b, a); d != "" {
			t.Errorf("without %s: %s", f.Name, d)
		}
	}
}

// TestDecodeTruncated cuts a document at every byte.
func TestDecodeTruncated(t *testing.T) {
	v := full()
	doc, private := everythings.Encode(&v)
	for n := range doc {
		if everythings.Decode(doc[:n], nil, &v) == nil {
			t.Fatalf("no error for %s", doc[:n])
		}
	}
	for n := 1; n < len(private); n++ {
		if everythings.Decode(doc, private[:n], &v) == nil {
			t.Fatalf("no error for %s", private[:n])
		}
	}
}

// TestDecodeDeep has to come back from any depth.
func TestDecodeDeep(t *testing.T) {
	deep := strings.Repeat("[", 1<<20)
	var v everything
	for _, doc := range []string{`{"x":` + deep, `{"attributes":{"raw":` + deep + strings.Repeat("]", 1<<20) + `}}`} {
		if everythings.Decode([]byte(doc), nil, &v) == nil {
			t.Error("no error")
		}
	}
}

// TestDecodeOwnsItsValues: the document's buffer is reused by stores.
func TestDecodeOwnsItsValues(t *testing.T) {
	want := full()
	doc, private := everythings.Encode(&want)
	var got everything
	if err := everythings.Decode(doc, private, &got); err != nil {
		t.Fatal(err)
	}
	clear(doc)
	clear(private)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDecodeLarge(t *testing.T) {
	v := everything{Str: strings.Repeat("x", 100_000), Strs: []string{strings.Repeat("y", 10)}}
	if got, _, _ := roundTrip(t, &v); !reflect.DeepEqual(got, v) {
		t.Error("a document beyond the sharing limit differs")
	}
}

// drawEverything makes values that survive a round trip exactly.
func drawEverything(t *rapid.T) everything {
	str := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "\x00\x1f\x7f", "</script>", "\u2028\u2029", `\"`, "😀"}))
	names := rapid.Map(str, func(s string) status { return status(s) })
	u := rapid.Map(rapid.SliceOfN(rapid.Byte(), 16, 16), func(b []byte) uuid.UUID { return uuid.UUID(b) })
	box := rapid.Map(u, func(u uuid.UUID) boxID { return boxID(u) })
	tm := rapid.Map(rapid.Int64Range(-62135596800, 253402300799), func(s int64) time.Time { return time.Unix(s, 0).UTC() })
	f64 := rapid.Float64()
	hd := rapid.Custom(func(t *rapid.T) hold {
		return hold{Name: str.Draw(t, "name"), Amount: rapid.Ptr(f64, true).Draw(t, "amount"), Since: rapid.Ptr(tm, true).Draw(t, "since")}
	})
	// nil and not empty where both are rendered [].
	return everything{
		ID: box.Draw(t, "id"), Stamps: Stamps{CreatedAt: tm.Draw(t, "created")},
		One: u.Draw(t, "one"), Many: orNil(rapid.SliceOfN(u, 0, 3).Draw(t, "many")),
		Str: str.Draw(t, "str"), StrN: str.Draw(t, "strN"), Named: names.Draw(t, "named"),
		Bool: rapid.Bool().Draw(t, "bool"), BoolP: rapid.Ptr(rapid.Bool(), true).Draw(t, "boolP"),
		Int: rapid.Int().Draw(t, "int"), Int8: rapid.Int8().Draw(t, "int8"), Uint: rapid.Uint64().Draw(t, "uint"),
		IntP: rapid.Ptr(rapid.Int(), true).Draw(t, "intP"), Money: money(rapid.Int64().Draw(t, "money")),
		Float: f64.Draw(t, "float"), Float32: rapid.Float32().Draw(t, "float32"), FloatP: rapid.Ptr(f64, true).Draw(t, "floatP"),
		Time: tm.Draw(t, "time"),
		Strs: orNil(rapid.SliceOfN(str, 0, 3).Draw(t, "strs")), StrsN: rapid.SliceOfN(str, 0, 3).Draw(t, "strsN"),
		Nameds: orNil(rapid.SliceOfN(names, 0, 3).Draw(t, "nameds")),
		UUID:   u.Draw(t, "uuid"), UUIDN: box.Draw(t, "uuidN"), UUIDs: orNil(rapid.SliceOfN(box, 0, 3).Draw(t, "uuids")),
		Hold: hd.Draw(t, "hold"), HoldN: hd.Draw(t, "holdN"), HoldP: rapid.Ptr(hd, true).Draw(t, "holdP"),
		Holds: orNil(rapid.SliceOfN(hd, 0, 3).Draw(t, "holds")), Map: rapid.MapOfN(str, rapid.Int(), 0, 3).Draw(t, "map"),
		Level: level(rapid.Int().Draw(t, "level")),
		Sum:   rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "sum"), Seen: tm.Draw(t, "seen").Add(time.Duration(rapid.IntRange(0, 999999999).Draw(t, "ns"))),
		Tries: rapid.Int().Draw(t, "tries"),
	}
}

func orNil[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return s
}

// TestCodecProperties: a document is JSON, reads back as the same value, is the
// same bytes again, and shows each attribute as encoding/json shows its value.
func TestCodecProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawEverything(t)
		got, doc, private := roundTrip(t, &v)
		if d := cmp.Diff(v, got); d != "" {
			t.Fatal(d)
		}
		again, againPrivate := everythings.Encode(&got)
		if !bytes.Equal(again, doc) || !bytes.Equal(againPrivate, private) {
			t.Fatalf("rendered again:\n%s %s\n%s %s", doc, private, again, againPrivate)
		}
		var d struct{ Attributes map[string]json.RawMessage }
		if err := json.Unmarshal(doc, &d); err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]any{
			"str": v.Str, "named": v.Named, "bool": v.Bool, "bool_p": v.BoolP, "int": v.Int, "uint": v.Uint, "int_p": v.IntP,
			"float": v.Float, "float32": v.Float32, "float_p": v.FloatP, "strs_n": v.StrsN, "uuid": v.UUID,
			"hold": v.Hold, "hold_p": v.HoldP, "map": v.Map, "level": v.Level,
		} {
			var want bytes.Buffer
			e := json.NewEncoder(&want)
			e.SetEscapeHTML(false)
			if err := e.Encode(value); err != nil {
				t.Fatal(err)
			}
			if got, want := string(d.Attributes[name]), strings.TrimSuffix(want.String(), "\n"); got != want {
				t.Fatalf("%s: got %s, want %s", name, got, want)
			}
		}
	})
}

// TestAppendString compares with encoding/json on any bytes.
func TestAppendString(t *testing.T) {
	check := func(s string) string {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		_ = e.Encode(s) // a string cannot fail
		if got := string(record.AppendString([]byte("x"), s)) + "\n"; got != "x"+want.String() {
			return fmt.Sprintf("%q: got %s, want %s", s, got, want.String())
		}
		return ""
	}
	for c := range 0x3000 {
		if msg := check("a" + string(rune(c)) + "b"); msg != "" {
			t.Error(msg)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		if msg := check(string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))); msg != "" {
			t.Fatal(msg)
		}
	})
}

func TestAppendTime(t *testing.T) {
	for _, c := range []struct {
		t    time.Time
		want string
	}{
		{time.Time{}, `null`},
		{time.Time{}.In(time.FixedZone("", 3600)), `null`},
		{at("2026-01-24T17:00:00.999999999+02:00"), `"2026-01-24T15:00:00Z"`},
		{at("1969-12-31T23:59:59.5Z"), `"1969-12-31T23:59:59Z"`},
		{time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), `"9999-12-31T23:59:59Z"`},
		{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), `null`},
		{time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC), `null`},
	} {
		if got := string(record.AppendTime(nil, c.t)); got != c.want {
			t.Errorf("%v: got %s, want %s", c.t, got, c.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	v := full()
	doc, private := everythings.Encode(&v)
	f.Add(doc, private)
	f.Add([]byte(`{"attributes":{"raw":[1],"any":{}}}`), []byte(nil))
	doc, _ = everythings.Encode(&everything{})
	f.Add(doc, []byte(`{"extra":{}}`))
	f.Fuzz(func(t *testing.T, doc, private []byte) {
		var v everything
		if everythings.Decode(doc, private, &v) != nil {
			return
		}
		// What was read can be written, and is then stable.
		doc, private = everythings.Encode(&v)
		if !json.Valid(doc) || len(private) > 0 && !json.Valid(private) {
			t.Fatalf("not JSON: %s %s", doc, private)
		}
		var again everything
		if err := everythings.Decode(doc, private, &again); err != nil {
			t.Fatalf("%v: %s %s", err, doc, private)
		}
		doc2, private2 := everythings.Encode(&again)
		if !bytes.Equal(doc, doc2) || !bytes.Equal(private, private2) {
			t.Fatalf("not stable:\n%s %s\n%s %s", doc, private, doc2, private2)
		}
	})
}
