package extract

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/landfallhq/tracking"
)

// needTesseract skips a test where nothing can be recognised.
func needTesseract(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: recognition takes seconds of CPU")
	}
	if _, err := exec.LookPath("tesseract"); err != nil {
		t.Skip("SKIPPED: tesseract is missing: apt-get install tesseract-ocr")
	}
}

// The words of a paper, and where they begin, in points.
var paper = []struct {
	text string
	x, y float64
}{
	{"ARRIVAL NOTICE", 60, 80},
	{"Bill of lading", 60, 130}, {"MAEU123456785", 260, 130},
	{"Vessel", 60, 160}, {"EVER GIVEN", 260, 160},
	{"Port of discharge", 60, 190}, {"Rotterdam, Netherlands", 260, 190},
	{"Gross weight", 60, 220}, {"12,450.00 KGS", 260, 220},
	{"Container", 60, 290}, {"Packages", 260, 290}, {"Seal", 420, 290},
	{"MSKU1234565", 60, 320}, {"100 cartons", 260, 320}, {"ML-9921834", 420, 320},
	{"TEMU4455667", 60, 350}, {"250 cartons", 260, 350}, {"ML-9921835", 420, 350},
	{"Please clear the goods before the end of free time.", 60, 420},
}

// photo draws the paper as a scanner does, at perInch dots per inch, turned clockwise by
// degrees, with noise. The table has lines.
func photo(t *testing.T, perInch, degrees float64) *image.Gray {
	t.Helper()
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	scale := perInch / 72
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 11 * scale, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	sheet := image.NewGray(image.Rect(0, 0, int(595*scale), int(842*scale)))
	for i := range sheet.Pix {
		sheet.Pix[i] = 255
	}
	for _, w := range paper {
		ink := image.Black
		if w.x == 60 && w.y > 100 && w.y < 250 { // captions in grey
			ink = image.NewUniform(color.Gray{Y: 160})
		}
		d := font.Drawer{Dst: sheet, Src: ink, Face: face, Dot: fixed.P(int(w.x*scale), int(w.y*scale))}
		d.DrawString(w.text)
	}
	line := func(x0, y0, x1, y1 float64) {
		for y := int(y0 * scale); y <= int(y1*scale)+1; y++ {
			for x := int(x0 * scale); x <= int(x1*scale)+1; x++ {
				sheet.SetGray(x, y, color.Gray{})
			}
		}
	}
	for _, y := range []float64{272, 302, 332, 362} {
		line(50, y, 540, y)
	}
	for _, x := range []float64{50, 250, 410, 540} {
		line(x, 272, x, 362)
	}
	return askew(sheet, degrees)
}

// askew turns a picture clockwise about its middle, and adds noise.
func askew(m *image.Gray, degrees float64) *image.Gray {
	r := rand.New(rand.NewPCG(1, 2))
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	w, h := float64(m.Rect.Dx()), float64(m.Rect.Dy())
	ow, oh := w, h
	if math.Abs(sin) > 0.5 {
		ow, oh = h, w
	}
	out := image.NewGray(image.Rect(0, 0, int(ow), int(oh)))
	for y := range int(oh) {
		for x := range int(ow) {
			dx, dy := float64(x)+0.5-ow/2, float64(y)+0.5-oh/2
			sx, sy := int(math.Floor(w/2+dx*cos+dy*sin)), int(math.Floor(h/2-dx*sin+dy*cos))
			v := 255.0
			if (image.Point{X: sx, Y: sy}).In(m.Rect) {
				v = float64(m.GrayAt(sx, sy).Y)
			}
			out.SetGray(x, y, color.Gray{Y: byte(min(max(v*0.85+20+8*r.NormFloat64(), 0), 255))})
		}
	}
	return out
}

func encoded(t *testing.T, m image.Image, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch format {
	case "png":
		err = png.Encode(&b, m)
	case "jpeg":
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: 70})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tiffOf writes pictures as the pages of a TIFF.
func tiffOf(pages ...*image.Gray) []byte {
	order := binary.LittleEndian
	b := []byte("II*\x00\x00\x00\x00\x00")
	link := 4
	for _, m := range pages {
		pixels := len(b)
		b = append(b, m.Pix...)
		b = append(b, make([]byte, len(b)%2)...)
		order.PutUint32(b[link:], uint32(len(b)))
		tags := [][2]int{{256, m.Rect.Dx()}, {257, m.Rect.Dy()}, {258, 8}, {259, 1}, {262, 1}, {273, pixels}, {277, 1}, {278, m.Rect.Dy()}, {279, len(m.Pix)}}
		b = order.AppendUint16(b, uint16(len(tags)))
		for _, tag := range tags {
			const long = 4
			b = order.AppendUint16(b, uint16(tag[0]))
			b = order.AppendUint16(b, long)
			b = order.AppendUint32(b, 1)
			b = order.AppendUint32(b, uint32(tag[1]))
		}
		link = len(b)
		b = append(b, 0, 0, 0, 0)
	}
	return b
}

// scanned is a PDF whose page is a picture, with a stamp that a program has added, and with more content.
func scanned(m *image.Gray, more string) []byte {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(m.Pix)
	z.Close()
	content := "q 595 0 0 842 0 0 cm /I Do Q BT /F 8 Tf 20 20 Td (Received) Tj ET" + more
	objects := []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</XObject<</I 5 0 R>>/Font<</F 6 0 R>>>>/Contents 4 0 R>>",
		fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", len(content), content),
		fmt.Sprintf("<</Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream", m.Rect.Dx(), m.Rect.Dy(), packed.Len(), packed.Bytes()),
		"<</Type/Font/Subtype/Type1/BaseFont/Courier>>",
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	for i, o := range objects {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	b.WriteString("trailer\n<</Root 1 0 R>>\n")
	return b.Bytes()
}

// Scans and photos are read in every direction and askew: the words, where they are, how sure
// they are, and the cells of the table that is drawn.
func TestRecognition(t *testing.T) {
	needTesseract(t)
	e := one(t, Limits{})
	for _, row := range []struct {
		name    string
		content []byte
		pages   int
		turned  int
		skew    float64
	}{
		{"PNG of 200 dots per inch", encoded(t, photo(t, 200, 0), "png"), 1, 0, 0},
		{"PNG, askew", encoded(t, photo(t, 200, 1.7), "png"), 1, 0, 1.7},
		{"JPEG, upside down", encoded(t, photo(t, 250, 180), "jpeg"), 1, 180, 0},
		{"JPEG, sideways and askew", encoded(t, photo(t, 250, 89), "jpeg"), 1, 270, -1},
		{"TIFF of two pages", tiffOf(photo(t, 150, 0), photo(t, 200, -1)), 2, 0, -1},
		{"PDF", scanned(photo(t, 200, 0), ""), 1, 0, 0},
	} {
		f := bytesOf(row.name, row.content)
		first, err := e.Extract(context.Background(), f)
		if err != nil || first.Pictures != 1 || hasText(first.Pages) != (row.name == "PDF") {
			t.Errorf("%s: not recognised %d pictures, error %v", row.name, first.Pictures, err)
		}
		text, err := e.Recognize(context.Background(), f)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if len(text.Pages) != row.pages || text.Unreadable != "" || text.Pictures != 0 {
			t.Errorf("%s: %d pages, %d pictures, %s", row.name, len(text.Pages), text.Pictures, text.Unreadable)
			continue
		}
		p := text.Pages[row.pages-1]
		if !p.Recognized || p.Turned != row.turned || math.Abs(p.Skew-row.skew) > 0.1 {
			t.Errorf("%s: recognised %v, turned by %d and %.2f, want %d and %v", row.name, p.Recognized, p.Turned, p.Skew, row.turned, row.skew)
		}
		samePaper(t, row.name, p)
	}
	if n := len(e.recognizers.idle); n != 0 {
		t.Errorf("%d children wait that have recognised a file", n)
	}
}

// The text of a former recognition completes what is recognised in the picture above it, and is read as
// it is without tesseract.
func TestRecognizedAgain(t *testing.T) {
	needTesseract(t)
	var former strings.Builder
	for _, p := range paper[1:] {
		fmt.Fprintf(&former, " BT 3 Tr /F 10 Tf %v %v Td (%s ) Tj ET", p.x, 842-p.y, strings.ReplaceAll(p.text, "EVER", "EVEN"))
	}
	former.WriteString(" BT 3 Tr /F 10 Tf 60 700 Td (WHITE ) Tj ET")
	f := bytesOf("layer.pdf", scanned(photo(t, 200, 1), former.String()))
	for _, row := range []struct {
		name     string
		ocr      OCR
		pictures int
		has, not string
	}{
		{"with tesseract", OCR{}, 1, "EVER", "EVEN"},
		{"without it", OCR{Off: true}, 0, "EVEN", "ARRIVAL"},
	} {
		e, err := New(Config{Children: 1, OCR: row.ocr})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		if first, err := e.Extract(context.Background(), f); err != nil || first.Pictures != row.pictures || first.Note != "" || !hasWord(first, "EVEN") {
			t.Errorf("%s: not recognised %d pictures, %q, error %v", row.name, first.Pictures, first.Note, err)
		}
		text, err := e.Recognize(context.Background(), f)
		if err != nil || text.Pictures != 0 || text.Note != "" || !text.Pages[0].Recognized {
			t.Errorf("%s: %d pictures, %q, error %v", row.name, text.Pictures, text.Note, err)
			continue
		}
		if !hasWord(text, row.has) || hasWord(text, row.not) || !hasWord(text, "WHITE") {
			t.Errorf("%s: want %s and WHITE, not %s: %v", row.name, row.has, row.not, text.Pages[0].Words)
		}
	}
}

// A file whose recognition takes too long is read by the text that it has; without one that is its error.
func TestRecognitionThatTakesTooLong(t *testing.T) {
	needTesseract(t)
	e, err := New(Config{Children: 1, OCR: OCR{Wall: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	picture := photo(t, 200, 0)
	text, err := e.Recognize(context.Background(), bytesOf("layer.pdf", scanned(picture, " BT 3 Tr /F 10 Tf 60 700 Td (WHITE ) Tj 40 0 Td (NOTICE ) Tj ET")))
	if err != nil || !hasWord(text, "WHITE") || text.Pictures != 0 || text.Note == "" {
		t.Errorf("%v, error %v", text, err)
	}
	var failed *tracking.FileError
	if text, err := e.Recognize(context.Background(), bytesOf("scan.png", encoded(t, picture, "png"))); !errors.As(err, &failed) || failed.Code != tracking.FileTooCostly {
		t.Errorf("%v, error %v", text, err)
	}
}

func hasWord(text tracking.DocumentText, word string) bool {
	return slices.ContainsFunc(text.Pages[0].Words, func(w tracking.TextWord) bool { return w.Text == word })
}

// samePaper reports whether the words of the paper are on a page, at their places.
func samePaper(t *testing.T, name string, p tracking.TextPage) {
	t.Helper()
	found := 0
	for _, want := range paper {
		first := strings.Fields(want.text)[0]
		i := slices.IndexFunc(p.Words, func(w tracking.TextWord) bool {
			return w.Text == first && math.Abs(w.Box.Left-want.x) < 6 && math.Abs(w.Box.Bottom-want.y-2.3) < 4
		})
		if i < 0 {
			t.Logf("%s: no %q at %v, %v", name, first, want.x, want.y)
			continue
		}
		found++
		if w := p.Words[i]; w.Confidence <= 0.1 || w.Confidence > 1 {
			t.Errorf("%s: %s has the confidence %v", name, w.Text, w.Confidence)
		}
		if column := slices.Index([]float64{60, 260, 420}, want.x) + 1; want.y >= 290 && want.y <= 350 {
			w := p.Words[i]
			if w.Cell == 0 || p.Cells[w.Cell-1].Column != column || p.Cells[w.Cell-1].Row != int(want.y-290)/30+1 {
				t.Errorf("%s: %s is not in its cell", name, w.Text)
			}
		}
	}
	if found < len(paper)-2 {
		t.Errorf("%s: %d of %d words are at their places", name, found, len(paper))
		for _, w := range p.Words {
			t.Logf("%s at %.0f", w.Text, w.Box)
		}
	}
}

// Without tesseract, and where recognition is off, the note says what to do.
func TestWithoutTesseract(t *testing.T) {
	content := encoded(t, image.NewGray(image.Rect(0, 0, 100, 100)), "png")
	t.Setenv("PATH", t.TempDir())
	for _, row := range []struct {
		ocr  OCR
		want string
	}{{OCR{}, "apt-get install tesseract-ocr."}, {OCR{Off: true}, "because --ocr is off."}} {
		e, err := New(Config{Children: 1, OCR: row.ocr})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		for _, read := range []func(context.Context, tracking.DocumentFile) (tracking.DocumentText, error){e.Extract, e.Recognize} {
			if text, err := read(context.Background(), bytesOf("x.png", content)); err != nil || text.Pictures != 0 || !strings.HasSuffix(text.Unreadable, row.want) {
				t.Errorf("%v, %v; want %s", text, err, row.want)
			}
		}
		both := append(drawn(form()), 0)
		if text, err := e.Extract(context.Background(), bytesOf("x.pdf", both)); err != nil || text.Note != "" {
			t.Errorf("a PDF without pictures: %q, error %v", text.Note, err)
		}
	}
	for name, o := range map[string]OCR{"no program": {Path: "nowhere/tesseract"}, "no languages": {Languages: "eng; rm"}} {
		if _, err := New(Config{OCR: o}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Pictures that are damaged, too large, or hostile are refused.
func TestHostilePictures(t *testing.T) {
	needTesseract(t)
	e := one(t, Limits{})
	huge := encoded(t, image.NewGray(image.Rect(0, 0, 16, 16)), "png")
	binary.BigEndian.PutUint32(huge[16:], 60_000)
	binary.BigEndian.PutUint32(huge[20:], 60_000)
	whole := encoded(t, photo(t, 72, 0), "png")
	circle := tiffOf(image.NewGray(image.Rect(0, 0, 64, 64)))
	copy(circle[len(circle)-4:], circle[4:8])
	for name, row := range map[string]struct {
		content []byte
		want    string
	}{
		"half":   {whole[:len(whole)/2], tracking.FileDamaged},
		"header": {whole[:30], tracking.FileDamaged},
		"circle": {circle, unreadable},
		"blank":  {encoded(t, image.NewGray(image.Rect(0, 0, 3, 3000)), "png"), unreadable},
	} {
		text, err := e.Recognize(context.Background(), bytesOf(name, row.content))
		if got := result(text, err); got != row.want {
			t.Errorf("%s: %s (%v), want %s", name, got, err, row.want)
		}
	}
	if text, err := e.Recognize(context.Background(), bytesOf("huge", huge)); result(text, err) != tracking.FileDamaged && result(text, err) != tracking.FileTooLarge {
		t.Errorf("huge: %v", err)
	}
}

// Somebody else's PDFs are read while scans are recognised. Logged are the longest time of
// one, and what a scanned page costs, with tesseract.
func TestRecognitionLeavesOthersTime(t *testing.T) {
	needTesseract(t)
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	other := func() time.Duration {
		begin := time.Now()
		if _, err := e.Extract(context.Background(), bytesOf("other.pdf", drawn(form()))); err != nil {
			t.Error(err)
		}
		return time.Since(begin)
	}
	other() // a child is ready
	const scans = 4
	content := scanned(photo(t, 200, 1), "")
	before := usedByChildren(t)
	var all sync.WaitGroup
	for range scans {
		all.Go(func() {
			if text, err := e.Recognize(context.Background(), bytesOf("scan.pdf", content)); err != nil || text.Unreadable != "" {
				t.Errorf("%s, error %v", text.Unreadable, err)
			}
		})
	}
	ended := make(chan struct{})
	go func() {
		all.Wait()
		close(ended)
	}()
	var longest time.Duration
	files := 0
	for waiting := true; waiting; files++ {
		longest = max(longest, other())
		select {
		case <-ended:
			waiting = false
		default:
		}
	}
	after := usedByChildren(t) // those that have ended: the children that recognise
	cpu := time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
	t.Logf("%d scans of a page: %d ms of CPU each; of %d files of somebody else the longest took %.2f s", scans, cpu.Milliseconds()/scans, files, longest.Seconds())
	checkMemoryOfChildren(t, before, e.limits)
}

// checkMemoryOfChildren: none that has ended since took more memory than a file is given.
func checkMemoryOfChildren(t *testing.T, before syscall.Rusage, l Limits) {
	t.Helper()
	after := usedByChildren(t)
	t.Logf("the largest child had %d MiB; the largest of earlier tests %d MiB", after.Maxrss>>10, before.Maxrss>>10)
	most := l.Memory + threadStacks + detectorMemory
	switch {
	case before.Maxrss<<10 > most:
		t.Log("SKIPPED: the memory of these children cannot be seen beside that of earlier tests")
	case after.Maxrss<<10 > most:
		t.Errorf("the largest child had %d KiB", after.Maxrss)
	}
}

// usedByChildren returns what children used that have ended. The most memory of this process
// counts as that of a child that it starts, so it is reset.
func usedByChildren(t *testing.T) (used syscall.Rusage) {
	t.Helper()
	resetPeakMemory()
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
		t.Fatal(err)
	}
	return used
}
