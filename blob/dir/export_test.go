package dir

import (
	"errors"
	"os"
	"testing"
)

// WithoutLinks is for a test on a file system that has no hard links.
func WithoutLinks(t *testing.T) {
	hardLink = func(string, string) error { return errors.ErrUnsupported }
	t.Cleanup(func() { hardLink = os.Link })
}
