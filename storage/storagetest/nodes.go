package storagetest

import (
	"maps"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

// beat beats for a node and returns the names of all, as nameOf gives them.
func (e *env) beat(name string, lease time.Duration) []string {
	e.Helper()
	nodes, err := e.store.Beat(e.ctx, store.Node{ID: id(name), Version: "v1.0.0-" + name, Revisions: map[string]string{"widget": "1", "rules": name}}, lease)
	e.noError(err)
	return e.namesOf(nodes)
}

// namesOf returns the names that beat gave the nodes, and checks what else they have.
func (e *env) namesOf(nodes []store.Node) (names []string) {
	e.Helper()
	for _, n := range nodes {
		name := n.Revisions["rules"]
		if n.ID != id(name) || n.Version != "v1.0.0-"+name || !maps.Equal(n.Revisions, map[string]string{"widget": "1", "rules": name}) {
			e.Errorf("node %+v", n)
		}
		if n.StartedAt.After(n.BeatAt) || n.StartedAt.Location() != time.UTC || n.Age < 0 || n.Age > time.Minute || time.Since(n.BeatAt) > 10*time.Minute {
			e.Errorf("node %s started at %s, beat at %s, %s ago", name, n.StartedAt, n.BeatAt, n.Age)
		}
		names = append(names, name)
	}
	return names
}

func (e *env) wantNodes(want ...string) {
	e.Helper()
	nodes, err := e.store.Nodes(e.ctx)
	e.noError(err)
	if got := e.namesOf(nodes); !slices.Equal(got, want) {
		e.Fatalf("nodes %q, want %q", got, want)
	}
}

var nodeTests = []test{
	{"BeatAddsAndRenews", func(e *env) {
		e.wantNodes()
		if got := e.beat("a", time.Hour); !slices.Equal(got, []string{"a"}) {
			e.Fatalf("nodes %q", got)
		}
		if got := e.beat("b", time.Hour); !slices.Equal(got, []string{"a", "b"}) {
			e.Fatalf("nodes %q", got)
		}
		before, err := e.store.Nodes(e.ctx)
		e.noError(err)
		e.beat("a", time.Hour)
		e.wantNodes("a", "b")
		after, err := e.store.Nodes(e.ctx)
		e.noError(err)
		if !after[0].StartedAt.Equal(before[0].StartedAt) || after[0].BeatAt.Before(before[0].BeatAt) || after[0].Schema != before[0].Schema {
			e.Errorf("was %+v, is %+v", before[0], after[0])
		}
	}},
	{"BeatReplacesRevisions", func(e *env) {
		e.beat("a", time.Hour)
		later := map[string]string{"widget": "2"}
		nodes, err := e.store.Beat(e.ctx, store.Node{ID: id("a"), Version: "v2.0.0", Revisions: later}, time.Hour)
		e.noError(err)
		if len(nodes) != 1 || nodes[0].Version != "v2.0.0" || !maps.Equal(nodes[0].Revisions, later) {
			e.Fatalf("nodes %+v", nodes)
		}
		if !store.AllKnow(nodes, "widget", "2") || store.AllKnow(nodes, "widget", "3") || store.AllKnow(nodes, "other", "1") {
			e.Error("the node knows the revisions up to 2 of widgets, and no other kind")
		}
	}},
	{"LeasesEnd", func(e *env) {
		e.beat("a", time.Hour)
		if got := e.beat("b", -time.Second); !slices.Equal(got, []string{"a"}) {
			e.Errorf("with a node whose lease has ended: %q", got)
		}
		e.wantNodes("a")
		e.beat("b", time.Hour) // it goes on
		e.wantNodes("a", "b")
		e.beat("a", -time.Second)
		e.wantNodes("b")
	}},
	{"LeaveRemoves", func(e *env) {
		e.beat("a", time.Hour)
		e.beat("b", time.Hour)
		e.noError(e.store.Leave(e.ctx, id("a")))
		e.noError(e.store.Leave(e.ctx, id("a")))
		e.wantNodes("b")
	}},
	{"NodesAreOfNoAccount", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		var before, after int64
		token := func(to *int64) {
			e.view(e.a, func(tx store.RecordTx) {
				if c, ok := tx.(store.ChangeTracker); ok {
					var err error
					*to, _, err = c.ChangeToken(e.ctx)
					e.noError(err)
				}
			})
		}
		token(&before)
		e.beat("a", time.Hour)
		e.noError(e.store.Leave(e.ctx, id("a")))
		if token(&after); before != after {
			e.Errorf("the change token was %d and is %d: nodes are no content of accounts", before, after)
		}
	}},
	{"ClosedStoreHasNoNodes", func(e *env) {
		e.noError(e.store.Close())
		_, err := e.store.Beat(e.ctx, store.Node{ID: id("a")}, time.Hour)
		e.wantError(err, store.ErrClosed)
		e.wantError(e.store.Leave(e.ctx, id("a")), store.ErrClosed)
		_, err = e.store.Nodes(e.ctx)
		e.wantError(err, store.ErrClosed)
	}},
}
