//go:build linux

package postgrestest

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// StartArchiving is Start of a cluster that archives its write-ahead log, so that Recover can
// bring it back to a point.
func StartArchiving(t testing.TB) *Cluster {
	t.Helper()
	c := Start(t)
	if err := errors.Join(os.Mkdir(c.archive(), 0o755), c.give(c.archive())); err != nil {
		t.Fatal(err)
	}
	c.Kill()
	c.settings = []string{"-c", "archive_mode=on", "-c", "archive_command=cp %p " + c.archive() + "/%f"}
	c.Restart(t)
	return c
}

func (c *Cluster) archive() string { return filepath.Join(c.dir, "archive") }

// runToEnd runs a command of PostgreSQL to its end.
func (c *Cluster) runToEnd(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := c.command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// BaseBackup copies the running cluster, for Recover.
func (c *Cluster) BaseBackup(t testing.TB) {
	t.Helper()
	c.runToEnd(t, "pg_basebackup", "--pgdata="+filepath.Join(c.dir, "base"), "--host="+c.socket, "--username=landfall", "--checkpoint=fast", "--no-sync")
}

// RestorePoint names this moment for Recover.
func (c *Cluster) RestorePoint(t testing.TB, name string) {
	t.Helper()
	c.ask(t, "SELECT pg_create_restore_point('"+name+"')::text")
}

// ask returns the one value of a query.
func (c *Cluster) ask(t testing.TB, query string) (value string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.url(c.socket, "postgres", url.Values{}))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, query).Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// await waits until a condition holds, half a minute at most.
func await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for range 600 {
		if holds() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("in vain: " + what)
}

// Recover archives the log, ends the server, and starts it from the base backup and the
// archived log, up to a restore point. It runs at the same socket.
func (c *Cluster) Recover(t testing.TB, point string) {
	t.Helper()
	log := filepath.Join(c.archive(), c.ask(t, "SELECT pg_walfile_name(pg_switch_wal())"))
	await(t, "the log is archived", func() bool { info, err := os.Stat(log); return err == nil && info.Size() == 16<<20 })
	c.Kill()
	data := filepath.Join(c.dir, "data")
	config := filepath.Join(data, "recovery.signal")
	err := errors.Join(os.Rename(data, data+".former"), os.Rename(filepath.Join(c.dir, "base"), data), os.WriteFile(config, nil, 0o644), c.give(config))
	if err != nil {
		t.Fatal(err)
	}
	archiving := c.settings
	c.settings = []string{"-c", "restore_command=cp " + c.archive() + "/%f %p", "-c", "recovery_target_name=" + point, "-c", "recovery_target_action=promote"}
	c.Restart(t)
	c.settings = archiving
	await(t, "the recovery has ended", func() bool { return c.ask(t, "SELECT pg_is_in_recovery()::text") == "false" })
}

// Dump writes a database with pg_dump.
func (c *Cluster) Dump(t testing.TB, database string) (file string) {
	t.Helper()
	file = filepath.Join(c.dir, database+".dump")
	c.runToEnd(t, "pg_dump", "--format=custom", "--file="+file, "--dbname="+c.url(c.socket, database, url.Values{}))
	return file
}

// Load restores a dump with pg_restore as a new database and returns its URL.
func (c *Cluster) Load(t testing.TB, file string) (dataSource string) {
	t.Helper()
	dataSource, _ = c.Database(t)
	c.runToEnd(t, "pg_restore", "--exit-on-error", "--dbname="+dataSource, file)
	return dataSource
}
