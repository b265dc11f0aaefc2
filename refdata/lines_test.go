package refdata

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestLinesAreWellFormed(t *testing.T) {
	all := Lines()
	if len(all) != 38 {
		t.Errorf("%d lines, want 38", len(all))
	}
	if !slices.IsSortedFunc(all, func(a, b Line) int { return strings.Compare(a.SCAC, b.SCAC) }) {
		t.Error("lines are not sorted by SCAC")
	}
	scac := regexp.MustCompile(`^[A-Z]{4}$`)
	owner := make(map[string]string)
	for _, l := range all {
		if l.Name == "" || l.ShortName == "" {
			t.Errorf("%s has no name", l.SCAC)
		}
		if !l.BillOfLading && !l.BookingNumber && !l.ContainerNumber {
			t.Errorf("%s can be asked about nothing", l.SCAC)
		}
		for _, code := range append([]string{l.SCAC}, l.AlternativeSCACs...) {
			if !scac.MatchString(code) {
				t.Errorf("%s: %q is not a SCAC", l.SCAC, code)
			}
			if !slices.Contains(l.Prefixes, code) {
				t.Errorf("%s: prefixes lack %s", l.SCAC, code)
			}
		}
		for _, p := range l.Prefixes {
			if other, dup := owner[p]; dup {
				t.Errorf("%s and %s share the prefix %s", l.SCAC, other, p)
			}
			owner[p] = l.SCAC
			if len(p) > longestPrefix {
				t.Errorf("%s: prefix %s is longer than longestPrefix", l.SCAC, p)
			}
		}
	}
	seen := make(map[string]string)
	for _, l := range lineTable {
		for _, o := range strings.Fields(l.owners) {
			if other, dup := seen[o]; dup {
				t.Errorf("%s and %s share the owner %s", l.scac, other, o)
			}
			seen[o] = l.scac
			if len(o) != 3 {
				t.Errorf("%s: owner %q", l.scac, o)
			}
		}
	}
}

func TestLineNumbers(t *testing.T) {
	for _, c := range []struct {
		scac                     string
		bill, booking, container bool
	}{
		{"MAEU", true, true, true},
		{"COSU", true, true, false},
		{"EGLV", false, false, true},
		{"PCIU", false, false, true},
		{"TRBR", false, true, false},
		{"ZIMU", true, true, false},
	} {
		l, ok := LineBySCAC(c.scac)
		if !ok || l.BillOfLading != c.bill || l.BookingNumber != c.booking || l.ContainerNumber != c.container {
			t.Errorf("%s = %+v, %v", c.scac, l, ok)
		}
	}
}

func TestLineLookups(t *testing.T) {
	for _, c := range []struct {
		by   string
		f    func(string) (Line, bool)
		in   string
		want string
	}{
		{"SCAC", LineBySCAC, "MAEU", "MAEU"},
		{"SCAC", LineBySCAC, "medu", "MSCU"},
		{"SCAC", LineBySCAC, " YMPR ", "YMLU"},
		{"SCAC", LineBySCAC, "MRKU", ""}, // a prefix, not a SCAC
		{"SCAC", LineBySCAC, "TEST", ""},
		{"SCAC", LineBySCAC, "", ""},
		{"prefix", LineByPrefix, "MAEU123456789", "MAEU"},
		{"prefix", LineByPrefix, "mrku123456789", "MAEU"},
		{"prefix", LineByPrefix, "MEDUA1234567", "MSCU"},
		{"prefix", LineByPrefix, "CMAUABC1234567", "CMDU"},
		{"prefix", LineByPrefix, "EISU123456789012", "EGLV"},
		{"prefix", LineByPrefix, "SSPHABC1234", "SSPH"},
		{"prefix", LineByPrefix, "MAEU", ""}, // nothing follows
		{"prefix", LineByPrefix, "123456789", ""},
		{"prefix", LineByPrefix, "", ""},
		{"owner", LineByOwner, "MRKU9465770", "MAEU"},
		{"owner", LineByOwner, "CSQU3054383", "HLCU"},
		{"owner", LineByOwner, "WHLU1234560", "WHLC"},
		{"owner", LineByOwner, "TCLU6718159", ""}, // leased
		{"owner", LineByOwner, "MRKX9465770", ""},
		{"owner", LineByOwner, "MRK", ""},
	} {
		l, ok := c.f(c.in)
		if l.SCAC != c.want || ok != (c.want != "") {
			t.Errorf("by %s %q = %q, %v; want %q", c.by, c.in, l.SCAC, ok, c.want)
		}
	}
}
