package tracking

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freetime/invoice"
	"github.com/landfallhq/tracking/internal/chargehistory"
	"github.com/landfallhq/tracking/internal/journey"
)

// Charges returns what a container costs, day by day and with the fact behind each day: now,
// or with asOf as it was known at the end of that second, by the present tariffs and rules.
// Needs show.
//
// Errors: NotFound, also before the container existed; Invalid on as_of for a future time.
func (f Tariffs) Charges(ctx context.Context, container ID, asOf ...time.Time) (*freetime.Charges, error) {
	return viewingAsked(ctx, f.t, asOf, func(l *pastView, asked time.Time) (*freetime.Charges, error) {
		return l.charges(container, asked)
	})
}

// viewingAsked calls read with the present, or with the end of the second that asOf names.
func viewingAsked[R any](ctx context.Context, t *Tracker, asOf []time.Time, read func(l *pastView, asked time.Time) (R, error)) (R, error) {
	at := t.now()
	if len(asOf) > 0 {
		at = asOf[0]
	}
	return viewingPast(ctx, t, at, func(l *pastView) (none R, err error) {
		asked := l.second.Add(time.Second - 1)
		if len(asOf) == 0 {
			if asked, err = latestTime(l.tx); err != nil {
				return none, err
			}
			l.second = asked.UTC().Truncate(time.Second)
		}
		return read(l, asked)
	})
}

// charges are what the container cost, as known then.
func (l *pastView) charges(id ID, asked time.Time) (*freetime.Charges, error) {
	c, err := containers.Get(l.tx, id)
	if err != nil {
		return nil, err
	}
	if l.second.Before(c.CreatedAt.Truncate(time.Second)) {
		return nil, notYet("container", c.CreatedAt)
	}
	s, err := l.shipment(c.Shipment)
	if err != nil {
		return nil, err
	}
	d := l.draftOf(c)
	j := d.journeyOf(c.Number)
	if j == nil {
		return nil, errNotNamed()
	}
	tariffs, err := l.tx.accountTariffs()
	if err != nil {
		return nil, err
	}
	c.applyJourney(l.tx, j, &d.journey)
	b := &billed{tx: l.tx, tariffs: tariffs, facts: d.facts, history: chargeHistory(l.tx, d.chargeFacts(), c, s, j)}
	ledgers, err := b.ledgers(asked)
	if err != nil {
		return nil, err
	}
	charges := freetime.NewCharges(ledgers)
	charges.ContainerID, charges.ContainerNumber, charges.AsOf = c.ID.String(), c.Number, asked.UTC().Truncate(time.Second)
	b.explain(&charges)
	return &charges, nil
}

// chargeFacts are the facts of the shipment as the clocks of its containers take them.
func (d *draft) chargeFacts() []chargehistory.Fact {
	facts := make([]chargehistory.Fact, len(d.facts))
	for i, r := range d.facts {
		facts[i] = chargehistory.Fact{LoggedFact: &r.Fact, Name: &r.ID, ReceivedAt: r.CreatedAt}
	}
	return facts
}

// chargeHistory is what the clocks of a container count from.
func chargeHistory(tx *transaction, facts []chargehistory.Fact, c *Container, s *Shipment, j *journey.ContainerJourney) chargehistory.Container {
	h := chargehistory.Container{ContainerJourney: j, Facts: facts, Places: tx.engine.refs}
	h.Scope = freetime.Container{Line: s.ShippingLineSCAC, EquipmentType: c.EquipmentType, EquipmentLength: c.EquipmentLength}
	if line, known := tx.engine.line(s.ShippingLineSCAC); known {
		h.Scope.Line = line.SCAC
	}
	return h
}

// billed is a container whose clocks are counted.
type billed struct {
	tx      *transaction
	tariffs *accountTariffs
	facts   []*RawEvent
	history chargehistory.Container
	zones   []*time.Location // of the ledgers
	fits    bool             // a tariff does
}

// chargedClocks are the clocks in the order in which they are shown.
var chargedClocks = []freetime.Clock{freetime.Demurrage, freetime.Combined, freetime.RailStorage, freetime.Detention, freetime.PerDiem}

// ledgers returns the ledgers of the clocks for which a tariff fits the container, or a last
// free day is reported.
func (b *billed) ledgers(asked time.Time) (ledgers []freetime.Ledger, err error) {
	for _, clock := range chargedClocks {
		tariffs := b.tariffs.byClock[clock]
		if reportable := clock == freetime.Demurrage || clock == freetime.RailStorage; len(tariffs) == 0 && !reportable {
			continue
		}
		history, at := b.history.History(clock)
		var codes []string
		if b.tariffs.stateTerminals {
			if codes, err = terminalCodes(b.tx, at); err != nil {
				return nil, err
			}
		}
		fitting := fittingTariffs(tariffs, &history, codes)
		b.fits = b.fits || len(fitting) > 0
		l := freetime.NewLedger(clock, history, fitting, asked)
		if len(fitting) > 0 || l.ReportedLastFreeDay.IsValid() && clock != freetime.Combined {
			ledgers, b.zones = append(ledgers, l), append(b.zones, history.Zone)
		}
	}
	return ledgers, nil
}

// fittingTariffs returns the tariffs whose scope fits. A terminal can have several codes, and a
// tariff states one of them: it becomes the one of the history.
func fittingTariffs(tariffs []freetime.Tariff, h *freetime.History, codes []string) (list []freetime.Tariff) {
	if h.Place == "" {
		return nil
	}
	if len(codes) > 0 {
		h.Container.Terminal = codes[0]
	}
	for i := range tariffs {
		t := &tariffs[i] // an account can have 2,000
		where := h.Container
		if t.Terminal != "" && slices.Contains(codes, t.Terminal) {
			where.Terminal = t.Terminal
		}
		if t.Fits(where, h.Place) {
			list = append(list, *t)
			if t.Terminal != "" {
				list[len(list)-1].Terminal = codes[0]
			}
		}
	}
	return list
}

// terminalCodes are the codes of the facility of a place.
func terminalCodes(tx *transaction, p Place) ([]string, error) {
	codes := []string{p.SMDG, p.BIC}
	if id := tx.resolver().Facility(p); id != (ID{}) {
		rows, err := referenceRows(tx, terminals.Kind, []ID{id})
		if err != nil {
			return nil, err
		}
		known, err := terminals.DecodeAll(rows)
		if err != nil {
			return nil, err
		}
		for _, t := range known {
			codes = append(codes, t.FIRMSCode, t.SMDGCode, t.BICFacilityCode)
		}
	}
	return slices.DeleteFunc(codes, func(code string) bool { return code == "" }), nil
}

// explain adds places, the names of tariffs, and the facts behind the ledgers.
func (b *billed) explain(c *freetime.Charges) {
	used := map[string]bool{}
	for i := range c.Clocks {
		clock := &c.Clocks[i]
		history, _ := b.history.History(clock.Clock)
		clock.LocationLOCODE = textOrNil(history.Place)
		if history.Zone != nil {
			clock.Timezone = textOrNil(history.Zone.String())
		}
		if clock.TariffID != nil {
			clock.TariffName = textOrNil(b.tariffs.names[*clock.TariffID])
		}
		for _, id := range clock.FactIDs() {
			used[id] = true
		}
	}
	for _, r := range b.facts {
		if used[r.ID.String()] {
			c.Facts = append(c.Facts, r.evidence(b.tx))
		}
	}
	freetime.SortEvidence(c.Facts)
}

// evidence is the fact as ledgers show it.
func (r *RawEvent) evidence(tx *transaction) freetime.Evidence {
	e := freetime.Evidence{
		ID: r.ID.String(), Event: string(r.Fact.Activity), Source: r.Fact.Source, DataSource: string(r.DataSource),
		LocationLOCODE: textOrNil(r.Fact.Place.LOCODE), LocationName: textOrNil(r.Fact.Place.Name),
		RecordedAt: r.Fact.RecordedAt.UTC(), ReceivedAt: r.CreatedAt.UTC(),
	}
	if code, name, zone, known := tx.engine.refs.Place(r.Fact.Place.LOCODE); known {
		e.LocationLOCODE, e.LocationName, e.Timezone = textOrNil(code), textOrNil(cmp.Or(name, r.Fact.Place.Name)), textOrNil(zone)
	}
	zone := ""
	if e.Timezone != nil {
		zone = *e.Timezone
	}
	if at := r.Fact.At.Localize(zone); !at.IsZero() {
		e.HappenedAt = &at.Time
	}
	return e
}

// textOrNil returns nil for an empty text.
func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// maxStays bounds the containers of the account that are looked at for one number.
const maxStays = 20

// Sheet compares an invoice for demurrage, detention or storage with the Charges of the
// containers that its lines name: now, or with asOf as they were known at the end of that
// second. Of a number that several shipments have, the newest 20 containers are looked at.
// Nothing is stored. Needs show.
//
// Errors: Invalid on as_of for a future time.
func (f Tariffs) Sheet(ctx context.Context, inv *invoice.Invoice, asOf ...time.Time) (*invoice.Sheet, error) {
	return viewingAsked(ctx, f.t, asOf, func(l *pastView, asked time.Time) (*invoice.Sheet, error) {
		charges, err := l.chargesOf(inv, asked)
		if err != nil {
			return nil, err
		}
		return invoice.NewSheet(inv, charges, asked.UTC().Truncate(time.Second)), nil
	})
}

// chargesOf are the charges of the containers that an invoice names, the newest first.
// Those that were not known then have none.
func (l *pastView) chargesOf(inv *invoice.Invoice, asked time.Time) (list []freetime.Charges, err error) {
	seen := map[string]bool{}
	for i := range inv.Lines {
		number := inv.Lines[i].Container
		if seen[number] {
			continue
		}
		seen[number] = true
		stays, _, err := containers.List(l.tx, ContainerQuery{Numbers: []string{number}}.where(), Page{Number: 1, Size: maxStays})
		if err != nil {
			return nil, err
		}
		for _, c := range stays {
			charges, err := (&pastView{tx: l.tx, second: l.second}).charges(c.ID, asked)
			if errors.Is(err, ErrNotFound) {
				continue
			} else if err != nil {
				return nil, err
			}
			list = append(list, *charges)
		}
	}
	return list, nil
}
