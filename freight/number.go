package freight

import (
	"slices"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking/refdata"
)

// RequestType is the type of a number by which shipments are tracked.
type RequestType string

// The types of numbers. Container numbers are beta.
const (
	BillOfLading    RequestType = "bill_of_lading"
	BookingNumber   RequestType = "booking_number"
	ContainerNumber RequestType = "container"
)

// ShipmentNumber is a number by which a shipment can be tracked.
type ShipmentNumber struct {
	// Type is BillOfLading for a transport document, BookingNumber for a booking, or
	// ContainerNumber.
	Type RequestType `json:"type"`
	// Number as given.
	Number string `json:"number"`
}

// FoldNumber returns a number of a document or container in a comparable form: upper case,
// without blanks and separators.
func FoldNumber(s string) string {
	if isFolded(s) {
		return s // most are, and each fact has several
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("-./_\\:#", r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, s)
}

// isFolded reports whether s has nothing but the digits and capital letters of ASCII.
func isFolded(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// NormalizeNumber returns the form in which a carrier is asked: folded, and without the
// SCAC prefix that carriers print and do not always accept. MSC keeps its own (see
// docs/contract.md#shipments).
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

// Keys returns the folded forms by which the number is found: as given, without the prefix
// of the line scac, and with it. Container numbers have one form; a blank number has none.
func (n ShipmentNumber) Keys(scac string) []string {
	folded := FoldNumber(n.Number)
	if folded == "" {
		return nil
	}
	if n.Type == ContainerNumber {
		return []string{folded}
	}
	keys := append(make([]string, 0, 3), folded)
	if bare := NormalizeNumber(n.Number, scac); bare != folded {
		keys = append(keys, bare)
	}
	if scac != "" && !strings.HasPrefix(folded, scac) {
		keys = append(keys, scac+folded)
	}
	return keys
}

// FoldContainers returns the numbers folded and sorted, without blanks and repeats.
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

// IsContainerNumber reports whether a folded number is well-formed by ISO 6346 and has the
// right check digit.
func IsContainerNumber(number string) bool {
	valid, _ := refdata.CheckDigit(number)
	return valid
}
