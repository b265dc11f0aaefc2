package main

import (
	"log/slog"
	"strings"
	"testing"
)

// --memory limits Go's memory, unless GOMEMLIMIT does.
func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	start(t, nil, "--memory", "512MiB").await("limited memory\" available=512MiB for_go=409MiB")
	if p := start(t, []string{"GOMEMLIMIT=1GiB"}, "--memory", "512MiB"); strings.Contains(strings.Join(p.lines(), "\n"), "limited memory") {
		t.Errorf("GOMEMLIMIT does not count: %s", p.lines())
	}
}

func TestMemoryOfBodies(t *testing.T) {
	for _, c := range []struct{ available, bodies, want size }{
		{0, 20 << 20, 20 << 20},
		{128 << 20, 0, 32 << 20},
		{512 << 20, 0, 64 << 20},
		{64 << 30, 0, 1 << 30},
	} {
		m := memorySettings{available: c.available, bodies: c.bodies}
		m.apply(slog.New(slog.DiscardHandler), func(string) string { return "1GiB" })
		if m.bodies != c.want {
			t.Errorf("%+v: %d", c, m.bodies)
		}
	}
}
