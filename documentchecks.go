package tracking

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/crosscheck"
	"github.com/landfallhq/tracking/internal/exceptions"
	"github.com/landfallhq/tracking/internal/schedule"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"
)

// Discrepancy is a value of a document that contradicts something else (see
// docs/documents.md#checks).
type Discrepancy struct {
	// Check is the kind of comparison: "port".
	Check string `json:"check"`
	// Field of the document; of a table with its column: "containers.number".
	Field string `json:"field"`
	// Says is the value of the document, in its normal form where it has one.
	Says string `json:"document_says"`
	// ComparedWith is the other side: "document" is the document itself, "shipment",
	// "container", or the type of another document of the shipment. ComparedWithID is the ID
	// of that record; nil (null) for the document itself.
	ComparedWith   string `json:"compared_with"`
	ComparedWithID *ID    `json:"compared_with_id"`
	// OtherSays is the value of the other side; empty for none.
	OtherSays string `json:"other_says"`
	// Detail is one sentence in English, with the figures.
	Detail string `json:"detail"`
}

func (d *Document) discrepant() bool { return len(d.Discrepancies) > 0 }

// The bounds of what is compared at a time: documents of a shipment, the last created ones, and
// discrepancies of each.
const (
	maxCompared      = 50
	maxDiscrepancies = 50
)

// compareDocumentsOf enqueues the comparison of the documents of shipments. Several requests
// before it starts make one run.
func compareDocumentsOf(tx *transaction, shipments []ID) error {
	for _, id := range shipments {
		if err := tx.enqueue(store.Job{ID: table.NamedID("job/compare", id.String()), Kind: jobCompare, Ref: id, Due: tx.Now}); err != nil {
			return err
		}
	}
	return nil
}

// compareLinked enqueues the comparison of a document that was linked, also of the shipments that
// it was linked to before. One that is linked to none, or to several, is compared with itself at
// once: nothing says which of its values are about which shipment. The caller writes it.
func (d *Document) compareLinked(tx *transaction, former []ID) error {
	all := slices.Concat(former, d.Shipments)
	slices.SortFunc(all, func(a, b ID) int { return bytes.Compare(a[:], b[:]) })
	if err := compareDocumentsOf(tx, slices.Compact(all)); err != nil || len(d.Shipments) == 1 {
		return err
	}
	if d.LastRepresentation == (ID{}) {
		return nil
	}
	r, err := documentRepresentations.Get(tx, d.LastRepresentation)
	if err != nil {
		return ignoreNotFound(err)
	}
	p, err := crosscheck.ReadPaper(d.ID.String(), r.DocumentType, r.Payload)
	if err != nil { // written by a classifier with other fields
		return nil
	}
	return d.setChecks(tx, r, crosscheck.Compare(p, nil, nil), nil)
}

// compareDocuments is the job that compares the documents of a shipment.
func (t *Tracker) compareDocuments(ctx context.Context, j store.Job) error {
	return t.update(ctx, j.Account, func(tx *transaction) error {
		if err := tx.Records.Finish(tx, j); err != nil {
			return err
		}
		return compareStored(tx, j.Ref)
	})
}

// comparedDocument is a document with its last reading.
type comparedDocument struct {
	*Document
	reading *DocumentRepresentation
	paper   *crosscheck.Paper
}

// compareStored compares the documents of a stored shipment, and finds its exceptions again if
// other discrepancies are found than before.
func compareStored(tx *transaction, id ID) error {
	s, err := shipments.Get(tx, id)
	if err != nil {
		return ignoreNotFound(err)
	}
	list, err := comparedWith(tx, id)
	if err != nil || len(list) == 0 && s.Exceptions.comparedSum == 0 {
		return err
	}
	past := &pastView{tx: tx, second: tx.Now}
	if err := past.open(s); err != nil {
		return err
	}
	known, sum := past.then.known(tx), uint64(0)
	if len(list) > 0 {
		sum = sumOfKnown(tx, known)
	}
	if err := past.addCharges(known, list); err != nil {
		return err
	}
	var found []exceptions.Discrepancy
	for i, d := range list {
		var others []*crosscheck.Paper
		for k, o := range list {
			if k != i {
				others = append(others, o.paper)
			}
		}
		checks := crosscheck.Compare(d.paper, known, others)
		if err := d.setChecks(tx, d.reading, checks, past.then); err != nil {
			return err
		}
		if err := documents.Put(tx, d.Document); err != nil {
			return err
		}
		found = append(found, d.found(checks)...)
	}
	keepOpened(found, s.Exceptions.discrepancies, tx.Now)
	changed := sum != s.Exceptions.comparedSum || !slices.Equal(found, s.Exceptions.discrepancies)
	s.Exceptions.comparedSum, s.Exceptions.discrepancies = sum, found
	return past.review(changed)
}

// comparedWith are the documents that are linked to this shipment alone and have been read, in the
// order of their IDs.
func comparedWith(tx *transaction, shipment ID) (list []comparedDocument, err error) {
	var w where[Document]
	w.Has("shipment", []string{shipment.String()}, func(d *Document) []string { return idTexts(d.Shipments) })
	found, _, err := documents.List(tx, w, Page{Number: 1, Size: maxCompared})
	if err != nil {
		return nil, err
	}
	for _, d := range found {
		if len(d.Shipments) != 1 || d.LastRepresentation == (ID{}) {
			continue
		}
		r, err := documentRepresentations.Get(tx, d.LastRepresentation)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if p, err := crosscheck.ReadPaper(d.ID.String(), r.DocumentType, r.Payload); err == nil {
			list = append(list, comparedDocument{d, r, p})
		}
	}
	slices.SortFunc(list, func(a, b comparedDocument) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return list, nil
}

// setChecks sets the discrepancies of the document, and the confidences of its last reading, which
// it writes. then is the shipment that it was compared with; nil for none.
func (d *Document) setChecks(tx *transaction, r *DocumentRepresentation, checks []crosscheck.Check, then *draft) error {
	d.Discrepancies = nil
	for _, c := range checks {
		if !c.Agrees && len(d.Discrepancies) < maxDiscrepancies {
			d.Discrepancies = append(d.Discrepancies, Discrepancy{
				Check: string(c.Kind), Field: c.Field, Says: c.Says, ComparedWith: c.Other, ComparedWithID: comparedID(c, then),
				OtherSays: c.OtherSays, Detail: c.Text,
			})
		}
	}
	payload, err := crosscheck.Rescore(r.Payload, checks)
	if err != nil || bytes.Equal(payload, r.Payload) {
		return err
	}
	r.Payload, r.UpdatedAt = payload, tx.Now
	return documentRepresentations.Put(tx, r)
}

// comparedID is the ID of the record that a value was compared with.
func comparedID(c crosscheck.Check, then *draft) *ID {
	var id ID
	switch c.Other {
	case crosscheck.ItsOwn:
		return nil
	case crosscheck.OfShipment:
		id = then.ship.ID
	case crosscheck.OfContainer:
		id = then.containerID(c.OtherID)
	default:
		id = uuid.MustParse(c.OtherID) // of a document
	}
	return &id
}

// found are the discrepancies of the document as exceptions have them: one for each kind of check.
func (d *Document) found(checks []crosscheck.Check) (list []exceptions.Discrepancy) {
	more := map[string]int{}
	for _, c := range checks {
		key := d.ID.String() + "/" + string(c.Kind)
		i := slices.IndexFunc(list, func(o exceptions.Discrepancy) bool { return o.Key == key })
		switch {
		case c.Agrees:
		case i < 0:
			list = append(list, exceptions.Discrepancy{Key: key, High: c.High, Text: c.Text})
		default:
			list[i].High = list[i].High || c.High
			more[key]++
		}
	}
	for i := range list {
		if n := more[list[i].Key]; n > 0 {
			list[i].Text = fmt.Sprintf("%s The document has %d more of this kind.", list[i].Text, n)
		}
	}
	return list
}

// keepOpened keeps the time at which a discrepancy was found first.
func keepOpened(found, former []exceptions.Discrepancy, now time.Time) {
	for i := range found {
		found[i].OpenedAt = now
		if at := slices.IndexFunc(former, func(o exceptions.Discrepancy) bool { return o.Key == found[i].Key }); at >= 0 {
			found[i].OpenedAt = former[at].OpenedAt
		}
	}
}

// compareAgain enqueues the comparison of the documents of a shipment that has some, if what they
// were compared with has changed.
func (d *draft) compareAgain(tx *transaction) error {
	sum := d.ship.Exceptions.comparedSum
	if sum == 0 || sum == sumOfKnown(tx, d.known(tx)) {
		return nil
	}
	return compareDocumentsOf(tx, []ID{d.ship.ID})
}

// sumOfKnown stands for what documents are compared with; it is never 0.
func sumOfKnown(tx *transaction, known *crosscheck.Shipment) uint64 {
	h := fnv.New64a()
	_ = json.NewEncoder(h).Encode(known) // a hash and a plain value have no errors
	fmt.Fprint(h, tx.ledger.Tariffs)
	return max(1, h.Sum64())
}

// known is what documents of the shipment are compared with, without charges.
func (d *draft) known(tx *transaction) *crosscheck.Shipment {
	s, j := d.ship, &d.journey
	k := &crosscheck.Shipment{
		SCAC: s.ShippingLineSCAC, POL: s.PortOfLadingLOCODE, POD: s.PortOfDischargeLOCODE,
		Departed: dayAt(Moment{Time: s.POLATDAt}, s.POLTimezone), Arrival: dayAt(Moment{Time: s.PODETAAt}, s.PODTimezone), ArrivalSince: d.arrivalSince(),
	}
	if !s.PODATAAt.IsZero() {
		k.Arrival = dayAt(Moment{Time: s.PODATAAt}, s.PODTimezone)
		k.ArrivalSince = k.Arrival
	}
	for _, n := range append(slices.Clone(s.Numbers), s.followedNumber()) {
		k.Numbers = append(k.Numbers, n.Keys(s.ShippingLineSCAC)...)
	}
	for _, p := range append(slices.Clone(j.Transshipments), j.POL, j.POD, j.Destination) {
		k.Ports = append(k.Ports, p.LOCODE)
	}
	for i := range j.Containers {
		c := &j.Containers[i]
		for _, leg := range c.Legs {
			k.Ports = append(k.Ports, leg.From.LOCODE, leg.To.LOCODE)
		}
		made := crosscheck.Known{Number: c.Number, Seals: c.Equipment.Seals, ISOType: c.Equipment.ISOType, WeightKg: c.Equipment.WeightKg}
		for _, m := range []Moment{c.LFDLine, c.LFDTerminal, c.LFDRail} {
			if day := dayAt(m, cmp.Or(c.PODZone, s.PODTimezone)); day != "" {
				made.LastFreeDays = append(made.LastFreeDays, day)
			}
		}
		k.Containers = append(k.Containers, made)
	}
	slices.Sort(k.Ports)
	k.Ports = slices.Compact(k.Ports)
	k.Ships, k.ShipsSince = d.shipsNamed()
	return k
}

// dayAt is the date of a moment at its place: 2026-08-05; empty for none.
func dayAt(m Moment, zone string) string {
	if m.IsZero() {
		return ""
	}
	loc := freight.LoadZone(cmp.Or(m.Zone, zone))
	if loc == nil {
		loc = time.UTC
	}
	return freetime.DateOf(m.Time, loc).String()
}

// arrivalSince is the day from which the estimated arrival was known: when its fact was recorded
// or, if that repeats an earlier one, when the shipment was first shown with it.
func (d *draft) arrivalSince() string {
	var since time.Time
	if i := d.journey.Provenance.PODETA; i >= 0 {
		since = d.derived[i].RecordedAt
	}
	if n := len(d.ship.Exceptions.estimates); n > 0 {
		if last := d.ship.Exceptions.estimates[n-1]; last.At.Equal(d.ship.PODETAAt) {
			since = earliest(since, last.LearnedAt)
		}
	}
	return dayAt(Moment{Time: since}, "UTC")
}

// shipsNamed are the ships of the facts that count, and the day on which the last of them was
// recorded first.
func (d *draft) shipsNamed() (ships []crosscheck.Ship, since string) {
	first := map[VesselRef]time.Time{}
	for i, f := range d.derived {
		if f.Vessel == (VesselRef{}) || d.journey.Facts[i].Superseded {
			continue
		}
		first[f.Vessel] = earliest(first[f.Vessel], f.RecordedAt)
		at := slices.IndexFunc(ships, func(s crosscheck.Ship) bool { return s.Name == f.Vessel.Name && s.IMO == f.Vessel.IMO })
		if at < 0 {
			at = len(ships)
			ships = append(ships, crosscheck.Ship{Name: f.Vessel.Name, IMO: f.Vessel.IMO})
		}
		if v := &ships[at].Voyages; f.Voyage != "" && !slices.Contains(*v, f.Voyage) {
			*v = append(*v, f.Voyage)
			slices.Sort(*v)
		}
	}
	slices.SortFunc(ships, func(a, b crosscheck.Ship) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.IMO, b.IMO)) })
	var last time.Time
	for _, at := range first {
		last = schedule.Latest(last, at)
	}
	return ships, dayAt(Moment{Time: last}, "UTC")
}

// addCharges adds what the clocks of the containers count, if a document charges it.
func (l *pastView) addCharges(known *crosscheck.Shipment, list []comparedDocument) error {
	if !slices.ContainsFunc(list, func(d comparedDocument) bool { return d.paper.HasCharges() }) {
		return nil
	}
	for i := range known.Containers {
		k := &known.Containers[i]
		charges, err := l.charges(l.then.containerID(k.Number), l.tx.Now)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		for _, c := range charges.Clocks {
			if c.Total == nil || c.Currency == nil {
				continue
			}
			clock := crosscheck.Clock{Clock: c.Clock, Currency: *c.Currency}
			for _, day := range c.Days {
				if day.Amount != nil {
					clock.Days = append(clock.Days, crosscheck.ChargedDay{Date: day.Date.String(), Amount: *day.Amount})
				}
			}
			k.Clocks = append(k.Clocks, clock)
		}
	}
	return nil
}
