import random, datetime as dt, re
A='0123456789A?BCDEFGHIJK?LMNOPQRSTU?VWXYZ'
def chk(p):
    t=sum(A.index(c)*2**i for i,c in enumerate(p)); return str(t%11%10)
PORTS={}
for l in """CNSHA SHANGHAI|CHINA
CNYTN YANTIAN|CHINA
CNTAO QINGDAO|CHINA
KRPUS BUSAN|SOUTH KOREA
JPYOK YOKOHAMA|JAPAN
JPUKB KOBE|JAPAN
TWKHH KAOHSIUNG|TAIWAN
HKHKG HONG KONG|HONG KONG
SGSIN SINGAPORE|SINGAPORE
MYPKG PORT KLANG|MALAYSIA
THLCH LAEM CHABANG|THAILAND
VNHPH HAIPHONG|VIETNAM
VNSGN HO CHI MINH CITY|VIETNAM
IDJKT JAKARTA|INDONESIA
INNSA NHAVA SHEVA|INDIA
INMUN MUNDRA|INDIA
LKCMB COLOMBO|SRI LANKA
AEJEA JEBEL ALI|UNITED ARAB EMIRATES
DEHAM HAMBURG|GERMANY
DEBRV BREMERHAVEN|GERMANY
NLRTM ROTTERDAM|NETHERLANDS
BEANR ANTWERP|BELGIUM
FRLEH LE HAVRE|FRANCE
FRFOS FOS-SUR-MER|FRANCE
ESVLC VALENCIA|SPAIN
ESBCN BARCELONA|SPAIN
ESALG ALGECIRAS|SPAIN
ITGOA GENOA|ITALY
ITSPE LA SPEZIA|ITALY
ITLIV LIVORNO|ITALY
PTLIS LISBON|PORTUGAL
PTSIE SINES|PORTUGAL
GBFXT FELIXSTOWE|UNITED KINGDOM
GBSOU SOUTHAMPTON|UNITED KINGDOM
PLGDN GDANSK|POLAND
TRMER MERSIN|TURKEY
BRSSZ SANTOS|BRAZIL
BRPNG PARANAGUA|BRAZIL
PECLL CALLAO|PERU
COCTG CARTAGENA|COLOMBIA
CLSAI SAN ANTONIO|CHILE
CLVAP VALPARAISO|CHILE
ARBUE BUENOS AIRES|ARGENTINA
MXZLO MANZANILLO|MEXICO
MXVER VERACRUZ|MEXICO
USNYC NEW YORK|UNITED STATES
USLAX LOS ANGELES|UNITED STATES
USLGB LONG BEACH|UNITED STATES
USOAK OAKLAND|UNITED STATES
USSEA SEATTLE|UNITED STATES
USTIW TACOMA|UNITED STATES
USSAV SAVANNAH|UNITED STATES
USCHS CHARLESTON|UNITED STATES
USORF NORFOLK|UNITED STATES
USBAL BALTIMORE|UNITED STATES
USHOU HOUSTON|UNITED STATES
USMIA MIAMI|UNITED STATES
USCHI CHICAGO|UNITED STATES
USDAL DALLAS|UNITED STATES
USATL ATLANTA|UNITED STATES
USMEM MEMPHIS|UNITED STATES
USDEN DENVER|UNITED STATES
CAVAN VANCOUVER|CANADA
CAHAL HALIFAX|CANADA
AUMEL MELBOURNE|AUSTRALIA
AUSYD SYDNEY|AUSTRALIA
ZADUR DURBAN|SOUTH AFRICA
DEDUI DUISBURG|GERMANY
ESMAD MADRID|SPAIN
FRLYO LYON|FRANCE
ITMIL MILAN|ITALY""".split('\n'):
    c,r=l.split(' ',1); PORTS[c]=tuple(r.split('|'))
ST={'USNYC':'NY','USLAX':'CA','USLGB':'CA','USOAK':'CA','USSEA':'WA','USTIW':'WA','USSAV':'GA','USCHS':'SC','USORF':'VA','USBAL':'MD','USHOU':'TX','USMIA':'FL','USCHI':'IL','USDAL':'TX','USATL':'GA','USMEM':'TN','USDEN':'CO'}
ASIA=['CNSHA','CNYTN','CNTAO','KRPUS','TWKHH','THLCH','VNHPH','VNSGN','IDJKT','MYPKG','INNSA','INMUN']
EUR=['DEHAM','DEBRV','NLRTM','BEANR','FRLEH','ESVLC','ITGOA','ITSPE','GBFXT','GBSOU']
USP=['USNYC','USLAX','USLGB','USOAK','USSEA','USSAV','USCHS','USORF','USHOU','USMIA','USBAL']
INL=['USCHI','USDAL','USATL','USMEM','USDEN']
CAR={'MAEU':'MAERSK','MSCU':'MSC MEDITERRANEAN SHIPPING COMPANY S.A.','CMDU':'CMA CGM','HLCU':'HAPAG-LLOYD','ONEY':'OCEAN NETWORK EXPRESS','COSU':'COSCO SHIPPING LINES','EGLV':'EVERGREEN LINE','OOLU':'OOCL','HDMU':'HMM','ZIMU':'ZIM','MATS':'MATSON','SMLU':'SEABOARD MARINE'}
STEM="ALDERMOOR BRANTWICK CALVERO DRIFTSTONE ELMARA FENWOLD GALVANA HOLLISTAN IVERNE JUNOVIA KESTRAL LORIMA MANTEGRA NORVIO ORSELLI PELLANT QUILLON ROSTAVA SELDANE TARVIN ULVANO VERIDAL WEXMERE YARROLT ZENDARA BELCORSA CASTRANO DELVINA ESPARDO FIORANTE GRENDAHL HARNWELL ISTRALA KALDERN LUNDMARK MORVENA OSTERVANG PRENZELL RIVALTO STORMARK TREVANO VALMORE".split()
CNST="HUAYUE JINTENG RUIFENG XINHAO YONGDA TIANHE BAOLONG CHENGXIN FUMEI GUANGSHUN HAOYANG JIAYUAN MINGTAI SHUNDE-OAK WANLI".split()
# country: (activities, suffixes, streets, cities, country name, number style)
CO={
'CN':(['FURNITURE','HOUSEWARES','ELECTRIC APPLIANCE','HARDWARE & TOOLS','TEXTILES','IMP. & EXP.'],['CO., LTD.'],['XINGANG ROAD','HUANCHENG NORTH ROAD','CHUANGYE AVENUE','INDUSTRIAL ZONE 3RD ROAD'],['SHANGHAI 200120','SHENZHEN 518000','QINGDAO 266000','HANGZHOU, ZHEJIANG 310000','SUZHOU, JIANGSU 215000'],'CHINA',0),
'KR':(['CHEMICAL','PRECISION','TEXTILE'],['CO., LTD.','CORPORATION'],['HAEAN-RO','JUNGANG-DAERO','GONGDAN 2-RO'],['BUSAN 48731','ANSAN 15434','DAEGU 41940'],'REPUBLIC OF KOREA',0),
'JP':(['TRADING','MACHINERY'],['CO., LTD.','K.K.'],['SHIBAURA','MINATO-MACHI'],['TOKYO 108-0023','YOKOHAMA 220-0012'],'JAPAN',0),
'TW':(['BICYCLE','FASTENERS','PLASTICS'],['CO., LTD.','ENTERPRISE CO., LTD.'],['ZHONGSHAN ROAD','GUANGFU S. ROAD'],['KAOHSIUNG 806','TAICHUNG 407'],'TAIWAN',0),
'HK':(['TRADING','TOYS'],['LIMITED'],['QUEEN\'S ROAD CENTRAL','KWUN TONG ROAD'],['KOWLOON','CENTRAL'],'HONG KONG',0),
'SG':(['COMMODITIES','POLYMERS'],['PTE LTD'],['JURONG PORT ROAD','TUAS AVENUE 8'],['SINGAPORE 619107','SINGAPORE 639229'],'SINGAPORE',0),
'MY':(['RUBBER PRODUCTS','FURNITURE INDUSTRIES'],['SDN. BHD.'],['JALAN PERUSAHAAN','JALAN KLANG LAMA'],['42100 KLANG, SELANGOR','84000 MUAR, JOHOR'],'MALAYSIA',0),
'TH':(['FOODS','RUBBER','CANNED FOODS'],['CO., LTD.','PUBLIC COMPANY LIMITED'],['SUKHUMVIT ROAD','BANGNA-TRAD ROAD'],['BANGKOK 10110','SAMUT PRAKAN 10540'],'THAILAND',0),
'VN':(['GARMENT','WOOD PRODUCTS','SEAFOOD','FOOTWEAR'],['JOINT STOCK COMPANY','COMPANY LIMITED'],['LE LOI STREET','VSIP INDUSTRIAL PARK','NGUYEN VAN LINH STREET'],['HAIPHONG','BINH DUONG PROVINCE','HO CHI MINH CITY'],'VIETNAM',0),
'ID':(['FURNITURE','COFFEE'],['PT'],['JALAN RAYA BEKASI','JALAN GATOT SUBROTO'],['JAKARTA 13910','SEMARANG 50149'],'INDONESIA',0),
'IN':(['EXPORTS','TEXTILES','CERAMICS','SPICES'],['PRIVATE LIMITED','PVT. LTD.'],['MIDC INDUSTRIAL AREA','G.I.D.C. ESTATE','ANNA SALAI'],['MUMBAI 400093','MORBI 363642, GUJARAT','PUNE 411019'],'INDIA',0),
'LK':(['TEA EXPORTS'],['(PVT) LTD'],['GALLE ROAD'],['COLOMBO 03'],'SRI LANKA',0),
'AE':(['GENERAL TRADING'],['FZE','L.L.C.'],['JEBEL ALI FREE ZONE'],['DUBAI'],'UNITED ARAB EMIRATES',0),
'DE':(['MASCHINENBAU','CHEMIE','HANDELSGESELLSCHAFT','WERKZEUGTECHNIK'],['GMBH','GMBH & CO. KG','AG'],['INDUSTRIESTRASSE','HAFENSTRASSE','AM STADTPARK','BAHNHOFSTRASSE'],['20457 HAMBURG','28195 BREMEN','70173 STUTTGART','50667 KOELN'],'GERMANY',1),
'NL':(['HANDELSMAATSCHAPPIJ','AGRI','BLOEMBOLLEN'],['B.V.'],['WAALHAVEN','HAVENWEG','KEIZERSGRACHT'],['3089 JH ROTTERDAM','1016 DW AMSTERDAM','5651 GG EINDHOVEN'],'NETHERLANDS',1),
'BE':(['CHOCOLATES','POLYMERS'],['NV','BV'],['NOORDERLAAN','KAAISTRAAT'],['2030 ANTWERPEN','9000 GENT'],'BELGIUM',1),
'FR':(['VINS','DISTRIBUTION','COSMETIQUES'],['SAS','SARL'],['RUE DE LA REPUBLIQUE','QUAI DES CHARTRONS','AVENUE FOCH'],['76600 LE HAVRE','33000 BORDEAUX','69002 LYON'],'FRANCE',2),
'ES':(['CERAMICA','ACEITES','CONSERVAS','IMPORTACIONES'],['S.A.','S.L.'],['CALLE MAYOR','AVENIDA DEL PUERTO','POLIGONO INDUSTRIAL LA MINA'],['46023 VALENCIA','08039 BARCELONA','41011 SEVILLA','28006 MADRID'],'SPAIN',3),
'IT':(['ALIMENTARI','ARREDAMENTI','MECCANICA','VINI'],['S.P.A.','S.R.L.'],['VIA GARIBALDI','VIA DELL\'INDUSTRIA','CORSO ITALIA'],['16126 GENOVA','20121 MILANO','41121 MODENA','59100 PRATO'],'ITALY',1),
'PT':(['CORTICAS','CONSERVAS','TEXTEIS'],['LDA.','S.A.'],['RUA DO OURO','AVENIDA DA BOAVISTA'],['1100-060 LISBOA','4100-129 PORTO'],'PORTUGAL',3),
'GB':(['IMPORTS','HOMEWARES','DISTRIBUTION'],['LTD','LIMITED'],['DOCK ROAD','STATION LANE','TRINITY AVENUE'],['FELIXSTOWE IP11 3SY','LEEDS LS1 4DY','BIRMINGHAM B2 5DB'],'UNITED KINGDOM',0),
'PL':(['MEBLE'],['SP. Z O.O.'],['UL. PORTOWA'],['80-001 GDANSK'],'POLAND',1),
'TR':(['TEKSTIL','GIDA'],['A.S.','LTD. STI.'],['ATATURK CADDESI'],['33100 MERSIN'],'TURKEY',0),
'BR':(['CAFE','ALIMENTOS','IMPORTACAO E EXPORTACAO'],['LTDA.','S.A.'],['RUA XV DE NOVEMBRO','AVENIDA PAULISTA','RUA AMADOR BUENO'],['SANTOS - SP 11010-151','SAO PAULO - SP 01310-100','CURITIBA - PR 80020-310'],'BRAZIL',3),
'PE':(['PESQUERA','AGROEXPORTADORA'],['S.A.C.'],['AVENIDA ARGENTINA'],['CALLAO 07001'],'PERU',3),
'CO':(['CAFETERA','COMERCIALIZADORA'],['S.A.S.'],['CARRERA 7','CALLE 72'],['BOGOTA D.C.','CARTAGENA'],'COLOMBIA',3),
'CL':(['FRUTICOLA','VINEDOS'],['S.P.A.','LTDA.'],['AVENIDA BRASIL','CALLE PRAT'],['VALPARAISO','SANTIAGO'],'CHILE',3),
'AR':(['MOLINOS','BODEGAS'],['S.A.'],['AVENIDA CORRIENTES'],['C1043 BUENOS AIRES'],'ARGENTINA',3),
'MX':(['COMERCIALIZADORA','AUTOPARTES','TEQUILERA'],['S.A. DE C.V.','S. DE R.L. DE C.V.'],['AVENIDA TENIENTE AZUETA','BOULEVARD MIGUEL DE LA MADRID','AVENIDA VALLARTA'],['28219 MANZANILLO, COLIMA','44110 GUADALAJARA, JALISCO','91700 VERACRUZ, VER.'],'MEXICO',3),
'US':(['IMPORTS','HOME FURNISHINGS','HARDWARE','FOODS','SUPPLY','OUTDOORS'],['INC.','LLC','CORP.'],['COMMERCE DRIVE','INDUSTRIAL PARKWAY','HARBOR BOULEVARD','OAK RIDGE ROAD','LOGISTICS WAY'],['EDISON, NJ 08837','CARSON, CA 90745','SAVANNAH, GA 31408','HOUSTON, TX 77029','ELK GROVE VILLAGE, IL 60007','KENT, WA 98032','DORAL, FL 33172'],'UNITED STATES',0),
'CA':(['TRADING','WHOLESALE'],['INC.','LTD.'],['DERWENT WAY','BARRINGTON STREET'],['DELTA, BC V3M 5Y4','HALIFAX, NS B3J 1Z6'],'CANADA',0),
'AU':(['WHOLESALE'],['PTY LTD'],['LORIMER STREET','BOTANY ROAD'],['PORT MELBOURNE VIC 3207','MASCOT NSW 2020'],'AUSTRALIA',0),
'ZA':(['TRADING'],['(PTY) LTD'],['MAYDON ROAD'],['DURBAN 4001'],'SOUTH AFRICA',0)}
class Co:
    def __init__(s,name,lines): s.name=name; s.lines=lines
    @property
    def addr(s): return ', '.join(s.lines)
def company(r,cc,act=None):
    a,sf,st,ci,cn,ns=CO[cc]; stem=r.choice(CNST if cc in('CN',) else STEM); ac=act or r.choice(a); x=r.choice(sf)
    name=f'PT {stem} {ac}' if cc=='ID' else f'{stem} {ac} {x}'
    if cc in('ES','IT','FR','PT','BR','MX','CL','PE','CO','AR') and not act: name=f'{ac} {stem} {x}'
    street=r.choice(st); n=r.randint(2,940)
    line=[f'NO. {n} {street}' if cc=='CN' else f'{n} {street}', f'{street} {n}', f'{n} {street}', f'{street}, {n}'][ns]
    return Co(name,[line,r.choice(ci),cn])
def forwarder(r,cc):
    act={'US':['FREIGHT SYSTEMS','GLOBAL LOGISTICS','OCEAN SERVICES'],'CN':['INTERNATIONAL FREIGHT FORWARDING','INTERNATIONAL LOGISTICS'],'DE':['SPEDITION','INTERNATIONALE SPEDITION'],'FR':['TRANSIT','COMMISSIONNAIRE DE TRANSPORT'],'ES':['TRANSITARIOS','LOGISTICA'],'IT':['SPEDIZIONI INTERNAZIONALI'],'NL':['EXPEDITIE','FORWARDING'],'BR':['AGENCIAMENTO DE CARGAS'],'PT':['TRANSITARIOS'],'MX':['AGENCIA ADUANAL','FREIGHT']}.get(cc,['LOGISTICS','SHIPPING & FORWARDING'])
    return company(r,cc,r.choice(act))
# desc lines, hs, package, unit, unit price, kg/pkg, cbm/pkg, pcs/pkg
GOODS=[
(['WOODEN DINING CHAIRS','UPHOLSTERED, KNOCKED DOWN'],'9401.61','CARTONS','PCS',38.5,18.4,.145,2),
(['STAINLESS STEEL KITCHENWARE','COOKWARE SETS'],'7323.93','CARTONS','SETS',21.75,14.2,.058,4),
(['COTTON BED LINEN','PRINTED, KING SIZE'],'6302.21','CARTONS','SETS',16.9,12.5,.062,10),
(['CERAMIC FLOOR TILES','GLAZED PORCELAIN 60X60 CM'],'6907.21','PALLETS','M2',6.35,1105,.98,52),
(['FROZEN SHRIMP','VANNAMEI, HEADLESS SHELL-ON'],'0306.17','CARTONS','KGS',8.2,13.0,.024,12),
(['EXTRA VIRGIN OLIVE OIL','IN GLASS BOTTLES 750 ML'],'1509.20','CARTONS','BOTTLES',5.6,15.3,.026,12),
(['LED LIGHTING FIXTURES','INDOOR CEILING LAMPS'],'9405.11','CARTONS','PCS',11.8,7.6,.051,6),
(['ALLOY STEEL BOLTS AND NUTS','ZINC PLATED'],'7318.15','PALLETS','KGS',1.92,920,.74,900),
(['POLYESTER STAPLE FIBRE','1.4D X 38MM SEMI DULL'],'5503.20','BALES','KGS',1.18,304,.98,300),
(['GREEN COFFEE BEANS','ARABICA, WASHED, CROP 2025/26'],'0901.11','BAGS','KGS',5.05,60.5,.088,60),
(['BICYCLE PARTS','ALUMINIUM FRAMES AND FORKS'],'8714.91','CARTONS','PCS',44.0,9.8,.11,4),
(['CANNED TUNA','IN SUNFLOWER OIL'],'1604.14','CARTONS','CANS',.92,10.6,.014,48),
(['HYDRAULIC PUMPS','AND SPARE PARTS'],'8413.50','CASES','PCS',612.0,265,.61,2),
(['RED WINE','IN BOTTLES OF 75 CL'],'2204.21','CARTONS','BOTTLES',4.4,8.1,.014,6),
(['RUBBER GLOVES','NITRILE, POWDER FREE'],'4015.19','CARTONS','BOXES',2.85,6.9,.037,10),
(['PLASTIC STORAGE BOXES','WITH LIDS, ASSORTED SIZES'],'3924.90','CARTONS','PCS',3.15,8.8,.092,12),
(['AUTOMOTIVE BRAKE DISCS','CAST IRON'],'8708.30','PALLETS','PCS',13.6,780,.68,60),
(['MEN\'S WOVEN SHIRTS','100 PCT COTTON'],'6205.20','CARTONS','PCS',7.45,11.3,.055,24),
(['RUBBERWOOD BEDROOM FURNITURE','NIGHTSTANDS AND DRESSERS'],'9403.50','CARTONS','PCS',67.0,28.6,.21,1),
(['ALUMINIUM FOIL CONTAINERS','FOR FOOD USE'],'7612.90','CARTONS','CTNS',19.4,6.2,.066,1)]
ORG=['CN VN MY ID TH PL IT','CN KR IN TW','CN IN TR PT','CN IN ES IT TR','VN TH ID IN','ES IT PT TR','CN TW KR','TW CN KR DE','KR CN TW TH','BR CO PE ID VN','TW CN VN','TH ID VN ES PE','DE IT US JP GB NL FR','FR IT ES CL AR PT AU ZA','MY TH','CN VN','CN IT DE IN KR MX BR','VN IN CN LK','VN MY ID','DE BE GB CN NL US AE SG HK']
def goods(r,cc):
    c=[g for g,o in zip(GOODS,ORG) if cc in o.split()]; return r.choice(c or [GOODS[i] for i in (7,12,16,19)])
LG={'de':[('Hydraulikpumpen','8413.50','STK'),('Kugellager','8482.10','STK'),('Schleifscheiben','6804.22','STK'),('Bohrfutter','8466.10','STK')],
'fr':[('Vin rouge de Bordeaux','2204.21','BTL'),('Crème hydratante 50 ml','3304.99','PCE'),('Moutarde de Dijon','2103.30','CTN')],
'es':[('Azulejos de gres porcelánico','6907.21','M2'),('Aceite de oliva virgen extra','1509.20','UD'),('Aceitunas verdes rellenas','2005.70','CJ')],
'it':[('Piastrelle in gres porcellanato','6907.21','MQ'),('Pasta di semola di grano duro','1902.19','CT'),('Pomodori pelati','2002.10','CT')],
'nl':[('Tulpenbollen','0601.10','DS'),('Narcissenbollen','0601.10','DS'),('Kaas, Gouda 48+','0406.90','ST')],
'pt':[('Café torrado em grão','0901.21','KG'),('Rolhas de cortiça natural','4503.10','MIL'),('Sardinhas em azeite','1604.13','CX')],
'zh':[('不锈钢保温杯','9617.00','个'),('塑料收纳箱','3924.90','个'),('LED吸顶灯','9405.11','个'),('棉质毛巾','6302.60','条')]}
VES="CAPE MARLOW|OCEAN TENACITY|NORDIC HALCYON|PACIFIC ALMANDINE|ATLANTIC SORREL|STAR CALDERA|EASTERN LINNET|BALTIC ORIEL|SOUTHERN MERIDIAN|IBERIAN COMET|HARBOUR GRACE|RIVER ALTAIR|CORAL VENTURER|LADY ISELIN|POLAR TANAGER|GOLDEN PETREL".split('|')
PFX="MSKU MRKU TCLU TGHU MSCU MEDU CMAU HLBU ONEU TCNU CSNU EGHU EITU OOLU HMMU ZCSU GESU FCIU TRHU CAIU BMOU TLLU BEAU SEGU DFSU".split()
class C: pass
def L_(r,n): return ''.join(r.choice('ABCDEFGHJKLMNPRSTUVWXYZ') for _ in range(n))
def D_(r,n): return str(r.randint(1,9))+''.join(r.choice('0123456789') for _ in range(n-1))
def blno(r,sc,pol):
    p=pol[2:]
    return {'MAEU':'2'+D_(r,8),'MSCU':'MEDU'+L_(r,2)+D_(r,6),'CMDU':p+D_(r,7),'HLCU':'HLCU'+p+'26'+D_(r,2)+L_(r,2)+D_(r,3),'ONEY':'ONEY'+p+'G'+D_(r,6)+'00','COSU':'COSU'+'6'+D_(r,9),'EGLV':'EGLV'+D_(r,12),'OOLU':'OOLU'+D_(r,10),'HDMU':'HDMU'+p+L_(r,1)+D_(r,8),'ZIMU':'ZIMU'+p+D_(r,7),'MATS':'MATS'+D_(r,10),'SMLU':'SMLU'+p+D_(r,4)+L_(r,1)+D_(r,3)}[sc]
def imo(r):
    d=[9]+[r.randint(0,9) for _ in range(5)]; return ''.join(map(str,d))+str(sum(a*b for a,b in zip(d,range(7,1,-1)))%10)
def ctr(r,st):
    c=C(); p=r.choice(PFX)+D_(r,6); c.no=p+chk(p); c.st=st; c.seal=r.choice([L_(r,2)+D_(r,6),'ML'+L_(r,2)+D_(r,5),L_(r,1)+D_(r,7),D_(r,7)]); return c
TERM={'USNYC':'MAHER TERMINALS','USLAX':'APM TERMINALS PIER 400','USLGB':'TOTAL TERMINALS INTERNATIONAL','USSAV':'GARDEN CITY TERMINAL','USHOU':'BARBOURS CUT TERMINAL','USCHS':'WANDO WELCH TERMINAL','USOAK':'OAKLAND INTERNATIONAL CONTAINER TERMINAL','USSEA':'TERMINAL 18','USORF':'VIRGINIA INTERNATIONAL GATEWAY','USMIA':'SOUTH FLORIDA CONTAINER TERMINAL','USBAL':'SEAGIRT MARINE TERMINAL','DEHAM':'HHLA CONTAINER TERMINAL BURCHARDKAI','DEBRV':'EUROGATE CONTAINER TERMINAL BREMERHAVEN','NLRTM':'ECT DELTA TERMINAL','FRLEH':'TERMINAL DE FRANCE','FRFOS':'EUROFOS','ESVLC':'APM TERMINALS VALENCIA','ESBCN':'BEST BARCELONA','ITGOA':'PSA GENOVA PRA','ITSPE':'LSCT LA SPEZIA','BRSSZ':'BTP SANTOS','BRPNG':'TCP PARANAGUA','GBFXT':'TRINITY TERMINAL','GBSOU':'DP WORLD SOUTHAMPTON','MXZLO':'CONTECON MANZANILLO','CNSHA':'YANGSHAN PHASE IV','CNTAO':'QQCT QINGDAO','COCTG':'CONTECAR','CLSAI':'STI SAN ANTONIO','AUMEL':'SWANSON DOCK EAST','ZADUR':'DURBAN PIER 2','BEANR':'MPET DEURGANCK'}
ACT='FURNITURE|HOUSEWARES|HOME TEXTILES|CERAMICS|SEAFOODS|OLIVE OILS|LIGHTING|FASTENERS|FIBRES|COFFEE|BICYCLES|CANNED FOODS|HYDRAULICS|WINES|GLOVE INDUSTRIES|PLASTICS|AUTOMOTIVE|GARMENTS|FURNITURE|PACKAGING'.split('|')
class S: pass
class Scn(S):
    def __init__(s,r,o=None,d=None,car=None,inl=False,n=(1,3),goods_=None,yr=2026):
        s.r=r; s.sc=car or r.choice(list(CAR)[:10]); s.car=CAR[s.sc]
        s.pol=r.choice(o or ASIA); s.pod=r.choice([x for x in (d or USP) if x[:2]!=s.pol[:2]]); s.dl=r.choice(INL) if inl and s.pod[:2]=='US' else s.pod; s.por=s.pol
        s.oc,s.dc=s.pol[:2],s.pod[:2]
        s.shipper=company(r,s.oc); s.cnee=company(r,s.dc); s.notify=company(r,s.dc,r.choice(['CUSTOMS BROKERS','LOGISTICS'])) 
        s.ofwd=forwarder(r,s.oc); s.dfwd=forwarder(r,s.dc)
        s.bl=blno(r,s.sc,s.pol); s.hbl=L_(r,3)+s.pol[2:]+D_(r,7); s.bk=r.choice([D_(r,9),s.pol[2:]+D_(r,7),L_(r,3)+D_(r,8)])
        s.vsl=r.choice(VES); s.voy=r.choice(['%03d%s'%(r.randint(1,199),r.choice('EWNS')),'%d%s'%(r.randint(610,652),r.choice('EWNS')),'0'+L_(r,3)+str(r.randint(1,9))+r.choice('EW')+'1MA']); s.imo=imo(r)
        s.etd=dt.date(yr,r.randint(1,8),r.randint(1,28)); s.eta=s.etd+dt.timedelta(r.randint(16,38)); s.iss=s.etd+dt.timedelta(r.randint(0,2))
        s.g=goods_ or goods(r,s.pol[:2]); s.dsc,s.hs,s.pk,s.unit,s.pr,kg,cb,s.pp=s.g
        k=r.randint(*n); st=r.choice(['40HC','40HC','40HC','40GP','20GP','20GP','45HC'])
        if s.pk in('PALLETS','BAGS','CASES'): st='20GP'
        if s.hs.startswith('0306'): st='40RH'
        s.ctrs=[]
        for i in range(k):
            c=ctr(r,st); cap={'20GP':27,'40GP':56,'40HC':66,'45HC':74,'40RH':52}[st]; mx=min(cap/cb,25500/kg)
            c.pk=int(mx*r.uniform(.72,.97)); c.gw=round(c.pk*kg,1); c.nw=round(c.gw*.93,1); c.vol=round(c.pk*cb*r.uniform(.98,1.0),2); s.ctrs.append(c)
        s.kg,s.cb=kg,cb; s.fix()
        if s.oc not in('ES','IT','FR','PT','BR','DE','TR'): s.shipper=company(r,s.oc,ACT[GOODS.index(s.g)])
        s.po='PO'+D_(r,6); s.inv=r.choice(['INV-','CI-','EX']) + '26'+D_(r,5)
        s.ft=r.choice(['prepaid','collect'])
        s.term=TERM.get(s.pod,PORTS[s.pod][0]+' CONTAINER TERMINAL')
        s.firms=r.choice('ABEHLNPWYZ')+D_(r,3)
    def fix(s):
        s.tp=sum(c.pk for c in s.ctrs); s.tg=round(sum(c.gw for c in s.ctrs),1); s.tn=round(sum(c.nw for c in s.ctrs),1); s.tv=round(sum(c.vol for c in s.ctrs),2)
    def size(s,n,st):
        s.ctrs=s.ctrs[:n]; s.fix()
MON={'es':'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre','fr':'janvier février mars avril mai juin juillet août septembre octobre novembre décembre','de':'Januar Februar März April Mai Juni Juli August September Oktober November Dezember','it':'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre','pt':'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro','nl':'januari februari maart april mei juni juli augustus september oktober november december'}
def fd(d,f):
    m=d.month-1
    if f in MON:
        w=MON[f].split()[m]; return {'es':f'{d.day} de {w} de {d.year}','pt':f'{d.day} de {w} de {d.year}','de':f'{d.day}. {w} {d.year}'}.get(f,f'{d.day} {w} {d.year}')
    if f=='cn': return f'{d.year}年{d.month}月{d.day}日'
    return d.strftime({'dMy':'%d %b %Y','d-M-y':'%d-%b-%Y','DMY':'%d %b %Y','iso':'%Y-%m-%d','mdy':'%m/%d/%Y','dmy/':'%d/%m/%Y','dmy.':'%d.%m.%Y','dmy-':'%d-%m-%Y','Mdy':'%b %d, %Y','long':'%B %d, %Y','y/':'%Y/%m/%d','d/M/y':'%d/%b/%Y','compact':'%d%b%Y','M-d-y':'%b-%d-%Y'}[f]).upper() if f in('DMY','compact') else d.strftime({'dMy':'%d %b %Y','d-M-y':'%d-%b-%Y','iso':'%Y-%m-%d','mdy':'%m/%d/%Y','dmy/':'%d/%m/%Y','dmy.':'%d.%m.%Y','dmy-':'%d-%m-%Y','Mdy':'%b %d, %Y','long':'%B %d, %Y','y/':'%Y/%m/%d','d/M/y':'%d/%b/%Y','M-d-y':'%b-%d-%Y'}[f])
NUMERIC=('mdy','dmy/','dmy.','dmy-')
def nz(v,d=4):
    s=f'{v:.{d}f}'; return s.rstrip('0').rstrip('.') if '.' in s else s
def n(v,d=2,st='en'):
    s=f'{v:,.{d}f}'
    if st=='en': return s
    if st=='de': return s.replace(',','_').replace('.',',').replace('_','.')
    if st=='fr': return s.replace(',',' ').replace('.',',')
    return s.replace(',','')
SZ={'iso':{'20GP':'22G1','40GP':'42G1','40HC':'45G1','45HC':'L5G1','40RH':'45R1'},'q':{'20GP':"20'DV",'40GP':"40'DV",'40HC':"40'HC",'45HC':"45'HC",'40RH':"40'RH"},'hq':{'20GP':'20GP','40GP':'40GP','40HC':'40HQ','45HC':'45HQ','40RH':'40RH'},'long':{'20GP':"20' DRY STANDARD",'40GP':"40' DRY STANDARD",'40HC':"40' HIGH CUBE",'45HC':"45' HIGH CUBE",'40RH':"40' REEFER HIGH CUBE"},'n':{k:k for k in('20GP','40GP','40HC','45HC','40RH')}}
class P:
    def __init__(p,typ,layout): p.t=typ; p.layout=layout; p.f={}; p.nums=[]; p.unj=[]
    def N(p,k,s):
        p.f[k]=re.sub(r'[^A-Z0-9]','',s.upper()); return s
    def X(p,k,s): p.f[k]=s; return s
    def D(p,k,d,f,t=None,ts=' '):
        if f in NUMERIC: p.nums.append(d.day)
        if k: p.f[k]=d.strftime('%Y-%m-%d')+(f'T{t}' if t else '')
        return fd(d,f)+(ts+t if t else '')
    def PL(p,k,c,f='nc'):
        if k: p.f[k]=c
        a,b=PORTS[c]
        if c in ST and f in('nc','us'): b=ST[c]+(', USA' if f=='nc' else '')
        if f=='n': return a
        if f=='Nc': return (a+', '+b).title().replace("'S","'s")
        if f=='code': return f'{a} ({c})'
        if f=='cfirst': return f'{c} {a}'
        if a==b: return a
        return f'{a}, {b}'
    def PA(p,k,c,sep='<br>',lim=9):
        p.f[k]={'name':c.name,'address':c.addr}; return sep.join([c.name]+c.lines)
    def NM(p,k,c):
        p.f[k]={'name':c.name}; return c.name
    def CODE(p,k,v,pr=None): p.f[k]=v; return pr or v
    def Q(p,k,v,d=0,st='en',pr=None): p.f[k]=nz(v); return pr or n(v,d,st)
    def W(p,k,v,d=1,st='en',u='kg',pu=' KGS'): p.f[k]=nz(v)+' '+u; return n(v,d,st)+pu
    def V(p,k,v,d=2,st='en',pu=' CBM'): p.f[k]=nz(v)+' m3'; return n(v,d,st)+pu
    def M(p,k,v,cur,d=2,st='en',pr=''): p.f[k]=(cur+' ' if cur else '')+nz(v,2); return pr+n(v,d,st)
    def DESC(p,k,lines,sep='<br>'): p.f[k]=' '.join(lines); return sep.join(lines)
    def FT(p,s,pr='FREIGHT {}'): p.f['freight_terms']=s.ft; return pr.format(s.ft.upper())
    def CT(p,cs,cols):
        L=[]
        for c in cs:
            x={}
            for k in cols.split():
                x.update({'n':{'number':c.no},'s':{'seal':c.seal},'z':{'size_type':c.st},'p':{'packages':str(c.pk)},'g':{'gross_weight':nz(c.gw)+' kg'},'v':{'volume':nz(c.vol)+' m3'}}[k])
            L.append(x)
        p.f['containers']=L; return cs
    def row(p,k,**x): p.f.setdefault(k,[]).append(x)
def sp(no): return no[:4]+' '+no[4:]
def spd(no): return no[:4]+' '+no[4:10]+'-'+no[10]
# html
def G(rows,cls='g',w=None):
    o=f'<table class="{cls}">'
    if w: o+='<colgroup>'+''.join(f'<col style="width:{x}%">' for x in w)+'</colgroup>'
    for r in rows:
        o+='<tr>'
        for c in r:
            if isinstance(c,str): o+=f'<td>{c}</td>'; continue
            c=list(c)+[1,1,''][len(c)-2:]; cap,v,cs,rs,stl=c
            o+=f'<td colspan={cs} rowspan={rs} style="{stl}">'+(f'<div class=c>{cap}</div>' if cap else '')+f'<div class=v>{v}</div></td>'
        o+='</tr>'
    return o+'</table>'
def K(rows,cls='k',sep=':'): return f'<table class="{cls}">'+''.join(f'<tr><td class=kc>{a}{sep}</td><td class=kv>{b}</td></tr>' for a,b in rows)+'</table>'
def K2(rows,cls='k',sep=':'):
    o=f'<table class="{cls}">'
    for r in rows: o+='<tr>'+''.join(f'<td class=kc>{a}{sep}</td><td class=kv>{b}</td>' for a,b in r)+'</tr>'
    return o+'</table>'
def TB(h,rows,cls='t',al='',foot=None):
    al=al.ljust(40,'l'); sty={'l':'left','r':'right','c':'center'}
    o=f'<table class="{cls}"><thead><tr>'+''.join(f'<th style="text-align:{sty[al[i]]}">{x}</th>' for i,x in enumerate(h))+'</tr></thead><tbody>'
    for r in rows: o+='<tr>'+''.join(f'<td style="text-align:{sty[al[i]]}">{x}</td>' for i,x in enumerate(r))+'</tr>'
    if foot: o+='<tr class=f>'+''.join(f'<td style="text-align:{sty[al[i]]}">{x}</td>' for i,x in enumerate(foot))+'</tr>'
    return o+'</tbody></table>'
SANS="'Liberation Sans',Arial"; SERIF="'Liberation Serif',Times"; MONO="'Liberation Mono',Courier"; DJ="'DejaVu Sans'"; DJS="'DejaVu Serif'"; CJK="'Noto Sans CJK SC','Liberation Sans'"
def H(body,font=SANS,px=11,size='A4',css='',m='10mm'):
    px=round(px*1.18,1)
    return f'''<!DOCTYPE html><html><head><meta charset="utf-8"><title>Document</title><style>@page{{size:{size};margin:{m}}}
body{{font-family:{font};font-size:{px}px;color:#111;margin:0}} table{{border-collapse:collapse;width:100%}} td,th{{vertical-align:top}}
table.g td{{border:1px solid #222;padding:2px 4px}} .c{{font-size:{px*.7:.1f}px;color:#333}} .v{{min-height:{px*1.25:.0f}px}}
table.t th{{border:1px solid #222;padding:2px 4px;font-size:{px*.85:.1f}px}} table.t td{{border:1px solid #222;padding:2px 4px}}
table.k td{{padding:1px 5px}} td.kc{{white-space:nowrap}} thead{{display:table-header-group}} tr{{page-break-inside:avoid}}
.small{{font-size:{px*.68:.1f}px;color:#333}} .r{{text-align:right}} .ce{{text-align:center}} h1{{margin:4px 0}} {css}</style></head><body>{body}</body></html>'''
REG={}
def L(name,typ,kind='html',size='A4',**o):
    def dec(f): REG[name]=dict(fn=f,typ=typ,kind=kind,size=size,o=o,name=name); return f
    return dec
BOIL="RECEIVED by the Carrier the Goods as specified above in apparent good order and condition unless otherwise stated, to be transported to such place as agreed, authorised or permitted herein and subject to all the terms and conditions appearing on the front and reverse of this document to which the Merchant agrees by accepting it, any local privileges and customs notwithstanding. The particulars given above as stated by the shipper and the weight, measure, quantity, condition, contents and value of the Goods are unknown to the Carrier."
WIT="IN WITNESS whereof the number of original Bills of Lading stated on this side have been signed, one of which being accomplished the others to be void."
