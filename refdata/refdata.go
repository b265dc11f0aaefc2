// Package refdata has the reference data that is compiled into the engine: ports
// and inland places with their time zones, shipping lines with their SCACs and
// number formats, owners of containers, sizes and types of containers, and
// countries. Each table names its source and licence; see LICENSES.md in this
// directory. The package needs only the standard library.
package refdata

// Port is a sea port or inland place with a UN/LOCODE.
type Port struct {
	// Code is the UN/LOCODE: five characters, upper case.
	Code string
	// Name is in English. City is set if it differs from the name.
	Name, City string
	// Country is the ISO 3166-1 alpha-2 code.
	Country string
	// State is the abbreviation of the state or province; empty if unknown.
	State string
	// Zone is the IANA name of the time zone; empty if unknown.
	Zone string
	// Latitude and Longitude are in degrees, WGS84. They are zero without
	// HasPosition.
	Latitude, Longitude float64
	HasPosition         bool
	// Aliases are other LOCODEs in use for the same place.
	Aliases []string
}

// Line is a shipping line.
type Line struct {
	// SCAC is the primary Standard Carrier Alpha Code: four letters, or two digits
	// and two letters if the registry assigned no other.
	SCAC string
	// Name is the full name, and ShortName one for lists.
	Name, ShortName string
	// AlternativeSCACs are accepted in place of SCAC.
	AlternativeSCACs []string
	// Prefixes are the letters at the start of its transport document numbers,
	// including SCAC and alternatives.
	Prefixes []string
	// The types of numbers that the line accepts.
	BillOfLading, BookingNumber, ContainerNumber bool
}
