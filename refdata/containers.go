package refdata

import (
	"strings"
)

// Equipment heights and types as in the API.
const (
	HeightStandard = "standard"  // less than 9 ft 6 in
	HeightHighCube = "high_cube" // 9 ft 6 in and more

	TypeDry      = "dry"
	TypeReefer   = "reefer"
	TypeOpenTop  = "open top"
	TypeFlatRack = "flat rack"
	TypeBulk     = "bulk"
	TypeTank     = "tank"
)

// CheckDigit reports whether an ISO 6346 container number of four letters and seven
// digits ends in the right check digit, and returns the digit that it should have.
// The number must be in upper case and without separators; the fourth letter is U,
// J or Z. For anything else, expected is -1.
func CheckDigit(number string) (valid bool, expected int) {
	if len(number) != 11 {
		return false, -1
	}
	sum := 0
	for i := range 10 {
		c := number[i]
		var value int
		switch {
		case i < 4 && c >= 'A' && c <= 'Z':
			// Values start at 10 and skip the multiples of 11, which are zero
			// modulo 11.
			value = int(c-'A') + 10
			value += (value - 1) / 10
		case i >= 4 && c >= '0' && c <= '9':
			value = int(c - '0')
		default:
			return false, -1
		}
		sum += value << i
	}
	last := number[10]
	if last < '0' || last > '9' || !strings.Contains("UJZ", number[3:4]) {
		return false, -1
	}
	expected = sum % 11 % 10
	return int(last-'0') == expected, expected
}

// ParseISOType parses a size and type code: ISO 6346 (22G1, 45R1, L5G1 and the
// group codes 22GP, 45RT), its numeric predecessor (2200, 4510) and common
// abbreviations (40HC, 20DV, 40RF).
//
// lengthFeet is 10, 20, 40 or 45, and 0 for any other length. height is
// HeightStandard or HeightHighCube, and empty for half heights. equipment is one of
// the Type constants, and empty for other types, such as car or livestock carriers.
// ok is false for any other code.
func ParseISOType(code string) (lengthFeet int, height, equipment string, ok bool) {
	code = normalize(code)
	if len(code) != 4 {
		return 0, "", "", false
	}
	// Abbreviations have the length in feet, where ISO has codes for length and
	// height: 45HC is 45 ft long, 45GP is 40 ft long and 9 ft 6 in high.
	if kind, found := tradeTypes[code[2:]]; found {
		switch code[:2] {
		case "10", "20", "40", "45":
			lengthFeet = int(code[0]-'0')*10 + int(code[1]-'0')
			return lengthFeet, kind.height, kind.equipment, true
		}
		return 0, "", "", false
	}
	lengthFeet, ok = lengthOf(code[0])
	if !ok {
		return 0, "", "", false
	}
	height, ok = heightOf(code[1])
	if !ok {
		return 0, "", "", false
	}
	equipment, ok = typeOf(code[2], code[3])
	if !ok {
		return 0, "", "", false
	}
	return lengthFeet, height, equipment, true
}

// tradeTypes are abbreviations that follow a length in feet. None of them is an
// ISO 6346 type or group code.
var tradeTypes = map[string]struct {
	height, equipment string
}{
	"DC": {HeightStandard, TypeDry},
	"DV": {HeightStandard, TypeDry},
	"ST": {HeightStandard, TypeDry},
	"HC": {HeightHighCube, TypeDry},
	"HQ": {HeightHighCube, TypeDry},
	"RF": {HeightStandard, TypeReefer},
	"RH": {HeightHighCube, TypeReefer},
	"RQ": {HeightHighCube, TypeReefer},
	"OT": {HeightStandard, TypeOpenTop},
	"FR": {HeightStandard, TypeFlatRack},
	"FL": {HeightStandard, TypeFlatRack},
	"TK": {HeightStandard, TypeTank},
}

func lengthOf(c byte) (feet int, ok bool) {
	switch {
	case c == '1':
		return 10, true
	case c == '2':
		return 20, true
	case c == '4':
		return 40, true
	case c == 'L' || c == '9': // 9 is the numeric code's
		return 45, true
	case c == '3' || strings.IndexByte("ABCDEFGHKMNP", c) >= 0:
		return 0, true
	}
	return 0, false
}

func heightOf(c byte) (height string, ok bool) {
	switch c {
	// 1 and 3 are numeric codes for a floor with a gooseneck tunnel. The letters
	// are wider containers.
	case '0', '1', '2', '3', '4', 'C', 'D', 'L', 'M':
		return HeightStandard, true
	case '5', '6', 'E', 'F', 'N', 'P':
		return HeightHighCube, true
	case '8', '9':
		return "", true
	}
	return "", false
}

func typeOf(group, detail byte) (equipment string, ok bool) {
	digit := detail >= '0' && detail <= '9'
	if group >= '0' && group <= '9' {
		return numericTypes[group-'0'], digit
	}
	details := ""
	switch group {
	case 'G':
		equipment, details = TypeDry, "P"
	case 'V': // ventilated
		equipment, details = TypeDry, "H"
	case 'B':
		equipment, details = TypeBulk, "UK"
	case 'R':
		equipment, details = TypeReefer, "TES"
	case 'H': // insulated, or cooled by removable equipment
		equipment, details = TypeReefer, "RI"
	case 'U':
		equipment, details = TypeOpenTop, "T"
	case 'P':
		equipment, details = TypeFlatRack, "LFCS"
	case 'T':
		equipment, details = TypeTank, "NDG"
	case 'K': // tanks since the edition of 2022
		equipment, details = TypeTank, "L"
	case 'S': // livestock, cars, fish
		details = "N"
	case 'A': // air and surface
		details = "S"
	default:
		return "", false
	}
	if !digit && strings.IndexByte(details, detail) < 0 {
		return "", false
	}
	return equipment, true
}

// numericTypes are the tens of the type codes before 1995: 00 general, 10 vented,
// 20 bulk and named cargo, 30 and 40 thermal, 50 open top, 60 platform, 70 tank,
// 80 bulk, 90 air.
var numericTypes = [10]string{
	TypeDry, TypeDry, TypeBulk, TypeReefer, TypeReefer, TypeOpenTop, TypeFlatRack, TypeTank, TypeBulk, "",
}

// ValidIMO reports whether number is an IMO ship number: seven digits, the last of
// which is the check digit. A leading "IMO" is not accepted.
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
	// 0000000 has a valid check digit, but sources use it for "unknown".
	return sum > 0 && sum%10 == int(number[6]-'0')
}
