package form

import "strings"

// Say prints running text; style is "", "B" or "I".
func (f *Form) Say(x, y, size float64, style, s string) {
	f.put(text{x: x, y: y, size: size, font: f.Font, style: style, say: s})
}

// Centre prints running text around x.
func (f *Form) Centre(x, y, size float64, style, s string) {
	f.Say(x-f.width(f.Font, style, size, s)/2, y, size, style, s)
}

// Right prints running text that ends at x.
func (f *Form) Right(x, y, size float64, style, s string) {
	f.Say(x-f.width(f.Font, style, size, s), y, size, style, s)
}

// Fill prints what is filled in, smaller where it would be wider than width; 0 for
// no limit.
func (f *Form) Fill(x, y, width, size float64, s string) {
	f.fill(x, y, width, size, "", s)
}

func (f *Form) fill(x, y, width, size float64, style, s string) {
	for width > 0 && size > 4 && f.width(f.ValueFont, style, size, s) > width {
		size -= 0.25
	}
	f.put(text{x: x, y: y, size: size, font: f.ValueFont, style: style, say: s, layer: 1})
}

// FillRight prints what is filled in so that it ends at x.
func (f *Form) FillRight(x, y, width, size float64, s string) {
	for size > 4 && f.width(f.ValueFont, "", size, s) > width {
		size -= 0.25
	}
	f.fill(x-f.width(f.ValueFont, "", size, s), y, 0, size, "", s)
}

func (f *Form) put(t text) {
	if t.say = strings.TrimSpace(t.say); t.say != "" {
		f.texts = append(f.texts, t)
	}
}

// Frame draws a rectangle, Rule a line, Shade a grey area.
func (f *Form) Frame(x, y, w, h float64) { f.pdf.Rect(x, y, w, h, "D") }

// Rule draws a line.
func (f *Form) Rule(x1, y1, x2, y2 float64) { f.pdf.Line(x1, y1, x2, y2) }

// Shade fills a rectangle, light from 0 for black to 255.
func (f *Form) Shade(x, y, w, h float64, light int) {
	f.pdf.SetFillColor(light, light, light)
	f.pdf.Rect(x, y, w, h, "F")
}

// Badge draws a coloured block, as logos are.
func (f *Form) Badge(x, y, w, h float64) {
	f.pdf.SetFillColor(40+f.R.IntN(120), 60+f.R.IntN(120), 80+f.R.IntN(150))
	f.pdf.Rect(x, y, w, h, "F")
}

// Box draws a frame with its caption in small type on top and the lines below.
func (f *Form) Box(x, y, w, h float64, caption string, lines ...string) {
	f.Frame(x, y, w, h)
	f.Field(x+1, y+1, w-2, caption, lines...)
}

// Field is a box without the frame.
func (f *Form) Field(x, y, w float64, caption string, lines ...string) {
	f.Say(x, y, 6, "", caption)
	for i, line := range lines {
		f.Fill(x, y+3.6+3.7*float64(i), w, 8.5, line)
	}
}

// Pair prints a caption and, from x plus gap on, its value beside it. It returns the
// y of the next line.
func (f *Form) Pair(x, y, gap, width float64, caption, value string) float64 {
	f.Say(x, y, 8, "B", caption)
	f.Fill(x+gap, y, width-gap, 8.5, value)
	return y + 4.6
}

// Label prints a caption and its value beside it: gap further on, or right behind a
// caption that is longer. The value ends before x plus width. It returns the y of the
// next line.
func (f *Form) Label(x, y, gap, width, size float64, style, caption, value string) float64 {
	f.Say(x, y, size, style, caption)
	gap = max(gap, f.width(f.Font, style, size, caption+" "))
	f.Fill(x+gap, y, max(width-gap, 1), size, value) // a width of 0 were no limit
	return y + size*0.55
}

// Captioned draws a frame with a caption that goes on in further lines where it is
// long, as captions with remarks do, and what is filled in below it.
func (f *Form) Captioned(x, y, w, h, size float64, caption string, lines ...string) {
	f.Frame(x, y, w, h)
	y = f.Paragraph(x+1, y+1, w-2, size, caption) + 0.6
	for _, line := range lines {
		f.Fill(x+2, y, w-3, 8.5, line)
		y += 3.7
	}
}

// Below prints what is filled in above a rule, and its caption in small type below.
func (f *Form) Below(x, y, w, size float64, value, caption string) {
	f.Fill(x+1, y, w-3, size, value)
	y += size*0.36 + 0.6
	f.Rule(x, y, x+w-2, y)
	f.Say(x+1, y+0.7, 5.5, "", caption)
}

// Cells prints a row of frames, each with its caption on top and its value below it,
// and returns the y below them.
func (f *Form) Cells(x, y, h float64, widths []float64, cells ...[2]string) float64 {
	for i, c := range cells {
		f.Box(x, y, widths[i], h, c[0], c[1])
		x += widths[i]
	}
	return y + h
}

// Heads prints titles where Spread prints cells.
func (f *Form) Heads(y, size float64, stops []float64, sides string, titles ...string) {
	for i, title := range titles {
		if sides[i] == 'r' {
			f.Right(stops[i+1]-2, y, size, "B", title)
		} else {
			f.Say(stops[i], y, size, "B", title)
		}
	}
}

// Spread prints cells in a line without any rules, each from its stop to the next; sides
// has an l or an r for each cell. It returns the y of the next line.
func (f *Form) Spread(y, size float64, stops []float64, sides string, cells ...string) float64 {
	for i, cell := range cells {
		w := stops[i+1] - stops[i] - 2
		if sides[i] == 'r' {
			f.FillRight(stops[i]+w, y, w, size, cell)
		} else {
			f.Fill(stops[i], y, w, size, cell)
		}
	}
	return y + size*0.5
}

// Lines prints running text line by line, and returns the y below it.
func (f *Form) Lines(x, y, size float64, style string, lines ...string) float64 {
	for _, line := range lines {
		f.Say(x, y, size, style, line)
		y += size * 0.45
	}
	return y
}

// Paragraph prints running text in a column, and returns the y below it.
func (f *Form) Paragraph(x, y, w, size float64, s string) float64 {
	return f.Lines(x, y, size, "", f.wrap(f.Font, "", size, w, s)...)
}

// Prose prints what is filled in, in a column, and returns the y below it.
func (f *Form) Prose(x, y, w, size float64, s string) float64 {
	for _, line := range f.wrap(f.ValueFont, "", size, w, s) {
		f.Fill(x, y, w, size, line)
		y += size * 0.45
	}
	return y
}

// Column is one of a table. Right sets figures at its right edge.
type Column struct {
	Title string
	Width float64
	Right bool
}

// Table prints rows under titles, and returns the y below the last. Ruled tables have
// lines around all cells, the others one below the titles. Cells that are too wide go
// on in a second line; titles break at line ends.
func (f *Form) Table(x, y, size float64, ruled bool, columns []Column, rows [][]string) float64 {
	deep := 1
	for _, c := range columns {
		deep = max(deep, 1+strings.Count(c.Title, "\n"))
	}
	at := x
	for _, c := range columns {
		for i, part := range strings.Split(c.Title, "\n") {
			f.Say(at+1, y+1+3.2*float64(i), size-1, "B", part)
		}
		at += c.Width
	}
	foot := y + 1.6 + 3.2*float64(deep)
	f.grid(x, y, foot, ruled, columns)
	f.Rule(x, foot, at, foot)
	y = foot
	for _, row := range rows {
		y = f.row(x, y, size, ruled, columns, row)
	}
	return y
}

func (f *Form) row(x, y, size float64, ruled bool, columns []Column, row []string) float64 {
	deep := 1
	at := x
	for i, c := range columns {
		lines := f.wrap(f.ValueFont, "", size, c.Width-2, row[i])
		if c.Right {
			f.FillRight(at+c.Width-1, y+1, c.Width-2, size, row[i])
			lines = lines[:1]
		} else {
			for n, line := range lines {
				f.Fill(at+1, y+1+0.42*size*float64(n), c.Width-2, size, line)
			}
		}
		deep = max(deep, len(lines))
		at += c.Width
	}
	foot := y + 1.6 + 0.42*size*float64(deep)
	f.grid(x, y, foot, ruled, columns)
	return foot
}

func (f *Form) grid(x, y, foot float64, ruled bool, columns []Column) {
	if !ruled {
		return
	}
	for _, c := range columns {
		f.Frame(x, y, c.Width, foot-y)
		x += c.Width
	}
}
