package tracking

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// A fact is read with every later fact of its shipment, and mostly by nobody
// else, so the log keeps it in a short binary form: a byte that names the form,
// then the members in a fixed order. Texts and lists begin with their length;
// what a fact need not say begins with whether it does.

// factForm names the form. A reader that meets another refuses it.
const factForm = 1

var errFactForm = errors.New("this is not the stored form of a fact")

// AppendBinary appends the form in which the log keeps the fact. It has no error.
func (f *LoggedFact) AppendBinary(b []byte) ([]byte, error) {
	w := factWriter{append(b, factForm)}
	w.text(f.Source, string(f.DataSource), f.SCAC, f.ID)
	w.time(f.RecordedAt)
	w.flag(f.Retracted)
	w.text(string(f.Activity), string(f.Classifier))
	w.moment(f.At)
	p := &f.Place
	w.text(p.LOCODE, p.Name, p.SMDG, p.BIC, p.Facility, p.FacilityType, string(p.Role))
	w.text(string(f.Mode), string(f.LoadStatus), f.Vessel.IMO, f.Vessel.Name, f.Voyage)
	w.list(f.Containers)
	w.count(len(f.Numbers))
	for _, n := range f.Numbers {
		w.text(string(n.Type), n.Number)
	}
	w.list(f.References)
	w.text(f.Fact.SCAC, string(f.Fact.DataSource), f.Equipment.ISOType)
	w.list(f.Equipment.Seals)
	w.number(f.Equipment.WeightKg)
	w.flag(f.Terminal != nil)
	if f.Terminal != nil {
		w.terminal(f.Terminal)
	}
	w.text(f.Original, string(f.Payload))
	return w.b, nil
}

// UnmarshalBinary reads what AppendBinary wrote. The texts of one fact share
// one allocation.
func (f *LoggedFact) UnmarshalBinary(data []byte) error {
	if len(data) == 0 || data[0] != factForm {
		return errFactForm
	}
	r := factReader{s: string(data[1:])}
	*f = LoggedFact{}
	f.Source, f.DataSource, f.SCAC, f.ID = r.text(), DataSource(r.text()), r.text(), r.text()
	f.RecordedAt = r.time()
	f.Retracted = r.flag()
	f.Activity, f.Classifier = freight.Activity(r.text()), freight.Classifier(r.text())
	f.At = r.moment()
	f.Place = Place{LOCODE: r.text(), Name: r.text(), SMDG: r.text(), BIC: r.text(), Facility: r.text(), FacilityType: r.text(), Role: freight.Role(r.text())}
	f.Mode, f.LoadStatus, f.Vessel, f.Voyage = Mode(r.text()), freight.LoadStatus(r.text()), VesselRef{IMO: r.text(), Name: r.text()}, r.text()
	f.Containers = r.list()
	f.Numbers = listOf(&r, func() ShipmentNumber { return ShipmentNumber{Type: RequestType(r.text()), Number: r.text()} })
	f.References = r.list()
	f.Fact.SCAC, f.Fact.DataSource, f.Equipment.ISOType = r.text(), DataSource(r.text()), r.text()
	f.Equipment.Seals, f.Equipment.WeightKg = r.list(), r.number()
	if r.flag() {
		f.Terminal = r.terminal()
	}
	f.Original = r.text()
	if payload := r.text(); payload != "" {
		f.Payload = []byte(payload)
	}
	if r.bad || r.s != "" {
		return errFactForm
	}
	return nil
}

// AppendBinary appends the form in which containers keep their copy of the
// shipment's. It has no error.
func (f *trackedFacts) AppendBinary(b []byte) ([]byte, error) {
	w := factWriter{append(b, factForm)}
	w.text(f.SCAC, f.POL, f.POD, f.VesselIMO)
	w.id(f.PODTerminal)
	w.id(f.Customer)
	w.time(f.Created)
	w.time(f.Updated)
	w.time(f.PODETA)
	w.list(f.Tags)
	return w.b, nil
}

// UnmarshalBinary reads what AppendBinary wrote.
func (f *trackedFacts) UnmarshalBinary(data []byte) error {
	if len(data) == 0 || data[0] != factForm {
		return errFactForm
	}
	r := factReader{s: string(data[1:])}
	*f = trackedFacts{
		SCAC: r.text(), POL: r.text(), POD: r.text(), VesselIMO: r.text(), PODTerminal: r.id(), Customer: r.id(),
		Created: r.time(), Updated: r.time(), PODETA: r.time(), Tags: r.list(),
	}
	if r.bad || r.s != "" {
		return errFactForm
	}
	return nil
}

type factWriter struct{ b []byte }

// id is one byte for none.
func (w *factWriter) id(id ID) {
	if id == (ID{}) {
		w.count(0)
		return
	}
	w.text(string(id[:]))
}

func (w *factWriter) count(n int) { w.b = binary.AppendUvarint(w.b, uint64(n)) }

func (w *factWriter) text(values ...string) {
	for _, v := range values {
		w.count(len(v))
		w.b = append(w.b, v...)
	}
}

func (w *factWriter) list(values []string) {
	w.count(len(values))
	w.text(values...)
}

func (w *factWriter) flag(b bool) {
	n := 0
	if b {
		n = 1
	}
	w.count(n)
}

// number is one byte where nothing is said, as mostly.
func (w *factWriter) number(f float64) {
	w.flag(f != 0)
	if f != 0 {
		w.b = binary.BigEndian.AppendUint64(w.b, math.Float64bits(f))
	}
}

func (w *factWriter) time(t time.Time) {
	w.flag(!t.IsZero())
	if !t.IsZero() {
		w.b = binary.AppendVarint(w.b, t.Unix())
		w.count(t.Nanosecond())
	}
}

func (w *factWriter) moment(m Moment) {
	said := m != Moment{}
	w.flag(said)
	if said {
		w.time(m.Time)
		w.text(m.Zone)
		w.flag(m.Day)
		w.flag(m.Floating)
	}
}

func (w *factWriter) terminal(t *freight.TerminalFacts) {
	w.flag(t.Available != nil)
	if t.Available != nil {
		w.flag(*t.Available)
	}
	w.count(len(t.Holds))
	for _, h := range t.Holds {
		w.text(h.Name, h.Status)
		w.flag(h.Description != nil)
		if h.Description != nil {
			w.text(*h.Description)
		}
	}
	w.count(len(t.Fees))
	for _, f := range t.Fees {
		w.text(f.Type, f.CurrencyCode)
		w.number(f.Amount)
	}
	w.moment(t.LastFreeDay)
	w.moment(t.Appointment)
	w.text(t.Yard, t.Chassis)
}

// factReader reads from the front of s. After a fault it is bad, and returns
// zero values.
type factReader struct {
	s   string
	bad bool
}

// count reads a length or a flag. Nothing is longer than what is left.
func (r *factReader) count() int {
	n := r.uvarint()
	if n > uint64(len(r.s)) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *factReader) uvarint() (n uint64) {
	for shift := 0; shift < 64 && r.s != ""; shift += 7 {
		c := r.s[0]
		r.s = r.s[1:]
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return n
		}
	}
	r.fail()
	return 0
}

func (r *factReader) fail() { r.s, r.bad = "", true }

func (r *factReader) text() string {
	n := r.count()
	text := r.s[:n]
	r.s = r.s[n:]
	return text
}

func (r *factReader) id() (id ID) {
	if n := copy(id[:], r.text()); n != 0 && n != len(id) {
		r.fail()
	}
	return id
}

func (r *factReader) list() []string { return listOf(r, r.text) }

// listOf reads a list; none is nil.
func listOf[T any](r *factReader, read func() T) []T {
	n := r.count()
	if n == 0 {
		return nil
	}
	list := make([]T, n)
	for i := range list {
		list[i] = read()
	}
	return list
}

func (r *factReader) flag() bool { return r.uvarint() == 1 }

func (r *factReader) number() float64 {
	if !r.flag() {
		return 0
	}
	if len(r.s) < 8 {
		r.fail()
		return 0
	}
	bits := binary.BigEndian.Uint64([]byte(r.s[:8]))
	r.s = r.s[8:]
	return math.Float64frombits(bits)
}

func (r *factReader) time() time.Time {
	if !r.flag() {
		return time.Time{}
	}
	zigzag := r.uvarint()
	seconds := int64(zigzag>>1) ^ -int64(zigzag&1)
	return time.Unix(seconds, int64(r.uvarint())).UTC()
}

func (r *factReader) moment() (m Moment) {
	if r.flag() {
		m.Time, m.Zone, m.Day, m.Floating = r.time(), r.text(), r.flag(), r.flag()
	}
	return m
}

func (r *factReader) terminal() *freight.TerminalFacts {
	t := &freight.TerminalFacts{}
	if r.flag() {
		available := r.flag()
		t.Available = &available
	}
	t.Holds = listOf(r, func() Hold {
		h := Hold{Name: r.text(), Status: r.text()}
		if r.flag() {
			description := r.text()
			h.Description = &description
		}
		return h
	})
	t.Fees = listOf(r, func() Fee {
		f := Fee{Type: r.text(), CurrencyCode: r.text()}
		f.Amount = r.number()
		return f
	})
	t.LastFreeDay, t.Appointment = r.moment(), r.moment()
	t.Yard, t.Chassis = r.text(), r.text()
	return t
}
