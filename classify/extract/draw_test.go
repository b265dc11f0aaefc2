package extract

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/hostile"
)

// TestRender: a page is drawn as people see it, and what has no such page is a fault of the file.
func TestRender(t *testing.T) {
	e := one(t, Limits{})
	const redAtTopLeft, blueAtBottomRight = "1 0 0 rg 0 700 100 100 re f", "0 0 1 rg 700 0 100 100 re f"
	file := drawn(redAtTopLeft, blueAtBottomRight)
	var small bytes.Buffer
	if err := png.Encode(&small, image.NewGray(image.Rect(0, 0, 300, 200))); err != nil {
		t.Fatal(err)
	}
	at := func(content []byte, page int) image.Image {
		t.Helper()
		made, err := e.Render(context.Background(), bytesOf("page", content), page)
		if err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(bytes.NewReader(made))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	colour := func(m image.Image, x, y int) color.RGBA { return color.RGBAModel.Convert(m.At(x, y)).(color.RGBA) }
	red, blue, white := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}, color.RGBA{255, 255, 255, 255}
	first, second := at(file, 1), at(file, 2)
	if first.Bounds() != image.Rect(0, 0, drawnSide, drawnSide) || colour(first, 50, 50) != red || colour(first, 1700, 1700) != white {
		t.Errorf("page 1: %v, %v and %v", first.Bounds(), colour(first, 50, 50), colour(first, 1700, 1700))
	}
	if colour(second, 1700, 1700) != blue || colour(second, 50, 50) != white {
		t.Errorf("page 2: %v and %v", colour(second, 50, 50), colour(second, 1700, 1700))
	}
	if m := at(small.Bytes(), 1); m.Bounds() != image.Rect(0, 0, 300, 200) || colour(m, 5, 5) != (color.RGBA{0, 0, 0, 255}) {
		t.Errorf("a picture: %v", m.Bounds())
	}
	for name, row := range map[string]struct {
		content []byte
		page    int
	}{
		"after the last": {file, 3}, "none": {file, 0}, "of a text": {[]byte("A text.\n"), 1}, "second of a picture": {small.Bytes(), 2},
	} {
		var fault *tracking.FileError
		if _, err := e.Render(context.Background(), bytesOf("page", row.content), row.page); !errors.As(err, &fault) || fault.Code != tracking.FileNoPage {
			t.Errorf("page %s: %v", name, err)
		}
	}
}

// TestRenderHostileFiles: each is drawn or refused within the limits, and the next one is drawn.
func TestRenderHostileFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: hostile files are not drawn: takes seconds, and needs no -short")
	}
	e := one(t, Limits{})
	for _, f := range hostile.Files() {
		_, err := e.Render(context.Background(), bytesOf(f.Name, f.Make()), 1)
		var fault *tracking.FileError
		if err != nil && !errors.As(err, &fault) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if _, err := e.Render(context.Background(), bytesOf("page", drawn("")), 1); err != nil {
		t.Error(err)
	}
}
