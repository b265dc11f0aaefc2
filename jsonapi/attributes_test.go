package jsonapi_test

import (
	"encoding/json"
	"testing"

	"github.com/landfallhq/tracking/jsonapi"
)

// TestAttributes: attributes that stand apart from a document come behind its own.
func TestAttributes(t *testing.T) {
	for _, tt := range []struct {
		doc, first, second, want string
	}{
		{`{"id":"1","attributes":{"a":1}}`, ``, ``, `{"id":"1","attributes":{"a":1},"links":{"self":"/x/1"}}`},
		{`{"id":"1","attributes":{"a":1}}`, `"b":2`, `"c":{},"d":3`, `{"id":"1","attributes":{"a":1,"b":2,"c":{},"d":3},"links":{"self":"/x/1"}}`},
		{`{"id":"1","attributes":{}}`, ``, `"c":3`, `{"id":"1","attributes":{"c":3},"links":{"self":"/x/1"}}`},
		{`{"id":"1","attributes":{"a":{}}}`, `"b":2`, ``, `{"id":"1","attributes":{"a":{},"b":2},"links":{"self":"/x/1"}}`},
	} {
		row := jsonapi.Raw{Doc: []byte(tt.doc), Self: "/x/", Attributes: [2][]byte{[]byte(tt.first), []byte(tt.second)}}
		if got, want := string(jsonapi.AppendSingle(nil, row, nil, "")), `{"data":`+tt.want+`}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		row.Self = ""
		if got := string(jsonapi.AppendSingle(nil, row, nil, "")); !json.Valid([]byte(got)) {
			t.Errorf("without links: %s", got)
		}
	}
}
