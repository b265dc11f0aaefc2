package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxBody bounds a message of a client, in bytes. Arguments are short.
const maxBody = 256 << 10

// corsHeaders are what browsers may send.
const corsHeaders = "Content-Type, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id"

// outerRequest is the key of the request that a call came with.
type outerRequest struct{}

// Handler serves clients over streamable HTTP, without sessions: each POST is answered by
// itself, with JSON. Every request needs a key, "Authorization: Token KEY" or "Bearer KEY",
// unless Config.Key is set. The key is checked when a tool calls the interface.
//
// It refuses a browser of another origin than its own, than those of this machine and than
// Config.Origins, and a name of another machine on a connection of this machine without a
// proxy: pages could call a server of this machine by a name of their own otherwise.
func (s *Server) Handler() http.Handler {
	served := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp() }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, DisableLocalhostProtection: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		if origin != "" && !s.allowsOrigin(r, origin) || !allowsHost(r) {
			refuse(w, http.StatusForbidden, "forbidden", "This Host or Origin is not allowed.")
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		switch r.Method {
		case http.MethodOptions:
			w.Header().Set("Access-Control-Allow-Methods", "POST, OPTIONS")
			w.Header().Set("Access-Control-Allow-Headers", corsHeaders)
			w.WriteHeader(http.StatusOK)
		case http.MethodPost:
			if s.config.Key == "" && keyOf(r.Header) == "" {
				w.Header().Set("WWW-Authenticate", `Bearer realm="mcp"`)
				refuse(w, http.StatusUnauthorized, "unauthorized", "An API key is required: Authorization: Bearer KEY, or Token KEY.")
				return
			}
			r = r.WithContext(context.WithValue(r.Context(), outerRequest{}, r))
			r.Header = r.Header.Clone()
			r.Header.Set("Accept", "application/json, text/event-stream") // JSON comes back in any case
			served.ServeHTTP(w, r)
		default:
			w.Header().Set("Allow", "POST, OPTIONS")
			refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "Send messages with POST.")
		}
	})
}

// refuse writes an error of the transport.
func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": code, "message": message}) // the client is gone
}

func (s *Server) allowsOrigin(r *http.Request, origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	return u.Host == r.Host || isLocal(u.Host) || slices.Contains(s.config.Origins, origin)
}

// allowsHost refuses a name of another machine on a connection from this machine, unless a
// proxy passes it on.
func allowsHost(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !peer.Addr().Unmap().IsLoopback() || isLocal(r.Host) {
		return true
	}
	return r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != ""
}

// isLocal reports whether a host, with or without a port, is this machine.
func isLocal(host string) bool {
	name := (&url.URL{Host: host}).Hostname()
	address, err := netip.ParseAddr(name)
	return strings.EqualFold(name, "localhost") || err == nil && address.IsLoopback()
}

// InProcess returns a transport that calls a handler of the interface in this process. A request
// has the host, the address and the connection of the client that called Handler, so that
// limits by address and links are those of that client.
func InProcess(api http.Handler) http.RoundTripper { return inProcess{api} }

type inProcess struct{ api http.Handler }

// passedHeaders are what proxies say of the client.
var passedHeaders = []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "X-Request-Id"}

// RoundTrip calls the handler.
func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	in := r.Clone(r.Context())
	in.RequestURI, in.Host, in.RemoteAddr = r.URL.RequestURI(), r.URL.Host, "127.0.0.1:0"
	if in.Body == nil {
		in.Body = http.NoBody
	}
	if outer, ok := r.Context().Value(outerRequest{}).(*http.Request); ok {
		in.Host, in.RemoteAddr, in.TLS = outer.Host, outer.RemoteAddr, outer.TLS
		for _, name := range passedHeaders {
			if v := outer.Header[name]; v != nil {
				in.Header[name] = v
			}
		}
	}
	out := &recorder{header: http.Header{}}
	t.api.ServeHTTP(out, in)
	return out.response(r), nil
}

// recorder is a http.ResponseWriter in memory.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *recorder) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

func (w *recorder) response(r *http.Request) *http.Response {
	w.WriteHeader(http.StatusOK)
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}
}
