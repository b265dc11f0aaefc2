// Package papers reads parts of the corpus that are kept as files, not drawn anew: PDFs of
// several programs, scans, sheets and mails, which no two machines draw alike.
//
// A part is a directory "files" with each file and its truth, NAME.json, and a MANIFEST of
// SHA-256 sums in the form of sha256sum. The truth of a file has its group, its producer,
// its number of pages, and its documents: usually one, several in a bundle or a mail.
package papers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// Paper is one file of a part.
type Paper struct {
	File      string     `json:"file"`     // its name, with extension
	Group     string     `json:"group"`    // a letter; docs/corpus.md says what it stands for
	Producer  string     `json:"producer"` // the program that made it, and what was done to it
	Pages     int        `json:"pages"`    // 1 for a sheet or a mail
	Documents []Document `json:"documents"`

	Content []byte `json:"-"`
}

// Document is one document of a file.
type Document struct {
	truth.Document

	// Pages are the first and the last page in a file of several documents, from 1; else zero.
	Pages [2]int
	// Attachment is the file name of the attachment of a mail that has it; empty for the body,
	// and for files that are no mails.
	Attachment string
	// Unjudged are fields of the type whose value people would dispute on this paper.
	Unjudged []string
}

// UnmarshalJSON reads the truth of a document: a text, an object of a party or of the readings
// of a date, or an array of the rows of a list.
func (d *Document) UnmarshalJSON(text []byte) error {
	var raw struct {
		Name, Type, Layout, Attachment string
		Pages                          [2]int
		Unjudged                       []string
		Fields                         map[string]json.RawMessage
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	fields, err := fields(raw.Fields)
	if err != nil {
		return fmt.Errorf("%s: %w", raw.Name, err)
	}
	d.Document = truth.Document{Name: raw.Name, Layout: raw.Layout, Type: raw.Type, Fields: fields}
	d.Pages, d.Attachment, d.Unjudged = raw.Pages, raw.Attachment, raw.Unjudged
	return nil
}

func fields(raw map[string]json.RawMessage) (truth.Fields, error) {
	all := truth.Fields{}
	for name, text := range raw {
		v, err := value(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[name] = v
	}
	return all, nil
}

func value(text json.RawMessage) (any, error) {
	switch text[0] {
	case '"':
		var s string
		return s, json.Unmarshal(text, &s)
	case '[':
		var raw []map[string]json.RawMessage
		if err := json.Unmarshal(text, &raw); err != nil {
			return nil, err
		}
		var rows []truth.Fields
		for _, r := range raw {
			row, err := fields(r)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
		return rows, nil
	default:
		var object struct {
			truth.Company
			Either truth.Readings
		}
		if err := json.Unmarshal(text, &object); err != nil {
			return nil, err
		}
		if object.Either != nil {
			return object.Either, nil
		}
		return object.Company, nil
	}
}

// Read returns all files of a part, in the order of their names. It fails unless each has the
// sum that the manifest says, and a truth in normal form.
func Read(part string, dir fs.FS) ([]Paper, error) {
	sums, err := manifest(dir)
	if err != nil {
		return nil, err
	}
	truths, err := fs.Glob(dir, "files/*.json")
	if err != nil {
		return nil, err
	}
	var all []Paper
	for _, name := range truths {
		p, err := read(part, dir, name, sums)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, p)
	}
	for name := range sums {
		return nil, fmt.Errorf("%s: in the manifest, but not read", name)
	}
	return all, nil
}

func read(part string, dir fs.FS, name string, sums map[string]string) (p Paper, err error) {
	text, err := checked(dir, path.Base(name), sums)
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return p, err
	}
	if p.Content, err = checked(dir, p.File, sums); err != nil {
		return p, err
	}
	if p.Group == "" || p.Pages < 1 || len(p.Documents) == 0 {
		return p, fmt.Errorf("group %q, %d pages, %d documents", p.Group, p.Pages, len(p.Documents))
	}
	for i := range p.Documents {
		d := &p.Documents[i]
		d.Part = part
		if err := truth.Check(d.Document); err != nil {
			return p, fmt.Errorf("%s: %w", d.Name, err)
		}
	}
	return p, nil
}

// checked returns the bytes of a file, and strikes it off the sums that are left to check.
func checked(dir fs.FS, name string, sums map[string]string) ([]byte, error) {
	content, err := fs.ReadFile(dir, "files/"+name)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	if got := hex.EncodeToString(sum[:]); got != sums[name] {
		return nil, fmt.Errorf("%s has the sum %s, the manifest says %q", name, got, sums[name])
	}
	delete(sums, name)
	return content, nil
}

// manifest returns the sums by file name.
func manifest(dir fs.FS) (map[string]string, error) {
	text, err := fs.ReadFile(dir, "MANIFEST")
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(bytes.TrimSpace(text))) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok {
			return nil, fmt.Errorf("MANIFEST: no sum and name: %q", line)
		}
		sums[name] = sum
	}
	return sums, nil
}
