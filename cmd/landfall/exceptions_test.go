package main

import (
	"strings"
	"testing"
)

// A container that was picked up long ago and never came back, and one with a hold.
func TestExceptions(t *testing.T) {
	db := newDB(t)
	engineOn(t, db, "acme")
	facts := write(t, "facts.json", `{"source":"line","scac":"MAEU","facts":[
		{"event":"route","place":{"locode":"USOAK","role":"pod"},"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]},
		{"event":"discharge","at":"2026-03-02T10:00:00-08:00","place":{"locode":"USOAK"},"mode":"vessel","vessel":{"imo":"9321483"},"containers":["MRKU9465770"],"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]},
		{"event":"gate_out","at":"2026-03-06T10:00:00-08:00","recorded_at":"2026-03-06T20:00:00Z","place":{"locode":"USOAK"},"load":"laden","containers":["MRKU9465770"],"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]}]}`)
	run := func(code int, args ...string) string {
		t.Helper()
		r := inside(append(args, "--account", "acme", "--db", db)...)
		if r.code != code {
			t.Fatalf("%v: code %d: %s", args, r.code, r.stderr)
		}
		return r.stdout + r.stderr
	}
	has := func(text string, parts ...string) {
		t.Helper()
		text = strings.Join(strings.Fields(text), " ")
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("without %q:\n%s", part, text)
			}
		}
	}
	run(0, "import", "--format", "report", facts)
	has(run(0, "exceptions", "list"), "OPENED", "2026-03-16T18:00:00Z - medium not_returned", "not_returned", "MAEU1", "MRKU9465770", "not returned empty within 10 days.")
	if text := run(0, "exceptions", "list", "--kind", "hold,rollover"); strings.Count(text, "\n") != 1 {
		t.Errorf("of other kinds:\n%s", text)
	}
	if text := run(0, "exceptions", "list", "--state", "closed", "--severity", "medium"); strings.Contains(text, "not_returned") {
		t.Errorf("closed:\n%s", text)
	}
	has(run(0, "exceptions", "list", "--state", "all", "--severity", "medium", "--format", "json"), `"exceptions": [`, `"kind": "not_returned"`, `"closed_at": null`, `"container_number": "MRKU9465770"`)
	has(run(0, "exceptions", "settings"), "return_delay_in_days 10 default", "source_conflict_in_hours 24 default")
	has(run(0, "exceptions", "settings", "--set", "return_delay_in_days=20,hub_dwell_in_days=12"), "return_delay_in_days 20 source_silence", "hub_dwell_in_days 12 pod_dwell")
	has(run(0, "exceptions", "settings", "--set", "hub_dwell_in_days=default"), "return_delay_in_days 20 source_silence", "hub_dwell_in_days 10 default")
	has(run(1, "exceptions", "settings", "--set", "hub_dwell_in_days=91"), "from 1 to 90")
	has(run(1, "exceptions", "settings", "--set", "patience=1"), "'patience' is not the name of a threshold")
	for _, wrong := range [][]string{{"list", "--kind", "bad_luck"}, {"list", "--severity", "urgent"}, {"list", "--state", "ajar"}, {"list", "--format", "xml"}, {"settings", "--set", "hub_dwell_in_days"}} {
		run(2, append([]string{"exceptions"}, wrong...)...)
	}
}
