package httpserver

import "strings"

// search answers with what a text finds, as one page (see docs/contract.md#search).
func search(c *call) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	f := &filters{query: q}
	text := f.param("query")
	if len(f.plain) > 0 {
		return f.plain
	}
	if strings.TrimSpace(text) == "" {
		return badRequest("Query parameter is required")
	}
	s, err := c.t.SelectSearch(c.ctx(), text)
	if err != nil {
		return err
	}
	c.whole(s, false)
	return nil
}
