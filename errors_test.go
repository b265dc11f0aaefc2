package tracking_test

import (
	"testing"

	"github.com/landfallhq/tracking"
)

func TestErrorTextIsNeverEmpty(t *testing.T) {
	for kind := tracking.Internal; kind <= tracking.Unavailable+1; kind++ {
		for _, e := range []*tracking.Error{{Kind: kind}, {Kind: kind, Field: "at"}, {Kind: kind, Code: "blank"}, {Kind: kind, Title: "Blank"}} {
			if text := e.Error(); text == "" || text == "at: " {
				t.Errorf("%#v has the text %q", e, text)
			}
		}
	}
	if got := (&tracking.Error{Kind: tracking.NotFound}).Error(); got != "not found" {
		t.Errorf("an error without a detail: %q", got)
	}
	if (tracking.Errors{}).Error() == "" {
		t.Error("no errors have no text")
	}
}
