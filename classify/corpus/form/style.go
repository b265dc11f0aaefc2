package form

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/trade"
	"github.com/landfallhq/tracking/refdata"
)

// Style is how one paper writes dates, numbers, places and containers.
type Style struct {
	Day       string // a layout of package time
	Clock     string // likewise, for a time of day
	Upper     bool   // months in capitals
	Thousands string
	Point     string // the decimal one
	Where     int    // how places are written, of wheres
	Gap       int    // how container numbers are written, of gaps
	Size      int    // how sizes are written, of sizes
	Kilo      string // what kg is called
	Cubic     string // what m3 is called
	Figures   int    // decimals of masses

	// Months are what the months are called instead, from January on, where Day has
	// January in full; nil for English.
	Months []string
}

// newStyle draws one. Months stand before days in papers for the United States alone,
// and only where one of the dates on the paper cannot be read the other way; decimal
// commas and days with dots in those from or for the continent of Europe.
func newStyle(r *rand.Rand, s trade.Shipment) Style {
	days := []string{"02 Jan 2006", "2006-01-02", "02-Jan-2006", "Jan 02, 2006", "2 January 2006", "02-Jan-06"}
	if s.Unlading.Country == "US" && s.Invoiced.Day() > 12 && s.Sailed.Day() > 12 && max(s.Arrives.Day(), s.FreeUntil.Day()) > 12 {
		days = append(days, "01/02/2006", "1/2/06", "January 2, 2006")
	}
	if continental(s.Unlading.Country) || continental(s.Lading.Country) {
		days = append(days, "02.01.2006", "02.01.06")
	}
	style := Style{
		Day: days[r.IntN(len(days))], Clock: []string{"15:04", "15:04", "1504"}[r.IntN(3)], Upper: r.IntN(2) == 0,
		Thousands: []string{",", ",", ""}[r.IntN(3)], Point: ".", Where: r.IntN(4), Gap: r.IntN(4), Size: r.IntN(5),
		Kilo:  []string{"KGS", "KG", "kg", "KGM"}[r.IntN(4)],
		Cubic: []string{"CBM", "M3", "cbm", "CBM"}[r.IntN(4)], Figures: 1 + r.IntN(3),
	}
	if continental(s.Unlading.Country) && r.IntN(2) == 0 {
		style.Thousands, style.Point, style.Figures = ".", ",", 2
	}
	return style
}

func continental(country string) bool {
	return slices.Contains([]string{"DE", "NL", "BE", "FR", "IT", "ES"}, country)
}

// day prints a day, and clock a day with its time.
func (s Style) day(t time.Time) string {
	d := t.Format(s.Day)
	if s.Months != nil {
		d = strings.Replace(d, t.Month().String(), s.Months[t.Month()-1], 1)
	}
	if s.Upper {
		d = strings.ToUpper(d)
	}
	return d
}

func (s Style) clock(t time.Time) string { return s.day(t) + " " + t.Format(s.Clock) }

// decimal prints a number with so many digits after the point.
func (s Style) decimal(x float64, figures int) string {
	whole, part, _ := strings.Cut(strconv.FormatFloat(x, 'f', figures, 64), ".")
	for i := len(whole) - 3; i > 0 && s.Thousands != ""; i -= 3 {
		whole = whole[:i] + s.Thousands + whole[i:]
	}
	if figures == 0 {
		return whole
	}
	return whole + s.Point + part
}

// place prints a port: by name alone, with country or state, with its code in brackets,
// or after its code.
func (s Style) place(p refdata.Port) string {
	name, _, _ := strings.Cut(strings.ToUpper(p.Name), " (")
	full := name + ", " + strings.ToUpper(refdata.CountryName(p.Country))
	if p.State != "" && (p.Country == "US" || p.Country == "CA") {
		full = name + ", " + p.State
	}
	switch s.Where {
	case 0:
		return name
	case 1:
		return full
	case 2:
		return name + " (" + p.Code + ")"
	default:
		return p.Code + " " + name
	}
}

// container prints a number whole, with spaces, or with the check digit set off.
func (s Style) container(number string) string {
	switch s.Gap {
	case 1:
		return number[:4] + " " + number[4:]
	case 2:
		return number[:4] + " " + number[4:10] + "-" + number[10:]
	case 3:
		return number[:4] + number[4:10] + "-" + number[10:]
	case 4: // no style is drawn with this and those below: a layout may ask for them
		return number[:4] + " " + number[4:10] + "/" + number[10:]
	case 5:
		return number[:4] + "-" + number[4:10] + "-" + number[10:]
	case 6:
		return number[:4] + " " + number[4:7] + " " + number[7:10] + " " + number[10:]
	default:
		return number
	}
}

var sizes = map[string][5]string{
	"20GP": {"20GP", "20' DRY", "22G1", "20' STANDARD", "20DC"},
	"40GP": {"40GP", "40' DRY", "42G1", "40' STANDARD", "40DC"},
	"40HC": {"40HC", "40' HC", "45G1", "40' HIGH CUBE", "40HQ"},
	"45HC": {"45HC", "45' HC", "L5G1", "45' HIGH CUBE", "45HQ"},
	"40RH": {"40RH", "40' RF HC", "45R1", "40' HIGH CUBE REEFER", "40RQ"},
}

func (s Style) size(short string) string { return sizes[short][s.Size] }
