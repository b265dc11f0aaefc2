package simulator

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Fault is a way in which a call for events fails.
type Fault string

// The faults.
const (
	ServerError Fault = "server_error" // 500, 502 or 503
	TooMany     Fault = "too_many"     // 429 with Retry-After
	Hang        Fault = "hang"         // no answer until the client gives up
	Reset       Fault = "reset"        // the connection is reset
	HalfBody    Fault = "half_body"    // the connection ends in the middle of the body
	HTML        Fault = "html"         // 200 and an HTML page
	Oversized   Fault = "oversized"    // 200 and a huge body
	Foreign     Fault = "foreign"      // 200 and the events of another shipment
)

// AllFaults returns all faults.
func AllFaults() []Fault {
	return []Fault{ServerError, TooMany, Hang, Reset, HalfBody, HTML, Oversized, Foreign}
}

// Faults configures how often calls for events fail, and how.
type Faults struct {
	// Rate is the share of calls that fail, from 0 to 1.
	Rate float64
	// Kinds are the faults that occur, with equal probability. Defaults to all.
	Kinds []Fault
	// Disorder is the share of good answers, from 0 to 1, with unordered events, of
	// which one is repeated on the next page.
	Disorder float64
	// HangFor bounds a Hang. Defaults to a minute.
	HangFor time.Duration
	// RetryAfter is the Retry-After of a 429, in whole seconds. Defaults to 1
	// second.
	RetryAfter time.Duration
	// OversizedBytes is the size of an Oversized body. Defaults to 300 MiB.
	OversizedBytes int64
}

func (f Faults) withDefaults() Faults {
	if f.Kinds == nil {
		f.Kinds = AllFaults()
	}
	if f.HangFor == 0 {
		f.HangFor = time.Minute
	}
	if f.RetryAfter == 0 {
		f.RetryAfter = time.Second
	}
	if f.OversizedBytes == 0 {
		f.OversizedBytes = 300 << 20
	}
	return f
}

func (f Faults) validate() error {
	share := func(x float64) bool { return x >= 0 && x <= 1 }
	switch {
	case !share(f.Rate):
		return fmt.Errorf("simulator: Faults.Rate is %v: it must be from 0 to 1", f.Rate)
	case !share(f.Disorder):
		return fmt.Errorf("simulator: Faults.Disorder is %v: it must be from 0 to 1", f.Disorder)
	case f.HangFor < 0 || f.RetryAfter < 0 || f.OversizedBytes < 0:
		return errors.New("simulator: Faults.HangFor, RetryAfter and OversizedBytes must not be negative")
	case len(f.Kinds) == 0:
		return errors.New("simulator: Faults.Kinds is empty: leave it nil for all")
	}
	for _, k := range f.Kinds {
		if !slices.Contains(AllFaults(), k) {
			return fmt.Errorf("simulator: Faults.Kinds has the unknown fault %q", k)
		}
	}
	return nil
}

// randomSource draws by the seed, by a key and by the number of earlier draws with
// that key, so that concurrent calls do not affect each other.
type randomSource struct {
	seed  uint64
	mu    sync.Mutex
	drawn map[string]uint64
}

func (d *randomSource) draw(about string) *rand.Rand {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.drawn == nil {
		d.drawn = map[string]uint64{}
	}
	d.drawn[about]++
	h := fnv.New64a()
	h.Write([]byte(about))
	return rand.New(rand.NewPCG(d.seed^h.Sum64(), d.drawn[about]))
}

// outcome is what happens to one call.
type outcome struct {
	fault    Fault // empty for none
	disorder bool
	random   *rand.Rand
}

func (c *Carrier) drawOutcome(about string) outcome {
	l, f := outcome{random: c.dice.draw(about)}, c.config.Faults
	if l.random.Float64() < f.Rate {
		l.fault = f.Kinds[l.random.IntN(len(f.Kinds))]
		c.counts.fault(l.fault)
		return l
	}
	l.disorder = l.random.Float64() < f.Disorder
	return l
}

// fail answers a call with the fault; body is the correct answer.
func (c *Carrier) fail(w http.ResponseWriter, r *http.Request, l outcome, flight *activeCall, body string) {
	if l.fault == Hang {
		flight.hang(r.Context().Done(), c.config.Faults.HangFor)
		panic(http.ErrAbortHandler) // closes the connection without an answer
	}
	flight.leave()
	switch l.fault {
	case ServerError:
		status := []int{http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable}[l.random.IntN(3)]
		refuse(w, r, status, "The system is not available.")
	case TooMany:
		w.Header().Set("Retry-After", strconv.Itoa(int(c.config.Faults.RetryAfter.Seconds())))
		refuse(w, r, http.StatusTooManyRequests, "There are too many requests.")
	case Reset:
		reset(w)
	case HalfBody:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		write(w, body[:len(body)/2])
		panic(http.ErrAbortHandler)
	case HTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		write(w, "<!doctype html>\n<title>Maintenance</title>\n<p>Our systems are being looked after. Come back soon!\n")
	case Oversized:
		w.Header().Set("Content-Type", "application/json")
		endless(w, c.config.Faults.OversizedBytes)
	}
}

// reset closes the connection with a reset.
func reset(w http.ResponseWriter) {
	h, ok := w.(http.Hijacker)
	if !ok {
		panic(http.ErrAbortHandler)
	}
	conn, _, err := h.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // it is closed in any case
	}
	conn.Close()
}

// endless writes an array of that many bytes, unless the client disconnects.
func endless(w http.ResponseWriter, bytes int64) {
	chunk := strings.Repeat(" ", 64<<10)
	if _, err := w.Write([]byte("[")); err != nil {
		return
	}
	for left := bytes - 2; left > 0; left -= int64(len(chunk)) {
		if _, err := w.Write([]byte(chunk[:min(left, int64(len(chunk)))])); err != nil {
			return
		}
	}
	write(w, "]")
}

// write ignores errors, which mean that the client has disconnected.
func write(w http.ResponseWriter, text string) { _, _ = w.Write([]byte(text)) }
