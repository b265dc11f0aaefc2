package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/classify/extract/hostile"
)

const notice = `
                    ARRIVAL NOTICE

B/L No.:     MAEU123456789        Vessel / Voyage:  CAPE HERON / 123E
ETA:         04 MAR 2026          Last free day:    09 MAR 2026
Container:   CSQU 305438-3
`

func TestDocumentsClassify(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text, scan := put("notice.txt", []byte(notice)), ""
	for _, f := range hostile.Files() {
		if f.Name == "without-text.pdf" {
			scan = put(f.Name, f.Make())
		}
	}
	out := must(t, "documents", "classify", text)
	for _, word := range []string{"arrival_notice (0.9", "MAEU123456789", "2026-03-09", "containers[1].number", "CSQU3054383"} {
		if !strings.Contains(out, word) {
			t.Errorf("no %q in\n%s", word, out)
		}
	}

	lines := strings.Split(must(t, "documents", "classify", "--json", text, scan), "\n")
	var first, second struct {
		Type  *string         `json:"document_type"`
		Notes string          `json:"classification_notes"`
		Raw   json.RawMessage `json:"fields"`
	}
	if len(lines) != 2 || json.Unmarshal([]byte(lines[0]), &first) != nil || json.Unmarshal([]byte(lines[1]), &second) != nil {
		t.Fatalf("not two lines of JSON: %q", lines)
	}
	if first.Type == nil || *first.Type != "arrival_notice" || !strings.Contains(string(first.Raw), `"eta":{"value":"04 MAR 2026","normalized":"2026-03-04"`) {
		t.Errorf("the notice: %s", lines[0])
	}
	if second.Type != nil || !strings.HasPrefix(second.Notes, "unreadable: ") {
		t.Errorf("a file without text: %s", lines[1])
	}

	run(t, "documents", "classify").refused(t, 2, "needs FILE")
	run(t, "documents", "classify", "--type", "novel", text).refused(t, 2, "--type", "novel", "bill_of_lading")
	if r := run(t, "documents", "classify", put("empty.pdf", nil), text); r.code != 1 || !strings.Contains(r.stderr, "The file is empty.") || !strings.Contains(r.stderr, "1 of 2") || !strings.Contains(r.stdout, "arrival_notice") {
		t.Errorf("one of two cannot be read: %+v", r)
	}
}
