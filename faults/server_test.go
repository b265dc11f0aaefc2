package faults

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// environment is that of the processes, without the settings of this machine.
func environment(more ...string) []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + os.TempDir()}
	return append(env, more...)
}

// server is a running landfall serve.
type server struct {
	t    *testing.T
	cmd  *exec.Cmd
	root string // http://127.0.0.1:PORT
	key  string // made on first use; empty on a later start
	// createKey is the printed command that makes the first key; nil on a later start.
	createKey []string

	gone   atomic.Bool // it has been killed
	probes chan string // output of a program with the probe, see TestSoak

	mu    sync.Mutex
	out   []string // standard output and error
	ended chan struct{}
}

// serve starts the program on a database, without limits and with webhooks to
// this machine, and waits until it listens.
func serve(t *testing.T, db string, flags ...string) *server {
	t.Helper()
	return serveProgram(t, binary, db, flags...)
}

func serveProgram(t *testing.T, program, db string, flags ...string) *server {
	t.Helper()
	s := &server{t: t, ended: make(chan struct{}), probes: make(chan string, 1)}
	s.cmd = exec.Command(program, "serve", "--addr", "127.0.0.1:0", "--db", db,
		"--rate-default", "0", "--rate-create", "0", "--rate-infer", "0", "--rate-refresh", "0",
		"--allow-private-webhooks")
	s.cmd.Args = append(s.cmd.Args, flags...)
	s.cmd.Env, s.cmd.Dir = environment("GOTRACEBACK=all"), filepath.Dir(db)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s.cmd.Stdout, s.cmd.Stderr = write, write
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(s.kill)
	serving := make(chan struct{})
	go s.read(read, serving)
	select {
	case <-serving:
	case <-s.ended:
		t.Fatalf("the server ended: %s", s.output())
	case <-time.After(30 * time.Second):
		t.Fatalf("the server does not listen: %s", s.output())
	}
	if s.createKey != nil {
		key, err := exec.Command(program, s.createKey...).Output()
		if err != nil {
			t.Fatalf("landfall %s: %v", strings.Join(s.createKey, " "), err)
		}
		s.key = strings.TrimSpace(string(key))
	}
	return s
}

// read keeps the output of the server and detects when it listens.
func (s *server) read(r io.ReadCloser, serving chan struct{}) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "probe: ") {
			s.probes <- line
			continue
		}
		s.mu.Lock()
		if len(s.out) < 20_000 {
			s.out = append(s.out, line)
		}
		s.mu.Unlock()
		if base, ok := strings.CutPrefix(line, "landfall: serving "); ok {
			s.root = strings.TrimSuffix(base, "/v2")
		}
		if command, ok := strings.CutPrefix(line, "landfall: there is no API key yet; make one with: landfall "); ok {
			s.createKey = strings.Fields(command) // the paths of tests have no blanks
		}
		if strings.Contains(line, "msg=serving") {
			close(serving)
		}
	}
	r.Close()
	s.cmd.Wait()
	close(s.ended)
}

func (s *server) output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.out, "\n")
}

// kill ends the server like a crash.
func (s *server) kill() {
	s.gone.Store(true)
	s.cmd.Process.Signal(syscall.SIGKILL)
	<-s.ended
}

// killUnder kills the server at a random instant while the callers work.
func killUnder[H any](s *server, r *rand.Rand, hands []H, work func(H)) {
	var working sync.WaitGroup
	for _, h := range hands {
		working.Go(func() { work(h) })
	}
	time.Sleep(time.Duration(100+r.IntN(300)) * time.Millisecond)
	s.kill()
	working.Wait()
}

// stop shuts the server down gracefully.
func (s *server) stop() {
	s.t.Helper()
	s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(35 * time.Second):
		s.t.Fatal("the server does not end")
	}
	if code := s.cmd.ProcessState.ExitCode(); code != 0 {
		s.t.Errorf("exit %d after SIGTERM: %s", code, s.output())
	}
	if strings.Contains(s.output(), "panic") {
		s.t.Errorf("the server panicked: %s", s.output())
	}
}

// client calls a server. It has its own connections, so that many can be open at
// once and are closed with the server.
type client struct {
	root, key string
	http      *http.Client
}

func (s *server) client(key string) *client {
	transport := &http.Transport{MaxIdleConnsPerHost: 256}
	s.t.Cleanup(transport.CloseIdleConnections)
	return &client{s.root, key, &http.Client{Transport: transport, Timeout: time.Minute}}
}

// answer is the answer to one request.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// do sends a request; headers are pairs of name and value. An error means that
// there was no complete answer: the request may have had its effect.
func (c *client) do(method, path, body string, headers ...string) (answer, error) {
	r, err := http.NewRequest(method, c.root+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Authorization", "Token "+c.key)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for pair := range slices.Chunk(headers, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	response, err := c.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, data}, err
}

func (c *client) get(path string) (answer, error) { return c.do(http.MethodGet, path, "") }

// resource is one resource of an answer.
type resource struct {
	ID         string         `json:"id"`
	Type       string         `json:"type"`
	Attributes map[string]any `json:"attributes"`
}

// one returns the single resource of an answer.
func (a answer) one() (r resource, err error) {
	var d struct{ Data resource }
	err = json.Unmarshal(a.body, &d)
	return d.Data, err
}

// all reads every page of a list.
func (c *client) all(path string) ([]resource, error) {
	var all []resource
	for page := 1; ; page++ {
		sep := "?"
		if strings.Contains(path, "?") {
			sep = "&"
		}
		a, err := c.get(fmt.Sprintf("%s%spage[size]=100&page[number]=%d", path, sep, page))
		if err != nil {
			return nil, err
		}
		var d struct {
			Data []resource
			Meta struct{ Total int }
		}
		if err := json.Unmarshal(a.body, &d); err != nil || a.status != http.StatusOK {
			return nil, fmt.Errorf("GET %s: %d %s", path, a.status, a.body)
		}
		all = append(all, d.Data...)
		if len(d.Data) == 0 || len(all) >= d.Meta.Total {
			if len(all) != d.Meta.Total {
				return nil, fmt.Errorf("GET %s: %d resources where the total is %d", path, len(all), d.Meta.Total)
			}
			return all, nil
		}
	}
}

// landfall runs a command of the program and returns its output.
func landfall(args ...string) (string, error) {
	cmd := exec.Command(binary, args...)
	cmd.Env = environment()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Run()
	return out.String(), err
}

// eventually repeats until it succeeds, within a time limit, and returns how long
// it took.
func eventually(t *testing.T, within time.Duration, try func() error) time.Duration {
	t.Helper()
	for begin := time.Now(); ; {
		err := try()
		if err == nil {
			return time.Since(begin)
		}
		if time.Since(begin) > within {
			t.Fatalf("after %s: %v", within, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// binary is the program as it is built for users.
var binary string

// childRole selects what the test binary does when it is run as a separate process:
// a function of children.
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
