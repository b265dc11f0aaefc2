package tracking

import (
	"context"
	"slices"
	"time"

	"github.com/landfallhq/tracking/reliability"
)

// Reliability has what the past of an account says of its lines: see [Tracker.Reliability].
type Reliability struct{ t *Tracker }

// Reliability returns what the past of the account says of its lines: Card and Bands are its
// operations.
func (t *Tracker) Reliability() Reliability { return Reliability{t} }

// ReportCardQuery selects rows of a report card. A list matches any of its members; an empty
// one matches all. Filters change no figure.
type ReportCardQuery struct {
	SCACs []string // primary or alternative
	// POLs and PODs are LOCODEs. With one of them there are no rows of a line over all its
	// lanes.
	POLs, PODs []string
	// AsOf is the moment whose card it is: only what the account had learned by the end of
	// that second (UTC) enters. Zero is now.
	AsOf time.Time
}

// Card returns the report card of the lines: how well their ETAs and ETDs foretold the
// arrivals of the account's shipments (see docs/reliability.md). Needs show. Errors: Invalid
// on as_of for a future time.
func (r Reliability) Card(ctx context.Context, q ReportCardQuery) (*reliability.Card, error) {
	if err := r.t.allow(Show); err != nil {
		return nil, err
	}
	past, err := viewing(ctx, r.t.engine, r.t.actor.Account, func(tx *transaction) ([]reliability.Voyage, error) {
		var err error
		if q.AsOf.IsZero() {
			q.AsOf, err = latestTime(tx)
			q.AsOf = q.AsOf.UTC().Truncate(time.Second)
		} else {
			q.AsOf, err = pastSecond(tx, q.AsOf)
		}
		if err != nil {
			return nil, err
		}
		return voyagesOf(tx)
	})
	if err != nil {
		return nil, err
	}
	lines := primarySCACs(r.t.engine, q.SCACs)
	past = slices.DeleteFunc(past, func(v reliability.Voyage) bool { return len(lines) > 0 && !slices.Contains(lines, v.Line) })
	card := reliability.NewCard(past, q.AsOf.Add(time.Second-1))
	card.AsOf = q.AsOf
	card.Rows = slices.DeleteFunc(card.Rows, func(row reliability.Row) bool {
		return len(q.POLs) > 0 && !slices.Contains(q.POLs, row.POL) || len(q.PODs) > 0 && !slices.Contains(q.PODs, row.POD)
	})
	return &card, nil
}
