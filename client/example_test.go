package client_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/storage/memory"
)

// A program tracks a number and lists its shipments.
func Example() {
	ctx := context.Background()
	server, key := server(ctx)
	defer server.Close()

	c, err := client.New(client.Config{URL: server.URL + "/v2", Key: key})
	if err != nil {
		log.Fatal(err)
	}
	_, err = c.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "MAEU77001", Type: tracking.BillOfLading, SCAC: "XXXX"})
	fmt.Println(err)
	for _, number := range []string{"MAEU77001", "MAEU77002"} {
		if _, err := c.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: number, Type: tracking.BillOfLading, SCAC: "MAEU"}); err != nil {
			log.Fatal(err)
		}
	}
	for request, err := range c.TrackingRequests(tracking.TrackingRequestQuery{}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(request.RequestNumber, request.Status)
	}
	// Output:
	// client: 422 Unprocessable Entity; /data/attributes/scac: Scac 'XXXX' is not recognized
	// MAEU77002 pending
	// MAEU77001 pending
}

// server starts a server with an account and a key.
func server(ctx context.Context) (*httptest.Server, string) {
	tr, err := tracking.New(tracking.Config{Store: memory.New()})
	if err != nil {
		log.Fatal(err)
	}
	acme, _, err := tr.EnsureAccount(ctx, "acme")
	if err != nil {
		log.Fatal(err)
	}
	key, _, err := tr.CreateKey(ctx, tracking.NewKey{Account: acme.Scope()})
	if err != nil {
		log.Fatal(err)
	}
	return httptest.NewServer(httpserver.New(httpserver.Config{Tracker: tr})), key
}
