package main

import (
	"bytes"
	"os"
	"testing"
)

// TestTable compares the committed table with the rules.
func TestTable(t *testing.T) {
	want, err := table()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../holidays.tsv")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("holidays.tsv is stale: go generate ./refdata (%v)", err)
	}
}
