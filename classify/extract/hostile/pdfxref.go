package hostile

import (
	"bytes"
	"fmt"
	"strings"
)

// crossReferences are PDFs whose tables of objects, or encryption, are hostile.
func crossReferences() []File {
	return []File{
		{"object-stream-in-itself.pdf", xrefStream("/W[1 2 1]/Index[3 2]", "\x02\x00\x04\x00\x02\x00\x04\x00", "/Type/ObjStm/N 2/First 8", "3 0 4 9 <</A 1>> <</B 2>>"), false},
		{"object-stream-of-a-bomb.pdf", func() []byte {
			return xrefStream("/W[1 2 1]/Index[3 2]", "\x02\x00\x04\x00\x02\x00\x04\x01", "/Type/ObjStm/N 2000000000/First 2000000000/Filter/FlateDecode", string(deflate(repeat("3 0 ", bomb/16))))()
		}, false},
		{"xref-stream-of-wide-entries.pdf", xrefStream("/W[2000000000 2000000000 2000000000]", "\x01\x00\x00", "", ""), false},
		{"xref-stream-of-two-billion.pdf", xrefStream("/W[1 2 1]/Index[0 2147483647 -5 2147483647]", "\x01\x00\x00\x00", "", ""), false},
		{"a-thousand-updates.pdf", updates, false},
		{"references-in-a-circle.pdf", func() []byte {
			return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>", "<</Type/Page/Parent 2 0 R/MediaBox 4 0 R/Resources 5 0 R/Contents 4 0 R>>", "5 0 R", "4 0 R")
		}, false},
		{"start-beyond-the-end.pdf", func() []byte {
			return []byte("%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 1 0 R>>\nendobj\ntrailer<</Root 1 0 R>>\nstartxref\n99999999999999999999\n%%EOF")
		}, false},
		{"catalog-of-itself.pdf", func() []byte { return objects("<</Type/Catalog/Pages 1 0 R/Count 1/Kids[1 0 R]>>") }, false},
		{"linearized-by-a-liar.pdf", func() []byte {
			b := document(page(text("HOUSE BILL OF LADING")))
			return bytes.Replace(b, []byte("1 0 obj\n"), []byte("9 0 obj\n<</Linearized 1/L 99/H[4294967295 4294967295]/O 4294967295/E 4294967295/N 4294967295/T 4294967295>>\nendobj\n1 0 obj\n"), 1)
		}, false},
		{"a-hundred-thousand-headers.pdf", func() []byte { return bytes.Repeat([]byte("%PDF-1.7\n1 0 obj\n"), 100_000) }, false},
		{"key-of-two-billion-bits.pdf", encryption("/Filter/Standard/V 4/R 4/Length 2000000000/CF<</StdCF<</CFM/AESV2/Length 2000000000>>>>/StmF/StdCF/StrF/StdCF"), false},
		{"unknown-encryption.pdf", encryption("/Filter/Unknown/V 9/R 99"), false},
		{"encryption-of-itself.pdf", func() []byte {
			return file("/Encrypt 3 0 R/ID[3 0 R 3 0 R]", "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 0/Kids[]>>", "3 0 R")
		}, false},
	}
}

// xrefStream is a file whose objects from the third are found by a stream, in an object that
// has other entries and content.
func xrefStream(entries, table, ofObject, inObject string) func() []byte {
	return func() []byte {
		var b bytes.Buffer
		b.WriteString("%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 3 0 R>>\nendobj\n4 0 obj\n" + stream(ofObject, inObject) + "\nendobj\n")
		start := b.Len()
		fmt.Fprintf(&b, "5 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n", stream("/Type/XRef/Size 6/Root 1 0 R"+entries, table), start)
		return b.Bytes()
	}
}

// updates is a file that was changed 1,000 times, each time by a table without objects.
func updates() []byte {
	b := objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 0/Kids[]>>")
	before := bytes.LastIndex(b, []byte("\nxref\n")) + 1
	for range 1000 {
		start := len(b)
		b = fmt.Appendf(b, "xref\n0 0\ntrailer\n<</Size 3/Root 1 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n", before, start)
		before = start
	}
	return b
}

func encryption(entries string) func() []byte {
	key := strings.Repeat("ab", 32)
	return func() []byte {
		return file("/Encrypt 3 0 R/ID[<"+key+"><"+key+">]", "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 0/Kids[]>>",
			"<<"+entries+"/O<"+key+">/U<"+key+">/P -44>>")
	}
}
