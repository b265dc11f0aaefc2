package dcsa_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/source/dcsa/simulator"
	"github.com/landfallhq/tracking/storage/memory"
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
	fmt.Println(report.SCAC, fact.Numbers[0].Number, fact.Activity, fact.Place.LOCODE, fact.Vessel.Name, fact.Voyage)
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

// A program mounts the handler next to its own, and the carrier posts to it.
func ExampleNewCallbacks() {
	tracker, err := tracking.New(tracking.Config{Store: memory.New()})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tracker.Close()
	acme, _, err := tracker.EnsureAccount(context.Background(), "acme")
	if err != nil {
		fmt.Println(err)
		return
	}
	key := []byte("32 random bytes, in real programs")
	callbacks, err := dcsa.NewCallbacks(dcsa.CallbackConfig{Callbacks: []dcsa.Callback{{
		Name: "maersk", SCAC: "MAEU", Tracker: tracker.For(tracking.Actor{Account: acme.Scope()}),
		Secrets: []dcsa.Secret{dcsa.Secret(base64.StdEncoding.EncodeToString(key))},
	}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle(dcsa.CallbackPath, callbacks)

	// What a carrier does:
	deliver := func(body, signature string) {
		r := httptest.NewRequest(http.MethodPost, dcsa.CallbackPath+"maersk", strings.NewReader(body))
		r.Header.Set(dcsa.SignatureHeader, signature)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		fmt.Println(w.Code)
	}
	body := `[{
		"eventID": "5f1c", "eventType": "EQUIPMENT", "equipmentEventTypeCode": "GTIN", "eventClassifierCode": "ACT",
		"eventDateTime": "2026-03-04T06:10:00+08:00", "eventCreatedDateTime": "2026-03-04T01:00:00Z",
		"equipmentReference": "LFDU7301015", "emptyIndicatorCode": "LADEN", "eventLocation": {"UNLocationCode": "CNSHA"},
		"documentReferences": [{"documentReferenceType": "TRD", "documentReferenceValue": "LFBL00991"}]
	}]`
	deliver(body, dcsa.Sign(key, []byte(body)))
	deliver(body, dcsa.Sign([]byte("what somebody else has made up"), []byte(body)))
	// Output:
	// 204
	// 401
}

func ExampleReadArrivalNotice() {
	notice := `{"arrivalNotices": [{
		"issueDateTime": "2026-04-20T08:00:00Z", "transportDocumentReference": "LFBL00991",
		"transport": {"portOfDischarge": {"UNLocationCode": "USOAK"}},
		"freeTimes": [{"typeCodes": ["DEM"], "lastFreeDate": {"value": "2026-05-04", "classifier": "EST"}}],
		"utilizedTransportEquipments": [{"equipment": {"equipmentReference": "LFDU7301015"}}]
	}]}`
	report, err := dcsa.ReadArrivalNotice(strings.NewReader(notice), dcsa.Options{SCAC: "MAEU"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Facts {
		if f.Terminal != nil {
			fmt.Println(f.Containers[0], f.Activity, f.Terminal.LastFreeDay.Time.Format(time.DateOnly))
		}
	}
	// Output: LFDU7301015 terminal_status 2026-05-04
}

// A subscription is created at the carrier, which is simulated here.
func ExampleSubscriptions() {
	carrier, err := simulator.New(simulator.Config{Shipments: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(carrier)
	defer server.Close()
	client, err := dcsa.New(dcsa.Config{SCAC: simulator.SCAC, BaseURL: server.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	sub, err := client.Subscriptions().Create(ctx, dcsa.Subscription{
		CallbackURL: "https://tracking.example/v2/callbacks/dcsa/simulated",
		EventTypes:  []string{"TRANSPORT", "EQUIPMENT"},
	}, []byte("32 random bytes, in real programs"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sub.EventTypes, sub.ID != "")
	fmt.Println(client.Subscriptions().Delete(ctx, sub.ID))
	// Output:
	// [TRANSPORT EQUIPMENT] true
	// <nil>
}
