"""Data of shipments, and the recorder of the truth."""
import random, re, datetime as dt, html

CARRIERS = {
 'MSC': dict(name='MSC Mediterranean Shipping Company S.A.', scac='MSCU', bl=lambda r,p:'MEDU'+r.choice(['FX','XB','HQ'])+dig(r,6), bk=lambda r,p:'EBKG'+dig(r,8), pre=['MSCU','MEDU','MSDU'], ag='MSC', addr=['12-14 Chemin Rieu','1208 Geneva, Switzerland']),
 'MAERSK': dict(name='Maersk A/S', scac='MAEU', bl=lambda r,p:'2'+dig(r,8), bk=lambda r,p:'2'+dig(r,8), pre=['MRKU','MSKU','MRSU'], ag='Maersk Line', addr=['Esplanaden 50','1263 Copenhagen K, Denmark']),
 'CMA': dict(name='CMA CGM S.A.', scac='CMDU', bl=lambda r,p:p[2:]+dig(r,7), bk=lambda r,p:p[2:]+dig(r,7), pre=['CMAU','CGMU','ECMU'], ag='CMA CGM', addr=['Boulevard Jacques Saade, 4 quai d\'Arenc','13235 Marseille Cedex 02, France']),
 'HAPAG': dict(name='Hapag-Lloyd Aktiengesellschaft', scac='HLCU', bl=lambda r,p:'HLCU'+p[2:]+'26'+dig(r,2)+let(r,2)+dig(r,3), bk=lambda r,p:dig(r,8), pre=['HLXU','HLBU','UACU'], ag='Hapag-Lloyd', addr=['Ballindamm 25','20095 Hamburg, Germany']),
 'ONE': dict(name='Ocean Network Express Pte. Ltd.', scac='ONEY', bl=lambda r,p:'ONEY'+p[2:]+'G'+dig(r,8), bk=lambda r,p:p[2:]+'G'+dig(r,8), pre=['ONEU','TCNU','KKFU'], ag='Ocean Network Express', addr=['7 Straits View, #16-01 Marina One East Tower','Singapore 018936']),
 'EVERGREEN': dict(name='Evergreen Marine Corp. (Taiwan) Ltd.', scac='EGLV', bl=lambda r,p:'EGLV'+dig(r,12), bk=lambda r,p:dig(r,12), pre=['EGHU','EITU','EMCU'], ag='Evergreen Line', addr=['No. 163, Sec. 1, Hsin-Nan Road','Luchu District, Taoyuan City 33858, Taiwan']),
 'COSCO': dict(name='COSCO SHIPPING Lines Co., Ltd.', scac='COSU', bl=lambda r,p:'COSU6'+dig(r,9), bk=lambda r,p:'6'+dig(r,9), pre=['CSNU','CCLU','CSLU'], ag='COSCO SHIPPING Lines', addr=['No. 378 Dong Da Ming Road','Shanghai 200080, China']),
 'YM': dict(name='Yang Ming Marine Transport Corporation', scac='YMLU', bl=lambda r,p:'YMLUI'+dig(r,9), bk=lambda r,p:'I'+dig(r,9), pre=['YMLU','YMMU'], ag='Yang Ming', addr=['271 Ming De 1st Road, Cidu District','Keelung 20646, Taiwan']),
 'HMM': dict(name='HMM Co., Ltd.', scac='HDMU', bl=lambda r,p:'HDMU'+p[2:]+let(r,1)+dig(r,8), bk=lambda r,p:p[2:]+let(r,1)+dig(r,8), pre=['HMMU','HDMU'], ag='HMM', addr=['108, Yeoui-daero, Yeongdeungpo-gu','Seoul 07335, Korea']),
 'ZIM': dict(name='ZIM Integrated Shipping Services Ltd.', scac='ZIMU', bl=lambda r,p:'ZIMU'+p[2:]+dig(r,7), bk=lambda r,p:'ZIMU'+p[2:]+dig(r,6), pre=['ZIMU','ZCSU'], ag='ZIM', addr=['9 Andrei Sakharov Street','Haifa 3190500, Israel']),
 'WANHAI': dict(name='Wan Hai Lines Ltd.', scac='WHLC', bl=lambda r,p:'0'+dig(r,2)+r.choice('ABCDE')+dig(r,6), bk=lambda r,p:'0'+dig(r,2)+'G'+dig(r,6), pre=['WHLU','WHSU'], ag='Wan Hai Lines', addr=['10F., No. 136, Sung Chiang Road','Taipei 10417, Taiwan']),
 'OOCL': dict(name='Orient Overseas Container Line Limited', scac='OOLU', bl=lambda r,p:'OOLU2'+dig(r,9), bk=lambda r,p:'2'+dig(r,9), pre=['OOLU','OOCU'], ag='OOCL', addr=['25 Harbour Road','Wan Chai, Hong Kong']),
}
def dig(r,n): return ''.join(r.choice('0123456789') for _ in range(n))
def let(r,n): return ''.join(r.choice('ABCDEFGHJKLMNPRSTUVWXY') for _ in range(n))

PORTS = { # country: ports (locode, name), inland (locode, name), country name
 'CN': ([('CNSHA','Shanghai'),('CNNGB','Ningbo'),('CNYTN','Yantian'),('CNTAO','Qingdao'),('CNXMN','Xiamen')], [('CNHGH','Hangzhou'),('CNDGG','Dongguan')], 'China'),
 'US': ([('USLAX','Los Angeles'),('USLGB','Long Beach'),('USSAV','Savannah'),('USNYC','New York'),('USHOU','Houston'),('USORF','Norfolk'),('USCHS','Charleston')], [('USCHI','Chicago'),('USMEM','Memphis'),('USATL','Atlanta'),('USDAL','Dallas'),('USCMH','Columbus')], 'United States'),
 'DE': ([('DEHAM','Hamburg'),('DEBRV','Bremerhaven')], [('DEMUC','München'),('DENUE','Nürnberg'),('DESTR','Stuttgart')], 'Germany'),
 'NL': ([('NLRTM','Rotterdam')], [('NLVEN','Venlo'),('NLTLB','Tilburg')], 'Netherlands'),
 'BE': ([('BEANR','Antwerp')], [('BELGG','Liège')], 'Belgium'),
 'FR': ([('FRLEH','Le Havre'),('FRFOS','Fos-sur-Mer')], [('FRLYS','Lyon'),('FRLIO','Lille')], 'France'),
 'ES': ([('ESVLC','Valencia'),('ESBCN','Barcelona'),('ESALG','Algeciras')], [('ESMAD','Madrid'),('ESZAZ','Zaragoza')], 'Spain'),
 'IT': ([('ITGOA','Genova'),('ITSPE','La Spezia'),('ITLIV','Livorno')], [('ITMIL','Milano'),('ITBLQ','Bologna')], 'Italy'),
 'PT': ([('PTLIS','Lisboa'),('PTLEI','Leixões'),('PTSIE','Sines')], [('PTBGZ','Braga')], 'Portugal'),
 'BR': ([('BRSSZ','Santos'),('BRPNG','Paranaguá'),('BRITJ','Itajaí')], [('BRCPQ','Campinas'),('BRCWB','Curitiba')], 'Brazil'),
 'MX': ([('MXVER','Veracruz'),('MXZLO','Manzanillo')], [('MXQRO','Querétaro'),('MXMTY','Monterrey')], 'Mexico'),
 'CL': ([('CLSAI','San Antonio'),('CLVAP','Valparaíso')], [('CLSCL','Santiago')], 'Chile'),
 'PE': ([('PECLL','Callao')], [('PELIM','Lima')], 'Peru'),
 'VN': ([('VNHPH','Haiphong'),('VNCMT','Cai Mep')], [('VNHAN','Hanoi')], 'Vietnam'),
 'IN': ([('INNSA','Nhava Sheva'),('INMUN','Mundra')], [('INTKD','Tughlakabad'),('INAMD','Ahmedabad')], 'India'),
 'KR': ([('KRPUS','Busan')], [('KRSEL','Seoul')], 'South Korea'),
 'TW': ([('TWKHH','Kaohsiung'),('TWKEL','Keelung')], [('TWTPE','Taipei')], 'Taiwan'),
 'TR': ([('TRIZM','Izmir'),('TRMER','Mersin')], [('TRDNZ','Denizli')], 'Turkey'),
 'GB': ([('GBFXT','Felixstowe'),('GBSOU','Southampton'),('GBLGP','London Gateway')], [('GBBHM','Birmingham'),('GBLEE','Leeds')], 'United Kingdom'),
 'CA': ([('CAVAN','Vancouver'),('CAHAL','Halifax'),('CAMTR','Montreal')], [('CATOR','Toronto'),('CACAL','Calgary')], 'Canada'),
 'AU': ([('AUSYD','Sydney'),('AUMEL','Melbourne')], [], 'Australia'),
 'SG': ([('SGSIN','Singapore')], [], 'Singapore'),
 'ID': ([('IDJKT','Jakarta'),('IDSUB','Surabaya')], [], 'Indonesia'),
}
FIRMS_ = {
 'CN': [('Ningbo Tidewell Housewares Co., Ltd.',['No. 88 Xingye Road, Beilun District','Ningbo 315800, China']),('Shanghai Larkrise Machinery Imp. & Exp. Co., Ltd.',['Room 1602, 379 Zhangyang Road, Pudong','Shanghai 200120, China']),('Xiamen Stoneplum Ceramics Co., Ltd.',['Building 5, 21 Haicang Avenue','Xiamen, Fujian 361026, China']),('Qingdao Hexian Tyre Co., Ltd.',['177 Jiangshan South Road','Qingdao 266555, China']),('Dongguan Brightloom Lighting Co., Ltd.',['3rd Floor, Block C, Chang\'an Industrial Park','Dongguan 523850, China'])],
 'US': [('Cobble Hill Outfitters LLC',['4410 W. Fulton Street','Chicago, IL 60624, USA']),('Palisade Home Goods, Inc.',['1775 Harbor Bay Pkwy, Suite 210','Alameda, CA 94502, USA']),('Tallgrass Equipment Corp.',['900 Commerce Park Drive','Memphis, TN 38118, USA']),('Blue Heron Importers Inc.',['55 Railroad Avenue','Savannah, GA 31401, USA']),('Ironwood Supply Company',['12600 Westheimer Road','Houston, TX 77077, USA'])],
 'DE': [('Rieckhoff Armaturen GmbH',['Gewerbestraße 14','70565 Stuttgart, Deutschland']),('Veltkamp Maschinenbau GmbH & Co. KG',['Am Hafendamm 3','28217 Bremen, Deutschland']),('Ostermoor Handelsgesellschaft mbH',['Wendenstraße 211','20537 Hamburg, Deutschland'])],
 'NL': [('Van der Zwaag Bloembollen B.V.',['Hoofdweg-Oostzijde 1048','2144 KA Beinsdorp, Nederland']),('Polderzicht Foods B.V.',['Waalhaven O.z. 77','3087 BM Rotterdam, Nederland'])],
 'BE': [('Scheldeborg Chocolaterie NV',['Noorderlaan 133','2030 Antwerpen, België'])],
 'FR': [('Maison Vauquelin & Fils SAS',['17, rue des Tonneliers','33300 Bordeaux, France']),('Ateliers Boisrond SARL',['ZI de la Plaine, 8 avenue Ampère','69800 Saint-Priest, France']),('Comptoir Normand d\'Importation SA',['112, quai Frissard','76600 Le Havre, France'])],
 'ES': [('Azulejos Montserat, S.L.',['Polígono Industrial Sur, parcela 24','12200 Onda (Castellón), España']),('Aceites Sierra Quemada, S.A.',['Carretera de Cabra, km 3,5','14900 Lucena (Córdoba), España']),('Importaciones Levante Norte, S.L.',['Calle de la Marina 45','46011 Valencia, España'])],
 'IT': [('Ceramiche Valdoria S.p.A.',['Via Radici in Piano 312','41049 Sassuolo (MO), Italia']),('Pastificio Torrebianca S.r.l.',['Via dei Mulini 9','80054 Gragnano (NA), Italia']),('Officine Meccaniche Brenzoni S.r.l.',['Via Emilia Ovest 88','40132 Bologna, Italia'])],
 'PT': [('Corticeira Vale do Sado, S.A.',['Rua da Ribeira 210','4535-334 Santa Maria de Lamas, Portugal']),('Conservas Mar de Prata, Lda.',['Avenida da Beira-Mar 51','4450-718 Matosinhos, Portugal'])],
 'BR': [('Café Serra do Caparão Exportadora Ltda.',['Rua XV de Novembro, 85','11010-151 Santos, SP, Brasil']),('Madeireira Araucária do Sul S.A.',['Rodovia BR-277, km 12','83010-500 São José dos Pinhais, PR, Brasil'])],
 'MX': [('Grupo Agavero del Bajío, S.A. de C.V.',['Av. 5 de Febrero 1325','76120 Querétaro, Qro., México']),('Comercializadora Tres Cumbres, S.A. de C.V.',['Blvd. Díaz Mirón 904','91910 Veracruz, Ver., México'])],
 'CL': [('Viña Cerro Lampazo S.A.',['Camino a Pirque 4500','9480000 Santiago, Chile'])],
 'PE': [('Agroexportadora Pampa Dorada S.A.C.',['Av. Argentina 3093','Callao 07001, Perú'])],
 'VN': [('Hai Long Furniture Joint Stock Company',['Lot C7, Nam Dinh Vu Industrial Zone','Hai Phong, Vietnam']),('Saigon Delta Garment Co., Ltd.',['118/4 Nguyen Van Linh Street, District 7','Ho Chi Minh City, Vietnam'])],
 'IN': [('Kaveri Textiles Private Limited',['Plot 42, GIDC Estate, Vatva','Ahmedabad 382445, Gujarat, India']),('Deccan Spice Exports Pvt. Ltd.',['7-1-22 Begumpet Main Road','Hyderabad 500016, India'])],
 'KR': [('Daewon Polytech Co., Ltd.',['27, Noksansandan 232-ro, Gangseo-gu','Busan 46752, Korea'])],
 'TW': [('Formosan Precision Fasteners Co., Ltd.',['No. 66, Bengong 1st Road, Gangshan District','Kaohsiung 82059, Taiwan'])],
 'TR': [('Akdemir Mermer Sanayi A.S.',['Organize Sanayi Bolgesi, 5. Cadde No. 18','20330 Denizli, Turkey'])],
 'GB': [('Harrowgate Garden Supplies Ltd',['Unit 9, Trent Lane Business Park','Nottingham NG2 4DS, United Kingdom']),('Pennine & Dale Cycles Limited',['41 Kirkstall Road','Leeds LS3 1LH, United Kingdom'])],
 'CA': [('Maple Ridge Lumber Ltd.',['2300 Lougheed Highway','Maple Ridge, BC V2X 2T1, Canada'])],
 'AU': [('Southern Cross Rural Pty Ltd',['18 Parramatta Road','Homebush NSW 2140, Australia'])],
 'SG': [('Straits Marlow Trading Pte Ltd',['10 Anson Road, #22-08','Singapore 079903'])],
 'ID': [('PT Rimba Kelapa Nusantara',['Jl. Raya Cakung Cilincing No. 12','Jakarta 14140, Indonesia'])],
}
FWD = {
 'US': [('Quayside Logistics, Inc.',['880 Apollo Street, Suite 300','El Segundo, CA 90245, USA']),('Northfork Forwarding LLC',['1 Raritan Plaza III','Edison, NJ 08837, USA'])],
 'CN': [('Shanghai Graceway Int\'l Logistics Co., Ltd.',['18F, 1088 Yuanshen Road, Pudong','Shanghai 200122, China']),('Shenzhen Farhorizon Freight Co., Ltd.',['2708 Jiabei Road, Luohu','Shenzhen 518001, China'])],
 'DE': [('Kaischuppen Spedition GmbH',['Am Sandtorkai 50','20457 Hamburg, Deutschland'])],
 'FR': [('Transit Cap d\'Antifer SAS',['24, rue Jules Lecesne','76600 Le Havre, France'])],
 'ES': [('Tránsitos Puerta del Turia, S.L.',['Av. del Puerto 312','46024 Valencia, España'])],
 'IT': [('Spedizioni Lanternino S.r.l.',['Via di Francia 28','16149 Genova, Italia'])],
 'NL': [('Maasoever Expeditie B.V.',['Albert Plesmanweg 151','3088 GC Rotterdam, Nederland'])],
 'PT': [('Atlântida Transitários, Lda.',['Rua do Ouro 88','4150-553 Porto, Portugal'])],
 'BR': [('Baía Norte Agenciamento de Cargas Ltda.',['Rua Amador Bueno, 333','11013-153 Santos, SP, Brasil'])],
 'GB': [('Orwell & Stour Shipping Ltd',['Trelawny House, The Dock','Felixstowe IP11 3TF, United Kingdom'])],
 'MX': [('Aduanas y Fletes Cofre S.C.',['Landero y Cos 75','91700 Veracruz, Ver., México'])],
 'VN': [('Red River Cargo Services Co., Ltd.',['22 Ly Tu Trong Street','Hai Phong, Vietnam'])],
 'IN': [('Malabar Crest Logistics Pvt. Ltd.',['Unit 504, Maker Chambers V, Nariman Point','Mumbai 400021, India'])],
 'CL': [('Andes Costa Logística SpA',['Blanco 1199','2340000 Valparaíso, Chile'])],
 'PE': [('Andes Costa Logística SpA',['Blanco 1199','2340000 Valparaíso, Chile'])],
 'KR': [('Yeongdo Marine Agency Co., Ltd.',['15 Jungang-daero','Busan 48939, Korea'])],
 'CA': [('Laurier Gateway Forwarding Inc.',['400 Place d\'Youville','Montreal, QC H2Y 2B6, Canada'])],
}
GOODS = [ # key, hs, unit, package, names by language
 dict(hs='732393', u='PCS', pk='CARTONS', en='Stainless steel cookware sets', es='Juegos de ollas de acero inoxidable', fr='Batteries de cuisine en acier inoxydable', de='Kochgeschirr aus Edelstahl', it='Pentole in acciaio inossidabile', nl='Roestvrijstalen kookgerei', pt='Conjuntos de panelas de aço inoxidável', zh='不锈钢炊具套装', w=3.2, pr=18.4),
 dict(hs='940360', u='PCS', pk='CARTONS', en='Oak bedside tables', es='Mesitas de noche de roble', fr='Tables de chevet en chêne', de='Nachttische aus Eiche', it='Comodini in rovere', nl='Eiken nachtkastjes', pt='Mesas de cabeceira de carvalho', zh='橡木床头柜', w=14, pr=61),
 dict(hs='848180', u='PCS', pk='PALLETS', en='Brass ball valves DN25', es='Válvulas de bola de latón DN25', fr='Robinets à boisseau en laiton DN25', de='Messing-Kugelhähne DN25', it='Valvole a sfera in ottone DN25', nl='Messing kogelkranen DN25', pt='Válvulas de esfera de latão DN25', zh='黄铜球阀DN25', w=.6, pr=5.35),
 dict(hs='690721', u='M2', pk='PALLETS', en='Glazed porcelain floor tiles 60x60', es='Baldosas de porcelánico esmaltado 60x60', fr='Carreaux de sol en grès cérame 60x60', de='Glasierte Bodenfliesen 60x60', it='Piastrelle in gres porcellanato 60x60', nl='Geglazuurde vloertegels 60x60', pt='Ladrilhos de porcelanato 60x60', zh='釉面瓷质地砖60x60', w=21, pr=8.9),
 dict(hs='150920', u='L', pk='CARTONS', en='Extra virgin olive oil in bottles', es='Aceite de oliva virgen extra embotellado', fr='Huile d\'olive vierge extra en bouteilles', de='Natives Olivenöl extra in Flaschen', it='Olio extra vergine di oliva in bottiglie', nl='Extra vierge olijfolie in flessen', pt='Azeite virgem extra em garrafas', zh='特级初榨橄榄油（瓶装）', w=1.4, pr=7.15),
 dict(hs='090111', u='KG', pk='BAGS', en='Green coffee beans arabica', es='Café verde arábica en grano', fr='Café vert arabica en grains', de='Rohkaffee Arabica', it='Caffè verde arabica in grani', nl='Ongebrande arabica koffiebonen', pt='Café arábica verde em grão', zh='阿拉比卡生咖啡豆', w=1.02, pr=4.62),
 dict(hs='401110', u='PCS', pk='BUNDLES', en='Radial passenger car tyres 205/55R16', es='Neumáticos radiales 205/55R16', fr='Pneumatiques radiaux 205/55R16', de='Radialreifen 205/55R16', it='Pneumatici radiali 205/55R16', nl='Radiaalbanden 205/55R16', pt='Pneus radiais 205/55R16', zh='子午线轿车轮胎205/55R16', w=9.5, pr=31.2),
 dict(hs='610910', u='PCS', pk='CARTONS', en='Knitted cotton T-shirts', es='Camisetas de algodón de punto', fr='T-shirts en coton tricoté', de='T-Shirts aus Baumwolle, gewirkt', it='Magliette di cotone a maglia', nl='Gebreide katoenen T-shirts', pt='Camisetas de algodão de malha', zh='针织棉T恤', w=.19, pr=3.1),
 dict(hs='220421', u='BOT', pk='CASES', en='Red wine in bottles of 75 cl', es='Vino tinto en botellas de 75 cl', fr='Vin rouge en bouteilles de 75 cl', de='Rotwein in Flaschen zu 75 cl', it='Vino rosso in bottiglie da 75 cl', nl='Rode wijn in flessen van 75 cl', pt='Vinho tinto em garrafas de 75 cl', zh='红葡萄酒75厘升瓶装', w=1.3, pr=4.85),
 dict(hs='841370', u='SETS', pk='CRATES', en='Centrifugal pumps with motor', es='Bombas centrífugas con motor', fr='Pompes centrifuges avec moteur', de='Kreiselpumpen mit Motor', it='Pompe centrifughe con motore', nl='Centrifugaalpompen met motor', pt='Bombas centrífugas com motor', zh='离心泵（带电机）', w=46, pr=412.5),
 dict(hs='940511', u='PCS', pk='CARTONS', en='LED ceiling lamps 24W', es='Lámparas LED de techo 24W', fr='Plafonniers LED 24W', de='LED-Deckenleuchten 24W', it='Plafoniere LED 24W', nl='LED-plafondlampen 24W', pt='Luminárias LED de teto 24W', zh='LED吸顶灯24W', w=.9, pr=6.75),
 dict(hs='871200', u='UNITS', pk='CARTONS', en='City bicycles 28 inch', es='Bicicletas de ciudad de 28 pulgadas', fr='Vélos de ville 28 pouces', de='Citybikes 28 Zoll', it='Biciclette da città 28 pollici', nl='Stadsfietsen 28 inch', pt='Bicicletas urbanas de 28 polegadas', zh='28寸城市自行车', w=17, pr=118),
 dict(hs='450310', u='MIL', pk='BALES', en='Natural cork stoppers', es='Tapones de corcho natural', fr='Bouchons en liège naturel', de='Naturkorken', it='Tappi di sughero naturale', nl='Natuurkurken', pt='Rolhas de cortiça natural', zh='天然软木塞', w=4.1, pr=98),
]
PK = {'es':dict(CARTONS='CAJAS',PALLETS='PALETAS',BAGS='SACOS',BUNDLES='ATADOS',CASES='CAJAS',CRATES='JAULAS',BALES='FARDOS'),
 'fr':dict(CARTONS='CARTONS',PALLETS='PALETTES',BAGS='SACS',BUNDLES='FARDEAUX',CASES='CAISSES',CRATES='CAISSES',BALES='BALLES'),
 'de':dict(CARTONS='KARTONS',PALLETS='PALETTEN',BAGS='SÄCKE',BUNDLES='BÜNDEL',CASES='KISTEN',CRATES='KISTEN',BALES='BALLEN'),
 'it':dict(CARTONS='CARTONI',PALLETS='PALLET',BAGS='SACCHI',BUNDLES='FASCI',CASES='CASSE',CRATES='CASSE',BALES='BALLE'),
 'nl':dict(CARTONS='DOZEN',PALLETS='PALLETS',BAGS='ZAKKEN',BUNDLES='BUNDELS',CASES='KISTEN',CRATES='KRATTEN',BALES='BALEN'),
 'pt':dict(CARTONS='CAIXAS',PALLETS='PALETES',BAGS='SACOS',BUNDLES='FEIXES',CASES='CAIXAS',CRATES='ENGRADADOS',BALES='FARDOS'),
 'zh':dict(CARTONS='纸箱 CARTONS',PALLETS='托盘 PALLETS',BAGS='袋 BAGS',BUNDLES='捆 BUNDLES',CASES='箱 CASES',CRATES='木箱 CRATES',BALES='包 BALES')}
PREF = {'BR':[5,1],'ES':[3,4,8],'IT':[3,4,9],'FR':[8],'PT':[12,4,8],'DE':[2,9],'CN':[0,1,6,10,7],'VN':[1,7],'IN':[7,0],'CL':[8],'PE':[5],'NL':[11,9],'TW':[2,11],'KR':[6,10],'MX':[5,0],'US':[9,2],'TR':[3,7],'GB':[11],'CA':[9],'ID':[1]}
VES = ['ALDERNEY TRADER','CAPE VALERIAN','SEAGRASS EXPRESS','ORION MERIDIAN','LUCIA TANGENT','NORTHERN PETREL','CORAL SABINA','BAY OF ARDEN','ELISE FORTUNA','TASMAN QUILL','HALCYON STRAIT','PORT MARLOWE','GANNET BRIDGE','VIOLET PASSAGE','AMBERLEY','STELLA PELORUS','KESTREL BAY','OLIVIA HORN']
TERM = {'US':[('Pier 7 Container Terminal','Y712'),('Harborfront Marine Terminal','W185'),('Gulfgate Terminal Berth 4','S394')],'DE':[('Containerterminal Finkenwerder Ost',None)],'FR':[('Terminal des Dunes',None)],'ES':[('Terminal Muelle Nuevo',None)],'IT':[('Terminal Ponente Sei',None)],'NL':[('Maasduin Terminal',None)],'PT':[('Terminal Doca Norte',None)],'BR':[('Terminal Ilha Verde',None)],'MX':[('Terminal Bahía Norte',None)],'GB':[('Landguard East Terminal',None)],'CL':[('Terminal Espigón Sur',None)],'CA':[('Section 74 Terminal',None)],'CN':[('Meidong Container Terminal Phase II',None)]}
TRUCK = {'US':[('Redtail Drayage Inc.',['2200 E. Anaheim Street','Wilmington, CA 90744, USA']),('Two Rivers Trucking LLC',['310 Dock Road','Port Newark, NJ 07114, USA'])],'DE':[('Elbmarsch Transporte GmbH',['Köhlbranddeich 8','20457 Hamburg, Deutschland'])],'FR':[('Transports Lemesnil SARL',['Route du Pont VII','76600 Le Havre, France'])],'ES':[('Transportes Albufera, S.L.',['Camí del Port 19','46470 Massanassa, España'])],'IT':[('Autotrasporti Ferrando S.n.c.',['Via Borzoli 41','16153 Genova, Italia'])],'NL':[('Botlek Trucking B.V.',['Seattleweg 9','3195 ND Pernis, Nederland'])],'PT':[('Rodocais Transportes, Lda.',['Via Longitudinal 6','4455-001 Perafita, Portugal'])],'BR':[('Transportadora Serramar Ltda.',['Av. Nossa Senhora de Fátima, 720','11085-202 Santos, SP, Brasil'])],'MX':[('Autofletes Jarocho, S.A. de C.V.',['Carretera Xalapa km 8','91697 Veracruz, Ver., México'])],'GB':[('Suffolk Box Haulage Ltd',['Nacton Road','Ipswich IP10 0LE, United Kingdom'])]}
CUR = {'CN':'USD','US':'USD','DE':'EUR','FR':'EUR','ES':'EUR','IT':'EUR','NL':'EUR','PT':'EUR','BE':'EUR','BR':'USD','MX':'USD','VN':'USD','IN':'USD','GB':'GBP','CL':'USD','PE':'USD','KR':'USD','TW':'USD','TR':'EUR','CA':'CAD','AU':'AUD','SG':'SGD','ID':'USD'}
# spelling of sizes: code -> notations
SZ = {'20GP':["20GP","20'DV","20' DRY","22G1","20' ST","20 ft Standard"],'40GP':["40GP","40'DV","40' DRY","42G1","40' ST","40 ft Standard"],'40HC':["40HC","40'HC","40' HQ","45G1","40' HIGH CUBE","40 ft High Cube"],'40RH':["40RH","40'RH","40' HC REEFER","45R1","40' REEFER HIGH CUBE","40 ft Reefer High Cube"],'20RF':["20RF","20'RF","20' REEFER","22R1","20' REEFER","20 ft Reefer"],'40OT':["40OT","40'OT","40' OPEN TOP","42U1","40' OPEN TOP","40 ft Open Top"]}

def ccheck(p):
    v={c:i for i,c in zip([10]+list(range(12,22))+list(range(23,33))+list(range(34,39)),'ABCDEFGHIJKLMNOPQRSTUVWXYZ')}
    s=sum((v[c] if c.isalpha() else int(c))*2**i for i,c in enumerate(p))
    return s%11%10
def cno(r,pre):
    p=r.choice(pre+['TCLU','TGHU','BMOU','SEGU']) if r.random()<.3 else r.choice(pre)
    while 1:
        n=p+dig(r,6)
        v=ccheck(n)
        return n+str(v)

class S: pass
def ship(seed,o,d,car=None,n=None,reefer=False,inland=None,lines=None):
    r=random.Random('u6-%s'%seed); s=S(); s.r=r; s.o=o; s.d=d
    s.ck=car or r.choice(list(CARRIERS)); c=CARRIERS[s.ck]; s.car=c
    s.pol=r.choice(PORTS[o][0]); s.pod=r.choice(PORTS[d][0])
    s.por=r.choice(PORTS[o][1]) if PORTS[o][1] and r.random()<.4 else s.pol
    inl=inland if inland is not None else r.random()<.4
    s.dlv=r.choice(PORTS[d][1]) if PORTS[d][1] and inl else s.pod
    s.bl=c['bl'](r,s.pol[0]); s.bk=c['bk'](r,s.pol[0])
    s.hbl=r.choice(['GWL','FHF','QSL','NFK','KSP','OSS','TPT'])+s.pol[0][2:]+dig(r,r.choice([6,7,8]))
    s.shp=r.choice(FIRMS_[o]); s.cne=r.choice(FIRMS_[d]); 
    s.fo=r.choice(FWD.get(o) or FWD['CN']); s.fd=r.choice(FWD.get(d) or FWD['US']); s.ntf=s.fd
    s.ves=r.choice(VES); s.voy=r.choice(['%03dE'%r.randint(10,299),'%04dW'%r.randint(100,999),'FA%03dR'%r.randint(300,699),'%03dN'%r.randint(10,99),'0Q%02dS1MA'%r.randint(10,99)])
    im='9'+dig(r,5); s.imo=im+str(sum(int(x)*w for x,w in zip(im,range(7,1,-1)))%10)
    s.etd=dt.date(2026,r.randint(1,9),r.randint(1,28)); s.transit=r.randint(18,38); s.eta=s.etd+dt.timedelta(s.transit)
    s.g=GOODS[r.choice(PREF.get(o,range(13)))]
    s.goods=[s.g]+[x for x in r.sample(GOODS,5) if x is not s.g][:(lines or r.randint(2,4))-1]
    n=n or r.choice([1,1,1,2,2,3]); s.con=[]
    s.pkg=s.g['pk']
    for i in range(n):
        sz=r.choice(['40HC','40HC','40GP','20GP']) if not reefer else '40RH'
        k=r.randint(18,24) if s.pkg in('PALLETS','CRATES') else r.randint(180,1100)
        w=round(r.uniform(7800,21000) if sz=='20GP' else r.uniform(9000,24500),r.choice([0,1,2]))
        v=round(r.uniform(21,29.5) if sz=='20GP' else r.uniform(48,70),r.choice([2,3,3]))
        s.con.append(dict(no=cno(r,c['pre']),seal=r.choice(['','','ML','CN','SH','UL-','H'])+dig(r,r.choice([6,7,8])),sz=sz,k=k,w=w,v=v))
    s.tk=sum(x['k'] for x in s.con); s.tw=round(sum(x['w'] for x in s.con),2); s.tv=round(sum(x['v'] for x in s.con),3)
    s.nw=round(s.tw*.93)
    s.inv=r.choice(['INV-','','EX','CI/26/','26-','FA '])+dig(r,r.choice([5,6])); s.po=r.choice(['PO','','45','P-'])+dig(r,r.choice([5,7]))
    s.cur=CUR[o]; s.inc=r.choice(['FOB','CIF','CFR','FCA','CIP','EXW','DAP'])
    s.terms=r.choice(['prepaid','collect'])
    s.lines=[]
    for g in s.goods:
        q=r.randint(3,60)*20; p=round(g['pr']*r.uniform(.8,1.25),2)
        nw=round(q*g['w'],1); s.lines.append(dict(g=g,q=q,p=p,a=round(q*p,2),k=max(2,q//r.choice([10,20])),nw=nw,gw=round(nw*1.08+2,1),v=round(nw/260+.31,3)))
    s.tot=round(sum(l['a'] for l in s.lines),2)
    t=TERM.get(d) or [('Pier 3 Multipurpose Terminal',None)]
    s.term=r.choice(t); s.trk=r.choice(TRUCK.get(d) or TRUCK['US'])
    return s

MON={'en':'January February March April May June July August September October November December'.split(),
 'es':'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(),
 'fr':'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(),
 'de':'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(),
 'it':'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(),
 'nl':'januari februari maart april mei juni juli augustus september oktober november december'.split(),
 'pt':'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split()}

def canon(v):
    s=('%.4f'%float(v)).rstrip('0').rstrip('.'); return s
class D:
    """A document: what it prints, it records."""
    def __init__(self,typ,layout,lang='en',med='html',num=None,df=None):
        self.type=typ; self.layout=layout; self.lang=lang; self.med=med; self.f={}; self.un=[]; self.dates=[]
        self.numf=num or {'en':'1,234.5','zh':'1,234.5','es':'1.234,5','de':'1.234,5','it':'1.234,5','nl':'1.234,5','pt':'1.234,5','fr':'1 234,5'}[lang]
        self.df=df or {'en':'d-MMM-y','zh':'y-mm-dd','es':'dd/mm/y','de':'dd.mm.y','it':'dd/mm/y','nl':'dd-mm-y','pt':'dd/mm/y','fr':'dd/mm/y'}[lang]
        self.cur=None
    nl=property(lambda s:{'html':'<br>','tex':r'\\ ','txt':'\n','docx':'\n'}[s.med])
    def e(self,x):
        x=str(x)
        if self.med=='html': return html.escape(x,quote=False)
        if self.med=='tex':
            x=x.replace('\\','\\textbackslash ')
            return re.sub(r'([&%$#_{}])',r'\\\1',x).replace("'","\\textquotesingle{}" if False else "'").replace('~','\\textasciitilde ')
        return x
    def put(self,k,v):
        if self.cur is not None and k in self.cur[2]: self.cur[1][k]=v; return
        if k.startswith('-') or not k: return
        if k in self.f and self.f[k]!=v: raise Exception('%s: %s twice: %r %r'%(self.layout,k,self.f[k],v))
        self.f[k]=v
    # printers
    def num(self,k,v,show=None):
        self.put(k,re.sub(r'[^A-Z0-9]','',str(v).upper())); return self.e(show or v)
    def txt(self,k,v): self.put(k,v.strip()); return self.e(v)
    def prose(self,k,v,sep=None):
        L=v if isinstance(v,list) else [v]; self.put(k,' '.join(L)); return (sep or self.nl).join(self.e(x) for x in L)
    def pa(self,k,p,sep=None,up=False,nameonly=False,bold=False,split=False):
        n,a=p
        if split: a=[y.strip() for x in a for y in re.split(r', (?=[^,]*$)',x)]
        if up: n=n.upper(); a=[x.upper() for x in a]
        if nameonly: self.put(k,{'name':n}); return self.e(n)
        self.put(k,{'name':n,'address':', '.join(a)})
        nn=self.e(n)
        if bold: nn={'html':'<b>%s</b>','tex':r'\textbf{%s}'}.get(self.med,'%s')%nn
        return (sep or self.nl).join([nn]+[self.e(x) for x in a])
    def pl(self,k,p,st='n',show=None):
        self.put(k,p[0]); c=PORTS[p[0][:2]][2]
        x=show or {'n':p[1],'N':p[1].upper(),'nc':'%s, %s'%(p[1],c),'NC':('%s, %s'%(p[1],c)).upper(),'l':'%s (%s)'%(p[1],p[0]),'L':'%s %s'%(p[0],p[1].upper()),'c':p[0]}[st]
        return self.e(x)
    def date(self,k,d,df=None,time=None):
        df=df or self.df; L=self.lang if self.lang in MON else 'en'
        m=MON[L][d.month-1]
        val=d.isoformat()+('T'+time if time else '')
        rep=[('MMMM',m),('MMM',m[:3] if L=='en' else m[:3]),('mm','%02d'%d.month),('m',str(d.month)),('dd','%02d'%d.day),('d',str(d.day)),('yy','%02d'%(d.year%100)),('y',str(d.year))]
        if df=='MMMM d, y': x='%s %d, %d'%(m,d.day,d.year)
        elif df=='d MMMM y': x='%d %s %d'%(d.day,m,d.year)
        elif df=='d de MMMM de y': x='%d de %s de %d'%(d.day,m,d.year)
        elif df=='d. MMMM y': x='%d. %s %d'%(d.day,m,d.year)
        elif df=='d-MMM-y': x='%02d-%s-%d'%(d.day,m[:3].upper(),d.year)
        elif df=='dd MMM y': x='%02d %s %d'%(d.day,m[:3],d.year)
        elif df=='MMM. dd, y': x='%s. %02d, %d'%(m[:3].upper(),d.day,d.year)
        elif df=='ddMMMyy': x='%02d%s%02d'%(d.day,m[:3].upper(),d.year%100)
        elif df=='zh': x='%d年%d月%d日'%(d.year,d.month,d.day)
        elif df=='W': x=['Mon','Tue','Wed','Thu','Fri','Sat','Sun'][d.weekday()]+' %02d %s %d'%(d.day,m[:3],d.year)
        else:
            x=re.sub('y+|m+|d+',lambda q:{'y':'%d'%d.year,'yy':'%02d'%(d.year%100),'mm':'%02d'%d.month,'m':str(d.month),'dd':'%02d'%d.day,'d':str(d.day)}[q.group()],df)
        if re.match(r'\d',x) and re.match('[dm]+[-/. ]',df) and 'MMM' not in df: self.dates.append((k,d,val,self.cur))
        self.put(k,val)
        if time: x+=' '+time
        return self.e(x)
    def finish(self):
        if self.lang!='en' or not self.dates: return
        if any(d.day>12 for _,d,_,_ in self.dates): return
        for k,d,val,cur in self.dates:
            if not k or k.startswith('-') or d.day==d.month: continue
            o=d.replace(month=d.day,day=d.month); t=val[10:]
            self.f[k]={'either':sorted([val,o.isoformat()+t])}
        self.amb=True
    def n(self,v,dec=None):
        if dec is None: x=canon(v)
        else: x='%.*f'%(dec,v)
        i,_,f=x.partition('.'); i2='{:,}'.format(int(i)); 
        st=self.numf
        if st=='1,234.5': r=i2+('.'+f if f else '')
        elif st=='1.234,5': r=i2.replace(',','.')+(','+f if f else '')
        elif st=='1 234,5': r=i2.replace(',',' ')+(','+f if f else '')
        elif st=="1'234.5": r=i2.replace(',',"'")+('.'+f if f else '')
        else: r=i+('.'+f if f else '')
        return r
    def mass(self,k,v,dec=None,u=' KGS',unit='kg'):
        if unit=='lb': v=round(v*2.20462)
        if dec is not None: v=round(v,dec)
        self.put(k,canon(v)+' '+unit); return self.e(self.n(v,dec)+u)
    def vol(self,k,v,dec=None,u=' CBM',unit='m3'):
        if unit=='ft3': v=round(v*35.3147)
        if dec is not None: v=round(v,dec)
        self.put(k,canon(v)+' '+unit); return self.e(self.n(v,dec)+u)
    def qty(self,k,v,u='',show=None):
        self.put(k,canon(v)); return self.e(show or (self.n(v)+u))
    def mon(self,k,v,dec=2,cur=None,pre='',post=''):
        v=round(v,dec); c=cur or self.cury
        self.put(k,((c+' ') if c else '')+canon(v)); return self.e(pre+self.n(v,dec)+post)
    cury=None
    def code(self,k,v,show=None): self.put(k,v); return self.e(show or v)
    def size(self,k,c,i=0): self.put(k,c); return self.e(SZ[c][i])
    def row(self,lst,names):
        r={}; self.f.setdefault(lst,[]).append(r); d=self
        class C:
            def __enter__(s): s.old=d.cur; d.cur=(lst,r,names); return s
            def __exit__(s,*a): d.cur=s.old
        return C()
    def rows(self,lst,items,fn,join=''):
        out=[]
        names={'containers':{'number','seal','size_type','packages','gross_weight','volume'},'charges':{'description','amount'},'equipment':{'quantity','size_type'},'lines':{'description','hs_code','quantity','unit','unit_price','amount','origin','packages','net_weight','gross_weight','volume'}}[lst]
        for it in items:
            with self.row(lst,names): out.append(fn(it))
        return out if join is None else join.join(out)
    def pkn(self,s): return PK.get(self.lang,{}).get(s.pkg,s.pkg)
    def gn(self,g): return g[self.lang if self.lang in g else 'en']
