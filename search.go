package tracking

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/table"
)

// The names of the search terms.
const (
	// Whole numbers and references, folded as numbers are (numbers.go). The
	// deprecated parameter q uses them too.
	termNumber = "search"
	// Other whole words: tags, names, values of custom fields.
	termWord = "word"
	// The ends of both, from each character on.
	termPart = "part"
)

const (
	// minPart is the least length of a text that is searched inside words.
	minPart = 4
	// maxPart is the stored length of a part, in bytes; a container number fits. A
	// longer text is looked up by its beginning, and the results are checked.
	maxPart = 16
	// maxTaken is the number of characters of a word that are indexed in parts, and
	// maxTerms the number of parts of a record: long references must not make
	// writes expensive.
	maxTaken, maxTerms = 48, 200

	maxResults = 25
	// maxEntries bounds the index entries read for a prefix. With more entries, the
	// last created may not come first. For requests the bound is larger, because
	// most are left out.
	maxEntries, maxRequests = 2 * maxResults, 500
	// maxLikely is the same for texts that are longer than a part.
	maxLikely = 200
	// maxNames bounds the parties, vessels and containers that lead to shipments.
	maxNames = 25
)

// searchForm is the version of the search terms. A new version rewrites all
// records.
const searchForm = "+search1"

// foldWord normalizes words: upper case, letters and digits only.
func foldWord(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, s)
}

// searchTerms are the terms of a record: numbers as they are folded elsewhere, and
// other words as written.
func searchTerms(numbers, words []string) []store.Term {
	folded := make([]string, 0, len(words)+1)
	for _, w := range words {
		folded = append(folded, foldWord(w))
	}
	var whole []string
	for _, n := range numbers {
		w := foldWord(n)
		if whole = append(whole, w); w != n {
			folded = append(folded, w) // numbers keep marks that a search passes over
		}
	}
	return slices.Concat(table.Terms(termNumber, numbers), table.Terms(termWord, folded), partTerms(append(whole, folded...)))
}

// partTerms are the ends of words. A search inside a word is then a search for a
// prefix, which is one range of an index.
func partTerms(words []string) []store.Term {
	var parts []string
	for _, w := range words {
		parts = appendParts(parts, w)
	}
	slices.Sort(parts)
	parts = slices.Compact(parts)
	terms := make([]store.Term, min(len(parts), maxTerms))
	for i := range terms {
		terms[i] = store.Term{Name: termPart, Value: parts[i]}
	}
	return terms
}

// lastPart is the end of a text, up to the length of a part.
func lastPart(s string) string {
	from := max(0, len(s)-maxPart)
	for !utf8.RuneStart(s[from]) {
		from++
	}
	return s[from:]
}

func appendParts(to []string, word string) []string {
	first := true
	for i, n := 0, 0; i < len(word) && n < maxTaken; n++ {
		if !first && utf8.RuneCountInString(word[i:]) >= minPart {
			to = append(to, cutPart(word[i:]))
		}
		first = false
		_, size := utf8.DecodeRuneInString(word[i:])
		i += size
	}
	return to
}

// cutPart cuts a text to the length of a part, between two characters.
func cutPart(s string) string {
	if len(s) <= maxPart {
		return s
	}
	end := maxPart
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// nameTerms are the terms of a name of several words, and of numbers.
func nameTerms(name string, numbers ...string) []store.Term {
	return searchTerms(foldNumbers(numbers), append(strings.Fields(name), name))
}

// SearchResult is a record found by a search (see docs/contract.md#search). Fields
// that do not apply to its entity are zero (null).
type SearchResult struct {
	// ID of the record; its type is EntityType, and container for "cargo".
	ID ID `id:""`
	// EntityType is shipment, cargo (a container) or tracking_request.
	EntityType string `attr:"entity_type"`
	Number     string `attr:"number"` // of the bill of lading, the container, the request
	// ShipmentID of a cargo, and of a request with a shipment.
	ShipmentID *ID    `attr:"shipment_id"`
	SCAC       string `attr:"scac,null"`
	// The next five are set for shipments only.
	PortOfLadingName      string        `attr:"port_of_lading_name,null"`
	PortOfDischargeName   string        `attr:"port_of_discharge_name,null"`
	ContainersCount       *int          `attr:"containers_count"`
	TrackingStopped       *bool         `attr:"tracking_stopped"`
	TrackingStoppedReason StoppedReason `attr:"tracking_stopped_reason,null"`
	// The next two are set for tracking requests only.
	Status       RequestStatus `attr:"status,null"`
	FailedReason FailedReason  `attr:"failed_reason,null"`
	RefNumbers   []string      `attr:"ref_numbers"`
	CreatedAt    time.Time     `attr:"created_at"` // UTC
	UpdatedAt    time.Time     `attr:"updated_at"` // UTC
}

var searchResults = record.For[SearchResult]("search_result")

// Search finds at most 25 shipments, containers and tracking requests by a number,
// a reference, a tag, a filterable custom field that is a short text or a number,
// or the name of a vessel or party. Shipments come first, then containers, then
// requests; within each the exact matches, then prefixes, then matches inside
// words; among these the last created first. Letter case and punctuation do not
// count. Only texts of at least 4 characters are searched inside words. A request
// whose number is a shipment's is left out.
//
// If more than 50 index entries share a prefix, the last created may not come
// first. Needs show. Errors: BadQuery on query if it is blank.
func (t *Tracker) Search(ctx context.Context, query string) ([]*SearchResult, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	if strings.TrimSpace(query) == "" {
		return nil, badQuery("query", "Query parameter is required")
	}
	var found []*SearchResult
	err := t.view(ctx, t.actor.Account, func(tx *transaction) (err error) {
		s := &searchRun{tx: tx, text: foldWord(query), seen: map[ID]bool{}, known: map[searchCondition][]ID{}}
		found, err = s.run()
		return err
	})
	return found, err
}

// SelectSearch is Search with encoded records, for servers.
func (t *Tracker) SelectSearch(ctx context.Context, query string) (Selection, error) {
	found, err := t.Search(ctx, query)
	s := Selection{Rows: make([]*Resource, len(found)), Total: len(found)}
	for i, r := range found {
		doc, _ := searchResults.Encode(r)
		s.Rows[i] = &Resource{Type: "search_result", ID: r.ID, Doc: doc}
	}
	return s, err
}

// searchRun is the state of one search.
type searchRun struct {
	tx    *transaction
	text  string
	found []*SearchResult
	seen  map[ID]bool
	known map[searchCondition][]ID // what lookUp has found
}

// searchCondition is a condition of a tier on the terms of a kind.
type searchCondition struct {
	kind *store.Kind
	term string
	op   store.Op
	text string
}

func (s *searchRun) run() ([]*SearchResult, error) {
	if s.text == "" {
		return nil, nil // punctuation alone
	}
	for _, step := range []func() error{s.shipments, s.containers, s.requests} {
		if len(s.found) >= maxResults {
			break
		}
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s.found[:min(maxResults, len(s.found))], nil
}

// tier is one degree of match, as conditions on terms.
type tier []store.Cond

// tiers are the degrees of match, best first.
func (s *searchRun) tiers() []tier {
	list := []tier{
		{{Name: termNumber, Op: store.Has, Values: []any{s.text}}, {Name: termWord, Op: store.Has, Values: []any{s.text}}},
		{{Name: termNumber, Op: store.HasPrefix, Values: []any{s.text}}, {Name: termWord, Op: store.HasPrefix, Values: []any{s.text}}},
	}
	if utf8.RuneCountInString(s.text) >= minPart {
		inside := tier{{Name: termPart, Op: store.HasPrefix, Values: []any{cutPart(s.text)}}}
		if s.isLong() {
			// Company names often begin alike and differ at the end.
			inside = append(inside, store.Cond{Name: termPart, Op: store.HasPrefix, Values: []any{lastPart(s.text)}})
		}
		list = append(list, inside)
	}
	return list
}

// isLong reports whether the text is longer than a stored part.
func (s *searchRun) isLong() bool { return len(s.text) > maxPart }

// needsCheck reports whether the results of a tier have to be compared with the
// text, because only a part of it was looked up.
func (s *searchRun) needsCheck(t tier) bool { return s.isLong() && t[0].Name == termPart }

// lookUp finds the records of some kinds that match a tier, with one call, unless
// they are known.
func (s *searchRun) lookUp(t tier, kinds ...*store.Kind) error {
	var list []store.Lookup
	var names []searchCondition
	for _, k := range kinds {
		for _, c := range t {
			if name := s.condition(k, c); s.known[name] == nil {
				list, names = append(list, store.Lookup{Kind: k, Cond: c, Limit: s.limit(k, c)}), append(names, name)
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	found, err := s.tx.Records.FindEach(s.tx, list)
	for i, ids := range found {
		s.known[names[i]] = slices.Grow(ids, 1) // not nil
	}
	return err
}

func (s *searchRun) condition(k *store.Kind, c store.Cond) searchCondition {
	text, _ := c.Values[0].(string)
	return searchCondition{k, c.Name, c.Op, text}
}

// ids are the records of a kind that match a condition, as found by lookUp.
func (s *searchRun) ids(k *store.Kind, c store.Cond) []ID { return s.known[s.condition(k, c)] }

// limit is the number of index entries to read for a condition.
func (s *searchRun) limit(k *store.Kind, c store.Cond) int {
	switch {
	case k == trackingRequests.Kind:
		return maxRequests
	case c.Name == termPart && s.isLong():
		return maxLikely
	case c.Op == store.HasPrefix:
		return maxEntries
	}
	return maxResults
}

// contains reports whether one of the words contains the text.
func (s *searchRun) contains(words []store.Term) bool {
	return slices.ContainsFunc(words, func(w store.Term) bool {
		return w.Name != termPart && strings.Contains(foldWord(w.Value), s.text)
	})
}

// filterMatches returns those of the IDs whose words contain the text, if the tier
// needs the check.
func filterMatches[T any](s *searchRun, n *resource[T], t tier, ids []ID) ([]ID, error) {
	if !s.needsCheck(t) {
		return ids, nil
	}
	list, err := n.GetMany(s.tx, ids)
	if err != nil {
		return nil, err
	}
	var have []ID
	for _, v := range list {
		if s.contains(n.Terms(v)) {
			have = append(have, metaOf(v).ID)
		}
	}
	return have, nil
}

// preview reads records as F, which has only the fields of a result: most of the
// cost of a search is reading records.
type preview[F any] struct {
	kind  *store.Kind
	codec *record.Codec[F]
	words func(store.Record) ([]store.Term, error)
}

// newPreview reads the records of a resource as F, which has some of its fields.
func newPreview[T, F any](n *resource[T], codec *record.Codec[F]) preview[F] {
	return preview[F]{n.Kind, codec, func(r store.Record) ([]store.Term, error) {
		v, err := n.Decode(r)
		if err != nil {
			return nil, err
		}
		return n.Terms(v), nil
	}}
}

// shipmentPreview is the part of a shipment that a search reads.
type shipmentPreview struct {
	ID                        ID            `id:""`
	Containers                []ID          `rel:"containers,container"`
	CreatedAt                 time.Time     `attr:"created_at"`
	UpdatedAt                 time.Time     `attr:"updated_at"`
	RefNumbers                []string      `attr:"ref_numbers"`
	BillOfLadingNumber        string        `attr:"bill_of_lading_number"`
	ShippingLineSCAC          string        `attr:"shipping_line_scac,null"`
	PortOfLadingName          string        `attr:"port_of_lading_name,null"`
	PortOfDischargeName       string        `attr:"port_of_discharge_name,null"`
	LineTrackingStoppedAt     time.Time     `attr:"line_tracking_stopped_at,null"`
	LineTrackingStoppedReason StoppedReason `attr:"line_tracking_stopped_reason,null"`
	RemovedAt                 time.Time     `attr:"removed_at,null"`
}

// containerPreview is the part of a container that a search reads.
type containerPreview struct {
	ID         ID           `id:""`
	Shipment   ID           `rel:"shipment,shipment"`
	Number     string       `attr:"number"`
	RefNumbers []string     `attr:"ref_numbers"`
	CreatedAt  time.Time    `attr:"created_at"`
	UpdatedAt  time.Time    `attr:"updated_at"`
	RemovedAt  time.Time    `attr:"removed_at,null"`
	Ship       trackedFacts `private:"ship"`
}

var (
	shipmentPreviews  = newPreview(shipments, record.For[shipmentPreview]("shipment"))
	containerPreviews = newPreview(containers, record.For[containerPreview]("container"))
	requestPreviews   = newPreview(trackingRequests, trackingRequests.Codec)
)

// searchKind searches the records of one kind, tier by tier. more finds others, by
// the lookups of the kinds in also.
func searchKind[F any](s *searchRun, g preview[F], also func(tier) []*store.Kind, more func(tier) ([]ID, error), show func(*F) (*SearchResult, error)) error {
	for _, t := range s.tiers() {
		if err := s.lookUp(t, append([]*store.Kind{g.kind}, also(t)...)...); err != nil {
			return err
		}
		var own, others []ID
		for _, c := range t {
			some := s.ids(g.kind, c)
			// They are sorted by creation, so a result needs no more; but most
			// requests are left out again.
			most := maxResults
			if g.kind == trackingRequests.Kind {
				most = maxRequests
			}
			own = s.unseen(own, some, most)
		}
		some, err := more(t)
		if err != nil {
			return err
		}
		others = s.unseen(others, some, 4*maxResults) // of several, each in its own order
		results, err := loadResults(s, g, s.needsCheck(t), own, others, show)
		if err != nil {
			return err
		}
		if s.found = append(s.found, results...); len(s.found) >= maxResults {
			return nil
		}
	}
	return nil
}

// unseen appends up to most of the IDs that are not found yet. If the results need
// a check, it appends all.
func (s *searchRun) unseen(to, ids []ID, most int) []ID {
	for _, id := range ids {
		if most <= 0 && !s.isLong() {
			break
		}
		if !s.seen[id] {
			most--
			if !slices.Contains(to, id) {
				to = append(to, id)
			}
		}
	}
	return to
}

// loadResults loads records, last created first. own were found by their own words,
// and may need a check.
func loadResults[F any](s *searchRun, g preview[F], likely bool, own, others []ID, show func(*F) (*SearchResult, error)) ([]*SearchResult, error) {
	ids := slices.Clone(own)
	for _, id := range others {
		if !slices.Contains(own, id) {
			ids = append(ids, id)
		}
	}
	list, err := s.tx.Records.GetMany(s.tx, g.kind, ids, nil)
	if err != nil {
		return nil, err
	}
	var results []*SearchResult
	for at, r := range list { // all are there: what Find finds is of the same snapshot
		if likely && at < len(own) && !slices.Contains(others, r.ID) {
			words, err := g.words(r)
			if err != nil {
				return nil, err
			}
			if !s.contains(words) {
				continue
			}
		}
		v := new(F)
		if err := g.codec.Decode(r.Doc, r.Private, v); err != nil {
			return nil, fmt.Errorf("tracking: %s %s is damaged: %w", g.kind.Name, r.ID, err)
		}
		s.seen[r.ID] = true
		result, err := show(v)
		if err != nil {
			return nil, err
		}
		if result != nil {
			results = append(results, result)
		}
	}
	slices.SortStableFunc(results, func(a, b *SearchResult) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return results, nil
}

// shipments also finds those whose party, vessel or containers go by the text.
func (s *searchRun) shipments() error {
	also := func(t tier) []*store.Kind {
		if t[0].Name != termPart {
			return []*store.Kind{customFields.Kind, parties.Kind, vessels.Kind}
		}
		return []*store.Kind{customFields.Kind, parties.Kind, vessels.Kind, containers.Kind}
	}
	return searchKind(s, shipmentPreviews, also, s.shipmentsByOthers, func(v *shipmentPreview) (*SearchResult, error) {
		if !v.RemovedAt.IsZero() {
			return nil, nil
		}
		n, stopped := len(v.Containers), !v.LineTrackingStoppedAt.IsZero()
		return &SearchResult{
			ID: v.ID, EntityType: "shipment", Number: v.BillOfLadingNumber, SCAC: v.ShippingLineSCAC,
			PortOfLadingName: v.PortOfLadingName, PortOfDischargeName: v.PortOfDischargeName,
			ContainersCount: &n, TrackingStopped: &stopped, TrackingStoppedReason: v.LineTrackingStoppedReason,
			RefNumbers: v.RefNumbers, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt,
		}, nil
	})
}

// shipmentsByOthers finds shipments by their parties, vessels and containers, whose
// names are indexed once and not with each shipment.
func (s *searchRun) shipmentsByOthers(t tier) (ids []ID, err error) {
	if ids, err = s.byFields(t, shipments.Kind); err != nil {
		return nil, err
	}
	for _, c := range t {
		named, err := s.named(t, c)
		if err != nil {
			return nil, err
		}
		ids = append(ids, named...)
	}
	if t[0].Name != termPart {
		return ids, nil // shipments have the whole numbers of their containers themselves
	}
	for _, c := range t {
		matching, err := filterMatches(s, containers, t, s.ids(containers.Kind, c))
		if err != nil {
			return nil, err
		}
		list, err := containers.GetMany(s.tx, matching[:min(len(matching), maxNames)])
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			if !c.removed() {
				ids = append(ids, c.Shipment)
			}
		}
	}
	return ids, nil
}

func fieldsAlone(tier) []*store.Kind { return []*store.Kind{customFields.Kind} }

// byFields are the records of a kind with the text in a custom field.
func (s *searchRun) byFields(t tier, k *store.Kind) (ids []ID, err error) {
	var values []ID
	for _, c := range t {
		some, err := filterMatches(s, customFields, t, s.ids(customFields.Kind, c))
		if err != nil {
			return nil, err
		}
		for _, id := range some[:min(len(some), 4*maxResults)] {
			if !slices.Contains(values, id) {
				values = append(values, id)
			}
		}
	}
	if len(values) == 0 {
		return nil, nil
	}
	buried, err := deletedDefinitions(s.tx)
	if err != nil {
		return nil, err
	}
	gone := func(d ID) bool {
		return slices.ContainsFunc(buried, func(b *CustomFieldDefinition) bool { return b.ID == d })
	}
	list, err := customFields.GetMany(s.tx, values)
	for _, f := range list {
		if f.Entity.Type == k.Name && !gone(f.Definition) {
			ids = append(ids, f.Entity.ID)
		}
	}
	return ids, err
}

// named are the last shipments of the parties and vessels that match c.
func (s *searchRun) named(t tier, c store.Cond) (ids []ID, err error) {
	of := func(column string, value any) error {
		some, err := s.tx.Records.Find(s.tx, shipments.Kind, store.Cond{Name: column, Op: store.Is, Values: []any{value}}, maxResults)
		ids = append(ids, some...)
		return err
	}
	companies, err := filterMatches(s, parties, t, s.ids(parties.Kind, c))
	if err != nil {
		return nil, err
	}
	for _, id := range companies[:min(len(companies), maxNames)] {
		if err := of("customer", id); err != nil {
			return nil, err
		}
	}
	ships, err := filterMatches(s, vessels, t, s.ids(vessels.Kind, c))
	if err != nil {
		return nil, err
	}
	list, err := vessels.GetMany(s.tx, ships[:min(len(ships), maxNames)])
	if err != nil {
		return nil, err
	}
	for _, v := range list {
		if v.IMO == "" {
			continue
		}
		if err := of("vessel_imo", v.IMO); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

func (s *searchRun) containers() error {
	byFields := func(t tier) ([]ID, error) { return s.byFields(t, containers.Kind) }
	return searchKind(s, containerPreviews, fieldsAlone, byFields, func(v *containerPreview) (*SearchResult, error) {
		if !v.RemovedAt.IsZero() {
			return nil, nil
		}
		return &SearchResult{
			ID: v.ID, EntityType: "cargo", Number: v.Number, ShipmentID: &v.Shipment, SCAC: v.Ship.SCAC,
			RefNumbers: v.RefNumbers, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt,
		}, nil
	})
}

// requests leaves out those whose number is a shipment's.
func (s *searchRun) requests() error {
	byFields := func(t tier) ([]ID, error) { return s.byFields(t, trackingRequests.Kind) }
	return searchKind(s, requestPreviews, fieldsAlone, byFields, func(v *TrackingRequest) (*SearchResult, error) {
		if v.TrackedObject != (ID{}) {
			return nil, nil
		}
		if same, err := shipmentFor(s.tx, v); err != nil || same != nil && !same.removed() {
			return nil, err
		}
		return &SearchResult{
			ID: v.ID, EntityType: "tracking_request", Number: v.RequestNumber, SCAC: v.SCAC,
			Status: v.Status, FailedReason: v.FailedReason,
			RefNumbers: v.RefNumbers, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt,
		}, nil
	})
}
