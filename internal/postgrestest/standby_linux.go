package postgrestest

import (
	"os"
	"path/filepath"
	"testing"
)

// Standby makes a standby of the cluster. From then on each commit of the cluster waits until the
// standby has it on its disk. The standby is removed when the test ends.
func (c *Cluster) Standby(t testing.TB) *Cluster {
	t.Helper()
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		t.Fatal(err)
	}
	s := &Cluster{dir: dir, socket: filepath.Join(dir, "socket"), bin: c.bin, fsync: c.fsync, owner: c.owner}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s.copyFrom(t, c)
	t.Cleanup(s.stop)
	c.set(t, "synchronous_standby_names = '*'")
	c.ask(t, "SELECT pg_reload_conf()::text")
	await(t, "the standby follows", func() bool {
		return c.ask(t, "SELECT coalesce(min(sync_state), '') FROM pg_stat_replication") == "sync"
	})
	return s
}

// copyFrom makes the files of a standby of another cluster, and starts its server.
func (c *Cluster) copyFrom(t testing.TB, other *Cluster) {
	t.Helper()
	if err := os.Mkdir(c.socket, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{c.dir, c.socket} {
		if err := c.give(dir); err != nil {
			t.Fatal(err)
		}
	}
	c.runToEnd(t, "pg_basebackup", "--pgdata="+c.data(), "--host="+other.socket, "--username=landfall", "--checkpoint=fast", "--no-sync", "--write-recovery-conf")
	// When it is promoted, it has no standby to wait for.
	c.set(t, "synchronous_standby_names = ''", "wal_retrieve_retry_interval = '200ms'")
	if err := c.serve(); err != nil {
		t.Fatal(err)
	}
}

// set adds settings, the last of which count.
func (c *Cluster) set(t testing.TB, settings ...string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(c.data(), "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, s := range settings {
		if _, err := f.WriteString(s + "\n"); err != nil {
			t.Fatal(err)
		}
	}
}

func (c *Cluster) data() string { return filepath.Join(c.dir, "data") }

// Promote makes a standby a cluster that takes writes.
func (c *Cluster) Promote(t testing.TB) {
	t.Helper()
	c.runToEnd(t, "pg_ctl", "promote", "--wait", "--pgdata="+c.data())
}

// Socket returns the address of the server, a Unix socket.
func (c *Cluster) Socket() string { return filepath.Join(c.socket, ".s.PGSQL.5432") }
