package jsonapi

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/landfallhq/tracking/internal/jsontext"
)

// Raw is a rendered resource: the bytes of a JSON object that begins with its
// id, and what its links member is made of.
type Raw struct {
	// Doc is the object, without a links member. It is copied as it stands:
	// nothing here checks it.
	Doc []byte
	// Self is the path of the resource. When it ends in a slash, the id in Doc
	// is appended, so that a list needs no string for each of its rows. Empty:
	// no links member.
	Self string
	// More is further links, besides self.
	More []More
}

// More is a link below a resource.
type More struct {
	// Name is the link's name: "download".
	Name string
	// Path is what follows the path of the resource: "/download_url".
	Path string
}

// Meta is the meta member of a list.
type Meta struct {
	// Size is the effective page size.
	Size int
	// Total is how many records match, on all pages.
	Total int
}

// AppendCollection appends the document of a list. included is the related
// resources: nil leaves the member out, an empty slice writes []. They are
// slices, not iterators, because a loop over an iterator costs allocations and a
// server can keep the slices with its buffer.
func AppendCollection(dst []byte, rows, included []Raw, links Links, meta Meta) []byte {
	dst = append(dst, `{"data":`...)
	dst = appendRows(dst, rows)
	dst = appendIncluded(dst, included)
	dst = append(dst, `,"links":`...)
	dst = AppendLinks(dst, links)
	dst = append(dst, `,"meta":{"size":`...)
	dst = strconv.AppendInt(dst, int64(meta.Size), 10)
	dst = append(dst, `,"total":`...)
	dst = strconv.AppendInt(dst, int64(meta.Total), 10)
	return append(dst, "}}"...)
}

// AppendSingle appends the document of one resource. self is the absolute URL
// of the request; empty leaves the document's links out.
func AppendSingle(dst []byte, row Raw, included []Raw, self string) []byte {
	return AppendSingleMeta(dst, row, included, self, nil)
}

// AppendSingleMeta is AppendSingle with a meta member: a JSON object that is
// copied as it stands, nil for none.
func AppendSingleMeta(dst []byte, row Raw, included []Raw, self string, meta []byte) []byte {
	dst = append(dst, `{"data":`...)
	dst = appendRaw(dst, row)
	dst = appendIncluded(dst, included)
	if self != "" {
		dst = append(dst, `,"links":`...)
		dst = AppendLinks(dst, Links{Self: self})
	}
	if meta != nil {
		dst = append(dst, `,"meta":`...)
		dst = append(dst, meta...)
	}
	return append(dst, '}')
}

func appendIncluded(dst []byte, included []Raw) []byte {
	if included == nil {
		return dst
	}
	dst = append(dst, `,"included":`...)
	return appendRows(dst, included)
}

func appendRows(dst []byte, rows []Raw) []byte {
	dst = append(dst, '[')
	for i, r := range rows {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendRaw(dst, r)
	}
	return append(dst, ']')
}

// AppendResource appends doc with ,"links":{"self":...} spliced in before its
// last brace. See Raw for doc and self.
func AppendResource(dst, doc []byte, self string) []byte {
	return appendRaw(dst, Raw{Doc: doc, Self: self})
}

func appendRaw(dst []byte, r Raw) []byte {
	end := bytes.LastIndexByte(r.Doc, '}')
	if r.Self == "" || end < 0 {
		return append(dst, r.Doc...)
	}
	var (
		raw []byte // the id as it stands in the document
		id  string // the id when it had to be escaped
	)
	if r.Self[len(r.Self)-1] == '/' {
		var ok bool
		if raw, ok = leadingID(r.Doc); !ok {
			if id = slowID(r.Doc); id == "" {
				return append(dst, r.Doc...) // rather no link than a wrong one
			}
			raw = nil
		}
	}
	dst = append(dst, r.Doc[:end]...)
	if raw != nil || len(bytes.TrimSpace(r.Doc[:end])) > 1 { // not {}
		dst = append(dst, ',')
	}
	dst = append(dst, `"links":{"self":`...)
	dst = appendPath(dst, r.Self, raw, id, "")
	for _, m := range r.More {
		dst = append(dst, ',')
		dst = AppendString(dst, m.Name)
		dst = append(dst, ':')
		dst = appendPath(dst, r.Self, raw, id, m.Path)
	}
	dst = append(dst, '}')
	return append(dst, r.Doc[end:]...)
}

// appendPath appends a string of up to four parts.
func appendPath(dst []byte, base string, raw []byte, id, path string) []byte {
	dst = append(dst, '"')
	dst = jsontext.AppendEscaped(dst, base)
	dst = append(dst, raw...)
	dst = jsontext.AppendEscaped(dst, id)
	dst = jsontext.AppendEscaped(dst, path)
	return append(dst, '"')
}

// leadingID returns the id of a document that begins with it, when it needs no
// escaping in a path: which is every document and nearly every id we render.
func leadingID(doc []byte) ([]byte, bool) {
	const begin = `{"id":"`
	if len(doc) < len(begin) || string(doc[:len(begin)]) != begin {
		return nil, false
	}
	rest := doc[len(begin):]
	for i, c := range rest {
		if !plainInPath[c] {
			return rest[:i], c == '"' && i > 0
		}
	}
	return nil, false
}

// plainInPath tells the characters of an id that need no escaping in a path, nor
// in JSON. A table, because every resource of every answer has its id looked at.
var plainInPath = func() (plain [256]bool) {
	for c := range plain {
		b := byte(c)
		plain[c] = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || isDigit(b) || b == '-' || b == '_' || b == '.' || b == '~' || b == '@'
	}
	return plain
}()

// slowID finds the id of any document and escapes it for a path.
func slowID(doc []byte) string {
	var r struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(doc, &r); err != nil {
		return ""
	}
	return url.PathEscape(r.ID)
}

// AppendLinks appends links as a JSON object.
func AppendLinks(dst []byte, links Links) []byte {
	dst = append(dst, '{')
	first := true
	for _, l := range [...]struct{ name, url string }{
		{`"self":`, links.Self},
		{`"current":`, links.Current},
		{`"first":`, links.First},
		{`"prev":`, links.Prev},
		{`"next":`, links.Next},
		{`"last":`, links.Last},
	} {
		if l.url == "" {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(dst, l.name...)
		dst = AppendString(dst, l.url)
	}
	return append(dst, '}')
}

// AppendString appends s as a JSON string, equal to what encoding/json writes
// with SetEscapeHTML(false): broken UTF-8 becomes U+FFFD, and U+2028 and U+2029
// are escaped.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	return jsontext.AppendString(dst, s)
}
