package jsontext_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/internal/jsontext"
)

func TestEach(t *testing.T) {
	var value any
	if err := json.Unmarshal([]byte(`{"b": ["1", 2, {"z": "3", "a": "4"}], "a": "5", "c": null}`), &value); err != nil {
		t.Fatal(err)
	}
	var got []string
	jsontext.Each(value, func(s string) { got = append(got, s) })
	if fmt.Sprint(got) != "[5 1 4 3]" {
		t.Error(got)
	}
}
