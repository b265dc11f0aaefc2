package fresh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/trade"
	"github.com/landfallhq/tracking/refdata"
)

// plan says what sort of shipment a layout wants.
type plan struct {
	way   string // of ways
	scac  string // of the line; any, if empty
	boxes int    // at most, at least one
	lines int    // of goods, at most
	whole bool   // kilograms without decimals
}

// recast gives the form a shipment of this part's own: other companies, goods, ships
// and ports than those of the other parts.
func recast(f *form.Form, p plan) {
	r, s := f.R, &f.S
	w := ways[p.way]
	s.Lading, s.Unlading = harbour(some(r, w.from)), harbour(some(r, w.to))
	s.Receipt, s.Delivery = s.Lading, s.Unlading
	if len(w.inland) > 0 && r.IntN(2) == 0 {
		s.Delivery = harbour(some(r, w.inland))
	}
	if len(w.hinterland) > 0 && r.IntN(2) == 0 {
		s.Receipt = harbour(some(r, w.hinterland))
	}
	if p.scac != "" {
		s.Line, _ = refdata.LineBySCAC(p.scac)
	}
	s.Ship = newShip(r)
	s.Voyage = some(r, []string{fmt.Sprintf("%03d%s", 1+r.IntN(300), some(r, bounds)), fmt.Sprintf("6%02d%s", 1+r.IntN(52), some(r, bounds)), fmt.Sprintf("FX%d%02dR", 6, r.IntN(60)), fmt.Sprintf("0%d%sS1MA", r.IntN(9), some(r, bounds))})
	s.Shipper, s.Buyer = firm(r, makers, s.Lading.Country), firm(r, buyers, s.Unlading.Country)
	s.Notify = firm(r, clearers, s.Unlading.Country)
	s.Agent = firm(r, agents, s.Unlading.Country)
	s.Forward = firm(r, shippers, s.Lading.Country)
	s.Trucker = firm(r, hauliers, s.Unlading.Country)
	load(r, s, p)
	datesOf(r, s)
	s.Booking = ref(r, "#########")
	s.HBL = ref(r, "@@@@#######")
	s.BL = s.Line.SCAC + ref(r, "#########")
	s.Terminal.Name = some(r, quays)
	if s.Unlading.Country == "US" {
		s.Terminal.FIRMS = ref(r, "@###")
	}
	s.Depot = some(r, yards)
	s.Currency = currencies[s.Lading.Country]
	if s.Currency == "" {
		s.Currency = "USD"
	}
}

// habits are how a form writes what it prints.
func habits(f *form.Form, day, thousands, point string, figures, gap, size int) {
	f.Style.Day, f.Style.Clock, f.Style.Upper = day, "15:04", false
	f.Style.Thousands, f.Style.Point, f.Style.Figures = thousands, point, figures
	f.Style.Gap, f.Style.Size, f.Style.Kilo, f.Style.Cubic = gap, size, "KGS", "CBM"
}

func some[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// ref fills a pattern: # is a digit, the first not 0, @ a letter.
func ref(r *rand.Rand, pattern string) string {
	var b strings.Builder
	first := true
	for _, c := range pattern {
		switch {
		case c == '#' && first:
			b.WriteByte(byte('1' + r.IntN(9)))
			first = false
		case c == '#':
			b.WriteByte(byte('0' + r.IntN(10)))
		case c == '@':
			b.WriteByte("ABCDEFGHJKLMNPRSTUVWXYZ"[r.IntN(23)])
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

func harbour(code string) refdata.Port {
	p, ok := refdata.PortByCode(code)
	if !ok {
		panic("fresh: no port " + code)
	}
	return p
}

func newShip(r *rand.Rand) trade.Ship {
	for {
		base := "9" + ref(r, "#####")
		for d := range 10 {
			if imo := fmt.Sprint(base, d); refdata.ValidIMO(imo) {
				return trade.Ship{Name: some(r, ships), IMO: imo}
			}
		}
	}
}

func newBox(r *rand.Rand) string {
	for {
		base := some(r, prefixes) + ref(r, "######")
		for d := range 10 {
			number := fmt.Sprint(base, d)
			if valid, _ := refdata.CheckDigit(number); valid && d != 0 {
				return number
			}
		}
	}
}

// firm is one of a country's companies, with a house number of its own.
func firm(r *rand.Rand, from map[string][]string, country string) trade.Company {
	list := from[country]
	if len(list) == 0 {
		panic("fresh: no company in " + country)
	}
	parts := strings.Split(strings.ReplaceAll(some(r, list), "%", fmt.Sprint(2+r.IntN(260))), "|")
	return trade.Company{Name: parts[0], Address: parts[1:], Country: country, Phone: ref(r, "+## ## ### ## ##")}
}

// load draws goods, and shares their cartons among containers so that all sums agree.
func load(r *rand.Rand, s *trade.Shipment, p plan) {
	family := some(r, stock)
	scale := 10.0
	if p.whole {
		scale = 1
	}
	round := func(x float64) float64 { return math.Round(x*scale) / scale }
	s.Goods = nil
	var gross, net, volume float64
	cartons := 0
	for _, i := range r.Perm(len(family))[:1+r.IntN(min(len(family), max(p.lines, 1)))] {
		w := family[i]
		n := 40 + r.IntN(380)
		g := trade.Goods{
			Item: w.code + ref(r, "###"), Words: w.words, HS: w.hs, Origin: s.Lading.Country, Quantity: n * w.each, Unit: w.unit,
			Price: w.price + r.IntN(w.price/2), Cartons: n,
			Net: round(float64(n) * w.kg), Gross: round(float64(n) * w.kg * 1.07), Volume: math.Round(float64(n)*w.m3*1000) / 1000,
		}
		s.Goods = append(s.Goods, g)
		gross, net, volume, cartons = gross+g.Gross, net+g.Net, volume+g.Volume, cartons+g.Cartons
	}
	s.Containers = nil
	many := 1 + r.IntN(max(p.boxes, 1))
	size := some(r, []string{"20GP", "40GP", "40HC", "40HC"})
	left, heavy, net0, wide := cartons, gross, net, volume
	for i := range many {
		b := trade.Container{Number: newBox(r), Seal: ref(r, some(r, []string{"#######", "@@######", "@@@#####A", "H#######"})), Size: size, Packages: left, Gross: round(heavy), Net: round(net0), Volume: math.Round(wide*1000) / 1000}
		if i < many-1 {
			b.Packages = cartons / many
			part := float64(b.Packages) / float64(cartons)
			b.Gross, b.Net, b.Volume = round(gross*part), round(net*part), math.Round(volume*part*1000)/1000
		}
		left, heavy, net0, wide = left-b.Packages, heavy-b.Gross, net0-b.Net, wide-b.Volume
		s.Containers = append(s.Containers, b)
	}
}

// datesOf draws other days, from any month of two years.
func datesOf(r *rand.Rand, s *trade.Shipment) {
	s.Sailed = time.Date(2025, 5, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, r.IntN(560))
	s.Booked = s.Sailed.AddDate(0, 0, -12-r.IntN(15))
	s.Invoiced = s.Sailed.AddDate(0, 0, -3-r.IntN(9))
	s.Cutoff = s.Sailed.AddDate(0, 0, -2-r.IntN(2)).Add(time.Duration(8+r.IntN(10))*time.Hour + time.Duration(30*r.IntN(2))*time.Minute)
	s.Arrives = s.Sailed.AddDate(0, 0, 13+r.IntN(27))
	s.Noticed = s.Arrives.AddDate(0, 0, -1-r.IntN(8))
	s.FreeUntil = s.Arrives.AddDate(0, 0, 4+r.IntN(6))
	s.GeneralOrder = s.Arrives.AddDate(0, 0, 15)
}

// city is a place's name without what stands in brackets.
func city(p refdata.Port) string {
	name, _, _ := strings.Cut(p.Name, " (")
	return name
}

// In which ways forms write places.
const (
	plain   = iota // Hamburg
	country        // Hamburg, Germany
	coded          // Hamburg (DEHAM)
	capital        // HAMBURG
	both           // HAMBURG, GERMANY
	codeend        // HAMBURG - DEHAM
)

// at prints a place.
func at(f *form.Form, name string, p refdata.Port, how int) string {
	words := city(p)
	land := refdata.CountryName(p.Country)
	if p.State != "" && p.Country == "US" {
		land = p.State
	}
	switch how {
	case country:
		words += ", " + land
	case coded:
		words += " (" + p.Code + ")"
	case capital:
		words = strings.ToUpper(words)
	case both:
		words = strings.ToUpper(words + ", " + land)
	case codeend:
		words = strings.ToUpper(words) + " - " + p.Code
	}
	return f.Code(name, p.Code, words)
}

// upper prints a company in capitals.
func upper(c trade.Company) trade.Company {
	c.Name = strings.ToUpper(c.Name)
	lines := make([]string, len(c.Address))
	for i, line := range c.Address {
		lines[i] = strings.ToUpper(line)
	}
	c.Address = lines
	return c
}
