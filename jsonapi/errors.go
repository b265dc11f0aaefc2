package jsonapi

import (
	"bytes"
	"encoding/json"
)

// Error is one error object. Empty members are omitted.
type Error struct {
	// Status is the HTTP status, as a string: "422".
	Status string `json:"status,omitempty"`
	// Code is a stable code for programs.
	Code string `json:"code,omitempty"`
	// Title is the kind of problem. It is the same for every occurrence.
	Title string `json:"title,omitempty"`
	// Detail is a sentence about this occurrence.
	Detail string `json:"detail,omitempty"`
	// Source is the part of the request that caused the error.
	Source *Source `json:"source,omitempty"`
	// Meta is additional data for programs.
	Meta map[string]any `json:"meta,omitempty"`
}

// Source locates an error in a request. Empty members are omitted.
type Source struct {
	// Pointer is a JSON Pointer into the body.
	Pointer string `json:"pointer,omitempty"`
	// Parameter is the name of a query parameter.
	Parameter string `json:"parameter,omitempty"`
}

// AppendErrors appends the document {"errors":[...]}. A Meta that cannot be encoded
// is omitted, so that the error is still reported.
func AppendErrors(dst []byte, errs []Error) []byte {
	dst = append(dst, `{"errors":[`...)
	for i, e := range errs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendError(dst, e)
	}
	return append(dst, "]}"...)
}

func appendError(dst []byte, e Error) []byte {
	dst = append(dst, '{')
	start := len(dst)
	dst = appendMember(dst, start, "status", e.Status)
	dst = appendMember(dst, start, "code", e.Code)
	dst = appendMember(dst, start, "title", e.Title)
	dst = appendMember(dst, start, "detail", e.Detail)
	if e.Source != nil && *e.Source != (Source{}) {
		dst = appendName(dst, start, "source")
		dst = append(dst, '{')
		inner := len(dst)
		dst = appendMember(dst, inner, "pointer", e.Source.Pointer)
		dst = appendMember(dst, inner, "parameter", e.Source.Parameter)
		dst = append(dst, '}')
	}
	if len(e.Meta) > 0 {
		var meta bytes.Buffer
		enc := json.NewEncoder(&meta)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(e.Meta); err == nil {
			dst = appendName(dst, start, "meta")
			dst = append(dst, bytes.TrimSuffix(meta.Bytes(), []byte("\n"))...)
		}
	}
	return append(dst, '}')
}

// appendMember appends a member unless its value is empty; start is the offset of the
// object's first member.
func appendMember(dst []byte, start int, name, value string) []byte {
	if value == "" {
		return dst
	}
	return AppendString(appendName(dst, start, name), value)
}

func appendName(dst []byte, start int, name string) []byte {
	if len(dst) > start {
		dst = append(dst, ',')
	}
	dst = append(dst, '"')
	dst = append(dst, name...)
	return append(dst, `":`...)
}
