"""Invented shipments of the first unseen part: ports, lines and SCACs are real, check digits are
right; companies, ships and numbers are invented.

Authors of rules do not open this package."""
import datetime
import random

# LOCODE: names as printed in English, in the language of the country, and the country.
PORTS = {
    "CNSHA": ("Shanghai", "上海", "China"), "CNNGB": ("Ningbo", "宁波", "China"), "CNYTN": ("Yantian", "盐田", "China"),
    "CNTAO": ("Qingdao", "青岛", "China"), "CNXMN": ("Xiamen", "厦门", "China"), "HKHKG": ("Hong Kong", "香港", "Hong Kong"),
    "SGSIN": ("Singapore", "新加坡", "Singapore"), "VNSGN": ("Ho Chi Minh City", "胡志明市", "Vietnam"), "VNHPH": ("Haiphong", "海防", "Vietnam"),
    "THLCH": ("Laem Chabang", "林查班", "Thailand"), "INNSA": ("Nhava Sheva", "那瓦西瓦", "India"), "INMUN": ("Mundra", "蒙德拉", "India"),
    "TRMER": ("Mersin", "梅尔辛", "Turkey"), "ITGOA": ("Genoa", "热那亚", "Italy"), "ITSPE": ("La Spezia", "拉斯佩齐亚", "Italy"),
    "ESVLC": ("Valencia", "瓦伦西亚", "Spain"), "ESBCN": ("Barcelona", "巴塞罗那", "Spain"), "ESALG": ("Algeciras", "阿尔赫西拉斯", "Spain"),
    "PTLEI": ("Leixoes", "莱肖埃斯", "Portugal"), "FRLEH": ("Le Havre", "勒阿弗尔", "France"), "DEHAM": ("Hamburg", "汉堡", "Germany"),
    "DEBRV": ("Bremerhaven", "不来梅港", "Germany"), "NLRTM": ("Rotterdam", "鹿特丹", "Netherlands"), "BEANR": ("Antwerp", "安特卫普", "Belgium"),
    "GBFXT": ("Felixstowe", "费利克斯托", "United Kingdom"), "GBSOU": ("Southampton", "南安普顿", "United Kingdom"),
    "USLAX": ("Los Angeles", "洛杉矶", "USA"), "USLGB": ("Long Beach", "长滩", "USA"), "USNYC": ("New York", "纽约", "USA"),
    "USSAV": ("Savannah", "萨凡纳", "USA"), "USHOU": ("Houston", "休斯顿", "USA"), "USORF": ("Norfolk", "诺福克", "USA"),
    "USCHS": ("Charleston", "查尔斯顿", "USA"), "USOAK": ("Oakland", "奥克兰", "USA"), "USSEA": ("Seattle", "西雅图", "USA"),
    "CAVAN": ("Vancouver", "温哥华", "Canada"), "MXZLO": ("Manzanillo", "曼萨尼约", "Mexico"), "MXVER": ("Veracruz", "韦拉克鲁斯", "Mexico"),
    "BRSSZ": ("Santos", "桑托斯", "Brazil"), "BRPNG": ("Paranagua", "巴拉那瓜", "Brazil"), "CLSAI": ("San Antonio", "圣安东尼奥", "Chile"),
    "PECLL": ("Callao", "卡亚俄", "Peru"), "COCTG": ("Cartagena", "卡塔赫纳", "Colombia"), "ARBUE": ("Buenos Aires", "布宜诺斯艾利斯", "Argentina"),
    "ZADUR": ("Durban", "德班", "South Africa"), "KEMBA": ("Mombasa", "蒙巴萨", "Kenya"), "AUSYD": ("Sydney", "悉尼", "Australia"),
    "AUMEL": ("Melbourne", "墨尔本", "Australia"), "JPYOK": ("Yokohama", "横滨", "Japan"), "JPUKB": ("Kobe", "神户", "Japan"),
    "KRPUS": ("Busan", "釜山", "South Korea"), "TWKHH": ("Kaohsiung", "高雄", "Taiwan"),
    "USCHI": ("Chicago", "芝加哥", "USA"), "USDAL": ("Dallas", "达拉斯", "USA"), "USMEM": ("Memphis", "孟菲斯", "USA"), "USATL": ("Atlanta", "亚特兰大", "USA"),
    "DEMUC": ("Munich", "慕尼黑", "Germany"), "DEDUI": ("Duisburg", "杜伊斯堡", "Germany"), "CHBSL": ("Basel", "巴塞尔", "Switzerland"),
}
STATE = {"USLAX": "CA", "USLGB": "CA", "USNYC": "NY", "USSAV": "GA", "USHOU": "TX", "USORF": "VA", "USCHS": "SC", "USOAK": "CA",
         "USSEA": "WA", "USCHI": "IL", "USDAL": "TX", "USMEM": "TN", "USATL": "GA"}
LOCAL = {
    "de": {"ITGOA": "Genua", "BEANR": "Antwerpen", "CNSHA": "Schanghai", "DEMUC": "München", "SGSIN": "Singapur", "HKHKG": "Hongkong"},
    "fr": {"FRLEH": "Le Havre", "ITGOA": "Gênes", "BEANR": "Anvers", "DEHAM": "Hambourg", "SGSIN": "Singapour", "ESBCN": "Barcelone", "ESVLC": "Valence"},
    "es": {"ITGOA": "Génova", "BEANR": "Amberes", "DEHAM": "Hamburgo", "SGSIN": "Singapur", "CNSHA": "Shanghái", "NLRTM": "Róterdam"},
    "it": {"ITGOA": "Genova", "BEANR": "Anversa", "DEHAM": "Amburgo", "ESBCN": "Barcellona", "USNYC": "New York"},
    "pt": {"BEANR": "Antuérpia", "DEHAM": "Hamburgo", "ITGOA": "Gênova", "CNSHA": "Xangai", "BRPNG": "Paranaguá", "NLRTM": "Roterdã", "SGSIN": "Singapura"},
    "nl": {"BEANR": "Antwerpen", "FRLEH": "Le Havre", "ITGOA": "Genua"},
}
LOCALCOUNTRY = {
    "de": {"China": "China", "Germany": "Deutschland", "Italy": "Italien", "USA": "USA"},
}

# name, SCAC, form of a bill's number, prefixes of containers
LINES = [
    ("MAERSK A/S", "MAEU", "#########", ("MSKU", "MRKU", "MRSU", "TCLU")),
    ("MSC MEDITERRANEAN SHIPPING COMPANY S.A.", "MSCU", "MEDU@@######", ("MSCU", "MEDU", "MSDU", "TGHU")),
    ("CMA CGM S.A.", "CMDU", "@@@#######", ("CMAU", "TCNU", "CGMU", "SEGU")),
    ("HAPAG-LLOYD AG", "HLCU", "HLCU@@@##########", ("HLXU", "HLBU", "UACU", "TCKU")),
    ("OCEAN NETWORK EXPRESS PTE. LTD.", "ONEY", "ONEY@@@@########", ("NYKU", "TCLU", "KKTU", "ONEU")),
    ("EVERGREEN LINE", "EGLV", "EGLV############", ("EGHU", "EITU", "EMCU", "TEMU")),
    ("COSCO SHIPPING LINES CO., LTD.", "COSU", "COSU##########", ("CSNU", "CBHU", "CCLU", "FCIU")),
    ("ORIENT OVERSEAS CONTAINER LINE", "OOLU", "OOLU##########", ("OOLU", "OOCU", "TRHU")),
    ("YANG MING MARINE TRANSPORT CORP.", "YMLU", "YMLU@#########", ("YMLU", "YMMU", "TLLU")),
    ("ZIM INTEGRATED SHIPPING SERVICES LTD.", "ZIMU", "ZIMU@@@########", ("ZIMU", "ZCSU", "CAIU")),
    ("HMM CO., LTD.", "HDMU", "HDMU@@@@########", ("HMMU", "HDMU", "KOCU", "DFSU")),
]
SHIPS = ["OLIVE MERIDIAN", "NORTHERN CURLEW", "MSC ORSINA II", "PACIFIC LANTERN", "CONTI TREVOSE", "EVER MARLOW", "BREMEN SPARROW",
         "GANGES PIONEER", "HARBOUR OF VIGO", "SEASPAN ORMOND", "CAP SANDRO", "YM WILLOW", "TIAN SHUN HE", "ANTHEA Y", "MARE CALEDONIUM",
         "SALVADOR BRIDGE", "OOCL TAMAR", "HYUNDAI MERIT", "KOTA LEMBAH", "ATLANTIC KESTREL", "WAN HAI 742", "ZIM LARNACA", "MAERSK TORNBY"]

COMPANIES = {
    "China": [("NINGBO HUARUI HARDWARE CO., LTD.", "NO. 88 QIANHU ROAD", "YINZHOU DISTRICT, NINGBO 315100", "宁波华瑞五金有限公司"),
              ("XIAMEN SUNVALE STONE IMP. & EXP. CO., LTD.", "UNIT 1204, HAICHENG BUILDING", "HULI DISTRICT, XIAMEN 361006", "厦门尚谷石材进出口有限公司"),
              ("QINGDAO LANTIAN RUBBER PRODUCTS CO., LTD.", "12 CHANGJIANG EAST ROAD", "HUANGDAO, QINGDAO 266500", "青岛蓝天橡胶制品有限公司"),
              ("SHANGHAI BOYUE LIGHTING TECHNOLOGY CO., LTD.", "BLDG 5, 1888 HUQINGPING HIGHWAY", "QINGPU, SHANGHAI 201702", "上海博悦照明科技有限公司"),
              ("SHENZHEN KAIWEI ELECTRONICS CO., LTD.", "4/F, BLOCK C, FUYONG INDUSTRIAL PARK", "BAO'AN, SHENZHEN 518103", "深圳凯威电子有限公司")],
    "Vietnam": [("THANH BINH WOODEN FURNITURE JSC", "LOT D7, SONG THAN 3 INDUSTRIAL ZONE", "BINH DUONG PROVINCE"),
                ("MEKONG DELTA SEAFOOD CORPORATION", "45 HUNG VUONG STREET", "CAN THO CITY")],
    "India": [("VARDHAN HOME TEXTILES PVT. LTD.", "PLOT 214, GIDC ESTATE, VAPI", "GUJARAT 396195"),
              ("COROMANDEL SPICES AND OILS LTD.", "17 ANNA SALAI", "CHENNAI 600002")],
    "Turkey": [("EGESEL SERAMIK SAN. VE TIC. A.S.", "ORGANIZE SANAYI BOLGESI 3. CADDE NO: 41", "45030 MANISA")],
    "Thailand": [("SIAM ORCHARD CANNING CO., LTD.", "99/4 MOO 6, SUKHUMVIT ROAD", "CHONBURI 20230")],
    "Germany": [("Brückner & Sohn Werkzeugbau GmbH", "Industriestraße 44", "42551 Velbert"), ("Nordwind Getränke Import GmbH", "Am Sandtorkai 71", "20457 Hamburg"),
                ("Talheim Medizintechnik AG", "Robert-Koch-Str. 9", "78532 Tuttlingen"), ("Elbtal Maschinenfabrik GmbH & Co. KG", "Fabrikweg 3", "01445 Radebeul")],
    "Italy": [("CERAMICHE MONTEVERDI S.P.A.", "VIA RADICI IN PIANO 218", "41049 SASSUOLO (MO)"), ("OLEIFICIO SAN BRIZIO S.R.L.", "STRADA STATALE 16 KM 802", "70056 MOLFETTA (BA)"),
              ("RUBINETTERIE VALSESIANE S.R.L.", "VIA INDUSTRIA 7", "28021 BORGOMANERO (NO)")],
    "Spain": [("AZULEJOS PEÑAGOLOSA, S.L.", "CTRA. VILA-REAL KM 4,5", "12110 ALCORA (CASTELLÓN)"), ("CONSERVAS RÍA DE AROUSA, S.A.", "POLÍGONO DE TRABANCA 15", "36600 VILAGARCÍA"),
              ("BODEGAS TIERRA PARDA, S.A.", "AVDA. DE LA RIOJA 2", "26300 NÁJERA")],
    "France": [("ÉTABLISSEMENTS GAUDREAU SARL", "18 rue des Tonneliers", "33300 Bordeaux"), ("VERRERIE DU VIMEU SAS", "Zone industrielle Nord", "80210 Feuquières"),
               ("LABORATOIRES OCÉALIS", "4 avenue Jean Monnet", "29200 Brest")],
    "Netherlands": [("Van Rossem Bloembollen B.V.", "Heereweg 310", "2161 BV Lisse"), ("De Graaf Zuivel Export B.V.", "Nijverheidsweg 12", "3771 ME Barneveld")],
    "Portugal": [("CORTICEIRA DO VOUGA, LDA.", "RUA DA ESTAÇÃO 77", "4520-475 SANTA MARIA DA FEIRA"), ("TÊXTIL ALVARINHO S.A.", "AV. DE GUIMARÃES 1200", "4760-108 FAMALICÃO")],
    "United Kingdom": [("Pennard Garden Supplies Ltd", "Unit 6, Orwell Trade Park", "Ipswich IP3 0AX"), ("Harrowgate & Finch Ltd", "23 Canal Street", "Manchester M1 3HE")],
    "USA": [("BLUE HERON HOME GOODS LLC", "1450 COMMERCE PARKWAY", "SAVANNAH, GA 31408"), ("TRAILHEAD OUTFITTERS INC.", "7720 NE 33RD DRIVE", "PORTLAND, OR 97211"),
            ("MIDLAND FASTENER SUPPLY CO.", "900 W PERSHING ROAD", "CHICAGO, IL 60609"), ("CASA LUPE FOODS INC.", "2218 E 8TH STREET", "LOS ANGELES, CA 90021"),
            ("GULF BAYOU TRADING CORP.", "5100 CLINTON DRIVE", "HOUSTON, TX 77020"), ("HUDSON & BOWERY LIGHTING INC.", "88 PROVOST STREET", "BROOKLYN, NY 11222")],
    "Canada": [("FRASER VALLEY KITCHENS LTD.", "19288 22ND AVENUE", "SURREY, BC V3Z 3S6")],
    "Mexico": [("IMPORTADORA DEL BAJÍO S.A. DE C.V.", "BLVD. AEROPUERTO 1402", "37295 LEÓN, GTO.")],
    "Brazil": [("COMERCIAL SERRA AZUL LTDA.", "RUA XV DE NOVEMBRO 900", "11010-151 SANTOS - SP"), ("METALÚRGICA IPIRANGA S.A.", "AV. DAS NAÇÕES 4100", "83408-280 COLOMBO - PR")],
    "Chile": [("VIÑA ALTO COLCHAGUA S.A.", "CAMINO LA LAJUELA S/N", "SANTA CRUZ, REGIÓN DE O'HIGGINS")],
    "Peru": [("AGROINDUSTRIAL VALLE MOCHE S.A.C.", "CAR. PANAMERICANA NORTE KM 558", "TRUJILLO")],
    "Colombia": [("CAFÉ SIERRA CLARA S.A.S.", "CALLE 30 # 12-45", "CARTAGENA")],
    "Argentina": [("MOLINOS DEL SALADO S.R.L.", "RUTA 11 KM 465", "SANTA FE")],
    "South Africa": [("UMHLANGA TOOLS (PTY) LTD", "22 PRINCE AVENUE", "DURBAN 4001")],
    "Kenya": [("RIFT HIGHLANDS TEA EXPORTERS LTD", "MOI AVENUE, P.O. BOX 8112", "MOMBASA 80100")],
    "Australia": [("Murrumba Outdoor Pty Ltd", "41 Grand Junction Road", "Wingfield SA 5013"), ("BASS STRAIT PROVEDORES PTY LTD", "8 SALMON STREET", "PORT MELBOURNE VIC 3207")],
    "Japan": [("KAWAMOTO SEIKI CO., LTD.", "2-14-8 SHINMACHI, NISHI-KU", "YOKOHAMA 220-0011")],
    "South Korea": [("DAERIM PRECISION CO., LTD.", "77 NOKSANSANDAN 335-RO", "GANGSEO-GU, BUSAN 46752")],
    "Taiwan": [("FORMOSA CYCLE PARTS CO., LTD.", "NO. 301, SEC. 2, ZHONGSHAN ROAD", "CHANGHUA 500")],
    "Belgium": [("Chocolaterie Vandermeersch NV", "Gentsesteenweg 210", "9300 Aalst")],
    "Poland": [("MEBLE KASZUBY SP. Z O.O.", "UL. PRZEMYSŁOWA 8", "83-300 KARTUZY")],
    "Switzerland": [("Uhrwerk Jurasüd AG", "Bielstrasse 19", "4500 Solothurn")],
    "Singapore": [("STRAITS PROVISION PTE LTD", "21 PANDAN ROAD #04-02", "SINGAPORE 609273")],
    "Hong Kong": [("LION ROCK SOURCING LIMITED", "RM 1803, WING FAT CENTRE", "KWUN TONG, KOWLOON", "狮子山采购有限公司")],
}
FORWARDERS = {
    "China": [("SINO HARBOUR LOGISTICS CO., LTD.", "RM 2306, HUAIHAI TOWER", "SHANGHAI 200021", "中港联运物流有限公司"), ("EASTFERRY INT'L FREIGHT (SHENZHEN) LTD.", "18/F JINGJI PLAZA", "LUOHU, SHENZHEN 518001", "东渡国际货运（深圳）有限公司")],
    "Germany": [("Hansakontor Spedition GmbH", "Große Elbstraße 145", "22767 Hamburg"), ("Rhein-Ruhr Seefracht GmbH", "Vinckeweg 20", "47119 Duisburg")],
    "Italy": [("TIRRENO SPEDIZIONI INTERNAZIONALI S.R.L.", "VIA DI FRANCIA 28", "16149 GENOVA")],
    "Spain": [("TRANSITARIOS LEVANTE MAR, S.L.", "MUELLE DE LA ADUANA S/N", "46024 VALENCIA")],
    "France": [("NORMANDIE TRANSIT MARITIME SA", "62 quai de Southampton", "76600 Le Havre")],
    "Netherlands": [("Maaskade Forwarding B.V.", "Waalhaven Z.z. 19", "3088 HH Rotterdam")],
    "USA": [("COPPERLINE GLOBAL FORWARDING INC.", "615 N NASH STREET, SUITE 204", "EL SEGUNDO, CA 90245"), ("PALMETTO OCEAN SERVICES LLC", "4000 FABER PLACE DRIVE", "NORTH CHARLESTON, SC 29405"), ("KEYSTONE LINER AGENCIES INC.", "33 WOOD AVENUE SOUTH", "ISELIN, NJ 08830")],
    "United Kingdom": [("Stourbank Freight Ltd", "Trelawny House, The Dock", "Felixstowe IP11 3TB")],
    "Brazil": [("ATLÂNTICO SUL AGENCIAMENTO LTDA.", "PRAÇA DA REPÚBLICA 62, SALA 81", "11013-010 SANTOS - SP")],
    "Portugal": [("DOURO TRANSITÁRIOS, LDA.", "RUA DE BRITO CAPELO 598", "4450-068 MATOSINHOS")],
    "Mexico": [("CARGA PACÍFICO FORWARDING S.A. DE C.V.", "AV. MANZANILLO 36", "28200 MANZANILLO, COL.")],
    "Singapore": [("TANJONG CARGO SYSTEMS PTE LTD", "7 KEPPEL ROAD #02-11", "SINGAPORE 089053")],
    "India": [("KONKAN FREIGHT CARRIERS PVT. LTD.", "302 TRADE STAR, ANDHERI KURLA ROAD", "MUMBAI 400059")],
    "Australia": [("Southern Cross Cargo Co. Pty Ltd", "12 Footscray Road", "West Melbourne VIC 3003")],
    "Chile": [("ANDES CARGO AGENTES S.A.", "AV. BARROS LUCO 1613", "SAN ANTONIO")],
    "Belgium": [("Scheldt Gate Expeditie NV", "Noorderlaan 147", "2030 Antwerpen")],
    "Hong Kong": [("HARBOUR CITY CONSOLIDATORS LTD.", "25/F, TOWER 2, GATEWAY ROAD", "TSIM SHA TSUI, KOWLOON", "海港城集运有限公司")],
}
TRUCKERS = {
    "USA": [("SADDLE RIDGE DRAYAGE LLC", "1800 W ANAHEIM STREET", "WILMINGTON, CA 90744"), ("LOWCOUNTRY CARTAGE INC.", "12 HORIZON DRIVE", "PORT WENTWORTH, GA 31407"), ("BLUEGRASS INTERMODAL CO.", "211 DOREMUS AVENUE", "NEWARK, NJ 07105")],
    "Germany": [("Container-Trucking Harms GmbH", "Dradenaustraße 5", "21129 Hamburg")], "Netherlands": [("Vos & Zn. Containertransport B.V.", "Reeweg 25", "3088 KA Rotterdam")],
    "Italy": [("AUTOTRASPORTI FRATELLI PESCE S.N.C.", "LUNGOMARE CANEPA 51", "16149 GENOVA")], "United Kingdom": [("Deben Haulage Ltd", "Blofield Road", "Felixstowe IP11 4XG")],
    "Australia": [("Westgate Container Carriers Pty Ltd", "77 Dock Link Road", "West Melbourne VIC 3003")], "Belgium": [("Transport De Clippele BV", "Scheldelaan 300", "2040 Antwerpen")],
}
TERMINALS = {
    "USLAX": [("WEST BASIN CONTAINER TERMINAL", "Y773")], "USLGB": [("LONG BEACH CONTAINER TERMINAL", "W183")], "USNYC": [("PORT NEWARK CONTAINER TERMINAL", "E365")],
    "USSAV": [("GARDEN CITY TERMINAL", "L317")], "USHOU": [("BARBOURS CUT TERMINAL", "S787")], "USCHS": [("WANDO WELCH TERMINAL", "N502")], "USOAK": [("OAKLAND INTERNATIONAL TERMINAL", "Z985")],
    "USSEA": [("TERMINAL 18", "X252")], "USORF": [("NORFOLK INTERNATIONAL TERMINALS", "M215")],
    "DEHAM": [("HHLA Container Terminal Burchardkai", "")], "DEBRV": [("NTB North Sea Terminal", "")], "NLRTM": [("ECT Delta Terminal", ""), ("APM Terminals Maasvlakte II", "")],
    "BEANR": [("MPET Kaai 1742", "")], "GBFXT": [("Trinity Terminal", "")], "GBSOU": [("DP World Southampton", "")], "ITGOA": [("PSA Genova Pra'", "")], "ITSPE": [("La Spezia Container Terminal", "")],
    "ESVLC": [("CSP Iberian Valencia Terminal", "")], "ESBCN": [("BEST Muelle Prat", "")], "FRLEH": [("Terminal de France", "")], "AUMEL": [("Swanson Dock East", "")], "AUSYD": [("Patrick Port Botany", "")],
    "BRSSZ": [("BTP Brasil Terminal Portuário", "")], "MXZLO": [("CONTECON Manzanillo", "")], "PTLEI": [("TCL Leixões", "")], "CLSAI": [("STI San Antonio Terminal", "")], "CAVAN": [("DELTAPORT", "")],
}
DEPOTS = ["HARBOR GATE CHASSIS & CONTAINER YARD", "GREENWAY EMPTY PARK", "MULTIPORT DEPOT NORTH", "CONGLOBAL ANNEX 4", "DELTA CONTAINER SERVICE DEPOT"]
GOODS = {
    "China": [("LED CEILING PANEL 600X600 40W", "9405.11"), ("STAINLESS STEEL HINGE 4 INCH", "8302.10"), ("GRANITE SLAB POLISHED 20MM", "6802.93"), ("RUBBER CONVEYOR BELT EP200", "4010.12"), ("BLUETOOTH SPEAKER BS-210", "8518.22"), ("PLASTIC STORAGE BOX 45L", "3924.90")],
    "Vietnam": [("ACACIA GARDEN TABLE", "9403.60"), ("FROZEN PANGASIUS FILLET", "0304.62"), ("BAMBOO STOOL", "9401.52")],
    "India": [("COTTON BATH TOWEL 70X140", "6302.60"), ("BLACK PEPPER WHOLE 500 G/L", "0904.11")], "Turkey": [("GLAZED WALL TILE 30X60", "6907.21")],
    "Thailand": [("CANNED PINEAPPLE SLICES IN SYRUP", "2008.20")], "Germany": [("TORQUE WRENCH SET 20-200 NM", "8204.11"), ("HYDRAULIC PRESS SPARE PARTS", "8466.94"), ("SURGICAL SCISSORS", "9018.90")],
    "Italy": [("PORCELAIN STONEWARE TILES 60X120", "6907.21"), ("EXTRA VIRGIN OLIVE OIL 1 L", "1509.20"), ("BRASS BASIN MIXER", "8481.80")], "Spain": [("CANNED MUSSELS IN PICKLED SAUCE", "1605.53"), ("RED WINE RIOJA 0.75 L", "2204.21"), ("CERAMIC FLOOR TILES", "6907.21")],
    "France": [("GLASS PERFUME BOTTLE 50 ML", "7010.90"), ("RED WINE BORDEAUX 0.75 L", "2204.21"), ("MARINE COLLAGEN POWDER", "3504.00")], "Netherlands": [("TULIP BULBS", "0601.10"), ("GOUDA CHEESE WHEELS", "0406.90")],
    "Portugal": [("NATURAL CORK STOPPERS 45X24", "4503.10"), ("BED LINEN PRINTED COTTON", "6302.21")], "United Kingdom": [("GARDEN HAND FORK", "8201.10"), ("LAWN SEED MIXTURE", "1209.29")],
    "USA": [("HEX CAP SCREW 1/2-13", "7318.15"), ("PECAN HALVES", "0802.99"), ("USED CORRUGATED PAPER", "4707.10")], "Canada": [("MAPLE CABINET DOORS", "9403.91")], "Mexico": [("TEQUILA REPOSADO 0.75 L", "2208.90")],
    "Brazil": [("ROASTED COFFEE BEANS", "0901.21"), ("CAST IRON PIPE FITTING", "7307.11")], "Chile": [("CABERNET SAUVIGNON 0.75 L", "2204.21")], "Peru": [("CANNED ASPARAGUS", "2005.60")], "Colombia": [("GREEN COFFEE BEANS EXCELSO", "0901.11")],
    "Argentina": [("SUNFLOWER SEED FLOUR", "1208.90")], "South Africa": [("PICK AXE WITH HANDLE", "8201.30")], "Kenya": [("BLACK TEA BP1", "0902.40")], "Australia": [("CAMPING SWAG DOUBLE", "6306.29")],
    "Japan": [("LATHE CHUCK 8 INCH", "8466.20")], "South Korea": [("BALL BEARING 6204", "8482.10")], "Taiwan": [("BICYCLE CHAIN 11-SPEED", "7315.11")], "Belgium": [("CHOCOLATE PRALINES ASSORTED", "1806.90")],
    "Singapore": [("FISH CRACKERS", "1905.90")], "Hong Kong": [("PLUSH TOY BEAR", "9503.00")], "Switzerland": [("WATCH MOVEMENTS", "9108.11")], "Poland": [("PINE BOOKCASE", "9403.60")],
}
# Chinese names of goods, for papers in Chinese
GOODSZH = {"LED CEILING PANEL 600X600 40W": "LED面板灯", "STAINLESS STEEL HINGE 4 INCH": "不锈钢合页", "GRANITE SLAB POLISHED 20MM": "花岗岩板", "RUBBER CONVEYOR BELT EP200": "橡胶输送带",
           "BLUETOOTH SPEAKER BS-210": "蓝牙音箱", "PLASTIC STORAGE BOX 45L": "塑料收纳箱"}
PACKS = ["CARTONS", "PALLETS", "CASES", "BAGS", "PACKAGES"]
TYPES = [("40HC", 27500, 68), ("20GP", 21000, 28), ("40GP", 26000, 58), ("40HC", 27500, 68), ("20RF", 19000, 24), ("40RH", 26500, 60)]

ROUTES = [  # origin country, port of lading, discharge, destination country, delivery
    ("China", "CNSHA", "USLAX", "USA", "USLAX"), ("China", "CNNGB", "DEHAM", "Germany", "DEMUC"), ("China", "CNYTN", "GBFXT", "United Kingdom", "GBFXT"),
    ("China", "CNXMN", "USSAV", "USA", "USATL"), ("China", "CNTAO", "BRSSZ", "Brazil", "BRSSZ"), ("China", "CNSHA", "NLRTM", "Netherlands", "NLRTM"),
    ("China", "CNNGB", "MXZLO", "Mexico", "MXZLO"), ("China", "CNYTN", "ESVLC", "Spain", "ESVLC"), ("China", "CNSHA", "ITGOA", "Italy", "ITGOA"),
    ("China", "CNTAO", "FRLEH", "France", "FRLEH"), ("China", "CNSHA", "CLSAI", "Chile", "CLSAI"), ("China", "CNNGB", "USLGB", "USA", "USCHI"),
    ("Vietnam", "VNSGN", "USOAK", "USA", "USOAK"), ("Vietnam", "VNHPH", "DEBRV", "Germany", "DEBRV"), ("Vietnam", "VNSGN", "AUMEL", "Australia", "AUMEL"),
    ("India", "INNSA", "USNYC", "USA", "USNYC"), ("India", "INMUN", "GBSOU", "United Kingdom", "GBSOU"), ("India", "INNSA", "ZADUR", "South Africa", "ZADUR"),
    ("Turkey", "TRMER", "USHOU", "USA", "USDAL"), ("Thailand", "THLCH", "BEANR", "Belgium", "BEANR"), ("Germany", "DEHAM", "USCHS", "USA", "USCHS"),
    ("Germany", "DEHAM", "CNSHA", "China", "CNSHA"), ("Italy", "ITGOA", "USNYC", "USA", "USNYC"), ("Italy", "ITSPE", "AUSYD", "Australia", "AUSYD"),
    ("Italy", "ITGOA", "BRSSZ", "Brazil", "BRSSZ"), ("Spain", "ESVLC", "USSAV", "USA", "USATL"), ("Spain", "ESBCN", "MXVER", "Mexico", "MXVER"),
    ("Spain", "ESALG", "COCTG", "Colombia", "COCTG"), ("France", "FRLEH", "USNYC", "USA", "USNYC"), ("France", "FRLEH", "SGSIN", "Singapore", "SGSIN"),
    ("Netherlands", "NLRTM", "KRPUS", "South Korea", "KRPUS"), ("Netherlands", "NLRTM", "JPYOK", "Japan", "JPYOK"), ("Portugal", "PTLEI", "BRSSZ", "Brazil", "BRSSZ"),
    ("Portugal", "PTLEI", "USNYC", "USA", "USNYC"), ("Brazil", "BRPNG", "PTLEI", "Portugal", "PTLEI"), ("Brazil", "BRSSZ", "USHOU", "USA", "USHOU"),
    ("Chile", "CLSAI", "NLRTM", "Netherlands", "NLRTM"), ("Peru", "PECLL", "ESBCN", "Spain", "ESBCN"), ("Colombia", "COCTG", "BEANR", "Belgium", "BEANR"),
    ("Argentina", "ARBUE", "ITGOA", "Italy", "ITGOA"), ("Kenya", "KEMBA", "GBFXT", "United Kingdom", "GBFXT"), ("Japan", "JPUKB", "USSEA", "USA", "USCHI"),
    ("South Korea", "KRPUS", "CAVAN", "Canada", "CAVAN"), ("Taiwan", "TWKHH", "DEHAM", "Germany", "DEDUI"), ("USA", "USHOU", "DEBRV", "Germany", "DEBRV"),
    ("USA", "USSAV", "CNNGB", "China", "CNNGB"), ("United Kingdom", "GBFXT", "AUMEL", "Australia", "AUMEL"), ("Taiwan", "TWKHH", "FRLEH", "France", "FRLEH"),
    ("Singapore", "SGSIN", "NLRTM", "Netherlands", "NLRTM"), ("Hong Kong", "HKHKG", "USLGB", "USA", "USMEM"), ("China", "CNXMN", "PTLEI", "Portugal", "PTLEI"),
]


def digits(r, n):
    return "".join(r.choice("0123456789") for _ in range(n))


def form(r, pattern):
    return "".join(r.choice("0123456789") if c == "#" else r.choice("ABCDEGHJKLMNPRSTUVXYZ") if c == "@" else c for c in pattern)


def container(r, prefixes):
    values, v = {}, 10
    for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
        values[c] = v
        v += 1
        if v % 11 == 0:
            v += 1
    while True:
        n = r.choice(prefixes) + digits(r, 6)
        total = sum((values[c] if c.isalpha() else int(c)) << i for i, c in enumerate(n))
        if total % 11 < 10:
            return n + str(total % 11)


def imo(r):
    n = "9" + digits(r, 5)
    return n + str(sum(int(c) * w for c, w in zip(n, range(7, 1, -1))) % 10)


def company(r, table, country):
    rows = table.get(country) or table["USA"]
    c = r.choice(rows)
    return {"name": c[0], "lines": [c[1], c[2]], "zh": c[3] if len(c) > 3 else "", "country": country if country in table else "USA"}


class Shipment:
    """One invented shipment; every paper about it takes its values from here."""

    def __init__(self, seed, route=None, boxes=None, origin=None, destination=None, size=None):
        r = self.r = random.Random(seed)
        fit = [x for x in ROUTES if (not origin or x[0] == origin) and (not destination or x[3] == destination)]
        self.origin, self.pol, self.pod, self.destination, self.delivery = route or r.choice(fit)
        self.receipt = self.pol
        self.line, self.scac, pattern, prefixes = r.choice(LINES)
        self.bl = form(r, pattern)
        self.booking = form(r, r.choice(["#########", "@@@#######", "##########"]))
        self.shipper = company(r, COMPANIES, self.origin)
        self.consignee = company(r, COMPANIES, self.destination)
        self.fwd_origin = company(r, FORWARDERS, self.origin)
        self.fwd = company(r, FORWARDERS, self.destination)
        self.trucker = company(r, TRUCKERS, self.destination)
        self.hbl = form(r, r.choice(["@@@@########", "@@@######", "@@#########", "@@@@@@######"]))
        self.vessel, self.imo = r.choice(SHIPS), imo(r)
        self.voyage = form(r, r.choice(["###W", "###E", "FA###R", "@@###S", "##@#N", "####-###"]))
        self.etd = datetime.date(2026, 1, 8) + datetime.timedelta(days=r.randrange(300))
        self.eta = self.etd + datetime.timedelta(days=r.randrange(16, 38))
        self.lfd = self.eta + datetime.timedelta(days=r.randrange(4, 9))
        self.issue = self.etd + datetime.timedelta(days=r.randrange(0, 3))
        self.notice = self.eta - datetime.timedelta(days=r.randrange(3, 7))
        self.invoiced = self.etd - datetime.timedelta(days=r.randrange(5, 14))
        self.terminal, self.firms = r.choice(TERMINALS.get(self.pod, [("MULTIPURPOSE TERMINAL 2", "")]))
        self.pickup = form(r, r.choice(["######", "PU#####", "@###-####"]))
        self.depot = r.choice(DEPOTS)
        self.pack = r.choice(PACKS)
        self.po = form(r, r.choice(["PO-#####", "45########", "@@-####"]))
        self.inv = form(r, r.choice(["INV-2026-####", "@@26/####", "########", "26@@####"]))
        self.term = r.choice(["FOB", "CIF", "EXW", "CFR", "FCA", "DAP"])
        self.currency = "EUR" if self.origin in ("Germany", "Italy", "Spain", "France", "Netherlands", "Portugal", "Belgium") else "USD"
        self.prepaid = r.random() < .6
        goods = GOODS.get(self.origin) or GOODS["China"]
        count = boxes or r.choice([1, 1, 2, 2, 3, 4])
        self.goods = r.sample(goods, min(len(goods), r.choice([1, 2, 3])))
        kind = TYPES[size] if size is not None else r.choice(TYPES)
        self.boxes = []
        for _ in range(count):
            code, most, room = kind if r.random() < .8 else TYPES[0]
            self.boxes.append({"number": container(r, prefixes), "seal": form(r, r.choice(["@@#######", "#######", "@@@#####"])), "type": code,
                               "packages": r.randrange(80, 1400), "kg": r.randrange(most * 50, most * 98) / 100 if r.random() < .5 else r.randrange(most // 2, most),
                               "m3": round(r.uniform(room * .6, room * .97), r.choice([1, 2, 3]))})
        self.lines = []
        for name, hs in self.goods:
            q = r.randrange(20, 900) * r.choice([1, 5, 10])
            price = round(r.uniform(1.2, 95), 2)
            kg = round(q * r.uniform(.4, 2.5), 1)
            self.lines.append({"name": name, "hs": hs, "qty": q, "unit": r.choice(["PCS", "SETS", "CTN", "KGS", "M2"]), "price": price, "amount": round(q * price, 2),
                               "ctn": max(1, q // r.choice([4, 6, 10])), "net": kg, "gross": round(kg * 1.08, 1), "m3": round(kg * .004 + .1, 2)})
        self.total = round(sum(x["amount"] for x in self.lines), 2)

    def days(self, base, n):
        return base + datetime.timedelta(days=n)
