package freight

import (
	"slices"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking/refdata"
)

// RequestType says what kind of number a request is made with.
type RequestType string

// The types of numbers. Container numbers are beta.
const (
	BillOfLading    RequestType = "bill_of_lading"
	BookingNumber   RequestType = "booking_number"
	ContainerNumber RequestType = "container"
)

// ShipmentNumber is a number by which a shipment can be followed.
type ShipmentNumber struct {
	// Type is BillOfLading for a transport document, BookingNumber for a booking.
	Type RequestType `json:"type"`
	// Number as given.
	Number string `json:"number"`
}

// FoldNumber makes numbers of documents and containers comparable: upper case,
// without blanks and the marks that people set between their parts.
func FoldNumber(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("-./_\\:#", r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, s)
}

// NormalizeNumber is the form a carrier is asked with: folded, and without the
// SCAC prefix that carriers print but do not always take. MSC keeps its own
// (see docs/contract.md#shipments).
func NormalizeNumber(number, scac string) string {
	folded := FoldNumber(number)
	if scac == "" || scac == "MSCU" {
		return folded
	}
	rest, ok := strings.CutPrefix(folded, scac)
	if !ok || len(rest) < 4 {
		return folded
	}
	return rest
}

// numberKeys are the folded forms under which a number is found: as given,
// without its carrier's prefix, and with it. Container numbers have one form.
func (n ShipmentNumber) Keys(scac string) []string {
	folded := FoldNumber(n.Number)
	if folded == "" {
		return nil
	}
	if n.Type == ContainerNumber {
		return []string{folded}
	}
	keys := []string{folded}
	if bare := NormalizeNumber(n.Number, scac); bare != folded {
		keys = append(keys, bare)
	}
	if scac != "" && !strings.HasPrefix(folded, scac) {
		keys = append(keys, scac+folded)
	}
	return keys
}

// FoldContainers returns the numbers normalised and sorted, without repeats.
func FoldContainers(numbers []string) []string {
	if len(numbers) == 0 {
		return nil
	}
	normal := make([]string, 0, len(numbers))
	for _, n := range numbers {
		if n = FoldNumber(n); n != "" {
			normal = append(normal, n)
		}
	}
	slices.Sort(normal)
	return slices.Compact(normal)
}

// IsContainerNumber reports whether a folded number is well-formed under ISO 6346
// and has the right check digit.
func IsContainerNumber(number string) bool {
	valid, _ := refdata.CheckDigit(number)
	return valid
}
