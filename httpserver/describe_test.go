package httpserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/internal/docstrings"
)

// TestDescribed compares described.json with the source code and with responses of
// the server. -update rewrites it; run TestOpenAPI with -update afterwards.
func TestDescribed(t *testing.T) {
	types := map[string]*docstrings.Type{}
	for _, dir := range []string{"..", "../freight", "../freetime", "../reliability", "."} {
		if err := docstrings.Read(dir, types); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.MarshalIndent(map[string]any{
		"types": types, "examples": examples(t), "errors": errorExamples(t),
	}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	compareCommitted(t, "described.json", append(text, '\n'))
}

// compareCommitted compares with a file outside testdata.
func compareCommitted(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is stale at byte %d: make golden", file, firstDifference(got, want))
	}
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

type exampleFile struct {
	Request any `json:"request,omitempty"`
	Answer  any `json:"answer,omitempty"`
}

// examples returns the first row of successes of each operation, with its response in
// testdata/answers.
func examples(t *testing.T) map[string]exampleFile {
	t.Helper()
	b := newBench(t)
	find := b.finder()
	all := map[string]exampleFile{}
	for _, row := range successes {
		name := find(request(row.method, b.mine.fill(row.path), ""))
		if _, ok := all[name]; ok {
			continue
		}
		golden, err := os.ReadFile("testdata/answers/" + row.name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		_, answer, _ := strings.Cut(string(golden), "\n\n")
		all[name] = exampleFile{Request: exampleOf(t, readable(b.mine.fill(row.body))), Answer: exampleOf(t, answer)}
	}
	return all
}

// exampleOf converts a body to an example: with complete UUIDs and shortened lists.
func exampleOf(t *testing.T, body string) any {
	t.Helper()
	if strings.TrimSpace(body) == "" {
		return nil
	}
	body = regexp.MustCompile(`\bU([0-9]+)\b`).ReplaceAllStringFunc(body, func(id string) string {
		return fmt.Sprintf("00000000-0000-4000-8000-%012s", id[1:])
	})
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil // a file
	}
	return shortenLists(v)
}

// shortenLists shortens lists, but keeps one element of each kind.
func shortenLists(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = shortenLists(member)
		}
	case []any:
		for i := range v {
			v[i] = shortenLists(v[i])
		}
		if len(v) > 1 {
			if _, ok := v[0].(map[string]any); ok {
				return v[:1]
			}
		}
		return v[:min(len(v), 3)]
	}
	return v
}

// errorExamples returns a response for every error status that a client can cause.
func errorExamples(t *testing.T) map[string]any {
	t.Helper()
	b := newBench(t)
	all := map[string]any{}
	add := func(a *response) {
		status := fmt.Sprint(a.status)
		if _, ok := all[status]; !ok && a.status >= 400 {
			all[status] = exampleOf(t, readable(string(a.body)))
		}
	}
	for _, row := range refusals {
		add(b.as(b.mine, row.method, b.mine.fill(row.path), b.mine.fill(row.body), row.headers...))
	}
	add(b.do("GET", "/v2/shipments", ""))
	reader, _ := b.newKey(b.mine.account, b.mine.user, tracking.Show)
	add(b.as(&tenant{key: reader}, "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B"}}}`))
	b.serve(limits(httpserver.Limits{Default: 1}))
	for range 2 {
		add(b.as(b.mine, "GET", "/v2/parties", ""))
	}
	delete(all, "405") // of no operation
	return all
}

// TestOpenAPI compares docs/openapi.json with the code.
func TestOpenAPI(t *testing.T) {
	doc, err := httpserver.OpenAPI("/v2")
	if err != nil {
		t.Fatal(err)
	}
	compareCommitted(t, "../docs/openapi.json", doc)
	b := newBench(t)
	if served := b.do("GET", "/v2/openapi.json", "").want(200); !bytes.Equal(served.body, doc) {
		t.Error("GET /v2/openapi.json serves another description")
	}
}
