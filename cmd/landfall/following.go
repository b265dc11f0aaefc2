package main

import (
	"time"

	"github.com/landfallhq/tracking"
)

// following is how long and how often shipments are followed; the defaults are
// the engine's.
type following struct {
	every   time.Duration
	refresh tracking.RefreshIntervals
	stop    tracking.StopWindows
}

// declare adds its flags, which the configuration file may hold too.
func (w *following) declare(f *flags) {
	f.DurationVar(&w.every, "refresh-every", 6*time.Hour, "`DURATION` after which a carrier is asked about a shipment again where no other --refresh flag says otherwise; it scales their defaults")
	f.DurationVar(&w.refresh.Far, "refresh-far", 0, "`DURATION` after which it is asked again far from the next call; 0 for twice --refresh-every")
	f.DurationVar(&w.refresh.Near, "refresh-near", 0, "`DURATION` after which it is asked again within days of the arrival; 0 for a third of --refresh-every")
	f.DurationVar(&w.refresh.AtTerminal, "refresh-at-terminal", 0, "`DURATION` after which it is asked again at the terminal; 0 for a sixth of --refresh-every")
	f.DurationVar(&w.refresh.Out, "refresh-out", 0, "`DURATION` after which it is asked again until the empty return; 0 for four times --refresh-every")
	f.DurationVar(&w.stop.Arrival, "stop-after-arrival", 0, "`DURATION` that a box may wait to be picked up before its shipment is followed no more; 0 for 1344h, 56 days, and less than 0 for ever")
	f.DurationVar(&w.stop.FullOut, "stop-after-full-out", 0, "`DURATION` that a box may be out before it is returned empty, likewise")
	f.DurationVar(&w.stop.NoUpdates, "stop-after-silence", 0, "`DURATION` in which nothing new may be heard of a shipment, likewise")
}
