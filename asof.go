package tracking

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/inclusion"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/membership"
	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/schedule"
	"github.com/landfallhq/tracking/store"
)

// shownNow are the attributes of a resource type that do not follow from facts. An
// answer about the past shows their present values.
var shownNow = map[string][]string{
	"shipment": {
		"line_tracking_stopped_by_user", "created_at", "updated_at", "ref_numbers", "tags", "bill_of_lading_number", "normalized_number", "removed_at", "customer_name",
		"line_tracking_last_attempted_at", "line_tracking_last_succeeded_at", "line_tracking_last_failed_reason",
		"line_tracking_stopped_at", "line_tracking_stopped_reason", "promised_arrival_at",
	},
	"container": {
		"shipment", "number", "ref_numbers", "created_at", "updated_at", "pod_rail_carrier_scac", "ind_rail_carrier_scac",
		"pod_last_tracking_request_at", "shipment_last_tracking_request_at",
	},
}

// ShipmentAsOf returns a shipment as it was at a time: derived, by the present
// rules (Description.RulesVersion), from the facts that had arrived by the end of that second
// (UTC) and belonged to the shipment. Attributes in ResourceType.ShownNow have their present
// values. Version is 0, because the past cannot be changed. Needs show. Errors:
// NotFound, also before the shipment existed; Invalid on as_of for a future time.
func (t *Tracker) ShipmentAsOf(ctx context.Context, id ID, at time.Time) (*Shipment, error) {
	return viewingPast(ctx, t, at, func(l *pastView) (*Shipment, error) { return l.shipment(id) })
}

// ContainerAsOf returns a container as it was at a time, as ShipmentAsOf does.
func (t *Tracker) ContainerAsOf(ctx context.Context, id ID, at time.Time) (*Container, error) {
	return viewingPast(ctx, t, at, func(l *pastView) (*Container, error) { return l.container(id) })
}

// AsOf returns a shipment or container as it was at a time, as Get does. Included
// containers and shipments are those of that time, other resources are present
// ones. The lists of facts and events of a container cannot be included.
func (r Rendered) AsOf(ctx context.Context, typ string, id ID, at time.Time, include []string) (Selection, error) {
	t := r.t
	n, ok := registry[typ]
	if !ok || shownNow[typ] == nil {
		return Selection{}, fmt.Errorf("tracking: %q has no past to select", typ)
	}
	paths, err := includePaths(typ, include)
	if err == nil {
		err = refuseInverse(paths)
	}
	if err != nil {
		return Selection{}, err
	}
	s := newSelecting(n)
	defer s.release()
	s.id, s.paths, s.alone = id, paths, true
	return viewingPast(ctx, t, at, s.inPast)
}

// refuseInverse refuses relationships that exist only for the present.
func refuseInverse(paths inclusion.Paths) error {
	name := paths.First(func(name string) bool {
		return slices.ContainsFunc(inverses["container"], func(inv inverse) bool { return inv.Name == name })
	})
	if name == "" {
		return nil
	}
	return badQuery("include", "'%s' cannot be included with as_of; without it, the list says of each entry when it was received and invalidated", name)
}

// pastView reads a shipment's past in one snapshot.
type pastView struct {
	tx     *transaction
	second time.Time
	ship   *Shipment
	facts  []*RawEvent // of the shipment, whenever they were its own
	then   *draft      // the shipment at the end of that second
}

// viewingPast returns what read reads of the past, if the time is not in the future.
func viewingPast[V any](ctx context.Context, t *Tracker, at time.Time, read func(*pastView) (V, error)) (v V, err error) {
	if err := t.allow(Show); err != nil {
		return v, err
	}
	if err := t.refs.load(ctx); err != nil {
		return v, err
	}
	return viewing(ctx, t.engine, t.actor.Account, func(tx *transaction) (V, error) {
		second, err := pastSecond(tx, at)
		if err != nil {
			return v, err
		}
		return read(&pastView{tx: tx, second: second})
	})
}

// pastSecond returns the second of a time, UTC, which must not be in the future.
func pastSecond(tx *transaction, at time.Time) (time.Time, error) {
	second := at.UTC().Truncate(time.Second)
	latest, err := latestTime(tx)
	if err == nil && second.After(latest) {
		err = invalid("as_of", "in_future", "as_of is in the future: it may be at most %s", latest.Format(time.RFC3339))
	}
	return second, err
}

// latestTime is the present time, which never decreases within an account.
func latestTime(tx *transaction) (time.Time, error) {
	l, err := ledgers.Get(tx, ledgerID)
	if err != nil {
		return tx.Now, ignoreNotFound(err)
	}
	return schedule.Latest(l.At, tx.Now), nil
}

// notYet is the error for a time before the record existed.
func notYet(typ string, created time.Time) error {
	return &Error{Kind: NotFound, Code: "not_yet", Detail: fmt.Sprintf("the %s was not known then: it was made at %s", typ, created.UTC().Format(time.RFC3339))}
}

// shipment returns the shipment as it was.
func (l *pastView) shipment(id ID) (*Shipment, error) {
	s, err := shipments.Get(l.tx, id)
	if err != nil {
		return nil, err
	}
	if l.second.Before(s.CreatedAt) {
		return nil, notYet("shipment", s.CreatedAt)
	}
	if l.second.Before(s.LineSince) {
		s.ShippingLineSCAC = ""
	}
	if err := l.open(s); err != nil {
		return nil, err
	}
	s.applyJourney(l.tx, l.then)
	s.Version = 0
	return s, nil
}

// open derives the shipment as it was.
func (l *pastView) open(s *Shipment) error {
	if l.then != nil {
		return nil
	}
	l.ship = s
	var w where[RawEvent]
	under := append([]string{s.ID.String(), pastOf(s.ID), leftOf(s.ID)}, idTexts(s.Containers)...)
	for part := range slices.Chunk(under, queryChunk) {
		w = where[RawEvent]{}
		w.Has("shown", part, (*RawEvent).shownTerms)
		found, err := rawEvents.All(l.tx, w)
		if err != nil {
			return err
		}
		l.facts = append(l.facts, found...)
	}
	slices.SortFunc(l.facts, func(a, b *RawEvent) int { return int(a.Number - b.Number) })
	l.facts = slices.CompactFunc(l.facts, func(a, b *RawEvent) bool { return a.ID == b.ID })
	l.then = l.derive(membership.Position{Second: l.second})
	return nil
}

// derive derives the shipment from the facts that belonged to it.
func (l *pastView) derive(p membership.Position) *draft {
	d := &draft{ship: l.ship, ownContainers: map[*RawEvent][]string{}}
	for _, r := range l.facts {
		if !p.Includes(r.Number, r.CreatedAt) {
			continue
		}
		listed := slices.Contains(r.Shipments, l.ship.ID)
		if membership.WasPart(r.Moves, l.ship.ID, listed, p) {
			r.Fact.Arrival = r.Number
			d.facts = append(d.facts, r)
			if own := d.storedContainers(r); len(own) > 0 && len(own) < len(r.Fact.Containers) {
				d.ownContainers[r] = own
			}
		} else if listed {
			d.retracted = append(d.retracted, r)
		}
	}
	d.derived = d.derivationFacts()
	d.journey = journey.Derive([]ShipmentNumber{l.ship.followedNumber()}, d.derived, l.tx.engine.refs)
	return d
}

// container returns the container as it was.
func (l *pastView) container(id ID) (*Container, error) {
	c, err := containers.Get(l.tx, id)
	if err != nil {
		return nil, err
	}
	if l.second.Before(c.CreatedAt) {
		return nil, notYet("container", c.CreatedAt)
	}
	c.Version = 0
	if c.removed() && !c.RemovedAt.After(l.second) {
		return c, nil // it has not changed since it left
	}
	s, err := shipments.Get(l.tx, c.Shipment)
	if err != nil {
		return nil, err
	}
	if err := l.open(s); err != nil {
		return nil, err
	}
	return c, l.applyJourney(c)
}

// applyJourney sets what was derived for the container.
func (l *pastView) applyJourney(c *Container) error {
	d := l.draftOf(c)
	j := d.journeyOf(c.Number)
	if j == nil {
		return errNotNamed()
	}
	c.applyJourney(l.tx, j, &d.journey)
	return nil
}

// draftOf returns what the container was derived in: the shipment at that time or, if it had
// left it, when it left. It sets RemovedAt.
func (l *pastView) draftOf(c *Container) *draft {
	c.RemovedAt = time.Time{}
	if away, ok := membership.AbsentAt(c.Absences, l.second); ok {
		c.RemovedAt = away.From
		return l.derive(membership.Position{Facts: away.After})
	}
	return l.then
}

// errNotNamed is the error for a container that no fact of the time names.
func errNotNamed() error {
	return &Error{Kind: NotFound, Code: "not_yet", Detail: fmt.Sprintf("by version %d of the rules, no fact of that time names the container", journey.RulesVersion)}
}

// containers returns the containers of the shipment as they were, except one.
func (l *pastView) containers(s *Shipment, but ID) ([]*Container, error) {
	ids := slices.DeleteFunc(slices.Clone(s.Containers), func(id ID) bool { return id == but })
	list, err := containers.GetMany(l.tx, ids)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		c.Version = 0
		if err := l.applyJourney(c); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// inPast selects from the past. The shipment and its containers are included first,
// so that none of them is read as it is stored now: they lead to no other shipment.
func (s *selector) inPast(l *pastView) (_ Selection, err error) {
	s.clear()
	s.tx, s.result = l.tx, Selection{Total: 1}
	if s.rows, err = l.rows(s.rows, s.kind, s.id, s.paths); err == nil {
		err = s.include(1)
	}
	return s.result, err
}

// rows appends a shipment or container as it was, and those of the other shipments and
// containers of that time that the paths name.
func (l *pastView) rows(to []inclusion.Row, k *store.Kind, id ID, paths inclusion.Paths) ([]inclusion.Row, error) {
	var ship *Shipment
	if k == containers.Kind {
		c, err := l.container(id)
		if err != nil {
			return nil, err
		}
		row, err := l.withMilestones(c)
		if err != nil {
			return nil, err
		}
		to = append(to, row)
		if !paths.Names("shipment") {
			return to, nil
		}
		if ship, err = l.shipment(c.Shipment); err != nil {
			return nil, err
		}
	} else {
		var err error
		if ship, err = l.shipment(id); err != nil {
			return nil, err
		}
	}
	to = append(to, rowOf(shipments, ship))
	if !paths.Names("containers") {
		return to, nil
	}
	list, err := l.containers(ship, id)
	for _, c := range list {
		to = append(to, rowOf(containers, c))
	}
	return to, err
}

// rowOf renders a record that is not stored.
func rowOf[T any](n *resource[T], v *T) inclusion.Row {
	doc, _ := n.Codec.Encode(v)
	return inclusion.Row{Kind: n.Kind, Record: store.Record{ID: metaOf(v).ID, Doc: doc}}
}

// withMilestones renders a container with the transport events that stood.
func (l *pastView) withMilestones(c *Container) (inclusion.Row, error) {
	links, err := l.tx.Records.Links(l.tx, transportEvents.Kind, "shipment", []ID{c.Shipment})
	if err != nil {
		return inclusion.Row{}, err
	}
	stood := l.milestones(c)
	var ids []ID
	for _, link := range links {
		if stood[link.ID] {
			ids = append(ids, link.ID)
		}
	}
	r := rowOf(containers, c)
	r.Doc = record.SpliceRefs(nil, r.Doc, "transport_events", "transport_event", ids)
	return r, nil
}

// milestones are the transport events of the container that stood. One that had left
// its shipment had none.
func (l *pastView) milestones(c *Container) map[ID]bool {
	stood := map[ID]bool{}
	if l.then == nil {
		return stood
	}
	for _, j := range l.then.journey.Containers {
		if j.Number != c.Number {
			continue
		}
		for _, m := range j.Milestones {
			stood[l.versionAt(eventID(c.ID, m))] = true
		}
	}
	return stood
}

// versionAt is the version of an event that stood by the end of the second: the
// first where nothing is known of later ones.
func (l *pastView) versionAt(first ID) ID {
	for id := first; ; id = nextVersion(id) {
		e, err := transportEvents.Get(l.tx, id)
		if err != nil {
			return first
		}
		if e.CreatedAt.After(l.second) {
			return first
		}
		if e.InvalidatedAt.IsZero() || e.InvalidatedAt.After(l.second) {
			return id
		}
	}
}

// recordMembership records that the fact is part of the shipment from now on, or no
// longer, and reports whether that is a change.
func (r *RawEvent) recordMembership(tx *transaction, shipment ID, left bool) bool {
	if r.partOf(shipment) != left {
		return false
	}
	r.Moves = append(slices.Clip(r.Moves), membership.Change{Shipment: shipment, At: tx.Now, After: tx.ledger.read.facts, Left: left})
	return true
}

// partOf reports whether the shipment is derived from the fact.
func (r *RawEvent) partOf(shipment ID) bool {
	return membership.IsPart(r.Moves, shipment, slices.Contains(r.Shipments, shipment))
}

// recordAbsence records when the container leaves its shipment and when it returns.
func (c *Container) recordAbsence(tx *transaction, before *Container) {
	if before == nil || before.removed() == c.removed() {
		return
	}
	c.Absences = slices.Clone(c.Absences)
	if c.removed() {
		c.Absences = append(c.Absences, membership.Absence{From: c.RemovedAt, After: tx.ledger.read.facts})
	} else if last := len(c.Absences) - 1; last >= 0 {
		c.Absences[last].To = tx.Now
	}
}
