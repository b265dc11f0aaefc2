package refdata

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestLinesAreWellFormed(t *testing.T) {
	all := Lines()
	if len(all) != 76 {
		t.Errorf("%d lines, want 76", len(all))
	}
	if !slices.IsSortedFunc(all, func(a, b Line) int { return strings.Compare(a.SCAC, b.SCAC) }) {
		t.Error("lines are not sorted by SCAC")
	}
	// The registry gives codes with digits too.
	scac := regexp.MustCompile(`^([A-Z]{4}|[0-9]{2}[A-Z]{2})$`)
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
		checkSources(t, l.scac, l.sources, lineSources)
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

// checkSources: each row of a table says where it was read.
func checkSources(t *testing.T, row, sources string, known []string) {
	t.Helper()
	keys := strings.Fields(sources)
	if len(keys) == 0 {
		t.Errorf("%s has no source", row)
	}
	for i, key := range keys {
		if !slices.Contains(known, key) || slices.Contains(keys[:i], key) {
			t.Errorf("%s: source %q", row, key)
		}
	}
}

// TestLargestLines: those among the 40 largest by capacity (Alphaliner, of 2023
// and 2025) for which a code is published are lines. The tables of before had 23 of
// these 36. The others of the 40 have no published code: Zhonggu, Antong (QASC),
// Global Feeder Shipping, Ningbo Ocean.
func TestLargestLines(t *testing.T) {
	for i, scac := range strings.Fields(`
		MSCU MAEU CMDU COSU HLCU EGLV ONEY HDMU YMLU ZIMU WHLC PCIU SITU KMTU XCLS IRSU UFEE SQQY
		SKLU TXZJ ESPU CHVW SMLM REGU MATS ARKU GRIU IAAU 11WJ SNBU CULU HDUJ NSRU SIKU SMLU CLAM`) {
		if line, ok := LineBySCAC(scac); !ok || line.SCAC != scac {
			t.Errorf("%d. %s is no line", i+1, scac)
		}
	}
}

// TestOwners: the boxes of listed lines name them, those of lessors name nobody,
// and neither do those of forwarders. Each box of a line that was added, or whose
// letters were, is nobody's in the tables of before.
func TestOwners(t *testing.T) {
	for scac, owners := range map[string]string{
		"SITU": "SIT", "SKLU": "SKH SKL SKR SKS", "HALU": "HAL HLH", "REGU": "REG", "IAAU": "IAA", "NSRU": "NSR NSS",
		"PCSL": "DYL", "FESO": "FCC FES", "ESPU": "ESD ESP", "SIKU": "SIK", "SNBU": "SNB SNG SNH", "GRIU": "GCN",
		"TXZJ": "TSS TST", "PCIU": "PCI PIL PID", "GOSU": "GSL GMO", "ARKU": "ARK", "TRKU": "TRK", "SMLU": "SML",
		"CLAM": "CMC SEF", "HLCU": "LYK LNX", "MAEU": "MSA SUD", "ONEY": "KKL MOL NYK", "EGLV": "EGM EVG",
	} {
		for owner := range strings.FieldsSeq(owners) {
			if line, ok := LineByOwner(owner + "U1234567"); !ok || line.SCAC != scac {
				t.Errorf("%sU: %q, want %s", owner, line.SCAC, scac)
			}
		}
	}
	for owner := range strings.FieldsSeq(`
		TCN TCL TCK TRH TTN TRL TLL TOL TRI TDR TPH TGH TEM TGB TXG TEX AMF XIN GAT MAX CLH SEG SEK GES GST GCE SCZ
		CXD CXR CRX CRS CRT IEA FSC FCI FBL FBI FCG FFA FJK DFS DFO CAI CAX SKY BMO BEA CRL SDD IPX GAO GIP IRN INK
		INB DRY TGC TGS PGT GLD UET UES BSI CAR RFC HOY SNT EXF EUR DGF KNN SKN CPO`) {
		if line, ok := LineByOwner(owner + "U1234567"); ok {
			t.Errorf("%sU: %s, want no line", owner, line.SCAC)
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
		{"SCAC", LineBySCAC, "12pd", "SITU"},
		{"SCAC", LineBySCAC, "SNKO", ""}, // likewise
		{"SCAC", LineBySCAC, "TEST", ""},
		{"SCAC", LineBySCAC, "", ""},
		{"prefix", LineByPrefix, "MAEU123456789", "MAEU"},
		{"prefix", LineByPrefix, "mrku123456789", "MAEU"},
		{"prefix", LineByPrefix, "MEDUA1234567", "MSCU"},
		{"prefix", LineByPrefix, "CMAUABC1234567", "CMDU"},
		{"prefix", LineByPrefix, "EISU123456789012", "EGLV"},
		{"prefix", LineByPrefix, "SSPHABC1234", "SSPH"},
		{"prefix", LineByPrefix, "SNKO010260804266", "SKLU"},
		{"prefix", LineByPrefix, "HASLK01250703685", "HALU"},
		{"prefix", LineByPrefix, "KMTCTAO8083417", "KMTU"},
		{"prefix", LineByPrefix, "NSSLBSHPC2402307", "NSRU"},
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
