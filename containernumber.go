package tracking

import (
	"slices"

	"github.com/landfallhq/tracking/refdata"
)

// normalContainers returns the numbers normalised and sorted, without repeats.
func normalContainers(numbers []string) []string {
	if len(numbers) == 0 {
		return nil
	}
	normal := make([]string, 0, len(numbers))
	for _, n := range numbers {
		if n = foldNumber(n); n != "" {
			normal = append(normal, n)
		}
	}
	slices.Sort(normal)
	return slices.Compact(normal)
}

// validContainer reports whether a folded number is well-formed under ISO 6346
// and has the right check digit.
func validContainer(number string) bool {
	valid, _ := refdata.CheckDigit(number)
	return valid
}
