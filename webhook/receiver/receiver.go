// Package receiver receives webhooks: a handler that verifies each delivery,
// filters repeats and passes on the rest.
//
//	handler, err := receiver.New(receiver.Config{
//		Secrets: []string{os.Getenv("WEBHOOK_SECRET")},
//		On: func(ctx context.Context, d receiver.Delivery) error {
//			return store(ctx, d.ID, d.Body)
//		},
//	})
//	http.Handle("/hooks", handler)
//
// Deliveries come at least once, in no guaranteed order: a failed attempt is
// repeated up to twelve times, over three days. The handler remembers only the
// latest deliveries, and only in memory. A program that must not process a
// notification twice stores the IDs itself, in the same transaction.
package receiver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/landfallhq/tracking/webhook/signature"
)

// Config configures the handler. Secrets and On are required.
type Config struct {
	// Secrets are the secrets of the webhook, whsec_...: one, or two while one is
	// being replaced.
	Secrets []string
	// Tolerance is the maximum difference between the timestamp of a delivery and
	// the clock of this machine. Defaults to 5 minutes.
	Tolerance time.Duration
	// On is called once for each notification. If it returns an error, the delivery
	// is answered with 500 and repeated.
	On func(context.Context, Delivery) error
	// Repeated, if not nil, is called for notifications that On has already
	// processed.
	Repeated func(Delivery)
	// Refused, if not nil, is called with the reason for each refused delivery.
	Refused func(*http.Request, error)
	// Remember is how many of the latest notifications are remembered to detect
	// repeats. Defaults to 10,000.
	Remember int
	// MaxBytes bounds a body. Defaults to 1 MiB, about four times the largest body
	// that Landfall sends.
	MaxBytes int64
}

// Delivery is one verified notification.
type Delivery struct {
	// ID identifies the notification: it is the same in all its deliveries.
	ID string
	// Event is the name of the event, such as container.transport.vessel_arrived;
	// empty if the body has none.
	Event string
	// Body is the JSON document.
	Body []byte
	// Header is the header of the request.
	Header http.Header
}

// New returns a handler that answers
//
//	204  On has processed the notification, now or before
//	401  no signature is valid, or the timestamp is outside the tolerance
//	405  the request is not a POST
//	409  the same notification is being processed
//	413  the body is too large
//	500  On has returned an error
//
// It returns an error if the configuration is invalid.
func New(config Config) (http.Handler, error) {
	for i, secret := range config.Secrets {
		if _, err := signature.ParseSecret(secret); err != nil {
			return nil, fmt.Errorf("receiver: Config.Secrets[%d]: %w", i, err)
		}
	}
	switch {
	case len(config.Secrets) == 0:
		return nil, errors.New("receiver: Config.Secrets is empty")
	case config.On == nil:
		return nil, errors.New("receiver: Config.On is nil")
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
		h.refuse(w, r, http.StatusMethodNotAllowed, fmt.Errorf("receiver: method %s is not allowed", r.Method))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.config.MaxBytes))
	if err != nil {
		h.refuse(w, r, statusOfReadError(err), err)
		return
	}
	if err := signature.Verify(r.Header, body, h.config.Secrets, h.config.Tolerance); err != nil {
		h.refuse(w, r, http.StatusUnauthorized, err)
		return
	}
	h.receive(w, r, Delivery{ID: r.Header.Get(signature.IDHeader), Event: eventOf(body), Body: body, Header: r.Header})
}

func (h *handler) receive(w http.ResponseWriter, r *http.Request, d Delivery) {
	switch h.memory.begin(d.ID) {
	case inProgress:
		h.refuse(w, r, http.StatusConflict, errors.New("receiver: the same notification is being processed"))
		return
	case done:
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

// refuse answers without a reason; Config.Refused gets it.
func (h *handler) refuse(w http.ResponseWriter, r *http.Request, status int, err error) {
	if h.config.Refused != nil {
		h.config.Refused(r, err)
	}
	http.Error(w, http.StatusText(status), status)
}

func statusOfReadError(err error) int {
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

// state is the state of a notification.
type state int

const (
	unknown state = iota
	inProgress
	done
)

// memory remembers the latest notifications that were processed, and those in
// progress.
type memory struct {
	mu     sync.Mutex
	states map[string]state
	ids    []string // ring buffer; the oldest is at next
	next   int
}

func newMemory(size int) *memory {
	return &memory{states: map[string]state{}, ids: make([]string, 0, size)}
}

// begin returns the state of a notification. An unknown one is in progress from
// then on, until end.
func (m *memory) begin(id string) state {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.states[id]
	if known == unknown {
		m.states[id] = inProgress
	}
	return known
}

// end records whether a notification was processed. If not, it can be delivered
// again.
func (m *memory) end(id string, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !ok {
		delete(m.states, id)
		return
	}
	m.states[id] = done
	if len(m.ids) < cap(m.ids) {
		m.ids = append(m.ids, id)
		return
	}
	delete(m.states, m.ids[m.next])
	m.ids[m.next] = id
	m.next = (m.next + 1) % len(m.ids)
}
