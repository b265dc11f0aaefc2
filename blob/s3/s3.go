// Package s3 stores document files in a bucket of Amazon S3 or of a store with the same
// interface, one object for each blob:
//
//	PREFIX/0197.../019a...   account, ID
//
// Several processes can share a bucket, and several installations too, each with its own
// prefix. Other objects in it are left alone.
package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/encrypt"

	"github.com/landfallhq/tracking"
)

// Config says where a bucket is. ParseURL reads it from a URL.
type Config struct {
	// Bucket must exist.
	Bucket string
	// Prefix of the names of all objects, without slashes at its ends; may be empty.
	Prefix string
	// Endpoint is the address of the store, as "https://s3.example:9000". Defaults to that
	// of Amazon.
	Endpoint string
	// Region of the bucket. Empty: Amazon is asked for it, and other stores get us-east-1.
	Region string
	// Encryption is what the store is asked to encrypt objects with. Defaults to
	// BucketEncryption.
	Encryption Encryption
	// KMSKey is the ID of the key for KMSEncryption; empty for the default key of the
	// bucket.
	KMSKey string
	// DirectDownloads and DirectUploads: clients exchange the bytes of documents with the store
	// itself, by links (tracking.LinkedBlobs). It must be reachable for them at Endpoint.
	DirectDownloads, DirectUploads bool
	// Credentials default to the usual ones: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,
	// the profile AWS_PROFILE of ~/.aws/credentials, and the role of the machine or pod.
	Credentials *credentials.Credentials
	// Timeout of a request, with what is sent again after failures. Defaults to one minute.
	Timeout time.Duration
}

// Encryption of objects by the store, which decrypts them for those that may read them.
type Encryption string

// The kinds of Encryption.
const (
	// BucketEncryption is what the bucket is set to.
	BucketEncryption Encryption = ""
	// S3Encryption is SSE-S3: with keys of the store.
	S3Encryption Encryption = "s3"
	// KMSEncryption is SSE-KMS: with a key of a key management service.
	KMSEncryption Encryption = "kms"
)

const (
	defaultTimeout = time.Minute
	// attempts of a request that the store does not answer or answers with a failure of its
	// own. Documents wait for it in their jobs, and clients can send again.
	attempts = 3
	// metadataTimeout is for the service that gives a machine the credentials of its role.
	metadataTimeout = 5 * time.Second
)

// Blobs is a tracking.Blobs in a bucket.
type Blobs struct {
	core       *minio.Core
	bucket     string
	prefix     string // empty, or ends with a slash
	encryption encrypt.ServerSide
	timeout    time.Duration
	transport  *http.Transport

	directDownloads, directUploads bool
}

// Open opens a bucket. It lists, writes and deletes an object, so that a mistake in the
// configuration or in the rights is found at once.
//
// Errors: what is wrong with c; a bucket that is missing; credentials that are missing or
// refused; ErrUnavailable if the store does not answer.
func Open(ctx context.Context, c Config) (*Blobs, error) {
	b, err := newBlobs(c)
	if err != nil {
		return nil, err
	}
	if err := b.try(ctx); err != nil {
		b.transport.CloseIdleConnections()
		return nil, err
	}
	return b, nil
}

// Close ends the idle connections.
func (b *Blobs) Close() error {
	b.transport.CloseIdleConnections()
	return nil
}

func newBlobs(c Config) (*Blobs, error) {
	host, secure, err := c.endpoint()
	if err != nil {
		return nil, err
	}
	b := &Blobs{bucket: c.Bucket, prefix: c.Prefix, timeout: c.Timeout, directDownloads: c.DirectDownloads, directUploads: c.DirectUploads}
	if b.prefix != "" {
		b.prefix += "/"
	}
	if b.timeout <= 0 {
		b.timeout = defaultTimeout
	}
	if b.encryption, err = c.serverSide(); err != nil {
		return nil, err
	}
	if b.transport, err = minio.DefaultTransport(secure); err != nil {
		return nil, err
	}
	b.transport.ResponseHeaderTimeout = b.timeout // lists have no other
	if c.Region == "" && c.Endpoint != "" {
		c.Region = "us-east-1"
	}
	login, err := c.credentials()
	if err != nil {
		return nil, err
	}
	b.core, err = minio.NewCore(host, &minio.Options{Creds: login, Secure: secure, Region: c.Region, Transport: b.transport, MaxRetries: attempts})
	return b, err
}

func (c Config) serverSide() (encrypt.ServerSide, error) {
	switch c.Encryption {
	case BucketEncryption, S3Encryption:
		if c.KMSKey != "" {
			return nil, errors.New("kms_key is for sse=kms")
		}
		if c.Encryption == S3Encryption {
			return encrypt.NewSSE(), nil
		}
		return nil, nil
	case KMSEncryption:
		return encrypt.NewSSEKMS(c.KMSKey, nil)
	}
	return nil, fmt.Errorf("sse=%s is unknown: it is s3 or kms", c.Encryption)
}

// credentials returns those of the configuration, or the usual ones. Without any, the
// library would send requests that are not signed.
func (c Config) credentials() (*credentials.Credentials, error) {
	if c.Credentials != nil {
		return c.Credentials, nil
	}
	usual := credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{},
		&credentials.FileAWSCredentials{},
		&credentials.IAM{Client: &http.Client{Timeout: metadataTimeout}},
	})
	value, err := usual.GetWithContext(nil)
	if err != nil {
		return nil, fmt.Errorf("the credentials of the store of documents: %w", err)
	}
	if value.AccessKeyID == "" {
		return nil, errors.New("there are no credentials for the store of documents: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE of a file ~/.aws/credentials, or give the machine a role")
	}
	return usual, nil
}

// try does what the engine will do. It lists first, since the answer to that says what is
// wrong.
func (b *Blobs) try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	listing, end := context.WithCancel(ctx)
	defer end()
	for object := range b.core.ListObjectsIter(listing, b.bucket, minio.ListObjectsOptions{Prefix: b.prefix, MaxKeys: 1}) {
		if object.Err != nil {
			return b.explained("list", object.Err)
		}
		break
	}
	name := b.prefix + "test-" + uuid.NewString()
	if err := b.putWhole(ctx, name, []byte("landfall")); err != nil {
		return b.explained("write", err)
	}
	if err := b.core.RemoveObject(ctx, b.bucket, name, minio.RemoveObjectOptions{}); err != nil {
		return b.explained("delete", err)
	}
	return nil
}

// explained says what to do about the answer of a store to a first request.
func (b *Blobs) explained(verb string, err error) error {
	switch code := minio.ToErrorResponse(err).Code; code {
	case minio.NoSuchBucket:
		return fmt.Errorf("the store of documents has no bucket %s: create it, or name another in s3://BUCKET", b.bucket)
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken":
		return fmt.Errorf("the store of documents refuses the credentials: %w (%s)", err, code)
	case minio.AccessDenied:
		return fmt.Errorf("the credentials may not %s objects in the bucket %s: %w", verb, b.bucket, err)
	case "AuthorizationHeaderMalformed", "PermanentRedirect":
		return fmt.Errorf("the bucket %s is in another region: add region=REGION to its URL: %w", b.bucket, err)
	}
	return b.unavailable(err)
}

// Ready implements tracking.ReadyBlobs: it asks for the bucket. It writes nothing, since
// each load balancer asks every few seconds and a store may keep deleted versions.
func (b *Blobs) Ready(ctx context.Context) error {
	return b.request(ctx, func(ctx context.Context) error {
		exists, err := b.core.BucketExists(ctx, b.bucket)
		if err == nil && !exists {
			err = fmt.Errorf("there is no bucket %s", b.bucket)
		}
		return err
	})
}

// request runs one request, or one and those that depend on it.
func (b *Blobs) request(ctx context.Context, do func(context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	err := do(limited)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return fmt.Errorf("%w: blobs: no answer of the store within %s", tracking.ErrUnavailable, b.timeout)
	}
	switch minio.ToErrorResponse(err).Code {
	case minio.NoSuchKey, minio.NoSuchUpload:
		return tracking.ErrNotFound
	}
	return b.unavailable(err)
}

// unavailable marks an error as temporary: all but a missing object ends without a change
// of the program. The error is not wrapped, since it may be a time limit of ours, which is
// not that of the caller.
func (b *Blobs) unavailable(err error) error {
	return fmt.Errorf("%w: blobs: %s", tracking.ErrUnavailable, err.Error())
}

func (b *Blobs) folderOf(a tracking.AccountID) string { return b.prefix + a.String() + "/" }

func (b *Blobs) nameOf(key tracking.BlobKey) string {
	return b.folderOf(key.Account) + key.ID.String()
}

// keyOf returns the key of the blob in an object; ok is false if it is not a blob.
func (b *Blobs) keyOf(name string) (key tracking.BlobKey, ok bool) {
	rest, ok := strings.CutPrefix(name, b.prefix)
	if !ok {
		return key, false
	}
	account, err := uuid.Parse(path.Dir(rest))
	if err != nil {
		return key, false
	}
	key.Account = tracking.AccountID(account)
	key.ID, err = uuid.Parse(path.Base(rest))
	return key, err == nil && b.nameOf(key) == name
}
