package httpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/ratelimit"
	"github.com/landfallhq/tracking/jsonapi"
)

var bulkRequestBody = jsonapi.Limits{Bytes: 4 << 20, Depth: 32, Elements: 1_000}

// bulkRequest is one tracking request of several.
type bulkRequest struct {
	request tracking.NewTrackingRequest
	sent    map[string]string // see call.sent
	err     error
}

// createRequests makes up to 100 tracking requests. Each of them counts in the limit,
// for which there must be room for all; then each succeeds or fails by itself.
func createRequests(req *request) error {
	data, err := req.readBody()
	if err != nil {
		return err
	}
	in, err := req.readHeaders(data)
	if err != nil {
		return err
	}
	if in.ifVersion != 0 {
		return errUnversioned
	}
	items, err := req.readBulkRequests(data)
	if err != nil {
		return err
	}
	if err := req.limiter.chargeExtra(req.actor, inCreate, len(items)-1); err != nil {
		return err
	}
	results, err := req.createValid(items, in.once)
	if err != nil {
		return err
	}
	return req.respondBulkRequests(items, results)
}

// readBulkRequests reads the members of data, each like the body of a single request.
func (req *request) readBulkRequests(data []byte) ([]bulkRequest, error) {
	members, err := jsonapi.ParseObject(data, bulkRequestBody)
	if err != nil {
		return nil, err
	}
	var list []json.RawMessage
	if text := bytes.TrimSpace(members["data"]); len(text) == 0 || text[0] != '[' || json.Unmarshal(text, &list) != nil {
		return nil, jsonapi.FieldErrors{{Pointer: "/data", Code: jsonapi.CodeBlank, Detail: "data must be an array of tracking requests."}}
	}
	if len(list) == 0 || len(list) > tracking.MaxBulkRequests {
		return nil, jsonapi.FieldErrors{{Pointer: "/data", Code: "too_long", Detail: fmt.Sprintf("data must hold 1 to %d tracking requests, not %d.", tracking.MaxBulkRequests, len(list))}}
	}
	items := make([]bulkRequest, len(list))
	for i, raw := range list {
		items[i] = req.readBulkRequest(raw)
	}
	return items, nil
}

func (req *request) readBulkRequest(raw []byte) (item bulkRequest) {
	req.sentNames = nil
	res, err := jsonapi.ParseResource(slices.Concat([]byte(`{"data":`), raw, []byte("}")), defaultBody)
	if err != nil {
		return bulkRequest{err: err}
	}
	in := &input{req: req, Decoder: jsonapi.Fields(res), id: res.ID, typ: res.Type}
	item.request = newRequest(in)
	item.err, item.sent = in.Err(), maps.Clone(req.sentNames)
	return item
}

// createValid makes those that could be read. The results stand in the order of the
// items.
func (req *request) createValid(items []bulkRequest, o tracking.Once) ([]tracking.BulkRequestResult, error) {
	var list []tracking.NewTrackingRequest
	var at []int
	for i, item := range items {
		if item.err == nil {
			list, at = append(list, item.request), append(at, i)
		}
	}
	results := make([]tracking.BulkRequestResult, len(items))
	for i, item := range items {
		results[i].Err = item.err
	}
	if len(list) == 0 {
		return results, nil
	}
	made, err := req.t.CreateTrackingRequests(req.ctx(), list, o)
	if err != nil {
		return nil, err
	}
	for i, r := range made {
		results[at[i]] = r
	}
	return results, nil
}

// respondBulkRequests answers what became of each. It is no JSON:API document: each result
// is what the answer to a single request would have been, with its status.
func (req *request) respondBulkRequests(items []bulkRequest, results []tracking.BulkRequestResult) error {
	b := documentBuffers.Get().(*documentBuffer)
	defer b.release()
	made := 0
	buf := append(b.buf[:0], `{"results":[`...)
	for i, r := range results {
		if i > 0 {
			buf = append(buf, ',')
		}
		if r.Err == nil {
			made++
			doc, err := req.requestDocument(r.Request.ID)
			if err != nil {
				return err
			}
			buf = append(buf, `{"status":"201","data":`...)
			buf = append(jsonapi.AppendResource(buf, doc, req.resourcePaths["tracking_request"]), '}')
			continue
		}
		req.sentNames = items[i].sent
		status, errs := req.describeError(r.Err)
		if status == http.StatusInternalServerError {
			return r.Err
		}
		buf = append(buf, `{"status":"`...)
		buf = append(strconv.AppendInt(buf, int64(status), 10), `",`...)
		buf = append(buf, appendItemErrors(i, status, errs)[1:]...) // without its brace
	}
	buf = fmt.Appendf(buf, `],"meta":{"total":%d,"succeeded":%d,"failed":%d}}`, len(results), made, len(results)-made)
	b.buf = buf
	req.respond(http.StatusOK, buf)
	return nil
}

// appendItemErrors renders the errors of one item, pointing into the body that was sent.
func appendItemErrors(i, status int, errs []jsonapi.Error) []byte {
	for j := range errs {
		errs[j].Status = strconv.Itoa(status)
		if errs[j].Title == "" {
			errs[j].Title = http.StatusText(status)
		}
		if s := errs[j].Source; s != nil {
			pointer := "/data/" + strconv.Itoa(i)
			if rest, ok := strings.CutPrefix(s.Pointer, "/data"); ok {
				pointer += rest
			}
			errs[j].Source = &jsonapi.Source{Pointer: pointer}
		}
	}
	return jsonapi.AppendErrors(nil, errs)
}

// requestDocument is a tracking request as it is now. Who may create one may see what
// became of it; see written.
func (req *request) requestDocument(id tracking.ID) ([]byte, error) {
	actor := req.actor
	if !actor.Can(tracking.Show) {
		actor.Permissions = append(slices.Clip(actor.Permissions), tracking.Show)
	}
	s, err := req.config.Tracker.For(actor).SelectOne(req.ctx(), "tracking_request", id, nil)
	if err != nil {
		return nil, err
	}
	return s.Rows[0].Doc, nil
}

// chargeExtra counts n requests more in the account's bucket, and in the key's: all
// of them, or none where there is no room. More than a minute has are no matter of
// waiting, and so Invalid on data. What others are counted meanwhile can
// leave some of them counted all the same.
func (l *limiter) chargeExtra(a tracking.Actor, b bucket, n int) error {
	account := ratelimit.Take{Scope: ratelimit.Scope{Kind: scopeAccount + uint8(b), ID: a.Account}, Limit: l.limits[b]}
	now := l.clock.Now()
	for _, take := range []ratelimit.Take{account, keyTake(a, b)} {
		if take.Limit <= 0 || n < 1 {
			continue
		}
		if n >= take.Limit { // one is counted already
			return jsonapi.FieldErrors{{Pointer: "/data", Code: "too_long", Detail: fmt.Sprintf("data holds %d tracking requests, and this account or key may create %d in a minute: it must hold at most as many.", n+1, take.Limit)}}
		}
		take.Limit -= n - 1
		if wait, full := l.windows.Full(now, take); full {
			return &httpError{status: http.StatusTooManyRequests, detail: limitDetails[b], retryAfter: wait}
		}
	}
	for range n {
		if err := l.charge(a, b); err != nil {
			return err
		}
	}
	return nil
}
