package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/minio/minio-go/v7"

	"github.com/landfallhq/tracking"
)

// chunkSize is how much one request reads, and an open object keeps in memory. Most
// documents are smaller, and are read by one request.
const chunkSize = 1 << 20

// object is an open object. Programs that read documents read small ranges in any order,
// so it keeps the last chunk.
type object struct {
	blobs  *Blobs
	name   string
	etag   string
	size   int64
	ctx    context.Context // of requests for further chunks; ends with Close
	cancel context.CancelFunc

	mu    sync.Mutex
	chunk []byte
	start int64 // of the chunk
}

// Open implements tracking.Blobs. It reads the first MiB. A later read of an object that
// was put again meanwhile is an error, and never bytes of both.
func (b *Blobs) Open(ctx context.Context, key tracking.BlobKey) (tracking.Blob, error) {
	o := &object{blobs: b, name: b.nameOf(key)}
	if err := b.request(ctx, func(ctx context.Context) error { return o.fetch(ctx, 0) }); err != nil {
		return nil, err
	}
	o.ctx, o.cancel = context.WithCancel(context.WithoutCancel(ctx)) // an open file outlives the request too
	return o, nil
}

func (o *object) Size() int64 { return o.size }

// Close ends reads that are under way.
func (o *object) Close() error {
	o.cancel()
	return nil
}

// ReadAt implements io.ReaderAt.
func (o *object) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errors.New("blobs: a negative offset")
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for n < len(p) {
		at := off + int64(n)
		if at >= o.size {
			return n, io.EOF
		}
		if at < o.start || at >= o.start+int64(len(o.chunk)) {
			if err := o.blobs.request(o.ctx, func(ctx context.Context) error { return o.fetch(ctx, at) }); err != nil {
				return n, err
			}
		}
		n += copy(p[n:], o.chunk[at-o.start:])
	}
	return n, nil
}

// fetch reads the chunk that begins at an offset.
func (o *object) fetch(ctx context.Context, start int64) error {
	var options minio.GetObjectOptions
	if err := options.SetRange(start, start+chunkSize-1); err != nil {
		return err
	}
	if o.etag != "" {
		if err := options.SetMatchETag(o.etag); err != nil {
			return err
		}
	}
	body, info, header, err := o.blobs.core.GetObject(ctx, o.blobs.bucket, o.name, options)
	switch answer := minio.ToErrorResponse(err); {
	case err == nil:
	case answer.Code == minio.InvalidRange && o.etag == "": // an empty object has no range
		return nil
	case answer.StatusCode == http.StatusPreconditionFailed, answer.Code == minio.NoSuchKey && o.etag != "":
		return fmt.Errorf("%s was replaced or deleted while it was read", o.name)
	default:
		return err
	}
	defer body.Close()
	total, err := totalSize(header, info.Size)
	if err != nil {
		return err
	}
	chunk := make([]byte, max(0, min(chunkSize, total-start)))
	if _, err := io.ReadFull(body, chunk); err != nil {
		return err
	}
	o.chunk, o.start, o.size, o.etag = chunk, start, total, info.ETag
	return nil
}

// totalSize is the size of the object of which an answer has a part, as in "bytes
// 0-1048575/26214400".
func totalSize(header http.Header, length int64) (int64, error) {
	of := header.Get("Content-Range")
	if of == "" {
		return length, nil // all of it
	}
	_, total, _ := strings.Cut(of, "/")
	size, err := strconv.ParseInt(total, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the store answers with the range %q", of)
	}
	return size, nil
}
