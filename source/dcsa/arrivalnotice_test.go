package dcsa_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/trackingtest"
)

func readNotice(t testing.TB, data []byte, scac string) (freight.Report, []string) {
	t.Helper()
	report, err := dcsa.ReadArrivalNotice(bytes.NewReader(data), dcsa.Options{SCAC: scac})
	if err != nil {
		t.Fatalf("ReadArrivalNotice: %v", err)
	}
	var warnings []string
	for _, w := range report.Warnings {
		warnings = append(warnings, w.Code+" "+w.Field)
	}
	return report, warnings
}

// TestArrivalNotice checks all facts of one full notice.
func TestArrivalNotice(t *testing.T) {
	report, warnings := readNotice(t, sample(t, "arrival-notice.json"), "")
	if len(warnings) > 0 {
		t.Errorf("warnings %q", warnings)
	}
	issued := time.Date(2026, 4, 20, 8, 0, 0, 0, time.UTC)
	day := func(month time.Month, d int) freight.Moment {
		return freight.Moment{Time: time.Date(2026, month, d, 0, 0, 0, 0, time.UTC), Day: true, Floating: true}
	}
	trd := []freight.ShipmentNumber{{Type: freight.BillOfLading, Number: "LFBL00991"}}
	booked := func(numbers ...string) []freight.ShipmentNumber {
		all := slices.Clone(trd)
		for _, n := range numbers {
			all = append(all, freight.ShipmentNumber{Type: freight.BookingNumber, Number: n})
		}
		return all
	}
	shanghai := freight.Place{LOCODE: "CNSHA", Name: "Shanghai"}
	oakland := freight.Place{LOCODE: "USOAK", Name: "Oakland"}
	berths := freight.Place{LOCODE: "USOAK", Name: "Oakland", SMDG: "OICT", Facility: "Berths 55 to 59", FacilityType: "POTE"}
	chicago := freight.Place{LOCODE: "USCHI", Name: "Chicago", FacilityType: "RAMP"}
	role := func(p freight.Place, r freight.Role) freight.Place { p.Role = r; return p }
	heron := freight.VesselRef{IMO: "2000014", Name: "AMBER HERON"}
	held := []freight.Hold{{Name: "freight", Status: "hold"}, {Name: "customs", Status: "pending"}}
	first, second := booked("LF7700123", "LF7700124"), booked("LF7700124")
	want := []freight.Fact{
		{ID: "notice", Activity: freight.Other, Numbers: trd, References: []string{"LFHB-17", "PO 4471"}},
		{ID: "pol", Original: "portOfLoading", Activity: freight.Route, Numbers: trd, Place: role(shanghai, freight.RolePOL)},
		{ID: "pod", Original: "portOfDischarge", Activity: freight.Route, Numbers: trd, Place: role(berths, freight.RolePOD)},
		{ID: "destination", Original: "placeOfDelivery", Activity: freight.Route, Numbers: trd, Place: role(chicago, freight.RoleDestination)},
		{ID: "eta", Original: "portOfDischargeArrivalDate", Activity: freight.Arrival, Classifier: freight.Estimated, Numbers: trd, At: day(4, 27), Place: berths, Mode: freight.ByVessel, Vessel: heron, Voyage: "215W"},
		{ID: "inland", Original: "placeOfDeliveryArrivalDate", Activity: freight.Arrival, Classifier: freight.Planned, Numbers: trd, At: day(5, 4), Place: chicago, Mode: freight.ByRail},
		{ID: "legMNC1/departure", Original: "departureDate", Activity: freight.Departure, Classifier: freight.Actual, Numbers: trd, At: day(4, 11), Place: shanghai, Mode: freight.ByVessel, Vessel: heron, Voyage: "214E"},
		{ID: "legONC2/departure", Original: "departureDate", Activity: freight.Departure, Classifier: freight.Planned, Numbers: trd, At: day(4, 30), Place: oakland, Mode: freight.ByRail},
		{ID: "box/LFDU7301015/equipment", Original: "utilizedTransportEquipments", Activity: freight.Described, Numbers: first, Containers: []string{"LFDU7301015"},
			Equipment: freight.Equipment{ISOType: "22G1", Seals: []string{"LF-4471"}}},
		{ID: "box/LFDU7301015/release", Original: "freeTimes", Activity: freight.TerminalStatus, Numbers: first, Containers: []string{"LFDU7301015"},
			Place: freight.Place{LOCODE: "USOAK"}, Terminal: &freight.TerminalFacts{LastFreeDay: day(5, 4), Holds: held}},
		{ID: "box/LFDU7301015/customs", Original: "isCustomsReleased", Activity: freight.Other, Numbers: first, Containers: []string{"LFDU7301015"}},
		{ID: "box/LFDU7301020/equipment", Original: "utilizedTransportEquipments", Activity: freight.Described, Numbers: second, Containers: []string{"LFDU7301020"},
			Equipment: freight.Equipment{ISOType: "45R1"}},
		{ID: "box/LFDU7301020/release", Original: "freeTimes", Activity: freight.TerminalStatus, Numbers: second, Containers: []string{"LFDU7301020"},
			Place: freight.Place{LOCODE: "USOAK"}, Terminal: &freight.TerminalFacts{
				LastFreeDay: freight.Moment{Time: time.Date(2026, 5, 2, 23, 0, 0, 0, time.UTC)}, Holds: held}},
		{ID: "box/LFDU7301020/customs", Original: "isCustomsReleased", Activity: freight.Other, Numbers: second, Containers: []string{"LFDU7301020"}},
	}
	for i := range want {
		want[i].ID = "ARRIVAL NOTICE/LFBL00991/e8520c5a/" + want[i].ID
		want[i].Original = strings.TrimSpace("ARRIVAL NOTICE " + want[i].Original)
		want[i].RecordedAt, want[i].SCAC = issued, "MAEU"
	}
	got := slices.Clone(report.Facts)
	for i := range got {
		if len(got[i].Payload) > 0 && !json.Valid(got[i].Payload) {
			t.Errorf("payload of %s: %s", got[i].ID, got[i].Payload)
		}
		got[i].Payload = nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if report.Source != "dcsa-an" || report.DataSource != freight.FromShippingLine || report.SCAC != "" {
		t.Errorf("source %q, data source %q, SCAC %q", report.Source, report.DataSource, report.SCAC)
	}
	notice := string(report.Facts[0].Payload)
	if strings.Contains(notice, "JVBERi0") || !strings.Contains(notice, `"notice.pdf"`) || !strings.Contains(notice, `"88017"`) {
		t.Errorf("the notice is kept as %s", notice)
	}
}

// TestOddNotices: unusual values give a warning with their path, and the rest is
// kept.
func TestOddNotices(t *testing.T) {
	head := `"issueDateTime":"2026-04-20T08:00:00Z","transportDocumentReference":"LF1"`
	box := `"utilizedTransportEquipments":[{"equipment":{"equipmentReference":"LFDU7301015","ISOEquipmentCode":"22G1"}}]`
	for _, c := range []struct {
		notice   string
		warnings []string
	}{
		{head, nil},
		{head + `,"carrierCode":"HLCU","carrierCodeListProvider":"NMFTA"`, []string{"carrier_conflict $.carrierCode"}},
		{head + `,"carrierCode":"HLC","carrierCodeListProvider":"SMDG"`, nil},
		{head + `,"utilizedTransportEquipments":[{"equipment":{"ISOEquipmentCode":"22G1"}}]`, []string{"missing_container $.utilizedTransportEquipments[0].equipment.equipmentReference"}},
		{head + `,"equipmentReferences":["BOX 7"]`, []string{"container_number $.equipmentReferences"}},
		{head + "," + box + `,"freeTimes":[{"typeCodes":["DEM"],"ISOEquipmentCodes":["45G1"],"lastFreeDate":{"value":"2026-05-04"}}]`, []string{"unknown_equipment $.freeTimes[0]"}},
		{head + "," + box + `,"freeTimes":[{"typeCodes":["DEM"],"lastFreeDate":{"value":"9999-12-31"}}]`, []string{"implausible_time $.freeTimes[0].lastFreeDate.value"}},
		{head + `,"portOfDischarge":{"UNLocationCode":"USOAK"},"portOfDischargeArrivalDate":{"value":"2026-05-04"}`, []string{"unknown_code $.portOfDischargeArrivalDate.classifier"}},
		{head + `,"portOfDischarge":{"UNLocationCode":"OAKLAND","facilityTypeCode":"PIER","facility":{"facilityCode":"X1","facilityCodeListProvider":"US"}}`,
			[]string{"unknown_locode $.portOfDischarge.UNLocationCode", "unknown_code $.portOfDischarge.facilityTypeCode", "unknown_code $.portOfDischarge.facility.facilityCodeListProvider"}},
		{head + `,"houseBillOfLadingReferences":[` + strings.Repeat(`"H",`, 100) + `"I"]`, []string{"too_many $.references"}},
	} {
		report, warnings := readNotice(t, []byte("{"+c.notice+"}"), "MAEU")
		if !slices.Equal(warnings, c.warnings) {
			t.Errorf("%s:\nwarnings %q, want %q", c.notice, warnings, c.warnings)
		}
		if len(report.Facts) == 0 || report.SCAC != "MAEU" || report.Facts[0].SCAC != "" {
			t.Errorf("%s: %d facts of %q", c.notice, len(report.Facts), report.SCAC)
		}
		if _, err := trackingtest.New(t).Ingest(context.Background(), report); err != nil {
			t.Errorf("%s: Ingest: %v", c.notice, err)
		}
	}
}

// TestRefusedNotices: a malformed document is refused as a whole, with the path of
// the error.
func TestRefusedNotices(t *testing.T) {
	head := `"issueDateTime":"2026-04-20T08:00:00Z","transportDocumentReference":"LF1"`
	for _, c := range []struct{ document, path string }{
		{``, "$"},
		{`<html>`, "$"},
		{`[{` + head + `}]`, "$"},
		{`"notice"`, "$"},
		{`{"arrivalNotices": {}}`, "$.arrivalNotices"},
		{`{"arrivalNotices": [3]}`, "$.arrivalNotices[0]"},
		{`{}`, "$.transportDocumentReference"},
		{`{"arrivalNotices": [{` + head + `}, {"issueDateTime":"2026-04-20T08:00:00Z"}]}`, "$.arrivalNotices[1].transportDocumentReference"},
		{`{"arrivalNoticeNotifications": [{"transportDocumentReference":"LF1"}]}`, "$.arrivalNoticeNotifications[0].issueDateTime"},
		{`{"issueDateTime":"soon","transportDocumentReference":"LF1"}`, "$.issueDateTime"},
		{`{"issueDateTime":20260420,"transportDocumentReference":"LF1"}`, "$.issueDateTime"},
		{`{` + head + `,` + head + `}`, "$.issueDateTime"},
		{`{` + head + `,"transport":[]}`, "$.transport"},
		{`{` + head + `,"transport":{"legs":[{"arrivalDate":"2026-05-04"}]}}`, "$.transport.legs[0].arrivalDate"},
		{`{` + head + `,"transport":{"legs":[{"arrivalDate":{"value":"4 May"}}]}}`, "$.transport.legs[0].arrivalDate.value"},
		{`{` + head + `,"freeTimes":[{"typeCodes":"DEM"}]}`, "$.freeTimes[0].typeCodes"},
		{`{` + head + `,"freeTimes":[{"typeCodes":[1]}]}`, "$.freeTimes[0].typeCodes"},
		{`{` + head + `,"releaseInformation":{"isFreightReleased":"yes"}}`, "$.releaseInformation.isFreightReleased"},
	} {
		report, err := dcsa.ReadArrivalNotice(strings.NewReader(c.document), dcsa.Options{})
		var fault *tracking.Error
		if !errors.As(err, &fault) || fault.Kind != tracking.BadDocument || fault.Field != c.path || len(report.Facts) > 0 {
			t.Errorf("%s: error %v with %d facts, want one at %s", c.document, err, len(report.Facts), c.path)
		}
	}
}

func lineDay(c *tracking.Container) string {
	if c.ImportDeadlines.PickupLFDLine == nil {
		return "none"
	}
	return c.ImportDeadlines.PickupLFDLine.Format(time.RFC3339)
}

// TestFreeTimes: demurrage gives the line's last free day of its containers, a date
// from midnight in the zone that is shown with it; detention and storage do not.
func TestFreeTimes(t *testing.T) {
	d := newDesk(t)
	d.want(t, http.StatusNoContent, eventsAt, sample(t, "callback.json"), secret)
	d.want(t, http.StatusOK, noticesAt, sample(t, "arrival-notice.json"), nil, "Authorization", "Bearer "+string(bearer))
	group, named := d.container(t, "LFDU7301015"), d.container(t, "LFDU7301020")
	if got, want := lineDay(group), "2026-05-04T05:00:00Z"; got != want { // midnight at Chicago, the place of delivery
		t.Errorf("last free day of the box of group 22GP: %s, want %s", got, want)
	}
	if got, want := lineDay(named), "2026-05-02T23:00:00Z"; got != want {
		t.Errorf("last free time of the named box: %s, want %s", got, want)
	}
	if !group.PickupLFD.Equal(*group.ImportDeadlines.PickupLFDLine) {
		t.Errorf("pickup_lfd %v is not the line's", group.PickupLFD)
	}
	held := []freight.Hold{{Name: "customs", Status: "pending"}, {Name: "freight", Status: "hold"}}
	if diff := cmp.Diff(held, group.HoldsAtPODTerminal); diff != "" {
		t.Errorf("holds (-want +got):\n%s", diff)
	}
}

// TestWhichFreeTime: the containers of a condition, and which of several conditions
// counts.
func TestWhichFreeTime(t *testing.T) {
	dem := func(day, rest string) string {
		return `{"typeCodes":["DEM"],"lastFreeDate":{"value":"2026-05-` + day + `"}` + rest + `}`
	}
	const none = "0001-01-01"
	for _, c := range []struct {
		name     string
		free     []string
		dry, ref string // of a 22G1 and of a 45R1
	}{
		{"all", []string{dem("04", "")}, "2026-05-04", "2026-05-04"},
		{"the earliest", []string{dem("06", ""), dem("04", ""), dem("05", "")}, "2026-05-04", "2026-05-04"},
		{"a named box", []string{dem("04", `,"equipmentReferences":["lfdu 730101-5"]`)}, "2026-05-04", none},
		{"a type", []string{dem("04", `,"ISOEquipmentCodes":["45R1"]`)}, none, "2026-05-04"},
		{"a group", []string{dem("04", `,"ISOEquipmentCodes":["22GP"]`)}, "2026-05-04", none},
		{"a group of another height", []string{dem("04", `,"ISOEquipmentCodes":["25GP"]`)}, none, none},
		{"a box before its type", []string{dem("04", `,"equipmentReferences":["LFDU7301020"],"ISOEquipmentCodes":["22G1"]`)}, none, "2026-05-04"},
		{"one condition for each", []string{dem("04", `,"ISOEquipmentCodes":["22G1"]`), dem("08", `,"ISOEquipmentCodes":["45R1"]`)}, "2026-05-04", "2026-05-08"},
		{"storage and detention", []string{strings.Replace(dem("04", ""), `"DEM"`, `"STO","DET"`, 1)}, none, none},
		{"demurrage among others", []string{strings.Replace(dem("04", ""), `"DEM"`, `"STO","dem"`, 1)}, "2026-05-04", "2026-05-04"},
		{"no day", []string{`{"typeCodes":["DEM"],"duration":5,"timeUnit":"WD"}`}, none, none},
	} {
		notice := `{"issueDateTime":"2026-04-20T08:00:00Z","transportDocumentReference":"LF1","freeTimes":[` + strings.Join(c.free, ",") + `],
			"utilizedTransportEquipments":[{"equipment":{"equipmentReference":"LFDU7301015","ISOEquipmentCode":"22G1"}},
				{"equipment":{"equipmentReference":"LFDU7301020","ISOEquipmentCode":"45R1"}}]}`
		report, _ := readNotice(t, []byte(notice), "")
		got := map[string]string{}
		for _, f := range report.Facts {
			if f.Activity == freight.TerminalStatus {
				got[f.Containers[0]] = f.Terminal.LastFreeDay.Time.Format(time.DateOnly)
			} else if f.Retracted {
				got[f.Containers[0]] = none
			}
		}
		if want := map[string]string{"LFDU7301015": c.dry, "LFDU7301020": c.ref}; !cmp.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
	}
}

// TestEarliestFreeTime: times and dates are compared by the calendar of the
// place, here of Oakland, seven hours behind UTC.
func TestEarliestFreeTime(t *testing.T) {
	const date = `{"typeCodes":["DEM"],"lastFreeDate":{"value":"2026-05-04"}}`
	timed := func(at string) string { return `{"typeCodes":["DEM"],"lastFreeDateTime":{"value":"` + at + `"}}` }
	for _, c := range []struct{ time, want string }{
		{"2026-05-03T23:59:00-07:00", "2026-05-04T06:59:00Z"},
		{"2026-05-04T06:59:00Z", "2026-05-04T06:59:00Z"}, // the same instant
		{"2026-05-03T23:59:00", "2026-05-03T23:59:00Z"},  // a wall clock
		{"2026-05-04T16:00:00-07:00", "2026-05-04T23:00:00Z"},
		{"2026-05-05T06:59:00Z", "2026-05-05T06:59:00Z"}, // still the 4th
		{"2026-05-05T00:01:00-07:00", "2026-05-04T00:00:00Z"},
		{"2026-05-05T07:01:00Z", "2026-05-04T00:00:00Z"},
	} {
		for _, free := range []string{timed(c.time) + "," + date, date + "," + timed(c.time)} {
			report, _ := readNotice(t, []byte(`{"issueDateTime":"2026-04-20T08:00:00Z","transportDocumentReference":"LF1","freeTimes":[`+free+`],
				"utilizedTransportEquipments":[{"equipment":{"equipmentReference":"LFDU7301015","ISOEquipmentCode":"22G1"},
					"pickupInformation":{"pickupLocation":{"UNLocationCode":"USOAK"}}}]}`), "")
			got := ""
			for _, f := range report.Facts {
				if f.Activity == freight.TerminalStatus {
					got = f.Terminal.LastFreeDay.Time.Format(time.RFC3339)
				}
			}
			if got != c.want {
				t.Errorf("%s: %s, want %s", free, got, c.want)
			}
		}
	}
}

// TestNoticeVersions: the notice that was issued last counts, in any order of
// arrival; notices of other types are separate.
func TestNoticeVersions(t *testing.T) {
	early, late := sample(t, "arrival-notice.json"), sample(t, "arrival-notice-released.json")
	withdrawn := bytes.Replace(late, []byte("2026-04-28T15"), []byte("2026-04-29T15"), 1)
	withdrawn = bytes.Replace(bytes.Replace(withdrawn, []byte(`"DEM"`), []byte(`"DET"`), 1), []byte(`"releaseInformation"`), []byte(`"later"`), 1)
	french := bytes.Replace(withdrawn, []byte("English"), []byte("French"), 1)
	for _, c := range []struct {
		name    string
		notices [][]byte
		day     string
		holds   int
	}{
		{"in order", [][]byte{early, late}, "2026-05-06T05:00:00Z", 0},
		{"out of order", [][]byte{late, early}, "2026-05-06T05:00:00Z", 0},
		{"without free times", [][]byte{early, late, withdrawn}, "none", 0},
		{"without free times, out of order", [][]byte{withdrawn, late, early}, "none", 0},
		{"another type", [][]byte{early, french}, "2026-05-04T05:00:00Z", 2},
	} {
		d := newDesk(t)
		for _, notice := range c.notices {
			d.want(t, http.StatusOK, noticesAt, notice, secret)
		}
		box := d.container(t, "LFDU7301015")
		if got := lineDay(box); got != c.day || len(box.HoldsAtPODTerminal) != c.holds {
			t.Errorf("%s: last free day %s, holds %v; want %s and %d", c.name, got, box.HoldsAtPODTerminal, c.day, c.holds)
		}
	}
}

// TestNoticeAndEvents: a notice is a separate source. It does not retract the
// customs hold of events, but a release does.
func TestNoticeAndEvents(t *testing.T) {
	d := newDesk(t)
	hold := strings.NewReplacer("LOAD", "CUSI", "CNSHA", "USOAK", "2026-04-10", "2026-04-27").Replace(string(sample(t, "callback.json")))
	d.want(t, http.StatusNoContent, eventsAt, []byte(hold), secret)
	free := bytes.Replace(sample(t, "arrival-notice-released.json"), []byte(`"isCustomsReleased": true`), []byte(`"isOBLReceived": true`), 1)
	d.want(t, http.StatusOK, noticesAt, free, secret)
	if got := d.container(t, "LFDU7301015").HoldsAtPODTerminal; len(got) != 1 || got[0].Name != "customs" {
		t.Errorf("holds %v, want customs'", got)
	}
	released := bytes.Replace(sample(t, "arrival-notice-released.json"), []byte("2026-04-28T15"), []byte("2026-04-29T15"), 1)
	d.want(t, http.StatusOK, noticesAt, released, secret)
	if got := d.container(t, "LFDU7301015").HoldsAtPODTerminal; len(got) != 0 {
		t.Errorf("holds %v after the release", got)
	}
}

// TestNoticeGivesTheDay: a notice has the day of an arrival, and events the minute.
// It corrects them if it has another day.
func TestNoticeGivesTheDay(t *testing.T) {
	arrives := func(class, at, created string) []byte {
		var events []json.RawMessage
		if err := json.Unmarshal(sample(t, "callback.json"), &events); err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer(`"EST"`, `"`+class+`"`, "2026-04-27T05:00:00-07:00", at, "2026-04-11T01:00:00Z", created, "000000000003", created).Replace(string(events[2]))
		return []byte("[" + text + "]")
	}
	d := newDesk(t)
	eta := func() time.Time {
		t.Helper()
		ships, _, err := d.Shipments(context.Background(), tracking.ShipmentQuery{}, tracking.Page{})
		if err != nil || len(ships) != 1 {
			t.Fatalf("%d shipments, error %v", len(ships), err)
		}
		return ships[0].PODETAAt
	}
	d.want(t, http.StatusNoContent, eventsAt, sample(t, "callback.json"), secret)
	d.want(t, http.StatusOK, noticesAt, sample(t, "arrival-notice.json"), secret)
	if got, want := eta(), time.Date(2026, 4, 27, 12, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("estimate after a notice of the same day: %v, want %v", got, want)
	}
	moved := bytes.Replace(sample(t, "arrival-notice.json"), []byte(`{"value": "2026-04-27", "classifier": "EST"}`), []byte(`{"value": "2026-04-28", "classifier": "EST"}`), 1)
	moved = bytes.Replace(moved, []byte("2026-04-20T08"), []byte("2026-04-21T08"), 1)
	d.want(t, http.StatusOK, noticesAt, moved, secret)
	if got, want := eta(), time.Date(2026, 4, 28, 7, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("estimate after a notice of the next day: %v, want %v", got, want)
	}

	d.want(t, http.StatusNoContent, eventsAt, arrives("ACT", "2026-04-28T03:20:00-07:00", "2026-04-28T11:00:00Z"), secret)
	d.want(t, http.StatusOK, noticesAt, sample(t, "arrival-notice-released.json"), secret)
	want := time.Date(2026, 4, 28, 10, 20, 0, 0, time.UTC)
	if got := d.container(t, "LFDU7301015").PODArrivedAt; !got.Equal(want) {
		t.Errorf("arrived at %v, want %v", got, want)
	}
	arrivals := 0
	for _, e := range d.Announced() {
		if e.Event == freight.VesselArrived && e.Container == d.container(t, "LFDU7301015").ID {
			arrivals++
		}
	}
	if arrivals != 1 {
		t.Errorf("%d arrivals were announced", arrivals)
	}
}

// TestNotification: the short form has the arrival.
func TestNotification(t *testing.T) {
	d := newDesk(t)
	d.want(t, http.StatusOK, dcsa.CallbackPath+"maeu/arrival-notice-notifications", sample(t, "arrival-notice-notification.json"), secret)
	ships, _, err := d.Shipments(context.Background(), tracking.ShipmentQuery{Number: "LFBL00991"}, tracking.Page{})
	if err != nil || len(ships) != 1 {
		t.Fatalf("%d shipments, error %v", len(ships), err)
	}
	if got, want := ships[0].PODETAAt, time.Date(2026, 4, 26, 7, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("pod_eta_at %v, want %v", got, want)
	}
	if ships[0].DestinationLOCODE != "" {
		t.Errorf("destination %s: the place of delivery is the POD", ships[0].DestinationLOCODE)
	}
	d.container(t, "LFDU7301020")
}

// TestFeedback: the answer to a notice has the form of the standard, with its
// warnings.
func TestFeedback(t *testing.T) {
	d := newDesk(t)
	odd := bytes.Replace(sample(t, "arrival-notice-released.json"), []byte(`"classifier": "ACT"`), []byte(`"classifier": "MAYBE"`), 1)
	answer := d.want(t, http.StatusOK, noticesAt, odd, secret)
	text := answer.Body.String()
	want := `{"feedbackElements":[{"severity":"WARN","message":"the classifier is missing or none of ACT, EST, PLN","propertyPath":"$.arrivalNotices[0].transport.portOfDischargeArrivalDate.classifier"}]}` + "\n"
	if text != want || answer.Header().Get("API-Version") != "1.0.1" {
		t.Errorf("answered %s, API-Version %q", text, answer.Header().Get("API-Version"))
	}
	answer = d.want(t, http.StatusBadRequest, noticesAt, []byte(`{}`), secret)
	if text = answer.Body.String(); !strings.HasPrefix(text, `{"feedbackElements":[{"severity":"ERROR"`) {
		t.Errorf("answered %s", text)
	}
}
