package train

import (
	"slices"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/trade"
)

// Specimens are layouts after forms that are in use, by somebody who did not see the
// rules: where their boxes are, and what captions these bear. Of two lots, the second
// was drawn after the first and without regard to what rules made of it, so that it can
// tell how well rules read that were written from the first.

// redraw takes other shipments until one is as wanted, for forms of one country, with
// its days and decimals. The days of its dates cannot be taken for months.
func redraw(f *form.Form, day string, wanted func(trade.Shipment) bool) {
	for !wanted(f.S) || f.S.Invoiced.Day() < 13 || f.S.Sailed.Day() < 13 || max(f.S.Arrives.Day(), f.S.FreeUntil.Day()) < 13 {
		f.S = trade.New(f.R)
	}
	f.Style.Day, f.Style.Thousands, f.Style.Point = day, ",", "."
}

func from(countries ...string) func(trade.Shipment) bool {
	return func(s trade.Shipment) bool { return slices.Contains(countries, s.Lading.Country) }
}

func to(countries ...string) func(trade.Shipment) bool {
	return func(s trade.Shipment) bool { return slices.Contains(countries, s.Unlading.Country) }
}

// of wants goods whose codes begin so.
func of(chapters ...string) func(trade.Shipment) bool {
	return func(s trade.Shipment) bool {
		return slices.ContainsFunc(chapters, func(c string) bool { return strings.HasPrefix(s.Goods[0].HS, c) })
	}
}

// stack prints lines that are filled in, one below the other, and returns the y below.
func stack(f *form.Form, x, y, w, size float64, lines ...string) float64 {
	for _, line := range lines {
		f.Fill(x, y, w, size, line)
		y += size * 0.45
	}
	return y
}

// ruled prints rows of cells with lines around: in each cell a caption in small type
// at the left, and its value beside it.
func ruled(f *form.Form, x, y, size float64, widths []float64, rows [][][2]string) float64 {
	const h = 6.2
	for _, row := range rows {
		at := x
		for i, cell := range row {
			w := widths[i]
			if i == len(row)-1 { // the last cell of a row takes what is left of it
				for _, more := range widths[i+1:] {
					w += more
				}
			}
			f.Frame(at, y, w, h)
			f.Label(at+1, y+1.8, 0, w-2, size, "", cell[0], cell[1])
			at += w
		}
		y += h
	}
	return y
}

// containerAndSeal prints one of the containers with its seal.
func containerAndSeal(f *form.Form, i int) string {
	row := f.Row("containers")
	return row.Container("number", f.S.Containers[i].Number) + " / " + row.Number("seal", f.S.Containers[i].Seal)
}

// named are the goods without how many there are of each.
func named(s trade.Shipment) string {
	var words []string
	for _, g := range s.Goods {
		words = append(words, g.Words+" HS CODE "+g.HS)
	}
	return strings.Join(words, " ")
}

// lineSizes are what lines call the sizes of containers: after the French manner, by
// the codes of Japanese and Taiwanese lines, by length, kind and height, and in full.
var lineSizes = map[string][4]string{
	"20GP": {"20'ST", "D2", "20 DRY 8'6", "20' DRY VAN"},
	"40GP": {"40'ST", "D4", "40 DRY 8'6", "40' DRY VAN"},
	"40HC": {"40'HC", "D5", "40 DRY 9'6", "40' HIGH CUBE"},
	"45HC": {"45'HC", "D7", "45 DRY 9'6", "45' HIGH CUBE"},
	"40RH": {"40'RH", "R5", "40 REEF 9'6", "40' HIGH CUBE REEFER"},
}

// lineSize keeps a container's size, and prints it as the line does.
func lineSize(row form.Fields, kind int, size string) string {
	return row.Code("size_type", size, lineSizes[size][kind])
}

var (
	units = strings.Fields("ZERO ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN ELEVEN TWELVE THIRTEEN FOURTEEN FIFTEEN SIXTEEN SEVENTEEN EIGHTEEN NINETEEN")
	tens  = strings.Fields("- - TWENTY THIRTY FORTY FIFTY SIXTY SEVENTY EIGHTY NINETY")
)

// inWords says a number below a thousand millions as papers for banks do.
func inWords(n int) string {
	for _, big := range []struct {
		of   int
		name string
	}{{1_000_000, " MILLION"}, {1000, " THOUSAND"}, {100, " HUNDRED"}} {
		if n >= big.of {
			return strings.TrimSuffix(inWords(n/big.of)+big.name+" "+inWords(n%big.of), " ZERO")
		}
	}
	if n >= 20 {
		return strings.TrimSuffix(tens[n/10]+" "+units[n%10], " ZERO")
	}
	return units[n]
}

// currencies are what amounts in words call them.
var currencies = map[string]string{"USD": "US DOLLARS", "EUR": "EUROS", "GBP": "POUNDS STERLING"}

// inMoney says an amount for a bank.
func inMoney(currency string, cents int) string {
	words := inWords(cents / 100)
	if cents%100 > 0 {
		words += " AND CENTS " + inWords(cents%100)
	}
	return currencies[currency] + " " + words + " ONLY"
}
