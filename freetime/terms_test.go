package freetime

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func five() *int { n := 5; return &n }

func validTerms() Terms {
	return Terms{
		Name: "=Long Beach, import", Clock: Demurrage, ShippingLineSCAC: "MAEU", TerminalCode: "Z952", LocationLOCODE: "USLGB", EquipmentType: "open top", EquipmentLength: 40,
		FreeDays: 4, FreeDaysKind: WorkingDays, Weekend: []string{"sunday"}, HolidayCalendar: "US", Holidays: []Holiday{{NewDate(2026, 12, 25), "Christmas Day"}, {NewDate(2027, 1, 1), ""}},
		ExtraWorkingDays: []Date{NewDate(2026, 2, 14)}, Starts: StartCutoff, Cutoff: "16:00", UnavailableDays: UnavailableSkip, HoldsThatCount: []string{"freight", "other"},
		EndsOn: EndsOnWorkingDay, ChargedOn: ChargeEveryDay, Currency: "USD", Tiers: []TierTerms{{1, five(), "150.00"}, {6, nil, "300.00"}},
		ValidFrom: NewDate(2026, 1, 1), ValidTo: NewDate(2026, 12, 31),
	}
}

// calendarOf has one of the United States, which states days of validTerms too.
func calendarOf(country string) (Calendar, bool) {
	return Calendar{
		Holidays:    []Holiday{{NewDate(2026, 7, 3), "Independence Day"}, {NewDate(2026, 12, 25), "Christmas"}},
		WorkingDays: []Date{NewDate(2026, 2, 14), NewDate(2027, 1, 1), NewDate(2026, 10, 10)},
	}, country == "US"
}

func noLists() Terms {
	t := DefaultTerms()
	t.Clock, t.Weekend, t.Currency, t.Tiers = PerDiem, []string{}, "JPY", []TierTerms{{1, nil, "9000"}}
	return t
}

func TestTermsAreReadAsTheTariff(t *testing.T) {
	terms := validTerms()
	terms.Weekend, terms.Tiers[0].Amount = []string{"Sunday"}, "150"
	got, err := terms.Tariff(calendarOf)
	if err != nil {
		t.Fatal(err)
	}
	low, _ := NewMoney(150_00, "USD")
	high, _ := NewMoney(300_00, "USD")
	want := Tariff{
		Name: "=Long Beach, import", Clock: Demurrage, Line: "MAEU", Terminal: "Z952", Place: "USLGB", EquipmentType: "open top", EquipmentLength: 40,
		FreeDays: 4, FreeDaysKind: WorkingDays, Weekend: []time.Weekday{time.Sunday},
		Holidays:         []Holiday{{NewDate(2026, 12, 25), "Christmas Day"}, {NewDate(2027, 1, 1), ""}, {NewDate(2026, 7, 3), "Independence Day"}},
		ExtraWorkingDays: []Date{NewDate(2026, 2, 14), NewDate(2026, 10, 10)}, Starts: StartCutoff, Cutoff: "16:00", UnavailableDays: UnavailableSkip, HoldsThatCount: []string{"freight", "other"},
		EndsOn: EndsOnWorkingDay, ChargedOn: ChargeEveryDay, Currency: "USD", Tiers: []Tier{{1, 5, low}, {6, 0, high}},
		ValidFrom: NewDate(2026, 1, 1), ValidTo: NewDate(2026, 12, 31),
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Money{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(validTerms(), terms); diff != "" {
		t.Errorf("the usual form: %s", diff)
	}
}

func TestTermsAreReadBack(t *testing.T) {
	list := []Terms{validTerms(), noLists(), DefaultTerms()}
	list[2].Clock, list[2].Currency, list[2].Tiers = Combined, "EUR", []TierTerms{{1, nil, "0.00"}}
	var text bytes.Buffer
	if err := WriteCSV(&text, list); err != nil {
		t.Fatal(err)
	}
	got, err := ReadCSV(strings.NewReader("\ufeff" + text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(list, got, equalEmpty); diff != "" {
		t.Errorf("CSV: %s\n%s", diff, text.String())
	}
	for _, want := range list {
		doc, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(doc, &members); err != nil {
			t.Fatal(err)
		}
		got, err := TermsFromJSON(members)
		if diff := cmp.Diff(want, got, equalEmpty); diff != "" || err != nil {
			t.Errorf("JSON: %v %s\n%s", err, diff, doc)
		}
	}
}

var equalEmpty = cmp.FilterValues(func(a, b any) bool { return isEmpty(a) && isEmpty(b) }, cmp.Ignore())

func isEmpty(v any) bool {
	switch v := v.(type) {
	case []string:
		return len(v) == 0
	case []Holiday:
		return len(v) == 0
	case []Date:
		return len(v) == 0
	}
	return false
}

func TestTermsLeftOutAreTheDefaults(t *testing.T) {
	want := DefaultTerms()
	want.Clock, want.FreeDays, want.Currency, want.Tiers = Demurrage, 3, "USD", []TierTerms{{1, nil, "75"}}
	got, err := ReadCSV(strings.NewReader("clock,free_days,currency,tiers,name,weekend\ndemurrage,3,USD,1- 75,,\n"))
	if diff := cmp.Diff([]Terms{want}, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	read, err := TermsFromJSON(map[string]json.RawMessage{
		"clock": []byte(`"demurrage"`), "free_days": []byte("3"), "currency": []byte(`"USD"`), "tiers": []byte(`[{"from":1,"amount":"75"}]`), "weekend": []byte("null"),
	})
	if diff := cmp.Diff(want, read); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

// TestFaultsOfTerms checks that refusals name the member, and in CSV the row.
func TestFaultsOfTerms(t *testing.T) {
	for want, change := range map[string]func(*Terms){
		`shipping_line_scac: 201 bytes`:                                  func(t *Terms) { t.ShippingLineSCAC = strings.Repeat("A", 201) },
		`terminal_code: 201 bytes`:                                       func(t *Terms) { t.TerminalCode = strings.Repeat("A", 201) },
		`location_locode: "uslgb" is not a UN/LOCODE`:                    func(t *Terms) { t.LocationLOCODE = "uslgb" },
		`weekend[0]: "sat" is no day of the week: one of sunday, monday`: func(t *Terms) { t.Weekend = []string{"sat"} },
		`tiers[1].amount: "3,00" is not an amount of USD`:                func(t *Terms) { t.Tiers[1].Amount = "3,00" },
		`tiers[0].to: 0 is no day: one from 1 on`:                        func(t *Terms) { t.Tiers[0].To = new(int) },
		`currency: "USX" is not a currency`:                              func(t *Terms) { t.Currency = "USX" },
		`holiday_calendar: "XX" is no country`:                           func(t *Terms) { t.HolidayCalendar = "XX" },
		`holidays[0].name: "a;b" has a semicolon`:                        func(t *Terms) { t.Holidays[0].Name = "a;b" },
		`holds_that_count[1]: a name of a hold is missing`:               func(t *Terms) { t.HoldsThatCount[1] = " " },
	} {
		terms := validTerms()
		change(&terms)
		_, err := terms.Tariff(calendarOf)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "\n") > 1 {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for want, text := range map[string]string{
		"the first line is missing":                                     "",
		`price: there is no column "price"; columns are name, clock,`:   "clock,price\n",
		`clock: the column "clock" is there twice`:                      "clock,clock\n",
		`tiers: the column "tiers" is missing: clock, free_days`:        "clock,free_days,currency\n",
		`row 1: free_days: "x" has another form than is allowed: a who`: "clock,free_days,currency,tiers\ndemurrage,1,USD,1- 5\ndemurrage,x,USD,1- 5\n",
		"row 0: clock: a value is missing: a text is required":          "clock,free_days,currency,tiers\n,1,USD,1- 5\n",
		`row 0: tiers: "5" has another form`:                            "clock,free_days,currency,tiers\ndemurrage,1,USD,5\n",
		`row 0: holidays: "Christmas" has another form`:                 "clock,free_days,currency,tiers,holidays\ndemurrage,1,USD,1- 5,Christmas\n",
		`row 0: valid_from: "1.1.26" has another form`:                  "clock,free_days,currency,tiers,valid_from\ndemurrage,1,USD,1- 5,1.1.26\n",
		"wrong number of fields":                                        "clock,free_days,currency,tiers\ndemurrage\n",
	} {
		if _, err := ReadCSV(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	_, err := TermsFromJSON(map[string]json.RawMessage{"price": []byte("1"), "clock": []byte("1"), "tiers": []byte(`[{"form":1}]`)})
	for _, want := range []string{"price: there is no such member", "clock: the value has another form", "tiers: the value has another form than is allowed: a list such as", "free_days: a value is missing", "currency: a value is missing"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
