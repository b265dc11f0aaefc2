package tracking

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/landfallhq/tracking/store"
)

const (
	// endpointReadAhead is how many deliveries are claimed per concurrent attempt
	// of an endpoint. A claim of many costs little more than a claim of one.
	endpointReadAhead = 4
	// totalReadAhead is the same for all endpoints together. It is larger, so that
	// deliveries to slow endpoints leave capacity for others.
	totalReadAhead = 16
	// attemptTimeout is the most that one attempt takes; see Notifier.
	attemptTimeout = 15 * time.Second
	// deliveryLease is long enough to send everything that one claim takes for an
	// endpoint, one after the other.
	deliveryLease = endpointReadAhead*attemptTimeout + 30*time.Second
	// maxResultBatch is the number of results that one transaction records.
	maxResultBatch = 100
)

// deliveryKinds are the jobs of the dispatcher. The worker pool runs all others.
var deliveryKinds = []store.JobKind{jobDelivery}

func enqueueDelivery(tx *transaction, n *WebhookNotification, due time.Time) error {
	return tx.enqueueDelivery(deliveryJob(n, due))
}

// deliveryJob returns the job of the next scheduled attempt. It has the ID of its
// notification, so that there is never more than one.
func deliveryJob(n *WebhookNotification, due time.Time) store.Job {
	return store.Job{ID: n.ID, Kind: jobDelivery, Group: n.Webhook.String(), Ref: n.ID, Due: due}
}

// dispatcher delivers notifications. It claims due jobs, endpoint by endpoint in
// turn, sends them, and records the results in batches. A slow endpoint uses no
// more than its own share of the senders.
type dispatcher struct {
	t       *Tracker
	slots   chan struct{} // one element per running attempt
	freed   chan struct{} // signals that claimed jobs have ended
	running sync.WaitGroup

	stopping chan struct{} // closed when sending stops; nil in deliverOnce

	mu           sync.Mutex
	closed       bool                        // sending has stopped
	epoch        int                         // number of webhook changes; what was loaded before one is loaded again
	claimed      int                         // claimed jobs that have not ended
	queues       map[string]*endpointQueue   // by group of jobs
	accountSlots map[AccountID]chan struct{} // like slots, per account
	batches      map[AccountID]*resultBatch
}

// endpointQueue has the deliveries to one endpoint.
type endpointQueue struct {
	deliveries   []*delivery
	senders      int           // goroutines that send
	accountSlots chan struct{} // of the account
}

// resultBatch has the results of one account that are to be recorded.
type resultBatch struct {
	deliveries []*delivery
	flushing   bool
}

func newDispatcher(t *Tracker) *dispatcher {
	return &dispatcher{
		t: t, slots: make(chan struct{}, t.config.Delivery.Workers), freed: make(chan struct{}, 1),
		queues: map[string]*endpointQueue{}, accountSlots: map[AccountID]chan struct{}{}, batches: map[AccountID]*resultBatch{},
	}
}

// run delivers until ctx ends, then waits for the attempts that are under way.
func (c *dispatcher) run(ctx context.Context) {
	c.stopping = make(chan struct{})
	c.t.dispatcher.Store(c)
	defer c.t.dispatcher.CompareAndSwap(c, nil)
	defer c.close()
	for ctx.Err() == nil && !c.t.closed.Load() {
		next, err := c.poll(ctx)
		if ctx.Err() == nil && !c.t.closed.Load() {
			c.t.outages.deliveries.record(c.t.log, c.t.now(), "delivery", err)
		}
		timer := time.NewTimer(min(idlePoll, max(0, next.Sub(c.t.config.Clock.Now()))))
		select {
		case <-ctx.Done():
		case <-c.t.dispatcherWake:
		case <-c.freed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// close returns the jobs that are not being sent, and waits for those that are.
func (c *dispatcher) close() {
	close(c.stopping)
	c.mu.Lock()
	c.closed = true
	for _, q := range c.queues {
		c.returnQueued(q)
	}
	c.mu.Unlock()
	c.running.Wait()
}

// poll claims due jobs and returns when to poll next if nothing wakes it earlier.
func (c *dispatcher) poll(ctx context.Context) (time.Time, error) {
	now := c.t.config.Clock.Now()
	next, err := c.t.config.Store.NextDue(ctx, deliveryKinds)
	if err != nil || next.IsZero() || next.After(now) {
		if next.IsZero() {
			next = now.Add(idlePoll)
		}
		return next, err
	}
	n, err := c.claim(ctx)
	if err == nil && n > 0 {
		return now, nil
	}
	return now.Add(idlePoll), err // or when claimed jobs end
}

// claim claims as many jobs as there is capacity for.
func (c *dispatcher) claim(ctx context.Context) (int, error) {
	s := c.t.config.Delivery
	c.mu.Lock()
	room, epoch := s.Workers*totalReadAhead-c.claimed, c.epoch
	c.mu.Unlock()
	if room < s.Workers { // small claims are expensive
		return 0, nil
	}
	now := c.t.config.Clock.Now().UTC()
	jobs, err := c.t.config.Store.Claim(ctx, store.ClaimRequest{
		Kinds: deliveryKinds, Now: now, Lease: deliveryLease,
		Limit: room, PerGroup: s.PerEndpoint * endpointReadAhead, PerAccount: s.PerAccount * totalReadAhead,
	})
	if err != nil || len(jobs) == 0 {
		return 0, err
	}
	c.mu.Lock()
	c.claimed += len(jobs)
	c.mu.Unlock()
	ctx = context.WithoutCancel(ctx) // claimed jobs must not be left to their leases when ctx ends now
	var errs []error
	for account, own := range jobsByAccount(jobs) {
		deliveries, err := c.t.loadDeliveries(ctx, account, own, now.Add(deliveryLease))
		if err != nil { // of one account
			errs = append(errs, err, c.t.postponeJobs(ctx, account, own))
			c.release(len(own))
			continue
		}
		c.enqueue(deliveries, epoch)
	}
	return len(jobs), errors.Join(errs...)
}

// postponeJobs makes jobs that could not be loaded due a little later. If that
// fails too, their leases run out.
func (t *Tracker) postponeJobs(ctx context.Context, account AccountID, jobs []store.Job) error {
	return t.update(ctx, account, func(tx *transaction) error {
		for _, j := range jobs {
			if err := tx.Records.Postpone(tx, j, tx.clock().Add(minBusyDelay)); err != nil && !errors.Is(err, ErrLeaseLost) {
				return err
			}
		}
		return nil
	})
}

func jobsByAccount(jobs []store.Job) map[AccountID][]store.Job {
	by := map[AccountID][]store.Job{}
	for _, j := range jobs {
		by[j.Account] = append(by[j.Account], j)
	}
	return by
}

// enqueue adds deliveries to the queues of their endpoints. Those that need not be
// sent are recorded at once. epoch is that of their load.
func (c *dispatcher) enqueue(deliveries []*delivery, epoch int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range deliveries {
		if d.disposition != dispositionSend && d.disposition != dispositionProbe {
			c.record(d)
			continue
		}
		q := c.queue(d.job)
		q.deliveries = append(q.deliveries, d)
		if c.closed || c.epoch != epoch {
			c.returnQueued(q)
		}
		if len(q.deliveries) > 0 && q.senders < c.t.config.Delivery.PerEndpoint {
			q.senders++
			c.running.Go(func() { c.sendAll(d.job.Group, q) })
		}
	}
}

// queue returns the queue of the job's endpoint. The caller holds c.mu.
func (c *dispatcher) queue(j store.Job) *endpointQueue {
	q := c.queues[j.Group]
	if q != nil {
		return q
	}
	share := c.accountSlots[j.Account]
	if share == nil {
		share = make(chan struct{}, c.t.config.Delivery.PerAccount)
		c.accountSlots[j.Account] = share
	}
	q = &endpointQueue{accountSlots: share}
	c.queues[j.Group] = q
	return q
}

func (c *dispatcher) sendAll(group string, q *endpointQueue) {
	for c.sendNext(group, q) {
	}
}

func (c *dispatcher) sendNext(group string, q *endpointQueue) bool {
	q.accountSlots <- struct{}{}
	defer func() { <-q.accountSlots }()
	c.slots <- struct{}{}
	defer func() { <-c.slots }()
	d := c.next(group, q)
	if d == nil {
		return false
	}
	c.t.send(d)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.record(d)
	return true
}

// next returns the next delivery of a queue. Without one it returns nil and ends
// the sender.
func (c *dispatcher) next(group string, q *endpointQueue) *delivery {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(q.deliveries) == 0 {
		if q.senders--; q.senders == 0 && c.queues[group] == q {
			delete(c.queues, group)
		}
		return nil
	}
	d := q.deliveries[0]
	q.deliveries = q.deliveries[1:]
	return d
}

// returnQueued returns the deliveries that wait in a queue. The caller holds c.mu.
func (c *dispatcher) returnQueued(q *endpointQueue) {
	for _, d := range q.deliveries {
		d.disposition = dispositionReturn
		c.record(d)
	}
	q.deliveries = nil
}

// record adds a result to the batch of its account. The caller holds c.mu.
func (c *dispatcher) record(d *delivery) {
	b := c.batches[d.job.Account]
	if b == nil {
		b = &resultBatch{}
		c.batches[d.job.Account] = b
	}
	b.deliveries = append(b.deliveries, d)
	if !b.flushing {
		b.flushing = true
		c.running.Go(func() { c.flush(d.job.Account, b) })
	}
}

// flush records the results of an account until there are none left. Results that
// arrive while one transaction commits are the next batch.
func (c *dispatcher) flush(account AccountID, b *resultBatch) {
	for {
		c.mu.Lock()
		n := min(len(b.deliveries), maxResultBatch)
		batch := slices.Clone(b.deliveries[:n])
		b.deliveries = b.deliveries[n:]
		if n == 0 {
			b.flushing = false
			delete(c.batches, account)
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		c.drain(c.recordBatch(account, batch))
		c.release(n)
	}
}

// If the store refuses a write, recording is retried after recordRetryDelay, then
// after twice as long each time.
const (
	recordRetryDelay    = 10 * time.Millisecond
	maxRecordRetryDelay = time.Second
)

// recordBatch records results. If the store refuses the write, it retries until the
// lease ends. It returns the groups whose queues must be drained.
func (c *dispatcher) recordBatch(account AccountID, batch []*delivery) []string {
	for wait := recordRetryDelay; ; wait = min(2*wait, maxRecordRetryDelay) {
		paused, err := c.t.recordBatch(account, batch)
		if err == nil {
			return paused
		}
		if !c.t.now().Before(batch[0].leaseEnd) || !c.wait(wait) {
			// They are delivered again, with the same IDs.
			c.t.log.Error("results of deliveries are lost", "count", len(batch), "error", err)
			return nil
		}
	}
}

// wait waits for d. It returns false if the dispatcher stops first.
func (c *dispatcher) wait(d time.Duration) bool {
	if c.stopping == nil {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.stopping:
		return false
	case <-timer.C:
		return true
	}
}

// invalidateWebhook makes the dispatcher load again what it has loaded for a
// changed webhook, and wakes it.
func (e *engine) invalidateWebhook(webhook ID) {
	if c := e.dispatcher.Load(); c != nil {
		c.mu.Lock()
		c.epoch++
		c.mu.Unlock()
		c.drain([]string{webhook.String(), manualGroup(webhook)})
	}
	e.wakeDispatcher()
}

// drain returns the deliveries that wait in the queues of these groups.
func (c *dispatcher) drain(groups []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, g := range groups {
		if q := c.queues[g]; q != nil {
			c.returnQueued(q)
		}
	}
}

func (c *dispatcher) release(n int) {
	c.mu.Lock()
	c.claimed -= n
	c.mu.Unlock()
	signal(c.freed)
}

// deliverOnce makes one claim of due deliveries and waits for their results.
func (t *Tracker) deliverOnce(ctx context.Context) error {
	if t.config.Notifier == nil {
		return nil
	}
	c := newDispatcher(t)
	_, err := c.claim(ctx)
	c.running.Wait()
	return err
}

func (e *engine) wakeDispatcher() { signal(e.dispatcherWake) }
