package jsonapi

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// streamed is CheckStream of a body that arrives in parts, and takes every value of the
// top object and of the arrays in it.
func streamed(r io.Reader, limits Limits) (values []string, err error) {
	take := func(v []byte) { values = append(values, string(v)) }
	element := func(name string, first byte) Visit {
		if name != "" {
			panic("an element has a name: " + name)
		}
		return Visit{Take: take}
	}
	member := func(name string, first byte) Visit {
		if first == '[' {
			return Visit{Open: element}
		}
		return Visit{Take: func(v []byte) { values = append(values, name+"="+string(v)) }}
	}
	err = CheckStream(r, limits, func(name string, first byte) Visit { return Visit{Open: member} })
	return values, err
}

// sameAsCheck fails unless a body is refused in a stream as it is in one piece.
func sameAsCheck(t *testing.T, body string, limits Limits) {
	t.Helper()
	want := Check([]byte(body), limits)
	readers := map[string]io.Reader{"whole": strings.NewReader(body), "with the end": iotest.DataErrReader(strings.NewReader(body))}
	if len(body) < 10_000 {
		readers["byte by byte"] = iotest.OneByteReader(strings.NewReader(body))
	}
	for name, r := range readers {
		if _, err := streamed(r, limits); !reflect.DeepEqual(err, want) {
			t.Errorf("%s: %.100q:\n got %#v\nwant %#v", name, body, err, want)
		}
	}
}

func TestCheckStreamValues(t *testing.T) {
	long := strings.Repeat("x", 5*streamBuffer)
	body := ` {"a":1 , "\u0062":[ {"x":[1,"]"]} , [] , "` + long + `" , -2.5e3 ],"c":{"d":{}},"e":true,"` + long + `":"\ud83d\ude00"} `
	want := []string{"a=1", `{"x":[1,"]"]}`, "[]", `"` + long + `"`, "-2.5e3", `c={"d":{}}`, "e=true", long + `="\ud83d\ude00"`}
	for name, r := range map[string]io.Reader{
		"whole": strings.NewReader(body), "byte by byte": iotest.OneByteReader(strings.NewReader(body)), "halves": iotest.HalfReader(strings.NewReader(body)),
	} {
		if got, err := streamed(r, Limits{}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v %q", name, err, got)
		}
	}
}

// What is not taken is not held, however long it is.
func TestCheckStreamHoldsLittle(t *testing.T) {
	fact := `{"a":"` + strings.Repeat("x", 1000) + `"},`
	body := `{"skipped":"` + strings.Repeat("y", 4<<20) + `","list":[` + strings.Repeat(fact, 4000) + `1]}`
	values, most := 0, 0
	r := readerFunc(func(p []byte) (int, error) {
		most = max(most, len(p))
		n := copy(p, body)
		body = body[n:]
		if n == 0 {
			return 0, io.EOF
		}
		return n, nil
	})
	element := func(string, byte) Visit { return Visit{Take: func(v []byte) { values++ }} }
	err := CheckStream(r, Limits{Bytes: 16 << 20, Elements: 10_000}, func(string, byte) Visit {
		return Visit{Open: func(string, byte) Visit { return Visit{Open: element} }}
	})
	if err != nil || values != 4001 {
		t.Errorf("%d values: %v", values, err)
	}
	if most > maxPooledStream {
		t.Errorf("%d bytes are held", most)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// An error of the reader comes before those of the document, and the rest of a wrong
// document is read.
func TestCheckStreamReadsAll(t *testing.T) {
	broken := errors.New("broken")
	for _, body := range []string{`{"a":`, `{"a":}` + strings.Repeat(" ", 3*streamBuffer), `{}`} {
		if _, err := streamed(io.MultiReader(strings.NewReader(body), iotest.ErrReader(broken)), Limits{}); !errors.Is(err, broken) {
			t.Errorf("%.20s: %v", body, err)
		}
	}
	rest := strings.NewReader(`{"a":}` + strings.Repeat(" ", 3*streamBuffer))
	if _, err := streamed(rest, Limits{}); err == nil || rest.Len() != 0 {
		t.Errorf("%v, %d bytes are not read", err, rest.Len())
	}
}

func FuzzCheckStream(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":"\ud83d\ude00"}],"a":2}`, `[1e309]`, "{\"a\":\"\xc3\xa9\xff\"}", `nul`, `{"a":{"b":[]}}x`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		limits := Limits{Bytes: 1000, Depth: 5, Elements: 20}
		sameAsCheck(t, string(body), limits)
		if Check(body, limits) != nil || bytes.TrimSpace(body)[0] != '{' {
			return
		}
		members, err := ParseObject(body, limits)
		if err != nil {
			t.Fatal(err)
		}
		err = CheckStream(iotest.OneByteReader(bytes.NewReader(body)), limits, func(string, byte) Visit {
			return Visit{Open: func(name string, _ byte) Visit {
				return Visit{Take: func(v []byte) {
					if string(members[name]) != string(v) {
						t.Fatalf("%q is %q, want %q", name, v, members[name])
					}
					delete(members, name)
				}}
			}}
		})
		if err != nil || len(members) != 0 {
			t.Fatalf("%v, not taken: %q", err, members)
		}
	})
}
