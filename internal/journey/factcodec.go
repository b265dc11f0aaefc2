package journey

import (
	"errors"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/codec"
)

// A fact is decoded with every later update of its shipment, so the log keeps it in a short
// binary form: a byte for the form, then the members in a fixed order. Texts and lists
// begin with their length; an optional member begins with a flag.

// factForm is the version of the form. UnmarshalBinary refuses any other.
const factForm = 1

var errFactForm = errors.New("this is not the stored form of a fact")

// AppendBinary appends the stored form of the fact. The error is always nil.
func (f *LoggedFact) AppendBinary(b []byte) ([]byte, error) {
	w := factWriter{codec.Writer{Bytes: append(b, factForm)}}
	w.Text(f.Source, string(f.DataSource), f.SCAC, f.ID)
	w.Time(f.RecordedAt)
	w.Flag(f.Retracted)
	w.Text(string(f.Activity), string(f.Classifier))
	w.moment(f.At)
	p := &f.Place
	w.Text(p.LOCODE, p.Name, p.SMDG, p.BIC, p.Facility, p.FacilityType, string(p.Role))
	w.Text(string(f.Mode), string(f.LoadStatus), f.Vessel.IMO, f.Vessel.Name, f.Voyage)
	w.List(f.Containers)
	w.Count(len(f.Numbers))
	for _, n := range f.Numbers {
		w.Text(string(n.Type), n.Number)
	}
	w.List(f.References)
	w.Text(f.Fact.SCAC, string(f.Fact.DataSource), f.Equipment.ISOType)
	w.List(f.Equipment.Seals)
	w.Number(f.Equipment.WeightKg)
	w.Flag(f.Terminal != nil)
	if f.Terminal != nil {
		w.terminal(f.Terminal)
	}
	w.Text(f.Original, string(f.Payload))
	return w.Bytes, nil
}

// UnmarshalBinary reads what AppendBinary wrote. All texts of a fact share one allocation.
func (f *LoggedFact) UnmarshalBinary(data []byte) error {
	if len(data) == 0 || data[0] != factForm {
		return errFactForm
	}
	r := factReader{codec.Reader{Rest: string(data[1:])}}
	*f = LoggedFact{}
	f.Source, f.DataSource, f.SCAC, f.ID = r.Text(), freight.DataSource(r.Text()), r.Text(), r.Text()
	f.RecordedAt = r.Time()
	f.Retracted = r.Flag()
	f.Activity, f.Classifier = freight.Activity(r.Text()), freight.Classifier(r.Text())
	f.At = r.moment()
	f.Place = freight.Place{LOCODE: r.Text(), Name: r.Text(), SMDG: r.Text(), BIC: r.Text(), Facility: r.Text(), FacilityType: r.Text(), Role: freight.Role(r.Text())}
	f.Mode, f.LoadStatus, f.Vessel, f.Voyage = freight.Mode(r.Text()), freight.LoadStatus(r.Text()), freight.VesselRef{IMO: r.Text(), Name: r.Text()}, r.Text()
	f.Containers = r.List()
	f.Numbers = codec.Make[freight.ShipmentNumber](&r.Reader)
	for i := range f.Numbers {
		f.Numbers[i] = freight.ShipmentNumber{Type: freight.RequestType(r.Text()), Number: r.Text()}
	}
	f.References = r.List()
	f.Fact.SCAC, f.Fact.DataSource, f.Equipment.ISOType = r.Text(), freight.DataSource(r.Text()), r.Text()
	f.Equipment.Seals, f.Equipment.WeightKg = r.List(), r.Number()
	if r.Flag() {
		f.Terminal = r.terminal()
	}
	f.Original = r.Text()
	if payload := r.Text(); payload != "" {
		f.Payload = []byte(payload)
	}
	if r.Bad || r.Rest != "" {
		return errFactForm
	}
	return nil
}

// factWriter and factReader add the parts of facts to the codec.
type (
	factWriter struct{ codec.Writer }
	factReader struct{ codec.Reader }
)

func (w *factWriter) moment(m freight.Moment) {
	set := m != freight.Moment{}
	w.Flag(set)
	if set {
		w.Time(m.Time)
		w.Text(m.Zone)
		w.Flag(m.Day)
		w.Flag(m.Floating)
	}
}

func (w *factWriter) terminal(t *freight.TerminalFacts) {
	w.Flag(t.Available != nil)
	if t.Available != nil {
		w.Flag(*t.Available)
	}
	w.Count(len(t.Holds))
	for _, h := range t.Holds {
		w.Text(h.Name, h.Status)
		w.Flag(h.Description != nil)
		if h.Description != nil {
			w.Text(*h.Description)
		}
	}
	w.Count(len(t.Fees))
	for _, f := range t.Fees {
		w.Text(f.Type, f.CurrencyCode)
		w.Number(f.Amount)
	}
	w.moment(t.LastFreeDay)
	w.moment(t.Appointment)
	w.Text(t.Yard, t.Chassis)
}

func (r *factReader) moment() (m freight.Moment) {
	if r.Flag() {
		m.Time, m.Zone, m.Day, m.Floating = r.Time(), r.Text(), r.Flag(), r.Flag()
	}
	return m
}

func (r *factReader) terminal() *freight.TerminalFacts {
	t := &freight.TerminalFacts{}
	if r.Flag() {
		available := r.Flag()
		t.Available = &available
	}
	t.Holds = codec.Make[freight.Hold](&r.Reader)
	for i := range t.Holds {
		t.Holds[i].Name, t.Holds[i].Status = r.Text(), r.Text()
		if r.Flag() {
			description := r.Text()
			t.Holds[i].Description = &description
		}
	}
	t.Fees = codec.Make[freight.Fee](&r.Reader)
	for i := range t.Fees {
		t.Fees[i].Type, t.Fees[i].CurrencyCode = r.Text(), r.Text()
		t.Fees[i].Amount = r.Number()
	}
	t.LastFreeDay, t.Appointment = r.moment(), r.moment()
	t.Yard, t.Chassis = r.Text(), r.Text()
	return t
}
