package tracking

import (
	"cmp"
	"errors"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/codec"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/reliability"
	"github.com/landfallhq/tracking/store"
)

// voyage is what a shipment that has arrived at its POD shows of its line: the estimates from
// its revisions, and what happened. It has the ID of the shipment, and is written when the
// arrival becomes known, is corrected or is taken back.
type voyage struct {
	Meta
	Past pastVoyages `private:"past"`
}

var voyages = newKind[voyage]("voyage", nil, nil, nil)

// pastVoyages are the voyages of a shipment as they were known, the last as it is known now.
// The arrivals of the others have been taken back.
type pastVoyages []reliability.Voyage

// voyageForm is the version of the stored form.
const voyageForm = 1

var errVoyageForm = errors.New("this is not the stored form of a voyage")

// AppendBinary appends the stored form. It has no error.
func (p *pastVoyages) AppendBinary(b []byte) ([]byte, error) {
	w := codec.Writer{Bytes: append(b, voyageForm)}
	w.Count(len(*p))
	for _, v := range *p {
		w.Text(v.Line, v.POL, v.POD, v.Call)
		for _, list := range [][]reliability.Statement{v.ETAs, v.ETDs, v.Arrivals, v.Departures} {
			w.Count(len(list))
			for _, s := range list {
				w.Time(s.Learned)
				w.Time(s.Time)
			}
		}
		w.Count(len(v.Stays))
		for _, s := range v.Stays {
			w.Text(s.Place)
			w.Time(s.Arrived)
			w.Time(s.Departed)
			w.Time(s.Learned)
		}
	}
	return w.Bytes, nil
}

// UnmarshalBinary reads what AppendBinary wrote.
func (p *pastVoyages) UnmarshalBinary(data []byte) error {
	*p = nil
	if len(data) == 0 || data[0] != voyageForm {
		return errVoyageForm
	}
	r := codec.Reader{Rest: string(data[1:])}
	list := codec.Make[reliability.Voyage](&r)
	for i := range list {
		v := &list[i]
		v.Line, v.POL, v.POD, v.Call = r.Text(), r.Text(), r.Text(), r.Text()
		for _, to := range []*[]reliability.Statement{&v.ETAs, &v.ETDs, &v.Arrivals, &v.Departures} {
			*to = codec.Make[reliability.Statement](&r)
			for i := range *to {
				(*to)[i] = reliability.Statement{Learned: r.Time(), Time: r.Time()}
			}
		}
		v.Stays = codec.Make[reliability.Stay](&r)
		for i := range v.Stays {
			v.Stays[i] = reliability.Stay{Place: r.Text(), Arrived: r.Time(), Departed: r.Time(), Learned: r.Time()}
		}
	}
	if r.Bad || r.Rest != "" {
		return errVoyageForm
	}
	*p = list
	return nil
}

// recordVoyage writes the voyage of a shipment where it is another one than before the update.
// Others cost nothing: before is nil for a new shipment.
func (p *plan) recordVoyage(tx *transaction, d *draft, before *Shipment) error {
	s := d.ship
	if !s.hasArrived() && (before == nil || !before.hasArrived()) {
		return nil
	}
	// Shipments that were derived by older programs may have none.
	rederived := before == nil || p.rederiveAll || before.Rules != journey.RulesVersion
	if !rederived && s.sameVoyage(before) {
		return nil
	}
	stored := &voyage{Meta: Meta{ID: s.ID}}
	if !d.made {
		known, err := voyages.GetMany(tx, []ID{s.ID})
		if err != nil {
			return err
		}
		if len(known) > 0 {
			stored = known[0]
		}
	}
	learned := tx.Now
	if rederived && len(stored.Past) == 0 {
		learned = d.arrivalReceived(tx.Now)
	}
	revisions, err := arrivalRevisions(tx, s.ID)
	if err != nil {
		return err
	}
	if !stored.Past.learn(d.voyage(revisions, learned), s.hasArrived(), learned) {
		return nil
	}
	return voyages.Put(tx, stored)
}

// hasArrived reports whether the shipment shows how well its line foretold the arrival. Times
// without a zone may be local and are no arrival.
func (s *Shipment) hasArrived() bool {
	return !s.PODATAAt.IsZero() && s.PODTimezone != "" && s.ShippingLineSCAC != ""
}

func (s *Shipment) sameVoyage(o *Shipment) bool {
	return s.ShippingLineSCAC == o.ShippingLineSCAC && s.PortOfLadingLOCODE == o.PortOfLadingLOCODE && s.PortOfDischargeLOCODE == o.PortOfDischargeLOCODE &&
		s.callAtPOD() == o.callAtPOD() && s.POLATDAt.Equal(o.POLATDAt) && s.PODATAAt.Equal(o.PODATAAt) && s.POLTimezone == o.POLTimezone && s.hasArrived() == o.hasArrived()
}

// callAtPOD names the call of the ship at the POD, for all shipments aboard: its ship and the
// date, UTC. It is empty where the ship is not known.
func (s *Shipment) callAtPOD() string {
	ship := cmp.Or(s.PODVesselIMO, s.PODVesselName)
	if ship == "" || s.PODATAAt.IsZero() {
		return ""
	}
	return ship + " " + s.PortOfDischargeLOCODE + " " + s.PODATAAt.UTC().Format(time.DateOnly)
}

// arrivalReceived returns when the first fact with the actual arrival was received, and now
// where it has no such fact.
func (d *draft) arrivalReceived(now time.Time) time.Time {
	received := now
	for _, r := range d.facts {
		if r.Fact.Activity == freight.Arrival && cmp.Or(r.Fact.Classifier, freight.Actual) == freight.Actual && r.Timestamp.Equal(d.ship.PODATAAt) && r.CreatedAt.Before(received) {
			received = r.CreatedAt
		}
	}
	return received
}

// arrivalRevisions are the revisions of a shipment that its estimates are read from, first
// learned first.
func arrivalRevisions(tx *transaction, shipment ID) ([]*Revision, error) {
	var w where[Revision]
	w.IDs("shipment", []ID{shipment}, func(r *Revision) ID { return r.Shipment }) // which has an index
	w.IDs("shown", []ID{shipment}, (*Revision).shownUnder)
	w.Text("attribute", []string{"pol_etd_at", "pod_eta_at", "port_of_discharge_locode"}, func(r *Revision) string { return string(r.Attribute) })
	w.Sort = []Order{{}}
	return revised.All(tx, w)
}

// voyage returns the voyage of a shipment, with estimates from its revisions. An ETA that
// outlives a change of the POD counts from that change on.
func (d *draft) voyage(revisions []*Revision, learned time.Time) reliability.Voyage {
	s := d.ship
	v := reliability.Voyage{Line: s.ShippingLineSCAC, POL: s.PortOfLadingLOCODE, POD: s.PortOfDischargeLOCODE, Call: s.callAtPOD()}
	for _, r := range revisions {
		switch r.Attribute {
		case "pol_etd_at":
			v.ETDs = append(v.ETDs, r.statement())
		case "pod_eta_at":
			v.ETAs = append(v.ETAs, r.statement())
		default:
			if n := len(v.ETAs); n > 0 {
				v.ETAs = []reliability.Statement{{Learned: r.LearnedAt, Time: v.ETAs[n-1].Time}}
			}
		}
	}
	v.Arrivals = []reliability.Statement{{Learned: learned, Time: s.PODATAAt}}
	if s.POLTimezone != "" {
		v.Departures = []reliability.Statement{{Learned: learned, Time: s.POLATDAt}}
	}
	v.Stays = stays(d.journey.Containers, learned)
	return v
}

// statement is an estimate of a revision. A time without a zone may be local, and counts as
// taken back.
func (r *Revision) statement() reliability.Statement {
	at, err := time.Parse(time.RFC3339, r.After)
	if err != nil || r.Timezone == "" {
		at = time.Time{}
	}
	return reliability.Statement{Learned: r.LearnedAt, Time: at}
}

// stays are the stays at transshipment ports of the container of which most are known.
func stays(list []journey.ContainerJourney, learned time.Time) (most []reliability.Stay) {
	for i := range list {
		var known []reliability.Stay
		legs := list[i].Legs
		for j := 1; j < len(legs); j++ {
			landed, sailed := legs[j-1].LandedAt, legs[j].SailedAt
			if !landed.IsZero() && sailed.Time.After(landed.Time) && landed.Zone != "" && sailed.Zone != "" {
				known = append(known, reliability.Stay{Place: legs[j].From.LOCODE, Arrived: landed.Time, Departed: sailed.Time, Learned: learned})
			}
		}
		if len(known) > len(most) {
			most = known
		}
	}
	return most
}

// learn adds what is known of the voyage now, and reports whether that changes anything. What
// was known before stays, so that a card of the past is what it was.
func (p *pastVoyages) learn(v reliability.Voyage, arrived bool, now time.Time) bool {
	n := len(*p)
	if !arrived {
		return n > 0 && takeBack(&(*p)[n-1].Arrivals, now)
	}
	if n == 0 {
		*p = pastVoyages{v}
		return true
	}
	last := &(*p)[n-1]
	known := len(last.Arrivals) > 0 && !last.Arrivals[len(last.Arrivals)-1].Time.IsZero()
	if !known || last.Line != v.Line || last.POL != v.POL || last.POD != v.POD || last.Call != v.Call {
		takeBack(&last.Arrivals, now)
		takeBack(&last.Departures, now)
		*p = append(*p, v)
		return true
	}
	changed := addStatement(&last.Arrivals, v.Arrivals)
	changed = addStatement(&last.Departures, v.Departures) || changed
	if len(last.Stays) == 0 && len(v.Stays) > 0 {
		last.Stays, changed = v.Stays, true
	}
	if changed {
		last.ETAs, last.ETDs = v.ETAs, v.ETDs
	}
	return changed
}

// addStatement appends a statement that differs from the last one.
func addStatement(to *[]reliability.Statement, list []reliability.Statement) bool {
	n := len(*to)
	if len(list) == 0 || n > 0 && (*to)[n-1].Time.Equal(list[0].Time) || n == 0 && list[0].Time.IsZero() {
		return false
	}
	*to = append(*to, list[0])
	return true
}

// takeBack ends the last statement, unless that was done.
func takeBack(to *[]reliability.Statement, now time.Time) bool {
	return addStatement(to, []reliability.Statement{{Learned: now}})
}

// voyagesOf returns the voyages of the shipments of the account.
func voyagesOf(tx *transaction) ([]reliability.Voyage, error) {
	var all []reliability.Voyage
	for page := (Page{Number: 1, Size: voyagePage}); ; page.Number++ {
		rows, total, err := tx.Records.List(tx, voyages.Kind, store.Filter{Sort: []Order{{}}}, page, nil)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			v, err := voyages.Decode(r)
			if err != nil {
				return nil, err
			}
			all = append(all, v.Past...)
		}
		if page.Number*voyagePage >= total {
			return all, nil
		}
	}
}

const voyagePage = 5_000
