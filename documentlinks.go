package tracking

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/jsontext"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// documentNumber is a number that can link a document.
type documentNumber struct {
	Kind   FieldKind `json:"kind"`
	Number string    `json:"number"` // folded
}

// maxNumbers bounds the numbers of a document. maxLinked bounds the shipments of a
// document; a number that more shipments share links to none of them.
const (
	maxNumbers = 500
	maxLinked  = 50
)

// linkingNumbers returns the numbers in fields that can link a document, and the SCAC of
// the first carrier.
func linkingNumbers(fields DocumentFields) (numbers []documentNumber, scac string) {
	for _, f := range fields {
		switch f.Kind {
		case FieldTable:
			for _, row := range f.Rows {
				more, _ := linkingNumbers(row)
				numbers = append(numbers, more...)
			}
		case FieldContainer, FieldBL, FieldHouseBL, FieldBooking, FieldReference:
			numbers = append(numbers, documentNumber{f.Kind, freight.FoldNumber(normalOrPrinted(f))})
		case FieldCarrier:
			if code, ok := f.Normal.(string); ok && scac == "" {
				scac = code
			}
		}
	}
	numbers = slices.DeleteFunc(numbers, func(n documentNumber) bool { return len(n.Number) < 3 })
	return numbers[:min(len(numbers), maxNumbers)], scac
}

// normalOrPrinted is the normal form of a number, or else its printed form.
func normalOrPrinted(f DocumentField) string {
	if text, ok := f.Normal.(string); ok && text != "" {
		return text
	}
	return f.Value
}

// allNumbers are the numbers that were read and those in data that a person entered.
func (d *Document) allNumbers() []documentNumber {
	return append(slices.Clip(d.Numbers), numbersIn(d.ExtractedDataManual)...)
}

// numbersIn returns what may be numbers of shipments in data that a person entered: texts
// of 3 to 40 characters with a digit.
func numbersIn(text json.RawMessage) (numbers []documentNumber) {
	var value any
	if len(text) == 0 || json.Unmarshal(text, &value) != nil {
		return nil
	}
	jsontext.Each(value, func(s string) {
		folded := freight.FoldNumber(s)
		if len(folded) < 3 || len(folded) > 40 || !strings.ContainsFunc(folded, unicode.IsDigit) || len(numbers) == maxNumbers {
			return
		}
		kind := FieldBL // for a bill of lading or a booking
		if freight.IsContainerNumber(folded) {
			kind = FieldContainer
		}
		numbers = append(numbers, documentNumber{kind, folded}, documentNumber{FieldReference, folded})
	})
	return numbers
}

// references are the index terms of the numbers.
func (d *Document) references() []string {
	list := make([]string, 0, len(d.Numbers))
	for _, n := range d.allNumbers() {
		list = append(list, d.keysOf(n)...)
	}
	return list
}

// keysOf are the forms of a number on a shipment: with and without the carrier's SCAC.
func (d *Document) keysOf(n documentNumber) []string {
	switch n.Kind {
	case FieldBL, FieldBooking:
		return ShipmentNumber{Type: BillOfLading, Number: n.Number}.Keys(d.SCAC)
	}
	return []string{n.Number}
}

// link sets the shipments and containers of the document, and compares it with them by a job; the
// caller writes it. It depends on stored records alone, so it can be repeated at any time. It finds
//
//   - the shipments with one of the document's bills of lading or bookings;
//   - if there are none, for each container number the latest shipment with it, because
//     container numbers are used again;
//   - the shipments that share another reference with the document;
//   - the containers of these shipments that the document names.
//
// Shipments of another carrier than the document's are left out. What people have linked is
// added, and what they have unlinked left out.
func (d *Document) link(tx *transaction) error {
	by := map[FieldKind][]string{}
	for _, n := range d.allNumbers() {
		by[n.Kind] = append(by[n.Kind], d.keysOf(n)...)
	}
	ships, err := d.shipmentsBy(tx, "number", slices.Concat(by[FieldBL], by[FieldHouseBL], by[FieldBooking]))
	if err != nil {
		return err
	}
	named, err := containersNumbered(tx, by[FieldContainer])
	if err != nil {
		return err
	}
	if len(ships) == 0 {
		if ships, err = d.latestShipments(tx, named); err != nil {
			return err
		}
	}
	more, err := d.shipmentsBy(tx, "search", by[FieldReference])
	if err != nil {
		return err
	}
	ships = append(ships, more...)
	if ships, named, err = d.linkByHand(tx, ships, named); err != nil {
		return err
	}
	slices.SortFunc(ships, func(a, b ID) int { return strings.Compare(string(a[:]), string(b[:])) })
	former := d.Shipments
	d.Shipments = slices.Compact(ships)
	d.Shipments = d.Shipments[:min(len(d.Shipments), maxLinked)]
	d.Cargos = nil
	for _, c := range named {
		if slices.Contains(d.Shipments, c.Shipment) && !slices.Contains(d.Cargos, c.ID) {
			d.Cargos = append(d.Cargos, c.ID)
		}
	}
	return d.compareLinked(tx, former)
}

// linkByHand adds what people have linked, and removes what they have unlinked.
func (d *Document) linkByHand(tx *transaction, ships []ID, named []*Container) ([]ID, []*Container, error) {
	linked, err := shipments.GetMany(tx, d.LinkedByHand)
	if err != nil {
		return nil, nil, err
	}
	boxes, err := containers.GetMany(tx, d.LinkedByHand)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range linked {
		ships = append(ships, s.ID)
	}
	for _, b := range boxes {
		ships = append(ships, b.Shipment)
	}
	unwanted := func(id ID) bool { return slices.Contains(d.UnlinkedByHand, id) }
	named = slices.DeleteFunc(append(named, boxes...), func(b *Container) bool { return unwanted(b.ID) })
	return slices.DeleteFunc(ships, unwanted), named, nil
}

// DocumentLink is a shipment or a container that a document is linked to, or no longer.
type DocumentLink struct {
	// Shipment or Container; the other is zero. A container links its shipment too.
	Shipment, Container ID
	// Remove ends the link. No number of the document links it again.
	Remove bool
}

// maxHandLinks bounds the links that people have made and removed, of a document.
const maxHandLinks = 100

// LinkDocument links a document to a shipment or a container, or ends the link, whatever the
// numbers of the document say: later readings keep it so. Needs update.
//
// Errors: NotFound for the document, the shipment or the container; Invalid on links (blank
// without either, too_many for more than 100 of a document).
func (t *Tracker) LinkDocument(ctx context.Context, id ID, l DocumentLink) (*Document, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	return updateFound(ctx, t, "document.link", 0, withID(documents, id), func(tx *transaction, d *Document) error {
		if err := d.setLink(tx, l); err != nil {
			return err
		}
		if err := d.link(tx); err != nil {
			return err
		}
		return documents.Put(tx, d)
	})
}

// setLink records a link that a person has made or removed.
func (d *Document) setLink(tx *transaction, l DocumentLink) (err error) {
	of := l.Shipment
	switch {
	case l.Shipment != (ID{}):
		_, err = shipments.Get(tx, l.Shipment)
	case l.Container != (ID{}):
		of = l.Container
		_, err = containers.Get(tx, l.Container)
	default:
		err = invalid("links", "blank", "A link needs a shipment or a container")
	}
	if err != nil {
		return err
	}
	without := func(list []ID) []ID {
		return slices.DeleteFunc(slices.Clone(list), func(o ID) bool { return o == of })
	}
	d.LinkedByHand, d.UnlinkedByHand = without(d.LinkedByHand), without(d.UnlinkedByHand)
	if l.Remove {
		d.UnlinkedByHand = append(d.UnlinkedByHand, of)
	} else {
		d.LinkedByHand = append(d.LinkedByHand, of)
	}
	if len(d.LinkedByHand)+len(d.UnlinkedByHand) > maxHandLinks {
		return invalid("links", "too_many", "People can link and unlink a document %d times in all", maxHandLinks)
	}
	return nil
}

// shipmentsBy are the shipments that have one of the numbers as this index term.
func (d *Document) shipmentsBy(tx *transaction, term string, numbers []string) (ids []ID, err error) {
	slices.Sort(numbers)
	for _, number := range slices.Compact(numbers) {
		found, err := tx.Records.Find(tx, shipments.Kind, store.Cond{Name: term, Op: store.Has, Values: []any{number}}, maxLinked+1)
		if err != nil {
			return nil, err
		}
		if len(found) > maxLinked {
			continue
		}
		list, err := shipments.GetMany(tx, found)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			if d.sharesCarrier(s) {
				ids = append(ids, s.ID)
			}
		}
	}
	return ids, nil
}

// containersNumbered are the containers with one of the numbers that have not been
// removed from their shipment, last created first.
func containersNumbered(tx *transaction, numbers []string) ([]*Container, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	var w where[Container]
	w.Text("number", numbers, func(c *Container) string { return c.Number })
	w.Bool("removed", false, (*Container).removed)
	return containers.All(tx, w)
}

// sharesCarrier reports whether the carriers of shipment and document are the same, or
// one of them is unknown.
func (d *Document) sharesCarrier(s *Shipment) bool {
	return d.SCAC == "" || s.ShippingLineSCAC == "" || d.SCAC == s.ShippingLineSCAC
}

// latestShipments are the latest shipments, of the document's carrier, with each of the
// container numbers. list is ordered last created first.
func (d *Document) latestShipments(tx *transaction, list []*Container) (ids []ID, err error) {
	candidates := make([]ID, len(list))
	for i, c := range list {
		candidates[i] = c.Shipment
	}
	found, err := shipments.GetMany(tx, candidates)
	if err != nil {
		return nil, err
	}
	ours := map[ID]bool{}
	for _, s := range found {
		ours[s.ID] = d.sharesCarrier(s)
	}
	seen := map[string]bool{}
	for _, c := range list {
		if ours[c.Shipment] && !seen[c.Number] {
			seen[c.Number] = true
			ids = append(ids, c.Shipment)
		}
	}
	return ids, nil
}

// enqueueLinking enqueues linkDocuments if the shipment has a number that it did not have
// before; before is nil for a new shipment.
func enqueueLinking(tx *transaction, stored store.Record, s *Shipment) error {
	if !tx.ledger.Documents {
		return nil
	}
	var known []string
	if stored.Version > 0 {
		before, err := shipments.Decode(stored)
		if err != nil {
			return err
		}
		known = shipmentSearch(before)
	}
	if !slices.ContainsFunc(shipmentSearch(s), func(key string) bool { return !slices.Contains(known, key) }) {
		return nil
	}
	return tx.enqueue(store.Job{ID: table.NamedID("job/link_documents", s.ID.String()), Kind: jobLinkDocuments, Ref: s.ID, Due: tx.Now})
}

// linkBatch is how many documents one transaction links: each may have many numbers.
const linkBatch = 10

// linkDocuments is the job that links the documents with a number of a shipment again.
func (t *Tracker) linkDocuments(ctx context.Context, j store.Job) error {
	var ids []ID
	err := t.view(ctx, j.Account, func(tx *transaction) error {
		ids = nil
		s, err := shipments.Get(tx, j.Ref)
		if err != nil {
			return ignoreNotFound(err)
		}
		keys := shipmentSearch(s)
		if len(keys) == 0 {
			return nil
		}
		list, err := documents.All(tx, DocumentQuery{References: keys}.where())
		for _, d := range list {
			ids = append(ids, d.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	for batch := range slices.Chunk(ids, linkBatch) {
		err := t.step(ctx, j, func(tx *transaction) error { // renews the lease
			for _, id := range batch {
				if err := relink(tx, id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return t.update(ctx, j.Account, func(tx *transaction) error { return tx.Records.Finish(tx, j) })
}

// relink links a document again, unless it has been deleted.
func relink(tx *transaction, id ID) error {
	d, err := documents.Get(tx, id)
	if err != nil {
		return ignoreNotFound(err)
	}
	if err := d.link(tx); err != nil {
		return err
	}
	return documents.Put(tx, d)
}
