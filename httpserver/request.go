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

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// request is one request on its way through.
type request struct {
	*Server
	route *route
	w     http.ResponseWriter
	r     *http.Request
	// id is the request ID.
	id string
	// actor sends the request, and t is the engine as the actor sees it. Not
	// set on open routes.
	actor tracking.Actor
	t     *tracking.Tracker
	// query is the query.
	query jsonapi.Query
	// body is the buffer that the request's body was read into.
	body *bytes.Buffer
	// pointerBase is the pointer to what the fields of engine errors are members
	// of, and sent maps such fields to the names they were sent under.
	pointerBase string
	sentNames   map[string]string
	// headerValues holds header values, which would cost a slice each otherwise.
	headerValues [3]string
	headerCount  int
}

func (req *request) ctx() context.Context { return req.r.Context() }

// handler takes a request through what all routes have in common, in this
// order: who it is, limits, permission; then the route itself.
func (s *Server) handler(rt *route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req := &request{Server: s, route: rt, w: w, r: r, id: newRequestID(), pointerBase: "/data/attributes"}
		defer req.finish()
		req.setHeaders()
		req.limitBodyPace()
		err := req.authorize()
		if err == nil {
			err = rt.serve(req)
		}
		if err != nil {
			req.respondError(err)
		}
	})
}

// authorize finds out who calls, counts the call, and checks the permission that
// the route needs.
func (req *request) authorize() error {
	if req.route.public {
		return nil
	}
	actor, err := req.config.Authenticate(req.r)
	if err != nil {
		return err
	}
	if actor.Permissions == nil {
		actor.Permissions = allPermissions // an actor with nil may do everything: see docs/contract.md#permissions
	}
	actor.Via = cmp.Or(actor.Via, tracking.SetByAPI)
	req.actor = actor
	if err := req.limiter.charge(actor, req.route.bucket); err != nil {
		return err
	}
	if need := req.route.permission; need != "" && !actor.Can(need) {
		return &tracking.Error{Kind: tracking.Forbidden, Code: "forbidden", Detail: fmt.Sprintf("this needs the permission '%s'", need)}
	}
	req.t = req.config.Tracker.For(actor)
	return nil
}

var allPermissions = tracking.Permissions()

// finish gives back what the call held, and turns a panic into a 500. Answers are
// written in one piece at the very end, so a panic finds nothing written.
func (req *request) finish() {
	req.releaseBody()
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler { // how a handler asks the server to hang up
		panic(p)
	}
	req.config.Logger.Error("request panicked", "request_id", req.id, "method", req.r.Method, "path", req.r.URL.Path, "panic", p, "stack", string(debug.Stack()))
	req.respondErrors(http.StatusInternalServerError, []jsonapi.Error{req.internalError()})
}

// newRequestID is random and no count: it shows nobody how busy the server is.
// The highest bit makes all of them equally long.
func newRequestID() string { return strconv.FormatUint(rand.Uint64()|1<<63, 16) }

// Header values that never change share their slices: nobody appends to them in
// place, for they are full.
var (
	noSniff      = []string{"nosniff"}
	privateCache = []string{"private, no-cache"}
	varyAccept   = []string{"Accept"}
	typeJSON     = []string{jsonapi.JSON}
	typeJSONAPI  = []string{jsonapi.MediaType}
)

// setHeader sets a header whose name is in canonical form, at most three times
// in a call.
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
