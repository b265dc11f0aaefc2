package extract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/hostile"
)

func TestMain(m *testing.M) {
	Main()
	os.Exit(m.Run())
}

// outcome is a code of FileError, or one of these.
const (
	readable   = "text"
	unreadable = "unreadable"
)

// costly may be reached at the limit of time or of memory, whichever comes first.
const costly = tracking.FileTooCostly

func result(text tracking.DocumentText, err error) string {
	var fault *tracking.FileError
	switch {
	case errors.As(err, &fault):
		return fault.Code
	case err != nil:
		return "error: " + err.Error()
	case text.Unreadable != "":
		return unreadable
	}
	return readable
}

// memory reads this process's resident memory, now or at most, in KiB.
func memory(t *testing.T, name string) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("SKIPPED: there is no /proc here")
	}
	_, rest, _ := strings.Cut(string(status), name)
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestAfterHostileFiles holds that children that were killed are replaced.
func TestAfterHostileFiles(t *testing.T) {
	e, err := New(Config{Children: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var circle, good hostile.File
	for _, f := range hostile.Files() {
		switch f.Name {
		case endlessFile:
			circle = f
		case "without-text.pdf":
			good = f
		}
	}
	e.pool.config.Wall = 20 * time.Second
	if _, err := e.Extract(context.Background(), bytesOf(good.Name, good.Make())); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		e.pool.config.Wall = 300 * time.Millisecond
		if _, err := e.Extract(context.Background(), bytesOf(circle.Name, circle.Make())); result(tracking.DocumentText{}, err) != costly {
			t.Errorf("a file without end: %v", err)
		}
		e.pool.config.Wall = 20 * time.Second
		if text, err := e.Extract(context.Background(), bytesOf(good.Name, good.Make())); err != nil || text.Unreadable == "" {
			t.Errorf("after it: %v, %v", text, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Extract(ctx, bytesOf(good.Name, good.Make())); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that is over: %v", err)
	}
}

// one returns an Extractor that reads one file at a time.
func one(t *testing.T, l Limits) *Extractor {
	t.Helper()
	e, err := New(Config{Children: 1, Limits: l})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// endlessFile takes longer to read than any test gives it.
const endlessFile = "bomb-of-words.pdf"

func hostileFile(t *testing.T, name string) tracking.DocumentFile {
	t.Helper()
	for _, f := range hostile.Files() {
		if f.Name == name {
			return bytesOf(name, f.Make())
		}
	}
	t.Fatalf("there is no file %s", name)
	return tracking.DocumentFile{}
}

// Only the time that a file itself is given is its fault: not that it waited for
// others, nor that its caller had no more time.
func TestTimeOfOthers(t *testing.T) {
	e := one(t, Limits{})
	innocent := hostileFile(t, "without-text.pdf")
	e.slots <- struct{}{}
	waiting, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := e.Extract(waiting, innocent); !errors.Is(err, tracking.ErrUnavailable) || errors.As(err, new(*tracking.FileError)) {
		t.Errorf("that waited in vain: %v", err)
	}
	<-e.slots
	if text, err := e.Extract(context.Background(), innocent); err != nil || text.Unreadable == "" {
		t.Errorf("in its turn: %v, %v", text, err)
	}
	costlyFile := hostileFile(t, endlessFile)
	short, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := e.Extract(short, costlyFile); !errors.Is(err, tracking.ErrUnavailable) || errors.As(err, new(*tracking.FileError)) {
		t.Errorf("whose caller had no more time: %v", err)
	}
	e.pool.config.Wall = 100 * time.Millisecond
	if _, err := e.Extract(context.Background(), costlyFile); result(tracking.DocumentText{}, err) != costly {
		t.Errorf("whose own time was over: %v", err)
	}
}

// A child is replaced when its life may not be enough for another file, and else
// reads on.
func TestChildrenAreReplaced(t *testing.T) {
	innocent := hostileFile(t, "without-text.pdf")
	for _, row := range []struct {
		life time.Duration
		idle int
	}{{time.Nanosecond, 0}, {childLife, 1}} {
		e, err := New(Config{Children: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		e.pool.config.Life = row.life
		for range 3 {
			if text, err := e.Extract(context.Background(), innocent); err != nil || text.Unreadable == "" {
				t.Errorf("life %s: %v, %v", row.life, text, err)
			}
			if got := len(e.pool.idle); got != row.idle {
				t.Fatalf("life %s: %d children wait, want %d", row.life, got, row.idle)
			}
		}
		if row.idle > 0 && e.pool.idle[0].files != 3 {
			t.Errorf("a child read %d files, want 3", e.pool.idle[0].files)
		}
	}
}

// A child that somebody ends while it waits is no fault of the next file.
func TestIdleChildIsEnded(t *testing.T) {
	e, err := New(Config{Children: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	innocent := hostileFile(t, "without-text.pdf")
	for n := range 3 {
		if text, err := e.Extract(context.Background(), innocent); err != nil || text.Unreadable == "" {
			t.Errorf("file %d: %v, %v", n, text, err)
		}
		if len(e.pool.idle) != 1 {
			t.Fatalf("%d children wait", len(e.pool.idle))
		}
		if err := syscall.Kill(e.pool.idle[0].cmd.Process.Pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
}

// badDisk reads the beginning of a file and then fails.
type badDisk struct{ *strings.Reader }

var errBadDisk = errors.New("the disk is broken")

func (d badDisk) ReadAt(b []byte, at int64) (int, error) {
	if at > 0 {
		return 0, errBadDisk
	}
	n, _ := d.Reader.ReadAt(b[:min(len(b), 4096)], 0)
	return n, nil
}

// That a file cannot be had from the disk is the machine's fault.
func TestFileThatCannotBeHad(t *testing.T) {
	e := one(t, Limits{})
	content := badDisk{strings.NewReader("%PDF-1.7\n" + strings.Repeat(" ", 1<<20))}
	_, err := e.Extract(context.Background(), tracking.DocumentFile{Content: content, Size: content.Size()})
	if !errors.Is(err, errBadDisk) || errors.As(err, new(*tracking.FileError)) {
		t.Errorf("%v", err)
	}
}

func TestPlainText(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for name, content := range map[string]string{
		"UTF-8":      "B/L NO.:\tMAEU1\nPort:  M\u00fcnchen\f2nd",
		"with mark":  "\uFEFFB/L NO.:\tMAEU1\nPort:  M\u00fcnchen\f2nd",
		"Latin-1":    "B/L NO.:\tMAEU1\nPort:  M\xfcnchen\f2nd",
		"from DOS":   "B/L NO.:\tMAEU1\r\nPort:  M\u00fcnchen\f2nd",
		"UTF-16":     "\xff\xfe" + wide("B/L NO.:\tMAEU1\nPort:  M\u00fcnchen\f2nd", 0, 1),
		"UTF-16, BE": "\xfe\xff" + wide("B/L NO.:\tMAEU1\nPort:  M\u00fcnchen\f2nd", 1, 0),
	} {
		text, err := e.Extract(context.Background(), bytesOf(name, []byte(content)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for i, p := range text.Pages {
			for _, w := range p.Words {
				got = append(got, fmt.Sprintf("%d:%s@%.0f,%.0f", i+1, w.Text, w.Box.Left, w.Box.Top))
			}
		}
		if want := "1:B/L@0,0 1:NO.:@24,0 1:MAEU1@96,0 1:Port:@0,12 1:München@42,12 2:2nd@0,0"; strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", name, strings.Join(got, " "), want)
		}
	}
}

// wide writes each character, of the first 256, as two bytes.
func wide(s string, high, low int) string {
	var b strings.Builder
	for _, r := range s {
		pair := [2]byte{}
		pair[low], pair[high] = 0, byte(r)
		if high > low {
			pair[0], pair[1] = 0, byte(r)
		} else {
			pair[0], pair[1] = byte(r), 0
		}
		b.Write(pair[:])
	}
	return b.String()
}

// TestKinds reads PDFs as programs write them: encrypted ones that need no password, fonts
// with codes of their own, values of form fields, rotated pages.
func TestKinds(t *testing.T) {
	e := one(t, Limits{})
	const plain = "B/L No.: MAEU123456789 Port: M\u00fcnchen"
	for name, want := range map[string]string{
		"plain":     plain,
		"aes-256":   plain,
		"aes-128":   plain,
		"rc4-40":    plain,
		"composite": "B/L No.: MAEU123456789 Office", // with codes of one byte, and a ligature
		"form":      "B/L No.: MAEU123456789",
		"rotated":   "B/L No.: MAEU123456789",
		"password":  tracking.FileEncrypted,
	} {
		text, err := readKind(t, e, name)
		got := result(text, err)
		if err == nil {
			var all []string
			for _, w := range text.Pages[0].Words {
				all = append(all, w.Text)
			}
			got = strings.Join(all, " ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// readKind reads a PDF of testdata.
func readKind(t *testing.T, e *Extractor, name string) (tracking.DocumentText, error) {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name + ".pdf")
	if err != nil {
		t.Fatal(err)
	}
	return e.Extract(context.Background(), bytesOf(name, content))
}

// Boxes are those of the page as it is displayed: cropped, and turned.
func TestRotatedPage(t *testing.T) {
	text, err := readKind(t, one(t, Limits{}), "rotated")
	if err != nil {
		t.Fatal(err)
	}
	p := text.Pages[0]
	if p.Width != 642 || p.Height != 595 {
		t.Errorf("the page is %v by %v points", p.Width, p.Height)
	}
	if b := p.Words[0].Box; b.Left != 100 || b.Right < 117 || b.Right > 119 || b.Top < 91 || b.Top > 92 || b.Bottom < 102 || b.Bottom > 103 {
		t.Errorf("%s is at %v", p.Words[0].Text, b)
	}
}

// Compiled code that is damaged is compiled again, by a child that reads no files: they would be
// given the memory that compiling took.
func TestDamagedCache(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: compiles PDFium, which takes seconds of CPU")
	}
	if _, err := readKind(t, one(t, Limits{}), "plain"); err != nil { // the user's cache has the code then
		t.Fatal(err)
	}
	from, to := cacheDirectory(""), t.TempDir()
	if err := os.CopyFS(filepath.Join(to, "landfall-pdfium"), os.DirFS(from)); err != nil {
		t.Skipf("SKIPPED: there is no cache: %v", err)
	}
	if err := os.Chmod(filepath.Join(to, "landfall-pdfium"), 0o700); err != nil {
		t.Fatal(err)
	}
	files := func() []string {
		names, err := filepath.Glob(filepath.Join(to, "landfall-pdfium", "*", "*"))
		if err != nil || len(names) == 0 {
			t.Fatalf("no compiled code, error %v", err)
		}
		return names
	}
	const half = 5 << 20
	for _, name := range files() {
		if err := os.Truncate(name, half); err != nil {
			t.Fatal(err)
		}
	}
	e, err := New(Config{Children: 1, Cache: to})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	before := usedByChildren(t)
	if _, err := readKind(t, e, "plain"); err != nil {
		t.Error(err)
	}
	for _, name := range files() {
		if info, err := os.Stat(name); err != nil || info.Size() <= half {
			t.Errorf("the compiled code is still damaged: %v, error %v", info, err)
		}
	}
	if after := usedByChildren(t); after.Utime.Nano()-before.Utime.Nano() < int64(500*time.Millisecond) {
		t.Error("no child has compiled and ended")
	}
}

// Compiled code is executed, so it is not kept where others can write.
func TestCacheDirectory(t *testing.T) {
	in := t.TempDir()
	dir := filepath.Join(in, "landfall-pdfium")
	if got := cacheDirectory(in); got != dir {
		t.Errorf("%q, want %q", got, dir)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if got := cacheDirectory(in); got != "" {
		t.Errorf("that others can write to: %q", got)
	}
	if err := errors.Join(os.Remove(dir), os.WriteFile(dir, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if got := cacheDirectory(in); got != "" {
		t.Errorf("that is a file: %q", got)
	}
}

// TestAfterLargeWorkbook: a small file finds room after one that took most of a child's memory.
func TestAfterLargeWorkbook(t *testing.T) {
	e, err := New(Config{Children: 1, Limits: Limits{CPU: time.Minute, Wall: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	readSmall(t, e)
	for _, f := range hostile.Files() {
		if f.Name == "last-row.xlsx" || f.Name == "format-of-a-megabyte.xlsx" {
			_, err := e.Extract(context.Background(), bytesOf(f.Name, f.Make()))
			t.Log(f.Name, err)
			readSmall(t, e)
		}
	}
}
