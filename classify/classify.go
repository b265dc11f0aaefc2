// Package classify determines the type of a freight document and reads its fields, by rules
// that are data: phrases with weights, captions of fields, titles of tables. It uses no
// network and no model. The same document always gets the same answer.
//
// The rules of each type are in a file of their own, such as billoflading.go. Package
// extract reads the text.
package classify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/landfallhq/tracking"
)

// Classifier is the default tracking.Classifier. It is safe for concurrent use.
type Classifier struct {
	rules []rules
	// types are made when they are first asked for, and captions are indexed when the first
	// document is read, so that programs start fast.
	types    func() []tracking.DocumentType
	captions func() captionIndexes
	scores   bool // see Scores
}

// captionIndexes are the captions of each type, and of the columns of tables.
type captionIndexes struct {
	types   map[string]captionIndex
	columns map[*field]captionIndex
	owners  map[string]int // how many types have a field, by its name
}

// New returns a Classifier.
func New() *Classifier {
	c := &Classifier{rules: types()}
	c.types, c.captions = sync.OnceValue(c.describe), sync.OnceValue(c.index)
	return c
}

// describe returns the types with the schemas of their fields.
func (c *Classifier) describe() (types []tracking.DocumentType) {
	for _, r := range c.rules {
		types = append(types, tracking.DocumentType{
			Code: r.code, Label: r.label, Version: r.version, Description: r.description, Schema: schema(r),
		})
	}
	return types
}

// Scores returns a Classifier whose fields have their scores, from 0 to 1, instead of
// confidences. The table that makes one of the other is computed from them.
func (c *Classifier) Scores() *Classifier {
	other := *c
	other.scores = true
	return &other
}

func (c *Classifier) index() captionIndexes {
	x := captionIndexes{map[string]captionIndex{}, map[*field]captionIndex{}, map[string]int{}}
	var all []string
	for _, r := range c.rules {
		for _, f := range r.fields {
			all = append(all, f.captions...)
			x.owners[f.name]++
		}
	}
	all = append(all, bounds...)
	for _, column := range containers.columns {
		all = append(all, column.captions...)
	}
	for _, r := range c.rules {
		x.types[r.code] = newIndex(r.fields, all)
		for i := range r.fields {
			if f := &r.fields[i]; f.kind == tracking.FieldTable {
				x.columns[f] = newIndex(f.columns, nil)
			}
		}
	}
	return x
}

// bounds are captions of fields that are not read. They end the value before them.
var bounds = captions(`
	FORWARDING AGENT; FORWARDING AGENT REFERENCES; EXPORT REFERENCES; FOR DELIVERY OF GOODS PLEASE APPLY TO; FOR DELIVERY APPLY TO; FOR DELIVERY PLEASE APPLY TO; POINT AND COUNTRY OF ORIGIN; POINT AND COUNTRY OF ORIGIN OF GOODS; ONWARD INLAND ROUTING; DOMESTIC ROUTING; PRE CARRIAGE BY; PRECARRIAGE BY; PRE CARRIAGE; ON CARRIAGE BY; ON CARRIAGE; LOADING PIER; LOADING PIER TERMINAL; TYPE OF MOVE; TYPE OF MOVEMENT; SERVICE TYPE; MOVE TYPE; SERVICE CONTRACT; SERVICE CONTRACT NO; CARRIER; OCEAN CARRIER; CARRIER NAME; SHIPPING LINE; LINE; CARRIER OF THE OCEAN LEG; DELIVERY AGENT; AGENT; AGENT AT DESTINATION; DESTINATION AGENT; AGENT AT PORT OF DISCHARGE; LOCAL AGENT; OUR REF; YOUR REF; REFERENCE; REFERENCES; REF; REF NO; FILE NO; OUR FILE; JOB NO; CUSTOMER REF; CUSTOMER REFERENCE; SHIPPER REF; SHIPPER S REF; SHIPPERS REF; SHIPPER REFERENCE; BROKER; CUSTOMS BROKER; TEL; TELEPHONE; PHONE; FAX; EMAIL; E MAIL; CONTACT; ATTN; REMARKS; REMARK; NOTES; COMMENTS; BOOKED BY; BOOKING PARTY; BOOKING AGENT; TEMPERATURE; COMMODITY; MARKS AND NUMBERS; MARKS; MARKS AND NOS; MARKS NOS; SIGNED FOR THE CARRIER; SIGNED FOR; SIGNATURE; SIGNED; SIGNED BY; FOR THE CARRIER; AS AGENT FOR THE CARRIER; DECLARED VALUE; EXCHANGE RATE; PREPAID AT; PAYABLE AT; TOTAL PREPAID; TARE; TARE WEIGHT; COUNTRY OF ORIGIN; COUNTRY OF FINAL DESTINATION; COUNTRY OF DESTINATION; COUNTRY OF ORIGIN OF GOODS; BANK; BANK DETAILS; SHIPPED BY; MEANS OF TRANSPORT; MODE OF TRANSPORT; TRANSPORT; FINAL DESTINATION ETA; ETA FINAL DESTINATION; TO OBTAIN DELIVERY CONTACT; SHIPMENT NO; TRANSHIPMENT PORT; TRANSSHIPMENT PORT; PORT OF TRANSHIPMENT; VIA; FEEDER VESSEL; IMPORTER OF RECORD; ENTRY NO; CUSTOMS ENTRY NO; TRUCKER REF; CHASSIS; APPOINTMENT; DELIVERY DATE; DELIVERY TIME; DRIVER; TOTAL; TOTALS; SUBTOTAL; TEL NO; PARTICULARS FURNISHED BY SHIPPER; LC NO; SC NO; S C NO; SALES CONFIRMATION NO; VAT NO; TAX ID; ALSO NOTIFY PARTY; RECEIVED BY; TRANSIT TIME; FREIGHT CHARGES; PREPAID; COLLECT; RATE; QUANTITY; EARLIEST RECEIVING DATE; EARLY RECEIVING DATE; EARLIEST RETURN DATE; ERD; CY OPEN; CY OPENING; GATE OPEN; GATE OPENING; CARGO RECEIVING; FLAG; NATIONALITY; SERVICE; SERVICE NAME; SERVICE LOOP; CONTRACT; CONTRACT PARTY; TARIFF; TARIFF ITEM; QUOTE NO; QUOTATION NO; SALES REP; SALES PERSON; PREPARED BY; ISSUED BY; ACCOUNT; ACCOUNT NO; IBAN; SWIFT; SWIFT CODE; BIC; NET WEIGHT; NO OF CONTAINERS; NUMBER OF CONTAINERS; TOTAL NO OF CONTAINERS; TOTAL CONTAINERS; NUMBER OF CONTAINERS OR PACKAGES; TOTAL NO OF CONTAINERS OR PACKAGES; TOTAL NUMBER OF PACKAGES; LOADING TERMINAL; TERMINAL OF LOADING; LOAD TERMINAL; FREE DAYS; FREE TIME; DEMURRAGE; DETENTION; DETENTION FREE TIME; PAGE; COPY; CARRIER S AGENT; CARRIERS AGENT; PORT AGENT; LINE AGENT; AGENT AT PORT; PAYER; INSURANCE; VALUE; CARGO VALUE; EORI; EORI NO; GSTIN; GST NO; IEC NO; IEC; LUT NO; AD CODE; PAN NO; STATE; STATE CODE; DRAWN ON; BANKERS; DRAWN UNDER; SHIPPING BILL NO; SHIPPING BILL NO AND DATE; EXPORTER S REF; EXPORTERS REF; EXPORTER REF; OTHER REFERENCE; OTHER REFERENCES; PLACE OF RECEIPT BY PRE CARRIER AGENT; BUYER IF OTHER THAN CONSIGNEE; FREIGHT FORWARDER; FORWARDER; FORWARDER REF; FORWARDING AGENT FMC NO; FMC NO; CHB; CHB NO; ALSO NOTIFY PARTY NAME AND ADDRESS; SECOND NOTIFY; ALSO NOTIFY ROUTING AND INSTRUCTIONS; EXPORT INSTRUCTIONS; DOMESTIC ROUTING EXPORT INSTRUCTIONS; POINT OF ORIGIN; ORIGIN OF GOODS; EXCESS VALUE DECLARATION; RECEIPT; MERCHANT S DECLARED VALUE; CARRIER S RECEIPT; SHIPPED ON BOARD THE VESSEL NAMED ABOVE; TOTAL CHARGES; ORIGIN CRITERION; BASIS; RATED AS; PER; REVENUE TONS; CHARGES; PREPAID COLLECT; FREIGHT RATE; ITEM NO; ARTICLE NO; HS CODE; IMO CLASS; UN NO; DANGEROUS GOODS; HAZARDOUS; SET TEMPERATURE; VENTILATION; HUMIDITY; POSITIONING; HAULAGE; MERCHANT HAULAGE; CARRIER HAULAGE; STUFFING; STUFFING PLACE; LOADING ADDRESS; LOADING DATE; LOADING REF; EMPTY RELEASE DATE; EMPTY RELEASE REF; PICK UP DATE; PICKUP DATE; RETURN DATE; RETURN REF; INSTRUCTIONS; SPECIAL INSTRUCTIONS; DELIVERY INSTRUCTIONS; ROUTING; ROUTE; TRANSSHIPMENT; TRANSHIPMENT; T S PORT; NEXT VESSEL; CONNECTING VESSEL; 2ND VESSEL; SECOND VESSEL; PRE CARRIER; BY PRE CARRIER; TRAFFIC MODE; MODE; SHIPMENT MODE; SHIPMENT TERM; SHIPMENT TERMS; CARGO TYPE; CARGO NATURE; WAREHOUSE; CUSTOMS STATUS; CUSTOMS RELEASE; FREIGHT RELEASE; HOLDS; TERMS AND CONDITIONS; DECLARATION; CERTIFICATION; SIGNATORY; AUTHORISED SIGNATORY; AUTHORIZED SIGNATURE; AUTHORISED SIGNATURE; STAMP; STAMP AND SIGNATURE; NAME; TITLE; COMPANY; ADDRESS; CITY; COUNTRY; ZIP; DEPARTMENT; OFFICE; WEBSITE; MOBILE; USER; CONSIGNED TO YOU`)

// Types implements tracking.Classifier.
func (c *Classifier) Types() []tracking.DocumentType { return slices.Clone(c.types()) }

// The thresholds of Classify.
const (
	minScore   = 2.5 // minimum score of an answer
	minLead    = 1.0 // minimum distance to the second type
	leastTitle = 2   // minimum weight of a heading that is the title of a paper
	minKnown   = 1.5 // if all types score less, the document is of another type
	manyWords  = 25  // minimum number of words for the answer "other"

	mostWeighed = 8000 // maximum number of pieces of a document whose fields are evidence
)

// Classify implements tracking.Classifier. A document with enough words and no evidence for
// a type is "other".
func (c *Classifier) Classify(ctx context.Context, f tracking.DocumentFile, text tracking.DocumentText) (tracking.Classification, error) {
	if text.Unreadable != "" {
		return tracking.Classification{Notes: "unreadable: " + text.Unreadable}, nil
	}
	s, err := newLayout(ctx, text)
	if err != nil {
		return tracking.Classification{}, err
	}
	if s.words == 0 {
		return tracking.Classification{Notes: "unreadable: The file has no text."}, nil
	}
	all, said := make([]typeScore, len(c.rules)), s.meanings()
	for i := range c.rules {
		if err := ctx.Err(); err != nil {
			return tracking.Classification{}, err
		}
		all[i] = s.scoreType(&c.rules[i])
		if form := c.rules[i].form; form.seen(said) {
			all[i].score += form.weight
			all[i].cues = append(all[i].cues, "words of its form")
		}
	}
	best := func() (first, second typeScore) {
		slices.SortStableFunc(all, func(a, b typeScore) int { return cmp.Compare(b.score, a.score) })
		return all[0], all[1]
	}
	first, second := best()
	lead := minLead
	if s.pieces < mostWeighed && (!first.headed || first.score < minScore || first.score-second.score < minLead) {
		for i := range all {
			all[i].weigh(c, ctx, s)
		}
		decided := first.score >= minScore && first.score-second.score >= minLead
		if a, b := best(); a.score >= minScore && (!decided || a.score-b.score >= minLead/2) {
			first, second, lead = a, b, minLead/2
		}
	}
	switch {
	case first.score < minKnown && s.words >= manyWords:
		return tracking.Classification{Type: other.code, Confidence: 0.7, Notes: "There is no evidence for one of the known types."}, nil
	case first.score < minScore:
		return tracking.Classification{Notes: "There is too little evidence for a type. " + first.reasons()}, nil
	case first.score-second.score < lead && !sameForm(first.rules.code, second.rules.code):
		return tracking.Classification{Notes: fmt.Sprintf("It may be %s or %s. %s %s", first.rules.code, second.rules.code, first.reasons(), second.reasons())}, nil
	}
	return tracking.Classification{Type: first.rules.code, Confidence: confidence(first.score, second.score), Notes: first.reasons()}, nil
}

// confidence grows with the first score and its distance to the second.
func confidence(first, second float64) float64 {
	lead := (first - max(second, 0)) / first
	return round(min(0.99, (1-math.Exp(-first/2))*(0.6+0.5*lead)))
}

// typeScore is the evidence for a type.
type typeScore struct {
	rules  *rules
	score  float64
	cues   []string
	headed bool // one of its cues is a title
}

// weigh adds what the fields of a type say of it, where titles do not decide: a field counts the
// more, the fewer types have it. A title with its number looks like a caption, and counts less.
func (v *typeScore) weigh(c *Classifier, ctx context.Context, s *layout) {
	if v.score < 0 {
		return
	}
	const leastNumbered = 5.0 // minimum weight of a heading that is no caption of other papers
	title, most := "", leastNumbered
	for _, q := range v.rules.cues {
		if q.heading > most && s.numbered(strings.Fields(q.phrase)) {
			title, most = strings.ToLower(q.phrase), q.heading
		}
	}
	if title != "" {
		const part = 0.4
		v.score += part * most
		v.cues = append(v.cues, title+" (with a number)")
	}
	owners := c.captions().owners
	for _, d := range c.read(ctx, s, v.rules) {
		types := owners[d.Name]
		if evident := d.Kind == tracking.FieldTable || d.Confidence > 0.9; evident && types < 4 {
			v.score += 1 / float64(types)
			v.cues = append(v.cues, strings.ReplaceAll(d.Name, "_", " ")+" (field)")
		}
	}
}

func (v typeScore) reasons() string {
	if len(v.cues) == 0 {
		return ""
	}
	return fmt.Sprintf("For %s: %s.", v.rules.code, strings.Join(v.cues[:min(len(v.cues), 6)], ", "))
}

// scoreType adds up the weights of a type's phrases, each once, with the weight of a heading if
// it is one.
func (s *layout) scoreType(r *rules) typeScore {
	v := typeScore{rules: r}
	for _, c := range r.cues {
		heading, said := s.findPhrase(strings.Fields(c.phrase))
		weight := 0.0
		if heading > 0 {
			weight = c.heading * heading
		}
		if said && math.Abs(c.said) > math.Abs(weight) {
			weight = c.said
		}
		if weight == 0 {
			continue
		}
		v.score += weight
		if weight > 0 {
			name := strings.ToLower(c.phrase)
			if heading > 0 && c.heading > 0 {
				name += " (heading)"
				v.headed = v.headed || c.heading >= leastTitle
			}
			v.cues = append(v.cues, name)
		}
	}
	for _, g := range r.signs {
		if v.score >= 1 && g.seen(s) {
			v.score += g.weight
			if g.weight > 0 {
				v.cues = append(v.cues, g.name)
			}
		}
	}
	return v
}

// findPhrase looks for a phrase. heading is how likely it is a heading, from 0 to 1: by large
// type, a place at the top of the first page, and few words next to it.
func (s *layout) findPhrase(phrase []string) (heading float64, said bool) {
	for _, c := range s.byPiece[phrase[0]] {
		at := index(c.pieces, phrase)
		if at < 0 || s.party[c.words[0]] {
			continue
		}
		said = true
		if title, ok := behindCompany(c, phrase); ok {
			c, at = title, 0
		}
		if at > 0 && referring[c.pieces[at-1]] || isReply(c.line) {
			continue // of another paper
		}
		heading = max(heading, s.heading(c, len(piecesOf(withoutRemarks(c.words))), len(phrase)))
		switch {
		case at < 6 && s.subject(c.line):
			heading = 1
		case at == 0 && (s.longTitle(c, len(phrase)) || s.headline(c, len(phrase))):
			heading = max(heading, 0.7)
		}
	}
	for _, c := range s.spaced {
		if len(phrase) > 1 && strings.Contains(c.pieces[0], strings.Join(phrase, "")) {
			heading, said = max(heading, s.heading(c, len(phrase), len(phrase))), true
		}
	}
	return heading, said
}

// behindCompany is a title that a stroke parts from the company before it: "ACME LTD. - ARRIVAL NOTICE".
func behindCompany(c cell, phrase []string) (cell, bool) {
	i := slices.IndexFunc(c.words, func(w *word) bool { return w.Text != "/" && strokes[w.Text] })
	if i < 1 || !company(piecesOf(c.words[:i])) || !slices.Equal(piecesOf(c.words[i+1:]), phrase) {
		return c, false
	}
	return cell{words: c.words[i+1:], line: c.line, pieces: phrase}, true
}

// referring are words before the names of other papers: "as per invoice".
var referring = set(`PER OUR YOUR UNDER`)

// longTitle reports whether a cell at the top of the document is a title with a purpose:
// "Bill of lading for port to port or combined transport".
func (s *layout) longTitle(c cell, phrase int) bool {
	if c.line.page > 1 || c.line.top > 0.12*s.pages[0].Height || len(c.pieces) > phrase+10 || len(c.pieces) <= phrase || containsDigit(textOf(c.words)) || endsCaption(c.words[len(c.words)-1].Text) {
		return false
	}
	return joining[c.pieces[phrase]]
}

// headline reports whether a line of one cell is the subject of a letter, followed by a
// number.
func (s *layout) headline(c cell, phrase int) bool {
	capitals := c.line.top < 0.2*s.pages[0].Height && textOf(c.words) == strings.ToUpper(textOf(c.words))
	return c.line.page == 1 && c.line.top < 0.3*s.pages[0].Height && (len(c.line.cells) == 1 && heightOf(c.words[0]) >= 1.08*s.height || capitals && c.words[0] == c.line.words[0]) &&
		len(c.pieces) > phrase && len(c.pieces) <= phrase+8 && announcing[c.pieces[phrase]]
}

// numbered reports whether a line at the top of the document begins with a phrase and a number:
// "Delivery order no. 92467".
func (s *layout) numbered(phrase []string) bool {
	return slices.ContainsFunc(s.byPiece[phrase[0]], func(c cell) bool {
		return c.line.page == 1 && c.line.top < 0.3*s.pages[0].Height && c.words[0] == c.line.words[0] &&
			len(c.pieces) > len(phrase) && startsWith(c.pieces, phrase) && announcing[c.pieces[len(phrase)]] && containsDigit(textOf(c.words))
	})
}

var announcing = set(`NO NR N NUMBER REF REFERENCE FOR YOUR OUR OF REFERENZ`)

// joining are words that continue a title.
var joining = set(`FOR AND OR TO BY NON NOT NEGOTIABLE COVERING SHORT SUBJECT PORT COMBINED MULTIMODAL POUR PARA FUR PER VOOR`)

// subject reports whether a line is the marked subject of a letter.
func (s *layout) subject(l *line) bool {
	first := l.words[0].pieces
	return l.page == 1 && l.top < 0.35*s.pages[0].Height && len(first) > 0 && subjects[first[0]] && (endsCaption(l.words[0].Text) || len(l.cells) > 1)
}

// isReply reports whether a line is the subject of a reply, which is that of the mail before.
func isReply(l *line) bool {
	p := piecesOf(l.words)
	return len(p) > 1 && subjects[p[0]] && replies[p[1]]
}

var replies = set(`RE AW SV RV ANTW`)

var subjects = set(`SUBJECT SUBJ RE BETREFF BETR BETRIFFT ASUNTO OBJET OGGETTO ASSUNTO ONDERWERP BETREFT KONU`)

// counting are words that can end a caption, but not a heading.
var counting = set(`NO NOS NR NUMBER NUMBERS NBR REF REFERENCE REFERENCES DATE ID CODE BY TO`)

func (s *layout) heading(c cell, all, phrase int) float64 {
	if all > phrase+9 || c.line.page > 2 {
		return 0
	}
	// A caption with its value, and a sentence, are no headings.
	if all <= phrase+2 && endsCaption(c.words[len(c.words)-1].Text) {
		return 0
	}
	if all > phrase && counting[c.pieces[len(c.pieces)-1]] {
		return 0
	}
	size := heightOf(c.words[0]) / max(s.median, 0.8*s.body)
	if c.words[0].recognized {
		size = max(size, 0.95) // it depends on which letters the word has
	}
	if size < 1.3 && s.party[c.words[0]] {
		return 0
	}
	if all > phrase && size < 1.25 && endsCaption(c.words[len(c.words)-1].Text) {
		return 0
	}
	if i := slices.IndexFunc(c.line.cells, func(o cell) bool { return o.words[0] == c.words[0] }); size < 1.25 && i >= 0 && i+1 < len(c.line.cells) && containsDigit(textOf(c.line.cells[i+1].words)) {
		return 0 // the caption of the next cell
	}
	top := c.line.top / s.pages[c.line.page-1].Height
	switch {
	case size >= 1.3 && top < 0.5 && c.line.page == 1:
		return 1
	case size >= 1.12 && top < 0.4 && c.line.page == 1 && all <= phrase+6:
		return 0.9
	case top < 0.2 && all <= phrase+3 && size >= 0.9 && c.line.page == 1 && len(c.line.cells) <= 2:
		return 0.6
	case top < 0.3 && all == phrase && size >= 0.95 && c.line.page == 1 && (len(c.line.cells) < 3 || len(c.words) == len(c.line.words)):
		return 0.5 // in a line with more cells it is a caption
	}
	return 0
}

// Fields implements tracking.Classifier.
func (c *Classifier) Fields(ctx context.Context, f tracking.DocumentFile, text tracking.DocumentText, documentType string) (tracking.DocumentFields, error) {
	of := c.rulesOf(documentType)
	if of == nil || len(of.fields) == 0 || text.Unreadable != "" {
		return nil, nil
	}
	s, err := newLayout(ctx, text)
	if err != nil {
		return nil, err
	}
	return c.read(ctx, s, of), ctx.Err()
}

// rulesOf are the rules of a type; nil for none.
func (c *Classifier) rulesOf(documentType string) *rules {
	i := slices.IndexFunc(c.rules, func(r rules) bool { return r.code == documentType })
	if i < 0 {
		return nil
	}
	return &c.rules[i]
}

// read reads the fields of a type.
func (c *Classifier) read(ctx context.Context, s *layout, of *rules) tracking.DocumentFields {
	fields := c.reader(s, of).read(ctx)
	if !c.scores {
		calibrate(fields, s.pages)
		fields = probable(fields, s.pages)
	}
	return fields
}

// reader finds the captions of a document that is read as one of a type.
func (c *Classifier) reader(s *layout, of *rules) *reader {
	captions := c.captions()
	r := &reader{layout: s, rules: of, columns: captions.columns, captions: s.captionsIn(captions.types[of.code]), byLine: map[*line][]*caption{}, taken: map[*word]bool{}, doubtful: map[*word]bool{}, other: map[*word]bool{}}
	for _, m := range r.captions {
		r.byLine[m.line] = append(r.byLine[m.line], m)
	}
	r.alone = sync.OnceValue(r.isAlone)
	r.captionOf = r.captionWords()
	r.beside, r.inline, r.under = r.valuesBeside(), r.valuesInline(), r.captionsUnder()
	if !r.inline {
		bare := func(c *caption) bool {
			return c.bare && !slices.ContainsFunc(r.byLine[c.line], func(o *caption) bool { return o.field != nil && !o.bare && o.cell == c.cell })
		}
		r.captions = slices.DeleteFunc(r.captions, bare)
		for l, all := range r.byLine {
			r.byLine[l] = slices.DeleteFunc(slices.Clone(all), bare)
		}
		r.captionOf = r.captionWords()
	}
	return r
}

// captionWords are the words of all captions.
func (r *reader) captionWords() map[*word]*caption {
	all := map[*word]*caption{}
	for _, c := range r.captions {
		for _, w := range c.words {
			if all[w] == nil {
				all[w] = c
			}
		}
	}
	return all
}

// valuesInline reports whether most captions have their values in the same cell, without a
// colon.
func (r *reader) valuesInline() bool {
	inline, whole := 0, 0
	for _, c := range r.captions {
		switch {
		case c.field == nil || c.colon || c.bare:
		case c.whole():
			whole++
		case strict(c.field) || c.field.parts != nil:
			inline++
		}
	}
	return inline > 5 && inline > whole
}

// captionsUnder reports whether captions are below their values. It looks at fields whose
// values can be recognised by their form.
func (r *reader) captionsUnder() bool {
	above, below := 0, 0
	for _, c := range r.captions {
		if c.field == nil || c.colon || !c.whole() || !strict(c.field) || len(r.right(c)) > 0 && r.beside {
			continue
		}
		fits := func(words []*word) bool {
			v, ok := r.value(c.field, words, c)
			return ok && v.normal != nil && v.confidence >= 0.9
		}
		over, under := r.over(c), r.below(c)
		switch up, down := fits(over), fits(under); {
		case up && down: // a column of values with their captions: the nearer one is its own
			box := boxAround(c.words)
			if up, down := box.Top-boxAround(over).Bottom, boxAround(under).Top-box.Bottom; up < 0.6*down {
				above++
			} else if down < 0.6*up {
				below++
			}
		case up:
			above++
		case down:
			below++
		}
	}
	return above >= 4 && above > 2*below
}

// valuesBeside reports whether values are to the right of captions: most captions have
// something other than a caption there.
func (r *reader) valuesBeside() bool {
	beside, below := 0, 0
	for _, c := range r.captions {
		if !c.whole() || c.field == nil {
			continue
		}
		if len(r.right(c)) > 0 && len(r.below(c)) == 0 {
			beside++
		} else if len(r.below(c)) > 0 && len(r.right(c)) == 0 {
			below++
		}
	}
	return beside > below
}
