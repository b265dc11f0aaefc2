package tracking

import (
	"errors"
	"slices"

	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/inclusion"
	"github.com/landfallhq/tracking/internal/naturalkey"
	"github.com/landfallhq/tracking/internal/record"
)

// graph is how resources refer to one another.
var graph = &inclusion.Graph[*transaction]{
	Schemas: registry,
	Inverse: inverses,
	// For clients of the published interface.
	Aliases: map[string]string{"current_extraction": "last_document_representation"},
	Load:    loadIncluded,
}

// inverse is a relationship that is read when it is shown.
type inverse = inclusion.Inverse[*transaction]

var inverses = map[string][]inverse{
	"container": {
		{Name: "transport_events", Target: "transport_event", Links: linkedEvents, OnLists: true},
		{Name: "raw_events", Target: "raw_event", Links: linkedFacts},
		{Name: "exceptions", Target: "exception", Links: linkedExceptions("container"), OnDemand: true},
		shownFields,
	},
	"shipment": {
		{Name: "exceptions", Target: "exception", Links: linkedExceptions("shipment"), OnDemand: true},
		shownFields,
	},
	"tracking_request": {
		shownFields,
		{Name: "account", Target: "account", Links: linkedAccount, OnDemand: true, One: true},
		{Name: "shipping_line", Target: "shipping_line", Links: linkedLines, OnDemand: true, One: true},
	},
	"transport_event": {
		{Name: "previous_version", Target: "transport_event", Links: linkedPrevious, OnDemand: true, One: true},
	},
	"raw_event": {
		{Name: "container", Target: "container", Links: linkedContainer, OnDemand: true, One: true},
	},
	"port": {
		{Name: "terminals", Target: "terminal", Links: linkedTerminals, OnDemand: true},
	},
	"webhook_notification": {
		{Name: "webhook_notification_logs", Target: "webhook_notification_log", Links: linkedAttempts, OnLists: true},
	},
}

// shownFields are the custom fields of a resource. They are shown on demand, because
// the description of the interface does not have them.
var shownFields = inverse{Name: "custom_fields", Target: "custom_field", Links: linkedCustomFields, OnDemand: true}

// loadIncluded appends records for an answer of records of the kind `of`. Those of the
// tables come first.
func loadIncluded(tx *transaction, of, kind *store.Kind, ids []ID, to []store.Record) ([]store.Record, error) {
	stored := ids[:0]
	for _, id := range ids {
		if r, ok := tx.engine.refs.resource(kind.Name, id); ok {
			to = append(to, r)
		} else {
			stored = append(stored, id)
		}
	}
	if len(stored) == 0 {
		return to, nil
	}
	if err := prefetchBeside(tx, kind, stored); err != nil {
		return nil, err
	}
	n := len(to)
	to, err := tx.Records.GetMany(tx, kind, stored, to)
	if err != nil {
		return nil, err
	}
	for i, r := range to[n:] {
		if r, err = asShown(tx, kind, r); err != nil {
			return nil, err
		}
		if to[n+i], err = reduced(of, kind, r); err != nil {
			return nil, err
		}
	}
	return to, nil
}

// includePaths checks the paths to include of a type.
func includePaths(typ string, include []string) (inclusion.Paths, error) {
	paths, err := graph.Paths(typ, include)
	return paths, asBadInclude(err)
}

// asBadInclude replaces an error of internal/inclusion by one for the caller.
func asBadInclude(err error) error {
	if bad := (*inclusion.Error)(nil); errors.As(err, &bad) {
		return badQuery("include", "%s", bad.Detail)
	}
	return err
}

func linkedEvents(tx *transaction, rows []inclusion.Row) (map[ID][]ID, error) {
	return linked(tx, transportEvents.Kind, "valid_container", idsOf(rows))
}

func idsOf(rows []inclusion.Row) []ID {
	ids := make([]ID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	return ids
}

// idsOfKind returns the IDs of the rows of a kind.
func idsOfKind(rows []inclusion.Row, k *store.Kind) (ids []ID) {
	for _, r := range rows {
		if r.Kind == k {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// linkedFacts returns the facts that name each container and those about its whole
// shipment.
func linkedFacts(tx *transaction, rows []inclusion.Row) (map[ID][]ID, error) {
	shipmentOf := map[ID]ID{}
	var ids []ID
	for _, r := range rows {
		ids = addID(ids, r.ID)
		err := record.EachRef(r.Doc, func(name, _ []byte, id uuid.UUID) {
			if string(name) == "shipment" {
				shipmentOf[r.ID] = id
				ids = addID(ids, id)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	by, err := linked(tx, rawEvents.Kind, "shown", ids)
	if err != nil {
		return nil, err
	}
	out := map[ID][]ID{}
	for _, r := range rows {
		out[r.ID] = slices.Concat(by[r.ID], by[shipmentOf[r.ID]])
	}
	return out, nil
}

// linkedExceptions returns the exceptions of each container or shipment; of a shipment also
// those of its containers.
func linkedExceptions(column string) func(*transaction, []inclusion.Row) (map[ID][]ID, error) {
	return func(tx *transaction, rows []inclusion.Row) (map[ID][]ID, error) {
		return linked(tx, exceptionRecords.Kind, column, idsOf(rows))
	}
}

// linkedAccount returns the account of the transaction for all rows.
func linkedAccount(tx *transaction, rows []inclusion.Row) (map[ID][]ID, error) {
	to := map[ID][]ID{}
	for _, r := range rows {
		to[r.ID] = []ID{ID(tx.Account)}
	}
	return to, nil
}

// linkedLines returns the line of each request; none while it is unknown.
func linkedLines(tx *transaction, rows []inclusion.Row) (map[ID][]ID, error) {
	list, err := rowsOf(tx, trackingRequests, rows)
	to := map[ID][]ID{}
	for _, r := range list {
		if line, ok := tx.engine.knownLine(r.SCAC); ok {
			to[r.ID] = []ID{naturalkey.Line(line.SCAC)}
		}
	}
	return to, err
}

// linkedContainer returns the container of each fact that names exactly one.
func linkedContainer(tx *transaction, rows []inclusion.Row) (map[ID][]ID, error) {
	list, err := rowsOf(tx, rawEvents, rows)
	to := map[ID][]ID{}
	for _, r := range list {
		if len(r.Fact.Containers) > 0 && len(r.Containers) == 1 {
			to[r.ID] = r.Containers
		}
	}
	return to, err
}

// linkedPrevious returns the announced milestone that each one replaces: the one that
// it has recorded, or else the one of the same name and container that was invalidated
// when it was made, the nearest in time if there are several.
func linkedPrevious(tx *transaction, rows []inclusion.Row) (map[ID][]ID, error) {
	list, err := rowsOf(tx, transportEvents, rows)
	if err != nil {
		return nil, err
	}
	to, past := map[ID][]ID{}, map[ID][]*TransportEvent{} // by container
	for _, e := range list {
		if e.Previous != (ID{}) {
			to[e.ID] = []ID{e.Previous}
			continue
		}
		if _, read := past[e.Container]; !read {
			if past[e.Container], err = transportEvents.All(tx, TransportEventQuery{Shipment: e.Shipment, Container: e.Container, Invalidated: Yes}.where()); err != nil {
				return nil, err
			}
		}
		if before := e.replaced(past[e.Container]); before != nil {
			to[e.ID] = []ID{before.ID}
		}
	}
	return to, nil
}

// linkedTerminals returns the terminals of each port that the account can see.
func linkedTerminals(tx *transaction, rows []inclusion.Row) (map[ID][]ID, error) {
	found, _, err := TerminalQuery{Ports: idsOf(rows)}.list(tx, Page{}, nil)
	to := map[ID][]ID{}
	for _, row := range found {
		term, err := terminals.Decode(row)
		if err != nil {
			return nil, err
		}
		to[term.Port] = append(to[term.Port], term.ID)
	}
	return to, err
}

// rowsOf returns the records of rows as structs.
func rowsOf[T any](tx *transaction, n *resource[T], rows []inclusion.Row) ([]*T, error) {
	found, err := tx.Records.GetMany(tx, n.Kind, idsOf(rows), nil)
	if err != nil {
		return nil, err
	}
	return n.DecodeAll(found)
}

// linked returns the records of a kind whose column or term has one of the IDs, by
// that ID.
func linked(tx *transaction, k *store.Kind, name string, of []ID) (map[ID][]ID, error) {
	links, err := tx.Records.Links(tx, k, name, of)
	if err != nil {
		return nil, err
	}
	by := make(map[ID][]ID, len(of))
	for _, l := range links {
		by[l.Of] = append(by[l.Of], l.ID)
	}
	return by, nil
}
