package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
)

// ref names a resource.
type ref struct{ Type, ID string }

// resource is a resource of the interface. Its texts are cleaned; see clean.
type resource struct {
	ref
	Attributes    map[string]any
	Relationships map[string]struct{ Data json.RawMessage }
	Links         struct{ Self string }
}

// document is a document of the interface: of one resource, or of a list.
type document struct {
	list     []*resource
	included map[ref]*resource
	links    map[string]string
	meta     map[string]any
}

// errUnreadable is an answer of the server that is no document.
var errUnreadable = errors.New("the answer of the server cannot be read")

// parseDocument reads a document.
func parseDocument(body []byte) (*document, error) {
	var raw struct {
		Data     json.RawMessage
		Included []*resource
		Links    map[string]any
		Meta     map[string]any
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return nil, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	d := &document{included: map[ref]*resource{}, links: map[string]string{}, meta: raw.Meta}
	if strings.HasPrefix(strings.TrimSpace(string(raw.Data)), "[") {
		if err := json.Unmarshal(raw.Data, &d.list); err != nil {
			return nil, fmt.Errorf("%w: %w", errUnreadable, err)
		}
	} else {
		one := &resource{}
		if err := json.Unmarshal(raw.Data, one); err != nil || one.ID == "" {
			return nil, errUnreadable
		}
		d.list = []*resource{one}
	}
	for _, r := range slices.Concat(d.list, raw.Included) {
		if r == nil {
			return nil, errUnreadable
		}
		cleanAll(r.Attributes)
	}
	for _, r := range raw.Included {
		d.included[r.ref] = r
	}
	for name, link := range raw.Links {
		if s, ok := link.(string); ok {
			d.links[name] = s
		}
	}
	return d, nil
}

// read reads a document: one resource, or a list.
func (c *call) read(ctx context.Context, path string, query url.Values) (*document, error) {
	body, err := c.api.Read(ctx, path, query)
	if err != nil {
		return nil, err
	}
	return parseDocument(body)
}

// readOne reads one resource with its includes.
func (c *call) readOne(ctx context.Context, path, id, include string) (*resource, *document, error) {
	d, err := c.read(ctx, path+"/"+id, url.Values{"include": {include}})
	if err != nil {
		return nil, nil, err
	}
	return d.list[0], d, nil
}

// maxPages bounds what one call reads of a list, 100 rows a page.
const maxPages = 5

// readAll reads a list to its end, or maxPages pages. all reports whether that was the end.
func (c *call) readAll(ctx context.Context, path string, query url.Values) (d *document, all bool, err error) {
	query = maps.Clone(query)
	query.Set("page[size]", "100")
	for page := 1; ; page++ {
		query.Set("page[number]", fmt.Sprint(page))
		next, err := c.read(ctx, path, query)
		if err != nil {
			return nil, false, err
		}
		if d == nil {
			d = next
		} else {
			d.list = append(d.list, next.list...)
			maps.Copy(d.included, next.included)
		}
		if next.links["next"] == "" {
			return d, true, nil
		}
		if page == maxPages {
			return d, false, nil
		}
	}
}

// total is the number of matching records, as the server counts them.
func (d *document) total() int {
	n, _ := d.meta["total"].(float64)
	return int(n)
}

// one returns the included resource of a relationship, or nil.
func (d *document) one(r *resource, name string) *resource {
	if r == nil {
		return nil
	}
	to, ok := r.to(name)
	if !ok {
		return nil
	}
	return d.included[to]
}

// many returns the included resources of a relationship.
func (d *document) many(r *resource, name string) (list []*resource) {
	for _, to := range r.toMany(name) {
		if found := d.included[to]; found != nil {
			list = append(list, found)
		}
	}
	return list
}

// to returns whom a relationship names.
func (r *resource) to(name string) (to ref, ok bool) {
	if json.Unmarshal(r.Relationships[name].Data, &to) != nil {
		return ref{}, false
	}
	return to, to.ID != ""
}

func (r *resource) toMany(name string) (list []ref) {
	_ = json.Unmarshal(r.Relationships[name].Data, &list) // not a list: none
	return list
}

// text returns an attribute that is a text; nil for null and without one.
func (r *resource) text(name string) *string {
	if r == nil {
		return nil
	}
	if s, ok := r.Attributes[name].(string); ok {
		return &s
	}
	return nil
}

// str is text with "" for null.
func (r *resource) str(name string) string {
	if s := r.text(name); s != nil {
		return *s
	}
	return ""
}

func (r *resource) number(name string) *float64 {
	if r == nil {
		return nil
	}
	if n, ok := r.Attributes[name].(float64); ok {
		return &n
	}
	return nil
}

// flag returns an attribute that is true or false; nil for null and without one.
func (r *resource) flag(name string) *bool {
	if b, ok := r.Attributes[name].(bool); ok {
		return &b
	}
	return nil
}

// is reports whether an attribute is true.
func (r *resource) is(name string) bool { b := r.flag(name); return b != nil && *b }

// time returns an attribute that is a time; zero for null.
func (r *resource) time(name string) time.Time {
	at, _ := time.Parse(time.RFC3339, r.str(name))
	return at
}

// texts returns a list of texts, never nil.
func (r *resource) texts(name string) []string {
	list := []string{}
	if r == nil {
		return list
	}
	all, _ := r.Attributes[name].([]any)
	for _, v := range all {
		if s, ok := v.(string); ok {
			list = append(list, s)
		}
	}
	return list
}

// objects returns a list of objects; nil for null.
func (r *resource) objects(name string) []map[string]any {
	all, ok := r.Attributes[name].([]any)
	if !ok {
		return nil
	}
	list := []map[string]any{}
	for _, v := range all {
		if o, ok := v.(map[string]any); ok {
			list = append(list, o)
		}
	}
	return list
}
