// Package sheet reads the rows of sheets that people send: CSV as spreadsheet programs write it
// anywhere, and XLSX.
package sheet

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Limits bound what is read of a sheet.
type Limits struct {
	Rows, Columns int
	Cell          int // characters
	Bytes         int // of all cells together
}

// maxUnpacked bounds the parts of a workbook, in bytes, unpacked.
const maxUnpacked = 64 << 20

// Fault is why a sheet cannot be read: a sentence for people.
type Fault struct{ Detail string }

func (f *Fault) Error() string { return f.Detail }

func fault(format string, args ...any) error { return &Fault{fmt.Sprintf(format, args...)} }

// Row is a row of a sheet that is not blank.
type Row struct {
	// Number counts the rows of the sheet from 1.
	Number int
	Cells  []string
}

// ReadFile is Read for a file with a name: one that is named .xlsx must be a workbook.
func ReadFile(name string, data []byte, most Limits) ([]Row, error) {
	if strings.EqualFold(path.Ext(name), ".xlsx") && !isWorkbook(data) && !isOldWorkbook(data) {
		return nil, fault("The file is no Excel workbook, or is damaged: save it as .xlsx again, or send CSV.")
	}
	return Read(data, most)
}

func isWorkbook(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// isOldWorkbook reports whether a file is an .xls, or has a password.
func isOldWorkbook(data []byte) bool { return bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0")) }

// Read returns the rows of a sheet that are not blank: those of the first sheet that a workbook
// shows. Errors: a Fault.
func Read(data []byte, most Limits) ([]Row, error) {
	var rows []Row
	total := 0
	add := func(number int, cells []string) error {
		for i, c := range cells {
			cells[i] = strings.TrimSpace(c)
		}
		for len(cells) > 0 && cells[len(cells)-1] == "" {
			cells = cells[:len(cells)-1]
		}
		switch {
		case len(cells) == 0:
			return nil
		case len(rows) == most.Rows:
			return fault("The sheet has more than %d rows.", most.Rows)
		case len(cells) > most.Columns:
			return fault("Row %d has %d columns; a sheet has at most %d.", number, len(cells), most.Columns)
		}
		for _, c := range cells {
			if utf8.RuneCountInString(c) > most.Cell {
				return fault("Row %d has a cell with more than %d characters.", number, most.Cell)
			}
			// Many cells of a workbook can be one text of it.
			if total += len(c); total > most.Bytes {
				return fault("The sheet has more than %d bytes of text.", most.Bytes)
			}
		}
		rows = append(rows, Row{number, cells})
		return nil
	}
	var err error
	switch {
	case isWorkbook(data):
		err = readWorkbook(data, most, add)
	case isOldWorkbook(data):
		err = fault("The file is a workbook of an old form, or has a password: save it as .xlsx or CSV without one.")
	default:
		err = readText(data, add)
	}
	if err == nil && len(rows) == 0 {
		err = fault("The sheet is empty: its first row names the columns, such as number and carrier.")
	}
	return rows, err
}

func readWorkbook(data []byte, most Limits, add func(int, []string) error) error {
	f, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxUnpacked})
	if err != nil {
		return fault("The workbook cannot be read: it is damaged, has a password, or is too large.")
	}
	defer f.Close()
	for _, name := range f.GetSheetList() {
		if shown, err := f.GetSheetVisible(name); err == nil && !shown {
			continue
		}
		rows, err := f.Rows(name)
		if err != nil {
			return fault("The sheet cannot be read: it is damaged.")
		}
		defer rows.Close()
		for n := 1; rows.Next(); n++ {
			cells, err := rows.Columns()
			if err != nil {
				return fault("Row %d cannot be read: it is damaged.", n)
			}
			if n > 20*(most.Rows+1) { // blank rows that are formatted
				return fault("The sheet has too many blank rows.")
			}
			if err := add(n, cells); err != nil {
				return err
			}
		}
		if rows.Error() != nil {
			return fault("The sheet cannot be read: it is damaged.")
		}
		return nil
	}
	return fault("The workbook shows no sheet.")
}

// readText reads CSV. The separator is what a first line sep= says, else the one that the first
// line has most of: tab, semicolon or comma.
func readText(data []byte, add func(int, []string) error) error {
	text, err := decoded(data)
	if err != nil {
		return err
	}
	first, rest, _ := strings.Cut(text, "\n")
	first = strings.TrimSuffix(first, "\r")
	separator, skipped := ',', 0
	if said, ok := strings.CutPrefix(strings.ToLower(strings.Trim(first, `"`)), "sep="); ok && utf8.RuneCountInString(said) == 1 {
		separator, _ = utf8.DecodeRuneInString(said)
		text, skipped = rest, 1
	} else {
		for _, r := range ";\t" {
			if strings.Count(first, string(r)) > strings.Count(first, string(separator)) {
				separator = r
			}
		}
	}
	in := csv.NewReader(strings.NewReader(text))
	in.FieldsPerRecord, in.LazyQuotes = -1, true
	if separator == utf8.RuneError {
		return fault("The separator %q of the first line cannot be used.", separator)
	}
	in.Comma = separator
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fault("The file is no CSV: %s.", err)
		}
		line, _ := in.FieldPos(0)
		if err := add(line+skipped, cells); err != nil {
			return err
		}
	}
}

// decoded returns a text in UTF-8. What is neither that nor UTF-16 is Windows-1252, which Excel
// writes in Western Europe.
func decoded(data []byte) (string, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		out, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(data)
		if err != nil {
			return "", fault("The text is no UTF-16.")
		}
		return string(out), nil
	case utf8.Valid(data):
		data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	default:
		data, _ = charmap.Windows1252.NewDecoder().Bytes(data) // each byte is a letter
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return "", fault("The file is no text and no workbook: send CSV or .xlsx.")
	}
	return string(data), nil
}
