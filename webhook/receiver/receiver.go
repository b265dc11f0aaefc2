// Package receiver takes webhooks: a handler that verifies each delivery, tells
// repeats apart and hands on the rest.
//
//	handler, err := receiver.New(receiver.Config{
//		Secrets: []string{os.Getenv("WEBHOOK_SECRET")},
//		On: func(ctx context.Context, d receiver.Delivery) error {
//			return store(ctx, d.ID, d.Body)
//		},
//	})
//	http.Handle("/hooks", handler)
//
// Deliveries come at least once, and in no promised order: an attempt that failed is
// repeated up to twelve times, over three days. What has come is remembered here as
// long as the program runs, and only the latest. A program that must not do a thing
// twice keeps the IDs itself, in the transaction that does it.
package receiver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/landfallhq/tracking/webhook/signature"
)

// Config says whose deliveries are taken, and who gets them. Secrets and On are
// needed.
type Config struct {
	// Secrets of the webhook, whsec_...: one, or two while one is replaced.
	Secrets []string
	// Tolerance is how far the time of a delivery may be from this machine's.
	// Defaults to 5 minutes.
	Tolerance time.Duration
	// On gets each notification once. When it returns an error the delivery is
	// answered with 500, and comes again.
	On func(context.Context, Delivery) error
	// Repeated, when not nil, gets what On has already taken.
	Repeated func(Delivery)
	// Refused, when not nil, gets why a delivery was not taken.
	Refused func(*http.Request, error)
	// Remember is how many notifications are told from repeats: the latest.
	// Defaults to 10,000.
	Remember int
	// MaxBytes bounds a body. Defaults to 1 MiB; Landfall sends about a quarter.
	MaxBytes int64
}

// Delivery is one notification, verified.
type Delivery struct {
	// ID of the notification: the same each time that it is sent.
	ID string
	// Event is the name of what happened, such as container.transport.vessel_arrived;
	// empty when the body does not have it.
	Event string
	// Body is the JSON document.
	Body []byte
	// Header of the request.
	Header http.Header
}

// New returns a handler that answers
//
//	204  On has taken the notification, now or before
//	401  there is no right signature, or the time is too far off
//	405  it is no POST
//	409  the same notification is being taken at this moment
//	413  the body is too large
//	500  On has returned an error
//
// The error says which part of the configuration is wrong.
func New(config Config) (http.Handler, error) {
	for i, secret := range config.Secrets {
		if _, err := signature.ParseSecret(secret); err != nil {
			return nil, fmt.Errorf("receiver: Config.Secrets[%d]: %w", i, err)
		}
	}
	switch {
	case len(config.Secrets) == 0:
		return nil, errors.New("receiver: Config.Secrets is empty: nothing could be verified")
	case config.On == nil:
		return nil, errors.New("receiver: Config.On is nil: it gets what is delivered")
	case config.Tolerance < 0 || config.Remember < 0 || config.MaxBytes < 0:
		return nil, errors.New("receiver: Config.Tolerance, Remember and MaxBytes must be positive, or 0 for the default")
	}
	config.Remember = cmp.Or(config.Remember, 10_000)
	config.MaxBytes = cmp.Or(config.MaxBytes, 1<<20)
	return &handler{config: config, memory: newMemory(config.Remember)}, nil
}

type handler struct {
	config Config
	memory *memory
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		h.refuse(w, r, http.StatusMethodNotAllowed, fmt.Errorf("receiver: %s is no delivery", r.Method))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.config.MaxBytes))
	if err != nil {
		h.refuse(w, r, unreadable(err), err)
		return
	}
	if err := signature.Verify(r.Header, body, h.config.Secrets, h.config.Tolerance); err != nil {
		h.refuse(w, r, http.StatusUnauthorized, err)
		return
	}
	h.take(w, r, Delivery{ID: r.Header.Get(signature.IDHeader), Event: eventOf(body), Body: body, Header: r.Header})
}

func (h *handler) take(w http.ResponseWriter, r *http.Request, d Delivery) {
	switch h.memory.begin(d.ID) {
	case underWay:
		h.refuse(w, r, http.StatusConflict, errors.New("receiver: the same notification is being taken"))
		return
	case taken:
		if h.config.Repeated != nil {
			h.config.Repeated(d)
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	ok := false
	defer func() { h.memory.end(d.ID, ok) }() // also when On panics
	if err := h.config.On(r.Context(), d); err != nil {
		h.refuse(w, r, http.StatusInternalServerError, err)
		return
	}
	ok = true
	w.WriteHeader(http.StatusNoContent)
}

// refuse answers without saying why: who may know it is told by Config.Refused.
func (h *handler) refuse(w http.ResponseWriter, r *http.Request, status int, err error) {
	if h.config.Refused != nil {
		h.config.Refused(r, err)
	}
	http.Error(w, http.StatusText(status), status)
}

func unreadable(err error) int {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

func eventOf(body []byte) string {
	var document struct {
		Data struct {
			Attributes struct {
				Event string `json:"event"`
			} `json:"attributes"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &document) != nil {
		return ""
	}
	return document.Data.Attributes.Event
}
