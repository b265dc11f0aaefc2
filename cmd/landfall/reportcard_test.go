package main

import (
	"strings"
	"testing"
)

// A ship that has left and has arrived: its departure has no estimate, and its arrival none
// that was known before.
func TestReportCard(t *testing.T) {
	db := newDB(t)
	engineOn(t, db, "acme")
	run := func(code int, args ...string) result {
		t.Helper()
		r := inside(append(args, "--account", "acme", "--db", db)...)
		if r.code != code {
			t.Fatalf("%v: code %d: %s", args, r.code, r.stderr)
		}
		return r
	}
	move := func(event, class, at, place string) string {
		return `{"event":"` + event + `","classifier":"` + class + `","at":"` + at + `","place":{"locode":"` + place + `"},"mode":"vessel","vessel":{"imo":"9321483"},"containers":["MRKU9465770"],"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]}`
	}
	report := func(facts ...string) {
		t.Helper()
		run(0, "import", "--format", "report", write(t, "facts.json", `{"source":"line","scac":"MAEU","facts":[`+strings.Join(facts, ",")+`]}`))
	}
	report(move("depart", "actual", "2026-03-02T10:00:00-08:00", "CNSHA"), move("arrive", "estimated", "2031-03-20T10:00:00-08:00", "USOAK"))
	report(move("arrive", "actual", "2026-03-22T10:00:00-08:00", "USOAK"))
	if r := run(0, "report-card", "--format", "csv", "--scac", "maeu", "--pol", "CNSHA", "--pod", "usoak"); !strings.Contains(r.stdout, "Z,MAEU,CNSHA,USOAK,first,1,") || !strings.HasPrefix(r.stdout, "as_of,scac,") {
		t.Error(r.stdout)
	}
	if r := run(0, "report-card", "--format", "json"); !strings.Contains(r.stdout, `"voyages": 1`) {
		t.Error(r.stdout)
	}
	if r := run(0, "report-card"); !strings.Contains(r.stdout, "LINE") || !strings.Contains(r.stdout, "errors in days") {
		t.Error(r.stdout)
	}
	if r := run(0, "report-card", "--format", "csv", "--scac", "MSCU"); strings.Count(r.stdout, "\n") != 1 {
		t.Error(r.stdout)
	}
	run(1, "report-card", "--as-of", "2199-01-01T00:00:00Z")
	run(2, "report-card", "--format", "xml")
}
