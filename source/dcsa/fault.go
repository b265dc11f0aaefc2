package dcsa

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

// fault is why a question has no answer.
type fault struct {
	reason tracking.FailedReason
	// text is one line for the operator.
	text string
	// wait is how long the carrier is to be left alone; 0 for no longer than
	// the engine's own schedule says.
	wait time.Duration
	// passing: the same request may succeed in a moment.
	passing bool
	// late: no answer in time.
	late bool
	// throttled: the carrier says that it was asked too often.
	throttled bool
	cause     error
}

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.cause }

func faultf(reason tracking.FailedReason, format string, args ...any) *fault {
	return &fault{reason: reason, text: fmt.Sprintf(format, args...)}
}

func reasonOf(err error) tracking.FailedReason {
	var f *fault
	if errors.As(err, &f) {
		return f.reason
	}
	return tracking.LineUnreachable
}

// notFoundOf is the error itself when the carrier does not know the number.
func notFoundOf(err error) error {
	if reasonOf(err) == tracking.NumberNotFound {
		return err
	}
	return nil
}

// faultOf makes a fault of any error, without the secrets that a carrier may
// have sent back.
func (c *Client) faultOf(ctx context.Context, err error) *fault {
	var found *fault
	if !errors.As(err, &found) {
		found = unreachable(err)
	}
	f := *found
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		f.text += ", and the time for the question is over"
	}
	f.text = clip(c.redact(f.text), maxText)
	return &f
}

// shortSecret is how long a text must be to be taken for a secret, in bytes: a
// header such as "1" would else be hidden in every date.
const shortSecret = 4

// redact hides the credentials in a text, and the secrets that were sent with
// this request alone.
func (c *Client) redact(text string, sent ...string) string {
	for _, secret := range c.config.Headers {
		sent = append(sent, string(secret))
	}
	if c.tokens != nil {
		sent = append(sent, string(c.config.OAuth.ClientSecret), c.tokens.current())
	}
	// The longest first: one may begin as another does.
	slices.SortFunc(sent, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, secret := range sent {
		if len(secret) >= shortSecret {
			text = strings.ReplaceAll(text, secret, Secret("").String())
		}
	}
	return text
}

// unreachable is the fault of a request that brought no response.
func unreachable(err error) *fault {
	f := &fault{reason: tracking.LineUnreachable, passing: true, cause: err}
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		f.late, f.text = true, "GET /v2/events: no answer in time"
	case errors.Is(err, context.Canceled):
		f.passing, f.text = false, "GET /v2/events: given up, the program stops"
	default:
		f.text = fmt.Sprintf("GET /v2/events: %v", err)
	}
	return f
}

const (
	// maxErrorBody is how much is read of a response other than 200, in bytes.
	maxErrorBody = 64 << 10
	// maxQuote of the carrier's own words is told, and maxText in all, in
	// characters.
	maxQuote = 200
	maxText  = 500
)

func clip(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}

// refusal is the fault of a response other than 200. parameter is the one that
// the number was sent in.
func (c *Client) refusal(resp *http.Response, body []byte, parameter string) *fault {
	said := readComplaints(body)
	f := faultf(tracking.LineUnreachable, "GET /v2/events: %d %s%s", resp.StatusCode, http.StatusText(resp.StatusCode), c.quote(said, bearerOf(resp.Request)))
	page := isHTML(resp.Header, body)
	switch code := resp.StatusCode; {
	case code == http.StatusNotFound && !page, code == http.StatusNoContent:
		f.reason = tracking.NumberNotFound
	case (code == http.StatusBadRequest || code == http.StatusUnprocessableEntity) && said.blame(parameter):
		f.reason = tracking.InvalidNumber
	case code == http.StatusForbidden && said.blame(parameter),
		code == http.StatusGone, code == http.StatusUnavailableForLegalReasons:
		f.reason = tracking.DataUnavailable
	case code == http.StatusUnauthorized:
		f.wait = refusedPause
		f.text += ": the carrier refuses our credentials"
	case code == http.StatusForbidden:
		f.text += ": the carrier refuses us, our credentials or this number"
	case code == http.StatusTooManyRequests:
		f.passing, f.throttled, f.wait = true, true, cmp.Or(c.retryAfter(resp.Header), unsaidPause)
		f.text += fmt.Sprintf(", Retry-After %v", f.wait)
	case code == http.StatusServiceUnavailable:
		if f.passing, f.wait = true, c.retryAfter(resp.Header); f.wait > 0 {
			f.text += fmt.Sprintf(", Retry-After %v", f.wait)
		}
	case code >= 500, code == http.StatusRequestTimeout:
		f.passing = true
	default:
		f.reason = tracking.UnrecognizedResponse
	}
	return f
}

// errorBody is what is read of a response other than 200.
func errorBody(resp *http.Response) []byte {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // half of it will do
	return body
}

// isHTML says whether a body is a page for people, as gateways and portals
// send in the carrier's place.
func isHTML(h http.Header, body []byte) bool {
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return kind == "text/html" || bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

// complaints are the errors in a body of the standard's shape, or of the few
// that gateways use: one text for each, all that it says of itself.
type complaints []string

// readComplaints reads the errors of a body; none when it is of another shape.
// What repeats the request, such as requestUri, names every parameter and is
// left out.
func readComplaints(body []byte) (all complaints) {
	type complaint struct {
		Reason           string `json:"reason"`
		Message          string `json:"message"`
		Detail           string `json:"detail"`
		Property         string `json:"property"`
		JSONPath         string `json:"jsonPath"`
		ErrorCodeText    string `json:"errorCodeText"`
		ErrorCodeMessage string `json:"errorCodeMessage"`
	}
	text := func(c complaint) {
		parts := []string{c.Property, c.JSONPath, c.Reason, c.ErrorCodeText, c.ErrorCodeMessage, c.Message, c.Detail}
		if joined := strings.Join(strings.Fields(strings.Join(parts, " ")), " "); joined != "" {
			all = append(all, joined)
		}
	}
	var top struct {
		complaint
		Errors []complaint `json:"errors"`
	}
	if json.Unmarshal(body, &top) != nil {
		return nil
	}
	for _, c := range top.Errors {
		text(c)
	}
	if len(all) == 0 {
		text(top.complaint)
	}
	return all
}

// blame says whether one of the complaints is about the parameter of the number
// and no other: one that lists what could be asked by is about the question.
func (all complaints) blame(parameter string) bool {
	for _, text := range all {
		var named []string
		for _, p := range []string{"transportDocumentReference", "carrierBookingReference", "equipmentReference"} {
			if strings.Contains(strings.ToLower(text), strings.ToLower(p)) {
				named = append(named, p)
			}
		}
		if len(named) == 1 && named[0] == parameter {
			return true
		}
	}
	return false
}

// quote is the first complaint in the carrier's words, cut short. Secrets go
// first: neither half of one nor one with its quotes escaped would be found
// afterwards.
func (c *Client) quote(all complaints, sent ...string) string {
	if len(all) == 0 {
		return ""
	}
	return " " + strconv.Quote(clip(c.redact(all[0], sent...), maxQuote))
}

// bearerOf is the token that was sent with a request; empty when none was. By
// the time of the answer another one may have taken its place.
func bearerOf(req *http.Request) string {
	if req == nil {
		return ""
	}
	token, _ := strings.CutPrefix(req.Header.Get("Authorization"), "Bearer ")
	return token
}
