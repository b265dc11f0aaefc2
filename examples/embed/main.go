// Command embed tracks a shipment inside your own program: no server, no HTTP, one
// SQLite file.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/source/sandbox"
	"github.com/landfallhq/tracking/storage"
)

func main() {
	dir, err := os.MkdirTemp("", "embed-")
	if err == nil {
		err = follow(context.Background(), filepath.Join(dir, "landfall.db"))
	}
	if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
		log.Fatal(err)
	}
}

func follow(ctx context.Context, path string) error {
	// A store, the sources of the shipping lines, and the engine.
	store, err := storage.Open(path)
	if err != nil {
		return err
	}
	lines := tracking.Sources{sandbox.SCAC: sandbox.New(sandbox.Config{})}
	tr, err := tracking.New(tracking.Config{Store: store, Sources: lines})
	if err != nil {
		return err
	}
	defer tr.Close()

	// All data belongs to an account. For returns the engine for one account.
	acme, _, err := tr.EnsureAccount(ctx, "acme")
	if err != nil {
		return err
	}
	t := tr.For(tracking.Actor{Account: acme.Scope()})

	// Track a bill of lading. The engine queries the line in the background.
	request, err := t.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{
		Number: "TEST-VOYAGE-SIMPLE-60", Type: tracking.BillOfLading, SCAC: sandbox.SCAC,
	})
	if err != nil {
		return err
	}

	// A long-running program calls `go tr.Run(ctx)` once.
	// This one runs a single round, prints the result and ends.
	if _, err := tr.RunOnce(ctx); err != nil {
		return err
	}
	if request, err = t.TrackingRequest(ctx, request.ID); err != nil {
		return err
	}
	return show(ctx, t, request.TrackedObject)
}

// show prints a shipment and its events.
func show(ctx context.Context, t *tracking.Tracker, id tracking.ID) error {
	shipment, err := t.Shipment(ctx, id)
	if err != nil {
		return err
	}
	fmt.Printf("%s goes from %s to %s\n", shipment.BillOfLadingNumber, shipment.PortOfLadingName, shipment.PortOfDischargeName)
	events, _, err := t.TransportEvents(ctx, tracking.TransportEventQuery{Shipment: id, Invalidated: tracking.No}, tracking.Page{})
	if err != nil {
		return err
	}
	for _, e := range events {
		fmt.Println(e.LocationLOCODE, e.Event)
	}
	return nil
}
