package dcsa

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
)

// CallbackPath begins the paths of all callbacks: the handler of NewCallbacks is
// mounted there.
const CallbackPath = "/v2/callbacks/dcsa/"

// CallbackConfig configures NewCallbacks.
type CallbackConfig struct {
	// Callbacks are the callbacks to serve. At least one.
	Callbacks []Callback
	// Logger receives refused deliveries and facts that were left out. Secrets and
	// bodies are never logged. Defaults to slog.Default().
	Logger *slog.Logger
	// MaxBytes bounds one body. Defaults to 16 MiB; at most 64 MiB.
	MaxBytes int64
	// ReadTimeout bounds the time to read a body. Defaults to 30 seconds; a shorter
	// timeout of the host server takes precedence.
	ReadTimeout time.Duration
}

// Callback is one address that a carrier sends events or arrival notices to.
type Callback struct {
	// Name is the last part of the address: /v2/callbacks/dcsa/NAME. Letters,
	// digits, hyphens, underscores and dots, at most 64.
	Name string
	// SCAC is the shipping line that sends. Empty for a hub of several lines: the
	// line is then that of the messages, if they name it.
	SCAC string
	// Source is the source of the facts; see Options. Arrival notices have that
	// source with "-an" added, so that they do not replace what events have stated
	// about holds. Defaults to "dcsa".
	Source string
	// Tracker ingests the facts, and decides the account: it is returned by
	// Tracker.For with permission to update. Required.
	Tracker *tracking.Tracker
	// Secrets are the shared secrets of the signature, in base64. Several are
	// accepted during a rotation.
	Secrets []Secret
	// Tokens are accepted for arrival notices as "Authorization: Bearer TOKEN", as
	// an alternative to signatures: the standard of notices does not define
	// authentication. Events need a signature.
	Tokens []Secret
	// SubscriptionIDs are those that deliveries of events may name. Empty means
	// any.
	SubscriptionIDs []string
}

// NewCallbacks returns the handler for deliveries of carriers. It answers
//
//	POST {CallbackPath}NAME                               events of Track & Trace 2.2
//	POST {CallbackPath}NAME/arrival-notices               Arrival Notice 1.0.1
//	POST {CallbackPath}NAME/arrival-notice-notifications  its short form
//	HEAD of each                                          204, for carriers that test an address
//
// and is mounted at CallbackPath, next to httpserver. When everything is stored,
// events are answered with 204 and notices with 200, as in their standards. A
// repeated delivery changes nothing.
//
// Refused deliveries store nothing: an unknown name gets 404, another method 405, a
// missing or wrong signature 401, and a body that is too large 413, too slow 408,
// compressed 415 or malformed 400. A failure of the store gets 503 with Retry-After;
// the repeated delivery completes what was stored. A single fact that cannot be
// stored, because it names neither a transport document nor a booking, is left out,
// logged, and reported in the answer to a notice; the others are stored. With more
// than a hundred of them, the whole delivery is refused.
//
// NewCallbacks returns an error for an invalid configuration.
func NewCallbacks(config CallbackConfig) (http.Handler, error) {
	c := &callbacks{
		log:     config.Logger,
		limit:   cmp.Or(config.MaxBytes, 16<<20),
		timeout: cmp.Or(config.ReadTimeout, 30*time.Second),
		large:   make(chan struct{}, largeBodies),
		byName:  map[string]*receiver{},
	}
	if c.log == nil {
		c.log = slog.Default()
	}
	switch {
	case len(config.Callbacks) == 0:
		return nil, errors.New("dcsa: CallbackConfig.Callbacks is empty")
	case c.limit < 0 || c.limit > maxBytes:
		return nil, fmt.Errorf("dcsa: CallbackConfig.MaxBytes is %d: give at most %d", config.MaxBytes, maxBytes)
	case c.timeout < 0:
		return nil, errors.New("dcsa: CallbackConfig.ReadTimeout is negative")
	}
	for i, callback := range config.Callbacks {
		r, err := callback.receiver()
		if err == nil && callback.Tracker == nil {
			err = errors.New("its Tracker is nil: use one of Tracker.For, with permission to update")
		}
		if err == nil && c.byName[callback.Name] != nil {
			err = errors.New("its Name is that of an earlier one")
		}
		if err != nil {
			return nil, fmt.Errorf("dcsa: CallbackConfig.Callbacks[%d] (%q): %w", i, callback.Name, err)
		}
		c.byName[callback.Name] = r
	}
	return c.routes(), nil
}

var callbackName = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$`)

// receiver is a validated Callback.
type receiver struct {
	Callback
	secrets [][]byte
}

// Check validates a callback as NewCallbacks does, except its Tracker.
func (c Callback) Check() error {
	_, err := c.receiver()
	return err
}

func (c Callback) receiver() (*receiver, error) {
	c.Source = cmp.Or(c.Source, "dcsa")
	switch {
	case !callbackName.MatchString(c.Name):
		return nil, errors.New("its Name must be 1 to 64 letters, digits, hyphens, underscores and dots")
	case len(c.Secrets) == 0 && len(c.Tokens) == 0:
		return nil, errors.New("its Secrets and Tokens are empty: no delivery would be accepted")
	case len(c.Source)+len(noticeSuffix) > 64:
		return nil, fmt.Errorf("its Source has more than %d characters", 64-len(noticeSuffix))
	}
	r := &receiver{Callback: c}
	for i, text := range c.Secrets {
		secret, err := DecodeSecret(string(text))
		if err != nil {
			return nil, fmt.Errorf("its Secrets[%d]: %w", i, err)
		}
		r.secrets = append(r.secrets, secret)
	}
	for i, token := range c.Tokens {
		if len(token) < minSecret {
			return nil, fmt.Errorf("its Tokens[%d] has %d characters; it must have at least %d", i, len(token), minSecret)
		}
	}
	return r, nil
}

// callbacks is the handler.
type callbacks struct {
	log     *slog.Logger
	limit   int64
	timeout time.Duration
	large   chan struct{}
	byName  map[string]*receiver
}

func (c *callbacks) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle(CallbackPath+"{name}", c.handle(trackAndTrace))
	mux.Handle(CallbackPath+"{name}/arrival-notices", c.handle(arrivalNotices))
	mux.Handle(CallbackPath+"{name}/arrival-notice-notifications", c.handle(arrivalNotices))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { trackAndTrace.refused(w, noAddress) })
	return mux
}

// handle handles deliveries of one standard.
func (c *callbacks) handle(s standard) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := c.byName[r.PathValue("name")]
		switch {
		case to == nil:
			s.refused(w, noAddress)
		case r.Method == http.MethodHead:
			// Not in the standards, but carriers test an address before they use
			// it.
			w.WriteHeader(http.StatusNoContent)
		case r.Method != http.MethodPost:
			w.Header().Set("Allow", "HEAD, POST")
			s.refused(w, &refusal{status: http.StatusMethodNotAllowed, detail: "Deliveries are posted."})
		default:
			c.deliver(w, r, s, to)
		}
	})
}

// deliver handles one delivery.
func (c *callbacks) deliver(w http.ResponseWriter, r *http.Request, s standard, to *receiver) {
	what, refused := c.receive(w, r, s, to)
	if refused != nil {
		c.log.Log(r.Context(), refused.level(), "callback refused", "callback", to.Name,
			"subscription", clip(r.Header.Get(subscriptionHeader), maxLoggedID), "status", refused.status, "field", refused.field, "reason", refused.reason())
		s.refused(w, refused)
		return
	}
	s.accepted(w, what)
}

// maxLoggedID bounds the characters that are logged of an unauthenticated ID.
const maxLoggedID = 64

// result is the result of an accepted delivery.
type result struct {
	warnings []freight.Warning // of reading the document
	leftOut  []freight.Warning // one for each omitted fact
}

func (c *callbacks) receive(w http.ResponseWriter, r *http.Request, s standard, to *receiver) (what result, refused *refusal) {
	shown, refused := s.credentials(to, r)
	if refused != nil {
		return result{}, refused // before the body is read, which may be large
	}
	body, release, refused := c.body(w, r)
	if refused != nil {
		return result{}, refused
	}
	defer release()
	if !shown.authenticates(body, to) {
		return result{}, notSigned
	}
	report, err := s.read(body, to)
	if err != nil {
		return result{}, refusalFor(err)
	}
	leftOut, err := c.ingest(r.Context(), to, report)
	if err != nil {
		return result{}, refusalFor(err)
	}
	return result{report.Warnings, leftOut}, nil
}

// maxLeftOut bounds the facts of a delivery that are invalid, or must be ingested
// one by one, before the whole delivery is refused.
const maxLeftOut = 100

// ingest passes the facts of a delivery to the engine, and returns what was left
// out. Carriers cannot correct a single fact and would repeat the whole delivery,
// so invalid facts are left out.
//
// A refused delivery has stored nothing: the facts without a number come last. If
// the store fails during these, the facts stored before stay, and the repeated
// delivery completes them.
func (c *callbacks) ingest(ctx context.Context, to *receiver, report freight.Report) (leftOut []freight.Warning, err error) {
	withNumber, withoutNumber := splitByNumber(report.Facts)
	if len(withoutNumber) > maxLeftOut {
		return nil, &tracking.Error{Kind: tracking.BadDocument, Code: "too_many",
			Detail: fmt.Sprintf("%d facts name neither a transport document nor a booking; at most %d may", len(withoutNumber), maxLeftOut)}
	}
	report.Facts = withNumber
	if err := c.ingestTolerantly(ctx, to, report, maxLeftOut-len(withoutNumber), &leftOut); err != nil {
		return nil, err
	}
	for _, f := range withoutNumber {
		// It may be a new version of a known fact, which has a shipment.
		report.Facts = []freight.Fact{f}
		if err := c.ingestTolerantly(ctx, to, report, 1, &leftOut); err != nil {
			return nil, err
		}
	}
	return leftOut, nil
}

// ingestTolerantly ingests all facts except up to `most` that the engine refuses.
func (c *callbacks) ingestTolerantly(ctx context.Context, to *receiver, report freight.Report, most int, leftOut *[]freight.Warning) error {
	for len(report.Facts) > 0 {
		_, err := to.Tracker.Ingest(ctx, report)
		i := faultyFact(err, len(report.Facts))
		if i < 0 || most == 0 {
			return err
		}
		most--
		f := report.Facts[i]
		c.log.Warn("fact of a callback left out", "callback", to.Name, "event", f.ID, "original", f.Original, "reason", err)
		*leftOut = append(*leftOut, freight.Warning{Code: "left_out", Detail: fmt.Sprintf("left out: %s: %v", f.Original, err)})
		report.Facts = slices.Delete(report.Facts, i, i+1)
	}
	return nil
}

// splitByNumber separates the facts that name a number from the others.
func splitByNumber(facts []freight.Fact) (withNumber, withoutNumber []freight.Fact) {
	for _, f := range facts {
		if len(f.Numbers) > 0 || f.Retracted {
			withNumber = append(withNumber, f)
		} else {
			withoutNumber = append(withoutNumber, f)
		}
	}
	return withNumber, withoutNumber
}

// faultyFact returns the index of the fact that an error of the engine is about, or
// -1.
func faultyFact(err error, facts int) int {
	var fault *tracking.Error
	if !errors.As(err, &fault) || fault.Kind != tracking.BadDocument || !strings.HasPrefix(fault.Field, "facts[") {
		return -1
	}
	i := -1
	if _, err := fmt.Sscanf(fault.Field, "facts[%d]", &i); err != nil || i >= facts {
		return -1
	}
	return i
}
