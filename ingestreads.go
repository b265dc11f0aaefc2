package tracking

import (
	"maps"
	"slices"

	"github.com/landfallhq/tracking/internal/correction"
	"github.com/landfallhq/tracking/internal/factlog"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/store"
)

// The queries of a plan. The transaction that writes a plan announces those that it will make,
// so that a store makes them together.

// maxShipmentsAhead is how many shipments a plan may change so that its reads are announced:
// their results are held in memory together.
const maxShipmentsAhead = 16

// reads returns what isCurrent and write will read. What is missing in it is read when it is
// needed.
func (p *plan) reads() (list []store.Read) {
	if len(p.drafts) > maxShipmentsAhead {
		return nil
	}
	list = appendReads(list, rawEvents, p.versionQueries()...)
	list = appendReads(list, shipments, numberQueries(slices.Sorted(maps.Keys(p.relatedNumbers)))...)
	list = appendReads(list, rawEvents, unplacedQueries(p.openedNumbers)...)
	if p.namesSeveral() {
		list = appendReads(list, trackingRequests, requestQueries(slices.Sorted(maps.Keys(p.relatedNumbers)))...)
	}
	for _, d := range p.drafts {
		if p.isAffected(d) && d.ship.ID != (ID{}) {
			list = p.appendShipmentReads(list, d)
		}
	}
	return list
}

// maxFactsAhead is how many facts a report may have so that the reads for them are announced.
const maxFactsAhead = 64

// readsOfReport returns what a plan reads first: all versions of the facts with an ID, and the
// shipments with a number of the facts.
func (p *plan) readsOfReport(facts []journey.LoggedFact, versions []string) (list []store.Read) {
	if len(facts) > maxFactsAhead {
		return nil
	}
	var keys []string
	for i := range facts {
		keys = slices.AppendSeq(keys, p.factKeys(&facts[i]))
	}
	if f := p.opts.tracked; f != nil {
		keys = append(keys, f.ShipmentNumber.Keys(f.SCAC)...)
	}
	list = appendReads(list, rawEvents, inChunks(versions, versionsOf)...)
	return appendReads(list, shipments, numberQueries(sortedSet(keys))...)
}

// appendShipmentReads appends what writeShipment will read of a stored shipment.
func (p *plan) appendShipmentReads(list []store.Read, d *draft) []store.Read {
	list = append(list, store.Read{Kind: containers.Kind, Filter: containersOf(d.ship.ID)})
	list = appendReads(list, trackingRequests, requestQueries(p.requestNumbers(d))...)
	if d.ship.stoppedByRule() { // the report may resume tracking
		list = appendReads(list, transportEvents, unsorted(validEvents(d.ship.ID)))
	}
	if d.ship.Milestones == nil || p.rederiveAll {
		list = appendReads(list, transportEvents, unsorted(allEvents(d.ship.ID)))
	} else if former := d.formerEvents(); len(former) > 0 {
		list = append(list, store.Read{Kind: transportEvents.Kind, IDs: former})
	}
	if p.report.Silent {
		return list
	}
	return appendReads(list, webhooks, WebhookQuery{Active: Yes}.where())
}

func appendReads[T any](list []store.Read, of *resource[T], queries ...where[T]) []store.Read {
	for _, w := range queries {
		list = append(list, store.Read{Kind: of.Kind, Filter: w.Filter(of)})
	}
	return list
}

// formerEvents returns the IDs of the stored events of milestones that differ from those
// stored with the shipment.
func (d *draft) formerEvents() []ID {
	sums := map[ID]uint64{}
	for _, note := range d.milestoneNotes() {
		sums[note.event] = note.sum
	}
	for _, note := range d.ship.Milestones {
		if sum, ok := sums[note.event]; ok && sum == note.sum {
			delete(sums, note.event)
		} else {
			sums[note.event] = 0
		}
	}
	return correction.FormerIDs(maps.Keys(sums), d.ship.EventVersions, nil)
}

// milestoneNotes returns the notes of the milestones of the journey, in their order. The
// shipment must have its ID.
func (d *draft) milestoneNotes() milestoneNotes {
	if d.notes == nil {
		for i := range d.journey.Containers {
			c := &d.journey.Containers[i]
			container := d.containerID(c.Number)
			for _, m := range c.Milestones {
				d.notes = append(d.notes, milestoneNote{eventID(container, m), sumOfMilestone(&m, d.facts[m.Fact].ID)})
			}
		}
	}
	return d.notes
}

// requestNumbers returns the numbers by which requests for the shipment are looked for: its
// own, and those of its containers in the report.
func (p *plan) requestNumbers(d *draft) []string {
	numbers, reported := d.ship.numbers().FollowedKeys(), p.containersInReport()
	for _, c := range d.journey.Containers {
		if reported[c.Number] {
			numbers = append(numbers, c.Number)
		}
	}
	return numbers
}

// validEvents selects the valid events of a shipment.
func validEvents(shipment ID) TransportEventQuery {
	return TransportEventQuery{Shipment: shipment, Invalidated: No}
}

// allEvents selects all events of a shipment.
func allEvents(shipment ID) TransportEventQuery { return TransportEventQuery{Shipment: shipment} }

// versionQueries select all versions of the new facts.
func (p *plan) versionQueries() []where[RawEvent] {
	var keys []string
	for _, r := range p.batch {
		if r.Version == 0 && r.Fact.ID != "" {
			keys = append(keys, factlog.VersionKey(&r.Fact))
		}
	}
	return inChunks(keys, versionsOf)
}

// numberQueries select the shipments that have one of the folded numbers.
func numberQueries(keys []string) []where[Shipment] {
	return inChunks(keys, func(part []string) (w where[Shipment]) {
		w.Has("number", part, shipmentKeys)
		return w
	})
}

// unplacedQueries select the facts without a shipment that name one of the folded numbers.
func unplacedQueries(keys []string) []where[RawEvent] {
	return inChunks(keys, func(part []string) (w where[RawEvent]) {
		w.Has("shown", unplacedTerms(part), (*RawEvent).shownTerms)
		return w
	})
}

// requestQueries select the requests for one of the numbers. Only the numbers are in the
// query: few requests have them, and every condition costs an index lookup.
func requestQueries(numbers []string) []where[TrackingRequest] {
	return inChunks(numbers, func(part []string) where[TrackingRequest] { return TrackingRequestQuery{Numbers: part}.where() })
}

// containersOf selects the containers of a shipment.
func containersOf(shipment ID) store.Filter { return ContainerQuery{Shipment: shipment}.filter() }

// queryChunk bounds the number of values in a query.
const queryChunk = 200

// inChunks returns the queries of a list of values.
func inChunks[T any](values []string, query func([]string) where[T]) (queries []where[T]) {
	for part := range slices.Chunk(values, queryChunk) {
		queries = append(queries, query(part))
	}
	return queries
}

// listAll appends the records of all queries to the list.
func listAll[T any](tx *transaction, of *resource[T], queries []where[T]) (list []store.Record, err error) {
	for _, w := range queries {
		if list, _, err = tx.Records.List(tx, of.Kind, w.Filter(of), Page{}, list); err != nil {
			return nil, err
		}
	}
	return list, nil
}
