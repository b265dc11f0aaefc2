package httpserver

import (
	"errors"
	"mime"
	"net/http"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// submissionIncludes are included with e-mails where the request has no include (see
// docs/contract.md#includes).
var submissionIncludes = []string{"documents", "documents.last_document_representation"}

func submissionQuery(*filters) tracking.Query { return tracking.EmailSubmissionQuery{} }

// emailBody bounds an e-mail.
var emailBody = jsonapi.Limits{Bytes: maxEmailBytes}

const maxEmailBytes = 25 << 20

// submitEmail takes the message itself as its body, and apart while it comes in.
func submitEmail(req *request) error {
	if typ, _, err := mime.ParseMediaType(req.r.Header.Get("Content-Type")); err != nil || typ != "message/rfc822" {
		return &httpError{status: http.StatusUnsupportedMediaType, detail: "The body must be an e-mail as message/rfc822."}
	}
	if req.r.ContentLength > maxEmailBytes {
		return jsonapi.ErrTooLarge
	}
	in, err := req.readHeaders(nil)
	if err != nil {
		return err
	}
	if in.ifVersion != 0 {
		return errUnversioned
	}
	req.pointerBase = "" // the body has no members that a fault could point to
	body := errorRecorder{http.MaxBytesReader(req.w, req.r.Body, maxEmailBytes), new(error)}
	made, err := req.t.SubmitEmail(req.ctx(), tracking.NewEmailSubmission{Reader: body, Once: in.once})
	req.extendWriteDeadline()
	if fault := *body.err; fault != nil && errors.Is(err, fault) {
		return req.bodyReadError(fault)
	}
	if err != nil {
		return err
	}
	req.w.Header().Set("Location", req.resourcePaths["email_submission"]+made.ID.String())
	return req.respondRecordIncluding(http.StatusCreated, "email_submission", made.ID)
}

// bodyReadError is the answer to a body that did not come as a whole.
func (req *request) bodyReadError(err error) error {
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return jsonapi.ErrTooLarge
	}
	if slow := req.slowBodyError(err); slow != nil {
		return slow
	}
	return badRequest("The body could not be read to its end.")
}
