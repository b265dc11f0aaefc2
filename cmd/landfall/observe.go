package main

import (
	"maps"
	"net/http"
	"runtime"
	"slices"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/cmd/landfall/metrics"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/storage"
)

// newMetrics returns the metrics; nil without --admin-addr, which shows them.
func (s *server) newMetrics(sources tracking.Sources) *metrics.Metrics {
	if s.adminAddr == "" {
		return nil
	}
	var types []string
	for _, t := range classify.New().Types() {
		types = append(types, t.Code)
	}
	m := metrics.New(metrics.Config{
		Version: release(), Revision: revision(), GoVersion: runtime.Version(),
		Carriers: slices.Sorted(maps.Keys(sources)), DocumentTypes: types, Connections: s.clients.count, Log: s.log,
	})
	s.clients.refusedOne = m.ConnectionRefused
	return m
}

// storageOptions are the options of the store.
func (s *server) storageOptions() storage.Options {
	o := storage.Options{CacheBytes: int64(s.cache)}
	if s.metrics != nil {
		o.OnCommit = s.metrics.Committed
	}
	return o
}

// measure adds the metrics of the engine and of its store.
func (s *server) measure(c *tracking.Config) {
	if s.metrics != nil {
		c.Observer, c.OnAnnounce = s.metrics.Observer(), s.metrics.Announced
		s.metrics.Watch(c.Store)
	}
}

// counted counts the requests that h is answering.
func (s *server) counted(h http.Handler) http.Handler {
	if s.metrics == nil {
		return h
	}
	return s.metrics.InFlight(h)
}

// requestObserver returns what is done with each request that was answered; nil for
// nothing.
func (s *server) requestObserver() func(httpserver.Exchange) {
	switch {
	case s.accessLog == nil && s.metrics == nil:
		return nil
	case s.accessLog == nil:
		return s.metrics.Request
	}
	return func(e httpserver.Exchange) {
		if s.metrics != nil {
			s.metrics.Request(e)
		}
		logRequest(s.accessLog, e)
	}
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
