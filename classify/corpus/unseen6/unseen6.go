// Package unseen6 is the sixth set of papers by which the reader of documents and its rules
// are judged.
//
// Authors of rules do not open this package: neither its files, nor their truth, nor the
// programs in draw that made them, nor reports with -mistakes. They are given the totals of
// "score -part unseen6" and nothing else. docs/corpus.md says how such papers are judged.
package unseen6

import "embed"

// Part is the name of this part.
const Part = "unseen6"

// Content has the directory as papers.Read takes it.
//
//go:embed MANIFEST files
var Content embed.FS
