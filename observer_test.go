package tracking_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

// observed collects what an Observer was called with.
type observed struct {
	mu    sync.Mutex
	calls []string
}

func (o *observed) add(took time.Duration, format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if took < 0 || took > time.Minute {
		format += " took " + took.String()
	}
	o.calls = append(o.calls, fmt.Sprintf(format, args...))
}

// take returns the calls since the last take, but for those of other kinds of jobs.
func (o *observed) take() (calls []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	calls, o.calls = o.calls, nil
	return calls
}

func (o *observed) observer() tracking.Observer {
	return tracking.Observer{
		JobEnded: func(kind store.JobKind, took time.Duration, err error) { o.add(took, "job %s %v", kind, err) },
		SourceAnswered: func(scac string, took time.Duration, failure tracking.FailedReason) {
			o.add(took, "source %s %q", scac, failure)
		},
		DeliveryEnded: func(took time.Duration, failure string) { o.add(took, "delivery %q", failure) },
		DocumentRead: func(typ string, took time.Duration, failure string) {
			o.add(took, "document %q %q", typ, failure)
		},
	}
}

// The Observer is called once for each query of a source, attempt of a delivery, reading
// of a document and background job, with its outcome.
func TestObserver(t *testing.T) {
	var o observed
	b := trackingtest.New(t, func(c *tracking.Config) { c.Observer = o.observer() })
	saw := func(what string, want ...string) {
		t.Helper()
		got := o.take()
		for _, call := range want {
			i := slices.Index(got, call)
			if i < 0 {
				t.Errorf("%s: no call %s, only %q", what, call, got)
				continue
			}
			got = slices.Delete(got, i, i+1)
		}
		for _, call := range got {
			if !slices.Contains([]string{"job watch <nil>", "job link_documents <nil>"}, call) {
				t.Errorf("%s: the call %s", what, call)
			}
		}
	}
	b.Source.Script("MAEU77001",
		trackingtest.Reply{Err: &tracking.SourceError{Reason: freight.LineUnreachable}},
		trackingtest.Reply{Facts: []tracking.Fact{{}}}, // malformed
		trackingtest.Reply{Facts: voyage("MAEU77001")},
		trackingtest.Reply{Err: errors.New("the source is broken")},
	)
	if _, err := b.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "MAEU77001", Type: tracking.BillOfLading, SCAC: "MAEU"}); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	saw("a line that cannot be reached", `source MAEU "shipping_line_unreachable"`, "job tracking_request <nil>")
	next := func() {
		t.Helper()
		at, err := b.Operator.RunOnce(ctx)
		if err != nil {
			t.Fatal(err)
		}
		b.Clock.Set(at)
		b.Settle()
	}
	next()
	saw("a malformed fact", `source MAEU "unrecognized_response"`, "job tracking_request <nil>")
	next()
	saw("facts", `source MAEU ""`, "job tracking_request <nil>")
	for len(b.Source.Asked()) < 4 {
		next()
	}
	saw("a refresh", `source MAEU "shipping_line_unreachable"`, "job refresh <nil>")

	b.Notifier.Script(hookURL, tracking.Outcome{Status: 500, Failure: tracking.FailStatus}, tracking.Outcome{Status: 204})
	if _, err := b.CreateWebhook(ctx, tracking.NewWebhook{URL: hookURL, Events: []tracking.EventName{tracking.DocumentExtracted}}); err != nil {
		t.Fatal(err)
	}
	file(t, b, "a", "type: bill_of_lading\n")
	saw("a document that is announced", `document "bill_of_lading" ""`, "job document <nil>", `delivery "http_status"`)
	b.Pass(10 * time.Second)
	saw("a second attempt", `delivery ""`)
	file(t, b, "b", "\x89PNG")
	b.Pass(10 * time.Second)
	saw("a picture", `document "" "unreadable"`, "job document <nil>", `delivery ""`)
}

// A job that fails or panics is seen as failed.
func TestObserverOfFailedJobs(t *testing.T) {
	var o observed
	b := trackingtest.New(t, func(c *tracking.Config) { c.Observer = o.observer() })
	due := trackingtest.Start
	err := b.Store.Update(ctx, b.Account.Scope(), func(r store.RecordTx) error {
		return r.Enqueue(ctx, store.Job{ID: tracking.ID{1}, Kind: "watch", Ref: tracking.ID{2}, Due: due}) // of no shipment
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if got := o.take(); len(got) != 1 || got[0] == "job watch <nil>" {
		t.Errorf("%q", got)
	}
}
