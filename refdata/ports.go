package refdata

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:generate go run ./internal/gen -ports $SEA_PORTS_JSON -zones $ZONE_TAB -out ports.tsv

//go:embed ports.tsv
var portsTSV string

// ports is parsed on first use.
var ports = sync.OnceValue(func() []Port { return parsePorts(portsTSV) })

// portIndex maps codes and aliases to indexes of ports.
var portIndex = sync.OnceValue(func() map[string]int {
	all := ports()
	index := make(map[string]int, len(all)+len(all)/16)
	for i, p := range all {
		index[p.Code] = i
		for _, a := range p.Aliases {
			index[a] = i
		}
	}
	return index
})

// Ports returns all ports and inland places, sorted by Code. The caller owns the
// slice; the Aliases in it are shared and must not be changed.
func Ports() []Port { return slices.Clone(ports()) }

// PortByCode returns the port with a UN/LOCODE or one of its aliases. Letter case
// and surrounding space do not matter. Port.Code differs from code if code is an
// alias.
func PortByCode(code string) (Port, bool) {
	i, ok := portIndex()[normalize(code)]
	if !ok {
		return Port{}, false
	}
	return ports()[i], true
}

// normalize does not allocate for normalized input.
func normalize(s string) string { return strings.ToUpper(strings.TrimSpace(s)) }

// parsePorts reads the generated table. It panics on a malformed line, which the
// tests exclude.
func parsePorts(table string) []Port {
	all := make([]Port, 0, strings.Count(table, "\n"))
	for line := range strings.Lines(table) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 7 {
			panic("refdata: malformed port line: " + line)
		}
		p := Port{Code: f[0], Name: f[1], City: f[2], Country: f[0][:2], State: f[3], Zone: f[4]}
		if lat, lon, ok := strings.Cut(f[5], ","); ok {
			p.Latitude, p.Longitude, p.HasPosition = degrees(lat), degrees(lon), true
		}
		if f[6] != "" {
			p.Aliases = strings.Fields(f[6])
		}
		all = append(all, p)
	}
	return all
}

func degrees(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic("refdata: malformed position: " + s)
	}
	return v
}
