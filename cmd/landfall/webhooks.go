package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook"
)

// webhookCommand is the common part of the commands about webhooks: they open the
// database with its secrets, for one account.
type webhookCommand struct {
	db, account *string
}

func (f *flags) webhooks() webhookCommand {
	return webhookCommand{db: f.database(), account: f.account()}
}

// run runs fn with a tracker for the account. notifier, which may be nil, checks
// URLs.
func (c webhookCommand) run(ctx context.Context, p *program, notifier tracking.Notifier, fn func(*tracking.Tracker) error) error {
	if err := mustExist(*c.db); err != nil {
		return err
	}
	keys, err := p.masterKeys()
	if err != nil {
		return err
	}
	store, err := p.openStore(*c.db)
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
	keys.logCreated(log)
	return tr.Close()
}

// webhookIDOf parses the operand of a command.
func webhookIDOf(text string) (tracking.ID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return id, usageErrorf("%q is not the ID of a webhook: run webhooks list", text)
	}
	return id, nil
}

var webhooksCreate = command{
	name:  "webhooks create",
	about: "create a webhook, and print its ID and signing secret",
	details: `
Prints the ID and, on a second line, the secret with which the receiver verifies
deliveries. GET /v2/webhooks/{id} shows the secret too, to a key with admin. landfall listen is a
receiver for trials.`,
	declare: func(f *flags) action {
		c := f.webhooks()
		target := f.need("url", "`URL` to post events to")
		events := f.String("events", "all", "`LIST` of events and categories of events, or all, which has none of the category exception-events; see GET /v2/webhooks/events")
		var headers headerFlag
		f.Var(&headers, "header", "`NAME: VALUE` of a header to send with each delivery; can be repeated")
		format := f.String("format", string(tracking.FormatJSONAPI), "`FORMAT` of what is posted: json_api, slack, teams, or template")
		template := f.String("template-file", "", "`FILE` with the template, for --format template; - for standard input")
		private := f.Bool("allow-private-webhooks", false, "allow the URLs that serve allows with the same flag")
		return func(ctx context.Context, p *program, _ []string) error {
			n := tracking.NewWebhook{URL: *target, Events: eventList(*events), Headers: headers, Format: tracking.WebhookFormat(*format)}
			if err := readTemplate(p, *template, &n.Template); err != nil {
				return err
			}
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

// maxTemplateFile is more than a template may have: the engine refuses it with the number.
const maxTemplateFile = 1 << 20

// readTemplate reads the file of a template; - is standard input, and empty none.
func readTemplate(p *program, file string, to *string) error {
	in := p.stdin
	if file == "" {
		return nil
	}
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return usageErrorf("--template-file: %v", err)
		}
		defer opened.Close()
		in = opened
	}
	text, err := io.ReadAll(io.LimitReader(in, maxTemplateFile))
	*to = string(text)
	return err
}

// eventList splits a list of event names. The engine validates them.
func eventList(list string) []tracking.EventName {
	if list == "all" {
		return defaultEvents()
	}
	var events []tracking.EventName
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			events = append(events, tracking.EventName(name))
		}
	}
	return events
}

// defaultEvents are the events of all categories but those that webhooks have to name.
func defaultEvents() (names []tracking.EventName) {
	for _, c := range tracking.Describe().EventCategories {
		for _, e := range c.Events {
			if !c.OptIn {
				names = append(names, e.Name)
			}
		}
	}
	return names
}

// headerFlag is a list of headers, one per use of the flag.
type headerFlag []tracking.Header

func (h *headerFlag) String() string { return "" } // headers may be secret

// Set does not validate, because package flag quotes the value in its error.
func (h *headerFlag) Set(s string) error {
	name, value, _ := strings.Cut(s, ":")
	*h = append(*h, tracking.Header{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	return nil
}

var webhooksList = command{
	name:    "webhooks list",
	about:   "list an account's webhooks",
	details: "Secrets are not listed; GET /v2/webhooks/{id} shows them to a key with admin.",
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
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\t%s\t%s\n", w.ID, w.URL, len(w.Events), len(w.Headers), formatTime(w.CreatedAt), formatTime(w.DeactivatedAt), reason)
	}
	return table.Flush()
}

var webhooksRotate = command{
	name:     "webhooks rotate",
	operands: "ID",
	about:    "replace the secret of a webhook and print the new one",
	details: `
Until the overlap ends, deliveries are signed with both secrets. The header
X-T49-Webhook-Signature, which has room for only one, uses the old one.`,
	declare: func(f *flags) action {
		c := f.webhooks()
		overlap := f.Duration("overlap", defaultOverlap, "`DURATION` for which the old secret stays valid: 0s to 168h (7 days)")
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
	about:    "send all events of a webhook in a time span again",
	details: `
Events are sent oldest first, including those that were delivered, with the same
IDs, so that receivers can ignore repetitions. The running server sends them.
Prints the ID of the recovery; GET /v2/webhook_recoveries/{id} shows its progress.`,
	declare: func(f *flags) action {
		c := f.webhooks()
		var n tracking.NewRecovery
		f.needed = append(f.needed, "since")
		f.Var((*timeFlag)(&n.Since), "since", "start `TIME`: 2026-11-20T00:00:00Z; required")
		f.Var((*timeFlag)(&n.Until), "until", "end `TIME`, at most 14 days later (default now)")
		events := f.String("events", "", "`LIST` of events (default all)")
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
	about:    "delete a webhook",
	details:  "Its pending notifications fail. Its notifications are kept for the usual time.",
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

// timeFlag is a time with a zone.
type timeFlag time.Time

func (t *timeFlag) String() string {
	if time.Time(*t).IsZero() {
		return ""
	}
	return formatTime(time.Time(*t))
}

func (t *timeFlag) Set(s string) error {
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return fmt.Errorf("write a time as 2026-11-20T08:00:00Z, or with another zone as 2026-11-20T16:00:00+08:00")
	}
	*t = timeFlag(at)
	return nil
}

// everyPage reads all pages of a list.
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
