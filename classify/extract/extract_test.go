package extract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
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

// costly may be config of at the limit of time or of memory, whichever comes first.
const costly = tracking.FileTooCostly

// TestHostileFiles reads every hostile file with both engines: the answer is exact, no
// child outlives it, and this process grows by less than 50 MiB. Of the endless ones
// it reads all with LANDFALL_HOSTILE=full, else the first.
func TestHostileFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: takes seconds of CPU, at the limits that it tests")
	}
	full := os.Getenv("LANDFALL_HOSTILE") == "full"
	const damaged, large, encrypted = tracking.FileDamaged, tracking.FileTooLarge, tracking.FileEncrypted
	want := map[string][2]string{ // of the Go engine, of Poppler
		"empty.pdf":               {tracking.FileEmpty, tracking.FileEmpty},
		"header-alone.pdf":        {damaged, damaged},
		"half.pdf":                {damaged, damaged},
		"noise.pdf":               {damaged, damaged},
		"no-pages.pdf":            {damaged, damaged},
		"password.pdf":            {encrypted, encrypted},
		"picture.pdf":             {unreadable, unreadable},
		"page.html":               {unreadable, unreadable},
		"drawing.svg":             {unreadable, unreadable},
		"without-text.pdf":        {unreadable, unreadable},
		"ten-thousand-pages.pdf":  {large, large},
		"pages-in-a-circle.pdf":   {damaged, damaged},
		"parents-in-a-circle.pdf": {unreadable, unreadable},
		"length-of-itself.pdf":    {unreadable, unreadable},
		"form-in-itself.pdf":      {unreadable, unreadable},
		"xref-in-a-circle.pdf":    {costly, damaged},
		"xref-of-two-billion.pdf": {costly, damaged},
		"nested-arrays.pdf":       {damaged, damaged},
		"nested-dictionaries.pdf": {unreadable, unreadable},
		"nested-page-tree.pdf":    {damaged, unreadable},
		"wide-predictor.pdf":      {costly, unreadable},
		"bomb-of-blanks.pdf":      {costly, costly},
		"bomb-in-a-bomb.pdf":      {costly, costly},
		"bomb-of-operands.pdf":    {costly, costly},
		"bomb-of-states.pdf":      {costly, costly},
		"bomb-of-words.pdf":       {large, costly},
		"bomb-in-one-string.pdf":  {costly, costly},
		"latin-1.txt":             {large, large},
		"one-word.txt":            {large, large},
		"one-short-word.txt":      {readable, readable},
		"long-words.pdf":          {large, large},
		"few-long-words.pdf":      {readable, readable},
		"many-objects.pdf":        {unreadable, unreadable},
		"boundless-page.pdf":      {damaged, unreadable},
		"boundless-picture.pdf":   {unreadable, unreadable},
		"bomb.docx":               {unreadable, unreadable},
	}
	files := hostile.Files()
	for i, engine := range []Engine{Go, Poppler} {
		e, err := New(Config{Engine: engine, Limits: Limits{CPU: time.Second, Wall: time.Minute, Words: 20_000, Text: 256 << 10}})
		if err != nil {
			t.Logf("SKIPPED with Poppler: %v", err)
			continue
		}
		endless := 0
		for _, f := range files {
			if f.Endless {
				if endless++; endless > 1 && !full {
					continue
				}
			}
			content := f.Make()
			runtime.GC()
			before := memory(t, "VmRSS:")
			forget()
			begin := time.Now()
			text, err := e.Extract(context.Background(), bytesOf(f.Name, content))
			took := time.Since(begin)
			got := result(text, err)
			for _, p := range text.Pages {
				for _, w := range p.Words {
					if len(w.Text) > wordBytes {
						t.Errorf("%s, %s: a word of %d bytes", engine, f.Name, len(w.Text))
					}
				}
			}
			grown := memory(t, "VmHWM:") - before
			t.Logf("%-8s %-26s %9d bytes  %-11s %6.2f s  %5.1f MiB more here", engine, f.Name, len(content), got, took.Seconds(), float64(grown)/1024)
			if got != want[f.Name][i] {
				t.Errorf("%s, %s: %s, want %s (%v)", engine, f.Name, got, want[f.Name][i], err)
			}
			if grown > 50<<10 {
				t.Errorf("%s, %s: this process grew by %d KiB", engine, f.Name, grown)
			}
		}
		e.Close()
		if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); !errors.Is(err, syscall.ECHILD) {
			t.Errorf("%s: a child outlives its work: %d, %v", engine, pid, err)
		}
	}
}

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

// forget makes the most that this process had its present memory.
func forget() { os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// TestAfterHostileFiles holds that children that were killed are replaced.
func TestAfterHostileFiles(t *testing.T) {
	e, err := New(Config{Engine: Go, Children: 1, Limits: Limits{Wall: 300 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var circle, good hostile.File
	for _, f := range hostile.Files() {
		switch f.Name {
		case "xref-in-a-circle.pdf":
			circle = f
		case "without-text.pdf":
			good = f
		}
	}
	e.limits.Wall = 20 * time.Second
	if _, err := e.Extract(context.Background(), bytesOf(good.Name, good.Make())); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		e.limits.Wall = 300 * time.Millisecond
		if _, err := e.Extract(context.Background(), bytesOf(circle.Name, circle.Make())); result(tracking.DocumentText{}, err) != costly {
			t.Errorf("a file without end: %v", err)
		}
		e.limits.Wall = 20 * time.Second
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

// engines calls test with each engine that is to be had, reading one file at a time.
func engines(t *testing.T, l Limits, test func(*testing.T, *Extractor)) {
	for _, engine := range []Engine{Go, Poppler} {
		t.Run(string(engine), func(t *testing.T) {
			e, err := New(Config{Engine: engine, Children: 1, Limits: l})
			if err != nil {
				t.Skipf("SKIPPED: %v", err)
			}
			defer e.Close()
			test(t, e)
		})
	}
}

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
	engines(t, Limits{}, func(t *testing.T, e *Extractor) {
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
		if e.Engine() != Go { // no hostile file is endless for Poppler and cheap to make
			return
		}
		circle := hostileFile(t, "xref-in-a-circle.pdf")
		short, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		if _, err := e.Extract(short, circle); !errors.Is(err, tracking.ErrUnavailable) || errors.As(err, new(*tracking.FileError)) {
			t.Errorf("whose caller had no more time: %v", err)
		}
		e.limits.Wall = 100 * time.Millisecond
		if _, err := e.Extract(context.Background(), circle); result(tracking.DocumentText{}, err) != costly {
			t.Errorf("whose own time was over: %v", err)
		}
	})
}

// A child is replaced when its life may not be enough for another file, and else
// reads on.
func TestChildrenAreReplaced(t *testing.T) {
	innocent := hostileFile(t, "without-text.pdf")
	for _, row := range []struct {
		life time.Duration
		idle int
	}{{time.Nanosecond, 0}, {childLife, 1}} {
		e, err := New(Config{Engine: Go, Children: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		e.pool.life = row.life
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
	e, err := New(Config{Engine: Go, Children: 1})
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
	engines(t, Limits{}, func(t *testing.T, e *Extractor) {
		content := badDisk{strings.NewReader("%PDF-1.7\n" + strings.Repeat(" ", 1<<20))}
		_, err := e.Extract(context.Background(), tracking.DocumentFile{Content: content, Size: content.Size()})
		if !errors.Is(err, errBadDisk) || errors.As(err, new(*tracking.FileError)) {
			t.Errorf("%v", err)
		}
	})
}

func TestPlainText(t *testing.T) {
	e, err := New(Config{Engine: Go})
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
