package dashboard

import (
	"context"
	"errors"
	"net/http"

	"github.com/landfallhq/tracking"
)

// pageError is a page that says in a sentence why a request failed.
type pageError struct {
	status   int
	sentence string
}

func (e *pageError) Error() string { return e.sentence }

func (req *request) notFound() error {
	return &pageError{http.StatusNotFound, req.texts.get("error.not_found")}
}

// statuses are those of the kinds of errors. Internal errors have none: their text is not
// shown.
var statuses = map[tracking.ErrorKind]int{
	tracking.Invalid: http.StatusUnprocessableEntity, tracking.BadQuery: http.StatusBadRequest, tracking.BadDocument: http.StatusBadRequest,
	tracking.NotFound: http.StatusNotFound, tracking.Conflict: http.StatusConflict, tracking.Stale: http.StatusConflict,
	tracking.Forbidden: http.StatusForbidden, tracking.Unavailable: http.StatusServiceUnavailable,
}

// asPageError returns the page of an error. logged reports whether its text is for the log
// alone.
func (req *request) asPageError(err error) (page *pageError, logged bool) {
	var fault *tracking.Error
	switch {
	case errors.As(err, &page):
		return page, false
	case errors.As(err, &fault) && fault.Kind == tracking.NotFound:
		return &pageError{http.StatusNotFound, req.texts.get("error.not_found")}, false
	case errors.As(err, &fault) && statuses[fault.Kind] != 0:
		return &pageError{statuses[fault.Kind], sentence(fault)}, false
	case errors.Is(err, tracking.ErrUnavailable), errors.Is(err, tracking.ErrClosed), errors.Is(err, context.DeadlineExceeded):
		return &pageError{http.StatusServiceUnavailable, req.texts.get("error.unavailable")}, false
	}
	return &pageError{http.StatusInternalServerError, req.texts.get("error.internal")}, true
}

// errorPage is the page of an error.
type errorPage struct {
	Sentence string
	// Reference names the entry in the log; empty if there is none.
	Reference string
}

// fail answers with the page of an error.
func (req *request) fail(err error) {
	if errors.Is(err, context.Canceled) && req.r.Context().Err() != nil {
		return // the browser has gone to another page, and reads no answer
	}
	page, logged := req.asPageError(err)
	shown := errorPage{Sentence: page.sentence}
	if logged {
		shown.Reference = newToken()[:12]
		req.Logger.Error("dashboard: request failed", "reference", shown.Reference, "method", req.r.Method, "path", req.r.URL.Path, "error", err)
	}
	title := req.texts.get("error.title")
	if page.status == http.StatusNotFound {
		title = req.texts.get("error.not_found.title")
	}
	if err := req.render(page.status, "error", title, shown); err != nil {
		req.Logger.Error("dashboard: error page", "error", err)
		http.Error(req.w, page.sentence, page.status)
	}
}

// sentence returns the detail of an error as a sentence.
func sentence(err error) string {
	var fault *tracking.Error
	text := err.Error()
	if errors.As(err, &fault) && fault.Detail != "" {
		text = fault.Detail
	}
	if text != "" && text[len(text)-1] != '.' {
		text += "."
	}
	return text
}
