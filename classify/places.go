package classify

import (
	"strings"
	"sync"

	"github.com/landfallhq/tracking/refdata"
)

// placeAliases are names of ports that refdata has under another.
var placeAliases = map[string]string{
	"SAIGON": "VNSGN", "SCHANGHAI": "CNSHA", "SHANGHAY": "CNSHA", "XANGAI": "CNSHA", "SCIANGAI": "CNSHA", "ROTERDAO": "NLRTM", "ANTUERPIA": "BEANR", "SINGAPURA": "SGSIN", "HAMBURGO": "DEHAM", "AMBURGO": "DEHAM", "HAMBOURG": "DEHAM", "AMBERES": "BEANR", "ANVERSA": "BEANR", "GENUA": "ITGOA", "GENES": "ITGOA", "MARSELLA": "FRMRS", "MARSIGLIA": "FRMRS", "LONDRES": "GBLON", "LONDRA": "GBLON",
	"NAPOLES": "ITNAP", "NEAPEL": "ITNAP", "VENEDIG": "ITVCE", "VENISE": "ITVCE", "LIVOURNE": "ITLIV", "LISBOA": "PTLIS", "LISSABON": "PTLIS", "BARCELONE": "ESBCN", "BARCELLONA": "ESBCN", "ESTAMBUL": "TRIST", "SINGAPUR": "SGSIN", "SINGAPOUR": "SGSIN", "NUEVA YORK": "USNYC", "EL HAVRE": "FRLEH",
	"BREMA": "DEBRE", "DUNKERQUE": "FRDKK", "GOTEBORG": "SEGOT", "KOPENHAGEN": "DKCPH", "COPENHAGUE": "DKCPH", "EL PIREO": "GRPIR", "PIREO": "GRPIR", "LE PIREE": "GRPIR", "ALEJANDRIA": "EGALY", "ALEXANDRIE": "EGALY", "CHATTOGRAM": "BDCGP", "HO CHI MINH": "VNSGN", "PUSAN": "KRPUS", "ANTWERPEN": "BEANR", "ANVERS": "BEANR", "GENOVA": "ITGOA",
	"NHAVA SHEVA": "INNSA", "JAWAHARLAL NEHRU": "INNSA", "MUNCHEN": "DEMUC", "WIEN": "ATVIE", "PRAHA": "CZPRG",
	"LE HAVRE": "FRLEH", "PORT KELANG": "MYPKG", "PORT KLANG": "MYPKG", "LAEM CHABANG": "THLCH", "NEW YORK NEW JERSEY": "USNYC",
	"NEW YORK NJ": "USNYC", "MONTREAL": "CAMTR", "HONG KONG": "HKHKG", "SINGAPORE": "SGSIN", "QINGDAO": "CNTAO", "XINGANG": "CNTXG",
	"HAMBURG": "DEHAM", "ROTTERDAM": "NLRTM", "VALENCIA": "ESVLC", "BARCELONA": "ESBCN", "JEBEL ALI": "AEJEA", "COLOMBO": "LKCMB",
	"SANTOS": "BRSSZ", "CALLAO": "PECLL", "SAN ANTONIO": "CLSAI", "DURBAN": "ZADUR", "HALIFAX": "CAHAL", "TORONTO": "CATOR",
	"VANCOUVER": "CAVAN", "LONDON": "GBLON", "FELIXSTOWE": "GBFXT", "SOUTHAMPTON": "GBSOU", "BASEL": "CHBSL", "HOUSTON": "USHOU",
	"SAVANNAH": "USSAV", "CHARLESTON": "USCHS", "LOS ANGELES": "USLAX", "LONG BEACH": "USLGB", "OAKLAND": "USOAK", "SEATTLE": "USSEA",
	"NEW YORK": "USNYC", "NORFOLK": "USORF", "MIAMI": "USMIA", "CHICAGO": "USCHI", "DALLAS": "USDAL", "ATLANTA": "USATL", "MEMPHIS": "USMEM",
	"MANZANILLO": "MXZLO", "VERACRUZ": "MXVER", "ISTANBUL": "TRIST", "MUMBAI": "INBOM", "CHENNAI": "INMAA", "KARACHI": "PKKHI",
	"TOKYO": "JPTYO", "YOKOHAMA": "JPYOK", "KOBE": "JPUKB", "MELBOURNE": "AUMEL", "SYDNEY": "AUSYD", "CARTAGENA": "COCTG", "NEWARK": "USEWR",
}

type placeTable struct {
	byName    map[string][]refdata.Port
	countries map[string]string // folded name to code
}

var places = sync.OnceValue(func() placeTable {
	t := placeTable{map[string][]refdata.Port{}, map[string]string{}}
	for _, p := range refdata.Ports() {
		for _, name := range []string{p.Name, p.City} {
			name, _, _ = strings.Cut(name, "(")
			if key := strings.Join(pieces(name), " "); key != "" {
				if all := t.byName[key]; len(all) == 0 || all[len(all)-1].Code != p.Code {
					t.byName[key] = append(all, p)
				}
			}
		}
		t.countries[strings.Join(pieces(refdata.CountryName(p.Country)), " ")] = p.Country
	}
	for name, code := range map[string]string{"USA": "US", "UNITED STATES": "US", "UNITED STATES OF AMERICA": "US", "CHINA": "CN", "PR CHINA": "CN", "P R CHINA": "CN", "UK": "GB", "UNITED KINGDOM": "GB", "KOREA": "KR", "SOUTH KOREA": "KR", "TAIWAN": "TW", "VIETNAM": "VN", "VIET NAM": "VN", "TURKEY": "TR", "TURKIYE": "TR", "UAE": "AE", "RUSSIA": "RU", "DEUTSCHLAND": "DE", "ESPANA": "ES", "ITALIA": "IT", "CZECH REPUBLIC": "CZ", "THE NETHERLANDS": "NL", "ALEMANIA": "DE", "ALLEMAGNE": "DE", "GERMANIA": "DE", "DUITSLAND": "DE", "ALEMANHA": "DE", "ITALIE": "IT", "ITALIEN": "IT", "FRANCIA": "FR", "FRANKREICH": "FR", "ESPAGNE": "ES", "SPAGNA": "ES", "SPANIEN": "ES", "ESPANHA": "ES", "PAISES BAJOS": "NL", "PAYS BAS": "NL", "PAESI BASSI": "NL", "NIEDERLANDE": "NL", "NEDERLAND": "NL", "BELGICA": "BE", "BELGIQUE": "BE", "BELGIEN": "BE", "BELGIO": "BE", "BELGIE": "BE", "TURQUIA": "TR", "TURQUIE": "TR", "TURCHIA": "TR", "TURKEI": "TR", "INDE": "IN", "INDIEN": "IN", "CHINE": "CN", "CINA": "CN", "BRASIL": "BR", "BRESIL": "BR", "BRASILIEN": "BR", "BRASILE": "BR", "ESTADOS UNIDOS": "US", "ETATS UNIS": "US", "STATI UNITI": "US", "REINO UNIDO": "GB", "ROYAUME UNI": "GB", "REGNO UNITO": "GB", "OSTERREICH": "AT", "POLEN": "PL", "POLONIA": "PL", "MARRUECOS": "MA", "MAROC": "MA", "MAROCCO": "MA", "EGIPTO": "EG", "EGYPTE": "EG", "GRECIA": "GR", "GRECE": "GR", "HOLLAND": "NL"} {
		t.countries[name] = code
	}
	return t
})

// place finds the UN/LOCODE of a place as papers write it: by name, with country or
// state, with its code. The code is empty for a name that several places have, of
// which none is known to be meant.
func place(s string) (code string, ok bool) {
	all := pieces(s)
	t := places()
	// A code that agrees with the name beside it, or stands alone.
	for i, p := range all {
		if len(p) != 5 {
			continue
		}
		port, known := refdata.PortByCode(p)
		if !known {
			continue
		}
		others := append(append([]string{}, all[:i]...), all[i+1:]...)
		if len(others) == 0 || strings.Contains(s, "("+p+")") || sharesName(port, others) {
			return port.Code, true
		}
	}
	if len(all) >= 2 && len(all[0]) == 2 && len(all[1]) == 3 { // CN SHA
		if port, known := refdata.PortByCode(all[0] + all[1]); known && (len(all) == 2 || sharesName(port, all[2:])) {
			return port.Code, true
		}
	}
	for len(all) > 1 && (all[0] == "PORT" || all[0] == "OF" || all[0] == "CY" || all[0] == "CFS" || all[0] == "DOOR" || all[0] == "ICD" || all[0] == "SEAPORT" || all[0] == "RAMP") {
		if len(all) > 1 && (t.byName[strings.Join(all[:2], " ")] != nil) {
			break // Port Said, Port Klang
		}
		all = all[1:]
	}
	for n := min(len(all), 5); n >= 1; n-- {
		name := strings.Join(all[:n], " ")
		country, state := t.context(all[n:])
		if code, aliased := placeAliases[name]; aliased {
			port, known := refdata.PortByCode(code)
			if known && (country == "" || country == port.Country) && (state == "" || port.State == "" || state == port.State || state == port.Country) {
				return port.Code, true
			}
		}
		ports := t.byName[name]
		if len(ports) == 0 {
			continue
		}
		fits := fitting(ports, country, state)
		if len(fits) == 0 && country == "" && refdata.CountryName(state) != "" {
			fits = fitting(ports, state, "") // CA is Canada too
		}
		if len(fits) == 1 {
			return fits[0].Code, true
		}
		if len(fits) > 1 {
			return "", true
		}
	}
	return "", false
}

// fitting are the ports of a country and state, as far as these are known.
// isPlace reports whether a word is the name of a port or a country.
func isPlace(p string) bool {
	t := places()
	return len(t.byName[p]) > 0 || t.countries[p] != ""
}

func fitting(ports []refdata.Port, country, state string) (fits []refdata.Port) {
	for _, p := range ports {
		if (country == "" || p.Country == country) && (state == "" || p.State == state || p.State == "" && country == "") {
			fits = append(fits, p)
		}
	}
	return fits
}

func sharesName(p refdata.Port, words []string) bool {
	for _, own := range append(pieces(p.Name), pieces(p.City)...) {
		for _, w := range words {
			if own == w && len(w) > 1 {
				return true
			}
		}
	}
	return false
}

// context reads country and state from what follows a name.
func (t placeTable) context(after []string) (country, state string) {
	for i := range after {
		for n := min(len(after)-i, 4); n >= 1; n-- {
			if c, ok := t.countries[strings.Join(after[i:i+n], " ")]; ok {
				return c, state
			}
		}
		if len(after[i]) == 2 {
			if american[after[i]] {
				state = after[i]
			} else if refdata.CountryName(after[i]) != "" {
				country = after[i]
			}
		}
	}
	return country, state
}

var american = func() map[string]bool {
	states := map[string]bool{}
	for _, s := range strings.Fields("AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY ON QC BC NS AB MB NB NL") {
		states[s] = true
	}
	return states
}()
