package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/refdata"
)

// TestRoundTrips counts what one new fact of a known shipment of three containers costs:
// round trips and statements of its update and of the views before it. With -v it shows the
// statements.
func TestRoundTrips(t *testing.T) {
	s, err := Open(context.Background(), postgrestest.Shared(t).Schema(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	operator, err := tracking.New(tracking.Config{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	defer operator.Close()
	account, _, err := operator.EnsureAccount(context.Background(), "facts")
	if err != nil {
		t.Fatal(err)
	}
	tracker := operator.For(tracking.Actor{Account: account.Scope()})
	ingest := func(silent bool, facts ...tracking.Fact) {
		t.Helper()
		r, err := tracker.Ingest(context.Background(), tracking.Report{Source: "carrier", SCAC: "MAEU", Silent: silent, Facts: facts})
		if err != nil || r.New != len(facts) {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	const shipments, rounds = 50, 30
	for i := range shipments {
		number := fmt.Sprintf("ORDINARY%05d", i)
		facts := []tracking.Fact{fact(number, freight.Departure, freight.Actual, "CNSHA", 75), fact(number, freight.Arrival, freight.Estimated, "NLRTM", 28*24)}
		for box := range 3 {
			facts = append(facts, loading(number, 3*i+box, freight.Loading, "CNSHA", 70))
		}
		ingest(true, facts...)
	}
	for n, kind := range []struct {
		name                   string
		roundTrips, statements float64 // of the update, at most
		fact                   func(n, shipment int, number string) tracking.Fact
	}{
		{"estimated arrival", 3, 12, func(n, _ int, number string) tracking.Fact {
			return fact(number, freight.Arrival, freight.Estimated, "NLRTM", 30*24+n)
		}},
		{"discharge", 3, 12, func(n, shipment int, number string) tracking.Fact {
			return loading(number, 3*shipment+n%3, freight.Discharge, "NLRTM", 31*24+n)
		}},
	} {
		var trips, statements, viewTrips float64
		texts := map[string]int{}
		s.sent = func(update bool, batch *pgx.Batch) {
			if !update {
				viewTrips++
				return
			}
			trips++
			statements += float64(batch.Len())
			for i, q := range batch.QueuedQueries {
				mark := "  "
				if i == batch.Len()-1 {
					mark = "->"
				}
				texts[mark+strings.Join(strings.Fields(q.SQL), " ")]++
			}
		}
		for i := range rounds {
			shipment := (i*7919 + 13 + n*31) % shipments
			ingest(false, kind.fact(i, shipment, fmt.Sprintf("ORDINARY%05d", shipment)))
		}
		s.sent = nil
		for _, sql := range slices.SortedFunc(maps.Keys(texts), func(a, b string) int { return texts[b] - texts[a] }) {
			t.Logf("%.2f %s", float64(texts[sql])/rounds, sql[:min(len(sql), 170)])
		}
		trips, statements, viewTrips = trips/rounds, statements/rounds, viewTrips/rounds
		t.Logf("%s: an update of %.1f round trips and %.1f statements, after views of %.1f round trips", kind.name, trips, statements, viewTrips)
		if trips > kind.roundTrips || statements > kind.statements {
			t.Errorf("%s: %.1f round trips and %.1f statements, at most %.0f and %.0f are expected", kind.name, trips, statements, kind.roundTrips, kind.statements)
		}
	}
}

// fact is a fact about all of a shipment, so many hours after the first.
func fact(number string, what freight.Activity, class freight.Classifier, at string, hours int) tracking.Fact {
	first := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	return tracking.Fact{
		ID: fmt.Sprint(number, what, class, at, hours), Activity: what, Classifier: class, Place: tracking.Place{LOCODE: at}, Mode: freight.ByVessel,
		Vessel: tracking.VesselRef{IMO: "9321483", Name: "EMMA MAERSK"}, Voyage: "104W",
		At: tracking.Moment{Time: first.Add(time.Duration(hours) * time.Hour)}, RecordedAt: first.Add(time.Duration(hours) * time.Minute),
		Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: number}},
	}
}

// loading is a fact about one of its containers.
func loading(number string, box int, what freight.Activity, at string, hours int) tracking.Fact {
	f := fact(number, what, freight.Actual, at, hours)
	name := fmt.Sprintf("MRKU%06d", box)
	_, digit := refdata.CheckDigit(name + "0")
	f.ID, f.LoadStatus, f.Containers = fmt.Sprint(f.ID, box), freight.Laden, []string{fmt.Sprint(name, digit)}
	return f
}
