package tracking

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking/store"
)

// documentNumber is a number of a document by which it is linked.
type documentNumber struct {
	Kind   FieldKind `json:"kind"`
	Number string    `json:"number"` // folded
}

// maxNumbers bounds the numbers that a document is linked and found by, and
// maxLinked the shipments that one number or the whole document may lead to: a
// word that so many shipments have in common names none of them.
const (
	maxNumbers = 500
	maxLinked  = 50
)

// numbersOf gathers the numbers by which fields link a document, and the SCAC of
// the carrier that they name first.
func numbersOf(fields DocumentFields) (numbers []documentNumber, scac string) {
	for _, f := range fields {
		switch f.Kind {
		case FieldTable:
			for _, row := range f.Rows {
				more, _ := numbersOf(row)
				numbers = append(numbers, more...)
			}
		case FieldContainer, FieldBL, FieldHouseBL, FieldBooking, FieldReference:
			numbers = append(numbers, documentNumber{f.Kind, foldNumber(normalOr(f))})
		case FieldCarrier:
			if code, ok := f.Normal.(string); ok && scac == "" {
				scac = code
			}
		}
	}
	numbers = slices.DeleteFunc(numbers, func(n documentNumber) bool { return len(n.Number) < 3 })
	return numbers[:min(len(numbers), maxNumbers)], scac
}

// normalOr is the normalised form of a number, else the number as printed.
func normalOr(f DocumentField) string {
	if text, ok := f.Normal.(string); ok && text != "" {
		return text
	}
	return f.Value
}

// allNumbers are the numbers that were read and those that a person gave.
func (d *Document) allNumbers() []documentNumber {
	return append(slices.Clip(d.Numbers), numbersIn(d.ExtractedDataManual)...)
}

// numbersIn gathers what may be numbers of shipments in what a person wrote: texts
// with a digit, of the length of such a number.
func numbersIn(text json.RawMessage) (numbers []documentNumber) {
	var value any
	if len(text) == 0 || json.Unmarshal(text, &value) != nil {
		return nil
	}
	eachText(value, func(s string) {
		folded := foldNumber(s)
		if len(folded) < 3 || len(folded) > 40 || !strings.ContainsFunc(folded, unicode.IsDigit) || len(numbers) == maxNumbers {
			return
		}
		kind := FieldBL // it may be any number of a document
		if validContainer(folded) {
			kind = FieldContainer
		}
		numbers = append(numbers, documentNumber{kind, folded}, documentNumber{FieldReference, folded})
	})
	return numbers
}

// eachText calls fn with every text within a JSON value, in the order of the names.
func eachText(value any, fn func(string)) {
	switch v := value.(type) {
	case string:
		fn(v)
	case []any:
		for _, each := range v {
			eachText(each, fn)
		}
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			eachText(v[name], fn)
		}
	}
}

// references are the numbers that the document is found by.
func (d *Document) references() []string {
	list := make([]string, 0, len(d.Numbers))
	for _, n := range d.allNumbers() {
		list = append(list, d.keysOf(n)...)
	}
	return list
}

// keysOf are the forms of a number that a shipment may have: carriers print theirs
// with their SCAC before it or without.
func (d *Document) keysOf(n documentNumber) []string {
	switch n.Kind {
	case FieldBL, FieldBooking:
		return numberKeys(ShipmentNumber{BillOfLading, n.Number}, d.SCAC)
	}
	return []string{n.Number}
}

// link looks for the shipments and boxes that the document is about, and notes
// them; the caller writes it. It follows from what is there, so that it may be
// done again at any time:
//
//   - the shipments that one of its bills of lading or bookings names;
//   - where there is none, for each container that it names, the shipment that had
//     the box last: boxes are used again, so an older one is another journey's;
//   - the shipments that share another reference with it;
//   - of these shipments, the boxes that it names.
//
// A shipment of another carrier than the document's is none of them.
func (d *Document) link(tx *Tx) error {
	by := map[FieldKind][]string{}
	for _, n := range d.allNumbers() {
		by[n.Kind] = append(by[n.Kind], d.keysOf(n)...)
	}
	ships, err := d.shipmentsBy(tx, "number", slices.Concat(by[FieldBL], by[FieldHouseBL], by[FieldBooking]))
	if err != nil {
		return err
	}
	boxes, err := boxesNamed(tx, by[FieldContainer])
	if err != nil {
		return err
	}
	if len(ships) == 0 {
		if ships, err = d.lastShipments(tx, boxes); err != nil {
			return err
		}
	}
	more, err := d.shipmentsBy(tx, "search", by[FieldReference])
	if err != nil {
		return err
	}
	ships = append(ships, more...)
	slices.SortFunc(ships, func(a, b ID) int { return strings.Compare(string(a[:]), string(b[:])) })
	d.Shipments = slices.Compact(ships)
	d.Shipments = d.Shipments[:min(len(d.Shipments), maxLinked)]
	d.Cargos = nil
	for _, c := range boxes {
		if slices.Contains(d.Shipments, c.Shipment) {
			d.Cargos = append(d.Cargos, c.ID)
		}
	}
	return nil
}

// shipmentsBy are the shipments that one of the numbers is a term of.
func (d *Document) shipmentsBy(tx *Tx, term string, numbers []string) (ids []ID, err error) {
	slices.Sort(numbers)
	for _, number := range slices.Compact(numbers) {
		found, err := tx.records.Find(tx, shipments.kind, store.Cond{Name: term, Op: store.Has, Values: []any{number}}, maxLinked+1)
		if err != nil {
			return nil, err
		}
		if len(found) > maxLinked {
			continue
		}
		list, err := table(tx, shipments).GetMany(found)
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

// boxesNamed are the boxes with one of the numbers that are still with their
// shipment, last created first.
func boxesNamed(tx *Tx, numbers []string) ([]*Container, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	var w where[Container]
	w.text("number", numbers, func(c *Container) string { return c.Number })
	w.tri("removed", No, (*Container).removed)
	return table(tx, containers).All(w)
}

// sharesCarrier reports whether a shipment is of no other carrier than the document
// names.
func (d *Document) sharesCarrier(s *Shipment) bool {
	return d.SCAC == "" || s.ShippingLineSCAC == "" || d.SCAC == s.ShippingLineSCAC
}

// lastShipments are, of boxes that are listed last created first, those that had
// each number last, of the document's carrier.
func (d *Document) lastShipments(tx *Tx, boxes []*Container) (ids []ID, err error) {
	of := make([]ID, len(boxes))
	for i, c := range boxes {
		of[i] = c.Shipment
	}
	list, err := table(tx, shipments).GetMany(of)
	if err != nil {
		return nil, err
	}
	its := map[ID]bool{}
	for _, s := range list {
		its[s.ID] = d.sharesCarrier(s)
	}
	seen := map[string]bool{}
	for _, c := range boxes {
		if its[c.Shipment] && !seen[c.Number] {
			seen[c.Number] = true
			ids = append(ids, c.Shipment)
		}
	}
	return ids, nil
}

// awaitDocuments has documents looked for that name a shipment by a number that it
// did not have before; nil stands for a shipment that is new.
func awaitDocuments(tx *Tx, before, s *Shipment) error {
	if !tx.ledger.Documents {
		return nil
	}
	var known []string
	if before != nil {
		known = shipmentSearch(before)
	}
	if !slices.ContainsFunc(shipmentSearch(s), func(key string) bool { return !slices.Contains(known, key) }) {
		return nil
	}
	return tx.enqueue(store.Job{ID: named("job/link_documents", s.ID.String()), Kind: jobLink, Ref: s.ID, Due: tx.Now})
}

// linkBatch is how many documents one transaction links anew: each may name very
// many numbers.
const linkBatch = 10

// linkDocuments links the documents that name a shipment anew.
func (t *Tracker) linkDocuments(ctx context.Context, j store.Job) error {
	var ids []ID
	err := t.view(ctx, j.Account, func(tx *Tx) error {
		ids = nil
		s, err := table(tx, shipments).Get(j.Ref)
		if err != nil {
			return dropNotFound(err)
		}
		keys := shipmentSearch(s)
		if len(keys) == 0 {
			return nil
		}
		list, err := table(tx, documents).All(DocumentQuery{References: keys}.where())
		for _, d := range list {
			ids = append(ids, d.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	for batch := range slices.Chunk(ids, linkBatch) {
		err := t.step(ctx, j, func(tx *Tx) error { // which keeps the lease
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
	return t.update(ctx, j.Account, func(tx *Tx) error { return tx.records.Finish(tx, j) })
}

// relink links a document anew, if it is still there.
func relink(tx *Tx, id ID) error {
	d, err := table(tx, documents).Get(id)
	if err != nil {
		return dropNotFound(err)
	}
	if err := d.link(tx); err != nil {
		return err
	}
	return table(tx, documents).Put(d)
}
