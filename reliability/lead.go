package reliability

import "time"

// A Lead is a class of lead times: how long before an estimated time the estimate was in
// force. Days are of 24 hours, and begun days do not count: a lead of 3.9 days is of 3.
type Lead string

// The classes of lead times, from the shortest. LeadFirst is no class of a time: it has the
// first estimate that was learned, whatever its lead.
const (
	LeadOverdue   Lead = "overdue" // the estimated time has passed
	LeadUnderADay Lead = "under_1_day"
	Lead1To3      Lead = "1_to_3_days"
	Lead4To7      Lead = "4_to_7_days"
	Lead8To14     Lead = "8_to_14_days"
	Lead15To28    Lead = "15_to_28_days"
	LeadOver28    Lead = "over_28_days"
	LeadFirst     Lead = "first"
)

// Leads are all classes in the order of cards.
var Leads = []Lead{LeadFirst, LeadOverdue, LeadUnderADay, Lead1To3, Lead4To7, Lead8To14, Lead15To28, LeadOver28}

// LeadOf returns the class of a lead time; negative is after the estimated time.
func LeadOf(d time.Duration) Lead { return classOf(d).lead() }

// leadClass is the index of a class in Leads.
type leadClass int

const first leadClass = 0

// leadClasses is the number of classes.
const leadClasses = 8

func (c leadClass) lead() Lead { return Leads[c] }

const day = 24 * time.Hour

// leadEnds has the first lead that is longer than those of each class, from LeadOverdue.
var leadEnds = [...]time.Duration{0, day, 4 * day, 8 * day, 15 * day, 29 * day}

// overlap returns how much of the leads between the two is in the class.
func (c leadClass) overlap(shortest, longest time.Duration) time.Duration {
	if i := int(c - first - 1); i > 0 {
		shortest = max(shortest, leadEnds[i-1])
	}
	if c < leadClasses-1 {
		longest = min(longest, leadEnds[c-first-1])
	}
	return max(0, longest-shortest)
}

func classOf(d time.Duration) leadClass {
	for i, end := range leadEnds {
		if d < end {
			return first + 1 + leadClass(i)
		}
	}
	return leadClasses - 1
}
