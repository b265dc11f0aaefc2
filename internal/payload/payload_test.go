package payload_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/payload"
	"github.com/landfallhq/tracking/internal/record"
)

var (
	about        = record.Ref{Type: "document", ID: uuid.UUID{3}}
	notification = payload.Notification{ID: uuid.UUID{1}, Webhook: uuid.UUID{2}, Event: "document.extracted", CreatedAt: time.Unix(0, 0), Reference: about}
)

func TestRender(t *testing.T) {
	list := payload.AppendDocument([]byte{'['}, about.Type, about.ID, []byte(`{"id":"x"}`))
	list = payload.AppendDocument(append(list, ','), "no_path", about.ID, []byte(`{"id":"y"}`))
	const want = `{"data":{"id":"01000000-0000-0000-0000-000000000000","type":"webhook_notification",` +
		`"attributes":{"id":"01000000-0000-0000-0000-000000000000","event":"document.extracted","delivery_status":"pending","created_at":"1970-01-01T00:00:00Z","version":"0.2.0"},` +
		`"relationships":{"document":{"data":{"type":"document","id":"03000000-0000-0000-0000-000000000000"}},` +
		`"reference_object":{"data":{"type":"document","id":"03000000-0000-0000-0000-000000000000"}},` +
		`"webhook":{"data":{"type":"webhook","id":"02000000-0000-0000-0000-000000000000"}},"webhook_notification_logs":{"data":[]}},` +
		`"links":{"self":"/v2/webhook_notifications/01000000-0000-0000-0000-000000000000"}},` +
		`"included":[{"id":"x","links":{"self":"/v2/documents/03000000-0000-0000-0000-000000000000","download":"/v2/documents/03000000-0000-0000-0000-000000000000/download_url"}},{"id":"y","links":{}}]}`
	if got := string(notification.Render(append(list, ']'))); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestPack(t *testing.T) {
	around := len(notification.Render(nil))
	document := func(size int) []byte { return []byte(`["` + strings.Repeat("x", size-4) + `"]`) }
	for _, row := range []struct {
		documents         []byte
		deflated, omitted bool
	}{
		{[]byte("[]"), false, false},
		{document(1<<10 - 1), false, false},
		{document(1 << 10), true, false},
		{document(256<<10 - around), true, false},
		{document(256<<10 - around + 1), false, true},
		{nil, false, true},
	} {
		p := notification.Pack(row.documents)
		if p.Deflated != row.deflated || p.Omitted != row.omitted {
			t.Errorf("%d bytes: deflated %t, omitted %t", len(row.documents), p.Deflated, p.Omitted)
		}
		back, want := p.Bytes, row.documents
		if p.Deflated {
			var err error
			if back, err = payload.Inflate(p.Bytes); err != nil {
				t.Error(err)
			}
		}
		if p.Omitted {
			want = []byte("[]")
		}
		if !bytes.Equal(back, want) {
			t.Errorf("%d bytes come back as %d", len(row.documents), len(back))
		}
		n := notification
		n.Omitted = p.Omitted
		if body := n.Render(back); !json.Valid(body) || !p.Omitted && len(body) > 256<<10 || bytes.Contains(body, []byte("included_omitted")) != p.Omitted {
			t.Errorf("%d bytes: a body of %d, omitted %t", len(row.documents), len(body), p.Omitted)
		}
	}
	if _, err := payload.Inflate([]byte("damaged")); err == nil {
		t.Error("damaged documents are inflated")
	}
}
