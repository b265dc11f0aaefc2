package tracking

import (
	"context"
	"slices"

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
		if err := exportFacts(tx, to); err != nil {
			return err
		}
		return t.exportFiles(tx, to)
	})
}

// exportedTypes are the resource types that are shown to an account, sorted.
func exportedTypes() (types []string) {
	for _, k := range allKinds() {
		shown := slices.ContainsFunc(registry[k.Name].Fields, func(f record.Field) bool { return f.Kind == record.Attribute })
		if shown && k != discardedDocuments.Kind {
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
