package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/mcpserver"
)

// TestToolsOfTheInterface checks names, inputs and annotations of all tools.
func TestToolsOfTheInterface(t *testing.T) {
	w := newWorld(t)
	var got []string
	for _, tool := range w.tools() {
		got = append(got, tool.Name)
		writes := tool.Name == "track_container"
		want := map[string]any{"title": tool.Title, "readOnlyHint": !writes, "idempotentHint": !writes, "destructiveHint": false, "openWorldHint": false}
		if compact(t, tool.Annotations) != compact(t, want) {
			t.Errorf("%s: the annotations are %v", tool.Name, tool.Annotations)
		}
		if tool.Title == "" || tool.Description == "" || !strings.Contains(string(tool.OutputSchema), "_response_contract") {
			t.Errorf("%s lacks a title, a description or a schema", tool.Name)
		}
		for _, common := range []string{`"intent"`, `"timezone"`, `"units"`} {
			if !strings.Contains(string(tool.InputSchema), common) {
				t.Errorf("%s has no argument %s", tool.Name, common)
			}
		}
	}
	slices.Sort(got)
	want := []string{
		"as_of", "compare_document", "explain_eta", "get_charges", "get_container", "get_container_route", "get_container_transport_events", "get_shipment_details",
		"get_supported_shipping_lines", "list_containers", "list_exceptions", "list_shipments", "list_tracking_requests", "search_container", "track_container", "what_needs_attention",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the tools are %q, want %q", got, want)
	}
}

// TestWrongArguments: each is a result that names the tool and the argument.
func TestWrongArguments(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("x", 501)
	for _, c := range []struct {
		tool, arguments, want string
	}{
		{"get_container", `{}`, "get_container: id: is required"},
		{"get_container", `{"id":null}`, "id: is required"},
		{"get_container", `{"id":"MRKU9465770"}`, "id: must be an ID (UUID)"},
		{"get_container", `{"id":"../shipments"}`, "id: must be an ID (UUID)"},
		{"get_container", `{"id":7}`, "id: must be a text"},
		{"get_container", `{"id":"` + unknownID + `","include":["invoice"]}`, "include: must be one of shipment, pod_terminal, transport_events"},
		{"get_container", `{"id":"` + unknownID + `","include":"shipment"}`, "include: must be a list of texts"},
		{"get_container", `{"id":"` + unknownID + `","timezone":"Mars/Base"}`, "timezone: must be an IANA time zone"},
		{"get_container", `{"id":"` + unknownID + `","units":"stone"}`, "units: must be one of metric, imperial"},
		{"get_container", `[]`, "arguments: must be an object"},
		{"search_container", `{"query":"  "}`, "query: must not be empty"},
		{"search_container", `{"query":"` + long + `"}`, "query: must have at most 500 characters"},
		{"search_container", `{"query":"a","intent":"` + long + `"}`, "intent: must have at most 200 characters"},
		{"track_container", `{}`, "track_container: number: is required"},
		{"track_container", `{"number":"!!"}`, "number: has no letter and no digit"},
		{"track_container", `{"number":"A1","numberType":"invoice"}`, "numberType: must be container, booking or bill_of_lading"},
		{"list_shipments", `{"page":0}`, "page: must be a whole number from 1 on"},
		{"list_shipments", `{"page":1.5}`, "page: must be a whole number from 1 on"},
		{"list_shipments", `{"page":1e300}`, "page: must be a whole number from 1 on"},
		{"list_shipments", `{"tracking_stopped":"yes"}`, "tracking_stopped: must be true or false"},
		{"list_tracking_requests", `{"filters":["a"]}`, "filters: must be an object of texts"},
		{"as_of", `{"id":"` + unknownID + `","at":"yesterday"}`, "at: must be a time with its zone"},
		{"as_of", `{"id":"` + unknownID + `","at":"2999-01-01T00:00:00Z"}`, "at: must not be in the future"},
		{"compare_document", `{}`, "compare_document: id: is required, or shipment_id"},
	} {
		a := w.call(w.key, c.tool, json.RawMessage(c.arguments))
		if text := a.Content[0].Text; !a.IsError || len(a.StructuredContent) > 0 || !strings.HasPrefix(text, "Input validation error: "+c.tool+": ") || !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %q, want %q", c.tool, c.arguments, text, c.want)
		}
	}
}

// TestEveryToolWithEmptyAndHostileInput: no tool panics, and every failure says what is wrong,
// without an address or a key.
func TestEveryToolWithEmptyAndHostileInput(t *testing.T) {
	w := newWorld(t)
	hostile := []string{`""`, `"\u0000"`, `"` + strings.Repeat("9", 499) + `"`, `"'; DROP TABLE container;--"`, `"../../healthz?x=#"`, `"\u202e\ud800"`, `{"$ref":"#"}`, `[[[[[]]]]]`, `1e999`, `-1`, `true`, `"` + unknownID + `"`}
	for _, tool := range w.tools() {
		var input struct{ Properties map[string]any }
		if err := json.Unmarshal(tool.InputSchema, &input); err != nil {
			t.Fatal(err)
		}
		for _, value := range append(hostile, "") {
			members := []string{`"unknown_argument":1`}
			for name := range input.Properties {
				if value != "" {
					members = append(members, fmt.Sprintf("%q:%s", name, value))
				}
			}
			out := w.post("Token "+w.key, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool.Name+`","arguments":{`+strings.Join(members, ",")+`}}}`)
			text := out.Body.String()
			if out.Code != http.StatusOK && out.Code != http.StatusBadRequest || strings.Contains(text, "internal error") || strings.Contains(text, w.key) || strings.Contains(text, "tracking.example.com/v2?") {
				t.Errorf("%s with %s: status %d: %s", tool.Name, value, out.Code, text)
			}
		}
	}
}

// TestTextsOfOthers: what others wrote has no hidden characters and no line breaks, stands in
// quotation marks in sentences, and is marked as data.
func TestTextsOfOthers(t *testing.T) {
	w := newWorld(t)
	w.fill()
	s := w.cases["hostile text"]
	for _, q := range questionsAbout("tracked", s) {
		a := w.call(w.key, q.tool, q.arguments)
		text := compact(t, a)
		if strings.ContainsAny(text, "\u202e\u200b\u2028\U000e0041") {
			t.Errorf("%s: hidden characters are in %s", q.tool, text)
		}
		var read struct{ Summary []string }
		if a.IsError || json.Unmarshal([]byte(a.Content[0].Text), &read) != nil {
			t.Errorf("%s: %s", q.tool, a.Content[0].Text)
		}
		for _, line := range read.Summary {
			if i := strings.Index(line, order); i >= 0 && !strings.Contains(line[:i], "“") {
				t.Errorf("%s: an order outside of quotation marks: %s", q.tool, line)
			}
		}
	}
	if text := compact(t, w.result("get_container", map[string]any{"id": s.container})); !strings.Contains(text, "Exam") && !strings.Contains(text, order) {
		t.Errorf("the text of the terminal is left out: %s", text)
	}
}

// TestTrack tracks a number, and not twice.
func TestTrack(t *testing.T) {
	w := newWorld(t)
	w.fill()
	count := func() int {
		return int(w.result("list_tracking_requests", map[string]any{})["meta"].(map[string]any)["total"].(float64))
	}
	before := count()
	for _, number := range []string{"MRKU9465770", "mrku 946577 0", "MAEU2600001", "2600001"} {
		r := w.result("track_container", map[string]any{"number": number})
		if r["tracking_request_created"] != false || r["id"] != w.cases["tracked"].container {
			t.Errorf("%s: %v", number, r)
		}
	}
	if after := count(); after != before {
		t.Errorf("%d requests after tracking known numbers, want %d", after, before)
	}
	for i, arguments := range []map[string]any{
		{"number": "MAEU 2600099", "numberType": "BL", "scac": "maeu", "refNumbers": []string{"PO-1"}}, {"number": "maeu2600099"}, {"number": "MAEU2600099", "numberType": "bill_of_lading", "scac": "MAEU"},
	} {
		r := w.result("track_container", arguments)
		request, _ := r["tracking_request"].(map[string]any)
		if r["tracking_request_created"] != (i == 0) || request["request_number"] != "MAEU2600099" || request["status"] != "pending" {
			t.Errorf("%v: %v", arguments, r)
		}
	}
	if after := count(); after != before+1 {
		t.Errorf("%d requests after tracking a new number three times, want %d", after, before+1)
	}
	if a := w.call(w.key, "track_container", map[string]any{"number": "MAEU2600098", "numberType": "booking", "scac": "ZZZZ"}); !a.IsError || !strings.Contains(a.Content[0].Text, "scac") {
		t.Errorf("an unknown line: %+v", a)
	}
}

// TestPermissionsAndLimits: a tool may what its key may, and its requests count.
func TestPermissionsAndLimits(t *testing.T) {
	w := newWorld(t)
	w.fill()
	reader := w.newKey(w.Account.Scope(), tracking.Show)
	if a := w.call(reader, "get_container", map[string]any{"id": w.cases["held"].container}); a.IsError {
		t.Errorf("a key that may show: %s", a.Content[0].Text)
	}
	if a := w.call(reader, "track_container", map[string]any{"number": "MAEU2600097", "scac": "MAEU", "numberType": "BL"}); !a.IsError || !strings.HasPrefix(a.Content[0].Text, "Forbidden: ") {
		t.Errorf("a key that may only show makes a request: %+v", a)
	}
	if a := w.call("lf_wrong", "get_container", map[string]any{"id": w.cases["held"].container}); !a.IsError || !strings.HasPrefix(a.Content[0].Text, "Unauthorized: ") || strings.Contains(a.Content[0].Text, "lf_wrong") {
		t.Errorf("a wrong key: %+v", a)
	}
	w.serve(httpserver.Limits{Default: 3})
	var last string
	for range 4 {
		last = w.call(w.key, "get_container", map[string]any{"id": w.cases["held"].container}).Content[0].Text
	}
	if !strings.HasPrefix(last, "RateLimited: ") || !strings.Contains(last, "seconds") {
		t.Errorf("the fourth of three requests a minute: %s", last)
	}
}

// TestReader: the time zone and the units of the reader.
func TestReader(t *testing.T) {
	w := newWorld(t)
	w.fill()
	s := w.cases["on ship"]
	for zone, want := range map[string]string{"": "08:00 PDT", "Europe/Berlin": "16:00 CET", "Asia/Tokyo": "00:00 JST"} {
		if got := compact(t, w.result("explain_eta", map[string]any{"id": s.shipment, "timezone": zone})["summary"]); !strings.Contains(got, want) {
			t.Errorf("for %q, want %s in %s", zone, want, got)
		}
	}
}

// TestEstimatesReceivedTogether: an estimate that was received with the first one has moved,
// though no change of it was recorded.
func TestEstimatesReceivedTogether(t *testing.T) {
	w := newWorld(t)
	w.Clock.Set(time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC))
	first := estimated("e", "2026-04-02T08:00:00-07:00") + `,"recorded_at":"2026-03-01T00:00:00Z"`
	last := estimated("e", "2026-04-03T08:00:00-07:00") + `,"recorded_at":"2026-03-05T00:00:00Z"`
	s := w.report("together", "MAEU2600020", "MRKU9465770", loaded("2026-03-09T10:00:00+08:00"), first, last)
	if got := compact(t, w.result("explain_eta", map[string]any{"id": s.shipment})["summary"]); !strings.Contains(got, "It is 24 hours later than at first (") {
		t.Error(got)
	}
}

// TestPages reads the lists by pages.
func TestPages(t *testing.T) {
	w := newWorld(t)
	w.fill()
	seen := map[any]bool{}
	total := 0
	for page := 1; ; page++ {
		r := w.result("list_containers", map[string]any{"page": page, "page_size": 3})
		rows := r["items"].([]any)
		total = int(r["meta"].(map[string]any)["total"].(float64))
		for _, row := range rows {
			seen[row.(map[string]any)["id"]] = true
		}
		if len(rows) == 0 {
			break
		}
	}
	if len(seen) != total || total != 8 {
		t.Errorf("%d containers on all pages of %d", len(seen), total)
	}
	if rows := w.result("list_shipments", map[string]any{"page_size": 1000})["items"].([]any); len(rows) != 8 {
		t.Errorf("%d shipments on a page of 1000", len(rows))
	}
	if r := w.result("list_exceptions", map[string]any{"page_size": 1}); r["next_page"] != float64(2) {
		t.Errorf("the first page of exceptions: %v", r)
	}
}

// TestRowsDoNotGuess: a row says nothing of the availability that nobody reports.
func TestRowsDoNotGuess(t *testing.T) {
	w := newWorld(t)
	w.fill()
	for _, row := range w.result("list_containers", map[string]any{})["items"].([]any) {
		item := row.(map[string]any)
		available := item["location"].(map[string]any)["availableForPickup"]
		if _, twice := item["availableForPickup"]; twice || (available == nil) != (item["availabilityKnown"] == false) {
			t.Errorf("%s: available is %v, known %v", item["number"], available, item["availabilityKnown"])
		}
	}
}

// TestDisplayPaths looks each path of the columns up in a row of its list.
func TestDisplayPaths(t *testing.T) {
	w := newWorld(t)
	w.fill()
	result, fault := w.request(w.key, "resources/read", map[string]any{"uri": "landfall://docs/list-display-columns"})
	if fault != nil {
		t.Fatal(fault)
	}
	var read struct{ Contents []struct{ Text string } }
	var columns map[string][]struct{ Key, Path string }
	if err := json.Unmarshal(result, &read); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(read.Contents[0].Text), &columns); err != nil {
		t.Fatal(err)
	}
	for typ, tool := range map[string]string{"container": "list_containers", "shipment": "list_shipments", "tracking_request": "list_tracking_requests"} {
		row := any(w.result(tool, map[string]any{})["items"].([]any)[0])
		for _, c := range columns[typ] {
			at, ok := row, true
			for step := range strings.SplitSeq(c.Path, ".") {
				m, _ := at.(map[string]any)
				if at, ok = m[step]; !ok {
					t.Errorf("%s has no %s", tool, c.Path)
				}
			}
		}
	}
}

// TestPromptsAndResources reads all of them, good and wrong.
func TestPromptsAndResources(t *testing.T) {
	w := newWorld(t)
	w.fill()
	id := w.cases["held"].container
	for _, c := range []struct {
		method, params, want string
		code                 int // of the error; 0 for none
	}{
		{"prompts/list", `{}`, `"track-shipment"`, 0},
		{"prompts/list", `{}`, `"check-demurrage"`, 0},
		{"prompts/list", `{}`, `"analyze-delays"`, 0},
		{"prompts/get", `{"name":"track-shipment","arguments":{"container_number":"MRKU9465770","carrier":"MAEU"}}`, "“MRKU9465770”", 0},
		{"prompts/get", `{"name":"check-demurrage","arguments":{"container_id":"` + id + `"}}`, id, 0},
		{"prompts/get", `{"name":"analyze-delays","arguments":{"container_id":"` + id + `"}}`, id, 0},
		{"prompts/get", `{"name":"analyze-delays","arguments":{}}`, "container_id: is required", -32602},
		{"prompts/get", `{"name":"analyze-delays","arguments":{"container_id":"x"}}`, "container_id: must be an ID", -32602},
		{"prompts/get", `{"name":"nothing"}`, "nothing", -32602},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"track-shipment"},"argument":{"name":"carrier","value":"ma"}}`, `"MAEU"`, 0},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"track-shipment"},"argument":{"name":"container_number","value":"ma"}}`, `"values":[]`, 0},
		{"resources/list", `{}`, `landfall://docs/milestone-glossary`, 0},
		{"resources/templates/list", `{}`, `landfall://container/{id}`, 0},
		{"resources/read", `{"uri":"landfall://docs/milestone-glossary"}`, "full_out", 0},
		{"resources/read", `{"uri":"landfall://docs/mcp-query-guidance"}`, "what_needs_attention", 0},
		{"resources/read", `{"uri":"another://docs/mcp-query-guidance"}`, "what_needs_attention", 0},
		{"resources/read", `{"uri":"landfall://container/` + id + `"}`, "customs", 0},
		{"resources/read", `{"uri":"another://container/` + id + `"}`, "customs", 0},
		{"resources/read", `{"uri":"landfall://container/` + unknownID + `"}`, "NotFound", -32603},
		{"resources/read", `{"uri":"landfall://container/x"}`, "container/ID", -32603},
		{"resources/read", `{"uri":"landfall://docs/nothing"}`, "not found", -32602},
		{"tools/call", `{"name":"nothing"}`, "nothing", -32602},
	} {
		result, fault := w.request(w.key, c.method, json.RawMessage(c.params))
		text, code := string(result), 0
		if fault != nil {
			text, code = fault.Message, fault.Code
		}
		if code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("%s %s: code %d, %s; want %d, %s", c.method, c.params, code, text, c.code, c.want)
		}
	}
}

// TestTransport checks what is answered around messages.
func TestTransport(t *testing.T) {
	w := newWorld(t)
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	send := func(method, body string, header map[string]string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, "http://tracking.example.com/mcp", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "bearer "+w.key)
		for name, value := range header {
			switch name {
			case "Host":
				r.Host = value
			case "Remote":
				r.RemoteAddr = value
			default:
				r.Header.Set(name, value)
			}
		}
		out := httptest.NewRecorder()
		w.handler.ServeHTTP(out, r)
		return out
	}
	for name, c := range map[string]struct {
		method, body string
		header       map[string]string
		status       int
		want         string
	}{
		"a message":           {"POST", list, nil, 200, `"tools"`},
		"JSON alone accepted": {"POST", list, map[string]string{"Accept": "application/json"}, 200, `"tools"`},
		"the scheme Token":    {"POST", list, map[string]string{"Authorization": "TOKEN " + w.key}, 200, `"tools"`},
		"initialize":          {"POST", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, nil, 200, `"instructions"`},
		"discover":            {"POST", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`, map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover"}, 200, `2026-07-28`},
		"no key":              {"POST", list, map[string]string{"Authorization": ""}, 401, "unauthorized"},
		"another scheme":      {"POST", list, map[string]string{"Authorization": "Basic eA=="}, 401, "unauthorized"},
		"GET":                 {"GET", "", nil, 405, "method_not_allowed"},
		"OPTIONS":             {"OPTIONS", "", nil, 200, ""},
		"another origin":      {"POST", list, map[string]string{"Origin": "https://evil.example.com"}, 403, "forbidden"},
		"a null origin":       {"POST", list, map[string]string{"Origin": "null"}, 403, "forbidden"},
		"its own origin":      {"POST", list, map[string]string{"Origin": "https://tracking.example.com"}, 200, `"tools"`},
		"an origin of here":   {"POST", list, map[string]string{"Origin": "http://localhost:6274"}, 200, `"tools"`},
		"rebound name":        {"POST", list, map[string]string{"Host": "evil.example.com", "Remote": "127.0.0.1:5"}, 403, "forbidden"},
		"a proxy of here":     {"POST", list, map[string]string{"Remote": "127.0.0.1:5", "X-Forwarded-For": "192.0.2.9"}, 200, `"tools"`},
		"no JSON":             {"POST", "{", nil, 400, ""},
		"too long":            {"POST", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 300<<10) + `"}`, nil, 413, ""},
		"unknown method":      {"POST", `{"jsonrpc":"2.0","id":1,"method":"nothing"}`, nil, 400, "nothing"},
		"unknown version":     {"POST", list, map[string]string{"MCP-Protocol-Version": "1999-01-01"}, 400, ""},
	} {
		out := send(c.method, c.body, c.header)
		if out.Code != c.status || !strings.Contains(out.Body.String(), c.want) {
			t.Errorf("%s: status %d, %s; want %d, %s", name, out.Code, out.Body, c.status, c.want)
		}
		if c.status == 401 && out.Header().Get("WWW-Authenticate") != `Bearer realm="mcp"` {
			t.Errorf("%s: the challenge is %q", name, out.Header().Get("WWW-Authenticate"))
		}
	}
}

// TestOutage: a server that fails is named as such, and nothing is said about cargo.
func TestOutage(t *testing.T) {
	for name, api := range map[string]http.HandlerFunc{
		"failed (status 503)": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
		"cannot be read":      func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
	} {
		s, err := mcpserver.New(mcpserver.Config{URL: "http://tracking.example.com/v2", Transport: mcpserver.InProcess(api), Clock: fixedClock{}})
		if err != nil {
			t.Fatal(err)
		}
		w := &world{t: t, handler: s.Handler(), key: "lf_key"}
		for tool, arguments := range map[string]map[string]any{"get_container": {"id": unknownID}, "get_charges": {"id": unknownID}, "what_needs_attention": {}, "track_container": {"number": "A1"}} {
			if a := w.call(w.key, tool, arguments); !a.IsError || !strings.HasPrefix(a.Content[0].Text, "Unavailable: ") || !strings.Contains(a.Content[0].Text, name) {
				t.Errorf("%s, %s: %+v", name, tool, a)
			}
		}
	}
}

type fixedClock struct{}

func (fixedClock) Now() time.Time { return time.Date(2026, 3, 20, 9, 0, 0, 0, time.UTC) }

// TestPanic: one of a request does not end the program.
func TestPanic(t *testing.T) {
	s, err := mcpserver.New(mcpserver.Config{URL: "http://tracking.example.com/v2", Transport: mcpserver.InProcess(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("fault") })), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, handler: s.Handler(), key: "lf_key"}
	if _, fault := w.request(w.key, "tools/call", map[string]any{"name": "get_container", "arguments": map[string]any{"id": unknownID}}); fault == nil || fault.Code != -32603 {
		t.Errorf("the error is %+v", fault)
	}
}

// TestConfig: a Config that cannot work is an error of New.
func TestConfig(t *testing.T) {
	for url, want := range map[string]string{"": "Config.URL", "tracking.example.com": "Config.URL"} {
		if _, err := mcpserver.New(mcpserver.Config{URL: url}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", url, err)
		}
	}
	s, err := mcpserver.New(mcpserver.Config{URL: "http://127.0.0.1:1/v2"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ServeStream(t.Context(), nil, nil); err == nil {
		t.Error("a stream without a key is served")
	}
}

// TestStream: what was asked before the input ended is answered.
func TestStream(t *testing.T) {
	w := newWorld(t)
	s, err := mcpserver.New(mcpserver.Config{URL: "http://localhost/v2", Key: w.key, Transport: mcpserver.InProcess(w.api), Clock: w.Clock})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	input := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_container","arguments":{"query":"ZZZU0000000"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"what_needs_attention","arguments":{}}}
`
	if err := s.ServeStream(t.Context(), io.NopCloser(strings.NewReader(input)), closable{&out}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"id":1`, `"id":2`, `"id":3`, "Nothing in this account matches", "No exception is open"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is missing in %s", want, out.String())
		}
	}
}

type closable struct{ io.Writer }

func (closable) Close() error { return nil }

// TestCard: a client with a screen finds the card of a route, and gets what it draws apart from
// what the model reads.
func TestCard(t *testing.T) {
	w := newWorld(t)
	w.fill()
	result, fault := w.request(w.key, "resources/read", map[string]any{"uri": "ui://landfall/route"})
	if fault != nil || !strings.Contains(string(result), `"text/html;profile=mcp-app"`) || !strings.Contains(string(result), "ui/initialize") {
		t.Errorf("the card is %s, %+v", result, fault)
	}
	list, _ := w.request(w.key, "tools/list", map[string]any{})
	if !strings.Contains(string(list), `"_meta":{"ui":{"resourceUri":"ui://landfall/route"}}`) {
		t.Error("no tool names the card")
	}
	result, fault = w.request(w.key, "tools/call", map[string]any{"name": "get_container_route", "arguments": map[string]any{"id": w.cases["on ship"].container}})
	if fault != nil {
		t.Fatal(fault)
	}
	var answer struct {
		Meta map[string]struct {
			Lines []struct {
				Past   bool
				Points [][]float64
			}
			Stops []struct {
				Name  string
				Point []float64
			}
		} `json:"_meta"`
		StructuredContent json.RawMessage
	}
	if err := json.Unmarshal(result, &answer); err != nil {
		t.Fatal(err)
	}
	drawn := answer.Meta["landfall/route_map"]
	if len(drawn.Stops) != 2 || drawn.Stops[0].Name != "Shanghai" || len(drawn.Lines) == 0 || len(drawn.Lines[0].Points) < 3 || len(drawn.Lines[0].Points) > 151 {
		t.Errorf("drawn are %+v", drawn)
	}
	if strings.Contains(string(answer.StructuredContent), `"points"`) {
		t.Error("the model reads the points")
	}
}
