package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// Every attempt is printed once, in the round after it was written, whatever
// happens between rounds.
func TestTail(t *testing.T) {
	t.Parallel()
	b := trackingtest.New(t, func(c *tracking.Config) { c.Rand = func() float64 { return 0.5 } })
	const url = "https://example.com/hook"
	w, err := b.CreateWebhook(t.Context(), tracking.NewWebhook{URL: url, Events: tracking.EventNames()})
	if err != nil {
		t.Fatal(err)
	}
	happen := func(serial int) {
		t.Helper()
		_, err := b.CreateTrackingRequest(t.Context(), tracking.NewTrackingRequest{
			Number: fmt.Sprintf("TAIL%05d", serial), Type: tracking.BillOfLading, SCAC: trackingtest.SCAC,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	tail := newTail(b.Operator, &out, "", b.Clock.Now())
	round := func() []string {
		t.Helper()
		out.Reset()
		if err := tail.printNew(t.Context()); err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	}
	if lines := round(); len(lines) != 1 || !strings.HasPrefix(lines[0], "ENDED ") {
		t.Fatalf("before anything happened: %q", lines)
	}

	b.Notifier.Script(url, tracking.Outcome{Status: 500, Failure: tracking.FailStatus, Total: 1_500 * time.Microsecond}, tracking.Outcome{Status: 204, Total: time.Millisecond})
	happen(1)
	b.Settle()
	n, _, err := b.WebhookNotifications(t.Context(), tracking.WebhookNotificationQuery{}, tracking.Page{})
	if err != nil || len(n) != 1 {
		t.Fatal(len(n), err)
	}
	fields := func(line string) string { return strings.Join(strings.Fields(line), " ") }
	want := fmt.Sprintf("%s %s %s %s 1 500 http_status 1.5 %s test", formatTime(b.Clock.Now()), n[0].ID, n[0].Event, w.ID, formatTime(b.Clock.Now().Add(5*time.Second)))
	if lines := round(); len(lines) != 1 || fields(lines[0]) != want {
		t.Errorf("\n%q, want\n%q", lines, want)
	}
	if lines := round(); len(lines) != 1 || lines[0] != "" {
		t.Errorf("printed again: %q", lines)
	}
	b.Pass(10 * time.Second)
	if lines := round(); len(lines) != 1 || !strings.Contains(fields(lines[0]), " 2 204 - 1.0 - test") {
		t.Errorf("the second attempt: %q", lines)
	}
	if _, err := b.RedeliverNotification(t.Context(), n[0].ID); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if lines := round(); len(lines) != 1 || !strings.Contains(fields(lines[0]), " 3 manual 204 ") {
		t.Errorf("what was asked for: %q", lines)
	}

	for i := range 2*tailPage + 7 {
		happen(100 + i)
	}
	b.Settle()
	lines := round()
	if len(lines) != 2*tailPage+7 {
		t.Fatalf("%d lines", len(lines))
	}
	seen := map[string]bool{}
	for _, l := range lines {
		seen[strings.Fields(l)[1]] = true
	}
	if len(seen) != len(lines) {
		t.Errorf("%d notifications in %d lines", len(seen), len(lines))
	}

	// One with a later start, and one of an account without attempts.
	b.Clock.Advance(time.Minute)
	out.Reset()
	late := newTail(b.Operator, &out, "test", b.Clock.Now())
	if err := late.printNew(t.Context()); err != nil || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("%v, and what was before it began: %s", err, out.String())
	}
	if err := newTail(b.Operator, &out, "nobody", time.Time{}).printNew(t.Context()); err == nil {
		t.Error("an account that does not exist")
	}
}
