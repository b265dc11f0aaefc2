//go:build cgo

package sqlite

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

// An ingest fails at its first statement, then at its second, and so on until none
// is left. Each time, no value in the tables of the file has changed, and there is
// neither an event nor a notification. In the end, the same report gives the same
// result as without faults. The engine may retry a failed read; then the report
// succeeds as a whole.
//
// Seen to fail: with a commit in place of the rollback after a failed closure.
func TestFaultEachStatement(t *testing.T) {
	reports := sailing()
	for i, name := range []string{"a new shipment", "its voyage", "a correction and a retraction", "a box that moves to another shipment"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := func(name string) string { return filepath.Join(dir, name+".db") }
			b, close := benchOn(t, file("first"), nil)
			for _, r := range reports[:i] {
				mustIngest(t, b, r)
			}
			if err := b.Store.(*Store).Backup(t.Context(), file("spared")); err != nil {
				t.Fatal(err)
			}
			close()
			copyFile(t, file("spared"), file("unharmed"))
			b, close = benchOn(t, file("unharmed"), nil)
			mustIngest(t, b, reports[i])
			close()
			want := nameless(dump(t, file("unharmed")))
			notified := rowsOf(want, "r_webhook_notification")
			if i == 0 && notified == 0 {
				t.Fatal("the report makes no notification for the webhook")
			}

			fault := &statementFault{}
			path := ""
			var before []string
			failed, survived := 0, 0
			for fault.at = 1; ; fault.at++ {
				if path == "" { // not touched yet
					path = file(fmt.Sprint(fault.at))
					copyFile(t, file("spared"), path)
					at := fault.at
					fault.at = 0
					b, close = benchOn(t, path, fault.before)
					before, fault.at = dump(t, path), at
				}
				fault.seen, fault.sql = 0, ""
				_, err := b.Ingest(context.Background(), reports[i], onceOf(reports[i]))
				if err != nil {
					failed++
					if !errors.Is(err, errInjected) {
						t.Fatalf("statement %d: %v", fault.at, err)
					}
					if diff := cmp.Diff(before, dump(t, path)); diff != "" {
						t.Fatalf("statement %d failed (%s), and this has changed: %s", fault.at, fault.sql, diff)
					}
					continue
				}
				if diff := cmp.Diff(want, nameless(dump(t, path))); diff != "" {
					t.Errorf("without faults (-) and after %d of them, the last in %q (+): %s", failed, fault.sql, diff)
				}
				close()
				if path = ""; fault.sql == "" {
					break
				}
				survived++
			}
			if failed < 10 {
				t.Errorf("only %d statements made the report fail", failed)
			}
			t.Logf("%s: %d statements, each failed once: %d times nothing was done, %d times all; %d notifications are there in the end", name, failed+survived, failed, survived, notified)
		})
	}
}

// benchOn opens a Tracker on a file, with a webhook that wants every event. Its
// clock stands at the same time on each.
func benchOn(t *testing.T, path string, before func(string) error) (b *trackingtest.Bench, close func()) {
	t.Helper()
	s, err := Open(path, Options{Readers: 1, harness: harness{statement: before}})
	if err != nil {
		t.Fatal(err)
	}
	b = trackingtest.New(t, func(c *tracking.Config) { c.Store = s })
	subscribeOnce(t, b)
	return b, func() {
		if err := b.Operator.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// subscribeOnce makes the webhook, if the file has it not yet.
func subscribeOnce(t *testing.T, b *trackingtest.Bench) {
	t.Helper()
	_, err := b.CreateWebhook(context.Background(), tracking.NewWebhook{
		URL: "https://receiver.example/hooks", Events: tracking.EventNames(),
	}, tracking.Once{Key: "webhook", Fingerprint: "webhook"})
	if err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

var errInjected = errors.New("injected")

// statementFault fails one statement of the connection that writes.
type statementFault struct {
	at, seen int    // 0: none
	sql      string // of the one that failed
}

func (f *statementFault) before(sql string) error {
	if f.at == 0 || strings.HasPrefix(sql, "ROLLBACK") {
		return nil
	}
	if f.seen++; f.seen == f.at {
		f.sql = sql
		return errInjected
	}
	return nil
}

func mustIngest(t *testing.T, b *trackingtest.Bench, r tracking.Report) {
	t.Helper()
	if _, err := b.Ingest(context.Background(), r, onceOf(r)); err != nil {
		t.Fatal(err)
	}
}

// onceOf gives each of the reports below a key of its own.
func onceOf(r tracking.Report) tracking.Once {
	return tracking.Once{Key: "facts from " + r.Facts[0].RecordedAt.String(), Fingerprint: "report"}
}

// sailing is a shipment of two containers, given in reports, and another shipment
// to which one of the containers turns out to belong.
func sailing() []tracking.Report {
	at := time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
	boxes := []string{"MRKU9465770", "TCLU6718159"}
	bill := func(n string) []tracking.ShipmentNumber {
		return []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: n}}
	}
	id := 0
	fact := func(f tracking.Fact) tracking.Fact {
		id++
		at = at.Add(10 * time.Hour)
		if f.ID == "" {
			f.ID = fmt.Sprint(id)
		}
		f.At, f.RecordedAt = tracking.Moment{Time: at}, at
		if f.Numbers == nil {
			f.Numbers = bill("MAEU77001")
		}
		if f.Mode == freight.ByVessel {
			f.Vessel, f.Voyage = tracking.VesselRef{IMO: "9321483", Name: "EXAMPLE STAR"}, "12E"
		}
		return f
	}
	from, to := tracking.Place{LOCODE: "CNSHA"}, tracking.Place{LOCODE: "USOAK", SMDG: "TRAP", Facility: "TraPac", FacilityType: "POTE"}
	pol, pod := tracking.Place{LOCODE: "CNSHA", Role: freight.RolePOL}, tracking.Place{LOCODE: "USOAK", Role: freight.RolePOD}
	report := func(facts ...tracking.Fact) tracking.Report {
		return tracking.Report{Source: "test", SCAC: "MAEU", Facts: facts}
	}
	return []tracking.Report{
		report(
			fact(tracking.Fact{Activity: freight.Route, Place: pol}),
			fact(tracking.Fact{Activity: freight.Route, Place: pod}),
			fact(tracking.Fact{ID: "eta", Activity: freight.Arrival, Classifier: freight.Estimated, Mode: freight.ByVessel, Place: to}),
			fact(tracking.Fact{Activity: freight.GateOut, LoadStatus: freight.Empty, Place: from, Containers: boxes}),
		),
		report(
			fact(tracking.Fact{Activity: freight.GateIn, LoadStatus: freight.Laden, Place: from, Containers: boxes,
				Equipment: freight.Equipment{ISOType: "45G1", Seals: []string{"S1"}, WeightKg: 13607}}),
			fact(tracking.Fact{ID: "load", Activity: freight.Loading, LoadStatus: freight.Laden, Mode: freight.ByVessel, Place: from, Containers: boxes}),
			fact(tracking.Fact{Activity: freight.Departure, Mode: freight.ByVessel, Place: from}),
			fact(tracking.Fact{Activity: freight.Arrival, Mode: freight.ByVessel, Place: to}),
			fact(tracking.Fact{ID: "off", Activity: freight.Discharge, LoadStatus: freight.Laden, Mode: freight.ByVessel, Place: to, Containers: boxes}),
		),
		report(
			fact(tracking.Fact{ID: "eta", Activity: freight.Arrival, Classifier: freight.Estimated, Mode: freight.ByVessel, Place: to}),
			fact(tracking.Fact{ID: "off", Retracted: true}),
		),
		report(
			fact(tracking.Fact{ID: "load", Activity: freight.Loading, LoadStatus: freight.Laden, Mode: freight.ByVessel, Place: from,
				Containers: boxes[1:], Numbers: bill("MAEU77002")}),
			fact(tracking.Fact{Activity: freight.Discharge, LoadStatus: freight.Laden, Mode: freight.ByVessel, Place: to,
				Containers: boxes[1:], Numbers: bill("MAEU77002")}),
		),
	}
}

// dump is every row of every table, those of records in order of creation. IDs are texts, in
// documents that are not JSON too.
func dump(t *testing.T, path string) []string {
	t.Helper()
	c, err := connectPlain(path, Options{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	var tables []string
	err = c.query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name NOT LIKE 'r\\_%' ESCAPE '\\', name", nil,
		func(v []driver.Value) error {
			tables = append(tables, fmt.Sprint(v[0]))
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, table := range tables {
		columns := "*"
		if strings.HasPrefix(table, "r_") {
			// Without terms, whose order in the row is that of their IDs: the table of
			// terms has them all. Without checksums, which are of IDs too.
			columns = columnsBut(t, c, table, "terms", "checksum")
		}
		err := c.query("SELECT "+columns+" FROM "+table+" ORDER BY 1", nil, func(v []driver.Value) error {
			row := table
			for _, value := range v {
				switch b, ok := value.([]byte); {
				case ok && len(b) == 16:
					row += " " + store.ID(b).String()
				case ok && len(b) > 0 && b[0] == 1:
					row += readableEntries(b[3:]) // behind what stands for the form and the kind
				case ok:
					row += " " + string(b)
				default:
					row += " " + fmt.Sprint(value)
				}
			}
			rows = append(rows, row)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

// readableEntries returns the entries of a document in binary form, with IDs as texts.
func readableEntries(b []byte) (row string) {
	for len(b) > 3 {
		n, size := binary.Uvarint(b[2:])
		value, end := b[2+size:][:n], 2+size+int(n)
		if bytes.HasPrefix(b, packed) {
			value = nil
		}
		row += fmt.Sprintf(" %x:", b[:2])
		for len(value) >= 16 && (len(value)%16 == 0 || len(value) < 32 || typeName.Match(value[16:])) { // a list, or one with its type
			row += store.ID(value[:16]).String() + " "
			value = value[16:]
		}
		row += fmt.Sprintf("%q", value)
		b = b[end:]
	}
	return row
}

func columnsBut(t *testing.T, c *conn, table string, but ...string) string {
	t.Helper()
	columns, err := c.queryText("SELECT group_concat(name, ', ') FROM pragma_table_info(?) WHERE name NOT IN ('"+strings.Join(but, "', '")+"')", table)
	if err != nil {
		t.Fatal(err)
	}
	return columns
}

// rowsOf counts the rows of a table.
func rowsOf(rows []string, table string) (n int) {
	for _, row := range rows {
		if strings.HasPrefix(row, table+" ") {
			n++
		}
	}
	return n
}

// packed stands for the documents of a snapshot in the binary form: deflated, with IDs in them.
var packed = []byte{0x75, 0x33}

// typeName is what follows an ID whose record can be of several types.
var typeName = regexp.MustCompile(`^[a-z_]+$`)

// notes are hashes of IDs, each of one length.
var notes = regexp.MustCompile(`"(milestones|exceptions)":"[^"]*"`)

var uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// nameless puts numbers, in order of appearance, in place of IDs, which differ
// from run to run, and sorts the rows.
func nameless(rows []string) []string {
	numbers := map[string]string{}
	out := make([]string, len(rows))
	for i, row := range rows {
		row = notes.ReplaceAllStringFunc(row, func(s string) string {
			name, _, _ := strings.Cut(s, ":")
			return fmt.Sprintf("%s:%d", name, len(s))
		})
		out[i] = uuids.ReplaceAllStringFunc(row, func(id string) string {
			if numbers[id] == "" {
				numbers[id] = fmt.Sprintf("#%d", len(numbers)+1)
			}
			return numbers[id]
		})
	}
	slices.Sort(out)
	return out
}
