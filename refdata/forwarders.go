package refdata

import "sync"

// Forwarder is a freight forwarder or NVOCC: a company that carries goods with the
// ships of others. It issues house bills of lading, which shipping lines do not
// know.
type Forwarder struct {
	// SCAC is the code of four letters that its house bills begin with in customs
	// messages and often on paper.
	SCAC string
	// Name of the group, as people know it.
	Name string
}

// forwarderTable is the list of the codes of forwarders, sorted by code; a company
// can have several. None is a prefix of a line. Sources are keys of
// forwarderSources.
var forwarderTable = []struct{ scac, name, sources string }{
	{"ALPJ", "Allcargo Logistics", "vizion cargoes"},
	{"AMIG", "AMASS", "searates"},
	{"BANQ", "Kuehne + Nagel", "searates movizor"},
	{"BELC", "Bee Logistics", "searates movizor"},
	{"BNLS", "BNSF Logistics", "searates"},
	{"BOPT", "BDP International", "project44"},
	{"BWLE", "Blue World Line", "searates movizor"},
	{"CEVA", "CEVA Logistics", "project44"},
	{"CHSL", "C.H. Robinson", "project44"},
	{"CIAU", "Geodis", "searates"},
	{"CPNU", "cargo-partner", "searates project44"},
	{"CROS", "CaroTrans", "cargoes"},
	{"DHLC", "DHL Global Forwarding", "project44"},
	{"DHLY", "DHL Global Forwarding", "project44"},
	{"DMCQ", "Damco", "searates movizor project44"},
	{"DMLB", "DHL Global Forwarding", "cargoes"},
	{"DSVF", "DSV", "searates movizor project44"},
	{"DSVT", "DSV", "project44"},
	{"DTRA", "Dachser", "searates movizor"},
	{"ECUI", "ECU Worldwide", "vizion cargoes"},
	{"ECUW", "ECU Worldwide", "searates movizor vizion"},
	{"EFLR", "EFL", "project44"},
	{"EXDO", "Expeditors", "project44 importinfo"},
	{"EXPD", "Expeditors", "project44"},
	{"HGLU", "Hillebrand Gori", "searates movizor"},
	{"HIFI", "Hellmann Worldwide Logistics", "searates movizor"},
	{"HYSL", "Hecny", "searates"},
	{"JASO", "JAS Worldwide", "searates movizor cargoes"},
	{"KHNN", "Kuehne + Nagel", "searates movizor"},
	{"KWEO", "Kintetsu World Express", "searates"},
	{"LEHO", "Leschaco", "searates"},
	{"MFGT", "Mainfreight", "cargoes"},
	{"MLCW", "Crane Worldwide Logistics", "searates"},
	{"MZLY", "Damco", "project44"},
	{"NCLI", "NVO Consolidation", "searates"},
	{"OYLT", "Odyssey Logistics", "searates"},
	{"PSQJ", "Penanshin", "cargoes"},
	{"RBTW", "C.H. Robinson", "project44"},
	{"SEIN", "Seino Logix", "searates"},
	{"SHKK", "DB Schenker", "searates movizor"},
	{"SHPT", "Shipco Transport", "searates cargoes"},
	{"SSLL", "SACO Shipping", "cargoes"},
	{"UWLD", "UWL", "searates"},
	{"VGLT", "Vanguard Logistics", "searates"},
	{"VLSV", "Vanguard Logistics", "cargoes"},
	{"YASV", "Yusen Logistics", "searates"},
}

// forwarderSources are the sources of the codes; see LICENSES.md.
var forwarderSources = []string{"searates", "movizor", "project44", "cargoes", "vizion", "importinfo"}

var forwarders = sync.OnceValue(func() map[string]Forwarder {
	byCode := make(map[string]Forwarder, len(forwarderTable))
	for _, f := range forwarderTable {
		byCode[f.scac] = Forwarder{SCAC: f.scac, Name: f.name}
	}
	return byCode
})

// ForwarderByPrefix returns the forwarder whose code begins the number of a
// transport document; the number must be longer than the code. Letter case and
// surrounding space do not matter. It cannot be used for container numbers, because
// forwarders own some containers.
func ForwarderByPrefix(number string) (Forwarder, bool) {
	number = normalize(number)
	if len(number) <= forwarderCode {
		return Forwarder{}, false
	}
	f, ok := forwarders()[number[:forwarderCode]]
	return f, ok
}

// forwarderCode is the length of every code in forwarderTable.
const forwarderCode = 4
