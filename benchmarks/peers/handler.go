package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// handWritten is a server that was written for this comparison alone, with as much of our
// interface as is measured. It checks no key.
type handWritten interface {
	page(context.Context, pageQuery) ([]byte, error)
	single(ctx context.Context, id string) ([]byte, error)
	write(context.Context, movement) error
}

// pageQuery asks for a page of shipments.
type pageQuery struct {
	number, size int
	scac         string // of the carrier; empty for all
	// plain: the document is written by encoding/json.
	plain bool
	// count: the total is counted, and not taken as known.
	count bool
	host  string
	query url.Values
}

// movement is the write: what a terminal says of a container.
type movement struct {
	Container string  `json:"container"`
	Yard      string  `json:"yard"`
	Fee       float64 `json:"fee"`
	Available bool    `json:"available"`
	At        string  `json:"at"`
	// Batch: what is written goes to the server in one message.
	Batch bool `json:"batch"`
}

// wire is the request that hands in the movement.
func (m movement) wire(addr string) ([]byte, error) {
	text, err := json.Marshal(m)
	return wire(http.MethodPost, addr, "/v2/reports", "", string(text)), err
}

// handlerOf is the HTTP side of a hand-written server.
func handlerOf(s handWritten) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v2/shipments", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		p := pageQuery{scac: q.Get("filter[scac]"), count: q.Get("count") != "", plain: q.Get("plain") != "", host: r.Host, query: q}
		var err error
		if p.number, err = strconv.Atoi(q.Get("page[number]")); err == nil {
			p.size, err = strconv.Atoi(q.Get("page[size]"))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body, err := s.page(r.Context(), p)
		answer(w, body, err)
	})
	mux.HandleFunc("GET /v2/shipments/{id}", func(w http.ResponseWriter, r *http.Request) {
		body, err := s.single(r.Context(), r.PathValue("id"))
		answer(w, body, err)
	})
	mux.HandleFunc("POST /v2/reports", func(w http.ResponseWriter, r *http.Request) {
		var m movement
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &m)
		}
		if err == nil {
			err = s.write(r.Context(), m)
		}
		answer(w, []byte(`{"data":{"type":"report","attributes":{"facts":1,"new":1}}}`), err)
	})
	return mux
}

func answer(w http.ResponseWriter, body []byte, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // it fails when the load ends
}

// serveHTTP starts a server on a free port of this machine, set up as our program sets up
// its own. It stops when ctx ends.
func serveHTTP(ctx context.Context, h http.Handler) (addr string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	s := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    32 << 10,
	}
	go func() { _ = s.Serve(listener) }() // it ends with an error always: closed
	context.AfterFunc(ctx, func() { _ = s.Close() })
	return listener.Addr().String(), nil
}
