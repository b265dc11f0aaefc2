//go:build linux

// Package postgrestest starts private PostgreSQL clusters for tests and benchmarks: in a temporary
// directory, on a Unix socket. Nothing of a cluster that the machine runs is used.
package postgrestest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Cluster is a running PostgreSQL server.
type Cluster struct {
	dir    string
	socket string // its directory
	bin    string
	fsync  string
	// settings are further arguments of the server.
	settings []string
	owner    *syscall.Credential // nil: that of this process
	server   *process
	names    atomic.Int64
}

// errMissing: the machine has no PostgreSQL.
var errMissing = errors.New("SKIPPED: the tests of the PostgreSQL store need PostgreSQL (Debian: apt-get install postgresql)")

// shared is the cluster of the test process.
var shared struct {
	sync.Mutex
	cluster *Cluster
	err     error
}

// Main runs the tests and then stops the cluster that they have used. TestMain calls it
// and exits with its result.
func Main(m *testing.M) int {
	defer func() {
		shared.Lock()
		defer shared.Unlock()
		if shared.cluster != nil {
			shared.cluster.stop()
		}
	}()
	return m.Run()
}

// Shared returns the cluster of the test process, and starts it first if need be. It does
// not wait for the disk. The test is skipped if PostgreSQL is not installed. TestMain must
// call Main.
func Shared(t testing.TB) *Cluster {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.cluster == nil && shared.err == nil {
		shared.cluster, shared.err = start("off")
	}
	switch {
	case errors.Is(shared.err, errMissing):
		t.Skip(shared.err)
	case shared.err != nil:
		t.Fatal(shared.err)
	}
	return shared.cluster
}

// Start makes a cluster of its own for a test, which may stop it, and waits for the disk at
// each commit. The cluster is removed when the test ends.
func Start(t testing.TB) *Cluster {
	t.Helper()
	c, err := start("on")
	switch {
	case errors.Is(err, errMissing):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(c.stop)
	return c
}

// Kill ends the server at once, as a crash does: what is not in its log is lost.
func (c *Cluster) Kill() { c.server.stop() }

// Restart starts the server that Kill has ended.
func (c *Cluster) Restart(t testing.TB) {
	t.Helper()
	if err := c.serve(); err != nil {
		t.Fatal(err)
	}
}

// start makes a cluster and starts its server. fsync is a setting of PostgreSQL, settings are
// further arguments of the server.
func start(fsync string, settings ...string) (*Cluster, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir, socket: filepath.Join(dir, "socket"), bin: bin, fsync: fsync, settings: settings}
	if err := c.init(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return c, nil
}

// binaries returns the directory of the newest PostgreSQL.
func binaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", errors.Join(errMissing, err)
	}
	slices.SortFunc(found, func(a, b string) int { return version(a) - version(b) })
	return filepath.Dir(found[len(found)-1]), nil
}

func version(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}

func (c *Cluster) init() error {
	if err := c.chooseOwner(); err != nil {
		return err
	}
	if err := os.Mkdir(c.socket, 0o755); err != nil {
		return err
	}
	for _, dir := range []string{c.dir, c.socket} {
		if err := c.give(dir); err != nil {
			return err
		}
	}
	initdb := c.command("initdb", "--pgdata="+filepath.Join(c.dir, "data"), "--username=landfall", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return c.serve()
}

// serve starts the server.
func (c *Cluster) serve() (err error) {
	args := append([]string{"-D", filepath.Join(c.dir, "data"), "-k", c.socket, "-c", "listen_addresses=", "-c", "fsync=" + c.fsync,
		"-c", "max_connections=200", "-c", "shared_buffers=64MB", "-c", "autovacuum_naptime=5s"}, c.settings...)
	c.server, err = c.run(c.command("postgres", args...), filepath.Join(c.socket, ".s.PGSQL.5432"))
	return err
}

// chooseOwner chooses a user for the server, which refuses to run as root.
func (c *Cluster) chooseOwner() error {
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		c.owner = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return errors.Join(err1, err2)
	}
	return errors.New("there is neither a user postgres nor a user nobody to run PostgreSQL")
}

// give makes a file readable by all and gives it to the owner of the server.
func (c *Cluster) give(path string) error {
	if err := os.Chmod(path, 0o755); err != nil || c.owner == nil {
		return err
	}
	return os.Chown(path, int(c.owner.Uid), int(c.owner.Gid))
}

// command returns a command of PostgreSQL that its owner runs.
func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(c.bin, name), args...)
	c.prepare(cmd)
	return cmd
}

func (c *Cluster) prepare(cmd *exec.Cmd) {
	cmd.Dir = c.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	// A test that is killed takes its server along. SIGQUIT stops PostgreSQL at once.
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.owner, Pdeathsig: syscall.SIGQUIT}
}

// process is a running command.
type process struct {
	cmd    *exec.Cmd
	output bytes.Buffer
	ended  chan struct{}
}

// run starts a command and waits until it has made its socket, half a minute at most.
func (c *Cluster) run(cmd *exec.Cmd, socket string) (*process, error) {
	p := &process{cmd: cmd, ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &p.output, &p.output
	started := make(chan error)
	go func() {
		// The signal of Pdeathsig is sent when the thread ends that has started the
		// process, so the thread waits for it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
			close(p.ended)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	for range 600 {
		select {
		case <-p.ended:
			return nil, fmt.Errorf("%s has ended:\n%s", filepath.Base(cmd.Path), p.output.String())
		case <-time.After(50 * time.Millisecond):
		}
		if _, err := os.Stat(socket); err == nil && c.answers(socket) {
			return p, nil
		}
	}
	p.stop()
	return nil, fmt.Errorf("%s does not answer:\n%s", filepath.Base(cmd.Path), p.output.String())
}

// answers reports whether a server takes connections on its socket.
func (c *Cluster) answers(socket string) bool {
	port := strings.TrimPrefix(filepath.Base(socket), ".s.PGSQL.")
	return c.command("pg_isready", "-q", "-h", filepath.Dir(socket), "-p", port).Run() == nil
}

// stop ends the process and waits for it.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGQUIT)
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// stop ends the server and removes its files.
func (c *Cluster) stop() {
	c.server.stop()
	_ = os.RemoveAll(c.dir)
}

// url returns the URL of a database.
func (c *Cluster) url(socket, database string, parameters url.Values) string {
	parameters.Set("host", socket)
	parameters.Set("user", "landfall")
	return "postgres:///" + database + "?" + parameters.Encode()
}

// Schema returns the URL of a new, empty schema in the database of the cluster. It stays
// until the cluster is stopped.
func (c *Cluster) Schema(t testing.TB) string {
	t.Helper()
	name := c.create(t, "SCHEMA")
	return c.url(c.socket, "postgres", url.Values{"search_path": {name}})
}

// Database returns the URL of a new, empty database, and its name. It stays until the
// cluster is stopped.
func (c *Cluster) Database(t testing.TB) (dataSource, name string) {
	t.Helper()
	name = c.create(t, "DATABASE")
	return c.url(c.socket, name, url.Values{}), name
}

func (c *Cluster) create(t testing.TB, what string) (name string) {
	t.Helper()
	name = fmt.Sprintf("test%d", c.names.Add(1))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.url(c.socket, "postgres", url.Values{}))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "CREATE "+what+" "+name); err != nil {
		t.Fatal(err)
	}
	return name
}

// Pooler is a running pgbouncer in transaction mode.
type Pooler struct {
	cluster *Cluster
	dir     string
	program string
	process *process
}

// Pooler starts pgbouncer before the cluster, and stops it when the test ends. It returns the
// URL of a database through it. The test is skipped if pgbouncer is not installed.
func (c *Cluster) Pooler(t testing.TB) (through func(database string) string) {
	t.Helper()
	return c.PoolerTo(t, c.socket, 5432).URL
}

// PoolerTo starts pgbouncer before the server at a host, or in the directory of its socket. The
// cluster gives it a directory and a user.
func (c *Cluster) PoolerTo(t testing.TB, host string, port int) *Pooler {
	t.Helper()
	path, err := exec.LookPath("pgbouncer")
	if err != nil {
		if path, err = exec.LookPath("/usr/sbin/pgbouncer"); err != nil {
			t.Skip("SKIPPED: the tests of the PostgreSQL store through a pooler need pgbouncer (Debian: apt-get install pgbouncer)")
		}
	}
	p := &Pooler{cluster: c, dir: filepath.Join(c.dir, fmt.Sprintf("pooler%d", c.names.Add(1))), program: path}
	settings := filepath.Join(p.dir, "pgbouncer.ini")
	err = errors.Join(os.Mkdir(p.dir, 0o755), os.WriteFile(settings, fmt.Appendf(nil, `[databases]
* = host=%s port=%d user=landfall
[pgbouncer]
unix_socket_dir = %s
listen_port = 6432
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 1000
server_idle_timeout = 2
server_login_retry = 1
`, host, port, p.dir), 0o644), c.give(p.dir), c.give(settings))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.process.stop() })
	return p
}

func (p *Pooler) start() (err error) {
	cmd := exec.Command(p.program, filepath.Join(p.dir, "pgbouncer.ini"))
	p.cluster.prepare(cmd)
	p.process, err = p.cluster.run(cmd, filepath.Join(p.dir, ".s.PGSQL.6432"))
	return err
}

// Restart ends the pooler at once, with its connections, and starts it again.
func (p *Pooler) Restart(t testing.TB) {
	t.Helper()
	p.process.stop()
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
}

// URL returns the URL of a database through the pooler.
func (p *Pooler) URL(database string) string {
	return p.cluster.url(p.dir, database, url.Values{"port": {"6432"}})
}
