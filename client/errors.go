package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

// Error is an error response of the server.
type Error struct {
	// Status is the HTTP status.
	Status int
	// Faults are the errors in the response. Empty if it is not from the server, but
	// from a proxy.
	Faults []Fault
	// RetryAfter is the time to wait before a retry; 0 if the response does not say.
	RetryAfter time.Duration
	// Location is the target of a redirect (Status 3xx). The client does not follow
	// it, because a write would become a read.
	Location string
	// RequestID identifies the request in the logs of the server.
	RequestID string
}

// Fault is one error object of a response. Members that do not apply are empty.
type Fault struct {
	// Code is a stable code for programs: "blank", "duplicate".
	Code string
	// Title and Detail are texts for users.
	Title, Detail string
	// Pointer is a JSON Pointer into the request body; Parameter is the name of a
	// query parameter.
	Pointer, Parameter string
	// Meta has additional data for programs, such as tracking_request_id.
	Meta map[string]any
}

// Error returns the status and the details.
func (e *Error) Error() string {
	texts := []string{fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status))}
	if e.Location != "" {
		texts = append(texts, "redirected to "+e.Location)
	}
	for _, f := range e.Faults {
		text := f.Detail
		if text == "" {
			continue
		}
		if at := f.Pointer + f.Parameter; at != "" && !strings.HasPrefix(text, at+": ") {
			text = at + ": " + text
		}
		texts = append(texts, text)
	}
	return "client: " + strings.Join(texts, "; ")
}

// Is supports errors.Is with the sentinel errors of package tracking.
func (e *Error) Is(target error) bool {
	switch e.Status {
	case http.StatusNotFound:
		return target == tracking.ErrNotFound
	case http.StatusPreconditionFailed:
		return target == tracking.ErrStale
	case http.StatusServiceUnavailable:
		return target == tracking.ErrUnavailable
	}
	return false
}

// Has reports whether a fault has the code.
func (e *Error) Has(code string) bool {
	for _, f := range e.Faults {
		if f.Code == code {
			return true
		}
	}
	return false
}

func newError(in *http.Response, body []byte) *Error {
	e := &Error{Status: in.StatusCode, RetryAfter: retryAfter(in.Header), RequestID: in.Header.Get("X-Request-Id")}
	if in.StatusCode/100 == 3 {
		e.Location = in.Header.Get("Location")
	}
	var doc struct{ Errors []Fault }
	if json.Unmarshal(body, &doc) == nil { // otherwise the body is not from the server
		e.Faults = doc.Errors
	}
	return e
}

// UnmarshalJSON decodes an error object.
func (f *Fault) UnmarshalJSON(text []byte) error {
	var doc struct {
		Code, Title, Detail string
		Source              struct{ Pointer, Parameter string }
		Meta                map[string]any
	}
	err := json.Unmarshal(text, &doc)
	*f = Fault{doc.Code, doc.Title, doc.Detail, doc.Source.Pointer, doc.Source.Parameter, doc.Meta}
	return err
}

// retryAfter parses the header: seconds, or a date, as some proxies write it.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 {
		// At most a day, which avoids an overflow.
		return time.Duration(min(seconds, 86_400)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
