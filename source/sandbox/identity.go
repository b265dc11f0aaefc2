package sandbox

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
)

// identity is everything specific to a shipment. It is derived from the number
// alone, so that a number is the same shipment everywhere.
type identity struct {
	number     string
	numbers    []freight.ShipmentNumber
	orders     []string // the customer's purchase orders
	containers []container
	ships      [2]ship
}

// container is a container.
type container struct {
	number string
	freight.Equipment
}

// ship is a ship on one of its voyages.
type ship struct {
	freight.VesselRef
	voyage string
}

// noSuffix stands for no suffix, after -00 to -99.
const noSuffix = 100

// newIdentity returns the shipment of a number; kind and suffix number it among all
// shipments of the sandbox.
func newIdentity(number string, asked freight.RequestType, kind, suffix, containerCount int) identity {
	if suffix < 0 {
		suffix = noSuffix
	}
	ordinal := kind*(noSuffix+1) + suffix
	id := identity{number: number}

	bill, booking := number, fmt.Sprintf("TESTBK%06d", scatter(ordinal, 1_000_000))
	if asked == freight.BookingNumber {
		bill, booking = fmt.Sprintf("TESTBL%06d", scatter(ordinal, 1_000_000)), number
	}
	id.numbers = []freight.ShipmentNumber{
		{Type: freight.BillOfLading, Number: bill},
		{Type: freight.BookingNumber, Number: booking},
	}
	for i := range 1 + pick(number+" orders", 2) {
		id.orders = append(id.orders, fmt.Sprintf("PO-%06d", scatter(ordinal*2+i, 1_000_000)))
	}
	for i := range id.ships {
		id.ships[i] = newShip(ordinal*len(id.ships) + i)
	}
	types := [...]string{"22G1", "42G1", "45G1", "45R1"}
	iso := types[pick(number+" type", len(types))]
	for i := range containerCount {
		seed := fmt.Sprintf("%s box %d", number, i)
		id.containers = append(id.containers, container{
			number: containerNumber(scatter(ordinal*3+i, 1_000_000)),
			Equipment: freight.Equipment{
				ISOType:  iso,
				Seals:    []string{fmt.Sprintf("LF%06d", pick(seed+" seal", 1_000_000))},
				WeightKg: float64(9_000 + 10*pick(seed+" weight", 1_800)),
			},
		})
	}
	return id
}

// containerNumbers returns the numbers of the containers.
func (id identity) containerNumbers() []string {
	numbers := make([]string, len(id.containers))
	for i, b := range id.containers {
		numbers[i] = b.number
	}
	return numbers
}

// scatter spreads small numbers over 0..n-1 without collisions, unlike a hash. n
// must not be a multiple of 7919, which is prime.
func scatter(i, n int) int { return (i*7919 + 12_345) % n }

// pick chooses one of n by a text, always the same: math/rand does not promise that
// across versions.
func pick(text string, n int) int {
	h := fnv.New64a()
	h.Write([]byte(text))
	// The low bits of FNV are weak for short texts.
	sum := h.Sum64()
	return int((sum ^ sum>>29) % uint64(n))
}

// containerNumber returns a number of the owner TSTU, with its check digit.
func containerNumber(serial int) string {
	number := fmt.Sprintf("TSTU%06d", serial)
	_, digit := refdata.CheckDigit(number + "0")
	return fmt.Sprintf("%s%d", number, digit)
}

// newShip returns the i-th ship. Its IMO number begins with 2, while those of real
// ships begin with 1 or with 5 to 9: it is valid, but not in use.
func newShip(i int) ship {
	number := 200_000 + scatter(i, 100_000)
	sum := 0
	for rest, factor := number, 2; rest > 0; rest, factor = rest/10, factor+1 {
		sum += rest % 10 * factor
	}
	name := scatter(i, len(firstNames)*len(lastNames))
	again := ""
	if round := i / (len(firstNames) * len(lastNames)); round > 0 {
		again = " I" + strings.Repeat("I", round) // II, III
	}
	return ship{
		VesselRef: freight.VesselRef{
			IMO:  fmt.Sprintf("%d%d", number, sum%10),
			Name: firstNames[name%len(firstNames)] + " " + lastNames[name/len(firstNames)] + again,
		},
		voyage: fmt.Sprintf("%d%c", 100+pick(fmt.Sprintf("voyage %d", i), 800), "NESW"[pick(fmt.Sprintf("course %d", i), 4)]),
	}
}

// The parts of ships' names.
var (
	firstNames = [...]string{
		"AMBER", "ARCTIC", "ASTER", "AURORA", "AZURE", "BALTIC", "BOREAL", "BRISK", "CALM",
		"CEDAR", "COBALT", "COPPER", "CORAL", "CRIMSON", "DAWN", "EASTERN", "EMBER", "FAIR",
		"GOLDEN", "GRANITE", "HARBOUR", "INDIGO", "IVORY", "JADE", "LUNAR", "MARBLE", "MERIDIAN",
		"MISTRAL", "NORTHERN", "OPAL", "PACIFIC", "PEARL", "POLAR", "QUARTZ", "QUIET", "SABLE",
		"SILVER", "SOLAR", "SOUTHERN", "STERLING", "TIDAL", "UMBER", "VERDANT", "WESTERN", "ZEPHYR",
	}
	lastNames = [...]string{
		"ALBATROSS", "ANCHOR", "AVOCET", "BEACON", "BITTERN", "BUNTING", "CAPE", "COMPASS", "CORMORANT",
		"CRANE", "CURLEW", "DUNLIN", "EGRET", "EIDER", "FALCON", "FINCH", "FULMAR", "GANNET",
		"GODWIT", "GREBE", "GUILLEMOT", "HARRIER", "HERON", "HORIZON", "IBIS", "KESTREL", "KITTIWAKE",
		"LANTERN", "LAPWING", "MERLIN", "OSPREY", "PELICAN", "PETREL", "PLOVER", "PUFFIN", "RAZORBILL",
		"SANDERLING", "SEXTANT", "SHEARWATER", "SKUA", "STORK", "SWIFT", "TERN", "TURNSTONE", "WHIMBREL",
	}
)
