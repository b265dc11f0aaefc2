package form

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/landfallhq/tracking/classify/corpus/trade"
	"github.com/landfallhq/tracking/classify/corpus/truth"
	"github.com/landfallhq/tracking/refdata"
)

// Fields prints values in a style, and keeps their normal forms under their names.
// Each method returns what the paper shows. An empty name keeps nothing.
type Fields struct {
	Style
	set truth.Fields
}

// Row begins a member of a list.
func (f Fields) Row(list string) Fields {
	row := truth.Fields{}
	rows, _ := f.set[list].([]truth.Fields)
	f.set[list] = append(rows, row)
	return Fields{Style: f.Style, set: row}
}

func (f Fields) keep(name string, normal any) {
	if name != "" {
		f.set[name] = normal
	}
}

// Number prints a number as it is.
func (f Fields) Number(name, number string) string {
	f.keep(name, strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return unicode.ToUpper(c)
	}, number))
	return number
}

// Container prints a container's number.
func (f Fields) Container(name, number string) string {
	f.keep(name, number)
	return f.container(number)
}

// Text prints words.
func (f Fields) Text(name, words string) string {
	f.keep(name, words)
	return words
}

// Party prints name and address, in at most so many lines.
func (f Fields) Party(name string, c trade.Company, lines int) []string {
	address := c.Address[:min(len(c.Address), lines-1)]
	f.keep(name, truth.Company{Name: c.Name, Address: strings.Join(address, ", ")})
	return append([]string{c.Name}, address...)
}

// Place prints a port.
func (f Fields) Place(name string, p refdata.Port) string {
	f.keep(name, p.Code)
	return f.place(p)
}

// Day prints a date.
func (f Fields) Day(name string, t time.Time) string {
	f.keep(name, t.Format("2006-01-02"))
	return f.day(t)
}

// Moment prints a date and a time of day.
func (f Fields) Moment(name string, t time.Time) string {
	f.keep(name, t.Format("2006-01-02T15:04"))
	return f.clock(t)
}

// Mass prints kilograms with their unit, BareMass without: its column has it.
func (f Fields) Mass(name string, kg float64) string {
	return f.BareMass(name, kg) + " " + f.Kilo
}

// BareMass prints kilograms without their unit.
func (f Fields) BareMass(name string, kg float64) string {
	f.keep(name, quantity(kg)+" kg")
	return f.decimal(kg, f.Figures)
}

// Tonnes prints whole kilograms as metric tons with their unit; the truth is in
// kilograms.
func (f Fields) Tonnes(name string, kg float64) string {
	kg = math.Round(kg)
	f.keep(name, quantity(kg)+" kg")
	return f.decimal(kg/1000, 3) + " MT"
}

// Pounds prints kilograms as pounds, BarePounds without their unit.
func (f Fields) Pounds(name string, kg float64) string {
	return f.BarePounds(name, kg) + " LBS"
}

// BarePounds prints kilograms as pounds without their unit.
func (f Fields) BarePounds(name string, kg float64) string {
	lb := float64(int(kg*2.20462262*10+0.5)) / 10
	f.keep(name, quantity(lb)+" lb")
	return f.decimal(lb, f.Figures)
}

// BareCubicFeet prints cubic metres as whole cubic feet without their unit.
func (f Fields) BareCubicFeet(name string, m3 float64) string {
	ft3 := float64(int(m3*35.3146667 + 0.5))
	f.keep(name, quantity(ft3)+" ft3")
	return f.decimal(ft3, 0)
}

// Volume prints cubic metres with their unit, BareVolume without.
func (f Fields) Volume(name string, m3 float64) string {
	return f.BareVolume(name, m3) + " " + f.Cubic
}

// BareVolume prints cubic metres without their unit.
func (f Fields) BareVolume(name string, m3 float64) string {
	f.keep(name, quantity(m3)+" m3")
	return f.decimal(m3, 3)
}

// Count prints a whole number.
func (f Fields) Count(name string, n int) string {
	f.keep(name, strconv.Itoa(n))
	return f.decimal(float64(n), 0)
}

// Money prints an amount; its currency stands elsewhere on the paper.
func (f Fields) Money(name, currency string, cents int) string {
	f.keep(name, strings.TrimSpace(currency+" "+quantity(float64(cents)/100)))
	return f.decimal(float64(cents)/100, 2)
}

// Code prints words that stand for a code.
func (f Fields) Code(name, code, words string) string {
	f.keep(name, code)
	return words
}

// Size prints size and type of a container.
func (f Fields) Size(name, short string) string {
	f.keep(name, short)
	return f.size(short)
}

// SCAC keeps the line that the paper names, and prints its code.
func (f Fields) SCAC(l refdata.Line) string {
	f.keep("scac", l.SCAC)
	return l.SCAC
}

func quantity(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
