package tracking

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
)

// NumberType is the inferred type of a number.
type NumberType string

// The types of numbers. A booking is booking_number in tracking requests; see
// RequestType.
const (
	InferredContainer    NumberType = "container"
	InferredBillOfLading NumberType = "bill_of_lading"
	InferredBooking      NumberType = "booking"
)

// RequestType is the type for NewTrackingRequest.
func (n NumberType) RequestType() RequestType {
	if n == InferredBooking {
		return BookingNumber
	}
	return RequestType(n)
}

// LineDecision is what to do with the candidates (see
// docs/contract.md#inferred-numbers).
type LineDecision string

// The decisions.
const (
	// AutoSelect: the best candidate can be used without confirmation.
	AutoSelect LineDecision = "auto_select"
	// NeedsConfirmation: a user should confirm the best candidate.
	NeedsConfirmation LineDecision = "needs_confirmation"
	// NoPrediction: no candidate is likely enough. There may be some to choose
	// from.
	NoPrediction LineDecision = "no_prediction"
)

// Inference is what follows from a number alone: see InferNumber.
type Inference struct {
	// Number without blanks and punctuation, in upper case.
	Number string
	// Type of the number, most likely. A carrier may use one number for a bill of
	// lading and a booking.
	Type NumberType
	// Rule that gave the type.
	Rule       InferenceRule
	Validation NumberValidation
	// Decision about the line, by the confidence of the best candidate.
	Decision LineDecision
	// Candidates are lines that the number may belong to, likeliest first, equally
	// likely ones by SCAC. Empty if the number indicates no line.
	Candidates []LineCandidate
	// Hint is advice if no line is likely to know the number; nil if there is none.
	Hint *InferenceHint
}

// InferenceHint is about a number that looks like a forwarder's house bill of
// lading: the rule is HouseBill.
type InferenceHint struct {
	// Forwarder is the name of the company, ForwarderSCAC its code, with which the
	// number begins. Neither is empty.
	Forwarder, ForwarderSCAC string
	// Detail is a sentence for the person who gave the number.
	Detail string
}

// Selected returns the best candidate; nil if the decision is NoPrediction.
func (i Inference) Selected() *LineCandidate {
	if i.Decision == NoPrediction {
		return nil
	}
	return &i.Candidates[0]
}

// NumberValidation is the result of checking the form of a number.
type NumberValidation struct {
	// Valid is nil if the number has no form that can be checked.
	Valid *bool
	// CheckDigitPassed is set for containers only; nil otherwise.
	CheckDigitPassed *bool
	// Reason is why a number is not valid; empty if it is valid or not checked.
	Reason string
}

// LineCandidate is a line that a number may belong to.
type LineCandidate struct {
	SCAC string // the primary one
	Name string
	// Confidence is between 0 and 1. It ranks; it was not measured on shipments.
	Confidence float64
	// Rule that named the line.
	Rule InferenceRule
}

// InferNumber infers the type of a number and the lines that it may belong to, from
// ISO 6346, the prefixes and forms of carriers' numbers and the owners of
// containers. House bills of forwarders, which no line knows, are recognized by the
// forwarders' codes. It uses only the tables of package refdata;
// Tracker.InferNumber also uses the lines of Config.Reference.
//
// The letters of a container identify its owner. That is a hint: lines carry each
// other's containers, and containers of lessors indicate no line.
//
// Errors: Invalid on number (blank, too_long, invalid: no carrier issues such a
// number).
func InferNumber(number string) (Inference, error) { return infer(number, builtinLines{}) }

// InferNumber is the function InferNumber with the lines of Config.Reference, and
// with the sandbox if it is configured. Needs show. Errors as there.
func (t *Tracker) InferNumber(_ context.Context, number string) (Inference, error) {
	if err := t.allow(Show); err != nil {
		return Inference{}, err
	}
	return infer(number, t.engine)
}

// lineLookup is the lines that inference uses.
type lineLookup interface {
	// line resolves a SCAC, primary or alternative.
	line(scac string) (refdata.Line, bool)
	// lineByPrefix finds the line of a folded document number.
	lineByPrefix(number string) (refdata.Line, bool)
}

// builtinLines are the lines of the compiled tables.
type builtinLines struct{}

func (builtinLines) line(scac string) (refdata.Line, bool) { return refdata.LineBySCAC(scac) }

func (builtinLines) lineByPrefix(number string) (refdata.Line, bool) {
	return refdata.LineByPrefix(number)
}

// InferenceRule names the rule by which a type or a line was inferred.
type InferenceRule string

// The rules, with their confidence in a line. It was fixed before any number was
// measured (testdata/inference/README.md).
const (
	// ISO6346: four letters, the last of them U, J or Z, and seven digits. Tells
	// a container.
	ISO6346 InferenceRule = "iso6346"
	// ContainerOwner: the container belongs to the line. 0.85.
	ContainerOwner InferenceRule = "container_owner"
	// PrefixAndForm: a prefix of the line, and behind it a form that the line's
	// numbers are known to have, or digits alone. 0.98.
	PrefixAndForm InferenceRule = "prefix_and_form"
	// PrefixAlone: a prefix of the line before some other form. 0.80.
	PrefixAlone InferenceRule = "prefix"
	// OwnForm: no prefix, and a form that one line is known to use. 0.75.
	OwnForm InferenceRule = "form"
	// SharedForm: no prefix, and a form that several lines use. 0.35 each.
	SharedForm InferenceRule = "shared_form"
	// HouseBill: the code of a forwarder. Lines whose numbers have the same form
	// stay candidates, by SharedForm: the letters may be an office's.
	HouseBill InferenceRule = "house_bill"
	// NoRule: none of these. Taken for a booking, whose forms nobody publishes.
	NoRule InferenceRule = "none"
)

var ruleConfidence = map[InferenceRule]float64{
	ContainerOwner: 0.85, PrefixAndForm: 0.98, PrefixAlone: 0.80, OwnForm: 0.75, SharedForm: 0.35,
}

// The least confidence with which a line is taken without a question, and with which
// it is proposed (see docs/contract.md#inferred-numbers).
const (
	autoSelectFrom   = 0.95
	confirmationFrom = 0.70
)

// decide decides by the best candidate.
func decide(candidates []LineCandidate) LineDecision {
	switch {
	case len(candidates) == 0 || candidates[0].Confidence < confirmationFrom:
		return NoPrediction
	case candidates[0].Confidence < autoSelectFrom:
		return NeedsConfirmation
	}
	return AutoSelect
}

// infer applies the rules: a container first, then a document by the prefix of a
// line, then by the code of a forwarder, then by its form.
func infer(number string, known lineLookup) (Inference, error) {
	number = strings.TrimSpace(number)
	if err := checkText("number", number, maxNumber); err != nil {
		return Inference{}, err
	}
	folded := freight.FoldNumber(number)
	if isContainerNumber(folded) {
		return inferContainer(folded, known), nil
	}
	line, prefixed := known.lineByPrefix(folded)
	if !isReferenceNumber(folded, prefixed) {
		return Inference{}, invalid("number", "invalid",
			"Number '%s' is not valid: give the number of a container, a bill of lading or a booking, %d to %d letters and digits with at least one digit", number, shortestReference, longestReference)
	}
	if prefixed {
		return inferByPrefix(folded, line, known), nil
	}
	if forwarder, ok := refdata.ForwarderByPrefix(folded); ok {
		return inferHouseBill(folded, forwarder, known), nil
	}
	return inferByForm(folded, known), nil
}

// How long the references of carriers are: DCSA allows 35 characters, and none is
// known to be shorter than four.
const (
	shortestReference = 4
	longestReference  = 35
)

// isReferenceNumber reports whether a carrier could have issued a folded number.
// With a line's prefix it needs no digit: the sandbox has such numbers.
func isReferenceNumber(folded string, prefixed bool) bool {
	if len(folded) < shortestReference || len(folded) > longestReference {
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

// isContainerNumber reports whether a folded number has the form of ISO 6346, with
// any check digit.
func isContainerNumber(folded string) bool {
	_, expected := refdata.CheckDigit(folded)
	return expected >= 0
}

func inferContainer(folded string, known lineLookup) Inference {
	i := Inference{Number: folded, Type: InferredContainer, Rule: ISO6346}
	valid, expected := refdata.CheckDigit(folded)
	i.Validation = NumberValidation{Valid: &valid, CheckDigitPassed: &valid}
	if !valid {
		i.Validation.Reason = fmt.Sprintf("The check digit of a container number that begins with %s is %d (ISO 6346)", folded[:10], expected)
	}
	if owner, ok := refdata.LineByOwner(folded); ok {
		i.add(owner, ContainerOwner, known)
	}
	return i.ranked()
}

func inferByPrefix(folded string, line refdata.Line, known lineLookup) Inference {
	i := Inference{Number: folded, Type: InferredBillOfLading, Rule: PrefixAlone}
	if rest := behindPrefix(folded, line); line.SCAC == SandboxSCAC || onlyDigits(rest) || refdata.NumberFits(line.SCAC, rest) {
		valid := true
		i.Rule, i.Validation.Valid = PrefixAndForm, &valid
	}
	i.add(line, i.Rule, known)
	if i.Rule == PrefixAlone {
		// The letters may be those of an office, and no prefix.
		for _, other := range refdata.LinesByForm(folded) {
			if other.SCAC != line.SCAC {
				i.add(other, SharedForm, known)
			}
		}
	}
	return i.ranked()
}

// inferHouseBill proposes no line: none knows the number of a house bill.
func inferHouseBill(folded string, forwarder refdata.Forwarder, known lineLookup) Inference {
	i := Inference{Number: folded, Type: InferredBillOfLading, Rule: HouseBill}
	i.Hint = &InferenceHint{
		Forwarder: forwarder.Name, ForwarderSCAC: forwarder.SCAC,
		Detail: fmt.Sprintf("This looks like the house bill of lading of %s, a forwarder. Shipping lines do not know house bills: ask %[1]s for the number of the master bill of lading, or give a container number", forwarder.Name),
	}
	for _, line := range refdata.LinesByForm(folded) {
		i.add(line, SharedForm, known)
	}
	return i.ranked()
}

func inferByForm(folded string, known lineLookup) Inference {
	lines := refdata.LinesByForm(folded)
	i := Inference{Number: folded, Type: InferredBillOfLading, Rule: SharedForm}
	switch len(lines) {
	case 0:
		i.Type, i.Rule = InferredBooking, NoRule
	case 1:
		i.Rule = OwnForm
	}
	for _, line := range lines {
		i.add(line, i.Rule, known)
	}
	return i.ranked()
}

// add adds a line as a candidate, by its name in this installation. An unknown line
// is skipped.
func (i *Inference) add(line refdata.Line, rule InferenceRule, known lineLookup) {
	if line, ok := known.line(line.SCAC); ok {
		i.Candidates = append(i.Candidates, LineCandidate{line.SCAC, line.Name, ruleConfidence[rule], rule})
	}
}

// ranked sorts the candidates and decides.
func (i Inference) ranked() Inference {
	slices.SortStableFunc(i.Candidates, func(a, b LineCandidate) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), strings.Compare(a.SCAC, b.SCAC))
	})
	i.Decision = decide(i.Candidates)
	return i
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
