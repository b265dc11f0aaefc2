package httpserver

import (
	"crypto/sha256"
	"hash"
	"io"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/jsonapi"
)

// bodyStream is the body of a request that is parsed while it arrives. Before it
// reads, it reserves memory in the budget of bodies, as much as a report needs. It hashes what it reads.
type bodyStream struct {
	req    *request
	from   io.Reader
	most   int64 // bytes that the body may have
	limit  int64 // bytes that memory has been reserved for
	read   int64
	hashes []hash.Hash
	err    error // the error of the request, if the body could not be read
}

// streamBody prepares the body to be read, up to the route's limit, and to be hashed. A
// hash may be nil.
func (req *request) streamBody(hashes ...hash.Hash) (*bodyStream, error) {
	b := &bodyStream{req: req, from: strings.NewReader(""), hashes: hashes}
	if req.r.ContentLength == 0 {
		return b, nil
	}
	if err := req.checkType(); err != nil {
		return nil, err
	}
	b.most, b.limit = int64(req.route.bodyLimit()), req.r.ContentLength
	if b.limit > b.most {
		return nil, jsonapi.ErrTooLarge
	}
	if b.limit < 0 {
		b.limit = min(unknownBody/reportMemory, b.most)
	}
	b.from = http.MaxBytesReader(req.w, req.r.Body, b.most)
	return b, req.reserveBody(reportMemory * b.limit)
}

// Read reads a part of the body. An error other than io.EOF is in b.err too, as the error
// of the request.
func (b *bodyStream) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	b.read += int64(n)
	for _, h := range b.hashes {
		if h != nil {
			h.Write(p[:n])
		}
	}
	if err != nil && err != io.EOF {
		b.err = b.req.bodyReadError(err)
		return n, err
	}
	for b.read > b.limit {
		b.limit = min(2*b.limit, b.most)
		if full := b.req.reserveBody(reportMemory * b.limit); full != nil {
			b.req.w.Header().Set("Connection", "close") // the rest of the body is not read
			b.err = full
			return n, full
		}
	}
	return n, err
}

// newBodyID returns the hash that the ID of a body is made of.
func newBodyID() hash.Hash {
	h := sha256.New()
	h.Write(uuid.Nil[:])
	return h
}

// bodyID returns the ID of a body that has been hashed: uuid.NewHash(sha256.New(),
// uuid.Nil, body, 8).
func bodyID(h hash.Hash) (id uuid.UUID) {
	copy(id[:], h.Sum(nil))
	id[6] = id[6]&0x0f | 8<<4
	id[8] = id[8]&0x3f | 0x80
	return id
}
