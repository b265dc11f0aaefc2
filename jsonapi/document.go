package jsonapi

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/landfallhq/tracking/internal/jsontext"
)

// Raw is a rendered resource: a JSON object that begins with its id, and the links to
// insert.
type Raw struct {
	// Doc is the object without a links member. It is copied without a check.
	Doc []byte
	// HasLinks: Doc has its links member. The other fields are ignored.
	HasLinks bool
	// Self is the path of the resource. If it ends in a slash, the id in Doc is
	// appended, so all rows of a list can share one string. Empty means that the
	// resource has no path: its links are an empty object.
	Self string
	// ExtraLinks are links in addition to self.
	ExtraLinks []ExtraLink
	// Attributes are members to append to the attributes of Doc, which must be its last
	// member, without white space behind it: each is empty, or the members of a JSON object.
	// They are copied without a check, and ignored if HasLinks is set.
	Attributes [2][]byte
}

// ExtraLink is a link to a path below a resource.
type ExtraLink struct {
	// Name is the name of the link: "download".
	Name string
	// Path is appended to the path of the resource: "/download_url".
	Path string
}

// Meta is the meta member of a list.
type Meta struct {
	// Size is the effective page size.
	Size int
	// Total is the number of records on all pages.
	Total int
}

// AppendCollection appends the document of a list. A nil included omits the member;
// an empty one writes []. The parameters are slices and not iterators, because
// iterators allocate and a server can reuse slices.
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

// AppendSingle appends the document of one resource. self is the absolute URL of the
// request; if it is empty, the document has no links.
func AppendSingle(dst []byte, row Raw, included []Raw, self string) []byte {
	return AppendSingleMeta(dst, row, included, self, nil)
}

// AppendSingleMeta is AppendSingle with a meta member, a JSON object that is copied
// without a check; nil for none.
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

// AppendResource appends doc with its links inserted before its last brace. See Raw for
// doc and self.
func AppendResource(dst, doc []byte, self string) []byte {
	return appendRaw(dst, Raw{Doc: doc, Self: self})
}

func appendRaw(dst []byte, r Raw) []byte {
	end := bytes.LastIndexByte(r.Doc, '}')
	if r.HasLinks || end < 0 {
		return append(dst, r.Doc...)
	}
	if r.Self == "" {
		return appendNoLinks(dst, r, end)
	}
	var (
		raw []byte // the id in the document, if it needs no escaping
		id  string // the escaped id otherwise
	)
	if r.Self[len(r.Self)-1] == '/' {
		var ok bool
		if raw, ok = leadingID(r.Doc); !ok {
			if id = parseID(r.Doc); id == "" {
				return appendNoLinks(dst, r, end) // no link is better than a wrong one
			}
			raw = nil
		}
	}
	dst = appendMembers(dst, r, end)
	dst = append(dst, `"links":{"self":`...)
	dst = appendPath(dst, r.Self, raw, id, "")
	for _, m := range r.ExtraLinks {
		dst = append(dst, ',')
		dst = AppendString(dst, m.Name)
		dst = append(dst, ':')
		dst = appendPath(dst, r.Self, raw, id, m.Path)
	}
	dst = append(dst, '}')
	return append(dst, r.Doc[end:]...)
}

// appendNoLinks appends a resource, whose last brace is at end, with links that are empty.
func appendNoLinks(dst []byte, r Raw, end int) []byte {
	return append(append(appendMembers(dst, r, end), `"links":{}`...), r.Doc[end:]...)
}

// appendMembers appends a resource up to its last brace, and a comma after its members.
func appendMembers(dst []byte, r Raw, end int) []byte {
	if end > 0 && r.Doc[end-1] == '}' {
		dst = append(dst, r.Doc[:end-1]...)
		for _, members := range r.Attributes {
			if len(members) == 0 {
				continue
			}
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(dst, members...)
		}
		return append(dst, "},"...)
	}
	dst = append(dst, r.Doc[:end]...)
	if len(bytes.TrimSpace(r.Doc[:end])) > 1 { // not {}
		dst = append(dst, ',')
	}
	return dst
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

// leadingID returns the id of a document that begins with its id, if the id needs no
// escaping in a path. This covers nearly all documents.
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

// plainInPath has the characters that need no escaping in a path or in JSON. It is a
// table for speed: every id of every response is checked.
var plainInPath = func() (plain [256]bool) {
	for c := range plain {
		b := byte(c)
		plain[c] = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || isDigit(b) || b == '-' || b == '_' || b == '.' || b == '~' || b == '@'
	}
	return plain
}()

// parseID returns the id of any document, escaped for a path.
func parseID(doc []byte) string {
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
