package main

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
)

// fleet is the shipments that the database is filled with, and what happens to
// them next. Each voyage follows from the seed and its index, so none is kept:
// what would be kept would make the collector's work rarer than in a server.
type fleet struct {
	seed uint64
	// today is the day on which the voyages that are under way were last heard of, some up to
	// 20 days before; others have ended in the 40 days before. Zero leaves each where it
	// follows from its index.
	today time.Time

	mu   sync.Mutex
	told []int // facts that were handed in, by voyage
	live []int // voyages that are still under way, in random order
	next int   // place in live of the next update
}

// voyage is one shipment: the facts about it, in the order in which they come.
type voyage struct {
	number string
	boxes  []string
	facts  []tracking.Fact
	// known is how many facts come before the first move of a box.
	known int
}

// place is a port with terminals of the SMDG list.
type place struct {
	locode    string
	terminals [2]tracking.Place
}

func port(locode, smdg, name, smdg2, name2 string) place {
	return place{locode, [2]tracking.Place{
		{LOCODE: locode, SMDG: smdg, Facility: name, FacilityType: "POTE"},
		{LOCODE: locode, SMDG: smdg2, Facility: name2, FacilityType: "POTE"},
	}}
}

var (
	origins = []place{
		port("CNSHA", "SHENG", "Shengdong International", "GUAND", "Guandong International"),
		port("CNNGB", "BLCT2", "Beilun Second", "MSICT", "Meishan Island International"),
		port("CNYTN", "YICT", "Yantian International", "YICT3", "Yantian Phase III"),
		port("INNSA", "NSICT", "Nhava Sheva International", "GTI", "Gateway Terminals India"),
		port("VNVUT", "TCIT", "Tan Cang Cai Mep", "CMIT", "Cai Mep International"),
		port("BRSSZ", "BTP", "Brasil Terminal", "TECON", "Tecon Santos"),
	}
	hubs = []place{
		port("SGSIN", "PSAPP3", "Pasir Panjang 3", "PSATU", "Tuas"),
		port("ESALG", "APM", "APM Algeciras", "TTIA", "Total Terminal International"),
	}
	destinations = []place{
		port("USLAX", "TRAP", "TraPac", "FMS", "Fenix Marine Services"),
		port("USLGB", "LBCT", "Long Beach Container Terminal", "TTI", "Total Terminals"),
		port("USNYC", "MAHER", "Maher", "APMT", "APM Elizabeth"),
		port("USSAV", "GCMT", "Garden City", "OCEAN", "Ocean Terminal"),
		port("USOAK", "TRAP", "TraPac Oakland", "OICT", "Oakland International"),
		port("NLRTM", "RWG", "Rotterdam World Gateway", "APMII", "APM Maasvlakte II"),
		port("DEHAM", "CTA", "Altenwerder", "CTB", "Burchardkai"),
		port("GBFXT", "TTY", "Trinity", "LSF", "Landguard"),
	}
	carriers   = []string{"MAEU", "MSCU", "CMDU", "HLCU", "ONEY", "COSU", "OOLU", "EGLV"}
	owners     = []string{"MRKU", "TCLU", "MSDU", "HLBU"}
	isoTypes   = []string{"22G1", "42G1", "45G1", "45R1"}
	adjectives = []string{"AMBER", "BRAVE", "CALM", "DARING", "EARLY", "FAIR", "GRAND", "HIGH"}
	nouns      = []string{"ALBATROSS", "BEACON", "CURRENT", "DELTA", "ESTUARY", "FJORD", "GALE", "HARBOUR"}
	// epoch is when the first voyage begins. Nothing here depends on the day of
	// the run.
	epoch = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
)

// maxBoxes is how many containers a voyage can have; it has one at least.
const maxBoxes = 3

func newFleet(seed uint64, shipments int) *fleet {
	f := &fleet{seed: seed, told: make([]int, shipments)}
	for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(shipments) {
		if i%10 != 0 { // one in ten has ended
			f.live = append(f.live, i)
		}
	}
	return f
}

// begin returns what is known of the voyage when the database is filled.
func (f *fleet) begin(i int) []tracking.Fact {
	v := f.voyage(i)
	f.told[i] = f.begun(i, v)
	return v.facts[:f.told[i]]
}

// begun is how many facts of the voyage are known when the database is filled.
func (f *fleet) begun(i int, v *voyage) int {
	n := len(v.facts)
	if i%10 != 0 {
		n = v.known + rand.New(rand.NewPCG(f.seed+2, uint64(i))).IntN(n-v.known)
	}
	return n
}

// update returns the next thing that happens, to another shipment each time:
// the next fact of its voyage or, when that has told all, a new word of the
// terminal about one of its boxes.
func (f *fleet) update() tracking.Report {
	f.mu.Lock()
	i := f.live[f.next%len(f.live)]
	f.next++
	n := f.told[i]
	f.told[i]++
	f.mu.Unlock()
	v := f.voyage(i)
	if n < len(v.facts) {
		return report(v.facts[n])
	}
	return report(v.terminalSays(n))
}

// takeBack makes the last n updates, each of another shipment, come again: they
// were not handed in.
func (f *fleet) takeBack(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for range n {
		f.next--
		f.told[f.live[f.next%len(f.live)]]--
	}
}

// report is what a source hands in.
func report(facts ...tracking.Fact) tracking.Report {
	return tracking.Report{Source: "benchmark", Facts: facts}
}

// voyage writes the script of the i-th shipment.
func (f *fleet) voyage(i int) *voyage {
	s := newScript(f.seed, i)
	s.route()
	s.tell("etd", at(s.pol, tracking.Fact{Activity: freight.Departure, Classifier: freight.Estimated}), 72)
	s.estimate("eta1", 30)
	s.known = len(s.facts)
	s.eachBox("out", at(s.depot(), tracking.Fact{Activity: freight.GateOut, LoadStatus: freight.Empty, Mode: freight.ByTruck}))
	s.clock = s.clock.Add(40 * time.Hour)
	s.eachBox("in", at(s.pol, tracking.Fact{Activity: freight.GateIn, LoadStatus: freight.Laden, Mode: freight.ByTruck}))
	s.clock = s.clock.Add(30 * time.Hour)
	s.sail("pol", s.pol)
	if s.hub.LOCODE != "" {
		s.call("hub", s.hub)
		s.ship, s.voyageNumber = s.second, s.voyageNumber+"B"
		s.sail("hub", s.hub)
	}
	s.estimate("eta2", 6)
	s.call("pod", s.pod)
	for n := range s.boxes {
		s.facts = append(s.facts, s.terminalSays(n))
	}
	s.eachBox("fetched", at(s.pod, tracking.Fact{Activity: freight.GateOut, LoadStatus: freight.Laden, Mode: freight.ByTruck}))
	s.clock = s.clock.Add(96 * time.Hour)
	s.eachBox("returned", at(s.pod, tracking.Fact{Activity: freight.GateIn, LoadStatus: freight.Empty, Mode: freight.ByTruck}))
	if !f.today.IsZero() {
		heard := f.today
		switch {
		case i%10 == 0:
			heard = heard.AddDate(0, 0, -i/10%40)
		case i%10 == 1:
			heard = heard.AddDate(0, 0, -i/10%20)
		}
		s.move(heard.Sub(s.facts[f.begun(i, &s.voyage)-1].RecordedAt).Truncate(24 * time.Hour))
	}
	return &s.voyage
}

// move makes all times of the voyage later, by whole days.
func (v *voyage) move(by time.Duration) {
	for i := range v.facts {
		fact := &v.facts[i]
		fact.RecordedAt, fact.At.Time = fact.RecordedAt.Add(by), fact.At.Time.Add(by)
		if t := fact.Terminal; t != nil {
			t.LastFreeDay.Time = t.LastFreeDay.Time.Add(by)
		}
	}
}

// terminalSays is a terminal's view of a box; no two are alike.
func (v *voyage) terminalSays(n int) tracking.Fact {
	free := n%2 == 0
	last := v.facts[len(v.facts)-1]
	f := tracking.Fact{
		Activity: freight.TerminalStatus, Place: last.Place, SCAC: last.SCAC, Numbers: last.Numbers,
		ID:         fmt.Sprintf("%s/terminal/%d", v.number, n),
		At:         tracking.Moment{Time: last.At.Time.Add(time.Duration(n) * time.Minute)},
		RecordedAt: last.RecordedAt.Add(time.Duration(n) * time.Minute),
		Containers: []string{v.boxes[n%len(v.boxes)]},
		DataSource: freight.FromTerminal,
		Terminal: &freight.TerminalFacts{
			Available:   &free,
			Fees:        []tracking.Fee{{Type: "demurrage", Amount: float64(100 + n), CurrencyCode: "USD"}},
			LastFreeDay: tracking.Moment{Time: last.At.Time.Truncate(24*time.Hour).AddDate(0, 0, 5), Day: true, Floating: true},
			Yard:        fmt.Sprintf("Row %d", n),
		},
	}
	if !free {
		f.Terminal.Holds = []tracking.Hold{{Name: "customs", Status: "hold"}}
	}
	return f
}

// script is a voyage in the making.
type script struct {
	voyage
	random       *rand.Rand
	scac         string
	numbers      []tracking.ShipmentNumber
	pol, pod     tracking.Place
	hub          tracking.Place // zero on a direct voyage
	ship, second tracking.VesselRef
	voyageNumber string
	iso          string
	clock        time.Time // of the next fact
	arrival      time.Time // at the port of discharge
}

func newScript(seed uint64, i int) *script {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	s := &script{
		random: r,
		scac:   oneOf(r, carriers), iso: oneOf(r, isoTypes),
		pol: terminalOf(r, origins), pod: terminalOf(r, destinations),
		ship: vessel(r.IntN(64)), second: vessel(64 + r.IntN(64)),
		voyageNumber: fmt.Sprintf("%dE", 100+r.IntN(900)),
		clock:        epoch.Add(time.Duration(r.IntN(60*24)) * time.Hour),
	}
	s.number = fmt.Sprintf("%s%09d", s.scac, i)
	s.numbers = []tracking.ShipmentNumber{
		{Type: tracking.BillOfLading, Number: s.number},
		{Type: tracking.BookingNumber, Number: fmt.Sprintf("B%010d", i)},
	}
	for n := range 1 + r.IntN(maxBoxes) {
		s.boxes = append(s.boxes, containerNumber(i*maxBoxes+n))
	}
	sea := 15 + r.IntN(20)
	if r.IntN(3) == 0 {
		s.hub, sea = terminalOf(r, hubs), sea+4
	}
	s.arrival = s.clock.AddDate(0, 0, 4+sea)
	return s
}

func oneOf[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func terminalOf(r *rand.Rand, ports []place) tracking.Place {
	return oneOf(r, ports).terminals[r.IntN(2)]
}

func containerNumber(serial int) string {
	number := fmt.Sprintf("%s%06d", owners[serial/1_000_000%len(owners)], serial%1_000_000)
	_, digit := refdata.CheckDigit(number + "0")
	return fmt.Sprintf("%s%d", number, digit)
}

// vessel makes the i-th ship. IMO numbers that begin with a 2 are nobody's.
func vessel(i int) tracking.VesselRef {
	number := 200_000 + i
	sum := 0
	for rest, factor := number, 2; rest > 0; rest, factor = rest/10, factor+1 {
		sum += rest % 10 * factor
	}
	name := adjectives[i%8] + " " + nouns[i/8%8]
	if i >= 64 {
		name += " II"
	}
	return tracking.VesselRef{IMO: fmt.Sprintf("%d%d", number, sum%10), Name: name}
}

func (s *script) depot() tracking.Place {
	return tracking.Place{LOCODE: s.pol.LOCODE, Facility: "Empty depot " + s.pol.LOCODE, FacilityType: "DEPO"}
}

// at places a fact.
func at(p tracking.Place, f tracking.Fact) tracking.Fact {
	f.Place = p
	if f.Activity == freight.Departure || f.Activity == freight.Arrival {
		f.Mode = freight.ByVessel
	}
	return f
}

// add hands in a fact, an hour after the last.
func (s *script) add(key string, f tracking.Fact) {
	s.clock = s.clock.Add(time.Hour)
	f.ID, f.SCAC, f.Numbers, f.RecordedAt = s.number+"/"+key, s.scac, s.numbers, s.clock
	if f.Mode == freight.ByVessel {
		f.Vessel, f.Voyage = s.ship, s.voyageNumber
	}
	s.facts = append(s.facts, f)
}

// tell adds a fact whose time lies so many hours ahead.
func (s *script) tell(key string, f tracking.Fact, ahead int) {
	f.At = tracking.Moment{Time: s.clock.Add(time.Duration(1+ahead) * time.Hour)}
	s.add(key, f)
}

// route states where the voyage goes.
func (s *script) route() {
	pol, pod := s.pol, s.pod
	pol.Role, pod.Role = freight.RolePOL, freight.RolePOD
	s.add("pol", tracking.Fact{Activity: freight.Route, Place: pol})
	s.add("pod", tracking.Fact{Activity: freight.Route, Place: pod})
}

// estimate says when the ship will be at the port of discharge, give or take
// some hours.
func (s *script) estimate(key string, late int) {
	f := at(s.pod, tracking.Fact{Activity: freight.Arrival, Classifier: freight.Estimated})
	f.At = tracking.Moment{Time: s.arrival.Add(time.Duration(s.random.IntN(2*late)-late) * time.Hour)}
	s.add(key, f)
}

func (s *script) eachBox(key string, f tracking.Fact) {
	for n, box := range s.boxes {
		f.Containers = []string{box}
		f.Equipment = freight.Equipment{ISOType: s.iso, Seals: []string{fmt.Sprintf("S%07d", s.random.IntN(1e7))}, WeightKg: float64(9000 + s.random.IntN(18000))}
		s.tell(fmt.Sprintf("%s/%d", key, n), f, 0)
	}
}

// sail loads the boxes and leaves.
func (s *script) sail(key string, from tracking.Place) {
	s.eachBox(key+"/load", at(from, tracking.Fact{Activity: freight.Loading, LoadStatus: freight.Laden, Mode: freight.ByVessel}))
	s.tell(key+"/depart", at(from, tracking.Fact{Activity: freight.Departure}), 0)
}

// call arrives and discharges the boxes.
func (s *script) call(key string, to tracking.Place) {
	s.clock = s.clock.AddDate(0, 0, 7)
	if to == s.pod {
		s.clock = s.arrival
	}
	s.tell(key+"/arrive", at(to, tracking.Fact{Activity: freight.Arrival}), 0)
	s.eachBox(key+"/discharge", at(to, tracking.Fact{Activity: freight.Discharge, LoadStatus: freight.Laden, Mode: freight.ByVessel}))
}
