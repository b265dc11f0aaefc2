package tracking

import (
	"slices"

	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/record"
)

// inverse is a relation that is not in the document, because it grows without bound
// or follows from other records: it is read when it is shown.
type inverse struct {
	name, target string
	// links returns the related IDs of each row.
	links func(*transaction, []*Resource) (map[ID][]ID, error)
	// onLists says whether lists show it without being asked to; onDemand that
	// single answers do not either.
	onLists, onDemand bool
	// one: it leads to one record, or to none.
	one bool
}

var inverses = map[string][]inverse{
	"container": {
		{name: "transport_events", target: "transport_event", links: linkedEvents, onLists: true},
		{name: "raw_events", target: "raw_event", links: linkedFacts},
		shownFields,
	},
	"shipment": {shownFields},
	"tracking_request": {
		shownFields,
		{name: "account", target: "account", links: linkedAccount, onDemand: true, one: true},
		{name: "shipping_line", target: "shipping_line", links: linkedLines, onDemand: true, one: true},
	},
	"transport_event": {
		{name: "previous_version", target: "transport_event", links: linkedPrevious, onDemand: true, one: true},
	},
	"raw_event": {
		{name: "container", target: "container", links: linkedBoxes, onDemand: true, one: true},
	},
	"port": {
		{name: "terminals", target: "terminal", links: linkedTerminals, onDemand: true},
	},
	"webhook_notification": {
		{name: "webhook_notification_logs", target: "webhook_notification_log", links: linkedAttempts, onLists: true},
	},
}

// shownFields are the custom fields of a resource: the interface is described
// without them, so they are shown to who asks.
var shownFields = inverse{name: "custom_fields", target: "custom_field", links: linkedCustomFields, onDemand: true}

// linkInverse shows the inverse relations of rows that are the answer itself,
// or that the paths name. A resource that merely came along through another
// does without: nobody could follow them but by asking.
func (s *selector) linkInverse(rows []*Resource, paths []path, primary bool) error {
	for typ, list := range inverses {
		of := ofType(rows, typ)
		if len(of) == 0 {
			continue
		}
		for _, inv := range list {
			unasked := primary && !inv.onDemand && (s.query == nil || inv.onLists)
			if !unasked && step(paths, inv.name) < 0 {
				continue
			}
			ids, err := inv.links(s.tx, of)
			if err != nil {
				return err
			}
			for _, r := range of {
				r.Doc = inv.splice(r.Doc, ids[r.ID])
			}
		}
	}
	return nil
}

func (inv *inverse) splice(doc []byte, ids []ID) []byte {
	if !inv.one {
		return record.SpliceRefs(nil, doc, inv.name, inv.target, ids)
	}
	var to ID
	if len(ids) > 0 {
		to = ids[0]
	}
	return record.SpliceRef(nil, doc, inv.name, inv.target, to)
}

// ofType are the resources of one type; nearly always all of them or none.
func ofType(rows []*Resource, typ string) (of []*Resource) {
	for i, r := range rows {
		switch {
		case r.Type == typ && len(of) == i:
			of = rows[: i+1 : i+1]
		case r.Type == typ:
			of = append(of, r)
		}
	}
	return of
}

// followInverse notes what a row refers to by the paths that are inverse
// relations: they stand in its document alone.
func (s *selector) followInverse(r *Resource, paths []path) error {
	for _, inv := range inverses[r.Type] {
		i := step(paths, inv.name)
		if i < 0 {
			continue
		}
		kind := registry[inv.target].Kind
		err := record.EachRef(r.Doc, func(name, _ []byte, id uuid.UUID) {
			if string(name) == inv.name {
				s.link(ref{kind, id}, paths, i)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func linkedEvents(tx *transaction, rows []*Resource) (map[ID][]ID, error) {
	return linked(tx, transportEvents.Kind, "valid_container", idsOf(rows))
}

func idsOf(rows []*Resource) []ID {
	ids := make([]ID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	return ids
}

// linkedFacts: a container shows the facts that name it and those about its
// whole shipment.
func linkedFacts(tx *transaction, rows []*Resource) (map[ID][]ID, error) {
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

// linkedAccount: all that a transaction shows is its account's.
func linkedAccount(tx *transaction, rows []*Resource) (map[ID][]ID, error) {
	to := map[ID][]ID{}
	for _, r := range rows {
		to[r.ID] = []ID{ID(tx.Account)}
	}
	return to, nil
}

// linkedLines: the line of a request; none while it is looked for.
func linkedLines(tx *transaction, rows []*Resource) (map[ID][]ID, error) {
	list, err := rowsOf(tx, trackingRequests, rows)
	to := map[ID][]ID{}
	for _, r := range list {
		if line, ok := tx.engine.knownLine(r.SCAC); ok {
			to[r.ID] = []ID{lineID(line.SCAC)}
		}
	}
	return to, err
}

// linkedBoxes: the container of a fact that names one. One about several, or about
// the whole shipment, is no one container's.
func linkedBoxes(tx *transaction, rows []*Resource) (map[ID][]ID, error) {
	list, err := rowsOf(tx, rawEvents, rows)
	to := map[ID][]ID{}
	for _, r := range list {
		if len(r.Fact.Containers) > 0 && len(r.Containers) == 1 {
			to[r.ID] = r.Containers
		}
	}
	return to, err
}

// linkedPrevious: the announced milestone whose place this one has taken; else the
// one that was taken back when this one was made, of the same name and container, and
// of several the nearest in time.
func linkedPrevious(tx *transaction, rows []*Resource) (map[ID][]ID, error) {
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
			if past[e.Container], err = transportEvents.All(tx, TransportEventQuery{Container: e.Container, Invalidated: Yes}.where()); err != nil {
				return nil, err
			}
		}
		if before := e.replaced(past[e.Container]); before != nil {
			to[e.ID] = []ID{before.ID}
		}
	}
	return to, nil
}

// linkedTerminals: the terminals of ports that the account can see.
func linkedTerminals(tx *transaction, rows []*Resource) (map[ID][]ID, error) {
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

// rowsOf reads the records that resources show.
func rowsOf[T any](tx *transaction, n *resource[T], rows []*Resource) ([]*T, error) {
	found, err := tx.Records.GetMany(tx, n.Kind, idsOf(rows), nil)
	if err != nil {
		return nil, err
	}
	return n.DecodeAll(found)
}

// linked are the records of a kind whose column or term holds one of the IDs,
// by that ID.
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
