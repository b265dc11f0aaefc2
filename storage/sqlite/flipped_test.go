//go:build cgo

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/landfallhq/tracking/store"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/trackingtest"
)

// One nonzero byte of a closed database is changed, LANDFALL_FLIPS times. Then the
// database is opened, read completely through the engine, and checked as by
// landfall check. Nothing may panic. Each time, the file is refused, or a read
// returns an error, or the check finds the damage, or everything reads as before;
// or the damage is undetected. Undetected changes are counted.
//
// Seen to fail: with a check that finds nothing.
func TestFaultFlippedBytes(t *testing.T) {
	r := drill.Random(t)
	flips := drill.Count(t, "LANDFALL_FLIPS", 40)
	path, account := flippedDatabase(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := lookThrough(path, account)
	if want.readError != "" || len(want.found) > 0 {
		t.Fatalf("before any fault: %s %q", want.readError, want.found)
	}

	damaged := filepath.Join(t.TempDir(), "damaged.db")
	counts := map[string]int{}
	for n := range flips {
		at, bit := r.IntN(len(whole)), byte(1+r.IntN(255))
		for whole[at] == 0 { // most zeros are free space
			at = r.IntN(len(whole))
		}
		got := lookThroughDamaged(t, damaged, whole, at, bit, account)
		counts[got.verdict(want)]++
		if got.panicked != "" {
			t.Errorf("flip %d, byte %d by %#x: %s", n, at, bit, got.panicked)
		}
	}
	t.Logf("%d flipped bytes of %d KiB: %d refused at opening, %d errors while reading, %d found by the check alone, %d without effect, %d undetected",
		flips, len(whole)>>10, counts["refused"], counts["told"], counts["found"], counts["same"], counts["undetected"])
	if counts["found"] == 0 {
		t.Error("the check found nothing that reading had not found")
	}
	if counts["undetected"] > flips/20 {
		t.Errorf("%d changes of %d were undetected", counts["undetected"], flips)
	}
}

// flippedDatabase makes a database for the tests of this file, and closes it.
func flippedDatabase(t *testing.T) (path string, account store.AccountID) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "whole.db")
	b, close := benchOn(t, path, nil)
	for _, report := range sailing() {
		mustIngest(t, b, report)
	}
	for n := range 20 {
		if _, err := b.CreateParty(t.Context(), tracking.NewParty{CompanyName: fmt.Sprintf("Party %d", n)}); err != nil {
			t.Fatal(err)
		}
	}
	close()
	return path, b.Account.Scope()
}

// lookThroughDamaged is lookThrough for a copy with one byte changed.
func lookThroughDamaged(t *testing.T, path string, whole []byte, at int, bits byte, account store.AccountID) readResult {
	t.Helper()
	damaged := slices.Clone(whole)
	damaged[at] ^= bits
	for _, suffix := range []string{"-wal", "-shm"} {
		_ = os.Remove(path + suffix)
	}
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	return lookThrough(path, account)
}

// Bits of a closed database are flipped, one at a time and anywhere in the file, until
// LANDFALL_FLIPS of them were bits that something reads; those in free pages and in
// the unused room of pages are counted apart, and some of them tried. The check, or
// what opens the file for it, sees all in documents and private parts, and nearly all
// others.
//
// Seen to fail: with checksums that the check does not compare.
func TestFaultFlippedBits(t *testing.T) {
	r := drill.Random(t)
	flips := drill.Count(t, "LANDFALL_FLIPS", 40)
	path, account := flippedDatabase(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	names := mapBytes(t, path, whole)
	damaged := filepath.Join(t.TempDir(), "damaged.db")
	unused, seen, missed := 0, 0, map[string]int{}
	for used := 0; used < flips; {
		at, bit := r.IntN(len(whole)), byte(1)<<r.IntN(8)
		if names[at] != "" {
			used++
		} else if unused++; unused > 3 {
			continue
		}
		got := lookThroughDamaged(t, damaged, whole, at, bit, account)
		caught := got.refused != "" || len(got.found) > 0
		switch column := filepath.Ext(names[at]); {
		case got.panicked != "":
			t.Errorf("byte %d by %#x: %s", at, bit, got.panicked)
		case names[at] == "" && (caught || got.readError != ""):
			t.Errorf("byte %d by %#x is unused, but: %+v", at, bit, got)
		case names[at] == "":
		case caught:
			seen++
		case column == ".doc" || column == ".private":
			t.Errorf("byte %d by %#x, of %s, is not seen", at, bit, names[at])
			fallthrough
		default:
			missed[names[at]]++
		}
	}
	t.Logf("%d flipped bits of %d KiB: %d in bytes that nothing reads, %d seen by the check, %d not seen", flips+unused, len(whole)>>10, unused, seen, flips-seen)
	for _, name := range slices.Sorted(maps.Keys(missed)) {
		t.Logf("not seen: %d in %s", missed[name], name)
	}
}

// readResult is the result of reading a whole database.
type readResult struct {
	refused   string // the error of opening it
	readError string // the first error of reading it
	found     []string
	read      []string
	panicked  string
}

func (l readResult) verdict(want readResult) string {
	switch {
	case l.refused != "":
		return "refused"
	case l.readError != "":
		return "told"
	case len(l.found) > 0:
		return "found"
	case cmp.Equal(l.read, want.read):
		return "same"
	}
	return "undetected"
}

// lookThrough opens a database, reads all of an account and checks it.
func lookThrough(path string, account store.AccountID) (l readResult) {
	defer func() {
		if p := recover(); p != nil {
			l.panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	ctx := context.Background()
	s, err := Open(path, Options{Readers: 1})
	if err != nil {
		l.refused = err.Error()
		return l
	}
	defer s.Close()
	operator, err := tracking.New(tracking.Config{Store: s, Clock: trackingtest.NewClock()})
	if err != nil {
		l.refused = err.Error()
		return l
	}
	defer operator.Close()
	tr := operator.For(tracking.Actor{Account: account})
	tell := func(err error) {
		if err != nil && l.readError == "" {
			l.readError = err.Error()
		}
	}
	note := func(err error, what ...any) {
		tell(err)
		l.read = append(l.read, fmt.Sprintf("%+v", what))
	}
	shipments, total, err := tr.Shipments(ctx, tracking.ShipmentQuery{}, store.Page{})
	note(err, total)
	for _, s := range shipments {
		note(nil, *s)
	}
	containers, total, err := tr.Containers(ctx, tracking.ContainerQuery{}, store.Page{})
	note(err, total)
	for _, c := range containers {
		note(nil, *c)
		facts, err := tr.RawEvents(ctx, c.ID)
		note(err)
		for _, f := range facts {
			note(nil, *f)
		}
		events, total, err := tr.TransportEvents(ctx, tracking.TransportEventQuery{Container: c.ID}, store.Page{})
		note(err, total)
		for _, e := range events {
			note(nil, *e)
		}
	}
	parties, total, err := tr.Parties(ctx, tracking.PartyQuery{}, store.Page{})
	note(err, total)
	for _, p := range parties {
		note(nil, *p)
	}
	_, err = operator.Check(ctx, store.CheckRequest{Found: func(p store.Problem) { l.found = append(l.found, p.String()) }})
	if err != nil {
		l.found = append(l.found, err.Error())
	}
	return l
}

// One byte of the WAL of a killed process is changed: what remains is a prefix of
// the transactions, complete. SQLite detects a damaged frame by its checksum and
// takes it for the end of the WAL, so later transactions are lost without an error.
//
// TestFaultPowerCutWithoutFullSync shows that recovered can fail.
func TestFaultFlippedWAL(t *testing.T) {
	r := drill.Random(t)
	flips := drill.Count(t, "LANDFALL_FLIPS", 40)
	dir := t.TempDir()
	path := filepath.Join(dir, "landfall.db")
	s, err := Open(path, Options{Readers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.Prepare(t.Context(), []*store.Kind{slotKind}); err != nil {
		t.Fatal(err)
	}
	const all = 30
	for range all {
		if _, err := transact(s); err != nil {
			t.Fatal(err)
		}
	}
	image := map[string][]byte{}
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		image[path+suffix] = b
	}
	counts := map[string]int{}
	for n := range flips {
		left := map[string][]byte{path: image[path], path + "-wal": slices.Clone(image[path+"-wal"])}
		wal := left[path+"-wal"]
		at, bit := r.IntN(len(wal)), byte(1+r.IntN(255))
		wal[at] ^= bit
		kept, err := restart(t, left)
		switch {
		case errors.Is(err, errWrong):
			t.Errorf("flip %d, byte %d by %#x: %v", n, at, bit, err)
		case err != nil:
			counts["refused"]++
		case kept == all:
			counts["kept"]++
		default:
			counts["shorter"]++
		}
	}
	t.Logf("%d flipped bytes of a WAL of %d KiB: %d times all was kept, %d times a shorter prefix, %d refused, 0 wrong",
		flips, len(image[path+"-wal"])>>10, counts["kept"], counts["shorter"], counts["refused"])
}

// restart saves an image into a new directory and opens it as after a crash.
func restart(t *testing.T, image map[string][]byte) (n int, err error) {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := save(image, dir); err != nil {
		t.Fatal(err)
	}
	return recovered(filepath.Join(dir, "landfall.db"))
}
