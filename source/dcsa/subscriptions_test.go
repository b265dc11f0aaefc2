package dcsa_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/source/dcsa/simulator"
	"github.com/landfallhq/tracking/trackingtest"
)

// TestSubscribedVoyages runs over real HTTP: it creates a subscription at a
// simulated carrier, which plays its voyages and delivers; the secret is changed
// meanwhile; the stored result equals that of queries.
func TestSubscribedVoyages(t *testing.T) {
	ctx := context.Background()
	d := newDesk(t, func(c *dcsa.CallbackConfig) { c.Callbacks[0].SCAC = simulator.SCAC })
	receiver := httptest.NewServer(d.handler)
	defer receiver.Close()
	clock := trackingtest.NewClock()
	carrier, err := simulator.New(simulator.Config{Shipments: 9, Seed: 1, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(carrier)
	defer server.Close()
	client, err := dcsa.New(dcsa.Config{SCAC: simulator.SCAC, BaseURL: server.URL, RequestsPerSecond: -1})
	if err != nil {
		t.Fatal(err)
	}
	subs := client.Subscriptions()

	sub, err := subs.Create(ctx, dcsa.Subscription{CallbackURL: receiver.URL + eventsAt}, secret)
	if err != nil || sub.ID == "" {
		t.Fatalf("%+v, error %v", sub, err)
	}
	deliver := func() {
		t.Helper()
		clock.Advance(20 * 24 * time.Hour)
		if err := carrier.Push(ctx); err != nil {
			t.Fatal(err)
		}
	}
	deliver()
	if err := subs.SetSecret(ctx, sub.ID, foreignSecret); err != nil {
		t.Fatal(err)
	}
	clock.Advance(20 * 24 * time.Hour)
	if err := carrier.Push(ctx); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("a delivery signed with a secret that is not configured: %v", err)
	}
	if err := subs.SetSecret(ctx, sub.ID, oldSecret); err != nil {
		t.Fatal(err)
	}
	clock.Set(carrier.Ends())
	deliver()
	if strings.Contains(d.log.String(), "left out") {
		t.Errorf("facts were left out:\n%s", d.log)
	}

	pulled := trackingtest.New(t)
	for _, s := range carrier.Shipments() {
		answer, err := client.Track(ctx, freight.SourceQuery{Number: s.Booking, Type: freight.BookingNumber, SCAC: simulator.SCAC})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pulled.Ingest(ctx, answer.Report); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(milestones(t, pulled), milestones(t, d.Bench)); diff != "" {
		t.Errorf("milestones (-pulled +pushed):\n%s", diff)
	}
}

// milestones returns the valid milestones of an account, by container. Corrected
// ones have former versions too, which a single answer does not.
func milestones(t *testing.T, b *trackingtest.Bench) map[string]int {
	t.Helper()
	containers, _, err := b.Containers(context.Background(), tracking.ContainerQuery{}, tracking.Page{})
	if err != nil || len(containers) == 0 {
		t.Fatalf("%d containers, error %v", len(containers), err)
	}
	all := map[string]int{}
	for _, box := range containers {
		events, _, err := b.TransportEvents(context.Background(), tracking.TransportEventQuery{Container: box.ID, Invalidated: tracking.No}, tracking.Page{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			all[fmt.Sprintf("%s %s %s", box.Number, e.Event, e.Timestamp)]++
		}
	}
	return all
}

// TestManageSubscriptions: a subscription is created, found, changed and deleted.
func TestManageSubscriptions(t *testing.T) {
	ctx := context.Background()
	carrier, err := simulator.New(simulator.Config{Shipments: 1, Clock: trackingtest.NewClock()})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(carrier)
	defer server.Close()
	client, err := dcsa.New(dcsa.Config{SCAC: simulator.SCAC, BaseURL: server.URL, RequestsPerSecond: -1})
	if err != nil {
		t.Fatal(err)
	}
	subs := client.Subscriptions()
	want := dcsa.Subscription{
		CallbackURL: "https://us.example" + eventsAt, EventTypes: []string{"EQUIPMENT", "TRANSPORT"},
		TransportEvents: []string{"ARRI"}, CarrierBookingReference: "LFK7001001", UNLocationCode: "USOAK",
	}
	must := func(got dcsa.Subscription, err error) dcsa.Subscription {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("subscription (-want +got):\n%s", diff)
		}
		return got
	}
	made, err := subs.Create(ctx, want, secret)
	if err != nil || made.ID == "" {
		t.Fatalf("%+v, error %v", made, err)
	}
	want.ID = made.ID
	must(subs.Get(ctx, want.ID))
	if list, err := subs.List(ctx); err != nil || !cmp.Equal(list, []dcsa.Subscription{want}) {
		t.Errorf("list %+v, error %v", list, err)
	}
	must(subs.Renew(ctx, want, secret)) // as it is
	want.EventTypes = []string{"SHIPMENT"}
	must(subs.Renew(ctx, want, secret)) // changed
	must(subs.Get(ctx, want.ID))
	if err := subs.Delete(ctx, want.ID); err != nil {
		t.Fatal(err)
	}
	if err := subs.Delete(ctx, want.ID); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("ended twice: %v", err)
	}
	again, err := subs.Renew(ctx, want, secret) // a new one
	if err != nil || again.ID == "" || again.ID == want.ID {
		t.Fatalf("%+v, error %v", again, err)
	}
	want.ID = again.ID
	must(subs.Get(ctx, again.ID))
}

// TestSubscriptionFaults: every failure has a kind and the carrier's message, and
// never our credentials.
func TestSubscriptionFaults(t *testing.T) {
	ctx := context.Background()
	fine := dcsa.Subscription{CallbackURL: "https://us.example/here"}
	for _, c := range []struct {
		name   string
		status int
		body   string
		kind   tracking.ErrorKind
		says   string
	}{
		{"refused", 400, `{"errors":[{"reason":"invalidCallback","message":"callbackUrl is not reachable"}]}`, tracking.Invalid, "callbackUrl is not reachable"},
		{"credentials", 401, ``, tracking.Unauthorized, "401"},
		{"not allowed", 403, ``, tracking.Forbidden, "403"},
		{"unknown", 404, ``, tracking.NotFound, "404"},
		{"too often", 429, ``, tracking.Unavailable, "429"},
		{"trouble", 500, `<html>`, tracking.Unavailable, "500"},
		{"HTML", 201, `<html>`, tracking.Unavailable, "not as the standard has it"},
		{"no ID", 201, `{"callbackUrl":"https://us.example/here"}`, tracking.Unavailable, "subscriptionID"},
		{"echo", 400, `{"message":"bad key key-of-ours"}`, tracking.Invalid, "bad key ***"},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := carrier(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			}, func(c *dcsa.Config) { c.Headers = map[string]dcsa.Secret{"X-Api-Key": "key-of-ours"} })
			_, err := client.Subscriptions().Create(ctx, fine, secret)
			var fault *tracking.Error
			if !errors.As(err, &fault) || fault.Kind != c.kind || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one of kind %d that says %q", err, c.kind, c.says)
			}
		})
	}

	straying := carrier(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Next-Page", "https://elsewhere.example/")
		fmt.Fprint(w, "[]")
	})
	var stray *tracking.Error
	if _, err := straying.Subscriptions().List(ctx); !errors.As(err, &stray) || stray.Kind != tracking.Unavailable {
		t.Errorf("a page that is elsewhere: %v", err)
	}

	throttling := carrier(t, wait(429, "Retry-After", "3600"))
	_, first := throttling.Subscriptions().List(ctx)
	_, second := throttling.Track(ctx, theBooking)
	if s := throttling.Stats(); first == nil || second == nil || s.Requests != 1 || s.HeldBack != 1 {
		t.Errorf("a pause that a call for subscriptions brings: %+v", s)
	}

	repeating := carrier(t, func(w http.ResponseWriter, r *http.Request) {
		var order struct{ Secret string }
		if json.NewDecoder(r.Body).Decode(&order) != nil || order.Secret == "" {
			t.Error("no secret came")
		}
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"message":"the value '%s' is too long"}`, order.Secret)
	}).Subscriptions()
	_, created := repeating.Create(ctx, fine, secret)
	for _, err := range []error{created, repeating.SetSecret(ctx, "8fbdc2d8", secret)} {
		if err == nil || !strings.Contains(err.Error(), "the value '***' is too long") {
			t.Errorf("a secret that is repeated: %v", err)
		}
	}

	asked := 0
	client := carrier(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Next-Page", r.URL.Path+"?cursor=again")
		fmt.Fprint(w, "[]")
	})
	subs := client.Subscriptions()
	if _, err := subs.List(ctx); err == nil || asked != 2 {
		t.Errorf("pages without end: asked %d times, error %v", asked, err)
	}
	asked = 0
	for name, call := range map[string]func() error{
		"a short secret": func() error { _, err := subs.Create(ctx, fine, []byte("short")); return err },
		"no address":     func() error { _, err := subs.Create(ctx, dcsa.Subscription{}, secret); return err },
		"another scheme": func() error {
			_, err := subs.Create(ctx, dcsa.Subscription{CallbackURL: "ftp://us.example"}, secret)
			return err
		},
		"no ID":              func() error { _, err := subs.Update(ctx, fine); return err },
		"a step for an ID":   func() error { return subs.Delete(ctx, "..") },
		"no ID to delete":    func() error { return subs.Delete(ctx, "") },
		"a short new secret": func() error { return subs.SetSecret(ctx, "8fbdc2d8", nil) },
	} {
		var fault *tracking.Error
		if err := call(); !errors.As(err, &fault) || fault.Kind != tracking.Invalid {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if asked > 0 {
		t.Errorf("the carrier was asked %d times for what is wrong from the start", asked)
	}
}
