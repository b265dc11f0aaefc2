package tracking

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// retentionRules has a row for each kind whose records are deleted by age.
// Shipments, containers and facts are kept for ever.
var retentionRules = []retentionRule{
	agedBy(onces, "created_at", func(*Config) time.Duration { return onceKept }, func(o *onceRecord) time.Time { return o.CreatedAt }),
	{attempts.Kind, deliveryRetention, func(end time.Time) store.Filter { return DeliveryAttemptQuery{Ended: TimeRange{To: end}}.filter() }},
	{notifications.Kind, deliveryRetention, func(end time.Time) store.Filter {
		return WebhookNotificationQuery{Created: TimeRange{To: end}}.filter()
	}},
	agedBy(eventSnapshots, "created_at", deliveryRetention, func(s *eventSnapshot) time.Time { return s.At }),
	agedBy(auditEvents, "created_at", auditRetention, func(a *AuditEvent) time.Time { return a.CreatedAt }),
	{shareLinks.Kind, func(*Config) time.Duration { return shareLinkRetention }, expiredShareLinks},
	agedBy(recoveries, "created_at", deliveryRetention, func(r *WebhookRecovery) time.Time { return r.CreatedAt }),
}

type retentionRule struct {
	kind *store.Kind
	keep func(*Config) time.Duration
	// until selects the records from before that time.
	until func(time.Time) store.Filter
}

// agedBy returns a rule by a column. The oldest records are deleted first, so that what is
// left of recorded events has no gap at any time.
func agedBy[T any](n *resource[T], column string, keep func(*Config) time.Duration, at func(*T) time.Time) retentionRule {
	return retentionRule{n.Kind, keep, func(end time.Time) store.Filter {
		var w where[T]
		w.Times(column, time.Time{}, end, at)
		w.Sort = []Order{{}}
		return w.Filter(n)
	}}
}

func auditRetention(c *Config) time.Duration { return c.AuditRetention }

func deliveryRetention(c *Config) time.Duration { return c.Delivery.Retention }

const (
	sweepInterval    = time.Hour
	sweepBatchSize   = 500
	rewriteBatchSize = 200
)

// upkeep is the state of background maintenance in this process.
type upkeep struct {
	mu        sync.Mutex
	nextSweep time.Time
	nextBlobs time.Time // when blobs are swept
	// renewed: every record has its present generation, and the present rules have
	// derived every shipment. listed: scopes has those where that is not known.
	renewed, listed bool
	// waits: nodes of an earlier version run, which could not change renewed records.
	waits  bool
	scopes []AccountID
	// maintained: the store has no work of its own until the next sweep.
	maintained bool
	// pages counts the pages of each account's shipments that have been checked.
	pages map[AccountID]int
	// failed is the error of the last round; a pointer to nil after a success.
	failed atomic.Pointer[error]
}

// upkeepRound sweeps old records, and rewrites or rederives a batch of records of
// earlier generations or rules, or lets the store work. more: there is more to do at once.
func (t *Tracker) upkeepRound(ctx context.Context) (more bool, err error) {
	t.upkeep.mu.Lock()
	defer t.upkeep.mu.Unlock()
	defer func() {
		if ctx.Err() == nil {
			t.upkeep.failed.Store(&err)
		}
	}()
	waits := t.waitsForOlder()
	if t.upkeep.waits && !waits { // the older nodes have written, and are gone
		t.upkeep.renewed, t.upkeep.listed, t.upkeep.maintained = false, false, false
	}
	t.upkeep.waits = waits
	if !t.upkeep.renewed && !waits {
		if t.upkeep.renewed, err = t.renewBatch(ctx); err != nil {
			return false, err
		}
		more = !t.upkeep.renewed
	}
	if !t.upkeep.maintained && !more {
		if t.upkeep.maintained, err = t.maintainStore(ctx); err != nil {
			return false, err
		}
		more = !t.upkeep.maintained
	}
	if now := t.now(); !now.Before(t.upkeep.nextSweep) {
		if err := t.sweep(ctx, now); err != nil {
			return more, err
		}
		t.upkeep.nextSweep = now.Add(sweepInterval)
		// An older program may have written since.
		if t.upkeep.renewed {
			t.upkeep.renewed, t.upkeep.listed = false, false
		}
		t.upkeep.maintained = false
	}
	if now := t.now(); !now.Before(t.upkeep.nextBlobs) {
		if err := t.sweepBlobs(ctx, now); err != nil {
			if ctx.Err() != nil {
				return more, err
			}
			// The blobs stay a day longer. That is no reason to refuse service.
			t.log.Error("some blobs without a document were not removed", "error", err)
		}
		t.upkeep.nextBlobs = now.Add(blobSweepEvery)
	}
	return more, nil
}

// maintainStore lets the store do a part of its own work.
func (t *Tracker) maintainStore(ctx context.Context) (done bool, err error) {
	s, ok := t.config.Store.(store.Maintainer)
	if !ok {
		return true, nil
	}
	more, err := s.Maintain(ctx)
	return err == nil && !more, err
}

// sweep deletes records that have outlived their retention, fails expired
// notifications, and reseals secrets of old master keys.
func (t *Tracker) sweep(ctx context.Context, now time.Time) error {
	if err := t.moveAuditEvents(ctx); err != nil {
		return err
	}
	ofSystem := AuditEventQuery{Created: TimeRange{To: now.Add(-t.config.AuditRetention)}}
	if err := t.deleteMatching(ctx, AccountID{}, auditEvents.Kind, ofSystem.filter()); err != nil {
		return err
	}
	if err := t.deleteMatching(ctx, AccountID{}, sessions.Kind, expiredSessions(now)); err != nil {
		return err
	}
	return t.forEachAccount(ctx, func(a AccountID) error {
		for _, err := range []error{t.updateUntilNone(ctx, a, expireBatch), t.resealAll(ctx, a)} {
			if isNewer(err) {
				t.log.Warn("records of a newer version of the program were left as they are", "account", a, "error", err)
			} else if err != nil {
				return err
			}
		}
		if err := t.deleteMatching(ctx, a, uploads.Kind, abandoned(now.Add(-uploadRetention))); err != nil {
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

// forEachScope calls fn for the system scope and every account.
func (t *Tracker) forEachScope(ctx context.Context, fn func(AccountID) error) error {
	if err := fn(AccountID{}); err != nil {
		return err
	}
	return t.forEachAccount(ctx, fn)
}

// forEachAccount calls fn for every account that is not being deleted.
func (t *Tracker) forEachAccount(ctx context.Context, fn func(AccountID) error) error {
	var ids []AccountID
	err := t.view(ctx, AccountID{}, func(tx *transaction) error {
		list, err := accounts.All(tx, where[Account]{})
		for _, a := range list {
			if a.DeletedAt.IsZero() {
				ids = append(ids, a.Scope())
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, a := range ids {
		if err := fn(a); err != nil && !errors.Is(err, errAccountDeleted) {
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

// heartbeat is a record of the system, written to find out whether the store
// accepts writes.
type heartbeat struct {
	Meta
	Beats int64 `private:"beats"`
	// Ballast makes it as large as a usual update, so that its write fails on a
	// disk that is too full for those.
	Ballast string `private:"ballast"`
}

var heartbeats = newKind[heartbeat]("pulse", nil, nil, nil)

var (
	heartbeatID      = table.NamedID("pulse", "")
	heartbeatPadding = strings.Repeat(".", 32<<10)
)

// Ready returns nil if the engine can do its work, or else why not. It makes a
// small durable change, which fails on a full disk, a read-only file system or a
// blocked writer; it waits for its turn at most as long as ctx and Config.WriteWait
// allow. It also asks Config.Blobs if they are ReadyBlobs, and returns the error of
// the last round of upkeep, such as records of an older revision that cannot be
// rewritten. Each call is a commit: callers that ask often should share one call,
// as httpserver does.
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
	return t.update(ctx, AccountID{}, func(tx *transaction) error {
		p, err := heartbeats.Get(tx, heartbeatID)
		if ignoreNotFound(err) != nil {
			return err
		}
		if err != nil {
			p = &heartbeat{Meta: Meta{ID: heartbeatID}}
		}
		p.Beats, p.Ballast = p.Beats+1, heartbeatPadding
		return heartbeats.Put(tx, p)
	})
}

// CheckRequest and CheckReport are those of package store.
type (
	CheckRequest = store.CheckRequest
	CheckReport  = store.CheckReport
)

// Check checks the whole store: whether the file is intact, and whether every
// document can be read and found; with Config.Blobs, also whether the bytes of each
// document are those that were received. It is for the operator and may run along with a
// server: it works in batches, so that neither writers nor checkpoints wait for
// long. A change made in the meantime is seen as it was before or after. A problem
// is not an error; an error means that the check could not be done.
func (t *Tracker) Check(ctx context.Context, c CheckRequest) (CheckReport, error) {
	if err := t.operator(); err != nil {
		return CheckReport{}, err
	}
	checker, ok := t.config.Store.(store.Checker)
	if !ok {
		return CheckReport{}, fmt.Errorf("tracking: %w: a %T cannot be checked", errors.ErrUnsupported, t.config.Store)
	}
	report, err := checker.Check(ctx, allKinds(), c)
	if err != nil {
		return report, err
	}
	return report, t.checkBlobs(ctx, c, &report)
}
