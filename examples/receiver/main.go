// Command receiver takes webhooks until it is interrupted: it verifies them, tells
// repeats apart and prints the rest.
//
//	WEBHOOK_SECRET=whsec_... go run ./examples/receiver -addr 127.0.0.1:8090
//
// The secret is the attribute of that name of the webhook. A server on the same
// machine sends to http://127.0.0.1:8090/ if its operator lets it.
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

// newReceiver prints each notification once. While a secret is replaced there are
// two, with a comma between.
func newReceiver(out io.Writer, secrets string) (http.Handler, error) {
	return receiver.New(receiver.Config{
		Secrets: strings.Split(secrets, ","),
		On: func(_ context.Context, d receiver.Delivery) error {
			// A program that does something would do it here, in a transaction
			// with d.ID: what is not answered with 2xx comes again.
			_, err := fmt.Fprintln(out, d.ID, d.Event)
			return err
		},
		Repeated: func(d receiver.Delivery) { fmt.Fprintln(out, d.ID, "again") },
		Refused:  func(_ *http.Request, err error) { fmt.Fprintln(out, "refused:", err) },
	})
}

// serve answers until ctx ends, and then what has come.
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
