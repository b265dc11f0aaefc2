package tracking_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/trackingtest"
)

// eventsAfter reads all events after a cursor, a few at a time.
func eventsAfter(t *testing.T, tr *tracking.Tracker, after string, size int) (list []*tracking.Event, cursor string) {
	t.Helper()
	for q := (tracking.EventQuery{After: after}); ; {
		page, err := tr.Events().List(ctx, q, size)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, page.Events...)
		if q.After = page.Cursor; page.Left == 0 {
			return list, page.Cursor
		}
	}
}

func cursors(list []*tracking.Event) (all []string) {
	for _, e := range list {
		all = append(all, e.Cursor)
	}
	return all
}

func recorded(b *trackingtest.Bench, t *testing.T) (all []string) {
	t.Helper()
	list, _ := eventsAfter(t, b.Tracker, "", 100)
	return cursors(list)
}

// Events are recorded from the first look on, in the order in which they were announced, each
// once, with the payload of webhooks; a reader that comes back at any cursor gets the rest.
// Seen to fail: with the event at the cursor given once more.
func TestEventStream(t *testing.T) {
	b := trackingtest.New(t)
	happen(t, b, "B0")
	b.Settle()
	if list := recorded(b, t); len(list) != 0 {
		t.Fatalf("recorded before the first look: %v", list)
	}
	announced := len(b.Announcements())
	w := subscribe(t, b, hookURL, onlyAwaiting)
	for i := range 7 {
		happen(t, b, fmt.Sprint("C", i+1))
		b.Settle()
	}
	follow(t, b, voyage("B1")...)
	b.Settle()
	want := b.Announcements()[announced:]
	all, end := eventsAfter(t, b.Tracker, "", 2)
	if len(all) != len(want) || len(all) < 8 {
		t.Fatalf("%d events, %d were announced", len(all), len(want))
	}
	for i, e := range all {
		if e.Event != want[i].Event || e.Reference != want[i].Reference || e.Shipment != want[i].Shipment || !e.CreatedAt.Equal(want[i].At) || e.Cursor != strconv.Itoa(i+1) {
			t.Errorf("event %d is %+v, announced was %+v", i, e, want[i])
		}
		rest, last := eventsAfter(t, b.Tracker, e.Cursor, 3)
		if !slices.Equal(cursors(rest), cursors(all[i+1:])) || last != end {
			t.Errorf("after %s come %v", e.Cursor, cursors(rest))
		}
		one, err := b.Tracker.Events().Get(ctx, e.ID)
		if err != nil || one.Cursor != e.Cursor || string(one.Payload) != string(e.Payload) {
			t.Errorf("%+v, %v", one, err)
		}
	}
	// The payload differs from that of a webhook in the notification alone.
	n := notified(t, b, tracking.WebhookNotificationQuery{Webhooks: []tracking.ID{w.ID}, OldestFirst: true})[0]
	sent, err := b.NotificationPayload(ctx, n.ID)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := includedText(t, sent), includedText(t, all[0].Payload); a != b || a == "" {
		t.Errorf("a webhook gets\n%s\nthe stream has\n%s", a, b)
	}
	// Filters leave events out, and move the cursor.
	page, err := b.Tracker.Events().List(ctx, tracking.EventQuery{Events: []tracking.EventName{freight.TrackingRequestSucceeded}}, 100)
	if err != nil || len(page.Events) != 1 || page.Cursor != end {
		t.Errorf("%d events, cursor %s, %v", len(page.Events), page.Cursor, err)
	}
	page, err = b.Tracker.Events().List(ctx, tracking.EventQuery{Shipments: []tracking.ID{all[len(all)-1].Shipment}}, 100)
	if err != nil || len(page.Events) == 0 || len(page.Events) == len(all) {
		t.Errorf("%d events of one shipment, %v", len(page.Events), err)
	}
}

func includedText(t *testing.T, payload []byte) string {
	t.Helper()
	doc := map[string]any{}
	if err := json.Unmarshal(payload, &doc); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(doc["included"])
}

// Bad cursors are refused by name; another account sees nothing; a key needs show.
func TestEventCursors(t *testing.T) {
	b := trackingtest.New(t)
	recorded(b, t)
	happen(t, b, "B1")
	b.Settle()
	for _, row := range []struct{ after, code string }{
		{"x", "invalid_cursor"}, {"-1", "invalid_cursor"}, {"01", "invalid_cursor"}, {" 1", "invalid_cursor"}, {"99999999999999999999", "invalid_cursor"}, {"2", "invalid_cursor"},
	} {
		var fault *tracking.Error
		if _, err := b.Events().List(ctx, tracking.EventQuery{After: row.after}, 10); !errors.As(err, &fault) || fault.Kind != tracking.BadQuery || fault.Field != "after" || fault.Code != row.code {
			t.Errorf("after %q: %v", row.after, err)
		}
	}
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	theirs := b.Operator.For(tracking.Actor{Account: other.Scope()})
	if list, cursor := eventsAfter(t, theirs, "", 10); len(list) != 0 || cursor != "0" {
		t.Errorf("another account sees %v up to %s", cursors(list), cursor)
	}
	all, _ := eventsAfter(t, b.Tracker, "", 10)
	if _, err := theirs.Events().Get(ctx, all[0].ID); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("another account: %v", err)
	}
	without := b.Operator.For(tracking.Actor{Account: b.Account.Scope(), Permissions: []tracking.Permission{tracking.Create}})
	_, listed := without.Events().List(ctx, tracking.EventQuery{}, 10)
	_, shown := without.Events().Get(ctx, all[0].ID)
	for _, err := range []error{listed, shown, without.Events().Wait(ctx, "0")} {
		if errorsOf(err) != "forbidden" {
			t.Errorf("without show: %v", err)
		}
	}
}

// Events are kept as long as notifications, and recorded until nobody has read them for as
// long. A reader from before is refused, and one without a cursor begins with what is kept.
func TestEventRetention(t *testing.T) {
	b := trackingtest.New(t)
	shipment := follow(t, b, voyage("B1")...)
	stop := func() { // one event; nothing is announced of a stopped shipment
		t.Helper()
		_, err := b.ResumeTracking(ctx, shipment)
		if err == nil {
			_, err = b.StopTracking(ctx, shipment)
		}
		if err != nil {
			t.Fatal(err)
		}
		b.Settle()
	}
	stop()
	recorded(b, t)
	for range 3 {
		stop()
	}
	b.Pass(20 * day)
	if list := recorded(b, t); !slices.Equal(list, []string{"1", "2", "3"}) {
		t.Fatalf("%v", list)
	}
	stop()
	b.Pass(11 * day)
	refused := func(after string) bool {
		_, err := b.Events().List(ctx, tracking.EventQuery{After: after}, 10)
		return errorsOf(err) == "after cursor_expired"
	}
	if list := recorded(b, t); !slices.Equal(list, []string{"4"}) || !refused("2") || refused("3") {
		t.Errorf("after 31 days there is %v; a cursor of a deleted event is refused: %t, %t", list, refused("2"), refused("3"))
	}
	b.Pass(31 * day) // nobody reads
	stop()
	if list := recorded(b, t); len(list) != 0 || !refused("4") {
		t.Errorf("%v was recorded for nobody; the reader of before is refused: %t", list, refused("4"))
	}
	stop()
	if list := recorded(b, t); !slices.Equal(list, []string{"6"}) || refused("5") {
		t.Errorf("recorded again: %v", list)
	}
}

// With Config.RecordEvents the first reader gets what was before.
func TestRecordEvents(t *testing.T) {
	b := trackingtest.New(t, func(c *tracking.Config) { c.RecordEvents = true })
	happen(t, b, "B1")
	b.Settle()
	if list := recorded(b, t); len(list) != 1 {
		t.Errorf("%v", list)
	}
}

// A follower gets each event as it is committed, until its context or the Tracker ends.
func TestFollowEvents(t *testing.T) {
	b := trackingtest.New(t)
	until, cancel := context.WithCancel(ctx)
	defer cancel()
	got, ended := make(chan string), make(chan error, 1)
	go func() {
		for e, err := range b.Events().Follow(until, tracking.EventQuery{}) {
			if err != nil {
				ended <- err
				return
			}
			got <- e.Cursor
		}
	}()
	recorded(b, t)
	for i := range 25 {
		happen(t, b, fmt.Sprint("B", i))
		b.Settle()
		if cursor := <-got; cursor != strconv.Itoa(i+1) {
			t.Fatalf("%s after %d", cursor, i)
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	waited := make(chan error, 1)
	go func() { waited <- b.Events().Wait(ctx, "25") }()
	if err := b.Operator.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-waited; !errors.Is(err, tracking.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// Events outlive the program, and a follower gets those that another process commits.
func TestEventsOfOtherProcess(t *testing.T) {
	file := filepath.Join(t.TempDir(), "landfall.db")
	open := func() *tracking.Tracker {
		s, err := storage.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := tracking.New(tracking.Config{Store: s, RecordEvents: true})
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	first := open()
	account, _, err := first.EnsureAccount(ctx, "test")
	if err != nil {
		t.Fatal(err)
	}
	report := func(tr *tracking.Tracker, number string) {
		if _, err := tr.For(tracking.Actor{Account: account.Scope()}).Ingest(ctx, tracking.Report{Source: "s", SCAC: "MAEU", Facts: voyage(number)}); err != nil {
			t.Fatal(err)
		}
	}
	report(first, "B1")
	before, end := eventsAfter(t, first.For(tracking.Actor{Account: account.Scope()}), "", 10)
	if err := first.Close(); err != nil || len(before) == 0 {
		t.Fatal(len(before), err)
	}
	second := open()
	defer second.Close()
	mine := second.For(tracking.Actor{Account: account.Scope()})
	if after, _ := eventsAfter(t, mine, "", 10); !slices.Equal(cursors(after), cursors(before)) {
		t.Errorf("%v was recorded, %v is there after a restart", cursors(before), cursors(after))
	}
	other := open()
	defer other.Close()
	report(other, "B2")
	late, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := mine.Events().Wait(late, end); err != nil {
		t.Errorf("an event of another process: %v", err)
	}
}
