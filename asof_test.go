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
	delete(d.Attributes, "raw_events") // which answers about the past do not have
	return d.Attributes
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
			f.Class = tracking.Estimated
		}
		if f.Terminal != nil {
			f.DataSource = []tracking.DataSource{tracking.FromTerminal, tracking.FromShippingLine}[rng.IntN(2)]
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

// mark changes something that follows from no fact.
func (c *chronicle) mark(t testing.TB, rng *rand.Rand) {
	list := allShipments(t, c.bench)
	if len(list) == 0 || rng.IntN(3) > 0 {
		return
	}
	s := list[rng.IntN(len(list))]
	var err error
	switch rng.IntN(3) {
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
	for _, s := range allShipments(t, c.bench) {
		c.things = append(c.things, thing{"shipment", s.ID})
	}
	boxes, _, err := c.bench.Containers(ctx, tracking.ContainerQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, box := range boxes {
		c.things = append(c.things, thing{"container", box.ID})
	}
	for _, a := range c.things {
		s, err := c.bench.SelectOne(ctx, a.typ, a.id, nil)
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
				got, err := c.bench.SelectAsOf(ctx, a.typ, a.id, at, nil)
				if want == nil {
					absent++
					if !errors.Is(err, tracking.ErrNotFound) {
						t.Fatalf("life %d: %s %s did not exist at %s, and as of then is %v, %v", life, a.typ, a.id, at, got, err)
					}
					continue
				}
				have := read(t, got, err)
				want = maps.Clone(want)
				for _, name := range tracking.ShownNow(a.typ) {
					want[name] = now[a.id][name]
				}
				if !reflect.DeepEqual(want, now[a.id]) {
					changed++
				}
				if diff := cmp.Diff(want, have); diff != "" {
					t.Fatalf("life %d: %s %s as of %s (-answered then +now):\n%s", life, a.typ, a.id, at, diff)
				}
			}
		}
	}
	t.Logf("%d instants: %d answers differ from those of today, %d times something did not exist yet", asked, changed, absent)
	if changed < asked/2 {
		t.Errorf("only %d answers about the past differ from those of today: the lives are too quiet", changed)
	}
}
