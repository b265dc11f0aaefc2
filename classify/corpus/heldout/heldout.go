// Package heldout holds the layouts that the classifier is measured on, and that who
// writes its rules does not open. They follow descriptions of forms in use (FIATA's
// FBL, BIMCO's Conlinebill and Linewaybill, notices, orders and confirmations of lines
// and forwarders, invoices and packing lists from several countries), and were frozen
// before any rule was run on them. A change to one of them makes a new corpus.
package heldout

import (
	"slices"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// Documents draws this part of the corpus, or the named layouts of it alone: the same
// bytes each time.
func Documents(layouts ...string) ([]truth.Document, error) {
	return form.Build("heldout", slices.Concat(bills, houseBills, waybills, notices, orders, bookings, invoices, packingLists, others), layouts...)
}
