//go:build cgo

package tracking_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/internal/fieldtype/fieldtypetest"
	"github.com/landfallhq/tracking/trackingtest"
)

// TestCustomFieldRoundTrip: LANDFALL_VALUES random values (600 unless it is set)
// of all data types are stored, read, displayed, filtered for and found again,
// and sent back as they were read.
func TestCustomFieldRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector has nothing to see here that TestConcurrentCustomFields does not show it")
	}
	const ships = 75
	count := drill.Count(t, "LANDFALL_VALUES", 600)
	onBothStores(t, func(t *testing.T, b *trackingtest.Bench) {
		rng := drill.Random(t)
		entities := manyShipments(t, b, ships)
		party, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme"})
		if err != nil {
			t.Fatal(err)
		}
		for _, typ := range tracking.Describe().DataTypes {
			d := define(t, b, tracking.ShipmentEntity, string(typ), typ, func(n *tracking.NewCustomFieldDefinition) {
				if typ == tracking.ReferenceField {
					n.ReferenceType = "party"
				}
			})
			if typ == tracking.EnumField || typ == tracking.EnumMultiField {
				choices(t, b, d, "low", "high", "a,b")
			}
		}
		done := 0
		for done < count {
			for _, typ := range tracking.Describe().DataTypes {
				var items []tracking.NewCustomField
				texts := make([]string, ships)
				for i, e := range entities {
					drawn := fieldtypetest.Draw(rng, string(typ))
					raw, text := json.RawMessage(drawn.JSON), drawn.Text
					if typ == tracking.ReferenceField {
						raw, text = json.RawMessage(`{"type":"party","id":"`+party.ID.String()+`"}`), party.ID.String()
					}
					texts[i] = text
					items = append(items, tracking.NewCustomField{Entity: e, APISlug: string(typ), Value: raw})
				}
				checkRound(t, b, items, texts)
				done += ships
			}
		}
		t.Logf("%d values", done)
	})
}

// manyShipments are shipments that one report makes.
func manyShipments(t *testing.T, b *trackingtest.Bench, n int) (list []tracking.Entity) {
	t.Helper()
	var facts []tracking.Fact
	for i := range n {
		fact := voyage(fmt.Sprint("MAEU", 1000+i))[0]
		fact.ID = fmt.Sprint(i)
		facts = append(facts, fact)
	}
	for _, id := range ingest(t, b, api(facts...)).ShipmentIDs {
		list = append(list, ofShipment(id))
	}
	if len(list) != n {
		t.Fatalf("%d shipments", len(list))
	}
	return list
}

// checkRound sets one value on each shipment, and finds it again.
func checkRound(t *testing.T, b *trackingtest.Bench, items []tracking.NewCustomField, texts []string) {
	t.Helper()
	results, err := b.SetCustomFields(ctx, tracking.BulkCustomFields{Items: items, Atomic: true})
	if err != nil {
		t.Fatal(err)
	}
	again := slices.Clone(items)
	for i, r := range results {
		f, err := b.CustomField(ctx, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("%s %s is %s, displayed as %q", f.APISlug, items[i].Value, f.Value, f.DisplayValue)
		if f.DisplayValue == "" && strings.TrimSpace(texts[i]) != "" {
			t.Fatal(what)
		}
		found, _, err := b.Shipments(ctx, tracking.ShipmentQuery{TrackedQuery: tracking.TrackedQuery{
			CustomFields: []tracking.FieldCondition{{Slug: f.APISlug, Values: []string{texts[i]}}},
		}}, tracking.Page{})
		if err != nil {
			t.Fatalf("%s; a filter by %q: %v", what, texts[i], err)
		}
		if !slices.ContainsFunc(found, func(s *tracking.Shipment) bool { return s.ID == f.Entity.ID }) {
			t.Fatalf("%s; a filter by %q finds %d others", what, texts[i], len(found))
		}
		again[i].Value = f.Value
	}
	// What was read is what is there: to send it back changes nothing.
	if _, err := b.SetCustomFields(ctx, tracking.BulkCustomFields{Items: again, Atomic: true}); err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		if f, err := b.CustomField(ctx, r.ID); err != nil || string(f.Value) != string(again[i].Value) {
			t.Fatalf("%s was sent back and became %s, %v", again[i].Value, f.Value, err)
		}
	}
}
