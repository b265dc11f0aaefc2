package classify

import (
	"context"
	"slices"
	"strconv"

	"github.com/landfallhq/tracking"
)

// pageSigns is what one page says of where its document begins.
type pageSigns struct {
	typ     string    // of which it has the heading, or the fields; empty for none
	seems   bool      // it has no heading, only fields
	numbers [2]string // the values of numberedBy of the type
	at, all int       // "page 1 of 2"; at is 0 for none, all is 0 where it is not said
}

// Split implements tracking.Splitter. A page begins a document if it is counted as the first
// one, or has the heading of another type, or of the same type with another number; without a
// heading, if it has the fields of another type, and a number of its own. A page that is
// counted as a later one never does.
func (c *Classifier) Split(ctx context.Context, f tracking.DocumentFile, text tracking.DocumentText) ([]int, error) {
	if len(text.Pages) == 1 {
		return []int{1}, nil
	}
	var firsts []int
	var document, last pageSigns // the first page with a heading of the present document, and the last page
	for i, page := range text.Pages {
		p, err := c.pageSigns(ctx, f, page)
		if err != nil {
			return nil, err
		}
		if i == 0 || p.begins(document, last) {
			firsts, document = append(firsts, i+1), p
		} else if document.typ == "" {
			document.typ, document.numbers = p.typ, p.numbers
		}
		last = p
	}
	return firsts, nil
}

// begins reports whether the page begins a document, after the pages of another one.
func (p pageSigns) begins(document, last pageSigns) bool {
	switch {
	case p.at > 1:
		return false
	case last.at > 0 && last.all > last.at && p.at == 0: // another page was to come
		return false
	case p.at == 1 && last.at > 0:
		return true
	case p.typ == "":
		return false
	case document.typ != "" && !sameForm(p.typ, document.typ):
		return !p.seems || p.numbers != [2]string{} && p.numbers != document.numbers
	}
	return !p.seems && p.differs(document)
}

// differs reports whether a number is another one, and none the same.
func (p pageSigns) differs(o pageSigns) (other bool) {
	for i, number := range p.numbers {
		switch {
		case number == "" || o.numbers[i] == "":
		case number == o.numbers[i]:
			return false
		default:
			other = true
		}
	}
	return other
}

// sameForm reports whether the types are the same, or both of bills of lading: later pages
// of one are easily taken for another.
func sameForm(a, b string) bool { return a == b || billTypes[a] && billTypes[b] }

var billTypes = map[string]bool{billOfLading.code: true, houseBillOfLading.code: true, seaWaybill.code: true}

// numberedBy are the fields with the numbers of a document of a type: two papers of one
// type with different ones are two documents.
var numberedBy = map[string][2]string{
	billOfLading.code: {"bl_number", "hbl_number"}, houseBillOfLading.code: {"bl_number", "hbl_number"}, seaWaybill.code: {"bl_number", "hbl_number"},
	arrivalNotice.code: {"bl_number", "hbl_number"}, bookingConfirmation.code: {"booking_number"}, deliveryOrder.code: {"do_number"},
	commercialInvoice.code: {"invoice_number"}, freightInvoice.code: {"invoice_number"}, packingList.code: {"packing_list_number", "invoice_number"},
	certificateOfOrigin.code: {"certificate_number"}, customsEntry.code: {"entry_number"},
}

// pageSigns reads a page as if it were a document.
func (c *Classifier) pageSigns(ctx context.Context, f tracking.DocumentFile, page tracking.TextPage) (pageSigns, error) {
	alone := tracking.DocumentText{Pages: []tracking.TextPage{page}}
	s, err := newLayout(ctx, alone)
	if err != nil || s.words == 0 {
		return pageSigns{}, err
	}
	p := pageSigns{typ: c.headed(s)}
	p.at, p.all = s.counted()
	if p.at > 1 {
		return p, nil
	}
	if p.typ == "" {
		const sure = 0.85
		seems, err := c.Classify(ctx, f, alone)
		if err != nil || seems.Type == other.code || seems.Confidence < sure {
			return p, err
		}
		p.typ, p.seems = seems.Type, true
	}
	fields, err := c.Fields(ctx, f, alone, p.typ)
	for i, name := range numberedBy[p.typ] {
		number, _ := fields.Get(name)
		p.numbers[i] = alnum(number.Value)
	}
	return p, err
}

// headed is the type whose heading a page has, if it is the type of the page too.
func (c *Classifier) headed(s *layout) string {
	var all []typeScore
	for i := range c.rules {
		all = append(all, s.scoreType(&c.rules[i]))
	}
	slices.SortStableFunc(all, func(a, b typeScore) int { return int(100*b.score) - int(100*a.score) })
	first := all[0]
	if first.score < minScore || !first.headed {
		return ""
	}
	// The heading may be of two types: of bills of lading.
	if first.score-all[1].score < minLead && !sameForm(first.rules.code, all[1].rules.code) {
		return ""
	}
	return first.rules.code
}

// counted are the numbers of "page 1 of 2". all is 0 for "page 1". Both are 0 if the page
// has none, or several that differ.
func (s *layout) counted() (at, all int) {
	for _, l := range s.lines {
		p := piecesOf(l.words)
		for i := range p {
			n, of := pageOf(p[i:])
			switch {
			case n == 0:
			case at > 0 && (n != at || of > 0 && all > 0 && of != all):
				return 0, 0
			default:
				at, all = n, max(of, all)
			}
		}
	}
	return at, all
}

// pageOf reads "PAGE NO 1 OF 2", "PAGE 1/2" or "PAGE 1".
func pageOf(p []string) (n, of int) {
	if !pageWords[p[0]] {
		return 0, 0
	}
	p = p[1:]
	for len(p) > 0 && counting[p[0]] {
		p = p[1:]
	}
	n, p = smallNumber(p)
	if n == 0 {
		return 0, 0
	}
	if len(p) > 0 && ofWords[p[0]] {
		p = p[1:]
	}
	if of, _ = smallNumber(p); of < n {
		of = 0
	}
	return n, of
}

// smallNumber is the number of a page at the beginning of pieces, and the pieces behind it.
func smallNumber(p []string) (int, []string) {
	if len(p) == 0 || len(p[0]) > 3 {
		return 0, p
	}
	n, err := strconv.Atoi(p[0])
	if err != nil {
		return 0, p
	}
	return n, p[1:]
}

var (
	pageWords = set(`PAGE PG SHEET SEITE BLATT PAGINA PAG HOJA FEUILLE FOLHA SAYFA`)
	ofWords   = set(`OF VON DE DI SUR VAN DA`)
)
