package client_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/httpserver"
)

// redirectTo responds with a redirect.
func redirectTo(status int, location string) *http.Response {
	r := response(status, "", "")
	r.Header.Set("Location", location)
	return r
}

// A redirect is an error: a client that follows it would turn a write into a read.
func TestRedirects(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	party := must[*tracking.Party](t)(b.Tracker.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme"}))
	const there = "https://tracking.example.com/v2/parties"
	for _, status := range []int{301, 302, 303, 307, 308} {
		b.wire.before = func(*http.Request) (*http.Response, error) {
			if len(b.wire.sent) > 1 {
				return nil, nil
			}
			return redirectTo(status, there+"/"+party.ID.String()), nil
		}
		for name, call := range map[string]func() error{
			"read":   func() error { return errorOf(b.Client.Party(ctx, party.ID)) },
			"POST":   func() error { return errorOf(b.Client.CreateParty(ctx, tracking.NewParty{CompanyName: "B"})) },
			"change": func() error { return errorOf(b.Client.UpdateParty(ctx, party.ID, tracking.PartyUpdate{})) },
			"delete": func() error { return b.Client.DeleteWebhook(ctx, party.ID) },
			"upload": func() error {
				return b.Client.SendUpload(ctx, &tracking.UploadTicket{Upload: &tracking.Upload{}, Handle: "x"}, []byte("bytes"))
			},
		} {
			b.wire.sent = nil
			var refused *client.Error
			err := call()
			if !errors.As(err, &refused) || refused.Status != status || !strings.HasPrefix(refused.Location, there) || !strings.Contains(err.Error(), there) || len(b.wire.sent) != 1 {
				t.Errorf("%s, %d: %v after %d requests", name, status, err, len(b.wire.sent))
			}
		}
	}
}

// Redirects of downloads are followed, without the key.
func TestDownloadIsFollowed(t *testing.T) {
	b := newBench(t)
	b.wire.before = func(r *http.Request) (*http.Response, error) {
		if r.URL.Host == "files.example.net" {
			return response(200, "bytes", ""), nil
		}
		return redirectTo(302, "https://files.example.net/signed?for=you"), nil
	}
	file := must[*tracking.Download](t)(b.Client.OpenDownload(t.Context(), "https://tracking.example.com/v2/blobs/abc"))
	if got := string(contentOf(t, file)); got != "bytes" || len(b.wire.sent) != 2 || b.wire.sent[1].Header.Get("Authorization") != "" {
		t.Errorf("%q after %d requests", got, len(b.wire.sent))
	}
}

// The version is also read from a weak ETag, because proxies that compress weaken it.
func TestWeakVersion(t *testing.T) {
	b := newBench(t)
	b.wire.before = func(r *http.Request) (*http.Response, error) {
		answer, err := (&recordingTransport{handler: b.handler}).RoundTrip(r)
		if tag := answer.Header.Get("Etag"); tag != "" {
			answer.Header.Set("Etag", "W/"+tag)
		}
		return answer, err
	}
	made := must[*tracking.Party](t)(b.Client.CreateParty(t.Context(), tracking.NewParty{CompanyName: "Acme"}))
	if want := must[*tracking.Party](t)(b.Tracker.Party(t.Context(), made.ID)); made.Version != want.Version || made.Version == 0 {
		t.Errorf("it has the version %d, and the engine has %d", made.Version, want.Version)
	}
}

// The page number and the page size can each be given alone.
func TestPageNumberOrSize(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	for _, name := range []string{"A", "B", "C"} {
		must[*tracking.Party](t)(b.Tracker.CreateParty(ctx, tracking.NewParty{CompanyName: name}))
	}
	for _, row := range []struct {
		ask             tracking.Page
		number, records int
	}{{tracking.Page{Size: 2}, 1, 2}, {tracking.Page{Number: 1}, 1, 3}, {tracking.Page{Number: 2}, 2, 0}, {tracking.Page{Number: 2, Size: 2}, 2, 1}} {
		page, err := b.Client.Parties().Page(ctx, row.ask)
		if err != nil || page.Number != row.number || len(page.Records) != row.records {
			t.Errorf("%+v: %+v, %v", row.ask, page, err)
		}
	}
}

// An unpaged list has one page.
func TestUnpagedList(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	page := must[*client.Page[tracking.ShippingLine]](t)
	first, second := page(b.Client.ShippingLines(tracking.ShippingLineQuery{}).Page(ctx, tracking.Page{})), page(b.Client.ShippingLines(tracking.ShippingLineQuery{}).Page(ctx, tracking.Page{Number: 2, Size: 10}))
	if first.Number != 1 || len(first.Records) < 30 || first.More {
		t.Errorf("the first page is %d with %d lines", first.Number, len(first.Records))
	}
	if second.Number != 2 || len(second.Records) != 0 || second.More {
		t.Errorf("the second page is %d with %d lines", second.Number, len(second.Records))
	}
}

// A bulk request beyond the rate limit of a minute fails without a retry.
func TestTooManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, func(c *httpserver.Config) { c.Limits = httpserver.Limits{Default: -1, Create: 2} })
		list := make([]tracking.NewTrackingRequest, 3)
		err := errorOf(b.Client.CreateTrackingRequests(t.Context(), list))
		faulty(t, "three of two", err, http.StatusUnprocessableEntity, "too_long", "/data")
		if len(b.wire.sent) != 1 {
			t.Errorf("it was sent %d times", len(b.wire.sent))
		}
	})
}

// An invalid result of one item does not affect the others. A wrong number of results
// is an error.
func TestInvalidBulkResults(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	answer := ""
	b.wire.before = func(*http.Request) (*http.Response, error) {
		r := response(200, answer, "")
		r.Header.Set("X-Request-Id", "r1")
		return r, nil
	}
	list := make([]tracking.NewTrackingRequest, 2)
	answer = `{"results":[{"status":"201","data":7},{"status":"422","errors":[{"code":"blank"}]}]}`
	results := must[[]tracking.BulkRequestResult](t)(b.Client.CreateTrackingRequests(ctx, list))
	var refused *client.Error
	if results[0].Err == nil || !errors.As(results[1].Err, &refused) || refused.Status != 422 || refused.RequestID != "r1" {
		t.Errorf("the results are %+v", results)
	}
	answer = `{"results":[{"status":"422","errors":[{"code":"blank"}]}]}`
	if err := errorOf(b.Client.CreateTrackingRequests(ctx, list)); err == nil {
		t.Error("one result for two requests")
	}
	if err := errorOf(b.Client.SetCustomFields(ctx, tracking.BulkCustomFields{Items: make([]tracking.NewCustomField, 2)})); err == nil {
		t.Error("one result for two values")
	}
}

// Invalid included resources and unknown types do not fail the call. Missing and
// invalid resources give different errors.
func TestInvalidIncluded(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	const ship, container, port, gone = "7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d11", "7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d12", "7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d13", "7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d14"
	const included = `[{"type":"drone","id":"d-1","attributes":{"rotors":4}}, 7, {"type":["port"],"id":"x"}, {"id":"x"},
		{"type":"container","id":"` + container + `","attributes":{"number":7},"relationships":{}},
		{"type":"port","id":"` + port + `","attributes":{"name":"Oakland","code":"USOAK","news":{}},"relationships":{}}]`
	const row = `{"type":"shipment","id":"` + ship + `","attributes":{"bill_of_lading_number":"LFBL1"},"relationships":{}}`
	body := ""
	b.wire.before = func(*http.Request) (*http.Response, error) { return response(200, body, ""), nil }
	check := func(what string, in client.Included) {
		t.Helper()
		if p, err := client.Find[tracking.Port](in, parsed(t, port)); err != nil || p.Code != "USOAK" {
			t.Errorf("%s: the port is %v, %v", what, p, err)
		}
		if c, err := client.Find[tracking.Container](in, parsed(t, container)); c != nil || err == nil || errors.Is(err, client.ErrNotIncluded) {
			t.Errorf("%s: the container that cannot be read is %v, %v", what, c, err)
		}
		if _, err := client.Find[tracking.Container](in, parsed(t, gone)); !errors.Is(err, client.ErrNotIncluded) {
			t.Errorf("%s: the container that did not come is %v", what, err)
		}
		faults := in.Faults()
		if len(faults) != 4 || !strings.Contains(faults[3].Error(), "container "+container) || in.Len() != 6 {
			t.Errorf("%s: the faults of %d are %v", what, in.Len(), faults)
		}
	}
	body = `{"data":` + row + `,"included":` + included + `}`
	check("one", must[client.Answer[tracking.Shipment]](t)(b.Client.Shipment(ctx, parsed(t, ship))).Included)
	body = `{"data":[` + row + `],"included":` + included + `,"links":{},"meta":{"size":30,"total":1}}`
	check("list", must[*client.Page[tracking.Shipment]](t)(b.Client.Shipments(tracking.ShipmentQuery{}).Page(ctx, tracking.Page{})).Included)
	d := must[*client.Delivery](t)(client.ParseDelivery([]byte(`{"data":{"type":"webhook_notification","id":"` + ship + `","attributes":{"event":"container.created"},
		"relationships":{"reference_object":{"data":{"type":"container_created_event","id":"` + gone + `"}}}},"included":` + included + `}`)))
	check("delivery", d.Included)
	if d.ContainerCreated() != nil || d.Container() != nil {
		t.Error("what cannot be read is there")
	}
}

func parsed(t *testing.T, text string) (id tracking.ID) {
	t.Helper()
	if err := id.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return id
}

// A missing stop of a route is an error.
func TestInvalidRouteStop(t *testing.T) {
	b := newBench(t)
	const route, stop = "7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d11", "7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d12"
	b.wire.before = func(*http.Request) (*http.Response, error) {
		return response(200, `{"data":{"type":"route","id":"`+route+`","attributes":{},"relationships":{"route_locations":{"data":[{"type":"route_location","id":"`+stop+`"}]}}}}`, ""), nil
	}
	if answer, err := b.Client.ContainerRoute(t.Context(), parsed(t, route)); !errors.Is(err, client.ErrNotIncluded) {
		t.Errorf("%+v, %v", answer.Record, err)
	}
}

// Names that would change the path are refused and not sent.
func TestInvalidPathSteps(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	for _, name := range []string{"", ".", ".."} {
		for what, err := range map[string]error{
			"port": errorOf(b.Client.Port(ctx, name)), "vessel": errorOf(b.Client.Vessel(ctx, name)), "positions": errorOf(b.Client.FuturePositions(ctx, name, tracking.ID{}, tracking.ID{}, nil)),
			"value":    b.Client.DeleteCustomFieldOf(ctx, tracking.Entity{Type: tracking.ShipmentEntity}, name),
			"download": errorOf(b.Client.OpenDownload(ctx, name)),
		} {
			if err == nil || len(b.wire.sent) > 0 {
				t.Errorf("%s %q: %v, %d requests", what, name, err, len(b.wire.sent))
			}
		}
	}
}

// A truncated error response still has its status.
func TestTruncatedErrorResponse(t *testing.T) {
	b := newBench(t)
	b.wire.before = func(*http.Request) (*http.Response, error) {
		r := response(429, "", "61") // longer than MaxWait
		r.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"errors":[`), failingBody{}))
		return r, nil
	}
	var refused *client.Error
	if err := b.Client.Alive(t.Context()); !errors.As(err, &refused) || refused.Status != 429 || refused.RetryAfter == 0 {
		t.Errorf("it is %v", err)
	}
}

// failingBody is a body that ends with an error.
type failingBody struct{}

func (failingBody) Read([]byte) (int, error) { return 0, errBroken }
