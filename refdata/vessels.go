package refdata

// ValidIMO tells whether number is an IMO ship number: seven digits, the last of
// which is the check digit. Letters such as a leading "IMO" are not accepted.
func ValidIMO(number string) bool {
	if len(number) != 7 {
		return false
	}
	sum := 0
	for i := range 7 {
		c := number[i]
		if c < '0' || c > '9' {
			return false
		}
		if i < 6 {
			sum += int(c-'0') * (7 - i)
		}
	}
	// The rule alone would let through 0000000, which sources use for "unknown".
	return sum > 0 && sum%10 == int(number[6]-'0')
}
