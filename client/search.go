package client

import (
	"context"

	"github.com/landfallhq/tracking"
)

// Search finds shipments, containers and tracking requests by a number, reference,
// tag, custom field, vessel or party: at most 25, the likest first; see the method of
// tracking.Tracker. Errors: BadQuery when the text is blank.
func (c *Client) Search(ctx context.Context, text string) ([]*tracking.SearchResult, error) {
	v := newValues(nil)
	v.param("query", text)
	page, err := listOf[tracking.SearchResult](c, "/search", v).Page(ctx, tracking.Page{})
	if err != nil {
		return nil, err
	}
	return page.Records, nil
}
