package client

import (
	"context"
	"io"
	"net/http"

	"github.com/landfallhq/tracking"
)

const submissionsPath = "/email_submissions"

// EmailSubmissions are all e-mails, last created first, and their documents and what
// was read from them among what is included, unless include asks for something else.
func (c *Client) EmailSubmissions(include ...string) List[tracking.EmailSubmission] {
	return listOf[tracking.EmailSubmission](c, submissionsPath, newValues(include))
}

// EmailSubmission returns an e-mail, with the same included. Documents that are
// included are shortened: Document has them whole. Errors: NotFound; BadQuery on
// include.
func (c *Client) EmailSubmission(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.EmailSubmission], error) {
	return getAnswer[tracking.EmailSubmission](ctx, c, get(submissionsPath, id, include))
}

// SubmitEmail hands in a whole e-mail (RFC 5322), whose attachments become documents;
// those that do not are named in Skipped. n.Reader is read to its end first. Of n.Once
// the key alone is used. Errors: Invalid on message (blank, too_large, invalid).
func (c *Client) SubmitEmail(ctx context.Context, n tracking.NewEmailSubmission) (*tracking.EmailSubmission, error) {
	header := http.Header{"Content-Type": {"message/rfc822"}}
	content := n.Message
	if content == nil && n.Reader != nil { // it may have to be sent again
		var err error
		if content, err = io.ReadAll(n.Reader); err != nil {
			return nil, err
		}
	}
	return getRecord[tracking.EmailSubmission](ctx, c, request{method: http.MethodPost, path: submissionsPath, content: content, header: header, once: n.Once})
}
