package tracking_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// picture is red at the top left and blue elsewhere.
func picture(t *testing.T, format string) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 64, 32))
	for y := range 32 {
		for x := range 64 {
			img.Set(x, y, color.NRGBA{B: 255, A: 255})
			if x < 16 && y < 16 {
				img.Set(x, y, color.NRGBA{R: 255, A: 255})
			}
		}
	}
	var to bytes.Buffer
	err := png.Encode(&to, img)
	if format == "image/jpeg" {
		to.Reset()
		err = jpeg.Encode(&to, img, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to.Bytes()
}

func TestTurnedPictures(t *testing.T) {
	for _, format := range []string{"image/png", "image/jpeg"} {
		// Where the red corner is after each turn of a picture of 64 by 32.
		for _, row := range []struct{ degrees, w, h, x, y int }{{90, 32, 64, 24, 8}, {180, 64, 32, 56, 24}, {270, 32, 64, 8, 56}} {
			b := trackingtest.New(t)
			d, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "scan", ContentType: format, Content: picture(t, format)})
			if err != nil {
				t.Fatal(err)
			}
			if err := b.RotateDocument(ctx, d.ID, row.degrees); err != nil {
				t.Fatal(err)
			}
			b.Settle()
			img := shownPicture(t, b, d.ID)
			red, _, _, _ := img.At(row.x, row.y).RGBA()
			if size := img.Bounds().Size(); size.X != row.w || size.Y != row.h || red < 0xc000 {
				t.Errorf("%s turned by %d: %v, red %x", format, row.degrees, size, red)
			}
		}
	}
}

func shownPicture(t *testing.T, b *trackingtest.Bench, id tracking.ID) image.Image {
	t.Helper()
	link, err := b.DocumentDownload(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	file, err := b.OpenDownload(ctx, link)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, _, err := image.Decode(io.NewSectionReader(file, 0, file.Size()))
	if err != nil {
		t.Fatal(err)
	}
	if d := reread(t, b, id); d.FileSizeBytes != file.Size() {
		t.Errorf("%d bytes are shown, and there are %d", d.FileSizeBytes, file.Size())
	}
	return img
}

// Two turns make one, the bytes before are swept, and what cannot be turned stays.
func TestTurningAgain(t *testing.T) {
	b := trackingtest.New(t)
	content := picture(t, "image/png")
	d, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "scan", ContentType: "image/png", Content: content})
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		if err := b.RotateDocument(ctx, d.ID, 90); err != nil {
			t.Fatal(err)
		}
	}
	b.Pass(10 * time.Minute)
	if size := shownPicture(t, b, d.ID).Bounds().Size(); size.X != 64 {
		t.Errorf("turned by 360 degrees: %v", size)
	}
	b.Pass(72 * time.Hour)
	if _, err := b.Blobs.Open(ctx, tracking.BlobKey{Account: b.Account.Scope(), ID: d.Upload}); err == nil {
		t.Error("the bytes before are there")
	}
	shownPicture(t, b, d.ID)

	broken, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "broken", ContentType: "image/png", Content: content[:40]})
	if err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if err := b.RotateDocument(ctx, broken.ID, 90); err != nil {
		t.Fatal(err)
	}
	b.Pass(10 * time.Minute)
	if now := reread(t, b, broken.ID); now.FileSizeBytes != 40 {
		t.Errorf("a broken picture became one of %d bytes", now.FileSizeBytes)
	}
}

// A picture that is turned while it is read is read again.
func TestTurnedWhileRead(t *testing.T) {
	papers := &busyPapers{}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Extractor = papers })
	papers.Papers = b.Papers
	d, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "scan", ContentType: "image/png", Content: picture(t, "image/png")})
	if err != nil {
		t.Fatal(err)
	}
	papers.meanwhile = func() {
		papers.meanwhile = nil
		if err := b.RotateDocument(ctx, d.ID, 90); err != nil {
			t.Error(err)
		}
		if _, err := b.RunOnce(ctx); err != nil {
			t.Error(err)
		}
	}
	b.Settle()
	if now := reread(t, b, d.ID); now.Upload == d.Upload || now.ClassificationNotes != "unreadable: The file is a picture." {
		t.Errorf("turned: %v; read: %q", now.Upload != d.Upload, now.ClassificationNotes)
	}
}
