// Package trade invents shipments for the corpus: parties, goods, ship and ports. Companies,
// ships, people and numbers are invented; lines and SCACs, ports and LOCODEs are real, and
// check digits are valid.
package trade

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/landfallhq/tracking/refdata"
)

// Shipment is one movement of goods with everything that any paper about it shows.
type Shipment struct {
	Line     refdata.Line
	Ship     Ship
	Voyage   string
	Agent    Company // of the line, at the port of discharge
	Forward  Company // the forwarder that issues house bills
	NVOCC    string  // the forwarder's SCAC
	Trucker  Company
	Shipper  Company
	Buyer    Company
	Notify   Company // same as Buyer in some
	Receipt  refdata.Port
	Lading   refdata.Port
	Unlading refdata.Port
	Delivery refdata.Port

	Booking, BL, HBL, AMS, Entry, Pickup, Notice, Order, Invoice, Packing, PO string

	Containers []Container
	Goods      []Goods
	// Currency by ISO 4217, Incoterm without its place, Pay as words.
	Currency, Incoterm, Pay string
	Prepaid                 bool
	Terminal                Terminal
	Depot                   string // where the empty container is fetched or returned

	// Days and, where they have one, times of day: local, kept as UTC.
	Booked, Invoiced, Cutoff, Sailed, Arrives, Noticed, FreeUntil, GeneralOrder time.Time
}

// Ship is a ship that does not exist; its IMO number has a right check digit.
type Ship struct{ Name, IMO string }

// Company is a name and the lines below it.
type Company struct {
	Name    string
	Address []string
	Country string // by ISO 3166
	Phone   string
}

// Terminal is where containers are discharged; its FIRMS code is invented, and
// empty outside the United States.
type Terminal struct{ Name, FIRMS string }

// Container is a container and its load.
type Container struct {
	Number, Seal, Size string // Size in the short form, such as 40HC
	Packages           int
	Gross, Net         float64 // in kg
	Volume             float64 // in m3
}

// Goods is one line of an invoice or a packing list.
type Goods struct {
	Item, Words, HS, Origin string
	Quantity                int
	Unit                    string
	Price                   int // in cents, each
	Cartons                 int
	Gross, Net, Volume      float64
}

// Amount is what the line costs, in cents.
func (g Goods) Amount() int { return g.Quantity * g.Price }

// New invents a shipment.
func New(r *rand.Rand) Shipment {
	s := Shipment{Line: line(r), Ship: ship(r), Voyage: voyage(r)}
	s.route(r)
	s.parties(r)
	s.goods(r)
	s.loadContainers(r)
	s.numbers(r)
	s.dates(r)
	s.Terminal = terminal(r, s.Unlading)
	s.Depot = pick(r, depots)
	s.Prepaid = r.IntN(2) == 0
	return s
}

// route goes from where goods are made to where they are bought; half of the
// shipments begin or end inland.
func (s *Shipment) route(r *rand.Rand) {
	way := pick(r, ways)
	s.Lading, s.Unlading = port(pick(r, way.from)), port(pick(r, way.to))
	s.Receipt, s.Delivery = s.Lading, s.Unlading
	if r.IntN(2) == 0 && len(way.inland) > 0 {
		s.Delivery = port(pick(r, way.inland))
	}
	if r.IntN(3) == 0 && len(way.hinterland) > 0 {
		s.Receipt = port(pick(r, way.hinterland))
	}
}

func (s *Shipment) parties(r *rand.Rand) {
	s.Shipper = company(r, s.Lading.Country)
	s.Buyer = company(r, s.Delivery.Country)
	s.Notify = s.Buyer
	if r.IntN(2) == 0 {
		s.Notify = service(r, s.Delivery.Country, brokers)
	}
	s.Agent = service(r, s.Unlading.Country, agencies)
	s.Forward = service(r, s.Lading.Country, forwarders)
	s.Trucker = service(r, s.Unlading.Country, truckers)
	s.NVOCC = nvocc(s.Forward.Name)
}

func (s *Shipment) goods(r *rand.Rand) {
	trade := pick(r, wares)
	origin := s.Lading.Country
	for _, i := range r.Perm(len(trade))[:1+r.IntN(len(trade))] {
		w := trade[i]
		cartons := 20 * (1 + r.IntN(30))
		g := Goods{
			Item: fmt.Sprintf("%s-%d", w.code, 100+r.IntN(900)), Words: w.words, HS: w.hs, Origin: origin,
			Quantity: cartons * w.each, Unit: w.unit, Price: w.price + r.IntN(w.price), Cartons: cartons,
		}
		g.Net = float64(cartons) * w.kg
		g.Gross = tenth(g.Net * 1.08)
		g.Volume = thousandth(float64(cartons) * w.m3)
		s.Goods = append(s.Goods, g)
	}
	s.Currency = pick(r, []string{"USD", "USD", "USD", "EUR", "GBP"})
	s.Incoterm = pick(r, []string{"FOB", "CIF", "CFR", "EXW", "FCA", "DAP", "DDP", "CIP"})
	s.Pay = pick(r, payments)
}

// loadContainers distributes the goods among one to five containers.
func (s *Shipment) loadContainers(r *rand.Rand) {
	n := 1 + min(r.IntN(4), r.IntN(6))
	var cartons int
	var gross, net, volume float64
	for _, g := range s.Goods {
		cartons, gross, net, volume = cartons+g.Cartons, gross+g.Gross, net+g.Net, volume+g.Volume
	}
	size := pick(r, []string{"20GP", "40GP", "40HC", "40HC", "40HC", "45HC", "40RH"})
	for i := range n {
		share := cartons / n
		if i == n-1 {
			share = cartons - cartons/n*(n-1)
		}
		part := float64(share) / float64(cartons)
		s.Containers = append(s.Containers, Container{
			Number: containerNumber(r), Seal: seal(r), Size: size, Packages: share,
			Gross: tenth(gross * part), Net: tenth(net * part), Volume: thousandth(volume * part),
		})
	}
}

func (s *Shipment) numbers(r *rand.Rand) {
	s.BL = s.Line.SCAC + digits(r, 9)
	if r.IntN(3) == 0 {
		s.BL = s.Line.SCAC + letters(r, 3) + digits(r, 6)
	}
	s.HBL = s.NVOCC + letters(r, 3) + digits(r, 7)
	s.Booking = digits(r, 9)
	if r.IntN(2) == 0 {
		s.Booking = letters(r, 3) + digits(r, 7)
	}
	s.AMS = s.NVOCC + digits(r, 8)
	s.Entry = digits(r, 9)
	s.Pickup = digits(r, 6)
	s.Notice = "AN" + digits(r, 7)
	s.Order = "DO-" + digits(r, 6)
	s.Invoice = pick(r, []string{"INV-", "CI", "EXP/26/", "SI-2026-"}) + digits(r, 5)
	s.Packing = pick(r, []string{"PL-", "PKL", "P"}) + digits(r, 6)
	s.PO = pick(r, []string{"PO", "45000", "P-"}) + digits(r, 6)
}

func (s *Shipment) dates(r *rand.Rand) {
	s.Sailed = time.Date(2026, time.Month(1+r.IntN(11)), 1+r.IntN(28), 0, 0, 0, 0, time.UTC)
	s.Booked = s.Sailed.AddDate(0, 0, -10-r.IntN(14))
	s.Invoiced = s.Sailed.AddDate(0, 0, -2-r.IntN(6))
	s.Cutoff = s.Sailed.AddDate(0, 0, -3).Add(time.Duration(10+r.IntN(8)) * time.Hour)
	s.Arrives = s.Sailed.AddDate(0, 0, 16+r.IntN(25))
	s.Noticed = s.Arrives.AddDate(0, 0, -2-r.IntN(6))
	s.FreeUntil = s.Arrives.AddDate(0, 0, 5+r.IntN(4))
	s.GeneralOrder = s.Arrives.AddDate(0, 0, 15)
}

// Packages is the sum of all containers' packages.
func (s Shipment) Packages() (n int) {
	for _, b := range s.Containers {
		n += b.Packages
	}
	return n
}

// Gross and Volume are the sums of all containers, in kg and m3.
func (s Shipment) Gross() (kg float64) {
	for _, b := range s.Containers {
		kg += b.Gross
	}
	return tenth(kg)
}

// Net is the sum of all containers' net weights, in kg.
func (s Shipment) Net() (kg float64) {
	for _, b := range s.Containers {
		kg += b.Net
	}
	return tenth(kg)
}

// Volume is the sum of all containers' volumes, in m3.
func (s Shipment) Volume() (m3 float64) {
	for _, b := range s.Containers {
		m3 += b.Volume
	}
	return thousandth(m3)
}

// Total is what all goods cost, in cents.
func (s Shipment) Total() (cents int) {
	for _, g := range s.Goods {
		cents += g.Amount()
	}
	return cents
}
