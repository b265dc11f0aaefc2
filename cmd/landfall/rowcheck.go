package main

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/numbercell"
)

// typeNames are the types of numbers as spreadsheets write them, folded.
var typeNames = map[string]tracking.RequestType{
	"BL": tracking.BillOfLading, "MBL": tracking.BillOfLading, "BOL": tracking.BillOfLading, "MASTERBL": tracking.BillOfLading, "OBL": tracking.BillOfLading,
	"MASTERBILLOFLADING": tracking.BillOfLading, "BILL": tracking.BillOfLading,
	"BKG": tracking.BookingNumber, "BOOKING": tracking.BookingNumber, "BOOKINGNO": tracking.BookingNumber,
	"CNTR": tracking.ContainerNumber, "CTR": tracking.ContainerNumber, "CONTAINERNUMBER": tracking.ContainerNumber, "CONTAINERNO": tracking.ContainerNumber,
}

// checkType says why a cell of the column type is refused, beyond what the engine says.
func checkType(cell string) string {
	switch folded := numbercell.Normalize(cell); {
	case folded == "HBL" || folded == "HOUSEBL" || folded == "HOUSEBILLOFLADING":
		return fmt.Sprintf("type %q: shipping lines do not know house bills of lading; give the number of the master bill of lading or of a container", cell)
	case cell != "" && numbercell.IsPlaceholder(cell):
		return fmt.Sprintf("type %q is no type: leave the cell empty, or write bill_of_lading, booking_number or container", cell)
	}
	return ""
}

// checkLine says why a cell of the column scac is refused, beyond what the engine says.
func (r *rowImport) checkLine(cell string) string {
	switch {
	case cell == "":
	case numbercell.IsPlaceholder(cell):
		return fmt.Sprintf("scac %q is no SCAC: leave the cell empty, and the line is detected from the number", cell)
	case strings.EqualFold(cell, tracking.SandboxSCAC) && r.lines[tracking.SandboxSCAC] == nil:
		return fmt.Sprintf("scac %q is the line of the sandbox: import with --sandbox if the server has it", cell)
	}
	return ""
}
