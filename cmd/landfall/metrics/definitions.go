package metrics

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// Definition is what there is to know about a metric.
type Definition struct {
	// Name is the name of the metric, and Type its type in Prometheus: counter, gauge or
	// histogram.
	Name, Type string
	// Labels are the names of its labels.
	Labels []string
	// Help is its meaning.
	Help string
}

// Types of metrics.
const (
	counter   = "counter"
	gauge     = "gauge"
	histogram = "histogram"
)

// Definitions returns all metrics, in the order of the documentation, but for those of the
// Go runtime and the process.
func Definitions() []Definition { return slices.Clone(definitions) }

var definitions = []Definition{
	{buildInfo, gauge, []string{"version", "revision", "goversion"}, "Always 1. The labels are the version, commit and Go version of the program."},

	{httpRequests, counter, []string{"method", "route", "status"}, "Requests that were answered. Status 499: the client disconnected before the response."},
	{httpDuration, histogram, []string{"method", "route"}, "Seconds from the end of the request's header to the end of the response."},
	{httpBytes, counter, []string{"method", "route"}, "Bytes of response bodies."},
	{httpInFlight, gauge, nil, "Requests that are being answered."},
	{httpRefusals, counter, []string{"limit"}, "Requests refused because of a limit: a rate limit (default, create, infer, refresh), failed_authentications of an address, account_bodies (memory of one account's request bodies), bodies (memory of all), or event_streams (too many streams of events)."},
	{connectionsOpen, gauge, nil, "Connections of clients that are open."},
	{connectionsRefused, counter, []string{"limit"}, "Connections refused because too many were open: in all, or of one address."},

	{commitDuration, histogram, nil, "Seconds that a commit took until it was on the disk."},
	{commitUpdates, histogram, nil, "Updates that one commit made durable together."},
	{commitFailures, counter, nil, "Commits that failed."},
	{storeWaiting, gauge, nil, "Updates that wait for their turn to write."},
	{storeLogBytes, gauge, nil, "Bytes of the WAL that are in use."},
	{storeFileBytes, gauge, nil, "Bytes of the database file."},
	{cacheReads, counter, []string{"result"}, "Records that were looked for in the cache, by result: hit or miss."},
	{cacheBytes, gauge, nil, "Bytes of the records in the cache."},

	{jobsDue, gauge, []string{"kind"}, "Background jobs that are due and could begin."},
	{jobsPaused, gauge, []string{"kind"}, "Background jobs that are due, but of a group that is paused, such as a failing endpoint."},
	{jobsRunning, gauge, []string{"kind"}, "Background jobs that a worker has claimed."},
	{jobsOldest, gauge, []string{"kind"}, "Seconds for which the oldest due job has been waiting; 0 if none is due."},
	{jobDuration, histogram, []string{"kind", "outcome"}, "Seconds that a background job took, by outcome: done or failed. Deliveries are not among these jobs."},

	{deliveryDuration, histogram, []string{"outcome"}, "Seconds that an attempt to deliver a notification took, by outcome: succeeded, or why it failed."},
	{endpointsPaused, gauge, []string{"state"}, "Endpoints of webhooks that get nothing at present: failing (until the next probe), or inactive (their webhook was deactivated)."},

	{carrierDuration, histogram, []string{"scac", "outcome"}, "Seconds that a query of a carrier took, by outcome: answered, or the reason for which the answer had no facts."},
	{carrierSuccess, gauge, []string{"scac"}, "Unix time of the last usable answer of a carrier; 0 if there was none since the start."},

	{documentDuration, histogram, []string{"type", "outcome"}, "Seconds that reading a document took, by the type of document and the outcome: read, unreadable (no text), or why it failed."},

	{events, counter, []string{"event"}, "Events that were announced, whether or not a webhook subscribes to them."},
}

// The names.
const (
	buildInfo          = "landfall_build_info"
	httpRequests       = "landfall_http_requests_total"
	httpDuration       = "landfall_http_request_duration_seconds"
	httpBytes          = "landfall_http_response_bytes_total"
	httpInFlight       = "landfall_http_requests_in_flight"
	httpRefusals       = "landfall_http_refusals_total"
	connectionsOpen    = "landfall_connections_open"
	connectionsRefused = "landfall_connections_refused_total"
	commitDuration     = "landfall_store_commit_duration_seconds"
	commitUpdates      = "landfall_store_commit_updates"
	commitFailures     = "landfall_store_commit_failures_total"
	storeWaiting       = "landfall_store_waiting_updates"
	storeLogBytes      = "landfall_store_wal_bytes"
	storeFileBytes     = "landfall_store_file_bytes"
	cacheReads         = "landfall_store_cache_reads_total"
	cacheBytes         = "landfall_store_cache_bytes"
	jobsDue            = "landfall_jobs_due"
	jobsPaused         = "landfall_jobs_paused"
	jobsRunning        = "landfall_jobs_running"
	jobsOldest         = "landfall_jobs_oldest_due_seconds"
	jobDuration        = "landfall_job_duration_seconds"
	deliveryDuration   = "landfall_delivery_duration_seconds"
	endpointsPaused    = "landfall_webhook_endpoints_paused"
	carrierDuration    = "landfall_carrier_query_duration_seconds"
	carrierSuccess     = "landfall_carrier_last_success_timestamp_seconds"
	documentDuration   = "landfall_document_read_duration_seconds"
	events             = "landfall_events_total"
)

func define(name string) Definition {
	return definitions[slices.IndexFunc(definitions, func(d Definition) bool { return d.Name == name })]
}

// newCounter, newGauge and newHistogram return a metric as it is defined.

func newCounter(name string) *prometheus.CounterVec {
	d := define(name)
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: d.Name, Help: d.Help}, d.Labels)
}

func newGauge(name string) *prometheus.GaugeVec {
	d := define(name)
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: d.Name, Help: d.Help}, d.Labels)
}

func newHistogram(name string, buckets []float64) *prometheus.HistogramVec {
	d := define(name)
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: d.Name, Help: d.Help, Buckets: buckets}, d.Labels)
}

// newDesc describes a metric that is read when it is asked for.
func newDesc(name string) *prometheus.Desc {
	d := define(name)
	return prometheus.NewDesc(d.Name, d.Help, d.Labels, nil)
}

// Buckets of histograms. Each costs a series for each combination of labels.
var (
	requestBuckets  = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
	commitBuckets   = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5}
	updateBuckets   = []float64{1, 2, 4, 8, 16, 32, 64}
	jobBuckets      = []float64{.005, .025, .1, .5, 1, 5, 15, 60}
	exchangeBuckets = []float64{.025, .1, .25, .5, 1, 2.5, 5, 10, 15, 60} // deliveries and queries
)
