package tracking_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/trackingtest"
)

// answer is a resource as it is shown: its members by name, relationships and
// attributes alike.
type answer map[string]any

func read(t testing.TB, s tracking.Selection, err error) answer {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return readDoc(t, s.Rows[0].Doc)
}

func readDoc(t testing.TB, doc []byte) answer {
	t.Helper()
	var d struct{ Relationships, Attributes answer }
	if err := json.Unmarshal(doc, &d); err != nil {
		t.Fatal(err)
	}
	for name, r := range d.Relationships {
		d.Attributes[name] = r
	}
	// Answers about the past do not have these.
	for _, name := range []string{"raw_events", "next_milestone", "next_milestone_location_locode", "next_milestone_expected_at", "next_milestone_due_at", "overdue", "pod_eta_band"} {
		delete(d.Attributes, name)
	}
	return d.Attributes
}

// but is the answer with what follows from no fact as it is now.
func (a answer) but(typ string, now answer) answer {
	a = maps.Clone(a)
	types := tracking.Describe().Resources
	at := slices.IndexFunc(types, func(r tracking.ResourceType) bool { return r.Name == typ })
	for _, name := range types[at].ShownNow {
		a[name] = now[name]
	}
	return a
}

// linkage are the resources that a relationship names.
func linkage(r any) []any {
	data := r.(map[string]any)["data"]
	if list, ok := data.([]any); ok {
		return list
	}
	return []any{data}
}

// answers is what the engine answers about every shipment and container at one
// time.
type answers map[tracking.ID]answer

type thing struct {
	typ string
	id  tracking.ID
}

// chronicle is a life of several shipments: what was answered, by second.
type chronicle struct {
	bench   *trackingtest.Bench
	seconds []time.Time
	told    map[time.Time]answers
	things  []thing
}

// live hands random facts to a tracker, and notes what it answers after each
// report. Several reports may come in one second.
func live(t *testing.T, rng *rand.Rand) *chronicle {
	c := &chronicle{bench: trackingtest.New(t), told: map[time.Time]answers{}}
	b := c.bench
	if rng.IntN(2) == 0 {
		create(t, b, tracking.NewTrackingRequest{Number: "BK1", Type: tracking.BookingNumber, SCAC: "MSCU"})
	}
	left := history(rng)
	for i := range left {
		f := &left[i]
		if rng.IntN(4) == 0 {
			f.RecordedAt = time.Time{}
		}
		if rng.IntN(3) == 0 {
			f.Classifier = freight.Estimated
		}
		if f.Terminal != nil {
			f.DataSource = []tracking.DataSource{freight.FromTerminal, freight.FromShippingLine}[rng.IntN(2)]
			f.Terminal.LastFreeDay = tracking.Moment{Time: time.Date(2026, 3, 1+rng.IntN(20), 0, 0, 0, 0, time.UTC), Day: true}
		}
	}
	for len(left) > 0 {
		if rng.IntN(3) > 0 {
			b.Clock.Advance(time.Duration(1+rng.IntN(3)*rng.IntN(5000)) * time.Second)
		}
		n := 1 + rng.IntN(min(4, len(left)))
		ingest(t, b, tracking.Report{Source: "api", SCAC: []string{"MSCU", "MSCU", "MSCU", "", "MAEU"}[rng.IntN(5)], Facts: left[:n], Silent: rng.IntN(5) == 0})
		left = left[n:]
		c.mark(t, rng)
		c.note(t)
	}
	return c
}

// mark changes something by hand; most of it follows from no fact.
func (c *chronicle) mark(t testing.TB, rng *rand.Rand) {
	list := allShipments(t, c.bench)
	if len(list) == 0 || rng.IntN(3) > 0 {
		return
	}
	s := list[rng.IntN(len(list))]
	var err error
	switch rng.IntN(5) {
	case 3, 4: // this follows from a fact that it makes
		if len(s.Containers) == 0 {
			return
		}
		at := []time.Time{{}, time.Date(2026, 2, 1+rng.IntN(28), 0, 0, 0, 0, time.UTC)}[rng.IntN(2)]
		_, err = c.bench.UpdateContainer(ctx, s.Containers[rng.IntN(len(s.Containers))], tracking.ContainerUpdate{DeliveredAt: tracking.Set(at)})
	case 0:
		_, err = c.bench.UpdateShipment(ctx, s.ID, tracking.ShipmentUpdate{Tags: tracking.Set([]string{fmt.Sprint(rng.Uint32())})})
	case 1:
		_, err = c.bench.StopTracking(ctx, s.ID)
	case 2:
		_, err = c.bench.ResumeTracking(ctx, s.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// note asks about everything there is.
func (c *chronicle) note(t testing.TB) {
	t.Helper()
	now, all := c.bench.Clock.Now(), answers{}
	c.things = nil
	ships, _, err := c.bench.Shipments(ctx, tracking.ShipmentQuery{WithRemoved: true}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range ships {
		c.things = append(c.things, thing{"shipment", s.ID})
	}
	containers, _, err := c.bench.Containers(ctx, tracking.ContainerQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, container := range containers {
		c.things = append(c.things, thing{"container", container.ID})
	}
	for _, a := range c.things {
		s, err := c.bench.Rendered().Get(ctx, a.typ, a.id, nil)
		all[a.id] = read(t, s, err)
	}
	if c.told[now] == nil {
		c.seconds = append(c.seconds, now)
	}
	c.told[now] = all
}

// at is what was answered at the end of a second, nil before the first report.
func (c *chronicle) at(second time.Time) answers {
	i, _ := slices.BinarySearchFunc(c.seconds, second.Add(time.Second), time.Time.Compare)
	if i == 0 {
		return nil
	}
	return c.told[c.seconds[i-1]]
}

// TestAsOf: of a random instant the engine answers what it answered then.
func TestAsOf(t *testing.T) {
	const instantsOfALife = 20
	lives := drill.Count(t, "LANDFALL_INSTANTS", 200) / instantsOfALife
	asked, absent, changed := 0, 0, 0
	for life := range max(lives, 1) {
		rng := rand.New(rand.NewPCG(uint64(life), 58))
		c := live(t, rng)
		now := c.told[c.seconds[len(c.seconds)-1]]
		for range instantsOfALife {
			second := c.seconds[rng.IntN(len(c.seconds))].Add(time.Duration(rng.IntN(5)-2) * time.Second)
			if second.After(c.bench.Clock.Now()) {
				second = c.bench.Clock.Now()
			}
			at := second.Add(time.Duration(rng.IntN(1000)) * time.Millisecond)
			asked++
			for _, a := range c.things {
				want := c.at(second)[a.id]
				other := map[string]string{"shipment": "containers", "container": "shipment"}[a.typ]
				got, err := c.bench.Rendered().AsOf(ctx, a.typ, a.id, at, []string{other})
				if want == nil {
					absent++
					if !errors.Is(err, tracking.ErrNotFound) {
						t.Fatalf("life %d: %s %s did not exist at %s, and as of then is %v, %v", life, a.typ, a.id, at, got, err)
					}
					continue
				}
				have := read(t, got, err)
				want = want.but(a.typ, now[a.id])
				if !reflect.DeepEqual(want, now[a.id]) {
					changed++
				}
				if diff := cmp.Diff(want, have); diff != "" {
					t.Fatalf("life %d: %s %s as of %s (-answered then +now):\n%s", life, a.typ, a.id, at, diff)
				}
				for _, r := range got.Included {
					want := c.at(second)[r.ID].but(r.Type, now[r.ID])
					delete(want, "transport_events") // which only the answer itself has
					if diff := cmp.Diff(want, readDoc(t, r.Doc)); diff != "" {
						t.Fatalf("life %d: %s %s as of %s, included (-answered then +now):\n%s", life, r.Type, r.ID, at, diff)
					}
				}
				if n := len(linkage(have[other])); n != len(got.Included) {
					t.Fatalf("life %d: %d of %d %s are included", life, len(got.Included), n, other)
				}
			}
		}
	}
	t.Logf("%d instants: %d answers differ from those of today, %d times something did not exist yet", asked, changed, absent)
	if changed < asked/2 {
		t.Errorf("only %d answers about the past differ from those of today: the lives are too quiet", changed)
	}
}

func TestAsOfEdges(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(trackingtest.Start.Add(300 * time.Millisecond))
	receipt := ingest(t, b, api(voyage("B1")...))
	ship, container := receipt.ShipmentIDs[0], receipt.ContainerIDs[0]
	b.Clock.Advance(-time.Hour) // the time of the account does not go back with it
	for _, row := range []struct {
		name string
		at   time.Time
		want tracking.ErrorKind
	}{
		{"the second before", trackingtest.Start.Add(-time.Nanosecond), tracking.NotFound},
		{"the second of the report", trackingtest.Start, tracking.Internal},
		{"its end, in another zone", trackingtest.Start.Add(time.Second - 1).In(time.FixedZone("", 3600)), tracking.Internal},
		{"a second to come", trackingtest.Start.Add(time.Second), tracking.Invalid},
		{"never", time.Time{}, tracking.NotFound},
	} {
		s, err := b.ShipmentAsOf(ctx, ship, row.at)
		c, err2 := b.ContainerAsOf(ctx, container, row.at)
		if kindOf(err) != row.want || kindOf(err2) != row.want {
			t.Errorf("%s: %v, %v", row.name, err, err2)
		}
		if err == nil && (s.PODETAAt.IsZero() || c.POLVesselLoadedAt.IsZero() || s.Version != 0 || c.Version != 0) {
			t.Errorf("%s: %+v, %+v", row.name, s, c)
		}
	}
	if _, err := b.ShipmentAsOf(ctx, container, trackingtest.Start); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("no shipment: %v", err)
	}
	if _, err := b.Rendered().AsOf(ctx, "port", ship, trackingtest.Start, nil); err == nil || kindOf(err) != tracking.Internal {
		t.Errorf("of a type without a past: %v", err)
	}
	blind := b.Operator.For(tracking.Actor{Account: b.Account.Scope(), Permissions: []tracking.Permission{tracking.Update}})
	_, err := blind.ShipmentAsOf(ctx, ship, trackingtest.Start)
	_, _, err2 := blind.Revisions(ctx, tracking.RevisionQuery{}, tracking.Page{})
	if kindOf(err) != tracking.Forbidden || kindOf(err2) != tracking.Forbidden {
		t.Errorf("without show: %v, %v", err, err2)
	}
}

// A ship sails without a container that was taken back, whichever of the two facts and
// the departure comes last, and the past is as it was. On the code of before the shipment
// had the time of departure in each row.
func TestShipsOfARetractedContainer(t *testing.T) {
	named := tracking.Fact{ID: "named", RecordedAt: trackingtest.Start.Add(-2 * time.Hour), Activity: freight.Described, Containers: []string{"APZU4812090"}, Numbers: []tracking.ShipmentNumber{bill("B1")}}
	retracted := tracking.Fact{ID: "named", RecordedAt: trackingtest.Start.Add(-time.Hour), Retracted: true}
	pol := tracking.Fact{ID: "pol", RecordedAt: named.RecordedAt, Activity: freight.Route, Place: tracking.Place{LOCODE: "CNSHA", Role: freight.RolePOL}, Numbers: named.Numbers}
	sailed := membershipChange("sailed", freight.Departure, "CNSHA", "06T10:00")
	sailed.Numbers, sailed.RecordedAt = named.Numbers, sailed.At.Time
	for _, row := range []struct {
		name  string
		facts []tracking.Fact
	}{
		{"the retraction comes last", []tracking.Fact{pol, named, sailed, retracted}},
		{"the departure comes last", []tracking.Fact{pol, named, retracted, sailed}},
		{"what is retracted comes last", []tracking.Fact{pol, retracted, sailed, named}},
		{"the shipment is opened last", []tracking.Fact{retracted, named, pol, sailed}},
	} {
		b := trackingtest.New(t)
		var id tracking.ID
		var before time.Time
		for _, f := range row.facts {
			before = b.Clock.Now()
			b.Clock.Advance(time.Hour)
			if receipt := ingest(t, b, api(f)); len(receipt.ShipmentIDs) > 0 && id == (tracking.ID{}) {
				id = receipt.ShipmentIDs[0]
			}
		}
		is, err := b.ShipmentAsOf(ctx, id, b.Clock.Now())
		was, err2 := b.ShipmentAsOf(ctx, id, before)
		now, err3 := b.Shipment(ctx, id)
		if err != nil || err2 != nil || err3 != nil {
			t.Fatal(err, err2, err3)
		}
		if !now.POLATDAt.IsZero() || !is.POLATDAt.IsZero() {
			t.Errorf("%s: departed at %v, as of now %v", row.name, now.POLATDAt, is.POLATDAt)
		}
		if known := row.facts[len(row.facts)-1].ID == "named"; known != !was.POLATDAt.IsZero() {
			t.Errorf("%s: departed at %v before the last fact", row.name, was.POLATDAt)
		}
	}
}

// kindOf is Internal for no error, too.
func kindOf(err error) tracking.ErrorKind {
	var e *tracking.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return tracking.Internal
}

// BenchmarkAsOf looks back at a shipment of 5 containers and 200 facts, of which
// half had come.
func BenchmarkAsOf(b *testing.B) {
	t := trackingtest.New(b)
	var id tracking.ID
	for i := range 200 {
		f := eta(fmt.Sprint(i), 1+i%28, time.Date(2026, 1, 1, i, 0, 0, 0, time.UTC))
		f.Activity = []freight.Activity{freight.Arrival, freight.Loading, freight.Departure, freight.Discharge}[i%4]
		f.Containers = []string{fmt.Sprintf("TEST%07d", i%5)}
		if f.Place.Role = ""; i%4 == 1 || i%4 == 2 {
			f.Place.LOCODE = "CNSHA"
		}
		if i%2 == 0 {
			f.Classifier = freight.Actual
		}
		id = ingest(b, t, api(f)).ShipmentIDs[0]
		t.Clock.Advance(time.Minute)
	}
	half := trackingtest.Start.Add(100 * time.Minute)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := t.Rendered().AsOf(ctx, "shipment", id, half, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// A line that a request brings was not known before it.
func TestAsOfBeforeTheLine(t *testing.T) {
	want := func(t *testing.T, b *trackingtest.Bench, id tracking.ID, at time.Time, line string) {
		t.Helper()
		if s, err := b.ShipmentAsOf(ctx, id, at); err != nil || s.ShippingLineSCAC != line || (s.ShippingLineName == "") != (line == "") {
			t.Errorf("as of %s the line is %q, %q, want %q; %v", at, s.ShippingLineSCAC, s.ShippingLineName, line, err)
		}
	}
	lined := func(number string, typ tracking.RequestType) tracking.NewTrackingRequest {
		return tracking.NewTrackingRequest{Number: number, Type: typ, SCAC: "MSCU"}
	}
	t.Run("the request comes later", func(t *testing.T) {
		b := trackingtest.New(t)
		id := ingest(t, b, unlined(voyage("B1")...)).ShipmentIDs[0]
		b.Clock.Advance(time.Hour)
		create(t, b, lined("B1", tracking.BillOfLading))
		want(t, b, id, trackingtest.Start.Add(time.Hour-time.Second), "")
		want(t, b, id, trackingtest.Start.Add(time.Hour), "MSCU")
	})
	t.Run("the shipment is made for it", func(t *testing.T) {
		b := trackingtest.New(t)
		create(t, b, lined("B1", tracking.BillOfLading))
		b.Clock.Advance(time.Hour)
		id := ingest(t, b, unlined(voyage("B1")...)).ShipmentIDs[0]
		want(t, b, id, b.Clock.Now(), "MSCU")
	})
}
