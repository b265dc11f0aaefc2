package jsonapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestParseResource(t *testing.T) {
	body := ` {"meta":{"x":[1]}, "data" : {
		"type":"tracking_request" , "id" :"7", "lid":"x",
		"attributes":{ "n\u006fte" : "a\"b\\c \ud83d\ude00" , "list":[ 1 , {"a":"]}"} ], "nil":null, "num":-1.5 ,"deep":{"a":{"b":[]}}},
		"relationships":{"customer":{"data":{"type":"party","id":"p1","meta":{}}},"user":{"data":null},
			"empty":{"data":[]},"many":{"links":{},"data":[{"type":"a","id":"1"},{"id":"2","type":"b"}]}}
	}}`
	r, err := ParseResource([]byte(body), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Type != "tracking_request" || r.ID != "7" {
		t.Errorf("type %q, id %q", r.Type, r.ID)
	}
	attributes := map[string]string{}
	for name, v := range r.Attributes {
		attributes[name] = string(v)
	}
	if want := map[string]string{
		"note": `"a\"b\\c \ud83d\ude00"`, "list": `[ 1 , {"a":"]}"} ]`, "nil": "null", "num": "-1.5", "deep": `{"a":{"b":[]}}`,
	}; !reflect.DeepEqual(attributes, want) {
		t.Errorf("attributes %q\nwant %q", attributes, want)
	}
	if want := map[string]Linkage{
		"customer": {One: &Identifier{"party", "p1"}},
		"user":     {},
		"empty":    {Many: true, List: []Identifier{}},
		"many":     {Many: true, List: []Identifier{{"a", "1"}, {"b", "2"}}},
	}; !reflect.DeepEqual(r.Relationships, want) {
		t.Errorf("relationships %+v\nwant %+v", r.Relationships, want)
	}
	if got := Fields(r).String("note").Value; got != "a\"b\\c \U0001F600" {
		t.Errorf("note %q", got)
	}
}

func TestParseResourceShape(t *testing.T) {
	tests := []struct{ body, want string }{
		{`{"data":{}}`, ""},
		{`{"data":{"id":null,"type":""}}`, ""},
		{`[]`, "wrong shape |  | The body must be a JSON object with the member data."},
		{`"data"`, "wrong shape |  | The body must be a JSON object with the member data."},
		{`null`, "wrong shape |  | The body must be a JSON object with the member data."},
		{`{}`, "wrong shape | /data | The body must have the member data, a resource object."},
		{`{"Data":{}}`, "wrong shape | /data | The body must have the member data, a resource object."},
		{`{"data":null}`, "wrong shape | /data | data must be a resource object."},
		{`{"data":[{}]}`, "wrong shape | /data | data must be a resource object."},
		{`{"data":{"type":1}}`, "wrong shape | /data/type | type must be a string."},
		{`{"data":{"type":null}}`, "wrong shape | /data/type | type must be a string."},
		{`{"data":{"id":1}}`, "wrong shape | /data/id | id must be a string."},
		{`{"data":{"attributes":[]}}`, "wrong shape | /data/attributes | attributes must be an object."},
		{`{"data":{"attributes":null}}`, "wrong shape | /data/attributes | attributes must be an object."},
		{`{"data":{"relationships":"x"}}`, "wrong shape | /data/relationships | relationships must be an object."},
		{`{"data":{"relationships":{"a":null}}}`, "wrong shape | /data/relationships/a | A relationship must be an object with the member data."},
		{`{"data":{"relationships":{"a/b":{}}}}`, "wrong shape | /data/relationships/a~1b/data | A relationship must have the member data."},
		{`{"data":{"relationships":{"a":{"data":"1"}}}}`, "wrong shape | /data/relationships/a/data | Linkage must be an object with type and id."},
		{`{"data":{"relationships":{"a":{"data":{"id":"1"}}}}}`, "wrong shape | /data/relationships/a/data/type | Linkage must have a type."},
		{`{"data":{"relationships":{"a":{"data":{"type":"x","id":""}}}}}`, "wrong shape | /data/relationships/a/data/id | Linkage must have an id."},
		{`{"data":{"relationships":{"a":{"data":{"type":"x","id":5}}}}}`, "wrong shape | /data/relationships/a/data/id | id must be a string."},
		{`{"data":{"relationships":{"a":{"data":[{"type":"x","id":"1"},null]}}}}`, "wrong shape | /data/relationships/a/data/1 | Linkage must be an object with type and id."},
		{`{"data":{"id":"1","id":"2"}}`, "duplicate name | /data/id | The object has this member twice."},
		{`{"data":{"attributes":{"` + strings.Repeat("x", 200) + `":"\u0000"}}}`, "NUL character | /data/attributes | A string contains a NUL character."},
	}
	for _, tt := range tests {
		_, err := ParseResource([]byte(tt.body), Limits{})
		if got := fault(err); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.body, got, tt.want)
		}
	}
}

func TestParseObject(t *testing.T) {
	m, err := ParseObject([]byte(` { "number" : "X1", "degrees":90 } `), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	d := ObjectFields(m)
	if n, g := d.String("number"), d.Int("degrees"); n.Value != "X1" || g.Value != 90 || d.Err() != nil {
		t.Errorf("%+v %+v %v", n, g, d.Err())
	}
	d.Int("number")
	d.ToOne("number")
	d.Type("x")
	if got, want := fault(d.Err()), "invalid_type | /number | number must be a whole number.\nblank | /data/type | type is required and must be x."; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for _, tt := range []struct{ body, want string }{
		{`[1]`, "wrong shape |  | The body must be a JSON object."},
		{`null`, "wrong shape |  | The body must be a JSON object."},
		{`{`, "malformed |  | The body ends where a member name in quotes was expected."},
	} {
		if _, err := ParseObject([]byte(tt.body), Limits{}); fault(err) != tt.want {
			t.Errorf("%s: %s, want %s", tt.body, fault(err), tt.want)
		}
	}
}

// resource returns a resource with the given attributes and relationships.
func resource(t *testing.T, attributes, relationships string) Resource {
	t.Helper()
	r, err := ParseResource([]byte(`{"data":{"type":"thing","attributes":`+attributes+`,"relationships":`+relationships+`}}`), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFieldsAbsentNullGiven(t *testing.T) {
	d := Fields(resource(t, `{"s":"x","sn":null,"se":"","b":true,"bf":false,"bn":null,"i":-9223372036854775808,"in":null,"f":1.5,
		"l":["a","b"],"le":[],"ln":null,"t":"2026-01-02T03:04:05+02:00","tn":null,"r":{"k":1},"rn":null,
		"o":{"x":"y"},"on":null,"os":[{"x":"1"},{}],"osn":null}`,
		`{"one":{"data":{"type":"party","id":"1"}},"none":{"data":null},"many":{"data":[{"type":"a","id":"1"}]}}`))
	d.Type("other", "thing")
	d.TypeIfSet("thing")
	check := func(name string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, want %#v", name, got, want)
		}
	}
	check("s", d.String("s"), Optional[string]{Value: "x", Set: true})
	check("sn", d.String("sn"), Optional[string]{Set: true, Null: true})
	check("se", d.String("se"), Optional[string]{Set: true})
	check("absent", d.String("absent"), Optional[string]{})
	check("b", d.Bool("b"), Optional[bool]{Value: true, Set: true})
	check("bf", d.Bool("bf"), Optional[bool]{Set: true})
	check("bn", d.Bool("bn"), Optional[bool]{Set: true, Null: true})
	check("i", d.Int("i"), Optional[int64]{Value: -9223372036854775808, Set: true})
	check("in", d.Int("in"), Optional[int64]{Set: true, Null: true})
	check("f", d.Float("f"), Optional[float64]{Value: 1.5, Set: true})
	check("l", d.Strings("l"), Optional[[]string]{Value: []string{"a", "b"}, Set: true})
	check("le", d.Strings("le"), Optional[[]string]{Value: []string{}, Set: true})
	check("ln", d.Strings("ln"), Optional[[]string]{Value: []string{}, Set: true, Null: true})
	check("absent list", d.Strings("absent"), Optional[[]string]{})
	check("t", d.Time("t"), Optional[time.Time]{Value: time.Date(2026, 1, 2, 1, 4, 5, 0, time.UTC), Set: true})
	check("tn", d.Time("tn"), Optional[time.Time]{Set: true, Null: true})
	check("r", string(d.Raw("r").Value), `{"k":1}`)
	check("rn", d.Raw("rn").Null, true)
	check("o", d.Object("o").Value.String("x").Value, "y")
	check("on", d.Object("on").Null, true)
	check("within null", d.Object("on").Value.String("x"), Optional[string]{})
	check("within absent", d.Object("absent").Value.Strings("x"), Optional[[]string]{})
	check("os", d.Objects("os").Value[0].String("x").Value, "1")
	check("osn", d.Objects("osn"), Optional[[]*Decoder]{Value: []*Decoder{}, Set: true, Null: true})
	check("one", d.ToOne("one", "party"), Optional[Identifier]{Value: Identifier{"party", "1"}, Set: true})
	check("one of any type", d.ToOne("one").Given(), true)
	check("none", d.ToOne("none", "party"), Optional[Identifier]{Set: true, Null: true})
	check("absent one", d.ToOne("absent"), Optional[Identifier]{})
	check("many", d.ToMany("many", "a"), Optional[[]Identifier]{Value: []Identifier{{"a", "1"}}, Set: true})
	check("absent many", d.ToMany("absent"), Optional[[]Identifier]{})
	check("has", []bool{d.Has("sn"), d.Has("absent")}, []bool{true, false})
	check("or", []string{d.String("s").Or("z"), d.String("sn").Or("z"), d.String("absent").Or("z")}, []string{"x", "z", "z"})
	check("ptr", []bool{d.String("s").Ptr() != nil, d.String("sn").Ptr() == nil}, []bool{true, true})
	if err := d.Err(); err != nil {
		t.Error(err)
	}
}

func TestFieldsFaults(t *testing.T) {
	r := resource(t, `{"s":1,"b":"true","i":1.0,"big":9223372036854775808,"f":"1","l":"a","l2":["a",1,null],
		"t":"2026-01-02","t2":5,"t3":"9999-12-31T23:59:59-01:00","t4":"0001-01-01T00:00:00Z","t5":"2026-01-02T3:04:05Z",
		"o":[],"os":[{"x":1},2],"a/b":1}`,
		`{"one":{"data":[]},"one2":{"data":{"type":"user","id":"1"}},"many":{"data":null},"many2":{"data":[{"type":"a","id":"1"},{"type":"c","id":"1"}]}}`)
	d := Fields(r)
	d.Type("shipment")
	d.String("s")
	d.Bool("b")
	d.Int("i")
	d.Int("big")
	d.Float("f")
	d.Strings("l")
	if l := d.Strings("l2"); l.Value != nil || !l.Set {
		t.Errorf("a list at fault came back as %+v", l)
	}
	for _, name := range []string{"t", "t2", "t3", "t4", "t5"} {
		if v := d.Time(name); !v.Value.IsZero() {
			t.Errorf("%s at fault came back as %v", name, v)
		}
	}
	d.Object("o")
	d.Objects("os")
	d.ToOne("one")
	d.ToOne("one2", "party", "account", "group")
	d.ToMany("many")
	d.ToMany("many2", "a", "b")
	d.String("a/b")
	d.Fail("x", "taken", "x is taken.")
	want := strings.TrimSpace(`
invalid | /data/type | type must be shipment.
invalid_type | /data/attributes/s | s must be a string.
invalid_type | /data/attributes/b | b must be true or false.
invalid_type | /data/attributes/i | i must be a whole number.
out_of_range | /data/attributes/big | big is too large.
invalid_type | /data/attributes/f | f must be a number.
invalid_type | /data/attributes/l | l must be an array of strings.
invalid_type | /data/attributes/l2/1 | l2 must be an array of strings; element 1 is not a string.
invalid_type | /data/attributes/l2/2 | l2 must be an array of strings; element 2 is not a string.
invalid | /data/attributes/t | t must be an RFC 3339 time such as 2026-01-02T03:04:05Z.
invalid_type | /data/attributes/t2 | t2 must be a string.
invalid | /data/attributes/t3 | t3 must be an RFC 3339 time such as 2026-01-02T03:04:05Z.
invalid | /data/attributes/t4 | t4 must be an RFC 3339 time such as 2026-01-02T03:04:05Z.
invalid | /data/attributes/t5 | t5 must be an RFC 3339 time such as 2026-01-02T03:04:05Z.
invalid_type | /data/attributes/o | o must be an object.
invalid_type | /data/attributes/os/1 | os must be an array of objects; element 1 is not an object.
invalid_type | /data/relationships/one/data | one must be one resource, not a list.
invalid | /data/relationships/one2/data/type | type must be party, account or group.
invalid_type | /data/relationships/many/data | many must be a list of resources.
invalid | /data/relationships/many2/data/1/type | type must be a or b.
invalid_type | /data/attributes/a~1b | a/b must be a string.
taken | /data/attributes/x | x is taken.`)
	if got := fault(d.Err()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var one *FieldError
	if !errors.As(d.Err(), &one) || one.Pointer != "/data/type" {
		t.Errorf("errors.As found %v", one)
	}
	if got := d.Err().Error(); !strings.HasPrefix(got, "/data/type: type must be shipment.; /data/attributes/s: ") {
		t.Error(got)
	}
}

func TestFieldsNested(t *testing.T) {
	d := Fields(resource(t, `{"headers":[{"name":"X-Env","value":"dev"},{"name":5}],"initial":{"shipment":[{"api_slug":[]}]}}`, `{}`))
	for _, h := range d.Objects("headers").Value {
		h.String("name")
	}
	for _, s := range d.Object("initial").Value.Objects("shipment").Value {
		s.String("api_slug")
	}
	want := "invalid_type | /data/attributes/headers/1/name | name must be a string.\n" +
		"invalid_type | /data/attributes/initial/shipment/0/api_slug | api_slug must be a string."
	if got := fault(d.Err()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFieldsFaultsAreBounded(t *testing.T) {
	d := Fields(resource(t, fmt.Sprintf(`{"tags":[%s1]}`, strings.Repeat("1,", 999)), `{}`))
	d.Strings("tags")
	var all FieldErrors
	if !errors.As(d.Err(), &all) || len(all) != maxFieldErrors {
		t.Errorf("%d faults, want %d", len(all), maxFieldErrors)
	}
}

func TestIgnored(t *testing.T) {
	d := Fields(resource(t, `{"a":"x","b":{"within":1},"c":null,"d/e":1,"`+strings.Repeat("x", 200)+`":1}`,
		`{"one":{"data":null},"two":{"data":null}}`))
	d.String("a")
	d.Object("b").Value.String("other")
	d.String("absent")
	d.Has("c")
	d.ToOne("one")
	want := []string{"/data/attributes", "/data/attributes/c", "/data/attributes/d~1e", "/data/relationships/two"}
	if got := d.Ignored(100); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := d.Ignored(2); len(got) != 2 {
		t.Errorf("got %q, want two", got)
	}
	if got := d.Object("b").Value.Ignored(100); got != nil {
		t.Errorf("a nested object ignored %q", got)
	}
	plain := ObjectFields(map[string]json.RawMessage{"a": json.RawMessage("1"), "b": json.RawMessage("2")})
	plain.Int("a")
	if got := plain.Ignored(100); !reflect.DeepEqual(got, []string{"/b"}) {
		t.Errorf("got %q, want /b", got)
	}
}
