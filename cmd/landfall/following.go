package main

import (
	"time"

	"github.com/landfallhq/tracking"
)

// following holds how often and how long shipments are tracked. The defaults are
// those of the engine.
type following struct {
	every   time.Duration
	refresh tracking.RefreshIntervals
	stop    tracking.StopWindows
}

// declare declares the flags.
func (w *following) declare(f *flags) {
	f.DurationVar(&w.every, "refresh-every", 6*time.Hour, "`DURATION` between two requests to a carrier about a shipment; the defaults of the other --refresh flags are multiples of it")
	f.DurationVar(&w.refresh.Far, "refresh-far", 0, "`DURATION` between requests while the ship is far from its next call; 0 means twice --refresh-every")
	f.DurationVar(&w.refresh.Near, "refresh-near", 0, "`DURATION` between requests in the days before arrival; 0 means a third of --refresh-every")
	f.DurationVar(&w.refresh.AtTerminal, "refresh-at-terminal", 0, "`DURATION` between requests while the container is at the terminal; 0 means a sixth of --refresh-every")
	f.DurationVar(&w.refresh.Out, "refresh-out", 0, "`DURATION` between requests after full out until empty return; 0 means four times --refresh-every")
	f.DurationVar(&w.stop.Arrival, "stop-after-arrival", 0, "`DURATION` after which a shipment with a container that was not picked up is no longer tracked; 0 means 1344h (56 days), a negative value never")
	f.DurationVar(&w.stop.FullOut, "stop-after-full-out", 0, "`DURATION` after which a shipment with a container that was not returned empty is no longer tracked; 0 and negative values likewise")
	f.DurationVar(&w.stop.NoUpdates, "stop-after-silence", 0, "`DURATION` after which a shipment without news is no longer tracked; 0 and negative values likewise")
}
