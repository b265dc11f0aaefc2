package refdata

import (
	"slices"
	"strings"
	"sync"
)

// kinds of numbers that a line cannot be asked about, as flags of the table.
const (
	noBillOfLading = 1 << iota
	noBooking
	noContainer
)

// lineTable is the hand-made list of supported lines, sorted by SCAC. Prefixes
// are those beyond the SCAC and its alternatives. Owners are the three letters
// before U, J or Z of containers that the line owns, those of lines that were
// merged into it (Hamburg Süd into Maersk) included.
//
// Crowley's CAT + 6 digits is left out of the prefixes: three letters would claim
// foreign containers such as CATU.
var lineTable = []struct {
	scac, short, name string
	alternatives      string
	unsupported       int
	prefixes          string
	owners            string
}{
	{"ACLU", "Atlantic Container Line", "Atlantic Container Line", "", 0, "", "ACL"},
	{"ANNU", "ANL", "ANL Container Line", "", 0, "ANLC", ""},
	{"APLU", "APL", "American President Lines", "", 0, "", "APD APH API APL APR APZ"},
	{"ARKU", "Arkas", "Arkas Line", "", 0, "", ""},
	{"CHVW", "Swire Shipping", "Swire Shipping", "QWJA PLLU", noContainer, "", ""},
	{"CLAM", "Crowley", "Crowley Liner Services", "CWLQ", noContainer, "CMCU", ""},
	{"CMDU", "CMA CGM", "CMA CGM", "", 0, "CMAU", "AMC ANN CGH CGM CGT CMA CMN CNC DVR ECM NEP NOL NOS NUS OPD STM"},
	{"COSU", "COSCO", "COSCO Shipping Lines", "", noContainer, "CBHU CCLU CCMJ CSLU", "BSD CBH CCL CSL CSN MTL VEC"},
	{"CULU", "CULines", "China United Lines", "", 0, "", ""},
	{"EGLV", "Evergreen", "Evergreen Line", "", noBillOfLading | noBooking, "EISU", "EGH EGS EIS EIT EMC HMC IMT LTI UGM"},
	{"GOSU", "Gold Star Line", "Gold Star Line", "", noContainer, "", ""},
	{"HDMU", "HMM", "HMM (Hyundai Merchant Marine)", "", 0, "", "HDG HDM HMM HMR KOC"},
	{"HDUJ", "HEDE Shipping", "HEDE Shipping", "", 0, "", ""},
	{"HLCU", "Hapag-Lloyd", "Hapag-Lloyd", "", 0, "", "CMU CPS CSQ CSV HAM HLB HLC HLX TMM UAC UAE UAS"},
	{"IILU", "ICL", "Independent Container Line", "", noContainer, "", ""},
	{"KMTU", "KMTC", "Korea Marine Transport Company", "", 0, "", "KMT"},
	{"MAEU", "Maersk", "Maersk Line", "", 0, "MRKU", "APM CAD FAA FRL GRI HAS KNL LOT MAE MCA MCH MCR MIE MMA MNB MRK MRS MSF MSK MSW MVI MWC MWM OCL POC PON SCM SUD TOR"},
	{"MATS", "Matson", "Matson Navigation Company", "", noContainer, "", "CXC HRZ MAT RSL"},
	{"MSCU", "MSC", "Mediterranean Shipping Company", "MEDU", 0, "", "GTI MAD MED MSB MSC MSD MSG MSM MSN MSP MST MSV MSY MSZ"},
	{"ONEY", "ONE", "Ocean Network Express", "", 0, "", "AKL KKF KKT MOA MOE MOF MOR MOS MOT NYK ONE"},
	{"OOLU", "OOCL", "Orient Overseas Container Line", "", 0, "", "OOC OOL"},
	{"PCIU", "PIL", "Pacific International Lines", "", noBillOfLading | noBooking, "PABV", ""},
	{"SAFM", "Safmarine", "Safmarine Container Lines", "", noContainer, "", ""},
	{"SEAU", "Sealand Americas", "Sealand Americas", "SEAL", 0, "", ""},
	{"SEJJ", "Sealand Europe", "Sealand Europe", "", 0, "", ""},
	{"SMLM", "SM Line", "SM Line", "", noContainer, "", "SMC"},
	{"SMLU", "Seaboard Marine", "Seaboard Marine", "", noContainer, "", ""},
	{"SQQY", "SeaLead", "SeaLead Shipping", "SJHH", 0, "", ""},
	{"SSBF", "Swire", "Swire", "WWSU", noContainer, "", ""},
	{"SSPH", "Seth Shipping", "Seth Shipping", "", noContainer, "", ""},
	{"TJFH", "Transfar", "Transfar Shipping", "", noContainer, "", ""},
	{"TRBR", "Trailer Bridge", "Trailer Bridge", "TBIE PYRR", noBillOfLading | noContainer, "", ""},
	{"TRKU", "Turkon", "Turkon Line", "", 0, "", ""},
	{"TXZJ", "TS Lines", "T.S. Lines", "", noBillOfLading | noBooking, "", ""},
	{"WDSB", "World Direct Shipping", "World Direct Shipping", "", noBillOfLading | noBooking, "", ""},
	{"WHLC", "Wan Hai", "Wan Hai Lines", "", 0, "", "TPC WHL WHS"},
	{"YMLU", "Yang Ming", "Yang Ming Marine Transport", "YMPR YMSG YMJA", 0, "", "YML YMM"},
	{"ZIMU", "ZIM", "ZIM Integrated Shipping Services", "", noContainer, "", "JXL JZP ZCL ZCS ZIM ZMO ZWF"},
}

// lineData is the table in the form that is served, with its indexes.
type lineData struct {
	lines                     []Line
	byCode, byPrefix, byOwner map[string]int
}

var lines = sync.OnceValue(func() lineData {
	d := lineData{
		lines:    make([]Line, 0, len(lineTable)),
		byCode:   make(map[string]int),
		byPrefix: make(map[string]int),
		byOwner:  make(map[string]int),
	}
	for i, t := range lineTable {
		l := Line{
			SCAC:             t.scac,
			Name:             t.name,
			ShortName:        t.short,
			AlternativeSCACs: strings.Fields(t.alternatives),
			BillOfLading:     t.unsupported&noBillOfLading == 0,
			BookingNumber:    t.unsupported&noBooking == 0,
			ContainerNumber:  t.unsupported&noContainer == 0,
		}
		codes := append([]string{l.SCAC}, l.AlternativeSCACs...)
		l.Prefixes = append(slices.Clip(codes), strings.Fields(t.prefixes)...)
		for _, c := range codes {
			d.byCode[c] = i
		}
		for _, p := range l.Prefixes {
			d.byPrefix[p] = i
		}
		for _, o := range strings.Fields(t.owners) {
			d.byOwner[o] = i
		}
		d.lines = append(d.lines, l)
	}
	return d
})

// Lines returns every supported line, sorted by SCAC. The slice is the caller's;
// the slices within are shared and must not be changed.
func Lines() []Line { return slices.Clone(lines().lines) }

// LineBySCAC returns the line with a SCAC or with one of its alternatives. Letter
// case and surrounding space do not matter.
func LineBySCAC(scac string) (Line, bool) {
	d := lines()
	i, ok := d.byCode[normalize(scac)]
	if !ok {
		return Line{}, false
	}
	return d.lines[i], true
}

// LineByPrefix returns the line whose prefix the number of a transport document
// begins with; the longest prefix wins, and something must follow it. It is no
// help with container numbers, whose letters name the owner: see LineByOwner.
func LineByPrefix(number string) (Line, bool) {
	d := lines()
	number = normalize(number)
	for n := min(longestPrefix, len(number)-1); n > 0; n-- {
		if i, ok := d.byPrefix[number[:n]]; ok {
			return d.lines[i], true
		}
	}
	return Line{}, false
}

// longestPrefix is the length of the longest prefix in lineTable; a test holds it
// true.
const longestPrefix = 4

// LineByOwner returns the line that owns a container, by the three letters that
// its number begins with. It is a hint, not a fact: lines carry each other's
// containers, and those of a leasing company name no line at all.
func LineByOwner(container string) (Line, bool) {
	container = normalize(container)
	if len(container) < 4 || !strings.Contains("UJZ", container[3:4]) {
		return Line{}, false
	}
	d := lines()
	i, ok := d.byOwner[container[:3]]
	if !ok {
		return Line{}, false
	}
	return d.lines[i], true
}
