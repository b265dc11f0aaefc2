package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

// request is one call of the interface.
type request struct {
	method, path string
	query        url.Values
	// body is sent as JSON; content, where there is no body, as it is. header says
	// what the content is.
	body    any
	content []byte
	header  http.Header
	// once makes a POST one that can be repeated. A POST without a key of its own
	// gets one, unless again says that each sending is to count.
	once          tracking.Once
	notRepeatable bool
	// idempotent: sent twice it does what it does sent once, though it is no GET.
	idempotent bool
	// ifVersion becomes If-Match; 0 asks for no check.
	ifVersion int64
	// atRoot: the path is outside the prefix.
	atRoot bool
	// noKey: anyone may, or the path says who; the key stays here.
	noKey bool
	// fileTransfer: it is about the bytes of a file, which take their time.
	fileTransfer bool
}

// recordPath is the path of a record, or of something that belongs to it.
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

// getByName is get by another name than the ID.
func getByName(path, name string, include []string) request {
	return request{method: http.MethodGet, path: path + pathStep(name), query: includeValues(include)}
}

func post(path string, body resource, once tracking.Once) request {
	return request{method: http.MethodPost, path: path, body: dataDocument(body), once: once}
}

func patch(path string, id tracking.ID, body resource, ifVersion int64) request {
	return request{method: http.MethodPatch, path: recordPath(path, id), body: dataDocument(body), ifVersion: ifVersion}
}

func remove(path string, id tracking.ID) request {
	return request{method: http.MethodDelete, path: recordPath(path, id)}
}

// action has something done with a record.
func action(path string, id tracking.ID, what string) request {
	return request{method: http.MethodPatch, path: recordPath(path, id, what)}
}

// response is an answer of success.
type response struct {
	body   []byte
	header http.Header
}

// maxResponseBytes bounds what is read of an answer: the server itself bounds lists at 100
// rows with 8 MiB of included resources, and files at 25 MiB unless it is told
// otherwise.
const maxResponseBytes = 64 << 20

// errResponseTooLong is an answer that was not read to its end; asked again it would be no
// shorter.
var errResponseTooLong = fmt.Errorf("client: the answer is longer than %d bytes", maxResponseBytes)

// do sends a request, again where that does no harm, and returns the answer.
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
	if r.method == http.MethodPost && r.once.Key == "" && !r.notRepeatable && !r.idempotent {
		r.once.Key = uuid.NewString()
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
	case in.StatusCode/100 != 2: // even where the text breaks off: the status was said
		return nil, newError(in, text)
	case err != nil:
		return nil, &connectionError{fmt.Errorf("client: reading the answer to %s %s: %w", r.method, r.path, err)}
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
	if r.once.Key != "" {
		out.Header.Set("Idempotency-Key", r.once.Key)
	}
	if r.ifVersion != 0 {
		out.Header.Set("If-Match", strconv.Quote(strconv.FormatInt(r.ifVersion, 10)))
	}
	return out, nil
}

// version reads the ETag; 0 for none. A proxy that compresses the answer makes it a
// weak one, of the same record all the same.
func (r *response) version() int64 {
	n, err := strconv.ParseInt(strings.Trim(strings.TrimPrefix(r.header.Get("Etag"), "W/"), `"`), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// getObject reads a body that is no document.
func getObject[T any](ctx context.Context, c *Client, r request) (out T, err error) {
	answer, err := c.do(ctx, r)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(answer.body, &out); err != nil {
		return out, fmt.Errorf("client: the answer to %s %s: %w", r.method, r.path, err)
	}
	return out, nil
}

// pathStep is one step of a path, whatever it holds; but see checkPath.
func pathStep(name string) string { return "/" + url.PathEscape(name) }

// checkPath refuses the names that cannot be a step of a path: on the way they would
// make another path of it, such as that of a list.
func (r *request) checkPath() error {
	for step := range strings.SplitSeq(strings.TrimPrefix(r.path, "/"), "/") {
		if step == "" || step == "." || step == ".." {
			return fmt.Errorf("client: %q in the path %s is no name: it must be neither empty nor \".\" or \"..\"", step, r.path)
		}
	}
	return nil
}
