package jsonapi

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares an indented document with testdata/name.
func golden(t *testing.T, name string, doc []byte) {
	t.Helper()
	if err := Check(doc, Limits{}); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, doc)
	}
	var got bytes.Buffer
	if err := json.Indent(&got, doc, "", "  "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got.Bytes(), want)
	}
}

func TestGoldens(t *testing.T) {
	shipment := []byte(`{"id":"U1","type":"shipment","relationships":{"containers":{"data":[{"id":"U4","type":"container"}]}},"attributes":{"ref_numbers":["PO-9 }"]}}`)
	container := []byte(`{"id":"U4","type":"container","relationships":{},"attributes":{"number":"ABCU1234560"}}`)
	document := []byte(`{"id":"U5","type":"document","relationships":{},"attributes":{"name":"inv <1> & \"2\".pdf"}}`)
	rows := []Raw{{Doc: shipment, Self: "/v2/shipments/"}}
	included := []Raw{{Doc: container, Self: "/v2/containers/U4"}, {Doc: []byte(`{"id":"U2","type":"user"}`)}}
	none := []Raw{}

	golden(t, "collection.json", AppendCollection(nil, rows, included,
		PageLinks("https://host/v2/shipments", "page[number]=2&page[size]=1&include=containers", 2, 1, 9), Meta{Size: 1, Total: 9}))
	golden(t, "collection_empty.json", AppendCollection(nil, none, nil, PageLinks("https://host/v2/webhooks", "", 1, 30, 0), Meta{Size: 30}))
	golden(t, "collection_nil.json", AppendCollection(nil, nil, none, Links{}, Meta{}))
	golden(t, "single.json", AppendSingle(nil, Raw{Doc: document, Self: "/v2/documents/", ExtraLinks: []ExtraLink{{"download", "/download_url"}}}, included,
		SelfLink("https://host/v2/documents/U5", "include=account")))
	golden(t, "single_bare.json", AppendSingle(nil, Raw{Doc: container}, nil, ""))
	golden(t, "errors.json", AppendErrors(nil, []Error{
		{Status: "422", Title: "Unprocessable Entity", Code: "duplicate", Detail: "Request number 'A<1>&\"\u2028' already exists", Source: &Source{Pointer: "/data/attributes/request_number"}, Meta: map[string]any{"tracking_request_id": "U7", "b": "<&>", "a": 1}},
		{Status: "400", Title: "Bad Request", Source: &Source{Parameter: "include"}},
		{Detail: "url is required", Source: &Source{}},
		{Status: "500", Meta: map[string]any{"cannot": func() {}}},
		{},
	}))
	golden(t, "errors_none.json", AppendErrors(nil, nil))
}

func TestErrorDecodes(t *testing.T) {
	want := []Error{{Status: "400", Code: "c", Title: "t", Detail: "d\x00\xff", Source: &Source{Pointer: "/p", Parameter: "q"}, Meta: map[string]any{"k": "v"}}}
	var got struct{ Errors []Error }
	if err := json.Unmarshal(AppendErrors(nil, want), &got); err != nil {
		t.Fatal(err)
	}
	want[0].Detail = "d\x00\ufffd"
	if fmt.Sprintf("%+v %+v", got.Errors[0].Source, got.Errors[0].Meta) != fmt.Sprintf("%+v %+v", want[0].Source, want[0].Meta) || got.Errors[0].Detail != want[0].Detail {
		t.Errorf("got %+v", got.Errors[0])
	}
}

func TestAppendResource(t *testing.T) {
	tests := []struct{ doc, self, want string }{
		{`{"id":"1","a":{}}`, "/v2/x/1", `{"id":"1","a":{},"links":{"self":"/v2/x/1"}}`},
		{`{"id":"1","a":{}}`, "/v2/x/", `{"id":"1","a":{},"links":{"self":"/v2/x/1"}}`},
		{`{"id":"1","a":{}}`, "", `{"id":"1","a":{},"links":{}}`},
		{`{}`, "", `{"links":{}}`},
		{`{"id":"invoice@2.1~b_c"}`, "/x/", `{"id":"invoice@2.1~b_c","links":{"self":"/x/invoice@2.1~b_c"}}`},
		{`{"id":"a/b c\"é"}`, "/x/", `{"id":"a/b c\"é","links":{"self":"/x/a%2Fb%20c%22%C3%A9"}}`},
		{`{"type":"t","id":"1"}`, "/x/", `{"type":"t","id":"1","links":{"self":"/x/1"}}`},
		{`{ "id" : "1" } `, "/x/", `{ "id" : "1" ,"links":{"self":"/x/1"}} `},
		{`{"type":"t"}`, "/x/", `{"type":"t","links":{}}`},
		{`{"id":""}`, "/x/", `{"id":"","links":{}}`},
		{`{}`, "/x/1", `{"links":{"self":"/x/1"}}`},
		{` { } `, "/x/1", ` { "links":{"self":"/x/1"}} `},
		{`{"id":"1"}`, `/x"\`, `{"id":"1","links":{"self":"/x\"\\"}}`},
		{`{"id":"1`, "/x/", `{"id":"1`},
		{``, "/x/", ``},
	}
	for _, tt := range tests {
		if got := string(AppendResource([]byte("before"), []byte(tt.doc), tt.self)); got != "before"+tt.want {
			t.Errorf("%s with %s:\n got %s\nwant before%s", tt.doc, tt.self, got, tt.want)
		}
	}
}

// standard returns the encoding of encoding/json without HTML escapes.
func standard(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestAppendString(t *testing.T) {
	tests := []string{"", "plain", `"\/`, "<>&", "\u2028\u2029\u2027", "é\U0001F600", "\xff\xc3", "\xe2\x80", "a\xed\xa0\x80b", "\ufffd", "\x7f\u0080"}
	for c := range 256 {
		tests = append(tests, string([]byte{'a', byte(c), 'b'}))
	}
	for _, s := range tests {
		if got, want := string(AppendString(nil, s)), standard(t, s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
		if got, want := string(AppendString(nil, []byte(s))), standard(t, s); got != want {
			t.Errorf("bytes %q: got %s, want %s", s, got, want)
		}
	}
}

// page is the page of the performance goals: 30 shipments of 2 KB with 60 containers
// of 1.25 KB.
func page() (rows, included []Raw) {
	build := func(n, size int, kind, path string) []Raw {
		var all []Raw
		for i := range n {
			doc := fmt.Sprintf(`{"id":"00000000-0000-4000-8000-%012d","type":"%s","relationships":{},"attributes":{"x":"`, i, kind)
			doc += strings.Repeat("x", size-len(doc)-3) + `"}}`
			all = append(all, Raw{Doc: []byte(doc), Self: path})
		}
		return all
	}
	return build(30, 2050, "shipment", "/v2/shipments/"), build(60, 1250, "container", "/v2/containers/")
}

func TestAppendCollectionDoesNotAllocate(t *testing.T) {
	rows, included := page()
	links := PageLinks("https://host/v2/shipments", "include=containers", 2, 30, 1000)
	buf := AppendCollection(nil, rows, included, links, Meta{30, 1000})
	if n := testing.AllocsPerRun(100, func() { buf = AppendCollection(buf[:0], rows, included, links, Meta{30, 1000}) }); n > 0 {
		t.Errorf("%v allocations a page", n)
	}
}

func BenchmarkAppendCollection(b *testing.B) {
	rows, included := page()
	links := PageLinks("https://host/v2/shipments", "include=containers", 2, 30, 1000)
	buf := AppendCollection(nil, rows, included, links, Meta{30, 1000})
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendCollection(buf[:0], rows, included, links, Meta{30, 1000})
	}
}

// BenchmarkCopy is the baseline: a single copy of the same bytes.
func BenchmarkCopy(b *testing.B) {
	rows, included := page()
	buf := AppendCollection(nil, rows, included, Links{}, Meta{30, 1000})
	to := make([]byte, 0, len(buf))
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		to = append(to[:0], buf...)
	}
}

func BenchmarkAppendSingle(b *testing.B) {
	rows, _ := page()
	row := rows[0]
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendSingle(buf[:0], row, nil, "https://host/v2/shipments/00000000-0000-4000-8000-000000000000")
	}
}

func BenchmarkPageLinks(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		PageLinks("https://host/v2/shipments", "include=containers&page[number]=2&page[size]=30", 2, 30, 1000)
	}
}

func BenchmarkParseQuery(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseQuery("include=containers&page[number]=2&page[size]=30&filter[tracking_stopped]=true", listAccept); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseResource(b *testing.B) {
	body := []byte(`{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"ABCD00112233","scac":"ABCD","auto_detect_vocc_scac":false,"ref_numbers":["PO-1"],"shipment_tags":["urgent"],"initial_custom_fields":{"shipment":[{"api_slug":"buyer","value":"Kim"}]}},"relationships":{"customer":{"data":{"type":"party","id":"00000000-0000-4000-8000-000000000001"}}}}}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseResource(body, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheckWorst checks the most expensive valid body: 1 MiB of short names in
// objects of maximum size.
func BenchmarkCheckWorst(b *testing.B) {
	body := []byte("[")
	for i := 0; len(body) < 1<<20-20; i++ {
		if i%1000 == 0 {
			body = append(body, '{')
		}
		body = fmt.Appendf(body, `"%x":1`, i)
		if i%1000 == 999 {
			body = append(body, '}')
		}
		body = append(body, ',')
	}
	body = append(body[:bytes.LastIndex(body, []byte("},"))], "}]"...)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := Check(body, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
