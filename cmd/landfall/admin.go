package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// adminHandler serves what only operators may see: metrics, profiles, and health, apart
// from the interface and its limits. api serves the health endpoints.
func adminHandler(api, metrics http.Handler) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	mux.Handle("GET /healthz", api)
	mux.Handle("GET /readyz", api)
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

// sideServer is a server next to that of the interface.
type sideServer struct {
	listener net.Listener
	http     *http.Server
}

// listenAside opens the port of a side server, whose connections count with c; nil if
// addr is empty.
func (p passedSockets) listenAside(ctx context.Context, flag, addr string, c *connections, log *slog.Logger) (*sideServer, error) {
	if addr == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	l, err := p.listen(ctx, flag, addr, c)
	if err != nil {
		return nil, err
	}
	return &sideServer{l, &http.Server{
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}}, nil
}

// start serves until close. It may be called on nil.
func (s *sideServer) start(h http.Handler) {
	if s == nil {
		return
	}
	s.http.Handler = h
	go func() { _ = s.http.Serve(s.listener) }() // ends with close
}

// close closes the port and its connections. It may be called on nil.
func (s *sideServer) close() {
	if s == nil {
		return
	}
	_ = s.http.Close()
	_ = s.listener.Close()
}

// isLoopback reports whether only this machine reaches an address.
func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
