package record_test

import (
	"testing"

	"github.com/landfallhq/tracking/internal/record"
)

func TestAppendAttributes(t *testing.T) {
	const id = `{"id":"x","type":"t",`
	if got := string(record.AppendAttributes(nil, []byte(id+`"attributes":{}}`), nil, []byte(`{"attributes":{"a":1}}`), []byte(`{"attributes":{"b":2}}`))); got != id+`"attributes":{"a":1,"b":2}}` {
		t.Errorf("with several documents it is %s", got)
	}
	for _, tt := range []struct{ doc, from, want string }{
		{id + `"attributes":{"a":{"b":1}}}`, `{"attributes":{"c":[2],"d":null}}`, id + `"attributes":{"a":{"b":1},"c":[2],"d":null}}`},
		{id + `"attributes":{}}`, `{"attributes":{"c":2}}`, id + `"attributes":{"c":2}}`},
		{id + `"attributes":{"a":1}}`, `{"attributes":{}}`, id + `"attributes":{"a":1}}`},
		{id + `"attributes":null}`, `{"attributes":{"c":2}}`, id + `"attributes":null}`},
		{id + `"relationships":{}}`, `{"attributes":{"c":2}}`, id + `"relationships":{}}`},
		{`no document`, `{"attributes":{"c":2}}`, `no document`},
	} {
		if got := record.AppendAttributes(nil, []byte(tt.doc), []byte(tt.from)); string(got) != tt.want {
			t.Errorf("%s with %s is %s", tt.doc, tt.from, got)
		}
	}
}
