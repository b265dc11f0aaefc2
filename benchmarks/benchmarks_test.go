package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract"
	"github.com/landfallhq/tracking/storage/memory"
)

var fleetSize = flag.Int("shipments", 300, "shipments in the database that the benchmarks use")

// programVariable in the environment makes this the program and not its tests.
const programVariable = "LANDFALL_BENCHMARKS_PROGRAM"

func TestMain(m *testing.M) {
	extract.Main()
	if isLoad() || isReceiver() || os.Getenv(programVariable) != "" {
		main()
		return
	}
	flag.Parse()
	os.Exit(m.Run())
}

// TestProgram runs the whole program on little data, load generator included.
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole program: not in a short run")
	}
	dir := t.TempDir()
	text := runProgram(t, "-smoke", "-dir", dir, "-cpuprofile", t.TempDir())
	for _, want := range []string{
		readSingle + " | ours |", readFirst + " | ours, caches |", readFirst + " | bare |", readFirst + " | naive, count(*) |",
		readLast + " | ours |", searchPrefix + " | ours |", searchInside + " | ours |", writeOne + " | ours |", "| one caller |", "| 64 callers |", "| 64 callers, one update per transaction |",
		"CPU ms a PDF |", documentPost + " |", documentsFew + " |",
		" followers of the events of ", "| with them, after the events |", "| rows and answers |",
		"\n| containers, sort=cost | ", "\n| exceptions, counts | ",
		"Commit ", "Machine: ", "SQLite 3.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the figures have no %q", want)
		}
	}
	for _, number := range strings.Fields("1 2 3 4 5 8 9 10 11 13 14") {
		if !strings.Contains(text, "\n| "+number+" |") {
			t.Errorf("goal %s has no line", number)
		}
	}
	if strings.Contains(text, "not measured in this run") {
		t.Error("a goal was not measured")
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{dir, host, "NaN", "Inf", "lf_"} {
		if secret != "" && strings.Contains(text, secret) {
			t.Errorf("the figures hold %q", secret)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
	wantEmpty(t, dir)
}

func runProgram(t *testing.T, args ...string) string {
	t.Helper()
	p, err := parse(args)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := p.main(t.Context(), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestGoalsWithoutFigures: what was left out is said to be.
func TestGoalsWithoutFigures(t *testing.T) {
	text := runProgram(t, "-smoke", "-only", "limiter", "-dir", t.TempDir())
	_, goals, _ := strings.Cut(text, "| # | goal |")
	rows := strings.Count(goals, "\n| ")
	if n := strings.Count(goals, "not measured in this run"); n < 10 || n != rows-1 {
		t.Errorf("%d of %d goals are said not to be measured, want all but the limiter's:\n%s", n, rows, text)
	}
}

// TestKeep fills a database that stays, and measures with it again.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "kept.db")
	for _, want := range []string{" MB in ", "filled by an earlier run"} {
		text := runProgram(t, "-smoke", "-only", readLast, "-keep", file)
		if _, large, _ := strings.Cut(text, "- large: "); !strings.Contains(strings.SplitN(large, "\n", 2)[0], want) {
			t.Errorf("the large account is not %q:\n%s", want, text)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 1 || left[0] != file {
		t.Errorf("left behind: %v %v, want the database alone", left, err)
	}
	for _, args := range [][]string{{"-seed", "2"}, {"-shipments", "300"}} {
		p, err := parse(append([]string{"-smoke", "-only", readLast, "-keep", file}, args...))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.main(t.Context(), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "-keep: the file has no account") {
			t.Errorf("%v: error %v", args, err)
		}
	}
}

// TestSignal: a program that is told to end leaves nothing behind, in whatever
// part of its work.
func TestSignal(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ args, when string }{
		{"-shipments 3000 -dir .", "filling a database"},
		{"-shipments 3000 -keep kept.db", "filling a database"},
		{"-dir .", "reading over HTTP"},
		{"-dir .", "ingest"},
	} {
		t.Run(test.args+" "+test.when, func(t *testing.T) {
			dir := t.TempDir()
			program := exec.CommandContext(t.Context(), self, strings.Fields("-smoke -seconds 60 "+test.args)...)
			program.Env, program.Dir = append(os.Environ(), programVariable+"=1"), dir
			if test.when == "ingest" {
				program.Args = append(program.Args, "-only", "ingest")
			}
			progress, err := program.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := program.Start(); err != nil {
				t.Fatal(err)
			}
			var last string
			told := false
			for lines := bufio.NewScanner(progress); lines.Scan(); {
				if last = lines.Text(); !told && strings.Contains(last, test.when) {
					told = true
					if err := program.Process.Signal(syscall.SIGTERM); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := program.Wait(); err == nil || !told || !strings.Contains(last, "given up") {
				t.Errorf("the program ends with %v and says %q", err, last)
			}
			wantEmpty(t, dir)
		})
	}
}

func TestPlanRefusesWhatWouldNotEnd(t *testing.T) {
	for _, args := range []string{
		"-shipments 1", "-shipments 2000000", "-rounds 0", "-connections 0", "-seconds 0", "-seconds 3600", "-only (", "more",
		"-smoke -record", "-smoke -large", "-keep x -dir .", "-cpuprofile nowhere",
	} {
		if _, err := parse(strings.Fields(args)); err == nil {
			t.Errorf("%s is accepted", args)
		}
	}
}

func TestPlanTakesWhatIsGiven(t *testing.T) {
	p, err := parse(strings.Fields("-large -seconds 5"))
	if err != nil || p.shipments != largeShipments || p.each != 5*time.Second {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestFullDisk(t *testing.T) {
	err := enoughSpace(t.TempDir(), sizes{large: 1 << 40})
	if err == nil || !strings.Contains(err.Error(), "give fewer -shipments") {
		t.Errorf("error %v", err)
	}
}

// TestSizes holds the sizes to what copies promise of pages.
func TestSizes(t *testing.T) {
	for _, n := range []int{60, smokeShipments, 10_000, 100_000, largeShipments} {
		s := sizesFor(n)
		if s.large < n || s.large > n+s.few+pageSize || s.large%pageSize != 0 || s.large%s.few != pageSize {
			t.Errorf("%d: %+v", n, s)
		}
	}
}

// TestCopies compares what the server shows of copies with what it shows of the
// shipments that the engine has made.
func TestCopies(t *testing.T) {
	e := newTestEngine(t)
	made, copied := e.shown(t, e.small.list(1)), e.shown(t, e.large.list(1))
	if made.Meta.Total != e.small.rows || copied.Meta.Total != e.large.rows {
		t.Errorf("%d and %d shipments, want %d and %d", made.Meta.Total, copied.Meta.Total, e.small.rows, e.large.rows)
	}
	for _, page := range []int{e.deep(), e.large.last()} {
		const links = 200 // pages have other links
		other := e.shown(t, e.large.list(page))
		if math.Abs(float64(other.bytes-copied.bytes)) > links {
			t.Errorf("page %d has %d bytes, page 1 has %d", page, other.bytes, copied.bytes)
		}
		// It is as many days older as there are copies of its voyages since.
		days := (page - 1) * pageSize / e.small.rows
		for _, name := range []string{"created_at", "pod_eta_at"} {
			old, young := timeOf(t, other.Data[0], name), timeOf(t, copied.Data[0], name)
			if young.Sub(old) != time.Duration(days)*24*time.Hour {
				t.Errorf("%s: %s on page 1, %s on page %d, want %d days less", name, young, old, page, days)
			}
		}
	}
	if len(made.Data) != pageSize || len(copied.Data) != pageSize || len(made.Included) != len(copied.Included) {
		t.Fatalf("%d and %d shipments, %d and %d included", len(made.Data), len(copied.Data), len(made.Included), len(copied.Included))
	}
	for i, r := range append(copied.Data, copied.Included...) {
		old := append(made.Data, made.Included...)[i]
		for name, value := range r.Attributes {
			same := fmt.Sprint(value) == fmt.Sprint(old.Attributes[name])
			if called := strings.HasSuffix(name, "number") && !strings.HasPrefix(name, "pod_") && !strings.HasPrefix(name, "seal"); same == called {
				t.Errorf("%s %s: %v, in the original %v", r.Type, name, value, old.Attributes[name])
			}
		}
		if shared := r.Type == "port" || r.Type == "terminal"; (r.ID == old.ID) != shared {
			t.Errorf("%s %s has the ID of the original: %t", r.Type, r.ID, !shared)
		}
	}
	// What a copy can be found by is its own.
	first := copied.Data[0]
	number := fmt.Sprint(first.Attributes["bill_of_lading_number"])
	for _, by := range []string{"number", "q"} {
		found := e.shown(t, request{path: "/v2/shipments?" + by + "=" + number, key: e.large.key})
		if len(found.Data) != 1 || found.Data[0].ID != first.ID {
			t.Errorf("%s=%s finds %d shipments", by, number, len(found.Data))
		}
	}
	box := copied.Included[0]
	path := "/v2/containers/" + box.ID
	if got := e.shown(t, request{path: path + "/transport_events", key: e.large.key}); len(got.Data) == 0 {
		t.Errorf("container %s has no events", box.ID)
	}
	if got := e.shown(t, request{path: "/v2/containers?filter%5Bnumber%5D=" + fmt.Sprint(box.Attributes["number"]), key: e.large.key}); len(got.Data) != 1 || got.Data[0].ID != box.ID {
		t.Errorf("%d containers of number %v", len(got.Data), box.Attributes["number"])
	}
	// The columns have moved with the documents.
	before := timeOf(t, first, "created_at").Format(time.RFC3339)
	if got := e.shown(t, request{path: "/v2/shipments?filter%5Bcreated_at%5D%5Bstart%5D=" + before, key: e.large.key}); got.Meta.Total != e.small.rows {
		t.Errorf("%d shipments since %s, want the last %d", got.Meta.Total, before, e.small.rows)
	}
	for _, q := range []string{"/v2/exceptions?filter%5Bstate%5D=open", "/v2/exceptions?filter%5Bstate%5D=closed"} {
		few, many := e.shown(t, request{path: q, key: e.small.key}), e.shown(t, request{path: q, key: e.large.key})
		if few.Meta.Total == 0 || many.Meta.Total <= few.Meta.Total {
			t.Errorf("%s: %d in the small account, %d in the large one", q, few.Meta.Total, many.Meta.Total)
		}
	}
	for _, stopped := range []bool{true, false} {
		if got := e.shown(t, e.large.stopped(stopped)); got.Meta.Total == 0 || got.Meta.Total == e.large.rows {
			t.Errorf("%d shipments are stopped: %t", got.Meta.Total, stopped)
		}
	}
}

func timeOf(t *testing.T, r shownResource, name string) time.Time {
	t.Helper()
	when, err := time.Parse(time.RFC3339, fmt.Sprint(r.Attributes[name]))
	if err != nil {
		t.Fatal(err)
	}
	return when
}

// TestNaive compares what the naive contender answers with what the server does:
// only then are they compared for the same work.
func TestNaive(t *testing.T) {
	e := newTestEngine(t)
	n, err := openNaive(t.Context(), filepath.Join(t.TempDir(), "naive.db"), e)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.db.Close() })
	n.counting = true
	want := e.shown(t, e.large.list(1))
	w := httptest.NewRecorder()
	n.ServeHTTP(w, e.large.list(1).http(e.plain.addr))
	var got shown
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	if d := math.Abs(1 - float64(w.Body.Len())/float64(want.bytes)); d > 0.1 {
		t.Errorf("%d bytes, the server answers with %d", w.Body.Len(), want.bytes)
	}
	if got.Meta != want.Meta || len(got.Data) != len(want.Data) || len(got.Included) != len(want.Included) || len(got.Links) != len(want.Links) {
		t.Fatalf("%+v, %d rows with %d and %d links, want %+v, %d with %d and %d", got.Meta, len(got.Data), len(got.Included), len(got.Links),
			want.Meta, len(want.Data), len(want.Included), len(want.Links))
	}
	of := map[string]shownResource{}
	for _, r := range append(got.Data, got.Included...) {
		of[r.ID] = r
	}
	for _, r := range append(want.Data, want.Included...) {
		same := of[r.ID]
		if same.Type != r.Type {
			t.Errorf("%s %s is a %q", r.Type, r.ID, same.Type)
		}
		for name, value := range r.Relationships {
			if fmt.Sprint(same.Relationships[name]) != fmt.Sprint(value) {
				t.Errorf("%s %s: %s is %v, the server says %v", r.Type, r.ID, name, same.Relationships[name], value)
			}
		}
		for name, value := range same.Attributes {
			// What the documents do not have is null here.
			if now, ok := r.Attributes[name]; ok && fmt.Sprint(now) != fmt.Sprint(value) {
				t.Errorf("%s %s: %v, the server says %v", r.Type, name, value, now)
			}
		}
	}
}

// shown is an answer.
type shown struct {
	Data, Included []shownResource
	Links          map[string]string
	Meta           struct{ Size, Total int }
	bytes          int
}

type shownResource struct {
	ID, Type      string
	Attributes    map[string]any
	Relationships map[string]any
}

func (e *engine) shown(t *testing.T, r request) (s shown) {
	t.Helper()
	text, err := e.plain.answer(r)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.bytes = len(text)
	return s
}

// TestOneAtATime: an update waits until the one before has left the store.
func TestOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newOneAtATime(memory.New())
		inside, end := 0, make(chan struct{})
		update := func(ctx context.Context) error {
			return s.Update(ctx, tracking.AccountID{}, func(store.RecordTx) error { return nil })
		}
		s.Store = spy{s.Store, func() {
			inside++
			<-end
		}}
		gone, leave := context.WithCancel(t.Context())
		for _, ctx := range []context.Context{t.Context(), t.Context(), gone} {
			go func() { _ = update(ctx) }()
			synctest.Wait()
		}
		if inside != 1 {
			t.Errorf("%d of three updates are in the store", inside)
		}
		leave()
		close(end)
		synctest.Wait()
		if inside != 2 {
			t.Errorf("%d updates were in the store, want the two that waited", inside)
		}
	})
}

// spy tells of updates.
type spy struct {
	tracking.Store
	enter func()
}

func (s spy) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	s.enter()
	return s.Store.Update(ctx, a, fn)
}

// TestVoyages holds the data to what the measurements rely on.
func TestVoyages(t *testing.T) {
	if testing.Short() {
		t.Skip("it hands in several hundred updates one by one")
	}
	e := newTestEngine(t)
	if e.working.rows != *fleetSize {
		t.Errorf("%d shipments in the database, want %d", e.working.rows, *fleetSize)
	}
	for range len(e.fleet.live) + 20 {
		r, err := e.grouped.Ingest(t.Context(), e.fleet.update())
		if err != nil || r.New != 1 || r.Shipments != 1 || len(r.Warnings) > 0 {
			t.Fatalf("an update gave %+v, %v; want one new fact of one shipment", r, err)
		}
	}
}

func newTestEngine(tb testing.TB) *engine {
	tb.Helper()
	debug.SetGCPercent(gcPercent)
	d, err := fill(tb.Context(), filepath.Join(tb.TempDir(), "landfall.db"), 1, sizesFor(*fleetSize), false, func(string, ...any) {})
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	e, err := newEngine(ctx, d)
	if err != nil {
		cancel()
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		cancel()
		if err := e.close(); err != nil {
			tb.Error(err)
		}
	})
	return e
}

// reportCPU reports what the process used of the processors from here to the
// call of what it returns: on a busy machine, that is steadier than the time.
func reportCPU(b *testing.B) func() {
	begin := cpuTime()
	return func() { b.ReportMetric(micros(cpuTime()-begin)/float64(b.N), "cpu-us/op") }
}

// BenchmarkHandler calls the finished handler in this process.
func BenchmarkHandler(b *testing.B) {
	e := newTestEngine(b)
	for _, c := range e.inProcess() {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			call := e.plain.caller(c)
			defer reportCPU(b)()
			for b.Loop() {
				if err := call(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkIngest hands in one new fact of a known shipment at a time.
func BenchmarkIngest(b *testing.B) {
	e := newTestEngine(b)
	for _, way := range ingestWays {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			defer reportCPU(b)()
			var failed atomic.Pointer[error]
			b.SetParallelism(way.callers) // times GOMAXPROCS; one caller has a loop of its own
			by := way.by(e)
			ingest := func() {
				if err := e.ingestNext(context.Background(), by); err != nil {
					failed.CompareAndSwap(nil, &err)
				}
			}
			if way.callers == 1 {
				for b.Loop() {
					ingest()
				}
			} else {
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						ingest()
					}
				})
			}
			if err := failed.Load(); err != nil {
				b.Fatal(*err)
			}
		})
	}
}

// BenchmarkCopies writes copies of shipments with all that belongs to them, as
// the large account is filled.
func BenchmarkCopies(b *testing.B) {
	store, err := openStore(filepath.Join(b.TempDir(), "landfall.db"), 0)
	if err != nil {
		b.Fatal(err)
	}
	record := newRecorder(store)
	operator, err := tracking.New(tracking.Config{Store: record, Logger: quiet})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { operator.Close() })
	s := sizesFor(*fleetSize)
	f := &filler{data: &data{}, sizes: s, copies: &copies{every: s.few, apart: 24 * time.Hour, without: withoutFacts}, store: record, operator: operator}
	if err := f.fillSmall(b.Context()); err != nil {
		b.Fatal(err)
	}
	f.copies.count = b.N
	a, err := f.newAccount(b.Context(), "large")
	if err != nil {
		b.Fatal(err)
	}
	defer reportCPU(b)()
	b.ReportAllocs()
	b.ResetTimer()
	if _, err := f.copies.load(b.Context(), store, a.scope, func(string, ...any) {}); err != nil {
		b.Fatal(err)
	}
}
