package tracking_test

import (
	"bytes"
	"context"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
)

// refusing is a store that takes no writes while it is down.
type refusing struct {
	tracking.Store
	down atomic.Bool
}

func (f *refusing) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	if f.down.Load() {
		return tracking.ErrUnavailable
	}
	return f.Store.Update(ctx, a, fn)
}

func (f *refusing) Claim(ctx context.Context, r store.ClaimRequest) ([]store.Job, error) {
	if f.down.Load() {
		return nil, tracking.ErrUnavailable
	}
	return f.Store.Claim(ctx, r)
}

// refuse takes the store down. A job is due right after that.
func (f *refusing) refuse(t *testing.T, b *trackingtest.Bench) {
	t.Helper()
	err := f.Update(ctx, b.Account.Scope(), func(r store.RecordTx) error {
		return r.Enqueue(ctx, store.Job{ID: tracking.ID{1}, Kind: "abandon", Due: time.Now().Add(time.Millisecond)})
	})
	if err != nil {
		t.Fatal(err)
	}
	f.down.Store(true)
}

// bubble is the clock of a synctest bubble.
type bubble struct{}

func (bubble) Now() time.Time { return time.Now() }

// logged is what was logged, to be read while it is written.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// messages are those of the lines that contain a text.
func (l *logged) messages(about string) (all []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		if m := regexp.MustCompile(`msg="([^"]*)"`).FindStringSubmatch(line); m != nil && strings.Contains(m[1], about) {
			all = append(all, m[1])
		}
	}
	return all
}

// In two hours in which the store takes no writes the log has a line at the
// beginning, others at intervals that double, and one at the end.
func TestOutageInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, log := &refusing{Store: memory.New()}, &logged{}
		b := trackingtest.New(t, func(c *tracking.Config) {
			c.Store, c.Clock, c.Logger = store, bubble{}, slog.New(slog.NewTextHandler(log, nil))
		})
		end := start(t, b)
		defer end()
		for round := range 2 {
			time.Sleep(time.Minute)
			store.refuse(t, b)
			time.Sleep(2 * time.Hour)
			store.down.Store(false)
			time.Sleep(time.Minute)
			synctest.Wait()
			// After 0, 1, 3, 7, 15, 31 and 63 minutes.
			const what = "background work"
			want := slices.Concat([]string{what + " failed"}, slices.Repeat([]string{what + " still fails"}, 6), []string{what + " succeeds again"})
			if got := log.messages(what); !slices.Equal(got, slices.Repeat(want, round+1)) {
				t.Errorf("outage %d: the log has %q", round+1, got)
			}
		}
	})
}

// A store that takes some writes and refuses others has one outage.
func TestIntermittentOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, log := &refusing{Store: memory.New()}, &logged{}
		b := trackingtest.New(t, func(c *tracking.Config) {
			c.Store, c.Clock, c.Logger = store, bubble{}, slog.New(slog.NewTextHandler(log, nil))
		})
		end := start(t, b)
		defer end()
		for range 20 {
			store.refuse(t, b)
			time.Sleep(1500 * time.Millisecond)
			store.down.Store(false)
			time.Sleep(1500 * time.Millisecond)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if got := log.messages("background work"); len(got) != 2 {
			t.Errorf("the log has %q", got)
		}
	})
}
