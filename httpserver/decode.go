package httpserver

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// What a body may hold: reports bring thousands of facts at a time.
var (
	usualBody  = jsonapi.Limits{Bytes: 1 << 20, Depth: 32, Elements: 1_000}
	reportBody = jsonapi.Limits{Bytes: 16 << 20, Depth: 32, Elements: 10_000}
)

func (rt *route) bodyLimit() int {
	if rt.body.Bytes == 0 {
		return usualBody.Bytes
	}
	return rt.body.Bytes
}

// query reads the query as the route takes it.
func (c *call) query() (_ *jsonapi.Query, err error) {
	c.asked, err = jsonapi.ParseQuery(c.r.URL.RawQuery, c.route.takes)
	return &c.asked, err
}

// includes are the paths to include: those asked for, else the route's own.
func (c *call) includes(q *jsonapi.Query) []string {
	if q.IncludeSet {
		return q.Include
	}
	return c.route.defaults
}

// pathID is the ID in the path. What is no UUID is the zero ID, which no record
// has: it goes the way of an unknown one, and is answered with the same bytes.
func (c *call) pathID() tracking.ID { return c.idNamed("id") }

// idNamed is an ID in the path under another name.
func (c *call) idNamed(name string) tracking.ID { return parseID(c.r.PathValue(name)) }

// parseID reads a UUID in its usual form; uuid.Parse alone would take others.
func parseID(s string) tracking.ID {
	if len(s) != 36 {
		return tracking.ID{}
	}
	id, err := uuid.Parse(s)
	if err != nil {
		return tracking.ID{}
	}
	return id
}

// linkedID is an ID that a body links to. To the engine the zero ID means
// "none", so what a client cannot have meant as that becomes an ID that no
// record has.
func linkedID(s string) tracking.ID {
	if id := parseID(s); id != (tracking.ID{}) {
		return id
	}
	return uuid.Max
}

// bodies keeps buffers from request to request.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxKept is the largest buffer worth keeping.
const maxKept = 1 << 20

// readBody reads the whole body, up to the route's limit. The bytes are good
// until the call ends.
func (c *call) readBody() ([]byte, error) {
	if c.r.ContentLength == 0 {
		return nil, nil
	}
	if err := c.checkType(); err != nil {
		return nil, err
	}
	most := int64(c.route.bodyLimit())
	if c.r.ContentLength > most {
		return nil, jsonapi.ErrTooLarge
	}
	c.body = bodies.Get().(*bytes.Buffer)
	c.body.Reset()
	if _, err := c.body.ReadFrom(http.MaxBytesReader(c.w, c.r.Body, most)); err != nil {
		if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
			return nil, jsonapi.ErrTooLarge
		}
		if slow := c.tooSlow(err); slow != nil {
			return nil, slow
		}
		return nil, badRequest("The body could not be read to its end.")
	}
	return c.body.Bytes(), nil
}

func (c *call) checkType() error {
	if coding := c.r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return jsonapi.ErrMediaType
	}
	return jsonapi.RequestType(c.r.Header.Get("Content-Type"))
}

func (c *call) releaseBody() {
	if c.body != nil && c.body.Cap() <= maxKept {
		bodies.Put(c.body)
	}
	c.body = nil
}

// input is the body of a write, ready to be read member by member, and the
// headers that go with it.
type input struct {
	*jsonapi.Decoder
	// id and typ are data.id and data.type; empty when absent.
	id, typ string
	// ifVersion is If-Match, and once Idempotency-Key, as the engine takes them.
	ifVersion int64
	once      tracking.Once
	call      *call
}

// resource reads the request of a write: its body, which must be a resource
// document, its query and its headers.
func (c *call) resource() (*input, error) {
	data, err := c.readBody()
	if err != nil {
		return nil, err
	}
	in, err := c.headers(data)
	if err != nil {
		return nil, err
	}
	res, err := jsonapi.ParseResource(data, usualBody)
	if err != nil {
		return nil, err
	}
	in.Decoder, in.id, in.typ = jsonapi.Fields(res), res.ID, res.Type
	return in, nil
}

// members reads the request of an operation that takes a few members: as a plain
// object, or as the attributes of a resource of the type. No body has none.
func (c *call) members(typ string) (*input, error) {
	in, err := c.versionedMembers(typ)
	if err == nil && in.ifVersion != 0 {
		return nil, errUnversioned
	}
	return in, err
}

// versionedMembers is members for an operation that depends on a version.
func (c *call) versionedMembers(typ string) (*input, error) {
	data, err := c.readBody()
	if err != nil {
		return nil, err
	}
	in, err := c.headers(data)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if len(data) > 0 {
		if members, err = jsonapi.ParseObject(data, usualBody); err != nil {
			return nil, err
		}
	}
	if _, wrapped := members["data"]; !wrapped {
		c.attributes = "" // faults point into the plain body
		in.Decoder = jsonapi.ObjectFields(members)
		return in, nil
	}
	res, err := jsonapi.ParseResource(data, usualBody)
	if err != nil {
		return nil, err
	}
	in.Decoder, in.id = jsonapi.Fields(res), res.ID
	in.TypeIfSet(typ)
	return in, nil
}

var errUnversioned = badRequest("This operation does not depend on a version: send it without If-Match.")

// headers reads what a write has besides its body.
func (c *call) headers(body []byte) (*input, error) {
	if _, err := c.query(); err != nil {
		return nil, err
	}
	in := &input{call: c}
	var err error
	if in.ifVersion, err = ifMatch(c.r); err == nil {
		in.once, err = once(c.r, body)
	}
	return in, err
}

// meant demands that data.id, where it is given, is the ID of the path.
func (in *input) meant(id tracking.ID) error {
	if in.id == "" || parseID(in.id) == id {
		return nil
	}
	return &refusal{
		status: http.StatusConflict, code: "id_mismatch", source: jsonapi.Source{Pointer: "/data/id"},
		detail: "data.id is not the ID of the path.",
	}
}

// either reads a list of strings that has two names. The first wins; faults
// that the engine finds in field are told of the name that was sent.
func (in *input) either(field string, names ...string) jsonapi.Optional[[]string] {
	for _, name := range names {
		if in.Has(name) {
			in.sentAs(field, name)
			return in.Strings(name)
		}
	}
	return jsonapi.Optional[[]string]{}
}

func (in *input) sentAs(field, name string) {
	if in.call.sent == nil {
		in.call.sent = map[string]string{}
	}
	in.call.sent[field] = name
}

// customer reads the relationship to a party.
func (in *input) customer() tracking.Opt[tracking.ID] {
	party := in.ToOne("customer", "party")
	if !party.Given() {
		return tracking.Opt[tracking.ID]{Set: party.Set}
	}
	return tracking.Set(linkedID(party.Value.ID))
}

// opt is a member as the updates of the engine take it; null clears.
func opt[T any](o jsonapi.Optional[T]) tracking.Opt[T] {
	return tracking.Opt[T]{Set: o.Set, Value: o.Value}
}

// neverVersion is a version that no record has.
const neverVersion = -1

// ifMatch reads If-Match: absent and "*" ask for no version. A tag that is none
// of ours matches nothing, and so does a weak one (RFC 9110, 13.1.1).
func ifMatch(r *http.Request) (int64, error) {
	lines := r.Header["If-Match"]
	if len(lines) == 0 {
		return 0, nil
	}
	tag := strings.TrimSpace(lines[0])
	if tag == "*" && len(lines) == 1 {
		return 0, nil
	}
	opaque, weak := strings.CutPrefix(tag, "W/")
	if len(lines) > 1 || len(opaque) < 2 || opaque[0] != '"' || strings.IndexByte(opaque[1:], '"') != len(opaque)-2 {
		return 0, badRequest(`If-Match must be one entity tag such as "3", as an earlier answer's ETag gave it, or *.`)
	}
	opaque = opaque[1 : len(opaque)-1]
	version, err := strconv.ParseInt(opaque, 10, 64)
	if err != nil || weak || version < 1 || strconv.FormatInt(version, 10) != opaque {
		return neverVersion, nil
	}
	return version, nil
}

// once reads the Idempotency-Key of a POST. Its fingerprint is the whole
// request: the same key with anything else is refused.
func once(r *http.Request, body []byte) (tracking.Once, error) {
	lines, ok := r.Header["Idempotency-Key"]
	if !ok || r.Method != http.MethodPost {
		return tracking.Once{}, nil
	}
	key := strings.TrimSpace(lines[0])
	if len(lines) > 1 || key == "" || utf8.RuneCountInString(key) > 255 || !utf8.ValidString(key) || strings.ContainsFunc(key, unicode.IsControl) {
		return tracking.Once{}, badRequest("Idempotency-Key must be one text of 1 to 255 printable characters.")
	}
	sum := sha256.New()
	for _, part := range []string{r.Method, "\n", r.URL.Path, "\n"} {
		sum.Write([]byte(part))
	}
	sum.Write(body)
	return tracking.Once{Key: key, Fingerprint: hex.EncodeToString(sum.Sum(nil))}, nil
}
