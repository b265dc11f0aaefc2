package tracking

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// AccountExport receives the content of an account from ExportAccount. Functions that are
// nil are not called. An error of one ends the export and is returned.
type AccountExport struct {
	// Resource gets each record: its type, and its document, which has no secrets and must
	// not be kept. Records come type by type, those of a type in order of creation.
	Resource func(typ string, doc []byte) error
	// Report gets the facts in the order of their receipt: consecutive ones of a source as
	// a report, which has their times of recording and can be given to Ingest.
	Report func(Report) error
	// File gets the bytes of each document, and the error if they cannot be read; the Blob
	// is then nil. It is not called without Config.Blobs. File does not close the Blob.
	File func(d *Document, b Blob, err error) error
}

const (
	exportPage = 500
	// maxExportedFacts bounds the reports of an export, which are in memory.
	maxExportedFacts = 1_000
)

// ExportAccount reads everything that an account has and can see, on one snapshot:
// resources, facts, and the files of documents. Deleted documents, secrets and what the
// engine remembers for itself are left out. It is for the operator. Errors: NotFound.
func (t *Tracker) ExportAccount(ctx context.Context, name string, to AccountExport) error {
	account, err := t.Account(ctx, name)
	if err != nil {
		return err
	}
	return t.view(ctx, account.Scope(), func(tx *transaction) error {
		for _, typ := range exportedTypes() {
			if err := exportType(tx, registry[typ], to); err != nil {
				return err
			}
		}
		if err := exportViews(tx, to); err != nil {
			return err
		}
		if err := exportFacts(tx, to); err != nil {
			return err
		}
		return t.exportFiles(tx, to)
	})
}

// exportedTypes are the resource types that are shown to an account by themselves, sorted.
func exportedTypes() (types []string) {
	apart := []*store.Kind{discardedDocuments.Kind, importCosts.Kind, nextMilestones.Kind}
	for _, k := range allKinds() {
		shown := slices.ContainsFunc(registry[k.Name].Fields, func(f record.Field) bool { return f.Kind == record.Attribute })
		if shown && !slices.Contains(apart, k) {
			types = append(types, k.Name)
		}
	}
	return types
}

func exportType(tx *transaction, s *table.Schema, to AccountExport) error {
	if to.Resource == nil {
		return nil
	}
	for page := (Page{Number: 1, Size: exportPage}); ; page.Number++ {
		rows, total, err := tx.Records.List(tx, s.Kind, store.Filter{Sort: []Order{{}}}, page, nil)
		if err != nil {
			return err
		}
		if err := asDocuments(s.Kind, rows); err != nil {
			return err
		}
		for _, row := range rows {
			if err := to.Resource(s.Kind.Name, row.Doc); err != nil {
				return err
			}
		}
		if page.Number*exportPage >= total {
			return nil
		}
	}
}

// eachOf calls fn for each record of a type, in order of creation.
func eachOf[T any](tx *transaction, n *resource[T], fn func(*T) error) error {
	for page := (Page{Number: 1, Size: exportPage}); ; page.Number++ {
		list, total, err := n.List(tx, where[T]{Sort: []Order{{}}}, page)
		if err != nil {
			return err
		}
		for _, v := range list {
			if err := fn(v); err != nil {
				return err
			}
		}
		if page.Number*exportPage >= total {
			return nil
		}
	}
}

func exportFacts(tx *transaction, to AccountExport) error {
	if to.Report == nil {
		return nil
	}
	var r Report
	var seen map[string]bool // IDs of the facts in r: a report has one version of a fact
	flush := func() error {
		if len(r.Facts) == 0 {
			return nil
		}
		return to.Report(r)
	}
	err := eachOf(tx, rawEvents, func(e *RawEvent) error {
		f := e.Fact.Fact
		if r.Source != e.Fact.Source || r.DataSource != e.Fact.DataSource || len(r.Facts) == maxExportedFacts || seen[f.ID] {
			if err := flush(); err != nil {
				return err
			}
			r, seen = Report{Source: e.Fact.Source, DataSource: e.Fact.DataSource}, map[string]bool{}
		}
		f.SCAC = e.Fact.SCAC
		seen[f.ID] = f.ID != ""
		r.Facts = append(r.Facts, f)
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

func (t *Tracker) exportFiles(tx *transaction, to AccountExport) error {
	if to.File == nil || t.config.Blobs == nil {
		return nil
	}
	return eachOf(tx, documents, func(d *Document) error {
		b, err := t.config.Blobs.Open(tx, d.key(tx.Account))
		if err != nil {
			return to.File(d, nil, err)
		}
		defer b.Close()
		return to.File(d, b, nil)
	})
}

// AccountBlobs are Blobs that can delete all blobs of an account at once, those too that no
// upload names. Blobs that are none keep what DeleteAccount leaves until they are swept.
type AccountBlobs interface {
	Blobs
	DeleteAccount(ctx context.Context, a AccountID) error
}

const (
	// deletionBatch is how many records a transaction of DeleteAccount deletes.
	deletionBatch = 200
	// maxDeletionPause bounds the pause after each transaction, in which others write.
	maxDeletionPause = time.Second
)

// errAccountDeleted is the error of every write in an account that is or was deleted. It is
// that of an unknown key, since the keys of the account are gone.
var errAccountDeleted = &Error{Kind: Unauthorized, Detail: "Invalid or missing API token."}

// DeleteAccount deletes an account with everything of it: records, facts, jobs, the files
// of documents, users, keys and its audit log. What stays is its ID, so that nothing can be
// written under it again, and an event of the operator's audit log without its name. It
// returns the number of deleted records and jobs.
//
// From the first transaction on the account is closed and its keys are revoked; from the
// second on every write in it fails. The rest is done in many transactions, with pauses for
// other writers. If it is interrupted, call it again: it does the rest. It is for the
// operator. Errors: NotFound.
func (t *Tracker) DeleteAccount(ctx context.Context, name string) (deleted int, err error) {
	if err := t.operator(); err != nil {
		return 0, err
	}
	deleter, ok := t.config.Store.(store.AccountDeleter)
	if !ok {
		return 0, fmt.Errorf("tracking: %w: a %T deletes no accounts", errors.ErrUnsupported, t.config.Store)
	}
	account, err := t.beginDeletion(ctx, name)
	if err != nil {
		return 0, err
	}
	for {
		began := t.config.Clock.Now()
		n, err := deleter.DeleteAccount(ctx, account.Scope(), deletionBatch, ledgers.Kind)
		if err != nil {
			return deleted, err
		}
		if n == 0 {
			break
		}
		deleted += n
		if err := pause(ctx, min(t.config.Clock.Now().Sub(began), maxDeletionPause)); err != nil {
			return deleted, err
		}
	}
	if blobs, ok := t.config.Blobs.(AccountBlobs); ok {
		if err := blobs.DeleteAccount(ctx, account.Scope()); err != nil {
			return deleted, err
		}
	}
	n, err := t.endDeletion(ctx, account)
	return deleted + n, err
}

// pause waits, so that a process that deletes leaves others their turn.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// beginDeletion ends the access to an account, and every write in it.
func (t *Tracker) beginDeletion(ctx context.Context, name string) (account *Account, err error) {
	err = t.change(ctx, "account.delete", AccountID{}, func(tx *transaction) error {
		if account, err = accountNamed(tx, name); err != nil {
			return err
		}
		return markDeleted(tx, account)
	})
	if err != nil {
		return nil, err
	}
	err = t.update(ctx, account.Scope(), func(tx *transaction) error {
		*tx.ledger = ledger{Meta: tx.ledger.Meta, At: tx.Now, ClosedAt: tx.Now, DeletedAt: tx.Now, Renewing: tx.ledger.Renewing, Renewed: tx.ledger.Renewed, read: tx.ledger.read}
		return nil
	})
	if errors.Is(err, errAccountDeleted) { // it was begun before
		err = nil
	}
	return account, err
}

func markDeleted(tx *transaction, account *Account) error {
	if account.DeletedAt.IsZero() {
		account.DeletedAt = tx.Now
		if account.ClosedAt.IsZero() {
			account.ClosedAt = tx.Now
		}
		if err := accounts.Put(tx, account); err != nil {
			return err
		}
	}
	return revokeKeys(tx, account)
}

// endDeletion deletes what the system has of an account.
func (t *Tracker) endDeletion(ctx context.Context, account *Account) (deleted int, err error) {
	err = t.update(ctx, AccountID{}, func(tx *transaction) error {
		deleted = 0
		keys, err := keysOf(tx, account.Scope())
		if err != nil {
			return err
		}
		events, err := auditEvents.All(tx, auditEventsOf(account.Scope()))
		if err != nil {
			return err
		}
		addresses, err := userAddresses.All(tx, ofAccount(account.Scope(), func(a *userAddress) AccountID { return a.Account }))
		if err != nil {
			return err
		}
		ended, err := sessions.All(tx, ofAccount(account.Scope(), func(s *session) AccountID { return s.Account }))
		if err != nil {
			return err
		}
		for _, key := range keys {
			err = errors.Join(err, apiKeys.Delete(tx, key.ID))
		}
		for _, address := range addresses {
			err = errors.Join(err, userAddresses.Delete(tx, address.ID))
		}
		for _, s := range ended {
			err = errors.Join(err, sessions.Delete(tx, s.ID))
		}
		for _, event := range events {
			err = errors.Join(err, auditEvents.Delete(tx, event.ID))
		}
		deleted = len(keys) + len(addresses) + len(ended) + len(events) + 1
		return errors.Join(err, accounts.Delete(tx, account.ID))
	})
	return deleted, err
}

// auditEventsOf selects the events in the system scope that belong to an account and were not
// moved to it yet.
func auditEventsOf(a AccountID) (w where[AuditEvent]) {
	w.IDs("account", []ID{ID(a)}, func(e *AuditEvent) ID { return ID(e.Account) })
	return w
}

// isDeleted reports whether an account is or was deleted.
func isDeleted(tx *transaction) (bool, error) {
	l, err := ledgers.Get(tx, ledgerID)
	return err == nil && !l.DeletedAt.IsZero(), ignoreNotFound(err)
}
