// Package metrics shows what a server does in the form of Prometheus. It is the only
// package with a library of metrics: the engine, the stores and httpserver call plain
// functions.
//
// Labels have few values: routes and never paths, names of known events, types and
// outcomes, and the carriers of the configuration. Nothing has the ID of an account or of
// a record. A value that is not known counts as "other".
package metrics

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/store"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Config says what there is to measure.
type Config struct {
	// Version, Revision and GoVersion of the program.
	Version, Revision, GoVersion string
	// Carriers are the SCACs of the lines that have a source.
	Carriers []string
	// DocumentTypes are the codes of the types of documents.
	DocumentTypes []string
	// Connections returns how many connections of clients are open.
	Connections func() int
	// Log gets what goes wrong when metrics are read.
	Log *slog.Logger
}

// Metrics are the metrics of one server. Its methods are safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	known    known
	log      *slog.Logger

	requests, bytes, refusals, refusedConnections, announced *prometheus.CounterVec
	requestDuration, jobDuration, deliveryDuration           *prometheus.HistogramVec
	carrierDuration, documentDuration                        *prometheus.HistogramVec
	inFlight                                                 prometheus.Gauge
	carrierSuccess                                           *prometheus.GaugeVec
	commitDuration, commitUpdates                            prometheus.Observer
	commitFailures                                           prometheus.Counter
}

// New returns the metrics. Those of a store come with Watch.
func New(c Config) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(), known: newKnown(c), log: c.Log,
		requests: newCounter(httpRequests), bytes: newCounter(httpBytes), refusals: newCounter(httpRefusals),
		refusedConnections: newCounter(connectionsRefused), announced: newCounter(events),
		requestDuration: newHistogram(httpDuration, requestBuckets), jobDuration: newHistogram(jobDuration, jobBuckets),
		deliveryDuration: newHistogram(deliveryDuration, exchangeBuckets), carrierDuration: newHistogram(carrierDuration, exchangeBuckets),
		documentDuration: newHistogram(documentDuration, jobBuckets), carrierSuccess: newGauge(carrierSuccess),
	}
	inFlight, build := newGauge(httpInFlight), newGauge(buildInfo)
	duration, updates, failures := newHistogram(commitDuration, commitBuckets), newHistogram(commitUpdates, updateBuckets), newCounter(commitFailures)
	m.inFlight, m.commitDuration, m.commitUpdates, m.commitFailures = inFlight.WithLabelValues(), duration.WithLabelValues(), updates.WithLabelValues(), failures.WithLabelValues()
	build.WithLabelValues(c.Version, c.Revision, c.GoVersion).Set(1)
	open := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: connectionsOpen, Help: define(connectionsOpen).Help}, func() float64 { return float64(c.Connections()) })
	m.registry.MustRegister(
		build, m.requests, m.requestDuration, m.bytes, inFlight, m.refusals, open, m.refusedConnections,
		duration, updates, failures, m.jobDuration, m.deliveryDuration, m.carrierDuration, m.carrierSuccess, m.documentDuration, m.announced,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	m.known.begin(m)
	return m
}

// Handler serves the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError, ErrorLog: errorLog{m.log}})
}

// errorLog logs what promhttp reports.
type errorLog struct{ log *slog.Logger }

func (l errorLog) Println(v ...any) {
	for _, part := range v {
		if err, ok := part.(error); ok {
			l.log.Warn("metrics are incomplete", "error", err)
		}
	}
}

// InFlight counts the requests that h is answering.
func (m *Metrics) InFlight(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.inFlight.Inc()
		defer m.inFlight.Dec()
		h.ServeHTTP(w, r)
	})
}

// Request counts a request that was answered.
func (m *Metrics) Request(e httpserver.Exchange) {
	method, route := m.known.methods.of(e.Method), e.Route
	if route == "" {
		route = "none" // a path that no operation has
	}
	m.requests.WithLabelValues(method, route, strconv.Itoa(e.Status)).Inc()
	m.requestDuration.WithLabelValues(method, route).Observe(e.Duration.Seconds())
	m.bytes.WithLabelValues(method, route).Add(float64(e.Bytes))
	if e.Limit != "" {
		m.refusals.WithLabelValues(m.known.limits.of(e.Limit)).Inc()
	}
}

// ConnectionRefused counts a connection that was refused: of all, or of its address.
func (m *Metrics) ConnectionRefused(ofAddress bool) {
	m.refusedConnections.WithLabelValues(connectionLimit(ofAddress)).Inc()
}

func connectionLimit(ofAddress bool) string {
	if ofAddress {
		return "address"
	}
	return "all"
}

// Committed is the OnCommit of a store.
func (m *Metrics) Committed(updates int, took time.Duration, err error) {
	if err != nil {
		m.commitFailures.Inc()
		return
	}
	m.commitDuration.Observe(took.Seconds())
	m.commitUpdates.Observe(float64(updates))
}

// Announced is the OnAnnounce of an engine.
func (m *Metrics) Announced(_ context.Context, list []tracking.Announcement) {
	for i := range list {
		m.announced.WithLabelValues(m.known.events.of(string(list[i].Event))).Inc()
	}
}

// Observer is the Observer of an engine.
func (m *Metrics) Observer() tracking.Observer {
	return tracking.Observer{
		JobEnded: func(kind store.JobKind, took time.Duration, err error) {
			outcome := jobDone
			if err != nil {
				outcome = jobFailed
			}
			m.jobDuration.WithLabelValues(m.known.jobs.of(string(kind)), outcome).Observe(took.Seconds())
		},
		SourceAnswered: m.sourceAnswered,
		DeliveryEnded: func(took time.Duration, failure string) {
			m.deliveryDuration.WithLabelValues(m.known.deliveries.orElse(failure, "succeeded")).Observe(took.Seconds())
		},
		DocumentRead: func(typ string, took time.Duration, failure string) {
			m.documentDuration.WithLabelValues(m.known.documentTypes.orElse(typ, "none"), m.known.documents.orElse(failure, "read")).Observe(took.Seconds())
		},
	}
}

func (m *Metrics) sourceAnswered(scac string, took time.Duration, failure tracking.FailedReason) {
	scac = m.known.carriers.of(scac)
	m.carrierDuration.WithLabelValues(scac, m.known.answers.orElse(string(failure), "answered")).Observe(took.Seconds())
	if failure == "" || !slices.Contains(carrierFailures, failure) {
		m.carrierSuccess.WithLabelValues(scac).SetToCurrentTime()
	}
}

// carrierFailures are the reasons that are a fault of the carrier, the network or this
// program. The others are answers about the number.
var carrierFailures = []tracking.FailedReason{freight.LineUnreachable, freight.UnrecognizedResponse, freight.ProcessingError}

const (
	jobDone   = "done"
	jobFailed = "failed"
)
