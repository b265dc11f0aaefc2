package truth

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/refdata"
)

// forms are the normal forms of the kinds.
var forms = map[Kind]*regexp.Regexp{
	Number:   regexp.MustCompile(`^[A-Z0-9]+$`),
	Text:     regexp.MustCompile(`^\S(.*\S)?$`),
	Prose:    regexp.MustCompile(`^\S+( \S+)*$`),
	Place:    regexp.MustCompile(`^[A-Z]{2}[A-Z0-9]{3}$`),
	Date:     regexp.MustCompile(`^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$`),
	Mass:     regexp.MustCompile(`^(0|[1-9]\d*)(\.\d*[1-9])? (kg|lb)$`),
	Volume:   regexp.MustCompile(`^(0|[1-9]\d*)(\.\d*[1-9])? (m3|ft3)$`),
	Quantity: regexp.MustCompile(`^(0|[1-9]\d*)(\.\d*[1-9])?$`),
	Money:    regexp.MustCompile(`^([A-Z]{3} )?(0|[1-9]\d*)(\.\d*[1-9])?$`),
	Code:     regexp.MustCompile(`^[A-Za-z0-9]+$`),
}

// Check returns an error for an unknown type or field, a value that is not in the normal form
// of its kind, or a container number with a wrong check digit.
func Check(d Document) error {
	names, ok := NamesOf(d)
	if !ok {
		return fmt.Errorf("no such type: %q", d.Type)
	}
	return check(names, "", d.Fields)
}

func check(names Names, prefix string, fields Fields) error {
	for name, value := range fields {
		if rows, ok := value.([]Fields); ok {
			for _, row := range rows {
				if err := check(names, name+".", row); err != nil {
					return err
				}
			}
			continue
		}
		kind, ok := names[prefix+name]
		if !ok {
			return fmt.Errorf("no such field: %s%s", prefix, name)
		}
		if !fits(kind, value) {
			return fmt.Errorf("%s%s is no %s in its normal form: %v", prefix, name, kind, value)
		}
		if prefix+name == "containers.number" {
			if valid, _ := refdata.CheckDigit(value.(string)); !valid {
				return fmt.Errorf("%v: wrong check digit", value)
			}
		}
	}
	return nil
}

func fits(kind Kind, value any) bool {
	switch v := value.(type) {
	case Company:
		return kind == Party && v.Name != "" && strings.TrimSpace(v.Name) == v.Name
	case Readings:
		return kind == Date && len(v) > 1 && slices.IsSorted(v) && !slices.ContainsFunc(v, func(s string) bool { return !forms[Date].MatchString(s) })
	case string:
		return kind != Party && forms[kind].MatchString(v)
	default:
		return false
	}
}
