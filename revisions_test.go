package tracking_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// eta says that the ship is expected at Los Angeles on a day of February.
func eta(id string, day int, recorded time.Time) tracking.Fact {
	return tracking.Fact{
		ID: id, RecordedAt: recorded, Activity: freight.Arrival, Classifier: freight.Estimated, Mode: freight.ByVessel,
		At:    tracking.Moment{Time: time.Date(2026, 2, day, 18, 0, 0, 0, time.UTC)},
		Place: tracking.Place{LOCODE: "USLAX", Role: freight.RolePOD}, Numbers: []tracking.ShipmentNumber{bill("B1")}, Containers: []string{"APZU4812090"},
	}
}

// tellRevisions writes revisions as lines, the last first.
func tellRevisions(list []*tracking.Revision) (lines []string) {
	for _, r := range list {
		lines = append(lines, fmt.Sprintf("%s %q -> %q (%s) after %s by %s %s", r.Attribute, r.Before, r.After, r.Timezone, r.LearnedAt.Sub(trackingtest.Start), r.Source, r.DataSource))
	}
	return lines
}

// TestETARevisions: what was estimated, when that was learned and from whom. It
// is history: nobody need have been told of it.
func TestETARevisions(t *testing.T) {
	b := trackingtest.New(t)
	recorded := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	steps := []tracking.Report{
		{Source: "dcsa", SCAC: "MAEU", Silent: true, Facts: []tracking.Fact{eta("1", 20, recorded)}},
		{Source: "dcsa", SCAC: "MAEU", Facts: []tracking.Fact{eta("1", 20, recorded)}},                                                                        // nothing new
		{Source: "dcsa", SCAC: "MAEU", Facts: []tracking.Fact{eta("0", 19, recorded.Add(-time.Hour))}},                                                        // said before, learned later
		{Source: "ais", SCAC: "MAEU", DataSource: freight.FromAIS, Facts: []tracking.Fact{eta("2", 22, recorded.Add(time.Hour))}},                             // another source
		{Source: "dcsa", SCAC: "MAEU", Facts: []tracking.Fact{about("3", bill("B1"))}},                                                                        // another matter
		{Source: "ais", SCAC: "MAEU", DataSource: freight.FromAIS, Facts: []tracking.Fact{{ID: "2", Retracted: true, RecordedAt: recorded.AddDate(0, 1, 0)}}}, // taken back
	}
	var id tracking.ID
	for i, r := range steps {
		if i == 3 {
			if _, err := b.StopTracking(ctx, id); err != nil {
				t.Fatal(err)
			}
		}
		id = ingest(t, b, r).ShipmentIDs[0]
		b.Clock.Advance(time.Hour)
	}
	list, total, err := b.Revisions(ctx, tracking.RevisionQuery{Shipment: id, Estimates: true}, tracking.Page{Number: 1, Size: 2})
	if err != nil || total != 3 {
		t.Fatalf("%d revisions, %v", total, err)
	}
	want := []string{
		`pod_eta_at "2026-02-22T18:00:00Z" -> "2026-02-20T18:00:00Z" (America/Los_Angeles) after 5h0m0s by dcsa shipping_line`,
		`pod_eta_at "2026-02-20T18:00:00Z" -> "2026-02-22T18:00:00Z" (America/Los_Angeles) after 3h0m0s by ais ais`,
	}
	if diff := cmp.Diff(want, tellRevisions(list)); diff != "" {
		t.Error(diff)
	}
	list, _, err = b.Revisions(ctx, tracking.RevisionQuery{Shipment: id, Estimates: true}, tracking.Page{Number: 2, Size: 2})
	want = []string{`pod_eta_at "" -> "2026-02-20T18:00:00Z" (America/Los_Angeles) after 0s by dcsa shipping_line`}
	if diff := cmp.Diff(want, tellRevisions(list)); err != nil || diff != "" {
		t.Error(diff, err)
	}
	if _, total, err := b.Revisions(ctx, tracking.RevisionQuery{Shipment: id, Estimates: true, Attributes: []tracking.RevisedAttribute{"pol_etd_at"}}, tracking.Page{}); err != nil || total != 0 {
		t.Errorf("%d revisions of what nobody has estimated, %v", total, err)
	}
	if _, _, err := b.Revisions(ctx, tracking.RevisionQuery{Shipment: list[0].ID, Estimates: true}, tracking.Page{}); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("of no shipment: %v", err)
	}
}

// TestContainerHistory: a box's own deadlines and what was revised of its
// shipment, each once.
func TestContainerHistory(t *testing.T) {
	b := trackingtest.New(t)
	arrival := eta("1", 20, time.Time{})
	arrival.Vessel, arrival.Voyage = tracking.VesselRef{IMO: "9321483"}, "12E"
	arrival.Place.SMDG = "WBCT"
	arrival.Containers = []string{"APZU4812090", "CSQU3054383"}
	lfd := func(day int) tracking.Fact {
		f := eta("lfd", 0, time.Time{})
		f.Activity, f.Classifier, f.DataSource, f.Place.Role = freight.TerminalStatus, freight.Actual, freight.FromTerminal, ""
		f.At = tracking.Moment{Time: time.Date(2026, 2, 20, 0, 0, 0, 0, time.UTC)}
		f.Terminal = &freight.TerminalFacts{LastFreeDay: tracking.Moment{Time: time.Date(2026, 2, day, 0, 0, 0, 0, time.UTC), Day: true}}
		return f
	}
	ingest(t, b, api(arrival))
	b.Clock.Advance(time.Hour)
	receipt := ingest(t, b, api(lfd(24)))
	b.Clock.Advance(time.Hour)
	ingest(t, b, api(lfd(26)))
	history, _, err := b.Revisions(ctx, tracking.RevisionQuery{Container: receipt.ContainerIDs[0]}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	terminal := allShipments(t, b)[0].PODTerminal
	want := []string{
		`pickup_lfd_terminal "2026-02-24T08:00:00Z" -> "2026-02-26T08:00:00Z" (America/Los_Angeles) after 2h0m0s by api terminal`,
		`pickup_lfd "2026-02-24T08:00:00Z" -> "2026-02-26T08:00:00Z" (America/Los_Angeles) after 2h0m0s by api terminal`,
		`pickup_lfd_terminal "" -> "2026-02-24T08:00:00Z" (America/Los_Angeles) after 1h0m0s by api terminal`,
		`pickup_lfd "" -> "2026-02-24T08:00:00Z" (America/Los_Angeles) after 1h0m0s by api terminal`,
		fmt.Sprintf(`pod_terminal "" -> "%s" () after 0s by api shipping_line`, terminal),
		`port_of_discharge_name "" -> "Los Angeles" () after 0s by api shipping_line`,
		`port_of_discharge_locode "" -> "USLAX" () after 0s by api shipping_line`,
		`pod_voyage_number "" -> "12E" () after 0s by api shipping_line`,
		`pod_vessel_imo "" -> "9321483" () after 0s by api shipping_line`,
		`pod_eta_at "" -> "2026-02-20T18:00:00Z" (America/Los_Angeles) after 0s by api shipping_line`,
	}
	if diff := cmp.Diff(want, tellRevisions(history)); diff != "" {
		t.Error(diff)
	}
	for _, r := range history {
		if own := r.Attribute == "pickup_lfd" || r.Attribute == "pickup_lfd_terminal"; own != (r.Container == receipt.ContainerIDs[0]) {
			t.Errorf("%s is of container %s", r.Attribute, r.Container)
		}
	}
	only, total, err := b.Revisions(ctx, tracking.RevisionQuery{Container: receipt.ContainerIDs[0], Attributes: []tracking.RevisedAttribute{"pickup_lfd", "pod_voyage_number"}}, tracking.Page{})
	if err != nil || total != 3 || len(only) != 3 {
		t.Errorf("by two attributes: %v, %v", tellRevisions(only), err)
	}
}

// TestRevisionsTellTheSame: what a shipment or container shows at any time is
// what its last revision until then made it.
func TestRevisionsTellTheSame(t *testing.T) {
	count := 0
	for life := range 20 {
		c := live(t, rand.New(rand.NewPCG(uint64(life), 60)))
		for _, a := range c.things {
			list := c.revisionsOf(t, a)
			count += len(list)
			for _, second := range c.seconds {
				shown := c.told[second][a.id]
				if shown == nil {
					continue
				}
				for _, name := range tracking.Describe().RevisedAttributes {
					want, has := shownAs(shown, a, name)
					if got := lastOf(list, name, second); has && got != want {
						t.Fatalf("life %d: %s of %s %s at %s is %q by its revisions, and was shown as %q:\n%q", life, name, a.typ, a.id, second, got, want, tellRevisions(list))
					}
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d revisions: they show too little", count)
	}
}

// revisionsOf are those of a thing itself, the last first, each of which begins
// where the one before it ends.
func (c *chronicle) revisionsOf(t *testing.T, a thing) (own []*tracking.Revision) {
	t.Helper()
	q := tracking.RevisionQuery{Shipment: a.id}
	if a.typ == "container" {
		q = tracking.RevisionQuery{Container: a.id}
	}
	list, _, err := c.bench.Revisions(ctx, q, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	before := map[tracking.RevisedAttribute]string{}
	for _, r := range slices.Backward(list) {
		if shown := r.Container == a.id || r.Container == (tracking.ID{}) && r.Shipment == a.id; !shown {
			continue
		}
		if r.Before != before[r.Attribute] && r.Attribute != "pod_terminal" || r.Before == r.After {
			t.Fatalf("%s was %q, and is revised from %q to %q", r.Attribute, before[r.Attribute], r.Before, r.After)
		}
		before[r.Attribute] = r.After
		own = append(own, r)
	}
	return own
}

func text(v any) string { s, _ := v.(string); return s }

// shownAs is how a document shows a revised attribute, if it does.
func shownAs(shown answer, a thing, name tracking.RevisedAttribute) (string, bool) {
	if deadlines, ok := shown["import_deadlines"].(map[string]any); ok {
		if v, ok := deadlines[string(name)]; ok {
			return text(v), true
		}
	}
	v, has := shown[string(name)]
	if r, ok := v.(map[string]any); ok {
		if a.typ == "container" && name == "pod_terminal" {
			return "", false // revised by itself only where it is not its shipment's
		}
		linked, _ := r["data"].(map[string]any)
		return text(linked["id"]), true
	}
	return text(v), has
}

// lastOf is what the revisions up to a second, the first of them first, have made
// of an attribute.
func lastOf(list []*tracking.Revision, name tracking.RevisedAttribute, second time.Time) (value string) {
	for _, r := range list {
		if r.Attribute == name && !r.LearnedAt.After(second) {
			value = r.After
		}
	}
	return value
}

// TestRevisionOfWhatIsGone: a value that follows from no fact any more is put
// down to the last fact of the report.
func TestRevisionOfWhatIsGone(t *testing.T) {
	b := trackingtest.New(t)
	id := ingest(t, b, api(eta("1", 20, time.Time{}))).ShipmentIDs[0]
	first, last := about("2", bill("B1")), tracking.Fact{ID: "1", Retracted: true}
	first.DataSource, last.DataSource = freight.FromTerminal, freight.FromAIS
	ingest(t, b, api(first, last))
	list, _, err := b.Revisions(ctx, tracking.RevisionQuery{Shipment: id, Estimates: true}, tracking.Page{Number: 1, Size: 1})
	want := []string{`pod_eta_at "2026-02-20T18:00:00Z" -> "" (America/Los_Angeles) after 0s by api ais`}
	if diff := cmp.Diff(want, tellRevisions(list)); err != nil || diff != "" {
		t.Error(diff, err)
	}
}
