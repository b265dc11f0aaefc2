package main

import (
	"fmt"
	"math"
	"strings"
)

// goals puts the figures beside the goals that are set for the whole project.
func (r *results) goals(b *strings.Builder) {
	b.WriteString("\nBeside the goals (the numbers are those of the project's performance goals; 6 and 7 compare with other products, and are not measured here; of 12 the part that does is not):\n")
	t := table{head: []string{"#", "goal", "seen", "met?"}}
	for _, g := range []struct {
		number, goal string
		see          func() (seen string, ok bool)
	}{
		{"1", "one shipment, no cache: at least 45 % of bare; stretch 55 %", r.singleGoal},
		{"2", "page with includes, no cache: at least 22 % of bare; stretch 30 %", r.coldGoal},
		{"3", "page with includes, warm caches: at least 60 % of bare; stretch 75 %", r.warmGoal},
		{"4", "CPU of a warm page: at most 1.8x bare", r.warmCPUGoal},
		{"5", "page: at least 5x naive with the total known, at least 12x with count(*)", r.naiveGoal},
		{"8", "page 3000 within 1.2x of page 1; last page within 2x; the large account within 1.3x of the small; after deletions too", r.depthGoal},
		{"9", "total of the plain list: at most 1.2x from small to large, at most 10 us", r.totalGoal},
		{"-", "filter[tracking_stopped] within 1.5x of the unfiltered list, totals included", r.filterGoal},
		{"-", "filter by a custom field that 1 % match, page 1: within 1.5x of the unfiltered page 1, small account and large", r.fieldListGoal},
		{"-", "setting a custom field: within 1.3x of a plain PATCH of the shipment", r.fieldSetGoal},
		{"-", "lists by cost, and of exceptions: within 1.5x of page 1 of the plain list", r.exceptionGoal},
		{"-", "any page of the dashboard: at most 10 ms of CPU", r.pageGoal},
		{"-", "500 open pages and 50 changes a second: each shows the last state within 2 s", r.openGoal},
		{"-", "a PDF of five pages, from its bytes to its representation: p50 at most 150 ms, at least 20 a second", r.documentReadGoal},
		{"-", "creating a document of an upload: p99 within 2x of a plain POST", r.documentPostGoal},
		{"-", "documents by a word that 1 % have in their name, or fewer: within 1.5x of the unfiltered page 1", r.documentListGoal},
		{"10", "durable ingest at least 4x one update per transaction, and at least 0.6x serial fsyncs; stretch 7x and 1.1x", r.ingestGoal},
		{"11", "the database grows by at most 10 KB an update; stretch 6 KB", r.growthGoal},
		{"-", "reads while updates come in at half their peak: p99 within 3x of that without", r.mixedGoal},
		{"12", "draining a backlog of notifications, status and attempts kept: at least 65 % of the same client with nothing kept, at least 6x one acknowledgement per transaction, CPU at most 1.6x", r.drainGoal},
		{"13", "exact limiter: none too many (a property test of its package), no allocation, at most 1.3x the bare look-up, at most 130 B a key and 4 B a stamp", r.limitGoal},
		{"-", "search: a beginning at most 10x one shipment; inside of numbers p99 at most 20 ms", r.searchGoal},
		{"-", "100 tracking requests at once: at least 6x faster than one by one on one connection", r.bulkGoal},
		{"-", "from the start of the program to its first answer: at most 300 ms with no database, 1 s with a large one", r.startGoal},
		{"-", "1,000 followers of the events of 100 accounts, 20 events a second in all: p99 under 250 ms, under 40 KB of memory a follower", r.followerGoal},
		{"14", "allocations of a request: one shipment at most 45, cold page at most 350, warm page at most 60", r.allocationGoal},
	} {
		seen, ok := g.see()
		switch {
		case seen == "":
			t.add(g.number, g.goal, "not measured in this run", "-")
		default:
			t.add(g.number, g.goal, seen, met(ok))
		}
	}
	t.write(b)
}

func met(ok bool) string {
	if ok {
		return "yes"
	}
	return "**no**"
}

func (r *results) drainGoal() (string, bool) {
	if r.drained == nil || len(r.drained.of[drainOurs]) == 0 {
		return "", false
	}
	of := func(one, other string, figure int) (mid, least, most float64) {
		return ratio(r.drained.of[one], r.drained.of[other], func(f figures) float64 { return f[figure] })
	}
	rate, least, most := of(drainOurs, drainFloor, perSecond)
	alone, _, _ := of(drainOurs, drainAlone, perSecond)
	each, _, _ := of(drainOurs, drainFloor, cpu)
	return fmt.Sprintf("%s (%s to %s) of the client, %s of one per transaction, CPU %s", percent(rate), percent(least), percent(most), times(alone), times(each)),
		rate >= 0.65 && alone >= 6 && each <= 1.6
}

// sides returns a target if it was measured from all these sides.
func (r *results) sides(name string, sides ...string) *measured {
	m := r.http[name]
	if m == nil {
		return nil
	}
	for _, s := range sides {
		if len(m.of[s]) == 0 {
			return nil
		}
	}
	return m
}

// share is what a target has of bare net/http, by requests and by CPU.
func (r *results) share(name, side string) (rate, used float64, ok bool) {
	m := r.sides(name, side, bareHTTP)
	if m == nil {
		return 0, 0, false
	}
	rate, _, _ = m.ratio(side, bareHTTP, perSecond)
	used, _, _ = m.ratio(side, bareHTTP, cpu)
	return rate, used, true
}

func (r *results) singleGoal() (string, bool) { return r.shareGoal(readSingle, oursPlain, 0.45) }
func (r *results) coldGoal() (string, bool)   { return r.shareGoal(readFirst, oursPlain, 0.22) }
func (r *results) warmGoal() (string, bool)   { return r.shareGoal(readFirst, oursCached, 0.60) }

func (r *results) shareGoal(name, side string, least float64) (string, bool) {
	rate, used, ok := r.share(name, side)
	if !ok {
		return "", false
	}
	return percent(rate) + "; CPU " + times(used), rate >= least
}

func (r *results) warmCPUGoal() (string, bool) {
	_, used, ok := r.share(readFirst, oursCached)
	if !ok {
		return "", false
	}
	return times(used), used <= 1.8
}

func (r *results) naiveGoal() (string, bool) {
	m := r.sides(readFirst, oursPlain, oursCached, naiveKnown, naiveCount)
	if m == nil {
		return "", false
	}
	of := func(one, other string) float64 { mid, _, _ := m.ratio(one, other, perSecond); return mid }
	known, counting := of(oursPlain, naiveKnown), of(oursPlain, naiveCount)
	return fmt.Sprintf("no cache %s and %s; with the caches %s and %s", times(known), times(counting), times(of(oursCached, naiveKnown)), times(of(oursCached, naiveCount))),
		known >= 5 && counting >= 12
}

// call compares the CPU of two calls in this process, round by round.
func (r *results) call(one, other string) float64 {
	mid, _, _ := ratio(r.process[one], r.process[other], used)
	return mid
}

// more is by how many us of CPU a call takes more than another.
func (r *results) more(one, other string) float64 {
	var all []float64
	for i, f := range r.process[one] {
		all = append(all, f[cpu]-r.process[other][i][cpu])
	}
	return median(all)
}

func used(f figures) float64 { return f[cpu] }

func (r *results) depthGoal() (string, bool) {
	if len(r.process) == 0 {
		return "", false
	}
	deep, last, breadth := r.call(callDeep, callFirst), r.call(callLast, callFirst), r.call(callFirst, callSmall)
	thinned := r.call(callPartiesLater, callParties)
	seen := fmt.Sprintf("CPU beside page 1: page %d %s, page %d (the last) %s; page 1 of %d shipments %s of that of %d; of parties with gaps, page %d %s",
		r.data.deep(), times(deep), r.data.large.last(), times(last), r.data.large.rows, times(breadth), r.data.small.rows, min(deepPage, r.data.thinned.last()), times(thinned))
	if m := r.sides(readFirst, oursPlain); m != nil && r.sides(readDeep, oursPlain) != nil && r.sides(readLast, oursPlain) != nil && r.sides(readSmall, oursPlain) != nil {
		beside := func(name string) string {
			mid, _, _ := ratio(r.http[name].of[oursPlain], m.of[oursPlain], used)
			return times(mid)
		}
		seen += fmt.Sprintf("; over HTTP beside page 1: deep %s, last %s, small account %s", beside(readDeep), beside(readLast), beside(readSmall))
	}
	return seen, deep <= 1.2 && last <= 2 && breadth <= 1.3 && thinned <= 1.2
}

func (r *results) totalGoal() (string, bool) {
	if len(r.process) == 0 {
		return "", false
	}
	few, many := r.more(callOneOfFew, callOneOfOne), r.more(callOneOfMany, callOneOfOne)
	whole := r.call(callOneOfMany, callOneOfFew)
	return fmt.Sprintf("a list that needs no total takes %s us of CPU, one of %d shipments %s us more, one of %d %s us more: %s of the small one",
		number(medians(r.process[callOneOfOne])[cpu]), r.data.small.rows, signed(few), r.data.large.rows, signed(many), times(whole)), many <= 10 && whole <= 1.2
}

func (r *results) filterGoal() (string, bool) {
	if len(r.process) == 0 {
		return "", false
	}
	followed, stopped := r.call(callFollowed, callPlain), r.call(callStopped, callPlain)
	return fmt.Sprintf("CPU with false %s, with true %s, of %d shipments", times(followed), times(stopped), r.data.large.rows), math.Max(followed, stopped) <= 1.5
}

func (r *results) ingestGoal() (string, bool) {
	if len(r.ingest) == 0 {
		return "", false
	}
	grouped, alone := r.ingest[ingestGrouped], r.ingest[ingestAlone]
	gain, least, most := ratio(grouped, alone, func(f figures) float64 { return f[perSecond] })
	share := medians(grouped)[perSecond] / r.disk()
	return fmt.Sprintf("%s (%s to %s) of one update per transaction, %s of serial fsyncs; an update takes %s us of CPU in a group and %s us alone, an fsync %s us",
		times(gain), times(least), times(most), times(share), number(medians(grouped)[cpu]), number(medians(alone)[cpu]), number(median(r.fsync))), gain >= 4 && share >= 0.6
}

func (r *results) growthGoal() (string, bool) {
	if r.updates == 0 {
		return "", false
	}
	growth := r.perUpdate() / 1024
	return fmt.Sprintf("%s KB, over %d updates", number(growth), r.updates), growth <= 10
}

func (r *results) mixedGoal() (string, bool) {
	if len(r.mixed) == 0 {
		return "", false
	}
	single, page := r.mixed[readSingle], r.mixed[readFirst]
	one, _, _ := single.p99()
	many, _, _ := page.p99()
	came := math.Min(median(single.updates), median(page.updates))
	return fmt.Sprintf("one shipment %s, page %s, at %s of the updates that were to come in", times(one), times(many), percent(came/r.pace)),
		one <= 3 && many <= 3 && came >= 0.9*r.pace
}

func (r *results) limitGoal() (string, bool) {
	l := r.limits
	if l.keys == 0 {
		return "", false
	}
	quick, small := l.allow <= 1.3*l.plain, l.perKey <= 134 && l.perStamp <= 4
	return fmt.Sprintf("%s allocations (%s); a random one of %d keys %s ns, look-up and clock alone %s ns: %s (%s); %s bytes a key with one stamp, %s for each further stamp (%s)",
		number(l.allocs), met(l.allocs == 0), l.keys, number(l.allow), number(l.plain), times(l.allow/l.plain), met(quick), number(l.perKey), number(l.perStamp), met(small)), l.allocs == 0 && quick && small
}

func (r *results) allocationGoal() (string, bool) {
	single, page := r.sides(readSingle, oursPlain), r.sides(readFirst, oursPlain, oursCached)
	if single == nil || page == nil {
		return "", false
	}
	of := func(m *measured, side string) float64 { return medians(m.of[side])[allocs] }
	one, cold, warm := of(single, oursPlain), of(page, oursPlain), of(page, oursCached)
	return fmt.Sprintf("one shipment %s (%s), cold page %s (%s), warm page %s (%s)", number(one), met(one <= 45), number(cold), met(cold <= 350), number(warm), met(warm <= 60)),
		one <= 45 && cold <= 350 && warm <= 60
}

func signed(x float64) string {
	if x < 0 {
		return "-" + number(-x)
	}
	return number(x)
}
