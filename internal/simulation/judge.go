package simulation

import (
	"fmt"
	"slices"
	"time"
)

// ShownMilestone is a milestone as the engine shows it: the event without its
// "container.transport." prefix. Estimated events do not belong here.
type ShownMilestone struct {
	Event   string
	At      time.Time
	LOCODE  string
	ShipIMO string
}

// unjudged are events that follow from the word of terminals alone.
var unjudged = []string{"available", "not_available"}

// JudgeMilestones says what is wrong with the milestones shown: missing ones,
// false ones, and true ones shown twice.
func (e ContainerExpectation) JudgeMilestones(shown []ShownMilestone) []string {
	var wrong []string
	used := make([]bool, len(e.Milestones))
	for _, milestone := range shown {
		if slices.Contains(unjudged, milestone.Event) {
			continue
		}
		if at := e.match(milestone, used); at >= 0 {
			used[at] = true
		} else {
			wrong = append(wrong, fmt.Sprintf("false or repeated %s at %s %s %s", milestone.Event, milestone.LOCODE, milestone.At.Format(time.RFC3339), milestone.ShipIMO))
		}
	}
	for i, milestone := range e.Milestones {
		if milestone.Required && !used[i] {
			wrong = append(wrong, fmt.Sprintf("missing %v at %s %s %s", milestone.Names, milestone.LOCODE, milestone.At.At.Format(time.RFC3339), milestone.ShipIMO))
		}
	}
	return wrong
}

// match finds an unused milestone, a required one before one that may be shown.
func (e ContainerExpectation) match(shown ShownMilestone, used []bool) int {
	found := -1
	for i, milestone := range e.Milestones {
		if used[i] || !milestone.Matches(shown) {
			continue
		}
		if milestone.Required {
			return i
		}
		if found < 0 {
			found = i
		}
	}
	return found
}
