package dcsa

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// noticeSuffix is added to the source of a line's events for the source of its
// notices.
const noticeSuffix = "-an"

// maxReferences bounds the references that are read from a notice.
const maxReferences = 100

// ReadArrivalNotice reads a document of the DCSA Arrival Notice standard, version
// 1.0.1: a message with arrivalNotices or with arrivalNoticeNotifications, or a
// single notice. Options.Source defaults to "dcsa-an". It should differ from that of
// the line's events, because a notice replaces only earlier facts of its own source.
//
// A notice gives these facts about its transport document:
//
//	other            the notice itself: its JSON, without the embedded document, and its references
//	route            the ports of loading and discharge and the place of delivery, where they have a LOCODE
//	arrive           at the port of discharge, by vessel, and at the place of delivery
//	depart, arrive   of each leg that has a date
//	equipment        each container: type and seals
//	terminal_status  each container: last free day of demurrage, freight hold, customs pending
//	customs_release  each container, if the notice says that customs have cleared the shipment
//
// Free times: typeCodes with DEM give the last free day; DET and STO are kept only in
// the notice's JSON. A free time is for the containers that it names, or those of its
// ISOEquipmentCodes, or all. lastFreeDateTime takes precedence over lastFreeDate, and
// of several the earliest counts, by the calendar of the place of pickup, whether it
// is classified as planned, estimated or actual.
//
// A fact is a new version of that of the previous notice of the same transport
// document and typeLabel, ordered by issueDateTime as in the standard. A notice
// without free times therefore retracts those of the previous one.
//
// Errors and warnings are those of Read, and these warnings:
//
//	carrier_conflict  the notice names another line than Options.SCAC, which is used
//	unknown_equipment a free time for containers that the notice does not have
//	too_many          more references than the engine accepts: the rest is only in the JSON
//
// The engine checks the check digits of containers.
func ReadArrivalNotice(r io.Reader, opts Options) (freight.Report, error) {
	data, err := readAll(r)
	if err != nil {
		return freight.Report{}, err
	}
	scan, err := newScanner(data)
	if err != nil {
		return freight.Report{}, err
	}
	d := document{scanner: scan}
	tree, err := d.value()
	if err != nil {
		return freight.Report{}, err
	}
	scac := strings.ToUpper(strings.TrimSpace(opts.SCAC))
	if err := d.notices(tree, scac); err != nil {
		return freight.Report{}, err
	}
	return freight.Report{
		Source:     cmp.Or(opts.Source, "dcsa"+noticeSuffix),
		DataSource: freight.FromShippingLine,
		SCAC:       scac,
		Facts:      d.facts,
		Warnings:   d.warnings,
	}, nil
}

// noticeName begins Fact.Original for facts from notices.
const noticeName = "ARRIVAL NOTICE"

// noticeLists are the members with notices. The short form has some of the members
// of the long one.
var noticeLists = []struct{ list, name string }{
	{"arrivalNotices", noticeName},
	{"arrivalNoticeNotifications", noticeName + " NOTIFICATION"},
}

// notices reads all notices of a document.
func (d *document) notices(tree any, scac string) error {
	members, ok := tree.(map[string]any)
	if !ok {
		return refuse("$", "type", "the document must be an object with arrivalNotices, or one notice; it is %s", typeName(tree))
	}
	var fault error
	top := object{members: members, path: "$", fault: &fault}
	listed := false
	for _, l := range noticeLists {
		if _, there := members[l.list]; !there {
			continue
		}
		listed = true
		for _, o := range top.children(l.list) {
			if d.notice(o, l.name, scac); fault != nil {
				return fault
			}
		}
	}
	if !listed {
		d.notice(top, noticeName, scac)
	}
	return fault
}

// notice is an arrival notice being read.
type notice struct {
	event
	name   string // in Fact.Original
	key    string // its document and type, which begin the IDs of its facts
	issued time.Time
	scac   string // of the notice; empty if that of the report is used
	trd    freight.ShipmentNumber

	calls               object // the object with ports and dates
	load, pod, delivery freight.Place
	legs                []noticeLeg
	containers          []noticeContainer
	byNumber            map[string]int // indexes of containers
}

// noticeLeg is one leg of the transport plan.
type noticeLeg struct {
	object
	from, to freight.Place
	by       freight.Mode
}

// noticeContainer is one container of a notice.
type noticeContainer struct {
	number   string
	iso      string
	seals    []string
	bookings []string
	pickup   freight.Place // place of pickup
}

// notice adds the facts of one notice. Errors are remembered in its object.
func (d *document) notice(o object, name, scac string) {
	n := &notice{event: event{object: o, document: d}, name: name, byNumber: map[string]int{}}
	n.identify(scac)
	n.readCalls()
	n.readContainers()
	n.addNotice()
	n.addRoute()
	n.addLegs()
	n.addContainers()
	if len(d.facts) > maxEvents {
		o.refuse("", "too_large", "the document makes more than %d facts: send fewer notices at a time", maxEvents)
	}
}

// identify reads what identifies the notice and its versions.
func (n *notice) identify(scac string) {
	n.trd = freight.ShipmentNumber{Type: freight.BillOfLading, Number: n.text("transportDocumentReference")}
	if n.trd.Number == "" {
		n.refuse(".transportDocumentReference", "missing", "transportDocumentReference is missing; it says which shipment the notice is of")
	}
	if !n.has("issueDateTime") {
		n.refuse(".issueDateTime", "missing", "issueDateTime is missing; it tells the versions of a notice apart")
	}
	n.issued = n.moment("issueDateTime").Time
	n.key = n.name + "/" + n.trd.Number
	if label := n.text("typeLabel"); label != "" {
		sum := sha256.Sum256([]byte(label))
		n.key += "/" + hex.EncodeToString(sum[:4])
	}
	if carrier := n.code("carrierCode"); n.code("carrierCodeListProvider") == "NMFTA" {
		switch {
		case scac == "":
			n.scac = carrier
		case carrier != "" && carrier != scac:
			n.warnMember("carrier_conflict", "carrierCode", "the notice names another line than the one it came from, which counts")
		}
	}
}

// readCalls reads the ports, dates and legs, each once, because reading adds
// warnings.
func (n *notice) readCalls() {
	if n.calls = n.child("transport"); n.calls.members == nil {
		n.calls = n.object // the short form has no such object
	}
	n.load = n.place(n.calls.child("portOfLoading"))
	n.pod = n.place(n.calls.child("portOfDischarge"))
	n.delivery = n.place(n.calls.child("placeOfDelivery"))
	for _, o := range n.calls.children("legs") {
		leg := noticeLeg{object: o, from: n.place(o.child("loadLocation")), to: n.place(o.child("dischargeLocation"))}
		if o.code("modeOfTransport") != "MULTIMODAL" {
			leg.by = n.mode(o)
		}
		n.legs = append(n.legs, leg)
	}
}

// add appends a fact about the whole shipment. The ID distinguishes the facts of a
// notice; Original is the member that it comes from.
func (n *notice) add(id string, f freight.Fact, payload any) {
	f.ID = n.key + "/" + id
	f.RecordedAt, f.SCAC = n.issued, n.scac
	f.Numbers = append([]freight.ShipmentNumber{n.trd}, f.Numbers...)
	f.Original = strings.TrimSpace(n.name + " " + f.Original)
	f.Payload = compact(payload)
	n.document.facts = append(n.document.facts, f)
}

// addOfContainer appends a fact about one container, and about its bookings.
func (n *notice) addOfContainer(b noticeContainer, id string, f freight.Fact, payload any) {
	f.Containers = []string{b.number}
	for _, booking := range b.bookings {
		f.Numbers = append(f.Numbers, freight.ShipmentNumber{Type: freight.BookingNumber, Number: booking})
	}
	n.add("box/"+b.number+"/"+id, f, payload)
}

// compact encodes a part of the document as JSON.
func compact(v any) json.RawMessage {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if v == nil || enc.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSpace(text.Bytes())
}

// addNotice keeps the notice without its human-readable document, which has
// megabytes and no further data.
func (n *notice) addNotice() {
	references := n.texts("houseBillOfLadingReferences")
	for _, r := range n.children("references") {
		references = append(references, r.text("value"))
	}
	if len(references) > maxReferences {
		n.warnMember("too_many", "references", "the references after the first "+strconv.Itoa(maxReferences)+" are kept in the notice alone")
		references = references[:maxReferences]
	}
	members := n.members
	if visual := n.child("arrivalNoticeVisualization").members; visual != nil {
		members, visual = maps.Clone(members), maps.Clone(visual)
		delete(visual, "content")
		members["arrivalNoticeVisualization"] = visual
	}
	n.add("notice", freight.Fact{Activity: freight.Other, References: distinct(references)}, members)
}

// addRoute adds the ports, and when the shipment reaches them.
func (n *notice) addRoute() {
	n.addRole("pol", "portOfLoading", n.load, freight.RolePOL)
	n.addRole("pod", "portOfDischarge", n.pod, freight.RolePOD)
	n.addRole("destination", "placeOfDelivery", n.delivery, freight.RoleDestination)

	vessel, inland := noticeLeg{by: freight.ByVessel}, noticeLeg{}
	for _, leg := range n.legs {
		if n.reachesPOD(leg) {
			vessel = leg
		}
		if samePlace(leg.to, n.delivery) {
			inland = leg
		}
	}
	n.addCall("eta", n.pod, freight.Arrival, n.calls, "portOfDischargeArrivalDate", vessel)
	if samePlace(n.pod, n.delivery) {
		return // it is reached by the vessel
	}
	name := "placeOfDeliveryArrivalDate"
	if !n.calls.has(name) {
		name = "inlandArrivalDate"
	}
	n.addCall("inland", n.delivery, freight.Arrival, n.calls, name, inland)
}

func (n *notice) reachesPOD(leg noticeLeg) bool {
	return leg.by == freight.ByVessel && samePlace(leg.to, n.pod)
}

// place reads a location, whose facility is a nested object.
func (n *notice) place(o object) freight.Place {
	p := n.site(o)
	facility := o.child("facility")
	n.facility(facility, &p)
	setIfEmpty(&p.Facility, facility.text("facilityName"))
	return p
}

func samePlace(a, b freight.Place) bool {
	if a.LOCODE != "" || b.LOCODE != "" {
		return a.LOCODE == b.LOCODE
	}
	return a.Name != "" && strings.EqualFold(a.Name, b.Name)
}

// addRole adds what a place is for the shipment. A place without a LOCODE is left
// out: by its name alone it would differ from that of the events.
func (n *notice) addRole(id, name string, p freight.Place, role freight.Role) {
	if p.LOCODE == "" {
		return
	}
	p.Role = role
	n.add(id, freight.Fact{Activity: freight.Route, Place: p, Original: name}, n.calls.members[name])
}

// addCall adds a departure or arrival, if there is a date of that name.
func (n *notice) addCall(id string, p freight.Place, what freight.Activity, o object, name string, leg noticeLeg) {
	date := o.child(name)
	at := n.date(date)
	if at.IsZero() || p == (freight.Place{}) {
		return
	}
	voyage := leg.child("vesselVoyage")
	n.add(id, freight.Fact{
		Activity: what, Classifier: n.classOf(date), At: at, Place: p, Mode: leg.by, Original: name,
		Vessel: freight.VesselRef{IMO: voyage.code("vesselIMONumber"), Name: voyage.text("vesselName")},
		Voyage: noticeVoyage(voyage, what),
	}, date.members)
}

func noticeVoyage(o object, what freight.Activity) string {
	names := [2]string{"Export", "Import"}
	if what == freight.Arrival {
		names[0], names[1] = names[1], names[0]
	}
	picked := ""
	for _, direction := range names {
		setIfEmpty(&picked, o.text("carrier"+direction+"VoyageNumber"))
		setIfEmpty(&picked, o.text("universal"+direction+"VoyageReference"))
	}
	return picked
}

// addLegs adds the calls of the transport plan, except the arrival at the POD if
// the notice states it separately.
func (n *notice) addLegs() {
	seen := map[string]bool{}
	for i, leg := range n.legs {
		id := legID(leg.object)
		if seen[id] {
			id += "/" + strconv.Itoa(i+1)
		}
		seen[id] = true
		n.addCall(id+"/departure", leg.from, freight.Departure, leg.object, "departureDate", leg)
		if !n.calls.has("portOfDischargeArrivalDate") || !n.reachesPOD(leg) {
			n.addCall(id+"/arrival", leg.to, freight.Arrival, leg.object, "arrivalDate", leg)
		}
	}
}

// legID identifies a leg by its stage, so that it is the same in the next version
// of the notice, even if that lists other legs.
func legID(leg object) string {
	id := "leg" + leg.code("transportPlanStage")
	if number, ok := leg.members["transportPlanStageSequenceNumber"].(json.Number); ok {
		id += number.String()
	}
	return id
}

// date reads a date with a classifier. A date without a time is the day at the
// place.
func (n *notice) date(o object) freight.Moment {
	text := o.text("value")
	if text == "" || *n.fault != nil {
		return freight.Moment{}
	}
	m, ok := parseMoment(text)
	switch {
	case !ok:
		o.refuse(".value", "format", "value must be a date, such as 2026-01-02, or a date and time with offset")
		return freight.Moment{}
	case m.Time.Year() < 1970 || m.Time.Year() > 2100:
		n.warn("implausible_time", o.at("value"), "the time is before 1970 or after 2100: left out")
		return freight.Moment{}
	}
	return m
}

// classOf reads the classifier of a date. A missing one counts as planned, which
// everything else overrides.
func (n *notice) classOf(o object) freight.Classifier {
	switch o.code("classifier") {
	case "ACT":
		return freight.Actual
	case "EST":
		return freight.Estimated
	case "PLN":
		return freight.Planned
	}
	n.warn("unknown_code", o.at("classifier"), "the classifier is missing or none of ACT, EST, PLN")
	return freight.Planned
}
