package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
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
Prints a line for each change, first to last: the time, the account, who made it
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
				list, err := audited(ctx, tr, *account, q)
				if err != nil {
					return err
				}
				if *asJSON {
					return printJSONLines(p, list)
				}
				return printAudit(p, list)
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

// audited returns the changes of one account, or of all and of none, first to last.
func audited(ctx context.Context, tr *tracking.Tracker, account string, q tracking.AuditEventQuery) ([]auditLine, error) {
	var accounts []*tracking.Account
	if account != "" {
		a, err := tr.Account(ctx, account)
		if err != nil {
			return nil, err
		}
		accounts = []*tracking.Account{a}
	} else {
		all, err := tr.Accounts(ctx)
		if err != nil {
			return nil, err
		}
		accounts = append(all, nil)
	}
	var lines []auditLine
	for _, a := range accounts {
		of, name := tr, ""
		if a != nil {
			of, name = tr.For(tracking.Actor{Account: a.Scope()}), a.Name
		}
		events, _, err := of.AuditEvents(ctx, q, tracking.Page{})
		if err != nil {
			return nil, err
		}
		for _, e := range slices.Backward(events) {
			lines = append(lines, auditLine{
				At: e.CreatedAt, Account: name, Actor: e.ActorType, Key: idOrNil(e.Key), User: idOrNil(e.User), Operation: e.Operation,
				Resources: e.ResourceIDs, Changed: append([]string{}, e.Changed...), Counts: e.Counts, RequestID: e.RequestID, ClientAddress: e.ClientAddress,
			})
		}
	}
	slices.SortStableFunc(lines, func(a, b auditLine) int { return a.At.Compare(b.At) })
	return lines, nil
}

func idOrNil(id tracking.ID) *tracking.ID {
	if id == (tracking.ID{}) {
		return nil
	}
	return &id
}

func printJSONLines(p *program, lines []auditLine) error {
	out := json.NewEncoder(p.stdout)
	for _, line := range lines {
		if err := out.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

func printAudit(p *program, lines []auditLine) error {
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TIME\tACCOUNT\tACTOR\tUSER\tOPERATION\tRESOURCES\tCHANGED\tCLIENT\tREQUEST")
	for _, l := range lines {
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
	return table.Flush()
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
