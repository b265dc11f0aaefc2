// Package redact masks secrets in what an endpoint answers, since some endpoints echo
// the request. The webhook package masks before it cuts a text, and the engine masks what
// any Notifier returns, both by this one rule.
package redact

import (
	"cmp"
	"slices"
	"strings"
)

// mask replaces a secret.
const mask = "[hidden]"

// minSecret is the length in bytes from which a text is masked. Shorter ones occur in
// texts by chance.
const minSecret = 8

// Secrets are the texts to mask, the longest first.
type Secrets []string

// New returns the texts that have the length of a secret, each also without the prefix.
func New(prefix string, texts ...string) Secrets {
	var list Secrets
	for _, s := range texts {
		list = append(list, s)
		if bare := strings.TrimPrefix(s, prefix); bare != s {
			list = append(list, bare)
		}
	}
	list = slices.DeleteFunc(list, func(s string) bool { return len(s) < minSecret })
	slices.SortFunc(list, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return list
}

// Mask returns the text with every secret replaced by [hidden].
func (s Secrets) Mask(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, mask)
	}
	return text
}
