package dcsa_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/trackingtest"
)

const (
	bkg = freight.BookingNumber
	trd = freight.BillOfLading
	box = freight.ContainerNumber
)

// fact is a fact with an ID: names like "bkg:B1 trd:T1 box:TSTU1000003".
func fact(id, names string) freight.Fact {
	f := freight.Fact{ID: id, Activity: freight.Departure, RecordedAt: trackingtest.Start}
	for _, name := range strings.Fields(names) {
		kind, number, _ := strings.Cut(name, ":")
		switch kind {
		case "bkg":
			f.Numbers = append(f.Numbers, freight.ShipmentNumber{Type: bkg, Number: number})
		case "trd":
			f.Numbers = append(f.Numbers, freight.ShipmentNumber{Type: trd, Number: number})
		case "box":
			f.Containers = append(f.Containers, number)
		case "day": // of March 2026
			var day int
			fmt.Sscan(number, &day)
			f.RecordedAt = time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC)
			f.At.Time = f.RecordedAt.Add(time.Hour)
		}
	}
	return f
}

// TestAbout: which facts of an answer are about the queried number.
func TestAbout(t *testing.T) {
	const mine, other = "box:TSTU1000003", "box:TSTU2000006"
	for _, c := range []struct {
		name  string
		typ   freight.RequestType
		asked string
		facts []string // named a, b, c, ...
		kept  string   // empty: the answer is another's
	}{
		{"the booking", bkg, "B1", []string{"bkg:B1", "bkg:B1 trd:T1"}, "a b"},
		{"in another spelling", bkg, "b-1", []string{"bkg:B1", "bkg:MAEUB1", "bkg:B-1"}, "a b c"},
		{"no number at all", bkg, "B1", []string{"", mine}, "a b"},
		{"another booking", bkg, "B1", []string{"bkg:B1", "bkg:B2", ""}, "a c"},
		{"only another booking", bkg, "B1", []string{"bkg:B2", ""}, ""},
		{"the booking of the document", trd, "T1", []string{"bkg:B1 trd:T1", "bkg:B1"}, "a b"},
		{"before it, the order does not matter", trd, "T1", []string{"bkg:B1", "bkg:B1 trd:T1"}, "a b"},
		{"a booking that nothing connects", trd, "T1", []string{"trd:T1", "bkg:B1"}, "a"},
		{"only the booking", trd, "T1", []string{"bkg:B1"}, ""},
		{"another document of the booking", trd, "T1", []string{"bkg:B1 trd:T1", "bkg:B1 trd:T2", "trd:T2"}, "a"},
		{"two documents of one event", trd, "T1", []string{"bkg:B1 trd:T1 trd:T2", "trd:T2", "bkg:B1"}, "a c"},
		{"a document by the number of its booking", trd, "N1", []string{"bkg:N1 trd:T1", "trd:T1", "trd:T2"}, "a b"},
		{"the documents of a booking", bkg, "B1", []string{"bkg:B1 trd:T1", "trd:T1", "trd:T3"}, "a b"},
		{"a box of another booking", bkg, "B1", []string{"bkg:B1 " + mine, "bkg:B2 " + mine}, "a"},
		{"a box in two bookings", bkg, "B1", []string{"bkg:B1 bkg:B2 " + mine, "bkg:B2 " + mine}, "a"},

		{"the box", box, "TSTU1000003", []string{mine, "box:tstu-100000-3", ""}, "a b c"},
		{"only another box", box, "TSTU1000003", []string{other, ""}, ""},
		{"another box", box, "TSTU1000003", []string{mine, other}, "a"},
		{"one booking", box, "TSTU1000003", []string{mine + " bkg:B1", "bkg:B1", ""}, "a b c +bkg:B1"},
		{"its documents too", box, "TSTU1000003", []string{mine + " bkg:B1", "bkg:B1 trd:T1", "trd:T1"}, "a b c +trd:T1 +bkg:B1"},
		{"two bookings: that of the time", box, "TSTU1000003", []string{mine + " bkg:B1 day:1", mine + " bkg:B2 day:20", mine}, "a +bkg:B1"},
		{"two bookings before: the last", box, "TSTU1000003", []string{mine + " bkg:B1 day:1", mine + " bkg:B2 day:4", ""}, "b +bkg:B2"},
		{"two bookings after: the first", box, "TSTU1000003", []string{mine + " bkg:B2 day:30", mine + " bkg:B1 day:20"}, "b +bkg:B1"},
		{"what is late to say of the last", box, "TSTU1000003", []string{mine + " bkg:B1 day:1", mine + " bkg:B2 day:4", mine + " bkg:B1 day:5"}, "b +bkg:B2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := asking(c.typ, c.asked)
			q.Since = time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)
			var report freight.Report
			for i, names := range c.facts {
				report.Facts = append(report.Facts, fact(string(rune('a'+i)), names))
			}
			got, err := dcsa.About(q, report)
			if c.kept == "" {
				if err == nil || len(got.Facts) > 0 {
					t.Errorf("kept %v", ids(got.Facts))
				}
				return
			}
			if err != nil || ids(got.Facts) != c.kept {
				t.Errorf("kept %s, want %s; %v", ids(got.Facts), c.kept, err)
			}
			if left := len(c.facts) - len(strings.Fields(strings.Split(c.kept, " +")[0])); len(got.Warnings) != left {
				t.Errorf("%d warnings for %d facts left out: %v", len(got.Warnings), left, got.Warnings)
			}
		})
	}
}

// ids returns the IDs of facts, and the documents that the last one connects with
// the container.
func ids(facts []freight.Fact) string {
	var list []string
	for _, f := range facts {
		if f.Activity != freight.Described {
			list = append(list, f.ID)
			continue
		}
		for _, n := range f.Numbers[1:] {
			list = append(list, "+"+map[freight.RequestType]string{bkg: "bkg", trd: "trd"}[n.Type]+":"+n.Number)
		}
	}
	return strings.Join(list, " ")
}

// TestAboutIsSound: in any order, the kept facts are unchanged facts of the answer;
// none that names the number is lost, and none of another number is kept.
func TestAboutIsSound(t *testing.T) {
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"bkg:B1", "bkg:B2", "bkg:B3", "trd:T1", "trd:T2", "box:TSTU1000003", "box:TSTU2000006"}), 0, 4, rapid.ID[string])
	rapid.Check(t, func(t *rapid.T) {
		var report freight.Report
		for i := range rapid.IntRange(0, 8).Draw(t, "facts") {
			day := rapid.IntRange(1, 20).Draw(t, "day")
			report.Facts = append(report.Facts, fact(string(rune('a'+i)), fmt.Sprintf("%s day:%d", strings.Join(names.Draw(t, "names"), " "), day)))
		}
		q := rapid.SampledFrom([]freight.SourceQuery{asking(bkg, "B1"), asking(trd, "T1"), asking(box, "TSTU1000003")}).Draw(t, "asked")
		q.Since = time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)
		got, err := dcsa.About(q, report)
		mixed := freight.Report{Facts: slices.Clone(report.Facts)}
		rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "order"))).Shuffle(len(mixed.Facts), func(i, j int) {
			mixed.Facts[i], mixed.Facts[j] = mixed.Facts[j], mixed.Facts[i]
		})
		again, errAgain := dcsa.About(q, mixed)
		if (err == nil) != (errAgain == nil) || sorted(got.Facts) != sorted(again.Facts) {
			t.Fatalf("kept %s; in another order %s", sorted(got.Facts), sorted(again.Facts))
		}
		kept := " " + ids(got.Facts) + " "
		for _, f := range report.Facts {
			names := slices.ContainsFunc(f.Numbers, q.Names)
			if q.Type != box && names && !strings.Contains(kept, " "+f.ID+" ") {
				t.Fatalf("%s names the number and is left out", f.ID)
			}
		}
		for _, f := range got.Facts {
			foreign := slices.ContainsFunc(f.Containers, func(c string) bool { return c != "TSTU1000003" })
			if q.Type == box && foreign && !slices.Contains(f.Containers, "TSTU1000003") {
				t.Fatalf("%s is of another box", f.ID)
			}
		}
	})
}

func sorted(facts []freight.Fact) string {
	list := strings.Fields(ids(facts))
	slices.Sort(list)
	return strings.Join(list, " ")
}

// TestBoxInTwoBookings: the shipment of a container gets the events of one journey,
// that of the other booking is not changed, and both stay so when the container is
// booked again. The first journey ends with the empty return: until then, the
// request is completed by its shipment.
func TestBoxInTwoBookings(t *testing.T) {
	event := func(id, booking, code, at string) string {
		text := strings.NewReplacer("LF7700123", booking, `"e1"`, `"`+id+`"`, "2026-03-02T16:30:00+08:00", at, "2026-03-02T09:00:00Z", at)
		return text.Replace(equipment(code, `"emptyIndicatorCode":"LADEN",`+call))
	}
	returned := strings.NewReplacer("LADEN", "EMPTY", "CNSHA", "USOAK").Replace(event("b2", "BEFORE", "GTIN", "2026-01-30T10:00:00Z"))
	before := event("b1", "BEFORE", "LOAD", "2026-01-10T10:00:00Z") + "," + returned
	now := event("n1", "NOW", "LOAD", "2026-02-20T10:00:00Z")
	body := "[" + before + "," + now + "]"
	line := &relay{carrier(t, answerWith(body))}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Sources["MAEU"] = line })
	other := ingested(t, b, before)
	b.Clock.Advance(time.Hour)
	mine := followed(t, b, asking(box, "TSTU1000003"))
	check := func(when string) {
		t.Helper()
		mine = shipmentOf(t, b, mine.ID)
		var numbers []string
		for _, n := range mine.Numbers {
			numbers = append(numbers, n.Number)
		}
		if !slices.Contains(numbers, "NOW") || slices.Contains(numbers, "BEFORE") || slices.Contains(numbers, "LATER") {
			t.Errorf("%s: the shipment goes by %q", when, numbers)
		}
		if shipmentOf(t, b, other.ID).Version != other.Version {
			t.Errorf("%s: the other booking's shipment has changed", when)
		}
		events, _, err := b.TransportEvents(context.Background(), tracking.TransportEventQuery{Shipment: mine.ID, Invalidated: tracking.No}, tracking.Page{})
		if err != nil || len(events) != 1 || !events[0].Timestamp.Equal(time.Date(2026, 2, 20, 10, 0, 0, 0, time.UTC)) {
			t.Errorf("%s: %d events, %v", when, len(events), err)
		}
	}
	check("at first")
	line.Source = carrier(t, answerWith("["+before+","+now+","+event("l1", "LATER", "LOAD", "2026-05-01T10:00:00Z")+"]"))
	b.Pass(24 * time.Hour)
	check("when the box is booked once more")
	if all, _, err := b.Shipments(context.Background(), tracking.ShipmentQuery{}, tracking.Page{}); err != nil || len(all) != 2 {
		t.Errorf("%d shipments, %v", len(all), err)
	}
}
