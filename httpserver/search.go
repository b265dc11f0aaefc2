package httpserver

import "strings"

// search answers with what a text finds, as one page (see docs/contract.md#search).
func search(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	f := &filters{query: q}
	text := f.param("query")
	if len(f.paramErrors) > 0 {
		return f.paramErrors
	}
	if strings.TrimSpace(text) == "" {
		return badRequest("Query parameter is required")
	}
	s, err := req.t.SelectSearch(req.ctx(), text)
	if err != nil {
		return err
	}
	req.respondUnpaged(s, false)
	return nil
}
