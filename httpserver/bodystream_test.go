package httpserver_test

import (
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/uuid"
)

// sendInParts sends a report whose length is unknown and whose bytes arrive one by one.
func (b *bench) sendInParts(body io.Reader, headers ...string) *httptest.ResponseRecorder {
	b.tb.Helper()
	r := request("POST", "/v2/reports", "", append([]string{b.mine.auth(), "Content-Type: application/json"}, headers...)...)
	r.Body, r.ContentLength = io.NopCloser(iotest.OneByteReader(body)), -1
	w := httptest.NewRecorder()
	b.server.ServeHTTP(w, r)
	return w
}

// A report is parsed while it arrives, and what is wrong at its end refuses all of it:
// the answer is that to the report in one piece, and nothing is stored.
//
// Seen to fail: with the error of the facts before that of the rest of the body.
func TestWrongReportsInParts(t *testing.T) {
	b := newBench(t)
	whole := strings.TrimRight(voyage, " \n")
	before := b.as(b.mine, "GET", "/v2/shipments", "").body
	open := strings.TrimSuffix(whole, "}")
	document := `{"data":{"type":"report","attributes":` + whole + `}}`
	for name, body := range map[string]string{
		"open":                             open,
		"two documents":                    whole + "{}",
		"twice":                            open + `,"source":"x"}`,
		"twice in a fact":                  strings.Replace(whole, `"facts":[`, `"facts":[{"id":"1","id":"2"},`, 1),
		"wrong fact, then open":            strings.Replace(open, `"facts":[`, `"facts":[{"event":"fly"},`, 1),
		"wrong fact":                       strings.Replace(whole, `"facts":[`, `"facts":[{"event":"fly"},`, 1),
		"wrong at the end":                 open + `,"announce":5}`,
		"unknown at the end":               open + `,"x":5}`,
		"too deep":                         open + `,"x":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + "}",
		"too many":                         open + `,"x":[` + strings.Repeat("1,", 10_000) + "1]}",
		"not UTF-8":                        open + ",\"x\":\"\xff\"}",
		"no object":                        "[" + whole + "]",
		"wrong fact in a document":         strings.Replace(document, `"facts":[`, `"facts":[{"event":"fly"},`, 1),
		"wrong type, at the end":           `{"data":{"attributes":` + whole + `,"type":"shipment"}}`,
		"a document, and a member at last": strings.TrimSuffix(document, "}") + `,"data":5}`,
		"empty":                            "",
	} {
		want := b.as(b.mine, "POST", "/v2/reports", body)
		got := b.sendInParts(strings.NewReader(body))
		if want.status < 400 || got.Code != want.status || got.Body.String() != string(want.body) {
			t.Errorf("%s: %d %s\nin one piece %d %s", name, got.Code, got.Body, want.status, want.body)
		}
	}
	if got := b.sendInParts(io.MultiReader(strings.NewReader(whole), iotest.ErrReader(io.ErrUnexpectedEOF))); got.Code != 400 {
		t.Errorf("a body that breaks off: %d %s", got.Code, got.Body)
	}
	if after := b.as(b.mine, "GET", "/v2/shipments", "").body; string(after) != string(before) {
		t.Errorf("something was stored: %s", after)
	}
}

// The ID of a receipt and the fingerprint of an Idempotency-Key are those of the bytes,
// however they arrive.
func TestReportInParts(t *testing.T) {
	b := newBench(t)
	send := func(body string, want int) (id string) {
		t.Helper()
		w := b.sendInParts(strings.NewReader(body), "Idempotency-Key: once")
		if w.Code != want {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		var doc struct{ Data struct{ ID string } }
		_ = json.Unmarshal(w.Body.Bytes(), &doc)
		return doc.Data.ID
	}
	if id, want := send(voyage, 200), uuid.NewHash(sha256.New(), uuid.Nil, []byte(voyage), 8).String(); id != want {
		t.Errorf("the receipt is %s, want %s", id, want)
	}
	whole := request("POST", "/v2/reports", voyage, b.mine.auth(), "Content-Type: application/json", "Idempotency-Key: once")
	w := httptest.NewRecorder()
	if b.server.ServeHTTP(w, whole); w.Code != 200 {
		t.Errorf("the same in one piece: %d %s", w.Code, w.Body)
	}
	send(voyage+" ", 422)
}
