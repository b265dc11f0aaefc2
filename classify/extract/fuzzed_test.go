package extract

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
)

// TestFuzzedFiles changes files of every kind at random and reads them, LANDFALL_FUZZED in
// all. Each ends in text or in a fault of the file, none in one of the machine; no child
// outlives the Extractor or takes more memory than it may. Meanwhile somebody else has small
// files read, whose longest time is logged.
func TestFuzzedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: takes seconds of CPU")
	}
	count, err := strconv.Atoi(os.Getenv("LANDFALL_FUZZED"))
	if err != nil {
		count = 20
	}
	seed, err := strconv.ParseUint(os.Getenv("LANDFALL_SEED"), 10, 64)
	if err != nil {
		seed = 1
	}
	t.Logf("LANDFALL_SEED=%d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	seeds := fuzzSeeds(t)
	used := usedByChildren(t)
	e, err := New(Config{Children: 3, Limits: Limits{CPU: 2 * time.Second, Wall: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	files := make(chan []byte)
	var all sync.WaitGroup
	var mu sync.Mutex
	results := map[string]int{}
	for range 2 {
		all.Go(func() {
			for content := range files {
				text, err := e.Extract(context.Background(), bytesOf("fuzzed", content))
				if text.Pictures > 0 && len(text.Pages) == 0 && len(content) < 20_000 {
					text, err = e.Recognize(context.Background(), bytesOf("fuzzed", content))
				}
				if err != nil && !errors.As(err, new(*tracking.FileError)) {
					t.Errorf("no fault of the file: %v", err)
				}
				mu.Lock()
				results[result(text, err)]++
				mu.Unlock()
			}
		})
	}
	stop := make(chan struct{})
	var longest time.Duration
	var others sync.WaitGroup
	others.Go(func() {
		for {
			begin := time.Now()
			if _, err := e.Extract(context.Background(), bytesOf("other.pdf", drawn(form()))); err != nil {
				t.Errorf("a file of somebody else: %v", err)
			}
			longest = max(longest, time.Since(begin))
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	for i := range count {
		files <- fuzzed(r, seeds[i%len(seeds)])
	}
	close(files)
	all.Wait()
	close(stop)
	others.Wait()
	e.Close()
	if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); !errors.Is(err, syscall.ECHILD) {
		t.Errorf("a child outlives its work: %d, %v", pid, err)
	}
	t.Logf("%d files: %v; a file of somebody else took at most %.2f s", count, results, longest.Seconds())
	checkMemoryOfChildren(t, used, e.limits)
}

// fuzzSeeds has files of every kind that is read.
func fuzzSeeds(t *testing.T) [][]byte {
	names, err := filepath.Glob("testdata/*.pdf")
	if err != nil || len(names) == 0 {
		t.Fatal("no PDFs", err)
	}
	small := image.NewGray(image.Rect(0, 0, 60, 60))
	seeds := [][]byte{
		drawn(form(), turned(90, form())), workbook(t), letter(t), []byte(plainMail), []byte(tableMail), outlook("Port: Rotterdam"),
		encoded(t, small, "png"), encoded(t, small, "jpeg"), tiffOf(small, small), scanned(small, ""), []byte("<html><body><table><tr><td>ETA</table></body></html>"),
	}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, content)
	}
	return seeds
}

// fuzzed changes a file in one to eight places.
func fuzzed(r *rand.Rand, content []byte) []byte {
	b := append([]byte(nil), content...)
	for range 1 + r.IntN(8) {
		if len(b) < 8 {
			break
		}
		at := r.IntN(len(b))
		n := min(1+r.IntN(64), len(b)-at)
		switch r.IntN(7) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b[at] = byte(r.IntN(256))
		case 2: // left out
			b = append(b[:at], b[at+n:]...)
		case 3: // repeated
			b = append(b[:at+n:at+n], b[at:]...)
		case 4: // another number
			if digit := b[at]; digit >= '0' && digit <= '9' {
				b = append(b[:at:at], append([]byte(fmt.Sprint(r.Int64()>>r.IntN(63))), b[at+1:]...)...)
			}
		case 5: // from elsewhere
			copy(b[at:at+n], b[r.IntN(len(b)-n+1):])
		case 6:
			if r.IntN(8) == 0 {
				b = b[:at]
			}
		}
	}
	return b
}
