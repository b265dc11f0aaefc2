package simulator_test

import (
	"context"
	"encoding/base64"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/source/dcsa/simulator"
)

// TestPushedAndPulled: what is told by callback, much of it out of order and
// twice, and what is asked for, is one and the same: an engine that has both
// ends with what one knows that only asks.
func TestPushedAndPulled(t *testing.T) {
	const seed, timeout = 1, 10 * time.Second
	shipments := len(simulator.Voyages())
	if testing.Short() {
		shipments = 3
	}
	asks := follow(t, shipments, seed, timeout, simulator.Faults{})

	ctx := context.Background()
	both := newFollowing(t, shipments, seed, timeout, simulator.Faults{Disorder: 0.5})
	both.request()
	both.subscribe()
	early := 0 // callbacks after which more was known than before, without a question
	for both.Clock.Now().Before(both.end()) {
		known := both.events()
		if err := both.carrier.Push(ctx); err != nil {
			t.Fatal(err)
		}
		if both.events() > known {
			early++
		}
		both.pass(both.Clock.Now().Add(12 * time.Hour))
	}
	if diff := cmp.Diff(asks.state(), both.state()); diff != "" {
		t.Errorf("callbacks have changed what is known in the end (-asked +both):\n%s", diff)
	}
	s := both.carrier.Stats()
	t.Logf("%d callbacks, after %d of which there were new milestones; %d events in the answers to %d calls", s.Callbacks, early, s.Events, s.Calls)
	if s.CallbacksFailed > 0 || early == 0 {
		t.Errorf("%d callbacks failed, %d told of milestones", s.CallbacksFailed, early)
	}
}

// subscribe has the carrier deliver to the engine what it tells of each line.
func (f *following) subscribe() {
	f.t.Helper()
	secret := []byte("only these two know this")
	config := dcsa.CallbackConfig{Logger: slog.New(slog.DiscardHandler)}
	for _, scac := range lines {
		config.Callbacks = append(config.Callbacks, dcsa.Callback{
			Name: strings.ToLower(scac), SCAC: scac, Tracker: f.Tracker,
			Secrets: []dcsa.Secret{dcsa.Secret(base64.StdEncoding.EncodeToString(secret))},
		})
	}
	callbacks, err := dcsa.NewCallbacks(config)
	if err != nil {
		f.t.Fatal(err)
	}
	desk := httptest.NewServer(callbacks)
	f.t.Cleanup(desk.Close)
	for i, s := range f.carrier.Shipments() {
		client := f.clients[i%len(lines)]
		_, err := client.Subscriptions().Create(context.Background(), dcsa.Subscription{
			CallbackURL:             desk.URL + dcsa.CallbackPath + strings.ToLower(lines[i%len(lines)]),
			CarrierBookingReference: s.Booking,
		}, secret)
		if err != nil {
			f.t.Fatal(err)
		}
	}
}

// events counts the milestones that are known.
func (f *following) events() int {
	_, n, err := f.TransportEvents(context.Background(), tracking.TransportEventQuery{}, tracking.Page{Number: 1, Size: 1})
	if err != nil {
		f.t.Fatal(err)
	}
	return n
}

// TestSubscriptionsOfTheClient: the client and the carrier mean the same.
func TestSubscriptionsOfTheClient(t *testing.T) {
	ctx := context.Background()
	b := serve(t, simulator.Config{})
	client, err := dcsa.New(dcsa.Config{SCAC: simulator.SCAC, BaseURL: b.url})
	if err != nil {
		t.Fatal(err)
	}
	subs, us := client.Subscriptions(), subscribe(t)
	secrets := [][]byte{[]byte("the first of two secrets"), []byte("the second of two secrets")}
	made, err := subs.Create(ctx, dcsa.Subscription{CallbackURL: us.url, EventTypes: []string{"TRANSPORT"}, UNLocationCode: "USLAX"}, secrets[0])
	if err != nil {
		t.Fatal(err)
	}
	list, err := subs.List(ctx)
	if diff := cmp.Diff([]dcsa.Subscription{made}, list); diff != "" || err != nil {
		t.Errorf("List: %v\n%s", err, diff)
	}
	made.EventTypes = append(made.EventTypes, "EQUIPMENT")
	if changed, err := subs.Renew(ctx, made, secrets[0]); err != nil || !cmp.Equal(changed, made) {
		t.Errorf("Renew: %+v, %v", changed, err)
	}
	if err := subs.SetSecret(ctx, made.ID, secrets[1]); err != nil {
		t.Error(err)
	}
	b.clock.Set(b.Ends())
	if err := b.Push(ctx); err != nil || len(us.bodies) != 1 {
		t.Fatalf("%d callbacks, error %v", len(us.bodies), err)
	}
	if got, want := us.received[0].Header.Get(dcsa.SignatureHeader), dcsa.Sign(secrets[1], []byte(us.bodies[0])); got != want {
		t.Errorf("signed %s, want %s", got, want)
	}
	if err := subs.Delete(ctx, made.ID); err != nil {
		t.Error(err)
	}
	if again, err := subs.Renew(ctx, made, secrets[0]); err != nil || again.ID == made.ID {
		t.Errorf("what the carrier had lost was renewed as %+v, %v", again, err)
	}
}
