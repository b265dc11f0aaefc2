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
)

// pages reads one page after the other, from the first to the one without a
// link to a next, in the carrier's order, and turns an answer round that lists
// the newest event first. One bad page spoils the answer: half
// an answer would pass for a whole one.
func (c *Client) pages(ctx context.Context, first *url.URL, parameter string) (tracking.Report, error) {
	all := tracking.Report{Source: c.config.Source, DataSource: tracking.FromShippingLine}
	seen := map[string]bool{}
	left := c.config.MaxAnswer
	for u := first; u != nil; {
		n := len(seen) + 1
		switch {
		case seen[u.String()]:
			return all, faultf(tracking.UnrecognizedResponse, "GET /v2/events: page %d links to one before it", n-1)
		case n > c.config.MaxPages:
			return all, faultf(tracking.UnrecognizedResponse, "GET /v2/events: more than %d pages", c.config.MaxPages)
		}
		seen[u.String()] = true
		got, err := c.page(ctx, u, parameter, min(left, c.config.MaxBody))
		if err != nil {
			return all, onPage(n, err)
		}
		c.stats.pages.Add(1)
		left -= got.size
		if len(all.Facts)+len(got.report.Facts) > maxEvents {
			return all, faultf(tracking.UnrecognizedResponse, "GET /v2/events: more than %d events", maxEvents)
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

// onPage says on which page, after the first, something went wrong.
func onPage(n int, err error) error {
	var f *fault
	if n == 1 || !errors.As(err, &f) {
		return err
	}
	told := *f
	told.text = fmt.Sprintf("page %d: %s", n, f.text)
	if f.reason == tracking.NumberNotFound {
		// The carrier knew the number a page ago: it is the page that is not there.
		told.reason = tracking.UnrecognizedResponse
	}
	return &told
}

// page is one page of an answer.
type page struct {
	report tracking.Report
	next   *url.URL // nil after the last
	size   int64    // in bytes, uncompressed
}

// page gets one page of at most limit bytes.
func (c *Client) page(ctx context.Context, u *url.URL, parameter string, limit int64) (got page, err error) {
	err = c.persist(ctx, func() error {
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
		return page{}, faultf(tracking.UnrecognizedResponse, "GET /v2/events: 200 with an HTML page for an answer")
	case errors.As(err, &shape):
		return page{}, faultf(tracking.UnrecognizedResponse, "GET /v2/events: 200, but the answer is not as the standard has it: %v", shape)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return page{}, &fault{reason: tracking.UnrecognizedResponse, passing: true, cause: err,
			text: fmt.Sprintf("GET /v2/events: 200, but the answer broke off after %d bytes", body.size)}
	}
	return page{}, err
}

func tooLarge(limit int64) *fault {
	return faultf(tracking.UnrecognizedResponse, "GET /v2/events: 200, but the answer is larger than %d bytes", limit)
}

// body is what is read of a response: up to the limit, so that nothing larger
// than it is ever held.
type body struct {
	from  io.Reader
	limit int64
	size  int64
	begin []byte // of the body
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

// nextPage is where the link of the header Next-Page leads, nil where there is
// none. Only a link to the host that was asked is followed: with it go the
// credentials.
func nextPage(resp *http.Response) (*url.URL, error) {
	text := strings.TrimSpace(resp.Header.Get("Next-Page"))
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<"), ">") // as in RFC 8288
	if text == "" {
		return nil, nil
	}
	link, err := url.Parse(text)
	if err != nil {
		return nil, faultf(tracking.UnrecognizedResponse, "GET /v2/events: the header Next-Page is no link")
	}
	here := resp.Request.URL
	link = here.ResolveReference(link)
	if link.Fragment = ""; !sameOrigin(here, link) {
		return nil, faultf(tracking.UnrecognizedResponse, "GET /v2/events: the header Next-Page leads from %s to %s: not followed, for the credentials are not for others", origin(here), origin(link))
	}
	return link, nil
}
