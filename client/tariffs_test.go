package client_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freetime/invoice"
)

// written is a sheet as CSV.
func written(t *testing.T, s *invoice.Sheet) string {
	t.Helper()
	var text strings.Builder
	if err := s.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// everyTariff calls the operations on tariffs.
func (b *bench) everyTariff(t *testing.T, container tracking.ID) {
	t.Helper()
	ctx, engine := t.Context(), b.Tracker.Tariffs()
	made := must[*tracking.Tariff](t)(b.Client.CreateTariff(ctx, freetime.Terms{
		Clock: freetime.Demurrage, LocationLOCODE: "USOAK", Currency: "USD", Tiers: []freetime.TierTerms{{From: 1, Amount: "150"}}, ValidFrom: freetime.NewDate(2026, 1, 1),
	}))
	if made.Starts != freetime.StartDayAfter || len(made.Weekend) != 2 || made.Tiers[0].Amount != "150.00" {
		t.Errorf("the tariff is %+v", made)
	}
	compareRecords(t, "tariff", must[*tracking.Tariff](t)(b.Client.Tariff(ctx, made.ID)), must[*tracking.Tariff](t)(engine.Get(ctx, made.ID)))
	_, err := b.Client.CreateTariff(ctx, made.Terms)
	if e := (*client.Error)(nil); !errors.As(err, &e) || !e.Has("overlaps") || e.Faults[0].Meta["tariff_id"] != made.ID.String() {
		t.Errorf("the same again: %v", err)
	}
	terms := made.Terms
	terms.FreeDays, terms.Weekend = 3, nil
	changed := must[*tracking.Tariff](t)(b.Client.UpdateTariff(ctx, made.ID, terms, made.Version))
	if changed.FreeDays != 3 || len(changed.Weekend) != 0 || changed.Starts != made.Starts || changed.ValidFrom != made.ValidFrom {
		t.Errorf("changed, it is %+v", changed)
	}
	if _, err := b.Client.UpdateTariff(ctx, made.ID, terms, made.Version); err != nil && !errors.Is(err, tracking.ErrStale) || err == nil {
		t.Errorf("with a version of before: %v", err)
	}
	of := freetime.Filter{Clocks: []freetime.Clock{freetime.Demurrage}, Places: []string{"USOAK"}}
	if found := all(t, b.Client.Tariffs(of, tracking.TimeRange{}, tracking.Order{Name: "updated_at"})); len(found) != 1 || found[0].ID != made.ID {
		t.Errorf("found: %v", found)
	}
	charges := must[*freetime.Charges](t)(b.Client.Charges(ctx, container))
	compareRecords(t, "charges", charges, must[*freetime.Charges](t)(engine.Charges(ctx, container)))
	if past := must[*freetime.Charges](t)(b.Client.Charges(ctx, container, b.Clock.Now())); past.ContainerNumber != charges.ContainerNumber {
		t.Errorf("as of now, the charges are %+v", past)
	}
	inv := &invoice.Invoice{Number: "INV-7", Lines: []invoice.Line{{Container: charges.ContainerNumber, Clock: freetime.Demurrage, From: freetime.NewDate(2026, 3, 1), To: freetime.NewDate(2026, 3, 2), Rate: "150.00", Currency: "USD"}}}
	compareRecords(t, "sheet", written(t, must[*invoice.Sheet](t)(b.Client.Sheet(ctx, inv))), written(t, must[*invoice.Sheet](t)(engine.Sheet(ctx, inv))))
	if past := must[*invoice.Sheet](t)(b.Client.Sheet(ctx, inv, b.Clock.Now().Add(-time.Hour))); past.AsOf.After(b.Clock.Now().Add(-time.Hour)) || len(past.Lines) != 1 {
		t.Errorf("of an hour ago, the sheet is %+v", past)
	}
	inv.Lines[0].To = 0
	if _, err := b.Client.Sheet(ctx, inv); err == nil || !strings.Contains(err.Error(), "/lines/0/to") {
		t.Errorf("without a last day: %v", err)
	}
	compareRecords(t, "sheet of a container", written(t, must[*invoice.Sheet](t)(b.Client.ContainerSheet(ctx, container))), written(t, invoice.NewContainerSheet(charges)))
	b.Settle()
	cost := must[map[tracking.ID]tracking.ImportCost](t)(engine.Costs(ctx, container))[container]
	costed := all(t, b.Client.CostedContainers(tracking.ContainerQuery{Accruing: tracking.No, TrackedQuery: tracking.TrackedQuery{Sort: []tracking.Order{{Name: "cost"}}}}))
	if len(costed) != 1 || costed[0].ID != container || costed[0].Currency != "USD" {
		t.Errorf("with their costs: %+v", costed)
	} else {
		compareRecords(t, "cost", costed[0].ImportCost, cost)
	}
	if found := all(t, b.Client.Containers(tracking.ContainerQuery{FreeTimeEnds: tracking.TimeRange{To: b.Clock.Now().AddDate(-1, 0, 0)}})); len(found) != 0 {
		t.Errorf("free time that ended a year ago: %v", found)
	}
	exported := must[[]freetime.Terms](t)(b.Client.ExportTariffs(ctx))
	compareRecords(t, "export", exported, must[[]freetime.Terms](t)(engine.All(ctx)))
	reefer := exported[0]
	reefer.EquipmentType = "reefer"
	done := must[freetime.Imported](t)(b.Client.ImportTariffs(ctx, append(exported, reefer), true))
	if (done != freetime.Imported{Created: 1, Kept: 1}) {
		t.Errorf("imported: %+v", done)
	}
	if err := b.Client.DeleteTariff(ctx, made.ID); err != nil {
		t.Error(err)
	}
	if _, err := b.Client.Tariff(ctx, made.ID); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("deleted, it is %v", err)
	}
}
