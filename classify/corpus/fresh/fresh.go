// Package fresh is a second held-out part of the corpus: layouts by somebody who had
// seen neither the rules nor the other parts, with companies, goods, ships and ports
// of their own. Who writes rules does not open it.
package fresh

import (
	"slices"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// Documents draws the part, or those of its layouts that are named.
func Documents(only ...string) ([]truth.Document, error) {
	return form.Build("fresh", Layouts(), only...)
}

// Layouts are those of this part.
func Layouts() []form.Layout {
	return slices.Concat(bills, houseBills, waybills, notices, orders, bookings, invoices, packingLists, others)
}

var bills = []form.Layout{
	{Name: "bl-numbered", Type: truth.BillOfLading, Copies: 2, Draw: blNumbered},
	{Name: "bl-typed", Type: truth.BillOfLading, Copies: 3, Draw: blTyped},
	{Name: "bl-liner", Type: truth.BillOfLading, Copies: 2, Draw: blLiner},
	{Name: "bl-rider", Type: truth.BillOfLading, Copies: 2, Draw: blRider},
}
