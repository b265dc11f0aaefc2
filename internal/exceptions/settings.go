package exceptions

import "time"

// Settings are the thresholds of an account. All are more than zero.
type Settings struct {
	// RolloverDelay is how much later than planned a container must sail for a rollover. A
	// weekly service brings it seven days later; a ship that takes the place of another sails
	// within two.
	RolloverDelay time.Duration
	// ETASlip is how far the arrival may slip against the first estimate: planners keep some
	// three days between the arrival and an appointment.
	ETASlip time.Duration
	// ETASlipInWeek is the same against what was known seven days before. Shorter, because
	// trucks and slots are booked in that time.
	ETASlipInWeek time.Duration
	// PromisedSlip is how far the arrival may slip against what a user promised. A promise is a
	// day, and often written down as its midnight.
	PromisedSlip time.Duration
	// HubDwell, PODDwell and RampDwell are how long a container may stand. Connections are
	// weekly, so after ten days one was missed. The free time of most import tariffs is a week
	// or less, and that of ramps two days and a weekend.
	HubDwell, PODDwell, RampDwell time.Duration
	// FreeTimeWarning is how long before the end of the last free day somebody is warned: a
	// truck is ordered a day or two ahead.
	FreeTimeWarning time.Duration
	// PickupDelay is how long an available container may wait.
	PickupDelay time.Duration
	// ReturnDelay is how long after the pick-up the empty container may be out. Detention
	// tariffs give a week or two.
	ReturnDelay time.Duration
	// Silence is how long no source may say anything. A ship on the ocean is quiet for days;
	// a line that says nothing for two weeks has often lost the number.
	Silence time.Duration
	// Conflict is how far two sources may differ about one time: they differ by hours, and by a
	// day where one of them knows only the date.
	Conflict time.Duration
	// SeaTolerance, DischargeTolerance and InlandTolerance are how long after its time a
	// milestone may be reported: of ships; of the discharge after the arrival; of trains and
	// trucks. Nineteen of twenty reports come within two days, and estimates are a day off.
	SeaTolerance, DischargeTolerance, InlandTolerance time.Duration
}

const day = 24 * time.Hour

// Defaults are the settings of an account that has none of its own.
var Defaults = Settings{
	RolloverDelay: 2 * day, ETASlip: 3 * day, ETASlipInWeek: 2 * day, PromisedSlip: day, HubDwell: 10 * day, PODDwell: 7 * day, RampDwell: 5 * day,
	FreeTimeWarning: 2 * day, PickupDelay: 3 * day, ReturnDelay: 10 * day, Silence: 14 * day, Conflict: day,
	SeaTolerance: 3 * day, DischargeTolerance: 3 * day, InlandTolerance: 3 * day,
}
