package extract

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"

	"github.com/landfallhq/tracking"
)

// workbook has a title, a table with numbers and dates as they are shown, a merged cell, a
// hidden row, column and sheet.
func workbook(t *testing.T) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	const sheet = "Sheet1"
	set := func(cell string, value any) {
		if err := f.SetCellValue(sheet, cell, value); err != nil {
			t.Fatal(err)
		}
	}
	set("A1", "PACKING LIST OF A LONG NAME")
	for i, row := range [][]any{{"Container", "Packages", "Gross weight", "secret"}, {"MSKU1234565", 100, 12450.5, "x"}, {"TEMU4455667", 250, 9000, "x"}, {"HIDDEN", 1, 1, "x"}, {"Total of both", "", 21450.5}} {
		for c, value := range row {
			name, err := excelize.CoordinatesToCellName(c+1, i+3)
			if err != nil {
				t.Fatal(err)
			}
			set(name, value)
		}
	}
	style, err := f.NewStyle(&excelize.Style{NumFmt: 4}) // #,##0.00
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.NewSheet("Hidden"); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		f.SetCellStyle(sheet, "C4", "C7", style), f.MergeCell(sheet, "A7", "B7"), f.SetRowVisible(sheet, 6, false), f.SetColVisible(sheet, "D", false),
		f.SetCellValue("Hidden", "A1", "unseen"), f.SetSheetVisible("Hidden", false),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// archive is a ZIP file of names and contents in turn.
func archive(t *testing.T, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(parts[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// letter is a text with a heading, a table with cells that are merged across and down, and a
// text box.
func letter(t *testing.T) []byte {
	cell := func(properties, text string) string {
		return "<w:tc><w:tcPr>" + properties + "</w:tcPr><w:p><w:r><w:t>" + text + "</w:t></w:r></w:p></w:tc>"
	}
	body := `<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>DELIVERY </w:t></w:r><w:r><w:t>ORDER</w:t></w:r></w:p>` +
		`<w:p><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>Boxed</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:p><w:r><w:t>Twice</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent></w:p>` +
		"<w:tbl><w:tr>" + cell("", "Container") + cell(`<w:gridSpan w:val="2"/>`, "Weights") + "</w:tr>" +
		"<w:tr>" + cell(`<w:vMerge w:val="restart"/>`, "MSKU1234565") + cell("", "100") + cell("", "200") + "</w:tr>" +
		"<w:tr>" + cell("<w:vMerge/>", "") + cell("", "300") + cell("", "400") + "</w:tr></w:tbl>" +
		`<w:p><w:r><w:br w:type="page"/><w:t>Second page</w:t></w:r></w:p>`
	const space = ` xmlns:w="w" xmlns:mc="mc"`
	return archive(t, "[Content_Types].xml", "<Types/>", "word/document.xml", "<w:document"+space+"><w:body>"+body+"</w:body></w:document>",
		"word/styles.xml", "<w:styles"+space+`><w:style w:styleId="Title"><w:rPr><w:sz w:val="40"/></w:rPr></w:style></w:styles>`,
		"word/header1.xml", "<w:hdr"+space+"><w:p><w:r><w:t>Letterhead</w:t></w:r></w:p></w:hdr>")
}

// outlook is a message of Outlook: a compound file ([MS-CFB]) with one stream.
func outlook(text string) []byte {
	const sector, end, free = 512, 0xFFFFFFFE, 0xFFFFFFFF
	order := binary.LittleEndian
	var content []byte
	for _, u := range utf16.Encode([]rune(text + strings.Repeat(" ", 2048))) {
		content = order.AppendUint16(content, u)
	}
	content = content[:len(content)/sector*sector]
	b := make([]byte, 3*sector)
	copy(b, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	for at, v := range map[int]uint16{24: 0x3E, 26: 3, 28: 0xFFFE, 30: 9, 32: 6} {
		order.PutUint16(b[at:], v)
	}
	for at, v := range map[int]uint32{44: 1, 48: 1, 56: 4096, 60: end, 68: end, 76: 0} {
		order.PutUint32(b[at:], v)
	}
	for at := 80; at < sector; at += 4 {
		order.PutUint32(b[at:], free)
	}
	fat := b[sector : 2*sector]
	for i := range sector / 4 {
		v := uint32(free)
		switch last := 1 + len(content)/sector; {
		case i == 0:
			v = 0xFFFFFFFD
		case i == 1 || i == last:
			v = end
		case i < last:
			v = uint32(i + 1)
		}
		order.PutUint32(fat[4*i:], v)
	}
	entry := func(at int, name string, kind byte, child, start uint32, size int) {
		e := b[2*sector+128*at:]
		for i, u := range utf16.Encode([]rune(name)) {
			order.PutUint16(e[2*i:], u)
		}
		order.PutUint16(e[64:], uint16(2*len(name)+2))
		e[66], e[67] = kind, 1
		order.PutUint32(e[68:], free)
		order.PutUint32(e[72:], free)
		order.PutUint32(e[76:], child)
		order.PutUint32(e[116:], start)
		order.PutUint32(e[120:], uint32(size))
	}
	entry(0, "Root Entry", 5, 1, end, 0)
	copy(b[2*sector+80:], "\x0b\x0d\x02\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46")
	entry(1, "__substg1.0_1000001F", 2, free, 2, len(content))
	return append(b, content...)
}

const (
	mailHeader = "From: agent@example.com\r\nSubject: =?utf-8?q?Arrival_of_MSKU1234565?=\r\nMIME-Version: 1.0\r\n"
	plainMail  = mailHeader + "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nPort: M=FCnchen\r\nETA: 2026-11-21\r\n"
	tableMail  = mailHeader + "Content-Type: multipart/alternative; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nnot this\r\n--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" +
		"<html><head><title>no</title></head><body><p>Dear <b>Sir</b>,<br>please note</p><table><tr><td>" +
		"<table><tr><th>Container</th><th>Weight</th></tr><tr><td>MSKU1234565</td><td>100</td></tr></table></td><td style='display: none'>no</td></tr></table></body></html>\r\n--x--\r\n"
)

// rowsOf shows the words of a page by lines, top to bottom, with "|" between cells.
func rowsOf(p tracking.TextPage) string {
	var b strings.Builder
	top, cell := -1.0, 0
	for i, w := range p.Words {
		switch {
		case i > 0 && w.Box.Top != top:
			b.WriteString(" / ")
		case i > 0 && w.Cell != cell:
			b.WriteString(" | ")
		case i > 0:
			b.WriteString(" ")
		}
		b.WriteString(w.Text)
		top, cell = w.Box.Top, w.Cell
	}
	return b.String()
}

// Workbooks, texts and e-mails have their tables as rows and columns.
func TestOffice(t *testing.T) {
	e := one(t, Limits{})
	for _, row := range []struct {
		name, contentType string
		content           []byte
		want              []string
	}{
		{"workbook", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", workbook(t), []string{"PACKING LIST OF A LONG NAME / Container | Packages | Gross weight / MSKU1234565 | 100 | 12,450.50 / TEMU4455667 | 250 | 9,000.00 / Total of both | 21,450.50"}},
		{"text", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", letter(t), []string{"Letterhead / DELIVERY ORDER / Boxed / Container | Weights / MSKU1234565 | 100 | 200 / 300 | 400", "Second page"}},
		{"plain mail", "message/rfc822", []byte(plainMail), []string{"Subject: Arrival of MSKU1234565 / From: agent@example.com / Port: M\u00fcnchen / ETA: 2026-11-21"}},
		{"mail with a table", "message/rfc822", []byte(tableMail), []string{"Subject: Arrival of MSKU1234565 / From: agent@example.com / Dear Sir, / please note / Container | Weight / MSKU1234565 | 100"}},
		{"Outlook", "application/vnd.ms-outlook", outlook("Port: M\u00fcnchen\r\nETA"), []string{"Port: M\u00fcnchen / ETA"}},
		{"HTML", "text/html", []byte("<!DOCTYPE html><html><body><h1>NOTICE</h1><script>alert(1)</script>ETA</body></html>"), []string{"NOTICE / ETA"}},
	} {
		text, err := e.Extract(context.Background(), bytesOf(row.name, row.content))
		if err != nil || text.ContentType != row.contentType || text.Unreadable != "" {
			t.Errorf("%s: %s, %s, error %v", row.name, text.ContentType, text.Unreadable, err)
			continue
		}
		var got []string
		for _, p := range text.Pages {
			got = append(got, rowsOf(p))
		}
		if strings.Join(got, "\n") != strings.Join(row.want, "\n") {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// Cells have their rows and columns, those that are merged with all that they take, and
// columns stand apart.
func TestCellsOfOffice(t *testing.T) {
	text, err := one(t, Limits{}).Extract(context.Background(), bytesOf("letter.docx", letter(t)))
	if err != nil {
		t.Fatal(err)
	}
	p := text.Pages[0]
	var got []string
	for _, w := range p.Words {
		if w.Cell == 0 {
			continue
		}
		c := p.Cells[w.Cell-1]
		got = append(got, fmt.Sprintf("%s %d/%d+%d/%d", w.Text, c.Row, c.Column, c.Rows, c.Columns))
		if w.Box.Left < c.Box.Left || w.Box.Right > c.Box.Right || w.Box.Top < c.Box.Top || w.Box.Bottom > c.Box.Bottom {
			t.Errorf("%s at %v is not in its cell, at %v", w.Text, w.Box, c.Box)
		}
	}
	if want := "Container 1/1+1/1, Weights 1/2+1/2, MSKU1234565 2/1+2/1, 100 2/2+1/1, 200 2/3+1/1, 300 3/2+1/1, 400 3/3+1/1"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
	if title := p.Words[1].Box; title.Bottom-title.Top < 15 {
		t.Errorf("the title is %v points high", title.Bottom-title.Top)
	}
}

// Files that are damaged, hostile or of former formats are refused or unreadable.
func TestHostileOffice(t *testing.T) {
	e := one(t, Limits{Words: 1000})
	nested := "<w:document xmlns:w=\"w\"><w:body>" + strings.Repeat("<w:tbl><w:tr><w:tc>", 5000)
	deep := "<html><body>" + strings.Repeat("<div><table><tr><td>", 400) + "text"
	for name, row := range map[string]struct {
		content []byte
		want    string
	}{
		"half a workbook":   {workbook(t)[:2000], tracking.FileDamaged},
		"nested":            {archive(t, "[Content_Types].xml", "<Types/>", "word/document.xml", nested), tracking.FileDamaged},
		"broken XML":        {archive(t, "[Content_Types].xml", "<Types/>", "word/document.xml", "<w:p"), tracking.FileDamaged},
		"other ZIP":         {archive(t, "a.txt", "text"), unreadable},
		"deep HTML":         {[]byte(deep), tracking.FileDamaged},
		"long HTML":         {[]byte("<html><body>" + strings.Repeat("a ", 2000)), tracking.FileTooLarge},
		"parts in parts":    {[]byte(mailHeader + strings.Repeat("Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n", 30)), readable},
		"mail without text": {[]byte("From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: image/png\r\n\r\nx"), readable},
		"half a message":    {outlook("text")[:1600], tracking.FileDamaged},
	} {
		text, err := e.Extract(context.Background(), bytesOf(name, row.content))
		if got := result(text, err); got != row.want {
			t.Errorf("%s: %s (%v), want %s", name, got, err, row.want)
		}
	}
}
