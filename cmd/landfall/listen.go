package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking/webhook/receiver"
	"github.com/landfallhq/tracking/webhook/signature"
)

var listenCommand = command{
	name:  "listen",
	about: "receive, verify and print webhooks, for trials",
	details: `
Prints one line for each delivery: the event, its object, the ID of the
notification, and whether it is new or was seen before. Refused deliveries are
reported on standard error. Nothing is stored.

To try webhooks on one machine:

  landfall serve --allow-private-webhooks
  landfall webhooks create --account default --allow-private-webhooks \
    --url http://127.0.0.1:9091/
  landfall listen --secret SECRET`,
	declare: func(f *flags) action {
		l := listening{}
		f.StringVar(&l.addr, "addr", "127.0.0.1:9091", "`HOST:PORT` to listen on; port 0 picks a free port")
		f.needed = append(f.needed, "secret")
		f.Var(&l.secrets, "secret", "`SECRET` of the webhook, whsec_...; can be repeated; required")
		return func(ctx context.Context, p *program, _ []string) error {
			if _, _, err := net.SplitHostPort(l.addr); err != nil {
				return usageErrorf("--addr: %q is not HOST:PORT", l.addr)
			}
			if err := l.secrets.check(); err != nil {
				return err
			}
			l.program = p
			return l.run(ctx)
		}
	},
}

// secretsFlag is a list of webhook secrets.
type secretsFlag []string

func (s *secretsFlag) String() string { return strings.Join(*s, ",") }

// Set also accepts several secrets, separated by commas, for environment variables.
// It does not validate them, because package flag quotes the value in its error.
func (s *secretsFlag) Set(text string) error {
	for secret := range strings.SplitSeq(text, ",") {
		*s = append(*s, strings.TrimSpace(secret))
	}
	return nil
}

func (s secretsFlag) check() error {
	for i, secret := range s {
		if _, err := signature.ParseSecret(secret); err != nil {
			return usageErrorf("--secret: secret %d is not valid: a secret is whsec_ followed by base64, as shown by webhooks create and GET /v2/webhooks/{id}", i+1)
		}
	}
	return nil
}

// listening is one run of the command.
type listening struct {
	*program
	addr    string
	secrets secretsFlag
	mu      sync.Mutex // one line at a time
}

func (l *listening) run(ctx context.Context) error {
	handler, err := receiver.New(receiver.Config{
		Secrets: l.secrets,
		On: func(_ context.Context, d receiver.Delivery) error {
			l.print(d, "new")
			return nil
		},
		Repeated: func(d receiver.Delivery) { l.print(d, "seen before") },
		Refused:  l.refused,
	})
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", l.addr)
	if err != nil {
		return err
	}
	hs := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, IdleTimeout: 2 * time.Minute}
	fmt.Fprintf(l.stdout, "landfall: listening on http://%s/\n", listener.Addr())
	served := make(chan error, 1)
	go func() { served <- hs.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), listenEnd)
	defer cancel()
	if err := hs.Shutdown(ending); err != nil {
		return hs.Close() // unanswered deliveries are repeated
	}
	return nil
}

// listenEnd is how long running deliveries have to end.
const listenEnd = 2 * time.Second

func (l *listening) print(d receiver.Delivery, seen string) {
	kind, id := referenceOf(d.Body)
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.stdout, "%s  %s  %s %s  %s  %s\n", formatTime(time.Now()), d.Event, kind, id, d.ID, seen)
}

func (l *listening) refused(r *http.Request, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.stderr, "landfall: refused a delivery from %s: %s\n", r.RemoteAddr, oneLine(err.Error()))
}

// referenceOf returns the object of a notification; dashes if it names none.
func referenceOf(body []byte) (kind, id string) {
	type reference struct {
		Data *struct {
			Type string `json:"type"`
			ID   string `json:"id"`
		} `json:"data"`
	}
	var document struct {
		Data struct {
			Relationships struct {
				Object   reference `json:"reference_object"`
				Document reference `json:"document"`
			} `json:"relationships"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &document) == nil {
		for _, r := range []reference{document.Data.Relationships.Object, document.Data.Relationships.Document} {
			if r.Data != nil {
				return r.Data.Type, r.Data.ID
			}
		}
	}
	return "-", "-"
}
