package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/landfallhq/tracking"
)

var terminalsImport = command{
	name:     "terminals import",
	operands: "FILE",
	about:    "import a list of terminals from a CSV file, for all accounts",
	details: `
Reads the SMDG Terminal Code List as SMDG publishes it, or any CSV file whose
first line names these columns, in any order and case:

  UNLOCODE                  five characters; required
  Terminal Code             the SMDG code; required
  Terminal Facility Name    required
  Alternative UNLOCODEs     other places of the terminal
  City, FIRMS Code, BIC Facility Code

Other columns are ignored. Lines without a required column are skipped and
reported on standard error. Existing terminals are replaced. A FILE of - is
standard input. Landfall does not include a list, because the public one has no
licence. A running server uses the new names within seconds.`,
	declare: func(f *flags) action {
		db := f.database()
		return func(ctx context.Context, p *program, operands []string) error {
			in := p.stdin
			if name := operands[0]; name != "-" {
				file, err := os.Open(name)
				if err != nil {
					return err
				}
				defer file.Close()
				in = file
			}
			list, rows, odd, err := readTerminals(in)
			for _, line := range odd {
				fmt.Fprintf(p.stderr, "landfall: %s: line %d skipped: a terminal needs a UNLOCODE of five characters, a Terminal Code and a Terminal Facility Name\n", operands[0], line)
			}
			if err == nil && rows == 0 {
				err = errors.New("it has no terminals")
			}
			if err != nil {
				return fmt.Errorf("%s: %w", operands[0], err)
			}
			return onDatabase(p, *db, func(tr *tracking.Tracker) error {
				if err := tr.ImportTerminals(ctx, list); err != nil {
					return err
				}
				fmt.Fprintf(p.stdout, "%d terminals\n", rows)
				return nil
			})
		}
	},
}

// terminalColumns are the columns of a list of terminals, with their normalized
// names.
var terminalColumns = map[string][]string{
	"locode":       {"unlocode", "locode"},
	"alternatives": {"alternativeunlocodes", "alternativeunlocode"},
	"smdg":         {"terminalcode", "smdgcode"},
	"name":         {"terminalfacilityname", "name"},
	"city":         {"city"},
	"firms":        {"firmscode", "firms"},
	"bic":          {"bicfacilitycode", "bic"},
}

// readTerminals reads a whole list before anything is stored. rows is the number of
// terminals: one with several places has several entries in list. odd are the
// skipped lines.
func readTerminals(r io.Reader) (list []tracking.ImportedTerminal, rows int, odd []int, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, 0, nil, err
	}
	if !utf8.Valid(data) {
		return nil, 0, nil, errors.New("it is not UTF-8")
	}
	lines := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))) // spreadsheets write a byte order mark
	lines.FieldsPerRecord = -1
	header, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return nil, 0, nil, errors.New("it is empty")
	} else if err != nil {
		return nil, 0, nil, err
	}
	columns, err := findColumns(header)
	if err != nil {
		return nil, 0, nil, err
	}
	for {
		row, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return list, rows, odd, nil
		} else if err != nil {
			return nil, 0, nil, err
		}
		places := terminalOf(columns, row)
		if places == nil {
			line, _ := lines.FieldPos(0)
			odd = append(odd, line)
			continue
		}
		rows++
		list = append(list, places...)
	}
}

// terminalOf returns the terminal of a line, once for each of its places; none if a
// required column is empty.
func terminalOf(columns map[string]int, row []string) []tracking.ImportedTerminal {
	cell := func(column string) string {
		if i, ok := columns[column]; ok && i < len(row) {
			return strings.TrimSpace(row[i])
		}
		return ""
	}
	t := tracking.ImportedTerminal{
		LOCODE: cell("locode"), SMDG: cell("smdg"), Name: cell("name"),
		City: cell("city"), FIRMS: cell("firms"), BIC: cell("bic"),
	}
	if len(t.LOCODE) != 5 || t.SMDG == "" || t.Name == "" {
		return nil
	}
	places := []tracking.ImportedTerminal{t}
	for _, code := range parseLOCODEs(cell("alternatives")) {
		t.LOCODE = code
		places = append(places, t)
	}
	return places
}

// findColumns returns the indexes of the columns.
func findColumns(header []string) (map[string]int, error) {
	columns := map[string]int{}
	for i, title := range header {
		folded := strings.ToLower(strings.Join(strings.Fields(title), ""))
		for column, names := range terminalColumns {
			for _, name := range names {
				if _, found := columns[column]; name == folded && !found {
					columns[column] = i
				}
			}
		}
	}
	for _, c := range []struct{ column, title string }{{"locode", "UNLOCODE"}, {"smdg", "Terminal Code"}, {"name", "Terminal Facility Name"}} {
		if _, ok := columns[c.column]; !ok {
			return nil, fmt.Errorf("the first line has no column %q", c.title)
		}
	}
	return columns, nil
}

// parseLOCODEs reads the alternative LOCODEs of a terminal. The column also contains
// remarks, which are ignored.
func parseLOCODEs(text string) (codes []string) {
	for code := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" ,;/|", r) }) {
		if len(code) == 5 {
			codes = append(codes, code)
		}
	}
	return codes
}
