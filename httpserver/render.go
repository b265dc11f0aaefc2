package httpserver

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// resourcePaths maps each resource type to the path of its resources.
func resourcePaths(prefix string) map[string]string {
	paths := map[string]string{}
	for _, t := range tracking.Describe().Resources {
		if t.Path != "" {
			paths[t.Name] = prefix + t.Path
		}
	}
	paths[documentSchemaType] = prefix + "/document_schemas/"
	return paths
}

// documentLinks are the additional links of documents.
var documentLinks = []jsonapi.ExtraLink{{Name: "download", Path: "/download_url"}}

// moreLinks returns the links of a type in addition to self.
func moreLinks(typ string) []jsonapi.ExtraLink {
	if typ == "document" {
		return documentLinks
	}
	return nil
}

// versioned lists the types whose PATCH supports If-Match.
var versioned = []string{
	"container", "custom_field", "custom_field_definition", "custom_field_option", "document", "exception", "party", "shipment", "tariff", "tracking_request", "webhook",
}

// resourcePath returns the path of the resources of a type. Options have paths below
// their definition and are shown only there.
func (req *request) resourcePath(typ string) string {
	if typ == optionType {
		return req.resourcePaths[definitionType] + req.pathIDNamed("definition_id").String() + "/options/"
	}
	return req.resourcePaths[typ]
}

// documentBuffer holds the buffers for building one document.
type documentBuffer struct {
	buf            []byte
	rows, included []jsonapi.Raw
}

var documentBuffers = sync.Pool{New: func() any { return new(documentBuffer) }}

func (b *documentBuffer) release() {
	if cap(b.buf) > maxPooledBuffer {
		return
	}
	clear(b.rows)
	clear(b.included) // do not keep documents alive in the pool
	documentBuffers.Put(b)
}

// begin allocates room for the whole selection, because growing in steps would copy
// it several times.
func (b *documentBuffer) begin(s tracking.Selection) []byte {
	size := 2 << 10
	for _, list := range [...][]*tracking.Resource{s.Rows, s.Included} {
		for _, r := range list {
			size += len(r.Doc) + len(r.Attributes[0]) + len(r.Attributes[1]) + linkOverhead
		}
	}
	b.buf = slices.Grow(b.buf[:0], size)
	return b.buf
}

// linkOverhead is about how many bytes of links each resource adds to its document.
const linkOverhead = 100

// rawResources converts selected resources for package jsonapi.
func (req *request) rawResources(to []jsonapi.Raw, from []*tracking.Resource) []jsonapi.Raw {
	to = slices.Grow(to[:0], len(from))
	typ, self := "", ""
	for _, r := range from {
		if r.Type != typ { // usually many resources of one type follow each other
			typ, self = r.Type, req.resourcePath(r.Type)
		}
		to = append(to, jsonapi.Raw{Doc: r.Doc, Self: self, ExtraLinks: moreLinks(typ), Attributes: r.Attributes})
	}
	return to
}

// includedResources returns nil if nothing was requested and an empty list if nothing
// was found.
func (req *request) includedResources(b *documentBuffer, s tracking.Selection, requested bool) []jsonapi.Raw {
	if !requested {
		return nil
	}
	b.included = req.rawResources(b.included, s.Included)
	if b.included == nil {
		return []jsonapi.Raw{}
	}
	return b.included
}

// respondOne responds with the only resource of a selection; self is the URL of the
// request.
func (req *request) respondOne(status int, s tracking.Selection, included bool) {
	req.respondOneAt(req.requestURL(), status, s, included)
}

// respondOneAt responds with the only resource of a selection; self is base with the
// query of the request.
func (req *request) respondOneAt(base string, status int, s tracking.Selection, included bool) {
	row := s.Rows[0]
	if slices.Contains(versioned, row.Type) {
		req.setHeader("Etag", `"`+strconv.FormatInt(row.Version, 10)+`"`)
	}
	b := documentBuffers.Get().(*documentBuffer)
	defer b.release()
	self := jsonapi.SelfLink(base, req.r.URL.RawQuery)
	b.buf = jsonapi.AppendSingleMeta(b.begin(s), jsonapi.Raw{Doc: row.Doc, Self: req.resourcePath(row.Type), ExtraLinks: moreLinks(row.Type), Attributes: row.Attributes}, req.includedResources(b, s, included), self, req.writeMeta().json())
	req.respond(status, b.buf)
}

// respondPage responds with one page of a list.
func (req *request) respondPage(s tracking.Selection, q *jsonapi.Query, included bool) {
	req.respondList(s, jsonapi.PageLinks(req.requestURL(), req.r.URL.RawQuery, q.Number, q.Size, s.Total), jsonapi.Meta{Size: q.Size, Total: s.Total}, included)
}

// respondUnpaged responds with a complete list as a single page.
func (req *request) respondUnpaged(s tracking.Selection, included bool) {
	self := jsonapi.SelfLink(req.requestURL(), req.r.URL.RawQuery)
	links := jsonapi.Links{Self: self, Current: self, First: self, Last: self}
	req.respondList(s, links, jsonapi.Meta{Size: len(s.Rows), Total: len(s.Rows)}, included)
}

func (req *request) respondList(s tracking.Selection, links jsonapi.Links, meta jsonapi.Meta, included bool) {
	b := documentBuffers.Get().(*documentBuffer)
	defer b.release()
	b.rows = req.rawResources(b.rows, s.Rows)
	b.buf = jsonapi.AppendCollection(b.begin(s), b.rows, req.includedResources(b, s, included), links, meta)
	req.cacheResponse(s, b.buf)
	req.respond(http.StatusOK, b.buf)
}

// writeMeta is the meta of the response to a write.
type writeMeta struct {
	// Warnings say what keeps the record from having the expected effect. It was written
	// nevertheless.
	Warnings []writeWarning `json:"warnings,omitempty"`
	// Ignored has JSON Pointers to members of the body that had no effect: unknown ones,
	// and those that cannot be written. At most 100.
	Ignored []string `json:"ignored,omitempty"`
}

type writeWarning struct {
	// Code is stable. no_source: no source is asked about the number.
	Code   string         `json:"code"`
	Detail string         `json:"detail"`
	Source jsonapi.Source `json:"source"`
}

// maxIgnored bounds meta.ignored.
const maxIgnored = 100

// writeMeta returns the meta of the response; nil for none.
func (req *request) writeMeta() *writeMeta {
	m := writeMeta{Warnings: req.warnings}
	if req.in != nil && req.in.Decoder != nil {
		m.Ignored = req.in.Ignored(maxIgnored)
	}
	return m.orNil()
}

func (m writeMeta) orNil() *writeMeta {
	if len(m.Warnings)+len(m.Ignored) == 0 {
		return nil
	}
	return &m
}

// json returns m as JSON; nil for none.
func (m *writeMeta) json() []byte {
	if m == nil {
		return nil
	}
	text, _ := json.Marshal(m) // texts alone: cannot fail
	return text
}

// inItem moves the pointers of m into item i of the array data.
func (m *writeMeta) inItem(i int) *writeMeta {
	if m == nil {
		return nil
	}
	at := "/data/" + strconv.Itoa(i)
	for k := range m.Warnings {
		m.Warnings[k].Source.Pointer = at + strings.TrimPrefix(m.Warnings[k].Source.Pointer, "/data")
	}
	for k := range m.Ignored {
		m.Ignored[k] = at + strings.TrimPrefix(m.Ignored[k], "/data")
	}
	return m
}

// requestURL returns the absolute URL of the request without its query.
func (req *request) requestURL() string { return req.absoluteURL(req.r.URL.EscapedPath()) }

// absoluteURL returns the URL of a path on this server.
func (req *request) absoluteURL(path string) string {
	o := req.origin()
	if o.host == "" { // HTTP/1.0 without a Host header
		return path
	}
	return o.scheme + o.host + path
}

// respondJSON responds with a body that is no JSON:API document.
func (req *request) respondJSON(status int, body string) { req.respond(status, []byte(body)) }

func (req *request) respondErrors(status int, errs []jsonapi.Error) {
	b := documentBuffers.Get().(*documentBuffer)
	defer b.release()
	b.buf = jsonapi.AppendErrors(b.buf[:0], errs)
	req.respond(status, b.buf)
}

// respondNoContent responds 204.
func (req *request) respondNoContent() {
	req.exchange.sent(http.StatusNoContent, 0)
	req.w.WriteHeader(http.StatusNoContent)
}

// respond writes a response in one piece. Only respondNoContent and sendBlob write
// without it.
func (req *request) respond(status int, body []byte) {
	contentType := typeJSON
	if jsonapi.ResponseType(req.r.Header["Accept"]...) == jsonapi.MediaType {
		contentType = typeJSONAPI
	}
	req.respondAs(contentType, status, body)
}

// respondAs is respond with a content type of its own.
func (req *request) respondAs(contentType []string, status int, body []byte) {
	req.w.Header()["Content-Type"] = contentType
	req.setHeader("Content-Length", strconv.Itoa(len(body)))
	req.w.WriteHeader(status)
	n := 0
	if req.r.Method != http.MethodHead {
		n, _ = req.w.Write(body) // fails if the client has disconnected
	}
	req.exchange.sent(status, int64(n))
}
