package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// systemd reads the units without a complaint, and finds the service well confined.
//
// Seen to fail: with a misspelt setting, and without CapabilityBoundingSet.
func TestUnits(t *testing.T) {
	t.Parallel()
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is missing: apt-get install systemd")
	}
	dir := t.TempDir()
	var units []string
	for _, name := range []string{"landfall.service", "landfall.socket"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "systemd", name))
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, filepath.Join(dir, name))
		here := strings.ReplaceAll(string(text), "/usr/local/bin/landfall", binary) // it must exist
		if err := os.WriteFile(filepath.Join(dir, name), []byte(here), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		append([]string{"verify", "--man=no"}, units...),
		{"security", "--offline=yes", "--threshold=20", "--no-pager", units[0]}, // 2 of 10
	} {
		if out, err := exec.Command(analyze, args...).CombinedOutput(); err != nil || args[0] == "verify" && len(out) > 0 {
			t.Errorf("systemd-analyze %s: %v: %s", args[0], err, out)
		}
	}
}
