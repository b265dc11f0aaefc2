//go:build cgo

package tracking_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

// fleet fills a tracker with shipments that differ in everything lists can be
// filtered by. The same seed gives the same fleet.
func fleet(t *testing.T, b *trackingtest.Bench, n int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	var customers []tracking.ID
	for _, name := range []string{"Acme", "Bolt"} {
		p, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: name})
		if err != nil {
			t.Fatal(err)
		}
		customers = append(customers, p.ID)
	}
	setFields := fleetFields(t, b)
	var ids []tracking.ID
	for i := range n {
		b.Clock.Advance(time.Duration(rng.IntN(3)) * time.Hour)
		facts := voyage(fmt.Sprintf("NUMBER%03d", i))
		pol, pod := pick("CNSHA", "CNNGB", "VNSGN"), pick("USLAX", "NLRTM")
		for j := range facts {
			facts[j].ID = fmt.Sprint(i, facts[j].ID)
			facts[j].Containers = []string{fmt.Sprintf("TEST%07d", i/2)}
			facts[j].Vessel.IMO = pick("9321483", "9770749")
			if facts[j].Place.LOCODE = pol; j == 3 {
				facts[j].Place.LOCODE, facts[j].Place.SMDG = pod, pick("", "WBCT")
				facts[j].At.Time = facts[j].At.Time.AddDate(0, 0, rng.IntN(20))
			}
		}
		if rng.IntN(3) == 0 {
			facts = facts[:1+rng.IntN(3)]
		}
		if len(facts) == 4 && i%2 == 0 {
			landed := facts[3]
			landed.ID, landed.Activity, landed.Classifier = landed.ID+"d", freight.Discharge, freight.Actual
			landed.At.Time = time.Date(2026, 2, 20, 0, 0, 0, 0, time.UTC)
			landed.RecordedAt = landed.At.Time
			facts = append(facts, landed)
		}
		if rng.IntN(3) == 0 {
			yes, lfd := rng.IntN(2) == 0, tracking.Moment{Time: time.Date(2026, 3, 1+rng.IntN(10), 0, 0, 0, 0, time.UTC)}
			view := &freight.TerminalFacts{Available: &yes, LastFreeDay: lfd}
			if rng.IntN(2) == 0 {
				view.Holds = []tracking.Hold{{Name: "customs", Status: "hold"}}
			}
			facts = append(facts, tracking.Fact{ID: fmt.Sprint(i, "t"), RecordedAt: facts[0].RecordedAt, Activity: freight.TerminalStatus, DataSource: freight.FromTerminal,
				Place: tracking.Place{LOCODE: pod}, Containers: facts[0].Containers, Numbers: facts[0].Numbers, Terminal: view})
		}
		receipt := ingest(t, b, tracking.Report{Source: "api", SCAC: pick("MAEU", "MSCU", ""), Facts: facts})
		u := tracking.ShipmentUpdate{Tags: tracking.Set([]string{pick("red", "blue", "Red")}), RefNumbers: tracking.Set([]string{pick("PO-1", "PO-2", "po 1")})}
		if rng.IntN(2) == 0 {
			u.Customer = tracking.Set(customers[rng.IntN(2)])
		}
		if _, err := b.UpdateShipment(ctx, receipt.ShipmentIDs[0], u); err != nil {
			t.Fatal(err)
		}
		if rng.IntN(4) == 0 {
			if _, err := b.StopTracking(ctx, receipt.ShipmentIDs[0]); err != nil {
				t.Fatal(err)
			}
		}
		setFields(rng, receipt.ShipmentIDs[0])
		// Some of those that are there change once more, so that updated_at is
		// neither created_at nor the same for a shipment and its boxes.
		ids = append(ids, receipt.ShipmentIDs[0])
		u = tracking.ShipmentUpdate{RefNumbers: tracking.Set([]string{pick("PO-1", "PO-2", "PO-3")})}
		if _, err := b.UpdateShipment(ctx, ids[rng.IntN(len(ids))], u); err != nil {
			t.Fatal(err)
		}
		refContainers(t, b, ids[i], pick("", "PO-2", "box"))
	}
	fleetTariffs(t, b)
	fleetExceptions(t, b)
}

// fleetExceptions lets users acknowledge, assign and note some of the exceptions of the fleet.
func fleetExceptions(t *testing.T, b *trackingtest.Bench) {
	t.Helper()
	b.Pass(9 * 24 * time.Hour) // the free time of some has ended
	rng := rand.New(rand.NewPCG(5, 6))
	for i, s := range allShipments(t, b) {
		list, _, err := b.Exceptions().List(ctx, tracking.ExceptionQuery{Shipments: []tracking.ID{s.ID}, Sort: []tracking.Order{{Name: "opened_at"}}}, tracking.Page{})
		if err != nil {
			t.Fatal(err)
		}
		for k := range min(len(list), 1+i%2) {
			u := tracking.ExceptionUpdate{Acknowledged: tracking.Set(rng.IntN(2) == 0), Assignee: tracking.Set([]string{"", "Kim", "Ada"}[rng.IntN(3)])}
			if _, err := b.Exceptions().Update(ctx, list[k].ID, u); err != nil {
				t.Fatal(err)
			}
			b.Clock.Advance(time.Hour)
		}
	}
}

// fleetTariffs gives the account tariffs that differ in what lists are filtered by.
func fleetTariffs(t *testing.T, b *trackingtest.Bench) {
	t.Helper()
	for _, clock := range []freetime.Clock{freetime.Demurrage, freetime.Combined} {
		for _, line := range []string{"", "MAEU", "MSCU"} {
			for _, place := range []string{"", "USLAX", "NLRTM"} {
				_, err := b.Tariffs().Create(ctx, namedTerms(fmt.Sprint(clock, line, place), func(t *freetime.Terms) {
					t.Clock, t.ShippingLineSCAC, t.LocationLOCODE = clock, line, place
					if place != "" {
						t.ValidFrom = freetime.NewDate(2026, time.Month(len(line)+1), 1)
					}
					if line != "" && place != "" {
						t.TerminalCode = "WBCT"
					}
				}))
				if err != nil {
					t.Fatal(err)
				}
				b.Clock.Advance(time.Hour)
			}
		}
	}
	b.Settle() // the containers are counted
	for _, q := range []tracking.ContainerQuery{{Accruing: tracking.Yes}, {Overdue: tracking.Yes}, {Overdue: tracking.No}} {
		if list, _, err := b.Containers(ctx, q, tracking.Page{}); err != nil || len(list) == 0 {
			t.Errorf("%d containers match %+v: %v", len(list), q, err)
		}
	}
}

// refContainers gives the containers of a shipment a reference of their own; empty for none.
func refContainers(t *testing.T, b *trackingtest.Bench, shipment tracking.ID, ref string) {
	t.Helper()
	s, err := b.Shipment(ctx, shipment)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range s.Containers {
		if _, err := b.UpdateContainer(ctx, id, tracking.ContainerUpdate{RefNumbers: tracking.Set(strings.Fields(ref))}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestQueriesMeanTheSameOnEveryStore compares what stores find by their indexes
// with what the memory store finds by what the query means.
func TestQueriesMeanTheSameOnEveryStore(t *testing.T) {
	onIndexedStores(t, queriesMeanTheSame)
}

func queriesMeanTheSame(t *testing.T, db store.Store) {
	onFile := trackingtest.New(t, func(c *tracking.Config) { c.Store = db })
	inMemory := trackingtest.New(t)
	fleet(t, onFile, 80)
	fleet(t, inMemory, 80)

	rng := rand.New(rand.NewPCG(3, 4))
	found, draws := 0, 600
	if testing.Short() {
		draws = 60
	}
	for i := range draws {
		draw := rng.Uint64()
		shipments := func(b *trackingtest.Bench) []string {
			rng := rand.New(rand.NewPCG(draw, 0))
			return shipmentNumbers(t, b, drawShipmentQuery(rng, b), drawPage(rng))
		}
		boxes := func(b *trackingtest.Bench) []string {
			rng := rand.New(rand.NewPCG(draw, 1))
			return containerNumbers(t, b, drawContainerQuery(rng, b), drawPage(rng))
		}
		revisions := func(b *trackingtest.Bench) []string {
			rng := rand.New(rand.NewPCG(draw, 2))
			return revisionLines(t, b, drawRevisionQuery(rng, b), drawPage(rng))
		}
		tariffs := func(b *trackingtest.Bench) []string {
			rng := rand.New(rand.NewPCG(draw, 3))
			return tariffNames(t, b, rng)
		}
		exceptions := func(b *trackingtest.Bench) []string {
			rng := rand.New(rand.NewPCG(draw, 4))
			return exceptionLines(t, b, drawExceptionQuery(rng, b), drawPage(rng))
		}
		for name, run := range map[string]func(*trackingtest.Bench) []string{"shipments": shipments, "containers": boxes, "revisions": revisions, "tariffs": tariffs, "exceptions": exceptions} {
			want, got := run(inMemory), run(onFile)
			found += len(want) - 1
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("query %d of %s (draw %d): -meaning +index\n%s", i, name, draw, diff)
			}
		}
	}
	if found < 5*draws {
		t.Errorf("the queries found only %d records: they test too little", found)
	}
	t.Logf("%d queries, %d records found", 5*draws, found)
	for _, b := range []*trackingtest.Bench{onFile, inMemory} {
		checkReferences(t, b)
	}
}

// checkReferences: containers are found by their own references and by those of their
// shipment, and by no others.
func checkReferences(t *testing.T, b *trackingtest.Bench) {
	t.Helper()
	want := map[string]int{}
	for _, s := range allShipments(t, b) {
		for _, id := range s.Containers {
			c, err := b.Container(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			refs := slices.Concat(s.RefNumbers, c.RefNumbers)
			slices.Sort(refs)
			for _, ref := range slices.Compact(refs) {
				want[ref]++
			}
		}
	}
	want["PO-1"], want["po 1"] = want["PO-1"]+want["po 1"], want["PO-1"]+want["po 1"] // one, folded
	if len(want) < 5 {
		t.Fatalf("the references %v are too few", want)
	}
	for ref, n := range want {
		q := tracking.ContainerQuery{TrackedQuery: tracking.TrackedQuery{RefNumbers: []string{ref}}}
		if _, got, err := b.Containers(ctx, q, tracking.Page{Number: 1, Size: 1}); err != nil || got != n {
			t.Errorf("%d containers by %q, %v; want %d", got, ref, err, n)
		}
	}
}

func maybeRange(rng *rand.Rand, from time.Time, days int) (r tracking.TimeRange) {
	if rng.IntN(6) == 0 {
		r.From = from.Add(time.Duration(rng.IntN(days*24)) * time.Hour)
	}
	if rng.IntN(6) == 0 {
		r.To = from.Add(time.Duration(rng.IntN(days*24)) * time.Hour)
	}
	return r
}

func drawTracked(rng *rand.Rand, b *trackingtest.Bench) tracking.TrackedQuery {
	customers, _, _ := b.Parties(ctx, tracking.PartyQuery{}, tracking.Page{})
	var ids []tracking.ID
	for _, c := range customers {
		ids = append(ids, c.ID)
	}
	q := tracking.TrackedQuery{
		SCACs: maybe(rng, "MAEU", "MSCU", "NONE"), POLs: maybe(rng, "CNSHA", "CNNGB"), PODs: maybe(rng, "USLAX", "NLRTM"),
		VesselIMOs: maybe(rng, "9321483", "9770749"), CustomerIDs: maybe(rng, ids...), Tags: maybe(rng, "red", "blue", "green"),
		RefNumbers: maybe(rng, "PO1", "po-2", "x", "box"),
		Created:    maybeRange(rng, trackingtest.Start, 4), Updated: maybeRange(rng, trackingtest.Start, 4), PODETA: maybeRange(rng, time.Date(2026, 2, 19, 0, 0, 0, 0, time.UTC), 21),
	}
	q.CustomFields = drawFieldConditions(rng)
	for range rng.IntN(3) {
		name := []string{"created_at", "updated_at", "pod_eta_at", "custom_fields.po", "custom_fields.weight", "custom_fields.grade"}[rng.IntN(6)]
		if !slices.ContainsFunc(q.Sort, func(o tracking.Order) bool { return o.Name == name }) {
			q.Sort = append(q.Sort, tracking.Order{Name: name, Desc: rng.IntN(2) == 0})
		}
	}
	return q
}

func drawShipmentQuery(rng *rand.Rand, b *trackingtest.Bench) tracking.ShipmentQuery {
	q := tracking.ShipmentQuery{TrackedQuery: drawTracked(rng, b), Stopped: []tracking.Tri{tracking.Any, tracking.Any, tracking.Yes, tracking.No}[rng.IntN(4)]}
	switch rng.IntN(8) {
	case 0:
		q.Number = fmt.Sprintf("number-%03d", rng.IntN(90))
	case 1:
		q.Search = []string{"NUMBER01", "test00000", "PO", "%", "NUMBER_"}[rng.IntN(5)]
	}
	return q
}

func drawContainerQuery(rng *rand.Rand, b *trackingtest.Bench) tracking.ContainerQuery {
	tri := func() tracking.Tri {
		return []tracking.Tri{tracking.Any, tracking.Any, tracking.Any, tracking.Yes, tracking.No}[rng.IntN(5)]
	}
	q := tracking.ContainerQuery{
		TrackedQuery: drawTracked(rng, b), Numbers: maybe(rng, "TEST0000001", "test 000000-2"),
		Statuses:  maybe(rng, freight.StatusNew, freight.StatusOnShip, freight.StatusAvailable, freight.StatusNotAvailable),
		PickupLFD: maybeRange(rng, trackingtest.Start, 10), Available: tri(), HasHold: tri(), Removed: tri(),
		Accruing: tri(), CostsTomorrow: tri(), CostKnown: tri(), Overdue: tri(), FreeTimeEnds: maybeRange(rng, trackingtest.Start, 10),
	}
	if rng.IntN(4) == 0 {
		q.Sort = append(q.Sort, tracking.Order{Name: []string{"pickup_lfd", "cost", "cost_tomorrow"}[rng.IntN(3)], Desc: rng.IntN(2) == 0})
	}
	return q
}

func drawRevisionQuery(rng *rand.Rand, b *trackingtest.Bench) tracking.RevisionQuery {
	list, _, _ := b.Containers(ctx, tracking.ContainerQuery{}, tracking.Page{Number: 1 + rng.IntN(40), Size: 1})
	box := list[0]
	q := tracking.RevisionQuery{Attributes: maybe[tracking.RevisedAttribute](rng, "pod_eta_at", "pickup_lfd", "pod_vessel_imo", "ind_eta_at")}
	switch rng.IntN(4) {
	case 0:
		q.Shipment = box.Shipment
	case 1:
		q.Container = box.ID
	case 2:
		q.Container, q.Estimates = box.ID, true
	}
	return q
}

func drawTariffFilter(rng *rand.Rand) freetime.Filter {
	return freetime.Filter{
		Clocks:    maybe(rng, freetime.Demurrage, freetime.Combined, freetime.Detention),
		Lines:     maybe(rng, "MAEU", "MSCU", "CMDU"),
		Places:    maybe(rng, "USLAX", "NLRTM", "DEHAM"),
		Terminals: maybe(rng, "WBCT", "APMT"),
	}
}

func tariffNames(t *testing.T, b *trackingtest.Bench, rng *rand.Rand) []string {
	t.Helper()
	var sort []tracking.Order
	if names := maybe(rng, "created_at", "updated_at", "valid_from"); len(names) > 0 {
		sort = []tracking.Order{{Name: names[0], Desc: rng.IntN(2) == 0}}
	}
	updated := maybeRange(rng, b.Clock.Now().Add(-18*time.Hour), 1)
	list, total, err := b.Tariffs().List(ctx, drawTariffFilter(rng), updated, sort, drawPage(rng))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, tariff := range list {
		out = append(out, tariff.Name)
	}
	return append(out, fmt.Sprint(total))
}

func drawExceptionQuery(rng *rand.Rand, b *trackingtest.Bench) tracking.ExceptionQuery {
	tri := func() tracking.Tri { return []tracking.Tri{tracking.Any, tracking.Yes, tracking.No}[rng.IntN(3)] }
	q := tracking.ExceptionQuery{
		Kinds: maybe(rng, "free_time_ended", "free_time_ending", "hold", "milestone_overdue", "long_dwell"), Severities: maybe(rng, "high", "medium", "low"),
		Open: tri(), Acknowledged: tri(), Assignees: maybe(rng, "Kim", "Ada", "nobody"),
		Opened: maybeRange(rng, trackingtest.Start.AddDate(0, 0, -5), 14), Updated: maybeRange(rng, b.Clock.Now().AddDate(0, 0, -9), 10),
	}
	switch rng.IntN(6) {
	case 0, 1:
		list, _, _ := b.Containers(ctx, tracking.ContainerQuery{}, tracking.Page{Number: 1 + rng.IntN(40), Size: 1})
		q.Shipments = []tracking.ID{list[0].Shipment}
		if rng.IntN(2) == 0 {
			q.Containers = []tracking.ID{list[0].ID}
		}
	}
	for range rng.IntN(3) {
		name := []string{"created_at", "opened_at", "updated_at", "severity"}[rng.IntN(4)]
		if !slices.ContainsFunc(q.Sort, func(o tracking.Order) bool { return o.Name == name }) {
			q.Sort = append(q.Sort, tracking.Order{Name: name, Desc: rng.IntN(2) == 0})
		}
	}
	return q
}

func exceptionLines(t *testing.T, b *trackingtest.Bench, q tracking.ExceptionQuery, p tracking.Page) []string {
	t.Helper()
	list, total, err := b.Exceptions().List(ctx, q, p)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		s, err := b.Shipment(ctx, e.Shipment)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(s.BillOfLadingNumber, " ", e.Kind, " ", e.Detail, " ", e.OpenedAt, e.UpdatedAt, e.Assignee))
	}
	return append(out, fmt.Sprint(total))
}

// Records are named by their numbers: their IDs differ from store to store. The
// total comes last.
func shipmentNumbers(t *testing.T, b *trackingtest.Bench, q tracking.ShipmentQuery, p tracking.Page) []string {
	t.Helper()
	list, total, err := b.Shipments(context.Background(), q, p)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range list {
		out = append(out, s.BillOfLadingNumber)
	}
	return append(out, fmt.Sprint(total))
}

func containerNumbers(t *testing.T, b *trackingtest.Bench, q tracking.ContainerQuery, p tracking.Page) []string {
	t.Helper()
	list, total, err := b.Containers(context.Background(), q, p)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range list {
		out = append(out, c.Number+" "+c.CreatedAt.Format(time.RFC3339))
	}
	return append(out, fmt.Sprint(total))
}

func revisionLines(t *testing.T, b *trackingtest.Bench, q tracking.RevisionQuery, p tracking.Page) []string {
	t.Helper()
	list, total, err := b.Revisions(context.Background(), q, p)
	if err != nil {
		t.Fatal(err)
	}
	return append(tellRevisions(list), fmt.Sprint(total))
}

// TestSearchMeansTheSameOnEveryStore asks all stores for parts of what there is.
func TestSearchMeansTheSameOnEveryStore(t *testing.T) {
	onIndexedStores(t, searchMeansTheSame)
}

func searchMeansTheSame(t *testing.T, db store.Store) {
	onFile := trackingtest.New(t, func(c *tracking.Config) { c.Store = db })
	inMemory := trackingtest.New(t)
	fleet(t, onFile, 40)
	fleet(t, inMemory, 40)
	for _, query := range []string{"NUMBER", "NUMBER0", "NUMBER01", "UMBE", "BER02", "TEST000", "0001", "PO", "po-1", "acme", "olt", "Bolt", "red", "9321483", "star", "9999"} {
		if diff := cmp.Diff(asNotFound(t, inMemory, query), asNotFound(t, onFile, query)); diff != "" {
			t.Errorf("%q: -meaning +index\n%s", query, diff)
		}
	}
}
