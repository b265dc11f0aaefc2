package postgres

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// statement is an SQL statement with its arguments.
type statement struct {
	sql  string
	args []any
}

// combiner makes one statement of several that write, each as a WITH query of its own. All of
// them see the same snapshot, so none may depend on another. The zero value is ready.
//
// A connection prepares each text and keeps its plan in memory, and the combinations are
// many: only the first that were needed combineAfter times are made, up to maxCombined.
type combiner struct {
	mu    sync.Mutex
	seen  map[string]int
	texts map[string]string
}

const (
	combineAfter = 4
	maxCombined  = 32
	maxSeen      = 1024
)

// combine returns the statements as one, or as they are.
func (c *combiner) combine(parts []statement) []statement {
	if len(parts) < 2 {
		return parts
	}
	var key strings.Builder
	n := 0
	for _, p := range parts {
		key.WriteString(p.sql)
		key.WriteByte('\n')
		n += len(p.args)
	}
	text, ok := c.text(key.String(), parts)
	if !ok {
		return parts
	}
	args := make([]any, 0, n)
	for _, p := range parts {
		args = append(args, p.args...)
	}
	return []statement{{text, args}}
}

// text returns the text of the combination, if there is one.
func (c *combiner) text(key string, parts []statement) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if text, ok := c.texts[key]; ok {
		return text, true
	}
	if c.seen == nil {
		c.seen, c.texts = map[string]int{}, map[string]string{}
	}
	if len(c.texts) >= maxCombined {
		return "", false
	}
	if len(c.seen) >= maxSeen {
		clear(c.seen)
	}
	if c.seen[key]++; c.seen[key] < combineAfter {
		return "", false
	}
	delete(c.seen, key)
	c.texts[key] = combinedText(parts)
	return c.texts[key], true
}

var parameter = regexp.MustCompile(`\$\d+`)

func combinedText(parts []statement) string {
	var b strings.Builder
	before := 0
	for i, p := range parts {
		text := parameter.ReplaceAllStringFunc(p.sql, func(old string) string {
			n, _ := strconv.Atoi(old[1:])
			return "$" + strconv.Itoa(n+before)
		})
		before += len(p.args)
		if i == len(parts)-1 {
			b.WriteString(" " + text)
			break
		}
		b.WriteString([]string{"WITH ", ", "}[min(i, 1)] + "part" + strconv.Itoa(i) + " AS (" + text + ")")
	}
	return b.String()
}
