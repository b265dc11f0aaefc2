package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/freight"
)

// trackResult is the container if one is known, else the shipment or the request.
type trackResult struct {
	Sentence []string   `json:"summary"`
	Created  bool       `json:"tracking_request_created"`
	Infer    *inference `json:"infer_result,omitempty"`
	*containerResult
	Request *trackedRequest  `json:"tracking_request,omitempty"`
	Tracked *trackedShipment `json:"tracked_shipment,omitempty" about:"the number is that of a shipment with another number of containers than one"`
	// Metadata is that of the container, or trackMetadata.
	Metadata any `json:"_metadata,omitempty"`
}

type inference struct {
	Source       string `json:"source,omitempty"`
	InferredType string `json:"inferred_type,omitempty"`
	SelectedSCAC string `json:"selected_scac,omitempty"`
	Fallback     bool   `json:"fallback,omitempty"`
	Reason       string `json:"reason,omitempty"`
}

type trackedRequest struct {
	ID            string  `json:"id"`
	RequestNumber string  `json:"request_number"`
	NumberType    string  `json:"number_type,omitempty"`
	SCAC          string  `json:"scac,omitempty"`
	Status        *string `json:"status"`
	FailedReason  *string `json:"failed_reason"`
}

type trackedShipment struct {
	ID         string           `json:"id"`
	Containers []shownContainer `json:"containers"`
}

type shownContainer struct {
	ID     string  `json:"id"`
	Number *string `json:"number"`
}

type trackMetadata struct {
	PresentationGuidance string   `json:"presentation_guidance"`
	Recommendations      []string `json:"recommendations"`
}

// numberTypes are the ways to write the type of a number.
var numberTypes = map[string]tracking.RequestType{
	"CONTAINER": freight.ContainerNumber, "BOOKING": freight.BookingNumber, "BOOKING_NUMBER": freight.BookingNumber,
	"BL": freight.BillOfLading, "B/L": freight.BillOfLading, "BILL_OF_LADING": freight.BillOfLading,
}

var trackContainer = &tool{
	name: "track_container", title: "Track a number", writes: true,
	about: "Shows a number that the account tracks, or begins to track it: a container number, a booking or a bill of lading. It creates a tracking request only if the number is not tracked yet.",
	parameters: []parameter{
		{name: "number", kind: text, about: "The number, as the carrier prints it.", longest: 60},
		{name: "numberType", kind: text, about: "container, booking or bill_of_lading. Found out from the number if it is left out.", longest: 30},
		{name: "containerNumber", kind: text, about: "The same as number, for a container number.", longest: 60},
		{name: "bookingNumber", kind: text, about: "The same as number, for a booking.", longest: 60},
		{name: "scac", kind: text, about: "SCAC of the shipping line. Found out from the number if it is left out.", longest: 4},
		{name: "refNumbers", kind: texts, about: "References that the shipment gets, if a request is made.", longest: 100},
	},
	output: trackResult{},
	guide: guide{
		Purpose:              "Track a number, without making a second request for one that is tracked.",
		CanAnswer:            []string{"Is it tracked?", "Where is it?"},
		RequiresMoreData:     []string{"What the line knows of a number that was requested just now: it answers within minutes."},
		RelevantFields:       []string{"summary", "tracking_request_created", "tracking_request", "status"},
		PresentationGuidance: "Say whether a request was made. If it was, nothing is known about the cargo yet: say so.",
		SuggestedFollowUps:   []string{"Look at the request again in a few minutes", "Show the container"},
		SuggestedTools:       []string{"list_tracking_requests", "get_container"},
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		n, err := c.numberGiven()
		if err != nil {
			return nil, err
		}
		r, err := c.tracked(ctx, n)
		if err == nil && r == nil {
			r, err = c.track(ctx, n)
		}
		if err != nil {
			return nil, err
		}
		if n.failed != "" {
			r.Sentence = append(r.Sentence, n.failed)
		}
		return &answer{result: r}, nil
	},
}

// numberToTrack is the number of a call, and what the caller says about it.
type numberToTrack struct {
	number string
	given  tracking.RequestType // empty if the caller does not say
	scac   string
	refs   []string
	// failed is an earlier request for the number that failed; empty for none.
	failed string
}

// numberGiven reads the number and its aliases.
func (c *call) numberGiven() (*numberToTrack, error) {
	n := &numberToTrack{number: c.args.text("number"), scac: strings.ToUpper(c.args.text("scac")), refs: c.args.list("refNumbers")}
	field := "number"
	for _, alias := range []struct {
		name string
		kind tracking.RequestType
	}{{"containerNumber", freight.ContainerNumber}, {"bookingNumber", freight.BookingNumber}} {
		if s := c.args.text(alias.name); n.number == "" && s != "" {
			n.number, n.given, field = s, alias.kind, alias.name
		}
	}
	if kind := c.args.text("numberType"); kind != "" {
		known, ok := numberTypes[strings.ToUpper(strings.ReplaceAll(kind, " ", "_"))]
		if !ok {
			return nil, &inputError{"numberType", "must be container, booking or bill_of_lading"}
		}
		n.given = known
	}
	n.number = strings.ToUpper(strings.Join(strings.Fields(n.number), ""))
	switch {
	case n.number == "":
		return nil, &inputError{"number", "is required: a container number, a booking or a bill of lading"}
	case !strings.ContainsFunc(n.number, func(r rune) bool { return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' }):
		return nil, &inputError{field, "has no letter and no digit"}
	}
	return n, nil
}

// tracked returns what the account has under exactly this number, or nil.
func (c *call) tracked(ctx context.Context, n *numberToTrack) (*trackResult, error) {
	found, err := c.search(ctx, n.number)
	if err != nil {
		return nil, err
	}
	var match *inference
	for _, b := range found.Containers {
		if sameNumber(b.ContainerNumber, n.number) {
			match = &inference{Source: "search_match", InferredType: string(freight.ContainerNumber), SelectedSCAC: b.ShippingLine}
			return c.shown(ctx, b.ID, match)
		}
	}
	for _, s := range found.Shipments {
		if sameDocument(s.BillOfLadingNumber, s.ShippingLine, n.number) && n.given != freight.ContainerNumber {
			match = &inference{Source: "search_match", SelectedSCAC: s.ShippingLine}
			return c.shownShipment(ctx, s.ID, match)
		}
	}
	for _, q := range found.TrackingRequests {
		if !sameDocument(q.RequestNumber, n.scac, n.number) {
			continue
		}
		if orNone(q.Status) == string(tracking.RequestFailed) {
			n.failed = "Earlier: " + lower(requestSentence(q.RequestNumber, orNone(q.Status), orNone(q.FailedReason)))
		} else {
			return requested(false, &inference{Source: "search_match"}, trackedRequest{
				ID: q.ID, RequestNumber: q.RequestNumber, Status: q.Status, FailedReason: q.FailedReason,
			}), nil
		}
	}
	return nil, nil
}

// sameNumber compares numbers without blanks and punctuation.
func sameNumber(a, b string) bool { return freight.FoldNumber(a) == freight.FoldNumber(b) }

// sameDocument compares numbers of documents, with and without the prefix of the line.
func sameDocument(known, scac, number string) bool {
	of := func(s string) []string {
		return freight.ShipmentNumber{Type: freight.BillOfLading, Number: s}.Keys(scac)
	}
	return slices.ContainsFunc(of(number), func(key string) bool { return slices.Contains(of(known), key) })
}

// shown returns the container that the account has.
func (c *call) shown(ctx context.Context, id string, match *inference) (*trackResult, error) {
	box, err := c.container(ctx, id, nil)
	if err != nil {
		return nil, err
	}
	return &trackResult{Infer: match, containerResult: box, Metadata: box.Metadata, Sentence: append([]string{knownAlready(box.Metadata.TrackingStoppedAt)}, box.Summary...)}, nil
}

// knownAlready says that the account has the number, and whether it is still tracked.
func knownAlready(stopped *string) string {
	if stopped != nil {
		return "The account has this number already, and its tracking has stopped; no new request was made."
	}
	return "The account tracks this number already; no new request was made."
}

// shownShipment returns the container of a shipment, or the list of them.
func (c *call) shownShipment(ctx context.Context, id string, match *inference) (*trackResult, error) {
	ship, d, err := c.readOne(ctx, "/shipments", id, "containers")
	if err != nil {
		return nil, err
	}
	boxes := d.many(ship, "containers")
	if len(boxes) == 1 {
		return c.shown(ctx, boxes[0].ID, match)
	}
	list := &trackedShipment{ID: id, Containers: []shownContainer{}}
	for _, b := range boxes {
		list.Containers = append(list.Containers, shownContainer{b.ID, b.text("number")})
	}
	return &trackResult{
		Infer: match, Tracked: list,
		Sentence: []string{fmt.Sprintf("%s The shipment has %s.", knownAlready(ship.text("line_tracking_stopped_at")), plural(len(boxes), "container"))},
		Metadata: &trackMetadata{"Ask which container the reader means, or show the shipment.", []string{"get_shipment_details with tracked_shipment.id", "get_container with the ID of a container"}},
	}, nil
}

// track infers what the number is and creates the request.
func (c *call) track(ctx context.Context, n *numberToTrack) (*trackResult, error) {
	create := tracking.NewTrackingRequest{Number: n.number, Type: n.given, SCAC: n.scac, RefNumbers: n.refs}
	infer := &inference{}
	inferred, err := c.api.InferNumber(ctx, n.number)
	switch refused := (*client.Error)(nil); {
	case err == nil:
		infer.InferredType = string(inferred.Type)
		create.Type = requestType(n.given, inferred.Type)
		if create.SCAC == "" {
			create.SCAC = lineOf(&inferred)
		}
	case n.given != "" && n.scac != "" && errors.As(err, &refused) && refused.Status < http.StatusInternalServerError:
		*infer = inference{Fallback: true, InferredType: string(n.given), Reason: "the number was not recognized"}
	default:
		return nil, err
	}
	infer.SelectedSCAC = create.SCAC
	if create.Type == "" {
		return nil, &inputError{"numberType", "is required: the number does not show whether it is a container, a booking or a bill of lading"}
	}
	return c.request(ctx, &create, infer)
}

// requestType is what the caller says, else what the number shows; empty for neither.
func requestType(given tracking.RequestType, inferred tracking.NumberType) tracking.RequestType {
	if given != "" {
		return given
	}
	kind := inferred.RequestType()
	if slices.Contains([]tracking.RequestType{freight.ContainerNumber, freight.BookingNumber, freight.BillOfLading}, kind) {
		return kind
	}
	return ""
}

// lineOf is the selected line of an inference, else its only candidate; empty for none, and the
// server then looks for the line.
func lineOf(i *tracking.Inference) string {
	if line := i.Selected(); line != nil {
		return line.SCAC
	}
	if len(i.Candidates) == 1 {
		return i.Candidates[0].SCAC
	}
	return ""
}

func (c *call) request(ctx context.Context, create *tracking.NewTrackingRequest, infer *inference) (*trackResult, error) {
	made, err := c.api.CreateTrackingRequest(ctx, *create)
	if refused := (*client.Error)(nil); errors.As(err, &refused) && refused.Has("duplicate") {
		return c.duplicate(ctx, refused, infer)
	}
	if err != nil {
		return nil, err
	}
	if made.TrackedObject != (tracking.ID{}) {
		r, err := c.shownShipment(ctx, made.TrackedObject.String(), infer)
		if err != nil {
			return nil, err
		}
		r.Created = true
		r.Sentence[0] = "A tracking request was made; the number was known already."
		return r, nil
	}
	return requested(true, infer, trackedRequest{
		made.ID.String(), made.RequestNumber, string(made.RequestType), made.SCAC, given(string(made.Status)), given(string(made.FailedReason)),
	}), nil
}

// duplicate returns the request that exists already.
func (c *call) duplicate(ctx context.Context, refused *client.Error, infer *inference) (*trackResult, error) {
	for _, f := range refused.Faults {
		id, _ := f.Meta["tracking_request_id"].(string)
		if _, fault := readID(id); fault != "" {
			continue
		}
		q, _, err := c.readOne(ctx, "/tracking_requests", id, "")
		if err != nil {
			return nil, err
		}
		if to, ok := q.to("tracked_object"); ok {
			return c.shownShipment(ctx, to.ID, infer)
		}
		return requested(false, infer, trackedRequest{
			q.ID, q.str("request_number"), q.str("request_type"), q.str("scac"), q.text("status"), q.text("failed_reason"),
		}), nil
	}
	return nil, refused
}

// requested is the answer about a request without a container.
func requested(made bool, infer *inference, q trackedRequest) *trackResult {
	first := "This number was requested before; no new request was made."
	if made {
		first = "A tracking request was made."
	}
	return &trackResult{
		Created: made, Infer: infer, Request: &q, Sentence: []string{first, requestSentence(q.RequestNumber, orNone(q.Status), orNone(q.FailedReason))},
		Metadata: &trackMetadata{"Say that the request exists, and that nothing is known about the cargo before the line answers.", []string{"list_tracking_requests shows the state of the request", "search_container finds the container when the line has answered"}},
	}
}
