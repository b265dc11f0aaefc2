package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

const defaultAuditRetention = 365 * 24 * time.Hour

var auditCommand = command{
	name:  "audit",
	about: "list what keys, users and the operator have changed",
	details: `
Prints a line for each change, last first: the time, the account, who made it
(a key, with its user, or the operator), what was done, to which resources, the
names of the members that an update has changed, and for a change over HTTP the
address of the client and the X-Request-Id. Values are not recorded.

With --json each line is an object. Without --account it has the changes of all
accounts and those that belong to none. They are kept for the --audit-retention of
landfall serve.`,
	declare: func(f *flags) action {
		db := f.database()
		account := f.String("account", "", "`NAME` of the account (default all)")
		since := f.String("since", "", "`TIME` of the first change, such as 2026-11-01T00:00:00Z, or a duration before now, such as 24h")
		until := f.String("until", "", "`TIME` of the last change, likewise")
		typ := f.String("type", "", "`LIST` of types of the changed resources: shipment,api_key")
		key := f.String("key", "", "`ID` of the key that made the change")
		asJSON := f.Bool("json", false, "print JSON, an object on each line")
		return func(ctx context.Context, p *program, _ []string) (err error) {
			now, q := time.Now(), tracking.AuditEventQuery{}
			if q.Created.From, err = timeOrAge("since", *since, now); err != nil {
				return err
			}
			if q.Created.To, err = timeOrAge("until", *until, now); err != nil {
				return err
			}
			if *typ != "" {
				q.ResourceTypes = strings.Split(*typ, ",")
			}
			if *key != "" {
				id, err := uuid.Parse(*key)
				if err != nil {
					return usageErrorf("--key: %q is not the ID of a key: keys list shows them", *key)
				}
				q.Keys = []tracking.ID{id}
			}
			return onExistingDatabase(p, *db, func(tr *tracking.Tracker) error {
				// While it is read, changes are made, which would move the pages.
				if q.Created.To.IsZero() {
					q.Created.To = now
				}
				lines, err := audited(ctx, tr, *account, q)
				if err != nil {
					return err
				}
				if *asJSON {
					return printJSONLines(p, lines)
				}
				return printAudit(p, lines)
			})
		}
	},
}

// timeOrAge reads a time, or a duration before now; empty is the zero time.
func timeOrAge(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if age, err := time.ParseDuration(text); err == nil && age >= 0 {
		return now.Add(-age), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, usageErrorf("--%s: %q is not a time such as 2026-11-01T00:00:00Z, nor a duration such as 24h", flag, text)
	}
	return at, nil
}

// auditLine is a change as it is printed.
type auditLine struct {
	At            time.Time      `json:"at"`
	Account       string         `json:"account,omitempty"`
	Actor         string         `json:"actor"`
	Key           *tracking.ID   `json:"key_id,omitempty"`
	User          *tracking.ID   `json:"user_id,omitempty"`
	Operation     string         `json:"operation"`
	Resources     []tracking.ID  `json:"resource_ids"`
	Changed       []string       `json:"changed"`
	Counts        map[string]int `json:"counts"`
	RequestID     string         `json:"request_id,omitempty"`
	ClientAddress string         `json:"client_address,omitempty"`
}

// auditPage is how many changes of an account are held.
const auditPage = 200

// audited returns the changes of one account, or of all and of none, last first.
func audited(ctx context.Context, tr *tracking.Tracker, account string, q tracking.AuditEventQuery) (iter.Seq2[auditLine, error], error) {
	if account != "" {
		a, err := tr.Account(ctx, account)
		if err != nil {
			return nil, err
		}
		return auditedIn(ctx, tr.For(tracking.Actor{Account: a.Scope()}), a.Name, q), nil
	}
	accounts, err := tr.Accounts(ctx)
	if err != nil {
		return nil, err
	}
	lists := []iter.Seq2[auditLine, error]{auditedIn(ctx, tr, "", q)}
	for _, a := range accounts {
		lists = append(lists, auditedIn(ctx, tr.For(tracking.Actor{Account: a.Scope()}), a.Name, q))
	}
	return lastFirst(lists), nil
}

// auditedIn returns the changes in an account, last first.
func auditedIn(ctx context.Context, tr *tracking.Tracker, name string, q tracking.AuditEventQuery) iter.Seq2[auditLine, error] {
	return func(yield func(auditLine, error) bool) {
		for page := 1; ; page++ {
			events, _, err := tr.AuditEvents(ctx, q, tracking.Page{Number: page, Size: auditPage})
			if err != nil {
				yield(auditLine{}, err)
				return
			}
			for _, e := range events {
				if !yield(newAuditLine(name, e), nil) {
					return
				}
			}
			if len(events) < auditPage {
				return
			}
		}
	}
}

func newAuditLine(account string, e *tracking.AuditEvent) auditLine {
	return auditLine{
		At: e.CreatedAt, Account: account, Actor: e.ActorType, Key: idOrNil(e.Key), User: idOrNil(e.User), Operation: e.Operation,
		Resources: e.ResourceIDs, Changed: append([]string{}, e.Changed...), Counts: e.Counts, RequestID: e.RequestID, ClientAddress: e.ClientAddress,
	}
}

// lastFirst merges lists that have their last line first.
func lastFirst(lists []iter.Seq2[auditLine, error]) iter.Seq2[auditLine, error] {
	type cursor struct {
		line auditLine
		err  error
		next func() (auditLine, error, bool)
	}
	return func(yield func(auditLine, error) bool) {
		var cursors []*cursor
		for _, list := range lists {
			next, stop := iter.Pull2(list)
			defer stop()
			if line, err, ok := next(); ok {
				cursors = append(cursors, &cursor{line, err, next})
			}
		}
		for len(cursors) > 0 {
			last := slices.MaxFunc(cursors, func(a, b *cursor) int { return a.line.At.Compare(b.line.At) })
			if !yield(last.line, last.err) || last.err != nil {
				return
			}
			var ok bool
			if last.line, last.err, ok = last.next(); !ok {
				cursors = slices.DeleteFunc(cursors, func(c *cursor) bool { return c == last })
			}
		}
	}
}

func idOrNil(id tracking.ID) *tracking.ID {
	if id == (tracking.ID{}) {
		return nil
	}
	return &id
}

func printJSONLines(p *program, lines iter.Seq2[auditLine, error]) error {
	out := json.NewEncoder(p.stdout)
	for line, err := range lines {
		if err == nil {
			err = out.Encode(line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// printAudit prints a table, and aligns the columns of auditPage lines at a time.
func printAudit(p *program, lines iter.Seq2[auditLine, error]) error {
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TIME\tACCOUNT\tACTOR\tUSER\tOPERATION\tRESOURCES\tCHANGED\tCLIENT\tREQUEST")
	printed := 0
	for l, err := range lines {
		if err != nil {
			return errors.Join(table.Flush(), err)
		}
		l.print(table)
		if printed++; printed%auditPage == 0 {
			if err := table.Flush(); err != nil {
				return err
			}
		}
	}
	return table.Flush()
}

func (l auditLine) print(table io.Writer) {
	actor, user := l.Actor, "-"
	if l.Key != nil {
		actor = "key " + l.Key.String()
	}
	if l.User != nil {
		user = l.User.String()
	}
	fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", formatTime(l.At), cmp.Or(l.Account, "-"), actor, user, l.Operation, l.resources(),
		cmp.Or(strings.Join(l.Changed, ","), "-"), cmp.Or(l.ClientAddress, "-"), cmp.Or(l.RequestID, "-"))
}

// resources is one ID, or how many resources there are; of a report its facts.
func (l auditLine) resources() string {
	if facts, ok := l.Counts["facts"]; ok {
		return fmt.Sprintf("%d facts, %d new", facts, l.Counts["new"])
	}
	if n := l.Counts["resources"]; n != 1 {
		return fmt.Sprint(n)
	}
	return l.Resources[0].String()
}
