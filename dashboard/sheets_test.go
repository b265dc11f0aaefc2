package dashboard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/landfallhq/tracking"
)

// sendSheet sends a sheet, and returns the address of its page.
func (b *bench) sendSheet(content string) (answer, string) {
	b.t.Helper()
	return b.sendSheetAs("list.csv", content)
}

func (b *bench) sendSheetAs(name, content string) (answer, string) {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("csrf", b.token("/track"))
	part, err := form.CreateFormFile("files", name)
	if err != nil {
		b.t.Fatal(err)
	}
	_, _ = part.Write([]byte(content))
	_ = form.Close() // a buffer takes everything
	r, err := http.NewRequest("POST", b.server.URL+"/track/sheets", &body)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	a := b.do(r)
	return a, a.header.Get("Location")
}

// tracked waits until the requests of a sheet are made, and returns its page.
func (b *bench) tracked(path string) answer {
	b.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		a := b.get(path)
		if a.header.Get("Refresh") == "" || time.Now().After(deadline) {
			return a
		}
	}
}

// TestSheet: each row of a sheet has an outcome before anything is written, and is tracked once
// with the values of its row.
func TestSheet(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	for _, d := range []tracking.NewCustomFieldDefinition{
		{EntityType: tracking.ShipmentEntity, APISlug: "order", DisplayName: "Purchase order", DataType: tracking.ShortTextField, Validation: []byte(`{"pattern":"^PO-[0-9]{4}$"}`)},
		{EntityType: tracking.ShipmentEntity, APISlug: "buyer", DisplayName: "Buyer", DataType: tracking.ShortTextField},
	} {
		if _, err := w.CreateCustomFieldDefinition(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	count := func() int {
		_, n, err := w.TrackingRequests(t.Context(), tracking.TrackingRequestQuery{}, tracking.Page{Number: 1, Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := count()
	a, path := w.sendSheet("sep=;\r\nB/L no.;Carrier;Our order;Buyer\r\nTEST-VOYAGE-AT-SEA-71;TEST;PO-0001;M\xfcller\r\nTEST-VOYAGE-AT-SEA-72;;PO-0002;M\xfcller\r\n" +
		"TEST-VOYAGE-AT-SEA-71;TEST;PO-0003;M\xfcller\r\n" + lateVoyage + ";TEST;PO-0004;M\xfcller\r\nTEST-VOYAGE-AT-SEA-73;TEST;7781;<b>\r\n")
	if a.status != 303 {
		t.Fatalf("the sheet: %d %s", a.status, a.body)
	}
	if page := w.get(path).body; !strings.Contains(page, "not recognised") || !strings.Contains(page, "Müller") || strings.Contains(page, "<b>") {
		t.Error("the columns are not shown")
	}
	mapped := path + "?column.2=" + url.QueryEscape("custom_fields.order")
	page := w.get(mapped)
	w.inspect(mapped, page.body)
	if strings.Contains(page.body, "data-live") {
		t.Error("what is confirmed can change while it is read")
	}
	for _, want := range []string{"2 will be tracked, 3 will not", "Repeats line 3", "found by its number", "Track 2 numbers"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the dry run has no %q", want)
		}
	}
	if count() != before {
		t.Fatal("requests were made before that was confirmed")
	}
	form := url.Values{"csrf": {w.token("/track")}, "column.2": {"custom_fields.order"}}
	for range 2 {
		if a := w.post(path, form); a.status != 303 || a.header.Get("Location") != path {
			t.Errorf("confirmed: %d", a.status)
		}
		if a := w.tracked(path); a.status != 200 || !strings.Contains(a.body, "5 of 5 rows are done") || !strings.Contains(a.body, "All rows are done") || !strings.Contains(a.body, "data-live") {
			t.Errorf("done: %d %s", a.status, a.body)
		}
	}
	if n := count(); n != before+2 {
		t.Errorf("%d requests were made, want 2", n-before)
	}
	w.Settle()
	list, _, err := w.Shipments(t.Context(), tracking.ShipmentQuery{Number: "TEST-VOYAGE-AT-SEA-71"}, tracking.Page{Number: 1, Size: 2})
	if err != nil || len(list) != 1 {
		t.Fatalf("%d shipments, error %v", len(list), err)
	}
	for slug, want := range map[string]string{"order": `"PO-0001"`, "buyer": `"Müller"`} {
		if f, err := w.CustomFieldOf(t.Context(), tracking.Entity{Type: tracking.ShipmentEntity, ID: list[0].ID}, slug); err != nil || string(f.Value) != want {
			t.Errorf("%s is %v, error %v", slug, f, err)
		}
	}
	defined, _, err := w.CustomFieldDefinitions(t.Context(), tracking.CustomFieldDefinitionQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range defined {
		if err := w.DeleteCustomFieldDefinition(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
	}
	if a := w.get(path); a.status != 200 {
		t.Errorf("after its fields were deleted: %d", a.status)
	}
	w.signInTo(w.other.Scope())
	if a := w.get(path); a.status != 404 {
		t.Errorf("the sheet of another account: %d", a.status)
	}
	w.signIn(tracking.Show)
	if a := w.post(path, url.Values{"csrf": {w.token("/")}}); a.status != 403 {
		t.Errorf("without the permission: %d", a.status)
	}
}

// TestSheetLines: only a line that is taken without asking is shown as found.
func TestSheetLines(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	for number, want := range map[string][]string{
		"MAEU123456789": {"found by its number", "MAEU"},
		"SITU9130070":   {"to be detected", "probably SITU"},
		"77001234":      {"to be detected"},
	} {
		_, path := w.sendSheet("number\n" + number + "\n")
		page := w.get(path).body
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%s: no %q", number, text)
			}
		}
		for _, other := range []string{"found by its number", "probably"} {
			if strings.Contains(page, other) && !slices.ContainsFunc(want, func(s string) bool { return strings.HasPrefix(s, other) }) {
				t.Errorf("%s: %q", number, other)
			}
		}
	}
}

// forgetResults leaves a sheet confirmed, as if the process had ended before a result was recorded.
func (b *bench) forgetResults(path string) {
	b.t.Helper()
	ctx, store, name := b.t.Context(), sessionStore{b.Operator.Sessions()}, "sheet-progress/"+path[strings.LastIndex(path, "/")+1:]
	data, _, err := store.FindCtx(ctx, name)
	if err != nil {
		b.t.Fatal(err)
	}
	until, values, err := scs.GobCodec{}.Decode(data)
	if err != nil {
		b.t.Fatal(err)
	}
	var progress sheetProgress
	_ = json.Unmarshal([]byte(values["kept"].(string)), &progress) // the dashboard has stored it
	progress.Results = nil
	text, _ := json.Marshal(progress) // as above
	values["kept"] = string(text)
	if data, err = (scs.GobCodec{}).Encode(until, values); err == nil {
		err = store.CommitCtx(ctx, name, data, until)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// TestSheetRepeatsRefused: a row that repeats a refused one is tracked, in its batch and in a later
// one; one that repeats a tracked one is not. Work that goes on after its end was not recorded
// makes the same rows.
func TestSheetRepeatsRefused(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	sheet := "number,scac\nMAEU77001,XXXX\nMAEU77002,XXXX\nMAEU77002,\n"
	for i := range tracking.MaxBulkRequests {
		sheet += fmt.Sprintf("MAEU%09d,MAEU\n", i)
	}
	sheet += "MAEU77001,\nMAEU77001,MAEU\nMAEU77002,\nMAEU77002,XXXX\n"
	_, path := w.sendSheet(sheet)
	page := w.get(path).body
	for _, want := range []string{"102 will be tracked, 5 will not", "Repeats line 105", "Repeats line 4"} {
		if !strings.Contains(page, want) {
			t.Errorf("the dry run has no %q", want)
		}
	}
	if strings.Count(page, "Repeats line") != 2 || strings.Count(page, "is not recognized") != 3 {
		t.Error("other outcomes in the dry run")
	}
	w.post(path, url.Values{"csrf": {w.token("/track")}})
	done := w.tracked(path).body
	if strings.Count(done, "The number is in an earlier row") != 2 || strings.Count(done, "is not recognized") != 3 || !strings.Contains(done, "All rows are done") {
		t.Error(done)
	}
	w.forgetResults(path)
	if a := w.get(path); !strings.Contains(a.body, "0 of 107 rows are done") {
		t.Error("the results are still there")
	}
	w.post(path, url.Values{"csrf": {w.token("/track")}})
	if again := w.tracked(path).body; again != done {
		t.Errorf("after going on: %s", again)
	}
	for _, number := range []string{"MAEU77001", "MAEU77002"} {
		if _, n, err := w.TrackingRequests(t.Context(), tracking.TrackingRequestQuery{Numbers: []string{number}}, tracking.Page{Number: 1, Size: 1}); err != nil || n != 1 {
			t.Errorf("%s: %d requests, want 1, error %v", number, n, err)
		}
	}
}

// TestCellsThatAreNoNumbers: what stands in place of a number is refused with the reason that
// landfall import gives, pasted and in a sheet. A given type lets a form of a container pass.
func TestCellsThatAreNoNumbers(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	csrf := w.token("/track")
	for number, want := range map[string]string{
		"MRKU9465771": "has a wrong check digit", "2026-01-01": "is a date", "1.234": "is an amount", "TBA": "stands for a missing one", "N/A": "stands for a missing one",
		"Total:": "is a total", "MAEU77099": "Can be tracked", "\u200bMAEU77099": "Can be tracked",
	} {
		pasted := w.post("/track", url.Values{"csrf": {csrf}, "numbers": {number + "\n"}})
		_, path := w.sendSheet("number,type\n" + number + ",\n")
		for place, a := range map[string]answer{"pasted": pasted, "sheet": w.get(path)} {
			if a.status != 200 || !strings.Contains(a.body, want) {
				t.Errorf("%q, %s: %d, no %q", number, place, a.status, want)
			}
		}
	}
	pasted := w.post("/track", url.Values{"csrf": {csrf}, "numbers": {"MRKU9465771"}, "type": {"bill_of_lading"}})
	_, path := w.sendSheet("number,type\nMRKU9465771,B/L\n,B/L\n")
	sheet := w.get(path)
	if !strings.Contains(pasted.body, "Can be tracked") || !strings.Contains(sheet.body, "Can be tracked") || !strings.Contains(sheet.body, "The row has no number.") {
		t.Error("a bill of lading in the form of a container")
	}
}

// TestSheetOfColleague: who may only look sees a sheet before it is confirmed as after that, and
// cannot confirm it.
func TestSheetOfColleague(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	_, path := w.sendSheet("number,scac\nTEST-VOYAGE-AT-SEA-81,TEST\n")
	w.signIn(tracking.Show)
	a := w.get(path)
	if a.status != 200 || !strings.Contains(a.body, "1 will be tracked, 0 will not") || strings.Contains(a.body, "Track 1 number") {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := w.post(path, url.Values{"csrf": {w.token("/")}}); a.status != 403 {
		t.Errorf("confirmed without the permission: %d", a.status)
	}
}

// TestSheetsAreBounded: the oldest sheet of an account goes for a new one, but none that is being
// tracked, and none of another account.
func TestSheetsAreBounded(t *testing.T) {
	w := newWorld(t)
	w.signInTo(w.other.Scope())
	_, others := w.sendSheet("number\nMAEU77000\n")
	w.signIn()
	var paths []string
	for n := range maxWaiting + 1 {
		_, path := w.sendSheet(fmt.Sprintf("number\nMAEU77%03d\n", n))
		paths = append(paths, path)
	}
	for i, path := range paths {
		if a := w.get(path); (a.status == 404) != (i == 0) {
			t.Errorf("sheet %d: %d", i, a.status)
		}
	}
	w.signInTo(w.other.Scope())
	if a := w.get(others); a.status != 200 {
		t.Errorf("the sheet of another account: %d", a.status)
	}
	now, account := time.Now(), waitingKey{w.Account.Scope(), "sheet"}
	var waiting waitingRows
	for n := range maxWaiting {
		waiting.add(account, strconv.Itoa(n), now, nil)
	}
	if gone, ok := waiting.add(account, "x", now, func(id string) bool { return id == "0" }); gone != "1" || !ok {
		t.Errorf("%q went for another one", gone)
	}
	if _, ok := waiting.add(account, "y", now, func(string) bool { return true }); ok {
		t.Error("a sheet more than all that are being tracked")
	}
	if gone, ok := waiting.add(account, "y", now.Add(keptLife), nil); gone != "" || !ok {
		t.Errorf("a day later %q went", gone)
	}
}

// TestSheetRefusals: what cannot be tracked is refused with a reason.
func TestSheetRefusals(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	for _, content := range []string{"", "number", "PK\x03\x04", strings.Repeat("number\n", 5_002)} {
		if a, _ := w.sendSheet(content); a.status != 422 || !strings.Contains(a.body, `id="sheet-problem"`) {
			t.Errorf("%.20q: %d", content, a.status)
		}
	}
	if a, _ := w.sendSheetAs("list.XLSX", "junk"); a.status != 422 || !strings.Contains(a.body, "The file is no Excel workbook") {
		t.Errorf("a workbook that is none: %d %s", a.status, a.body)
	}
	_, path := w.sendSheet("what\nMAEU77001\n")
	if a := w.get(path); !strings.Contains(a.body, "which column has the numbers") {
		t.Error("a sheet without numbers")
	}
	if a := w.post(path, url.Values{"csrf": {w.token("/track")}}); a.status != 422 {
		t.Errorf("confirmed without numbers: %d", a.status)
	}
	if a := w.get(path + "?column.0=poem"); a.status != 200 {
		t.Errorf("a column that there is not: %d", a.status)
	}
	if a := w.get("/track/sheets/none"); a.status != 404 {
		t.Errorf("no sheet: %d", a.status)
	}
}

// TestLargeSheet tracks as many rows as a sheet may have; 500 with -short, because the race detector
// makes them ten times as slow.
func TestLargeSheet(t *testing.T) {
	w := newBench(t)
	w.signIn()
	rows := 5_000
	if testing.Short() {
		rows = 500
	}
	written := grouped(rows)
	var b strings.Builder
	b.WriteString("number,scac,references\n")
	for i := range rows {
		fmt.Fprintf(&b, "MAEU%09d,MAEU,PO-%d\n", i, i)
	}
	began := time.Now()
	_, path := w.sendSheet(b.String())
	page := w.get(path)
	t.Logf("the dry run took %s", time.Since(began))
	if !strings.Contains(page.body, written+" will be tracked, 0 will not") {
		t.Fatalf("%d", page.status)
	}
	began = time.Now()
	w.post(path, url.Values{"csrf": {w.token("/track")}})
	a := w.tracked(path)
	t.Logf("tracking took %s", time.Since(began))
	if !strings.Contains(a.body, written+" of "+written+" rows are done") {
		t.Errorf("%d", a.status)
	}
}
