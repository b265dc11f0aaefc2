package tracking

import (
	"encoding/json"

	"github.com/landfallhq/tracking/internal/record"
)

// document is the arrival notice of the story, which came by e-mail and was read,
// or one whose file is cut off.
func (x *example) document(event EventName) record.Ref {
	handed := x.now.Add(-exampleReading)
	d := &Document{
		Meta: Meta{ID: exampleID("document")}, Account: AccountID(exampleID("account")),
		Name: "Arrival notice " + x.shipment.BillOfLadingNumber, FileName: "arrival-notice.pdf",
		FileContentType: "application/pdf", FileSizeBytes: 48_213, CreatedAt: handed, UpdatedAt: x.now,
		Shipments: []ID{}, Cargos: []ID{}, Source: FromEmail, EmailSubmission: exampleID("email_submission"),
	}
	if event == DocumentExtractionFailed {
		d.ID, d.Source, d.EmailSubmission = exampleID("failed_document"), FromUpload, ID{}
		d.FileSizeBytes = 20_480
		d.ExtractionFailedReason = FileDamaged + ": The PDF is damaged, and cannot be read."
	} else {
		d.DocumentType, d.ClassificationNotes = "arrival_notice", `It says "ARRIVAL NOTICE".`
		d.Shipments, d.Cargos = []ID{x.shipment.ID}, []ID{x.box.ID}
		d.LastRepresentation = x.representation(d)
		x.email(d)
	}
	d.ShownID = d.ID
	return put(x, documents, d)
}

// representation is what was read from the arrival notice.
func (x *example) representation(d *Document) ID {
	fields := DocumentFields{
		{Name: "bl_number", Kind: FieldBL, Value: "TEST 1001 0001", Normal: x.shipment.BillOfLadingNumber, Confidence: 0.98, Page: 1, Box: TextBox{402, 96, 488.5, 105}},
		{Name: "port_of_discharge", Kind: FieldPlace, Value: "LOS ANGELES, CA", Normal: x.shipment.PortOfDischargeLOCODE, Confidence: 0.95, Page: 1, Box: TextBox{56, 210, 143, 219}},
		{Name: "eta", Kind: FieldTime, Value: "28 JAN 2026", Normal: "2026-01-28", Confidence: 0.96, Page: 1, Box: TextBox{402, 210, 466, 219}},
		{Name: "containers", Kind: FieldTable, Rows: []DocumentFields{{
			{Name: "number", Kind: FieldContainer, Value: x.box.Number, Normal: x.box.Number, Confidence: 0.99, Page: 1, Box: TextBox{56, 300, 131.5, 309}},
			{Name: "gross_weight", Kind: FieldQuantity, Value: "13,608 KGS", Normal: Quantity{13_608, "kg"}, Confidence: 0.9, Page: 1, Box: TextBox{402, 300, 462, 309}},
		}}},
	}
	payload, _ := json.Marshal(fields) // texts and numbers, which never fail
	r := &DocumentRepresentation{
		Meta:          Meta{ID: exampleID("document_representation")},
		SchemaVersion: "1.0", DocumentType: d.DocumentType, Payload: payload, Document: d.ID, CreatedAt: x.now, UpdatedAt: x.now,
	}
	put(x, documentRepresentations, r)
	return r.ID
}

// email is what the arrival notice came with.
func (x *example) email(d *Document) {
	put(x, emailSubmissions, &EmailSubmission{
		Meta: Meta{ID: d.EmailSubmission}, Account: d.Account, Documents: []ID{d.ID},
		Subject: d.Name, Body: "Please find our arrival notice attached.",
		From: []string{"import@example.com"}, To: []string{"documents@example.com"}, CC: []string{}, References: []string{},
		SentAt: d.CreatedAt.Add(-exampleReading), MessageID: "10010001@example.com", ContentType: "multipart/mixed",
		DocumentsCount: 1, Skipped: []SkippedAttachment{}, CreatedAt: d.CreatedAt, UpdatedAt: d.CreatedAt,
	})
}
