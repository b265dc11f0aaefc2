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
	jobReviewAll     store.JobKind = "review_all"       // the same of all shipments after a change of thresholds
	jobExceptions    store.JobKind = "exceptions"       // find the exceptions that the clock has opened
	jobRename        store.JobKind = "rename"           // copy a party's new name to its shipments
	jobHeldChanges   store.JobKind = "news"             // announce changes that were delayed
	jobRecover       store.JobKind = "recover"          // send the notifications of a webhook again
	jobRelease       store.JobKind = "release"          // send the notifications of a resumed shipment
	jobFailPending   store.JobKind = "abandon"          // fail the pending notifications of a deleted webhook
	jobDocument      store.JobKind = "document"         // read a document
	jobLinkDocuments store.JobKind = "link_documents"   // link the documents that name a shipment
	jobRecognize     store.JobKind = "recognize"        // read a document with pictures of text
	jobCompare       store.JobKind = "compare"          // compare the documents of a shipment
	jobRotate        store.JobKind = "rotate"           // turn a picture

	jobCosts   store.JobKind = "costs"   // count the costs of a shipment's containers again
	jobRecount store.JobKind = "recount" // the same of all shipments that changed tariffs concern

	jobRerenderFields store.JobKind = "rerender_fields" // render the values of a custom field again
	jobClearField     store.JobKind = "clear_field"     // remove the values of a deleted custom field

	jobDelivery store.JobKind = "delivery" // deliver a notification; see deliveries.go
	jobMail     store.JobKind = "mail"     // send the notifications of a subscription by e-mail; see maildeliveries.go
	jobDigest   store.JobKind = "digest"   // write the digest of a user
)

var jobHandlers map[store.JobKind]func(*Tracker, context.Context, store.Job) error

func init() {
	jobHandlers = map[store.JobKind]func(*Tracker, context.Context, store.Job) error{
		jobRequest:      (*Tracker).pollRequest,
		jobRefresh:      (*Tracker).pollShipment,
		jobCheckWindows: (*Tracker).checkWindows,
		jobReviewAll:    (*Tracker).reviewAll,
		jobExceptions:   (*Tracker).reviewShipment,
		jobRename:       (*Tracker).renameCustomer,
		jobHeldChanges:  (*Tracker).announceWaiting,
		jobRecover:      (*Tracker).recoverWebhook,
		jobRelease:      (*Tracker).releaseHeld,
		jobFailPending:  (*Tracker).failPending,
		jobDigest:       (*Tracker).writeDigest,

		jobCosts:   (*Tracker).renewCosts,
		jobRecount: (*Tracker).recountCosts,

		jobRerenderFields: (*Tracker).rerenderFields,
		jobClearField:     (*Tracker).clearDefinition,
		jobDocument:       (*Tracker).processDocument,
		jobRecognize:      (*Tracker).processDocument,
		jobLinkDocuments:  (*Tracker).linkDocuments,
		jobCompare:        (*Tracker).compareDocuments,
		jobRotate:         (*Tracker).rotateDocument,
	}
}

// jobKinds are all kinds of jobs, sorted.
func jobKinds() []store.JobKind {
	kinds := append(slices.Collect(maps.Keys(jobHandlers)), jobDelivery, jobMail)
	slices.Sort(kinds)
	return kinds
}

// Run does the background work until ctx ends or the engine is closed: it polls
// sources, retries tracking requests, delivers notifications and does upkeep. Meanwhile
// the process is one of Nodes, until Close. It
// returns nil after the work under way has ended. Several processes may run it on
// one store.
func (t *Tracker) Run(ctx context.Context) error {
	t.beat(ctx) // before it writes, so that newer nodes know
	var others sync.WaitGroup
	defer others.Wait()
	others.Go(func() { t.keepBeating(ctx) })
	others.Go(func() { t.reading.Run(ctx) })
	others.Go(func() { t.recognition.Run(ctx) })
	if t.config.Notifier != nil {
		others.Go(func() { t.deliveries.Run(ctx) })
	}
	if t.config.Mailer != nil {
		others.Go(func() { t.mailings.Run(ctx) })
	}
	t.jobs.Run(ctx)
	return nil
}

// RunOnce does one round of due work by the Clock and returns when more is due, or
// the zero time if nothing is. It is for tests that move their clock.
func (t *Tracker) RunOnce(ctx context.Context) (next time.Time, err error) {
	t.beatIfDue(ctx)
	more := t.runUpkeep(ctx)
	all, err := t.jobs.Once(ctx)
	if err != nil {
		return time.Time{}, err
	}
	allRead, err := t.reading.Once(ctx)
	if err != nil {
		return time.Time{}, err
	}
	allRecognized, err := t.recognition.Once(ctx)
	if err != nil {
		return time.Time{}, err
	}
	kinds := slices.Sorted(maps.Keys(jobHandlers))
	if t.config.Notifier != nil {
		if _, err := t.deliveries.Once(ctx); err != nil {
			return time.Time{}, err
		}
		kinds = append(kinds, jobDelivery)
	}
	if t.config.Mailer != nil {
		if _, err := t.mailings.Once(ctx); err != nil {
			return time.Time{}, err
		}
		kinds = append(kinds, jobMail)
	}
	if more || !all || !allRead || !allRecognized {
		return t.config.Clock.Now(), nil // there may be more
	}
	return t.config.Store.NextDue(ctx, kinds)
}

// readsFile reports whether a job of this kind reads the file of a document.
func readsFile(kind store.JobKind) bool { return kind == jobDocument || kind == jobRotate }

// waker wakes workers.
type waker interface{ Wake() }

// workersOf returns the workers of a kind of job.
func (e *engine) workersOf(kind store.JobKind) waker {
	switch {
	case kind == jobDelivery:
		return e.deliveries
	case kind == jobMail:
		return e.mailings
	case readsFile(kind):
		return e.reading
	case kind == jobRecognize:
		return e.recognition
	}
	return e.jobs
}

// jobLease is how long a job is leased: as long as one question to a source, and what
// follows it.
func (e *engine) jobLease() time.Duration { return e.config.SourceTimeout + 30*time.Second }

// newJobs returns the workers of all jobs but deliveries, and those that read files and
// recognise text.
func (t *Tracker) newJobs() *workers.Pool[*workers.Task] {
	c := t.jobWorkers("background work", t.config.Workers, func(k store.JobKind) bool { return !readsFile(k) && k != jobRecognize })
	c.PerGroup = (c.Workers + 1) / 2 // a carrier that does not answer leaves workers for the others
	c.Before = t.runUpkeep
	return workers.New(c)
}

// newReading returns the workers that read the files of documents. They are not those of
// the other jobs: files that take long must not delay carriers.
func (t *Tracker) newReading() *workers.Pool[*workers.Task] {
	c := t.jobWorkers("reading of documents", (t.config.Workers+1)/2, readsFile)
	c.Shared = true
	return workers.New(c)
}

// newRecognition returns the workers that recognise text in pictures: two, since that takes
// minutes of processors, while others read files.
func (t *Tracker) newRecognition() *workers.Pool[*workers.Task] {
	c := t.jobWorkers("recognition of text", 2, func(k store.JobKind) bool { return k == jobRecognize })
	c.Shared, c.Lease = true, recognitionTime+30*time.Second
	return workers.New(c)
}

// jobWorkers configures workers of some kinds of background jobs. They claim only what
// they can begin at once, because a lease is as long as one question to a source.
func (t *Tracker) jobWorkers(name string, n int, of func(store.JobKind) bool) workers.Config[*workers.Task] {
	c := &t.config
	return workers.Config[*workers.Task]{
		Name: name, Log: t.log, Store: c.Store, WriteWait: c.WriteWait, Now: c.Clock.Now,
		Kinds: slices.DeleteFunc(slices.Sorted(maps.Keys(jobHandlers)), func(k store.JobKind) bool { return !of(k) }),
		Lease: t.jobLease(), Workers: n, PerGroup: n, ReadAhead: 1, GroupReadAhead: 1,
		New: func() *workers.Task { return new(workers.Task) },
		Run: func(ctx context.Context, task *workers.Task) { t.runJob(ctx, task.Job) },
	}
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
	began, failure := time.Now(), errors.New("panicked")
	defer func() {
		if p := recover(); p != nil {
			t.log.Error("background job panicked", "kind", j.Kind, "ref", j.Ref, "panic", p)
		}
		t.config.Observer.jobEnded(j, began, failure)
	}()
	failure = t.doJob(ctx, j)
	if ctx.Err() != nil || errors.Is(failure, store.ErrLeaseLost) {
		failure = nil
	}
	if failure != nil {
		t.log.Error("background job failed", "kind", j.Kind, "ref", j.Ref, "attempt", j.Attempt, "error", failure)
	}
}

func (t *Tracker) doJob(ctx context.Context, j store.Job) error {
	if t.isOfNewer(ctx, j) {
		return t.leaveToNewer(ctx, j)
	}
	err := jobHandlers[j.Kind](t, ctx, j)
	if isNewer(err) {
		return t.leaveToNewer(ctx, j)
	}
	return err
}

// outages are failures that go on, besides those of the workers.
type outages struct{ upkeep, keyUses, openings workers.Outage }
