package main

import (
	"os"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/classify/extract"
)

func TestMain(m *testing.M) {
	extract.Main()
	os.Exit(m.Run())
}

func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), &out, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`notice.txt is "arrival_notice", linked to 1 shipments and 1 containers`, `"normalized":"MAEU77001"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, out.String())
		}
	}
}
