package dcsa_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/trackingtest"
)

// script serves the answers in order, the last one repeatedly.
func script(answers ...http.HandlerFunc) http.HandlerFunc {
	var n atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		answers[min(int(n.Add(1)), len(answers))-1](w, r)
	}
}

func departure() http.HandlerFunc { return answerWith("[" + transport("DEPA", call) + "]") }

func wait(code int, header, value string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", "Mon, 02 Mar 2026 09:00:30 GMT")
		w.Header().Set(header, value)
		w.WriteHeader(code)
	}
}

// patient is a client that waits by moving its clock; waited are the waits.
func patient(t *testing.T, serve http.HandlerFunc, changes ...func(*dcsa.Config)) (client *dcsa.Client, clock *trackingtest.Clock, waited *[]time.Duration) {
	t.Helper()
	t.Helper()
	clock, waited = trackingtest.NewClock(), &[]time.Duration{}
	client = carrier(t, serve, append([]func(*dcsa.Config){func(c *dcsa.Config) { c.Clock, c.Patience = clock, 5*time.Second }}, changes...)...)
	client.WithSleep(func(_ context.Context, d time.Duration) error {
		*waited = append(*waited, d)
		clock.Advance(d)
		return nil
	})
	return client, clock, waited
}

// TestRepeats: only retryable failures are repeated within the query.
func TestRepeats(t *testing.T) {
	halfABody := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		fmt.Fprint(w, "[")
	}
	reset := func(w http.ResponseWriter, _ *http.Request) { cut(w) }
	for _, c := range []struct {
		name    string
		serve   http.HandlerFunc
		repeats int64
		reason  freight.FailedReason // none when the question is answered
	}{
		{"at once", departure(), 0, ""},
		{"once broken", script(status(500, "", ""), departure()), 1, ""},
		{"twice broken", script(reset, halfABody, departure()), 2, ""},
		{"three times broken", script(status(502, "", ""), status(503, "", ""), status(504, "", ""), departure()), 2, freight.LineUnreachable},
		{"too often, for two seconds", script(wait(429, "Retry-After", "2"), departure()), 1, ""},
		{"down for two seconds", script(wait(503, "Retry-After", "2"), departure()), 1, ""},
		{"too often, for longer", script(wait(429, "Retry-After", "6"), departure()), 0, freight.LineUnreachable},
		{"unknown", script(status(404, "", ""), departure()), 0, freight.NumberNotFound},
		{"refused", script(status(401, "", ""), departure()), 0, freight.LineUnreachable},
		{"HTML", script(status(200, "text/html", "<html>"), departure()), 0, freight.UnrecognizedResponse},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, _, waited := patient(t, c.serve)
			_, err := client.Track(context.Background(), theBooking)
			if c.reason == "" && err != nil || c.reason != "" && failure(t, err).Reason != c.reason {
				t.Errorf("ended with %v", err)
			}
			if s := client.Stats(); s.Repeats != c.repeats || s.Requests != c.repeats+1 {
				t.Errorf("%d repeats, %d requests; waited %v", s.Repeats, s.Requests, *waited)
			}
			for n, d := range *waited {
				if least := 500 * time.Millisecond << n; d < least || d > 5*time.Second {
					t.Errorf("waited %v, want at least %v", *waited, least)
				}
			}
			if int64(len(*waited)) != c.repeats {
				t.Errorf("waited %v", *waited)
			}
		})
	}
}

// TestPause: Retry-After applies to all queries until it is over.
func TestPause(t *testing.T) {
	for _, c := range []struct {
		header string
		want   time.Duration
	}{
		{"90", 90 * time.Second},
		{"Mon, 02 Mar 2026 09:02:00 GMT", 90 * time.Second}, // by the Date of the response
		{"Monday, 02-Mar-26 09:02:00 GMT", 90 * time.Second},
		{"99999999", 24 * time.Hour},
		{"Mon, 02 Mar 2037 09:02:00 GMT", 24 * time.Hour},
		{"", 10 * time.Second},
		{"0", 10 * time.Second},
		{"-5", 10 * time.Second},
		{"soon", 10 * time.Second},
		{"Mon, 02 Mar 2020 09:02:00 GMT", 10 * time.Second},
	} {
		client, clock, _ := patient(t, script(wait(429, "Retry-After", c.header), departure()))
		answer, err := client.Track(context.Background(), theBooking)
		f := failure(t, err)
		if f.RetryAfter != c.want || answer.Next != c.want || f.Reason != freight.LineUnreachable {
			t.Errorf("Retry-After %q: %v, again after %v and %v", c.header, f, f.RetryAfter, answer.Next)
		}
		clock.Advance(c.want - 6*time.Second) // longer than the client's patience from the end
		_, err = client.Track(context.Background(), asking(freight.BookingNumber, "LF0000001"))
		if f := failure(t, err); f.RetryAfter != 6*time.Second || !strings.Contains(f.Error(), "asked to be left alone for another 6s") {
			t.Errorf("Retry-After %q: another question ends with %v, again after %v", c.header, f, f.RetryAfter)
		}
		if s := client.Stats(); s.Requests != 1 || s.Throttled != 1 || s.HeldBack != 1 {
			t.Errorf("Retry-After %q: %+v", c.header, s)
		}
		clock.Advance(6 * time.Second)
		if _, err := client.Track(context.Background(), theBooking); err != nil {
			t.Errorf("Retry-After %q: after the pause: %v", c.header, err)
		}
	}
}

// TestPauseOfThoseThatWait: queries that wait for a slot when a pause begins are
// not sent.
func TestPauseOfThoseThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		leave := make(chan struct{})
		client, err := dcsa.New(dcsa.Config{
			SCAC: "MAEU", BaseURL: "https://carrier.example", Concurrency: 1, RequestsPerSecond: -1, Patience: -1,
			Transport: roundTrip(func(*http.Request) *http.Response {
				<-leave
				return &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"3600"}}, Body: http.NoBody}
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			go client.Track(context.Background(), theBooking)
		}
		synctest.Wait() // one is sent, the others wait for its place
		close(leave)
		synctest.Wait()
		if s := client.Stats(); s.Requests != 1 || s.HeldBack != 7 {
			t.Errorf("%d requests and %d held back, want 1 and 7", s.Requests, s.HeldBack)
		}
	})
}

// TestPauseOfTheTokens: the authorization server can ask for a pause as well.
func TestPauseOfTheTokens(t *testing.T) {
	for code, want := range map[int]int64{429: 1, 503: 0} {
		asked := 0
		client, _, _ := patient(t, func(w http.ResponseWriter, r *http.Request) {
			asked++
			wait(code, "Retry-After", "3600")(w, r)
		}, withOAuth)
		for range 3 {
			_, err := client.Track(context.Background(), theBooking)
			if f := failure(t, err); f.RetryAfter != time.Hour {
				t.Errorf("%d: again after %v: %v", code, f.RetryAfter, f)
			}
		}
		// The library tries both places for the credentials until one has worked.
		if s := client.Stats(); asked != 2 || s.Throttled != want {
			t.Errorf("%d: asked %d times for a token, throttled %d times", code, asked, s.Throttled)
		}
	}
}

// TestPauseThatIsNearlyOver: a short rest of a pause is waited for within the
// query.
func TestPauseThatIsNearlyOver(t *testing.T) {
	client, clock, waited := patient(t, script(wait(429, "Retry-After", "60"), departure()))
	if _, err := client.Track(context.Background(), theBooking); err == nil {
		t.Fatal("no pause")
	}
	clock.Advance(57 * time.Second)
	if _, err := client.Track(context.Background(), theBooking); err != nil || !slices.Equal(*waited, []time.Duration{3 * time.Second}) {
		t.Errorf("waited %v, ended with %v", *waited, err)
	}
}

// TestPauseOfTheEngine: the engine does not ask before the pause is over.
func TestPauseOfTheEngine(t *testing.T) {
	var client *dcsa.Client
	b := trackingtest.New(t, func(c *tracking.Config) {
		client = carrier(t, script(wait(429, "Retry-After", "3600"), departure()), func(d *dcsa.Config) { d.Clock = c.Clock })
		c.Sources["MAEU"] = client
	})
	r, err := b.CreateTrackingRequest(context.Background(), tracking.NewTrackingRequest{Number: "LF7700123", Type: freight.BookingNumber, SCAC: "MAEU"})
	if err != nil {
		t.Fatal(err)
	}
	b.Pass(59 * time.Minute)
	if s := client.Stats(); s.Questions != 1 || s.Requests != 1 {
		t.Errorf("%d questions and %d requests within the pause", s.Questions, s.Requests)
	}
	b.Pass(2 * time.Minute)
	if r, err = b.TrackingRequest(context.Background(), r.ID); err != nil || r.Status != tracking.RequestCreated {
		t.Errorf("after the pause the request is %s, %v", r.Status, err)
	}
}

// TestRefusedCredentials: a request does not fail because of wrong credentials, and
// the carrier is not asked with them repeatedly.
func TestRefusedCredentials(t *testing.T) {
	client := carrier(t, status(401, "", ""))
	b := trackingtest.New(t, func(c *tracking.Config) { c.Sources["MAEU"] = client })
	r, err := b.CreateTrackingRequest(context.Background(), tracking.NewTrackingRequest{Number: "LF7700123", Type: freight.BookingNumber, SCAC: "MAEU"})
	if err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if r, err = b.TrackingRequest(context.Background(), r.ID); err != nil || r.Status != tracking.RequestPending || !r.IsRetrying || r.FailedReason != freight.LineUnreachable {
		t.Errorf("the request is %s, %s, retrying: %v; %v", r.Status, r.FailedReason, r.IsRetrying, err)
	}
	for range 3 {
		_, err := client.Track(context.Background(), theBooking)
		if f := failure(t, err); f.RetryAfter <= 0 || f.RetryAfter > time.Minute {
			t.Errorf("again after %v", f.RetryAfter)
		}
	}
	if s := client.Stats(); s.Requests != 1 || s.HeldBack != 3 {
		t.Errorf("%d requests with a key that is refused, %d held back", s.Requests, s.HeldBack)
	}
}

// TestPace: a query that cannot be sent before its deadline is not sent.
func TestPace(t *testing.T) {
	client := carrier(t, departure(), func(c *dcsa.Config) { c.RequestsPerSecond, c.Burst = 0.001, 2 })
	for range 2 {
		if _, err := client.Track(context.Background(), theBooking); err != nil {
			t.Fatal(err)
		}
	}
	_, err := client.Track(context.Background(), theBooking)
	if f := failure(t, err); f.Reason != freight.LineUnreachable || !strings.Contains(f.Error(), "the pace does not allow it") {
		t.Error(f)
	}
	if s := client.Stats(); s.Requests != 2 || s.HeldBack != 1 {
		t.Errorf("%+v", s)
	}
}

// TestConcurrency: two concurrent requests, and never a third.
func TestConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now atomic.Int64
		leave := make(chan struct{})
		client, err := dcsa.New(dcsa.Config{
			SCAC: "MAEU", BaseURL: "https://carrier.example", Concurrency: 2, RequestsPerSecond: -1,
			Transport: roundTrip(func(*http.Request) *http.Response {
				now.Add(1)
				<-leave
				now.Add(-1)
				return &http.Response{StatusCode: http.StatusNoContent, Body: http.NoBody}
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			go client.Track(context.Background(), theBooking)
		}
		for _, want := range []int64{2, 2, 2, 2, 1, 0} {
			synctest.Wait()
			if now.Load() != want {
				t.Fatalf("%d requests at one time, want %d", now.Load(), want)
			}
			if want > 0 {
				leave <- struct{}{}
			}
		}
	})
}

// TestEndOfTheCaller: the query ends at once with the caller's context.
func TestEndOfTheCaller(t *testing.T) {
	arrived := make(chan struct{})
	client, _, _ := patient(t, func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-arrived; cancel() }()
	_, err := client.Track(ctx, theBooking)
	if f := failure(t, err); f.Reason != freight.LineUnreachable || client.Stats().Requests != 1 {
		t.Errorf("%v after %d requests", f, client.Stats().Requests)
	}
}

// TestForms: the number is sent in its usual form, and then as the user wrote it if
// that is unknown.
func TestForms(t *testing.T) {
	known := func(form string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if got := r.URL.Query().Get("transportDocumentReference"); got == form {
				departure()(w, r)
			} else if strings.HasPrefix(got, "MAEU") {
				status(400, "application/json", complaint("transportDocumentReference has letters"))(w, r)
			} else {
				answerWith("[]")(w, r)
			}
		}
	}
	for _, c := range []struct {
		number, form string
		requests     int64
		reason       freight.FailedReason
	}{
		{"MAEULF7700123", "LF7700123", 1, ""},
		{"MAEU-LF 7700123", "MAEULF7700123", 2, ""},
		{"LF7700123", "MAEULF7700123", 1, freight.NumberNotFound}, // nobody said that there is a prefix
		{"MAEULF7700123", "", 2, freight.NumberNotFound},          // unknown weighs more than malformed
	} {
		client := carrier(t, known(c.form))
		q := asking(freight.BillOfLading, c.number)
		q.Normalized = "LF7700123"
		_, err := client.Track(context.Background(), q)
		if c.reason == "" && err != nil || c.reason != "" && failure(t, err).Reason != c.reason || client.Stats().Requests != c.requests {
			t.Errorf("%s, known as %q: %d requests, %v", c.number, c.form, client.Stats().Requests, err)
		}
	}
}

// authority is a carrier with an authorization server.
type authority struct {
	mu      sync.Mutex
	issued  int
	refused map[string]bool // tokens that the carrier does not take any more
	life    int             // of a token, in seconds; 0 when it is not said
	forms   []string        // what came for a token
}

func (a *authority) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.URL.Path != "/token" {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !strings.HasPrefix(token, "token-") || a.refused[token] {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		departure()(w, r)
		return
	}
	id, secret, _ := r.BasicAuth()
	r.ParseForm()
	a.forms = append(a.forms, r.PostForm.Encode())
	w.Header().Set("Content-Type", "application/json")
	if id != "me" || secret != "secret-1" {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error":"invalid_client","error_description":"%s is wrong"}`, secret)
		return
	}
	a.issued++
	answer := map[string]any{"access_token": fmt.Sprintf("token-%d", a.issued), "token_type": "bearer"}
	if a.life > 0 {
		answer["expires_in"] = a.life
	}
	json.NewEncoder(w).Encode(answer)
}

func (a *authority) refuse(token string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refused[token] = true
}

func withOAuth(c *dcsa.Config) {
	c.OAuth = &dcsa.OAuth{TokenURL: c.BaseURL + "/token", ClientID: "me", ClientSecret: "secret-1"}
}

func TestOAuth(t *testing.T) {
	a := &authority{life: 3600, refused: map[string]bool{}}
	client, clock, _ := patient(t, a.ServeHTTP, withOAuth, func(c *dcsa.Config) {
		c.OAuth.Scopes, c.OAuth.Audience = []string{"events", "read"}, "tnt"
	})
	ask := func(tokens int64) {
		t.Helper()
		if _, err := client.Track(context.Background(), theBooking); err != nil {
			t.Fatal(err)
		}
		if s := client.Stats(); s.Tokens != tokens {
			t.Fatalf("%d tokens fetched, want %d", s.Tokens, tokens)
		}
	}
	var questions sync.WaitGroup
	for range 8 {
		questions.Go(func() {
			if _, err := client.Track(context.Background(), theBooking); err != nil {
				t.Error(err)
			}
		})
	}
	questions.Wait()
	ask(1) // once for all
	clock.Advance(59 * time.Minute)
	ask(1)
	clock.Advance(31 * time.Second) // shortly before its end
	ask(2)
	a.refuse("token-2")
	ask(3)
	if got, want := a.forms[0], "audience=tnt&grant_type=client_credentials&scope=events+read"; got != want {
		t.Errorf("asked for a token by %s, want %s", got, want)
	}
}

// TestNoOldTokenInAnError: a token is masked even if it was replaced before the
// carrier's error.
func TestNoOldTokenInAnError(t *testing.T) {
	a := &authority{life: 3600, refused: map[string]bool{}}
	arrived, leave := make(chan struct{}), make(chan struct{})
	var held atomic.Bool
	client, _, _ := patient(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v2/events" && held.CompareAndSwap(false, true) {
			arrived <- struct{}{}
			<-leave
			status(400, "application/json", `{"message":"no good: `+r.Header.Get("Authorization")+`"}`)(w, r)
			return
		}
		a.ServeHTTP(w, r)
	}, withOAuth)
	told := make(chan error)
	go func() {
		_, err := client.Track(context.Background(), theBooking)
		told <- err
	}()
	<-arrived
	a.refuse("token-1")
	if _, err := client.Track(context.Background(), theBooking); err != nil {
		t.Fatal(err) // with token-2
	}
	close(leave)
	if err := <-told; err == nil || !strings.Contains(err.Error(), "no good: Bearer ***") || strings.Contains(err.Error(), "token-1") {
		t.Errorf("%v", err)
	}
}

// TestTokenWithoutEnd: a token without expiry is used until it is refused.
func TestTokenWithoutEnd(t *testing.T) {
	a := &authority{refused: map[string]bool{}}
	client, clock, _ := patient(t, a.ServeHTTP, withOAuth)
	for range 2 {
		if _, err := client.Track(context.Background(), theBooking); err != nil {
			t.Fatal(err)
		}
		clock.Advance(1000 * time.Hour)
	}
	if s := client.Stats(); s.Tokens != 1 {
		t.Errorf("%d tokens", s.Tokens)
	}
}

// TestTokenTrouble: failures of tokens give a reason, quickly, and show no secret.
func TestTokenTrouble(t *testing.T) {
	var strangers atomic.Int64
	stranger := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strangers.Add(1) }))
	defer stranger.Close()
	good := &authority{refused: map[string]bool{"token-1": true, "token-2": true}}
	token := func(serve http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/token" {
				serve(w, r)
				return
			}
			t.Error("asked for events without a token")
		}
	}
	for _, c := range []struct {
		name     string
		serve    http.HandlerFunc
		change   func(*dcsa.Config)
		reason   freight.FailedReason
		says     string
		wait     time.Duration
		requests int64
	}{
		{"wrong secret", good.ServeHTTP, func(c *dcsa.Config) { c.OAuth.ClientSecret = "secret-2" }, freight.LineUnreachable,
			"POST to the token URL: 400 Bad Request: the authorization server refuses our credentials", time.Minute, 0},
		{"new tokens are refused too", good.ServeHTTP, nil, freight.LineUnreachable, "401 Unauthorized: the carrier refuses our credentials", time.Minute, 2},
		{"down", token(status(503, "", "")), nil, freight.LineUnreachable, "POST to the token URL: 503", 0, 0},
		{"no JSON", token(status(200, "application/json", "<html>")), nil, freight.LineUnreachable, "no token in the response", 0, 0},
		{"no token", token(status(200, "application/json", "{}")), nil, freight.LineUnreachable, "no token in the response", 0, 0},
		{"elsewhere", token(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, stranger.URL, http.StatusTemporaryRedirect)
		}), nil, freight.UnrecognizedResponse, "POST /token: redirected from", 0, 0},
		{"hangs", token(func(_ http.ResponseWriter, r *http.Request) {
			r.ParseForm() // the server sees the end of the client only when the body is read
			<-r.Context().Done()
		}), func(c *dcsa.Config) { c.RequestTimeout, c.Patience = 30*time.Millisecond, -1 }, freight.LineUnreachable, "", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			changes := []func(*dcsa.Config){withOAuth}
			if c.change != nil {
				changes = append(changes, c.change)
			}
			client, _, _ := patient(t, c.serve, changes...)
			_, err := client.Track(context.Background(), theBooking)
			f := failure(t, err)
			if f.Reason != c.reason || !strings.Contains(f.Error(), c.says) || f.RetryAfter != c.wait {
				t.Errorf("got %v, again after %v\nwant %s: %s, after %v", f, f.RetryAfter, c.reason, c.says, c.wait)
			}
			if strings.Contains(f.Error(), "secret-") || strings.Contains(f.Error(), "token-") {
				t.Errorf("it tells a secret: %v", f)
			}
			if s := client.Stats(); s.Requests != c.requests {
				t.Errorf("%d requests, want %d", s.Requests, c.requests)
			}
		})
	}
	if strangers.Load() > 0 {
		t.Error("the secret went to another host")
	}
}
