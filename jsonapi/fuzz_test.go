package jsonapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzParseResource(f *testing.F) {
	for _, s := range []string{
		`{"data":{"type":"t","id":"1","attributes":{"s":"x","b":true,"i":1,"l":["a"],"o":{"x":null},"os":[{}]},"relationships":{"r":{"data":null},"m":{"data":[{"type":"a","id":"b"}]}}}}`,
		`{"data":{"attributes":{"\u0073":"\ud83d\ude00\n"}}}`, `{"a":1,"a":2}`, `"\ud800"`, `[1e309]`, `{"a":"\u0000"}`, `[[[[]]]] `, "", "{", `{"data":{"id":null}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		err := Check(body, Limits{})
		if err == nil {
			var v any
			if err := json.Unmarshal(body, &v); err != nil {
				t.Fatalf("accepted, but encoding/json says %v", err)
			}
			again, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			// Marshalling escapes < and >, so the body may grow.
			if err := Check(again, Limits{Bytes: 8 * len(again)}); err != nil {
				t.Fatalf("accepted, but not once marshalled again: %v", err)
			}
			if !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0 {
				t.Fatal("accepted invalid UTF-8 or NUL")
			}
		} else {
			var (
				syntax *SyntaxError
				fields FieldErrors
			)
			switch {
			case errors.As(err, &syntax):
				if !utf8.ValidString(syntax.Detail) || syntax.Pointer != "" && syntax.Pointer[0] != '/' || syntax.Offset > len(body) {
					t.Fatalf("%+v", syntax)
				}
			case errors.As(err, &fields), errors.Is(err, ErrTooLarge):
			default:
				t.Fatalf("an error of no kind: %v", err)
			}
		}

		members, objectErr := ParseObject(body, Limits{})
		if objectErr == nil {
			var want map[string]json.RawMessage
			if err := json.Unmarshal(body, &want); err != nil || len(want) != len(members) {
				t.Fatalf("members %q, encoding/json %q, %v", members, want, err)
			}
			for name, value := range want {
				if !bytes.Equal(value, members[name]) {
					t.Fatalf("%q: %q, encoding/json %q", name, members[name], value)
				}
			}
			readAll(t, ObjectFields(members), members)
		}
		r, resourceErr := ParseResource(body, Limits{})
		if err != nil && (resourceErr == nil || objectErr == nil) {
			t.Fatal("parsed what Check refuses")
		}
		if resourceErr == nil {
			readAll(t, Fields(r), r.Attributes)
			for name, l := range r.Relationships {
				if l.Many != (l.List != nil) || l.Many && l.One != nil {
					t.Fatalf("%s: %+v", name, l)
				}
			}
		}
	})
}

// readAll reads every member with every method. None may panic, and strings must be
// those of encoding/json.
func readAll(t *testing.T, d *Decoder, members map[string]json.RawMessage) {
	for name, value := range members {
		if s := d.String(name); s.Given() && value[0] == '"' {
			var want string
			if err := json.Unmarshal(value, &want); err != nil || s.Value != want {
				t.Fatalf("%s: %q, encoding/json %q, %v", value, s.Value, want, err)
			}
		}
		d.Bool(name)
		d.Int(name)
		d.Float(name)
		d.Time(name)
		d.Strings(name)
		d.Raw(name)
		d.Object(name).Value.String("x")
		for _, o := range d.Objects(name).Value {
			if o != nil {
				o.String("x")
			}
		}
		d.ToOne(name, "t")
		d.ToMany(name, "t")
	}
	var all FieldErrors
	if errors.As(d.Err(), &all) && len(all) > maxFieldErrors {
		t.Fatalf("%d faults", len(all))
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{
		"page[number]=2&page[size]=30&include=a,b.c&sort=-created_at&filter[created_at][start]=2026-01-01&q=x",
		"page%5Bnumber%5D=9&filter%5Bcustom_fields%5D%5Ba%5D=1", "a=%zz&=&&", "filter[[a]]=1", "x=%FF", "flag&a=b;c=d", "filter[tags]=a,,b&filter[tracking_stopped]=True",
	} {
		f.Add(s, 100)
	}
	f.Fuzz(func(t *testing.T, raw string, total int) {
		q, err := ParseQuery(raw, listAccept)
		if err != nil {
			var all QueryErrors
			if !errors.As(err, &all) || len(all) == 0 || len(all) > maxQueryErrors {
				t.Fatalf("%v", err)
			}
			for _, e := range all {
				if e.Kind != all.Kind() || !utf8.ValidString(e.Parameter) || e.Detail == "" || (e.Title() != "") != (e.Kind == BadValue) {
					t.Fatalf("%+v", e)
				}
			}
			// A link to it is still a link.
			if _, err := url.Parse(SelfLink("https://host/v2/x", raw)); err != nil {
				t.Fatal(err)
			}
			return
		}
		if q.Number < 1 || q.Number > MaxPageNumber || q.Size < 1 || q.Size > MaxPageSize || len(q.Include) > MaxIncludePaths || len(q.filters) > MaxFilters {
			t.Fatalf("out of bounds: %+v", q)
		}
		r := Filters(q)
		r.Bool("tracking_stopped")
		r.Time("created_at[start]")
		r.TimeEnd("created_at[end]")
		r.Keyed("custom_fields")
		if len(r.List("tags").Value) > MaxFilterValues {
			t.Fatal("too many values")
		}

		links := PageLinks("https://host/v2/x", raw, q.Number, q.Size, total)
		if links.Self != links.Current || links.First == "" || links.Last == "" {
			t.Fatalf("%+v", links)
		}
		last := max(1, total/q.Size)
		if total > 0 && total%q.Size > 0 && total > q.Size {
			last = total/q.Size + 1
		}
		for _, l := range []struct {
			url    string
			number int
		}{{links.Self, q.Number}, {links.First, 1}, {links.Last, last}, {links.Next, q.Number + 1}, {links.Prev, min(q.Number-1, last)}} {
			if l.url == "" {
				continue
			}
			u, err := url.Parse(l.url)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(l.url, "page[number]="+strconv.Itoa(l.number)+"&page[size]="+strconv.Itoa(q.Size)) {
				t.Fatalf("%s is not page %d", l.url, l.number)
			}
			if len(u.RawQuery) > MaxQuery || l.number > MaxPageNumber {
				continue // encoding made it longer, or no page the parser takes
			}
			back, err := ParseQuery(u.RawQuery, listAccept)
			if err != nil {
				t.Fatalf("%s: %v", l.url, err)
			}
			if back.Number != l.number || back.Size != q.Size || !slices.Equal(back.Include, q.Include) || !slices.Equal(back.Sort, q.Sort) ||
				!slices.Equal(back.filters, q.filters) || !slices.Equal(back.plain, q.plain) {
				t.Fatalf("%s\nparsed back as %+v\nwas %+v", l.url, back, q)
			}
		}
		if (links.Next != "") != (q.Number < last) || (links.Prev != "") != (q.Number > 1) {
			t.Fatalf("page %d of %d: %+v", q.Number, last, links)
		}
		// The single-resource form keeps the query as well.
		if u, err := url.Parse(SelfLink("https://host/v2/x", raw)); err != nil {
			t.Fatal(err)
		} else if len(u.RawQuery) <= MaxQuery {
			if _, err := ParseQuery(u.RawQuery, listAccept); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzInclude(f *testing.F) {
	for _, s := range []string{"", "a", "a,b.c", " a , a", "a..b", "a.b.c.d", ",,,", strings.Repeat("a,", 20), "é.\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		paths, err := ParseInclude(value)
		if err != nil {
			var fault *QueryError
			if !errors.As(err, &fault) || paths != nil || fault.Parameter != "include" || fault.Kind != BadParameter {
				t.Fatalf("%q, %v", paths, err)
			}
			return
		}
		if len(paths) > MaxIncludePaths {
			t.Fatalf("%d paths", len(paths))
		}
		for i, p := range paths {
			steps := strings.Split(p, ".")
			if p != strings.TrimSpace(p) || len(steps) > MaxIncludeSteps || slices.Contains(steps, "") || slices.Contains(paths[:i], p) || strings.Contains(p, ",") {
				t.Fatalf("path %q of %q", p, paths)
			}
		}
		again, err := ParseInclude(strings.Join(paths, ","))
		if err != nil || !slices.Equal(again, paths) {
			t.Fatalf("%q read again is %q, %v", paths, again, err)
		}
	})
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "a\"\\\n", "\u2028", "\xff", "é<>&"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(AppendString(nil, s)), standard(t, s); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	})
}

func FuzzResponseType(f *testing.F) {
	for _, s := range []string{"", "application/vnd.api+json;q=0", `a;b="c,d";q=1`, `"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		got := ResponseType(header)
		if got != JSON && got != MediaType || got == MediaType && !strings.Contains(strings.ToLower(header), MediaType) {
			t.Fatalf("%q: %s", header, got)
		}
		_ = RequestType(header)
	})
}
