package httpserver_test

import (
	"context"
	"encoding/json"
	"image/png"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
)

func (b *bench) width(t *tenant, id string) int {
	b.tb.Helper()
	var link struct {
		URL string `json:"download_url"`
	}
	if err := json.Unmarshal(b.as(t, "GET", "/v2/documents/"+id+"/download_url", "").want(200).body, &link); err != nil {
		b.tb.Fatal(err)
	}
	img, err := png.Decode(strings.NewReader(string(b.do("GET", strings.TrimPrefix(link.URL, "http://host"), "").want(200).body)))
	if err != nil {
		b.tb.Fatal(err)
	}
	return img.Bounds().Dx()
}

// Actions on documents support Idempotency-Key.
func TestDocumentActionsAreIdempotent(t *testing.T) {
	b := newBench(t)
	b.Settle()
	rotate, key := b.mine.fill("/v2/documents/{picture}/rotate"), "Idempotency-Key: turn"
	for range 2 {
		b.as(b.mine, "POST", rotate, `{"degrees":90}`, key).want(202)
		b.Settle()
	}
	if w := b.width(b.mine, b.mine.ids["picture"]); w != 1 {
		t.Errorf("an image of 2 x 1 is %d wide after a rotation sent twice with one key", w)
	}
	if a := b.as(b.mine, "POST", rotate, `{"degrees":270}`, key).want(422); a.list("errors")[0]["code"] != "idempotency_key_reused" {
		t.Errorf("the key for another turn: %s", a.body)
	}
	representation := func() string {
		one := b.as(b.mine, "GET", b.mine.fill("/v2/documents/{document}?include=last_document_representation"), "").want(200)
		return one.list("included")[0]["id"].(string)
	}
	var seen []string
	for _, key := range []string{"a", "a", "b"} {
		b.as(b.mine, "POST", b.mine.fill("/v2/documents/{document}/reextract"), "", "Idempotency-Key: "+key).want(202)
		b.Settle()
		seen = append(seen, representation())
	}
	if seen[0] != seen[1] || seen[1] == seen[2] {
		t.Errorf("read again with the keys a, a and b: %v", seen)
	}
}

// null removes an override and keeps the extracted data.
func TestManualValues(t *testing.T) {
	b := newBench(t)
	b.Settle()
	for _, row := range []struct {
		sent, typ string
		data      any
	}{
		{`"document_type_manual":"arrival_notice"`, "arrival_notice", map[string]any{"po": "PO-9"}},
		{`"extracted_data_manual":{"seal":"S1","n":[1,null]}`, "arrival_notice", map[string]any{"seal": "S1", "n": []any{1.0, nil}}},
		{``, "arrival_notice", map[string]any{"seal": "S1", "n": []any{1.0, nil}}},
		{`"document_type_manual":null`, "", map[string]any{"seal": "S1", "n": []any{1.0, nil}}},
		{`"extracted_data_manual":null`, "", nil},
	} {
		a := b.as(b.mine, "PATCH", b.mine.fill("/v2/documents/{document}"), `{"data":{"type":"document","attributes":{`+row.sent+`}}}`).want(200).attributes()
		typ, _ := a["document_type_manual"].(string)
		if typ != row.typ || a["document_type"] != "bill_of_lading" || !reflect.DeepEqual(a["extracted_data_manual"], row.data) {
			t.Errorf("after %s: %v", row.sent, a)
		}
	}
}

// Duplicate bytes are refused with the ID of the existing document. After its
// deletion they are accepted.
func TestDuplicatesOverHTTP(t *testing.T) {
	b := newBench(t)
	first := b.document(b.mine, "first", "the same").id()
	again := `{"data":{"type":"document","attributes":{"name":"second","attached_document":"` + b.signed(b.mine, "the same") + `"}}}`
	refused := b.as(b.mine, "POST", "/v2/documents", again).want(409).list("errors")
	want := map[string]any{
		"status": "409", "code": "duplicate_document", "title": "Duplicate document", "detail": "A document with the same content already exists",
		"meta": map[string]any{"existing_document_id": first, "existing_document_name": "first"},
	}
	if len(refused) != 1 || !reflect.DeepEqual(refused[0], want) {
		t.Errorf("refused with %v", refused)
	}
	b.as(b.mine, "DELETE", "/v2/documents/"+first, "").want(204)
	for _, method := range []string{"GET", "PATCH", "DELETE"} {
		body := ""
		if method == "PATCH" {
			body = `{"data":{"type":"document","attributes":{}}}`
		}
		if e := b.as(b.mine, method, "/v2/documents/"+first, body).want(404).list("errors"); e[0]["detail"] != "Couldn't find Document" {
			t.Errorf("%s of a deleted document: %v", method, e)
		}
	}
	b.as(b.mine, "POST", "/v2/documents", again).want(201) // the refused one was not used up
}

// All operations on missing bytes fail with no_file.
func TestDocumentWithoutFile(t *testing.T) {
	b := newBench(t)
	if _, err := b.Blobs.Sweep(context.Background(), b.Clock.Now().Add(time.Hour), func(tracking.BlobKey) (bool, error) { return false, nil }); err != nil {
		t.Fatal(err)
	}
	for _, row := range [][3]string{{"GET", "/v2/documents/{document}/download_url", ""}, {"POST", "/v2/documents/{picture}/rotate", `{"degrees":90}`}} {
		if e := b.as(b.mine, row[0], b.mine.fill(row[1]), row[2]).want(422).list("errors"); e[0]["title"] != "No document attached" {
			t.Errorf("%s: %v", row[1], e)
		}
	}
	if e := b.as(b.mine, "POST", b.mine.fill("/v2/documents/{picture}/rotate"), `{"degrees":45}`).want(422).list("errors"); e[0]["title"] != "Invalid rotation" || e[0]["detail"] != "degrees must be one of: 90, 180, 270" {
		t.Errorf("a bad turn: %v", e)
	}
}

// E-mail submissions support Idempotency-Key.
func TestEmailSubmissionIsIdempotent(t *testing.T) {
	b := newBench(t)
	message := strings.ReplaceAll(email, "MAEU77001", "MAEU99001")
	headers := []string{"Content-Type: message/rfc822", "Idempotency-Key: mail"}
	first := b.as(b.mine, "POST", "/v2/email_submissions", message, headers...).want(201)
	if again := b.as(b.mine, "POST", "/v2/email_submissions", message, headers...).want(201); again.id() != first.id() {
		t.Errorf("taken twice: %s", again.body)
	}
	if e := b.as(b.mine, "POST", "/v2/email_submissions", message+"x", headers...).want(422).list("errors"); e[0]["code"] != "idempotency_key_reused" {
		t.Errorf("another e-mail with the key: %v", e)
	}
	large := b.as(b.mine, "POST", "/v2/email_submissions", message+strings.Repeat("x", 25<<20), headers[0])
	large.want(413)
}

// A file of two documents: each is shown with its pages and its file, to its own account.
func TestSplitOverHTTP(t *testing.T) {
	b := newBench(t)
	whole := b.document(b.mine, "bundle", "type: bill_of_lading\nbl_number: MAEU88001\npage\npage\ntype: other\n").id()
	b.Settle()
	shown := b.as(b.mine, "GET", "/v2/documents/"+whole+"?include=split_documents", "").want(200)
	parts := shown.list("included")
	if a := shown.attributes(); len(parts) != 2 || a["document_type"] != nil || a["first_page"] != nil || a["source"] != "upload" {
		t.Fatalf("the file: %s", shown.body)
	}
	for i, row := range []struct {
		typ         string
		first, last float64
	}{{"bill_of_lading", 1, 2}, {"other", 3, 3}} {
		id := parts[i]["id"].(string)
		part := b.as(b.mine, "GET", "/v2/documents/"+id+"?include=split_from", "").want(200)
		a := part.attributes()
		if a["document_type"] != row.typ || a["first_page"] != row.first || a["last_page"] != row.last || a["source"] != "split_document" {
			t.Errorf("part %d: %s", i+1, part.body)
		}
		if from := part.list("included"); len(from) != 1 || from[0]["id"] != whole {
			t.Errorf("part %d is of %v", i+1, from)
		}
		for _, request := range [][2]string{{"GET", ""}, {"GET", "/download_url"}, {"POST", "/reextract"}, {"DELETE", ""}} {
			b.as(b.theirs, request[0], "/v2/documents/"+id+request[1], "").want(404)
		}
	}
	b.as(b.mine, "DELETE", "/v2/documents/"+whole, "").want(204)
	b.as(b.mine, "GET", "/v2/documents/"+parts[0]["id"].(string), "").want(404)
}

// A document that contradicts its shipment says so, is found by that, and leads to an exception, in
// its own account alone.
func TestDiscrepanciesOverHTTP(t *testing.T) {
	b := newBench(t)
	id := b.document(b.mine, "bill", "type: bill_of_lading\nbl_number: MAEU77001\nport_of_discharge: USLAX\n").id()
	b.Settle()
	list := b.as(b.mine, "GET", "/v2/documents?filter[discrepancies]=true&include=shipments", "").want(200)
	rows, ships := list.list("data"), list.list("included")
	if len(rows) != 1 || rows[0]["id"] != id || len(ships) != 1 {
		t.Fatalf("documents with discrepancies: %s", list.body)
	}
	got, err := json.Marshal(rows[0]["attributes"].(map[string]any)["discrepancies"])
	want := `[{"check":"port","compared_with":"shipment","compared_with_id":"` + ships[0]["id"].(string) + `","detail":"The bill of lading says USLAX for the port of discharge; the shipment says USOAK.","document_says":"USLAX","field":"port_of_discharge","other_says":"USOAK"}]`
	if err != nil || string(got) != want {
		t.Errorf("%v: discrepancies\n%s\nwant\n%s", err, got, want)
	}
	for _, row := range b.as(b.mine, "GET", "/v2/documents?filter[discrepancies]=false", "").want(200).list("data") {
		if d := row["attributes"].(map[string]any)["discrepancies"]; row["id"] == id || len(d.([]any)) > 0 {
			t.Errorf("a document without discrepancies: %v", row)
		}
	}
	b.as(b.mine, "GET", "/v2/documents?filter[discrepancies]=perhaps", "").want(422)
	found := b.as(b.mine, "GET", "/v2/exceptions?filter[kind]=document_discrepancy&filter[state]=open", "").want(200)
	if rows := found.list("data"); len(rows) != 1 || rows[0]["attributes"].(map[string]any)["severity"] != "medium" {
		t.Errorf("exceptions: %s", found.body)
	}
	for _, path := range []string{"/v2/documents?filter[discrepancies]=true", "/v2/exceptions?filter[kind]=document_discrepancy"} {
		if rows := b.as(b.theirs, "GET", path, "").want(200).list("data"); len(rows) > 0 {
			t.Errorf("another account has %v", rows)
		}
	}
}

// A field is corrected with who and when; null takes it back, and other fields stay.
func TestCorrectedFieldsOverHTTP(t *testing.T) {
	b := newBench(t)
	b.Settle()
	const at = `"corrected_at":"2026-03-02T09:00:00Z"`
	for _, row := range []struct{ sent, shown string }{
		{`[{"field":"note","value":"new"},{"field":"po","value":"PO-1"}]`, `[{"field":"note","value":"new","corrected_by":"me",` + at + `},{"field":"po","value":"PO-1","corrected_by":"me",` + at + `}]`},
		{`[]`, `[{"field":"note","value":"new","corrected_by":"me",` + at + `},{"field":"po","value":"PO-1","corrected_by":"me",` + at + `}]`},
		{`[{"field":"note","value":null},{"field":"po","value":"PO-2","corrected_by":"you"}]`, `[{"field":"po","value":"PO-2","corrected_by":"me",` + at + `}]`},
		{`null`, `[{"field":"po","value":"PO-2","corrected_by":"me",` + at + `}]`},
		{`[{"field":"po","value":""}]`, `[]`},
	} {
		a := b.as(b.mine, "PATCH", b.mine.fill("/v2/documents/{document}"), `{"data":{"type":"document","attributes":{"corrected_fields":`+row.sent+`}}}`).want(200).attributes()
		var want any
		if err := json.Unmarshal([]byte(strings.ReplaceAll(row.shown, `"me"`, `"`+b.mine.ids["user"]+`"`)), &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(a["corrected_fields"], want) {
			t.Errorf("after %s: %v, want %v", row.sent, a["corrected_fields"], want)
		}
	}
}
