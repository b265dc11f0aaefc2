package simulator_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/source/dcsa/simulator"
)

// subscriber keeps the events that it receives, and answers with a status.
type subscriber struct {
	url      string
	status   int
	received []*http.Request
	bodies   []string
}

func subscribe(t *testing.T) *subscriber {
	t.Helper()
	s := &subscriber{status: http.StatusNoContent}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		s.received, s.bodies = append(s.received, r), append(s.bodies, string(body))
		w.WriteHeader(s.status)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func secretText(n byte) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat(string(n), 40)))
}

func signature(secret, body string) string {
	key, err := base64.StdEncoding.DecodeString(secret)
	if err != nil {
		panic(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(body))
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// TestCallbacks runs one subscription from its creation to its deletion.
func TestCallbacks(t *testing.T) {
	ctx := context.Background()
	b := serve(t, simulator.Config{})
	us := subscribe(t)
	push := func(want int) {
		t.Helper()
		before := len(us.bodies)
		if err := b.Push(ctx); err != nil {
			t.Error(err)
		}
		if got := len(us.bodies) - before; got != want {
			t.Fatalf("%d callbacks, want %d", got, want)
		}
	}

	made := b.must(http.MethodPost, "/v2/event-subscriptions",
		fmt.Sprintf(`{"callbackUrl":%q,"secret":%q,"carrierBookingReference":"LFK7001001","eventType":["EQUIPMENT","TRANSPORT"]}`, us.url+"/here", secretText('a')))
	var doc struct {
		ID       string   `json:"subscriptionID"`
		Callback string   `json:"callbackUrl"`
		Booking  string   `json:"carrierBookingReference"`
		Types    []string `json:"eventType"`
		Secret   string
	}
	if err := json.Unmarshal([]byte(made.body), &doc); err != nil || made.status != http.StatusCreated {
		t.Fatalf("%d %s %v", made.status, made.body, err)
	}
	if doc.ID == "" || doc.Callback != us.url+"/here" || doc.Booking != "LFK7001001" || len(doc.Types) != 2 || doc.Secret != "" {
		t.Errorf("%s", made.body)
	}
	own := "/v2/event-subscriptions/" + doc.ID
	if got := b.must(http.MethodGet, own, ""); got.body != made.body {
		t.Errorf("GET: %s", got.body)
	}
	if got := b.must(http.MethodGet, "/v2/event-subscriptions", ""); got.body != "["+made.body+"]" {
		t.Errorf("list: %s", got.body)
	}

	push(0) // nothing of these types is known yet
	b.clock.Advance(10 * 24 * time.Hour)
	push(1)
	push(0) // nothing new
	r, body := us.received[0], us.bodies[0]
	if got := r.Header.Get("Notification-Signature"); got != signature(secretText('a'), body) {
		t.Errorf("Notification-Signature: %s", got)
	}
	if r.Header.Get("Subscription-ID") != doc.ID || r.Header.Get("API-Version") != "2.2.0" || r.URL.Path != "/here" {
		t.Errorf("%s %v", r.URL, r.Header)
	}
	// Both versions of the gate-in, which happened meanwhile.
	if list := parse(t, body); len(list) != 7 || strings.Contains(body, "LFK7002001") || strings.Contains(body, "SHIPMENT") {
		t.Errorf("%d events: %s", len(list), body)
	}

	if r := b.must(http.MethodPut, own+"/secret", fmt.Sprintf(`{"secret":%q}`, secretText('b'))); r.status != http.StatusNoContent {
		t.Errorf("secret: %d %s", r.status, r.body)
	}
	us.status = http.StatusServiceUnavailable
	b.clock.Advance(24 * time.Hour)
	if err := b.Push(ctx); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("a callback that was refused: %v", err)
	}
	us.status = http.StatusNoContent
	push(1) // the same again
	n := len(us.bodies)
	if us.bodies[n-1] != us.bodies[n-2] || us.received[n-1].Header.Get("Notification-Signature") != signature(secretText('b'), us.bodies[n-1]) {
		t.Error("what was refused was not told again, under the new secret")
	}

	if r := b.must(http.MethodPut, own, fmt.Sprintf(`{"subscriptionID":%q,"callbackUrl":%q,"eventType":"SHIPMENT"}`, doc.ID, us.url)); r.status != http.StatusOK {
		t.Errorf("PUT: %d %s", r.status, r.body)
	}
	b.clock.Set(b.Ends())
	push(1)
	if last := us.bodies[len(us.bodies)-1]; !strings.Contains(last, "LFB7006001") || strings.Contains(last, "EQUIPMENT") {
		t.Errorf("told by the new filter: %s", last)
	}
	for _, body := range []string{`{"callbackUrl":"https://us.example","secret":"c2VjcmV0"}`, `{"callbackUrl":"https://us.example","subscriptionID":"other"}`} {
		if r := b.must(http.MethodPut, own, body); r.status != http.StatusBadRequest {
			t.Errorf("PUT %s: %d", body, r.status)
		}
	}

	if r := b.must(http.MethodDelete, own, ""); r.status != http.StatusNoContent {
		t.Errorf("DELETE: %d %s", r.status, r.body)
	}
	if r := b.must(http.MethodDelete, own, ""); r.status != http.StatusNotFound {
		t.Errorf("DELETE again: %d %s", r.status, r.body)
	}
	b.clock.Advance(24 * time.Hour)
	push(0)
	if s := b.Stats(); s.Callbacks != 3 || s.CallbacksFailed != 1 {
		t.Errorf("%+v", s)
	}
}
