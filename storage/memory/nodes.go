package memory

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

// storedNode is a node and the end of its lease.
type storedNode struct {
	store.Node
	until time.Time
}

// Beat implements store.Store.
func (s *Store) Beat(ctx context.Context, n store.Node, lease time.Duration) (nodes []store.Node, err error) {
	err = s.write(ctx, func(next *state) error {
		now := time.Now()
		n.Schema, n.StartedAt, n.BeatAt, n.Revisions = 0, now.UTC(), now.UTC(), maps.Clone(n.Revisions)
		if before, ok := next.nodes[n.ID]; ok {
			n.StartedAt = before.StartedAt
		}
		next.nodes = maps.Clone(next.nodes)
		maps.DeleteFunc(next.nodes, func(_ store.ID, n storedNode) bool { return !n.until.After(now) })
		if next.nodes == nil {
			next.nodes = map[store.ID]storedNode{}
		}
		next.nodes[n.ID] = storedNode{n, now.Add(lease)}
		nodes = next.liveNodes(now)
		return nil
	})
	return nodes, err
}

// Leave implements store.Store.
func (s *Store) Leave(ctx context.Context, id store.ID) error {
	return s.write(ctx, func(next *state) error {
		next.nodes = maps.Clone(next.nodes)
		delete(next.nodes, id)
		return nil
	})
}

// Nodes implements store.Store.
func (s *Store) Nodes(ctx context.Context) ([]store.Node, error) {
	if err := s.checkOpen(ctx); err != nil {
		return nil, err
	}
	return s.state.Load().liveNodes(time.Now()), nil
}

func (s *state) liveNodes(now time.Time) (list []store.Node) {
	for _, n := range s.nodes {
		if n.until.After(now) {
			n.Age, n.Revisions = max(0, now.Sub(n.BeatAt)), maps.Clone(n.Revisions)
			list = append(list, n.Node)
		}
	}
	slices.SortFunc(list, func(a, b store.Node) int {
		return cmp.Or(a.StartedAt.Compare(b.StartedAt), bytes.Compare(a.ID[:], b.ID[:]))
	})
	return list
}
