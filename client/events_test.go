package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
)

// cutter is a listener whose connections break after a number of bytes.
type cutter struct {
	net.Listener
	after int
}

func (c *cutter) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil && c.after > 0 {
		conn = &cutConn{conn, c.after}
		c.after += 211
	}
	return conn, err
}

type cutConn struct {
	net.Conn
	left int
}

func (c *cutConn) Write(b []byte) (int, error) {
	if c.left <= 0 {
		c.Close()
		return 0, io.ErrClosedPipe
	}
	n, err := c.Conn.Write(b[:min(len(b), c.left)])
	if c.left -= n; err == nil && n < len(b) {
		c.Close()
		err = io.ErrClosedPipe
	}
	return n, err
}

// A follower gets each event once and in order, wherever its connections are cut.
// Seen to fail: without Last-Event-ID.
func TestFollowEvents(t *testing.T) {
	b := newBench(t)
	if _, err := b.Client.Events(t.Context(), tracking.EventQuery{}, 10); err != nil {
		t.Fatal(err)
	}
	const events = 5
	for i := range events {
		if _, err := b.Client.CreateTrackingRequest(t.Context(), tracking.NewTrackingRequest{Number: fmt.Sprint("MAEUCUT", i), Type: tracking.BillOfLading, SCAC: "MAEU"}); err != nil {
			t.Fatal(err)
		}
		b.Settle()
	}
	server := httptest.NewUnstartedServer(b.handler)
	server.Listener = &cutter{server.Listener, 500}
	server.Start()
	defer server.Close()
	transport := &http.Transport{DisableKeepAlives: true}
	c, err := client.New(client.Config{URL: server.URL + "/v2", Key: b.key, HTTP: &http.Client{Transport: transport}, MaxWait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	next := 1
	for e, err := range c.FollowEvents(t.Context(), tracking.EventQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Cursor != strconv.Itoa(next) || !strings.Contains(string(e.Payload), string(e.Event)) {
			t.Fatalf("%+v comes as event %d", e, next)
		}
		if next++; next > events {
			break
		}
	}
	// What connecting again does not help against ends the iteration.
	for _, err := range c.FollowEvents(t.Context(), tracking.EventQuery{After: "999"}) {
		var refused *client.Error
		if !errors.As(err, &refused) || refused.Status != 400 {
			t.Errorf("a wrong cursor: %v", err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range c.FollowEvents(ended, tracking.EventQuery{}) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after the end: %v", err)
		}
	}
}

// A follower waits as long as a server that is down asks for, also longer than MaxWait, which
// bounds other requests. Seen to fail: it ended with the 503.
func TestFollowEventsWaits(t *testing.T) {
	b := newBench(t)
	if _, err := b.Client.Events(t.Context(), tracking.EventQuery{}, 10); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Client.CreateTrackingRequest(t.Context(), tracking.NewTrackingRequest{Number: "MAEUDOWN1", Type: tracking.BillOfLading, SCAC: "MAEU"}); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	down := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down {
			down = false
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		b.handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	c, err := client.New(client.Config{URL: server.URL + "/v2", Key: b.key, MaxWait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range c.FollowEvents(t.Context(), tracking.EventQuery{}) {
		if err != nil || e.Cursor != "1" {
			t.Errorf("%+v, error %v", e, err)
		}
		break
	}
}
