// Package seen5 has papers that authors of rules may study, with what is wrong on them. They were
// unseen2, the second set by which the rules were judged, until 2026-11-30: docs/corpus.md has the
// figures.
package seen5

import "embed"

// Part is the name of this part.
const Part = "seen5"

// Content has the directory as papers.Read takes it.
//
//go:embed MANIFEST files
var Content embed.FS
