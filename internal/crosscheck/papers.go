package crosscheck

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// compareBooking compares a bill with the last confirmation of its booking.
func (c *comparison) compareBooking() {
	if !isMaster(c.Type) {
		return
	}
	b := latest(c.othersOf(func(typ string) bool { return typ == booking }))
	if b == nil {
		return
	}
	for _, name := range []string{"port_of_lading", "port_of_discharge"} {
		billed, booked := portOf(c.field(name).text()), portOf(b.field(name).text())
		switch {
		case billed == "" || booked == "":
		case billed == booked:
			c.agree(Booked, name, nil, booking, b.ID)
		case !isSameArea(billed, booked):
			c.differ(Check{Kind: Booked, Field: name, Says: billed, Other: booking, OtherID: b.ID, OtherSays: booked}, "the booking confirmation says %s", booked)
		}
	}
	billed, booked := Ship{Name: c.field("vessel").printed()}, Ship{Name: b.field("vessel").printed()}
	if billed.Name != "" && booked.Name != "" {
		if billed.is(booked) {
			c.agree(Booked, "vessel", nil, booking, b.ID)
		} else {
			c.differ(Check{Kind: Booked, Field: "vessel", Says: billed.Name, Other: booking, OtherID: b.ID, OtherSays: booked.Name}, "the booking confirmation says %s", booked.Name)
		}
	}
	c.compareEquipment(b)
}

// latest is the document that was written last; nil for none, and where that is not known.
func latest(list []*Paper) (last *Paper) {
	if len(list) == 1 {
		return list[0]
	}
	var day string
	for _, p := range list {
		written, ok := p.field("issue_date").date()
		switch {
		case !ok || written == day:
			return nil
		case written > day:
			last, day = p, written
		}
	}
	return last
}

// compareEquipment compares the containers of all bills with those that were booked: their number
// and, where every bill says it, their sizes and types.
func (c *comparison) compareEquipment(b *Paper) {
	booked, count := map[string]int{}, 0
	for _, row := range b.rows("equipment") {
		n, ok := find(row, "quantity").number()
		if !ok {
			return
		}
		booked[find(row, "size_type").text()] += int(n)
		count += int(n)
	}
	billed := map[string]string{} // types by number
	for _, p := range append(c.othersOf(isMaster), c.Paper) {
		for _, row := range p.rows("containers") {
			billed[numberIn(row)] = find(row, "size_type").text()
		}
	}
	if count == 0 || len(c.rows("containers")) == 0 {
		return
	}
	made := Check{
		Kind: Booked, Field: "containers", Says: fmt.Sprint(len(billed), typesOf(countBy(slices.Collect(maps.Values(billed))))),
		Other: booking, OtherID: b.ID, OtherSays: fmt.Sprint(count, typesOf(booked)),
	}
	if len(billed) != count || !isSameEquipment(billed, booked) {
		c.differ(made, "the booking confirmation says %s", made.OtherSays)
		return
	}
	c.agree(Booked, "containers", nil, booking, b.ID)
}

func countBy(types []string) map[string]int {
	counts := map[string]int{}
	for _, t := range types {
		counts[t]++
	}
	return counts
}

// typesOf is such as " (2 40HC, 1 22G1)"; empty if no type is known.
func typesOf(counts map[string]int) string {
	var list []string
	for _, t := range slices.Sorted(maps.Keys(counts)) {
		if t != "" {
			list = append(list, fmt.Sprint(counts[t], " ", t))
		}
	}
	if list == nil {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// isSameEquipment reports whether each container can be one of those that were booked.
func isSameEquipment(billed map[string]string, booked map[string]int) bool {
	left := maps.Clone(booked)
	for _, number := range slices.Sorted(maps.Keys(billed)) {
		fits := func(code string) bool {
			same, known := isSameType(billed[number], code)
			return left[code] > 0 && (same || !known)
		}
		codes := slices.Sorted(maps.Keys(left))
		at := slices.IndexFunc(codes, fits)
		if at < 0 {
			return false
		}
		left[codes[at]]--
	}
	return true
}

// comparePacking compares a bill with packing lists and invoices: the containers that they name,
// and cartons and weights. Other bills and packing lists that are not here may have the rest, so
// that of several the sum differs only if it is more than billed.
func (c *comparison) comparePacking() {
	if !isBill(c.Type) {
		return
	}
	rows := c.rows("containers")
	for _, p := range c.othersOf(func(typ string) bool { return typ == packingList || typ == invoice }) {
		for _, row := range p.rows("containers") {
			number := numberIn(row)
			i := slices.IndexFunc(rows, func(r []field) bool { return numberIn(r) == number })
			switch {
			case len(rows) == 0 || number == "":
			case i >= 0:
				c.agree(Packing, "containers.number", []int{i}, p.Type, p.ID)
			case !c.isOnOtherBill(number):
				made := Check{Kind: Packing, Field: "containers.number", Says: numbersIn(rows), Other: p.Type, OtherID: p.ID, OtherSays: number}
				c.differ(made, "the %s says %s", nameOf(p.Type), number)
			}
		}
	}
	lists := c.othersOf(func(typ string) bool { return typ == packingList })
	if len(lists) == 0 {
		return
	}
	c.compareTotals("packages", c.count("containers", "packages"), lists)
	c.compareTotals("gross_weight", c.weigh("containers", "gross_weight"), lists)
}

func numbersIn(rows [][]field) string {
	list := make([]Known, len(rows))
	for i, row := range rows {
		list[i].Number = numberIn(row)
	}
	return numbersOf(list)
}

// isOnOtherBill reports whether another bill has the container.
func (c *comparison) isOnOtherBill(number string) bool {
	return slices.ContainsFunc(c.othersOf(isBill), func(p *Paper) bool {
		return slices.ContainsFunc(p.rows("containers"), func(row []field) bool { return numberIn(row) == number })
	})
}

// compareTotals compares the sum of a bill with that of the packing lists.
func (c *comparison) compareTotals(name string, billed total, lists []*Paper) {
	packed := total{ok: true}
	for _, p := range lists {
		t := p.totalOf(name)
		if !t.ok {
			return
		}
		packed.sum, packed.half = packed.sum+t.sum, packed.half+t.half
	}
	houses := c.othersOf(func(typ string) bool { return typ == houseBill })
	several := len(lists) > 1 || isMaster(c.Type) && len(houses) > 1
	field := "containers." + name
	switch {
	case !billed.ok || len(c.othersOf(isBillLike(c.Type))) > 0:
	case billed.equals(packed):
		c.agree(Packing, field, nil, packingList, lists[0].ID)
	case !several || packed.sum > billed.sum:
		made := Check{Kind: Packing, Field: field, Says: billed.String(), Other: packingList, OtherID: lists[0].ID, OtherSays: packed.String()}
		word := "packing list says"
		if len(lists) > 1 {
			word = "packing lists say"
		}
		c.differ(made, "the %s %s", word, packed)
	}
}

// isBillLike selects the bills that stand next to one of a type: masters, or house bills.
func isBillLike(typ string) func(string) bool {
	if isMaster(typ) {
		return isMaster
	}
	return func(other string) bool { return other == houseBill }
}

// compareBill compares the rows of a notice or delivery order with those of the bill. With the
// number of a house bill it is compared with that bill alone.
func (c *comparison) compareBill() {
	if c.Type != notice && c.Type != order {
		return
	}
	house := c.field("hbl_number").printed()
	bills := c.othersOf(isMaster)
	if house != "" {
		bills = slices.DeleteFunc(c.othersOf(isBillLike(houseBill)), func(p *Paper) bool { return sealOf(p.field("hbl_number").printed()) != sealOf(house) })
	}
	for i, row := range c.rows("containers") {
		var of *Paper
		var billed []field
		found := 0
		for _, b := range bills {
			for _, r := range b.rows("containers") {
				if numberIn(r) == numberIn(row) {
					of, billed, found = b, r, found+1
				}
			}
		}
		if found == 1 { // else it has the cargo of several bills
			c.compareRow(i, row, of, billed)
		}
	}
}

func (c *comparison) compareRow(i int, row []field, b *Paper, billed []field) {
	for _, column := range []string{"packages", "gross_weight", "seal"} {
		var says, otherSays string
		var same bool
		if column == "seal" {
			says, otherSays = find(row, column).printed(), find(billed, column).printed()
			same = isSeal(sealOf(says), sealOf(otherSays)) || isSeal(sealOf(otherSays), sealOf(says))
		} else {
			own, other := (&Paper{fields: row}).totalOf(column), (&Paper{fields: billed}).totalOf(column)
			if own.ok && other.ok {
				says, otherSays, same = own.String(), other.String(), own.equals(other)
			}
		}
		field := "containers." + column
		switch {
		case says == "" || otherSays == "":
		case same:
			c.agree(Billed, field, []int{i}, b.Type, b.ID)
		default:
			c.differ(Check{Kind: Billed, Field: field, Rows: []int{i}, Says: says, Other: b.Type, OtherID: b.ID, OtherSays: otherSays}, "the %s says %s", nameOf(b.Type), otherSays)
		}
	}
}
