package tracking_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/refdata"
)

// published is a number that somebody published with what it is; the columns are
// those of testdata/inference/README.md.
type published struct {
	number, kind, typ, decision, check string
	carriers                           []string
}

func readPublished(t *testing.T, file string) []published {
	t.Helper()
	text, err := os.ReadFile("testdata/inference/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var all []published
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 7 {
			t.Fatalf("%s: %q has %d columns", file, line, len(f))
		}
		p := published{number: f[0], typ: f[1], decision: f[3], check: f[4], kind: f[5]}
		if f[2] != "-" {
			p.carriers = strings.Split(f[2], "|")
		}
		all = append(all, p)
	}
	return all
}

// score counts the rows that say something, and how many were right.
type score struct{ right, of int }

func (s *score) count(right bool) {
	s.of++
	if right {
		s.right++
	}
}

func (s score) String() string { return fmt.Sprintf("%d of %d", s.right, s.of) }

// houseBill is the type of the rows that their source calls the house bill of a
// forwarder, whose code stands in the place of the carrier's. The interface has
// no such type of number: it calls them bills of lading.
const houseBill = "house_bill"

// addHouseBill counts the house bills that were recognised, of those whose
// forwarder has a code; the others cannot be.
func (s *scores) addHouseBill(i tracking.Inference, p published) {
	s.typ.count(i.Type == tracking.InferredBillOfLading)
	if len(p.carriers) == 1 {
		s.house.count(i.Hint != nil && i.Hint.ForwarderSCAC == p.carriers[0])
	} else if i.Hint != nil {
		s.mistaken++
	}
}

// scores of one set; realCarrier is of the numbers of real shipments and boxes.
type scores struct {
	typ, carrier, decision, check, realCarrier score
	// Of the numbers with one carrier of our tables: named it; proposed nothing,
	// but listed it; said nothing; named another.
	named, listed, silent, wrong int
	// House bills recognised; and other numbers that were taken for one.
	house    score
	mistaken int
}

func (s *scores) add(t *testing.T, p published) {
	t.Helper()
	i, err := tracking.InferNumber(p.number)
	if err != nil {
		t.Errorf("%s: %v", p.number, err)
		return
	}
	miss := func(what string, right bool) bool {
		if !right {
			t.Logf("%-17s %s: is %s %s, %s; published %s %v, %s", p.number, what, i.Type, lines(i), i.Decision, p.typ, p.carriers, p.decision)
		}
		return right
	}
	if p.typ == houseBill {
		s.addHouseBill(i, p)
	} else if i.Hint != nil {
		s.mistaken++
	}
	if p.typ != houseBill && p.typ != "-" {
		s.typ.count(miss("type", string(i.Type) == p.typ))
	}
	if p.decision != "-" {
		s.decision.count(miss("decision", string(i.Decision) == p.decision))
	}
	if len(p.carriers) > 0 && p.typ != houseBill {
		right := s.carrierRight(i, p)
		s.carrier.count(miss("carrier", right))
		if p.kind == "real" {
			s.realCarrier.count(right)
		}
	}
	if p.check != "-" {
		passed := i.Validation.CheckDigitPassed
		s.check.count(miss("check digit", passed != nil && *passed == (p.check == "yes")))
	}
}

// carrierRight tells whether the carriers are right: the one that was published is
// proposed; or several were and all are listed; or one that we do not know, and
// nothing is proposed.
func (s *scores) carrierRight(i tracking.Inference, p published) bool {
	if len(p.carriers) > 1 {
		return i.Selected() == nil && !slices.ContainsFunc(p.carriers, func(c string) bool { return !slices.Contains(lines(i), c) })
	}
	carrier := p.carriers[0]
	if _, known := refdata.LineBySCAC(carrier); !known {
		return i.Selected() == nil
	}
	switch best := i.Selected(); {
	case best != nil && best.SCAC == carrier:
		s.named++
		return true
	case best != nil:
		s.wrong++
	case slices.Contains(lines(i), carrier):
		s.listed++
	default:
		s.silent++
	}
	return false
}

func lines(i tracking.Inference) []string {
	names := []string{}
	for _, c := range i.Candidates {
		names = append(names, c.SCAC)
	}
	return names
}

// TestPublishedNumbers measures inference against what others have published, on
// the numbers that the rules were written with and on those that were held out.
func TestPublishedNumbers(t *testing.T) {
	for _, set := range []struct {
		file string
		rows int
		// What was right when the rules were written, and of how many numbers their
		// line was named. Those of the held-out sets are not to be raised by rules
		// made for them.
		typ, named, decision int
	}{
		{"tuning.tsv", 124, 115, 80, 109},
		{"heldout.tsv", 40, 37, 25, 34},
		{"more-tuning.tsv", 61, 47, 35, 50},
		{"more-heldout.tsv", 40, 32, 23, 35},
	} {
		t.Run(set.file, func(t *testing.T) {
			rows := readPublished(t, set.file)
			if len(rows) != set.rows {
				t.Fatalf("%d numbers, want %d", len(rows), set.rows)
			}
			var s scores
			for _, p := range rows {
				s.add(t, p)
			}
			t.Logf("type %s, carrier %s (real numbers: %s), decision %s, check digit %s", s.typ, s.carrier, s.realCarrier, s.decision, s.check)
			t.Logf("one carrier of our tables: %d named, %d listed among others, %d without a candidate, %d another named", s.named, s.listed, s.silent, s.wrong)
			if s.typ.right < set.typ || s.named < set.named || s.decision.right < set.decision {
				t.Errorf("fewer are right than were: type %d, line named %d, decision %d", set.typ, set.named, set.decision)
			}
			t.Logf("house bills: %s recognised, %d others taken for one", s.house, s.mistaken)
			if s.house.right != s.house.of || s.mistaken > 0 {
				t.Errorf("house bills: %s recognised, %d others taken for one", s.house, s.mistaken)
			}
			if s.check.right != s.check.of {
				t.Errorf("check digits: %s", s.check)
			}
		})
	}
}

// TestHeldOutNumbersWerePickedBlindly checks the split: it fails when a number is moved
// from one file to the other.
func TestHeldOutNumbersWerePickedBlindly(t *testing.T) {
	key := func(p published) string {
		sum := sha256.Sum256([]byte("landfall inference " + p.number))
		return hex.EncodeToString(sum[:])
	}
	for _, collection := range []string{"", "more-"} {
		last := ""
		for _, p := range readPublished(t, collection+"heldout.tsv") {
			last = max(last, key(p))
		}
		for _, p := range readPublished(t, collection+"tuning.tsv") {
			if key(p) <= last {
				t.Errorf("%s belongs to the held-out numbers", p.number)
			}
		}
	}
}
