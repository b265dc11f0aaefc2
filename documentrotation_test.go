package tracking_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/store"
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

func TestRotatedPictures(t *testing.T) {
	for _, format := range []string{"image/png", "image/jpeg"} {
		// Where the red corner is after each rotation of a picture of 64 by 32.
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
			img, content := shownPicture(t, b, d.ID)
			if format == "image/jpeg" { // nothing of it is lost: it says how it is to be held
				want := map[int]byte{90: 6, 180: 3, 270: 8}[row.degrees]
				if !bytes.Contains(content, []byte{0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, want, 0, 0}) || !bytes.HasSuffix(content, picture(t, format)[2:]) {
					t.Errorf("rotated by %d: %q", row.degrees, content[:60])
				}
				continue
			}
			red, _, _, _ := img.At(row.x, row.y).RGBA()
			if size := img.Bounds().Size(); size.X != row.w || size.Y != row.h || red < 0xc000 {
				t.Errorf("%s rotated by %d: %v, red %x", format, row.degrees, size, red)
			}
		}
	}
}

func shownPicture(t *testing.T, b *trackingtest.Bench, id tracking.ID) (image.Image, []byte) {
	t.Helper()
	content := downloaded(t, b, id)
	img, _, err := image.Decode(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if d := reread(t, b, id); d.FileSizeBytes != int64(len(content)) {
		t.Errorf("%d bytes are shown, and there are %d", d.FileSizeBytes, len(content))
	}
	return img, []byte(content)
}

// Two rotations add up, and the old bytes are swept.
func TestRotatingAgain(t *testing.T) {
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
	b.Settle() // no time passes: none of them had to be tried again
	if img, _ := shownPicture(t, b, d.ID); img.Bounds().Dx() != 64 {
		t.Errorf("rotated by 360 degrees: %v", img.Bounds())
	}
	b.Pass(72 * time.Hour)
	if _, err := b.Blobs.Open(ctx, tracking.BlobKey{Account: b.Account.Scope(), ID: d.Upload}); err == nil {
		t.Error("the bytes before are there")
	}
	shownPicture(t, b, d.ID)

}

// filed makes a document of a picture, and has it looked at.
func filed(t *testing.T, b *trackingtest.Bench, format string, content []byte) tracking.ID {
	t.Helper()
	d, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "scan", ContentType: format, Content: content})
	if err != nil {
		t.Fatal(err)
	}
	b.Settle()
	return d.ID
}

// A repeated call with the same key rotates once, with another key again.
func TestRotatedOnce(t *testing.T) {
	b := trackingtest.New(t)
	id := filed(t, b, "image/png", picture(t, "image/png"))
	for _, row := range []struct {
		key, fingerprint string
		width            int
		want             string
	}{{"a", "90", 32, "no Error"}, {"a", "90", 32, "no Error"}, {"b", "90", 64, "no Error"}, {"a", "180", 64, "idempotency_key_reused"}, {"", "", 32, "no Error"}, {"", "", 64, "no Error"}} {
		if err := b.RotateDocument(ctx, id, 90, tracking.Once{Key: row.key, Fingerprint: row.fingerprint}); fault(err) != row.want {
			t.Errorf("key %q: %v, want %s", row.key, err, row.want)
		}
		b.Settle()
		if img, _ := shownPicture(t, b, id); img.Bounds().Dx() != row.width {
			t.Errorf("after key %q: %v", row.key, img.Bounds())
		}
	}
}

// damagedWithin is a PNG that looks whole: its pixels do not unpack.
func damagedWithin(t *testing.T) []byte {
	content := bytes.Clone(picture(t, "image/png"))
	at := bytes.Index(content, []byte("IDAT"))
	size := int(binary.BigEndian.Uint32(content[at-4:]))
	content[at+4+size/2] ^= 0xff
	binary.BigEndian.PutUint32(content[at+4+size:], crc32.ChecksumIEEE(content[at:at+4+size]))
	return content
}

// What cannot be turned is refused at once and stays; where that shows only when it
// is tried, the document says so.
func TestPicturesThatAreNotRotated(t *testing.T) {
	whole := picture(t, "image/png")
	wide := bytes.Clone(whole)
	binary.BigEndian.PutUint32(wide[16:], 60_000)
	binary.BigEndian.PutUint32(wide[20:], 60_000)
	binary.BigEndian.PutUint32(wide[29:], crc32.ChecksumIEEE(wide[12:29]))
	for name, row := range map[string]struct {
		content []byte
		want    string
	}{
		"half a PNG":  {whole[:len(whole)/2], "the picture is damaged"},
		"half a JPEG": {picture(t, "image/jpeg")[:40], "the picture is damaged"},
		"a bomb":      {wide, "a PNG can be rotated if its pixels take at most 256 MiB; those of this one (60000 x 60000, 24 bits each) take 10300 MiB"},
		"a text":      {[]byte("a text"), "only PNG and JPEG pictures can be rotated; this document is text/plain"},
		"a GIF":       {[]byte("GIF89a"), "only PNG and JPEG pictures can be rotated; this document is text/plain"},
	} {
		b := trackingtest.New(t)
		contentType := "image/png"
		if name == "a text" {
			contentType = "text/plain"
		}
		id := filed(t, b, contentType, row.content)
		before := reread(t, b, id).Version
		var e *tracking.Error
		if err := b.RotateDocument(ctx, id, 90); !errors.As(err, &e) || e.Kind != tracking.Invalid || e.Code != "not_an_image" || !strings.Contains(e.Detail, row.want) {
			t.Errorf("%s: %v, want %q", name, err, row.want)
		}
		b.Pass(10 * time.Minute)
		if now := reread(t, b, id); now.Version != before {
			t.Errorf("%s: the document was written: %+v", name, now)
		}
	}
	b := trackingtest.New(t)
	id := filed(t, b, "image/png", damagedWithin(t))
	for range 2 {
		if err := b.RotateDocument(ctx, id, 90); err != nil {
			t.Fatal(err)
		}
		b.Pass(10 * time.Minute)
	}
	if notes := reread(t, b, id).ClassificationNotes; notes != "unreadable: The file is a picture. The picture was not rotated: the picture is damaged." {
		t.Errorf("the notes are %q", notes)
	}
	if left := blobsOf(t, b); len(left) != 1 {
		t.Errorf("there are %d blobs", len(left))
	}
}

// slowBlobs is a place for blobs that takes its time.
type slowBlobs struct {
	tracking.Blobs
	put func()
}

func (s *slowBlobs) Put(ctx context.Context, key tracking.BlobKey, r io.Reader) error {
	s.put()
	return s.Blobs.Put(ctx, key, r)
}

// A rotation that waited for another renews its lease when it starts.
func TestRotationsInARow(t *testing.T) {
	blobs, took := &slowBlobs{put: func() {}}, []time.Duration{80 * time.Second, time.Minute}
	var db tracking.Store
	b := trackingtest.New(t, func(c *tracking.Config) { blobs.Blobs, c.Blobs, db, c.Workers = c.Blobs, blobs, c.Store, 4 })
	content := picture(t, "image/png")
	for _, id := range []tracking.ID{filed(t, b, "image/png", content), filed(t, b, "image/png", append(content, "behind its end"...))} {
		if err := b.RotateDocument(ctx, id, 90); err != nil {
			t.Fatal(err)
		}
	}
	blobs.put = func() {
		if len(took) == 0 {
			t.Error("a third rotation")
			return
		}
		b.Clock.Advance(took[0])
		took = took[1:]
		if again, err := db.Claim(ctx, store.ClaimRequest{Kinds: []store.JobKind{"rotate"}, Now: b.Clock.Now(), Lease: time.Hour, Limit: 10, PerGroup: 10}); err != nil || len(again) > 0 {
			t.Errorf("claimed again while it is rotated: %v, %v", again, err)
		}
	}
	b.Settle()
	if len(took) > 0 {
		t.Errorf("%d were not rotated", len(took))
	}
}

// A scan in black and white of any usual size can be rotated twice.
func TestLargeScansAreRotated(t *testing.T) {
	b := trackingtest.New(t)
	scan := image.NewPaletted(image.Rect(0, 0, 4000, 3000), color.Palette{color.White, color.Black})
	scan.SetColorIndex(0, 0, 1)
	var content bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&content, scan); err != nil {
		t.Fatal(err)
	}
	id := filed(t, b, "image/png", content.Bytes())
	for _, corner := range []image.Point{{2999, 0}, {3999, 2999}} {
		if err := b.RotateDocument(ctx, id, 90); err != nil {
			t.Fatal(err)
		}
		b.Settle()
		img, _ := shownPicture(t, b, id)
		if p, ok := img.(*image.Paletted); !ok || p.ColorIndexAt(corner.X, corner.Y) != 1 {
			t.Errorf("the corner is not at %v of %v", corner, img.Bounds())
		}
	}
}

// A picture that is rotated while it is read is read again.
func TestRotatedWhileRead(t *testing.T) {
	reader := &busyReader{}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Extractor = reader })
	reader.DocumentReader = b.DocumentReader
	d, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "scan", ContentType: "image/png", Content: picture(t, "image/png")})
	if err != nil {
		t.Fatal(err)
	}
	reader.meanwhile = func() {
		reader.meanwhile = nil
		if err := b.RotateDocument(ctx, d.ID, 90); err != nil {
			t.Error(err)
		}
		if _, err := b.RunOnce(ctx); err != nil {
			t.Error(err)
		}
	}
	b.Settle()
	if now := reread(t, b, d.ID); now.Upload == d.Upload || now.ClassificationNotes != "unreadable: The file is a picture." {
		t.Errorf("rotated: %v; read: %q", now.Upload != d.Upload, now.ClassificationNotes)
	}
}
