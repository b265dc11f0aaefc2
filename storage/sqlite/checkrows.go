//go:build cgo

package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"
)

// checkBatch is how many rows are checked on one snapshot, and repaired in one
// transaction.
const checkBatch = 500

// rows checks every record of every kind.
func (c *check) rows(ctx context.Context) error {
	tables := *c.store.tables.Load()
	for _, k := range c.kinds {
		t, ok := tables[k.Name]
		if !ok {
			return fmt.Errorf("sqlite: kind %s was not prepared", k.Name)
		}
		p := rowCheck{check: c, t: t, k: k}
		for last, more := int64(-1), true; more; {
			var wrong []int64
			more = false // stays false if the rest of the table cannot be read
			err := c.read(ctx, "the rest of "+t.name+" cannot be read", func(r *conn) (err error) {
				last, more, wrong, err = p.batch(ctx, r, last)
				return err
			})
			if err != nil {
				return err
			}
			if err := p.repairRows(ctx, wrong); err != nil {
				return err
			}
		}
	}
	return nil
}

// rowCheck compares the rows of one kind with their documents.
type rowCheck struct {
	*check
	t *table
	k *store.Kind
}

// checkedRow is a complete row.
type checkedRow struct {
	key
	revision            string
	checksum            []byte
	doc, private, terms []byte
	version             int64
	cols                []driver.Value
}

// fault is something wrong with a row.
type fault struct {
	what   string
	repair func(*conn) error // nil if it cannot be repaired
}

// read reads rows in the order of their rids.
func (p *rowCheck) read(r *conn, where string, args ...driver.Value) (rows []*checkedRow, err error) {
	sql := "SELECT rid, account, id, version, revision, doc, private, terms, checksum"
	for _, c := range p.t.columns {
		sql += ", c_" + c.Name
	}
	err = r.query(sql+" FROM "+p.t.name+" WHERE "+where, args, func(v []driver.Value) error {
		row := &checkedRow{key: key{t: p.t, rid: integer(v[0]), account: integer(v[1])}, version: integer(v[3]), revision: text(v[4])}
		row.doc, row.private, row.terms = bytes.Clone(blob(v[5])), bytes.Clone(blob(v[6])), bytes.Clone(blob(v[7]))
		row.checksum = bytes.Clone(blob(v[8]))
		copy(row.id[:], blob(v[2]))
		for _, value := range v[9:] {
			if b, ok := value.([]byte); ok {
				value = bytes.Clone(b)
			}
			row.cols = append(row.cols, value)
		}
		rows = append(rows, row)
		return nil
	})
	return rows, err
}

// batch checks the rows after `last` and returns the last rid, whether there are
// more rows, and the rids of faulty rows. Without repair, it also reports the
// faults.
func (p *rowCheck) batch(ctx context.Context, r *conn, last int64) (_ int64, more bool, wrong []int64, err error) {
	rows, err := p.read(r, "rid > ? ORDER BY rid LIMIT +?", last, int64(checkBatch))
	if err != nil {
		return last, false, nil, err
	}
	for _, row := range rows {
		if err := ctx.Err(); err != nil {
			return last, false, nil, err
		}
		if row.rid <= last { // otherwise the check would loop
			p.problem(store.Problem{Kind: "file", What: "the rows of " + p.t.name + " are out of order, and the rest cannot be read"})
			return last, false, wrong, nil
		}
		last = row.rid
		p.report.Records++
		switch {
		case row.revision < p.k.Revision:
			p.report.Outdated++
		case row.revision > p.k.Revision:
			p.report.Newer++
		}
		known, _ := row.compareChecksum()
		if !known {
			p.report.WithoutChecksum++
		}
		faults, err := p.faults(r, row)
		if err != nil {
			return last, false, nil, err
		}
		if len(faults) == 0 {
			continue
		}
		wrong = append(wrong, row.rid)
		if !p.request.Repair {
			if err := p.reportFaults(r, row, faults); err != nil {
				return last, false, nil, err
			}
		}
	}
	return last, len(rows) == checkBatch, wrong, nil
}

func (p *rowCheck) reportFaults(r *conn, row *checkedRow, faults []fault) error {
	account, err := p.account(r, row.account)
	for _, f := range faults {
		p.problem(store.Problem{Kind: p.k.Name, Account: account, ID: row.id, What: f.what, Repaired: p.request.Repair && f.repair != nil})
	}
	return err
}

// repairRows repairs the rows with these rids. It checks them again, because they
// may have changed meanwhile.
func (p *rowCheck) repairRows(ctx context.Context, wrong []int64) error {
	if len(wrong) == 0 {
		return nil
	}
	type result struct {
		row    *checkedRow
		faults []fault
	}
	var results []result
	done, err := p.repair(ctx, p.t.name, func(w *conn) error {
		results = nil
		for _, rid := range wrong {
			rows, err := p.read(w, "rid = ?", rid)
			if err != nil {
				return err
			}
			for _, row := range rows {
				faults, err := p.faults(w, row)
				if err != nil {
					return err
				}
				results = append(results, result{row, faults})
				for _, f := range faults {
					if f.repair == nil {
						continue
					}
					if err := f.repair(w); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
	if err != nil || !done {
		return err
	}
	return p.check.read(ctx, "accounts", func(r *conn) error {
		for _, x := range results {
			if err := p.reportFaults(r, x.row, x.faults); err != nil {
				return err
			}
		}
		return nil
	})
}

// faults returns what is wrong with a row.
func (p *rowCheck) faults(r *conn, row *checkedRow) (faults []fault, err error) {
	add := func(repair func(*conn) error, format string, args ...any) {
		faults = append(faults, fault{fmt.Sprintf(format, args...), repair})
	}
	if row.rid>>seqBits != row.account {
		add(nil, "its rid is in the range of account number %d, but its account is %d", row.rid>>seqBits, row.account)
	}
	if row.version < 1 || row.revision == "" {
		add(nil, "it has no version or no revision")
	}
	newer := row.revision > p.k.Revision // perhaps in a form that this program does not know
	if bytes.HasPrefix(row.doc, []byte("{")) || !p.k.Binary && !newer {
		p.checkDocument(row, add)
	}
	if len(faults) > 0 {
		return faults, nil
	}
	_, intact := row.compareChecksum()
	if !intact {
		add(nil, "the document or its private part is damaged: they have another checksum")
	}
	if p.k.Render == nil || row.revision > p.k.Revision {
		return faults, nil
	}
	w, err := p.k.Render(store.Record{ID: row.id, Version: row.version, Doc: row.doc, Private: row.private})
	if err != nil {
		faults = nil // says more than the checksum
		add(nil, "the document cannot be read: %v", err)
		return faults, nil
	}
	if !intact {
		return faults, nil // nothing is derived from it
	}
	if row.revision != p.k.Revision {
		return faults, nil // its columns and terms are those of its own revision
	}
	cols, err := columnValues(p.t, w)
	if err != nil {
		add(nil, "the columns cannot be derived from the document: %v", err)
		return faults, nil
	}
	for i, want := range cols {
		if name, have := p.t.columns[i].Name, row.cols[i]; !equal(have, want) {
			add(func(w *conn) error {
				u := newUpdate(p.t)
				u.set("c_"+name, want)
				return u.exec(w, row.rid)
			}, "column %s is %s, but by the document %s", name, display(have), display(want))
		}
	}
	return p.termFaults(r, row, encodeTerms(w.Terms), faults)
}

// checkDocument adds what is wrong with a document in JSON.
func (p *rowCheck) checkDocument(row *checkedRow, add func(repair func(*conn) error, format string, args ...any)) {
	var head struct{ ID, Type string }
	if err := json.Unmarshal(row.doc, &head); err != nil {
		add(nil, "the document is not JSON: %v", err)
		return
	}
	if id, err := uuid.Parse(head.ID); err != nil || id != row.id {
		add(nil, "the document has the id %s", clip(head.ID))
	}
	if head.Type != p.k.Name {
		add(nil, "the document has the type %s", clip(head.Type))
	}
}

// termFaults adds what is wrong with the terms of a row, which should be want.
func (p *rowCheck) termFaults(r *conn, row *checkedRow, want []byte, faults []fault) ([]fault, error) {
	if !bytes.Equal(row.terms, want) {
		faults = append(faults, fault{"its terms differ from those of the document", func(w *conn) error {
			u := newUpdate(p.t)
			u.set("terms", orNull(want))
			return u.exec(w, row.rid)
		}})
	}
	terms, err := decodeTerms(want)
	if err != nil {
		return nil, err
	}
	for _, term := range terms {
		at := []driver.Value{p.t.no, row.account, term.Name, term.Value, row.rid}
		var id []byte
		err := r.query("SELECT id FROM terms WHERE kind = ? AND account = ? AND name = ? AND value = ? AND rid = ?", at, func(v []driver.Value) error {
			id = bytes.Clone(blob(v[0]))
			return nil
		})
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(id, row.id[:]) {
			faults = append(faults, fault{fmt.Sprintf("it is not found by %s %s", term.Name, clip(term.Value)), func(w *conn) error {
				return w.exec("INSERT INTO terms (kind, account, name, value, rid, id) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET id = excluded.id",
					append(at, row.id[:])...)
			}})
		}
	}
	return faults, nil
}

// terms looks for index entries of terms that no record has. Missing entries are
// found by rows.
func (c *check) terms(ctx context.Context) error {
	tables := *c.store.tables.Load()
	for _, k := range c.kinds {
		p := termCheck{check: c, t: tables[k.Name], kind: k.Name}
		at := termKey{}
		for more := true; more; {
			var stray []termKey
			more = false
			err := c.read(ctx, "the rest of the terms of "+k.Name+" cannot be read", func(r *conn) (err error) {
				at, more, stray, err = p.batch(ctx, r, at)
				return err
			})
			if err != nil {
				return err
			}
			if err := p.remove(ctx, stray); err != nil {
				return err
			}
		}
	}
	return nil
}

// termCheck compares the terms of one kind with its records.
type termCheck struct {
	*check
	t    *table
	kind string
}

// termKey identifies one entry.
type termKey struct {
	account     int64
	name, value string
	rid         int64
}

func (k termKey) compare(o termKey) int {
	return cmp.Or(cmp.Compare(k.account, o.account), cmp.Compare(k.name, o.name), cmp.Compare(k.value, o.value), cmp.Compare(k.rid, o.rid))
}

// batch checks the entries after `at`.
func (p *termCheck) batch(ctx context.Context, r *conn, at termKey) (_ termKey, more bool, stray []termKey, err error) {
	n := 0
	err = p.entries(r, "(t.account, t.name, t.value, t.rid) > (?, ?, ?, ?) ORDER BY t.account, t.name, t.value, t.rid LIMIT 2000",
		[]driver.Value{at.account, at.name, at.value, at.rid}, func(k termKey, ok bool) error {
			if k.compare(at) <= 0 {
				p.problem(store.Problem{Kind: "file", What: "the terms of " + p.kind + " are out of order, and the rest cannot be read"})
				return errDisorder
			}
			at = k
			n++
			if !ok {
				stray = append(stray, k)
			}
			return ctx.Err()
		})
	if errors.Is(err, errDisorder) {
		return at, false, stray, nil
	}
	return at, n == 2000, stray, err
}

var errDisorder = errors.New("sqlite: entries are out of order")

// entries calls fn with each entry and whether a record has that term.
func (p *termCheck) entries(r *conn, where string, args []driver.Value, fn func(termKey, bool) error) error {
	return r.query("SELECT t.account, t.name, t.value, t.rid, t.id, r.id, r.account, r.terms FROM terms t LEFT JOIN "+p.t.name+" r ON r.rid = t.rid WHERE t.kind = ? AND "+where,
		append([]driver.Value{p.t.no}, args...), func(v []driver.Value) error {
			k := termKey{integer(v[0]), text(v[1]), text(v[2]), integer(v[3])}
			ok := v[6] == v[0] && bytes.Equal(blob(v[4]), blob(v[5]))
			if ok {
				terms, err := decodeTerms(blob(v[7]))
				ok = err == nil && slices.Contains(terms, store.Term{Name: k.name, Value: k.value})
			}
			return fn(k, ok)
		})
}

// remove deletes entries, unless a record has the term by now.
func (p *termCheck) remove(ctx context.Context, stray []termKey) error {
	for batch := range slices.Chunk(stray, checkBatch) {
		repaired, err := p.repair(ctx, "terms", func(w *conn) error {
			for _, k := range batch {
				at := []driver.Value{k.account, k.name, k.value, k.rid}
				still := false
				err := p.entries(w, "t.account = ? AND t.name = ? AND t.value = ? AND t.rid = ?", at, func(_ termKey, ok bool) error {
					still = !ok
					return nil
				})
				if err != nil {
					return err
				}
				if !still {
					continue
				}
				err = w.exec("DELETE FROM terms WHERE kind = ? AND account = ? AND name = ? AND value = ? AND rid = ?", append([]driver.Value{p.t.no}, at...)...)
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, k := range batch {
			p.problem(store.Problem{Kind: p.kind, What: fmt.Sprintf("number %d of account number %d is found by %s %s, which it does not have", k.rid&(1<<seqBits-1), k.account, k.name, clip(k.value)), Repaired: repaired})
		}
	}
	return nil
}

// display renders a column value for a message.
func display(v driver.Value) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case []byte:
		if id, err := uuid.FromBytes(v); err == nil {
			return id.String()
		}
		return fmt.Sprintf("x'%x'", v)
	case string:
		return clip(v)
	}
	return fmt.Sprint(v)
}

// clip quotes a text and shortens it.
func clip(s string) string {
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "..."
	}
	return fmt.Sprintf("%q", s)
}
