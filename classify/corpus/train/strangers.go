package train

import (
	"math"
	"strings"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/trade"
)

// strange redraws the shipment as redraw does, and gives it companies, ships, goods and
// numbers that no other layout has, so that rules cannot live on knowing them.
func strange(f *form.Form, day string, wanted func(trade.Shipment) bool) trade.Shipment {
	redraw(f, day, wanted)
	if back, err := time.Parse(day, f.S.Sailed.Format(day)); err != nil || !back.Equal(f.S.Sailed) {
		panic("train: no layout of a day: " + day) // JAN is no month to package time
	}
	f.Style.Months, f.Style.Gap = nil, f.R.IntN(7)
	f.Style.Kilo, f.Style.Cubic = form.Pick(f, "KGS", "KG", "kg", "Kgs", "KGM"), form.Pick(f, "CBM", "M3", "cbm", "m³", "m3")
	s := &f.S
	known := s.Notify.Name == s.Buyer.Name
	s.Shipper, s.Buyer = stranger(f, s.Shipper), stranger(f, s.Buyer)
	s.Notify.Name = form.Pick(f, "ADUANAS Y TRÁNSITOS ROLDÁN", "K. J. MERRIWEATHER & CO.", "VERHOEVEN DOUANE-EXPEDITIE", "APEX ENTRY SERVICES", "ZOLLAGENTUR BRANDT")
	if known {
		s.Notify = s.Buyer
	}
	s.Forward.Name = form.Pick(f, "KONTINENTAL SPEDITION", "ALTAMAR CARGO", "TRANSLOGIS OCÉAN", "BRIDGEPORT NVOCC SERVICES", "LOTUS CONTAINER LINES", "DELTA SUR FORWARDING", "HANSEN & MEYER INT. TRANSPORTE", "FAIRWIND CONSOLIDATION")
	// No agent bears the line's name: the truth has a SCAC where the paper names the line.
	s.Agent.Name = form.Pick(f, "CROSSWATER SHIPPING AGENCY", "ISLAND & COAST MARITIME", "SCHIFFAHRTSKONTOR OST", "AGENCIA MARÍTIMA DEL PUERTO", "QUAYSIDE LINER SERVICES")
	s.Trucker.Name = form.Pick(f, "TWO RIVERS TRANSPORT", "TRANSPORTES EL ROBLE", "KÖNIG CONTAINERDIENST", "LONE PINE INTERMODAL", "VAN DER MEER TRUCKING")
	s.Ship.Name = form.Pick(f, "NORD ALBA", "HANSA VEGA", "LADY CAMILLA", "EVER KINDLY", "MS ADELAIDE BAY", "TASMAN GULL", "CONTI ROSARIO", "X-PRESS ARGUS", "SEASPAN LARKSPUR", "APL KESTREL BAY", "ZHONG HAI 88", "BUXTEHUDE")
	s.Voyage = num(f, form.Pick(f, "@@###W", "###S", "26###N", "####E", "###A", "@###-26"))
	s.Terminal.Name = form.Pick(f, "BERTH 208", "MUELLE DEL ESTE", "EUROKAI WEST", "TERMINAL LINK 4", "APM PIER J", "CT BURCHARDKAI 2", "HUTCHINSON QUAY")
	s.Depot = form.Pick(f, "TERCAT VACÍOS", "DEPOT ALTENWERDER", "UNITED EMPTY SERVICES, GATE 3", "KRAMER DEPOT", "CONTAINER CARE LTD.")
	renumber(f)
	for i, n := range f.R.Perm(len(strangeGoods))[:len(s.Goods)] {
		g := strangeGoods[n]
		s.Goods[i].Net = math.Round(s.Goods[i].Net*1000) / 1000 // 3467.9999999999995 is printed as 3468
		s.Goods[i].Item, s.Goods[i].Words, s.Goods[i].HS, s.Goods[i].Unit = num(f, g[0]), g[1], g[2], g[3]
	}
	agree(s)
	return f.S
}

// agree makes the containers weigh together what the lines of goods do: their shares
// are rounded one by one.
func agree(s *trade.Shipment) {
	sum, last := together(s.Goods), &s.Containers[len(s.Containers)-1]
	last.Net = math.Round((last.Net+sum.Net-s.Net())*10) / 10
	last.Gross = math.Round((last.Gross+sum.Gross-s.Gross())*10) / 10
	last.Volume = math.Round((last.Volume+sum.Volume-s.Volume())*1000) / 1000
}

// num fills in a pattern: # is a digit, @ a letter, the rest stays.
func num(f *form.Form, pattern string) string {
	return strings.Map(func(c rune) rune {
		switch c {
		case '#':
			return '1' + rune(f.R.IntN(9))
		case '@':
			return rune("ABCDEFGHJKLMNPRSTUVWXYZ"[f.R.IntN(23)])
		}
		return c
	}, pattern)
}

// renumber writes references as their issuers do, with slashes, dots and spaces.
func renumber(f *form.Form) {
	s := &f.S
	s.BL = num(f, form.Pick(f, s.Line.SCAC+"########", s.Line.SCAC+" #########", "@@@@26######", "S0########", "@@@/@@@/#####", s.Line.SCAC+"@@####", "26#######"))
	s.HBL = num(f, form.Pick(f, "@@@/@@@/#####", "@@@-26-#####", "26/##### @", "@@@@@@######", "##.###.###", "@@ ## #####"))
	s.Booking = num(f, form.Pick(f, "26########", "@@@@######", "#########", "@@/##/####", "##### ####"))
	s.AMS = num(f, "@@@@########")
	s.Notice = num(f, form.Pick(f, "26-#####", "I/####/26", "@@######", "########"))
	s.Order = num(f, form.Pick(f, "######", "@@/26/####", "26.####.#", "@###-###", "## #####"))
	s.Invoice = num(f, form.Pick(f, "26/####", "@@-####/26", "20260####", "@@@ ####", "##-####-##"))
	s.Packing = num(f, form.Pick(f, "26/####-P", "@@######", "####/26", "P ####"))
	s.PO = num(f, form.Pick(f, "####/26", "45########", "@@@-####", "## ####", "26.###"))
}

// stranger is another company of the same country.
func stranger(f *form.Form, c trade.Company) trade.Company {
	all, ok := strangers[c.Country]
	if !ok {
		return c
	}
	lines := strings.Split(all[f.R.IntN(len(all))], "|")
	c.Name, c.Address = lines[0], lines[1:]
	return c
}

// strangers are companies by country, with lines between bars.
var strangers = map[string][]string{
	"CN": {"ZHEJIANG YONGXIN HARDWARE & TOOLS CO., LTD.|BLDG 7, NO. 188 XINGYE RD, CIXI|ZHEJIANG, P.R. CHINA", "FOSHAN LEBAO CERAMICS IMP. & EXP. CO. LTD|RM 1203, TOWER B, NANHAI DISTRICT|FOSHAN, GUANGDONG 528200, CHINA"},
	"TW": {"FU SHENG PLASTICS IND. CO., LTD.|12F-3, NO. 77, SEC. 2, DUNHUA S. RD.|TAIPEI 106, TAIWAN, R.O.C."},
	"KR": {"DAEYANG CHEMTECH CO., LTD.|45, NOKSANSANDAN 17-RO, GANGSEO-GU|BUSAN 46754, KOREA"},
	"VN": {"PHU THINH SEAFOOD JOINT STOCK COMPANY|LOT C3, TAN TAO I.Z., BINH TAN DIST.|HO CHI MINH CITY, VIETNAM"},
	"IN": {"SHREE BALAJI EXPORTS|GALA NO. 14, UDYOG BHAVAN, ANDHERI (E)|MUMBAI - 400 069, INDIA", "KAVERI SPICES & CONDIMENTS PVT LTD|PLOT 22-B, SIPCOT INDUSTRIAL ESTATE|CHENNAI 600 058, TAMIL NADU, INDIA"},
	"LK": {"CEYLON HIGHGROWN TEAS (EXPORTS) LTD|111 NEGOMBO ROAD, PELIYAGODA|SRI LANKA"},
	"TR": {"ÖZKAYA MERMER SAN. VE TIC. A.S.|ATATÜRK ORG. SAN. BÖLG. 10006 SOK. NO 22|35620 IZMIR, TÜRKIYE"},
	"DE": {"MASCHINENFABRIK OTTO KRAFT GMBH & CO. KG|INDUSTRIESTRASSE 12-16|D-74321 BIETIGHEIM-BISSINGEN, GERMANY", "WESERLAND HANDELSGESELLSCHAFT MBH|AM KAISERKAI 9|20457 HAMBURG, DEUTSCHLAND"},
	"NL": {"VAN DIJK BLOEMBOLLEN B.V.|HEEREWEG 331|2161 CA LISSE, THE NETHERLANDS", "DE GROOT & ZONEN IMPORT B.V.|WAALHAVEN Z.Z. 42|3088 HH ROTTERDAM, NEDERLAND"},
	"BE": {"ETS. LAMBRECHT & FILS SA|RUE DU PORT 88|4000 LIÈGE, BELGIUM"},
	"FR": {"COMPTOIR LYONNAIS DU MEUBLE SAS|Z.I. DES CHESNES, 14 ALLÉE DES TILLEULS|38070 SAINT-QUENTIN-FALLAVIER, FRANCE", "MAISON D'ARVOR SARL|3 QUAI GEORGE V|76600 LE HAVRE, FRANCE"},
	"IT": {"RUBINETTERIE FRATELLI GALLO S.P.A.|VIA DELL'ARTIGIANATO 45|25065 LUMEZZANE (BS), ITALIA", "TOSCANA VINI E OLII S.R.L.|LOC. POGGIBONSI 7|53036 SIENA, ITALY"},
	"ES": {"CERÁMICAS DEL TURIA, S.A.|POL. IND. LA PAZ, C/ DE LA SÈQUIA 12|12006 CASTELLÓN, ESPAÑA", "HIJOS DE R. ALCARAZ, S.L.|AVDA. DEL PUERTO 201, 3º|46023 VALENCIA, SPAIN"},
	"GB": {"THE CROFTON FURNITURE COMPANY LTD.|UNIT 5, TRIDENT BUSINESS PARK|FELIXSTOWE IP11 4BA, UNITED KINGDOM", "J. ASHDOWN & SONS PLC|ASHDOWN HOUSE, 40 MILL LANE|BIRMINGHAM B5 6NX, U.K."},
	"US": {"NATIONAL TILE & STONE, LLC|4410 W. ROOSEVELT RD., STE 200|HILLSIDE, IL 60162 USA", "PACIFIC CREST OUTFITTERS|DBA CREST GEAR|19000 KINGSVIEW AVE, CARSON, CA 90746", "GREAT LAKES FASTENER CORP.|PO BOX 8812|TOLEDO, OH 43604, U.S.A."},
	"CA": {"LES ALIMENTS BORÉAL INC.|2200 BOUL. INDUSTRIEL|LAVAL, QC H7S 1P5, CANADA", "MAPLE RIDGE HARDWARE LTD.|75 DUNDAS ST E, UNIT 9|MISSISSAUGA, ON L5A 1V9, CANADA"},
	"MX": {"COMERCIALIZADORA TRES CAÑADAS, S.A. DE C.V.|CALZ. DE TLALPAN 1924, COL. CHURUBUSCO|04210 CIUDAD DE MÉXICO, MÉXICO"},
	"BR": {"CAFÉS SERRA ALTA EXPORTAÇÃO LTDA.|RUA DO COMÉRCIO 55, 4º ANDAR|11010-140 SANTOS - SP, BRASIL"},
	"CL": {"FRUTÍCOLA VALLE HERMOSO S.A.|CAMINO A MELIPILLA KM 21|SANTIAGO, CHILE"},
	"PE": {"AGROINDUSTRIAS COSTA SOL S.A.C.|AV. ARGENTINA 3093, CALLAO|LIMA, PERÚ"},
	"ZA": {"KAROO WOOL BROKERS (PTY) LTD|21 POINT ROAD|DURBAN 4001, SOUTH AFRICA"},
	"AE": {"GULF HORIZON GENERAL TRADING LLC|P.O. BOX 17044, JEBEL ALI FREE ZONE|DUBAI, U.A.E."},
	"CZ": {"MORAVSKÉ SKLO A.S.|PRUMYSLOVÁ 1200|760 01 ZLÍN, CZECH REPUBLIC"},
	"AT": {"HOLZBAU STEINER GES.M.B.H.|BUNDESSTRASSE 4|4600 WELS, AUSTRIA"},
	"CH": {"UHREN & PRÄZISION BASEL AG|STEINENVORSTADT 33|CH-4051 BASEL"},
	"SG": {"LIM BROTHERS RUBBER PTE. LTD.|8 PANDAN CRESCENT #04-11|SINGAPORE 128464"},
	"HK": {"EVERGOOD TOYS MANUFACTORY LTD|UNIT 9, 15/F, WAH FUNG IND. CENTRE, KWAI CHUNG|N.T., HONG KONG"},
	"TH": {"SIAM RUBBERWOOD CO., LTD.|99/9 MOO 4, BANGNA-TRAD RD.|SAMUT PRAKAN 10540, THAILAND"},
	"JP": {"NIHON SEIMITSU KOGYO CO., LTD.|2-14-6 MINATOMACHI, NANIWA-KU|OSAKA 556-0017, JAPAN"},
}

// strangeGoods are the pattern of an item's number, words, code and unit.
var strangeGoods = [][4]string{
	{"GT-####", "GLAZED CERAMIC FLOOR TILES 60X60 CM", "6907.21.00", "SQM"},
	{"##.###", "STAINLESS STEEL KITCHEN SINKS, SINGLE BOWL", "7324.10.00", "PCS"},
	{"FS-##", "FROZEN VANNAMEI SHRIMP, PEELED, IQF", "0306.17.92", "KGS"},
	{"W-####", "RED WINE IN BOTTLES OF 75 CL, VINTAGE 2023", "2204.21.80", "BTLS"},
	{"@@###", "POLYPROPYLENE GRANULES, INJECTION GRADE", "3902.10.00", "BAGS"},
	{"T-###", "WOODEN TOYS, TRAIN SETS", "9503.00.75", "SETS"},
	{"######", "HEX BOLTS M12 X 60, ZINC PLATED", "7318.15.88", "PCS"},
	{"OO-##", "EXTRA VIRGIN OLIVE OIL, TINS OF 5 L", "1509.20.00", "TINS"},
	{"BK-###", "CITY BICYCLES 28 INCH, PARTLY ASSEMBLED", "8712.00.30", "PCS"},
	{"P####", "KRAFT LINER PAPER IN REELS, 175 GSM", "4804.11.15", "ROLLS"},
	{"SP-##", "GROUND TURMERIC AND BLACK PEPPER", "0904.11.00", "BAGS"},
	{"G-####", "PROTECTIVE GLOVES, NITRILE COATED", "6116.10.20", "PRS"},
	{"M-###", "GEARBOXES AND SPARE PARTS FOR CONVEYORS", "8483.40.30", "PCS"},
	{"LS-##", "LADIES' LEATHER SANDALS", "6403.59.35", "PRS"},
}

// tongues are the months in other languages, in full and as stamps shorten them.
var tongues = map[string][]string{
	"es": strings.Fields("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
	"ES": strings.Fields("ENE FEB MAR ABR MAY JUN JUL AGO SEP OCT NOV DIC"),
	"de": strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
	"fr": strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
	"pt": strings.Fields("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
	"PT": strings.Fields("JAN FEV MAR ABR MAI JUN JUL AGO SET OUT NOV DEZ"),
	"it": strings.Fields("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
	"nl": strings.Fields("januari februari maart april mei juni juli augustus september oktober november december"),
	"NL": strings.Fields("JAN FEB MRT APR MEI JUN JUL AUG SEP OKT NOV DEC"),
}

// notation sets how numbers are written, and how many decimals weights have.
func notation(f *form.Form, thousands, point string, figures int) {
	f.Style.Thousands, f.Style.Point, f.Style.Figures = thousands, point, figures
}

// whole rounds all weights to kilograms, for papers without decimals.
func whole(f *form.Form) {
	f.Style.Figures = 0
	for i, b := range f.S.Containers {
		f.S.Containers[i].Gross, f.S.Containers[i].Net = math.Round(b.Gross), math.Round(b.Net)
	}
	for i, g := range f.S.Goods {
		f.S.Goods[i].Gross, f.S.Goods[i].Net = math.Round(g.Gross), math.Round(g.Net)
	}
}

// assorted splits each line of goods into as many as there are kinds.
func assorted(f *form.Form, kinds ...string) []trade.Goods {
	var all []trade.Goods
	tenth := func(x float64) float64 { return math.Round(x*10) / 10 }
	for _, g := range f.S.Goods {
		left, n := g, len(kinds)
		for i, kind := range kinds {
			part := left
			if i < n-1 {
				part.Cartons, part.Quantity = g.Cartons/n, g.Quantity/n
				part.Net, part.Gross, part.Volume = tenth(g.Net/float64(n)), tenth(g.Gross/float64(n)), math.Round(g.Volume/float64(n)*1000)/1000
				left.Cartons, left.Quantity = left.Cartons-part.Cartons, left.Quantity-part.Quantity
				left.Net, left.Gross, left.Volume = tenth(left.Net-part.Net), tenth(left.Gross-part.Gross), math.Round((left.Volume-part.Volume)*1000)/1000
			}
			part.Words = g.Words + ", " + kind
			all = append(all, part)
		}
	}
	return all
}

// paid says in the words given whether freight is paid or to be collected.
func paid(f *form.Form, prepaid, collect string) string {
	if f.S.Prepaid {
		return f.Code("freight_terms", "prepaid", prepaid)
	}
	return f.Code("freight_terms", "collect", collect)
}

// several wants shipments in more than one container besides.
func several(wanted func(trade.Shipment) bool) func(trade.Shipment) bool {
	return func(s trade.Shipment) bool { return len(s.Containers) > 1 && wanted(s) }
}

func anywhere(trade.Shipment) bool { return true }

// oneLine is a company with its whole address.
func oneLine(c trade.Company) string { return c.Name + ", " + strings.Join(c.Address, ", ") }

// together are several lines of goods as one.
func together(goods []trade.Goods) (sum trade.Goods) {
	for _, g := range goods {
		sum.Cartons, sum.Quantity = sum.Cartons+g.Cartons, sum.Quantity+g.Quantity
		sum.Net, sum.Gross, sum.Volume = sum.Net+g.Net, sum.Gross+g.Gross, sum.Volume+g.Volume
	}
	sum.Net, sum.Gross, sum.Volume = math.Round(sum.Net*10)/10, math.Round(sum.Gross*10)/10, math.Round(sum.Volume*1000)/1000
	return sum
}

// weighed prints the sums of a packing list under their names.
func weighed(f *form.Form, sum trade.Goods) (packages, net, gross, volume string) {
	return f.Count("packages", sum.Cartons), f.BareMass("net_weight", sum.Net), f.BareMass("gross_weight", sum.Gross), f.BareVolume("volume", sum.Volume)
}
