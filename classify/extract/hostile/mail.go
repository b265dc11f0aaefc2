package hostile

import (
	"encoding/binary"
	"fmt"
	"strings"
)

const mailHeader = "From: a@example.com\r\nMIME-Version: 1.0\r\n"

func mail(rest string) func() []byte { return func() []byte { return []byte(mailHeader + rest) } }

// messages are e-mails, as .eml and as .msg.
func messages() []File {
	const mixed = "Content-Type: multipart/mixed; boundary="
	return []File{
		{"parts-in-parts.eml", partsInParts, false},
		{"parts-by-the-thousand.eml", mail(mixed + "x\r\n\r\n" + strings.Repeat("--x\r\nContent-Type: text/html\r\n\r\n\r\n", 20_000)), false},
		{"boundary-of-nothing.eml", mail(mixed + "\"\"\r\n\r\n" + strings.Repeat("--\r\n\r\n", 100_000)), false},
		{"lines-like-boundaries.eml", mail(mixed + "x\r\n\r\n--x\r\n\r\n" + strings.Repeat("--xx\r\n--x \t\r", 100_000)), false},
		{"headers-by-the-hundred-thousand.eml", mail(strings.Repeat("Subject: A\r\n", 100_000) + "\r\ntext"), false},
		{"header-of-a-megabyte.eml", mail("Subject: " + strings.Repeat("A\r\n ", 200_000) + "\r\n\r\ntext"), false},
		{"encoded-words.eml", mail("Subject: " + strings.Repeat("=?utf-7?q?=FF=FE?= ", 50_000) + "\r\n\r\ntext"), false},
		{"parameters-in-pieces.eml", mail("Content-Type: text/plain" + pieces(50_000) + "\r\n\r\ntext"), false},
		{"letters-of-no-alphabet.eml", mail("Content-Type: text/plain; charset=../../etc/passwd\r\nContent-Transfer-Encoding: base64\r\n\r\n" + strings.Repeat("====AAAA", 10_000)), false},
		{"mails-in-mails.eml", mail(strings.Repeat("Content-Type: message/rfc822\r\n\r\n"+mailHeader, 50_000)), false},
		{"escapes-without-end.eml", mail("Content-Transfer-Encoding: quoted-printable\r\n\r\n" + strings.Repeat("=\r\n", 500_000) + "=3"), false},
		{"sectors-in-a-circle.msg", compound(0, true, 0), false},
		{"directory-in-a-circle.msg", compound(end, true, 0), false},
		{"stream-of-four-gigabytes.msg", compound(end, false, 1<<32-1), false},
	}
}

// partsInParts has 5,000 parts, each in the one before, with a boundary of its own.
func partsInParts() []byte {
	var b strings.Builder
	b.WriteString(mailHeader)
	for i := range 5000 {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%[1]d\r\n", i)
	}
	return []byte(b.String())
}

func pieces(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "; charset*%d=A", i)
	}
	return b.String()
}

// end marks the last sector of a stream, free what is not there.
const end, free = 1<<32 - 2, 1<<32 - 1

// compound is a compound file ([MS-CFB]) with one sector of a table, which leads from each
// sector to the next one given, and one of a directory, whose entries are streams of this
// size, and perhaps their own neighbours.
func compound(next uint32, circle bool, size uint32) func() []byte {
	return func() []byte {
		const sector = 512
		b := make([]byte, 3*sector)
		copy(b, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
		copy(b[24:], "\x3e\x00\x03\x00\xfe\xff\x09\x00\x06\x00") // versions, byte order, sizes of sectors
		put := func(at int, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }
		put(44, 1)    // sectors of the table
		put(48, 1)    // where the directory begins
		put(56, 4096) // smaller streams are elsewhere
		put(60, end)
		put(68, end)
		for at := 80; at < sector; at += 4 {
			put(at, free)
		}
		for at := sector; at < 2*sector; at += 4 {
			put(at, next)
		}
		for i := range 4 {
			at := 2*sector + 128*i
			for j, c := range "__substg1.0_1000001F" {
				b[at+2*j] = byte(c)
			}
			b[at+64], b[at+66], b[at+67] = 42, 2, 1 // length of the name, a stream, black
			for _, neighbour := range []int{68, 72, 76} {
				put(at+neighbour, free)
				if circle {
					put(at+neighbour, uint32(i))
				}
			}
			put(at+120, size)
		}
		b[2*sector+66] = 5 // the root
		put(2*sector+76, 1)
		copy(b[2*sector+80:], "\x0b\x0d\x02\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46") // the class of messages
		return b
	}
}
