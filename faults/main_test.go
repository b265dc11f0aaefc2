package faults

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
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
	"receiver": serveReceiver,
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
