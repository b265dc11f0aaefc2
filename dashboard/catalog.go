package dashboard

import (
	"fmt"
	"strings"

	catalogs "github.com/landfallhq/tracking/dashboard/catalog"
)

// catalog has the texts of the interface in one language, by key. A text may have verbs of
// package fmt for its arguments.
type catalog map[string]string

func readCatalog(language string) (catalog, error) {
	c, err := catalogs.Read(language)
	if err != nil {
		return nil, fmt.Errorf("dashboard: Config.Language: %w", err)
	}
	return c, nil
}

// get returns a text. A missing one is shown as its key.
func (c catalog) get(key string, args ...any) string {
	text, ok := c[key]
	if !ok {
		return key
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// count returns a text for a number of things: that of the key with .one or .other.
func (c catalog) count(key string, n int) string {
	form := ".other"
	if n == 1 {
		form = ".one"
	}
	return c.get(key+form, grouped(n))
}

// word returns the text of a value of the engine, such as a status; a value that the catalogue
// does not know is shown with blanks for underscores.
func (c catalog) word(kind, value string) string {
	if value == "" {
		return ""
	}
	if text, ok := c[kind+"."+value]; ok {
		return text
	}
	words := strings.ReplaceAll(value[strings.LastIndexByte(value, '.')+1:], "_", " ")
	if words == "" {
		return value
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
