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

// call is one request on its way through.
type call struct {
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
	// asked is the query.
	asked jsonapi.Query
	// body is the buffer that the request's body was read into.
	body *bytes.Buffer
	// attributes is the pointer to what the fields of engine errors are members
	// of, and sent maps such fields to the names they were sent under.
	attributes string
	sent       map[string]string
	// values holds header values, which would cost a slice each otherwise.
	values [3]string
	set    int
}

func (c *call) ctx() context.Context { return c.r.Context() }

// handler takes a request through what all routes have in common, in this
// order: who it is, limits, permission; then the route itself.
func (s *Server) handler(rt *route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{Server: s, route: rt, w: w, r: r, id: newRequestID(), attributes: "/data/attributes"}
		defer c.end()
		c.setHeaders()
		c.setPace()
		err := c.admit()
		if err == nil {
			err = rt.serve(c)
		}
		if err != nil {
			c.fail(err)
		}
	})
}

// admit finds out who calls, counts the call, and checks the permission that
// the route needs.
func (c *call) admit() error {
	if c.route.open {
		return nil
	}
	actor, err := c.config.Authenticate(c.r)
	if err != nil {
		return err
	}
	if actor.Permissions == nil {
		actor.Permissions = allPermissions // an actor with nil may do everything: see docs/contract.md#permissions
	}
	actor.Via = cmp.Or(actor.Via, tracking.SetByAPI)
	c.actor = actor
	if err := c.limiter.charge(actor, c.route.bucket); err != nil {
		return err
	}
	if need := c.route.needs; need != "" && !actor.Can(need) {
		return &tracking.Error{Kind: tracking.Forbidden, Code: "forbidden", Detail: fmt.Sprintf("this needs the permission '%s'", need)}
	}
	c.t = c.config.Tracker.For(actor)
	return nil
}

var allPermissions = tracking.Permissions()

// end gives back what the call held, and turns a panic into a 500. Answers are
// written in one piece at the very end, so a panic finds nothing written.
func (c *call) end() {
	c.releaseBody()
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler { // how a handler asks the server to hang up
		panic(p)
	}
	c.config.Logger.Error("request panicked", "request_id", c.id, "method", c.r.Method, "path", c.r.URL.Path, "panic", p, "stack", string(debug.Stack()))
	c.answerErrors(http.StatusInternalServerError, []jsonapi.Error{c.internal()})
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
func (c *call) setHeader(name, value string) {
	at := c.set
	c.set++
	c.values[at] = value
	c.w.Header()[name] = c.values[at : at+1 : at+1]
}

func (c *call) setHeaders() {
	h := c.w.Header()
	c.setHeader("X-Request-Id", c.id)
	h["X-Content-Type-Options"] = noSniff
	h["Cache-Control"] = privateCache
	h["Vary"] = varyAccept
}
