package fresh

// way is where goods go from and to.
type way struct{ from, to, inland, hinterland []string }

var ways = map[string]way{
	"us":    {[]string{"CNYTN", "CNNGB", "CNXMN", "VNHPH", "KRPUS", "INMAA", "THLCH"}, []string{"USLAX", "USOAK", "USTIW", "USSAV", "USHOU", "USBAL"}, []string{"USCHI", "USDEN", "USMEM", "USATL"}, nil},
	"eu":    {[]string{"CNYTN", "CNNGB", "VNHPH", "INMAA", "THLCH", "KRPUS"}, []string{"DEHAM", "NLRTM", "BEANR", "FRLEH", "GBSOU"}, nil, nil},
	"de":    {[]string{"CNNGB", "CNXMN", "INMAA", "VNHPH"}, []string{"DEHAM", "DEBRV"}, []string{"DEMUC"}, nil},
	"nl":    {[]string{"CNNGB", "BRSSZ", "THLCH", "KRPUS"}, []string{"NLRTM"}, nil, nil},
	"fr":    {[]string{"FRLEH"}, []string{"USSAV", "USHOU", "CAMTR", "INMAA"}, nil, nil},
	"latam": {[]string{"ESBCN", "ESVLC", "CNNGB"}, []string{"MXZLO", "CLVAP", "PECLL", "COCTG"}, nil, nil},
	"es":    {[]string{"MXZLO", "CLVAP", "PECLL", "COCTG"}, []string{"ESBCN", "ESVLC", "NLRTM", "DEHAM"}, nil, nil},
	"br":    {[]string{"BRSSZ", "BRPNG"}, []string{"NLRTM", "DEHAM", "USSAV", "ITGOA"}, nil, nil},
	"in":    {[]string{"CNYTN", "CNNGB", "DEHAM", "KRPUS"}, []string{"INMAA", "INMUN"}, nil, nil},
	"ca":    {[]string{"DEHAM", "ITGOA", "BEANR", "INMAA"}, []string{"CAMTR"}, []string{"CATOR"}, nil},
	"it":    {[]string{"ITGOA"}, []string{"USSAV", "USBAL", "CLVAP", "INMAA"}, nil, nil},
	"ex-de": {[]string{"DEHAM", "DEBRV"}, []string{"USSAV", "USBAL", "CLVAP", "INMAA", "KRPUS"}, nil, []string{"DEMUC"}},
	"ex-cn": {[]string{"CNYTN", "CNNGB", "CNXMN"}, []string{"USLAX", "DEHAM", "GBSOU", "CAMTR", "NLRTM", "MXZLO"}, nil, nil},
}

var (
	bounds   = []string{"E", "W", "N", "S"}
	prefixes = []string{"MSKU", "TCNU", "DFSU", "CXDU", "HLXU", "TGHU", "BEAU", "EITU", "SUDU", "GLDU", "DRYU", "TLLU"}
	ships    = []string{"CELANDINE EXPRESS", "HALCYON BAY", "PORTO ALTO", "LADY ASTRID", "BANYAN STRAIT", "SANTA ILARIA", "KORMORAN", "AL MARJAN", "TUSCAN SKY", "WHITE TERN", "GRAND AURELIA", "OSTRAVA BRIDGE", "YM TRIBUTARY", "MONTE CALVO"}
	quays    = []string{"Burrard Basin Container Terminal", "Terminal 46 North", "Long Reach Marine Terminal", "Garrow Street Berths 5-7", "Deepwater Quay 9 Terminal", "Tidewater Gateway CT"}
	yards    = []string{"Cobalt Container Services", "Empties & More Depot", "Westyard Empty Park", "Quayline Container Park 3", "Gatwood Equipment Yard"}

	currencies = map[string]string{"DE": "EUR", "IT": "EUR", "FR": "EUR", "ES": "EUR", "BE": "EUR"}
	origins    = map[string]string{"CN": "China", "VN": "Vietnam", "KR": "Korea", "IN": "India", "TH": "Thailand", "DE": "Germany", "IT": "Italy", "FR": "France", "ES": "Spain", "BE": "Belgium", "BR": "Brazil", "MX": "Mexico", "CL": "Chile", "PE": "Peru", "CO": "Colombia"}
)

type article struct {
	code, words, hs, unit string
	each, price           int
	kg, m3                float64
}

var stock = [][]article{
	{
		{"KT-", "Stainless steel stockpot with glass lid, 24 cm", "7323.93.0045", "PCS", 4, 1180, 8.4, 0.052},
		{"KT-", "Non-stick frying pan, aluminium, 28 cm", "7615.10.3015", "PCS", 6, 745, 7.9, 0.041},
		{"KT-", "Knife block set, 6 pieces", "8211.10.0000", "SETS", 8, 1620, 13.2, 0.047},
		{"KT-", "Silicone spatula, assorted colours", "3924.10.4000", "PCS", 72, 96, 6.1, 0.033},
	},
	{
		{"BK", "Aluminium bicycle frames, unpainted", "8714.91.3000", "PCS", 3, 7400, 9.6, 0.14},
		{"BK", "Hydraulic disc brake sets", "8714.94.9000", "SETS", 20, 2890, 14.8, 0.036},
		{"BK", "Bicycle saddles, synthetic leather", "8714.95.0000", "PCS", 30, 610, 12.5, 0.085},
	},
	{
		{"GT/", "Polished granite tiles 60 x 60 x 2 cm", "6802.23.0000", "M2", 1, 2310, 54.0, 0.042},
		{"GT/", "Porcelain floor tiles, matt grey", "6907.21.9051", "M2", 2, 890, 44.5, 0.036},
	},
	{
		{"AP.", "Boys' woven trousers, 98% cotton 2% elastane", "6203.42.0748", "PCS", 24, 685, 11.3, 0.057},
		{"AP.", "Ladies' knitted pullovers, acrylic", "6110.30.3059", "PCS", 30, 790, 12.9, 0.078},
		{"AP.", "Cotton bed sheets, queen size", "6302.31.9020", "SETS", 10, 1455, 15.4, 0.062},
		{"AP.", "Babies' garments of cotton, knitted", "6111.20.6070", "DOZ", 5, 2140, 9.2, 0.049},
	},
	{
		{"EL-", "Cordless drill 18 V with two batteries", "8467.21.0010", "PCS", 5, 3275, 12.7, 0.054},
		{"EL-", "Angle grinder 125 mm, 900 W", "8467.29.0035", "PCS", 8, 1730, 17.6, 0.043},
		{"EL-", "Battery charger, universal", "8504.40.9550", "PCS", 40, 420, 14.0, 0.038},
	},
	{
		{"FD ", "Canned peeled tomatoes, 2500 g tins", "2002.10.0080", "CTN", 1, 960, 16.2, 0.019},
		{"FD ", "Extra virgin olive oil, 500 ml bottles", "1509.20.2000", "CTN", 1, 5480, 11.4, 0.022},
		{"FD ", "Pitted green olives in brine", "2005.70.6020", "CTN", 1, 1880, 13.8, 0.024},
	},
}

// Companies by country: name, then lines of the address; % is a house number.
var (
	makers = map[string][]string{
		"CN": {"Ningbo Haitong Kitchenware Co., Ltd.|No. % Jinshan Road, Jiangbei District|Ningbo, Zhejiang 315032, China", "Fujian Rongsheng Import & Export Corp.|%/F Xinghai Mansion, 12 Hubin South Road|Xiamen 361004, P.R. China", "Foshan Lanyue Hardware Manufactory|Building %, Shunde Industrial Park|Foshan, Guangdong, China|Attn: Ms. Liao"},
		"VN": {"Dai Phuc Garment Joint Stock Company|Lot % Trang Due Industrial Zone|An Duong District, Hai Phong, Vietnam", "Thanh Long Export Processing JSC|% Le Hong Phong Street|Hai Phong City, Vietnam"},
		"KR": {"Seorim Precision Co., Ltd.|%, Noksan-daero, Gangseo-gu|Busan, Republic of Korea", "Hanbit Trading Corporation|Suite %, Jungang Tower, Jung-gu|Busan 48943, Korea"},
		"IN": {"Coromandel Handloom Exports Pvt. Ltd.|% Rajaji Salai, George Town|Chennai 600001, Tamil Nadu, India|GSTIN 33AABCC4192K1ZP", "Sri Varuna Granites|Plot %, SIPCOT Industrial Complex|Hosur 635126, India"},
		"TH": {"Siam Rattana Industries Public Co., Ltd.|%/7 Moo 4, Bangna-Trad Road|Samut Prakan 10540, Thailand", "Chao Phya Tools Co., Ltd.|% Soi Sukhapiban 5|Bangkok 10220, Thailand"},
		"BR": {"Mobiliare Sul Exportação Ltda.|Rua das Araucárias, %|São Bento do Sul - SC, 89280-000, Brasil", "Pedras Capixaba S.A.|Av. Beira Mar, % - Centro|Vitória - ES, Brazil"},
		"DE": {"Weber & Söhne Werkzeugbau GmbH|Industriestraße %|42853 Remscheid|Germany", "Nordlicht Haushaltsgeräte AG|Billhorner Kanalstr. %|20539 Hamburg, Germany"},
		"IT": {"Oleificio Fratelli Bandini S.r.l.|Via Emilia Ponente, %|48018 Faenza (RA), Italia", "Ceramiche Valdorsa S.p.A.|Via Radici in Piano %|41049 Sassuolo (MO) - Italy"},
		"FR": {"Établissements Gauthier-Morel S.A.S.|% rue du Faubourg Bannier|45000 Orléans, France", "Cuivres de Villedieu SARL|ZA du Cacquevel, n° %|50800 Villedieu-les-Poêles|France"},
		"ES": {"Conservas Ría de Arosa, S.A.|Polígono Industrial A Tomada, parcela %|15949 Pobra do Caramiñal, España", "Azulejos Montcada, S.L.|Ctra. Onda km 3, nave %|12540 Vila-real (Castellón), Spain"},
		"BE": {"Vandersteen Industrial Tools BVBA|Noorderlaan %|2030 Antwerpen, Belgium"},
		"MX": {"Exportadora Agrícola del Bajío, S.A. de C.V.|Blvd. Aeropuerto %, Col. San Carlos|37670 León, Gto., México"},
		"CL": {"Frutos Secos Aconcagua Limitada|Camino El Molino %|San Felipe, Región de Valparaíso, Chile"},
		"PE": {"Agroexportaciones Chavín S.A.C.|Av. Argentina %, Cercado|Lima 15079, Perú"},
		"CO": {"Confecciones Antioquia S.A.S.|Carrera 43A No. 1-%|Medellín, Colombia"},
	}
	buyers = map[string][]string{
		"US": {"Hollis & Crane Retail Group LLC|% Peachtree Industrial Blvd|Norcross, GA 30071", "Tri-County Builders Supply, Inc.|% W. Olympic Avenue, Bldg C|Montebello, CA 90640, USA", "Gulf States Bicycle Distributors LP|% Katy Freeway, Suite 140|Houston, TX 77094|Tel. 281-555-0142"},
		"DE": {"Küchenwelt Handelsgesellschaft mbH|Am Sandtorkai %|20457 Hamburg|Deutschland", "Rheinbau Fliesen GmbH & Co. KG|Kölner Landstr. %|40591 Düsseldorf, Germany"},
		"NL": {"De Groene Fiets Groothandel B.V.|Waalhaven Zuidzijde %|3089 JH Rotterdam, The Netherlands", "Van Hoorn Interieur B.V.|Industrieweg %|2382 NV Zoeterwoude"},
		"BE": {"Maison Delvaux-Lambert SA|Chaussée de Louvain %|1380 Lasne, Belgique"},
		"FR": {"Comptoir Normand de Distribution|% quai Colbert|76600 Le Havre, France", "Arts de la Table Réunis SA|% avenue Jean Jaurès|69007 Lyon, France"},
		"GB": {"Thornbury Garden & Home PLC|Unit %, Severn Way Estate|Bristol BS35 2AA, United Kingdom", "A.J. Pickersgill (Wholesale) Limited|% Otley Road|Leeds LS16 5PU, England"},
		"CA": {"Quincaillerie Beauharnois inc.|% boul. Monseigneur-Langlois|Salaberry-de-Valleyfield QC J6S 0B2", "Lakeshore Mercantile Ltd.|% Evans Avenue|Etobicoke, ON M8Z 1K2, Canada"},
		"MX": {"Ferreterías del Pacífico, S.A. de C.V.|Av. Vallarta % Pte.|44110 Guadalajara, Jalisco, México"},
		"CL": {"Comercial Los Andes SpA|Av. Apoquindo %, oficina 902|Las Condes, Santiago, Chile"},
		"PE": {"Importaciones Miraflores S.R.L.|Jr. Cusco % - Lima 1|Perú"},
		"CO": {"Distribuidora Caribe y Cía. S.A.S.|Calle 30 No. 17-%|Cartagena, Colombia"},
		"ES": {"Hogar y Menaje Ibérico, S.L.|Calle de la Marina, %|08013 Barcelona, España"},
		"IN": {"Deccan Power Tools Private Limited|% Mount Road, Guindy|Chennai 600032, India", "Saurashtra Engineering Stores|GIDC Estate, Plot %|Rajkot 360003, Gujarat"},
		"IT": {"Casa Moderna Distribuzione S.p.A.|Corso Sempione %|20154 Milano, Italia"},
		"KR": {"Dongbaek Household Co., Ltd.|%, Haeundae-ro|Busan 48094, Korea"},
	}
	clearers = map[string][]string{
		"US": {"Castellano Brokerage Services|% Airport Freeway|Irving, TX 75062", "J. R. Whitcomb & Associates CHB|% Battery Place|New York, NY 10004"},
		"DE": {"Zollhaus Petersen KG|Brooktorkai %|20457 Hamburg"}, "NL": {"Van der Plas Douane-expediteurs|Albert Plesmanweg %|3088 GC Rotterdam"},
		"BE": {"Douanekantoor Scheldezicht|Kaai %|2000 Antwerpen"}, "FR": {"Transit Lemarchand & Fils|% rue de Prony|76600 Le Havre"},
		"GB": {"Solent Entry Services Ltd|% Canute Road|Southampton SO14 3FJ"}, "CA": {"Courtiers en douane Tessier|% rue McGill|Montréal QC H2Y 2E2"},
		"MX": {"Agencia Aduanal Robledo, S.C.|Calle Niños Héroes %|Manzanillo, Colima"}, "CL": {"Agencia de Aduanas Urrutia|Blanco %|Valparaíso"},
		"PE": {"Agentes de Aduana Chalacos SAC|Av. Sáenz Peña %|Callao"}, "CO": {"Agencia de Aduanas Getsemaní|Manga, Cra. 20 No. %|Cartagena"},
		"ES": {"Aduanas Puig i Serra, S.L.|Moll de Barcelona %|08039 Barcelona"}, "IN": {"Lakshmi Clearing & Forwarding Agency|% Linghi Chetty Street|Chennai 600001"},
		"IT": {"Spedizioni Doganali Carbone|Via di Francia %|16149 Genova"}, "KR": {"Yeongdo Customs Office|%, Daegyo-ro|Busan"},
	}
	agents = map[string][]string{
		"US": {"Sandpiper Liner Services (USA) Inc.|% Harbor Plaza, 14th Floor|Long Beach, CA 90802", "Chesapeake Vessel Agency Co.|% Pratt Street|Baltimore, MD 21202"},
		"DE": {"Alsterlinie Schiffsmaklerei GmbH|Katharinenstraße %|20457 Hamburg"}, "NL": {"Maashaven Cargadoors B.V.|Boompjes %|3011 XB Rotterdam"},
		"BE": {"Agence Maritime de l'Escaut NV|Sint-Paulusplaats %|2000 Antwerpen"}, "FR": {"Consignation du Perrey|% boulevard Clemenceau|76600 Le Havre"},
		"GB": {"Itchen Port Agency Ltd|% Queens Terrace|Southampton SO14 3BP"}, "CA": {"Agence maritime Bonsecours|% rue de la Commune|Montréal QC H2Y 2C6"},
		"MX": {"Consignataria Colima|Av. Teniente Azueta %|Manzanillo"}, "CL": {"Agencia Naviera Placeres|Errázuriz %|Valparaíso"}, "PE": {"Naviera Chucuito|Av. Contralmirante Mora %|Callao"},
		"CO": {"Agencia Marítima Bocagrande|Bocagrande, Cra. 3 No. %|Cartagena"}, "ES": {"Consignaciones Montjuïc, S.A.|Passeig de Colom %|08002 Barcelona"},
		"IN": {"Marina Beach Shipping Agencies Pvt Ltd|% Second Line Beach|Chennai 600001", "Parry's Corner Maritime Agents|% Armenian Street|Chennai 600001"},
		"IT": {"Agenzia Marittima Lanterna|Piazza Caricamento %|16124 Genova"}, "KR": {"Oryukdo Shipping|%, Jungang-daero|Busan"},
	}
	shippers = map[string][]string{
		"CN": {"Jade Anchor Logistics (Shenzhen) Ltd.|Room %, Shennan East Road 5002|Shenzhen 518008", "Eastern Gull Int'l Freight Co., Ltd.|% Zhongshan East Road|Ningbo 315040"},
		"VN": {"Red River Forwarding JSC|% Dien Bien Phu|Hai Phong"}, "KR": {"Taebaek Freight System|%, Choryang-dong|Busan"}, "IN": {"Kaveri Consol Lines Pvt Ltd|% Moor Street|Chennai 600001"},
		"TH": {"Golden Naga Cargo Co., Ltd.|% Rama IV Road|Bangkok 10110"}, "BR": {"Transcarga Paulista Agenciamento Ltda.|Rua XV de Novembro, %|Santos - SP"},
		"DE": {"Spedition Lüders & Brandt GmbH|Am Kaiserkai %|20457 Hamburg", "Hanse-Consol Seefracht GmbH|Überseeallee %|20457 Hamburg"}, "IT": {"Levante Spedizioni S.r.l.|Via Milano %|16126 Genova"},
		"FR": {"Transitaires Réunis de la Manche|% rue Lord Kitchener|76600 Le Havre"}, "ES": {"Transitaria Llobregat, S.A.|Calle 60, nº %, ZAL|08040 Barcelona"}, "BE": {"Scheldt Consolidation NV|Italiëlei %|2000 Antwerpen"},
		"MX": {"Fletes Marítimos Occidente|Av. México %|Manzanillo"}, "CL": {"Cargas Andinas SpA|Cochrane %|Valparaíso"}, "PE": {"Operadores Logísticos Rímac|Av. Gamarra %|Callao"}, "CO": {"Carga Heroica S.A.S.|Av. Pedro de Heredia No. %|Cartagena"},
	}
	hauliers = map[string][]string{
		"US": {"Blue Mesa Intermodal LLC|% E. Sepulveda Blvd|Carson, CA 90745", "Yellowhammer Port Trucking Co.|% Grange Road|Port Wentworth, GA 31407"},
		"NL": {"Transportbedrijf Kuipers B.V.|Reeweg %|3199 KZ Maasvlakte"}, "DE": {"Containerspedition Ohlsen GmbH|Köhlbranddeich %|20457 Hamburg"},
		"BE": {"Transport Claes|Haven %|2030 Antwerpen"}, "FR": {"Transports Duhamel|% route du Môle|76600 Le Havre"}, "GB": {"Test Valley Haulage Ltd|Unit %, Nursling|Southampton"}, "CA": {"Camionnage Lachine|% rue Notre-Dame|Lachine QC"},
		"MX": {"Autotransportes Colimota|Km % libre|Manzanillo"}, "CL": {"Transportes Peñuelas|Ruta 68 km %|Valparaíso"}, "PE": {"Transportes Ventanilla|Av. Néstor Gambetta %|Callao"}, "CO": {"Transportes Mamonal|Vía Mamonal km %|Cartagena"},
		"ES": {"Contenedores Penedès, S.L.|Polígono, nave %|08720 Vilafranca"}, "IN": {"Ennore Trailer Services|% Express Road|Chennai"}, "IT": {"Autotrasporti Voltri|Via Aurelia %|Genova"}, "KR": {"Gamman Trucking|%, Gamman-dong|Busan"},
	}
)
