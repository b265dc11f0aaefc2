package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
)

// read reads a document with a Reader, as a scanner would.
func read(text string) (freight.Report, error) {
	r := NewReader()
	d := json.NewDecoder(strings.NewReader(text))
	var value func(depth int, name string)
	value = func(depth int, name string) {
		rest, err := skipTo(d, text)
		if err != nil {
			panic(err)
		}
		step := r.Begin(depth, name, rest[0])
		if step != Open {
			var raw json.RawMessage
			if err := d.Decode(&raw); err != nil {
				panic(err)
			}
			if step == Take {
				r.Take(raw)
			}
			return
		}
		opened, _ := d.Token()
		for d.More() {
			name := ""
			if opened == json.Delim('{') {
				token, _ := d.Token()
				name = token.(string)
			}
			value(depth+1, name)
		}
		_, _ = d.Token()
	}
	value(0, "")
	return r.Report()
}

// skipTo returns the text from the next value on.
func skipTo(d *json.Decoder, text string) (string, error) {
	rest := strings.TrimLeft(text[d.InputOffset():], " \t\r\n:,")
	if rest == "" {
		return "", errors.New("no value")
	}
	return rest, nil
}

// TestReader: a Reader gives what Parse gives, for documents that are wrong in many ways.
func TestReader(t *testing.T) {
	scalar := rapid.SampledFrom([]string{`null`, `5`, `true`, `"x"`, `"report"`, `[]`, `{}`, `[1]`, `{"a":1}`, `"MAEU"`, `"terminal"`, `false`})
	fact := rapid.SampledFrom([]string{
		`{"event":"load"}`, `{"event":"load","payload":{"a":[1,"}"]}}`, `{"event":"fly"}`, `{"Event":"load"}`, `{"event":"load","x\"":1}`, `{"\u0065vent":"load"}`,
		`{"event":5}`, `{"event":"load","at":"soon"}`, `{"event":"load","at":"2026-01-02T10:00:00Z","recorded_at":"x"}`, `{"event":"load","place":{"x":1}}`,
		`{"event":"load","scac":"TOOLONG"}`, `null`, `5`, `[]`, `"x"`, `{}`, `{"event":"load","containers":["MRKU0000000"]}`,
	})
	facts := rapid.Custom(func(t *rapid.T) string {
		return "[" + strings.Join(rapid.SliceOfN(fact, 0, 4).Draw(t, "list"), " , ") + "]"
	})
	members := func(values map[string]*rapid.Generator[string]) *rapid.Generator[string] {
		return rapid.Custom(func(t *rapid.T) string {
			var all []string
			unknown := 0 // of several unknown members either may be named
			for name, value := range values {
				if strings.ToLower(name) != name || name == "other" {
					if unknown++; unknown > 1 || rapid.IntRange(0, 3).Draw(t, "rare") > 0 {
						continue
					}
				}
				if rapid.IntRange(0, 3).Draw(t, name) > 0 {
					all = append(all, fmt.Sprintf(`"%s" : %s`, name, value.Draw(t, name)))
				}
			}
			return "{" + strings.Join(rapid.Permutation(all).Draw(t, "order"), ",") + " }"
		})
	}
	good := func(value string) *rapid.Generator[string] {
		return rapid.OneOf(rapid.Just(value), rapid.Just(value), rapid.Just(value), scalar)
	}
	report := members(map[string]*rapid.Generator[string]{
		"source": good(`"x"`), "data_source": good(`"ais"`), "scac": good(`"MAEU"`), "announce": good("false"), "facts": rapid.OneOf(facts, facts, facts, scalar), "Facts": facts, "other": scalar,
	})
	data := members(map[string]*rapid.Generator[string]{"type": good(`"report"`), "attributes": rapid.OneOf(report, report, scalar), "id": scalar})
	folded := members(map[string]*rapid.Generator[string]{"type": good(`"report"`), "ATTRIBUTES": rapid.OneOf(report, report, scalar), "id": scalar})
	whole := rapid.OneOf(report,
		members(map[string]*rapid.Generator[string]{"data": rapid.OneOf(data, data, folded, scalar), "facts": facts, "source": scalar}),
		members(map[string]*rapid.Generator[string]{"data": data, "meta": scalar}),
		rapid.Custom(func(t *rapid.T) string { return `{"Data":` + data.Draw(t, "data") + "}" }),
		scalar)
	rapid.Check(t, func(t *rapid.T) {
		text := whole.Draw(t, "document")
		want, wantErr := Parse([]byte(text))
		got, err := read(text)
		if !reflect.DeepEqual(err, wantErr) {
			t.Fatalf("%s:\n got %v\nwant %v", text, err, wantErr)
		}
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%s:\n got %+v\nwant %+v", text, got, want)
		}
	})
}

// BenchmarkFact reads one fact of a few hundred bytes.
//
//	go test -run '^$' -bench . ./internal/report
func BenchmarkFact(b *testing.B) {
	fact := []byte(`{"id":"MAEU000000001/4","original_event":"x","event":"arrive","classifier":"estimated","mode":"vessel","place":{"locode":"USLGB"},"vessel":{"imo":"9321483","name":"EMMA"},"voyage":"12E","at":"2026-02-04T00:00:00Z","recorded_at":"2026-01-05T06:00:00Z","containers":["MRKU0000000"],"numbers":[{"type":"bill_of_lading","number":"MAEU000000001"}],"payload":{"note":"x"}}`)
	const facts = 1000
	text := append([]byte(`{"source":"x","facts":[`), bytes.Repeat(append(fact, ','), facts)...)
	text = append(text[:len(text)-1], "]}"...)
	each := func(b *testing.B, read func()) {
		b.ReportAllocs()
		b.SetBytes(int64(len(text)) / facts)
		for n := 0; n < b.N; n += facts {
			read()
		}
	}
	b.Run("Parse", func(b *testing.B) {
		each(b, func() {
			if _, err := Parse(text); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("Reader", func(b *testing.B) {
		each(b, func() {
			r := NewReader()
			r.Begin(0, "", '{')
			r.Begin(1, "source", '"')
			r.Take([]byte(`"x"`))
			r.Begin(1, "facts", '[')
			for range facts {
				r.Begin(2, "", '{')
				r.Take(fact)
			}
			if _, err := r.Report(); err != nil {
				b.Fatal(err)
			}
		})
	})
}
