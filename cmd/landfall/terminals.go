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

	"github.com/landfallhq/tracking"
)

var terminalsImport = command{
	name:     "terminals import",
	operands: "FILE",
	about:    "take a list of terminals from a CSV file, for all accounts",
	details: `
Reads the SMDG Terminal Code List as SMDG publishes it, or any CSV file whose
first line names these columns, in any order and letter case:

  UNLOCODE                  five characters; required
  Terminal Code             the SMDG code; required
  Terminal Facility Name    required
  Alternative UNLOCODEs     further places under which the terminal is known
  City, FIRMS Code, BIC Facility Code

Other columns are passed over. A terminal that is there already is replaced. A
FILE of - is standard input. Landfall ships no list: the public one has no
licence. A running server shows the new names within seconds.`,
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
			list, rows, err := readTerminals(in)
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

// The columns of a list of terminals, by what they are called, folded.
var terminalColumns = map[string][]string{
	"locode":       {"unlocode", "locode"},
	"alternatives": {"alternativeunlocodes", "alternativeunlocode"},
	"smdg":         {"terminalcode", "smdgcode"},
	"name":         {"terminalfacilityname", "name"},
	"city":         {"city"},
	"firms":        {"firmscode", "firms"},
	"bic":          {"bicfacilitycode", "bic"},
}

// readTerminals reads a whole list before anything is stored. rows counts its
// lines: a terminal that is known in several places is several terminals.
func readTerminals(r io.Reader) (list []tracking.ImportedTerminal, rows int, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, 0, err
	}
	lines := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))) // spreadsheets write the mark
	lines.FieldsPerRecord = -1
	header, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return nil, 0, errors.New("the file is empty")
	} else if err != nil {
		return nil, 0, err
	}
	columns, err := findColumns(header)
	if err != nil {
		return nil, 0, err
	}
	for {
		row, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return list, rows, nil
		} else if err != nil {
			return nil, 0, err
		}
		line, _ := lines.FieldPos(0)
		cell := func(column string) string {
			if i, ok := columns[column]; ok && i < len(row) {
				return strings.TrimSpace(row[i])
			}
			return ""
		}
		terminal := tracking.ImportedTerminal{
			LOCODE: cell("locode"), SMDG: cell("smdg"), Name: cell("name"),
			City: cell("city"), FIRMS: cell("firms"), BIC: cell("bic"),
		}
		if strings.Join(row, "") == "" {
			continue
		}
		if len(terminal.LOCODE) != 5 || terminal.SMDG == "" || terminal.Name == "" {
			return nil, 0, fmt.Errorf("line %d: a terminal needs a UNLOCODE of five characters, a Terminal Code and a Terminal Facility Name", line)
		}
		rows++
		list = append(list, terminal)
		for _, code := range splitCodes(cell("alternatives")) {
			terminal.LOCODE = code
			list = append(list, terminal)
		}
	}
}

// findColumns finds where in the file the columns are.
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
			return nil, fmt.Errorf("the first line names no column %q", c.title)
		}
	}
	return columns, nil
}

// splitCodes reads the alternative LOCODEs of a terminal; what is none is
// passed over: the column holds remarks too.
func splitCodes(text string) (codes []string) {
	for code := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" ,;/|", r) }) {
		if len(code) == 5 {
			codes = append(codes, code)
		}
	}
	return codes
}
