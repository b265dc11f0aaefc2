package httpserver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

// defaultBodyBytes is the default of Config.BodyBytes.
const defaultBodyBytes = 256 << 20

// bodyBudget bounds the bodies that are held in memory, of all accounts and of each.
// A body counts from before it is read until the request has been answered, because
// what is parsed from it takes memory too.
type bodyBudget struct {
	total, share int64 // total is -1 for no limit

	mu        sync.Mutex
	used      int64
	byAccount map[tracking.AccountID]int64
}

// newBodyBudget gives an account a quarter of the total, and at least room for the
// largest body.
func newBodyBudget(total int64) *bodyBudget {
	return &bodyBudget{total: total, share: max(total/4, largestBody), byAccount: map[tracking.AccountID]int64{}}
}

// largestBody is the largest body that is held in memory. Others are streamed.
var largestBody = int64(reportBody.Bytes)

func validateBodyBytes(n int64) error {
	if n == -1 || n >= largestBody {
		return nil
	}
	return fmt.Errorf("httpserver: Config.BodyBytes: %d is less than the largest body: use at least %d, 0 for the default or -1 for no limit", n, largestBody)
}

// bodyRetryAfter is the Retry-After of a request whose body has no room. How long the
// other bodies take is unknown; most take less than a second.
const bodyRetryAfter = time.Second

// reserve takes room for n bytes of an account, or returns the error of the request:
// 429 if the account has used up its share, 503 if all have.
func (b *bodyBudget) reserve(a tracking.AccountID, n int64) error {
	if b.total < 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.byAccount[a]+n > b.share:
		return &httpError{
			status: http.StatusTooManyRequests, retryAfter: bodyRetryAfter, limit: LimitAccountBodies,
			detail: fmt.Sprintf("The bodies that this account sends at one time have more than %d MiB. Wait for the responses to some of them.", b.share>>20),
		}
	case b.used+n > b.total:
		return &httpError{status: http.StatusServiceUnavailable, limit: LimitBodies, detail: "The server is receiving too many large bodies. Try again later."}
	}
	b.used += n
	b.byAccount[a] += n
	return nil
}

func (b *bodyBudget) release(a tracking.AccountID, n int64) {
	if b.total < 0 || n == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
	if b.byAccount[a] -= n; b.byAccount[a] == 0 {
		delete(b.byAccount, a)
	}
}

// bodyBuffers pools the buffers of request bodies.
var bodyBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const (
	// maxPooledBuffer is the largest buffer that goes back to a pool.
	maxPooledBuffer = 1 << 20
	// unknownBody is the room for the beginning of a body of unknown length, which
	// then gets twice as much as often as it needs it.
	unknownBody = 32 << 10
)

// reserveBody takes room for n bytes of the body, what it has included.
func (req *request) reserveBody(n int64) error {
	if err := req.bodies.reserve(req.actor.Account, n-req.bodyRoom); err != nil {
		return err
	}
	req.bodyRoom = n
	return nil
}

// readWhole reads the body into req.body. It may have most bytes.
func (req *request) readWhole(most int64) error {
	room := req.r.ContentLength
	if room < 0 {
		room = min(unknownBody, most)
	}
	if err := req.reserveBody(room); err != nil {
		return err
	}
	req.body = bodyBuffers.Get().(*bytes.Buffer)
	req.body.Reset()
	from := http.MaxBytesReader(req.w, req.r.Body, most)
	for {
		whole, err := appendBody(req.body, from, room)
		if err != nil {
			return req.bodyReadError(err)
		}
		if whole {
			return nil
		}
		room = min(2*room, most)
		if err := req.reserveBody(room); err != nil {
			req.w.Header().Set("Connection", "close") // the rest of the body is not read
			return err
		}
	}
}

// appendBody reads until the end of the body, or until it has more than room bytes.
// Buffer.ReadFrom would need twice the room, to see the end.
func appendBody(b *bytes.Buffer, from io.Reader, room int64) (whole bool, err error) {
	b.Grow(int(room) - b.Len() + 1)
	for int64(b.Len()) <= room {
		spare := b.AvailableBuffer()[:int(room)-b.Len()+1]
		n, err := from.Read(spare)
		b.Write(spare[:n])
		if err != nil {
			if errors.Is(err, io.EOF) {
				return true, nil
			}
			return false, err
		}
	}
	return false, nil
}

func (req *request) releaseBody() {
	if req.body != nil && req.body.Cap() <= maxPooledBuffer {
		bodyBuffers.Put(req.body)
	}
	req.body = nil
	req.bodies.release(req.actor.Account, req.bodyRoom)
	req.bodyRoom = 0
}
