package tracking

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/landfallhq/tracking/internal/workers"
	"github.com/landfallhq/tracking/store"
)

// Kinds of background jobs.
const (
	jobRequest       store.JobKind = "tracking_request" // ask a source about a pending tracking request
	jobRefresh       store.JobKind = "refresh"          // ask a source about a shipment again
	jobCheckWindows  store.JobKind = "watch"            // check whether to stop following a shipment
	jobRename        store.JobKind = "rename"           // copy a party's new name to its shipments
	jobHeldChanges   store.JobKind = "news"             // announce changes that were delayed
	jobRecover       store.JobKind = "recover"          // send the notifications of a webhook again
	jobRelease       store.JobKind = "release"          // send the notifications of a resumed shipment
	jobFailPending   store.JobKind = "abandon"          // fail the pending notifications of a deleted webhook
	jobDocument      store.JobKind = "document"         // read a document
	jobLinkDocuments store.JobKind = "link_documents"   // link the documents that name a shipment
	jobRotate        store.JobKind = "rotate"           // turn a picture

	jobRerenderFields store.JobKind = "rerender_fields" // render the values of a custom field again
	jobClearField     store.JobKind = "clear_field"     // remove the values of a deleted custom field

	jobDelivery store.JobKind = "delivery" // deliver a notification; see deliveries.go
)

var jobHandlers map[store.JobKind]func(*Tracker, context.Context, store.Job) error

func init() {
	jobHandlers = map[store.JobKind]func(*Tracker, context.Context, store.Job) error{
		jobRequest:      (*Tracker).pollRequest,
		jobRefresh:      (*Tracker).pollShipment,
		jobCheckWindows: (*Tracker).checkWindows,
		jobRename:       (*Tracker).renameCustomer,
		jobHeldChanges:  (*Tracker).announceWaiting,
		jobRecover:      (*Tracker).recoverWebhook,
		jobRelease:      (*Tracker).releaseHeld,
		jobFailPending:  (*Tracker).failPending,

		jobRerenderFields: (*Tracker).rerenderFields,
		jobClearField:     (*Tracker).clearDefinition,
		jobDocument:       (*Tracker).processDocument,
		jobLinkDocuments:  (*Tracker).linkDocuments,
		jobRotate:         (*Tracker).rotateDocument,
	}
}

// Run does the background work until ctx ends or the engine is closed: it polls
// sources, retries tracking requests, delivers notifications and does upkeep. It
// returns nil after the work under way has ended. Several processes may run it on
// one store.
func (t *Tracker) Run(ctx context.Context) error {
	var delivering sync.WaitGroup
	defer delivering.Wait()
	if t.config.Notifier != nil {
		delivering.Go(func() { t.deliveries.Run(ctx) })
	}
	t.jobs.Run(ctx)
	return nil
}

// RunOnce does one round of due work by the Clock and returns when more is due, or
// the zero time if nothing is. It is for tests that move their clock.
func (t *Tracker) RunOnce(ctx context.Context) (next time.Time, err error) {
	more := t.runUpkeep(ctx)
	all, err := t.jobs.Once(ctx)
	if err != nil {
		return time.Time{}, err
	}
	kinds := jobKinds()
	if t.config.Notifier != nil {
		if _, err := t.deliveries.Once(ctx); err != nil {
			return time.Time{}, err
		}
		kinds = append(kinds, jobDelivery)
	}
	if more || !all {
		return t.config.Clock.Now(), nil // there may be more
	}
	return t.config.Store.NextDue(ctx, kinds)
}

func jobKinds() []store.JobKind { return slices.Sorted(maps.Keys(jobHandlers)) }

// jobLease is how long a job is leased: as long as one question to a source, and what
// follows it.
func (e *engine) jobLease() time.Duration { return e.config.SourceTimeout + 30*time.Second }

// newJobs returns the workers of all jobs but deliveries. They claim only what they
// can begin at once, because a lease is as long as one question to a source.
func (t *Tracker) newJobs() *workers.Pool[*workers.Task] {
	c := &t.config
	return workers.New(workers.Config[*workers.Task]{
		Name: "background work", Log: t.log, Store: c.Store, WriteWait: c.WriteWait, Now: c.Clock.Now,
		Kinds: jobKinds(), Lease: t.jobLease(),
		// A carrier that does not answer leaves workers for the others.
		Workers: c.Workers, PerGroup: (c.Workers + 1) / 2, ReadAhead: 1, GroupReadAhead: 1,
		Before: t.runUpkeep,
		New:    func() *workers.Task { return new(workers.Task) },
		Run:    func(ctx context.Context, task *workers.Task) { t.runJob(ctx, task.Job) },
	})
}

// runUpkeep does one round of upkeep. more: there is more to do at once.
func (t *Tracker) runUpkeep(ctx context.Context) (more bool) {
	more, err := t.upkeepRound(ctx)
	if ctx.Err() == nil {
		// A failure must not stop the jobs.
		t.outages.upkeep.Record(t.log, t.now(), "upkeep", err)
	}
	return more
}

// runJob runs one job. A job that fails keeps its lease and is claimed again after
// that.
func (t *Tracker) runJob(ctx context.Context, j store.Job) {
	defer func() {
		if p := recover(); p != nil {
			t.log.Error("background job panicked", "kind", j.Kind, "ref", j.Ref, "panic", p)
		}
	}()
	if err := jobHandlers[j.Kind](t, ctx, j); err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrLeaseLost) {
		t.log.Error("background job failed", "kind", j.Kind, "ref", j.Ref, "attempt", j.Attempt, "error", err)
	}
}

// outages are failures that go on, besides those of the workers.
type outages struct{ upkeep, keyUses workers.Outage }
