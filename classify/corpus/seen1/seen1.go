// Package seen1 has papers that authors of rules may study: as those of seen5, by other
// authors, who had not seen the rules. docs/corpus.md says what they are.
package seen1

import "embed"

// Part is the name of this part.
const Part = "seen1"

// Content has the directory as papers.Read takes it.
//
//go:embed MANIFEST files
var Content embed.FS
