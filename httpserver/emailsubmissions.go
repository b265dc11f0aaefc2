package httpserver

import (
	"errors"
	"mime"
	"net/http"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// submissionDocuments are included with e-mails where the request has no include (see
// docs/contract.md#includes).
var submissionDocuments = []string{"documents", "documents.last_document_representation"}

func submissionQuery(*filters) tracking.Query { return tracking.EmailSubmissionQuery{} }

// messageBody bounds an e-mail.
var messageBody = jsonapi.Limits{Bytes: messageBytes}

const messageBytes = 25 << 20

// submitEmail takes the message itself as its body, and apart while it comes in.
func submitEmail(c *call) error {
	if typ, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type")); err != nil || typ != "message/rfc822" {
		return &refusal{status: http.StatusUnsupportedMediaType, detail: "The body must be an e-mail as message/rfc822."}
	}
	if c.r.ContentLength > messageBytes {
		return jsonapi.ErrTooLarge
	}
	in, err := c.headers(nil)
	if err != nil {
		return err
	}
	if in.ifVersion != 0 {
		return errUnversioned
	}
	c.attributes = "" // the body has no members that a fault could point to
	body := noted{http.MaxBytesReader(c.w, c.r.Body, messageBytes), new(error)}
	made, err := c.t.SubmitEmail(c.ctx(), tracking.NewEmailSubmission{Reader: body, Once: in.once})
	c.answerInTime()
	if fault := *body.fault; fault != nil && errors.Is(err, fault) {
		return c.unread(fault)
	}
	if err != nil {
		return err
	}
	c.w.Header().Set("Location", c.selves["email_submission"]+made.ID.String())
	return c.writtenWith(http.StatusCreated, "email_submission", made.ID)
}

// unread is the answer to a body that did not come as a whole.
func (c *call) unread(err error) error {
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return jsonapi.ErrTooLarge
	}
	if slow := c.tooSlow(err); slow != nil {
		return slow
	}
	return badRequest("The body could not be read to its end.")
}
