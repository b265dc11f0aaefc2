package freetime

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// testCase is a case of testdata/cases.json. The cases were worked by hand, by the rules
// of docs/freetime.md; the first 60 before this package existed.
type testCase struct {
	Name, Class, Why   string
	Zone, Place, Clock string
	Container          struct {
		Line, Terminal  string
		EquipmentType   string `json:"equipment_type"`
		EquipmentLength int    `json:"equipment_length"`
		ThroughRail     bool   `json:"through_rail"`
	}
	Tariffs []tariffJSON
	Facts   []factJSON
	AskedAt time.Time `json:"asked_at"`
	Want    ledgerJSON
}

type tariffJSON struct {
	Name, Clock           string
	Line, Terminal, Place *string
	EquipmentType         *string `json:"equipment_type"`
	EquipmentLength       *int    `json:"equipment_length"`
	FreeDays              int     `json:"free_days"`
	FreeDaysKind          string  `json:"free_days_kind"`
	Weekend               []string
	Holidays              []struct{ Date, Name string }
	ExtraWorkingDays      []string `json:"extra_working_days"`
	Starts                string
	Cutoff                *string
	UnavailableDays       string   `json:"unavailable_days"`
	HoldsThatCount        []string `json:"holds_that_count"`
	EndsOn                string   `json:"ends_on"`
	ChargedOn             string   `json:"charged_on"`
	Currency              string
	Tiers                 []struct {
		From   int
		To     *int
		Amount string
	}
	ValidFrom *string `json:"valid_from"`
	ValidTo   *string `json:"valid_to"`
}

type factJSON struct {
	Name, Type, Zone, Place, Hold, Party, Date, Of string
	At                                             time.Time
	RecordedAt                                     time.Time `json:"recorded_at"`
}

// ledgerJSON is a result as the cases write it: null is a nil pointer.
type ledgerJSON struct {
	Days        []dayJSON
	Last        *string `json:"last_free_day"`
	Reported    *string `json:"reported_last_free_day"`
	Effective   *string `json:"effective_last_free_day"`
	First       *string `json:"first_charged_day"`
	DaysCharged *int    `json:"days_charged"`
	Total       *string
	Currency    *string
	Tomorrow    *string
}

type dayJSON struct {
	Date, Kind, Basis, Amount string
	Tier                      int
}

// namesOfFacts are the types of facts of the cases that have another name here.
var namesOfFacts = map[string]FactType{
	"discharged": Discharged, "rail_discharged": RailUnloaded,
	"gate_out_full": FullOut, "empty_return": EmptyIn,
}

func TestCases(t *testing.T) {
	cases := readCases(t)
	if len(cases) != 64 {
		t.Fatalf("%d cases, want 64", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			h, tariffs := c.history(t), c.tariffs(t)
			if err := CheckTariffs(tariffs); err != nil {
				t.Fatal(err)
			}
			got := written(NewLedger(Clock(c.Clock), h, tariffs, c.AskedAt))
			if diff := cmp.Diff(c.Want, got); diff != "" {
				t.Errorf("%s\n(-want +got):\n%s", c.Why, diff)
			}
			slices.Reverse(h.Facts)
			slices.Reverse(tariffs)
			again := written(NewLedger(Clock(c.Clock), h, tariffs, c.AskedAt.In(time.FixedZone("", -3600))))
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("facts and tariffs in another order (-want +got):\n%s", diff)
			}
		})
	}
}

func readCases(t *testing.T) []testCase {
	text, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []testCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func (c *testCase) history(t *testing.T) History {
	h := History{Place: c.Place, Zone: zoneOf(t, c.Zone), Container: Container{
		c.Container.Line, c.Container.Terminal, c.Container.EquipmentType, c.Container.EquipmentLength, c.Container.ThroughRail,
	}}
	for _, f := range c.Facts {
		name, renamed := namesOfFacts[f.Type]
		if !renamed {
			name = FactType(f.Type)
		}
		h.Facts = append(h.Facts, Fact{
			Name: f.Name, Type: name, At: f.At, RecordedAt: f.RecordedAt, Zone: zoneOf(t, f.Zone), Place: f.Place,
			Hold: f.Hold, Party: Party(f.Party), Date: dateOf(t, f.Date), Of: Facility(f.Of),
		})
	}
	return h
}

func (c *testCase) tariffs(t *testing.T) []Tariff {
	var list []Tariff
	for _, j := range c.Tariffs {
		tariff := Tariff{
			Name: j.Name, Clock: Clock(j.Clock),
			Line: value(j.Line), Terminal: value(j.Terminal), Place: value(j.Place),
			EquipmentType: value(j.EquipmentType), EquipmentLength: value(j.EquipmentLength),
			FreeDays: j.FreeDays, FreeDaysKind: FreeDaysKind(j.FreeDaysKind),
			Starts: Start(j.Starts), Cutoff: value(j.Cutoff),
			UnavailableDays: UnavailableRule(j.UnavailableDays), HoldsThatCount: j.HoldsThatCount,
			EndsOn: EndRule(j.EndsOn), ChargedOn: ChargeRule(j.ChargedOn), Currency: j.Currency,
			ValidFrom: dateOf(t, value(j.ValidFrom)), ValidTo: dateOf(t, value(j.ValidTo)),
		}
		for _, day := range j.Weekend {
			tariff.Weekend = append(tariff.Weekend, weekdayOf(day))
		}
		for _, day := range j.Holidays {
			tariff.Holidays = append(tariff.Holidays, Holiday{dateOf(t, day.Date), day.Name})
		}
		for _, day := range j.ExtraWorkingDays {
			tariff.ExtraWorkingDays = append(tariff.ExtraWorkingDays, dateOf(t, day))
		}
		for _, tier := range j.Tiers {
			amount, err := ParseMoney(tier.Amount, j.Currency)
			if err != nil {
				t.Fatal(err)
			}
			tariff.Tiers = append(tariff.Tiers, Tier{tier.From, value(tier.To), amount})
		}
		list = append(list, tariff)
	}
	return list
}

// written writes a ledger as the cases do.
func written(l Ledger) ledgerJSON {
	w := ledgerJSON{
		Days: []dayJSON{}, Last: pointer(l.LastFreeDay.String()), Reported: pointer(l.ReportedLastFreeDay.String()),
		Effective: pointer(l.EffectiveLastFreeDay.String()), First: pointer(l.FirstChargedDay.String()),
		DaysCharged: l.DaysCharged, Total: pointer(l.Total.String()), Currency: pointer(l.Currency), Tomorrow: pointer(l.Tomorrow.String()),
	}
	for _, d := range l.Days {
		basis := d.Fact
		if basis == "" {
			basis = "rule:" + string(d.Rule)
		}
		w.Days = append(w.Days, dayJSON{d.Date.String(), string(d.Kind), basis, d.Amount.String(), d.Tier})
	}
	return w
}

func weekdayOf(short string) time.Weekday {
	for day := range time.Weekday(7) {
		if strings.EqualFold(day.String()[:3], short) {
			return day
		}
	}
	return -1
}

func zoneOf(t testing.TB, name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func dateOf(t *testing.T, text string) Date {
	if text == "" {
		return 0
	}
	d, err := ParseDate(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func pointer(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
