package extract

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/office"
	"github.com/landfallhq/tracking/classify/extract/internal/pdftext"
)

// childVariable is set in children, to the JSON of their childConfig.
const childVariable = "LANDFALL_EXTRACT_CHILD"

// childConfig is the configuration of a child.
type childConfig struct {
	Limits
	Cache string // the directory of pdftext.Open
	// Engine recognises the text of pictures; nil in children that do not.
	Engine *engine
	// Life is the CPU time for all files of a child, after which it is replaced.
	Life time.Duration
	// Again: it is started again after it had to compile, and serves in any case.
	Again bool
}

// mainCalled: the program can run as a child.
var mainCalled bool

// Main reads PDFs and never returns if an Extractor started this process for that; else it
// does nothing. Call it at the start of main.
func Main() {
	text, child := os.LookupEnv(childVariable)
	if !child {
		mainCalled = true
		return
	}
	os.Unsetenv(childVariable)
	var o childConfig
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		fmt.Fprintln(os.Stderr, "extract: this is a child of a program that reads PDFs:", err)
		os.Exit(2)
	}
	if err := serve(os.Stdin, os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "extract:", err)
		os.Exit(2)
	}
	os.Exit(0)
}

// answer is the result of a file.
type answer struct {
	Pages []tracking.TextPage
	// Pictures is the number of pages whose text was not recognised.
	Pictures int
	// Layers is the number of pages that are pictures with the text of a former recognition, which
	// was read.
	Layers int
	// Drawn is the page that was to be drawn, as PNG.
	Drawn []byte
	Err   *tracking.FileError
	// Last: the child must be replaced, because its remaining CPU time or memory may not suffice
	// for another file.
	Last bool
}

// threadStacks is what a child may map for the stacks of eight more threads, 8 MiB each.
const threadStacks = 8 * (8 << 20)

// serve sends an empty answer when it is ready, and then answers one file after the other,
// up to the end of its input. Files and answers are preceded by their length in eight bytes, and
// each file by eight bytes of the page that is to be drawn; 0 if its text is to be read.
func serve(in io.Reader, out io.Writer, o childConfig) error {
	l := o.Limits
	debug.SetMemoryLimit(l.Memory / 4 * 3)
	stored := pdftext.Stored(o.Cache)
	reader, err := pdftext.Open(o.Cache, l.Memory/2)
	if err != nil {
		return err
	}
	debug.FreeOSMemory() // of compiling
	resetPeakMemory()
	if !o.Again && !slices.Equal(pdftext.Stored(o.Cache), stored) {
		os.Exit(exitCompiled)
	}
	// What is compiled may be stored in files, so the limits follow.
	if err := limitMemory(l.Memory); err != nil {
		return err
	}
	if o.Engine != nil {
		lowPriority() // that of the programs that it starts too
	}
	watch := watchCPU(l.CPU, o.Life)
	if err := send(out, nil); err != nil {
		return err
	}
	for {
		var page [8]byte
		if _, err := io.ReadFull(in, page[:]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		file, err := receive(in, l.Bytes)
		if err != nil {
			return err
		}
		if err := watch.begin(); err != nil {
			return err
		}
		toDraw := int(binary.BigEndian.Uint64(page[:]))
		a, err := read(reader, file, toDraw, o)
		if err != nil {
			return err
		}
		if a.Last, err = watch.expired(); err != nil {
			return err
		}
		a.Last = a.Last || exhausted(l.Memory)
		reply, err := encode(a)
		if err != nil {
			return err
		}
		if err := send(out, reply); err != nil {
			return err
		}
		if cap(file) > 1<<20 {
			file = nil
			debug.FreeOSMemory()
		}
	}
}

// read reads a file by what its first bytes say, or draws a page of it. A panic of a reader is
// a fault of the file.
func read(r *pdftext.Reader, file []byte, page int, o childConfig) (a answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			a, err = answer{Err: damaged()}, nil
		}
	}()
	again := time.Now().Add(o.Wall / againShare)
	recognize := o.Engine.recognizer(again)
	switch typ := Sniff(file[:min(len(file), sniffed)]); {
	case page > 0:
		a.Drawn, err = drawPage(r, file, typ, page, o.Limits)
	case typ == pdfType:
		var found pdftext.Found
		found, err = r.Read(file, pdftext.Limits{Pages: o.Pages, Words: o.Words, Text: o.Text, Pictures: o.Engine.pages(), Again: again}, recognize)
		a.Pages, a.Pictures, a.Layers = found.Pages, found.Pictures, found.Layers
	case isPicture(typ):
		a.Pages, err = pagesOfPicture(file, typ, o.Limits, recognize)
	case office.Reads(typ):
		if a.Pages, err = office.Pages(file, typ); err == nil {
			err = within(a.Pages, o.Limits)
		}
	}
	if errors.As(err, &a.Err) {
		return answer{Err: a.Err}, nil
	}
	return a, err
}

// encode returns the JSON of an answer. A word at infinity is a fault of the file.
func encode(a answer) ([]byte, error) {
	reply, err := json.Marshal(a)
	if errors.As(err, new(*json.UnsupportedValueError)) {
		return json.Marshal(answer{Err: damaged(), Last: a.Last})
	}
	return reply, err
}

func damaged() *tracking.FileError {
	return &tracking.FileError{Code: tracking.FileDamaged, Detail: "The file is damaged."}
}

// within reports whether pages have more words than are read.
func within(pages []tracking.TextPage, most Limits) error {
	words, text := 0, 0
	for _, p := range pages {
		words += len(p.Words)
		for _, w := range p.Words {
			text += len(w.Text)
		}
	}
	switch {
	case len(pages) > most.Pages:
		return pdftext.TooManyPages(most.Pages)
	case words > most.Words:
		return pdftext.TooManyWords(most.Words)
	case text > most.Text:
		return pdftext.TooMuchText(most.Text)
	}
	return nil
}

func send(w io.Writer, b []byte) error {
	if _, err := w.Write(binary.BigEndian.AppendUint64(nil, uint64(len(b)))); err != nil {
		return err
	}
	_, err := w.Write(b)
	return err
}

func receive(r io.Reader, most int64) ([]byte, error) {
	var length [8]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint64(length[:])
	if n > uint64(most) {
		return nil, fmt.Errorf("a message of %d bytes; at most %d are read", n, most)
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return b, err
}

// Exit codes of a child.
const (
	exitCPU      = 24 // It has used its CPU time.
	exitCompiled = 25 // It has compiled and stored that. Files would be given the memory of it too.
)

// childLife is the CPU time for all files of a child, after which it is replaced. The kernel
// kills it when it has used the CPU time of one more file.
const childLife = 10 * time.Minute
