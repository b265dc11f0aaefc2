package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook"
	"github.com/landfallhq/tracking/webhook/signature"
)

// The receiver on a port of this machine, and what sends to it.
func Example() {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	secret := signature.NewSecret()
	handler, err := newReceiver(os.Stdout, secret)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, interrupt := context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- serve(ctx, listener, handler) }()

	sender := webhook.New(webhook.Config{AllowHTTP: true, AllowPrivate: true})
	deliver := func(secret string) {
		out := sender.Send(ctx, tracking.Dispatch{
			ID:      uuid.MustParse("7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d11"),
			URL:     "http://" + listener.Addr().String(),
			Secrets: []string{secret},
			At:      time.Now(),
			Body:    []byte(`{"data":{"attributes":{"event":"container.created"}}}`),
		})
		fmt.Println(out.Status)
	}
	deliver(secret)
	deliver(secret)
	deliver(signature.NewSecret())
	sender.CloseIdleConnections()
	interrupt()
	fmt.Println(<-served)
	// Output:
	// 7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d11 container.created
	// 204
	// 7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d11 again
	// 204
	// refused: webhook: no signature matches
	// 401
	// <nil>
}

// Without a secret nothing can be verified, so nothing is served.
func TestNoSecret(t *testing.T) {
	if _, err := newReceiver(os.Stdout, ""); err == nil {
		t.Error("it would serve without a secret")
	}
}
