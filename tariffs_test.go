package tracking_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/trackingtest"
)

// terms are the least terms of a tariff, as changed.
func terms(change func(*freetime.Terms)) freetime.Terms {
	t := freetime.DefaultTerms()
	t.Clock, t.FreeDays, t.Currency, t.Tiers = freetime.Demurrage, 4, "USD", []freetime.TierTerms{{From: 1, Amount: "150"}}
	if change != nil {
		change(&t)
	}
	return t
}

func namedTerms(name string, change func(*freetime.Terms)) freetime.Terms {
	t := terms(change)
	t.Name = name
	return t
}

func year(y int) func(*freetime.Terms) {
	return func(t *freetime.Terms) {
		t.ValidFrom, t.ValidTo = freetime.NewDate(y, 1, 1), freetime.NewDate(y, 12, 31)
	}
}

func TestTariffsThatOverlapAreRefused(t *testing.T) {
	b := trackingtest.New(t)
	this, err := b.Tariffs().Create(ctx, namedTerms("this year", year(2026)))
	if err != nil {
		t.Fatal(err)
	}
	next, err := b.Tariffs().Create(ctx, namedTerms("next year", year(2027)))
	if err != nil {
		t.Fatal(err)
	}
	for _, free := range []func(*freetime.Terms){
		func(t *freetime.Terms) { t.Clock = freetime.Combined },
		func(t *freetime.Terms) { t.EquipmentType = "reefer" },
		func(t *freetime.Terms) { t.ShippingLineSCAC = "SEAU" },
		year(2028),
	} {
		if _, err := b.Tariffs().Create(ctx, terms(free)); err != nil {
			t.Error(err)
		}
	}
	refused := func(err error, by tracking.ID) {
		t.Helper()
		var e *tracking.Error
		if !errors.As(err, &e) || e.Kind != tracking.Invalid || e.Code != "overlaps" || e.Meta["tariff_id"] != by.String() || !strings.Contains(e.Detail, by.String()) {
			t.Errorf("%v, want it refused by %s", err, by)
		}
	}
	_, err = b.Tariffs().Create(ctx, terms(func(t *freetime.Terms) { t.ValidTo = freetime.NewDate(2026, 1, 1) }))
	refused(err, this.ID)
	_, err = b.Tariffs().Update(ctx, this.ID, 0, func(t *freetime.Terms) error { t.ValidTo = freetime.NewDate(2027, 1, 1); return nil })
	refused(err, next.ID)
	_, err = b.Tariffs().Create(ctx, terms(func(t *freetime.Terms) { t.ShippingLineSCAC = "seal" })) // an alternative code of SEAU
	if e := (*tracking.Error)(nil); !errors.As(err, &e) || e.Code != "overlaps" {
		t.Errorf("the alternative code of a line: %v", err)
	}
	if got, _, _ := b.Tariffs().List(ctx, freetime.Filter{}, tracking.TimeRange{}, nil, tracking.Page{}); len(got) != 6 {
		t.Errorf("%d tariffs, want 6: nothing that was refused is stored", len(got))
	}
}

func TestTariffsAreImportedTogether(t *testing.T) {
	b := trackingtest.New(t)
	tariffs := b.Tariffs()
	first := []freetime.Terms{namedTerms("a", year(2026)), namedTerms("b", year(2027))}
	done, err := tariffs.Import(ctx, first, false)
	if err != nil || done != (freetime.Imported{Created: 2}) {
		t.Fatal(done, err)
	}
	old, _, _ := tariffs.List(ctx, freetime.Filter{}, tracking.TimeRange{}, []tracking.Order{{Name: "created_at"}}, tracking.Page{})
	// One that fails: nothing changes.
	for want, list := range map[string][]freetime.Terms{
		"row 2, column free_days: -1 is not allowed":                        {terms(year(2030)), terms(func(t *freetime.Terms) { t.FreeDays = -1 })},
		"row 2: overlaps the tariff row 1":                                  {terms(year(2030)), terms(year(2030))},
		fmt.Sprintf(`row 1: overlaps the tariff %s ("b")`, old[1].ID):       {terms(year(2027))},
		"row 1, column holiday_calendar: \"XX\" is no country":              {terms(func(t *freetime.Terms) { t.HolidayCalendar = "xx" })},
		"row 1, column shipping_line_scac: 'NOPE' is no SCAC of a shipping": {terms(func(t *freetime.Terms) { t.ShippingLineSCAC = "NOPE" })},
	} {
		if _, err := tariffs.Import(ctx, list, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	exported, err := tariffs.All(ctx)
	if err != nil {
		t.Fatal(err)
	}
	again := []freetime.Terms{namedTerms("new", year(2028)), exported[1]}
	if done, err := tariffs.CheckImport(ctx, again, true); err != nil || done != (freetime.Imported{Created: 1, Kept: 1, Deleted: 1}) {
		t.Errorf("checked: %+v, %v", done, err)
	}
	if done, err = tariffs.Import(ctx, again, true); err != nil || done != (freetime.Imported{Created: 1, Kept: 1, Deleted: 1}) {
		t.Fatal(done, err)
	}
	now, _, _ := tariffs.List(ctx, freetime.Filter{}, tracking.TimeRange{}, []tracking.Order{{Name: "valid_from"}}, tracking.Page{})
	if len(now) != 2 || now[0].ID != old[1].ID || now[0].Version != old[1].Version || now[1].Name != "new" {
		t.Errorf("afterwards there are %v", now)
	}
	once := tracking.Once{Key: "k", Fingerprint: "f"}
	for range 2 { // the second is the first
		if done, err = tariffs.Import(ctx, []freetime.Terms{terms(year(2029))}, false, once); err != nil || done.Created != 1 {
			t.Error(done, err)
		}
	}
}

// TestTariffsOfAnAccount: writing needs admin, is in the audit log, and an export of the
// account has them.
func TestTariffsOfAnAccount(t *testing.T) {
	b := trackingtest.New(t)
	reader := b.Operator.For(tracking.Actor{Account: b.Account.Scope(), Permissions: []tracking.Permission{tracking.Show, tracking.Create, tracking.Update, tracking.Delete}})
	_, create := reader.Tariffs().Create(ctx, terms(nil))
	_, update := reader.Tariffs().Update(ctx, tracking.ID{}, 0, nil)
	_, imports := reader.Tariffs().Import(ctx, nil, false)
	for _, err := range []error{create, update, imports, reader.Tariffs().Delete(ctx, tracking.ID{})} {
		if e := (*tracking.Error)(nil); !errors.As(err, &e) || e.Kind != tracking.Forbidden {
			t.Errorf("without admin: %v", err)
		}
	}
	made, err := b.Tariffs().Create(ctx, namedTerms("a", nil))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := b.Tariffs().Update(ctx, made.ID, 0, func(t *freetime.Terms) error { t.FreeDays = 7; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	var docs []string
	if err := b.Operator.ExportAccount(ctx, b.Account.Name, tracking.AccountExport{Resource: func(typ string, doc []byte) error {
		if typ == "tariff" {
			docs = append(docs, string(doc))
		}
		return nil
	}}); err != nil || len(docs) != 1 || !strings.Contains(docs[0], `"free_days":7`) {
		t.Errorf("the export has %q, %v", docs, err)
	}
	if err := b.Tariffs().Delete(ctx, made.ID); err != nil {
		t.Fatal(err)
	}
	if err := b.Tariffs().Delete(ctx, made.ID); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
	events, _, err := b.AuditEvents(ctx, tracking.AuditEventQuery{ResourceTypes: []string{"tariff"}}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	var did []string
	for _, e := range slices.Backward(events) {
		did = append(did, fmt.Sprint(e.Operation, e.Changed, e.ResourceIDs[0] == made.ID))
	}
	if diff := cmp.Diff([]string{"tariff.create[] true", "tariff.update[free_days] true", "tariff.delete[] true"}, did); diff != "" {
		t.Error(diff)
	}
}
