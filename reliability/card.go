package reliability

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// A Card is the report card of carriers as of a moment.
type Card struct {
	AsOf time.Time `json:"as_of"`
	// Rows are ordered by line, POL, POD and lead. The rows of a line over all its lanes
	// have no POL and no POD, and precede those of its lanes.
	Rows []Row `json:"rows"`
}

// A Row has what is known of a line, on a lane or on all its lanes, for a class of lead
// times. Each lane has a row LeadFirst; other leads have one where there are errors.
type Row struct {
	Line string `json:"scac"`       // SCAC
	POL  string `json:"pol_locode"` // UN/LOCODE; empty: all lanes of the line
	POD  string `json:"pod_locode"` // UN/LOCODE; empty: all lanes of the line
	Lead Lead   `json:"lead"`
	// Voyages is the number of voyages that have departed or arrived, whatever the lead.
	Voyages int `json:"voyages"`

	ETA *Accuracy `json:"eta"` // of arrivals at the POD; nil (null) without samples
	ETD *Accuracy `json:"etd"` // of departures from the POL; nil (null) without samples

	// The following are of whole voyages, and the same in each row of a lane. Nil (null)
	// without samples.
	ETAChanges *Summary `json:"eta_changes"` // changes of the ETA of a voyage, before it arrived
	ETDChanges *Summary `json:"etd_changes"` // changes of the ETD of a voyage, before it departed
	HubDays    *Summary `json:"hub_days"`    // days of a voyage at transshipment ports, of voyages with a known stay
}

// Accuracy is how well estimates foretold what happened. Errors are the actual time minus
// the estimated one, in days of 24 hours: positive is late.
type Accuracy struct {
	Samples int `json:"samples"` // calls of ships, or voyages where no call is known
	// OnTimeShare is the share that happened within 24 hours of the estimate, before or
	// after it, from 0 to 1. OnTimeLow and OnTimeHigh are its 95 % interval, by Wilson.
	OnTimeShare float64 `json:"on_time_share"`
	OnTimeLow   float64 `json:"on_time_low"`
	OnTimeHigh  float64 `json:"on_time_high"`
	// Bias is the mean error. BiasMargin is half of its 95 % interval, by Student's
	// distribution; nil (null) of a single sample.
	Bias       float64  `json:"bias_days"`
	BiasMargin *float64 `json:"bias_margin_days"`
	// MeanAbsoluteError is the mean of the errors without their signs.
	MeanAbsoluteError float64 `json:"mean_absolute_error_days"`
	// P10, P50 and P90 are quantiles of the error, of type 6 of Hyndman and Fan.
	P10 float64 `json:"p10_days"`
	P50 float64 `json:"p50_days"`
	P90 float64 `json:"p90_days"`
}

// A Summary is the distribution of a number over voyages. Quantiles are as of Accuracy.
type Summary struct {
	Samples int     `json:"samples"` // voyages
	Mean    float64 `json:"mean"`
	P10     float64 `json:"p10"`
	P50     float64 `json:"p50"`
	P90     float64 `json:"p90"`
}

// lane is a line on a lane, or on all its lanes.
type lane struct{ line, pol, pod string }

func (a lane) compare(b lane) int {
	return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.pol, b.pol), cmp.Compare(a.pod, b.pod))
}

// record has the samples of a lane.
type record struct {
	voyages                int
	eta, etd               [leadClasses]sampler
	etaChanges, etdChanges sampler
	hubs                   sampler
}

// NewCard returns the report card of the voyages, from what had been learned by the moment.
// A voyage enters when its arrival or its departure is known. Voyages without a line are
// left out; those without a POL or POD enter the rows of the line over all lanes only.
func NewCard(history []Voyage, asOf time.Time) Card {
	records := map[lane]*record{}
	for _, v := range byCall(history) {
		if v.Line == "" {
			continue
		}
		arrival, departure := outcomeOf(v.ETAs, v.Arrivals, asOf), outcomeOf(v.ETDs, v.Departures, asOf)
		if arrival.happened.IsZero() && departure.happened.IsZero() {
			continue
		}
		recordOf(records, lane{line: v.Line}).add(v, &arrival, &departure, asOf)
		if v.POL != "" && v.POD != "" {
			recordOf(records, lane{v.Line, v.POL, v.POD}).add(v, &arrival, &departure, asOf)
		}
	}
	card := Card{AsOf: asOf, Rows: []Row{}}
	lanes := make([]lane, 0, len(records))
	for l := range records {
		lanes = append(lanes, l)
	}
	slices.SortFunc(lanes, lane.compare)
	for _, l := range lanes {
		card.Rows = append(card.Rows, records[l].rows(l)...)
	}
	return card
}

func recordOf(records map[lane]*record, l lane) *record {
	r := records[l]
	if r == nil {
		r = &record{}
		records[l] = r
	}
	return r
}

func (r *record) add(v *Voyage, arrival, departure *outcome, asOf time.Time) {
	r.voyages++
	arrival.errors(func(c leadClass, off int64) { r.eta[c].add(v.Call, off) })
	departure.errors(func(c leadClass, off int64) { r.etd[c].add(v.Call, off) })
	if n, ok := arrival.changes(); ok {
		r.etaChanges.add("", n)
	}
	if n, ok := departure.changes(); ok {
		r.etdChanges.add("", n)
	}
	if n, ok := v.hubSeconds(asOf); ok {
		r.hubs.add("", n)
	}
}

func (r *record) rows(l lane) (rows []Row) {
	blank := Row{
		Line: l.line, POL: l.pol, POD: l.pod, Voyages: r.voyages,
		ETAChanges: r.etaChanges.summary(1), ETDChanges: r.etdChanges.summary(1), HubDays: r.hubs.summary(secondsPerDay),
	}
	for c := range leadClasses {
		row := blank
		row.Lead, row.ETA, row.ETD = Leads[c], r.eta[c].accuracy(), r.etd[c].accuracy()
		if row.Lead == LeadFirst || row.ETA != nil || row.ETD != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

const secondsPerDay = 24 * 60 * 60

// accuracy returns the accuracy of a sample of errors in seconds; nil without one.
func (s *sampler) accuracy() *Accuracy {
	values := s.sorted()
	n := len(values)
	if n == 0 {
		return nil
	}
	onTime, absolute := 0, int64(0)
	for _, v := range values {
		if v < 0 {
			v = -v
		}
		absolute += v
		if v <= secondsPerDay {
			onTime++
		}
	}
	mean, deviation := moments(values)
	a := &Accuracy{
		Samples: n, OnTimeShare: float64(onTime) / float64(n), Bias: mean / secondsPerDay,
		MeanAbsoluteError: float64(absolute) / float64(n) / secondsPerDay,
		P10:               quantile(values, 0.1) / secondsPerDay, P50: quantile(values, 0.5) / secondsPerDay, P90: quantile(values, 0.9) / secondsPerDay,
	}
	a.OnTimeLow, a.OnTimeHigh = wilson(onTime, n)
	if n > 1 {
		margin := student975(n-1) * deviation / secondsPerDay / math.Sqrt(float64(n))
		a.BiasMargin = &margin
	}
	return a
}

// summary returns the distribution of values in units of so many of theirs; nil without one.
func (s *sampler) summary(unit float64) *Summary {
	values := s.sorted()
	if len(values) == 0 {
		return nil
	}
	mean, _ := moments(values)
	return &Summary{
		Samples: len(values), Mean: mean / unit,
		P10: quantile(values, 0.1) / unit, P50: quantile(values, 0.5) / unit, P90: quantile(values, 0.9) / unit,
	}
}
