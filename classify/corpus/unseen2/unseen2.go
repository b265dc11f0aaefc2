// Package unseen2 is the second set of papers by which the reader of documents and its rules
// are judged.
//
// Authors of rules do not open this package: neither its files, nor their truth, nor the
// programs in draw that made them, nor reports with -mistakes. They are given the totals of
// "score -part unseen2" and nothing else. docs/corpus.md says how such papers are judged.
package unseen2

import (
	"embed"
	"io/fs"

	"github.com/landfallhq/tracking/classify/corpus/papers"
)

//go:embed MANIFEST files
var content embed.FS

// Content has the directory as [papers.Read] takes it.
var Content fs.FS = content

// Part is the name of this part.
const Part = "unseen2"

// Papers returns all files with their truth. An error says that a file is not as it was frozen.
func Papers() ([]papers.Paper, error) { return papers.Read(Part, content) }

// Manifest returns the sums of all files, in the form of sha256sum.
func Manifest() ([]byte, error) { return fs.ReadFile(content, "MANIFEST") }
