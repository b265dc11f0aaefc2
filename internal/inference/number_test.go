package inference

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/refdata"
)

// infer uses the lines of the compiled tables.
func infer(number string) (Result, error) {
	r, ok := Infer(number, Lines{BySCAC: refdata.LineBySCAC, ByPrefix: refdata.LineByPrefix})
	if !ok {
		return r, errRefused
	}
	return r, nil
}

var errRefused = errors.New("refused")

// TestRefused: no carrier issues such a number.
func TestRefused(t *testing.T) {
	for _, number := range []string{"", "---", "the blue box", "123", "ΜΑΕU123456789", "1234５6789", strings.Repeat("1", 36)} {
		if i, err := infer(number); err == nil {
			t.Errorf("%q: %+v", number, i)
		}
	}
}

// TestAnyForm: numbers of the sandbox have any form behind their prefix.
func TestAnyForm(t *testing.T) {
	sandbox := func(string) (refdata.Line, bool) { return refdata.Line{SCAC: "TEST"}, true }
	r, ok := Infer("TEST-TR-SUCCEEDED", Lines{BySCAC: sandbox, ByPrefix: sandbox, AnyForm: "TEST"})
	if !ok || r.Decision != AutoSelect || candidates(r) != "TEST 0.98 prefix_and_form" {
		t.Errorf("%+v", r)
	}
}

func TestInfer(t *testing.T) {
	tests := []struct {
		number, folded string
		typ            string
		rule           string
		valid          string // true, false or nil
		decision       string
		candidates     string
	}{
		{"MRKU9465770", "MRKU9465770", "container", "iso6346", "true", "needs_confirmation", "MAEU 0.85 container_owner"},
		{" mrku 946577-0 ", "MRKU9465770", "container", "iso6346", "true", "needs_confirmation", "MAEU 0.85 container_owner"},
		{"MSCU1234567", "MSCU1234567", "container", "iso6346", "false", "needs_confirmation", "MSCU 0.85 container_owner"},
		{"TCLU6718159", "TCLU6718159", "container", "iso6346", "true", "no_prediction", ""}, // a lessor's
		{"TCLZ6718150", "TCLZ6718150", "container", "iso6346", "false", "no_prediction", ""},
		{"MEDUFR030802", "MEDUFR030802", "bill_of_lading", "prefix_and_form", "true", "auto_select", "MSCU 0.98 prefix_and_form"},
		{"MAEU123456789", "MAEU123456789", "bill_of_lading", "prefix_and_form", "true", "auto_select", "MAEU 0.98 prefix_and_form"},
		// Of the lines that were added; the rules of before say no_prediction to all.
		{"SITU9130070", "SITU9130070", "container", "iso6346", "true", "needs_confirmation", "SITU 0.85 container_owner"},
		{"SKHU8724161", "SKHU8724161", "container", "iso6346", "true", "needs_confirmation", "SKLU 0.85 container_owner"},
		{"SNKO010260804266", "SNKO010260804266", "bill_of_lading", "prefix_and_form", "true", "auto_select", "SKLU 0.98 prefix_and_form"},
		{"HASLK01250703685", "HASLK01250703685", "bill_of_lading", "prefix_and_form", "true", "auto_select", "HALU 0.98 prefix_and_form"},
		{"KMTCTAO8083417", "KMTCTAO8083417", "bill_of_lading", "prefix_and_form", "true", "auto_select", "KMTU 0.98 prefix_and_form"},
		{"A49FA02393", "A49FA02393", "bill_of_lading", "form", "nil", "needs_confirmation", "IAAU 0.75 form"},
		// House bills; those rules call the first a booking.
		{"EXDO-621128151", "EXDO621128151", "bill_of_lading", "house_bill", "nil", "no_prediction", ""},
		{"BANQ12345678", "BANQ12345678", "bill_of_lading", "house_bill", "nil", "no_prediction", "HDMU 0.35 shared_form, ONEY 0.35 shared_form"},
		{"SHPTA1123456", "SHPTA1123456", "bill_of_lading", "house_bill", "nil", "no_prediction", "ONEY 0.35 shared_form"}, // ONE's form alone
		{"CPNU1234567", "CPNU1234567", "container", "iso6346", "false", "no_prediction", ""},                              // a box of a forwarder is no bill
		{"GOSU1234", "GOSU1234", "bill_of_lading", "prefix_and_form", "true", "auto_select", "GOSU 0.98 prefix_and_form"}, // digits alone
		{"MAEU12345678A", "MAEU12345678A", "bill_of_lading", "prefix", "nil", "needs_confirmation", "MAEU 0.80 prefix"},
		{"SEALXA123456", "SEALXA123456", "bill_of_lading", "prefix", "nil", "needs_confirmation", "SEAU 0.80 prefix, ONEY 0.35 shared_form"},
		{"123456789", "123456789", "bill_of_lading", "form", "nil", "needs_confirmation", "MAEU 0.75 form"},
		{"1234567890", "1234567890", "bill_of_lading", "shared_form", "nil", "no_prediction", "COSU 0.35 shared_form, MATS 0.35 shared_form, OOLU 0.35 shared_form"},
		{"SHZ8037930", "SHZ8037930", "bill_of_lading", "shared_form", "nil", "no_prediction", "ANNU 0.35 shared_form, APLU 0.35 shared_form, CMDU 0.35 shared_form, KMTU 0.35 shared_form"},
		{"12345678", "12345678", "booking", "none", "nil", "no_prediction", ""},
		{"TEST-TR-1", "TESTTR1", "booking", "none", "nil", "no_prediction", ""}, // no sandbox here
	}
	for _, tt := range tests {
		i, err := infer(tt.number)
		if err != nil {
			t.Errorf("%s: %v", tt.number, err)
			continue
		}
		if i.Number != tt.folded || i.Type != tt.typ || i.Rule != tt.rule || truth(i.Validation.Valid) != tt.valid || i.Decision != tt.decision || candidates(i) != tt.candidates {
			t.Errorf("%s: %s, %s by %s, valid %s, %s of [%s]", tt.number, i.Number, i.Type, i.Rule, truth(i.Validation.Valid), i.Decision, candidates(i))
		}
		if (i.Validation.CheckDigitPassed != nil) != (tt.typ == "container") {
			t.Errorf("%s: check digit passed is %s", tt.number, truth(i.Validation.CheckDigitPassed))
		}
		if (i.Hint != nil) != (tt.rule == HouseBill) {
			t.Errorf("%s: hint %+v", tt.number, i.Hint)
		}
		if (i.Validation.Reason != "") != (tt.valid == "false") {
			t.Errorf("%s: reason %q", tt.number, i.Validation.Reason)
		}
	}
}

// TestHouseBillHint: the answer for a house bill has its forwarder and what to ask for.
func TestHouseBillHint(t *testing.T) {
	for number, want := range map[string]Hint{
		"exdo 621128151": {Forwarder: "Expeditors", ForwarderSCAC: "EXDO"},
		"DHLC1234567":    {Forwarder: "DHL Global Forwarding", ForwarderSCAC: "DHLC"},
		"SHKK98765432":   {Forwarder: "DB Schenker", ForwarderSCAC: "SHKK"},
	} {
		i, err := infer(number)
		if err != nil || i.Hint == nil {
			t.Errorf("%s: %+v, %v", number, i, err)
			continue
		}
		said := i.Hint.Detail
		if !strings.Contains(said, want.Forwarder) || !strings.Contains(said, "master bill of lading") {
			t.Errorf("%s: detail %q", number, said)
		}
		if want.Detail = said; *i.Hint != want {
			t.Errorf("%s: hint %+v", number, i.Hint)
		}
	}
}

func truth(b *bool) string {
	if b == nil {
		return "nil"
	}
	return fmt.Sprint(*b)
}

func candidates(i Result) string {
	var list []string
	for _, c := range i.Candidates {
		list = append(list, fmt.Sprintf("%s %.2f %s", c.SCAC, c.Confidence, c.Rule))
	}
	return strings.Join(list, ", ")
}

// drawnContainer draws numbers whose check digit is right.
func drawnContainer() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		stem := rapid.StringMatching(`[A-Z]{3}[UJZ][0-9]{6}`).Draw(t, "stem")
		_, digit := refdata.CheckDigit(stem + "0")
		return stem + fmt.Sprint(digit)
	})
}

// TestCheckDigitFindsSlips: one character misread is always found, with the two
// exceptions that ISO 6346 has: letters whose values are congruent modulo 11, as
// A and K, and the remainder 10, which is written as 0 like the remainder 0.
func TestCheckDigitFindsSlips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := drawnContainer().Draw(t, "number")
		at := rapid.IntRange(0, 10).Draw(t, "at")
		alphabet := "0123456789"
		switch {
		case at < 3:
			alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		case at == 3:
			alphabet = "UJZ"
		}
		misread := []byte(number)
		misread[at] = alphabet[rapid.IntRange(0, len(alphabet)-1).Draw(t, "read")]
		if misread[at] == number[at] {
			return
		}
		i, err := infer(string(misread))
		if err != nil || i.Type != Container {
			t.Fatalf("%s: %+v, %v", misread, i, err)
		}
		hidden := number[10] == '0' || at < 4 && isoRemainder(misread[at]) == isoRemainder(number[at])
		if *i.Validation.Valid && !hidden {
			t.Fatalf("%s for %s is not found", misread, number)
		}
	})
}

// isoRemainder is a letter's value modulo 11: A is 10, and 11, 22 and 33 are left
// out.
func isoRemainder(letter byte) int {
	value := 10
	for c := byte('A'); c < letter; c++ {
		if value++; value%11 == 0 {
			value++
		}
	}
	return value % 11
}

// TestInferenceLaws hold for any text.
func TestInferenceLaws(t *testing.T) {
	text := rapid.OneOf(rapid.String(), drawnContainer(), rapid.StringMatching(`[A-Za-z]{0,5}[ -]?[0-9A-Z]{0,14}`))
	rapid.Check(t, func(t *rapid.T) {
		number := text.Draw(t, "number")
		i, err := infer(number)
		lawful(t, number, i, err)
		if err != nil {
			return
		}
		again, err := infer(i.Number)
		if err != nil || candidates(again) != candidates(i) || again.Number != i.Number || again.Type != i.Type {
			t.Fatalf("%q: %+v; its own number: %+v, %v", number, i, again, err)
		}
	})
}

// lawful checks what every result keeps to.
func lawful(t interface{ Fatalf(string, ...any) }, number string, i Result, err error) {
	switch {
	case err != nil:
		return
	case i.Decision != NoPrediction && len(i.Candidates) == 0:
		t.Fatalf("%q: %s without a candidate", number, i.Decision)
	case !slices.IsSortedFunc(i.Candidates, func(a, b Candidate) int { return int(1000 * (b.Confidence - a.Confidence)) }):
		t.Fatalf("%q: candidates out of order: %s", number, candidates(i))
	}
	seen := map[string]bool{}
	for _, c := range i.Candidates {
		if line, ok := refdata.LineBySCAC(c.SCAC); !ok || line.SCAC != c.SCAC || seen[c.SCAC] || c.Confidence <= 0 || c.Confidence > 1 {
			t.Fatalf("%q: candidate %+v", number, c)
		}
		seen[c.SCAC] = true
	}
}

func FuzzInfer(f *testing.F) {
	for _, s := range []string{"MRKU9465770", "MEDUFR030802", "1234567890", "TEST-TR-1", "ſſſU1234567", "\xff", "ΜΑΕU1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, number string) {
		i, err := infer(number)
		lawful(t, number, i, err)
	})
}

func BenchmarkInfer(b *testing.B) {
	for _, number := range []string{"MRKU9465770", "MEDUFR030802", "SHZ8037930", "22970937"} {
		b.Run(number, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := infer(number); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
