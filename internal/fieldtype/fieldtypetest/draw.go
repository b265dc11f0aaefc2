// Package fieldtypetest draws random values of custom fields for tests.
package fieldtypetest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Options are the options of an enum, each with value and label.
var Options = [][2]string{{"low", "Low"}, {"high", "High"}, {"a,b", "A & B"}}

// Party is the ID of the only record that references refer to.
var Party = uuid.MustParse("0b54a57e-4b0c-5d5c-9a7c-6a2b8d1c4f10")

// maxMicros is the greatest number, in millionths.
const maxMicros = 999_999_999_999_999_999

// Value is a random value.
type Value struct {
	JSON  string // as in a request
	Text  string // as in a filter
	Order any    // int64 or string; nil if the type has no order
}

// Draw draws a value that a field of the data type without rules accepts. Enums have
// the Options, references refer to Party.
func Draw(rng *rand.Rand, typ string) Value {
	at := time.Unix(rng.Int64N(9_400_000_000)-2_200_000_000, rng.Int64N(1_000_000)*1000*rng.Int64N(2)).UTC() // 1900 to 2198
	switch typ {
	case "short_text":
		runes := []rune("abcXYZ 019%_,\"\\<é日😀￿")
		text := make([]rune, rng.IntN(12))
		for i := range text {
			text[i] = runes[rng.IntN(len(runes))]
		}
		raw, _ := json.Marshal(string(text))
		return Value{string(raw), string(text), strings.TrimSpace(string(text))}
	case "number":
		micros := rng.Int64N(2*maxMicros+1) - maxMicros
		if rng.IntN(2) == 0 {
			micros = (rng.Int64N(4001) - 2000) * 1_000_00
		}
		sign, n := "", uint64(micros)
		if micros < 0 {
			sign, n = "-", uint64(-micros)
		}
		plain := fmt.Sprintf("%s%d.%06d", sign, n/1_000_000, n%1_000_000)
		spelled := []string{plain, strconv.Quote(plain), fmt.Sprintf("%s%de-6", sign, n), fmt.Sprintf("%s%d.00E-06", sign, n)}
		return Value{spelled[rng.IntN(len(spelled))], plain, micros}
	case "date":
		day := at.Truncate(24 * time.Hour)
		forms := []string{time.DateOnly, "20060102", "2 January 2006"}
		return Value{strconv.Quote(day.Format(forms[rng.IntN(3)])), day.Format(time.DateOnly), day.Unix()}
	case "datetime":
		zone := time.FixedZone("", rng.IntN(24*3600)/60*60-12*3600)
		return Value{strconv.Quote(at.In(zone).Format(time.RFC3339Nano)), at.Format(time.RFC3339Nano), at.UnixMicro()}
	case "boolean":
		text := strconv.FormatBool(rng.IntN(2) == 0)
		return Value{text, text, text}
	case "enum":
		v := Options[rng.IntN(len(Options))][0]
		return Value{strconv.Quote(v), v, v}
	case "enum_multi":
		a, b := Options[rng.IntN(len(Options))][0], Options[rng.IntN(len(Options))][0]
		return Value{fmt.Sprintf("[%q,%q]", a, b), a, nil}
	}
	return Value{`{"type":"party","id":"` + Party.String() + `"}`, Party.String(), nil}
}
