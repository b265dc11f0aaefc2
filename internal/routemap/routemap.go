// Package routemap divides the route of a container by sea into legs, and draws it as a
// map. All functions are pure: the caller derives the port calls, and reads the ports and
// the positions of ships.
package routemap

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
)

// Port is a port of the route. Texts are empty if they are not known.
type Port struct {
	journey.PortCall
	ID          uuid.UUID
	Name        string
	StateAbbr   string
	CountryCode string         // ISO 3166-1 alpha-2
	TimeZone    string         // IANA
	Position    *freight.Point // nil if not known
}

// Leg is the way from a port to the next.
type Leg struct {
	From, To Port
	Vessel   freight.VesselRef
	Voyage   string
	// VesselID and Track are the caller's: the ID of the vessel, zero for none, and the
	// positions that it had on the leg, oldest first.
	VesselID uuid.UUID
	Track    []freight.Position
}

// Legs returns the legs of a route.
func Legs(ports []Port) []Leg {
	var legs []Leg
	for i := 1; i < len(ports); i++ {
		l := Leg{From: ports[i-1], To: ports[i]}
		for _, c := range []journey.Carriage{l.From.Out, l.To.In} {
			if l.Vessel == (freight.VesselRef{}) {
				l.Vessel, l.Voyage = c.Vessel, c.Voyage
			}
		}
		legs = append(legs, l)
	}
	return legs
}

// Passage returns the leg as a voyage of its ship; false if the position of a port is not
// known.
func (l *Leg) Passage() (freight.Passage, bool) {
	if l.From.Position == nil || l.To.Position == nil {
		return freight.Passage{}, false
	}
	return freight.Passage{
		From: *l.From.Position, To: *l.To.Position,
		Departed: l.From.Out.Actual.Time, Arrived: l.To.In.Actual.Time, Due: l.To.In.Estimated.Time,
	}, true
}

// Passages returns the passages of a vessel on a route, last first.
func Passages(ports []Port, v freight.VesselRef) (list []freight.Passage) {
	for _, l := range slices.Backward(Legs(ports)) {
		if p, ok := l.Passage(); ok && sameVessel(l.Vessel, v) {
			list = append(list, p)
		}
	}
	return list
}

func sameVessel(a, b freight.VesselRef) bool {
	if a.IMO != "" && b.IMO != "" {
		return a.IMO == b.IMO
	}
	return a.Name != "" && strings.EqualFold(a.Name, b.Name)
}
