package dir

import (
	"errors"
	"os"
	"testing"
)

// WithoutLinks simulates a file system without hard links.
func WithoutLinks(t *testing.T) {
	hardLink = func(string, string) error { return errors.ErrUnsupported }
	t.Cleanup(func() { hardLink = os.Link })
}
