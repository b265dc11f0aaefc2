package refdata

import (
	"regexp"
	"slices"
	"testing"
)

func TestForwardersAreWellFormed(t *testing.T) {
	scac := regexp.MustCompile(`^[A-Z]{4}$`)
	var codes []string
	for _, f := range forwarderTable {
		codes = append(codes, f.scac)
		if !scac.MatchString(f.scac) || f.name == "" {
			t.Errorf("%+v", f)
		}
		checkSources(t, f.scac, f.sources, forwarderSources)
		if line, ok := LineByPrefix(f.scac + "1"); ok {
			t.Errorf("%s is also a prefix of %s", f.scac, line.SCAC)
		}
	}
	if !slices.IsSorted(codes) || len(slices.Compact(codes)) != len(forwarderTable) {
		t.Errorf("codes are not sorted, or one is repeated: %v", codes)
	}
}

func TestForwarderByPrefix(t *testing.T) {
	for number, want := range map[string]string{
		"EXDO621128151":  "Expeditors",
		" exdo621128151": "Expeditors",
		"BANQ1":          "Kuehne + Nagel",
		"EXDO":           "", // nothing follows
		"EXD":            "",
		"":               "",
		"MAEU123456789":  "", // a line
		"621128151EXDO":  "",
	} {
		f, ok := ForwarderByPrefix(number)
		if f.Name != want || ok != (want != "") {
			t.Errorf("ForwarderByPrefix(%q) = %+v, %v; want %q", number, f, ok, want)
		}
	}
}
