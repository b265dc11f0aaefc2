// Package seen4 has papers that authors of rules may study, with what is wrong on them. They were
// unseen until 2026-11-30: docs/corpus.md has what rules reached on them by then, and how such
// papers are judged.
package seen4

import "embed"

// Part is the name of this part.
const Part = "seen4"

// Content has the directory as papers.Read takes it.
//
//go:embed MANIFEST files
var Content embed.FS
