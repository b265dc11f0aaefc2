package sandbox

import "github.com/landfallhq/tracking/freight"

// port is a sea port with one of its terminals, or an inland place with its ramp.
// Terminal codes are those of the SMDG list.
type port struct{ locode, name, smdg, terminal string }

var (
	algeciras  = port{"ESALG", "Algeciras", "APM", "APM Terminals Algeciras"}
	busan      = port{"KRPUS", "Busan", "PNIT", "Pusan Newport International Terminal"}
	caiMep     = port{"VNVUT", "Vung Tau", "TCIT", "Tan Cang Cai Mep International Terminal"}
	chicago    = port{"USCHI", "Chicago", "", "Chicago Intermodal Ramp"}
	columbus   = port{"USCMH", "Columbus", "", "Columbus Intermodal Ramp"}
	duisburg   = port{"DEDUI", "Duisburg", "", "Duisburg Rail Terminal"}
	felixstowe = port{"GBFXT", "Felixstowe", "TTY", "Trinity Terminal"}
	haiphong   = port{"VNHPH", "Haiphong", "VNCHL", "Hai Phong International Container Terminal"}
	hamburg    = port{"DEHAM", "Hamburg", "CTA", "HHLA Container Terminal Altenwerder"}
	laemChab   = port{"THLCH", "Laem Chabang", "HLTD", "Hutchison Laem Chabang Terminal D"}
	leHavre    = port{"FRLEH", "Le Havre", "TPO", "Terminal Porte Océane"}
	longBeach  = port{"USLGB", "Long Beach", "LBCT", "Long Beach Container Terminal"}
	losAngeles = port{"USLAX", "Los Angeles", "TRAP", "TraPac Container Terminal"}
	mundra     = port{"INMUN", "Mundra", "AICTPL", "Adani International Container Terminal"}
	newYork    = port{"USNYC", "New York", "MAHER", "Maher Container Terminal"}
	nhavaSheva = port{"INNSA", "Nhava Sheva", "NSICT", "Nhava Sheva International Container Terminal"}
	ningbo     = port{"CNNGB", "Ningbo", "BLCT2", "Ningbo Beilun Second Container Terminal"}
	oakland    = port{"USOAK", "Oakland", "", "Oakland International Container Terminal"}
	rotterdam  = port{"NLRTM", "Rotterdam", "RWG", "Rotterdam World Gateway"}
	saigon     = port{"VNSGN", "Ho Chi Minh City", "CATLAI", "Cat Lai Terminal"}
	santos     = port{"BRSSZ", "Santos", "BTP", "Brasil Terminal Portuário"}
	savannah   = port{"USSAV", "Savannah", "GCMT", "Garden City Marine Terminal"}
	shanghai   = port{"CNSHA", "Shanghai", "SHENG", "Shanghai Shengdong International Container Terminal"}
	singapore  = port{"SGSIN", "Singapore", "PSAPP3", "Pasir Panjang Terminal 3"}
	yantian    = port{"CNYTN", "Yantian", "YICT", "Yantian International Container Terminal"}
)

// quay returns the port's terminal.
func (p port) quay() freight.Place {
	return freight.Place{LOCODE: p.locode, Name: p.name, SMDG: p.smdg, Facility: p.terminal, FacilityType: "POTE"}
}

// ramp returns the rail terminal of an inland place.
func (p port) ramp() freight.Place {
	return freight.Place{LOCODE: p.locode, Name: p.name, Facility: p.terminal, FacilityType: "RAMP"}
}

// depot returns the line's depot for empty containers.
func (p port) depot() freight.Place {
	return freight.Place{LOCODE: p.locode, Name: p.name, Facility: p.name + " Empty Depot", FacilityType: "DEPO"}
}

// consignee returns the final destination of the cargo.
func (p port) consignee() freight.Place {
	return freight.Place{LOCODE: p.locode, Name: p.name, Facility: "Consignee's warehouse", FacilityType: "CLOC"}
}

// withRole returns the place with a role for the shipment.
func withRole(role freight.Role, place freight.Place) freight.Place {
	place.Role = role
	return place
}

// route is the route of a voyage. hub and inland are zero for voyages without them.
type route struct {
	pol, hub, pod, inland port
	// days at sea: to the hub, if there is one, and to the POD
	toHub, toPOD int
}

var (
	directRoutes = []route{
		{pol: shanghai, pod: losAngeles, toPOD: 15},
		{pol: santos, pod: algeciras, toPOD: 14},
		{pol: nhavaSheva, pod: felixstowe, toPOD: 21},
		{pol: yantian, pod: longBeach, toPOD: 16},
	}
	transshipRoutes = []route{
		{pol: ningbo, hub: singapore, pod: rotterdam, toHub: 6, toPOD: 22},
		{pol: caiMep, hub: singapore, pod: newYork, toHub: 3, toPOD: 24},
		{pol: santos, hub: algeciras, pod: hamburg, toHub: 14, toPOD: 5},
		{pol: mundra, hub: algeciras, pod: leHavre, toHub: 15, toPOD: 4},
	}
	feederRoutes = []route{
		{pol: saigon, hub: caiMep, pod: newYork, toHub: 1, toPOD: 27},
		{pol: haiphong, hub: yantian, pod: losAngeles, toHub: 3, toPOD: 16},
		{pol: laemChab, hub: singapore, pod: hamburg, toHub: 3, toPOD: 22},
	}
	railRoutes = []route{
		{pol: shanghai, pod: losAngeles, inland: chicago, toPOD: 15},
		{pol: caiMep, pod: newYork, inland: columbus, toPOD: 26},
		{pol: mundra, pod: rotterdam, inland: duisburg, toPOD: 20},
	}
	holdRoutes = []route{
		{pol: shanghai, pod: losAngeles, toPOD: 15},
		{pol: nhavaSheva, pod: savannah, toPOD: 25},
		{pol: caiMep, pod: longBeach, toPOD: 17},
	}
	changeRoutes = []route{
		{pol: yantian, pod: felixstowe, toPOD: 26},
		{pol: shanghai, pod: rotterdam, toPOD: 28},
		{pol: mundra, pod: hamburg, toPOD: 21},
	}
	unclaimedRoutes = []route{
		{pol: shanghai, pod: losAngeles, toPOD: 15},
		{pol: mundra, pod: rotterdam, toPOD: 20},
	}
	shortShippedRoutes = []route{
		{pol: ningbo, pod: longBeach, toPOD: 14},
		{pol: nhavaSheva, pod: rotterdam, toPOD: 19},
	}
	rolledRoutes = []route{
		{pol: haiphong, pod: losAngeles, toPOD: 18},
		{pol: shanghai, pod: felixstowe, toPOD: 29},
	}
	overdueRoutes = []route{
		{pol: santos, pod: hamburg, toPOD: 17},
		{pol: caiMep, pod: savannah, toPOD: 25},
	}
	// The past voyages have a lane of their own, which only AT-SEA sails besides.
	pastRoutes  = []route{{pol: busan, pod: oakland, toPOD: 11}}
	multiRoutes = []route{
		{pol: santos, pod: rotterdam, toPOD: 16},
		{pol: ningbo, pod: longBeach, toPOD: 14},
		{pol: nhavaSheva, pod: felixstowe, toPOD: 21},
	}
)
