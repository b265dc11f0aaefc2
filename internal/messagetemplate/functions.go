package messagetemplate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"time"
	"unicode/utf8"
)

// run is one execution of a template.
type run struct {
	parsed   *template.Template
	document any
	steps    int // taken
	results  int // bytes that functions have returned
}

var (
	errSteps   = errors.New("it takes too many steps: it repeats too much, or calls itself without an end")
	errResult  = fmt.Errorf("a text has more than %d bytes", maxResult)
	errResults = errors.New("its texts are too long together")
)

func (r *run) functions() template.FuncMap {
	return template.FuncMap{
		"step": r.step, "show": r.show,
		"print": r.print, "println": r.println, "printf": r.printf,
		"html": r.escape(template.HTMLEscapeString), "js": r.escape(template.JSEscapeString), "urlquery": r.escape(url.QueryEscape),
		"json": r.json, "date": r.date, "day": r.day, "included": r.included, "render": r.render,
		"default": byDefault, "kind": kind, "list": func(args ...any) []any { return args }, "replace": r.replace, "shorten": r.shorten,
		"call": func(...any) (any, error) { return nil, errors.New("functions of values cannot be called") },
	}
}

// step is called before each part that can be repeated.
func (r *run) step(n int) (string, error) {
	if r.steps += n; r.steps > maxSteps {
		return "", errSteps
	}
	return "", nil
}

// kept counts the result of a function.
func (r *run) kept(s string) (string, error) {
	if len(s) > maxResult {
		return "", errResult
	}
	if r.results += len(s); r.results > maxResults {
		return "", errResults
	}
	return s, nil
}

// text is a value as people read it; nothing for a missing one, and JSON of lists and objects.
func (r *run) text(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case map[string]any, []any:
		return r.json(v)
	}
	return fmt.Sprint(v), nil
}

// show is how the value of an action is written.
func (r *run) show(v any) (string, error) { return r.text(v) }

// texts are values as texts, with a bound of all together.
func (r *run) texts(args []any) ([]string, error) {
	list, size := make([]string, len(args)), 0
	for i, v := range args {
		s, err := r.text(v)
		if err != nil {
			return nil, err
		}
		if size += len(s); size > maxResult {
			return nil, errResult
		}
		list[i] = s
	}
	return list, nil
}

// print joins values, without blanks between them.
func (r *run) print(args ...any) (string, error) {
	list, err := r.texts(args)
	if err != nil {
		return "", err
	}
	return r.kept(strings.Join(list, ""))
}

func (r *run) println(args ...any) (string, error) {
	list, err := r.texts(args)
	if err != nil {
		return "", err
	}
	return r.kept(strings.Join(list, " ") + "\n")
}

// verbs are the verbs of a format: small widths, and no arguments by their number.
var verbs = regexp.MustCompile(`%[-+# 0]*(\d*)(?:\.(\d*))?(.)?`)

// maxWidth bounds the width and the precision of a verb.
const maxWidth = 100

// printf is that of package fmt. Missing values are empty texts, and lists and objects JSON.
func (r *run) printf(format string, args ...any) (string, error) {
	if len(format) > maxResult || len(args) > maxWidth {
		return "", errResult
	}
	for _, m := range verbs.FindAllStringSubmatch(format, -1) {
		for _, digits := range m[1:3] {
			if n, err := strconv.Atoi(digits); digits != "" && (err != nil || n > maxWidth) {
				return "", fmt.Errorf("the width %s of a verb is more than %d", cut(digits, 20), maxWidth)
			}
		}
		if m[3] == "*" || m[3] == "[" {
			return "", fmt.Errorf("a verb of printf cannot have %s", m[3])
		}
	}
	size := 0
	for i, v := range args {
		switch v.(type) {
		case nil, map[string]any, []any, string:
			s, err := r.text(v)
			if err != nil {
				return "", err
			}
			args[i], size = s, size+len(s)
		}
	}
	if size > maxResult {
		return "", errResult
	}
	return r.kept(fmt.Sprintf(format, args...))
}

func (r *run) escape(with func(string) string) func(...any) (string, error) {
	return func(args ...any) (string, error) {
		s, err := r.print(args...)
		if err != nil {
			return "", err
		}
		return r.kept(with(s))
	}
}

// json is a value as JSON; null for a missing one.
func (r *run) json(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return r.kept(strings.TrimSuffix(b.String(), "\n"))
}

// date is a time in a zone, as 18 Jun 2026, 10:00 UTC+2; a date as 18 Jun 2026. A zone that is
// missing or unknown is UTC, and a text that is no time stays as it is.
func (r *run) date(at any, zone ...any) (string, error) {
	return r.dated(at, zone, func(t time.Time) string { return t.Format(dayLayout+", 15:04 ") + zoneLabel(t) })
}

// day is the date of a time in a zone, as 18 Jun 2026.
func (r *run) day(at any, zone ...any) (string, error) {
	return r.dated(at, zone, func(t time.Time) string { return t.Format(dayLayout) })
}

const dayLayout = "2 Jan 2006"

func (r *run) dated(at any, zone []any, format func(time.Time) string) (string, error) {
	s, err := r.text(at)
	if err != nil {
		return "", err
	}
	if day, err := time.Parse(time.DateOnly, s); err == nil {
		return r.kept(day.Format(dayLayout))
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return r.kept(s)
	}
	in := time.UTC
	if len(zone) > 0 {
		if _, err := r.step(zoneSteps); err != nil {
			return "", err
		}
		in = zoneOf(zone[0])
	}
	return r.kept(format(t.In(in)))
}

// render is what a defined template writes, without blanks around it.
func (r *run) render(defined string, dot any) (string, error) {
	out := &boundedWriter{left: maxResult}
	if err := r.parsed.ExecuteTemplate(out, defined, dot); err != nil {
		return "", err
	}
	return r.kept(strings.TrimSpace(out.String()))
}

// kind is what a value is: none, text, bool, number, list or object.
func kind(v any) string {
	switch v.(type) {
	case nil:
		return "none"
	case string:
		return "text"
	case bool:
		return "bool"
	case []any:
		return "list"
	case map[string]any:
		return "object"
	}
	return "number"
}

// replace is a text with another part in each place where it has one.
func (r *run) replace(part, by string, v any) (string, error) {
	s, err := r.text(v)
	if err != nil {
		return "", err
	}
	if len(s) > maxResult || len(s)+strings.Count(s, part)*(len(by)-len(part)) > maxResult {
		return "", errResult
	}
	return r.kept(strings.ReplaceAll(s, part, by))
}

// zoneSteps is what a zone costs, which may be read from a file.
const zoneSteps = 100

func zoneOf(name any) *time.Location {
	s, _ := name.(string)
	if in, err := time.LoadLocation(s); err == nil && s != "Local" {
		return in
	}
	return time.UTC
}

// zoneLabel is the difference of a time from UTC: UTC, UTC-3:30.
func zoneLabel(t time.Time) string {
	_, seconds := t.Zone()
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	switch {
	case seconds == 0:
		return "UTC"
	case seconds%3600 == 0:
		return fmt.Sprintf("UTC%c%d", sign, seconds/3600)
	}
	return fmt.Sprintf("UTC%c%d:%02d", sign, seconds/3600, seconds%3600/60)
}

// included is the included resource of a type, or the one that a relationship or an identifier
// names; nil for none.
func (r *run) included(what any) (any, error) {
	typ, _ := what.(string)
	id := ""
	if of, ok := what.(map[string]any); ok {
		if data, ok := of["data"].(map[string]any); ok {
			of = data
		}
		typ, _ = of["type"].(string)
		id, _ = of["id"].(string)
		if id == "" {
			return nil, nil //nolint:nilnil // null, or a list
		}
	}
	if what != nil && typ == "" {
		return nil, errors.New("included needs the type of a resource, or a relationship")
	}
	root, _ := r.document.(map[string]any)
	list, _ := root["included"].([]any)
	if _, err := r.step(len(list)); err != nil {
		return nil, err
	}
	for _, v := range list {
		if of, ok := v.(map[string]any); ok && of["type"] == typ && (id == "" || of["id"] == id) {
			return of, nil
		}
	}
	return nil, nil //nolint:nilnil // there is none
}

// byDefault is the first value, unless the second is there and not empty.
func byDefault(instead any, v ...any) any {
	if len(v) == 0 || v[0] == nil || reflect.ValueOf(v[0]).IsZero() {
		return instead
	}
	return v[0]
}

// shorten is a text of at most so many characters.
func (r *run) shorten(most int, v any) (string, error) {
	s, err := r.text(v)
	if err != nil {
		return "", err
	}
	if most < 1 {
		return "", errors.New("shorten needs a number of characters from 1")
	}
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most-1]) + "…"
	}
	return r.kept(s)
}
