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

// statuses is the one table from kinds of errors to HTTP statuses. A kind that
// is not in it is a fault of ours.
var statuses = map[tracking.ErrorKind]int{
	tracking.Invalid:      http.StatusUnprocessableEntity,
	tracking.BadQuery:     http.StatusBadRequest,
	tracking.BadDocument:  http.StatusUnprocessableEntity, // well-formed JSON: what is not never gets to the engine
	tracking.NotFound:     http.StatusNotFound,
	tracking.Conflict:     http.StatusConflict,
	tracking.Stale:        http.StatusPreconditionFailed,
	tracking.Unauthorized: http.StatusUnauthorized,
	tracking.Forbidden:    http.StatusForbidden,
	tracking.Unavailable:  http.StatusServiceUnavailable,
}

// retryUnavailable is what a caller is told to wait when the store cannot
// serve: nobody knows how long that will be.
const retryUnavailable = 5 * time.Second

// refusal is an error that this package makes up itself.
type refusal struct {
	status int
	detail string
	code   string
	source jsonapi.Source
	// retryAfter and allow become headers.
	retryAfter time.Duration
	allow      string
}

func (e *refusal) Error() string { return e.detail }

func badRequest(format string, args ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, detail: fmt.Sprintf(format, args...)}
}

// detailOnly is an error whose 422 shows its details and nothing else, as POST
// /webhooks/trigger answers in the published interface.
type detailOnly struct{ error }

func (e detailOnly) Unwrap() error { return e.error }

func refusePath(*call) error { return &tracking.Error{Kind: tracking.NotFound} }

// refuseMethod names the methods of the path that was asked for, or else of the
// pattern that it matches.
func refuseMethod(c *call, pattern string, paths map[string][]string) error {
	methods, ok := paths[c.r.URL.Path]
	if !ok {
		methods = paths[pattern]
	}
	if slices.Contains(methods, http.MethodGet) {
		methods = append(slices.Clip(methods), http.MethodHead)
	}
	allow := strings.Join(methods, ", ")
	return &refusal{status: http.StatusMethodNotAllowed, allow: allow, detail: "This path has the methods " + allow + "."}
}

// fail is the one exit for errors.
func (c *call) fail(err error) {
	status, errs := c.explain(err)
	if status == http.StatusInternalServerError {
		errs = []jsonapi.Error{c.internal()}
		if !errors.Is(err, context.Canceled) { // the caller has left: no fault, and nobody reads the answer
			c.config.Logger.Error("request failed", "request_id", c.id, "method", c.r.Method, "path", c.r.URL.Path, "error", err)
		}
	}
	h := c.w.Header()
	var own *refusal
	switch {
	case status == http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Token")
	case status == http.StatusServiceUnavailable:
		h.Set("Retry-After", seconds(retryUnavailable))
	case errors.As(err, &own):
		if own.allow != "" {
			h.Set("Allow", own.allow)
		}
		if own.retryAfter > 0 {
			h.Set("Retry-After", seconds(own.retryAfter))
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
	c.answerErrors(status, errs)
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }

// internal is all that is told of a fault of ours.
func (c *call) internal() jsonapi.Error {
	return jsonapi.Error{
		Status: "500", Title: http.StatusText(http.StatusInternalServerError),
		Detail: "Something went wrong on our side. Name the request ID when you report it.",
		Meta:   map[string]any{"request_id": c.id},
	}
}

// explain finds the status of an error and its error objects. It gives 500 and
// none for what was not meant for callers.
func (c *call) explain(err error) (int, []jsonapi.Error) {
	var (
		own    *refusal
		one    *tracking.Error
		many   tracking.Errors
		syntax *jsonapi.SyntaxError
		fields jsonapi.FieldErrors
		query  jsonapi.QueryErrors
	)
	switch {
	case errors.As(err, &own):
		e := jsonapi.Error{Code: own.code, Detail: own.detail}
		if own.source != (jsonapi.Source{}) {
			e.Source = &own.source
		}
		return own.status, []jsonapi.Error{e}
	case errors.As(err, &many) && len(many) > 0:
		return c.explainEngine(many...)
	case errors.As(err, &one):
		return c.explainEngine(one)
	case errors.As(err, &syntax):
		return http.StatusBadRequest, []jsonapi.Error{{Detail: syntax.Detail, Source: &jsonapi.Source{Pointer: syntax.Pointer}}}
	case errors.As(err, &fields):
		return explainFields(fields)
	case errors.As(err, &query):
		return explainQuery(query)
	case errors.Is(err, jsonapi.ErrTooLarge):
		return http.StatusRequestEntityTooLarge, []jsonapi.Error{{Detail: fmt.Sprintf("The body may be at most %d MiB.", c.route.bodyLimit()>>20)}}
	case errors.Is(err, jsonapi.ErrMediaType):
		return http.StatusUnsupportedMediaType, []jsonapi.Error{{Detail: "The body must be application/json or application/vnd.api+json, without a Content-Encoding."}}
	}
	return explainSentinel(err)
}

// explainSentinel knows what a store may say without a kind.
func explainSentinel(err error) (int, []jsonapi.Error) {
	switch {
	case errors.Is(err, tracking.ErrNotFound):
		return http.StatusNotFound, make([]jsonapi.Error, 1)
	case errors.Is(err, tracking.ErrUnavailable), errors.Is(err, tracking.ErrClosed), errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable, []jsonapi.Error{{Detail: "The service cannot serve this now. Try again later."}}
	}
	return http.StatusInternalServerError, nil
}

// explainEngine speaks for the engine. All faults of one call share a kind.
func (c *call) explainEngine(list ...*tracking.Error) (int, []jsonapi.Error) {
	status, ok := statuses[list[0].Kind]
	if !ok {
		return http.StatusInternalServerError, nil
	}
	errs := make([]jsonapi.Error, len(list))
	for i, e := range list {
		errs[i] = jsonapi.Error{Code: e.Code, Title: e.Title, Detail: e.Detail, Meta: e.Meta}
		switch e.Kind {
		case tracking.NotFound:
			errs[i].Detail = cmp.Or(e.Detail, c.route.missing)
		case tracking.Unauthorized: // whatever the reason: it would help in guessing
			errs[i].Detail = "Invalid or missing API token."
		case tracking.Stale: // versions are the engine's; clients know entity tags
			errs[i].Detail = "The record has changed since If-Match was read, or never had that tag. Read it again and repeat the change."
		}
		if e.Field == "" {
			continue
		}
		if e.Kind == tracking.BadQuery || strings.HasPrefix(e.Field, "filter[") {
			errs[i].Source = &jsonapi.Source{Parameter: e.Field}
		} else {
			errs[i].Source = &jsonapi.Source{Pointer: c.pointer(e.Field)}
		}
	}
	return status, errs
}

// pointer turns a field of the engine into a JSON Pointer of the body that was
// sent: "facts[3].at" becomes /data/attributes/facts/3/at.
func (c *call) pointer(field string) string {
	if rest, ok := strings.CutPrefix(field, "relationships/"); ok {
		return "/data/relationships/" + rest
	}
	if sent, ok := c.sent[field]; ok {
		field = sent
	}
	base := c.attributes
	if rest, ok := strings.CutPrefix(field, "data."); ok {
		base, field = "/data", rest
	}
	return base + "/" + steps.Replace(field)
}

var steps = strings.NewReplacer("~", "~0", "/", "~1", "[", "/", "].", "/", "]", "", ".", "/")

func explainFields(fields jsonapi.FieldErrors) (int, []jsonapi.Error) {
	errs := make([]jsonapi.Error, len(fields))
	for i, f := range fields {
		errs[i] = jsonapi.Error{Code: f.Code, Detail: f.Detail, Source: &jsonapi.Source{Pointer: f.Pointer}}
	}
	return http.StatusUnprocessableEntity, errs
}

func explainQuery(query jsonapi.QueryErrors) (int, []jsonapi.Error) {
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
