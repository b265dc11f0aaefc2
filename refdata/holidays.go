package refdata

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:generate go run ./internal/holidays -out holidays.tsv

//go:embed holidays.tsv
var holidaysTSV string

// HolidaysFrom and HolidaysTo are the first and the last year of the table of holidays.
const (
	HolidaysFrom = 2024
	HolidaysTo   = 2030
)

// Holiday is a public holiday of a country, or a day that is worked in spite of a weekend.
type Holiday struct {
	// Date is midnight UTC of the day on the country's calendar.
	Date time.Time
	// Name is in English. It ends in "(expected)" where the government announces the day
	// later.
	Name string
	// Working is true for a day on a weekend that is worked, as in China.
	Working bool
}

var holidays = sync.OnceValue(func() map[string][]Holiday { return parseHolidays(holidaysTSV) })

// Holidays returns the public holidays of a whole country, from HolidaysFrom to HolidaysTo,
// by date; none for a country without a table. country is an ISO 3166-1 alpha-2 code. The
// slice is shared and must not be changed.
func Holidays(country string) []Holiday { return holidays()[normalize(country)] }

// HolidayCountries returns the codes of the countries with a table, sorted.
func HolidayCountries() []string { return slices.Sorted(maps.Keys(holidays())) }

// parseHolidays reads the generated table. It panics on a malformed line, which the tests
// exclude.
func parseHolidays(table string) map[string][]Holiday {
	all := map[string][]Holiday{}
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		date, err := time.Parse(time.DateOnly, f[1])
		if err != nil || len(f) != 4 {
			panic("refdata: malformed line of holidays: " + line)
		}
		all[f[0]] = append(all[f[0]], Holiday{date, f[3], f[2] == "working"})
	}
	return all
}
