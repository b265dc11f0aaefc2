package classify

import (
	"slices"
	"strings"

	"github.com/landfallhq/tracking/refdata"
)

// sign is evidence for or against a type other than a phrase.
type sign struct {
	name   string
	weight float64
	seen   func(*layout) bool
}

// lineAtHead reports whether the head of the document names a shipping line as issuer.
func lineAtHead(s *layout) bool {
	return slices.ContainsFunc(s.head(), func(l *line) bool { return namesLine(l) || isLine(l) })
}

// isLine reports whether a line of text has the name of a company that calls itself a line.
func isLine(l *line) bool {
	return slices.ContainsFunc(l.cells, func(c cell) bool {
		i := slices.IndexFunc(c.pieces, func(p string) bool { return p == "LINE" || p == "LINES" })
		return i > 0 && onlyForm(c.pieces[i:]) && !slices.ContainsFunc(c.pieces, func(p string) bool { return forwarding[p] })
	})
}

// carriersBill reports whether the document names a carrier's bill of lading as another one than
// itself.
func carriersBill(s *layout) bool {
	for _, p := range []string{"MBL", "OBL", "MBOL"} {
		if len(s.byPiece[p]) > 0 {
			return true
		}
	}
	for _, p := range []string{"MASTER", "OCEAN", "CARRIER", "CARRIERS", "LINE", "LINES"} {
		for _, c := range s.byPiece[p] {
			rest := c.pieces[slices.Index(c.pieces, p)+1:]
			if len(rest) > 1 && rest[0] == "S" {
				rest = rest[1:]
			}
			if len(rest) > 0 && (rest[0] == "BL" || rest[0] == "BILL" && p != "OCEAN") {
				return true
			}
		}
	}
	return false
}

// lineSigns reports whether the signature names a shipping line, and the head no forwarder.
func lineSigns(s *layout) bool {
	return !forwarderAtHead(s) && slices.ContainsFunc(s.lines, func(l *line) bool {
		return l.top > 0.6*s.pages[l.page-1].Height && namesLine(l)
	})
}

// lineNowhere reports whether the first page names no shipping line, and has no number of one.
func lineNowhere(s *layout) bool {
	return !numberOfLine(s) && !lineAtHead(s) && !slices.ContainsFunc(s.lines, func(l *line) bool { return l.page == 1 && namesLine(l) })
}

func namesLine(l *line) bool { return len(linesNamed(l)) > 0 }

// forwarderAtHead reports whether the head of the document names a forwarder and no shipping
// line.
func forwarderAtHead(s *layout) bool {
	return !lineAtHead(s) && slices.ContainsFunc(s.head(), func(l *line) bool {
		return slices.ContainsFunc(l.cells, func(c cell) bool {
			return len(c.pieces) > 1 && slices.ContainsFunc(c.pieces, func(p string) bool { return forwarding[p] })
		})
	})
}

var forwarding = set(`LOGISTICS LOGISTIC LOGISTIK LOGISTIQUE LOGISTICA FORWARDING FORWARDER FORWARDERS FREIGHT CONSOLIDATORS CONSOLIDATOR CONSOLIDATION NVOCC SPEDITION SPEDITIONS TRANSITAIRE SPEDIZIONI TRANSITARIOS`)

// ownCode reports whether the document has a four-letter code of its carrier that is not
// that of a shipping line.
func ownCode(s *layout) bool {
	for _, l := range s.lines {
		p := piecesOf(l.words)
		for i, w := range p[:max(len(p)-1, 0)] {
			if w != "SCAC" {
				continue
			}
			code := p[i+1]
			if code == "CODE" && i+2 < len(p) {
				code = p[i+2]
			}
			if _, known := refdata.LineBySCAC(code); len(code) == 4 && letters(code) == 4 && !known && code != "CODE" {
				return true
			}
		}
	}
	return false
}

// form are the words by which papers of a type are known, as [meaning] has them: one of each group,
// and none of those that other types have. They count without any phrase.
type form struct {
	weight float64
	groups []map[string]bool
	none   map[string]bool
}

// formWords parses groups with semicolons between them.
func formWords(weight float64, groups, none string) form {
	f := form{weight: weight, none: set(none)}
	for _, g := range strings.Split(groups, ";") {
		f.groups = append(f.groups, set(g))
	}
	return f
}

// billForm is that of bills of lading. Waybills, which are fewer, say that they are such.
func billForm(weight float64) form {
	return formWords(weight, "SHIPPER EXPORTER CONSIGNOR; CONSIGNEE CONSIGNED; LOAD; DISCHARGE; BOARD ORIGINAL", "PRICE INVOICE ARRIVAL CUTOFF CERTIFICATE BROKER")
}

func (f form) seen(said map[string]bool) bool {
	any := func(of map[string]bool) bool {
		for w := range of {
			if said[w] {
				return true
			}
		}
		return false
	}
	return len(f.groups) > 0 && !any(f.none) && !slices.ContainsFunc(f.groups, func(g map[string]bool) bool { return !any(g) })
}

// meanings are the words of a document as [meaning] has them.
func (s *layout) meanings() map[string]bool {
	all := map[string]bool{}
	for _, l := range s.lines {
		for _, c := range l.cells {
			for i := 0; i < len(c.pieces); {
				word, n := means(c.pieces[i:])
				i += n
				for _, w := range strings.Fields(word) {
					all[w] = true
				}
			}
		}
	}
	return all
}

// goodsNowhere reports whether the document has neither quantities nor prices.
func goodsNowhere(s *layout) bool {
	for p := range s.byPiece {
		if of := synonymOf(p); of == "QUANTITY" || of == "PRICE" {
			return false
		}
	}
	return true
}

// chargesOnly reports whether the document has charges for transport, no goods and no rows of
// containers.
func chargesOnly(s *layout) bool {
	if slices.ContainsFunc(s.lines, func(l *line) bool { return l.numbered && len(l.cells) > 3 }) {
		return false
	}
	for p := range charging {
		if len(s.byPiece[p]) > 0 {
			return goodsNowhere(s)
		}
	}
	return false
}

var charging = set(`FREIGHT SEEFRACHT FRACHT NOLO FLETE FRET FRETE THC ISPS BAF CAF CHASSIS DEMURRAGE DETENTION SURCHARGE ISF DRAYAGE STORAGE BUNKER HANDLING DUTY CARTAGE HAULAGE CLEARANCE SIDELOADER`)

// numberOfLine reports whether the only bill in the document has a number with the code of a
// shipping line.
func numberOfLine(s *layout) bool {
	for _, w := range []string{"HOUSE", "HBL", "MASTER", "MBL", "FBL"} {
		if len(s.byPiece[w]) > 0 {
			return false
		}
	}
	for _, l := range s.lines {
		if l.page > 1 || l.top > 0.4*s.pages[0].Height {
			break
		}
		for _, w := range l.words {
			number := alnum(w.Text)
			if len(number) < 10 || len(number) > 17 || letters(number[:4]) != 4 {
				continue
			}
			if all, _ := containersIn(number); len(all) > 0 {
				continue
			}
			if _, known := refdata.LineBySCAC(number[:4]); known {
				return true
			}
		}
	}
	return false
}

// head are the lines of the first page in which its issuer is named: the first few,
// and those in large type in its upper part.
func (s *layout) head() []*line {
	var all []*line
	for i, l := range s.lines {
		if l.page > 1 {
			break
		}
		top := l.top / s.pages[0].Height
		large := slices.ContainsFunc(l.cells, func(c cell) bool { return heightOf(c.words[0]) > 1.2*s.height })
		if i < 4 && top < 0.15 || top < 0.35 && large {
			all = append(all, l)
		}
	}
	return all
}

// named is a shipping line and the position of its name in a line.
type named struct {
	scac  string
	at    int // the piece that it begins with
	name  []string
	short bool // one word that others use too
}

// linesNamed finds the names of shipping lines in a line.
func linesNamed(l *line) []named {
	var all []named
	p := piecesOf(l.words)
	for at := range p {
		for _, c := range carriers()[p[at]] {
			if startsWith(p[at:], c.name) {
				all = append(all, named{c.scac, at, c.name, len(c.name) == 1 && len(c.name[0]) <= 4})
			}
		}
	}
	// ONE and ANL are words, or parts of other names.
	return slices.DeleteFunc(all, func(n named) bool {
		return n.short && (n.at > 0 || l.words[0].Text != strings.ToUpper(l.words[0].Text))
	})
}
