package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A file that cannot be a database, or cannot be written, is refused with a clear
// message instead of SQLite's.
func TestPlaceRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, make := range map[string]func(path string) error{
		"dangling": func(path string) error { return os.Symlink("nowhere.db", path) },
		"loop":     func(path string) error { return os.Symlink("loop", path) },
		"folder":   func(path string) error { return os.Mkdir(path, 0o700) },
		"fifo":     func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"short":    func(path string) error { return os.WriteFile(path, []byte("SQLite format 3\x00abc"), 0o600) },
	} {
		if err := make(at(name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, words := range map[string]string{
		"dangling": "symbolic link to nowhere.db, which does not exist",
		"loop":     "too many links",
		"folder":   "it is a directory",
		"fifo":     "not a regular file",
		"short":    "not a database",
	} {
		for _, args := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"keys", "create", "--account", "a"}} {
			run(t, append(args, "--db", at(name))...).refused(t, 1, at(name), words)
		}
	}
}

// A server needs to read and write the file and its directory.
func TestPermissionRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		file, directory os.FileMode
		words           string
	}{
		{"read-only file", 0o400, 0o700, "the file cannot be read and written"},
		{"file of somebody else", 0, 0o700, "the file cannot be read and written"},
		{"read-only directory", 0o600, 0o500, "cannot be written"},
		{"closed directory", 0o600, 0, "permission denied"},
	} {
		dir := t.TempDir()
		db := filepath.Join(dir, "landfall.db")
		must(t, "keys", "create", "--account", "a", "--db", db)
		serve := ordinary(t, "serve", "--addr", "127.0.0.1:0", "--db", db)
		belongsTo(t, serve, dir, db)
		chmod(t, db, c.file)
		chmod(t, dir, c.directory)
		r := finish(t, serve)
		t.Log(strings.TrimSpace(r.stderr))
		r.refused(t, 1, db, c.words)
		chmod(t, dir, 0o700) // to be removed
	}
}

// ordinary runs the program as a user without root privileges.
func ordinary(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env, cmd.Dir = environment(), "/"
	if os.Getuid() != 0 {
		return cmd
	}
	const nobody = 65534
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	chmod(t, filepath.Dir(binary), 0o755)
	return cmd
}

// belongsTo gives the files to the user of cmd.
func belongsTo(t *testing.T, cmd *exec.Cmd, paths ...string) {
	t.Helper()
	if cmd.SysProcAttr == nil {
		return
	}
	for _, path := range paths {
		if err := os.Chown(path, int(cmd.SysProcAttr.Credential.Uid), int(cmd.SysProcAttr.Credential.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	chmod(t, filepath.Dir(paths[0]), 0o755)
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func finish(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer timer.Stop()
	_ = cmd.Wait() // the exit code tells
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// A second server does not touch the schema: it might be of a newer version and
// would migrate it under the first.
func TestSecondServerTouchesNothing(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db)
	change(t, db, "UPDATE schema_migrations SET sha256 = 'x' WHERE version = 1")
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(db, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{db, link} {
		run(t, "serve", "--db", path, "--addr", "127.0.0.1:0").refused(t, 1, "another server is running on "+path)
	}
	p.stop()
	run(t, "serve", "--db", db, "--addr", "127.0.0.1:0").refused(t, 1, "migration")
}

// On a file system without shared memory SQLite silently leaves WAL off. The
// program is built as usual, except for the VFS, which is one of those included in
// SQLite.
func TestWithoutWALRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program a second time")
	}
	t.Parallel()
	dir := t.TempDir()
	conn, err := filepath.Abs(filepath.Join("..", "..", "storage", "sqlite", "conn.go"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(conn)
	if err != nil {
		t.Fatal(err)
	}
	const at = `more.Set("mode", "rw")`
	changed := strings.Replace(string(text), at, at+`; more.Set("vfs", "unix-none")`, 1)
	if changed == string(text) {
		t.Fatalf("%s does not say %s any more", conn, at)
	}
	copied, overlay, program := filepath.Join(dir, "conn.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "landfall")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {conn: copied}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{copied: []byte(changed), overlay: replace} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "build", "-overlay", overlay, "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	db := newDB(t)
	for _, args := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"keys", "create", "--account", "a"}} {
		cmd := exec.Command(program, append(args, "--db", db)...)
		cmd.Env = environment()
		r := finish(t, cmd)
		t.Log(strings.TrimSpace(r.stderr))
		r.refused(t, 1, db, "journal_mode", `must be "wal"`)
	}
}
