package main

import (
	"database/sql"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rowsOf returns every row of a database as a text, by table.
func rowsOf(t *testing.T, db string) map[string][]string {
	t.Helper()
	s, err := sql.Open("sqlite3", "file:"+db+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	names, err := s.Query("SELECT name FROM sqlite_schema WHERE type = 'table'")
	if err != nil {
		t.Fatal(err)
	}
	defer names.Close()
	all := map[string][]string{}
	for names.Next() {
		var name string
		if err := names.Scan(&name); err != nil {
			t.Fatal(err)
		}
		rows, err := s.Query("SELECT * FROM " + name)
		if err != nil {
			t.Fatal(err)
		}
		columns, _ := rows.Columns()
		for rows.Next() {
			values, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			text := ""
			for i, v := range values {
				if b, ok := v.([]byte); ok {
					v = string(b)
				}
				text += fmt.Sprintf("|%s=%v|", columns[i], v)
			}
			all[name] = append(all[name], text)
		}
		rows.Close()
	}
	return all
}

// ofAccount returns the rows of an account by its number: those with the number as account,
// or in their rid.
func ofAccount(t *testing.T, db string, no int64) (rows []string) {
	t.Helper()
	for table, all := range rowsOf(t, db) {
		for _, row := range all {
			var rid int64 = -1
			if _, after, ok := strings.Cut(row, "|rid="); ok {
				fmt.Sscan(after, &rid)
			}
			if strings.Contains(row, fmt.Sprintf("|account=%d|", no)) || rid>>40 == no {
				rows = append(rows, table+" "+row)
			}
		}
	}
	slices.Sort(rows)
	return rows
}

func accountNumber(t *testing.T, db, id string) (no int64) {
	t.Helper()
	s, err := sql.Open("sqlite3", "file:"+db+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.QueryRow("SELECT no FROM accounts WHERE lower(hex(id)) = ?", strings.ReplaceAll(id, "-", "")).Scan(&no); err != nil {
		t.Fatal(err)
	}
	return no
}

// quietRows are the rows of an account that other accounts do not touch: groups of jobs are
// shared.
func quietRows(t *testing.T, db, id string) []string {
	t.Helper()
	return slices.DeleteFunc(ofAccount(t, db, accountNumber(t, db, id)), func(row string) bool { return strings.HasPrefix(row, "groups ") })
}

// TestAccountsDelete deletes an account under load: afterwards no table has a row of it but
// the tombstone, no column its texts, and no folder its files; its keys are refused, and
// another account has the bytes that it had.
func TestAccountsDelete(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db, "--allow-private-webhooks", "--rate-default", "1000000")
	const marker = "MARKEDBYACME"
	report := func(n int) string {
		return fmt.Sprintf(`{"source":"api","scac":"MAEU","facts":[{"event":"load","classifier":"actual","at":{"time":"2026-02-04T10:00:00Z"},"place":{"locode":"CNSHA"},
			"vessel":{"name":"%s"},"containers":["APZU4812090"],"numbers":[{"type":"bill_of_lading","number":"%s%d"}]}]}`, marker, marker, n)
	}
	acme := must(t, "keys", "create", "--account", "acme", "--db", db)
	must(t, "users", "create", "--account", "acme", "--db", db, "--email", marker+"@example.com")
	busy, quiet := must(t, "keys", "create", "--account", "busy", "--db", db), p.key
	p.ask(http.MethodPost, "/reports", strings.ReplaceAll(report(1), marker, "QUIET"), nil)
	p.file("quiet.json", `{"n":1}`)
	p.key = acme
	p.ask(http.MethodPost, "/webhooks", `{"data":{"type":"webhook","attributes":{"url":"http://127.0.0.1:9/`+marker+`","active":true,"events":["container.created"]}}}`, nil)
	p.file(marker+".json", `{"n":1}`)
	ids := map[string]string{}
	for _, line := range strings.Split(must(t, "accounts", "list", "--db", db), "\n")[1:] {
		ids[strings.Fields(line)[1]] = strings.Fields(line)[0]
	}
	before := quietRows(t, db, ids["default"])

	var stop, refused atomic.Int64
	var deleted atomic.Bool
	var load sync.WaitGroup
	for key, name := range map[string]string{acme: marker, busy: "BUSY"} {
		load.Go(func() {
			for n := 1; stop.Load() == 0; n++ {
				late := deleted.Load()
				status, body, err := p.call(key, http.MethodPost, "/reports", strings.ReplaceAll(report(n%40), marker, name)) // of a bounded number of shipments
				switch {
				case key == acme && (status == http.StatusUnauthorized || refused.Load() > 0 && status == http.StatusTooManyRequests):
					refused.Add(1)
				case err != nil || status != http.StatusOK || late && key == acme:
					t.Errorf("a report under load: %d %s %v, after the deletion: %t", status, body, err, late)
				}
			}
		})
	}
	eventually(t, 20*time.Second, func() error {
		if n := p.list(acme, "/shipments").Meta.Total; n < 20 {
			return fmt.Errorf("%d shipments", n)
		}
		return nil
	})
	if r := runWith(t, "acmee\n", nil, "accounts", "delete", "--account", "acme", "--db", db); r.code != 1 || !strings.Contains(r.stderr, "nothing was deleted") {
		t.Errorf("another name: %+v", r)
	}
	if r := runWith(t, "acme\n", nil, "accounts", "delete", "--account", "acme", "--db", db); r.code != 0 || !strings.HasPrefix(r.stdout, "deleted acme: ") {
		t.Errorf("%+v", r)
	}
	deleted.Store(true)
	n := refused.Load()
	eventually(t, 20*time.Second, func() error {
		if refused.Load() < n+10 {
			return fmt.Errorf("%d requests were refused", refused.Load())
		}
		return nil
	})
	stop.Store(1)
	load.Wait()
	if got := p.list(busy, "/shipments").Meta.Total; got == 0 {
		t.Error("the busy account has nothing")
	}
	if p.probe("/readyz") != http.StatusOK || p.list(quiet, "/shipments").Meta.Total != 1 {
		t.Error("the server does not serve the other accounts")
	}
	p.stop()

	left := ofAccount(t, db, accountNumber(t, db, ids["acme"]))
	if len(left) != 1 || !strings.HasPrefix(left[0], "r_ledger ") {
		t.Errorf("rows of the account are left: %q", left)
	}
	for table, rows := range rowsOf(t, db) {
		for _, row := range rows {
			if strings.Contains(row, marker) || strings.Contains(row, `"acme"`) {
				t.Errorf("%s has %s", table, row)
			}
		}
	}
	err := filepath.WalkDir(defaultBlobs(db), func(path string, _ fs.DirEntry, err error) error {
		if strings.Contains(path, ids["acme"]) {
			t.Errorf("the file %s is left", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, quietRows(t, db, ids["default"])); diff != "" {
		t.Errorf("another account has changed: %s", diff)
	}
	if text := must(t, "check", "--db", db); !strings.Contains(text, " 0 problems") {
		t.Error(text)
	}
	if log := must(t, "audit", "--db", db, "--type", "account"); strings.Count(log, "account.delete") != 1 || strings.Contains(log, "acme") {
		t.Error(log)
	}
}
