package trade

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/landfallhq/tracking/refdata"
)

var scacs = []string{"MAEU", "MSCU", "CMDU", "HLCU", "ONEY", "OOLU", "EGLV", "COSU", "YMLU", "ZIMU", "HDMU", "WHLC", "ACLU", "TRKU", "SMLM"}

var shipNames = [2][]string{
	{"NORTHERN", "PACIFIC", "ORIENT", "SILVER", "ATLANTIC", "JADE", "MERIDIAN", "CORAL", "POLAR", "EMERALD", "STAR", "CAPE"},
	{"HERON", "VENTURE", "LANTERN", "ALBATROSS", "MONSOON", "HORIZON", "BEACON", "TRADER", "SPIRIT", "ODYSSEY", "COMPASS", "WILLOW"},
}

var ways = []struct{ from, to, inland, hinterland []string }{
	{[]string{"CNSHA", "CNNGB", "CNYTN", "CNXMN", "TWKHH", "KRPUS", "VNSGN", "JPYOK"}, []string{"USLAX", "USLGB", "USOAK", "USSEA"}, []string{"USCHI", "USMEM", "USDAL", "USDEN"}, nil},
	{[]string{"CNTAO", "HKHKG", "SGSIN", "THLCH", "MYPKG"}, []string{"USNYC", "USSAV", "USORF", "USHOU", "USCHS"}, []string{"USATL", "USCLT", "USCMH", "USIND"}, nil},
	{[]string{"INNSA", "INMUN", "LKCMB", "CNSHA", "AEJEA"}, []string{"NLRTM", "DEHAM", "BEANR", "GBFXT", "FRLEH"}, []string{"DEMUC", "CZPRG", "ATVIE", "CHBSL"}, nil},
	{[]string{"DEHAM", "NLRTM", "ITGOA", "ESVLC", "TRIST"}, []string{"USNYC", "USHOU", "CAMTR", "CAHAL", "MXZLO"}, []string{"CATOR", "USCHI"}, []string{"DEMUC", "ATVIE", "CHBSL"}},
	{[]string{"BRSSZ", "CLSAI", "PECLL", "ZADUR"}, []string{"ESALG", "ITGOA", "GBSOU", "USMIA", "DEBRV"}, nil, nil},
}

type ware struct {
	code, words, hs, unit string
	each, price           int     // pieces a carton, cents each at least
	kg, m3                float64 // a carton
}

var wares = [][]ware{
	{
		{"LMP", "LED DESK LAMP, ALUMINIUM, 12W", "9405.21.8010", "PCS", 12, 640, 9.5, 0.048},
		{"BLB", "LED BULB E27, 9W, WARM WHITE", "8539.52.0091", "PCS", 100, 85, 7.2, 0.052},
		{"STR", "LIGHT STRIP, 5 M, WITH POWER SUPPLY", "9405.42.8400", "SETS", 24, 410, 11.0, 0.06},
	},
	{
		{"CHR", "OAK DINING CHAIR, UPHOLSTERED", "9401.61.4011", "PCS", 2, 3150, 14.5, 0.21},
		{"TBL", "DINING TABLE, SOLID WOOD", "9403.60.8081", "PCS", 1, 11900, 38.0, 0.33},
		{"SHF", "BOOKSHELF, FLAT PACKED", "9403.60.8040", "PCS", 1, 4700, 22.4, 0.12},
		{"STL", "BAR STOOL, STEEL FRAME", "9401.79.0015", "PCS", 4, 1820, 18.2, 0.19},
	},
	{
		{"TSH", "MEN'S KNITTED T-SHIRTS, 100% COTTON", "6109.10.0012", "DOZ", 4, 2640, 10.2, 0.044},
		{"JKT", "WOMEN'S WOVEN JACKETS, POLYESTER", "6202.40.7511", "PCS", 20, 1275, 13.6, 0.071},
		{"TWL", "TERRY TOWELS, COTTON", "6302.60.0020", "PCS", 60, 190, 16.8, 0.083},
	},
	{
		{"VLV", "BRASS BALL VALVES, DN 25", "8481.80.1085", "PCS", 50, 330, 21.0, 0.028},
		{"PMP", "CENTRIFUGAL PUMPS, 1.5 KW", "8413.70.2004", "PCS", 1, 9800, 19.3, 0.05},
		{"FLG", "FORGED STEEL FLANGES", "7307.91.5010", "PCS", 10, 1460, 24.5, 0.03},
	},
	{
		{"CFE", "GREEN COFFEE BEANS, ARABICA", "0901.11.0025", "BAGS", 1, 21500, 60.0, 0.1},
		{"TEA", "BLACK TEA, BULK", "0902.40.0000", "BAGS", 1, 12400, 45.0, 0.11},
	},
	{
		{"TYR", "PASSENGER CAR TYRES 205/55 R16", "4011.10.1020", "PCS", 1, 3870, 9.1, 0.072},
		{"WHL", "ALLOY WHEELS 16 INCH", "8708.70.4530", "PCS", 2, 5230, 19.8, 0.11},
		{"BRK", "BRAKE DISCS, VENTILATED", "8708.30.5030", "PCS", 4, 1990, 23.5, 0.035},
	},
}

var payments = []string{"30 DAYS NET", "L/C AT SIGHT", "T/T 30% DEPOSIT, BALANCE BEFORE SHIPMENT", "60 DAYS FROM B/L DATE", "CASH AGAINST DOCUMENTS", "NET 45"}

var depots = []string{"HARBOUR EMPTY PARK", "EASTGATE CONTAINER DEPOT", "MARITIME YARD NO. 4", "BLUE ANCHOR DEPOT", "SOUTH BASIN EMPTIES", "CROSSROADS CONTAINER YARD"}

var terminals = []Terminal{
	{"PIER 21 CONTAINER TERMINAL", "Y117"}, {"WESTERN GATE TERMINAL", "Z402"}, {"OCEAN LINK TERMINALS", "E618"},
	{"NORTH QUAY TERMINAL", "W905"}, {"BAYSIDE MARINE TERMINAL", "N733"}, {"DELTA CONTAINER TERMINAL", "L256"},
}

// terminal has a FIRMS code in the United States alone.
func terminal(r *rand.Rand, p refdata.Port) Terminal {
	t := pick(r, terminals)
	if p.Country != "US" {
		t.FIRMS = ""
	}
	return t
}

var (
	firsts     = []string{"BRIGHTWATER", "GOLDEN PHOENIX", "KESTREL", "HUAXING", "LINDGREN", "MERCATOR", "SUNRISE", "ALPENROSE", "BLUE RIVER", "TRIDENT", "SAKURA", "MONTCLAIR", "PALMETTO", "ZENITH", "OAKHURST", "VERDANT"}
	seconds    = []string{"TRADING", "INDUSTRIES", "HOME PRODUCTS", "IMPORTS", "TEXTILES", "MACHINERY", "FOODS", "AUTO PARTS", "LIGHTING", "WHOLESALE"}
	brokers    = []string{"HARTWELL CUSTOMS BROKERS", "PORTSIDE CLEARANCE", "FIVE OCEANS BROKERAGE", "DRAYTON & PIKE CUSTOMS HOUSE BROKERS"}
	agencies   = []string{"BLUEWATER SHIPPING AGENCIES", "MERIDIAN LINER AGENCY", "HARBORMASTER AGENCIES", "SEAGATE PORT AGENTS"}
	forwarders = []string{"SILK BRIDGE LOGISTICS", "NORTHSTAR GLOBAL FORWARDING", "TRANSMERIDIAN CONSOLIDATORS", "CARAVELLE FREIGHT", "PEARL DELTA CONTAINER LINE", "OVERBROOK INTERNATIONAL FORWARDERS"}
	truckers   = []string{"RED BARN DRAYAGE", "INTERCITY HAULAGE", "COASTLINE TRUCKING", "IRON MULE CARTAGE"}
	streets    = []string{"HARBOR BLVD", "INDUSTRIAL ROAD", "KING STREET", "COMMERCE WAY", "RIVERSIDE AVENUE", "STATION ROAD", "CEDAR LANE", "DOCK STREET"}
	cities     = map[string][]string{
		"CN": {"SHENZHEN 518000", "NINGBO 315000", "SUZHOU 215000"}, "HK": {"KOWLOON"}, "TW": {"TAIPEI 104"}, "KR": {"BUSAN 48058"},
		"JP": {"OSAKA 541-0041"}, "VN": {"HO CHI MINH CITY"}, "SG": {"SINGAPORE 068809"}, "TH": {"BANGKOK 10110"}, "MY": {"KUALA LUMPUR 50450"},
		"IN": {"MUMBAI 400001", "CHENNAI 600001"}, "LK": {"COLOMBO 01"}, "AE": {"DUBAI"}, "US": {"CARSON, CA 90745", "EDISON, NJ 08837", "ATLANTA, GA 30336", "DALLAS, TX 75207", "COLUMBUS, OH 43215"},
		"NL": {"3011 AD ROTTERDAM"}, "DE": {"20457 HAMBURG", "80331 MÜNCHEN"}, "BE": {"2000 ANTWERPEN"}, "GB": {"LONDON E14 5AB", "LEEDS LS1 4AP"}, "FR": {"69002 LYON"},
		"CZ": {"110 00 PRAHA"}, "AT": {"1010 WIEN"}, "CH": {"4051 BASEL"}, "IT": {"20121 MILANO"}, "ES": {"08001 BARCELONA"}, "TR": {"34400 ISTANBUL"},
		"CA": {"MISSISSAUGA, ON L5T 2N7", "MONTRÉAL, QC H2Y 1C6"}, "MX": {"GUADALAJARA, JAL. 44100"}, "BR": {"SÃO PAULO SP 01310"}, "CL": {"SANTIAGO"}, "PE": {"LIMA 15001"}, "ZA": {"DURBAN 4001"},
	}
	endings = map[string]string{
		"CN": "CO., LTD.", "HK": "LIMITED", "TW": "CO., LTD.", "KR": "CO., LTD.", "JP": "K.K.", "VN": "JSC", "SG": "PTE LTD", "TH": "CO., LTD.", "MY": "SDN BHD",
		"IN": "PVT. LTD.", "LK": "(PVT) LTD", "AE": "FZE", "US": "INC.", "NL": "B.V.", "DE": "GMBH", "BE": "NV", "GB": "LTD", "FR": "SARL", "CZ": "S.R.O.", "AT": "GMBH",
		"CH": "AG", "IT": "S.R.L.", "ES": "S.L.", "TR": "A.S.", "CA": "INC.", "MX": "S.A. DE C.V.", "BR": "LTDA", "CL": "SPA", "PE": "S.A.C.", "ZA": "(PTY) LTD",
	}
)

func company(r *rand.Rand, country string) Company {
	return address(r, pick(r, firsts)+" "+pick(r, seconds)+" "+endings[country], country)
}

func service(r *rand.Rand, country string, names []string) Company {
	return address(r, pick(r, names)+" "+endings[country], country)
}

func address(r *rand.Rand, name, country string) Company {
	lines := []string{
		fmt.Sprintf("%d %s", 1+r.IntN(9800), pick(r, streets)),
		pick(r, cities[country]) + ", " + strings.ToUpper(refdata.CountryName(country)),
	}
	if r.IntN(3) == 0 {
		lines = append([]string{fmt.Sprintf("SUITE %d", 100+r.IntN(900))}, lines...)
	}
	return Company{name, lines, country, fmt.Sprintf("+%d %d %d", 1+r.IntN(90), 200+r.IntN(700), 1000000+r.IntN(8999999))}
}
