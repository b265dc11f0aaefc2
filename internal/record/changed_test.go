package record

import (
	"slices"
	"testing"
)

// TestChangedMembers compares documents whose members differ in value, order and number.
func TestChangedMembers(t *testing.T) {
	const doc = `{"id":"1","type":"a","relationships":{"user":{"data":null}},"attributes":{"a":1,"b":[{"c":"}"}],"d":null}}`
	for _, row := range []struct {
		after string
		want  []string
	}{
		{doc, nil},
		{`{"id":"1","type":"a","relationships":{"user":{"data":{"type":"user","id":"2"}}},"attributes":{"a":1,"b":[{"c":"}"}],"d":null}}`, []string{"user"}},
		{`{"id":"1","type":"a","relationships":{"user":{"data":null}},"attributes":{"a":2,"b":[{"c":"{"}],"d":null}}`, []string{"a", "b"}},
		{`{"id":"1","type":"a","relationships":{"user":{"data":null}},"attributes":{"d":null,"n":true,"a":1,"b":[{"c":"}"}]}}`, []string{"n"}},
		{`{"id":"1","type":"a","attributes":{"d":1}}`, []string{"d"}},
		{`no document`, nil},
	} {
		if got := ChangedMembers([]byte(doc), []byte(row.after)); !slices.Equal(got, row.want) {
			t.Errorf("%s: %q, not %q", row.after, got, row.want)
		}
	}
	if got := ChangedMembers([]byte("{}"), []byte(doc)); !slices.Equal(got, []string{"user", "a", "b", "d"}) {
		t.Errorf("all members are new: %q", got)
	}
}
