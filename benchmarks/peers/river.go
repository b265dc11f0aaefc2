package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook"
)

// onRiver delivers the backlog as jobs of River in PostgreSQL, with the client that ours
// sends with, and its signatures.
type onRiver struct {
	db      *pgxpool.Pool
	cpu     func() time.Duration
	backlog *backlog
}

// riverSetting is a number of workers that River is tried with, and how long it waits at
// least between two looks for jobs, which bounds what few workers can do.
type riverSetting struct {
	name     string
	workers  int
	cooldown time.Duration
}

var riverSettings = []riverSetting{
	{"River, 64 workers", 64, river.FetchCooldownDefault},
	{"River, 64 workers, FetchCooldown 5 ms", 64, 5 * time.Millisecond},
	{"River, 500 workers", 500, river.FetchCooldownDefault},
}

// delivery is a job: one notification.
type delivery struct {
	ID      tracking.ID       `json:"id"`
	URL     string            `json:"url"`
	Headers []tracking.Header `json:"headers"`
	Secrets []string          `json:"secrets"`
	Body    json.RawMessage   `json:"body"`
}

// Kind names the jobs.
func (delivery) Kind() string { return "delivery" }

type deliverer struct {
	river.WorkerDefaults[delivery]
	client *webhook.Notifier
}

// Work makes one attempt.
func (w *deliverer) Work(ctx context.Context, job *river.Job[delivery]) error {
	d := job.Args
	o := w.client.Send(ctx, tracking.Dispatch{ID: d.ID, URL: d.URL, Headers: d.Headers, Secrets: d.Secrets, Body: d.Body, At: time.Now()})
	if o.Failure != "" {
		return fmt.Errorf("%s %s", o.Failure, o.Detail)
	}
	return nil
}

// newRiver makes River's tables.
func newRiver(ctx context.Context, db *pgxpool.Pool, cpu func() time.Duration, b *backlog) (*onRiver, error) {
	m, err := rivermigrate.New(riverpgxv5.New(db), &rivermigrate.Config{Logger: quiet})
	if err != nil {
		return nil, err
	}
	_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return &onRiver{db, cpu, b}, err
}

// client makes a client of River with so many workers.
func (r *onRiver) client(s riverSetting) (*river.Client[pgx.Tx], error) {
	workers := river.NewWorkers()
	river.AddWorker(workers, &deliverer{client: drainClient(s.workers)})
	return river.NewClient(riverpgxv5.New(r.db), &river.Config{
		Logger: quiet, Workers: workers, FetchCooldown: s.cooldown, Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: s.workers}},
	})
}

// insert makes a job of each notification.
func (r *onRiver) insert(ctx context.Context, c *river.Client[pgx.Tx]) error {
	if _, err := r.db.Exec(ctx, "TRUNCATE river_job"); err != nil {
		return err
	}
	const at = 5_000
	for from := 0; from < r.backlog.n; from += at {
		var jobs []river.InsertManyParams
		for i := from; i < min(from+at, r.backlog.n); i++ {
			d := r.backlog.sent[i%len(r.backlog.sent)]
			jobs = append(jobs, river.InsertManyParams{Args: delivery{d.ID, d.URL, d.Headers, d.Secrets, d.Body}})
		}
		if _, err := c.InsertManyFast(ctx, jobs); err != nil {
			return err
		}
	}
	_, err := r.db.Exec(ctx, "VACUUM ANALYZE river_job")
	return err
}

// deliver delivers the backlog.
func (r *onRiver) deliver(ctx context.Context, s riverSetting) (f figures, err error) {
	if len(r.backlog.sent) == 0 { // ours shows what it sends
		if _, err := r.backlog.ours(ctx); err != nil {
			return f, err
		}
	}
	c, err := r.client(s)
	if err != nil {
		return f, err
	}
	if err := r.insert(ctx, c); err != nil {
		return f, err
	}
	events, cancel := c.SubscribeConfig(&river.SubscribeConfig{
		ChanSize: 2 * r.backlog.n, Kinds: []river.EventKind{river.EventKindJobCompleted, river.EventKindJobFailed},
	})
	defer cancel()
	w := startWatch(func() time.Duration { return r.cpu() + cpuOf(os.Getpid()) })
	if err := c.Start(ctx); err != nil {
		return f, err
	}
	for range r.backlog.n {
		select {
		case e := <-events:
			if e.Kind != river.EventKindJobCompleted {
				err = errors.Join(err, fmt.Errorf("a delivery failed: %v", e.Job.Errors))
			}
		case <-ctx.Done():
			return f, ctx.Err()
		}
	}
	f = w.figures(r.backlog.n)
	if err := errors.Join(err, c.Stop(ctx)); err != nil {
		return f, err
	}
	var done int
	err = r.db.QueryRow(ctx, "SELECT count(*) FROM river_job WHERE state = 'completed'").Scan(&done)
	if err == nil && done != r.backlog.n {
		err = fmt.Errorf("%d of %d jobs are completed", done, r.backlog.n)
	}
	return f, err
}
