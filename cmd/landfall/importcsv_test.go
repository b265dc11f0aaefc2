package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/storage"
)

// inside runs the program in this process, without a timeout.
func inside(args ...string) result {
	var stdout, stderr bytes.Buffer
	p := &program{stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr, getenv: func(string) string { return "" },
		lookupenv: func(string) (string, bool) { return "", false }}
	code := p.main(args)
	return result{stdout.String(), stderr.String(), code}
}

// outcomesOf reads a file of --outcomes: line and outcome of each row.
func outcomesOf(t *testing.T, path string) (list []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows[1:] {
		list = append(list, r[1]+" "+r[3])
	}
	return list
}

// TestImportRows imports many rows, one of a hundred invalid, twice.
// LANDFALL_ROWS=10000 is the full count.
func TestImportRows(t *testing.T) {
	rows := drill.Count(t, "LANDFALL_ROWS", 300)
	wrong := []string{
		`,bill_of_lading,MAEU,,,`,                                    // no number
		`N%d,air_waybill,MAEU,,,`,                                    // no such type
		`N%d,bill_of_lading,XXXX,,,`,                                 // no such line
		`N%d,bill_of_lading,MAEU,,` + strings.Repeat("x", 256) + `,`, // a tag that is too long
		`N%d,bill_of_lading,MAEU,,,` + strings.Repeat("y", 256),      // a name that is too long
		strings.Repeat("7", 51) + `%d,bill_of_lading,MAEU,,,`,        // no number is so long
	}
	var file strings.Builder
	file.WriteString("Number,Type,SCAC,References,Tags,Customer\n")
	var first, again []string
	for i := range rows {
		line := i + 2
		if i%100 == 50 {
			fmt.Fprintln(&file, strings.ReplaceAll(wrong[i/100%len(wrong)], "%d", fmt.Sprint(i)))
			first, again = append(first, fmt.Sprint(line, " refused")), append(again, fmt.Sprint(line, " refused"))
			continue
		}
		fmt.Fprintf(&file, "MAEU%07d,bill_of_lading,MAEU,PO-%d;SO-%d,csv,Customer %d\n", i, i, i, i%7)
		first, again = append(first, fmt.Sprint(line, " created")), append(again, fmt.Sprint(line, " exists"))
	}
	db, out := newDB(t), filepath.Join(t.TempDir(), "outcomes.csv")
	path := write(t, "rows.csv", file.String())
	args := []string{"import", "--format", "csv", "--account", "acme", "--db", db, "--outcomes", out, path}
	bad := rows / 100

	r := inside(append(args, "--dry-run")...)
	if want := fmt.Sprintf("%d rows: %d would be created, 0 there already, %d would be refused\n", rows, rows-bad, bad); r.stdout != want || r.code != 1 {
		t.Errorf("dry run: exit %d, %q, want %q", r.code, r.stdout, want)
	}
	if diff := cmp.Diff(first, outcomesOf(t, out)); diff != "" {
		t.Errorf("dry run: -want +got\n%s", diff)
	}
	begun := time.Now()
	r = inside(args...)
	took := time.Since(begun)
	if want := fmt.Sprintf("%d rows: %d created, 0 there already, %d refused\n", rows, rows-bad, bad); r.stdout != want || r.code != 1 {
		t.Errorf("exit %d, %q, want %q\n%.500s", r.code, r.stdout, want, r.stderr)
	}
	if diff := cmp.Diff(first, outcomesOf(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if n := strings.Count(r.stderr, ": refused: "); n != bad {
		t.Errorf("%d rows are named on standard error, want %d", n, bad)
	}
	r = inside(args...)
	if want := fmt.Sprintf("%d rows: 0 created, %d there already, %d refused\n", rows, rows-bad, bad); r.stdout != want {
		t.Errorf("again: %q, want %q", r.stdout, want)
	}
	if diff := cmp.Diff(again, outcomesOf(t, out)); diff != "" {
		t.Errorf("again: -want +got\n%s", diff)
	}
	t.Logf("%d rows, %d wrong: imported in %s", rows, bad, took.Round(time.Millisecond))
}

func TestImportRowsOfPeople(t *testing.T) {
	db := newDB(t)
	args := []string{"import", "--format", "csv", "--account", "acme", "--db", db}
	// As spreadsheets write it in locales with a decimal comma.
	path := write(t, "rows.csv", "\xef\xbb\xbfrequest number;customer;tags\r\n CSQU3054383 ;Acme;a|b\r\n;;\r\ncsqu305438-3;Acme;\r\n6468636830;;\r\n6468636830;;\r\n")
	if r := inside(append(args, path)...); r.stdout != "4 rows: 2 created, 2 there already, 0 refused\n" || r.code != 0 {
		t.Errorf("exit %d: %q %q", r.code, r.stdout, r.stderr)
	}
	for _, row := range []struct{ text, want string }{
		{"", "it is empty"},
		{"type,scac\n", `has no column "number"`},
		{"number,colour\n", `has an unknown column "colour"; the columns are customer, number, references, scac, tags, type`},
		{"number,Number\n", "has the column number twice"},
		{"number\n\"MAEU", "extraneous or missing"},
		{"PK\x03\x04", "a workbook of a spreadsheet program: save it as CSV UTF-8"},
		{"\xff\xfen\x00u\x00", "UTF-16"},
		{"number\n\xff\n", "not in UTF-8: save it as CSV UTF-8"},
	} {
		if r := inside(append(args, write(t, "bad.csv", row.text))...); r.code != 1 || !strings.Contains(r.stderr, row.want) {
			t.Errorf("%q: exit %d: %q, want %q", row.text, r.code, r.stderr, row.want)
		}
	}
	if r := inside("import", "--account", "acme", "--db", db, "--dry-run", path); r.code != 2 {
		t.Errorf("--dry-run of facts: exit %d", r.code)
	}
}

func TestExport(t *testing.T) {
	db := newDB(t)
	empty := inside("export", "shipments", "--account", "acme", "--db", db)
	empty.refused(t, 1, "no database")
	file := write(t, "events.json", message("LFBL00991", testContainer))
	if r := inside("import", "--account", "acme", "--scac", "MAEU", "--db", db, file); r.code != 0 {
		t.Fatal(r.stderr)
	}
	rows := write(t, "rows.csv", "number,type,scac,references,tags,customer\nLFBL00991,bill_of_lading,MAEU,=1+1;B,-x,@Evil\n")
	if r := inside("import", "--format", "csv", "--account", "acme", "--db", db, rows); r.code != 0 {
		t.Fatal(r.stderr)
	}
	read := func(kind string) map[string]string {
		t.Helper()
		r := inside("export", kind, "--account", "acme", "--db", db)
		table, err := csv.NewReader(strings.NewReader(r.stdout)).ReadAll()
		if r.code != 0 || err != nil || len(table) != 2 {
			t.Fatalf("exit %d: %v, %d lines: %s", r.code, err, len(table), r.stderr)
		}
		cells := map[string]string{}
		for i, name := range table[0] {
			cells[name] = table[1][i]
		}
		return cells
	}
	ship := read("shipments")
	want := map[string]string{
		"bill_of_lading_number": "LFBL00991", "ref_numbers": "'=1+1;B", "tags": "'-x", "customer_name": "'@Evil",
		"port_of_lading_locode": "CNSHA", "pod_ata_at": "2026-03-20T21:00:00Z", "line_tracking_stopped_at": "",
	}
	for name, value := range want {
		if ship[name] != value {
			t.Errorf("%s is %q, want %q", name, ship[name], value)
		}
	}
	container := read("containers")
	if container["number"] != testContainer || container["shipment_id"] != ship["id"] || container["availability_known"] != "false" || container["holds_at_pod_terminal"] != "" {
		t.Errorf("the container is %v", container)
	}
	want = map[string]string{
		"bill_of_lading_number": "LFBL00991", "shipping_line_scac": "MAEU", "customer_name": "'@Evil",
		"port_of_lading_locode": "CNSHA", "port_of_discharge_locode": "USLGB", "port_of_discharge_name": ship["port_of_discharge_name"],
		"pod_vessel_name": "AMBER HERON", "pod_vessel_imo": "2000014", "pod_voyage_number": "214E", "pod_eta_at": "", "pod_ata_at": "2026-03-20T21:00:00Z",
	}
	for name, value := range want {
		if got, ok := container[name]; got != value || !ok {
			t.Errorf("%s of the container is %q, want %q", name, got, value)
		}
	}
	request := read("tracking_requests")
	want = map[string]string{
		"request_number": "LFBL00991", "request_type": "bill_of_lading", "scac": "MAEU", "status": "created", "shipment_id": ship["id"],
		"customer_name": "'@Evil", "ref_numbers": "'=1+1;B", "tags": "'-x", "failed_reason": "",
	}
	for name, value := range want {
		if got, ok := request[name]; got != value || !ok {
			t.Errorf("%s of the request is %q, want %q", name, got, value)
		}
	}
	var list []struct {
		Type, ID string
		Shipment map[string]any
		Customer map[string]any
	}
	r := inside("export", "containers", "--account", "acme", "--db", db, "--format", "json")
	if err := json.Unmarshal([]byte(r.stdout), &list); err != nil || len(list) != 1 || list[0].ID != container["id"] || list[0].Shipment["pod_vessel_name"] != "AMBER HERON" {
		t.Errorf("as JSON: %v %s", err, r.stdout)
	}
	r = inside("export", "tracking_requests", "--account", "acme", "--db", db, "--format", "json")
	if err := json.Unmarshal([]byte(r.stdout), &list); err != nil || len(list) != 1 || list[0].Type != "tracking_request" || list[0].Customer["company_name"] != "@Evil" {
		t.Errorf("requests as JSON: %v %s", err, r.stdout)
	}
	inside("export", "boats", "--account", "acme", "--db", db).refused(t, 2, "boats")
	inside("export", "shipments", "--account", "nobody", "--db", db).refused(t, 1, "nobody")
	inside("export", "shipments", "--account", "acme", "--db", db, "--format", "xml").refused(t, 2, "xml")
}

// engineOn opens the engine on the same database, for an account that is created if
// it does not exist.
func engineOn(t *testing.T, db, account string) *tracking.Tracker {
	t.Helper()
	must(t, "keys", "create", "--account", account, "--db", db)
	store, err := storage.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	operator, err := tracking.New(tracking.Config{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { operator.Close() })
	a, _, err := operator.EnsureAccount(t.Context(), account)
	if err != nil {
		t.Fatal(err)
	}
	return operator.For(tracking.Actor{Account: a.Scope()})
}

// Columns of custom fields: each value belongs to its row, and is validated.
func TestImportFields(t *testing.T) {
	db := newDB(t)
	tr := engineOn(t, db, "acme")
	for slug, typ := range map[string]tracking.DataType{"po": tracking.ShortTextField, "boxes": tracking.NumberField, "rush": tracking.BooleanField} {
		n := tracking.NewCustomFieldDefinition{EntityType: tracking.ShipmentEntity, APISlug: slug, DisplayName: slug, DataType: typ}
		if _, err := tr.CreateCustomFieldDefinition(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	// The shipment exists, so its values are set at once.
	if r := inside("import", "--account", "acme", "--scac", "MAEU", "--db", db, write(t, "events.json", message("LFBL00991", testContainer))); r.code != 0 {
		t.Fatal(r.stderr)
	}
	args := []string{"import", "--format", "csv", "--account", "acme", "--scac", "MAEU", "--db", db}
	rows := write(t, "rows.csv", "number,custom_fields.po,custom_fields.boxes,custom_fields.rush\nLFBL00991,PO-7,12.5,Yes\nLFBL00992,,,\nLFBL00993,,many,\nLFBL00994,,,perhaps\n")
	r := inside(append(args, rows)...)
	if r.stdout != "4 rows: 2 created, 0 there already, 2 refused\n" || !strings.Contains(r.stderr, "line 4: refused: initial_custom_fields.shipment[0].value") {
		t.Fatalf("%q %q", r.stdout, r.stderr)
	}
	list, _, err := tr.CustomFields(t.Context(), tracking.CustomFieldQuery{}, tracking.Page{})
	got := map[string]string{}
	for _, f := range list {
		if got[f.APISlug] = string(f.Value); f.Source != tracking.SetByImport {
			t.Errorf("%s came by %s", f.APISlug, f.Source)
		}
	}
	if diff := cmp.Diff(map[string]string{"po": `"PO-7"`, "boxes": "12.5", "rush": "true"}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	inside(append(args, write(t, "bad.csv", "number,custom_fields.colour\n"))...).refused(t, 1, `shipments have no custom field "colour"`)
}

// A refused row does not count as the request of the next row with its number.
func TestImportRowsAfterARefusal(t *testing.T) {
	db := newDB(t)
	args := []string{"import", "--format", "csv", "--account", "acme", "--db", db}
	path := write(t, "rows.csv", "number,scac,tags\nMAEU123456789,MAEU,"+strings.Repeat("x", 256)+"\nMAEU123456789,,\nMAEU123456789,MAEU,\n")
	for _, dry := range []bool{true, false} {
		args, would := args, ""
		if dry {
			args, would = append(args, "--dry-run"), "would be "
		}
		want := fmt.Sprintf("3 rows: 1 %screated, 1 there already, 1 %srefused\n", would, would)
		if r := inside(append(args, path)...); r.stdout != want || r.code != 1 {
			t.Errorf("dry %t: exit %d: %q %q", dry, r.code, r.stdout, r.stderr)
		}
	}
}

// Importing a file again creates nothing, whatever the status of its requests, the
// SCAC that names the line, the number of lines with that number, and the prefix of
// the line.
func TestImportDeadRowsAgain(t *testing.T) {
	db := newDB(t)
	args := []string{"import", "--format", "csv", "--account", "acme", "--db", db}
	path := write(t, "rows.csv", "number,scac\nB7700001,YMPR\nB7700001,MAEU\nYMLUB7700001,ymlu\nb77-00001,\nB7700002,YMJA\n")
	if r := inside(append(args, path)...); r.stdout != "5 rows: 3 created, 2 there already, 0 refused\n" {
		t.Fatalf("%q %q", r.stdout, r.stderr)
	}
	if died := die(t, db, "acme", "YMLU", "MAEU"); died != 3 {
		t.Fatalf("%d requests have failed, want 3", died)
	}
	again := append(slices.Clone(args), "--outcomes", filepath.Join(t.TempDir(), "outcomes.csv"), path)
	if r := inside(again...); r.stdout != "5 rows: 0 created, 5 there already, 0 refused\n" {
		t.Errorf("again: %q %q", r.stdout, r.stderr)
	}
	for _, outcome := range outcomesOf(t, again[len(again)-2]) {
		if !strings.HasSuffix(outcome, rowExists) {
			t.Errorf("again: %s", outcome)
		}
	}
}

// A row that now names the line, where none was detected, is a new request.
func TestImportNamesTheLine(t *testing.T) {
	db := newDB(t)
	args := []string{"import", "--format", "csv", "--account", "acme", "--db", db}
	if r := inside(append(args, write(t, "rows.csv", "number\nB7700001\n"))...); r.code != 0 {
		t.Fatal(r.stderr)
	}
	if died := die(t, db, "acme", "MAEU"); died != 1 {
		t.Fatalf("%d requests have failed, want 1", died)
	}
	named := write(t, "named.csv", "number,scac\nB7700001,MAEU\n")
	for _, want := range []string{"1 rows: 1 created, 0 there already, 0 refused\n", "1 rows: 0 created, 1 there already, 0 refused\n"} {
		if r := inside(append(args, named)...); r.stdout != want {
			t.Errorf("%q %q, want %q", r.stdout, r.stderr, want)
		}
	}
	// The line of the command applies to rows without one.
	for _, want := range []string{"1 rows: 1 created, 0 there already, 0 refused\n", "1 rows: 0 created, 1 there already, 0 refused\n"} {
		if r := inside(append(args, "--scac", "HLCU", write(t, "rows.csv", "number\nB7700001\n"))...); r.stdout != want {
			t.Errorf("at another line: %q %q, want %q", r.stdout, r.stderr, want)
		}
	}
}

// noSuch is a line that does not know any number.
type noSuch struct{}

func (noSuch) Track(context.Context, tracking.SourceQuery) (tracking.Answer, error) {
	return tracking.Answer{}, &tracking.SourceError{Reason: freight.InvalidNumber}
}

// die makes the lines reject the numbers, and counts the failed requests.
func die(t *testing.T, db, account string, lines ...string) int {
	t.Helper()
	store, err := storage.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	sources := tracking.Sources{}
	for _, line := range lines {
		sources[line] = noSuch{}
	}
	tr, err := tracking.New(tracking.Config{Store: store, Sources: sources})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	for range 5 {
		if _, err := tr.RunOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	a, _, err := tr.EnsureAccount(t.Context(), account)
	if err != nil {
		t.Fatal(err)
	}
	_, failed, err := tr.For(tracking.Actor{Account: a.Scope()}).TrackingRequests(t.Context(), tracking.TrackingRequestQuery{Statuses: []tracking.RequestStatus{tracking.RequestFailed}}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	return failed
}
