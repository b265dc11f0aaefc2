package client

import (
	"reflect"
	"testing"
)

// TestCodecs: the codec of each struct is compiled, which programs do when they first use it.
func TestCodecs(t *testing.T) {
	if len(codecs) < 30 {
		t.Errorf("there are %d codecs", len(codecs))
	}
	for of, codec := range codecs {
		if c := reflect.ValueOf(codec).Call(nil)[0]; c.IsNil() {
			t.Errorf("%s has no codec", of)
		}
	}
}
