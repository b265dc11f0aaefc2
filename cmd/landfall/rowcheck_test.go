package main

import (
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

// TestTypesOfCells are the names of types in the column type.
func TestTypesOfCells(t *testing.T) {
	for cell, want := range map[string]tracking.RequestType{
		"": "", "B/L": tracking.BillOfLading, "MBL": tracking.BillOfLading, "Bill of Lading": tracking.BillOfLading, "BKG": tracking.BookingNumber,
		"Booking Number": tracking.BookingNumber, "Container": tracking.ContainerNumber, "CNTR": tracking.ContainerNumber,
	} {
		if got := typeOfCell(cell); got != want {
			t.Errorf("type %q is %q, want %q", cell, got, want)
		}
	}
}

// Bad cells refuse their row with the reason; the rest of the file is imported.
func TestImportBadCells(t *testing.T) {
	db := newDB(t)
	rows := write(t, "rows.csv", strings.Join([]string{
		"number,type,scac",
		"238000000,,MAEU",
		"N/A,,MAEU",
		"4.5E+11,,MAEU",
		"MSKU1234567,,MAEU",
		"238000001,,Maersk",
		"238000002,,Hapag Lloyd",
		"238000003,,Hamburg Sued",
		"238000004,,MAEUU",
		"238000005,,TBA",
		"238000006,HBL,MAEU",
		"238000007,MBL,MAEU",
		"TEST-TR-SUCCEEDED,,TEST",
		"Total: 11,,",
	}, "\n"))
	args := []string{"import", "--format", "csv", "--account", "acme", "--db", db, rows}
	const refused = `line 3: refused: number "N/A" stands for a missing one: leave it out until the number is known
line 4: refused: number "4.5E+11" is a number that the spreadsheet has rounded: give the column the format text, and enter the whole number again
line 5: refused: number "MSKU1234567" has a wrong check digit: it is 5 for MSKU123456, so a digit or letter is wrong; if it is a bill of lading or a booking, give that as its type
line 6: refused: scac: Scac 'MAERSK' is not recognized. The nearest shipping line is Maersk, with the SCAC 'MAEU'
line 7: refused: scac: Scac 'HAPAG LLOYD' is not recognized. The nearest shipping line is Hapag-Lloyd, with the SCAC 'HLCU'
line 8: refused: scac: Scac 'HAMBURG SUED' is not recognized. The nearest shipping line is Hamburg Süd, with the SCAC 'SUDU'
line 9: refused: scac: Scac 'MAEUU' is not recognized. The nearest shipping line is Maersk, with the SCAC 'MAEU'
line 10: refused: scac "TBA" is no SCAC: leave the cell empty, and the line is detected from the number
line 11: refused: type "HBL": shipping lines do not know house bills of lading; give the number of the master bill of lading or of a container
line 13: refused: scac "TEST" is the line of the sandbox: import with --sandbox if the server has it
line 14: refused: number "Total: 11" is a total, and no shipment
`
	r := inside(args...)
	got := strings.ReplaceAll(r.stderr, "landfall: "+rows+": ", "")
	if want := refused + "landfall: 11 of 13 rows refused: correct them and import the file again, which skips the rows that are there\n"; got != want || r.code != 1 {
		t.Errorf("exit %d:\n%s\nwant\n%s", r.code, got, want)
	}
	if r.stdout != "13 rows: 2 created, 0 there already, 11 refused\n" {
		t.Error(r.stdout)
	}
	if r := inside(append(args, "--sandbox")...); r.stdout != "13 rows: 1 created, 2 there already, 10 refused\n" {
		t.Errorf("with the sandbox: %s%s", r.stdout, r.stderr)
	}
	config := write(t, "landfall.json", `{"sandbox": true}`)
	if r := inside(append(args, "--config", config)...); r.stdout != "13 rows: 0 created, 3 there already, 10 refused\n" {
		t.Errorf("with the configuration of the server: %s%s", r.stdout, r.stderr)
	}
}
