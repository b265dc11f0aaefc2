package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook"
	"github.com/landfallhq/tracking/webhook/receiver"
	"github.com/landfallhq/tracking/webhook/signature"
)

// One attempt, to a receiver on this machine, which must be allowed.
func Example() {
	secret := signature.NewSecret()
	handler, err := receiver.New(receiver.Config{
		Secrets: []string{secret},
		On: func(_ context.Context, d receiver.Delivery) error {
			fmt.Println("received", d.Event)
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	endpoint := httptest.NewServer(handler)
	defer endpoint.Close()

	notifier := webhook.New(webhook.Config{AllowHTTP: true, AllowPrivate: true})
	defer notifier.CloseIdleConnections()
	out := notifier.Send(context.Background(), tracking.Dispatch{
		ID:      uuid.MustParse("7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d11"),
		URL:     endpoint.URL,
		Secrets: []string{secret},
		At:      time.Now(),
		Body:    []byte(`{"data":{"attributes":{"event":"container.created"}}}`),
	})
	fmt.Println(out.Status, http.StatusText(out.Status))
	// Output:
	// received container.created
	// 204 No Content
}

func ExampleNotifier_Check() {
	notifier := webhook.New(webhook.Config{})
	for _, url := range []string{
		"https://receiver.example/hooks",
		"http://receiver.example/hooks",
		"https://0x7f.1/",
		"https://169.254.169.254/latest/meta-data",
		"https://receiver.example:8443/",
	} {
		fmt.Println(notifier.Check(url))
	}
	// Output:
	// <nil>
	// url: The URL must be one such as https://receiver.example/hooks; plain http is not allowed.
	// url: An address must be written as four decimal numbers, or as IPv6 in brackets without a zone.
	// url: The address is not one that webhooks are sent to.
	// url: Port 8443 is not allowed: use one of [80 443].
}
