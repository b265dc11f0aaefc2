package tracking

import (
	"slices"

	"github.com/landfallhq/tracking/refdata"
)

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
