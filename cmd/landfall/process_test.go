package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking/classify/extract"
	"github.com/landfallhq/tracking/internal/postgrestest"
)

// binary is the program as it is built for users, and buildFlags are what it is built with.
var (
	binary     string
	buildFlags []string
)

func TestMain(m *testing.M) {
	extract.Main() // the office of the dashboard's tasks runs the server in this process
	if withoutRoots() {
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "landfall-test-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "landfall")
	build := exec.Command("go", append(append([]string{"build"}, buildFlags...), "-o", binary, ".")...)
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "the program does not build:", err)
		os.Exit(1)
	}
	code := postgrestest.Main(m)
	os.RemoveAll(dir)
	os.Exit(code)
}

// noRoots is a path without certificates.
const noRoots = "no-such-certificates"

// withoutRoots reports whether this process is that of TestRootCertificates, which
// needs no program.
func withoutRoots() bool { return os.Getenv("SSL_CERT_FILE") == noRoots }

// result is the result of a process.
type result struct {
	stdout, stderr string
	code           int
}

// environment is that of the processes, without the settings of this machine.
func environment(more ...string) []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + os.TempDir()}
	return append(env, more...)
}

// run runs the program to its end.
func run(t *testing.T, args ...string) result {
	t.Helper()
	return runWith(t, "", nil, args...)
}

func runWith(t *testing.T, stdin string, env []string, args ...string) result {
	t.Helper()
	return runProgram(t, binary, stdin, env, args...)
}

func runProgram(t *testing.T, program, stdin string, env []string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // check of 100,000 shipments takes more than one
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	cmd.Env, cmd.Dir = environment(env...), t.TempDir()
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// must runs the program, which must succeed, and returns its output without the
// last newline.
func must(t *testing.T, args ...string) string {
	t.Helper()
	r := run(t, args...)
	if r.code != 0 {
		t.Fatalf("landfall %s: exit %d: %s", strings.Join(args, " "), r.code, r.stderr)
	}
	return strings.TrimSuffix(r.stdout, "\n")
}

// refused checks that a run failed with one line that contains all of the words,
// and no other output.
func (r result) refused(t *testing.T, code int, words ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit %d, want %d", r.code, code)
	}
	if r.stdout != "" {
		t.Errorf("standard output: %q", r.stdout)
	}
	if !strings.HasPrefix(r.stderr, "landfall: ") || strings.Count(r.stderr, "\n") != 1 || !strings.HasSuffix(r.stderr, "\n") {
		t.Errorf("not one line: %q", r.stderr)
	}
	for _, w := range words {
		if !strings.Contains(r.stderr, w) {
			t.Errorf("no word of %q: %s", w, r.stderr)
		}
	}
}

// process is a running server.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	base string // http://127.0.0.1:PORT/v2
	key  string // as printed, or made by the printed command; empty when neither was

	mu    sync.Mutex
	out   []string // standard output and standard error, in the order they were written
	ended chan struct{}
}

// serve starts a server on a database and waits until it listens.
func serve(t *testing.T, db string, args ...string) *process {
	t.Helper()
	return start(t, nil, append([]string{"--db", db}, args...)...)
}

func start(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	return startProgram(t, binary, env, args...)
}

func startProgram(t *testing.T, program string, env []string, args ...string) *process {
	t.Helper()
	cmd := exec.Command(program, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	cmd.Env, cmd.Dir = environment(env...), t.TempDir()
	return startCommand(t, cmd)
}

// startCommand runs a command that becomes a server.
func startCommand(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, cmd: cmd, ended: make(chan struct{})}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stdout, p.cmd.Stderr = write, write
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.ended
	})
	go func() {
		p.read(read)
		read.Close()
		p.cmd.Wait()
		close(p.ended)
	}()
	p.await("msg=serving", `"msg":"serving"`) // the log line comes after what is printed
	for _, line := range p.lines() {
		if base, ok := strings.CutPrefix(line, "landfall: serving "); ok {
			p.base = base
		}
		if key, ok := strings.CutPrefix(line, "landfall: API key "); ok {
			p.key = key
		}
		if command, ok := strings.CutPrefix(line, keyHint); ok {
			p.key = p.follow(command)
		}
	}
	return p
}

// keyHint begins the line with the command that makes the first key.
const keyHint = "landfall: there is no API key yet; make one with: "

// follow runs a printed command and returns what it prints.
func (p *process) follow(command string) string {
	p.t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = p.cmd.Dir
	cmd.Env = append(environment(), "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("%s: %v: %s", command, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (p *process) read(r io.Reader) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		p.mu.Lock()
		p.out = append(p.out, lines.Text())
		p.mu.Unlock()
	}
}

// lines returns the output of the server so far.
func (p *process) lines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.out...)
}

// await waits for a line with one of these texts.
func (p *process) await(words ...string) {
	p.t.Helper()
	eventually(p.t, time.Minute, func() error { // on a busy machine
		lines := strings.Join(p.lines(), "\n")
		if slices.ContainsFunc(words, func(text string) bool { return strings.Contains(lines, text) }) {
			return nil
		}
		select {
		case <-p.ended:
			p.t.Fatalf("the server ended: %s", strings.Join(p.lines(), "\n"))
		default:
		}
		return fmt.Errorf("no %q yet", words)
	})
}

func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// exit waits for the end and returns the exit code; -1 when a signal ended it.
func (p *process) exit(within time.Duration) int {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(within):
		p.t.Fatalf("still running after %s", within)
	}
	return p.cmd.ProcessState.ExitCode()
}

// stop shuts the server down gracefully.
func (p *process) stop() {
	p.t.Helper()
	p.signal(syscall.SIGTERM)
	if code := p.exit(10 * time.Second); code != 0 {
		p.t.Errorf("exit %d after SIGTERM: %s", code, strings.Join(p.lines(), "\n"))
	}
}

// freeAddress returns an address of this machine with a port that is free.
func freeAddress(t *testing.T) string {
	t.Helper()
	reserved, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer reserved.Close()
	return reserved.Addr().String()
}

// eventually repeats until it succeeds, within a time limit.
func eventually(t *testing.T, within time.Duration, try func() error) {
	t.Helper()
	for end := time.Now().Add(within); ; {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("after %s: %v", within, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// resource and document are what the interface answers.
type resource struct {
	ID            string                     `json:"id"`
	Type          string                     `json:"type"`
	Attributes    map[string]any             `json:"attributes"`
	Relationships map[string]json.RawMessage `json:"relationships"`
}

type document struct {
	Data     []resource `json:"data"`
	Included []resource `json:"included"`
	Meta     struct {
		Total int `json:"total"`
	} `json:"meta"`
}

// call sends a request with a key and returns status and body.
func (p *process) call(key, method, path, body string) (int, []byte, error) {
	r, err := http.NewRequest(method, p.base+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Authorization", "Token "+key)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	return answer.StatusCode, data, err
}

// list reads a page of resources.
func (p *process) list(key, path string) document {
	p.t.Helper()
	status, body, err := p.call(key, http.MethodGet, path, "")
	if err != nil || status != http.StatusOK {
		p.t.Fatalf("GET %s: %d %s %v", path, status, body, err)
	}
	var d document
	if err := json.Unmarshal(body, &d); err != nil {
		p.t.Fatalf("GET %s: %v in %s", path, err, body)
	}
	return d
}

// newDB returns the path for a new database.
func newDB(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "landfall.db")
}
