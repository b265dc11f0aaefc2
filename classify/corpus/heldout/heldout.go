// Package heldout holds the layouts that the classifier is measured on, and that who
// writes its rules does not open. They follow descriptions of forms in use (FIATA's
// FBL, BIMCO's Conlinebill and Linewaybill, notices, orders and confirmations of lines
// and forwarders, invoices and packing lists from several countries), and were frozen
// before any rule was run on them. Whoever changes one begins a new corpus.
package heldout

import (
	"slices"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// Documents draws this part of the corpus: the same bytes each time.
func Documents() ([]truth.Document, error) {
	return form.Build("heldout", slices.Concat(bills, houseBills, waybills, notices, orders, bookings, invoices, packingLists, others))
}
