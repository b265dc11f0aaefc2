// Package seen3 has papers that authors of rules may study. Until they were first studied they were
// unseen3, the third set by which the rules were judged; docs/corpus.md has the figures.
package seen3

import "embed"

// Part is the name of this part.
const Part = "seen3"

// Content has the directory as papers.Read takes it.
//
//go:embed MANIFEST files
var Content embed.FS
