package httpserver

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// BodyPace is how fast the body of a request has to come. A body that falls
// behind is given up with a 408, and its connection is closed: whoever sends a
// byte now and then would hold connections for as long as they please.
type BodyPace struct {
	// Grace is how long a body may take whatever its size. Defaults to 5 s.
	Grace time.Duration
	// Rate is the bytes a second, on the average since the request began, that it
	// has to reach beyond that. Defaults to 4,096; -1 means no bound at all.
	Rate int
}

func (p BodyPace) withDefaults() BodyPace {
	if p.Grace == 0 {
		p.Grace = 5 * time.Second
	}
	if p.Rate == 0 {
		p.Rate = 4096
	}
	return p
}

func (p BodyPace) validate() error {
	if p.Grace < 0 || p.Rate < -1 {
		return fmt.Errorf("httpserver: Config.BodyPace: %v and %d bytes a second: give a time to wait and a rate, 0 for the defaults or a rate of -1 for no bound", p.Grace, p.Rate)
	}
	return nil
}

// pacedBody is a body that has to keep its pace. The deadlines are those of the
// connection: a read that waits is ended by them.
type pacedBody struct {
	io.ReadCloser
	pace         BodyPace
	conn         *http.ResponseController
	begin        time.Time
	hostDeadline time.Time // the host's own deadline; zero for none
	read         int64
}

// limitBodyPace begins to count the time of a body, read or not: the server reads what
// is left of it before it answers.
func (req *request) limitBodyPace() {
	if req.r.ContentLength == 0 || req.config.BodyPace.Rate < 0 {
		return
	}
	b := &pacedBody{ReadCloser: req.r.Body, pace: req.config.BodyPace, conn: http.NewResponseController(req.w), begin: time.Now()}
	if host, ok := req.r.Context().Value(http.ServerContextKey).(*http.Server); ok && host.ReadTimeout > 0 && !req.route.largeBody {
		b.hostDeadline = b.begin.Add(host.ReadTimeout)
	}
	b.extend()
	req.r.Body = b
}

// Read moves the deadline with what has come. At the end the host's deadline
// counts again, for the connection is watched while the request is served.
func (b *pacedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	if err == io.EOF {
		_ = b.conn.SetReadDeadline(b.hostDeadline)
	} else {
		b.extend()
	}
	return n, err
}

// extend sets the deadline by which more must have come. Where the host's
// ResponseWriter knows no deadlines, there is nothing to be done.
func (b *pacedBody) extend() {
	earned := time.Duration(float64(b.read) / float64(b.pace.Rate) * float64(time.Second))
	at := b.begin.Add(b.pace.Grace + earned)
	if !b.hostDeadline.IsZero() && at.After(b.hostDeadline) {
		at = b.hostDeadline
	}
	_ = b.conn.SetReadDeadline(at)
}

// slowBodyError is the answer to a body that fell behind; nil for other faults.
func (req *request) slowBodyError(err error) error {
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	req.w.Header().Set("Connection", "close")
	return &httpError{status: http.StatusRequestTimeout, detail: "The body came too slowly."}
}
