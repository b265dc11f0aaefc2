package main

import (
	"strings"
	"testing"
)

// An export is read back as it was, in both forms; a file with a wrong row changes nothing,
// and the message names row and column.
func TestTariffs(t *testing.T) {
	db := newDB(t)
	engineOn(t, db, "acme")
	run := func(code int, args ...string) result {
		t.Helper()
		r := inside(append([]string{"tariffs", args[0], "--account", "acme", "--db", db}, args[1:]...)...)
		if r.code != code {
			t.Fatalf("%v: code %d: %s", args, r.code, r.stderr)
		}
		return r
	}
	file := write(t, "tariffs.csv", "name,clock,location_locode,free_days,currency,tiers\nA,demurrage,USLGB,4,USD,1-4 185; 5- 310.00\n=B,per_diem,,5,EUR,1- 90\n")
	if r := run(0, "import", file); r.stdout != "2 tariffs created, 0 kept, 0 deleted\n" {
		t.Error(r.stdout)
	}
	if r := run(0, "list"); strings.Count(r.stdout, "\n") != 3 || !strings.Contains(r.stdout, "185.00 310.00 USD") {
		t.Error(r.stdout)
	}
	for _, format := range []string{"csv", "json"} {
		text := run(0, "export", "--format", format).stdout
		if r := run(0, "import", "--replace", write(t, "again."+format, text)); r.stdout != "0 tariffs created, 2 kept, 0 deleted\n" {
			t.Errorf("%s: %s\n%s", format, r.stdout, text)
		}
	}
	for want, text := range map[string]string{
		"row 2, column free_days: ":   "clock,free_days,currency,tiers\ncombined,4,USD,1- 5\ncombined,four,USD,1- 5\n",
		"row 1, column currency: ":    "clock,free_days,currency,tiers\ncombined,4,XXX,1- 5\n",
		"row 1: overlaps the tariff ": "clock,location_locode,free_days,currency,tiers\ndemurrage,USLGB,4,USD,1- 5\n",
	} {
		if r := run(1, "import", write(t, "wrong.csv", text)); !strings.Contains(r.stderr, want) {
			t.Errorf("%s, want %s", r.stderr, want)
		}
	}
	if r := run(1, "import", write(t, "wrong.json", `{"tariffs":[{"clock":"combined","price":1}]}`)); !strings.Contains(r.stderr, "currency: a value is missing") || !strings.Contains(r.stderr, "price: there is no such member") {
		t.Error(r.stderr)
	}
	run(2, "export", "--format", "xml")
	if r := run(0, "list"); strings.Count(r.stdout, "\n") != 3 {
		t.Error(r.stdout)
	}
}
