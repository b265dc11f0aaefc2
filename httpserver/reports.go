package httpserver

import (
	"cmp"
	"encoding/json"
	"net/http"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/report"
	"github.com/landfallhq/tracking/jsonapi"
)

// createReport ingests facts. The status is 200 and not 201, because a report is not
// a resource: its facts appear as raw events of containers.
func createReport(req *request) error {
	sent, once, id, err := req.readReport()
	if err != nil {
		return err
	}
	receipt, err := req.t.Ingest(req.ctx(), sent, once)
	if err != nil {
		return err
	}
	return req.receipt(id, receipt)
}

// readReport reads a report while it arrives: only its facts are held. id is that of its
// receipt, a hash of the body.
func (req *request) readReport() (sent tracking.Report, once tracking.Once, id uuid.UUID, err error) {
	key, headerErr := req.readReportHeaders()
	digest := newBodyID()
	body, err := req.streamBody(digest, key.sum)
	if err != nil {
		return sent, once, id, err
	}
	facts := report.NewReader()
	visitor := reportVisitor{reader: facts}
	err = jsonapi.CheckStream(body, req.route.body, visitor.visit(0))
	if err = cmp.Or(body.err, headerErr, err); err != nil {
		return sent, once, id, err
	}
	if !visitor.isObject {
		return sent, once, id, errNoObject
	}
	if !visitor.wrapped {
		req.pointerBase = ""
	}
	sent, err = facts.Report()
	if fault, ok := err.(*report.Fault); ok {
		err = &tracking.Error{Kind: tracking.BadDocument, Field: fault.Field, Detail: fault.Detail}
	}
	return sent, key.once(), bodyID(digest), err
}

// readReportHeaders reads what readHeaders does, before the body.
func (req *request) readReportHeaders() (key idempotencyKey, err error) {
	if _, err := req.readQuery(); err != nil {
		return key, err
	}
	if _, err := ifMatch(req.r); err != nil {
		return key, err
	}
	return readIdempotencyKey(req.r)
}

// reportVisitor gives the values of a document to a reader of reports.
type reportVisitor struct {
	reader   *report.Reader
	isObject bool
	wrapped  bool // there is a document around the report
}

func (v *reportVisitor) visit(depth int) jsonapi.Visitor {
	var inside jsonapi.Visitor
	return func(name string, first byte) jsonapi.Visit {
		v.isObject = v.isObject || depth == 0 && first == '{'
		v.wrapped = v.wrapped || depth == 1 && name == "data"
		switch v.reader.Begin(depth, name, first) {
		case report.Open:
			if inside == nil {
				inside = v.visit(depth + 1)
			}
			return jsonapi.Visit{Open: inside}
		case report.Take:
			return jsonapi.Visit{Take: v.reader.Take}
		}
		return jsonapi.Visit{}
	}
}

var errNoObject = &jsonapi.SyntaxError{Kind: jsonapi.WrongShape, Offset: -1, Detail: "The body must be a JSON object."}

type receiptDoc struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Attributes struct {
		Facts      int              `json:"facts"`
		New        int              `json:"new"`
		FirstFact  *int64           `json:"first_fact"` // null where no fact is new
		LastFact   *int64           `json:"last_fact"`
		Shipments  int              `json:"shipments"`
		Containers int              `json:"containers"`
		Events     int              `json:"events"`
		Warnings   []receiptWarning `json:"warnings"`
	} `json:"attributes"`
	Relationships struct {
		Shipments struct {
			Data []resourceID `json:"data"`
		} `json:"shipments"`
	} `json:"relationships"`
}

type receiptWarning struct {
	Code   string `json:"code"`
	Field  string `json:"field,omitempty"`
	Detail string `json:"detail"`
}

type resourceID struct {
	ID   tracking.ID `json:"id"`
	Type string      `json:"type"`
}

// receipt responds with the result of a report. Receipts are not stored.
func (req *request) receipt(id uuid.UUID, r tracking.Receipt) error {
	doc := receiptDoc{ID: id.String(), Type: "report_receipt"}
	a := &doc.Attributes
	a.Facts, a.New, a.Shipments, a.Containers, a.Events = r.Facts, r.New, r.Shipments, r.Containers, r.Events
	if r.New > 0 {
		a.FirstFact, a.LastFact = &r.FirstFact, &r.LastFact
	}
	a.Warnings = []receiptWarning{}
	for _, w := range r.Warnings {
		a.Warnings = append(a.Warnings, receiptWarning(w))
	}
	doc.Relationships.Shipments.Data = []resourceID{}
	for _, id := range r.ShipmentIDs {
		doc.Relationships.Shipments.Data = append(doc.Relationships.Shipments.Data, resourceID{id, "shipment"})
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	req.respond(http.StatusOK, jsonapi.AppendSingle(nil, jsonapi.Raw{Doc: text}, nil, jsonapi.SelfLink(req.requestURL(), req.r.URL.RawQuery)))
	return nil
}
