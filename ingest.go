package tracking

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/journey"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/store"
)

// Receipt says what became of a report.
type Receipt struct {
	// Facts were handed in, New of them were not known yet.
	Facts int `json:"facts"`
	New   int `json:"new"`
	// FirstFact and LastFact are the numbers that the first and the last of the
	// new facts have in the account's log; 0 where none is new. The log is numbered
	// from 1, report after report in the order of their commits, and within a
	// report by position. Of facts recorded at the same moment the one with the
	// larger number counts.
	FirstFact int64 `json:"first_fact"`
	LastFact  int64 `json:"last_fact"`
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

// maxFacts bounds one report: it is written in one transaction.
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
	return t.ingest(ctx, t.actor.Account, r, ingestOptions{once: o, precondition: refuseReports})
}

// ingestOptions says how a report came in.
type ingestOptions struct {
	// tracked is the number that a source was asked about: facts that name no
	// number are about it, and the shipment is made for it.
	tracked *trackedNumber
	// silentBefore silences the milestones that happened before it: the history that
	// comes with the first answer to a request. Zero silences nothing.
	silentBefore time.Time
	// updateTracked changes the followed shipment, which has these containers now, in the
	// same transaction.
	updateTracked func(*Tx, *Shipment, []*Container) error
	// precondition is what else the transaction does, before all else; it may refuse.
	precondition func(*Tx) error
	// isAnswer: the report is what a source says about the number in follow, and
	// must be about it.
	isAnswer bool
	// onRederived, which may be nil, takes what has become of each shipment.
	onRederived func(RederivedShipment)
	once        Once
}

// trackedNumber is a number as a shipment is followed by it.
type trackedNumber struct {
	ShipmentNumber
	SCAC string
	// Shipment is the one that is already followed; zero when it is to be made.
	Shipment ID
	// askedAt is when somebody asked for the number that it is to be made for.
	askedAt time.Time
}

// ingest plans on a snapshot, where deriving hinders nobody, and writes in a
// transaction that first checks that the plan still stands.
func (t *Tracker) ingest(ctx context.Context, account AccountID, r Report, how ingestOptions) (receipt Receipt, err error) {
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
		if how.precondition != nil {
			if err := how.precondition(tx); err != nil {
				return err
			}
		}
		receipt, _, err = remembered(tx, how.once, "report", func() (Receipt, error) {
			p := ahead
			ahead = nil // a plan is written once; a closure that runs again plans again
			if p == nil || !p.isCurrent(tx) {
				if p, err = newPlan(tx, r, how); err != nil {
					return Receipt{}, err
				}
			}
			if p, err = p.withCurrentRules(tx); err != nil {
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
		t.wakeWorkers()
	}
	return receipt, nil
}

// plan is what a report will change.
type plan struct {
	report Report
	opts   ingestOptions
	// batch are the report's facts, those already stored included.
	batch   []*RawEvent
	inBatch map[ID]bool
	// unnumbered is how many of the facts in sight have no number yet.
	unnumbered int64
	// pool is every fact in sight, and groups its facts by version: what the
	// store has under the versions and of the shipments in asked is all in sight.
	pool    map[ID]*RawEvent
	groups  map[string]*factVersions
	byKey   map[string][]*factVersions
	queried map[string]bool
	// keyCache are the keys of the numbers seen so far: the facts of a shipment name
	// the same few again and again.
	keyCache map[carrierNumber][]string
	// rederiveAll: nothing that was settled before counts; the present rules decide.
	rederiveAll bool
	// loaded are the shipments whose facts are in sight.
	loaded map[ID]bool
	// rows are the shipments as the transaction that writes has found them.
	rows map[ID]store.Record
	// drafts are the shipments in sight.
	drafts   []*draft
	owned    map[*factVersions]bool // belongs to some draft
	detached map[*factVersions]bool // was connected to a shipment that it does not belong to any more
	// relatedNumbers are the folded numbers whose shipments are in sight.
	relatedNumbers map[string]bool
	// waiting are the requests that wait for one of these numbers.
	waiting []*TrackingRequest
	// reportedContainers are the containers that the report names; nil until asked for.
	reportedContainers map[string]bool
	// shipmentOpened are facts for which a shipment was opened.
	shipmentOpened map[*factVersions]bool
	// retractedIn are the shipments in which facts that were taken back are shown.
	retractedIn map[*factVersions][]*draft
	// roots folds the forms of a number to one.
	roots numberRoots
	// ambiguous are those of them that facts give both a document and a booking.
	ambiguous map[string]bool
	// earlierShipments are the shipments that hold an earlier version of a fact of the
	// batch: it may be theirs no longer.
	earlierShipments map[ID]bool
	// shipmentVersions are the versions of the shipments found, for stands.
	shipmentVersions map[ID]int64
	// refs has the places that the zones of facts come from.
	refs journey.Places
	now  time.Time
	// arrived is now, to the microsecond: when facts that do not say when they
	// were recorded were.
	arrived time.Time
	// undated: a new fact does not say when it was recorded, so it was when it
	// arrived.
	undated bool
	// filterWarning says what of an answer was left out; zero for nothing. places are
	// those of the rest in the report; none where nothing was left out.
	filterWarning Warning
	reportIndexes []int
	// withNewPlaces are new facts that name what the account has not remembered.
	withNewPlaces []*journey.LoggedFact
}

// carrierNumber is a number as the facts of a line name it.
type carrierNumber struct {
	ShipmentNumber
	scac string
}

// factVersions is one fact in all its versions.
type factVersions struct {
	all []*RawEvent
	// valid is the version that counts; nil when the fact is retracted.
	valid *RawEvent
	// stale: a new version is among them, so what was settled when the last
	// stored one came does not count.
	stale bool
}

// draft is a shipment under work.
type draft struct {
	ship    *Shipment
	facts   []*RawEvent
	journey journey.Journey
	// ownContainers are the containers that join the shipment by a fact which names others
	// too.
	ownContainers map[*RawEvent][]string
	// askedAt is when somebody first asked for the number that it is followed by;
	// zero where nobody did.
	askedAt time.Time
	// storedIdentity is what it was followed by, and whether it was removed, as stored.
	storedIdentity shipmentIdentity
	// lostFacts are the facts in all versions that belonged to the shipment until
	// now: what connected them with it was taken back.
	lostFacts []*RawEvent
	// followed: it is the one that a source was asked about.
	followed bool
	// concerned: one of the report's facts belongs to it.
	concerned bool
	// made: the shipment is new, so nothing of it is stored yet.
	made bool
	// splitOff: it is made for facts that belonged to another shipment until now.
	splitOff bool
	// stopped: it was no longer followed when the report came.
	stopped bool
	// resumedFrom is when a rule had stopped it, where the report makes it followed
	// again; zero otherwise.
	resumedFrom time.Time
	// adopted: it has taken the line of its facts.
	adopted bool
	// milestonesKnown: it is known which of its milestones have changed.
	milestonesKnown bool
	// containerIDs are the IDs of its containers by number.
	containerIDs map[string]ID
}

// containerID returns the ID of one of the shipment's containers.
func (d *draft) containerID(number string) ID {
	id, ok := d.containerIDs[number]
	if !ok {
		if d.containerIDs == nil {
			d.containerIDs = map[string]ID{}
		}
		id = containerID(d.ship.ID, number)
		d.containerIDs[number] = id
	}
	return id
}

func newPlan(tx *Tx, r Report, how ingestOptions) (*plan, error) {
	p := &plan{
		report: r, opts: how, refs: tx.engine.refs, now: tx.Now, arrived: arrivalTime(tx), rederiveAll: len(r.Facts) == 0 && !how.isAnswer, inBatch: map[ID]bool{},
		pool: map[ID]*RawEvent{}, groups: map[string]*factVersions{}, byKey: map[string][]*factVersions{},
		queried: map[string]bool{}, keyCache: map[carrierNumber][]string{}, loaded: map[ID]bool{}, owned: map[*factVersions]bool{}, detached: map[*factVersions]bool{}, earlierShipments: map[ID]bool{}, shipmentVersions: map[ID]int64{}, rows: map[ID]store.Record{}, relatedNumbers: map[string]bool{}, shipmentOpened: map[*factVersions]bool{},
	}
	for _, step := range []func(*Tx) error{p.readBatch, p.findShipments, p.assignAll, p.findNewPlaces, p.deriveAll} {
		if err := step(tx); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// readBatch names the report's facts and tells the new ones from the known.
func (p *plan) readBatch(tx *Tx) error {
	logged := make([]journey.LoggedFact, len(p.report.Facts))
	var versions []string
	for i, f := range p.report.Facts {
		logged[i] = p.toLoggedFact(tx, f)
		if f.ID != "" {
			versions = append(versions, versionKey(&logged[i]))
		}
	}
	if err := p.loadVersions(tx, versions); err != nil {
		return err
	}
	logged, err := p.filterAnswer(tx, logged)
	if err != nil {
		return err
	}
	said := map[string]*journey.LoggedFact{} // the last version of each fact in this report
	for i := range logged {
		f := &logged[i]
		p.inherit(f, said[versionKey(f)])
		if f.ID != "" {
			said[versionKey(f)] = f
		}
	}
	ids, err := p.identify(tx, logged)
	if err != nil {
		return err
	}
	stored, err := table(tx, rawEvents).GetMany(ids)
	if err != nil {
		return err
	}
	p.add(stored)
	fresh := make([]*RawEvent, 0, len(ids))
	for i, id := range ids {
		if p.pool[id] == nil && !p.inBatch[id] {
			fresh = append(fresh, newRawEvent(id, logged[i], p.reportIndex(i)))
		}
		p.inBatch[id] = true
	}
	p.add(fresh)
	for _, id := range ids {
		p.batch = append(p.batch, p.pool[id])
	}
	return nil
}

// batchKeys are the folded numbers that the report's facts name.
func (p *plan) batchKeys() (keys []string) {
	seen := map[string]bool{}
	for _, r := range p.batch {
		for k := range p.factKeys(&r.Fact) {
			if !seen[k] {
				seen[k] = true
				keys = append(keys, k)
			}
		}
	}
	return keys
}

// factKeys are the folded numbers that decide where a fact belongs.
func (p *plan) factKeys(f *journey.LoggedFact) iter.Seq[string] {
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
	of := carrierNumber{n, scac}
	keys, ok := p.keyCache[of]
	if !ok {
		keys = n.Keys(scac)
		p.keyCache[of] = keys
	}
	return keys
}

// toLoggedFact completes a fact with what the report says of all of them.
func (p *plan) toLoggedFact(tx *Tx, f Fact) journey.LoggedFact {
	l := journey.LoggedFact{Fact: f, Source: p.report.Source, DataSource: f.DataSource, SCAC: f.SCAC}
	if l.SCAC == "" {
		l.SCAC = p.report.SCAC
	}
	l.SCAC = primarySCAC(tx.engine, l.SCAC)
	if l.DataSource == "" {
		l.DataSource = p.report.DataSource
	}
	if l.DataSource == "" {
		l.DataSource = freight.FromShippingLine
	}
	// Said once, by the logged fact.
	l.Fact.DataSource, l.Fact.SCAC = "", ""
	l.Place = tidyPlace(l.Place)
	if len(f.Numbers) == 0 && p.opts.tracked != nil {
		l.Numbers = []ShipmentNumber{p.opts.tracked.ShipmentNumber}
		l.SCAC = p.opts.tracked.SCAC
	}
	return l
}

// tidyPlace folds the LOCODE ("CN SHA"); what has not the shape of one is kept
// as the name.
func tidyPlace(p Place) Place {
	given := p.LOCODE
	p.LOCODE, p.SMDG = freight.FoldNumber(given), strings.ToUpper(strings.TrimSpace(p.SMDG))
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
	return freight.FoldNumber(scac)
}

// inherit gives a new version that names no number the numbers of the last one:
// before, in the same report, or of those that are stored.
func (p *plan) inherit(f, before *journey.LoggedFact) {
	if len(f.Numbers) > 0 || f.ID == "" || f.Retracted {
		return
	}
	if before != nil && len(before.Numbers) > 0 {
		f.Numbers = before.Numbers
	} else if g := p.groups[versionKey(f)]; g != nil {
		f.Numbers = g.latest().Fact.Numbers
	}
}

// latest is the version that was received last.
func (g *factVersions) latest() *RawEvent {
	return slices.MaxFunc(g.all, func(a, b *RawEvent) int { return cmp.Compare(a.Number, b.Number) })
}

// queryChunk bounds the values of one query.
const queryChunk = 200

// loadVersions brings all versions of some facts into sight: which of them
// counts cannot be said without the others.
func (p *plan) loadVersions(tx *Tx, keys []string) error {
	for part := range slices.Chunk(p.notQueried("version", keys), queryChunk) {
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
	for part := range slices.Chunk(p.notQueried("number", keys), queryChunk) {
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
func (p *plan) loadShipment(tx *Tx, r store.Record, s *Shipment) error {
	if p.loaded[r.ID] {
		return nil
	}
	p.loaded[r.ID] = true
	under := append([]string{s.ID.String(), pastOf(s.ID)}, idTexts(s.Containers)...)
	for part := range slices.Chunk(under, queryChunk) {
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
	rows = slices.DeleteFunc(rows, func(r store.Record) bool { return p.pool[r.ID] != nil })
	found, err := table(tx, rawEvents).decode(rows)
	if err != nil {
		return err
	}
	p.add(found)
	if !p.rederiveAll {
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

// notQueried returns the values that the store was not asked about yet.
func (p *plan) notQueried(term string, values []string) (fresh []string) {
	for _, v := range values {
		if ask := term + "/" + v; !p.queried[ask] {
			p.queried[ask] = true
			fresh = append(fresh, v)
		}
	}
	return fresh
}

// add brings facts into sight.
func (p *plan) add(list []*RawEvent) {
	unsettled := map[*factVersions]bool{}
	for _, r := range list {
		if p.pool[r.ID] != nil {
			continue
		}
		p.pool[r.ID] = r
		p.setArrival(r)
		g := p.groups[r.group()]
		if g == nil {
			g = &factVersions{}
			p.groups[r.group()] = g
		}
		g.all = append(g.all, r)
		if g.stale = g.stale || r.Version == 0 || p.rederiveAll; g.stale {
			unsettled[g] = true
		} else if r.InvalidatedAt.IsZero() {
			g.valid = r // as it was settled when the last of its versions came
		}
		for k := range p.factKeys(&r.Fact) {
			// All versions of a fact come one after the other, as a rule.
			if known := p.byKey[k]; len(known) == 0 || known[len(known)-1] != g && !slices.Contains(known, g) {
				p.byKey[k] = append(known, g)
			}
		}
	}
	for g := range unsettled {
		g.chooseValid(p.refs)
	}
}

// chooseValid finds the version that counts.
func (g *factVersions) chooseValid(places journey.Places) {
	list := make([]*journey.LoggedFact, len(g.all))
	for i, r := range g.all {
		list[i] = &r.Fact
	}
	g.valid = nil
	if i := journey.FindValidVersion(list, places); i >= 0 {
		g.valid = g.all[i]
	}
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

// earlier orders facts by the time of recording, then by arrival.
func earlier(a, b *RawEvent) bool { return byRecording(a, b) < 0 }

func byRecording(a, b *RawEvent) int {
	return cmp.Or(a.Fact.RecordedAt.Compare(b.Fact.RecordedAt), cmp.Compare(a.Fact.Arrival, b.Fact.Arrival))
}

// afterStored is more than the number of any stored fact.
const afterStored = 1 << 62

// setArrival gives a fact its place in the order of arrival: its number or, while a
// new fact has none yet, one after all that are stored. New facts are added and
// numbered in the order of the report, so that the order stays the same when
// they are written; where other facts of the same shipments took numbers
// meanwhile, the plan does not stand and is made again.
func (p *plan) setArrival(r *RawEvent) {
	if r.Fact.Arrival = r.Number; r.Number == 0 {
		p.unnumbered++
		r.Fact.Arrival = afterStored + p.unnumbered
	}
}

func contradicts(a, b string) bool { return a != "" && b != "" && a != b }

// shipmentsNumbered finds the shipments that go by any of the folded numbers.
func shipmentsNumbered(tx *Tx, keys []string) (all []store.Record, err error) {
	for part := range slices.Chunk(keys, queryChunk) {
		var w where[Shipment]
		w.has("number", part, shipmentKeys)
		if all, _, err = tx.records.List(tx, shipments.kind, w.filter(shipments), Page{}, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// hasAllVersions reports whether all versions of the new facts are in sight:
// another may have come meanwhile, of another shipment.
func (p *plan) hasAllVersions(tx *Tx) bool {
	var keys []string
	for _, r := range p.batch {
		if r.Version == 0 && r.Fact.ID != "" {
			keys = append(keys, versionKey(&r.Fact))
		}
	}
	for part := range slices.Chunk(keys, queryChunk) {
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

// deriveAll works out the journeys of the shipments that the plan changes.
func (p *plan) deriveAll(tx *Tx) error {
	for _, d := range p.drafts {
		if p.isAffected(d) {
			d.journey = journey.Derive([]ShipmentNumber{d.ship.followedNumber()}, d.derivationFacts(), tx.engine.refs)
		}
	}
	return nil
}

// derivationFacts are the facts of the shipment as it is derived from them: with those of
// their containers alone that are its own.
func (d *draft) derivationFacts() []*journey.LoggedFact {
	facts := make([]*journey.LoggedFact, len(d.facts))
	for i, r := range d.facts {
		facts[i] = &r.Fact
		if own := d.ownContainers[r]; own != nil {
			part := r.Fact
			part.Containers = own
			facts[i] = &part
		}
	}
	return facts
}
