package main

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"syscall"
)

// Each server, the load generator and the receiver are processes of their own, which are
// this program once more: so no one's memory makes the collector of another run more
// rarely, and the CPU of each can be measured.

// roleVariable in the environment makes the program one of these.
const roleVariable = "LANDFALL_PEERS_ROLE"

// The roles.
const (
	roleLoad       = "load"
	roleReceiver   = "receiver"
	roleOurs       = "ours"
	rolePocketBase = "pocketbase"
	rolePgx        = "pgx"
	roleNaive      = "naive"
)

var roles = map[string]func(context.Context, *parent) error{
	roleLoad: loadMain, roleReceiver: receiverMain, roleOurs: oursMain,
	rolePocketBase: pocketBaseMain, rolePgx: pgxMain, roleNaive: naiveMain,
}

const (
	// gcPercent is that of our program. The hand-written servers have it too, PocketBase
	// what it has by itself.
	gcPercent = 400
	// plainGC is that of Go.
	plainGC = 100
)

// pipe carries values between a child and its parent.
type pipe struct {
	out *gob.Encoder
	in  *gob.Decoder
}

func (p *pipe) say(v any) error  { return p.out.Encode(v) }
func (p *pipe) hear(v any) error { return p.in.Decode(v) }

// parent is what a child sees of the process that has started it.
type parent struct{ pipe }

// isChild reports whether this process has a role.
func isChild() bool { return os.Getenv(roleVariable) != "" }

// childMain is the whole child. It ends when its parent does.
func childMain() {
	role := os.Getenv(roleVariable)
	debug.SetGCPercent(gcPercent)
	if role == rolePocketBase {
		debug.SetGCPercent(plainGC)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := &parent{pipe{gob.NewEncoder(os.Stdout), gob.NewDecoder(os.Stdin)}}
	os.Stdout = os.Stderr // what is printed by mistake does not end the conversation
	if err := roles[role](ctx, p); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", role, err)
		os.Exit(1)
	}
}

// wait returns when the parent has nothing more to say.
func (p *parent) wait() {
	var word bool
	for p.hear(&word) == nil {
	}
}

// child is a process with a role.
type child struct {
	pipe
	cmd   *exec.Cmd
	input io.Closer
}

func startChild(ctx context.Context, role string) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &child{pipe{gob.NewEncoder(in), gob.NewDecoder(out)}, cmd, in}, nil
}

// startServer starts a child with its configuration, and returns where it listens.
func startServer(ctx context.Context, role string, with, answer any) (*child, error) {
	c, err := startChild(ctx, role)
	if err != nil {
		return nil, err
	}
	err = c.say(with)
	if err == nil {
		err = c.hear(answer)
	}
	if err != nil {
		return nil, fmt.Errorf("%s does not serve: %w", role, errors.Join(err, c.end()))
	}
	return c, nil
}

// end lets the child end, and waits for it.
func (c *child) end() error {
	_ = c.input.Close()
	return c.cmd.Wait()
}

func (c *child) pid() int { return c.cmd.Process.Pid }
