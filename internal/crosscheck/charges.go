package crosscheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/freetime"
)

// clocksOf are the clocks that a description of a charge is about; nil for none.
func clocksOf(description string) []freetime.Clock {
	words := strings.ToUpper(description)
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(word string) bool { return strings.Contains(words, word) })
	}
	var clocks []freetime.Clock
	if has("DEMURRAGE") {
		clocks = append(clocks, freetime.Demurrage, freetime.Combined)
	}
	if has("DETENTION", "PER DIEM", "PERDIEM") {
		clocks = append(clocks, freetime.Detention, freetime.PerDiem, freetime.Combined)
	}
	if has("STORAGE") {
		clocks = append(clocks, freetime.RailStorage)
	}
	return clocks
}

// HasCharges reports whether the document charges demurrage, detention or storage.
func (p *Paper) HasCharges() bool {
	return slices.ContainsFunc(p.rows("charges"), func(row []field) bool { return clocksOf(find(row, "description").printed()) != nil })
}

// compareCharges compares the demurrage, detention and storage of a document with what the clocks
// of its containers count until its date. Less than that says nothing: lines bill by the week.
func (c *comparison) compareCharges() {
	var clocks []freetime.Clock
	var rows []int
	currency := ""
	for i, row := range c.rows("charges") {
		if of := clocksOf(find(row, "description").printed()); of != nil {
			clocks, rows = append(clocks, of...), append(rows, i)
			_, currency = find(row, "amount").money()
		}
	}
	charged, ok := sumOf(c.rows("charges"), "amount", func(row []field) bool { return clocksOf(find(row, "description").printed()) != nil }, currency)
	if rows == nil || !ok {
		return
	}
	counted, days, known := c.counted(clocks, currency)
	if !known {
		return
	}
	list := c.named()
	made := Check{Kind: Charges, Field: "charges.amount", Rows: rows, Says: money(charged), Other: OfContainer, OtherID: list[0].Number, OtherSays: money(counted), High: true}
	switch {
	case charged.Units() == counted.Units():
		c.agree(Charges, made.Field, rows, OfContainer, made.OtherID)
	case charged.Units() > counted.Units():
		c.differ(made, "%s are counted in %s for %s", made.OtherSays, dayCount(days), containerCount(list))
	}
}

func money(m freetime.Money) string { return m.Currency() + " " + m.String() }

func dayCount(n int) string {
	if n == 1 {
		return "1 day"
	}
	return fmt.Sprintf("%d days", n)
}

func containerCount(list []*Known) string {
	if len(list) == 1 {
		return "container " + list[0].Number
	}
	return fmt.Sprintf("%d containers", len(list))
}

// counted is what the clocks of the containers that the document names charge until its date; not
// known if a container has none of them.
func (c *comparison) counted(clocks []freetime.Clock, currency string) (sum freetime.Money, days int, known bool) {
	until, dated := c.field("issue_date").date()
	sum, err := freetime.ParseMoney("0", currency)
	if err != nil {
		return sum, 0, false
	}
	list := c.named()
	for _, k := range list {
		has := false
		for _, clock := range k.Clocks {
			if !slices.Contains(clocks, clock.Clock) {
				continue
			}
			if clock.Currency != currency {
				return sum, 0, false
			}
			has = true
			for _, day := range clock.Days {
				if dated && day.Date > until {
					continue
				}
				amount, err := freetime.ParseMoney(day.Amount, currency)
				if err != nil {
					return sum, 0, false
				}
				sum, days = sum.Add(amount), days+1
			}
		}
		if !has {
			return sum, 0, false
		}
	}
	return sum, days, len(list) > 0
}

// sumOf adds the amounts of rows, which must all be in one currency.
func sumOf(rows [][]field, column string, is func([]field) bool, currency string) (sum freetime.Money, ok bool) {
	sum, err := freetime.ParseMoney("0", currency)
	if err != nil {
		return sum, false
	}
	for _, row := range rows {
		if !is(row) {
			continue
		}
		amount, in := find(row, column).money()
		m, err := freetime.ParseMoney(amount, currency)
		if err != nil || in != "" && in != currency {
			return sum, false
		}
		sum, ok = sum.Add(m), true
	}
	return sum, ok
}

// isAmount reports whether an amount is that of a sum.
func isAmount(amount string, sum freetime.Money) bool {
	m, err := freetime.ParseMoney(amount, sum.Currency())
	return err == nil && m.Units() == sum.Units()
}
