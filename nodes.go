package tracking

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/program"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/internal/workers"
	"github.com/landfallhq/tracking/store"
)

// Node is a process that does the background work of a store.
type Node struct {
	// ID is new for each start of the process.
	ID ID
	// Version is that of this module in the program, such as v1.2.0; empty if Go has not
	// built it in.
	Version string
	// Schema is the number of the last migration that its program knows, Rules the version
	// of its rules, and Generations the generation of each kind of records that it writes,
	// by the name of the kind.
	Schema, Rules int
	Generations   map[string]int
	// StartedAt is when it began its work, BeatAt when it was last heard of, and Age how
	// long ago that was, all by the clock of the store; times in UTC.
	StartedAt, BeatAt time.Time
	Age               time.Duration
	// Older has the kinds of which another node writes a later generation, and "rules" if
	// another one has later rules; sorted. Nil for none. Until this node has ended, the
	// others leave records of earlier generations as they are.
	Older []string
}

// Nodes returns the processes that run a Tracker on a store, in the order of their start.
// It needs no Tracker, and so changes nothing in the store.
func Nodes(ctx context.Context, s Store) ([]Node, error) {
	list, err := s.Nodes(ctx)
	if err != nil {
		return nil, err
	}
	nodes := make([]Node, len(list))
	for i, n := range list {
		nodes[i] = Node{ID: n.ID, Version: n.Version, Schema: n.Schema, Generations: map[string]int{}, StartedAt: n.StartedAt, BeatAt: n.BeatAt, Age: n.Age}
		for name, revision := range n.Revisions {
			if name == rulesRevision {
				nodes[i].Rules = table.GenerationOf(revision)
			} else {
				nodes[i].Generations[name] = table.GenerationOf(revision)
			}
		}
		for name, revision := range latestRevisions(list) {
			if !n.Knows(name, revision) {
				nodes[i].Older = append(nodes[i].Older, name)
			}
		}
		slices.Sort(nodes[i].Older)
	}
	return nodes, nil
}

// latestRevisions returns the latest revision of each name that a node has.
func latestRevisions(nodes []store.Node) map[string]string {
	latest := map[string]string{}
	for _, n := range nodes {
		for name, revision := range n.Revisions {
			latest[name] = max(latest[name], revision)
		}
	}
	return latest
}

const (
	// rulesRevision is the name of the rules in store.Node.Revisions.
	rulesRevision = "rules"
	// nodeLease is how long a process counts as a node after it was last heard of, and
	// beatInterval how often it says that it is there.
	nodeLease    = 30 * time.Second
	beatInterval = 10 * time.Second
)

// programRevisions are those that this program writes.
var programRevisions = sync.OnceValue(func() map[string]string {
	revisions := map[string]string{rulesRevision: table.RevisionOf(journey.RulesVersion)}
	for name, s := range registry {
		revisions[name] = s.Kind.Revision
	}
	return revisions
})

// ownNode is this process among the nodes of its store.
type ownNode struct {
	id     ID
	outage workers.Outage

	mu       sync.Mutex
	joined   bool
	nextBeat time.Time // by Config.Clock; for RunOnce
	others   []store.Node
}

// beat says that this process is there, and learns which others are.
func (t *Tracker) beat(ctx context.Context) {
	m := &t.node
	limited, cancel := context.WithTimeout(ctx, t.config.WriteWait)
	defer cancel()
	nodes, err := t.config.Store.Beat(limited, store.Node{ID: m.id, Version: program.Version(), Revisions: programRevisions()}, nodeLease)
	if ctx.Err() != nil || t.closed.Load() {
		return
	}
	m.outage.Record(t.log, t.now(), "the heartbeat of this node", err)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.nextBeat = t.config.Clock.Now().Add(beatInterval)
	if err != nil {
		return // the others are as they were
	}
	before := olderNodes(m.others)
	m.joined, m.others = true, slices.DeleteFunc(nodes, func(n store.Node) bool { return n.ID == m.id })
	t.logOlder(before, olderNodes(m.others))
}

// logOlder logs when older nodes have come, and when all have gone.
func (t *Tracker) logOlder(before, now []store.Node) {
	switch {
	case len(before) == 0 && len(now) > 0:
		var names []string
		for _, n := range now {
			names = append(names, strings.TrimSpace(n.Version+" "+n.ID.String()))
		}
		t.log.Info("records of earlier generations are left as they are while nodes of an earlier version run", "nodes", strings.Join(names, ", "))
	case len(before) > 0 && len(now) == 0:
		t.log.Info("no node of an earlier version runs any more")
	}
}

// keepBeating beats until ctx ends or the engine is closed.
func (t *Tracker) keepBeating(ctx context.Context) {
	ticker := time.NewTicker(beatInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if t.closed.Load() {
			return
		}
		t.beat(ctx)
	}
}

// beatIfDue beats if the last time is too long ago by the Clock.
func (t *Tracker) beatIfDue(ctx context.Context) {
	t.node.mu.Lock()
	due := !t.config.Clock.Now().Before(t.node.nextBeat)
	t.node.mu.Unlock()
	if due {
		t.beat(ctx)
	}
}

// leave removes this process from the nodes.
func (t *Tracker) leave() {
	t.node.mu.Lock()
	joined := t.node.joined
	t.node.mu.Unlock()
	if !joined {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.config.WriteWait)
	defer cancel()
	if err := t.config.Store.Leave(ctx, t.node.id); err != nil {
		t.log.Warn("this process counts as a node until its lease ends", "error", err, "lease", nodeLease)
	}
}

// waitsForOlder reports whether a node runs that does not know what this program writes.
func (e *engine) waitsForOlder() bool {
	e.node.mu.Lock()
	defer e.node.mu.Unlock()
	return len(olderNodes(e.node.others)) > 0
}

// hasNewer reports whether a node runs that writes something in a later revision.
func (e *engine) hasNewer() bool {
	e.node.mu.Lock()
	defer e.node.mu.Unlock()
	mine := store.Node{Revisions: programRevisions()}
	return slices.ContainsFunc(e.node.others, func(n store.Node) bool { return !knowsAll(mine, n.Revisions) })
}

// olderNodes returns those that do not know all that this program writes.
func olderNodes(nodes []store.Node) (older []store.Node) {
	for _, n := range nodes {
		if !knowsAll(n, programRevisions()) {
			older = append(older, n)
		}
	}
	return older
}

func knowsAll(n store.Node, revisions map[string]string) bool {
	for name, revision := range revisions {
		if !n.Knows(name, revision) {
			return false
		}
	}
	return true
}

// newerVersions returns the versions of the nodes that know a revision, sorted.
func newerVersions(nodes []store.Node, kind, revision string) []string {
	versions := map[string]bool{}
	for _, n := range nodes {
		if n.Version != "" && revision != "" && n.Knows(kind, revision) {
			versions[n.Version] = true
		}
	}
	return slices.Sorted(maps.Keys(versions))
}
