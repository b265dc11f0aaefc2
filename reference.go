package tracking

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/landfallhq/tracking/internal/naturalkey"
	"github.com/landfallhq/tracking/internal/nearest"
	"github.com/landfallhq/tracking/internal/search"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/refdata"
)

// Reference has the ports and shipping lines of the world.
type Reference interface {
	// Port returns the port with that LOCODE or alias, in any case.
	Port(locode string) (refdata.Port, bool)
	// Ports returns all of them; the slice is shared.
	Ports() []refdata.Port
	// Line returns the line with that SCAC or alternative SCAC, in any case.
	Line(scac string) (refdata.Line, bool)
	// LineByPrefix returns the line whose prefix a document number begins with.
	LineByPrefix(number string) (refdata.Line, bool)
	// Lines returns all of them; the slice is shared.
	Lines() []refdata.Line
}

// builtin is the tables that are compiled in.
type builtin struct{}

func (builtin) Port(locode string) (refdata.Port, bool)         { return refdata.PortByCode(locode) }
func (builtin) Ports() []refdata.Port                           { return refdata.Ports() }
func (builtin) Line(scac string) (refdata.Line, bool)           { return refdata.LineBySCAC(scac) }
func (builtin) LineByPrefix(number string) (refdata.Line, bool) { return refdata.LineByPrefix(number) }
func (builtin) Lines() []refdata.Line                           { return refdata.Lines() }

// SandboxSCAC is accepted as a shipping line only where Config.Sources has a
// source for it.
const SandboxSCAC = "TEST"

// Port is a port or inland place (see docs/contract.md#places-lines-and-ships).
type Port struct {
	Meta
	Name string `attr:"name"` // in Latin letters, as in the reference data or the facts
	// Code is the UN/LOCODE; empty (null) for a place without one.
	Code      string `attr:"code,null"`
	StateAbbr string `attr:"state_abbr,null"`
	City      string `attr:"city,null"`
	// CountryCode is ISO 3166-1 alpha-2.
	CountryCode string `attr:"country_code,null"`
	// TimeZone is the IANA name; empty (null) when not known.
	TimeZone string `attr:"time_zone,null"`
	// Latitude and Longitude in degrees, WGS84; nil when not known.
	Latitude  *float64 `attr:"latitude"`
	Longitude *float64 `attr:"longitude"`
	// The terminals of the port that the account can see.
	_ struct{} `rel:"terminals,terminal,inverse"`
}

var ports = newKind[Port]("port", nil, nil, nil)

// ShippingLine is a carrier whose shipments can be tracked (see
// docs/contract.md#places-lines-and-ships).
type ShippingLine struct {
	Meta
	SCAC      string `attr:"scac"`       // four characters, upper case
	Name      string `attr:"name"`       // the full one
	ShortName string `attr:"short_name"` // the one in daily use
	// AlternativeSCACs are accepted in tracking requests instead of SCAC.
	AlternativeSCACs []string `attr:"alternative_scacs"`
	// Whether such numbers can be tracked here: never where Config.Sources has no source
	// for the line.
	BillOfLadingSupport    bool `attr:"bill_of_lading_tracking_support"`
	BookingNumberSupport   bool `attr:"booking_number_tracking_support"`
	ContainerNumberSupport bool `attr:"container_number_tracking_support"`
}

var shippingLines = newKind[ShippingLine]("shipping_line", nil, nil, nil)

// Terminal is a facility where containers are handled (see
// docs/contract.md#places-lines-and-ships).
type Terminal struct {
	Meta
	Name     string `attr:"name"`          // as reported
	Nickname string `attr:"nickname,null"` // empty (null) without one
	// FIRMSCode is the US CBP or Canadian sublocation code.
	FIRMSCode       string `attr:"firms_code,null"`
	SMDGCode        string `attr:"smdg_code,null"`
	BICFacilityCode string `attr:"bic_facility_code,null"`
	Street          string `attr:"street,null"`
	City            string `attr:"city,null"`
	State           string `attr:"state,null"`
	StateAbbr       string `attr:"state_abbr,null"`
	Zip             string `attr:"zip,null"`
	Country         string `attr:"country,null"`
	// Port that the terminal belongs to.
	Port ID `rel:"port,port"`
}

var terminals = newKind[Terminal]("terminal", nil, nil, nil)

// Vessel is a vessel of the account's facts (see docs/contract.md#places-lines-and-ships).
type Vessel struct {
	Meta
	Name string `attr:"name"`      // as reported; empty when only its IMO number is known
	IMO  string `attr:"imo,null"`  // seven digits; empty (null) when not known
	MMSI string `attr:"mmsi,null"` // nine digits; empty (null) when not known
	// The present position; nil without Config.Positions.
	Latitude          *float64  `attr:"latitude"`
	Longitude         *float64  `attr:"longitude"`
	SpeedKnots        *float64  `attr:"nautical_speed_knots"`
	HeadingDegrees    *float64  `attr:"navigational_heading_degrees"`
	PositionTimestamp time.Time `attr:"position_timestamp,null"`
	// KnownAs is the vessel with an IMO number that this one, with a name only, turned out
	// to be; zero for none.
	KnownAs ID `private:"known_as"`
}

var vessels = newKind("vessel", nil, func(v *Vessel) []store.Term { return nameTerms(v.Name, v.IMO) }, nil).TermsVersion(search.TermsVersion)

// references has the reference entities that are not records of the account: the tables of
// Config.Reference, and imported terminals.
type references struct {
	e     *engine
	ports func() map[ID]*entity[refdata.Port]
	lines func() map[ID]*entity[refdata.Line]
	areas func() map[ID]*entity[refdata.Port]
	// byCode is the ports in the order of their codes.
	byCode func() []refdata.Port

	// imported is this process's copy of the imported terminals; nil when it is not loaded.
	// The loader holds loading and no transaction; readers hold a transaction and never wait
	// for loading. last is the copy that was loaded last, even if it was dropped since.
	imported atomic.Pointer[importedTerminals]
	loading  sync.Mutex
	last     *importedTerminals
}

func newReferences(e *engine) *references {
	return &references{
		e: e,
		ports: sync.OnceValue(func() map[ID]*entity[refdata.Port] {
			return entities(e.config.Reference.Ports(), func(p refdata.Port) ID { return naturalkey.Port(p.Code) })
		}),
		byCode: sync.OnceValue(func() []refdata.Port { return portsByCode(e.config.Reference.Ports()) }),
		areas: sync.OnceValue(func() map[ID]*entity[refdata.Port] {
			return entities(e.config.Reference.Ports(), func(p refdata.Port) ID { return metroAreaID(p.Code) })
		}),
		lines: sync.OnceValue(func() map[ID]*entity[refdata.Line] {
			return entities(e.lineTable(), func(l refdata.Line) ID { return naturalkey.Line(l.SCAC) })
		}),
	}
}

// lineTable is the reference's lines, and the sandbox where it is configured.
func (e *engine) lineTable() []refdata.Line {
	lines := e.config.Reference.Lines()
	if _, on := e.config.Sources[SandboxSCAC]; on {
		lines = append([]refdata.Line{sandboxLine}, lines...)
	}
	return lines
}

var sandboxLine = refdata.Line{
	SCAC: SandboxSCAC, Name: "Sandbox", ShortName: "Sandbox",
	BillOfLading: true, BookingNumber: true, ContainerNumber: true,
}

// line resolves a SCAC; TEST only if the sandbox is configured.
func (e *engine) line(scac string) (refdata.Line, bool) {
	if strings.EqualFold(scac, SandboxSCAC) {
		_, on := e.config.Sources[SandboxSCAC]
		return sandboxLine, on
	}
	return e.config.Reference.Line(scac)
}

// nearestLine returns the line that is meant by a name, a part of one or a misspelt SCAC.
func (e *engine) nearestLine(text string) (line refdata.Line, ok bool) {
	asked, fewest := foldName(text), 100
	if len(asked) < 3 || asked == SandboxSCAC {
		return refdata.Line{}, false
	}
	for _, l := range e.config.Reference.Lines() {
		for _, name := range append([]string{l.ShortName, l.Name, l.SCAC}, l.AlternativeSCACs...) {
			if n := nameSlips(asked, foldName(name)); n < fewest {
				line, fewest, ok = l, n, true
			}
		}
	}
	return line, ok
}

// nameSlips says how far a text is from a name: 0 if they are equal, 1 if one begins with
// the other. A text that is too far has 100.
func nameSlips(text, name string) int {
	short, long := min(len(text), len(name)), max(len(text), len(name))
	if _, near := nearest.Word(text, []string{name}); near && (short > 3 || text == name) {
		return 2 * nearest.Slips(text, name)
	}
	if short >= 3 && text[:short] == name[:short] && (len(name) == long || short > 4) {
		return 1
	}
	return 100
}

// foldName reduces a name to its letters and digits, without accents, in upper case.
func foldName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, withoutAccents.Replace(strings.ToUpper(name)))
}

var withoutAccents = strings.NewReplacer("Ü", "U", "Ö", "O", "Ä", "A", "Ø", "O", "Å", "A", "Æ", "AE", "Ç", "C", "Ã", "A", "Á", "A", "É", "E", "Í", "I", "Ó", "O", "Ñ", "N")

// lineByPrefix returns the line of a folded document number by its prefix; TEST only if the
// sandbox is configured.
func (e *engine) lineByPrefix(number string) (refdata.Line, bool) {
	if rest, ok := strings.CutPrefix(number, SandboxSCAC); ok && rest != "" {
		if line, on := e.line(SandboxSCAC); on {
			return line, true
		}
	}
	return e.config.Reference.LineByPrefix(number)
}

// knownLine resolves the SCAC of an existing shipment. Shipments of the sandbox keep their
// line if it is not configured any more.
func (e *engine) knownLine(scac string) (refdata.Line, bool) {
	if scac == SandboxSCAC {
		return sandboxLine, true
	}
	return e.line(scac)
}

// primarySCACs returns the primary SCACs of the lines in a filter. An unknown SCAC is
// returned unchanged, and matches nothing.
func primarySCACs(e *engine, scacs []string) []string {
	out := slices.Clone(scacs)
	for i, scac := range out {
		if line, ok := e.knownLine(strings.ToUpper(scac)); ok {
			out[i] = line.SCAC
		}
	}
	return out
}

// Place implements journey.Places.
func (r *references) Place(locode string) (canonical, name, zone string, ok bool) {
	p, ok := r.e.config.Reference.Port(locode)
	return p.Code, p.Name, p.Zone, ok
}

// metropolis is the largest distance of two places of one metropolitan area, in kilometres:
// Los Angeles and Long Beach, Rotterdam and its outer harbours.
const metropolis = 50

// Near implements journey.Places.
func (r *references) Near(a, b string) bool { return nearPorts(r.e.config.Reference, a, b) }

func nearPorts(ref Reference, a, b string) bool {
	p, known := ref.Port(a)
	q, also := ref.Port(b)
	if !known || !also || !p.HasPosition || !q.HasPosition {
		return false
	}
	return Point{Latitude: p.Latitude, Longitude: p.Longitude}.Distance(Point{Latitude: q.Latitude, Longitude: q.Longitude}) <= metropolis
}

// entity is a row of a table with its record.
type entity[T any] struct {
	row    T
	record atomic.Pointer[store.Record] // nil until it was shown
}

func entities[T any](rows []T, id func(T) ID) map[ID]*entity[T] {
	all, byID := make([]entity[T], len(rows)), make(map[ID]*entity[T], len(rows))
	for i, row := range rows {
		all[i].row = row
		byID[id(row)] = &all[i]
	}
	return byID
}

// shown returns an entity as a record, rendered the first time.
func shown[T, V any](e *entity[T], n *resource[V], of func(T) *V) store.Record {
	if r := e.record.Load(); r != nil {
		return *r
	}
	v := of(e.row)
	doc, _ := n.Codec.Encode(v)
	r := &store.Record{ID: metaOf(v).ID, Version: 1, Doc: doc, Decoded: new(store.DecodeCache)}
	e.record.Store(r)
	return *r
}

// resource returns an entity of the tables as a rendered record.
func (r *references) resource(typ string, id ID) (store.Record, bool) {
	switch typ {
	case "port":
		if p, ok := r.ports()[id]; ok {
			return shown(p, ports, portRecord), true
		}
	case "metro_area":
		if p, ok := r.areas()[id]; ok {
			return shown(p, metroAreas, metroAreaRecord), true
		}
	case "shipping_line":
		if l, ok := r.lines()[id]; ok {
			return shown(l, shippingLines, r.e.lineRecord), true
		}
	case "terminal":
		return r.terminal(id)
	}
	return store.Record{}, false
}

func portRecord(p refdata.Port) *Port {
	port := &Port{
		Meta: Meta{ID: naturalkey.Port(p.Code), Version: 1},
		Name: p.Name, Code: p.Code, City: p.City, StateAbbr: p.State, CountryCode: p.Country, TimeZone: p.Zone,
	}
	if p.HasPosition {
		port.Latitude, port.Longitude = &p.Latitude, &p.Longitude
	}
	return port
}

func (e *engine) lineRecord(l refdata.Line) *ShippingLine {
	_, asked := e.config.Sources[l.SCAC]
	return &ShippingLine{
		Meta: Meta{ID: naturalkey.Line(l.SCAC), Version: 1},
		SCAC: l.SCAC, Name: l.Name, ShortName: l.ShortName, AlternativeSCACs: l.AlternativeSCACs,
		BillOfLadingSupport: asked && l.BillOfLading, BookingNumberSupport: asked && l.BookingNumber, ContainerNumberSupport: asked && l.ContainerNumber,
	}
}

// Port returns a port by its ID. Needs show.
func (t *Tracker) Port(ctx context.Context, id ID) (*Port, error) {
	return reference(ctx, t, ports, id)
}

// PortID returns the ID of the place with that LOCODE or alias. The place need not exist:
// Port reports that.
func (t *Tracker) PortID(locode string) ID {
	return naturalkey.Port(t.canonical(locode))
}

// ShippingLine returns a line by its ID. Needs show.
func (t *Tracker) ShippingLine(ctx context.Context, id ID) (*ShippingLine, error) {
	return reference(ctx, t, shippingLines, id)
}

// ShippingLines returns every line, by SCAC. Needs show.
func (t *Tracker) ShippingLines(context.Context) ([]*ShippingLine, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	var list []*ShippingLine
	for _, l := range t.lineTable() {
		list = append(list, t.lineRecord(l))
	}
	return list, nil
}

// Terminal returns a terminal by its ID. Needs show.
func (t *Tracker) Terminal(ctx context.Context, id ID) (*Terminal, error) {
	return reference(ctx, t, terminals, id)
}

// Vessel returns a vessel of the account's facts. Needs show.
func (t *Tracker) Vessel(ctx context.Context, id ID) (*Vessel, error) {
	return reference(ctx, t, vessels, id)
}

// VesselID returns the ID of the vessel with that IMO number.
func VesselID(imo string) ID { return naturalkey.Vessel(imo) }

// reference returns one reference entity as a struct.
func reference[T any](ctx context.Context, t *Tracker, n *resource[T], id ID) (*T, error) {
	rows, err := t.loadReference(ctx, n.Kind, []ID{id})
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, notFound()
	}
	return n.Decode(rows[0])
}

// loadReference finds entities in the tables, among the imported ones, and in
// the account's own records, in this order. Those not found are left out.
func (t *Tracker) loadReference(ctx context.Context, k *store.Kind, ids []ID) ([]store.Record, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	if err := t.refs.load(ctx); err != nil {
		return nil, err
	}
	return viewing(ctx, t.engine, t.actor.Account, func(tx *transaction) ([]store.Record, error) { return referenceRows(tx, k, ids) })
}

// isReference reports whether records of the kind come from the tables too.
func isReference(k *store.Kind) bool {
	switch k {
	case ports.Kind, metroAreas.Kind, shippingLines.Kind, terminals.Kind, vessels.Kind:
		return true
	}
	return false
}

func referenceRows(tx *transaction, k *store.Kind, ids []ID) (rows []store.Record, err error) {
	var rest []ID
	for _, id := range ids {
		if r, ok := tx.engine.refs.resource(k.Name, id); ok {
			rows = append(rows, r)
		} else {
			rest = append(rest, id)
		}
	}
	if len(rest) == 0 {
		return rows, nil
	}
	if rows, err = tx.Records.GetMany(tx, k, rest, rows); err != nil || k != vessels.Kind {
		return rows, err
	}
	for i, r := range rows {
		if rows[i], err = followVessel(tx, r); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// importedKept is the largest age of this process's copy of the imported terminals: an
// import by another process is visible after this time.
const importedKept = 5 * time.Second

type importedTerminals struct {
	rows   map[ID]store.Record
	loaded time.Time
	// form counts the copies that differed from the one before: 1 is the first.
	form int64
	// byName is the rows in the order in which they are listed, read when they are.
	byName func() ([]*Terminal, error)
}

// follows sets the form of a copy that was loaded after another, nil for none.
func (i *importedTerminals) follows(before *importedTerminals) {
	same := func(a, b store.Record) bool { return a.Version == b.Version && bytes.Equal(a.Doc, b.Doc) }
	switch {
	case before == nil:
		i.form = 1
	case maps.EqualFunc(i.rows, before.rows, same):
		i.form = before.form
	default:
		i.form = before.form + 1
	}
}

// load refreshes the copy of the imported terminals. It opens its own view, so it must not
// be called in a transaction; within a Snapshot the copy stays as it is.
func (r *references) load(ctx context.Context) error {
	if r.fresh() || r.imported.Load() != nil && r.e.inSnapshot(ctx) {
		return nil
	}
	r.loading.Lock()
	defer r.loading.Unlock()
	if r.fresh() {
		return nil
	}
	next := &importedTerminals{rows: map[ID]store.Record{}, loaded: time.Now()}
	err := r.e.config.Store.View(ctx, AccountID{}, func(tx store.RecordTx) error {
		list, _, err := tx.List(ctx, terminals.Kind, store.Filter{}, Page{}, nil)
		for _, row := range list {
			if row.Decoded == nil {
				row.Decoded = new(store.DecodeCache)
			}
			next.rows[row.ID] = row
		}
		return err
	})
	next.byName = sync.OnceValues(func() ([]*Terminal, error) { return terminalsByName(next.rows) })
	if err == nil {
		next.follows(r.last)
		r.last = next
		r.imported.Store(next)
	}
	return err
}

func (r *references) fresh() bool {
	now := r.imported.Load()
	return now != nil && time.Since(now.loaded) < importedKept
}

func (r *references) terminal(id ID) (row store.Record, ok bool) {
	if now := r.imported.Load(); now != nil {
		row, ok = now.rows[id]
	}
	return row, ok
}

// forget drops the copy. It is loaded again before the next use.
func (r *references) forget() { r.imported.Store(nil) }

// followVessel keeps old IDs valid: for a vessel that was first known by name it returns
// the one with the IMO number that it turned out to be.
func followVessel(tx *transaction, r store.Record) (store.Record, error) {
	if len(r.Private) == 0 { // only KnownAs is private
		return r, nil
	}
	v, err := vessels.Decode(r)
	if err != nil || v.KnownAs == (ID{}) {
		return r, err
	}
	known, err := tx.Records.Get(tx, vessels.Kind, v.KnownAs)
	if errors.Is(err, ErrNotFound) {
		return r, nil
	}
	return known, err
}

// includedVessel returns a record as it is included: a vessel that turned out to be another
// one has the attributes of that one, with the ID that it is linked by. So every linkage
// has its resource, and none is repeated.
func includedVessel(tx *transaction, r store.Record) (store.Record, error) {
	known, err := followVessel(tx, r)
	if err != nil || known.ID == r.ID {
		return known, err
	}
	v, err := vessels.Decode(known)
	if err != nil {
		return r, err
	}
	v.ID = r.ID
	known.ID, known.Decoded = r.ID, nil
	known.Doc, _ = vessels.Codec.Encode(v)
	return known, nil
}

// ImportTerminals stores terminals for all accounts, and replaces those with the same
// LOCODE and SMDG code. It is for the operator. The engine has no list of terminals,
// because the public one has no licence.
func (t *Tracker) ImportTerminals(ctx context.Context, list []ImportedTerminal) error {
	if err := t.operator(); err != nil {
		return err
	}
	for i, n := range list {
		if len(n.LOCODE) != 5 || n.SMDG == "" || n.Name == "" {
			return invalid("terminals", "invalid", "terminal %d needs a LOCODE of five characters, an SMDG code and a name", i+1)
		}
	}
	defer t.refs.forget()
	const batch = 500
	for len(list) > 0 {
		part := list[:min(batch, len(list))]
		list = list[len(part):]
		err := t.change(ctx, "terminal.import", AccountID{}, func(tx *transaction) error {
			for _, n := range part {
				if err := terminals.Put(tx, t.importedTerminal(n)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ImportedTerminal is one row of a list of terminals.
type ImportedTerminal struct {
	LOCODE, SMDG, Name string
	// City, FIRMS and BIC may be empty.
	City, FIRMS, BIC string
}

func (t *Tracker) importedTerminal(n ImportedTerminal) *Terminal {
	locode := strings.ToUpper(n.LOCODE)
	term := &Terminal{Name: n.Name, SMDGCode: strings.ToUpper(n.SMDG), FIRMSCode: n.FIRMS, BICFacilityCode: n.BIC, City: n.City}
	if p, ok := t.config.Reference.Port(locode); ok {
		locode = p.Code
		term.StateAbbr, term.Country = p.State, refdata.CountryName(p.Country)
	}
	term.ID, term.Port = naturalkey.Terminal(locode, term.SMDGCode), naturalkey.Port(locode)
	return term
}

// ShippingLineQuery selects shipping lines.
type ShippingLineQuery struct {
	// Search is any part of a name, a short name or a SCAC, in any letter case. Empty
	// selects all lines.
	Search string
}

func (ShippingLineQuery) resourceType() *table.Schema { return shippingLines.Schema }
func (ShippingLineQuery) filter() store.Filter        { return store.Filter{} }

// list returns all lines that match: this list has no pages.
func (q ShippingLineQuery) list(tx *transaction, _ Page, to []store.Record) ([]store.Record, int, error) {
	before := len(to)
	for _, l := range tx.engine.lineTable() {
		if q.matches(l) {
			row, _ := tx.engine.refs.resource("shipping_line", naturalkey.Line(l.SCAC))
			to = append(to, row)
		}
	}
	return to, len(to) - before, nil
}

func (q ShippingLineQuery) matches(l refdata.Line) bool {
	part := strings.ToLower(q.Search)
	return slices.ContainsFunc(append([]string{l.Name, l.ShortName, l.SCAC}, l.AlternativeSCACs...), func(text string) bool {
		return strings.Contains(strings.ToLower(text), part)
	})
}
