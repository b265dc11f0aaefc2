package tracking

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/landfallhq/tracking/store"
)

// retentionRules says what ages: one row for each kind that is swept, with how long
// its records are kept. Shipments, containers and facts are kept for ever.
var retentionRules = []struct {
	kind *store.Kind
	keep func(*Config) time.Duration
	// until selects the records from before that time.
	until func(time.Time) store.Filter
}{
	{onces.kind, func(*Config) time.Duration { return onceKept }, func(end time.Time) store.Filter {
		var w where[onceRecord]
		w.times("created_at", TimeRange{To: end}, func(o *onceRecord) time.Time { return o.CreatedAt })
		return w.filter(onces)
	}},
	{attempts.kind, deliveryRetention, func(end time.Time) store.Filter { return DeliveryAttemptQuery{Ended: TimeRange{To: end}}.filter() }},
	{notifications.kind, deliveryRetention, func(end time.Time) store.Filter {
		return WebhookNotificationQuery{Created: TimeRange{To: end}}.filter()
	}},
	{eventSnapshots.kind, deliveryRetention, func(end time.Time) store.Filter {
		var w where[eventSnapshot]
		w.times("created_at", TimeRange{To: end}, func(o *eventSnapshot) time.Time { return o.At })
		return w.filter(eventSnapshots)
	}},
	{recoveries.kind, deliveryRetention, func(end time.Time) store.Filter {
		var w where[WebhookRecovery]
		w.times("created_at", TimeRange{To: end}, func(r *WebhookRecovery) time.Time { return r.CreatedAt })
		return w.filter(recoveries)
	}},
}

func deliveryRetention(c *Config) time.Duration { return c.Delivery.Retention }

const (
	sweepInterval    = time.Hour
	sweepBatchSize   = 500
	rewriteBatchSize = 200
)

// upkeep is what this process remembers of its own housekeeping.
type upkeep struct {
	mu        sync.Mutex
	nextSweep time.Time
	nextBlobs time.Time // when blobs are looked through
	rewritten bool      // every record is stored in its present revision
	rederived bool      // every shipment is derived by the present rules
	// pages is how many of each account's shipments were gone through for that.
	pages map[AccountID]int
	// failed is what became of the last round; a pointer to nil is a good end.
	failed atomic.Pointer[error]
}

// storedRevisions is the system's memory of which kinds are stored in their present
// revision throughout, and by which rules all shipments are derived.
type storedRevisions struct {
	Meta
	Kinds map[string]string `private:"kinds"`
	Rules int               `private:"rules"`
}

var revisionRecords = newKind[storedRevisions]("revisions", nil, nil, nil)

var revisionsID = named("revisions", "")

// upkeepRound sweeps what has aged and rewrites a batch of what is stored in an
// older revision or derived by older rules. more: there is more to do at once.
func (t *Tracker) upkeepRound(ctx context.Context) (more bool, err error) {
	t.upkeep.mu.Lock()
	defer t.upkeep.mu.Unlock()
	defer func() {
		if ctx.Err() == nil {
			t.upkeep.failed.Store(&err)
		}
	}()
	for _, task := range []struct {
		done *bool
		some func(context.Context) (done bool, err error)
	}{{&t.upkeep.rewritten, t.rewriteBatch}, {&t.upkeep.rederived, t.rederiveBatch}} {
		if *task.done || more {
			continue
		}
		if *task.done, err = task.some(ctx); err != nil {
			return false, err
		}
		more = !*task.done
	}
	if now := t.now(); !now.Before(t.upkeep.nextSweep) {
		if err := t.sweep(ctx, now); err != nil {
			return more, err
		}
		t.upkeep.nextSweep = now.Add(sweepInterval)
	}
	if now := t.now(); !now.Before(t.upkeep.nextBlobs) {
		if err := t.sweepBlobs(ctx, now); err != nil {
			if ctx.Err() != nil {
				return more, err
			}
			// What is left over stays a day longer: no reason to refuse service.
			t.log.Error("blobs of no document could not all be removed", "error", err)
		}
		t.upkeep.nextBlobs = now.Add(blobSweepEvery)
	}
	return more, nil
}

// sweep deletes what has outlived its retention, ends what has waited too long, and
// seals anew what is sealed with a former master key.
func (t *Tracker) sweep(ctx context.Context, now time.Time) error {
	return t.forEachAccount(ctx, func(a AccountID) error {
		if err := errors.Join(t.expireAll(ctx, a), t.resealAll(ctx, a)); err != nil {
			return err
		}
		if err := t.deleteMatching(ctx, a, uploads.kind, abandoned(now.Add(-uploadRetention))); err != nil {
			return err
		}
		for _, rule := range retentionRules {
			if err := t.deleteMatching(ctx, a, rule.kind, rule.until(now.Add(-rule.keep(&t.config)))); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *Tracker) deleteMatching(ctx context.Context, a AccountID, k *store.Kind, f store.Filter) error {
	for {
		left := 0
		err := t.config.Store.Update(ctx, a, func(r store.RecordTx) error {
			rows, total, err := r.List(ctx, k, f, Page{Number: 1, Size: sweepBatchSize}, nil)
			if err != nil {
				return err
			}
			left = total - len(rows)
			for _, row := range rows {
				if err := r.Delete(ctx, k, row.ID); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || left == 0 {
			return err
		}
	}
}

// rewriteBatch rewrites up to one batch of outdated records. done: there are
// none left, and the store knows it.
func (t *Tracker) rewriteBatch(ctx context.Context) (done bool, err error) {
	want := map[string]string{}
	for name, n := range registry {
		want[name] = n.store().Revision
	}
	stored, err := t.loadRevisions(ctx)
	if err != nil || maps.Equal(stored.Kinds, want) {
		return err == nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if stored.Kinds[name] == want[name] {
			continue
		}
		wrote := false
		err := t.forEachScope(ctx, func(a AccountID) error {
			n, err := t.rewrite(ctx, a, registry[name].store())
			wrote = wrote || n > 0
			return err
		})
		if err != nil || wrote {
			return false, err
		}
	}
	stored.Kinds = want
	err = t.update(ctx, AccountID{}, func(tx *Tx) error { return table(tx, revisionRecords).Put(stored) })
	return err == nil, err
}

func (t *Tracker) loadRevisions(ctx context.Context) (*storedRevisions, error) {
	stored := &storedRevisions{Meta: Meta{ID: revisionsID}}
	err := t.view(ctx, AccountID{}, func(tx *Tx) error {
		known, err := table(tx, revisionRecords).Get(revisionsID)
		if err == nil {
			stored = known
		}
		return ignoreNotFound(err)
	})
	return stored, err
}

// rewrite writes a batch of outdated records of one kind anew.
func (t *Tracker) rewrite(ctx context.Context, a AccountID, k *store.Kind) (n int, err error) {
	err = t.config.Store.Update(ctx, a, func(r store.RecordTx) error {
		rows, _, err := r.List(ctx, k, store.Filter{Outdated: true}, Page{Number: 1, Size: rewriteBatchSize}, nil)
		if err != nil {
			return err
		}
		n = len(rows)
		for _, row := range rows {
			w, err := k.Render(row)
			if err != nil {
				t.log.Error("a record cannot be rewritten", "kind", k.Name, "id", row.ID, "error", err)
				n--
				continue
			}
			if _, err := r.Put(ctx, k, w); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// forEachScope visits the system scope and every account.
func (t *Tracker) forEachScope(ctx context.Context, fn func(AccountID) error) error {
	if err := fn(AccountID{}); err != nil {
		return err
	}
	return t.forEachAccount(ctx, fn)
}

func (t *Tracker) forEachAccount(ctx context.Context, fn func(AccountID) error) error {
	var ids []AccountID
	err := t.view(ctx, AccountID{}, func(tx *Tx) error {
		list, err := table(tx, accounts).All(where[Account]{})
		for _, a := range list {
			ids = append(ids, a.Scope())
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, a := range ids {
		if err := fn(a); err != nil {
			return err
		}
	}
	return nil
}

func ignoreNotFound(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// heartbeat is the system's own record, which is written to see whether the store
// takes writes.
type heartbeat struct {
	Meta
	Beats int64 `private:"beats"`
	// Ballast makes it as large as a usual update: on a disk that is nearly
	// full it must not find room where those do not.
	Ballast string `private:"ballast"`
}

var heartbeats = newKind[heartbeat]("pulse", nil, nil, nil)

var (
	heartbeatID      = named("pulse", "")
	heartbeatPadding = strings.Repeat(".", 32<<10)
)

// Ready reports whether the engine can do its work: nil, or why not. It makes a
// small durable change, so it notices a full disk, a read-only file system and
// a writer that is blocked; ctx bounds the wait for its turn, as does
// Config.WriteWait. Config.Blobs that are ReadyBlobs are asked too. It also returns what the last round of upkeep failed with,
// such as records of an older revision that cannot be rewritten. Each call is a
// commit: callers that ask often share one call, as httpserver does.
func (t *Tracker) Ready(ctx context.Context) error {
	if t.closed.Load() {
		return ErrClosed
	}
	if err := t.upkeep.failed.Load(); err != nil && *err != nil {
		return fmt.Errorf("upkeep: %w", *err)
	}
	if err := t.writeHeartbeat(ctx); err != nil {
		return err
	}
	if blobs, ok := t.config.Blobs.(ReadyBlobs); ok {
		return blobs.Ready(ctx)
	}
	return nil
}

func (t *Tracker) writeHeartbeat(ctx context.Context) error {
	return t.update(ctx, AccountID{}, func(tx *Tx) error {
		p, err := table(tx, heartbeats).Get(heartbeatID)
		if ignoreNotFound(err) != nil {
			return err
		}
		if err != nil {
			p = &heartbeat{Meta: Meta{ID: heartbeatID}}
		}
		p.Beats, p.Ballast = p.Beats+1, heartbeatPadding
		return table(tx, heartbeats).Put(p)
	})
}

// CheckRequest, CheckReport and Problem are those of the store, which looks itself over.
type (
	CheckRequest = store.CheckRequest
	CheckReport  = store.CheckReport
	Problem      = store.Problem
)

// Check looks through everything that the store keeps: whether the file is
// whole, and whether every document can be read and is found by what it says.
// It is for the operator. It may be run beside a running server: it works in
// batches, so that neither writers nor checkpoints wait for it for long, and
// what changes meanwhile is seen before or after the change. A problem is no
// error; an error means that the check could not be done.
func (t *Tracker) Check(ctx context.Context, c CheckRequest) (CheckReport, error) {
	if err := t.operator(); err != nil {
		return CheckReport{}, err
	}
	checker, ok := t.config.Store.(store.Checker)
	if !ok {
		return CheckReport{}, fmt.Errorf("tracking: %w: a %T has no check of its own", errors.ErrUnsupported, t.config.Store)
	}
	return checker.Check(ctx, allKinds(), c)
}
