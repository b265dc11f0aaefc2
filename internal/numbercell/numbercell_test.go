package numbercell_test

import (
	"strings"
	"testing"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/numbercell"
)

// TestCells are the cells that spreadsheets of forwarders have in the column of numbers. An
// empty reason is a number that is imported.
func TestCells(t *testing.T) {
	for reason, cells := range map[string][]string{
		"the row has no number": {"", " ", "'", "\u200b"},
		"stands for a missing one": {
			"N/A", "n/a", "NA", "n.a.", "-", "--", "—", "?", "???", ".", "x", "XXXX", "XXXXXXXXXXX", "0", "00000000", "none", "NULL", "nil", "unknown",
			"TBA", "T.B.A.", "tba.", "TBC", "TBD", "TBN", "To be advised", "to be confirmed", "to follow", "pending", "awaiting", "not yet", "ASAP",
			"same", "ditto", "see below", "see remarks", "cancelled", "CANCELED", "rolled", "k.A.", "folgt", "offen", "à confirmer", "a confirmar", "未定",
		},
		"is an error of the spreadsheet":   {"#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!"},
		"that the spreadsheet has rounded": {"4.5E+11", "4,5E+11", "4.50123E+11", "1.23457E+17", "2.38E+08", "4.5e11", "4E+11", "5E11", "-1.5E+10"},
		"is a date":                        {"12.03.2026", "2026-03-12", "12/03/2026", "3/12/26", "2026-03-12 00:00:00", "2026-03-12T08:00:00Z", "12-Mar-26", "12 March 2026"},
		"has a decimal part":               {"238000000.0", "238000000,00"},
		"is an amount":                     {"12.5", "1,250.00", "USD 1200", "USD 1,200.00", "€ 99,50", "18250.5 kg", "$1200"},
		"is a total":                       {"Total", "TOTAL:", "Totals", "Grand Total", "Subtotal", "sub-total", "Sum", "Summe", "Gesamt", "Total: 12", "TOTAL 12", "Total containers", "Total 4 containers", "Total TEU: 18", "Count 7", "Totale", "Toplam", "Somme", "合計 12"},
		"is a size of containers":          {"40HC", "1x40HC", "2 x 20DV", "20GP", "40'HC", "12 X 40 HQ", "45"},
		"is too short":                     {"1", "12", "45321"},
		"is an address":                    {"ops@example.com", "https://www.example.com/track?n=238000000"},
		"is a telephone number":            {"+49 40 1234567"},
		"has words in front of it":         {"MBL: MAEU123456789", "B/L No. MAEU123456789", "BL#123456789", "Booking 123456789", "BKG No: 123456789", "Container: CSQU3054383", "Cntr. No. CSQU3054383", "M.B/L MAEU123456789"},
		"is more than one": {
			"CSQU3054383 / MSKU1234565", "CSQU3054383, MSKU1234565", "CSQU3054383;MSKU1234565", "CSQU3054383\nMSKU1234565", "CSQU3054383 MSKU1234565", "CSQU3054383 & MSKU1234565",
			"MAEU123456789, MAEU123456790", "238000000 + 238000001",
		},
		"has no digit": {"Number", "Container No", "B/L Number", "TRUE", "booking cancelled by shipper", "MAEU", "FCL", "LCL", "Hamburg"},
		"has a wrong check digit: it is 5 for MSKU123456": {"MSKU1234567", "msku 123456-7", "MSKU1234560"},
		"has letters in place of digits":                  {"CSQU3O54383", "csqu 3O5438-3"},
		"is not a container number":                       {"CSQU305438", "CSQU30543833"},
		"": {
			"CSQU3054383", "csqu 305438-3", " CSQU3054383 ", "'CSQU3054383", "CSQU\u200b3054383", "\u00a0CSQU3054383\u00a0",
			"MAEU123456789", "238000000", "MEDUFR030802", "HLCUHAM240112345", "ONEYHAMC12345600", "EGLV123456789012", "COSU6123456780", "ZIMUHCM1234567",
			"SHZ8037930", "A49FA02393", "123E4567", "1E456789", "22970937", "EXDO-621128151", "EBKG01234567", "TOTAL123456", "NA123456", "XX123456",
			"6468636830", "S00123456", "HAM/24/001234", "123456", "GOSU1234",
		},
	} {
		for _, cell := range cells {
			got := numbercell.Check(numbercell.Clean(cell), "")
			if reason == "" && got != "" || !strings.Contains(got, reason) {
				t.Errorf("%q: %q, want %q", cell, got, reason)
			}
		}
	}
}

// The type that is given says more about a number than its form does.
func TestCellsOfType(t *testing.T) {
	for _, c := range []struct {
		cell string
		typ  freight.RequestType
		want string
	}{
		{"MSKU1234567", freight.ContainerNumber, "has a wrong check digit"},
		{"MSKU1234567", freight.BillOfLading, ""},
		{"MSKU1234567", freight.BookingNumber, ""},
		{"MSKU123456", freight.BillOfLading, ""},
		{"MAEU123456789", freight.ContainerNumber, "is not a container number"},
		{"MAEU123456", "", ""}, // the prefix of a line
		{"TBA", freight.BillOfLading, "stands for a missing one"},
	} {
		if got := numbercell.Check(c.cell, c.typ); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s as %q: %q, want %q", c.cell, c.typ, got, c.want)
		}
	}
}
