package main

// place is a port or inland point that the source lacks. The facts were entered
// by the project; positions are those of the town or harbour, to two decimals.
type place struct {
	code, name, state, zone string
	lat, lon                float64
}

var places = []place{
	// Sea ports.
	{"CMKBI", "Kribi", "", "Africa/Douala", 2.73, 9.86},
	{"CNQZH", "Qinzhou", "", "Asia/Shanghai", 21.73, 108.6},
	{"ECPSJ", "Posorja", "", "America/Guayaquil", -2.72, -80.25},
	{"INENR", "Ennore", "", "Asia/Kolkata", 13.25, 80.34},
	{"INHZA", "Hazira", "", "Asia/Kolkata", 21.09, 72.63},
	{"INKAT", "Kattupalli", "", "Asia/Kolkata", 13.31, 80.35},
	{"MXLZC", "Lazaro Cardenas", "MIC", "America/Mexico_City", 17.94, -102.18},
	{"MXMZT", "Mazatlan", "SIN", "America/Mazatlan", 23.2, -106.42},
	{"QAHMD", "Hamad", "", "Asia/Qatar", 25.02, 51.6},
	{"USILG", "Wilmington", "DE", "America/New_York", 39.74, -75.55},

	// Inland points: destinations by rail, barge and truck.
	{"ATLNZ", "Linz", "", "Europe/Vienna", 48.31, 14.29},
	{"ATVIE", "Vienna", "", "Europe/Vienna", 48.21, 16.37},
	{"BGSOF", "Sofia", "", "Europe/Sofia", 42.7, 23.32},
	{"CAREG", "Regina", "SK", "America/Regina", 50.45, -104.62},
	{"CHBSL", "Basel", "", "Europe/Zurich", 47.56, 7.59},
	{"CHZRH", "Zurich", "", "Europe/Zurich", 47.37, 8.54},
	{"CZPRG", "Prague", "", "Europe/Prague", 50.09, 14.42},
	{"DEBER", "Berlin", "", "Europe/Berlin", 52.52, 13.41},
	{"DEDUI", "Duisburg", "", "Europe/Berlin", 51.43, 6.76},
	{"DEFRA", "Frankfurt am Main", "", "Europe/Berlin", 50.11, 8.68},
	{"DELEJ", "Leipzig", "", "Europe/Berlin", 51.34, 12.37},
	{"DEMUC", "Munich", "", "Europe/Berlin", 48.14, 11.58},
	{"DENUE", "Nuremberg", "", "Europe/Berlin", 49.45, 11.08},
	{"DESTR", "Stuttgart", "", "Europe/Berlin", 48.78, 9.18},
	{"FRLIO", "Lyon", "", "Europe/Paris", 45.76, 4.84},
	{"FRSXB", "Strasbourg", "", "Europe/Paris", 48.58, 7.75},
	{"GBBHM", "Birmingham", "", "Europe/London", 52.48, -1.9},
	{"GBMNC", "Manchester", "", "Europe/London", 53.48, -2.24},
	{"KZALA", "Almaty", "", "Asia/Almaty", 43.24, 76.95},
	{"LULUX", "Luxembourg", "", "Europe/Luxembourg", 49.61, 6.13},
	{"MXGDL", "Guadalajara", "JAL", "America/Mexico_City", 20.67, -103.35},
	{"MXMTY", "Monterrey", "NLE", "America/Monterrey", 25.68, -100.32},
	{"NLTLB", "Tilburg", "", "Europe/Amsterdam", 51.56, 5.09},
	{"NLVEN", "Venlo", "", "Europe/Amsterdam", 51.37, 6.17},
	{"PLPOZ", "Poznan", "", "Europe/Warsaw", 52.41, 16.93},
	{"PLWAW", "Warsaw", "", "Europe/Warsaw", 52.23, 21.01},
	{"ROBUH", "Bucharest", "", "Europe/Bucharest", 44.43, 26.1},
	{"RSBEG", "Belgrade", "", "Europe/Belgrade", 44.79, 20.45},
	{"UZTAS", "Tashkent", "", "Asia/Tashkent", 41.31, 69.24},
}

// states maps the provinces of the source to their usual abbreviations, in the
// countries where an address has one: postal codes of the United States, Canada,
// Australia and Brazil, ISO 3166-2 of Mexico.
var states = map[string]map[string]string{
	"US": {
		"Alabama": "AL", "Alaska": "AK", "Arizona": "AZ", "Arkansas": "AR", "California": "CA", "Colorado": "CO",
		"Connecticut": "CT", "Delaware": "DE", "District of Columbia": "DC", "Florida": "FL", "Georgia": "GA",
		"Hawaii": "HI", "Idaho": "ID", "Illinois": "IL", "Indiana": "IN", "Iowa": "IA", "Kansas": "KS",
		"Kentucky": "KY", "Louisiana": "LA", "Maine": "ME", "Maryland": "MD", "Massachusetts": "MA",
		"Michigan": "MI", "Minnesota": "MN", "Mississippi": "MS", "Missouri": "MO", "Montana": "MT",
		"Nebraska": "NE", "Nevada": "NV", "New Hampshire": "NH", "New Jersey": "NJ", "New Mexico": "NM",
		"New York": "NY", "North Carolina": "NC", "North Dakota": "ND", "Ohio": "OH", "Oklahoma": "OK",
		"Oregon": "OR", "Pennsylvania": "PA", "Rhode Island": "RI", "South Carolina": "SC", "South Dakota": "SD",
		"Tennessee": "TN", "Texas": "TX", "Utah": "UT", "Vermont": "VT", "Virginia": "VA", "Washington": "WA",
		"West Virginia": "WV", "Wisconsin": "WI", "Wyoming": "WY",
	},
	"CA": {
		"Alberta": "AB", "British Columbia": "BC", "Manitoba": "MB", "New Brunswick": "NB",
		"Newfoundland and Labrador": "NL", "Northwest Territories": "NT", "Nova Scotia": "NS", "Nunavut": "NU",
		"Ontario": "ON", "Prince Edward Island": "PE", "Quebec": "QC", "Saskatchewan": "SK", "Yukon": "YT",
	},
	"AU": {
		"Australian Capital Territory": "ACT", "New South Wales": "NSW", "Northern Territory": "NT",
		"Queensland": "QLD", "South Australia": "SA", "Tasmania": "TAS", "Victoria": "VIC", "Western Australia": "WA",
	},
	"BR": {
		"Alagoas": "AL", "Amazonas": "AM", "Bahia": "BA", "Ceará": "CE", "Espírito Santo": "ES", "Minas Gerais": "MG",
		"Pará": "PA", "Paraíba": "PB", "Paraná": "PR", "Pernambuco": "PE", "Rio de Janeiro": "RJ",
		"Rio Grande do Norte": "RN", "Rio Grande do Sul": "RS", "Santa Catarina": "SC", "São Paulo": "SP",
		"Tocantins": "TO",
	},
	"MX": {
		"Baja California": "BCN", "Colima": "COL", "Distrito Federal": "CMX", "Guerrero": "GRO", "Oaxaca": "OAX",
		"Quintana Roo": "ROO", "Sinaloa": "SIN", "Sonora": "SON", "Tamaulipas": "TAM", "Veracruz": "VER",
		"Yucatán": "YUC",
	},
}
