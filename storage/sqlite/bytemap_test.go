//go:build cgo

package sqlite

import (
	"database/sql/driver"
	"encoding/binary"
	"testing"
)

// byteMap names what each byte of a closed database belongs to: "r_shipment.doc" for
// a column of a table, the name of an index, "structure" for what SQLite finds pages
// and cells by, and "" for what nothing reads: free pages, and the room in pages that
// no cell uses. It follows https://sqlite.org/fileformat2.html.
type byteMap struct {
	file   []byte
	page   int // bytes
	usable int // of a page, bytes
	names  []string
}

// mapBytes maps the database at path, whose content is file.
func mapBytes(t *testing.T, path string, file []byte) []string {
	t.Helper()
	m := &byteMap{file: file, page: int(binary.BigEndian.Uint16(file[16:])), names: make([]string, len(file))}
	m.usable = m.page - int(file[20])
	m.label("structure", 0, 72)
	m.label("structure", 92, 100)
	c, err := connectPlain(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	type tree struct {
		name    string
		columns []string // of a table
		root    int
	}
	trees := []tree{{"sqlite_schema", []string{"type", "name", "tbl_name", "rootpage", "sql"}, 1}}
	err = c.query("SELECT name, rootpage, type FROM sqlite_schema WHERE rootpage > 0", nil, func(v []driver.Value) error {
		trees = append(trees, tree{v[0].(string), nil, int(v[1].(int64))})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tree := range trees {
		if tree.columns == nil {
			err := c.query("SELECT name FROM pragma_table_info(?) ORDER BY cid", []driver.Value{tree.name}, func(v []driver.Value) error {
				tree.columns = append(tree.columns, v[0].(string))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		m.tree(tree.root, tree.name, tree.columns)
	}
	return m.names
}

func (m *byteMap) label(name string, from, to int) {
	for i := from; i < to; i++ {
		m.names[i] = name
	}
}

// tree maps the pages below a page of a table or an index.
func (m *byteMap) tree(number int, name string, columns []string) {
	start := (number - 1) * m.page
	header := start
	if number == 1 {
		header += 100
	}
	kind, cells := m.file[header], int(binary.BigEndian.Uint16(m.file[header+3:]))
	interior, table := kind == 2 || kind == 5, kind == 5 || kind == 13
	pointers := header + 8
	if interior {
		pointers += 4
		m.tree(int(binary.BigEndian.Uint32(m.file[header+8:])), name, columns)
	}
	m.label("structure", header, pointers+2*cells)
	for i := range cells {
		at := start + int(binary.BigEndian.Uint16(m.file[pointers+2*i:]))
		if interior {
			m.label("structure", at, at+4)
			m.tree(int(binary.BigEndian.Uint32(m.file[at:])), name, columns)
			at += 4
		}
		if table && interior {
			_, n := sqliteVarint(m.file[at:])
			m.label("structure", at, at+n)
			continue
		}
		size, n := sqliteVarint(m.file[at:])
		if kind == 13 {
			_, rowid := sqliteVarint(m.file[at+n:])
			n += rowid
		}
		m.label("structure", at, at+n)
		m.payload(m.places(at+n, int(size), table), name, columns)
	}
}

// places returns where the bytes of a payload are, in order.
func (m *byteMap) places(at, size int, table bool) (places []int) {
	most, least := m.usable-35, (m.usable-12)*32/255-23
	if !table {
		most = (m.usable-12)*64/255 - 23
	}
	local := size
	if size > most {
		if local = least + (size-least)%(m.usable-4); local > most {
			local = least
		}
	}
	for i := range local {
		places = append(places, at+i)
	}
	for next := at + local; len(places) < size; {
		m.label("structure", next, next+4)
		next = (int(binary.BigEndian.Uint32(m.file[next:])) - 1) * m.page
		for i := 0; i < m.usable-4 && len(places) < size; i++ {
			places = append(places, next+4+i)
		}
	}
	return places
}

// payload maps a record: its header has the types of the values that follow.
func (m *byteMap) payload(places []int, name string, columns []string) {
	bytes := make([]byte, len(places))
	for i, at := range places {
		bytes[i] = m.file[at]
	}
	length, n := sqliteVarint(bytes)
	value := int(length)
	for _, at := range places[:value] {
		m.names[at] = name + " header"
	}
	for i := 0; n < int(length); i++ {
		typ, used := sqliteVarint(bytes[n:])
		n += used
		size := int([]uint64{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}[min(typ, 9)])
		if typ >= 12 {
			size = int(typ-12) / 2
		}
		what := name
		if i < len(columns) {
			what += "." + columns[i]
		}
		for _, at := range places[value : value+size] {
			m.names[at] = what
		}
		value += size
	}
}

// sqliteVarint reads an integer of one to nine bytes, the most significant first.
func sqliteVarint(b []byte) (v uint64, n int) {
	for n < 8 {
		v = v<<7 | uint64(b[n]&0x7f)
		n++
		if b[n-1] < 0x80 {
			return v, n
		}
	}
	return v<<8 | uint64(b[n]), n + 1
}
