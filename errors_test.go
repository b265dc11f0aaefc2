package tracking_test

import (
	"errors"
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

func TestErrorIs(t *testing.T) {
	for kind, sentinel := range map[tracking.ErrorKind]error{
		tracking.NotFound: tracking.ErrNotFound, tracking.Stale: tracking.ErrStale, tracking.Unavailable: tracking.ErrUnavailable,
	} {
		list := tracking.Errors{{Kind: tracking.Invalid}, {Kind: kind}}
		if !errors.Is(list, sentinel) || errors.Is(list[0], sentinel) {
			t.Errorf("errors.Is of the kind %v and %q", kind, sentinel)
		}
	}
}
