//go:build cgo && unix

package tracking_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/sqlite"
	"github.com/landfallhq/tracking/trackingtest"
)

// BenchmarkDeliver delivers 2,000 notifications again, to four endpoints that answer
// at once, on the SQLite store: what is left is the engine's own work.
//
//	go test . -run '^$' -bench Deliver -benchmem -benchtime 3x
func BenchmarkDeliver(b *testing.B) {
	const endpoints, events = 4, 500
	db, err := sqlite.Open(filepath.Join(b.TempDir(), "landfall.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	bench := trackingtest.New(b, func(c *tracking.Config) { c.Store = db })
	var hooks []tracking.ID
	for i := range endpoints {
		w, err := bench.CreateWebhook(ctx, tracking.NewWebhook{URL: fmt.Sprint(hookURL, "/", i), Events: []tracking.EventName{onlyAwaiting}})
		if err != nil {
			b.Fatal(err)
		}
		hooks = append(hooks, w.ID)
	}
	for i := range events {
		n := tracking.NewTrackingRequest{Number: fmt.Sprint("B", i), Type: tracking.BillOfLading, SCAC: trackingtest.SCAC}
		if _, err := bench.CreateTrackingRequest(ctx, n); err != nil {
			b.Fatal(err)
		}
	}
	bench.Settle()
	for b.Loop() {
		before := len(bench.Notifier.Sent())
		bench.Clock.Advance(time.Minute)
		for _, id := range hooks {
			if _, err := bench.RecoverWebhook(ctx, id, tracking.NewRecovery{Since: trackingtest.Start.Add(-time.Hour)}); err != nil {
				b.Fatal(err)
			}
		}
		bench.Settle()
		if n := len(bench.Notifier.Sent()) - before; n != endpoints*events {
			b.Fatalf("%d delivered", n)
		}
	}
}
