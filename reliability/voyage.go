package reliability

import (
	"slices"
	"strings"
	"time"
)

// A Voyage is the carriage of a shipment from POL to POD: what its carrier said when, and
// what happened. Lists of statements are in the order in which they were learned. Times are
// moments; their zones do not matter.
type Voyage struct {
	Line string // SCAC; empty while not known
	POL  string // UN/LOCODE of the port of loading; empty while not known
	POD  string // UN/LOCODE of the port of discharge; empty while not known
	// Call names the call of the ship at the POD. Voyages that end with the same call are
	// one arrival, and their errors count once, as their mean. A voyage with an empty Call
	// is an arrival of its own.
	Call string

	ETAs       []Statement // estimated arrivals at the POD
	ETDs       []Statement // estimated departures from the POL
	Arrivals   []Statement // actual arrivals at the POD: the last learned one counts
	Departures []Statement // actual departures from the POL: the last learned one counts
	Stays      []Stay      // at transshipment ports
}

// A Statement is a time as somebody learned it.
type Statement struct {
	Learned time.Time
	Time    time.Time // zero: the statement before it was taken back
}

// A Stay is the time that a voyage spent at a transshipment port.
type Stay struct {
	Place             string // UN/LOCODE; empty while not known
	Arrived, Departed time.Time
	Learned           time.Time // when both were known
}

// known returns the statements that were learned by the moment.
func known(list []Statement, asOf time.Time) []Statement {
	n := len(list)
	for n > 0 && list[n-1].Learned.After(asOf) {
		n--
	}
	return list[:n]
}

// actual returns what happened by the known statements, and when that was learned first
// since it was last taken back. Zero times: nothing is known to have happened.
func actual(list []Statement) (happened, learned time.Time) {
	for i := len(list) - 1; i >= 0 && !list[i].Time.IsZero(); i-- {
		if happened.IsZero() {
			happened = list[i].Time
		}
		learned = list[i].Learned
	}
	return happened, learned
}

// an outcome is an actual time and the estimates of it that were in force before it.
type outcome struct {
	happened  time.Time // zero: not known
	until     time.Time // when it happened, or was learned if that was before: the end of estimates
	estimates []Statement
}

func outcomeOf(estimates, actuals []Statement, asOf time.Time) outcome {
	happened, learned := actual(known(actuals, asOf))
	if happened.IsZero() {
		return outcome{}
	}
	o := outcome{happened: happened, until: happened}
	if learned.Before(happened) {
		o.until = learned
	}
	n := 0
	for n < len(estimates) && estimates[n].Learned.Before(o.until) {
		n++
	}
	o.estimates = estimates[:n]
	return o
}

// errors calls add with the error of the first estimate, and of one estimate of each lead
// class: the one in force at the middle of the time that estimates were in the class. The
// error is the actual time minus the estimated, in seconds: positive is late.
func (o *outcome) errors(add func(leadClass, int64)) {
	if o.happened.IsZero() {
		return
	}
	var whole, passed [leadClasses]time.Duration
	any := false
	for i, e := range o.estimates {
		if e.Time.IsZero() {
			continue
		}
		if !any {
			any = true
			add(first, o.error(e))
		}
		shortest, longest := o.leads(i)
		for c := classOf(shortest); c <= classOf(longest); c++ {
			whole[c] += c.overlap(shortest, longest)
		}
	}
	for i, e := range o.estimates {
		if e.Time.IsZero() {
			continue
		}
		shortest, longest := o.leads(i)
		for c := classOf(shortest); c <= classOf(longest); c++ {
			was := passed[c]
			passed[c] += c.overlap(shortest, longest)
			if was*2 < whole[c] && passed[c]*2 >= whole[c] {
				add(c, o.error(e))
			}
		}
	}
}

func (o *outcome) error(e Statement) int64 { return int64(o.happened.Sub(e.Time) / time.Second) }

// leads returns the leads between which the estimate was in force.
func (o *outcome) leads(i int) (shortest, longest time.Duration) {
	e, end := &o.estimates[i], o.until
	if i+1 < len(o.estimates) {
		end = o.estimates[i+1].Learned
	}
	return e.Time.Sub(end), e.Time.Sub(e.Learned)
}

// changes returns how often the estimate changed, and whether there was one.
func (o *outcome) changes() (n int64, ok bool) {
	var last time.Time
	for _, e := range o.estimates {
		if e.Time.IsZero() || e.Time.Equal(last) {
			continue
		}
		if ok {
			n++
		}
		last, ok = e.Time, true
	}
	return n, ok
}

// hubSeconds returns the time at transshipment ports, and whether a stay is known.
func (v *Voyage) hubSeconds(asOf time.Time) (sum int64, ok bool) {
	for _, s := range v.Stays {
		if !s.Learned.After(asOf) && s.Departed.After(s.Arrived) {
			sum += int64(s.Departed.Sub(s.Arrived) / time.Second)
			ok = true
		}
	}
	return sum, ok
}

// byCall returns the voyages, those of one call behind each other.
func byCall(history []Voyage) []*Voyage {
	list := make([]*Voyage, len(history))
	for i := range history {
		list[i] = &history[i]
	}
	slices.SortStableFunc(list, func(a, b *Voyage) int { return strings.Compare(a.Call, b.Call) })
	return list
}
