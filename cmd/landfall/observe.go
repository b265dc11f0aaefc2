package main

import (
	"net/http"
	"time"

	"github.com/landfallhq/tracking/httpserver"
)

// requestObserver returns what is done with each request that was answered; nil for
// nothing.
func (s *server) requestObserver() func(httpserver.Exchange) {
	if s.accessLog == nil {
		return nil
	}
	return func(e httpserver.Exchange) { logRequest(s.accessLog, e) }
}

// observed observes the requests of a handler that is no part of the Server, by the
// pattern of its http.ServeMux. h may be nil.
func (s *server) observed(h http.Handler) http.Handler {
	observe := s.requestObserver()
	if h == nil || observe == nil {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, answer := time.Now(), &countedResponse{ResponseWriter: w}
		h.ServeHTTP(answer, r)
		route := r.Pattern
		if route == "/" { // no callback has this path
			route = ""
		}
		observe(httpserver.Exchange{
			Method: r.Method, Route: route, Status: answer.statusOrOK(), Bytes: answer.bytes,
			Duration: time.Since(began), Client: s.api.ClientAddress(r),
		})
	})
}

// countedResponse notes the status and the length of a response.
type countedResponse struct {
	http.ResponseWriter
	status int // 0 until it is sent
	bytes  int64
}

func (w *countedResponse) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *countedResponse) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (w *countedResponse) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// statusOrOK is 200 if the handler has set none, as in net/http.
func (w *countedResponse) statusOrOK() int {
	if w.status == 0 {
		return http.StatusOK
	}
	return w.status
}
