package tracking

import (
	"context"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/debounce"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// Container is a box within one shipment: boxes are used again, so the number
// alone identifies no journey (see docs/contract.md#containers). All times are UTC
// and zero (null) while not known.
type Container struct {
	Meta
	Shipment       ID       `rel:"shipment,shipment"`
	PickupFacility ID       `rel:"pickup_facility,terminal"` // the inland facility
	PODTerminal    ID       `rel:"pod_terminal,terminal"`
	_              struct{} `rel:"transport_events,transport_event,inverse"`
	_              struct{} `rel:"raw_events,raw_event,inverse"`
	_              struct{} `rel:"custom_fields,custom_field,inverse"`

	Number string `attr:"number"` // ISO 6346, without blanks
	// RefNumbers are the account's own.
	RefNumbers []string  `attr:"ref_numbers"`
	SealNumber string    `attr:"seal_number,null"`
	CreatedAt  time.Time `attr:"created_at"`
	UpdatedAt  time.Time `attr:"updated_at"` // when the record last changed; never goes back within an account
	// EquipmentType is dry, reefer, open top, flat rack, bulk or tank;
	// EquipmentLength in feet; EquipmentHeight standard or high_cube.
	EquipmentType   string  `attr:"equipment_type,null"`
	EquipmentLength int     `attr:"equipment_length,null"`
	EquipmentHeight string  `attr:"equipment_height,null"`
	WeightInLbs     float64 `attr:"weight_in_lbs,null"`

	CurrentStatus ContainerStatus `attr:"current_status"`
	// AvailabilityKnown says whether a terminal speaks of availability at all;
	// AvailableForPickup means something only then.
	AvailabilityKnown  bool `attr:"availability_known"`
	AvailableForPickup bool `attr:"available_for_pickup"`
	// PickupLFD is the line's last free day, else the terminal's, else the
	// railway's; PickupLFDEarliest (own) the earliest of the three.
	PickupLFD                     time.Time `attr:"pickup_lfd,null"`
	PickupLFDEarliest             time.Time `attr:"pickup_lfd_earliest,null"`
	PickupAppointmentAt           time.Time `attr:"pickup_appointment_at,null"`
	PODArrivedAt                  time.Time `attr:"pod_arrived_at,null"`
	PODDischargedAt               time.Time `attr:"pod_discharged_at,null"`
	PODFullOutAt                  time.Time `attr:"pod_full_out_at,null"`
	PODFullOutChassis             string    `attr:"pod_full_out_chassis_number,null"`
	LocationAtPODTerminal         string    `attr:"location_at_pod_terminal,null"`
	FinalDestinationFullOutAt     time.Time `attr:"final_destination_full_out_at,null"`
	EmptyTerminatedAt             time.Time `attr:"empty_terminated_at,null"`
	TerminalCheckedAt             time.Time `attr:"terminal_checked_at,null"`
	HoldsAtPODTerminal            []Hold    `attr:"holds_at_pod_terminal"`
	FeesAtPODTerminal             []Fee     `attr:"fees_at_pod_terminal"`
	PODTimezone                   string    `attr:"pod_timezone,null"`
	FinalDestinationTimezone      string    `attr:"final_destination_timezone,null"`
	EmptyTerminatedTimezone       string    `attr:"empty_terminated_timezone,null"`
	PODRailCarrierSCAC            string    `attr:"pod_rail_carrier_scac,null"`
	INDRailCarrierSCAC            string    `attr:"ind_rail_carrier_scac,null"`
	PODLastTrackingRequestAt      time.Time `attr:"pod_last_tracking_request_at,null"`
	ShipmentLastTrackingRequestAt time.Time `attr:"shipment_last_tracking_request_at,null"`
	PODRailLoadedAt               time.Time `attr:"pod_rail_loaded_at,null"`
	PODRailDepartedAt             time.Time `attr:"pod_rail_departed_at,null"`
	INDETAAt                      time.Time `attr:"ind_eta_at,null"`
	INDATAAt                      time.Time `attr:"ind_ata_at,null"`
	INDRailUnloadedAt             time.Time `attr:"ind_rail_unloaded_at,null"`
	// INDFacilityLFDOn is deprecated and mirrors the railway's deadline.
	INDFacilityLFDOn time.Time       `attr:"ind_facility_lfd_on,null"`
	ImportDeadlines  ImportDeadlines `attr:"import_deadlines"`
	// What the published interface shows beyond its description.
	EmptyOutAt          time.Time `attr:"empty_out_at,null"`
	POLFullInAt         time.Time `attr:"pol_full_in_at,null"`
	POLVesselLoadedAt   time.Time `attr:"pol_vessel_loaded_at,null"`
	POLVesselDepartedAt time.Time `attr:"pol_vessel_departed_at,null"`
	DeliveredAt         time.Time `attr:"delivered_at,null"`
	// RemovedAt (own) is when no valid fact named the container any more (see
	// docs/contract.md#containers).
	RemovedAt time.Time `attr:"removed_at,null"`

	// Ship is the shipment's part in what the box is found by.
	Ship trackedFacts `private:"ship"`
	// Absences are when no valid fact named the box; see asof.go.
	Absences []absence `private:"absences"`
	// ReturnedUnused: it went back to its origin empty, with nothing shipped in it.
	ReturnedUnused bool `private:"returned_unused"`
	// Told is what is remembered of the announcements about it.
	Told debounce.States `private:"told"`

	ship *Shipment
}

// ImportDeadlines are the last free days by who set them. Each is the midnight
// that begins the day at the place, in UTC; nil while not known.
type ImportDeadlines struct {
	PickupLFDTerminal *time.Time `json:"pickup_lfd_terminal"`
	PickupLFDRail     *time.Time `json:"pickup_lfd_rail"`
	PickupLFDLine     *time.Time `json:"pickup_lfd_line"`
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
	return slices.Concat(table.Terms("tag", c.Ship.Tags), table.Terms("ref", refs), searchTerms(append(refs, c.Number), nil))
}, func(c *Container) {
	if c.UpdatedAt.IsZero() {
		c.UpdatedAt = c.CreatedAt
	}
}).Counted("status", "scac").Volatile("updated_at").TermsVersion(searchForm)

// setUpdatedAt is called by Put when the record has changed.
func (c *Container) setUpdatedAt(at time.Time) { c.UpdatedAt = at }

func (c *Container) available() bool { return c.AvailabilityKnown && c.AvailableForPickup }
func (c *Container) removed() bool   { return !c.RemovedAt.IsZero() }

func (c *Container) tracked() trackedFacts {
	f := c.Ship
	f.Created, f.Updated, f.PODTerminal = c.CreatedAt, c.UpdatedAt, c.PODTerminal
	return f
}

// copyShipment takes over what the box is found by.
func (c *Container) copyShipment() {
	c.Ship = c.ship.tracked()
	c.Ship.Created, c.Ship.Updated, c.Ship.PODTerminal = time.Time{}, time.Time{}, ID{}
	if len(c.Ship.Tags) == 0 {
		c.Ship.Tags = nil // as it reads back: none and empty are not two things
	}
	c.ShipmentLastTrackingRequestAt = c.ship.LineTrackingLastAttempted
}

// containerID is the box within its shipment.
func containerID(shipment ID, number string) ID {
	return table.NamedID("container", shipment.String()+"/"+number)
}

// ContainerQuery selects containers.
type ContainerQuery struct {
	// Numbers of boxes, in any spelling.
	Numbers []string
	// Shipment whose boxes are asked for; zero for any.
	Shipment ID
	// Statuses are values of current_status.
	Statuses []ContainerStatus
	// PickupLFD selects by the coalesced last free day.
	PickupLFD TimeRange
	// Available selects by whether the terminal is known to release the box.
	Available Tri
	// HasHold selects by whether any hold is in force or pending.
	HasHold Tri
	// Removed selects by whether the box has left its shipment; No by default
	// on the lists of the interface.
	Removed Tri
	TrackedQuery
}

func (q ContainerQuery) resourceType() *table.Schema { return containers.Schema }
func (q ContainerQuery) filter() store.Filter        { w := q.where(); return w.Filter(containers) }

func (q ContainerQuery) list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error) {
	q.SCACs = primarySCACs(tx.engine, q.SCACs)
	f := q.filter()
	if err := byFields(tx, ContainerEntity, q.CustomFields, &f); err != nil {
		return to, 0, err
	}
	return tx.Records.List(tx, containers.Kind, f, p, to)
}

func (q ContainerQuery) where() where[Container] {
	w := trackedWhere(q.TrackedQuery, (*Container).tracked)
	w.Text("number", foldNumbers(q.Numbers), func(c *Container) string { return c.Number })
	if q.Shipment != (ID{}) {
		w.IDs("shipment", []ID{q.Shipment}, func(c *Container) ID { return c.Shipment })
	}
	statuses := make([]string, len(q.Statuses))
	for i, s := range q.Statuses {
		statuses[i] = string(s)
	}
	w.Text("status", statuses, func(c *Container) string { return string(c.CurrentStatus) })
	w.Times("pickup_lfd", q.PickupLFD.From, q.PickupLFD.To, func(c *Container) time.Time { return c.PickupLFD })
	tri(&w, "available", q.Available, (*Container).available)
	tri(&w, "has_hold", q.HasHold, func(c *Container) bool { return len(c.HoldsAtPODTerminal) > 0 })
	tri(&w, "removed", q.Removed, (*Container).removed)
	if len(q.RefNumbers) > 0 {
		w.Has("ref", foldNumbers(q.RefNumbers), func(c *Container) []string { return foldNumbers(c.RefNumbers) })
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

// ContainerUpdate changes what users may change. Fields that are not set stay.
type ContainerUpdate struct {
	// RefNumbers, at most 100 of at most 255 characters.
	RefNumbers Opt[[]string]
	// DeliveredAt marks the container as delivered by hand: when it was handed over,
	// not before 1970 and not in the future. It is a fact of source "manual" and goes
	// before what carriers say; the zero time takes the mark back, and what they say
	// counts again.
	DeliveredAt Opt[time.Time]
	IfVersion   int64
}

// UpdateContainer changes a container. What it changes by facts is derived,
// stored and announced as if a source had reported it. Needs update.
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
	change := func(tx *transaction) (c *Container, err error) {
		if c, err = containers.Get(tx, id); err != nil {
			return nil, err
		}
		if err := checkVersion(u.IfVersion, c.Version); err != nil || !u.RefNumbers.Set {
			return c, err
		}
		c.RefNumbers = refs
		return c, containers.Put(tx, c)
	}
	if u.DeliveredAt.Set {
		return t.markDelivered(ctx, id, u.DeliveredAt.Value, change)
	}
	var c *Container
	err := t.update(ctx, t.actor.Account, func(tx *transaction) (err error) {
		c, err = change(tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}
