package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/jmoiron/sqlx/reflectx"
	_ "github.com/mattn/go-sqlite3" // the driver

	"github.com/landfallhq/tracking"
)

// naive answers the list of shipments as most programs would: a table with a
// column for each attribute, rows read into structs by sqlx, and encoding/json.
// It checks no key and parses no more of the query than the page, and its times
// are texts, which spares it parsing them.
type naive struct {
	db *sqlx.DB
	// counting asks for the total each time; otherwise it is known.
	counting bool
	total    int
}

const (
	// mostNaive bounds the shipments that the naive tables hold.
	mostNaive = 100_000
	// naiveAccount is the account that they belong to.
	naiveAccount = 1
)

// openNaive makes tables in a file of their own, with the newest shipments of the
// large account and as many rows as that has, up to mostNaive.
func openNaive(ctx context.Context, file string, e *engine) (_ *naive, err error) {
	db, err := sqlx.ConnectContext(ctx, "sqlite3", "file:"+file+"?_journal_mode=WAL&_cache_size=-16384")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	db.Mapper = reflectx.NewMapperFunc("json", strings.ToLower)
	n := &naive{db: db, total: min(mostNaive, e.large.rows)}
	return n, n.fill(ctx, e)
}

// fill reads what the engine shows and writes it into the tables.
func (n *naive) fill(ctx context.Context, e *engine) error {
	for _, kind := range naiveTables {
		if _, err := n.db.ExecContext(ctx, kind.create(n.db.Mapper)); err != nil {
			return err
		}
	}
	for _, index := range []string{"shipment_account ON shipment (account)", "container_shipment ON container (shipment)"} {
		if _, err := n.db.ExecContext(ctx, "CREATE INDEX "+index); err != nil {
			return err
		}
	}
	t := e.plain.operator.For(tracking.Actor{Account: e.large.scope})
	s, err := t.Rendered().List(ctx, tracking.ShipmentQuery{}, tracking.Page{Number: 1, Size: min(e.small.rows, n.total)}, strings.Split(includes, ","))
	if err != nil {
		return err
	}
	tx, err := n.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	tx.Mapper = n.db.Mapper
	for i, r := range s.Rows { // the newest first
		if err := naiveInsert(ctx, tx, r, n.total-i); err != nil {
			return err
		}
	}
	for i, r := range s.Included {
		if err := naiveInsert(ctx, tx, r, i); err != nil {
			return err
		}
	}
	// The older ones differ from these in nothing but what they are called.
	columns := strings.Join(naiveTables[0].columns(n.db.Mapper)[2:], ", ")
	for have := len(s.Rows); have < n.total; have += have {
		_, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO shipment (seq, id, %s) SELECT seq - %d, lower(hex(randomblob(16))), %s FROM shipment ORDER BY seq DESC LIMIT %d",
			columns, have, columns, min(have, n.total-have)))
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}

// ServeHTTP answers with a page.
func (n *naive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := n.page(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // it fails when the load ends
}

// page reads a page of shipments with what they include.
func (n *naive) page(r *http.Request) ([]byte, error) {
	ctx, query := r.Context(), r.URL.Query()
	number, err := strconv.Atoi(query.Get("page[number]"))
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(query.Get("page[size]"))
	if err != nil {
		return nil, err
	}
	var rows []shipmentRow
	err = n.db.SelectContext(ctx, &rows, "SELECT * FROM shipment WHERE account = ? ORDER BY seq DESC LIMIT ? OFFSET ?", naiveAccount, size, (number-1)*size)
	if err != nil {
		return nil, err
	}
	total := n.total
	if n.counting {
		if err := n.db.GetContext(ctx, &total, "SELECT count(*) FROM shipment WHERE account = ?", naiveAccount); err != nil {
			return nil, err
		}
	}
	var shipments, ports, terminals []string
	for _, s := range rows {
		shipments = append(shipments, s.ID)
		ports = addText(addText(ports, s.PortOfLading), s.PortOfDischarge)
		terminals = addText(terminals, s.PODTerminal)
	}
	boxes, err := related[containerRow](ctx, n.db, "container", "shipment", shipments)
	if err != nil {
		return nil, err
	}
	portRows, err := related[portRow](ctx, n.db, "port", "id", ports)
	if err != nil {
		return nil, err
	}
	terminalRows, err := related[terminalRow](ctx, n.db, "terminal", "id", terminals)
	if err != nil {
		return nil, err
	}
	of := map[string][]reference{}
	for _, b := range boxes {
		of[b.Shipment] = append(of[b.Shipment], reference{b.ID, "container"})
	}
	doc := naiveDocument{Data: []resource{}, Meta: naiveMeta{size, total}}
	for _, s := range rows {
		doc.Data = append(doc.Data, s.resource(append([]reference{}, of[s.ID]...)))
	}
	for _, b := range boxes {
		doc.Included = append(doc.Included, b.resource())
	}
	for _, p := range portRows {
		doc.Included = append(doc.Included, p.resource())
	}
	for _, t := range terminalRows {
		doc.Included = append(doc.Included, t.resource())
	}
	doc.links(r, number, (total+size-1)/size)
	return json.Marshal(doc)
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

func addText(list []string, s *string) []string {
	if s == nil {
		return list
	}
	for _, have := range list {
		if have == *s {
			return list
		}
	}
	return append(list, *s)
}

// naiveDocument is a page in JSON:API.
type naiveDocument struct {
	Data     []resource        `json:"data"`
	Included []resource        `json:"included"`
	Links    map[string]string `json:"links"`
	Meta     naiveMeta         `json:"meta"`
}

type naiveMeta struct {
	Size  int `json:"size"`
	Total int `json:"total"`
}

type resource struct {
	ID            string                  `json:"id"`
	Type          string                  `json:"type"`
	Relationships map[string]relationship `json:"relationships,omitempty"`
	Attributes    any                     `json:"attributes"`
	Links         map[string]string       `json:"links"`
}

type relationship struct {
	Data any `json:"data"`
}

type reference struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

func (d *naiveDocument) links(r *http.Request, number, last int) {
	link := func(page int) string {
		q := r.URL.Query()
		q.Set("page[number]", strconv.Itoa(page))
		return "http://" + r.Host + r.URL.Path + "?" + q.Encode()
	}
	d.Links = map[string]string{"self": link(number), "current": link(number), "first": link(1), "last": link(last)}
	if number > 1 {
		d.Links["prev"] = link(number - 1)
	}
	if number < last {
		d.Links["next"] = link(number + 1)
	}
}

func one(typ string, id *string) relationship {
	if id == nil {
		return relationship{}
	}
	return relationship{reference{*id, typ}}
}

func resourceOf(typ, path, id string, attributes any, relationships map[string]relationship) resource {
	return resource{id, typ, relationships, attributes, map[string]string{"self": "/v2/" + path + "/" + id}}
}
