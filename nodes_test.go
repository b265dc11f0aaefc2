package tracking_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/store"
)

// olderNode adds a node to a store that knows an earlier generation of shipments than the
// Tracker of the bench.
func olderNode(t *testing.T, s *spy) tracking.ID {
	t.Helper()
	n := store.Node{ID: uuid.New(), Version: "v0.0.9", Revisions: map[string]string{"rules": "g999999"}}
	for name, k := range s.kinds {
		n.Revisions[name] = k.Revision
	}
	n.Revisions["shipment"] = "g000001"
	if _, err := s.Beat(ctx, n, time.Hour); err != nil {
		t.Fatal(err)
	}
	return n.ID
}

func nodesOf(t *testing.T, s tracking.Store) []tracking.Node {
	t.Helper()
	nodes, err := tracking.Nodes(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	return nodes
}

// TestNodes: a Tracker is a node from the beginning of its work to Close, with what it
// writes, and what it does not know is seen by comparison with the others.
func TestNodes(t *testing.T) {
	b, s := spied(t)
	if nodes := nodesOf(t, s); len(nodes) > 0 {
		t.Errorf("before its work: %+v", nodes)
	}
	b.Settle()
	nodes := nodesOf(t, s)
	if len(nodes) != 1 || nodes[0].Rules != tracking.Describe().RulesVersion || nodes[0].Generations["shipment"] < 5 || nodes[0].Older != nil {
		t.Fatalf("nodes %+v", nodes)
	}
	if got, want := slices.Sorted(maps.Keys(nodes[0].Generations)), slices.Sorted(maps.Keys(s.kinds)); !slices.Equal(got, want) {
		t.Errorf("generations of %q, want %q", got, want)
	}
	older := olderNode(t, s)
	for _, n := range nodesOf(t, s) {
		want := []string{"rules"} // the other one says that it has later ones
		if n.ID == older {
			want = []string{"shipment"}
		}
		if !slices.Equal(n.Older, want) {
			t.Errorf("node %s has older %q, want %q", n.Version, n.Older, want)
		}
	}
	b.Operator.Close()
	if err := s.Leave(ctx, older); !errors.Is(err, store.ErrClosed) {
		t.Errorf("the store of a closed Tracker: %v", err)
	}
}

// TestCloseLeaves: the row of a Tracker that has ended cleanly is gone.
func TestCloseLeaves(t *testing.T) {
	b, s := spied(t)
	s.Store = keptOpen{s.Store}
	b.Settle()
	if n := len(nodesOf(t, s)); n != 1 {
		t.Fatalf("%d nodes", n)
	}
	b.Operator.Close()
	if nodes := nodesOf(t, s); len(nodes) > 0 {
		t.Errorf("after Close: %+v", nodes)
	}
}

// keptOpen is a store that Close leaves open.
type keptOpen struct{ tracking.Store }

func (keptOpen) Close() error { return nil }

// TestRenewalWaitsForOlderNodes: while a node runs that knows an earlier generation, outdated
// records stay as they are, and are shown in the present form; afterwards they are rewritten.
func TestRenewalWaitsForOlderNodes(t *testing.T) {
	b, s := spied(t)
	id := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
	b.Settle()
	older := olderNode(t, s)
	b.Pass(time.Minute) // the next heartbeat
	old := *s.kinds["shipment"]
	row := s.rows(t, b.Account.Scope(), "shipment", store.Filter{})[0]
	old.Revision = "g000001"
	err := s.Update(ctx, b.Account.Scope(), func(tx store.RecordTx) error {
		if err := tx.Delete(ctx, &old, id); err != nil {
			return err
		}
		_, err := tx.Put(ctx, &old, store.Write{ID: id, Doc: row.Doc, Private: row.Private, Cols: make([]any, len(old.Columns))})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Operator.OlderGeneration(ctx, b.Account.Scope()); err != nil {
		t.Fatal(err)
	}
	outdated := store.Filter{Outdated: true}
	b.Pass(3 * time.Hour) // the upkeep looks for outdated records each hour
	b.Settle()
	if n := len(s.rows(t, b.Account.Scope(), "shipment", outdated)); n != 1 {
		t.Errorf("%d outdated shipments beside an older node, want 1", n)
	}
	if err := s.Leave(ctx, older); err != nil {
		t.Fatal(err)
	}
	b.Pass(time.Minute)
	b.Settle()
	if n := len(s.rows(t, b.Account.Scope(), "shipment", outdated)); n != 0 {
		t.Errorf("%d outdated shipments after the older node has left", n)
	}
}

// TestWorkGoesToNewerNode: a job whose result only a newer node can write is due again soon
// while such a node runs.
func TestWorkGoesToNewerNode(t *testing.T) {
	for _, c := range []struct {
		newer bool
		soon  bool
	}{{false, false}, {true, true}} {
		b, s := spied(t)
		id := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
		b.Settle()
		storeAsNewer(t, b, s, "shipment", id)
		if c.newer {
			n := store.Node{ID: uuid.New(), Version: "v9.0.0", Revisions: map[string]string{"shipment": "g000099"}}
			if _, err := s.Beat(ctx, n, time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		b.Pass(time.Minute)
		now := b.Clock.Now()
		job := store.Job{ID: uuid.New(), Kind: "refresh", Group: trackingtestGroup, Ref: id, Due: now}
		if err := s.Update(ctx, b.Account.Scope(), func(tx store.RecordTx) error { return tx.Enqueue(ctx, job) }); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Operator.RunOnce(ctx); err != nil {
			t.Fatal(err)
		}
		next, err := s.NextDue(ctx, []store.JobKind{"refresh"})
		if err != nil {
			t.Fatal(err)
		}
		if wait := next.Sub(now); (wait <= 10*time.Second) != c.soon {
			t.Errorf("with a newer node %v, the job is due again after %s", c.newer, wait)
		}
	}
}

const trackingtestGroup = "TEST"

// TestTooOldSaysWhichVersion: a Tracker that cannot use a store names the version of a node
// that can.
func TestTooOldSaysWhichVersion(t *testing.T) {
	_, s := spied(t)
	later := *s.kinds["shipment"]
	later.Revision, later.Columns = "g000099", later.Columns[1:]
	if err := s.Store.Prepare(ctx, []*store.Kind{&later}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Beat(ctx, store.Node{ID: uuid.New(), Version: "v9.1.0", Revisions: map[string]string{"shipment": "g000099"}}, time.Hour); err != nil {
		t.Fatal(err)
	}
	_, err := tracking.New(tracking.Config{Store: s})
	if err == nil || !strings.Contains(err.Error(), "Use version v9.1.0") {
		t.Errorf("error %v", err)
	}
}
