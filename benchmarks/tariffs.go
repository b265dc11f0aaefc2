package main

import (
	"context"

	"github.com/landfallhq/tracking/freetime"

	"github.com/landfallhq/tracking"
)

// perDiemLines are the lines that charge for days outside, in another currency than the
// terminals: their containers can have costs in two.
var perDiemLines = []string{"MAEU", "HLCU"}

// someTariffs are those of an account.
func someTariffs() []freetime.Terms {
	of := func(clock freetime.Clock, line string, free int, amount, currency string) freetime.Terms {
		t := freetime.DefaultTerms()
		t.Clock, t.ShippingLineSCAC, t.FreeDays, t.Currency = clock, line, free, currency
		t.Tiers = []freetime.TierTerms{{From: 1, Amount: amount}}
		return t
	}
	var list []freetime.Terms
	for _, line := range carriers[:4] {
		list = append(list, of(freetime.Demurrage, line, 1, "150.00", "USD"))
	}
	for _, line := range perDiemLines {
		list = append(list, of(freetime.PerDiem, line, 1, "90.00", "EUR"))
	}
	return list
}

// addTariffs gives an account without shipments the tariffs, and does the work that this
// brings.
func (f *filler) addTariffs(ctx context.Context, to account) error {
	if f.tariffs == nil {
		return nil
	}
	if _, err := f.operator.For(tracking.Actor{Account: to.scope}).Tariffs().Import(ctx, f.tariffs, false); err != nil {
		return err
	}
	_, err := f.operator.RunOnce(ctx)
	return err
}
