package classify

import (
	"regexp"
	"sync"
)

// expression is a regular expression that is compiled when it is first used: to compile all
// takes some 10 ms of each start.
type expression struct {
	text    string
	compile func() *regexp.Regexp
}

// expressions are all that were declared, for the test that compiles them.
var expressions []*expression

// newExpression declares an expression. A bad one panics when it is first used.
func newExpression(text string) *expression {
	e := &expression{text, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
	expressions = append(expressions, e)
	return e
}

func (e *expression) MatchString(s string) bool { return e.compile().MatchString(s) }

func (e *expression) FindString(s string) string { return e.compile().FindString(s) }

func (e *expression) FindStringSubmatch(s string) []string {
	return e.compile().FindStringSubmatch(s)
}

func (e *expression) FindStringSubmatchIndex(s string) []int {
	return e.compile().FindStringSubmatchIndex(s)
}

func (e *expression) FindAllString(s string, n int) []string { return e.compile().FindAllString(s, n) }

func (e *expression) FindAllStringIndex(s string, n int) [][]int {
	return e.compile().FindAllStringIndex(s, n)
}

func (e *expression) FindAllStringSubmatch(s string, n int) [][]string {
	return e.compile().FindAllStringSubmatch(s, n)
}

func (e *expression) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return e.compile().FindAllStringSubmatchIndex(s, n)
}

func (e *expression) ReplaceAllString(s, with string) string {
	return e.compile().ReplaceAllString(s, with)
}

func (e *expression) ReplaceAllStringFunc(s string, with func(string) string) string {
	return e.compile().ReplaceAllStringFunc(s, with)
}
