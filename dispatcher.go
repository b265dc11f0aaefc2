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
	// endpointReadAhead is how many notifications of an endpoint are claimed for each
	// attempt that may run at one time: claiming many at once costs little more
	// than claiming one.
	endpointReadAhead = 4
	// totalReadAhead is the same of all endpoints together. It is more, so that what waits
	// for slow ones leaves room for the others.
	totalReadAhead = 16
	// attemptTimeout is what one attempt may take; see Notifier.
	attemptTimeout = 15 * time.Second
	// deliveryLease is enough for all that is claimed at once for an endpoint to be
	// tried one after the other.
	deliveryLease = endpointReadAhead*attemptTimeout + 30*time.Second
	// maxResultBatch is how many results one transaction notes.
	maxResultBatch = 100
)

// deliveryKinds are the jobs of the courier; all others are the crew's.
var deliveryKinds = []store.JobKind{jobDelivery}

func enqueueDelivery(tx *Tx, n *WebhookNotification, due time.Time) error {
	return tx.enqueueDelivery(deliveryJob(n, due))
}

// deliveryJob is the next scheduled attempt. It has the ID of its notification, so
// that there is never more than one.
func deliveryJob(n *WebhookNotification, due time.Time) store.Job {
	return store.Job{ID: n.ID, Kind: jobDelivery, Group: n.Webhook.String(), Ref: n.ID, Due: due}
}

// dispatcher delivers notifications: it claims what is due, endpoint by endpoint in
// turn, has it sent, and notes what came of it, many results at a time. One slow
// endpoint keeps no more than its own share of the senders.
type dispatcher struct {
	t       *Tracker
	slots   chan struct{} // holds one for each attempt that runs
	freed   chan struct{} // tells that claimed jobs are done with
	running sync.WaitGroup

	stopping chan struct{} // closed when nothing more is sent; nil for a courier of one round

	mu           sync.Mutex
	closed       bool                        // nothing more is sent
	epoch        int                         // counts the changes of webhooks: what was read before one is read again
	claimed      int                         // jobs that are claimed and not done with
	queues       map[string]*endpointQueue   // by the group of the jobs
	accountSlots map[AccountID]chan struct{} // like sending, for each account
	batches      map[AccountID]*resultBatch
}

// endpointQueue is what goes to one endpoint.
type endpointQueue struct {
	deliveries   []*delivery
	senders      int           // how many send
	accountSlots chan struct{} // of its account
}

// resultBatch is what is to be noted in one account.
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

// run delivers until ctx ends, and then until what is on its way has arrived.
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

// close gives back what is not being sent, and waits for what is.
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

// poll claims what is due and returns when to look again, were nothing to happen
// before.
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
	return now.Add(idlePoll), err // or when something is done with
}

// claim takes on as many jobs as there is room for.
func (c *dispatcher) claim(ctx context.Context) (int, error) {
	s := c.t.config.Delivery
	c.mu.Lock()
	room, epoch := s.Workers*totalReadAhead-c.claimed, c.epoch
	c.mu.Unlock()
	if room < s.Workers { // claims of a few are dear
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
	ctx = context.WithoutCancel(ctx) // an end that comes now must not leave them to their leases
	var errs []error
	for account, own := range jobsByAccount(jobs) {
		deliveries, err := c.t.loadDeliveries(ctx, account, own, now.Add(deliveryLease))
		if err != nil { // one account's
			errs = append(errs, err, c.t.postponeJobs(ctx, account, own))
			c.release(len(own))
			continue
		}
		c.enqueue(deliveries, epoch)
	}
	return len(jobs), errors.Join(errs...)
}

// postponeJobs has jobs that could not be read claimed again a little later. Should that
// fail too, their leases run out.
func (t *Tracker) postponeJobs(ctx context.Context, account AccountID, jobs []store.Job) error {
	return t.update(ctx, account, func(tx *Tx) error {
		for _, j := range jobs {
			if err := tx.records.Postpone(tx, j, tx.clock().Add(minBusyDelay)); err != nil && !errors.Is(err, ErrLeaseLost) {
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

// enqueue puts parcels into the lanes of their endpoints; those that need not be
// sent are noted at once. epoch is when they were read.
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

// queue is where the job's endpoint is sent to. The caller holds c.mu.
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

// sendAll sends what is in a lane, one after the other.
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

// next takes the next parcel out of a lane, or leaves the lane.
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

// returnQueued gives back what waits in a lane. The caller holds c.mu.
func (c *dispatcher) returnQueued(q *endpointQueue) {
	for _, d := range q.deliveries {
		d.disposition = dispositionReturn
		c.record(d)
	}
	q.deliveries = nil
}

// record has the result of a parcel written. The caller holds c.mu.
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

// flush writes what is to be noted in an account, until there is no more. What
// comes in while one transaction commits makes up the next.
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

// While the store takes no writes, results are tried to be noted again after this
// long, and then after twice as long each time.
const (
	recordRetryDelay    = 10 * time.Millisecond
	maxRecordRetryDelay = time.Second
)

// recordBatch notes results: for as long as their leases last, should the store take no
// writes. It returns the groups that are to be left alone from now on.
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

// wait waits, unless this is the end.
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

// invalidateWebhook has read anew what was read ahead for a webhook that has changed, and sends
// what is due.
func (e *engine) invalidateWebhook(webhook ID) {
	if c := e.dispatcher.Load(); c != nil {
		c.mu.Lock()
		c.epoch++
		c.mu.Unlock()
		c.drain([]string{webhook.String(), manualGroup(webhook)})
	}
	e.wakeDispatcher()
}

// drain empties the lanes of endpoints that are to be left alone.
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

// deliverOnce delivers one claim's worth of what is due, and returns when it is
// done with.
func (t *Tracker) deliverOnce(ctx context.Context) error {
	if t.config.Notifier == nil {
		return nil
	}
	c := newDispatcher(t)
	_, err := c.claim(ctx)
	c.running.Wait()
	return err
}

// wakeDispatcher wakes the courier: something may be due now.
func (e *engine) wakeDispatcher() { signal(e.dispatcherWake) }
