package main

import "strings"

// goal is how many times as fast as a peer ours shall be.
type goal struct {
	name string
	want float64
	seen compared
}

func (r *run) allGoals() []goal {
	return []goal{
		{"an uncached page of 30: times " + pgxKnown, 3, compare(r.page.of(ourName), r.page.of(pgxKnown))},
		{"64 callers: times PocketBase's PATCH", 2, compare(r.write.of(ourName), r.write.of(pocketPatch))},
		{"64 callers: times " + pgxSix, 0.6, compare(r.write.of(ourName), r.write.of(pgxSix))},
		{"deliveries: times River, the better of its settings", 1.7, compare(r.drains[0].of, r.bestRiver())},
	}
}

// bestRiver are the figures of River with the workers that serve it best.
func (r *run) bestRiver() (best []figures) {
	for _, d := range r.drains[1:] {
		if medians(d.of).perSecond > medians(best).perSecond {
			best = d.of
		}
	}
	return best
}

func (r *run) goals(b *strings.Builder) {
	t := table{head: []string{"goal", "at least", "seen", "rounds", ""}}
	for _, g := range r.allGoals() {
		t.add(g.row()...)
	}
	t.write(b)
}

func (g goal) row() []string {
	if g.seen.mid == 0 {
		return []string{g.name, times(g.want), "", "", "not measured"}
	}
	verdict := "met"
	if g.seen.mid < g.want {
		verdict = "**missed**"
	}
	return []string{g.name, times(g.want), times(g.seen.mid), strings.Join([]string{times(g.seen.least), times(g.seen.most)}, " to "), verdict}
}
