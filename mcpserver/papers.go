package mcpserver

import (
	"context"
	"fmt"
	"net/url"
)

type papersResult struct {
	Summary  []string          `json:"summary"`
	Total    int               `json:"total"`
	Papers   []comparedPaper   `json:"documents"`
	Metadata presentationNotes `json:"_metadata"`
}

type comparedPaper struct {
	ID            string           `json:"id"`
	Name          string           `json:"name"`
	DocumentType  *string          `json:"document_type"`
	State         string           `json:"state" about:"compared, compared_with_itself, not_read or unreadable"`
	FailedReason  *string          `json:"extraction_failed_reason"`
	ShipmentIDs   []string         `json:"shipment_ids"`
	Discrepancies []map[string]any `json:"discrepancies" about:"check, field, document_says, other_says, compared_with, detail"`
}

var compareDocument = &tool{
	name: "compare_document", title: "Compare a document",
	about: "Compares a document with itself, with its shipment and with the other documents of it: numbers, ports, containers, weights, charges. Name a document, or a shipment for all of its documents.",
	parameters: []parameter{
		{name: "id", kind: identifier, about: "ID of the document."},
		{name: "shipment_id", kind: identifier, about: "ID of a shipment, for its documents."},
	},
	output: papersResult{},
	guide: guide{
		Purpose:              "Say whether a document agrees with what is known.",
		CanAnswer:            []string{"Does the bill of lading agree with the shipment?", "What contradicts?"},
		RequiresMoreData:     []string{"The text of the document: look at the original"},
		RelevantFields:       []string{"documents.state", "documents.discrepancies.detail"},
		PresentationGuidance: "Quote what the document says and what the other side says. Do not decide which of them is right. No discrepancy means that none was found in what could be read.",
		SuggestedFollowUps:   []string{"Show the shipment"},
		SuggestedTools:       []string{"get_shipment_details", "list_exceptions"},
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		d, err := c.papers(ctx)
		if err != nil {
			return nil, err
		}
		r := &papersResult{Total: max(d.total(), len(d.list)), Papers: []comparedPaper{}, Metadata: presentationNotes{"Quote both sides. Do not decide which is right."}}
		for _, p := range d.list {
			paper := paperOf(p)
			r.Papers = append(r.Papers, paper)
			r.Summary = append(r.Summary, paper.sentences()...)
		}
		if len(r.Papers) == 0 {
			r.Summary = []string{"No document is linked to this shipment."}
		}
		if len(r.Papers) < r.Total {
			r.Summary = append(r.Summary, fmt.Sprintf("%d of %s are shown.", len(r.Papers), plural(r.Total, "document")))
		}
		return &answer{result: r}, nil
	},
}

// papers reads the document, or those of the shipment.
func (c *call) papers(ctx context.Context) (*document, error) {
	id, ship := c.args.text("id"), c.args.text("shipment_id")
	switch {
	case (id == "") == (ship == ""):
		return nil, &inputError{"id", "is required, or shipment_id; not both"}
	case id != "":
		_, d, err := c.readOne(ctx, "/documents", id, "")
		return d, err
	}
	if _, _, err := c.readOne(ctx, "/shipments", ship, ""); err != nil {
		return nil, err
	}
	return c.read(ctx, "/documents", url.Values{"filter[shipment]": {ship}, "page[size]": {"25"}, "include": {""}})
}

func paperOf(p *resource) comparedPaper {
	paper := comparedPaper{
		ID: p.ID, Name: p.str("name"), DocumentType: p.text("document_type_manual"), FailedReason: p.text("extraction_failed_reason"),
		ShipmentIDs: []string{}, Discrepancies: p.objects("discrepancies"), State: "compared",
	}
	if paper.DocumentType == nil {
		paper.DocumentType = p.text("document_type")
	}
	for _, to := range p.toMany("shipments") {
		paper.ShipmentIDs = append(paper.ShipmentIDs, to.ID)
	}
	if paper.Discrepancies == nil {
		paper.Discrepancies = []map[string]any{}
	}
	_, read := p.to("last_document_representation")
	switch {
	case paper.FailedReason != nil:
		paper.State = "unreadable"
	case !read:
		paper.State = "not_read"
	case len(paper.ShipmentIDs) != 1:
		paper.State = "compared_with_itself"
	}
	return paper
}

// sentences say what was compared and what contradicts.
func (p *comparedPaper) sentences() []string {
	line := fmt.Sprintf("Document %s (%s): ", quote(p.Name), orElse(words(orNone(p.DocumentType)), "type not known"))
	switch p.State {
	case "unreadable":
		return []string{line + "it could not be read, so nothing was compared: " + quote(orNone(p.FailedReason))}
	case "not_read":
		return []string{line + "it has not been read yet, so nothing was compared."}
	}
	with := "with its shipment and the other documents of it"
	if p.State == "compared_with_itself" {
		with = fmt.Sprintf("with itself alone, because it is linked to %s", plural(len(p.ShipmentIDs), "shipment"))
	}
	if len(p.Discrepancies) == 0 {
		return []string{line + "compared " + with + "; no discrepancy was found in what could be read."}
	}
	lines := []string{line + "compared " + with + "; " + plural(len(p.Discrepancies), "value") + " " + verb(len(p.Discrepancies), "contradict") + "."}
	for _, d := range p.Discrepancies {
		detail, _ := d["detail"].(string)
		lines = append(lines, quote(detail))
	}
	return lines
}
