package dcsa

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
)

// pages reads all pages. If the answer lists the newest event first, its order is
// reversed. One bad page fails the whole answer, because a partial answer would
// look complete.
func (c *Client) pages(ctx context.Context, first *url.URL, parameter string) (freight.Report, error) {
	all := freight.Report{Source: c.config.Source, DataSource: freight.FromShippingLine}
	seen := map[string]bool{}
	left := c.config.MaxAnswer
	for u := first; u != nil; {
		n := len(seen) + 1
		switch {
		case seen[u.String()]:
			return all, faultf(freight.UnrecognizedResponse, "GET /v2/events: page %d links to one before it", n-1)
		case n > c.config.MaxPages:
			return all, faultf(freight.UnrecognizedResponse, "GET /v2/events: more than %d pages", c.config.MaxPages)
		}
		seen[u.String()] = true
		got, err := c.page(ctx, u, parameter, min(left, c.config.MaxBody))
		if err != nil {
			return all, withPageNumber(n, err)
		}
		c.stats.pages.Add(1)
		left -= got.size
		if len(all.Facts)+len(got.report.Facts) > maxEvents {
			return all, faultf(freight.UnrecognizedResponse, "GET /v2/events: more than %d events", maxEvents)
		}
		all.Facts = append(all.Facts, got.report.Facts...)
		for _, w := range got.report.Warnings {
			if n > 1 {
				w.Detail = fmt.Sprintf("page %d: %s", n, w.Detail)
			}
			all.Warnings = append(all.Warnings, w)
		}
		u = got.next
	}
	oldestFirst(all.Facts)
	return all, nil
}

// withPageNumber adds the number of the page, if it is not the first, to an error.
func withPageNumber(n int, err error) error {
	var f *fault
	if n == 1 || !errors.As(err, &f) {
		return err
	}
	page := *f
	page.text = fmt.Sprintf("page %d: %s", n, f.text)
	if f.reason == freight.NumberNotFound {
		// The carrier knew the number on the first page: it is the page that was
		// not found.
		page.reason = freight.UnrecognizedResponse
	}
	return &page
}

// page is one page of an answer.
type page struct {
	report freight.Report
	next   *url.URL // nil for the last page
	size   int64    // uncompressed bytes
}

// page reads one page of at most limit bytes.
func (c *Client) page(ctx context.Context, u *url.URL, parameter string, limit int64) (got page, err error) {
	err = c.withRetries(ctx, func() error {
		return c.get(ctx, u, parameter, func(resp *http.Response) (err error) {
			got, err = c.readPage(resp, limit)
			return err
		})
	})
	return got, err
}

func (c *Client) readPage(resp *http.Response, limit int64) (page, error) {
	next, err := nextPage(resp)
	if err != nil {
		return page{}, err
	}
	if resp.ContentLength > limit {
		return page{}, tooLarge(limit)
	}
	body := &body{from: resp.Body, limit: limit}
	report, err := readDocument(body, Options{Source: c.config.Source})
	var shape *tracking.Error
	switch {
	case err == nil:
		return page{report, next, body.size}, nil
	case isHTML(resp.Header, body.begin):
		return page{}, faultf(freight.UnrecognizedResponse, "GET /v2/events: 200 with an HTML page for an answer")
	case errors.As(err, &shape):
		return page{}, faultf(freight.UnrecognizedResponse, "GET /v2/events: 200, but the answer is not as the standard has it: %v", shape)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return page{}, &fault{reason: freight.UnrecognizedResponse, retryable: true, cause: err,
			text: fmt.Sprintf("GET /v2/events: 200, but the answer broke off after %d bytes", body.size)}
	}
	return page{}, err
}

func tooLarge(limit int64) *fault {
	return faultf(freight.UnrecognizedResponse, "GET /v2/events: 200, but the answer is larger than %d bytes", limit)
}

// body reads a response up to the limit, so that never more is in memory.
type body struct {
	from  io.Reader
	limit int64
	size  int64
	begin []byte // the first bytes
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if len(b.begin) == 0 {
		b.begin = append(b.begin, p[:min(n, 64)]...)
	}
	if b.size += int64(n); b.size > b.limit {
		return 0, tooLarge(b.limit)
	}
	return n, err
}

// nextPage returns the URL in the header Next-Page; nil if there is none. Only
// links to the same host are followed, because requests carry credentials.
func nextPage(resp *http.Response) (*url.URL, error) {
	text := strings.TrimSpace(resp.Header.Get("Next-Page"))
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<"), ">") // as in RFC 8288
	if text == "" {
		return nil, nil
	}
	link, err := url.Parse(text)
	if err != nil {
		return nil, faultf(freight.UnrecognizedResponse, "GET /v2/events: the header Next-Page is no link")
	}
	here := resp.Request.URL
	link = here.ResolveReference(link)
	if link.Fragment = ""; !sameOrigin(here, link) {
		return nil, faultf(freight.UnrecognizedResponse, "GET /v2/events: the header Next-Page leads from %s to %s: not followed, for the credentials are not for others", origin(here), origin(link))
	}
	return link, nil
}
