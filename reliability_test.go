package tracking_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/reliability"
	"github.com/landfallhq/tracking/trackingtest"
)

// sailing are facts of a voyage from Shanghai to a port, aboard a ship.
type sailing struct{ number, pod, imo string }

func (s sailing) fact(id string, activity freight.Activity, class freight.Classifier, locode string, at, recorded time.Time) tracking.Fact {
	return tracking.Fact{
		ID: s.number + id, RecordedAt: recorded, Activity: activity, Classifier: class, At: tracking.Moment{Time: at}, Mode: freight.ByVessel,
		Place: tracking.Place{LOCODE: locode}, Containers: []string{"APZU4812090"}, Numbers: []tracking.ShipmentNumber{bill(s.number)},
		Vessel: tracking.VesselRef{IMO: s.imo}, Voyage: "12E",
	}
}

func (s sailing) departs(at, recorded time.Time) tracking.Fact {
	return s.fact("departure", freight.Departure, freight.Actual, "CNSHA", at, recorded)
}

func (s sailing) estimated(at, recorded time.Time) tracking.Fact {
	return s.fact("eta", freight.Arrival, freight.Estimated, s.pod, at, recorded)
}

func (s sailing) arrives(at, recorded time.Time) tracking.Fact {
	return s.fact("arrival", freight.Arrival, freight.Actual, s.pod, at, recorded)
}

func cardOf(t *testing.T, b *trackingtest.Bench, q tracking.ReportCardQuery) *reliability.Card {
	t.Helper()
	return must(b.Reliability().Card(ctx, q))(t)
}

// firstRow is the row of all lanes of a line with the first estimates; nil for none.
func firstRow(card *reliability.Card) *reliability.Row {
	for i := range card.Rows {
		if row := &card.Rows[i]; row.POL == "" && row.Lead == reliability.LeadFirst {
			return row
		}
	}
	return nil
}

// TestReportCard follows one voyage: its arrival becomes known, is corrected, and is taken
// back. The card of each time stays what it was.
func TestReportCard(t *testing.T) {
	b := trackingtest.New(t)
	start := b.Clock.Now()
	s := sailing{"B1", "USLAX", "9321483"}
	day := func(n int) time.Time { return start.AddDate(0, 0, n) }
	report := func(facts ...tracking.Fact) {
		t.Helper()
		ingest(t, b, api(facts...))
	}
	report(s.fact("etd", freight.Departure, freight.Estimated, "CNSHA", day(2), start), s.estimated(day(20), start))
	b.Clock.Set(day(10))
	report(s.estimated(day(21), day(10)), s.departs(day(3), day(10)))
	if row := firstRow(cardOf(t, b, tracking.ReportCardQuery{})); row != nil {
		t.Fatalf("before it has arrived: %+v", row)
	}
	var learned []time.Time
	for _, step := range []struct {
		day  int
		fact func(recorded time.Time) tracking.Fact
		want float64 // the error of the first estimate, in days; 100 for none
	}{
		{23, func(recorded time.Time) tracking.Fact { return s.arrives(day(22), recorded) }, 2},
		{24, func(recorded time.Time) tracking.Fact { return s.arrives(day(23), recorded) }, 3},
		{25, func(recorded time.Time) tracking.Fact {
			return tracking.Fact{ID: "B1arrival", Retracted: true, RecordedAt: recorded}
		}, 100},
		{26, func(recorded time.Time) tracking.Fact { return s.arrives(day(24), recorded) }, 4},
	} {
		b.Clock.Set(day(step.day))
		report(step.fact(day(step.day)))
		learned = append(learned, b.Clock.Now())
		for i, want := range []float64{2, 3, 100, 4}[:len(learned)] {
			row := firstRow(cardOf(t, b, tracking.ReportCardQuery{AsOf: learned[i]}))
			if got := biasOf(row); got != want {
				t.Errorf("on day %d, the error as of %s is %v, want %v", step.day, learned[i], got, want)
			}
		}
	}
	card := cardOf(t, b, tracking.ReportCardQuery{SCACs: []string{"MAEU"}, POLs: []string{"CNSHA"}, PODs: []string{"USLAX"}})
	if len(card.Rows) == 0 || card.Rows[0].ETAChanges == nil || card.Rows[0].ETAChanges.Mean != 1 || card.Rows[0].Line != "MAEU" || card.Rows[0].Voyages != 1 || card.Rows[0].ETD == nil || card.Rows[0].ETD.Samples != 1 || card.Rows[0].ETD.Bias != 1 || !card.AsOf.Equal(b.Clock.Now()) {
		t.Errorf("%+v", card)
	}
	for _, q := range []tracking.ReportCardQuery{{SCACs: []string{"MSCU"}}, {POLs: []string{"VNSGN"}}, {PODs: []string{"USOAK"}}, {AsOf: day(22)}} {
		if card := cardOf(t, b, q); len(card.Rows) != 0 {
			t.Errorf("%+v: %+v", q, card.Rows)
		}
	}
	if _, err := b.Reliability().Card(ctx, tracking.ReportCardQuery{AsOf: day(27)}); !isInvalid(err, "as_of") {
		t.Errorf("of the future: %v", err)
	}
}

func biasOf(row *reliability.Row) float64 {
	if row == nil || row.ETA == nil {
		return 100
	}
	return row.ETA.Bias
}

func isInvalid(err error, field string) bool {
	e, ok := err.(*tracking.Error)
	return ok && e.Kind == tracking.Invalid && e.Field == field
}

// TestReportCardsOfThePast draws reports about few shipments, with corrections, retractions
// and changes of the port, and asks at the end for the card of each time: no later report has
// changed it.
func TestReportCardsOfThePast(t *testing.T) {
	rng := drill.Random(t)
	for range drill.Count(t, "LANDFALL_CARDS", 8) {
		b := trackingtest.New(t)
		var cards []*reliability.Card
		rows := 0
		for step := range 40 {
			ingest(t, b, api(drawSailingFact(rng, b.Clock.Now(), step)))
			card := cardOf(t, b, tracking.ReportCardQuery{})
			cards, rows = append(cards, card), rows+len(card.Rows)
			for _, of := range cards[max(0, len(cards)-3):] {
				compareCards(t, of, cardOf(t, b, tracking.ReportCardQuery{AsOf: of.AsOf}))
			}
			b.Clock.Advance(time.Duration(1+rng.IntN(60)) * time.Hour)
		}
		for _, of := range cards {
			compareCards(t, of, cardOf(t, b, tracking.ReportCardQuery{AsOf: of.AsOf}))
		}
		if rows == 0 {
			t.Error("no card has a row")
		}
	}
}

func compareCards(t *testing.T, was, is *reliability.Card) {
	t.Helper()
	if !reflect.DeepEqual(was, is) {
		t.Fatalf("the card of %s was\n%+v\nand is\n%+v", was.AsOf, was, is)
	}
}

func drawSailingFact(rng *rand.Rand, now time.Time, step int) tracking.Fact {
	s := sailing{fmt.Sprint("B", rng.IntN(3)), []string{"USLAX", "USLAX", "USOAK"}[rng.IntN(3)], []string{"9321483", "9321483", "9302889"}[rng.IntN(3)]}
	at := now.Add(time.Duration(rng.IntN(40*24)-10*24) * time.Hour)
	switch rng.IntN(8) {
	case 0:
		return tracking.Fact{ID: s.number + []string{"departure", "eta", "arrival"}[rng.IntN(3)], Retracted: true, RecordedAt: now}
	case 1:
		return s.departs(trackingtest.Start.Add(time.Duration(rng.IntN(100))*time.Hour), now)
	case 2, 3:
		return s.arrives(now.Add(-time.Duration(rng.IntN(100))*time.Hour), now)
	}
	f := s.estimated(at, now)
	if rng.IntN(3) == 0 {
		f.ID = fmt.Sprint(s.number, step)
	}
	return f
}
