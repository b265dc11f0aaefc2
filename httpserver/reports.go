package httpserver

import (
	"crypto/sha256"
	"encoding/json"
	"net/http"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// createReport ingests facts. The status is 200 and not 201, because a report is not
// a resource: its facts appear as raw events of containers.
func createReport(req *request) error {
	data, err := req.readBody()
	if err != nil {
		return err
	}
	in, err := req.readHeaders(data)
	if err != nil {
		return err
	}
	members, err := jsonapi.ParseObject(data, req.route.body)
	if err != nil {
		return err
	}
	if _, wrapped := members["data"]; !wrapped {
		req.pointerBase = ""
	}
	facts, err := tracking.ParseReport(data)
	if err != nil {
		return err
	}
	receipt, err := req.t.Ingest(req.ctx(), facts, in.once)
	if err != nil {
		return err
	}
	return req.receipt(data, receipt)
}

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

// receipt responds with the result of a report. Receipts are not stored; the ID is a
// hash of the body.
func (req *request) receipt(body []byte, r tracking.Receipt) error {
	doc := receiptDoc{ID: uuid.NewHash(sha256.New(), uuid.Nil, body, 8).String(), Type: "report_receipt"}
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
