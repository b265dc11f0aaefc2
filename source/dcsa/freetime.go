package dcsa

import (
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
)

// readContainers collects the containers of a notice: those of its equipment, and
// others that free times and the short form name.
func (n *notice) readContainers() {
	pickup := n.place(n.child("pickupInformation").child("pickupLocation"))
	for _, u := range n.children("utilizedTransportEquipments") {
		equipment := u.child("equipment")
		b := n.containerOf(equipment, "equipmentReference", equipment.text("equipmentReference"))
		if b == nil {
			continue
		}
		b.iso = equipment.code("ISOEquipmentCode")
		for _, seal := range u.children("seals") {
			b.seals = add(b.seals, seal.text("number"))
		}
		b.pickup = n.place(u.child("pickupInformation").child("pickupLocation"))
	}
	for _, number := range n.texts("equipmentReferences") {
		n.containerOf(n.object, "equipmentReferences", number)
	}
	for _, free := range n.children("freeTimes") {
		for _, number := range free.texts("equipmentReferences") {
			n.containerOf(free, "equipmentReferences", number)
		}
	}
	for i := range n.containers {
		if b := &n.containers[i]; b.pickup == (freight.Place{}) {
			b.pickup = pickup
		}
	}
	n.readBookings()
}

// containerOf returns the container with that number, adding it if it is new; nil
// without a number.
func (n *notice) containerOf(o object, name, number string) *noticeContainer {
	if number = normalizeContainerNumber(number); number == "" {
		n.warn("missing_container", o.at(name), "the equipment has no number")
		return nil
	}
	if !isContainer(number) {
		n.warn("container_number", o.at(name), "a container number has four letters and seven digits")
	}
	at, known := n.byNumber[number]
	if !known {
		at = len(n.containers)
		n.byNumber[number] = at
		n.containers = append(n.containers, noticeContainer{number: number})
	}
	return &n.containers[at]
}

// normalizeContainerNumber removes blanks and hyphens.
func normalizeContainerNumber(text string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(text))
}

// readBookings adds the bookings to each container. A bill of lading can cover
// several bookings, each of some of the containers.
func (n *notice) readBookings() {
	for _, item := range n.children("consignmentItems") {
		booking := item.text("carrierBookingReference")
		for _, cargo := range item.children("cargoItems") {
			at, known := n.byNumber[normalizeContainerNumber(cargo.text("equipmentReference"))]
			if known && len(n.containers[at].bookings) < maxBookings {
				n.containers[at].bookings = add(n.containers[at].bookings, booking)
			}
		}
	}
}

// maxBookings bounds the bookings of one container: the engine accepts only a few
// numbers per fact.
const maxBookings = 10

// addContainers describes each container and its release. A notice without free
// times and holds retracts those of the previous one; a customs clearance stays
// until a notice says otherwise.
func (n *notice) addContainers() {
	release := n.child("releaseInformation")
	cleared, saidCustoms := release.flag("isCustomsReleased")
	holds := lineHolds(release)
	days := n.lastFreeDays()
	for _, b := range n.containers {
		n.addOfContainer(b, "equipment", freight.Fact{
			Activity: freight.Described, Original: "utilizedTransportEquipments",
			Equipment: freight.Equipment{ISOType: b.iso, Seals: b.seals},
		}, nil)
		day, free := days[b.number]
		status := freight.Fact{
			Activity: freight.TerminalStatus,
			Original: "freeTimes",
			Place:    freight.Place{LOCODE: b.pickup.LOCODE}, // place of pickup
			Terminal: &freight.TerminalFacts{LastFreeDay: day.at, Holds: holds},
		}
		if !free && holds == nil {
			status = freight.Fact{Retracted: true}
		}
		n.addOfContainer(b, "release", status, day.payload)
		if saidCustoms {
			customs := freight.Fact{Activity: freight.Other, Original: "isCustomsReleased"} // so that a later notice can retract it
			if cleared {
				customs.Activity = freight.CustomsRelease
			}
			n.addOfContainer(b, "customs", customs, release.members)
		}
	}
}

// freeDay is the last free day of a container, and the part of the notice that
// states it.
type freeDay struct {
	at      freight.Moment
	date    string // of at in the calendar of the place, such as 2026-05-04
	payload any
}

// freeDayAt returns the day at the place of pickup.
func freeDayAt(at freight.Moment, pickup freight.Place, payload any) freeDay {
	local := at.Time // dates and wall clocks are the place's own already
	if port, known := refdata.PortByCode(pickup.LOCODE); known && !at.Day && !at.Floating {
		if zone, err := time.LoadLocation(port.Zone); err == nil {
			local = local.In(zone)
		}
	}
	return freeDay{at, local.Format(time.DateOnly), payload}
}

// before compares by the calendar of the place: a date without a time is a whole
// day, which no time of that day exceeds. On the same day, a time comes before a
// date.
func (d freeDay) before(other freeDay) bool {
	switch {
	case d.date != other.date:
		return d.date < other.date
	case d.at.Day != other.at.Day:
		return !d.at.Day
	}
	return d.at.Time.Before(other.at.Time)
}

// lastFreeDays returns the last day on which each container can be picked up
// without demurrage: the earliest, if several apply.
func (n *notice) lastFreeDays() map[string]freeDay {
	days := map[string]freeDay{}
	for _, free := range n.children("freeTimes") {
		if !slices.Contains(free.codes("typeCodes"), "DEM") {
			continue
		}
		at := n.date(free.child("lastFreeDateTime"))
		if at.IsZero() {
			at = n.date(free.child("lastFreeDate"))
		}
		if at.IsZero() {
			continue
		}
		for _, b := range n.containersOf(free) {
			day := freeDayAt(at, b.pickup, free.members)
			if known, ok := days[b.number]; !ok || day.before(known) {
				days[b.number] = day
			}
		}
	}
	return days
}

// containersOf returns the containers that a free time applies to.
func (n *notice) containersOf(free object) (containers []noticeContainer) {
	numbers, types := free.texts("equipmentReferences"), free.codes("ISOEquipmentCodes")
	for _, number := range numbers {
		if at, known := n.byNumber[normalizeContainerNumber(number)]; known {
			containers = append(containers, n.containers[at])
		}
	}
	if len(numbers) == 0 {
		for _, b := range n.containers {
			if len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return sameType(t, b.iso) }) {
				containers = append(containers, b)
			}
		}
	}
	if len(containers) == 0 {
		n.warn("unknown_equipment", free.path, "the free time is for none of the notice's containers")
	}
	return containers
}

// sameType reports whether a code of a free time covers a container's type: it can
// be the group (22GP) of the type (22G1).
func sameType(code, iso string) bool {
	if code == iso {
		return true
	}
	feet, height, kind, ok := refdata.ParseISOType(code)
	boxFeet, boxHeight, boxKind, known := refdata.ParseISOType(iso)
	return ok && known && feet == boxFeet && height == boxHeight && kind == boxKind
}

// lineHolds returns what the line states about the release: without it no terminal
// releases a container. nil if the notice does not say; no holds are an empty list.
func lineHolds(release object) []freight.Hold {
	paid, saidFreight := release.flag("isFreightReleased")
	customs, saidCustoms := release.flag("isCustomsReleased")
	if !saidFreight && !saidCustoms {
		return nil
	}
	holds := []freight.Hold{}
	if saidFreight && !paid {
		holds = append(holds, freight.Hold{Name: "freight", Status: "hold"})
	}
	if saidCustoms && !customs {
		holds = append(holds, freight.Hold{Name: "customs", Status: "pending"})
	}
	return holds
}

// texts returns the strings of an array; none when absent.
func (o object) texts(name string) (list []string) {
	elements, ok := o.members[name].([]any)
	if o.members[name] != nil && !ok {
		o.refuse(memberPath(name), "type", "%s must be an array; it is %s", name, typeName(o.members[name]))
	}
	for _, element := range elements {
		text, ok := element.(string)
		if !ok {
			o.refuse(memberPath(name), "type", "each of %s must be a string; one is %s", name, typeName(element))
		}
		if text = strings.TrimSpace(text); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// distinct returns a list without empty texts and repeats.
func distinct(list []string) (once []string) {
	for _, text := range list {
		once = add(once, text)
	}
	return once
}

// codes returns the strings of an array in upper case.
func (o object) codes(name string) []string {
	list := o.texts(name)
	for i := range list {
		list[i] = strings.ToUpper(list[i])
	}
	return list
}

// flag returns a boolean, and whether there is one.
func (o object) flag(name string) (value, said bool) {
	switch v := o.members[name].(type) {
	case nil:
		return false, false
	case bool:
		return v, true
	default:
		o.refuse(memberPath(name), "type", "%s must be true or false; it is %s", name, typeName(v))
		return false, false
	}
}
