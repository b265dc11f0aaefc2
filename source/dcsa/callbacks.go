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
)

// CallbackPath is what the paths of all callbacks begin with: a handler of
// NewCallbacks is mounted there.
const CallbackPath = "/v2/callbacks/dcsa/"

// CallbackConfig is what NewCallbacks can be given.
type CallbackConfig struct {
	// Callbacks are the subscriptions that are answered for. At least one.
	Callbacks []Callback
	// Logger gets what the operator should see: refused deliveries and facts that
	// were left out. Secrets and bodies are never logged. Defaults to
	// slog.Default().
	Logger *slog.Logger
	// MaxBytes bounds one body. Defaults to 16 MiB; at most 64 MiB.
	MaxBytes int64
	// ReadTimeout is how long a body may take to come. Defaults to 30 seconds; the
	// host's own time-out counts where it is shorter.
	ReadTimeout time.Duration
}

// Callback is one address that a carrier sends events or arrival notices to.
type Callback struct {
	// Name is the last part of the address: /v2/callbacks/dcsa/NAME. Letters,
	// digits, hyphens, underscores and dots, at most 64.
	Name string
	// SCAC is the shipping line that speaks there. Empty for a hub that speaks for
	// several: the line is then what the messages themselves say, if anything.
	SCAC string
	// Source names the facts' source; see Options. Arrival notices are of the
	// source with "-an" behind it: what a line writes in a notice is another voice
	// than its events, and does not replace what these said of holds. Defaults to
	// "dcsa".
	Source string
	// Tracker takes the facts, and decides the account: a Tracker made by
	// Tracker.For with permission to update. Required.
	Tracker *tracking.Tracker
	// Secrets are the shared secrets of the signature, in base64. Several are for
	// the time of a rotation: each of them is accepted.
	Secrets []Secret
	// Tokens are accepted for arrival notices as "Authorization: Bearer TOKEN",
	// beside signatures: the standard of the notices leaves open how the carrier
	// shows who it is. Events are accepted by signature alone.
	Tokens []Secret
	// SubscriptionIDs are those that deliveries of events may name. Empty: any.
	SubscriptionIDs []string
}

// NewCallbacks returns the handler that carriers deliver to. It answers
//
//	POST {CallbackPath}NAME                               events of Track & Trace 2.2
//	POST {CallbackPath}NAME/arrival-notices               Arrival Notice 1.0.1
//	POST {CallbackPath}NAME/arrival-notice-notifications  its short form
//	HEAD of each                                          204, for publishers that try an address
//
// and is mounted beside httpserver, at CallbackPath. Events are answered with 204
// and notices with 200, as their standards ask, once everything is stored. The
// same delivery again changes nothing.
//
// Refused, with nothing stored: an unknown name 404, another method 405, a
// missing or wrong signature 401, a body that is too large 413, too slow 408,
// compressed 415 or no document of the standard 400; trouble with the store is
// 503 with Retry-After, and the same delivery completes what was stored of it. A
// fact that alone cannot be taken, as it names neither a transport document nor a
// booking, is left out and logged, and told in the answer to a notice; the others
// are kept. With more than a hundred of them the whole delivery is refused.
//
// The error says which part of the configuration is wrong.
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
			err = errors.New("its Tracker is nil: give one made by Tracker.For, with permission to update")
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

// receiver is a Callback that has been checked.
type receiver struct {
	Callback
	secrets [][]byte
}

// Check says what of a callback is wrong, as NewCallbacks would; its Tracker, which
// may not be there yet, is left out.
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
		return nil, errors.New("its Secrets and Tokens are empty: nobody could deliver")
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

// handle takes deliveries of one standard.
func (c *callbacks) handle(s standard) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := c.byName[r.PathValue("name")]
		switch {
		case to == nil:
			s.refused(w, noAddress)
		case r.Method == http.MethodHead:
			// No standard asks for it, but publishers try an address before they use it.
			w.WriteHeader(http.StatusNoContent)
		case r.Method != http.MethodPost:
			w.Header().Set("Allow", "HEAD, POST")
			s.refused(w, &refusal{status: http.StatusMethodNotAllowed, detail: "Deliveries are posted."})
		default:
			c.deliver(w, r, s, to)
		}
	})
}

// deliver takes one delivery.
func (c *callbacks) deliver(w http.ResponseWriter, r *http.Request, s standard, to *receiver) {
	what, refused := c.take(w, r, s, to)
	if refused != nil {
		c.log.Log(r.Context(), refused.level(), "a callback was refused", "callback", to.Name,
			"subscription", clip(r.Header.Get(subscriptionHeader), maxLoggedID), "status", refused.status, "field", refused.field, "reason", refused.reason())
		s.refused(w, refused)
		return
	}
	s.accepted(w, what)
}

// maxLoggedID is how much is logged of an ID that anybody may have written, in
// characters.
const maxLoggedID = 64

// taken is what there is to say of a delivery that was taken.
type taken struct {
	warnings []tracking.Warning // of the reader
	leftOut  []tracking.Warning // one for each fact that was left out
}

func (c *callbacks) take(w http.ResponseWriter, r *http.Request, s standard, to *receiver) (what taken, refused *refusal) {
	shown, refused := s.credentials(to, r)
	if refused != nil {
		return taken{}, refused // before the body is read: it may be large
	}
	body, release, refused := c.body(w, r)
	if refused != nil {
		return taken{}, refused
	}
	defer release()
	if !shown.vouchFor(body, to) {
		return taken{}, notSigned
	}
	report, err := s.read(body, to)
	if err != nil {
		return taken{}, refusalFor(err)
	}
	leftOut, err := c.ingest(r.Context(), to, report)
	if err != nil {
		return taken{}, refusalFor(err)
	}
	return taken{report.Warnings, leftOut}, nil
}

// maxLeftOut is how many facts of a delivery may be at fault, or have to be tried
// one by one, before it is refused as a whole.
const maxLeftOut = 100

// ingest hands the facts of a delivery to the engine, and returns what it says of
// those that were left out. Carriers cannot mend a single fact, and would deliver
// the others again and again: what alone is at fault is left out.
//
// A delivery that is refused has stored nothing: the facts without a number,
// which come last, count as left out until they are not. Where the store fails
// among them, what was stored before stays, and the next delivery completes it.
func (c *callbacks) ingest(ctx context.Context, to *receiver, report tracking.Report) (leftOut []tracking.Warning, err error) {
	named, nameless := split(report.Facts)
	if len(nameless) > maxLeftOut {
		return nil, &tracking.Error{Kind: tracking.BadDocument, Code: "too_many",
			Detail: fmt.Sprintf("%d facts name neither a transport document nor a booking; at most %d may", len(nameless), maxLeftOut)}
	}
	report.Facts = named
	if err := c.ingestMost(ctx, to, report, maxLeftOut-len(nameless), &leftOut); err != nil {
		return nil, err
	}
	for _, f := range nameless {
		// A new version of a fact that is known belongs where that one does.
		report.Facts = []tracking.Fact{f}
		if err := c.ingestMost(ctx, to, report, 1, &leftOut); err != nil {
			return nil, err
		}
	}
	return leftOut, nil
}

// ingestMost hands in all facts but those that the engine refuses, of which
// there may be most at the most.
func (c *callbacks) ingestMost(ctx context.Context, to *receiver, report tracking.Report, most int, leftOut *[]tracking.Warning) error {
	for len(report.Facts) > 0 {
		_, err := to.Tracker.Ingest(ctx, report)
		i := faultyFact(err, len(report.Facts))
		if i < 0 || most == 0 {
			return err
		}
		most--
		f := report.Facts[i]
		c.log.Warn("a fact of a callback was left out", "callback", to.Name, "event", f.ID, "original", f.Original, "reason", err)
		*leftOut = append(*leftOut, tracking.Warning{Code: "left_out", Detail: fmt.Sprintf("left out: %s: %v", f.Original, err)})
		report.Facts = slices.Delete(report.Facts, i, i+1)
	}
	return nil
}

// split parts the facts that name a number from the others.
func split(facts []tracking.Fact) (named, nameless []tracking.Fact) {
	for _, f := range facts {
		if len(f.Numbers) > 0 || f.Retracted {
			named = append(named, f)
		} else {
			nameless = append(nameless, f)
		}
	}
	return named, nameless
}

// faultyFact returns the index of the fact that an error of the engine speaks
// of, or -1 when it is about something else.
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
