package client

import (
	"context"
	"net/http"
)

// Alive asks whether the server answers.
func (c *Client) Alive(ctx context.Context) error {
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/healthz", atRoot: true, noKey: true})
	return err
}

// Ready asks whether the server takes writes. It is sent again while it does not,
// as every request is.
func (c *Client) Ready(ctx context.Context) error {
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/readyz", atRoot: true, noKey: true})
	return err
}

// OpenAPI returns the server's own description of its interface.
func (c *Client) OpenAPI(ctx context.Context) ([]byte, error) {
	answer, err := c.do(ctx, request{method: http.MethodGet, path: "/openapi.json", noKey: true})
	if err != nil {
		return nil, err
	}
	return answer.body, nil
}
