package trade

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/landfallhq/tracking/refdata"
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func digits(r *rand.Rand, n int) string {
	b := []byte{byte('1' + r.IntN(9))}
	for len(b) < n {
		b = append(b, byte('0'+r.IntN(10)))
	}
	return string(b)
}

// letters leaves out I and O, as numbers of the trade do.
func letters(r *rand.Rand, n int) string {
	const some = "ABCDEFGHJKLMNPQRSTUVWXYZ"
	var b strings.Builder
	for range n {
		b.WriteByte(some[r.IntN(len(some))])
	}
	return b.String()
}

func tenth(x float64) float64      { return math.Round(x*10) / 10 }
func thousandth(x float64) float64 { return math.Round(x*1000) / 1000 }

var owners = []string{"MSCU", "MAEU", "MRKU", "HLBU", "CMAU", "OOLU", "EGHU", "ONEU", "TCLU", "TGBU", "FCIU", "BMOU", "SEGU", "TEMU", "CAIU", "GESU", "TRHU", "UETU"}

// containerNumber has a right check digit; none is 10, which lines avoid.
func containerNumber(r *rand.Rand) string {
	for {
		number := pick(r, owners) + digits(r, 6)
		for d := range 10 {
			full := fmt.Sprint(number, d)
			if valid, _ := refdata.CheckDigit(full); valid && d != 0 {
				return full
			}
		}
	}
}

func seal(r *rand.Rand) string {
	switch r.IntN(4) {
	case 0:
		return digits(r, 7)
	case 1:
		return letters(r, 2) + digits(r, 6)
	case 2:
		return "ML-" + letters(r, 2) + digits(r, 7)
	default:
		return letters(r, 4) + digits(r, 6)
	}
}

func ship(r *rand.Rand) Ship {
	name := pick(r, shipNames[0]) + " " + pick(r, shipNames[1])
	for {
		imo := "9" + digits(r, 5)
		for d := range 10 {
			if full := fmt.Sprint(imo, d); refdata.ValidIMO(full) {
				return Ship{name, full}
			}
		}
	}
}

func voyage(r *rand.Rand) string {
	heading := pick(r, []string{"E", "W", "N", "S"})
	switch r.IntN(4) {
	case 0:
		return fmt.Sprintf("%03d%s", 1+r.IntN(400), heading)
	case 1:
		return fmt.Sprintf("%d%02d%s", 6, 10+r.IntN(40), heading)
	case 2:
		return fmt.Sprintf("0%s%dMA", letters(r, 2), r.IntN(10))
	default:
		return fmt.Sprintf("%04d-%03d%s", 1000+r.IntN(900), 1+r.IntN(99), heading)
	}
}

// nvocc is the code that a forwarder's name suggests.
func nvocc(name string) string {
	var b strings.Builder
	for _, c := range strings.ToUpper(name) {
		if c >= 'A' && c <= 'Z' && !strings.ContainsRune("AEIOU", c) {
			b.WriteRune(c)
		}
		if b.Len() == 4 {
			break
		}
	}
	return b.String()
}

func port(code string) refdata.Port {
	p, ok := refdata.PortByCode(code)
	if !ok {
		panic("trade: no port " + code)
	}
	return p
}

func line(r *rand.Rand) refdata.Line {
	l, ok := refdata.LineBySCAC(pick(r, scacs))
	if !ok {
		panic("trade: no such line")
	}
	return l
}
