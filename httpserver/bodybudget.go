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

// bodyBudget bounds the memory that bodies and what is parsed from them take, of all
// accounts and of each. A body counts from before it is read until the request has been
// answered. Small bodies have a pool of their own, so that large ones of other accounts do
// not block them; when it is used up, they count with the large ones.
type bodyBudget struct {
	mu           sync.Mutex
	large, small bodyPool
}

// bodyPool is memory for bodies.
type bodyPool struct {
	total, share int64 // of all accounts and of each; total is -1 for no limit
	used         int64
	byAccount    map[tracking.AccountID]int64
}

// bodyReservation is the memory of a pool that is reserved for a body; the zero value is none.
type bodyReservation struct {
	bytes int64
	pool  *bodyPool
}

// Bytes of memory that a byte of a body may take.
const (
	// heldMemory: the body, copies of its parts, and what is decoded from them.
	heldMemory = 3
	// reportMemory: the facts of a report, their stored forms and the transaction that
	// writes them.
	reportMemory = 8
)

// smallBody is the memory of a small body.
const smallBody = 128 << 10

// newBodyBudget gives an account a quarter of the total, and at least the bytes of
// the largest body. A body that needs more than that uses the share alone. Small bodies have
// an eighth more.
func newBodyBudget(total int64) *bodyBudget {
	accounts := func() map[tracking.AccountID]int64 { return map[tracking.AccountID]int64{} }
	return &bodyBudget{
		large: bodyPool{total: total, share: max(total/4, largestBody), byAccount: accounts()},
		small: bodyPool{total: total / 8, share: total / 32, byAccount: accounts()},
	}
}

// largestBody is the largest body that is held in memory. Others are streamed.
var largestBody = int64(reportBody.Bytes)

func validateBodyBytes(n int64) error {
	if n == -1 || n >= largestBody {
		return nil
	}
	return fmt.Errorf("httpserver: Config.BodyBytes: %d is less than the largest body: use at least %d, 0 for the default or -1 for no limit", n, largestBody)
}

// bodyRetryAfter is the Retry-After of a request whose body is not read yet. How long the
// other bodies take is unknown; most take less than a second.
const bodyRetryAfter = time.Second

// reserve reserves n bytes of memory for an account in place of an earlier reservation, or
// returns the error of the request: 429 if the account has used up its share, 503 if all
// accounts have used up the budget. Then nothing is reserved.
func (b *bodyBudget) reserve(a tracking.AccountID, earlier bodyReservation, n int64) (bodyReservation, error) {
	if b.large.total < 0 || n == 0 {
		return bodyReservation{}, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	earlier.free(a)
	if n <= smallBody && b.small.take(a, n) {
		return bodyReservation{n, &b.small}, nil
	}
	n = min(n, b.large.share)
	switch {
	case b.large.take(a, n):
		return bodyReservation{n, &b.large}, nil
	case b.large.byAccount[a]+n > b.large.share:
		return bodyReservation{}, &httpError{
			status: http.StatusTooManyRequests, retryAfter: bodyRetryAfter, limit: LimitAccountBodies,
			detail: fmt.Sprintf("The bodies that this account sends at one time take more than %d MiB of memory. Wait for the responses to some of them.", b.large.share>>20),
		}
	}
	return bodyReservation{}, &httpError{status: http.StatusServiceUnavailable, limit: LimitBodies, detail: "The server is receiving too many large bodies. Try again later."}
}

func (b *bodyBudget) release(a tracking.AccountID, earlier bodyReservation) {
	b.mu.Lock()
	defer b.mu.Unlock()
	earlier.free(a)
}

// take takes n bytes, and reports whether they were free.
func (p *bodyPool) take(a tracking.AccountID, n int64) bool {
	if p.byAccount[a]+n > p.share || p.used+n > p.total {
		return false
	}
	p.used += n
	p.byAccount[a] += n
	return true
}

func (r bodyReservation) free(a tracking.AccountID) {
	if r.pool == nil {
		return
	}
	r.pool.used -= r.bytes
	if r.pool.byAccount[a] -= r.bytes; r.pool.byAccount[a] == 0 {
		delete(r.pool.byAccount, a)
	}
}

// bodyBuffers pools the buffers of request bodies.
var bodyBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const (
	// maxPooledBuffer is the largest buffer that goes back to a pool.
	maxPooledBuffer = 1 << 20
	// unknownBody is reserved for the beginning of a body of unknown length, and doubled
	// as often as the body needs more.
	unknownBody = 32 << 10
)

// reserveBody reserves n bytes of memory in all for the body.
func (req *request) reserveBody(n int64) (err error) {
	req.bodyReservation, err = req.bodies.reserve(req.actor.Account, req.bodyReservation, n)
	return err
}

// readWhole reads the body into req.body. It may have most bytes.
func (req *request) readWhole(most int64) error {
	capacity := req.r.ContentLength
	if capacity < 0 {
		capacity = min(unknownBody, most)
	}
	if err := req.reserveBody(heldMemory * capacity); err != nil {
		return err
	}
	req.body = bodyBuffers.Get().(*bytes.Buffer)
	req.body.Reset()
	from := http.MaxBytesReader(req.w, req.r.Body, most)
	for {
		whole, err := appendBody(req.body, from, capacity)
		if err != nil {
			return req.bodyReadError(err)
		}
		if whole {
			return nil
		}
		capacity = min(2*capacity, most)
		if err := req.reserveBody(heldMemory * capacity); err != nil {
			req.w.Header().Set("Connection", "close") // the rest of the body is not read
			return err
		}
	}
}

// appendBody reads until the end of the body, or until it has more than capacity
// bytes. Buffer.ReadFrom would need twice as much, to see the end.
func appendBody(b *bytes.Buffer, from io.Reader, capacity int64) (whole bool, err error) {
	b.Grow(int(capacity) - b.Len() + 1)
	for int64(b.Len()) <= capacity {
		spare := b.AvailableBuffer()[:int(capacity)-b.Len()+1]
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
	if req.bodyReservation.pool != nil {
		req.bodies.release(req.actor.Account, req.bodyReservation)
	}
	req.bodyReservation = bodyReservation{}
}
