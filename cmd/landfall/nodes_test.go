package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

// TestNodesCommand: a server is listed while it runs, and not after a clean stop.
func TestNodesCommand(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	run(t, "nodes", "--db", db).refused(t, 1, "there is no database")
	p := serve(t, db)
	eventually(t, 10*time.Second, func() error {
		if out := must(t, "nodes", "--db", db); !strings.HasSuffix(out, "\nall servers write the same generations") || strings.Count(out, "\n") != 2 {
			return fmt.Errorf("%s", out)
		}
		return nil
	})
	p.stop()
	if out := must(t, "nodes", "--db", db); out != "no server runs on this database" {
		t.Errorf("after a stop: %s", out)
	}
}

func TestPrintNodes(t *testing.T) {
	at := time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)
	one, two := uuid.MustParse("00000000-0000-0000-0000-00000000000a"), uuid.MustParse("00000000-0000-0000-0000-00000000000b")
	nodes := []tracking.Node{
		{ID: one, Version: "v1.0.0", StartedAt: at, Age: 1234 * time.Millisecond, Schema: 1, Rules: 7, Generations: map[string]int{"shipment": 5, "party": 1}, Older: []string{"rules", "shipment"}},
		{ID: two, StartedAt: at, Schema: 2, Rules: 8, Generations: map[string]int{"shipment": 6, "party": 1}},
	}
	var out bytes.Buffer
	if err := printNodes(&out, nodes); err != nil {
		t.Fatal(err)
	}
	want := `ID                                    VERSION  STARTED               HEARTBEAT  SCHEMA  DIFFERENT GENERATIONS
00000000-0000-0000-0000-00000000000a  v1.0.0   2026-11-29T08:00:00Z  1.2s ago   1       rules 7, shipment 5
00000000-0000-0000-0000-00000000000b  unknown  2026-11-29T08:00:00Z  0s ago     2       rules 8, shipment 6
records of earlier generations stay as they are, and no column is removed, until these have ended: 00000000-0000-0000-0000-00000000000a
`
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}
