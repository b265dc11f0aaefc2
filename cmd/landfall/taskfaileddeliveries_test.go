package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/webhook/signature"
)

// failedDeliveries: resend yesterday's failed deliveries.
var failedDeliveries = officeTask{name: "6 resend yesterday's failed deliveries", history: func(o *office) {
	erp := startERP(o)
	o.erp = erp
	o.at("2026-05-31T08:00Z", func(h history) {
		for _, row := range []struct {
			path   string
			events []tracking.EventName
		}{{"/w", []tracking.EventName{freight.PickupLFDChanged, freight.PickupAppointmentChanged}}, {"/x", []tracking.EventName{freight.FullIn}}} {
			if !h.acme {
				row.path = "/other" + row.path
			}
			w, err := h.CreateWebhook(o.t.Context(), tracking.NewWebhook{URL: erp.URL + row.path, Events: row.events})
			o.must(err)
			erp.hooks[row.path] = w
		}
		for n := 1; n <= 7; n++ {
			h.report(deliveryBill(n), []string{boxNumber(600 + n)}, `
				actual load CNSHA 2026-05-10T10:00 ship=Lyra
				actual discharge USOAK 2026-05-30T10:00 ship=Lyra`)
		}
	})
	lastFreeDay := func(n int) func(history) {
		return func(h history) { h.terminalSays(n, freight.TerminalFacts{LastFreeDay: moment(o.t, "2026-06-30")}) }
	}
	appointment := func(n int) func(history) {
		return func(h history) {
			h.terminalSays(n, freight.TerminalFacts{Appointment: moment(o.t, "2026-06-29T10:00")})
		}
	}
	o.at("2026-06-01T10:00Z", lastFreeDay(4))
	o.at("2026-06-06T10:00Z", lastFreeDay(1))
	o.at("2026-06-06T10:01Z", lastFreeDay(2))
	o.at("2026-06-06T12:00Z", lastFreeDay(3))
	o.at("2026-06-06T10:00Z", func(h history) {
		h.report(deliveryBill(8), []string{boxNumber(608)}, "planned depart CNSHA 2026-06-20T10:00 ship=Lyra")
		h.report(deliveryBill(8), []string{boxNumber(608)}, "actual gate_in CNSHA 2026-06-06T10:00")
	})
	o.at("2026-06-09T17:00Z", appointment(5))
	o.at("2026-06-09T17:01Z", appointment(6))
	o.at("2026-06-09T21:00Z", lastFreeDay(7))
}, do: func(t *testing.T, o *office) {
	acme, ctx := o.acme(), t.Context()
	list := acme.deliveries(t)
	for n, want := range map[int]struct {
		status         tracking.DeliveryStatus
		created, ended string
	}{
		1: {tracking.DeliveryFailed, "2026-06-06", "2026-06-09T17:05"}, 2: {tracking.DeliveryFailed, "2026-06-06", "2026-06-09T17:06"}, 3: {tracking.DeliveryFailed, "2026-06-06", "2026-06-09T20:30"},
		4: {tracking.DeliveryFailed, "2026-06-01", "2026-06-04T12:00"}, 5: {tracking.DeliverySucceeded, "2026-06-09", "2026-06-09T17:00"}, 6: {tracking.DeliverySucceeded, "2026-06-09", "2026-06-09T17:01"},
		7: {tracking.DeliveryPending, "2026-06-09", "2026-06-10T"}, 8: {tracking.DeliveryFailed, "2026-06-06", "2026-06-09T18:00"},
	} {
		d := list[n]
		if d == nil || d.DeliveryStatus != want.status || d.CreatedAt.Format(time.DateOnly) != want.created || !strings.HasPrefix(d.LastAttemptAt.Format(time.RFC3339), want.ended) {
			t.Fatalf("delivery %d begins as %+v", n, d)
		}
	}
	if next := list[7].NextAttemptAt.Format(time.RFC3339); list[7].AttemptsCount != 10 || next != "2026-06-11T02:00:00Z" {
		t.Fatalf("delivery 7 has %d attempts, the next at %s", list[7].AttemptsCount, next)
	}
	before := o.erp.mend(list[3].ID)

	ann, ben := o.signIn(t, "Ann"), o.signIn(t, "Ben")
	ann.begin()
	ann.follow("Failed deliveries")
	ann.follow("Failed yesterday")
	ann.follow(o.erp.URL + "/w")
	ann.follow("Send all 3 again")
	for n := 3; n >= 1; n-- {
		ann.sees(string(freight.PickupLFDChanged), boxNumber(600+n), deliveryBill(n))
	}
	ann.sees("503", "13", "503", "13", "503", "13")
	for n := 4; n <= 8; n++ {
		ann.seesNot(boxNumber(600 + n))
	}
	if again := o.erp.since(before); len(again) != 0 {
		t.Errorf("before she sends the receivers get %d deliveries", len(again))
	}
	ann.sends("Send 3 again now")
	ann.press("Send 3 again now") // twice, which sends once
	ann.sees("3 sent again: 0 delivered, 0 not delivered", "3 answers have not come yet")
	result := ann.path()
	ben.open(result)
	o.erp.answer()
	ann.becomes("3 sent again: 2 delivered, 1 not delivered")
	ann.seesNot("have not come yet", "has not come yet")
	for n := 1; n <= 2; n++ {
		if row := ann.row(boxNumber(600 + n)); !strings.Contains(row, "Delivered") || !strings.Contains(row, "200") || !strings.Contains(row, "14") {
			t.Errorf("the row of %d: %s", n, row)
		}
	}
	if row := ann.row(boxNumber(603)); !strings.Contains(row, "Failed") || strings.Contains(row, "Delivered") || !strings.Contains(row, "500") {
		t.Errorf("the row of 3: %s", row)
	}
	ben.becomes("3 sent again: 2 delivered, 1 not delivered")
	ann.reopens(o.signIn(t, "Dora"), "3 sent again: 2 delivered, 1 not delivered")
	ann.follow("Clear all")
	if row := ann.row(boxNumber(607)); !strings.Contains(row, "Waiting") || !strings.Contains(row, "11 Jun 2026, 02:00 UTC") {
		t.Errorf("the row of 7: %s", row)
	}
	ann.done()

	// Going back sends nothing again.
	ann.back()
	ann.back()
	if at := ann.path(); !strings.HasPrefix(at, "/settings/redelivery") {
		t.Errorf("going back twice leads to %s", at)
	}
	ann.seesNot("Send 1 again", "Send 2 again", "Send 3 again")
	o.erp.check(t, o, before, list)
	after := acme.deliveries(t)
	for n := 4; n <= 8; n++ {
		if after[n].AttemptsCount != list[n].AttemptsCount || after[n].DeliveryStatus != list[n].DeliveryStatus || !after[n].NextAttemptAt.Equal(list[n].NextAttemptAt) {
			t.Errorf("delivery %d was %+v and is %+v", n, list[n], after[n])
		}
	}
	for n, want := range map[int]tracking.DeliveryStatus{1: tracking.DeliverySucceeded, 2: tracking.DeliverySucceeded, 3: tracking.DeliveryFailed} {
		attempts, _, err := acme.DeliveryAttempts(ctx, tracking.DeliveryAttemptQuery{Notifications: []tracking.ID{list[n].ID}}, tracking.Page{})
		o.must(err)
		if code := map[int]int{1: 200, 2: 200, 3: 500}[n]; after[n].DeliveryStatus != want || len(attempts) != 14 || attempts[0].StatusCode != code || attempts[0].Trigger != tracking.TriggerManual {
			t.Errorf("delivery %d: %s after %d attempts, the last %+v", n, after[n].DeliveryStatus, len(attempts), attempts[0])
		}
	}
	acme.audited(t, "Ann", "webhook_notification.redeliver")
}}

// deliveryBill is the bill of lading that the delivery n is about.
func deliveryBill(n int) string { return fmt.Sprintf("MAEUW%04d", n) }

// terminalSays reports what the terminal at Oakland says about the container of a delivery.
func (h history) terminalSays(n int, said freight.TerminalFacts) {
	h.o.t.Helper()
	facts := h.o.facts(deliveryBill(n), []string{boxNumber(600 + n)}, "actual discharge USOAK 2026-05-30T10:00 ship=Lyra")
	f := &facts[0]
	f.ID, f.Activity, f.At, f.Vessel, f.Mode, f.Voyage = "terminal-"+deliveryBill(n), freight.TerminalStatus, freight.Moment{}, freight.VesselRef{}, "", ""
	f.DataSource, f.Terminal = freight.FromTerminal, &said
	h.ingest(facts)
}

// deliveries are the notifications of the webhooks by their numbers in the task.
func (h history) deliveries(t *testing.T) map[int]*tracking.WebhookNotification {
	t.Helper()
	list, _, err := h.WebhookNotifications(t.Context(), tracking.WebhookNotificationQuery{}, tracking.Page{})
	h.o.must(err)
	list = slices.DeleteFunc(list, func(n *tracking.WebhookNotification) bool { // of another task
		return n.Webhook != h.o.erp.hooks["/w"].ID && n.Webhook != h.o.erp.hooks["/x"].ID
	})
	subjects, err := h.NotificationSubjects(t.Context(), list)
	h.o.must(err)
	found := map[int]*tracking.WebhookNotification{}
	for i, n := range list {
		box, err := h.Container(t.Context(), subjects[i].Container)
		h.o.must(err)
		for number := 1; number <= 8; number++ {
			if box.Number != boxNumber(600+number) {
				continue
			}
			if found[number] != nil {
				t.Errorf("%d has two notifications: %+v and %+v", number, *found[number], *n)
			}
			found[number] = n
		}
	}
	return found
}

// erp is the receivers of the webhooks: those of Acme at /w and /x, and of Other at /other/w and
// /other/x.
type erp struct {
	*httptest.Server
	o     *office
	hooks map[string]*tracking.Webhook // by path
	// last are the times of the last attempts, by bill and path, which the receivers ask for
	// with Retry-After: so the attempts end when the task says.
	last map[string]string

	mu       sync.Mutex
	mended   bool
	refused  tracking.ID // answered with 500 after that
	answered chan struct{}
	got      []received
}

// received is a request that a receiver got.
type received struct {
	path, id string
	header   http.Header
	body     []byte
	at       time.Time
}

func startERP(o *office) *erp {
	e := &erp{o: o, hooks: map[string]*tracking.Webhook{}, answered: make(chan struct{}), last: map[string]string{
		deliveryBill(1): "2026-06-09T17:05Z", deliveryBill(2): "2026-06-09T17:06Z", deliveryBill(3): "2026-06-09T20:30Z", deliveryBill(4): "2026-06-04T12:00Z",
		deliveryBill(7): "2026-06-11T02:00Z", deliveryBill(8): "2026-06-09T18:00Z",
	}}
	e.Server = httptest.NewServer(http.HandlerFunc(e.receive))
	o.t.Cleanup(e.Close)
	o.t.Cleanup(e.answer)
	return e
}

func (e *erp) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	e.mu.Lock()
	got := received{r.URL.Path, r.Header.Get(signature.IDHeader), r.Header.Clone(), body, e.o.clock.Now()}
	attempts := 1
	for _, earlier := range e.got {
		if earlier.id == got.id {
			attempts++
		}
	}
	e.got = append(e.got, got)
	mended, refused := e.mended, e.refused
	e.mu.Unlock()
	if mended {
		<-e.answered
		if got.id == refused.String() {
			w.WriteHeader(http.StatusInternalServerError)
		}
		return
	}
	if strings.HasSuffix(got.path, "/w") && !bytes.Contains(body, []byte(`"`+freight.PickupLFDChanged+`"`)) {
		return
	}
	for bill, last := range e.last {
		until := 12 // attempts, each but the last
		if bill == deliveryBill(7) {
			until = 10
		}
		if attempts == until && bytes.Contains(body, []byte(bill)) {
			w.Header().Set("Retry-After", strconv.Itoa(int(moment(e.o.t, last).Time.Sub(got.at)/time.Second)))
		}
	}
	w.WriteHeader(http.StatusServiceUnavailable)
}

// mend makes the receivers take everything but one notification, and wait with their answers for
// answer. It returns the number of requests so far.
func (e *erp) mend(but tracking.ID) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.mended, e.refused = true, but
	return len(e.got)
}

// answer makes the receivers answer.
func (e *erp) answer() {
	e.mu.Lock()
	defer e.mu.Unlock()
	select {
	case <-e.answered:
	default:
		close(e.answered)
	}
}

// since are the requests after so many.
func (e *erp) since(count int) []received {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.got[count:]
}

// check compares what came after the mending with what came before.
func (e *erp) check(t *testing.T, o *office, before int, list map[int]*tracking.WebhookNotification) {
	t.Helper()
	again := e.since(before)
	if len(again) != 3 {
		t.Errorf("the receivers got %d deliveries, want 3", len(again))
	}
	w, err := o.acme().Webhook(t.Context(), e.hooks["/w"].ID)
	o.must(err)
	for n := 1; n <= 3; n++ {
		var first, second *received
		for i := range e.got {
			switch got := &e.got[i]; {
			case got.id != list[n].ID.String():
			case i < before:
				first = got
			case second != nil:
				t.Errorf("%d was sent twice", n)
			default:
				second = got
			}
		}
		if first == nil || second == nil {
			t.Errorf("%d was not sent again with its ID", n)
			continue
		}
		if second.path != "/w" || !bytes.Equal(first.body, second.body) {
			t.Errorf("%d came at %s with the body %s, before with %s", n, second.path, second.body, first.body)
		}
		if err := signature.VerifyAt(second.at, second.header, second.body, []string{w.Secret}, 0); err != nil {
			t.Errorf("the signature of %d: %v", n, err)
		}
	}
}

// seesNoSecret checks that the page has no secret of a webhook.
func (c *clerk) seesNoSecret() {
	c.t.Helper()
	if c.o.erp == nil {
		return
	}
	source := evaluate[string](c, `document.documentElement.outerHTML`)
	for path, w := range c.o.erp.hooks {
		if w.Secret == "" || strings.Contains(source, w.Secret) {
			c.t.Errorf("%s shows the secret %q of the webhook at %s", c.path(), w.Secret, path)
		}
	}
}
