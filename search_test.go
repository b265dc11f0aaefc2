package tracking_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// asNotFound says what a search shows, in its order: the sort of thing and its number.
func asNotFound(t testing.TB, b *trackingtest.Bench, query string) string {
	t.Helper()
	list, err := b.Search(ctx, query)
	if err != nil {
		t.Fatalf("search %q: %v", query, err)
	}
	var out []string
	for _, r := range list {
		out = append(out, r.EntityType+" "+r.Number)
	}
	return strings.Join(out, ", ")
}

// searched is two shipments, one request that came to nothing and one that waits.
func searched(t *testing.T) *trackingtest.Bench {
	b := trackingtest.New(t)
	acme, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: "Mühle & Söhne Ltd."})
	if err != nil {
		t.Fatal(err)
	}
	for i, number := range []string{"MAEU-7700.1234", "ZZ99"} {
		facts := voyage(number)
		for j := range facts {
			facts[j].ID = fmt.Sprint(number, facts[j].ID)
			facts[j].Containers = []string{[]string{"MRKU9465770", "TCLU6718159"}[i]}
			if i == 1 && facts[j].Vessel != (tracking.VesselRef{}) {
				facts[j].Vessel = tracking.VesselRef{Name: "Nameless Wanderer"}
			}
			if i == 0 {
				facts[j].Numbers = append(facts[j].Numbers, tracking.ShipmentNumber{Type: tracking.BookingNumber, Number: "BKG5550001"})
			}
		}
		r := ingest(t, b, tracking.Report{Source: "api", SCAC: "MAEU", Facts: facts})
		u := tracking.ShipmentUpdate{RefNumbers: tracking.Set([]string{"PO(2026)/" + fmt.Sprint(i) + "-A"}), Tags: tracking.Set([]string{[]string{"Spring Range", "urgent"}[i]})}
		if i == 0 {
			u.Customer = tracking.Set(acme.ID)
		}
		if _, err := b.UpdateShipment(ctx, r.ShipmentIDs[0], u); err != nil {
			t.Fatal(err)
		}
		b.Clock.Advance(time.Hour)
	}
	create(t, b, tracking.NewTrackingRequest{Number: "HLCU4444555", Type: tracking.BillOfLading, SCAC: "HLCU", RefNumbers: []string{"REF-77001"}, Tags: []string{"waiting"}})
	create(t, b, tracking.NewTrackingRequest{Number: "ZZ99", Type: tracking.BillOfLading, SCAC: "MAEU"}) // a shipment's
	return b
}

func TestSearch(t *testing.T) {
	b := searched(t)
	for _, row := range []struct{ query, want string }{
		{"MAEU77001234", "shipment MAEU-7700.1234"},
		{"maeu 7700-1234", "shipment MAEU-7700.1234"},
		{"77001234", "shipment MAEU-7700.1234"}, // without the carrier's prefix
		{"maeu77", "shipment MAEU-7700.1234"},   // a beginning
		{"0012", "shipment MAEU-7700.1234"},     // inside
		{"012", ""},                             // inside, and too short
		{"ZZ", "shipment ZZ99"},                 // a beginning may be short
		{"5550001", "shipment MAEU-7700.1234"},  // a booking
		{"mrku9465770", "shipment MAEU-7700.1234, cargo MRKU9465770"},
		{"4657", "shipment MAEU-7700.1234, cargo MRKU9465770"},
		{"po2026", "shipment ZZ99, shipment MAEU-7700.1234"}, // the last created first
		{"PO(2026)/1-A", "shipment ZZ99"},
		{"0261", "shipment ZZ99"},
		{"springrange", "shipment MAEU-7700.1234"},
		{"range", "shipment MAEU-7700.1234"},
		{"urg", "shipment ZZ99"},
		{"test star", "shipment MAEU-7700.1234"}, // the vessel, by its number
		{"star", "shipment MAEU-7700.1234"},
		{"9321483", "shipment MAEU-7700.1234"},
		{"wanderer", "shipment ZZ99"}, // a vessel without a number
		{"söhne", "shipment MAEU-7700.1234"},
		{"MÜHLE", "shipment MAEU-7700.1234"},
		{"ühle", "shipment MAEU-7700.1234"},
		{"ltd", "shipment MAEU-7700.1234"},
		{"hlcu4444555", "tracking_request HLCU4444555"},
		{"4445", "tracking_request HLCU4444555"},
		{"waiting", "tracking_request HLCU4444555"},
		{"7700", "shipment MAEU-7700.1234, tracking_request HLCU4444555"},
		{"ZZ99", "shipment ZZ99"}, // its request is left out
		{"MAEU77001234 and much more than any number is long", ""},
		{"nothing", ""},
		{"%", ""}, {"_", ""}, {"-", ""}, {"'", ""}, {"\x00", ""}, {"日本語", ""},
	} {
		if got := asNotFound(t, b, row.query); got != row.want {
			t.Errorf("%q finds %s, want %s", row.query, got, row.want)
		}
	}
	_, err := b.Search(ctx, " \t")
	var fault *tracking.Error
	if !errors.As(err, &fault) || fault.Kind != tracking.BadQuery || fault.Field != "query" {
		t.Errorf("a blank query: %v", err)
	}
}

// What a record is found by follows its changes.
func TestSearchFollowsChanges(t *testing.T) {
	b := searched(t)
	list, _, err := b.Shipments(ctx, tracking.ShipmentQuery{Number: "ZZ99"}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	s := list[0]
	if _, err := b.UpdateShipment(ctx, s.ID, tracking.ShipmentUpdate{Tags: tracking.Set([]string{"autumn"})}); err != nil {
		t.Fatal(err)
	}
	if got := asNotFound(t, b, "rgent"); got != "" {
		t.Errorf("a tag that is gone finds %s", got)
	}
	if got := asNotFound(t, b, "utumn"); got != "shipment ZZ99" {
		t.Errorf("the new tag finds %q", got)
	}
	parties, _, err := b.Parties(ctx, tracking.PartyQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.UpdateParty(ctx, parties[0].ID, tracking.PartyUpdate{CompanyName: tracking.Set("Renamed")}); err != nil {
		t.Fatal(err)
	}
	if was, is := asNotFound(t, b, "söhne"), asNotFound(t, b, "named"); was != "" || is != "shipment MAEU-7700.1234" {
		t.Errorf("after the new name, the old one finds %q and the new one %q", was, is)
	}
}

// Whatever stands in a number, from four characters on, finds it.
func TestSearchFindsEveryPart(t *testing.T) {
	b := trackingtest.New(t)
	rapid.Check(t, func(rt *rapid.T) {
		number := rapid.StringMatching(`[A-Z0-9ÄÖßé日-]{4,40}`).Draw(rt, "number")
		folded := []rune(strings.ToUpper(strings.ReplaceAll(number, "-", "")))
		if len(folded) < 4 {
			return
		}
		p, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: number})
		if err != nil {
			return // the name of another draw
		}
		facts := voyage(fmt.Sprintf("P%s", p.ID))[:1]
		facts[0].ID = p.ID.String()
		r, err := b.Ingest(ctx, tracking.Report{Source: "api", SCAC: "MAEU", Facts: facts})
		if err != nil {
			rt.Fatal(err)
		}
		if _, err := b.UpdateShipment(ctx, r.ShipmentIDs[0], tracking.ShipmentUpdate{RefNumbers: tracking.Set([]string{number})}); err != nil {
			rt.Fatal(err)
		}
		from := rapid.IntRange(0, len(folded)-4).Draw(rt, "from")
		to := rapid.IntRange(from+4, len(folded)).Draw(rt, "to")
		list, err := b.Search(ctx, string(folded[from:to]))
		if err != nil {
			rt.Fatal(err)
		}
		for _, res := range list {
			if res.ID == r.ShipmentIDs[0] {
				return
			}
		}
		if len(list) < 25 {
			rt.Fatalf("%q in %q: not among %d results", string(folded[from:to]), number, len(list))
		}
	})
}

// Custom fields lead to what they are of: by their whole, a beginning and a part.
// Those that many have the same of, and those that are not to be filtered by, do not.
func TestSearchByCustomFields(t *testing.T) {
	b := searched(t)
	shipment := ingest(t, b, api(voyage("FIELDS1")...)).ShipmentIDs[0]
	set := func(slug, value string) {
		t.Helper()
		if _, err := b.SetCustomField(ctx, tracking.NewCustomField{Entity: tracking.Entity{Type: tracking.ShipmentEntity, ID: shipment}, APISlug: slug, Value: []byte(value)}); err != nil {
			t.Fatal(err)
		}
	}
	buyer := define(t, b, tracking.ShipmentEntity, "buyer", tracking.ShortTextField)
	define(t, b, tracking.ShipmentEntity, "lot", tracking.NumberField)
	define(t, b, tracking.ShipmentEntity, "due", tracking.DateField)
	define(t, b, tracking.ShipmentEntity, "secret", tracking.ShortTextField, func(n *tracking.NewCustomFieldDefinition) { n.NotFilterable = true })
	set("buyer", `"Gärtner & Cie"`)
	set("lot", `887766`)
	set("due", `"2031-12-24"`)
	set("secret", `"hushhush"`)
	for query, want := range map[string]string{
		"gärtner": "shipment FIELDS1", "gärt": "shipment FIELDS1", "rtner": "shipment FIELDS1", "gärtner cie": "shipment FIELDS1",
		"887766": "shipment FIELDS1", "7766": "shipment FIELDS1", "20311224": "", "hushhush": "",
	} {
		if got := asNotFound(t, b, query); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	if err := b.DeleteCustomFieldDefinition(ctx, buyer.ID); err != nil {
		t.Fatal(err)
	}
	if got := asNotFound(t, b, "gärtner"); got != "" {
		t.Errorf("found by a field that is gone: %s", got)
	}
}

// Records of a program without this search are found once they are rewritten.
func TestSearchFindsOldRecords(t *testing.T) {
	b, s := spied(t)
	ingest(t, b, api(voyage("MAEU77001234")...))
	for _, name := range []string{"shipment", "container"} {
		k := *s.kinds[name]
		k.Revision = "0"
		rows := s.rows(t, b.Account.Scope(), name, store.Filter{})
		err := s.Store.Update(ctx, b.Account.Scope(), func(tx store.RecordTx) error {
			for _, r := range rows {
				w, err := s.kinds[name].Render(r)
				if err != nil {
					return err
				}
				w.Terms = nil
				if err := tx.Delete(ctx, &k, r.ID); err != nil {
					return err
				}
				if _, err := tx.Put(ctx, &k, w); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Operator.OlderGeneration(ctx, b.Account.Scope()); err != nil {
		t.Fatal(err)
	}
	if got := asNotFound(t, b, "7700"); got != "" {
		t.Fatalf("they are no old records: %s", got)
	}
	b.Settle()
	for range 10 {
		b.Pass(time.Minute)
	}
	if diff := cmp.Diff("shipment MAEU77001234", asNotFound(t, b, "7700")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("shipment MAEU77001234, cargo APZU4812090", asNotFound(t, b, "8120")); diff != "" {
		t.Error(diff)
	}
}

// TestSearchForLongTexts: a text that is longer than what is kept of a part is
// compared as a whole, also where very many names begin like it.
func TestSearchForLongTexts(t *testing.T) {
	b := searched(t)
	const name = "The International Shipping and Forwarding Company %d"
	for i := range 220 {
		p, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: fmt.Sprintf(name, 100+i)})
		if err != nil {
			t.Fatal(err)
		}
		if at := slices.Index([]int{218, 219}, i); at >= 0 {
			list, _, err := b.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{Number: 1, Size: 2})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.UpdateShipment(ctx, list[at].ID, tracking.ShipmentUpdate{Customer: tracking.Set(p.ID)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, row := range []struct{ query, want string }{
		{"International Shipping and Forwarding Company 318", "shipment ZZ99"},
		{"national shipping & forwarding company 319", ""}, // the and is a word
		{"national shipping and forwarding company 319", "shipment MAEU-7700.1234"},
		{"The International Shipping and Forwarding Company 319", "shipment MAEU-7700.1234"},
		{"International Shipping and Forwarding Company 317", ""},
		{"International Shipping and Forwarding Company 3189", ""},
		{"International Shipping and Forwarding Co. 318", ""},
		{"Domestic Shipping and Forwarding Company 318", ""}, // its end is there
	} {
		if got := asNotFound(t, b, row.query); got != row.want {
			t.Errorf("search %q: %s, want %s", row.query, got, row.want)
		}
	}
}
