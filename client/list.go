package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strconv"

	"github.com/landfallhq/tracking"
)

// List is what a query selects, to be read. Nothing is sent before All, Pages or
// Page is called.
type List[T any] struct {
	c       *Client
	path    string
	query   url.Values
	unpaged bool
	err     error
}

// Page is one page of a list.
type Page[T any] struct {
	Records  []*T
	Included Included
	// Number of the page, from 1, and how many there are on one.
	Number, Size int
	// Total is how many there are on all pages.
	Total int
	// More: there is a page after this one.
	More bool
}

// maxPageSize is the size that All and Pages read by: the largest that there is.
const maxPageSize = 100

// All goes through all records, page by page. It ends with the first error. What
// is created or removed meanwhile may move a record from one page to the next, and
// so be met twice or not at all; where that matters, sort by created_at.
func (l List[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for page, err := range l.Pages(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, r := range page.Records {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// Pages goes through the list page by page, with what was included in each. It ends
// with the first error.
func (l List[T]) Pages(ctx context.Context) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		for number := 1; ; number++ {
			page, err := l.Page(ctx, tracking.Page{Number: number, Size: maxPageSize})
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(page, nil) || !page.More {
				return
			}
		}
	}
}

// Page reads one page. Zero is the first, and the server's own size. Of a list that
// comes as one page those after it are empty.
func (l List[T]) Page(ctx context.Context, p tracking.Page) (*Page[T], error) {
	if l.err != nil {
		return nil, l.err
	}
	query := maps.Clone(l.query)
	for name, n := range map[string]int{"page[number]": p.Number, "page[size]": p.Size} {
		if n != 0 && !l.unpaged {
			query.Set(name, strconv.Itoa(n))
		}
	}
	r := request{method: http.MethodGet, path: l.path, query: query}
	answer, err := l.c.do(ctx, r)
	if err != nil {
		return nil, err
	}
	var doc document
	var rows []json.RawMessage
	err = json.Unmarshal(answer.body, &doc)
	if err == nil {
		err = json.Unmarshal(doc.Data, &rows)
	}
	if err != nil {
		return nil, fmt.Errorf("client: the answer to GET %s: %w", l.path, err)
	}
	page := &Page[T]{Number: max(1, p.Number), Size: doc.Meta.Size, Total: doc.Meta.Total, More: doc.Links.Next != ""}
	if l.unpaged && page.Number > 1 {
		return page, nil
	}
	for _, row := range rows {
		v, err := decode[T](row)
		if err != nil {
			return nil, err
		}
		page.Records = append(page.Records, v)
	}
	page.Included = newIncluded(doc.Included)
	return page, nil
}
