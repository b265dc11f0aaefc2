package tracking_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/refdata"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
)

// narrow is a store that serves one view at a time, as a pool of readers does
// when it is exhausted.
type narrow struct {
	tracking.Store
	slot chan struct{}
}

func (n *narrow) View(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	select {
	case n.slot <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-n.slot }()
	return n.Store.View(ctx, a, fn)
}

// TestImportedTerminalsNeverBlockReaders reads terminals by many while they are
// imported again and again: nobody may wait for a reader while holding what
// readers wait for.
func TestImportedTerminalsNeverBlockReaders(t *testing.T) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	b := trackingtest.New(t, func(c *tracking.Config) {
		c.Store = &narrow{Store: memory.New(), slot: make(chan struct{}, 1)}
	})
	facts := voyage("B1")
	facts[3].Place.SMDG = "WBCT"
	id := ingest(t, b, api(facts...)).ShipmentIDs[0]
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			for range 100 {
				s, err := b.Rendered().Get(ctx, "shipment", id, []string{"pod_terminal"})
				if err != nil || len(s.Included) != 1 {
					t.Errorf("%d included, %v", len(s.Included), err)
					return
				}
			}
		})
	}
	for range 100 {
		err := b.Operator.ImportTerminals(ctx, []tracking.ImportedTerminal{{LOCODE: "USLAX", SMDG: "WBCT", Name: "West Basin"}})
		if err != nil {
			t.Fatal(err)
		}
	}
	readers.Wait()
	s, err := b.Shipment(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if term, err := b.Terminal(ctx, s.PODTerminal); err != nil || term.Name != "West Basin" {
		t.Errorf("the operator's terminal is shown: %+v, %v", term, err)
	}
}

// A vessel that old events know by its name and newer ones by its IMO number is
// included under both of their IDs, once each, and shows the same ship.
func TestIncludedVesselsAreThoseThatAreLinked(t *testing.T) {
	b := trackingtest.New(t)
	facts := voyage("B1")
	for i := range facts[:3] {
		facts[i].Vessel.IMO = ""
	}
	ingest(t, b, api(facts[:3]...))
	ingest(t, b, api(facts[3], arrival("B1")))
	containers, _, err := b.Containers(ctx, tracking.ContainerQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	events := tracking.TransportEventQuery{Container: containers[0].ID, Invalidated: tracking.No}
	list, _, err := b.TransportEvents(ctx, events, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	linked := map[tracking.ID]bool{}
	for _, e := range list {
		if e.Vessel != (tracking.ID{}) {
			linked[e.Vessel] = true
		}
	}
	if len(linked) != 2 {
		t.Fatalf("%d vessels linked: the test proves nothing", len(linked))
	}
	s, err := b.Rendered().List(ctx, events, tracking.Page{}, []string{"vessel"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Included {
		var doc struct {
			ID         tracking.ID
			Attributes struct{ IMO string }
		}
		if err := json.Unmarshal(r.Doc, &doc); err != nil {
			t.Fatal(err)
		}
		if !linked[r.ID] || doc.ID != r.ID || doc.Attributes.IMO != "9321483" {
			t.Errorf("included twice or not linked: %s", r.Doc)
		}
		delete(linked, r.ID)
	}
	if len(linked) > 0 {
		t.Errorf("linked and not included: %v", linked)
	}
	// Asked for by its old ID, a vessel answers as what it is.
	for _, r := range s.Included {
		if v, err := b.Vessel(ctx, r.ID); err != nil || v.ID != tracking.VesselID("9321483") {
			t.Errorf("vessel %s: %+v, %v", r.ID, v, err)
		}
	}
}

// shuffled is the reference data with its ports in an order of no use.
type shuffled struct {
	tracking.Reference
	asked atomic.Int64
}

func (s *shuffled) Ports() []refdata.Port {
	s.asked.Add(1)
	list := slices.Clone(refdata.Ports())
	slices.Reverse(list)
	return list
}
func (s *shuffled) Port(locode string) (refdata.Port, bool) { return refdata.PortByCode(locode) }
func (s *shuffled) Line(scac string) (refdata.Line, bool)   { return refdata.LineBySCAC(scac) }
func (s *shuffled) LineByPrefix(number string) (refdata.Line, bool) {
	return refdata.LineByPrefix(number)
}
func (s *shuffled) Lines() []refdata.Line { return refdata.Lines() }

// Ports are put in order once, not for each list.
func TestPortsAreSortedOnce(t *testing.T) {
	reference := &shuffled{}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Reference = reference })
	read := func() []*tracking.Port {
		list, total, err := b.Tracker.Ports(ctx, tracking.PortQuery{}, tracking.Page{Number: 2, Size: 50})
		if err != nil || total != len(refdata.Ports()) || len(list) != 50 {
			t.Fatalf("%d of %d ports: %v", len(list), total, err)
		}
		return list
	}
	list := read()
	if !slices.IsSortedFunc(list, func(a, b *tracking.Port) int { return strings.Compare(a.Code, b.Code) }) {
		t.Error("the ports are in no order")
	}
	asked := reference.asked.Load()
	read()
	if again := reference.asked.Load(); again != asked {
		t.Errorf("a list has the ports gone through %d times", again-asked)
	}
}
