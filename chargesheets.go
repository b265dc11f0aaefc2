package tracking

import (
	"context"
	"errors"
	"time"

	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freetime/invoice"
)

// maxStays bounds the containers of the account that are looked at for one number.
const maxStays = 20

// Sheet compares an invoice for demurrage, detention or storage with the Charges of the
// containers that its lines name: now, or with asOf as they were known at the end of that
// second. Of a number that several shipments have, the newest 20 containers are looked at.
// Nothing is stored. Needs show.
//
// Errors: Invalid on as_of for a future time.
func (f Tariffs) Sheet(ctx context.Context, inv *invoice.Invoice, asOf ...time.Time) (*invoice.Sheet, error) {
	at := f.t.now()
	if len(asOf) > 0 {
		at = asOf[0]
	}
	return viewingPast(ctx, f.t, at, func(l *pastView) (*invoice.Sheet, error) {
		asked := l.second.Add(time.Second - 1)
		if len(asOf) == 0 {
			latest, err := latestTime(l.tx)
			if err != nil {
				return nil, err
			}
			l.second, asked = latest.UTC().Truncate(time.Second), latest
		}
		charges, err := l.chargesOf(inv, asked)
		if err != nil {
			return nil, err
		}
		return invoice.NewSheet(inv, charges, asked.UTC().Truncate(time.Second)), nil
	})
}

// chargesOf are the charges of the containers that an invoice names, the newest first.
// Those that were not known then have none.
func (l *pastView) chargesOf(inv *invoice.Invoice, asked time.Time) (list []freetime.Charges, err error) {
	seen := map[string]bool{}
	for i := range inv.Lines {
		number := inv.Lines[i].Container
		if seen[number] {
			continue
		}
		seen[number] = true
		stays, _, err := containers.List(l.tx, ContainerQuery{Numbers: []string{number}}.where(), Page{Number: 1, Size: maxStays})
		if err != nil {
			return nil, err
		}
		for _, c := range stays {
			charges, err := (&pastView{tx: l.tx, second: l.second}).charges(c.ID, asked)
			if errors.Is(err, ErrNotFound) {
				continue
			} else if err != nil {
				return nil, err
			}
			list = append(list, *charges)
		}
	}
	return list, nil
}
