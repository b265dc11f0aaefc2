package tracking

import (
	"context"
	"strings"

	"github.com/landfallhq/tracking/internal/inference"
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
func InferNumber(number string) (Inference, error) {
	return infer(number, inference.Lines{BySCAC: refdata.LineBySCAC, ByPrefix: refdata.LineByPrefix})
}

// InferNumber is the function InferNumber with the lines of Config.Reference, and
// with the sandbox if it is configured. Needs show. Errors as there.
func (t *Tracker) InferNumber(_ context.Context, number string) (Inference, error) {
	if err := t.allow(Show); err != nil {
		return Inference{}, err
	}
	return t.inferNumber(number)
}

func (e *engine) inferNumber(number string) (Inference, error) {
	return infer(number, inference.Lines{BySCAC: e.line, ByPrefix: e.lineByPrefix, AnyForm: SandboxSCAC})
}

func infer(number string, known inference.Lines) (Inference, error) {
	number = strings.TrimSpace(number)
	if err := checkText("number", number, maxNumber); err != nil {
		return Inference{}, err
	}
	r, ok := inference.Infer(number, known)
	if !ok {
		return Inference{}, invalid("number", "invalid",
			"Number '%s' is not valid: give the number of a container, a bill of lading or a booking, %d to %d letters and digits with at least one digit", number, inference.MinReference, inference.MaxReference)
	}
	i := Inference{
		Number: r.Number, Type: NumberType(r.Type), Rule: InferenceRule(r.Rule), Validation: NumberValidation(r.Validation),
		Decision: LineDecision(r.Decision), Hint: (*InferenceHint)(r.Hint),
	}
	for _, c := range r.Candidates {
		i.Candidates = append(i.Candidates, LineCandidate{c.SCAC, c.Name, c.Confidence, InferenceRule(c.Rule)})
	}
	return i, nil
}

// InferenceRule names the rule by which a type or a line was inferred.
type InferenceRule string

// The rules, with their confidence in a line. It was fixed before any number was
// measured (testdata/inference/README.md).
const (
	// ISO6346: four letters, the last of them U, J or Z, and seven digits: a container.
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
