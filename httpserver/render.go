package httpserver

import (
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// selves are the paths where resources live, by type.
func selves(prefix string) map[string]string {
	paths := tracking.Collections()
	for typ, path := range paths {
		paths[typ] = prefix + path
	}
	paths[schemaType] = prefix + "/document_schemas/"
	return paths
}

// documentLinks are the links of documents besides self.
var documentLinks = []jsonapi.More{{Name: "download", Path: "/download_url"}}

// moreLinks are the links of a type besides self.
func moreLinks(typ string) []jsonapi.More {
	if typ == "document" {
		return documentLinks
	}
	return nil
}

// versioned are the types that a PATCH with If-Match can change.
var versioned = []string{
	"container", "custom_field", "custom_field_definition", "custom_field_option", "document", "party", "shipment", "tracking_request", "webhook",
}

// self is where the resources of a type live. Options live below their definition,
// and are shown there alone.
func (c *call) self(typ string) string {
	if typ == optionType {
		return c.selves[definitionType] + c.idNamed("definition_id").String() + "/options/"
	}
	return c.selves[typ]
}

// sheet is what a document is put together on.
type sheet struct {
	buf            []byte
	rows, included []jsonapi.Raw
}

var sheets = sync.Pool{New: func() any { return new(sheet) }}

func (p *sheet) release() {
	if cap(p.buf) > maxKept {
		return
	}
	clear(p.rows)
	clear(p.included) // documents must not live as long as the sheet
	sheets.Put(p)
}

// begin makes room for a selection at once: growing step by step would copy most
// of it several times.
func (p *sheet) begin(s tracking.Selection) []byte {
	size := 2 << 10
	for _, list := range [...][]*tracking.Resource{s.Rows, s.Included} {
		for _, r := range list {
			size += len(r.Doc) + linkRoom
		}
	}
	p.buf = slices.Grow(p.buf[:0], size)
	return p.buf
}

// linkRoom is about what a resource takes in an answer besides its document.
const linkRoom = 100

// raws makes ready to be spliced what the engine selected.
func (c *call) raws(to []jsonapi.Raw, from []*tracking.Resource) []jsonapi.Raw {
	to = slices.Grow(to[:0], len(from))
	typ, self := "", ""
	for _, r := range from {
		if r.Type != typ { // as a rule many of one type follow each other
			typ, self = r.Type, c.self(r.Type)
		}
		to = append(to, jsonapi.Raw{Doc: r.Doc, Self: self, More: moreLinks(typ)})
	}
	return to
}

// withIncluded tells "nothing asked for" (nil) from "nothing found" (empty).
func (c *call) withIncluded(p *sheet, s tracking.Selection, asked bool) []jsonapi.Raw {
	if !asked {
		return nil
	}
	p.included = c.raws(p.included, s.Included)
	if p.included == nil {
		return []jsonapi.Raw{}
	}
	return p.included
}

// single answers with the one resource of a selection, at the URL of the request.
func (c *call) single(status int, s tracking.Selection, included bool) {
	c.singleAt(c.base(), status, s, included)
}

// singleAt answers with the one resource of a selection, which is read at base.
func (c *call) singleAt(base string, status int, s tracking.Selection, included bool) {
	row := s.Rows[0]
	if slices.Contains(versioned, row.Type) {
		c.setHeader("Etag", `"`+strconv.FormatInt(row.Version, 10)+`"`)
	}
	p := sheets.Get().(*sheet)
	defer p.release()
	self := jsonapi.SelfLink(base, c.r.URL.RawQuery)
	p.buf = jsonapi.AppendSingle(p.begin(s), jsonapi.Raw{Doc: row.Doc, Self: c.self(row.Type), More: moreLinks(row.Type)}, c.withIncluded(p, s, included), self)
	c.answer(status, p.buf)
}

// page answers with one page of a list.
func (c *call) page(s tracking.Selection, q *jsonapi.Query, included bool) {
	c.collection(s, jsonapi.PageLinks(c.base(), c.r.URL.RawQuery, q.Number, q.Size, s.Total), jsonapi.Meta{Size: q.Size, Total: s.Total}, included)
}

// whole answers with a list that has no pages, as the one page that it is.
func (c *call) whole(s tracking.Selection, included bool) {
	self := jsonapi.SelfLink(c.base(), c.r.URL.RawQuery)
	links := jsonapi.Links{Self: self, Current: self, First: self, Last: self}
	c.collection(s, links, jsonapi.Meta{Size: len(s.Rows), Total: len(s.Rows)}, included)
}

func (c *call) collection(s tracking.Selection, links jsonapi.Links, meta jsonapi.Meta, included bool) {
	p := sheets.Get().(*sheet)
	defer p.release()
	p.rows = c.raws(p.rows, s.Rows)
	p.buf = jsonapi.AppendCollection(p.begin(s), p.rows, c.withIncluded(p, s, included), links, meta)
	c.keep(s, p.buf)
	c.answer(http.StatusOK, p.buf)
}

// base is the absolute URL of the request without its query.
func (c *call) base() string { return c.absolute(c.r.URL.EscapedPath()) }

// absolute is the URL of a path on this server.
func (c *call) absolute(path string) string {
	if c.r.Host == "" { // HTTP/1.0 without a Host header
		return path
	}
	return c.scheme() + c.r.Host + path
}

func (c *call) scheme() string {
	if c.r.TLS != nil || c.config.TrustProxy && c.r.Header.Get("X-Forwarded-Proto") == "https" {
		return "https://"
	}
	return "http://"
}

// answerJSON answers with a body that is no JSON:API document.
func (c *call) answerJSON(status int, body string) { c.answer(status, []byte(body)) }

func (c *call) answerErrors(status int, errs []jsonapi.Error) {
	p := sheets.Get().(*sheet)
	defer p.release()
	p.buf = jsonapi.AppendErrors(p.buf[:0], errs)
	c.answer(status, p.buf)
}

// nothing answers that there is nothing to say.
func (c *call) nothing() { c.w.WriteHeader(http.StatusNoContent) }

// answer writes a response in one piece. Nothing else in this package writes, but
// for nothing and sendBlob.
func (c *call) answer(status int, body []byte) {
	h := c.w.Header()
	h["Content-Type"] = typeJSON
	if jsonapi.ResponseType(c.r.Header["Accept"]...) == jsonapi.MediaType {
		h["Content-Type"] = typeJSONAPI
	}
	c.setHeader("Content-Length", strconv.Itoa(len(body)))
	c.w.WriteHeader(status)
	if c.r.Method != http.MethodHead {
		_, _ = c.w.Write(body) // it fails when the client has left
	}
}
