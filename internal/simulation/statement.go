package simulation

import (
	"encoding/json"
	"time"
)

// Statement is what a source says once: the fields of a fact, with the source
// and the moment of recording.
type Statement struct {
	Source     string           `json:"source"`
	DataSource string           `json:"data_source,omitempty"`
	SCAC       string           `json:"scac,omitempty"`
	ID         string           `json:"id,omitempty"`
	RecordedAt time.Time        `json:"recorded_at,omitzero"`
	Retracted  bool             `json:"retract,omitempty"`
	What       string           `json:"event"`
	Class      string           `json:"classifier,omitempty"`
	At         Moment           `json:"at,omitzero"`
	Place      Place            `json:"place,omitzero"`
	Mode       string           `json:"mode,omitempty"`
	Load       string           `json:"load,omitempty"`
	Vessel     Vessel           `json:"vessel,omitzero"`
	Voyage     string           `json:"voyage,omitempty"`
	Containers []string         `json:"containers,omitempty"`
	Numbers    []ShipmentNumber `json:"numbers,omitempty"`
	References []string         `json:"references,omitempty"`
	Equipment  Equipment        `json:"equipment,omitzero"`
	Terminal   *TerminalFacts   `json:"terminal,omitempty"`
	Original   string           `json:"original_event,omitempty"`
	Payload    json.RawMessage  `json:"payload,omitempty"`

	received time.Time // decides the order of arrival
	about    subject
	void     bool // superseded, retracted or a retraction
	truth    truth
}

// Moment is a point in time as a source gives it.
type Moment struct {
	Time     time.Time
	Zone     string
	Day      bool
	Floating bool
}

// IsZero reports whether no time is given.
func (m Moment) IsZero() bool { return m.Time.IsZero() }

// Place is where something happens, as a source names it.
type Place struct {
	LOCODE       string `json:"locode,omitempty"`
	Name         string `json:"name,omitempty"`
	SMDG         string `json:"smdg_code,omitempty"`
	BIC          string `json:"bic_facility_code,omitempty"`
	Facility     string `json:"facility,omitempty"`
	FacilityType string `json:"facility_type,omitempty"`
	Role         string `json:"role,omitempty"`
}

// Vessel names a ship.
type Vessel struct {
	IMO  string `json:"imo,omitempty"`
	Name string `json:"name,omitempty"`
}

// ShipmentNumber is a bill of lading or a booking.
type ShipmentNumber struct {
	Type   string `json:"type"`
	Number string `json:"number"`
}

// Equipment describes a container.
type Equipment struct {
	ISOType  string   `json:"iso_type,omitempty"`
	Seals    []string `json:"seals,omitempty"`
	WeightKg float64  `json:"weight_kg,omitempty"`
}

// TerminalFacts is a terminal's view of a container.
type TerminalFacts struct {
	Available   *bool  `json:"available_for_pickup,omitempty"`
	Holds       []Hold `json:"holds,omitempty"`
	Fees        []Fee  `json:"fees,omitempty"`
	LastFreeDay Moment `json:"last_free_day,omitzero"`
	Appointment Moment `json:"appointment,omitzero"`
	Yard        string `json:"yard_location,omitempty"`
	Chassis     string `json:"chassis_number,omitempty"`
}

// Fee is money owed at the terminal.
type Fee struct {
	Type         string  `json:"type"`
	Amount       float64 `json:"amount"`
	CurrencyCode string  `json:"currency_code"`
}

// Hold keeps a container from being released.
type Hold struct {
	Name        string  `json:"name"`
	Status      string  `json:"status"`
	Description *string `json:"description"`
}

// subject is the one thing that a statement is about: a move of a container,
// or of a ship. Two plans that share a move share its subject.
type subject struct {
	box   int // -1: a ship's own move
	what  string
	call  *Call
	place *Facility
	at    int64
}

func (m Move) subject(box *Box) subject {
	if m.Reason == ShipDeparts || m.Reason == ShipArrives || m.Reason == ShipBerths {
		return shipSubject(m.What, m.Call)
	}
	return subject{box: box.index, what: m.What, place: m.Place, at: m.At.Unix()}
}

func shipSubject(what string, call *Call) subject {
	return subject{box: -1, what: what, call: call}
}

// truth is what the oracle needs to know of a statement, in addition to its fields.
type truth struct {
	shipments []int // those it reaches
	box       int   // -1: all containers of the shipments
	real      bool  // says truly that something has happened
	role      string
	town      *Town // the place that has the role
	call      *Call // the ship's call that an estimate is for
	available *bool
	foreseen  bool // says that the future has happened: an estimate
}

func (s *Statement) reaches(box *Box) bool {
	return s.reachesShipment(box.Shipment) && (s.truth.box < 0 || s.truth.box == box.index)
}

func (s *Statement) reachesShipment(shipment int) bool {
	for _, reached := range s.truth.shipments {
		if reached == shipment {
			return true
		}
	}
	return false
}
