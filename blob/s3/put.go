package s3

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"

	"github.com/minio/minio-go/v7"

	"github.com/landfallhq/tracking"
)

// partSize is the least that S3 takes as a part of an upload. A Put keeps one part in
// memory.
const partSize = 5 << 20

// Put implements tracking.Blobs. Of a file of up to 5 MiB nothing is sent before its end
// was read; larger ones are sent in parts, and become an object after the last.
//
// It does not ask the store to refuse an existing object: Put replaces, and a request that
// is sent again because its answer was lost would be refused.
func (b *Blobs) Put(ctx context.Context, key tracking.BlobKey, r io.Reader) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var part bytes.Buffer
	last, err := readPart(r, &part)
	if err != nil {
		return err
	}
	if !last {
		return b.putParts(ctx, b.nameOf(key), &part, r)
	}
	return b.request(ctx, func(ctx context.Context) error { return b.putWhole(ctx, b.nameOf(key), part.Bytes()) })
}

// readPart reads the next part; last is whether r has ended.
func readPart(r io.Reader, part *bytes.Buffer) (last bool, err error) {
	part.Reset()
	_, err = io.CopyN(part, r, partSize)
	if errors.Is(err, io.EOF) {
		return true, nil
	}
	return false, err
}

// putWhole puts an object by one request.
func (b *Blobs) putWhole(ctx context.Context, name string, content []byte) error {
	md5, sha256 := sums(content)
	_, err := b.core.PutObject(ctx, b.bucket, name, bytes.NewReader(content), int64(len(content)), md5, sha256, b.options())
	return err
}

// sums are what the store compares: the MD5 in base64, and the SHA-256 in hex, which is
// signed.
func sums(content []byte) (md5Base64, sha256Hex string) {
	m, s := md5.Sum(content), sha256.Sum256(content)
	return base64.StdEncoding.EncodeToString(m[:]), hex.EncodeToString(s[:])
}

// options of a put. DisableContentSha256 means that the SHA-256 is given as one, and not
// computed while the bytes are sent.
func (b *Blobs) options() minio.PutObjectOptions {
	return minio.PutObjectOptions{ContentType: "application/octet-stream", ServerSideEncryption: b.encryption, DisableContentSha256: true}
}

// putParts puts an object whose first part is in the buffer. What a crash leaves is
// removed by Sweep.
func (b *Blobs) putParts(ctx context.Context, name string, part *bytes.Buffer, r io.Reader) error {
	var upload string
	err := b.request(ctx, func(ctx context.Context) (err error) {
		upload, err = b.core.NewMultipartUpload(ctx, b.bucket, name, b.options())
		return err
	})
	if err != nil {
		return err
	}
	err = b.sendParts(ctx, name, upload, part, r)
	if err != nil {
		_ = b.abort(context.WithoutCancel(ctx), name, upload) // Sweep does it otherwise
	}
	return err
}

func (b *Blobs) abort(ctx context.Context, name, upload string) error {
	return b.request(ctx, func(ctx context.Context) error {
		return b.core.AbortMultipartUpload(ctx, b.bucket, name, upload)
	})
}

func (b *Blobs) sendParts(ctx context.Context, name, upload string, part *bytes.Buffer, r io.Reader) error {
	var sent []minio.CompletePart
	for last := false; part.Len() > 0; {
		number := len(sent) + 1
		err := b.request(ctx, func(ctx context.Context) error {
			md5, sha256 := sums(part.Bytes())
			p, err := b.core.PutObjectPart(ctx, b.bucket, name, upload, number, bytes.NewReader(part.Bytes()), int64(part.Len()),
				minio.PutObjectPartOptions{Md5Base64: md5, Sha256Hex: sha256, DisableContentSha256: true})
			sent = append(sent, minio.CompletePart{PartNumber: number, ETag: p.ETag})
			return err
		})
		if err != nil {
			return err
		}
		if last {
			break
		}
		if last, err = readPart(r, part); err != nil {
			return err
		}
	}
	return b.request(ctx, func(ctx context.Context) error {
		_, err := b.core.CompleteMultipartUpload(ctx, b.bucket, name, upload, sent, minio.PutObjectOptions{})
		return err
	})
}
