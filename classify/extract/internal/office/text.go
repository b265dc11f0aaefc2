package office

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking/classify/extract/internal/flow"
)

// textBlocks reads a .docx: headers, the text, footers.
func textBlocks(archive *zip.Reader) ([]flow.Block, error) {
	styles := map[string]float64{}
	if err := part(archive, "word/styles.xml", func(d *xml.Decoder) error { return readStyles(d, styles) }); err != nil {
		return nil, err
	}
	blocks := []flow.Block{}
	read := func(name string) error {
		return part(archive, name, func(d *xml.Decoder) error {
			b, err := (&textReader{Decoder: d, styles: styles}).blocks(0)
			blocks = append(blocks, b...)
			return err
		})
	}
	names := func(prefix string) (all []string) {
		for _, f := range archive.File {
			if strings.HasPrefix(f.Name, "word/"+prefix) && strings.HasSuffix(f.Name, ".xml") {
				all = append(all, f.Name)
			}
		}
		slices.Sort(all)
		return all
	}
	for _, name := range slices.Concat(names("header"), []string{"word/document.xml"}, names("footer")) {
		if err := read(name); err != nil {
			return nil, err
		}
	}
	return blocks, nil
}

// part decodes a part of the file, if it is there.
func part(archive *zip.Reader, name string, read func(*xml.Decoder) error) error {
	i := slices.IndexFunc(archive.File, func(f *zip.File) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	r, err := archive.File[i].Open()
	if err != nil {
		return damaged(err)
	}
	defer r.Close()
	if err := read(xml.NewDecoder(io.LimitReader(r, mostUnpacked))); err != nil && !errors.Is(err, io.EOF) {
		return damaged(err)
	}
	return nil
}

// readStyles finds the sizes of the styles of paragraphs, in points.
func readStyles(d *xml.Decoder, sizes map[string]float64) error {
	style := ""
	for {
		t, err := d.Token()
		if err != nil {
			return err
		}
		if e, ok := t.(xml.StartElement); ok {
			switch e.Name.Local {
			case "docDefaults":
				style = ""
			case "style":
				style = attribute(e, "styleId")
			case "sz":
				sizes[style] = halfPoints(e)
			}
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// halfPoints is a size of letters in points, or 0 for one that Word does not know.
func halfPoints(e xml.StartElement) float64 {
	const most = 1638
	n, _ := strconv.ParseFloat(attribute(e, "val"), 64)
	if n >= 0 && n <= 2*most {
		return n / 2
	}
	return 0
}

// textReader reads the elements of WordprocessingML (ISO/IEC 29500-1, 17).
type textReader struct {
	*xml.Decoder
	styles map[string]float64
}

// mostNested bounds elements in elements.
const mostNested = 60

var errNested = errors.New("too many elements in one another")

// blocks reads paragraphs and tables up to the end of the element that is open.
func (r *textReader) blocks(depth int) (all []flow.Block, err error) {
	if depth > mostNested {
		return nil, errNested
	}
	for {
		t, err := r.Token()
		if err != nil {
			return all, err
		}
		switch e := t.(type) {
		case xml.EndElement:
			return all, nil
		case xml.StartElement:
			var more []flow.Block
			switch e.Name.Local {
			case "p":
				more, err = r.paragraph(depth + 1)
			case "tbl":
				more, err = r.table(depth + 1)
			case "Fallback", "sectPr", "tblPr", "tcPr":
				err = r.Skip()
			default: // the document, its body, content controls
				more, err = r.blocks(depth + 1)
			}
			if all = append(all, more...); err != nil {
				return all, err
			}
		}
	}
}

// paragraph reads a paragraph, with what is in its text boxes behind it.
func (r *textReader) paragraph(depth int) (all []flow.Block, err error) {
	p := flow.Paragraph{Size: r.styles[""]}
	var text strings.Builder
	boxed, broken, err := r.runs(&p, &text, depth)
	p.Text = strings.TrimRight(text.String(), "\n ")
	if broken {
		all = append(all, flow.Break{})
	}
	return append(append(all, p), boxed...), err
}

func (r *textReader) runs(p *flow.Paragraph, text *strings.Builder, depth int) (boxed []flow.Block, broken bool, err error) {
	if depth > mostNested {
		return nil, false, errNested
	}
	for {
		t, err := r.Token()
		if err != nil {
			return boxed, broken, err
		}
		switch e := t.(type) {
		case xml.EndElement:
			return boxed, broken, nil
		case xml.StartElement:
			switch e.Name.Local {
			case "t":
				var s string
				err = r.DecodeElement(&s, &e)
				text.WriteString(s)
			case "tab":
				text.WriteByte(' ')
				err = r.Skip()
			case "cr", "br":
				if attribute(e, "type") == "page" {
					broken = true
				} else {
					text.WriteByte('\n')
				}
				err = r.Skip()
			case "pStyle":
				if size := r.styles[attribute(e, "val")]; size > 0 {
					p.Size = size
				}
				err = r.Skip()
			case "sz":
				p.Size = max(p.Size, halfPoints(e))
				err = r.Skip()
			case "txbxContent":
				var more []flow.Block
				more, err = r.blocks(depth + 1)
				boxed = append(boxed, more...)
			case "Fallback", "instrText", "delText", "tabs", "sectPr":
				err = r.Skip()
			default: // runs and their properties, links, fields, what was inserted
				var more []flow.Block
				var inner bool
				more, inner, err = r.runs(p, text, depth+1)
				boxed, broken = append(boxed, more...), broken || inner
			}
			if err != nil {
				return boxed, broken, err
			}
		}
	}
}

// table reads a table. A cell that goes on below takes the rows of those that say so.
func (r *textReader) table(depth int) ([]flow.Block, error) {
	var t flow.Table
	open := map[int][2]int{} // by column, the row and place of the cell that goes on
	err := r.each(depth, "tr", func() error {
		t = append(t, nil)
		row, column := len(t)-1, 0
		return r.each(depth+1, "tc", func() error {
			c, goesOn, err := r.cell(depth + 2)
			if at, ok := open[column]; goesOn && ok {
				above := &t[at[0]][at[1]]
				above.Rows++
				column += above.Columns
				return err
			}
			open[column] = [2]int{row, len(t[row])}
			t[row] = append(t[row], c)
			column += c.Columns
			return err
		})
	})
	return []flow.Block{t}, err
}

// each calls read with each element of a name that is in the open one, also in others.
func (r *textReader) each(depth int, name string, read func() error) error {
	if depth > mostNested {
		return errNested
	}
	for {
		t, err := r.Token()
		if err != nil {
			return err
		}
		switch e := t.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			if e.Name.Local == name {
				err = read()
			} else {
				err = r.each(depth+1, name, read)
			}
			if err != nil {
				return err
			}
		}
	}
}

// cell reads a cell. goesOn: it continues the one above.
func (r *textReader) cell(depth int) (c flow.Cell, goesOn bool, err error) {
	c = flow.Cell{Columns: 1, Rows: 1}
	for {
		t, err := r.Token()
		if err != nil {
			return c, goesOn, err
		}
		switch e := t.(type) {
		case xml.EndElement:
			return c, goesOn, nil
		case xml.StartElement:
			var more []flow.Block
			switch e.Name.Local {
			case "tcPr":
				goesOn, err = r.cellProperties(&c)
			case "p":
				more, err = r.paragraph(depth + 1)
			case "tbl":
				more, err = r.table(depth + 1)
			default:
				more, err = r.blocks(depth + 1)
			}
			if c.Blocks = append(c.Blocks, more...); err != nil {
				return c, goesOn, err
			}
		}
	}
}

func (r *textReader) cellProperties(c *flow.Cell) (goesOn bool, err error) {
	for depth := 1; depth > 0; {
		t, err := r.Token()
		if err != nil {
			return goesOn, err
		}
		switch e := t.(type) {
		case xml.EndElement:
			depth--
		case xml.StartElement:
			depth++
			switch e.Name.Local {
			case "gridSpan":
				n, _ := strconv.Atoi(attribute(e, "val"))
				c.Columns = min(max(n, 1), 200)
			case "vMerge":
				goesOn = attribute(e, "val") != "restart"
			}
		}
	}
	return goesOn, nil
}
