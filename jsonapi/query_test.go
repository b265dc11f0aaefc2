package jsonapi

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var listAccept = Accept{
	Page:    true,
	Include: true,
	Filters: []string{"tracking_stopped", "number", "tags", "status", "created_at[start]", "created_at[end]", "custom_fields[*]", "custom_fields[*][gt]"},
	Sorts:   []string{"created_at", "pod_eta_at", "custom_fields[*]", "extra.*"},
}

// queryFault renders an error for the tables: status-like kind, parameter, detail.
func queryFault(err error) string {
	var all QueryErrors
	if !errors.As(err, &all) {
		return ""
	}
	lines := make([]string, len(all))
	for i, e := range all {
		lines[i] = fmt.Sprintf("%d %s: %s", [...]int{400, 422}[e.Kind], e.Parameter, e.Detail)
	}
	return strings.Join(lines, "\n")
}

func TestParseQuery(t *testing.T) {
	tests := []struct {
		raw  string
		want Query // Number 0 and Size 0 stand for 1 and 30
	}{
		{"", Query{}},
		{"&&", Query{}},
		{"page[number]=2&page[size]=1", Query{Number: 2, Size: 1}},
		{"page%5Bnumber%5D=2&page%5bsize%5d=5", Query{Number: 2, Size: 5}},
		{"page[size]=100", Query{Size: 100}},
		{"page[size]=101", Query{Size: 100}},
		{"page[number]=2147483647&page[size]=2147483647", Query{Number: 2147483647, Size: 100}},
		{"page[number]=007", Query{Number: 7}},
		{"include=", Query{IncludeSet: true}},
		{"include", Query{IncludeSet: true}},
		{"include=containers", Query{Include: []string{"containers"}, IncludeSet: true}},
		{"include=%20shipment+,,shipment.port,shipment,", Query{Include: []string{"shipment", "shipment.port"}, IncludeSet: true}},
		{"include=a.b.c,d%2Ce", Query{Include: []string{"a.b.c", "d", "e"}, IncludeSet: true}},
		{"sort=", Query{}},
		{"sort=-created_at,pod_eta_at", Query{Sort: []Sort{{"created_at", true}, {"pod_eta_at", false}}}},
		{"sort=custom_fields[priority]", Query{Sort: []Sort{{"custom_fields[priority]", false}}}},
		{"q=x+y&number=1&number=2&utm=%C3%A9&fields[a]=b&filters[x]=y&flag", Query{plain: []parameter{{"q", "x y"}, {"number", "1"}, {"number", "2"}, {"utm", "é"}, {"fields[a]", "b"}, {"filters[x]", "y"}, {"flag", ""}}}},
		{"filter[number]=A%2BB=C", Query{filters: []parameter{{"number", "A+B=C"}}}},
		{"filter%5Bcreated_at%5D%5Bstart%5D=2026-01-01", Query{filters: []parameter{{"created_at[start]", "2026-01-01"}}}},
		{"filter[custom_fields][a]=1&filter[custom_fields][b.c]=2", Query{filters: []parameter{{"custom_fields[a]", "1"}, {"custom_fields[b.c]", "2"}}}},
		{"q=" + strings.Repeat("%C3%A9", 200), Query{plain: []parameter{{"q", strings.Repeat("é", 200)}}}},
	}
	for _, tt := range tests {
		want := tt.want
		if want.Number == 0 {
			want.Number = 1
		}
		if want.Size == 0 {
			want.Size = 30
		}
		got, err := ParseQuery(tt.raw, listAccept)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n got %+v, %v\nwant %+v", tt.raw, got, err, want)
		}
	}
	if q, _ := ParseQuery("", Accept{PageSize: 25}); q.Size != 25 {
		t.Errorf("default size %d", q.Size)
	}
	q, _ := ParseQuery("number=1&number=2", Accept{})
	if v, ok := q.Param("number"); v != "2" || !ok {
		t.Errorf("a repeated plain parameter gives %q, %v; the last must win", v, ok)
	}
	if v, ok := q.Param("absent"); v != "" || ok {
		t.Errorf("absent gives %q, %v", v, ok)
	}
}

func TestParseQueryFaults(t *testing.T) {
	const (
		filters = "; it has filter[tracking_stopped], filter[number], filter[tags], filter[status], filter[created_at][start], filter[created_at][end], filter[custom_fields][*], filter[custom_fields][*][gt]."
		sorts   = "; it has created_at, pod_eta_at, custom_fields[*], extra.*."
		number  = "400 page[number]: page[number] must be a whole number from 1 to 2147483647."
		size    = "400 page[size]: page[size] must be a whole number from 1 to 2147483647."
	)
	paths := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "r%d,", i)
		}
		return b.String()
	}
	tests := []struct{ raw, want string }{
		{"page[number]=0", number},
		{"page[number]=-1", number},
		{"page[number]=+1", number},
		{"page[number]=1.5", number},
		{"page[number]=x", number},
		{"page[number]=", number},
		{"page[number]", number},
		{"page[number]=2147483648", number},
		{"page[number]=99999999999999999999", number},
		{"page[number]=%D9%A1", number}, // an Arabic one
		{"page[size]=0", size},
		{"page[size]=1e2", size},
		{"page[size]=0&page[number]=0", size + "\n" + number},
		{"page=2", "400 page: page is not a parameter of this operation; it has page[number] and page[size]."},
		{"page[cursor]=x", "400 page[cursor]: page[cursor] is not a parameter of this operation; it has page[number] and page[size]."},
		{"page[number]=1&page%5Bnumber%5D=1", "400 page[number]: page[number] is given more than once."},
		{"filter[status]=a&filter[status]=b", "400 filter[status]: filter[status] is given more than once."},
		{"include=a&include=b", "400 include: include is given more than once."},
		{"sort=created_at&sort=created_at", "400 sort: sort is given more than once."},
		{"include[]=a", "400 include[]: include[] is not a parameter of this operation."},
		{"sort[]=a", "400 sort[]: sort[] is not a parameter of this operation."},
		{"filter[nope]=1", "400 filter[nope]: filter[nope] is not a filter of this operation" + filters},
		{"filter=1", "400 filter: filter is not a filter of this operation" + filters},
		{"filter[]=1", "400 filter[]: filter[] is not a filter of this operation" + filters},
		{"filter[number=1", "400 filter[number: filter[number is not a filter of this operation" + filters},
		{"filter[number]x=1", "400 filter[number]x: filter[number]x is not a filter of this operation" + filters},
		{"filter[[number]]=1", "400 filter[[number]]: filter[[number]] is not a filter of this operation" + filters},
		{"filter[created_at]=1", "400 filter[created_at]: filter[created_at] is not a filter of this operation" + filters},
		{"filter[created_at][middle]=1", "400 filter[created_at][middle]: filter[created_at][middle] is not a filter of this operation" + filters},
		{"filter[custom_fields]=1", "400 filter[custom_fields]: filter[custom_fields] is not a filter of this operation" + filters},
		{"filter[custom_fields][a][b]=1", "400 filter[custom_fields][a][b]: filter[custom_fields][a][b] is not a filter of this operation" + filters},
		{"sort=name", "400 sort: This operation cannot sort by name" + sorts},
		{"filter[custom_fields][a][gt][gt]=1", "400 filter[custom_fields][a][gt][gt]: filter[custom_fields][a][gt][gt] is not a filter of this operation" + filters},
		{"filter[custom_fields][a][gt]=1&sort=extra.a,-extra.b", ""},
		{"sort=extra.", "400 sort: This operation cannot sort by extra." + sorts},
		{"sort=extra.a.b", "400 sort: This operation cannot sort by extra.a.b" + sorts},
		{"sort=--created_at", "400 sort: This operation cannot sort by -created_at" + sorts},
		{"sort=created_at,-created_at", "400 sort: sort names created_at more than once."},
		{"include=a.b.c.d", "400 include: The include path a.b.c.d is longer than 3 steps."},
		{"include=a..b", "400 include: The include path a..b has an empty step."},
		{"include=.", "400 include: The include path . has an empty step."},
		{"include=" + paths(10), ""},
		{"include=" + paths(11), "400 include: include may have at most 10 paths."},
		{"x=%", "400 x: The value has a malformed percent-encoding."},
		{"x=%4", "400 x: The value has a malformed percent-encoding."},
		{"x=%zz", "400 x: The value has a malformed percent-encoding."},
		{"x=%FF", "400 x: The value is not valid UTF-8."},
		{"x=\xff", "400 x: The value is not valid UTF-8."},
		{"x=a%00b", "400 x: The value contains a NUL character."},
		{"%zz=1", "400 %zz: The parameter's name has a malformed percent-encoding."},
		{"a\xff=1", "400 a\uFFFD: The parameter's name is not valid UTF-8."},
		{strings.Repeat("a", 200) + "%00=1", "400 : The parameter's name contains a NUL character."},
		{"q=" + strings.Repeat("x", 201), "422 q: q may be at most 200 characters long."},
		{"q=" + strings.Repeat("x", 201) + "&page[size]=x", size}, // one status: the 400 wins
		{strings.Repeat("x", MaxQuery+1), "400 : The query may be at most 16384 bytes long."},
	}
	for _, tt := range tests {
		_, err := ParseQuery(tt.raw, listAccept)
		if got := queryFault(err); got != tt.want {
			t.Errorf("%.60s\n got %s\nwant %s", tt.raw, got, tt.want)
		}
	}

	var many strings.Builder
	for i := range MaxFilters + 1 {
		fmt.Fprintf(&many, "&filter[custom_fields][f%d]=1", i)
	}
	_, err := ParseQuery(many.String(), listAccept)
	if got, want := queryFault(err), "400 filter: A request may have at most 50 filters."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	_, err = ParseQuery(strings.Repeat("a=%&", 1000), listAccept)
	var all QueryErrors
	if !errors.As(err, &all) || len(all) != maxQueryErrors || all.Kind() != BadParameter {
		t.Errorf("%d faults, want %d", len(all), maxQueryErrors)
	}
}

func TestParseQueryAcceptingNothing(t *testing.T) {
	for _, tt := range []struct{ raw, want string }{
		{"x=1", ""},
		{"include=", ""},
		{"include=a", "400 include: This operation has no related resources to include."},
		{"page[number]=1", "400 page[number]: This operation has no pages."},
		{"sort=a", "400 sort: This operation cannot sort by a; it has none."},
		{"filter[a]=1", "400 filter[a]: filter[a] is not a filter of this operation; it has none."},
	} {
		_, err := ParseQuery(tt.raw, Accept{})
		if got := queryFault(err); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.raw, got, tt.want)
		}
	}
}

func TestFilters(t *testing.T) {
	parse := func(raw string) *FilterReader {
		t.Helper()
		q, err := ParseQuery(raw, listAccept)
		if err != nil {
			t.Fatal(err)
		}
		return Filters(q)
	}
	f := parse("filter[tracking_stopped]=True&filter[tags]=a,+b,,a&filter[status]=pending,created&filter[number]=+X+&filter[custom_fields][k]=v&filter[custom_fields][k][gt]=1")
	if got := f.Bool("tracking_stopped"); !got.Set || !got.Value {
		t.Errorf("tracking_stopped %+v", got)
	}
	if got := f.List("tags"); !slices.Equal(got.Value, []string{"a", "b"}) {
		t.Errorf("tags %+v", got)
	}
	if got := f.OneOf("status", "created", "pending"); !slices.Equal(got.Value, []string{"pending", "created"}) {
		t.Errorf("status %+v", got)
	}
	if got := f.String("number"); got.Value != "X" {
		t.Errorf("number %+v", got)
	}
	if got := f.Keyed("custom_fields"); !slices.Equal(got, []Keyed{{"k", "", "v"}, {"k", "[gt]", "1"}}) {
		t.Errorf("custom_fields %+v", got)
	}
	if f.Err() != nil {
		t.Error(f.Err())
	}
	f = parse("")
	if f.Bool("tracking_stopped").Set || f.List("tags").Set || f.Time("created_at[start]").Set || f.String("number").Set || f.Keyed("custom_fields") != nil || f.Err() != nil {
		t.Error("an absent filter is set")
	}
	for _, v := range []string{"true", "TRUE", "1"} {
		if !parse("filter[tracking_stopped]=" + v).Bool("tracking_stopped").Value {
			t.Errorf("%s is not true", v)
		}
	}
	for _, v := range []string{"false", "False", "0"} {
		f := parse("filter[tracking_stopped]=" + v)
		if b := f.Bool("tracking_stopped"); b.Value || !b.Set || f.Err() != nil {
			t.Errorf("%s is not false", v)
		}
	}
}

func TestFilterTimes(t *testing.T) {
	tests := []struct{ value, start, end string }{
		{"2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.999999999Z"},
		{"2026-01-02T03:04:05.25Z", "2026-01-02T03:04:05.25Z", "2026-01-02T03:04:05.999999999Z"},
		{"2026-01-02T03:04:05%2B02:00", "2026-01-02T01:04:05Z", "2026-01-02T01:04:05.999999999Z"},
		{"2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05Z", "2026-01-02T01:04:05.999999999Z"},
		{"2024-02-29", "2024-02-29T00:00:00Z", "2024-02-29T23:59:59.999999999Z"},
		{"2026-02-29", "", ""},
		{"2026-1-2", "", ""},
		{"2026-01-02T03:04:05", "", ""},
		{"2026-01-02 03:04:05Z", "", ""},
		{"2026-01-02T03:04:05%2B24:00", "", ""},
		{"2026-01-02T03:04:05,5Z", "", ""},
		{"0001-01-01", "", ""},
		{"1767225600", "", ""},
		{"now", "", ""},
		{"", "", ""},
	}
	for _, tt := range tests {
		q, err := ParseQuery("filter[created_at][start]="+tt.value+"&filter[created_at][end]="+tt.value, listAccept)
		if err != nil {
			t.Fatal(err)
		}
		f := Filters(q)
		start, end := f.Time("created_at[start]"), f.TimeEnd("created_at[end]")
		if tt.start == "" {
			var all QueryErrors
			if !errors.As(f.Err(), &all) || len(all) != 2 || !start.Value.IsZero() || !end.Value.IsZero() {
				t.Errorf("%s: %v, %v, %v", tt.value, start.Value, end.Value, f.Err())
			}
			continue
		}
		if s, e := start.Value.Format(time.RFC3339Nano), end.Value.Format(time.RFC3339Nano); s != tt.start || e != tt.end || f.Err() != nil {
			t.Errorf("%s: %s to %s, %v; want %s to %s", tt.value, s, e, f.Err(), tt.start, tt.end)
		}
	}
}

func TestFilterFaults(t *testing.T) {
	q, err := ParseQuery("filter[tracking_stopped]=maybe&filter[tags]=,&filter[status]=lost&filter[number]=&filter[created_at][start]=x", listAccept)
	if err != nil {
		t.Fatal(err)
	}
	f := Filters(q)
	f.Bool("tracking_stopped")
	f.List("tags")
	f.OneOf("status", "pending", "created", "failed")
	f.String("number")
	f.Time("created_at[start]")
	f.Fail("custom_fields[k]", "No such field.")
	want := strings.TrimSpace(`
422 filter[tracking_stopped]: The value must be true or false.
422 filter[tags]: The filter needs a value.
422 filter[status]: The value must be pending, created or failed.
422 filter[number]: The filter needs a value.
422 filter[created_at][start]: The value must be an RFC 3339 time such as 2026-01-02T03:04:05Z, or a date.
422 filter[custom_fields][k]: No such field.`)
	if got := queryFault(f.Err()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var titles []string
	for _, e := range f.errs {
		titles = append(titles, e.Title())
	}
	if want := []string{"Invalid tracking_stopped", "Invalid tags", "Invalid status", "Invalid number", "Invalid created_at[start]", "Invalid custom_fields[k]"}; !slices.Equal(titles, want) {
		t.Errorf("titles %q", titles)
	}
	for _, tt := range []struct {
		err         QueryError
		title, text string
	}{
		{QueryError{Kind: BadValue, Parameter: "q", Detail: "d"}, "Invalid q", "q: d"},
		{QueryError{Kind: BadParameter, Detail: "d"}, "", "d"},
	} {
		if tt.err.Title() != tt.title || tt.err.Error() != tt.text {
			t.Errorf("%+v: %q, %q", tt.err, tt.err.Title(), tt.err.Error())
		}
	}

	var b strings.Builder
	for i := range MaxFilterValues + 1 {
		fmt.Fprintf(&b, "%d,", i)
	}
	q, err = ParseQuery("filter[tags]="+b.String(), listAccept)
	if err != nil {
		t.Fatal(err)
	}
	f = Filters(q)
	if f.List("tags").Value != nil || queryFault(f.Err()) != "422 filter[tags]: The filter may have at most 100 values." {
		t.Errorf("%v", f.Err())
	}
}
