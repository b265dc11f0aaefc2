package office

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/landfallhq/tracking/classify/extract/internal/flow"
)

// htmlBlocks reads what a browser shows of a page: headings, paragraphs, tables.
func htmlBlocks(text string) ([]flow.Block, error) {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return nil, damaged(err)
	}
	w := &htmlReader{blocks: []flow.Block{}}
	w.node(root, 0, 0)
	w.end(0)
	return w.blocks, nil
}

// htmlReader collects text up to the end of a block.
type htmlReader struct {
	blocks []flow.Block
	text   strings.Builder
}

// end ends a paragraph.
func (r *htmlReader) end(size float64) {
	if text := strings.TrimSpace(r.text.String()); text != "" {
		r.blocks = append(r.blocks, flow.Paragraph{Text: text, Size: size})
	}
	r.text.Reset()
}

// mostHTML bounds elements in elements. What is deeper is left out.
const mostHTML = 200

var headings = map[atom.Atom]float64{atom.H1: 18, atom.H2: 15, atom.H3: 12}

func (r *htmlReader) node(n *html.Node, size float64, depth int) {
	if depth > mostHTML {
		return
	}
	switch n.Type {
	case html.TextNode:
		r.text.WriteString(strings.Map(func(c rune) rune {
			if c == '\n' || c == '\r' || c == '\t' {
				return ' '
			}
			return c
		}, n.Data))
		return
	case html.ElementNode:
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Head, atom.Noscript, atom.Template, atom.Select, atom.Textarea:
			return
		case atom.Br:
			r.text.WriteByte('\n')
			return
		case atom.Table:
			r.end(size)
			if t := table(n, depth+1); len(t) > 0 {
				r.blocks = append(r.blocks, t)
			}
			return
		}
		if hidden(n) {
			return
		}
	}
	block := isBlock(n.DataAtom)
	if block {
		r.end(size)
	}
	inner := size
	if h, ok := headings[n.DataAtom]; ok {
		inner = h
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.node(c, inner, depth+1)
	}
	if block {
		r.end(inner)
	}
}

func hidden(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key == "hidden" || a.Key == "style" && strings.Contains(strings.ReplaceAll(strings.ToLower(a.Val), " ", ""), "display:none") {
			return true
		}
	}
	return false
}

func isBlock(a atom.Atom) bool {
	switch a {
	case atom.P, atom.Div, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Li, atom.Ul, atom.Ol, atom.Dt, atom.Dd,
		atom.Section, atom.Article, atom.Header, atom.Footer, atom.Blockquote, atom.Pre, atom.Hr, atom.Address, atom.Center, atom.Body, atom.Form, atom.Fieldset, atom.Caption:
		return true
	}
	return false
}

// table reads the rows of a table, but not of those in its cells.
func table(n *html.Node, depth int) (t flow.Table) {
	if depth > mostHTML {
		return nil
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Tr:
			if !hidden(c) {
				t = append(t, cells(c, depth+1))
			}
		case atom.Tbody, atom.Thead, atom.Tfoot:
			t = append(t, table(c, depth+1)...)
		}
	}
	return t
}

func cells(row *html.Node, depth int) (all []flow.Cell) {
	for c := row.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom != atom.Td && c.DataAtom != atom.Th || hidden(c) {
			continue
		}
		inner := &htmlReader{}
		for n := c.FirstChild; n != nil; n = n.NextSibling {
			inner.node(n, 0, depth+1)
		}
		inner.end(0)
		cell := flow.Cell{Blocks: inner.blocks}
		for _, a := range c.Attr {
			n, _ := strconv.Atoi(a.Val)
			switch a.Key {
			case "colspan":
				cell.Columns = min(n, 200)
			case "rowspan":
				cell.Rows = min(n, 200)
			}
		}
		all = append(all, cell)
	}
	return all
}
