// Package numbercell checks what people write in the place of a number to track: in the cells of
// spreadsheets, and in lines that they paste.
package numbercell

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
)

// sandboxPrefix begins the numbers of the sandbox, of which some have no digit.
const sandboxPrefix = "TEST"

// Normalize normalizes a number for comparison: letters and digits only, in upper case.
func Normalize(number string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToUpper(c)
		}
		return -1
	}, number)
}

// Clean removes what spreadsheets and copied tables leave around a number:
// characters that are not visible, blanks, and the apostrophe that marks a text.
func Clean(cell string) string {
	visible := strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Cf, c) {
			return -1
		}
		return c
	}, cell)
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(visible), "'"))
}

// placeholders are written in cells whose value is not known, as letters and digits in
// upper case.
var placeholders = []string{
	"NA", "NIL", "NONE", "NULL", "NAN", "NO", "UNKNOWN", "MISSING", "EMPTY", "BLANK", "VARIOUS", "MULTIPLE",
	"TBA", "TBC", "TBD", "TBN", "TBS", "TOBEADVISED", "TOBECONFIRMED", "TOFOLLOW", "PENDING", "AWAITING", "NOTYET", "ASAP", "DRAFT",
	"SAME", "DITTO", "SEEABOVE", "SEEBELOW", "SEEREMARKS", "CANCELLED", "CANCELED", "ROLLED", "OPEN",
	"KA", "FOLGT", "OFFEN", "UNBEKANNT", "AC", "ACONFIRMER", "ÀCONFIRMER", "PORCONFIRMAR", "ACONFIRMAR", "DACONFERMARE", "未定", "待定",
}

// IsPlaceholder reports whether a cell stands for a value that is missing: N/A, TBA, -.
func IsPlaceholder(cell string) bool {
	folded := Normalize(cell)
	return folded == "" || slices.Contains(placeholders, folded) || strings.Trim(folded, "X") == "" || strings.Trim(folded, "0") == ""
}

// wrongCells are cells that spreadsheets have and that are no numbers of carriers, with
// what is wrong. The first that fits counts.
var wrongCells = []struct {
	form   *regexp.Regexp
	reason string
}{
	{regexp.MustCompile(`^#[A-Z/0!?]+[!?A]?$`), "is an error of the spreadsheet: correct the formula"},
	{regexp.MustCompile(`(?i)^[+-]?\d+([.,]\d+E[+-]?|E\+)\d{1,3}$|^\dE\d{1,2}$`),
		"is a number that the spreadsheet has rounded: give the column the format text, and enter the whole number again"},
	{regexp.MustCompile(`^(\d{4}([-/.])\d{1,2}([-/.])\d{1,2}|\d{1,2}([-/.])\d{1,2}([-/.])\d{2,4})([T ].*)?$|(?i)^\d{1,2}[-/. ]?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-/. ]?\d{2,4}$`),
		"is a date"},
	{regexp.MustCompile(`^[+-]?\d+[.,]0+$`), "has a decimal part: give the column the format text, and enter the number again"},
	{regexp.MustCompile(`(?i)^([A-Z]{3}|[$€£¥])?\s*[+-]?\d[\d.,']*[.,]\d+\s*([A-Z]{3}|[$€£¥]|kgs?|lbs?|cbm|m3|t)?$|^(USD|EUR|GBP|CNY|INR|[$€£¥])\s*\d+$`), "is an amount"},
	{regexp.MustCompile(`(?i)^((grand|sub|running)[ -]?)?(totals?|totale|toplam|sum|summe|gesamt|gesamtsumme|somme|suma|soma|count|anzahl)\b[\s:=.-]*([\d.,]*)\s*(containers?|cntrs?|shipments?|teus?|feus?|rows?|lines?|items?|box(es)?|units?|b/?ls?|bookings?)?[\s:=.-]*([\d.,]*)$|^(合計|合计|总计|總計|小計|小计|итого)`),
		"is a total, and no shipment"},
	{regexp.MustCompile(`(?i)^(\d{1,3}\s*x\s*)?(20|40|45)\s*['’´]?\s*(HC|HQ|GP|DV|DC|DRY|ST|STD|RF|RE|RH|OT|FR|TK|HCRF|HCDV|FT)?$`), "is a size of containers"},
	{regexp.MustCompile(`^\d{1,5}$`), "is too short for a number of a carrier"},
	{regexp.MustCompile(`@|://`), "is an address"},
	{regexp.MustCompile(`^\+\d[\d ()/-]{6,}$`), "is a telephone number"},
}

// caption is the name of a number in front of it, in the same cell.
var caption = regexp.MustCompile(`(?i)^(m\.?b/?l|h\.?b/?l|b/?l|bill of lading|bkg|booking|container|cntr|cont|ctnr?)\b\.?\s*(no|nr|number|num|#|№)?\.?\s*[:#.]?\s+\S|^(m\.?b/?l|h\.?b/?l|b/?l|bkg|booking|container|cntr)\s*(no|nr|number)?\.?\s*[:#]`)

// nearlyContainer is a container number with one digit too few or too many.
var nearlyContainer = regexp.MustCompile(`^[A-Z]{3}[UJZ](\d{6}|\d{8})$`)

// wrongDigits is a container number with letters that look like digits.
var wrongDigits = regexp.MustCompile(`^[A-Z]{3}[UJZ][0-9OIL]{7}$`)

// Check says why a clean cell is no number to track; empty if it is one. The type is what is
// given for the number, empty if nothing is.
func Check(cell string, typ freight.RequestType) string {
	quoted := fmt.Sprintf("number %q ", cell)
	if cell == "" {
		return "the row has no number"
	}
	if IsPlaceholder(cell) && cell[0] != '#' {
		return quoted + "stands for a missing one: leave it out until the number is known"
	}
	for _, w := range wrongCells {
		if w.form.MatchString(cell) {
			return quoted + w.reason
		}
	}
	if !strings.ContainsFunc(cell, unicode.IsDigit) && !strings.HasPrefix(Normalize(cell), sandboxPrefix) {
		return quoted + "has no digit: it is not the number of a container, a bill of lading or a booking"
	}
	if caption.MatchString(cell) {
		return quoted + "has words in front of it: give the number alone"
	}
	if several(cell) {
		return quoted + "is more than one: give each number a row"
	}
	if reason := checkContainer(Normalize(cell), typ); reason != "" {
		return quoted + reason
	}
	return ""
}

// checkContainer says what is wrong with a number that has the form of a container's, or
// nearly. Bills of lading and bookings may have that form too, if that type is given.
func checkContainer(folded string, typ freight.RequestType) string {
	if typ != "" && typ != freight.ContainerNumber {
		return ""
	}
	orElse := ""
	if typ == "" {
		orElse = "; if it is a bill of lading or a booking, give that as its type"
	}
	if valid, expected := refdata.CheckDigit(folded); valid {
		return ""
	} else if expected >= 0 {
		return fmt.Sprintf("has a wrong check digit: it is %d for %s, so a digit or letter is wrong%s", expected, folded[:10], orElse)
	}
	if wrongDigits.MatchString(folded) {
		digits := folded[:4] + strings.NewReplacer("O", "0", "I", "1", "L", "1").Replace(folded[4:])
		if valid, _ := refdata.CheckDigit(digits); valid {
			return "has letters in place of digits: the container is " + digits
		}
	}
	_, prefixed := refdata.LineByPrefix(folded)
	if nearlyContainer.MatchString(folded) && (!prefixed || typ != "") || typ != "" {
		return "is not a container number, which has four letters, the last of them U, J or Z, and seven digits" + orElse
	}
	return ""
}

// several reports whether a cell has more than one number.
func several(cell string) bool {
	long := func(parts []string) (n int) {
		for _, p := range parts {
			if folded := Normalize(p); len(folded) >= 7 && len(strings.TrimFunc(folded, unicode.IsLetter)) >= 4 {
				n++
			}
		}
		return n
	}
	if long(strings.FieldsFunc(cell, func(c rune) bool { return strings.ContainsRune(",;&+|\n", c) })) > 1 {
		return true
	}
	containers := 0
	for _, word := range strings.FieldsFunc(cell, func(c rune) bool { return unicode.IsSpace(c) || c == '/' }) {
		if _, expected := refdata.CheckDigit(Normalize(word)); expected >= 0 {
			containers++
		}
	}
	return containers > 1
}
