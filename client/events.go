package client

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

const eventsPath = "/events"

// Event returns a recorded event. Errors: NotFound.
func (c *Client) Event(ctx context.Context, id tracking.ID) (*tracking.Event, error) {
	return getRecord[tracking.Event](ctx, c, get(eventsPath, id, nil))
}

// Events returns the events after a cursor, at most size (1 to 100). Errors: BadQuery on after
// (invalid_cursor, cursor_expired).
func (c *Client) Events(ctx context.Context, q tracking.EventQuery, size int) (page tracking.EventPage, err error) {
	v := eventValues(q)
	if v.err != nil {
		return page, v.err
	}
	v.param("after", q.After)
	v.param("page[size]", strconv.Itoa(size))
	answer, err := c.do(ctx, request{method: http.MethodGet, path: eventsPath, query: v.Values})
	if err != nil {
		return page, err
	}
	var doc struct {
		Data  []json.RawMessage
		Links struct{ Next, Last string }
		Meta  struct{ Total int }
	}
	if err := json.Unmarshal(answer.body, &doc); err != nil {
		return page, fmt.Errorf("client: the response to GET %s: %w", eventsPath, err)
	}
	page.Total, page.Last = doc.Meta.Total, cursorIn(doc.Links.Last)
	for _, row := range doc.Data {
		e, err := decode[tracking.Event](row)
		if err != nil {
			return page, err
		}
		page.Events = append(page.Events, e)
	}
	page.Cursor = cmp.Or(cursorIn(doc.Links.Next), page.Last)
	page.Left = distance(page.Cursor, page.Last)
	return page, nil
}

// cursorIn returns the cursor in a link; empty without one.
func cursorIn(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return u.Query().Get("after")
}

// distance is the number of events from one cursor to another.
func distance(from, to string) int {
	first, _ := strconv.Atoi(from) // 0 if a later server has other cursors
	last, _ := strconv.Atoi(to)
	return last - first
}

func eventValues(q tracking.EventQuery) *values {
	v := newValues(nil)
	names := make([]string, len(q.Events))
	for i, e := range q.Events {
		names[i] = string(e)
	}
	v.filterList("event", names)
	v.filterIDs("shipment", q.Shipments)
	return v
}

const (
	typeEventStream = "text/event-stream"
	// silence is how long a stream may send nothing: more than two heartbeats of the server.
	silence = 45 * time.Second
	// maxStreamLine is more than an event with the largest payload, in bytes.
	maxStreamLine = 4 << 20
)

// FollowEvents iterates over the events after a cursor, and over each further one as it is
// committed, until ctx ends or the loop is left: each once and in order, also when the
// connection or the server fails meanwhile. It connects again for as long as that takes. A
// program that stores the cursor of the last event with what it did, and begins behind it,
// misses nothing. The last value is an error: that of ctx, or one that connecting again does
// not help against, such as a key that was revoked or a cursor whose events are no longer kept.
func (c *Client) FollowEvents(ctx context.Context, q tracking.EventQuery) iter.Seq2[*tracking.Event, error] {
	return func(yield func(*tracking.Event, error) bool) {
		s := stream{client: c, query: eventValues(q), cursor: q.After, yield: yield}
		err := s.query.err
		for attempt := 0; err == nil && !s.left; attempt++ {
			s.received = false
			err = s.connect(ctx)
			if s.received {
				attempt = 0
			}
			err = s.waitAfter(ctx, err, attempt)
		}
		if !s.left {
			yield(nil, err)
		}
	}
}

// stream follows events over one connection after the other.
type stream struct {
	client *Client
	query  *values
	cursor string
	yield  func(*tracking.Event, error) bool
	// left: the loop was left. received: the connection has sent something.
	left, received bool
}

// waitAfter waits before the next connection, or returns the error that ends the iteration.
func (s *stream) waitAfter(ctx context.Context, err error, attempt int) error {
	if s.left {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil { // the server has ended the stream
		err = &connectionError{io.EOF}
	}
	wait, ok := s.client.backoff(&request{method: http.MethodGet}, err, attempt, math.MaxInt64) // as long as it takes
	if !ok {
		return err
	}
	return sleep(ctx, wait)
}

// connect opens a connection and reads it to its end.
func (s *stream) connect(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := request{method: http.MethodGet, path: eventsPath, query: s.query.Values, header: http.Header{"Accept": {typeEventStream}}}
	if s.cursor != "" {
		r.header["Last-Event-Id"] = []string{s.cursor}
	}
	out, err := s.client.newRequest(ctx, &r, nil)
	if err != nil {
		return err
	}
	in, err := s.client.fileClient.Do(out)
	if err != nil {
		return &connectionError{err}
	}
	defer in.Body.Close()
	if in.StatusCode/100 != 2 {
		text, _ := io.ReadAll(io.LimitReader(in.Body, maxResponseBytes)) // the status is known
		return newError(in, text)
	}
	if typ, _, _ := mime.ParseMediaType(in.Header.Get("Content-Type")); typ != typeEventStream {
		return fmt.Errorf("client: the response to GET %s is %q and no stream of events", eventsPath, typ)
	}
	watchdog := time.AfterFunc(silence, cancel)
	defer watchdog.Stop()
	return s.read(bufio.NewReader(in.Body), func() { watchdog.Reset(silence) })
}

// read reads events until the end of the connection, which is no error.
func (s *stream) read(from *bufio.Reader, alive func()) error {
	var id string
	var data []byte
	for {
		line, err := readLine(from)
		if errors.Is(err, errLineTooLong) {
			return err
		}
		if err != nil { // what has no blank line behind it is not complete
			return &connectionError{err}
		}
		alive()
		s.received = true
		name, value, _ := strings.Cut(string(line), ":")
		switch value = strings.TrimPrefix(value, " "); {
		case len(line) == 0:
			if err := s.dispatch(id, data); err != nil || s.left {
				return err
			}
			id, data = "", nil
		case name == "id":
			id = value
		case name == "data":
			data = append(data, value...)
		}
	}
}

// dispatch passes on one event, and moves the cursor behind it.
func (s *stream) dispatch(id string, data []byte) error {
	if len(data) > 0 {
		var doc struct{ Data json.RawMessage }
		if err := json.Unmarshal(data, &doc); err != nil {
			return fmt.Errorf("client: an event of the stream: %w", err)
		}
		e, err := decode[tracking.Event](doc.Data)
		if err != nil {
			return err
		}
		if s.left = !s.yield(e, nil); s.left {
			return nil
		}
	}
	if id != "" {
		s.cursor = id
	}
	return nil
}

var errLineTooLong = fmt.Errorf("client: a line of the stream is longer than %d bytes", maxStreamLine)

// readLine reads a line without its end.
func readLine(from *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := from.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxStreamLine {
			return nil, errLineTooLong
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}
