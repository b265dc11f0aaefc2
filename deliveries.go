package tracking

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

// delivery is one claimed notification on its way.
type delivery struct {
	job          store.Job
	notification *WebhookNotification // as read; nil when there is none
	snapshot     *eventSnapshot
	webhook      *Webhook // nil when there is none
	manual       *manualRun
	disposition  disposition
	probe        bool      // the group is held for it
	leaseEnd     time.Time // the end of the lease

	started, ended time.Time
	outcome        Outcome
}

// disposition is what becomes of a parcel.
type disposition uint8

const (
	dispositionSend    disposition = iota
	dispositionReturn              // as if it had not been claimed
	dispositionDrop                // nothing is left to be done
	dispositionExpire              // it has waited too long
	dispositionHold                // its shipment is stopped
	dispositionAbandon             // its webhook was deleted
	dispositionProbe               // it alone tries whether the endpoint is there again
)

// loadDeliveries reads what the jobs of an account are about and decides what becomes of
// each.
func (t *Tracker) loadDeliveries(ctx context.Context, account AccountID, jobs []store.Job, until time.Time) (deliveries []*delivery, err error) {
	err = t.view(ctx, account, func(tx *Tx) error {
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

// deliveryLoader reads each record once that several parcels share.
type deliveryLoader struct {
	tx         *Tx
	leaseEnd   time.Time
	webhooks   map[ID]*Webhook
	endpoints  map[ID]*endpoint
	snapshots  map[ID]*eventSnapshot
	stopped    map[ID]bool
	unreadable map[ID]bool // webhooks whose secrets no key opens
}

func (l *deliveryLoader) deliveries(jobs []store.Job) ([]*delivery, error) {
	ids := make([]ID, len(jobs))
	for i, j := range jobs {
		ids[i] = j.Ref
	}
	list, err := table(l.tx, notifications).GetMany(ids)
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

// loadRelated reads what goes with the notifications.
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

// getByID reads records by ID, each once.
func getByID[T any](tx *Tx, n *resource[T], ids []ID) (map[ID]*T, error) {
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

// dispositionOf decides what becomes of a parcel.
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
		d.outcome.RetryAfter = breakerMax // until somebody may have mended it
		return dispositionReturn
	case d.manual != nil && pending && l.stopped[d.notification.Shipment] && !d.notification.sentWhenStopped():
		return dispositionDrop // it waits for its shipment, whatever asks for it
	case d.manual != nil:
		return dispositionSend
	case !d.webhook.Active:
		return dispositionReturn // its group is held
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

// stoppedShipments are those of the shipments that somebody has stopped: what is
// pending of them waits.
func stoppedShipments(tx *Tx, ids []ID) (map[ID]bool, error) {
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

// pauseForProbes sees to it that nothing else goes to an endpoint while one
// parcel tries whether it is there again.
func (t *Tracker) pauseForProbes(ctx context.Context, account AccountID, deliveries []*delivery) error {
	probes := func(d *delivery) bool { return d.disposition == dispositionProbe }
	if !slices.ContainsFunc(deliveries, probes) {
		return nil
	}
	return t.update(ctx, account, func(tx *Tx) error {
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

// send makes the attempt, if the lease leaves time for it.
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
	// What is on its way when the engine is stopped arrives.
	ctx, cancel := context.WithTimeout(context.Background(), left)
	defer cancel()
	d.outcome = t.callNotifier(ctx, Dispatch{
		ID: d.notification.ID, Webhook: d.webhook.ID, URL: d.webhook.URL, Headers: d.webhook.Headers, Secrets: secrets, At: d.started, Body: body,
	})
	d.outcome.redact(secrets, d.webhook.Headers)
	d.ended = t.now()
}

// callNotifier calls the Notifier; one that panics has failed.
func (t *Tracker) callNotifier(ctx context.Context, d Dispatch) (o Outcome) {
	defer func() {
		if p := recover(); p != nil {
			t.log.Error("the notifier panicked", "notification", d.ID) // what it panicked with may hold secrets
			o = Outcome{Failure: FailConnect, Detail: "the notifier panicked"}
		}
	}()
	return t.config.Notifier.Send(ctx, d)
}

// recordBatch writes what came of parcels of one account, in one transaction. It
// returns the groups that are to be left alone from now on.
func (t *Tracker) recordBatch(account AccountID, batch []*delivery) (paused []string, err error) {
	// A clean end waits for this.
	ctx := context.Background()
	err = t.update(ctx, account, func(tx *Tx) error {
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
