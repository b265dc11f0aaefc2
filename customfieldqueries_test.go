//go:build cgo

package tracking_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

// fieldFleet fills a tracker with definitions, options and values; some of the
// definitions are deleted, and their values are still there.
func fieldFleet(t *testing.T, b *trackingtest.Bench) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	var entities []tracking.Entity
	for i := range 6 {
		receipt := ingest(t, b, api(voyage(fmt.Sprint("B", i))...))
		entities = append(entities, ofShipment(receipt.ShipmentIDs[0]), ofContainer(receipt.ContainerIDs[0]))
	}
	for i := range 60 {
		e := entities[rng.IntN(len(entities))]
		d := define(t, b, e.Type, fmt.Sprint("f", i), tracking.Describe().DataTypes[rng.IntN(2)*6], func(n *tracking.NewCustomFieldDefinition) {
			n.DisplayName = pick("Alpha", "alphabet", "ALP", "Beta", "100%", "a_b") + fmt.Sprint(" ", i)
		})
		value := `"a"`
		if d.DataType == tracking.EnumMultiField {
			for j := range 4 {
				if _, err := b.CreateCustomFieldOption(ctx, d.ID, tracking.NewCustomFieldOption{Label: "L", Value: fmt.Sprint(j), Position: tracking.Set(rng.IntN(2))}); err != nil {
					t.Fatal(err)
				}
			}
			value = `["1","2"]`
		}
		for range 1 + rng.IntN(4) {
			if e := entities[rng.IntN(len(entities))]; e.Type == d.EntityType {
				setField(t, b, e, d.APISlug, value)
			}
		}
		if rng.IntN(6) == 0 {
			if err := b.DeleteCustomFieldDefinition(ctx, d.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestCustomFieldQueriesMeanTheSame: definitions, options and values, as
// TestQueriesMeanTheSameOnEveryStore does for shipments.
func TestCustomFieldQueriesMeanTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, many queries")
	}
	onIndexedStores(t, customFieldQueriesMeanTheSame)
}

func customFieldQueriesMeanTheSame(t *testing.T, db store.Store) {
	onFile, inMemory := trackingtest.New(t, func(c *tracking.Config) { c.Store = db }), trackingtest.New(t)
	fieldFleet(t, onFile)
	fieldFleet(t, inMemory)
	rng, found := rand.New(rand.NewPCG(7, 8)), 0
	for i := range 200 {
		draw := rng.Uint64()
		run := func(b *trackingtest.Bench) []string {
			rng := rand.New(rand.NewPCG(draw, 0))
			lines := append(drawDefinitions(t, rng, b), drawValues(t, rng, b)...)
			return append(lines, drawOptions(t, rng, b)...)
		}
		want, got := run(inMemory), run(onFile)
		found += len(want) - 3
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("query %d (draw %d): -meaning +index\n%s", i, draw, diff)
		}
	}
	if found < 1000 {
		t.Errorf("the queries found only %d records: they test too little", found)
	}
	t.Logf("600 queries, %d records found", found)
}

func drawDefinitions(t *testing.T, rng *rand.Rand, b *trackingtest.Bench) (lines []string) {
	q := tracking.CustomFieldDefinitionQuery{
		EntityTypes: maybe(rng, tracking.Describe().EntityTypes...), DataTypes: maybe(rng, tracking.ShortTextField, tracking.EnumMultiField),
		Slugs: maybe(rng, "f1", "f2", "f30"),
	}
	if rng.IntN(2) == 0 {
		q.DisplayName = []string{"alp", "ALPHA", "b", "100%", "a_", "%", "zeta"}[rng.IntN(7)]
	}
	list, total, err := b.CustomFieldDefinitions(ctx, q, drawPage(rng))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		lines = append(lines, d.APISlug+" "+d.DisplayName)
	}
	return append(lines, fmt.Sprint(total))
}

func drawValues(t *testing.T, rng *rand.Rand, b *trackingtest.Bench) (lines []string) {
	definitions, _, _ := b.CustomFieldDefinitions(ctx, tracking.CustomFieldDefinitionQuery{}, tracking.Page{})
	ships, _, _ := b.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{})
	q := tracking.CustomFieldQuery{EntityTypes: maybe(rng, tracking.Describe().EntityTypes...)}
	if rng.IntN(3) == 0 {
		q.Entities = []tracking.ID{ships[rng.IntN(len(ships))].ID, ships[0].Containers[0]}
	}
	if rng.IntN(3) == 0 {
		q.Definitions = []tracking.ID{definitions[rng.IntN(len(definitions))].ID, definitions[rng.IntN(len(definitions))].ID}
	}
	list, total, err := b.CustomFields(ctx, q, drawPage(rng))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		lines = append(lines, fmt.Sprintf("%s %s %s", f.Entity.Type, f.APISlug, f.Value))
	}
	return append(lines, fmt.Sprint(total))
}

func drawOptions(t *testing.T, rng *rand.Rand, b *trackingtest.Bench) (lines []string) {
	definitions, _, _ := b.CustomFieldDefinitions(ctx, tracking.CustomFieldDefinitionQuery{}, tracking.Page{})
	list, total, err := b.CustomFieldOptions(ctx, tracking.CustomFieldOptionQuery{Definition: definitions[rng.IntN(len(definitions))].ID}, drawPage(rng))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range list {
		lines = append(lines, fmt.Sprintf("%s at %d", o.Value, o.Position))
	}
	return append(lines, fmt.Sprint(total))
}
