package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/source/sandbox"
)

const (
	demoVoyages = 20 // under way, without the unfinished ones
	// demoWait is how long the demo waits for the first answers, which usually
	// come within a second.
	demoWait = 5 * time.Second
	// demoAtSea is on the lane of the past voyages, so that its ETA has a band.
	demoAtSea = "TEST-VOYAGE-AT-SEA-90"
)

// demoUnfinished are voyages on which something is wrong, and one with an ETA that is to come.
// They have happened so far when the demo starts.
var demoUnfinished = []string{
	demoAtSea, "TEST-VOYAGE-UNCLAIMED-90", "TEST-VOYAGE-UNCLAIMED-91", "TEST-VOYAGE-SHORT-SHIPPED-90", "TEST-VOYAGE-ROLLED-90",
	"TEST-VOYAGE-OVERDUE-90",
}

// Invented customers and tags, so that filters find something.
var (
	demoCustomers = []string{"Alder & Finch Furniture", "Brightwater Coffee", "Copper Lane Lighting", "Dune Outdoor"}
	demoTags      = [][]string{{"spring-range"}, {"urgent", "reefer"}, {"spring-range", "consolidated"}, {"samples"}, {}}
)

// startDemo tracks the demo fleet for an account and prints example calls.
func (s *server) startDemo(ctx context.Context, account *tracking.Account, base, key string) error {
	tr := s.tracker.For(tracking.Actor{Account: account.Scope()})
	customers, err := demoParties(ctx, tr)
	if err != nil {
		return err
	}
	if err := importDemoTariffs(ctx, tr); err != nil {
		return err
	}
	for i, number := range slices.Concat(demoUnfinished, sandbox.New(sandbox.Config{}).Fleet(demoVoyages)) {
		_, err := tr.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{
			Number: number, Type: tracking.BillOfLading, SCAC: sandbox.SCAC,
			RefNumbers: []string{fmt.Sprintf("SO-%d", 48100+7*i)},
			Tags:       demoTags[i%len(demoTags)],
			Customer:   customers[i%len(customers)],
		})
		var fault *tracking.Error
		if errors.As(err, &fault) && fault.Code == "duplicate" {
			continue // from an earlier demo on this database
		}
		if err != nil {
			return err
		}
	}
	if err := waitForDemo(ctx, tr); err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "landfall: %d voyages are under way, each of about five minutes; %d more stay as they are; try:\n", demoVoyages, len(demoUnfinished))
	for _, query := range []string{
		"shipments?include=containers,port_of_lading,port_of_discharge,pod_terminal",
		"containers?include=transport_events&page[size]=5",
		"containers?filter[accruing]=true&sort=-cost&include=shipment",
		"exceptions?filter[state]=open&sort=severity&include=shipment",
		"containers?filter[overdue]=true&include=shipment",
		"shipments?number=" + demoAtSea,
		"shipments?filter[tracking_stopped]=false&filter[tags]=urgent&sort=pod_eta_at",
	} {
		// -g, because curl expands brackets otherwise.
		fmt.Fprintf(s.stdout, "curl -g -H 'Authorization: Token %s' '%s/%s'\n", key, base, query)
	}
	return nil
}

// demoParties creates the customers, or finds those of an earlier demo.
func demoParties(ctx context.Context, tr *tracking.Tracker) ([]tracking.ID, error) {
	known, _, err := tr.Parties(ctx, tracking.PartyQuery{}, tracking.Page{})
	if err != nil {
		return nil, err
	}
	byName := map[string]tracking.ID{}
	for _, p := range known {
		byName[p.CompanyName] = p.ID
	}
	ids := make([]tracking.ID, len(demoCustomers))
	for i, name := range demoCustomers {
		if id, ok := byName[name]; ok {
			ids[i] = id
			continue
		}
		p, err := tr.CreateParty(ctx, tracking.NewParty{CompanyName: name})
		if err != nil {
			return nil, err
		}
		ids[i] = p.ID
	}
	return ids, nil
}

// waitForDemo waits until the sandbox has answered for the whole fleet, so that the
// example calls show all of it.
func waitForDemo(ctx context.Context, tr *tracking.Tracker) error {
	waiting := tracking.TrackingRequestQuery{SCACs: []string{sandbox.SCAC}, Statuses: []tracking.RequestStatus{tracking.RequestPending}}
	for end := time.Now().Add(demoWait); time.Now().Before(end); {
		_, left, err := tr.TrackingRequests(ctx, waiting, tracking.Page{Number: 1, Size: 1})
		if err != nil || left == 0 {
			return err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
