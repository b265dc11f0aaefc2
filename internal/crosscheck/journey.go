package crosscheck

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
)

// compareJourney compares numbers, line, ports, ships and dates with those of the shipment.
func (c *comparison) compareJourney() {
	s := c.shipment
	code := c.field("scac").text()
	if code != "" && s.SCAC != "" && isLine(code, s.SCAC) {
		c.agree(Line, "scac", nil, OfShipment, "")
	}
	for _, name := range []string{"bl_number", "booking_number"} {
		number := freight.ShipmentNumber{Type: freight.BillOfLading, Number: c.field(name).printed()}
		if slices.ContainsFunc(number.Keys(s.SCAC), func(key string) bool { return slices.Contains(s.Numbers, key) }) {
			c.agree(Number, name, nil, OfShipment, "")
		}
	}
	c.comparePort("port_of_lading", s.POL)
	c.comparePort("port_of_discharge", s.POD)
	c.compareShip()
	c.compareArrival()
	c.compareLastFreeDay()
	if day, ok := c.field("on_board_date").date(); ok && s.Departed != "" {
		switch apart := days(s.Departed, day); {
		case apart > 1:
			c.differ(Check{Kind: Departure, Field: "on_board_date", Says: day, Other: OfShipment, OtherSays: s.Departed}, "the ship left the port of lading on %s", s.Departed)
		case apart >= -10: // it may wait for the ship
			c.agree(Departure, "on_board_date", nil, OfShipment, "")
		}
	}
}

// comparePort compares a port. One of the same area, or another port on the way, such as that of
// the ocean ship, says nothing.
func (c *comparison) comparePort(name, known string) {
	code := portOf(c.field(name).text())
	switch known = portOf(known); {
	case code == "" || known == "":
	case code == known:
		c.agree(Port, name, nil, OfShipment, "")
	case isSameArea(code, known) || slices.ContainsFunc(c.shipment.Ports, func(p string) bool { return portOf(p) == code }):
	case isOfCarriage(c.Type):
		c.differ(Check{Kind: Port, Field: name, Says: code, Other: OfShipment, OtherSays: known}, "the shipment says %s", known)
	}
}

// portOf is the code of a port by the reference data.
func portOf(code string) string {
	if p, ok := refdata.PortByCode(code); ok {
		return p.Code
	}
	return code
}

// portAreas are ports that bills and notices name for one another: terminals of one city, or of
// two cities with one harbour.
var portAreas = [][]string{
	{"USLAX", "USLGB"}, {"USNYC", "USEWR"}, {"CNSZX", "CNYTN", "CNSHK", "CNCWN"}, {"CNSHA", "CNYSN", "CNWGQ"},
	{"CNCAN", "CNNSA", "CNHUA"}, {"CNTSN", "CNTXG"}, {"INNSA", "INBOM"}, {"VNSGN", "VNCLI"}, {"VNTOT", "VNVUT"}, {"NLRTM", "NLEUR", "NLMSV"},
}

func isSameArea(a, b string) bool {
	return slices.ContainsFunc(portAreas, func(area []string) bool { return slices.Contains(area, a) && slices.Contains(area, b) })
}

// compareShip compares the ship with all that carry the shipment. Another ship differs if the
// document was written after the last of them was learned. Its voyage agrees or says nothing:
// partners in an alliance number voyages each in their own way.
func (c *comparison) compareShip() {
	s := c.shipment
	printed := Ship{Name: c.field("vessel").printed(), IMO: c.field("vessel_imo").text()}
	if printed.Name == "" && printed.IMO == "" || len(s.Ships) == 0 {
		return
	}
	voyage := voyageOf(c.field("voyage").printed())
	for _, ship := range s.Ships {
		if !ship.is(printed) {
			continue
		}
		c.agree(Vessel, "vessel", nil, OfShipment, "")
		if slices.ContainsFunc(ship.Voyages, func(v string) bool { return voyage != "" && voyageOf(v) == voyage }) {
			c.agree(Vessel, "voyage", nil, OfShipment, "")
		}
		return
	}
	unnamed := slices.ContainsFunc(s.Ships, func(ship Ship) bool { return ship.Name == "" })
	if printed.Name != "" && !unnamed && isOfCarriage(c.Type) && c.isWrittenSince(s.ShipsSince) {
		names := namesOf(s.Ships)
		c.differ(Check{Kind: Vessel, Field: "vessel", Says: printed.Name, Other: OfShipment, OtherSays: names}, "the shipment says %s", names)
	}
}

// is reports whether both are one ship.
func (s Ship) is(o Ship) bool {
	if s.IMO != "" && s.IMO == o.IMO {
		return true
	}
	return s.Name != "" && shipName(s.Name) == shipName(o.Name)
}

func namesOf(ships []Ship) string {
	var names []string
	for _, s := range ships {
		if name := s.Name; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// shipName is the name without M.V. and the like before it, punctuation and case.
func shipName(name string) string {
	name = strings.ToUpper(strings.NewReplacer(".", "", "/", "", "'", "", `"`, "").Replace(name))
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) > 1 && slices.Contains([]string{"MV", "MS", "SS", "MT", "MSV", "VSL"}, words[0]) {
		words = words[1:]
	}
	return strings.Join(words, "")
}

// voyageOf is the number of a voyage without zeros before it.
func voyageOf(number string) string { return strings.TrimLeft(freight.FoldNumber(number), "0") }

// isWrittenSince reports whether the document says that it was written on that day or later.
func (c *comparison) isWrittenSince(day string) bool {
	written, ok := c.field("issue_date").date()
	return ok && day != "" && written >= day
}

// compareArrival compares the ETA with the arrival. A document from before that was learned was
// right on its day.
func (c *comparison) compareArrival() {
	s := c.shipment
	eta, ok := c.field("eta").date()
	if !ok || s.Arrival == "" {
		return
	}
	if apart := days(s.Arrival, eta); -1 <= apart && apart <= 1 {
		c.agree(Arrival, "eta", nil, OfShipment, "")
	} else if c.isWrittenSince(s.ArrivalSince) {
		c.differ(Check{Kind: Arrival, Field: "eta", Says: eta, Other: OfShipment, OtherSays: s.Arrival}, "the shipment says %s, since %s", s.Arrival, s.ArrivalSince)
	}
}

// days is how many days b is after a.
func days(a, b string) int {
	from, err := time.Parse(time.DateOnly, a)
	to, err2 := time.Parse(time.DateOnly, b)
	if err != nil || err2 != nil {
		return 0
	}
	return int(to.Sub(from).Hours() / 24)
}

// compareLastFreeDay compares the last free day with those of the containers. One that is earlier
// says nothing: free time is often extended, and never shortened.
func (c *comparison) compareLastFreeDay() {
	day, ok := c.field("last_free_day").date()
	if !ok {
		return
	}
	latest, of := "", ""
	for _, k := range c.named() {
		for _, known := range k.LastFreeDays {
			if known == day {
				c.agree(LastFreeDay, "last_free_day", nil, OfContainer, k.Number)
				return
			}
			if known > latest {
				latest, of = known, k.Number
			}
		}
	}
	if latest != "" && day > latest {
		c.differ(Check{Kind: LastFreeDay, Field: "last_free_day", Says: day, Other: OfContainer, OtherID: of, OtherSays: latest}, "it is %s for container %s", latest, of)
	}
}

// named are the containers that the document names, of its shipment; if it names none, all.
func (c *comparison) named() (list []*Known) {
	rows := c.rows("containers")
	for i := range c.shipment.Containers {
		k := &c.shipment.Containers[i]
		if len(rows) == 0 || slices.ContainsFunc(rows, func(row []field) bool { return numberIn(row) == k.Number }) {
			list = append(list, k)
		}
	}
	return list
}

// numberIn is the container number of a row.
func numberIn(row []field) string { return freight.FoldNumber(find(row, "number").printed()) }
