package hostile

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/jpeg"
	"strings"
)

// pictures are files that are read by recognition alone.
func pictures() []File {
	blanks := string(deflate(repeat("\x00", 1<<20)))
	return []File{
		{"picture.pdf", smallest, false},
		{"sixty-thousand-dots-a-side.png", png(header(60_000, 60_000, 8, 0), chunk("IDAT", blanks)), false},
		{"no-dots.png", png(header(0, 0, 8, 0), chunk("IDAT", blanks)), false},
		{"four-billion-dots-wide.png", png(header(1<<31-1, 1, 16, 6), chunk("IDAT", blanks)), false},
		{"without-its-colours.png", png(header(64, 64, 8, 3), chunk("IDAT", blanks)), false},
		{"chunk-of-two-gigabytes.png", png(header(64, 64, 8, 0), "\x7f\xff\xff\xffIDAT"+blanks), false},
		{"bomb-in-its-text.png", png(header(64, 64, 8, 0), chunk("zTXt", "A\x00\x00"+blanks), chunk("iCCP", "A\x00\x00"+blanks), chunk("IDAT", "")), false},
		{"deeper-than-its-colours.png", png(header(9000, 9000, 16, 6), chunk("IDAT", blanks)), false},
		{"sixty-five-thousand-dots-a-side.jpg", hugeJPEG, false},
		{"markers-without-end.jpg", func() []byte { return []byte("\xff\xd8" + strings.Repeat("\xff", 1<<20)) }, false},
		{"comments-without-end.jpg", func() []byte { return []byte("\xff\xd8" + strings.Repeat("\xff\xfe\x00\x02", 1<<18)) }, false},
		{"directory-in-a-circle.tif", tiff(0, 8), false},
		{"a-million-dots-a-side.tif", tiff(1_000_000, 0), false},
		{"directory-beyond-the-end.tif", func() []byte { return []byte("II*\x00\xf0\xff\xff\xff\xff\xff\xff\xff") }, false},
		{"entries-beyond-the-end.tif", func() []byte {
			return []byte("MM\x00*\x00\x00\x00\x08\xff\xff" + strings.Repeat("\x01\x00\x00\x04\xff\xff\xff\xff\x00\x00\x00\x08", 1000))
		}, false},
		{"drawing.svg", func() []byte {
			return []byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)
		}, false},
	}
}

// smallest is a PNG of one dot.
func smallest() []byte {
	return []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
		"\x00\x00\x00\rIDATx\x9cc\x00\x01\x00\x00\x05\x00\x01\r\n-\xb4\x00\x00\x00\x00IEND\xaeB`\x82")
}

func png(chunks ...string) func() []byte {
	return func() []byte { return []byte("\x89PNG\r\n\x1a\n" + strings.Join(chunks, "") + chunk("IEND", "")) }
}

func chunk(typ, content string) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
	b = append(append(b, typ...), content...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:])))
}

// header says how large a PNG is, and with its type of colour how it is to be decoded.
func header(width, height uint32, depth, colour byte) string {
	b := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	return chunk("IHDR", string(append(b, depth, colour, 0, 0, 0)))
}

// hugeJPEG is a small picture that says to be of 65,500 dots a side.
func hugeJPEG() []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 16, 16)), nil); err != nil {
		panic(err)
	}
	content := b.Bytes()
	frame := bytes.Index(content, []byte("\xff\xc0"))
	binary.BigEndian.PutUint16(content[frame+5:], 65_500)
	binary.BigEndian.PutUint16(content[frame+7:], 65_500)
	return content
}

// tiff is a grey picture without dots, of this side, whose next page is where it says.
func tiff(side, next uint32) func() []byte {
	return func() []byte {
		b := []byte("II*\x00\x08\x00\x00\x00\x07\x00")
		for _, e := range [][2]uint32{{256, side}, {257, side}, {258, 8}, {259, 1}, {262, 1}, {273, 8}, {279, 4}} { // width, height, depth, compression, colour, place, length
			b = binary.LittleEndian.AppendUint16(b, uint16(e[0]))
			b = append(b, 4, 0, 1, 0, 0, 0)
			b = binary.LittleEndian.AppendUint32(b, e[1])
		}
		return binary.LittleEndian.AppendUint32(b, next)
	}
}
