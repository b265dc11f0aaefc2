package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

// request is one request to the interface.
type request struct {
	method, path string
	query        url.Values
	// body is sent as JSON. If it is nil, content is sent as it is, with header.
	body    any
	content []byte
	header  http.Header
	// key makes a POST repeatable. A POST without one gets a generated one, unless
	// notRepeatable or idempotent is set.
	key           string
	notRepeatable bool
	// idempotent: repeating the request is safe although it is no GET.
	idempotent bool
	// ifVersion becomes If-Match; 0 asks for no check.
	ifVersion int64
	// atRoot: the path is outside the prefix.
	atRoot bool
	// address replaces the URL of the server and path, if it is not empty.
	address string
	// noKey: the request is sent without the key.
	noKey bool
	// fileTransfer: the request transfers a file, which can take long.
	fileTransfer bool
}

// recordPath returns the path of a record, or of something below it.
func recordPath(path string, id tracking.ID, parts ...string) string {
	path += pathStep(id.String())
	for _, p := range parts {
		path += "/" + p
	}
	return path
}

func get(path string, id tracking.ID, include []string) request {
	return request{method: http.MethodGet, path: recordPath(path, id), query: includeValues(include)}
}

// getByName is get with another name than the ID.
func getByName(path, name string, include []string) request {
	return request{method: http.MethodGet, path: path + pathStep(name), query: includeValues(include)}
}

func post(path string, body resource, once []tracking.Once) request {
	return request{method: http.MethodPost, path: path, body: dataDocument(body), key: keyOf(once)}
}

// keyOf is the key of the last Once; empty for none.
func keyOf(once []tracking.Once) string {
	if len(once) == 0 {
		return ""
	}
	return once[len(once)-1].Key
}

func patch(path string, id tracking.ID, body resource, ifVersion int64) request {
	return request{method: http.MethodPatch, path: recordPath(path, id), body: dataDocument(body), ifVersion: ifVersion}
}

func remove(path string, id tracking.ID) request {
	return request{method: http.MethodDelete, path: recordPath(path, id)}
}

// action calls an action of a record.
func action(path string, id tracking.ID, what string) request {
	return request{method: http.MethodPatch, path: recordPath(path, id, what)}
}

// response is a successful response.
type response struct {
	body   []byte
	header http.Header
}

// maxResponseBytes is the maximum size of a response. The server limits pages to 100
// rows with 8 MiB of included resources, and by default files to 25 MiB.
const maxResponseBytes = 64 << 20

// errResponseTooLong is not retried: the next response would be as long.
var errResponseTooLong = fmt.Errorf("client: the response is longer than %d bytes", maxResponseBytes)

// do sends a request, with retries, and returns the response.
func (c *Client) do(ctx context.Context, r request) (*response, error) {
	if err := r.checkPath(); err != nil {
		return nil, err
	}
	body := r.content
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return nil, fmt.Errorf("client: the body of %s %s: %w", r.method, r.path, err)
		}
	}
	if r.method == http.MethodPost && r.key == "" && !r.notRepeatable && !r.idempotent {
		r.key = uuid.NewString()
	}
	for attempt := 0; ; attempt++ {
		answer, err := c.send(ctx, &r, body)
		if err == nil {
			return answer, nil
		}
		wait, ok := c.retryWait(ctx, &r, err, attempt)
		if !ok {
			return nil, err
		}
		if cut := sleep(ctx, wait); cut != nil {
			return nil, errors.Join(err, cut)
		}
	}
}

// send sends a request once.
func (c *Client) send(ctx context.Context, r *request, body []byte) (*response, error) {
	out, err := c.newRequest(ctx, r, body)
	if err != nil {
		return nil, err
	}
	sender := c.config.HTTP
	if r.fileTransfer {
		sender = c.fileClient
	}
	in, err := sender.Do(out)
	if err != nil {
		return nil, &connectionError{err}
	}
	defer in.Body.Close()
	text, err := io.ReadAll(io.LimitReader(in.Body, maxResponseBytes+1))
	switch {
	case in.StatusCode/100 != 2: // even if the body is incomplete: the status is known
		return nil, newError(in, text)
	case err != nil:
		return nil, &connectionError{fmt.Errorf("client: reading the response to %s %s: %w", r.method, r.path, err)}
	case len(text) > maxResponseBytes:
		return nil, errResponseTooLong
	}
	return &response{body: text, header: in.Header}, nil
}

func (c *Client) newRequest(ctx context.Context, r *request, body []byte) (*http.Request, error) {
	target := c.config.URL
	if r.atRoot {
		target = c.rootURL
	}
	target += r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	target = cmp.Or(r.address, target)
	out, err := http.NewRequestWithContext(ctx, r.method, target, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	if !r.noKey {
		out.Header.Set("Authorization", "Token "+c.config.Key)
		out.Header.Set("Accept", "application/json")
	}
	out.Header.Set("User-Agent", c.config.UserAgent)
	if r.body != nil {
		out.Header.Set("Content-Type", "application/json")
	}
	for name, values := range r.header {
		out.Header[name] = values
	}
	if r.key != "" {
		out.Header.Set("Idempotency-Key", r.key)
	}
	if r.ifVersion != 0 {
		out.Header.Set("If-Match", strconv.Quote(strconv.FormatInt(r.ifVersion, 10)))
	}
	return out, nil
}

// version returns the version in the ETag; 0 for none. A weak ETag is accepted,
// because proxies that compress responses weaken it.
func (r *response) version() int64 {
	n, err := strconv.ParseInt(strings.Trim(strings.TrimPrefix(r.header.Get("Etag"), "W/"), `"`), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// getObject sends a request whose response is no JSON:API document.
func getObject[T any](ctx context.Context, c *Client, r request) (out T, err error) {
	answer, err := c.do(ctx, r)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(answer.body, &out); err != nil {
		return out, fmt.Errorf("client: the response to %s %s: %w", r.method, r.path, err)
	}
	return out, nil
}

// pathStep returns an escaped step of a path. See checkPath for names that cannot be
// escaped.
func pathStep(name string) string { return "/" + url.PathEscape(name) }

// checkPath refuses empty and dot steps, which servers and proxies resolve to another
// path, such as that of a list.
func (r *request) checkPath() error {
	for step := range strings.SplitSeq(strings.TrimPrefix(r.path, "/"), "/") {
		if step == "" || step == "." || step == ".." {
			return fmt.Errorf("client: invalid name %q in the path %s: it must not be empty, \".\" or \"..\"", step, r.path)
		}
	}
	return nil
}

// resource is the resource of a request body.
type resource struct {
	Type          string         `json:"type"`
	ID            string         `json:"id,omitempty"`
	Attributes    attributes     `json:"attributes,omitempty"`
	Relationships map[string]any `json:"relationships,omitempty"`
}

type attributes map[string]any

// dataDocument returns a document with the resource.
func dataDocument(r resource) any { return map[string]any{"data": r} }

// setOpt adds an attribute if it is set.
func setOpt[T any](a attributes, name string, o tracking.Opt[T]) {
	if o.Set {
		a[name] = o.Value
	}
}

// setNonEmpty adds an attribute unless it is empty.
func setNonEmpty(a attributes, name, value string) {
	if value != "" {
		a[name] = value
	}
}

// setJSON adds a JSON attribute unless it is nil.
func setJSON(a attributes, name string, value json.RawMessage) {
	if len(value) > 0 {
		a[name] = value
	}
}

// setOptList is setOpt for a list. A nil list becomes an empty one.
func setOptList[T any](a attributes, name string, o tracking.Opt[[]T]) {
	if o.Set {
		a[name] = append([]T{}, o.Value...)
	}
}

// toOne returns a to-one relationship; the zero ID means null.
func toOne(name, typ string, id tracking.ID) map[string]any {
	if id == (tracking.ID{}) {
		return map[string]any{name: map[string]any{"data": nil}}
	}
	return map[string]any{name: map[string]any{"data": resourceRef{typ, id.String()}}}
}

type resourceRef struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

func customer(o tracking.Opt[tracking.ID]) map[string]any {
	if !o.Set {
		return nil
	}
	return toOne("customer", "party", o.Value)
}

// connectionError is the error of a request without a response. The server may or may
// not have processed it.
type connectionError struct{ error }

func (e *connectionError) Unwrap() error { return e.error }

// initialWait is about the first wait if there is no Retry-After.
const initialWait = time.Second

// retryWait returns the wait before the next retry, or false if there is none.
func (c *Client) retryWait(ctx context.Context, r *request, err error, attempt int) (time.Duration, bool) {
	// Check the context and not the error: a timeout of the HTTP client is also a
	// context.DeadlineExceeded, but can be retried.
	if attempt >= c.config.Retries || ctx.Err() != nil {
		return 0, false
	}
	wait, ok := c.backoff(r, err, attempt, c.config.MaxWait)
	if end, bounded := ctx.Deadline(); bounded && time.Now().Add(wait).After(end) {
		return 0, false // the error of the server says more than a deadline
	}
	return wait, ok
}

// backoff is retryWait without the limits of attempts and of the context. It returns false if the
// server asks for a wait of more than longest.
func (c *Client) backoff(r *request, err error, attempt int, longest time.Duration) (time.Duration, bool) {
	var refused *Error
	var retryAfter time.Duration
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusTooManyRequests: // the server has done nothing
		retryAfter = refused.RetryAfter
	case errors.As(err, &refused):
		if !r.repeatable() || refused.Status < http.StatusBadGateway || refused.Status > http.StatusGatewayTimeout {
			return 0, false
		}
		retryAfter = refused.RetryAfter
	case !errors.As(err, new(*connectionError)) || !r.repeatable():
		return 0, false
	}
	if retryAfter > longest {
		return 0, false
	}
	if retryAfter > 0 {
		return retryAfter + jitter(min(retryAfter/10, longest-retryAfter)), true
	}
	// Half of the wait is fixed, so that it grows. The other half is random, so that
	// clients do not retry at the same time.
	wait := min(initialWait<<min(attempt, 16), c.config.MaxWait)
	return wait/2 + jitter(wait/2), true
}

// repeatable reports whether sending the request twice is safe.
func (r *request) repeatable() bool {
	return r.method == http.MethodGet || r.key != "" || r.idempotent
}

func jitter(most time.Duration) time.Duration {
	if most <= 0 {
		return 0
	}
	return rand.N(most)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
