package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
)

// Config configures a Server. New copies it.
type Config struct {
	// URL of the interface, with its prefix: https://tracking.example.com/v2. Required.
	URL string
	// Key of the interface for all calls. Empty for the key of each HTTP request, which
	// Handler then requires.
	Key string
	// Transport sends the requests to the interface, such as InProcess. Defaults to
	// http.DefaultTransport.
	Transport http.RoundTripper
	// Retries of a failed read. Writes are not repeated. Defaults to none.
	Retries int
	// Origins are the origins that browsers may call Handler from, besides its own and those of
	// this machine: https://assistant.example.com.
	Origins []string
	// Version is shown to clients. Defaults to "unknown".
	Version string
	// Clock says how old a statement is. Defaults to the system clock.
	Clock tracking.Clock
	// Logger receives internal errors. Defaults to slog.Default().
	Logger *slog.Logger
}

// Server has the tools, prompts and resources. It is safe for concurrent use.
type Server struct {
	config Config
	// mcp is made for the first client: the schemas of tools take time at the start of a program.
	mcp func() *mcp.Server
}

// New returns a Server. It sends nothing. An error is a Config that cannot work.
func New(config Config) (*Server, error) {
	if config.Version == "" {
		config.Version = "unknown"
	}
	if config.Clock == nil {
		config.Clock = systemClock{}
	}
	if config.Logger == nil {
		config.Logger = slog.Default()
	}
	if config.Retries == 0 {
		config.Retries = -1
	}
	s := &Server{config: config}
	if _, err := s.clientWith("check"); err != nil {
		return nil, err
	}
	s.mcp = sync.OnceValue(s.newMCP)
	return s, nil
}

// newMCP returns the server of the protocol with all tools, prompts and resources.
func (s *Server) newMCP() *mcp.Server {
	served := mcp.NewServer(
		&mcp.Implementation{Name: "landfall", Title: "Landfall", Version: s.config.Version},
		&mcp.ServerOptions{Instructions: instructions, CompletionHandler: s.complete, Capabilities: &mcp.ServerCapabilities{}, Logger: slog.New(slog.DiscardHandler)},
	)
	for _, t := range tools() {
		served.AddTool(t.definition(), func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.serve(ctx, t, headerOf(r.Extra), r.Params.Arguments), nil
		})
	}
	s.addPrompts(served)
	s.addResources(served)
	served.AddReceivingMiddleware(s.recovered, readCard, anyScheme)
	return served
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

const instructions = `Landfall tracks ocean freight: shipments, their containers, where they are, what holds them up and what they cost.

- Begin with search_container, or with what_needs_attention for an overview. The other tools take the IDs that these return.
- Each answer begins with a summary. Quote its figures as they are. null means not known: say so, and do not estimate.
- Say how old a statement is where the summary does.
- ` + dataNotice

// recovered turns a panic into an internal error: the SDK serves each request in a goroutine of
// its own, whose panic would end the program.
func (s *Server) recovered(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if cause := recover(); cause != nil {
				s.config.Logger.Error("panic in a request of an assistant", "method", method, "panic", cause, "stack", string(debug.Stack()))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
			}
		}()
		return next(ctx, method, r)
	}
}

// client returns the interface with the key of a request.
func (s *Server) client(header http.Header) (*client.Client, error) {
	key := s.config.Key
	if key == "" {
		key = keyOf(header)
	}
	c, err := s.clientWith(key)
	if err != nil { // New has checked the rest of the Config
		return nil, errors.New("this connection has no API key")
	}
	return c, nil
}

func (s *Server) clientWith(key string) (*client.Client, error) {
	c, err := client.New(client.Config{
		URL: s.config.URL, Key: key, Retries: s.config.Retries, MaxWait: 5 * time.Second, UserAgent: "landfall-mcp",
		HTTP: &http.Client{Transport: s.config.Transport, Timeout: callTimeout},
	})
	if err != nil {
		return nil, fmt.Errorf("mcpserver: %w", err)
	}
	return c, nil
}

// keyOf returns the key of a request to Handler: "Token KEY" or "Bearer KEY".
func keyOf(header http.Header) string {
	lines := header["Authorization"]
	if len(lines) != 1 {
		return ""
	}
	scheme, key, _ := strings.Cut(lines[0], " ")
	if !strings.EqualFold(scheme, "Token") && !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}

func headerOf(extra *mcp.RequestExtra) http.Header {
	if extra == nil {
		return nil
	}
	return extra.Header
}

// tools are all tools, in the order in which clients list them.
func tools() []*tool {
	return []*tool{
		searchContainer, trackContainer, getContainer, getShipmentDetails, getTransportEvents, getShippingLines, getRoute,
		listContainers, listShipments, listTrackingRequests,
		whatNeedsAttention, getCharges, explainETA, compareDocument, listExceptions, asOf,
	}
}
