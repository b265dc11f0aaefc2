package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/jmoiron/sqlx/reflectx"
	_ "github.com/mattn/go-sqlite3" // the driver
)

// naive answers as most programs would: a table of SQLite with a column for each attribute,
// rows read into structs by sqlx, and encoding/json.
type naive struct {
	// reads has many connections, writes one.
	reads, writes *sqlx.DB
	totals        map[string]int // known, by carrier; of "" for all
}

// naiveConfig is the configuration of its process.
type naiveConfig struct {
	From source
	File string
}

// naiveMain is the process of the naive server. It reports its address.
func naiveMain(ctx context.Context, p *parent) error {
	var c naiveConfig
	if err := p.hear(&c); err != nil {
		return err
	}
	n, err := openNaive(ctx, c)
	if err != nil {
		return err
	}
	defer n.close()
	addr, err := serveHTTP(ctx, handlerOf(n))
	if err == nil {
		err = p.say(addr)
	}
	if err == nil {
		p.wait()
	}
	return err
}

func (n *naive) close() { _, _ = n.reads.Close(), n.writes.Close() }

func openNaive(ctx context.Context, c naiveConfig) (n *naive, err error) {
	n = &naive{totals: map[string]int{}}
	for _, db := range []**sqlx.DB{&n.reads, &n.writes} {
		if *db, err = sqlx.ConnectContext(ctx, "sqlite3", "file:"+c.File+"?_journal_mode=WAL&_synchronous=FULL&_txlock=immediate&_busy_timeout=5000&_cache_size=-16384"); err != nil {
			return nil, err
		}
		(*db).Mapper = reflectx.NewMapperFunc("json", strings.ToLower)
	}
	n.writes.SetMaxOpenConns(1)
	return n, n.fill(ctx, c.From)
}

// naiveIndexes are made when the tables are filled, with the tables that writes add to.
var naiveIndexes = []string{
	"CREATE INDEX shipment_account ON shipment (account, seq)",
	"CREATE INDEX shipment_carrier ON shipment (account, shipping_line_scac, seq)",
	"CREATE INDEX container_shipment ON container (shipment)",
	"CREATE TABLE fact (id INTEGER PRIMARY KEY, container TEXT, received_at TEXT, doc TEXT)",
	"CREATE TABLE transport_event (id INTEGER PRIMARY KEY, container TEXT, event TEXT, at TEXT)",
	"CREATE TABLE change (id INTEGER PRIMARY KEY, container TEXT, doc TEXT)",
	"CREATE INDEX fact_container ON fact (container)",
	"CREATE INDEX event_container ON transport_event (container)",
	"CREATE INDEX change_container ON change (container)",
}

func (n *naive) fill(ctx context.Context, from source) error {
	for _, t := range tables {
		names := columns(t)
		names[0], names[1] = "seq INTEGER", "id TEXT NOT NULL PRIMARY KEY"
		if _, err := n.writes.ExecContext(ctx, "CREATE TABLE "+t.table()+" ("+strings.Join(names, ", ")+")"); err != nil {
			return err
		}
	}
	tx, err := n.writes.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	err = from.each(ctx, func(all []record) error {
		for _, r := range all {
			if s, ok := r.(*shipmentRow); ok {
				n.totals[""]++
				n.totals[textOf(s.ShippingLineSCAC)]++
			}
			names := strings.Join(columns(r), ", ")
			if _, err := tx.ExecContext(ctx, "INSERT INTO "+r.table()+" ("+names+") VALUES (?"+strings.Repeat(", ?", strings.Count(names, ","))+")", values(r)...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, statement := range naiveIndexes {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// page reads a page of shipments with what they include.
func (n *naive) page(ctx context.Context, q pageQuery) ([]byte, error) {
	where, args := "account = ?", []any{ourAccount}
	if q.scac != "" {
		where, args = where+" AND shipping_line_scac = ?", append(args, q.scac)
	}
	var rows []*shipmentRow
	err := n.reads.SelectContext(ctx, &rows, "SELECT * FROM shipment WHERE "+where+" ORDER BY seq DESC LIMIT ? OFFSET ?", append(args, q.size, (q.number-1)*q.size)...)
	if err != nil {
		return nil, err
	}
	total := n.totals[q.scac]
	if q.count {
		if err := n.reads.GetContext(ctx, &total, "SELECT count(*) FROM shipment WHERE "+where, args...); err != nil {
			return nil, err
		}
	}
	page := pageRows{query: q, shipments: rows, total: total}
	if err := n.include(ctx, &page); err != nil {
		return nil, err
	}
	return page.encode()
}

// include reads what the shipments of a page include.
func (n *naive) include(ctx context.Context, p *pageRows) (err error) {
	shipments, ports, terminals := wanted(p.shipments)
	if p.containers, err = related[*containerRow](ctx, n.reads, "container", "shipment", shipments); err != nil {
		return err
	}
	if p.ports, err = related[*portRow](ctx, n.reads, "port", "id", ports); err != nil {
		return err
	}
	p.terminals, err = related[*terminalRow](ctx, n.reads, "terminal", "id", terminals)
	return err
}

func (n *naive) single(ctx context.Context, id string) ([]byte, error) {
	var s shipmentRow
	if err := n.reads.GetContext(ctx, &s, "SELECT * FROM shipment WHERE id = ?", id); err != nil {
		return nil, err
	}
	boxes := []reference{}
	if err := n.reads.SelectContext(ctx, &boxes, "SELECT id, 'container' AS type FROM container WHERE shipment = ?", id); err != nil {
		return nil, err
	}
	return json.Marshal(singleDocument{s.resource(boxes)})
}

// write reads one row and writes five, in a transaction that waits for the disk.
func (n *naive) write(ctx context.Context, m movement) error {
	tx, err := n.writes.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	var shipment string
	if err := tx.GetContext(ctx, &shipment, "SELECT shipment FROM container WHERE id = ?", m.Container); err != nil {
		return err
	}
	doc, err := json.Marshal(m)
	if err != nil {
		return err
	}
	for _, s := range []struct {
		text string
		args []any
	}{
		{"INSERT INTO fact (container, received_at, doc) VALUES (?, ?, ?)", []any{m.Container, m.At, string(doc)}},
		{"UPDATE container SET location_at_pod_terminal = ?, available_for_pickup = ?, terminal_checked_at = ?, updated_at = ? WHERE id = ?", []any{m.Yard, m.Available, m.At, m.At, m.Container}},
		{"UPDATE shipment SET updated_at = ? WHERE id = ?", []any{m.At, shipment}},
		{"INSERT INTO transport_event (container, event, at) VALUES (?, ?, ?)", []any{m.Container, "container.updated", m.At}},
		{"INSERT INTO change (container, doc) VALUES (?, ?)", []any{m.Container, string(doc)}},
	} {
		if _, err := tx.ExecContext(ctx, s.text, s.args...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// related reads the rows of a table that belong to these.
func related[T any](ctx context.Context, db *sqlx.DB, table, column string, values []string) (rows []T, err error) {
	if len(values) == 0 {
		return nil, nil
	}
	query, args, err := sqlx.In("SELECT * FROM "+table+" WHERE "+column+" IN (?)", values)
	if err != nil {
		return nil, err
	}
	return rows, db.SelectContext(ctx, &rows, query, args...)
}

// startNaive starts the naive server.
func (r *run) startNaive(ctx context.Context) error {
	var addr string
	c, err := r.startServer(ctx, roleNaive, naiveConfig{r.from, r.file("naive.db")}, &addr)
	if err != nil {
		return err
	}
	cpu := func() time.Duration { return cpuOf(c.pid()) }
	r.reads("naive, total known", addr, "", "", cpu)
	r.reads("naive, count(*)", addr, "", "&count=1", cpu)
	r.singles("naive", addr, "", cpu)
	r.writes("naive, six statements", addr, cpu, func(_ box, m movement) ([]byte, error) { return m.wire(addr) })
	return nil
}
