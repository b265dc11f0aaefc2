package refdata

import (
	"slices"
	"strings"
	"sync"
)

// Types of numbers that a line does not accept, as flags of the table.
const (
	noBillOfLading = 1 << iota
	noBooking
	noContainer
)

// lineTable is the list of lines, sorted by SCAC: those that the API has always
// had, and those of the 40 largest lines, including feeder, intra-Asia and regional
// lines, for which a code is published.
//
// SCAC is a code of four letters if any source has one, otherwise the code with
// digits of the registry. Prefixes are those in addition to the SCAC and its
// alternatives. Owners are the three letters before U, J or Z of the containers
// that the line owns, including those of merged lines (Hamburg Süd into Maersk) and
// of its own leasing companies, but not those of independent lessors. A field
// without a source is empty. Sources are keys of lineSources.
//
// For added lines it is not known which numbers they accept, so all types are
// allowed.
//
// Crowley's CAT + 6 digits is not a prefix: three letters would match other
// containers such as CATU.
var lineTable = []struct {
	scac, short, name string
	alternatives      string
	unsupported       int
	prefixes          string
	owners            string
	sources           string
}{
	{"11WJ", "Jin Jiang", "Shanghai Jin Jiang Shipping", "", 0, "", "", "searates options"},
	{"ACLU", "Atlantic Container Line", "Atlantic Container Line", "", 0, "", "ACL", "supported"},
	{"ANNU", "ANL", "ANL Container Line", "", 0, "ANLC", "", "supported"},
	{"ANRM", "Aliança", "Aliança Navegação e Logística", "ALIU", 0, "", "", "searates pcs project44"},
	{"APLU", "APL", "American President Lines", "", 0, "", "APD APH API APL APR APZ", "supported"},
	{"ARKU", "Arkas", "Arkas Line", "", 0, "", "ARK", "supported searates register"},
	{"BURU", "BAL Container Line", "BAL Container Line", "", 0, "", "BUR", "searates"},
	{"CHVW", "Swire Shipping", "Swire Shipping", "QWJA PLLU", noContainer, "", "AWS JSS", "supported searates owners"},
	{"CKLU", "CK Line", "CK Line", "CKCO", 0, "", "CKL", "searates vizion project44 owners"},
	{"CLAM", "Crowley", "Crowley Liner Services", "CWLQ CAMN", noContainer, "CMCU", "CMC SEF", "supported searates owners register"},
	{"CMDU", "CMA CGM", "CMA CGM", "", 0, "CMAU", "AMC ANN CGH CGM CGT CMA CMN CNC CSF CSO CZL DVR ECM KLC MMC NEP NOL NOS NUS OPD OTA SMU SOF STM", "supported searates owners"},
	{"CNCX", "CNC Line", "Cheng Lie Navigation", "11DX", 0, "", "", "searates pcs project44"},
	{"COSU", "COSCO", "COSCO Shipping Lines", "", noContainer, "CBHU CCLU CCMJ CSLU COAU COEU", "BSD CBH CCL CSL CSN MTL VEC", "supported project44"},
	{"CULU", "CULines", "China United Lines", "CULX", 0, "", "CUL CUS CUV", "supported searates project44 register"},
	{"DJLU", "Dongjin", "Dongjin Shipping", "11PG DJSC", 0, "", "DJL", "searates vizion project44 owners"},
	{"EGLV", "Evergreen", "Evergreen Line", "EVRG", noBillOfLading | noBooking, "EISU", "EGH EGM EGS EIS EIT EMC EME EVG HMC IMT LTI UGM", "supported project44 register"},
	{"EIMU", "Eimskip", "Eimskip", "EIMW", 0, "", "EIM FLT", "searates pcs project44 owners"},
	{"ESPU", "Emirates Shipping Line", "Emirates Shipping Line", "EPIR", 0, "", "ESD ESP", "searates pcs project44 owners register"},
	{"FESO", "FESCO", "Far-Eastern Shipping Company", "FANE", 0, "", "FCC FES", "searates pcs project44 owners"},
	{"GOSU", "Gold Star Line", "Gold Star Line", "GSLU", noContainer, "", "GMO GSL JXJ", "supported searates owners pcs"},
	{"GRIU", "Grimaldi", "Grimaldi Lines", "GMGO", 0, "", "GCN", "searates pcs owners"},
	{"HALU", "Heung-A", "Heung-A Line", "11QU", 0, "HASL", "HAL HLH", "searates options owners register numbers"},
	{"HDMU", "HMM", "HMM (Hyundai Merchant Marine)", "", 0, "", "HDG HDM HMM HMR KOC", "supported"},
	{"HDUJ", "HEDE Shipping", "HEDE Shipping", "", 0, "", "", "supported"},
	{"HLCU", "Hapag-Lloyd", "Hapag-Lloyd", "", 0, "", "AZL CAS CMU CPS CSQ CSV FAN HAM HLB HLC HLX ITA IVL LBI LNX LYK MOM QIB QNN TLE TMM UAC UAE UAS", "supported searates owners"},
	{"IAAU", "Interasia", "Interasia Lines", "12AT", 0, "", "IAA", "searates options owners register numbers"},
	{"IILU", "ICL", "Independent Container Line", "", noContainer, "", "ICU", "supported searates owners"},
	{"IRSU", "HDS Lines", "Hafez Darya Arya Shipping (IRISL Group)", "", 0, "", "", "options"},
	{"KMTU", "KMTC", "Korea Marine Transport Company", "", 0, "KMTC", "KMT", "supported numbers"},
	{"KOSL", "King Ocean", "King Ocean Services", "", 0, "", "BML KOS", "pcs options owners"},
	{"LMCU", "Messina", "Ignazio Messina", "", 0, "", "LMC", "searates pcs owners"},
	{"MAEU", "Maersk", "Maersk Line", "", 0, "MRKU", "APM CAD CNI COZ ENA FAA FRL GRI HAS KHJ KHL KNL LOT MAE MAL MCA MCH MCI MCR MHH MIE MMA MNB MRF MRK MRS MSA MSF MSK MSW MVI MWC MWM OCL POC PON SCM SUD TOR", "supported searates owners"},
	{"MATS", "Matson", "Matson Navigation Company", "", noContainer, "", "CXC HRZ MAT RSL", "supported"},
	{"MCCQ", "Sealand Asia", "Sealand Asia (MCC Transport)", "", 0, "", "MCP", "searates pcs owners"},
	{"MEXU", "Mariana Express", "Mariana Express Lines", "", 0, "", "MCT MER MEX", "searates owners"},
	{"MFTU", "Marfret", "Marfret", "", 0, "", "MFR MFT", "searates pcs owners"},
	{"MGSU", "Marguisa", "Marguisa Shipping Lines", "", 0, "", "CHL MRG MUO OEX", "searates options"},
	{"MRTU", "Meratus", "Meratus Line", "", 0, "", "MRT", "searates options"},
	{"MSCU", "MSC", "Mediterranean Shipping Company", "MEDU", 0, "", "GTI MAD MED MSB MSC MSD MSG MSM MSN MSP MST MSV MSY MSZ", "supported"},
	{"NSRU", "Namsung", "Namsung Shipping", "", 0, "NSSL", "NSR NSS", "searates options owners qingdao"},
	{"ONEY", "ONE", "Ocean Network Express", "", 0, "", "AKL EKL ESS KKF KKL KKT KLF KLT KXT MOA MOE MOF MOG MOL MOR MOS MOT NYK ONE PXC", "supported owners register"},
	{"OOLU", "OOCL", "Orient Overseas Container Line", "", 0, "", "OOC OOL", "supported"},
	{"PCIU", "PIL", "Pacific International Lines", "", noBillOfLading | noBooking, "PABV", "PCI PID PIL", "supported searates owners register"},
	{"PCLU", "Pan Continental", "Pan Continental Shipping", "15AC", 0, "", "PCL", "searates options owners numbers"},
	{"PCSL", "Dong Young", "Dong Young Shipping", "", 0, "", "DYL", "searates owners numbers"},
	{"POBU", "Pan Ocean", "Pan Ocean", "", 0, "", "POL STX", "searates options owners qingdao"},
	{"REGU", "RCL", "Regional Container Lines", "", 0, "", "REG", "searates options owners"},
	{"SAFM", "Safmarine", "Safmarine Container Lines", "", noContainer, "", "CMB", "supported searates"},
	{"SCIU", "SCI", "Shipping Corporation of India", "", 0, "", "SII", "searates pcs owners"},
	{"SEAU", "Sealand Americas", "Sealand Americas", "SEAL", 0, "", "SEA", "supported searates owners"},
	{"SEJJ", "Sealand Europe", "Sealand Europe", "", 0, "", "", "supported"},
	{"SIKU", "Samudera", "Samudera Shipping Line", "", 0, "", "SIK", "searates options owners"},
	{"SITU", "SITC", "SITC Container Lines", "12PD SITC", 0, "SITD SITG SITP", "SIT", "searates options owners register numbers"},
	{"SKII", "Samskip", "Samskip", "", 0, "", "COC GNS SAN SVD SWL VDM", "pcs options owners"},
	{"SKLU", "Sinokor", "Sinokor Merchant Marine", "", 0, "SNKO", "SKH SKL SKR SKS", "searates pcs owners register numbers"},
	{"SMLM", "SM Line", "SM Line", "", noContainer, "", "SMC", "supported"},
	{"SMLU", "Seaboard Marine", "Seaboard Marine", "", noContainer, "", "SML", "supported searates owners register"},
	{"SNBU", "Sinotrans", "Sinotrans Container Lines", "12IH", 0, "", "SNB SNG SNH", "searates options owners"},
	{"SPNU", "SPIL", "Salam Pacific Indonesia Lines", "", 0, "", "SPN", "searates options"},
	{"SQQY", "SeaLead", "SeaLead Shipping", "SJHH", 0, "", "", "supported"},
	{"SSBF", "Swire", "Swire", "WWSU", noContainer, "", "WSL", "supported searates owners"},
	{"SSPH", "Seth Shipping", "Seth Shipping", "", noContainer, "", "", "supported"},
	{"SUDU", "Hamburg Süd", "Hamburg Süd", "", 0, "", "", "searates pcs vizion"},
	{"TJFH", "Transfar", "Transfar Shipping", "", noContainer, "", "TFL", "supported searates"},
	{"TOTE", "TOTE Maritime", "TOTE Maritime", "", 0, "", "NPR SBG STR", "searates pcs owners"},
	{"TRBR", "Trailer Bridge", "Trailer Bridge", "TBIE PYRR", noBillOfLading | noContainer, "", "", "supported"},
	{"TRKU", "Turkon", "Turkon Line", "", 0, "", "TRK", "supported searates register"},
	{"TSHG", "Tailwind", "Tailwind Shipping Lines", "TAWU", 0, "", "TAW", "searates numbers"},
	{"TXZJ", "TS Lines", "T.S. Lines", "13DF TSSU TSTU", noBillOfLading | noBooking, "", "TSS TST", "supported searates owners register"},
	{"UFEE", "Unifeeder", "Unifeeder", "", 0, "", "TLC", "options owners"},
	{"WDSB", "World Direct Shipping", "World Direct Shipping", "", noBillOfLading | noBooking, "", "", "supported"},
	{"WECU", "WEC Lines", "West European Container Lines", "", 0, "", "HMK WCX WEC", "searates pcs owners"},
	{"WHLC", "Wan Hai", "Wan Hai Lines", "22AA", 0, "", "TPC WHL WHS", "supported searates pcs"},
	{"XCLS", "X-Press Feeders", "X-Press Feeders", "", 0, "", "", "options"},
	{"YMLU", "Yang Ming", "Yang Ming Marine Transport", "YMPR YMSG YMJA", 0, "", "YML YMM", "supported"},
	{"ZIMU", "ZIM", "ZIM Integrated Shipping Services", "", noContainer, "", "JXL JZP ZCL ZCS ZIM ZMO ZWF", "supported"},
}

// lineSources are the sources of the rows of lineTable; see LICENSES.md.
var lineSources = []string{
	"supported", "searates", "owners", "register", "pcs", "project44", "options", "vizion", "qingdao", "numbers",
}

// lineData is the table with its indexes.
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

// Lines returns all supported lines, sorted by SCAC. The caller owns the slice; the
// slices in it are shared and must not be changed.
func Lines() []Line { return slices.Clone(lines().lines) }

// LineBySCAC returns the line with a SCAC or one of its alternatives. Letter case
// and surrounding space do not matter.
func LineBySCAC(scac string) (Line, bool) {
	d := lines()
	i, ok := d.byCode[normalize(scac)]
	if !ok {
		return Line{}, false
	}
	return d.lines[i], true
}

// LineByPrefix returns the line with the longest prefix of a transport document
// number; the number must be longer than the prefix. It cannot be used for
// container numbers, whose letters name the owner: see LineByOwner.
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

// longestPrefix is the length of the longest prefix in lineTable, which a test
// checks.
const longestPrefix = 4

// LineByOwner returns the line that owns a container, by the first three letters of
// its number. It is only a hint: lines carry each other's containers, and those of
// leasing companies belong to no line.
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
