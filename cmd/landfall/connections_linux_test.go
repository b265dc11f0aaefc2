package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestConnectionSettings(t *testing.T) {
	for _, c := range []struct {
		all, ofAddress, descriptors int
		wantAll, wantOfAddress      int
		refused                     string
	}{
		{0, 0, 1 << 20, 10_000, 256, ""},
		{0, 0, 1024, 768, 192, ""},
		{0, 0, 64, 16, 4, ""},
		{600, 0, 1024, 600, 150, ""},
		{600, 600, 1024, 600, 600, ""},
		{769, 0, 1024, 0, 0, "at most 768"},
		{-1, 0, 1024, 0, 0, "--max-connections: -1"},
		{100, 101, 1024, 0, 0, "--max-connections-per-address: 101"},
		{0, -1, 1024, 0, 0, "--max-connections-per-address: -1"},
	} {
		s := connectionSettings{all: c.all, ofAddress: c.ofAddress}
		err := s.resolve(c.descriptors)
		switch {
		case c.refused != "":
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%+v: %v", c, err)
			}
		case err != nil || s.all != c.wantAll || s.ofAddress != c.wantOfAddress:
			t.Errorf("%+v: %+v %v", c, s, err)
		}
	}
}

// Addresses are counted apart, IPv6 by network; trusted proxies only in all. A closed
// connection frees its place, once.
func TestConnectionsAreBounded(t *testing.T) {
	var log bytes.Buffer
	c := &connections{
		connectionSettings: connectionSettings{all: 6, ofAddress: 2}, log: slog.New(slog.NewTextHandler(&log, nil)),
		trusted: networkList{netip.MustParsePrefix("127.0.0.9/32")},
	}
	l, err := passedSockets{}.listen(t.Context(), "addr", "127.0.0.1:0", c)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	accepted := make(chan net.Conn)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- conn
		}
	}()
	// connect returns the server's end of a new connection; nil if it was refused.
	connect := func(from string) net.Conn {
		t.Helper()
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		client, err := dialer.Dial("tcp", l.Addr().String())
		if err != nil {
			return nil // reset at once
		}
		t.Cleanup(func() { client.Close() })
		reset := make(chan struct{})
		go func() { _, _ = client.Read(make([]byte, 1)); close(reset) }()
		select {
		case conn := <-accepted:
			return conn
		case <-reset:
			return nil
		case <-time.After(10 * time.Second):
			t.Fatal("neither accepted nor refused")
			return nil
		}
	}
	first := connect("127.0.0.1")
	if first == nil || connect("127.0.0.1") == nil || connect("127.0.0.1") != nil {
		t.Error("one address: want two connections and no third")
	}
	if connect("127.0.0.2") == nil {
		t.Error("another address was refused")
	}
	first.Close()
	first.Close()
	if connect("127.0.0.1") == nil || connect("127.0.0.1") != nil {
		t.Error("after a close: want one more connection")
	}
	for range 3 {
		if connect("127.0.0.9") == nil {
			t.Error("the proxy was refused")
		}
	}
	if connect("127.0.0.9") != nil || connect("127.0.0.3") != nil {
		t.Error("more connections than in all")
	}
	if lines := strings.Count(log.String(), "\n"); lines != 1 || !strings.Contains(log.String(), "address=127.0.0.1 limit_of=\"of one address\" limit=2") {
		t.Errorf("the log: %s", log.String())
	}
}

// A request with both Content-Length and Transfer-Encoding closes its connection,
// wherever the packets part, and so does no other.
func TestAmbiguousLength(t *testing.T) {
	t.Parallel()
	p := start(t, nil)
	address := strings.TrimSuffix(strings.TrimPrefix(p.base, "http://"), "/v2")
	const chunks = "\r\n2\r\n{}\r\n0\r\n\r\n"
	for _, c := range []struct {
		header string
		closes bool
	}{
		{"Transfer-Encoding: chunked\r\n" + chunks, false},
		{"Content-Length: 2\r\n\r\n{}", false},
		{"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n" + chunks, true},
		{"Transfer-Encoding: chunked\r\ncontent-LENGTH: 7\r\n" + chunks, true},
	} {
		request := "POST /v2/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Token " + p.key + "\r\n" + c.header
		for _, cut := range []int{0, strings.Index(strings.ToLower(request), "content-length") + 5, len(request) - 3} {
			if err := sendsThenCloses(address, request, max(cut, 0), c.closes); err != nil {
				t.Errorf("%q cut at %d: %v", c.header, cut, err)
			}
		}
	}
}

// sendsThenCloses sends a request in two parts, and checks whether the server closes
// the connection after its answer.
func sendsThenCloses(address, request string, cut int, closes bool) error {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	for _, part := range []string{request[:cut], request[cut:]} {
		if _, err := io.WriteString(c, part); err != nil {
			return err
		}
	}
	from := bufio.NewReader(c)
	answer, err := http.ReadResponse(from, nil)
	if err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	if answer.Close != closes {
		return fmt.Errorf("%d, Connection: close is %t, want %t", answer.StatusCode, answer.Close, closes)
	}
	if !closes {
		return nil
	}
	if _, err = from.ReadByte(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("the connection stays open: %v", err)
	}
	return nil
}

// The header is seen wherever reads part it.
func TestWatchOfLength(t *testing.T) {
	for text, want := range map[string]bool{
		"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}":     true,
		"POST / HTTP/1.1\r\nX: y\ncontent-length:2\r\n\r\n":  true,
		"POST / HTTP/1.1\r\nX-Content-Length: 2\r\n\r\n":     false,
		"POST / HTTP/1.1\r\nContent-Type: a\r\n\r\n{\n\n} x": false,
	} {
		for cut := range text {
			c := &connection{}
			c.watch([]byte(text[:cut]))
			c.watch([]byte(text[cut:]))
			if got := c.sawLength.Load(); got != want {
				t.Errorf("%q cut at %d: %t", text, cut, got)
			}
		}
	}
}
