package simulation

import "slices"

// status is what the container may be said to be, by the last that was said.
func (c *clerk) status() Text {
	accepted := []string{"new"}
	for _, f := range c.facts {
		if len(f.said) == 0 {
			continue
		}
		if after := c.statusAfter(f); after != nil {
			before := accepted
			accepted = after
			if !f.proved {
				accepted = slices.Concat(after, before)
			}
		}
	}
	return Text{Determined, c.withAvailability(accepted)}
}

// statusAfter lists the statuses that are right when this was the last word.
func (c *clerk) statusAfter(f fact) []string {
	switch f.Reason {
	case Repositioned, EmptyPickUp, OriginGateIn, UnusedReturn:
		return []string{"new"}
	case UndoneLoad, SeaLoad, ShipDeparts, ShipArrives, ShipBerths:
		return []string{"on_ship"}
	case UndoneDischarge:
		return []string{"new", "grounded"}
	case SeaDischarge:
		return c.afterDischarge(f)
	case TransferIn:
		return c.afterTransfer(f)
	case PickUp:
		return c.unlessAtSea("picked_up")
	case BackIn:
		if f.Place.Type == "OFFD" {
			return []string{"off_dock"}
		}
		return []string{"grounded"}
	case HandOver:
		return []string{"delivered"}
	case EmptyReturn:
		if c.shipped() {
			return []string{"empty_returned"}
		}
		return []string{"empty_returned", "new"}
	}
	return c.afterInland(f)
}

// unlessAtSea adds what a clerk may believe who expects another port of
// discharge, and so takes the container for one on its way.
func (c *clerk) unlessAtSea(status ...string) []string {
	if c.podKnown {
		return status
	}
	return append(status, "on_ship", "grounded", "awaiting_inland_transfer", "new")
}

func (c *clerk) afterDischarge(f fact) []string {
	switch {
	case !f.Final && c.podKnown:
		return []string{"on_ship"}
	case !f.Final:
		return []string{"on_ship", "grounded", "awaiting_inland_transfer"}
	}
	return c.unlessAtSea(c.ashore()...)
}

// ashore is the status on the quay of the port of discharge.
func (c *clerk) ashore() []string {
	switch {
	case c.journey.Dest == nil:
		return []string{"grounded"}
	case c.destKnown:
		return []string{"awaiting_inland_transfer"}
	}
	return []string{"grounded", "awaiting_inland_transfer"}
}

func (c *clerk) afterTransfer(f fact) []string {
	if f.Place.Type == "OFFD" {
		return c.unlessAtSea("off_dock")
	}
	if f.Place.Town != c.journey.POD() {
		return append(c.ashore(), "on_rail")
	}
	return c.unlessAtSea(c.ashore()...)
}

func (c *clerk) afterInland(f fact) []string {
	switch f.Reason {
	case RailLoad, RailDeparts:
		return c.unlessAtSea("on_rail")
	case RailArrives, RailUnload:
		return c.afterTrain(f)
	case BargeLoad, BargeDeparts:
		return []string{"awaiting_inland_transfer", "on_ship"}
	case BargeArrives, BargeDischarge, InlandGateIn:
		if c.destKnown {
			return []string{"grounded"}
		}
		return []string{"grounded", "on_ship", "awaiting_inland_transfer"}
	case TowardsInland:
		if c.destKnown {
			return []string{"awaiting_inland_transfer"}
		}
		return []string{"awaiting_inland_transfer", "picked_up"}
	}
	return nil
}

func (c *clerk) afterTrain(f fact) []string {
	if f.Final {
		return []string{"grounded"}
	}
	if c.stated("destination") == nil {
		return []string{"on_rail", "awaiting_inland_transfer", "grounded"}
	}
	if f.Reason == RailArrives && c.trainReported(f) {
		return []string{"on_rail"}
	}
	return []string{"on_rail", "awaiting_inland_transfer"}
}

// trainReported: the last that was reported of trains before an arrival is a load
// or a departure, which set on_rail. An arrival alone sets no status; that the
// container came by rail is plain, too.
func (c *clerk) trainReported(arrival fact) bool {
	reported := false
	for _, f := range c.facts {
		if len(f.said) > 0 && f.At.Before(arrival.At) && f.Reason >= RailLoad && f.Reason <= RailUnload && f.Reason != RailArrives {
			reported = f.Reason != RailUnload
		}
	}
	return reported
}

// lastAvailability is what the terminal said last; nil when it said nothing.
func (c *clerk) lastAvailability() *bool {
	var last *bool
	for i := range c.statements {
		s := &c.statements[i]
		if s.truth.available != nil && !s.void && s.reaches(c.box) {
			last = s.truth.available
		}
	}
	return last
}

// withAvailability lets the terminal's word replace the bare standing there.
func (c *clerk) withAvailability(accepted []string) []string {
	available := c.lastAvailability()
	if available == nil || c.gone() {
		return accepted
	}
	word := "not_available"
	if *available {
		word = "available"
	}
	if slices.Equal(accepted, []string{"grounded"}) && c.podKnown && c.destKnown {
		return []string{word}
	}
	return append(slices.Clone(accepted), word)
}

// gone: it was said that the container left the place of pick-up.
func (c *clerk) gone() bool {
	return slices.ContainsFunc(c.facts, func(f fact) bool {
		return len(f.said) > 0 && (f.Reason == PickUp || f.Reason == HandOver || f.Reason == EmptyReturn)
	})
}

// available is the expectation for availability_known and available_for_pickup.
func (c *clerk) available() (known, available Flag) {
	last := c.lastAvailability()
	if last == nil {
		return Flag{Determined, []bool{false}}, Flag{Determined, []bool{false}}
	}
	if c.gone() {
		return Flag{Undetermined, []bool{true, false}}, Flag{Determined, []bool{false}}
	}
	arrived := slices.ContainsFunc(c.facts, func(f fact) bool {
		return len(f.said) > 0 && f.Final && f.Reason != ShipArrives && f.Reason != RailLoad && f.Reason != RailDeparts
	})
	if arrived && c.podKnown && c.destKnown && !c.onTheWay() {
		return Flag{Determined, []bool{true}}, Flag{Determined, []bool{*last}}
	}
	return Flag{Undetermined, []bool{true, false}}, Flag{Undetermined, []bool{*last, false}}
}

// onTheWay: the last word places the container elsewhere than at the pick-up.
func (c *clerk) onTheWay() bool {
	return !slices.Equal(c.statusBeforeAvailability(), []string{"grounded"})
}

func (c *clerk) statusBeforeAvailability() []string {
	var last []string
	for _, f := range c.facts {
		if len(f.said) > 0 {
			if after := c.statusAfter(f); after != nil {
				last = after
			}
		}
	}
	return last
}
