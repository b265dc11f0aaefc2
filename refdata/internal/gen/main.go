// Command gen writes refdata/ports.tsv from the npm package sea-ports and the
// tables in this directory. Both inputs are local files.
//
//	go run ./internal/gen -ports ports.json -zones zone.tab -out ports.tsv
//
// ports.json is lib/ports.json of sea-ports 0.0.9; zone.tab is from the tz
// database. The output depends only on the inputs. A correction without effect, a
// zone outside the country of its port, or a repeated code is an error.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sourcePort is the used part of a record of the source.
type sourcePort struct {
	Name        string    `json:"name"`
	City        string    `json:"city"`
	Province    string    `json:"province"`
	Timezone    string    `json:"timezone"`
	Coordinates []float64 `json:"coordinates"` // longitude first
}

// row is one line of the output.
type row struct {
	code, name, city, state, zone string
	position                      string // "latitude,longitude" or empty
	aliases                       []string
}

var locode = regexp.MustCompile(`^[A-Z]{2}[A-Z2-9]{3}$`)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	ports := flag.String("ports", "", "`path` of lib/ports.json of sea-ports")
	zones := flag.String("zones", "", "`path` of zone.tab of the tz database")
	out := flag.String("out", "ports.tsv", "`path` to write")
	flag.Parse()
	if err := run(*ports, *zones, *out); err != nil {
		log.Fatal(err)
	}
}

func run(portsPath, zonesPath, outPath string) error {
	raw, err := os.ReadFile(portsPath)
	if err != nil {
		return err
	}
	var source map[string]sourcePort
	if err := json.Unmarshal(raw, &source); err != nil {
		return fmt.Errorf("%s: %w", portsPath, err)
	}
	zones, err := readZones(zonesPath)
	if err != nil {
		return err
	}

	rows := make(map[string]*row, len(source))
	for code, p := range source {
		rows[code] = fromSource(code, p)
	}
	for _, p := range places {
		if rows[p.code] != nil {
			return fmt.Errorf("place %s is in the source already", p.code)
		}
		rows[p.code] = &row{code: p.code, name: p.name, state: p.state, zone: p.zone, position: position(p.lat, p.lon)}
	}
	var problems []error
	for _, c := range corrections {
		for _, code := range strings.Fields(c.codes) {
			if err := c.apply(rows, code); err != nil {
				problems = append(problems, err)
			}
		}
	}
	for _, a := range aliases {
		if err := a.apply(rows); err != nil {
			problems = append(problems, err)
		}
	}

	all := make([]*row, 0, len(rows))
	for _, r := range rows {
		own := zones[r.code[:2]]
		if r.zone == "" && len(own) == 1 {
			// The country has only one zone.
			r.zone = own[0]
		}
		if r.zone == "" || !slices.Contains(own, r.zone) {
			problems = append(problems, fmt.Errorf("%s %s: zone %q is not one of %v", r.code, r.name, r.zone, own))
		}
		if !locode.MatchString(r.code) {
			problems = append(problems, fmt.Errorf("%s: not a UN/LOCODE", r.code))
		}
		slices.Sort(r.aliases)
		all = append(all, r)
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b *row) int { return strings.Compare(a.code, b.code) })
	return os.WriteFile(outPath, format(all), 0o644)
}

// fromSource converts one record of the source.
func fromSource(code string, p sourcePort) *row {
	r := &row{code: code, name: clean(p.Name), zone: p.Timezone}
	if city := clean(p.City); city != r.name {
		r.city = city
	}
	if current, ok := renamedZones[r.zone]; ok {
		r.zone = current
	}
	r.state = states[code[:2]][p.Province]
	if len(p.Coordinates) == 2 {
		r.position = position(p.Coordinates[1], p.Coordinates[0])
	}
	return r
}

func clean(s string) string { return strings.Join(strings.Fields(s), " ") }

// position rounds to four decimals, about eleven metres, which is the precision of
// the source.
func position(lat, lon float64) string {
	f := func(v float64) string {
		return strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64)
	}
	return f(lat) + "," + f(lon)
}

func (c correction) apply(rows map[string]*row, code string) error {
	r := rows[code]
	if r == nil {
		return fmt.Errorf("correction of %s: no such port", code)
	}
	var field *string
	switch c.field {
	case "drop":
		delete(rows, code)
		return nil
	case "swap":
		lat, lon, ok := strings.Cut(r.position, ",")
		if !ok {
			return fmt.Errorf("correction of %s: no position to swap", code)
		}
		r.position = lon + "," + lat
		return nil
	case "code":
		if rows[c.value] != nil {
			return fmt.Errorf("correction of %s: %s exists", code, c.value)
		}
		delete(rows, code)
		r.code, r.aliases = c.value, append(r.aliases, code)
		rows[r.code] = r
		return nil
	case "name":
		field, r.city = &r.name, ""
	case "state":
		field = &r.state
	case "zone":
		field = &r.zone
	case "position":
		field = &r.position
	default:
		return fmt.Errorf("correction of %s: unknown field %q", code, c.field)
	}
	if *field == c.value {
		return fmt.Errorf("correction of %s: %s is %q already", code, c.field, c.value)
	}
	*field = c.value
	return nil
}

// apply adds the other codes to the record of code, and removes records with these
// codes, so that a place appears once.
func (a alias) apply(rows map[string]*row) error {
	r := rows[a.code]
	if r == nil {
		return fmt.Errorf("alias of %s: no such port", a.code)
	}
	for _, other := range strings.Fields(a.others) {
		if o := rows[other]; o != nil {
			r.aliases = append(r.aliases, o.aliases...)
			delete(rows, other)
		}
		r.aliases = append(r.aliases, other)
	}
	return nil
}

// readZones returns the zones of each country in zone.tab.
func readZones(path string) (map[string][]string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	zones := make(map[string][]string)
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		if f := strings.Split(lines.Text(), "\t"); len(f) >= 3 {
			zones[f[0]] = append(zones[f[0]], f[2])
		}
	}
	return zones, lines.Err()
}

func format(rows []*row) []byte {
	var b bytes.Buffer
	b.WriteString("# Code generated by refdata/internal/gen from sea-ports 0.0.9 (MIT), corrections.go and places.go; DO NOT EDIT.\n")
	b.WriteString("# code\tname\tcity\tstate\tzone\tlatitude,longitude\taliases\n")
	for _, r := range rows {
		b.WriteString(strings.Join([]string{r.code, r.name, r.city, r.state, r.zone, r.position, strings.Join(r.aliases, " ")}, "\t"))
		b.WriteByte('\n')
	}
	return b.Bytes()
}
