package s3

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/landfallhq/tracking"
)

// DownloadLink implements tracking.LinkedBlobs: it presigns a GET of the object.
func (b *Blobs) DownloadLink(ctx context.Context, key tracking.BlobKey, h tracking.BlobHeaders, life time.Duration) (tracking.BlobLink, error) {
	if !b.directDownloads {
		return tracking.BlobLink{}, nil
	}
	return b.presign(ctx, http.MethodGet, key, life, url.Values{
		"response-content-type": {h.ContentType}, "response-content-disposition": {h.ContentDisposition}, "response-cache-control": {"private, no-store"},
	}, nil)
}

// UploadLink implements tracking.LinkedBlobs: it presigns a PUT of the object, with the number of
// the bytes and their MD5, which the store compares.
func (b *Blobs) UploadLink(ctx context.Context, key tracking.BlobKey, u *tracking.Upload, life time.Duration) (tracking.BlobLink, error) {
	if !b.directUploads {
		return tracking.BlobLink{}, nil
	}
	signed := http.Header{}
	signed.Set("Content-Type", u.ContentType)
	signed.Set("Content-MD5", u.Checksum)
	if b.encryption != nil {
		b.encryption.Marshal(signed)
	}
	headers := map[string]string{}
	for name := range signed {
		headers[name] = signed.Get(name)
	}
	signed.Set("Content-Length", strconv.FormatInt(u.ByteSize, 10)) // clients send it by themselves
	link, err := b.presign(ctx, http.MethodPut, key, life, nil, signed)
	link.Headers = headers
	return link, err
}

func (b *Blobs) presign(ctx context.Context, method string, key tracking.BlobKey, life time.Duration, query url.Values, signed http.Header) (link tracking.BlobLink, err error) {
	err = b.request(ctx, func(ctx context.Context) error { // it may ask for the region of the bucket
		u, err := b.core.PresignHeader(ctx, method, b.bucket, b.nameOf(key), life, query, signed)
		if err == nil {
			link.URL = u.String()
		}
		return err
	})
	return link, err
}
