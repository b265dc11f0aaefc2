package crosscheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
)

// maxTareKg is more than the heaviest of usual containers weighs, a reefer of 45 feet. Terminals
// weigh containers with their cargo, and bills have the cargo.
const maxTareKg = 5_500

// compareContainers compares the containers of the document with those of the shipment.
func (c *comparison) compareContainers() {
	if len(c.shipment.Containers) == 0 {
		return
	}
	for i, row := range c.rows("containers") {
		number := numberIn(row)
		if !freight.IsContainerNumber(number) {
			continue
		}
		at := slices.IndexFunc(c.shipment.Containers, func(k Known) bool { return k.Number == number })
		if at < 0 {
			has := numbersOf(c.shipment.Containers)
			c.differ(Check{Kind: Container, Field: "containers.number", Rows: []int{i}, Says: number, Other: OfShipment, OtherSays: has, High: isOfCarriage(c.Type)}, "the shipment has %s", has)
			continue
		}
		c.agree(Container, "containers.number", []int{i}, OfContainer, number)
		c.compareContainer(i, row, &c.shipment.Containers[at])
	}
}

func numbersOf(list []Known) string {
	var numbers []string
	for _, k := range list[:min(len(list), 5)] {
		numbers = append(numbers, k.Number)
	}
	if more := len(list) - len(numbers); more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(numbers, ", "), more)
	}
	return strings.Join(numbers, ", ")
}

// compareContainer compares a row with its container.
func (c *comparison) compareContainer(i int, row []field, k *Known) {
	made := func(kind Kind, column, says, otherSays string) Check {
		return Check{Kind: kind, Field: "containers." + column, Rows: []int{i}, Says: says, Other: OfContainer, OtherID: k.Number, OtherSays: otherSays}
	}
	if seal := sealOf(find(row, "seal").printed()); seal != "" && len(k.Seals) > 0 {
		if slices.ContainsFunc(k.Seals, func(s string) bool { return isSeal(seal, sealOf(s)) }) {
			c.agree(Seal, "containers.seal", []int{i}, OfContainer, k.Number)
		} else if isOfCarriage(c.Type) {
			has := strings.Join(k.Seals, ", ")
			c.differ(made(Seal, "seal", find(row, "seal").printed(), has), "container %s has %s", k.Number, has)
		}
	}
	if code := find(row, "size_type").text(); code != "" {
		switch same, known := isSameType(code, k.ISOType); {
		case known && same:
			c.agree(SizeType, "containers.size_type", []int{i}, OfContainer, k.Number)
		case known:
			c.differ(made(SizeType, "size_type", code, k.ISOType), "container %s is a %s", k.Number, k.ISOType)
		}
	}
	cargo, _, ok := find(row, "gross_weight").kilograms()
	if ok && k.WeightKg > 0 && (cargo > 1.005*k.WeightKg || cargo < k.WeightKg-maxTareKg) {
		has := kilograms(k.WeightKg)
		c.differ(made(Weight, "gross_weight", kilograms(cargo), has), "container %s weighs %s with its cargo", k.Number, has)
	}
}

// sealOf is the number of a seal without blanks and hyphens.
func sealOf(number string) string { return freight.FoldNumber(number) }

// isSeal reports whether both are one seal. Papers print several seals as one value, and leave out
// the letters before a number.
func isSeal(printed, known string) bool {
	return printed == known || len(known) >= 5 && strings.Contains(printed, known) || len(printed) >= 5 && strings.HasSuffix(known, printed)
}

// isSameType compares two codes of size and type in what both say.
func isSameType(a, b string) (same, known bool) {
	length, height, typ, ok := refdata.ParseISOType(a)
	otherLength, otherHeight, otherType, ok2 := refdata.ParseISOType(b)
	if !ok || !ok2 {
		return false, false
	}
	differs := func(a, b string) bool { return a != "" && b != "" && a != b }
	return length == otherLength && !differs(height, otherHeight) && !differs(typ, otherType), true
}
