// Package naturalkey derives the IDs of ports, terminals, vessels and shipping lines from
// their codes, so that they are the same in every account and every installation. Those
// that only have a name get an ID of their account. The IDs must never change: clients
// store them.
package naturalkey

import (
	"strings"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// Port returns the ID of a port or place by its LOCODE.
func Port(locode string) store.ID { return table.NamedID("port", locode) }

// Line returns the ID of a shipping line by its primary SCAC.
func Line(scac string) store.ID { return table.NamedID("shipping_line", scac) }

// Vessel returns the ID of a vessel by its IMO number.
func Vessel(imo string) store.ID { return table.NamedID("vessel", imo) }

// Terminal returns the ID of a terminal by the LOCODE of its port and its SMDG code.
func Terminal(locode, smdg string) store.ID { return table.NamedID("terminal", locode+"/"+smdg) }

// ByName returns the ID of a resource that only has a name in an account.
func ByName(typ string, a store.AccountID, name string) store.ID {
	return table.NamedID(typ, a.String()+"/"+FoldName(name))
}

// FoldName returns a name in a comparable form: lower case, with single blanks.
func FoldName(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// Resolver returns the IDs of the places and vessels that the facts of an account name.
type Resolver struct {
	Account store.AccountID
	Places  Places
}

// Places are the known ports and places.
type Places interface {
	// Place returns the canonical LOCODE of a place, its name and its zone.
	Place(locode string) (canonical, name, zone string, ok bool)
}

// Port returns ID, LOCODE and name of a place; all empty for the zero Place.
func (r Resolver) Port(p freight.Place) (id store.ID, locode, name string) {
	if p.LOCODE != "" {
		code, name, _, ok := r.Places.Place(p.LOCODE)
		if !ok {
			return Port(p.LOCODE), p.LOCODE, p.Name
		}
		return Port(code), code, name
	}
	if p.Name != "" {
		return ByName("port", r.Account, p.Name), "", p.Name
	}
	return store.ID{}, "", ""
}

// Vessel returns the ID of a vessel; zero if the fact names none.
func (r Resolver) Vessel(v freight.VesselRef) store.ID {
	switch {
	case v.IMO != "":
		return Vessel(v.IMO)
	case v.Name != "":
		return ByName("vessel", r.Account, v.Name)
	}
	return store.ID{}
}

// Facility returns the ID of the terminal of a place; zero if it names none. An SMDG code
// is not unique across ports, so it counts only with the LOCODE.
func (r Resolver) Facility(p freight.Place) store.ID {
	_, locode, _ := r.Port(p)
	switch {
	case p.SMDG != "" && locode != "":
		return Terminal(locode, p.SMDG)
	case p.BIC != "":
		return table.NamedID("terminal", "bic/"+p.BIC)
	case p.Facility != "":
		return ByName("terminal", r.Account, locode+"/"+p.Facility)
	}
	return store.ID{}
}
