package metrics

import (
	"context"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/prometheus/client_golang/prometheus"
)

// deliveryKind is the kind of the jobs that deliver notifications.
const deliveryKind = "delivery"

// statsTimeout bounds how long a store may take for its state, so that metrics are shown
// while it hangs.
const statsTimeout = 5 * time.Second

// Watch adds the state of a store, which is read when metrics are asked for. A store that
// is no store.Meter has none.
func (m *Metrics) Watch(s store.Store) {
	if meter, ok := s.(store.Meter); ok {
		m.registry.MustRegister(&storeState{meter: meter, jobs: m.known.jobs})
	}
}

// storeState collects the state of a store.
type storeState struct {
	meter store.Meter
	jobs  values
}

// Descriptions of what is collected.
var (
	descWaiting    = newDesc(storeWaiting)
	descLogBytes   = newDesc(storeLogBytes)
	descFileBytes  = newDesc(storeFileBytes)
	descCacheReads = newDesc(cacheReads)
	descCacheBytes = newDesc(cacheBytes)
	descDue        = newDesc(jobsDue)
	descPaused     = newDesc(jobsPaused)
	descRunning    = newDesc(jobsRunning)
	descOldest     = newDesc(jobsOldest)
	descEndpoints  = newDesc(endpointsPaused)
)

// Describe implements prometheus.Collector.
func (s *storeState) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		descWaiting, descLogBytes, descFileBytes, descCacheReads, descCacheBytes, descDue, descPaused, descRunning, descOldest, descEndpoints,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (s *storeState) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), statsTimeout)
	defer cancel()
	now := time.Now()
	stats, err := s.meter.Stats(ctx, now)
	if err != nil {
		to <- prometheus.NewInvalidMetric(descWaiting, err)
		return
	}
	show := func(d *prometheus.Desc, typ prometheus.ValueType, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, typ, value, labels...)
	}
	show(descWaiting, prometheus.GaugeValue, float64(stats.WaitingUpdates))
	show(descLogBytes, prometheus.GaugeValue, float64(stats.LogBytes))
	show(descFileBytes, prometheus.GaugeValue, float64(stats.FileBytes))
	show(descCacheReads, prometheus.CounterValue, float64(stats.CacheHits), "hit")
	show(descCacheReads, prometheus.CounterValue, float64(stats.CacheMisses), "miss")
	show(descCacheBytes, prometheus.GaugeValue, float64(stats.CacheBytes))
	jobs := s.byKind(stats.Jobs)
	for _, kind := range append(append(values{}, s.jobs...), other) {
		j, ok := jobs[kind]
		if kind == other && !ok {
			continue
		}
		show(descDue, prometheus.GaugeValue, float64(j.Due), kind)
		show(descPaused, prometheus.GaugeValue, float64(j.Paused), kind)
		show(descRunning, prometheus.GaugeValue, float64(j.Leased), kind)
		show(descOldest, prometheus.GaugeValue, secondsSince(j.Oldest, now), kind)
	}
	show(descEndpoints, prometheus.GaugeValue, float64(jobs[deliveryKind].PausedGroups), "failing")
	show(descEndpoints, prometheus.GaugeValue, float64(jobs[deliveryKind].StoppedGroups), "inactive")
}

// byKind returns the jobs by the value of the label. Several unknown kinds are one.
func (s *storeState) byKind(list []store.JobStats) map[string]store.JobStats {
	by := map[string]store.JobStats{}
	for _, j := range list {
		kind := s.jobs.of(string(j.Kind))
		sum := by[kind]
		sum.Due += j.Due
		sum.Paused += j.Paused
		sum.Leased += j.Leased
		sum.PausedGroups += j.PausedGroups
		sum.StoppedGroups += j.StoppedGroups
		if sum.Oldest.IsZero() || !j.Oldest.IsZero() && j.Oldest.Before(sum.Oldest) {
			sum.Oldest = j.Oldest
		}
		by[kind] = sum
	}
	return by
}

// secondsSince is 0 for no time.
func secondsSince(t, now time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return max(0, now.Sub(t).Seconds())
}
