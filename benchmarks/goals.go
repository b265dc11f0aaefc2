package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// goals puts the figures beside the goals that are set for the whole project.
// What a later part of it has to bring is said, and not counted as missed.
func (r *results) goals(b *strings.Builder) {
	b.WriteString("\nBeside the goals (the numbers are those of the project's performance goals; 5 to 7 and 12 compare with other products or concern webhooks, and are not measured here):\n")
	t := table{head: []string{"#", "goal", "seen", "met?"}}
	if len(r.names) > 0 && len(r.process) > 0 {
		r.readGoals(&t)
	}
	if len(r.ingest) > 0 {
		r.ingestGoals(&t)
	}
	if r.limits.keys > 0 {
		r.limitGoals(&t)
	}
	slices.SortStableFunc(t.rows, func(a, b []string) int { return cmp.Or(len(a[0])-len(b[0]), strings.Compare(a[0], b[0])) })
	t.write(b)
}

func met(ok bool) string {
	if ok {
		return "yes"
	}
	return "**no**"
}

func metOr(ok bool, later string) string {
	if ok {
		return "yes"
	}
	return "not yet: " + later
}

// The parts of the project that some goals wait for.
const (
	cacheLater   = "the row cache is later work"
	pagesLater   = "flat deep pages are later work"
	totalsLater  = "kept counters are later work"
	groupedLater = "group commit is later work"
)

func (r *results) readGoals(t *table) {
	if len(r.names) < 3 {
		return // -only has left some out
	}
	single, page, deep := r.http[r.names[0]], r.http[r.names[1]], r.http[r.names[2]]
	rate := func(m *measured) float64 { mid, _, _ := m.ratio(perSecond); return mid }
	used, _, _ := page.ratio(cpu)
	one, _, _ := single.ratio(cpu)
	t.add("1", "one shipment, no cache: at least 45 % of bare; stretch 55 %", percent(rate(single))+"; CPU "+times(one), met(rate(single) >= 0.45))
	t.add("2", "page with includes, no cache: at least 22 % of bare; stretch 30 %", percent(rate(page))+"; CPU "+times(used), met(rate(page) >= 0.22))
	t.add("3", "page with includes, warm cache: at least 60 % of bare; stretch 75 %", "no cache: "+percent(rate(page)), "not yet: "+cacheLater)
	t.add("4", "CPU of a warm page: at most 1.8x bare", "no cache: "+times(used), "not yet: "+cacheLater)

	of := func(name string) float64 { return 1e6 / medians(r.process[name])[perSecond] }
	depth, breadth := of(callDeep)/of(callFirst), of(callFirst)/of(callSmall)
	t.add("8", "page 3000 within 1.2x of page 1; 1M account within 1.3x of 1k; last page of 1M within 2x of page 1",
		fmt.Sprintf("the deep page %s of page 1 (over HTTP %s of its req/s); page 1 of %d shipments %s of that of the small account", times(depth),
			percent(medians(deep.ours)[perSecond]/medians(page.ours)[perSecond]), r.filled.shipments, times(breadth)),
		metOr(false, pagesLater+"; larger accounts come with it"))
	total := of(callOneOfMany) - of(callOneOfFew)
	t.add("9", "total of the plain list: flat from 1k to 1M (at most 1.2x), at most 10 us",
		fmt.Sprintf("the list of one takes %s us more than in the small account", number(total)), "not yet: "+totalsLater)

	few, many := medians(single.ours)[allocs], medians(page.ours)[allocs]
	t.add("14", "allocations of a request: one shipment at most 45, cold page at most 350, warm page at most 60",
		fmt.Sprintf("one shipment %s, cold page %s", number(few), number(many)),
		fmt.Sprintf("one shipment %s, cold page %s; warm page not yet: %s", met(few <= 45), met(many <= 350), cacheLater))
}

func (r *results) ingestGoals(t *table) {
	rate := func(way int) float64 { return medians(r.ingest[ingestWays[way].name])[perSecond] }
	gain, share := rate(1)/rate(0), rate(1)/r.disk()
	t.add("10", "durable ingest at least 4x one update per transaction, and at least 0.6x serial fsyncs; stretch 7x and 1.1x",
		fmt.Sprintf("%d callers %s of one caller, %s of serial fsyncs; the work of one update is %s us of CPU beside %s us for an fsync", callers, times(gain), times(share),
			number(medians(r.ingest[ingestWays[0].name])[cpu]), number(median(r.fsync))),
		metOr(gain >= 4 && share >= 0.6, groupedLater))
	growth := r.perUpdate() / 1024
	t.add("11", "the database grows by at most 10 KB an update; stretch 6 KB", number(growth)+" KB", met(growth <= 10))
}

func (r *results) limitGoals(t *table) {
	l := r.limits
	seen := fmt.Sprintf("%s allocations; a random one of %d keys %s ns, look-up and clock alone %s ns (%s); %s bytes a key with one stamp, %s for each further stamp",
		number(l.allocs), l.keys, number(l.allow), number(l.plain), times(l.allow/l.plain), number(l.perKey), number(l.perStamp))
	ok := l.allocs == 0 && l.allow <= 1.3*l.plain && l.perKey <= 134 && l.perStamp <= 4
	t.add("13", "exact limiter: none too many (a property test of its package), no allocation, at most 1.3x the bare look-up, at most 130 B a key and 4 B a stamp", seen,
		fmt.Sprintf("%s (allocations %s, time %s, memory %s)", met(ok), met(l.allocs == 0), met(l.allow <= 1.3*l.plain), met(l.perKey <= 134 && l.perStamp <= 4)))
}
