package jsonapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// fault renders an error for the tables: its kind, pointer and detail.
func fault(err error) string {
	var (
		syntax *SyntaxError
		fields FieldErrors
	)
	switch {
	case err == nil:
		return ""
	case errors.As(err, &syntax):
		return fmt.Sprintf("%v | %s | %s", syntax.Kind, syntax.Pointer, syntax.Detail)
	case errors.As(err, &fields):
		all := make([]string, len(fields))
		for i, f := range fields {
			all[i] = fmt.Sprintf("%s | %s | %s", f.Code, f.Pointer, f.Detail)
		}
		return strings.Join(all, "\n")
	}
	return err.Error()
}

func TestCheck(t *testing.T) {
	many := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]" }
	manyNames := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"n%d":1,`, i)
		}
		return b.String()
	}
	long := strings.Repeat("k", maxPointerName+1)
	tests := []struct{ name, body, want string }{
		{"object", ` { "a" : [ 1 , -2.5e3 , 0 , true , false , null , "x" ] , "b" : { } , "c" : [ ] } ` + "\r\n\t", ""},
		{"scalar", `"x"`, ""},
		{"escapes", `"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"`, ""},
		{"same name in two objects", `{"a":{"a":1},"b":{"a":1}}`, ""},
		{"same name after a nested object", `{"a":{"b":1},"b":2,"c":[{"b":1},{"b":1}]}`, ""},
		{"depth 32", strings.Repeat("[", 32) + strings.Repeat("]", 32), ""},
		{"1,000 elements", many(1000), ""},
		{"largest number", `1.7976931348623157e308`, ""},
		{"smallest number", `1e-99999`, ""},

		{"empty", "", "malformed |  | The body is empty."},
		{"space", " \n", "malformed |  | The body is empty."},
		{"byte order mark", "\ufeff{}", `malformed |  | Byte 0 is "\xef" where a value was expected.`},
		{"open object", `{`, "malformed |  | The body ends where a member name in quotes was expected."},
		{"open array", `{"a":[`, "malformed | /a/0 | The body ends where a value was expected."},
		{"open string", `"abc`, "malformed |  | The body ends where the end of a string was expected."},
		{"open escape", `"abc\`, "malformed |  | The body ends where the end of a string was expected."},
		{"open member", `{"a"`, "malformed | /a | The body ends where a colon was expected."},
		{"open value", `{"a":`, "malformed | /a | The body ends where a value was expected."},
		{"open list", `[1`, "malformed | /0 | The body ends where a comma or ] was expected."},
		{"comma at the end of an array", `[1,]`, `malformed | /1 | Byte 3 is "]" where a value was expected.`},
		{"comma at the end of an object", `{"a":1,}`, `malformed |  | Byte 7 is "}" where a member name in quotes was expected.`},
		{"name without quotes", `{a:1}`, `malformed |  | Byte 1 is "a" where a member name in quotes was expected.`},
		{"single quotes", `{'a':1}`, `malformed |  | Byte 1 is "'" where a member name in quotes was expected.`},
		{"no colon", `{"a" 1}`, `malformed | /a | Byte 5 is "1" where a colon was expected.`},
		{"no comma", `{"a":1 "b":2}`, `malformed | /a | Byte 7 is "\"" where a comma or } was expected.`},
		{"wrong closing", `{"a":[1}]`, `malformed | /a/0 | Byte 7 is "}" where a comma or ] was expected.`},
		{"word", `nul`, `malformed |  | Byte 0 is "n" where a value was expected.`},
		{"NaN", `NaN`, `malformed |  | Byte 0 is "N" where a value was expected.`},
		{"leading zero", `01`, "trailing data |  | The JSON document is followed by more data."},
		{"plus", `+1`, `malformed |  | Byte 0 is "+" where a value was expected.`},
		{"bare minus", `-`, "malformed |  | The body ends where a digit was expected."},
		{"bare point", `1.`, "malformed |  | The body ends where a digit was expected."},
		{"bare exponent", `[1e]`, `malformed | /0 | Byte 3 is "]" where a digit was expected.`},
		{"number too large", `{"a":1e309}`, "malformed | /a | The number at byte 5 is too large."},
		{"long number too large", `-` + strings.Repeat("9", 400), "malformed |  | The number at byte 0 is too large."},
		{"raw newline", "\"a\nb\"", "malformed |  | A string contains the control character 0x0a at byte 2; it must be escaped."},
		{"unknown escape", `"\x41"`, "malformed |  | A string contains an unknown escape at byte 1."},
		{"short escape", `"\u12"`, `malformed |  | A string contains an incomplete \u escape at byte 1.`},
		{"comment", `{} // x`, "trailing data |  | The JSON document is followed by more data."},
		{"two documents", `{}{}`, "trailing data |  | The JSON document is followed by more data."},

		{"NUL raw", "{\"a\":\"x\x00\"}", "NUL character | /a | A string contains a NUL character."},
		{"NUL escaped", `{"a":["\u0000"]}`, "NUL character | /a/0 | A string contains a NUL character."},
		{"NUL in a name", `{"a":{"x\u0000":1}}`, "NUL character | /a | A string contains a NUL character."},
		{"NUL after the document", "{}\x00", "trailing data |  | The JSON document is followed by more data."},

		{"UTF-8 broken", "{\"a\":\"\xff\"}", "invalid UTF-8 | /a | A string is not valid UTF-8 at byte 6."},
		{"UTF-8 overlong", "\"\xc0\x80\"", "invalid UTF-8 |  | A string is not valid UTF-8 at byte 1."},
		{"UTF-8 of a surrogate", "\"\xed\xa0\x80\"", "invalid UTF-8 |  | A string is not valid UTF-8 at byte 1."},
		{"UTF-8 broken in a name", "{\"\xff\":1}", "invalid UTF-8 |  | A string is not valid UTF-8 at byte 2."},
		{"high surrogate alone", `"\ud800"`, "invalid UTF-8 |  | A string contains half of a surrogate pair at byte 1."},
		{"high surrogate twice", `"\ud800\ud800"`, "invalid UTF-8 |  | A string contains half of a surrogate pair at byte 1."},
		{"high surrogate and text", `"\ud800abcdef"`, "invalid UTF-8 |  | A string contains half of a surrogate pair at byte 1."},
		{"low surrogate alone", `"a\uDC00"`, "invalid UTF-8 |  | A string contains half of a surrogate pair at byte 2."},
		{"replacement character itself", "\"\ufffd\"", ""},

		{"depth 33", strings.Repeat("[", 33) + strings.Repeat("]", 33), "too deep | " + strings.Repeat("/0", 32) + " | Objects and arrays may be nested at most 32 levels deep."},
		{"depth without end", strings.Repeat(`{"a":`, 100000), "too deep | " + strings.Repeat("/a", 32) + " | Objects and arrays may be nested at most 32 levels deep."},

		{"duplicate", `{"a":1,"a":2}`, "duplicate name | /a | The object has this member twice."},
		{"duplicate nested", `{"data":{"attributes":{"x":1,"x":1}}}`, "duplicate name | /data/attributes/x | The object has this member twice."},
		{"duplicate by escape", `{"id":1,"\u0069d":2}`, "duplicate name | /id | The object has this member twice."},
		{"duplicate among many", `{` + manyNames(40) + `"n3":1}`, "duplicate name | /n3 | The object has this member twice."},
		{"duplicate far on", `{` + manyNames(40) + `"z":1,"z":1}`, "duplicate name | /z | The object has this member twice."},
		{"duplicate empty name", `{"":1,"":2}`, "duplicate name | / | The object has this member twice."},
		{"letter case counts", `{"a":1,"A":2}`, ""},
		{"pointer is escaped", `{"a/b~c":{"x":1,"x":2}}`, "duplicate name | /a~1b~0c/x | The object has this member twice."},
		{"pointer stops above a long name", `{"a":{"` + long + `":["\u0000"]}}`, "NUL character | /a | A string contains a NUL character."},

		{"1,001 elements", `{"data":{"tags":` + many(1001) + `}}`, "too_long | /data/tags | An array may have at most 1000 elements."},
		{"1,001 elements at the top", many(1001), "too_long |  | An array may have at most 1000 elements."},
		{"1,001 elements in an array", `[[],` + many(1001) + `]`, "too_long | /1 | An array may have at most 1000 elements."},
		{"1,000 members", `{` + manyNames(999) + `"z":1}`, ""},
		{"1,001 members", `{"a":[{` + manyNames(1000) + `"z":1}]}`, "too_long | /a/0 | An object may have at most 1000 members."},
		{"too large", `"` + strings.Repeat("a", 1<<20-1) + `"`, ErrTooLarge.Error()},
		{"largest", `"` + strings.Repeat("a", 1<<20-2) + `"`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Check([]byte(tt.body), Limits{})
			if got := fault(err); got != tt.want {
				t.Errorf("Check:\n got %s\nwant %s", got, tt.want)
			}
			if err == nil && !json.Valid([]byte(tt.body)) {
				t.Error("encoding/json refuses what Check accepts")
			}
			sameAsCheck(t, tt.body, Limits{})
		})
	}
}

func TestCheckLimits(t *testing.T) {
	tests := []struct {
		body   string
		limits Limits
		want   string
	}{
		{`[[1,2]]`, Limits{Depth: 1}, "too deep | /0 | Objects and arrays may be nested at most 1 levels deep."},
		{`[[1,2]]`, Limits{Elements: 1}, "too_long | /0 | An array may have at most 1 elements."},
		{`[[1,2]]`, Limits{Bytes: 6}, ErrTooLarge.Error()},
		{`[[1,2]]`, Limits{Bytes: 7, Depth: 2, Elements: 2}, ""},
		{`[[1,2]]`, Limits{Bytes: -1, Depth: -1, Elements: -1}, ""},
		{strings.Repeat("[", 10000) + strings.Repeat("]", 10000), Limits{Depth: 1 << 30}, ""},
		{strings.Repeat("[", 10001) + strings.Repeat("]", 10001), Limits{Depth: 1 << 30}, "too deep | " + strings.Repeat("/0", 10000) + " | Objects and arrays may be nested at most 10000 levels deep."},
	}
	for _, tt := range tests {
		if got := fault(Check([]byte(tt.body), tt.limits)); got != tt.want {
			t.Errorf("Check(%.20s, %+v):\n got %.200s\nwant %.200s", tt.body, tt.limits, got, tt.want)
		}
	}
}

func TestSyntaxErrorText(t *testing.T) {
	for _, tt := range []struct{ body, want string }{
		{`{"a":1,"a":1}`, "/a: The object has this member twice."},
		{``, "The body is empty."},
	} {
		if err := Check([]byte(tt.body), Limits{}); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.body, err, tt.want)
		}
	}
	if got := SyntaxKind(99).String(); got != "SyntaxKind(99)" {
		t.Error(got)
	}
}
