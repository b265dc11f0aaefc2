package classify

import (
	"regexp"
	"testing"
)

func TestExpressions(t *testing.T) {
	if len(expressions) < 50 {
		t.Fatalf("%d expressions are declared", len(expressions))
	}
	for _, e := range expressions {
		if _, err := regexp.Compile(e.text); err != nil {
			t.Error(err)
		}
	}
}
