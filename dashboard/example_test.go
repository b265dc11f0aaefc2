package dashboard_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/dashboard"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/storage/memory"
)

// The dashboard is mounted next to the API. A browser without a session gets the page for
// signing in.
func Example() {
	tr, err := tracking.New(tracking.Config{Store: memory.New()}) // or a store that lasts
	if err != nil {
		log.Fatal(err)
	}
	defer tr.Close()
	if _, _, err := tr.EnsureAccount(context.Background(), "acme"); err != nil {
		log.Fatal(err)
	}

	mux := http.NewServeMux()
	mux.Handle("/v2/", httpserver.New(httpserver.Config{Tracker: tr}))
	mux.Handle("/", dashboard.New(dashboard.Config{Tracker: tr}))
	host := httptest.NewServer(mux)
	defer host.Close()

	answer, err := http.Get(host.URL + "/shipments")
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Request.URL.Path, answer.StatusCode, strings.Contains(string(page), "API key"))
	// Output: /sign-in 200 true
}
