package httpserver

import (
	"encoding/json"
	"net/http"
	"reflect"
)

const tagDocuments = "Documents (beta)"

// What bodies about documents hold beside the attributes of the resources.
type (
	newDocumentBody struct {
		// Name for people.
		Name string `json:"name"`
		// AttachedDocument is the signed_id of a direct upload.
		AttachedDocument string `json:"attached_document"`
	}
	documentUpdateBody struct {
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
	acceptedStatus  = response{status: http.StatusAccepted, plain: reflect.TypeFor[statusDoc]()}
	uploadOperation = operation{id: "createDirectUpload", tag: tagDocuments, summary: "Begin a direct upload", response: plainObject[uploadTicketDoc](), body: plainBody[uploadBody](), beta: true,
		details: "The file is then sent with PUT to direct_upload.url with its headers."}
)

// alias is the same operation at a second path, which other clients call.
func (o operation) alias(id, does string) operation {
	o.id, o.summary = id, does
	return o
}

var documentOperations = map[string]operation{
	"GET /documents": {id: "listDocuments", tag: tagDocuments, summary: "List documents", response: listOf("document"), beta: true},
	"POST /documents": {id: "createDocument", tag: tagDocuments, summary: "Create a document", response: created("document"), beta: true, body: &requestBody{typ: "document", extra: reflect.TypeFor[newDocumentBody]()},
		details: "A file that another document has is refused with 409, and that document's ID in meta.existing_document_id."},
	"GET /documents/types": {id: "listDocumentTypes", tag: tagDocuments, summary: "List document types", response: plainObject[documentTypesDoc](), beta: true},
	"GET /documents/{id}":  {id: "getDocument", tag: tagDocuments, summary: "Get a document", response: resourceOf("document"), beta: true},
	"PATCH /documents/{id}": {id: "updateDocument", tag: tagDocuments, summary: "Update a document", response: resourceOf("document"), beta: true,
		body: &requestBody{typ: "document", extra: reflect.TypeFor[documentUpdateBody]()}},
	"DELETE /documents/{id}":                    {id: "deleteDocument", tag: tagDocuments, summary: "Delete a document", response: noContent(http.StatusNoContent), body: actionBody("document"), beta: true},
	"GET /documents/{id}/download_url":          {id: "getDocumentDownloadURL", tag: tagDocuments, summary: "Get the download URL of a document", response: plainObject[downloadDoc](), beta: true, extraErrors: []int{http.StatusUnprocessableEntity}},
	"POST /documents/{id}/reextract":            {id: "reextractDocument", tag: tagDocuments, summary: "Extract the data of a document again", response: acceptedStatus, body: actionBody("document"), beta: true},
	"POST /documents/{id}/reclassify":           {id: "reclassifyDocument", tag: tagDocuments, summary: "Classify a document again", response: acceptedStatus, body: actionBody("document"), beta: true},
	"POST /documents/{id}/relink":               {id: "relinkDocument", tag: tagDocuments, summary: "Link a document again", response: acceptedStatus, body: actionBody("document"), beta: true},
	"POST /documents/{id}/rotate":               {id: "rotateDocument", tag: tagDocuments, summary: "Rotate the pages of a document", response: acceptedStatus, body: optionallyPlainBody[rotationBody]("document"), beta: true},
	"GET /document_schemas/{id}":                {id: "getDocumentSchema", tag: tagDocuments, summary: "Get the schema of a document type", response: computed[documentSchemaDoc](documentSchemaType, false), beta: true},
	"GET /email_submissions":                    {id: "listEmailSubmissions", tag: tagDocuments, summary: "List e-mail submissions", response: listOf("email_submission"), beta: true},
	"POST /email_submissions":                   {id: "createEmailSubmission", tag: tagDocuments, summary: "Submit an e-mail", response: created("email_submission"), body: &requestBody{media: "message/rfc822", example: "From: kim@example.com\r\nSubject: Nothing attached\r\n\r\nHello"}, beta: true, details: "Its attachments become documents."},
	"GET /email_submissions/{id}":               {id: "getEmailSubmission", tag: tagDocuments, summary: "Get an e-mail submission", response: resourceOf("email_submission"), beta: true},
	"POST /direct_uploads":                      uploadOperation,
	"POST /rails/active_storage/direct_uploads": uploadOperation.alias("createDirectUploadAtOtherPath", "Begin a direct upload at its other path"),
	"PUT /blobs/{signed}": {id: "uploadBlob", tag: tagDocuments, summary: "Upload the file of a direct upload", response: noContent(http.StatusNoContent), body: &requestBody{media: "*/*"}, beta: true,
		details: "The URL is its own key."},
	"GET /blobs/{signed}": {id: "downloadBlob", tag: tagDocuments, summary: "Download a file", response: response{status: http.StatusOK, schema: "file", media: "*/*"}, beta: true, details: "The URL is its own key."},
}
