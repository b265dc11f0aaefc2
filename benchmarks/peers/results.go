package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"
)

// resultsFile is relative to the root of the repository.
const resultsFile = "benchmarks/RESULTS.md"

// markdown is the section of a run in the results file.
func (r *run) markdown() string {
	var b strings.Builder
	r.head(&b)
	r.served(&b)
	r.delivered(&b)
	r.goals(&b)
	return b.String()
}

func (r *run) head(b *strings.Builder) {
	a := r.around
	commit := a.commit
	if a.dirty {
		commit += ", **with changes that are in no commit**"
	}
	fmt.Fprintf(b, "## %s, commit %.12s, beside peers, %d shipments\n\n", a.when.Format(time.DateOnly), a.commit, r.from.Total)
	list(b,
		"Commit "+commit+"; "+a.when.Format(time.RFC3339),
		fmt.Sprintf("Machine: %s, %d cores, %s memory, %s; load average before the run %s", a.processor, a.cores, a.memory, a.system, a.background),
		"Versions: "+r.versions(),
		fmt.Sprintf("Data: %d shipments and %d containers of one account, which our engine has made and which the others have read from our server; %d notifications to one endpoint", r.from.Total, len(r.held.boxes), r.backlog.n),
		fmt.Sprintf("Rounds: %d of %s for each load, medians, in the random order of seed %d; %d connections read, %d write; the deep page is %d", r.rounds, r.each, r.seed, readers, callers, r.deepPage()),
	)
	list(b, r.skipped...)
	b.WriteString("\n" + notes)
}

func (r *run) versions() string {
	sqlite, _, _ := sqlite3.Version()
	all := []string{
		runtime.Version(), "SQLite " + sqlite,
		"PocketBase " + version("github.com/pocketbase/pocketbase"), "sqlx " + version("github.com/jmoiron/sqlx"),
	}
	if r.postgres != "" {
		all = append(all, "PostgreSQL "+r.postgres, "pgx "+version("github.com/jackc/pgx/v5"), "River "+version("github.com/riverqueue/river"))
	}
	return strings.Join(all, ", ")
}

// notes say what is not the same on both sides.
const notes = `What to know before comparing:

- Each server is a process of its own; the load generator, which is the same for all, shares the cores with them. CPU is the server's, PostgreSQL included, in ticks of 10 ms.
- While other programs run, servers of many processes, such as PostgreSQL, get more of the cores than one that writes in one thread: the rates tell on a quiet machine alone.
- Ours checks a key and parses the whole query in each request; its limits are set to none. The hand-written servers check no key and know these requests alone. PocketBase evaluates its rules, which are public, and logs each request, as it comes.
- pgx and naive answer with our documents: the same attributes, relationships and resources. Those of pgx are appended to a buffer by hand, but for the line that says encoding/json; naive ones are written by that. "Total known" takes the total as known without looking, which no finished server can.
- PocketBase has another JSON: records without relationships and links, empty texts for null, the containers inside each shipment, and no ports or terminals. Its answers are smaller: see the bytes.
- Writes differ. Ours takes one report of a terminal: it checks, derives, and records fact, shipment, container, history and events. pgx and naive run one read and five writes. PocketBase changes one field of one record and answers with the record. All but PocketBase wait for the disk: its synchronous=NORMAL loses the last writes when the power fails.
- GOGC is 400 for all but PocketBase, which keeps that of Go, 100. PostgreSQL has shared_buffers=1GB, fsync and synchronous_commit on, and is reached over a Unix socket with at most 32 connections.
- River sends with our client what ours sends: the same bodies, signed by HMAC-SHA256, to the same receiver, which verifies them. Ours makes 64 attempts at a time.
`

func (r *run) served(b *strings.Builder) {
	t := table{head: []string{"over HTTP", "", "req/s", "p50 us", "p99 us", "CPU us", "response bytes", "ours is"}}
	for _, l := range r.loads() {
		ours := l.of(ourName)
		for _, s := range l.sides {
			f := medians(s.of)
			t.add(l.name, s.name, number(f.perSecond), number(f.p50), number(f.p99), number(f.cpu), number(f.bytes), against(s.name, ours, s.of))
		}
	}
	t.write(b)
}

func (r *run) delivered(b *strings.Builder) {
	t := table{head: []string{"deliveries", "deliveries/s", "CPU us", "ours is"}}
	for _, d := range r.drains {
		f := medians(d.of)
		t.add(d.name, number(f.perSecond), number(f.cpu), against(d.name, r.drains[0].of, d.of))
	}
	t.write(b)
}

// against is how many times faster ours is, with the least and the most of the rounds.
func against(name string, ours, other []figures) string {
	if name == ourName {
		return ""
	}
	c := compare(ours, other)
	return fmt.Sprintf("%s (%s to %s)", times(c.mid), times(c.least), times(c.most))
}

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

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) write(b *strings.Builder) {
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	b.WriteString("\n")
	line(t.head)
	b.WriteString(strings.Repeat("|---", len(t.head)) + "|\n")
	for _, row := range t.rows {
		line(row)
	}
}

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

func times(x float64) string { return fmt.Sprintf("%.2fx", x) }
