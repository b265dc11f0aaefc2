"""Invented shipments, with the printed form and the normal form of every field."""
import random, datetime as dt
PORTS={"CNSHA":"Shanghai,China","CNNGB":"Ningbo,China","CNYTN":"Yantian,China","VNSGN":"Ho Chi Minh City,Vietnam","KRPUS":"Busan,South Korea","NLRTM":"Rotterdam,Netherlands","DEHAM":"Hamburg,Germany","BEANR":"Antwerp,Belgium","ESVLC":"Valencia,Spain","ITGOA":"Genova,Italy","PTLIS":"Lisbon,Portugal","FRLEH":"Le Havre,France","USLAX":"Los Angeles,United States","USNYC":"New York,United States","USSAV":"Savannah,United States","BRSSZ":"Santos,Brazil","CLSAI":"San Antonio,Chile","MXZLO":"Manzanillo,Mexico","INNSA":"Nhava Sheva,India","SGSIN":"Singapore,Singapore"}
ZH={"CNSHA":"上海","CNNGB":"宁波","CNYTN":"盐田","NLRTM":"鹿特丹","DEHAM":"汉堡","USLAX":"洛杉矶","SGSIN":"新加坡"}
ISS={"en":("CNSHA","USLAX"),"es":("CNNGB","MXZLO"),"fr":("VNSGN","FRLEH"),"de":("KRPUS","DEHAM"),"it":("CNSHA","ITGOA"),"nl":("INNSA","NLRTM"),"pt":("CNYTN","BRSSZ"),"zh":("CNSHA","DEHAM")}
LINES={"MAEU":"MAERSK","HLCU":"HAPAG-LLOYD","CMDU":"CMA CGM","ONEY":"OCEAN NETWORK EXPRESS","EGLV":"EVERGREEN LINE","YMLU":"YANG MING","COSU":"COSCO SHIPPING LINES","HDMU":"HMM","ZIMU":"ZIM"}
W1="Alderbrook Quillmont Tessaly Ravenholt Orbisal Verdanta Kolmira Pellworm Saltero Winterfeld Jadeira Norvika Castelbo Luminar Brackenby Ostrava Halcyra Meridosa".split()
W2="Textiles,Kitchenware,Machine Tools,Ceramics,Bearings,Lighting,Furniture,Foods,Paper,Plastics,Instruments,Cycles".split(",")
SUF={"en":["Ltd.","Inc.","LLC"],"es":["S.A. de C.V.","S.L."],"fr":["SARL","S.A.S."],"de":["GmbH","GmbH & Co. KG"],"it":["S.r.l.","S.p.A."],"nl":["B.V."],"pt":["Lda.","S.A."],"zh":["Co., Ltd."]}
ADR={"en":["410 Juniper Avenue|Carson, CA 90745|United States","77 Wharf Lane|Savannah, GA 31401|United States"],"es":["Av. Las Palmas 214, Col. Centro|28200 Manzanillo, Col.|México","Calle Azahar 18|46024 Valencia|España"],"fr":["12 rue des Docks|76600 Le Havre|France"],"de":["Speicherweg 14|20457 Hamburg|Deutschland","Lindenstraße 102|50674 Köln|Deutschland"],"it":["Via del Molo 31|16126 Genova|Italia"],"nl":["Maasvlakteweg 55|3199 LZ Rotterdam|Nederland"],"pt":["Rua do Cais 90|11010-000 Santos SP|Brasil","Av. da Ribeira 7|1300-100 Lisboa|Portugal"],"zh":["No. 88 Binhai Road, Pudong|Shanghai 200120|China","Room 1203, Haitong Building|Ningbo 315000|China"]}
SHIPS="NORDIC PETREL,CAPE ALDERNEY,MARLIN CREST,PACIFIC TANAGER,ATLAS BRIDGE,SELENE HORIZON,AMBER STRAIT,CORAL MAJESTY,OCEAN JUNIPER,VEGA DELTA".split(",")
GOODS=[("Stainless steel saucepans 18 cm","7323930000","CTNS"),("Ceramic floor tiles 60x60","6907210000","PLTS"),("LED panel lamps 40 W","9405420000","CTNS"),("Deep groove ball bearings 6204","8482100000","CTNS"),("Cotton bath towels 70x140","6302600000","BALES"),("Oak dining chairs","9403600000","CTNS"),("Frozen peeled shrimps","0306170000","CTNS"),("Bicycle frames aluminium","8714910000","CTNS"),("Polypropylene woven sacks","6305330000","BALES"),("Hand drills 750 W","8467210000","CTNS")]
ZG=["不锈钢锅","陶瓷地砖","LED面板灯","滚珠轴承","棉浴巾","橡木餐椅","冻虾仁","铝自行车架","编织袋","手电钻"]
MON={"en":"JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC","es":"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre","fr":"janvier février mars avril mai juin juillet août septembre octobre novembre décembre","de":"Januar Februar März April Mai Juni Juli August September Oktober November Dezember","it":"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre","nl":"januari februari maart april mei juni juli augustus september oktober november december","pt":"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"}
ORIG={"en":"China","es":"China","fr":"Viêt Nam","de":"Korea","it":"Cina","nl":"India","pt":"China","zh":"中国"}
SIZES={"40HC":["40' HC","40HQ","40HC","45G1"],"20GP":["20' GP","20GP","20'DV","22G1"],"40GP":["40GP","40' DRY","42G1"],"40RH":["40RH","40' REEFER HC","45R1"]}
def chk(b):
    v={c:n for c,n in zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",list(range(10))+[10]+list(range(12,22))+list(range(23,33))+list(range(34,39)))}
    return b+str(sum(v[c]*2**i for i,c in enumerate(b))%11%10)
def q(n):
    s=("%.3f"%n).rstrip("0").rstrip("."); return s
def num(n,lang,d):
    s=f"{n:,.{d}f}"
    if lang in("en","zh"): return s
    return s.replace(",","\0").replace(".",",").replace("\0"," " if lang=="fr" else ".")
class S:
    def __init__(s,seed,lang="en",nc=None,df="w"):
        r=s.r=random.Random(seed); s.lang=lang; s.df=df; s.truth={}; s.rows={}
        s.scac=r.choice(list(LINES)); s.line=LINES[s.scac]
        pol,pod=ISS[lang]
        if lang=="en": pol=r.choice(["CNSHA","CNNGB","CNYTN","VNSGN","KRPUS","INNSA"]);pod=r.choice(["USLAX","USNYC","USSAV"])
        s.pl=dict(port_of_lading=pol,port_of_discharge=pod,place_of_receipt=pol,place_of_delivery=pod,issue_place=pol)
        n=lambda k:"".join(r.choice("0123456789") for _ in range(k))
        let=lambda k:"".join(r.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(k))
        s.n={"bl_number":s.scac+n(9),"hbl_number":let(3)+n(7),"booking_number":n(9),"voyage":n(3)+r.choice("EWNS"),"vessel_imo":n(7),"notice_number":"AN-"+n(6),"ams_number":let(4)+n(8),"it_number":n(9),"pickup_number":n(6),"firms_code":let(1)+n(3),"do_number":"DO"+n(6),"invoice_number":let(2)+"-26"+n(4),"po_number":"PO-"+n(5),"packing_list_number":"PL"+n(5),"entry_number":let(3)+"-"+n(7)+"-"+n(1),"certificate_number":"C26"+let(1)+n(7)}
        if lang in("de","it","fr","es","nl","pt"): s.n["entry_number"]="26"+{"de":"DE","it":"IT","fr":"FR","es":"ES","nl":"NL","pt":"PT"}[lang]+n(6)+let(2)+n(7)+"1"
        base=dt.date(2026,r.randint(1,9),r.randint(13,25))
        ds=dict(issue_date=0,on_board_date=0,etd=9,eta=31,entry_date=3,import_date=0,due_date=30,last_free_day=6,go_date=15,it_date=1,si_cutoff=4,vgm_cutoff=5,cy_cutoff=6,customs_cutoff=5)
        s.d={k:base+dt.timedelta(v) for k,v in ds.items()}
        sl="zh"; bl=lang if lang!="zh" else "de"
        ws=r.sample(W1,8)
        def co(i,l): return (f"{ws[i]} {r.choice(W2)} {r.choice(SUF[l])}",r.choice(ADR[l]).split("|"))
        def truck(): return (f"{ws[4]} "+{"en":"Drayage LLC","es":"Transportes S.A.","fr":"Transports SARL","de":"Spedition GmbH","it":"Trasporti S.r.l.","nl":"Transport B.V.","pt":"Transportes Lda.","zh":"Trucking Co., Ltd."}[bl if lang!="zh" else "zh"],r.choice(ADR[bl])) 
        sh,cn=co(0,sl),co(1,bl)
        t=truck()
        s.p={"shipper":sh,"consignee":cn,"notify_party":co(2,bl),"seller":sh,"buyer":cn,"importer":cn,"exporter":sh,"trucker":(t[0],t[1].split("|")),"deliver_to":co(3,bl)}
        s.iss=ws[5]+" "+{"en":"Forwarding","es":"Agentes de Carga","fr":"Transit Maritime","de":"Seehafenspedition","it":"Spedizioni","nl":"Expeditie","pt":"Agenciamento de Cargas","zh":"International Logistics"}[lang]+" "+SUF[lang][0]
        s.iadr=", ".join(r.choice(ADR[lang]).split("|"))
        s.t={"vessel":r.choice(SHIPS),"terminal":r.choice(["Pier 400 Container Terminal","Harbor Gate Terminal","Northbank Container Terminal"]),"empty_return":r.choice(["Blue Heron Container Depot","Eastgate Empty Yard"]),"empty_pickup":r.choice(["Longshan Container Depot","Quayside Empty Park"]),"payment_terms":{"en":"30 days net","es":"30 días fecha factura","fr":"30 jours net","de":"30 Tage netto","it":"30 giorni data fattura","nl":"30 dagen netto","pt":"30 dias","zh":"T/T 30 days"}[lang],"country_of_origin":ORIG[lang]}
        s.gi=r.sample(range(len(GOODS)),3); g=[GOODS[i] for i in s.gi]
        s.cur="USD" if lang in("en","zh","es","pt") else "EUR"
        s.cont=[]
        for _ in range(nc or r.randint(1,3)):
            z=r.choice(list(SIZES)); pk=r.randint(120,990); s.cont.append(dict(number=chk(r.choice(["TGHU","MSKU","CAIU","TCLU","FCIU","SEGU"])+n(6)),seal=let(2)+n(6),size_type=z,sp=r.choice(SIZES[z]),packages=pk,gross_weight=r.randint(9000,26000)+r.choice([0,.5,.25]),volume=r.randint(24,67)+r.choice([0,.5,.4])))
        s.lin=[]
        for i,(a,h,u) in enumerate(g):
            k=r.randint(20,900);c=r.randint(10,300);up=r.randint(300,9000)/100
            s.lin.append(dict(description=ZG[s.gi[i]] if lang=="zh" else a,hs_code=h[:6],quantity=k,unit="PCS",unit_price=up,amount=round(k*up,2),origin=s.t["country_of_origin"],packages=c,net_weight=c*9,gross_weight=c*10.5,volume=c*.04))
        s.tot=round(sum(l["amount"] for l in s.lin),2)
        s.chg=[dict(description=c,amount=r.randint(4000,90000)/100) for c in {"en":["Ocean freight","Destination THC","Documentation fee"],"es":["Flete marítimo","THC destino","Gastos documentación"],"fr":["Fret maritime","THC arrivée","Frais de dossier"],"de":["Seefracht","THC Hamburg","Dokumentengebühr"],"it":["Nolo marittimo","THC destino","Diritti documenti"],"nl":["Zeevracht","THC","Documentkosten"],"pt":["Frete marítimo","Capatazia","Taxa documental"],"zh":["海运费","码头操作费","文件费"]}[lang]]
        s.ctot=round(sum(c["amount"] for c in s.chg),2)
        s.terms=r.choice(["prepaid","collect"]); s.inc=r.choice(["FOB","CIF","FCA"]); s.orig=r.choice(["3","2"])
    def date(s,d,time=None):
        f=s.df
        if f=="w":
            x=f"{d.day:02d} {MON['en'].split()[d.month-1]} {d.year}" if s.lang=="en" else f"{d.year}年{d.month}月{d.day}日" if s.lang=="zh" else f"{d.day}. {MON['de'].split()[d.month-1]} {d.year}" if s.lang=="de" else f"{d.day} {'de ' if s.lang in('es','pt') else ''}{MON[s.lang].split()[d.month-1]} {'de ' if s.lang in('es','pt') else ''}{d.year}"
        else: x=d.strftime({"i":"%Y-%m-%d","s":"%d/%m/%Y","d":"%d.%m.%Y","u":"%m/%d/%Y","m":"%d-%b-%y","l":"%B %d, %Y"}[f])
        return x+(f" {time}" if time else "")
    def place(s,k):
        c=s.pl[k]; a,b=PORTS[c].split(",")
        return ZH[c] if s.lang=="zh" and c in ZH else a.upper() if s.lang!="en" or s.r.random()<.4 else f"{a}, {b}"
    def val(s,f):
        """Lines as printed; the truth is noted."""
        unit=not f.endswith("#"); f=f.rstrip("#"); T=s.truth
        if f in s.n: T[f]="".join(c for c in s.n[f] if c.isalnum()); return [s.n[f]]
        if f in s.pl: T[f]=s.pl[f]; return [s.place(f)]
        if f in s.p:
            a=s.p[f]; T[f]={"name":a[0],"address":", ".join(a[1])}; return [a[0]]+a[1]
        if f in s.d:
            tm="16:00" if "cutoff" in f else None; T[f]=s.d[f].isoformat()+("T16:00" if tm else ""); return [s.date(s.d[f],tm)]
        if f in s.t: T[f]=s.t[f]; return [s.t[f]]
        if f=="vv": return [s.val("vessel")[0]+" / "+s.val("voyage")[0]]
        if f=="scac": T[f]=s.scac; return [s.scac]
        if f=="carrier": T["scac"]=s.scac; return [s.line]
        if f=="freight_terms": T[f]=s.terms; return ["FREIGHT "+s.terms.upper()]
        if f=="originals": T[f]=s.orig; return [{"3":"THREE (3)","2":"TWO (2)"}[s.orig]]
        if f=="none": return ["-"]
        if f=="description": T[f]=", ".join(l["description"] for l in s.lin); return [l["description"]+("," if i<2 else "") for i,l in enumerate(s.lin)]
        if f=="incoterm": T[f]=s.inc; return [s.inc+" "+PORTS[s.pl["port_of_lading" if s.inc!="CIF" else "port_of_discharge"]].split(",")[0]]
        if f=="currency": T[f]=s.cur; return [s.cur]
        if f in("total","ctotal"):
            v=s.tot if f=="total" else s.ctot; T["total"]=s.cur+" "+q(v); T["currency"]=s.cur; return [(s.cur+" " if unit else "")+num(v,s.lang,2)]
        if f=="marks": T[f]=s.p["consignee"][0].split()[0].upper()+" "+s.n["po_number"]+" C/NO. 1-UP"; return T[f].replace(" PO","\nPO").replace(" C/","\nC/").split("\n")
        if f in("packages","net_weight","gross_weight","volume"):
            v=sum(l[f] for l in s.lin); return [s.fig(f,v,unit,T)]
        raise KeyError(f)
    def fig(s,f,v,unit,T):
        u={"packages":"","quantity":"","net_weight":"kg","gross_weight":"kg","volume":"m3"}[f]
        T[f]=q(v)+(" "+u if u else "")
        return num(v,s.lang,{"packages":0,"quantity":0,"volume":2}.get(f,2))+({"kg":" KGS","m3":" CBM"}.get(u,"") if unit else "")
    def cell(s,kind,r,f,T):
        unit=not f.endswith("#"); f=f.rstrip("#")
        if f=="none": return ""
        if f in("packages","net_weight","gross_weight","volume","quantity"): return s.fig(f,r[f],unit,T)
        if f in("unit_price","amount"): T[f]=s.cur+" "+q(r[f]); return (s.cur+" " if unit else "")+num(r[f],s.lang,2)
        T[f]=r[f]
        return r["sp"] if f=="size_type" else str(r[f])
    def table(s,kind,fs):
        rows={"containers":s.cont,"lines":s.lin,"charges":s.chg}[kind]; out=[];tr=[]
        for r in rows:
            T={}; out.append([s.cell(kind,r,f,T) for f in fs]); tr.append(T)
        s.truth[kind]=tr; return out
