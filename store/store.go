// Package store is the contract between the engine and the stores that keep its
// records: what a store must do, and the types and errors that it is said in. It knows
// nothing about freight. Package storage opens the stores that come with the engine,
// and storage/storagetest holds a store to this contract.
package store

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// ID identifies a record: a UUID, rendered in its usual text form. IDs of
// records that the engine makes up are time-ordered (version 7); IDs that
// follow from a natural key (a container of a shipment, a port by its LOCODE,
// a transport event) are version 5, so that the same facts give the same IDs.
type ID = uuid.UUID

// AccountID identifies an account. It is its own type because it stands beside
// other IDs in argument lists and must never be mistaken for one. The zero
// AccountID is the system scope.
type AccountID uuid.UUID

// String returns the usual text form of the account's UUID.
func (a AccountID) String() string { return uuid.UUID(a).String() }

// Store keeps records. It knows nothing about freight: what a record means is
// known to package tracking alone, and a new kind of record needs no line in any
// store. storage/storagetest holds this contract as tests.
//
// Every record belongs to one account. View and Update name the account, and
// nothing done inside can read or write a record of another one. The zero
// AccountID opens the system scope (accounts, keys); it is a scope like any
// other, so no account's records are reachable in it.
//
// A Store is safe for use by several goroutines.
type Store interface {
	// Prepare makes the store ready for these kinds. It is called once, by New,
	// before the first View. A kind that has gained columns has them filled for
	// all its records (by Kind.Render) before Prepare returns, so that no filter
	// ever misses an old record. Preparing a kind again is harmless.
	Prepare(ctx context.Context, kinds []*Kind) error
	// View runs fn on one consistent snapshot: it sees all that was committed
	// before View was called, and nothing committed after its first read.
	// Writes inside fail with ErrReadOnly.
	View(ctx context.Context, a AccountID, fn func(RecordTx) error) error
	// Update runs fn in a serializable transaction: it commits when fn returns
	// nil and has no effect when fn returns an error or panics (the panic goes
	// on to the caller). fn sees its own writes. fn may run more than once, so
	// it must do no I/O and set, not add to, what it captures. When Update has
	// returned nil the change survives a crash of the process and, in a durable
	// store, of the machine. A store that cannot write now returns an error
	// that is ErrUnavailable. ctx counts until fn begins; what fn calls is given
	// a context by fn.
	Update(ctx context.Context, a AccountID, fn func(RecordTx) error) error
	// Claim leases up to r.Limit due jobs of any account: each gets a fresh
	// Token and is nobody else's until the lease ends. No two callers hold one
	// job at one time. Groups are served in the order of when they were last
	// served, oldest first; within a group the earliest Due goes first.
	Claim(ctx context.Context, r ClaimRequest) ([]Job, error)
	// NextDue returns when the next unleased (or then unleased) job of these
	// kinds will be claimable, or the zero time when there is none.
	NextDue(ctx context.Context, kinds []JobKind) (time.Time, error)
	// Close releases what the store holds. Calls after it return ErrClosed.
	Close() error
}

// RecordTx is what a closure of View or Update may do. It is valid only inside
// that closure and only on its goroutine.
type RecordTx interface {
	// Get returns the record with this ID, or ErrNotFound.
	Get(ctx context.Context, k *Kind, id ID) (Record, error)
	// GetMany appends the records with these IDs to `to`, in the order of ids;
	// ids that do not exist are left out, repeated ids are returned once each
	// time they are named.
	GetMany(ctx context.Context, k *Kind, ids []ID, to []Record) ([]Record, error)
	// List appends the records that match f to `to`: the page p of them, last
	// created first unless f.Sort says otherwise, and returns how many match in
	// all. A zero Page means all of them. A page past the end is empty. Records
	// without a value in a sorted column come last in both directions; ties are
	// broken by order of creation, in the direction of the last Order.
	List(ctx context.Context, k *Kind, f Filter, p Page, to []Record) ([]Record, int, error)
	// Links returns, for each record whose column or term `name` holds one of
	// values, the pair (value, record ID), in order of creation. It reads an
	// index and no record.
	Links(ctx context.Context, k *Kind, name string, values []ID) ([]Link, error)
	// Find returns the IDs of records that meet c, each once, last created first.
	// It reads an index and counts nothing, so that it costs the same however many
	// there are: of what Has, or Is of a text or an ID, finds, the `most` that were
	// created last; of what HasPrefix finds, those of the first `most` entries in
	// the order of their values and, within one, of creation. c has one value and
	// none of the other comparisons.
	Find(ctx context.Context, k *Kind, c Cond, most int) ([]ID, error)
	// FindEach is Find of each lookup, in their order: a search has many, and a store
	// can read them together.
	FindEach(ctx context.Context, lookups []Lookup) ([][]ID, error)
	// Put writes the record: it creates it with version 1 when there is none
	// with this ID, and otherwise replaces document, private part, columns and
	// terms and raises the version by one. When nothing of them differs from
	// what is stored, nothing is written and the version stays.
	Put(ctx context.Context, k *Kind, w Write) (version int64, err error)
	// Mark replaces the marks of one name that a record has, without writing the
	// record: its version stays, and Put leaves the marks as they are. No values
	// take them away. ErrNotFound when there is no such record.
	Mark(ctx context.Context, k *Kind, id ID, m Mark) error
	// Delete removes the record, its terms and its marks; ErrNotFound when there
	// is none.
	Delete(ctx context.Context, k *Kind, id ID) error
	// Enqueue adds a job, or replaces the one with the same ID of this account
	// as a whole: a lease on the replaced job is lost.
	Enqueue(ctx context.Context, j Job) error
	// EnqueueBy makes the job due by j.Due at the latest: it enqueues j when there
	// is no job with its ID, and brings that one's Due forward when it is later.
	// A job that has been claimed and not finished stays as it is: its claimer is
	// working on it, and nobody else must begin.
	EnqueueBy(ctx context.Context, j Job) error
	// Finish removes a claimed job. ErrLeaseLost when j.Token is not its
	// current token.
	Finish(ctx context.Context, j Job) error
	// Postpone gives a claimed job back: it can be claimed again from due on, as
	// if nobody had claimed it before. ErrLeaseLost as above.
	Postpone(ctx context.Context, j Job, due time.Time) error
	// Extend moves the end of the lease of a claimed job; ErrLeaseLost as above.
	Extend(ctx context.Context, j Job, until time.Time) error
	// PauseGroup keeps all jobs of a group from being claimed before `until`. A time
	// that has passed ends the pause.
	PauseGroup(ctx context.Context, k JobKind, group string, until time.Time) error
}

// ChangeTracker is implemented by the RecordTx of a View in a store that can tell
// without reading records whether an account has changed.
type ChangeTracker interface {
	// ChangeToken returns a number for what the account holds in this view: in two
	// views of one account on one Store, by one process, that return the same number,
	// every method of RecordTx returns the same. Known is false when the store cannot
	// tell.
	ChangeToken(ctx context.Context) (token int64, known bool, err error)
}

// Record is a stored record as a store hands it out. Its bytes are shared and
// must not be changed.
type Record struct {
	// ID identifies the record within its account and kind.
	ID ID
	// Version is 1 for a new record and grows by one with every change.
	Version int64
	// Doc is the rendered resource: a JSON object with id, type, relationships
	// and attributes, in this order.
	Doc []byte
	// Private is a JSON object with what is stored but never shown, or empty.
	Private []byte
	// Decoded is nil, or shared by all who are handed these same bytes from a
	// store's memory.
	Decoded *DecodeCache
}

// DecodeCache keeps what the engine has decoded of a record's bytes for as long as
// a store keeps them in memory, so that they are decoded once. A store that
// hands out the same bytes again gives them one DecodeCache: the zero value, made
// together with the bytes. What it holds is the engine's business.
type DecodeCache struct{ value atomic.Value }

// Load returns what was kept last; nil for nothing.
func (c *DecodeCache) Load() any { return c.value.Load() }

// Store keeps what was decoded.
func (c *DecodeCache) Store(decoded any) { c.value.Store(decoded) }

// Write is a record as Put takes it.
type Write struct {
	ID           ID
	Doc, Private []byte
	// Cols are the values of Kind.Columns, in that order: nil for none, else
	// string, int64, bool, time.Time (kept to the microsecond) or ID.
	Cols []any
	// Terms are the many-valued things the record can be found by.
	Terms []Term
	// New: the writer expects that there is no record with this ID. It is a hint,
	// by which a store may save a look; what Put does is the same without it.
	New bool
}

// Term is one value of a many-valued property, such as a tag or a number.
type Term struct{ Name, Value string }

// Mark is what a record can be found and sorted by that is not its own: what
// other records say of it, each by a name of its own. There may be many names,
// and they need not be declared.
type Mark struct {
	Name string
	// Values are a set. They are compared byte by byte.
	Values []string
	// Counted marks have few different values: stores may keep how many records
	// have each. It is the same for all marks of a name.
	Counted bool
}

// Link says that the record ID has Of in some column or term.
type Link struct{ Of, ID ID }

// Kind describes one sort of record to the stores. Package tracking declares the
// kinds, one next to each resource.
type Kind struct {
	// Name is the resource type, singular and in snake_case: "shipment". It is
	// unique, and stores may use it to name tables.
	Name string
	// Columns are the single-valued properties that Filters and Orders may name.
	Columns []Column
	// Revision changes whenever the stored form changes. Stores keep it with
	// each record.
	Revision string
	// Render turns a record of an older revision into what would be written
	// for it today. Stores call it when they meet such a record, so that
	// readers always see the current form.
	Render func(Record) (Write, error)
}

// Column is one single-valued property of a kind.
type Column struct {
	Name string
	Type ColumnType
	// Counted columns have few different values (a status, a shipping line):
	// stores may keep the number of records with each, so that the total of a
	// list that is filtered by this column alone need not be counted.
	Counted bool `json:",omitempty"`
	// Volatile columns change with nearly every write of a record: stores leave
	// them out of what is dear to keep up to date.
	Volatile bool `json:",omitempty"`
}

// ColumnType is the type of the values of a column.
type ColumnType uint8

// The types of columns. Text is compared byte by byte (the engine folds what is
// to be found regardless of case), times by instant.
const (
	TextColumn ColumnType = iota
	IntColumn
	BoolColumn
	TimeColumn
	IDColumn
)

// Op is how a Cond compares.
type Op uint8

// The comparisons. A column without a value matches none of them but Is with
// a nil among its values.
const (
	// Is: the column equals any of the values.
	Is Op = iota
	// From: the column is at or after Values[0].
	From
	// To: the column is at or before Values[0].
	To
	// Has: the record has a term of that name with any of the values (strings).
	Has
	// HasPrefix: the record has a term of that name that begins with Values[0],
	// byte for byte: % and _ mean themselves.
	HasPrefix
	// Marked: the record has a mark of that name with any of the values
	// (strings); nil among them is for having none of that name.
	Marked
	// MarkedBetween: the record has a mark of that name at or after Values[0] and
	// before Values[1]; nil leaves that end open.
	MarkedBetween
)

// Cond is one condition of a Filter: Name is a column for Is, From and To, the
// name of terms for Has and HasPrefix, and that of marks for Marked and
// MarkedBetween. No values at all match nothing.
type Cond struct {
	Name   string
	Op     Op
	Values []any
}

// Lookup is what Find takes.
type Lookup struct {
	Kind *Kind
	Cond Cond
	Most int
}

// Order sorts by a column; the empty name is the order of creation.
type Order struct {
	Name string
	Desc bool
	// Mark sorts by the marks of that name instead: by the least one of a record
	// that has several.
	Mark bool `json:",omitempty"`
}

// Filter selects records. Where is for stores with an index: all conditions
// must hold. Match is what the filter means, decided on the record itself; nil
// matches everything. Both are built from one query and agree on every record;
// the conformance suite holds the stores to that. Marks are not of the record:
// conditions on them are in Where alone, and every store asks them.
type Filter struct {
	Where []Cond
	Match func(Record) bool
	Sort  []Order
	// Outdated selects only records that are stored in an older revision of
	// their kind, whatever else they match.
	Outdated bool
}

// Page is one page of a list: Number counts from 1, Size is at least 1. The
// zero Page means the whole list.
type Page struct{ Number, Size int }

// Bounds returns where the page begins and ends in a list of n: a page past the end is
// empty. It returns an error for a page whose number or size is less than 1.
func (p Page) Bounds(n int) (from, end int, err error) {
	switch {
	case p == Page{}:
		return 0, n, nil
	case p.Number < 1 || p.Size < 1:
		return 0, 0, fmt.Errorf("store: page number %d of size %d", p.Number, p.Size)
	case p.Number-1 > n/p.Size: // the product could overflow
		return n, n, nil
	}
	from = min((p.Number-1)*p.Size, n)
	return from, min(from+p.Size, n), nil
}

// JobKind names a sort of background work.
type JobKind string

// Job is one piece of background work that is due at some time.
type Job struct {
	// ID identifies the job within its account; enqueueing the same ID replaces.
	ID      ID
	Account AccountID // set by the store from the scope
	Kind    JobKind
	// Group is what the work must share fairly: a carrier, an endpoint.
	Group string
	// Ref is the record that the job is about.
	Ref ID
	// Data is the job's own state, opaque to the store.
	Data []byte
	// Due is when the job may be claimed, to the microsecond, UTC.
	Due time.Time
	// Token is set by Claim and names this lease.
	Token ID
	// Attempt counts the claims of the job since it was enqueued, this one
	// included. Enqueue ignores it and begins at 0.
	Attempt int
}

// ClaimRequest asks for due work.
type ClaimRequest struct {
	Kinds []JobKind
	Now   time.Time
	Lease time.Duration
	// Limit is how many jobs at most; PerGroup and PerAccount bound one group's
	// and one account's share of those leased at Now, earlier claims included.
	// 0 means no bound.
	Limit, PerGroup, PerAccount int
}
