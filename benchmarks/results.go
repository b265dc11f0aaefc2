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
	filled filling

	names   []string // of http, in order
	http    map[string]*measured
	process map[string][]figures
	ingest  map[string][]figures
	fsync   []float64 // us, by round
	limits  limitFigures

	updates int
	growth  int64 // bytes of the file by all updates
	logged  int64 // bytes of SQLite's log by one update
}

// markdown is the section of a run in the results file.
func (r *results) markdown() string {
	var b strings.Builder
	r.head(&b)
	r.overHTTP(&b)
	r.within(&b)
	r.ingested(&b)
	r.goals(&b)
	return b.String()
}

func (r *results) head(b *strings.Builder) {
	a := r.around
	commit := a.commit
	if a.dirty {
		commit += ", **with changes that are in no commit**"
	}
	fmt.Fprintf(b, "## %s, commit %.12s\n\n", a.when.Format(time.DateOnly), a.commit)
	list(b,
		"Commit "+commit+"; "+a.when.Format(time.RFC3339),
		fmt.Sprintf("Machine: %s, %d cores, %s memory, %s; database on %s; load average before the run %s", a.processor, a.cores, a.memory, a.system, a.fileSystem, a.background),
		fmt.Sprintf("%s, GOMAXPROCS %d, GOGC %d; SQLite %s", a.goVersion, a.parallel, a.gogc, r.sqlite),
		fmt.Sprintf("Data: %d shipments, %d containers, %d facts, %d events in %s, filled in %s by reports of some %d facts", r.filled.shipments, r.filled.containers, r.filled.facts, r.filled.events, megabytes(r.filled.bytes), r.filled.took.Round(100*time.Millisecond), factsPerReport),
		fmt.Sprintf("Rounds: %d of %s for each load, medians, in the random order of seed %d; %d connections read, %d write", r.plan.rounds, r.plan.each, r.plan.seed, r.plan.connections, callers),
	)
	b.WriteString("\nKeys are checked and queries are parsed in every request; rate limits are set to none. Server and load generator share the cores; CPU, allocations and bytes are the server's alone, net/http included.\n")
}

func (r *results) overHTTP(b *strings.Builder) {
	if len(r.names) == 0 {
		return
	}
	t := table{head: []string{"over HTTP", "", "req/s", "p50 us", "p99 us", "CPU us", "allocs", "alloc KB", "response bytes", "client CPU us"}}
	for _, name := range r.names {
		m := r.http[name]
		for _, side := range []struct {
			name   string
			rounds []figures
		}{{"ours", m.ours}, {"bare", m.bare}} {
			f := medians(side.rounds)
			t.add(name, side.name, f.text(perSecond), f.text(p50), f.text(p99), f.text(cpu), f.text(allocs), kilobytes(f[allocated]), f.text(body), f.text(client))
		}
		rate, least, most := m.ratio(perSecond)
		used, cpuLeast, cpuMost := m.ratio(cpu)
		t.add("", "ours / bare", fmt.Sprintf("**%s** (%s to %s)", percent(rate), percent(least), percent(most)), "", "", fmt.Sprintf("**%s** (%s to %s)", times(used), times(cpuLeast), times(cpuMost)))
	}
	t.write(b)
}

func (r *results) within(b *strings.Builder) {
	if len(r.process) == 0 {
		return
	}
	t := table{head: []string{"the handler alone, one goroutine", "us", "CPU us", "allocs", "alloc KB"}}
	for _, name := range []string{callSingle, callFirst, callDeep, callSmall, callOneOfMany, callOneOfFew} {
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
