package hostile

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// documents are PDFs with a fault in their structure or their content.
func documents() []File {
	whole := document(page(text("HOUSE BILL OF LADING")))
	return []File{
		{"empty.pdf", func() []byte { return nil }, false},
		{"header-alone.pdf", func() []byte { return []byte("%PDF-1.7\n") }, false},
		{"half.pdf", func() []byte { return whole[:len(whole)/2] }, false},
		{"noise.pdf", func() []byte { return append([]byte("%PDF-1.7\n"), noise(64<<10)...) }, false},
		{"no-pages.pdf", func() []byte { return document("") }, false},
		{"password.pdf", func() []byte { return encrypted() }, false},
		{"without-text.pdf", func() []byte { return document(page("0 0 m 100 100 l S")) }, false},
		{"ten-thousand-pages.pdf", func() []byte { return tenThousandPages() }, false},
		{"pages-in-a-circle.pdf", func() []byte {
			return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]>>")
		}, false},
		{"parents-in-a-circle.pdf", func() []byte {
			return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]/Parent 4 0 R>>",
				"<</Type/Page/Parent 2 0 R/Contents 5 0 R>>", "<</Type/Pages/Parent 2 0 R>>", stream("", text("A")))
		}, false},
		{"length-of-itself.pdf", func() []byte {
			return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
				"<</Type/Page/Parent 2 0 R/Contents 4 0 R>>", "<</Length 4 0 R>>\nstream\nBT ET\nendstream")
		}, false},
		{"form-in-itself.pdf", func() []byte {
			return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
				"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</XObject<</F 5 0 R>>>>/Contents 4 0 R>>", stream("", "/F Do /F Do"),
				stream("/Subtype/Form/Resources<</XObject<</F 5 0 R>>>>", "/F Do /F Do /F Do /F Do /F Do /F Do /F Do /F Do"))
		}, true},
		{"xref-in-a-circle.pdf", func() []byte { return xrefCircle() }, false},
		{"xref-of-two-billion.pdf", func() []byte { return hugeXref() }, false},
		{"nested-arrays.pdf", func() []byte {
			return objects("<</Type/Catalog/Pages 2 0 R/X "+strings.Repeat("[", 300_000)+">>", "<</Type/Pages/Count 0/Kids[]>>")
		}, false},
		{"nested-dictionaries.pdf", func() []byte { return document(page(strings.Repeat("<</A ", 500_000))) }, false},
		{"nested-page-tree.pdf", func() []byte { return deepTree(3000) }, false},
		{"wide-predictor.pdf", func() []byte {
			return withContent(stream("/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 2000000000>>", string(deflate(strings.NewReader("BT ET")))))
		}, false},
		{"bomb-of-blanks.pdf", func() []byte { return withContent(stream("/Filter/FlateDecode", string(deflate(repeat(" ", bomb))))) }, true},
		{"bomb-in-a-bomb.pdf", func() []byte {
			return withContent(stream("/Filter[/FlateDecode/FlateDecode]", string(deflate(bytes.NewReader(deflate(repeat(" ", bomb)))))))
		}, true},
		{"bomb-of-operands.pdf", func() []byte { return withContent(stream("/Filter/FlateDecode", string(deflate(repeat("1 ", bomb))))) }, true},
		{"bomb-of-states.pdf", func() []byte { return withContent(stream("/Filter/FlateDecode", string(deflate(repeat("q ", bomb))))) }, true},
		{"bomb-of-words.pdf", func() []byte {
			return withContent(stream("/Filter/FlateDecode", string(deflate(io.MultiReader(strings.NewReader("BT /F1 9 Tf "), repeat("1 0 0 1 50 500 Tm (WORD) Tj ", 32<<20))))))
		}, true},
		{"bomb-in-one-string.pdf", func() []byte {
			return withContent(stream("/Filter/FlateDecode", string(deflate(io.MultiReader(strings.NewReader("BT /F1 1 Tf ("), repeat("A", bomb), strings.NewReader(") Tj"))))))
		}, true},
		{"long-words.pdf", func() []byte { return longWords(120) }, false},
		{"few-long-words.pdf", func() []byte { return longWords(10) }, false},
		{"many-objects.pdf", func() []byte { return manyObjects() }, false},
		{"boundless-page.pdf", func() []byte {
			side := strings.Repeat("9", 30)
			return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
				"<</Type/Page/Parent 2 0 R/MediaBox[-"+side+" -"+side+" "+side+" "+side+"]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>", page(text("HOUSE BILL")), font)
		}, false},
		{"boundless-picture.pdf", func() []byte {
			return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
				"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</XObject<</F 5 0 R>>>>/Contents 4 0 R>>", stream("", "600 0 0 800 0 0 cm /F Do"),
				stream("/Subtype/Image/Width 2000000000/Height 2000000000/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode", string(noise(4<<10))))
		}, false},
	}
}

// document is a whole PDF of the pages given by page.
func document(pages string) []byte {
	if pages == "" {
		return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 0/Kids[]>>")
	}
	return withContent(pages)
}

func page(content string) string { return stream("", content) }

func text(s string) string { return "BT /F1 24 Tf 50 700 Td (" + s + ") Tj ET" }

const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"

// longWords has words of 2,400 characters, each in a line, on a page as wide as they
// are. No character is so narrow that Poppler leaves out most of them.
func longWords(lines int) []byte {
	line := "0 -12 Td (" + strings.Repeat("AB12", 600) + ") Tj "
	content := stream("/Filter/FlateDecode", string(deflate(strings.NewReader("BT 70 Tz /F1 9 Tf 20 1590 Td "+strings.Repeat(line, lines)))))
	return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 10400 1600]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>", content, font)
}

// withContent is a PDF of one page.
func withContent(content string) []byte {
	return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>", content, font)
}

func stream(entries, content string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", entries, len(content), content)
}

// objects makes a file of objects, numbered from 1; the first is the catalog.
func objects(all ...string) []byte { return file("", all...) }

func file(trailer string, all ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	at := make([]int, len(all))
	for i, o := range all {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(all)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", len(all)+1, trailer, start)
	return b.Bytes()
}

// encrypted asks for a password: what should prove the empty one right is noise.
func encrypted() []byte {
	key := strings.Repeat("ab", 32)
	return file("/Encrypt 3 0 R/ID[<"+key+"><"+key+">]", "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 0/Kids[]>>",
		"<</Filter/Standard/V 1/R 2/O<"+key+">/U<"+key+">/P -44>>")
}

func tenThousandPages() []byte {
	var kids strings.Builder
	all := []string{"<</Type/Catalog/Pages 2 0 R>>", ""}
	for i := range 10_000 {
		fmt.Fprintf(&kids, "%d 0 R ", i+3)
		all = append(all, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>")
	}
	all[1] = "<</Type/Pages/Count 10000/Kids[" + kids.String() + "]>>"
	return objects(all...)
}

func deepTree(depth int) []byte {
	all := []string{"<</Type/Catalog/Pages 2 0 R>>"}
	for i := range depth {
		all = append(all, fmt.Sprintf("<</Type/Pages/Count 1/Kids[%d 0 R]>>", i+3))
	}
	return objects(append(all, "<</Type/Page>>")...)
}

// xrefCircle has a table of objects that says it goes on in itself.
func xrefCircle() []byte {
	b := objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 0/Kids[]>>")
	start := bytes.LastIndex(b, []byte("\nxref\n")) + 1
	return bytes.Replace(b, []byte("/Root 1 0 R"), fmt.Appendf(nil, "/Root 1 0 R/Prev %d", start), 1)
}

// manyObjects has a table of 300,000 objects, nearly all of which are none.
func manyObjects() []byte {
	b := objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>")
	b = bytes.Replace(b, []byte("xref\n0 4\n"), []byte("xref\n0 300004\n"), 1)
	return bytes.Replace(b, []byte("trailer\n<</Size 4"), append(bytes.Repeat([]byte("0000000000 65535 f \n"), 300_000), "trailer\n<</Size 300004"...), 1)
}

func hugeXref() []byte {
	b := objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 0/Kids[]>>")
	b = bytes.Replace(b, []byte("xref\n0 3\n"), []byte("xref\n2000000000 3\n"), 1)
	return bytes.Replace(b, []byte("/Size 3"), []byte("/Size 2000000003"), 1)
}
