package trackingtest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// A test scripts the replies of the carrier, moves the clock, and checks the
// result.
func Example() {
	var t testing.T // the test's own
	b := trackingtest.New(&t)
	b.Source.Script("B1", trackingtest.Reply{Err: &tracking.SourceError{Reason: freight.LineUnreachable}})
	r, err := b.CreateTrackingRequest(context.Background(), tracking.NewTrackingRequest{
		Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	b.Pass(time.Minute) // the first try, and the retries of the first minute
	r, err = b.TrackingRequest(context.Background(), r.ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, r.FailedReason, r.RetryCount)
	// Output: pending shipping_line_unreachable 3
}
