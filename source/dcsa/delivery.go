package dcsa

import (
	"bytes"
	"crypto/hmac"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
)

// subscriptionHeader names the subscription of a delivery.
const subscriptionHeader = "Subscription-ID"

// standard is what differs between the standards of deliveries.
type standard struct {
	version string // of the standard, for the header API-Version
	// credentials reads the credentials in the headers.
	credentials func(*receiver, *http.Request) (credentials, *refusal)
	// read converts a body to facts.
	read func(body []byte, to *receiver) (freight.Report, error)
	// accept and refuse write the answer in the standard's form.
	accept func(http.ResponseWriter, result)
	refuse func(http.ResponseWriter, *refusal)
}

var trackAndTrace = standard{
	version:     "2.2.0",
	credentials: signatureOf,
	read: func(body []byte, to *receiver) (freight.Report, error) {
		return Read(bytes.NewReader(body), Options{SCAC: to.SCAC, Source: to.Source})
	},
	accept: acceptEvents,
	refuse: refuseEvents,
}

var arrivalNotices = standard{
	version:     "1.0.1",
	credentials: signatureOrToken,
	read: func(body []byte, to *receiver) (freight.Report, error) {
		return ReadArrivalNotice(bytes.NewReader(body), Options{SCAC: to.SCAC, Source: to.Source + noticeSuffix})
	},
	accept: acceptNotices,
	refuse: refuseNotices,
}

func (s standard) accepted(w http.ResponseWriter, what result) {
	w.Header().Set("API-Version", s.version)
	s.accept(w, what)
}

func (s standard) refused(w http.ResponseWriter, r *refusal) {
	h := w.Header()
	h.Set("API-Version", s.version)
	if r.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(r.retryAfter/time.Second)))
	}
	if r.status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Signature headers="`+SignatureHeader+`"`)
	}
	if r.broken {
		h.Set("Connection", "close")
	}
	s.refuse(w, r)
}

func acceptEvents(w http.ResponseWriter, _ result) {
	w.WriteHeader(http.StatusNoContent)
}

// refuseEvents answers in the format of the API under /v2: the standard of events
// does not define one.
func refuseEvents(w http.ResponseWriter, r *refusal) {
	type source struct {
		Pointer string `json:"pointer"`
	}
	type fault struct {
		Status string  `json:"status"`
		Title  string  `json:"title"`
		Detail string  `json:"detail"`
		Source *source `json:"source,omitempty"`
	}
	f := fault{Status: strconv.Itoa(r.status), Title: http.StatusText(r.status), Detail: r.detail}
	if r.field != "" {
		f.Source = &source{r.field}
	}
	writeJSON(w, r.status, map[string][]fault{"errors": {f}})
}

// feedback is a remark on a delivery of arrival notices, as in the standard.
type feedback struct {
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Path     string `json:"propertyPath,omitempty"`
}

// acceptNotices reports omitted facts first, then warnings.
func acceptNotices(w http.ResponseWriter, what result) {
	list := []feedback{}
	for _, lost := range what.leftOut {
		list = append(list, feedback{"ERROR", lost.Detail, lost.Field})
	}
	for _, odd := range what.warnings {
		list = append(list, feedback{"WARN", odd.Detail, odd.Field})
	}
	writeFeedback(w, http.StatusOK, list[:min(len(list), maxFeedback)])
}

func refuseNotices(w http.ResponseWriter, r *refusal) {
	writeFeedback(w, r.status, []feedback{{"ERROR", r.detail, r.field}})
}

func writeFeedback(w http.ResponseWriter, status int, list []feedback) {
	writeJSON(w, status, map[string][]feedback{"feedbackElements": list})
}

// maxFeedback bounds the answer.
const maxFeedback = 100

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the carrier has disconnected
}

// refusal is the reason to refuse a delivery.
type refusal struct {
	status     int
	field      string // path in the document; empty if it is not about one
	detail     string // for the carrier
	cause      error  // for the log only
	retryAfter time.Duration
	broken     bool // do not read the rest of the body
}

// reason returns the text for the log.
func (r *refusal) reason() string {
	if r.cause != nil {
		return r.cause.Error()
	}
	return r.detail
}

// level is error for internal failures, and warning for errors of callers.
func (r *refusal) level() slog.Level {
	if r.status >= http.StatusInternalServerError {
		return slog.LevelError
	}
	return slog.LevelWarn
}

var (
	noAddress = &refusal{status: http.StatusNotFound, detail: "There is no callback at this address."}
	notSigned = &refusal{status: http.StatusUnauthorized, detail: "The signature is not that of this body under the shared secret."}
)

// retryAfterTrouble is the Retry-After while the store is unavailable.
const retryAfterTrouble = 30 * time.Second

// refusalFor converts an error of the reader or the engine. Errors that are not the
// carrier's fault ask for a repeated delivery.
func refusalFor(err error) *refusal {
	var fault *tracking.Error
	if errors.As(err, &fault) && (fault.Kind == tracking.BadDocument || fault.Kind == tracking.Invalid) {
		return &refusal{status: http.StatusBadRequest, field: fault.Field, detail: fault.Detail}
	}
	return &refusal{status: http.StatusServiceUnavailable, detail: "The delivery could not be stored. Please send it again later.",
		cause: err, retryAfter: retryAfterTrouble}
}

// credentials are those of a request.
type credentials struct {
	digest []byte // of the signature; nil if a token was accepted
}

// authenticates reports whether the body comes from the carrier.
func (c credentials) authenticates(body []byte, to *receiver) bool {
	return c.digest == nil || signed(c.digest, body, to.secrets)
}

func signatureOf(to *receiver, r *http.Request) (credentials, *refusal) {
	digest, ok := parseSignature(r.Header.Get(SignatureHeader))
	if !ok {
		return credentials{}, &refusal{status: http.StatusUnauthorized,
			detail: "The header " + SignatureHeader + " is missing or not of the form sha256=HEX."}
	}
	if id := r.Header.Get(subscriptionHeader); len(to.SubscriptionIDs) > 0 && !slices.Contains(to.SubscriptionIDs, id) {
		return credentials{}, &refusal{status: http.StatusUnauthorized,
			detail: "The header " + subscriptionHeader + " names no subscription of this address."}
	}
	return credentials{digest: digest}, nil
}

// signatureOrToken is for notices, which have no subscription.
func signatureOrToken(to *receiver, r *http.Request) (credentials, *refusal) {
	if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		known := false
		for _, t := range to.Tokens {
			if hmac.Equal([]byte(t), []byte(strings.TrimSpace(token))) {
				known = true
			}
		}
		if known {
			return credentials{}, nil
		}
	}
	digest, ok := parseSignature(r.Header.Get(SignatureHeader))
	if !ok {
		return credentials{}, &refusal{status: http.StatusUnauthorized,
			detail: "Neither a known bearer token nor the header " + SignatureHeader + " came with the delivery."}
	}
	return credentials{digest: digest}, nil
}

const (
	// smallBody is the memory that each delivery may use. A larger body needs one
	// of a few slots, because the sender is not authenticated yet.
	smallBody   = 1 << 20
	largeBodies = 4
)

// body reads a body. release frees its slot; it is nil for a refusal.
func (c *callbacks) body(w http.ResponseWriter, r *http.Request) (body []byte, release func(), refused *refusal) {
	switch coding := r.Header.Get("Content-Encoding"); {
	case coding != "" && !strings.EqualFold(coding, "identity"):
		return nil, nil, &refusal{status: http.StatusUnsupportedMediaType, detail: "Bodies must not be compressed."}
	case r.ContentLength > c.limit:
		return nil, nil, c.tooLarge()
	}
	lift := c.setDeadline(w, r)
	r.Body = http.MaxBytesReader(w, r.Body, c.limit)
	release = func() {}
	body, err := io.ReadAll(io.LimitReader(r.Body, smallBody))
	if err == nil && len(body) == smallBody {
		select {
		case c.large <- struct{}{}:
			release = func() { <-c.large }
		default:
			return nil, nil, &refusal{status: http.StatusServiceUnavailable, detail: "Too many large deliveries come at one time.",
				retryAfter: time.Second, broken: true}
		}
		whole := bytes.NewBuffer(body)
		_, err = whole.ReadFrom(r.Body)
		body = whole.Bytes()
	}
	if err != nil {
		release()
		return nil, nil, c.bodyError(err)
	}
	lift()
	return body, release, nil
}

// bodyError explains why a body could not be read.
func (c *callbacks) bodyError(err error) *refusal {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return c.tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &refusal{status: http.StatusRequestTimeout, detail: "The body came too slowly.", broken: true}
	}
	return &refusal{status: http.StatusBadRequest, detail: "The body did not come whole.", cause: err, broken: true}
}

func (c *callbacks) tooLarge() *refusal {
	return &refusal{status: http.StatusRequestEntityTooLarge,
		detail: "A delivery may have at most " + strconv.FormatInt(c.limit, 10) + " bytes.", broken: true}
}

// setDeadline bounds the time to read the body. lift restores the host's own
// deadline once the body is read, because the connection is watched while the
// request is served. Until then the bound stays, because the server reads the rest
// of a body after answering. If the host's ResponseWriter has no deadlines, there
// is no bound.
func (c *callbacks) setDeadline(w http.ResponseWriter, r *http.Request) (lift func()) {
	conn, begin := http.NewResponseController(w), time.Now()
	at, host := begin.Add(c.timeout), time.Time{}
	if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.ReadTimeout > 0 {
		if host = begin.Add(server.ReadTimeout); host.Before(at) {
			at = host
		}
	}
	_ = conn.SetReadDeadline(at)
	return func() { _ = conn.SetReadDeadline(host) }
}
