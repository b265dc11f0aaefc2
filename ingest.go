package tracking

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
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
	// ShipmentIDs and ContainerIDs are those shipments and containers.
	ShipmentIDs  []ID `json:"shipment_ids"`
	ContainerIDs []ID `json:"container_ids"`
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
// kind BadDocument, whose Field is the path of the fault. A closed account takes
// no reports: Invalid, with the code closed.
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
	return t.ingest(ctx, t.actor.Account, r, handing{once: o, first: refuseReports})
}

// handing says how a report came in.
type handing struct {
	// follow is the number that a source was asked about: facts that name no
	// number are about it, and the shipment is made for it.
	follow *following
	// since silences the milestones that happened before it: the history that
	// comes with a request's first answer (law 5). Zero silences nothing.
	since time.Time
	// touch changes the followed shipment, which has these containers now, in the
	// same transaction.
	touch func(*Tx, *Shipment, []*Container) error
	// first is what else the transaction does, before all else; it may refuse.
	first func(*Tx) error
	// answer: the report is what a source says about the number in follow, and
	// must be about it.
	answer bool
	once   Once
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
	due := false // there is new work for Run
	err = t.view(ctx, account, func(tx *Tx) (err error) {
		ahead, err = newPlan(tx, r, how)
		return err
	})
	if err != nil {
		return Receipt{}, err
	}
	err = t.update(ctx, account, func(tx *Tx) error {
		if how.first != nil {
			if err := how.first(tx); err != nil {
				return err
			}
		}
		receipt, _, err = remembered(tx, how.once, "report", func() (Receipt, error) {
			p := ahead
			ahead = nil // a plan is written once; a closure that runs again plans again
			if p == nil || !p.stands(tx) {
				if p, err = newPlan(tx, r, how); err != nil {
					return Receipt{}, err
				}
			}
			if p, err = p.byPresentRules(tx); err != nil {
				return Receipt{}, err
			}
			return p.write(tx)
		})
		due = tx.enqueued
		return err
	})
	if err != nil {
		return Receipt{}, err
	}
	if due {
		t.poke()
	}
	return receipt, nil
}

// plan is what a report will change.
type plan struct {
	report Report
	how    handing
	// batch are the report's facts, those already stored included.
	batch   []*RawEvent
	inBatch map[ID]bool
	// pool is every fact in sight, and groups its facts by version: what the
	// store has under the versions and of the shipments in asked is all in sight.
	pool   map[ID]*RawEvent
	groups map[string]*versions
	byKey  map[string][]*versions
	asked  map[string]bool
	// forms are the keys of the numbers seen so far: the facts of a shipment name
	// the same few again and again.
	forms map[numberOf][]string
	// anew: nothing that was settled before counts; the present rules decide.
	anew bool
	// loaded are the shipments whose facts are in sight.
	loaded map[ID]bool
	// rows are the shipments as the transaction that writes has found them.
	rows map[ID]Record
	// drafts are the shipments in sight.
	drafts []*draft
	owned  map[*versions]bool // belongs to some draft
	left   map[*versions]bool // was connected to a shipment that it does not belong to any more
	// holders are the shipments that hold an earlier version of a fact of the
	// batch: it may be theirs no longer.
	holders map[ID]bool
	// lostKeys are the numbers of facts that have lost their shipment.
	lostKeys []string
	// seen are the versions of the shipments found, for stands.
	seen map[ID]int64
	now  time.Time
	// undated: a new fact does not say when it was recorded, so it was at now.
	undated bool
	// strange says what of an answer was left out; zero for nothing. places are
	// those of the rest in the report; none where nothing was left out.
	strange Warning
	places  []int
	// unknown are new facts that name what the account has not remembered.
	unknown []*LoggedFact
}

// numberOf is a number as the facts of a line name it.
type numberOf struct {
	ShipmentNumber
	scac string
}

// versions is one fact in all its versions.
type versions struct {
	all []*RawEvent
	// valid is the version that counts; nil when the fact is retracted.
	valid *RawEvent
}

// draft is a shipment under work.
type draft struct {
	ship    *Shipment
	facts   []*RawEvent
	journey Journey
	// gone are the facts in all versions that belonged to the shipment until
	// now: what connected them with it was taken back.
	gone []*RawEvent
	// followed: it is the one that a source was asked about.
	followed bool
	// concerned: one of the report's facts belongs to it.
	concerned bool
	// made: the shipment is new, so nothing of it is stored yet.
	made bool
	// parted: it is made for facts that belonged to another shipment until now.
	parted bool
	// stopped: it was no longer followed when the report came.
	stopped bool
	// adopted: it has taken the line of its facts.
	adopted bool
	// noted: it is known which of its milestones have changed.
	noted bool
	// boxes are the IDs of its containers by number.
	boxes map[string]ID
}

// box returns the ID of one of the shipment's containers.
func (d *draft) box(number string) ID {
	id, ok := d.boxes[number]
	if !ok {
		if d.boxes == nil {
			d.boxes = map[string]ID{}
		}
		id = containerID(d.ship.ID, number)
		d.boxes[number] = id
	}
	return id
}

func newPlan(tx *Tx, r Report, how handing) (*plan, error) {
	p := &plan{
		report: r, how: how, now: tx.Now, anew: len(r.Facts) == 0 && !how.answer, inBatch: map[ID]bool{},
		pool: map[ID]*RawEvent{}, groups: map[string]*versions{}, byKey: map[string][]*versions{},
		asked: map[string]bool{}, forms: map[numberOf][]string{}, loaded: map[ID]bool{}, owned: map[*versions]bool{}, left: map[*versions]bool{}, holders: map[ID]bool{}, seen: map[ID]int64{},
	}
	for _, step := range []func(*Tx) error{p.readBatch, p.findShipments, p.makeShipments, p.part, p.findUnknown, p.deriveAll} {
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
	if err := p.loadVersions(tx, versions); err != nil {
		return err
	}
	logged, err := p.sift(tx, logged)
	if err != nil {
		return err
	}
	ids := make([]ID, len(logged))
	said := map[string]*LoggedFact{} // the last version of each fact in this report
	for i := range logged {
		f := &logged[i]
		p.inherit(f, said[versionKey(f)])
		ids[i] = p.identify(f, said[versionKey(f)])
		if f.ID != "" {
			said[versionKey(f)] = f
		}
	}
	stored, err := table(tx, rawEvents).GetMany(ids)
	if err != nil {
		return err
	}
	p.add(stored)
	for i, id := range ids {
		if p.pool[id] == nil {
			p.add([]*RawEvent{newRawEvent(id, logged[i], p.place(i))})
		}
		p.batch = append(p.batch, p.pool[id])
		p.inBatch[id] = true
	}
	return nil
}

// batchKeys are the folded numbers that the report's facts name.
func (p *plan) batchKeys() (keys []string) {
	seen := map[string]bool{}
	for _, r := range p.batch {
		for k := range p.keys(&r.Fact) {
			if !seen[k] {
				seen[k] = true
				keys = append(keys, k)
			}
		}
	}
	return keys
}

// keys are the folded numbers that decide where a fact belongs.
func (p *plan) keys(f *LoggedFact) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range f.Numbers {
			for _, k := range p.numberKeys(n, f.SCAC) {
				if !yield(k) {
					return
				}
			}
		}
	}
}

func (p *plan) numberKeys(n ShipmentNumber, scac string) []string {
	of := numberOf{n, scac}
	keys, ok := p.forms[of]
	if !ok {
		keys = numberKeys(n, scac)
		p.forms[of] = keys
	}
	return keys
}

// logged completes a fact with what the report says of all of them.
func (p *plan) logged(tx *Tx, f Fact) LoggedFact {
	l := LoggedFact{Fact: f, Source: p.report.Source, DataSource: f.DataSource, SCAC: f.SCAC}
	if l.SCAC == "" {
		l.SCAC = p.report.SCAC
	}
	l.SCAC = primarySCAC(tx.engine, l.SCAC)
	if l.DataSource == "" {
		l.DataSource = p.report.DataSource
	}
	if l.DataSource == "" {
		l.DataSource = FromShippingLine
	}
	// Said once, by the logged fact.
	l.Fact.DataSource, l.Fact.SCAC = "", ""
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

// inherit gives a new version that names no number the numbers of the last one:
// before, in the same report, or of those that are stored.
func (p *plan) inherit(f, before *LoggedFact) {
	if len(f.Numbers) > 0 || f.ID == "" || f.Retracted {
		return
	}
	if before != nil && len(before.Numbers) > 0 {
		f.Numbers = before.Numbers
	} else if g := p.groups[versionKey(f)]; g != nil {
		f.Numbers = g.latest().Fact.Numbers
	}
}

// identify returns the ID of a fact. A fact without a time of its own counts
// as recorded now, unless it says what its latest version said already. That is
// the one before it in the same report, or the one that was stored last.
func (p *plan) identify(f, before *LoggedFact) ID {
	if !f.RecordedAt.IsZero() {
		return factID(*f, f.RecordedAt)
	}
	p.undated = true
	if f.ID == "" {
		id := factID(*f, time.Time{})
		f.RecordedAt = p.now
		return id
	}
	f.RecordedAt = p.now
	if g := p.groups[versionKey(f)]; before == nil && g != nil {
		latest := g.latest()
		if before = &latest.Fact; g.valid != nil && sameContent(*before, *f) {
			f.RecordedAt = before.RecordedAt
			return latest.ID
		}
	} else if before != nil && sameContent(*before, *f) {
		return factID(*f, before.RecordedAt)
	}
	if before != nil {
		// Its time is its arrival, and it came after the other.
		if after := before.RecordedAt.Add(time.Microsecond); after.After(p.now) {
			f.RecordedAt = after
		}
	}
	return factID(*f, f.RecordedAt)
}

// latest is the version that was received last.
func (g *versions) latest() *RawEvent {
	return slices.MaxFunc(g.all, func(a, b *RawEvent) int { return cmp.Compare(a.Number, b.Number) })
}

// chunk bounds the values of one query.
const chunk = 200

// loadVersions brings all versions of some facts into sight: which of them
// counts cannot be said without the others.
func (p *plan) loadVersions(tx *Tx, keys []string) error {
	for part := range slices.Chunk(p.unasked("version", keys), chunk) {
		if err := p.loadFacts(tx, versionsOf(part)); err != nil {
			return err
		}
	}
	return nil
}

// loadNumbered brings into sight the facts of all shipments that go by one of
// the folded numbers. Every fact that counts belongs to a shipment that goes by
// the fact's numbers, so these are all the facts that name them.
func (p *plan) loadNumbered(tx *Tx, keys []string) error {
	for part := range slices.Chunk(p.unasked("number", keys), chunk) {
		rows, err := shipmentsNumbered(tx, part)
		if err != nil {
			return err
		}
		for _, r := range rows {
			s, err := shipments.decode(r)
			if err == nil {
				err = p.loadShipment(tx, r, s)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// loadShipment brings the facts of a shipment into sight.
func (p *plan) loadShipment(tx *Tx, r Record, s *Shipment) error {
	if p.loaded[r.ID] {
		return nil
	}
	p.loaded[r.ID] = true
	under := append([]string{s.ID.String(), pastOf(s.ID)}, idTexts(s.Containers)...)
	for part := range slices.Chunk(under, chunk) {
		var w where[RawEvent]
		w.has("shown", part, (*RawEvent).shownTerms)
		if err := p.loadFacts(tx, w); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) loadFacts(tx *Tx, w where[RawEvent]) error {
	rows, _, err := tx.records.List(tx, rawEvents.kind, w.filter(rawEvents), Page{}, nil)
	if err != nil {
		return err
	}
	// What is in sight already need not be decoded again.
	rows = slices.DeleteFunc(rows, func(r Record) bool { return p.pool[r.ID] != nil })
	found, err := table(tx, rawEvents).decode(rows)
	if err != nil {
		return err
	}
	p.add(found)
	if !p.anew {
		return nil
	}
	var siblings []string
	for _, r := range found {
		if r.Fact.ID != "" {
			siblings = append(siblings, versionKey(&r.Fact))
		}
	}
	return p.loadVersions(tx, siblings)
}

// unasked returns the values that the store was not asked about yet.
func (p *plan) unasked(term string, values []string) (fresh []string) {
	for _, v := range values {
		if ask := term + "/" + v; !p.asked[ask] {
			p.asked[ask] = true
			fresh = append(fresh, v)
		}
	}
	return fresh
}

// add brings facts into sight.
func (p *plan) add(list []*RawEvent) {
	for _, r := range list {
		if p.pool[r.ID] != nil {
			continue
		}
		p.pool[r.ID] = r
		g := p.groups[r.group()]
		if g == nil {
			g = &versions{}
			p.groups[r.group()] = g
		}
		g.all = append(g.all, r)
		switch stored := r.Version > 0; {
		case !stored || p.anew:
			g.settle()
		case r.InvalidatedAt.IsZero():
			g.valid = r // as it was settled when the last of its versions came
		}
		for k := range p.keys(&r.Fact) {
			// All versions of a fact come one after the other, as a rule.
			if known := p.byKey[k]; len(known) == 0 || known[len(known)-1] != g && !slices.Contains(known, g) {
				p.byKey[k] = append(known, g)
			}
		}
	}
}

// settle decides which version counts, by the rule that derive goes by.
func (g *versions) settle() {
	entries := make([]entry, len(g.all))
	list := make([]*entry, len(g.all))
	var d digester
	for i, r := range g.all {
		entries[i] = entry{LoggedFact: &r.Fact, index: i, digest: d.fact(&r.Fact), class: cmp.Or(r.Fact.Class, Actual)}
		list[i] = &entries[i]
	}
	g.valid = nil
	if e := validVersion(list); e != nil {
		g.valid = g.all[e.index]
	}
}

// gather collects the facts of a shipment: those that name the number it is
// followed by, those that name a number which these give it, and so on. Only
// valid versions name numbers: a wrong connection that was taken back is gone.
func (p *plan) gather(tx *Tx, d *draft) error {
	for {
		keys, facts := p.reach(d)
		before := len(p.pool)
		if err := p.loadNumbered(tx, keys); err != nil {
			return err
		}
		if len(p.pool) == before {
			if d.facts = facts; d.adoptLine() {
				continue // some of them may contradict the line, and are not its own
			}
			d.concerned = false
			for _, r := range facts {
				g := p.groups[r.group()]
				d.concerned = d.concerned || p.inBatch[r.ID] || p.left[g]
				p.owned[g] = true
			}
			return nil
		}
	}
}

// reach walks from the shipment's number to all it is connected with among the
// facts in sight.
func (p *plan) reach(d *draft) (keys []string, facts []*RawEvent) {
	seen, taken := map[string]bool{}, map[*versions]bool{}
	next := numberKeys(ShipmentNumber{d.ship.NumberType, d.ship.BillOfLadingNumber}, d.ship.ShippingLineSCAC)
	for len(next) > 0 {
		key := next[0]
		next = next[1:]
		if seen[key] {
			continue
		}
		seen[key] = true
		keys = append(keys, key)
		for _, g := range p.byKey[key] {
			if taken[g] || g.valid == nil || contradicts(d.ship.ShippingLineSCAC, g.valid.Fact.SCAC) || !p.names(g.valid, key) {
				continue
			}
			taken[g] = true
			facts = append(facts, g.all...)
			for _, n := range g.valid.Fact.Numbers {
				for _, k := range p.numberKeys(n, cmp.Or(g.valid.Fact.SCAC, d.ship.ShippingLineSCAC)) {
					if !seen[k] && !slices.Contains(next, k) {
						next = append(next, k)
					}
				}
			}
		}
	}
	return keys, facts
}

// names reports whether the fact names the number with this key.
func (p *plan) names(r *RawEvent, key string) bool {
	for k := range p.keys(&r.Fact) {
		if k == key {
			return true
		}
	}
	return false
}

// adoptLine gives a shipment of an unknown line the line of the earliest fact
// that names one; the facts that contradict it are then not its own.
func (d *draft) adoptLine() bool {
	if d.ship.ShippingLineSCAC != "" {
		return false
	}
	var first *RawEvent
	for _, r := range d.facts {
		if r.Fact.SCAC != "" && (first == nil || earlier(r, first)) {
			first = r
		}
	}
	if first == nil {
		return false
	}
	d.ship.ShippingLineSCAC, d.adopted = first.Fact.SCAC, true
	return true
}

// earlier orders facts by the source's own time, and by ID where that is equal.
func earlier(a, b *RawEvent) bool {
	return cmp.Or(a.Fact.RecordedAt.Compare(b.Fact.RecordedAt), strings.Compare(a.ID.String(), b.ID.String())) < 0
}

func contradicts(a, b string) bool { return a != "" && b != "" && a != b }

// sight returns the shipments that hold a number or an earlier version of one
// of the facts, as they are stored.
func (p *plan) sight(tx *Tx) (map[ID]Record, error) {
	keys, held := append(p.batchKeys(), p.lostKeys...), []ID{}
	for _, r := range p.batch {
		for _, version := range p.groups[r.group()].all {
			for _, id := range version.Shipments {
				held = append(held, id)
				p.holders[id] = true
			}
		}
	}
	if f := p.how.follow; f != nil {
		keys = append(keys, numberKeys(f.ShipmentNumber, f.SCAC)...)
		if f.Shipment != (ID{}) {
			held = append(held, f.Shipment)
		}
	}
	p.unasked("number", keys) // from here on, these are asked
	rows, err := shipmentsNumbered(tx, keys)
	if err != nil {
		return nil, err
	}
	found := map[ID]Record{}
	for _, r := range rows {
		found[r.ID] = r
	}
	for _, id := range held {
		if _, ok := found[id]; ok {
			continue
		}
		if found[id], err = tx.records.Get(tx, shipments.kind, id); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// findShipments opens a draft for each shipment in sight, and for the number
// that a source was asked about.
func (p *plan) findShipments(tx *Tx) error {
	found, err := p.sight(tx)
	if err != nil {
		return err
	}
	p.rows = found
	list := make([]*Shipment, 0, len(found))
	for _, id := range slices.SortedFunc(maps.Keys(found), func(a, b ID) int { return bytes.Compare(a[:], b[:]) }) {
		s, err := shipments.decode(found[id])
		if err != nil {
			return err
		}
		p.seen[id] = s.Version
		if err := p.loadShipment(tx, found[id], s); err != nil {
			return err
		}
		list = append(list, s)
	}
	for _, s := range list {
		if err := p.open(tx, s); err != nil {
			return err
		}
	}
	f := p.how.follow
	if f == nil {
		return nil
	}
	for _, d := range p.drafts {
		s := d.ship
		if s.ID == f.Shipment || f.Shipment == (ID{}) && !contradicts(s.ShippingLineSCAC, f.SCAC) && goesBy(s, f.ShipmentNumber, f.SCAC) {
			d.followed = true
			return nil
		}
	}
	if err := p.open(tx, &Shipment{BillOfLadingNumber: f.Number, NumberType: f.Type, ShippingLineSCAC: f.SCAC}); err != nil {
		return err
	}
	p.drafts[len(p.drafts)-1].followed = true
	return nil
}

// open begins a draft from the number that the shipment is followed by: all
// else about it follows from facts.
func (p *plan) open(tx *Tx, s *Shipment) error {
	d := &draft{ship: s}
	p.drafts = append(p.drafts, d)
	return p.gather(tx, d)
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
func shipmentsNumbered(tx *Tx, keys []string) (all []Record, err error) {
	for part := range slices.Chunk(keys, chunk) {
		var w where[Shipment]
		w.has("number", part, shipmentKeys)
		if all, _, err = tx.records.List(tx, shipments.kind, w.filter(shipments), Page{}, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// makeShipments makes a shipment for the facts that belong to none: for their
// transport document, else for their booking (design, "Identity"). All
// transport documents of the batch come first, so that what is made does not
// depend on the order of the facts.
func (p *plan) makeShipments(tx *Tx) error {
	for i, r := range p.batch {
		if !r.Fact.Retracted && !slices.ContainsFunc(r.Fact.Numbers, func(n ShipmentNumber) bool { return len(p.numberKeys(n, r.Fact.SCAC)) > 0 }) {
			return badDocument(fmt.Sprintf("facts[%d].numbers", p.place(i)), "a fact must name the bill of lading or booking that it is about")
		}
	}
	return p.makeFor(tx, p.batch)
}

// makeFor makes shipments for those of the facts that belong to none.
func (p *plan) makeFor(tx *Tx, facts []*RawEvent) error {
	for _, typ := range []RequestType{BillOfLading, BookingNumber, ContainerNumber} {
		for _, r := range facts {
			g := p.groups[r.group()]
			if p.owned[g] || g.valid == nil {
				continue
			}
			at := slices.IndexFunc(g.valid.Fact.Numbers, func(n ShipmentNumber) bool { return n.Type == typ })
			if at < 0 {
				continue
			}
			n := g.valid.Fact.Numbers[at]
			if err := p.open(tx, &Shipment{BillOfLadingNumber: n.Number, NumberType: n.Type, ShippingLineSCAC: g.valid.Fact.SCAC}); err != nil {
				return err
			}
		}
	}
	return nil
}

// part finds the facts that the shipments in sight have lost, because what
// connected them was taken back, and makes shipments for those that now belong
// to none. Facts that were taken back themselves stay where they were shown.
func (p *plan) part(tx *Tx) error {
	held := map[ID][]*RawEvent{} // by shipment
	for _, r := range p.pool {
		for _, id := range r.Shipments {
			held[id] = append(held[id], r)
		}
	}
	var lost []*RawEvent
	for _, d := range p.drafts {
		if !p.concerns(d) {
			continue
		}
		has := make(map[*versions]bool, len(d.facts))
		for _, r := range d.facts {
			has[p.groups[r.group()]] = true
		}
		for _, r := range held[d.ship.ID] {
			if g := p.groups[r.group()]; g.valid != nil && !has[g] {
				d.gone = append(d.gone, r)
				p.left[g] = true
			}
		}
		lost = append(lost, d.gone...)
	}
	slices.SortFunc(lost, func(a, b *RawEvent) int { return cmp.Compare(a.Number, b.Number) })
	before := len(p.drafts)
	err := p.openHomes(tx, lost)
	if err == nil {
		err = p.makeFor(tx, lost)
	}
	for _, d := range p.drafts[before:] {
		d.parted = true
	}
	return err
}

// openHomes opens the stored shipments that go by the numbers of lost facts and
// were not in sight: what was lost elsewhere is theirs.
func (p *plan) openHomes(tx *Tx, lost []*RawEvent) error {
	for _, r := range lost {
		if g := p.groups[r.group()]; !p.owned[g] {
			p.lostKeys = slices.AppendSeq(p.lostKeys, p.keys(&g.valid.Fact))
		}
	}
	rows, err := shipmentsNumbered(tx, p.lostKeys)
	if err != nil {
		return err
	}
	slices.SortFunc(rows, func(a, b Record) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	for _, r := range rows {
		if _, known := p.seen[r.ID]; known {
			continue
		}
		s, err := shipments.decode(r)
		if err != nil {
			return err
		}
		p.seen[r.ID], p.rows[r.ID] = s.Version, r
		if err := p.loadShipment(tx, r, s); err != nil {
			return err
		}
		if err := p.open(tx, s); err != nil {
			return err
		}
	}
	return nil
}

// stands reports whether the plan was made on what the transaction sees: not
// before the account's latest time, no other versions of its facts, and the same
// shipments at the same versions. A fact that somebody else has stored
// meanwhile has changed the version of its shipment.
func (p *plan) stands(tx *Tx) bool {
	if p.undated && p.now.Before(tx.ledger.At) {
		return false // the time of arrival never goes back within an account
	}
	if !p.knowsVersions(tx) {
		return false
	}
	found, err := p.sight(tx)
	if err != nil || len(found) != len(p.seen) {
		return false
	}
	for id, r := range found {
		if r.Version != p.seen[id] {
			return false
		}
	}
	p.rows = found
	return true
}

// knowsVersions reports whether all versions of the new facts are in sight:
// another may have come meanwhile, of another shipment.
func (p *plan) knowsVersions(tx *Tx) bool {
	var keys []string
	for _, r := range p.batch {
		if r.Version == 0 && r.Fact.ID != "" {
			keys = append(keys, versionKey(&r.Fact))
		}
	}
	for part := range slices.Chunk(keys, chunk) {
		w := versionsOf(part)
		rows, _, err := tx.records.List(tx, rawEvents.kind, w.filter(rawEvents), Page{}, nil)
		if err != nil {
			return false
		}
		for _, row := range rows {
			if known := p.pool[row.ID]; known == nil || known.Version == 0 {
				return false
			}
		}
	}
	return true
}

// deriveAll works out the journeys, where there is anything new.
func (p *plan) deriveAll(tx *Tx) error {
	for _, d := range p.drafts {
		facts := make([]*LoggedFact, len(d.facts))
		for i, r := range d.facts {
			facts[i] = &r.Fact
		}
		followed := []ShipmentNumber{{d.ship.NumberType, d.ship.BillOfLadingNumber}}
		d.journey = deriveOf(followed, d.ship.ShippingLineSCAC, facts, tx.engine.refs)
	}
	return nil
}
