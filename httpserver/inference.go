package httpserver

import (
	"crypto/sha256"
	"encoding/json"
	"net/http"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// inferNumber infers the type and shipping line of a number. Its body is plain JSON:
// {"number": "..."}.
func inferNumber(req *request) error {
	data, err := req.readBody()
	if err != nil {
		return err
	}
	in, err := req.readHeaders(data)
	if err != nil {
		return err
	}
	members, err := jsonapi.ParseObject(data, defaultBody)
	if err != nil {
		return err
	}
	req.pointerBase = "" // errors point into the plain body
	in.Decoder = jsonapi.ObjectFields(members)
	number := in.String("number").Value
	if err := in.Err(); err != nil {
		return err
	}
	inferred, err := req.t.InferNumber(req.ctx(), number)
	if err != nil {
		return err
	}
	text, err := json.Marshal(inferenceOf(number, inferred))
	if err != nil {
		return err
	}
	req.respond(http.StatusOK, jsonapi.AppendSingleMeta(nil, jsonapi.Raw{Doc: text}, nil, jsonapi.SelfLink(req.requestURL(), req.r.URL.RawQuery), req.writeMeta().json()))
	return nil
}

type inferenceDoc struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Attributes struct {
		NumberType   tracking.NumberType    `json:"number_type"`
		Rule         tracking.InferenceRule `json:"rule"`
		Validation   inferredValidation     `json:"validation"`
		ShippingLine inferredLine           `json:"shipping_line"`
		Hint         *inferredHint          `json:"hint"`
	} `json:"attributes"`
}

// inferredHint is null unless the number looks like a forwarder's house bill.
type inferredHint struct {
	// Forwarder that issued the house bill.
	Forwarder inferredForwarder `json:"forwarder"`
	// Detail is a sentence for the user.
	Detail string `json:"detail"`
}

type inferredForwarder struct {
	// SCAC that the number begins with.
	SCAC string `json:"scac"`
	Name string `json:"name"`
}

type inferredValidation struct {
	IsValid          *bool   `json:"is_valid"`
	Type             string  `json:"type"`
	CheckDigitPassed *bool   `json:"check_digit_passed"`
	ParsedNumber     *string `json:"parsed_number"`
	Reason           *string `json:"reason"`
}

type inferredLine struct {
	Decision   tracking.LineDecision `json:"decision"`
	Selected   *inferredCandidate    `json:"selected"`
	Candidates []inferredCandidate   `json:"candidates"`
}

type inferredCandidate struct {
	SCAC       string                 `json:"scac"`
	Name       string                 `json:"name"`
	Confidence float64                `json:"confidence"`
	Rule       tracking.InferenceRule `json:"rule"`
}

// inferenceOf renders an inference about a number as it was sent. Results are not
// stored; the ID is a hash of the number.
func inferenceOf(number string, i tracking.Inference) *inferenceDoc {
	doc := &inferenceDoc{ID: "req_" + uuid.NewHash(sha256.New(), uuid.Nil, []byte(number), 8).String(), Type: "infer_number_results"}
	a := &doc.Attributes
	a.NumberType, a.Rule = i.Type, i.Rule
	a.Validation = inferredValidation{IsValid: i.Validation.Valid, Type: "shipment", CheckDigitPassed: i.Validation.CheckDigitPassed}
	if i.Type == tracking.InferredContainer {
		a.Validation.Type = "container"
	}
	if i.Number != number {
		a.Validation.ParsedNumber = &i.Number
	}
	if i.Validation.Reason != "" {
		a.Validation.Reason = &i.Validation.Reason
	}
	a.ShippingLine = inferredLine{Decision: i.Decision, Candidates: []inferredCandidate{}}
	for _, candidate := range i.Candidates {
		a.ShippingLine.Candidates = append(a.ShippingLine.Candidates, inferredCandidate(candidate))
	}
	if best := i.Selected(); best != nil {
		selected := inferredCandidate(*best)
		a.ShippingLine.Selected = &selected
	}
	if h := i.Hint; h != nil {
		a.Hint = &inferredHint{inferredForwarder{h.ForwarderSCAC, h.Forwarder}, h.Detail}
	}
	return doc
}
