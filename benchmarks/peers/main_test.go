package main

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if isChild() {
		childMain()
		return
	}
	os.Exit(m.Run())
}

// TestProgram runs the whole program on little data: all servers, the load generator, and
// the deliveries. What needs PostgreSQL is left out where it is not installed.
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole program: not in a short run")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	p, err := parse([]string{"-shipments", "60", "-deliveries", "100", "-rounds", "1", "-seconds", "0.02"})
	if err != nil {
		t.Fatal(err)
	}
	var out, progress strings.Builder
	if err := p.main(ctx, &out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	t.Log(out.String())
	wants := []string{
		"Commit ", "Machine: ", "Versions: ", "60 shipments",
		"| page of 30 with includes | ours |", "| page of 30 with includes | ours, with caches |", "| page of 30 with includes | PocketBase, skipTotal |",
		"| one shipment | PocketBase |", "| deep page | naive, count(*) |", "| page of one carrier | naive, total known |",
		"| write | ours |", "| write | " + pocketPatch + " |", "| write | naive, six statements |",
		"\n| ours | ", "| goal | at least |",
	}
	if strings.Contains(progress.String(), "left out") {
		wants = append(wants, "PostgreSQL is not installed", "| not measured |")
	} else {
		wants = append(wants, "PostgreSQL 1", "| page of 30 with includes | "+pgxKnown+" |", "| write | "+pgxSix+" |", "| "+riverSettings[0].name+" |")
	}
	for _, want := range wants {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output has no %q", want)
		}
	}
}
