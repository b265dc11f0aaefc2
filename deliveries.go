package tracking

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/deliveryrules"
	"github.com/landfallhq/tracking/internal/redact"
	"github.com/landfallhq/tracking/internal/workers"
	"github.com/landfallhq/tracking/store"
)

const (
	// attemptTimeout is the most that one attempt takes; see Notifier.
	attemptTimeout = 15 * time.Second
	// endpointReadAhead is how many deliveries are claimed for each concurrent attempt
	// at an endpoint. A claim of many costs little more than a claim of one.
	endpointReadAhead = 4
	// totalReadAhead is the same for all endpoints together. It is larger, so that
	// deliveries to slow endpoints leave capacity for others.
	totalReadAhead = 16
	// deliveryLease is long enough to send everything that one claim takes for an
	// endpoint, one after the other.
	deliveryLease = endpointReadAhead*attemptTimeout + 30*time.Second
)

// newDeliveries returns the workers that deliver notifications.
func (t *Tracker) newDeliveries() *workers.Pool[*delivery] {
	c := &t.config
	return workers.New(workers.Config[*delivery]{
		Name: "delivery", Log: t.log, Store: c.Store, WriteWait: c.WriteWait, Now: c.Clock.Now,
		Kinds: []store.JobKind{jobDelivery}, Lease: deliveryLease,
		Workers: c.Delivery.Workers, PerGroup: c.Delivery.PerEndpoint, PerAccount: c.Delivery.PerAccount,
		Shared: true, ReadAhead: totalReadAhead, GroupReadAhead: endpointReadAhead,
		New:    func() *delivery { return new(delivery) },
		Load:   t.loadDeliveries,
		Run:    func(_ context.Context, d *delivery) { t.send(d) }, // an attempt is completed when Run ends
		Record: t.recordDeliveries, Recorded: t.deliveriesRecorded,
	})
}

// deliveryJob returns the job of the next scheduled attempt. It has the ID of its
// notification, so that there is never more than one.
func deliveryJob(n *WebhookNotification, due time.Time) store.Job {
	return store.Job{ID: n.ID, Kind: jobDelivery, Group: n.Webhook.String(), Ref: n.ID, Due: due}
}

// invalidateWebhook makes deliveries to a changed webhook load it again.
func (e *engine) invalidateWebhook(webhook ID) {
	e.deliveries.Reload(webhook.String(), manualGroup(webhook))
}

// delivery is one claimed notification.
type delivery struct {
	workers.Task
	notification *WebhookNotification // as loaded; nil if it does not exist
	snapshot     *eventSnapshot
	webhook      *Webhook // nil if it does not exist
	manual       *manualRun
	disposition  deliveryrules.Disposition

	started, ended time.Time
	outcome        Outcome
	// recorded is the transaction that has recorded the result; nil before that.
	recorded *transaction
}

// planOf returns what the workers do with a delivery. What is neither sent nor
// returned is only recorded.
func planOf(d deliveryrules.Disposition) workers.Plan {
	switch d {
	case deliveryrules.Send:
		return workers.PlanRun
	case deliveryrules.Probe:
		return workers.PlanRunAlone
	case deliveryrules.Return, deliveryrules.Wait:
		return workers.PlanReturn
	}
	return workers.PlanSkip
}

// loadDeliveries loads what the deliveries of an account need, and sets the
// disposition of each.
func (t *Tracker) loadDeliveries(ctx context.Context, r store.RecordTx, account AccountID, deliveries []*delivery) error {
	l := deliveryLoader{tx: t.newTransaction(ctx, r, account)}
	return l.load(deliveries)
}

// deliveryLoader reads each record once that several deliveries share.
type deliveryLoader struct {
	tx         *transaction
	webhooks   map[ID]*Webhook
	endpoints  map[ID]*endpoint
	snapshots  map[ID]*eventSnapshot
	shipments  map[ID]*Shipment
	unreadable map[ID]bool // webhooks whose secrets no configured key opens
	// newer are the notifications and webhooks where no result could be recorded, and the
	// snapshots that may not be read, because a newer program has stored them.
	newer map[ID]bool
}

func (l *deliveryLoader) load(deliveries []*delivery) error {
	ids := make([]ID, len(deliveries))
	for i, d := range deliveries {
		ids[i] = d.Job.Ref
	}
	l.newer = map[ID]bool{}
	list, err := getManyAndNewer(l.tx, notifications, ids, l.newer)
	if err != nil {
		return err
	}
	for _, d := range deliveries {
		d.manual = manualRunOf(d.Job)
		if len(list) > 0 && list[0].ID == d.Job.Ref { // in the order of the deliveries
			d.notification, list = list[0], list[1:]
		}
	}
	if err := l.loadRelated(deliveries); err != nil {
		return err
	}
	if err := addNewer(l.tx, ledgers, []ID{ledgerID}, l.newer); err != nil {
		return err
	}
	for _, d := range deliveries {
		d.disposition = l.dispositionOf(d)
		waitFor := deliveryrules.BreakerMax
		isSent := d.disposition == deliveryrules.Send || d.disposition == deliveryrules.Probe
		if n := d.notification; n != nil && (l.newer[n.ID] || l.newer[n.Webhook] || l.newer[ledgerID] || isSent && l.newer[n.Occurrence]) {
			d.disposition = deliveryrules.Wait // otherwise it would be sent again and again
			if l.tx.engine.hasNewer() {
				waitFor = newerNodeDelay
			}
		}
		if d.Plan = planOf(d.disposition); d.disposition == deliveryrules.Wait {
			d.outcome.RetryAfter = waitFor
		}
	}
	return nil
}

// loadRelated reads webhooks, endpoints, snapshots and shipments of the notifications.
func (l *deliveryLoader) loadRelated(deliveries []*delivery) (err error) {
	var hooks, events, ships []ID
	for _, d := range deliveries {
		if d.notification == nil {
			continue
		}
		hooks, events = addID(hooks, d.notification.Webhook), append(events, d.notification.Occurrence)
		if d.notification.Shipment != (ID{}) && !d.notification.sentWhenStopped() {
			ships = append(ships, d.notification.Shipment)
		}
	}
	if l.webhooks, err = getByIDAndNewer(l.tx, webhooks, hooks, l.newer); err != nil {
		return err
	}
	l.unreadable = map[ID]bool{}
	for _, w := range l.webhooks {
		if err := unsealWebhook(l.tx, w); err != nil {
			l.unreadable[w.ID] = true
			l.tx.engine.log.Error("nothing can be delivered to a webhook", "webhook", w.ID, "error", err)
		}
	}
	if l.endpoints, err = getByIDAndNewer(l.tx, endpoints, hooks, l.newer); err != nil {
		return err
	}
	if l.snapshots, err = getSnapshots(l.tx, events, l.newer); err != nil {
		return err
	}
	l.shipments, err = getByID(l.tx, shipments, ships)
	return err
}

// getByID reads each record once.
func getByID[T any](tx *transaction, n *resource[T], ids []ID) (map[ID]*T, error) {
	return getByIDAndNewer(tx, n, ids, nil)
}

// getByIDAndNewer is getByID that notes in newer which of the records a newer program has
// stored; nil notes nothing.
func getByIDAndNewer[T any](tx *transaction, n *resource[T], ids []ID, newer map[ID]bool) (map[ID]*T, error) {
	slices.SortFunc(ids, compareIDs)
	list, err := getManyAndNewer(tx, n, slices.Compact(ids), newer)
	if err != nil {
		return nil, err
	}
	by := make(map[ID]*T, len(list))
	for _, v := range list {
		by[metaOf(v).ID] = v
	}
	return by, nil
}

func (l *deliveryLoader) dispositionOf(d *delivery) deliveryrules.Disposition {
	n := d.notification
	if n == nil {
		return deliveryrules.Drop
	}
	d.webhook, d.snapshot = l.webhooks[n.Webhook], l.snapshots[n.Occurrence]
	c := deliveryrules.Claimed{
		HasWebhook: d.webhook != nil, HasSnapshot: d.snapshot != nil,
		Pending: n.DeliveryStatus == DeliveryPending, Expired: !l.tx.Now.Before(n.ExpiresAt),
		Manual: d.manual != nil, Sealed: l.unreadable[n.Webhook], Active: d.webhook != nil && d.webhook.Active,
	}
	if s := l.shipments[n.Shipment]; s != nil {
		c.Stopped = s.paused() && !n.sentWhenStopped()
	}
	if e := l.endpoints[n.Webhook]; e != nil {
		c.Breaker = e.State(l.tx.Now)
	}
	return c.Disposition()
}

// send makes the attempt if the lease leaves time for it.
func (t *Tracker) send(d *delivery) {
	d.started = t.now()
	left := d.LeaseEnd.Sub(d.started)
	if left < attemptTimeout {
		d.outcome = Outcome{Failure: FailCanceled}
		return
	}
	body, err := renderPayload(d.notification, d.snapshot)
	if err != nil {
		d.outcome = Outcome{Failure: FailCanceled, Detail: err.Error(), RetryAfter: deliveryrules.LongestRetryAfter}
		t.log.Error("a notification is damaged", "notification", d.notification.ID, "error", err)
		return
	}
	body, problem := d.webhook.message(body)
	secrets := d.webhook.signingSecrets(d.started)
	// An attempt under way is completed when the engine stops.
	ctx, cancel := context.WithTimeout(context.Background(), left)
	defer cancel()
	began := time.Now()
	d.outcome = t.callNotifier(ctx, Dispatch{
		ID: d.notification.ID, Webhook: d.webhook.ID, URL: d.webhook.URL, Headers: d.webhook.Headers, Secrets: secrets, At: d.started, Body: body,
	})
	d.outcome.addProblem(problem)
	d.ended = t.now()
	t.config.Observer.deliveryEnded(began, &d.outcome)
}

// addProblem adds to the outcome what was wrong with the body.
func (o *Outcome) addProblem(problem string) {
	o.Detail = strings.Join(slices.DeleteFunc([]string{o.Detail, problem}, func(s string) bool { return s == "" }), "; ")
}

// notifierOf returns what sends to a URL; nil if nothing does.
func (t *Tracker) notifierOf(endpoint string) Notifier {
	if strings.HasPrefix(endpoint, mailScheme) {
		return t.config.Mailer
	}
	return t.config.Notifier
}

// callNotifier calls the Notifier of the endpoint, and masks the secrets that its outcome repeats. A panic
// is a failed attempt.
func (t *Tracker) callNotifier(ctx context.Context, d Dispatch) (o Outcome) {
	defer func() {
		if p := recover(); p != nil {
			t.log.Error("the notifier panicked", "notification", d.ID) // the value of the panic may contain secrets
			o = Outcome{Failure: FailConnect, Detail: "the notifier panicked"}
		}
	}()
	n := t.notifierOf(d.URL)
	if n == nil {
		return Outcome{Failure: FailCanceled, Detail: "this process sends nothing there"}
	}
	o = n.Send(ctx, d)
	o.mask(d)
	return o
}

// mask masks what the Notifier was given in confidence: some endpoints echo the request.
func (o *Outcome) mask(d Dispatch) {
	list := slices.Clone(d.Secrets)
	for _, h := range d.Headers {
		list = append(list, h.Value)
	}
	secrets := redact.New(webhookSecretPrefix, list...)
	o.Detail, o.ResponseBody = secrets.Mask(o.Detail), secrets.Mask(o.ResponseBody)
	o.ResponseHeaders = slices.Clone(o.ResponseHeaders)
	for i := range o.ResponseHeaders {
		o.ResponseHeaders[i].Value = secrets.Mask(o.ResponseHeaders[i].Value)
	}
}

// recordDeliveries records the results of deliveries of one account. It returns the
// groups of webhooks that get nothing more for now.
func (t *Tracker) recordDeliveries(ctx context.Context, r store.RecordTx, account AccountID, deliveries []*delivery) (paused []string, err error) {
	tx := t.newTransaction(ctx, r, account)
	tx.collectChanges()
	err = tx.run(func(tx *transaction) error {
		rec := recorder{tx: tx, endpoints: map[ID]*endpointUpdate{}}
		if err := rec.load(deliveries); err != nil {
			return err
		}
		for _, d := range deliveries {
			if err := rec.record(d); err != nil {
				return err
			}
			d.recorded = tx
		}
		paused = rec.paused
		return rec.save()
	}, false)
	return paused, err
}

// deliveriesRecorded passes on what recordDeliveries has committed.
func (t *Tracker) deliveriesRecorded(deliveries []*delivery) {
	for _, d := range deliveries {
		if d.recorded != nil {
			t.notifyWatchers(d.recorded) // one transaction records them all
			return
		}
	}
}

func compareIDs(a, b ID) int { return bytes.Compare(a[:], b[:]) }
