package tracking

import (
	"context"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/debounce"
	"github.com/landfallhq/tracking/internal/membership"
	"github.com/landfallhq/tracking/internal/search"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// Container is a container in one shipment. Containers are used again, so the number alone
// does not identify a journey (see docs/contract.md#containers). Times are UTC, and zero
// (null) while not known.
type Container struct {
	Meta
	Shipment       ID       `rel:"shipment,shipment"`        // the one it travels in
	PickupFacility ID       `rel:"pickup_facility,terminal"` // at the inland destination
	PODTerminal    ID       `rel:"pod_terminal,terminal"`    // where it is, or is expected
	_              struct{} `rel:"transport_events,transport_event,inverse"`
	_              struct{} `rel:"raw_events,raw_event,inverse"`
	_              struct{} `rel:"exceptions,exception,inverse"`
	_              struct{} `rel:"custom_fields,custom_field,inverse"`

	Number          string    `attr:"number"`                // ISO 6346, without blanks
	RefNumbers      []string  `attr:"ref_numbers"`           // numbers that users gave it
	SealNumber      string    `attr:"seal_number,null"`      // its first seal
	CreatedAt       time.Time `attr:"created_at"`            // when the record was created
	UpdatedAt       time.Time `attr:"updated_at"`            // when the record last changed; never decreases within an account
	EquipmentType   string    `attr:"equipment_type,null"`   // dry, reefer, open top, flat rack, bulk or tank
	EquipmentLength int       `attr:"equipment_length,null"` // in feet
	EquipmentHeight string    `attr:"equipment_height,null"` // standard or high_cube
	WeightInLbs     float64   `attr:"weight_in_lbs,null"`    // gross, in pounds

	CurrentStatus ContainerStatus `attr:"current_status"` // see docs/contract.md#statuses-of-a-container
	// AvailabilityKnown: a terminal reports availability. If not, AvailableForPickup has no
	// meaning.
	AvailabilityKnown  bool `attr:"availability_known"`
	AvailableForPickup bool `attr:"available_for_pickup"` // a terminal would release it
	// The last free days are the midnights that begin them at the place. PickupLFD is the
	// line's, else the terminal's, else the rail ramp's; PickupLFDEarliest (own) is the
	// earliest of the three.
	PickupLFD                     time.Time `attr:"pickup_lfd,null"`
	PickupLFDEarliest             time.Time `attr:"pickup_lfd_earliest,null"`
	PickupAppointmentAt           time.Time `attr:"pickup_appointment_at,null"`             // when a truck is booked to pick it up
	PODArrivedAt                  time.Time `attr:"pod_arrived_at,null"`                    // actual arrival of its vessel at the port of discharge
	PODDischargedAt               time.Time `attr:"pod_discharged_at,null"`                 // actual discharge at the port of discharge
	PODFullOutAt                  time.Time `attr:"pod_full_out_at,null"`                   // when it left the port of discharge laden by land; null with an inland destination
	PODFullOutChassis             string    `attr:"pod_full_out_chassis_number,null"`       // number of the chassis on which it left
	LocationAtPODTerminal         string    `attr:"location_at_pod_terminal,null"`          // its position in the yard
	FinalDestinationFullOutAt     time.Time `attr:"final_destination_full_out_at,null"`     // when it left the inland destination laden
	EmptyTerminatedAt             time.Time `attr:"empty_terminated_at,null"`               // when it was returned empty
	TerminalCheckedAt             time.Time `attr:"terminal_checked_at,null"`               // the latest report of a terminal, by its own clock
	HoldsAtPODTerminal            []Hold    `attr:"holds_at_pod_terminal"`                  // empty for none
	FeesAtPODTerminal             []Fee     `attr:"fees_at_pod_terminal"`                   // empty for none
	PODTimezone                   string    `attr:"pod_timezone,null"`                      // IANA zone of the port of discharge
	FinalDestinationTimezone      string    `attr:"final_destination_timezone,null"`        // IANA zone of the inland destination
	EmptyTerminatedTimezone       string    `attr:"empty_terminated_timezone,null"`         // IANA zone of the place where it was returned
	PODRailCarrierSCAC            string    `attr:"pod_rail_carrier_scac,null"`             // not known to the engine: always null
	INDRailCarrierSCAC            string    `attr:"ind_rail_carrier_scac,null"`             // not known to the engine: always null
	PODLastTrackingRequestAt      time.Time `attr:"pod_last_tracking_request_at,null"`      // not known to the engine: always null
	ShipmentLastTrackingRequestAt time.Time `attr:"shipment_last_tracking_request_at,null"` // LineTrackingLastAttempted of its shipment
	PODRailLoadedAt               time.Time `attr:"pod_rail_loaded_at,null"`                // when it was loaded on the train from the port of discharge
	PODRailDepartedAt             time.Time `attr:"pod_rail_departed_at,null"`              // when that train left
	INDETAAt                      time.Time `attr:"ind_eta_at,null"`                        // estimated arrival at the inland destination
	INDATAAt                      time.Time `attr:"ind_ata_at,null"`                        // actual arrival at the inland destination
	INDRailUnloadedAt             time.Time `attr:"ind_rail_unloaded_at,null"`              // when it was unloaded from the train there
	// INDFacilityLFDOn is deprecated: it equals ImportDeadlines.PickupLFDRail.
	INDFacilityLFDOn time.Time       `attr:"ind_facility_lfd_on,null"`
	ImportDeadlines  ImportDeadlines `attr:"import_deadlines"`
	// The published interface shows these without describing them.
	EmptyOutAt          time.Time `attr:"empty_out_at,null"`           // when it was picked up empty
	POLFullInAt         time.Time `attr:"pol_full_in_at,null"`         // when it entered the port of lading laden
	POLVesselLoadedAt   time.Time `attr:"pol_vessel_loaded_at,null"`   // when it was loaded at the port of lading
	POLVesselDepartedAt time.Time `attr:"pol_vessel_departed_at,null"` // when its vessel left the port of lading
	DeliveredAt         time.Time `attr:"delivered_at,null"`           // when it was delivered to the consignee
	// RemovedAt (own) is when the container left the shipment, because no valid fact had it
	// any more (see docs/contract.md#containers); zero (null) while it is part of it.
	RemovedAt time.Time `attr:"removed_at,null"`

	containerInternals
}

// containerInternals is what the engine stores with a container and does not show.
type containerInternals struct {
	// Ship has the values of the shipment that lists of containers are filtered by.
	Ship trackedFacts `private:"ship"`
	// Absences are the times when the container was not in the shipment; see asof.go.
	Absences []membership.Absence `private:"absences"`
	// ReturnedUnused: it was returned empty to its origin, with nothing shipped in it.
	ReturnedUnused bool `private:"returned_unused"`
	// AnnounceStates are the states of the announcements of the container.
	AnnounceStates debounce.States `private:"told"`
}

// ImportDeadlines are the last free days of terminal, line and rail ramp. Each is the
// midnight that begins the day at the place, in UTC; nil while not known.
type ImportDeadlines struct {
	PickupLFDTerminal *time.Time `json:"pickup_lfd_terminal"` // stated by the terminal
	PickupLFDRail     *time.Time `json:"pickup_lfd_rail"`     // stated by the railway
	PickupLFDLine     *time.Time `json:"pickup_lfd_line"`     // stated by the shipping line
}

var containers = newKind("container", append([]column[Container]{
	table.NewColumn("number", store.TextColumn, func(c *Container) any { return c.Number }),
	table.IDColumn("shipment", func(c *Container) ID { return c.Shipment }),
	table.TextColumn("status", func(c *Container) string { return string(c.CurrentStatus) }),
	table.TimeColumn("pickup_lfd", func(c *Container) time.Time { return c.PickupLFD }),
	table.BoolColumn("available", (*Container).available),
	table.BoolColumn("has_hold", func(c *Container) bool { return len(c.HoldsAtPODTerminal) > 0 }),
	table.BoolColumn("removed", (*Container).removed),
}, trackedColumns((*Container).tracked)...), func(c *Container) []store.Term {
	refs := foldNumbers(c.RefNumbers)
	return slices.Concat(table.Terms("tag", c.Ship.Tags), table.Terms("ref", c.filterRefs()), search.Terms(append(refs, c.Number), nil))
}, func(c *Container) {
	if c.UpdatedAt.IsZero() {
		c.UpdatedAt = c.CreatedAt
	}
}).Counted("status", "scac", "removed").Volatile("updated_at").TermsVersion(search.TermsVersion).InGeneration(4)

// setUpdatedAt is called by Put when the record has changed.
func (c *Container) setUpdatedAt(at time.Time) { c.UpdatedAt = at }

// filterRefs returns the folded references by which lists find the container: its own and
// those of its shipment.
func (c *Container) filterRefs() []string {
	return foldNumbers(slices.Concat(c.RefNumbers, c.Ship.RefNumbers))
}

func (c *Container) available() bool { return c.AvailabilityKnown && c.AvailableForPickup }
func (c *Container) removed() bool   { return !c.RemovedAt.IsZero() }

func (c *Container) tracked() trackedFacts {
	f := c.Ship
	f.Created, f.Updated, f.PODTerminal = c.CreatedAt, c.UpdatedAt, c.PODTerminal
	return f
}

// copyShipment copies the values of the shipment that containers are filtered by.
func (c *Container) copyShipment(s *Shipment) {
	c.Ship = s.tracked()
	c.Ship.Created, c.Ship.Updated, c.Ship.PODTerminal = time.Time{}, time.Time{}, ID{}
	if len(c.Ship.Tags) == 0 {
		c.Ship.Tags = nil // nil, as it is after decoding
	}
	if len(c.Ship.RefNumbers) == 0 {
		c.Ship.RefNumbers = nil
	}
	c.ShipmentLastTrackingRequestAt = s.LineTrackingLastAttempted
}

// containerID is the ID of a container in a shipment.
func containerID(shipment ID, number string) ID {
	return table.NamedID("container", shipment.String()+"/"+number)
}

// ContainerQuery selects containers.
type ContainerQuery struct {
	// Numbers of containers, in any spelling.
	Numbers []string
	// Shipment of the containers; zero for any.
	Shipment ID
	// Statuses are values of current_status.
	Statuses []ContainerStatus
	// PickupLFD selects by Container.PickupLFD.
	PickupLFD TimeRange
	// Available selects by AvailabilityKnown and AvailableForPickup together.
	Available Tri
	// HasHold selects by whether any hold is in force or pending.
	HasHold Tri
	// Removed selects by whether the container has left its shipment; No by default on the
	// lists of the interface.
	Removed Tri
	// FreeTimeEnds selects by ImportCost.FreeTimeEndsOn: dates at the place, compared with those
	// of both ends in UTC. Accruing selects by ImportCost.Accruing.
	FreeTimeEnds TimeRange
	Accruing     Tri
	// CostsTomorrow selects by whether the next day at the place adds something to ImportCost, if
	// nothing more is reported; No has those that are not known to. CostKnown selects by whether
	// ImportCost has an amount.
	CostsTomorrow Tri
	CostKnown     Tri
	// Overdue selects by NextMilestone.Overdue.
	Overdue Tri
	// TrackedQuery.Sort can also be by pickup_lfd, by cost and by cost_tomorrow: by the currency of
	// ImportCost, then by its amount, or by what tomorrow adds.
	TrackedQuery
}

func (q ContainerQuery) resourceType() *table.Schema { return containers.Schema }
func (q ContainerQuery) filter() store.Filter {
	w := q.where()
	f := w.Filter(containers)
	q.byCost(&f)
	q.byOverdue(&f)
	return f
}

func (q ContainerQuery) list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error) {
	q.SCACs = primarySCACs(tx.engine, q.SCACs)
	return listByFields(tx, ContainerEntity, q, q.CustomFields, p, to)
}

func (q ContainerQuery) where() where[Container] {
	w := trackedWhere(q.TrackedQuery, (*Container).tracked)
	w.Text("number", foldNumbers(q.Numbers), func(c *Container) string { return c.Number })
	if q.Shipment != (ID{}) {
		w.IDs("shipment", []ID{q.Shipment}, func(c *Container) ID { return c.Shipment })
	}
	w.Text("status", textsOf(q.Statuses), func(c *Container) string { return string(c.CurrentStatus) })
	w.Times("pickup_lfd", q.PickupLFD.From, q.PickupLFD.To, func(c *Container) time.Time { return c.PickupLFD })
	tri(&w, "available", q.Available, (*Container).available)
	tri(&w, "has_hold", q.HasHold, func(c *Container) bool { return len(c.HoldsAtPODTerminal) > 0 })
	tri(&w, "removed", q.Removed, (*Container).removed)
	if len(q.RefNumbers) > 0 {
		w.Has("ref", foldNumbers(q.RefNumbers), (*Container).filterRefs)
	}
	return w
}

// Container returns one container. Needs show. Errors: NotFound.
func (t *Tracker) Container(ctx context.Context, id ID) (*Container, error) {
	return get(ctx, t, containers, id)
}

// Containers returns a page of containers, last created first unless q sorts,
// and how many match in all. Needs show.
func (t *Tracker) Containers(ctx context.Context, q ContainerQuery, p Page) ([]*Container, int, error) {
	return list(ctx, t, containers, q, p)
}

// ContainerUpdate has the attributes that users may change. Fields that are not set stay.
type ContainerUpdate struct {
	// RefNumbers, at most 100 of at most 255 characters each.
	RefNumbers Opt[[]string]
	// DeliveredAt marks the container as delivered, with the time of delivery: not before
	// 1970 and not in the future. It is stored as a fact of source "manual", which counts
	// before those of carriers. The zero time removes the mark.
	DeliveredAt Opt[time.Time]
	IfVersion   int64
}

// UpdateContainer changes a container. A mark of delivery is derived from, stored and
// announced as if a source had reported it. Needs update.
//
// Errors: NotFound; Stale; Invalid on ref_numbers and delivered_at.
func (t *Tracker) UpdateContainer(ctx context.Context, id ID, u ContainerUpdate) (*Container, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	var faults Errors
	refs := checkList(&faults, "ref_numbers", u.RefNumbers.Value)
	if err := t.checkDelivered(u.DeliveredAt.Value); err != nil {
		faults = append(faults, err)
	}
	if err := faults.or(); err != nil {
		return nil, err
	}
	change := func(tx *transaction, c *Container) error {
		if !u.RefNumbers.Set {
			return nil
		}
		c.RefNumbers = refs
		return containers.Put(tx, c)
	}
	if u.DeliveredAt.Set {
		return t.markDelivered(ctx, id, u, change)
	}
	return updateFound(ctx, t, "container.update", u.IfVersion, withID(containers, id), change)
}
