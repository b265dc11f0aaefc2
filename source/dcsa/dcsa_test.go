package dcsa_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/source/dcsa"
)

// The parts that events of these tests are made of.
const (
	call = `"transportCall":{"transportCallID":"c1","UNLocationCode":"CNSHA","modeOfTransport":"VESSEL",
		"exportVoyageNumber":"214E","importVoyageNumber":"213W","facilityTypeCode":"POTE",
		"vessel":{"vesselIMONumber":"2000014","vesselName":"AMBER HERON"}}`
	documents = `"documentReferences":[{"documentReferenceType":"BKG","documentReferenceValue":"LF7700123"}]`
	times     = `"eventID":"e1","eventCreatedDateTime":"2026-03-02T09:00:00Z","eventDateTime":"2026-03-02T16:30:00+08:00","eventClassifierCode":"ACT"`
)

func equipment(code, rest string) string {
	return `{` + times + `,"eventType":"EQUIPMENT","equipmentEventTypeCode":"` + code + `","equipmentReference":"TSTU1000003",` + documents + `,` + rest + `}`
}

func transport(code, rest string) string {
	return `{` + times + `,"eventType":"TRANSPORT","transportEventTypeCode":"` + code + `",` + documents + `,` + rest + `}`
}

func shipment(code, document, id string) string {
	return `{` + times + `,"eventType":"SHIPMENT","shipmentEventTypeCode":"` + code + `","documentTypeCode":"` + document + `","documentID":"` + id + `"}`
}

func read(t *testing.T, text string) freight.Report {
	t.Helper()
	report, err := dcsa.Read(strings.NewReader(text), dcsa.Options{})
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return report
}

func readOne(t *testing.T, event string) (freight.Fact, []string) {
	t.Helper()
	report := read(t, "["+event+"]")
	if len(report.Facts) != 1 {
		t.Fatalf("got %d facts, want 1", len(report.Facts))
	}
	var warnings []string
	for _, w := range report.Warnings {
		if w.Detail == "" {
			t.Errorf("warning %s at %s has no detail", w.Code, w.Field)
		}
		warnings = append(warnings, w.Code+" "+w.Field)
	}
	return report.Facts[0], warnings
}

// TestCodes covers every event code of the standard.
func TestCodes(t *testing.T) {
	laden := `"emptyIndicatorCode":"LADEN",` + call
	customer := `"emptyIndicatorCode":"LADEN","transportCall":{"UNLocationCode":"USCHI","modeOfTransport":"TRUCK","facilityTypeCode":"CLOC"}`
	for _, c := range []struct {
		event    string
		want     freight.Activity
		original string
		warnings []string
	}{
		{equipment("GTOT", laden), freight.GateOut, "EQUIPMENT GTOT", nil},
		{equipment("GTIN", laden), freight.GateIn, "EQUIPMENT GTIN", nil},
		{equipment("LOAD", laden), freight.Loading, "EQUIPMENT LOAD", nil},
		{equipment("load", laden), freight.Loading, "EQUIPMENT LOAD", nil},
		{equipment("DISC", laden), freight.Discharge, "EQUIPMENT DISC", nil},
		{equipment("AVPU", laden), freight.PickupAvailable, "EQUIPMENT AVPU", nil},
		{equipment("CUSS", laden), freight.CustomsHold, "EQUIPMENT CUSS", nil},
		{equipment("CUSI", laden), freight.CustomsHold, "EQUIPMENT CUSI", nil},
		{equipment("CUSR", laden), freight.CustomsRelease, "EQUIPMENT CUSR", nil},
		{equipment("DROP", customer), freight.Delivery, "EQUIPMENT DROP", nil},
		{equipment("DROP", strings.Replace(customer, "LADEN", "EMPTY", 1)), freight.Other, "EQUIPMENT DROP", nil},
		{equipment("DROP", strings.Replace(customer, "CLOC", "RAMP", 1)), freight.Other, "EQUIPMENT DROP", nil},
		{equipment("PICK", laden), freight.Other, "EQUIPMENT PICK", nil},
		{equipment("STUF", laden), freight.Other, "EQUIPMENT STUF", nil},
		{equipment("STRP", laden), freight.Other, "EQUIPMENT STRP", nil},
		{equipment("INSP", laden), freight.Other, "EQUIPMENT INSP", nil},
		{equipment("RSEA", laden), freight.Other, "EQUIPMENT RSEA", nil},
		{equipment("RMVD", laden), freight.Other, "EQUIPMENT RMVD", nil},
		{equipment("AVDO", laden), freight.Other, "EQUIPMENT AVDO", nil},
		{equipment("CROS", laden), freight.Other, "EQUIPMENT CROS", nil},
		{equipment("WASH", laden), freight.Other, "EQUIPMENT WASH", []string{"unknown_code $[0].equipmentEventTypeCode"}},
		{transport("ARRI", call), freight.Arrival, "TRANSPORT ARRI", nil},
		{transport("DEPA", call), freight.Departure, "TRANSPORT DEPA", nil},
		{transport("SINK", call), freight.Other, "TRANSPORT SINK", []string{"unknown_code $[0].transportEventTypeCode"}},
		{shipment("CONF", "BKG", "LF1"), freight.Booked, "SHIPMENT CONF BKG", nil},
		{shipment("CONF", "TRD", "LF1"), freight.Other, "SHIPMENT CONF TRD", nil},
		{shipment("CANC", "BKG", "LF1"), freight.Cancelled, "SHIPMENT CANC BKG", nil},
		{shipment("VOID", "BKG", "LF1"), freight.Cancelled, "SHIPMENT VOID BKG", nil},
		{shipment("VOID", "ARN", "LF1"), freight.Other, "SHIPMENT VOID ARN", nil},
		{shipment("REJE", "BKG", "LF1"), freight.Cancelled, "SHIPMENT REJE BKG", nil},
		{shipment("HOLD", "CUS", "LF1"), freight.CustomsHold, "SHIPMENT HOLD CUS", nil},
		{shipment("HOLD", "CUC", "LF1"), freight.CustomsHold, "SHIPMENT HOLD CUC", nil},
		{shipment("RELS", "CUS", "LF1"), freight.CustomsRelease, "SHIPMENT RELS CUS", nil},
		{shipment("HOLD", "SRM", "LF1"), freight.Other, "SHIPMENT HOLD SRM", nil},
		{shipment("RELS", "SRM", "LF1"), freight.Other, "SHIPMENT RELS SRM", nil},
		{shipment("RECE", "BKG", "LF1"), freight.Other, "SHIPMENT RECE BKG", nil},
		{shipment("DRFT", "TRD", "LF1"), freight.Other, "SHIPMENT DRFT TRD", nil},
		{shipment("PENA", "TRD", "LF1"), freight.Other, "SHIPMENT PENA TRD", nil},
		{shipment("PENU", "TRD", "LF1"), freight.Other, "SHIPMENT PENU TRD", nil},
		{shipment("APPR", "TRD", "LF1"), freight.Other, "SHIPMENT APPR TRD", nil},
		{shipment("ISSU", "TRD", "LF1"), freight.Other, "SHIPMENT ISSU TRD", nil},
		{shipment("SURR", "TRD", "LF1"), freight.Other, "SHIPMENT SURR TRD", nil},
		{shipment("SUBM", "VGM", "LF1"), freight.Other, "SHIPMENT SUBM VGM", nil},
		{shipment("REQS", "CBR", "LF1"), freight.Other, "SHIPMENT REQS CBR", nil},
		{shipment("CMPL", "BKG", "LF1"), freight.Other, "SHIPMENT CMPL BKG", nil},
		{shipment("GONE", "BKG", "LF1"), freight.Other, "SHIPMENT GONE BKG", []string{"unknown_code $[0].shipmentEventTypeCode"}},
		{shipment("CONF", "XYZ", "LF1"), freight.Other, "SHIPMENT CONF XYZ", []string{"unknown_code $[0].documentTypeCode"}},
		{`{` + times + `,"eventType":"IOT"}`, freight.Other, "IOT", []string{"unknown_code $[0].eventType"}},
		// The names of version 2.0.
		{`{` + times + `,"eventType":"TRANSPORT","eventTypeCode":"ARRI",` + call + `}`, freight.Arrival, "TRANSPORT ARRI", nil},
		{`{` + times + `,"eventType":"SHIPMENT","eventTypeCode":"CONF","shipmentInformationTypeCode":"BOK","documentID":"LF1"}`, freight.Booked, "SHIPMENT CONF BKG", nil},
	} {
		t.Run(c.original, func(t *testing.T) {
			fact, warnings := readOne(t, c.event)
			if fact.Activity != c.want || fact.Original != c.original {
				t.Errorf("got %q, %q; want %q, %q", fact.Activity, fact.Original, c.want, c.original)
			}
			if !slices.Equal(warnings, c.warnings) {
				t.Errorf("warnings %q, want %q", warnings, c.warnings)
			}
		})
	}
}

// TestFact checks the fact of one event of each kind.
func TestFact(t *testing.T) {
	fact, warnings := readOne(t, `{
		"eventID": "9d1e", "eventType": "EQUIPMENT", "eventClassifierCode": "ACT",
		"eventCreatedDateTime": "2026-03-02T09:15:30.250Z",
		"eventDateTime": "2026-03-02T16:30:00+08:00",
		"equipmentEventTypeCode": "LOAD", "equipmentReference": "TSTU1000003",
		"ISOEquipmentCode": "45g1", "emptyIndicatorCode": "LADEN",
		"eventLocation": {"locationName": "Shanghai", "UNLocationCode": "cnsha", "facilityCode": "SHENG", "facilityCodeListProvider": "SMDG"},
		"transportCall": {"UNLocationCode": "CNSHA", "facilityTypeCode": "POTE", "otherFacility": "Yangshan 1", "modeOfTransport": "VESSEL",
			"exportVoyageNumber": "214E", "importVoyageNumber": "213W",
			"vessel": {"vesselIMONumber": "IMO 2000014", "vesselName": "AMBER HERON", "vesselOperatorCarrierCode": "ABCD", "vesselOperatorCarrierCodeListProvider": "NMFTA"}},
		"documentReferences": [
			{"documentReferenceType": "BKG", "documentReferenceValue": "LF7700123"},
			{"documentReferenceType": "TRD", "documentReferenceValue": " LFBL00991 "},
			{"documentReferenceType": "TRD", "documentReferenceValue": "LFBL00991"},
			{"documentReferenceType": "CBR", "documentReferenceValue": "REQ-5"}],
		"references": [{"referenceType": "PO", "referenceValue": "4500071"}, {"referenceType": "EQ", "referenceValue": "TSTU2000006"}],
		"seals": [{"sealNumber": "S-81", "sealType": "BLT"}, {"sealNumber": "S-82", "sealType": "BLT"}]
	}`)
	if len(warnings) != 0 {
		t.Errorf("warnings: %q", warnings)
	}
	want := freight.Fact{
		ID:         "9d1e",
		RecordedAt: time.Date(2026, 3, 2, 9, 15, 30, 0, time.UTC),
		Activity:   freight.Loading,
		Classifier: freight.Actual,
		At:         freight.Moment{Time: time.Date(2026, 3, 2, 8, 30, 0, 0, time.UTC)},
		Place:      freight.Place{LOCODE: "CNSHA", Name: "Shanghai", SMDG: "SHENG", Facility: "Yangshan 1", FacilityType: "POTE"},
		Mode:       freight.ByVessel,
		LoadStatus: freight.Laden,
		Vessel:     freight.VesselRef{IMO: "2000014", Name: "AMBER HERON"},
		Voyage:     "214E",
		Containers: []string{"TSTU1000003"},
		Numbers: []freight.ShipmentNumber{
			{Type: freight.BookingNumber, Number: "LF7700123"},
			{Type: freight.BillOfLading, Number: "LFBL00991"},
		},
		References: []string{"REQ-5", "4500071"},
		Equipment:  freight.Equipment{ISOType: "45G1", Seals: []string{"S-81", "S-82"}},
		Original:   "EQUIPMENT LOAD",
	}
	payload := fact.Payload
	fact.Payload = nil
	if got, want := fmt.Sprintf("%+v", fact), fmt.Sprintf("%+v", want); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !json.Valid(payload) || strings.Contains(string(payload), "\n") || !strings.Contains(string(payload), `"vesselOperatorCarrierCode":"ABCD"`) {
		t.Errorf("payload is not the compact event: %s", payload)
	}
}

// TestFields checks single members.
func TestFields(t *testing.T) {
	laden := `"emptyIndicatorCode":"LADEN",`
	for _, c := range []struct {
		name, event string
		get         func(freight.Fact) any
		want        any
		warnings    []string
	}{
		{"estimated", strings.Replace(transport("ARRI", call), `"ACT"`, `"EST"`, 1),
			func(f freight.Fact) any { return f.Classifier }, freight.Estimated, nil},
		{"planned", strings.Replace(transport("ARRI", call), `"ACT"`, `"PLN"`, 1),
			func(f freight.Fact) any { return f.Classifier }, freight.Planned, nil},
		{"unknown classifier derives nothing", strings.Replace(transport("ARRI", call), `"ACT"`, `"REQ"`, 1),
			func(f freight.Fact) any { return string(f.Activity) + " " + string(f.Classifier) }, "other planned",
			[]string{"unknown_code $[0].eventClassifierCode"}},
		{"no classifier derives nothing", strings.Replace(transport("ARRI", call), `,"eventClassifierCode":"ACT"`, ``, 1),
			func(f freight.Fact) any { return f.Activity }, freight.Other,
			[]string{"unknown_code $[0].eventClassifierCode"}},
		{"a document without classifier is actual", strings.Replace(shipment("CONF", "BKG", "LF1"), `,"eventClassifierCode":"ACT"`, ``, 1),
			func(f freight.Fact) any { return string(f.Activity) + " " + string(f.Classifier) }, "booking_confirmed actual",
			[]string{"unknown_code $[0].eventClassifierCode"}},
		{"arrival by import voyage", transport("ARRI", call), func(f freight.Fact) any { return f.Voyage }, "213W", nil},
		{"departure by export voyage", transport("DEPA", call), func(f freight.Fact) any { return f.Voyage }, "214E", nil},
		{"voyage falls back", transport("ARRI", `"transportCall":{"UNLocationCode":"CNSHA","carrierVoyageNumber":"9","exportVoyageNumber":"10"}`),
			func(f freight.Fact) any { return f.Voyage }, "9", nil},
		{"barge", transport("ARRI", `"transportCall":{"UNLocationCode":"CNSHA","modeOfTransport":"BARGE"}`),
			func(f freight.Fact) any { return f.Mode }, freight.ByBarge, nil},
		{"rail", transport("ARRI", `"transportCall":{"UNLocationCode":"USCHI","modeOfTransport":"RAIL"}`),
			func(f freight.Fact) any { return f.Mode }, freight.ByRail, nil},
		{"truck", transport("ARRI", `"transportCall":{"UNLocationCode":"USCHI","modeOfTransport":"TRUCK"}`),
			func(f freight.Fact) any { return f.Mode }, freight.ByTruck, nil},
		{"unknown mode", transport("ARRI", `"transportCall":{"UNLocationCode":"USCHI","modeOfTransport":"DRONE"}`),
			func(f freight.Fact) any { return f.Mode }, freight.Mode(""), []string{"unknown_code $[0].transportCall.modeOfTransport"}},
		{"empty load", equipment("LOAD", `"emptyIndicatorCode":"EMPTY",`+call),
			func(f freight.Fact) any { return f.LoadStatus }, freight.Empty, nil},
		{"unknown load", equipment("GTIN", `"emptyIndicatorCode":"HALF",`+call),
			func(f freight.Fact) any { return f.LoadStatus }, freight.LoadStatus(""), []string{"unknown_code $[0].emptyIndicatorCode"}},
		{"BIC facility", equipment("GTIN", laden+`"eventLocation":{"UNLocationCode":"DEHAM","facilityCode":"EGHA","facilityCodeListProvider":"BIC"}`),
			func(f freight.Fact) any { return f.Place }, freight.Place{LOCODE: "DEHAM", BIC: "EGHA"}, nil},
		{"unknown facility list", equipment("GTIN", laden+`"eventLocation":{"UNLocationCode":"DEHAM","facilityCode":"K3","facilityCodeListProvider":"OWN"}`),
			func(f freight.Fact) any { return f.Place }, freight.Place{LOCODE: "DEHAM", Facility: "K3"},
			[]string{"unknown_code $[0].eventLocation.facilityCodeListProvider"}},
		{"unknown facility type", transport("ARRI", `"transportCall":{"UNLocationCode":"DEHAM","facilityTypeCode":"SHED"}`),
			func(f freight.Fact) any { return f.Place }, freight.Place{LOCODE: "DEHAM", FacilityType: "SHED"},
			[]string{"unknown_code $[0].transportCall.facilityTypeCode"}},
		{"no locode", transport("ARRI", `"transportCall":{"UNLocationCode":"HAMBURG"}`),
			func(f freight.Fact) any { return f.Place }, freight.Place{Name: "HAMBURG"},
			[]string{"unknown_locode $[0].transportCall.UNLocationCode"}},
		{"place of a call in its location", transport("ARRI", `"transportCall":{"location":{"UNLocationCode":"DEHAM","address":{"city":"Hamburg"}}}`),
			func(f freight.Fact) any { return f.Place }, freight.Place{LOCODE: "DEHAM", Name: "Hamburg"}, nil},
		{"an event's own place wins for boxes", equipment("GTIN", laden+`"eventLocation":{"UNLocationCode":"USCHI"},`+call),
			func(f freight.Fact) any { return f.Place.LOCODE }, "USCHI",
			[]string{"place_conflict $[0].transportCall.UNLocationCode"}},
		{"the call wins for ships", transport("ARRI", `"eventLocation":{"UNLocationCode":"USCHI"},`+call),
			func(f freight.Fact) any { return f.Place.LOCODE }, "CNSHA",
			[]string{"place_conflict $[0].eventLocation.UNLocationCode"}},
		{"two terminals", equipment("GTIN", laden+`"eventLocation":{"UNLocationCode":"DEHAM","facilityCode":"CTA","facilityCodeListProvider":"SMDG"},
			"transportCall":{"UNLocationCode":"DEHAM","facilityCode":"CTB","facilityCodeListProvider":"SMDG"}`),
			func(f freight.Fact) any { return f.Place.SMDG }, "CTA",
			[]string{"place_conflict $[0].transportCall.facilityCode"}},
		{"nowhere", transport("ARRI", `"changeRemark":"fog"`),
			func(f freight.Fact) any { return f.Activity }, freight.Arrival, []string{"missing_place $[0].transportCall"}},
		{"containers of a ship's event", transport("ARRI", call+`,"references":[{"referenceType":"EQ","referenceValue":"TSTU 100000-3"},
			{"referenceType":"EQ","referenceValue":"none"},{"referenceType":"FF","referenceValue":"FF-1"}]`),
			func(f freight.Fact) any { return fmt.Sprint(f.Containers, f.References) }, "[TSTU 100000-3] [none FF-1]",
			[]string{"container_number $[0].references[1].referenceValue"}},
		{"box without ISO number", strings.Replace(equipment("GTIN", laden+call), "TSTU1000003", "BULK-7", 1),
			func(f freight.Fact) any { return fmt.Sprint(f.Containers) }, "[BULK-7]",
			[]string{"container_number $[0].equipmentReference"}},
		{"no box, but a reference", strings.Replace(equipment("GTIN", laden+call+`,"references":[{"referenceType":"EQ","referenceValue":"TSTU1000003"}]`), `"equipmentReference":"TSTU1000003",`, "", 1),
			func(f freight.Fact) any { return fmt.Sprintln(f.Activity, f.Containers) }, "gate_in [TSTU1000003]\n", nil},
		{"no box at all", strings.Replace(equipment("GTIN", laden+call), `"equipmentReference":"TSTU1000003",`, "", 1),
			func(f freight.Fact) any { return f.Activity }, freight.Other, []string{"missing_container $[0].equipmentReference"}},
		{"a plan needs no box", strings.Replace(strings.Replace(equipment("LOAD", laden+call), `"equipmentReference":"TSTU1000003",`, "", 1), `"ACT"`, `"PLN"`, 1),
			func(f freight.Fact) any { return f.Activity }, freight.Loading, nil},
		{"old names of numbers", `{` + times + `,"eventType":"TRANSPORT","transportEventTypeCode":"ARRI","bookingReference":"B1","carrierBookingReference":"B2","transportDocumentID":"T1","transportDocumentReference":"T2",` + call + `}`,
			func(f freight.Fact) any { return fmt.Sprint(f.Numbers) },
			"[{booking_number B2} {booking_number B1} {bill_of_lading T2} {bill_of_lading T1}]", nil},
		{"booking of a document event", shipment("RECE", "BKG", "LF1"),
			func(f freight.Fact) any { return fmt.Sprint(f.Numbers) }, "[{booking_number LF1}]", nil},
		{"transport document of a document event", shipment("ISSU", "TRD", "LF1"),
			func(f freight.Fact) any { return fmt.Sprint(f.Numbers) }, "[{bill_of_lading LF1}]", nil},
		{"other documents are no numbers", shipment("ISSU", "ARN", "LF1"),
			func(f freight.Fact) any { return len(f.Numbers) }, 0, nil},
		{"shipping instruction alone", shipment("DRFT", "SHI", "LF1"),
			func(f freight.Fact) any { return fmt.Sprint(f.Numbers) }, "[{bill_of_lading LF1}]",
			[]string{"shipping_instruction $[0].documentID"}},
		{"shipping instruction beside a booking", strings.Replace(shipment("DRFT", "SHI", "LF1"), `{`, `{`+documents+`,`, 1),
			func(f freight.Fact) any { return fmt.Sprint(f.Numbers) }, "[{booking_number LF7700123}]", nil},
		{"null is absent, and other names are not read", transport("ARRI", call+`,"references":null,"seals":7`),
			func(f freight.Fact) any { return len(f.Numbers) }, 1, nil},
		{"reference of unknown type", strings.Replace(transport("ARRI", call), `"BKG"`, `"ZZZ"`, 1),
			func(f freight.Fact) any { return len(f.Numbers) }, 0,
			[]string{"unknown_code $[0].documentReferences[0].documentReferenceType"}},
		{"no event ID", strings.Replace(transport("ARRI", call), `"eventID":"e1",`, "", 1),
			func(f freight.Fact) any { return f.ID }, "", nil},
		{"not recorded", strings.Replace(transport("ARRI", call), `"eventCreatedDateTime":"2026-03-02T09:00:00Z",`, "", 1),
			func(f freight.Fact) any { return f.RecordedAt.IsZero() }, true,
			[]string{"missing_recorded_at $[0].eventCreatedDateTime"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fact, warnings := readOne(t, c.event)
			if got := c.get(fact); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if !slices.Equal(warnings, c.warnings) {
				t.Errorf("warnings %q, want %q", warnings, c.warnings)
			}
		})
	}
}

func TestTimes(t *testing.T) {
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct {
		text string
		want freight.Moment
		warn string
	}{
		{"2026-03-02T16:30:00+08:00", freight.Moment{Time: at("2026-03-02T08:30:00Z")}, ""},
		{"2026-03-02T16:30:00+08:30", freight.Moment{Time: at("2026-03-02T08:00:00Z")}, ""},
		{"2026-03-02T16:30:00-0330", freight.Moment{Time: at("2026-03-02T20:00:00Z")}, ""},
		{"2026-03-02T16:30:00+08", freight.Moment{Time: at("2026-03-02T08:30:00Z")}, ""},
		{"2026-03-02T16:30Z", freight.Moment{Time: at("2026-03-02T16:30:00Z")}, ""},
		{"2026-03-02t16:30:59.999z", freight.Moment{Time: at("2026-03-02T16:30:59Z")}, ""},
		{"2026-03-02T16:30:00", freight.Moment{Time: at("2026-03-02T16:30:00Z"), Floating: true}, "missing_offset"},
		{"2026-03-02 16:30", freight.Moment{Time: at("2026-03-02T16:30:00Z"), Floating: true}, "missing_offset"},
		{"2026-03-02", freight.Moment{Time: at("2026-03-02T00:00:00Z"), Day: true, Floating: true}, "date_only"},
		{"0001-01-01T00:00:00Z", freight.Moment{}, "implausible_time"},
		{"9999-12-31T23:59:59-12:00", freight.Moment{}, "implausible_time"},
	} {
		fact, warnings := readOne(t, strings.Replace(transport("ARRI", call), "2026-03-02T16:30:00+08:00", c.text, 1))
		if fact.At != c.want {
			t.Errorf("%s: got %+v, want %+v", c.text, fact.At, c.want)
		}
		want := []string{c.warn + " $[0].eventDateTime"}
		if c.warn == "" {
			want = nil
		}
		if !slices.Equal(warnings, want) {
			t.Errorf("%s: warnings %q, want %q", c.text, warnings, want)
		}
	}
}

// TestShapes checks the three forms of a document.
func TestShapes(t *testing.T) {
	one, two := transport("DEPA", call), shipment("CONF", "BKG", "LF1")
	for name, text := range map[string]string{
		"array":           "[" + one + "," + two + "]",
		"events":          `{"metadata":{"n":1},"events":[` + one + ",\n" + two + `],"more":null}`,
		"byte order mark": "\xef\xbb\xbf[" + one + "," + two + "]",
	} {
		report := read(t, text)
		if len(report.Facts) != 2 || report.Facts[0].Activity != freight.Departure || report.Facts[1].Activity != freight.Booked {
			t.Errorf("%s: got %d facts", name, len(report.Facts))
		}
	}
	report := read(t, " "+strings.Replace(one, "CNSHA", "Shanghai", 1)+"\n")
	if len(report.Facts) != 1 || string(report.Facts[0].Payload[:1]) != "{" {
		t.Errorf("single event: got %d facts", len(report.Facts))
	}
	if report.Warnings[0].Field != "$.transportCall.UNLocationCode" {
		t.Errorf("single event: warning at %s", report.Warnings[0].Field)
	}
	for _, empty := range []string{"[]", `{"events":[]}`} {
		if report := read(t, empty); len(report.Facts) != 0 {
			t.Errorf("%s: got %d facts", empty, len(report.Facts))
		}
	}
}

func TestOptions(t *testing.T) {
	report := read(t, "[]")
	if report.Source != "dcsa" || report.SCAC != "" || report.DataSource != freight.FromShippingLine {
		t.Errorf("defaults: %+v", report)
	}
	report, err := dcsa.Read(strings.NewReader("[]"), dcsa.Options{SCAC: " maeu ", Source: "dcsa-maersk"})
	if err != nil || report.Source != "dcsa-maersk" || report.SCAC != "MAEU" {
		t.Errorf("got %+v, %v", report, err)
	}
}

// TestRefused: what is refused, with which path, and that nothing of the document
// is kept.
func TestRefused(t *testing.T) {
	good := transport("ARRI", call)
	swap := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %s in the event", old)
		}
		return "[" + good + "," + strings.Replace(good, old, new, 1) + "]"
	}
	with := func(rest string) string { return "[" + transport("ARRI", rest) + "]" }
	for _, c := range []struct{ name, text, field, code string }{
		{"empty", "", "$", "syntax"},
		{"blank", " \n", "$", "syntax"},
		{"not JSON", "<html>", "$", "syntax"},
		{"cut off", "[" + good[:40], "$", "syntax"},
		{"two documents", "[][]", "$", "syntax"},
		{"trailing comma", "[" + good + ",]", "$", "syntax"},
		{"number", "7", "$", "type"},
		{"string", `"x"`, "$", "type"},
		{"null", "null", "$", "type"},
		{"events of wrong type", `{"events":{}}`, "$.events", "type"},
		{"events null", `{"events":null}`, "$.events", "type"},
		{"no event", `{"metadata":{}}`, "$.eventType", "missing"},
		{"event is a string", "[" + good + `,"x"]`, "$[1]", "type"},
		{"event is null", "[null]", "$[0]", "type"},
		{"event is an array", `{"events":[[` + good + `]]}`, "$.events[0]", "type"},
		{"wrapped twice", `[{"someEvents":[` + good + `]}]`, "$[0].eventType", "missing"},
		{"eventType missing", swap(`"eventType":"TRANSPORT",`, ""), "$[1].eventType", "missing"},
		{"eventType null", swap(`"eventType":"TRANSPORT"`, `"eventType":null`), "$[1].eventType", "missing"},
		{"eventType blank", swap(`"eventType":"TRANSPORT"`, `"eventType":" "`), "$[1].eventType", "missing"},
		{"eventType number", swap(`"eventType":"TRANSPORT"`, `"eventType":4`), "$[1].eventType", "type"},
		{"eventDateTime missing", swap(`"eventDateTime":"2026-03-02T16:30:00+08:00",`, ""), "$[1].eventDateTime", "missing"},
		{"eventDateTime number", swap(`"eventDateTime":"2026-03-02T16:30:00+08:00"`, `"eventDateTime":1772440200`), "$[1].eventDateTime", "type"},
		{"eventDateTime blank", swap("2026-03-02T16:30:00+08:00", ""), "$[1].eventDateTime", "format"},
		{"eventDateTime slashes", swap("2026-03-02T16:30:00+08:00", "2026/03/02 16:30:00 +08:00"), "$[1].eventDateTime", "format"},
		{"eventDateTime no such day", swap("2026-03-02T16:30:00+08:00", "2026-02-30T16:30:00Z"), "$[1].eventDateTime", "format"},
		{"eventDateTime no such hour", swap("2026-03-02T16:30:00+08:00", "2026-03-02T25:30:00Z"), "$[1].eventDateTime", "format"},
		{"eventDateTime no such offset", swap("2026-03-02T16:30:00+08:00", "2026-03-02T16:30:00+08:99"), "$[1].eventDateTime", "format"},
		{"eventDateTime of a zone", swap("2026-03-02T16:30:00+08:00", "2026-03-02T16:30:00 PST"), "$[1].eventDateTime", "format"},
		{"eventCreatedDateTime words", swap("2026-03-02T09:00:00Z", "yesterday"), "$[1].eventCreatedDateTime", "format"},
		{"eventCreatedDateTime object", swap(`"2026-03-02T09:00:00Z"`, `{}`), "$[1].eventCreatedDateTime", "type"},
		{"eventID number", swap(`"eventID":"e1"`, `"eventID":1`), "$[1].eventID", "type"},
		{"eventID array", swap(`"eventID":"e1"`, `"eventID":["e1"]`), "$[1].eventID", "type"},
		{"classifier boolean", swap(`"ACT"`, `true`), "$[1].eventClassifierCode", "type"},
		{"code number", swap(`"transportEventTypeCode":"ARRI"`, `"transportEventTypeCode":1`), "$[1].transportEventTypeCode", "type"},
		{"transportCall string", with(`"transportCall":"c1"`), "$[0].transportCall", "type"},
		{"vessel string", with(`"transportCall":{"vessel":"AMBER HERON"}`), "$[0].transportCall.vessel", "type"},
		{"IMO number", with(`"transportCall":{"vessel":{"vesselIMONumber":2000014}}`), "$[0].transportCall.vessel.vesselIMONumber", "type"},
		{"location array", with(`"transportCall":{"location":[]}`), "$[0].transportCall.location", "type"},
		{"address string", with(`"eventLocation":{"address":"Kai 1"}`), "$[0].eventLocation.address", "type"},
		{"references object", with(`"references":{"referenceType":"EQ"}`), "$[0].references", "type"},
		{"reference string", with(`"references":[{},"EQ"]`), "$[0].references[1]", "type"},
		{"reference value number", with(`"references":[{"referenceType":"PO","referenceValue":45}]`), "$[0].references[0].referenceValue", "type"},
		{"documentReferences string", swap(documents, `"documentReferences":"LF1"`), "$[1].documentReferences", "type"},
		{"seals object", "[" + equipment("LOAD", `"seals":{}`) + "]", "$[0].seals", "type"},
		{"seal number", "[" + equipment("LOAD", `"seals":[{"sealNumber":8}]`) + "]", "$[0].seals[0].sealNumber", "type"},
		{"name twice", swap(`"eventID":"e1"`, `"eventID":"e1","eventID":"e2"`), "$[1].eventID", "duplicate"},
		{"name twice, escaped", swap(`"eventID":"e1"`, `"eventID":"e1","\u0065ventID":"e2"`), "$[1].eventID", "duplicate"},
		{"name twice where not read", with(`"x":{"a b":[{"c":1,"c":2}]}`), `$[0].x["a b"][0].c`, "duplicate"},
		{"events twice", `{"events":[],"events":[]}`, "$.events", "duplicate"},
		{"NUL", with(`"changeRemark":"a\u0000b"`), "$[0].changeRemark", "text"},
		{"not UTF-8", with("\"changeRemark\":\"a\xffb\""), "$[0].changeRemark", "text"},
		{"half a pair", with(`"changeRemark":"\ud83d!"`), "$[0].changeRemark", "text"},
		{"other half", with(`"changeRemark":"\udea2"`), "$[0].changeRemark", "text"},
		{"pair of halves", with(`"changeRemark":"\ud83d\ud83d"`), "$[0].changeRemark", "text"},
		{"NUL in a name", `[{"a\u0000":1}]`, "$[0]", "text"},
		{"too deep", with(`"x":` + strings.Repeat("[", 31) + strings.Repeat("]", 31)), "$[0].x" + strings.Repeat("[0]", 30), "too_deep"},
		{"far too deep", strings.Repeat("[", 100_000), "$", "syntax"},
		{"too many", "[" + strings.Repeat(good+",", 10_000) + good + "]", "$", "too_large"},
		{"too many in an object", `{"events":[` + strings.Repeat(good+",", 10_000) + good + "]}", "$.events", "too_large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			report, err := dcsa.Read(strings.NewReader(c.text), dcsa.Options{})
			var fault *tracking.Error
			if !errors.As(err, &fault) {
				t.Fatalf("got %v, want a *tracking.Error", err)
			}
			if fault.Kind != tracking.BadDocument || fault.Field != c.field || fault.Code != c.code || fault.Detail == "" {
				t.Errorf("got kind %d, field %s, code %s (%s); want field %s, code %s", fault.Kind, fault.Field, fault.Code, fault.Detail, c.field, c.code)
			}
			if len(report.Facts) != 0 || report.Source != "" {
				t.Errorf("a refused document left %d facts", len(report.Facts))
			}
		})
	}
}

// TestAllowed: values just within the limits.
func TestAllowed(t *testing.T) {
	good := transport("ARRI", call)
	for name, text := range map[string]string{
		"32 levels":    "[" + transport("ARRI", call+`,"x":`+strings.Repeat("[", 30)+strings.Repeat("]", 30)) + "]",
		"emoji":        "[" + transport("ARRI", call+`,"changeRemark":"\ud83d\udea2 \\u0000 \ufffd \u00e9"`) + "]",
		"10000 events": "[" + strings.Repeat(good+",", 9_999) + good + "]",
	} {
		if _, err := dcsa.Read(strings.NewReader(text), dcsa.Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTooLarge(t *testing.T) {
	// Blanks are JSON too, and cost the test no parsing.
	blanks := io.LimitReader(repeat(' '), 64<<20)
	_, err := dcsa.Read(io.MultiReader(blanks, strings.NewReader("[]")), dcsa.Options{})
	var fault *tracking.Error
	if !errors.As(err, &fault) || fault.Field != "$" || fault.Code != "too_large" {
		t.Errorf("got %v", err)
	}
}

// repeat is an endless run of one byte.
type repeat byte

func (r repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

// TestReaderFails: a broken connection is not an error of the document.
func TestReaderFails(t *testing.T) {
	_, err := dcsa.Read(iotest.ErrReader(io.ErrUnexpectedEOF), dcsa.Options{})
	var fault *tracking.Error
	if !errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &fault) {
		t.Errorf("got %v", err)
	}
}

// TestBatching: the facts of a document do not depend on what else is in it.
func TestBatching(t *testing.T) {
	events := []string{
		transport("DEPA", call), equipment("LOAD", `"emptyIndicatorCode":"LADEN",`+call),
		shipment("DRFT", "SHI", "LF1"), shipment("ISSU", "TRD", "LF1"), shipment("CONF", "BKG", "LF2"),
	}
	whole := read(t, "["+strings.Join(events, ",")+"]")
	for i, event := range events {
		fact, _ := readOne(t, event)
		if got, want := fmt.Sprintf("%+v", fact), fmt.Sprintf("%+v", whole.Facts[i]); got != want {
			t.Errorf("event %d alone:\n%s\nin the batch:\n%s", i, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "null", "[]", "{}", `{"events":[]}`, `[{"a":{"a":[1,-2.5e9,true,null,"\u00e9"]}}]`,
		"[" + equipment("LOAD", `"emptyIndicatorCode":"EMPTY",`+call) + "]",
		"[" + transport("ARRI", call) + "," + shipment("DRFT", "SHI", "LF1") + "]",
		`{"events":[` + transport("DEPA", `"references":[{"referenceType":"EQ","referenceValue":"TSTU1000003"}]`) + `]}`,
		shipment("CONF", "BKG", "LF1"),
		`[{"eventType":"TRANSPORT","eventDateTime":"2026-03-02","x":"\ud83d\udea2","y":"\ud83d"}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		report, err := dcsa.Read(strings.NewReader(string(data)), dcsa.Options{})
		if err != nil {
			var fault *tracking.Error
			if !errors.As(err, &fault) || fault.Kind != tracking.BadDocument || !strings.HasPrefix(fault.Field, "$") || fault.Detail == "" {
				t.Fatalf("error without a path: %#v", err)
			}
			if len(report.Facts) != 0 {
				t.Fatal("facts of a refused document")
			}
			return
		}
		for _, fact := range report.Facts {
			switch {
			case fact.Activity == "" || fact.Classifier == "" || fact.Original == "":
				t.Fatalf("a fact without a statement: %+v", fact)
			case !json.Valid(fact.Payload):
				t.Fatalf("payload is not JSON: %q", fact.Payload)
			case fact.At.Time.Location() != time.UTC || fact.RecordedAt.Location() != time.UTC:
				t.Fatalf("a time outside UTC: %+v", fact)
			case fact.Place.LOCODE != "" && len(fact.Place.LOCODE) != 5:
				t.Fatalf("locode %q", fact.Place.LOCODE)
			}
			// A kept event can be read again, to the same fact.
			again, err := dcsa.Read(strings.NewReader(string(fact.Payload)), dcsa.Options{})
			if err != nil || len(again.Facts) != 1 || fmt.Sprintf("%+v", again.Facts[0]) != fmt.Sprintf("%+v", fact) {
				t.Fatalf("the payload reads differently: %v\n%+v\n%+v", err, fact, again.Facts)
			}
		}
		for _, w := range report.Warnings {
			if w.Code == "" || !strings.HasPrefix(w.Field, "$") {
				t.Fatalf("warning without a path: %+v", w)
			}
		}
	})
}
