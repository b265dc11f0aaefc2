package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/landfallhq/tracking"
)

var webhooksTail = command{
	name:  "webhooks tail",
	about: "print webhook deliveries as they happen",
	details: `
Prints one line for each delivery attempt that has ended, until it is interrupted.
The database is that of a running server. The number of a manually requested
attempt is followed by "manual". With --since, it first prints earlier attempts,
as far as they are still kept.`,
	declare: func(f *flags) action {
		db := f.database()
		account := f.String("account", "", "`NAME` of the account (default all accounts)")
		var since time.Time
		f.Var((*timeFlag)(&since), "since", "start `TIME`: 2026-11-20T00:00:00Z (default now)")
		return func(ctx context.Context, p *program, _ []string) error {
			return onExistingDatabase(p, *db, func(tr *tracking.Tracker) error {
				if since.IsZero() {
					since = time.Now()
				}
				t := newTail(tr, p.stdout, *account, since)
				for err := error(nil); ; {
					if err = t.printNew(ctx); err != nil {
						return ignoreInterrupt(ctx, err)
					}
					select {
					case <-ctx.Done():
						return nil
					case <-time.After(tailEvery):
					}
				}
			})
		}
	},
}

// ignoreInterrupt ignores an error that is due to a signal.
func ignoreInterrupt(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

const (
	tailEvery = 500 * time.Millisecond
	// tailPage is the number of attempts per read.
	tailPage = 100
)

// tail prints attempts, each once.
type tail struct {
	tracker       *tracking.Tracker // the operator's
	out           io.Writer
	account       string // empty for all accounts
	since         time.Time
	headerPrinted bool
	last          map[tracking.AccountID]tracking.ID // latest printed attempt
}

func newTail(tr *tracking.Tracker, out io.Writer, account string, since time.Time) *tail {
	// Times are stored in whole seconds.
	return &tail{tracker: tr, out: out, account: account, since: since.UTC().Truncate(time.Second), last: map[tracking.AccountID]tracking.ID{}}
}

// printNew prints the attempts since the last round, and the titles before the first.
func (t *tail) printNew(ctx context.Context) error {
	accounts, err := t.accounts(ctx)
	if err != nil {
		return err
	}
	var lines []line
	for _, a := range accounts {
		tr := t.tracker.For(tracking.Actor{Account: a.Scope()})
		list, err := t.newAttempts(ctx, tr, a.Scope())
		if err != nil {
			return err
		}
		for _, attempt := range list {
			n, err := tr.WebhookNotification(ctx, attempt.Notification)
			if err != nil && !errors.Is(err, tracking.ErrNotFound) { // deleted meanwhile
				return err
			}
			lines = append(lines, line{a.Name, attempt, n})
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return a.attempt.EndedAt.Compare(b.attempt.EndedAt) })
	if !t.headerPrinted {
		t.headerPrinted = true
		fmt.Fprintf(t.out, tailForm, "ENDED", "NOTIFICATION", "EVENT", "WEBHOOK", "ATTEMPT", "STATUS", "FAILURE", "MS", "NEXT", "ACCOUNT")
	}
	for _, l := range lines {
		l.print(t.out)
	}
	return nil
}

func (t *tail) accounts(ctx context.Context) ([]*tracking.Account, error) {
	if t.account == "" {
		return t.tracker.Accounts(ctx)
	}
	a, err := t.tracker.Account(ctx, t.account)
	if err != nil {
		return nil, err
	}
	return []*tracking.Account{a}, nil
}

// newAttempts returns the attempts of an account that were not printed yet, oldest first.
// It reads backwards to the last printed one, in the order in which they were
// written, which is not that of their times.
func (t *tail) newAttempts(ctx context.Context, tr *tracking.Tracker, a tracking.AccountID) (list []*tracking.DeliveryAttempt, err error) {
	q := tracking.DeliveryAttemptQuery{Ended: tracking.TimeRange{From: t.since}}
	seen := map[tracking.ID]bool{t.last[a]: true}
	for page := (tracking.Page{Number: 1, Size: tailPage}); ; page.Number++ {
		got, _, err := tr.DeliveryAttempts(ctx, q, page)
		if err != nil {
			return nil, err
		}
		known := slices.IndexFunc(got, func(d *tracking.DeliveryAttempt) bool { return d.ID == t.last[a] })
		if known >= 0 {
			got = got[:known]
		}
		for _, d := range got {
			if !seen[d.ID] { // new attempts move others to the next page
				seen[d.ID] = true
				list = append(list, d)
			}
		}
		if known >= 0 || len(got) < tailPage {
			break
		}
	}
	slices.Reverse(list)
	if len(list) > 0 {
		t.last[a] = list[len(list)-1].ID
	}
	return list, nil
}

// line is one attempt with its context.
type line struct {
	account      string
	attempt      *tracking.DeliveryAttempt
	notification *tracking.WebhookNotification // nil if it is deleted
}

// tailForm fits all but the longest event names.
const tailForm = "%-20s  %-36s  %-48s  %-36s  %-9s  %-6s  %-15s  %8s  %-20s  %s\n"

func (l line) print(w io.Writer) {
	a, event, webhook := l.attempt, "-", "-"
	if l.notification != nil {
		event, webhook = string(l.notification.Event), l.notification.Webhook.String()
	}
	number, status, took := strconv.Itoa(a.Number), "-", "-"
	if a.Trigger == tracking.TriggerManual {
		number += " manual"
	}
	if a.StatusCode != 0 {
		status = strconv.Itoa(a.StatusCode)
	}
	if a.TotalMillis != 0 {
		took = strconv.FormatFloat(a.TotalMillis, 'f', 1, 64)
	}
	fmt.Fprintf(w, tailForm, formatTime(a.EndedAt), a.Notification, event, webhook, number, status,
		cmp.Or(a.Failure, "-"), took, formatTime(a.NextAttemptAt), l.account)
}
