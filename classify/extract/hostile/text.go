package hostile

import (
	"bytes"
	"strings"
)

// texts are plain text.
func texts() []File {
	return []File{
		{"latin-1.txt", func() []byte { return bytes.Repeat([]byte("caf\xe9 "), 5<<20) }, false},
		{"one-word.txt", func() []byte { return bytes.Repeat([]byte("1.2/"), 6<<20) }, false},
		{"one-short-word.txt", func() []byte { return bytes.Repeat([]byte("1.2/"), 50<<10) }, false},
		{"half-characters.txt", func() []byte { return []byte("\xff\xfe" + strings.Repeat("\x00\xd8A\x00 \x00", 10_000) + "\x00") }, false},
		{"form-feeds.txt", func() []byte { return []byte("text" + strings.Repeat("\f", 200_000)) }, false},
		{"tabs.txt", func() []byte { return []byte(strings.Repeat("\t", 200_000) + "text") }, false},
		{"lines.txt", func() []byte { return []byte(strings.Repeat("\n", 200_000) + "text") }, false},
		{"marks-over-letters.txt", func() []byte { return []byte("a" + strings.Repeat("\u0301", 100_000) + strings.Repeat("\u202e", 1000)) }, false},
		{"words.csv", func() []byte { return []byte(strings.Repeat("a,b;c\n\"", 30_000)) }, false},
	}
}
