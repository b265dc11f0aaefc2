package httpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

const eventType = "event"

var acceptEvents = jsonapi.Accept{Page: true, AfterCursor: true, Filters: []string{"event", "shipment"}}

// serveEvents responds with the events after a cursor, or with a stream of them.
func serveEvents(req *request) error {
	if req.r.Method == http.MethodGet && acceptsStream(req.r.Header["Accept"]) {
		return req.streamEvents()
	}
	return req.listEvents()
}

// selectedEvents reads which events the client wants.
func (req *request) selectedEvents() (tracking.EventQuery, *jsonapi.Query, error) {
	q, err := req.readQuery()
	if err != nil {
		return tracking.EventQuery{}, nil, err
	}
	f := &filters{FilterReader: jsonapi.Filters(*q), query: q}
	selects := tracking.EventQuery{After: f.param("after"), Events: f.events("event"), Shipments: f.ids("shipment")}
	return selects, q, f.err()
}

func (req *request) listEvents() error {
	selects, q, err := req.selectedEvents()
	if err != nil {
		return err
	}
	s, page, err := req.t.Rendered().Events(req.ctx(), selects, q.Size)
	if err != nil {
		return err
	}
	self := jsonapi.SelfLink(req.requestURL(), req.r.URL.RawQuery)
	links := jsonapi.Links{Self: self, Current: self, First: req.linkAfter(""), Last: req.linkAfter(page.Last)}
	if page.Left > 0 {
		links.Next = req.linkAfter(page.Cursor)
	}
	req.respondList(s, links, jsonapi.Meta{Size: q.Size, Total: s.Total}, false)
	return nil
}

// linkAfter returns the URL of the request with another cursor.
func (req *request) linkAfter(cursor string) string {
	query := req.r.URL.Query()
	query.Del("after")
	if cursor != "" {
		query.Set("after", cursor)
	}
	link := url.URL{RawQuery: query.Encode()}
	return req.requestURL() + link.String()
}

// showEvent responds with one event.
func showEvent(req *request) error {
	if _, err := req.readQuery(); err != nil {
		return err
	}
	s, err := req.t.Rendered().Event(req.ctx(), req.pathID())
	if err != nil {
		return err
	}
	req.respondOne(http.StatusOK, s, false)
	return nil
}

const (
	typeEventStream = "text/event-stream"
	// lastEventID is the header in which clients of server-sent events send the last id.
	lastEventID = "Last-Event-Id"
	// eventHeartbeat is the default of Config.EventHeartbeat, and eventWrite how long a client
	// may take to accept what is sent.
	eventHeartbeat = 15 * time.Second
	eventWrite     = 10 * time.Second
	// eventBatch is how many events are read at a time for a stream.
	eventBatch = 10
	// The most streams that may be open, in all, of an account and of a key.
	maxStreams, maxAccountStreams, maxKeyStreams = 2_000, 50, 20
	// streamRetryAfter is the Retry-After of a refused stream.
	streamRetryAfter = 10 * time.Second
)

// acceptsStream reports whether Accept names server-sent events.
func acceptsStream(accept []string) bool {
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		if typ, _, err := mime.ParseMediaType(part); err == nil && typ == typeEventStream {
			return true
		}
	}
	return false
}

// eventStreams counts the open streams.
type eventStreams struct {
	mu   sync.Mutex
	open int
	by   map[tracking.ID]int // by account, and by key
	// draining ends when the server drains: end ends it.
	draining context.Context
	end      context.CancelFunc
}

func newEventStreams() *eventStreams {
	s := &eventStreams{by: map[tracking.ID]int{}}
	s.draining, s.end = context.WithCancel(context.Background())
	return s
}

// join adds a stream of an actor, unless there are too many.
func (s *eventStreams) join(a tracking.Actor) error {
	key := firstID(a.Key, a.User)
	s.mu.Lock()
	defer s.mu.Unlock()
	err := &httpError{status: http.StatusTooManyRequests, retryAfter: streamRetryAfter, limit: LimitStreams}
	switch {
	case s.open >= maxStreams:
		err.status, err.detail = http.StatusServiceUnavailable, "The server has too many open streams of events. Try again later, or read the list."
	case s.by[tracking.ID(a.Account)] >= maxAccountStreams:
		err.detail = fmt.Sprintf("This account has %d open streams of events, which is the most. Close one, or read the list.", maxAccountStreams)
	case s.by[key] >= maxKeyStreams:
		err.detail = fmt.Sprintf("This key has %d open streams of events, which is the most. Close one, or read the list.", maxKeyStreams)
	default:
		s.count(a, 1)
		return nil
	}
	return err
}

func (s *eventStreams) leave(a tracking.Actor) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count(a, -1)
}

// count adds n streams of an actor. The caller holds the lock.
func (s *eventStreams) count(a tracking.Actor, n int) {
	s.open += n
	ids := []tracking.ID{tracking.ID(a.Account)}
	if key := firstID(a.Key, a.User); key != (tracking.ID{}) && key != ids[0] {
		ids = append(ids, key)
	}
	for _, id := range ids {
		if s.by[id] += n; s.by[id] == 0 {
			delete(s.by, id)
		}
	}
}

// eventStream sends events to one client.
type eventStream struct {
	*request
	// ctx ends when the client goes or the server drains.
	ctx     context.Context
	leave   func()
	control *http.ResponseController
	query   tracking.EventQuery
	bytes   int64
	// page is what was read and is not yet sent, with rows.
	page tracking.EventPage
	rows []*tracking.Resource
}

// streamEvents sends the events after a cursor, and each further one, until the client goes,
// its key is no longer valid, or the server drains. Its frame and those of its callers stay on
// the stack while a stream waits, so each step is a function of its own.
func (req *request) streamEvents() error {
	s, err := req.openStream()
	if err != nil {
		return err
	}
	defer s.leave()
	if err := s.read(); err != nil { // before the status is sent
		return err
	}
	s.begin()
	for s.send() && s.next() {
		if err = s.read(); err != nil {
			break
		}
	}
	s.end(err)
	return nil
}

// openStream makes a stream. The header Last-Event-ID wins over the parameter, because clients
// that connect again send both.
func (req *request) openStream() (*eventStream, error) {
	q, _, err := req.selectedEvents()
	if err != nil {
		return nil, err
	}
	if id := req.r.Header.Get(lastEventID); id != "" {
		q.After = id
	}
	if err := req.streams.join(req.actor); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(req.ctx())
	drained := context.AfterFunc(req.streams.draining, cancel)
	return &eventStream{request: req, ctx: ctx, control: http.NewResponseController(req.w), query: q, leave: func() {
		drained()
		cancel()
		req.streams.leave(req.actor)
	}}, nil
}

// begin sends the header.
func (s *eventStream) begin() {
	h := s.w.Header()
	h.Set("Content-Type", typeEventStream)
	h.Set("X-Accel-Buffering", "no")           // nginx would wait for more
	_ = s.control.SetReadDeadline(time.Time{}) // its end would end the request
	s.write([]byte("retry: 1000\n"))
}

// end reports the end of the stream. The client gets the error when it connects again.
func (s *eventStream) end(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		s.config.Logger.Info("a stream of events ended", "request_id", s.id, "error", err)
	}
	s.exchange.sent(http.StatusOK, s.bytes)
}

// read reads the next events.
func (s *eventStream) read() error {
	found, page, err := s.t.Rendered().Events(s.ctx, s.query, eventBatch)
	if err == nil {
		s.query.After, s.rows, s.page = page.Cursor, found.Rows, page
	}
	return err
}

// send sends the events that were read. At the end of what there is, the cursor is sent without
// an event, so that a client whose filter leaves events out comes back behind them.
func (s *eventStream) send() bool {
	buf := eventBuffers.Get().(*bytes.Buffer)
	defer putEventBuffer(buf)
	for i, r := range s.rows {
		buf.WriteString("id: " + s.page.Events[i].Cursor + "\ndata: ")
		buf.Write(oneLine(jsonapi.AppendSingle(nil, jsonapi.Raw{Doc: r.Doc, Self: s.resourcePath(eventType)}, nil, "")))
		buf.WriteString("\n\n")
	}
	if s.page.Left == 0 {
		buf.WriteString("id: " + s.query.After + "\n\n")
	}
	s.rows, s.page.Events = nil, nil // a waiting stream holds no memory
	return s.write(buf.Bytes()) && s.control.Flush() == nil
}

func (s *eventStream) write(text []byte) bool {
	_ = s.control.SetWriteDeadline(time.Now().Add(eventWrite)) // without it the server's own counts
	n, err := s.w.Write(text)
	s.bytes += int64(n)
	return err == nil
}

// eventBuffers are shared: most streams wait.
var eventBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxEventBuffer is the size up to which a buffer is used again, in bytes.
const maxEventBuffer = 64 << 10

func putEventBuffer(buf *bytes.Buffer) {
	if buf.Cap() <= maxEventBuffer {
		buf.Reset()
		eventBuffers.Put(buf)
	}
}

// oneLine replaces line ends, which JSON has between values only.
func oneLine(text []byte) []byte {
	for i, c := range text {
		if c == '\n' || c == '\r' {
			text[i] = ' '
		}
	}
	return text
}

// next returns true when there is more to read, and false at the end of the stream.
func (s *eventStream) next() bool {
	if s.page.Left > 0 {
		return s.stillAllowed()
	}
	return s.wait()
}

// wait waits for events, and sends a comment now and then. It returns false at the end of the
// stream.
func (s *eventStream) wait() bool {
	for {
		late, cancel := context.WithTimeout(s.ctx, s.config.EventHeartbeat)
		err := s.t.Events().Wait(late, s.query.After)
		cancel()
		switch {
		case s.ctx.Err() != nil || !s.stillAllowed():
			return false
		case err == nil:
			return true
		case !errors.Is(err, context.DeadlineExceeded):
			return false
		}
		if !s.write([]byte(": heartbeat\n")) || !s.send() {
			return false
		}
	}
}

// stillAllowed reports whether the caller still has the key and the permission.
func (s *eventStream) stillAllowed() bool {
	actor, err := s.config.Authenticate(s.r)
	if actor.Permissions == nil {
		actor.Permissions = allPermissions
	}
	return err == nil && actor.Account == s.actor.Account && actor.Can(s.route.permission)
}

const tagEvents = "Events"

var eventOperations = map[string]operation{
	"GET /events": {id: "listEvents", tag: tagEvents, summary: "List or stream events", params: []param{afterParam},
		response: response{status: http.StatusOK, typ: eventType, list: true, alternative: typeEventStream, example: eventStreamExample},
		details: "The events of the account in the order in which they were committed, first committed first, each with the payload that webhooks get. " +
			"They are recorded from the first call on, and kept as long as notifications. Read on with links.next, or with the cursor of the last event in after. meta.total is the number of events after the cursor, those included that a filter leaves out. " +
			"With Accept: text/event-stream, the events are sent as server-sent events as they are committed, each with its cursor as the id and the document of GET /events/{id} as the data. A client that connects again sends the last id in the header Last-Event-ID and misses nothing. An id without data moves the cursor; comments are signs of life. " +
			fmt.Sprintf("At most %d streams may be open for a key and %d for an account. ", maxKeyStreams, maxAccountStreams) +
			"400 with the code cursor_expired: events after the cursor are no longer kept."},
	"GET /events/{id}": {id: "getEvent", tag: tagEvents, summary: "Get an event", response: resourceOf(eventType)},
}

var afterParam = param{name: "after", description: "The cursor of the last event that you have. Without it, the list begins with the oldest event that is kept."}

const eventStreamExample = "retry: 1000\nid: 17\ndata: {\"data\":{\"id\":\"...\",\"type\":\"event\",\"attributes\":{\"event\":\"container.created\",\"cursor\":\"17\"}}}\n\n: heartbeat\nid: 17\n\n"
