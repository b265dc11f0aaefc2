package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
)

// orderLocations is the transport of an ACME client. It remembers the URL of each
// order, and adds it as Location to the response to the order's finalization where the
// authority leaves it out, as RFC 8555 allows. golang.org/x/crypto before 0.58 needs
// it there; 0.58 does not, and needs Go 1.26.
type orderLocations struct {
	base http.RoundTripper

	mu     sync.Mutex
	orders map[string]string // the URL of an order by its finalize URL
}

// maxOrderBytes is more than the size of any order.
const maxOrderBytes = 64 << 10

// RoundTrip implements http.RoundTripper.
func (o *orderLocations) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := o.base.RoundTrip(r)
	if err != nil || r.Method != http.MethodPost || !strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
		return response, err
	}
	begin, err := io.ReadAll(io.LimitReader(response.Body, maxOrderBytes))
	if err != nil {
		response.Body.Close()
		return nil, err
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(begin), response.Body), response.Body}
	var order struct {
		Finalize string `json:"finalize"`
	}
	if json.Unmarshal(begin, &order) != nil || order.Finalize == "" {
		return response, nil // no order
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if at := response.Header.Get("Location"); at != "" {
		if o.orders == nil || len(o.orders) >= maxOrders {
			o.orders = map[string]string{}
		}
		o.orders[order.Finalize] = at
	} else if at := o.orders[r.URL.String()]; at != "" {
		response.Header.Set("Location", at)
	}
	return response, nil
}

// maxOrders bounds the orders that are remembered. One is needed for a minute.
const maxOrders = 100
