package refdata

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestHolidaysAreWellFormed(t *testing.T) {
	want := strings.Fields("AE AU BE BR CA CN DE EG ES FR GB GR HK IN IT JP KR MX MY NL PA SG TH TR TW US VN ZA")
	if got := HolidayCountries(); !slices.Equal(got, want) {
		t.Errorf("the countries are %v", got)
	}
	for _, country := range HolidayCountries() {
		years := map[int]int{}
		var last time.Time
		for _, h := range Holidays(country) {
			if !h.Date.After(last) || h.Name == "" {
				t.Errorf("%s %s %q: dates are unique and in order, with a name", country, h.Date.Format(time.DateOnly), h.Name)
			}
			if weekend := h.Date.Weekday() == time.Saturday || h.Date.Weekday() == time.Sunday; h.Working && !weekend {
				t.Errorf("%s %s: a working day that is no weekend", country, h.Date.Format(time.DateOnly))
			}
			last = h.Date
			years[h.Date.Year()]++
		}
		for year := HolidaysFrom; year <= HolidaysTo; year++ {
			if years[year] < 5 {
				t.Errorf("%s has %d rows in %d", country, years[year], year)
			}
			delete(years, year)
		}
		if len(years) > 0 {
			t.Errorf("%s has rows of other years: %v", country, years)
		}
	}
	if Holidays("de")[0].Name != "New Year's Day" || Holidays("XX") != nil {
		t.Error("countries are found in any case, and others are not")
	}
}

// TestAnnouncedHolidays compares days with what governments have announced: those on which
// rules of substitution, the moon or a decree decide.
func TestAnnouncedHolidays(t *testing.T) {
	for country, days := range map[string]string{
		"US": "2026-07-03 2027-06-18 2027-12-24 2027-12-31 2028-01-01",
		"GB": "2026-08-31 2026-12-28 2027-12-27 2027-12-28 2028-01-03",
		"CA": "2026-05-18 2027-05-24 2027-12-27 2027-12-28",
		"CN": "2025-01-28 2025-02-04 2025-10-08 2026-02-15 2026-02-23 2026-06-19 2026-10-07 2027-02-05 2027-02-08",
		"HK": "2026-04-07 2026-05-25 2026-09-26 2026-10-19 2027-02-06 2027-02-08 2027-02-09 2027-12-27",
		"TW": "2026-02-20 2026-02-27 2026-04-03 2026-04-06 2026-10-09 2026-10-26 2025-10-24",
		"KR": "2025-05-06 2025-10-08 2026-03-02 2026-05-25 2026-08-17 2026-10-05 2027-02-09",
		"JP": "2024-02-12 2026-05-06 2026-09-22 2027-03-22",
		"SG": "2026-06-01 2026-08-10 2026-11-09 2027-02-08 2027-03-10",
		"AU": "2026-12-28 2027-12-27 2027-12-28",
		"ZA": "2026-08-10 2027-03-22 2027-12-27",
		"NL": "2025-04-26 2026-04-27 2025-05-05",
		"GR": "2024-05-07 2026-02-23 2026-04-13 2026-06-01",
		"TH": "2026-06-01 2026-12-07",
		"VN": "2026-02-16 2026-04-27 2026-09-01",
		"DE": "2026-04-03 2026-05-14 2026-05-25",
	} {
		for day := range strings.FieldsSeq(days) {
			if !slices.ContainsFunc(Holidays(country), func(h Holiday) bool { return h.Date.Format(time.DateOnly) == day && !h.Working }) {
				t.Errorf("%s has no holiday on %s", country, day)
			}
		}
	}
	for country, days := range map[string]string{"CN": "2026-02-13 2026-02-24 2025-02-05", "HK": "2027-02-10", "US": "2026-07-06", "GB": "2026-05-01", "NL": "2026-05-05", "GR": "2024-05-01"} {
		for day := range strings.FieldsSeq(days) {
			if slices.ContainsFunc(Holidays(country), func(h Holiday) bool { return h.Date.Format(time.DateOnly) == day && !h.Working }) {
				t.Errorf("%s has a holiday on %s", country, day)
			}
		}
	}
	if !slices.ContainsFunc(Holidays("CN"), func(h Holiday) bool { return h.Date.Format(time.DateOnly) == "2026-02-14" && h.Working }) {
		t.Error("14 February 2026 is worked in China")
	}
}
