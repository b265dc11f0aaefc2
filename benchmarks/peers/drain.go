package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/webhook"
)

// backlog is a backlog of notifications to one endpoint in a file of ours, which each round
// delivers a copy of. River delivers what ours sends.
type backlog struct {
	dir, base string
	n         int // notifications
	url       string
	receiver  *child

	mu   sync.Mutex
	sent []tracking.Dispatch // some of them, as ours sends them
}

const (
	// attemptsAtOnce is the number of concurrent attempts of ours.
	attemptsAtOnce = 64
	// drainContainers is the number of containers of each shipment of the backlog; each
	// has four events.
	drainContainers = 25
	// keptDispatches is how many of what ours sends are kept for River.
	keptDispatches = 2_000
)

var drainKey = []byte("the master key of the benchmarks")

// drainEvents are those of the backlog.
var drainEvents = []tracking.EventName{freight.VesselLoaded, freight.VesselDeparted, freight.VesselArrived, freight.VesselDischarged}

func drainClient(connections int) *webhook.Notifier {
	return webhook.New(webhook.Config{AllowHTTP: true, AllowPrivate: true, IdlePerEndpoint: connections})
}

func openBacklog(file string, n tracking.Notifier) (*tracking.Tracker, error) {
	store, err := storage.OpenWith(file, storage.Options{})
	if err != nil {
		return nil, err
	}
	t, err := tracking.New(tracking.Config{
		Store: store, Logger: quiet, Notifier: n, MasterKey: drainKey,
		Delivery: tracking.DeliverySettings{Workers: attemptsAtOnce, PerEndpoint: attemptsAtOnce, PerAccount: attemptsAtOnce},
	})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return t, nil
}

// drainActor is the account of the backlog.
func drainActor(ctx context.Context, t *tracking.Tracker) (*tracking.Tracker, error) {
	account, _, err := t.EnsureAccount(ctx, "drain")
	if err != nil {
		return nil, err
	}
	return t.For(tracking.Actor{Account: account.Scope()}), nil
}

// newBacklog makes the file, with at least n notifications, and starts the receiver.
func newBacklog(ctx context.Context, dir string, n int) (b *backlog, err error) {
	b = &backlog{dir: dir, base: filepath.Join(dir, "backlog.db")}
	operator, err := openBacklog(b.base, drainClient(attemptsAtOnce))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, operator.Close()) }()
	t, err := drainActor(ctx, operator)
	if err != nil {
		return nil, err
	}
	w, err := t.CreateWebhook(ctx, tracking.NewWebhook{URL: "http://127.0.0.1:1/hook", Events: drainEvents})
	if err != nil {
		return nil, err
	}
	if b.receiver, err = startServer(ctx, roleReceiver, w.Secret, &b.url); err != nil {
		return nil, err
	}
	if _, err := t.UpdateWebhook(ctx, w.ID, tracking.WebhookUpdate{URL: tracking.Set(b.url)}); err != nil {
		return nil, err
	}
	for i := range (n + 4*drainContainers - 1) / (4 * drainContainers) {
		if err := reportVoyage(ctx, t, fmt.Sprint("D", i)); err != nil {
			return nil, err
		}
	}
	b.n, err = count(ctx, t)
	return b, err
}

// reportVoyage reports a voyage of one shipment.
func reportVoyage(ctx context.Context, t *tracking.Tracker, number string) error {
	at := time.Now().UTC().Add(-30 * 24 * time.Hour).Truncate(time.Second)
	r := tracking.Report{Source: "benchmark", SCAC: "MAEU"}
	for i, step := range []struct {
		what  freight.Activity
		place string
	}{{freight.Loading, "CNSHA"}, {freight.Departure, "CNSHA"}, {freight.Arrival, "USLAX"}, {freight.Discharge, "USLAX"}} {
		when := at.Add(time.Duration(i) * 100 * time.Hour)
		for n := range drainContainers {
			r.Facts = append(r.Facts, tracking.Fact{
				ID: fmt.Sprintf("%s/%d/%d", number, n, i), RecordedAt: when, Activity: step.what, Classifier: freight.Actual,
				At: tracking.Moment{Time: when}, Mode: freight.ByVessel, LoadStatus: freight.Laden, Place: tracking.Place{LOCODE: step.place},
				Containers: []string{fmt.Sprintf("TSTU%07d", n)}, Vessel: tracking.VesselRef{IMO: "9321483", Name: "Test Star"}, Voyage: "12E",
				Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: number}},
			})
		}
	}
	_, err := t.Ingest(ctx, r)
	return err
}

// count counts the notifications that have one of these statuses, or all.
func count(ctx context.Context, t *tracking.Tracker, of ...tracking.DeliveryStatus) (int, error) {
	_, n, err := t.WebhookNotifications(ctx, tracking.WebhookNotificationQuery{Statuses: of}, tracking.Page{Number: 1, Size: 1})
	return n, err
}

// keeper is a Notifier that keeps some of what it sends.
type keeper struct {
	*webhook.Notifier
	to *backlog
}

func (k *keeper) Check(string) error { return nil }

func (k *keeper) Send(ctx context.Context, d tracking.Dispatch) tracking.Outcome {
	k.to.mu.Lock()
	if len(k.to.sent) < keptDispatches {
		k.to.sent = append(k.to.sent, d)
	}
	k.to.mu.Unlock()
	return k.Notifier.Send(ctx, d)
}

// ours delivers a copy of the backlog by the engine.
func (b *backlog) ours(ctx context.Context) (f figures, err error) {
	file := filepath.Join(b.dir, "drain.db")
	if err := copyFile(b.base, file); err != nil {
		return f, err
	}
	defer os.Remove(file)
	operator, err := openBacklog(file, &keeper{drainClient(attemptsAtOnce), b})
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, operator.Close()) }()
	t, err := drainActor(ctx, operator)
	if err != nil {
		return f, err
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	w := startWatch(func() time.Duration { return cpuOf(os.Getpid()) })
	ended := make(chan error, 1)
	go func() { ended <- operator.Run(running) }()
	for left := b.n; left > 0; {
		select {
		case <-ctx.Done():
			return f, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
		if left, err = count(ctx, t, tracking.DeliveryPending); err != nil {
			return f, err
		}
	}
	f = w.figures(b.n)
	stop()
	if err := <-ended; err != nil {
		return f, err
	}
	succeeded, err := count(ctx, t, tracking.DeliverySucceeded)
	if err == nil && succeeded != b.n {
		err = fmt.Errorf("%d of %d were delivered", succeeded, b.n)
	}
	return f, err
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// startBacklog makes the backlog, which ours delivers.
func (r *run) startBacklog(ctx context.Context) (err error) {
	r.say("making %d notifications", r.deliveries)
	if r.backlog, err = newBacklog(ctx, r.dir, r.deliveries); err != nil {
		return err
	}
	r.atEnd(r.backlog.receiver.end)
	r.drains = append(r.drains, &drain{name: ourName, deliver: r.backlog.ours})
	return nil
}
