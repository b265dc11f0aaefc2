package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/webhook"
)

// drained are the figures of delivering a backlog to one endpoint, by contender and
// round.
type drained struct {
	deliveries int
	of         map[string][]figures
	// one and ten are the bytes of a notification in the file, with one webhook for its
	// event and with ten.
	one, ten float64
}

// The contenders.
const (
	drainFloor = "the same client, nothing kept"
	drainOurs  = "ours"
	drainAlone = "one acknowledgement per transaction"
)

const (
	// parallelAttempts is the number of concurrent attempts of each contender.
	parallelAttempts = 64
	// mostDeliveries is the number of notifications of the backlog, and drainContainers
	// the number of containers of each of its shipments.
	mostDeliveries  = 50_000
	drainContainers = 25
)

var drainKey = []byte("the master key of the benchmarks")

// measureDrain delivers a backlog to a receiver that verifies: by the engine, by
// the engine's client with nothing else, and by that with one transaction for each
// acknowledgement.
func (r *run) measureDrain(ctx context.Context) error {
	if !r.wanted("drain") {
		return nil
	}
	d := &backlog{run: r, n: min(mostDeliveries, r.shipments), base: filepath.Join(r.dir, "backlog.db")}
	r.drained = &drained{deliveries: d.n, of: map[string][]figures{}}
	if err := d.weigh(ctx); err != nil {
		return fmt.Errorf("drain: %w", err)
	}
	r.say("making %d notifications", d.n)
	if err := d.fill(ctx); err != nil {
		return fmt.Errorf("drain: %w", err)
	}
	for n := range r.rounds {
		r.round("drain", n, 3, time.Duration(d.n)*100*time.Microsecond)
		err := r.shuffled([]func() error{
			func() error { return d.measure(ctx, drainFloor, d.bareClient) },
			func() error { return d.measure(ctx, drainOurs, d.ours) },
			func() error { return d.measure(ctx, drainAlone, d.oneCommitEach) },
		})
		if err != nil {
			return fmt.Errorf("drain: %w", err)
		}
	}
	return r.profile("drain", func() error {
		_, _, err := d.ours(ctx)
		return err
	})
}

// backlog is a backlog of notifications in a file.
type backlog struct {
	*run
	n      int
	base   string // the file before the first delivery
	secret string
	url    string
	sent   []tracking.Dispatch // some of its notifications
}

// measure measures one contender delivering everything.
func (d *backlog) measure(ctx context.Context, name string, deliver func(context.Context) (time.Duration, *meter, error)) error {
	took, m, err := deliver(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	f := m.figures(d.n)
	f[perSecond] = float64(d.n) / took.Seconds()
	d.drained.of[name] = append(d.drained.of[name], f)
	return nil
}

func (d *backlog) client() *webhook.Notifier {
	return webhook.New(webhook.Config{AllowHTTP: true, AllowPrivate: true, IdlePerEndpoint: parallelAttempts})
}

// open opens a copy of the backlog's file.
func (d *backlog) open(file string, n tracking.Notifier) (*tracking.Tracker, error) {
	store, err := storage.OpenWith(file, storage.Options{})
	if err != nil {
		return nil, err
	}
	t, err := tracking.New(tracking.Config{
		Store: store, Logger: quiet, Notifier: n, MasterKey: drainKey,
		Delivery: tracking.DeliverySettings{Workers: parallelAttempts, PerEndpoint: parallelAttempts, PerAccount: parallelAttempts},
	})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return t, nil
}

// actor is the account of the backlog.
func actor(ctx context.Context, t *tracking.Tracker) (*tracking.Tracker, error) {
	account, _, err := t.EnsureAccount(ctx, "drain")
	if err != nil {
		return nil, err
	}
	return t.For(tracking.Actor{Account: account.Scope()}), nil
}

// weigh measures the bytes of a notification in the file, with one webhook for its event
// and with ten.
func (d *backlog) weigh(ctx context.Context) error {
	sizes := map[int]int64{}
	for _, hooks := range []int{0, 1, 10} {
		var err error
		if sizes[hooks], err = d.sizeWith(ctx, hooks); err != nil {
			return err
		}
	}
	notifications := float64(d.voyages() * 4 * drainContainers)
	d.drained.one = float64(sizes[1]-sizes[0]) / notifications
	d.drained.ten = float64(sizes[10]-sizes[0]) / notifications / 10
	return nil
}

// voyages is how many are reported to weigh their notifications.
func (d *backlog) voyages() int { return min(10, max(1, d.shipments/1_000)) }

// sizeWith is the size of a file after the voyages were reported with so many webhooks.
func (d *backlog) sizeWith(ctx context.Context, hooks int) (int64, error) {
	file := filepath.Join(d.dir, fmt.Sprintf("told-%d.db", hooks))
	defer os.Remove(file)
	operator, err := d.open(file, d.client())
	if err != nil {
		return 0, err
	}
	t, err := actor(ctx, operator)
	for i := 0; i < hooks && err == nil; i++ {
		_, err = t.CreateWebhook(ctx, tracking.NewWebhook{URL: "http://127.0.0.1:1/hook", Events: drainEvents})
	}
	for i := 0; i < d.voyages() && err == nil; i++ {
		err = d.reportVoyage(ctx, t, fmt.Sprint("W", i))
	}
	if err := errors.Join(err, operator.Close()); err != nil {
		return 0, err
	}
	return size(file)
}

// drainEvents are those of the backlog.
var drainEvents = []tracking.EventName{freight.VesselLoaded, freight.VesselDeparted, freight.VesselArrived, freight.VesselDischarged}

// fill makes the file: a webhook, and shipments whose containers pass milestones.
func (d *backlog) fill(ctx context.Context) error {
	operator, err := d.open(d.base, d.client())
	if err != nil {
		return err
	}
	defer operator.Close()
	t, err := actor(ctx, operator)
	if err != nil {
		return err
	}
	if err := d.reportVoyage(ctx, t, "X"); err != nil {
		return err
	}
	w, err := t.CreateWebhook(ctx, tracking.NewWebhook{URL: "http://127.0.0.1:1/hook", Events: drainEvents})
	if err != nil {
		return err
	}
	d.secret = w.Secret
	if d.url, err = startReceiver(ctx, d.secret); err != nil {
		return err
	}
	if _, err := t.UpdateWebhook(ctx, w.ID, tracking.WebhookUpdate{URL: tracking.Set(d.url + "/hook")}); err != nil {
		return err
	}
	for i := range (d.n + 4*drainContainers - 1) / (4 * drainContainers) {
		if err := d.reportVoyage(ctx, t, fmt.Sprint("D", i)); err != nil {
			return err
		}
	}
	_, total, err := t.WebhookNotifications(ctx, tracking.WebhookNotificationQuery{}, tracking.Page{Number: 1, Size: 1})
	if err != nil {
		return err
	}
	d.n, d.drained.deliveries = total, total
	return nil
}

// reportVoyage reports a voyage of one shipment.
func (d *backlog) reportVoyage(ctx context.Context, t *tracking.Tracker, number string) error {
	at := time.Now().UTC().Add(-30 * 24 * time.Hour).Truncate(time.Second)
	r := tracking.Report{Source: "benchmark", SCAC: "MAEU"}
	for i, step := range []struct {
		what  freight.Activity
		place string
	}{{freight.Loading, "CNSHA"}, {freight.Departure, "CNSHA"}, {freight.Arrival, "USLAX"}, {freight.Discharge, "USLAX"}} {
		when := at.Add(time.Duration(i) * 100 * time.Hour)
		for box := range drainContainers {
			r.Facts = append(r.Facts, tracking.Fact{
				ID: fmt.Sprintf("%s/%d/%d", number, box, i), RecordedAt: when, Activity: step.what, Classifier: freight.Actual,
				At: tracking.Moment{Time: when}, Mode: freight.ByVessel, LoadStatus: freight.Laden, Place: tracking.Place{LOCODE: step.place},
				Containers: []string{fmt.Sprintf("TSTU%07d", box)}, Vessel: tracking.VesselRef{IMO: "9321483", Name: "Test Star"}, Voyage: "12E",
				Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: number}},
			})
		}
	}
	_, err := t.Ingest(ctx, r)
	return err
}

// recordingNotifier is a Notifier that stores some of what it sends.
type recordingNotifier struct {
	client *webhook.Notifier
	mu     sync.Mutex
	sent   []tracking.Dispatch
	left   atomic.Int64  // to be sent
	last   chan struct{} // closed when the last one was sent
}

func (k *recordingNotifier) Check(string) error { return nil }

func (k *recordingNotifier) Send(ctx context.Context, d tracking.Dispatch) tracking.Outcome {
	k.mu.Lock()
	if len(k.sent) < 2_000 {
		k.sent = append(k.sent, d)
	}
	k.mu.Unlock()
	defer func() {
		if k.left.Add(-1) == 0 {
			close(k.last)
		}
	}()
	return k.client.Send(ctx, d)
}

// ours delivers a copy of the backlog by the engine.
func (d *backlog) ours(ctx context.Context) (time.Duration, *meter, error) {
	file := filepath.Join(d.dir, "drain.db")
	if err := copyFile(d.base, file); err != nil {
		return 0, nil, err
	}
	defer os.Remove(file)
	k := &recordingNotifier{client: d.client(), last: make(chan struct{})}
	k.left.Store(int64(d.n))
	operator, err := d.open(file, k)
	if err != nil {
		return 0, nil, err
	}
	defer operator.Close()
	t, err := actor(ctx, operator)
	if err != nil {
		return 0, nil, err
	}
	runtime.GC()
	running, stop := context.WithCancel(ctx)
	defer stop()
	m := &meter{}
	m.start()
	begin := time.Now()
	ended := make(chan error, 1)
	go func() { ended <- operator.Run(running) }()
	select { // the other contenders do not read a list meanwhile
	case <-ctx.Done():
		return 0, nil, ctx.Err()
	case <-k.last:
	}
	for {
		_, left, err := t.WebhookNotifications(ctx, tracking.WebhookNotificationQuery{Statuses: []tracking.DeliveryStatus{tracking.DeliveryPending}}, tracking.Page{Number: 1, Size: 1})
		if err != nil {
			return 0, nil, err
		}
		if left == 0 {
			break
		}
		select {
		case <-ctx.Done():
			return 0, nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	took := time.Since(begin)
	m.stop()
	stop()
	if err := <-ended; err != nil {
		return 0, nil, err
	}
	_, succeeded, err := t.WebhookNotifications(ctx, tracking.WebhookNotificationQuery{Statuses: []tracking.DeliveryStatus{tracking.DeliverySucceeded}}, tracking.Page{Number: 1, Size: 1})
	if err == nil && succeeded != d.n {
		err = fmt.Errorf("%d of %d were delivered", succeeded, d.n)
	}
	d.sent = k.sent
	return took, m, err
}

// bareClient sends as much with the same client, without storing anything.
func (d *backlog) bareClient(ctx context.Context) (time.Duration, *meter, error) {
	return d.sendAll(ctx, func(int, tracking.Outcome) error { return nil })
}

// sendAll sends what the engine sends, with the same number of concurrent attempts.
func (d *backlog) sendAll(ctx context.Context, kept func(int, tracking.Outcome) error) (time.Duration, *meter, error) {
	if len(d.sent) == 0 { // the engine shows what it sends
		if _, _, err := d.ours(ctx); err != nil {
			return 0, nil, err
		}
	}
	client := d.client()
	var next atomic.Int64
	var running sync.WaitGroup
	errs := make([]error, parallelAttempts)
	runtime.GC()
	m := &meter{}
	m.start()
	begin := time.Now()
	for attempt := range parallelAttempts {
		running.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= d.n || ctx.Err() != nil {
					return
				}
				p := d.sent[i%len(d.sent)]
				p.At = time.Now()
				o := client.Send(ctx, p)
				if o.Failure != "" {
					errs[attempt] = fmt.Errorf("%s %s", o.Failure, o.Detail)
					return
				}
				if err := kept(i, o); err != nil {
					errs[attempt] = err
					return
				}
			}
		})
	}
	running.Wait()
	took := time.Since(begin)
	m.stop()
	client.CloseIdleConnections()
	return took, m, errors.Join(errors.Join(errs...), ctx.Err())
}

// oneCommitEach writes status and attempt in a transaction for each delivery, as durable as
// ours.
func (d *backlog) oneCommitEach(ctx context.Context) (time.Duration, *meter, error) {
	file := filepath.Join(d.dir, "alone.db")
	db, err := sql.Open("sqlite3", "file:"+file+"?_journal_mode=WAL&_synchronous=FULL&_txlock=immediate&_busy_timeout=5000")
	if err != nil {
		return 0, nil, err
	}
	defer func() {
		_ = db.Close()
		for _, end := range []string{"", "-wal", "-shm"} {
			_ = os.Remove(file + end)
		}
	}()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, `CREATE TABLE notifications (id INTEGER PRIMARY KEY, status TEXT, attempts INTEGER);
		CREATE TABLE attempts (id INTEGER PRIMARY KEY, notification INTEGER, status INTEGER, total REAL, body TEXT);
		CREATE INDEX of ON attempts (notification)`); err != nil {
		return 0, nil, err
	}
	if _, err := db.ExecContext(ctx, `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO notifications SELECT i, 'pending', 0 FROM n`, d.n); err != nil {
		return 0, nil, err
	}
	return d.sendAll(ctx, func(i int, o tracking.Outcome) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE notifications SET status = 'succeeded', attempts = attempts + 1 WHERE id = ?", i)
		if err == nil {
			_, err = tx.ExecContext(ctx, "INSERT INTO attempts (notification, status, total, body) VALUES (?, ?, ?, ?)", i, o.Status, o.Total.Seconds(), o.ResponseBody)
		}
		if err != nil {
			return errors.Join(err, tx.Rollback())
		}
		return tx.Commit()
	})
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
