package record_test

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/internal/record"
)

// wantSameInBinary checks that v has the same documents after a round trip through the binary
// form as after one through documents, but for its ID.
func wantSameInBinary(t interface {
	Helper()
	Fatal(...any)
}, v *everything) {
	t.Helper()
	binary := everythings.EncodeBinary(v)
	if !record.IsBinary(binary) {
		t.Fatal("not in the binary form:", binary)
	}
	got := full() // whatever was there before must go
	if err := everythings.DecodeBinary(binary, &got); err != nil {
		t.Fatal(err)
	}
	var want everything
	doc, private := everythings.Encode(v)
	if err := everythings.Decode(doc, private, &want); err != nil {
		t.Fatal(err)
	}
	want.ID = boxID{}
	doc, private = everythings.Encode(&want)
	gotDoc, gotPrivate := everythings.Encode(&got)
	if d := cmp.Diff(string(doc), string(gotDoc)); d != "" {
		t.Fatal("document:", d)
	}
	if d := cmp.Diff(string(private), string(gotPrivate)); d != "" {
		t.Fatal("private:", d)
	}
	// What is shown alike is stored alike, so that no write takes it for changed.
	if again := everythings.EncodeBinary(&want); !bytes.Equal(again, binary) {
		t.Fatal("another binary form after a round trip through documents:", again, binary)
	}
}

func TestBinary(t *testing.T) {
	all := full()
	for _, v := range []*everything{
		{}, &all,
		{Str: "a\xffb", Strs: []string{}, StrsN: []string{}, Many: []uuid.UUID{}, Held: []hold{}},
		{Time: time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC), Float: math.NaN(), Seen: at("1950-01-01T01:00:00.5+01:00")},
		{Stamps: Stamps{CreatedAt: at("2026-01-24T17:00:00.999+02:00")}, Str: string(bytes.Repeat([]byte("long "), 5000))},
	} {
		wantSameInBinary(t, v)
	}
	rapid.Check(t, func(t *rapid.T) {
		v := drawEverything(t)
		v.Float, v.Float32 = v.Float+0, v.Float32+0 // a zero has no sign in the binary form
		wantSameInBinary(t, &v)
	})
}

// TestBinaryOfOtherVersions: fields are found by their names.
func TestBinaryOfOtherVersions(t *testing.T) {
	type former struct {
		ID   uuid.UUID `id:""`
		A    string    `attr:"a"`
		Gone []string  `attr:"gone"`
		B    int       `attr:"b"`
		Note string    `private:"b"`
	}
	type present struct {
		ID   uuid.UUID `id:""`
		New  string    `attr:"new"`
		B    int       `attr:"b"`
		A    string    `attr:"a"`
		Note string    `private:"b"`
	}
	got := present{New: "before", A: "before"}
	binary := record.For[former]("crate").EncodeBinary(&former{A: "x", Gone: []string{"y"}, B: -3, Note: "z"})
	if err := record.For[present]("crate").DecodeBinary(binary, &got); err != nil {
		t.Fatal(err)
	}
	if want := (present{B: -3, A: "x", Note: "z"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestDamagedBinary: damage is an error or another value, and never a panic.
func TestDamagedBinary(t *testing.T) {
	all := full()
	whole := everythings.EncodeBinary(&all)
	var v everything
	for _, doc := range [][]byte{nil, []byte(`{"id":1}`), {1, 0}, whole[:len(whole)-1]} {
		if everythings.DecodeBinary(doc, &v) == nil {
			t.Errorf("no error for %q", doc)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		doc := bytes.Clone(whole)
		for range rapid.IntRange(1, 4).Draw(t, "damages") {
			doc[rapid.IntRange(1, len(doc)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		_ = everythings.DecodeBinary(doc[:rapid.IntRange(1, len(doc)).Draw(t, "length")], &v)
	})
}
