package dashboard

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

func liveRoutes() []route {
	return []route{{pattern: "GET /live", permission: tracking.Show, serve: streamChanges}}
}

// A page that stays open reads a stream of server-sent events, one for each moment at which it
// may have changed, and then gets its own address again.
const (
	// livePace is the least time between two events about changes.
	livePace = time.Second
	// liveBeat is the time between two signs of life. Every second one is about changes too:
	// those that time has brought, and those by other processes.
	liveBeat = 15 * time.Second
	// liveWrite is how long a browser may take to accept an event.
	liveWrite = 10 * time.Second
	// maxStreams and maxSessionStreams bound the open streams. Only pages in sight have one.
	maxStreams, maxSessionStreams = 2000, 20
	// maxAbout bounds the records that a page is about; one about more is about the record in its path.
	maxAbout = 50
	// maxMissed is how many changes are remembered, for pages that connect after them.
	maxMissed = 128
)

// hub passes the changes of the Tracker on to the streams of open pages.
type hub struct {
	pace, beat time.Duration

	mu       sync.Mutex
	feeds    map[tracking.AccountID]*feed
	sessions map[string]int // streams by session
	open     int
}

// feed is the changes of an account.
type feed struct {
	// position counts the changes. It begins with the time, so that pages of an earlier
	// process are behind.
	position int64
	recent   [][]tracking.ID // the last changes; nil for one that concerns any record
	streams  map[*stream]bool
}

// stream is an open page.
type stream struct {
	account tracking.AccountID
	session string
	about   []tracking.ID // nil for everything
	wake    chan struct{}
	ended   chan struct{}
}

func newHub() *hub {
	return &hub{pace: livePace, beat: liveBeat, feeds: map[tracking.AccountID]*feed{}, sessions: map[string]int{}}
}

// feed returns the feed of an account. The caller holds the lock.
func (h *hub) feed(of tracking.AccountID) *feed {
	f := h.feeds[of]
	if f == nil {
		f = &feed{position: time.Now().UnixMicro(), streams: map[*stream]bool{}}
		h.feeds[of] = f
	}
	return f
}

// position returns the number of the last change of an account.
func (h *hub) position(of tracking.AccountID) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.feed(of).position
}

// changed wakes the streams that a change concerns. The Tracker calls it.
func (h *hub) changed(c tracking.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.feed(c.Account)
	f.position++
	if f.recent = append(f.recent, c.Records); len(f.recent) > maxMissed {
		f.recent = slices.Delete(f.recent, 0, len(f.recent)-maxMissed)
	}
	for s := range f.streams {
		if s.concerns(c.Records) {
			s.notify()
		}
	}
}

// concerns reports whether a change of some records can be seen on the page.
func (s *stream) concerns(records []tracking.ID) bool {
	return s.about == nil || records == nil || slices.ContainsFunc(records, func(id tracking.ID) bool { return slices.Contains(s.about, id) })
}

// notify makes the stream send an event; several at one time are one.
func (s *stream) notify() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// join opens a stream of a page that knows the changes up to a position; false if there are
// too many.
func (h *hub) join(s *stream, since int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open >= maxStreams || h.sessions[s.session] >= maxSessionStreams {
		return false
	}
	f := h.feed(s.account)
	h.open++
	h.sessions[s.session]++
	f.streams[s] = true
	missed := f.position - since
	if missed < 0 || missed > int64(len(f.recent)) || slices.ContainsFunc(f.recent[len(f.recent)-int(missed):], s.concerns) {
		s.notify()
	}
	return true
}

func (h *hub) leave(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.feed(s.account).streams, s)
	h.open--
	if h.sessions[s.session]--; h.sessions[s.session] == 0 {
		delete(h.sessions, s.session)
	}
}

// end ends the streams of a session.
func (h *hub) end(account tracking.AccountID, session string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.feed(account).streams {
		if s.session == session {
			close(s.ended)
			delete(h.feed(account).streams, s)
		}
	}
}

// about says which records the page shows. A page that does not say so is about the record in
// its path, or all; so is one that shows more than maxAbout.
func (req *request) about(ids ...tracking.ID) {
	ids = slices.DeleteFunc(ids, func(id tracking.ID) bool { return id == tracking.ID{} })
	if len(ids) <= maxAbout {
		req.shows = ids
	}
}

// liveAddress is the address of the stream of this page; empty for pages that do not change:
// answers to forms, errors, the past, and those that are still.
func (req *request) liveAddress(status int) string {
	if req.t == nil || req.still || status != http.StatusOK || req.r.Method != http.MethodGet || req.r.URL.Query().Has("as_of") {
		return ""
	}
	v := url.Values{"since": {strconv.FormatInt(req.since, 10)}}
	if len(req.shows) == 0 {
		req.about(req.pathID())
	}
	if len(req.shows) > 0 {
		words := make([]string, 0, len(req.shows))
		for _, id := range req.shows {
			words = append(words, id.String())
		}
		v.Set("about", strings.Join(words, " "))
	}
	return req.link("/live", v)
}

// isBackground reports whether an open page gets itself again. The sentence about what was
// done is for the page that the person goes to.
func (req *request) isBackground() bool { return req.r.Header.Get("Landfall-Background") != "" }

// streamChanges sends an event whenever what the page shows may have changed.
func streamChanges(req *request) error {
	if !strings.Contains(req.r.Header.Get("Accept"), "text/event-stream") {
		return &pageError{http.StatusNotAcceptable, req.texts.get("error.stream")}
	}
	s, err := req.openStream()
	if err != nil {
		return err
	}
	defer req.live.leave(s)
	h := req.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // nginx would wait for more
	control := http.NewResponseController(req.w)
	if err := control.SetReadDeadline(time.Time{}); err != nil { // its end would end the request
		req.Logger.Debug("dashboard: stream", "error", err)
	}
	send := func(text string) bool {
		_ = control.SetWriteDeadline(time.Now().Add(liveWrite)) // without it the server's own counts
		_, err := io.WriteString(req.w, text)
		return err == nil && control.Flush() == nil
	}
	if send("retry: 1000\n\n") {
		req.follow(s, send)
	}
	return nil
}

func (req *request) openStream() (*stream, error) {
	given := req.r.URL.Query()
	since, err := strconv.ParseInt(given.Get("since"), 10, 64)
	words := strings.Fields(given.Get("about"))
	if err != nil || len(words) > maxAbout {
		return nil, &pageError{http.StatusBadRequest, req.texts.get("error.stream")}
	}
	s := &stream{account: req.actor.Account, session: req.sessions.Token(req.r.Context()), wake: make(chan struct{}, 1), ended: make(chan struct{})}
	for _, w := range words {
		s.about = append(s.about, parseID(w))
	}
	if isClosed(req.Ending) || !req.live.join(s, since) {
		req.w.Header().Set("Retry-After", "10")
		return nil, &pageError{http.StatusServiceUnavailable, req.texts.get("error.unavailable")}
	}
	return s, nil
}

// follow sends events until the browser goes, the session ends, or the server does.
func (req *request) follow(s *stream, send func(string) bool) {
	ctx, beat := req.r.Context(), time.NewTicker(req.live.beat)
	defer beat.Stop()
	var rest <-chan time.Time // until then there is no event about changes; nil for now
	for beats := 0; ; {
		wake := s.wake
		if rest != nil {
			wake = nil
		}
		changed, ended := false, false
		select {
		case <-ctx.Done():
			return
		case <-req.Ending:
			return
		case <-rest:
			rest = nil
			continue
		case <-s.ended:
			ended = true
		case <-wake:
			changed = true
		case <-beat.C:
			beats++
			changed = beats%2 == 0
		}
		event := "alive"
		switch {
		case ended || !req.stillSignedIn(s):
			send("event: ended\ndata: 0\n\n")
			return
		case changed:
			event, rest = "changed", time.After(req.live.pace)
		}
		if !send("event: " + event + "\ndata: 0\n\n") {
			return
		}
	}
}

// stillSignedIn reads the session again.
func (req *request) stillSignedIn(s *stream) bool {
	ctx, cancel := context.WithTimeout(context.Background(), liveWrite)
	defer cancel()
	cookie, err := req.r.Cookie(req.sessions.Cookie.Name)
	if err != nil {
		return false
	}
	if ctx, err = req.sessions.Load(ctx, cookie.Value); err != nil {
		return true // the store is busy: the next event asks again
	}
	again := &request{handler: req.handler, w: req.w, r: req.r.WithContext(ctx), sessions: req.sessions}
	if err := again.identify(); err != nil {
		return true
	}
	return again.t != nil && again.actor.Account == s.account && again.actor.Can(tracking.Show)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
