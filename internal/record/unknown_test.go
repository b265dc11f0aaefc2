package record_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/record"
)

type leg struct {
	Ship  string `json:"ship"`
	Calls []call `json:"calls,omitempty"`
	embeddedLeg
	_ struct{} `removed:"gone"`
}

type embeddedLeg struct {
	Mode string `json:"mode,omitempty"`
}

type call struct {
	Port string
	At   time.Time
	Hide string `json:"-"`
}

type journeyRecord struct {
	ID    uuid.UUID      `id:""`
	Port  uuid.UUID      `rel:"port,port"`
	Name  string         `attr:"name"`
	Legs  []leg          `attr:"legs"`
	Main  *leg           `attr:"main"`
	Named map[string]leg `private:"named"`
	Count int            `private:"count"`
	_     struct{}       `removed:"former"`
}

func TestKeepUnknown(t *testing.T) {
	const doc = `{"id":"00000000-0000-0000-0000-000000000000","type":"journey","relationships":{"port":{"data":null}},"attributes":{"name":"a","legs":[],"main":null}}`
	c := record.For[journeyRecord]("journey")
	for name, test := range map[string]struct {
		stored, storedPrivate string
		change                func(*journeyRecord)
		want, wantPrivate     string
	}{
		"nothing unknown": {stored: doc, change: func(r *journeyRecord) { r.Name = "b" },
			want: `{"id":"00000000-0000-0000-0000-000000000000","type":"journey","relationships":{"port":{"data":null}},"attributes":{"name":"b","legs":[],"main":null}}`},
		"everywhere, at its place": {
			stored:        `{"id":"00000000-0000-0000-0000-000000000000","new":{"a":[1]},"type":"journey","relationships":{"berth":{"data":null},"port":{"data":null,"meta":{"x":1}}},"attributes":{"first":1,"name":"a","then":"\u00fc","legs":[],"main":null,"last":[{}]}}`,
			storedPrivate: `{"x":1,"count":2,"y":null}`,
			change:        func(r *journeyRecord) { r.Name, r.Count = "b", 3 },
			want:          `{"id":"00000000-0000-0000-0000-000000000000","new":{"a":[1]},"type":"journey","relationships":{"berth":{"data":null},"port":{"data":null,"meta":{"x":1}}},"attributes":{"first":1,"name":"b","then":"\u00fc","legs":[],"main":null,"last":[{}]}}`,
			wantPrivate:   `{"x":1,"count":3,"y":null}`},
		"behind escaped quotes, in another order": {
			stored:        `{"type":"journey", "id" : "00000000-0000-0000-0000-000000000000","relationships":{"port":{"data":null}},"attributes":{"odd":"a\\\"},\\\\","legs":[],"name":"\"\\","main":null}}`,
			storedPrivate: `{"y":"\\\"","count":2}`,
			change:        func(r *journeyRecord) { r.Name = "b" },
			want:          `{"id":"00000000-0000-0000-0000-000000000000","type":"journey","relationships":{"port":{"data":null}},"attributes":{"odd":"a\\\"},\\\\","name":"b","legs":[],"main":null}}`,
			wantPrivate:   `{"y":"\\\"","count":2}`},
		"behind a member that is zero now": {stored: doc, storedPrivate: `{"count":2,"y":1}`, change: func(r *journeyRecord) { r.Count = 0 },
			want: doc, wantPrivate: `{"y":1}`},
		"removed ones go": {
			stored:        `{"id":"00000000-0000-0000-0000-000000000000","type":"journey","relationships":{"port":{"data":null}},"attributes":{"name":"a","former":1,"legs":[{"ship":"s","gone":1,"odd":2}],"main":null}}`,
			storedPrivate: `{"former":1}`,
			change:        func(r *journeyRecord) { r.Legs[0].Mode = "rail" },
			want:          `{"id":"00000000-0000-0000-0000-000000000000","type":"journey","relationships":{"port":{"data":null}},"attributes":{"name":"a","legs":[{"ship":"s","odd":2,"mode":"rail"}],"main":null}}`},
		"in structs, lists and maps": {
			stored:        `{"id":"00000000-0000-0000-0000-000000000000","type":"journey","relationships":{"port":{"data":null}},"attributes":{"name":"a","legs":[{"ship":"1","odd":1},{"ship":"2","odd":2},{"ship":"3","odd":3,"calls":[{"Port":"P","Depth":9,"At":"2026-01-02T03:04:05Z"}]}],"main":{"ship":"m","odd":[{"a":1}]}}}`,
			storedPrivate: `{"named":{"a":{"ship":"x","odd":1},"b":{"ship":"y","odd":2}}}`,
			change: func(r *journeyRecord) {
				r.Main.Ship = "n"
				r.Legs = []leg{{Ship: "0"}, r.Legs[0], r.Legs[2]} // one new, one lost, one moved
				r.Legs[2].Mode = "sea"
				a := r.Named["a"]
				a.Ship = "z"
				r.Named["a"] = a
			},
			want:        `{"id":"00000000-0000-0000-0000-000000000000","type":"journey","relationships":{"port":{"data":null}},"attributes":{"name":"a","legs":[{"ship":"0"},{"ship":"1","odd":1},{"ship":"3","odd":3,"calls":[{"Port":"P","Depth":9,"At":"2026-01-02T03:04:05Z"}],"mode":"sea"}],"main":{"ship":"n","odd":[{"a":1}]}}}`,
			wantPrivate: `{"named":{"a":{"ship":"z","odd":1},"b":{"ship":"y","odd":2}}}`},
		"a value that is gone": {
			stored: `{"id":"00000000-0000-0000-0000-000000000000","type":"journey","relationships":{"port":{"data":null}},"attributes":{"name":"a","legs":[{"ship":"1","odd":1}],"main":{"ship":"m","odd":1}}}`,
			change: func(r *journeyRecord) { r.Main, r.Legs = nil, nil }, want: doc},
	} {
		t.Run(name, func(t *testing.T) {
			var v journeyRecord
			if err := c.Decode([]byte(test.stored), []byte(test.storedPrivate), &v); err != nil {
				t.Fatal(err)
			}
			// Unchanged, the record is what it was, member by member.
			doc, private := c.Encode(&v)
			kept, keptPrivate := c.KeepUnknown([]byte(test.stored), []byte(test.storedPrivate), doc, private)
			if name != "removed ones go" && name != "behind escaped quotes, in another order" && (string(kept) != test.stored || string(keptPrivate) != test.storedPrivate) {
				t.Errorf("unchanged:\n%s\n%s\nwant\n%s\n%s", kept, keptPrivate, test.stored, test.storedPrivate)
			}
			test.change(&v)
			doc, private = c.Encode(&v)
			doc, private = c.KeepUnknown([]byte(test.stored), []byte(test.storedPrivate), doc, private)
			if string(doc) != test.want || string(private) != test.wantPrivate {
				t.Errorf("changed:\n%s\n%s\nwant\n%s\n%s", doc, private, test.want, test.wantPrivate)
			}
		})
	}
}

// Text that is not JSON keeps nothing, and does not fail.
func TestKeepUnknownOfDamage(t *testing.T) {
	c := record.For[journeyRecord]("journey")
	doc, private := c.Encode(&journeyRecord{Count: 1})
	for _, damaged := range []string{"", "{", `{"x"`, `{"x":1`, "[1,2]", "null", "\x00"} {
		d, p := c.KeepUnknown([]byte(damaged), []byte(damaged), doc, private)
		if string(d) != string(doc) || string(p) != string(private) {
			t.Errorf("%q: %s %s", damaged, d, p)
		}
	}
}
