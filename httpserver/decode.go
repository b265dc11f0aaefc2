package httpserver

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// Limits of request bodies. A report can hold thousands of facts.
var (
	defaultBody = jsonapi.Limits{Bytes: 1 << 20, Depth: 32, Elements: 1_000}
	reportBody  = jsonapi.Limits{Bytes: 16 << 20, Depth: 32, Elements: 10_000}
)

func (rt *route) bodyLimit() int {
	if rt.body.Bytes == 0 {
		return defaultBody.Bytes
	}
	return rt.body.Bytes
}

// readQuery parses the query parameters that the route accepts.
func (req *request) readQuery() (_ *jsonapi.Query, err error) {
	req.query, err = jsonapi.ParseQuery(req.r.URL.RawQuery, req.route.accepts)
	return &req.query, err
}

// includes returns the include paths of the request, or else the route's defaults.
func (req *request) includes(q *jsonapi.Query) []string {
	if q.IncludeSet {
		return q.Include
	}
	return req.route.defaultInclude
}

// pathID returns the ID in the path. Anything that is no UUID becomes the zero ID,
// which no record has, so the response is the same as for an unknown ID.
func (req *request) pathID() tracking.ID { return req.pathIDNamed("id") }

// pathIDNamed is pathID for a path variable with another name.
func (req *request) pathIDNamed(name string) tracking.ID { return parseID(req.r.PathValue(name)) }

// parseID parses a UUID in its usual form only; uuid.Parse accepts others.
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

// linkedID parses the ID of a relationship. An invalid ID becomes uuid.Max, which no
// record has, because the engine takes the zero ID as "none".
func linkedID(s string) tracking.ID {
	if id := parseID(s); id != (tracking.ID{}) {
		return id
	}
	return uuid.Max
}

// readBody reads the whole body, up to the route's limit. The bytes are valid until
// the end of the request.
func (req *request) readBody() ([]byte, error) {
	if req.r.ContentLength == 0 {
		return nil, nil
	}
	if err := req.checkType(); err != nil {
		return nil, err
	}
	return req.readBytes()
}

// readBytes is readBody of any type.
func (req *request) readBytes() ([]byte, error) {
	most := int64(req.route.bodyLimit())
	if req.r.ContentLength > most {
		return nil, jsonapi.ErrTooLarge
	}
	if err := req.readWhole(most); err != nil {
		return nil, err
	}
	return req.body.Bytes(), nil
}

func (req *request) checkType() error {
	if req.isEncoded() {
		return jsonapi.ErrMediaType
	}
	return jsonapi.RequestType(req.r.Header.Get("Content-Type"))
}

// isEncoded reports whether the body has a Content-Encoding.
func (req *request) isEncoded() bool {
	coding := req.r.Header.Get("Content-Encoding")
	return coding != "" && !strings.EqualFold(coding, "identity")
}

// input is the decoded body of a write, with its headers.
type input struct {
	*jsonapi.Decoder
	// id and typ are data.id and data.type; empty when absent.
	id, typ string
	// ifVersion is the value of If-Match, and once that of Idempotency-Key.
	ifVersion int64
	once      tracking.Once
	req       *request
}

// readResource reads the request of a write: the query, the headers and the body,
// which must be a resource document.
func (req *request) readResource() (*input, error) {
	data, err := req.readBody()
	if err != nil {
		return nil, err
	}
	in, err := req.readHeaders(data)
	if err != nil {
		return nil, err
	}
	res, err := jsonapi.ParseResource(data, defaultBody)
	if err != nil {
		return nil, err
	}
	in.Decoder, in.id, in.typ = jsonapi.Fields(res), res.ID, res.Type
	return in, nil
}

// readMembers reads a body that is a plain object, or a resource of the type with the
// same members as attributes. The body may be absent.
func (req *request) readMembers(typ string) (*input, error) {
	in, err := req.readVersionedMembers(typ)
	if err == nil && in.ifVersion != 0 {
		return nil, errUnversioned
	}
	return in, err
}

// readVersionedMembers is readMembers for an operation that supports If-Match.
func (req *request) readVersionedMembers(typ string) (*input, error) {
	data, err := req.readBody()
	if err != nil {
		return nil, err
	}
	in, err := req.readHeaders(data)
	if err != nil {
		return nil, err
	}
	_, err = in.setMembers(data, typ, defaultBody)
	return in, err
}

// setMembers sets the decoder to the members of a plain object, or to the attributes of a
// resource, and returns them.
func (in *input) setMembers(data []byte, typ string, limits jsonapi.Limits) (members map[string]json.RawMessage, err error) {
	if len(data) > 0 {
		if members, err = jsonapi.ParseObject(data, limits); err != nil {
			return nil, err
		}
	}
	if _, wrapped := members["data"]; !wrapped {
		in.req.pointerBase = "" // errors point into the plain body
		in.Decoder = jsonapi.ObjectFields(members)
		return members, nil
	}
	res, err := jsonapi.ParseResource(data, limits)
	if err != nil {
		return nil, err
	}
	in.Decoder, in.id = jsonapi.Fields(res), res.ID
	in.TypeIfSet(typ)
	return res.Attributes, nil
}

var errUnversioned = badRequest("This operation does not support If-Match.")

// readHeaders reads the query and the headers of a write.
func (req *request) readHeaders(body []byte) (*input, error) {
	if _, err := req.readQuery(); err != nil {
		return nil, err
	}
	in := &input{req: req}
	req.in = in
	var err error
	if in.ifVersion, err = ifMatch(req.r); err != nil {
		return in, err
	}
	key, err := readIdempotencyKey(req.r)
	if key.sum != nil {
		key.sum.Write(body)
	}
	in.once = key.once()
	return in, err
}

// checkID checks that data.id, if present, is the ID in the path.
func (in *input) checkID(id tracking.ID) error {
	if in.id == "" || parseID(in.id) == id {
		return nil
	}
	return &httpError{
		status: http.StatusConflict, code: "id_mismatch", source: jsonapi.Source{Pointer: "/data/id"},
		detail: "data.id is not the ID of the path.",
	}
}

// stringsNamed reads a list of strings that can be sent under several names; the
// first name present wins. Engine errors on field then point to that name.
func (in *input) stringsNamed(field string, names ...string) jsonapi.Optional[[]string] {
	for _, name := range names {
		if in.Has(name) {
			in.setSentName(field, name)
			return in.Strings(name)
		}
	}
	return jsonapi.Optional[[]string]{}
}

func (in *input) setSentName(field, name string) {
	if in.req.sentNames == nil {
		in.req.sentNames = map[string]string{}
	}
	in.req.sentNames[field] = name
}

// readCustomer reads the relationship to a party.
func (in *input) readCustomer() tracking.Opt[tracking.ID] {
	party := in.ToOne("customer", "party")
	if !party.Given() {
		return tracking.Opt[tracking.ID]{Set: party.Set}
	}
	return tracking.Set(linkedID(party.Value.ID))
}

// opt converts a member for an update of the engine; null clears the value.
func opt[T any](o jsonapi.Optional[T]) tracking.Opt[T] {
	return tracking.Opt[T]{Set: o.Set, Value: o.Value}
}

// unknownVersion is a version that no record has.
const unknownVersion = -1

// ifMatch reads If-Match. It returns 0 if the header is absent or "*". A weak tag or
// a tag of another form matches no version (RFC 9110, 13.1.1).
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
		return unknownVersion, nil
	}
	return version, nil
}

// idempotencyKey is the Idempotency-Key of a request. The fingerprint covers the method,
// the path and the body: the engine refuses the same key for another request.
type idempotencyKey struct {
	key string    // empty for none
	sum hash.Hash // of the fingerprint, for the body to be written to; nil without a key
}

// readIdempotencyKey reads the Idempotency-Key of a POST.
func readIdempotencyKey(r *http.Request) (idempotencyKey, error) {
	lines, ok := r.Header["Idempotency-Key"]
	if !ok || r.Method != http.MethodPost {
		return idempotencyKey{}, nil
	}
	key := strings.TrimSpace(lines[0])
	if len(lines) > 1 || key == "" || utf8.RuneCountInString(key) > 255 || !utf8.ValidString(key) || strings.ContainsFunc(key, unicode.IsControl) {
		return idempotencyKey{}, badRequest("Idempotency-Key must be one text of 1 to 255 printable characters.")
	}
	sum := sha256.New()
	for _, part := range []string{r.Method, "\n", r.URL.Path, "\n"} {
		sum.Write([]byte(part))
	}
	return idempotencyKey{key, sum}, nil
}

// once is the key with the fingerprint of the request, whose body has been hashed.
func (k idempotencyKey) once() tracking.Once {
	if k.sum == nil {
		return tracking.Once{}
	}
	return tracking.Once{Key: k.key, Fingerprint: hex.EncodeToString(k.sum.Sum(nil))}
}
