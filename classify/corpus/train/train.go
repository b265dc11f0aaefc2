// Package train holds the layouts that rules may be written from, and tuned against.
package train

import (
	"slices"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// Documents draws this part of the corpus, or the named layouts of it alone: the same
// bytes each time.
func Documents(layouts ...string) ([]truth.Document, error) {
	return form.Build("train", slices.Concat(
		bills, houseBills, waybills, notices, orders, bookings, invoices, packingLists, others,
		variedBills, variedHouseBills, variedNotices, variedOrders, variedBookings, variedInvoices, variedPackingLists, variedOthers, oddForms,
		specimenBillsA, specimenNoticesA, specimenPapersA,
		specimenBillsB, specimenNoticesB, specimenPapersB,
		specimensC,
		specimenBillsG, specimenNoticesG, specimenPapersG,
		specimenBillsH, specimenNoticesH, specimenPapersH,
		specimenBillsI, specimenNoticesI, specimenPapersI,
	), layouts...)
}
