package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/landfallhq/tracking/freight"
)

const (
	pastPrefix  = "TEST-PAST-"
	pastVoyages = 48
	// pastInterval is that of a weekly service.
	pastInterval = 7 * 24 * time.Hour
)

// History returns the facts about 48 shipments that have ended, on one lane, within the year
// before a time: what the line would have reported, in order of recording. Their ETAs changed on
// the way, so that it can be counted how far they were off. Their bills of lading are
// TEST-PAST-00 to TEST-PAST-47, which Track does not know.
func (s *Source) History(before time.Time) []freight.Fact {
	var all []freight.Fact
	for i := range pastVoyages {
		number := pastPrefix + twoDigits(i)
		p := newScript(newIdentity(number, freight.BillOfLading, ordinalOf(len(voyages)), i, 1), pastRoutes[0])
		playPast(p)
		end := before.UTC().Add(-time.Duration(i+1) * pastInterval)
		facts, _ := p.factsAt(clock{now: end, since: end, length: s.length, head: fullProgress})
		all = append(all, facts...)
	}
	slices.SortStableFunc(all, func(a, b freight.Fact) int { return cmp.Compare(a.RecordedAt.Unix(), b.RecordedAt.Unix()) })
	return all
}

// playPast is a voyage that arrives from 18 hours before to 78 hours after the ETA of the
// booking. The line learns of it on the way, little by little.
func playPast(p *script) {
	late := pick(p.number+" late", 97) - 18
	days := p.route.toPOD
	p.addBooking()
	p.addEstimate("etd", "etd", -pick(p.number+" etd", 20), p.etd(freight.ByVessel, p.ships[0]))
	p.addEstimate("eta", "eta", -late, p.eta(p.ships[0]))
	p.addExport()
	p.addSailing(leg{from: p.route.pol, to: p.route.pod, ship: p.ships[0], days: days, atSea: func() {
		for day := 0; day < days; day += 3 {
			seen := fmt.Sprint(p.number, " error on day ", strconv.Itoa(day))
			off := late*(days-day)/days + pick(seen, 9) - 4
			p.addEstimate("eta", "eta", -off, p.eta(p.ships[0]))
			p.after(0, 3*24)
		}
	}})
	p.addPickup(60)
	p.addEmptyReturn(p.route.pod)
}
