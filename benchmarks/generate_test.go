package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/sqlite"
)

// generatedShipments are some reports' worth, and one that is not full.
const generatedShipments = 12*shipmentsPerReport + 7

// TestGenerate: a generated database has, in the same order, the records and jobs
// of one in which the engine ingested the same reports, and the check finds no
// problem. To derive all shipments again writes nothing: that compares columns and
// terms too. It failed without setFacts (the ledger), without flushTerms in Update
// (terms), and without the operations of Enqueue and EnqueueBy (jobs).
func TestGenerate(t *testing.T) {
	at := time.Now().UTC().Truncate(time.Second)
	dir := t.TempDir()
	g := generator{
		file: filepath.Join(dir, "generated.db"), seed: 3, shipments: generatedShipments, accounts: 1, memory: 64 << 20,
		now: func() time.Time { return at }, say: t.Logf,
	}
	filled, err := g.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	account := filled[0].scope
	ours := openDump(t, g.file, account, at)
	ours.check(t)

	theirs := openDump(t, filepath.Join(dir, "engine.db"), account, at)
	fleet := newFleet(g.seed, g.shipments)
	fleet.today = at
	user := theirs.operator.For(tracking.Actor{Account: account})
	for from := 0; from < g.shipments; from += shipmentsPerReport {
		if _, err := user.Ingest(t.Context(), fleetReport(fleet, [2]int{from, min(g.shipments, from+shipmentsPerReport)})); err != nil {
			t.Fatal(err)
		}
	}
	ours.read(t)
	theirs.read(t)
	for _, kind := range []string{"shipment", "container", "transport_event", "raw_event", "exception", "terminal", "vessel", "ledger"} {
		if len(theirs.records[kind]) == 0 {
			t.Errorf("there is no %s to compare", kind)
		}
	}
	if len(theirs.jobs) == 0 {
		t.Error("there is no job to compare")
	}
	// The generator makes an account and a key, which the audit log has; the other
	// database is filled by nobody.
	delete(ours.records, "audit_event")
	delete(theirs.records, "audit_event")
	ours.compare(t, theirs)
	ours.rederive(t)
}

// TestGenerateAccounts: each account gets its part, and can go on.
func TestGenerateAccounts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "generated.db")
	p, err := parse([]string{"-fill", "70", "-accounts", "3", "-db", file, "-memory", "32"})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := p.generate(t.Context(), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	keys := regexp.MustCompile(`key (lf_\S+): (\d+) shipments`).FindAllStringSubmatch(out.String(), -1)
	if len(keys) != 3 {
		t.Fatalf("%d accounts, want 3:\n%s", len(keys), &out)
	}
	d := openDump(t, file, tracking.AccountID{}, time.Now())
	d.check(t)
	for n, want := range []string{"23", "23", "24"} {
		if keys[n][2] != want {
			t.Errorf("account %d has %s shipments, want %s", n+1, keys[n][2], want)
		}
	}
	for n := range 3 {
		a, err := d.operator.Account(t.Context(), fmt.Sprintf("generated %d", n+1))
		if err != nil {
			t.Fatal(err)
		}
		v := newFleet(9, 100).voyage(99)
		receipt, err := d.operator.For(tracking.Actor{Account: a.Scope()}).Ingest(t.Context(), report(v.facts...))
		if err != nil || receipt.New != len(v.facts) || receipt.Shipments != 1 {
			t.Errorf("a report to account %d: %+v, %v", n+1, receipt, err)
		}
	}
	d.check(t)
}

// TestGenerateRefusals: nothing is written over, and what failed is not left.
func TestGenerateRefusals(t *testing.T) {
	dir := t.TempDir()
	g := generator{file: filepath.Join(dir, "generated.db"), seed: 1, shipments: 30, accounts: 1, memory: 32 << 20, say: t.Logf}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("it was generated after its end: %v", err)
	}
	wantEmpty(t, dir)
	if _, err := g.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := g.run(t.Context()); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("a second time: %v", err)
	}
	if n, err := size(g.file); err != nil || n == 0 {
		t.Errorf("the file that was there: %d bytes, %v", n, err)
	}
}

// dump is all that an account has in a database.
type dump struct {
	store    *sqlite.Store
	notes    *recorder
	operator *tracking.Tracker
	account  tracking.AccountID
	records  map[string][]store.Record // by kind, in order of creation
	jobs     []store.Job
}

func openDump(t *testing.T, file string, a tracking.AccountID, at time.Time) *dump {
	t.Helper()
	db, err := sqlite.Open(file, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &dump{store: db, notes: newRecorder(db), account: a, records: map[string][]store.Record{}}
	if d.operator, err = tracking.New(tracking.Config{Store: d.notes, Clock: &reportClock{at}, Logger: quiet}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.operator.Close() })
	return d
}

// check looks over the file: columns, terms, totals and jobs agree with the
// documents.
func (d *dump) check(t *testing.T) {
	t.Helper()
	var kinds []*store.Kind
	for _, k := range d.notes.kinds {
		kinds = append(kinds, k)
	}
	report, err := d.store.Check(t.Context(), kinds, tracking.CheckRequest{Found: func(p store.Problem) { t.Error(p) }})
	if err != nil || report.Problems > 0 || report.Outdated > 0 || report.Records == 0 {
		t.Errorf("check: %+v, %v", report, err)
	}
}

// read reads all that the account has. It claims all jobs.
func (d *dump) read(t *testing.T) {
	t.Helper()
	err := d.store.View(t.Context(), d.account, func(tx store.RecordTx) error {
		for name, k := range d.notes.kinds {
			records, _, err := tx.List(t.Context(), k, store.Filter{Sort: []tracking.Order{{}}}, tracking.Page{}, nil)
			if err != nil {
				return err
			}
			d.records[name] = records
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	d.jobs, err = d.store.Claim(t.Context(), store.ClaimRequest{Kinds: []store.JobKind{"watch"}, Now: time.Now().AddDate(10, 0, 0), Lease: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
}

// compare compares with a database in which records that follow from numbers the
// engine draws have other IDs: the n-th of a kind is the n-th there.
func (d *dump) compare(t *testing.T, o *dump) {
	t.Helper()
	var pairs []string
	binary := map[tracking.ID]tracking.ID{}
	for kind, records := range o.records {
		if len(records) != len(d.records[kind]) {
			t.Fatalf("%s: %d records, want %d", kind, len(d.records[kind]), len(records))
		}
		for i, r := range records {
			other := d.records[kind][i].ID
			pairs = append(pairs, r.ID.String(), other.String(), string(r.ID[:]), string(other[:]))
			binary[r.ID] = other
		}
	}
	renamed := strings.NewReplacer(pairs...)
	for kind, records := range o.records {
		for i, want := range records {
			got := d.records[kind][i]
			if got.Version != want.Version {
				t.Errorf("%s %d has version %d, want %d: %s", kind, i, got.Version, want.Version, got.Doc)
			}
			if doc := renamed.Replace(string(want.Doc)); doc != string(got.Doc) {
				t.Errorf("%s %d:\n%s, want\n%s", kind, i, got.Doc, doc)
			}
			if private := renamePrivate(t, renamed.Replace(string(want.Private)), binary); private != string(got.Private) {
				t.Errorf("%s %d, private:\n%s, want\n%s", kind, i, got.Private, private)
			}
			if t.Failed() {
				return
			}
		}
	}
	if len(d.jobs) != len(o.jobs) {
		t.Fatalf("%d jobs, want %d", len(d.jobs), len(o.jobs))
	}
	due := map[tracking.ID]store.Job{}
	for _, j := range d.jobs {
		due[j.Ref] = j
	}
	for _, want := range o.jobs {
		got := due[binary[want.Ref]]
		if got.Kind != want.Kind || got.Group != want.Group || !got.Due.Equal(want.Due) || renamed.Replace(string(want.Data)) != string(got.Data) {
			t.Errorf("job %+v, want %+v", got, want)
		}
	}
}

// renamePrivate renames the IDs in what a shipment notes of its milestones and its
// exceptions, which is not text.
func renamePrivate(t *testing.T, private string, names map[tracking.ID]tracking.ID) string {
	t.Helper()
	var members struct {
		Milestones string `json:"milestones"`
		Exceptions string `json:"exceptions"`
	}
	if private == "" || json.Unmarshal([]byte(private), &members) != nil {
		return private
	}
	for _, notes := range []string{members.Milestones, members.Exceptions} {
		form := base64.StdEncoding
		b, err := form.DecodeString(notes)
		if err != nil {
			form = base64.RawStdEncoding
			if b, err = form.DecodeString(notes); err != nil {
				t.Fatalf("notes in another form: %s", notes)
			}
		}
		for at := 0; at+16 <= len(b); at++ {
			if id, known := names[tracking.ID(b[at:at+16])]; known {
				copy(b[at:], id[:])
				at += 15
			}
		}
		private = strings.Replace(private, notes, form.EncodeToString(b), 1)
	}
	return private
}

// rederive has the engine derive every shipment again from its facts: it must
// find nothing to write.
func (d *dump) rederive(t *testing.T) {
	t.Helper()
	if _, err := d.operator.Rederive(t.Context(), d.account, tracking.RederiveOptions{}); err != nil {
		t.Fatal(err)
	}
	before := d.records
	d.records = map[string][]store.Record{}
	d.read(t)
	for kind, records := range before {
		for i, r := range records {
			if now := d.records[kind][i]; now.Version != r.Version {
				t.Errorf("%s %d was changed by the engine:\n%s, before\n%s", kind, i, now.Doc, r.Doc)
				return
			}
		}
	}
}
