package refdata

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the zones must load on a machine without a tz database
)

var locode = regexp.MustCompile(`^[A-Z]{2}[A-Z2-9]{3}$`)

func TestPortsAreWellFormed(t *testing.T) {
	all := Ports()
	if len(all) < 1600 {
		t.Fatalf("%d ports, want at least 1600", len(all))
	}
	if !slices.IsSortedFunc(all, func(a, b Port) int { return strings.Compare(a.Code, b.Code) }) {
		t.Error("ports are not sorted by code")
	}
	seen := make(map[string]string) // code or alias to the code it belongs to
	for _, p := range all {
		for _, code := range append([]string{p.Code}, p.Aliases...) {
			if !locode.MatchString(code) {
				t.Errorf("%s: %q is not a UN/LOCODE", p.Code, code)
			}
			if other, dup := seen[code]; dup {
				t.Errorf("%s: %s belongs to %s as well", p.Code, code, other)
			}
			seen[code] = p.Code
		}
		if p.Country != p.Code[:2] || CountryName(p.Country) == "" {
			t.Errorf("%s: country %q", p.Code, p.Country)
		}
		if p.Name == "" || p.Name != strings.TrimSpace(p.Name) {
			t.Errorf("%s: name %q", p.Code, p.Name)
		}
		if p.City == p.Name {
			t.Errorf("%s: city repeats the name", p.Code)
		}
		if _, err := time.LoadLocation(p.Zone); err != nil || p.Zone == "" {
			t.Errorf("%s: zone %q: %v", p.Code, p.Zone, err)
		}
		switch {
		case !p.HasPosition:
			if p.Latitude != 0 || p.Longitude != 0 {
				t.Errorf("%s: a position without HasPosition", p.Code)
			}
		case math.Abs(p.Latitude) > 75 || math.Abs(p.Longitude) > 180 || (p.Latitude == 0 && p.Longitude == 0):
			// No port lies beyond 75 degrees: such a latitude is a swapped pair.
			t.Errorf("%s: position %v, %v", p.Code, p.Latitude, p.Longitude)
		}
	}
}

// A longitude tells the standard time to within a few hours, which finds zones
// and positions that contradict each other without any map.
func TestZonesAgreeWithPositions(t *testing.T) {
	at := time.Date(2025, 1, 15, 12, 0, 0, 0, time.UTC)
	for _, p := range Ports() {
		if !p.HasPosition {
			continue
		}
		zone, err := time.LoadLocation(p.Zone)
		if err != nil {
			t.Fatal(err)
		}
		_, offset := at.In(zone).Zone()
		apart := math.Abs(p.Longitude/15 - float64(offset)/3600)
		apart = min(apart, 24-apart)
		if apart > 3.2 {
			t.Errorf("%s: longitude %v is %.1f h from %s", p.Code, p.Longitude, apart, p.Zone)
		}
	}
}

func TestZonesBelongToTheirCountries(t *testing.T) {
	var raw []byte
	for _, dir := range []string{os.Getenv("ZONEINFO"), "/usr/share/zoneinfo"} {
		if b, err := os.ReadFile(dir + "/zone.tab"); dir != "" && err == nil {
			raw = b
			break
		}
	}
	if raw == nil {
		t.Skip("no zone.tab on this machine")
	}
	countries := make(map[string]string) // by zone
	for line := range strings.Lines(string(raw)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) >= 3 && !strings.HasPrefix(line, "#") {
			countries[f[2]] = f[0]
		}
	}
	for _, p := range Ports() {
		// An older zone.tab may lack a new zone; it must not give it to another.
		if c, ok := countries[p.Zone]; ok && c != p.Country {
			t.Errorf("%s: %s belongs to %s", p.Code, p.Zone, c)
		}
	}
}

func TestPortsOfContainerTrade(t *testing.T) {
	// Every port of the main trades, with its zone and a position to half a degree.
	for _, want := range []struct {
		code, name, zone string
		lat, lon         float64
	}{
		{"CNSHA", "Shanghai", "Asia/Shanghai", 31.2, 121.5},
		{"CNNGB", "Ningbo", "Asia/Shanghai", 29.9, 121.8},
		{"CNYTN", "Yantian", "Asia/Shanghai", 22.6, 114.3},
		{"CNSZX", "Shenzhen", "Asia/Shanghai", 22.5, 113.9},
		{"CNTAO", "Qingdao", "Asia/Shanghai", 36.1, 120.3},
		{"CNXMN", "Xiamen", "Asia/Shanghai", 24.5, 118.1},
		{"HKHKG", "Hong Kong", "Asia/Hong_Kong", 22.3, 114.1},
		{"SGSIN", "Singapore", "Asia/Singapore", 1.3, 103.8},
		{"KRPUS", "Busan", "Asia/Seoul", 35.1, 129.1},
		{"JPTYO", "Tokyo", "Asia/Tokyo", 35.6, 139.8},
		{"TWKHH", "Kaohsiung", "Asia/Taipei", 22.6, 120.3},
		{"VNSGN", "Ho Chi Minh City", "Asia/Ho_Chi_Minh", 10.8, 106.7},
		{"VNVUT", "Vung Tau", "Asia/Ho_Chi_Minh", 10.4, 107.1},
		{"VNCMT", "Cai Mep", "Asia/Ho_Chi_Minh", 10.5, 107.0},
		{"THLCH", "Laem Chabang", "Asia/Bangkok", 13.1, 100.9},
		{"THBKK", "Bangkok", "Asia/Bangkok", 13.7, 100.5},
		{"MYPKG", "Port Klang", "Asia/Kuala_Lumpur", 3.0, 101.4},
		{"MYTPP", "Tanjung Pelepas", "Asia/Kuala_Lumpur", 1.4, 103.5},
		{"LKCMB", "Colombo", "Asia/Colombo", 6.9, 79.9},
		{"INNSA", "Nhava Sheva (Jawaharlal Nehru)", "Asia/Kolkata", 18.9, 72.9},
		{"AEJEA", "Jebel Ali", "Asia/Dubai", 25.0, 55.1},
		{"EGPSD", "Port Said", "Africa/Cairo", 31.3, 32.3},
		{"ESALG", "Algeciras", "Europe/Madrid", 36.1, -5.4},
		{"ESVLC", "Valencia", "Europe/Madrid", 39.4, -0.3},
		{"MAPTM", "Tanger Med", "Africa/Casablanca", 35.9, -5.5},
		{"ITGOA", "Genoa", "Europe/Rome", 44.4, 8.9},
		{"GRPIR", "Piraeus", "Europe/Athens", 37.9, 23.6},
		{"NLRTM", "Rotterdam", "Europe/Amsterdam", 51.9, 4.4},
		{"BEANR", "Antwerp", "Europe/Brussels", 51.3, 4.3},
		{"DEHAM", "Hamburg", "Europe/Berlin", 53.5, 9.9},
		{"DEBRV", "Bremerhaven", "Europe/Berlin", 53.6, 8.6},
		{"FRLEH", "Le Havre", "Europe/Paris", 49.5, 0.1},
		{"GBFXT", "Felixstowe", "Europe/London", 52.0, 1.3},
		{"GBSOU", "Southampton", "Europe/London", 50.9, -1.4},
		{"SEGOT", "Gothenburg", "Europe/Stockholm", 57.7, 11.9},
		{"DKAAR", "Aarhus", "Europe/Copenhagen", 56.2, 10.2},
		{"PLGDN", "Gdansk", "Europe/Warsaw", 54.4, 18.7},
		{"USLAX", "Los Angeles", "America/Los_Angeles", 33.7, -118.3},
		{"USLGB", "Long Beach", "America/Los_Angeles", 33.8, -118.2},
		{"USOAK", "Oakland", "America/Los_Angeles", 37.8, -122.3},
		{"USSEA", "Seattle", "America/Los_Angeles", 47.6, -122.3},
		{"USTIW", "Tacoma", "America/Los_Angeles", 47.3, -122.4},
		{"USNYC", "New York", "America/New_York", 40.7, -74.1},
		{"USSAV", "Savannah", "America/New_York", 32.1, -81.1},
		{"USCHS", "Charleston", "America/New_York", 32.8, -79.9},
		{"USORF", "Norfolk", "America/New_York", 36.9, -76.3},
		{"USHOU", "Houston", "America/Chicago", 29.7, -95.2},
		{"USMIA", "Miami", "America/New_York", 25.8, -80.2},
		{"CAVAN", "Vancouver", "America/Vancouver", 49.3, -123.1},
		{"CAPRR", "Prince Rupert", "America/Vancouver", 54.3, -130.3},
		{"CAMTR", "Montreal", "America/Toronto", 45.5, -73.6},
		{"CAHAL", "Halifax", "America/Halifax", 44.6, -63.6},
		{"MXZLO", "Manzanillo", "America/Mexico_City", 19.1, -104.3},
		{"MXLZC", "Lazaro Cardenas", "America/Mexico_City", 17.9, -102.2},
		{"MXVER", "Veracruz", "America/Mexico_City", 19.2, -96.1},
		{"PACTB", "Cristobal", "America/Panama", 9.4, -79.9},
		{"PAMIT", "Manzanillo", "America/Panama", 9.4, -79.9},
		{"PABLB", "Balboa", "America/Panama", 9.0, -79.6},
		{"BRSSZ", "Santos", "America/Sao_Paulo", -24.0, -46.3},
		{"BRMAO", "Manaus", "America/Manaus", -3.1, -60.0},
		{"ARBUE", "Buenos Aires", "America/Argentina/Buenos_Aires", -34.6, -58.4},
		{"CLSAI", "San Antonio", "America/Santiago", -33.6, -71.6},
		{"PECLL", "Callao", "America/Lima", -12.0, -77.1},
		{"COCTG", "Cartagena", "America/Bogota", 10.4, -75.5},
		{"ZADUR", "Durban", "Africa/Johannesburg", -29.9, 31.0},
		{"AUSYD", "Sydney", "Australia/Sydney", -33.9, 151.2},
		{"AUMEL", "Melbourne", "Australia/Melbourne", -37.8, 144.9},
		{"NZAKL", "Auckland", "Pacific/Auckland", -36.8, 174.8},
		{"USCHI", "Chicago", "America/Chicago", 41.9, -87.6},
		{"USDAL", "Dallas", "America/Chicago", 32.8, -96.8},
		{"USMEM", "Memphis", "America/Chicago", 35.1, -90.0},
		{"USKCK", "Kansas City", "America/Chicago", 39.1, -94.6},
		{"USATL", "Atlanta", "America/New_York", 33.7, -84.4},
		{"USCMH", "Columbus", "America/New_York", 40.0, -83.0},
		{"USDEN", "Denver", "America/Denver", 39.7, -105.0},
		{"USSLC", "Salt Lake City", "America/Denver", 40.8, -111.9},
		{"CATOR", "Toronto", "America/Toronto", 43.7, -79.4},
		{"CACAL", "Calgary", "America/Edmonton", 51.0, -114.1},
		{"CAEDM", "Edmonton", "America/Edmonton", 53.5, -113.5},
		{"DEMUC", "Munich", "Europe/Berlin", 48.1, 11.6},
		{"DEDUI", "Duisburg", "Europe/Berlin", 51.4, 6.8},
		{"CZPRG", "Prague", "Europe/Prague", 50.1, 14.4},
		{"ATVIE", "Vienna", "Europe/Vienna", 48.2, 16.4},
		{"CHBSL", "Basel", "Europe/Zurich", 47.6, 7.6},
		{"FRPAR", "Paris", "Europe/Paris", 48.9, 2.3},
	} {
		p, ok := PortByCode(want.code)
		if !ok {
			t.Errorf("%s is missing", want.code)
			continue
		}
		if p.Name != want.name || p.Zone != want.zone {
			t.Errorf("%s: %q, %s; want %q, %s", want.code, p.Name, p.Zone, want.name, want.zone)
		}
		if math.Abs(p.Latitude-want.lat) > 0.5 || math.Abs(p.Longitude-want.lon) > 0.5 {
			t.Errorf("%s: %v, %v; want about %v, %v", want.code, p.Latitude, p.Longitude, want.lat, want.lon)
		}
		if slices.Contains([]string{"US", "CA", "AU", "BR", "MX"}, p.Country) && p.State == "" {
			t.Errorf("%s: no state", want.code)
		}
	}
}

func TestPortByCode(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"CNSHA", "CNSHA"},
		{"CNSGH", "CNSHA"},
		{"cnshg", "CNSHA"},
		{" uslax ", "USLAX"},
		{"ANWIL", "CWWIL"},
		{"XXXXX", ""},
		{"", ""},
	} {
		p, ok := PortByCode(c.in)
		if p.Code != c.want || ok != (c.want != "") {
			t.Errorf("PortByCode(%q) = %q, %v; want %q", c.in, p.Code, ok, c.want)
		}
	}
}

func TestPortsBelongsToTheCaller(t *testing.T) {
	Ports()[0].Name = "changed"
	if Ports()[0].Name == "changed" {
		t.Error("a change of the returned slice reached the table")
	}
}

func BenchmarkParsePorts(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		parsePorts(portsTSV)
	}
}

func BenchmarkPortByCode(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		PortByCode("CNSGH")
	}
}
