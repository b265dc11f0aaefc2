package httpserver_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/storage/memory"
)

// The server is mounted beside a host's own pages; a key is made, and a client
// follows a number with it.
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
