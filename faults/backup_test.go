package faults

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/storage/sqlite"
)

// backupsOfOneFile bounds the size of a file, and with it the time to read its
// backups.
const backupsOfOneFile = 20

// Backups by the command while callers write to the server on the same file,
// LANDFALL_BACKUPS times: each is complete, has everything that was acknowledged
// before it began, and opens like any database.
//
// Seen to fail: with a plain copy of the file instead of the command.
func TestBackupUnderLoad(t *testing.T) {
	r := drill.Random(t)
	backups, facts, extra := drill.Count(t, "LANDFALL_BACKUPS", 10), 0, 0
	for done := 0; done < backups; done += backupsOfOneFile {
		held, more := backUp(t, r, done, min(backups-done, backupsOfOneFile))
		facts, extra = facts+held, extra+more
	}
	t.Logf("%d backups under 4 callers: %d facts held that were acknowledged before, 0 missing, %d more that came meanwhile", backups, facts, extra)
}

// backUp makes n backups of a new file under load. It returns how many of their
// facts were acknowledged before, and how many more they have.
func backUp(t *testing.T, r *rand.Rand, done, n int) (facts, extra int) {
	t.Helper()
	db := newDB(t)
	s := serve(t, db)
	defer s.stop()
	c := s.client(s.key)
	l := &acknowledgedFacts{acked: map[string]int{}}
	stop := make(chan struct{})
	var writing sync.WaitGroup
	defer func() { close(stop); writing.Wait() }()
	for n := range 4 {
		own := rand.New(rand.NewPCG(r.Uint64(), 0))
		writing.Go(func() { l.write(t, c, n, own, stop) })
	}
	for n := range n {
		path := filepath.Join(t.TempDir(), "backup.db")
		before := l.copy()
		out, err := landfall("backup", "--db", db, path)
		if err != nil {
			t.Fatalf("backup %d: %v %s", done+n+1, err, out)
		}
		if err := integrity(path, blobsOf(path)); err != nil {
			t.Fatalf("backup %d: %v", done+n+1, err)
		}
		held, more := holds(t, path, before)
		facts, extra = facts+held, extra+more
		if err := os.Remove(path); err != nil { // 100 of them are large
			t.Fatal(err)
		}
	}
	return facts, extra
}

// acknowledgedFacts is the number of acknowledged facts by container.
type acknowledgedFacts struct {
	mu    sync.Mutex
	acked map[string]int
}

// write reports voyage after voyage, one or several facts at a time.
func (l *acknowledgedFacts) write(t *testing.T, c *client, caller int, r *rand.Rand, stop chan struct{}) {
	beat := time.NewTicker(25 * time.Millisecond) // at most: 100 backups of all there is take long enough
	defer beat.Stop()
	for n := 0; ; n++ {
		v := voyage{serial: caller*100_000 + n}
		for v.facts < 12 {
			select {
			case <-stop:
				return
			case <-beat.C:
			}
			a, err := c.do(http.MethodPost, "/v2/reports", v.report(1+r.IntN(3)))
			if err != nil || a.status != http.StatusOK {
				t.Errorf("a report: %d %s %v", a.status, a.body, err)
				return
			}
			l.note(v.container(), v.facts)
		}
	}
}

func (l *acknowledgedFacts) note(container string, facts int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acked[container] = facts
}

func (l *acknowledgedFacts) copy() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.acked)
}

// holds opens a database and checks that it has the first facts of each container,
// at least as many as wanted. It returns how many those are, and how many more.
func holds(t *testing.T, path string, want map[string]int) (held, more int) {
	t.Helper()
	tr, closeAll := engineOn(t, path)
	defer closeAll()
	containers, _, err := tr.Containers(t.Context(), tracking.ContainerQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, container := range containers {
		found[container.Number] = true
		facts, err := tr.RawEvents(t.Context(), container.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(facts) < want[container.Number] {
			t.Errorf("%s: %d facts are there, %d were acknowledged", container.Number, len(facts), want[container.Number])
		}
		held, more = held+want[container.Number], more+len(facts)-want[container.Number]
		for i, f := range facts { // in order of receipt, none left out
			if !strings.HasSuffix(f.Fact.ID, fmt.Sprintf("/%d", i)) {
				t.Errorf("%s: fact %d is %s", container.Number, i, f.Fact.ID)
			}
		}
	}
	for number := range want {
		if !found[number] {
			t.Errorf("container %s is not there", number)
		}
	}
	return held, more
}

// engineOn opens the engine on a database, for the account that the server
// makes.
func engineOn(t *testing.T, path string) (tr *tracking.Tracker, closeAll func()) {
	t.Helper()
	store, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	operator, err := tracking.New(tracking.Config{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	account, err := operator.Account(t.Context(), "default")
	if err != nil {
		t.Fatal(err)
	}
	return operator.For(tracking.Actor{Account: account.Scope()}), func() {
		if err := operator.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
