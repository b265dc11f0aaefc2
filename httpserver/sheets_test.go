package httpserver_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/freetime/invoice"
	"github.com/landfallhq/tracking/httpserver"
)

// writesPDF lets a server write sheets as PDF.
func writesPDF(c *httpserver.Config) {
	c.SheetPDF = func(w io.Writer, s *invoice.Sheet) error {
		_, err := fmt.Fprintf(w, "%%PDF of %d lines", len(s.Lines))
		return err
	}
}

// A sheet comes in the format of the parameter, else of Accept, as a file with the number of
// its invoice or container.
func TestSheetFormats(t *testing.T) {
	b := newBench(t)
	b.serve(writesPDF)
	csv := "container_number,clock,from,to,rate,currency,invoice_number\nMRKU 946577-0,demurrage,2026-03-01,2026-03-01,150,usd,INV/7\n"
	for _, tt := range []struct {
		query, accept     string
		typ, start, other string
	}{
		{"", "", "application/json", `{"as_of":"2026-03-02T09:00:00Z",`, ".json"},
		{"", "*/*", "application/json", "{", ".json"},
		{"", "text/csv", "text/csv; charset=utf-8", "row,line,", ".csv"},
		{"", "text/csv, application/json", "application/json", "{", ".json"},
		{"", "application/pdf", "application/pdf", "%PDF of 1 lines", ".pdf"},
		{"?format=pdf", "text/csv", "application/pdf", "%PDF of 1 lines", ".pdf"},
		{"?format=csv", "application/pdf", "text/csv; charset=utf-8", "row,line,", ".csv"},
		{"?format=json", "text/csv", "application/json", "{", ".json"},
	} {
		container := b.as(b.mine, "GET", b.mine.fill("/v2/containers/{container}/charges/sheet")+tt.query, "", "Accept: "+tt.accept).want(200)
		invoiced := b.as(b.mine, "POST", "/v2/charges/sheet"+tt.query, csv, "Accept: "+tt.accept, "Content-Type: text/csv").want(200)
		for name, a := range map[string]*response{"sheet-MRKU9465770": container, "sheet-INV_7": invoiced} {
			if got := a.header.Get("Content-Type"); got != tt.typ {
				t.Errorf("%+v: the type is %s", tt, got)
			}
			if got := a.header.Get("Content-Disposition"); !strings.HasPrefix(got, `attachment; filename="`+name+tt.other+`"`) {
				t.Errorf("%+v: the file is %s", tt, got)
			}
			if !strings.HasPrefix(string(a.body), tt.start) {
				t.Errorf("%+v: the body begins with %.80s", tt, a.body)
			}
		}
	}
}

// A sheet that cannot be written is a fault of the server, and nothing of it is sent.
func TestSheetThatCannotBeWritten(t *testing.T) {
	b := newBench(t)
	b.serve(func(c *httpserver.Config) {
		c.SheetPDF = func(w io.Writer, _ *invoice.Sheet) error {
			_, _ = io.WriteString(w, "%PDF")
			return errors.New("no font")
		}
	})
	a := b.as(b.mine, "GET", b.mine.fill("/v2/containers/{container}/charges/sheet?format=pdf"), "").want(500)
	if a.header.Get("Content-Disposition") != "" || strings.Contains(string(a.body), "%PDF") {
		t.Errorf("%v %s", a.header, a.body)
	}
}
