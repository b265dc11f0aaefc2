package classify

import (
	"slices"
	"strings"

	"github.com/landfallhq/tracking/refdata"
)

// sign is something other than a phrase that speaks for a type, or against it.
type sign struct {
	name   string
	weight float64
	seen   func(*sheet) bool
}

// lineAtHead reports whether a shipping line has its name at the head of the paper,
// as issuer.
func lineAtHead(s *sheet) bool { return slices.ContainsFunc(s.head(), namesLine) }

// lineSigns reports whether a shipping line has its name both at the head of the paper
// and where it is signed.
func lineSigns(s *sheet) bool {
	return lineAtHead(s) && slices.ContainsFunc(s.lines, func(l *line) bool {
		return l.top > 0.6*s.pages[l.page-1].Height && namesLine(l)
	})
}

// lineNowhere reports whether the first page names no shipping line.
func lineNowhere(s *sheet) bool {
	return !slices.ContainsFunc(s.lines, func(l *line) bool { return l.page == 1 && namesLine(l) })
}

func namesLine(l *line) bool { return len(linesNamed(l)) > 0 }

// forwarderAtHead reports whether the name at the head of the paper is a forwarder's
// and no shipping line's.
func forwarderAtHead(s *sheet) bool {
	return !lineAtHead(s) && slices.ContainsFunc(s.head(), func(l *line) bool {
		return slices.ContainsFunc(l.cells, func(c cell) bool {
			return len(c.pieces) > 1 && slices.ContainsFunc(c.pieces, func(p string) bool { return forwarding[p] })
		})
	})
}

var forwarding = set(`LOGISTICS LOGISTIC LOGISTIK LOGISTIQUE LOGISTICA FORWARDING FORWARDER FORWARDERS FREIGHT CONSOLIDATORS CONSOLIDATOR CONSOLIDATION NVOCC SPEDITION SPEDITIONS TRANSITAIRE SPEDIZIONI TRANSITARIOS`)

// ownCode reports whether the paper gives a code of four letters for its carrier that
// is no shipping line's.
func ownCode(s *sheet) bool {
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

// transportForm reports whether the paper has the parties, the ports and the words of
// receipt that bills of lading have, and neither notices nor bookings.
func transportForm(s *sheet) bool {
	says := func(any ...string) bool {
		return slices.ContainsFunc(any, func(w string) bool { return len(s.heard[w]) > 0 })
	}
	return says("SHIPPER", "EXPORTER", "CONSIGNOR", "SHPR") && says("CONSIGNEE", "CONSIGNED") && says("NOTIFY") &&
		says("BOARD", "ORIGINAL", "ORIGINALS") && says("LOADING", "LADING") && says("DISCHARGE", "UNLADING", "UNLOADING") &&
		!says("INVOICE", "ARRIVAL", "CUTOFF", "CERTIFICATE", "BROKER")
}

// numberOfLine reports whether the only bill that the paper names has a number as a
// shipping line gives it, which begins with its code.
func numberOfLine(s *sheet) bool {
	for _, w := range []string{"HOUSE", "HBL", "MASTER", "MBL", "FBL"} {
		if len(s.heard[w]) > 0 {
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
func (s *sheet) head() []*line {
	var all []*line
	for i, l := range s.lines {
		if l.page > 1 {
			break
		}
		top := l.top / s.pages[0].Height
		large := slices.ContainsFunc(l.cells, func(c cell) bool { return tall(c.words[0]) > 1.2*s.height })
		if i < 4 && top < 0.15 || top < 0.35 && large {
			all = append(all, l)
		}
	}
	return all
}

// named is a shipping line with where its name stands in a line of print.
type named struct {
	scac  string
	at    int // the piece that it begins with
	name  []string
	short bool // one word that others use too
}

// linesNamed finds the shipping lines that a line of print names.
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
