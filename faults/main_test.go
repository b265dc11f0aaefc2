package faults

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// binary is the program as it is built for users.
var binary string

// childRole names what the test binary does when it is run as a process of its
// own: a function of children.
const childRole = "LANDFALL_FAULTS_CHILD"

// children are the second processes that some tests need.
var children = map[string]func() error{
	"register": serveRegister,
	"lock":     holdWriteLock,
}

func TestMain(m *testing.M) {
	if role := os.Getenv(childRole); role != "" {
		if err := children[role](); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "landfall-faults-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "landfall")
	build := exec.Command("go", "build", "-o", binary, "github.com/landfallhq/tracking/cmd/landfall")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "the program does not build:", err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// child starts the test binary in a role, with its arguments in the
// environment.
func child(role string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(environment(env...), childRole+"="+role)
	cmd.Stderr = os.Stderr
	return cmd
}

// count is how often a test does its worst: what the environment says, else
// the short count.
func count(t *testing.T, variable string, short int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return short
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%q is not a number from 1", variable, text)
	}
	return n
}

// random returns the source of all that a test draws, and logs its seed.
func random(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("LANDFALL_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("LANDFALL_SEED: %v", err)
		}
	}
	t.Logf("LANDFALL_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}
