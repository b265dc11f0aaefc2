package dcsa

import (
	"regexp"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// event is one event of a document.
type event struct {
	object
	document *document
}

// warn adds a warning about the value at a path.
func (e event) warn(code, path, detail string) {
	e.document.warnings = append(e.document.warnings, freight.Warning{Code: code, Field: path, Detail: detail})
}

// warnMember adds a warning about a member of the event.
func (e event) warnMember(code, name, detail string) { e.warn(code, e.at(name), detail) }

func (e event) fact() freight.Fact {
	kind := e.required("eventType")
	f := freight.Fact{ID: e.text("eventID")}
	if !e.has("eventDateTime") {
		e.refuse(".eventDateTime", "missing", "eventDateTime is missing; every event must have a time")
	}
	f.At = e.moment("eventDateTime")
	if e.has("eventCreatedDateTime") {
		f.RecordedAt = e.moment("eventCreatedDateTime").Time
	} else {
		e.warnMember("missing_recorded_at", "eventCreatedDateTime", "the event does not say when it was created; its versions go by when they came")
	}

	call := e.child("transportCall")
	f.Place = e.place(kind, call)
	f.Mode = e.mode(call)
	vessel := call.child("vessel")
	f.Vessel = freight.VesselRef{
		IMO:  strings.TrimSpace(strings.TrimPrefix(vessel.code("vesselIMONumber"), "IMO")),
		Name: vessel.text("vesselName"),
	}
	f.LoadStatus = e.load()
	f.Classifier = e.class(kind)
	e.numbers(&f)
	containers := e.references(&f)
	f.Original = kind

	switch strings.ToUpper(kind) {
	case "EQUIPMENT":
		e.equipment(&f, containers)
	case "TRANSPORT":
		e.transport(&f, containers)
	case "SHIPMENT":
		e.shipment(&f, containers)
	default:
		f.Activity, f.Containers = freight.Other, containers
		e.warnMember("unknown_code", "eventType", "the event type is none of SHIPMENT, TRANSPORT, EQUIPMENT")
	}
	f.Voyage = voyage(call, f.Activity)
	e.neutralize(&f)
	return f
}

// required reads a string that every event must have.
func (e event) required(name string) string {
	text := e.text(name)
	if text == "" {
		e.refuse(memberPath(name), "missing", "%s is missing; it must be one of SHIPMENT, TRANSPORT, EQUIPMENT", name)
	}
	return text
}

// neutralize turns a fact into Other if it would otherwise lead to conclusions that
// the event does not support.
func (e event) neutralize(f *freight.Fact) {
	if f.Classifier == "" {
		// Neither actual nor estimate: nothing may be derived from it. An empty
		// class would mean actual.
		f.Activity, f.Classifier = freight.Other, freight.Planned
	}
	switch f.Activity {
	case freight.GateOut, freight.GateIn, freight.Loading, freight.Discharge,
		freight.Departure, freight.Arrival:
		if f.Place.LOCODE == "" && f.Place.Name == "" {
			e.warnMember("missing_place", "transportCall", "the event does not say where it took place")
		}
	}
}

// equipment reads an event of one container.
func (e event) equipment(f *freight.Fact, containers []string) {
	name, code := e.oneOf("equipmentEventTypeCode", "eventTypeCode")
	f.Original = strings.TrimSpace(f.Original + " " + code)
	f.Containers = containers
	if box := e.text("equipmentReference"); box != "" {
		// The container itself, even if its number is not in the form of ISO 6346,
		// because such containers exist. References to others are not what moved.
		f.Containers = []string{box}
		if !isContainer(box) {
			e.warnMember("container_number", "equipmentReference", "a container number has four letters and seven digits")
		}
	}
	f.Equipment.ISOType = e.code("ISOEquipmentCode")
	for _, seal := range e.children("seals") {
		f.Equipment.Seals = add(f.Equipment.Seals, seal.text("sealNumber"))
	}

	switch code {
	case "GTOT":
		f.Activity = freight.GateOut
	case "GTIN":
		f.Activity = freight.GateIn
	case "LOAD":
		f.Activity = freight.Loading
	case "DISC":
		f.Activity = freight.Discharge
	case "AVPU":
		f.Activity = freight.PickupAvailable
	case "CUSS", "CUSI":
		f.Activity = freight.CustomsHold
	case "CUSR":
		f.Activity = freight.CustomsRelease
	case "DROP":
		// Only a laden container dropped at a customer's place is a proof of
		// delivery: empty ones are dropped there for loading, and laden ones at
		// ramps.
		f.Activity = freight.Other
		if f.LoadStatus == freight.Laden && f.Place.FacilityType == "CLOC" {
			f.Activity = freight.Delivery
		}
	case "PICK", "STUF", "STRP", "INSP", "RSEA", "RMVD", "AVDO", "CROS":
		f.Activity = freight.Other
	default:
		f.Activity = freight.Other
		e.warnMember("unknown_code", name, "the equipment event code is missing or not in the standard")
	}
	if f.Activity != freight.Other && f.Classifier == freight.Actual && len(f.Containers) == 0 {
		f.Activity = freight.Other
		e.warnMember("missing_container", "equipmentReference", "the event does not say which container it happened to")
	}
}

// transport reads an event of a means of transport.
func (e event) transport(f *freight.Fact, containers []string) {
	name, code := e.oneOf("transportEventTypeCode", "eventTypeCode")
	f.Original = strings.TrimSpace(f.Original + " " + code)
	f.Containers = containers
	switch code {
	case "ARRI":
		f.Activity = freight.Arrival
	case "DEPA":
		f.Activity = freight.Departure
	default:
		f.Activity = freight.Other
		e.warnMember("unknown_code", name, "the transport event code is missing or none of ARRI, DEPA")
	}
}

// shipment reads an event of a document of the shipment.
func (e event) shipment(f *freight.Fact, containers []string) {
	name, code := e.oneOf("shipmentEventTypeCode", "eventTypeCode")
	kindName, kind := e.documentType()
	f.Original = strings.TrimSpace(f.Original + " " + code + " " + kind)
	f.Containers = containers
	f.Activity = freight.Other

	switch code {
	case "CONF":
		if kind == "BKG" {
			f.Activity = freight.Booked
		}
	case "CANC", "VOID", "REJE":
		if kind == "BKG" {
			f.Activity = freight.Cancelled
		}
	case "HOLD", "RELS":
		// A hold on the release message (SRM) is internal to the line and has no
		// counterpart among the facts: it stays a raw event.
		if kind == "CUS" || kind == "CUC" {
			f.Activity = freight.CustomsHold
			if code == "RELS" {
				f.Activity = freight.CustomsRelease
			}
		}
	case "RECE", "DRFT", "PENA", "PENU", "APPR", "ISSU", "SURR", "SUBM", "REQS", "CMPL", "PENC", "UPDT":
	default:
		e.warnMember("unknown_code", name, "the shipment event code is missing or not in the standard")
	}
	switch kind {
	case "CBR", "BKG", "SHI", "SRM", "TRD", "ARN", "VGM", "CAS", "CUS", "CUC", "DGD", "OOG":
	default:
		e.warnMember("unknown_code", kindName, "the document type is missing or not in the standard")
	}
}

// documentType returns the type of the document in documentID; BOK is the old code
// of a booking.
func (e event) documentType() (name, code string) {
	name, code = e.oneOf("documentTypeCode", "shipmentInformationTypeCode")
	if code == "BOK" {
		code = "BKG"
	}
	return name, code
}

// numbers collects the bookings and transport documents of the event.
func (e event) numbers(f *freight.Fact) {
	name := func(t freight.RequestType, number string) {
		for _, n := range f.Numbers {
			if n.Type == t && n.Number == number {
				return
			}
		}
		if number != "" {
			f.Numbers = append(f.Numbers, freight.ShipmentNumber{Type: t, Number: number})
		}
	}
	for _, r := range e.children("documentReferences") {
		value := r.text("documentReferenceValue")
		switch r.code("documentReferenceType") {
		case "BKG", "BOK":
			name(freight.BookingNumber, value)
		case "TRD", "BOL", "SWB", "MBL":
			name(freight.BillOfLading, value)
		case "CBR":
			f.References = add(f.References, value)
		case "SHI", "SRM", "ARN", "VGM", "CAS", "CUS", "CUC", "DGD", "OOG":
			// Documents by which shipments are not tracked.
		default:
			e.warn("unknown_code", r.at("documentReferenceType"), "the type of the reference is missing or not in the standard")
		}
	}
	for _, n := range []string{"carrierBookingReference", "bookingReference"} {
		name(freight.BookingNumber, e.text(n))
	}
	for _, n := range []string{"transportDocumentReference", "transportDocumentID"} {
		name(freight.BillOfLading, e.text(n))
	}
	id := e.text("documentID")
	switch _, kind := e.documentType(); kind {
	case "BKG":
		name(freight.BookingNumber, id)
	case "TRD":
		name(freight.BillOfLading, id)
	case "SHI":
		// Decided from this event alone, so that the batching of events makes no
		// difference.
		if len(f.Numbers) == 0 && id != "" {
			name(freight.BillOfLading, id)
			e.warnMember("shipping_instruction", "documentID", "the shipping instruction is the only number: taken as that of the transport document")
		}
	}
}

// references collects the references, and returns the containers among them.
func (e event) references(f *freight.Fact) (containers []string) {
	for _, r := range e.children("references") {
		value := r.text("referenceValue")
		if r.code("referenceType") == "EQ" && value != "" {
			if isContainer(value) {
				containers = add(containers, value)
				continue
			}
			e.warn("container_number", r.at("referenceValue"), "a container number has four letters and seven digits")
		}
		f.References = add(f.References, value)
	}
	return containers
}

// class reads the classifier. For a missing or unknown one it returns an empty
// class, which neutralize handles: taking it for an actual could announce something
// that never happened.
func (e event) class(kind string) freight.Classifier {
	switch e.code("eventClassifierCode") {
	case "ACT":
		return freight.Actual
	case "EST":
		return freight.Estimated
	case "PLN":
		return freight.Planned
	}
	e.warnMember("unknown_code", "eventClassifierCode", "the classifier is missing or none of ACT, EST, PLN")
	if strings.EqualFold(kind, "SHIPMENT") && !e.has("eventClassifierCode") {
		return freight.Actual // the standard has no other for documents
	}
	return ""
}

func (e event) load() freight.LoadStatus {
	switch e.code("emptyIndicatorCode") {
	case "EMPTY":
		return freight.Empty
	case "LADEN":
		return freight.Laden
	case "":
		return ""
	}
	e.warnMember("unknown_code", "emptyIndicatorCode", "the indicator is neither EMPTY nor LADEN")
	return ""
}

func (e event) mode(call object) freight.Mode {
	switch call.code("modeOfTransport") {
	case "VESSEL":
		return freight.ByVessel
	case "BARGE":
		return freight.ByBarge
	case "RAIL":
		return freight.ByRail
	case "TRUCK":
		return freight.ByTruck
	case "":
		return ""
	}
	e.warn("unknown_code", call.at("modeOfTransport"), "the mode of transport is none of VESSEL, BARGE, RAIL, TRUCK")
	return ""
}

// voyage returns the voyage of the leg of the fact: a ship arrives under its import
// voyage and leaves under its export voyage.
func voyage(call object, what freight.Activity) string {
	names := []string{"exportVoyageNumber", "carrierVoyageNumber", "importVoyageNumber"}
	if what == freight.Arrival || what == freight.Discharge {
		names[0], names[2] = names[2], names[0]
	}
	picked := ""
	for _, name := range names {
		if v := call.text(name); picked == "" {
			picked = v
		}
	}
	return picked
}

// place reads where the event took place. Up to three objects describe it; the
// first takes precedence, and the others fill in what it lacks unless they describe
// another place.
func (e event) place(kind string, call object) freight.Place {
	sites := []object{call, call.child("location"), e.child("eventLocation")}
	if strings.EqualFold(kind, "EQUIPMENT") {
		// For containers, the place is in eventLocation; transportCall is the
		// transport that it belongs to.
		sites = []object{sites[2], sites[0], sites[1]}
	}
	var place freight.Place
	for _, site := range sites {
		p := e.site(site)
		if differ(place.LOCODE, p.LOCODE) {
			e.warn("place_conflict", site.at("UNLocationCode"), "the event also names another place, which is used")
			continue
		}
		if differ(place.SMDG, p.SMDG) || differ(place.BIC, p.BIC) {
			e.warn("place_conflict", site.at("facilityCode"), "the event also names another facility, which is used")
			continue
		}
		setIfEmpty(&place.LOCODE, p.LOCODE)
		setIfEmpty(&place.Name, p.Name)
		setIfEmpty(&place.SMDG, p.SMDG)
		setIfEmpty(&place.BIC, p.BIC)
		setIfEmpty(&place.Facility, p.Facility)
		setIfEmpty(&place.FacilityType, p.FacilityType)
	}
	return place
}

func differ(a, b string) bool { return a != "" && b != "" && a != b }

func setIfEmpty(to *string, from string) {
	if *to == "" {
		*to = from
	}
}

// site reads the place in a transport call or a location, which have the same
// members.
func (e event) site(o object) freight.Place {
	p := freight.Place{
		LOCODE:       strings.ReplaceAll(o.code("UNLocationCode"), " ", ""),
		Name:         o.text("locationName"),
		Facility:     o.text("otherFacility"),
		FacilityType: o.code("facilityTypeCode"),
	}
	// A customer's place often has no name and no code, only an address.
	setIfEmpty(&p.Name, o.child("address").text("city"))
	if p.LOCODE != "" && !locode.MatchString(p.LOCODE) {
		e.warn("unknown_locode", o.at("UNLocationCode"), "a UN/LOCODE is two letters of the country and three characters")
		setIfEmpty(&p.Name, p.LOCODE)
		p.LOCODE = ""
	}
	e.facility(o, &p)
	switch p.FacilityType {
	case "", "BOCR", "BORD", "CLOC", "COFS", "COYA", "DEPO", "INTE", "OFFD", "POTE", "RAMP", "WAYP":
	default:
		e.warn("unknown_code", o.at("facilityTypeCode"), "the type of facility is not in the standard")
	}
	return p
}

// facility reads the code of a facility, from the list that the object names.
func (e event) facility(o object, p *freight.Place) {
	code, provider := o.code("facilityCode"), o.code("facilityCodeListProvider")
	switch {
	case code == "":
	case provider == "SMDG":
		p.SMDG = code
	case provider == "BIC":
		p.BIC = code
	default:
		setIfEmpty(&p.Facility, code)
		e.warn("unknown_code", o.at("facilityCodeListProvider"), "the facility code is of a list that is neither SMDG nor BIC: kept as the facility's name")
	}
}

// moment reads a time. An invalid one is refused.
func (e event) moment(name string) freight.Moment {
	text := e.text(name)
	if !e.has(name) || *e.fault != nil {
		return freight.Moment{}
	}
	m, ok := parseMoment(text)
	switch {
	case !ok:
		e.refuse(memberPath(name), "format", "%s must be a date and time with offset, such as 2026-01-02T15:04:05+08:00", name)
		return freight.Moment{}
	case m.Time.Year() < 1970 || m.Time.Year() > 2100:
		e.warnMember("implausible_time", name, "the time is before 1970 or after 2100: left out")
		return freight.Moment{}
	case m.Day:
		e.warnMember("date_only", name, "the time is a date only")
	case m.Floating:
		e.warnMember("missing_offset", name, "the time has no offset: taken as the local time at the place")
	}
	return m
}

var (
	locode    = regexp.MustCompile(`^[A-Z]{2}[A-Z0-9]{3}$`)
	container = regexp.MustCompile(`^[A-Z]{4}[0-9]{7}$`)
	// dateTime is ISO 8601 as carriers write it: seconds, minutes of the offset,
	// the offset and the time of day are optional.
	dateTime = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?:([Zz])|([+-]\d{2}):?(\d{2})?)?)?$`)
)

// parseMoment reads a time to the second.
func parseMoment(text string) (freight.Moment, bool) {
	part := dateTime.FindStringSubmatch(text)
	if part == nil {
		return freight.Moment{}, false
	}
	day, clock, seconds, zulu, hours, minutes := part[1], part[2], part[3], part[4], part[5], part[6]
	m := freight.Moment{Day: clock == "", Floating: zulu == "" && hours == ""}
	setIfEmpty(&clock, "00:00")
	setIfEmpty(&seconds, "00")
	setIfEmpty(&minutes, "00")
	offset := "Z"
	if hours != "" {
		offset = hours + ":" + minutes
	}
	t, err := time.Parse(time.RFC3339, day+"T"+clock+":"+seconds+offset)
	if err != nil {
		return freight.Moment{}, false
	}
	m.Time = t.UTC()
	return m, true
}

// isContainer reports whether the text has the form of a container number, with
// optional blanks and hyphens.
func isContainer(text string) bool {
	return container.MatchString(normalizeContainerNumber(text))
}
