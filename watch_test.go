package tracking_test

import (
	"slices"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// TestWatch: each change of an account is passed on after its commit, with the records and
// those that they refer to; one that changes nothing is none.
func TestWatch(t *testing.T) {
	b := trackingtest.New(t)
	var got []tracking.Change
	stop, err := b.Operator.Watch(func(c tracking.Change) { got = append(got, c) })
	if err != nil {
		t.Fatal(err)
	}
	take := func() tracking.Change {
		t.Helper()
		list := got
		if got = nil; len(list) != 1 {
			t.Fatalf("%d changes: %+v", len(list), list)
		}
		if list[0].Account != b.Account.Scope() {
			t.Errorf("account %v", list[0].Account)
		}
		return list[0]
	}
	user := newUser(t, b.Tracker, tracking.NewUser{Email: "kim@example.com"})
	if c := take(); !slices.Contains(c.Records, user.ID) {
		t.Errorf("a new user: %v", c.Records)
	}
	party, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme"})
	if err != nil {
		t.Fatal(err)
	}
	take()
	definition, err := b.CreateCustomFieldDefinition(ctx, tracking.NewCustomFieldDefinition{EntityType: tracking.TrackingRequestEntity, APISlug: "po", DisplayName: "PO", DataType: tracking.ShortTextField})
	if err != nil {
		t.Fatal(err)
	}
	take()
	request, err := b.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "MAEU1", Type: tracking.BillOfLading, SCAC: "MAEU", Customer: party.ID})
	if err != nil {
		t.Fatal(err)
	}
	if c := take(); !slices.Contains(c.Records, request.ID) || !slices.Contains(c.Records, party.ID) {
		t.Errorf("a request does not name its customer: %v", c.Records)
	}
	if _, err := b.SetCustomField(ctx, tracking.NewCustomField{Entity: tracking.Entity{Type: tracking.TrackingRequestEntity, ID: request.ID}, APISlug: "po", Value: []byte(`"1"`)}); err != nil {
		t.Fatal(err)
	}
	if c := take(); !slices.Contains(c.Records, request.ID) || !slices.Contains(c.Records, definition.ID) {
		t.Errorf("a custom field does not name its entity: %v", c.Records)
	}
	same := tracking.UserUpdate{Name: tracking.Set("")}
	if _, err := b.Users().Update(ctx, user.ID, same); err != nil || len(got) != 0 {
		t.Errorf("nothing was changed: %+v, %v", got, err)
	}
	if err := b.Users().Delete(ctx, user.ID); err != nil {
		t.Fatal(err)
	}
	if c := take(); c.Records != nil {
		t.Errorf("a deleted record: %v", c.Records)
	}
	stop()
	newUser(t, b.Tracker, tracking.NewUser{Email: "lee@example.com"})
	if len(got) != 0 {
		t.Errorf("after the end: %+v", got)
	}
	if _, err := b.Tracker.Watch(nil); errorsOf(err) != "forbidden" {
		t.Errorf("an actor watches: %v", err)
	}
}

// TestWatchDelivery: the result of a delivery is passed on after its commit, so that an open page
// shows the answer.
func TestWatchDelivery(t *testing.T) {
	b := trackingtest.New(t)
	subscribe(t, b, hookURL, onlyAwaiting)
	happen(t, b, "B1")
	b.Settle()
	n := notified(t, b, tracking.WebhookNotificationQuery{})[0]
	passedOn := 0
	if _, err := b.Operator.Watch(func(c tracking.Change) {
		if slices.Contains(c.Records, n.ID) {
			passedOn++
		}
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.RedeliverNotification(ctx, n.ID); err != nil || passedOn != 1 {
		t.Fatalf("the redelivery is passed on %d times, error %v", passedOn, err)
	}
	b.Settle()
	if passedOn != 2 {
		t.Errorf("with its result the redelivery is passed on %d times", passedOn)
	}
}
