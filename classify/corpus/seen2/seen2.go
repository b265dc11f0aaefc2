// Package seen2 has papers that authors of rules may study. Until they were first studied they were
// unseen1, the first set by which the rules were judged; docs/corpus.md has the figures.
package seen2

import "embed"

// Part is the name of this part.
const Part = "seen2"

// Content has the directory as papers.Read takes it.
//
//go:embed MANIFEST files
var Content embed.FS
