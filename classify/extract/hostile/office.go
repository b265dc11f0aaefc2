package hostile

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// packed is a ZIP file of names and contents.
func packed(parts ...string) []byte {
	readers := map[string]io.Reader{}
	var names []string
	for i := 0; i < len(parts); i += 2 {
		names = append(names, parts[i])
		readers[parts[i]] = strings.NewReader(parts[i+1])
	}
	return packedFrom(names, readers)
}

func packedFrom(names []string, contents map[string]io.Reader) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.Copy(w, contents[name])
		}
		if err != nil {
			panic(err)
		}
	}
	z.Close()
	return b.Bytes()
}

const (
	formats       = "http://schemas.openxmlformats.org/"
	relationships = formats + "officeDocument/2006/relationships"
	ofSheets      = ` xmlns="` + formats + `spreadsheetml/2006/main"`
	ofPackages    = ` xmlns="` + formats + `package/2006/relationships"`
)

// workbook is one of a sheet with this content and these shared texts.
func workbook(sheet, shared string, more ...string) func() []byte {
	return func() []byte {
		return packed(append([]string{
			"[Content_Types].xml", `<Types xmlns="` + formats + `package/2006/content-types"/>`,
			"_rels/.rels", `<Relationships` + ofPackages + `><Relationship Id="r1" Type="` + relationships + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
			"xl/workbook.xml", `<workbook` + ofSheets + ` xmlns:r="` + relationships + `"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels", `<Relationships` + ofPackages + `><Relationship Id="r1" Type="` + relationships + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
			"xl/worksheets/sheet1.xml", `<worksheet` + ofSheets + `>` + sheet + `</worksheet>`,
			"xl/sharedStrings.xml", `<sst` + ofSheets + `>` + shared + `</sst>`,
		}, more...)...)
	}
}

// rows are the data of a sheet.
func rows(s string) string { return "<sheetData>" + s + "</sheetData>" }

const cellOfA1 = `<row r="1"><c r="A1" t="inlineStr"><is><t>PACKING LIST</t></is></c></row>`

// workbooks are .xlsx files.
func workbooks() []File {
	return []File{
		{"merged-cells-by-the-thousand.xlsx", workbook(rows(cellOfA1)+"<mergeCells>"+strings.Repeat(`<mergeCell ref="A1:XFD1048576"/>`, 20_000)+"</mergeCells>", ""), false},
		{"merged-cells-over-one-another.xlsx", mergedCells, true},
		{"text-shown-a-hundred-thousand-times.xlsx", workbook(rows(cellsOf(100_000, `<c t="s"><v>0</v></c>`)), "<si><t>"+strings.Repeat("A", 32_000)+"</t></si>"), true},
		{"shared-texts-that-are-none.xlsx", workbook(rows(cellsOf(1000, `<c t="s"><v>2000000000</v></c><c t="s"><v>-1</v></c>`)), ""), false},
		{"last-row.xlsx", workbook(rows(`<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`), ""), true},
		{"row-of-two-billion.xlsx", workbook(rows(`<row r="2000000000"><c r="A2000000000"><v>1</v></c></row>`), ""), false},
		{"cell-of-no-column.xlsx", workbook(rows(`<row r="-1"><c r="ZZZZZZZ1"><v>1</v></c><c r="1A"><v>1</v></c></row>`), ""), false},
		{"format-of-a-megabyte.xlsx", workbook(rows(`<row r="1"><c r="A1" s="0"><v>45000.5</v></c></row>`), "", "xl/styles.xml",
			`<styleSheet`+ofSheets+`><numFmts count="1"><numFmt numFmtId="200" formatCode="`+strings.Repeat("[h]0.0?/?;", 100_000)+`"/></numFmts><cellXfs count="1"><xf numFmtId="200" applyNumberFormat="1"/></cellXfs></styleSheet>`), false},
		{"entities.xlsx", workbook(rows(cellOfA1), "", "xl/styles.xml", entities("styleSheet", ofSheets)), false},
		{"sheet-that-is-the-workbook.xlsx", workbook("", "", "xl/_rels/workbook.xml.rels", `<Relationships`+ofPackages+`><Relationship Id="r1" Type="`+relationships+`/worksheet" Target="workbook.xml"/></Relationships>`), false},
		{"parts-of-others.xlsx", workbook(rows(cellOfA1), "", "../../../../etc/passwd", "A", "/etc/passwd", "A", "xl/../../worksheets/sheet1.xml", "A"), false},
		{"links-elsewhere.xlsx", workbook(rows(cellOfA1), "", "xl/externalLinks/_rels/externalLink1.xml.rels", `<Relationships`+ofPackages+`><Relationship Id="r1" Type="`+relationships+`/externalLinkPath" Target="http://192.0.2.1/a.xlsx" TargetMode="External"/></Relationships>`), false},
		{"nested.xlsx", workbook(strings.Repeat("<a>", 500_000), ""), false},
		{"a-hundred-thousand-parts.zip", manyParts, false},
		{"size-of-a-liar.xlsx", func() []byte { return liar("xl/workbook.xml") }, false},
	}
}

func cellsOf(n int, cell string) string {
	return strings.Repeat("<row>"+strings.Repeat(cell, 100)+"</row>", n/100)
}

// mergedCells has a cell in each of 3,000 rows that takes 200 by 200 others.
func mergedCells() []byte {
	var data, merged strings.Builder
	for r := range 3000 {
		fmt.Fprintf(&data, `<row r="%d"><c r="A%[1]d"><v>1</v></c><c r="GR%[1]d"><v>1</v></c></row>`, r+1)
		fmt.Fprintf(&merged, `<mergeCell ref="A%d:GR%d"/>`, r+1, r+200)
	}
	return workbook(rows(data.String())+"<mergeCells>"+merged.String()+"</mergeCells>", "")()
}

func manyParts() []byte {
	var parts []string
	for i := range 100_000 {
		parts = append(parts, fmt.Sprint(i), "")
	}
	return packed(parts...)
}

// liar has a part of 64 MiB that says to have a byte.
func liar(name string) []byte {
	b := packedFrom([]string{"[Content_Types].xml", name}, map[string]io.Reader{"[Content_Types].xml": strings.NewReader("<Types/>"), name: repeat("<a></a>", bomb/8)})
	entry := bytes.LastIndex(b, []byte("PK\x01\x02"))
	copy(b[entry+24:], "\x01\x00\x00\x00")
	return b
}

// letter is a .docx with this body.
func letter(body string) func() []byte {
	return func() []byte {
		return packed("[Content_Types].xml", "<Types/>", "word/document.xml", `<w:document xmlns:w="w"><w:body>`+body+`</w:body></w:document>`)
	}
}

const paragraph = "<w:p><w:r><w:t>PACKING LIST</w:t></w:r></w:p>"

// letters are .docx files.
func letters() []File {
	return []File{
		{"bomb.docx", func() []byte {
			return packedFrom([]string{"[Content_Types].xml", "word/document.xml"}, map[string]io.Reader{"[Content_Types].xml": strings.NewReader("<Types/>"), "word/document.xml": repeat(" ", bomb/8)})
		}, false},
		{"entities.docx", func() []byte {
			return packed("[Content_Types].xml", "<Types/>", "word/document.xml", entities("document", ""))
		}, false},
		{"tables-in-tables.docx", letter(strings.Repeat("<w:tbl><w:tr><w:tc>", 100_000)), false},
		{"wide-cells.docx", letter("<w:tbl>" + strings.Repeat(`<w:tr>`+strings.Repeat(`<w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr><w:p/></w:tc>`, 50)+`</w:tr>`, 500) + "</w:tbl>" + paragraph), false},
		{"tall-cell.docx", letter("<w:tbl>" + strings.Repeat(`<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>`+paragraph+`</w:tc></w:tr>`, 20_000) + "</w:tbl>"), false},
		{"runs-in-runs.docx", letter("<w:p>" + strings.Repeat("<w:ins>", 100_000)), false},
		{"attributes-by-the-hundred-thousand.docx", letter("<w:p" + strings.Repeat(` w:a="1"`, 100_000) + "/>" + paragraph), false},
		{"letters-of-infinite-size.docx", letter(`<w:p><w:pPr><w:rPr><w:sz w:val="1e308"/></w:rPr></w:pPr><w:r><w:rPr><w:sz w:val="Inf"/></w:rPr><w:t>PACKING</w:t></w:r></w:p><w:p><w:r><w:rPr><w:sz w:val="NaN"/></w:rPr><w:t>LIST</w:t></w:r></w:p>`), false},
		{"size-of-a-liar.docx", func() []byte { return liar("word/document.xml") }, false},
	}
}
