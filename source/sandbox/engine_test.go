package sandbox_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/source/sandbox"
	"github.com/landfallhq/tracking/trackingtest"
)

var updateMilestones = flag.Bool("update-milestones", false, "rewrite the golden files of milestones")

// follow has the engine follow a sandbox number for a while.
func follow(t *testing.T, number string, typ freight.RequestType, pass time.Duration) (*trackingtest.Bench, *tracking.TrackingRequest) {
	t.Helper()
	b := trackingtest.New(t, func(c *tracking.Config) {
		c.Sources = tracking.Sources{sandbox.SCAC: sandbox.New(sandbox.Config{})}
	})
	r, err := b.CreateTrackingRequest(context.Background(), tracking.NewTrackingRequest{Number: number, Type: typ, SCAC: sandbox.SCAC})
	if err != nil {
		t.Fatal(err)
	}
	b.Pass(pass)
	if r, err = b.TrackingRequest(context.Background(), r.ID); err != nil {
		t.Fatal(err)
	}
	return b, r
}

// TestNumbersEndAsDocumented: every TEST-TR number ends in its status and reason.
func TestNumbersEndAsDocumented(t *testing.T) {
	day := 24 * time.Hour
	tests := []struct {
		number string
		pass   time.Duration
		status tracking.RequestStatus
		reason freight.FailedReason
	}{
		{"TEST-TR-SUCCEEDED", 0, tracking.RequestCreated, ""},
		{"TEST-TR-FAILED", 0, tracking.RequestFailed, freight.InvalidNumber},
		{"TEST-TR-AWAITING", 0, tracking.RequestAwaitingManifest, freight.NumberNotFound},
		{"TEST-TR-AWAITING", 3 * day, tracking.RequestCreated, ""},
		{"TEST-TR-RETRY", 0, tracking.RequestPending, freight.LineUnreachable},
		{"TEST-TR-RETRY", time.Minute, tracking.RequestCreated, ""},
		{"TEST-TR-EXHAUSTED", day, tracking.RequestPending, freight.LineUnreachable},
		{"TEST-TR-EXHAUSTED", 2 * day, tracking.RequestFailed, freight.RetriesExhausted},
		{"TEST-TR-INVALID", 0, tracking.RequestFailed, freight.InvalidNumber},
		{"TEST-TR-CANCELLED", 0, tracking.RequestFailed, freight.BookingCancelled},
		{"TEST-TR-PRIVATE", 0, tracking.RequestFailed, freight.DataUnavailable},
		{"TEST-TR-DUPLICATE", 0, tracking.RequestFailed, freight.DuplicateRequest},
		{"TEST-NO-SUCH-NUMBER", 8 * day, tracking.RequestFailed, freight.NumberNotFound},
	}
	for _, tt := range tests {
		t.Run(tt.number+" after "+tt.pass.String(), func(t *testing.T) {
			_, r := follow(t, tt.number, freight.BillOfLading, tt.pass)
			if r.Status != tt.status || r.FailedReason != tt.reason {
				t.Errorf("ended %s, %q; want %s, %q", r.Status, r.FailedReason, tt.status, tt.reason)
			}
		})
	}
}

// TestVoyagesEndWithTheirMilestones compares what the engine has made of each
// voyage with its golden file.
func TestVoyagesEndWithTheirMilestones(t *testing.T) {
	for _, number := range sandbox.New(sandbox.Config{}).Numbers() {
		if !strings.HasPrefix(number, "TEST-VOYAGE-") {
			continue
		}
		t.Run(number, func(t *testing.T) {
			b, r := follow(t, number, freight.BillOfLading, 6*time.Minute)
			s, err := b.Shipment(context.Background(), r.TrackedObject)
			if err != nil {
				t.Fatal(err)
			}
			got := milestones(t, b, s)
			file := filepath.Join("testdata", "milestones-"+strings.ToLower(number)+".txt")
			if *updateMilestones {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s\ngot:\n%s\nwant:\n%s", file, got, want)
			}
			if ended := s.LineTrackingStoppedReason == tracking.StoppedAllContainersTerminated; ended == slices.Contains(unfinished, number) {
				t.Errorf("tracking stopped for the reason %q", s.LineTrackingStoppedReason)
			}
		})
	}
}

// milestones lists, box by box, what has happened, and how the box stands.
func milestones(t *testing.T, b *trackingtest.Bench, s *tracking.Shipment) string {
	t.Helper()
	var out strings.Builder
	fmt.Fprintf(&out, "%s to %s", s.PortOfLadingLOCODE, s.PortOfDischargeLOCODE)
	if s.DestinationLOCODE != "" {
		fmt.Fprintf(&out, " and on to %s", s.DestinationLOCODE)
	}
	out.WriteString("\n")
	containers, _, err := b.Containers(context.Background(), tracking.ContainerQuery{Shipment: s.ID}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(containers)
	for _, c := range containers {
		fmt.Fprintf(&out, "%s %s\n", c.Number, c.CurrentStatus)
		events, _, err := b.TransportEvents(context.Background(), tracking.TransportEventQuery{Container: c.ID, Invalidated: tracking.No}, tracking.Page{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range slices.Backward(events) {
			if e.Timestamp.After(b.Clock.Now()) {
				t.Errorf("%s is in the future: %s", e.Event, e.Timestamp)
			}
			fmt.Fprintf(&out, "  %s %s %s\n", strings.TrimPrefix(string(e.Event), "container.transport."), e.LocationLOCODE, e.Timezone)
		}
	}
	return out.String()
}
