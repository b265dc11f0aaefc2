package tracking

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/program"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// programGeneration is the generation of the program: that of all kinds of records and
// of the rules together. It grows whenever one of them does.
var programGeneration = sync.OnceValue(func() int {
	n := journey.RulesVersion
	for _, s := range registry {
		n += s.Generation
	}
	return n
})

// codeNewerVersion is the code of errors about records of a newer program.
const codeNewerVersion = "newer_version"

// programRecord names the newest program that has opened the store.
type programRecord struct {
	Meta
	Generation int    `private:"generation"`
	Version    string `private:"version"` // of this module, as Go builds it in; empty if not known
}

var programs = newKind[programRecord]("program", nil, nil, nil)

var programID = table.NamedID("program", "")

// recordProgram stores the version of this program if it is the newest one.
func (e *engine) recordProgram(ctx context.Context) error {
	known, err := e.newestProgram(ctx)
	if err != nil || known.Generation >= programGeneration() {
		return err
	}
	known.Generation, known.Version = programGeneration(), program.Version()
	return e.update(ctx, AccountID{}, func(tx *transaction) error { return programs.Put(tx, known) })
}

func (e *engine) newestProgram(ctx context.Context) (*programRecord, error) {
	p := &programRecord{Meta: Meta{ID: programID}}
	err := e.config.Store.View(ctx, AccountID{}, func(r store.RecordTx) error {
		known, err := programs.Get(e.newTransaction(ctx, r, AccountID{}), programID)
		if err == nil {
			p = known
		}
		return ignoreNotFound(err)
	})
	return p, err
}

// describeNewer returns the error of a caller for a *store.NewerError, and any other as
// it is.
func (e *engine) describeNewer(err error) error {
	var n *store.NewerError
	if !errors.As(err, &n) {
		return err
	}
	what := "the " + n.Kind + " " + n.ID.String()
	if n.ID == (ID{}) {
		what = "records of the kind " + n.Kind
	}
	needs := "a later generation"
	if g := table.GenerationOf(n.Stored); g > 0 {
		needs = fmt.Sprintf("generation %d", g)
	}
	use := "Use a version with " + needs + " of " + n.Kind + "."
	if p, err := e.newestProgram(context.Background()); err == nil && p.Generation > programGeneration() && p.Version != "" {
		use = "Use version " + p.Version + " or a later one."
	} else if nodes, err := e.config.Store.Nodes(context.Background()); err == nil {
		if versions := newerVersions(nodes, n.Kind, n.Stored); len(versions) > 0 {
			use = "Use version " + versions[0] + ", of which a node runs, or a later one."
		}
	}
	return &Error{Kind: Unavailable, Code: codeNewerVersion, Detail: fmt.Sprintf(
		"A newer version of the program has stored %s in %s of %s; this version writes generation %d and leaves it as it is. %s",
		what, needs, n.Kind, table.GenerationOf(n.Known), use)}
}

// isNewer reports whether an error is about what a newer program has written.
func isNewer(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == codeNewerVersion || errors.As(err, new(*store.NewerError))
}

// newerRules is the error of a report about a shipment that newer rules have derived.
func newerRules(s *Shipment) *Error {
	return &Error{Kind: Unavailable, Code: codeNewerVersion, Detail: fmt.Sprintf(
		"A newer version of the program has derived the shipment %s by version %d of the rules; this version has the rules %d and does not derive it again. Use a version with the rules %d.",
		s.ID, s.Rules, journey.RulesVersion, s.Rules)}
}

// newerRecords returns which of the records a newer program has stored.
func newerRecords[T any](tx *transaction, n *resource[T], ids []ID) (newer map[ID]bool, err error) {
	newer = map[ID]bool{}
	return newer, addNewer(tx, n, ids, newer)
}

// addNewer notes in newer which of the records a newer program has stored.
func addNewer[T any](tx *transaction, n *resource[T], ids []ID, newer map[ID]bool) error {
	list, err := tx.Records.GetMany(tx, n.Kind, ids, nil)
	addNewerOf(list, newer)
	return err
}

// getManyAndNewer is GetMany that notes in newer which of the records a newer program has
// stored; nil notes nothing.
func getManyAndNewer[T any](tx *transaction, n *resource[T], ids []ID, newer map[ID]bool) ([]*T, error) {
	list, err := tx.Records.GetMany(tx, n.Kind, ids, make([]store.Record, 0, len(ids)))
	if err != nil {
		return nil, err
	}
	addNewerOf(list, newer)
	return n.DecodeAll(list)
}

func addNewerOf(list []store.Record, newer map[ID]bool) {
	for _, r := range list {
		if r.Newer && newer != nil {
			newer[r.ID] = true
		}
	}
}

// newerRetryDelay is how long a job waits that a newer program has to do, and
// newerNodeDelay the same while a node of a newer program runs, which may claim it next.
const (
	newerRetryDelay = time.Hour
	newerNodeDelay  = 2 * time.Second
)

// jobSubjects has the kind of the record that a job is about, for jobs that ask a
// carrier or read a file before they write it.
var jobSubjects = map[store.JobKind]*store.Kind{
	jobRequest: trackingRequests.Kind, jobRefresh: shipments.Kind, jobDocument: documents.Kind, jobRecognize: documents.Kind, jobRotate: documents.Kind,
}

// isOfNewer reports whether a job can only be done by a newer program, because its
// result could not be written.
func (t *Tracker) isOfNewer(ctx context.Context, j store.Job) bool {
	kind, ok := jobSubjects[j.Kind]
	if !ok {
		return false
	}
	newer := false
	err := t.config.Store.View(ctx, j.Account, func(r store.RecordTx) error {
		found, err := r.Get(ctx, kind, j.Ref)
		newer = found.Newer
		return err
	})
	return err == nil && newer
}

// leaveToNewer postpones a job that this program cannot do, so that it does not run
// again and again.
func (t *Tracker) leaveToNewer(ctx context.Context, j store.Job) error {
	delay := newerRetryDelay
	if t.hasNewer() {
		delay = newerNodeDelay
	} else {
		t.log.Warn("background work is left to a newer version of the program", "kind", j.Kind, "ref", j.Ref)
	}
	turn, cancel := context.WithTimeout(ctx, t.config.WriteWait)
	defer cancel()
	return t.config.Store.Update(turn, j.Account, func(r store.RecordTx) error {
		return r.Postpone(ctx, j, t.config.Clock.Now().Add(delay))
	})
}

// Each account has in its ledger which program generation all its records have at
// least (Renewed), and which one they are being brought to (Renewing). An older
// program that writes in the account lowers both, so that the newer one brings the
// account up to date again.

// lower notes that this program writes in the account.
func (l *ledger) lower() {
	l.Renewing, l.Renewed = min(l.Renewing, programGeneration()), min(l.Renewed, programGeneration())
}

// renewBatch rewrites a batch of records of earlier generations, or derives a batch of
// shipments of earlier rules again. done: no account has any.
func (t *Tracker) renewBatch(ctx context.Context) (done bool, err error) {
	u := &t.upkeep
	if !u.listed {
		if u.scopes, err = t.scopesToRenew(ctx); err != nil {
			return false, err
		}
		u.listed = true
	}
	if len(u.scopes) == 0 {
		return true, nil
	}
	scope := u.scopes[0]
	more, err := t.renewScope(ctx, scope)
	if errors.Is(err, errAccountDeleted) {
		more, err = false, nil
	}
	if err != nil || more {
		return false, err
	}
	u.scopes = u.scopes[1:]
	delete(u.pages, scope)
	return len(u.scopes) == 0, nil
}

// scopesToRenew returns the system scope, and the accounts that may have records of
// earlier generations.
func (t *Tracker) scopesToRenew(ctx context.Context) (scopes []AccountID, err error) {
	err = t.forEachScope(ctx, func(a AccountID) error {
		return t.view(ctx, a, func(tx *transaction) error {
			if a != (AccountID{}) {
				l, err := ledgers.Get(tx, ledgerID)
				if isNotFound(err) || err == nil && l.Renewed >= programGeneration() {
					return nil
				}
				if err != nil {
					return err
				}
			}
			scopes = append(scopes, a)
			return nil
		})
	})
	return scopes, err
}

// renewScope brings a batch of one scope up to date. more: there may be more to do.
func (t *Tracker) renewScope(ctx context.Context, a AccountID) (more bool, err error) {
	inAccount := a != (AccountID{})
	if inAccount && t.upkeep.pages[a] == 0 {
		err := t.update(ctx, a, func(tx *transaction) error {
			tx.ledger.Renewing = max(tx.ledger.Renewing, programGeneration())
			if tx.ledger.Tariffs > 0 { // costs of an earlier program lack marks
				return enqueueRecount(tx)
			}
			return nil
		})
		if err != nil {
			return false, err
		}
	}
	if n, err := t.rewrite(ctx, a); err != nil || n > 0 {
		return true, err
	}
	if !inAccount {
		return false, nil
	}
	if t.upkeep.pages == nil {
		t.upkeep.pages = map[AccountID]int{}
	}
	n, last, err := t.rederivePage(ctx, a, t.upkeep.pages[a]+1)
	if err != nil || n > 0 {
		return true, err
	}
	t.upkeep.pages[a]++
	if !last {
		return true, nil
	}
	t.upkeep.pages[a] = 0
	renewed := false
	err = t.update(ctx, a, func(tx *transaction) error {
		if renewed = tx.ledger.Renewing >= programGeneration(); renewed {
			tx.ledger.Renewed = max(tx.ledger.Renewed, programGeneration())
		}
		return nil
	})
	return !renewed, err // otherwise an older program has written meanwhile
}

// rewrite rewrites a batch of outdated records of an account.
func (t *Tracker) rewrite(ctx context.Context, a AccountID) (n int, err error) {
	kinds, err := t.outdatedKinds(ctx, a)
	for _, k := range kinds {
		if n, err = t.rewriteKind(ctx, a, k); err != nil || n > 0 {
			return n, err
		}
	}
	return 0, err
}

// outdatedKinds returns the kinds of which the account has outdated records.
func (t *Tracker) outdatedKinds(ctx context.Context, a AccountID) (found []*store.Kind, err error) {
	err = t.config.Store.View(ctx, a, func(r store.RecordTx) error {
		found = nil
		for _, k := range allKinds() {
			rows, _, err := r.List(ctx, k, store.Filter{Outdated: true}, Page{Number: 1, Size: 1}, nil)
			if err != nil {
				return err
			}
			if len(rows) > 0 {
				found = append(found, k)
			}
		}
		return nil
	})
	return found, err
}

// rewriteKind rewrites a batch of outdated records of one kind, and returns how many.
// Those that cannot be read stay.
func (t *Tracker) rewriteKind(ctx context.Context, a AccountID, kind *store.Kind) (n int, err error) {
	err = t.config.Store.Update(ctx, a, func(r store.RecordTx) error {
		rows, _, err := r.List(ctx, kind, store.Filter{Outdated: true}, Page{Number: 1, Size: rewriteBatchSize}, nil)
		if err != nil {
			return err
		}
		n = len(rows)
		for _, row := range rows {
			w, err := kind.Render(row)
			if err != nil {
				t.log.Error("a record cannot be rewritten", "kind", kind.Name, "id", row.ID, "error", err)
				n--
				continue
			}
			if _, err := r.Put(ctx, kind, w); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}
