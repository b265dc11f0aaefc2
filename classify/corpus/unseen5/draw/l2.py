from lib import *
def td(d): return dt.timedelta(d)
CH=['OCEAN FREIGHT','DESTINATION THC','BUNKER ADJUSTMENT FACTOR','CHASSIS USAGE','DOCUMENTATION FEE','HANDLING FEE','PIER PASS / TMF','CUSTOMS CLEARANCE']
def charges(s,p,cur,st='en',names=CH,k=4,pr=''):
    tot=0; R=[]
    for x in s.r.sample(names,k):
        v=s.r.choice([s.r.randint(25,480),s.r.randint(300,3800)+.5,s.r.randint(40,95)+.75]); tot+=v; p.row('charges',description=x,amount=f'{cur} {nz(v,2)}'); R.append((x,pr+n(v,2,st)))
    return R,pr+n(tot,2,st)
# --------- arrival notices
@L('an-fwd-us','arrival_notice',size='Letter',inl=True)
def _(s,p):
    f='mdy'; p.CT(s.ctrs,'n s z p g v'); p.f['scac']=s.sc; R,t=charges(s,p,'USD')
    b=f'<table><tr><td><b style="font-size:15px">{s.dfwd.name}</b><br>'+'<br>'.join(s.dfwd.lines)+f'<br>TEL: (555) 0{D_(s.r,2)}-{D_(s.r,4)}</td><td class=r><b style="font-size:18px">ARRIVAL NOTICE / FREIGHT INVOICE</b></td></tr></table>'
    b+=G([[('SHIPPER','<br>'.join([s.shipper.name]+s.shipper.lines),2,2),('OUR REF NO.',p.N('notice_number','AN'+D_(s.r,6))),('DATE',p.D('issue_date',s.eta-td(6),f))],[('MASTER B/L NO.',p.N('bl_number',s.bl)),('HOUSE B/L NO.',p.N('hbl_number',s.hbl))],[('CONSIGNEE',p.PA('consignee',s.cnee),2,2),('AMS B/L NO.',p.N('ams_number',L_(s.r,4)+D_(s.r,9))),('STEAMSHIP LINE',s.car)],[('VESSEL / VOYAGE',p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy),2)],[('NOTIFY PARTY',p.PA('notify_party',s.notify),2,3),('PORT OF LOADING',p.PL('port_of_lading',s.pol)),('ETD',p.D(None,s.etd,f))],[('PORT OF DISCHARGE',p.PL('port_of_discharge',s.pod)),('ETA',p.D('eta',s.eta,f))],[('PLACE OF DELIVERY',p.PL('place_of_delivery',s.dl)),('LAST FREE DAY',p.D('last_free_day',s.eta+td(6),f))],[('FREIGHT LOCATION',p.X('terminal',s.term),2),('FIRMS CODE',p.N('firms_code',s.firms)),('G.O. DATE',p.D('go_date',s.eta+td(15),f))],[('I.T. NO.',p.N('it_number','V'+D_(s.r,8)),1),('I.T. DATE',p.D('it_date',s.eta,f)),('PICKUP NO.',p.N('pickup_number',D_(s.r,7)),2)]],w=[25]*4)
    b+=TB(['CONTAINER NO.','SEAL NO.','SIZE','PKGS','DESCRIPTION OF GOODS','WEIGHT','MEASUREMENT'],[[c.no,c.seal,SZ['hq'][c.st],n(c.pk,0)+' '+s.pk,' '.join(s.dsc) if i==0 else '',n(c.gw,1)+' KG',n(c.vol,2)+' CBM'] for i,c in enumerate(s.ctrs)],al='lllrlrr')
    b+='<br>'+TB(['CHARGE DESCRIPTION','AMOUNT (USD)'],R,al='lr',foot=['TOTAL DUE',t])+'<p class=small>PLEASE SURRENDER ORIGINAL BILL OF LADING PROPERLY ENDORSED AND PAY ALL CHARGES BEFORE FREIGHT RELEASE. THE CARGO MAY INCUR DEMURRAGE AND STORAGE AFTER THE LAST FREE DAY. CUSTOMS ENTRY MUST BE MADE WITHIN 15 DAYS OF ARRIVAL.</p>'
    return H(b,px=10,size='Letter')
@L('an-maersk','arrival_notice',car='MAEU',size='Letter',inl=True)
def _(s,p):
    p.f['scac']='MAEU'; p.CT(s.ctrs,'n s z g')
    b='<b style="font-size:22px;color:#0a5c8a">MAERSK</b><h1 style="font-size:18px">Arrival Notice</h1>'+K2([[('Bill of Lading',p.N('bl_number',s.bl)),('Issue date',p.D('issue_date',s.eta-td(4),'iso'))],[('Vessel',p.X('vessel',s.vsl)),('Voyage',p.N('voyage',s.voy))],[('Vessel IMO',p.N('vessel_imo',s.imo)),('Estimated arrival',p.D('eta',s.eta,'iso',f'{s.r.randint(1,23):02d}:00'))],[('Port of Loading',p.PL('port_of_lading',s.pol)),('Port of Discharge',p.PL('port_of_discharge',s.pod))],[('Place of Delivery',p.PL('place_of_delivery',s.dl)),('Discharge terminal',p.X('terminal',s.term))]],sep='')
    b+='<br>'+G([[('Consignee',p.PA('consignee',s.cnee)),('First Notify Party',p.PA('notify_party',s.notify))]],w=[50,50])+'<br>'+TB(['Container','Seal','Type','Cargo weight','Empty return'],[[c.no,c.seal,SZ['long'][c.st],n(c.gw,3,'p')+' KGS','As per release'] for c in s.ctrs])+'<p><b>Cargo description:</b> '+' '.join(s.dsc)+'</p><p>Please note that the arrival date is an estimate and is subject to change without notice. Demurrage &amp; detention is calculated in line with the tariff published on the carrier\'s web site.</p>'
    return H(b,px=12,size='Letter',css='td.kc{color:#567}')
@L('an-msc-us','arrival_notice',car='MSCU',size='Letter',o=ASIA+EUR)
def _(s,p):
    p.CT(s.ctrs,'n s z p g'); R,t=charges(s,p,'USD',k=3)
    b='<div class=ce><b style="font-size:14px">MEDITERRANEAN SHIPPING COMPANY (USA) INC.</b><br>AS AGENTS FOR MSC MEDITERRANEAN SHIPPING COMPANY S.A.<br><b style="font-size:13px">*** NOTICE OF ARRIVAL ***</b></div><pre style="font-size:11px">'
    b+=f'''B/L NUMBER  : {p.N('bl_number',s.bl)}              SCAC: {p.N('scac','MSCU')}       DATE: {p.D('issue_date',s.eta-td(5),'d-M-y')}
VESSEL      : {p.X('vessel',s.vsl)}
VOYAGE      : {p.N('voyage',s.voy)}
LOAD PORT   : {p.PL('port_of_lading',s.pol)}
DISCH. PORT : {p.PL('port_of_discharge',s.pod)}
ETA         : {p.D('eta',s.eta,'d-M-y')}
PIER        : {p.X('terminal',s.term)}         FIRMS: {p.N('firms_code',s.firms)}
LAST FREE DAY: {p.D('last_free_day',s.eta+td(5),'d-M-y')}

CONSIGNEE:
{p.PA('consignee',s.cnee,chr(10))}

NOTIFY:
{p.PA('notify_party',s.notify,chr(10))}

'''
    b+='CONTAINER     SEAL         TYPE      PACKAGES           GROSS WEIGHT\n'+'-'*72+'\n'
    for c in s.ctrs: b+=f'{c.no:<14}{c.seal:<13}{SZ["q"][c.st]:<10}{str(c.pk)+" "+s.pk:<18}{n(c.gw,1):>11} KGS\n'
    b+='-'*72+f'\nCARGO: {" ".join(s.dsc)}\n\nCHARGES COLLECT                         USD\n'
    for a,v in R: b+=f'{a:<32}{v:>12}\n'
    b+=f'{"TOTAL":<32}{t:>12}\n\nFREIGHT WILL NOT BE RELEASED UNTIL ORIGINAL BILL OF LADING IS SURRENDERED\nAND ALL CHARGES ARE PAID. PAYMENT BY WIRE OR CERTIFIED CHECK ONLY.</pre>'
    return H(b,px=11,font=MONO,size='Letter')
@L('an-fr','arrival_notice',d=['FRLEH','FRFOS'],o=ASIA+['BRSSZ'])
def _(s,p):
    p.CT(s.ctrs,'n s z p g v'); p.f['scac']=s.sc
    b=f'<table><tr><td><b style="font-size:15px">{s.dfwd.name}</b><br>'+'<br>'.join(s.dfwd.lines)+f'</td><td><div style="border:1px solid #000;padding:6px">'+p.PA('consignee',s.cnee)+'</div></td></tr></table>'
    b+=f'<p class=r>{PORTS[s.pod][0].title()}, le {p.D("issue_date",s.eta-td(5),"fr")}</p><h1 style="font-size:16px" class=ce>AVIS D\'ARRIVÉE N° {p.N("notice_number","AA"+D_(s.r,6))}</h1><p>Madame, Monsieur,<br>Nous avons l\'honneur de vous informer de l\'arrivée prochaine de la marchandise désignée ci-après, dont vous êtes destinataire :</p>'
    b+=K([('Compagnie maritime',s.car),('Navire / Voyage',p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy)),('Connaissement maritime (MBL)',p.N('bl_number',s.bl)),('Connaissement house (HBL)',p.N('hbl_number',s.hbl)),('Port de chargement',p.PL('port_of_lading',s.pol,'n')),('Port de déchargement',p.PL('port_of_discharge',s.pod,'n')),('Date d\'arrivée prévue (ETA)',p.D('eta',s.eta,'fr')),('Terminal',p.X('terminal',s.term)),('Notify',p.PA('notify_party',s.notify,', '))],sep=' :')
    b+='<br>'+TB(['N° conteneur','N° plomb','Type','Nbre colis','Poids brut (kg)','Volume (m3)'],[[c.no,c.seal,SZ['q'][c.st],str(c.pk),n(c.gw,1,'fr'),n(c.vol,2,'fr')] for c in s.ctrs],al='lllrrr')
    b+='<p>Nature de la marchandise : '+' '.join(s.dsc)+'</p><p>Nous vous prions de bien vouloir nous adresser le connaissement original dûment endossé ainsi que vos instructions de dédouanement et de livraison. À défaut, les frais de surestaries et de stationnement seront à votre charge.</p><p>Veuillez agréer, Madame, Monsieur, nos salutations distinguées.</p><p>Service Import</p>'
    return H(b,px=12,font=SERIF,m='16mm')
@L('an-de','arrival_notice',d=['DEHAM','DEBRV'],o=ASIA)
def _(s,p):
    p.CT(s.ctrs,'n z p g v'); p.f['scac']=s.sc
    b=f'<div style="text-align:right;font-size:16px"><b>{s.dfwd.name}</b><div class=small>{s.dfwd.addr}</div></div><br><br>'+p.PA('consignee',s.cnee)
    b+=f'<p class=r>Datum: {p.D("issue_date",s.eta-td(5),"dmy.")}<br>Unsere Position: {p.N("notice_number","SI-26-"+D_(s.r,5))}</p><h1 style="font-size:15px">Ankunftsavis – Seefracht Import</h1><p>Sehr geehrte Damen und Herren,</p><p>wir avisieren Ihnen folgende Sendung:</p>'
    b+=G([[('Absender','<br>'.join([s.shipper.name]+s.shipper.lines)),('Reeder / Schiff / Reise',s.car+'<br>'+p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy))],[('Ladehafen',p.PL('port_of_lading',s.pol,'n')),('Löschhafen',p.PL('port_of_discharge',s.pod,'n'))],[('MB/L-Nr.',p.N('bl_number',s.bl)),('HB/L-Nr.',p.N('hbl_number',s.hbl))],[('Voraussichtliche Ankunft (ETA)',p.D('eta',s.eta,'dmy.')),('Terminal',p.X('terminal',s.term))]],w=[50,50])
    b+='<br>'+TB(['Container','Typ','Colli','Inhalt','Bruttogewicht kg','cbm'],[[c.no,SZ['iso'][c.st],str(c.pk),' '.join(s.dsc),n(c.gw,1,'de'),n(c.vol,2,'de')] for c in s.ctrs],al='llrlrr')
    b+='<p>Bitte übersenden Sie uns umgehend die Verzollungsunterlagen (Handelsrechnung, Packliste, Original-Konnossement) sowie Ihre Zustellanweisung. Wir arbeiten ausschließlich auf Grundlage der Allgemeinen Deutschen Spediteurbedingungen 2017 (ADSp 2017).</p><p>Mit freundlichen Grüßen</p>'
    return H(b,px=12,m='18mm')
@L('an-es','arrival_notice',d=['ESVLC','ESBCN','MXZLO','CLSAI'],o=ASIA)
def _(s,p):
    p.CT(s.ctrs,'n s z p g v'); p.f['scac']=s.sc
    b=f'<div style="border:2px solid #036;padding:6px"><b style="font-size:15px;color:#036">{s.dfwd.name}</b><br>{s.dfwd.addr}</div><h1 style="font-size:16px;color:#036">NOTIFICACIÓN DE LLEGADA</h1>'
    b+=K2([[('Referencia',p.N('notice_number','IM'+D_(s.r,7))),('Fecha',p.D('issue_date',s.eta-td(7),'dmy/'))],[('Naviera',s.car),('Buque / Viaje',p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy))],[('MBL',p.N('bl_number',s.bl)),('HBL',p.N('hbl_number',s.hbl))],[('Puerto de origen',p.PL('port_of_lading',s.pol,'n')),('Puerto de destino',p.PL('port_of_discharge',s.pod,'n'))],[('ETA',p.D('eta',s.eta,'dmy/')),('Terminal',p.X('terminal',s.term))],[('Último día libre',p.D('last_free_day',s.eta+td(7),'dmy/')),('','')]])
    b+='<br>'+G([[('CONSIGNATARIO',p.PA('consignee',s.cnee)),('NOTIFICAR',p.PA('notify_party',s.notify))]],w=[50,50])+'<br>'+TB(['Contenedor','Precinto','Tipo','Bultos','Mercancía','Kilos','M3'],[[c.no,c.seal,SZ['hq'][c.st],str(c.pk),' '.join(s.dsc),n(c.gw,1,'de'),n(c.vol,2,'de')] for c in s.ctrs],al='lllrlrr')
    R,t=charges(s,p,'EUR' if s.dc=='ES' else 'USD','de',['FLETE MARÍTIMO','T.H.C. DESTINO','GASTOS DE DOCUMENTACIÓN','HANDLING','ISPS','LIMPIEZA DE CONTENEDOR'])
    b+='<br>'+TB(['Concepto','Importe ('+('EUR' if s.dc=='ES' else 'USD')+')'],R,al='lr',foot=['TOTAL',t])
    b+='<p class=small>Para la retirada de la mercancía es imprescindible la presentación del conocimiento de embarque original y el pago de los gastos indicados.</p>'
    return H(b,px=11,font=DJ)
@L('an-nl','arrival_notice',d=['NLRTM'],o=ASIA+['BRSSZ'])
def _(s,p):
    p.CT(s.ctrs,'n s z p g'); p.f['scac']=s.sc
    b=f'<b style="font-size:18px">{s.dfwd.name}</b><br><span class=small>{s.dfwd.addr} — Op al onze werkzaamheden zijn de Nederlandse Expeditievoorwaarden van toepassing</span><h1 style="font-size:15px">AANKOMSTBERICHT</h1>'
    b+='<table><tr><td>'+p.PA('consignee',s.cnee)+'</td><td>'+K([('Datum',p.D('issue_date',s.eta-td(3),'nl')),('Dossiernummer',p.N('notice_number','R'+D_(s.r,7))),('Rederij',s.car),('B/L nummer',p.N('bl_number',s.bl))])+'</td></tr></table><hr>'
    b+=K([('Zeeschip / reis',p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy)),('Laadhaven',p.PL('port_of_lading',s.pol,'n')),('Loshaven',p.PL('port_of_discharge',s.pod,'n')),('Verwachte aankomst',p.D('eta',s.eta,'nl')),('Terminal',p.X('terminal',s.term)),('Omschrijving goederen',' '.join(s.dsc))])+'<br>'
    b+=TB(['Containernummer','Zegel','Type','Aantal colli','Bruto gewicht (kg)'],[[c.no,c.seal,SZ['iso'][c.st],str(c.pk),n(c.gw,1,'de')] for c in s.ctrs],al='lllrr')+'<p>Gelieve ons uw instructies voor inklaring en aflevering te doen toekomen.</p>'
    return H(b,px=12,m='15mm')
@L('an-pt','arrival_notice',d=['BRSSZ','BRPNG'],o=ASIA+EUR)
def _(s,p):
    p.CT(s.ctrs,'n s z p g v'); p.f['scac']=s.sc
    b=f'<table><tr><td><b>{s.dfwd.name}</b><br>{s.dfwd.addr}</td><td class=r><b style="font-size:16px">AVISO DE CHEGADA</b></td></tr></table>'
    b+=G([[('Consignatário',p.PA('consignee',s.cnee),2,2),('Data de emissão',p.D('issue_date',s.eta-td(6),'dmy/'))],[('Processo',p.N('notice_number','IMP'+D_(s.r,6)))],[('Notificar',p.PA('notify_party',s.notify),2,2),('Armador',s.car)],[('BL Master',p.N('bl_number',s.bl))],[('Navio',p.X('vessel',s.vsl)),('Viagem',p.N('voyage',s.voy)),('BL House',p.N('hbl_number',s.hbl))],[('Porto de embarque',p.PL('port_of_lading',s.pol,'n')),('Porto de descarga',p.PL('port_of_discharge',s.pod,'n')),('Previsão de chegada (ETA)',p.D('eta',s.eta,'dmy/'))],[('Terminal',p.X('terminal',s.term),3)]],w=[34,33,33])
    b+='<br>'+TB(['Contêiner','Lacre','Tipo','Volumes','Peso bruto (kg)','Cubagem (m³)'],[[c.no,c.seal,SZ['q'][c.st],str(c.pk),n(c.gw,1,'de'),n(c.vol,2,'de')] for c in s.ctrs],al='lllrrr')
    R,t=charges(s,p,'BRL','de',['FRETE MARÍTIMO','CAPATAZIA (THC)','LIBERAÇÃO DE BL','TAXA DE DESCONSOLIDAÇÃO','ISPS','TAXA ADMINISTRATIVA'],3,'R$ ')
    b+='<br>'+TB(['Taxa','Valor'],R,al='lr',foot=['Total',t])+'<p>Mercadoria: '+' '.join(s.dsc)+'</p><p class=small>A liberação da carga está condicionada à apresentação do BL original e à quitação das taxas acima.</p>'
    return H(b,px=11)
@L('an-cn','arrival_notice',d=['CNSHA','CNTAO'],o=['DEHAM','ITGOA','BRSSZ','CLSAI','AUMEL'])
def _(s,p):
    p.CT(s.ctrs,'n s z p g'); p.f['scac']=s.sc
    b=f'<h1 style="font-size:18px;text-align:center">到 货 通 知 书<br><span style="font-size:12px">ARRIVAL NOTICE</span></h1><div class=r>通知日期：{p.D("issue_date",s.eta-td(4),"cn")}</div>'
    b+=G([[('收货人 Consignee',p.PA('consignee',s.cnee)),('通知人 Notify Party',p.PA('notify_party',s.notify))],[('船名 Vessel',p.X('vessel',s.vsl)),('航次 Voyage',p.N('voyage',s.voy))],[('船公司 Carrier',s.car),('提单号 B/L No.',p.N('bl_number',s.bl))],[('装货港 Port of Loading',p.PL('port_of_lading',s.pol)),('卸货港 Port of Discharge',p.PL('port_of_discharge',s.pod))],[('预计到港日期 ETA',p.D('eta',s.eta,'cn')),('码头 Terminal',p.X('terminal',s.term))]],w=[50,50])
    b+='<br>'+TB(['箱号 Container No.','封号 Seal No.','箱型 Type','件数 Pkgs','毛重 Gross Weight'],[[c.no,c.seal,SZ['n'][c.st],str(c.pk),n(c.gw,1)+' KGS'] for c in s.ctrs],al='lllrr')+f'<p>货名 Description: {" ".join(s.dsc)}</p><p>请贵司持正本提单及有关费用前来我司办理换单手续。逾期产生的滞箱费、堆存费由贵司承担。</p><p class=r>{s.dfwd.name}</p>'
    return H(b,px=12,font=CJK,m='15mm')
@L('an-it','arrival_notice',d=['ITGOA','ITSPE'],o=ASIA)
def _(s,p):
    p.CT(s.ctrs,'n s z p g v'); p.f['scac']=s.sc
    b=f'<div class=ce><b style="font-size:16px">{s.dfwd.name}</b><br>{s.dfwd.addr}</div><hr><table><tr><td style="width:50%"></td><td>Spett.le<br>'+p.PA('consignee',s.cnee)+f'</td></tr></table><p>Genova, {p.D("issue_date",s.eta-td(5),"it")}</p><p><b>Oggetto: AVVISO DI ARRIVO MERCE</b> — ns. rif. {p.N("notice_number","IM/26/"+D_(s.r,5))}</p><p>Con la presente Vi informiamo dell\'arrivo della seguente spedizione a Voi destinata:</p>'
    b+=K([('Compagnia',s.car),('Nave',p.X('vessel',s.vsl)),('Viaggio',p.N('voyage',s.voy)),('Polizza di carico n.',p.N('bl_number',s.bl)),('Porto d\'imbarco',p.PL('port_of_lading',s.pol,'n')),('Porto di sbarco',p.PL('port_of_discharge',s.pod,'n')),('Arrivo previsto',p.D('eta',s.eta,'it')),('Terminal',p.X('terminal',s.term)),('Merce',' '.join(s.dsc))])
    b+='<br>'+TB(['Contenitore','Sigillo','Tipo','Colli','Peso lordo kg','Mc'],[[c.no,c.seal,SZ['q'][c.st],str(c.pk),n(c.gw,1,'de'),n(c.vol,2,'de')] for c in s.ctrs],al='lllrrr')+'<p>Restiamo in attesa della polizza originale girata e delle Vostre istruzioni per lo sdoganamento. Distinti saluti.</p>'
    return H(b,px=12,font=DJS,m='15mm')
@L('an-evergreen','arrival_notice',car='EGLV',size='Letter',inl=True)
def _(s,p):
    p.f['scac']='EGLV'; p.CT(s.ctrs,'n s z p g')
    b='<b style="font-size:18px;color:#0a6b34">EVERGREEN SHIPPING AGENCY (AMERICA) CORP.</b><h1 class=ce style="font-size:15px">ARRIVAL NOTICE</h1>'
    b+='<table><tr><td style="width:50%"><u>CONSIGNEE</u><br>'+p.PA('consignee',s.cnee)+'<br><br><u>NOTIFY PARTY</u><br>'+p.PA('notify_party',s.notify)+'</td><td>'+K([('DATE',p.D('issue_date',s.eta-td(5),'Mdy')),('B/L NO',p.N('bl_number',s.bl)),('VESSEL',p.X('vessel',s.vsl)),('VOYAGE',p.N('voyage',s.voy)),('POR',p.PL('place_of_receipt',s.por)),('POL',p.PL('port_of_lading',s.pol)),('POD',p.PL('port_of_discharge',s.pod)),('DEL',p.PL('place_of_delivery',s.dl)),('ETA AT POD',p.D('eta',s.eta,'Mdy')),('IT NO',p.N('it_number',D_(s.r,9))),('CARGO AVAILABLE AT',p.X('terminal',s.term)),('FIRMS CODE',p.N('firms_code',s.firms))])+'</td></tr></table><br>'
    b+=TB(['CONTAINER NO','SIZE/TYPE','SEAL NO','PKGS','WEIGHT (KGS)'],[[c.no,SZ['iso'][c.st],c.seal,f'{c.pk} {s.pk}',n(c.gw,2)] for c in s.ctrs],al='lllrr')+f'<p>COMMODITY: {" ".join(s.dsc)}</p><p class=small>The Consignee is responsible for customs clearance. Free time and demurrage per tariff EGLV-100. Please surrender one original bill of lading endorsed by the consignee.</p>'
    return H(b,px=11,size='Letter')
# --------- delivery orders
@L('do-us-broker','delivery_order',size='Letter')
def _(s,p):
    f='mdy'; p.CT(s.ctrs,'n s z p g'); tr=company(s.r,'US','DRAYAGE')
    b=f'<table><tr><td><b style="font-size:15px">{s.notify.name}</b><br>'+'<br>'.join(s.notify.lines)+'</td><td class=r><b style="font-size:20px">DELIVERY ORDER</b></td></tr></table>'
    b+=G([[('TO: (IMPORTING CARRIER / TERMINAL)',p.X('terminal',s.term),2),('DATE',p.D('issue_date',s.eta+td(1),f)),('OUR REF. NO.',p.N('do_number','DO'+D_(s.r,6)))],[('IMPORTING VESSEL',p.X('vessel',s.vsl)),('VOYAGE NO.',p.N('voyage',s.voy)),('ARRIVAL DATE',p.D(None,s.eta,f)),('FREE TIME EXP.',p.D('last_free_day',s.eta+td(6),f))],[('MASTER B/L OR AWB NO.',p.N('bl_number',s.bl)),('HOUSE B/L NO.',p.N('hbl_number',s.hbl)),('FIRMS CODE',p.N('firms_code',s.firms)),('PICK UP NO.',p.N('pickup_number',D_(s.r,6)))],[('LOCAL DELIVERY OR TRANSFER BY (DELIVERY ORDER ISSUED TO)',p.PA('trucker',tr),2),('FOR DELIVERY TO',p.PA('deliver_to',s.cnee),2)],[('EMPTY RETURN',p.X('empty_return',s.r.choice(['COLUMBIA CONTAINER DEPOT','PORT EAST EMPTY YARD','WCS DEPOT CARSON'])),2),('FREIGHT CHARGES','COLLECT [ ] &nbsp; PREPAID [X]',2)]],w=[25]*4)
    b+=TB(['CONTAINER NO.','SEAL','SIZE','NO. OF PKGS','DESCRIPTION OF ARTICLES','WEIGHT'],[[c.no,c.seal,SZ['q'][c.st],f'{c.pk} {s.pk}',' '.join(s.dsc),n(c.gw,1)+' KG'] for c in s.ctrs],al='lllrlr')+'<div style="border:1px solid #222;border-top:0;height:120px;padding:4px"><span class=c>SPECIAL INSTRUCTIONS</span><br>CALL FOR DELIVERY APPOINTMENT 24 HRS IN ADVANCE. NOTIFY US OF ANY EXAM HOLD.</div>'+G([[('PREPARED BY',s.notify.name),('RECEIVED IN GOOD ORDER BY','<br>'),('DATE / TIME','')]])
    return H(b,px=11,size='Letter')
@L('do-fwd-carrier','delivery_order',d=['GBFXT','GBSOU','AUMEL','ZADUR','AEJEA'],o=ASIA)
def _(s,p):
    p.CT(s.ctrs,'n s z p g v')
    b=f'<h1 style="font-size:15px">{s.dfwd.name}</h1>{s.dfwd.addr}<h1 class=ce style="font-size:16px;border-top:2px solid;border-bottom:2px solid">DELIVERY ORDER</h1>'+K2([[('D/O No.',p.N('do_number','DO-'+D_(s.r,7))),('Date',p.D('issue_date',s.eta+td(1),'dMy'))],[('Ocean B/L',p.N('bl_number',s.bl)),('House B/L',p.N('hbl_number',s.hbl))],[('Vessel',p.X('vessel',s.vsl)),('Voyage',p.N('voyage',s.voy))],[('D/O valid until',fd(s.eta+td(8),'dMy')),('Storage location',p.X('terminal',s.term))]])
    b+=f'<p>To the Terminal Operator:</p><p>Please deliver the undermentioned cargo to <b>the bearer on behalf of</b></p><p>Deliver to:<br>{p.PA("deliver_to",s.cnee)}</p>'+TB(['Container No.','Seal No.','Type','No. of Packages','Gross Weight (kg)','Measurement (m3)'],[[c.no,c.seal,SZ['n'][c.st],f'{c.pk} {s.pk}',n(c.gw,2),n(c.vol,3)] for c in s.ctrs],al='lllrrr')+f'<p>Said to contain: {" ".join(s.dsc)}</p><p>Empty container to be returned to: {p.X("empty_return",s.r.choice(["MEDLOG EMPTY PARK","CONTAINERCARE DEPOT 3","UNITED DEPOTS"]))}</p><p>For and on behalf of {s.dfwd.name}</p><br><br>__________________________<br>Authorised signature'
    return H(b,px=12,font=SERIF,m='16mm')
@L('do-es','delivery_order',d=['ESVLC','MXZLO','CLSAI','COCTG'],o=ASIA)
def _(s,p):
    p.CT(s.ctrs,'n s z p g'); tr=company(s.r,s.dc,'TRANSPORTES')
    b=f'<table><tr><td><b>{s.dfwd.name}</b><br>{s.dfwd.addr}</td><td class=r><b style="font-size:17px">ORDEN DE ENTREGA</b><br>N.º {p.N("do_number","OE"+D_(s.r,7))}<br>Fecha: {p.D("issue_date",s.eta+td(1),"es")}</td></tr></table><br>'+G([[('TERMINAL',p.X('terminal',s.term)),('BUQUE / VIAJE',p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy))],[('CONOCIMIENTO (MBL)',p.N('bl_number',s.bl)),('ÚLTIMO DÍA LIBRE',p.D('last_free_day',s.eta+td(7),'es'))],[('TRANSPORTISTA',p.PA('trucker',tr)),('ENTREGAR A',p.PA('deliver_to',s.cnee))],[('DEVOLUCIÓN DE VACÍO',p.X('empty_return',s.r.choice(['DEPOT VALENCIA SUR','CONTENEDORES DEL PACIFICO','DEPOSITO CENTRAL'])),2)]],w=[50,50])
    b+='<br>'+TB(['Contenedor','Precinto','Tipo','Bultos','Peso bruto (kg)','Mercancía'],[[c.no,c.seal,SZ['q'][c.st],str(c.pk),n(c.gw,1,'de'),' '.join(s.dsc)] for c in s.ctrs],al='lllrrl')+'<p>Sírvanse entregar la mercancía arriba descrita al portador de la presente, previo despacho de aduanas.</p><br><br><div class=r>Sello y firma</div>'
    return H(b,px=12)
@L('do-de','delivery_order',d=['DEHAM','DEBRV'],o=ASIA)
def _(s,p):
    p.CT(s.ctrs,'n s z p g'); tr=company(s.r,'DE','CONTAINERTRANSPORTE')
    b=f'<b style="font-size:14px">{s.dfwd.name}</b> · {s.dfwd.addr}<h1 style="font-size:17px">Transportauftrag / Auslieferungsauftrag</h1>'+K2([[('Auftrags-Nr.',p.N('do_number','TA'+D_(s.r,6))),('Datum',p.D('issue_date',s.eta+td(1),'dmy.'))]])+'<table class=g><tr><td style="width:50%"><b>Frachtführer</b><br>'+p.PA('trucker',tr)+'</td><td><b>Anlieferung bei</b><br>'+p.PA('deliver_to',s.cnee)+'</td></tr></table>'
    b+=K([('Abholung Terminal',p.X('terminal',s.term)),('Schiff / Reise',p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy)),('B/L-Nr.',p.N('bl_number',s.bl)),('Freistellreferenz',p.N('pickup_number',D_(s.r,8))),('Leercontainer-Rückgabe',p.X('empty_return',s.r.choice(['HCCR ALTENWERDER','PROGECO HAMBURG','REMAIN BREMERHAVEN']))),('Ware',' '.join(s.dsc))])+'<br>'+TB(['Container-Nr.','Siegel','Typ','Colli','Brutto kg'],[[c.no,c.seal,SZ['iso'][c.st],str(c.pk),n(c.gw,1,'de')] for c in s.ctrs],al='lllrr')+'<p>Container nach Entladung unverzüglich zurückführen. Standzeiten sind schriftlich zu melden.</p>'
    return H(b,px=12,m='16mm')
@L('do-terminal-release','delivery_order',size='Letter')
def _(s,p):
    p.CT(s.ctrs,'n z g'); tr=company(s.r,'US','TRUCKING')
    b=f'<div style="background:#ddd;padding:6px"><b>{s.dfwd.name}</b> <span style="float:right"><b>DELIVERY ORDER / CARGO RELEASE</b></span></div>'+K([('Delivery order no.',p.N('do_number',D_(s.r,8))),('Issued',p.D('issue_date',s.eta+td(2),'d/M/y')),('Motor carrier',p.PA('trucker',tr)),('Pick up at',p.X('terminal',s.term)),('Pickup number',p.N('pickup_number',L_(s.r,2)+D_(s.r,6))),('Last free day',p.D('last_free_day',s.eta+td(5),'d/M/y')),('Deliver to',p.PA('deliver_to',s.cnee)),('Bill of lading',p.N('bl_number',s.bl)),('Vessel',p.X('vessel',s.vsl)),('Voyage',p.N('voyage',s.voy)),('Return empty to',p.X('empty_return',s.r.choice(['CONGLOBAL NEWARK','ITS CONGLOBAL LATHROP','H&M INTERMODAL'])))],sep='')+'<br>'+TB(['Unit','ISO','Gross (kg)'],[[c.no,SZ['iso'][c.st],n(c.gw,0) if c.gw==int(c.gw) else n(c.gw,1)] for c in s.ctrs],al='llr')+f'<p>Contents: {" ".join(s.dsc)}</p><p class=small>Motor carrier must present valid TWIC and UIIA interchange. Detention starts two hours after arrival at consignee.</p>'
    return H(b,px=12,size='Letter',css='td.kc{font-weight:bold;width:170px} table.k td{border-bottom:1px dotted #999}',font=DJ)
# --------- bookings
def cut(s,h): return s.etd-td(h)
def eq(s,p): p.row('equipment',quantity=str(len(s.ctrs)),size_type=s.ctrs[0].st); return len(s.ctrs),s.ctrs[0].st
EP=['OCEAN EMPTY DEPOT 2','EASTPORT CONTAINER YARD','GLOBAL CONTAINER PARK','MERIDIAN DEPOT NORTH']
@L('bk-maersk','booking_confirmation',car='MAEU',o=EUR+ASIA)
def _(s,p):
    p.f['scac']='MAEU'; q,st=eq(s,p)
    b='<table><tr><td><b style="font-size:24px;color:#0a5c8a">MAERSK</b></td><td class=r><b style="font-size:15px">BOOKING CONFIRMATION</b></td></tr></table>'+K2([[('Booking No.','<b>'+p.N('booking_number',s.bk)+'</b>'),('Print Date',p.D('issue_date',s.etd-td(16),'iso'))],[('Booked by Party',s.shipper.name),('Contractual Customer',s.shipper.name)],[('From',p.PL('place_of_receipt',s.por,'Nc')),('To',p.PL('place_of_delivery',s.dl,'Nc'))],[('Commodity Description',' '.join(s.dsc)),('Service Mode','CY/CY')]])
    b+='<br><b>Equipment</b>'+TB(['Quantity','Size/Type/Height(ft)','Gross Weight','Pack. Qty/Kind'],[[q,{'20GP':'20 DRY 8\'6"','40GP':'40 DRY 8\'6"','40HC':'40 DRY 9\'6"','45HC':'45 DRY 9\'6"','40RH':'40 REEF 9\'6"'}[st],n(s.tg,3,'p')+' KGS',s.pk]])
    b+='<br><b>Load Itinerary - Intended Transport Plan</b>'+TB(['From','To','Mode','Vessel','Voy No.','ETD','ETA'],[[p.PL('port_of_lading',s.pol,'n').title()+' Terminal',p.PL('port_of_discharge',s.pod,'n').title()+' Terminal','MVS',p.X('vessel',s.vsl),p.N('voyage',s.voy),p.D('etd',s.etd,'iso'),p.D('eta',s.eta,'iso')]])
    b+='<br><b>Empty container pick-up</b> : '+p.X('empty_pickup',s.r.choice(EP))+'<br><br>'+TB(['Documentation Deadline','Deadline'],[['Shipping Instructions Deadline',p.D('si_cutoff',cut(s,4),'iso','12:00')],['Verified Gross Mass Deadline',p.D('vgm_cutoff',cut(s,3),'iso','18:00')],['CY Cargo Cut-off',p.D('cy_cutoff',cut(s,2),'iso','16:00')]])+'<p class=small>The carrier does not guarantee the dates of departure, transshipment and arrival. This booking is subject to the Maersk Terms for Carriage.</p>'
    return H(b,px=11)
@L('bk-hapag','booking_confirmation',car='HLCU',o=EUR,d=USP)
def _(s,p):
    p.f['scac']='HLCU'; q,st=eq(s,p)
    b='<table><tr><td><b style="font-size:18px;color:#d35400">Hapag-Lloyd</b><br>Hapag-Lloyd AG, Ballindamm 25, 20095 Hamburg</td><td class=r><b style="font-size:15px">Booking Confirmation</b><br>(Original)</td></tr></table><hr>'+K2([[('Our Reference',p.N('booking_number',D_(s.r,8))),('Date of Issue',p.D('issue_date',s.etd-td(14),'d-M-y'))],[('Your Reference',s.po),('BL/SWB No(s).',blno(s.r,'HLCU',s.pol))]],sep=':')
    b+=f'<p><b>{q} x {SZ["iso"][st]}</b> &nbsp; Commodity: {" ".join(s.dsc)} &nbsp; Gross weight: {n(s.tg,1)} KGM</p><p><b>Export empty pick up depot(s)</b><br>{p.X("empty_pickup",s.r.choice(EP))}</p>'
    b+=TB(['From','To','By','ETD','ETA'],[[p.PL('port_of_lading',s.pol,'n')+f'<br>{s.pol}',p.PL('port_of_discharge',s.pod,'n')+f'<br>{s.pod}','Vessel '+p.X('vessel',s.vsl)+'<br>Voy. No: '+p.N('voyage',s.voy)+'<br>IMO No: '+p.N('vessel_imo',s.imo),p.D('etd',s.etd,'d-M-y','22:00'),p.D('eta',s.eta,'d-M-y','06:00')]])
    b+='<br>'+TB(['Deadline','Location','Date/Time (local)','Required action'],[['Shipping instruction closing',s.pol,p.D('si_cutoff',cut(s,4),'d-M-y','10:00'),'Provision of all required information'],['VGM cut-off',s.pol,p.D('vgm_cutoff',cut(s,3),'d-M-y','14:00'),'VGM submission'],['FCL delivery cut-off',s.pol,p.D('cy_cutoff',cut(s,2),'d-M-y','16:00'),'Please deliver container(s) until this time'],['Customs documentation closing',s.pol,p.D('customs_cutoff',cut(s,3),'d-M-y','09:00'),'Customs export MRN']])+'<p class=small>Carriage is subject to the carrier\'s standard bill of lading terms and conditions.</p>'
    return H(b,px=11)
@L('bk-cma','booking_confirmation',car='CMDU',o=EUR+ASIA,d=USP+['BRSSZ'])
def _(s,p):
    p.f['scac']='CMDU'; q,st=eq(s,p)
    b='<b style="font-size:20px;color:#04246a">CMA CGM</b><h1 style="font-size:14px;background:#04246a;color:#fff;padding:4px">BOOKING CONFIRMATION &nbsp; '+p.N('booking_number',s.pol[2:]+D_(s.r,7))+'</h1>'+f'Date: {p.D("issue_date",s.etd-td(12),"d-M-y")}<br>To: {s.ofwd.name}<br><br>'
    b+=G([[('VESSEL',p.X('vessel',s.vsl)),('VOYAGE',p.N('voyage',s.voy)),('LLOYD\'S / IMO',p.N('vessel_imo',s.imo))],[('PLACE OF RECEIPT',p.PL('place_of_receipt',s.por,'n')),('PORT OF LOADING',p.PL('port_of_lading',s.pol,'n')),('ETD',p.D('etd',s.etd,'d-M-y'))],[('PORT OF DISCHARGE',p.PL('port_of_discharge',s.pod,'n')),('FINAL PLACE OF DELIVERY',p.PL('place_of_delivery',s.dl,'n')),('ETA',p.D('eta',s.eta,'d-M-y'))],[('SI CUT-OFF',p.D('si_cutoff',cut(s,4),'d-M-y','17:00')),('VGM CUT-OFF',p.D('vgm_cutoff',cut(s,2),'d-M-y','12:00')),('PORT CUT-OFF',p.D('cy_cutoff',cut(s,2),'d-M-y','18:00'))]],w=[34,33,33])
    b+=f'<br><b>Quantity and equipment:</b> {q} x {SZ["hq"][st]}<br><b>Cargo:</b> {" ".join(s.dsc)} — {n(s.tg,0 if s.tg==int(s.tg) else 1)} KG<br><b>Empty pick-up depot:</b> {p.X("empty_pickup",s.r.choice(EP))}<p class=small>Please check this confirmation and advise any discrepancy immediately. The merchant\'s attention is drawn to the SOLAS VGM regulation.</p>'
    return H(b,px=12)
@L('bk-one','booking_confirmation',car='ONEY',o=ASIA)
def _(s,p):
    p.f['scac']='ONEY'; q,st=eq(s,p)
    b='<b style="font-size:26px;color:#d6006d">ONE</b> OCEAN NETWORK EXPRESS<h1 class=ce style="font-size:15px">BOOKING RECEIPT NOTICE</h1><pre style="font-size:11px">'+f'''BOOKING NUMBER      : {p.N('booking_number',s.bk)}
DATE                : {p.D('issue_date',s.etd-td(13),'DMY')}
SHIPPER             : {s.shipper.name}
FORWARDER           : {s.ofwd.name}
TRUNK VESSEL        : {p.X('vessel',s.vsl)}
VOYAGE              : {p.N('voyage',s.voy)}
PLACE OF RECEIPT    : {p.PL('place_of_receipt',s.por)}
PORT OF LOADING     : {p.PL('port_of_lading',s.pol)}    ETD: {p.D('etd',s.etd,'DMY')}
PORT OF DISCHARGING : {p.PL('port_of_discharge',s.pod)}    ETA: {p.D('eta',s.eta,'DMY')}
PLACE OF DELIVERY   : {p.PL('place_of_delivery',s.dl)}
EQ TYPE/Q'TY        : {SZ['q'][st]} - {q}
COMMODITY           : {" ".join(s.dsc)}
EMPTY PICK UP CY    : {p.X('empty_pickup',s.r.choice(EP))}
DOC CUT-OFF (SI)    : {p.D('si_cutoff',cut(s,4),'DMY','11:00')}
VGM CUT-OFF         : {p.D('vgm_cutoff',cut(s,3),'DMY','11:00')}
CY CUT-OFF          : {p.D('cy_cutoff',cut(s,2),'DMY','17:00')}
</pre><p>REMARK: Please note that late submission of shipping instruction may cause a late documentation fee.</p>'''
    return H(b,px=11)
@L('bk-fwd','booking_confirmation',o=EUR,d=ASIA+USP)
def _(s,p):
    p.f['scac']=s.sc; q,st=eq(s,p)
    b=f'<div style="background:#145;color:#fff;padding:8px;font-size:15px">{s.ofwd.name}</div><h1 style="font-size:16px">Ocean Export Booking Confirmation</h1><p>Dear customer, we are pleased to confirm your booking as follows:</p>'
    b+=K([('Carrier',s.car),('Carrier booking no.',p.N('booking_number',s.bk)),('Confirmation date',p.D('issue_date',s.etd-td(10),'long')),('Shipper',s.shipper.name),('Equipment',f'{q} × {SZ["long"][st]}'),('Vessel / voyage',p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy)),('Port of loading',p.PL('port_of_lading',s.pol,'Nc')),('Port of discharge',p.PL('port_of_discharge',s.pod,'Nc')),('ETD',p.D('etd',s.etd,'long')),('ETA',p.D('eta',s.eta,'long')),('Empty release depot',p.X('empty_pickup',s.r.choice(EP))),('SI closing',p.D('si_cutoff',cut(s,4),'long','12:00')),('VGM closing',p.D('vgm_cutoff',cut(s,3),'long','12:00')),('CY closing',p.D('cy_cutoff',cut(s,2),'long','15:00'))],sep='')
    return H(b+'<p>All business is transacted subject to our standard trading conditions.</p>',px=12,css='table.k td{border-bottom:1px solid #ddd;padding:3px} td.kc{width:190px;color:#145;font-weight:bold}',font=DJ,m='14mm')
@L('bk-es','booking_confirmation',o=['ESVLC','ESBCN','PECLL','CLSAI','COCTG'],d=USP+EUR[:4])
def _(s,p):
    p.f['scac']=s.sc; q,st=eq(s,p)
    b=f'<h1 style="font-size:15px">{s.ofwd.name}</h1><h1 style="font-size:15px" class=ce>CONFIRMACIÓN DE RESERVA</h1>'+G([[('N.º DE RESERVA',p.N('booking_number',s.bk)),('FECHA',p.D('issue_date',s.etd-td(11),'dmy/'))],[('CLIENTE',s.shipper.name),('NAVIERA',s.car)],[('BUQUE',p.X('vessel',s.vsl)),('VIAJE',p.N('voyage',s.voy))],[('PUERTO DE CARGA',p.PL('port_of_lading',s.pol,'n')),('FECHA ESTIMADA DE ZARPE (ETD)',p.D('etd',s.etd,'dmy/'))],[('PUERTO DE DESCARGA',p.PL('port_of_discharge',s.pod,'n')),('FECHA ESTIMADA DE ARRIBO (ETA)',p.D('eta',s.eta,'dmy/'))],[('EQUIPO',f'{q} x {SZ["hq"][st]}'),('MERCANCÍA',' '.join(s.dsc))],[('RETIRO DE VACÍO',p.X('empty_pickup',s.r.choice(['DEPOSITO CONTENEDORES SUR','PATIO LA COSTA'])),2)],[('CIERRE DOCUMENTAL (SI)',p.D('si_cutoff',cut(s,4),'dmy/','12:00')),('CIERRE VGM',p.D('vgm_cutoff',cut(s,3),'dmy/','14:00'))],[('CIERRE FÍSICO (CY)',p.D('cy_cutoff',cut(s,2),'dmy/','18:00'),2)]],w=[50,50])
    return H(b,px=12,m='15mm')
@L('bk-cn','booking_confirmation',o=['CNSHA','CNYTN','CNTAO'],d=EUR+USP)
def _(s,p):
    p.f['scac']=s.sc; q,st=eq(s,p)
    b=f'<h1 style="font-size:17px" class=ce>订 舱 确 认 书<br><span style="font-size:12px">BOOKING CONFIRMATION</span></h1><div class=ce>{s.ofwd.name}</div>'+G([[('订舱号 Booking No.',p.N('booking_number',s.bk)),('日期 Date',p.D('issue_date',s.etd-td(9),'cn'))],[('船公司 Carrier',s.car),('发货人 Shipper',s.shipper.name)],[('船名 Vessel',p.X('vessel',s.vsl)),('航次 Voyage',p.N('voyage',s.voy))],[('起运港 POL',p.PL('port_of_lading',s.pol)),('目的港 POD',p.PL('port_of_discharge',s.pod))],[('开船日 ETD',p.D('etd',s.etd,'cn')),('预计到港 ETA',p.D('eta',s.eta,'cn'))],[('箱型箱量 Equipment',f'{q} x {SZ["hq"][st]}'),('提箱堆场 Empty pick-up',p.X('empty_pickup',s.r.choice(EP)))],[('截单时间 SI cut-off',p.D('si_cutoff',cut(s,4),'cn','12:00')),('截VGM时间 VGM cut-off',p.D('vgm_cutoff',cut(s,3),'cn','17:00'))],[('截港时间 CY cut-off',p.D('cy_cutoff',cut(s,2),'cn','20:00')),('截关时间 Customs cut-off',p.D('customs_cutoff',cut(s,2),'cn','12:00'))]],w=[50,50])+f'<p>品名 Commodity: {" ".join(s.dsc)}</p><p>注意：请在截单时间前提交补料，逾期产生的改单费由贵司承担。</p>'
    return H(b,px=12,font=CJK,m='14mm')
