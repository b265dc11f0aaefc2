// Package inference infers from a number alone what it is, and which shipping lines may
// know it: from ISO 6346, the prefixes and forms of carriers' numbers, and the owners of
// containers. It uses the tables of package refdata and the lines of its caller, and asks
// nobody.
package inference

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
)

// The types of numbers.
const (
	Container    = "container"
	BillOfLading = "bill_of_lading"
	Booking      = "booking"
)

// The decisions about the line.
const (
	AutoSelect        = "auto_select"
	NeedsConfirmation = "needs_confirmation"
	NoPrediction      = "no_prediction"
)

// The rules by which a type or a line is inferred.
const (
	ISO6346        = "iso6346"
	ContainerOwner = "container_owner"
	PrefixAndForm  = "prefix_and_form"
	PrefixAlone    = "prefix"
	OwnForm        = "form"
	SharedForm     = "shared_form"
	HouseBill      = "house_bill"
	NoRule         = "none"
)

// confidences are those of the rules in a line. They were fixed before any number was
// measured (testdata/inference/README.md).
var confidences = map[string]float64{
	ContainerOwner: 0.85, PrefixAndForm: 0.98, PrefixAlone: 0.80, OwnForm: 0.75, SharedForm: 0.35,
}

// The least confidence with which a line is taken without a question, and with which
// it is proposed (see docs/contract.md#inferred-numbers).
const (
	autoSelectFrom   = 0.95
	confirmationFrom = 0.70
)

// Result is what follows from a number.
type Result struct {
	Number     string // folded
	Type       string
	Rule       string // that gave the type
	Validation Validation
	Decision   string
	// Candidates are lines that the number may belong to, likeliest first, equally
	// likely ones by SCAC.
	Candidates []Candidate
	Hint       *Hint // for the rule HouseBill
}

// Validation is the result of checking the form of a number.
type Validation struct {
	Valid            *bool  // nil if the number has no form that can be checked
	CheckDigitPassed *bool  // for containers only
	Reason           string // why it is not valid
}

// Candidate is a line that a number may belong to.
type Candidate struct {
	SCAC, Name string
	Confidence float64
	Rule       string // that named the line
}

// Hint is about a number that looks like a forwarder's house bill of lading.
type Hint struct{ Forwarder, ForwarderSCAC, Detail string }

// Lines are the lines of an installation.
type Lines struct {
	// BySCAC resolves a SCAC, primary or alternative.
	BySCAC func(scac string) (refdata.Line, bool)
	// ByPrefix finds the line of a folded document number.
	ByPrefix func(number string) (refdata.Line, bool)
	// AnyForm is the SCAC of a line whose numbers may have any form; empty for none.
	AnyForm string
}

// Infer applies the rules: a container first, then a document by the prefix of a line,
// then by the code of a forwarder, then by its form. ok is false if no carrier issues such
// a number.
func Infer(number string, known Lines) (r Result, ok bool) {
	folded := freight.FoldNumber(number)
	if IsContainer(folded) {
		return inferContainer(folded, known), true
	}
	line, prefixed := known.ByPrefix(folded)
	if !isReference(folded, prefixed) {
		return Result{}, false
	}
	if prefixed {
		return inferByPrefix(folded, line, known), true
	}
	if forwarder, ok := refdata.ForwarderByPrefix(folded); ok {
		return inferHouseBill(folded, forwarder, known), true
	}
	return inferByForm(folded, known), true
}

// The lengths of the references of carriers: DCSA allows 35 characters, and none is known
// to be shorter than four.
const (
	MinReference = 4
	MaxReference = 35
)

// isReference reports whether a carrier could have issued a folded number.
// With a line's prefix it needs no digit: the sandbox has such numbers.
func isReference(folded string, prefixed bool) bool {
	if len(folded) < MinReference || len(folded) > MaxReference {
		return false
	}
	digits := 0
	for _, c := range []byte(folded) {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c < 'A' || c > 'Z':
			return false
		}
	}
	return digits > 0 || prefixed
}

// IsContainer reports whether a folded number has the form of ISO 6346, with
// any check digit.
func IsContainer(folded string) bool {
	_, expected := refdata.CheckDigit(folded)
	return expected >= 0
}

func inferContainer(folded string, known Lines) Result {
	r := Result{Number: folded, Type: Container, Rule: ISO6346}
	valid, expected := refdata.CheckDigit(folded)
	r.Validation = Validation{Valid: &valid, CheckDigitPassed: &valid}
	if !valid {
		r.Validation.Reason = fmt.Sprintf("The check digit of a container number that begins with %s is %d (ISO 6346)", folded[:10], expected)
	}
	if owner, ok := refdata.LineByOwner(folded); ok {
		r.add(owner, ContainerOwner, known)
	}
	return r.ranked()
}

func inferByPrefix(folded string, line refdata.Line, known Lines) Result {
	r := Result{Number: folded, Type: BillOfLading, Rule: PrefixAlone}
	if rest := behindPrefix(folded, line); line.SCAC == known.AnyForm || onlyDigits(rest) || refdata.NumberFits(line.SCAC, rest) {
		valid := true
		r.Rule, r.Validation.Valid = PrefixAndForm, &valid
	}
	r.add(line, r.Rule, known)
	if r.Rule == PrefixAlone {
		// The letters may be those of an office, and no prefix.
		for _, other := range refdata.LinesByForm(folded) {
			if other.SCAC != line.SCAC {
				r.add(other, SharedForm, known)
			}
		}
	}
	return r.ranked()
}

// inferHouseBill proposes no line: none knows the number of a house bill.
func inferHouseBill(folded string, forwarder refdata.Forwarder, known Lines) Result {
	r := Result{Number: folded, Type: BillOfLading, Rule: HouseBill}
	r.Hint = &Hint{
		Forwarder: forwarder.Name, ForwarderSCAC: forwarder.SCAC,
		Detail: fmt.Sprintf("This looks like the house bill of lading of %s, a forwarder. Shipping lines do not know house bills: ask %[1]s for the number of the master bill of lading, or give a container number", forwarder.Name),
	}
	for _, line := range refdata.LinesByForm(folded) {
		r.add(line, SharedForm, known)
	}
	return r.ranked()
}

func inferByForm(folded string, known Lines) Result {
	lines := refdata.LinesByForm(folded)
	r := Result{Number: folded, Type: BillOfLading, Rule: SharedForm}
	switch len(lines) {
	case 0:
		r.Type, r.Rule = Booking, NoRule
	case 1:
		r.Rule = OwnForm
	}
	for _, line := range lines {
		r.add(line, r.Rule, known)
	}
	return r.ranked()
}

// add adds a line as a candidate, by its name in this installation. An unknown line
// is skipped.
func (r *Result) add(line refdata.Line, rule string, known Lines) {
	if line, ok := known.BySCAC(line.SCAC); ok {
		r.Candidates = append(r.Candidates, Candidate{line.SCAC, line.Name, confidences[rule], rule})
	}
}

// ranked sorts the candidates and decides.
func (r Result) ranked() Result {
	slices.SortStableFunc(r.Candidates, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), strings.Compare(a.SCAC, b.SCAC))
	})
	r.Decision = decide(r.Candidates)
	return r
}

// behindPrefix is the rest of the number after the longest of the line's prefixes.
func behindPrefix(folded string, line refdata.Line) string {
	longest := ""
	for _, p := range append([]string{line.SCAC}, line.Prefixes...) {
		if len(p) > len(longest) && strings.HasPrefix(folded, p) {
			longest = p
		}
	}
	return folded[len(longest):]
}

func onlyDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// decide decides by the best candidate.
func decide(candidates []Candidate) string {
	switch {
	case len(candidates) == 0 || candidates[0].Confidence < confirmationFrom:
		return NoPrediction
	case candidates[0].Confidence < autoSelectFrom:
		return NeedsConfirmation
	}
	return AutoSelect
}
