package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// Read returns the body of GET path?query as the server sent it. The path begins behind the
// prefix: "/containers". It is for programs that hand answers on, and for members that the
// types of package tracking do not have; the other methods decode. Errors as theirs.
func (c *Client) Read(ctx context.Context, path string, query url.Values) (json.RawMessage, error) {
	answer, err := c.do(ctx, request{method: http.MethodGet, path: path, query: query})
	if err != nil {
		return nil, err
	}
	return answer.body, nil
}
