package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Copier is implemented by stores whose content can be copied into another store as it is:
// the SQLite and the PostgreSQL store. Copy does it. No other process may write to either
// store meanwhile.
type Copier interface {
	Store
	// Commits returns a number that is greater after each update that has changed records
	// or marks.
	Commits(ctx context.Context) (int64, error)
	// Accounts returns the accounts that have or had records or jobs, the system scope
	// among them, in the order in which the store has met them.
	Accounts(ctx context.Context) ([]AccountID, error)
	// ReadCopies returns up to limit records of an account, with their marks, in order of
	// creation: those after the record `after`, or from the first for the zero ID. Cols and
	// Terms are not set. It returns ErrNotFound if there is no record `after`, and a
	// *NewerError for a record that a newer program has stored.
	ReadCopies(ctx context.Context, a AccountID, k *Kind, after ID, limit int) ([]RecordCopy, error)
	// WriteCopies adds records after those of the account, in one transaction. It is an
	// error if there is one with the same ID.
	WriteCopies(ctx context.Context, a AccountID, k *Kind, records []RecordCopy) error
	// ReadGroups returns all groups of jobs in the order in which they were added.
	ReadGroups(ctx context.Context) ([]GroupCopy, error)
	// ReadJobs returns up to limit jobs of all accounts after a place, in the order of
	// enqueueing.
	ReadJobs(ctx context.Context, after int64, limit int) ([]JobCopy, error)
	// ClearQueues deletes all jobs and groups.
	ClearQueues(ctx context.Context) error
	// WriteQueues adds groups that do not exist, and jobs of existing groups, behind the
	// others, in one transaction.
	WriteQueues(ctx context.Context, groups []GroupCopy, jobs []JobCopy) error
	// CountCopies counts what the store has, record by record.
	CountCopies(ctx context.Context) (CopyCounts, error)
	// CopyState returns what SetCopyState has stored; the zero value for a store that is no
	// copy.
	CopyState(ctx context.Context) (CopyState, error)
	SetCopyState(ctx context.Context, s CopyState) error
}

// RecordCopy is a record with its version and its marks, whose names are sorted.
type RecordCopy struct {
	Write
	Version int64
	Marks   []Mark
}

// GroupCopy is a group of jobs.
type GroupCopy struct {
	Kind JobKind
	Name string
	// Served grows with each claim of a job of the group; 0 for none.
	Served int64
	// Held is the end of its pause, UTC, zero for none.
	Held time.Time
}

// JobCopy is a job with its lease.
type JobCopy struct {
	Job
	// Until is the end of the lease of Token, UTC, zero for none.
	Until time.Time
	// Place is the place among the jobs of its store.
	Place int64
}

// CopyState is the state of a store that is a copy.
type CopyState struct {
	// Source identifies the content that is copied; 0 for no copy.
	Source int64
	// Complete: everything has been copied and counted.
	Complete bool
}

// CopyCounts is how much a store has.
type CopyCounts struct {
	// Records of each kind that has any, by its name, whether it was prepared or not.
	Records             map[string]int64
	Marks, Jobs, Groups int64
}

// CopyRequest are the options of Copy.
type CopyRequest struct {
	// Counted reports whether the marks of a name are Mark.Counted, for stores that do not
	// keep that. May be nil.
	Counted func(ctx context.Context, a AccountID, mark string) (bool, error)
	// Progress is called after each batch, with the number of records that are copied. May
	// be nil.
	Progress func(records int64)
	// Batch is how many records, or jobs, one transaction writes at most. Defaults to 500.
	Batch int
}

// ErrCopyRefused is the error of Copy for stores that it does not copy from or to.
var ErrCopyRefused = errors.New("refused")

const (
	defaultBatch = 500
	// batchBytes bounds the documents of a batch of more than one record.
	batchBytes = 4 << 20
)

// Copy copies everything of the kinds from one store to another that is empty: records with
// their IDs, versions, marks and order, and jobs with their attempts, leases and pauses. If
// it ends early, the next call continues where it ended. At the end it counts both stores,
// and fails if they differ. A call after that only counts.
//
// Records are copied as readers see them: those of an earlier revision of their kind become
// current.
//
// Errors: ErrCopyRefused if the target has something that is not from this source in its
// present state, or if the source changes meanwhile; *NewerError if a newer program has
// stored a record.
func Copy(ctx context.Context, from, to Copier, kinds []*Kind, r CopyRequest) (CopyCounts, error) {
	if r.Batch <= 0 {
		r.Batch = defaultBatch
	}
	c := &copying{from: from, to: to, request: r}
	if err := c.prepare(ctx, kinds); err != nil {
		return CopyCounts{}, err
	}
	if !c.state.Complete {
		if err := c.records(ctx, kinds); err != nil {
			return CopyCounts{}, err
		}
		if err := c.queues(ctx); err != nil {
			return CopyCounts{}, err
		}
	}
	return c.finish(ctx)
}

// copying is one call of Copy.
type copying struct {
	from, to Copier
	request  CopyRequest
	accounts []AccountID
	state    CopyState // of the target
	copied   int64
}

// prepare makes both stores ready and begins the copy, or continues one.
func (c *copying) prepare(ctx context.Context, kinds []*Kind) error {
	if err := c.from.Prepare(ctx, kinds); err != nil {
		return fmt.Errorf("the source: %w", err)
	}
	if err := c.to.Prepare(ctx, kinds); err != nil {
		return fmt.Errorf("the target: %w", err)
	}
	source, err := c.source(ctx)
	if err != nil {
		return err
	}
	if c.state, err = c.to.CopyState(ctx); err != nil || c.state.Source == source {
		return err
	}
	if c.state.Source != 0 {
		return fmt.Errorf("%w: the target has the copy of another source, or of this one before it was changed: begin with an empty target", ErrCopyRefused)
	}
	there, err := c.to.Accounts(ctx)
	if err != nil {
		return err
	}
	if len(there) > 0 {
		return fmt.Errorf("%w: the target has records that are not of this copy: begin with an empty one", ErrCopyRefused)
	}
	c.state = CopyState{Source: source}
	return c.to.SetCopyState(ctx, c.state)
}

// source reads the accounts of the source, and returns a number that identifies its content.
func (c *copying) source(ctx context.Context) (int64, error) {
	state, err := c.from.CopyState(ctx)
	if err != nil {
		return 0, err
	}
	if state.Source != 0 && !state.Complete {
		return 0, fmt.Errorf("%w: the source is itself a copy that is not complete", ErrCopyRefused)
	}
	commits, err := c.from.Commits(ctx)
	if err != nil {
		return 0, err
	}
	if c.accounts, err = c.from.Accounts(ctx); err != nil {
		return 0, err
	}
	h := sha256.New()
	_ = binary.Write(h, binary.BigEndian, commits) // a hash returns no error
	for _, a := range c.accounts {
		h.Write(a[:])
	}
	return int64(binary.BigEndian.Uint64(h.Sum(nil))>>1) | 1, nil
}

func (c *copying) records(ctx context.Context, kinds []*Kind) error {
	for _, a := range c.accounts {
		for _, k := range kinds {
			if err := c.kind(ctx, a, k); err != nil {
				return fmt.Errorf("%s of account %s: %w", k.Name, a, err)
			}
		}
	}
	return nil
}

// kind copies the records of a kind that the target does not have. Since they are written
// in order, these are those after its last one.
func (c *copying) kind(ctx context.Context, a AccountID, k *Kind) error {
	after, err := c.last(ctx, a, k)
	if err != nil {
		return err
	}
	for {
		batch, err := c.from.ReadCopies(ctx, a, k, after, c.request.Batch)
		if errors.Is(err, ErrNotFound) {
			return fmt.Errorf("%w: the target has the record %s, and the source has not", ErrCopyRefused, after)
		}
		if err != nil || len(batch) == 0 {
			return err
		}
		for len(batch) > 0 {
			some := batch[:sizeOfBatch(batch)]
			batch = batch[len(some):]
			if err := c.write(ctx, a, k, some); err != nil {
				return err
			}
			after = some[len(some)-1].ID
		}
	}
}

// sizeOfBatch returns how many of the records one transaction writes: one at least.
func sizeOfBatch(batch []RecordCopy) int {
	size := 0
	for i, r := range batch {
		if size += len(r.Doc) + len(r.Private); size > batchBytes {
			return max(1, i)
		}
	}
	return len(batch)
}

func (c *copying) write(ctx context.Context, a AccountID, k *Kind, records []RecordCopy) error {
	for i := range records {
		r := &records[i]
		w, err := k.Render(Record{ID: r.ID, Version: r.Version, Doc: r.Doc, Private: r.Private})
		if err != nil {
			return fmt.Errorf("render %s: %w", r.ID, err)
		}
		r.Cols, r.Terms = w.Cols, w.Terms
		for m := range r.Marks {
			mark := &r.Marks[m]
			if mark.Counted || c.request.Counted == nil {
				continue
			}
			if mark.Counted, err = c.request.Counted(ctx, a, mark.Name); err != nil {
				return err
			}
		}
	}
	if err := c.to.WriteCopies(ctx, a, k, records); err != nil {
		return err
	}
	c.copied += int64(len(records))
	if c.request.Progress != nil {
		c.request.Progress(c.copied)
	}
	return nil
}

// last returns the ID of the record that the target has got last; zero for none.
func (c *copying) last(ctx context.Context, a AccountID, k *Kind) (id ID, err error) {
	err = c.to.View(ctx, a, func(tx RecordTx) error {
		records, n, err := tx.List(ctx, k, Filter{}, Page{Number: 1, Size: 1}, nil)
		if len(records) > 0 {
			id = records[0].ID
		}
		c.copied += int64(n)
		return err
	})
	return id, err
}

// queues copies all groups and jobs again: they have no order in which the copy could continue.
func (c *copying) queues(ctx context.Context) error {
	if err := c.to.ClearQueues(ctx); err != nil {
		return err
	}
	groups, err := c.from.ReadGroups(ctx)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(groups, c.request.Batch) {
		if err := c.to.WriteQueues(ctx, some, nil); err != nil {
			return err
		}
	}
	for place := int64(0); ; {
		jobs, err := c.from.ReadJobs(ctx, place, c.request.Batch)
		if err != nil || len(jobs) == 0 {
			return err
		}
		if err := c.to.WriteQueues(ctx, nil, jobs); err != nil {
			return err
		}
		place = jobs[len(jobs)-1].Place
	}
}

// finish compares both stores, and records that the copy is complete.
func (c *copying) finish(ctx context.Context) (CopyCounts, error) {
	want, err := c.from.CountCopies(ctx)
	if err != nil {
		return want, err
	}
	got, err := c.to.CountCopies(ctx)
	if err != nil {
		return want, err
	}
	if difference := want.compare(got); difference != "" {
		if c.state.Complete {
			difference += "; the copy was complete before"
		}
		return got, fmt.Errorf("the stores differ: %s", difference)
	}
	now, err := c.source(ctx)
	if err == nil && now != c.state.Source {
		err = fmt.Errorf("%w: the source has been changed while it was copied: end what writes to it, and begin with an empty target", ErrCopyRefused)
	}
	if err != nil || c.state.Complete {
		return got, err
	}
	return got, c.to.SetCopyState(ctx, CopyState{Source: c.state.Source, Complete: true})
}

// compare describes the first difference; empty for none.
func (c CopyCounts) compare(o CopyCounts) string {
	counts := func(c CopyCounts) map[string]int64 {
		all := map[string]int64{"jobs": c.Jobs, "groups of jobs": c.Groups, "marks": c.Marks}
		for name, n := range c.Records {
			all["records of the kind "+name] = n
		}
		return all
	}
	ours, theirs := counts(c), counts(o)
	both := maps.Clone(ours)
	maps.Copy(both, theirs)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		if ours[name] != theirs[name] {
			return fmt.Sprintf("%d %s in the source, and %d in the target", ours[name], name, theirs[name])
		}
	}
	return ""
}
