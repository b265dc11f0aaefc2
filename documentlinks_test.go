package tracking_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
)

// shipped reports a shipment with containers, and returns its ID.
func shipped(t *testing.T, b *trackingtest.Bench, scac, number string, containers ...string) tracking.ID {
	t.Helper()
	facts := voyage(number)
	for i := range facts {
		facts[i].ID, facts[i].Containers = fmt.Sprint(number, i), containers
	}
	return ingest(t, b, tracking.Report{Source: "api", SCAC: scac, Facts: facts}).ShipmentIDs[0]
}

// What a document is linked to, by what it says.
func TestLinks(t *testing.T) {
	const box, other = "MRKU9465770", "TCLU6718159"
	for name, row := range map[string]struct {
		content    string
		ships      string // the letters of the shipments below
		containers int
	}{
		"bill of lading":                  {"bl_number: MAEU 77-001", "a", 0},
		"without its prefix":              {"scac: MAEU\nbl_number: 77001", "a", 0},
		"and a container":                 {"bl_number: MAEU77001\ncontainer: " + box, "a", 1},
		"the container alone":             {"container: " + box, "b", 1},
		"container with its carrier":      {"scac: MAEU\ncontainer: " + box, "a", 1},
		"container of another carrier":    {"scac: HLCU\ncontainer: " + box, "", 0},
		"a bill decides on the container": {"bl_number: MAEU77001\nbooking_number: nobody's\ncontainer: " + box + "\ncontainer: " + other, "a", 1},
		"a house bill of its own":         {"hbl_number: HOUSE1\nbl_number: MSCU77002", "b", 0},
		"a reference":                     {"po: PO-4711", "c", 0},
		"a reference and a bill":          {"po: po 4711\nbl_number: MAEU77001", "ac", 0},
		"another carrier's":               {"scac: HLCU\nbl_number: MAEU77001", "", 0},
		"nobody's":                        {"bl_number: MAEU99999\ncontainer: CSQU3054383", "", 0},
		"a reference is no bill":          {"bl_number: PO-4711", "", 0},
		"a text is no number at all":      {"remarks: MAEU77001", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := trackingtest.New(t)
			ships := map[string]tracking.ID{"a": shipped(t, b, "MAEU", "MAEU77001", box)}
			b.Clock.Advance(time.Hour)
			ships["b"] = shipped(t, b, "MSCU", "MSCU77002", box, other)
			ships["c"] = shipped(t, b, "MAEU", "MAEU77003", "MSKU0000001")
			if _, err := b.UpdateShipment(ctx, ships["c"], tracking.ShipmentUpdate{RefNumbers: tracking.Set([]string{"PO 4711"})}); err != nil {
				t.Fatal(err)
			}
			var want []tracking.ID
			for _, letter := range row.ships {
				want = append(want, ships[string(letter)])
			}
			d := file(t, b, "x", "type: other\n"+row.content+"\n")
			if !slices.Equal(d.Shipments, want) || len(d.Cargos) != row.containers {
				t.Errorf("linked to %v and %d containers, want %v and %d", d.Shipments, len(d.Cargos), want, row.containers)
			}
		})
	}
}

// A shipment that comes after its document finds it, by whatever makes it one that
// the document names; a document that has nothing to do with it stays as it is.
func TestLinksAfterwards(t *testing.T) {
	for name, row := range map[string]struct {
		content string
		arrive  func(*testing.T, *trackingtest.Bench) tracking.ID
	}{
		"by its number": {"bl_number: MAEU77001", func(t *testing.T, b *trackingtest.Bench) tracking.ID {
			return shipped(t, b, "MAEU", "MAEU77001", "MRKU9465770")
		}},
		"by its box": {"container: MRKU9465770", func(t *testing.T, b *trackingtest.Bench) tracking.ID {
			return shipped(t, b, "MAEU", "MAEU77001", "MRKU9465770")
		}},
		"by a request": {"scac: MAEU\nbl_number: 77001", func(t *testing.T, b *trackingtest.Bench) tracking.ID {
			facts := voyage("MAEU77001")
			b.Source.Script("MAEU77001", trackingtest.Reply{Facts: facts})
			if _, err := b.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "MAEU77001", Type: tracking.BillOfLading, SCAC: "MAEU"}); err != nil {
				t.Fatal(err)
			}
			b.Settle()
			list, _, err := b.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{Number: 1, Size: 1})
			if err != nil || len(list) != 1 {
				t.Fatal(err, len(list))
			}
			return list[0].ID
		}},
		"by a reference that it is given": {"po: PO-4711", func(t *testing.T, b *trackingtest.Bench) tracking.ID {
			id := shipped(t, b, "MAEU", "MAEU77001")
			b.Settle()
			if _, err := b.UpdateShipment(ctx, id, tracking.ShipmentUpdate{RefNumbers: tracking.Set([]string{"PO 4711"})}); err != nil {
				t.Fatal(err)
			}
			return id
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := trackingtest.New(t)
			d := file(t, b, "x", "type: other\n"+row.content+"\n")
			apart := file(t, b, "y", "type: other\nbl_number: MAEU99999\n")
			if len(d.Shipments) != 0 {
				t.Fatalf("linked to %v already", d.Shipments)
			}
			b.Clock.Advance(time.Hour)
			id := row.arrive(t, b)
			b.Settle()
			after := reread(t, b, d.ID)
			if !slices.Equal(after.Shipments, []tracking.ID{id}) || !after.UpdatedAt.After(d.UpdatedAt) {
				t.Errorf("linked to %v at %v, want %v", after.Shipments, after.UpdatedAt, id)
			}
			if strings.HasPrefix(row.content, "container") && len(after.Cargos) != 1 {
				t.Errorf("%d containers", len(after.Cargos))
			}
			if now := reread(t, b, apart.ID); now.Version != apart.Version {
				t.Error("another document was written")
			}
		})
	}
}

// slow is a store whose every transaction takes a while, in which another server
// looks for jobs of one kind to take.
type slow struct {
	tracking.Store
	clock *trackingtest.Clock
	takes time.Duration
	kind  store.JobKind
	taken int
}

func (s *slow) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	err := s.Store.Update(ctx, a, fn)
	if s.takes > 0 {
		s.clock.Advance(s.takes)
		jobs, _ := s.Claim(ctx, store.ClaimRequest{Kinds: []store.JobKind{s.kind}, Now: s.clock.Now(), Lease: time.Minute, Limit: 1, PerGroup: 1})
		s.taken += len(jobs)
	}
	return err
}

// Linking very many documents again takes longer than a lease. One server does all of
// it.
func TestLinksAfterwardsOfManyDocuments(t *testing.T) {
	store := &slow{Store: memory.New(), kind: "link_documents"}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	store.clock = b.Clock
	var papers []tracking.ID
	for i := range 45 {
		papers = append(papers, file(t, b, fmt.Sprint(i), fmt.Sprintf("type: other\nbl_number: MAEU77001\nremarks: %d\n", i)).ID)
	}
	id := shipped(t, b, "MAEU", "MAEU77001")
	store.takes = 20 * time.Second
	b.Settle()
	for _, paper := range papers {
		if d := reread(t, b, paper); !slices.Equal(d.Shipments, []tracking.ID{id}) {
			t.Fatalf("linked to %v, want %v", d.Shipments, id)
		}
	}
	if store.taken > 0 {
		t.Errorf("another server took the job %d times", store.taken)
	}
}

// A reference that very many shipments share names none of them; the others that
// the document has still do.
func TestLinksByAWordThatManyShare(t *testing.T) {
	b := trackingtest.New(t)
	for i := range 51 {
		id := shipped(t, b, "MAEU", fmt.Sprint("MAEU8800", i))
		if _, err := b.UpdateShipment(ctx, id, tracking.ShipmentUpdate{RefNumbers: tracking.Set([]string{"IMPORT 26"})}); err != nil {
			t.Fatal(err)
		}
	}
	if d := file(t, b, "x", "type: other\npo: IMPORT 26\nbl_number: MAEU88007\n"); len(d.Shipments) != 1 {
		t.Errorf("linked to %d shipments", len(d.Shipments))
	}
}

// What a person says that a document says links it too.
func TestLinksByHand(t *testing.T) {
	b := trackingtest.New(t)
	id := shipped(t, b, "MAEU", "MAEU77001", "MRKU9465770")
	d := file(t, b, "x", "type: other\n")
	set := func(data string) *tracking.Document {
		t.Helper()
		var value json.RawMessage
		if data != "" {
			value = json.RawMessage(data)
		}
		if _, err := b.UpdateDocument(ctx, d.ID, tracking.DocumentUpdate{DataManual: tracking.Set(value)}); err != nil {
			t.Fatal(err)
		}
		b.Settle()
		return reread(t, b, d.ID)
	}
	if got := set(`{"bl":{"numbers":["maeu-77001","n/a",7]},"boxes":[{"no":"MRKU 946577-0"}]}`); !slices.Equal(got.Shipments, []tracking.ID{id}) || len(got.Cargos) != 1 {
		t.Errorf("linked to %v and %v", got.Shipments, got.Cargos)
	}
	if got := set(""); len(got.Shipments) != 0 || len(got.Cargos) != 0 || got.ExtractedDataManual != nil {
		t.Errorf("cleared, it is linked to %v", got.Shipments)
	}
}

// paper names and types for the queries below.
var (
	paperWords = []string{"Invoice", "notice", "B-L", "Übersee", "2026", "maersk", "пример", "a"}
	paperTypes = []string{"other", "bill_of_lading", "arrival_notice", ""}
)

// What is found by the indexes of a store is what the queries mean.
func TestDocumentQueriesMeanTheSameOnEveryStore(t *testing.T) {
	onIndexedStores(t, documentQueriesMeanTheSame)
}

func documentQueriesMeanTheSame(t *testing.T, db store.Store) {
	benches := []*trackingtest.Bench{trackingtest.New(t), trackingtest.New(t, func(c *tracking.Config) { c.Store = db })}
	for _, b := range benches {
		rng := rand.New(rand.NewPCG(5, 6))
		pick := func(list []string) string { return list[rng.IntN(len(list))] }
		for i := range 60 {
			content := fmt.Sprintf("%d\npo: PO-%d\n", i, rng.IntN(6))
			if typ := pick(paperTypes); typ != "" {
				content += "type: " + typ + "\n"
			}
			if i%3 == 0 {
				content += "containers: MSKU1234567\n" // a wrong check digit
			}
			name := fmt.Sprintf("%s_%s %d.pdf", pick(paperWords), pick(paperWords), i)
			if _, err := b.CreateDocument(ctx, tracking.NewDocument{Name: name, Content: []byte(content)}); err != nil {
				t.Fatal(err)
			}
			b.Clock.Advance(time.Duration(rng.IntN(3)) * time.Second)
		}
		b.Settle()
	}
	rng, found := rand.New(rand.NewPCG(7, 8)), 0
	for i := range 300 {
		q := tracking.DocumentQuery{
			FileName:   []string{"", "", "invoice", "not", "b l", "pdf INV", "ÜBER", "прим", "2026 maersk", "zzz", "...", "a.pd"}[rng.IntN(12)],
			References: maybe(rng, "po-1", "PO 2", "x"), Types: maybe(rng, "other", "arrival_notice"),
			Discrepant: []tracking.Tri{tracking.Any, tracking.Any, tracking.Yes, tracking.No}[rng.IntN(4)],
			States:     [][]tracking.DocumentState{nil, nil, {tracking.DocumentRead}, {tracking.DocumentUntyped, tracking.DocumentUnreadable}}[rng.IntN(4)],
		}
		for _, name := range []string{"document_type", "added_by", "created_at"} {
			if rng.IntN(3) == 0 {
				q.Sort = append(q.Sort, tracking.Order{Name: name, Desc: rng.IntN(2) == 0})
			}
		}
		page := drawPage(rng)
		var lists [2][]string
		for n, b := range benches {
			list, total, err := b.Documents(ctx, q, page)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range list {
				lists[n] = append(lists[n], d.Name)
			}
			lists[n] = append(lists[n], fmt.Sprint(total))
		}
		found += len(lists[0]) - 1
		if diff := cmp.Diff(lists[0], lists[1]); diff != "" {
			t.Fatalf("query %d, %+v: -meaning +index\n%s", i, q, diff)
		}
	}
	if found < 300 {
		t.Errorf("the queries found only %d documents: they test too little", found)
	}
}

// Every word counts, the last one by its beginning.
func TestFileNames(t *testing.T) {
	b := trackingtest.New(t)
	for i, name := range []string{"Arrival Notice MAEU123.pdf", "arrival_notice-final.PDF", "Notice.pdf", "Rechnung Übersee.pdf"} {
		if _, err := b.CreateDocument(ctx, tracking.NewDocument{Name: name, Content: []byte{byte(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	for query, want := range map[string]int{
		"": 4, "notice": 3, "arrival notice": 2, "notice arrival": 2, "arriv notice": 0, "notice arriv": 2, "maeu": 1, "maeu123 pdf": 1,
		"übersee": 1, "UBER": 0, "ÜBER": 1, "pdf": 4, "  ": 0, "%": 0, "notice.pdf": 3,
	} {
		if _, total, err := b.Documents(ctx, tracking.DocumentQuery{FileName: query}, tracking.Page{Number: 1, Size: 1}); err != nil || total != want {
			t.Errorf("%q finds %d, want %d; %v", query, total, want, err)
		}
	}
}

// A query of very many words is refused, unless they are few that are said again.
func TestFileNamesOfManyWords(t *testing.T) {
	onIndexedStores(t, fileNamesOfManyWords)
}

func fileNamesOfManyWords(t *testing.T, db store.Store) {
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = db })
	various := ""
	for i := range 1100 {
		various += fmt.Sprint(i, " ")
	}
	for name, row := range map[string]struct{ query, parameter string }{
		"few":       {strings.Repeat("notice ", 1100), ""},
		"very many": {various, "filter[filename]"},
	} {
		_, _, err := b.Documents(ctx, tracking.DocumentQuery{FileName: row.query}, tracking.Page{Number: 1, Size: 1})
		var e *tracking.Error
		if row.parameter == "" && err != nil || row.parameter != "" && (!errors.As(err, &e) || e.Kind != tracking.BadQuery || e.Field != row.parameter) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a person links stays linked, and what they unlink does not come back with a reading.
func TestLinkDocument(t *testing.T) {
	b := trackingtest.New(t)
	named, other := shipped(t, b, "MAEU", "MAEU77001", "MRKU9465770"), shipped(t, b, "MAEU", "MAEU77002", "MSKU1234565")
	d := file(t, b, "x", "type: other\n")
	link := func(l tracking.DocumentLink) *tracking.Document {
		t.Helper()
		if _, err := b.LinkDocument(ctx, d.ID, l); err != nil {
			t.Fatal(err)
		}
		if err := b.ReextractDocument(ctx, d.ID); err != nil {
			t.Fatal(err)
		}
		b.Settle()
		return reread(t, b, d.ID)
	}
	box, err := b.Shipment(ctx, other)
	if err != nil {
		t.Fatal(err)
	}
	if got := link(tracking.DocumentLink{Shipment: named}); !slices.Equal(got.Shipments, []tracking.ID{named}) || len(got.Cargos) != 0 {
		t.Errorf("linked to %v and %v", got.Shipments, got.Cargos)
	}
	if got := link(tracking.DocumentLink{Container: box.Containers[0]}); len(got.Shipments) != 2 || !slices.Equal(got.Cargos, box.Containers) {
		t.Errorf("with a container it is linked to %v and %v", got.Shipments, got.Cargos)
	}
	if got := link(tracking.DocumentLink{Shipment: other, Remove: true}); !slices.Equal(got.Shipments, []tracking.ID{named}) || len(got.Cargos) != 0 {
		t.Errorf("without the other it is linked to %v and %v", got.Shipments, got.Cargos)
	}
	both := file(t, b, "both", "type: other\ncontainers: MSKU1234565\n")
	if _, err := b.LinkDocument(ctx, both.ID, tracking.DocumentLink{Container: box.Containers[0]}); err != nil {
		t.Fatal(err)
	}
	if got := reread(t, b, both.ID); !slices.Equal(got.Cargos, box.Containers) {
		t.Errorf("a container that the document names and a person links: %v", got.Cargos)
	}
	if _, err := b.LinkDocument(ctx, both.ID, tracking.DocumentLink{Shipment: other, Remove: true}); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		shipment tracking.ID
		want     int
	}{{named, 1}, {other, 0}} {
		if _, n, err := b.Documents(ctx, tracking.DocumentQuery{Shipments: []tracking.ID{row.shipment}}, tracking.Page{Number: 1, Size: 1}); err != nil || n != row.want {
			t.Errorf("%d documents of %v, error %v", n, row.shipment, err)
		}
	}
	made, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "y", Body: strings.NewReader("type: other\nanother\n"), Shipment: other})
	if err != nil || !slices.Equal(made.Shipments, []tracking.ID{other}) {
		t.Errorf("uploaded for a shipment: %v, error %v", made, err)
	}
	for name, l := range map[string]tracking.DocumentLink{"nothing": {}, "no shipment": {Shipment: uuid.New()}, "no container": {Container: uuid.New()}} {
		var fault *tracking.Error
		if _, err := b.LinkDocument(ctx, d.ID, l); !errors.As(err, &fault) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "z", Body: strings.NewReader("")}); err == nil {
		t.Error("a file without bytes is taken")
	}
	if _, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "z", Body: strings.NewReader("z"), Shipment: uuid.New()}); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("uploaded for no shipment: %v", err)
	}
}
