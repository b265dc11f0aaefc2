package receiver_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/webhook/receiver"
	"github.com/landfallhq/tracking/webhook/signature"
)

const body = `{"data":{"type":"webhook_notification","attributes":{"event":"container.created"}}}`

// signed is a delivery as Landfall sends it, signed at the current time, because
// Verify uses the system's clock.
func signed(secret, id, body string) *http.Request {
	now := time.Now()
	value, err := signature.Header(id, now, []byte(body), secret)
	if err != nil {
		panic(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(body))
	r.Header.Set(signature.IDHeader, id)
	r.Header.Set(signature.TimestampHeader, signature.Timestamp(now))
	r.Header.Set(signature.SignatureHeader, value)
	return r
}

// bench is a receiver with the deliveries that it received.
type bench struct {
	handler         http.Handler
	secret          string
	on              func(receiver.Delivery) error
	taken, repeated []string
	refused         []error
}

func newBench(t *testing.T, change ...func(*receiver.Config)) *bench {
	t.Helper()
	b := &bench{secret: signature.NewSecret()}
	b.on = func(d receiver.Delivery) error { b.taken = append(b.taken, d.ID); return nil }
	config := receiver.Config{
		Secrets:  []string{b.secret},
		On:       func(_ context.Context, d receiver.Delivery) error { return b.on(d) },
		Repeated: func(d receiver.Delivery) { b.repeated = append(b.repeated, d.ID) },
		Refused:  func(_ *http.Request, err error) { b.refused = append(b.refused, err) },
	}
	for _, c := range change {
		c(&config)
	}
	var err error
	if b.handler, err = receiver.New(config); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) send(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	return w
}

func TestAnswers(t *testing.T) {
	for _, row := range []struct {
		name   string
		change func(*http.Request)
		body   string
		want   int
		err    error
	}{
		{"signed", func(*http.Request) {}, body, 204, nil},
		{"no JSON", func(*http.Request) {}, "x", 204, nil},
		{"unsigned", func(r *http.Request) { r.Header.Del(signature.SignatureHeader) }, body, 401, signature.ErrMissingHeader},
		{"another id", func(r *http.Request) { r.Header.Set(signature.IDHeader, "x") }, body, 401, signature.ErrNoMatch},
		{"an old one", func(r *http.Request) { r.Header.Set(signature.TimestampHeader, "1") }, body, 401, signature.ErrTooOld},
		{"GET", func(r *http.Request) { r.Method = http.MethodGet }, body, 405, nil},
		{"large", func(*http.Request) {}, strings.Repeat("x", 1001), 413, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBench(t, func(c *receiver.Config) { c.MaxBytes = 1000 })
			r := signed(b.secret, "1", row.body)
			row.change(r)
			if w := b.send(r); w.Code != row.want {
				t.Errorf("%d, want %d", w.Code, row.want)
			}
			if taken := len(b.taken) == 1; taken != (row.want == 204) || taken == (len(b.refused) == 1) {
				t.Errorf("taken %v, refused %v", b.taken, b.refused)
			}
			if row.err != nil && !errors.Is(b.refused[0], row.err) {
				t.Errorf("refused with %v, want %v", b.refused[0], row.err)
			}
		})
	}
}

func TestTakenOnce(t *testing.T) {
	b := newBench(t)
	for range 3 {
		if w := b.send(signed(b.secret, "1", body)); w.Code != 204 {
			t.Fatalf("%d", w.Code)
		}
	}
	if len(b.taken) != 1 || len(b.repeated) != 2 {
		t.Errorf("taken %v, repeated %v", b.taken, b.repeated)
	}
}

// A delivery is repeated if On failed or panicked.
func TestNotTaken(t *testing.T) {
	b := newBench(t)
	take := b.on
	b.on = func(receiver.Delivery) error { return errors.New("the disk is full") }
	w := b.send(signed(b.secret, "1", body))
	if w.Code != 500 || strings.Contains(w.Body.String(), "disk") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	b.on = func(receiver.Delivery) error { panic("oh") }
	func() {
		defer func() { _ = recover() }()
		b.send(signed(b.secret, "1", body))
	}()
	b.on = take
	if w := b.send(signed(b.secret, "1", body)); w.Code != 204 || len(b.taken) != 1 {
		t.Errorf("%d, taken %v", w.Code, b.taken)
	}
}

// Nothing is acknowledged before it is processed.
func TestTwiceAtATime(t *testing.T) {
	b := newBench(t)
	take := b.on
	var meanwhile *httptest.ResponseRecorder
	b.on = func(d receiver.Delivery) error {
		meanwhile = b.send(signed(b.secret, "1", body))
		return take(d)
	}
	if w := b.send(signed(b.secret, "1", body)); w.Code != 204 || meanwhile.Code != 409 || len(b.taken) != 1 {
		t.Errorf("%d, meanwhile %d, taken %v", w.Code, meanwhile.Code, b.taken)
	}
}

func TestForgets(t *testing.T) {
	b := newBench(t, func(c *receiver.Config) { c.Remember = 2 })
	for _, id := range []string{"1", "2", "1", "3", "2", "3", "1", "3", "2"} {
		b.send(signed(b.secret, id, body))
	}
	if want := []string{"1", "2", "3", "1", "2"}; !slices.Equal(b.taken, want) {
		t.Errorf("taken %v, want %v", b.taken, want)
	}
	if want := []string{"1", "2", "3", "3"}; !slices.Equal(b.repeated, want) {
		t.Errorf("repeated %v, want %v", b.repeated, want)
	}
}

func TestConfig(t *testing.T) {
	on := func(context.Context, receiver.Delivery) error { return nil }
	own := []string{signature.NewSecret()}
	for want, config := range map[string]receiver.Config{
		"Secrets is empty": {On: on},
		"Secrets[1]":       {On: on, Secrets: append(slices.Clone(own), "whsec_canary")},
		"On is nil":        {Secrets: own},
		"Tolerance":        {On: on, Secrets: own, Tolerance: -1},
		"Remember":         {On: on, Secrets: own, Remember: -1},
		"MaxBytes":         {On: on, Secrets: own, MaxBytes: -1},
	} {
		if _, err := receiver.New(config); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A program that receives webhooks.
func Example() {
	secret := signature.NewSecret()
	handler, err := receiver.New(receiver.Config{
		Secrets: []string{secret},
		On: func(_ context.Context, d receiver.Delivery) error {
			fmt.Println(d.ID, d.Event)
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, delivery := range []*http.Request{
		signed(secret, "7d3f1a56", body),
		signed(secret, "7d3f1a56", body), // the same once more
		signed(signature.NewSecret(), "b01d", body),
	} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, delivery)
		fmt.Println(w.Code)
	}
	// Output:
	// 7d3f1a56 container.created
	// 204
	// 204
	// 401
}
