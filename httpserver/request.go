package httpserver

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// request is the state of one HTTP request. Handlers are functions of a *request.
type request struct {
	*Server
	route *route
	w     http.ResponseWriter
	r     *http.Request
	// id is the request ID.
	id string
	// actor is the authenticated caller, and t is the Tracker scoped to it. Neither
	// is set on public routes.
	actor tracking.Actor
	t     *tracking.Tracker
	// query is set by readQuery.
	query jsonapi.Query
	// body is the pooled buffer that holds the body; nil until readBody.
	body *bytes.Buffer
	// bodyReservation is the memory that is reserved for the body of the request.
	bodyReservation bodyReservation
	// exchange is nil unless Config.Observe is set.
	exchange *exchange
	// release is set while other requests wait for the response of this one.
	release func()
	// pointerBase is the JSON Pointer that fields of engine errors are appended to.
	// sentNames maps such a field to the name under which the client sent it.
	pointerBase string
	sentNames   map[string]string
	// headerValues backs the slices of setHeader, which saves an allocation per
	// header.
	headerValues [3]string
	headerCount  int
	// in is the decoded body of a write; nil if there is none. warnings are about what
	// it wrote.
	in       *input
	warnings []writeWarning
}

func (req *request) ctx() context.Context { return req.r.Context() }

// handler wraps a route in what all routes share: authentication, then the rate
// limit, then the permission check. path is that of the Exchange.
func (s *Server) handler(rt *route, path string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req := &request{Server: s, route: rt, w: w, r: r, id: newRequestID(), pointerBase: "/data/attributes"}
		defer req.finish()
		req.beginExchange(path)
		req.setHeaders()
		req.limitBodyPace()
		err := req.authorize()
		if err == nil {
			err = req.checkAsOf()
		}
		if err == nil {
			err = rt.serve(req)
		}
		if err != nil {
			req.respondError(err)
		}
	})
}

// authorize authenticates the caller, charges the rate limit and checks the
// permission of the route.
func (req *request) authorize() error {
	if req.route.public {
		return nil
	}
	actor, err := req.config.Authenticate(req.r)
	if err != nil {
		return err
	}
	if actor.Permissions == nil {
		actor.Permissions = allPermissions // nil means every permission: see docs/contract.md#permissions
	}
	actor.Via = cmp.Or(actor.Via, tracking.SetByAPI)
	if r := req.r; r.Method != http.MethodGet { // what changes nothing is not in the audit log
		actor.RequestID = req.id
		if client := trustedProxies(req.config.TrustProxy).client(r); client.IsValid() {
			actor.ClientAddress = client.String()
		}
	}
	req.actor = actor
	if err := req.limiter.charge(req.ctx(), actor, req.route.bucket); err != nil {
		return err
	}
	if need := req.route.permission; need != "" && !actor.Can(need) {
		return &tracking.Error{Kind: tracking.Forbidden, Code: "forbidden", Detail: fmt.Sprintf("this needs the permission '%s'", need)}
	}
	req.t = req.config.Tracker.For(actor)
	return nil
}

var allPermissions = tracking.Describe().Permissions

// finish releases the body buffer, turns a panic into a 500 and reports the request.
func (req *request) finish() {
	req.releaseBody()
	p := recover()
	if p != nil && p != http.ErrAbortHandler {
		req.respondPanic(p)
	}
	req.endExchange()
	if p == http.ErrAbortHandler { // a handler wants the connection closed
		panic(p)
	}
}

// respondPanic answers 500. Responses are written in one piece at the end, so nothing
// has been written when a handler panics.
func (req *request) respondPanic(p any) {
	req.config.Logger.Error("request panicked", "request_id", req.id, "method", req.r.Method, "path", loggedPath(req.r), "panic", p, "stack", string(debug.Stack()))
	req.respondErrors(http.StatusInternalServerError, []jsonapi.Error{req.internalError()})
}

// loggedPath returns the path of a request for the log, without what is signed: it is a
// token.
func loggedPath(r *http.Request) string {
	const signed = "/blobs/"
	if before, _, found := strings.Cut(r.URL.Path, signed); found {
		return before + signed + "{signed}"
	}
	return r.URL.Path
}

// newRequestID returns a random ID: a counter would show clients how busy the server
// is. The highest bit is set, so that all IDs have the same length.
func newRequestID() string { return strconv.FormatUint(rand.Uint64()|1<<63, 16) }

// Constant header values share one slice each. That is safe: their capacity is used
// up, so appending copies them.
var (
	noSniff      = []string{"nosniff"}
	privateCache = []string{"private, no-cache"}
	varyAccept   = []string{"Accept"}
	typeJSON     = []string{jsonapi.JSON}
	typeJSONAPI  = []string{jsonapi.MediaType}
)

// setHeader sets a header. The name must be in canonical form, and a request can set
// at most three headers this way.
func (req *request) setHeader(name, value string) {
	at := req.headerCount
	req.headerCount++
	req.headerValues[at] = value
	req.w.Header()[name] = req.headerValues[at : at+1 : at+1]
}

func (req *request) setHeaders() {
	h := req.w.Header()
	req.setHeader("X-Request-Id", req.id)
	h["X-Content-Type-Options"] = noSniff
	h["Cache-Control"] = privateCache
	h["Vary"] = varyAccept
}
