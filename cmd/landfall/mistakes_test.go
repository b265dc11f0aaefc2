package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var updateMistakes = flag.Bool("update-mistakes", false, "write testdata/mistakes.txt again")

// TestMistakes runs the mistakes of testdata/mistakes.txt, which has the command, what the
// program prints, and its exit code. Every message says what is wrong, where, and what to
// do. A new mistake is a line that begins with "$ "; -update-mistakes writes the rest.
func TestMistakes(t *testing.T) {
	t.Parallel()
	const path = "testdata/mistakes.txt"
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m := newMistakes(t)
	after, mistakes := "", 0
	for line := range strings.Lines(string(before)) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok && !strings.HasPrefix(line, "#") {
			continue
		}
		after += line
		if ok {
			after, mistakes = after+m.run(strings.TrimSpace(command)), mistakes+1
		}
	}
	if *updateMistakes {
		if err := os.WriteFile(path, []byte(after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(before), after); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if mistakes < 60 {
		t.Errorf("%d mistakes", mistakes)
	}
}

// mistakes is a directory with what the commands of the table name.
type mistakes struct {
	t     *testing.T
	dir   string
	taken string // a port that is in use
	hide  *strings.Replacer
}

func newMistakes(t *testing.T) *mistakes {
	m := &mistakes{t: t, dir: t.TempDir()}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	m.taken = strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	m.hide = strings.NewReplacer(m.dir, "DIR", m.taken, "$TAKEN")
	for _, db := range []string{"landfall.db", "open.db", "rubbish.db"} {
		must(t, "keys", "create", "--account", "acme", "--db", m.path(db))
	}
	serve(t, m.path("landfall.db")).stop() // makes the master key
	serve(t, m.path("running.db"))
	for name, text := range map[string]string{
		"notes.txt":      "buy stamps\n",
		"good.csv":       "number,scac\n238000000,MAEU\n",
		"empty.csv":      "",
		"noheader.csv":   "238000000,MAEU\n238000001,MAEU\n",
		"nonumber.csv":   "reference,scac\nPO-1,MAEU\n",
		"utf16.csv":      "\xff\xfen\x00u\x00m\x00b\x00e\x00r\x00\n\x00",
		"book.xlsx":      "PK\x03\x04rest",
		"quote.csv":      "number,scac\n\"238000000,MAEU\n",
		"lines.csv":      "number,scac\n238000000,Maersk\nN/A,MAEU\n",
		"broken.json":    `{"addr": ":8080",}`,
		"unknown.json":   `{"adress": ":8080"}`,
		"wrongtype.json": `{"rate-default": "many"}`,
		"list.json":      `{"addr": [":8080"]}`,
		"settings.yaml":  "addr: :8080\n",
		"noline.json":    `{"carriers": {"MAERSK": {"url": "https://api.example.com"}}}`,
		"nourl.json":     `{"carriers": {"MAEU": {"uri": "https://api.example.com"}}}`,
		"secret.json":    `{"carriers": {"MAEU": {"url": "https://api.example.com", "headers": {"Key": "s3cret"}}}}`,
		"unset.json":     `{"carriers": {"MAEU": {"url": "https://api.example.com", "headers": {"Key": {"env": "MAERSK_KEY"}}}}}`,
		"twice.json":     `{"sandbox": true, "carriers": {"TEST": {"url": "http://127.0.0.1:9", "allow_http": true}}}`,
		"cert.pem":       "no certificate\n",
		"open.db.key":    anotherKey + "\n",
		"rubbish.db.key": "rubbish\n",
		"lost.db.key":    anotherKey + "\n",
	} {
		m.write(name, text, 0o600)
	}
	if err := os.Mkdir(m.path("folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	chmod(t, m.path("open.db.key"), 0o644)
	other, err := sql.Open("sqlite3", m.path("other.db"))
	if err == nil {
		_, err = other.Exec("CREATE TABLE bookmarks (url TEXT)")
	}
	if err := errors.Join(err, other.Close()); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *mistakes) path(name string) string { return filepath.Join(m.dir, name) }

func (m *mistakes) write(name, text string, mode os.FileMode) {
	if err := os.WriteFile(m.path(name), []byte(text), mode); err != nil {
		m.t.Fatal(err)
	}
}

// run runs a line of the table in a shell, and returns its output and exit code.
func (m *mistakes) run(command string) string {
	ctx, cancel := context.WithTimeout(m.t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir = m.dir
	cmd.Env = append(environment("TAKEN="+m.taken), "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	out, _ := cmd.CombinedOutput() // the exit code is recorded
	var text bytes.Buffer
	for line := range strings.Lines(m.hide.Replace(string(out))) {
		if !strings.HasPrefix(line, "time=") {
			text.WriteString(line)
		}
	}
	return text.String() + "exit " + strconv.Itoa(cmd.ProcessState.ExitCode()) + "\n"
}
