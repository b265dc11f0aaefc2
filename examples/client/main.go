// Command client tracks a number over HTTP and prints the shipment. Then it adds a
// purchase order number to the shipment, and uploads a document.
//
//	landfall serve --demo                       # in another terminal; it prints a key
//	LANDFALL_KEY=lf_... go run ./examples/client -url http://127.0.0.1:8080/v2 -scac TEST -number TEST-VOYAGE-SIMPLE-60
//
// Without -url it starts its own server.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/memory"
	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/source/sandbox"
	"github.com/landfallhq/tracking/storage"
)

func main() {
	url := flag.String("url", "", "the interface, such as http://127.0.0.1:8080/v2")
	scac := flag.String("scac", sandbox.SCAC, "the shipping line")
	number := flag.String("number", "TEST-VOYAGE-SIMPLE-60", "the bill of lading")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	key := os.Getenv("LANDFALL_KEY")
	if *url == "" {
		var err error
		if *url, key, err = serve(ctx); err != nil {
			log.Fatal(err)
		}
	}
	c, err := client.New(client.Config{URL: *url, Key: key})
	if err != nil {
		log.Fatal(err)
	}
	if err := run(ctx, os.Stdout, c, *scac, *number); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer, c *client.Client, scac, number string) error {
	shipment, err := follow(ctx, out, c, scac, number)
	if err != nil {
		return err
	}
	if err := order(ctx, out, c, shipment, "PO-7781"); err != nil {
		return err
	}
	return handIn(ctx, out, c, "invoice.txt", []byte("Commercial invoice for "+number+"\n"))
}

// follow tracks the number, waits for the data of the line, and prints the shipment
// with its milestones.
func follow(ctx context.Context, out io.Writer, c *client.Client, scac, number string) (*tracking.Shipment, error) {
	request, err := c.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: number, Type: tracking.BillOfLading, SCAC: scac})
	if err != nil {
		return nil, err
	}
	for request.Status == tracking.RequestPending {
		// A long-running program would use a webhook; see examples/receiver.
		if err := pause(ctx, 200*time.Millisecond); err != nil {
			return nil, err
		}
		answer, err := c.TrackingRequest(ctx, request.ID)
		if err != nil {
			return nil, err
		}
		request = answer.Record
	}
	if request.Status != tracking.RequestCreated {
		return nil, fmt.Errorf("%s is %s: %s", number, request.Status, request.FailedReason)
	}
	shipment, err := c.Shipment(ctx, request.TrackedObject, "containers")
	if err != nil {
		return nil, err
	}
	s := shipment.Record
	fmt.Fprintf(out, "%s goes from %s to %s\n", s.BillOfLadingNumber, s.PortOfLadingName, s.PortOfDischargeName)
	for _, id := range s.Containers {
		container, err := client.Find[tracking.Container](shipment.Included, id)
		if err != nil {
			return nil, err
		}
		fmt.Fprintln(out, container.Number)
		for event, err := range c.TransportEvents(id).All(ctx) {
			if err != nil {
				return nil, err
			}
			fmt.Fprintln(out, " ", event.LocationLOCODE, event.Event)
		}
	}
	return s, nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// serve runs a server until ctx ends, and returns its URL and a key.
func serve(ctx context.Context) (url, key string, err error) {
	store, err := storage.Open("memory:")
	if err != nil {
		return "", "", err
	}
	tr, err := tracking.New(tracking.Config{
		Store: store, Sources: tracking.Sources{sandbox.SCAC: sandbox.New(sandbox.Config{})},
		Blobs: &memory.Blobs{}, MasterKey: []byte("an example's key, not for real use"), // for documents
	})
	if err != nil {
		return "", "", err
	}
	acme, _, err := tr.EnsureAccount(ctx, "acme")
	if err != nil {
		return "", "", err
	}
	if key, _, err = tr.CreateKey(ctx, tracking.NewKey{Account: acme.Scope()}); err != nil {
		return "", "", err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", "", err
	}
	server := http.Server{Handler: httpserver.New(httpserver.Config{Tracker: tr}), ReadHeaderTimeout: 5 * time.Second}
	go tr.Run(ctx)
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Print(err)
		}
	}()
	context.AfterFunc(ctx, func() { server.Close() })
	return "http://" + listener.Addr().String() + "/v2", key, nil
}
