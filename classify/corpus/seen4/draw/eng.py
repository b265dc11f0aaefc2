import random, re, datetime as D, html, json, os, subprocess, shutil
def unh(s):
    s=re.sub(r'<br\s*/?>','\n',s); s=re.sub(r'<[^>]+>',' ',s); return html.unescape(s).replace('\u00a0',' ').replace('\u202f',' ')
def dec(x):
    s=('%.4f'%x).rstrip('0').rstrip('.'); return s
def num(x,dp=2,loc='en'):
    s='{:,.{p}f}'.format(x,p=dp)
    if loc=='en': return s
    if loc=='plain': return s.replace(',','')
    if loc=='de': return s.replace(',','_').replace('.',',').replace('_','.')
    if loc=='fr': return s.replace(',',' ').replace('.',',')
    if loc=='ch': return s.replace(',',"'")
    raise Exception(loc)
EN=['January','February','March','April','May','June','July','August','September','October','November','December']
MON={'en':EN,'es':['enero','febrero','marzo','abril','mayo','junio','julio','agosto','septiembre','octubre','noviembre','diciembre'],
'fr':['janvier','février','mars','avril','mai','juin','juillet','août','septembre','octobre','novembre','décembre'],
'de':['Januar','Februar','März','April','Mai','Juni','Juli','August','September','Oktober','November','Dezember'],
'it':['gennaio','febbraio','marzo','aprile','maggio','giugno','luglio','agosto','settembre','ottobre','novembre','dicembre'],
'nl':['januari','februari','maart','april','mei','juni','juli','augustus','september','oktober','november','december'],
'pt':['janeiro','fevereiro','março','abril','maio','junho','julho','agosto','setembro','outubro','novembro','dezembro']}
def fdate(d,f):
    m=EN[d.month-1]
    r={'iso':'%d-%02d-%02d'%(d.year,d.month,d.day),'dMy':'%02d %s %d'%(d.day,m[:3].upper(),d.year),'d-M-y':'%02d-%s-%d'%(d.day,m[:3],d.year),
    'd-M-yy':'%02d-%s-%02d'%(d.day,m[:3].upper(),d.year%100),'M d, y':'%s %d, %d'%(m,d.day,d.year),'Md,y':'%s. %02d, %d'%(m[:3].upper(),d.day,d.year),'d M y':'%d %s %d'%(d.day,m,d.year),
    'eu/':'%02d/%02d/%d'%(d.day,d.month,d.year),'eu/yy':'%02d/%02d/%02d'%(d.day,d.month,d.year%100),'us/':'%02d/%02d/%d'%(d.month,d.day,d.year),'us/yy':'%d/%d/%02d'%(d.month,d.day,d.year%100),
    'eu.':'%02d.%02d.%d'%(d.day,d.month,d.year),'eu-':'%02d-%02d-%d'%(d.day,d.month,d.year),'zh':'%d年%d月%d日'%(d.year,d.month,d.day),'y/':'%d/%02d/%02d'%(d.year,d.month,d.day),'dMyc':'%02d%s%02d'%(d.day,m[:3].upper(),d.year%100),
    'ord':'%s %d%s, %d'%(m,d.day,{1:'st',2:'nd',3:'rd',21:'st',22:'nd',23:'rd',31:'st'}.get(d.day,'th'),d.year)}
    if f in r: return r[f]
    L=MON[f][d.month-1]
    if f in('es','pt'): return '%d de %s de %d'%(d.day,L,d.year)
    if f=='de': return '%d. %s %d'%(d.day,L,d.year)
    return '%d %s %d'%(d.day,L,d.year)
class F:
    def __init__(s,doc=None): s.f={}; s.doc=doc or s
    def _p(s,k,v,pr):
        if k in s.f and s.f[k]!=v: raise Exception('two values %s: %r %r'%(k,s.f[k],v))
        s.f[k]=v; s.doc.printed.append((k,unh(pr))); return pr
    def n(s,k,p): return s._p(k,re.sub(r'[^A-Z0-9]','',p.upper()),p)
    def t(s,k,p): return s._p(k,' '.join(unh(p).split()),p)
    def pr(s,k,p): return s._p(k,' '.join(unh(p).split()),p)
    def pa(s,k,co,sep='<br>',lines=9,b=True):
        a=co[1][:lines]; v={'name':html.unescape(co[0])}
        if a: v['address']=', '.join(a)
        return s._p(k,v,sep.join([co[0]]+a))
    def pl(s,k,port,st='n'):
        c,nm,ct=port; 
        p={'n':nm,'nc':'%s, %s'%(nm,ct),'u':nm.upper(),'uc':'%s, %s'%(nm.upper(),ct.upper()),'code':c,'n(c)':'%s (%s)'%(nm,c),'c n':'%s %s'%(c,nm.upper()),'n/c':'%s / %s'%(nm,c)}[st]
        return s._p(k,c,p)
    def d(s,k,d,f,tm=None,sep=' '):
        p=fdate(d,f); v=fdate(d,'iso')
        if tm: v+='T'+tm; p+=sep+tm+('' if not hasattr(s,'hrs') else s.hrs)
        return s._p(k,v,p)
    def q(s,k,x,loc='en',dp=0): return s._p(k,dec(x),num(x,dp,loc))
    def m(s,k,x,dp=2,loc='en',suf=' kg',unit='kg'): x=round(x,dp); return s._p(k,dec(x)+' '+unit,num(x,dp,loc)+suf)
    def v(s,k,x,dp=3,loc='en',suf=' m³'): x=round(x,dp); return s._p(k,dec(x)+' m3',num(x,dp,loc)+suf)
    def mo(s,k,x,cur='',dp=2,loc='en',pre='',suf=''): x=round(x,dp); return s._p(k,(cur+' ' if cur else '')+dec(x),pre+num(x,dp,loc)+suf)
    def c(s,k,v,p): return s._p(k,v,p)
    def row(s,k):
        r=F(s.doc); s.f.setdefault(k,[]).append(r.f); return r
class Doc(F):
    def __init__(s,typ,layout): 
        s.printed=[]; F.__init__(s); s.typ=typ; s.layout=layout; s.unj=[]
CAR={'MAEU':('Maersk','Maersk A/S','MAEU2%08d',['MSKU','MRKU','MAEU']),'MSCU':('MSC','MSC Mediterranean Shipping Company S.A.','MEDU%07d',['MSCU','MEDU','MSMU']),
'CMDU':('CMA CGM','CMA CGM S.A.','CMDU%s%07d',['CMAU','CGMU','TLLU']),'HLCU':('Hapag-Lloyd','Hapag-Lloyd AG','HLCU%s26%08d',['HLXU','HLBU','UACU']),
'ONEY':('ONE','Ocean Network Express Pte. Ltd.','ONEY%sG%07d00',['ONEU','TCLU','NYKU']),'EGLV':('Evergreen','Evergreen Line','EGLV1406%08d',['EGHU','EITU','EMCU']),
'COSU':('COSCO','COSCO Shipping Lines Co., Ltd.','COSU63%08d',['CSNU','CBHU','CCLU']),'HDMU':('HMM','HMM Co., Ltd.','HDMU%sA%08d',['HMMU','HDMU','KOCU']),
'ZIMU':('ZIM','ZIM Integrated Shipping Services Ltd.','ZIMU%s%07d',['ZIMU','ZCSU','ZCLU']),'YMLU':('Yang Ming','Yang Ming Marine Transport Corp.','YMLUI236%06d',['YMLU','YMMU','YMEU']),
'OOLU':('OOCL','Orient Overseas Container Line Limited','OOLU27%08d',['OOLU','OOCU','TCNU'])}
ISO={c:i for i,c in enumerate('0123456789A?BCDEFGHIJK?LMNOPQRSTU?VWXYZ') }
def _v(ch):
    if ch.isdigit(): return int(ch)
    v=10
    for c in 'ABCDEFGHIJKLMNOPQRSTUVWXYZ':
        while v%11==0: v+=1
        if c==ch: return v
        v+=1
def cdig(s): return sum(_v(c)*2**i for i,c in enumerate(s))%11%10
def imo(r):
    a=str(r.randint(910000,989999)); return a+str(sum(int(c)*(7-i) for i,c in enumerate(a))%10)
P={}
for l in '''CNSHA Shanghai China|CNNGB Ningbo China|CNYTN Yantian China|CNTAO Qingdao China|CNXMN Xiamen China|VNSGN Ho_Chi_Minh_City Vietnam|VNHPH Haiphong Vietnam|INNSA Nhava_Sheva India|INMUN Mundra India|TRIST Istanbul Turkey|TRMER Mersin Turkey|DEHAM Hamburg Germany|DEBRV Bremerhaven Germany|NLRTM Rotterdam Netherlands|BEANR Antwerp Belgium|FRLEH Le_Havre France|FRFOS Fos-sur-Mer France|ESVLC Valencia Spain|ESBCN Barcelona Spain|ESALG Algeciras Spain|ITGOA Genoa Italy|ITSPE La_Spezia Italy|PTLEI Leixoes Portugal|PTSIE Sines Portugal|GBFXT Felixstowe United_Kingdom|GBSOU Southampton United_Kingdom|USNYC New_York United_States|USSAV Savannah United_States|USLAX Los_Angeles United_States|USLGB Long_Beach United_States|USHOU Houston United_States|USCHS Charleston United_States|USORF Norfolk United_States|USOAK Oakland United_States|BRSSZ Santos Brazil|BRPNG Paranagua Brazil|BRITJ Itajai Brazil|CLSAI San_Antonio Chile|PECLL Callao Peru|COCTG Cartagena Colombia|MXZLO Manzanillo Mexico|MXVER Veracruz Mexico|ARBUE Buenos_Aires Argentina|KRPUS Busan South_Korea|JPYOK Yokohama Japan|THLCH Laem_Chabang Thailand|MYPKG Port_Klang Malaysia|IDJKT Jakarta Indonesia|AUMEL Melbourne Australia|AUSYD Sydney Australia|ZADUR Durban South_Africa|EGALY Alexandria Egypt|MAPTM Tanger_Med Morocco|AEJEA Jebel_Ali United_Arab_Emirates|LKCMB Colombo Sri_Lanka|USCHI Chicago United_States|USATL Atlanta United_States|USDAL Dallas United_States|DEMUC Munich Germany|ESMAD Madrid Spain|CAVAN Vancouver Canada|CATOR Toronto Canada'''.split('|'):
    a,b,c=l.split(' '); P[a]=(a,b.replace('_',' '),c.replace('_',' '))
CO={}
for l in '''CN:Jinhu Brightway Houseware Co., Ltd.;No. 288 Xingye Road, Jinhu Industrial Zone;Ningbo 315010, China
CN:Dongyue Kaide Machinery Manufacturing Co., Ltd.;Building 7, 1066 Hutai North Road;Shanghai 201908, P.R. China
CN:Xiamen Lotus Harbour Stone Import & Export Co., Ltd.;Unit 1203, 39 Hubin East Road;Xiamen 361004, China
CN:Qingdao Haiming Rubber Products Co., Ltd.;52 Chongqing South Road;Qingdao 266022, China
CN:Shenzhen Velora Lighting Technology Co., Ltd.;4/F, Block C, Longgang Innovation Park;Shenzhen 518116, China
VN:Phuong Nam Timber Joint Stock Company;Lot B12, Song Than 2 Industrial Park;Di An, Binh Duong, Vietnam
VN:Hai Long Garment Export Co., Ltd.;17 Nguyen Van Linh Street;Haiphong, Vietnam
IN:Saravana Weaves Private Limited;SF No. 114, Tiruppur Main Road;Coimbatore 641014, Tamil Nadu, India
IN:Malwa Forge & Fittings Pvt. Ltd.;Plot 42, GIDC Phase II;Rajkot 360024, Gujarat, India
TR:Ege Toros Seramik Sanayi A.S.;Organize Sanayi Bolgesi 5. Cadde No:14;35730 Izmir, Turkey
TR:Karatepe Kuru Meyve Ltd. Sti.;Liman Mah. 1204 Sok. No:8;33010 Mersin, Turkey
DE:Wendelmann Pumpentechnik GmbH;Industriestraße 48;28309 Bremen, Germany
DE:Kruppach & Söhne Werkzeugbau GmbH;Am Eichenkamp 12;58636 Iserlohn, Germany
DE:Nordhafen Handelskontor GmbH;Großer Grasbrook 9;20457 Hamburg, Germany
NL:Van der Hoeve Bloembollen B.V.;Leidsevaart 112;2211 WJ Noordwijkerhout, Netherlands
NL:Maasduin Foodtrade B.V.;Waalhaven Z.z. 41;3088 HH Rotterdam, Netherlands
FR:Établissements Carrouget SAS;14 rue des Tonneliers;33300 Bordeaux, France
FR:Verrerie du Val d'Orne SA;Zone industrielle Nord;61200 Argentan, France
ES:Conservas Peñaverde S.L.;Polígono Industrial Oeste, Parc. 22;30169 San Ginés, Murcia, Spain
ES:Cerámicas Almassera S.A.;Camí Vell de Castelló 41;12540 Vila-real, Spain
IT:Officine Bertolazzi S.r.l.;Via dell'Artigianato 33;41012 Carpi (MO), Italy
IT:Frantoio Valdoro S.p.A.;Strada Provinciale 18;70031 Andria (BA), Italy
PT:Cortiças do Vale Sereno, Lda.;Rua da Indústria 210;4536-902 Santa Maria de Lamas, Portugal
BR:Café Serra Dourada Exportadora Ltda.;Av. Ana Costa 482, cj. 71;11060-002 Santos - SP, Brazil
BR:Madeireira Três Pinhais S.A.;Rodovia BR-277, km 92;83601-000 Campo Largo - PR, Brazil
MX:Comercializadora Rivas Montejo S.A. de C.V.;Av. Elías Zamora 1350;28219 Manzanillo, Colima, Mexico
CL:Viña Quebrada Larga S.A.;Fundo El Peumo s/n;Rancagua, Chile
CO:Inversiones Tierrabuena S.A.S.;Calle 26 No. 69-76, Of. 1104;Bogotá D.C., Colombia
PE:Agroexportadora Los Sauces S.A.C.;Av. Argentina 3120;Callao, Peru
US:Halvorsen Outdoor Supply LLC;4410 Commerce Parkway;Savannah, GA 31405, USA
US:Bluestem Home Goods, Inc.;2250 E. Carson Street, Suite 310;Long Beach, CA 90810, USA
US:Tidewater Industrial Parts Corp.;7801 Hampton Boulevard;Norfolk, VA 23505, USA
US:Prairie Gate Distributors Inc.;1500 W. Pershing Road;Chicago, IL 60609, USA
US:Redfern & Lowe Furnishings, Inc.;88 Raritan Center Parkway;Edison, NJ 08837, USA
US:Castell Building Products LP;11200 Clinton Drive;Houston, TX 77029, USA
GB:Ashcombe & Tull Retail Ltd;Unit 6, Trinity Distribution Park;Felixstowe IP11 4ST, United Kingdom
GB:Pennard Hardware PLC;19 Western Esplanade;Southampton SO15 1HJ, United Kingdom
AU:Wattlebird Imports Pty Ltd;22 Dohertys Road;Laverton North VIC 3026, Australia
ZA:Umhlali Trading (Pty) Ltd;41 Maydon Road;Durban 4001, South Africa
CA:Northlake Cycle & Sport Inc.;6380 Viscount Road;Mississauga, ON L4V 1H3, Canada'''.split('\n'):
    k,v=l.split(':',1); a=v.split(';'); CO.setdefault(k,[]).append((a[0],a[1:]))
FWD={'US':[('Lodestar Pacific Forwarding Inc.',['1911 N. Gaffey Street','San Pedro, CA 90731']),('Corriveau Global Logistics LLC',['250 Harbor Drive, 4th Floor','Jersey City, NJ 07305'])],
'CN':[('Grandsail Union Logistics Co., Ltd.',['Rm 1806, Ocean Tower, 550 Yan An East Rd','Shanghai 200001, China']),('Pearl Anchor Freight (Shenzhen) Ltd.',['12/F, Nanyou Plaza','Shenzhen 518054, China'])],
'DE':[('Tiedemann & Rosch Spedition GmbH',['Bei den Mühren 70','20457 Hamburg'])],'ES':[('Transitaria Levantina del Puerto S.L.',['C/ Menorca 19, 5ª','46023 Valencia'])],'FR':[('Transit Cauchois & Lemarié SAS',['22 quai de Southampton','76600 Le Havre'])],
'IT':[('Casa di Spedizioni Morchio S.r.l.',['Via di Francia 28','16149 Genova'])],'NL':[('Expeditie Brandsma & Zonen B.V.',['Wilhelminakade 91','3072 AP Rotterdam'])],'PT':[('Despachantes Barreto & Lage, Lda.',['Rua de Ceuta 118','4450-001 Matosinhos'])],'BR':[('Atlântica Sul Agenciamento de Cargas Ltda.',['Rua XV de Novembro 65','11010-150 Santos - SP'])],
'GB':[('Brackley Marsh Shipping Ltd',['Haven House, Walton Avenue','Felixstowe IP11 3HH'])],'IN':[('Konkan Star Cargo Movers Pvt. Ltd.',['304 Navkar Chambers, Andheri East','Mumbai 400059, India'])],'MX':[('Agencia Aduanal Treviño Larios S.C.',['Blvd. Costero 77','28200 Manzanillo'])],'AU':[('Yarra Gate Customs & Forwarding Pty Ltd',['5/144 Lorimer Street','Port Melbourne VIC 3207'])]}
SHIP='CAPE LANNION|NORDVIND|ORION TRADER|BALTIC HERON|SEASPIRIT KOBE|AEGEAN LARK|PACIFIC SONNET|TAMARIND BAY|KESTREL STRAIT|CORAL MERIDIAN|MONTE SARRIA|RIO CALDERA|STELLA VESPERA|HANSA WIDUKIND|JADE LANTERN|ATLANTIC GANNET|SIRIUS HARMONY|ALBION COURIER'.split('|')
# desc, hs, unit, price, pkgword, units/pkg, kg/pkg gross, tare kg, m3/pkg
GOODS={'house':[('Stainless steel cookware set, 10 pcs','7323.93.00','SET',18.4,'CARTONS',4,13.6,1.1,.062),('Glass storage jar 1.2 L with bamboo lid','7013.49.20','PCS',1.35,'CARTONS',24,17.2,1.3,.051),('Porcelain dinner plate 27 cm, white','6911.10.90','PCS',.92,'CARTONS',36,21.5,1.2,.038),('Silicone baking mat 40x60 cm','3924.10.00','PCS',1.08,'CARTONS',60,14.9,.9,.033)],
'lamp':[('LED panel light 36W 600x600','9405.42.10','PCS',11.75,'CARTONS',8,16.4,1.6,.071),('LED floodlight 100W IP65','9405.42.90','PCS',14.2,'CARTONS',6,12.8,1.1,.044),('Solar garden bollard 60 cm','9405.41.00','PCS',7.9,'CARTONS',10,15.3,1.4,.083)],
'text':[('Men\'s cotton T-shirt, knitted, 180 gsm','6109.10.00','PCS',2.65,'CARTONS',72,15.8,1.4,.066),('Cotton terry bath towel 70x140','6302.60.00','PCS',3.1,'CARTONS',40,21.2,1.2,.079),('Ladies woven viscose blouse','6206.40.00','PCS',5.4,'CARTONS',48,11.9,1.3,.058)],
'mach':[('Centrifugal pump NK 65-200, 7.5 kW','8413.70.21','PCS',865,'CASES',1,142,18,.41),('Mechanical seal kit 45 mm','8484.20.00','PCS',58.5,'CASES',20,36,4,.09),('Cast iron impeller D200','8413.91.00','PCS',74.2,'CASES',12,98,9,.12)],
'stone':[('Polished granite slab G654, 20 mm','6802.23.11','M2',21.8,'CRATES',54,2980,85,1.55),('Granite kerbstone 100x30x15 cm','6801.00.00','PCS',9.6,'CRATES',20,2440,60,1.1)],
'food':[('Artichoke hearts in brine, 6x2.5 kg tins','2005.99.50','CTN',19.6,'CARTONS',1,17.4,2.1,.021),('Peeled tomatoes 24x400 g','2002.10.11','CTN',9.85,'CARTONS',1,11.2,1.4,.014),('Roasted red peppers 12x720 ml','2005.99.10','CTN',13.4,'CARTONS',1,13.9,3.2,.019)],
'oil':[('Extra virgin olive oil 12x750 ml','1509.20.00','CTN',64.8,'CARTONS',1,14.2,5.8,.022),('Pomace olive oil 4x5 L PET','1510.10.00','CTN',52.3,'CARTONS',1,19.4,.9,.027)],
'coffee':[('Green arabica coffee, NY 2/3, screen 17/18','0901.11.00','BAGS',268,'BAGS',1,60.5,.5,.085),('Green arabica coffee, good cup, screen 14/16','0901.11.00','BAGS',251.5,'BAGS',1,60.5,.5,.085)],
'furn':[('Acacia wood dining table 180x90','9403.60.10','PCS',128,'CARTONS',1,48.5,5.2,.29),('Acacia wood folding chair, pair','9401.69.00','CTN',39.9,'CARTONS',1,13.7,1.9,.094),('Teak outdoor bench 150 cm','9401.69.00','PCS',72.5,'CARTONS',1,24.6,2.8,.17)],
'wine':[('Carmenere Reserva 2024, 6x75 cl','2204.21.42','CTN',22.8,'CARTONS',1,8.1,3.2,.013),('Sauvignon Blanc 2025, 6x75 cl','2204.21.22','CTN',19.7,'CARTONS',1,8.0,3.2,.013)],
'tyre':[('Agricultural tyre 420/85R30','4011.70.00','PCS',214,'PALLETS',6,690,22,1.9),('Inner tube TR218A','4013.90.00','PCS',11.4,'PALLETS',80,410,20,1.2)],
'tile':[('Porcelain floor tile 60x60, matt, Gris Lluna','6907.21.00','M2',7.45,'PALLETS',52,1180,24,.95),('Wall tile 30x90 white glossy','6907.23.00','M2',8.9,'PALLETS',46,820,24,.9)],
'cork':[('Natural cork stoppers 45x24, first grade','4503.10.10','MIL',212,'BAGS',5,22,.6,.14),('Agglomerated cork flooring sheets 915x305','4504.10.91','M2',12.6,'PALLETS',120,640,22,1.4)],
'tool':[('Combination pliers 180 mm, insulated','8203.20.00','PCS',6.85,'CARTONS',60,21.6,1.2,.036),('Socket set 1/2", 24 pcs','8204.20.00','SET',31.9,'CARTONS',6,18.8,1.1,.029),('Hex key set 9 pcs','8204.11.00','SET',4.15,'CARTONS',100,24.2,1.3,.03)],
'bike':[('Alloy bicycle frame 27.5"','8714.91.10','PCS',41.6,'CARTONS',6,15.2,2.1,.19),('Bicycle saddle, gel','8714.95.00','PCS',5.3,'CARTONS',40,19.5,1.7,.12)],
'fruit':[('Dried apricots no. 2, 12.5 kg','0813.10.00','CTN',61,'CARTONS',1,13.2,.7,.024),('Sultana raisins type 9, 10 kg','0806.20.30','CTN',22.4,'CARTONS',1,10.6,.6,.017)],
'bulb':[('Tulip bulbs 12/+ mixed, crates','0601.10.30','CRT',48,'CRATES',1,15.5,1.5,.048),('Hyacinth bulbs 16/17','0601.10.10','CRT',66,'CRATES',1,14.2,1.5,.048)]}
class S: pass
def scen(seed,frm,to,goods,scac=None,nc=2,nl=None,buyer=None):
    r=random.Random(seed); s=S(); s.r=r
    s.pol=P[frm]; s.pod=P[to]; s.ship=r.choice(SHIP); s.imo=imo(r); s.voy=r.choice(['%03d%s'%(r.randint(101,640),r.choice('EWNS')),'%d%s'%(r.randint(2601,2640),r.choice('EW')),'0%s%d%s'%(r.choice('FMXPL'),r.randint(11,99),r.choice(['E1','W1','N1','S1']))])
    s.scac=scac or r.choice(list(CAR)); n,full,form,pref=CAR[s.scac]; s.line=n; s.linefull=full
    loc=frm[2:]
    k=r.randint(1001000,9899999)
    s.bl=form%((loc,k) if '%s' in form else (k,)); s.bkg={'MAEU':'2%08d'%r.randint(1e7,9e7),'HLCU':'%08d'%r.randint(2e7,8e7),'COSU':'63%08d'%r.randint(1e7,9e7),'OOLU':'27%08d'%r.randint(1e7,9e7),'EGLV':'1406%08d'%r.randint(1e6,9e7),'MSCU':'EBKG%08d'%r.randint(1e7,2e7),'CMDU':loc+'%07d'%r.randint(1e6,9e6),'ONEY':loc+'G%08d'%r.randint(1e7,9e7),'HDMU':loc+'A%08d'%r.randint(1e7,9e7),'ZIMU':loc+'%07d'%r.randint(1e6,9e6),'YMLU':'YI236%05d'%r.randint(1e4,9e4)}[s.scac]
    s.exp=r.choice(CO.get(frm[:2],CO['CN'])); 
    cand=[c for c in CO.get(to[:2],CO['US']) if c!=s.exp]; s.imp=r.choice(cand)
    s.ntf=r.choice([c for c in FWD.get(to[:2],FWD['US'])]); s.fwd=r.choice(FWD.get(frm[:2],FWD['CN']))
    s.hbl=''.join(w[0] for w in s.fwd[0].upper().split()[:3] if w[0].isalpha())+loc+'%07d'%r.randint(2600001,2699999)
    d0=D.date(2026,r.randint(2,9),r.randint(13,19))
    s.etd=d0+D.timedelta(r.randint(0,8)); s.issue=d0; s.ob=s.etd; s.inv_d=D.date(d0.year,d0.month,13)-D.timedelta(0)
    s.bi=s.etd-D.timedelta(15)
    s.eta=s.etd+D.timedelta(r.randint(16,36)); s.lfd=s.eta+D.timedelta(r.randint(4,8)); s.notice=s.eta-D.timedelta(r.randint(3,6)); 
    for a in('eta','notice'):
        pass
    if s.notice.day<13: s.notice=s.notice.replace(day=s.notice.day+13) if False else s.notice
    s.goods=GOODS[goods][:nl] if nl else list(GOODS[goods]); s.cur=r.choice(['USD','USD','EUR']); s.inv='%s%d'%(r.choice(['INV-26','CI/2026/','EX26-','2026-','SI-']),r.randint(1001,9899)); s.po=r.choice(['PO-%d','45000%d','PO%d','P/O %d'][:3])%r.randint(10234,99871)
    s.lines=[]
    for g in s.goods:
        pk=r.randint(8,20) if g[6]>300 else r.randint(60,420); q=pk*g[5]; p=round(g[3]*r.uniform(.9,1.15),2)
        s.lines.append(dict(desc=g[0],hs=g[1],unit=g[2],price=p,qty=q,amt=round(q*p,2),pk=pk,pkw=g[4],gw=round(pk*g[6],1),nw=round(pk*(g[6]-g[7]),1),vol=round(pk*g[8],2)))
    s.total=round(sum(l['amt'] for l in s.lines),2); s.pk=sum(l['pk'] for l in s.lines); s.pkw=s.lines[0]['pkw']; s.gw=round(sum(l['gw'] for l in s.lines),1); s.nw=round(sum(l['nw'] for l in s.lines),1); s.vol=round(sum(l['vol'] for l in s.lines),2)
    s.con=[]; left=s.pk; lg=s.gw; lv=s.vol
    nc=max(nc,int(s.gw/26000)+1) if nc<10 else nc
    s.tk=r.choice(['40HC','40HC','20GP','40GP']) if s.gw/nc<22000 else '40HC'
    for i in range(nc):
        pk=left if i==nc-1 else s.pk//nc; f=pk/s.pk; gw=lg if i==nc-1 else round(s.gw*f,1); vo=lv if i==nc-1 else round(s.vol*f,2)
        left-=pk; lg=round(lg-gw,1); lv=round(lv-vo,2); b=r.choice(pref)+'%06d'%r.randint(100000,999999)
        s.con.append(dict(no=b+str(cdig(b)),seal=r.choice(['ML-%s%07d'%(loc[:2],r.randint(1e6,9e6)),'CN%06d'%r.randint(1e5,9e5),'%s%07d'%(loc,r.randint(1e6,9e6)),'H%07d'%r.randint(1e6,9e6)]),ty=s.tk,pk=pk,gw=gw,vol=vo))
    s.term={'USLAX':('Fenix Marine Services','Y258'),'USLGB':('Total Terminals International','Z978'),'USNYC':('APM Terminals Elizabeth','E425'),'USSAV':('Garden City Terminal','L738'),'USHOU':('Barbours Cut Terminal','S787'),'USCHS':('Wando Welch Terminal','N601'),'USORF':('Norfolk International Terminals','L219')}.get(to)
    if not s.term: s.term=({'GB':'Trinity Terminal','DE':'Container Terminal Altenwerder','NL':'ECT Delta Terminal','ES':'Noatum Terminal','IT':'Terminal San Giorgio','FR':'Terminal de France','AU':'Swanson Dock East'}.get(to[:2],'Terminal 2'),None)
    s.mark='%s\n%s\nC/NO. 1-%d'%(''.join(w[0] for w in s.imp[0].split() if w[0].isalpha()),s.pod[1].upper(),s.pk)
    return s
TY={'40HC':['40HC','40HQ',"40' HC",'45G1',"40' HIGH CUBE"],'20GP':['20GP','20DV',"20' DV",'22G1',"20' DRY"],'40GP':['40GP','40DV',"40' DV",'42G1',"40' DRY"]}
def cn(no,st=0): return [no,no[:4]+' '+no[4:],no[:4]+' '+no[4:10]+'-'+no[10],no[:4]+' '+no[4:7]+' '+no[7:10]+' '+no[10], no[:4]+no[4:10]+'-'+no[10]][st]
LAY={}
def lay(name,typ):
    def w(f): LAY[name]=(typ,f); return f
    return w
def page(body,css='',title='Document',size='A4',margin='12mm'):
    return '<!doctype html><html><head><meta charset="utf-8"><title>%s</title><style>@page{size:%s;margin:%s}body{font:10px Arial;margin:0}table{border-collapse:collapse}td,th{vertical-align:top;text-align:left}.r{text-align:right}small{font-size:80%%}%s</style></head><body>%s</body></html>'%(title,size,margin,css,body)
