package store

import "context"

// Checker is a Store that can look itself over. A store that keeps nothing
// twice need not be one.
type Checker interface {
	// Check compares what the store keeps with the documents of these kinds,
	// which are what it must not lose; see tracking.Tracker.Check.
	Check(ctx context.Context, kinds []*Kind, c CheckRequest) (CheckReport, error)
}

// CheckRequest says how a store is looked over.
type CheckRequest struct {
	// Repair writes again what can be derived: columns, terms, indexes, totals.
	// Documents and their private parts are never changed.
	Repair bool
	// Found is called for each problem, after its repair. It must not call the
	// store. May be nil.
	Found func(Problem)
}

// Problem is one thing that is wrong in a
type Problem struct {
	// Kind is the resource type of the record that it is about, or else what of
	// the store: "file", "schema", "job".
	Kind string
	// Account and ID name the record. Zero where it is no one record.
	Account AccountID
	ID      ID
	// What is one line for the operator.
	What string
	// Repaired: it is not wrong any more.
	Repaired bool
}

// String is the line that operators see, without whether it is repaired.
func (p Problem) String() string {
	s := p.Kind
	if p.ID != (ID{}) {
		s += " " + p.ID.String()
	}
	if p.Account != (AccountID{}) {
		s += " of account " + p.Account.String()
	}
	return s + ": " + p.What
}

// CheckReport is what was looked at and what was found.
type CheckReport struct {
	Kinds, Records int
	// Outdated records are stored in an older revision of their kind. That is
	// no problem: readers see them in the present form, and Run rewrites them.
	Outdated int
	// Problems were found; Repaired of them are no more.
	Problems, Repaired int
}

// Left is how many problems are still there.
func (r CheckReport) Left() int { return r.Problems - r.Repaired }
