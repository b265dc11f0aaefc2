package httpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/webhook"
	"github.com/landfallhq/tracking/webhook/signature"
)

// The server is mounted next to a host's own pages. A client tracks a number with a
// new key.
func Example() {
	ctx := context.Background()
	tr, err := tracking.New(tracking.Config{Store: memory.New()}) // or a store that lasts
	if err != nil {
		log.Fatal(err)
	}
	defer tr.Close()
	acme, _, err := tr.EnsureAccount(ctx, "acme")
	if err != nil {
		log.Fatal(err)
	}
	secret, _, err := tr.CreateKey(ctx, tracking.NewKey{Account: acme.Scope()})
	if err != nil {
		log.Fatal(err)
	}

	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "the host's own page") })
	mux.Handle("/v2/", httpserver.New(httpserver.Config{Tracker: tr}))
	host := httptest.NewServer(mux)
	defer host.Close()

	send := func(method, path, body string) {
		r, err := http.NewRequest(method, host.URL+path, strings.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		r.Header.Set("Authorization", "Token "+secret)
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			log.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			log.Fatal(err)
		}
		if answer.StatusCode >= 400 {
			fmt.Println(answer.Status, string(text))
			return
		}
		fmt.Println(answer.Status)
	}
	follow := `{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"MAEU77001","scac":"%s"}}}`
	send("POST", "/v2/tracking_requests", fmt.Sprintf(follow, "XXXX"))
	send("POST", "/v2/tracking_requests", fmt.Sprintf(follow, "MAEU"))
	send("GET", "/v2/tracking_requests?filter[status]=pending", "")
	// Output:
	// 422 Unprocessable Entity {"errors":[{"status":"422","code":"not_recognized","title":"Unprocessable Entity","detail":"Scac 'XXXX' is not recognized","source":{"pointer":"/data/attributes/scac"}}]}
	// 201 Created
	// 200 OK
}

// A receiver subscribes to events and requests an example notification, signed with
// the secret of its webhook.
func Example_webhooks() {
	ctx := context.Background()
	tr, err := tracking.New(tracking.Config{
		Store:     memory.New(),
		MasterKey: []byte("32 bytes or more that are secret"),                       // never in a program: from its environment
		Notifier:  webhook.New(webhook.Config{AllowHTTP: true, AllowPrivate: true}), // for receivers on this machine
	})
	if err != nil {
		log.Fatal(err)
	}
	defer tr.Close()
	acme, _, err := tr.EnsureAccount(ctx, "acme")
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(httpserver.New(httpserver.Config{
		Tracker:      tr,
		Authenticate: func(*http.Request) (tracking.Actor, error) { return tracking.Actor{Account: acme.Scope()}, nil },
	}))
	defer server.Close()

	var secret string
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = signature.Verify(r.Header, body, []string{secret}, signature.DefaultTolerance)
		}
		fmt.Println("received, signature:", err)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()

	post := func(path, body string, to any) {
		answer, err := http.Post(server.URL+path, "application/json", strings.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		defer answer.Body.Close()
		fmt.Println(answer.Status)
		if err := json.NewDecoder(answer.Body).Decode(to); err != nil {
			log.Fatal(err)
		}
	}
	var made struct {
		Data struct{ Attributes struct{ Secret string } }
	}
	post("/v2/webhooks", fmt.Sprintf(`{"data":{"type":"webhook","attributes":{"url":%q,"events":["container.created"]}}}`, receiver.URL), &made)
	secret = made.Data.Attributes.Secret
	var tried struct {
		Succeeded  bool
		StatusCode int `json:"status_code"`
	}
	post("/v2/webhooks/trigger", fmt.Sprintf(`{"url":%q,"event":"container.created","secret":%q}`, receiver.URL, secret), &tried)
	fmt.Println(tried.Succeeded, tried.StatusCode)
	// Output:
	// 201 Created
	// received, signature: <nil>
	// 200 OK
	// true 204
}
