package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract"
)

// TestLetters checks which letters are read at which places, in core fonts and in embedded
// ones.
func TestLetters(t *testing.T) {
	pdf := fpdf.New("P", "pt", "A4", "")
	pdf.AddUTF8FontFromBytes("Go", "", goregular.TTF)
	pdf.AddPage()
	pdf.SetFont("Helvetica", "", 12)
	pdf.Text(50, 100, "PORT OF LOADING:  M\xfcnchen")
	pdf.SetFont("Times", "B", 9)
	pdf.Text(50, 130, "Total 1,250.50 USD")
	pdf.SetFont("Courier", "", 9)
	pdf.Text(50, 160, "SEAL ML-0099887")
	pdf.SetFont("Go", "", 10)
	pdf.Text(50, 190, "Łódź – İstanbul, Šibenik")
	var out bytes.Buffer
	if err := pdf.Output(&out); err != nil {
		t.Fatal(err)
	}
	want := "PORT OF LOADING: München Total 1,250.50 USD SEAL ML-0099887 Łódź – İstanbul, Šibenik"
	e, err := extract.New(extract.Config{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := e.Extract(context.Background(), tracking.DocumentFile{Name: "letters.pdf", Content: bytes.NewReader(out.Bytes()), Size: int64(out.Len())})
	e.Close()
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, w := range text.Pages[0].Words {
		words = append(words, w.Text)
	}
	if got := strings.Join(words, " "); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// "München" begins after 17 letters of 12 points, and is on the line.
	if b := text.Pages[0].Words[3].Box; b.Left < 160 || b.Left > 175 || b.Right < 205 || b.Right > 225 || b.Top > 92 || b.Bottom < 100 || b.Bottom > 105 {
		t.Errorf("%q is at %v", text.Pages[0].Words[3].Text, b)
	}
}
