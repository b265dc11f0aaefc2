import random, re, datetime as D, html as H, json, os
class Retry(Exception): pass
P={}
for l in '''CNSHA Shanghai China|CNNGB Ningbo China|CNYTN Yantian China|CNTAO Qingdao China|CNXMN Xiamen China|VNSGN Ho Chi Minh City|VNHPH Haiphong|INNSA Nhava Sheva|INMUN Mundra|TRMER Mersin|DEHAM Hamburg|DEBRV Bremerhaven|NLRTM Rotterdam|BEANR Antwerp|FRLEH Le Havre|FRFOS Fos-sur-Mer|ESVLC Valencia|ESBCN Barcelona|ESALG Algeciras|ITGOA Genoa|ITSPE La Spezia|ITLIV Livorno|PTLIS Lisbon|PTSIE Sines|PTLEI Leixoes|GBFXT Felixstowe|GBSOU Southampton|USLAX Los Angeles|USLGB Long Beach|USOAK Oakland|USNYC New York|USSAV Savannah|USCHS Charleston|USHOU Houston|USORF Norfolk|USSEA Seattle|USBAL Baltimore|BRSSZ Santos|BRITJ Itajai|BRPNG Paranagua|MXVER Veracruz|MXZLO Manzanillo|PECLL Callao|COCTG Cartagena|ARBUE Buenos Aires|ZADUR Durban|AUSYD Sydney|AUMEL Melbourne|NZAKL Auckland|JPYOK Yokohama|KRPUS Busan|SGSIN Singapore|MYPKG Port Klang|THLCH Laem Chabang|LKCMB Colombo|AEJEA Jebel Ali|CAVAN Vancouver|CAHAL Halifax|USCHI Chicago|USDAL Dallas|USMEM Memphis|USATL Atlanta|DEMUC Munich|DEDUI Duisburg|ESMAD Madrid|ESZAZ Zaragoza|FRLIO Lyon|ITMIL Milan|GBBHM Birmingham|INDEL New Delhi|BRSAO Sao Paulo'''.split('|'):
    c,n=l.split(' ',1); P[c]=n.replace(' China','') if c.startswith('CN') else n
CN={'CN':'China','VN':'Vietnam','IN':'India','TR':'Turkey','DE':'Germany','NL':'Netherlands','BE':'Belgium','FR':'France','ES':'Spain','IT':'Italy','PT':'Portugal','GB':'United Kingdom','US':'USA','BR':'Brazil','MX':'Mexico','PE':'Peru','CO':'Colombia','AR':'Argentina','ZA':'South Africa','AU':'Australia','NZ':'New Zealand','JP':'Japan','KR':'South Korea','SG':'Singapore','MY':'Malaysia','TH':'Thailand','LK':'Sri Lanka','AE':'U.A.E.','CA':'Canada'}
US_ST={'USLAX':'CA','USLGB':'CA','USOAK':'CA','USNYC':'NY','USSAV':'GA','USCHS':'SC','USHOU':'TX','USORF':'VA','USSEA':'WA','USBAL':'MD','USCHI':'IL','USDAL':'TX','USMEM':'TN','USATL':'GA'}
INLAND=set('USCHI USDAL USMEM USATL DEMUC DEDUI ESMAD ESZAZ FRLIO ITMIL GBBHM INDEL BRSAO'.split())
LOC={'es':{'DEHAM':'Hamburgo','NLRTM':'Róterdam','BEANR':'Amberes','ITGOA':'Génova','CNSHA':'Shanghái','USNYC':'Nueva York','FRLEH':'Le Havre'},'fr':{'DEHAM':'Hambourg','BEANR':'Anvers','CNSHA':'Shanghai','ITGOA':'Gênes','ESVLC':'Valence'},'it':{'ITGOA':'Genova','ITMIL':'Milano','DEHAM':'Amburgo','ITLIV':'Livorno'},'de':{'BEANR':'Antwerpen','DEMUC':'München','ITGOA':'Genua','CNSHA':'Shanghai'},'pt':{'PTLIS':'Lisboa','PTLEI':'Leixões','BRSSZ':'Santos','NLRTM':'Roterdão','BEANR':'Antuérpia','BRITJ':'Itajaí','BRPNG':'Paranaguá'},'nl':{'BEANR':'Antwerpen'},
'zh':{'CNSHA':'上海','CNNGB':'宁波','CNYTN':'盐田','CNTAO':'青岛','CNXMN':'厦门'}}
COMP={}
def c(cc,*rows):
    for r in rows:
        p=[x.strip() for x in r.split('|')]; COMP.setdefault(cc,[]).append((p[0],p[1:]))
c('CN','NINGBO HALVORA HOUSEWARES CO., LTD.|NO. 418 CIXI AVENUE, YINZHOU DISTRICT|NINGBO 315100, CHINA','SHANGHAI LIANGTENG MACHINERY IMP. & EXP. CO., LTD.|RM 1906, 288 DAPU ROAD|SHANGHAI 200023, P.R. CHINA','QINGDAO BRIGHTMOSS TYRE TECHNOLOGY CO., LTD|18 ZHUZHOU ROAD, LAOSHAN DISTRICT|QINGDAO, SHANDONG 266101|CHINA','XIAMEN FENGYUE STONE & TILE CO LTD|UNIT 5B, NO. 77 HUBIN SOUTH ROAD|XIAMEN, FUJIAN, CHINA','FOSHAN KELVANO LIGHTING FACTORY|BLOCK 3, LUOCUN INDUSTRIAL ZONE|NANHAI, FOSHAN 528226, CHINA','SUZHOU ARBELLE FITNESS EQUIPMENT CO., LTD.|66 XINGHAI STREET, SIP|SUZHOU 215021, CHINA')
c('VN','TAN PHU QUOC FURNITURE JSC|LOT C7, SONG THAN 2 INDUSTRIAL PARK|DI AN, BINH DUONG, VIETNAM','HAI LINH SEAFOOD EXPORT CO., LTD|25 LE THANH TONG STREET, NGO QUYEN|HAIPHONG, VIETNAM')
c('IN','VASUNDHARA COTTON MILLS PVT. LTD.|PLOT 212, MIDC, TARAPUR|BOISAR 401506, MAHARASHTRA, INDIA','KAVERIMATH SPICES EXPORTS|14/3 MARKET ROAD, MATTANCHERRY|KOCHI 682002, INDIA','ORVANTA CASTINGS LIMITED|SURVEY NO. 91, SHAPAR|RAJKOT 360024, GUJARAT, INDIA')
c('TR','KARAYEL SERAMIK SANAYI A.S.|ORGANIZE SANAYI BOLGESI 4. CADDE NO 12|33400 TARSUS / MERSIN, TURKEY')
c('DE','Brückmann Antriebstechnik GmbH|Industriestraße 44|59069 Hamm','Nordfels Kaffeerösterei AG|Am Sandtorkai 71|20457 Hamburg','Wiegand & Trott Handelsgesellschaft mbH|Gutenbergring 9|85748 Garching','Lauterbach Pumpenbau GmbH & Co. KG|Werkstraße 3-7|67227 Frankenthal','Osthaven Spielwaren GmbH|Zeppelinallee 118|90431 Nürnberg')
c('NL','Van Oorschot Bloembollen B.V.|Heereweg 240|2161 BR Lisse','Dekker & Zoon Agri Import B.V.|Waalhaven O.z. 83|3087 BM Rotterdam','Kolibri Keukens B.V.|Ambachtsweg 15|5121 DP Rijen')
c('BE','Vermeylen Textiles NV|Kanaalstraat 27|8530 Harelbeke')
c('FR','Ateliers Morvannois SAS|12 rue des Tanneurs|58200 Cosne-Cours-sur-Loire','Domaine de Rocvielle SARL|Route de Bages|66300 Thuir','Établissements Jacquemont Frères|45 avenue du Général Leclerc|69007 Lyon','Fromalys Distribution SA|ZI des Paluds, 220 avenue du Dirigeable|13400 Aubagne')
c('ES','Cerámicas Alcoraya S.A.|Ctra. Onda km 4,5|12540 Villarreal (Castellón)','Conservas Rianxeira del Barbanza S.L.|Polígono de A Tomada, parcela 17|15940 A Pobra do Caramiñal','Frutas Montalbes S.Coop.|Camí Vell de Russafa 33|46470 Catarroja (Valencia)','Importaciones Duero Norte S.L.|Calle Vázquez de Menchaca 102|47008 Valladolid')
c('IT','Officine Tarsanelli S.r.l.|Via dell\'Artigianato 28|36016 Thiene (VI)','Pastificio Montorsi S.p.A.|Strada Provinciale 12, n. 41|43044 Collecchio (PR)','Marmi Valdorsa S.r.l.|Viale XX Settembre 210|54033 Carrara (MS)','Ligurimport S.p.A.|Via Cantore 8/15|16149 Genova')
c('PT','Cortiças do Sorraia, Lda.|Zona Industrial de Coruche, Lote 6|2100-051 Coruche','Vinhos Quinta da Ribalonga, S.A.|Largo do Pelourinho 2|5130-321 São João da Pesqueira','Têxteis Almonda & Filhos, Lda.|Rua da Fiação 55|4805-017 Guimarães')
c('BR','MADEIREIRA CAMPO VERDE LTDA|RODOVIA BR-280, KM 47|89245-000 ARAQUARI - SC, BRASIL','CAFÉ SERRA DO LOURO EXPORTADORA LTDA|RUA XV DE NOVEMBRO 118|11010-150 SANTOS - SP, BRASIL','IMPORTADORA PEDRA BRANCA S.A.|AV. PAULISTA 1842, CJ 96|01310-200 SAO PAULO - SP, BRASIL')
c('MX','DISTRIBUIDORA CERRO AZUL S.A. DE C.V.|AV. INSURGENTES NORTE 1450|07700 CIUDAD DE MEXICO, MEXICO','AGROPRODUCTOS TEPEHUAJE S. DE R.L.|CARRETERA LIBRE KM 8|28219 MANZANILLO, COL., MEXICO')
c('PE','PESQUERA BAHIA LAGUNILLAS S.A.C.|AV. NESTOR GAMBETTA 5502|CALLAO, PERU')
c('CO','CAFETERA DEL QUINDIO ALTO S.A.S.|CARRERA 14 NO. 21-40|ARMENIA, COLOMBIA')
c('US','BLUE MESA OUTFITTERS INC.|4410 HARBOR BOULEVARD|COSTA MESA, CA 92626, USA','PIEDMONT TILE & STONE LLC|780 CHATTAHOOCHEE ROW NW|ATLANTA, GA 30318','HARTSELL BROTHERS SUPPLY CO|2201 W. PERSHING ROAD|CHICAGO, IL 60609|UNITED STATES','GULFSTRAND INDUSTRIAL PRODUCTS, INC.|9100 NEW DECADE DRIVE|PASADENA, TX 77507','TIDEWATER HOME FURNISHINGS CORP.|55 SALEM CHURCH RD|CHESAPEAKE, VA 23320','OLYMPIC FOODSERVICE IMPORTS LLC|1815 PORT OF TACOMA RD|TACOMA, WA 98421 USA')
c('GB','Hallam Ridge Tools Ltd|Unit 14, Parkway Trading Estate|Sheffield S9 4WN','PENHALIGAN TRADING COMPANY LTD|22 CASTLE QUAY|IPSWICH IP2 8HL, UNITED KINGDOM','Thornley & Wick Ltd|Prospect House, 9 Mill Lane|Birmingham B5 6DE')
c('AU','WATTLEBROOK GARDEN SUPPLIES PTY LTD|31 DUNHEVED CIRCUIT|ST MARYS NSW 2760, AUSTRALIA')
c('NZ','KAURI BAY MERCHANTS LTD|18 NEILSON STREET, ONEHUNGA|AUCKLAND 1061, NEW ZEALAND')
c('CA','MAPLEHURST FURNITURE IMPORTERS LTD.|1290 DERWENT WAY|DELTA, BC V3M 5V9, CANADA')
c('JP','SETOUCHI YAKINIKU FOODS K.K.|3-11-6 KAIGAN-DORI, CHUO-KU|KOBE 650-0024, JAPAN')
c('KR','DAEHWON PRECISION CO., LTD.|77 NOKSAN SANDAN 262-RO, GANGSEO-GU|BUSAN 46753, KOREA')
c('AE','AL MURAYKH GENERAL TRADING LLC|WAREHOUSE S-114, AL QUOZ 3|DUBAI, U.A.E.')
c('ZA','UMHLANGA CHEMICAL DISTRIBUTORS (PTY) LTD|40 BAYHEAD ROAD|DURBAN 4001, SOUTH AFRICA')
c('CA','NORTHBAY OUTDOOR CO. LTD.|55 CORONATION DRIVE|SCARBOROUGH, ON M1E 2H7, CANADA'); c('AU','BRINDABELLA HARDWARE PTY LTD|7 WILLIAMSON ROAD|INGLEBURN NSW 2565','QUILPIE HOME IMPORTS PTY LTD|112 INDUSTRIAL DRIVE|BRAESIDE VIC 3195, AUSTRALIA'); c('NZ','TE ANAU HOMEWARES LTD|6 KERWYN AVENUE, EAST TAMAKI|AUCKLAND 2013'); c('PE','COMERCIAL ANDAHUASI S.A.C.|AV. ARGENTINA 2833|LIMA 15079, PERU'); c('CO','IMPORTADORA SIERRA MORENA S.A.S.|CALLE 13 NO. 62-30|CALI, COLOMBIA'); c('KR','HANBITGARAM CORPORATION|12F, 407 JUNGANG-DAERO, DONG-GU|BUSAN 48792, KOREA'); c('JP','MINATOYA SHOKAI CO., LTD.|2-8-14 SHIBAURA, MINATO-KU|TOKYO 108-0023, JAPAN'); c('AE','GULF SAPPHIRE BUILDING MATERIALS LLC|PO BOX 41877, JEBEL ALI FREE ZONE|DUBAI, UAE'); c('ZA','KAROO CROSS TRADING (PTY) LTD|9 MONTAGUE DRIVE, MONTAGUE GARDENS|CAPE TOWN 7441'); c('TR','EGE YILDIZI GIDA SANAYI VE TICARET LTD. STI.|ATATURK MAH. 1405 SOK. NO 8|MERSIN, TURKIYE'); c('BE','Haverbeke Logistics & Trading BV|Noorderlaan 133|2030 Antwerpen')
FWD={'CA':[('PACIFIC KELP FORWARDING INC.',['1055 W. HASTINGS ST, 9TH FL','VANCOUVER, BC V6E 2E9'])],'NZ':[('LONG WHITE FREIGHT LTD',['3 TINLEY STREET','AUCKLAND 1010'])],'AE':[('SHAMAL GULF SHIPPING LLC',['OFFICE 1204, AL KHOR TOWER','DUBAI'])],'KR':[('DONGBAEK MARITIME AGENCY CO.',['5F, 119 DAEGYO-RO','BUSAN'])],'TR':[('AKDENIZ YOLU TASIMACILIK A.S.',['ISMET INONU BULVARI 42','MERSIN'])],'US':[('TRELAWNY FREIGHT SYSTEMS INC.',['1100 E. HOWELL AVE, SUITE 210','ANAHEIM, CA 92805']),('CASCADE BRIDGE LOGISTICS LLC',['18000 72ND AVE S','KENT, WA 98032']),('PORTICO OCEAN SERVICES, INC.',['147-35 FARMERS BLVD','JAMAICA, NY 11434'])],
'DE':[('Hansevia Spedition GmbH',['Veddeler Damm 16','20457 Hamburg']),('Kröger & Pahl Internationale Logistik GmbH',['Cuxhavener Str. 42','28217 Bremen'])],
'GB':[('Wexcombe Forwarding Ltd',['Trimley House, Dock Spur Road','Felixstowe IP11 3TG'])],'NL':[('Maasvliet Expeditie B.V.',['Albert Plesmanweg 61','3088 GB Rotterdam'])],
'ES':[('Transitarios Levantemar S.L.',['Av. del Puerto 311, 4º','46024 Valencia']),('Consignaciones Garraf S.A.',['Moll de Ponent s/n','08039 Barcelona'])],
'FR':[('Transit Océane Le Goff SAS',['18 quai Colbert','76600 Le Havre'])],'IT':[('Spedizioni Dogliotti S.r.l.',['Via al Molo Giano 3','16128 Genova'])],'PT':[('Navemar Trânsitos, Lda.',['Av. da Liberdade 44, 3.º','4450-718 Leça da Palmeira'])],
'CN':[('SINOVANTAGE INTERNATIONAL FORWARDING CO., LTD.',['22F, 1011 YISHAN ROAD','SHANGHAI 200233']),('HARBOURLINK LOGISTICS (SHENZHEN) LIMITED',['ROOM 2803, JIABIN ROAD 4018','LUOHU, SHENZHEN'])],
'BR':[('ATLANTIDA AGENCIAMENTO DE CARGAS LTDA',['RUA AMADOR BUENO 333, 9 ANDAR','SANTOS - SP'])],'IN':[('MALABAR CREST SHIPPING SERVICES PVT LTD',['601 RAHEJA CHAMBERS, NARIMAN POINT','MUMBAI 400021'])],'VN':[('SAIGON TRIDENT LOGISTICS CO., LTD',['8F, 60 NGUYEN DINH CHIEU, DIST. 1','HO CHI MINH CITY'])],'AU':[('SOUTHERN ARC FORWARDING PTY LTD',['LEVEL 2, 88 CLARENCE STREET','SYDNEY NSW 2000'])]}
LINES=['VALMARE LINE','NORDKAP CONTAINER LINE A/S','PACIFIC CRESCENT LINES','TRANS-MERIDIAN SHIPPING CO. LTD','AZURO LINEE S.P.A.','HELVORIA LINE','GREAT CIRCLE CONTAINER LINE']
REAL=[('MAERSK','MAEU'),('MSC','MSCU'),('HAPAG-LLOYD','HLCU'),('CMA CGM','CMDU'),('EVERGREEN LINE','EGLV'),('OOCL','OOLU'),('ZIM','ZIMU'),('HMM','HDMU'),('COSCO SHIPPING','COSU')]
SHIPS='AMBER CORMORANT|NORDHAVN SPIRIT|ORION MERIDIAN|SEA LYNX|ATLANTIC PETREL|BOREAL TRADER|SANTA ELVIRA|TIGRIS HORIZON|VALMARE AURORA|HELENA SCHULZE|PACIFIC CRESCENT|STAR OF MALACCA|GREEN PALISADE|ISLA GRACIOSA|KESTREL ISLAND|MERIDIAN DAWN|COSTA LEVANTE|NORTHERN ALMANDINE|JADE PROMENADE|ANNA KARLSEN|EASTERN ROSE|QUEENSCLIFF'.split('|')
GOODS=[('STAINLESS STEEL COOKWARE SETS','732393','SET',38.5,6.2,'CARTONS'),('CERAMIC FLOOR TILES 60X60 CM','690721','SQM',7.85,21,'PALLETS'),('WOODEN DINING CHAIRS','940161','PCS',31.4,7.1,'CARTONS'),('LED CEILING LAMPS 24W','940511','PCS',9.2,1.3,'CARTONS'),('COTTON BED LINEN','630221','SET',14.6,1.8,'BALES'),('PNEUMATIC TYRES 205/55R16','401110','PCS',36.1,8.9,'PIECES'),('CENTRIFUGAL PUMPS','841370','PCS',412,58,'CASES'),('CAST IRON VALVE BODIES','848190','PCS',22.75,9.4,'CRATES'),('FROZEN SHRIMP, HEADLESS','030617','KG',8.9,1,'CARTONS'),('ROASTED COFFEE IN BAGS','090121','KG',6.45,1,'BAGS'),('NATURAL CORK STOPPERS','450310','MIL',84,4.1,'BAGS'),('EXERCISE BICYCLES','950691','PCS',121,34,'CARTONS'),('PVC FLOOR COVERING','391810','ROL',52,31,'ROLLS'),('GLASS STORAGE JARS','701090','PCS',1.12,0.6,'CARTONS'),('HAND TOOLS, SPANNERS','820411','SET',17.9,2.6,'CARTONS'),('CANNED TUNA IN OLIVE OIL','160414','CTN',44,9.8,'CARTONS'),('GARDEN FURNITURE OF ALUMINIUM','940179','SET',236,41,'PACKAGES'),('CARDBOARD DISPLAY STANDS','481910','PCS',5.15,2.2,'PALLETS'),('GRANITE SLABS, POLISHED','680223','SQM',28.4,54,'BUNDLES'),('POLYESTER SEWING THREAD','540110','KG',4.9,1,'CARTONS')]
GL={'es':['AZULEJOS CERÁMICOS ESMALTADOS','CONSERVAS DE MEJILLÓN EN ESCABECHE','NARANJAS FRESCAS','HERRAMIENTAS DE MANO','LÁMPARAS LED DE TECHO'],'fr':['VIN ROUGE EN BOUTEILLES','MEUBLES EN BOIS DE CHÊNE','FROMAGE À PÂTE PRESSÉE','ARTICLES DE MAROQUINERIE','POMPES CENTRIFUGES'],'de':['Kreiselpumpen','Elektromotoren 7,5 kW','Holzspielzeug, lackiert','Getriebegehäuse aus Grauguss','Rohkaffee, gewaschen'],'it':['LASTRE DI MARMO LUCIDATO','PASTA DI SEMOLA DI GRANO DURO','CONSERVE DI POMODORO','MACCHINE PER IMBALLAGGIO','SEDIE DI LEGNO'],'pt':['ROLHAS DE CORTIÇA NATURAL','VINHO DO PORTO','TOALHAS DE ALGODÃO','CHAPAS DE COMPENSADO','CAFÉ CRU EM GRÃO'],'nl':['Bloembollen, tulpen','Keukenkasten','Bevroren groenten','Tuinmeubelen','Gereedschap'],'zh':['不锈钢餐具','LED吸顶灯','健身车','汽车轮胎','花岗岩板材']}
MON={'en':'January February March April May June July August September October November December','es':'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre','fr':'janvier février mars avril mai juin juillet août septembre octobre novembre décembre','de':'Januar Februar März April Mai Juni Juli August September Oktober November Dezember','it':'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre','pt':'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro','nl':'januari februari maart april mei juni juli augustus september oktober november december'}
MON={k:v.split() for k,v in MON.items()}; MON['zh']=MON['en']
WD=['Mon','Tue','Wed','Thu','Fri','Sat','Sun']
def ds(d,st,lang='en'):
    m=MON[lang][d.month-1]; m3=MON['en'][d.month-1][:3]
    return {'dMONY':f'{d.day:02d}-{m3.upper()}-{d.year}','d MON Y':f'{d.day:02d} {m3.upper()} {d.year}','d Mon Y':f'{d.day} {m3} {d.year}','dMonY':f'{d.day:02d}-{m3}-{d.year}','dMonyy':f'{d.day:02d}-{m3}-{d.year%100:02d}','Mon d, Y':f'{m3} {d.day:02d}, {d.year}','MON.d,Y':f'{m3.upper()}. {d.day:02d}, {d.year}','Month d, Y':f'{m} {d.day}, {d.year}','d Month Y':f'{d.day} {m} {d.year}','d de m':f'{d.day} de {m} de {d.year}','d. Month Y':f'{d.day}. {m} {d.year}','iso':d.isoformat(),'dot':f'{d.day:02d}.{d.month:02d}.{d.year}','dmy':f'{d.day:02d}/{d.month:02d}/{d.year}','mdy':f'{d.month:02d}/{d.day:02d}/{d.year}','dmy2':f'{d.day:02d}/{d.month:02d}/{d.year%100:02d}','mdy2':f'{d.month:02d}/{d.day:02d}/{d.year%100:02d}','ddash':f'{d.day:02d}-{d.month:02d}-{d.year}','mdash':f'{d.month:02d}-{d.day:02d}-{d.year}','zh':f'{d.year}年{d.month}月{d.day}日','ymd/':f'{d.year}/{d.month:02d}/{d.day:02d}','compact':f'{d.year}{d.month:02d}{d.day:02d}','ord':f'{d.day}{"th" if 4<=d.day%100<=20 else {1:"st",2:"nd",3:"rd"}.get(d.day%10,"th")} {m} {d.year}','dow':f'{WD[d.weekday()]} {d.day:02d}-{m3}-{d.year}','dMONYc':f'{d.day:02d}{m3.upper()}{d.year}'}[st]
NUMERIC={'dmy':0,'mdy':1,'dmy2':0,'mdy2':1,'ddash':0,'mdash':1}
def nf(x,dec=2,st='us'):
    s=f'{x:,.{dec}f}'
    if st=='us': return s
    if st=='eu': return s.replace(',','#').replace('.',',').replace('#','.')
    if st=='fr': return s.replace(',',' ').replace('.',',')
    if st=='ch': return s.replace(',',"'")
    if st=='pl': return s.replace(',','')
    if st=='plc': return s.replace(',','').replace('.',',')
def trim(x):
    s=f'{x:.4f}'.rstrip('0').rstrip('.'); return s
def ccheck(b):
    t=0; L=dict(zip('ABCDEFGHIJKLMNOPQRSTUVWXYZ',[x for x in range(10,39) if x%11]))
    for i,ch in enumerate(b): t+=(int(ch) if ch.isdigit() else L[ch])*2**i
    return str(t%11%10)
SZ={'20GP':["20' DV","20GP","22G1","20'DC","20ST","20' STANDARD"],'40GP':["40' DV","40GP","42G1","40'DC","40ST","40' STANDARD"],'40HC':["40' HC","40HC","45G1","40HQ","40HC","40' HIGH CUBE"],'40RH':["40' RH","40RH","45R1","40RH","40RH","40' HC REEFER"]}
class T:
    def __init__(s,lang='en',mode='html',root=None):
        s.f={};s.lang=lang;s.mode=mode;s.root=root or s
        if not root: s.prints=[];s.num=[];s.unj=[];s.amb=False;s.dec=False
    def e(s,x):
        x=str(x)
        m=s.root.mode
        if m=='html': return H.escape(x,False)
        if m=='tex':
            for a in '&%$#_': x=x.replace(a,'\\'+a)
            return x
        return x
    @property
    def br(s): return {'html':'<br>','tex':'\\newline ','txt':'\n'}[s.root.mode]
    def set(s,n,p,v):
        if n:
            if n in s.f and s.f[n]!=v: raise Exception(f'{n}: {s.f[n]} / {v}')
            s.f[n]=v
        s.root.prints.append((n,str(p))); return s.e(p)
    def num(s,n,p): return s.set(n,p,re.sub('[^A-Z0-9]','',p.upper()))
    n=lambda s,n,p: s.set(n,p,re.sub('[^A-Z0-9]','',p.upper()))
    def text(s,n,p): return s.set(n,p,p.strip())
    def code(s,n,p,v): return s.set(n,p,v)
    def prose(s,n,lines):
        lines=[lines] if isinstance(lines,str) else lines
        v=' '.join(' '.join(lines).split())
        if n: s.f[n]=v
        for l in lines: s.root.prints.append((n,l))
        return s.br.join(s.e(l) for l in lines)
    def date(s,n,d,st,lang=None,time=None,tf=' %H:%M'):
        p=ds(d,st,lang or s.root.lang); v=d.isoformat()
        if st in NUMERIC:
            s.root.num.append((NUMERIC[st],d))
            if s.root.amb and n:
                if d.day>12: raise Retry('amb')
                if d.day==d.month: raise Retry('same')
                if 1:
                    v={'either':sorted([d.isoformat(),D.date(d.year,d.day,d.month).isoformat()])}
        if time:
            p+=D.time(*time).strftime(tf); v+='T%02d:%02d'%time
        return s.set(n,p,v)
    def party(s,n,c,sep=None,one=False,extra=()):
        name,addr=c[0],list(c[1])+list(extra)
        if n: s.f[n]={'name':name,**({'address':', '.join(addr)} if addr else {})}
        for l in [name]+addr: s.root.prints.append((n,l))
        if one: return s.e(', '.join([name]+addr))
        return (sep or s.br).join(s.e(l) for l in [name]+addr)
    def place(s,n,code,st='n'):
        nm=LOC.get(s.root.lang,{}).get(code,P[code]); cc=code[:2]
        p={'n':nm,'N':nm.upper(),'n,C':f'{nm}, {CN[cc]}','N,C':f'{nm}, {CN[cc]}'.upper(),'n,c':f'{nm}, {cc}','n(c)':f'{nm} ({code})','N(c)':f'{nm.upper()} ({code})','c':code,'c-n':f'{code} - {nm}','N,S':nm.upper()+(', '+US_ST[code] if code in US_ST else ', '+CN[cc].upper()),'n c':f'{nm} {code}'}[st]
        return s.set(n,p,code)
    def q(s,n,x,dec=0,st='us',suf=''): return s.set(n,nf(x,dec,st)+suf,trim(round(x,dec)))
    def mass(s,n,x,dec=2,st='us',suf=' KGS',u='kg'): return s.set(n,nf(x,dec,st)+suf,trim(round(x,dec))+' '+u)
    def vol(s,n,x,dec=3,st='us',suf=' CBM',u='m3'): return s.set(n,nf(x,dec,st)+suf,trim(round(x,dec))+' '+u)
    def money(s,n,x,cur,dec=2,st='us',pre='',suf=''): return s.set(n,pre+nf(x,dec,st)+suf,(cur+' ' if cur else '')+trim(round(x,dec)))
    def row(s,n):
        r=T(root=s.root); s.f.setdefault(n,[]).append(r.f); return r
    def cont(s,c,fmt='plain'):
        x=c.no; return s.n('number',{'plain':x,'sp':f'{x[:4]} {x[4:10]}-{x[10]}','dash':f'{x[:10]}-{x[10]}','sp1':f'{x[:4]} {x[4:]}'}[fmt])
    def size(s,c,k): return s.set('size_type',SZ[c.t][k],c.t)
    def finish(s):
        if s.num:
            dec=s.dec or any(d.day>12 for _,d in s.num)
            if s.amb and dec: raise Retry('amb')
            if not s.amb and not dec: raise Retry('undecided')
            if len({o for o,_ in s.num})>1: raise Exception('mixed order')
        return s.f
class C: pass
class S:
    """a shipment"""
    def __init__(s,seed,o='CN',d='US',n=None,reefer=False,goods=None,lang='en'):
        r=s.r=random.Random('u3/'+str(seed)); s.lang=lang; s.o,s.d=o,d
        pk=lambda cc:[c for c in P if c.startswith(cc) and c not in INLAND]
        s.pol=r.choice(pk(o)); s.pod=r.choice(pk(d)); inl=[c for c in INLAND if c[:2]==d]
        s.pld=r.choice(inl) if inl and r.random()<.5 else s.pod; s.por=s.pol
        s.shipper=r.choice(COMP[o]); s.consignee=r.choice(COMP[d]); s.notify=r.choice([c for c in sum(COMP.values(),[]) if c!=s.consignee and c in COMP[d]] or FWD.get(d,COMP['GB']))
        s.fwd=r.choice(FWD.get(d,FWD['GB'])); s.fwo=r.choice(FWD.get(o,FWD['GB']))
        s.line=r.choice(LINES); s.real=r.choice(REAL)
        s.ship=r.choice(SHIPS); s.voy=r.choice([f'{r.randint(10,640):03d}{r.choice("EWNS")}',f'{r.randint(2,9)}{r.choice("ABKMX")}{r.randint(1,40):02d}{r.choice("WE")}1MA'[:7],str(r.randint(2601,2652)),f'0{r.choice("FKMT")}{r.randint(10,90)}{r.choice("EW")}'])
        b=''.join(str(r.randint(i==0 and 9 or 0,9)) for i in range(6)); s.imo=b+str(sum(int(x)*w for x,w in zip(b,range(7,1,-1)))%10)
        s.etd=D.date(2026,r.randint(1,10),r.randint(1,28)); s.eta=s.etd+D.timedelta(r.randint(16,38)); s.issue=s.etd
        g=s.g=goods or r.choice(GOODS[:-1] if not reefer else [GOODS[8]])
        n=n or r.choice([1,1,1,2,2,3,4]); s.conts=[]
        typ='40RH' if reefer else r.choice(['20GP','40GP','40HC','40HC'])
        for i in range(n):
            k=C(); k.t=typ if r.random()<.8 or reefer else r.choice(['20GP','40HC'])
            pre=r.choice('MSKU MSCU TCLU TGHU CMAU HLXU FCIU BMOU TEMU OOLU EGHU CAIU SEGU TCNU DFSU'.split()); b=pre+f'{r.randint(100000,999999)}'; k.no=b+ccheck(b)
            k.seal=r.choice([f'ML-CN{r.randint(1000000,9999999)}',f'{r.randint(100000,9999999)}',f'{r.choice(["H","F","EU","YT"])}{r.randint(1000000,29999999)}'])
            k.pk=r.randint(18,40) if g[5] in('PALLETS','CASES','CRATES','BUNDLES') else r.randint(180,1240); k.kg=round(r.uniform(7200,24800),r.choice([0,1,2])); k.m3=round(r.uniform(24,31.5) if k.t=='20GP' else r.uniform(52,68),r.choice([1,2,3])); s.conts.append(k)
        f=lambda: ''.join(str(r.randint(0,9)) for _ in range(9))
        s.bl=r.choice(['VMLU','NKCL','PCRL','TMSH','HVLU'])+f(); s.rbl=s.real[1]+f(); s.hbl=r.choice(['TFS','WXF','SVI','KPL','MGX'])+r.choice(['SHA','NGB','HAM','LAX',''])+f()[:7]; s.bkg=f(); s.ref=f'{r.randint(26,26)}-{r.randint(10000,99999)}'
        s.inv=r.choice([f'{r.choice(["INV","EX","CI"])}-26{r.randint(1000,9999)}',f'26/{r.randint(1000,9999)}',f'{r.randint(90000000,99999999)}',f'{r.choice("HKLT")}{r.choice("WXYZ")}2026-{r.randint(100,999)}'])
        s.po=r.choice([f'PO-{r.randint(10000,99999)}',f'45{r.randint(10000000,99999999)}',f'P{r.randint(1000,9999)}/26'])
        s.pk=sum(k.pk for k in s.conts); s.kg=round(sum(k.kg for k in s.conts),2); s.m3=round(sum(k.m3 for k in s.conts),3)
    def lines(s,n=None):
        r=s.r; n=n or r.randint(2,6); out=[]; names=GL.get(s.lang)
        for g in r.sample(GOODS,min(n,len(GOODS))):
            l=C(); l.d=g[0]; l.hs=g[1]+r.choice(['00','10','90','20']); l.u=g[2]; l.p=round(g[3]*r.uniform(.8,1.3),2); l.q=r.choice([60,96,120,250,480,500,1200,1500,2400]) if g[3]<60 else r.randint(2,48); l.pk=max(1,l.q//r.choice([4,6,10])); l.n=round(l.q*g[4],1); l.g=round(l.n*1.08+l.pk*.4,1); l.v=round(l.g/r.uniform(240,420),3); l.a=round(l.p*l.q,2); l.sku=f'{r.choice("ABKXT")}{r.choice("LMNR")}-{r.randint(1000,9999)}'; out.append(l)
        if names:
            nn=names[:]; r.shuffle(nn)
            out=out[:len(nn)]
            for l,x in zip(out,nn): l.d=x
        return out
L={}
def lay(name,typ,o='CN',d='US',lang='en',mode='html',**kw):
    def w(f): L[name]=dict(f=f,type=typ,o=o,d=d,lang=lang,mode=mode,kw=kw,name=name); return f
    return w
def make(name,seed,**over):
    l=dict(L[name]); 
    od=over.pop('od',None) or (l['o'],l['d'])
    for i in range(400):
        o=od[0] if isinstance(od[0],str) else random.Random(f'{seed}{i}o').choice(od[0]); d=od[1] if isinstance(od[1],str) else random.Random(f'{seed}{i}d').choice(od[1])
        kw=dict(l['kw']); kw.update(over.get('kw',{}))
        s=S(f'{name}/{seed}/{i}',o,d,lang=l['lang'],**kw); t=T(l['lang'],l['mode']); t.amb=over.get('amb',False); s.opt=over.get('opt',{}); s.unj=[]; t.dec=over.get('dec',False)
        r2=random.Random(f'{name}/{seed}/{i}/x')
        def more(c):
            if r2.random()>.3: return c
            return (c[0],c[1]+[r2.choice([f'TEL +{r2.randint(1,86)} {r2.randint(100,999)} 555 0{r2.randint(100,199)}','ATTN: IMPORT DEPARTMENT',f'TAX ID {r2.randint(10,99)}-{r2.randint(1000000,9999999)}',f'E-MAIL: SHIPPING@{re.sub("[^A-Z]","",c[0].upper())[:9]}.EXAMPLE'])])
        s.shipper,s.consignee,s.notify=more(s.shipper),more(s.consignee),more(s.notify)
        if l['type'] in('bill_of_lading','house_bill_of_lading','sea_waybill') and r2.random()<.14 and l['lang']=='en': s.notify=('SAME AS CONSIGNEE',[])
        b=over.get('base')
        if b:
            for a in 'shipper consignee notify fwd fwo line real ship voy imo etd eta issue g conts bl rbl hbl bkg ref inv po pk kg m3 pol pod pld por'.split(): setattr(s,a,getattr(b,a))
        try:
            out=l['f'](s,t); t.finish()
            if over.get('low') and any(d.day>12 for _,d in t.num): raise Retry
            t.unj=s.unj; t.s=s
        except Retry: continue
        return out,t,l
    raise Exception('no seed for '+name)
