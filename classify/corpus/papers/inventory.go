package papers

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// Inventory counts the papers of a part.
type Inventory struct {
	Files, Types map[string]int // by group, and by type of document
	Layouts      int
	Size         int // bytes
}

// Take counts papers. Its error says which have too few fields or rows, a name twice, an
// attachment that is not there, or documents that are not all pages of their bundle.
func Take(all []Paper) (Inventory, error) {
	inv := Inventory{Files: map[string]int{}, Types: map[string]int{}}
	layouts, names := map[string]bool{}, map[string]bool{}
	var wrong []error
	for _, p := range all {
		inv.Files[p.Group]++
		inv.Size += len(p.Content)
		wrong = append(wrong, p.check()...)
		for _, d := range p.Documents {
			inv.Types[d.Type]++
			layouts[d.Layout] = true
			if names[d.Name] {
				wrong = append(wrong, fmt.Errorf("%s: there are two", d.Name))
			}
			names[d.Name] = true
		}
	}
	inv.Layouts = len(layouts)
	return inv, errors.Join(wrong...)
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
