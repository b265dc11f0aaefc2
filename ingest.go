package tracking

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Receipt says what became of a report.
type Receipt struct {
	// Facts were handed in, New of them were not known yet.
	Facts int `json:"facts"`
	New   int `json:"new"`
	// Shipments and Containers that the facts are about.
	Shipments  int `json:"shipments"`
	Containers int `json:"containers"`
	// Events are the milestone events that were made or corrected.
	Events int `json:"events"`
	// Warnings about odd data that was kept.
	Warnings []Warning `json:"warnings"`
	// ShipmentIDs are the shipments.
	ShipmentIDs []ID `json:"shipment_ids"`
}

// maxFacts bounds one report (design, "The store").
const maxFacts = 10_000

// Ingest takes a source's facts into the actor's account: they are appended to
// its log, the shipments they belong to are made or derived anew, and new
// milestones are announced unless the report is Silent; all in one
// transaction. The same report again changes nothing. Needs update.
//
// Odd data (a wrong check digit, an unknown LOCODE) is kept and becomes a
// Warning. A fact of the wrong shape refuses the whole report with an Error of
// kind BadDocument, whose Field is the path of the fault.
func (t *Tracker) Ingest(ctx context.Context, r Report) (Receipt, error) {
	return t.IngestOnce(ctx, r, Once{})
}

// IngestOnce is Ingest with an idempotency key; see Once.
func (t *Tracker) IngestOnce(ctx context.Context, r Report, o Once) (Receipt, error) {
	if err := t.allow(Update); err != nil {
		return Receipt{}, err
	}
	if err := checkReport(r); err != nil {
		return Receipt{}, err
	}
	return t.ingest(ctx, t.actor.Account, r, handing{once: o})
}

// handing says how a report came in.
type handing struct {
	// follow is the number that a source was asked about: facts that name no
	// number are about it, and the shipment is made for it.
	follow *following
	// since silences the milestones that happened before it: the history that
	// comes with a request's first answer (law 5). Zero silences nothing.
	since time.Time
	// touch changes the followed shipment in the same transaction.
	touch func(*Tx, *Shipment) error
	once  Once
}

// following is a number as a shipment is followed by it.
type following struct {
	ShipmentNumber
	SCAC string
	// Shipment is the one that is already followed; zero when it is to be made.
	Shipment ID
}

// ingest plans on a snapshot, where deriving hinders nobody, and writes in a
// transaction that first checks that the plan still stands.
func (t *Tracker) ingest(ctx context.Context, account AccountID, r Report, how handing) (receipt Receipt, err error) {
	var ahead *plan
	err = t.view(ctx, account, func(tx *Tx) (err error) {
		ahead, err = newPlan(tx, r, how)
		return err
	})
	if err != nil {
		return Receipt{}, err
	}
	err = t.update(ctx, account, func(tx *Tx) error {
		receipt, _, err = remembered(tx, how.once, "report", func() (Receipt, error) {
			p := ahead
			ahead = nil // a plan is written once; a closure that runs again plans again
			if p == nil || !p.stands(tx) {
				if p, err = newPlan(tx, r, how); err != nil {
					return Receipt{}, err
				}
			}
			return p.write(tx)
		})
		return err
	})
	if err != nil {
		return Receipt{}, err
	}
	t.poke()
	return receipt, nil
}

// plan is what a report will change.
type plan struct {
	report Report
	how    handing
	// batch are the report's facts, those already stored included.
	batch []*RawEvent
	// pool is every fact in sight, indexed by what it may belong by.
	pool      map[ID]*RawEvent
	byKey     map[string][]*RawEvent
	byVersion map[string][]*RawEvent
	// drafts are the shipments in sight; draftsByKey those that hold a number.
	drafts          []*draft
	draftsByKey     map[string][]*draft
	draftsByVersion map[string][]*draft
	byShipment      map[ID]*draft
	owners          map[ID]int // how many drafts have the fact
	// keys and versions still to be looked up in the store.
	newKeys, newVersions []string
	asked                map[string]bool
	// seen are the versions of the shipments found, for stands.
	seen map[ID]int64
	now  time.Time
}

// draft is a shipment under work.
type draft struct {
	ship     *Shipment
	facts    []*RawEvent
	has      map[ID]bool
	keys     map[string]bool
	versions map[string]bool
	journey  Journey
	followed bool
}

func newPlan(tx *Tx, r Report, how handing) (*plan, error) {
	p := &plan{
		report: r, how: how, now: tx.Now,
		pool: map[ID]*RawEvent{}, byKey: map[string][]*RawEvent{}, byVersion: map[string][]*RawEvent{},
		draftsByKey: map[string][]*draft{}, draftsByVersion: map[string][]*draft{}, byShipment: map[ID]*draft{},
		owners: map[ID]int{}, asked: map[string]bool{}, seen: map[ID]int64{},
	}
	steps := []func(*Tx) error{p.readBatch, p.findShipments, p.settle, p.adoptCarriers, p.makeShipments, p.deriveAll}
	for _, step := range steps {
		if err := step(tx); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// readBatch names the report's facts and tells the new ones from the known.
func (p *plan) readBatch(tx *Tx) error {
	logged := make([]LoggedFact, len(p.report.Facts))
	var versions []string
	for i, f := range p.report.Facts {
		logged[i] = p.logged(tx, f)
		if f.ID != "" {
			versions = append(versions, versionKey(&logged[i]))
		}
	}
	if err := p.loadFacts(tx, "version_of", versions); err != nil {
		return err
	}
	ids := make([]ID, len(logged))
	for i := range logged {
		ids[i] = p.identify(&logged[i])
	}
	stored, err := table(tx, rawEvents).GetMany(ids)
	if err != nil {
		return err
	}
	p.addFacts(stored)
	for i, id := range ids {
		known := p.pool[id]
		if known == nil {
			known = newRawEvent(id, logged[i], i)
			p.addFacts([]*RawEvent{known})
		}
		p.batch = append(p.batch, known)
	}
	return nil
}

// logged completes a fact with what the report says of all of them.
func (p *plan) logged(tx *Tx, f Fact) LoggedFact {
	l := LoggedFact{Fact: f, Source: p.report.Source, DataSource: p.report.DataSource, SCAC: f.SCAC}
	if l.SCAC == "" {
		l.SCAC = p.report.SCAC
	}
	l.SCAC = primarySCAC(tx.engine, l.SCAC)
	if l.DataSource == "" {
		l.DataSource = FromShippingLine
	}
	l.Place = tidyPlace(l.Place)
	if len(f.Numbers) == 0 && p.how.follow != nil {
		l.Numbers = []ShipmentNumber{p.how.follow.ShipmentNumber}
		l.SCAC = p.how.follow.SCAC
	}
	return l
}

// tidyPlace folds the LOCODE ("CN SHA"); what has not the shape of one is kept
// as the name.
func tidyPlace(p Place) Place {
	given := p.LOCODE
	p.LOCODE, p.SMDG = foldNumber(given), strings.ToUpper(strings.TrimSpace(p.SMDG))
	if given != "" && len(p.LOCODE) != 5 {
		p.LOCODE = ""
		if p.Name == "" {
			p.Name = given
		}
	}
	return p
}

// primarySCAC folds alternative SCACs of a line; an unknown one stays.
func primarySCAC(e *engine, scac string) string {
	if line, ok := e.line(scac); ok {
		return line.SCAC
	}
	return foldNumber(scac)
}

// identify returns the ID of a fact. A fact without a time of its own counts
// as recorded now, unless it says what its latest version said already.
func (p *plan) identify(f *LoggedFact) ID {
	if !f.RecordedAt.IsZero() {
		return factID(*f, f.RecordedAt)
	}
	if f.ID == "" {
		id := factID(*f, time.Time{})
		f.RecordedAt = p.now
		return id
	}
	if latest := latestVersion(p.byVersion[versionKey(f)]); latest != nil && sameContent(latest.Fact, *f) {
		return latest.ID
	}
	f.RecordedAt = p.now
	return factID(*f, p.now)
}

func latestVersion(versions []*RawEvent) (latest *RawEvent) {
	for _, v := range versions {
		if latest == nil || v.Number == 0 || (latest.Number != 0 && v.Number > latest.Number) {
			latest = v
		}
	}
	return latest
}

// loadFacts brings stored facts into sight, by one of their terms.
func (p *plan) loadFacts(tx *Tx, term string, values []string) error {
	const chunk = 200
	for len(values) > 0 {
		part := values[:min(chunk, len(values))]
		values = values[len(part):]
		var w where[RawEvent]
		w.has(term, part, func(r *RawEvent) []string {
			if term == "key" {
				return factKeys(&r.Fact)
			}
			if r.Fact.ID == "" {
				return nil
			}
			return []string{versionKey(&r.Fact)}
		})
		found, err := table(tx, rawEvents).All(w)
		if err != nil {
			return err
		}
		p.addFacts(found)
	}
	return nil
}

// addFacts brings facts into sight and gives them to the drafts they belong to.
func (p *plan) addFacts(list []*RawEvent) {
	for _, r := range list {
		if p.pool[r.ID] != nil {
			continue
		}
		p.pool[r.ID] = r
		for _, k := range factKeys(&r.Fact) {
			p.byKey[k] = append(p.byKey[k], r)
			for _, d := range p.draftsByKey[k] {
				p.give(d, r)
			}
		}
		if r.Fact.ID == "" {
			continue
		}
		v := versionKey(&r.Fact)
		p.byVersion[v] = append(p.byVersion[v], r)
		for _, d := range p.draftsByVersion[v] {
			p.give(d, r)
		}
	}
}

// give adds a fact to a shipment and whatever follows from it: the numbers it
// names become the shipment's, and all versions of a fact stay together.
func (p *plan) give(d *draft, r *RawEvent) {
	work := []*RawEvent{r}
	for len(work) > 0 {
		r, work = work[len(work)-1], work[:len(work)-1]
		if d.has[r.ID] || contradicts(d.ship.ShippingLineSCAC, r.Fact.SCAC) {
			continue
		}
		d.has[r.ID] = true
		d.facts = append(d.facts, r)
		p.owners[r.ID]++
		for _, k := range factKeys(&r.Fact) {
			work = append(work, p.claim(d, k)...)
		}
		if r.Fact.ID != "" {
			v := versionKey(&r.Fact)
			if !d.versions[v] {
				d.versions[v] = true
				p.draftsByVersion[v] = append(p.draftsByVersion[v], d)
				work = append(work, p.byVersion[v]...)
				p.newVersions = append(p.newVersions, v)
			}
		}
	}
}

// claim makes a number one of the shipment's and returns the facts that name it.
func (p *plan) claim(d *draft, key string) []*RawEvent {
	if d.keys[key] {
		return nil
	}
	d.keys[key] = true
	p.draftsByKey[key] = append(p.draftsByKey[key], d)
	if !p.asked[key] {
		p.asked[key] = true
		p.newKeys = append(p.newKeys, key)
	}
	return p.byKey[key]
}

func contradicts(a, b string) bool { return a != "" && b != "" && a != b }

// sight returns the shipments that hold a number or an earlier version of one
// of the facts.
func (p *plan) sight(tx *Tx) (map[ID]bool, error) {
	var keys []string
	ids := map[ID]bool{}
	for _, r := range p.batch {
		keys = append(keys, factKeys(&r.Fact)...)
		if r.Fact.ID == "" {
			continue
		}
		for _, version := range p.byVersion[versionKey(&r.Fact)] {
			for _, id := range version.Shipments {
				ids[id] = true
			}
		}
	}
	if f := p.how.follow; f != nil {
		keys = append(keys, numberKeys(f.ShipmentNumber, f.SCAC)...)
		if f.Shipment != (ID{}) {
			ids[f.Shipment] = true
		}
	}
	numbered, err := shipmentsNumbered(tx, keys)
	for _, s := range numbered {
		ids[s.ID] = true
	}
	return ids, err
}

// findShipments opens a draft for each shipment in sight.
func (p *plan) findShipments(tx *Tx) error {
	ids, err := p.sight(tx)
	if err != nil {
		return err
	}
	for id := range ids {
		s, err := table(tx, shipments).Get(id)
		if err != nil {
			return err
		}
		p.seen[id] = s.Version
		p.open(s)
	}
	return p.openFollowed()
}

// openFollowed makes sure that the number a source was asked about has a draft.
func (p *plan) openFollowed() error {
	f := p.how.follow
	if f == nil {
		return nil
	}
	d := p.byShipment[f.Shipment]
	if d == nil {
		for _, other := range p.drafts {
			if !contradicts(other.ship.ShippingLineSCAC, f.SCAC) && goesBy(other.ship, f.ShipmentNumber, f.SCAC) {
				d = other
			}
		}
	}
	if d == nil {
		d = p.open(&Shipment{BillOfLadingNumber: f.Number, NumberType: f.Type, ShippingLineSCAC: f.SCAC})
	}
	d.followed = true
	return nil
}

// goesBy reports whether a shipment goes by that number.
func goesBy(s *Shipment, n ShipmentNumber, scac string) bool {
	own := map[string]bool{}
	for _, k := range shipmentKeys(s) {
		own[k] = true
	}
	for _, k := range numberKeys(n, scac) {
		if own[k] {
			return true
		}
	}
	return false
}

// shipmentsNumbered finds the shipments that go by any of the folded numbers.
func shipmentsNumbered(tx *Tx, keys []string) ([]*Shipment, error) {
	var all []*Shipment
	const chunk = 200
	for len(keys) > 0 {
		part := keys[:min(chunk, len(keys))]
		keys = keys[len(part):]
		var w where[Shipment]
		w.has("number", part, shipmentKeys)
		found, err := table(tx, shipments).All(w)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// open begins a draft from the number that the shipment is followed by: all
// else about it follows from facts.
func (p *plan) open(s *Shipment) *draft {
	d := &draft{ship: s, has: map[ID]bool{}, keys: map[string]bool{}, versions: map[string]bool{}}
	p.drafts = append(p.drafts, d)
	if s.ID != (ID{}) {
		p.byShipment[s.ID] = d
	}
	p.claimFollowed(d)
	return d
}

// claimFollowed claims the number that the shipment is followed by, in all its
// forms: they depend on the line.
func (p *plan) claimFollowed(d *draft) {
	for _, k := range numberKeys(ShipmentNumber{d.ship.NumberType, d.ship.BillOfLadingNumber}, d.ship.ShippingLineSCAC) {
		for _, r := range p.claim(d, k) {
			p.give(d, r)
		}
	}
}

// settle looks up stored facts until no draft learns of another number.
func (p *plan) settle(tx *Tx) error {
	for len(p.newKeys) > 0 || len(p.newVersions) > 0 {
		keys, versions := p.newKeys, p.newVersions
		p.newKeys, p.newVersions = nil, nil
		if err := p.loadFacts(tx, "key", keys); err != nil {
			return err
		}
		if err := p.loadFacts(tx, "version_of", versions); err != nil {
			return err
		}
	}
	return nil
}

// adoptCarriers gives a shipment of an unknown line the line of the earliest
// fact that names one, and lets go of the facts that contradict it.
func (p *plan) adoptCarriers(*Tx) error {
	for _, d := range p.drafts {
		if d.ship.ShippingLineSCAC != "" {
			continue
		}
		var first *RawEvent
		for _, r := range d.facts {
			if r.Fact.SCAC != "" && (first == nil || earlier(r, first)) {
				first = r
			}
		}
		if first == nil {
			continue
		}
		d.ship.ShippingLineSCAC = first.Fact.SCAC
		kept := d.facts[:0:0]
		for _, r := range d.facts {
			if contradicts(first.Fact.SCAC, r.Fact.SCAC) {
				delete(d.has, r.ID)
				p.owners[r.ID]--
			} else {
				kept = append(kept, r)
			}
		}
		d.facts = kept
		p.claimFollowed(d)
	}
	return nil
}

// earlier orders facts by the source's own time, and by ID where that is equal.
func earlier(a, b *RawEvent) bool {
	if !a.Fact.RecordedAt.Equal(b.Fact.RecordedAt) {
		return a.Fact.RecordedAt.Before(b.Fact.RecordedAt)
	}
	return a.ID.String() < b.ID.String()
}

// makeShipments makes a shipment for the facts that belong to none: for their
// transport document, else for their booking (design, "Identity"). All
// transport documents of the batch come first, so that what is made does not
// depend on the order of the facts.
func (p *plan) makeShipments(tx *Tx) error {
	for _, typ := range []RequestType{BillOfLading, BookingNumber, ContainerNumber} {
		for i, r := range p.batch {
			if p.owners[r.ID] > 0 || r.Fact.Retracted {
				continue
			}
			if len(factKeys(&r.Fact)) == 0 {
				return &Error{
					Kind: BadDocument, Field: fmt.Sprintf("facts[%d].numbers", i), Code: "blank",
					Detail: "a fact must name the bill of lading or booking that it is about",
				}
			}
			for _, n := range r.Fact.Numbers {
				if n.Type == typ && foldNumber(n.Number) != "" {
					p.open(&Shipment{BillOfLadingNumber: n.Number, NumberType: n.Type, ShippingLineSCAC: r.Fact.SCAC})
					break
				}
			}
			if err := p.settle(tx); err != nil {
				return err
			}
			if err := p.adoptCarriers(tx); err != nil {
				return err
			}
		}
	}
	return nil
}

// stands reports whether the plan was made on what the transaction sees: the
// same shipments at the same versions. A fact that somebody else has stored
// meanwhile has changed the version of its shipment.
func (p *plan) stands(tx *Tx) bool {
	ids, err := p.sight(tx)
	if err != nil || len(ids) != len(p.seen) {
		return false
	}
	for id := range ids {
		s, err := tx.records.Get(tx, shipments.kind, id)
		if err != nil || s.Version != p.seen[id] {
			return false
		}
	}
	return true
}

// deriveAll works out the journeys, where there is anything new.
func (p *plan) deriveAll(tx *Tx) error {
	for _, d := range p.drafts {
		facts := make([]LoggedFact, len(d.facts))
		for i, r := range d.facts {
			facts[i] = r.Fact
		}
		followed := []ShipmentNumber{{d.ship.NumberType, d.ship.BillOfLadingNumber}}
		d.journey = derive(followed, d.ship.ShippingLineSCAC, facts, tx.engine.refs)
	}
	return nil
}
