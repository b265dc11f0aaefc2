package tracking

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// AuditEvent is one change that a key, a user or the operator has made: one for each
// transaction. What the engine derives from facts is not recorded.
type AuditEvent struct {
	Meta
	// Operation is the resource type and what was done: shipment.update,
	// shipment.stop_tracking, webhook.rotate_secret, report.create.
	Operation string `attr:"operation"`
	// ResourceType of the changed resources.
	ResourceType string `attr:"resource_type"`
	// ResourceIDs are the changed resources, at most 100. Those of a report are the
	// shipments that its facts are about.
	ResourceIDs []ID `attr:"resource_ids"`
	// Changed has the names of the attributes and relationships that an update has
	// changed, never their values.
	Changed []string `attr:"changed"`
	// Counts has resources, the number of changed resources; of a report facts, new,
	// shipments, containers and events, as in its receipt.
	Counts map[string]int `attr:"counts"`
	// ActorType is who made the change: key, user (who has signed in, or of an embedding
	// program), operator (a command of the server, or an embedding program that names no
	// user), or anonymous (somebody who could not sign in).
	ActorType string `attr:"actor_type"`
	// Key is the ID of the key; zero (null) without one.
	Key ID `attr:"key_id,null"`
	// RequestID is the X-Request-Id of the response, and ClientAddress the address of the
	// client; empty (null) for a change that was not made over HTTP.
	RequestID     string `attr:"request_id,null"`
	ClientAddress string `attr:"client_address,null"`
	// CreatedAt is the time of the change, UTC.
	CreatedAt time.Time `attr:"created_at"`
	// User of the key, or that the embedding program named; zero (null) for none.
	User ID `rel:"user,user"`

	auditInternals
}

// auditInternals is what the engine stores with an event and does not show.
type auditInternals struct {
	// Account whose event it is, while it is still in the system scope.
	Account AccountID `private:"account"`
}

const (
	maxAuditedIDs      = 100
	defaultAuditWindow = 365 * 24 * time.Hour
)

var auditEvents = newKind("audit_event", []column[AuditEvent]{
	table.TimeColumn("created_at", func(a *AuditEvent) time.Time { return a.CreatedAt }),
	table.TextColumn("resource_type", func(a *AuditEvent) string { return a.ResourceType }),
	table.IDColumn("key_id", func(a *AuditEvent) ID { return a.Key }),
	table.IDColumn("account", func(a *AuditEvent) ID { return ID(a.Account) }),
	table.TextColumn("operation", func(a *AuditEvent) string { return a.Operation }),
	table.IDColumn("user", func(a *AuditEvent) ID { return a.User }),
}, func(a *AuditEvent) []store.Term {
	terms := make([]store.Term, len(a.ResourceIDs))
	for i, id := range a.ResourceIDs {
		terms[i] = store.Term{Name: "resource", Value: id.String()}
	}
	return terms
}, nil).InGeneration(2)

// AuditEventQuery selects audit events, last first.
type AuditEventQuery struct {
	// ResourceTypes, Operations, Resources, Keys and Users: any of them.
	ResourceTypes []string
	Operations    []string
	Resources     []ID
	Keys          []ID
	Users         []ID
	// Created selects by the time of the change.
	Created TimeRange
}

func (q AuditEventQuery) resourceType() *table.Schema { return auditEvents.Schema }
func (q AuditEventQuery) filter() store.Filter        { w := q.where(); return w.Filter(auditEvents) }

func (q AuditEventQuery) where() (w where[AuditEvent]) {
	w.Text("resource_type", q.ResourceTypes, func(a *AuditEvent) string { return a.ResourceType })
	w.Has("resource", textsOfIDs(q.Resources), func(a *AuditEvent) []string { return textsOfIDs(a.ResourceIDs) })
	w.Text("operation", q.Operations, func(a *AuditEvent) string { return a.Operation })
	w.IDs("user", q.Users, func(a *AuditEvent) ID { return a.User })
	w.IDs("key_id", q.Keys, func(a *AuditEvent) ID { return a.Key })
	w.Times("created_at", q.Created.From, q.Created.To, func(a *AuditEvent) time.Time { return a.CreatedAt })
	return w
}

func textsOfIDs(ids []ID) []string {
	var texts []string
	for _, id := range ids {
		texts = append(texts, id.String())
	}
	return texts
}

// AuditEvents returns a page of the changes that keys, users and the operator have made in
// the account, last first, and their total number; on a Tracker of the operator without an
// account those that belong to no account. They are kept for Config.AuditRetention. Needs
// admin.
func (t *Tracker) AuditEvents(ctx context.Context, q AuditEventQuery, p Page) (events []*AuditEvent, total int, err error) {
	if t.bound || t.actor.Account != (AccountID{}) {
		if err := t.allow(Admin); err != nil {
			return nil, 0, err
		}
	}
	err = t.view(ctx, t.actor.Account, func(tx *transaction) error {
		events, total, err = auditEvents.List(tx, q.where(), p)
		return err
	})
	return events, total, err
}

// operation is what an actor does, for the audit log.
type operation struct {
	// name is the resource type and what is done.
	name  string
	actor Actor
	// anonymous: nobody is known to do it.
	anonymous bool
	// only is the one resource of the type that the actor changes; zero for all that the
	// transaction writes.
	only ID
}

// change is update for what an actor does: the operation, such as shipment.update, is
// recorded in the audit log with the records of that type that fn changes. Nothing is
// recorded if it changes none.
func (t *Tracker) change(ctx context.Context, name string, a AccountID, fn func(*transaction) error) error {
	return t.updateAudited(ctx, a, t.operation(name), fn)
}

func (t *Tracker) operation(name string) *operation {
	return &operation{name: name, actor: t.actor}
}

// reporting is the operation of a report. One without a key or a user is recorded only if
// it is an import: a carrier or an embedding program hands in facts of its own accord.
func (t *Tracker) reporting() *operation {
	if t.actor.Key == (ID{}) && t.actor.User == (ID{}) && t.actor.Via != SetByImport {
		return nil
	}
	return t.operation("report.create")
}

// auditRecorder collects what one transaction changes for an actor. Its methods do
// nothing on nil.
type auditRecorder struct {
	operation
	event AuditEvent
}

// recordAudit begins to record; a nil operation records nothing.
func (tx *transaction) recordAudit(by *operation) {
	if by == nil {
		return
	}
	a := &auditRecorder{operation: *by}
	a.event = AuditEvent{Operation: by.name, Key: by.actor.Key, User: by.actor.User, RequestID: by.actor.RequestID, ClientAddress: by.actor.ClientAddress}
	a.event.ResourceType, _, _ = strings.Cut(by.name, ".")
	switch {
	case by.actor.Key != (ID{}):
		a.event.ActorType = "key"
	case by.actor.User != (ID{}):
		a.event.ActorType = "user"
	case by.anonymous:
		a.event.ActorType = "anonymous"
	default:
		a.event.ActorType = "operator"
	}
	tx.audit, tx.Changed = a, a.changed
}

// changed records a changed record; see table.Tx.
func (a *auditRecorder) changed(k *store.Kind, id store.ID, before, after []byte) {
	if k.Name != a.event.ResourceType || a.only != (ID{}) && a.only != id {
		return
	}
	var names []string
	if before != nil && after != nil {
		names = slices.DeleteFunc(record.ChangedMembers(before, after), func(name string) bool { return name == "updated_at" })
	}
	a.note(id, names...)
}

// note records a resource, and members of it that have changed.
func (a *auditRecorder) note(id ID, members ...string) {
	if a == nil {
		return
	}
	for _, name := range members {
		if !slices.Contains(a.event.Changed, name) {
			a.event.Changed = append(a.event.Changed, name)
		}
	}
	if slices.Contains(a.event.ResourceIDs, id) {
		return
	}
	a.count("resources", 1)
	if len(a.event.ResourceIDs) < maxAuditedIDs {
		a.event.ResourceIDs = append(a.event.ResourceIDs, id)
	}
}

func (a *auditRecorder) count(what string, n int) {
	if a.event.Counts == nil {
		a.event.Counts = map[string]int{}
	}
	a.event.Counts[what] += n
}

// noteReport records what a report has done.
func (a *auditRecorder) noteReport(r Receipt) {
	if a == nil || a.event.ResourceType != "report" {
		return
	}
	a.event.ResourceIDs = r.ShipmentIDs[:min(len(r.ShipmentIDs), maxAuditedIDs)]
	a.event.Counts = map[string]int{"facts": r.Facts, "new": r.New, "shipments": r.Shipments, "containers": r.Containers, "events": r.Events}
}

// belongsTo makes the event of a transaction in the system scope one of an account.
func (a *auditRecorder) belongsTo(account AccountID) {
	if a != nil {
		a.event.Account = account
	}
}

// writeAudit writes what was recorded.
func (tx *transaction) writeAudit() error {
	a := tx.audit
	if a == nil || a.event.Counts == nil {
		return nil
	}
	tx.Changed = nil
	a.event.CreatedAt = tx.Now
	return auditEvents.Put(tx, &a.event)
}

// changeSystem is change in the system scope, for what belongs to an account: fn names it
// by belongsTo. The event is then moved to the account's scope; what a crash leaves in the
// system scope, the background work moves.
func (t *Tracker) changeSystem(ctx context.Context, name string, fn func(*transaction) error) error {
	if err := t.change(ctx, name, AccountID{}, fn); err != nil {
		return err
	}
	if err := t.moveAuditEvents(ctx); err != nil {
		t.log.Warn("the background work will move an event of the audit log to its account", "error", err)
	}
	return nil
}

// moveAuditEvents moves events in the system scope to the accounts that they belong to.
func (t *Tracker) moveAuditEvents(ctx context.Context) error {
	var w where[AuditEvent]
	w.Add(store.Cond{Name: "account", Op: store.From, Values: []any{ID{}}}, func(a *AuditEvent) bool { return a.Account != AccountID{} })
	list, err := viewing(ctx, t.engine, AccountID{}, func(tx *transaction) ([]*AuditEvent, error) { return auditEvents.All(tx, w) })
	for _, event := range slices.Backward(list) {
		if err != nil {
			return err
		}
		moved := *event
		moved.Meta, moved.Account = Meta{ID: event.ID}, AccountID{}
		// Without the ledger: the time of the event is that of the change.
		err = t.config.Store.Update(ctx, event.Account, func(r store.RecordTx) error {
			tx, again := t.newTransaction(ctx, r, event.Account), moved // a closure may run again
			if deleted, err := isDeleted(tx); deleted || err != nil {
				return err
			}
			return auditEvents.Put(tx, &again)
		})
		if err == nil {
			err = t.update(ctx, AccountID{}, func(tx *transaction) error { return ignoreNotFound(auditEvents.Delete(tx, event.ID)) })
		}
	}
	return err
}
