package main

import (
	"strings"
	"testing"
)

// A container with a tariff that fits, and a day of free time that has ended long ago.
func TestCharges(t *testing.T) {
	db := newDB(t)
	engineOn(t, db, "acme")
	facts := write(t, "facts.json", `{"source":"line","scac":"MAEU","facts":[
		{"event":"route","place":{"locode":"USOAK","role":"pod"},"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]},
		{"event":"discharge","at":"2026-03-02T10:00:00-08:00","place":{"locode":"USOAK"},"mode":"vessel","vessel":{"imo":"9321483"},"containers":["MRKU9465770"],"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]},
		{"event":"gate_out","at":"2026-03-06T10:00:00-08:00","place":{"locode":"USOAK"},"load":"laden","containers":["MRKU9465770"],"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]}]}`)
	run := func(code int, args ...string) result {
		t.Helper()
		r := inside(append(args, "--account", "acme", "--db", db)...)
		if r.code != code {
			t.Fatalf("%v: code %d: %s", args, r.code, r.stderr)
		}
		return r
	}
	run(0, "import", "--format", "report", facts)
	if r := run(0, "charges", "MRKU9465770"); !strings.Contains(r.stdout, "No tariff of the account fits it") {
		t.Error(r.stdout)
	}
	run(0, "tariffs", "import", write(t, "tariffs.csv", "name,clock,location_locode,free_days,currency,tiers\nOakland,demurrage,USOAK,2,USD,1- 185\n"))
	sandbox := write(t, "sandbox.csv", "name,clock,shipping_line_scac,free_days,currency,tiers\nSandbox,detention,TEST,2,USD,1- 185\n")
	run(1, "tariffs", "import", sandbox)
	run(0, "tariffs", "import", "--sandbox", sandbox)
	for _, want := range []string{"370.00 USD so far, 0.00 USD tomorrow\n", "demurrage at USOAK, tariff Oakland\n", "last free day 2026-03-04: computed 2026-03-04, reported -\n", "2026-03-06  charged       1     185.00"} {
		if r := run(0, "charges", "mrku-946577-0"); !strings.Contains(r.stdout, want) {
			t.Errorf("without %q:\n%s", want, r.stdout)
		}
	}
	if r := run(0, "charges", "MRKU9465770", "--format", "json"); !strings.Contains(r.stdout, `"total": "370.00"`) {
		t.Error(r.stdout)
	}
	if r := run(1, "charges", "MSKU0000000"); !strings.Contains(r.stderr, "no container") {
		t.Error(r.stderr)
	}
	if r := run(1, "charges", "MRKU9465770", "--as-of", "2026-03-01T00:00:00Z"); !strings.Contains(r.stderr, "not known then") {
		t.Error(r.stderr)
	}
	run(2, "charges", "MRKU9465770", "--as-of", "yesterday")

	// The 4th is free, and the 5th and 6th cost 185 each.
	lines := write(t, "invoice.csv", "container_number,clock,from,to,rate,currency,invoice_number\nMRKU9465770,demurrage,2026-03-04,2026-03-06,185,USD,INV-7\n")
	for _, want := range []string{",2026-03-04,2026-03-04,USD,185.00,USD,0.00,185.00,free_time,free,", ",discharge,line,2026-03-02T18:00:00Z,", "total,,,,,,USD,555.00,USD,370.00,185.00,"} {
		if r := run(0, "sheet", lines); !strings.Contains(r.stdout, want) {
			t.Errorf("without %q:\n%s", want, r.stdout)
		}
	}
	typed := write(t, "invoice.json", `{"invoice_number":"INV-7","lines":[{"container_number":"mrku 946577-0","clock":"demurrage","from":"2026-03-04","to":"2026-03-06","rate":185,"currency":"USD"}]}`)
	if r := run(0, "sheet", typed, "--format", "json"); !strings.Contains(r.stdout, `"difference": "185.00"`) || !strings.Contains(r.stdout, `"received_at"`) {
		t.Error(r.stdout)
	}
	if r := run(0, "sheet", typed, "--format", "pdf"); !strings.HasPrefix(r.stdout, "%PDF-") {
		t.Errorf("%.80q", r.stdout)
	}
	if r := run(0, "sheet", lines, "--as-of", "2026-03-01T00:00:00Z"); !strings.Contains(r.stdout, "container_unknown") {
		t.Error(r.stdout)
	}
	if r := run(1, "sheet", write(t, "wrong.csv", "container_number,clock,from,to,rate,currency\nMRKU9465770,demurrage,2026-03-04,2026-03-06,a lot,USD\n")); !strings.Contains(r.stderr, `row 1, column rate: "a lot" is not an amount of USD`) {
		t.Error(r.stderr)
	}
	run(2, "sheet", lines, "--format", "xml")
	run(2, "sheet", lines, "--input", "xml")
	run(2, "charges", "MRKU9465770", "--format", "xml")
}
