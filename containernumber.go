package tracking

import (
	"slices"
	"strings"
	"unicode"
)

// normalContainer writes a container number the one way it is compared: upper
// case, without the blanks, hyphens, dots and slashes that people and carriers
// set between owner, serial number and check digit.
func normalContainer(number string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("-./", r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, number)
}

// normalContainers returns the numbers normalised and sorted, without repeats.
func normalContainers(numbers []string) []string {
	if len(numbers) == 0 {
		return nil
	}
	normal := make([]string, 0, len(numbers))
	for _, n := range numbers {
		if n = normalContainer(n); n != "" {
			normal = append(normal, n)
		}
	}
	slices.Sort(normal)
	return slices.Compact(normal)
}

// checkDigit reports whether a normalised number is well-formed under ISO 6346:
// three letters of the owner, U, J or Z, six digits and the right check digit.
func checkDigit(number string) bool {
	if len(number) != 11 || !strings.ContainsRune("UJZ", rune(number[3])) {
		return false
	}
	sum := 0
	for i := range 10 {
		c := int(number[i])
		switch {
		case i < 4 && c >= 'A' && c <= 'Z':
			// Letters count from 10 and leave out 11, 22 and 33.
			v := c - 'A' + 10
			sum += (v + (v-1)/10) << i
		case i >= 4 && c >= '0' && c <= '9':
			sum += (c - '0') << i
		default:
			return false
		}
	}
	return int(number[10]) == '0'+sum%11%10
}
