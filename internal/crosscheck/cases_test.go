package crosscheck

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/freetime"
)

// TestCases checks the cases of testdata/cases.txt, which were worked by hand. A case is
//
//	case NAME
//	why REASON
//	paper TYPE [issued=DATE]       the document that is checked; other is another of the shipment
//	  FIELD VALUE                  VALUE is a text, "a text", 12.5kg, 10lb, USD1.50, a date, or a
//	                               date|DATE for one that can be read two ways
//	  TABLE COLUMN=VALUE ...       a row
//	shipment [scac=] [numbers=] [pol=] [pod=] [ports=] [vessel= imo= voyage=]... [since=] [arrival=]
//	    [departed=]                since is when the last ship and the arrival were learned
//	container NUMBER [seals=] [type=] [weight=KG] [lfd=]
//	  clock CLOCK CURRENCY DATE=AMOUNT ...
//	expect differs FIELD SIDE KIND medium|high [says WORDS]
//	expect agrees FIELD SIDE
//	expect nothing                 nothing differs, and nothing agrees
//
// Dates without a year are of 2026.
func TestCases(t *testing.T) {
	cases := readCases(t)
	if len(cases) < 50 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, c.check)
	}
}

type testCase struct {
	name, why string
	paper     *Paper
	shipment  *Shipment
	others    []*Paper
	expect    []string
}

func (c *testCase) check(t *testing.T) {
	checks := Compare(c.paper, c.shipment, c.others)
	var differs, agrees []string
	for _, k := range checks {
		if k.Agrees {
			agrees = append(agrees, k.Field+" "+k.Other)
			continue
		}
		severity := "medium"
		if k.High {
			severity = "high"
		}
		differs = append(differs, fmt.Sprint(k.Field, " ", k.Other, " ", k.Kind, " ", severity))
	}
	wanted := 0
	for _, e := range c.expect {
		what, words, _ := strings.Cut(e, " says ")
		kind, rest, _ := strings.Cut(what, " ")
		switch {
		case kind == "nothing":
			if len(checks) > 0 {
				t.Errorf("%s\nfound %+v", c.why, checks)
			}
		case kind == "agrees":
			if !slices.Contains(agrees, rest) {
				t.Errorf("%s\nno agreement of %s in %q", c.why, rest, agrees)
			}
		default:
			wanted++
			if !slices.Contains(differs, rest) || !slices.ContainsFunc(checks, func(k Check) bool { return !k.Agrees && strings.Contains(k.Text, words) }) {
				t.Errorf("%s\nno difference of %q in %+v", c.why, e, checks)
			}
		}
	}
	if len(differs) != wanted {
		t.Errorf("%s\n%d differ, want %d: %+v", c.why, len(differs), wanted, checks)
	}
	shuffled := slices.Clone(c.others)
	rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	if again := Compare(c.paper, c.shipment, shuffled); fmt.Sprint(again) != fmt.Sprint(checks) {
		t.Errorf("another order of the documents gives\n%+v, not\n%+v", again, checks)
	}
}

func readCases(t *testing.T) (cases []*testCase) {
	t.Helper()
	file, err := os.Open("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var c *testCase
	var papers []*testPaper
	finish := func() {
		for i, p := range papers {
			paper, _ := readPaper(t, p)
			if i == 0 {
				c.paper = paper
				continue
			}
			c.others = append(c.others, paper)
		}
		papers = nil
	}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		words := fieldsOf(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		rest := strings.TrimSpace(strings.TrimPrefix(line, words[0]))
		switch {
		case words[0] == "case":
			finish()
			c = &testCase{name: rest}
			cases = append(cases, c)
		case words[0] == "why":
			c.why = rest
		case words[0] == "paper" || words[0] == "other":
			papers = append(papers, &testPaper{id: fmt.Sprint("paper", len(papers)), typ: words[1]})
			for _, w := range words[2:] {
				papers[len(papers)-1].add("issue_date", strings.TrimPrefix(w, "issued="))
			}
		case words[0] == "shipment":
			c.shipment = readShipment(t, words[1:])
		case words[0] == "container":
			c.shipment.Containers = append(c.shipment.Containers, readContainer(t, words[1:]))
		case words[0] == "clock":
			k := &c.shipment.Containers[len(c.shipment.Containers)-1]
			clock := Clock{Clock: freetime.Clock(words[1]), Currency: words[2]}
			for _, w := range words[3:] {
				day, amount, _ := strings.Cut(w, "=")
				clock.Days = append(clock.Days, ChargedDay{"2026-" + day, amount})
			}
			k.Clocks = append(k.Clocks, clock)
		case words[0] == "expect":
			c.expect = append(c.expect, rest)
		case strings.HasPrefix(line, "  ") && strings.Contains(words[1], "="):
			papers[len(papers)-1].addRow(words[0], words[1:])
		case strings.HasPrefix(line, "  "):
			papers[len(papers)-1].add(words[0], words[1])
		default:
			t.Fatalf("line %q", line)
		}
	}
	finish()
	return cases
}

// fieldsOf are the words of a line; one in quotation marks may have blanks.
func fieldsOf(line string) (words []string) {
	quoted := false
	for _, w := range strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	}) {
		words = append(words, strings.ReplaceAll(w, `"`, ""))
	}
	return words
}

// testPaper collects the JSON of a document.
type testPaper struct {
	id, typ string
	members []member
	rows    map[string][]string
}

func (p *testPaper) add(name, text string) {
	p.members = append(p.members, member{name, []byte(valueOf(text))})
}

func (p *testPaper) addRow(table string, cells []string) {
	var row []member
	for _, cell := range cells {
		name, text, _ := strings.Cut(cell, "=")
		row = append(row, member{name, []byte(valueOf(text))})
	}
	if p.rows == nil {
		p.rows = map[string][]string{}
	}
	p.rows[table] = append(p.rows[table], string(objectOf(row)))
}

// valueOf is the JSON of a value.
func valueOf(text string) string {
	var normal any = text
	first, other, two := strings.Cut(text, "|")
	switch number := strings.TrimRight(text, "kglb"); {
	case len(text) == 5 && text[2] == '-', two:
		normal = "2026-" + first
	case number != text && strings.Trim(number, "0123456789.") == "":
		normal = map[string]any{"value": json.Number(number), "unit": text[len(number):]}
	case strings.HasPrefix(text, "USD"):
		normal = map[string]any{"amount": text[3:], "currency": "USD"}
	case len(text) < 6 && strings.Trim(text, "0123456789") == "":
		normal = json.Number(text)
	}
	v := map[string]any{"value": text, "normalized": normal, "confidence": 0.9, "page": 1, "box": []int{0, 0, 1, 1}}
	if two {
		v["alternatives"] = []string{"2026-" + other}
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func readShipment(t *testing.T, words []string) *Shipment {
	t.Helper()
	s := &Shipment{}
	since := ""
	for _, w := range words {
		name, text, _ := strings.Cut(w, "=")
		last := len(s.Ships) - 1
		switch name {
		case "scac":
			s.SCAC = text
		case "numbers":
			s.Numbers = strings.Split(text, ",")
		case "pol":
			s.POL = text
		case "pod":
			s.POD = text
		case "ports":
			s.Ports = strings.Split(text, ",")
		case "vessel":
			s.Ships = append(s.Ships, Ship{Name: text})
		case "imo":
			s.Ships[last].IMO = text
		case "voyage":
			s.Ships[last].Voyages = []string{text}
		case "arrival":
			s.Arrival = "2026-" + text
		case "departed":
			s.Departed = "2026-" + text
		case "since":
			since = "2026-" + text
		default:
			t.Fatalf("shipment has no %q", name)
		}
	}
	s.ShipsSince, s.ArrivalSince = since, since
	return s
}

func readContainer(t *testing.T, words []string) Known {
	t.Helper()
	k := Known{Number: words[0]}
	for _, w := range words[1:] {
		switch name, text, _ := strings.Cut(w, "="); name {
		case "seals":
			k.Seals = strings.Split(text, ",")
		case "type":
			k.ISOType = text
		case "weight":
			fmt.Sscan(text, &k.WeightKg)
		case "lfd":
			k.LastFreeDays = append(k.LastFreeDays, "2026-"+text)
		default:
			t.Fatalf("container has no %q", name)
		}
	}
	return k
}
