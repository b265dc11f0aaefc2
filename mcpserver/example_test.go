package mcpserver_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/mcpserver"
	"github.com/landfallhq/tracking/storage/memory"
)

// A program serves the interface and its tools for assistants, and an assistant asks.
func Example() {
	ctx := context.Background()
	tr, err := tracking.New(tracking.Config{Store: memory.New()})
	if err != nil {
		log.Fatal(err)
	}
	acme, _, err := tr.EnsureAccount(ctx, "acme")
	if err != nil {
		log.Fatal(err)
	}
	key, _, err := tr.CreateKey(ctx, tracking.NewKey{Account: acme.Scope(), Permissions: []tracking.Permission{tracking.Show}})
	if err != nil {
		log.Fatal(err)
	}

	api := httpserver.New(httpserver.Config{Tracker: tr})
	tools, err := mcpserver.New(mcpserver.Config{URL: "http://localhost/v2", Transport: mcpserver.InProcess(api)})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/v2/", api)
	mux.Handle("/mcp", tools.Handler())
	server := httptest.NewServer(mux)
	defer server.Close()

	assistant := mcp.NewClient(&mcp.Implementation{Name: "assistant", Version: "1"}, nil)
	session, err := assistant.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: server.URL + "/mcp", HTTPClient: withKey(key), DisableStandaloneSSE: true}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	answer, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "search_container", Arguments: map[string]any{"query": "MRKU9465770"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.StructuredContent.(map[string]any)["summary"])
	// Output: [Nothing in this account matches “MRKU9465770”. It is not tracked, or written differently.]
}

// withKey sends a key with each request.
func withKey(key string) *http.Client { return &http.Client{Transport: keyTransport(key)} }

type keyTransport string

func (k keyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(k))
	return http.DefaultTransport.RoundTrip(r)
}
