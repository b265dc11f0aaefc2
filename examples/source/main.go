// Command source connects your own carrier. A tracking.Source returns the known facts
// about a number. This one queries an HTTP interface that returns a list of moves as
// JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage"
)

// carrier is a tracking.Source for the interface at address.
type carrier struct{ address string }

// move is one move of a container, as the carrier returns it.
type move struct {
	ID        string    `json:"id"`
	Code      string    `json:"code"`
	Container string    `json:"container"`
	Port      string    `json:"port"`
	Ship      string    `json:"ship"`
	Time      time.Time `json:"time"`
	Reported  time.Time `json:"reported"`
}

// codes maps the carrier's codes to facts. A source does not decide about milestones:
// the engine derives them from all facts together.
var codes = map[string]freight.Activity{
	"ON": freight.Loading, "SAIL": freight.Departure, "ARR": freight.Arrival, "OFF": freight.Discharge,
}

// Track queries the carrier. Each answer has all known facts; the engine detects the
// new ones.
func (c carrier) Track(ctx context.Context, q tracking.SourceQuery) (tracking.Answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address+"/moves?bl="+url.QueryEscape(q.Number), nil)
	if err != nil {
		return tracking.Answer{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return tracking.Answer{}, err // treated as unreachable: the engine retries
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return tracking.Answer{}, &tracking.SourceError{Reason: freight.NumberNotFound}
	default:
		return tracking.Answer{}, &tracking.SourceError{Reason: freight.LineUnreachable, Err: errors.New(response.Status)}
	}
	var moves []move
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(&moves); err != nil {
		return tracking.Answer{}, &tracking.SourceError{Reason: freight.UnrecognizedResponse, Err: err}
	}
	answer := tracking.Answer{Report: tracking.Report{Source: "my-carrier", SCAC: q.SCAC}, Next: time.Hour}
	for _, m := range moves {
		answer.Report.Facts = append(answer.Report.Facts, m.fact())
	}
	return answer, nil
}

func (m move) fact() tracking.Fact {
	what, ok := codes[m.Code]
	if !ok {
		what = freight.Other // stored, but nothing is derived from it
	}
	return tracking.Fact{
		ID: m.ID, RecordedAt: m.Reported, Activity: what, Original: m.Code, // the identity and the version of the fact
		At: tracking.Moment{Time: m.Time}, Place: tracking.Place{LOCODE: m.Port},
		Mode: freight.ByVessel, LoadStatus: freight.Laden, Vessel: tracking.VesselRef{Name: m.Ship},
		Containers: []string{m.Container},
	}
}

func main() {
	partner := httptest.NewServer(http.HandlerFunc(partnerInterface))
	defer partner.Close()
	if err := track(context.Background(), carrier{partner.URL}); err != nil {
		log.Print(err)
	}
}

// track registers the source for a shipping line and tracks two numbers.
func track(ctx context.Context, source tracking.Source) error {
	store, err := storage.Open("memory:")
	if err != nil {
		return err
	}
	tr, err := tracking.New(tracking.Config{Store: store, Sources: tracking.Sources{"ZIMU": source}})
	if err != nil {
		return err
	}
	defer tr.Close()
	account, _, err := tr.EnsureAccount(ctx, "acme")
	if err != nil {
		return err
	}
	t := tr.For(tracking.Actor{Account: account.Scope()})
	var requests []*tracking.TrackingRequest
	for _, number := range []string{"ZIMUSHA4711", "ZIMUSHA4712"} {
		r, err := t.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: number, Type: tracking.BillOfLading, SCAC: "ZIMU"})
		if err != nil {
			return err
		}
		requests = append(requests, r)
	}
	if _, err := tr.RunOnce(ctx); err != nil { // a server calls: go tr.Run(ctx)
		return err
	}
	for _, r := range requests {
		if r, err = t.TrackingRequest(ctx, r.ID); err != nil {
			return err
		}
		fmt.Println(r.RequestNumber, "is", r.Status)
	}
	events, _, err := t.TransportEvents(ctx, tracking.TransportEventQuery{}, tracking.Page{})
	for _, e := range events {
		fmt.Println(e.Timestamp.Format(time.DateOnly), e.LocationLOCODE, e.Event)
	}
	return err
}

// partnerInterface simulates the carrier.
func partnerInterface(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("bl") != "ZIMUSHA4711" {
		http.NotFound(w, r)
		return
	}
	fmt.Fprint(w, `[
		{"id": "1", "code": "ON", "container": "CSQU3054383", "port": "CNSHA", "ship": "AMBER HERON", "time": "2026-03-03T01:00:00Z", "reported": "2026-03-03T02:00:00Z"},
		{"id": "2", "code": "SAIL", "container": "CSQU3054383", "port": "CNSHA", "ship": "AMBER HERON", "time": "2026-03-04T22:10:00Z", "reported": "2026-03-05T00:00:00Z"},
		{"id": "3", "code": "WASH", "container": "CSQU3054383", "port": "CNSHA", "time": "2026-03-05T09:00:00Z", "reported": "2026-03-05T10:00:00Z"},
		{"id": "4", "code": "ARR", "container": "CSQU3054383", "port": "USLGB", "ship": "AMBER HERON", "time": "2026-03-20T21:00:00Z", "reported": "2026-03-20T22:00:00Z"},
		{"id": "5", "code": "OFF", "container": "CSQU3054383", "port": "USLGB", "ship": "AMBER HERON", "time": "2026-03-21T09:00:00Z", "reported": "2026-03-21T10:00:00Z"}
	]`)
}
