package dcsa

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/landfallhq/tracking/freight"
)

// Client queries one carrier. It is safe for concurrent use; all queries share its
// rate limit, its token and the pauses that the carrier asks for.
type Client struct {
	config  Config
	events  *url.URL // URL of the events: BaseURL and the path of the standard
	http    *http.Client
	limiter *rate.Limiter
	slots   chan struct{} // one token per concurrent request
	pause   pause
	tokens  *tokens // nil without OAuth
	stats   counters
	sleep   func(context.Context, time.Duration) error
}

var _ freight.Source = (*Client)(nil)

// New returns a client, or an error for an invalid member of config.
func New(config Config) (*Client, error) {
	config = config.withDefaults()
	if err := config.validate(); err != nil {
		return nil, err
	}
	base, err := url.Parse(config.BaseURL)
	if err != nil {
		return nil, err
	}
	c := &Client{
		config:  config,
		events:  base.JoinPath("v2", "events"),
		http:    &http.Client{Transport: config.Transport, CheckRedirect: checkRedirect},
		limiter: rate.NewLimiter(config.limit(), config.Burst),
		slots:   make(chan struct{}, config.Concurrency),
		pause:   pause{clock: config.Clock},
		sleep:   sleep,
	}
	if config.OAuth != nil {
		c.tokens = newTokens(c)
	}
	return c, nil
}

// Track asks the carrier for all events of a number and returns those that are
// about it. The error is a *tracking.SourceError; the package documentation lists
// the reasons.
func (c *Client) Track(ctx context.Context, q freight.SourceQuery) (freight.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	c.stats.questions.Add(1)
	report, err := c.askAllForms(ctx, q)
	if err == nil {
		c.stats.answers.Add(1)
		return freight.Answer{Report: report}, nil
	}
	f := c.faultOf(ctx, err)
	c.stats.failed(f.reason)
	return freight.Answer{Next: f.pause}, &freight.SourceError{Reason: f.reason, Err: f, RetryAfter: f.pause}
}

// askAllForms asks for the number in its usual form and, if that is unknown or
// malformed, as the user wrote it.
func (c *Client) askAllForms(ctx context.Context, q freight.SourceQuery) (freight.Report, error) {
	parameter, err := parameterOf(q.Type)
	if err != nil {
		return freight.Report{}, err
	}
	var first error
	for _, number := range forms(q) {
		report, err := c.ask(ctx, q, parameter, number)
		if err == nil {
			return report, nil
		}
		first = cmp.Or(notFoundOf(err), first, err)
		if reason := reasonOf(err); reason != freight.NumberNotFound && reason != freight.InvalidNumber {
			return report, err
		}
	}
	return freight.Report{}, first
}

// parameterOf returns the query parameter for a type of number.
func parameterOf(typ freight.RequestType) (string, error) {
	switch typ {
	case freight.BillOfLading:
		return "transportDocumentReference", nil
	case freight.BookingNumber:
		return "carrierBookingReference", nil
	case freight.ContainerNumber:
		return "equipmentReference", nil
	}
	return "", faultf(freight.ProcessingError, "a carrier cannot be asked by a number of type %q", string(typ))
}

// forms returns the forms of a number to send, in order. Container numbers have
// one.
func forms(q freight.SourceQuery) []string {
	list := []string{cmp.Or(q.Normalized, q.Number)}
	given := strings.ToUpper(strings.Join(strings.FieldsFunc(q.Number, punctuation), ""))
	if q.Type != freight.ContainerNumber {
		list = add(list, given)
	}
	return list
}

// punctuation matches the separators in numbers.
func punctuation(r rune) bool {
	return !('0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || r > '~')
}

// firstPage returns the URL of the first page for a number.
func (c *Client) firstPage(parameter, number string) *url.URL {
	query := url.Values{parameter: {number}}
	if len(c.config.EventTypes) > 0 {
		query.Set("eventType", strings.Join(c.config.EventTypes, ","))
	}
	if c.config.PageLimit > 0 {
		query.Set("limit", strconv.Itoa(c.config.PageLimit))
	}
	if c.config.Sort != "" {
		query.Set("sort", c.config.Sort)
	}
	u := *c.events
	u.RawQuery = query.Encode()
	return &u
}

// ask reads all pages for a number and keeps what is about it.
func (c *Client) ask(ctx context.Context, q freight.SourceQuery, parameter, number string) (freight.Report, error) {
	report, err := c.pages(ctx, c.firstPage(parameter, number), parameter)
	if err != nil {
		return report, err
	}
	report.SCAC = cmp.Or(q.SCAC, c.config.SCAC)
	if len(report.Facts) == 0 {
		return freight.Report{}, faultf(freight.NumberNotFound, "GET /v2/events: no events for this number")
	}
	return about(q, report)
}
