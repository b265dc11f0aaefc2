package main

import (
	"fmt"
	"strings"
	"time"
)

// results are all figures of a run.
type results struct {
	plan   plan
	around surroundings
	sqlite string
	data   *data

	names      []string // of http, in order
	http       map[string]*measured
	process    map[string][]figures
	ingest     map[string][]figures
	mixed      map[string]*mixed
	pace       float64   // updates a second that come in during mixed
	fsync      []float64 // us, by round
	limits     limitFigures
	bulk       *bulkFigures // nil: not measured
	drained    *drained     // nil: not measured
	isolated   *isolated
	fields     []*fieldFigures   // empty: not measured
	exceptions *exceptionFigures // nil: not measured
	pages      *pageFigures      // nil: not measured
	caches     []*cacheFigures   // empty: not measured
	started    *startFigures     // nil: not measured
	documents  *documentFigures  // nil: not measured
	followers  *followerFigures  // nil: not measured
	naiveRows  int

	updates int
	growth  int64 // bytes of the file by all updates
	logged  int64 // bytes of SQLite's log by one update
}

func newResults(p plan, around surroundings) *results {
	return &results{
		plan: p, around: around, data: &data{}, http: map[string]*measured{}, process: map[string][]figures{},
		ingest: map[string][]figures{}, mixed: map[string]*mixed{},
	}
}

// markdown is the section of a run in the results file.
func (r *results) markdown() string {
	var b strings.Builder
	r.head(&b)
	r.overHTTP(&b)
	r.within(&b)
	r.ingested(&b)
	r.reading(&b)
	r.caching(&b)
	r.delivering(&b)
	r.isolation(&b)
	r.byFields(&b)
	r.byExceptions(&b)
	r.byPages(&b)
	r.byDocuments(&b)
	r.byFollowers(&b)
	r.goals(&b)
	return b.String()
}

func (r *results) head(b *strings.Builder) {
	a := r.around
	commit := a.commit
	if a.dirty {
		commit += ", **with changes that are in no commit**"
	}
	fmt.Fprintf(b, "## %s, commit %.12s, %d shipments\n\n", a.when.Format(time.DateOnly), a.commit, r.data.large.rows)
	lines := []string{
		"Commit " + commit + "; " + a.when.Format(time.RFC3339),
		fmt.Sprintf("Machine: %s, %d cores, %s memory, %s; database on %s; load average before the run %s", a.processor, a.cores, a.memory, a.system, a.fileSystem, a.background),
		fmt.Sprintf("%s, GOMAXPROCS %d, GOGC %d; SQLite %s", a.goVersion, a.parallel, a.gogc, r.sqlite),
		fmt.Sprintf("Data: one file of %s, without the log; accounts in it:", megabytes(r.data.bytes)),
	}
	for _, f := range r.data.filled {
		lines = append(lines, f.what+": "+f.String())
	}
	lines = append(lines,
		fmt.Sprintf("small and working are handed in as facts, in reports of some %d; large has copies of the small account's records under other IDs and numbers, a day earlier with each time round, written through the store, without facts; page %d and the last, %d, hold copies of the same voyages as page 1, so all these answers have the same length but for their links", factsPerReport, r.data.deep(), r.data.large.last()),
		fmt.Sprintf("thinned: %d parties, left of %d", r.data.thinned.rows, r.data.parties),
		fmt.Sprintf("Rounds: %d of %s for each load, medians, in the random order of seed %d; %d connections read, %d write; the row cache has %d MB, what is kept of answers %d MB", r.plan.rounds, r.plan.each, r.plan.seed, r.plan.connections, callers, programCaches.rows>>20, programCaches.answers>>20),
	)
	list(b, lines...)
	b.WriteString("\nKeys are checked and queries are parsed in every request; rate limits are set to none. Server and load generator share the cores; CPU, allocations and bytes are the server's alone, net/http included.\n")
	if r.naiveRows > 0 {
		fmt.Fprintf(b, "\"Naive\" reads a column for each attribute into structs (sqlx), and writes encoding/json; it checks no key, and its table has %d shipments.\n", r.naiveRows)
	}
}

func (r *results) overHTTP(b *strings.Builder) {
	if len(r.names) == 0 {
		return
	}
	t := table{head: []string{"over HTTP", "", "req/s", "p50 us", "p99 us", "CPU us", "allocs", "alloc KB", "response bytes", "client CPU us"}}
	for _, name := range r.names {
		m := r.http[name]
		for _, side := range m.sides {
			f := medians(m.of[side])
			t.add(name, side, f.text(perSecond), f.text(p50), f.text(p99), f.text(cpu), f.text(allocs), kilobytes(f[allocated]), f.text(body), f.text(client))
		}
		for _, pair := range comparisons {
			r.compare(&t, m, pair[0], pair[1])
		}
	}
	t.write(b)
}

// comparisons are the sides whose ratios are shown.
var comparisons = [][2]string{{oursPlain, bareHTTP}, {oursCached, bareHTTP}, {oursPlain, naiveKnown}, {oursPlain, naiveCount}}

// compare adds a row with the ratio of two sides, if both were measured.
func (r *results) compare(t *table, m *measured, one, other string) {
	if len(m.of[one]) == 0 || len(m.of[other]) == 0 {
		return
	}
	write := percent
	if other != bareHTTP {
		write = times
	}
	rate, least, most := m.ratio(one, other, perSecond)
	used, cpuLeast, cpuMost := m.ratio(one, other, cpu)
	t.add("", one+" / "+other, fmt.Sprintf("**%s** (%s to %s)", write(rate), write(least), write(most)), "", "", fmt.Sprintf("**%s** (%s to %s)", times(used), times(cpuLeast), times(cpuMost)))
}

func (r *results) within(b *strings.Builder) {
	if len(r.process) == 0 {
		return
	}
	t := table{head: []string{"the handler alone, one goroutine", "us", "CPU us", "allocs", "alloc KB"}}
	for _, name := range callNames {
		f := medians(r.process[name])
		t.add(name, number(1e6/f[perSecond]), f.text(cpu), f.text(allocs), kilobytes(f[allocated]))
	}
	t.write(b)
}

func (r *results) ingested(b *strings.Builder) {
	if len(r.ingest) == 0 {
		return
	}
	disk := r.disk()
	t := table{head: []string{"ingest from Go: one new fact of a known shipment", "updates/s", "of serial fsyncs", "p50 us", "p99 us", "CPU us", "allocs", "alloc KB"}}
	for _, way := range ingestWays {
		f := medians(r.ingest[way.name])
		t.add(way.name, f.text(perSecond), times(f[perSecond]/disk), f.text(p50), f.text(p99), f.text(cpu), f.text(allocs), kilobytes(f[allocated]))
	}
	t.write(b)
	fmt.Fprintf(b, "\nWrite and fsync of 4 KB: median %s us, so %s/s one after the other. An update writes %s KB to the log (median); the file grew by %s KB an update over %d updates.\n",
		number(median(r.fsync)), number(disk), kilobytes(float64(r.logged)), kilobytes(r.perUpdate()), r.updates)
}

// reading shows the reads while updates come in.
func (r *results) reading(b *strings.Builder) {
	if len(r.mixed) == 0 {
		return
	}
	t := table{head: []string{"reads from the server with caches", "updates/s", "req/s", "p50 us", "p99 us"}}
	for _, name := range []string{readSingle, readFirst} {
		m := r.mixed[name]
		idle, busy := medians(m.idle), medians(m.busy)
		t.add(name, "0", idle.text(perSecond), idle.text(p50), idle.text(p99))
		t.add(name, number(median(m.updates)), busy.text(perSecond), busy.text(p50), busy.text(p99))
		mid, least, most := m.p99()
		t.add("", "with / without", "", "", fmt.Sprintf("**%s** (%s to %s)", times(mid), times(least), times(most)))
	}
	t.write(b)
	fmt.Fprintf(b, "\nUpdates are let in at %s a second, half of the most that were seen; the reads are made as fast as %d connections can.\n", number(r.pace), r.plan.connections)
}

// p99 is that of the reads with updates over that without.
func (r *results) delivering(b *strings.Builder) {
	if r.drained == nil {
		return
	}
	fmt.Fprintf(b, "\nDelivering a backlog of %d notifications to one endpoint that verifies them, %d at a time:\n\n", r.drained.deliveries, parallelAttempts)
	t := table{head: []string{"", "deliveries/s", "us CPU each", "allocations", "KB allocated"}}
	for _, name := range []string{drainFloor, drainOurs, drainAlone} {
		f := medians(r.drained.of[name])
		t.add(name, f.text(perSecond), f.text(cpu), f.text(allocs), kilobytes(f[allocated]))
	}
	t.write(b)
	fmt.Fprintf(b, "\nCPU and allocations are the sender's alone. A notification takes %.0f bytes of the file with one webhook on its event, its frozen documents included, and %.0f with ten.\n", r.drained.one, r.drained.ten)
}

func (m *mixed) p99() (mid, least, most float64) {
	return ratio(m.busy, m.idle, func(f figures) float64 { return f[p99] })
}

// disk is how many small writes a second the disk makes durable, one by one.
func (r *results) disk() float64 { return 1e6 / median(r.fsync) }

func (r *results) perUpdate() float64 { return float64(r.growth) / float64(max(1, r.updates)) }

func list(b *strings.Builder, items ...string) {
	for _, s := range items {
		b.WriteString("- " + s + "\n")
	}
}

// table is one of Markdown.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) {
	for len(cells) < len(t.head) {
		cells = append(cells, "")
	}
	t.rows = append(t.rows, cells)
}

func (t *table) write(b *strings.Builder) {
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	b.WriteString("\n")
	line(t.head)
	b.WriteString(strings.Repeat("|---", len(t.head)) + "|\n")
	for _, row := range t.rows {
		line(row)
	}
}

func (f figures) text(i int) string { return number(f[i]) }

// number has three digits that count, or all before the point.
func number(x float64) string {
	switch {
	case x >= 100 || x == 0:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }
func times(x float64) string   { return fmt.Sprintf("%.2fx", x) }

func kilobytes(bytes float64) string { return number(bytes / 1024) }
func megabytes(bytes int64) string   { return fmt.Sprintf("%.0f MB", float64(bytes)/(1<<20)) }
