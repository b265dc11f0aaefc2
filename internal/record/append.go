package record

import (
	"encoding/hex"
	"math"
	"strconv"
	"time"

	"github.com/landfallhq/tracking/internal/jsontext"
)

// AppendTime appends t as a JSON value as attributes show it: UTC, RFC 3339,
// whole seconds, truncated. The zero time is null, and so is a year that
// RFC 3339 cannot write.
func AppendTime(dst []byte, t time.Time) []byte { return appendTime(dst, t, time.RFC3339) }

func appendTime(dst []byte, t time.Time, layout string) []byte {
	if t.IsZero() {
		return append(dst, "null"...)
	}
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return append(dst, "null"...)
	}
	dst = append(dst, '"')
	dst = t.AppendFormat(dst, layout)
	return append(dst, '"')
}

// AppendString appends s as a JSON string, escaped as encoding/json does without
// HTML escaping: U+2028 and U+2029 are escaped, invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte { return jsontext.AppendString(dst, s) }

// appendFloat follows encoding/json, which follows ECMAScript.
func appendFloat(dst []byte, f float64, bits int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(dst, "null"...)
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 {
		if bits == 64 && (abs < 1e-6 || abs >= 1e21) ||
			bits == 32 && (float32(abs) < 1e-6 || float32(abs) >= 1e21) {
			format = 'e'
		}
	}
	dst = strconv.AppendFloat(dst, f, format, -1, bits)
	if n := len(dst); format == 'e' && n >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		// e-09 is e-9.
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

func appendUUID(dst, u []byte) []byte {
	dst = append(dst, '"')
	dst = hex.AppendEncode(dst, u[0:4])
	dst = append(dst, '-')
	dst = hex.AppendEncode(dst, u[4:6])
	dst = append(dst, '-')
	dst = hex.AppendEncode(dst, u[6:8])
	dst = append(dst, '-')
	dst = hex.AppendEncode(dst, u[8:10])
	dst = append(dst, '-')
	dst = hex.AppendEncode(dst, u[10:16])
	return append(dst, '"')
}
