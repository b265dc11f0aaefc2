package refdata

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestFormsAreWellFormed(t *testing.T) {
	picture := regexp.MustCompile(`^[A-Z9ax]+$`)
	var scacs []string
	for _, f := range formTable {
		scacs = append(scacs, f.scac)
		if line, ok := LineBySCAC(f.scac); !ok || line.SCAC != f.scac {
			t.Errorf("%s is no line's primary SCAC", f.scac)
		}
		all := strings.Fields(f.bare + " " + f.prefixed)
		if len(all) == 0 {
			t.Errorf("%s has no form", f.scac)
		}
		for i, p := range all {
			if !picture.MatchString(p) || slices.Contains(all[:i], p) {
				t.Errorf("%s: picture %q", f.scac, p)
			}
		}
	}
	if !slices.IsSorted(scacs) || len(slices.Compact(scacs)) != len(formTable) {
		t.Errorf("lines are not sorted, or one is repeated: %v", scacs)
	}
}

func TestNumberFits(t *testing.T) {
	for _, c := range []struct {
		scac, rest string
		want       bool
	}{
		{"MAEU", "123456789", true},
		{"MAEU", "12345678", false},
		{"MAEU", "12345678A", false},
		{"MSCU", "fr030802", true},
		{"MSCU", "AAM80238", true},
		{"HLCU", "SHA2606GIPM7", true},
		{"HLCU", "1HA2606GIPM7", false},
		{"ACLU", "SA12345678", true},
		{"ACLU", "SB12345678", false},
		{"ZIMU", "HFA12345", true},
		{"ZIMU", "HFA123", false},
		{"GOSU", "XNG1835417", true},
		{"SKLU", "03K250801024", true},
		{"SKLU", "03KK50801024", false},
		{"HALU", "C03230602080", true},
		{"CKLU", "ABC1234567", true},
		{"SUDU", "12345AAAAAAA", true},
		{"SITU", "TXCE557927", true},
		{"REGU", "123456789", false}, // no form is known
		{"", "123456789", false},
		{"MAEU", "", false},
	} {
		if got := NumberFits(c.scac, c.rest); got != c.want {
			t.Errorf("NumberFits(%q, %q) = %v", c.scac, c.rest, got)
		}
	}
}

func TestLinesByForm(t *testing.T) {
	for _, c := range []struct{ number, want string }{
		{"123456789", "MAEU"},
		{" 123456789 ", "MAEU"},
		{"1234567890", "COSU MATS OOLU"},
		{"123456789012", "EGLV"},
		{"ABC1234567", "ANNU APLU CMDU KMTU"},
		{"ABCD123456", "KMTU"},
		{"ABCD12345678", "HDMU ONEY"},
		{"S123456789", "ACLU YMLU"},
		{"CAT123456", "CLAM"},
		{"A49FA02393", "IAAU"},
		{"0SEA007042", "SUDU"},
		{"EBKG14022741", "HDMU MSCU ONEY"},
		{"12345678", ""},
		{"", ""},
	} {
		var got []string
		for _, l := range LinesByForm(c.number) {
			got = append(got, l.SCAC)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("LinesByForm(%q) = %q, want %q", c.number, s, c.want)
		}
	}
}
