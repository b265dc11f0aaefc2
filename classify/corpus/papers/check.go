package papers

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// Least is what a part has at least.
type Least struct {
	Files   map[string]int // by group
	OfType  int            // documents of each type
	Layouts int
}

// Check reads a part. Its error says what it has too little of, which papers have too few fields or
// rows, a name twice, an attachment that is not there, or documents that are not all pages of their
// bundle, and whether the part has more bytes than a repository should.
func Check(part string, content fs.FS, least Least) error {
	const mostBytes = 26e6
	all, err := Read(part, content)
	if err != nil {
		return err
	}
	files, types, layouts, names := map[string]int{}, map[string]int{}, map[string]bool{}, map[string]bool{}
	size := 0
	var wrong []error
	for _, p := range all {
		files[p.Group]++
		size += len(p.Content)
		wrong = append(wrong, p.check()...)
		for _, d := range p.Documents {
			types[d.Type]++
			layouts[d.Layout] = true
			if names[d.Name] {
				wrong = append(wrong, fmt.Errorf("%s: there are two", d.Name))
			}
			names[d.Name] = true
		}
	}
	for group, n := range least.Files {
		if files[group] < n {
			wrong = append(wrong, fmt.Errorf("group %s has %d files, want %d", group, files[group], n))
		}
	}
	for _, typ := range truth.Types {
		if types[typ] < least.OfType {
			wrong = append(wrong, fmt.Errorf("%d documents of the type %s, want %d", types[typ], typ, least.OfType))
		}
	}
	if len(layouts) < least.Layouts || size > mostBytes {
		wrong = append(wrong, fmt.Errorf("%d layouts, want %d; %d bytes, want %.0f at most", len(layouts), least.Layouts, size, mostBytes))
	}
	return errors.Join(wrong...)
}

// check returns what is wrong with a paper.
func (p Paper) check() (wrong []error) {
	const leastFields, leastRows = 4, 40
	next := 1
	for _, d := range p.Documents {
		if d.Type != truth.Other && len(d.Fields) < leastFields {
			wrong = append(wrong, fmt.Errorf("%s: only %d fields", d.Name, len(d.Fields)))
		}
		if d.Attachment != "" {
			if content, err := p.Attached(d.Attachment); err != nil || len(content) == 0 {
				wrong = append(wrong, fmt.Errorf("%s: %d bytes, %w", d.Name, len(content), err))
			}
		}
		if p.Group == "g" && (d.Pages[0] != next || d.Pages[1] < next) {
			wrong = append(wrong, fmt.Errorf("%s: pages %v, want from %d", d.Name, d.Pages, next))
		}
		next = d.Pages[1] + 1
	}
	if p.Group == "g" && next != p.Pages+1 {
		wrong = append(wrong, fmt.Errorf("%s: the documents have %d pages of %d", p.File, next-1, p.Pages))
	}
	if rows, _ := p.Documents[0].Fields["containers"].([]truth.Fields); p.Group == "f" && (len(rows) < leastRows || p.Pages < 2) {
		wrong = append(wrong, fmt.Errorf("%s: %d rows, %d pages", p.File, len(rows), p.Pages))
	}
	return wrong
}

// Sum is that of the manifest of a part, in hexadecimal: it changes with any file.
func Sum(dir fs.FS) (string, error) {
	text, err := fs.ReadFile(dir, "MANIFEST")
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}
