package postgrestest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
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
	if err := s.copyFrom(c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	c.ask(t, "ALTER SYSTEM SET synchronous_standby_names = '*'")
	c.ask(t, "SELECT pg_reload_conf()")
	for range 600 {
		var state string
		c.ask(t, "SELECT coalesce(min(sync_state), '') FROM pg_stat_replication", &state)
		if state == "sync" {
			return s
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the standby does not follow")
	return nil
}

// copyFrom makes the files of a standby of another cluster, and starts its server.
func (c *Cluster) copyFrom(other *Cluster) error {
	if err := os.Mkdir(c.socket, 0o755); err != nil {
		return err
	}
	for _, dir := range []string{c.dir, c.socket} {
		if err := c.give(dir); err != nil {
			return err
		}
	}
	data := filepath.Join(c.dir, "data")
	copied := c.command("pg_basebackup", "-h", other.socket, "-U", "landfall", "-D", data, "-X", "stream", "-c", "fast", "-R", "--no-sync")
	if out, err := copied.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_basebackup: %w\n%s", err, out)
	}
	// A promoted copy of this copy would wait for a standby that it does not have.
	auto := filepath.Join(data, "postgresql.auto.conf")
	text, err := os.ReadFile(auto)
	if err != nil {
		return err
	}
	if err := os.WriteFile(auto, append(text, "synchronous_standby_names = ''\nwal_retrieve_retry_interval = '200ms'\n"...), 0o600); err != nil {
		return err
	}
	return c.serve()
}

// Promote makes a standby a cluster that takes writes.
func (c *Cluster) Promote(t testing.TB) {
	t.Helper()
	if out, err := c.command("pg_ctl", "promote", "-w", "-D", filepath.Join(c.dir, "data")).CombinedOutput(); err != nil {
		t.Fatalf("pg_ctl promote: %v\n%s", err, out)
	}
}

// Socket returns the address of the server, a Unix socket.
func (c *Cluster) Socket() string { return filepath.Join(c.socket, ".s.PGSQL.5432") }

// ask runs a statement, and reads its first row if there are targets.
func (c *Cluster) ask(t testing.TB, sql string, targets ...any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.url(c.socket, "postgres", url.Values{}))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if len(targets) > 0 {
		err = conn.QueryRow(ctx, sql).Scan(targets...)
	} else {
		_, err = conn.Exec(ctx, sql)
	}
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}
