package mail

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

// notification is what an e-mail shows of the document of a notification.
type notification struct {
	event     string
	reference identifier
	included  []resource
	digest    *tracking.Digest
}

// identifier names a resource.
type identifier struct{ Type, ID string }

// resource is an included resource.
type resource struct {
	identifier
	Attributes    map[string]any
	Relationships map[string]relationship
}

type relationship struct{ Data json.RawMessage }

func readNotification(body []byte) (*notification, error) {
	var doc struct {
		Data struct {
			Attributes    struct{ Event string }
			Relationships map[string]relationship
		}
		Included []json.RawMessage
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, fmt.Errorf("the document of a notification: %w", err)
	}
	n := &notification{event: doc.Data.Attributes.Event}
	n.reference, _ = identifierOf(doc.Data.Relationships["reference_object"].Data)
	for _, one := range doc.Included {
		var r resource
		if err := json.Unmarshal(one, &r); err != nil {
			return nil, fmt.Errorf("an included document: %w", err)
		}
		if r.Type == "digest" {
			var d struct{ Attributes tracking.Digest }
			if err := json.Unmarshal(one, &d); err != nil {
				return nil, fmt.Errorf("the digest: %w", err)
			}
			n.digest = &d.Attributes
		}
		n.included = append(n.included, r)
	}
	return n, nil
}

func identifierOf(data json.RawMessage) (id identifier, ok bool) {
	return id, json.Unmarshal(data, &id) == nil && id.ID != ""
}

// find returns an included resource; an empty one if it is not included.
func (n *notification) find(id identifier) resource {
	if i := slices.IndexFunc(n.included, func(r resource) bool { return r.identifier == id }); i >= 0 {
		return n.included[i]
	}
	return resource{identifier: id}
}

// related returns the resource that a relationship of the reference object names, or else the first
// included one of a type; an empty one if there is none.
func (n *notification) related(name, typ string) resource {
	if id, ok := identifierOf(n.find(n.reference).Relationships[name].Data); ok {
		return n.find(id)
	}
	if i := slices.IndexFunc(n.included, func(r resource) bool { return r.Type == typ }); typ != "" && i >= 0 {
		return n.included[i]
	}
	return resource{}
}

// text returns an attribute as text; empty if it has none.
func (r resource) text(name string) string {
	switch v := r.Attributes[name].(type) {
	case string:
		return v
	case []any:
		words := make([]string, 0, len(v))
		for _, one := range v {
			if s, ok := one.(string); ok {
				words = append(words, s)
			}
		}
		return strings.Join(words, ", ")
	}
	return ""
}

// time returns an attribute as a time; the zero time if it is none.
func (r resource) time(name string) time.Time {
	at, err := time.Parse(time.RFC3339, r.text(name))
	if err != nil {
		return time.Time{}
	}
	return at
}
