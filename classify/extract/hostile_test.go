package extract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/hostile"
)

// outcomes are the names of the hostile files, by how reading them ends.
var outcomes = map[string]string{
	tracking.FileEmpty: `
		empty.pdf`,
	tracking.FileDamaged: `
		header-alone.pdf half.pdf noise.pdf no-pages.pdf pages-in-a-circle.pdf xref-in-a-circle.pdf
		xref-of-two-billion.pdf nested-arrays.pdf nested-page-tree.pdf object-stream-of-a-bomb.pdf
		xref-stream-of-wide-entries.pdf xref-stream-of-two-billion.pdf a-thousand-updates.pdf catalog-of-itself.pdf
		a-hundred-thousand-headers.pdf encryption-of-itself.pdf shared-texts-that-are-none.xlsx cell-of-no-column.xlsx
		entities.xlsx sheet-that-is-the-workbook.xlsx nested.xlsx size-of-a-liar.xlsx entities.docx
		tables-in-tables.docx runs-in-runs.docx size-of-a-liar.docx parts-in-parts.eml sectors-in-a-circle.msg
		directory-in-a-circle.msg stream-of-four-gigabytes.msg elements-in-elements.html tables-in-tables.html
		lists-of-choices.html last-row.xlsx`, // the last one where the processor is fast
	tracking.FileTooLarge: `
		ten-thousand-pages.pdf long-words.pdf bomb.docx encoded-words.eml entity-of-a-megabyte.html latin-1.txt
		one-word.txt form-feeds.txt words.csv
		header-of-a-megabyte.eml`,
	tracking.FileEncrypted: `
		password.pdf key-of-two-billion-bits.pdf unknown-encryption.pdf`,
	costly: `
		form-in-itself.pdf bomb-of-blanks.pdf bomb-in-a-bomb.pdf bomb-of-operands.pdf bomb-of-states.pdf
		bomb-of-words.pdf bomb-in-one-string.pdf forms-that-double.pdf note-in-itself.pdf marks-in-marks.pdf
		merged-cells-over-one-another.xlsx text-shown-a-hundred-thousand-times.xlsx last-row.xlsx
		row-of-two-billion.xlsx`,
	readable: `
		parents-in-a-circle.pdf few-long-words.pdf boundless-page.pdf pattern-in-itself.pdf shading-of-itself.pdf
		function-in-braces.pdf colours-of-themselves.pdf mask-in-itself.pdf glyph-of-itself.pdf font-below-itself.pdf
		widths-of-two-billion.pdf characters-by-the-million.pdf half-characters.pdf font-of-noise.pdf
		font-of-many-tables.pdf inline-picture-without-end.pdf script.pdf launched-program.pdf embedded-bomb.pdf
		names-in-a-circle.pdf outlines-in-a-circle.pdf structure-in-a-circle.pdf layers-in-a-circle.pdf
		fields-in-a-circle.pdf form-of-entities.pdf a-hundred-thousand-notes.pdf page-a-hundred-times.pdf
		turned-without-end.pdf name-of-a-megabyte.pdf operators-out-of-turn.pdf linearized-by-a-liar.pdf
		merged-cells-by-the-thousand.xlsx format-of-a-megabyte.xlsx parts-of-others.xlsx links-elsewhere.xlsx
		wide-cells.docx tall-cell.docx attributes-by-the-hundred-thousand.docx letters-of-infinite-size.docx
		parts-by-the-thousand.eml boundary-of-nothing.eml lines-like-boundaries.eml
		headers-by-the-hundred-thousand.eml parameters-in-pieces.eml letters-of-no-alphabet.eml mails-in-mails.eml
		escapes-without-end.eml cells-of-two-billion.html attributes-by-the-hundred-thousand.html
		formats-out-of-turn.html formats-that-are-never-closed.html one-short-word.txt half-characters.txt tabs.txt
		lines.txt marks-over-letters.txt`,
	unreadable: `
		without-text.pdf length-of-itself.pdf nested-dictionaries.pdf wide-predictor.pdf many-objects.pdf
		boundless-picture.pdf characters-of-four-billion.pdf picture-of-jpeg-2000.pdf picture-of-fax.pdf
		picture-of-jpeg.pdf picture-of-a-bomb.pdf masks-in-a-circle.pdf contents-by-the-thousand.pdf
		two-billion-pages.pdf pages-below-zero.pdf filters-by-the-thousand.pdf text-at-infinity.pdf
		text-of-no-size.pdf string-without-end.pdf object-stream-in-itself.pdf references-in-a-circle.pdf
		start-beyond-the-end.pdf picture.pdf sixty-thousand-dots-a-side.png no-dots.png four-billion-dots-wide.png
		without-its-colours.png chunk-of-two-gigabytes.png bomb-in-its-text.png deeper-than-its-colours.png
		sixty-five-thousand-dots-a-side.jpg markers-without-end.jpg comments-without-end.jpg directory-in-a-circle.tif
		a-million-dots-a-side.tif directory-beyond-the-end.tif entries-beyond-the-end.tif drawing.svg
		a-hundred-thousand-parts.zip page.html comment-without-end.html`,
}

// recognized are those that have pictures, where tesseract is installed.
var recognized = map[string]string{
	tracking.FileDamaged: `
		picture.pdf no-dots.png without-its-colours.png chunk-of-two-gigabytes.png bomb-in-its-text.png
		markers-without-end.jpg comments-without-end.jpg directory-in-a-circle.tif directory-beyond-the-end.tif
		entries-beyond-the-end.tif`,
	tracking.FileTooLarge: `
		sixty-thousand-dots-a-side.png four-billion-dots-wide.png sixty-five-thousand-dots-a-side.jpg
		a-million-dots-a-side.tif`,
	costly: `
		deeper-than-its-colours.png`,
	unreadable: `
		boundless-picture.pdf picture-of-jpeg-2000.pdf picture-of-fax.pdf picture-of-jpeg.pdf picture-of-a-bomb.pdf
		masks-in-a-circle.pdf`,
}

// TestHostileFiles reads every hostile file, and meanwhile a small one of somebody else.
// Answers are exact, no child outlives the Extractor or takes more memory than it may, and
// this process grows by less than 50 MiB. Logged is the longest time of the small file. With
// LANDFALL_HOSTILE=full it reads all the endless ones and recognises those with pictures; else
// it reads the first endless one.
func TestHostileFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: takes seconds of CPU, at the limits that it tests")
	}
	full := os.Getenv("LANDFALL_HOSTILE") == "full"
	used := usedByChildren(t)
	e, err := New(Config{Limits: Limits{CPU: time.Second, Wall: time.Minute, Words: 20_000, Text: 256 << 10}, OCR: OCR{Pages: 1}})
	if err != nil {
		t.Fatal(err)
	}
	endless, longest := 0, time.Duration(0)
	for _, f := range hostile.Files() {
		if f.Endless {
			if endless++; endless > 1 && !full {
				continue
			}
		}
		longest = max(longest, readHostile(t, e, f, full))
	}
	t.Logf("%d files in all; a small file of somebody else took at most %.2f s", len(hostile.Files()), longest.Seconds())
	e.Close()
	if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); !errors.Is(err, syscall.ECHILD) {
		t.Errorf("a child outlives its work: %d, %v", pid, err)
	}
	checkMemoryOfChildren(t, used, e.limits)
}

// readHostile reads a file, perhaps recognises it, and returns how long a small one took meanwhile.
func readHostile(t *testing.T, e *Extractor, f hostile.File, recognize bool) (delay time.Duration) {
	t.Helper()
	file := bytesOf(f.Name, f.Make())
	runtime.GC()
	before := memory(t, "VmRSS:")
	resetPeakMemory()
	var other sync.WaitGroup
	other.Go(func() { delay = readSmall(t, e) })
	text, took, got := readOnce(t, e.Extract, file, outcomes)
	other.Wait()
	grown := memory(t, "VmHWM:") - before
	t.Logf("%-42s %9d bytes  %-11s %6.2f s  %5.1f MiB more here", f.Name, file.Size, got, took.Seconds(), float64(grown)/1024)
	if grown > 50<<10 {
		t.Errorf("%s: this process grew by %d KiB", f.Name, grown)
	}
	for _, p := range text.Pages {
		for _, w := range p.Words {
			if len(w.Text) > wordBytes {
				t.Errorf("%s: a word of %d bytes", f.Name, len(w.Text))
			}
		}
	}
	if recognize && text.Pictures > 0 {
		readOnce(t, e.Recognize, file, recognized)
	}
	return delay
}

// readOnce reads a file, whose answer must be that of the table.
func readOnce(t *testing.T, read func(context.Context, tracking.DocumentFile) (tracking.DocumentText, error), f tracking.DocumentFile, want map[string]string) (text tracking.DocumentText, took time.Duration, got string) {
	t.Helper()
	begin := time.Now()
	text, err := read(context.Background(), f)
	took, got = time.Since(begin), result(text, err)
	if !slices.Contains(strings.Fields(want[got]), f.Name) {
		t.Errorf("%s: %s (%v)", f.Name, got, err)
	}
	return text, took, got
}

// readSmall reads a small file of somebody else, and returns how long that takes.
func readSmall(t *testing.T, e *Extractor) time.Duration {
	t.Helper()
	begin := time.Now()
	if text, err := e.Extract(context.Background(), bytesOf("small.pdf", drawn(form()))); result(text, err) != readable {
		t.Errorf("a file of somebody else: %v", err)
	}
	return time.Since(begin)
}

// handed is the content of a file, and closes done when the child has all of it.
type handed struct {
	*bytes.Reader
	once sync.Once
	done chan struct{}
}

func (h *handed) ReadAt(b []byte, at int64) (int, error) {
	n, err := h.Reader.ReadAt(b, at)
	if at+int64(n) >= h.Size() {
		h.once.Do(func() { close(h.done) })
	}
	return n, err
}

// A small file of somebody else is read while three are being read that use all the time they
// have: before the end of each of them.
func TestHostileFilesDelayNobody(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: takes seconds of CPU")
	}
	e, err := New(Config{Children: 4, Limits: Limits{CPU: time.Second, Wall: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var all sync.WaitGroup
	for range cap(e.slots) { // all children are ready
		all.Go(func() { readSmall(t, e) })
	}
	all.Wait()
	content, err := io.ReadAll(hostileFile(t, endlessFile).Open())
	if err != nil {
		t.Fatal(err)
	}
	var ended atomic.Int32
	for range 3 {
		h := &handed{Reader: bytes.NewReader(content), done: make(chan struct{})}
		all.Go(func() {
			if text, err := e.Extract(context.Background(), tracking.DocumentFile{Content: h, Size: h.Size()}); result(text, err) != costly {
				t.Errorf("%v", err)
			}
			ended.Add(1)
		})
		<-h.done
	}
	took := readSmall(t, e)
	if n := ended.Load(); n > 0 {
		t.Errorf("the small file was read after the end of %d others", n)
	}
	t.Logf("a small file of somebody else took %.2f s", took.Seconds())
	all.Wait()
}

func TestWordAtInfinity(t *testing.T) {
	var got answer
	reply, err := encode(answer{Pages: []tracking.TextPage{{Height: math.Inf(1)}}, Last: true})
	if err == nil {
		err = json.Unmarshal(reply, &got)
	}
	if err != nil || got.Err == nil || got.Err.Code != tracking.FileDamaged || !got.Last {
		t.Errorf("%s, error %v", reply, err)
	}
}
