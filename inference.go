package tracking

import (
	"context"

	"github.com/landfallhq/tracking/refdata"
)

// NumberType is what a number is taken for.
type NumberType string

// The types of numbers. A booking is called booking_number in tracking requests;
// RequestType translates.
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

// LineDecision says what to do with the candidates (see
// docs/contract.md#inferred-numbers).
type LineDecision string

// The decisions.
const (
	// AutoSelect: the best candidate can be taken without asking.
	AutoSelect LineDecision = "auto_select"
	// NeedsConfirmation: somebody should confirm the best candidate.
	NeedsConfirmation LineDecision = "needs_confirmation"
	// NoPrediction: no candidate is likely enough. There may be some to choose from.
	NoPrediction LineDecision = "no_prediction"
)

// Inference is what a number by itself tells: see InferNumber.
type Inference struct {
	// Number without blanks and punctuation, in upper case.
	Number string
	// Type that the number most likely is of. Bills of lading and bookings often
	// look alike: a carrier may use one number for both.
	Type NumberType
	// Rule that told the type.
	Rule       InferenceRule
	Validation NumberValidation
	// Decision about the line, by the confidence of the best candidate.
	Decision LineDecision
	// Candidates are lines that the number may belong to, the likeliest first,
	// equally likely ones by SCAC. Empty where the number says nothing of a line.
	Candidates []LineCandidate
	// Hint says what to do instead where no line is likely to know the number. Nil
	// where there is nothing to say.
	Hint *InferenceHint
}

// InferenceHint is about a number that looks like the house bill of lading of a
// forwarder: the rule is HouseBill.
type InferenceHint struct {
	// Forwarder is the name of the company, ForwarderSCAC its code, with which the
	// number begins. Neither is ever empty.
	Forwarder, ForwarderSCAC string
	// Detail is a sentence for the person who gave the number.
	Detail string
}

// Selected returns the best candidate; nil when the decision is NoPrediction.
func (i Inference) Selected() *LineCandidate {
	if i.Decision == NoPrediction {
		return nil
	}
	return &i.Candidates[0]
}

// NumberValidation says how well a number is formed.
type NumberValidation struct {
	// Valid is nil where the number has no form that could be checked.
	Valid *bool
	// CheckDigitPassed is of containers only; nil for all else.
	CheckDigitPassed *bool
	// Reason says why a number is not valid. Empty when it is, or nobody knows.
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

// InferNumber tells what sort of number this is and which lines it may belong to,
// by ISO 6346, the prefixes and forms of carriers' numbers and the owners of
// containers. The house bills of forwarders, which no line knows, are
// recognised by the codes of forwarders. It knows the tables of package refdata alone and asks
// nobody; Tracker.InferNumber also knows the lines of Config.Reference.
//
// The letters of a container name its owner. That is a hint: lines carry each
// other's boxes, and those of lessors name no line at all.
//
// Errors: Invalid on number (blank, too_long, invalid: nothing that a carrier
// could have given out).
func InferNumber(number string) (Inference, error) { return infer(number, builtinLines{}) }

// InferNumber is the function InferNumber with the lines of Config.Reference, and
// with the sandbox where it is configured. Needs show: it reads reference data
// and makes nothing. Errors as there.
func (t *Tracker) InferNumber(_ context.Context, number string) (Inference, error) {
	if err := t.allow(Show); err != nil {
		return Inference{}, err
	}
	return infer(number, t.engine)
}

// lineLookup is what inference needs to know of lines.
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
