package dashboard

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	catalogs "github.com/landfallhq/tracking/dashboard/catalog"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freight"
)

// cell is a value of a table or of a list of attributes.
type cell struct {
	// Text is the value as it is shown and exported; empty for none.
	Text string
	// Note is a second, quieter line.
	Note string
	Href string
	// Tone colours it as a badge: good, warn, bad or info; empty for plain text.
	Tone string
	// At is the value if it is a time, in its zone.
	At time.Time
	// Zone is the IANA name of the place of At; empty if it is not known.
	Zone string
	// Day: At is a date.
	Day bool
	// Numeric values are set in columns.
	Numeric bool
	// Long links may be broken anywhere.
	Long bool
}

// Empty reports whether there is nothing to show.
func (c cell) Empty() bool { return c.Text == "" }

// DateTime is the value of the attribute datetime of HTML; empty if it is no time.
func (c cell) DateTime() string {
	switch {
	case c.At.IsZero():
		return ""
	case c.Day:
		return c.At.Format(time.DateOnly)
	}
	return c.At.Format(time.RFC3339)
}

func text(s string) cell { return cell{Text: s} }

func linked(s, href string) cell { return cell{Text: s, Href: href} }

func number(n int) cell { return cell{Text: grouped(n), Numeric: true} }

// money is an amount in a currency; both are empty where it is not known.
func money(amount, currency string) cell {
	if amount == "" {
		return cell{Numeric: true}
	}
	return cell{Text: strings.TrimSpace(groupedText(amount) + " " + currency), Numeric: true}
}

// moment shows a time in the zone of its place, which is named; UTC where that is not known.
func (c catalog) moment(at time.Time, zone string) cell {
	if at.IsZero() {
		return cell{}
	}
	at = at.In(location(zone))
	return cell{Text: at.Format(c.get("format.time")) + " " + catalogs.ZoneLabel(at), At: at, Zone: zone}
}

// day shows the date of a time in the zone of its place.
func (c catalog) day(at time.Time, zone string) cell {
	if at.IsZero() {
		return cell{}
	}
	at = at.In(location(zone))
	return cell{Text: at.Format(c.get("format.date")), At: at, Zone: zone, Day: true}
}

func location(zone string) *time.Location {
	if l := freight.LoadZone(zone); l != nil {
		return l
	}
	return time.UTC
}

// grouped writes a number with separators of thousands.
func grouped(n int) string { return groupedText(strconv.Itoa(n)) }

// groupedText groups the digits before the point of a decimal number.
func groupedText(s string) string {
	sign, rest := "", s
	if strings.HasPrefix(rest, "-") {
		sign, rest = "−", rest[1:]
	}
	whole, fraction, found := strings.Cut(rest, ".")
	var b strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	if found {
		return sign + b.String() + "." + fraction
	}
	return sign + b.String()
}

// joined is a list of words in one cell.
func joined(words []string) cell { return text(strings.Join(words, ", ")) }

func (c catalog) yesOrNo(v bool) cell {
	if v {
		return text(c.get("yes"))
	}
	return text(c.get("no"))
}

// calendarDay shows a date at a place.
func (c catalog) calendarDay(d freetime.Date) cell {
	if !d.IsValid() {
		return cell{}
	}
	at, err := time.Parse(time.DateOnly, d.String())
	if err != nil {
		return text(d.String())
	}
	return cell{Text: at.Format(c.get("format.date")), At: at, Day: true}
}

// poundsPerKilogram converts the weights of the engine.
const poundsPerKilogram = 2.20462262185

// weight is a weight in kilograms, of pounds; nothing for 0.
func weight(pounds float64) cell {
	if pounds == 0 {
		return cell{Numeric: true}
	}
	return cell{Text: grouped(int(math.Round(pounds/poundsPerKilogram))) + " kg", Numeric: true}
}

// equipment is the type of a container: 40′ high cube dry.
func (c catalog) equipment(b *tracking.Container) cell {
	var words []string
	if b.EquipmentLength > 0 {
		words = append(words, strconv.Itoa(b.EquipmentLength)+"′")
	}
	for _, w := range nonEmpty(b.EquipmentHeight, b.EquipmentType) {
		words = append(words, c.word("equipment", w))
	}
	return text(strings.Join(words, " "))
}

// decimal writes an amount with two decimals.
func decimal(amount float64) string { return strconv.FormatFloat(amount, 'f', 2, 64) }
