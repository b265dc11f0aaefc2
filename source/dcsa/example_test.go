package dcsa_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/source/dcsa"
)

func ExampleRead() {
	document := `[{
		"eventID": "5f1c", "eventType": "TRANSPORT", "transportEventTypeCode": "DEPA",
		"eventClassifierCode": "ACT",
		"eventDateTime": "2026-03-04T06:10:00+08:00", "eventCreatedDateTime": "2026-03-04T01:00:00Z",
		"transportCall": {
			"UNLocationCode": "CNSHA", "modeOfTransport": "VESSEL", "exportVoyageNumber": "214E",
			"vessel": {"vesselIMONumber": "2000014", "vesselName": "AMBER HERON"}
		},
		"documentReferences": [{"documentReferenceType": "TRD", "documentReferenceValue": "LFBL00991"}],
		"references": [{"referenceType": "EQ", "referenceValue": "pallet 7"}]
	}]`

	report, err := dcsa.Read(strings.NewReader(document), dcsa.Options{SCAC: "MAEU"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fact := report.Facts[0]
	fmt.Println(report.SCAC, fact.Numbers[0].Number, fact.What, fact.Place.LOCODE, fact.Vessel.Name, fact.Voyage)
	fmt.Println(report.Warnings[0].Code, report.Warnings[0].Field)

	_, err = dcsa.Read(strings.NewReader(`[{"eventType": "TRANSPORT"}]`), dcsa.Options{})
	var fault *tracking.Error
	if errors.As(err, &fault) {
		fmt.Println(fault.Field)
	}
	// Output:
	// MAEU LFBL00991 depart CNSHA AMBER HERON 214E
	// container_number $[0].references[0].referenceValue
	// $[0].eventDateTime
}
