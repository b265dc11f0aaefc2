package store

import (
	"slices"
	"time"
)

// Node is a process that does the background work of a store, as the others see it.
type Node struct {
	// ID is new for each start of the process.
	ID ID
	// Version is that of the program, such as v1.2.0; empty if it is not known.
	Version string
	// Schema is the number of the last migration of the program. The store sets it; it is 0
	// for a store without migrations.
	Schema int
	// Revisions are those that the program writes, by the name of the kind. The engine adds
	// names that are not of kinds, such as that of its rules. They are ordered as
	// Kind.Revision.
	Revisions map[string]string
	// StartedAt and BeatAt are the times of the first and of the last Beat, UTC. Age is the
	// time since the latter, at least 0. All are by the clock of the store, which Beat
	// does not take from the caller.
	StartedAt, BeatAt time.Time
	Age               time.Duration
}

// Knows reports whether the program of the node knows the revision of a kind. One that does
// not know the kind does not.
func (n Node) Knows(kind, revision string) bool { return n.Revisions[kind] >= revision }

// AllKnow reports whether each of the nodes knows the revision of a kind.
func AllKnow(nodes []Node, kind, revision string) bool {
	return !slices.ContainsFunc(nodes, func(n Node) bool { return !n.Knows(kind, revision) })
}
