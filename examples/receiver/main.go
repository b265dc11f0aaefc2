// Command receiver receives webhooks until it is interrupted. It verifies them, skips
// repeats and prints the others.
//
//	WEBHOOK_SECRET=whsec_... go run ./examples/receiver -addr 127.0.0.1:8090
//
// The secret is the attribute secret of the webhook. A server sends to a private
// address such as http://127.0.0.1:8090/ only if its operator allows it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/landfallhq/tracking/webhook/receiver"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8090", "the address to listen on")
	flag.Parse()
	handler, err := newReceiver(os.Stdout, os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal("WEBHOOK_SECRET: ", err)
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	log.Print("http://", listener.Addr())
	if err := serve(ctx, listener, handler); err != nil {
		log.Fatal(err)
	}
}

// newReceiver prints each notification once. secrets is one secret, or two separated
// by a comma during a rotation.
func newReceiver(out io.Writer, secrets string) (http.Handler, error) {
	return receiver.New(receiver.Config{
		Secrets: strings.Split(secrets, ","),
		On: func(_ context.Context, d receiver.Delivery) error {
			// A real program processes the notification here, in a transaction with
			// d.ID: a notification without a 2xx response is sent again.
			_, err := fmt.Fprintln(out, d.ID, d.Event)
			return err
		},
		Repeated: func(d receiver.Delivery) { fmt.Fprintln(out, d.ID, "again") },
		Refused:  func(_ *http.Request, err error) { fmt.Fprintln(out, "refused:", err) },
	})
}

// serve serves until ctx ends, and then finishes open requests.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second}
	done := make(chan error, 1)
	go func() {
		<-ctx.Done()
		done <- server.Shutdown(context.WithoutCancel(ctx))
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-done
}
