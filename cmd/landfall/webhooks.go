package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook"
)

// webhookCommand is what the commands about webhooks share: they open the
// database with its secrets, in one account.
type webhookCommand struct {
	db, account *string
}

func (f *flags) webhooks() webhookCommand {
	return webhookCommand{db: f.database(), account: f.account()}
}

// run runs fn with the engine as the account sees it. notifier, which may be nil,
// judges URLs.
func (c webhookCommand) run(ctx context.Context, p *program, notifier tracking.Notifier, fn func(*tracking.Tracker) error) error {
	if err := mustExist(*c.db); err != nil {
		return err
	}
	keys, err := p.masterKeys()
	if err != nil {
		return err
	}
	store, err := openStore(*c.db)
	if err != nil {
		return err
	}
	log := newLogger(p)
	tr, err := keys.open(*c.db, tracking.Config{Store: store, Logger: log, Notifier: notifier})
	if err != nil {
		return err
	}
	defer tr.Close()
	a, err := tr.Account(ctx, *c.account)
	if err != nil {
		return err
	}
	if err := fn(tr.For(tracking.Actor{Account: a.Scope()})); err != nil {
		return err
	}
	keys.say(log)
	return tr.Close()
}

// webhookIDOf reads the operand of a command.
func webhookIDOf(text string) (tracking.ID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return id, badUsage("%q is not the ID of a webhook: webhooks list shows them", text)
	}
	return id, nil
}

var webhooksCreate = command{
	name:  "webhooks create",
	about: "have events sent to a URL, and print the secret that deliveries are signed with",
	details: `
Prints two lines: the webhook's ID, and its secret, which the receiver verifies
deliveries with. GET /v2/webhooks/{id} shows it too. landfall listen is a receiver
to try it with.`,
	declare: func(f *flags) action {
		c := f.webhooks()
		target := f.need("url", "`URL` that events are posted to")
		events := f.String("events", "all", "`LIST` of events, or all; GET /v2/webhooks/events names them")
		var headers headerFlag
		f.Var(&headers, "header", "`NAME: VALUE` to send with each delivery; may be given several times")
		private := f.Bool("allow-private-webhooks", false, "take URLs that serve takes with the same flag")
		return func(ctx context.Context, p *program, _ []string) error {
			n := tracking.NewWebhook{URL: *target, Events: eventList(*events), Headers: headers}
			settings := webhookSettings{private: *private}
			return c.run(ctx, p, webhook.New(settings.config()), func(tr *tracking.Tracker) error {
				w, err := tr.CreateWebhook(ctx, n)
				if err != nil {
					return err
				}
				fmt.Fprintf(p.stdout, "%s\n%s\n", w.ID, w.Secret)
				return nil
			})
		}
	},
}

// eventList reads names of events; what is none is refused by the engine.
func eventList(list string) []tracking.EventName {
	if list == "all" {
		return append(tracking.EventNames(), tracking.DocumentEventNames()...)
	}
	var events []tracking.EventName
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			events = append(events, tracking.EventName(name))
		}
	}
	return events
}

// headerFlag is a list of headers, one for each time that the flag is given.
type headerFlag []tracking.Header

func (h *headerFlag) String() string { return "" } // they may be secret

// Set leaves what is wrong to the engine: what it refuses is quoted.
func (h *headerFlag) Set(s string) error {
	name, value, _ := strings.Cut(s, ":")
	*h = append(*h, tracking.Header{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	return nil
}

var webhooksList = command{
	name:    "webhooks list",
	about:   "list an account's webhooks",
	details: "Their secrets are not shown: GET /v2/webhooks/{id} shows them to the account.",
	declare: func(f *flags) action {
		c := f.webhooks()
		return func(ctx context.Context, p *program, _ []string) error {
			return c.run(ctx, p, nil, func(tr *tracking.Tracker) error { return listWebhooks(ctx, p, tr) })
		}
	},
}

func listWebhooks(ctx context.Context, p *program, tr *tracking.Tracker) error {
	list, err := everyPage(func(page tracking.Page) ([]*tracking.Webhook, int, error) {
		return tr.Webhooks(ctx, tracking.WebhookQuery{}, page)
	})
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tURL\tEVENTS\tHEADERS\tCREATED\tINACTIVE SINCE\tREASON")
	for _, w := range list {
		reason := string(w.DeactivatedReason)
		if reason == "" {
			reason = "-"
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\t%s\t%s\n", w.ID, w.URL, len(w.Events), len(w.Headers), when(w.CreatedAt), when(w.DeactivatedAt), reason)
	}
	return table.Flush()
}

var webhooksRotate = command{
	name:     "webhooks rotate",
	operands: "ID",
	about:    "give a webhook a new secret and print it",
	details: `
Until the overlap ends deliveries bear a signature of each, and the header
X-T49-Webhook-Signature, which has room for one, that of the former.`,
	declare: func(f *flags) action {
		c := f.webhooks()
		overlap := f.Duration("overlap", tracking.DefaultSecretOverlap, "how long the former secret stays good: 0s to 168h, 7 days")
		return func(ctx context.Context, p *program, operands []string) error {
			id, err := webhookIDOf(operands[0])
			if err != nil {
				return err
			}
			return c.run(ctx, p, nil, func(tr *tracking.Tracker) error {
				w, err := tr.RotateSecret(ctx, id, *overlap)
				if err != nil {
					return notFoundAs(err, "there is no webhook %s in the account", id)
				}
				fmt.Fprintln(p.stdout, w.Secret)
				return nil
			})
		}
	},
}

var webhooksRecover = command{
	name:     "webhooks recover",
	operands: "ID",
	about:    "have what a webhook was to be told in a span of time sent again",
	details: `
All of it is sent, what had succeeded included, oldest first and with the IDs of
before, by which receivers leave out what they know. The running server does it.
Prints the recovery's ID: GET /v2/webhook_recoveries/{id} tells how far it has come.`,
	declare: func(f *flags) action {
		c := f.webhooks()
		var n tracking.NewRecovery
		f.needed = append(f.needed, "since")
		f.Var((*timeFlag)(&n.Since), "since", "`TIME` from which events are sent again: 2026-11-20T00:00:00Z; required")
		f.Var((*timeFlag)(&n.Until), "until", "`TIME` until which, at most 14 days later; now when it is not given")
		events := f.String("events", "", "`LIST` of events; all when it is not given")
		return func(ctx context.Context, p *program, operands []string) error {
			id, err := webhookIDOf(operands[0])
			if err != nil {
				return err
			}
			n.Events = eventList(*events)
			return c.run(ctx, p, nil, func(tr *tracking.Tracker) error {
				r, err := tr.RecoverWebhook(ctx, id, n)
				if err != nil {
					return notFoundAs(err, "there is no webhook %s in the account", id)
				}
				fmt.Fprintln(p.stdout, r.ID)
				return nil
			})
		}
	},
}

var webhooksDelete = command{
	name:     "webhooks delete",
	operands: "ID",
	about:    "end a webhook",
	details:  "What is pending for it fails. Its notifications stay on record until they age.",
	declare: func(f *flags) action {
		c := f.webhooks()
		return func(ctx context.Context, p *program, operands []string) error {
			id, err := webhookIDOf(operands[0])
			if err != nil {
				return err
			}
			return c.run(ctx, p, nil, func(tr *tracking.Tracker) error {
				if err := tr.DeleteWebhook(ctx, id); err != nil {
					return notFoundAs(err, "there is no webhook %s in the account", id)
				}
				fmt.Fprintf(p.stdout, "deleted %s\n", id)
				return nil
			})
		}
	},
}

// timeFlag is a time with its zone.
type timeFlag time.Time

func (t *timeFlag) String() string {
	if time.Time(*t).IsZero() {
		return ""
	}
	return when(time.Time(*t))
}

func (t *timeFlag) Set(s string) error {
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return fmt.Errorf("a time is written as 2026-11-20T08:00:00Z, or with another zone as 2026-11-20T16:00:00+08:00")
	}
	*t = timeFlag(at)
	return nil
}

// everyPage reads a list whole.
func everyPage[T any](read func(tracking.Page) ([]T, int, error)) (all []T, err error) {
	for page := (tracking.Page{Number: 1, Size: 100}); ; page.Number++ {
		list, _, err := read(page)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if len(list) < page.Size {
			return all, nil
		}
	}
}
