package exceptions

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/refdata"
)

// TestCases checks the cases of testdata/cases.txt, which were worked by hand. A line is
//
//	CLASSIFIER ACTIVITY PLACE TIME [ship=A] [of=1,2|all|bad] [by=MODE] [load=empty] [said=TIME]
//	    [source=NAME] [data=KIND] [id=ID] [lfd=DATE]      a fact; said is when it was recorded,
//	                                                      an hour after its time unless given
//	route ROLE PLACE said=TIME                            a role of a port, for the shipment
//	learned TIME eta TIME                                 the arrival as it was shown
//	promised TIME said=TIME                           the arrival that a user promised, and when
//	set THRESHOLD DAYSd                               hub_dwell or promised_slip
//	now TIME
//	expect KIND CONTAINER|shipment SEVERITY opened=TIME [closed=TIME] [says "words"]
//	expect nothing
//	next CONTAINER EVENT PLACE due=TIME
//
// Facts are of container 1 unless of says otherwise.
func TestCases(t *testing.T) {
	cases := readCases(t)
	if len(cases) < 30 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, c.check)
	}
}

type testCase struct {
	name, why string
	facts     []journey.LoggedFact
	estimates []Estimate
	promise   Promise
	settings  Settings
	now       time.Time
	expect    []wanted
	next      []wanted
	nothing   bool
}

type wanted struct {
	kind, of, severity, says string
	place                    string
	opened, closed           time.Time
}

func (c *testCase) check(t *testing.T) {
	got := c.find(c.facts)
	var want []string
	for _, w := range c.expect {
		want = append(want, fmt.Sprint(w.kind, " ", w.of, " ", w.severity, " opened ", stamp(w.opened), " closed ", stamp(w.closed)))
	}
	var list []string
	for _, e := range got.Exceptions {
		list = append(list, fmt.Sprint(e.Kind, " ", cmp.Or(e.Container, "shipment"), " ", e.Severity, " opened ", stamp(e.OpenedAt), " closed ", stamp(e.ClosedAt)))
	}
	slices.Sort(want)
	slices.Sort(list)
	if !slices.Equal(want, list) || c.nothing && len(list) > 0 {
		t.Errorf("%s\nwant %q\ngot  %q\n%v", c.why, want, list, got.Exceptions)
	}
	for _, w := range c.expect {
		if !slices.ContainsFunc(got.Exceptions, func(e Exception) bool { return string(e.Kind) == w.kind && strings.Contains(e.Text, w.says) }) {
			t.Errorf("no sentence of %v has %q", got.Exceptions, w.says)
		}
	}
	for _, w := range c.next {
		if m, ok := got.Next[w.of]; !ok || string(m.Event) != w.kind || m.Place.LOCODE != w.place || !m.DueAt.Equal(w.opened) {
			t.Errorf("next is %+v, want %+v", m, w)
		}
	}
	turned := slices.Clone(c.facts)
	slices.Reverse(turned)
	if again := c.find(turned); texts(again) != texts(got) {
		t.Errorf("another order of the facts gives other exceptions:\n%s\n%s", texts(got), texts(again))
	}
}

func stamp(at time.Time) string {
	if at.IsZero() {
		return "-"
	}
	return at.Format("01-02T15:04")
}

func texts(f Findings) string {
	list := fmt.Sprint(f.ChangeAt)
	for _, e := range f.Exceptions {
		list += fmt.Sprint("\n", e.Kind, e.Container, e.Key, e.OpenedAt, e.ClosedAt, e.Text, len(e.Facts))
	}
	return list
}

func (c *testCase) find(facts []journey.LoggedFact) Findings {
	list := make([]*journey.LoggedFact, len(facts))
	for i := range facts {
		list[i] = &facts[i]
	}
	j := journey.Derive(nil, list, refPlaces{})
	return Find(&Shipment{Journey: &j, Facts: list, Estimates: c.estimates, Promise: c.promise}, c.settings, c.now)
}

// refPlaces looks up places in the tables of package refdata.
type refPlaces struct{}

func (refPlaces) Place(locode string) (canonical, name, zone string, ok bool) {
	p, ok := refdata.PortByCode(locode)
	return p.Code, p.Name, p.Zone, ok
}

func (refPlaces) Near(a, b string) bool {
	p, known := refdata.PortByCode(a)
	q, also := refdata.PortByCode(b)
	return known && also && p.HasPosition && q.HasPosition &&
		freight.Point{Latitude: p.Latitude, Longitude: p.Longitude}.Distance(freight.Point{Latitude: q.Latitude, Longitude: q.Longitude}) <= 50
}

var (
	containers = map[string]string{"1": "CSQU3054383", "2": "TCLU4265393", "bad": "CSQU3054384", "shipment": "shipment"}
	ships      = map[string]freight.VesselRef{
		"A": {IMO: "9321483", Name: "EMMA MAERSK"}, "B": {IMO: "9454436", Name: "MAERSK EDINBURGH"},
		"C": {IMO: "9778791", Name: "MADRID MAERSK"}, "F": {IMO: "9074729", Name: "ELBFEEDER"},
	}
)

func readCases(t *testing.T) (list []*testCase) {
	file, err := os.Open("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if word == "case" {
			list = append(list, &testCase{name: rest, settings: Defaults})
			continue
		}
		if err := list[len(list)-1].read(word, rest); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
	}
	return list
}

func (c *testCase) read(word, rest string) (err error) {
	words := strings.Fields(rest)
	switch word {
	case "why":
		c.why = rest
	case "now":
		c.now, err = readTime(rest)
	case "set":
		var days int
		if _, err = fmt.Sscanf(words[1], "%dd", &days); err == nil {
			*map[string]*time.Duration{"hub_dwell": &c.settings.HubDwell, "promised_slip": &c.settings.PromisedSlip}[words[0]] = time.Duration(days) * day
		}
	case "promised":
		if c.promise.At, err = readTime(words[0]); err == nil {
			c.promise.MadeAt, err = readTime(strings.TrimPrefix(words[1], "said="))
		}
	case "learned":
		var e Estimate
		if e.LearnedAt, err = readTime(words[0]); err == nil {
			e.At, err = readTime(words[2])
		}
		c.estimates = append(c.estimates, e)
	case "expect":
		if c.nothing = rest == "nothing"; !c.nothing {
			var w wanted
			w, err = readWanted(rest)
			c.expect = append(c.expect, w)
		}
	case "next":
		w := wanted{of: containers[words[0]], kind: words[1], place: words[2]}
		w.opened, err = readTime(strings.TrimPrefix(words[3], "due="))
		c.next = append(c.next, w)
	case "route":
		err = c.addFact("", freight.Route, append([]string{words[1], "-", "of=all", "role=" + words[0]}, words[2:]...))
	default:
		err = c.addFact(freight.Classifier(word), freight.Activity(words[0]), words[1:])
	}
	return err
}

func readWanted(rest string) (w wanted, err error) {
	before, says, _ := strings.Cut(rest, " says ")
	words := strings.Fields(before)
	w = wanted{kind: words[0], of: containers[words[1]], severity: words[2], says: strings.Trim(says, `"`)}
	for _, word := range words[3:] {
		name, value, _ := strings.Cut(word, "=")
		at, fault := readTime(value)
		if err = cmp.Or(err, fault); name == "opened" {
			w.opened = at
		} else {
			w.closed = at
		}
	}
	return w, err
}

// readTime reads 03-10, 03-10T12 or 03-10T12:30, of 2026.
func readTime(text string) (at time.Time, err error) {
	for _, form := range []string{"2006-01-02", "2006-01-02T15", "2006-01-02T15:04"} {
		if at, err = time.Parse(form, "2026-"+text); err == nil {
			return at, nil
		}
	}
	return at, err
}

func (c *testCase) addFact(class freight.Classifier, activity freight.Activity, words []string) (err error) {
	f := journey.LoggedFact{Source: "carrier", DataSource: freight.FromShippingLine, Arrival: int64(len(c.facts) + 1)}
	f.Classifier, f.Activity = class, activity
	if words[0] != "-" {
		f.Place.LOCODE = words[0]
	}
	if words[1] != "-" {
		if f.At.Time, err = readTime(words[1]); err != nil {
			return err
		}
		f.RecordedAt = f.At.Time.Add(time.Hour)
	}
	f.ID = fmt.Sprint("e", len(c.facts))
	f.Containers = []string{containers["1"]}
	for _, word := range words[2:] {
		name, value, _ := strings.Cut(word, "=")
		if err := set(&f, name, value); err != nil {
			return err
		}
	}
	switch activity {
	case freight.Loading, freight.Discharge:
		f.LoadStatus = cmp.Or(f.LoadStatus, freight.Laden)
	case freight.GateIn, freight.GateOut:
		f.LoadStatus, f.Mode = cmp.Or(f.LoadStatus, freight.Laden), freight.ByTruck
	}
	c.facts = append(c.facts, f)
	return nil
}

func set(f *journey.LoggedFact, name, value string) (err error) {
	switch name {
	case "ship":
		f.Vessel, f.Mode = ships[value], cmp.Or(f.Mode, freight.ByVessel)
	case "of":
		f.Containers = nil
		for _, n := range strings.Split(value, ",") {
			if n != "all" {
				f.Containers = append(f.Containers, containers[n])
			}
		}
	case "by":
		f.Mode = freight.Mode(value)
	case "load":
		f.LoadStatus = freight.LoadStatus(value)
	case "role":
		f.Place.Role = freight.Role(value)
	case "said":
		f.RecordedAt, err = readTime(value)
	case "source":
		f.Source = value
	case "data":
		f.DataSource = freight.DataSource(value)
	case "id":
		f.ID = value
	case "lfd":
		f.Terminal = &freight.TerminalFacts{}
		f.Terminal.LastFreeDay, err = freight.ParseMoment(value)
	default:
		return fmt.Errorf("what is %q", name)
	}
	return err
}
