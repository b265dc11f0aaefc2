package dashboard

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/reliability"
)

// etaHistory is how the estimated arrival of a shipment has changed.
type etaHistory struct {
	Estimates table
	Chart     *etaChart // nil with less than two estimates
	// Band says between which times the arrival is likely; empty where nothing says it.
	Band string
}

// estimate is an estimated arrival, with what was found when it was learned.
type estimate struct {
	*tracking.Revision
	at       time.Time
	recorded time.Time // by the source; zero while not known
	// changed is by how much it is later than the estimate before; 0 for the first.
	changed time.Duration
	causes  []cause
}

// cause is an exception that was found together with an estimate, with the facts behind it.
type cause struct {
	*tracking.Exception
	facts []*tracking.RawEvent
}

func (e estimate) recordID() tracking.ID { return e.ID }

// etaHistory reads the estimates that were known at a moment.
func (req *request) etaHistory(ctx context.Context, s *tracking.Shipment, at past) (h etaHistory, err error) {
	list, err := req.estimates(ctx, s, at)
	if err != nil || len(list) == 0 {
		return h, err
	}
	h.Estimates = fill(req, estimateColumns(req.texts, s.PromisedArrivalAt), list)
	var band *reliability.Band
	if at.present() {
		bands, err := req.t.Reliability().Bands(ctx, s.ID)
		if err != nil {
			return h, err
		}
		if band = bands[s.ID]; band != nil {
			h.Band = req.texts.get("eta.band", req.texts.moment(band.P10, s.PODTimezone).Text, req.texts.moment(band.P90, s.PODTimezone).Text, band.Samples)
		}
	}
	if len(list) > 1 {
		h.Chart = req.texts.etaChart(list, s, band, at, req.now)
	}
	return h, nil
}

// estimates are the changes of the estimated arrival at the port of discharge, the first first.
func (req *request) estimates(ctx context.Context, s *tracking.Shipment, at past) (list []estimate, err error) {
	revisions, _, err := req.t.Revisions(ctx, tracking.RevisionQuery{Shipment: s.ID, Attributes: []tracking.RevisedAttribute{"pod_eta_at"}}, tracking.Page{Number: 1, Size: maxSize})
	if err != nil {
		return nil, err
	}
	facts, err := req.factsOf(ctx, s)
	if err != nil {
		return nil, err
	}
	found, _, err := req.t.Exceptions().List(ctx, tracking.ExceptionQuery{Shipments: []tracking.ID{s.ID}}, tracking.Page{Number: 1, Size: maxSize})
	if err != nil {
		return nil, err
	}
	for _, r := range slices.Backward(revisions) { // the last is the first
		eta, err := time.Parse(time.RFC3339, r.After)
		if r.Container != (tracking.ID{}) || err != nil || !at.present() && !at.knows(r.LearnedAt, time.Time{}) {
			continue
		}
		e := estimate{Revision: r, at: eta, causes: causesOf(r, found, facts)}
		if f := facts[r.SourceEvent]; f != nil {
			e.recorded = f.Fact.RecordedAt
		}
		if len(list) > 0 {
			e.changed = eta.Sub(list[len(list)-1].at)
		}
		list = append(list, e)
	}
	return list, nil
}

// factsOf are the facts of a shipment, by their IDs.
func (req *request) factsOf(ctx context.Context, s *tracking.Shipment) (map[tracking.ID]*tracking.RawEvent, error) {
	facts := map[tracking.ID]*tracking.RawEvent{}
	for _, id := range s.Containers[:min(len(s.Containers), maxRoutes)] {
		list, err := req.t.RawEvents(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			facts[f.ID] = f
		}
	}
	return facts, nil
}

// causesOf are the exceptions that were found together with an estimate, but not that it slipped.
func causesOf(r *tracking.Revision, found []*tracking.Exception, facts map[tracking.ID]*tracking.RawEvent) (list []cause) {
	for _, e := range found {
		together := e.CreatedAt.Truncate(time.Second).Equal(r.LearnedAt.Truncate(time.Second))
		if !together || e.Kind == "eta_slipped" || e.Withdrawn {
			continue
		}
		c := cause{Exception: e}
		for _, id := range e.SourceEvents {
			if f := facts[id]; f != nil && f.VesselName != "" {
				c.facts = append(c.facts, f)
			}
		}
		list = append(list, c)
	}
	return list
}

// ship says what a fact says about a ship: Departure, Beta, Tanger Med, 14 Jun 2026, 10:00 UTC+1.
func (c catalog) ship(f *tracking.RawEvent) string {
	certainty := c.get("certainty.actual")
	if f.Estimated {
		certainty = c.get("certainty.estimated")
	}
	return joined(nonEmpty(c.word("fact", f.Event), f.VesselName, f.LocationName, c.moment(f.Timestamp, f.Timezone).Text, strings.ToLower(certainty))).Text
}

func estimateColumns(c catalog, promised time.Time) []column[estimate] {
	list := []column[estimate]{
		{name: "pod_eta_at", cell: func(e estimate) cell { return c.moment(e.at, e.Timezone) }},
		{name: "eta_change", numeric: true, cell: func(e estimate) cell { return c.hours(e.changed) }},
	}
	if !promised.IsZero() {
		list = append(list, column[estimate]{name: "after_promise", numeric: true, cell: func(e estimate) cell { return c.hours(e.at.Sub(promised)) }})
	}
	return append(list,
		column[estimate]{name: "source", cell: func(e estimate) cell {
			return cell{Text: e.Source, Note: c.word("source", string(e.DataSource))}
		}},
		column[estimate]{name: "recorded_at", cell: func(e estimate) cell { return c.moment(e.recorded, "") }},
		column[estimate]{name: "received_at", cell: func(e estimate) cell { return c.moment(e.LearnedAt, "") }},
		column[estimate]{name: "found_with_it", cell: func(e estimate) cell {
			var kinds, details []string
			for _, x := range e.causes {
				kinds, details = append(kinds, c.word("exception", x.Kind)), append(details, x.Detail)
				for _, f := range x.facts {
					details = append(details, c.ship(f)+".")
				}
			}
			out := cell{Text: strings.Join(slices.Compact(kinds), ", "), Note: strings.Join(details, " ")}
			if out.Text != "" {
				out.Tone = "warn"
			}
			return out
		}},
	)
}

// hours is a difference in hours, with its sign.
func (c catalog) hours(d time.Duration) cell {
	n := int(math.Round(d.Hours()))
	switch {
	case n > 0:
		return cell{Text: c.get("hours.later", grouped(n)), Numeric: true}
	case n < 0:
		return cell{Text: c.get("hours.earlier", grouped(-n)), Numeric: true}
	}
	return cell{Numeric: true}
}

// etaChart is the estimates over time. Its drawing is stretched to the width of the page, so it
// has no texts: they stand around it.
type etaChart struct {
	Line     string   // path: a step for each estimate
	Dots     []string // paths of no length
	Promised string   // y of the promised arrival; empty for none
	// BandTop and BandHeight are those of the likely arrival; empty for none.
	BandTop, BandHeight string
	// Top and Bottom are the latest and the earliest arrival, Left and Right the first and the
	// last moment.
	Top, Bottom, Left, Right cell
	HasPromise, HasBand      bool
}

// chartWidth and chartHeight are the units of the drawing.
const chartWidth, chartHeight = 1000, 200

func (c catalog) etaChart(list []estimate, s *tracking.Shipment, band *reliability.Band, at past, now time.Time) *etaChart {
	from, to := list[0].LearnedAt, now
	if !at.present() {
		to = at.At
	}
	if !s.PODATAAt.IsZero() && s.PODATAAt.Before(to) {
		to = s.PODATAAt
	}
	if last := list[len(list)-1].LearnedAt; to.Before(last) {
		to = last
	}
	arrivals := []time.Time{}
	for _, e := range list {
		arrivals = append(arrivals, e.at)
	}
	if !s.PromisedArrivalAt.IsZero() {
		arrivals = append(arrivals, s.PromisedArrivalAt)
	}
	if band != nil {
		arrivals = append(arrivals, band.P10, band.P90)
	}
	first, last := slices.MinFunc(arrivals, time.Time.Compare), slices.MaxFunc(arrivals, time.Time.Compare)
	x := func(at time.Time) string { return scaled(at, from, to, 20, chartWidth-20) }
	y := func(at time.Time) string { return scaled(at, last, first, 12, chartHeight-12) }
	chart := &etaChart{
		Top: c.moment(last, s.PODTimezone), Bottom: c.moment(first, s.PODTimezone), Left: c.day(from, ""), Right: c.day(to, ""),
		HasPromise: !s.PromisedArrivalAt.IsZero(), HasBand: band != nil,
	}
	var line strings.Builder
	for i, e := range list {
		if i == 0 {
			fmt.Fprintf(&line, "M%s %s", x(e.LearnedAt), y(e.at))
		} else {
			fmt.Fprintf(&line, "H%sV%s", x(e.LearnedAt), y(e.at))
		}
		chart.Dots = append(chart.Dots, "M"+x(e.LearnedAt)+" "+y(e.at)+"h0")
	}
	chart.Line = line.String() + "H" + x(to)
	if chart.HasPromise {
		chart.Promised = y(s.PromisedArrivalAt)
	}
	if chart.HasBand {
		chart.BandTop = y(band.P90)
		share := float64(band.P90.Sub(band.P10)) / float64(max(last.Sub(first), 1))
		chart.BandHeight = fmt.Sprintf("%.1f", share*(chartHeight-24))
	}
	return chart
}

// scaled is where a time is between two others, in units from a to b.
func scaled(at, from, to time.Time, a, b float64) string {
	share := 0.5
	if span := to.Sub(from); span != 0 {
		share = float64(at.Sub(from)) / float64(span)
	}
	return fmt.Sprintf("%.1f", a+share*(b-a))
}

// moments are when something was learned about a shipment, the first first: the times that are
// worth going back to.
func (req *request) moments(ctx context.Context, id tracking.ID) ([]moment, error) {
	list, _, err := req.t.Revisions(ctx, tracking.RevisionQuery{Shipment: id}, tracking.Page{Number: 1, Size: maxSize})
	if err != nil {
		return nil, err
	}
	var times []time.Time
	for _, r := range list {
		times = append(times, r.LearnedAt.UTC().Truncate(time.Second))
	}
	events, _, err := req.t.TransportEvents(ctx, tracking.TransportEventQuery{Shipment: id}, tracking.Page{Number: 1, Size: maxSize})
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		times = append(times, e.CreatedAt.UTC().Truncate(time.Second))
	}
	slices.SortFunc(times, time.Time.Compare)
	times = slices.Compact(times)
	out := make([]moment, 0, len(times))
	for _, at := range times[max(0, len(times)-maxMoments):] {
		out = append(out, moment{req.texts.moment(at, ""), "?" + url.Values{"as_of": {at.Format(time.RFC3339)}}.Encode()})
	}
	return out, nil
}

// maxMoments bounds the moments that a page offers.
const maxMoments = 100

// moment is a time at which something was learned, with the address of what was known then.
type moment struct {
	At   cell
	Href string
}
