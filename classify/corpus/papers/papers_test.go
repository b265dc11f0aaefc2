package papers_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/landfallhq/tracking/classify/corpus/papers"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

const bill = `{"file": "x-1.pdf", "group": "x", "producer": "by hand", "pages": 3, "documents": [
 {"name": "x-1-1", "type": "bill_of_lading", "layout": "l", "pages": [1, 2], "unjudged": ["description"], "fields": {
  "bl_number": "MAEU1", "shipper": {"name": "KESTREL", "address": "LEEDS"}, "issue_date": {"either": ["2026-03-04", "2026-04-03"]},
  "containers": [{"number": "CSQU3054383"}]}},
 {"name": "x-1-2", "type": "freight_invoice", "layout": "m", "pages": [3, 3], "fields": {"due_date": "2026-03-04"}}]}`

// part makes a part of the files, with their true sums.
func part(files map[string]string) fstest.MapFS {
	dir, manifest := fstest.MapFS{}, ""
	for name, content := range files {
		dir["files/"+name] = &fstest.MapFile{Data: []byte(content)}
		sum := sha256.Sum256([]byte(content))
		manifest += hex.EncodeToString(sum[:]) + "  " + name + "\n"
	}
	dir["MANIFEST"] = &fstest.MapFile{Data: []byte(manifest)}
	return dir
}

func TestRead(t *testing.T) {
	all, err := papers.Read("unseen9", part(map[string]string{"x-1.pdf": "%PDF-", "x-1.json": bill}))
	if err != nil {
		t.Fatal(err)
	}
	d := all[0].Documents[0]
	want := truth.Document{Name: "x-1-1", Part: "unseen9", Layout: "l", Type: truth.BillOfLading, Fields: truth.Fields{
		"bl_number": "MAEU1", "shipper": truth.Company{Name: "KESTREL", Address: "LEEDS"}, "issue_date": truth.Readings{"2026-03-04", "2026-04-03"},
		"containers": []truth.Fields{{"number": "CSQU3054383"}},
	}}
	if !reflect.DeepEqual(d.Document, want) || d.Pages != [2]int{1, 2} || d.Unjudged[0] != "description" || string(all[0].Content) != "%PDF-" {
		t.Errorf("%+v", d)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, dir := range map[string]fstest.MapFS{
		"another sum":     part(map[string]string{"x-1.pdf": "%PDF-", "x-1.json": bill}),
		"a file too many": part(map[string]string{"x-1.pdf": "%PDF-", "x-1.json": bill, "x-2.pdf": "%PDF-"}),
		"no file":         part(map[string]string{"x-1.json": bill}),
		"no such field":   part(map[string]string{"x-1.pdf": "%PDF-", "x-1.json": strings.Replace(bill, "due_date", "due", 1)}),
		"no group":        part(map[string]string{"x-1.pdf": "%PDF-", "x-1.json": strings.Replace(bill, `"x",`, `"",`, 1)}),
	} {
		if name == "another sum" {
			dir["files/x-1.pdf"].Data = []byte("%PDF-1.7")
		}
		if _, err := papers.Read("unseen9", dir); err == nil {
			t.Errorf("%s: read", name)
		}
	}
}

func TestAttached(t *testing.T) {
	mail := papers.Paper{File: "m.eml", Content: []byte("Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nsee attached\r\n--b\r\n" +
		"Content-Disposition: attachment; filename=\"a.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBE\r\nRi0=\r\n--b--\r\n")}
	if got, err := mail.Attached("a.pdf"); err != nil || string(got) != "%PDF-" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := mail.Attached("b.pdf"); err == nil {
		t.Error("found what is not attached")
	}
}

func ExampleRead() {
	all, err := papers.Read("unseen9", part(map[string]string{"x-1.pdf": "%PDF-", "x-1.json": bill}))
	fmt.Println(len(all), all[0].Documents[1].Type, err)
	// Output: 1 freight_invoice <nil>
}
