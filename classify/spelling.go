package classify

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/nearest"
	"github.com/landfallhq/tracking/refdata"
)

// spelling knows the words of captions, titles and columns, to find those that recognition has
// misread. Values keep their spelling.
type spelling struct {
	known map[string]bool
	near  map[string][]string // by shape, whole and with letters left out
	names map[string]bool     // words of the names of shipping lines
}

// ordinary are words of addresses, terms and goods that look like those of captions.
var ordinary = set(`ISLAND LIMITED WITHOUT NATURAL PRODUCED EXPORTS SUPPLIES CEILING FURNITURE DEPOSIT PRESENTE PRECEDENTE`)

// spellings is what the rules of all types know.
var spellings = sync.OnceValue(func() spelling {
	s := spelling{map[string]bool{}, map[string][]string{}, map[string]bool{}}
	for _, all := range carriers() {
		for _, c := range all {
			for _, p := range c.name {
				s.names[p] = true
			}
		}
	}
	add := func(phrase string) {
		for _, p := range strings.Fields(phrase) {
			if s.known[p] || containsDigit(p) {
				continue
			}
			s.known[p] = true
			if len(p) >= leastMisread {
				for _, part := range shortened(shape(p), slips(len(p))) {
					if !slices.Contains(s.near[part], p) {
						s.near[part] = append(s.near[part], p)
					}
				}
			}
		}
	}
	var fields func(all []field)
	fields = func(all []field) {
		for _, f := range all {
			for _, c := range f.captions {
				add(c)
			}
			fields(f.columns)
		}
	}
	for _, r := range types() {
		for _, c := range r.cues {
			add(c.phrase)
		}
		fields(r.fields)
	}
	for _, b := range bounds {
		add(b)
	}
	for _, w := range slices.Sorted(maps.Keys(synonyms)) {
		add(w)
	}
	return s
})

const (
	leastMisread = 3 // letters of a word that is looked for
	// unsure is the confidence of what was misread and is mended.
	unsure = 0.6
)

// slips is how many letters of a word of some length may be misread as others than those of
// about its shape.
func slips(length int) int {
	switch {
	case length >= 9:
		return 2
	case length >= 6:
		return 1
	}
	return 0
}

// shapes are characters that recognisers take for one another.
var shapes = strings.NewReplacer("RN", "M", "VV", "W", "0", "O", "Q", "O", "1", "I", "L", "I", "|", "I", "!", "I", "5", "S", "8", "B", "6", "G", "2", "Z", "E", "C")

// roundLetters are all that is misread in words of three letters.
var roundLetters = strings.NewReplacer("Q", "O", "0", "O")

func shape(p string) string { return shapes.Replace(p) }

// shortened returns a word, and what is left of it without up to n of its letters, some twice.
func shortened(p string, n int) []string {
	all := []string{p}
	for from := 0; n > 0; n-- {
		to := len(all)
		for _, w := range all[from:to] {
			for i := range len(w) {
				all = append(all, w[:i]+w[i+1:])
			}
		}
		from = to
	}
	return all
}

// word returns the known word that a misread one stands for; "" for none, or several.
func (s spelling) word(p string) string {
	digits := len(p) - letters(p)
	if len(p) < leastMisread || len(p) > 24 || 2*digits > len(p) {
		return ""
	}
	most := slips(len(p))
	if digits > 0 {
		most = 0
	}
	looks := shape(p)
	best, least := "", most+1
	for _, part := range shortened(looks, most) {
		for _, known := range s.near[part] {
			switch n := nearest.Slips(looks, shape(known)); {
			case n > min(most, slips(len(known))) || known == best || len(p) == leastMisread && roundLetters.Replace(p) != roundLetters.Replace(known):
			case n < least:
				best, least = known, n
			case n == least && meaning([]string{known}) != meaning([]string{best}):
				best = ""
			}
		}
	}
	return best
}

// parts splits words that are printed together, as in PORTOFLOADING; nil if they are not known.
func (s spelling) parts(p string) []string {
	const least = 6
	if len(p) < least || len(p) > 40 {
		return nil
	}
	ends := make([][]string, len(p)+1) // the words up to each letter, the fewest
	ends[0] = []string{}
	for to := 2; to <= len(p); to++ {
		for from := range to - 1 {
			if w := p[from:to]; ends[from] != nil && s.known[w] && (len(w) > 2 || w == "NO" || w == "HS" || joins[w]) && (ends[to] == nil || len(ends[from])+1 < len(ends[to])) {
				ends[to] = append(slices.Clone(ends[from]), w)
			}
		}
	}
	if all := ends[len(p)]; len(all) < 5 {
		return all
	}
	return nil
}

func (s spelling) understood(p string) bool {
	_, known := synonyms[strings.TrimSuffix(p, "S")]
	return s.known[p] || known || compound(p) != "" || s.names[p] || forwarding[p] || ordinary[p] || isPlace(p)
}

// mend reads the words of a recognised page as they were meant: words of captions, figures, and
// numbers of containers.
func (s spelling) mend(words []*word) []*word {
	var all []*word
	for _, w := range apartAtLines(words) {
		if !w.trimSpecks() {
			continue
		}
		if n := len(all); n > 0 && (s.broken(all[n-1], w) || brokenNumber(all[n-1], w)) {
			last := all[n-1]
			last.Text += w.Text
			last.pieces, last.Box = pieces(last.Text), boxAround([]*word{last, w})
			continue
		}
		all = append(all, w)
	}
	for _, w := range all {
		w.Text = misreadDash.ReplaceAllString(w.Text, "$1-$2")
		if text := mendNumber(w.Text); text != w.Text {
			w.Text, w.pieces = text, pieces(text)
			if w.Confidence == 0 || w.Confidence > unsure {
				w.Confidence = unsure
			}
			continue
		}
		w.box = s.misreadNumbering(w)
		var mended []string
		for _, p := range w.pieces {
			mended = append(mended, s.meant(p)...)
		}
		if zero := onlyZeros(w.Text); zero != "" {
			mended = pieces(zero)
		}
		w.pieces = mended
	}
	return all
}

// apartAtLines cuts words at the drawn line that they were recognised with: "total]1,240.00".
func apartAtLines(words []*word) (all []*word) {
	for _, w := range words {
		i := strings.IndexAny(w.Text, "|[]")
		if i < 1 || i+1 == len(w.Text) || !letterOrDigit(w.Text[i-1]) || !letterOrDigit(w.Text[i+1]) {
			all = append(all, w)
			continue
		}
		at := w.Box.Left + (w.Box.Right-w.Box.Left)*float64(i)/float64(len(w.Text))
		first, second := cutWord(w, w.Text[:i])[0], cutWord(w, w.Text[i+1:])[0]
		first.Box.Right, second.Box.Left = at, min(at+heightOf(w), w.Box.Right)
		all = append(all, first, second)
	}
	return all
}

func letterOrDigit(c byte) bool { return alnum(string(c)) != "" }

// brokenNumber reports whether two words are the number of a container with a space in it, whose
// check digit is right.
func brokenNumber(a, b *word) bool {
	if !ownerForm.MatchString(a.Text[:min(len(a.Text), 4)]) || len(a.Text)+len(b.Text) != containerDigits || abs(middle(a)-middle(b)) > 0.4*heightOf(b) || b.Box.Left-a.Box.Right > heightOf(b) {
		return false
	}
	return isContainer(a.Text + b.Text)
}

const (
	// specks are what recognisers take remains of lines, edges and dust for.
	specks = "|¦_~=*«»©®™“”„‘’'`\"[]{}<>\\°^"
	// points are no speck behind letters, and no word.
	points = ".,;!"
)

// feet are signs of a length.
var feet = set(`' ’ ‘ ′ ´`)

// trimSpecks takes the remains of lines from the sides of a recognised word. It reports whether a
// word is left.
func (w *word) trimSpecks() bool {
	text := strings.TrimLeft(strings.Trim(w.Text, specks), points)
	if rest := strings.TrimLeft(strings.TrimLeft(w.Text, specks), points); digit(text) && strings.HasPrefix(rest, text) && feet[rest[len(text):]] {
		text = rest // of a container's length
	}
	if text == "" {
		return false
	}
	if text == "m?" {
		text = "m³"
	}
	if text != w.Text {
		w.Text, w.pieces = text, pieces(text)
	}
	return true
}

// misreadNumbering reports whether a word may be the number of a box: "TI." for "11.".
func (s spelling) misreadNumbering(w *word) bool {
	const most = 2
	core := strings.TrimRight(w.Text, ".,")
	return core != w.Text && len(core) <= most && len(w.pieces) == 1 && !s.understood(w.pieces[0])
}

// misreadDash is a hyphen within a number.
var misreadDash = newExpression(`(\w)[–—](\d)`)

// onlyZeros is an abbreviation with the letters that its zeros stand for: "G.0."; "" for other words.
func onlyZeros(text string) string {
	const longest = 5
	if len(text) > longest || strings.ContainsAny(text, "123456789") || !strings.Contains(text, "0") || letters(text) == 0 || !strings.HasSuffix(text, ".") {
		return ""
	}
	return strings.ReplaceAll(text, "0", "O")
}

// meant returns the known words that a piece stands for, or the piece.
func (s spelling) meant(p string) []string {
	if s.understood(p) {
		return []string{p}
	}
	if all := s.parts(p); all != nil {
		return all
	}
	return []string{cmp.Or(s.word(p), p)}
}

// broken reports whether two words are one with a space in it: "V ESSEL".
func (s spelling) broken(a, b *word) bool {
	if len(a.pieces) != 1 || len(b.pieces) != 1 || endsCaption(a.Text) || abs(middle(a)-middle(b)) > 0.4*heightOf(b) {
		return false
	}
	gap := b.Box.Left - a.Box.Right
	whole := a.pieces[0] + b.pieces[0]
	return gap > -0.3*heightOf(b) && gap < cellGap*heightOf(b) && len(whole) >= 5 && s.known[whole] && !(s.known[a.pieces[0]] && s.known[b.pieces[0]])
}

// mendNumber returns the number of a container, or figures, of which letters and digits were
// mistaken for one another: "CSQU3O54383", "2O26-O5-14".
func mendNumber(text string) string {
	core := strings.Trim(text, ".,:;()|")
	if number := withoutExtra(strings.ToUpper(core)); number != "" {
		return number
	}
	if len(core) == 11 {
		if number := mendContainer(strings.ToUpper(core)); number != "" {
			return number
		}
	}
	figures, others := 0, 0
	for _, r := range core {
		switch {
		case r >= '0' && r <= '9':
			figures++
		case strings.ContainsRune("OolI|", r):
			others++
		case !strings.ContainsRune(".,/:-", r):
			return text
		}
	}
	if others == 0 || figures <= others {
		return text
	}
	return asFigures.Replace(text)
}

// zeros and ones are letters among the digits of a voyage's number, or at its beginning: that of
// "0ZL2YE1MA" is always a figure.
var (
	zeros = newExpression(`^[OQ](\d\w*|\w{4}[NSEW]1M[A-Z])$|(\d[A-Z]?)O(\d|[NSEW]$)`)
	ones  = newExpression(`(\d)[Il|](\d)`)
)

// zeroBehind is an O between letters and figures. Few numbers have letters that end with it, and more
// have figures that begin with a zero.
var zeroBehind = newExpression(`^([A-Z]{2,3})O(\d{4,})$`)

// mendReference returns a recognised number with figures for the letters that stand for them.
func mendReference(f *field, text string) string {
	switch {
	case f.name == "voyage":
		return mendVoyage(text)
	case f.name == "seal", f.kind == tracking.FieldHouseBL:
		return zeroBehind.ReplaceAllString(text, "${1}0$2")
	}
	return text
}

// mendVoyage returns the number of a voyage in which letters stand for figures: "O45E".
func mendVoyage(text string) string {
	return ones.ReplaceAllString(zeros.ReplaceAllString(text, "${2}0$1$3"), "${1}1$2")
}

var (
	asFigures = strings.NewReplacer("O", "0", "o", "0", "Q", "0", "D", "0", "I", "1", "l", "1", "L", "1", "|", "1", "Z", "2", "S", "5", "G", "6", "B", "8")
	asLetters = strings.NewReplacer("0", "O", "1", "I", "2", "Z", "5", "S", "6", "G", "8", "B")
	// alike are digits that are misread for each other.
	alike = map[byte]string{'0': "68", '1': "7", '3': "8", '5': "6", '6': "580", '7': "1", '8': "603", '9': "0"}
)

// withoutExtra returns the number of a container before whose digits there is one letter too many, that
// of a line or of a letter read twice, if one alone makes its check digit right.
func withoutExtra(text string) (number string) {
	if len(text) != containerDigits+1 || !digit(text[5:]) || letters(text[5:]) > 0 {
		return ""
	}
	owner := asLetters.Replace(text[:5])
	for i := range owner {
		other := owner[:i] + owner[i+1:] + text[5:]
		if !isContainer(other) || other == number {
			continue
		}
		if number != "" {
			return ""
		}
		number = other
	}
	return number
}

// mendContainer returns the number of a container that is misread, if its check digit says which
// it is; "" for a right one too.
func mendContainer(text string) string {
	number := asLetters.Replace(text[:4]) + asFigures.Replace(text[4:])
	if len(number) != 11 || !containerForm.MatchString(number) {
		return ""
	}
	if valid, _ := refdata.CheckDigit(number); valid {
		if number == text {
			return ""
		}
		return number
	}
	found := ""
	for i := 4; i < len(number); i++ {
		for _, digit := range alike[number[i]] {
			other := number[:i] + string(digit) + number[i+1:]
			if valid, _ := refdata.CheckDigit(other); valid {
				if found != "" {
					return ""
				}
				found = other
			}
		}
	}
	return found
}
