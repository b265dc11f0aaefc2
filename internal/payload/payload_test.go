package payload_test

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
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
		p := notification.Pack(row.documents, nil)
		if p.Deflated != row.deflated || p.Omitted != row.omitted {
			t.Errorf("%d bytes: deflated %t, omitted %t", len(row.documents), p.Deflated, p.Omitted)
		}
		want := row.documents
		back, err := p.Append(nil, nil)
		if err != nil {
			t.Error(err)
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
	damaged := payload.Included{Bytes: []byte("damaged"), Deflated: true}
	if _, err := damaged.Append(nil, nil); err == nil {
		t.Error("damaged documents are inflated")
	}
}

// Documents come back with the base that they were packed with, also when it is larger than
// the window of the compression, and are smaller for it; those that an earlier program has
// packed without a dictionary come back too.
func TestPackWithBase(t *testing.T) {
	documents := func(size int) []byte {
		list := []byte{'['}
		for i := 0; len(list) < size; i++ {
			sum := sha256.Sum256([]byte{byte(i), byte(i >> 8)})
			list = fmt.Appendf(list, `{"id":"%x","type":"container"},`, sum)
		}
		return append(list[:len(list)-1], ']')
	}
	for _, size := range []int{2_000, 20_000, 100_000} {
		of := documents(size)
		alone, base := notification.Pack(of, nil), payload.Base(of)
		p := notification.Pack(of, base)
		if back, err := p.Append([]byte("before"), base); err != nil || string(back) != "before"+string(of) {
			t.Errorf("%d bytes come back as %d, %v", len(of), len(back), err)
		}
		if size <= 20_000 && len(p.Bytes) > len(alone.Bytes)/10 {
			t.Errorf("%d bytes take %d, without a base %d", len(of), len(p.Bytes), len(alone.Bytes))
		}
	}
	var plain bytes.Buffer
	w, err := flate.NewWriter(&plain, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(documents(2_000)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	earlier := payload.Included{Bytes: plain.Bytes(), Deflated: true}
	if back, err := earlier.Append(nil, nil); err != nil || !bytes.Equal(back, documents(2_000)) {
		t.Errorf("documents of an earlier program come back as %d bytes, %v", len(back), err)
	}
	later := payload.Included{Bytes: plain.Bytes(), Deflated: true, Dictionary: 2}
	if _, err := later.Append(nil, nil); err == nil {
		t.Error("documents with an unknown dictionary are inflated")
	}
}

// What is stored refers to the dictionary.
func TestDictionaryNeverChanges(t *testing.T) {
	dictionary, err := os.ReadFile("dictionary1.txt")
	if sum := fmt.Sprintf("%x", sha256.Sum256(dictionary)); err != nil || sum != "358ea2e83cacaf21d4708052a4b2fe448d95167c51755cb5bdbe78d146617885" {
		t.Errorf("dictionary1.txt is another one, %s: add a dictionary with the next number", sum)
	}
	for size, want := range map[int]string{100: "3d17f43c256c6a7f2ef2f7650556ba356a35c69db111abcf30543cd596f45590", 40_000: "427965f49a857174e308658227325dbd23ff4eccbe399d5ad4817dda3ec79f87"} {
		if sum := fmt.Sprintf("%x", sha256.Sum256(payload.Base(bytes.Repeat([]byte("x"), size)))); sum != want {
			t.Errorf("Base of %d bytes is another one, %s: add a dictionary with the next number", size, sum)
		}
	}
}
