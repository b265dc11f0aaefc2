package tracking

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

// delivery is one claimed notification.
type delivery struct {
	job          store.Job
	notification *WebhookNotification // as loaded; nil if it does not exist
	snapshot     *eventSnapshot
	webhook      *Webhook // nil if it does not exist
	manual       *manualRun
	disposition  disposition
	probe        bool // its group is paused for it
	leaseEnd     time.Time

	started, ended time.Time
	outcome        Outcome
}

// disposition is what is done with a delivery.
type disposition uint8

const (
	dispositionSend    disposition = iota
	dispositionReturn              // as if it had not been claimed
	dispositionDrop                // nothing is left to do
	dispositionExpire              // it has been pending for too long
	dispositionHold                // its shipment is stopped
	dispositionAbandon             // its webhook was deleted
	dispositionProbe               // sent alone, to find out whether the endpoint works again
)

// loadDeliveries loads what the jobs of an account refer to and sets the
// disposition of each delivery.
func (t *Tracker) loadDeliveries(ctx context.Context, account AccountID, jobs []store.Job, until time.Time) (deliveries []*delivery, err error) {
	err = t.view(ctx, account, func(tx *transaction) error {
		l := deliveryLoader{tx: tx, leaseEnd: until}
		deliveries, err = l.deliveries(jobs)
		return err
	})
	if err == nil {
		err = t.pauseForProbes(ctx, account, deliveries)
	}
	if err != nil {
		return nil, err
	}
	return deliveries, nil
}

// deliveryLoader reads each record once that several deliveries share.
type deliveryLoader struct {
	tx         *transaction
	leaseEnd   time.Time
	webhooks   map[ID]*Webhook
	endpoints  map[ID]*endpoint
	snapshots  map[ID]*eventSnapshot
	stopped    map[ID]bool
	unreadable map[ID]bool // webhooks whose secrets no configured key opens
}

func (l *deliveryLoader) deliveries(jobs []store.Job) ([]*delivery, error) {
	ids := make([]ID, len(jobs))
	for i, j := range jobs {
		ids[i] = j.Ref
	}
	list, err := notifications.GetMany(l.tx, ids)
	if err != nil {
		return nil, err
	}
	deliveries := make([]*delivery, len(jobs))
	for i, j := range jobs {
		d := &delivery{job: j, leaseEnd: l.leaseEnd, manual: manualRunOf(j)}
		if len(list) > 0 && list[0].ID == j.Ref { // in the order of the jobs
			d.notification, list = list[0], list[1:]
		}
		deliveries[i] = d
	}
	if err := l.loadRelated(deliveries); err != nil {
		return nil, err
	}
	probing := map[ID]bool{}
	for _, d := range deliveries {
		d.disposition = l.dispositionOf(d)
		if d.disposition == dispositionProbe && probing[d.webhook.ID] {
			d.disposition = dispositionReturn
		}
		if d.probe = d.disposition == dispositionProbe; d.probe {
			probing[d.webhook.ID] = true
		}
	}
	return deliveries, nil
}

// loadRelated reads webhooks, endpoints, snapshots and stopped shipments of the
// notifications.
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
	if l.webhooks, err = getByID(l.tx, webhooks, hooks); err != nil {
		return err
	}
	l.unreadable = map[ID]bool{}
	for _, w := range l.webhooks {
		if err := unsealWebhook(l.tx, w); err != nil {
			l.unreadable[w.ID] = true
			l.tx.engine.log.Error("nothing can be delivered to a webhook", "webhook", w.ID, "error", err)
		}
	}
	if l.endpoints, err = getByID(l.tx, endpoints, hooks); err != nil {
		return err
	}
	if l.snapshots, err = getByID(l.tx, eventSnapshots, events); err != nil {
		return err
	}
	l.stopped, err = stoppedShipments(l.tx, ships)
	return err
}

// getByID reads each record once.
func getByID[T any](tx *transaction, n *resource[T], ids []ID) (map[ID]*T, error) {
	slices.SortFunc(ids, compareIDs)
	list, err := n.GetMany(tx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	by := make(map[ID]*T, len(list))
	for _, v := range list {
		by[metaOf(v).ID] = v
	}
	return by, nil
}

func (l *deliveryLoader) dispositionOf(d *delivery) disposition {
	if d.notification == nil {
		return dispositionDrop
	}
	d.webhook, d.snapshot = l.webhooks[d.notification.Webhook], l.snapshots[d.notification.Occurrence]
	pending := d.notification.DeliveryStatus == DeliveryPending
	switch {
	case d.snapshot == nil, !pending && d.manual == nil:
		return dispositionDrop
	case d.webhook == nil && pending:
		return dispositionAbandon
	case d.webhook == nil:
		return dispositionDrop
	case d.manual == nil && !l.tx.Now.Before(d.notification.ExpiresAt):
		return dispositionExpire
	case l.unreadable[d.notification.Webhook]:
		d.outcome.RetryAfter = breakerMax // until the operator may have added the key
		return dispositionReturn
	case d.manual != nil && pending && l.stopped[d.notification.Shipment] && !d.notification.sentWhenStopped():
		return dispositionDrop // it waits for its shipment, even if somebody asks for it
	case d.manual != nil:
		return dispositionSend
	case !d.webhook.Active:
		return dispositionReturn // its group is paused
	case l.stopped[d.notification.Shipment] && !d.notification.sentWhenStopped():
		return dispositionHold
	}
	e := l.endpoints[d.notification.Webhook]
	switch {
	case e == nil || e.OpenUntil.IsZero():
		return dispositionSend
	case e.halfOpen(l.tx.Now):
		return dispositionProbe
	}
	return dispositionReturn
}

// stoppedShipments returns those of the shipments that somebody has stopped: their
// pending notifications wait.
func stoppedShipments(tx *transaction, ids []ID) (map[ID]bool, error) {
	by, err := getByID(tx, shipments, ids)
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

// pauseForProbes pauses the groups of probed endpoints, so that the probe is the
// only delivery.
func (t *Tracker) pauseForProbes(ctx context.Context, account AccountID, deliveries []*delivery) error {
	probes := func(d *delivery) bool { return d.disposition == dispositionProbe }
	if !slices.ContainsFunc(deliveries, probes) {
		return nil
	}
	return t.update(ctx, account, func(tx *transaction) error {
		for _, d := range deliveries {
			if probes(d) {
				if err := pauseEndpoint(tx, d.webhook.ID, d.leaseEnd); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// send makes the attempt if the lease leaves time for it.
func (t *Tracker) send(d *delivery) {
	d.started = t.now()
	left := d.leaseEnd.Sub(d.started)
	if left < attemptTimeout {
		d.outcome = Outcome{Failure: FailCanceled}
		return
	}
	body, err := renderPayload(d.notification, d.snapshot)
	if err != nil {
		d.outcome = Outcome{Failure: FailCanceled, Detail: err.Error(), RetryAfter: longestRetryAfter}
		t.log.Error("a notification is damaged", "notification", d.notification.ID, "error", err)
		return
	}
	secrets := d.webhook.signingSecrets(d.started)
	// An attempt under way is completed when the engine stops.
	ctx, cancel := context.WithTimeout(context.Background(), left)
	defer cancel()
	d.outcome = t.callNotifier(ctx, Dispatch{
		ID: d.notification.ID, Webhook: d.webhook.ID, URL: d.webhook.URL, Headers: d.webhook.Headers, Secrets: secrets, At: d.started, Body: body,
	})
	d.outcome.redact(secrets, d.webhook.Headers)
	d.ended = t.now()
}

// callNotifier calls the Notifier. A panic is a failed attempt.
func (t *Tracker) callNotifier(ctx context.Context, d Dispatch) (o Outcome) {
	defer func() {
		if p := recover(); p != nil {
			t.log.Error("the notifier panicked", "notification", d.ID) // the value of the panic may contain secrets
			o = Outcome{Failure: FailConnect, Detail: "the notifier panicked"}
		}
	}()
	return t.config.Notifier.Send(ctx, d)
}

// recordBatch records the results of deliveries of one account in one transaction.
// It returns the groups whose queues must be drained.
func (t *Tracker) recordBatch(account AccountID, batch []*delivery) (paused []string, err error) {
	// The end of Run waits for this.
	ctx := context.Background()
	err = t.update(ctx, account, func(tx *transaction) error {
		rec := recorder{tx: tx, endpoints: map[ID]*endpointUpdate{}}
		if err := rec.load(batch); err != nil {
			return err
		}
		for _, d := range batch {
			if err := rec.record(d); err != nil {
				return err
			}
		}
		paused = rec.paused
		return rec.save()
	})
	if errors.Is(err, ErrClosed) {
		err = nil
	}
	return paused, err
}

func compareIDs(a, b ID) int { return bytes.Compare(a[:], b[:]) }
