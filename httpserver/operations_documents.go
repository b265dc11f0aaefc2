package httpserver

import (
	"encoding/json"
	"net/http"
	"reflect"
)

const tagDocuments = "Documents (beta)"

// What bodies about documents hold beside the attributes of the resources.
type (
	documentMade struct {
		// Name for people.
		Name string `json:"name"`
		// AttachedDocument is the signed_id of a direct upload.
		AttachedDocument string `json:"attached_document"`
	}
	documentChange struct {
		// DocumentTypeManual overrides the type; null takes that back.
		DocumentTypeManual *string `json:"document_type_manual,omitempty"`
		// ExtractedDataManual overrides what was read; null takes that back.
		ExtractedDataManual json.RawMessage `json:"extracted_data_manual,omitempty"`
	}
	rotationBody struct {
		// Degrees, clockwise: 90, 180 or 270.
		Degrees int `json:"degrees"`
	}
	downloadDoc struct {
		// DownloadURL needs no key, and is good for a while.
		DownloadURL string `json:"download_url"`
	}
	documentTypesDoc struct {
		DocumentTypes []struct {
			Code  string `json:"code"`
			Label string `json:"label"`
		} `json:"document_types"`
	}
	uploadBody struct {
		// Blob is the file that is to come.
		Blob struct {
			FileName    string `json:"filename"`
			ContentType string `json:"content_type,omitempty"`
			// ByteSize in bytes.
			ByteSize int `json:"byte_size"`
			// Checksum is the MD5 of the file, in base64.
			Checksum string `json:"checksum"`
		} `json:"blob"`
	}
)

var (
	begunDoc   = answer{status: http.StatusAccepted, plain: reflect.TypeFor[statusDoc]()}
	uploadSpec = operation{id: "createDirectUpload", tag: tagDocuments, does: "Begin a direct upload", gives: object[ticketDoc](), body: bare[uploadBody](), beta: true,
		more: "The file is then sent with PUT to direct_upload.url with its headers."}
)

// alias is the same operation at a second path, which other clients call.
func (o operation) alias(id, does string) operation {
	o.id, o.does = id, does
	return o
}

var documentOperations = map[string]operation{
	"GET /documents": {id: "listDocuments", tag: tagDocuments, does: "List documents", gives: many("document"), beta: true},
	"POST /documents": {id: "createDocument", tag: tagDocuments, does: "Create a document", gives: made("document"), beta: true, body: &body{typ: "document", own: reflect.TypeFor[documentMade]()},
		more: "A file that another document has is refused with 409, and that document's ID in meta.existing_document_id."},
	"GET /documents/types": {id: "listDocumentTypes", tag: tagDocuments, does: "List document types", gives: object[documentTypesDoc](), beta: true},
	"GET /documents/{id}":  {id: "getDocument", tag: tagDocuments, does: "Get a document", gives: one("document"), beta: true},
	"PATCH /documents/{id}": {id: "updateDocument", tag: tagDocuments, does: "Update a document", gives: one("document"), beta: true,
		body: &body{typ: "document", own: reflect.TypeFor[documentChange]()}},
	"DELETE /documents/{id}":                    {id: "deleteDocument", tag: tagDocuments, does: "Delete a document", gives: nothing(http.StatusNoContent), body: acts("document"), beta: true},
	"GET /documents/{id}/download_url":          {id: "getDocumentDownloadURL", tag: tagDocuments, does: "Get the download URL of a document", gives: object[downloadDoc](), beta: true, also: []int{http.StatusUnprocessableEntity}},
	"POST /documents/{id}/reextract":            {id: "reextractDocument", tag: tagDocuments, does: "Extract the data of a document again", gives: begunDoc, body: acts("document"), beta: true},
	"POST /documents/{id}/reclassify":           {id: "reclassifyDocument", tag: tagDocuments, does: "Classify a document again", gives: begunDoc, body: acts("document"), beta: true},
	"POST /documents/{id}/relink":               {id: "relinkDocument", tag: tagDocuments, does: "Link a document again", gives: begunDoc, body: acts("document"), beta: true},
	"POST /documents/{id}/rotate":               {id: "rotateDocument", tag: tagDocuments, does: "Rotate the pages of a document", gives: begunDoc, body: members[rotationBody]("document"), beta: true},
	"GET /document_schemas/{id}":                {id: "getDocumentSchema", tag: tagDocuments, does: "Get the schema of a document type", gives: own[schemaDoc](schemaType, false), beta: true},
	"GET /email_submissions":                    {id: "listEmailSubmissions", tag: tagDocuments, does: "List e-mail submissions", gives: many("email_submission"), beta: true},
	"POST /email_submissions":                   {id: "createEmailSubmission", tag: tagDocuments, does: "Submit an e-mail", gives: made("email_submission"), body: &body{media: "message/rfc822", example: "From: kim@example.com\r\nSubject: Nothing attached\r\n\r\nHello"}, beta: true, more: "Its attachments become documents."},
	"GET /email_submissions/{id}":               {id: "getEmailSubmission", tag: tagDocuments, does: "Get an e-mail submission", gives: one("email_submission"), beta: true},
	"POST /direct_uploads":                      uploadSpec,
	"POST /rails/active_storage/direct_uploads": uploadSpec.alias("createDirectUploadAtOtherPath", "Begin a direct upload at its other path"),
	"PUT /blobs/{signed}": {id: "uploadBlob", tag: tagDocuments, does: "Upload the file of a direct upload", gives: nothing(http.StatusNoContent), body: &body{media: "*/*"}, beta: true,
		more: "The URL is its own key."},
	"GET /blobs/{signed}": {id: "downloadBlob", tag: tagDocuments, does: "Download a file", gives: answer{status: http.StatusOK, schema: "file", media: "*/*"}, beta: true, more: "The URL is its own key."},
}
