package tracking_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// An endpoint that does not answer, with far more waiting for it than is claimed
// at once, holds nobody else up, though all are of one account: while it hangs the
// others get everything.
//
// Seen to fail: with claims that know no bound for a group.
func TestHangingEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := trackingtest.New(t, func(c *tracking.Config) {
			c.Delivery = tracking.DeliverySettings{Workers: 8, PerEndpoint: 2, PerAccount: 8}
		})
		release := make(chan struct{})
		b.Notifier.During(func(d tracking.Dispatch) {
			if strings.HasSuffix(d.URL, "/hang") {
				<-release
			}
		})
		end := start(t, b)

		const backlog, others, events = 300, 20, 5
		subscribe(t, b, hookURL+"/hang", onlyAwaiting)
		for i := range backlog {
			happen(t, b, fmt.Sprint("HANG", i))
		}
		time.Sleep(5 * time.Second)
		for i := range others {
			subscribe(t, b, fmt.Sprint(hookURL, "/", i), onlyAwaiting)
		}
		for i := range events {
			happen(t, b, fmt.Sprint("ALL", i))
		}
		time.Sleep(5 * time.Second)
		sent := map[string]int{}
		for _, d := range b.Notifier.Sent() {
			sent[d.URL]++
		}
		if n := sent[hookURL+"/hang"]; n != 2 {
			t.Errorf("%d attempts at the endpoint that hangs, want 2 at one time", n)
		}
		for i := range others {
			if n := sent[fmt.Sprint(hookURL, "/", i)]; n != events {
				t.Errorf("endpoint %d was told of %d of %d events", i, n, events)
			}
		}
		close(release)
		end()
	})
}
