package tracking_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/reliability"
	"github.com/landfallhq/tracking/trackingtest"
)

// arriveLate lets n voyages arrive, each an hour later than the one before, ten days after
// their ETA was stated. It takes the bench to day 12 of the voyages.
func arriveLate(t *testing.T, b *trackingtest.Bench, from, n int) {
	t.Helper()
	start := b.Clock.Now()
	eta := start.AddDate(0, 0, 10)
	var estimates, arrivals []tracking.Fact
	for i := range n {
		s := sailing{fmt.Sprint("PAST", from+i), "USLAX", fmt.Sprint("93", 10000+from+i)}
		estimates = append(estimates, s.departs(start, start), s.estimated(eta, start))
		arrivals = append(arrivals, s.arrives(eta.Add(time.Duration(i+1)*time.Hour), eta.AddDate(0, 0, 2)))
	}
	ingest(t, b, api(estimates...))
	b.Clock.Set(eta.AddDate(0, 0, 2))
	ingest(t, b, api(arrivals...))
}

func bandsOf(t *testing.T, b *trackingtest.Bench, id tracking.ID) *reliability.Band {
	t.Helper()
	return must(b.Reliability().Bands(ctx, id))(t)[id]
}

// shownBand is the band in the document of a shipment.
func shownBand(t *testing.T, s tracking.Selection) (band *reliability.Band, shown bool) {
	t.Helper()
	var doc struct{ Attributes map[string]json.RawMessage }
	if err := json.Unmarshal(s.Rows[0].Doc, &doc); err != nil {
		t.Fatal(err)
	}
	text, shown := doc.Attributes["pod_eta_band"]
	if shown {
		if err := json.Unmarshal(text, &band); err != nil {
			t.Fatal(err)
		}
	}
	return band, shown
}

// TestETABand: a shipment shows a band once the account has 30 arrivals, and none after its
// own. The band changes no record.
func TestETABand(t *testing.T) {
	b := trackingtest.New(t)
	arriveLate(t, b, 0, 29)
	s := sailing{"B1", "USLAX", "9321483"}
	now := b.Clock.Now()
	eta := now.AddDate(0, 0, 10)
	id := ingest(t, b, api(s.departs(now, now), s.estimated(eta, now))).ShipmentIDs[0]
	if band := bandsOf(t, b, id); band != nil {
		t.Errorf("with 29 arrivals: %+v", band)
	}
	arriveLate(t, b, 29, 1)
	now = b.Clock.Now()
	eta = now.AddDate(0, 0, 10)
	ingest(t, b, api(s.estimated(eta, now)))
	version := must(b.Shipment(ctx, id))(t).Version
	band := bandsOf(t, b, id)
	if band == nil || band.Samples != 30 || band.Class != reliability.ClassLane || band.Lead != reliability.Lead8To14 {
		t.Fatalf("with 30 arrivals: %+v", band)
	}
	// Errors of 1, 1, 2, ... 29 hours; the places are 3.1, 15.5 and 27.9.
	for name, off := range map[string]time.Duration{
		"p10": band.P10.Sub(eta) - 126*time.Minute, "p50": band.P50.Sub(eta) - 870*time.Minute, "p90": band.P90.Sub(eta) - 1614*time.Minute,
	} {
		if off != 0 {
			t.Errorf("%s is off by %s", name, off)
		}
	}
	shown, _ := shownBand(t, must(b.Rendered().Get(ctx, "shipment", id, nil))(t))
	if shown == nil || *shown != *band {
		t.Errorf("shown: %+v", shown)
	}
	if _, shown := shownBand(t, must(b.Rendered().AsOf(ctx, "shipment", id, now, nil))(t)); shown {
		t.Error("an answer about the past shows a band")
	}
	if v := must(b.Shipment(ctx, id))(t).Version; v != version {
		t.Errorf("version %d after %d", v, version)
	}
	b.Clock.Advance(time.Hour)
	ingest(t, b, api(s.arrives(b.Clock.Now(), b.Clock.Now())))
	if band := bandsOf(t, b, id); band != nil {
		t.Errorf("after its arrival: %+v", band)
	}
	if shown, is := shownBand(t, must(b.Rendered().Get(ctx, "shipment", id, nil))(t)); shown != nil || !is {
		t.Errorf("after its arrival: %+v, %t", shown, is)
	}
}

// TestErrorsAreKept: the errors of past ETAs are made again after some minutes, and not for
// each shipment.
func TestErrorsAreKept(t *testing.T) {
	b := trackingtest.New(t)
	arriveLate(t, b, 0, 30)
	s := sailing{"B1", "USLAX", "9321483"}
	now := b.Clock.Now()
	id := ingest(t, b, api(s.departs(now, now), s.estimated(now.AddDate(0, 0, 10), now))).ShipmentIDs[0]
	if band := bandsOf(t, b, id); band == nil || band.Samples != 30 {
		t.Fatalf("%+v", band)
	}
	last := sailing{"PAST29", "USLAX", "9310029"}
	ingest(t, b, api(tracking.Fact{ID: last.number + "arrival", Retracted: true, RecordedAt: now.Add(time.Hour)}))
	b.Clock.Advance(4 * time.Minute)
	if band := bandsOf(t, b, id); band == nil || band.Samples != 30 {
		t.Errorf("after four minutes: %+v", band)
	}
	b.Clock.Advance(time.Minute)
	if band := bandsOf(t, b, id); band != nil {
		t.Errorf("after five minutes: %+v", band)
	}
}

// TestETASource: a shipment says whose word its ETA is, and nothing once that was taken back.
func TestETASource(t *testing.T) {
	b := trackingtest.New(t)
	recorded := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	for i, step := range []struct {
		report tracking.Report
		want   string
	}{
		{tracking.Report{Source: "dcsa", SCAC: "MAEU", Facts: []tracking.Fact{about("0", bill("B1"))}}, ""},
		{tracking.Report{Source: "dcsa", SCAC: "MAEU", Facts: []tracking.Fact{eta("1", 20, recorded)}}, "dcsa"},
		{tracking.Report{Source: "ais", SCAC: "MAEU", DataSource: freight.FromAIS, Facts: []tracking.Fact{eta("2", 22, recorded.Add(time.Hour))}}, "ais"},
		{tracking.Report{Source: "ais", SCAC: "MAEU", DataSource: freight.FromAIS, Facts: []tracking.Fact{{ID: "2", Retracted: true, RecordedAt: recorded.AddDate(0, 1, 0)}}}, "dcsa"},
		{tracking.Report{Source: "dcsa", SCAC: "MAEU", Facts: []tracking.Fact{{ID: "1", Retracted: true, RecordedAt: recorded.AddDate(0, 1, 0)}}}, ""},
	} {
		id := ingest(t, b, step.report).ShipmentIDs[0]
		b.Clock.Advance(time.Hour)
		if s := must(b.Shipment(ctx, id))(t); s.PODETASource != step.want || s.PODETAAt.IsZero() != (step.want == "") {
			t.Errorf("step %d: the ETA %s is the word of %q, want %q", i, s.PODETAAt, s.PODETASource, step.want)
		}
	}
}

// TestOneETA: whatever shows the arrival at the POD of a shipment shows the ETA of the
// shipment.
func TestOneETA(t *testing.T) {
	b := trackingtest.New(t)
	recorded := time.Date(2026, 2, 5, 0, 0, 0, 0, time.UTC)
	facts := voyage("B1")
	b.Clock.Set(recorded)
	ingest(t, b, api(facts...))
	for i, report := range []tracking.Report{
		{Source: "dcsa", SCAC: "MAEU", Facts: []tracking.Fact{eta("1", 20, recorded)}},
		{Source: "ais", SCAC: "MAEU", DataSource: freight.FromAIS, Facts: []tracking.Fact{eta("2", 22, recorded.Add(time.Hour))}},
		{Source: "dcsa", SCAC: "MAEU", Facts: []tracking.Fact{eta("3", 21, recorded.Add(2*time.Hour))}},
		{Source: "dcsa", SCAC: "MAEU", Facts: []tracking.Fact{{ID: "3", Retracted: true, RecordedAt: recorded.Add(3 * time.Hour)}}},
	} {
		r := ingest(t, b, report)
		b.Pass(24 * time.Hour)
		s := must(b.Shipment(ctx, r.ShipmentIDs[0]))(t)
		container := s.Containers[0]
		shown := map[string]time.Time{"next milestone": must(b.Exceptions().NextMilestones(ctx, container))(t)[container].ExpectedAt}
		for _, stop := range must(b.ContainerRoute(ctx, container))(t).Locations {
			if !stop.InboundETAAt.IsZero() {
				shown["route"] = stop.InboundETAAt
			}
		}
		events, _, err := b.EstimatedEvents(ctx, s.ID, tracking.Page{})
		if err != nil || len(events) == 0 {
			t.Fatal(len(events), err)
		}
		shown["event"] = events[0].EstimatedTimestamp
		geo, err := json.Marshal(must(b.ContainerMap(ctx, container))(t))
		if err != nil || !bytes.Contains(geo, []byte(`"inbound_eta_at":"`+s.PODETAAt.Format(time.RFC3339)+`"`)) {
			t.Errorf("step %d: no ETA %s in the map %s", i, s.PODETAAt, geo)
		}
		for _, doc := range exportAccount(t, b, b.Account.Name).resources["shipment"] {
			if !bytes.Contains(doc, []byte(`"pod_eta_at":"`+s.PODETAAt.Format(time.RFC3339)+`"`)) {
				t.Errorf("step %d: no ETA %s in the export %s", i, s.PODETAAt, doc)
			}
		}
		hits, err := b.Search(ctx, "B1")
		for _, hit := range hits {
			if h, err := json.Marshal(hit); err != nil || bytes.Contains(h, []byte("eta_at")) {
				t.Errorf("step %d: a search result has an ETA, which must be compared here: %s %v", i, h, err)
			}
		}
		if err != nil || len(hits) == 0 {
			t.Errorf("step %d: the search finds %d: %v", i, len(hits), err)
		}
		for place, at := range shown {
			if !at.Equal(s.PODETAAt) {
				t.Errorf("step %d: the ETA is %s, and that of the %s %s", i, s.PODETAAt, place, at)
			}
		}
		found, _, err := b.Containers(ctx, tracking.ContainerQuery{TrackedQuery: tracking.TrackedQuery{PODETA: tracking.TimeRange{From: s.PODETAAt, To: s.PODETAAt}}}, tracking.Page{})
		if err != nil || len(found) != 1 {
			t.Errorf("step %d: %d containers are found by the ETA: %v", i, len(found), err)
		}
	}
}
