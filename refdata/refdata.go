// Package refdata holds the reference data that is compiled into the engine:
// ports and inland places with their zones, shipping lines with their SCACs and the
// forms of their numbers, owners of containers, sizes and types of containers,
// countries. Each table names its source and licence; see LICENSES.md in this
// directory. The values are plain, and the package needs the standard library only.
package refdata

// Port is a sea port or inland place with a UN/LOCODE.
type Port struct {
	// Code is the UN/LOCODE: five characters, upper case.
	Code string
	// Name in English, City where it differs from the name.
	Name, City string
	// Country is the ISO 3166-1 alpha-2 code.
	Country string
	// State is the abbreviation of the state or province; empty when not known.
	State string
	// Zone is the IANA name of the time zone; empty when not known.
	Zone string
	// Latitude and Longitude in degrees, WGS84; HasPosition says whether known.
	Latitude, Longitude float64
	HasPosition         bool
	// Aliases are other LOCODEs in use for the same place.
	Aliases []string
}

// Line is a shipping line.
type Line struct {
	// SCAC is the primary Standard Carrier Alpha Code: four letters, or two digits
	// and two letters where the registry gave no other.
	SCAC string
	// Name in full and ShortName for lists.
	Name, ShortName string
	// AlternativeSCACs are accepted and stand for SCAC.
	AlternativeSCACs []string
	// Prefixes are the letters that its transport documents begin with, SCAC
	// and alternatives included.
	Prefixes []string
	// What kinds of numbers the line can be asked about.
	BillOfLading, BookingNumber, ContainerNumber bool
}
