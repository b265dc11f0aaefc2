package tracking

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/internal/naturalkey"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/refdata"
)

// MetroArea is the area around a place. Every place of the reference data has one, with
// the data of the place and an ID of its own.
type MetroArea struct {
	Meta
	Name string `attr:"name"` // in Latin letters, as in the reference data
	// Code is the UN/LOCODE.
	Code      string `attr:"code"`
	StateAbbr string `attr:"state_abbr,null"`
	// CountryCode is ISO 3166-1 alpha-2.
	CountryCode string `attr:"country_code"`
	// TimeZone is the IANA name; empty (null) when not known.
	TimeZone string `attr:"time_zone,null"`
	// Latitude and Longitude in degrees, WGS84; nil when not known.
	Latitude  *float64 `attr:"latitude"`
	Longitude *float64 `attr:"longitude"`
}

var metroAreas = newKind[MetroArea]("metro_area", nil, nil, nil)

func metroAreaID(locode string) ID { return table.NamedID("metro_area", locode) }

func metroAreaRecord(p refdata.Port) *MetroArea {
	m := &MetroArea{
		Meta: Meta{ID: metroAreaID(p.Code), Version: 1},
		Name: p.Name, Code: p.Code, StateAbbr: p.State, CountryCode: p.Country, TimeZone: p.Zone,
	}
	if p.HasPosition {
		m.Latitude, m.Longitude = &p.Latitude, &p.Longitude
	}
	return m
}

// MetroArea returns the area around a place by its ID. Needs show.
func (t *Tracker) MetroArea(ctx context.Context, id ID) (*MetroArea, error) {
	return reference(ctx, t, metroAreas, id)
}

// MetroAreaID returns the ID of the area around the place with that LOCODE or alias. The
// place need not exist: MetroArea reports that.
func (t *Tracker) MetroAreaID(locode string) ID { return metroAreaID(t.canonical(locode)) }

// canonical returns the canonical code of a place, in upper case.
func (t *Tracker) canonical(locode string) string {
	code := strings.ToUpper(strings.TrimSpace(locode))
	if p, ok := t.config.Reference.Port(code); ok {
		return p.Code
	}
	return code
}

// PortQuery selects ports: those of the reference data, by code, and after them the other
// places of the account's facts, last reported first. A list matches any of its members; an
// empty one matches all.
type PortQuery struct {
	Codes     []string // UN/LOCODEs or aliases, in any case
	Countries []string // ISO 3166-1 alpha-2, in any case
	Name      string   // a part of the name, in any case
}

func (PortQuery) resourceType() *table.Schema { return ports.Schema }
func (PortQuery) filter() store.Filter        { return store.Filter{} }

func (q PortQuery) list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error) {
	codes := slices.Clone(q.Codes)
	for i, code := range codes {
		codes[i] = strings.ToUpper(strings.TrimSpace(code))
		if known, ok := tx.engine.config.Reference.Port(codes[i]); ok {
			codes[i] = known.Code
		}
	}
	var ids []ID
	for _, port := range tx.engine.refs.byCode() {
		if q.selects(codes, port.Code, port.Country, port.Name) {
			ids = append(ids, naturalkey.Port(port.Code))
		}
	}
	own, err := ports.All(tx, where[Port]{})
	if err != nil {
		return to, 0, err
	}
	for _, port := range own {
		if q.selects(codes, port.Code, port.CountryCode, port.Name) {
			ids = append(ids, port.ID)
		}
	}
	return referencePage(tx, ports.Kind, ids, p, to)
}

func (q PortQuery) selects(codes []string, code, country, name string) bool {
	return anyOf(codes, code) && anyOf(q.Countries, country) && partOf(q.Name, name)
}

// anyOf reports whether s is in the list, or the list is empty.
func anyOf(list []string, s string) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(l string) bool { return strings.EqualFold(l, s) })
}

// partOf reports whether part is in a name, regardless of case.
func partOf(part, name string) bool {
	return part == "" || strings.Contains(naturalkey.FoldName(name), naturalkey.FoldName(part))
}

// portsByCode returns the places in the order of their codes.
func portsByCode(ports []refdata.Port) []refdata.Port {
	list := slices.Clone(ports)
	slices.SortFunc(list, func(a, b refdata.Port) int { return strings.Compare(a.Code, b.Code) })
	return list
}

// referencePage appends one page of the entities with these IDs.
func referencePage(tx *transaction, k *store.Kind, ids []ID, p Page, to []store.Record) ([]store.Record, int, error) {
	from, end, err := p.Bounds(len(ids))
	if err != nil {
		return to, 0, err
	}
	begin := len(to)
	for _, id := range ids[from:end] {
		if r, ok := tx.engine.refs.resource(k.Name, id); ok {
			to = append(to, r)
			continue
		}
		if to, err = tx.Records.GetMany(tx, k, []ID{id}, to); err != nil {
			return to[:begin], 0, err
		}
	}
	return to, len(ids), nil
}

// Ports returns a page of the ports, and their total number. Needs show.
func (t *Tracker) Ports(ctx context.Context, q PortQuery, p Page) ([]*Port, int, error) {
	return list(ctx, t, ports, q, p)
}

// TerminalQuery selects terminals: those that the operator has imported, by name, and after
// them the others of the account's facts.
type TerminalQuery struct {
	Ports []ID   // that they belong to
	Name  string // a part of the name, in any case
	Codes []string
}

func (TerminalQuery) resourceType() *table.Schema { return terminals.Schema }
func (TerminalQuery) filter() store.Filter        { return store.Filter{} }

func (q TerminalQuery) list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error) {
	all, err := tx.engine.refs.importedByName()
	if err != nil {
		return to, 0, err
	}
	own, err := terminals.All(tx, where[Terminal]{})
	if err != nil {
		return to, 0, err
	}
	known := map[ID]bool{}
	var ids []ID
	for _, term := range slices.Concat(all, own) {
		if !known[term.ID] && q.selects(term) {
			ids = append(ids, term.ID)
		}
		known[term.ID] = true
	}
	return referencePage(tx, terminals.Kind, ids, p, to)
}

func (q TerminalQuery) selects(t *Terminal) bool {
	return (len(q.Ports) == 0 || slices.Contains(q.Ports, t.Port)) && partOf(q.Name, t.Name) &&
		(anyOf(q.Codes, t.SMDGCode) || anyOf(q.Codes, t.FIRMSCode) || anyOf(q.Codes, t.BICFacilityCode))
}

// Terminals returns a page of the terminals that the account can see. Needs show.
func (t *Tracker) Terminals(ctx context.Context, q TerminalQuery, p Page) ([]*Terminal, int, error) {
	if err := t.refs.load(ctx); err != nil {
		return nil, 0, err
	}
	return list(ctx, t, terminals, q, p)
}

// importedByName returns the imported terminals of this process's copy. The slice is
// shared.
func (r *references) importedByName() ([]*Terminal, error) {
	now := r.imported.Load()
	if now == nil {
		return nil, nil
	}
	return now.byName()
}

// terminalsByName decodes terminals, in the order in which they are listed.
func terminalsByName(rows map[ID]store.Record) ([]*Terminal, error) {
	list := make([]*Terminal, 0, len(rows))
	names := make(map[ID]string, len(rows))
	for _, row := range rows {
		t, err := terminals.Decode(row)
		if err != nil {
			return nil, err
		}
		list, names[t.ID] = append(list, t), naturalkey.FoldName(t.Name)
	}
	slices.SortFunc(list, func(a, b *Terminal) int {
		return cmp.Or(strings.Compare(names[a.ID], names[b.ID]), strings.Compare(a.ID.String(), b.ID.String()))
	})
	return list, nil
}

// VesselQuery selects the vessels of the account's facts, last reported first.
type VesselQuery struct {
	IMOs []string // seven digits
	Name string   // a part of the name, in any case
}

func (VesselQuery) resourceType() *table.Schema { return vessels.Schema }

// filter excludes the duplicates of vessels whose IMO number became known later.
func (q VesselQuery) filter() store.Filter {
	return store.Filter{Match: func(r store.Record) bool {
		v, err := vessels.Decode(r)
		return err == nil && v.KnownAs == (ID{}) && anyOf(q.IMOs, v.IMO) && partOf(q.Name, v.Name)
	}}
}

// list reads all vessels: an account has few.
func (q VesselQuery) list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error) {
	rows, _, err := tx.Records.List(tx, vessels.Kind, store.Filter{}, Page{}, nil)
	if err != nil {
		return to, 0, err
	}
	match := q.filter().Match
	rows = slices.DeleteFunc(rows, func(r store.Record) bool { return !match(r) })
	from, end, err := p.Bounds(len(rows))
	if err != nil {
		return to, 0, err
	}
	return append(to, rows[from:end]...), len(rows), nil
}

// Vessels returns a page of the vessels of the account's facts. Needs show.
func (t *Tracker) Vessels(ctx context.Context, q VesselQuery, p Page) ([]*Vessel, int, error) {
	return list(ctx, t, vessels, q, p)
}
