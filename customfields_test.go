package tracking_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/sqlite"
	"github.com/landfallhq/tracking/trackingtest"
)

func define(t testing.TB, b *trackingtest.Bench, e tracking.EntityType, slug string, typ tracking.DataType, change ...func(*tracking.NewCustomFieldDefinition)) *tracking.CustomFieldDefinition {
	t.Helper()
	n := tracking.NewCustomFieldDefinition{EntityType: e, APISlug: slug, DisplayName: slug, DataType: typ}
	for _, c := range change {
		c(&n)
	}
	d, err := b.CreateCustomFieldDefinition(ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// defaults gives a definition a default value.
func defaults(value string) func(*tracking.NewCustomFieldDefinition) {
	return func(n *tracking.NewCustomFieldDefinition) { n.DefaultValue = json.RawMessage(value) }
}

func choices(t testing.TB, b *trackingtest.Bench, d *tracking.CustomFieldDefinition, values ...string) (made []*tracking.CustomFieldOption) {
	t.Helper()
	for _, v := range values {
		o, err := b.CreateCustomFieldOption(ctx, d.ID, tracking.NewCustomFieldOption{Label: strings.ToUpper(v), Value: v})
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, o)
	}
	return made
}

func ofShipment(id tracking.ID) tracking.Entity {
	return tracking.Entity{Type: tracking.ShipmentEntity, ID: id}
}

func ofContainer(id tracking.ID) tracking.Entity {
	return tracking.Entity{Type: tracking.ContainerEntity, ID: id}
}

func ofRequest(id tracking.ID) tracking.Entity {
	return tracking.Entity{Type: tracking.TrackingRequestEntity, ID: id}
}

func setField(t testing.TB, b *trackingtest.Bench, e tracking.Entity, slug, value string) *tracking.CustomField {
	t.Helper()
	f, err := b.SetCustomField(ctx, tracking.NewCustomField{Entity: e, APISlug: slug, Value: json.RawMessage(value)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// fieldsOf tells the values of an entity, by slug: value, display and source.
func fieldsOf(t testing.TB, b *trackingtest.Bench, e tracking.Entity) map[string]string {
	t.Helper()
	list, _, err := b.CustomFields(ctx, tracking.CustomFieldQuery{Entities: []tracking.ID{e.ID}}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range list {
		all[f.APISlug] = strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Value, f.DisplayValue, f.Source))
	}
	return all
}

// changesOf tells the changes of a field, the first first.
func changesOf(t testing.TB, b *trackingtest.Bench, id tracking.ID) (lines []string) {
	t.Helper()
	list, total, err := b.CustomFieldChanges(ctx, tracking.CustomFieldChangeQuery{CustomField: id}, tracking.Page{})
	if err != nil || total != len(list) {
		t.Fatal(total, len(list), err)
	}
	for _, r := range slices.Backward(list) {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%d %s %s %s", r.Number, r.Action, r.Value, r.Source)))
	}
	return lines
}

// faultOf is code and field of a refusal.
func faultOf(t testing.TB, err error) string {
	t.Helper()
	var e *tracking.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no refusal", err)
	}
	return strings.TrimSpace(e.Code + " " + e.Field)
}

// TestCustomFieldLife goes through what becomes of a value.
func TestCustomFieldLife(t *testing.T) {
	onBothStores(t, func(t *testing.T, b *trackingtest.Bench) {
		d := define(t, b, tracking.ShipmentEntity, "grade", tracking.EnumField)
		options := choices(t, b, d, "high", "low")
		ship := ofShipment(ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0])
		f := setField(t, b, ship, "grade", `"low"`)
		if f.DisplayValue != "LOW" || f.Source != tracking.SetByLibrary || !f.UpdatedAt.Equal(trackingtest.Start) {
			t.Errorf("set as %+v", f)
		}
		b.Clock.Advance(time.Hour)
		if again := setField(t, b, ship, "grade", ` "low"`); again.Version != f.Version || !again.UpdatedAt.Equal(f.UpdatedAt) {
			t.Errorf("the same value again changed %+v to %+v", f, again)
		}
		// A label is carried over by a job, and is no change of the value.
		if _, err := b.UpdateCustomFieldOption(ctx, d.ID, options[1].ID, tracking.CustomFieldOptionUpdate{Label: tracking.Set("lowest")}); err != nil {
			t.Fatal(err)
		}
		b.Settle()
		if f, _ = b.CustomField(ctx, f.ID); f.DisplayValue != "lowest" || !f.UpdatedAt.Equal(trackingtest.Start) {
			t.Errorf("after the label: %+v", f)
		}
		// An option that is gone stays where it is, and is given to nobody else.
		if err := b.DeleteCustomFieldOption(ctx, d.ID, options[1].ID); err != nil {
			t.Fatal(err)
		}
		b.Settle()
		if got := fieldsOf(t, b, ship)["grade"]; got != `"low" low library` {
			t.Errorf("without its option it is %s", got)
		}
		other := ofShipment(ingest(t, b, api(voyage("B2")...)).ShipmentIDs[0])
		_, err := b.SetCustomField(ctx, tracking.NewCustomField{Entity: other, APISlug: "grade", Value: json.RawMessage(`"low"`)})
		if got := faultOf(t, err); got != "inclusion value" {
			t.Errorf("a deleted option: %s", got)
		}
		// Deleted and set again, its history goes on.
		if f, err = b.UpdateCustomFieldOf(ctx, ship, "grade", tracking.CustomFieldUpdate{Value: json.RawMessage(`"high"`), IfVersion: f.Version + 1}); err != nil {
			t.Fatal(err)
		}
		if err := b.DeleteCustomFieldOf(ctx, ship, "grade"); err != nil {
			t.Fatal(err)
		}
		if _, err := b.CustomField(ctx, f.ID); !isKind(err, tracking.NotFound) {
			t.Errorf("a deleted value: %v", err)
		}
		if again := setField(t, b, ship, "grade", `"high"`); again.ID != f.ID {
			t.Errorf("the ID became %s from %s", again.ID, f.ID)
		}
		want := []string{`1 set "low" library`, `2 set "high" library`, `3 deleted  library`, `4 set "high" library`}
		if diff := cmp.Diff(want, changesOf(t, b, f.ID)); diff != "" {
			t.Error(diff)
		}
		// With its definition everything is gone, at once and for good.
		if err := b.DeleteCustomFieldDefinition(ctx, d.ID); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := fieldsOf(t, b, ship); len(got) != 0 {
				t.Errorf("values of a deleted definition: %v", got)
			}
			s, err := b.Rendered().List(ctx, tracking.ShipmentQuery{}, tracking.Page{}, []string{"custom_fields"})
			if err != nil || len(s.Included) != 0 {
				t.Errorf("%d are included: %v", len(s.Included), err)
			}
			_, _, herr := b.CustomFieldChanges(ctx, tracking.CustomFieldChangeQuery{CustomField: f.ID}, tracking.Page{})
			_, ferr := b.CustomField(ctx, f.ID)
			_, serr := b.Rendered().Get(ctx, "custom_field", f.ID, nil)
			_, derr := b.Rendered().Get(ctx, "custom_field_definition", d.ID, nil)
			_, oerr := b.CustomFieldOption(ctx, d.ID, options[0].ID)
			for _, err := range []error{herr, ferr, serr, derr, oerr} {
				if !isKind(err, tracking.NotFound) {
					t.Errorf("of a deleted definition: %v", err)
				}
			}
			b.Settle()
		}
		second := define(t, b, tracking.ShipmentEntity, "grade", tracking.NumberField)
		if got := setField(t, b, ship, "grade", "7"); got.ID == f.ID || got.Definition != second.ID {
			t.Errorf("the new field of that slug has the old value's ID")
		}
	})
}

// TestCustomFieldFormats: the format of a date changes, and what the account has said
// by the former one goes on to mean what it meant; what it says from now on is read by
// the new one.
func TestCustomFieldFormats(t *testing.T) {
	onBothStores(t, func(t *testing.T, b *trackingtest.Bench) {
		d := define(t, b, tracking.ShipmentEntity, "due", tracking.DateField, func(n *tracking.NewCustomFieldDefinition) {
			n.DefaultFormat, n.Validation, n.DefaultValue = "%d/%m/%Y", json.RawMessage(`{"latest":"05/06/2026"}`), json.RawMessage(`"01/02/2026"`)
		})
		if got := string(d.Validation); got != `{"latest":"2026-06-05"}` {
			t.Errorf("the rules are %s", got)
		}
		if err := b.KeepRules(ctx, d.ID, json.RawMessage(`{"latest":"05/06/2026"}`)); err != nil {
			t.Fatal(err)
		}
		set, untouched := ofShipment(shipped(t, b, "MAEU", "MAEU77001")), ofShipment(shipped(t, b, "MAEU", "MAEU77002"))
		setField(t, b, set, "due", `"03/04/2026"`)
		for _, format := range []struct {
			text, shown, untouched string
			day, tooLate           string // as they are written now
		}{
			{"%m/%d/%Y", `"2026-04-03" 04/03/2026 library`, `"2026-02-01" 02/01/2026 default`, "04/03/2026", "06/06/2026"},
			{"%d/%m/%Y", `"2026-04-03" 03/04/2026 library`, `"2026-02-01" 01/02/2026 default`, "03/04/2026", "06/06/2026"},
			{"%Y-%d-%m", `"2026-04-03" 2026-03-04 library`, `"2026-02-01" 2026-01-02 default`, "2026-04-03", "2026-06-06"},
			{"%B", `"2026-04-03" April library`, `"2026-02-01" February default`, "3 April 2026", "6 Jun 2026"},
		} {
			now, err := b.UpdateCustomFieldDefinition(ctx, d.ID, tracking.CustomFieldDefinitionUpdate{DefaultFormat: tracking.Set(format.text)})
			if err != nil {
				t.Fatalf("%s: %v", format.text, err)
			}
			if got := string(now.Validation); got != `{"latest":"2026-06-05"}` {
				t.Errorf("%s: the rules are %s", format.text, got)
			}
			b.Settle()
			if got := fieldsOf(t, b, set)["due"]; got != format.shown {
				t.Errorf("%s: the value is %s", format.text, got)
			}
			if got := fieldsOf(t, b, untouched)["due"]; got != format.untouched {
				t.Errorf("%s: the default value is %s", format.text, got)
			}
			for _, day := range []string{format.day, "2026-04-03"} {
				for _, op := range []tracking.FieldOp{tracking.FieldIs, tracking.FieldFrom} {
					cond := tracking.FieldCondition{Slug: "due", Op: op, Values: []string{day}}
					list, _, err := b.Shipments(ctx, tracking.ShipmentQuery{TrackedQuery: tracking.TrackedQuery{CustomFields: []tracking.FieldCondition{cond}}}, tracking.Page{})
					if err != nil || len(list) != 1 || list[0].ID != set.ID {
						t.Errorf("%s: %+v finds %d, %v", format.text, cond, len(list), err)
					}
				}
			}
			_, err = b.SetCustomField(ctx, tracking.NewCustomField{Entity: set, APISlug: "due", Value: json.RawMessage(`"` + format.tooLate + `"`)})
			if got := faultOf(t, err); got != "out_of_range value" {
				t.Errorf("%s: a day too late is %s", format.text, got)
			}
		}
	})
}

// TestCustomFieldFlow: a request carries values to its shipment and three boxes,
// and to a fourth that appears later.
func TestCustomFieldFlow(t *testing.T) {
	onBothStores(t, func(t *testing.T, b *trackingtest.Bench) {
		define(t, b, tracking.ShipmentEntity, "buyer", tracking.ShortTextField, defaults(`"nobody"`))
		define(t, b, tracking.ShipmentEntity, "desk", tracking.ShortTextField, defaults(`"north"`))
		define(t, b, tracking.ContainerEntity, "po", tracking.ShortTextField)
		define(t, b, tracking.ContainerEntity, "lot", tracking.NumberField, defaults(`1`))
		define(t, b, tracking.ContainerEntity, "checked", tracking.BooleanField)
		define(t, b, tracking.TrackingRequestEntity, "via", tracking.ShortTextField, defaults(`"mail"`))
		containers := []string{"MRKU9465770", "TCLU6718159", "WHLU1234560", "CAIU7432986"}
		facts := func(n int) []tracking.Fact {
			list := voyage("MAEU900")
			for i := range list {
				list[i].Containers = containers[:n]
				list[i].ID += fmt.Sprint(n)
			}
			return list
		}
		b.Source.Script("MAEU900", trackingtest.Reply{Facts: facts(3)}, trackingtest.Reply{Facts: facts(4)})
		r, err := b.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "MAEU900", Type: tracking.BillOfLading, SCAC: "MAEU", CustomFields: tracking.InitialCustomFields{
			Shipment: []tracking.InitialCustomField{{APISlug: "buyer", Value: json.RawMessage(`"Kim"`)}},
			Containers: []tracking.InitialCustomField{
				{APISlug: "po", Value: json.RawMessage(`"7"`), Number: "tclu 671815-9"},
				{APISlug: "po", Value: json.RawMessage(`"6"`)},
				{APISlug: "lot", Value: json.RawMessage(`4`), Number: "CAIU7432986"},
			},
		}})
		if err != nil {
			t.Fatal(err)
		}
		request := ofRequest(r.ID)
		setField(t, b, request, "desk", `"south"`)    // of the shipment
		setField(t, b, request, "checked", `true`)    // of its containers
		setField(t, b, request, "via", `"telephone"`) // of the request itself
		b.Settle()
		r, _ = b.TrackingRequest(ctx, r.ID)
		ship := ofShipment(r.TrackedObject)
		want := map[string]map[string]string{
			"":            {"buyer": `"Kim" Kim tracking_request`, "desk": `"south" south tracking_request`},
			"MRKU9465770": {"po": `"6" 6 tracking_request`, "lot": "1 1 default", "checked": "true Yes tracking_request"},
			"TCLU6718159": {"po": `"7" 7 tracking_request`, "lot": "1 1 default", "checked": "true Yes tracking_request"},
			"WHLU1234560": {"po": `"6" 6 tracking_request`, "lot": "1 1 default", "checked": "true Yes tracking_request"},
		}
		shown := func() map[string]map[string]string {
			all := map[string]map[string]string{"": fieldsOf(t, b, ship)}
			list, _, err := b.Containers(ctx, tracking.ContainerQuery{}, tracking.Page{})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range list {
				all[c.Number] = fieldsOf(t, b, ofContainer(c.ID))
			}
			return all
		}
		if diff := cmp.Diff(want, shown()); diff != "" {
			t.Errorf("after the first answer:\n%s", diff)
		}
		own := map[string]string{"desk": `"south" south library`, "checked": "true Yes library", "via": `"telephone" telephone library`}
		if diff := cmp.Diff(own, fieldsOf(t, b, request)); diff != "" {
			t.Errorf("the request's own:\n%s", diff)
		}
		setField(t, b, request, "desk", `"east"`) // too late
		setField(t, b, ship, "buyer", `"Lee"`)    // and stays
		want[""]["buyer"] = `"Lee" Lee library`
		want["CAIU7432986"] = map[string]string{"po": `"6" 6 tracking_request`, "lot": "4 4 tracking_request", "checked": "true Yes tracking_request"}
		b.Pass(24 * time.Hour)
		if diff := cmp.Diff(want, shown()); diff != "" {
			t.Errorf("after the second answer:\n%s", diff)
		}
	})
}

// A request for a shipment that is there gives its values at once.
func TestCustomFieldFlowToKnownShipment(t *testing.T) {
	b := trackingtest.New(t)
	define(t, b, tracking.ShipmentEntity, "buyer", tracking.ShortTextField)
	define(t, b, tracking.ContainerEntity, "po", tracking.ShortTextField)
	receipt := ingest(t, b, api(voyage("MAEU901")...))
	setField(t, b, ofShipment(receipt.ShipmentIDs[0]), "buyer", `"Lee"`)
	_, err := b.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "MAEU901", Type: tracking.BillOfLading, SCAC: "MAEU", CustomFields: tracking.InitialCustomFields{
		Shipment:   []tracking.InitialCustomField{{APISlug: "buyer", Value: json.RawMessage(`"Kim"`)}},
		Containers: []tracking.InitialCustomField{{APISlug: "po", Value: json.RawMessage(`"7"`)}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fieldsOf(t, b, ofShipment(receipt.ShipmentIDs[0]))["buyer"]; got != `"Kim" Kim tracking_request` {
		t.Errorf("the shipment has %s", got)
	}
	if got := fieldsOf(t, b, ofContainer(receipt.ContainerIDs[0]))["po"]; got != `"7" 7 tracking_request` {
		t.Errorf("the container has %s", got)
	}
}

// 100 at once set one field: there is one value, and a history of 100.
func TestConcurrentCustomFields(t *testing.T) {
	onBothStores(t, func(t *testing.T, b *trackingtest.Bench) {
		define(t, b, tracking.ShipmentEntity, "n", tracking.NumberField)
		ship := ofShipment(ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0])
		var callers sync.WaitGroup
		for i := range 100 {
			callers.Go(func() {
				_, err := b.SetCustomField(ctx, tracking.NewCustomField{Entity: ship, APISlug: "n", Value: json.RawMessage(fmt.Sprint(i))})
				if err != nil {
					t.Error(err)
				}
			})
		}
		callers.Wait()
		list, total, err := b.CustomFields(ctx, tracking.CustomFieldQuery{}, tracking.Page{})
		if err != nil || total != 1 {
			t.Fatalf("%d values, %v", total, err)
		}
		changes, total, err := b.CustomFieldChanges(ctx, tracking.CustomFieldChangeQuery{CustomField: list[0].ID}, tracking.Page{})
		if err != nil || total != 100 {
			t.Fatalf("a history of %d, %v", total, err)
		}
		seen := map[string]bool{}
		for i, r := range changes {
			if seen[string(r.Value)] = true; r.Number != 100-i {
				t.Errorf("change %d has the number %d", 100-i, r.Number)
			}
		}
		if len(seen) != 100 || string(list[0].Value) != string(changes[0].Value) {
			t.Errorf("%d values in the history; the last is %s, and the field says %s", len(seen), changes[0].Value, list[0].Value)
		}
	})
}

// The history keeps the last thousand changes.
func TestCustomFieldHistoryIsBounded(t *testing.T) {
	b := trackingtest.New(t)
	define(t, b, tracking.ShipmentEntity, "n", tracking.NumberField)
	ship := ofShipment(ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0])
	var f *tracking.CustomField
	for i := range 1_003 {
		f = setField(t, b, ship, "n", fmt.Sprint(i))
	}
	lines := changesOf(t, b, f.ID)
	if len(lines) != 1_000 || lines[0] != "4 set 3 library" {
		t.Errorf("%d changes, from %s", len(lines), lines[0])
	}
}

func TestBulkCustomFields(t *testing.T) {
	onBothStores(t, func(t *testing.T, b *trackingtest.Bench) {
		define(t, b, tracking.ShipmentEntity, "n", tracking.NumberField)
		ship := ofShipment(ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0])
		stranger := ofShipment(tracking.ID{7})
		item := func(e tracking.Entity, value string) tracking.NewCustomField {
			return tracking.NewCustomField{Entity: e, APISlug: "n", Value: json.RawMessage(value)}
		}
		_, err := b.SetCustomFields(ctx, tracking.BulkCustomFields{Atomic: true, Items: []tracking.NewCustomField{item(ship, "1"), item(ship, `"x"`), item(stranger, "1")}})
		var faults tracking.Errors
		if !errors.As(err, &faults) || len(faults) != 2 || faults[0].Field != "items[1].value" || faults[1].Field != "items[2].relationships/entity" {
			t.Errorf("atomic: %v", err)
		}
		if got := fieldsOf(t, b, ship); len(got) != 0 {
			t.Errorf("a refused bulk has set %v", got)
		}
		results, err := b.SetCustomFields(ctx, tracking.BulkCustomFields{Items: []tracking.NewCustomField{item(ship, "1"), item(ship, `"x"`), item(ship, "2")}})
		if err != nil || results[0].ID != results[2].ID || len(results[1].Faults) != 1 || results[1].ID != (tracking.ID{}) {
			t.Errorf("%+v, %v", results, err)
		}
		if got := fieldsOf(t, b, ship)["n"]; got != "2 2 library" {
			t.Errorf("of two the later stands, not %s", got)
		}
		// As many as there may be, and the same again under the same key.
		var items []tracking.NewCustomField
		for i := range tracking.MaxBulkFields {
			items = append(items, item(ship, fmt.Sprint(i)))
		}
		for range 2 {
			results, err = b.SetCustomFields(ctx, tracking.BulkCustomFields{Items: items}, tracking.Once{Key: "k", Fingerprint: "f"})
			if err != nil || len(results) != tracking.MaxBulkFields {
				t.Fatal(len(results), err)
			}
		}
		if lines := changesOf(t, b, results[0].ID); len(lines) != 1_000 || lines[999] != "1002 set 999 library" {
			t.Errorf("%d changes, the last %s", len(lines), lines[len(lines)-1])
		}
		_, err = b.SetCustomFields(ctx, tracking.BulkCustomFields{Items: items[:1]}, tracking.Once{Key: "k", Fingerprint: "g"})
		if got := faultOf(t, err); got != "idempotency_key_reused" {
			t.Errorf("the key for another call: %s", got)
		}
		for _, n := range []int{0, tracking.MaxBulkFields + 1} {
			_, err := b.SetCustomFields(ctx, tracking.BulkCustomFields{Items: append(items, items...)[:n]})
			if got := faultOf(t, err); !strings.HasSuffix(got, " items") {
				t.Errorf("%d items: %s", n, got)
			}
		}
	})
}

func TestSlugs(t *testing.T) {
	b := trackingtest.New(t)
	for name, want := range map[string]string{
		"Purchase Order #": "purchase_order", "PO": "po", " --Zoll / Wert (EUR)-- ": "zoll_wert_eur", "20ft": "20ft", "Buyer's desk": "buyers_desk",
		strings.Repeat("a", 100): strings.Repeat("a", 64), strings.Repeat("ab ", 40): strings.Repeat("ab_", 21) + "a",
	} {
		d, err := b.CreateCustomFieldDefinition(ctx, tracking.NewCustomFieldDefinition{EntityType: tracking.ShipmentEntity, DisplayName: name, DataType: tracking.DateField})
		if err != nil || d.APISlug != want {
			t.Errorf("%q gives %+v, %v; want %s", name, d, err, want)
		}
	}
	// One slug on each entity type is three fields.
	for _, e := range tracking.Describe().EntityTypes {
		define(t, b, e, "same", tracking.DateField)
	}
}

// What an account has defined and set is nothing to another.
func TestCustomFieldsAreOfTheAccount(t *testing.T) {
	b := trackingtest.New(t)
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	theirs := b.Operator.For(tracking.Actor{Account: other.Scope()})
	d := define(t, b, tracking.ShipmentEntity, "grade", tracking.EnumField)
	o := choices(t, b, d, "high")[0]
	ship := ofShipment(ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0])
	f := setField(t, b, ship, "grade", `"high"`)
	value := json.RawMessage(`"high"`)
	for name, call := range map[string]func() error{
		"definition": func() error { _, err := theirs.CustomFieldDefinition(ctx, d.ID); return err },
		"update definition": func() error {
			_, err := theirs.UpdateCustomFieldDefinition(ctx, d.ID, tracking.CustomFieldDefinitionUpdate{})
			return err
		},
		"delete definition": func() error { return theirs.DeleteCustomFieldDefinition(ctx, d.ID) },
		"option":            func() error { _, err := theirs.CustomFieldOption(ctx, d.ID, o.ID); return err },
		"options": func() error {
			_, _, err := theirs.CustomFieldOptions(ctx, tracking.CustomFieldOptionQuery{Definition: d.ID}, tracking.Page{})
			return err
		},
		"new option": func() error {
			_, err := theirs.CreateCustomFieldOption(ctx, d.ID, tracking.NewCustomFieldOption{Label: "x", Value: "x"})
			return err
		},
		"update option": func() error {
			_, err := theirs.UpdateCustomFieldOption(ctx, d.ID, o.ID, tracking.CustomFieldOptionUpdate{})
			return err
		},
		"delete option": func() error { return theirs.DeleteCustomFieldOption(ctx, d.ID, o.ID) },
		"value":         func() error { _, err := theirs.CustomField(ctx, f.ID); return err },
		"value by slug": func() error { _, err := theirs.CustomFieldOf(ctx, ship, "grade"); return err },
		"update": func() error {
			_, err := theirs.UpdateCustomField(ctx, f.ID, tracking.CustomFieldUpdate{Value: value})
			return err
		},
		"update by slug": func() error {
			_, err := theirs.UpdateCustomFieldOf(ctx, ship, "grade", tracking.CustomFieldUpdate{Value: value})
			return err
		},
		"delete":         func() error { return theirs.DeleteCustomField(ctx, f.ID) },
		"delete by slug": func() error { return theirs.DeleteCustomFieldOf(ctx, ship, "grade") },
		"history": func() error {
			_, _, err := theirs.CustomFieldChanges(ctx, tracking.CustomFieldChangeQuery{CustomField: f.ID}, tracking.Page{})
			return err
		},
		"of an entity": func() error {
			_, _, err := theirs.CustomFields(ctx, tracking.CustomFieldQuery{Entity: ship}, tracking.Page{})
			return err
		},
	} {
		if err := call(); !isKind(err, tracking.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = theirs.SetCustomField(ctx, tracking.NewCustomField{Entity: ship, APISlug: "grade", Value: value})
	if got := faultOf(t, err); got != "not_found relationships/entity" {
		t.Errorf("a foreign shipment: %s", got)
	}
	// A reference to a foreign record is one to nothing.
	if _, err := theirs.CreateCustomFieldDefinition(ctx, tracking.NewCustomFieldDefinition{
		EntityType: tracking.TrackingRequestEntity, DisplayName: "See", DataType: tracking.ReferenceField, ReferenceType: "shipment",
	}); err != nil {
		t.Fatal(err)
	}
	r, err := theirs.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: "MAEU"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = theirs.SetCustomField(ctx, tracking.NewCustomField{Entity: ofRequest(r.ID), APISlug: "see", Value: json.RawMessage(`{"type":"shipment","id":"` + ship.ID.String() + `"}`)})
	if got := faultOf(t, err); got != "not_found value" {
		t.Errorf("a foreign reference: %s", got)
	}
	if got := fieldsOf(t, b, ship)["grade"]; got != `"high" HIGH library` {
		t.Errorf("it became %s", got)
	}
}

// A reference may point to a document, and is shown as that is called.
func TestReferenceToADocument(t *testing.T) {
	b := trackingtest.New(t)
	paper := file(t, b, "notice.pdf", "type: other\n")
	e := tracking.Entity{Type: tracking.ShipmentEntity, ID: shipped(t, b, "MAEU", "MAEU77001")}
	define(t, b, tracking.ShipmentEntity, "notice", tracking.ReferenceField, func(n *tracking.NewCustomFieldDefinition) { n.ReferenceType = "document" })
	if f := setField(t, b, e, "notice", `{"type":"document","id":"`+paper.ID.String()+`"}`); f.DisplayValue != "notice.pdf" {
		t.Errorf("shown as %q", f.DisplayValue)
	}
}

// A value that is set again is that of who sets it last, with a change on record; set
// again by the same hand it stays as it is. What the engine brings along takes nothing
// from anybody but a default.
func TestEqualValueSetAgain(t *testing.T) {
	b := trackingtest.New(t)
	define(t, b, tracking.ShipmentEntity, "buyer", tracking.ShortTextField, defaults(`"Kim"`))
	define(t, b, tracking.ShipmentEntity, "desk", tracking.ShortTextField, defaults(`"north"`))
	user, err := b.Users().Create(ctx, tracking.NewUser{Name: "Lee", Email: "lee@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	lee := tracking.Actor{Account: b.Account.Scope(), User: user.ID, Via: tracking.SetByAPI}
	if _, err := b.Ingest(ctx, tracking.Report{Source: "test", SCAC: "MAEU", Facts: voyage("MAEU901")}); err != nil {
		t.Fatal(err)
	}
	list, _, err := b.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{})
	if err != nil || len(list) != 1 {
		t.Fatal(len(list), err)
	}
	ship := ofShipment(list[0].ID)
	var f *tracking.CustomField
	for range 2 { // by the same hand the second changes nothing
		if f, err = b.Operator.For(lee).SetCustomField(ctx, tracking.NewCustomField{Entity: ship, APISlug: "buyer", Value: json.RawMessage(`"Kim"`)}); err != nil {
			t.Fatal(err)
		}
	}
	if f.UpdatedBy != user.ID || f.Source != tracking.SetByAPI {
		t.Errorf("a default that Lee has set is of %s by %s", f.UpdatedBy, f.Source)
	}
	setField(t, b, ship, "buyer", `"Kim"`)
	changes, _, err := b.CustomFieldChanges(ctx, tracking.CustomFieldChangeQuery{CustomField: f.ID}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	var sources []tracking.ChangeSource
	for _, c := range changes {
		sources = append(sources, c.Source)
	}
	if want := []tracking.ChangeSource{tracking.SetByLibrary, tracking.SetByAPI, tracking.SetByDefault}; !slices.Equal(sources, want) {
		t.Errorf("the history is of %v, want %v", sources, want)
	}
	// A request brings the same values: Kim stays who set one, the default is the request's.
	if _, err := b.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "MAEU901", Type: tracking.BillOfLading, SCAC: "MAEU", CustomFields: tracking.InitialCustomFields{
		Shipment: []tracking.InitialCustomField{{APISlug: "buyer", Value: json.RawMessage(`"Kim"`)}, {APISlug: "desk", Value: json.RawMessage(`"north"`)}},
	}}); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	want := map[string]string{"buyer": `"Kim" Kim library`, "desk": `"north" north tracking_request`}
	if diff := cmp.Diff(want, fieldsOf(t, b, ship)); diff != "" {
		t.Error(diff)
	}
}

// onBothStores runs a test over the memory store and over SQLite.
func onBothStores(t *testing.T, run func(*testing.T, *trackingtest.Bench)) {
	t.Run("memory", func(t *testing.T) { run(t, trackingtest.New(t)) })
	t.Run("sqlite", func(t *testing.T) {
		file, err := sqlite.Open(filepath.Join(t.TempDir(), "fields.db"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run(t, trackingtest.New(t, func(c *tracking.Config) { c.Store = file }))
	})
}

// TestCheckCustomField: a check has the errors of setting the value, and writes nothing.
func TestCheckCustomField(t *testing.T) {
	b := trackingtest.New(t)
	define(t, b, tracking.ShipmentEntity, "day", tracking.DateField)
	define(t, b, tracking.ContainerEntity, "seal", tracking.ShortTextField)
	ship := ofShipment(shipped(t, b, "MAEU", "MAEU77001"))
	for _, n := range []tracking.NewCustomField{
		{Entity: ship, APISlug: "day", Value: json.RawMessage(`"2026-06-31"`)},
		{Entity: ship, APISlug: "day"},
		{Entity: ship, APISlug: "seal", Value: json.RawMessage(`"x"`)},
		{Entity: ship, APISlug: "none", Value: json.RawMessage(`"x"`)},
		{Entity: ofShipment(tracking.ID{}), APISlug: "day", Value: json.RawMessage(`"2026-06-30"`)},
	} {
		_, err := b.SetCustomField(ctx, n)
		if got, want := faultOf(t, b.CheckCustomField(ctx, n)), faultOf(t, err); got != want {
			t.Errorf("%s %s: %s, not %s", n.APISlug, n.Value, got, want)
		}
	}
	valid := tracking.NewCustomField{Entity: ship, APISlug: "day", Value: json.RawMessage(`"2026-06-30"`)}
	if err := b.CheckCustomField(ctx, valid); err != nil {
		t.Error(err)
	}
	if _, err := b.CustomFieldOf(ctx, ship, "day"); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("after the check there is a value: %v", err)
	}
	reader := b.Operator.For(tracking.Actor{Account: b.Account.Scope(), Permissions: []tracking.Permission{tracking.Show}})
	var refused *tracking.Error
	if err := reader.CheckCustomField(ctx, valid); !errors.As(err, &refused) || refused.Kind != tracking.Forbidden {
		t.Errorf("without the permission: %v", err)
	}
}
