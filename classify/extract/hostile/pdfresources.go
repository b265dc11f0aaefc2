package hostile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// sketch is a PDF of one page with these resources and this content. More objects are
// numbered from 6; object 5 is an ordinary font.
func sketch(resources, content string, more ...string) func() []byte {
	return func() []byte {
		return objects(append([]string{
			"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<" + resources + ">>/Contents 4 0 R>>", stream("", content), font,
		}, more...)...)
	}
}

// written is a content that shows a heading in the font of a resource.
func written(name string) string { return "BT /" + name + " 24 Tf 50 700 Td (HOUSE BILL) Tj ET" }

const usual = "/Font<</F1 5 0 R>>"

// resources are PDFs whose fonts, forms, patterns or pictures are hostile.
func resources() []File {
	return []File{
		{"forms-that-double.pdf", formsThatDouble, true},
		{"pattern-in-itself.pdf", sketch(usual+"/Pattern<</P 6 0 R>>", "/Pattern cs /P scn 0 0 600 800 re f "+written("F1"),
			stream("/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 1/YStep 1/Resources<</Pattern<</P 6 0 R>>>>", "/Pattern cs /P scn 0 0 9 9 re f")), false},
		{"shading-of-itself.pdf", sketch(usual+"/Shading<</S 6 0 R>>", "/S sh "+written("F1"),
			"<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 1 1]/Function 7 0 R>>", "<</FunctionType 3/Domain[0 1]/Functions[7 0 R 7 0 R]/Bounds[.5]/Encode[0 1 0 1]>>"), false},
		{"function-in-braces.pdf", sketch(usual+"/Shading<</S 6 0 R>>", "/S sh "+written("F1"),
			"<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 1 1]/Function 7 0 R>>",
			stream("/FunctionType 4/Domain[0 1]/Range[0 1]", strings.Repeat("{", 200_000))), false},
		{"colours-of-themselves.pdf", sketch(usual+"/ColorSpace<</C 6 0 R>>", "/C cs 0 sc "+written("F1"), "[/Indexed 6 0 R 255 6 0 R]"), false},
		{"mask-in-itself.pdf", sketch(usual+"/ExtGState<</G 6 0 R>>", "/G gs "+written("F1"), "<</SMask<</S/Luminosity/G 7 0 R>>>>",
			stream("/Subtype/Form/BBox[0 0 600 800]/Group<</S/Transparency>>/Resources<</ExtGState<</G 6 0 R>>>>", "/G gs 0 0 9 9 re f")), false},
		{"glyph-of-itself.pdf", sketch("/Font<</F 6 0 R>>", written("F"),
			"<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 72/LastChar 72/Widths[9]/Encoding<</Differences[72/H]>>/CharProcs<</H 7 0 R>>/Resources<</Font<</F 6 0 R>>>>>>",
			stream("", "9 0 d0 BT /F 1 Tf (HHHHHHHH) Tj ET")), false},
		{"font-below-itself.pdf", sketch("/Font<</F 6 0 R>>", written("F"), "<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[6 0 R]>>"), false},
		{"widths-of-two-billion.pdf", compositeFont("/W[0 2000000000 500 2000000000 4000000000 500]", ""), false},
		{"characters-of-four-billion.pdf", compositeFont("", "1 begincodespacerange <00000000><FFFFFFFF> endcodespacerange 1 beginbfrange <00000000><FFFFFFFF><0041> endbfrange"), false},
		{"characters-by-the-million.pdf", compositeFont("", "1000000 beginbfrange "+strings.Repeat("<0000><FFFF><0041>", 2000)), false},
		{"half-characters.pdf", compositeFont("", "1 beginbfrange <0000><FFFF><D800> endbfrange"), false},
		{"font-of-noise.pdf", embeddedFont(string(noise(32 << 10))), false},
		{"font-of-many-tables.pdf", embeddedFont("\x00\x01\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00" + strings.Repeat("glyf\x00\x00\x00\x00\xff\xff\xff\xff\x7f\xff\xff\xff", 3000)), false},
		{"picture-of-jpeg-2000.pdf", pictureOf("/Filter/JPXDecode", jpeg2000()), false},
		{"picture-of-fax.pdf", pictureOf("/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 60000/Rows 60000>>/Width 60000/Height 60000/BitsPerComponent 1/ColorSpace/DeviceGray", string(noise(4<<10))), false},
		{"picture-of-jpeg.pdf", pictureOf("/Filter/DCTDecode/Width 65500/Height 65500/BitsPerComponent 8/ColorSpace/DeviceGray", string(hugeJPEG())), false},
		{"picture-of-a-bomb.pdf", func() []byte {
			return pictureOf("/Filter/FlateDecode/Width 20000/Height 20000/BitsPerComponent 8/ColorSpace/DeviceGray", string(deflate(repeat("\x00", 400_000_000))))()
		}, true},
		{"masks-in-a-circle.pdf", pictureOf("/SMask 6 0 R/Width 8/Height 8/BitsPerComponent 8/ColorSpace/DeviceGray", strings.Repeat("A", 64)), false},
		{"inline-picture-without-end.pdf", sketch(usual, written("F1")+" BI /W 60000 /H 60000 /BPC 8 /CS /G ID "+strings.Repeat("A", 1<<20)), false},
	}
}

// formsThatDouble has forms that each show the next one twice, to the depth of 40.
func formsThatDouble() []byte {
	const depth = 40
	var forms []string
	for i := range depth {
		forms = append(forms, stream(fmt.Sprintf("/Subtype/Form/BBox[0 0 600 800]/Resources<</XObject<</F %d 0 R>>>>", 7+i), "/F Do /F Do"))
	}
	forms = append(forms, stream("/Subtype/Form/BBox[0 0 600 800]", "0 0 9 9 re f"))
	return sketch("/XObject<</F 6 0 R>>", "/F Do", forms...)()
}

// compositeFont has a font of codes of two bytes, with entries and a map to characters.
func compositeFont(entries, characters string) func() []byte {
	return sketch("/Font<</F 6 0 R>>", "BT /F 24 Tf 50 700 Td <00480049004A> Tj ET",
		"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[7 0 R]/ToUnicode 8 0 R>>",
		"<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500"+entries+">>",
		stream("", "begincmap "+characters+" endcmap"))
}

// embeddedFont has a TrueType font with this content.
func embeddedFont(content string) func() []byte {
	return sketch("/Font<</F 6 0 R>>", written("F"),
		"<</Type/Font/Subtype/TrueType/BaseFont/A/FirstChar 32/LastChar 90/FontDescriptor 7 0 R>>",
		"<</Type/FontDescriptor/FontName/A/Flags 4/FontBBox[0 0 9 9]/FontFile2 8 0 R>>", stream("", content))
}

// pictureOf covers a page with a picture.
func pictureOf(entries, content string) func() []byte {
	return sketch("/XObject<</F 6 0 R>>", "600 0 0 800 0 0 cm /F Do", stream("/Subtype/Image"+entries, content))
}

// jpeg2000 begins a picture of 4 by 10^9 dots a side, in 16,384 components.
func jpeg2000() string {
	var b bytes.Buffer
	b.WriteString("\xff\x4f\xff\x51")
	for _, v := range []any{uint16(38 + 3*16384), uint16(0), [8]uint32{4e9, 4e9, 0, 0, 1, 1, 0, 0}, uint16(16384)} {
		binary.Write(&b, binary.BigEndian, v) //nolint:errcheck // a buffer takes everything
	}
	b.WriteString(strings.Repeat("\x07\x01\x01", 16384))
	return b.String()
}
