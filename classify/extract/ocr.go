package extract

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/pdftext"
	"github.com/landfallhq/tracking/classify/extract/internal/scan"
)

// OCR configures the recognition of text in pictures, by the program tesseract. It runs in
// the process group of a child, under the limits of one, and is given nothing but grey
// bitmaps that the child has made: no file of a user, and no path. The zero value recognises
// where tesseract is installed.
type OCR struct {
	// Off recognises nothing.
	Off bool
	// Path of the program; "" is tesseract in PATH, looked for until it is there.
	Path string
	// Languages as tesseract names them: "eng+deu". "" is those that are installed: English
	// first, and at most four, since each takes time.
	Languages string
	// AtOnce is how many files are recognised at a time; 0 is 2. Further calls wait.
	AtOnce int
	// Pages that are recognised of a file; 0 is 30. Others have no text.
	Pages int
	// Wall is the time for a file, from its turn to the answer; 0 is four minutes.
	Wall time.Duration
}

func (o *OCR) fill() error {
	o.AtOnce = or(o.AtOnce, 2)
	o.Pages = or(o.Pages, 30)
	o.Wall = or(o.Wall, 4*time.Minute)
	for _, r := range o.Languages {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '+' || r == '/') {
			return fmt.Errorf("extract: the languages %q of tesseract are not such as eng+deu", o.Languages)
		}
	}
	if o.Path == "" || o.Off {
		return nil
	}
	if _, err := exec.LookPath(o.Path); err != nil {
		return fmt.Errorf("extract: tesseract: %w", err)
	}
	return nil
}

// child is the configuration of children that recognise. Each reads one file.
func (o OCR) child(c childConfig) childConfig {
	c.Life, c.Wall = time.Nanosecond, o.Wall
	c.CPU += time.Duration(o.Pages) * pageCPU
	return c
}

const (
	// pageCPU is the CPU time of a child for each page beside the recognition.
	pageCPU = 3 * time.Second
	// engineCPU is that of one run of tesseract.
	engineCPU = time.Minute
)

// engine is how tesseract is run.
type engine struct {
	Path, Languages, Data string
	Pages                 int // of a file
}

// engines finds out how tesseract is run, until it is found.
type engines struct {
	OCR
	mu    sync.Mutex
	found *engine
}

// engine returns how tesseract is run, or a sentence for people why it is not.
func (o *engines) engine() (*engine, string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.Off:
		return nil, "Text in pictures is not recognised, because --ocr is off."
	case o.found != nil:
		return o.found, ""
	}
	path, err := exec.LookPath(cmp.Or(o.Path, "tesseract"))
	if err != nil {
		return nil, "Text in pictures is recognised where tesseract is installed: apt-get install tesseract-ocr."
	}
	e := &engine{Path: path, Languages: o.Languages, Data: os.Getenv("TESSDATA_PREFIX"), Pages: o.Pages}
	if e.Languages == "" {
		if e.Languages = e.installed(); e.Languages == "" {
			return nil, "Text in pictures is recognised where tesseract has a language: apt-get install tesseract-ocr-eng."
		}
	}
	o.found = e
	return e, ""
}

// installed returns the languages that tesseract has; "" for none.
func (e *engine) installed() string {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, e.Path, "--list-langs").Output()
	if err != nil {
		return ""
	}
	var all []string
	for _, line := range strings.Split(string(out), "\n")[1:] {
		// Others are no languages, or scripts.
		if line = strings.TrimSpace(line); line != "" && line != "osd" && line != "equ" && !strings.Contains(line, "/") {
			all = append(all, line)
		}
	}
	slices.Sort(all)
	const english, most = "eng", 4
	if i := slices.Index(all, english); i > 0 {
		all = slices.Insert(slices.Delete(all, i, i+1), 0, english)
	}
	return strings.Join(all[:min(len(all), most)], "+")
}

func (e *engine) pages() int {
	if e == nil {
		return 0
	}
	return e.Pages
}

// againShare is the part of a file's time after which nothing is recognised twice: neither pages that
// have the text of a former recognition, nor any page as a whole too.
const againShare = 3

// recognizer returns how the child recognises a picture of a page; nil if it does not.
func (e *engine) recognizer(again time.Time) pdftext.Recognize {
	if e == nil {
		return nil
	}
	run := &scan.Engine{Path: e.Path, Languages: e.Languages, Data: e.Data, Started: func(pid int) error { return limitProcess(pid, engineCPU) }}
	return func(picture *scan.Gray, points float64, former scan.Former) (tracking.TextPage, error) {
		if former == nil && time.Now().After(again) {
			former = func(tracking.TextPage) ([]tracking.TextWord, error) { return nil, nil }
		}
		p, err := run.Page(context.Background(), picture, points, former)
		var ended *exec.ExitError
		if errors.As(err, &ended) && !ended.Exited() { // by a limit: the other pages may be readable
			return tracking.TextPage{Width: float64(picture.Width) * points, Height: float64(picture.Height) * points}, nil
		}
		return p, err
	}
}
