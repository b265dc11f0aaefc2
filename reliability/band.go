package reliability

import (
	"math"
	"time"
)

// MinSamples is the number of samples below which a class gives no band.
const MinSamples = 30

// A Class says which past arrivals a band was made from. All classes are of the same lead.
type Class string

// The classes, in the order in which they are tried.
const (
	ClassLane    Class = "line_and_lane"        // of the line, from the POL to the POD
	ClassCountry Class = "line_and_pod_country" // of the line, to any port of the country
	ClassLine    Class = "line"                 // of the line
	ClassAll     Class = "all"                  // of all lines
)

// A Band is an ETA with the errors of past ETAs: 10, 50 and 90 % of arrivals are expected
// before its times. Times are UTC, in whole seconds.
type Band struct {
	P10     time.Time `json:"p10"`
	P50     time.Time `json:"p50"`
	P90     time.Time `json:"p90"`
	Samples int       `json:"samples"` // arrivals that it was made from
	Class   Class     `json:"class"`
	Lead    Lead      `json:"lead"`
}

// An Estimate is the ETA of a voyage that has not arrived. Line, POL and POD are as in
// Voyage; what is empty is not known, and leads to a wider class.
type Estimate struct {
	Line, POL, POD string
	ETA            time.Time
}

// Errors has the errors of the ETAs of past voyages, by class. Its methods may be called
// concurrently.
type Errors struct {
	classes map[classKey]*[leadClasses]quantiles
}

type classKey struct {
	class          Class
	line, pol, pod string // pod is a country in ClassCountry
}

// quantiles are of errors in seconds.
type quantiles struct {
	samples       int
	p10, p50, p90 int64
}

// NewErrors returns the errors of the voyages whose arrival had been learned by the moment.
func NewErrors(history []Voyage, asOf time.Time) *Errors {
	samples := map[classKey]*[leadClasses]sampler{}
	for _, v := range byCall(history) {
		o := outcomeOf(v.ETAs, v.Arrivals, asOf)
		if o.happened.IsZero() || len(o.estimates) == 0 {
			continue
		}
		keys, n := keysOf(v.Line, v.POL, v.POD)
		var lists [len(keys)]*[leadClasses]sampler
		for i, key := range keys[:n] {
			if lists[i] = samples[key]; lists[i] == nil {
				lists[i] = new([leadClasses]sampler)
				samples[key] = lists[i]
			}
		}
		o.errors(func(c leadClass, off int64) {
			for _, list := range lists[:n] {
				list[c].add(v.Call, off)
			}
		})
	}
	e := &Errors{classes: make(map[classKey]*[leadClasses]quantiles, len(samples))}
	for key, list := range samples {
		e.classes[key] = quantilesOf(list)
	}
	return e
}

func quantilesOf(list *[leadClasses]sampler) *[leadClasses]quantiles {
	var to [leadClasses]quantiles
	for c := range list {
		values := list[c].sorted()
		if len(values) < MinSamples {
			continue
		}
		second := func(p float64) int64 { return int64(math.Round(quantile(values, p))) }
		to[c] = quantiles{len(values), second(0.1), second(0.5), second(0.9)}
	}
	return &to
}

// keysOf returns the classes of a voyage, from the narrowest, and their number.
func keysOf(line, pol, pod string) (keys [4]classKey, n int) {
	add := func(k classKey) { keys[n] = k; n++ }
	if line != "" {
		if pol != "" && pod != "" {
			add(classKey{ClassLane, line, pol, pod})
		}
		if len(pod) >= 2 {
			add(classKey{class: ClassCountry, line: line, pod: pod[:2]})
		}
		add(classKey{class: ClassLine, line: line})
	}
	add(classKey{class: ClassAll})
	return keys, n
}

// Empty reports whether nothing is known of past voyages, so that there are no bands.
func (e *Errors) Empty() bool { return len(e.classes) == 0 }

// Band returns the band of an ETA that is in force at a moment, from the narrowest class
// with MinSamples errors of its lead. It is nil where no class has, and without an ETA.
func (e *Errors) Band(of Estimate, now time.Time) *Band {
	if of.ETA.IsZero() {
		return nil
	}
	c := classOf(of.ETA.Sub(now))
	keys, n := keysOf(of.Line, of.POL, of.POD)
	for _, key := range keys[:n] {
		list := e.classes[key]
		if list == nil || list[c].samples == 0 {
			continue
		}
		q := &list[c]
		at := func(seconds int64) time.Time {
			return of.ETA.UTC().Add(time.Duration(seconds) * time.Second).Truncate(time.Second)
		}
		return &Band{P10: at(q.p10), P50: at(q.p50), P90: at(q.p90), Samples: q.samples, Class: key.class, Lead: c.lead()}
	}
	return nil
}
