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

// Error is what the server refused, or could not do.
type Error struct {
	// Status is the HTTP status.
	Status int
	// Faults that the server named; none where the answer was not its own, as
	// that of a proxy.
	Faults []Fault
	// RetryAfter is how long the server asks to be left alone; 0 when it does not
	// say.
	RetryAfter time.Duration
	// Location is where the server, or what stands before it, sends instead, with a
	// Status of 3xx. Nobody goes there by himself: a write would be done as a read.
	Location string
	// RequestID names the request, for questions about it.
	RequestID string
}

// Fault is one thing that was wrong. Members that do not apply are empty.
type Fault struct {
	// Code is a stable word for programs: "blank", "duplicate".
	Code string
	// Title and Detail are for people.
	Title, Detail string
	// Pointer is what of the body was wrong, as a JSON Pointer; Parameter what of
	// the query.
	Pointer, Parameter string
	// Meta has facts that a program can use, such as tracking_request_id.
	Meta map[string]any
}

// Error returns the status and what was wrong.
func (e *Error) Error() string {
	texts := []string{fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status))}
	if e.Location != "" {
		texts = append(texts, "it is sent on to "+e.Location)
	}
	for _, f := range e.Faults {
		text := f.Detail
		if text == "" {
			continue
		}
		if at := f.Pointer + f.Parameter; at != "" {
			text = at + ": " + text
		}
		texts = append(texts, text)
	}
	return "client: " + strings.Join(texts, "; ")
}

// Is makes errors.Is know the sentinels of package tracking.
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

// Has reports whether one of the faults has the code.
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
	if json.Unmarshal(body, &doc) == nil { // else it is not the server's own
		e.Faults = doc.Errors
	}
	return e
}

// UnmarshalJSON reads a member of "errors".
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

// retryAfter reads the header: seconds, or a date as proxies write it.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 {
		// Longer than a day is as good as a day, and does not overflow.
		return time.Duration(min(seconds, 86_400)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
