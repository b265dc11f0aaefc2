package tracking

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/landfallhq/tracking/internal/assignment"
	"github.com/landfallhq/tracking/internal/factlog"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/report"
	"github.com/landfallhq/tracking/internal/schedule"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/store"
)

// Receipt is the result of a report.
type Receipt struct {
	// Facts is the number of facts in the report, New the number of those that were
	// not stored before.
	Facts int `json:"facts"`
	New   int `json:"new"`
	// FirstFact and LastFact are the numbers of the first and last new fact in the
	// account's log; 0 if none is new. The log is numbered from 1 in the order of
	// commits, and within a report by position. Of facts recorded at the same time
	// the one with the larger number counts.
	FirstFact int64 `json:"first_fact"`
	LastFact  int64 `json:"last_fact"`
	// Shipments and Containers that the facts are about.
	Shipments  int `json:"shipments"`
	Containers int `json:"containers"`
	// Events is the number of milestone events that were created or corrected.
	Events int `json:"events"`
	// Warnings about unusual data that was stored.
	Warnings []Warning `json:"warnings"`
	// ShipmentIDs and ContainerIDs identify those shipments and containers.
	ShipmentIDs  []ID `json:"shipment_ids"`
	ContainerIDs []ID `json:"container_ids"`
}

// ParseReport parses the JSON form of a report, in which other programs report facts:
//
//	{"source": "terminal-x", "data_source": "terminal", "scac": "MAEU", "announce": true,
//	 "facts": [{"id": "e1", "event": "load", "classifier": "actual", "at": "2026-01-02T10:00:00+08:00",
//	            "place": {"locode": "CNSHA"}, "mode": "vessel", "load": "laden",
//	            "vessel": {"imo": "9321483", "name": "..."}, "voyage": "12E",
//	            "containers": ["APZU4812090"],
//	            "numbers": [{"type": "bill_of_lading", "number": "..."}]}]}
//
// The members of a fact are those of Fact. "retract": true retracts a fact. The report
// can also be the data.attributes of a JSON:API document of type report. Errors:
// BadDocument, with the path of the fault in Field.
func ParseReport(data []byte) (Report, error) {
	r, err := report.Parse(data)
	return r, asBadDocument(err)
}

func checkReport(r Report) error { return asBadDocument(report.Check(r)) }

// asBadDocument returns the Error of a fault in a report.
func asBadDocument(err error) error {
	if fault, ok := err.(*report.Fault); ok {
		return badDocument(fault.Field, "%s", fault.Detail)
	}
	return err
}

func badDocument(field, format string, args ...any) *Error {
	return &Error{Kind: BadDocument, Field: field, Detail: fmt.Sprintf(format, args...)}
}

// Ingest stores a report in the actor's account, in one transaction: it appends the
// facts to the log, creates or updates the shipments that they belong to, and
// announces new milestones unless the report is Silent. Repeating a report changes
// nothing. Needs update.
//
// Unusual data (a wrong check digit, an unknown LOCODE) is stored and reported as a
// Warning. A malformed fact refuses the whole report with an Error of kind
// BadDocument, whose Field is the path of the fault. A closed account refuses
// reports: Invalid, with the code closed.
func (t *Tracker) Ingest(ctx context.Context, r Report, once ...Once) (Receipt, error) {
	if err := t.allow(Update); err != nil {
		return Receipt{}, err
	}
	if err := checkReport(r); err != nil {
		return Receipt{}, err
	}
	return t.ingest(ctx, t.actor.Account, r, ingestOptions{once: once, precondition: refuseReports, by: t.reporting()})
}

// ingestOptions describes where a report comes from.
type ingestOptions struct {
	// tracked is the number that a source was queried for, or nil. Facts without
	// numbers are about it, and a shipment is created for it.
	tracked *trackedNumber
	// silentBefore silences earlier milestones: the history in the first answer to
	// a request. Zero silences nothing.
	silentBefore time.Time
	// updateTracked updates the tracked shipment in the same transaction. It is
	// given the shipment's containers.
	updateTracked func(*transaction, *Shipment, []*Container) error
	// precondition runs first in the transaction, and may refuse it.
	precondition func(*transaction) error
	// isAnswer: the report is a source's answer about the tracked number. Facts
	// about other shipments are dropped.
	isAnswer bool
	// onRederived, which may be nil, is called with the result for each shipment.
	onRederived func(RederivedShipment)
	once        []Once
	// by is what an actor does, for the audit log; nil if it is not recorded.
	by *operation
}

// trackedNumber is a number that a shipment is tracked by.
type trackedNumber struct {
	ShipmentNumber
	SCAC string
	// Shipment is the tracked shipment; zero if it does not exist yet.
	Shipment ID
	// askedAt is the time of the request for the number, if the shipment does not
	// exist yet.
	askedAt time.Time
}

// ingest makes a plan on a snapshot, so that deriving blocks nobody. The
// transaction that writes checks first that the plan is current.
func (t *Tracker) ingest(ctx context.Context, account AccountID, r Report, how ingestOptions) (receipt Receipt, err error) {
	ahead, err := viewing(ctx, t.engine, account, func(tx *transaction) (*plan, error) { return newPlan(tx, r, how) })
	if err != nil {
		return Receipt{}, err
	}
	err = t.updateAhead(ctx, account, how.by, sync.OnceValue(ahead.reads), func(tx *transaction) error {
		if how.precondition != nil {
			if err := how.precondition(tx); err != nil {
				return err
			}
		}
		var fresh bool
		receipt, fresh, err = remembered(tx, how.once, "report", func() (Receipt, error) {
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
		if err == nil && fresh {
			tx.audit.noteReport(receipt)
		}
		return err
	})
	if err != nil {
		return Receipt{}, err
	}
	return receipt, nil
}

// plan is what a report will change.
type plan struct {
	report Report
	opts   ingestOptions
	// batch is the report's facts, including those already stored.
	batch   []*RawEvent
	inBatch map[ID]bool
	// unnumbered counts the loaded facts that have no number yet.
	unnumbered int64
	// pool is all loaded facts, and groups the same by version. For each value in
	// queried, everything that the store has is loaded.
	pool    map[ID]*RawEvent
	groups  map[string]*factVersions
	queried map[string]bool
	// rederiveAll ignores earlier decisions and applies the present rules to all
	// facts.
	rederiveAll bool
	// loaded is the shipments whose facts are loaded.
	loaded map[ID]bool
	// rows is the shipments as the writing transaction has read them.
	rows map[ID]store.Record
	// drafts is the loaded and new shipments.
	drafts   []*draft
	owned    map[*factVersions]bool // assigned to a draft
	detached map[*factVersions]bool // was assigned to a shipment that it no longer belongs to
	// relatedNumbers is the folded numbers whose shipments are loaded.
	relatedNumbers map[string]bool
	// openedNumbers is the folded numbers of the shipments to be opened, unplaced the retracted
	// facts that name them and have no shipment.
	openedNumbers []string
	unplaced      []*RawEvent
	// waiting is the requests that wait for one of these numbers.
	waiting []*TrackingRequest
	// reportedContainers is the containers that the report names; nil until it is
	// needed.
	reportedContainers map[string]bool
	// shipmentOpened is the facts for which a shipment was opened.
	shipmentOpened map[*factVersions]bool
	// retractedIn is the shipments that show retracted facts.
	retractedIn map[*factVersions][]*draft
	// numbers has one form for each number in sight.
	numbers assignment.Numbers
	// earlierShipments is the shipments with an earlier version of a fact of the
	// batch. They may lose it.
	earlierShipments map[ID]bool
	// shipmentVersions is the versions of the shipments found, for isCurrent.
	shipmentVersions map[ID]int64
	// refs resolves places to time zones.
	refs journey.Places
	now  time.Time
	// arrived is now, in microseconds: the time of recording of facts that do not
	// give one.
	arrived time.Time
	// undated: a new fact gives no time of recording, so arrived is used.
	undated bool
	// filterWarning describes the facts that were dropped from an answer; zero if
	// none was. reportIndexes has the indexes in the report of the others; nil if
	// none was dropped.
	filterWarning Warning
	reportIndexes []int
	// withNewPlaces is the new facts that name places or vessels the account does
	// not know.
	withNewPlaces []*journey.LoggedFact
}

// factVersions is all versions of one fact.
type factVersions struct {
	all []*RawEvent
	one [1]*RawEvent // where all begins: most facts have one version
	// valid is the version that counts; nil if the fact is retracted.
	valid *RawEvent
	// stale: there is a new version, so valid has to be chosen again.
	stale bool
}

// draft is a shipment that the plan changes.
type draft struct {
	ship  *Shipment
	facts []*RawEvent
	// retracted is the facts, in all versions, that were taken back and would belong to it.
	retracted []*RawEvent
	// derived is what the journey follows from: facts, and retracted ones behind them.
	derived []*journey.LoggedFact
	journey journey.Journey
	// ownContainers is, for facts that name several containers, those that belong
	// to this shipment.
	ownContainers map[*RawEvent][]string
	// askedAt is the time of the first request for the number; zero if there is
	// none.
	askedAt time.Time
	// storedIdentity is the identity as stored.
	storedIdentity shipmentIdentity
	// lostFacts is the facts, in all versions, that belonged to the shipment until
	// now, because a fact that connected them was retracted.
	lostFacts []*RawEvent
	// followed: a source was queried for this shipment.
	followed bool
	// concerned: one of the report's facts belongs to it.
	concerned bool
	// made: the shipment is new and not stored.
	made bool
	// splitOff: it is created for facts that belonged to another shipment until
	// now.
	splitOff bool
	// stopped: tracking was stopped when the report arrived.
	stopped bool
	// resumedFrom is when a rule stopped it, if the report resumes tracking; zero
	// otherwise.
	resumedFrom time.Time
	// adopted: it has taken its shipping line from its facts.
	adopted bool
	// milestonesKnown: its stored milestones tell which ones have changed.
	milestonesKnown bool
	// expected are the next milestones of its containers that are to be written.
	expected []expectation
	// notes are those of the milestones of the journey; nil until they are needed.
	notes milestoneNotes
	// containerIDs is the IDs of its containers by number.
	containerIDs map[string]ID
}

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

func newPlan(tx *transaction, r Report, how ingestOptions) (*plan, error) {
	p := &plan{
		report: r, opts: how, refs: tx.engine.refs, now: tx.Now, arrived: arrivalTime(tx), rederiveAll: len(r.Facts) == 0 && !how.isAnswer, inBatch: map[ID]bool{},
		pool: map[ID]*RawEvent{}, groups: map[string]*factVersions{},
		queried: map[string]bool{}, loaded: map[ID]bool{}, owned: map[*factVersions]bool{}, detached: map[*factVersions]bool{}, earlierShipments: map[ID]bool{}, shipmentVersions: map[ID]int64{}, rows: map[ID]store.Record{}, relatedNumbers: map[string]bool{}, shipmentOpened: map[*factVersions]bool{},
	}
	for _, step := range []func(*transaction) error{p.readBatch, p.findShipments, p.assignAll, p.findNewPlaces, p.deriveAll} {
		if err := step(tx); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// readBatch identifies the report's facts and separates new ones from those stored.
func (p *plan) readBatch(tx *transaction) error {
	logged := make([]journey.LoggedFact, len(p.report.Facts))
	var versions []string
	for i, f := range p.report.Facts {
		logged[i] = p.toLoggedFact(tx, f)
		if f.ID != "" {
			versions = append(versions, factlog.VersionKey(&logged[i]))
		}
	}
	if err := tx.prefetch(func() []store.Read { return p.readsOfReport(logged, versions) }); err != nil {
		return err
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
		p.inherit(f, said[factlog.VersionKey(f)])
		if f.ID != "" {
			said[factlog.VersionKey(f)] = f
		}
	}
	ids, err := p.identify(tx, logged)
	if err != nil {
		return err
	}
	stored, err := rawEvents.GetMany(tx, ids)
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

// batchKeys returns the folded numbers in the report's facts.
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

// factKeys returns the folded numbers that decide where a fact belongs.
func (p *plan) factKeys(f *journey.LoggedFact) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range f.Numbers {
			for _, k := range p.numbers.Keys(n, f.SCAC) {
				if !yield(k) {
					return
				}
			}
		}
	}
}

// toLoggedFact completes a fact of the report. One without numbers is about the tracked
// number.
func (p *plan) toLoggedFact(tx *transaction, f Fact) journey.LoggedFact {
	l := factlog.New(f, &p.report)
	l.SCAC = primarySCAC(tx.engine, l.SCAC)
	if len(f.Numbers) == 0 && p.opts.tracked != nil {
		l.Numbers = []ShipmentNumber{p.opts.tracked.ShipmentNumber}
		l.SCAC = p.opts.tracked.SCAC
	}
	return l
}

// arrivalTime is the time of the transaction, in microseconds. It never decreases
// within an account.
func arrivalTime(tx *transaction) time.Time {
	return schedule.Latest(tx.clock().Truncate(time.Microsecond), tx.Now)
}

// identify returns the IDs of the report's facts, and dates those without a time of
// recording.
func (p *plan) identify(tx *transaction, facts []journey.LoggedFact) ([]ID, error) {
	var keys []string
	for i := range facts {
		if f := &facts[i]; f.RecordedAt.IsZero() {
			p.undated = true
			if f.ID == "" { // all versions of one with an ID are loaded
				keys = slices.AppendSeq(keys, p.factKeys(f))
			}
		}
	}
	if err := p.loadNumbered(tx, sortedSet(keys)); err != nil {
		return nil, err
	}
	stored := func(yield func(ID, *journey.LoggedFact) bool) {
		for id, r := range p.pool {
			if !yield(id, &r.Fact) {
				return
			}
		}
	}
	return factlog.Identify(facts, stored, p.arrived), nil
}

// primarySCAC returns the primary SCAC of a line; an unknown one is folded only.
func primarySCAC(e *engine, scac string) string {
	if line, ok := e.line(scac); ok {
		return line.SCAC
	}
	return freight.FoldNumber(scac)
}

// inherit copies the numbers of the last version to a new version that names none.
// That is before, from the same report, or a stored one.
func (p *plan) inherit(f, before *journey.LoggedFact) {
	if len(f.Numbers) > 0 || f.ID == "" || f.Retracted {
		return
	}
	if before != nil && len(before.Numbers) > 0 {
		f.Numbers = before.Numbers
	} else if g := p.groups[factlog.VersionKey(f)]; g != nil {
		f.Numbers = g.latest().Fact.Numbers
	}
}

// latest is the version that was received last.
func (g *factVersions) latest() *RawEvent {
	return slices.MaxFunc(g.all, func(a, b *RawEvent) int { return cmp.Compare(a.Number, b.Number) })
}

// loadVersions loads all versions of some facts. Which of them counts depends on
// all.
func (p *plan) loadVersions(tx *transaction, keys []string) error {
	for part := range slices.Chunk(p.notQueried("version", keys), queryChunk) {
		if err := p.loadFacts(tx, versionsOf(part)); err != nil {
			return err
		}
	}
	return nil
}

// loadNumbered loads the facts of all shipments with one of the folded numbers.
// Every valid fact belongs to a shipment with one of its numbers, so these are all
// facts that name them.
func (p *plan) loadNumbered(tx *transaction, keys []string) error {
	for part := range slices.Chunk(p.notQueried("number", keys), queryChunk) {
		rows, err := shipmentsNumbered(tx, part)
		if err != nil {
			return err
		}
		for _, r := range rows {
			s, err := shipments.Decode(r)
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

// loadShipment loads the facts of a shipment.
func (p *plan) loadShipment(tx *transaction, r store.Record, s *Shipment) error {
	if p.loaded[r.ID] {
		return nil
	}
	p.loaded[r.ID] = true
	under := append([]string{s.ID.String(), pastOf(s.ID)}, idTexts(s.Containers)...)
	for part := range slices.Chunk(under, queryChunk) {
		var w where[RawEvent]
		w.Has("shown", part, (*RawEvent).shownTerms)
		if err := p.loadFacts(tx, w); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) loadFacts(tx *transaction, w where[RawEvent]) error {
	rows, _, err := tx.Records.List(tx, rawEvents.Kind, w.Filter(rawEvents), Page{}, nil)
	if err != nil {
		return err
	}
	// Skip decoding of facts that are loaded.
	rows = slices.DeleteFunc(rows, func(r store.Record) bool { return p.pool[r.ID] != nil })
	found, err := rawEvents.DecodeAll(rows)
	if err != nil {
		return err
	}
	p.add(found)
	if !p.rederiveAll {
		return nil
	}
	return p.loadVersionsOf(tx, found)
}

// loadVersionsOf loads the other versions of some facts.
func (p *plan) loadVersionsOf(tx *transaction, facts []*RawEvent) error {
	var keys []string
	for _, r := range facts {
		if r.Fact.ID != "" {
			keys = append(keys, factlog.VersionKey(&r.Fact))
		}
	}
	return p.loadVersions(tx, keys)
}

// notQueried returns the values that were not queried yet, and marks them as
// queried.
func (p *plan) notQueried(term string, values []string) (fresh []string) {
	for _, v := range values {
		if ask := term + "/" + v; !p.queried[ask] {
			p.queried[ask] = true
			fresh = append(fresh, v)
		}
	}
	return fresh
}

// add adds facts to the pool.
func (p *plan) add(list []*RawEvent) {
	unsettled := map[*factVersions]bool{}
	made := make([]factVersions, 0, len(list)) // its elements stay where they are
	for _, r := range list {
		if p.pool[r.ID] != nil {
			continue
		}
		p.pool[r.ID] = r
		p.setArrival(r)
		g := p.groups[r.group()]
		if g == nil {
			made = append(made, factVersions{})
			g = &made[len(made)-1]
			g.all = g.one[:0]
			p.groups[r.group()] = g
		}
		g.all = append(g.all, r)
		if g.stale = g.stale || r.Version == 0 || p.rederiveAll; g.stale {
			unsettled[g] = true
		} else if r.InvalidatedAt.IsZero() {
			g.valid = r // as decided when its last version came
		}
	}
	for g := range unsettled {
		g.chooseValid(p.refs)
	}
}

// chooseValid decides which version counts, by the same rule as derive: an actual
// time that is later than its recording is an estimate.
func (g *factVersions) chooseValid(places journey.Places) {
	list := make([]*journey.LoggedFact, 0, 8) // on the stack: most facts have one version
	for _, r := range g.all {
		list = append(list, &r.Fact)
	}
	g.valid = nil
	if i := journey.FindValidVersion(list, places); i >= 0 {
		g.valid = g.all[i]
	}
}

// adoptLine sets the line of a shipment without one to that of its earliest fact
// that names one. Facts of other lines then no longer belong to it.
func (d *draft) adoptLine() bool {
	if d.ship.ShippingLineSCAC != "" {
		return false
	}
	var first *RawEvent
	for _, r := range d.facts {
		if r.Fact.SCAC != "" && (first == nil || byRecording(r, first) < 0) {
			first = r
		}
	}
	if first == nil {
		return false
	}
	d.ship.ShippingLineSCAC, d.adopted = first.Fact.SCAC, true
	return true
}

// byRecording orders facts by time of recording, then by arrival.
func byRecording(a, b *RawEvent) int {
	return cmp.Or(a.Fact.RecordedAt.Compare(b.Fact.RecordedAt), cmp.Compare(a.Fact.Arrival, b.Fact.Arrival))
}

// afterStored is larger than the number of any stored fact.
const afterStored = 1 << 62

// setArrival sets the position of a fact in the order of arrival: its number or,
// for a new fact, one after all stored ones. New facts are added and numbered in
// the order of the report, so writing them does not change the order. If other
// facts of the same shipments were numbered in the meantime, the plan is not
// current and is made again.
func (p *plan) setArrival(r *RawEvent) {
	if r.Fact.Arrival = r.Number; r.Number == 0 {
		p.unnumbered++
		r.Fact.Arrival = afterStored + p.unnumbered
	}
}

// shipmentsNumbered returns the shipments that have one of the folded numbers.
func shipmentsNumbered(tx *transaction, keys []string) ([]store.Record, error) {
	return listAll(tx, shipments, numberQueries(keys))
}

// hasAllVersions reports whether all versions of the new facts are loaded. Another
// may have been stored in the meantime, for another shipment.
func (p *plan) hasAllVersions(tx *transaction) bool {
	rows, err := listAll(tx, rawEvents, p.versionQueries())
	return err == nil && !slices.ContainsFunc(rows, func(row store.Record) bool {
		known := p.pool[row.ID]
		return known == nil || known.Version == 0
	})
}

// deriveAll derives the journeys of the shipments that the plan changes.
func (p *plan) deriveAll(tx *transaction) error {
	for _, d := range p.drafts {
		if p.isAffected(d) {
			d.derived = d.derivationFacts()
			d.journey = journey.Derive([]ShipmentNumber{d.ship.followedNumber()}, d.derived, tx.engine.refs)
		}
	}
	return nil
}

// derivationFacts returns the facts of the shipment, with those of their containers
// that belong to it, and after them those that were retracted.
func (d *draft) derivationFacts() []*journey.LoggedFact {
	facts := make([]*journey.LoggedFact, len(d.facts), len(d.facts)+len(d.retracted))
	for i, r := range d.facts {
		facts[i] = &r.Fact
		if own := d.ownContainers[r]; own != nil {
			part := r.Fact
			part.Containers = own
			facts[i] = &part
		}
	}
	for _, r := range d.retracted {
		none := r.Fact
		none.Retracted = true
		facts = append(facts, &none)
	}
	return facts
}
