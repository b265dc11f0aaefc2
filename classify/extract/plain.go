package extract

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/pdftext"
)

// Plain text is laid out in a fixed width.
const (
	charWidth  = 6.0
	lineHeight = 12.0
	wordEnd    = 2.5 // so that one blank separates words, and two separate columns
	pageLines  = 66
	tabStop    = 8
)

// plain lays text out as pages; a form feed starts a new one.
func plain(ctx context.Context, r io.Reader, most Limits) ([]tracking.TextPage, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var pages []tracking.TextPage
	words := 0
	for _, page := range strings.Split(decode(content), "\f") {
		if ctx.Err() != nil {
			return nil, contextError(ctx)
		}
		laid, err := lay(page, most.Words-words)
		if err != nil {
			return nil, pdftext.TooManyWords(most.Words)
		}
		words += len(laid.Words)
		if len(pages) == most.Pages {
			return nil, pdftext.TooManyPages(most.Pages)
		}
		pages = append(pages, laid)
	}
	return pages, nil
}

// decode decodes UTF-8, UTF-16 with a byte order mark, and else Latin-1.
func decode(b []byte) string {
	switch {
	case len(b) >= 2 && (b[0] == 0xFE && b[1] == 0xFF || b[0] == 0xFF && b[1] == 0xFE):
		little := b[0] == 0xFF
		units := make([]uint16, 0, len(b)/2)
		for i := 2; i+1 < len(b); i += 2 {
			if little {
				units = append(units, uint16(b[i])|uint16(b[i+1])<<8)
			} else {
				units = append(units, uint16(b[i+1])|uint16(b[i])<<8)
			}
		}
		return string(utf16.Decode(units))
	case utf8.Valid(b):
		return strings.TrimPrefix(string(b), "\uFEFF")
	}
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

var errTooMany = errors.New("too many words")

func lay(text string, most int) (tracking.TextPage, error) {
	page := tracking.TextPage{Width: 80 * charWidth}
	y := 0.0
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for lines.Scan() {
		column, begin := 0, 0
		var word strings.Builder
		end := func() {
			if word.Len() == 0 {
				return
			}
			page.Words = append(page.Words, tracking.TextWord{Text: word.String(), Box: tracking.TextBox{
				Left: float64(begin) * charWidth, Right: float64(column)*charWidth + wordEnd, Top: y, Bottom: y + lineHeight*0.8,
			}})
			word.Reset()
		}
		for _, r := range lines.Text() {
			switch {
			case r == '\t':
				end()
				column += tabStop - column%tabStop
				continue
			case r == ' ' || r == '\r' || r == '\u00a0':
				end()
			case r >= ' ':
				if word.Len() == 0 {
					begin = column
				}
				word.WriteRune(r)
			}
			column++
		}
		end()
		if len(page.Words) > most {
			return page, errTooMany
		}
		page.Width = max(page.Width, float64(column)*charWidth)
		y += lineHeight
	}
	page.Height = max(y, pageLines*lineHeight)
	return page, nil
}
