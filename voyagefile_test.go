package tracking_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
)

// voyageFile is one file of testdata/voyages: what was reported of a voyage, in
// order, and what a freight clerk would show at its end.
type voyageFile struct {
	title, practice string
	class           int
	// asWritten: only the order of the file is tried.
	asWritten bool
	ships     map[string]tracking.VesselRef
	boxes     map[string]string
	numbers   map[string]tracking.ShipmentNumber
	// number is the key of the first number: facts that name none are about it.
	number string
	steps  []voyageStep
	// expect are the lines of the last section, in words.
	expect [][]string
}

// voyageStep is one line before the expectations. Exactly one member is set,
// except that a report is followed by the facts that it holds.
type voyageStep struct {
	now     time.Time
	request string
	report  bool
	fact    *writtenFact
}

// writtenFact is a fact and its source: line, terminal or person.
type writtenFact struct {
	tracking.Fact
	source string
}

// readVoyage reads a file; whatever is not of the format is an error.
func readVoyage(path string) (*voyageFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	v := &voyageFile{ships: map[string]tracking.VesselRef{}, boxes: map[string]string{}, numbers: map[string]tracking.ShipmentNumber{}}
	section := v.header
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		switch line = strings.TrimSpace(line); line {
		case "":
			continue
		case "facts":
			section = v.step
			continue
		case "expect":
			section = v.expectation
			continue
		}
		if err := section(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %s: %w", path, n, line, err)
		}
	}
	return v, nil
}

// header reads a line of the first section.
func (v *voyageFile) header(line string) (err error) {
	if name, text, ok := strings.Cut(line, ":"); ok && !strings.Contains(name, " ") {
		switch text = strings.TrimSpace(text); name {
		case "title":
			v.title = text
		case "class":
			v.class, err = strconv.Atoi(text)
		case "practice":
			v.practice = text
		case "order":
			v.asWritten = text == "as written"
		default:
			return fmt.Errorf("no header %q", name)
		}
		return err
	}
	words, err := voyageWords(line)
	if err != nil {
		return err
	}
	return v.declaration(words)
}

// declaration gives a ship, a container or a number a short name.
func (v *voyageFile) declaration(words []string) error {
	switch {
	case len(words) >= 3 && words[0] == "ship":
		return v.ship(words[1], words[2:])
	case len(words) == 3 && words[0] == "box":
		v.boxes[words[1]] = words[2]
	case len(words) == 4 && words[0] == "number":
		if v.number == "" {
			v.number = words[1]
		}
		v.numbers[words[1]] = tracking.ShipmentNumber{Type: tracking.RequestType(words[2]), Number: words[3]}
	case len(words) == 2 && words[0] == "request":
		v.steps = append(v.steps, voyageStep{request: words[1]})
	default:
		return fmt.Errorf("no declaration")
	}
	return nil
}

func (v *voyageFile) ship(key string, pairs []string) error {
	var ship tracking.VesselRef
	for _, pair := range pairs {
		switch name, value, _ := strings.Cut(pair, "="); name {
		case "imo":
			ship.IMO = value
		case "name":
			ship.Name = value
		default:
			return fmt.Errorf("no attribute %q of a ship", name)
		}
	}
	v.ships[key] = ship
	return nil
}

func (v *voyageFile) expectation(line string) error {
	words, err := voyageWords(line)
	v.expect = append(v.expect, words)
	return err
}

// step reads a line of the second section.
func (v *voyageFile) step(line string) error {
	words, err := voyageWords(line)
	if err != nil {
		return err
	}
	var s voyageStep
	switch {
	case len(words) == 1 && words[0] == "report":
		s.report = true
	case len(words) == 2 && words[0] == "request":
		s.request = words[1]
	case len(words) == 2 && words[0] == "now":
		s.now, err = time.Parse(time.RFC3339, words[1])
	default:
		s.fact, err = v.fact(words)
	}
	v.steps = append(v.steps, s)
	return err
}

// fact reads "recorded_at [id=..] event locode key=value...", or "... retract".
func (v *voyageFile) fact(words []string) (*writtenFact, error) {
	f := &writtenFact{source: "line"}
	if len(words) < 2 {
		return nil, fmt.Errorf("no fact")
	}
	if words[0] != "-" {
		at, err := time.Parse(time.RFC3339, words[0])
		if err != nil {
			return nil, err
		}
		f.RecordedAt = at
	}
	words = words[1:]
	if id, ok := strings.CutPrefix(words[0], "id="); ok {
		f.ID, words = id, words[1:]
	}
	if len(words) == 1 && words[0] == "retract" {
		f.Retracted = true
		return f, nil
	}
	if len(words) < 2 {
		return nil, fmt.Errorf("a fact has an event and a place")
	}
	f.Activity = freight.Activity(words[0])
	if words[1] != "-" {
		f.Place.LOCODE = words[1]
	}
	about := v.number
	for _, pair := range words[2:] {
		key, value, _ := strings.Cut(pair, "=")
		if key == "for" {
			about = value
			continue
		}
		if err := v.member(f, key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", pair, err)
		}
	}
	return f, v.about(f, about)
}

// about sets the numbers that the fact names.
func (v *voyageFile) about(f *writtenFact, keys string) error {
	for key := range strings.SplitSeq(keys, ",") {
		number, ok := v.numbers[key]
		if !ok {
			return fmt.Errorf("no number %q", key)
		}
		f.Numbers = append(f.Numbers, number)
	}
	return nil
}

// member sets one member of a fact.
func (v *voyageFile) member(f *writtenFact, key, value string) (err error) {
	texts := map[string]*string{
		"role": (*string)(&f.Place.Role), "facility_type": &f.Place.FacilityType, "smdg": &f.Place.SMDG,
		"facility": &f.Place.Facility, "name": &f.Place.Name, "class": (*string)(&f.Classifier), "load": (*string)(&f.LoadStatus),
		"mode": (*string)(&f.Mode), "voyage": &f.Voyage, "source": &f.source,
	}
	if to := texts[key]; to != nil {
		*to = value
		return nil
	}
	known := true
	switch key {
	case "at":
		f.At, err = freight.ParseMoment(value)
	case "ship":
		f.Vessel, known = v.ships[value]
	case "box":
		for key := range strings.SplitSeq(value, ",") {
			known = known && v.boxes[key] != ""
			f.Containers = append(f.Containers, v.boxes[key])
		}
	default:
		return terminalMember(&f.Terminal, key, value)
	}
	if !known {
		return fmt.Errorf("not declared")
	}
	return err
}

// terminalMember sets one member of what a terminal says.
func terminalMember(of **freight.TerminalFacts, key, value string) (err error) {
	t := *of
	if t == nil {
		t = &freight.TerminalFacts{}
	}
	switch key {
	case "available":
		err = json.Unmarshal([]byte(value), &t.Available)
	case "lfd":
		t.LastFreeDay, err = freight.ParseMoment(value)
	case "hold":
		name, status, _ := strings.Cut(value, ":")
		t.Holds = append(t.Holds, tracking.Hold{Name: name, Status: status})
	default:
		return fmt.Errorf("no member of a fact")
	}
	*of = t
	return err
}

// voyageWords splits a line at its blanks, except within double quotes.
func voyageWords(line string) (words []string, err error) {
	var word strings.Builder
	quoted, begun := false, false
	end := func() {
		if begun {
			words = append(words, word.String())
		}
		word.Reset()
		begun = false
	}
	for _, r := range line {
		switch {
		case r == '"':
			quoted, begun = !quoted, true
		case r == ' ' && !quoted:
			end()
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quoted {
		return nil, fmt.Errorf("a quotation is not closed")
	}
	end()
	return words, nil
}
