package workers_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/landfallhq/tracking/internal/workers"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/store"
)

var ctx = context.Background()

const kind store.JobKind = "work"

var account = store.AccountID{7}

// faulty is a store whose writes can be refused.
type faulty struct {
	store.Store
	refuse atomic.Int32 // how many writes are refused
	claims []store.ClaimRequest
}

func (f *faulty) Update(ctx context.Context, a store.AccountID, fn func(store.RecordTx) error) error {
	if f.refuse.Load() > 0 {
		f.refuse.Add(-1)
		return store.ErrUnavailable
	}
	return f.Store.Update(ctx, a, fn)
}

func (f *faulty) Claim(ctx context.Context, r store.ClaimRequest) ([]store.Job, error) {
	f.claims = append(f.claims, r)
	return f.Store.Claim(ctx, r)
}

// bench is a pool on a store in memory, in a bubble of synctest: its clock is the
// clock of the bubble.
type bench struct {
	*testing.T
	db     *faulty
	config workers.Config[*item]
	log    bytes.Buffer
	jobs   byte

	mu       sync.Mutex
	ran      []string // refs of tasks, in order
	recorded []string // what was recorded of them
	running  map[string]int
	most     map[string]int // tasks that ran at a time, by group and by account
}

// item is a task with state of its own.
type item struct {
	workers.Task
	loaded bool
}

func (v *item) name() string { return string(v.Job.Data) }

func newBench(t *testing.T) *bench {
	b := &bench{T: t, db: &faulty{Store: memory.New()}, running: map[string]int{}, most: map[string]int{}}
	b.config = workers.Config[*item]{
		Name: "work", Log: slog.New(slog.NewTextHandler(&b.log, nil)), Store: b.db, WriteWait: time.Second, Now: time.Now,
		Kinds: []store.JobKind{kind}, Lease: time.Minute, Workers: 4, PerGroup: 2, ReadAhead: 1, GroupReadAhead: 1,
		New: func() *item { return new(item) },
		Run: func(_ context.Context, v *item) { b.run(v, time.Second) },
		Record: func(ctx context.Context, r store.RecordTx, _ store.AccountID, tasks []*item) ([]string, error) {
			for _, v := range tasks {
				if v.Plan == workers.PlanReturn {
					if err := r.Enqueue(ctx, v.Job); err != nil {
						return nil, err
					}
				}
				b.record(fmt.Sprint(v.name(), " ", v.Plan))
			}
			return nil, nil
		},
	}
	return b
}

// run takes some time, and counts what runs at a time.
func (b *bench) run(v *item, takes time.Duration) {
	b.count(v, 1)
	time.Sleep(takes)
	b.count(v, -1)
}

func (b *bench) record(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.recorded = append(b.recorded, what)
}

func (b *bench) count(v *item, by int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if by > 0 {
		b.ran = append(b.ran, v.name())
	}
	for _, key := range []string{"all", "group " + v.Job.Group, fmt.Sprint("account ", v.Job.Account[0])} {
		b.running[key] += by
		b.most[key] = max(b.most[key], b.running[key])
	}
}

func (b *bench) enqueue(a store.AccountID, group string, n int) {
	b.Helper()
	err := b.db.Store.Update(ctx, a, func(r store.RecordTx) error {
		for range n {
			b.jobs++
			j := store.Job{ID: store.ID{b.jobs}, Kind: kind, Group: group, Data: fmt.Append(nil, b.jobs), Due: time.Now()}
			if err := r.Enqueue(ctx, j); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// start runs the pool until the returned function is called.
func (b *bench) start() (p *workers.Pool[*item], stop func()) {
	p = workers.New(b.config)
	running, cancel := context.WithCancel(ctx)
	var wait sync.WaitGroup
	wait.Go(func() { p.Run(running) })
	return p, func() {
		cancel()
		wait.Wait()
	}
}

// left returns when the next job can be claimed, from now; -1 for none.
func (b *bench) left() time.Duration {
	b.Helper()
	next, err := b.db.NextDue(ctx, b.config.Kinds)
	if err != nil {
		b.Fatal(err)
	}
	if next.IsZero() {
		return -1
	}
	return time.Until(next)
}

func (b *bench) want(what string, got, want any) {
	b.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		b.Errorf("%s: %v, want %v", what, got, want)
	}
}

// pass lets time pass, until all goroutines of the bubble wait. What the test reads between
// two calls is not written meanwhile: the lock says so to the race detector.
func (b *bench) pass(d time.Duration) {
	b.mu.Lock()
	//lint:ignore SA2001 the lock orders the reads before it
	b.mu.Unlock()
	time.Sleep(d)
	synctest.Wait()
}

func bubble(t *testing.T, name string, f func(b *bench)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { f(newBench(t)) }) })
}

func TestLimits(t *testing.T) {
	tests := []struct {
		name      string
		configure func(*workers.Config[*item])
		most      map[string]int
	}{
		{"no read-ahead", func(c *workers.Config[*item]) {}, map[string]int{"all": 4, "group a": 2, "account 7": 4}},
		{"read-ahead", func(c *workers.Config[*item]) { c.ReadAhead, c.GroupReadAhead = 16, 4 }, map[string]int{"all": 4, "group a": 2, "account 7": 4}},
		{"shared", func(c *workers.Config[*item]) { c.Shared, c.ReadAhead, c.GroupReadAhead = true, 16, 4 }, map[string]int{"all": 3, "group a": 2, "account 7": 2}},
		{"shared, no read-ahead", func(c *workers.Config[*item]) { c.Shared = true }, map[string]int{"all": 3, "group a": 2, "account 7": 2}},
		{"one of an account", func(c *workers.Config[*item]) { c.PerAccount, c.ReadAhead, c.GroupReadAhead = 1, 16, 4 }, map[string]int{"all": 2, "group a": 1, "account 7": 1}},
		{"one worker", func(c *workers.Config[*item]) { c.Workers, c.PerGroup = 1, 1 }, map[string]int{"all": 1, "group a": 1, "account 7": 1}},
		{"workers to spare", func(c *workers.Config[*item]) { c.Workers = 64 }, map[string]int{"all": 8, "group a": 2, "account 7": 4}},
	}
	for _, tt := range tests {
		bubble(t, tt.name, func(b *bench) {
			tt.configure(&b.config)
			for _, group := range []string{"a", "b"} {
				b.enqueue(account, group, 8)
				b.enqueue(store.AccountID{8}, "other "+group, 8)
			}
			_, stop := b.start()
			b.pass(time.Hour)
			stop()
			for key, want := range tt.most {
				if got := b.most[key]; got > want || key == "all" && got < want {
					b.Errorf("%s: %d at a time, want %d", key, got, want)
				}
			}
			b.want("ran", len(b.ran), 32)
			b.want("left", b.left(), time.Duration(-1))
			for _, r := range b.db.claims {
				if r.Limit > b.config.Workers*b.config.ReadAhead || r.PerGroup != b.config.PerGroup*b.config.GroupReadAhead {
					b.Errorf("claimed %+v", r)
				}
			}
		})
	}
}

// However much two accounts have to do, however long their tasks take: the first task of
// another account begins at once, and one of a group of theirs that is not slow when their
// others are known to be slow.
func TestSlowAccountsDelayNobody(t *testing.T) {
	for _, readAhead := range []int{1, 16} {
		bubble(t, fmt.Sprint("read-ahead ", readAhead), func(b *bench) {
			b.config.Shared, b.config.Workers, b.config.PerGroup = true, 64, 4
			b.config.ReadAhead, b.config.GroupReadAhead = readAhead, min(readAhead, 4)
			quick := []string{"200", "201"}
			b.config.Run = func(_ context.Context, v *item) {
				takes := 9500 * time.Millisecond
				if slices.Contains(quick, v.name()) {
					takes = time.Millisecond
				}
				b.run(v, takes)
			}
			for n := range 30 {
				for _, a := range []store.AccountID{{1}, {2}} {
					b.enqueue(a, fmt.Sprint("group ", n, " of ", a[0]), 3)
				}
			}
			p, stop := b.start()
			b.pass(15 * time.Second)
			b.jobs = 199
			b.enqueue(store.AccountID{3}, "alone", 1)
			b.enqueue(store.AccountID{1}, "quick", 1)
			p.Wake()
			b.pass(10 * time.Millisecond)
			if !slices.Contains(b.ran, quick[0]) {
				b.Errorf("%s waits", quick[0])
			}
			// Groups that had not run before may have taken the room of the other one. They are
			// known to be slow when they end.
			b.pass(5 * time.Second)
			if readAhead > 1 && !slices.Contains(b.ran, quick[1]) {
				b.Errorf("%s waits", quick[1])
			}
			b.pass(time.Hour)
			stop()
			b.want("ran", len(b.ran), 182)
		})
	}
}

// The tasks of one group run in the order in which they fell due.
func TestOrderOfGroup(t *testing.T) {
	bubble(t, "", func(b *bench) {
		b.config.PerGroup, b.config.ReadAhead, b.config.GroupReadAhead = 1, 16, 4
		b.enqueue(account, "a", 9)
		_, stop := b.start()
		b.pass(time.Minute)
		stop()
		b.want("order", b.ran, "[1 2 3 4 5 6 7 8 9]")
	})
}

// A task that has begun ends and is recorded. One that waits is claimable again.
func TestStop(t *testing.T) {
	for _, close := range []bool{false, true} {
		bubble(t, fmt.Sprint("close ", close), func(b *bench) {
			b.config.Workers, b.config.PerGroup, b.config.GroupReadAhead = 16, 1, 4
			b.enqueue(account, "a", 3)
			p, stop := b.start()
			b.pass(time.Second / 2)
			if close {
				p.Close()
			}
			stop()
			slices.Sort(b.recorded)
			b.want("recorded", b.recorded, fmt.Sprintf("[1 %d 2 %d 3 %[2]d]", workers.PlanRun, workers.PlanReturn))
			b.want("left", b.left(), time.Duration(-time.Second))
		})
	}
}

// Without Record, a task that ctx has interrupted is claimable again at once, and one
// that has finished its job is not.
func TestInterrupted(t *testing.T) {
	bubble(t, "", func(b *bench) {
		b.config.Record = nil
		b.config.Run = func(ctx context.Context, v *item) {
			if v.name() == "1" {
				_ = b.db.Store.Update(ctx, account, func(r store.RecordTx) error { return r.Finish(ctx, v.Job) })
				return
			}
			<-ctx.Done()
		}
		b.enqueue(account, "a", 2)
		_, stop := b.start()
		b.pass(10 * time.Second)
		stop()
		b.want("left", b.left(), time.Duration(0))
		jobs, err := b.db.Store.Claim(ctx, store.ClaimRequest{Kinds: b.config.Kinds, Now: time.Now(), Lease: time.Minute})
		if err != nil || len(jobs) != 1 || string(jobs[0].Data) != "2" {
			b.Errorf("%v, %v", jobs, err)
		}
	})
}

func TestPlans(t *testing.T) {
	bubble(t, "", func(b *bench) {
		plans := map[string]workers.Plan{
			"1": workers.PlanRunAlone, "2": workers.PlanRunAlone, "3": workers.PlanSkip, "4": workers.PlanRun, "5": workers.PlanReturn,
		}
		b.config.GroupReadAhead = 4
		b.config.Load = func(_ context.Context, _ store.RecordTx, _ store.AccountID, tasks []*item) error {
			for _, v := range tasks {
				v.Plan = plans[v.name()]
			}
			return nil
		}
		b.enqueue(account, "a", 2)
		b.enqueue(account, "b", 2)
		b.config.Workers = 16
		if _, err := workers.New(b.config).Once(ctx); err != nil {
			b.Fatal(err)
		}
		slices.Sort(b.ran)
		b.want("ran", b.ran, "[1 4]") // 2 would not be alone
		slices.Sort(b.recorded)
		b.want("recorded", b.recorded, fmt.Sprintf("[1 %d 2 %d 3 %d 4 %d]", workers.PlanRunAlone, workers.PlanReturn, workers.PlanSkip, workers.PlanRun))
		b.want("the group is paused until the end of the lease", b.left(), time.Minute-time.Second)
	})
}

func TestFailedLoad(t *testing.T) {
	bubble(t, "", func(b *bench) {
		fails := errors.New("no")
		b.config.Load = func(_ context.Context, _ store.RecordTx, a store.AccountID, tasks []*item) error {
			for _, v := range tasks {
				v.loaded = true
			}
			if a == account {
				return fails
			}
			return nil
		}
		b.enqueue(account, "a", 2)
		b.enqueue(store.AccountID{8}, "b", 2)
		if _, err := workers.New(b.config).Once(ctx); !errors.Is(err, fails) {
			b.Error(err)
		}
		slices.Sort(b.ran)
		b.want("ran of the other account", b.ran, "[3 4]")
		b.want("left", b.left(), time.Minute-time.Second)
	})
}

// A store that refuses writes delays results. They are lost with the lease.
func TestResultsAreRetried(t *testing.T) {
	for _, refused := range []int32{3, 1_000} {
		bubble(t, fmt.Sprint(refused), func(b *bench) {
			b.config.Run = func(_ context.Context, v *item) {
				b.run(v, time.Second)
				b.db.refuse.CompareAndSwap(0, refused)
			}
			b.enqueue(account, "a", 1)
			_, stop := b.start()
			b.pass(59 * time.Second)
			if lost := refused > 3; lost {
				b.want("recorded", len(b.recorded), 0)
				b.pass(5 * time.Second)
				if !strings.Contains(b.log.String(), "results are lost") || len(b.ran) != 2 {
					b.Errorf("ran %v, logged %s", b.ran, &b.log)
				}
			} else {
				b.want("recorded", b.recorded, "[1 0]")
				b.want("ran", b.ran, "[1]")
			}
			b.db.refuse.Store(0)
			stop()
		})
	}
}

// A result without a lease is not recorded.
func TestLostLease(t *testing.T) {
	bubble(t, "", func(b *bench) {
		takes := 2 * time.Minute // longer than the lease
		b.config.Run = func(_ context.Context, v *item) {
			b.run(v, takes)
		}
		b.enqueue(account, "a", 1)
		_, stop := b.start()
		b.pass(90 * time.Second)
		b.want("ran twice", b.ran, "[1 1]")
		b.pass(time.Minute)
		b.want("recorded of the first", b.recorded, "[]")
		takes = 0
		stop()
	})
}

// What was loaded before a Reload does not run.
func TestReload(t *testing.T) {
	bubble(t, "", func(b *bench) {
		b.config.Workers, b.config.PerGroup, b.config.GroupReadAhead = 16, 1, 4
		version, loads := 1, map[string]int{}
		b.config.Load = func(_ context.Context, _ store.RecordTx, _ store.AccountID, tasks []*item) error {
			for _, v := range tasks {
				loads[v.name()] = version
			}
			return nil
		}
		b.enqueue(account, "a", 3)
		p, stop := b.start()
		b.pass(time.Second / 2)
		version = 2
		p.Reload("a")
		b.pass(10 * time.Second)
		stop()
		b.want("order", b.ran, "[1 2 3]")
		b.want("loaded", loads, "map[1:1 2:2 3:2]")
	})
}

// What is being loaded during a Reload is loaded again.
func TestReloadDuringLoad(t *testing.T) {
	bubble(t, "", func(b *bench) {
		var p *workers.Pool[*item]
		loads := 0
		b.config.Load = func(context.Context, store.RecordTx, store.AccountID, []*item) error {
			if loads++; loads == 1 {
				p.Reload("a")
			}
			return nil
		}
		p = workers.New(b.config)
		b.enqueue(account, "a", 1)
		running, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		p.Run(running)
		b.want("loads", loads, 2)
		b.want("ran", b.ran, "[1]")
		b.want("recorded", b.recorded, fmt.Sprintf("[1 %d 1 %d]", workers.PlanReturn, workers.PlanRun))
	})
}

// Record returns groups whose tasks must be loaded again.
func TestRecordReloads(t *testing.T) {
	bubble(t, "", func(b *bench) {
		b.config.Workers, b.config.PerGroup, b.config.GroupReadAhead = 16, 1, 4
		record := b.config.Record
		b.config.Record = func(ctx context.Context, r store.RecordTx, a store.AccountID, tasks []*item) ([]string, error) {
			if tasks[0].Plan == workers.PlanRun {
				if err := r.PauseGroup(ctx, kind, "a", time.Now().Add(time.Hour)); err != nil {
					return nil, err
				}
			}
			_, err := record(ctx, r, a, tasks)
			return []string{"a"}, err
		}
		b.enqueue(account, "a", 3)
		_, stop := b.start()
		b.pass(10 * time.Second)
		stop()
		b.want("ran", len(b.ran) <= 2, true) // one may have begun before the first was recorded
		b.want("recorded", len(b.recorded), 3)
	})
}

func TestWake(t *testing.T) {
	bubble(t, "", func(b *bench) {
		p, stop := b.start()
		b.pass(time.Second / 2) // between two polls
		b.enqueue(account, "a", 1)
		p.Wake()
		synctest.Wait()
		b.want("running", b.running["all"], 1)
		b.enqueue(account, "b", 1)
		b.pass(3 * time.Second / 2)
		b.want("found by polling", b.ran, "[1 2]")
		b.pass(5 * time.Second)
		claims := len(b.db.claims)
		b.pass(time.Hour)
		b.want("claims while nothing is due", len(b.db.claims), claims)
		stop()
	})
}

func TestOnce(t *testing.T) {
	bubble(t, "", func(b *bench) {
		b.enqueue(account, "a", 2)
		b.enqueue(account, "b", 3)
		p := workers.New(b.config)
		for i, want := range []bool{false, true, true} {
			all, err := p.Once(ctx)
			if err != nil || all != want {
				b.Errorf("call %d: %v, %v", i, all, err)
			}
		}
		b.want("ran", len(b.ran), 5)
	})
}
