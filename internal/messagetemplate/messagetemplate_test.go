package messagetemplate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	_ "time/tzdata" // the zones must load on a machine without a tz database

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/internal/messagetemplate"
)

const document = `{"data":{"type":"notification","attributes":{"event":"arrived","count":3,"share":12.5,"big":123456789,"none":null,"tags":["a","b"]},
"relationships":{"about":{"data":{"type":"box","id":"2"}},"nothing":{"data":null},"many":{"data":[]}}},
"included":[{"type":"box","id":"1","attributes":{"number":"MSCU1"}},{"type":"box","id":"2","attributes":{"number":"MSCU2","at":"2026-06-18T08:00:00Z","text":"say \"hi\"\n<b>"}}]}`

func Example() {
	t, err := messagetemplate.Parse(`{"text": {{json (print (included "box").attributes.number " on " (date "2026-06-18T08:00:00Z" "Europe/Amsterdam"))}}}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	message, err := t.Execute([]byte(document))
	fmt.Println(string(message), err)
	// Output: {"text":"MSCU1 on 18 Jun 2026, 10:00 UTC+2"} <nil>
}

// TestTemplates: what templates write, as one JSON text.
func TestTemplates(t *testing.T) {
	for template, want := range map[string]string{
		`{{.data.attributes.event}}`: "arrived", `{{.data.attributes.none}}`: "", `{{.missing}}`: "", `{{.missing.too.deep}}`: "", `{{print .missing "a" .missing}}`: "a",
		`{{printf "%s|%v|%d" .missing .data.attributes.none .data.attributes.count}}`:                    "||3",
		`{{.data.attributes.big}} {{.data.attributes.share}}`:                                            "123456789 12.5",
		`{{if eq .data.attributes.count 3}}three{{end}}`:                                                 "three",
		`{{range $i, $t := .data.attributes.tags}}{{$i}}{{$t}}{{end}}`:                                   "0a1b",
		`{{range 3}}{{.}}{{end}}`:                                                                        "012",
		`{{range .missing}}x{{else}}none{{end}}`:                                                         "none",
		`{{(included .data.relationships.about).attributes.number}}`:                                     "MSCU2",
		`{{(included .data.relationships.about.data).attributes.number}}`:                                "MSCU2",
		`{{included .data.relationships.nothing}}{{included .missing}}`:                                  "",
		`{{included .data.relationships.many}}{{included "ship"}}`:                                       "",
		`{{with included "box"}}{{.id}}{{end}}`:                                                          "1",
		`{{date "2026-06-18"}}, {{date "2026-06-18T08:00:00Z"}}, {{date "soon"}}`:                        "18 Jun 2026, 18 Jun 2026, 08:00 UTC, soon",
		`{{date "2026-06-18T08:00:00Z" "Asia/Kolkata"}}`:                                                 "18 Jun 2026, 13:30 UTC+5:30",
		`{{date "2026-06-18T08:00:00Z" "Nowhere/At"}}{{date .missing .missing}}`:                         "18 Jun 2026, 08:00 UTC",
		`{{default "unknown" .missing}} {{.data.attributes.event | default "x"}}`:                        "unknown arrived",
		`{{day "2026-06-18T23:00:00Z" "Europe/Amsterdam"}}, {{day "2026-06-18"}}`:                        "19 Jun 2026, 18 Jun 2026",
		`{{replace "r" "rr" "arrival"}}{{replace "x" "y" .missing}}`:                                     "arrrrival",
		`{{define "a"}} <{{.}}> {{end}}{{render "a" "x" | shorten 2}}`:                                   "<…",
		`{{range list .missing "a" true 1 1.5 .data .included}}{{kind .}} {{end}}`:                       "none text bool number number object list ",
		`{{index (list 1 2) 1}}`:                                                                         "2",
		`{{shorten 4 "arrival"}}{{shorten 9 .missing}}`:                                                  "arr…",
		`{{define "a"}}<{{.}}>{{end}}{{template "a" .data.attributes.event}}`:                            "<arrived>",
		`{{$x := .data.attributes.event}}{{$x}}{{$x = "b"}}{{$x}}`:                                       "arrivedb",
		`{{html "<b>"}}{{urlquery "a b"}}{{len .data.attributes.tags}}{{index .data.attributes.tags 1}}`: "&lt;b&gt;a+b2b",
		`{{break}}`: "line 1, column 11: {{break}} outside {{range}}",
	} {
		got := execute(`{"text": "` + template + `"}`)
		if want != got && `{"text":"`+want+`"}` != got {
			// Errors are expected as they are.
			if alone := execute(template); alone != want {
				t.Errorf("%s gives %s, want %s", template, got, want)
			}
		}
	}
}

// execute returns the message of a template, or its error.
func execute(text string) string {
	t, err := messagetemplate.Parse(text)
	if err != nil {
		return err.Error()
	}
	message, err := t.Execute([]byte(document))
	if err != nil {
		return err.Error()
	}
	return string(message)
}

// TestErrors: what is wrong, and where, in lines and characters from 1.
func TestErrors(t *testing.T) {
	for template, want := range map[string]string{
		"{\n  \"text\": {{jsn .a}}}": "line 2, column 13: function \"jsn\" not defined",
		"ü {{.a}} {{if}}":            "line 1, column 12: missing value for if",
		"{{.a}}\n{{range .a}}":       "line 2, column 1: unexpected EOF",
		"a\n{{ $x }}":                "line 2, column 4: undefined variable \"$x\"",
		"{{ .a":                      "line 1, column 1: unclosed action",
		"{\"ü\": {{index .data.attributes.tags 7}}}":                        "line 1, column 9: index out of range: 7",
		"\n\n {{template \"none\" .}}":                                      "line 3, column 13: template \"none\" not defined",
		"{{call .data}}":                                                    "line 1, column 3: functions of values cannot be called",
		"{{define \"a\"}}\n {{index .included 7}}{{end}}{{render \"a\" .}}": "line 2, column 4: index out of range: 7",
		"{{render \"none\" .}}":                                             "line 1, column 3: no template \"none\" associated with template \"message\"",
		"{{step 1}}":                                                        "function \"step\" not defined",
		"{{included 5}}":                                                    "line 1, column 3: included needs the type of a resource, or a relationship",
		"":                                                                  "it writes nothing, and must write JSON",
		"{\"text\": \"{{.data.attributes.event}}}":                          "what it writes is not JSON: unexpected end of JSON input, after \"{\\\"text\\\": \\\"arrived}\"",
		"{\"text\": {{.data.attributes.event}}}":                            "what it writes is not JSON: invalid character 'a' looking for beginning of value, after \"{\\\"text\\\": a\"",
		strings.Repeat("x", messagetemplate.MaxText+1):                      "it has 16385 bytes, and may have 16384",
		`{{lt .data.attributes.event 5}}`:                                   "line 1, column 3: incompatible types for comparison: string and int",
		`{{printf "%s" .missing | printf "%*d" 5}}`:                         "line 1, column 26: a verb of printf cannot have *",
		`{{printf "%[1]s" "a"}}`:                                            "line 1, column 3: a verb of printf cannot have [",
		`{{shorten 0 "a"}}`:                                                 "line 1, column 3: shorten needs a number of characters from 1",
		`{{range $i := 3}}{{if eq $i 2}}{{$i.a}}{{end}}{{end}}`:             "line 1, column 36: can't evaluate field a in type int",
	} {
		if got := execute(template); got != want {
			t.Errorf("%.80q gives %q, want %q", template, got, want)
		}
	}
}

// TestBounds: what would take long, or much memory, ends with an error.
func TestBounds(t *testing.T) {
	for template, want := range map[string]string{
		`{{range 1000000000}}{{end}}`:                                                                                                     "too many steps",
		`{{range 1000000000}}{{continue}}{{end}}`:                                                                                         "too many steps",
		`{{range 1000}}{{range 1000}}{{end}}{{end}}`:                                                                                      "too many steps",
		`{{define "a"}}{{template "a" .}}{{end}}{{template "a" .}}`:                                                                       "too many steps",
		`{{define "a"}}{{template "b" .}}{{end}}{{define "b"}}{{template "a" .}}{{end}}{{template "a"}}`:                                  "too many steps",
		`{{range 100000}}{{if and (eq 1 1) (eq 2 2) (eq 3 3)}}{{end}}{{end}}`:                                                             "too many steps",
		`{{range 90000}}{{included "ship"}}{{end}}`:                                                                                       "too many steps",
		`{{range 90000}}{{date "2026-06-18T08:00:00Z" "No/Where"}}{{end}}`:                                                                "too many steps",
		`{{$x := "aaaaaaaaaaaaaaaa"}}{{range 64}}{{$x = print $x $x}}{{end}}`:                                                             "a text has more than 32768 bytes",
		`{{$x := "aaaaaaaaaaaaaaaa"}}{{range 64}}{{$x = printf "%s%q" $x $x}}{{end}}`:                                                     "a text has more than 32768 bytes",
		`{{$x := "<<<<<<<<<<<<<<<<"}}{{range 2000}}{{$x = html $x}}{{end}}`:                                                               "its texts are too long together",
		`{{$x := print "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}}{{range 9}}{{$x = print $x $x}}{{end}}{{range 5000}}{{$y := print $x}}{{end}}`: "its texts are too long together",
		`{{define "a"}}{{render "a" .}}{{end}}{{render "a" .}}`:                                                                           "too many steps",
		`{{$x := print "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}}{{range 9}}{{$x = print $x $x}}{{end}}{{replace "a" $x $x}}`:                   "a text has more than 32768 bytes",
		`{{replace "" "aaaaaaaaaaaaaaaa" (printf "%0100d" 1) | replace "" "aaaaaaaaaaaaaaaa" | replace "" "aaaaaaaaaaaaaaaa"}}`:           "a text has more than 32768 bytes",
		`{{printf "%1000000d" 1}}`:                                                "the width 1000000 of a verb is more than 100",
		`{{printf "%.999f" 1.5}}`:                                                 "the width 999 of a verb is more than 100",
		`{{printf "%-99999999999999999999s" "a"}}`:                                "of a verb is more than 100",
		`{{range 20000}}{{json "aaaaaaaaaaaaaaaa"}}{{end}}`:                       "it writes more than 65536 bytes",
		`{{range 20000}}aaaaaaaaaaaaaaaa{{end}}`:                                  "it writes more than 65536 bytes",
		strings.Repeat("(", 1000):                                                 "what it writes is not JSON",
		"{{" + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + "}}": "",
	} {
		if got := execute(template); !strings.Contains(got, want) {
			t.Errorf("%.80q gives %.200q, want %q", template, got, want)
		}
	}
}

// TestLongTexts: a text of a document is cut between characters.
func TestLongTexts(t *testing.T) {
	long, _ := json.Marshal(map[string]string{"a": strings.Repeat("上", 20_000)})
	parsed, err := messagetemplate.Parse(`{{json .a}}`)
	if err != nil {
		t.Fatal(err)
	}
	message, err := parsed.Execute(long)
	if err != nil || len(message) > 10_010 || !strings.HasSuffix(string(message), `上…"`) {
		t.Errorf("%d bytes, error %v", len(message), err)
	}
}

// pieces are parts of templates, from which random ones are made.
var pieces = []string{
	"{{range 99999999}}", "{{range .included}}", "{{range $k, $v := .data}}", "{{end}}", "{{else}}", "{{if .missing}}", "{{with .data}}", "{{define \"a\"}}", "{{template \"a\" .}}", "{{block \"b\" .}}",
	"{{break}}", "{{continue}}", "{{$x := \"aaaa\"}}", "{{$x = print $x $x}}", "{{$x}}", "{{printf \"%100s%v\" .data .}}", "{{json .}}", "{{.}}", "{{.data.attributes.share}}", "{{included \"box\"}}",
	"{{date .data \"Europe/Paris\"}}", "{{shorten 3 .}}", "{{render \"a\" .}}", "{{replace \"\" \"aaaaaaaa\" .}}", "{{kind .}}", "{{index .included 0}}", "{{slice \"abc\" 1}}", "{{eq . .}}", "{{len .}}", "{\"text\":", "}", "\"", "ü", "\n", "{{", "}}", "{{- /* */ -}}", "{{call .}}",
}

// TestRandomTemplates: no template panics, and each gives a JSON text of bounded size or an error
// that says where. A template ends because its steps are bounded.
func TestRandomTemplates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		check(t, strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.String()), 0, 14).Draw(t, "pieces"), ""), document)
	})
}

func check(t interface{ Fatalf(string, ...any) }, text, document string) {
	parsed, err := messagetemplate.Parse(text)
	var fault *messagetemplate.Error
	if err != nil {
		if !errors.As(err, &fault) {
			t.Fatalf("%T: %v", err, err)
		}
		return
	}
	message, err := parsed.Execute([]byte(document))
	switch {
	case err != nil:
		if !errors.As(err, &fault) || fault.Detail == "" || fault.Line < 0 || fault.Line > 0 && fault.Column < 1 {
			t.Fatalf("%q: %#v", text, err)
		}
	case !json.Valid(message) || len(message) > 3*messagetemplate.MaxOutput || strings.Contains(string(message), "no value>"):
		t.Fatalf("%q gives %.200q", text, message)
	}
	again, err2 := parsed.Execute([]byte(document))
	if string(again) != string(message) || (err == nil) != (err2 == nil) {
		t.Fatalf("%q gives something else the second time", text)
	}
}

func FuzzTemplate(f *testing.F) {
	for _, p := range pieces {
		f.Add(p+"{{end}}", document)
	}
	f.Add(`{"text": {{json .data}}}`, `{"data":[1,2.5e300,null,"x"]}`)
	f.Fuzz(func(t *testing.T, text, document string) { check(t, text, document) })
}
