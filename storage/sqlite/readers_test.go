//go:build cgo

package sqlite

import "testing"

// The connection that was given back last knows most of what is in the file now.
func TestReadersGiveTheLastFirst(t *testing.T) {
	s := open(t)
	take := func() *conn {
		t.Helper()
		c, err := s.acquireReader(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	a, b := take(), take()
	s.releaseReader(a)
	s.releaseReader(b)
	if take() != b || take() != a {
		t.Error("they take turns")
	}
	s.releaseReader(a)
	s.releaseReader(b)
}
