package tracking_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// fleetFields defines the fields that the lists of a fleet are asked by, on
// shipments and containers alike, and returns what gives a shipment and its
// boxes random values, or none.
func fleetFields(t *testing.T, b *trackingtest.Bench) func(*rand.Rand, tracking.ID) {
	t.Helper()
	for _, e := range []tracking.EntityType{tracking.ShipmentEntity, tracking.ContainerEntity} {
		define(t, b, e, "po", tracking.ShortTextField)
		define(t, b, e, "weight", tracking.NumberField)
		choices(t, b, define(t, b, e, "grade", tracking.EnumField), "a", "b", "c")
		choices(t, b, define(t, b, e, "labels", tracking.EnumMultiField), "x", "y", "z")
	}
	return func(rng *rand.Rand, shipment tracking.ID) {
		t.Helper()
		s, err := b.Shipment(ctx, shipment)
		if err != nil {
			t.Fatal(err)
		}
		entities := []tracking.Entity{ofShipment(shipment)}
		for _, container := range s.Containers {
			entities = append(entities, ofContainer(container))
		}
		for _, e := range entities {
			for slug, value := range map[string]string{
				"po": fmt.Sprintf(`"PO-%d"`, rng.IntN(6)), "weight": fmt.Sprint(float64(rng.IntN(9)-4) / 2),
				"grade": fmt.Sprintf("%q", "abc"[rng.IntN(3):][:1]), "labels": fmt.Sprintf(`[%q,"z"]`, "xyz"[rng.IntN(3):][:1]),
			} {
				if len(slug)%2 == 0 || s.NormalizedNumber[len(s.NormalizedNumber)-1]%3 > 0 { // not a draw: the order of a map is no order
					setField(t, b, e, slug, value)
				}
			}
		}
	}
}

func drawFieldConditions(rng *rand.Rand) (conds []tracking.FieldCondition) {
	for range max(0, rng.IntN(6)-3) {
		weight := fmt.Sprint(float64(rng.IntN(11)-5) / 2)
		conds = append(conds, []tracking.FieldCondition{
			{Slug: "po", Values: []string{fmt.Sprintf("PO-%d", rng.IntN(7))}},
			{Slug: "po", Op: tracking.FieldIn, Values: []string{"PO-1", "PO-2", "x"}},
			{Slug: "po", Op: tracking.FieldPresent, Values: []string{fmt.Sprint(rng.IntN(2) == 0)}},
			{Slug: "weight", Op: tracking.FieldAfter, Values: []string{weight}},
			{Slug: "weight", Op: tracking.FieldTo, Values: []string{weight}},
			{Slug: "grade", Values: []string{"abc"[rng.IntN(3):][:1]}},
			{Slug: "labels", Op: tracking.FieldIn, Values: []string{"x", "z"}},
			{Slug: "labels", Values: []string{"y"}},
		}[rng.IntN(8)])
	}
	return conds
}

// TestFilterByCustomFields asks lists of all three kinds for what their fields
// say: the entities 1 to 5, of which 5 has no value at all.
func TestFilterByCustomFields(t *testing.T) {
	onBothStores(t, func(t *testing.T, b *trackingtest.Bench) {
		party, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme"})
		if err != nil {
			t.Fatal(err)
		}
		ref := `{"type":"party","id":"` + party.ID.String() + `"}`
		values := map[string][]string{ // of the entities 1, 2, 3, 4; empty for none
			"po":     {`"b"`, `"a,b"`, `"B"`, `""`},
			"weight": {`-1.5`, `10`, `9`, ``},
			"due":    {`"2026-03-01"`, `"2026-02-28"`, ``, `"2026-03-02"`},
			"seen":   {`"2026-03-01T08:00:00+02:00"`, `"2026-03-01T06:00:00Z"`, `"2026-03-01T06:00:00.5Z"`, ``},
			"ok":     {`true`, `false`, `true`, `null`},
			"grade":  {`"low"`, `"high"`, `"low"`, ``},
			"labels": {`["x","y"]`, `["y"]`, `[]`, ``},
			"buyer":  {ref, ``, ``, ``},
		}
		lists := map[tracking.EntityType]func([]tracking.FieldCondition, ...tracking.Order) (string, error){}
		for _, e := range tracking.Describe().EntityTypes {
			for slug, typ := range map[string]tracking.DataType{
				"po": tracking.ShortTextField, "weight": tracking.NumberField, "due": tracking.DateField, "seen": tracking.DatetimeField, "ok": tracking.BooleanField,
				"grade": tracking.EnumField, "labels": tracking.EnumMultiField, "buyer": tracking.ReferenceField,
			} {
				d := define(t, b, e, slug, typ, func(n *tracking.NewCustomFieldDefinition) {
					if typ == tracking.ReferenceField {
						n.ReferenceType = "party"
					}
				})
				if typ == tracking.EnumField || typ == tracking.EnumMultiField {
					choices(t, b, d, "low", "high", "x", "y")
				}
			}
			define(t, b, e, "secret", tracking.ShortTextField, func(n *tracking.NewCustomFieldDefinition) { n.NotFilterable = true })
		}
		names := map[tracking.ID]string{}
		for i := range 5 {
			name := fmt.Sprint(i + 1)
			facts := voyage("NUMBER" + name)
			for j := range facts {
				facts[j].ID, facts[j].Containers = name+facts[j].ID, []string{"TEST000000" + name}
			}
			shipment := ingest(t, b, api(facts...)).ShipmentIDs[0]
			s, err := b.Shipment(ctx, shipment)
			if err != nil {
				t.Fatal(err)
			}
			r, err := b.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "OTHER" + name, Type: tracking.BillOfLading, SCAC: "MAEU"})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range []tracking.Entity{ofShipment(shipment), ofContainer(s.Containers[0]), ofRequest(r.ID)} {
				names[e.ID] = name
				for slug, list := range values {
					if i < 4 && list[i] != "" {
						setField(t, b, e, slug, list[i])
					}
				}
			}
		}
		tell := func(ids []tracking.ID, total int, err error) (string, error) {
			var found []string
			for _, id := range ids {
				found = append(found, names[id])
			}
			if err == nil && total != len(ids) {
				t.Errorf("total %d of %v", total, found)
			}
			return strings.Join(found, ""), err
		}
		lists[tracking.ShipmentEntity] = func(conds []tracking.FieldCondition, sort ...tracking.Order) (string, error) {
			list, n, err := b.Shipments(ctx, tracking.ShipmentQuery{TrackedQuery: tracking.TrackedQuery{CustomFields: conds, Sort: sort}}, tracking.Page{})
			return tell(idsOf(list, func(s *tracking.Shipment) tracking.ID { return s.ID }), n, err)
		}
		lists[tracking.ContainerEntity] = func(conds []tracking.FieldCondition, sort ...tracking.Order) (string, error) {
			list, n, err := b.Containers(ctx, tracking.ContainerQuery{TrackedQuery: tracking.TrackedQuery{CustomFields: conds, Sort: sort}}, tracking.Page{})
			return tell(idsOf(list, func(c *tracking.Container) tracking.ID { return c.ID }), n, err)
		}
		lists[tracking.TrackingRequestEntity] = func(conds []tracking.FieldCondition, sort ...tracking.Order) (string, error) {
			list, n, err := b.TrackingRequests(ctx, tracking.TrackingRequestQuery{CustomFields: conds, Sort: sort}, tracking.Page{})
			return tell(idsOf(list, func(r *tracking.TrackingRequest) tracking.ID { return r.ID }), n, err)
		}
		is := func(slug string, values ...string) tracking.FieldCondition {
			return tracking.FieldCondition{Slug: slug, Values: values}
		}
		op := func(slug string, op tracking.FieldOp, values ...string) tracking.FieldCondition {
			return tracking.FieldCondition{Slug: slug, Op: op, Values: values}
		}
		by := func(slug string) tracking.Order { return tracking.Order{Name: "custom_fields." + slug} }
		down := func(slug string) tracking.Order { return tracking.Order{Name: "custom_fields." + slug, Desc: true} }
		for _, tt := range []struct {
			conds []tracking.FieldCondition
			sort  []tracking.Order
			want  string // the names in order, or code and field of the refusal
		}{
			{nil, nil, "54321"},
			{[]tracking.FieldCondition{is("po", "b")}, nil, "1"},
			{[]tracking.FieldCondition{is("po", "a,b")}, nil, "2"},
			{[]tracking.FieldCondition{op("po", tracking.FieldIn, "b", "B", "none")}, nil, "31"},
			{[]tracking.FieldCondition{op("po", tracking.FieldPresent, "true")}, nil, "4321"},
			{[]tracking.FieldCondition{op("po", tracking.FieldPresent, "false")}, nil, "5"},
			{[]tracking.FieldCondition{is("weight", "10.0")}, nil, "2"},
			{[]tracking.FieldCondition{is("weight", "1e1")}, nil, "2"},
			{[]tracking.FieldCondition{op("weight", tracking.FieldAfter, "9")}, nil, "2"},
			{[]tracking.FieldCondition{op("weight", tracking.FieldFrom, "9")}, nil, "32"},
			{[]tracking.FieldCondition{op("weight", tracking.FieldBefore, "9")}, nil, "1"},
			{[]tracking.FieldCondition{op("weight", tracking.FieldTo, "9")}, nil, "31"},
			{[]tracking.FieldCondition{op("weight", tracking.FieldAfter, "-1.5"), op("weight", tracking.FieldBefore, "10")}, nil, "3"},
			{[]tracking.FieldCondition{op("weight", tracking.FieldAfter, "9"), op("weight", tracking.FieldBefore, "9")}, nil, ""},
			{[]tracking.FieldCondition{op("due", tracking.FieldBefore, "2026-03-01")}, nil, "2"},
			{[]tracking.FieldCondition{op("due", tracking.FieldFrom, "1 Mar 2026")}, nil, "41"},
			{[]tracking.FieldCondition{is("seen", "2026-03-01T06:00:00Z")}, nil, "21"},
			{[]tracking.FieldCondition{op("seen", tracking.FieldAfter, "2026-03-01T06:00:00Z")}, nil, "3"},
			{[]tracking.FieldCondition{is("ok", "true")}, nil, "31"},
			{[]tracking.FieldCondition{op("ok", tracking.FieldPresent, "false")}, nil, "54"},
			{[]tracking.FieldCondition{is("grade", "low")}, nil, "31"},
			{[]tracking.FieldCondition{op("grade", tracking.FieldIn, "low", "high")}, nil, "321"},
			{[]tracking.FieldCondition{is("labels", "y")}, nil, "21"},
			{[]tracking.FieldCondition{op("labels", tracking.FieldIn, "x", "y")}, nil, "21"},
			{[]tracking.FieldCondition{op("labels", tracking.FieldPresent, "true")}, nil, "21"},
			{[]tracking.FieldCondition{is("buyer", party.ID.String())}, nil, "1"},
			{[]tracking.FieldCondition{is("grade", "low"), is("ok", "true"), op("weight", tracking.FieldAfter, "0")}, nil, "3"},
			{nil, []tracking.Order{by("weight")}, "13245"},
			{nil, []tracking.Order{down("weight")}, "23154"},
			{nil, []tracking.Order{by("po")}, "43215"},
			{nil, []tracking.Order{down("grade"), by("due")}, "13245"},
			{nil, []tracking.Order{by("ok"), down("weight")}, "23154"},
			{[]tracking.FieldCondition{is("grade", "low")}, []tracking.Order{by("due")}, "13"},
			{[]tracking.FieldCondition{is("none", "x")}, nil, "0 filter[custom_fields][none]"},
			{[]tracking.FieldCondition{is("secret", "x")}, nil, "0 filter[custom_fields][secret]"},
			{[]tracking.FieldCondition{op("po", tracking.FieldAfter, "x")}, nil, "0 filter[custom_fields][po][gt]"},
			{[]tracking.FieldCondition{op("weight", "like", "7")}, nil, "0 filter[custom_fields][weight][like]"},
			{[]tracking.FieldCondition{op("weight", tracking.FieldAfter, "heavy")}, nil, "filter[custom_fields][weight][gt]"},
			{[]tracking.FieldCondition{is("weight", "1e400")}, nil, "filter[custom_fields][weight]"},
			{[]tracking.FieldCondition{is("weight")}, nil, "filter[custom_fields][weight]"},
			{[]tracking.FieldCondition{op("weight", tracking.FieldAfter, "1", "2")}, nil, "filter[custom_fields][weight][gt]"},
			{[]tracking.FieldCondition{is("due", "2026-02-31")}, nil, "filter[custom_fields][due]"},
			{[]tracking.FieldCondition{is("ok", "yes")}, nil, "filter[custom_fields][ok]"},
			{[]tracking.FieldCondition{is("buyer", "Acme")}, nil, "filter[custom_fields][buyer]"},
			{[]tracking.FieldCondition{op("po", tracking.FieldPresent, "yes")}, nil, "filter[custom_fields][po][present]"},
			{nil, []tracking.Order{by("none")}, "0 sort"},
			{nil, []tracking.Order{by("secret")}, "0 sort"},
			{nil, []tracking.Order{by("labels")}, "0 sort"},
			{nil, []tracking.Order{by("buyer")}, "0 sort"},
		} {
			for e, list := range lists {
				got, err := list(tt.conds, tt.sort...)
				var fault *tracking.Error
				if errors.As(err, &fault) {
					got = strings.TrimSpace(fault.Code + " " + fault.Field)
					if fault.Kind == tracking.BadQuery {
						got = "0 " + fault.Field
					}
				} else if err != nil {
					t.Fatal(err)
				}
				if got != tt.want {
					t.Errorf("%s %+v sorted by %+v: %q %v, want %q", e, tt.conds, tt.sort, got, err, tt.want)
				}
			}
		}

		// A value that goes, and a definition, take with them what was found by them.
		var removed tracking.Entity
		for id, name := range names {
			if name == "3" {
				if _, err := b.Shipment(ctx, id); err == nil {
					removed = ofShipment(id)
				}
			}
		}
		setField(t, b, removed, "grade", `"high"`)
		if got, _ := lists[tracking.ShipmentEntity]([]tracking.FieldCondition{is("grade", "low")}); got != "1" {
			t.Errorf("after a change %q", got)
		}
		setField(t, b, removed, "grade", `null`)
		if got, _ := lists[tracking.ShipmentEntity]([]tracking.FieldCondition{op("grade", tracking.FieldPresent, "false")}); got != "543" {
			t.Errorf("after null %q", got)
		}
		list, _, err := b.CustomFieldDefinitions(ctx, tracking.CustomFieldDefinitionQuery{Slugs: []string{"grade"}, EntityTypes: []tracking.EntityType{tracking.ShipmentEntity}}, tracking.Page{})
		if err != nil || len(list) != 1 {
			t.Fatal(len(list), err)
		}
		if err := b.DeleteCustomFieldDefinition(ctx, list[0].ID); err != nil {
			t.Fatal(err)
		}
		if _, err := lists[tracking.ShipmentEntity]([]tracking.FieldCondition{is("grade", "low")}); err == nil {
			t.Error("a deleted field is filtered by")
		}
		choices(t, b, define(t, b, tracking.ShipmentEntity, "grade", tracking.EnumField), "low")
		if got, _ := lists[tracking.ShipmentEntity]([]tracking.FieldCondition{op("grade", tracking.FieldPresent, "true")}); got != "" {
			t.Errorf("a new field has the values of the old one: %q", got)
		}
	})
}

func idsOf[T any](list []T, id func(T) tracking.ID) (all []tracking.ID) {
	for _, v := range list {
		all = append(all, id(v))
	}
	return all
}
