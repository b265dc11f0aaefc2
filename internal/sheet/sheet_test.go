package sheet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"
)

var limits = Limits{Rows: 4, Columns: 3, Cell: 20, Bytes: 100}

func inUTF16(order binary.AppendByteOrder, s string) (b []byte) {
	for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

func workbook(t *testing.T, rows [][]any) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for i, r := range rows {
		cell, _ := excelize.CoordinatesToCellName(1, i+1)
		if err := f.SetSheetRow("Sheet1", cell, &r); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRead: sheets are read as programs write them.
func TestRead(t *testing.T) {
	want := []Row{{1, []string{"Number", "Buyer"}}, {3, []string{"0077", "Müller"}}}
	for name, data := range map[string][]byte{
		"UTF-8":           []byte("Number,Buyer\r\n\r\n0077,Müller\r\n"),
		"byte order mark": []byte("\xef\xbb\xbfNumber;Buyer\n\n 0077;\"Müller\"\n"),
		"tabs":            []byte("Number\tBuyer\n\t\n0077\tMüller"),
		"Windows-1252":    []byte("Number;Buyer\n\n0077;M\xfcller\n"),
		"UTF-16, little":  inUTF16(binary.LittleEndian, "Number\tBuyer\r\n\r\n0077\tMüller\r\n"),
		"UTF-16, big":     inUTF16(binary.BigEndian, "Number,Buyer\n\n0077,Müller\n"),
		"a workbook":      workbook(t, [][]any{{"Number", "Buyer"}, {}, {"0077", "Müller"}}),
	} {
		if got, err := Read(data, limits); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, error %v", name, got, err)
		}
	}
	got, err := Read([]byte("sep=|\nNumber|Buyer\n0077|M\xfcller\n"), limits)
	if err != nil || !reflect.DeepEqual(got, []Row{{2, want[0].Cells}, {3, want[1].Cells}}) {
		t.Errorf("sep=: %v, error %v", got, err)
	}
	for name, data := range map[string]string{
		"empty": "", "blank": "\n,\n", "rows": strings.Repeat("x\n", 5), "columns": "a,b,c,d", "cell": strings.Repeat("x", 21), "text in all": strings.Repeat(strings.Repeat("x", 20)+","+strings.Repeat("y", 20)+"\n", 3),
		"old workbook": "\xd0\xcf\x11\xe0", "damaged workbook": "PK\x03\x04", "zeros": "a\x00b", "separator": "sep=\ufffd\na",
	} {
		var said *Fault
		if rows, err := Read([]byte(data), limits); !errors.As(err, &said) {
			t.Errorf("%s: %v, error %v", name, rows, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("a;b\n1;2"))
	f.Add([]byte("sep=,\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := Read(data, limits)
		if err == nil && (len(rows) == 0 || len(rows) > limits.Rows) {
			t.Errorf("%d rows", len(rows))
		}
	})
}
