package main

// correction replaces one field of some ports of the source. Field is zone,
// position ("latitude,longitude"), name, state or code; drop removes the port,
// swap exchanges latitude and longitude.
type correction struct {
	codes, field, value string
	reason              string
}

// alias names the codes that stand for the same place as code.
type alias struct {
	code, others string
	reason       string
}

// renamedZones are spellings that the tz database keeps as links only.
var renamedZones = map[string]string{
	"Africa/Asmera":     "Africa/Asmara",
	"Asia/Calcutta":     "Asia/Kolkata",
	"Asia/Rangoon":      "Asia/Yangon",
	"Asia/Saigon":       "Asia/Ho_Chi_Minh",
	"Atlantic/Faeroe":   "Atlantic/Faroe",
	"Europe/Kiev":       "Europe/Kyiv",
	"Pacific/Ponape":    "Pacific/Pohnpei",
	"Europe/Guernsey":   "Europe/London", // its LOCODE is under GB
	"America/Cordoba":   "America/Argentina/Cordoba",
	"America/Argentina": "America/Argentina/Cordoba", // no zone at all
}

var corrections = []correction{
	// Zones of another country.
	{"BMSOU", "zone", "Atlantic/Bermuda", "had Europe/London: taken for Southampton in England"},
	{"BMSOU", "position", "32.25,-64.83", "lay in Southampton, England"},
	{"BOPBU", "zone", "America/La_Paz", "had the zone of Brazil, across the river"},
	{"BRMAO", "zone", "America/Manaus", "had Europe/Stockholm"},
	{"CDBOA CDMAT", "zone", "Africa/Kinshasa", "had Africa/Bamako: the position was swapped"},
	{"CLCAP", "zone", "America/Santiago", "had Europe/Madrid: taken for San Vicente in Spain"},
	{"CLCAP", "position", "-36.73,-73.13", "lay in Cantabria, Spain; San Vicente is beside Talcahuano"},
	{"DZAAE", "zone", "Africa/Algiers", "had Africa/Addis_Ababa: the position was swapped"},
	{"DZGHA", "zone", "Africa/Algiers", "had Africa/Tunis"},
	{"FRLPE", "zone", "Europe/Paris", "had Europe/Rome"},
	{"GBBAD", "zone", "Europe/London", "had Asia/Tehran"},
	{"JPONA", "zone", "Asia/Tokyo", "had Europe/London"},
	{"JPYWT", "zone", "Asia/Tokyo", "had Asia/Calcutta"},
	{"MDGIU", "zone", "Europe/Chisinau", "had the zone of Romania, across the river"},
	{"MOMFM", "zone", "Asia/Macau", "had Europe/Amsterdam"},
	{"PTHOR", "zone", "Atlantic/Azores", "had Asia/Calcutta"},
	{"THBKK", "zone", "Asia/Bangkok", "had Asia/Tehran"},
	{"USDET", "zone", "America/Detroit", "had the zone of Canada, across the river"},
	{"VEGUB", "zone", "America/Caracas", "had Antarctica/South_Pole: the position was swapped"},

	// Zones of the right country and of another clock.
	{"BRBEL", "zone", "America/Belem", "had America/Boa_Vista; Belem keeps -03"},
	{"BRSTM", "zone", "America/Santarem", "had America/Boa_Vista; western Para keeps -03"},
	{"CLBAG CLCNX CLPNT CLPUQ CLWPU", "zone", "America/Punta_Arenas", "Magallanes keeps -03 all year since 2016"},
	{"CLCHB CLPCH CLWPA", "zone", "America/Coyhaique", "Aysen keeps -03 all year since 2025"},
	{"MXREX", "zone", "America/Matamoros", "the border keeps the daylight-saving time of the United States"},
	{"RUGDX", "zone", "Asia/Magadan", "had Asia/Vladivostok; Magadan is an hour ahead"},
	{"RUKHO RUKOR", "zone", "Asia/Sakhalin", "had Asia/Vladivostok; Sakhalin is an hour ahead"},
	{"USOAK", "zone", "America/Los_Angeles", "had America/Chicago"},

	// Zones of the same clock today and of another place; history differs.
	{"ARBHI ARBUE ARCMP ARLPG ARMDQ ARNEC ARSNS ARSPD ARZAE", "zone", "America/Argentina/Buenos_Aires", "zone of the province"},
	{"ARCRD ARPMY", "zone", "America/Argentina/Catamarca", "zone of Chubut"},
	{"ARCVI ARPUD ARRGL", "zone", "America/Argentina/Rio_Gallegos", "zone of Santa Cruz"},
	{"ARRGA ARRIC ARUSH", "zone", "America/Argentina/Ushuaia", "zone of Tierra del Fuego"},
	{"ARSAE", "zone", "America/Argentina/Salta", "zone of Rio Negro"},
	{"AUBEL AUBWT AUDPO AUHBA AULST AUNLK", "zone", "Australia/Hobart", "Tasmania"},
	{"AUMEL", "zone", "Australia/Melbourne", "had the zone of Tasmania"},
	{"BRARB BRIOS BRSSA BRVDC", "zone", "America/Bahia", "zone of Bahia"},
	{"BRMCZ", "zone", "America/Maceio", "zone of Alagoas"},
	{"BRPNN", "zone", "America/Araguaina", "zone of Tocantins"},
	{"BRREC BRSUA", "zone", "America/Recife", "zone of Pernambuco"},
	{"CABAT CAMNT CASJB", "zone", "America/Moncton", "zone of New Brunswick"},
	{"ESCEU", "zone", "Africa/Ceuta", "zone of Ceuta"},
	{"IDPNK", "zone", "Asia/Pontianak", "zone of West Kalimantan"},
	{"MXATM MXTAM", "zone", "America/Monterrey", "zone of Tamaulipas"},
	{"MXPGO", "zone", "America/Merida", "zone of Yucatan"},
	{"MYBKI MYBTU MYKCH MYLBU MYMYY MYSBW MYSDK MYTBA MYTWU", "zone", "Asia/Kuching", "zone of Sabah and Sarawak"},
	{"PTCNL PTFNC", "zone", "Atlantic/Madeira", "zone of Madeira"},
	{"USCZF USDUT", "zone", "America/Nome", "west of Alaska"},
	{"USFRP", "zone", "America/Sitka", "zone of Sitka"},
	{"USIND", "zone", "America/Indiana/Indianapolis", "zone of Indianapolis"},
	{"USLUI", "zone", "America/Kentucky/Louisville", "zone of Louisville"},
	{"USSXZ", "zone", "America/Detroit", "zone of Michigan"},

	// No zone in the source, in countries that have several.
	{"ARDDC", "zone", "America/Argentina/Buenos_Aires", "the source has none"},
	{"BRVLC", "zone", "America/Belem", "the source has none"},
	{"CLJRL CLPGO CLPPD", "zone", "America/Santiago", "the source has none"},
	{"CNDCB CNFOC CNPUT CNSTG", "zone", "Asia/Shanghai", "the source has none"},
	{"ESMLN", "zone", "Africa/Ceuta", "the source has none"},
	{"IDBPN IDTAB", "zone", "Asia/Makassar", "the source has none"},
	{"MXACA MXVER", "zone", "America/Mexico_City", "the source has none"},
	{"PTPDL", "zone", "Atlantic/Azores", "the source has none"},
	{"USBHM USCBF USCPF USJOT USSAT", "zone", "America/Chicago", "the source has none"},
	{"USGBO USGSP", "zone", "America/New_York", "the source has none"},
	{"USRNO", "zone", "America/Los_Angeles", "the source has none"},
	{"USSXT", "zone", "America/Denver", "the source has none"},

	// Positions.
	{"ARDDC CDBOA CDMAT CLJRL CLPGO CLPPD DZAAE ISESK REPDG VEGUB", "swap", "", "latitude stands first, against the order of the source"},
	{"ANSXM", "position", "18.03,-63.05", "lay on Curacao"},
	{"AUGOV", "position", "-12.2,136.68", "lay at Darwin, 640 km away"},
	{"CNLZH", "position", "24.31,109.39", "112 km too far south"},
	{"CNNGB", "position", "29.94,121.85", "the city; the harbour of Beilun is 30 km to the east"},
	{"CNPUT", "position", "25.43,119.01", "112 km too far south, in the sea"},
	{"CNYTN", "position", "22.5750,114.2750", "lay in Fujian; Yantian is a district of Shenzhen"},
	{"FRHON", "position", "49.42,0.2329", "lay in the Ain; Honfleur is at the mouth of the Seine"},
	{"FRUSJ", "position", "43.7392,4.2026", "lay in Vaucluse; Mus is in the Gard"},
	{"INHYD", "position", "17.385,78.4867", "262 km away from the city"},
	{"LVAIZ", "position", "56.6048,25.2553", "121 km too far north"},
	{"MAPTM", "position", "35.885,-5.5", "the city of Tangier; the harbour is 35 km to the east"},
	{"PAMIT", "position", "9.366,-79.882", "lay in Veraguas; the terminal is in Colon"},
	{"PKBQM", "position", "24.78,67.33", "the city of Karachi; the harbour is 35 km to the east"},
	{"TNJAR", "position", "33.5,11.1", "the sign of the longitude was wrong; Zarzis"},
	{"TRAMB", "position", "40.97,28.69", "lay in Artvin; Ambarli is in Istanbul"},
	{"USLAX", "position", "33.74,-118.26", "the city hall; the harbour is 35 km to the south"},
	{"USPCV", "position", "28.41,-80.6", "28.24 -80.36 are degrees and minutes read as decimals"},
	{"BHAHD", "position", "26.24,50.65", "the source has none"},
	{"CNDCB", "position", "22.47,113.87", "the source has none"},
	{"CNFOC", "position", "26.05,119.3", "the source has none"},
	{"CNSTG", "position", "23.35,116.68", "the source has none"},
	{"GBPDD", "position", "51.64,-4.1", "the source has none"},
	{"HNTGU", "position", "14.08,-87.21", "the source has none"},
	{"HRLST", "position", "42.77,16.9", "the source has none"},
	{"JPHIS", "position", "33.93,130.9", "the source has none"},
	{"THLKR", "position", "13.72,100.78", "the source has none"},
	{"TWTPE", "position", "25.05,121.55", "the source has none"},
	{"USBHM", "position", "33.52,-86.8", "the source has none"},
	{"USCBF", "position", "41.26,-95.86", "the source has none"},
	{"USCPF", "position", "44.94,-91.39", "the source has none"},
	{"USGBO", "position", "36.07,-79.79", "the source has none"},
	{"USGSP", "position", "34.94,-82.23", "the source has none"},
	{"USJOT", "position", "41.53,-88.08", "the source has none"},
	{"USRNO", "position", "39.53,-119.81", "the source has none"},
	{"USSAT", "position", "29.42,-98.49", "the source has none"},
	{"USSXT", "position", "31.86,-106.64", "the source has none"},

	// Names.
	{"BEANR", "name", "Antwerp", "the English name"},
	{"CNNSA", "name", "Nansha", "the name that lines show"},
	{"CNSHK", "name", "Shekou", "the name that lines show"},
	{"CNSZX", "name", "Shenzhen", "Shenzhen Baoan is the airport"},
	{"CNTXG", "name", "Tianjin", "the name that lines show"},
	{"CNYTN", "name", "Yantian", "the name that lines show"},
	{"GBLGP", "name", "London Gateway", "the name that lines show"},
	{"INNSA", "name", "Nhava Sheva (Jawaharlal Nehru)", "the name that lines show, first"},
	{"ITGOA", "name", "Genoa", "the English name"},
	{"MYPKG", "name", "Port Klang", "the English name alone"},
	{"SEGOT", "name", "Gothenburg", "the English name"},

	// The Netherlands Antilles were dissolved in 2010: AN is no country code.
	{"ANBON", "code", "BQBON", "Bonaire"},
	{"ANCUR", "code", "CWCUR", "Curacao"},
	{"ANEUX", "code", "BQEUX", "Sint Eustatius"},
	{"ANPHI", "code", "SXPHI", "Sint Maarten"},
	{"ANSXM", "code", "SXSXM", "Sint Maarten"},
	{"ANWIL", "code", "CWWIL", "Curacao"},
	{"BQBON BQEUX", "zone", "America/Kralendijk", "zone of the Caribbean Netherlands"},
	{"SXPHI SXSXM", "zone", "America/Lower_Princes", "zone of Sint Maarten"},
	{"ANGSB", "drop", "", "a place of Bonaire under a dissolved country; no present code is known to us"},
	{"ESEBO", "drop", "", "Spain in the code, Eritrea in the province, no position: no telling which"},
}

var aliases = []alias{
	{"CNDLC", "CNDAL", "one port twice in the source"},
	{"CNNGB", "CNNBO CNNBG", "CNNBO twice in the source; CNNBG is the harbour's own code"},
	{"CNSHA", "CNSGH CNSHG", "CNSGH twice in the source; CNSHG is the harbour's own code"},
	{"CNTAO", "CNQIN CNQDG", "CNQIN twice in the source; CNQDG is the harbour's own code"},
	{"CNXGG", "CNXGA", "one port twice in the source"},
	{"CNXMN", "CNXAM", "one port twice in the source"},
	{"CNYNT", "CNYTG", "one port twice in the source"},
	{"DJJIB", "DJPOD", "one port twice in the source"},
	{"PAPSA", "PAROD", "lines write PAROD for Rodman"},
	{"VNTOT", "VNCMT", "lines write VNCMT for Cai Mep"},
}
