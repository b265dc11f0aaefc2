// Package inclusion reads the records that other records refer to, along paths such
// as shipment.port_of_lading.
//
// A relationship is stored in the document of a record, or it is inverse: read from an
// index when it is shown. All records of one step of a path are read together, each
// once. The package knows no resource: a Graph has the schemas, the inverse
// relationships and the function that reads records. It checks no permission.
package inclusion

import (
	"fmt"
	"sync"

	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// The limits of one answer (see docs/contract.md#limits-of-one-answer).
const (
	maxRecords = 5_000
	maxBytes   = 8 << 20
	maxSteps   = 63
)

// Error is a fault of the paths: a relationship that does not exist, or more records
// than an answer can include.
type Error struct{ Detail string }

// Error returns the detail.
func (e *Error) Error() string { return e.Detail }

func refuse(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Row is a record and its kind.
type Row struct {
	Kind *store.Kind
	store.Record
}

// Graph is the resources and their relationships. Tx is the transaction that its
// functions read from. It must not be changed after its first use.
type Graph[Tx any] struct {
	// Schemas are the resources by type.
	Schemas map[string]*table.Schema
	// Inverse are the inverse relationships by type.
	Inverse map[string][]Inverse[Tx]
	// Aliases are other names of relationships in paths.
	Aliases map[string]string
	// Load appends the records of a kind with these IDs, each once and in any order.
	// It leaves out those that do not exist, and may change ids. The answer consists
	// of records of the kind `of`.
	Load func(tx Tx, of, kind *store.Kind, ids []store.ID, to []store.Record) ([]store.Record, error)

	readers sync.Pool
}

// Inverse is a relationship that is not in the document, because it grows without
// bound or follows from other records.
type Inverse[Tx any] struct {
	// Name of the relationship, and the type that it leads to.
	Name, Target string
	// Links returns the related IDs of each row.
	Links func(tx Tx, rows []Row) (map[store.ID][]store.ID, error)
	// OnLists: lists show it without being asked to. OnDemand: single answers do not
	// either.
	OnLists, OnDemand bool
	// One: it leads to one record or to none.
	One bool
}

// splice adds the relationship to a document.
func (inv *Inverse[Tx]) splice(doc []byte, ids []store.ID) []byte {
	if !inv.One {
		return record.SpliceRefs(nil, doc, inv.Name, inv.Target, ids)
	}
	var to store.ID
	if len(ids) > 0 {
		to = ids[0]
	}
	return record.SpliceRef(nil, doc, inv.Name, inv.Target, to)
}
