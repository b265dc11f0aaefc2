package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// onPgx is a server as somebody would write it by hand for these requests alone: PostgreSQL
// by pgx, a table with a column for each attribute, rows scanned into structs, and documents
// appended to a buffer. Where it is asked to, it leaves them to encoding/json, as more would.
type onPgx struct {
	db     *pgxpool.Pool
	totals map[string]int // known, by carrier; of "" for all
}

// pgxConfig is the configuration of its process.
type pgxConfig struct {
	From source
	URL  string
}

// pgxConnections bounds its connections: more gain nothing on a few cores.
const pgxConnections = 32

// pgxMain is the process of the server. It reports its address.
func pgxMain(ctx context.Context, p *parent) error {
	var c pgxConfig
	if err := p.hear(&c); err != nil {
		return err
	}
	db, err := openPool(ctx, c.URL)
	if err != nil {
		return err
	}
	defer db.Close()
	s := &onPgx{db: db, totals: map[string]int{}}
	if err := s.fill(ctx, c.From); err != nil {
		return err
	}
	addr, err := serveHTTP(ctx, handlerOf(s))
	if err == nil {
		err = p.say(addr)
	}
	if err == nil {
		p.wait()
	}
	return err
}

func openPool(ctx context.Context, url string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = pgxConnections
	return pgxpool.NewWithConfig(ctx, config)
}

// pgxTypes are the types of columns by those of the fields.
var pgxTypes = map[reflect.Kind]string{
	reflect.Int: "bigint", reflect.String: "text", reflect.Float64: "float8", reflect.Bool: "boolean", reflect.Slice: "json",
}

// createTable is the statement that makes the table of a record.
func createTable(r record) string {
	names, fields := columns(r), r.fields()
	for i := range names {
		t := reflect.TypeOf(fields[i]).Elem()
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		names[i] += " " + pgxTypes[t.Kind()]
	}
	names[1] += " PRIMARY KEY"
	return "CREATE TABLE " + r.table() + " (" + strings.Join(names, ", ") + ")"
}

// pgxIndexes are made when the tables are filled, with the tables that writes add to.
var pgxIndexes = []string{
	"CREATE INDEX ON shipment (account, seq)",
	"CREATE INDEX ON shipment (account, shipping_line_scac, seq)",
	"CREATE INDEX ON container (shipment)",
	"CREATE TABLE fact (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, container text, received_at text, doc json)",
	"CREATE TABLE transport_event (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, container text, event text, at text)",
	"CREATE TABLE change (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, container text, doc json)",
	"CREATE INDEX ON fact (container)",
	"CREATE INDEX ON transport_event (container)",
	"CREATE INDEX ON change (container)",
	"VACUUM ANALYZE",
}

func (s *onPgx) fill(ctx context.Context, from source) error {
	for _, t := range tables {
		if _, err := s.db.Exec(ctx, createTable(t)); err != nil {
			return err
		}
	}
	err := from.each(ctx, func(all []record) error {
		rows := map[string][][]any{}
		for _, r := range all {
			if one, ok := r.(*shipmentRow); ok {
				s.totals[""]++
				s.totals[textOf(one.ShippingLineSCAC)]++
			}
			rows[r.table()] = append(rows[r.table()], values(r))
		}
		for _, t := range tables {
			if _, err := s.db.CopyFrom(ctx, pgx.Identifier{t.table()}, columns(t), pgx.CopyFromRows(rows[t.table()])); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, statement := range pgxIndexes {
		if _, err := s.db.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// The statements of reads. A star would do as well, but for columns that are added later.
var (
	pgxShipments  = "SELECT " + strings.Join(columns(&shipmentRow{}), ", ") + " FROM shipment"
	pgxContainers = "SELECT " + strings.Join(columns(&containerRow{}), ", ") + " FROM container WHERE shipment = ANY($1) ORDER BY seq"
	pgxPorts      = "SELECT " + strings.Join(columns(&portRow{}), ", ") + " FROM port WHERE id = ANY($1)"
	pgxTerminals  = "SELECT " + strings.Join(columns(&terminalRow{}), ", ") + " FROM terminal WHERE id = ANY($1)"
)

// page reads a page of shipments, and then all that they include in one more round trip.
func (s *onPgx) page(ctx context.Context, q pageQuery) ([]byte, error) {
	args := []any{q.size, (q.number - 1) * q.size, ourAccount}
	if q.scac != "" {
		args = append(args, q.scac)
	}
	found, err := s.db.Query(ctx, pgxShipments+pgxWhere(q, 3)+" ORDER BY seq DESC LIMIT $1 OFFSET $2", args...)
	if err != nil {
		return nil, err
	}
	rows, err := scanned[shipmentRow](found)
	if err != nil {
		return nil, err
	}
	page := pageRows{query: q, shipments: rows, total: s.totals[q.scac]}
	var batch pgx.Batch
	page.queue(&batch)
	if q.count {
		count := batch.Queue("SELECT count(*) FROM shipment"+pgxWhere(q, 1), args[2:]...)
		count.QueryRow(func(r pgx.Row) error { return r.Scan(&page.total) })
	}
	if err := s.db.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, err
	}
	if q.plain {
		return page.encode()
	}
	return page.append(make([]byte, 0, 192<<10)), nil
}

// pgxWhere is the condition of a page, whose first parameter is the n-th.
func pgxWhere(q pageQuery, n int) string {
	where := fmt.Sprintf(" WHERE account = $%d", n)
	if q.scac != "" {
		where += fmt.Sprintf(" AND shipping_line_scac = $%d", n+1)
	}
	return where
}

// queue asks for what the shipments of the page include.
func (p *pageRows) queue(batch *pgx.Batch) {
	shipments, ports, terminals := wanted(p.shipments)
	batch.Queue(pgxContainers, shipments).Query(func(found pgx.Rows) (err error) {
		p.containers, err = scanned[containerRow](found)
		return err
	})
	batch.Queue(pgxPorts, ports).Query(func(found pgx.Rows) (err error) {
		p.ports, err = scanned[portRow](found)
		return err
	})
	batch.Queue(pgxTerminals, terminals).Query(func(found pgx.Rows) (err error) {
		p.terminals, err = scanned[terminalRow](found)
		return err
	})
}

func (s *onPgx) single(ctx context.Context, id string) ([]byte, error) {
	var rows []*shipmentRow
	var boxes []string
	var batch pgx.Batch
	batch.Queue(pgxShipments+" WHERE id = $1", id).Query(func(found pgx.Rows) (err error) {
		rows, err = scanned[shipmentRow](found)
		return err
	})
	batch.Queue("SELECT id FROM container WHERE shipment = $1", id).Query(func(found pgx.Rows) (err error) {
		boxes, err = pgx.CollectRows(found, pgx.RowTo[string])
		return err
	})
	if err := s.db.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, pgx.ErrNoRows
	}
	b := append(make([]byte, 0, 8<<10), `{"data":`...)
	return append(rows[0].append(b, boxes), '}'), nil
}

// scanned reads all rows into structs.
func scanned[T any, P interface {
	*T
	record
}](found pgx.Rows) (rows []*T, err error) {
	defer found.Close()
	for found.Next() {
		r := new(T)
		if err := found.Scan(P(r).fields()...); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, found.Err()
}

// write reads one row and writes five, in a transaction that waits for the disk.
func (s *onPgx) write(ctx context.Context, m movement) error {
	doc, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.db, func(tx pgx.Tx) error {
		var shipment string
		if err := tx.QueryRow(ctx, "SELECT shipment FROM container WHERE id = $1 FOR UPDATE", m.Container).Scan(&shipment); err != nil {
			return err
		}
		var batch pgx.Batch
		for _, w := range []struct {
			text string
			args []any
		}{
			{"INSERT INTO fact (container, received_at, doc) VALUES ($1, $2, $3)", []any{m.Container, m.At, doc}},
			{"UPDATE container SET location_at_pod_terminal = $1, available_for_pickup = $2, terminal_checked_at = $3, updated_at = $3 WHERE id = $4", []any{m.Yard, m.Available, m.At, m.Container}},
			{"UPDATE shipment SET updated_at = $1 WHERE id = $2", []any{m.At, shipment}},
			{"INSERT INTO transport_event (container, event, at) VALUES ($1, $2, $3)", []any{m.Container, "container.updated", m.At}},
			{"INSERT INTO change (container, doc) VALUES ($1, $2)", []any{m.Container, doc}},
		} {
			if m.Batch {
				batch.Queue(w.text, w.args...)
			} else if _, err := tx.Exec(ctx, w.text, w.args...); err != nil {
				return err
			}
		}
		if !m.Batch {
			return nil
		}
		return tx.SendBatch(ctx, &batch).Close()
	})
}
