package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestGoals holds each goal's line to its limit, on both sides of it.
func TestGoals(t *testing.T) {
	for _, test := range []struct {
		name string
		goal string // begins the line
		set  func(r *results, x float64)
		// A run with this figure meets the goal, and with that one misses it.
		good, bad float64
	}{
		{"single", "| 1 |", rateOf(readSingle, oursPlain), 0.46, 0.44},
		{"cold page", "| 2 |", rateOf(readFirst, oursPlain), 0.23, 0.21},
		{"warm page", "| 3 |", rateOf(readFirst, oursCached), 0.61, 0.59},
		{"CPU of a warm page", "| 4 |", func(r *results, x float64) { r.http[readFirst].of[oursCached][0][cpu] = x }, 1.7, 1.9},
		{"naive, total known", "| 5 |", func(r *results, x float64) { r.http[readFirst].of[naiveKnown][0][perSecond] = 1 / x }, 5.1, 4.9},
		{"naive, counting", "| 5 |", func(r *results, x float64) { r.http[readFirst].of[naiveCount][0][perSecond] = 1 / x }, 12.1, 11.9},
		{"deep page", "| 8 |", call(callDeep), 1.1, 1.3},
		{"last page", "| 8 |", call(callLast), 1.9, 2.1},
		{"large account", "| 8 |", call(callFirst), 1.2, 1.4},
		{"page after deletions", "| 8 |", call(callPartiesLater), 1.1, 1.3},
		{"total", "| 9 |", call(callOneOfMany), 1.1, 1.3},
		{"time of the total", "| 9 |", func(r *results, x float64) {
			for _, c := range []string{callOneOfMany, callOneOfFew} {
				r.process[c][0][cpu] = 1 + x
			}
		}, 9, 11},
		{"followed", "filter[tracking_stopped]", call(callFollowed), 1.4, 1.6},
		{"stopped", "filter[tracking_stopped]", call(callStopped), 1.4, 1.6},
		{"few by a field", "filter by a custom field", ofFields(fieldsFew), 1.4, 1.6},
		{"few by a range", "filter by a custom field", ofFields(fieldsFewMore), 1.4, 1.6},
		{"setting a field", "setting a custom field", ofFields(fieldsSet), 1.2, 1.4},
		{"a PDF", "a PDF of five pages", func(r *results, x float64) { r.documents.alone[0][p50] = 1000 * x }, 149, 151},
		{"PDFs a second", "a PDF of five pages", func(r *results, x float64) { r.documents.parallel[0][perSecond] = x }, 21, 19},
		{"creating a document", "creating a document", func(r *results, x float64) { r.documents.of[documentPost][0][p99] = x }, 1.9, 2.1},
		{"documents by a number", "documents by a word", func(r *results, x float64) { r.documents.of[documentsOne][0][cpu] = x }, 1.4, 1.6},
		{"documents by a word", "documents by a word", func(r *results, x float64) { r.documents.of[documentsFew][0][cpu] = x }, 1.4, 1.6},
		{"group commit", "| 10 |", func(r *results, x float64) { r.ingest[ingestAlone][0][perSecond] = 1000 / x }, 4.1, 3.9},
		{"beside fsyncs", "| 10 |", func(r *results, x float64) { r.fsync[0] = 1000 * x }, 0.61, 0.59},
		{"growth", "| 11 |", func(r *results, x float64) { r.growth = int64(x * 1024) }, 9.9, 10.1},
		{"reads beside ingest", "p99 within 3x", func(r *results, x float64) { r.mixed[readFirst].busy[0][p99] = x }, 2.9, 3.1},
		{"ingest beside reads", "p99 within 3x", func(r *results, x float64) { r.mixed[readSingle].updates[0] = 500 * x }, 0.95, 0.85},
		{"followers' time", "| 1,000 followers of", func(r *results, x float64) {
			r.followers.lags = []time.Duration{time.Duration(x * float64(time.Millisecond))}
		}, 249, 251},
		{"followers' memory", "| 1,000 followers of", func(r *results, x float64) { r.followers.following.stacks = x * 1024 }, 39, 41},
		{"limiter's time", "| 13 |", func(r *results, x float64) { r.limits.allow = x }, 1.2, 1.4},
		{"limiter's memory", "| 13 |", func(r *results, x float64) { r.limits.perKey = x }, 134, 135},
		{"single's allocations", "| 14 |", allocations(readSingle, oursPlain), 45, 46},
		{"cold allocations", "| 14 |", allocations(readFirst, oursPlain), 350, 351},
		{"warm allocations", "| 14 |", allocations(readFirst, oursCached), 60, 61},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, x := range []float64{test.good, test.bad} {
				r := perfect()
				test.set(r, x)
				if line := goalLine(r, test.goal); strings.HasSuffix(line, "| yes |") != (x == test.good) {
					t.Errorf("with %v: %s", x, line)
				}
			}
		})
	}
}

func goalLine(r *results, has string) string {
	var b strings.Builder
	r.goals(&b)
	for line := range strings.Lines(b.String()) {
		if strings.Contains(line, has) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// perfect are results that meet every goal: whatever is measured is 1.
func perfect() *results {
	ones := func() []figures {
		var f figures
		for i := range f {
			f[i] = 1
		}
		return []figures{f}
	}
	r := newResults(plan{}, surroundings{})
	r.data.large.rows, r.data.small.rows, r.data.thinned.rows = 3000, 2*pageSize, 3000
	for _, name := range []string{readSingle, readFirst} {
		m := &measured{name: name, of: map[string][]figures{}}
		for _, s := range []string{oursPlain, oursCached, bareHTTP, naiveKnown, naiveCount} {
			m.sides = append(m.sides, s)
			m.of[s] = ones()
		}
		r.names, r.http[name] = append(r.names, name), m
		r.mixed[name] = &mixed{idle: ones(), busy: ones(), updates: []float64{500}}
	}
	list := r.http[readFirst]
	list.of[naiveKnown][0][perSecond], list.of[naiveCount][0][perSecond] = 0.01, 0.01
	for _, c := range callNames {
		r.process[c] = ones()
	}
	for _, way := range ingestWays {
		r.ingest[way.name] = ones()
	}
	r.ingest[ingestGrouped][0][perSecond] = 1000
	r.fsync, r.pace, r.updates = []float64{1e6}, 500, 1
	r.limits = limitFigures{keys: 1, allow: 1, plain: 1, perKey: 1, perStamp: 1}
	for range 2 {
		f := &fieldFigures{of: map[string][]figures{}}
		for _, name := range fieldCalls {
			f.of[name] = ones()
		}
		r.fields = append(r.fields, f)
	}
	r.documents = &documentFigures{alone: ones(), parallel: ones(), of: map[string][]figures{}}
	r.documents.parallel[0][perSecond] = 1000
	r.followers = &followerFigures{followers: 1, lags: []time.Duration{1}}
	for _, name := range slices.Concat(documentLists, documentPosts) {
		r.documents.of[name] = ones()
	}
	return r
}

func ofFields(name string) func(*results, float64) {
	return func(r *results, x float64) { r.fields[1].of[name][0][cpu] = x }
}

func rateOf(name, side string) func(*results, float64) {
	return func(r *results, x float64) { r.http[name].of[side][0][perSecond] = x }
}

func allocations(name, side string) func(*results, float64) {
	return func(r *results, x float64) { r.http[name].of[side][0][allocs] = x }
}

func call(name string) func(*results, float64) {
	return func(r *results, x float64) { r.process[name][0][cpu] = x }
}
