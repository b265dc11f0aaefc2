package hostile

import (
	"fmt"
	"strings"
)

// catalog is a PDF of one page with text, whose catalog has these entries and whose page has
// others. More objects are numbered from 6.
func catalog(entries, ofPage string, more ...string) func() []byte {
	return func() []byte {
		return objects(append([]string{
			"<</Type/Catalog/Pages 2 0 R" + entries + ">>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<" + usual + ">>/Contents 4 0 R" + ofPage + ">>", stream("", written("F1")), font,
		}, more...)...)
	}
}

// content is a PDF of one page with this content.
func content(s string) func() []byte { return func() []byte { return withContent(page(s)) } }

// catalogs are PDFs whose document or page has hostile parts next to the text.
func catalogs() []File {
	const form = "/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 7 0 R>>>>"
	return []File{
		{"script.pdf", catalog("/OpenAction<</S/JavaScript/JS(while(true){app.alert(1)})>>", "/AA<</O<</S/JavaScript/JS(while(true);)>>>>"), false},
		{"launched-program.pdf", catalog("/OpenAction<</S/Launch/F(/bin/sh)>>", ""), false},
		{"embedded-bomb.pdf", func() []byte {
			return catalog("/Names<</EmbeddedFiles<</Names[(a)6 0 R]>>>>", "", "<</Type/Filespec/F(../../etc/passwd)/EF<</F 7 0 R>>>>",
				stream("/Filter/FlateDecode", string(deflate(repeat("A", bomb/8)))))()
		}, false},
		{"names-in-a-circle.pdf", catalog("/Names<</Dests 6 0 R>>", "", "<</Kids[6 0 R 6 0 R]>>"), false},
		{"outlines-in-a-circle.pdf", catalog("/Outlines 6 0 R", "", "<</First 6 0 R/Last 6 0 R/Next 6 0 R/Parent 6 0 R/Title(A)>>"), false},
		{"structure-in-a-circle.pdf", catalog("/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R", "/StructParents 0", "<</Type/StructTreeRoot/K[6 0 R 6 0 R]/ParentTree 6 0 R/Kids[6 0 R]>>"), false},
		{"layers-in-a-circle.pdf", catalog("/OCProperties<</OCGs[6 0 R]/D<</Order 7 0 R>>>>", "", "<</Type/OCMD/OCGs 6 0 R/VE 7 0 R>>", "[/And 7 0 R 7 0 R]"), false},
		{"fields-in-a-circle.pdf", catalog("/AcroForm<</Fields[6 0 R]>>", "/Annots[6 0 R]", "<</Type/Annot/Subtype/Widget/FT/Tx/T(A)/Kids[6 0 R]/Parent 6 0 R/Rect[0 0 9 9]>>"), false},
		{"form-of-entities.pdf", catalog("/AcroForm<</Fields[]/XFA 6 0 R>>", "", stream("", entities("template", ""))), false},
		{"note-in-itself.pdf", catalog("", "/Annots[6 0 R]", "<</Type/Annot/Subtype/Stamp/F 4/Rect[0 0 90 90]/AP<</N 7 0 R>>>>", stream(form, "/F Do /F Do")), true},
		{"a-hundred-thousand-notes.pdf", catalog("", "/Annots["+strings.Repeat("6 0 R ", 100_000)+"]", "<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(A)>>"), false},
		{"contents-by-the-thousand.pdf", func() []byte {
			return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
				"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents["+strings.Repeat("4 0 R ", 50_000)+"]>>", stream("", "q"))
		}, false},
		{"page-a-hundred-times.pdf", func() []byte {
			return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 150/Kids["+strings.Repeat("3 0 R ", 150)+"]>>",
				"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<"+usual+">>/Contents 4 0 R>>", stream("", written("F1")), font)
		}, false},
		{"two-billion-pages.pdf", func() []byte {
			return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 2147483647/Kids[3 0 R]>>", "<</Type/Page/Parent 2 0 R>>")
		}, false},
		{"pages-below-zero.pdf", func() []byte {
			return objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count -2147483648/Kids[3 0 R]>>", "<</Type/Page/Parent 2 0 R>>")
		}, false},
		{"turned-without-end.pdf", catalog("", "/Rotate -2147483647/UserUnit 1e38"), false},
		{"filters-by-the-thousand.pdf", func() []byte {
			return withContent(stream("/Filter["+strings.Repeat("/ASCIIHexDecode", 5000)+"]", "41>"))
		}, false},
		{"text-at-infinity.pdf", content("1e38 0 0 1e38 0 0 cm 1e38 0 0 1e38 1e38 1e38 cm BT /F1 1e38 Tf 1e38 1e38 Td (HOUSE) Tj 1e38 Tc (BILL) Tj ET"), false},
		{"text-of-no-size.pdf", content("BT 0 0 0 0 0 0 Tm /F1 0 Tf 0 Tz (HOUSE) Tj /F1 1e-38 Tf (BILL) Tj ET"), false},
		{"string-without-end.pdf", content("BT /F1 9 Tf " + strings.Repeat("(", 1<<20)), false},
		{"name-of-a-megabyte.pdf", content("/" + strings.Repeat("A", 1<<20) + " gs " + written("F1")), false},
		{"operators-out-of-turn.pdf", content(strings.Repeat("Q ET EMC EI ", 50_000) + written("F1")), false},
		{"marks-in-marks.pdf", content(strings.Repeat("/Span BMC ", 200_000) + written("F1")), true},
	}
}

// entities is XML with this root, whose text is that of entities of entities, of 10^10 letters in all.
func entities(root, attributes string) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY e0 \"AAAAAAAAAA\">")
	for i := range 9 {
		fmt.Fprintf(&b, "<!ENTITY e%d \"%s\">", i+1, strings.Repeat(fmt.Sprintf("&e%d;", i), 10))
	}
	return b.String() + "]><" + root + attributes + ">&e9;</" + root + ">"
}
