from lib import *
from l2 import charges, eq, cut, EP
from l3 import lines, pll, fi, PT
from l4 import TX,tt,te,tp,DX,dt_,XL
def td(d): return dt.timedelta(d)
# ---------- long tables
@L('f-bl-rider','bill_of_lading',car='MSCU',o=['BRSSZ','BRPNG'],d=['CNSHA','CNTAO','NLRTM'],n=(44,52))
def _(s,p):
    p.CT(s.ctrs,'n s z p g v')
    b='<b style="font-size:18px">MSC</b> MEDITERRANEAN SHIPPING COMPANY S.A.<h1 style="font-size:14px">BILL OF LADING No. '+p.N('bl_number',s.bl)+'</h1>'+G([[('SHIPPER',p.PA('shipper',s.shipper)),(' BOOKING REF.',p.N('booking_number',s.bk)),('SCAC Code',p.N('scac','MSCU'))],[('CONSIGNEE',p.PA('consignee',s.cnee)),('NO. OF ORIGINAL B/L\'s',p.Q('originals',3,pr='3 / Three')),('NO. OF RIDER PAGES','See rider')],[('NOTIFY PARTIES',p.PA('notify_party',s.notify)),('FREIGHT',p.FT(s,'{}')),'']],w=[56,22,22])+G([[('VESSEL AND VOYAGE NO',p.X('vessel',s.vsl)+' - '+p.N('voyage',s.voy)),('PORT OF LOADING',p.PL('port_of_lading',s.pol)),('PORT OF DISCHARGE',p.PL('port_of_discharge',s.pod))]],w=[40,30,30])
    b+='<div style="border:1px solid;border-top:0;padding:8px;min-height:200px"><span class=c>DESCRIPTION OF PACKAGES AND GOODS</span><br>'+p.DESC('description',s.dsc+['NCM '+s.hs])+f'<br><br>CONTAINERS AS PER ATTACHED RIDER<br>Total Items : {s.tp}<br>Total Gross Weight : {n(s.tg,3)} Kgs.</div>'+G([[('PLACE AND DATE OF ISSUE',p.PL('issue_place',s.pol,'n')+' '+p.D('issue_date',s.iss,'d-M-y')),('SHIPPED ON BOARD DATE',p.D('on_board_date',s.etd,'d-M-y')),('SIGNED on behalf of the Carrier MSC Mediterranean Shipping Company S.A.','<br>')]])+'<div class=small>'+BOIL+'</div>'
    b+='<div style="page-break-before:always"></div><b>RIDER PAGE</b> &nbsp; Bill of Lading Number: '+s.bl+TB(['Container Number','Seal Number','Type','Packages','Gross Cargo Weight (kgs)','Measurement (cu.m.)'],[[c.no,c.seal,SZ['q'][c.st],f'{c.pk} {s.pk}',n(c.gw,3),n(c.vol,3)] for c in s.ctrs],al='lllrrr')
    return H(b,px=11)
@L('f-an','arrival_notice','tex',car='ONEY',d=['USLAX','USSAV'],n=(42,48))
def _(s,p):
    p.f['scac']='ONEY'; p.CT(s.ctrs,'n s z p g')
    b=r'\textbf{\Large OCEAN NETWORK EXPRESS (NORTH AMERICA) INC.}\par\medskip\textbf{\large ARRIVAL NOTICE}\par\medskip\begin{tabular}{ll}Notice date & '+p.D('issue_date',s.eta-td(5),'Mdy')+r'\\ Bill of lading no. & '+p.N('bl_number',s.bl)+r'\\ Vessel & '+p.X('vessel',s.vsl)+r'\\ Voyage & '+p.N('voyage',s.voy)+r'\\ Port of loading & '+p.PL('port_of_lading',s.pol)+r'\\ Port of discharge & '+p.PL('port_of_discharge',s.pod)+r'\\ ETA & '+p.D('eta',s.eta,'Mdy')+r'\\ Discharge terminal & '+p.X('terminal',s.term)+r'\\ FIRMS code & '+p.N('firms_code',s.firms)+r'\end{tabular}\par\medskip\textbf{Consignee}\par '+te(p.PA('consignee',s.cnee,'@@')).replace('@@',r'\\ ')+r'\par\medskip\textbf{Notify party}\par '+te(p.PA('notify_party',s.notify,'@@')).replace('@@',r'\\ ')+r'\par\medskip '+tt('|l|l|l|r|r|',['Container no.','Seal no.','Type','Packages','Gross weight (kg)'],[[c.no,c.seal,SZ['iso'][c.st],c.pk,n(c.gw,1)] for c in s.ctrs],['Total','','',s.tp,n(s.tg,1)],long=True)
    return TX(b,opt='10pt,letterpaper')
@L('f-pl','packing_list','xlsx',o=['CNSHA','VNSGN'],n=(92,100))
def _(s,p,path):
    w,sh,F=XL(path,'PL'); sh.set_column(0,5,17); sh.repeat_rows(11); sh.set_row(11,32); sh.merge_range('A1:F1',s.shipper.name,F['t']); sh.merge_range('A2:F2','DETAILED PACKING LIST',F['t'])
    for i,(a,b) in enumerate([('Packing List No.:',p.N('packing_list_number','PL'+D_(s.r,6))),('Invoice No.:',p.N('invoice_number',s.inv)),('Date:',p.D('issue_date',s.etd-td(3),'d-M-y')),('PO No.:',p.N('po_number',s.po)),('Goods:',' '.join(s.dsc))]): sh.write(3+i,0,a,F['b']); sh.write_string(3+i,1,b)
    p.f['containers']=[{'number':c.no,'seal':c.seal} for c in s.ctrs]; p.f.update(packages=str(s.tp),net_weight=nz(s.tn)+' kg',gross_weight=nz(s.tg)+' kg',volume=nz(s.tv)+' m3'); p.unj=['lines']
    for j,h in enumerate(['Container No.','Seal No.','Packages ('+s.pk+')','Net Weight (KG)','Gross Weight (KG)','Volume (CBM)']): sh.write(11,j,h,F['h'])
    for i,c in enumerate(s.ctrs):
        for j,(x,f) in enumerate([(c.no,'c'),(c.seal,'c'),(c.pk,'n0'),(c.nw,'n1'),(c.gw,'n1'),(c.vol,'n2')]): (sh.write_string if isinstance(x,str) else sh.write)(12+i,j,x,F[f])
    r=12+len(s.ctrs); sh.write(r,0,'TOTAL',F['h']); sh.write(r,1,'',F['h'])
    for j,v,f in ((2,s.tp,'n0'),(3,s.tn,'n1'),(4,s.tg,'n1'),(5,s.tv,'n2')): sh.write_formula(r,j,f'=SUM({"ABCDEF"[j]}13:{"ABCDEF"[j]}{r})',F[f],v)
    w.close()
@L('f-swb','sea_waybill',car='COSU',o=['CNSHA','CNTAO'],d=['USLGB','NLRTM','BEANR'],n=(60,70))
def _(s,p):
    p.f['scac']='COSU'; p.CT(s.ctrs,'n s z p g v')
    b=f'''<pre style="font-size:11px">COSCO SHIPPING LINES CO., LTD.                            SEA WAYBILL (NON-NEGOTIABLE)

WAYBILL NO.: {p.N('bl_number',s.bl)}            BOOKING NO.: {p.N('booking_number',s.bk)}

SHIPPER:
{p.PA('shipper',s.shipper,chr(10))}

CONSIGNEE:
{p.PA('consignee',s.cnee,chr(10))}

NOTIFY PARTY:
{p.PA('notify_party',s.notify,chr(10))}

OCEAN VESSEL: {p.X('vessel',s.vsl)}          VOY. NO.: {p.N('voyage',s.voy)}
PORT OF LOADING: {p.PL('port_of_lading',s.pol)}
PORT OF DISCHARGE: {p.PL('port_of_discharge',s.pod)}

DESCRIPTION OF GOODS: {p.DESC('description',s.dsc,' ')}
{p.FT(s)}
DATE LADEN ON BOARD: {p.D('on_board_date',s.etd,'DMY')}
PLACE AND DATE OF ISSUE: {p.PL('issue_place',s.pol,'n')} {p.D('issue_date',s.iss,'DMY')}

CONTAINER NO.  SEAL NO.     TYPE    PACKAGES          GROSS WEIGHT      MEASUREMENT
{'-'*82}
'''+'\n'.join(f'{c.no:<15}{c.seal:<13}{SZ["hq"][c.st]:<8}{str(c.pk)+" "+s.pk:<16}{n(c.gw,1)+" KGS":>14}{n(c.vol,2)+" CBM":>17}' for c in s.ctrs)+f"\n{'-'*82}\n{'TOTAL':<36}{str(s.tp)+' '+s.pk:<16}{n(s.tg,1)+' KGS':>14}{n(s.tv,2)+' CBM':>17}</pre>"
    return H(b,font=MONO,m='14mm')
@L('f-do','delivery_order',d=['USNYC','USHOU'],size='Letter',n=(40,45))
def _(s,p):
    p.CT(s.ctrs,'n s z p g'); tr=company(s.r,'US','INTERMODAL')
    b=f'<b style="font-size:15px">{s.notify.name}</b><br>{s.notify.addr}<h1 class=ce style="font-size:17px">DELIVERY ORDER</h1>'+K2([[('D.O. Number',p.N('do_number','DO'+D_(s.r,6))),('Date',p.D('issue_date',s.eta,'Mdy'))],[('Vessel',p.X('vessel',s.vsl)),('Voyage',p.N('voyage',s.voy))],[('Ocean B/L',p.N('bl_number',s.bl)),('Last Free Day',p.D('last_free_day',s.eta+td(6),'Mdy'))],[('Terminal',p.X('terminal',s.term)),('FIRMS',p.N('firms_code',s.firms))]])+G([[('TRUCKER',p.PA('trucker',tr)),('DELIVER TO',p.PA('deliver_to',s.cnee))]],w=[50,50])+'<br>'+TB(['#','Container','Seal','Type','Packages','Weight (KG)'],[[i+1,c.no,c.seal,SZ['hq'][c.st],c.pk,n(c.gw,1)] for i,c in enumerate(s.ctrs)],al='rlllrr')
    return H(b,px=12,size='Letter')
@L('f-hbl','house_bill_of_lading','docx',o=['INNSA','INMUN'],d=['USNYC','USSAV'],n=(40,44))
def _(s,p):
    d=DX(); p.CT(s.ctrs,'n s z p g'); d.add_heading(s.ofwd.name,1); d.add_paragraph('MULTIMODAL TRANSPORT DOCUMENT / HOUSE BILL OF LADING')
    dt_(d,[['Consignor:\n'+p.PA('shipper',s.shipper,'\n'),'MTD / House B/L No.:\n'+p.N('hbl_number',s.hbl)],['Consignee:\n'+p.PA('consignee',s.cnee,'\n'),'Master B/L No.:\n'+p.N('bl_number',s.bl)],['Notify address:\n'+p.PA('notify_party',s.notify,'\n'),'Vessel / Voyage:\n'+p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy)],['Port of loading:\n'+p.PL('port_of_lading',s.pol),'Port of discharge:\n'+p.PL('port_of_discharge',s.pod)],['Freight: '+p.FT(s,'{}')+'\nNumber of originals: '+p.Q('originals',3,pr='3 (THREE)'),'Place and date of issue:\n'+p.PL('issue_place',s.pol,'n')+' '+p.D('issue_date',s.iss,'dMy')]])
    d.add_paragraph('Description of goods: '+p.DESC('description',s.dsc,' ')); d.add_paragraph('ATTACHED LIST OF CONTAINERS'); dt_(d,[[c.no,c.seal,SZ['hq'][c.st],f'{c.pk} {s.pk}',n(c.gw,1)] for c in s.ctrs],['Container No.','Seal No.','Type','Packages','Gross weight (kg)']); return d
# ---------- dates. h: chosen dates put in by s.etd/s.eta/...
def E(p,k,a,f='dmy/'):
    """a date printed dd/mm or mm/dd that nothing decides"""
    b=dt.date(a.year,a.day,a.month); p.f[k]={'either':sorted([a.isoformat(),b.isoformat()])}; return fd(a,f)
@L('h-an-us','arrival_notice',size='Letter')
def _(s,p):
    s.eta=dt.date(2026,5,8); f='mdy'; p.f['scac']=s.sc; p.CT(s.ctrs,'n z')
    b=f'<h1 style="font-size:18px">{s.dfwd.name}</h1><b>ARRIVAL NOTICE</b><br><br>'+K([('Notice date',p.D('issue_date',dt.date(2026,5,1),f)),('Ocean carrier',s.car),('Master bill',p.N('bl_number',s.bl)),('Vessel',p.X('vessel',s.vsl)),('Voyage',p.N('voyage',s.voy)),('Load port',p.PL('port_of_lading',s.pol)),('Discharge port',p.PL('port_of_discharge',s.pod)),('ETA',p.D('eta',s.eta,f)),('Last free day',p.D('last_free_day',dt.date(2026,5,14),f)),('Firms code',p.N('firms_code',s.firms))])+'<p>Consignee<br>'+p.PA('consignee',s.cnee)+'</p>'+TB(['Container','Type'],[[c.no,SZ['hq'][c.st]] for c in s.ctrs])
    return H(b,px=12,size='Letter')
@L('h-ci-either','commercial_invoice',o=['VNSGN','THLCH'],d=['USLAX','CAVAN','AUSYD'])
def _(s,p):
    l,t=lines(s,p,'USD',3); b=p.PA('seller',s.shipper)+'<h1 class=ce style="font-size:16px">COMMERCIAL INVOICE</h1>'+K2([[('Invoice No',p.N('invoice_number',s.inv)),('Date',E(p,'issue_date',dt.date(2026,8,5)))]])+'<p>Sold to:<br>'+p.PA('buyer',s.cnee)+'</p>'+TB(['Description','HS Code','Qty','Unit','Price USD','Amount USD'],[[a,h,n(q,0),u,n(up),n(am)] for a,h,q,u,up,am in l],al='llrlrr',foot=['Total','','','','USD',n(t)])
    return H(b,px=12,font=SERIF,m='16mm')
@L('h-fi-de','freight_invoice',d=['DEHAM'])
def _(s,p):
    R,t=fi(s,p,'EUR','de',['Seefracht','THC','Zollabfertigung','Dokumentation'],3); b=f'<b style="font-size:16px">{s.dfwd.name}</b><h1 style="font-size:16px">Rechnung</h1>'+K([('Rechnungsnummer',p.N('invoice_number','R'+D_(s.r,6))),('Rechnungsdatum',p.D('issue_date',dt.date(2026,8,5),'dmy.')),('Zahlbar bis',p.D('due_date',dt.date(2026,9,4),'dmy.')),('Konnossement',p.N('bl_number',s.bl)),('Kunde',s.cnee.name)])+'<br>'+TB(['Leistung','Betrag in EUR'],R,al='lr',foot=['Gesamtbetrag',t])+'<p>Bitte überweisen Sie den Betrag unter Angabe der Rechnungsnummer.</p>'
    return H(b,px=13,m='18mm')
@L('h-bk-order','booking_confirmation',o=['SGSIN','MYPKG','LKCMB'],d=['GBFXT','NLRTM'])
def _(s,p):
    p.f['scac']=s.sc; q,st=eq(s,p); b=f'<h1 style="font-size:16px">{s.ofwd.name}</h1><b>BOOKING CONFIRMATION</b><br><br>'+G([[('BOOKING NO.',p.N('booking_number',s.bk)),('CARRIER',s.car)],[('VESSEL / VOYAGE',p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy)),('EQUIPMENT',f'{q} x {SZ["hq"][st]}')],[('PORT OF LOADING',p.PL('port_of_lading',s.pol)),('ETD',p.D('etd',dt.date(2026,5,7),'dmy/'))],[('PORT OF DISCHARGE',p.PL('port_of_discharge',s.pod)),('ETA',p.D('eta',dt.date(2026,6,6),'dmy/'))],[('EMPTY PICK-UP',p.X('empty_pickup',s.r.choice(EP))),'']],w=[50,50])
    return H(b,px=12,m='14mm')
@L('h-do-dayname','delivery_order',d=['GBFXT','GBSOU','ZADUR'])
def _(s,p):
    p.CT(s.ctrs,'n s z'); d1,d2=dt.date(2026,5,4),dt.date(2026,5,8); wd=lambda d:d.strftime('%a ')
    b=f'<h1 style="font-size:16px">DELIVERY ORDER</h1>{s.dfwd.name}<br><br>'+K([('Order no.',p.N('do_number','DO'+D_(s.r,6))),('Date',wd(d1)+p.D('issue_date',d1,'dmy/')),('Terminal',p.X('terminal',s.term)),('Last free day',wd(d2)+p.D('last_free_day',d2,'dmy/')),('Vessel',p.X('vessel',s.vsl)),('Voyage',p.N('voyage',s.voy)),('B/L no.',p.N('bl_number',s.bl)),('Deliver to',p.PA('deliver_to',s.cnee))])+'<br>'+TB(['Container','Seal','Type'],[[c.no,c.seal,SZ['hq'][c.st]] for c in s.ctrs])
    return H(b,px=12,m='16mm')
@L('h-pl-pt','packing_list',o=['BRSSZ','BRPNG','PTLIS'],d=EUR[:2]+['USNYC'])
def _(s,p):
    l,T=pll(s,p,'png'); b=f'<b>{s.shipper.name}</b><br>{s.shipper.addr}<h1 class=ce style="font-size:17px">ROMANEIO DE CARGA (PACKING LIST)</h1><p>Fatura n.º {p.N("invoice_number",s.inv)}</p><p>Importador: {s.cnee.name}</p>'+TB(['Descrição','Volumes','Peso líquido (kg)','Peso bruto (kg)'],[[d,c,n(w,1,'de'),n(g,1,'de')] for d,q,c,w,g,v in l],al='lrrr',foot=['Total',T[0],n(T[1],1,'de'),n(T[2],1,'de')])+f'<p>{PORTS[s.pol][0].title()}, {p.D("issue_date",dt.date(2026,8,5),"dmy/")}</p><br>______________________<br>Assinatura'
    return H(b,px=12,m='16mm')
@L('h-co-fr','certificate_of_origin',o=['FRLEH','FRFOS'],d=['AEJEA','CNSHA','USNYC'])
def _(s,p):
    b='<h1 class=ce style="font-size:17px">CERTIFICAT D\'ORIGINE</h1>'+G([[('1 Expéditeur',p.PA('exporter',s.shipper)),('Numéro du certificat',p.N('certificate_number','FR'+D_(s.r,7)))],[('2 Destinataire','<br>'.join([s.cnee.name]+s.cnee.lines)),('3 Pays d\'origine',p.X('country_of_origin','Union européenne - France'))],[('4 Informations relatives au transport','Par mer, navire '+s.vsl),('5 Remarques','Facture n° '+p.N('invoice_number',s.inv))],[('6 Désignation des marchandises',f'{s.tp} colis — '+' '.join(s.dsc)),('7 Quantité',n(s.tg,1,'fr')+' kg')]],w=[55,45])+f'<p>8 L\'autorité soussignée certifie que les marchandises désignées ci-dessus sont originaires du pays figurant dans la case n° 3.</p><p>Fait à {PORTS[s.pol][0].title()}, le {p.D("issue_date",dt.date(2026,6,4),"dmy/")}</p><p>Chambre de commerce et d\'industrie</p>'
    return H(b,px=12,font=SERIF,m='15mm')
@L('h-pl-either','packing_list',o=['SGSIN','HKHKG','INMUN'],d=['USLAX','USNYC','CAVAN'])
def _(s,p):
    l,T=pll(s,p,'qpg'); b=f'<h1 style="font-size:18px">{s.shipper.name}</h1><h1 style="font-size:15px">PACKING LIST</h1>'+K([('Invoice no.',p.N('invoice_number',s.inv)),('Date',E(p,'issue_date',dt.date(2026,3,7))),('Customer',s.cnee.name)])+'<br>'+TB(['Description','Qty','Packages','Gross weight (kg)'],[[d,n(q,0),c,n(g,1)] for d,q,c,w,g,v in l],al='lrrr',foot=['Total','',T[0],n(T[2],1)])
    return H(b,px=12,m='16mm',font=DJ)
@L('h-an-cn','arrival_notice',d=['CNSHA','CNTAO'],o=['DEHAM','BRSSZ','AUMEL'])
def _(s,p):
    p.f['scac']=s.sc; p.CT(s.ctrs,'n z p g'); b='<h1 class=ce style="font-size:18px">进口到货通知</h1>'+K([('通知日期',p.D('issue_date',dt.date(2026,5,8),'cn')),('船公司',s.car),('提单号',p.N('bl_number',s.bl)),('船名',p.X('vessel',s.vsl)),('航次',p.N('voyage',s.voy)),('起运港',p.PL('port_of_lading',s.pol)),('目的港',p.PL('port_of_discharge',s.pod)),('预计到港日',p.D('eta',dt.date(2026,5,12),'cn')),('收货人',p.PA('consignee',s.cnee))],sep='：')+'<br>'+TB(['箱号','箱型','件数','毛重(KGS)'],[[c.no,SZ['hq'][c.st],c.pk,n(c.gw,1)] for c in s.ctrs],al='llrr')+'<p>请及时办理换单及报关手续。</p>'
    return H(b,px=14,font=CJK,m='18mm')
@L('h-bl-place','bill_of_lading',car='ONEY',o=['ESVLC','ITGOA'],d=['USNYC','USSAV'])
def _(s,p):
    p.f['scac']='ONEY'; p.CT(s.ctrs,'n s z p g'); b='<b style="font-size:18px">OCEAN NETWORK EXPRESS</b><h1 style="font-size:15px">BILL OF LADING</h1>'+G([[('SHIPPER',p.PA('shipper',s.shipper)),('B/L NO.',p.N('bl_number',s.bl))],[('CONSIGNEE',p.PA('consignee',s.cnee)),('BOOKING NO.',p.N('booking_number',s.bk))],[('VESSEL / VOYAGE',p.X('vessel',s.vsl)+' / '+p.N('voyage',s.voy)),('PORT OF LOADING',p.PL('port_of_lading',s.pol))],[('PORT OF DISCHARGE',p.PL('port_of_discharge',s.pod)),('FREIGHT',p.FT(s,'{}'))]],w=[60,40])+TB(['CONTAINER','SEAL','TYPE','PACKAGES','GROSS WEIGHT KGS'],[[c.no,c.seal,SZ['hq'][c.st],f'{c.pk} {s.pk}',n(c.gw,1)] for c in s.ctrs],al='lllrr')+'<p>'+p.DESC('description',s.dsc)+'</p>'+G([[('LADEN ON BOARD',p.D('on_board_date',dt.date(2026,4,7),'dmy/')),('PLACE AND DATE OF ISSUE',p.PL('issue_place',s.pol,'n')+', '+p.D('issue_date',dt.date(2026,4,15),'dmy/')),('NO. OF ORIGINALS',p.Q('originals',3,pr='THREE (3)'))]])
    return H(b,px=11)
