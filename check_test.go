package tracking_test

import (
	"errors"
	"testing"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// checked is a store that has a check of its own.
type checked struct {
	tracking.Store
	store.Checker
}

func TestCheckNeedsTheOperator(t *testing.T) {
	b := trackingtest.New(t)
	if _, err := b.Operator.Check(ctx, tracking.CheckRequest{}); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a store without a check: %v", err)
	}
	b = trackingtest.New(t, func(c *tracking.Config) { c.Store = checked{Store: c.Store} })
	var fault *tracking.Error
	if _, err := b.Check(ctx, tracking.CheckRequest{}); !errors.As(err, &fault) || fault.Kind != tracking.Forbidden {
		t.Errorf("an account may check the store: %v", err)
	}
}
