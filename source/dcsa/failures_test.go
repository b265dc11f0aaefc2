package dcsa_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/trackingtest"
)

func status(code int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

// complaint is an error in the form of the standard; requestUri names the parameter
// whatever is wrong.
func complaint(message string) string {
	return fmt.Sprintf(`{"httpMethod":"GET","requestUri":"/v2/events?carrierBookingReference=LF7700123","errors":[{"reason":"invalidQuery","message":%q}]}`, message)
}

// ofOther is an event of another booking.
func ofOther(code string) string {
	return strings.NewReplacer("LF7700123", "OTHER1", `"e1"`, `"other `+code+`"`).Replace(transport(code, call))
}

// cut closes the connection.
func cut(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

// badAnswers are the bad answers of a carrier, and the results of the query.
var badAnswers = []struct {
	name   string
	serve  http.HandlerFunc
	reason freight.FailedReason
	says   string // part of the line for the operator
}{
	{"unknown number", status(404, "application/json", complaint("not known")), freight.NumberNotFound, `404 Not Found "invalidQuery not known"`},
	{"unknown number, no body", status(404, "", ""), freight.NumberNotFound, "404 Not Found"},
	{"no events", answerWith("[]"), freight.NumberNotFound, "no events for this number"},
	{"no content", status(204, "", ""), freight.NumberNotFound, "204 No Content"},
	{"no such path", status(404, "text/html", "<html>"), freight.UnrecognizedResponse, "404 Not Found"},
	{"malformed number", status(400, "application/json", complaint("carrierBookingReference must have at most 35 characters")), freight.InvalidNumber, "at most 35 characters"},
	{"malformed number, 422", status(422, "application/json", `{"message":"CarrierBookingReference: no match"}`), freight.InvalidNumber, "422 Unprocessable Entity"},
	{"malformed page", status(400, "application/json", complaint("limit is too large")), freight.UnrecognizedResponse, "limit is too large"},
	{"no parameter seen", status(400, "application/json", complaint("one of carrierBookingReference, transportDocumentReference is needed")), freight.UnrecognizedResponse, "is needed"},
	{"400 in prose", status(400, "text/plain", "carrierBookingReference"), freight.UnrecognizedResponse, "400 Bad Request"},
	{"wrong key", status(401, "application/json", `{"message":"key-1 is no key"}`), freight.LineUnreachable, `401 Unauthorized "*** is no key": the carrier refuses our credentials`},
	{"forbidden", status(403, "text/html", "<html>"), freight.LineUnreachable, "403 Forbidden: the carrier refuses us"},
	{"private number", status(403, "application/json", complaint("carrierBookingReference is not yours")), freight.DataUnavailable, "is not yours"},
	{"purged", status(410, "", ""), freight.DataUnavailable, "410 Gone"},
	{"withheld", status(451, "", ""), freight.DataUnavailable, "451"},
	{"too often", status(429, "", ""), freight.LineUnreachable, "429 Too Many Requests, Retry-After 10s"},
	{"broken", status(500, "text/html", "<html>"), freight.LineUnreachable, "500 Internal Server Error"},
	{"down", status(503, "", ""), freight.LineUnreachable, "503 Service Unavailable"},
	{"not modified", status(304, "", ""), freight.UnrecognizedResponse, "304 Not Modified"},
	{"HTML", status(200, "text/html; charset=utf-8", "<!doctype html><title>Portal</title>"), freight.UnrecognizedResponse, "200 with an HTML page"},
	{"HTML that claims to be JSON", status(200, "application/json", "\n <html>"), freight.UnrecognizedResponse, "200 with an HTML page"},
	{"nothing", answerWith(""), freight.UnrecognizedResponse, "the document is empty"},
	{"half of the JSON", answerWith("[" + transport("DEPA", call)), freight.UnrecognizedResponse, "the document is not JSON"},
	{"half of the body", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100000")
		fmt.Fprint(w, "["+transport("DEPA", call))
	}, freight.UnrecognizedResponse, "the answer broke off after"},
	{"half of the chunks", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "["+transport("DEPA", call))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}, freight.UnrecognizedResponse, "the answer broke off after"},
	{"other JSON", answerWith(`{"status":"ok"}`), freight.UnrecognizedResponse, "$.eventType"},
	{"a number for a time", answerWith("[" + strings.Replace(transport("DEPA", call), `"2026-03-02T16:30:00+08:00"`, "17", 1) + "]"), freight.UnrecognizedResponse, "$[0].eventDateTime"},
	{"not UTF-8", answerWith("[{\"eventType\":\"\xff\"}]"), freight.UnrecognizedResponse, "it must be UTF-8"},
	{"300 MB announced", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "300000000")
		fmt.Fprint(w, "[")
	}, freight.UnrecognizedResponse, "larger than 1048576 bytes"},
	{"300 MB", func(w http.ResponseWriter, _ *http.Request) {
		blanks := []byte(strings.Repeat(" ", 1<<20))
		for range 300 {
			if _, err := w.Write(blanks); err != nil {
				return
			}
		}
	}, freight.UnrecognizedResponse, "larger than 1048576 bytes"},
	{"another booking", answerWith("[" + ofOther("DEPA") + "]"), freight.UnrecognizedResponse, `about other numbers than the one asked, such as "OTHER1"`},
	{"reset", func(w http.ResponseWriter, _ *http.Request) { cut(w) }, freight.LineUnreachable, "GET /v2/events: "},
	{"no answer", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, freight.LineUnreachable, inTime},
	{"no end of the answer", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "[")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}, freight.LineUnreachable, inTime},
	{"a link to itself", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Next-Page", r.URL.String())
		fmt.Fprintf(w, "[%s]", transport("DEPA", call))
	}, freight.UnrecognizedResponse, "page 1 links to one before it"},
	{"links in a circle", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Next-Page", map[string]string{"": "?cursor=b", "b": "?cursor=c", "c": "?cursor=b"}[r.URL.Query().Get("cursor")])
		fmt.Fprintf(w, "[%s]", transport("DEPA", call))
	}, freight.UnrecognizedResponse, "page 3 links to one before it"},
	{"links without end", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Next-Page", "?cursor=x"+r.URL.Query().Get("cursor"))
		fmt.Fprintf(w, "[%s]", transport("DEPA", call))
	}, freight.UnrecognizedResponse, "more than 5 pages"},
	{"a link that is none", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Next-Page", "http://[")
		fmt.Fprint(w, "[]")
	}, freight.UnrecognizedResponse, "Next-Page is no link"},
	{"a second page of HTML", secondPage(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }), freight.UnrecognizedResponse, "page 2: GET /v2/events: 200 with an HTML page"},
	{"a second page that is not there", secondPage(status(404, "application/json", "{}")), freight.UnrecognizedResponse, "page 2: GET /v2/events: 404 Not Found"},
	{"redirects without end", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path+"/x", http.StatusFound)
	}, freight.UnrecognizedResponse, "redirected more than 3 times"},
}

func secondPage(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("cursor") {
			serve(w, r)
			return
		}
		w.Header().Set("Next-Page", "?cursor=2")
		fmt.Fprintf(w, "[%s]", transport("DEPA", call))
	}
}

// inTime is the text for an answer that comes too late.
const inTime = "no answer in time"

// small reduces the limits for the tests.
func small(c *dcsa.Config) {
	c.Headers = map[string]dcsa.Secret{"X-Api-Key": "key-1"}
	c.MaxBody, c.MaxPages = 1<<20, 5
}

// bad is a client of a carrier with a bad answer. It waits only if there is no
// answer.
func bad(t *testing.T, serve http.HandlerFunc, says string, clock tracking.Clock) *dcsa.Client {
	t.Helper()
	return carrier(t, serve, small, func(c *dcsa.Config) {
		c.Clock = clock
		if says == inTime {
			c.RequestTimeout = 30 * time.Millisecond
		}
	})
}

// failure returns the error as a *freight.SourceError.
func failure(t *testing.T, err error) *freight.SourceError {
	t.Helper()
	var f *freight.SourceError
	if !errors.As(err, &f) {
		t.Fatalf("error is %v, want a SourceError", err)
	}
	return f
}

// TestBadAnswers: each gives a reason and a clear line for the operator, is
// counted, and shows no secret.
func TestBadAnswers(t *testing.T) {
	for _, c := range badAnswers {
		t.Run(c.name, func(t *testing.T) {
			client := bad(t, c.serve, c.says, trackingtest.NewClock())
			answer, err := client.Track(context.Background(), theBooking)
			f := failure(t, err)
			if f.Reason != c.reason || !strings.Contains(f.Error(), c.says) {
				t.Errorf("got %v\nwant %s: %s", f, c.reason, c.says)
			}
			if strings.Contains(err.Error(), "key-1") || strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("the line is not fit for a log: %v", err)
			}
			if len(answer.Report.Facts) > 0 {
				t.Errorf("facts of a bad answer: %+v", answer.Report.Facts)
			}
			s := client.Stats()
			if s.Questions != 1 || s.Answers != 0 || s.Failures[c.reason] != 1 || s.Repeats != 0 {
				t.Errorf("counted %+v", s)
			}
			if late := c.says == inTime; (s.Timeouts == 1) != late {
				t.Errorf("%d time-outs", s.Timeouts)
			}
		})
	}
}

// TestBadAnswersLeaveOthersAlone: after any bad answer to a refresh, the attempt is
// recorded, the shipment keeps its data, and another shipment, which some answers
// are about, is not changed.
func TestBadAnswersLeaveOthersAlone(t *testing.T) {
	ctx := context.Background()
	for _, c := range badAnswers {
		t.Run(c.name, func(t *testing.T) {
			line := &relay{carrier(t, answerWith("["+transport("DEPA", call)+"]"))}
			b := trackingtest.New(t, func(c *tracking.Config) { c.Sources["MAEU"] = line })
			other := ingested(t, b, ofOther("ARRI"))
			b.Clock.Advance(time.Hour)
			mine := followed(t, b, theBooking)
			if mine.LineTrackingLastSucceeded.IsZero() || mine.POLATDAt.IsZero() {
				t.Fatal("the good answer is not on record")
			}
			line.Source = bad(t, c.serve, c.says, b.Clock)
			b.Pass(13 * time.Hour)
			after := shipmentOf(t, b, mine.ID)
			if !after.LineTrackingLastAttempted.After(mine.LineTrackingLastAttempted) {
				t.Error("the attempt is not on record")
			}
			if !after.LineTrackingLastSucceeded.Equal(mine.LineTrackingLastSucceeded) {
				t.Error("it is on record as a success")
			}
			if after.LineTrackingFailedReason != c.reason || !strings.Contains(after.LineTrackingFault, c.says) {
				t.Errorf("on record is %s: %s", after.LineTrackingFailedReason, after.LineTrackingFault)
			}
			if !after.POLATDAt.Equal(mine.POLATDAt) {
				t.Errorf("the departure has changed from %v to %v", mine.POLATDAt, after.POLATDAt)
			}
			if now := shipmentOf(t, b, other.ID); now.Version != other.Version {
				t.Error("another shipment has changed")
			}
			if all, _, err := b.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{}); err != nil || len(all) != 2 {
				t.Errorf("%d shipments, %v", len(all), err)
			}
		})
	}
}

// relay queries another source, which can be replaced.
type relay struct{ freight.Source }

// ingested returns the shipment of a document.
func ingested(t *testing.T, b *trackingtest.Bench, events ...string) *tracking.Shipment {
	t.Helper()
	report, err := dcsa.Read(strings.NewReader("["+strings.Join(events, ",")+"]"), dcsa.Options{SCAC: "MAEU"})
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := b.Ingest(context.Background(), report)
	if err != nil {
		t.Fatal(err)
	}
	return shipmentOf(t, b, receipt.ShipmentIDs[0])
}

// followed returns the shipment of a tracking request.
func followed(t *testing.T, b *trackingtest.Bench, q freight.SourceQuery) *tracking.Shipment {
	t.Helper()
	r, err := b.CreateTrackingRequest(context.Background(), tracking.NewTrackingRequest{Number: q.Number, Type: q.Type, SCAC: q.SCAC})
	if err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if r, err = b.TrackingRequest(context.Background(), r.ID); err != nil {
		t.Fatal(err)
	}
	if r.Status != tracking.RequestCreated {
		t.Fatalf("the request is %s, %s", r.Status, r.FailedReason)
	}
	return shipmentOf(t, b, r.TrackedObject)
}

func shipmentOf(t *testing.T, b *trackingtest.Bench, id tracking.ID) *tracking.Shipment {
	t.Helper()
	s, err := b.Shipment(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		change func(*dcsa.Config)
		says   string
	}{
		{func(c *dcsa.Config) { c.SCAC = "" }, "Config.SCAC"},
		{func(c *dcsa.Config) { c.Source = strings.Repeat("s", 65) }, "Config.Source has more than 64"},
		{func(c *dcsa.Config) { c.BaseURL = "" }, "Config.BaseURL must be a URL"},
		{func(c *dcsa.Config) { c.BaseURL = "ftp://carrier.example" }, "Config.BaseURL must be a URL"},
		{func(c *dcsa.Config) { c.BaseURL = "http://carrier.example" }, "plain http"},
		{func(c *dcsa.Config) { c.BaseURL = "https://me:secret-1@carrier.example" }, "no user"},
		{func(c *dcsa.Config) { c.BaseURL = "https://carrier.example/?key=secret-1" }, "no user"},
		{func(c *dcsa.Config) { c.Timeout = -1 }, "Config.Timeout is negative"},
		{func(c *dcsa.Config) { c.EventTypes = []string{"IOT"} }, `Config.EventTypes has "IOT"`},
		{func(c *dcsa.Config) { c.Headers = map[string]dcsa.Secret{"a b": "secret-1"} }, `Config.Headers has "a b"`},
		{func(c *dcsa.Config) { c.Headers = map[string]dcsa.Secret{"Key": "secret-1\n"} }, `Config.Headers["Key"]`},
		{func(c *dcsa.Config) { c.Headers = map[string]dcsa.Secret{"Key": ""} }, `Config.Headers["Key"] is empty`},
		{func(c *dcsa.Config) { c.OAuth = &dcsa.OAuth{} }, "Config.OAuth.TokenURL"},
		{func(c *dcsa.Config) { c.OAuth = &dcsa.OAuth{TokenURL: "https://auth.example/token", ClientID: "me"} }, "needs a ClientID and a ClientSecret"},
		{func(c *dcsa.Config) {
			c.OAuth = &dcsa.OAuth{TokenURL: "https://auth.example/token", ClientID: "me", ClientSecret: "secret-1"}
			c.Headers = map[string]dcsa.Secret{"authorization": "secret-1"}
		}, "use only one of them"},
	} {
		config := dcsa.Config{SCAC: "MAEU", BaseURL: "https://carrier.example/tnt"}
		if _, err := dcsa.New(config); err != nil {
			t.Fatal(err)
		}
		c.change(&config)
		client, err := dcsa.New(config)
		if client != nil || err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "secret-1") {
			t.Errorf("got %v, want %s", err, c.says)
		}
	}
	for _, base := range []string{"http://localhost:1/x", "http://127.0.0.9", "http://[::1]:80"} {
		if _, err := dcsa.New(dcsa.Config{SCAC: "MAEU", BaseURL: base}); err != nil {
			t.Error(err)
		}
	}
	if _, err := dcsa.New(dcsa.Config{SCAC: "MAEU", BaseURL: "http://carrier.example", AllowHTTP: true}); err != nil {
		t.Error(err)
	}
}

// TestCredentialsStayHome: neither a link nor a redirect sends them to another
// host.
func TestCredentialsStayHome(t *testing.T) {
	var strangers atomic.Int64
	stranger := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strangers.Add(1) }))
	defer stranger.Close()
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		says  string
	}{
		"link": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Next-Page", stranger.URL+"/v2/events?cursor=2")
			fmt.Fprintf(w, "[%s]", transport("DEPA", call))
		}, "the header Next-Page leads from"},
		"link with a user": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Next-Page", "http://me:you@"+r.Host+"/v2/events?cursor=2")
			fmt.Fprintf(w, "[%s]", transport("DEPA", call))
		}, "the header Next-Page leads from"},
		"link by another scheme": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Next-Page", "https://"+r.Host+"/v2/events?cursor=2")
			fmt.Fprintf(w, "[%s]", transport("DEPA", call))
		}, "the header Next-Page leads from"},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, stranger.URL, http.StatusTemporaryRedirect)
		}, "GET /v2/events: redirected from"},
	} {
		client := carrier(t, c.serve, small)
		_, err := client.Track(context.Background(), theBooking)
		if f := failure(t, err); f.Reason != freight.UnrecognizedResponse || !strings.Contains(f.Error(), c.says) {
			t.Errorf("%s: %v", name, f)
		}
	}
	if n := strangers.Load(); n > 0 {
		t.Errorf("%d requests to another host", n)
	}
}

// TestRedirectWithinTheHost: a redirect within the host is followed with
// credentials.
func TestRedirectWithinTheHost(t *testing.T) {
	client := carrier(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v2/events" {
			http.Redirect(w, r, "/moved?"+r.URL.RawQuery, http.StatusMovedPermanently)
			return
		}
		if r.Header.Get("X-Api-Key") != "key-1" || !r.URL.Query().Has("carrierBookingReference") {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprintf(w, "[%s]", transport("DEPA", call))
	}, small)
	if _, err := client.Track(context.Background(), theBooking); err != nil {
		t.Error(err)
	}
}

// TestNoSecretInAnError: echoed credentials are masked before the text is shortened
// and quoted; a value too short for a secret stays.
func TestNoSecretInAnError(t *testing.T) {
	const odd = `a "very" \odd\ key`
	for _, c := range []struct{ name, says, want string }{
		{"over the cut", strings.Repeat("x", 190) + odd, strings.Repeat("x", 190) + "***"},
		{"with characters that are quoted", "bad " + odd, `"bad ***"`},
		{"a short value", "1 error at 12:11", `"1 error at 12:11"`},
	} {
		said, err := json.Marshal(map[string]string{"message": c.says})
		if err != nil {
			t.Fatal(err)
		}
		client := carrier(t, status(400, "application/json", string(said)), func(c *dcsa.Config) {
			c.Headers = map[string]dcsa.Secret{"X-Api-Key": odd, "X-Env": "1"}
		})
		if _, err := client.Track(context.Background(), theBooking); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "very") {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestSecretsDoNotShow, in whatever way they or a configuration are printed.
func TestSecretsDoNotShow(t *testing.T) {
	const secret = dcsa.Secret("secret-1")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%t"} {
		if text := fmt.Sprintf(verb, secret); text != "***" {
			t.Errorf("%s shows %s", verb, text)
		}
	}
	config := dcsa.Config{Headers: map[string]dcsa.Secret{"Key": secret}, OAuth: &dcsa.OAuth{ClientSecret: secret}}
	var logged bytes.Buffer
	slog.New(slog.NewTextHandler(&logged, nil)).Info("carrier", "key", secret, "config", config)
	encoded, err := json.Marshal(config.OAuth)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{fmt.Sprintf("%v %+v %#v", config, config, config), fmt.Sprintf("%v %+v", *config.OAuth, config.OAuth), logged.String(), string(encoded), secret.String()} {
		if strings.Contains(text, "secret-1") {
			t.Errorf("it shows in %s", text)
		}
	}
}
