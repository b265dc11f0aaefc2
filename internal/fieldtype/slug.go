package fieldtype

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxSlug is the largest length of a slug.
const MaxSlug = 64

// CheckSlug validates the slug of a definition. Slugs need no escaping in queries:
// filter[custom_fields][slug], sort=custom_fields.slug. Errors: an Error on api_slug
// (blank, too_long, invalid). A blank slug of a blank display name is no error: the name
// is one.
func CheckSlug(slug, displayName string) error {
	switch {
	case slug == "" && strings.TrimSpace(displayName) == "":
		return nil
	case slug == "":
		return newError("api_slug", "blank", "Api slug cannot be derived from '%s': give one of lower-case letters, digits and _", displayName)
	case utf8.RuneCountInString(slug) > MaxSlug:
		return newError("api_slug", "too_long", "Api slug is longer than %d characters", MaxSlug)
	case slug != SlugOf(slug):
		return newError("api_slug", "invalid", "Api slug must be lower-case letters a to z and digits in words joined by single _, such as purchase_order")
	}
	return nil
}

// SlugOf derives a slug from a display name: its letters a to z and digits, in words joined
// by _, at most MaxSlug long. Accents and apostrophes are removed; any other character
// separates words.
func SlugOf(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r) || r == '\'':
		default:
			gap = true
		}
	}
	slug := b.String()
	if len(slug) > MaxSlug {
		slug = strings.TrimRight(slug[:MaxSlug], "_")
	}
	return slug
}
