// Package store is the contract between the engine and the stores that keep its
// records. It knows nothing about freight. Package storage opens the stores that
// come with the engine, and storage/storagetest tests a store against this
// contract.
package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// ID identifies a record: a UUID. IDs that the engine generates are time-ordered
// (version 7); IDs derived from a natural key (a container of a shipment, a port by
// its LOCODE, a transport event) are version 5, so that the same facts give the
// same IDs; those of events of changes are version 8 and begin with their time.
type ID = uuid.UUID

// AccountID identifies an account. It has its own type so that it cannot be
// confused with other IDs in argument lists. The zero AccountID is the system
// scope.
type AccountID uuid.UUID

// String returns the text form of the account's UUID.
func (a AccountID) String() string { return uuid.UUID(a).String() }

// Store keeps records. It knows nothing about freight: only package tracking knows
// what a record means, and a new kind of record needs no change of a store.
// storage/storagetest tests this contract.
//
// Every record belongs to one account. View and Update name the account; nothing
// inside them can read or write a record of another account. The zero AccountID is
// the system scope (accounts, keys). It is a scope like any other: it does not
// reach the records of accounts.
//
// A Store is safe for concurrent use.
type Store interface {
	// Prepare makes the store ready for these kinds. New calls it once, before the
	// first View. If a kind has gained columns, filters find old records by them too
	// when it has returned: it fills them for all records (by Kind.Render), or the store
	// computes the values of records that lack them. Columns that a kind has lost can
	// stay for nodes that use them. Preparing a kind again is harmless. What a later revision of a kind has prepared
	// stays as it is; Prepare returns a *NewerError if this one cannot use it.
	Prepare(ctx context.Context, kinds []*Kind) error
	// View runs fn on one consistent snapshot: it sees everything that was
	// committed before View was called, and nothing that was committed after its
	// first read. Writes inside it fail with ErrReadOnly.
	View(ctx context.Context, a AccountID, fn func(RecordTx) error) error
	// Update runs fn in a serializable transaction. It commits if fn returns nil,
	// and has no effect if fn returns an error or panics (the panic is passed on).
	// fn sees its own writes. fn may run more than once, so it must do no I/O, must
	// set the variables that it captures instead of adding to them, and must return
	// the errors of the methods that it calls, except ErrNotFound and ErrLeaseLost. When
	// Update returns nil, the change survives a crash of the process and, in a
	// durable store, of the machine. If the store cannot write now, Update returns
	// an error that is ErrUnavailable. ctx applies until fn begins; fn passes its
	// own context to the methods that it calls.
	Update(ctx context.Context, a AccountID, fn func(RecordTx) error) error
	// Claim leases up to r.Limit due jobs of any account. Each job gets a new
	// Token, and no other caller can claim it until its lease ends. Groups are
	// served least recently served first; within a group, the earliest Due comes
	// first.
	Claim(ctx context.Context, r ClaimRequest) ([]Job, error)
	// NextDue returns when the next job of these kinds can be claimed, including
	// jobs whose lease will have ended by then; the zero time if there is none.
	NextDue(ctx context.Context, kinds []JobKind) (time.Time, error)
	// Beat adds the process to the nodes of the store, or keeps it there, for as long as
	// lease by the clock of the store, and removes those whose lease has ended. It returns
	// the nodes that are left, this one among them, in the order of their start. A later
	// Beat of the same ID replaces version and revisions.
	Beat(ctx context.Context, n Node, lease time.Duration) ([]Node, error)
	// Leave removes a node. It is no error if there is none with this ID.
	Leave(ctx context.Context, id ID) error
	// Nodes returns the nodes whose lease has not ended, in the order of their start. It
	// needs no Prepare.
	Nodes(ctx context.Context) ([]Node, error)
	// Close releases the resources of the store. Later calls return ErrClosed.
	Close() error
}

// RecordTx is the transaction that View and Update pass to their closure. It is
// valid only inside that closure and on its goroutine.
type RecordTx interface {
	// Get returns the record with this ID, or ErrNotFound.
	Get(ctx context.Context, k *Kind, id ID) (Record, error)
	// GetMany appends the records with these IDs to `to`, in the order of ids. IDs
	// that do not exist are left out; a repeated ID gives its record each time.
	GetMany(ctx context.Context, k *Kind, ids []ID, to []Record) ([]Record, error)
	// List appends page p of the records that match f to `to`, and returns how many
	// match in total. A zero Page means all of them; a page past the end is empty.
	// The order is last created first unless f.Sort is set. Records without a value
	// in a sorted column come last in both directions; ties are in order of
	// creation, in the direction of the last Order.
	List(ctx context.Context, k *Kind, f Filter, p Page, to []Record) ([]Record, int, error)
	// CountBy returns how many of the records that match f have each value of the
	// text column; those without a value are not counted. f.Sort means nothing to it.
	CountBy(ctx context.Context, k *Kind, column string, f Filter) (map[string]int, error)
	// Links returns the pairs (value, record ID) of the records whose column or
	// term `name` has one of values, in order of creation. It reads an index and no
	// record, so that a column that is Unindexed is an error.
	Links(ctx context.Context, k *Kind, name string, values []ID) ([]Link, error)
	// Find returns the IDs of records that meet c, each once, last created first.
	// It reads an index and counts nothing, so its cost does not depend on the
	// number of matches. For Has, and for Is of a text or an ID, it returns the
	// `limit` last created ones. For HasPrefix, it returns those of the first
	// `limit` index entries in order of value and creation. c must have one value
	// and one of these comparisons.
	Find(ctx context.Context, k *Kind, c Cond, limit int) ([]ID, error)
	// FindEach returns the result of Find for each lookup, in their order. A store
	// can run them together.
	FindEach(ctx context.Context, lookups []Lookup) ([][]ID, error)
	// Put writes a record. If there is none with this ID, it is created with
	// version 1; otherwise document, private part, columns and terms are replaced
	// and the version is raised by one. If nothing differs from what is stored,
	// nothing is written and the version stays. A record of a later revision than
	// that of k is not replaced: if document or private part differ, Put returns a
	// *NewerError. It may also do so if the store keeps columns of the kind that k does
	// not declare, because a later revision has them, unless the store computes what
	// the record then lacks.
	Put(ctx context.Context, k *Kind, w Write) (version int64, err error)
	// Mark replaces the marks of one name of a record without writing the record:
	// its version stays, and Put keeps its marks. No values remove them. It returns
	// ErrNotFound if there is no such record.
	Mark(ctx context.Context, k *Kind, id ID, m Mark) error
	// Delete removes the record, its terms and its marks. It returns ErrNotFound if
	// there is no such record.
	Delete(ctx context.Context, k *Kind, id ID) error
	// Enqueue adds a job, or replaces the job with the same ID of this account; a
	// lease on the replaced job is lost.
	Enqueue(ctx context.Context, j Job) error
	// EnqueueBy makes a job due by j.Due at the latest: it enqueues j if there is
	// no job with its ID, and otherwise brings that job's Due forward if it is
	// later. It does not change a job that is claimed and not finished, because its
	// claimer is working on it.
	EnqueueBy(ctx context.Context, j Job) error
	// Finish removes a claimed job. It returns ErrLeaseLost if j.Token is not the
	// job's current token.
	Finish(ctx context.Context, j Job) error
	// Postpone gives a claimed job back: it can be claimed again from due on, as if
	// it had never been claimed. It returns ErrLeaseLost as Finish does.
	Postpone(ctx context.Context, j Job, due time.Time) error
	// Extend changes the end of the lease of a claimed job. It returns ErrLeaseLost
	// as Finish does.
	Extend(ctx context.Context, j Job, until time.Time) error
	// PauseGroup prevents the jobs of a group from being claimed before `until`. A
	// time in the past ends the pause.
	PauseGroup(ctx context.Context, k JobKind, group string, until time.Time) error
}

// ChangeTracker is implemented by the RecordTx of a View if the store can detect
// changes of an account without reading records.
type ChangeTracker interface {
	// ChangeToken returns a number for the content of the account in this view: in
	// two views of one account on one Store, in one process, that return the same
	// number, every method of RecordTx returns the same. Known is false if the
	// store cannot tell.
	ChangeToken(ctx context.Context) (token int64, known bool, err error)
}

// RepeatViewer is implemented by a Store on which a View costs less if fn may run more than
// once.
type RepeatViewer interface {
	// ViewRepeatably is View for an fn that may run more than once, so it must do no I/O and
	// must set the variables that it captures instead of adding to them.
	ViewRepeatably(ctx context.Context, a AccountID, fn func(RecordTx) error) error
}

// ViewRepeatably calls ViewRepeatably of a Store that implements RepeatViewer, and View of any
// other one.
func ViewRepeatably(ctx context.Context, s Store, a AccountID, fn func(RecordTx) error) error {
	if r, ok := s.(RepeatViewer); ok {
		return r.ViewRepeatably(ctx, a, fn)
	}
	return s.View(ctx, a, fn)
}

// Prefetcher is implemented by a RecordTx that can make several reads together.
type Prefetcher interface {
	// Prefetch announces reads that fn will make. Their results, and those of all other
	// methods, are the same as without it: as of this transaction, with its own writes.
	// A store can make announced reads together, and an Update also together with what
	// begins its transaction, if Prefetch is the first call. It returns the errors of Get
	// and List except ErrNotFound.
	Prefetch(ctx context.Context, reads []Read) error
}

// Read is a read of Prefetch.
type Read struct {
	Kind *Kind
	// IDs are those of records that will be read with Get, GetMany or Put. The records need
	// not exist.
	IDs []ID
	// Filter, if there are no IDs, is that of a List of the zero Page.
	Filter Filter
}

// Record is a stored record. Its bytes are shared and must not be changed.
type Record struct {
	// ID identifies the record within its account and kind.
	ID ID
	// Version is 1 for a new record and increases by one with every change.
	Version int64
	// Doc is the rendered resource: a JSON object with id, type, relationships
	// and attributes, in this order. That of a Binary kind may be other bytes.
	Doc []byte
	// Private is a JSON object that is stored but never shown, or empty.
	Private []byte
	// Newer reports that a program with a later revision of the kind has stored the
	// record. It is as that program wrote it.
	Newer bool
	// Decoded is nil, or shared by all readers that get these same bytes from the
	// memory of a store.
	Decoded *DecodeCache
}

// DecodeCache keeps what the engine has decoded from a record while a store keeps
// its bytes in memory, so that they are decoded once. A store that returns the same
// bytes again returns the same DecodeCache with them; it creates the zero value
// together with the bytes.
type DecodeCache struct{ value atomic.Value }

// Load returns the value that was stored last; nil for none.
func (c *DecodeCache) Load() any { return c.value.Load() }

// Store stores a decoded value.
func (c *DecodeCache) Store(decoded any) { c.value.Store(decoded) }

// Write is the input of Put.
type Write struct {
	ID           ID
	Doc, Private []byte
	// Cols are the values of Kind.Columns, in that order: nil for none, or a
	// string, int64, bool, time.Time (stored to the microsecond) or ID.
	Cols []any
	// Terms are the many-valued properties by which the record can be found.
	Terms []Term
	// New is a hint that there is no record with this ID, which may save a read. What
	// is committed is the same without it. If the hint is wrong, a store may detect
	// that only after Put has returned 1: then it runs fn again, without the hint.
	New bool
}

// Term is one value of a many-valued property, such as a tag or a number.
type Term struct{ Name, Value string }

// Mark is a property by which a record can be found and sorted, but which is not
// part of it: other records set it. A record can have marks of many names; names
// need no declaration.
type Mark struct {
	Name string
	// Values are a set. They are compared byte by byte.
	Values []string
	// Counted marks have few distinct values: stores may keep how many records have
	// each. It must be the same for all marks of a name.
	Counted bool
}

// Link means that the record ID has Of in a column or term.
type Link struct{ Of, ID ID }

// Kind describes a kind of record to the stores. Package tracking declares the
// kinds, each next to its resource.
type Kind struct {
	// Name is the resource type, singular and in snake_case: "shipment". It is
	// unique; stores may use it in table names.
	Name string
	// Columns are the single-valued properties that filters and orders may use.
	Columns []Column
	// Revision grows whenever the stored form or the columns change. Revisions are
	// compared byte by byte: the later one is greater. Stores keep it with each
	// record, and the latest one with the kind.
	Revision string
	// Render converts a record of an earlier revision to what would be written for it
	// today. Stores call it for such records, so that readers see the current form.
	// Records of a later revision are handed on as they are.
	Render func(Record) (Write, error)
	// Binary: documents need not be JSON. A store hands them to Render and to Filter.Match,
	// and does not read them otherwise.
	Binary bool
}

// Column is one single-valued property of a kind.
type Column struct {
	Name string
	Type ColumnType
	// Counted columns have few distinct values (a status, a shipping line): stores
	// may keep how many records have each, so that the total of a list filtered by
	// this column alone need not be counted.
	Counted bool `json:",omitempty"`
	// Volatile columns change with nearly every write of a record: stores leave
	// them out of indexes that are expensive to update.
	Volatile bool `json:",omitempty"`
	// Unindexed columns need no index of their own, because every list with a condition on
	// one has a better condition beside it, or an order, or is seldom asked for. Links and
	// Find do not take them.
	Unindexed bool `json:",omitempty"`
	// Sparse columns have no value in most records: stores may leave these out of the
	// index, which then does not serve an order by the column, nor the condition that it
	// has no value.
	Sparse bool `json:",omitempty"`
}

// CheckIndexed returns an error if the column with this name is Unindexed: Links and Find do
// not take it. For terms and unknown names it returns nil.
func (k *Kind) CheckIndexed(column string) error {
	if slices.ContainsFunc(k.Columns, func(c Column) bool { return c.Name == column && c.Unindexed }) {
		return fmt.Errorf("store: kind %s has no index of column %q to find by", k.Name, column)
	}
	return nil
}

// WithoutHints returns the columns without Counted, Volatile, Unindexed and Sparse, which do
// not affect stored values.
func WithoutHints(columns []Column) []Column {
	columns = slices.Clone(columns)
	for i, c := range columns {
		columns[i] = Column{Name: c.Name, Type: c.Type}
	}
	return columns
}

// ColumnType is the type of the values of a column.
type ColumnType uint8

// The types of columns. Text is compared byte by byte (the engine folds text for
// case-insensitive search), times by instant.
const (
	TextColumn ColumnType = iota
	IntColumn
	BoolColumn
	TimeColumn
	IDColumn
)

// Op is the comparison of a Cond.
type Op uint8

// The comparisons. A column without a value matches none of them, except Is with
// nil among its values.
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
	// Marked: the record has a mark of that name with any of the values (strings).
	// nil among them matches records without a mark of that name.
	Marked
	// MarkedBetween: the record has a mark of that name at or after Values[0] and
	// before Values[1]; nil leaves that end open.
	MarkedBetween
)

// Cond is one condition of a Filter. Name is a column for Is, From and To, the name
// of terms for Has and HasPrefix, and the name of marks for Marked and
// MarkedBetween. A condition without values matches nothing.
type Cond struct {
	Name   string
	Op     Op
	Values []any
}

// Lookup is one Find of FindEach.
type Lookup struct {
	Kind  *Kind
	Cond  Cond
	Limit int
}

// Order sorts by a column; an empty name is the order of creation.
type Order struct {
	Name string
	Desc bool
	// Mark sorts by the marks of that name instead; a record with several is sorted
	// by the least.
	Mark bool `json:",omitempty"`
}

// Filter selects records. Where is for stores with indexes: all conditions must
// hold. Match decides the same on the record itself; nil matches everything. Both
// are built from one query and agree on every record; storage/storagetest checks
// that. Marks are not part of the record: conditions on them are in Where alone,
// and every store evaluates them.
type Filter struct {
	Where []Cond
	Match func(Record) bool
	Sort  []Order
	// Outdated selects only records that are stored in an earlier revision of their
	// kind.
	Outdated bool
}

// Equal reports whether two filters select the same records in the same order, by what they
// have for indexes: Match is not compared.
func (f Filter) Equal(other Filter) bool {
	return f.Outdated == other.Outdated && slices.Equal(f.Sort, other.Sort) && slices.EqualFunc(f.Where, other.Where, func(a, b Cond) bool {
		return a.Name == b.Name && a.Op == b.Op && slices.Equal(a.Values, b.Values)
	})
}

// Page is one page of a list. Number counts from 1; Size is at least 1. The zero
// Page means the whole list.
type Page struct{ Number, Size int }

// Bounds returns where the page begins and ends in a list of n records; a page past
// the end is empty. It returns an error for a number or size less than 1.
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

// JobKind names a kind of background job.
type JobKind string

// Job is a unit of background work that is due at some time.
type Job struct {
	// ID identifies the job within its account. Enqueueing a job with the same ID
	// replaces it.
	ID      ID
	Account AccountID // set by the store from the scope
	Kind    JobKind
	// Group is the resource that jobs share fairly: a carrier, an endpoint.
	Group string
	// Ref is the record that the job is about.
	Ref ID
	// Data is the job's own state, opaque to the store.
	Data []byte
	// Due is when the job can be claimed, to the microsecond, UTC.
	Due time.Time
	// Token identifies the lease. Claim sets it.
	Token ID
	// Attempt counts the claims of the job since it was enqueued, including this
	// one. Enqueue ignores it and starts at 0.
	Attempt int
}

// ClaimRequest asks for due jobs.
type ClaimRequest struct {
	Kinds []JobKind
	Now   time.Time
	Lease time.Duration
	// Limit is the number of jobs to claim, at most. PerGroup and PerAccount bound
	// the jobs of a group and of an account that are leased at Now, including
	// earlier claims. 0 means no bound.
	Limit, PerGroup, PerAccount int
	// GroupLimits has the groups, of any kind, with a bound other than PerGroup. May
	// be nil.
	GroupLimits map[string]int
}

// GroupLimit returns the bound of a group; 0 means none.
func (r ClaimRequest) GroupLimit(group string) int {
	if limit, ok := r.GroupLimits[group]; ok {
		return limit
	}
	return r.PerGroup
}

// The errors of the contract. A store may wrap them.
var (
	// ErrNotFound: the account has no such record. A record of another account is
	// not found in the same way.
	ErrNotFound = errors.New("store: not found")
	// ErrReadOnly: a write inside a view, or to a store that is open for reading alone.
	ErrReadOnly = errors.New("store: write inside a view")
	// ErrLeaseLost: the job's token is not its current one. Its lease ended and it
	// was claimed again, or the job was enqueued again.
	ErrLeaseLost = errors.New("store: lease lost")
	// ErrUnavailable: the store cannot serve the call now (locked, full, read-only
	// file system). The same call may succeed later.
	ErrUnavailable = errors.New("store: unavailable")
	// ErrClosed: the store is closed.
	ErrClosed = errors.New("store: closed")
)

// NewerError is the error of a write that would replace what a later program has
// stored. Nothing is written.
type NewerError struct {
	// Kind is the name of the kind.
	Kind string
	// ID is that of the record; zero if it is about all records of the kind.
	ID ID
	// Stored is the revision of the record or the kind, empty if it was not read; Known
	// is that of this program.
	Stored, Known string
}

// Error names the record and both revisions.
func (e *NewerError) Error() string {
	what := "records of the kind " + e.Kind
	if e.ID != (ID{}) {
		what = e.Kind + " " + e.ID.String()
	}
	return strings.Join(strings.Fields("store: "+what+" was stored in a revision "+e.Stored+" later than "+e.Known+" of this program"), " ")
}

// AccountDeleter is implemented by stores that can delete accounts. The memory and the
// SQLite store do.
type AccountDeleter interface {
	// DeleteAccount deletes up to limit records and jobs of the account, in one
	// transaction, and returns how many. Records of kinds that were never prepared are
	// deleted too, those of the kinds in keep are not. When it returns 0, the store has
	// nothing else of the account but its ID. It returns what Update does if it fails.
	DeleteAccount(ctx context.Context, a AccountID, limit int, keep ...*Kind) (deleted int, err error)
}

// Maintainer is a Store that has work of its own to do, such as completing what an
// older program has written.
type Maintainer interface {
	// Maintain does a small part of the work. More: there is more to do.
	Maintain(ctx context.Context) (more bool, err error)
}

// Checker is a Store that can check itself. A store that keeps no redundant data
// need not implement it.
type Checker interface {
	// Check compares indexes, totals and other derived data with the documents of
	// these kinds; see tracking.Tracker.Check.
	Check(ctx context.Context, kinds []*Kind, c CheckRequest) (CheckReport, error)
}

// Meter is a Store that reports its state, for operators.
type Meter interface {
	// Stats returns the state at a time. It costs little while few jobs are due.
	Stats(ctx context.Context, now time.Time) (Stats, error)
}

// Stats is the state of a store.
type Stats struct {
	// WaitingUpdates is the number of updates that wait for their turn.
	WaitingUpdates int
	// FileBytes is the size of the file, and LogBytes that of the part of the
	// write-ahead log that is in use, as of the last commit of this process; in bytes.
	FileBytes, LogBytes int64
	// CacheBytes is the size of the cache of records, in bytes. CacheHits are the
	// records that views have taken from it since the store was opened, and CacheMisses
	// those that they looked for in vain. All are 0 without a cache.
	CacheBytes, CacheHits, CacheMisses int64
	// Jobs has the kinds that have or had jobs.
	Jobs []JobStats
}

// JobStats is the state of the jobs of one kind.
type JobStats struct {
	Kind JobKind
	// Due jobs could be claimed now; Oldest is the Due of the first of them, UTC, zero
	// for none. Paused jobs are due in a group that is paused. Leased jobs are claimed
	// and not finished.
	Due, Paused, Leased int
	Oldest              time.Time
	// PausedGroups are the groups whose pause ends within a year, StoppedGroups those
	// whose pause ends later.
	PausedGroups, StoppedGroups int
}

// CheckRequest are the options of a check.
type CheckRequest struct {
	// Repair writes derived data again: columns, terms, indexes, totals. Documents
	// and their private parts are never changed.
	Repair bool
	// Found is called for each problem, after its repair. It must not call the
	// store. May be nil.
	Found func(Problem)
}

// Problem is one inconsistency in a store.
type Problem struct {
	// Kind is the resource type of the record with the problem, or the part of the
	// store: "file", "schema", "job".
	Kind string
	// Account and ID identify the record. They are zero if the problem is not about
	// one record.
	Account AccountID
	ID      ID
	// What describes the problem in one line, for the operator.
	What string
	// Repaired reports that the problem has been fixed.
	Repaired bool
}

// String returns the line that operators see, without whether it is repaired.
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

// CheckReport is the result of a check.
type CheckReport struct {
	Kinds, Records int
	// Outdated records are stored in an earlier revision of their kind. That is not a
	// problem: readers see the current form, and Run rewrites them.
	Outdated int
	// Newer records are stored in a later revision. Their columns and terms are not
	// checked.
	Newer int
	// WithoutChecksum records were written by a program that knew no checksums, so
	// that damage to their documents may be unseen. A server adds the checksums.
	WithoutChecksum int
	// Files is how many files of documents were read. A store leaves it 0.
	Files int
	// Problems is the number of problems found, Repaired how many of them were
	// fixed.
	Problems, Repaired int
}

// Left returns the number of problems that remain.
func (r CheckReport) Left() int { return r.Problems - r.Repaired }
