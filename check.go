package tracking

import (
	"context"
	"errors"
	"fmt"

	"github.com/landfallhq/tracking/store"
)

// CheckRequest, CheckReport and Problem are those of the store, which looks itself over.
type (
	CheckRequest = store.CheckRequest
	CheckReport  = store.CheckReport
	Problem      = store.Problem
)

// Check looks through everything that the store keeps: whether the file is
// whole, and whether every document can be read and is found by what it says.
// It is for the operator. It may be run beside a running server: it works in
// batches, so that neither writers nor checkpoints wait for it for long, and
// what changes meanwhile is seen before or after the change. A problem is no
// error; an error means that the check could not be done.
func (t *Tracker) Check(ctx context.Context, c CheckRequest) (CheckReport, error) {
	if err := t.operator(); err != nil {
		return CheckReport{}, err
	}
	checker, ok := t.config.Store.(store.Checker)
	if !ok {
		return CheckReport{}, fmt.Errorf("tracking: %w: a %T has no check of its own", errors.ErrUnsupported, t.config.Store)
	}
	return checker.Check(ctx, allKinds(), c)
}
