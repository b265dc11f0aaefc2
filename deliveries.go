package tracking

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/landfallhq/tracking/store"
)

const (
	// readAhead is how many notifications of an endpoint are claimed for each
	// attempt that may run at one time: claiming many at once costs little more
	// than claiming one.
	readAhead = 4
	// roomFor is the same of all endpoints together. It is more, so that what waits
	// for slow ones leaves room for the others.
	roomFor = 16
	// exchangeTime is what one attempt may take; see Notifier.
	exchangeTime = 15 * time.Second
	// deliveryLease is enough for all that is claimed at once for an endpoint to be
	// tried one after the other.
	deliveryLease = readAhead*exchangeTime + 30*time.Second
	// noteAtOnce is how many results one transaction notes.
	noteAtOnce = 100
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

// courier delivers notifications: it claims what is due, endpoint by endpoint in
// turn, has it sent, and notes what came of it, many results at a time. One slow
// endpoint keeps no more than its own share of the senders.
type courier struct {
	t       *Tracker
	sending chan struct{} // holds one for each attempt that runs
	freed   chan struct{} // tells that claimed jobs are done with
	running sync.WaitGroup

	ending chan struct{} // closed when nothing more is sent; nil for a courier of one round

	mu     sync.Mutex
	closed bool                        // nothing more is sent
	epoch  int                         // counts the changes of webhooks: what was read before one is read again
	held   int                         // jobs that are claimed and not done with
	lanes  map[string]*lane            // by the group of the jobs
	shares map[AccountID]chan struct{} // like sending, for each account
	books  map[AccountID]*book
}

// lane is what goes to one endpoint.
type lane struct {
	queue []*parcel
	busy  int           // how many send
	share chan struct{} // of its account
}

// book is what is to be noted in one account.
type book struct {
	waiting []*parcel
	busy    bool
}

func newCourier(t *Tracker) *courier {
	return &courier{
		t: t, sending: make(chan struct{}, t.config.Delivery.Workers), freed: make(chan struct{}, 1),
		lanes: map[string]*lane{}, shares: map[AccountID]chan struct{}{}, books: map[AccountID]*book{},
	}
}

// run delivers until ctx ends, and then until what is on its way has arrived.
func (c *courier) run(ctx context.Context) {
	c.ending = make(chan struct{})
	c.t.courier.Store(c)
	defer c.t.courier.CompareAndSwap(c, nil)
	defer c.close()
	for ctx.Err() == nil && !c.t.closed.Load() {
		next, err := c.round(ctx)
		if ctx.Err() == nil && !c.t.closed.Load() {
			c.t.outages.deliveries.note(c.t.log, c.t.now(), "delivery", err)
		}
		timer := time.NewTimer(min(idlePoll, max(0, next.Sub(c.t.config.Clock.Now()))))
		select {
		case <-ctx.Done():
		case <-c.t.deliveryWake:
		case <-c.freed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// close gives back what is not being sent, and waits for what is.
func (c *courier) close() {
	close(c.ending)
	c.mu.Lock()
	c.closed = true
	for _, l := range c.lanes {
		c.returnQueued(l)
	}
	c.mu.Unlock()
	c.running.Wait()
}

// round claims what is due and returns when to look again, were nothing to happen
// before.
func (c *courier) round(ctx context.Context) (time.Time, error) {
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
func (c *courier) claim(ctx context.Context) (int, error) {
	s := c.t.config.Delivery
	c.mu.Lock()
	room, epoch := s.Workers*roomFor-c.held, c.epoch
	c.mu.Unlock()
	if room < s.Workers { // claims of a few are dear
		return 0, nil
	}
	now := c.t.config.Clock.Now().UTC()
	jobs, err := c.t.config.Store.Claim(ctx, store.ClaimRequest{
		Kinds: deliveryKinds, Now: now, Lease: deliveryLease,
		Limit: room, PerGroup: s.PerEndpoint * readAhead, PerAccount: s.PerAccount * roomFor,
	})
	if err != nil || len(jobs) == 0 {
		return 0, err
	}
	c.mu.Lock()
	c.held += len(jobs)
	c.mu.Unlock()
	ctx = context.WithoutCancel(ctx) // an end that comes now must not leave them to their leases
	var errs []error
	for account, own := range byAccount(jobs) {
		parcels, err := c.t.load(ctx, account, own, now.Add(deliveryLease))
		if err != nil { // one account's
			errs = append(errs, err, c.t.putBack(ctx, account, own))
			c.done(len(own))
			continue
		}
		c.hand(parcels, epoch)
	}
	return len(jobs), errors.Join(errs...)
}

// putBack has jobs that could not be read claimed again a little later. Should that
// fail too, their leases run out.
func (t *Tracker) putBack(ctx context.Context, account AccountID, jobs []store.Job) error {
	return t.update(ctx, account, func(tx *Tx) error {
		for _, j := range jobs {
			if err := tx.records.Postpone(tx, j, tx.clock().Add(busyDelay)); err != nil && !errors.Is(err, ErrLeaseLost) {
				return err
			}
		}
		return nil
	})
}

func byAccount(jobs []store.Job) map[AccountID][]store.Job {
	by := map[AccountID][]store.Job{}
	for _, j := range jobs {
		by[j.Account] = append(by[j.Account], j)
	}
	return by
}

// hand puts parcels into the lanes of their endpoints; those that need not be
// sent are noted at once. epoch is when they were read.
func (c *courier) hand(parcels []*parcel, epoch int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range parcels {
		if p.verdict != toSend && p.verdict != toProbe {
			c.note(p)
			continue
		}
		l := c.lane(p.job)
		l.queue = append(l.queue, p)
		if c.closed || c.epoch != epoch {
			c.returnQueued(l)
		}
		if len(l.queue) > 0 && l.busy < c.t.config.Delivery.PerEndpoint {
			l.busy++
			c.running.Go(func() { c.work(p.job.Group, l) })
		}
	}
}

// lane is where the job's endpoint is sent to. The caller holds c.mu.
func (c *courier) lane(j store.Job) *lane {
	l := c.lanes[j.Group]
	if l != nil {
		return l
	}
	share := c.shares[j.Account]
	if share == nil {
		share = make(chan struct{}, c.t.config.Delivery.PerAccount)
		c.shares[j.Account] = share
	}
	l = &lane{share: share}
	c.lanes[j.Group] = l
	return l
}

// work sends what is in a lane, one after the other.
func (c *courier) work(group string, l *lane) {
	for c.sendNext(group, l) {
	}
}

func (c *courier) sendNext(group string, l *lane) bool {
	l.share <- struct{}{}
	defer func() { <-l.share }()
	c.sending <- struct{}{}
	defer func() { <-c.sending }()
	p := c.take(group, l)
	if p == nil {
		return false
	}
	c.t.send(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note(p)
	return true
}

// take takes the next parcel out of a lane, or leaves the lane.
func (c *courier) take(group string, l *lane) *parcel {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(l.queue) == 0 {
		if l.busy--; l.busy == 0 && c.lanes[group] == l {
			delete(c.lanes, group)
		}
		return nil
	}
	p := l.queue[0]
	l.queue = l.queue[1:]
	return p
}

// returnQueued gives back what waits in a lane. The caller holds c.mu.
func (c *courier) returnQueued(l *lane) {
	for _, p := range l.queue {
		p.verdict = toReturn
		c.note(p)
	}
	l.queue = nil
}

// note has the result of a parcel written. The caller holds c.mu.
func (c *courier) note(p *parcel) {
	b := c.books[p.job.Account]
	if b == nil {
		b = &book{}
		c.books[p.job.Account] = b
	}
	b.waiting = append(b.waiting, p)
	if !b.busy {
		b.busy = true
		c.running.Go(func() { c.keep(p.job.Account, b) })
	}
}

// keep writes what is to be noted in an account, until there is no more. What
// comes in while one transaction commits makes up the next.
func (c *courier) keep(account AccountID, b *book) {
	for {
		c.mu.Lock()
		n := min(len(b.waiting), noteAtOnce)
		batch := slices.Clone(b.waiting[:n])
		b.waiting = b.waiting[n:]
		if n == 0 {
			b.busy = false
			delete(c.books, account)
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		c.shut(c.noteAll(account, batch))
		c.done(n)
	}
}

// While the store takes no writes, results are tried to be noted again after this
// long, and then after twice as long each time.
const (
	noteAgain     = 10 * time.Millisecond
	noteAgainMost = time.Second
)

// noteAll notes results: for as long as their leases last, should the store take no
// writes. It returns the groups that are to be left alone from now on.
func (c *courier) noteAll(account AccountID, batch []*parcel) []string {
	for wait := noteAgain; ; wait = min(2*wait, noteAgainMost) {
		shut, err := c.t.noteAll(account, batch)
		if err == nil {
			return shut
		}
		if !c.t.now().Before(batch[0].until) || !c.pause(wait) {
			// They are delivered again, with the same IDs.
			c.t.log.Error("results of deliveries are lost", "count", len(batch), "error", err)
			return nil
		}
	}
}

// pause waits, unless this is the end.
func (c *courier) pause(d time.Duration) bool {
	if c.ending == nil {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.ending:
		return false
	case <-timer.C:
		return true
	}
}

// recall has read anew what was read ahead for a webhook that has changed, and sends
// what is due.
func (e *engine) recall(webhook ID) {
	if c := e.courier.Load(); c != nil {
		c.mu.Lock()
		c.epoch++
		c.mu.Unlock()
		c.shut([]string{webhook.String(), manualGroup(webhook)})
	}
	e.pokeDelivery()
}

// shut empties the lanes of endpoints that are to be left alone.
func (c *courier) shut(groups []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, g := range groups {
		if l := c.lanes[g]; l != nil {
			c.returnQueued(l)
		}
	}
}

func (c *courier) done(n int) {
	c.mu.Lock()
	c.held -= n
	c.mu.Unlock()
	wake(c.freed)
}

// deliverOnce delivers one claim's worth of what is due, and returns when it is
// done with.
func (t *Tracker) deliverOnce(ctx context.Context) error {
	if t.config.Notifier == nil {
		return nil
	}
	c := newCourier(t)
	_, err := c.claim(ctx)
	c.running.Wait()
	return err
}

// pokeDelivery wakes the courier: something may be due now.
func (e *engine) pokeDelivery() { wake(e.deliveryWake) }

// parcel is one claimed notification on its way.
type parcel struct {
	job     store.Job
	n       *WebhookNotification // as read; nil when there is none
	o       *occurrence
	w       *Webhook // nil when there is none
	manual  *manualRun
	verdict verdict
	probe   bool      // the group is held for it
	until   time.Time // the end of the lease

	started, ended time.Time
	outcome        Outcome
}

// verdict is what becomes of a parcel.
type verdict uint8

const (
	toSend    verdict = iota
	toReturn          // as if it had not been claimed
	toDrop            // nothing is left to be done
	toExpire          // it has waited too long
	toPark            // its shipment is stopped
	toAbandon         // its webhook was deleted
	toProbe           // it alone tries whether the endpoint is there again
)

// load reads what the jobs of an account are about and decides what becomes of
// each.
func (t *Tracker) load(ctx context.Context, account AccountID, jobs []store.Job, until time.Time) (parcels []*parcel, err error) {
	err = t.view(ctx, account, func(tx *Tx) error {
		l := loading{tx: tx, until: until}
		parcels, err = l.parcels(jobs)
		return err
	})
	if err == nil {
		err = t.holdForProbes(ctx, account, parcels)
	}
	if err != nil {
		return nil, err
	}
	return parcels, nil
}

// loading reads each record once that several parcels share.
type loading struct {
	tx        *Tx
	until     time.Time
	webhooks  map[ID]*Webhook
	endpoints map[ID]*endpoint
	occurred  map[ID]*occurrence
	stopped   map[ID]bool
	illegible map[ID]bool // webhooks whose secrets no key opens
}

func (l *loading) parcels(jobs []store.Job) ([]*parcel, error) {
	ids := make([]ID, len(jobs))
	for i, j := range jobs {
		ids[i] = j.Ref
	}
	list, err := table(l.tx, notifications).GetMany(ids)
	if err != nil {
		return nil, err
	}
	parcels := make([]*parcel, len(jobs))
	for i, j := range jobs {
		p := &parcel{job: j, until: l.until, manual: manualOf(j)}
		if len(list) > 0 && list[0].ID == j.Ref { // in the order of the jobs
			p.n, list = list[0], list[1:]
		}
		parcels[i] = p
	}
	if err := l.complete(parcels); err != nil {
		return nil, err
	}
	probing := map[ID]bool{}
	for _, p := range parcels {
		p.verdict = l.judge(p)
		if p.verdict == toProbe && probing[p.w.ID] {
			p.verdict = toReturn
		}
		if p.probe = p.verdict == toProbe; p.probe {
			probing[p.w.ID] = true
		}
	}
	return parcels, nil
}

// complete reads what goes with the notifications.
func (l *loading) complete(parcels []*parcel) (err error) {
	var hooks, events, ships []ID
	for _, p := range parcels {
		if p.n == nil {
			continue
		}
		hooks, events = addID(hooks, p.n.Webhook), append(events, p.n.Occurrence)
		if p.n.Shipment != (ID{}) && !p.n.outlives() {
			ships = append(ships, p.n.Shipment)
		}
	}
	if l.webhooks, err = gather(l.tx, webhooks, hooks); err != nil {
		return err
	}
	l.illegible = map[ID]bool{}
	for _, w := range l.webhooks {
		if err := reveal(l.tx, w); err != nil {
			l.illegible[w.ID] = true
			l.tx.engine.log.Error("nothing can be delivered to a webhook", "webhook", w.ID, "error", err)
		}
	}
	if l.endpoints, err = gather(l.tx, endpoints, hooks); err != nil {
		return err
	}
	if l.occurred, err = gather(l.tx, occurrences, events); err != nil {
		return err
	}
	l.stopped, err = stoppedAmong(l.tx, ships)
	return err
}

// gather reads records by ID, each once.
func gather[T any](tx *Tx, n *noun[T], ids []ID) (map[ID]*T, error) {
	slices.SortFunc(ids, compareIDs)
	list, err := table(tx, n).GetMany(slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	by := make(map[ID]*T, len(list))
	for _, v := range list {
		by[metaOf(v).ID] = v
	}
	return by, nil
}

// judge decides what becomes of a parcel.
func (l *loading) judge(p *parcel) verdict {
	if p.n == nil {
		return toDrop
	}
	p.w, p.o = l.webhooks[p.n.Webhook], l.occurred[p.n.Occurrence]
	pending := p.n.DeliveryStatus == DeliveryPending
	switch {
	case p.o == nil, !pending && p.manual == nil:
		return toDrop
	case p.w == nil && pending:
		return toAbandon
	case p.w == nil:
		return toDrop
	case p.manual == nil && !l.tx.Now.Before(p.n.ExpiresAt):
		return toExpire
	case l.illegible[p.n.Webhook]:
		p.outcome.RetryAfter = breakerMost // until somebody may have mended it
		return toReturn
	case p.manual != nil && pending && l.stopped[p.n.Shipment] && !p.n.outlives():
		return toDrop // it waits for its shipment, whatever asks for it
	case p.manual != nil:
		return toSend
	case !p.w.Active:
		return toReturn // its group is held
	case l.stopped[p.n.Shipment] && !p.n.outlives():
		return toPark
	}
	e := l.endpoints[p.n.Webhook]
	switch {
	case e == nil || e.OpenUntil.IsZero():
		return toSend
	case e.halfOpen(l.tx.Now):
		return toProbe
	}
	return toReturn
}

// stoppedAmong are those of the shipments that somebody has stopped: what is
// pending of them waits.
func stoppedAmong(tx *Tx, ids []ID) (map[ID]bool, error) {
	by, err := gather(tx, shipments, ids)
	if err != nil {
		return nil, err
	}
	stopped := map[ID]bool{}
	for id, s := range by {
		if s.paused() {
			stopped[id] = true
		}
	}
	return stopped, nil
}

// holdForProbes sees to it that nothing else goes to an endpoint while one
// parcel tries whether it is there again.
func (t *Tracker) holdForProbes(ctx context.Context, account AccountID, parcels []*parcel) error {
	probes := func(p *parcel) bool { return p.verdict == toProbe }
	if !slices.ContainsFunc(parcels, probes) {
		return nil
	}
	return t.update(ctx, account, func(tx *Tx) error {
		for _, p := range parcels {
			if probes(p) {
				if err := holdEndpoint(tx, p.w.ID, p.until); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// send makes the attempt, if the lease leaves time for it.
func (t *Tracker) send(p *parcel) {
	p.started = t.now()
	left := p.until.Sub(p.started)
	if left < exchangeTime {
		p.outcome = Outcome{Failure: FailCanceled}
		return
	}
	body, err := payload(p.n, p.o)
	if err != nil {
		p.outcome = Outcome{Failure: FailCanceled, Detail: err.Error(), RetryAfter: patience}
		t.log.Error("a notification is damaged", "notification", p.n.ID, "error", err)
		return
	}
	secrets := p.w.secrets(p.started)
	// What is on its way when the engine is stopped arrives.
	ctx, cancel := context.WithTimeout(context.Background(), left)
	defer cancel()
	p.outcome = t.attempt(ctx, Dispatch{
		ID: p.n.ID, Webhook: p.w.ID, URL: p.w.URL, Headers: p.w.Headers, Secrets: secrets, At: p.started, Body: body,
	})
	p.outcome.blot(secrets, p.w.Headers)
	p.ended = t.now()
}

// attempt calls the Notifier; one that panics has failed.
func (t *Tracker) attempt(ctx context.Context, d Dispatch) (o Outcome) {
	defer func() {
		if p := recover(); p != nil {
			t.log.Error("the notifier panicked", "notification", d.ID) // what it panicked with may hold secrets
			o = Outcome{Failure: FailConnect, Detail: "the notifier panicked"}
		}
	}()
	return t.config.Notifier.Send(ctx, d)
}

// noteAll writes what came of parcels of one account, in one transaction. It
// returns the groups that are to be left alone from now on.
func (t *Tracker) noteAll(account AccountID, batch []*parcel) (shut []string, err error) {
	// A clean end waits for this.
	ctx := context.Background()
	err = t.update(ctx, account, func(tx *Tx) error {
		n := noting{tx: tx, endpoints: map[ID]*noted{}}
		if err := n.read(batch); err != nil {
			return err
		}
		for _, p := range batch {
			if err := n.note(p); err != nil {
				return err
			}
		}
		shut = n.shut
		return n.close()
	})
	if errors.Is(err, ErrClosed) {
		err = nil
	}
	return shut, err
}

func compareIDs(a, b ID) int { return bytes.Compare(a[:], b[:]) }
