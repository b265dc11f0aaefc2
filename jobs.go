package tracking

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

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

	jobDelivery store.JobKind = "delivery" // deliver a notification; run by the dispatcher
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

func jobKinds() []store.JobKind {
	return []store.JobKind{
		jobRequest, jobRefresh, jobCheckWindows, jobRename, jobHeldChanges, jobRecover, jobRelease, jobFailPending, jobRerenderFields, jobClearField,
		jobDocument, jobLinkDocuments, jobRotate,
	}
}

func (e *engine) wakeWorkers() { signal(e.workerWake) }

// signal sends to a channel with a buffer of one, unless it is full.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// idlePoll is the longest sleep of Run: other processes on the same store enqueue
// jobs without waking this one.
const idlePoll = time.Second

// Run does the background work until ctx ends or the engine is closed: it polls
// sources, retries tracking requests, delivers notifications and does upkeep. It
// returns nil after the work under way has ended. Several processes may run it on
// one store.
func (t *Tracker) Run(ctx context.Context) error {
	var dispatching sync.WaitGroup
	defer dispatching.Wait()
	if t.config.Notifier != nil {
		dispatching.Go(func() { newDispatcher(t).run(ctx) })
	}
	pool := newWorkerPool(t)
	defer pool.running.Wait()
	for ctx.Err() == nil && !t.closed.Load() {
		next, err := pool.poll(ctx)
		if ctx.Err() == nil && !t.closed.Load() {
			t.outages.work.record(t.log, t.now(), "background work", err)
		}
		timer := time.NewTimer(min(idlePoll, max(0, next.Sub(t.config.Clock.Now()))))
		select {
		case <-ctx.Done():
		case <-t.workerWake:
		case <-pool.freed:
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

// RunOnce does one round of due work by the Clock and returns when more is due, or
// the zero time if nothing is. It is for tests that move their clock.
func (t *Tracker) RunOnce(ctx context.Context) (next time.Time, err error) {
	more := t.runUpkeep(ctx)
	pool := newWorkerPool(t)
	all, err := pool.claim(ctx)
	if err != nil {
		return time.Time{}, err
	}
	pool.running.Wait()
	if err := t.deliverOnce(ctx); err != nil {
		return time.Time{}, err
	}
	if more || !all {
		return t.config.Clock.Now(), nil // there may be more
	}
	kinds := jobKinds()
	if t.config.Notifier != nil {
		kinds = append(kinds, deliveryKinds...)
	}
	return t.config.Store.NextDue(ctx, kinds)
}

// workerPool runs jobs, at most Config.Workers at a time. It claims only jobs that
// it can begin at once, because a lease is as long as one question to a source.
type workerPool struct {
	t       *Tracker
	slots   chan struct{} // one element per running job
	freed   chan struct{} // signals that a job has ended
	running sync.WaitGroup
}

func newWorkerPool(t *Tracker) *workerPool {
	return &workerPool{t: t, slots: make(chan struct{}, t.config.Workers), freed: make(chan struct{}, 1)}
}

// poll begins due jobs and returns when to poll next if nothing wakes it earlier.
func (c *workerPool) poll(ctx context.Context) (time.Time, error) {
	now := c.t.config.Clock.Now()
	more := c.t.runUpkeep(ctx)
	all, err := c.claim(ctx)
	switch {
	case more:
		return now, err
	case err != nil || !all:
		return now.Add(idlePoll), err // or when a job ends
	}
	next, err := c.t.config.Store.NextDue(ctx, jobKinds())
	if !next.After(now) {
		// Nothing is due, or the due jobs are of a group that has its share.
		next = now.Add(idlePoll)
	}
	return next, err
}

// claim begins as many due jobs as there are free workers. all: no more are due
// now.
func (c *workerPool) claim(ctx context.Context) (all bool, err error) {
	free := cap(c.slots) - len(c.slots)
	if free == 0 {
		return false, nil
	}
	jobs, err := c.t.config.Store.Claim(ctx, store.ClaimRequest{
		// Job times are exact while shown times are whole seconds.
		Kinds: jobKinds(), Now: c.t.config.Clock.Now().UTC(), Lease: c.t.config.SourceTimeout + 30*time.Second,
		// A carrier that does not answer leaves workers for the others.
		Limit: free, PerGroup: (c.t.config.Workers + 1) / 2,
	})
	for _, j := range jobs {
		c.slots <- struct{}{}
		c.running.Go(func() {
			defer func() {
				<-c.slots
				signal(c.freed)
			}()
			c.t.runJob(ctx, j)
		})
	}
	return len(jobs) < free, err
}

// runUpkeep does one round of upkeep. more: there is more to do at once.
func (t *Tracker) runUpkeep(ctx context.Context) (more bool) {
	more, err := t.upkeepRound(ctx)
	if ctx.Err() == nil {
		// A failure must not stop the jobs.
		t.outages.upkeep.record(t.log, t.now(), "upkeep", err)
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
	err := jobHandlers[j.Kind](t, ctx, j)
	if ctx.Err() != nil {
		t.returnJob(context.WithoutCancel(ctx), j)
		return
	}
	if err != nil && !errors.Is(err, ErrLeaseLost) {
		t.log.Error("background job failed", "kind", j.Kind, "ref", j.Ref, "attempt", j.Attempt, "error", err)
	}
}

// returnJob ends the lease of an interrupted job, so that it can be claimed at
// once. For a job that is finished, Extend returns ErrLeaseLost.
func (t *Tracker) returnJob(ctx context.Context, j store.Job) {
	ctx, cancel := context.WithTimeout(ctx, t.config.WriteWait)
	defer cancel()
	err := t.config.Store.Update(ctx, j.Account, func(r store.RecordTx) error {
		return r.Extend(ctx, j, t.config.Clock.Now())
	})
	if err != nil && !errors.Is(err, ErrLeaseLost) && !errors.Is(err, ErrClosed) {
		t.log.Warn("a job was not returned", "kind", j.Kind, "ref", j.Ref, "error", err)
	}
}

// outages are the failures that repeat while the store refuses writes.
type outages struct{ work, upkeep, deliveries, keyUses outage }

// outage is a failure that goes on. The log gets a line when it begins, then at
// growing intervals, and when it ends.
type outage struct {
	mu       sync.Mutex
	count    int // failures since it began; 0: no outage
	began    time.Time
	last     time.Time     // of the last failure
	loggedAt time.Time     // time of the last log line
	interval time.Duration // until the next log line
}

const (
	// outageGrace is how long after the last failure a success ends an outage: on a
	// disk that is nearly full, failures and successes alternate.
	outageGrace = 5 * time.Second
	// outageLogInterval is the time between the first two log lines of an outage.
	// It doubles after each line, up to maxOutageLogInterval.
	outageLogInterval    = time.Minute
	maxOutageLogInterval = time.Hour
)

// record records the result of a round, and logs it if it is new or a log line is
// due.
func (o *outage) record(log *slog.Logger, at time.Time, what string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err == nil {
		o.end(log, at, what)
		return
	}
	o.last = at
	if o.count++; o.count == 1 {
		o.began, o.loggedAt, o.interval = at, at, outageLogInterval
		log.Error(what+" failed", "error", err)
		return
	}
	if at.Sub(o.loggedAt) < o.interval {
		return
	}
	log.Error(what+" still fails", "error", err, "failures", o.count, "since", o.began.UTC().Format(time.RFC3339))
	o.loggedAt, o.interval = at, min(2*o.interval, maxOutageLogInterval)
}

func (o *outage) end(log *slog.Logger, at time.Time, what string) {
	if o.count == 0 || at.Sub(o.last) < outageGrace {
		return
	}
	log.Info(what+" succeeds again", "failures", o.count, "after", at.Sub(o.began).Round(time.Second))
	o.count = 0
}
