package simulation

import (
	"slices"
	"time"
	_ "time/tzdata" // the zones of the ports, whatever the host has
)

// Facility is one place where containers change hands.
type Facility struct {
	Town *Town
	Name string
	SMDG string // terminals only
	Type string // DCSA: POTE, RAMP, DEPO, OFFD, CLOC
}

// Town is a port or an inland place with a UN/LOCODE.
type Town struct {
	LOCODE string
	Name   string
	Zone   string

	location  *time.Location
	terminals []*Facility
	ramps     []*Facility
	depot     *Facility
	yard      *Facility
	consignee *Facility
}

func newTown(locode, name, zone string, smdg ...string) *Town {
	location, err := time.LoadLocation(zone)
	if err != nil {
		panic("simulation: unknown zone " + zone)
	}
	town := &Town{LOCODE: locode, Name: name, Zone: zone, location: location}
	for _, code := range smdg {
		town.terminals = append(town.terminals, town.facility(name+" "+code, code, "POTE"))
	}
	town.ramps = []*Facility{
		town.facility(name+" North Ramp", "", "RAMP"),
		town.facility(name+" South Ramp", "", "RAMP"),
	}
	town.depot = town.facility(name+" Empty Depot", "", "DEPO")
	town.yard = town.facility(name+" Off-Dock Yard", "", "OFFD")
	town.consignee = town.facility(name+" Warehouse", "", "CLOC")
	return town
}

func (t *Town) facility(name, smdg, kind string) *Facility {
	return &Facility{Town: t, Name: name, SMDG: smdg, Type: kind}
}

// The towns of the simulated world.
var (
	originPorts = []*Town{
		newTown("CNSHA", "Shanghai", "Asia/Shanghai", "YSCT", "SGICT"),
		newTown("CNNGB", "Ningbo", "Asia/Shanghai", "NBCT", "MSICT"),
		newTown("KRPUS", "Busan", "Asia/Seoul", "PNIT", "HJNC"),
		newTown("VNSGN", "Ho Chi Minh City", "Asia/Ho_Chi_Minh", "CATLAI"),
	}
	hubPorts = []*Town{
		newTown("SGSIN", "Singapore", "Asia/Singapore", "PSA", "TUAS"),
		newTown("MYPKG", "Port Klang", "Asia/Kuala_Lumpur", "WPT", "NPT"),
		newTown("LKCMB", "Colombo", "Asia/Colombo", "CICT", "SAGT"),
		newTown("AEJEA", "Jebel Ali", "Asia/Dubai", "DPWJA", "T2"),
		newTown("ESALG", "Algeciras", "Europe/Madrid", "TTIA", "APMA"),
	}
	europePorts = []*Town{
		newTown("NLRTM", "Rotterdam", "Europe/Amsterdam", "RWG", "EMX"),
		newTown("BEANR", "Antwerp", "Europe/Brussels", "K913", "K1742"),
		newTown("DEHAM", "Hamburg", "Europe/Berlin", "CTA", "CTB"),
		newTown("GBFXT", "Felixstowe", "Europe/London", "TRT", "LCT"),
	}
	americaPorts = []*Town{
		newTown("USLAX", "Los Angeles", "America/Los_Angeles", "TRP", "YTI"),
		newTown("USOAK", "Oakland", "America/Los_Angeles", "OICT", "TTI"),
		newTown("USSEA", "Seattle", "America/Los_Angeles", "T18", "T5"),
	}
	wayPorts = []*Town{
		newTown("INNSA", "Nhava Sheva", "Asia/Kolkata", "GTI"),
		newTown("OMSLL", "Salalah", "Asia/Muscat", "SLL"),
		newTown("SAJED", "Jeddah", "Asia/Riyadh", "RSGT"),
		newTown("FRLEH", "Le Havre", "Europe/Paris", "TDF"),
		newTown("PTSIE", "Sines", "Europe/Lisbon", "TXXI"),
		newTown("NLVLI", "Vlissingen", "Europe/Amsterdam", "KLO"),
		newTown("CAVAN", "Vancouver", "America/Vancouver", "DELT"),
		newTown("CAPRR", "Prince Rupert", "America/Vancouver", "FVW"),
		newTown("USTIW", "Tacoma", "America/Los_Angeles", "WUT"),
		newTown("MXZLO", "Manzanillo", "America/Mexico_City", "SSA"),
		newTown("TWKHH", "Kaohsiung", "Asia/Taipei", "KMCT", "T4"),
		newTown("JPYOK", "Yokohama", "Asia/Tokyo", "MHB", "HMK"),
	}
	seaPorts = slices.Concat(originPorts, hubPorts, europePorts, americaPorts, wayPorts)

	europeInland = []*Town{
		newTown("DEDUI", "Duisburg", "Europe/Berlin"),
		newTown("CHBSL", "Basel", "Europe/Zurich"),
		newTown("DEMUC", "Munich", "Europe/Berlin"),
	}
	americaInland = []*Town{
		newTown("USCHI", "Chicago", "America/Chicago"),
		newTown("USDAL", "Dallas", "America/Chicago"),
		newTown("USMEM", "Memphis", "America/Chicago"),
	}
)

// coast is where a shipment goes: its ports, and the inland places behind them.
type coast struct {
	ports, inland []*Town
	hubs          [][]*Town // in the order of the way there
}

var coasts = []coast{
	{europePorts, europeInland, [][]*Town{hubPorts[:2], hubPorts[2:4], hubPorts[4:]}},
	{americaPorts, americaInland, [][]*Town{hubPorts[:2], wayPorts[10:]}},
}
