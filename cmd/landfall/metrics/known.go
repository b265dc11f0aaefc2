package metrics

import (
	"net/http"
	"slices"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/httpserver"
)

// values are the known values of a label. Others count as "other", so that nobody can
// make series.
type values []string

const other = "other"

// of returns the value, or "other".
func (v values) of(value string) string { return v.orElse(value, other) }

// orElse returns the value, or "other", or none for an empty one.
func (v values) orElse(value, none string) string {
	switch {
	case value == "":
		return none
	case slices.Contains(v, value):
		return value
	}
	return other
}

// known has the known values of the labels.
type known struct {
	methods, limits, events, jobs, deliveries, carriers, answers, documentTypes, documents values
}

func newKnown(c Config) known {
	all := tracking.Describe()
	k := known{
		methods: values{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions},
		limits:  append(slices.Clone(all.Limits), httpserver.LimitFailures, httpserver.LimitAccountBodies, httpserver.LimitBodies, httpserver.LimitStreams),
		deliveries: values{
			tracking.FailStatus, tracking.FailRedirect, tracking.FailTimeout, tracking.FailDNS, tracking.FailConnect, tracking.FailTLS, tracking.FailBlocked, tracking.FailResponse, tracking.FailCanceled,
		},
		carriers: c.Carriers, documentTypes: c.DocumentTypes,
		documents: values{
			tracking.FileEmpty, tracking.FileDamaged, tracking.FileEncrypted, tracking.FileTooLarge, tracking.FileTooCostly, "unreadable", "file_missing", "given_up",
		},
	}
	for _, reason := range []tracking.FailedReason{
		freight.LineUnreachable, freight.UnrecognizedResponse, freight.ProcessingError, freight.NumberNotFound, freight.InvalidNumber,
		freight.BookingCancelled, freight.DuplicateRequest, freight.DataUnavailable,
	} {
		k.answers = append(k.answers, string(reason))
	}
	for _, kind := range all.JobKinds {
		k.jobs = append(k.jobs, string(kind))
	}
	for _, name := range all.AllEvents {
		k.events = append(k.events, string(name))
	}
	return k
}

// begin makes series that are 0, so that rates and alerts see their first increase.
// Histograms begin with the outcomes that every server has.
func (k *known) begin(m *Metrics) {
	for _, limit := range k.limits {
		m.refusals.WithLabelValues(limit)
	}
	for _, event := range k.events {
		m.announced.WithLabelValues(event)
	}
	for _, ofAddress := range []bool{true, false} {
		m.refusedConnections.WithLabelValues(connectionLimit(ofAddress))
	}
	for _, kind := range k.jobs {
		if kind == deliveryKind {
			continue
		}
		m.jobDuration.WithLabelValues(kind, jobDone)
		m.jobDuration.WithLabelValues(kind, jobFailed)
	}
	m.deliveryDuration.WithLabelValues("succeeded")
	for _, failure := range k.deliveries {
		m.deliveryDuration.WithLabelValues(failure)
	}
	for _, scac := range k.carriers {
		m.carrierDuration.WithLabelValues(scac, "answered")
		m.carrierSuccess.WithLabelValues(scac)
		for _, reason := range carrierFailures {
			m.carrierDuration.WithLabelValues(scac, string(reason))
		}
	}
	for _, typ := range append(slices.Clone(k.documentTypes), "none") {
		m.documentDuration.WithLabelValues(typ, "read")
	}
	for _, failure := range k.documents {
		m.documentDuration.WithLabelValues("none", failure)
	}
}
