package tracking

import "context"

// DuplicateDocuments says what becomes of a document whose bytes the account has
// in another one.
type DuplicateDocuments string

// The choices of an account. The empty choice is RejectDuplicates.
const (
	RejectDuplicates  DuplicateDocuments = "reject"  // the new one is refused
	ReplaceDuplicates DuplicateDocuments = "replace" // the old one is deleted
	AcceptDuplicates  DuplicateDocuments = "accept"  // both are kept
)

// settleDuplicates does what the account has chosen about documents of the same
// bytes. Deleted ones do not count.
func (d *Document) settleDuplicates(tx *Tx) error {
	choice := tx.ledger.DuplicateDocuments
	if choice == AcceptDuplicates {
		return nil
	}
	var w where[Document]
	w.text("content", []string{d.Content}, func(o *Document) string { return o.Content })
	same, err := table(tx, documents).All(w)
	if err != nil || len(same) == 0 {
		return err
	}
	if choice != ReplaceDuplicates {
		return &Error{
			Kind: Conflict, Code: "duplicate_document", Title: "Duplicate document",
			Detail: "A document with the same content already exists",
			Meta:   map[string]any{"existing_document_id": same[0].ID.String(), "existing_document_name": same[0].Name},
		}
	}
	for _, o := range same {
		if err := o.discard(tx, d.User); err != nil {
			return err
		}
	}
	return nil
}

// SetDuplicateDocuments changes what an account wants done with documents that it
// has already. It counts for documents that come after it.
// Errors: NotFound; Invalid on duplicate_documents (inclusion).
func (t *Tracker) SetDuplicateDocuments(ctx context.Context, name string, choice DuplicateDocuments) error {
	if err := t.operator(); err != nil {
		return err
	}
	switch choice {
	case RejectDuplicates, ReplaceDuplicates, AcceptDuplicates:
	default:
		return invalid("duplicate_documents", "inclusion", "'%s' is no choice: there are reject, replace and accept", clip(string(choice), 64))
	}
	account, err := t.Account(ctx, name)
	if err != nil {
		return err
	}
	return t.update(ctx, account.Scope(), func(tx *Tx) error {
		tx.ledger.DuplicateDocuments = choice
		return nil
	})
}
