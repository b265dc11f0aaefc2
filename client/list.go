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

// List is a list of records. No request is sent before All, Pages or Page is called.
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
	// Number is the page number, from 1, and Size the page size.
	Number, Size int
	// Total is the number of records on all pages.
	Total int
	// More: there is a next page.
	More bool
}

// maxPageSize is the page size of All and Pages.
const maxPageSize = 100

// All iterates over all records, page by page, until the first error. Records created
// or removed meanwhile can shift others to another page, so that a record appears
// twice or not at all. Sort by created_at to avoid this.
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

// Pages iterates over the pages until the first error.
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

// Page reads one page. Zero means the first page and the server's default size. If
// the list is unpaged, all other pages are empty.
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
		return nil, fmt.Errorf("client: the response to GET %s: %w", l.path, err)
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
