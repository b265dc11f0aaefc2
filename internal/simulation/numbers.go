package simulation

import "fmt"

// containerNumber returns an ISO 6346 number with a valid check digit.
func containerNumber(d dice) string {
	prefix := pick(d, []string{"MSKU", "HLXU", "TCLU", "ONEU", "CMAU", "TGHU"})
	body := fmt.Sprintf("%s%06d", prefix, d.IntN(1_000_000))
	return body + string(rune('0'+containerCheckDigit(body)))
}

// containerCheckDigit computes the check digit of the first ten characters:
// letters count from 10 and skip the multiples of 11.
func containerCheckDigit(body string) int {
	sum := 0
	for i, char := range body {
		sum += containerCharValue(char) << i
	}
	return sum % 11 % 10
}

func containerCharValue(char rune) int {
	if char >= '0' && char <= '9' {
		return int(char - '0')
	}
	value := 10
	for letter := 'A'; letter <= char; letter++ {
		if value%11 == 0 {
			value++
		}
		if letter == char {
			break
		}
		value++
	}
	return value
}

// shipNumber returns a seven-digit IMO number with a valid check digit.
func shipNumber(d dice) string {
	body := fmt.Sprintf("%06d", d.between(910_000, 999_999))
	return body + string(rune('0'+shipCheckDigit(body)))
}

func shipCheckDigit(body string) int {
	sum := 0
	for i, char := range body {
		sum += int(char-'0') * (7 - i)
	}
	return sum % 10
}
