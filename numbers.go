package tracking

import (
	"strings"
	"unicode"
)

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

// Keys are the folded forms under which a number is found: as given,
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
