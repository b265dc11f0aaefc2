package main

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
)

// Columns of custom fields: exported values can be imported, whatever the data
// type; a text is not a formula; JSON has the original values.
func TestExportFields(t *testing.T) {
	db := newDB(t)
	tr := engineOn(t, db, "acme")
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	party, err := tr.CreateParty(t.Context(), tracking.NewParty{CompanyName: "Kim"})
	do(err)
	values := map[tracking.DataType]string{
		tracking.ShortTextField: `"PO-7, \"new\" "`, tracking.NumberField: `-12.50`, tracking.BooleanField: `false`,
		tracking.DateField: `"03/04/2026"`, tracking.DatetimeField: `"2026-03-01 08:00 Europe/Berlin"`,
		tracking.EnumField: `"low"`, tracking.EnumMultiField: `["high","low"]`, tracking.ReferenceField: `{"type":"party","id":"` + party.ID.String() + `"}`,
	}
	for typ := range values {
		n := tracking.NewCustomFieldDefinition{EntityType: tracking.ShipmentEntity, APISlug: string(typ), DisplayName: string(typ), DataType: typ}
		switch typ {
		case tracking.DateField:
			n.DefaultFormat = "%d/%m/%Y"
		case tracking.ReferenceField:
			n.ReferenceType = "party"
		}
		d, err := tr.CreateCustomFieldDefinition(t.Context(), n)
		do(err)
		for _, value := range []string{"low", "high"} {
			if typ == tracking.EnumField || typ == tracking.EnumMultiField {
				_, err := tr.CreateCustomFieldOption(t.Context(), d.ID, tracking.NewCustomFieldOption{Label: strings.ToUpper(value), Value: value})
				do(err)
			}
		}
	}
	_, err = tr.CreateCustomFieldDefinition(t.Context(), tracking.NewCustomFieldDefinition{EntityType: tracking.ContainerEntity, APISlug: "note", DisplayName: "Note", DataType: tracking.ShortTextField})
	do(err)
	for _, bill := range []string{"LFBL00991", "LFBL00992"} {
		file := write(t, "events.json", message(bill, testContainer))
		if r := inside("import", "--account", "acme", "--scac", "MAEU", "--db", db, file); r.code != 0 {
			t.Fatal(r.stderr)
		}
	}
	ships, _, err := tr.Shipments(t.Context(), tracking.ShipmentQuery{TrackedQuery: tracking.TrackedQuery{Sort: []tracking.Order{{Name: "created_at"}}}}, tracking.Page{})
	do(err)
	first, second := tracking.Entity{Type: tracking.ShipmentEntity, ID: ships[0].ID}, tracking.Entity{Type: tracking.ShipmentEntity, ID: ships[1].ID}
	container := tracking.Entity{Type: tracking.ContainerEntity, ID: ships[0].Containers[0]}
	for typ, value := range values {
		_, err := tr.SetCustomField(t.Context(), tracking.NewCustomField{Entity: first, APISlug: string(typ), Value: json.RawMessage(value)})
		do(err)
	}
	_, err = tr.SetCustomField(t.Context(), tracking.NewCustomField{Entity: container, APISlug: "note", Value: json.RawMessage(`"=1+1"`)})
	do(err)

	export := func(kind, id string) (header, row []string) {
		t.Helper()
		r := inside("export", kind, "--account", "acme", "--db", db)
		table, err := csv.NewReader(strings.NewReader(r.stdout)).ReadAll()
		if r.code != 0 || err != nil {
			t.Fatal(r.stderr, err)
		}
		from := slices.IndexFunc(table[0], func(name string) bool { return strings.HasPrefix(name, fieldColumn) })
		for _, line := range table {
			if line[0] == id && from > 0 {
				return table[0][from:], line[from:]
			}
		}
		t.Fatalf("no columns of fields, or no row of %s: %v", id, table)
		return nil, nil
	}
	header, row := export("shipments", first.ID.String())
	want := [][]string{
		{"custom_fields.boolean", "custom_fields.date", "custom_fields.datetime", "custom_fields.enum", "custom_fields.enum_multi", "custom_fields.number", "custom_fields.reference", "custom_fields.short_text"},
		{"false", "2026-04-03", "2026-03-01T07:00:00Z", "low", "high;low", "-12.5", party.ID.String(), `PO-7, "new"`},
	}
	if diff := cmp.Diff(want, [][]string{header, row}); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if _, none := export("shipments", second.ID.String()); strings.Join(none, "") != "" {
		t.Errorf("a shipment without values has %q", none)
	}
	if header, row := export("containers", container.ID.String()); !slices.Equal(header, []string{"custom_fields.note"}) || row[0] != "'=1+1" {
		t.Errorf("the container has %q %q", header, row)
	}

	var text strings.Builder
	w := csv.NewWriter(&text)
	do(w.WriteAll([][]string{append([]string{"number", "scac"}, header...), append([]string{"LFBL00992", "MAEU"}, row...)}))
	if r := inside("import", "--format", "csv", "--account", "acme", "--db", db, write(t, "rows.csv", text.String())); r.code != 0 {
		t.Fatal(r.stderr)
	}
	var list []struct {
		ID           string
		Attributes   map[string]any
		CustomFields map[string]json.RawMessage `json:"custom_fields"`
	}
	r := inside("export", "shipments", "--account", "acme", "--db", db, "--format", "json")
	if err := json.Unmarshal([]byte(r.stdout), &list); err != nil || len(list) != 2 || list[0].ID != first.ID.String() || list[0].Attributes["bill_of_lading_number"] != "LFBL00991" {
		t.Fatalf("as JSON: %v %s", err, r.stdout)
	}
	if diff := cmp.Diff(list[0].CustomFields, list[1].CustomFields); diff != "" || string(list[1].CustomFields["number"]) != "-12.5" {
		t.Errorf("-exported +imported\n%s", diff)
	}
}
