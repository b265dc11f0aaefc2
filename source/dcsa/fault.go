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

	"github.com/landfallhq/tracking/freight"
)

// fault is why a query has no answer.
type fault struct {
	reason freight.FailedReason
	// text is one line for the operator.
	text string
	// pause is how long the carrier must not be asked; 0 leaves it to the engine's
	// schedule.
	pause time.Duration
	// retryable: the same request may succeed soon.
	retryable bool
	// timedOut: there was no answer in time.
	timedOut bool
	// throttled: the carrier reports too many requests.
	throttled bool
	cause     error
}

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.cause }

func faultf(reason freight.FailedReason, format string, args ...any) *fault {
	return &fault{reason: reason, text: fmt.Sprintf(format, args...)}
}

func reasonOf(err error) freight.FailedReason {
	var f *fault
	if errors.As(err, &f) {
		return f.reason
	}
	return freight.LineUnreachable
}

// notFoundOf returns err if it means that the carrier does not know the number.
func notFoundOf(err error) error {
	if reasonOf(err) == freight.NumberNotFound {
		return err
	}
	return nil
}

// faultOf converts any error to a fault, without secrets that a carrier may have
// echoed.
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

// shortSecret is the length from which a text is treated as a secret, in bytes:
// otherwise a header such as "1" would be masked in every date.
const shortSecret = 4

// redact masks the credentials in a text, and the secrets that were sent with this
// request.
func (c *Client) redact(text string, sent ...string) string {
	for _, secret := range c.config.Headers {
		sent = append(sent, string(secret))
	}
	if c.tokens != nil {
		sent = append(sent, string(c.config.OAuth.ClientSecret), c.tokens.current())
	}
	// The longest first, because one may be the prefix of another.
	slices.SortFunc(sent, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, secret := range sent {
		if len(secret) >= shortSecret {
			text = strings.ReplaceAll(text, secret, Secret("").String())
		}
	}
	return text
}

// unreachable is the fault of a request without a response.
func unreachable(err error) *fault {
	f := &fault{reason: freight.LineUnreachable, retryable: true, cause: err}
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		f.timedOut, f.text = true, "GET /v2/events: no answer in time"
	case errors.Is(err, context.Canceled):
		f.retryable, f.text = false, "GET /v2/events: cancelled, the program is stopping"
	default:
		f.text = fmt.Sprintf("GET /v2/events: %v", err)
	}
	return f
}

const (
	// maxErrorBody bounds what is read of a response other than 200, in bytes.
	maxErrorBody = 64 << 10
	// maxQuote bounds the quote of the carrier's message, and maxText the whole
	// text, in characters.
	maxQuote = 200
	maxText  = 500
)

func clip(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}

// refusal is the fault of a response other than 200. parameter is the query
// parameter of the number.
func (c *Client) refusal(resp *http.Response, body []byte, parameter string) *fault {
	said := parseAPIErrors(body)
	f := faultf(freight.LineUnreachable, "GET /v2/events: %d %s%s", resp.StatusCode, http.StatusText(resp.StatusCode), c.quote(said, bearerOf(resp.Request)))
	page := isHTML(resp.Header, body)
	switch code := resp.StatusCode; {
	case code == http.StatusNotFound && !page, code == http.StatusNoContent:
		f.reason = freight.NumberNotFound
	case (code == http.StatusBadRequest || code == http.StatusUnprocessableEntity) && said.concerns(parameter):
		f.reason = freight.InvalidNumber
	case code == http.StatusForbidden && said.concerns(parameter),
		code == http.StatusGone, code == http.StatusUnavailableForLegalReasons:
		f.reason = freight.DataUnavailable
	case code == http.StatusUnauthorized:
		f.pause = refusedPause
		f.text += ": the carrier refuses our credentials"
	case code == http.StatusForbidden:
		f.text += ": the carrier refuses us, our credentials or this number"
	case code == http.StatusTooManyRequests:
		f.retryable, f.throttled, f.pause = true, true, cmp.Or(c.retryAfter(resp.Header), defaultPause)
		f.text += fmt.Sprintf(", Retry-After %v", f.pause)
	case code == http.StatusServiceUnavailable:
		if f.retryable, f.pause = true, c.retryAfter(resp.Header); f.pause > 0 {
			f.text += fmt.Sprintf(", Retry-After %v", f.pause)
		}
	case code >= 500, code == http.StatusRequestTimeout:
		f.retryable = true
	default:
		f.reason = freight.UnrecognizedResponse
	}
	return f
}

// errorBody reads the body of a response other than 200.
func errorBody(resp *http.Response) []byte {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // a part is enough
	return body
}

// isHTML reports whether a body is an HTML page, as gateways and portals send
// instead of the carrier.
func isHTML(h http.Header, body []byte) bool {
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return kind == "text/html" || bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

// apiErrors are the errors in a body of the standard's form, or of a few that
// gateways use: one text for each.
type apiErrors []string

// parseAPIErrors reads the errors of a body; none if it has another form. Members
// that repeat the request, such as requestUri, are left out, because they name
// every parameter.
func parseAPIErrors(body []byte) (all apiErrors) {
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

// concerns reports whether one of the errors is about the parameter of the number
// and no other: one that lists several parameters is about the query.
func (all apiErrors) concerns(parameter string) bool {
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

// quote returns the first error in the carrier's words, shortened. Secrets are
// masked first: they would not be found in a shortened or escaped text.
func (c *Client) quote(all apiErrors, sent ...string) string {
	if len(all) == 0 {
		return ""
	}
	return " " + strconv.Quote(clip(c.redact(all[0], sent...), maxQuote))
}

// bearerOf returns the token that was sent with a request; empty if there was none.
// The current token may be a newer one.
func bearerOf(req *http.Request) string {
	if req == nil {
		return ""
	}
	token, _ := strings.CutPrefix(req.Header.Get("Authorization"), "Bearer ")
	return token
}
