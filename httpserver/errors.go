package httpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// statusByKind maps error kinds to HTTP statuses. Any other kind is an internal
// error.
var statusByKind = map[tracking.ErrorKind]int{
	tracking.Invalid:      http.StatusUnprocessableEntity,
	tracking.BadQuery:     http.StatusBadRequest,
	tracking.BadDocument:  http.StatusUnprocessableEntity, // malformed JSON is refused before the engine sees it
	tracking.NotFound:     http.StatusNotFound,
	tracking.Conflict:     http.StatusConflict,
	tracking.Stale:        http.StatusPreconditionFailed,
	tracking.Unauthorized: http.StatusUnauthorized,
	tracking.Forbidden:    http.StatusForbidden,
	tracking.Unavailable:  http.StatusServiceUnavailable,
	tracking.Limited:      http.StatusTooManyRequests,
}

// unavailableRetryAfter is the Retry-After of a 503. The real duration is unknown.
const unavailableRetryAfter = 5 * time.Second

// httpError is an error that this package detects itself.
type httpError struct {
	status int
	detail string
	code   string
	source jsonapi.Source
	// retryAfter and allow are sent as headers.
	retryAfter time.Duration
	allow      string
	// limit is the Limit of the Exchange.
	limit string
}

func (e *httpError) Error() string { return e.detail }

func badRequest(format string, args ...any) *httpError {
	return &httpError{status: http.StatusBadRequest, detail: fmt.Sprintf(format, args...)}
}

// detailOnly marks an error whose 422 has error objects with a detail only. POST
// /webhooks/trigger responds this way for compatibility.
type detailOnly struct{ error }

func (e detailOnly) Unwrap() error { return e.error }

func refusePath(*request) error { return &tracking.Error{Kind: tracking.NotFound} }

// refuseMethod responds 405 and lists the methods of the requested path, or else of
// the pattern that it matches.
func refuseMethod(req *request, pattern string, paths map[string][]string) error {
	methods, ok := paths[req.r.URL.Path]
	if !ok {
		methods = paths[pattern]
	}
	if slices.Contains(methods, http.MethodGet) {
		methods = append(slices.Clip(methods), http.MethodHead)
	}
	allow := strings.Join(methods, ", ")
	return &httpError{status: http.StatusMethodNotAllowed, allow: allow, detail: "This path supports " + allow + "."}
}

// respondError writes the response for an error. All errors go through it.
func (req *request) respondError(err error) {
	req.exchange.refused(err)
	status, errs := req.describeError(err)
	if status == http.StatusInternalServerError {
		errs = []jsonapi.Error{req.internalError()}
		if !errors.Is(err, context.Canceled) { // the client has disconnected
			req.config.Logger.Error("request failed", "request_id", req.id, "method", req.r.Method, "path", loggedPath(req.r), "error", err)
		}
	}
	h := req.w.Header()
	var httpErr *httpError
	switch {
	case status == http.StatusUnauthorized:
		h.Set("WWW-Authenticate", challenge(err))
	case status == http.StatusServiceUnavailable:
		h.Set("Retry-After", seconds(unavailableRetryAfter))
	case errors.As(err, &httpErr):
		if httpErr.allow != "" {
			h.Set("Allow", httpErr.allow)
		}
		if httpErr.retryAfter > 0 {
			h.Set("Retry-After", seconds(httpErr.retryAfter))
		}
	}
	bare := errors.As(err, new(detailOnly))
	for i := range errs {
		if bare && status == http.StatusUnprocessableEntity {
			errs[i] = jsonapi.Error{Detail: errs[i].Detail}
			continue
		}
		errs[i].Status = strconv.Itoa(status)
		if errs[i].Title == "" {
			errs[i].Title = http.StatusText(status)
		}
	}
	req.respondErrors(status, errs)
	if status == http.StatusInternalServerError && errors.Is(err, context.Canceled) {
		req.exchange.sent(StatusClientGone, 0)
	}
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }

// internalError is the response to an internal error. It hides the cause.
func (req *request) internalError() jsonapi.Error {
	return jsonapi.Error{
		Status: "500", Title: http.StatusText(http.StatusInternalServerError),
		Detail: "An internal error occurred. Give the request ID when you report it.",
		Meta:   map[string]any{"request_id": req.id},
	}
}

// describeError returns the status and the error objects of an error. An error that
// must not be shown to clients gives 500 and no objects.
func (req *request) describeError(err error) (int, []jsonapi.Error) {
	status, errs := req.errorObjects(err)
	nameSources(errs)
	return status, errs
}

func (req *request) errorObjects(err error) (int, []jsonapi.Error) {
	var (
		auth    *AuthenticationError
		httpErr *httpError
		one     *tracking.Error
		many    tracking.Errors
		syntax  *jsonapi.SyntaxError
		fields  jsonapi.FieldErrors
		query   jsonapi.QueryErrors
	)
	switch {
	case errors.As(err, &auth):
		return http.StatusUnauthorized, []jsonapi.Error{{Detail: auth.Error()}}
	case errors.As(err, &httpErr):
		e := jsonapi.Error{Code: httpErr.code, Detail: httpErr.detail}
		if httpErr.source != (jsonapi.Source{}) {
			e.Source = &httpErr.source
		}
		return httpErr.status, []jsonapi.Error{e}
	case errors.As(err, &many) && len(many) > 0:
		return req.describeEngineErrors(many...)
	case errors.As(err, &one):
		return req.describeEngineErrors(one)
	case errors.As(err, &syntax):
		return http.StatusBadRequest, []jsonapi.Error{{Detail: syntax.Detail, Source: &jsonapi.Source{Pointer: syntax.Pointer}}}
	case errors.As(err, &fields):
		return describeFieldErrors(fields)
	case errors.As(err, &query):
		return describeQueryErrors(query)
	case errors.Is(err, jsonapi.ErrTooLarge):
		return http.StatusRequestEntityTooLarge, []jsonapi.Error{{Detail: fmt.Sprintf("The body may be at most %d MiB.", req.route.bodyLimit()>>20)}}
	case errors.Is(err, jsonapi.ErrMediaType):
		return http.StatusUnsupportedMediaType, []jsonapi.Error{{Detail: "The body must be application/json or application/vnd.api+json, without a Content-Encoding."}}
	}
	return describeSentinel(err)
}

// describeSentinel handles errors of a store, which have no kind.
func describeSentinel(err error) (int, []jsonapi.Error) {
	switch {
	case errors.Is(err, tracking.ErrNotFound):
		return http.StatusNotFound, make([]jsonapi.Error, 1)
	case errors.Is(err, tracking.ErrUnavailable), errors.Is(err, tracking.ErrClosed), errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable, []jsonapi.Error{{Detail: "The service is temporarily unavailable. Try again later."}}
	}
	return http.StatusInternalServerError, nil
}

// describeEngineErrors describes the errors of one call of the engine, which all have
// the same kind.
func (req *request) describeEngineErrors(list ...*tracking.Error) (int, []jsonapi.Error) {
	status, ok := statusByKind[list[0].Kind]
	if !ok {
		return http.StatusInternalServerError, nil
	}
	errs := make([]jsonapi.Error, len(list))
	for i, e := range list {
		errs[i] = jsonapi.Error{Code: e.Code, Title: e.Title, Detail: e.Detail, Meta: e.Meta}
		switch e.Kind {
		case tracking.NotFound:
			errs[i].Detail = cmp.Or(e.Detail, req.route.notFoundDetail)
		case tracking.Unauthorized:
			errs[i].Detail = (&AuthenticationError{Detail: e.Detail}).Error()
		case tracking.Stale: // clients know entity tags, not versions
			errs[i].Detail = "The record has changed since If-Match was read, or never had that tag. Read it again and repeat the change."
		}
		if e.Field == "" {
			continue
		}
		if e.Kind == tracking.BadQuery || strings.HasPrefix(e.Field, "filter[") {
			errs[i].Source = &jsonapi.Source{Parameter: e.Field}
		} else {
			errs[i].Source = &jsonapi.Source{Pointer: req.jsonPointer(e.Field)}
		}
	}
	return status, errs
}

// jsonPointer converts a field of an engine error to a JSON Pointer into the request
// body: "facts[3].at" becomes /data/attributes/facts/3/at.
func (req *request) jsonPointer(field string) string {
	if rest, ok := strings.CutPrefix(field, "relationships/"); ok {
		return "/data/relationships/" + rest
	}
	if sent, ok := req.sentNames[field]; ok {
		field = sent
	}
	base := req.pointerBase
	if rest, ok := strings.CutPrefix(field, "data."); ok {
		base, field = "/data", rest
	}
	return base + "/" + fieldToPointer.Replace(field)
}

var fieldToPointer = strings.NewReplacer("~", "~0", "/", "~1", "[", "/", "].", "/", "]", "", ".", "/")

func describeFieldErrors(fields jsonapi.FieldErrors) (int, []jsonapi.Error) {
	errs := make([]jsonapi.Error, len(fields))
	for i, f := range fields {
		errs[i] = jsonapi.Error{Code: f.Code, Detail: f.Detail, Source: &jsonapi.Source{Pointer: f.Pointer}}
	}
	return http.StatusUnprocessableEntity, errs
}

func describeQueryErrors(query jsonapi.QueryErrors) (int, []jsonapi.Error) {
	status := http.StatusBadRequest
	if query.Kind() == jsonapi.BadValue {
		status = http.StatusUnprocessableEntity
	}
	errs := make([]jsonapi.Error, len(query))
	for i, q := range query {
		errs[i] = jsonapi.Error{Title: q.Title(), Detail: q.Detail, Source: &jsonapi.Source{Parameter: q.Parameter}}
	}
	return status, errs
}
