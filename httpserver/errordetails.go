package httpserver

import (
	"strings"
	"unicode"

	"github.com/landfallhq/tracking/jsonapi"
)

// nameSources puts the name of the parameter or member before each detail that does not
// have it: many clients show people the detail alone.
func nameSources(errs []jsonapi.Error) {
	for i := range errs {
		e := &errs[i]
		if e.Source == nil || e.Detail == "" {
			continue
		}
		path := e.Source.Parameter
		last := path
		if path == "" {
			path, last = memberOf(e.Source.Pointer)
		}
		if last != "" && !hasName(e.Detail, last) && !isPublished(e.Detail) {
			e.Detail = path + ": " + e.Detail
		}
	}
}

// isPublished reports whether the published interface gives the detail word for word,
// without the name. Clients compare these texts.
func isPublished(detail string) bool {
	return strings.HasPrefix(detail, "'") &&
		(strings.Contains(detail, "' is not specified as a relationship on ") || strings.HasSuffix(detail, "' already exists in Account"))
}

var unescapeStep = strings.NewReplacer("~1", "/", "~0", "~")

// maxMemberPath is the maximum length of a path of members in a detail.
const maxMemberPath = 60

// memberOf returns the member that a JSON Pointer names, without what all documents have:
// /data/attributes/headers/0/value is headers[0].value, and its name value.
// /data/relationships/customer/data/id is customer. A member whose name is empty is shown as
// "" in quotes. Both are empty for the whole body.
func memberOf(pointer string) (path, name string) {
	if pointer == "" {
		return "", ""
	}
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	if len(steps) > 2 && steps[0] == "data" && isIndex(steps[1]) && !isIndex(steps[2]) { // an item of a bulk operation
		steps = steps[1:]
	}
	if len(steps) > 1 && (steps[0] == "data" || isIndex(steps[0])) && !isIndex(steps[1]) {
		steps = steps[1:]
		switch {
		case len(steps) > 1 && steps[0] == "relationships":
			steps = steps[1:2]
		case len(steps) > 1 && steps[0] == "attributes" && !isIndex(steps[1]):
			steps = steps[1:]
		}
	}
	var b strings.Builder
	for _, step := range steps {
		if isIndex(step) && name != "" {
			b.WriteString("[" + step + "]")
			continue
		}
		name = unescapeStep.Replace(step)
		if name == "" {
			name = `""`
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(name)
	}
	if b.Len() > maxMemberPath {
		return name, name
	}
	return b.String(), name
}

func isIndex(step string) bool {
	return step != "" && strings.Trim(step, "0123456789") == ""
}

// hasName reports whether the text has the name as words of its own, in any case:
// "Api slug can't be blank" has api_slug. A name with other characters than those of words,
// such as page[size], must stand there with them.
func hasName(text, name string) bool {
	return strings.Contains(wordsOf(text), wordsOf(name)) && strings.Contains(spelled(text), spelled(name))
}

// wordsOf returns the words of a text in lower case, with a space before and after each.
func wordsOf(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return " " + strings.Join(words, " ") + " "
}

// spelled returns a text in lower case, with spaces for underscores.
func spelled(text string) string { return strings.ToLower(strings.ReplaceAll(text, "_", " ")) }
