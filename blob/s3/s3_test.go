package s3_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/blobtest"
	"github.com/landfallhq/tracking/blob/s3"
	"github.com/landfallhq/tracking/internal/s3test"
)

func open(t *testing.T, c s3.Config) *s3.Blobs {
	t.Helper()
	b, err := s3.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func config(t *testing.T, text string) s3.Config {
	t.Helper()
	c, err := s3.ParseURL(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// started returns an empty server, the Blobs in it, and their configuration.
func started(t *testing.T) (*s3test.Server, *s3.Blobs, s3.Config) {
	t.Helper()
	s3test.Setenv(t)
	s := s3test.Start(t)
	c := config(t, s.BlobsURL("port/of/call"))
	return s, open(t, c), c
}

func TestContract(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) tracking.Blobs {
		_, b, _ := started(t)
		return b
	})
}

// patterned returns bytes that are different at each place.
func patterned(size int) []byte {
	content := make([]byte, 0, size+8)
	for i := 0; len(content) < size; i++ {
		content = fmt.Appendf(content, "%08x", i)
	}
	return content[:size]
}

const part = 5 << 20

// Large files are sent in parts and read in chunks, at any place.
func TestLargeFiles(t *testing.T) {
	s, b, _ := started(t)
	for _, size := range []int{part - 1, part, part + 1, 2*part + 4711} {
		key, content := blobtest.Key(), patterned(size)
		s.Requests()
		if err := b.Put(t.Context(), key, iotest.HalfReader(bytes.NewReader(content))); err != nil {
			t.Fatal(err)
		}
		requests, _ := s.Requests()
		want := 1
		if size >= part { // the upload is begun, sent in parts, completed
			want = 2 + (size+part-1)/part
		}
		if len(requests) != want {
			t.Errorf("%d bytes: %d requests, want %d: %q", size, len(requests), want, requests)
		}
		if got := blobtest.Read(t, b, key); !bytes.Equal(got, content) {
			t.Errorf("%d bytes come back as %d", size, len(got))
		}
		blob, err := b.Open(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{0, 1<<20 - 3, size / 2, size - 5, 17, size, size + 1} {
			got := make([]byte, 2<<20)
			n, err := blob.ReadAt(got, int64(at))
			want := content[min(at, size):min(at+len(got), size)]
			if !bytes.Equal(got[:n], want) || (err == nil) != (n == len(got)) || err != nil && !errors.Is(err, io.EOF) {
				t.Errorf("%d bytes from %d: %d, %v", size, at, n, err)
			}
		}
		if _, err := blob.ReadAt(make([]byte, 1), -1); err == nil {
			t.Error("a negative offset was read")
		}
		if err := blob.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A small document is read by one request.
func TestRequestsOfSmallFiles(t *testing.T) {
	s, b, _ := started(t)
	key := blobtest.Key()
	if err := b.Put(t.Context(), key, strings.NewReader("%PDF-1.7")); err != nil {
		t.Fatal(err)
	}
	s.Requests()
	if got := blobtest.Read(t, b, key); string(got) != "%PDF-1.7" {
		t.Errorf("%q", got)
	}
	if requests, _ := s.Requests(); len(requests) != 1 {
		t.Errorf("%q", requests)
	}
}

// A sender that breaks off after some parts leaves neither an object nor an upload, and
// neither does a store that does.
func TestCutPut(t *testing.T) {
	s, b, _ := started(t)
	cut := errors.New("the sender is gone")
	err := b.Put(t.Context(), blobtest.Key(), io.MultiReader(bytes.NewReader(make([]byte, 2*part)), iotest.ErrReader(cut)))
	if err != cut {
		t.Errorf("a sender that is gone: %v", err)
	}
	s.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("partNumber") != "2" {
			return false
		}
		s3test.Answer(w, http.StatusInsufficientStorage, "XMinioStorageFull", "the disk is full")
		return true
	})
	if err := b.Put(t.Context(), blobtest.Key(), bytes.NewReader(make([]byte, 2*part))); !errors.Is(err, tracking.ErrUnavailable) || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("a store that is full: %v", err)
	}
	s.Intercept(nil)
	if names, err := s.Names(); err != nil || len(names) > 0 {
		t.Errorf("%q is left, %v", names, err)
	}
	if n, err := b.Sweep(t.Context(), time.Now().Add(time.Hour), keepAll); n != 0 || err != nil {
		t.Errorf("%d uploads were left, %v", n, err)
	}
}

func keepAll(tracking.BlobKey) (bool, error) { return true, nil }

// An upload that nobody could end is swept when it is old enough, and foreign objects stay.
func TestSweepUploads(t *testing.T) {
	s, b, c := started(t)
	s.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodDelete || r.URL.Query().Get("partNumber") == "2" {
			s3test.Answer(w, http.StatusForbidden, "AccessDenied", "no")
			return true
		}
		return false
	})
	if err := b.Put(t.Context(), blobtest.Key(), bytes.NewReader(make([]byte, 2*part))); err == nil {
		t.Fatal("the put was not interrupted")
	}
	s.Intercept(nil)
	foreign := []string{"invoices/1.pdf", c.Prefix + "/notes.txt", c.Prefix + "/" + uuid.NewString() + "/notes.txt", uuid.NewString() + "/" + uuid.NewString()}
	for _, name := range foreign {
		if err := s.Put(t.Context(), name, "x"); err != nil {
			t.Fatal(err)
		}
	}
	none := func(key tracking.BlobKey) (bool, error) {
		t.Errorf("asked about %v", key)
		return false, nil
	}
	for _, test := range []struct {
		before time.Time
		want   int
	}{{time.Now().Add(-time.Hour), 0}, {time.Now().Add(time.Hour), 1}, {time.Now().Add(time.Hour), 0}} {
		if n, err := b.Sweep(t.Context(), test.before, none); n != test.want || err != nil {
			t.Errorf("before %s: %d removed, %v; want %d", test.before, n, err, test.want)
		}
	}
	names, err := s.Names()
	slices.Sort(foreign)
	if err != nil || !slices.Equal(names, foreign) {
		t.Errorf("%q remain, %v; want %q", names, err, foreign)
	}
}

func TestDeleteAccount(t *testing.T) {
	s, b, _ := started(t)
	mine, theirs := blobtest.Key(), blobtest.Key()
	second := tracking.BlobKey{Account: mine.Account, ID: uuid.New()}
	for _, key := range []tracking.BlobKey{mine, second, theirs} {
		if err := b.Put(t.Context(), key, strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.DeleteAccount(t.Context(), mine.Account); err != nil {
		t.Fatal(err)
	}
	if names, err := s.Names(); err != nil || len(names) != 1 || blobtest.Read(t, b, theirs) == nil {
		t.Errorf("%q remain, %v", names, err)
	}
}

// Bytes of two objects are never mixed.
func TestReplacedWhileRead(t *testing.T) {
	_, b, _ := started(t)
	key := blobtest.Key()
	put := func(fill byte) {
		if err := b.Put(t.Context(), key, bytes.NewReader(bytes.Repeat([]byte{fill}, 3<<20))); err != nil {
			t.Fatal(err)
		}
	}
	put(1)
	blob, err := b.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	put(2)
	read, err := io.ReadAll(io.NewSectionReader(blob, 0, blob.Size()))
	if !errors.Is(err, tracking.ErrUnavailable) || !strings.Contains(err.Error(), "was replaced") || bytes.Contains(read, []byte{2}) {
		t.Errorf("%d bytes, %v", len(read), err)
	}
}

// A store that does not answer is unavailable after the time limit.
func TestTimeout(t *testing.T) {
	s, before, c := started(t)
	key := blobtest.Key()
	if err := before.Put(t.Context(), key, bytes.NewReader(patterned(3<<20))); err != nil {
		t.Fatal(err)
	}
	held, err := before.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	b := open(t, c)
	s3.SetTimeout(b, 50*time.Millisecond)
	c.Timeout = 50 * time.Millisecond
	s.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the end of the connection is not seen
		<-r.Context().Done()
		return true
	})
	for name, err := range map[string]error{
		"put":   b.Put(t.Context(), key, strings.NewReader("x")),
		"parts": b.Put(t.Context(), key, bytes.NewReader(make([]byte, part+1))),
		"open":  second(b.Open(t.Context(), key)),
		"ready": b.Ready(t.Context()), "delete": b.Delete(t.Context(), key), "deleting an account": b.DeleteAccount(t.Context(), key.Account),
		"sweep": second(b.Sweep(t.Context(), time.Now(), keepAll)),
		"start": second(s3.Open(t.Context(), c)),
	} {
		if !errors.Is(err, tracking.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := before.Put(ctx, key, strings.NewReader("x")); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, tracking.ErrUnavailable) {
		t.Errorf("the time limit of the caller: %v", err)
	}
	s.Intercept(nil)
	if got := blobtest.Read(t, b, key); !bytes.Equal(got, patterned(3<<20)) {
		t.Errorf("%d bytes afterwards", len(got))
	}
	if got, err := io.ReadAll(io.NewSectionReader(held, 0, held.Size())); err != nil || len(got) != 3<<20 {
		t.Errorf("the open object: %d bytes, %v", len(got), err)
	}
}

func second[T any](_ T, err error) error { return err }

// A failure of the store that passes is not seen.
func TestRetries(t *testing.T) {
	s, b, _ := started(t)
	failed := false
	s.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if failed {
			return false
		}
		failed = true
		_, _ = io.Copy(io.Discard, r.Body)
		s3test.Answer(w, http.StatusServiceUnavailable, "SlowDown", "later")
		return true
	})
	key := blobtest.Key()
	if err := b.Put(t.Context(), key, strings.NewReader("x")); err != nil || !failed || string(blobtest.Read(t, b, key)) != "x" {
		t.Errorf("%v", err)
	}
}

func TestReady(t *testing.T) {
	s, b, _ := started(t)
	if err := b.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	s.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		s3test.Answer(w, http.StatusForbidden, "AccessDenied", "no")
		return true
	})
	if err := b.Ready(t.Context()); !errors.Is(err, tracking.ErrUnavailable) {
		t.Error(err)
	}
}

// A link needs no credentials, and has the headers of the answer.
func TestDownloadLink(t *testing.T) {
	s3test.Setenv(t)
	s := s3test.Start(t)
	key, headers := blobtest.Key(), tracking.BlobHeaders{ContentType: "application/pdf", ContentDisposition: `attachment; filename="B/L & Co.pdf"`}
	b := open(t, config(t, s.BlobsURL("port/of/call")+"&downloads=direct"))
	if err := b.Put(t.Context(), key, strings.NewReader("bill of lading")); err != nil {
		t.Fatal(err)
	}
	link, err := b.DownloadLink(t.Context(), key, headers, time.Minute)
	if err != nil || !strings.Contains(link.URL, "X-Amz-Expires=60&") {
		t.Fatal(link, err)
	}
	answer, body := exchange(t, http.MethodGet, link, "")
	got := tracking.BlobHeaders{ContentType: answer.Header.Get("Content-Type"), ContentDisposition: answer.Header.Get("Content-Disposition")}
	if body != "bill of lading" || got != headers {
		t.Errorf("%d %s %+v", answer.StatusCode, body, got)
	}
	if err := b.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if answer, body := exchange(t, http.MethodGet, link, ""); answer.StatusCode != http.StatusNotFound {
		t.Errorf("of a deleted object: %d %s", answer.StatusCode, body)
	}
	if link, err := open(t, config(t, s.BlobsURL("")+"&uploads=direct")).DownloadLink(t.Context(), key, headers, time.Minute); link.URL != "" || err != nil {
		t.Errorf("without downloads=direct: %s, %v", link.URL, err)
	}
}

// A link for an upload takes bytes with the MD5, and signs the headers and the size.
func TestUploadLink(t *testing.T) {
	s3test.Setenv(t)
	s := s3test.Start(t)
	key, content := blobtest.Key(), "bill of lading"
	sum := md5.Sum([]byte(content))
	u := &tracking.Upload{ContentType: "text/plain", ByteSize: int64(len(content)), Checksum: base64.StdEncoding.EncodeToString(sum[:])}
	b := open(t, config(t, s.BlobsURL("port/of/call")+"&uploads=direct&sse=s3"))
	link, err := b.UploadLink(t.Context(), key, u, time.Hour)
	want := map[string]string{"Content-Type": "text/plain", "Content-Md5": u.Checksum, "X-Amz-Server-Side-Encryption": "AES256"}
	if err != nil || !maps.Equal(link.Headers, want) {
		t.Fatal(link, err)
	}
	address, err := url.Parse(link.URL)
	if err != nil {
		t.Fatal(err)
	}
	if got := address.Query(); got.Get("X-Amz-Expires") != "3600" || got.Get("X-Amz-SignedHeaders") != "content-length;content-md5;content-type;host;x-amz-server-side-encryption" {
		t.Errorf("%q", got)
	}
	if answer, body := exchange(t, http.MethodPut, link, "bill of landing"); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("other bytes: %d %s", answer.StatusCode, body)
	}
	if answer, body := exchange(t, http.MethodPut, link, content); answer.StatusCode != http.StatusOK {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
	blob, err := b.Open(t.Context(), key)
	if err != nil || blob.Size() != u.ByteSize {
		t.Fatal(blob, err)
	}
	if link, err := open(t, config(t, s.BlobsURL("")+"&downloads=direct")).UploadLink(t.Context(), key, u, time.Hour); link.URL != "" || err != nil {
		t.Errorf("without uploads=direct: %s, %v", link.URL, err)
	}
}

// exchange sends a request to a link, with its headers.
func exchange(t *testing.T, method string, link tracking.BlobLink, content string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, link.URL, strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range link.Headers {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

// The store is asked to encrypt whole objects and uploads in parts.
func TestEncryption(t *testing.T) {
	s3test.Setenv(t)
	s := s3test.Start(t)
	const header, keyHeader = "X-Amz-Server-Side-Encryption", "X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id"
	for parameters, want := range map[string][2]string{"": {}, "&sse=s3": {"AES256", ""}, "&sse=kms": {"aws:kms", ""}, "&sse=kms&kms_key=alias/landfall": {"aws:kms", "alias/landfall"}} {
		b := open(t, config(t, s.BlobsURL("")+parameters))
		s.Requests()
		for _, size := range []int{1, part + 1} {
			if err := b.Put(t.Context(), blobtest.Key(), bytes.NewReader(make([]byte, size))); err != nil {
				t.Fatal(err)
			}
		}
		requests, headers := s.Requests()
		asked := 0
		for i, h := range headers {
			if strings.Contains(requests[i], "uploadId=") { // parts and the completion take no header
				continue
			}
			asked++
			if got := [2]string{h.Get(header), h.Get(keyHeader)}; got != want {
				t.Errorf("%q: %s has %q, want %q", parameters, requests[i], got, want)
			}
		}
		if asked != 2 {
			t.Errorf("%q: %q", parameters, requests)
		}
	}
}

// Mistakes that only the store can find are errors when it is opened, and say what to do.
func TestMistakesAtStart(t *testing.T) {
	s3test.Setenv(t)
	s := s3test.Start(t)
	url := s.BlobsURL("x")
	denied := func(method string) func(*testing.T) string {
		return func(*testing.T) string {
			s.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method != method {
					return false
				}
				s3test.Answer(w, http.StatusForbidden, "AccessDenied", "Access Denied.")
				return true
			})
			return url
		}
	}
	for name, test := range map[string]struct {
		prepare func(*testing.T) (url string)
		want    string
	}{
		"no bucket": {func(*testing.T) string { return strings.Replace(url, s3test.Bucket, "another", 1) }, "has no bucket another: create it"},
		"no credentials": {func(t *testing.T) string {
			t.Setenv("AWS_ACCESS_KEY_ID", "")
			t.Setenv("AWS_SECRET_ACCESS_KEY", "")
			t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1:1/") // no role of this machine
			return url
		}, "there are no credentials"},
		"wrong key":      {func(t *testing.T) string { t.Setenv("AWS_ACCESS_KEY_ID", "other"); return url }, "refuses the credentials"},
		"may not see":    {denied(http.MethodGet), "may not list objects in the bucket documents"},
		"may not put":    {denied(http.MethodPut), "may not write objects"},
		"may not remove": {denied(http.MethodDelete), "may not delete objects"},
		"another region": {func(*testing.T) string {
			s.Intercept(func(w http.ResponseWriter, _ *http.Request) bool {
				s3test.Answer(w, http.StatusBadRequest, "AuthorizationHeaderMalformed", "the region is wrong")
				return true
			})
			return url
		}, "add region=REGION"},
		"nobody there": {func(*testing.T) string { return "s3://documents?endpoint=http://127.0.0.1:1" }, "connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			defer s.Intercept(nil)
			_, err := s3.Open(t.Context(), config(t, test.prepare(t)))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v; want %q", err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), s3test.SecretKey) {
				t.Errorf("the error has the secret: %v", err)
			}
		})
	}
}

func TestParseURL(t *testing.T) {
	for text, want := range map[string]s3.Config{
		"s3://documents":                          {Bucket: "documents"},
		"s3://documents/":                         {Bucket: "documents"},
		"s3://documents/a/b/?region=eu-central-1": {Bucket: "documents", Prefix: "a/b", Region: "eu-central-1"},
		"s3://documents?endpoint=https://s3.example:9000&sse=s3":            {Bucket: "documents", Endpoint: "https://s3.example:9000", Encryption: s3.S3Encryption},
		"s3://documents?endpoint=http://10.0.0.7&sse=kms&kms_key=alias%2Fx": {Bucket: "documents", Endpoint: "http://10.0.0.7", Encryption: s3.KMSEncryption, KMSKey: "alias/x"},
		"s3://documents?downloads=direct":                                   {Bucket: "documents", DirectDownloads: true},
		"s3://documents?downloads=server":                                   {Bucket: "documents"},
	} {
		if got, err := s3.ParseURL(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"documents":                                "must be s3://BUCKET/PREFIX",
		"s3://":                                    `bucket ""`,
		"s3://Documents":                           `bucket "Documents"`,
		"s3://x":                                   `bucket "x"`,
		"s3://documents:9000":                      "bucket",
		"s3://key:geheim@documents":                "no credentials",
		"s3://documents#x":                         "#",
		"s3://documents?secret=geheim":             `no parameter "secret": there are endpoint, region, sse, kms_key, downloads, uploads`,
		"s3://documents?region=a&region=b":         "region more than once",
		"s3://documents?region=%zz":                "cannot be read",
		"s3://documents?endpoint=s3.example":       "endpoint must be https://",
		"s3://documents?endpoint=ftp://s3.example": "endpoint must be https://",
		"s3://documents?endpoint=https://a:geheim@s3.example": "endpoint must be https://",
		"s3://documents?endpoint=https://s3.example/x":        "endpoint must be https://",
		"s3://documents?sse=aes":                              "sse=aes is unknown: it is s3 or kms",
		"s3://documents?sse=s3&kms_key=x":                     "kms_key is for sse=kms",
		"s3://documents?kms_key=x":                            "kms_key is for sse=kms",
		"s3://documents?downloads=x":                          "downloads=x is unknown: it is server or direct",
		"s3://documents?uploads=none":                         "uploads=none is unknown: it is server or direct",
		"s3://documents/a//b":                                 "",
	} {
		_, err := s3.ParseURL(text)
		if err == nil && want != "" || err != nil && !strings.Contains(err.Error(), want) || err != nil && strings.Contains(err.Error(), "geheim") {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}

func ExampleParseURL() {
	c, err := s3.ParseURL("s3://documents/landfall?endpoint=https://s3.example:9000&sse=s3")
	fmt.Println(c.Bucket, c.Prefix, c.Endpoint, c.Encryption, err)
	_, err = s3.ParseURL("s3://documents?secret=x")
	fmt.Println(err)
	// Output:
	// documents landfall https://s3.example:9000 s3 <nil>
	// the URL of a bucket has no parameter "secret": there are endpoint, region, sse, kms_key, downloads, uploads
}
