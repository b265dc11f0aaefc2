package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// source is our server, from which the others get the records that they hold: so all have
// the same.
type source struct {
	Addr, Key string
	// Total is how many shipments it has.
	Total int
}

const (
	// ourAccount is the account of all records in the tables of the others.
	ourAccount = 1
	// readSize is the number of shipments that are read at a time: the most of a page.
	readSize = 100

	includes = "containers,port_of_lading,port_of_discharge,pod_terminal"
)

// record is a row of one of the tables.
type record interface {
	table() string
	// fields are pointers to the fields, in the order of the columns.
	fields() []any
}

func (*shipmentRow) table() string  { return "shipment" }
func (*containerRow) table() string { return "container" }
func (*portRow) table() string      { return "port" }
func (*terminalRow) table() string  { return "terminal" }

// tables has an empty row of each table.
var tables = []record{&shipmentRow{}, &containerRow{}, &portRow{}, &terminalRow{}}

func newRecord(kind string) (record, error) {
	switch kind {
	case "shipment":
		return &shipmentRow{}, nil
	case "container":
		return &containerRow{}, nil
	case "port":
		return &portRow{}, nil
	case "terminal":
		return &terminalRow{}, nil
	}
	return nil, fmt.Errorf("there is no table for a %s", kind)
}

// columns are the names of the columns of a record, in the order of its fields.
func columns(r any) (names []string) {
	t := reflect.TypeOf(r)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
			names = append(names, columns(reflect.Zero(f.Type).Interface())...)
		} else {
			names = append(names, f.Tag.Get("json"))
		}
	}
	return names
}

// values are the values of the fields of a record.
func values(r record) []any {
	all := r.fields()
	for i, pointer := range all {
		all[i] = reflect.ValueOf(pointer).Elem().Interface()
	}
	return all
}

type readDocument struct {
	Data     []readResource `json:"data"`
	Included []readResource `json:"included"`
}

type readResource struct {
	ID            string                     `json:"id"`
	Type          string                     `json:"type"`
	Attributes    map[string]json.RawMessage `json:"attributes"`
	Relationships map[string]struct {
		Data json.RawMessage `json:"data"`
	} `json:"relationships"`
}

// row makes a record of a resource: all its attributes, and the IDs that it refers to.
func (r *readResource) row(seq int) (record, error) {
	to, err := newRecord(r.Type)
	if err != nil {
		return nil, err
	}
	flat := r.Attributes
	for name, other := range r.Relationships {
		var one reference
		if json.Unmarshal(other.Data, &one) == nil && one.ID != "" { // a list is in the other table
			flat[name], _ = json.Marshal(one.ID)
		}
	}
	flat["id"], _ = json.Marshal(r.ID)
	flat["seq"], _ = json.Marshal(seq)
	flat["account"], _ = json.Marshal(ourAccount)
	names := columns(to)
	for name := range flat {
		if name != "account" && !slices.Contains(names, name) { // or the others would answer with less
			return nil, fmt.Errorf("a %s has %s, and there is no column for it in rows.go", r.Type, name)
		}
	}
	all, err := json.Marshal(flat)
	if err != nil {
		return nil, err
	}
	return to, json.Unmarshal(all, to)
}

// each calls put with every record once, page by page, the newest shipment first. The
// sequence numbers of shipments fall.
func (s source) each(ctx context.Context, put func([]record) error) error {
	seen := map[string]bool{}
	seq := s.Total
	for page := 1; seq > 0; page++ {
		doc, err := s.read(ctx, page)
		if err != nil {
			return err
		}
		if len(doc.Data) == 0 {
			return fmt.Errorf("%d shipments of %d are missing", seq, s.Total)
		}
		var all []record
		for _, r := range append(doc.Data, doc.Included...) {
			if seen[r.ID] {
				continue
			}
			seen[r.ID] = true
			one, err := r.row(seq)
			if err != nil {
				return err
			}
			if r.Type == "shipment" {
				seq--
			}
			all = append(all, one)
		}
		if err := put(all); err != nil {
			return err
		}
	}
	return nil
}

func (s source) read(ctx context.Context, page int) (doc readDocument, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Addr+pagePath(page, readSize, "&include="+includes), nil)
	if err != nil {
		return doc, err
	}
	r.Header.Set("Authorization", "Token "+s.Key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return doc, err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %.500s", answer.Status, text)
	}
	if err != nil {
		return doc, err
	}
	return doc, json.Unmarshal(text, &doc)
}

// pagePath asks for a page of shipments, of our server and of those with the same interface.
func pagePath(number, size int, more string) string {
	return fmt.Sprintf("/v2/shipments?page%%5Bnumber%%5D=%d&page%%5Bsize%%5D=%d%s", number, size, more)
}

// wire is a request as it is sent.
func wire(method, addr, path, key, body string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\nAccept: application/json\r\n", method, path, addr)
	if key != "" {
		fmt.Fprintf(&b, "Authorization: Token %s\r\n", key)
	}
	if body != "" {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n" + body)
	return []byte(b.String())
}
