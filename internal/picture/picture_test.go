package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// drawn is a PNG of random pixels, each row with a random filter.
func drawn(r *rand.Rand, w, h int, colour, depth byte, interlaced bool, more ...string) []byte {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	bits := colours[colour].samples * int(depth)
	grids := wholeGrid
	if interlaced {
		grids = adam7
	}
	for _, g := range grids {
		n, m := steps(w-g.x, g.dx), steps(h-g.y, g.dy)
		for range m {
			if n == 0 {
				continue
			}
			row := make([]byte, 1+rowBytes(n, bits))
			for i := range row {
				row[i] = byte(r.Uint32())
			}
			row[0] %= 5
			z.Write(row)
		}
	}
	z.Close()
	var head [13]byte
	binary.BigEndian.PutUint32(head[:], uint32(w))
	binary.BigEndian.PutUint32(head[4:], uint32(h))
	head[8], head[9] = depth, colour
	if interlaced {
		head[12] = 1
	}
	out := bytes.NewBufferString(pngMagic)
	writeChunk(out, "IHDR", head[:])
	if colour == 3 {
		palette := make([]byte, 3<<depth)
		for i := range palette {
			palette[i] = byte(r.Uint32())
		}
		writeChunk(out, "PLTE", palette)
	}
	for _, text := range more {
		writeChunk(out, text[:4], []byte(text[4:]))
	}
	for data := packed.Bytes(); len(data) > 0; {
		n := min(len(data), 1+r.IntN(50))
		writeChunk(out, "IDAT", data[:n])
		data = data[n:]
	}
	writeChunk(out, "tEXt", []byte("Title\x00scan"))
	writeChunk(out, "IEND", nil)
	return out.Bytes()
}

func rotate(content []byte, quarters int) ([]byte, error) {
	p, err := Open(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, err
	}
	var to bytes.Buffer
	err = p.Rotate(&to, quarters)
	return to.Bytes(), err
}

// from is where the pixel at x, y of a rotated picture comes from, in one of w x h.
func from(x, y, w, h, quarters int) (int, int) {
	for range quarters {
		w, h = h, w // of the picture that is rotated back
	}
	for range quarters {
		x, y = y, w-1-x
		w, h = h, w
	}
	return x, y
}

func sameRotated(t *testing.T, name string, before, after image.Image, quarters int) {
	t.Helper()
	w, h := before.Bounds().Dx(), before.Bounds().Dy()
	size := image.Pt(w, h)
	if quarters%2 == 1 {
		size = image.Pt(h, w)
	}
	if after.Bounds().Size() != size {
		t.Fatalf("%s: %v, want %v", name, after.Bounds(), size)
	}
	for y := range size.Y {
		for x := range size.X {
			fx, fy := from(x, y, w, h, quarters)
			if got, want := after.At(x, y), before.At(before.Bounds().Min.X+fx, before.Bounds().Min.Y+fy); got != want {
				t.Fatalf("%s: at %d,%d is %v, want %v of %d,%d", name, x, y, got, want, fx, fy)
			}
		}
	}
}

// PNGs of every form, in one band and in many, come out as image/png sees them
// rotated, in the same form.
func TestRotatedPNG(t *testing.T) {
	defer func(n int) { bandBytes = n }(bandBytes)
	r := rand.New(rand.NewPCG(1, 2))
	for colour, form := range colours {
		for _, depth := range []byte(form.depths) {
			for _, interlaced := range []bool{false, true} {
				for _, size := range [][2]int{{19, 10}, {3, 11}} {
					if testing.Short() && size[0] == 3 {
						continue
					}
					content := drawn(r, size[0], size[1], colour, depth, interlaced)
					before, err := png.Decode(bytes.NewReader(content))
					if err != nil {
						t.Fatal(err)
					}
					for quarters := 1; quarters <= 3; quarters++ {
						for _, bandBytes = range []int{60, 1 << 20} {
							name := fmt.Sprintf("colour %d, depth %d, interlaced %v, %v, %d quarters, bands of %d", colour, depth, interlaced, size, quarters, bandBytes)
							rotated, err := rotate(content, quarters)
							if err != nil {
								t.Fatalf("%s: %v", name, err)
							}
							after, err := png.Decode(bytes.NewReader(rotated))
							if err != nil {
								t.Fatalf("%s: %v", name, err)
							}
							sameRotated(t, name, before, after, quarters)
							if rotated[24] != depth || rotated[25] != colour || !bytes.Contains(rotated, []byte("Title\x00scan")) {
								t.Errorf("%s: it is of another form", name)
							}
						}
					}
				}
			}
		}
	}
}

// What else a PNG has stays where it is still so.
func TestPartsOfPNG(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	content := drawn(r, 4, 2, 2, 8, false, "pHYs\x00\x00\x00\x01\x00\x00\x00\x02\x01", "gAMA\x00\x00\x00\x01", "iDOTxx", "tIMExxxxxxx", "zxYtsafe", "zxYTunsafe")
	rotated, err := rotate(content, 1)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"pHYs\x00\x00\x00\x02\x00\x00\x00\x01\x01": true, "gAMA": true, "iDOT": false, "tIME": false, "safe": true, "unsafe": false} {
		if bytes.Contains(rotated, []byte(text)) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
	half, err := rotate(content, 2)
	if err != nil || !bytes.Contains(half, []byte("pHYs\x00\x00\x00\x01\x00\x00\x00\x02\x01")) {
		t.Errorf("a half turn swaps the sides: %v", err)
	}
}

// photo is a JPEG with other segments before its pixels.
func photo(segments ...string) []byte {
	img := image.NewGray(image.Rect(0, 0, 32, 16))
	for y := range 16 {
		for x := range 32 {
			img.Set(x, y, color.Gray{uint8(8*x + 3*y)})
		}
	}
	var to bytes.Buffer
	if err := jpeg.Encode(&to, img, &jpeg.Options{Quality: 100}); err != nil {
		panic(err)
	}
	out := []byte{0xff, soi}
	for _, s := range segments {
		out = append(out, 0xff, s[0], byte((len(s)+1)>>8), byte(len(s)+1))
		out = append(out, s[1:]...)
	}
	return append(out, to.Bytes()[2:]...)
}

// exifOf is an Exif segment whose directory has the entries and is followed by what a
// thumbnail's directory would be; an entry of two values has them behind it.
func exifOf(order binary.AppendByteOrder, entries ...[3]uint16) string {
	mark := "MM"
	if order == binary.LittleEndian {
		mark = "II"
	}
	b := order.AppendUint16([]byte(mark), 42)
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, uint16(len(entries)))
	for _, e := range entries { // tag, type, value
		b = order.AppendUint16(order.AppendUint16(b, e[0]), e[1])
		b = order.AppendUint16(order.AppendUint16(order.AppendUint32(b, 1), e[2]), 0)
	}
	return "\xe1" + exifMark + string(order.AppendUint32(b, 0xabcd)) + "rest!"
}

// upright is a JPEG as it is shown: its pixels under its orientation. It reads the
// orientation in a way of its own.
func upright(t *testing.T, content []byte) image.Image {
	t.Helper()
	img, err := jpeg.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	o := uint16(1)
	if _, block, ok := bytes.Cut(content, []byte(exifMark)); ok {
		var order binary.ByteOrder = binary.BigEndian
		if block[0] == 'I' {
			order = binary.LittleEndian
		}
		at := order.Uint32(block[4:])
		last := uint16(0)
		for i := range uint32(order.Uint16(block[at:])) {
			e := block[at+2+12*i:]
			if order.Uint16(e) < last {
				t.Errorf("the entries are not in order: %x", block[at:])
			}
			if last = order.Uint16(e); last == 0x0112 {
				o = order.Uint16(e[8:])
			}
		}
		if next := order.Uint32(block[at+2+12*uint32(order.Uint16(block[at:])):]); next != 0xabcd && next != 0 {
			t.Errorf("the directory after is lost: %x", next)
		}
	}
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	size := image.Rect(0, 0, w, h)
	if o > 4 {
		size = image.Rect(0, 0, h, w)
	}
	shown := image.NewRGBA(size)
	for y := range h {
		for x := range w {
			// Where row and column 0 are to be shown (Exif 2.3, orientation).
			at := [...]image.Point{1: {x, y}, 2: {w - 1 - x, y}, 3: {w - 1 - x, h - 1 - y}, 4: {x, h - 1 - y},
				5: {y, x}, 6: {h - 1 - y, x}, 7: {h - 1 - y, w - 1 - x}, 8: {y, w - 1 - x}}[o]
			shown.Set(at.X, at.Y, img.At(x, y))
		}
	}
	return shown
}

// JPEGs are rotated from any orientation, and keep pixels and other metadata.
func TestRotatedJPEG(t *testing.T) {
	const jfif = "\xe0JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
	rows := map[string][]byte{
		"of its own":         photo(),
		"after JFIF":         photo(jfif),
		"before JFIF":        photo(exifOf(binary.BigEndian, [3]uint16{0x0112, 3, 6}), jfif),
		"without one":        photo(jfif, exifOf(binary.BigEndian, [3]uint16{0x0100, 3, 7}, [3]uint16{0x8769, 3, 9})),
		"as a long":          photo(exifOf(binary.BigEndian, [3]uint16{0x0112, 4, 6})),
		"of nonsense":        photo(exifOf(binary.LittleEndian, [3]uint16{0x0112, 3, 77})),
		"broken":             photo("\xe1" + exifMark + "nonsense"),
		"cut off":            photo("\xe1" + exifMark + "MM\x00*\x00\x00\x00\x08\x00\x09"),
		"far away":           photo("\xe1" + exifMark + "MM\x00*\xff\xff\xff\xff"),
		"full":               photo(exifOf(binary.BigEndian, [3]uint16{0x0100, 3, 7}) + strings.Repeat("x", 65_490)),
		"of another segment": photo("\xe1http://ns.adobe.com/xap/1.0/\x00<x/>", exifOf(binary.LittleEndian, [3]uint16{0x0112, 3, 1})),
	}
	for o := uint16(1); o <= 8; o++ {
		rows[fmt.Sprint("big, ", o)] = photo(exifOf(binary.BigEndian, [3]uint16{0x0100, 3, 7}, [3]uint16{0x0112, 3, o}))
		rows[fmt.Sprint("little, ", o)] = photo(exifOf(binary.LittleEndian, [3]uint16{0x0112, 3, o}, [3]uint16{0x0132, 3, 1}))
	}
	for name, content := range rows {
		before := upright(t, mended(content))
		for quarters := 1; quarters <= 3; quarters++ {
			rotated, err := rotate(content, quarters)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			sameRotated(t, name, before, upright(t, rotated), quarters)
			if grown := len(rotated) - len(content); grown > 100 {
				t.Errorf("%s: it grew by %d bytes", name, grown)
			}
			full := rotated
			for range 4 - quarters {
				if full, err = rotate(full, 1); err != nil {
					t.Fatalf("%s: again: %v", name, err)
				}
			}
			sameRotated(t, name+", all round", before, upright(t, full), 0)
		}
	}
}

// mended is a picture of the table without an orientation that says nothing.
func mended(content []byte) []byte {
	if o := bytes.Index(content, []byte(exifMark)); o > 0 && orientation(content[o+len(exifMark):]) == 1 {
		return photo()
	}
	return content
}

// Pictures that cannot be rotated are refused by Open, or by Rotate when it reads the pixels.
func TestRefusedPictures(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	whole := drawn(r, 40, 40, 2, 8, false)
	huge := func(w, h uint32, depth, colour byte) []byte {
		var head [13]byte
		binary.BigEndian.PutUint32(head[:], w)
		binary.BigEndian.PutUint32(head[4:], h)
		head[8], head[9] = depth, colour
		out := bytes.NewBufferString(pngMagic)
		writeChunk(out, "IHDR", head[:])
		writeChunk(out, "IDAT", nil)
		writeChunk(out, "IEND", nil)
		return out.Bytes()
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	bad := func(spoil func([]byte)) []byte { // of a right sum
		out := bytes.NewBufferString(pngMagic)
		var head [13]byte
		binary.BigEndian.PutUint32(head[:], 2)
		binary.BigEndian.PutUint32(head[4:], 2)
		head[8] = 8
		writeChunk(out, "IHDR", head[:])
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		rows := []byte{0, 1, 2, 0, 3, 4}
		if spoil != nil {
			spoil(rows)
		} else {
			rows = rows[:4]
		}
		z.Write(rows)
		z.Close()
		writeChunk(out, "IDAT", packed.Bytes())
		writeChunk(out, "IEND", nil)
		return out.Bytes()
	}
	for name, row := range map[string]struct {
		content []byte
		want    string
	}{
		"text":               {[]byte("hello"), "neither PNG nor JPEG"},
		"nothing":            {nil, "neither PNG nor JPEG"},
		"half a PNG":         {whole[:len(whole)/2], "damaged"},
		"a head alone":       {[]byte(pngMagic), "damaged"},
		"a flipped bit":      {flipped, "damaged"},
		"no pixels":          {[]byte(pngMagic + "\x00\x00\x00\x00IEND\xaeB`\x82"), "damaged"},
		"no width":           {huge(0, 1, 8, 0), "damaged"},
		"an odd form":        {huge(1, 1, 4, 2), "damaged"},
		"a palette missing":  {huge(1, 1, 8, 3), "damaged"},
		"wide":               {huge(65_536, 1, 1, 0), "at most 65535 pixels wide and high; this one has 65536 x 1"},
		"wide without end":   {huge(1<<32-1, 1<<32-1, 16, 6), "at most 65535 pixels"},
		"large":              {huge(20_000, 20_000, 8, 2), "at most 256 MiB; those of this one (20000 x 20000, 24 bits each) take 1145 MiB"},
		"large when rotated": {huge(65_535, 5_000, 1, 0), ""},
		"moving":             {drawn(r, 2, 2, 2, 8, false, "acTLxxxxxxxx"), "animated"},
		"of an odd part":     {drawn(r, 2, 2, 2, 8, false, "ABCDx"), `unknown critical chunk: "ABCD"`},
		"of many parts":      {drawn(r, 2, 2, 2, 8, false, slicesOf("zxYtx", 1001)...), "more than 1000 chunks"},
		"a filter 9":         {bad(func(rows []byte) { rows[3] = 9 }), "damaged"},
		"a row less":         {bad(nil), "damaged"},
		"half a JPEG":        {photo()[:60], "damaged"},
		"a JPEG of pixels":   {[]byte("\xff\xd8\xff\xda\x00\x02xxxx"), "damaged"},
		"a JPEG that ends":   {[]byte("\xff\xd8\xff\xd9"), "damaged"},
		"a short segment":    {[]byte("\xff\xd8\xff\xe0\x00\x01xxxx"), "damaged"},
	} {
		_, err := rotate(row.content, 1)
		if row.want == "" {
			if err != nil && !errors.Is(err, errDamaged) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), row.want) || row.want != "neither PNG nor JPEG" && !errors.As(err, new(*Fault)) {
			t.Errorf("%s: %v, want %q", name, err, row.want)
		}
	}
}

func slicesOf(s string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = s
	}
	return list
}

// A large picture takes no more memory than a band and what packing needs.
func TestMemoryOfRotations(t *testing.T) {
	defer func(n int) { bandBytes = n }(bandBytes)
	bandBytes = 512 << 10
	var content bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&content, image.NewGray(image.Rect(0, 0, 4000, 1000))); err != nil {
		t.Fatal(err)
	}
	p, err := Open(bytes.NewReader(content.Bytes()), int64(content.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := p.Rotate(io.Discard, 1); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 3<<20 {
		t.Errorf("a picture of 4 MB of pixels took %d KiB", took>>10)
	}
}

// An error of the disk is not the picture's.
func TestFileOfPictureFails(t *testing.T) {
	content := drawn(rand.New(rand.NewPCG(1, 2)), 40, 40, 2, 8, false)
	p, err := Open(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	p.(*pngPicture).file = badFile{}
	if err := p.Rotate(io.Discard, 1); !errors.Is(err, errBadFile) {
		t.Errorf("%v", err)
	}
}

type badFile struct{}

var errBadFile = errors.New("the disk is broken")

func (badFile) ReadAt([]byte, int64) (int, error) { return 0, errBadFile }

func FuzzPicture(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	f.Add(drawn(r, 9, 9, 3, 2, true))
	f.Add(photo(exifOf(binary.LittleEndian, [3]uint16{0x0112, 3, 6})))
	f.Fuzz(func(t *testing.T, content []byte) {
		p, err := Open(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			return
		}
		if png, ok := p.(*pngPicture); ok && png.w*png.h > 1<<20 {
			return
		}
		if err := p.Rotate(io.Discard, 1+len(content)%3); err != nil && !errors.As(err, new(*Fault)) {
			t.Errorf("%v", err)
		}
	})
}
