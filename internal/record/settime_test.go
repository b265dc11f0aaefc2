package record_test

import (
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/record"
)

func TestSetTime(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 999, time.FixedZone("", 3600))
	for _, c := range []struct{ doc, want string }{
		{`{"id":"a","attributes":{"at":"2025-12-31T23:59:59Z","b":1}}`, `{"id":"a","attributes":{"at":"2026-03-02T08:00:00Z","b":1}}`},
		{`{"attributes":{"a":{"at":1},"s":"\"at\":1","at":null}}`, `{"attributes":{"a":{"at":1},"s":"\"at\":1","at":"2026-03-02T08:00:00Z"}}`},
		{`{"at":1,"relationships":{"at":{"data":null}},"attributes":{"at":"x"}}`, `{"at":1,"relationships":{"at":{"data":null}},"attributes":{"at":"2026-03-02T08:00:00Z"}}`},
		{`{"attributes":{"b":1}}`, `{"attributes":{"b":1}}`},
		{`{"id":"a"}`, `{"id":"a"}`},
		{`{"attributes":{"at":`, `{"attributes":{"at":`},
		{`null`, `null`},
		{``, ``},
	} {
		if got := string(record.SetTime([]byte(c.doc), "at", at)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.doc, got, c.want)
		}
	}
	if got := string(record.SetTime([]byte(`{"attributes":{"at":"2025-12-31T23:59:59Z"}}`), "at", time.Time{})); got != `{"attributes":{"at":null}}` {
		t.Errorf("no time: %s", got)
	}
}
