// Package s3test starts a server with the interface of S3 for tests, in the process and in
// memory. It knows one key and compares no signatures.
package s3test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// The names that the server knows.
const (
	Bucket    = "documents"
	AccessKey = "landfall"
	SecretKey = "secret-of-the-store"
)

// Server is a running server.
type Server struct {
	// URL of the server, as http://127.0.0.1:4711.
	URL string

	backend *s3mem.Backend

	mu        sync.Mutex
	intercept func(http.ResponseWriter, *http.Request) (answered bool)
	requests  []string
	headers   []http.Header
	uploads   bool // an upload in parts has been begun
}

// Start starts a server that has the empty Bucket, and ends it with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{backend: s3mem.New()}
	if err := s.backend.CreateBucket(Bucket); err != nil {
		t.Fatal(err)
	}
	fake := gofakes3.New(s.backend, gofakes3.WithIntegrityCheck(true), gofakes3.WithLogger(gofakes3.DiscardLog())).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.refuses(w, r) || s.corrects(w, r) {
			return
		}
		fake.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// refuses answers requests that are not signed with the key, and those that the test
// intercepts.
func (s *Server) refuses(w http.ResponseWriter, r *http.Request) bool {
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" "+r.URL.RequestURI())
	s.headers = append(s.headers, r.Header.Clone())
	intercept := s.intercept
	s.mu.Unlock()
	query := r.URL.Query()
	presigned := query.Get("X-Amz-Signature") != "" && strings.HasPrefix(query.Get("X-Amz-Credential"), AccessKey+"/")
	if !presigned && !strings.Contains(r.Header.Get("Authorization"), "Credential="+AccessKey+"/") {
		Answer(w, http.StatusForbidden, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.")
		return true
	}
	return intercept != nil && intercept(w, r)
}

// corrects answers as S3 does where gofakes3 does not: reads with If-Match of an object that
// has another ETag, and lists of uploads in a bucket that has had none.
func (s *Server) corrects(w http.ResponseWriter, r *http.Request) bool {
	bucket, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if etag := r.Header.Get("If-Match"); etag != "" && r.Method == http.MethodGet {
		if o, err := s.backend.HeadObject(bucket, name); err == nil && strings.Trim(etag, `"`) != hex.EncodeToString(o.Hash) {
			Answer(w, http.StatusPreconditionFailed, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold")
			return true
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, asked := r.URL.Query()["uploads"]; asked {
		s.uploads = s.uploads || r.Method == http.MethodPost
		if r.Method == http.MethodGet && !s.uploads {
			w.Header().Set("Content-Type", "application/xml")
			_, _ = io.WriteString(w, "<ListMultipartUploadsResult></ListMultipartUploadsResult>")
			return true
		}
	}
	return false
}

// Answer writes an error as S3 does.
func Answer(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>%s</Message></Error>", code, message)
}

// Intercept has f answer the requests for which it returns true, until the next call. nil
// ends it.
func (s *Server) Intercept(f func(http.ResponseWriter, *http.Request) (answered bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.intercept = f
}

// Requests returns the requests since the last call, each as its method and URI, and their
// headers.
func (s *Server) Requests() (requests []string, headers []http.Header) {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests, headers, s.requests, s.headers = s.requests, s.headers, nil, nil
	return requests, headers
}

// BlobsURL returns the setting of blob/s3 for the Bucket with a prefix.
func (s *Server) BlobsURL(prefix string) string {
	return "s3://" + Bucket + "/" + prefix + "?endpoint=" + url.QueryEscape(s.URL)
}

// Environ returns the variables with the key.
func Environ() []string {
	return []string{"AWS_ACCESS_KEY_ID=" + AccessKey, "AWS_SECRET_ACCESS_KEY=" + SecretKey}
}

// Setenv sets the variables with the key for a test, and hides the credentials of the
// machine.
func Setenv(t *testing.T) {
	t.Helper()
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", t.TempDir()+"/none")
	for _, v := range Environ() {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
}

// Names returns the names of the objects.
func (s *Server) Names() (names []string, err error) {
	list, err := s.backend.ListBucket(Bucket, nil, gofakes3.ListBucketPage{})
	if err != nil {
		return nil, err
	}
	for _, o := range list.Contents {
		names = append(names, o.Key)
	}
	return names, nil
}

// Put puts an object that is none of Landfall's.
func (s *Server) Put(ctx context.Context, name, content string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, s.URL+"/"+Bucket+"/"+name, strings.NewReader(content))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Credential="+AccessKey+"/")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", answer.Status, text)
	}
	return errors.Join(err, answer.Body.Close())
}
