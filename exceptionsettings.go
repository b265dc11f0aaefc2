package tracking

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/exceptions"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// ExceptionSettings are the thresholds from which on an account has exceptions, in the unit of
// the name. Zero (null) is the default: see docs/exceptions.md#thresholds.
type ExceptionSettings struct {
	Meta
	RolloverDelay      int `attr:"rollover_delay_in_days,null"`        // by which another ship leaves later than the planned one; default 2, at most 90
	ETASlip            int `attr:"eta_slip_in_days,null"`              // of the arrival after the first estimate; default 3, at most 90
	ETASlipInWeek      int `attr:"eta_slip_in_week_in_days,null"`      // of the arrival after the estimate of a week ago; default 2, at most 90
	PromisedSlip       int `attr:"promised_arrival_slip_in_days,null"` // of the arrival after the promised one; default 1, at most 90
	HubDwell           int `attr:"hub_dwell_in_days,null"`             // stay at a port of transshipment; default 10, at most 90
	PODDwell           int `attr:"pod_dwell_in_days,null"`             // stay at the port of discharge; default 7, at most 90
	DestinationDwell   int `attr:"destination_dwell_in_days,null"`     // stay at the inland destination; default 5, at most 90
	FreeTimeWarning    int `attr:"free_time_warning_in_days,null"`     // before the last free day ends; default 2, at most 90
	PickupDelay        int `attr:"pickup_delay_in_days,null"`          // of an available container; default 3, at most 90
	ReturnDelay        int `attr:"return_delay_in_days,null"`          // from pick-up to empty return; default 10, at most 90
	SourceSilence      int `attr:"source_silence_in_days,null"`        // without any fact; default 14, at most 90
	SourceConflict     int `attr:"source_conflict_in_hours,null"`      // between two sources about one time; default 24, at most 720
	SeaTolerance       int `attr:"sea_tolerance_in_days,null"`         // after the time of a milestone of a ship; default 3, at most 90
	DischargeTolerance int `attr:"discharge_tolerance_in_days,null"`   // after the arrival; default 3, at most 90
	InlandTolerance    int `attr:"inland_tolerance_in_days,null"`      // after the time of a milestone of a train or truck; default 3, at most 90

	UpdatedAt time.Time `attr:"updated_at,null"` // when they last changed, UTC; zero (null) if they never did
}

// setUpdatedAt is called by Put when the record has changed.
func (s *ExceptionSettings) setUpdatedAt(at time.Time) { s.UpdatedAt = at }

var exceptionSettings = newKind[ExceptionSettings]("exception_settings", nil, nil, nil).InGeneration(2)

var exceptionSettingsID = table.NamedID("exception_settings", "")

// ExceptionThreshold describes an attribute of ExceptionSettings. Its values are whole numbers
// from 1 on, in the unit of the name.
type ExceptionThreshold struct {
	Name         string
	Default, Max int
}

// Check refuses a value that the threshold cannot have. Errors: Invalid on the name.
func (h ExceptionThreshold) Check(value int) error {
	if value < 1 || value > h.Max {
		return invalid(h.Name, "out_of_range", "%s must be a whole number from 1 to %d, or null for the default, %d", h.Name, h.Max, h.Default)
	}
	return nil
}

// threshold is one of them with its places.
type threshold struct {
	name string
	own  func(*ExceptionSettings) *int
	used func(*exceptions.Settings) *time.Duration
}

var thresholds = []threshold{
	{"rollover_delay_in_days", func(s *ExceptionSettings) *int { return &s.RolloverDelay }, func(s *exceptions.Settings) *time.Duration { return &s.RolloverDelay }},
	{"eta_slip_in_days", func(s *ExceptionSettings) *int { return &s.ETASlip }, func(s *exceptions.Settings) *time.Duration { return &s.ETASlip }},
	{"eta_slip_in_week_in_days", func(s *ExceptionSettings) *int { return &s.ETASlipInWeek }, func(s *exceptions.Settings) *time.Duration { return &s.ETASlipInWeek }},
	{"promised_arrival_slip_in_days", func(s *ExceptionSettings) *int { return &s.PromisedSlip }, func(s *exceptions.Settings) *time.Duration { return &s.PromisedSlip }},
	{"hub_dwell_in_days", func(s *ExceptionSettings) *int { return &s.HubDwell }, func(s *exceptions.Settings) *time.Duration { return &s.HubDwell }},
	{"pod_dwell_in_days", func(s *ExceptionSettings) *int { return &s.PODDwell }, func(s *exceptions.Settings) *time.Duration { return &s.PODDwell }},
	{"destination_dwell_in_days", func(s *ExceptionSettings) *int { return &s.DestinationDwell }, func(s *exceptions.Settings) *time.Duration { return &s.RampDwell }},
	{"free_time_warning_in_days", func(s *ExceptionSettings) *int { return &s.FreeTimeWarning }, func(s *exceptions.Settings) *time.Duration { return &s.FreeTimeWarning }},
	{"pickup_delay_in_days", func(s *ExceptionSettings) *int { return &s.PickupDelay }, func(s *exceptions.Settings) *time.Duration { return &s.PickupDelay }},
	{"return_delay_in_days", func(s *ExceptionSettings) *int { return &s.ReturnDelay }, func(s *exceptions.Settings) *time.Duration { return &s.ReturnDelay }},
	{"source_silence_in_days", func(s *ExceptionSettings) *int { return &s.SourceSilence }, func(s *exceptions.Settings) *time.Duration { return &s.Silence }},
	{"source_conflict_in_hours", func(s *ExceptionSettings) *int { return &s.SourceConflict }, func(s *exceptions.Settings) *time.Duration { return &s.Conflict }},
	{"sea_tolerance_in_days", func(s *ExceptionSettings) *int { return &s.SeaTolerance }, func(s *exceptions.Settings) *time.Duration { return &s.SeaTolerance }},
	{"discharge_tolerance_in_days", func(s *ExceptionSettings) *int { return &s.DischargeTolerance }, func(s *exceptions.Settings) *time.Duration { return &s.DischargeTolerance }},
	{"inland_tolerance_in_days", func(s *ExceptionSettings) *int { return &s.InlandTolerance }, func(s *exceptions.Settings) *time.Duration { return &s.InlandTolerance }},
}

func (h threshold) unit() time.Duration {
	if strings.HasSuffix(h.name, "_in_hours") {
		return time.Hour
	}
	return 24 * time.Hour
}

func (h threshold) describe() ExceptionThreshold {
	defaults := exceptions.Defaults
	most := 90
	if h.unit() == time.Hour {
		most = 720
	}
	return ExceptionThreshold{h.name, int(*h.used(&defaults) / h.unit()), most}
}

// Thresholds are what ExceptionSettings has, in its order.
func (Exceptions) Thresholds() []ExceptionThreshold {
	list := make([]ExceptionThreshold, len(thresholds))
	for i, h := range thresholds {
		list[i] = h.describe()
	}
	return list
}

// Threshold returns the value of an attribute by its name; 0 for the default.
func (s *ExceptionSettings) Threshold(name string) int {
	for _, h := range thresholds {
		if h.name == name {
			return *h.own(s)
		}
	}
	return 0
}

// applied are the thresholds in force.
func (s *ExceptionSettings) applied() *exceptions.Settings {
	in := exceptions.Defaults
	for _, h := range thresholds {
		if value := *h.own(s); value != 0 {
			*h.used(&in) = time.Duration(value) * h.unit()
		}
	}
	return &in
}

// SettingsID is the ID of the settings, which is the same in every account.
func (Exceptions) SettingsID() ID { return exceptionSettingsID }

// Settings returns the thresholds of the account. Needs show.
func (x Exceptions) Settings(ctx context.Context) (*ExceptionSettings, error) {
	if err := x.t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, x.t.engine, x.t.actor.Account, settingsOf)
}

// settingsOf returns the settings of the account. Version 0 is that of settings that were
// never changed.
func settingsOf(tx *transaction) (*ExceptionSettings, error) {
	s, err := exceptionSettings.Get(tx, exceptionSettingsID)
	if isNotFound(err) {
		return &ExceptionSettings{Meta: Meta{ID: exceptionSettingsID}}, nil
	}
	return s, err
}

// settingsRecord is the record that settings which were never changed are shown as.
func settingsRecord() store.Record {
	s := &ExceptionSettings{Meta: Meta{ID: exceptionSettingsID}}
	return store.Record{ID: s.ID, Doc: exceptionSettings.Write(s).Doc}
}

// UpdateSettings changes thresholds of the account, by the name of their attribute; nil is the
// default, and others stay. The exceptions of its shipments follow in
// the background: those that are not found any more are closed, as withdrawn where they do not
// end by themselves. Needs admin. Errors: Invalid on a threshold (out_of_range) or on a name
// that none has (inclusion).
func (x Exceptions) UpdateSettings(ctx context.Context, values map[string]*int) (*ExceptionSettings, error) {
	if err := x.t.allow(Admin); err != nil {
		return nil, err
	}
	if err := checkThresholds(values); err != nil {
		return nil, err
	}
	return updateFound(ctx, x.t, "exception_settings.update", 0, settingsOf, func(tx *transaction, s *ExceptionSettings) error {
		before := *s
		for _, h := range thresholds {
			if value, given := values[h.name]; given && value != nil {
				*h.own(s) = *value
			} else if given {
				*h.own(s) = 0
			}
		}
		if *s == before {
			return nil
		}
		if tx.ledger.ExceptionSettings == tx.ledger.read.exceptionSettings {
			tx.ledger.ExceptionSettings++
		}
		review := store.Job{ID: table.NamedID("job/review", ""), Kind: jobReviewAll, Ref: ledgerID, Due: tx.Now}
		if err := tx.enqueue(review); err != nil {
			return err
		}
		return exceptionSettings.Put(tx, s)
	})
}

func checkThresholds(values map[string]*int) error {
	var faults Errors
	for _, h := range thresholds {
		if value := values[h.name]; value != nil {
			if err := h.describe().Check(*value); err != nil {
				faults = append(faults, err.(*Error))
			}
		}
	}
	for name := range values {
		if !slices.ContainsFunc(thresholds, func(h threshold) bool { return h.name == name }) {
			faults = append(faults, invalid(name, "inclusion", "'%s' is not the name of a threshold", abbreviate(name, 64)))
		}
	}
	return faults.or()
}

// thresholdsInForce returns those of the account. Each update needs them: they are read once
// for each of their versions. Those that the transaction itself has changed are not remembered.
func (tx *transaction) thresholdsInForce() (*exceptions.Settings, error) {
	version := tx.ledger.ExceptionSettings
	if version == 0 {
		return &exceptions.Defaults, nil
	}
	changed := version != tx.ledger.read.exceptionSettings
	if known := tx.engine.thresholds.get(tx.Account, version); known != nil && !changed {
		return known, nil
	}
	s, err := settingsOf(tx)
	if err != nil {
		return nil, err
	}
	in := s.applied()
	if !changed {
		tx.engine.thresholds.put(tx.Account, version, in)
	}
	return in, nil
}

// reviewAll finds the exceptions of all shipments again, because thresholds have changed.
func (t *Tracker) reviewAll(ctx context.Context, j store.Job) error {
	return t.inBatches(ctx, j, func(tx *transaction, list []*Shipment) error {
		for _, s := range list {
			if err := reviewStored(tx, s.ID); err != nil {
				return err
			}
		}
		return nil
	})
}
