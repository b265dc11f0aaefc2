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
	run(2, "charges", "MRKU9465770", "--format", "xml")
}
